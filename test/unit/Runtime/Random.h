//===- Random.h - Numbers for made-up cases ---------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Random numbers from a seed, for tests that make up their cases.
///
//===----------------------------------------------------------------------===//

#ifndef ZRT_TEST_RANDOM_H
#define ZRT_TEST_RANDOM_H

#include <cstdint>
#include <random>

/// Calls give numbers of lo..hi, the same ones for the same seed.
class Random {
public:
  explicit Random(unsigned seed) : engine(seed) {}
  int64_t operator()(int64_t lo, int64_t hi) {
    return std::uniform_int_distribution<int64_t>(lo, hi)(engine);
  }

private:
  std::mt19937 engine;
};

#endif // ZRT_TEST_RANDOM_H
