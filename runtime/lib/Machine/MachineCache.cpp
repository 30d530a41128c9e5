//===- MachineCache.cpp - How large the caches are ------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// From which size on a result is better written past the caches: a loop reads
/// as much as it writes at least, and what it has written is read again beside
/// something else. So a quarter of the last cache, in equal shares. With 48 MB
/// of it, five points on squares of doubles were slower past the cache with
/// results of 8 MB (1.1 times), and faster with 11 MB (0.8).
///
/// A machine that does not tell counts as one with 32 MB. AMD's processors
/// never write past the caches: on an EPYC with AVX-512 (family 25, model 17)
/// it took 1.07 to 1.11 of the time of ordinary stores, medians of 7 and 15
/// runs of a stencil of 27 points on 256^3 and of one of five points on 4000^2.
///
/// And how many time steps of a stencil one sweep takes. Rows at hand should
/// fit the last cache but one, twice its size doing as well where they are
/// prefetched; more than four, or rows as long as planes of a cube, gain from a
/// part of the last one, too. Arrays that are in that themselves gain nothing.
/// The table of `bench/run steps` is in docs/Performance.md.
///
//===----------------------------------------------------------------------===//

#include "Machine/MachineCache.h"

#include "Machine/RunFigures.h"
#include "Support/Env.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <unistd.h>

static int64_t lastCache() {
  int64_t bytes = -1;
#ifdef _SC_LEVEL3_CACHE_SIZE
  bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
#endif
  return bytes > 0 ? bytes : int64_t(32) << 20;
}

/// The cache of one core, the last one but one.
static int64_t ownCache() {
  int64_t bytes = -1;
#ifdef _SC_LEVEL2_CACHE_SIZE
  bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
#endif
  return bytes > 0 ? bytes : int64_t(512) << 10;
}

static bool gainsByStreams() {
#if defined(__x86_64__) || defined(__i386__)
  return !__builtin_cpu_is("amd");
#else
  return true;
#endif
}

/// How many of the processors share this machine's last cache, as far as it
/// tells.
static int64_t sharers(int processors) {
  return std::min<int64_t>(processors,
                           std::max<int64_t>(sysconf(_SC_NPROCESSORS_ONLN), 1));
}

int64_t zrt::streamBytes(int processors) {
  if (std::optional<long> given = envNumber(EnvVariable::StreamBytes))
    return *given;
  const RunFigures &figures = runFigures();
  if (figures.streamFrom > 0)
    return int64_t(figures.streamFrom);
  if (!gainsByStreams())
    return INT64_MAX;
  return int64_t(double(lastCache()) * figures.streamShare) /
         sharers(processors);
}

zrt::Caches zrt::machineCaches(int processors) {
  return {lastCache() / sharers(processors), ownCache()};
}

int64_t zrt::timeSteps(int64_t rows, int64_t rowBytes,
                       const zrt_time_loop &loop, const Caches &caches,
                       bool isShared) {
  const RunFigures &figures = runFigures();
  const auto small = int64_t(figures.smallSteps);
  const auto shareOfLast = int64_t(double(caches.last) * figures.lastShare);
  const auto shareOfOwn = int64_t(double(caches.own) * figures.ownShare);
  if ((loop.swaps || isShared) &&
      double(rows) * double(rowBytes) < figures.smallBytes)
    return small;
  if (rows * rowBytes < shareOfLast)
    return isShared ? small : 1;
  auto bytesOf = [&](int64_t steps) {
    return (loop.in_flight + (steps - 1) * loop.lag) * rowBytes;
  };
  auto steps = int64_t(figures.mostSteps);
  while (steps > 4 && bytesOf(steps) > shareOfOwn)
    steps /= 2;
  while (steps > 1 && bytesOf(steps) > shareOfLast)
    steps /= 2;
  return steps;
}

int64_t zrt::stripSteps(int64_t rowBytes, int64_t rows,
                        const zrt_time_loop &loop, int32_t sweeps,
                        const Caches &caches) {
  const RunFigures &figures = runFigures();
  const auto shareOfLast = int64_t(double(caches.last) * figures.lastShare);
  if (rows * rowBytes <= (sweeps < 2 ? shareOfLast : caches.own))
    return 1;
  auto fitting = [&](int64_t steps, int64_t room) {
    while (steps > 1 &&
           ((steps - 1) * loop.lag + loop.in_flight) * rowBytes > room)
      steps /= 2;
    return steps;
  };
  int64_t steps = fitting(int64_t(figures.mostSteps),
                          int64_t(double(caches.own) * figures.stripShare));
  return rows * rowBytes > shareOfLast
             ? std::max(steps, fitting(4, shareOfLast))
             : steps;
}

int64_t zrt::stripRows(int64_t rowBytes, int64_t rows, int64_t behind,
                       const Caches &caches) {
  const auto first = int64_t(runFigures().stripBytes);
  if (rows * rowBytes <= 2 * first)
    return 0;
  int64_t fit = std::max<int64_t>(1, first / rowBytes);
  return (fit + behind) * rowBytes > std::max(caches.own, caches.last / 4)
             ? 0
             : std::min(fit, rows);
}
