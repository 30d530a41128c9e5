//===- Statistics.cpp - Student's t and how good a model is ---------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For whole degrees of freedom, the probability that |T| <= t is a finite sum
// (Abramowitz and Stegun, 26.7.3 and 26.7.4), with a = atan(t / sqrt(n)):
//
//     n odd    2/pi (a + sin a (cos a + 2/3 cos^3 a + ... cos^(n-2) a))
//     n even   sin a (1 + 1/2 cos^2 a + 1*3/(2*4) cos^4 a + ... cos^(n-2) a)
//
// It grows with t, which is found by halving an interval.
//
//===----------------------------------------------------------------------===//

#include "zpl/Cost/Statistics.h"
#include "llvm/ADT/STLExtras.h"
#include <cassert>
#include <cmath>
#include <numbers>

using namespace llvm;

namespace zpl {

/// The probability that |T| <= t.
static double probabilityWithin(double t, unsigned freedom) {
  double angle = std::atan(t / std::sqrt(double(freedom)));
  double cosine = std::cos(angle), sum = 0;
  double power = freedom % 2 ? cosine : 1;
  for (unsigned k = freedom % 2 ? 1 : 0; k + 2 <= freedom; k += 2) {
    sum += power;
    power *= cosine * cosine * (k + 1) / (k + 2);
  }
  double part = std::sin(angle) * sum;
  return freedom % 2 ? 2 / std::numbers::pi * (angle + part) : part;
}

double studentT(double confidence, unsigned freedom) {
  assert(freedom > 0 && confidence > 0 && confidence < 1);
  double low = 0, high = 1;
  while (high < 1e15 && probabilityWithin(high, freedom) < confidence)
    high *= 2;
  for (int step = 0; step < 100; ++step) {
    double middle = (low + high) / 2;
    (probabilityWithin(middle, freedom) < confidence ? low : high) = middle;
  }
  return high;
}

double meanRelativeError(ArrayRef<double> values,
                         ArrayRef<double> predictions) {
  if (values.empty())
    return 0;
  double logarithms = 0;
  for (auto [y, predicted] : zip_equal(values, predictions))
    logarithms += std::log1p(std::abs((y - predicted) / y));
  return std::expm1(logarithms / double(values.size()));
}

double explainedVariance(ArrayRef<double> values,
                         ArrayRef<double> predictions) {
  double mean = 0, errors = 0, all = 0;
  for (double y : values)
    mean += y / double(values.size());
  for (auto [y, predicted] : zip_equal(values, predictions)) {
    errors += (y - predicted) * (y - predicted);
    all += (y - mean) * (y - mean);
  }
  return all > 0 ? 1 - errors / all : 0;
}

} // namespace zpl
