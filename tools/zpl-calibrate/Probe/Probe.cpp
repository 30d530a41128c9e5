//===- Probe.cpp - What transports and collectives take -------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     zpl-probe TRANSPORT PROCESSORS REQUESTS SECONDS
//
// Measures every line of the file REQUESTS, with at most SECONDS for each, and
// prints "number value spread repeats" for it (-1: this cannot be done); last of
// all "end". zpl-calibrate starts it, in the way in which programs start, so
// transports, launchers and plug-ins are those of programs. Requests:
//
//     message B           from one processor to another, one way
//     send B, receive B   their own work for it: the partner is ready before
//     gap B               between two of many messages
//     column N, row N     what an exchange with a partner takes, of a boundary
//                         of N doubles that lie apart, or side by side
//     limit               bytes that Transport::gather takes
//     reduce A B, broadcast A B, allgather A B, barrier A 0    by algorithm A
//
// All processors read the same file and repeat as often as processor 0 says.
// The value is the least one: others on the machine only add to it. With more
// processes than processors it is the median: taking turns belongs to the cost,
// and now and then a repeat gets by without. That of a collective is the time of
// the last processor.
//
//===----------------------------------------------------------------------===//

#include "Collective/Algorithms.h"
#include "Collective/Collective.h"
#include "Support/Clock.h"
#include "Transport/Launch.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

using namespace zrt;

namespace {

/// A line of the file.
struct Request {
  std::string kind, algorithm;
  size_t amount = 0; ///< bytes or elements
};

/// What came of one.
struct Result {
  double value = -1, spread = 0;
  size_t repeats = 0;
};

/// The run, as this processor sees it.
struct Probe {
  Transport &transport;
  Slice all;
  double seconds; ///< for each request
  std::vector<char> room;
  bool isFirst() const { return transport.rank() == 0; }
  bool isPartner() const { return transport.rank() == 1; }
};

std::vector<Request> readRequests(const char *file) {
  std::vector<Request> requests;
  std::ifstream lines(file);
  for (std::string kind; lines >> kind;) {
    Request request = {kind, "", 0};
    if (kind == "reduce" || kind == "broadcast" || kind == "allgather" ||
        kind == "barrier")
      lines >> request.algorithm;
    if (kind != "limit")
      lines >> request.amount;
    requests.push_back(request);
  }
  return requests;
}

/// Repeats \p once, which all processors call and which gives the seconds of
/// one unit on each of them, until the least ones agree or the time is over.
Result repeat(Probe &probe, const std::function<double()> &once) {
  std::vector<double> times;
  bool isCrowd = probe.transport.size() > sysconf(_SC_NPROCESSORS_ONLN);
  double begin = monotonicSeconds();
  for (bool goesOn = true; goesOn;) {
    barrier(probe.transport);
    double time = once();
    reduce(probe.transport, &time, ZRT_F64, ZRT_MAX);
    times.insert(std::upper_bound(times.begin(), times.end(), time), time);
    bool agree = !isCrowd && times.size() >= 8 && times[4] <= times[0] * 1.01;
    goesOn = !agree && monotonicSeconds() - begin < probe.seconds;
    broadcast(probe.transport, &goesOn, sizeof goesOn);
  }
  double least = times.front(), median = times[times.size() / 2];
  return {isCrowd ? median : least, least > 0 ? median / least - 1 : 0,
          times.size()};
}

/// How often short work is done between two readings of the clock.
int batchFor(size_t bytes) {
  return bytes < 4096 ? 64 : bytes < 262144 ? 8 : 2;
}

/// Half of the time to a partner and back.
Result message(Probe &probe, size_t bytes) {
  int batch = batchFor(bytes);
  return repeat(probe, [&] {
    double start = monotonicSeconds();
    for (int k = 0; k < batch; ++k)
      if (probe.isFirst()) {
        probe.transport.send(1, probe.room.data(), bytes);
        probe.transport.receive(1, probe.room.data(), bytes);
      } else if (probe.isPartner()) {
        probe.transport.receive(0, probe.room.data(), bytes);
        probe.transport.send(0, probe.room.data(), bytes);
      }
    return probe.isFirst() ? (monotonicSeconds() - start) / (2 * batch) : 0;
  });
}

/// Waits without calling the transport.
void spin(double seconds) {
  double start = monotonicSeconds();
  while (monotonicSeconds() - start < seconds) {
  }
}

/// The work of the sender, or the receiver, for a message whose partner waits,
/// or has sent before.
Result ownWork(Probe &probe, size_t bytes, bool isSend) {
  constexpr int Batch = 8;
  constexpr double Head = 100e-6; ///< the partner's lead
  return repeat(probe, [&] {
    double time = 0;
    if (probe.isFirst()) {
      if (isSend)
        spin(Head);
      double start = monotonicSeconds();
      for (int k = 0; k < Batch; ++k)
        probe.transport.send(1, probe.room.data(), bytes);
      time = isSend ? monotonicSeconds() - start : 0;
    } else if (probe.isPartner()) {
      if (!isSend)
        spin(Head);
      double start = monotonicSeconds();
      for (int k = 0; k < Batch; ++k)
        probe.transport.receive(0, probe.room.data(), bytes);
      time = isSend ? 0 : monotonicSeconds() - start;
    }
    return time / Batch;
  });
}

/// Between two messages of many: the difference of a long and a short burst.
Result gap(Probe &probe, size_t bytes) {
  constexpr int Few = 16, Many = 80;
  auto burst = [&](int count) {
    double start = monotonicSeconds();
    for (int k = 0; k < count; ++k)
      if (probe.isFirst())
        probe.transport.send(1, probe.room.data(), bytes);
      else if (probe.isPartner())
        probe.transport.receive(0, probe.room.data(), bytes);
    char answer = 0;
    if (probe.isFirst())
      probe.transport.receive(1, &answer, 1);
    else if (probe.isPartner())
      probe.transport.send(0, &answer, 1);
    return probe.isFirst() ? monotonicSeconds() - start : 0;
  };
  Result few = repeat(probe, [&] { return burst(Few); });
  Result many = repeat(probe, [&] { return burst(Many); });
  many.value = std::max(0.0, many.value - few.value) / (Many - Few);
  return many;
}

/// Both partners send a boundary to each other, through the four points.
Result boundary(Probe &probe, size_t count, bool isColumn) {
  constexpr size_t Pitch = 1024; ///< bytes between elements of a column
  size_t step = isColumn ? Pitch : sizeof(double);
  size_t bytes = 2 * count * step + 2 * Pitch;
  char *array = static_cast<char *>(probe.transport.allocate(bytes));
  if (!array)
    return {};
  std::vector<Pair> pairs;
  if (probe.isFirst() || probe.isPartner()) {
    auto block = [&](size_t at) {
      MemoryBlock result;
      result.base = array + at;
      result.elementSize = sizeof(double);
      result.rank = 1;
      result.count[0] = int64_t(count);
      result.stride[0] = int64_t(step);
      return result;
    };
    size_t ghosts = isColumn ? 64 : count * step + Pitch;
    pairs.push_back({probe.isFirst() ? 1 : 0, {block(0)}, {block(ghosts)}});
  }
  auto exchange = probe.transport.makeExchange(std::move(pairs));
  int batch = batchFor(count * sizeof(double));
  Result result = repeat(probe, [&] {
    double start = monotonicSeconds();
    if (probe.transport.rank() < 2)
      for (int k = 0; k < batch; ++k) {
        exchange->destinationReady();
        exchange->sourceReady();
        exchange->destinationNeeded();
        exchange->sourceVolatile();
      }
    return (monotonicSeconds() - start) / batch;
  });
  barrier(probe.transport);
  exchange.reset();
  probe.transport.release(array, bytes);
  return result;
}

/// One of the algorithms of Collectives.def.
Result collective(Probe &probe, const Request &request) {
  size_t members = size_t(probe.all.size());
  BuiltInReducer reducer(operatorTable(ZRT_F64, ZRT_MAX));
  std::vector<double> values(request.amount / sizeof(double) + 1, 1.0);
  std::vector<size_t> offsets;
  for (size_t m = 0; m <= members; ++m)
    offsets.push_back(m * (request.amount / members));
  Job job = {probe.transport, probe.all,
             reinterpret_cast<char *>(values.data()), request.amount};
  job.reducer = &reducer;
  job.offsets = offsets.data();
  if (request.kind == "allgather")
    job.bytes = offsets.back();
  for (const Algorithm &algorithm : algorithmTable()) {
    if (request.kind != text(algorithm.operation) ||
        request.algorithm != algorithm.name)
      continue;
    if (!std::isfinite(estimate(algorithm, job)))
      return {};
    int batch = probe.all.size() > 8 ? 2 : batchFor(request.amount) / 2 + 1;
    return repeat(probe, [&] {
      double start = monotonicSeconds();
      for (int k = 0; k < batch; ++k)
        algorithm.run(job);
      return (monotonicSeconds() - start) / batch;
    });
  }
  return {};
}

Result measure(Probe &probe, const Request &request) {
  probe.room.resize(std::max(probe.room.size(), request.amount + 64));
  if (request.kind == "limit")
    return {double(probe.transport.gatherLimit(probe.all.size())), 0, 1};
  if (!request.algorithm.empty())
    return collective(probe, request);
  if (probe.transport.size() < 2)
    return {};
  if (request.kind == "message")
    return message(probe, request.amount);
  if (request.kind == "send" || request.kind == "receive")
    return ownWork(probe, request.amount, request.kind == "send");
  if (request.kind == "gap")
    return gap(probe, request.amount);
  if (request.kind == "column" || request.kind == "row")
    return boundary(probe, request.amount, request.kind == "column");
  return {};
}

/// The folder of plug-ins: beside this program.
std::string pluginFolder() {
  char path[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  std::string program(path, size_t(std::max<ssize_t>(length, 0)));
  return program.substr(0, program.rfind('/')) + "/plugins";
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 5) {
    std::fprintf(stderr,
                 "usage: zpl-probe TRANSPORT PROCESSORS REQUESTS SECONDS\n");
    return 2;
  }
  LaunchOptions options;
  std::string folder = pluginFolder();
  options.pluginDir = folder.c_str();
  options.transport = argv[1];
  options.processors = std::atoi(argv[2]);
  options.arguments = argv;
  std::vector<Request> requests = readRequests(argv[3]);
  std::unique_ptr<Transport> transport = launch(options);
  Probe probe = {*transport, everybody(*transport), std::atof(argv[4]), {}};
  for (size_t number = 0; number < requests.size(); ++number) {
    Result result = measure(probe, requests[number]);
    if (probe.isFirst()) {
      std::printf("%zu %.9g %.3g %zu\n", number, result.value, result.spread,
                  result.repeats);
      std::fflush(stdout);
    }
  }
  if (probe.isFirst())
    std::printf("end\n");
  std::fflush(stdout);
  barrier(*transport);
  transport->finish();
}
