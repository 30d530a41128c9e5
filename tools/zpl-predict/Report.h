//===- Report.h - Predictions for people ------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_PREDICT_REPORT_H
#define ZPL_PREDICT_REPORT_H

#include "Options.h"
#include "Time.h"

namespace llvm {
class raw_ostream;
}

namespace predict {

/// Calls, messages and bytes by line.
void printCounts(const Evaluation &evaluation, llvm::raw_ostream &os);

/// What is predicted for one machine, by line.
void printTimes(const Model &model, const Question &question,
                const Evaluation &evaluation, const Target &target,
                llvm::raw_ostream &os);

/// By how many percent the time grows with one percent more of a coefficient.
void printElasticity(const Evaluation &evaluation, const Target &target,
                     llvm::raw_ostream &os);

/// A point of a speed-up curve.
struct Point {
  int processors = 1;
  double seconds = 0, communicating = 0;
};
struct Curve {
  std::string name;
  std::vector<Point> points;
};
void printSpeedup(const Curve &curve, llvm::raw_ostream &os);

/// The curves as a picture, both axes logarithmic.
void drawSpeedup(llvm::StringRef title, llvm::ArrayRef<Curve> curves,
                 llvm::raw_ostream &os);

/// One machine among several.
struct Comparison {
  std::string name;
  double seconds, communicating, imbalance;
};
void printComparison(llvm::ArrayRef<Comparison> machines,
                     llvm::raw_ostream &os);

/// A program over machines.
struct TableCell {
  double seconds, communicating;
};
struct TableRow {
  std::string name, problem;
  std::vector<TableCell> cells;
};
void printRows(const std::vector<std::string> &machines,
               llvm::ArrayRef<TableRow> rows, llvm::raw_ostream &os);

/// "0.5".
std::string formatNumber(double number);

/// "1.23 ms".
std::string timeText(double seconds);

} // namespace predict

#endif // ZPL_PREDICT_REPORT_H
