//===- MachineFigures.cpp - What a machine file says of choices -----------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A figure of the compiler or of the runtime has the value of the constant of
// its name. Where the file has none, some follow from what was measured:
//
//     vector.bits      the width with the least product of times over four
//                      loops (`vectors.best`)
//     fetch.ahead      the distance of `prefetch.ahead.*` with the least time
//                      per byte, if that is 5 % below the time without: less
//                      is lost again in loops that do not wait for memory
//     latency.*        latencies of `operation.*` in cycles, of which a chain
//                      of integer additions tells the length
//     tune.within      what the models of sweeps through memory may be wrong by
//                      (mean relative error e of the worst): of two predictions,
//                      each of e, the ratio is wrong by 2e / (1 - e)
//     collective.*     what a message from end to end and each of its bytes take
//                      by `transports.shm`, and by `transports.mpi` for others
//
// Latencies and messages only from measurements that were repeated and agree.
//
// What is measured with programs (zpl-calibrate's group `choices`) stands among
// the constants: it says what matters, the time of a loop, so it comes first.
//
// Cost: a look at each constant and measurement.
//
//===----------------------------------------------------------------------===//

#include "zpl/Cost/MachineFigures.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace llvm;

namespace zpl {

static const FigureInfo infos[] = {
#define ZPL_FIGURE(type, member, name, usual, least, most, unit, what)         \
  {                                                                            \
      name,                                                                    \
      double(usual),                                                           \
      double(least),                                                           \
      double(most),                                                            \
      std::is_integral_v<type>,                                                \
      false,                                                                   \
      unit,                                                                    \
      what},
#include "zpl/Support/Figures.def"
#define ZRT_FIGURE(member, name, usual, least, most, unit, what)               \
  {name, double(usual), double(least), double(most), false, true, unit, what},
#include "zrt/RunFigures.def"
};

ArrayRef<FigureInfo> allFigures() { return infos; }

const FigureInfo *findFigure(StringRef name) {
  auto found =
      find_if(infos, [&](const FigureInfo &info) { return info.name == name; });
  return found == std::end(infos) ? nullptr : &*found;
}

//===----------------------------------------------------------------------===//
// What follows from measurements
//===----------------------------------------------------------------------===//

namespace {

/// A value with the measurement that it follows from.
struct Derived {
  double value;
  std::string source;
};

} // namespace

static const Measurement *measurement(const Machine &machine,
                                      const Twine &name) {
  auto found = machine.measurements.find(name.str());
  return found == machine.measurements.end() || found->second.value <= 0
             ? nullptr
             : &found->second;
}

/// Whether a figure was the same often enough to choose by: on a machine that
/// others use, messages between processors take a hundred times as long.
static bool isSteady(const Measurement *measured) {
  constexpr double Spread = 0.2;
  constexpr int64_t Repeats = 5;
  return measured && measured->spread <= Spread && measured->repeats >= Repeats;
}

static std::optional<Derived> bestWidth(const Machine &machine) {
  const Measurement *best = measurement(machine, "vectors.best");
  if (!best)
    return std::nullopt;
  return Derived{best->value, "measured: vectors.best"};
}

static std::optional<Derived> bestDistance(const Machine &machine) {
  constexpr double Gain = 0.95;
  StringRef prefix = "prefetch.ahead.";
  const Measurement *without = measurement(machine, prefix + "0");
  if (!without)
    return std::nullopt;
  Derived best{0, "measured: " + prefix.str() + "*"};
  double least = Gain * without->value;
  for (const auto &[name, measured] : machine.measurements) {
    StringRef digits = name;
    int64_t distance;
    if (!digits.consume_front(prefix) || digits.getAsInteger(10, distance) ||
        measured.value <= 0 || measured.value >= least)
      continue;
    least = measured.value;
    best.value = double(distance);
  }
  return best;
}

/// The latency of an operation in cycles.
static std::optional<Derived> latency(const Machine &machine,
                                      StringRef operation) {
  const Measurement *cycle =
      measurement(machine, "operation.integer-add.latency");
  std::string name = ("operation." + operation + ".latency").str();
  const Measurement *measured = measurement(machine, name);
  if (!isSteady(cycle) || !isSteady(measured))
    return std::nullopt;
  return Derived{std::round(4 * measured->value / cycle->value) / 4,
                 "measured: " + name};
}

/// What a message of a transport takes from end to end, or each byte of it.
static std::optional<Derived> messageCost(const Machine &machine,
                                          StringRef transport, bool ofByte) {
  auto found = machine.transports.find(transport.str());
  if (found == machine.transports.end() ||
      !isSteady(measurement(machine, "transport." + transport + ".message.1")))
    return std::nullopt;
  const TransportCosts &costs = found->second;
  return Derived{ofByte ? costs.byte
                        : costs.latency + costs.send + costs.receive,
                 ("transports." + transport).str()};
}

/// By which share of a loop's predicted time two ways of it may be confused.
static std::optional<Derived> predictionError(const Machine &machine) {
  double worst = -1;
  std::string source;
  for (StringRef name : {"read", "read4", "triad", "copy/ordinary"}) {
    const Model *model = machine.models.find(name);
    if (!model || model->samples == 0 || model->meanRelativeError <= worst)
      continue;
    worst = model->meanRelativeError;
    source = ("error of the model " + name).str();
  }
  if (worst < 0)
    return std::nullopt;
  double ofRatio = worst < 1 ? 2 * worst / (1 - worst) : 1;
  return Derived{std::min(ofRatio, 1.0), source};
}

static std::optional<Derived> derive(const FigureInfo &info,
                                     const Machine &machine) {
  if (info.name == "collective.shm.message" ||
      info.name == "collective.shm.byte")
    return messageCost(machine, "shm", info.name.ends_with("byte"));
  if (info.name == "collective.other.message" ||
      info.name == "collective.other.byte")
    return messageCost(machine, "mpi", info.name.ends_with("byte"));
  if (info.name == "tune.within")
    return predictionError(machine);
  if (info.name == "vector.bits")
    return bestWidth(machine);
  if (info.name == "fetch.ahead")
    return bestDistance(machine);
  if (info.name == "latency.integer-divide")
    return latency(machine, "integer-divide");
  for (StringRef operation : {"add", "multiply", "divide", "root"})
    if (info.name == ("latency." + operation).str())
      return latency(machine, (operation + ".128").str());
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

/// The value of one figure; nothing, with \p error, if a constant is wrong.
static std::optional<FigureValue>
valueOf(const FigureInfo &info, const Machine &machine, std::string &error) {
  auto isPossible = [&](double value) {
    return value >= info.least && value <= info.most &&
           (!info.isWhole || value == std::floor(value));
  };
  auto constant = machine.constants.find(info.name.str());
  if (constant != machine.constants.end()) {
    double value = constant->second;
    if (isPossible(value))
      return FigureValue{&info, value, "constant"};
    raw_string_ostream(error)
        << "constants." << info.name << ": is " << format("%g", value)
        << "; expected " << (info.isWhole ? "a whole number from " : "")
        << format("%g", info.least) << " to " << format("%g", info.most);
    return std::nullopt;
  }
  if (std::optional<Derived> derived = derive(info, machine);
      derived && isPossible(derived->value))
    return FigureValue{&info, derived->value, derived->source};
  return FigureValue{&info, info.usual, ""};
}

/// Of names that nobody asks for: a slip of who wrote the file.
static void warnOfStrangers(const Machine &machine,
                            std::vector<std::string> &warnings) {
  for (const auto &[name, value] : machine.constants) {
    if (findFigure(name))
      continue;
    const FigureInfo *near = nullptr;
    unsigned least = 4;
    for (const FigureInfo &info : infos)
      if (unsigned distance = info.name.edit_distance(name); distance < least) {
        least = distance;
        near = &info;
      }
    warnings.push_back(
        "constants." + name + ": is no figure of zplc" +
        (near ? "; did you mean '" + near->name.str() + "'?" : ""));
  }
}

static void setFigure(Figures &figures, const FigureValue &value) {
#define ZPL_FIGURE(type, member, text, usual, least, most, unit, what)         \
  if (value.figure->name == text)                                              \
    figures.member = type(value.value);
#include "zpl/Support/Figures.def"
}

/// The times of values of a figure, `choice.FIGURE.VALUE`, by value.
static std::string timesOfValues(const FigureInfo &info,
                                 const Machine &machine) {
  std::map<double, double> times;
  for (const auto &[name, measured] : machine.measurements) {
    StringRef digits = name;
    double value;
    if (digits.consume_front("choice.") && digits.consume_front(info.name) &&
        digits.consume_front(".") && !digits.getAsDouble(value))
      times[value] = measured.value;
  }
  std::string text;
  raw_string_ostream os(text);
  for (auto [value, seconds] : times)
    os << (text.empty() ? "" : ", ") << format("%.10g: %.3g s", value, seconds);
  return text;
}

std::optional<MachineFigures> figuresOf(const Machine &machine,
                                        std::vector<std::string> &warnings,
                                        std::string &error) {
  MachineFigures result;
  for (const FigureInfo &info : infos) {
    std::optional<FigureValue> value = valueOf(info, machine, error);
    if (!value)
      return std::nullopt;
    if (!info.isOfRun)
      setFigure(result.figures, *value);
    result.values.push_back(std::move(*value));
    if (std::string times = timesOfValues(info, machine); !times.empty())
      result.measured[info.name.str()] = times;
  }
  warnOfStrangers(machine, warnings);
  return result;
}

MachineFigures usualFigures() {
  MachineFigures result;
  for (const FigureInfo &info : infos)
    result.values.push_back({&info, info.usual, ""});
  return result;
}

std::string MachineFigures::ofRun() const {
  std::string text;
  raw_string_ostream os(text);
  for (const FigureValue &value : values)
    if (value.figure->isOfRun && value.value != value.figure->usual)
      os << (text.empty() ? "" : " ") << value.figure->name << '='
         << format("%.17g", value.value);
  return text;
}

void printFigures(const MachineFigures &figures, raw_ostream &os) {
  for (const FigureValue &value : figures.values) {
    os << format("%-26s %14.10g %-11s", value.figure->name.str().c_str(),
                 value.value, value.figure->unit.str().c_str())
       << (value.isUsual() ? "usual" : value.source) << '\n';
  }
}

} // namespace zpl
