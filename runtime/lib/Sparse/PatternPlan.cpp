//===- PatternPlan.cpp - Where sparse elements are ------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a sparse array has at other indices than those of its own pattern,
//
//     [R] B := A@east;     [S2] A2 := A1 + 1;     [3..5, 2..4] A := 0;
//
// depends on two patterns, or a box and one, and a direction, not on values. The
// plan finds it once: for each index of the region the position in the array,
// on this processor or another one.
//
//   a sparse region    each of its indices looks for what it names: here by a
//                      walk through both patterns, elsewhere by asking the
//                      owner, which answers whether it has it
//   a dense region     may have many more indices than the array: the array's
//                      indices look for those that name them, and tell their
//                      owners
//
// Either way both sides then have lists in the same order, and what travels are
// values. An index that names nothing gets the implicitly replicated value,
// which every processor has; for a store it is an error, found by the lists
// alone before anything is written.
//
// Of a dense region that is one column of a pattern, as [1..n, j], only this is
// looked at (Pattern::forEachInColumn). What is asked at its own index in one
// domain is here.
//
// Cost: of the plan a few steps per index of the sparse side, and 16 bytes for
// each that was found; of a fetch or store one copy per element and one message
// per partner, and for a dense target the filling.
//
//===----------------------------------------------------------------------===//

#include "Sparse/PatternPlan.h"

#include "Collective/Collective.h"
#include "Sparse/Routing.h"
#include "Sparse/SparseArray.h"

#include <algorithm>
#include <numeric>

namespace zrt {

/// a modulo n, never negative.
static int64_t wrapped(int64_t a, int64_t n) {
  int64_t rest = a % n;
  return rest < 0 ? rest + n : rest;
}

void IndexMove::apply(const int64_t *index, int64_t *named) const {
  for (int d = 0; d < bounds.rank; ++d) {
    named[d] = direction[d] + (mirrored >> d & 1 ? -index[d] : index[d]);
    const Seq &seq = bounds.dim[d];
    if (wraps && !isEmpty(seq))
      named[d] = seq.lo + wrapped(named[d] - seq.lo, size(seq) * seq.stride);
  }
}

void IndexMove::reverse(int d, int64_t named, const Seq &seq,
                        std::vector<int64_t> &list) const {
  int64_t index =
      mirrored >> d & 1 ? direction[d] - named : named - direction[d];
  if (!wraps) {
    if (contains(seq, index))
      list.push_back(index);
    return;
  }
  if (isEmpty(seq))
    return;
  int64_t period = size(bounds.dim[d]) * bounds.dim[d].stride;
  int64_t first = seq.lo + wrapped(index - seq.lo, period);
  for (; first <= seq.hi; first += period)
    if (contains(seq, first))
      list.push_back(first);
}

bool IndexMove::operator==(const IndexMove &other) const {
  return wraps == other.wraps && mirrored == other.mirrored &&
         bounds == other.bounds &&
         std::equal(direction, direction + bounds.rank, other.direction);
}

/// Calls \p f with each index that names \p named, in row-major order.
template <typename F>
static void forEachNaming(const IndexMove &move, const Box &box,
                          const int64_t *named, F &&f) {
  static thread_local std::vector<int64_t> lists[ZRT_MAX_RANK];
  int64_t index[ZRT_MAX_RANK];
  size_t at[ZRT_MAX_RANK] = {};
  for (int d = 0; d < box.rank; ++d) {
    lists[d].clear();
    move.reverse(d, named[d], box.dim[d], lists[d]);
    if (lists[d].empty())
      return;
  }
  for (int d = 0; d >= 0;) {
    for (int e = 0; e < box.rank; ++e)
      index[e] = lists[e][at[e]];
    f(index);
    for (d = box.rank - 1; d >= 0 && ++at[d] == lists[d].size(); --d)
      at[d] = 0;
  }
}

PatternPlan::PatternPlan(Transport &transport, const PlanSide &from,
                         const PlanSide &named, const IndexMove &move)
    : move(move), fromBox(boxOf(from.region)),
      fromOwners(from.placement, from.region.rank, transport.rank()),
      indices(fromOwners, from.region),
      pattern(sharedPattern(named.region.pattern)),
      slots(static_cast<size_t>(transport.size())),
      positions(static_cast<size_t>(transport.size())) {
  IndexOwners owners(named.placement, named.region.rank, transport.rank());
  bool moves = move.mirrored != 0 || move.wraps ||
               std::any_of(move.direction, move.direction + fromBox.rank,
                           [](int64_t n) { return n != 0; });
  travels =
      transport.size() > 1 && (moves || &from.placement != &named.placement);
  if (indices.pattern)
    matchFrom(transport, owners);
  else
    matchNamed(transport, owners);
  auto found = static_cast<int64_t>(here.size());
  for (const std::vector<int64_t> &list : slots)
    found += static_cast<int64_t>(list.size());
  isComplete = found == indices.count();
}

/// The positions of what the indices of \p words name; -1: nothing.
static std::vector<int32_t> positionsOf(const std::vector<int32_t> &words,
                                        const IndexMove &move,
                                        const Pattern *pattern) {
  std::vector<int32_t> result;
  if (!pattern) {
    forEachIndex(words, move.bounds.rank,
                 [&](const int32_t *, int32_t) { result.push_back(-1); });
    return result;
  }
  int last = pattern->rank - 1;
  PatternFinder finder(*pattern);
  forEachIndex(words, pattern->rank, [&](const int32_t *row, int32_t column) {
    int64_t index[ZRT_MAX_RANK], named[ZRT_MAX_RANK];
    int32_t at[ZRT_MAX_RANK];
    std::copy(row, row + last, index);
    index[last] = column;
    move.apply(index, named);
    std::copy(named, named + last + 1, at);
    result.push_back(static_cast<int32_t>(finder.find(at, at[last])));
  });
  return result;
}

/// Drops the elements of \p list at which \p answers is negative.
template <typename T>
static void keepFound(std::vector<T> &list, const std::vector<int32_t> &answers,
                      auto isFound) {
  size_t kept = 0;
  for (size_t k = 0; k < list.size(); ++k)
    if (isFound(answers[k]))
      list[kept++] = list[k];
  list.resize(kept);
  list.shrink_to_fit();
}

/// Of a sparse region.
void PatternPlan::matchFrom(Transport &transport, const IndexOwners &owners) {
  int rank = owners.rank, last = rank - 1;
  std::vector<IndexStream> asked(slots.size(), IndexStream(rank));
  std::vector<Match> ownMatches;
  Streams sources;
  IndexStream ownSources(rank);
  std::optional<PatternFinder> finder;
  if (pattern)
    finder.emplace(*pattern);
  const Pattern &from = *indices.pattern;
  int64_t index[ZRT_MAX_RANK], named[ZRT_MAX_RANK];
  int32_t at[ZRT_MAX_RANK];
  for (int64_t r = 0; r < from.rows; ++r) {
    for (int d = 0; d < last; ++d)
      index[d] = from.row[d][r];
    for (int64_t k = from.starts[r]; k < from.starts[r + 1]; ++k) {
      index[last] = from.column[k];
      move.apply(index, named);
      int owner = owners.owner(named);
      if (owner != owners.self) {
        asked[static_cast<size_t>(owner)].add(index);
        slots[static_cast<size_t>(owner)].push_back(k);
        continue;
      }
      std::copy(named, named + rank, at);
      int64_t position = finder ? finder->find(at, at[last]) : -1;
      if (position < 0)
        continue;
      here.push_back({k, static_cast<int32_t>(position)});
      if (move.wraps)
        ownSources.add(index);
    }
  }
  here.shrink_to_fit();
  if (travels) {
    Streams streams;
    for (IndexStream &stream : asked)
      streams.push_back(std::move(stream.words));
    streams = exchangeNumbers(transport, streams, false);
    Streams answers;
    for (const std::vector<int32_t> &words : streams)
      answers.push_back(positionsOf(words, move, pattern.get()));
    positions = answers;
    Streams replies = exchangeNumbers(transport, answers, false);
    for (size_t p = 0; p < slots.size(); ++p) {
      keepFound(slots[p], replies[p], [](int32_t k) { return k >= 0; });
      keepFound(positions[p], answers[p], [](int32_t k) { return k >= 0; });
      // What was not found is no source.
      if (move.wraps) {
        IndexStream kept(rank);
        size_t k = 0;
        forEachIndex(streams[p], rank, [&](const int32_t *row, int32_t column) {
          if (answers[p][k++] >= 0)
            kept.add(row, column);
        });
        streams[p] = std::move(kept.words);
      }
    }
    sources = std::move(streams);
  }
  sources.insert(sources.begin(), std::move(ownSources.words));
  orderBySource(sources);
}

/// Of a dense region.
void PatternPlan::matchNamed(Transport &transport, const IndexOwners &owners) {
  int rank = owners.rank, last = rank - 1;
  std::vector<IndexStream> told(slots.size(), IndexStream(rank));
  // Sources of what this processor owns, by who names it.
  std::vector<IndexStream> bySource(slots.size() + 1, IndexStream(rank));
  int64_t named[ZRT_MAX_RANK];
  auto match = [&](int64_t r, int64_t k) {
    for (int d = 0; d < last; ++d)
      named[d] = pattern->row[d][r];
    named[last] = pattern->column[k];
    forEachNaming(move, fromBox, named, [&](const int64_t *index) {
      int owner = fromOwners.owner(index);
      auto p = static_cast<size_t>(owner);
      auto position = static_cast<int32_t>(k);
      if (owner == owners.self)
        here.push_back({indices.slotOf(index), position});
      else
        positions[p].push_back(position), told[p].add(index);
      if (move.wraps)
        bySource[owner == owners.self ? 0 : p + 1].add(index);
    });
  };
  const Seq &columns = fromBox.dim[last];
  bool isColumn = last > 0 && columns.lo == columns.hi && !move.wraps;
  if (pattern && isColumn) {
    int64_t index[ZRT_MAX_RANK] = {};
    index[last] = columns.lo;
    move.apply(index, named);
    pattern->forEachInColumn(named[last], match);
  }
  for (int64_t r = 0; pattern && !isColumn && r < pattern->rows; ++r)
    for (int64_t k = pattern->starts[r]; k < pattern->starts[r + 1]; ++k)
      match(r, k);
  here.shrink_to_fit();
  Streams sources;
  if (travels) {
    Streams streams;
    for (IndexStream &stream : told)
      streams.push_back(std::move(stream.words));
    streams = exchangeNumbers(transport, streams, false);
    for (size_t p = 0; p < slots.size(); ++p)
      forEachIndex(streams[p], rank, [&](const int32_t *row, int32_t column) {
        int64_t index[ZRT_MAX_RANK];
        std::copy(row, row + last, index);
        index[last] = column;
        slots[p].push_back(indices.slotOf(index));
      });
  }
  for (IndexStream &stream : bySource)
    sources.push_back(std::move(stream.words));
  orderBySource(sources);
}

/// If one element may be named twice, finds the order of their sources.
void PatternPlan::orderBySource(const Streams &sources) {
  bool isTwice = false;
  for (int d = 0; d < fromBox.rank && move.wraps; ++d)
    isTwice |= size(fromBox.dim[d]) > size(move.bounds.dim[d]);
  if (!isTwice)
    return;
  auto rank = static_cast<size_t>(fromBox.rank);
  std::vector<int32_t> tuples;
  for (const std::vector<int32_t> &words : sources)
    forEachIndex(words, fromBox.rank, [&](const int32_t *row, int32_t column) {
      tuples.insert(tuples.end(), row, row + rank - 1);
      tuples.push_back(column);
    });
  order.resize(tuples.size() / rank);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    const int32_t *p = &tuples[static_cast<size_t>(a) * rank];
    const int32_t *q = &tuples[static_cast<size_t>(b) * rank];
    return std::lexicographical_compare(p, p + rank, q, q + rank);
  });
}

template <typename T>
static std::vector<int64_t> countsOf(const std::vector<std::vector<T>> &lists) {
  std::vector<int64_t> counts;
  for (const std::vector<T> &list : lists)
    counts.push_back(static_cast<int64_t>(list.size()));
  return counts;
}

Courier &PatternPlan::courier(Transport &transport, size_t size, bool stores) {
  std::unique_ptr<Courier> &known = (stores ? storers : fetchers)[size];
  if (!known) {
    std::vector<int64_t> region = countsOf(slots), array = countsOf(positions);
    known = stores
                ? std::make_unique<Courier>(transport, region, array, 0, size)
                : std::make_unique<Courier>(transport, array, region, 0, size);
  }
  return *known;
}

/// Gives every element of \p target at \p indices the value \p from.
static void fill(const OwnIndices &indices, zrt_array &target,
                 const char *from) {
  ElementCopier copy(target.type->size);
  Cursor cursor(indices, target);
  for (int64_t slot = 0; slot < indices.count(); ++slot)
    copy(cursor.at(slot), from);
}

void PatternPlan::fetch(Transport &transport, zrt_array &target,
                        const zrt_array &source) {
  auto size = static_cast<size_t>(source.type->size);
  if (size == 0)
    return;
  ElementCopier copy(source.type->size);
  int64_t step = stepOf(source);
  if (travels) {
    Courier &carrier = courier(transport, size, false);
    char *out = carrier.outgoing();
    for (const std::vector<int32_t> &list : positions)
      for (int32_t position : list) {
        copy(out, source.origin + position * step);
        out += size;
      }
    carrier.begin();
  }
  if (!isComplete)
    fill(indices, target, elsewhereOf(source));
  Cursor cursor(indices, target);
  for (const Match &match : here)
    copy(cursor.at(match.slot), source.origin + match.position * step);
  if (!travels)
    return;
  const char *in = courier(transport, size, false).arrived();
  for (const std::vector<int64_t> &list : slots)
    for (int64_t slot : list) {
      copy(cursor.at(slot), in);
      in += size;
    }
}

void PatternPlan::store(Transport &transport, zrt_array &target,
                        const zrt_array &source, const zrt_mask &mask) {
  auto size = static_cast<size_t>(target.type->size);
  if (size == 0)
    return;
  ElementCopier copy(target.type->size);
  int64_t step = stepOf(target);
  bool wanted = mask.value != 0;
  Cursor values(indices, source);
  std::optional<Cursor> flags;
  if (mask.array)
    flags.emplace(indices, *mask.array);
  auto isTaken = [&](int64_t slot) {
    return !flags || (*flags->at(slot) != 0) == wanted;
  };
  char *in = nullptr, *inFlags = nullptr;
  if (travels) {
    Courier &carrier = courier(transport, size, true);
    char *out = carrier.outgoing();
    for (const std::vector<int64_t> &list : slots)
      for (int64_t slot : list) {
        copy(out, values.at(slot));
        out += size;
      }
    carrier.begin();
    in = carrier.arrived();
  }
  std::vector<char> sent, come;
  if (travels && mask.array) {
    std::vector<std::vector<char>> own;
    for (const std::vector<int64_t> &list : slots) {
      own.emplace_back();
      for (int64_t slot : list)
        own.back().push_back(isTaken(slot));
    }
    for (const std::vector<char> &list : exchangeNumbers(transport, own, false))
      come.insert(come.end(), list.begin(), list.end());
    inFlags = come.data();
  }
  auto storeHere = [&](const Match &match) {
    if (isTaken(match.slot))
      copy(target.origin + match.position * step, values.at(match.slot));
  };
  auto storeCome = [&](size_t k, int32_t position) {
    if (!inFlags || inFlags[k])
      copy(target.origin + position * step, in + k * size);
  };
  std::vector<int32_t> places;
  for (const std::vector<int32_t> &list : positions)
    places.insert(places.end(), list.begin(), list.end());
  if (order.empty()) {
    for (const Match &match : here)
      storeHere(match);
    for (size_t k = 0; k < places.size(); ++k)
      storeCome(k, places[k]);
    return;
  }
  for (int64_t k : order) {
    auto number = static_cast<size_t>(k);
    if (number < here.size())
      storeHere(here[number]);
    else
      storeCome(number - here.size(), places[number - here.size()]);
  }
}

bool PatternPlan::findMissing(Transport &transport, const zrt_mask &mask,
                              int64_t *index) const {
  if (!isCompleteOnAll) {
    int32_t all = isComplete;
    reduce(transport, &all, ZRT_I32, ZRT_MIN);
    isCompleteOnAll = all != 0;
  }
  if (*isCompleteOnAll)
    return false;
  std::vector<bool> found(static_cast<size_t>(indices.count()));
  for (const Match &match : here)
    found[static_cast<size_t>(match.slot)] = true;
  for (const std::vector<int64_t> &list : slots)
    for (int64_t slot : list)
      found[static_cast<size_t>(slot)] = true;
  std::optional<Cursor> flags;
  if (mask.array)
    flags.emplace(indices, *mask.array);
  int64_t first = -1;
  for (int64_t slot = 0; slot < indices.count() && first < 0; ++slot)
    if (!found[static_cast<size_t>(slot)] &&
        (!flags || (*flags->at(slot) != 0) == (mask.value != 0)))
      first = slot;
  return firstOfAll(transport, indices, first, index);
}

} // namespace zrt
