//===- Trace.cpp - What happened when on one processor --------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reduction of line 49, on processor 1:
//
//     {"name":"reduction jacobi.z:49","cat":"reduction","ph":"X","ts":812.204,
//      "dur":3.120,"pid":0,"tid":1,"args":{"messages":1,"bytes":8}},
//
// What lies between two events of a track is computing. Memory is bounded by
// the number of events: those after it are counted only, and the track says so.
// 2^20 of them are 72 MiB on each processor and some 150 MB of JSON, about what
// a browser still opens.
//
// Cost: two looks at the clock and a store of 72 bytes per entry.
//
//===----------------------------------------------------------------------===//

#include "Entry/Observe/Trace.h"

#include "Support/Clock.h"

#include <cinttypes>
#include <cstdarg>
#include <cstdio>

namespace zrt {

static void append(std::string &text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void append(std::string &text, const char *format, ...) {
  char piece[256];
  va_list arguments;
  va_start(arguments, format);
  int length = std::vsnprintf(piece, sizeof piece, format, arguments);
  va_end(arguments);
  text.append(piece, static_cast<size_t>(length));
}

/// \p value inside of a JSON string. Bytes that are not ASCII are left as they
/// are: file names are mostly UTF-8.
static std::string escaped(const char *value) {
  std::string text;
  for (; *value; ++value) {
    auto byte = static_cast<unsigned char>(*value);
    if (byte < 0x20) {
      append(text, "\\u%04x", byte);
      continue;
    }
    if (byte == '"' || byte == '\\')
      text += '\\';
    text += *value;
  }
  return text;
}

static const char *pointText(const Operation &operation) {
  static const char *const points[] = {"DR", "SR", "DN", "SV"};
  return points[static_cast<int>(operation.part)];
}

int64_t traceClock() {
  constexpr double NanosecondsPerSecond = 1e9;
  return static_cast<int64_t>(monotonicSeconds() * NanosecondsPerSecond + 0.5);
}

Trace::Trace(const Transport &transport, size_t mostEvents)
    : transport(transport), mostEvents(mostEvents) {}

void Trace::begin(const Operation &) {
  traffic = transport.traffic;
  start = traceClock();
}

void Trace::end(const Operation &operation) {
  int64_t stop = traceClock();
  if (events.size() == mostEvents) {
    ++tooMany;
    return;
  }
  const Traffic &now = transport.traffic;
  events.push_back({operation, start, stop - start,
                    now.messages - traffic.messages, now.bytes - traffic.bytes,
                    now.bytes});
}

std::string Trace::header(int processor) {
  std::string text;
  append(text,
         "{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":0,\"tid\":%d,"
         "\"args\":{\"name\":\"processor %d\"}},\n"
         "{\"name\":\"thread_sort_index\",\"ph\":\"M\",\"pid\":0,\"tid\":%d,"
         "\"args\":{\"sort_index\":%d}},\n",
         processor, processor, processor, processor);
  return text;
}

std::string Trace::text(int processor, size_t from, size_t to,
                        int64_t origin) const {
  constexpr double Micro = 1e-3; // in nanoseconds
  std::string text;
  for (size_t k = from; k < to; ++k) {
    const Event &event = events[k];
    const Operation &operation = event.operation;
    const char *kind = zrt::text(operation.kind);
    double ts = static_cast<double>(event.start - origin) * Micro;
    double duration = static_cast<double>(event.duration) * Micro;
    text += "{\"name\":\"" + std::string(kind);
    if (operation.loc && operation.loc->line > 0)
      text += " " + escaped(operation.loc->file) + ":" +
              std::to_string(operation.loc->line);
    append(text,
           "\",\"cat\":\"%s\",\"ph\":\"X\",\"ts\":%.3f,\"dur\":%.3f,\"pid\":0,"
           "\"tid\":%d,\"args\":{",
           kind, ts, duration, processor);
    if (operation.kind == OperationKind::Transfer)
      append(text, "\"point\":\"%s\",", pointText(operation));
    if (operation.where)
      text += "\"domain\":\"" + escaped(operation.where) + "\",";
    append(text, "\"messages\":%" PRIu64 ",\"bytes\":%" PRIu64 "}},\n",
           event.messages, event.bytes);
    if (event.bytes != 0)
      append(text,
             "{\"name\":\"bytes sent by %d\",\"ph\":\"C\",\"ts\":%.3f,"
             "\"pid\":0,\"tid\":%d,\"args\":{\"bytes\":%" PRIu64 "}},\n",
             processor, ts + duration, processor, event.sent);
  }
  if (tooMany != 0 && to == events.size() && from < to) {
    const Event &last = events.back();
    append(text,
           "{\"name\":\"%" PRIu64 " operations after this were left out\","
           "\"ph\":\"i\",\"s\":\"t\",\"ts\":%.3f,\"pid\":0,\"tid\":%d},\n",
           tooMany,
           static_cast<double>(last.start + last.duration - origin) * Micro,
           processor);
  }
  return text;
}

std::string traceStart() {
  return "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n";
}

std::string traceEnd(const std::string &programName) {
  return "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":0,"
         "\"args\":{\"name\":\"" +
         escaped(programName.c_str()) + "\"}}\n]}\n";
}

} // namespace zrt
