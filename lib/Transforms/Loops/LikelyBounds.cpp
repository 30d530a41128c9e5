//===- LikelyBounds.cpp - Loops over a few known indices ------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     mloop @Pent levels(0 up, 1 up) {              @Pent is 1..n, -2..2
//       store @C = mul(@A@(0,1), @B@(-1,1)) where eq(index(1), i32 -2)
//       store @C = ...                      where eq(index(1), i32 -1)
//       ...
//
// The loop over dimension 1 has five steps, each of which decides five guards.
// With a copy of the body for each of the five indices all guards are constants
// and what is left are five stores. The bounds of the region are the program's
// (KnownBounds), those of the loop this processor's: so they are likely ones,
// and CodeGen asks.
//
// Where a config variable says how many there are, `-w .. w`, the numbers for
// its default and for values near that have nests of their own, and the start
// of the program decides. A variable that more dimensions depend on says how
// large a problem is, not how wide a stencil.
//
// Where the few indices are those of an outer loop (diagonals stored as rows),
// that one becomes the innermost, if no element depends on another.
//
// The body is copied as it is here, so the number of its operators, and of the
// calls in it, is limited.
//
// Cost: linear in the statements.
//
//===----------------------------------------------------------------------===//

#include "Loops/LikelyBounds.h"
#include "Communication/TransferEdits.h"
#include "zpl/Analysis/KnownBounds.h"
#include "zpl/ArrayIR/Domains.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace llvm;

namespace zpl::air {

/// Nodes of all copies.
constexpr unsigned maxNodes = 1500;

static unsigned nodesIn(const MLoopStmt &loop) {
  unsigned nodes = 0;
  forEachExpr(loop, [&](const Expr &) { ++nodes; });
  return nodes;
}

static bool isLoop(const LoopLevel &level) { return !level.flat; }

/// Whether the indices may come in any order: none depends on another.
static bool isUnordered(const MLoopStmt &loop) {
  SmallPtrSet<const Array *, 8> stored;
  bool good = true;
  for (const ElementOp &op : loop.body) {
    good &= op.delay == 0 && op.kind == ElementOp::Store && op.target &&
            !isOneForMany(*rootElement(op.target)->array, *loop.region);
    if (good)
      stored.insert(rootElement(op.target)->array);
  }
  forEachExpr(loop, [&](const Expr &e) {
    auto *element = dyn_cast<ElementExpr>(&e);
    auto *remap = dyn_cast<RemapExpr>(&e);
    good &=
        !isa<CallExpr>(e) && !(remap && remap->checked) &&
        !(element && element->isShifted() && stored.contains(element->array));
  });
  return good;
}

static bool asksForIndex(const MLoopStmt &loop, unsigned dim) {
  bool found = false;
  for (const ElementOp &op : loop.body)
    if (op.guard)
      forEachExpr(*op.guard, [&](const Expr &e) {
        auto *index = dyn_cast<IndexExpr>(&e);
        found |= index && index->dim == dim;
      });
  return found;
}

/// The innermost loop of a nest without rolling rows, after another one with a
/// few indices has become it if that pays; null if there are no loops around
/// it.
static LoopLevel *innermost(MLoopStmt &loop, const KnownBounds &known,
                            bool mayAlias) {
  bool hasLines = false;
  forEachArray(loop, [&](const Array &array) {
    hasLines |= array.isContracted() && !array.isPerIndex();
  });
  if (count_if(loop.levels, isLoop) < 2 || !loop.walkers.empty() || hasLines ||
      isInBlocks(loop))
    return nullptr;
  auto last = find_if(reverse(loop.levels), isLoop);
  if (known.few(loop.region, last->dim) || mayAlias)
    return &*last;
  auto few = find_if(loop.levels, [&](const LoopLevel &level) {
    return known.few(loop.region, level.dim) && asksForIndex(loop, level.dim);
  });
  if (few != loop.levels.end() && isUnordered(loop))
    std::rotate(few, few + 1, &*last + 1);
  return &*last;
}

static void setBounds(MLoopStmt &loop, const KnownBounds &known, bool mayAlias,
                      PassContext &context) {
  auto isLet = [](const ElementOp &op) { return op.kind == ElementOp::Let; };
  if (any_of(loop.body, isLet)) {
    auto last = find_if(reverse(loop.levels), isLoop);
    if (last != loop.levels.rend() && known.few(loop.region, last->dim))
      context.missed(loop.range, "no copies for each index of dimension " +
                                     Twine(last->dim + 1) + " of " +
                                     sourceName(*loop.region) +
                                     ": values are carried along it");
    return;
  }
  LoopLevel *level = innermost(loop, known, mayAlias);
  if (!level)
    return;
  SmallVector<LikelyBounds, 4> candidates;
  if (auto range = known.few(loop.region, level->dim))
    candidates.push_back(*range);
  else
    candidates = known.likely(loop.region, level->dim);
  unsigned nodes = 0;
  std::string counts, dim = "dimension " + std::to_string(level->dim + 1);
  for (const LikelyBounds &bounds : candidates) {
    unsigned copies = bounds.hi - bounds.lo + 1;
    nodes += nodesIn(loop) * copies;
    if (nodes > maxNodes)
      break;
    level->likely.push_back(bounds);
    counts += (counts.empty() ? "" : " or ") + std::to_string(copies);
  }
  if (!counts.empty())
    context.applied(loop.range, "a copy of the body for each of " + counts +
                                    " indices of " + dim);
  else if (!candidates.empty())
    context.missed(loop.range, "no copies for each index of " + dim + " of " +
                                   sourceName(*loop.region) +
                                   ": the body is too long");
}

void likelyBounds(Module &module, PassContext &context) {
  KnownBounds known(module);
  for (Procedure *procedure : module.procedures) {
    // The loops of waves are over tiles, those of scattered domains over
    // places, those of sparse regions over patterns.
    forEachMLoop(procedure->body, [&](MLoopStmt &loop, bool inWave) {
      if (!inWave && !isScattered(*loop.region) && !loop.region->isSparse)
        setBounds(loop, known, procedure->mayAlias, context);
    });
  }
}

} // namespace zpl::air
