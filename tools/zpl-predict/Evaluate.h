//===- Evaluate.h - A model in numbers --------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_PREDICT_EVALUATE_H
#define ZPL_PREDICT_EVALUATE_H

#include "Model.h"
#include "Traffic.h"

#include <memory>

namespace predict {

/// What is asked.
struct Question {
  int processors = 1;
  std::map<std::string, double> values;     ///< of configs and inputs
  std::map<std::string, std::string> words; ///< values of enumerations
  zrt::GridRequest grid;                    ///< -g: extents that are given
};

/// More than this make plans that take too long.
inline constexpr int MostProcessors = 1 << 16;

/// Executions of an M-loop on one size of memory, on the processor with most
/// points: what an index takes, and how many there are.
struct LoopRun {
  const Entry *entry = nullptr;
  double points = 0;     ///< all executions together
  double arithmetic = 0; ///< the same times the repetitions of each index
  double workingSet = 0; ///< bytes of one processor
};

/// All operations of one kind at one place.
struct Line {
  std::string place, kind;
  double calls = 0;
  /// Of the processor with most points, in each M-loop: what it computes, by
  /// class of operation; and the mean of all.
  double operations = 0, memoryBytes = 0, meanOperations = 0;
  std::vector<LoopRun> runs;
  /// What others compute meanwhile that the last processor of a wave waits for.
  double waitingOperations = 0, waitingBytes = 0;
  double messages = 0, bytes = 0; ///< of all processors
  /// What is sent, and how often.
  std::vector<std::pair<std::shared_ptr<const Traffic>, double>> traffic;
  bool isEstimate = false;
};

/// A model in numbers.
struct Evaluation {
  int processors = 1;
  std::vector<Line> lines; ///< in the order of the program
  double messages = 0, bytes = 0;
  int owners = 1;         ///< processors that have indices of some rank
  bool isSampled = false; ///< of long loops not each iteration was looked at
};

/// Evaluates \p model. Nothing, with a sentence in \p error, if a name is
/// unknown, a number is missing, something has no value (a quotient by zero) or
/// the processors make no such grid.
std::optional<Evaluation> evaluate(const Model &model, const Question &question,
                                   const CollectiveCosts &costs,
                                   std::string &error);

} // namespace predict

#endif // ZPL_PREDICT_EVALUATE_H
