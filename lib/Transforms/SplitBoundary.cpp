//===- SplitBoundary.cpp - The interior first -----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     dr %t  sr %t
//     dn %t                              dr %t  sr %t
//     mloop @R levels(...) {       =>    mloop @R awaits(%t) levels(...) {
//       store @B = ... @A@(0,1) ...        store @B = ... @A@(0,1) ...
//     }                                  }
//     sv %t                              sv %t
//
// The loop is executed box by box: first the interior, the own block without as
// many indices at each side as the transfer's offsets reach there; then the
// points DN; then at most two slabs per dimension, which are the rest of the
// block. So one loop nest in the code serves all boxes, accumulators go through
// all of them, and where nobody is waited for there is one box, the block.
//
// That changes the order of indices, and nothing else. So it is legal where
// each index could be executed by itself (mayRunInBoxes): what one stores, no
// other one touches. Floating sums and products come in another order, which
// the rounding contract leaves free; of accumulating calls it does not.
// Different arrays must have different storage: two views of a family, one of
// which is stored, may not, nor may what a shift made and its source; the
// latter is never written meanwhile.
//
// Cost: linear in the statements and accesses.
//
//===----------------------------------------------------------------------===//

#include "zpl/Transforms/SplitBoundary.h"
#include "TransferEdits.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace zpl::air {
namespace {

class BoundarySplitter {
public:
  BoundarySplitter(const Module &module, const Procedure &procedure,
                   PassContext &context)
      : module(module), procedure(procedure), context(context) {}

  void list(StmtList &list) {
    StmtList result;
    for (Stmt *stmt : list) {
      if (auto *loop = dyn_cast<MLoopStmt>(stmt))
        takeWaits(*loop, result);
      result.push_back(stmt);
      forEachList(*stmt, [&](StmtList &inner) { this->list(inner); });
    }
    list = std::move(result);
  }

private:
  /// Moves the DN points that \p before ends in into \p loop.
  void takeWaits(MLoopStmt &loop, StmtList &before) {
    while (!before.empty()) {
      auto *point = dyn_cast<TransferPointStmt>(before.back());
      if (!point || point->point != TransferPointStmt::DN)
        return;
      Transfer *transfer = point->transfer;
      std::string why = obstacle(loop, *transfer);
      if (!why.empty())
        return context.missed(loop.range,
                              "nothing of the loop is computed before its "
                              "neighbours' values are there: " +
                                  why);
      loop.awaits.insert(loop.awaits.begin(), transfer);
      before.pop_back();
      context.applied(loop.range,
                      "its interior can be computed while " +
                          sourceName(*transfer->items.front().first) +
                          " travels" + context.atLine(transfer->range));
    }
  }

  /// Why the loop cannot wait for the transfer by itself; empty if it can.
  std::string obstacle(const MLoopStmt &loop, const Transfer &transfer) const {
    if (!mayRunInBoxes(loop))
      return order(loop);
    if (transfer.region->shape != loop.region->shape)
      return "they are sent for another region, " +
             sourceName(*transfer.region);
    if (all_of(loop.levels, [](const LoopLevel &level) { return level.flat; }))
      return "it has one index";
    for (const ElementOp &op : loop.body)
      if (op.target)
        if (std::string why = twins(*rootElement(op.target)->array, loop);
            !why.empty())
          return why;
    return "";
  }

  static std::string order(const MLoopStmt &loop) {
    if (any_of(loop.body, [](const ElementOp &op) { return op.delay != 0; }))
      return "it is several loops fused, some rows apart";
    bool calls = false;
    forEachExpr(loop, [&](const Expr &e) { calls |= isa<CallExpr>(e); });
    return calls ? "a procedure is called for each element"
                 : "what it stores for one index it uses for others";
  }

  /// Whether another array of the loop may be the one that is stored.
  std::string twins(const Array &stored, const MLoopStmt &loop) const {
    std::string why;
    forEachExpr(loop, [&](const Expr &e) {
      auto *element = dyn_cast<ElementExpr>(&e);
      if (element && element->array != &stored &&
          mayBeSame(module, *element->array, stored, procedure.mayAlias))
        why = sourceName(stored) + " and " + sourceName(*element->array) +
              " may be the same";
    });
    return why;
  }

  const Module &module;
  const Procedure &procedure;
  PassContext &context;
};

} // namespace

void splitBoundary(Module &module, PassContext &context) {
  for (Procedure *procedure : module.procedures)
    if (!procedure->transfers.empty())
      BoundarySplitter(module, *procedure, context).list(procedure->body);
}

} // namespace zpl::air
