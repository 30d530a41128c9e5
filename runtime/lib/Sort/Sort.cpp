//===- Sort.cpp - Elements of arrays in order -----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     sort(A, B)         A  5 3 | 9 1        B  a b | c d
//
//   1. Each processor sorts its own          A  3 5 | 1 9        B  b a | d c
//   2. All find where the whole is cut, so that everyone gets as many elements
//      as it owns (Splitting.h)              3/5    | 1/9
//   3. The pieces are exchanged              A  3 1 | 5 9        B  b d | a c
//   4. and merged                            A  1 3 | 5 9        B  d b | a c
//
// (Exact splitting and one exchange: Cheng, Edelman, Gilbert and Shah, "A novel
// parallel sorting algorithm for contemporary architectures", 2006.) Pieces are
// merged in the order of the processors they come from, so that what is equal
// stays in order. The other arrays go along with their keys, each element moved
// once within a processor before the exchange and once after it.
//
// Cost: 2 and 3 are all that is communicated, each element at most once.
//
//===----------------------------------------------------------------------===//

#include "Sort/Sort.h"
#include "Sort/Order.h"
#include "Sort/Splitting.h"
#include "Support/Error.h"

#include <cstring>

namespace zrt {

namespace {

/// Elements of one array that go along with their keys.
struct Column {
  ElementView view;
  size_t size;
  Buffer<char> elements;
};

/// Copies an element; one of a usual size without a call.
void copyOne(char *to, const char *from, size_t size) {
  if (size == 4)
    std::memcpy(to, from, 4);
  else if (size == 8)
    std::memcpy(to, from, 8);
  else
    std::memcpy(to, from, size);
}

/// What this processor has of an array.
struct SortedPart {
  ElementView view;
  const zrt_type &type;
};

class Sorter {
public:
  /// \p owned: how many elements each processor of the slice has; \p parts are
  /// of different arrays, the first one of the keys.
  Sorter(const Parallel &parallel, std::vector<int64_t> owned,
         const std::vector<SortedPart> &parts, const Order &order,
         const zrt_loc *loc)
      : transport(parallel.transport), slice(parallel.slice(1)), order(order),
        loc(loc), owned(std::move(owned)),
        count(this->owned[static_cast<size_t>(slice.self)]),
        view(parts.front().view) {
    for (size_t k = 1; k < parts.size(); ++k)
      columns.push_back({parts[k].view, static_cast<size_t>(parts[k].type.size),
                         Buffer<char>()});
  }

  void run() {
    Buffer<char> keys(bytesOf(count, order.keySize));
    order.load(view, keys.data());
    Buffer<Place> places(columns.empty() ? 0 : count);
    order.sort(keys, count, columns.empty() ? nullptr : places.data());
    for (Column &column : columns)
      takeElements(column, places.data());
    if (slice.size() > 1) {
      findPieces(keys.data());
      keys = exchanged(keys.data(), order.keySize);
      for (Column &column : columns)
        column.elements = exchanged(column.elements.data(), column.size);
      mergePieces(keys, places);
    } else {
      for (int64_t i = 0; i < (columns.empty() ? 0 : count); ++i)
        places.data()[i] = static_cast<Place>(i);
    }
    order.store(keys.data(), view);
    for (Column &column : columns)
      putElements(column, places.data());
  }

private:
  static int64_t bytesOf(int64_t count, size_t size) {
    return count * static_cast<int64_t>(size);
  }

  /// The elements of the array in the order of the places.
  void takeElements(Column &column, const Place *places) const {
    column.elements = Buffer<char>(bytesOf(count, column.size));
    char *to = column.elements.data();
    for (int64_t i = 0; i < count; ++i, to += column.size)
      copyOne(to, column.view.base + places[i] * column.view.step[0],
              column.size);
  }
  void putElements(const Column &column, const Place *places) const {
    char *to = column.view.base;
    for (int64_t i = 0; i < count; ++i, to += column.view.step[0])
      copyOne(to, column.elements.data() + places[i] * column.size,
              column.size);
  }

  /// Sets `sends`, where what goes to each processor begins here, and
  /// `receives`, where what comes from each will begin.
  void findPieces(const char *keys) {
    size_t members = owned.size();
    std::vector<int64_t> firsts;
    int64_t sum = 0;
    for (size_t m = 0; m + 1 < members; ++m)
      firsts.push_back(sum += owned[m]);
    sends = splitKeys(transport, slice, order, keys, count, firsts);
    sends.insert(sends.begin(), 0);
    sends.push_back(count);
    size_t row = (members + 1) * sizeof(int64_t);
    std::vector<int64_t> all(members * (members + 1));
    std::copy(sends.begin(), sends.end(),
              all.begin() + slice.self * int64_t(members + 1));
    std::vector<size_t> offsets;
    for (size_t m = 0; m <= members; ++m)
      offsets.push_back(m * row);
    allgather(transport, slice, all.data(), offsets);
    for (size_t m = 0; m < members; ++m)
      if (!std::is_sorted(&all[m * (members + 1)],
                          &all[m * (members + 1)] + members + 1))
        fatal(loc, ErrorScope::Replicated,
              "the procedure that sorts contradicts itself: of some elements "
              "each goes before the other");
    receives.assign(1, 0);
    for (size_t m = 0; m < members; ++m) {
      const int64_t *theirs = &all[m * (members + 1) + size_t(slice.self)];
      receives.push_back(receives.back() + theirs[1] - theirs[0]);
    }
  }

  /// The pieces that this processor gets, in the order of the senders. In each
  /// round two meet, of which the lower one sends first.
  Buffer<char> exchanged(const char *data, size_t size) const {
    Buffer<char> received(bytesOf(receives.back(), size));
    auto from = [&](int m) { return data + bytesOf(sends[size_t(m)], size); };
    auto to = [&](int m) {
      return received.data() + bytesOf(receives[size_t(m)], size);
    };
    auto send = [&](int m) {
      if (size_t bytes = size_t(from(m + 1) - from(m)))
        transport.send(slice.members[size_t(m)], from(m), bytes);
    };
    auto receive = [&](int m) {
      if (size_t bytes = size_t(to(m + 1) - to(m)))
        transport.receive(slice.members[size_t(m)], to(m), bytes);
    };
    int members = slice.size(), self = slice.self;
    for (int round = 0; round < members; ++round) {
      int partner = (round - self + members) % members;
      if (partner == self) {
        std::copy(from(self), from(self + 1), to(self));
      } else if (self < partner) {
        send(partner);
        receive(partner);
      } else {
        receive(partner);
        send(partner);
      }
    }
    return received;
  }

  /// Merges the received pieces two by two until there is one. In \p places
  /// where each was, if anything goes along.
  void mergePieces(Buffer<char> &keys, Buffer<Place> &places) const {
    bool isPlaced = !columns.empty();
    Buffer<char> merged(bytesOf(count, order.keySize));
    Buffer<Place> mergedPlaces(isPlaced ? count : 0);
    for (int64_t i = 0; isPlaced && i < count; ++i)
      places.data()[i] = static_cast<Place>(i);
    std::vector<int64_t> ends = receives;
    while (ends.size() > 2) {
      std::vector<int64_t> next = {0};
      for (size_t m = 0; m + 1 < ends.size(); m += 2) {
        int64_t a = ends[m], b = ends[m + 1],
                end = m + 2 < ends.size() ? ends[m + 2] : b;
        auto key = [&](int64_t at) {
          return keys.data() + bytesOf(at, order.keySize);
        };
        auto place = [&](int64_t at) {
          return isPlaced ? places.data() + at : nullptr;
        };
        order.merge(key(a), place(a), b - a, key(b), place(b), end - b,
                    merged.data() + bytesOf(a, order.keySize),
                    mergedPlaces.data() + (isPlaced ? a : 0));
        next.push_back(end);
      }
      keys.swap(merged);
      places.swap(mergedPlaces);
      ends = std::move(next);
    }
  }

  Transport &transport;
  const Slice &slice;
  const Order &order;
  const zrt_loc *loc;
  std::vector<int64_t> owned; ///< elements of each member
  int64_t count;              ///< of this one
  ElementView view;           ///< of the keys' array
  std::vector<Column> columns;
  std::vector<int64_t> sends, receives;
};

} // namespace

void sortArrays(const Parallel &parallel, const zrt_region &region,
                const std::vector<zrt_array *> &arrays, bool isDescending,
                zrt_before before, const zrt_loc *loc) {
  if (region.floods)
    return; // one element
  std::unique_ptr<Order> order =
      orderOf(*arrays.front()->type, isDescending, before);
  std::vector<int64_t> owned;
  for (int member : parallel.slice(1).members)
    owned.push_back(
        size(ownPart(parallel.distribution, region, member).dim[0]));
  Box part = ownPart(parallel.distribution, region, parallel.transport.rank());
  std::vector<SortedPart> parts;
  for (const zrt_array *array : arrays)
    if (parts.empty() || array != arrays.front())
      parts.push_back({viewOf(*array, part), *array->type});
  Sorter(parallel, std::move(owned), parts, *order, loc).run();
}

void sortVectors(const Parallel &parallel, const std::vector<int64_t> &counts,
                 const std::vector<zrt_array *> &arrays, bool isDescending,
                 zrt_before before, const zrt_loc *loc) {
  std::unique_ptr<Order> order =
      orderOf(*arrays.front()->type, isDescending, before);
  std::vector<int64_t> owned;
  for (int member : parallel.slice(1).members)
    owned.push_back(counts[static_cast<size_t>(member)]);
  int64_t count = counts[static_cast<size_t>(parallel.transport.rank())];
  std::vector<SortedPart> parts;
  for (const zrt_array *array : arrays) {
    ElementView view{1, {count}, {array->pitch[0]}, array->origin};
    if (parts.empty() || array != arrays.front())
      parts.push_back({view, *array->type});
  }
  Sorter(parallel, std::move(owned), parts, *order, loc).run();
}

} // namespace zrt
