//===- PairOrder.cpp - Whom an exchange goes to first ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In a transpose everybody sends to everybody. By the partners' numbers all send
// to processor 0 first, whose messages wait for each other, then to processor 1.
// In rounds they do so in permutations: in round r the processors p and r - p
// (modulo P) meet, so each has one partner,
//
//     P = 4     round 0    1    2    3
//     processor 0     0    1    2    3
//               1     3    0    1    2
//               2     2    3    0    1
//               3     1    2    3    0
//
// and sends and receives at the same time (Brewer's rule of permutations, after
// Strata). Nothing keeps processors in step; where one lags, its messages come
// late and others wait for them.
//
// Cost: a sort of the partners, when a plan is made.
//
//===----------------------------------------------------------------------===//

#include "Transport/PairOrder.h"

#include "Machine/RunFigures.h"

#include <algorithm>

void zrt::orderPairs(const Transport &transport, std::vector<Pair> &pairs) {
  if (static_cast<double>(pairs.size()) < runFigures().roundsFrom)
    return;
  int self = transport.rank(), size = transport.size();
  std::stable_sort(
      pairs.begin(), pairs.end(), [&](const Pair &a, const Pair &b) {
        return (a.partner + self) % size < (b.partner + self) % size;
      });
}
