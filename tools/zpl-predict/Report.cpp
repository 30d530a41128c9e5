//===- Report.cpp - Predictions for people --------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     jacobi on A cluster on InfiniBand HDR (network), 4 processors
//     place         operation  calls  messages  bytes  computing  communicating
//     jacobi.z:41   transfer      10        80   6400          -        20.7 us
//     ...
//     time 61.2 us, communication 84.9 %, imbalance 1.00
//
// Lines are in the order of their time, as in --profile.
//
//===----------------------------------------------------------------------===//

#include "Report.h"

#include "zpl/Cost/Select.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <numeric>

using namespace llvm;

namespace predict {

std::string timeText(double seconds) {
  return seconds == 0 ? "-" : zpl::secondsText(seconds);
}

static std::string countText(double count) {
  std::string text;
  raw_string_ostream os(text);
  bool isWhole = count == std::floor(count) && count < 1e15;
  os << format(isWhole ? "%.0f" : "%.6g", count);
  return text;
}

using Table = std::vector<std::vector<std::string>>;

/// Columns as wide as they need to be, the first \p left of them to the left.
static void print(const Table &table, unsigned left, raw_ostream &os) {
  std::vector<size_t> widths;
  for (const auto &row : table)
    for (size_t k = 0; k < row.size(); ++k) {
      widths.resize(std::max(widths.size(), k + 1));
      widths[k] = std::max(widths[k], row[k].size());
    }
  for (const auto &row : table) {
    for (size_t k = 0; k < row.size(); ++k) {
      if (k > 0)
        os << "  ";
      size_t blanks = widths[k] - row[k].size();
      bool isLast = k + 1 == row.size();
      if (k >= left)
        os.indent(unsigned(blanks)) << row[k];
      else if (isLast)
        os << row[k];
      else
        (os << row[k]).indent(unsigned(blanks));
    }
    os << '\n';
  }
}

void printCounts(const Evaluation &evaluation, raw_ostream &os) {
  Table table = {{"place", "operation", "calls", "messages", "bytes"}};
  for (const Line &line : evaluation.lines)
    table.push_back({line.place, line.kind + (line.isEstimate ? " ~" : ""),
                     countText(line.calls), countText(line.messages),
                     countText(line.bytes)});
  table.push_back({"total", "", "", countText(evaluation.messages),
                   countText(evaluation.bytes)});
  print(table, 2, os);
}

static void printValues(const Model &model, const Question &question,
                        raw_ostream &os) {
  for (const auto *list : {&model.configs, &model.inputs})
    for (const NamedFormula &named : *list) {
      auto given = question.values.find(named.name);
      os << "  " << named.name << " = ";
      if (given != question.values.end())
        os << format("%.10g", given->second);
      else
        os << named.value.text() << " (default)";
      if (!named.about.empty())
        os << "  -- " << named.about;
      os << '\n';
    }
}

/// What a reader should know of a prediction.
static void printNotes(const Model &model, const Evaluation &evaluation,
                       raw_ostream &os) {
  for (const std::string &note : model.notes)
    os << "note: " << note << '\n';
  if (any_of(evaluation.lines, [](const Line &l) { return l.isEstimate; }))
    os << "note: ~ elements go where the data say; taken to be spread evenly\n";
  if (evaluation.isSampled)
    os << "note: of long loops 48 iterations stand for all\n";
  if (evaluation.owners < evaluation.processors)
    os << "note: only " << evaluation.owners << " of " << evaluation.processors
       << " processors have indices\n";
}

void printTimes(const Model &model, const Question &question,
                const Evaluation &evaluation, const Target &target,
                raw_ostream &os) {
  ProgramTime time = timeOf(evaluation, target);
  os << model.program << " on " << target.machine.name << " ("
     << target.machine.transport << "), " << evaluation.processors
     << (evaluation.processors == 1 ? " processor\n" : " processors\n");
  printValues(model, question, os);
  std::vector<size_t> order(evaluation.lines.size());
  std::iota(order.begin(), order.end(), 0);
  stable_sort(order, [&](size_t a, size_t b) {
    return time.lines[a].all() > time.lines[b].all();
  });
  Table table = {{"place", "operation", "calls", "messages", "bytes",
                  "computing", "communicating", "share"}};
  for (size_t k : order) {
    const Line &line = evaluation.lines[k];
    std::string share;
    raw_string_ostream(share) << format(
        "%.1f %%",
        time.all() > 0 ? 100 * time.lines[k].all() / time.all() : 0.0);
    table.push_back({line.place, line.kind + (line.isEstimate ? " ~" : ""),
                     countText(line.calls), countText(line.messages),
                     countText(line.bytes), timeText(time.lines[k].computing),
                     timeText(time.lines[k].communicating), share});
  }
  print(table, 2, os);
  os << "time " << timeText(time.all()) << ", communication "
     << format("%.1f %%",
               time.all() > 0 ? 100 * time.communicating / time.all() : 0.0)
     << ", imbalance " << format("%.2f", time.imbalance) << '\n';
  printNotes(model, evaluation, os);
}

void printElasticity(const Evaluation &evaluation, const Target &target,
                     raw_ostream &os) {
  constexpr double Step = 0.01;
  double now = timeOf(evaluation, target).all();
  const zpl::Machine *measured = target.measured ? &*target.measured : nullptr;
  Table table = {{"coefficient", "value", "elasticity"}};
  for (const auto &[name, field] : coefficients()) {
    zrt::sim::Machine more = target.machine, less = target.machine;
    more.*field *= 1 + Step;
    less.*field *= 1 - Step;
    double change = timeOf(evaluation, more, measured).all() -
                    timeOf(evaluation, less, measured).all();
    double elasticity = now > 0 ? change / (2 * Step * now) : 0;
    std::string value, text;
    raw_string_ostream(value) << format("%.3g s", target.machine.*field);
    raw_string_ostream(text) << format("%.3f", elasticity);
    table.push_back({name, value, text});
  }
  std::stable_sort(table.begin() + 1, table.end(),
                   [](const auto &a, const auto &b) {
                     return std::stod(a[2]) > std::stod(b[2]);
                   });
  os << "percent of time for one percent more of a coefficient\n";
  print(table, 1, os);
}

void printSpeedup(const Curve &curve, raw_ostream &os) {
  os << "speed-up on " << curve.name << '\n';
  Table table = {
      {"processors", "time", "speed-up", "efficiency", "communication"}};
  double one = curve.points.empty() ? 0 : curve.points.front().seconds;
  for (const Point &point : curve.points) {
    double speedup = point.seconds > 0 ? one / point.seconds : 0;
    auto text = [](const char *shape, double value) {
      std::string result;
      raw_string_ostream(result) << format(shape, value);
      return result;
    };
    table.push_back(
        {countText(point.processors), timeText(point.seconds),
         text("%.2f", speedup), text("%.2f", speedup / point.processors),
         text("%.1f %%", point.seconds > 0
                             ? 100 * point.communicating / point.seconds
                             : 0)});
  }
  print(table, 0, os);
}

std::string formatNumber(double number) {
  std::string text;
  raw_string_ostream(text) << format("%.6g", number);
  return text;
}

static std::string percentText(double part, double all) {
  std::string text;
  raw_string_ostream(text) << format("%.1f %%", all > 0 ? 100 * part / all : 0);
  return text;
}

void printComparison(ArrayRef<Comparison> machines, raw_ostream &os) {
  Table table = {{"machine", "time", "communication", "imbalance"}};
  for (const Comparison &one : machines) {
    std::string imbalance;
    raw_string_ostream(imbalance) << format("%.2f", one.imbalance);
    table.push_back({one.name, timeText(one.seconds),
                     percentText(one.communicating, one.seconds), imbalance});
  }
  print(table, 1, os);
}

void printRows(const std::vector<std::string> &machines,
               ArrayRef<TableRow> rows, raw_ostream &os) {
  Table table = {{"program"}};
  append_range(table.front(), machines);
  for (const TableRow &row : rows) {
    auto &cells = table.emplace_back();
    cells.push_back(row.name);
    for (const TableCell &cell : row.cells)
      cells.push_back(timeText(cell.seconds) + " " +
                      percentText(cell.communicating, cell.seconds));
    if (!row.problem.empty())
      cells.push_back("?");
  }
  print(table, 1, os);
  for (const TableRow &row : rows)
    if (!row.problem.empty())
      os << row.name << ": " << row.problem << '\n';
}

} // namespace predict
