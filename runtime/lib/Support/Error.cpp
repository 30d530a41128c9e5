//===- Error.cpp - How the runtime reports errors -------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One message per run, whoever finds the error. On four processors the read
/// beyond A in line 12 is seen by all four, and prints
///
///     jacobi: jacobi.z:12:7: error: A@east reads column 11 of 1..10
///
/// The way of a report:
///  1. Ask the transport who speaks. The others end here, silently.
///  2. Write out what the program has printed so far, so that the message
///     stands after it.
///  3. Compose the message and hand it to the kernel in one write, so that
///     two runs on one terminal do not mix within a line.
///  4. What else is known of the run (its profile) follows it.
///  5. End all processors.
/// An error while reporting (the pipe that step 2 writes to is broken) skips
/// steps 1 and 2 the second time, so it cannot recurse.
///
//===----------------------------------------------------------------------===//

#include "Error.h"

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <string>
#include <unistd.h>

using namespace zrt;

namespace {

/// The context in use. Errors come from everywhere, so this is the one piece
/// of state that is not handed down.
ErrorContext current;

/// Of a library of ZPL.
ErrorTaker *taker = nullptr;

void append(std::string &text, const char *format, va_list arguments) {
  char piece[1024];
  va_list again;
  va_copy(again, arguments);
  int length = vsnprintf(piece, sizeof piece, format, arguments);
  if (length >= static_cast<int>(sizeof piece)) {
    size_t start = text.size();
    text.resize(start + length + 1);
    vsnprintf(text.data() + start, length + 1, format, again);
    text.pop_back();
  } else if (length > 0) {
    text.append(piece, length);
  }
  va_end(again);
}

/// `prog: file.z:12:7: ` or, without a location, `prog: `.
std::string prefix(const zrt_loc *loc) {
  std::string text = current.programName;
  text += ": ";
  if (loc) {
    text += loc->file;
    text += ':' + std::to_string(loc->line);
    text += ':' + std::to_string(loc->column) + ": ";
  }
  return text;
}

std::string errorText(const zrt_loc *loc, const char *format,
                      va_list arguments) {
  std::string text = prefix(loc) + "error: ";
  append(text, format, arguments);
  return text;
}

/// ` [rank 3 of 8]`, or nothing on one processor.
std::string rankText() {
  if (current.size == 1)
    return "";
  return " [rank " + std::to_string(current.rank) + " of " +
         std::to_string(current.size) + "]";
}

/// True if this processor is to write the message; what was printed before is
/// out then.
bool claimsReport(bool replicated) {
  if (current.claimReport && !current.claimReport(replicated))
    return false;
  current.claimReport = nullptr; // An error while reporting speaks instead.
  if (void (*flush)() = current.flushOutput) {
    current.flushOutput = nullptr;
    flush();
  }
  return true;
}

void tellMore() {
  if (void (*tell)() = current.afterReport) {
    current.afterReport = nullptr;
    tell();
  }
}

[[noreturn]] void endRun(int status) {
  if (current.abortRun)
    current.abortRun(status);
  _exit(status);
}

} // namespace

void zrt::setErrorContext(const ErrorContext &context) { current = context; }

const char *zrt::errorProgramName() { return current.programName; }

void zrt::setErrorTaker(ErrorTaker *wanted) { taker = wanted; }

void zrt::offerError(std::string_view message, bool replicated, int status) {
  if (taker)
    taker(message, replicated, status);
}

void zrt::fatal(const zrt_loc *loc, ErrorScope scope, const char *format, ...) {
  bool replicated = scope == ErrorScope::Replicated;
  if (taker) {
    va_list arguments;
    va_start(arguments, format);
    offerError(errorText(loc, format, arguments) +
                   (replicated ? "" : rankText()) + '\n',
               replicated, 1);
    va_end(arguments);
  }
  if (claimsReport(replicated)) {
    va_list arguments;
    va_start(arguments, format);
    std::string text = errorText(loc, format, arguments);
    va_end(arguments);
    writeError(text + (replicated ? "" : rankText()) + '\n');
    tellMore();
  }
  endRun(1);
}

void zrt::fatalText(std::string_view message) {
  offerError(message, /*replicated=*/true, 1);
  if (claimsReport(/*replicated=*/true)) {
    writeError(message);
    tellMore();
  }
  endRun(1);
}

void zrt::writeError(std::string_view text) {
  while (!text.empty()) {
    ssize_t n = write(STDERR_FILENO, text.data(), text.size());
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return; // Nobody left to tell.
    text.remove_prefix(static_cast<size_t>(n));
  }
}

void zrt::usageError(const char *format, ...) {
  if (taker) {
    va_list arguments;
    va_start(arguments, format);
    offerError(errorText(nullptr, format, arguments) + '\n', true, 2);
    va_end(arguments);
  }
  if (claimsReport(true)) {
    va_list arguments;
    va_start(arguments, format);
    std::string text = errorText(nullptr, format, arguments);
    va_end(arguments);
    writeError(text + '\n');
  }
  endRun(2);
}

void zrt::printError(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  std::string text = errorText(nullptr, format, arguments);
  va_end(arguments);
  writeError(text + '\n');
}

void zrt::printWarning(const zrt_loc *loc, const char *format, ...) {
  std::string text = prefix(loc) + "warning: ";
  va_list arguments;
  va_start(arguments, format);
  append(text, format, arguments);
  va_end(arguments);
  writeError(text + '\n');
}

void zrt::internalError(const char *file, int line, const char *condition) {
  const char *slash = strrchr(file, '/');
  std::string text = prefix(nullptr) + "internal error: ";
  text += slash ? slash + 1 : file;
  text += ':' + std::to_string(line) + ": this does not hold: " + condition;
  text += rankText() + '\n';
  offerError(text, /*replicated=*/false, 1);
  if (claimsReport(false))
    writeError(text);
  endRun(1);
}
