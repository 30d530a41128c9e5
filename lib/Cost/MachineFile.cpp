//===- MachineFile.cpp - Machines from JSON -------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every section is read by a function over `Place`, a JSON value that knows its
// path, so that the first mistake is named by where it stands:
//
//     models.copy.terms[1].coefficient: is not a number
//
// Members that this version does not know are left alone: other tools may keep
// theirs in the file. A file may come from anywhere: nothing in it is trusted.
//
//===----------------------------------------------------------------------===//

#include "zpl/Cost/Machine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cmath>
#include <limits>

using namespace llvm;

namespace zpl {

namespace {

/// A value in the file, its path, and where the first mistake goes.
struct Place {
  const json::Value *value; ///< null: it is missing
  std::string path;
  std::string &error;

  bool fail(const Twine &what) const {
    if (error.empty())
      error = ((path.empty() ? "" : path + ": ") + what).str();
    return false;
  }
  /// The member of an object; missing if this is missing or no object.
  Place member(StringRef name) const {
    const json::Object *object = value ? value->getAsObject() : nullptr;
    return {object ? object->get(name) : nullptr,
            (path.empty() ? "" : path + ".") + name.str(), error};
  }
  bool isMissing() const { return !value; }
};

} // namespace

/// A number that is not negative, unless \p mayBeNegative.
static bool readNumber(const Place &place, double &number,
                       bool mayBeNegative = false) {
  if (place.isMissing())
    return place.fail("is missing");
  auto found = place.value->getAsNumber();
  if (!found)
    return place.fail("is not a number");
  if (!std::isfinite(*found))
    return place.fail("is not finite");
  if (*found < 0 && !mayBeNegative)
    return place.fail("is negative");
  number = *found;
  return true;
}

/// The same where it may be left out.
static bool readOptional(const Place &place, double &number) {
  return place.isMissing() || readNumber(place, number);
}

static bool readWhole(const Place &place, int64_t &number) {
  double value = 0;
  if (!readNumber(place, value))
    return false;
  if (value != std::floor(value) || value > 9e15)
    return place.fail("is not an integer");
  number = int64_t(value);
  return true;
}

static bool readText(const Place &place, std::string &text) {
  if (place.isMissing())
    return place.fail("is missing");
  auto found = place.value->getAsString();
  if (!found)
    return place.fail("is not a text");
  text = found->str();
  return true;
}

/// One of several words; what it was if it is missing.
static bool readWord(const Place &place, std::string &word,
                     ArrayRef<StringRef> words) {
  if (place.isMissing())
    return true;
  if (!readText(place, word))
    return false;
  if (is_contained(words, word))
    return true;
  return place.fail("is '" + word + "', not one of " + join(words, ", "));
}

/// Calls \p read for each member of an object that may be missing, in the order
/// of their names.
static bool forMembers(const Place &place,
                       function_ref<bool(StringRef name, const Place &)> read) {
  if (place.isMissing())
    return true;
  const json::Object *object = place.value->getAsObject();
  if (!object)
    return place.fail("is not an object");
  std::vector<StringRef> names;
  for (const auto &member : *object)
    names.push_back(member.first);
  llvm::sort(names);
  return all_of(names,
                [&](StringRef name) { return read(name, place.member(name)); });
}

/// Calls \p read for each element of an array that may be missing.
static bool forElements(const Place &place,
                        function_ref<bool(const Place &)> read) {
  if (place.isMissing())
    return true;
  const json::Array *array = place.value->getAsArray();
  if (!array)
    return place.fail("is not a list");
  for (auto [number, element] : enumerate(*array))
    if (!read({&element, (place.path + "[" + Twine(number) + "]").str(),
               place.error}))
      return false;
  return true;
}

static bool readSources(const Place &section, Sources &sources) {
  return forMembers(section.member("sources"),
                    [&](StringRef name, const Place &place) {
                      return readText(place, sources[name.str()]);
                    });
}

static bool readFingerprint(const Place &place, Fingerprint &result) {
  return forMembers(place, [](StringRef, const Place &) { return true; }) &&
         readText(place.member("vendor"), result.vendor) &&
         readWhole(place.member("family"), result.family) &&
         readWhole(place.member("model"), result.model) &&
         forElements(place.member("features"),
                     [&](const Place &element) {
                       result.features.emplace_back();
                       return readText(element, result.features.back());
                     }) &&
         readWhole(place.member("processors"), result.processors) &&
         forElements(place.member("caches"),
                     [&](const Place &element) {
                       result.caches.push_back(0);
                       return readWhole(element, result.caches.back());
                     }) &&
         readWhole(place.member("memory"), result.memory);
}

static bool readTransport(const Place &place, TransportCosts &costs) {
  return forMembers(place, [](StringRef, const Place &) { return true; }) &&
         readNumber(place.member("latency"), costs.latency) &&
         readNumber(place.member("send"), costs.send) &&
         readNumber(place.member("receive"), costs.receive) &&
         readNumber(place.member("gap"), costs.gap) &&
         readNumber(place.member("byte"), costs.byte) &&
         readOptional(place.member("receive_byte"), costs.receiveByte) &&
         readOptional(place.member("hop"), costs.hop) &&
         readWord(place.member("contention"), costs.contention,
                  {"none", "receiver"}) &&
         readWord(place.member("topology"), costs.topology,
                  {"flat", "mesh", "torus", "fat-tree", "bus"}) &&
         readSources(place, costs.sources);
}

/// Numbers by name, with their sources among them.
static bool readNumbers(const Place &section,
                        std::map<std::string, double> &numbers,
                        Sources &sources) {
  return forMembers(section,
                    [&](StringRef name, const Place &place) {
                      return name == "sources" ||
                             readNumber(place, numbers[name.str()]);
                    }) &&
         readSources(section, sources);
}

static bool readExpression(const Place &place, const Model &model,
                           std::optional<Expression> &expression) {
  std::string text, problem;
  if (!readText(place, text))
    return false;
  expression = Expression::parse(text, model.names(), problem);
  return expression || place.fail("'" + text + "', " + problem);
}

static bool readTerm(const Place &place, Model &model) {
  Term term;
  std::optional<Expression> expression;
  if (!readExpression(place.member("expression"), model, expression) ||
      !readNumber(place.member("coefficient"), term.coefficient,
                  /*mayBeNegative=*/true) ||
      !readOptional(place.member("half_width"), term.halfWidth))
    return false;
  term.expression = std::move(*expression);
  model.terms.push_back(std::move(term));
  return true;
}

static bool readDerived(const Place &place, Model &model) {
  std::string name;
  std::optional<Expression> expression;
  if (!readText(place.member("name"), name) ||
      !readExpression(place.member("expression"), model, expression))
    return false;
  if (is_contained(model.names(), name))
    return place.fail("'" + name + "' is there already");
  model.derived.emplace_back(name, std::move(*expression));
  return true;
}

/// The range of each input, or of none.
static bool readRanges(const Place &place, Model &model) {
  if (place.isMissing())
    return true;
  for (const std::string &input : model.inputs) {
    std::vector<double> ends;
    Place range = place.member(input);
    if (!forElements(range, [&](const Place &end) {
          return readNumber(end, ends.emplace_back(), true);
        }))
      return false;
    if (ends.size() != 2 || ends[0] > ends[1])
      return range.fail("is not a range [least, most]");
    model.ranges.push_back({ends[0], ends[1]});
  }
  return true;
}

static bool readError(const Place &place, double &error) {
  error = 0;
  if (place.isMissing())
    return true;
  if (place.value->kind() == json::Value::Null) { // it could not be verified
    error = std::numeric_limits<double>::infinity();
    return true;
  }
  return readNumber(place, error);
}

static bool readModel(const Place &place, Model &model) {
  int64_t samples = 0;
  Place terms = place.member("terms"), where = place.member("where");
  Place least = place.member("least"), count = place.member("samples");
  if (!forElements(place.member("inputs"),
                   [&](const Place &input) {
                     return readText(input, model.inputs.emplace_back());
                   }) ||
      !forElements(
          place.member("derived"),
          [&](const Place &entry) { return readDerived(entry, model); }) ||
      (terms.isMissing() && !terms.fail("is missing")) ||
      !forElements(terms,
                   [&](const Place &term) { return readTerm(term, model); }) ||
      (!where.isMissing() && !readExpression(where, model, model.where)) ||
      (!least.isMissing() && !readExpression(least, model, model.least)) ||
      !readRanges(place.member("ranges"), model) ||
      !readError(place.member("mre"), model.meanRelativeError) ||
      (!count.isMissing() && !readWhole(count, samples)))
    return false;
  model.samples = unsigned(samples);
  return true;
}

static bool readMeasurement(const Place &place, Measurement &measurement) {
  return readNumber(place.member("value"), measurement.value) &&
         readOptional(place.member("spread"), measurement.spread) &&
         readText(place.member("unit"), measurement.unit) &&
         readWhole(place.member("repeats"), measurement.repeats);
}

/// Whether it is a machine file of this version at all.
static bool isMachine(const Place &root) {
  std::string format;
  double version = 0;
  if (!root.value->getAsObject())
    return root.fail("is not a machine file: no JSON object");
  Place stated = root.member("format");
  if (stated.isMissing() || !readText(stated, format) ||
      format != "zpl-machine") {
    root.error.clear();
    return root.fail("is not a machine file: \"format\" is not "
                     "\"zpl-machine\"");
  }
  if (!readNumber(root.member("version"), version))
    return false;
  return version == 1 ||
         root.member("version").fail("is " + Twine(int64_t(version)) +
                                     "; this program reads version 1");
}

static bool readSections(const Place &root, Machine &machine) {
  return forMembers(root.member("transports"),
                    [&](StringRef name, const Place &place) {
                      return readTransport(place,
                                           machine.transports[name.str()]);
                    }) &&
         readNumbers(root.member("processor"), machine.processor,
                     machine.processorSources) &&
         forMembers(root.member("models"),
                    [&](StringRef name, const Place &place) {
                      Model model;
                      model.name = name.str();
                      if (!readModel(place, model))
                        return false;
                      machine.models.add(std::move(model));
                      return true;
                    }) &&
         readNumbers(root.member("constants"), machine.constants,
                     machine.constantSources) &&
         forMembers(root.member("measurements"), [&](StringRef name,
                                                     const Place &place) {
           return readMeasurement(place, machine.measurements[name.str()]);
         });
}

std::optional<Machine> parseMachine(StringRef text, StringRef file,
                                    std::string &error) {
  Expected<json::Value> root = json::parse(text);
  if (!root) { // "[3:7, byte=40]: Expected ..."
    std::string whole = toString(root.takeError());
    StringRef message = whole;
    auto [where, what] = message.split(", byte=");
    error = (file + ":" + where.drop_front() + what.drop_while([](char c) {
              return c != ':';
            })).str();
    return std::nullopt;
  }
  Machine machine;
  std::string problem;
  Place place = {&*root, "", problem};
  bool isRead = isMachine(place) &&
                readText(place.member("name"), machine.name) &&
                readText(place.member("source"), machine.source);
  if (isRead && !place.member("fingerprint").isMissing())
    isRead = readFingerprint(place.member("fingerprint"),
                             machine.fingerprint.emplace());
  isRead =
      isRead && readSections(place, machine) && machine.models.check(problem);
  if (isRead)
    return machine;
  error = (file + ": " + problem).str();
  return std::nullopt;
}

std::optional<Machine> readMachine(StringRef file, std::string &error) {
  auto buffer = MemoryBuffer::getFile(file);
  if (buffer)
    return parseMachine((*buffer)->getBuffer(), file, error);
  error = (file + ": " + buffer.getError().message()).str();
  return std::nullopt;
}

} // namespace zpl
