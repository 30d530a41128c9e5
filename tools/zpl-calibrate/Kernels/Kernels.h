//===- Kernels.h - Loops that are measured ----------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each loop exists for every width of vectors that the architecture has, and
/// is compiled so whatever the compiler's own options are.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_CALIBRATE_KERNELS_H
#define ZPL_CALIBRATE_KERNELS_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace calibrate {

/// The loops for one width. Lengths are multiples of 64; arrays are aligned to
/// 64 bytes.
struct Kernels {
  int bits; ///< of a vector
  /// The sum of an array.
  double (*read)(const double *a, size_t n);
  /// That of \p streams arrays of n elements each, \p apart elements apart,
  /// which are read side by side.
  double (*readStreams)(const double *a, size_t n, size_t streams,
                        size_t apart);
  void (*fill)(double *a, size_t n);
  void (*fillStreamed)(double *a, size_t n);
  void (*copy)(double *to, const double *from, size_t n);
  void (*copyStreamed)(double *to, const double *from, size_t n);
  /// a := b + 3 c; what lies \p ahead elements ahead is asked for if it is not
  /// 0.
  void (*triad)(double *a, const double *b, const double *c, size_t n,
                size_t ahead);
  /// a := p(a) with a polynomial of degree 16, \p times times: 32 operations
  /// per element.
  void (*polynomial)(double *a, size_t n, int64_t times);
  /// A mean of five neighbours along rows.
  void (*stencil)(double *to, const double *from, size_t rows, size_t columns);
  /// Chains of dependent operations on whole vectors; \p times of each in as
  /// many chains as \p chains, 1 or 8.
  double (*add)(int64_t times, int chains);
  double (*multiply)(int64_t times, int chains);
  double (*divide)(int64_t times, int chains);
  double (*squareRoot)(int64_t times, int chains);
  /// The sum of a[index[i]].
  double (*gather)(const double *a, const int32_t *index, size_t n);
};

/// Those that this processor can run, the narrowest first; at least one.
std::vector<Kernels> availableKernels();

/// A place for results that nobody needs.
void keep(double value);

} // namespace calibrate

#endif // ZPL_CALIBRATE_KERNELS_H
