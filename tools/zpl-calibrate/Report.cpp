//===- Report.cpp - What was measured, for people -------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tables of the measured figures, of transports and of models with their
// errors; models whose error is above a tenth are marked. Ratios show what is
// odd on a machine: a receiver that needs more than a sender will be swamped
// (Brewer's bandwidth matching), columns that cost many times as much as rows
// are what packing is worth.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "zpl/Cost/Fit.h"
#include "zpl/Cost/Select.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace llvm;

namespace calibrate {

/// A figure with a unit that one can read.
static std::string valueText(const zpl::Measurement &measured) {
  StringRef unit = measured.unit;
  if (unit == "s")
    return zpl::secondsText(measured.value);
  if (unit.consume_front("s/"))
    return zpl::secondsText(measured.value) + " / " + unit.str();
  if (unit == "B" && measured.value >= 9e15)
    return "never";
  std::string text;
  raw_string_ostream(text) << format("%.6g ", measured.value) << unit;
  return text;
}

static void printMeasurements(const zpl::Machine &machine) {
  if (machine.measurements.empty())
    return;
  outs() << "\nfigures                                       value            "
            "   spread  repeats\n";
  for (const auto &[name, measured] : machine.measurements)
    outs() << "  " << left_justify(name, 42) << "  "
           << left_justify(valueText(measured), 18)
           << format("  %5.1f%%  %7lld\n", 100 * measured.spread,
                     static_cast<long long>(measured.repeats));
}

static void printTransports(const zpl::Machine &machine) {
  if (machine.transports.empty())
    return;
  outs()
      << "\ntransport  latency    send       receive    gap        MB/s      "
         " topology\n";
  for (const auto &[name, costs] : machine.transports) {
    outs() << "  " << left_justify(name, 7);
    for (double seconds : {costs.latency, costs.send, costs.receive, costs.gap})
      outs() << "  " << left_justify(zpl::secondsText(seconds), 9);
    outs() << format("  %-9.4g  ", costs.byte > 0 ? 1e-6 / costs.byte : 0.0)
           << costs.topology << '\n';
  }
}

static void printModel(const zpl::Model &model) {
  bool isLarge = !(model.meanRelativeError <= zpl::LargeRelativeError);
  outs() << (isLarge ? "! " : "  ") << left_justify(model.name, 28)
         << format("  %6.1f%%  %7u  ", 100 * model.meanRelativeError,
                   model.samples);
  bool isFirst = true;
  for (const zpl::Term &term : model.terms) {
    if (term.coefficient == 0)
      continue;
    outs() << (isFirst ? "" : " + ") << format("%.3g", term.coefficient);
    if (term.expression.text() != "1")
      outs() << " * " << term.expression.text();
    isFirst = false;
  }
  if (model.where)
    outs() << "  where " << model.where->text();
  outs() << '\n';
}

static void printModels(const zpl::Machine &machine) {
  auto names = machine.models.names();
  if (names.empty())
    return;
  outs() << "\nmodels                           error  samples  seconds (! an "
            "error above 10%)\n";
  std::vector<double> errors;
  for (StringRef name : names) {
    const zpl::Model &model = *machine.models.find(name);
    errors.push_back(model.meanRelativeError);
    printModel(model);
  }
  llvm::sort(errors);
  outs() << format("  median error %.1f%%, largest %.1f%%\n",
                   100 * errors[errors.size() / 2], 100 * errors.back());
}

/// "name  3.2": the quotient of two models at a point, if both are there.
static void printRatio(const zpl::Machine &machine, const std::string &above,
                       const std::string &below, double at, StringRef what) {
  double a = machine.models.predict(above, {at}).cost;
  double b = machine.models.predict(below, {at}).cost;
  if (std::isfinite(a) && std::isfinite(b) && b > 0)
    outs() << "  " << left_justify(what, 48) << format("  %.2f\n", a / b);
}

static void printRatios(const zpl::Machine &machine) {
  outs() << "\nratios\n";
  for (const auto &[name, costs] : machine.transports) {
    if (costs.send > 0)
      outs() << "  " << left_justify(name + ": receive / send", 48)
             << format("  %.2f\n", costs.receive / costs.send);
    printRatio(machine, "column." + name, "row." + name, 1000,
               name + ": 1000 elements of a column / of a row");
  }
  printRatio(machine, "copy/streamed", "copy/ordinary", 1e8,
             "100 MB copied past the caches / through them");
  printRatio(machine, "fill/streamed", "fill/ordinary", 1e8,
             "100 MB filled past the caches / through them");
}

void report(const Session &session) {
  const zpl::Machine &machine = session.machine;
  outs() << machine.name << "\n" << machine.source << '\n';
  for (const auto &[name, value] : machine.processor)
    outs() << "  " << left_justify(name, 42) << "  " << zpl::secondsText(value)
           << '\n';
  printMeasurements(machine);
  printTransports(machine);
  printModels(machine);
  if (!machine.constants.empty())
    outs() << "\nconstants\n";
  for (const auto &[name, value] : machine.constants)
    outs() << "  " << left_justify(name, 42) << format("  %.6g\n", value);
  printRatios(machine);
}

} // namespace calibrate
