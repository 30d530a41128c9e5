//===- Splitting.cpp - Where a sorted whole is cut ------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each cut a processor knows a window of its keys: those before it belong
// before the cut, those after it behind. In a round
//
//   1. everyone names the middle of its window and how many keys that has;
//   2. of the middles the weighted median is taken as pivot;
//   3. everyone counts its keys up to the pivot, and the sum of that says on
//      which side of it the cut is.
//
// The order of (key, processor, position) is total, so the cut is exact
// whatever is equal. A round takes a quarter of the keys at least, and always
// the pivot; the rounds of all cuts go together. After Saukas and Song, "A note
// on parallel selection on coarse-grained multicomputers" (Algorithmica, 1999).
//
// Cost: about 2.4 log2 n rounds of an allgather and a reduction at the most.
//
//===----------------------------------------------------------------------===//

#include "Sort/Splitting.h"

#include <cstring>
#include <numeric>

namespace zrt {

namespace {

struct SearchWindow {
  int64_t lo = 0, hi = 0; ///< the cut is at lo..hi
};

/// What a processor says of its window: this, and a key.
struct Middle {
  int64_t weight, at;
};

class Splitter {
public:
  Splitter(Transport &transport, const Slice &slice, const Order &order,
           const char *keys, int64_t count, const std::vector<int64_t> &firsts)
      : transport(transport), slice(slice), order(order), keys(keys),
        count(count), firsts(firsts), windows(firsts.size(), {0, count}),
        rowSize(firsts.size() * (sizeof(Middle) + order.keySize)) {}

  std::vector<int64_t> run() {
    while (round())
      ;
    std::vector<int64_t> cuts;
    for (const SearchWindow &window : windows)
      cuts.push_back(window.lo);
    return cuts;
  }

private:
  /// False if nothing was left to do.
  bool round() {
    std::vector<char> all = middles();
    std::vector<int> pivots;
    std::vector<int64_t> before, sums;
    bool isOpen = false;
    for (size_t cut = 0; cut < firsts.size(); ++cut) {
      pivots.push_back(pivot(all, cut));
      isOpen |= pivots.back() >= 0;
      before.push_back(upTo(all, cut, pivots.back()));
    }
    if (!isOpen)
      return false;
    sums = before;
    reduce(transport, slice, sums.data(), static_cast<int64_t>(sums.size()),
           ZRT_I64, ZRT_SUM);
    for (size_t cut = 0; cut < firsts.size(); ++cut)
      if (pivots[cut] >= 0)
        narrow(cut, before[cut], sums[cut], pivots[cut] == slice.self);
    return true;
  }

  void narrow(size_t cut, int64_t before, int64_t sum, bool hasPivot) {
    SearchWindow &window = windows[cut];
    if (sum <= firsts[cut])
      window.lo = before;
    if (sum >= firsts[cut]) // then the pivot is behind the cut, or its last
      window.hi = before - (sum > firsts[cut] && hasPivot ? 1 : 0);
  }

  /// What all say of their windows.
  std::vector<char> middles() const {
    size_t members = static_cast<size_t>(slice.size());
    std::vector<char> all(members * rowSize);
    char *own = all.data() + static_cast<size_t>(slice.self) * rowSize;
    for (const SearchWindow &window : windows) {
      Middle middle = {window.hi - window.lo,
                       window.lo + (window.hi - window.lo) / 2};
      std::memcpy(own, &middle, sizeof middle);
      own += sizeof middle;
      if (middle.weight > 0)
        std::memcpy(own, key(middle.at), order.keySize);
      own += order.keySize;
    }
    std::vector<size_t> offsets;
    for (size_t m = 0; m <= members; ++m)
      offsets.push_back(m * rowSize);
    allgather(transport, slice, all.data(), offsets);
    return all;
  }

  const char *row(const std::vector<char> &all, size_t cut, int member) const {
    return all.data() + static_cast<size_t>(member) * rowSize +
           cut * (sizeof(Middle) + order.keySize);
  }
  Middle middle(const std::vector<char> &all, size_t cut, int member) const {
    Middle middle;
    std::memcpy(&middle, row(all, cut, member), sizeof middle);
    return middle;
  }

  /// The member whose middle is the pivot of the cut; -1: it is found.
  int pivot(const std::vector<char> &all, size_t cut) const {
    std::vector<int> named;
    int64_t weight = 0;
    for (int m = 0; m < slice.size(); ++m)
      if (int64_t own = middle(all, cut, m).weight; own > 0) {
        named.push_back(m);
        weight += own;
      }
    if (named.empty())
      return -1;
    std::stable_sort(named.begin(), named.end(), [&](int a, int b) {
      return order.isBefore(row(all, cut, a) + sizeof(Middle),
                            row(all, cut, b) + sizeof(Middle));
    });
    int64_t below = 0;
    for (int m : named) {
      below += middle(all, cut, m).weight;
      if (2 * below >= weight)
        return m;
    }
    return named.back();
  }

  /// How many of the own keys come before the pivot or are it.
  int64_t upTo(const std::vector<char> &all, size_t cut, int member) const {
    const SearchWindow &window = windows[cut];
    if (member < 0)
      return window.lo;
    if (member == slice.self)
      return middle(all, cut, member).at + 1;
    const char *pivot = row(all, cut, member) + sizeof(Middle);
    int64_t lo = window.lo, hi = window.hi;
    while (lo < hi) {
      int64_t at = lo + (hi - lo) / 2;
      bool isUpTo = slice.self < member ? !order.isBefore(pivot, key(at))
                                        : order.isBefore(key(at), pivot);
      (isUpTo ? lo : hi) = isUpTo ? at + 1 : at;
    }
    return lo;
  }

  const char *key(int64_t at) const {
    return keys + static_cast<size_t>(at) * order.keySize;
  }

  Transport &transport;
  const Slice &slice;
  const Order &order;
  const char *keys;
  int64_t count;
  const std::vector<int64_t> &firsts;
  std::vector<SearchWindow> windows;
  size_t rowSize;
};

} // namespace

std::vector<int64_t> splitKeys(Transport &transport, const Slice &slice,
                               const Order &order, const char *keys,
                               int64_t count,
                               const std::vector<int64_t> &firsts) {
  return Splitter(transport, slice, order, keys, count, firsts).run();
}

} // namespace zrt
