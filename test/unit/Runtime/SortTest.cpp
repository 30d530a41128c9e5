//===- SortTest.cpp - Orders of one processor, cuts of the whole ----------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keys are sorted and merged as std::stable_sort does it, for every kind of
// number and any length; cuts are exact whatever is equal and wherever it is.
//
//===----------------------------------------------------------------------===//

#include "Sort/Order.h"
#include "Sort/Splitting.h"
#include "Transport/shm/ShmTransport.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numeric>
#include <random>
#include <thread>

using namespace zrt;

namespace {

template <typename T> zrt_type typeOf(zrt_kind kind) {
  zrt_type type = {};
  type.kind = kind;
  type.size = sizeof(T);
  return type;
}

template <typename T> ElementView viewOf(std::vector<T> &values) {
  ElementView view;
  view.rank = 1;
  view.count[0] = static_cast<int64_t>(values.size());
  view.step[0] = sizeof(T);
  view.base = reinterpret_cast<char *>(values.data());
  return view;
}

/// Sorts \p values and compares with std::stable_sort.
template <typename T>
void expectSorted(zrt_kind kind, std::vector<T> values, bool isDescending) {
  std::vector<Place> wanted(values.size());
  std::iota(wanted.begin(), wanted.end(), 0);
  std::stable_sort(wanted.begin(), wanted.end(), [&](Place a, Place b) {
    return isDescending ? values[b] < values[a] : values[a] < values[b];
  });
  int64_t count = static_cast<int64_t>(values.size());
  auto order = orderOf(typeOf<T>(kind), isDescending, nullptr);
  for (bool isPlaced : {false, true}) {
    Buffer<char> keys(count * int64_t(order->keySize));
    std::vector<Place> places(values.size());
    order->load(viewOf(values), keys.data());
    order->sort(keys, count, isPlaced ? places.data() : nullptr);
    std::vector<T> sorted(values.size());
    order->store(keys.data(), viewOf(sorted));
    for (size_t i = 0; i < values.size(); ++i)
      ASSERT_EQ(sorted[i], values[wanted[i]]) << kind << " at " << i;
    if (isPlaced)
      ASSERT_EQ(places, wanted) << kind;
  }
}

template <typename T> void expectSorted(zrt_kind kind) {
  std::mt19937_64 random(7);
  for (int64_t count : {0, 1, 2, 63, 64, 65, 1000, 70000})
    for (int bits : {2, 9, 64})
      for (bool isDescending : {false, true}) {
        std::vector<T> values(static_cast<size_t>(count));
        for (T &value : values)
          value = static_cast<T>(static_cast<int64_t>(random()) >> (64 - bits));
        expectSorted(kind, values, isDescending);
      }
}

TEST(Sort, AllKindsOfNumbers) {
  expectSorted<uint8_t>(ZRT_U8);
  expectSorted<int8_t>(ZRT_I8);
  expectSorted<int16_t>(ZRT_I16);
  expectSorted<uint16_t>(ZRT_U16);
  expectSorted<int32_t>(ZRT_I32);
  expectSorted<uint32_t>(ZRT_U32);
  expectSorted<int64_t>(ZRT_I64);
  expectSorted<uint64_t>(ZRT_U64);
  expectSorted<float>(ZRT_F32);
  expectSorted<double>(ZRT_F64);
  expectSorted<long double>(ZRT_F80);
}

TEST(Sort, InOrderAlready) {
  std::vector<int32_t> values(300000);
  std::iota(values.begin(), values.end(), -1000);
  expectSorted(ZRT_I32, values, false);
  expectSorted(ZRT_I32, values, true);
}

TEST(Sort, FloatingValuesOfAllKinds) {
  double inf = INFINITY;
  std::vector<double> values = {NAN,  0.0, -inf, -0.0, 1e-310,
                                -NAN, inf, -5,   -0.0};
  auto order = orderOf(typeOf<double>(ZRT_F64), false, nullptr);
  Buffer<char> keys(int64_t(values.size() * order->keySize));
  order->load(viewOf(values), keys.data());
  order->sort(keys, int64_t(values.size()), nullptr);
  order->store(keys.data(), viewOf(values));
  std::vector<double> wanted = {-inf, -5, -0.0, -0.0, 0.0, 1e-310, inf};
  for (size_t i = 0; i < wanted.size(); ++i) {
    EXPECT_EQ(values[i], wanted[i]);
    EXPECT_EQ(std::signbit(values[i]), std::signbit(wanted[i]));
  }
  EXPECT_TRUE(std::isnan(values[7]) && std::isnan(values[8]));
}

/// Cuts lists of numbers in order at \p firsts, and compares with the cuts of
/// the whole, sorted by (number, processor).
void expectCuts(const std::vector<std::vector<int32_t>> &lists,
                const std::vector<int64_t> &firsts) {
  struct Item {
    int32_t number;
    size_t processor;
  };
  std::vector<Item> whole;
  for (size_t p = 0; p < lists.size(); ++p)
    for (int32_t number : lists[p])
      whole.push_back({number, p});
  std::stable_sort(
      whole.begin(), whole.end(),
      [](const Item &a, const Item &b) { return a.number < b.number; });
  auto transports = shm::makeThreadTransports(static_cast<int>(lists.size()));
  std::vector<std::vector<int64_t>> cuts(lists.size());
  std::vector<std::thread> threads;
  auto order = orderOf(typeOf<int32_t>(ZRT_I32), false, nullptr);
  for (size_t p = 0; p < lists.size(); ++p)
    threads.emplace_back([&, p] {
      std::vector<int32_t> own = lists[p];
      Buffer<char> keys(int64_t(own.size() * order->keySize));
      order->load(viewOf(own), keys.data());
      Slice slice = everybody(*transports[p]);
      cuts[p] = splitKeys(*transports[p], slice, *order, keys.data(),
                          int64_t(own.size()), firsts);
      transports[p]->finish();
    });
  for (std::thread &thread : threads)
    thread.join();
  for (size_t k = 0; k < firsts.size(); ++k) {
    std::vector<int64_t> wanted(lists.size());
    for (int64_t i = 0; i < firsts[k]; ++i)
      ++wanted[whole[size_t(i)].processor];
    for (size_t p = 0; p < lists.size(); ++p)
      EXPECT_EQ(cuts[p][k], wanted[p]) << "cut " << k << " of " << p;
  }
}

TEST(Sort, CutsAreExact) {
  std::mt19937 random(3);
  for (int most : {1, 3, 1000000})
    for (size_t processors : {1, 2, 3, 5}) {
      std::vector<std::vector<int32_t>> lists(processors);
      int64_t all = 0;
      for (size_t p = 0; p < processors; ++p) {
        lists[p].resize(p % 3 == 1 ? 0 : random() % 400);
        for (int32_t &number : lists[p])
          number = int32_t(random() % unsigned(most));
        std::sort(lists[p].begin(), lists[p].end());
        all += int64_t(lists[p].size());
      }
      expectCuts(lists, {0, all / 5, all / 3, all / 3, all / 2, all});
    }
}

} // namespace
