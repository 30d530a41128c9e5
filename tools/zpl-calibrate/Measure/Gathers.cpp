//===- Gathers.cpp - Loads at random --------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two times for loads whose addresses no prefetcher guesses, by the size of
// what they go to: `load`, where each address comes out of the load before, and
// `gather`, where they stand in an array, as in a remap. In a set of so many
// bytes, 1 - cache / bytes of the loads miss a cache: the terms.
//
//===----------------------------------------------------------------------===//

#include "Kernels/Kernels.h"
#include "Measure/Repeat.h"
#include "Measure/Room.h"
#include "Measure/Ways.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace llvm;

namespace calibrate {

static double mostRandomBytes(const Session &session) {
  return session.quick(double(2 << 20), std::min(4 * cacheSizes(session).back(),
                                                 double(256 << 20)));
}

static std::vector<std::string> missTerms(const Session &session) {
  std::vector<std::string> terms = {"1", "log2(bytes)"};
  for (double cache : cacheSizes(session)) {
    std::string size = std::to_string(int64_t(cache));
    terms.push_back("max(0, 1 - " + size + " / bytes)");
    terms.push_back("bytes > " + size);
  }
  return terms;
}

/// A circle through all lines of a set, in an order by chance.
static void makeCircle(Session &session, double *room, size_t lines) {
  std::vector<uint32_t> order(lines);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), session.random);
  auto *links = reinterpret_cast<uint64_t *>(room);
  for (size_t k = 0; k < lines; ++k)
    links[order[k] * size_t(8)] = order[(k + 1) % lines] * uint64_t(8);
}

static zpl::Measurement timeOfLoad(Session &session, double *room,
                                   double bytes) {
  size_t lines = std::max<size_t>(16, size_t(bytes) / 64);
  makeCircle(session, room, lines);
  const auto *links = reinterpret_cast<const uint64_t *>(room);
  uint64_t at = 0;
  auto measured = repeatMany(session, "s", [&](int64_t times) {
    for (int64_t t = 0; t < times; ++t)
      at = links[at];
  });
  keep(double(at));
  return measured;
}

static zpl::Measurement timeOfGather(Session &session, const Kernels &kernels,
                                     double *room, double bytes) {
  // As many as keep the indices from being a stream of their own in the cache
  // of the last level, and fewer for small sets.
  size_t elements = std::max<size_t>(64, size_t(bytes) / sizeof(double));
  size_t count = std::min<size_t>(size_t(1) << 16, elements) / 64 * 64;
  std::vector<int32_t> indices(count);
  for (int32_t &index : indices)
    index = int32_t(session.random() % elements);
  auto measured = repeatMany(session, "s", [&](int64_t times) {
    for (int64_t t = 0; t < times; ++t)
      keep(kernels.gather(room, indices.data(), count));
  });
  measured.value /= double(count);
  return measured;
}

std::vector<Way> gatherWays(Session &session) {
  std::vector<Way> ways;
  auto add = [&](const std::string &name, auto time) {
    Way way;
    way.group = "gathers";
    way.model = modelOf(name, {"bytes"}, missTerms(session));
    way.domains = {{{}, 4096, mostRandomBytes(session)}};
    way.measure = [time](Session &session, ArrayRef<Point> points) {
      Room room(size_t(mostRandomBytes(session)) + 4096);
      std::vector<zpl::Measurement> measured;
      if (room.data())
        for (const Point &point : points)
          measured.push_back(time(session, room.data(), point[0]));
      return measured;
    };
    ways.push_back(std::move(way));
  };
  add("load", [](Session &session, double *room, double bytes) {
    return timeOfLoad(session, room, bytes);
  });
  for (const Kernels &kernels : availableKernels())
    add("gather/" + std::to_string(kernels.bits),
        [kernels](Session &session, double *room, double bytes) {
          return timeOfGather(session, kernels, room, bytes);
        });
  return ways;
}

} // namespace calibrate
