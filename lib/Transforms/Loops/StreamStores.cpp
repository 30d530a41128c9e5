//===- StreamStores.cpp - Results past the caches -------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     mloop @R levels(0 up, 1 up) {           mloop @R levels(0 up, 1 up) {
//       store @B = add(@A@(-1,0), ...)   =>     stream @B = add(@A@(-1,0), ...)
//       accumulate max %m, abs(@A)              accumulate max %m, abs(@A)
//     }                                       }
//
// An ordinary store reads the cache line that it writes into, and later writes
// it back: per element of B two transfers, where one would do. For what is
// larger than the caches nothing is lost by going around them. So a store is
// marked whose array is not needed in its own loop; how CodeGen does it, and
// the question at run time, is in LowerStreams.cpp.
//
// An array counts as read by the loop if any of its names is: another view of
// its family, or what a shift or a flood has made of it.
//
// Cost: linear in the accesses of a loop times its streamed stores.
//
//===----------------------------------------------------------------------===//

#include "Loops/StreamStores.h"
#include "Communication/TransferEdits.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/EquivalenceClasses.h"

using namespace llvm;

namespace zpl::air {
namespace {

class StoreStreamer {
public:
  StoreStreamer(Procedure &procedure, Module &module, PassContext &context)
      : procedure(procedure), module(module), context(context) {}

  void run() {
    DenseSet<const Stmt *> inTiles; // small ones, that stay in the cache
    forEachStmt(procedure.body, [&](Stmt &stmt) {
      if (isa<WaveStmt, InterleaveStmt, StripsStmt>(stmt))
        forEachList(stmt, [&](const StmtList &loops) {
          inTiles.insert(loops.begin(), loops.end());
        });
      note(stmt);
    });
    forEachStmt(procedure.body, [&](Stmt &stmt) {
      auto *loop = dyn_cast<MLoopStmt>(&stmt);
      if (loop && loop->walkers.empty() && !inTiles.contains(loop))
        mark(*loop);
    });
  }

private:
  /// Arrays that may share storage because one is made of the other.
  void note(const Stmt &stmt) {
    if (auto *flood = dyn_cast<FloodStmt>(&stmt))
      storages.unionSets(flood->source, flood->target);
    if (auto *shift = dyn_cast<ShiftStmt>(&stmt))
      for (const ShiftView &view : shift->views)
        storages.unionSets(shift->source, view.target);
    if (auto *window = dyn_cast<WindowStmt>(&stmt); window && window->lends())
      storages.unionSets(window->array, window->window);
    else if (auto *boxes = dyn_cast<BoxesStmt>(&stmt))
      storages.unionSets(boxes->array, boxes->window);
  }

  bool mayShare(const Array &a, const Array &b) const {
    auto ofA = storages.findLeader(&a), ofB = storages.findLeader(&b);
    return mayBeSame(module, a, b, procedure.mayAlias) ||
           (ofA != storages.member_end() && ofA == ofB);
  }

  /// Why \p op is not streamed, or "".
  std::string obstacle(const ElementOp &op, const MLoopStmt &loop) const {
    auto *target = dyn_cast<ElementExpr>(op.target);
    if (loop.region->isSparse)
      return "the region is sparse";
    if (!target || op.value->type.isAggregate())
      return "parts of elements are stored; assign whole elements";
    const Array &array = *target->array;
    if (loop.time.most)
      return sourceName(array) +
             " is stored by several iterations in one sweep";
    if (array.isContracted())
      return sourceName(array) + " is contracted";
    if (op.guard)
      return sourceName(array) +
             " is stored under a mask; write a region instead of the mask";
    if (!mayWalkRows(loop, array))
      return sourceName(array) + " is not stored along rows";
    // Counted, since clones of a statement share their expressions.
    unsigned named = 0;
    forEachExpr(loop, [&](const Expr &e) {
      auto *element = dyn_cast<ElementExpr>(&e);
      named += element && mayShare(array, *element->array);
    });
    return named > 1 ? sourceName(array) + " is needed again in its loop" : "";
  }

  void mark(MLoopStmt &loop) {
    if (isInBlocks(loop) || any_of(loop.body, [](const ElementOp &op) {
          return op.kind == ElementOp::Call;
        }))
      return;
    for (ElementOp &op : loop.body) {
      if (op.kind != ElementOp::Store ||
          rootElement(op.target)->array->isCarries())
        continue;
      SourceRange range = op.range.isValid() ? op.range : loop.range;
      if (std::string why = obstacle(op, loop); !why.empty()) {
        context.missed(range, "not streamed to memory: " + why);
        continue;
      }
      op.streams = true;
      context.count("stores");
      context.applied(range, sourceName(*rootElement(op.target)->array) +
                                 " goes past the caches where it is large");
    }
  }

  Procedure &procedure;
  Module &module;
  PassContext &context;
  EquivalenceClasses<const Array *> storages;
};

} // namespace

void streamStores(Module &module, PassContext &context) {
  for (Procedure *procedure : module.procedures)
    StoreStreamer(*procedure, module, context).run();
}

} // namespace zpl::air
