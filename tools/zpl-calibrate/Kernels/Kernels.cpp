//===- Kernels.cpp - Loops that are measured ------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Width.inc is compiled for vectors of 128 bits with what every x86-64 has, of
// 256 bits with AVX2 and of 512 bits with AVX-512; elsewhere for 128 bits, as
// the compiler translates vectors there. Which of them run is asked at run
// time.
//
//===----------------------------------------------------------------------===//

#include "Kernels/Kernels.h"

#include <cmath>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace calibrate {

#if defined(__x86_64__)

#define ZPL_NAMESPACE narrow
#define ZPL_TARGET
#define ZPL_BYTES 16
#define ZPL_STREAM(to, value) _mm_stream_pd(to, value)
#define ZPL_ROOT(x) _mm_sqrt_pd(x)
#define ZPL_GATHER(a, index) (Vector{(a)[(index)[0]], (a)[(index)[1]]})
#include "Kernels/Width.inc"

#define ZPL_NAMESPACE middle
#define ZPL_TARGET __attribute__((target("avx2,fma")))
#define ZPL_BYTES 32
#define ZPL_STREAM(to, value) _mm256_stream_pd(to, value)
#define ZPL_ROOT(x) _mm256_sqrt_pd(x)
#define ZPL_GATHER(a, index)                                                   \
  _mm256_i32gather_pd(                                                         \
      a, _mm_loadu_si128(reinterpret_cast<const __m128i *>(index)), 8)
#include "Kernels/Width.inc"

#define ZPL_NAMESPACE wide
#define ZPL_TARGET __attribute__((target("avx512f,avx512vl,avx512dq")))
#define ZPL_BYTES 64
#define ZPL_STREAM(to, value) _mm512_stream_pd(to, value)
#define ZPL_ROOT(x) _mm512_sqrt_pd(x)
#define ZPL_GATHER(a, index)                                                   \
  _mm512_i32gather_pd(                                                         \
      _mm256_loadu_si256(reinterpret_cast<const __m256i *>(index)), a, 8)
#include "Kernels/Width.inc"

std::vector<Kernels> availableKernels() {
  std::vector<Kernels> all = {narrow::All};
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    all.push_back(middle::All);
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512dq"))
    all.push_back(wide::All);
  return all;
}

#else

#define ZPL_NAMESPACE narrow
#define ZPL_TARGET
#define ZPL_BYTES 16
#define ZPL_STREAM(to, value) (*reinterpret_cast<Vector *>(to) = (value))
#define ZPL_ROOT(x) (Vector{std::sqrt((x)[0]), std::sqrt((x)[1])})
#define ZPL_GATHER(a, index) (Vector{(a)[(index)[0]], (a)[(index)[1]]})
#include "Kernels/Width.inc"

std::vector<Kernels> availableKernels() { return {narrow::All}; }

#endif

void keep(double value) {
  [[maybe_unused]] static volatile double place;
  place = value;
}

} // namespace calibrate
