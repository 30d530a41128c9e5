//===- FuseLoops.cpp - Neighbouring M-loops in one sweep ------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     mloop @R { store @New = ...@A@(0,1)... }       mloop @R {
//     sv %t                                            store @New = ...
//     mloop @R { accumulate max %d, sub(@A, @New) } =>  accumulate max %d, ...
//     combine max %d                                 }
//                                                    sv %t
//                                                    combine max %d
//
// The second loop moves up to the first. For each M-loop of a list, the
// statements behind it are looked at in turn:
//
//  1. `set`, `combine` and `sv` can be passed if the loop that follows neither
//     reads what they write nor writes what they read.
//  2. An M-loop over the same region (the same value: nothing in between sets
//     one) that shares an array is fused if no array stored by either is
//     accessed by the other at another index. Then index i of the second needs
//     only what index i of the first has done, and nothing that a later index
//     of the first still wants is overwritten.
//  3. Anything else ends the search.
//
// A fused loop is tried again with what follows it. Cost: linear in the
// statements, times the accesses of a loop.
//
//===----------------------------------------------------------------------===//

#include "zpl/Transforms/FuseLoops.h"
#include "TransferEdits.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace zpl::air {
namespace {

/// What an M-loop reads and writes.
struct LoopAccesses {
  DenseSet<const Array *> touched, stored, shifted;
  DenseSet<const Variable *> read, accumulated;
  bool readsReference = false;
  bool borrows = false; ///< reads a shift's result: storage of another array
  bool hasCalls = false;

  explicit LoopAccesses(const MLoopStmt &loop) {
    for (const ElementOp &op : loop.body) {
      if (op.target)
        stored.insert(rootElement(op.target)->array);
      if (op.accumulator)
        accumulated.insert(op.accumulator);
    }
    forEachExpr(loop, [&](const Expr &e) {
      if (auto *element = dyn_cast<ElementExpr>(&e)) {
        touched.insert(element->array);
        borrows |= element->array->storage == Storage::Local &&
                   !element->array->declared;
        if (element->isShifted())
          shifted.insert(element->array);
      } else if (auto *variable = dyn_cast<VarExpr>(&e)) {
        read.insert(variable->variable);
        readsReference |= variable->variable->byReference;
      }
      hasCalls |= isa<CallExpr>(e);
    });
  }
};

bool haveCommon(const DenseSet<const Array *> &a,
                const DenseSet<const Array *> &b, const Array *&common) {
  for (const Array *array : a)
    if (b.contains(array)) {
      common = array;
      return true;
    }
  return false;
}

class LoopFuser {
public:
  LoopFuser(Procedure &procedure, PassContext &context)
      : procedure(procedure), context(context) {}

  void list(StmtList &list) {
    for (size_t i = 0; i < list.size(); ++i)
      if (auto *first = dyn_cast<MLoopStmt>(list[i]))
        while (absorbNext(*first, list, i)) {
        }
    for (Stmt *stmt : list)
      forEachList(*stmt, [&](StmtList &inner) { this->list(inner); });
  }

private:
  /// Fuses the next M-loop behind position \p i with \p first, if it can be.
  bool absorbNext(MLoopStmt &first, StmtList &list, size_t i) {
    size_t j = i + 1;
    while (j < list.size() && mayBePassed(*list[j]))
      ++j;
    auto *second = j < list.size() ? dyn_cast<MLoopStmt>(list[j]) : nullptr;
    if (!second || second->region != first.region || !first.walkers.empty() ||
        !second->walkers.empty())
      return false;
    LoopAccesses a(first), b(*second);
    const Array *common = nullptr;
    if (!haveCommon(a.touched, b.touched, common))
      return false;
    std::string why = obstacle(a, b);
    for (size_t k = i + 1; why.empty() && k < j; ++k)
      why = obstacle(*list[k], b);
    std::string place = context.atLine(first.range);
    if (!why.empty()) {
      context.missed(second->range,
                     "not fused with the loop before" + place + ": " + why);
      return false;
    }
    context.applied(second->range, "fused with the loop before" + place);
    first.body.insert(first.body.end(), second->body.begin(),
                      second->body.end());
    list.erase(list.begin() + j);
    return true;
  }

  /// Statements that another may move across, if obstacle() says so.
  static bool mayBePassed(const Stmt &stmt) {
    auto *point = dyn_cast<TransferPointStmt>(&stmt);
    return isa<SetStmt>(stmt) || isa<CombineStmt>(stmt) ||
           (point && point->point == TransferPointStmt::SV);
  }

  /// Why two loops must stay apart; empty if they need not.
  std::string obstacle(const LoopAccesses &a, const LoopAccesses &b) const {
    const Array *array = nullptr;
    if (procedure.mayAlias)
      return "arrays of '" + procedure.sourceName + "' may be the same";
    if (a.hasCalls || b.hasCalls)
      return "a procedure is called for each element";
    if ((a.borrows && !b.stored.empty()) || (b.borrows && !a.stored.empty()))
      return "a shifted temporary may share what the other one writes";
    if (haveCommon(a.stored, b.shifted, array))
      return "it reads " + sourceName(*array) + " at another index";
    if (haveCommon(b.stored, a.shifted, array))
      return "it writes " + sourceName(*array) +
             ", which that one reads at another index";
    return "";
  }

  /// Why a loop must not move up across \p stmt; empty if it may.
  static std::string obstacle(const Stmt &stmt, const LoopAccesses &loop) {
    const Variable *written = nullptr;
    if (auto *combine = dyn_cast<CombineStmt>(&stmt))
      written = combine->variable;
    bool isReadBefore = false;
    if (auto *set = dyn_cast<SetStmt>(&stmt)) {
      written = rootVariable(set->target);
      forEachExpr(*set, [&](const Expr &e) {
        auto *variable = dyn_cast<VarExpr>(&e);
        isReadBefore |=
            isa<CallExpr>(e) ||
            (variable && loop.accumulated.contains(variable->variable));
      });
    }
    if (written && (isReadBefore || loop.read.contains(written) ||
                    loop.accumulated.contains(written) || loop.readsReference ||
                    written->byReference))
      return "'" + written->name + "' is set in between";
    if (auto *point = dyn_cast<TransferPointStmt>(&stmt))
      for (const auto &[array, offset] : point->transfer->items)
        if (loop.stored.contains(array))
          return "it writes " + sourceName(*array) + ", which is being sent";
    return "";
  }

  Procedure &procedure;
  PassContext &context;
};

} // namespace

void fuseLoops(Module &module, PassContext &context) {
  for (Procedure *procedure : module.procedures)
    LoopFuser(*procedure, context).list(procedure->body);
}

} // namespace zpl::air
