//===- Trials.cpp - Which way of a loop is the fastest --------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The ways take turns, so that what else the machine does hits all of them:
///
///     execution   0      1  2  3   4  5  6   7 ...
///     way         0      0  1  2   0  1  2   0
///                 warms up, not measured
///
/// A turn lasts until its executions have taken some 50 us together, which the
/// clock's own time is little of. A loop that takes less than 200 ns is left to
/// the models: 256 executions would not fill a turn, and asking would cost more
/// than there is to gain. The least of a way's turns counts, since others only
/// add to a time. There are rounds until the two least turns of the best way
/// agree, and those of the models' way, but no more than twelve. A way that is
/// far behind gets no more turns.
///
/// Another way than the models' must be faster by 3 %. All these numbers are
/// figures of the machine, `trial.*` of zrt/RunFigures.def; these are usual.
///
/// Cost: for each execution until it is settled, two looks at the clock and what
/// is above.
///
//===----------------------------------------------------------------------===//

#include "Entry/Tune/Trials.h"

#include "Machine/RunFigures.h"

#include <algorithm>
#include <limits>

using namespace zrt;

/// Of the least time, what a way is far behind with after so many rounds.
static double farBehind(int rounds) {
  return rounds == 1 ? runFigures().trialFarAtFirst : runFigures().trialFar;
}

int zrt::bestWay(const std::vector<double> &seconds) {
  auto least = std::min_element(seconds.begin(), seconds.end());
  return *least < (1 - runFigures().trialGain) * seconds[0]
             ? static_cast<int>(least - seconds.begin())
             : 0;
}

Trials::Trials(int ways)
    : least(static_cast<size_t>(ways), std::numeric_limits<double>::infinity()),
      second(least), isOut(static_cast<size_t>(ways), false) {}

void Trials::settle(int way) {
  settled = true;
  best = way;
}

void Trials::taken(double seconds, double indices) {
  if (settled)
    return;
  if (!isWarm) {
    isWarm = true;
    return;
  }
  ++executions;
  turnSeconds += seconds;
  turnIndices += indices;
  if (turnSeconds >= runFigures().trialTurn)
    endTurn();
  else if (executions >= runFigures().trialExecutions)
    settle(0);
}

void Trials::endTurn() {
  const double one = turnSeconds / turnIndices;
  double &own = least[static_cast<size_t>(current)];
  double &next = second[static_cast<size_t>(current)];
  next = std::min(next, std::max(own, one));
  own = std::min(own, one);
  executions = 0;
  turnSeconds = turnIndices = 0;
  if (nextWay())
    return;
  ++rounds;
  double most =
      farBehind(rounds) * *std::min_element(least.begin(), least.end());
  for (size_t way = 1; way < least.size(); ++way)
    isOut[way] = isOut[way] || least[way] > most;
  const RunFigures &figures = runFigures();
  if ((rounds >= figures.trialLeastRounds && isClear()) ||
      rounds >= figures.trialMostRounds)
    return settle(bestWay(least));
  current = 0;
}

/// Whether the times of the best way and the models' are no accidents.
bool Trials::isClear() const {
  double most = 1 + runFigures().trialAgreeing;
  auto agree = [&](size_t way) { return second[way] <= most * least[way]; };
  auto fastest = std::min_element(least.begin(), least.end()) - least.begin();
  return agree(0) && agree(static_cast<size_t>(fastest));
}

/// Goes on to the next way of the round; false if there is none.
bool Trials::nextWay() {
  do
    ++current;
  while (current < static_cast<int>(least.size()) &&
         isOut[static_cast<size_t>(current)]);
  return current < static_cast<int>(least.size());
}
