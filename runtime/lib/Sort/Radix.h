//===- Radix.h - Sorting numbers by their digits ----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Numbers are distributed by their last digit of eight bits, then by the one
/// before, each time in the order that they have (an LSD radix sort). A place
/// where all have one digit is left out. What is too long for the caches is
/// distributed by its first digit before, and then part by part; few numbers
/// are inserted one by one.
///
/// Cost: of n numbers of w bits n * w / 8 moves, one of them to memory.
///
//===----------------------------------------------------------------------===//

#ifndef ZRT_SORT_RADIX_H
#define ZRT_SORT_RADIX_H

#include "Sort/Order.h"

#include <algorithm>
#include <array>
#include <utility>

namespace zrt {

/// A number and where it was.
template <typename Code> struct PlacedCode {
  Code code;
  Place place;
};

template <typename Code> Code codeOf(Code code) { return code; }
template <typename Code> Code codeOf(const PlacedCode<Code> &item) {
  return item.code;
}

template <typename Item> void insertionSort(Item *items, int64_t count) {
  for (int64_t i = 1; i < count; ++i) {
    Item item = items[i];
    int64_t k = i;
    for (; k > 0 && codeOf(item) < codeOf(items[k - 1]); --k)
      items[k] = items[k - 1];
    items[k] = item;
  }
}

/// What these sorts know of their numbers.
template <typename Item> struct Radix {
  using Code = decltype(codeOf(std::declval<const Item &>()));
  static constexpr int Bits = 8, Digits = 1 << Bits;
  static constexpr int Places = int(sizeof(Code));
  static constexpr int64_t Few = 64, Cached = (1 << 18) / int64_t(sizeof(Item));
  using Counts = std::array<int64_t, Digits>;

  static size_t digit(const Item &item, int place) {
    return codeOf(item) >> (place * Bits) & (Digits - 1);
  }
  /// Where the items of each digit begin.
  static void accumulate(Counts &counts) {
    int64_t before = 0;
    for (int64_t &digit : counts)
      digit = std::exchange(before, before + digit);
  }
  static void distribute(const Item *items, int64_t count, int place,
                         Counts &next, Item *to) {
    for (int64_t i = 0; i < count; ++i)
      to[next[digit(items[i], place)]++] = items[i];
  }

  /// By the last \p places digits; returns where the items are then.
  static Item *sortCached(Item *items, Item *spare, int64_t count, int places) {
    if (count <= Few) {
      insertionSort(items, count);
      return items;
    }
    std::array<Counts, Places> counts = {};
    bool isSorted = true;
    for (int64_t i = 0; i < count; ++i) {
      isSorted &= i == 0 || codeOf(items[i - 1]) <= codeOf(items[i]);
      for (int place = 0; place < places; ++place)
        ++counts[size_t(place)][digit(items[i], place)];
    }
    for (int place = 0; place < places && !isSorted; ++place) {
      Counts &next = counts[size_t(place)];
      if (next[digit(items[0], place)] == count)
        continue;
      accumulate(next);
      distribute(items, count, place, next, spare);
      std::swap(items, spare);
    }
    return items;
  }

  /// By the last \p places digits; the items are at \p items again.
  static void sort(Item *items, Item *spare, int64_t count, int places) {
    if (count <= Cached || places < 2) {
      if (Item *at = sortCached(items, spare, count, places); at != items)
        std::copy_n(at, count, items);
      return;
    }
    Counts next = {};
    bool isSorted = true;
    for (int64_t i = 0; i < count; ++i) {
      isSorted &= i == 0 || codeOf(items[i - 1]) <= codeOf(items[i]);
      ++next[digit(items[i], places - 1)];
    }
    if (isSorted)
      return;
    if (next[digit(items[0], places - 1)] == count)
      return sort(items, spare, count, places - 1);
    accumulate(next);
    distribute(items, count, places - 1, next, spare);
    int64_t from = 0;
    for (int64_t to : next) {
      sortInto(items + from, spare + from, to - from, places - 1);
      from = to;
    }
  }

  /// Those at \p spare, in order, to \p items.
  static void sortInto(Item *items, Item *spare, int64_t count, int places) {
    Item *at = spare;
    if (count <= Cached)
      at = sortCached(spare, items, count, places);
    else
      sort(spare, items, count, places);
    if (at != items)
      std::copy_n(at, count, items);
  }
};

/// Puts \p items into ascending order, with room for as many at \p spare.
template <typename Item>
void radixSort(Item *items, Item *spare, int64_t count) {
  Radix<Item>::sort(items, spare, count, Radix<Item>::Places);
}

} // namespace zrt

#endif // ZRT_SORT_RADIX_H
