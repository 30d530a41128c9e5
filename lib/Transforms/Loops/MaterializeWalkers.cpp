//===- MaterializeWalkers.cpp - Pointers for arrays -----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     mloop @R levels(0 up, 1 up) {
//       store @B = add(@A@(0,1), @A@(0,-1))
//     }
//
// An element's address is a sum over its dimensions, but from one index to the
// next it changes by one pitch. So each array of the loop gets one walker,
// which stands at the current index; an element at an offset is a constant
// distance away, the same for the whole loop:
//
//     mloop @R levels(0 up, 1 up) walkers(@B[0,1], @A[0,1]) {
//       store @B#0 = add(@A#1@(0,1), @A#1@(0,-1))
//     }
//
// `[0,1]` are the bumps: the outer level adds A's pitch in dimension 0 (less
// what the inner level has added), the inner one the pitch in dimension 1. A
// flat level adds nothing: its one index is part of where the walker starts.
// Nor does a level in a dimension that the array floods: all its indices have
// the same element, and the walker stands still.
//
// Walkers are numbered in the order of the text, targets before values.
// Expressions are rebuilt where they name elements and kept where not.
//
// Cost: one visit and one rebuilding of each expression.
//
//===----------------------------------------------------------------------===//

#include "Loops/MaterializeWalkers.h"
#include "zpl/ArrayIR/Rewrite.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/DenseMap.h"

using namespace llvm;

namespace zpl::air {

static Walker walkerThrough(Array *array, const MLoopStmt &loop) {
  Walker walker{array, {}};
  for (const LoopLevel &level : loop.levels)
    walker.bumps.push_back(bumpOf(*array, level));
  return walker;
}

/// Fills loop.walkers; gives the walker of each array.
static DenseMap<const Array *, int> makeWalkers(MLoopStmt &loop) {
  DenseMap<const Array *, int> walkers;
  forEachExpr(loop, [&](const Expr &e) {
    auto *element = dyn_cast<ElementExpr>(&e);
    if (element &&
        walkers.try_emplace(element->array, loop.walkers.size()).second)
      loop.walkers.push_back(walkerThrough(element->array, loop));
  });
  return walkers;
}

static void materialize(MLoopStmt &loop, Module &module) {
  DenseMap<const Array *, int> walkers = makeWalkers(loop);
  ExprRewriter rewriter(module, [&](const Expr *leaf) -> const Expr * {
    auto *element = dyn_cast<ElementExpr>(leaf);
    if (!element)
      return leaf;
    auto *result = module.make<ElementExpr>(*element);
    result->walker = walkers.lookup(element->array);
    return result;
  });
  for (ElementOp &op : loop.body) {
    if (op.target)
      op.target = rewriter.rewrite(op.target);
    op.value = rewriter.rewrite(op.value);
    if (op.guard)
      op.guard = rewriter.rewrite(op.guard);
  }
}

void materializeWalkers(Module &module, PassContext &context) {
  for (Procedure *procedure : module.procedures)
    forEachStmt(procedure->body, [&](Stmt &stmt) {
      auto *loop = dyn_cast<MLoopStmt>(&stmt);
      if (!loop || !loop->walkers.empty())
        return;
      materialize(*loop, module);
      context.count("walkers", loop->walkers.size());
    });
}

} // namespace zpl::air
