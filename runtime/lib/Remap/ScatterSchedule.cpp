//===- ScatterSchedule.cpp - Scatters that are repeated -------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// As GatherSchedule.cpp, the other way round. What the inspector settles beside
// the lists is what happens where several sources have one target:
//
//   `:=`         The owner hears of all sources, and tells each sender which of
//                its own come last in row-major order: only these travel, and
//                no order is left to keep.
//   integer `+=` Each sender combines its sources of one target in its buffer,
//                which holds each target once.
//   real `+=`    All travel. What has sources on its owner's processor only is
//                combined while they do; everything else when they have
//                arrived, in the order of their sources, which the inspector
//                has merged.
//
// Cost of the executor: two numbers read per source, and a number per value
// that arrives. Memory: 8 bytes per source.
//
//===----------------------------------------------------------------------===//

#include "Remap/Schedule.h"

#include "Remap/Merge.h"

#include <algorithm>
#include <numeric>

namespace zrt {

/// Goes through the sources: per owner the references, and the numbers of the
/// sources in this processor's part.
void ScatterSchedule::inspect(const RemapDomain &domain,
                              const RemappedArray &target,
                              std::vector<References> &references,
                              std::vector<std::vector<int32_t>> &sources) {
  Strips strips(domain);
  Strip strip;
  int owners[Strip::Most];
  int64_t places[Strip::Most];
  int64_t placeStep = domain.placeStep();
  while (domain.isFirstCopy() && strips.next(strip)) {
    target.find(strip, owners, places);
    int64_t number = domain.numberOf(strip.at);
    int64_t place = domain.placeOf(strip.at);
    for (int64_t k = 0; k < strip.count; ++k) {
      auto owner = static_cast<size_t>(owners[k]);
      references[owner].push_back(
          {domain.placeIn(strip, k, place, placeStep), places[k]});
      sources[owner].push_back(static_cast<int32_t>(number + strip.along[k]));
    }
  }
}

ScatterSchedule::ScatterSchedule(const RemapDomain &domain,
                                 const RemappedArray &target, Order order) {
  Transport &transport = domain.parallel.transport;
  auto size = static_cast<size_t>(transport.size());
  std::vector<References> references(size);
  std::vector<std::vector<int32_t>> sources(size);
  isLarge = domain.isLarge();
  inspect(domain, target, references, sources);
  int64_t elements = target.elementsOf(transport.rank());
  switch (order) {
  case Order::Last:
    keepLast(transport, elements,
             exchangeNumbers(transport, references, isLarge), sources);
    break;
  case Order::None:
    combineFirst(transport, references, sources);
    break;
  case Order::Kept:
    keepOrder(transport, elements,
              exchangeNumbers(transport, references, isLarge), sources);
    break;
  }
}

void ScatterSchedule::keepLast(
    Transport &transport, int64_t elements,
    const std::vector<References> &arrived,
    const std::vector<std::vector<int32_t>> &sources) {
  std::vector<int64_t> last(static_cast<size_t>(elements), -1);
  for (const References &list : arrived)
    for (const Reference &reference : list) {
      int64_t &known = last[static_cast<size_t>(reference.target)];
      known = std::max(known, reference.source);
    }
  // What of each sender's list counts: numbers in it.
  std::vector<std::vector<int32_t>> counting(arrived.size());
  std::vector<int64_t> out, in;
  auto self = static_cast<size_t>(transport.rank());
  for (size_t p = 0; p < arrived.size(); ++p) {
    for (size_t k = 0; k < arrived[p].size(); ++k) {
      const Reference &reference = arrived[p][k];
      if (last[static_cast<size_t>(reference.target)] != reference.source)
        continue;
      counting[p].push_back(static_cast<int32_t>(k));
      (p == self ? localTo : lateTo).push(reference.target);
      if (p == self)
        localFrom.push(sources[p][k]);
    }
    in.push_back(p == self ? 0 : static_cast<int64_t>(counting[p].size()));
  }
  counting[self].clear();
  counting = exchangeNumbers(transport, counting, isLarge);
  for (size_t p = 0; p < counting.size(); ++p) {
    for (int32_t k : counting[p])
      sent.push(sources[p][static_cast<size_t>(k)]);
    out.push_back(static_cast<int64_t>(counting[p].size()));
  }
  setCounts(std::move(out), std::move(in));
}

void ScatterSchedule::combineFirst(
    Transport &transport, const std::vector<References> &references,
    const std::vector<std::vector<int32_t>> &sources) {
  auto self = static_cast<size_t>(transport.rank());
  std::vector<std::vector<int64_t>> targets(references.size());
  std::vector<int64_t> out, in;
  int64_t first = 0;
  for (size_t p = 0; p < references.size(); ++p) {
    std::vector<int64_t> named;
    for (size_t k = 0; k < references[p].size(); ++k) {
      if (p == self) {
        localFrom.push(sources[p][k]);
        localTo.push(references[p][k].target);
        continue;
      }
      named.push_back(references[p][k].target);
      sent.push(sources[p][k]);
    }
    targets[p] = numbered(named, first, slots);
    out.push_back(static_cast<int64_t>(targets[p].size()));
    first += out.back();
  }
  targets = exchangeNumbers(transport, targets, isLarge);
  for (const std::vector<int64_t> &list : targets) {
    in.push_back(static_cast<int64_t>(list.size()));
    for (int64_t place : list)
      lateTo.push(place);
  }
  setCounts(std::move(out), std::move(in));
}

void ScatterSchedule::keepOrder(
    Transport &transport, int64_t elements,
    const std::vector<References> &arrived,
    const std::vector<std::vector<int32_t>> &sources) {
  auto self = static_cast<size_t>(transport.rank());
  // Targets that others have sources of.
  std::vector<bool> isShared(static_cast<size_t>(elements));
  std::vector<int64_t> out, in, first;
  int64_t all = 0;
  for (size_t p = 0; p < arrived.size(); ++p) {
    first.push_back(all);
    in.push_back(p == self ? 0 : static_cast<int64_t>(arrived[p].size()));
    out.push_back(p == self ? 0 : static_cast<int64_t>(sources[p].size()));
    all += in.back();
    if (p == self)
      continue;
    for (const Reference &reference : arrived[p])
      isShared[static_cast<size_t>(reference.target)] = true;
    for (int32_t source : sources[p])
      sent.push(source);
  }
  mergeStreams(
      arrived.size(), [&](size_t p) { return arrived[p].size(); },
      [&](size_t p, size_t k) { return arrived[p][k].source; },
      [&](size_t p, size_t from, size_t to) {
        for (size_t k = from; k < to; ++k) {
          int64_t target = arrived[p][k].target;
          bool isLate = p != self || isShared[static_cast<size_t>(target)];
          (isLate ? lateTo : localTo).push(target);
          if (!isLate) {
            localFrom.push(sources[p][k]);
          } else if (p == self) {
            lateFrom.push_back(static_cast<int32_t>(all + kept.size()));
            kept.push(sources[p][k]);
          } else {
            lateFrom.push_back(
                static_cast<int32_t>(first[p] + static_cast<int64_t>(k)));
          }
        }
      });
  setCounts(std::move(out), std::move(in));
}

void ScatterSchedule::run(Transport &transport, const RemapDomain &domain,
                          const RemappedArray &target, const zrt_array &source,
                          const Store &store) {
  Numbering from(viewOf(source, domain.part), store.size);
  Numbering to(target.here(), store.elementSize);
  char *values = from.elements(), *targets = to.elements();
  Store copy = Store::copies(store.size);
  Courier &valuesOf = courier(transport, kept.size(), store.size);
  char *outgoing = valuesOf.outgoing();
  if (slots.empty()) {
    copy.byNumbers(outgoing, nullptr, values, sent.in(from), sent.size());
  } else {
    store.reset(outgoing, allSends);
    store.byNumbers(outgoing, slots.data(), values, sent.in(from), sent.size());
  }
  valuesOf.begin();
  store.byNumbers(targets, localTo.in(to), values, localFrom.in(from),
                  localTo.size());
  char *arrived = valuesOf.arrived();
  copy.byNumbers(arrived + static_cast<size_t>(allReceives) * store.size,
                 nullptr, values, kept.in(from), kept.size());
  store.byNumbers(targets, lateTo.in(to), arrived,
                  lateFrom.empty() ? nullptr : lateFrom.data(), lateTo.size());
  to.finish();
}

} // namespace zrt
