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
// A shift whose views are first read by the loop sends, and the loop waits:
//
//     shift {%T by (%d...)} = @A over @R      shift {...} = @A over @R sends %t
//     mloop @R levels(...) {             =>   mloop @R awaits(%t) levels(...) {
//       store @B = ... %T ...                   store @B = ... %T ...
//     }                                       }
//                                             sv %t
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
// which is stored, may not. What lends a shift its storage must not be stored
// at all, since others may still be reading it.
//
// Cost: linear in the statements and accesses.
//
//===----------------------------------------------------------------------===//

#include "Communication/SplitBoundary.h"
#include "Communication/TransferEdits.h"
#include "zpl/Analysis/Overlap.h"
#include "zpl/Analysis/StorageAliases.h"
#include "zpl/ArrayIR/LoopOrder.h"
#include "zpl/ArrayIR/Names.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace zpl::air {
namespace {

class BoundarySplitter {
public:
  BoundarySplitter(Module &module, Procedure &procedure, PassContext &context)
      : module(module), procedure(procedure), names(procedure),
        aliases(module, procedure), context(context) {}

  void list(StmtList &list) {
    StmtList result;
    for (Stmt *stmt : list) {
      SmallVector<Transfer *, 2> views;
      if (auto *loop = dyn_cast<MLoopStmt>(stmt)) {
        takeWaits(*loop, result);
        takeShifts(*loop, result, views);
      }
      result.push_back(stmt);
      for (Transfer *transfer : views)
        result.push_back(module.make<TransferPointStmt>(
            TransferPointStmt::SV, transfer, transfer->range));
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
      std::string why = obstacle(loop, *transfer->region);
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

  /// Lets the shifts that \p before ends in, among what only prepares the
  /// loop, send; leaves the transfers that \p loop then waits for.
  void takeShifts(MLoopStmt &loop, const StmtList &before,
                  SmallVectorImpl<Transfer *> &taken) {
    DenseSet<const Array *> mentioned; // in front of the loop
    for (Stmt *stmt : reverse(before)) {
      if (!isa<ShiftStmt, FloodStmt, SetRegionStmt, AllocArrayStmt, CheckStmt,
               SetStmt>(stmt) ||
          callsProcedure(*stmt))
        return;
      if (auto *shift = dyn_cast<ShiftStmt>(stmt))
        if (!shift->sends && isFor(*shift, loop, mentioned))
          takeShift(*shift, loop, taken);
      forEachArray(*stmt, [&](const Array &a) { mentioned.insert(&a); });
    }
  }

  static bool isFor(const ShiftStmt &shift, const MLoopStmt &loop,
                    const DenseSet<const Array *> &mentioned) {
    auto isView = [&](const Array &array) {
      return any_of(shift.views, [&](const ShiftView &view) {
        return view.target == &array;
      });
    };
    bool isRead = false;
    forEachArray(loop, [&](const Array &array) { isRead |= isView(array); });
    return isRead && none_of(mentioned, [&](const Array *array) {
             return isView(*array);
           });
  }

  void takeShift(ShiftStmt &shift, MLoopStmt &loop,
                 SmallVectorImpl<Transfer *> &taken) {
    std::string why = obstacle(loop, *shift.region);
    if (why.empty())
      why = storesSource(shift, loop);
    if (!why.empty())
      return context.missed(loop.range,
                            "nothing of the loop is computed before its "
                            "neighbours' values are there: " +
                                why);
    Transfer transfer;
    transfer.name = names.make("t");
    transfer.region = shift.region;
    transfer.range = shift.range;
    shift.sends = module.make<Transfer>(std::move(transfer));
    procedure.transfers.push_back(shift.sends);
    loop.awaits.push_back(shift.sends);
    taken.push_back(shift.sends);
    context.applied(loop.range, "its interior can be computed while " +
                                    sourceName(*shift.source) + " travels" +
                                    context.atLine(shift.range));
  }

  std::string storesSource(const ShiftStmt &shift,
                           const MLoopStmt &loop) const {
    for (const ElementOp &op : loop.body)
      if (op.target &&
          aliases.mayHold({rootElement(op.target)->array}, shift.source))
        return sourceName(*shift.source) + " is stored in the loop";
    return "";
  }

  /// Why the loop cannot wait by itself for what is sent for \p region; empty
  /// if it can.
  std::string obstacle(const MLoopStmt &loop, const Region &region) const {
    if (!mayRunInBoxes(loop))
      return order(loop);
    if (region.shape != loop.region->shape)
      return "they are sent for " + otherRegion(region) +
             "; put both statements in one scope";
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
    if (loop.region->isSparse)
      return "the region is sparse";
    if (any_of(loop.body, [](const ElementOp &op) { return op.delay != 0; }))
      return "it is several loops fused, some rows apart";
    bool calls = false;
    forEachExpr(loop, [&](const Expr &e) { calls |= isa<CallExpr>(e); });
    return calls ? "a procedure is called for each element; write one that "
                   "only computes"
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
              " may be the same; use separate arrays";
    });
    return why;
  }

  Module &module;
  Procedure &procedure;
  NameAllocator names;
  StorageAliases aliases;
  PassContext &context;
};

} // namespace

void splitBoundary(Module &module, PassContext &context) {
  for (Procedure *procedure : module.procedures)
    BoundarySplitter(module, *procedure, context).list(procedure->body);
}

} // namespace zpl::air
