//===- Ways.cpp - Everything that has a model of its cost -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From a way to its model: samples on a grid to fit it, others by chance to
// verify it. Training points stand at equal ratios, since errors are relative,
// and a short time deserves as much as a long one.
//
//===----------------------------------------------------------------------===//

#include "Measure/Ways.h"
#include "zpl/Cost/Breaks.h"
#include "zpl/Cost/Fit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace llvm;

namespace calibrate {

zpl::Model modelOf(StringRef name, std::vector<std::string> inputs,
                   ArrayRef<std::string> terms,
                   ArrayRef<std::pair<std::string, std::string>> derived) {
  zpl::ModelBuilder builder(name, std::move(inputs));
  for (const auto &[variable, expression] : derived)
    builder.derive(variable, expression);
  for (const std::string &term : terms)
    builder.term(term);
  std::string error;
  auto model = builder.take(error);
  if (!model)
    report_fatal_error(Twine(error));
  return *model;
}

/// The next value that a domain has.
static double valueAt(const Domain &domain, double share) {
  double value = domain.least * std::pow(domain.most / domain.least, share);
  double steps = std::max(1.0, std::round(value / domain.multiple));
  return steps * domain.multiple;
}

/// Values of one domain.
static std::vector<double> valuesOf(const Domain &domain, unsigned count) {
  if (!domain.list.empty())
    return domain.list;
  std::vector<double> values;
  for (unsigned k = 0; k < count; ++k) {
    double share = count > 1 ? double(k) / (count - 1) : 0;
    double value = valueAt(domain, share);
    if (values.empty() || value > values.back())
      values.push_back(value);
  }
  return values;
}

std::vector<Point> gridOf(ArrayRef<Domain> domains, unsigned count) {
  std::vector<Point> points = {{}};
  for (const Domain &domain : domains) {
    std::vector<Point> longer;
    for (const Point &point : points)
      for (double value : valuesOf(domain, count)) {
        longer.push_back(point);
        longer.back().push_back(value);
      }
    points = std::move(longer);
  }
  return points;
}

Point randomPoint(Session &session, ArrayRef<Domain> domains) {
  Point point;
  for (const Domain &domain : domains) {
    if (!domain.list.empty()) {
      point.push_back(domain.list[session.random() % domain.list.size()]);
      continue;
    }
    double share = std::uniform_real_distribution<>(0, 1)(session.random);
    point.push_back(valueAt(domain, share));
  }
  return point;
}

/// Samples of what could be measured.
static std::vector<zpl::Sample>
samplesOf(ArrayRef<Point> points, ArrayRef<zpl::Measurement> measurements) {
  std::vector<zpl::Sample> samples;
  for (auto [point, measured] : zip(points, measurements))
    if (measured.value > 0)
      samples.push_back(
          {point, measured.value, measured.value * measured.spread});
  return samples;
}

/// Whether a way can do what a point asks for.
static bool allows(const Way &way, const Point &point) {
  return std::isfinite(zpl::ModelSet().predict(way.model, point).cost);
}

/// Training points, then those for verification, of points that the model's
/// precondition allows.
static std::vector<Point> pointsOf(Session &session, const Way &way,
                                   size_t &training) {
  unsigned count = session.quick(std::min(way.points, 12U), way.points);
  std::vector<Point> points = gridOf(way.domains, count);
  if (way.isRepeated)
    for (unsigned turn = 1; turn < 4; ++turn)
      append_range(points, gridOf(way.domains, count));
  erase_if(points, [&](const Point &point) { return !allows(way, point); });
  training = points.size();
  unsigned checks = session.quick(3U, way.checks);
  for (unsigned tries = 0; tries < 20 * checks; ++tries) {
    Point point = randomPoint(session, way.domains);
    if (points.size() < training + checks && allows(way, point))
      points.push_back(point);
  }
  return points;
}

static void warn(Session &session, const zpl::Model &model) {
  if (model.meanRelativeError <= zpl::LargeRelativeError)
    return;
  std::string note;
  raw_string_ostream(note)
      << model.name
      << format(": the mean relative error on other samples is %.0f%%",
                100 * model.meanRelativeError);
  session.notes.push_back(note);
}

void calibrateWay(Session &session, Way &way, size_t done, size_t all) {
  session.progress.show(double(done) / double(all));
  if (way.prepare)
    way.prepare(session, way);
  size_t training = 0;
  std::vector<Point> points = pointsOf(session, way, training);
  if (training == 0)
    return; // there are no such points on this machine
  auto measured = way.measure(session, points);
  if (measured.size() != points.size()) {
    session.notes.push_back(way.model.name + ": could not be measured");
    return;
  }
  auto samples = samplesOf(ArrayRef(points).take_front(training),
                           ArrayRef(measured).take_front(training));
  auto others = samplesOf(ArrayRef(points).drop_front(training),
                          ArrayRef(measured).drop_front(training));
  if (!way.breaks.empty())
    zpl::addBreaks(way.model, session.machine.models, samples,
                   unsigned(way.domains.size()) - 1, way.breaks,
                   unsigned(samples.size()) / 4);
  std::string error;
  if (!zpl::fit(way.model, session.machine.models, samples, {}, error)) {
    session.notes.push_back(error);
    return;
  }
  zpl::verify(way.model, session.machine.models, others);
  warn(session, way.model);
  session.machine.models.add(way.model);
}

std::vector<double> cacheSizes(const Session &session) {
  std::vector<double> sizes = {32 << 10, 512 << 10, 16 << 20};
  if (session.machine.fingerprint)
    for (auto [number, bytes] : enumerate(session.machine.fingerprint->caches))
      if (number < sizes.size())
        sizes[number] = double(bytes);
  return sizes;
}

std::vector<Way> allWays(Session &session) {
  std::vector<Way> all;
  for (auto part : {memoryWays, gatherWays, transportWays})
    for (Way &way : part(session))
      all.push_back(std::move(way));
  return all;
}

} // namespace calibrate
