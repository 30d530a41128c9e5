//===- Distributions.cpp - Grids, distributions, domains ------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     distribution D = [cut(points), owner];       points and bounds, read once
//     region R: D = [1..n, 1..m];                  1 <= points[1] >= n; owner is
//                                                  asked about 1..m
//
// The regions of a domain are kept, for an assignment to its distribution looks
// at them again. On one processor a procedure that distributes cannot change
// its mind: it gives 0 or is wrong.
//
// Cost: a call or a comparison per index of a dimension and region.
//
//===----------------------------------------------------------------------===//

#include "Distributions.h"
#include "Arrays/ArrayExpressions.h"
#include "Declarations.h"
#include "Errors.h"
#include "Expressions.h"
#include "Memory.h"
#include "Regions/RegionExpressions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace llvm;

namespace zpl::interpreter {

using SemaDim = sema::Distribution::Dim;

void declare(Run &run, const sema::Grid *grid) {
  std::string extents;
  bool isOne = true;
  for (auto [d, extent] : enumerate(grid->extents)) {
    int64_t count = extent ? eval(run, extent).integer : 0; // 0: chosen
    if (count < 0)
      fail(run, grid->range,
           formatv("grid {0} has the extent {1} in dimension {2}", grid->name,
                   count, d + 1)
               .str());
    extents += (d == 0 ? "" : " x ") + (count ? std::to_string(count) : "?");
    isOne &= count <= 1;
  }
  if (!isOne)
    fail(run, grid->range,
         formatv("grid {0} is {1}, and 1 processors do not make such a grid",
                 grid->name, extents)
             .str());
}

/// The points of `cut(c)`: one processor has the indices above the first and up
/// to the second.
static void readPoints(Run &run, const sema::Distribution *distribution,
                       unsigned d, DistributionRule &rule) {
  const sema::Expr *written = distribution->dims[d].points;
  const sema::TypeInfo &type = *written->type.info();
  int64_t count = elementCount(run, type), size = sizeOf(run, type.element);
  Place points = place(run, written);
  for (int64_t i = 0; i != count; ++i)
    rule.points.push_back(
        load(run, type.element, points.address + i * size).integer);
  constexpr int64_t wanted = 2;
  if (count != wanted)
    fail(run, distribution->range,
         formatv("distribution {0} cuts dimension {1} at {2} points, where its "
                 "grid has 1 processors: it needs {3}",
                 distribution->name, d + 1, count, wanted)
             .str());
  if (rule.points[1] < rule.points[0])
    fail(
        run, distribution->range,
        formatv("the cut points of distribution {0} decrease in dimension {1}, "
                "from {2} to {3}",
                distribution->name, d + 1, rule.points[0], rule.points[1])
            .str());
}

void declare(Run &run, const sema::Distribution *distribution) {
  DistributionState &state = run.memory.distributions[distribution];
  if (!distribution->values.empty()) {
    state.value = distribution->values.front();
    return;
  }
  for (auto [d, dim] : enumerate(distribution->dims)) {
    DistributionRule &rule = state.rules.emplace_back();
    if (dim.lo) {
      rule.lo = eval(run, dim.lo).integer;
      rule.hi = eval(run, dim.hi).integer;
    }
    if (dim.points)
      readPoints(run, distribution, d, rule);
    int64_t length = dim.length ? eval(run, dim.length).integer : 1;
    if (length < 1)
      fail(
          run, distribution->range,
          formatv("distribution {0} has blocks of {1} indices in dimension {2}",
                  distribution->name, length, d + 1)
              .str());
  }
}

/// The processor that \p owner gives index \p i of lo..hi.
static int64_t ownerOf(Run &run, const sema::CallExpr *owner, int64_t i,
                       int64_t lo, int64_t hi) {
  const int64_t numbers[] = {i, lo, hi, 1};
  for (auto [arg, number] : zip_equal(owner->args, numbers)) {
    Value value;
    value.integer = number;
    const auto *hidden = cast<sema::VariableExpr>(arg)->variable;
    store(Type::Integer, addressOf(run, hidden), value);
  }
  return eval(run, owner).integer;
}

static void probe(Run &run, const sema::Distribution &distribution,
                  const SemaDim &dim, const Dim &of) {
  for (int64_t i = of.lo; i <= of.hi; ++i) {
    int64_t processor = ownerOf(run, dim.owner, i, of.lo, of.hi);
    if (processor != 0)
      fail(run, distribution.range,
           formatv("the procedure of distribution {0} gives processor {1} for "
                   "index {2} of {3}..{4}, and must give one from 0 to 0",
                   distribution.name, processor, i, of.lo, of.hi)
               .str());
  }
}

/// Whether the indices of dimension \p d, which is not empty, lie in lo..hi.
static void checkHolds(Run &run, const std::string &name, int64_t lo,
                       int64_t hi, const Region &region, unsigned d,
                       SourceRange where) {
  const Dim &of = region.dims[d];
  if (lo <= of.lo && of.hi <= hi)
    return;
  fail(
      run, where,
      formatv("distribution {0} has the indices {1}..{2} in dimension {3}, and "
              "not all of {4}",
              name, lo, hi, d + 1, region.describe())
          .str());
}

/// What \p distribution is, a variable's value in its place.
static const sema::Distribution *
valueOf(Run &run, const sema::Distribution *distribution) {
  while (const sema::Distribution *value =
             run.memory.distributions[distribution].value)
    distribution = value;
  return distribution;
}

static void check(Run &run, const sema::Domain *domain, const Region &region,
                  SourceRange where) {
  if (region.isEmpty())
    return;
  const sema::Distribution *distribution = valueOf(run, domain->distribution);
  const DistributionState &state = run.memory.distributions[distribution];
  for (auto [d, dim] : enumerate(distribution->dims)) {
    if (region.dims[d].isFlood())
      continue;
    const DistributionRule &rule = state.rules[d];
    if (dim.lo)
      checkHolds(run, domain->distribution->name, rule.lo, rule.hi, region, d,
                 where);
    if (dim.points)
      checkHolds(run, domain->distribution->name, rule.points.front() + 1,
                 rule.points.back(), region, d, where);
    if (dim.owner)
      probe(run, *distribution, dim, region.dims[d]);
  }
}

void distribute(Run &run, const sema::Symbol *symbol, const Region &region,
                SourceRange where) {
  const sema::Domain *domain = run.program.initializer.domains.lookup(symbol);
  if (!domain)
    return;
  run.memory.distributed.push_back({domain, region, where});
  if (run.memory.domains.contains(domain))
    check(run, domain, region, where);
}

void declare(Run &run, const sema::Domain *domain) {
  run.memory.domains.insert(domain);
  for (const Distributed &known : run.memory.distributed)
    if (known.domain == domain)
      check(run, domain, known.region, known.where);
}

/// `balance(D, W)`: one processor keeps all.
static void checkWeights(Run &run, const sema::RedistributeStmt *stmt) {
  Prepared prepared;
  prepared.over = cover(run, stmt->rank, stmt->range);
  prepare(run, stmt->weights, prepared);
  forEachAdmitted(prepared, [&](const At &at) {
    long double weight = eval(run, stmt->weights, &at).re;
    if (!std::isfinite(weight) || weight < 0)
      fail(run, stmt->range,
           "a weight is negative or not finite, so nothing is balanced by it");
  });
}

void redistribute(Run &run, const sema::RedistributeStmt *stmt) {
  auto *target = dyn_cast<sema::Distribution>(stmt->target);
  if (!run.memory.added.empty())
    fail(run, stmt->range,
         "indices cannot be distributed anew inside 'modify'");
  if (stmt->weights)
    return checkWeights(run, stmt);
  if (!target) // a grid of one processor is what it was
    return;
  run.memory.distributions[target].value =
      valueOf(run, cast<sema::Distribution>(stmt->value));
  for (const Distributed &known : run.memory.distributed) {
    const sema::Distribution *at = known.domain->distribution;
    if (at == target)
      check(run, known.domain, known.region, stmt->range);
  }
}

} // namespace zpl::interpreter
