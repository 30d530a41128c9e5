//===- Memory.cpp - Sweeps through memory ---------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reading, filling, copying and adding arrays, by how many bytes they have
// together. A sweep over more than a cache misses it for every line, since
// lines go in the order in which they came: the time jumps near the size of each
// cache. Where that is, is found from the samples (Breaks.h); what others on the
// machine leave of a cache is not its size.
//
// Stores past the caches are alternatives to ordinary ones.
//
//===----------------------------------------------------------------------===//

#include "Kernels/Kernels.h"
#include "Measure/Groups.h"
#include "Measure/Repeat.h"
#include "Measure/Room.h"
#include "Measure/Ways.h"
#include "zpl/Cost/Search.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;

namespace calibrate {

/// As many bytes as the largest sweep has.
static double mostBytes(const Session &session) {
  double last = cacheSizes(session).back();
  return session.quick(std::min(last, double(4 << 20)),
                       std::min(4 * last, double(512 << 20)));
}

namespace {

/// A sweep over arrays of n elements each; `room` has all of them.
using Sweep = void (*)(const Kernels &k, double *room, size_t n);

struct SweepWay {
  const char *group, *name;
  unsigned arrays;
  Sweep sweep;
};

} // namespace

static const SweepWay Sweeps[] = {
    {"memory", "read", 1,
     [](const Kernels &k, double *a, size_t n) { keep(k.read(a, n)); }},
    {"memory", "read4", 4,
     [](const Kernels &k, double *a, size_t n) {
       keep(k.readStreams(a, n, 4, n + 64));
     }},
    {"memory", "read12", 12,
     [](const Kernels &k, double *a, size_t n) {
       keep(k.readStreams(a, n, 12, n + 64));
     }},
    {"memory", "triad", 3,
     [](const Kernels &k, double *a, size_t n) {
       k.triad(a, a + n + 64, a + 2 * (n + 64), n, 0);
     }},
    {"stores", "fill/ordinary", 1,
     [](const Kernels &k, double *a, size_t n) { k.fill(a, n); }},
    {"stores", "fill/streamed", 1,
     [](const Kernels &k, double *a, size_t n) { k.fillStreamed(a, n); }},
    {"stores", "copy/ordinary", 2,
     [](const Kernels &k, double *a, size_t n) { k.copy(a, a + n + 64, n); }},
    {"stores", "copy/streamed", 2, [](const Kernels &k, double *a, size_t n) {
       k.copyStreamed(a, a + n + 64, n);
     }}};

/// The time of one sweep over arrays of \p bytes in all.
static zpl::Measurement timeOfSweep(const Session &session, const SweepWay &way,
                                    double *room, double bytes) {
  static const Kernels kernels = availableKernels().back();
  auto elements = size_t(bytes / sizeof(double) / way.arrays);
  size_t n = std::max<size_t>(64, elements / 64 * 64);
  double share = bytes / (double(n) * sizeof(double) * way.arrays);
  zpl::Measurement measured = repeatMany(session, "s", [&](int64_t times) {
    for (int64_t t = 0; t < times; ++t)
      way.sweep(kernels, room, n);
  });
  measured.value *= share; // arrays are rounded to 512 bytes
  return measured;
}

std::vector<Way> memoryWays(Session &session) {
  std::vector<Way> ways;
  for (const SweepWay &sweep : Sweeps) {
    Way way;
    way.group = sweep.group;
    way.model = modelOf(sweep.name, {"bytes"}, {"1", "bytes"});
    way.domains = {{{}, 8192.0 * sweep.arrays, mostBytes(session)}};
    way.measure = [&sweep](Session &session, ArrayRef<Point> points) {
      Room room(size_t(mostBytes(session)) + (size_t(1) << 20));
      std::vector<zpl::Measurement> measured;
      if (room.data())
        for (const Point &point : points)
          measured.push_back(
              timeOfSweep(session, sweep, room.data(), point[0]));
      return measured;
    };
    ways.push_back(std::move(way));
  }
  return ways;
}

void measureStores(Session &session) {
  // The size from which copies past the caches are faster on average.
  const zpl::ModelSet &models = session.machine.models;
  double most = mostBytes(session);
  auto gain = [&](int64_t bytes) {
    return models.predict("copy/streamed", {double(bytes)}).cost -
           models.predict("copy/ordinary", {double(bytes)}).cost;
  };
  if (!models.find("copy/streamed") || !models.find("copy/ordinary"))
    return;
  auto least = int64_t(cacheSizes(session)[1]);
  int64_t from = zpl::integerRoot(least, int64_t(most), gain);
  bool isNever = gain(int64_t(most)) >= 0;
  record(session, "stores.streamed.from",
         {isNever ? 9e15 : double(std::max(from, least)), 0, "B", 1});
}

void measurePrefetch(Session &session) {
  Kernels kernels = availableKernels().back();
  double most = mostBytes(session);
  Room room(size_t(most) + (size_t(1) << 20));
  size_t n = size_t(most / 3 / sizeof(double)) / 64 * 64 - 64;
  if (!room.data())
    return;
  double *a = room.data(), *b = a + n + 64, *c = b + n + 64;
  double plain = 0, best = 0, bestAhead = 0;
  int done = 0;
  for (size_t bytes : {0, 256, 512, 1024, 2048, 3072, 4096, 8192}) {
    session.progress.show(done++ / 8.0);
    // The end asks for what lies behind it, which is no fault.
    zpl::Measurement measured = repeat(session, "s/B", [&] {
      double start = now();
      kernels.triad(a, b, c, n, bytes / sizeof(double));
      return (now() - start) / (3.0 * sizeof(double) * double(n));
    });
    record(session, "prefetch.ahead." + std::to_string(bytes), measured);
    if (bytes == 0)
      plain = best = measured.value;
    else if (measured.value < best) {
      best = measured.value;
      bestAhead = double(bytes);
    }
  }
  // Less than 2 % is noise, and prefetches cost instructions.
  record(session, "prefetch.best",
         {best < 0.98 * plain ? bestAhead : 0, 0, "B", 1});
}

void measurePages(Session &session) {
  size_t bytes = session.quick(size_t(8) << 20, size_t(128) << 20);
  struct {
    const char *name;
    Pages pages;
  } const kinds[] = {
      {"usual", Pages::Usual}, {"small", Pages::Small}, {"huge", Pages::Huge}};
  int done = 0;
  for (const auto &kind : kinds) {
    session.progress.show(done++ / 3.0);
    std::string name = std::string("pages.") + kind.name;
    record(session, name + ".touch", repeat(session, "s/B", [&] {
             Room room(bytes, kind.pages, /*isTouched=*/false);
             double start = now();
             for (size_t at = 0; at < bytes; at += 4096)
               reinterpret_cast<volatile char *>(room.data())[at] = 1;
             return (now() - start) / double(bytes);
           }));
    Room room(bytes, kind.pages);
    // A column: a line of every page, which small pages need many entries for.
    size_t rows = bytes / 4096;
    record(session, name + ".column", repeatMany(session, "s", [&](int64_t n) {
             double sum = 0;
             for (int64_t t = 0; t < n; ++t)
               for (size_t row = 0; row < rows; ++row)
                 sum += room.data()[row * 512 + size_t(t) % 64 * 8];
             keep(sum);
           }));
    session.machine.measurements[name + ".column"].value /= double(rows);
    session.machine.measurements[name + ".column"].unit = "s/element";
  }
}

} // namespace calibrate
