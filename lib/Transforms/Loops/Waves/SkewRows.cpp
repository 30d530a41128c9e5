//===- SkewRows.cpp - Several rows of a recurrence at a time --------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     mloop %t levels(0 up, 1 up) {
//       store @A = sub(add(@A@(-1,0), @A@(0,-1)), @A@(-1,-1))
//     }
//
// Each element of a row waits for the one before it, here for an addition and a
// subtraction: eight cycles in which the machine could issue the instructions
// of several elements. Row r may follow row r - 1 at a distance of one element;
// so K rows at a time, each one step behind the one before it, give the machine
// K chains that do not wait for each other within a step:
//
//     step t     row 0: column t   row 1: column t - 1   row 2: column t - 2
//
// *Paths.* What an element waits for are elements at some offsets, each for the
// latency of the operations between it and the store. With skew s the one at
// the distance (rows, columns) is -(columns + s rows) steps old, so a path of
// latency L makes a step take L / age cycles at least. What bounds a row alone
// are the paths within it, rows = 0. The skew is the least one with which
// everything read of another row is there before the step, or not overwritten
// before it (SkewedRows.cpp), and no path from a row before takes longer than
// those within the row: then rows do not wait for each other.
//
// *How many rows.* What is then left of a step's time, the longest L / age,
// divided by the *work* of an element, the time to issue it, is the number of
// rows that fill the step; twice as many, for in fact the paths are longer:
// elements move between registers, and LLVM makes vectors of rows. More than
// `wave.rows` gain little, and more than `wave.pointers` pointers into arrays no
// longer fit the registers. Latencies and work are those of common 64-bit
// cores, rounded. Measured over 2000 x 2000 doubles (sum, corner, align and
// relax of bench/wavefront), time per sweep in ms:
//
//     rows      1     2     3     4     6     8
//     sum      10.0   5.2   3.9   3.2   2.8   2.8
//     corner   14.1   7.5   5.3   4.8   4.0   3.8
//     align    10.3         6.8   6.7   5.0   4.7    skew 2; 12.0 with 4, skew
//     1 relax    18.5   9.4   6.4   5.4   3.7   3.0
//
// (One row: plain loops in C.)
//
// *Scans.* Rows of a scan along rows do not depend on each other: what is
// carried along is an element one step old, and the skew is 0. It pays where an
// addition takes longer than the rest; sums of integers do not. Rows of a scan
// across rows are vectors anyway; four at a time load and store what is carried
// along once. Over 100 x 100 doubles, ms for 1000 sweeps on an AMD EPYC: prefix
// sums of rows 8.1 with one row, 4.3 with four; of columns 4.8 and 2.3.
//
// Cost: linear in the expressions of the waves and scans and of the scalar
// procedures that they call.
//
//===----------------------------------------------------------------------===//

#include "Loops/Waves/SkewRows.h"
#include "Loops/Waves/RowPaths.h"
#include "zpl/ArrayIR/Carries.h"
#include "zpl/ArrayIR/SkewedRows.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <cmath>

using namespace llvm;

namespace zpl::air {
namespace {

unsigned arraysOf(const MLoopStmt &loop) {
  SmallPtrSet<const Array *, 8> arrays;
  forEachExpr(loop, [&](const Expr &e) {
    auto *element = dyn_cast<ElementExpr>(&e);
    if (element && !element->array->isPerIndex())
      arrays.insert(element->array);
  });
  return arrays.size();
}

/// The skew with which rows do not wait for each other.
unsigned skewFor(const PathFinder &paths, unsigned least) {
  constexpr unsigned Tries = 4;
  unsigned best = least;
  for (unsigned skew = least; skew < least + Tries; ++skew) {
    if (skew > MLoopStmt::MaxSkew)
      break;
    if (paths.chain(skew) < paths.chain(best))
      best = skew;
    if (paths.chain(best) <= paths.chainOfRow())
      break;
  }
  return best;
}

void work(MLoopStmt &loop, unsigned rows, unsigned skew, SourceRange range,
          PassContext &context) {
  loop.rows = rows;
  loop.skew = skew;
  context.count("loops");
  context.applied(range,
                  Twine(rows) + " rows are computed at a time" +
                      (skew == 0 ? Twine()
                                 : ", each " + Twine(skew) +
                                       " elements behind the one before it"));
}

/// \p asks: whether it is told that there are no rows.
void skew(MLoopStmt &loop, SourceRange range, bool asks,
          const Procedure &procedure, const Module &module,
          PassContext &context) {
  if (loop.rows != 1)
    return;
  bool mayAlias = procedure.mayAlias;
  auto refuse = [&](const Twine &why) {
    context.missed(range, "rows are computed one after the other: " + why);
  };
  if (loop.region->isSparse)
    return asks ? refuse("the region is sparse") : void();
  std::string why;
  std::optional<unsigned> least = leastSkew(module, loop, mayAlias, why);
  if (!rowLoops(loop).rows)
    return asks ? refuse(why) : void();
  PathFinder paths(module, loop, mayAlias, context.figures);
  bool isVector = paths.chainOfRow() < 0;
  if (isVector && carriedAlong(loop).empty())
    return;
  if (!least)
    return refuse(why);
  if (isVector)
    return work(loop, context.figures.waveVectorRows, 0, range, context);
  unsigned skew = skewFor(paths, *least);
  if (!carriedAlong(loop).empty() && paths.chain(skew) < paths.work)
    return refuse("an element takes longer to issue than to wait for the one "
                  "before it");
  auto pointers = static_cast<unsigned>(context.figures.wavePointers);
  auto rows = static_cast<unsigned>(
      std::min<double>(double(context.figures.waveRows),
                       std::ceil(2 * paths.chain(skew) / paths.work)));
  rows = std::min(rows, std::max(pointers / std::max(arraysOf(loop), 1u), 2u));
  if (rows < 2)
    return refuse("an element takes longer to issue than to wait for the one "
                  "before it");
  work(loop, rows, skew, range, context);
}

} // namespace

void skewRows(Module &module, PassContext &context) {
  for (Procedure *procedure : module.procedures)
    forEachStmt(procedure->body, [&](Stmt &stmt) {
      auto *loop = dyn_cast<MLoopStmt>(&stmt);
      if (auto *wave = dyn_cast<WaveStmt>(&stmt))
        skew(wave->loop(), wave->range, !wave->primed.empty(), *procedure,
             module, context);
      else if (loop && loop->walkers.empty() && !carriedAlong(*loop).empty())
        skew(*loop, loop->range, /*asks=*/false, *procedure, module, context);
    });
}

} // namespace zpl::air
