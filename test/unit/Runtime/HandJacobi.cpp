//===- HandJacobi.cpp - A program as the compiler would write it ----------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The Jacobi iteration of examples/jacobi.z, translated by hand to the calls of
// zrt/Abi.h: what generated code does, without a compiler. test/unit/Runtime
// runs it on every transport and several processor counts; its output has the
// same bytes for all of them.
//
//     config var n: integer = 8;  epsilon: double = 1e-3;  verbose: boolean;
//     region R = [1..n, 1..n];  BigR = [0..n+1, 0..n+1];
//     var A: [BigR] double;  New: [R] double;
//
//===----------------------------------------------------------------------===//

#include "HandProgram.h"
#include "HandRegions.h"

#include <cmath>
#include <limits>

namespace {

int32_t n = 8;
double epsilon = 1e-3;
uint8_t verbose = 0;
zrt_region regionR, bigR;
zrt_array A, New;
zrt_transfer transfer;
const zrt_loc here = {"jacobi.z", 20, 3};

zrt_region square(const char *name, int64_t lo, int64_t hi) {
  zrt_region region = {};
  region.name = name;
  region.rank = 2;
  region.dim[0] = region.dim[1] = hand::range(lo, hi);
  return region;
}

template <typename Body> void forOwn(const zrt_region &region, Body body) {
  hand::forOwn(region, [&](const int64_t *i) { body(i[0], i[1]); });
}

double &at(const zrt_array &array, int64_t i, int64_t j) {
  return *reinterpret_cast<double *>(array.origin + i * array.pitch[0] +
                                     j * array.pitch[1]);
}

void initialize() {
  zrtA_config_given(0, &n);
  zrtA_config_given(1, &epsilon);
  zrtA_config_given(2, &verbose);
  regionR = square("R", 1, n);
  bigR = square("BigR", 0, static_cast<int64_t>(n) + 1);
  zrtA_region_check(&bigR, &here);
  zrtA_region_declare(&regionR);
  zrtA_region_declare(&bigR);
  zrt_fluff fluff = {{1, 1}, {1, 1}, 0, 0};
  zrtA_array_new(&A, &bigR, &hand::Double, &fluff, nullptr, 0, "A", &here);
  zrtA_array_new(&New, &regionR, &hand::Double, nullptr, nullptr, 0, "New",
                 &here);
}

double sweep() {
  static const int64_t directions[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
  zrt_shift shifts[4] = {};
  for (int k = 0; k < 4; ++k) {
    shifts[k].array = &A;
    shifts[k].direction[0] = directions[k][0];
    shifts[k].direction[1] = directions[k][1];
    zrtA_check_read(&A, &regionR, shifts[k].direction, "A@d", &here);
  }
  zrtA_at_dr(&transfer, &regionR, shifts, 4, &here);
  zrtA_at_sr(&transfer);
  zrtA_at_dn(&transfer);
  double delta = -std::numeric_limits<double>::infinity();
  forOwn(regionR, [&](int64_t i, int64_t j) {
    at(New, i, j) = (at(A, i - 1, j) + at(A, i + 1, j) + at(A, i, j - 1) +
                     at(A, i, j + 1)) /
                    4.0;
    delta = std::max(delta, std::fabs(at(A, i, j) - at(New, i, j)));
  });
  zrtA_at_sv(&transfer);
  zrtA_reduce(&delta, ZRT_F64, ZRT_MAX, &regionR, &here);
  forOwn(regionR, [](int64_t i, int64_t j) { at(A, i, j) = at(New, i, j); });
  return delta;
}

void entry() {
  zrt_region south = bigR;
  south.dim[0].lo = south.dim[0].hi;
  forOwn(south, [](int64_t i, int64_t j) { at(A, i, j) = 1.0; });
  int32_t iterations = 0;
  do
    ++iterations;
  while (sweep() >= epsilon);

  zrtA_write(ZRT_ZOUT, "%d iterations\n", &iterations, &hand::Integer, &here);
  zrtA_write_array(ZRT_ZOUT, nullptr, &A, &bigR, &here);
  if (verbose) {
    // [R] A at [2, 1]: a distance that fluff does not cover
    zrt_region inner = square(nullptr, 1, n - 1);
    zrt_array shifted;
    const int64_t direction[] = {2, 1};
    zrt_view far = {&shifted, direction, 0};
    zrtA_array_shift(&A, &inner, &far, 1, &here);
    zrtA_write_array(ZRT_ZOUT, "%.3e ", &shifted, &inner, &here);
    zrtA_array_free(&shifted, &here);
    const char *done = "done";
    zrtA_write(ZRT_ZERR, "%s\n", &done, &hand::String, &here);
  }
  zrtA_array_free(&New, &here);
  zrtA_array_free(&A, &here);
}

} // namespace

int main(int argc, char **argv) {
  const zrt_config configs[] = {
      {"n", &hand::Integer, "8", "size of the grid"},
      {"epsilon", &hand::Double, "1e-3", "where to stop"},
      {"verbose", &hand::Boolean, "false", ""}};
  return hand::runProgram(argc, argv, "jacobi", configs, initialize, entry);
}
