//===- ReduceToTargets.cpp - Partial reductions in place ------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     [CF] C := +<<[Box] (A * B);
//
//     alloc %T                                      T is over [1..n, *, 1..n]
//     [@Box] %T = reduce sum mul(@A, @B)        =>  [@Box] @C = reduce sum ...
//     [@CF] @C = %T
//     free %T
//
// A partial reduction first sets all of its target, and combines all of it
// along the grid in the end. So what is said to be assigned must be all of C:
// the region of the assignment and the one that C was declared over have the
// bounds of T's, by the program's text (KnownBounds). C must not be read by the
// operand, nor be another name of what is.
//
// What is gained: an array as large as the result, and a pass over both. For a
// product of matrices that is a quarter of the memory.
//
// Cost: linear in the statements.
//
//===----------------------------------------------------------------------===//

#include "Statements/ReduceToTargets.h"
#include "Communication/TransferEdits.h"
#include "zpl/Analysis/KnownBounds.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace zpl::air {
namespace {

/// The array, if all that a statement does is to store whole elements of it at
/// each index.
Array *wholeTarget(const ArrayAssignStmt &stmt) {
  auto *target = dyn_cast<ElementExpr>(stmt.target);
  return target && !stmt.guard ? target->array : nullptr;
}

class Forwarder {
public:
  Forwarder(Module &module, Procedure &procedure, const KnownBounds &known,
            PassContext &context)
      : module(module), procedure(procedure), known(known), context(context) {
    forEachStmt(procedure.body, [&](const Stmt &stmt) {
      forEachArray(stmt, [&](const Array &array) { ++uses[&array]; });
    });
  }

  void list(StmtList &list) {
    for (size_t i = 0; i + 1 < list.size(); ++i) {
      auto *reduce = dyn_cast<ReduceArrayStmt>(list[i]);
      auto *assign = dyn_cast<ArrayAssignStmt>(list[i + 1]);
      if (reduce && assign && isOnlyUse(*assign, *reduce->target))
        forward(*reduce, *assign, list, i);
    }
    for (Stmt *stmt : list)
      forEachList(*stmt, [&](StmtList &inner) { this->list(inner); });
  }

private:
  /// Whether the assignment takes over all of \p result, which nothing else
  /// does but what makes and frees it.
  bool isOnlyUse(const ArrayAssignStmt &assign, const Array &result) const {
    auto *value = dyn_cast<ElementExpr>(assign.value);
    return value && value->array == &result && !value->isShifted() &&
           wholeTarget(assign) && uses.lookup(&result) == 4;
  }

  void forward(ReduceArrayStmt &reduce, const ArrayAssignStmt &assign,
               StmtList &list, size_t at) {
    Array *result = reduce.target, *target = wholeTarget(assign);
    std::string why = obstacle(reduce, assign, *target);
    if (!why.empty())
      return context.missed(assign.range, "the reduction does not go straight "
                                          "to " +
                                              sourceName(*target) + ": " + why);
    reduce.target = target;
    list.erase(list.begin() + at + 1);
    removeAll(procedure.body, *result);
    llvm::erase(procedure.arrays, result);
    context.count("reductions");
    context.applied(reduce.range,
                    "the reduction goes straight to " + sourceName(*target));
  }

  std::string obstacle(const ReduceArrayStmt &reduce,
                       const ArrayAssignStmt &assign,
                       const Array &target) const {
    bool isRead = false;
    forEachArray(reduce, [&](const Array &array) {
      isRead |= &array != reduce.target &&
                mayBeSame(module, array, target, procedure.mayAlias);
    });
    if (isRead)
      return "the operand reads it; reduce into another array";
    bool isWhole = target.declared && reduce.target->declared &&
                   !target.family && !target.isSparse &&
                   !assign.region->isSparse && target.borders.empty() &&
                   target.shape == reduce.target->shape &&
                   known.areEqual(*target.declared, *reduce.target->declared) &&
                   known.areEqual(*assign.region, *reduce.target->declared);
    return isWhole ? ""
                   : "not surely all of it is set; put its declared "
                     "region in front of the statement";
  }

  /// Drops what makes and frees an array.
  static void removeAll(StmtList &list, const Array &array) {
    llvm::erase_if(list, [&](const Stmt *stmt) {
      auto *made = dyn_cast<AllocArrayStmt>(stmt);
      auto *freed = dyn_cast<FreeArrayStmt>(stmt);
      return (made && made->array == &array) ||
             (freed && freed->array == &array);
    });
    for (Stmt *stmt : list)
      forEachList(*stmt, [&](StmtList &inner) { removeAll(inner, array); });
  }

  Module &module;
  Procedure &procedure;
  const KnownBounds &known;
  PassContext &context;
  DenseMap<const Array *, unsigned> uses; ///< statements that name it
};

} // namespace

void reduceToTargets(Module &module, PassContext &context) {
  KnownBounds known(module);
  for (Procedure *procedure : module.procedures)
    Forwarder(module, *procedure, known, context).list(procedure->body);
}

} // namespace zpl::air
