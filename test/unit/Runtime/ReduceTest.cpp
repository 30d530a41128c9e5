//===- ReduceTest.cpp - Reductions of every kind of value -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All processors get the same bits, for every kind, operator and number of
// processors; integers wrap, and floating maxima and minima skip NaN. States of
// a program are combined in the order of the processors.
//
//===----------------------------------------------------------------------===//

#include "Collective/Collective.h"
#include "Transport/shm/ShmTransport.h"

#include <gtest/gtest.h>

#include <array>
#include <cctype>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <thread>

using namespace zrt;

namespace {

/// Reduces values[p] of processor p; the bytes must be the same on all. \p
/// padding fills what does not belong to the value before.
template <typename T>
T reduced(const std::vector<T> &values, zrt_kind kind,
          zrt_reduction reduction) {
  int count = static_cast<int>(values.size());
  auto transports = shm::makeThreadTransports(count);
  std::vector<std::vector<unsigned char>> results(
      values.size(), std::vector<unsigned char>(sizeof(T)));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < count; ++rank)
    threads.emplace_back([&, rank] {
      alignas(16) unsigned char bytes[sizeof(T)];
      std::memset(bytes, rank + 1, sizeof bytes);
      std::memcpy(bytes, &values[rank], sizeof(T) == 16 ? 10 : sizeof(T));
      reduce(*transports[rank], bytes, kind, reduction);
      std::memcpy(results[rank].data(), bytes, sizeof(T));
      transports[rank]->finish();
    });
  for (std::thread &thread : threads)
    thread.join();
  for (const auto &result : results)
    EXPECT_EQ(result, results[0]);
  T value;
  std::memcpy(&value, results[0].data(), sizeof(T));
  return value;
}

template <typename T> void expectInteger(zrt_kind kind) {
  constexpr T Most = std::numeric_limits<T>::max();
  constexpr T Least = std::numeric_limits<T>::min();
  std::vector<T> values = {3, Most, Least, 5};
  using Wide = uint64_t;
  Wide sum = 0, product = 1;
  for (T value : {T(3), T(2), T(7)}) {
    sum += static_cast<Wide>(value);
    product *= static_cast<Wide>(value);
  }
  EXPECT_EQ(reduced<T>({3, 2, 7}, kind, ZRT_SUM), static_cast<T>(sum));
  EXPECT_EQ(reduced<T>({3, 2, 7}, kind, ZRT_PRODUCT), static_cast<T>(product));
  EXPECT_EQ(reduced<T>({Most, 1}, kind, ZRT_SUM), Least) << "wraps";
  EXPECT_EQ(reduced<T>({Most, Most}, kind, ZRT_PRODUCT), T(1)) << "wraps";
  EXPECT_EQ(reduced<T>(values, kind, ZRT_MAX), Most);
  EXPECT_EQ(reduced<T>(values, kind, ZRT_MIN), Least);
  EXPECT_EQ(reduced<T>({3, 0, 5}, kind, ZRT_AND), T(0));
  EXPECT_EQ(reduced<T>({3, 4, 5}, kind, ZRT_AND), T(1));
  EXPECT_EQ(reduced<T>({0, 4, 0}, kind, ZRT_OR), T(1));
  EXPECT_EQ(reduced<T>({4}, kind, ZRT_OR), T(1)) << "on one processor too";
}

TEST(Reduce, IntegersOfAllKinds) {
  expectInteger<uint8_t>(ZRT_CHAR);
  expectInteger<int8_t>(ZRT_I8);
  expectInteger<uint8_t>(ZRT_U8);
  expectInteger<int16_t>(ZRT_I16);
  expectInteger<uint16_t>(ZRT_U16);
  expectInteger<int32_t>(ZRT_I32);
  expectInteger<uint32_t>(ZRT_U32);
  expectInteger<int64_t>(ZRT_I64);
  expectInteger<uint64_t>(ZRT_U64);
  expectInteger<int32_t>(ZRT_ENUM);
  EXPECT_EQ(reduced<uint8_t>({1, 0, 1}, ZRT_BOOL, ZRT_AND), 0);
  EXPECT_EQ(reduced<uint8_t>({0, 0, 1}, ZRT_BOOL, ZRT_MAX), 1);
}

template <typename T> void expectFloating(zrt_kind kind) {
  constexpr T NaN = std::numeric_limits<T>::quiet_NaN();
  constexpr T Infinity = std::numeric_limits<T>::infinity();
  EXPECT_EQ(reduced<T>({T(0.5), 2, 4}, kind, ZRT_SUM), T(6.5));
  EXPECT_EQ(reduced<T>({T(0.5), 2, 4}, kind, ZRT_PRODUCT), T(4));
  EXPECT_EQ(reduced<T>({NaN, -2, -4}, kind, ZRT_MAX), T(-2));
  EXPECT_EQ(reduced<T>({3, NaN, 4, NaN}, kind, ZRT_MIN), T(3));
  EXPECT_TRUE(std::isnan(reduced<T>({NaN, -2, -4}, kind, ZRT_MAXNAN)));
  EXPECT_TRUE(std::isnan(reduced<T>({3, 4, -NaN}, kind, ZRT_MINNAN)));
  EXPECT_FALSE(std::signbit(reduced<T>({3, 4, -NaN}, kind, ZRT_MINNAN)));
  EXPECT_EQ(reduced<T>({1, -2, 4}, kind, ZRT_MAXNAN), T(4));
  EXPECT_EQ(reduced<T>({1, -2, 4}, kind, ZRT_MINNAN), T(-2));
  EXPECT_EQ(reduced<T>({NaN}, kind, ZRT_MAX), -Infinity);
  EXPECT_EQ(reduced<T>({NaN, NaN}, kind, ZRT_MIN), Infinity);
  EXPECT_FALSE(std::signbit(reduced<T>({-T(0), -T(0)}, kind, ZRT_MAX)));
  EXPECT_TRUE(std::isnan(reduced<T>({NaN, 1}, kind, ZRT_SUM)));
  EXPECT_EQ(reduced<T>({T(0.25), 2, 3}, kind, ZRT_AND), T(1));
  EXPECT_EQ(reduced<T>({0, -T(0), 0}, kind, ZRT_OR), T(0));
}

TEST(Reduce, FloatingValuesOfAllKinds) {
  expectFloating<float>(ZRT_F32);
  expectFloating<double>(ZRT_F64);
  expectFloating<long double>(ZRT_F80);
  long double fine = 1 + std::numeric_limits<long double>::epsilon();
  EXPECT_EQ(reduced<long double>({fine, 1}, ZRT_F80, ZRT_MAX), fine);
}

/// A text of at most 16 letters: the order of combining shows. What is left in
/// `before` must not matter.
struct Letters {
  char text[17];
};

void append(void *before, void *state) {
  auto *a = static_cast<Letters *>(before);
  auto *b = static_cast<Letters *>(state);
  std::string both = std::string(a->text) + b->text;
  std::strcpy(b->text, both.c_str());
  std::strcpy(a->text, "destroyed");
}

TEST(Reduce, StatesAreCombinedInOrder) {
  std::string expected;
  for (int count = 1; count <= 7; ++count) {
    expected += static_cast<char>('a' + count - 1);
    auto transports = shm::makeThreadTransports(count);
    std::vector<std::array<Letters, 2>> states(static_cast<size_t>(count));
    std::vector<std::thread> threads;
    for (int rank = 0; rank < count; ++rank)
      threads.emplace_back([&, rank] {
        auto &own = states[rank];
        own = {};
        own[0].text[0] = static_cast<char>('a' + rank);
        own[1].text[0] = static_cast<char>('A' + rank);
        reduceStates(*transports[rank], everybody(*transports[rank]),
                     own.data(), 2, sizeof(Letters), append);
        transports[rank]->finish();
      });
    for (std::thread &thread : threads)
      thread.join();
    for (const auto &own : states) {
      EXPECT_EQ(own[0].text, expected);
      for (size_t k = 0; k < expected.size(); ++k)
        EXPECT_EQ(own[1].text[k], std::toupper(expected[k]));
    }
  }
}

} // namespace
