//===- WindowPlan.cpp - Which elements windows have -----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     B := A#[P] + A#[Q]     becomes a loop over B that reads A through a window
//
// A gather would store what it brings, for a loop that reads it once. Here only
// elements of other processors are brought, each once however many indices and
// maps name it, behind each other into a buffer, the ghosts. The window W of A
// has its own elements in row 0 and the ghosts in row 1, at negative positions:
//
//     A over [1..8], two processors, P = 1 7 3 7 and Q = 8 1 1 1 on the first
//
//     ghosts    A[7] A[8] (nothing)
//     of P      0 -3 2 -3       A[1] is W[0, 0], A[7] is W[1, -3]
//     of Q      -2 0 0 0
//
// Global indices are translated once, by the inspector; the loop has no search,
// and its only question, whether a position is negative, is no branch. Own
// positions count elements in row-major order as schedules do, and so fit all
// arrays of these owners.
//
// Inspector: as that of a gather (GatherSchedule.cpp), for all maps together.
// Where `A#[P] := e` stores through a window the last source of an element
// counts. On one processor that is the one that the loop stores last; of several
// the owner hears, once, of each one's last place, and takes the greatest.
//
// What is done by the plan is in Windows.cpp: one message to each partner,
// whatever the number of maps, or for sums accumulators in place of the ghosts,
// which go to the owners behind the loop.
//
// Memory: 4 bytes per index and map, 4 per element that is sent, the buffers.
//
//===----------------------------------------------------------------------===//

#include "Remap/WindowPlan.h"

#include "Support/Error.h"

#include <algorithm>
#include <limits>

namespace zrt {

void WindowPlan::inspect(const Reference &reference, size_t number) {
  const RemapDomain &domain = reference.domain;
  if (domain.partSize() > std::numeric_limits<int32_t>::max() ||
      reference.source.mostElements() > std::numeric_limits<int32_t>::max())
    fatal(nullptr, ErrorScope::Local,
          "a remap has more than 2147483647 indices on one processor");
  // What the mask excludes has the place behind the ghosts.
  std::vector<int32_t> &list = positions[number];
  list.assign(static_cast<size_t>(domain.partSize()), -1);
  int self = domain.parallel.transport.rank();
  Strips strips(domain);
  Strip strip;
  int owners[Strip::Most];
  int64_t places[Strip::Most];
  while (strips.next(strip)) {
    int64_t first = domain.numberOf(strip.at);
    int32_t *numbers = &list[static_cast<size_t>(first)];
    if (reference.source.areAllHere(strip)) {
      reference.source.findPlacesHere(strip, places);
      for (int64_t k = 0; k < strip.count; ++k)
        numbers[strip.along[k]] = static_cast<int32_t>(places[k]);
      continue;
    }
    reference.source.find(strip, owners, places);
    for (int64_t k = 0; k < strip.count; ++k) {
      auto owner = static_cast<size_t>(owners[k]);
      if (owners[k] == self) {
        numbers[strip.along[k]] = static_cast<int32_t>(places[k]);
      } else {
        wanted[owner].push_back(places[k]);
        wants[owner].push_back({number, first + strip.along[k]});
      }
    }
  }
}

void WindowPlan::inspect(const std::vector<Reference> &references) {
  const RemapDomain &domain = references.front().domain;
  Transport &transport = domain.parallel.transport;
  last.reset();
  auto size = static_cast<size_t>(transport.size());
  positions.resize(references.size());
  wanted.resize(size);
  wants.resize(size);
  for (size_t k = 0; k < references.size(); ++k)
    inspect(references[k], k);
  std::vector<std::vector<int64_t>> requests(size);
  std::vector<std::vector<int32_t>> places(size);
  std::vector<int64_t> out(size), in(size);
  int64_t all = 0;
  for (size_t p = 0; p < size; ++p) {
    requests[p] = numbered(wanted[p], all, places[p]);
    in[p] = static_cast<int64_t>(requests[p].size());
    all += in[p];
  }
  for (size_t p = 0; p < size; ++p)
    for (size_t k = 0; k < places[p].size(); ++k) {
      const Want &want = wants[p][k];
      positions[want.reference][static_cast<size_t>(want.index)] =
          static_cast<int32_t>(places[p][k] - all - 1);
    }
  wanted = {};
  wants = {};
  requests = exchangeNumbers(transport, requests, domain.isLarge());
  sent.clear();
  for (size_t p = 0; p < size; ++p) {
    out[p] = static_cast<int64_t>(requests[p].size());
    for (int64_t place : requests[p])
      sent.push_back(static_cast<int32_t>(place));
  }
  sends = std::move(out);
  receives = std::move(in);
  allReceives = all;
}

/// For each own element the place, in the region, of its last source of this
/// processor, -1: it has none; \p ghosts: for each element of others.
std::vector<int64_t>
WindowPlan::lastSources(const Reference &reference,
                        std::vector<int64_t> &ghosts) const {
  const RemapDomain &domain = reference.domain;
  int self = domain.parallel.transport.rank();
  std::vector<int64_t> own(
      static_cast<size_t>(reference.source.elementsOf(self)), -1);
  ghosts.assign(static_cast<size_t>(allReceives), -1);
  const std::vector<int32_t> &named = positions.front();
  int64_t step = domain.placeStep();
  Strips strips(domain);
  Strip strip;
  while (strips.next(strip)) {
    int64_t first = domain.numberOf(strip.at);
    int64_t place = domain.placeOf(strip.at);
    for (int64_t k = 0; k < strip.count; ++k) {
      int64_t at = named[static_cast<size_t>(first + strip.along[k])];
      int64_t &known = at < 0
                           ? ghosts[static_cast<size_t>(allReceives + 1 + at)]
                           : own[static_cast<size_t>(at)];
      known = std::max(known, domain.placeIn(strip, k, place, step));
    }
  }
  return own;
}

/// The owner hears of the last source that each processor has of an element.
const WindowPlan::Stores &WindowPlan::stores(const Reference &reference) {
  if (last)
    return *last;
  last.emplace();
  Transport &transport = reference.domain.parallel.transport;
  std::vector<int64_t> ghosts;
  std::vector<int64_t> own = lastSources(reference, ghosts);
  std::vector<std::vector<int64_t>> told;
  auto next = ghosts.begin();
  for (int64_t count : receives) {
    told.emplace_back(next, next + count);
    next += count;
  }
  told = exchangeNumbers(transport, told, reference.domain.isLarge());
  auto forEach = [&](auto &&f) {
    size_t arrival = 0;
    for (const std::vector<int64_t> &list : told)
      for (int64_t source : list) {
        f(source, own[static_cast<size_t>(sent[arrival])], arrival);
        ++arrival;
      }
  };
  const std::vector<int64_t> mine = own;
  forEach([](int64_t source, int64_t &known, size_t) {
    known = std::max(known, source);
  });
  forEach([&](int64_t source, int64_t known, size_t arrival) {
    int32_t element = sent[arrival];
    if (source != known || source == mine[static_cast<size_t>(element)])
      return;
    last->arrived.push_back(static_cast<int32_t>(arrival));
    last->elements.push_back(element);
  });
  return *last;
}

} // namespace zrt
