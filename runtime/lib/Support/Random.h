//===- Random.h - Pseudo-random numbers by number ---------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The generator is SplitMix64 (Steele, Lea and Flood, "Fast Splittable
/// Pseudorandom Number Generators", OOPSLA 2014): number k of a sequence is
/// start + k*gamma modulo 2^64, put through a mixing function, here the
/// thirteenth of those that Stafford found ("Better Bit Mixing", 2011). Gamma
/// is odd and the mixing is one to one, so each sequence goes through all 2^64
/// words before it repeats. There is no state but k: any element is computed
/// alone, on any processor.
///
//===----------------------------------------------------------------------===//

#ifndef ZRT_SUPPORT_RANDOM_H
#define ZRT_SUPPORT_RANDOM_H

#include <cstdint>

namespace zrt {

/// The sequences in use; where each starts.
enum class RandomSequence : uint64_t {
  Stepped = 0,                  ///< random()
  Numbered = 0x6A09E667F3BCC909 ///< ran(k)
};

/// Number \p k of a sequence: 64 random bits.
constexpr uint64_t randomBits(RandomSequence sequence, uint64_t k) {
  constexpr uint64_t Gamma = 0x9E3779B97F4A7C15; // 2^64 / the golden ratio
  uint64_t bits = static_cast<uint64_t>(sequence) + k * Gamma;
  bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9;
  bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB;
  return bits ^ (bits >> 31);
}

/// The same as a multiple of 2^-53 in [0, 1).
constexpr double randomDouble(RandomSequence sequence, uint64_t k) {
  return static_cast<double>(randomBits(sequence, k) >> 11) * 0x1p-53;
}

} // namespace zrt

#endif // ZRT_SUPPORT_RANDOM_H
