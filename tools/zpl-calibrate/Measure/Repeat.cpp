//===- Repeat.cpp - One figure from many repeats --------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A machine that others use as well gives times of which most are too long and
// none is too short. So the least of many is the figure, as soon as it has been
// seen five times within 1 %: 8 repeats on a quiet machine, up to some
// hundreds on a busy one, within a budget of time. What is short is done often
// enough for a repeat of 50 us: a clock that is read takes 30 ns of it.
//
//===----------------------------------------------------------------------===//

#include "Measure/Repeat.h"
#include <algorithm>
#include <chrono>

using namespace llvm;

namespace calibrate {

static constexpr size_t Agreeing = 5;  ///< of the least ones
static constexpr double Within = 1.01; ///< of each other
static constexpr size_t Fewest = 8, Most = 2000;
static constexpr double LeastSeconds = 50e-6; ///< of a repeat

double now() {
  std::chrono::duration<double> time =
      std::chrono::steady_clock::now().time_since_epoch();
  return time.count();
}

zpl::Measurement repeat(const Session &session, StringRef unit,
                        function_ref<double()> once) {
  double end = now() + session.quick(0.002, 0.15);
  std::vector<double> times;
  while (times.size() < Most) {
    double time = once();
    times.insert(std::upper_bound(times.begin(), times.end(), time), time);
    bool agree =
        times.size() >= Fewest && times[Agreeing - 1] <= times.front() * Within;
    if (agree || (now() >= end && times.size() >= session.quick<size_t>(1, 3)))
      break;
  }
  double least = times.front(), median = times[times.size() / 2];
  return {least, least > 0 ? median / least - 1 : 0, unit.str(),
          int64_t(times.size())};
}

zpl::Measurement repeatMany(const Session &session, StringRef unit,
                            function_ref<void(int64_t)> work) {
  int64_t count = 1;
  while (true) {
    double start = now();
    work(count);
    double seconds = now() - start;
    if (seconds >= LeastSeconds || count > (int64_t(1) << 40))
      break;
    count *= seconds < LeastSeconds / 8 ? 8 : 2;
  }
  return repeat(session, unit, [&] {
    double start = now();
    work(count);
    return (now() - start) / double(count);
  });
}

void record(Session &session, StringRef name,
            const zpl::Measurement &measurement) {
  session.machine.measurements[name.str()] = measurement;
}

} // namespace calibrate
