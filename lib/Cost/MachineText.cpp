//===- MachineText.cpp - Machines to JSON ---------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sections in the order in which people want to read them, names sorted,
// figures with six digits: no measurement has more. A file is written beside
// its place and moved there, so that whoever reads it meanwhile finds the old
// one or the new one.
//
//===----------------------------------------------------------------------===//

#include "zpl/Cost/Machine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace llvm;

namespace zpl {

/// A figure with six digits.
static double rounded(double value) {
  double result = value;
  std::string text;
  raw_string_ostream(text) << format("%.6g", value);
  StringRef(text).getAsDouble(result);
  return result;
}

/// One of JSON's numbers; whole ones without a point.
static void figure(json::OStream &json, StringRef name, double value) {
  double shown = rounded(value);
  if (!std::isfinite(value))
    json.attribute(name, nullptr);
  else if (value == std::floor(value) && std::abs(value) < 9.2e18)
    json.attribute(name, int64_t(value));
  else
    json.attributeBegin(name),
        json.rawValue([&](raw_ostream &os) { os << format("%.6g", shown); }),
        json.attributeEnd();
}

static void printSources(json::OStream &json, const Sources &sources) {
  if (!sources.empty())
    json.attributeObject("sources", [&] {
      for (const auto &[name, source] : sources)
        json.attribute(name, source);
    });
}

static void printFingerprint(json::OStream &json, const Fingerprint &print) {
  json.attributeObject("fingerprint", [&] {
    json.attribute("vendor", print.vendor);
    json.attribute("family", print.family);
    json.attribute("model", print.model);
    json.attribute("features", json::Array(print.features));
    json.attribute("processors", print.processors);
    json.attribute("caches", json::Array(print.caches));
    json.attribute("memory", print.memory);
  });
}

static void printTransport(json::OStream &json, const TransportCosts &costs) {
  figure(json, "latency", costs.latency);
  figure(json, "send", costs.send);
  figure(json, "receive", costs.receive);
  figure(json, "gap", costs.gap);
  figure(json, "byte", costs.byte);
  figure(json, "receive_byte", costs.receiveByte);
  figure(json, "hop", costs.hop);
  json.attribute("contention", costs.contention);
  json.attribute("topology", costs.topology);
  printSources(json, costs.sources);
}

static void printTerm(json::OStream &json, const Term &term) {
  json.object([&] {
    json.attribute("expression", term.expression.text());
    figure(json, "coefficient", term.coefficient);
    figure(json, "half_width", term.halfWidth);
  });
}

static void printModel(json::OStream &json, const Model &model) {
  json.attribute("inputs", json::Array(model.inputs));
  if (!model.derived.empty())
    json.attributeArray("derived", [&] {
      for (const auto &[name, expression] : model.derived)
        json.object([&, &name = name, &expression = expression] {
          json.attribute("name", name);
          json.attribute("expression", expression.text());
        });
    });
  json.attributeArray("terms", [&] {
    for (const Term &term : model.terms)
      printTerm(json, term);
  });
  if (model.where)
    json.attribute("where", model.where->text());
  if (model.least)
    json.attribute("least", model.least->text());
  if (!model.ranges.empty())
    json.attributeObject("ranges", [&] {
      for (size_t input = 0; input < model.inputs.size(); ++input)
        json.attribute(
            model.inputs[input],
            json::Array{model.ranges[input].least, model.ranges[input].most});
    });
  figure(json, "mre", model.meanRelativeError);
  json.attribute("samples", model.samples);
}

static void printNumbers(json::OStream &json, StringRef section,
                         const std::map<std::string, double> &numbers,
                         const Sources &sources) {
  if (!numbers.empty())
    json.attributeObject(section, [&] {
      for (const auto &[name, value] : numbers)
        figure(json, name, value);
      printSources(json, sources);
    });
}

static void printMeasurements(json::OStream &json, const Machine &machine) {
  if (machine.measurements.empty())
    return;
  json.attributeObject("measurements", [&] {
    for (const auto &[name, measured] : machine.measurements)
      json.attributeObject(name, [&, &measured = measured] {
        figure(json, "value", measured.value);
        figure(json, "spread", measured.spread);
        json.attribute("unit", measured.unit);
        json.attribute("repeats", measured.repeats);
      });
  });
}

void printMachine(const Machine &machine, raw_ostream &os) {
  json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("format", "zpl-machine");
    json.attribute("version", 1);
    json.attribute("name", machine.name);
    json.attribute("source", machine.source);
    if (machine.fingerprint)
      printFingerprint(json, *machine.fingerprint);
    json.attributeObject("transports", [&] {
      for (const auto &[name, costs] : machine.transports)
        json.attributeObject(
            name, [&, &costs = costs] { printTransport(json, costs); });
    });
    printNumbers(json, "processor", machine.processor,
                 machine.processorSources);
    json.attributeObject("models", [&] {
      for (StringRef name : machine.models.names())
        json.attributeObject(
            name, [&] { printModel(json, *machine.models.find(name)); });
    });
    printNumbers(json, "constants", machine.constants, machine.constantSources);
    printMeasurements(json, machine);
  });
  os << '\n';
}

bool writeMachine(const Machine &machine, StringRef file, std::string &error) {
  StringRef folder = sys::path::parent_path(file);
  std::error_code code;
  if (!folder.empty())
    code = sys::fs::create_directories(folder);
  if (!code) {
    Error failed = writeToOutput(file, [&](raw_ostream &os) {
      printMachine(machine, os);
      return Error::success();
    });
    if (!failed)
      return true;
    error = toString(std::move(failed));
    if (!StringRef(error).contains(file))
      error = (file + ": " + error).str();
    return false;
  }
  error = (folder + ": " + code.message()).str();
  return false;
}

} // namespace zpl
