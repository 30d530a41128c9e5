//===- GatherSchedule.cpp - Gathers that are repeated ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The inspector finds out once what depends on the maps alone (Koelbel,
// Mehrotra and Van Rosendale 1990); the executor then moves elements by lists,
// without a look at maps, owners or places.
//
// Two processors, A and B over [1..8], B := A#[I], to processor 0:
//
//     I            1 7 3 7     at the indices 1..4
//     localTo      0 2         localFrom 0 2
//     lateTo       1 3         lateFrom  0 0     A[7] travels once
//
// and to processor 1, which has been told that 0 wants its place 2:
//
//     sent         2
//
// Inspector: 1. go through the indices: what is here goes to the local lists,
//               what is not to a list of places per owner;
//            2. drop repetitions in each: what comes is numbered in order;
//            3. tell the owners, for whom that is what they send.
// Executor:  1. copy what is to be sent side by side, and let it go;
//            2. copy what is local meanwhile;
//            3. wait, and copy what has come.
//
// Cost of the inspector: that of a one-shot gather, and three looks into a table
// for what is remote, or, where that names few elements of a large range, a
// sort; of the executor: two numbers read per index. Memory: 8 bytes per index, 4 per
// element that is sent, and the buffers.
//
//===----------------------------------------------------------------------===//

#include "Remap/Schedule.h"

#include <algorithm>
#include <numeric>

namespace zrt {

void Schedule::setCounts(std::vector<int64_t> out, std::vector<int64_t> in) {
  couriers.clear();
  sends = std::move(out);
  receives = std::move(in);
  allSends = std::accumulate(sends.begin(), sends.end(), int64_t(0));
  allReceives = std::accumulate(receives.begin(), receives.end(), int64_t(0));
}

Courier &Schedule::courier(Transport &transport, int64_t spare, size_t size) {
  std::unique_ptr<Courier> &made = couriers[size];
  if (!made)
    made = std::make_unique<Courier>(transport, sends, receives, spare, size);
  return *made;
}

/// `numbered` by a table over all numbers from \p least on.
static std::vector<int64_t> numberedByTable(const std::vector<int64_t> &values,
                                            int64_t least, int64_t span,
                                            int64_t first,
                                            std::vector<int32_t> &places) {
  std::vector<int32_t> table(static_cast<size_t>(span), -1);
  for (int64_t value : values)
    table[static_cast<size_t>(value - least)] = 0;
  std::vector<int64_t> unique;
  for (int64_t k = 0; k < span; ++k)
    if (int32_t &number = table[static_cast<size_t>(k)]; number == 0) {
      number =
          static_cast<int32_t>(first + static_cast<int64_t>(unique.size()));
      unique.push_back(least + k);
    }
  for (int64_t value : values)
    places.push_back(table[static_cast<size_t>(value - least)]);
  return unique;
}

std::vector<int64_t> numbered(const std::vector<int64_t> &values, int64_t first,
                              std::vector<int32_t> &places) {
  if (values.empty())
    return {};
  auto [least, most] = std::minmax_element(values.begin(), values.end());
  int64_t span = *most - *least + 1;
  if (span <= 8 * static_cast<int64_t>(values.size()))
    return numberedByTable(values, *least, span, first, places);
  std::vector<int64_t> unique = values;
  std::sort(unique.begin(), unique.end());
  unique.erase(std::unique(unique.begin(), unique.end()), unique.end());
  for (int64_t value : values)
    places.push_back(static_cast<int32_t>(
        first + (std::lower_bound(unique.begin(), unique.end(), value) -
                 unique.begin())));
  return unique;
}

/// Calls \p f with the owner and the place of each element that the maps name,
/// and with the number of the index in this processor's part.
template <typename F>
static void forEachReference(const RemapDomain &domain,
                             const RemappedArray &array, F &&f) {
  Strips strips(domain);
  Strip strip;
  int owners[Strip::Most];
  int64_t places[Strip::Most];
  while (strips.next(strip)) {
    array.find(strip, owners, places);
    int64_t first = domain.numberOf(strip.at);
    for (int64_t k = 0; k < strip.count; ++k)
      f(owners[k], places[k], first + strip.along[k]);
  }
}

GatherSchedule::GatherSchedule(const RemapDomain &domain,
                               const RemappedArray &source) {
  Transport &transport = domain.parallel.transport;
  auto size = static_cast<size_t>(transport.size());
  std::vector<std::vector<int64_t>> wanted(size), requests(size);
  std::vector<std::vector<int32_t>> targets(size);
  int self = transport.rank();
  forEachReference(domain, source,
                   [&](int owner, int64_t place, int64_t index) {
                     if (owner == self) {
                       localTo.push(index);
                       localFrom.push(place);
                     } else {
                       wanted[static_cast<size_t>(owner)].push_back(place);
                       targets[static_cast<size_t>(owner)].push_back(
                           static_cast<int32_t>(index));
                     }
                   });
  std::vector<int64_t> out(size), in(size);
  int64_t first = 0;
  for (size_t p = 0; p < size; ++p) {
    requests[p] = numbered(wanted[p], first, lateFrom);
    lateTo.numbers.insert(lateTo.numbers.end(), targets[p].begin(),
                          targets[p].end());
    in[p] = static_cast<int64_t>(requests[p].size());
    first += in[p];
  }
  requests = exchangeNumbers(transport, requests, domain.isLarge());
  for (size_t p = 0; p < size; ++p) {
    out[p] = static_cast<int64_t>(requests[p].size());
    for (int64_t place : requests[p])
      sent.push(place);
  }
  setCounts(std::move(out), std::move(in));
}

void GatherSchedule::run(Transport &transport, const RemapDomain &domain,
                         zrt_array &result, const RemappedArray &source) {
  auto size = static_cast<size_t>(result.type->size);
  Numbering from(source.here(), size), to(viewOf(result, domain.part), size);
  char *elements = from.elements(), *results = to.elements();
  Store copy = Store::copies(size);
  Courier &elementsOf = courier(transport, 0, size);
  copy.byNumbers(elementsOf.outgoing(), nullptr, elements, sent.in(from),
                 sent.size());
  elementsOf.begin();
  copy.byNumbers(results, localTo.in(to), elements, localFrom.in(from),
                 localTo.size());
  char *arrived = elementsOf.arrived();
  copy.byNumbers(results, lateTo.in(to), arrived, lateFrom.data(),
                 lateTo.size());
  to.finish();
}

} // namespace zrt
