//===- Addition.cpp - Indices that a modify adds to a region --------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     modify S begin
//       for i := 1 to n do add [i, i]; add [i, i - 1]; end;
//     end;
//
// An index becomes a number, its place in the bounds in row-major order, and
// goes to the end of a list; that is all an `add` does. At the end the list is
// sorted, what is there twice goes, and indices of others go to their owners.
//
// Programs mostly add row by row. While rows come in ascending order only the
// columns of a row have to be sorted, which are few. Or they add one diagonal
// after the other: a few ascending runs, which are merged. Else the numbers are
// sorted by their digits (Sort/Radix.h). What is added again and again does not fill
// the memory: at 2^24 numbers, and whenever there are twice as many as the last
// time, the list is sorted at once.
//
// Bounds of 2^63 indices or more are too large for one number: there indices
// are kept as they are, and compared dimension by dimension.
//
// Cost: 8 bytes and some 20 instructions per index while they come, and a sort.
//
//===----------------------------------------------------------------------===//

#include "Sparse/Addition.h"

#include "Sort/Radix.h"
#include "Sparse/MergedPatterns.h"

#include <algorithm>

namespace zrt {

Addition::Addition(const zrt_region &region, const IndexOwners &owners,
                   const zrt_loc *loc)
    : region(region), loc(loc), owners(owners) {
  unsigned __int128 all = 1;
  for (int d = 0; d < region.rank; ++d) {
    Seq seq = seqOf(region.dim[d]);
    dims[d] = {seq.lo, static_cast<uint64_t>(size(seq)), seq.stride};
    // At most 2^32 each, and 2^63 before it is too large.
    if (all <= INT64_MAX)
      all *= std::max<uint64_t>(dims[d].extent, 1);
  }
  isNumbered = all <= INT64_MAX;
  isFlat = isNumbered && region.rank == 2 && dims[0].stride == 1 &&
           dims[1].stride == 1;
}

/// Whether \p number, which is none after the last one, is added; not if it is
/// the last one again.
bool Addition::isNext(uint64_t row, uint64_t number) {
  if (numbers.empty())
    return true;
  if (number == lastNumber)
    return false;
  rowsAscend &= row >= lastRow;
  if (runs.size() < MostRuns)
    runs.push_back(numbers.size());
  return true;
}

bool Addition::addTuple(const int64_t *index) {
  if (!isWithin(index))
    return false;
  Tuple tuple = {};
  std::copy(index, index + region.rank, tuple.begin());
  if (tuples.size() == limit) [[unlikely]]
    compact();
  tuples.push_back(tuple);
  return true;
}

/// Sorts a few numbers of one row, or many.
static void sortRow(uint64_t *from, uint64_t *to) {
  if (to - from <= 32)
    insertionSort(from, to - from);
  else
    std::sort(from, to);
}

/// Sorts what is in the order of its rows.
void Addition::sortRows() {
  uint64_t extent = std::max<uint64_t>(dims[region.rank - 1].extent, 1);
  for (size_t from = 0; from < numbers.size();) {
    uint64_t end = numbers[from] - numbers[from] % extent + extent;
    size_t to = from + 1;
    while (to < numbers.size() && numbers[to] < end)
      ++to;
    sortRow(&numbers[from], &numbers[from] + (to - from));
    from = to;
  }
}

/// Merges neighbouring runs until there is one.
void Addition::mergeRuns() {
  Numbers merged(numbers.size());
  std::vector<size_t> bounds = {0};
  bounds.insert(bounds.end(), runs.begin(), runs.end());
  bounds.push_back(numbers.size());
  while (bounds.size() > 2) {
    std::vector<size_t> next = {0};
    for (size_t k = 0; k + 1 < bounds.size(); k += 2) {
      size_t middle = bounds[k + 1];
      size_t end = k + 2 < bounds.size() ? bounds[k + 2] : middle;
      const uint64_t *from = numbers.data();
      std::merge(from + bounds[k], from + middle, from + middle, from + end,
                 merged.data() + bounds[k]);
      next.push_back(end);
    }
    numbers.swap(merged);
    bounds = std::move(next);
  }
}

void Addition::sortNumbers() {
  if (runs.empty()) // each is greater than the one before
    return;
  if (rowsAscend) {
    sortRows();
  } else if (runs.size() < MostRuns) {
    mergeRuns();
  } else {
    Numbers spare(numbers.size());
    radixSort(numbers.data(), spare.data(),
              static_cast<int64_t>(numbers.size()));
  }
  runs.clear();
  numbers.resize(static_cast<size_t>(
      std::unique(numbers.begin(), numbers.end()) - numbers.begin()));
}

void Addition::compact() {
  if (isNumbered) {
    sortNumbers();
    uint64_t extent = std::max<uint64_t>(dims[region.rank - 1].extent, 1);
    rowsAscend = true;
    lastNumber = numbers.back();
    lastRow = lastNumber - lastNumber % extent;
  } else {
    std::sort(tuples.begin(), tuples.end());
    tuples.erase(std::unique(tuples.begin(), tuples.end()), tuples.end());
  }
  limit = std::max(limit, 2 * (numbers.size() + tuples.size()));
}

/// Calls \p f with the row and the column of each number, in order.
template <typename F> void Addition::forEachNumber(F &&f) const {
  int last = region.rank - 1;
  const Dim &along = dims[last];
  int32_t at[ZRT_MAX_RANK] = {};
  uint64_t begin = 0, end = 0; // of the row
  for (uint64_t number : numbers) {
    bool isNew = number >= end;
    if (isNew) {
      uint64_t row = number / along.extent;
      begin = row * along.extent;
      end = begin + along.extent;
      for (int d = last - 1; d >= 0; --d) {
        auto count = static_cast<int64_t>(row % dims[d].extent);
        at[d] = static_cast<int32_t>(dims[d].lo + count * dims[d].stride);
        row /= dims[d].extent;
      }
    }
    auto count = static_cast<int64_t>(number - begin);
    f(at, static_cast<int32_t>(along.lo + count * along.stride), isNew);
  }
}

/// Moves the numbers of others to streams.
std::vector<IndexStream> Addition::streamsOfNumbers(int processors) {
  int last = region.rank - 1, place[ZRT_MAX_RANK];
  std::vector<IndexStream> streams(static_cast<size_t>(processors),
                                   IndexStream(region.rank));
  size_t at = 0, kept = 0;
  forEachNumber([&](const int32_t *row, int32_t column, bool isNew) {
    for (int d = 0; d < last && isNew; ++d)
      place[d] = owners.along(d, row[d]);
    place[last] = owners.along(last, column);
    int owner = owners.processor(place);
    if (owner == owners.self)
      numbers[kept++] = numbers[at];
    else
      streams[static_cast<size_t>(owner)].add(row, column);
    ++at;
  });
  numbers.resize(kept);
  return streams;
}

std::vector<IndexStream> Addition::streamsOfTuples(int processors) {
  std::vector<IndexStream> streams(static_cast<size_t>(processors),
                                   IndexStream(region.rank));
  std::sort(tuples.begin(), tuples.end());
  for (const Tuple &tuple : tuples) {
    int64_t index[ZRT_MAX_RANK];
    std::copy(tuple.begin(), tuple.end(), index);
    streams[static_cast<size_t>(owners.owner(index))].add(index);
  }
  return streams;
}

/// Of numbers that are all this processor's, and are gone afterwards: what comes
/// next makes another pattern of this one.
PatternPtr Addition::takeNumbers(PatternBuilder builder) {
  uint64_t rows = 1;
  for (int d = 0; d + 1 < region.rank; ++d)
    rows *= std::max<uint64_t>(dims[d].extent, 1);
  size_t count = numbers.size();
  builder.reserve(static_cast<int64_t>(std::min<uint64_t>(rows, count)),
                  static_cast<int64_t>(count));
  int32_t *to = builder.room(count);
  forEachNumber([&](const int32_t *at, int32_t column, bool isNew) {
    if (isNew) {
      builder.addUpTo(to);
      builder.startRow(at);
    }
    *to++ = column;
  });
  builder.addUpTo(to);
  Numbers().swap(numbers);
  return builder.finish();
}

PatternPtr Addition::finish(Transport &transport, PatternBuilder builder) {
  int processors = transport.size();
  if (!isNumbered)
    return routed(transport, streamsOfTuples(processors), region.rank,
                  std::move(builder));
  sortNumbers();
  if (processors == 1)
    return takeNumbers(std::move(builder));
  std::vector<IndexStream> streams = streamsOfNumbers(processors);
  PatternPtr own = takeNumbers(builder);
  PatternPtr come = routed(transport, std::move(streams), region.rank, builder);
  return come->count == 0 ? own
                          : united(own.get(), come.get(), std::move(builder));
}

} // namespace zrt
