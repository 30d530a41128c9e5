//===- build.cpp - The matrix of build.z, made with Eigen -------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <Eigen/SparseCore>
#include <chrono>
#include <cstdio>
#include <vector>

int main() {
  auto start = std::chrono::steady_clock::now();
  const int n = SIDE * SIDE;
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(size_t(5) * size_t(n));
  for (int row = 0; row < SIDE; ++row)
    for (int column = 0; column < SIDE; ++column) {
      int i = row * SIDE + column;
      if (row > 0)
        entries.emplace_back(i, i - SIDE, -1);
      if (column > 0)
        entries.emplace_back(i, i - 1, -1);
      entries.emplace_back(i, i, 4);
      if (column + 1 < SIDE)
        entries.emplace_back(i, i + 1, -1);
      if (row + 1 < SIDE)
        entries.emplace_back(i, i + SIDE, -1);
    }
  Eigen::SparseMatrix<double, Eigen::RowMajor> a(n, n);
  a.setFromTriplets(entries.begin(), entries.end());
  std::chrono::duration<double> taken =
      std::chrono::steady_clock::now() - start;
  double sum = 0;
  for (int i = 0; i < n; ++i)
    for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator it(a, i);
         it; ++it)
      sum += it.value() * double((it.col() + 1) % 8);
  std::printf("build seconds %.6f result %.17g\n", taken.count(), sum);
}
