//===- Audit.cpp - How good predicted choices are -------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each choice, points of which four of five lie where the two best
// predictions are near each other (within twice their errors), since only there
// can a choice be wrong; at each, all alternatives are measured. Printed are
// Brewer's figures: the share of points where the best one was chosen (or one
// within 2 % of it), the mean penalty of the others, the penalty to be
// expected, the worst one, and what choosing gains over always taking the one
// that is the best on the whole.
//
//===----------------------------------------------------------------------===//

#include "Choices.h"
#include "Commands.h"
#include "Measure/Ways.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace llvm;

namespace calibrate {

static constexpr double AsGood = 0.02;

namespace {

/// Sums over the points of a choice.
struct Quality {
  unsigned points = 0, right = 0;
  double penalties = 0, worst = 0;
  double chosen = 0;         ///< sum of logarithms of times
  std::vector<double> fixed; ///< the same for each alternative alone
  std::vector<unsigned> possible;

  void add(const Quality &other) {
    points += other.points;
    right += other.right;
    penalties += other.penalties;
    worst = std::max(worst, other.worst);
  }
};

} // namespace

/// Points of a choice, by chance, most of them near crossovers.
static std::vector<Point> auditPoints(Session &session,
                                      ArrayRef<const zpl::Model *> ways,
                                      const Way &way) {
  unsigned count = session.quick(4U, 25U), near = 4 * count / 5;
  std::vector<Point> points;
  for (unsigned tries = 0; tries < 100 * count && points.size() < count;
       ++tries) {
    Point point = randomPoint(session, way.domains);
    // Where there is no crossover, points are anywhere at last.
    bool isNear = !choiceAt(session.machine, ways, point).close.empty();
    if (points.size() >= near || isNear || tries > 50 * count)
      points.push_back(point);
  }
  return points;
}

/// Adds a point whose alternatives took so long; negative: impossible.
static void addPoint(Quality &quality, unsigned chosen,
                     ArrayRef<double> times) {
  double best = INFINITY;
  for (double time : times)
    best = time > 0 ? std::min(best, time) : best;
  if (!(times[chosen] > 0) || std::isinf(best))
    return;
  double penalty = times[chosen] / best - 1;
  ++quality.points;
  if (penalty <= AsGood)
    ++quality.right;
  else
    quality.penalties += penalty;
  quality.worst = std::max(quality.worst, penalty);
  quality.chosen += std::log(times[chosen]);
  for (size_t way = 0; way < times.size(); ++way)
    if (times[way] > 0) {
      quality.fixed[way] += std::log(times[way]);
      ++quality.possible[way];
    }
}

static Quality auditChoice(Session &session,
                           ArrayRef<const zpl::Model *> models,
                           ArrayRef<Way> ways) {
  std::vector<const Way *> own;
  for (const zpl::Model *model : models)
    for (const Way &way : ways)
      if (way.model.name == model->name)
        own.push_back(&way);
  Quality quality;
  quality.fixed.assign(models.size(), 0);
  quality.possible.assign(models.size(), 0);
  if (own.size() != models.size())
    return quality; // the file has models of another version
  std::vector<Point> points = auditPoints(session, models, *own.front());
  std::vector<std::vector<double>> times(points.size());
  for (const Way *way : own) {
    auto measured = way->measure(session, points);
    for (size_t point = 0; point < points.size(); ++point)
      times[point].push_back(point < measured.size() ? measured[point].value
                                                     : -1);
  }
  for (size_t point = 0; point < points.size(); ++point)
    addPoint(quality, choiceAt(session.machine, models, points[point]).chosen,
             times[point]);
  return quality;
}

static void printQuality(StringRef name, const Quality &quality) {
  if (quality.points == 0)
    return;
  unsigned wrong = quality.points - quality.right;
  double bestFixed = INFINITY;
  for (size_t way = 0; way < quality.fixed.size(); ++way)
    if (quality.possible[way] == quality.points)
      bestFixed = std::min(bestFixed, quality.fixed[way]);
  outs() << "  " << left_justify(name, 20)
         << format(" %6u  %5.1f%%  %6.1f%%  %7.2f%%  %6.1f%%", quality.points,
                   100.0 * quality.right / quality.points,
                   wrong ? 100 * quality.penalties / wrong : 0.0,
                   100 * quality.penalties / quality.points,
                   100 * quality.worst);
  if (std::isfinite(bestFixed))
    outs() << format(
        "  %6.1f%%",
        100 * (std::exp((bestFixed - quality.chosen) / quality.points) - 1));
  outs() << '\n';
}

bool audit(Session &session) {
  std::vector<Way> ways = allWays(session);
  Quality all;
  bool isFound = false;
  outs() << "choice                points   right  penalty  expected   worst   "
            " gain\n";
  for (const auto &[name, models] : choicesOf(session.machine)) {
    if (!session.options.choice.empty() && session.options.choice != name)
      continue;
    isFound = true;
    Quality quality = auditChoice(session, models, ways);
    printQuality(name, quality);
    all.add(quality);
  }
  printQuality("all", all);
  return isFound;
}

} // namespace calibrate
