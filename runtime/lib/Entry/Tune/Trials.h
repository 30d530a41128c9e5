//===- Trials.h - Which way of a loop is the fastest ------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_TUNE_TRIALS_H
#define ZRT_ENTRY_TUNE_TRIALS_H

#include <cstdint>
#include <vector>

namespace zrt {

/// The way with the least of these seconds for each index; 0, the models'
/// choice, unless another one has clearly less. Infinite: not measured.
int bestWay(const std::vector<double> &seconds);

/// The executions of one loop at about one size, of which each takes a way,
/// until it is clear which is the fastest.
class Trials {
public:
  /// \p ways: at least 2.
  explicit Trials(int ways);

  /// The way that the next execution takes.
  int way() const { return settled ? best : current; }

  /// An execution has taken way(), \p seconds for \p indices indices.
  void taken(double seconds, double indices);

  /// Whether way() stays what it is.
  bool isSettled() const { return settled; }

  /// Of each way the least seconds for an index, infinite if it has none.
  const std::vector<double> &seconds() const { return least; }

private:
  void endTurn();
  bool nextWay();
  bool isClear() const;
  void settle(int way);

  std::vector<double> least, second; ///< of the turns of each way
  std::vector<bool> isOut;           ///< far slower than another one
  int current = 0, best = 0;
  bool isWarm = false, settled = false;
  int rounds = 0;
  // Of the turn at hand.
  int executions = 0;
  double turnSeconds = 0, turnIndices = 0;
};

} // namespace zrt

#endif // ZRT_ENTRY_TUNE_TRIALS_H
