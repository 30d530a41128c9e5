//===- LaneRows.cpp - Rows of a recurrence as lanes of vectors ------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     mloop %t levels(0 up, 1 up) rows 8 skew 1 {
//       store @H = max(add(@H@(-1,-1), @S), sub(@H@(-1,0), 2), ...)
//     }
//
// With rows that are worked on together (SkewRows.cpp) an operation is one
// instruction for each of them. Where a row reads of others only what is a step
// old at least, the elements of a step, an anti-diagonal, do not depend on each
// other: one instruction computes all of them, with a lane for each row.
//
// *What lanes cost.* Elements move: those of the row before by a shuffle, those
// in memory by blocks that are transposed, log L shuffles for each vector. Per
// step, in cycles, for each vector of 32 bytes:
//
//     issue     an operation 0.5, a shift 1.5; a vector that is loaded or
//               stored (1 + log L) / 2, 1.5 if all rows have it in common
//     latency   that of the longest path, and of a shift where it comes from
//               another row
//
// A step takes the longer one, of L elements; it is compared with the model of
// rows without lanes, the longer one of an element's work and its part of the
// chain. L is 32 bytes of the largest elements, or twice as many, two vectors
// that do not wait for each other, if that is shorter.
//
// Measured on an AMD EPYC: docs/Performance.md.
//
// Cost: linear in the expressions of the waves.
//
//===----------------------------------------------------------------------===//

#include "Loops/Waves/LaneRows.h"
#include "Loops/Waves/RowPaths.h"
#include "zpl/Analysis/Speculation.h"
#include "zpl/ArrayIR/Carries.h"
#include "zpl/ArrayIR/LaneRows.h"
#include "zpl/ArrayIR/SkewedRows.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <set>

using namespace llvm;

namespace zpl::air {
namespace {

/// The time to issue a step of a vector of lanes.
class LaneWork {
public:
  LaneWork(const Module &module, const MLoopStmt &loop, bool mayAlias,
           unsigned lanes, const Figures &figures)
      : module(module), loop(loop), mayAlias(mayAlias), figures(figures),
        move((1 + double(Log2_32(lanes))) / 2) {
    for (const ElementOp &op : loop.body) {
      auto *target = cast<ElementExpr>(op.target);
      add(*op.value);
      if (op.guard) {
        add(*op.guard);
        add(*target);
      }
      if (!target->array->isPerIndex())
        cycles += move;
      stored.insert(target->array);
    }
  }
  double cycles = 0;

private:
  void add(const Expr &e) {
    static constexpr double Operation = 0.5;
    if (auto *element = dyn_cast<ElementExpr>(&e))
      return addElement(*element);
    if (!isa<ConstExpr, VarExpr, BoundExpr>(e))
      cycles += std::max(Operation, costOf(e, figures).work);
    forEachOperand(e, [&](const Expr &operand) { add(operand); });
  }

  void addElement(const ElementExpr &element) {
    constexpr double Shift = 1.5, Shared = 1.5;
    const Array *array = element.array;
    RowLoops loops = rowLoops(loop);
    if (array->isPerIndex() || isPerProcessor(array->shape[loops.columns->dim]))
      return;
    if (!element.isShifted() && stored.count(array))
      return;
    if (!seen.insert({array, element.offset}).second)
      return;
    std::optional<RowDistance> at = rowDistance(loop, element);
    bool isBefore = at &&
                    (at->rows < 0 || (at->rows == 0 && at->columns < 0)) &&
                    mayBeStored(module, loop, *array, mayAlias);
    if (isBefore)
      cycles += at->rows < 0 ? Shift : 0;
    else
      cycles += isPerProcessor(array->shape[loops.rows->dim]) ? Shared : move;
  }

  const Module &module;
  const MLoopStmt &loop;
  const bool mayAlias;
  const Figures &figures;
  const double move; ///< of a vector from or to memory
  std::set<const Array *> stored;
  std::set<std::pair<const Array *, Offset>> seen;
};

/// Why an element's operations are not executed in vectors; empty: they may be.
StringRef whyNotEverywhere(const MLoopStmt &loop, const PassContext &context) {
  if (context.checksOverflow)
    return "integers are checked";
  for (const ElementOp &op : loop.body)
    if (op.guard && !maySpeculate(op, RunTimeChecks::none()))
      return "a value is computed under a condition only";
  return "";
}

/// How many arrays the loop stores to memory.
unsigned storedArrays(const MLoopStmt &loop) {
  std::set<const Array *> stored;
  for (const ElementOp &op : loop.body) {
    const Array *array = cast<ElementExpr>(op.target)->array;
    if (!array->isPerIndex())
      stored.insert(array);
  }
  return unsigned(stored.size());
}

/// In lanes: how many, and the cycles that an element takes.
struct Lanes {
  unsigned count = 0;
  double cycles = 0;
};

Lanes bestLanes(const Module &module, const MLoopStmt &loop, bool mayAlias,
                const PathFinder &paths, unsigned skew,
                const Figures &figures) {
  unsigned ofVector =
      std::min(unsigned(llvm::bit_floor(uint64_t(figures.laneBytes))) /
                   largestElement(loop),
               MLoopStmt::MaxRows);
  Lanes best;
  for (unsigned vectors : {1u, 2u}) {
    unsigned count = vectors * ofVector;
    // Needleman and Wunsch's wave over 3000 x 3000 floats, three arrays, took
    // 0.37 s with 16 rows, 0.23 s with 8; in the second cache 0.9 with 16.
    bool isMuch = count * storedArrays(loop) > figures.laneStreams;
    if (count > MLoopStmt::MaxRows || (isMuch && best.count != 0))
      break;
    double issue =
        vectors * LaneWork(module, loop, mayAlias, ofVector, figures).cycles;
    double wait = paths.chainOfLanes(skew, figures.shiftLatency);
    double cycles = std::max(issue, wait) / count;
    if (best.count == 0 || cycles < 0.9 * best.cycles)
      best = {count, cycles};
  }
  return best;
}

void makeLanes(MLoopStmt &loop, SourceRange range, const Procedure &procedure,
               const Module &module, PassContext &context) {
  auto refuse = [&](const Twine &why) {
    context.missed(range, "rows are not computed in lanes: " + why);
  };
  if (!rowLoops(loop).rows)
    return;
  std::string why;
  std::optional<unsigned> skew =
      leastLaneSkew(module, loop, procedure.mayAlias, why);
  if (!skew)
    return refuse(why);
  PathFinder paths(module, loop, procedure.mayAlias, context.figures);
  if (paths.chainOfRow() < 0)
    return; // rows are vectors themselves
  if (StringRef always = whyNotEverywhere(loop, context); !always.empty())
    return refuse(always);
  Lanes lanes = bestLanes(module, loop, procedure.mayAlias, paths, *skew,
                          context.figures);
  double chain = loop.rows > 1 ? paths.chain(loop.skew) : paths.chainOfRow();
  double single = std::max(paths.work, chain / loop.rows);
  // Of elements of 8 bytes, four in a vector, the model promises too much: the
  // three sums of doubles of relax, at 0.83 of the time of rows one by one by
  // the model, took 1.2 of it in fact, corner 1.1 for 0.67, align 1.0 for 0.70,
  // Needleman and Wunsch's wave 0.57 for 0.64.
  auto cycles = [&] {
    return formatv(" (an element in {0:f1} cycles, else in {1:f1})",
                   lanes.cycles, single)
        .str();
  };
  double gain = largestElement(loop) > 4 ? context.figures.wideGain : 1;
  if (lanes.cycles >= gain * single)
    return refuse("moving elements into lanes takes longer than computing them "
                  "one by one" +
                  cycles());
  loop.rows = lanes.count;
  loop.skew = *skew;
  loop.inLanes = true;
  context.count("loops");
  context.applied(range, Twine(lanes.count) +
                             " rows are computed in lanes of vectors, each " +
                             Twine(*skew) +
                             " elements behind the one before it" + cycles());
}

} // namespace

void laneRows(Module &module, PassContext &context) {
  for (Procedure *procedure : module.procedures)
    forEachStmt(procedure->body, [&](Stmt &stmt) {
      if (auto *wave = dyn_cast<WaveStmt>(&stmt))
        makeLanes(wave->loop(), wave->range, *procedure, module, context);
    });
}

} // namespace zpl::air
