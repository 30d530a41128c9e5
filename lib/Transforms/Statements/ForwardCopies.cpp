//===- ForwardCopies.cpp - Temporaries that copy elements -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operands are evaluated from left to right, and a procedure may write what
// stands to the left of its call. So ArrayGen keeps F of
//
//     U := (F + around(U)) / 6.0;
//
// in a temporary. Once the procedure has been inlined one can see that it does
// not write F:
//
//     alloc %T
//     [@R] %T = @F
//     [@R] %W = add(@U@(0,1), ...)  =>  [@R] %W = add(@U@(0,1), ...)
//     [@R] @U = div(add(%T, %W), ...)   [@R] @U = div(add(@F, %W), ...)
//     free %T
//
// The copy would be a loop of its own: the statement after it waits for the
// neighbours' elements of U, and stays a row behind what reads them.
//
// Everything that reads the temporary stands after the copy in its list, or is
// nested in what does, and no statement until there writes F, nor an array that
// may be F. A mask of the copy does not matter, for elements that it leaves out
// are not read.
//
// Cost: linear in the statements, times those between a copy and its last use.
//
//===----------------------------------------------------------------------===//

#include "Statements/ForwardCopies.h"
#include "Communication/TransferEdits.h"
#include "Statements/ArrayReads.h"
#include "zpl/Analysis/Effects.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace zpl::air {
namespace {

class CopyForwarder {
public:
  CopyForwarder(Module &module, Procedure &procedure, const Effects &effects,
                PassContext &context)
      : module(module), procedure(procedure), effects(effects),
        context(context) {
    forEachStmt(procedure.body, [&](const Stmt &stmt) {
      bool allocates = isa<AllocArrayStmt>(stmt);
      forEachArray(stmt, [&](const Array &array) {
        if (!allocates)
          ++mentions[&array];
      });
    });
  }

  void list(StmtList &list) {
    for (size_t i = 0; i < list.size();)
      if (!forward(list, i))
        ++i;
    for (Stmt *stmt : list)
      forEachList(*stmt, [&](StmtList &inner) { this->list(inner); });
  }

  /// Takes the temporaries that nothing reads any more out of the procedure.
  void removeDead() {
    auto isDead = [&](const Array *array) { return dead.contains(array); };
    erase_if(procedure.arrays, isDead);
    rewriteStmts(procedure.body, [&](Stmt *stmt, StmtList &result) {
      auto *alloc = dyn_cast<AllocArrayStmt>(stmt);
      auto *free = dyn_cast<FreeArrayStmt>(stmt);
      if (!(alloc && isDead(alloc->array)) && !(free && isDead(free->array)))
        result.push_back(stmt);
    });
  }

private:
  static bool isTemporary(const Array &array) {
    return array.storage == Storage::Local && array.text.empty() &&
           !array.family && !array.isSparse && !array.isContracted();
  }

  /// Removes the statement at \p i if it is a copy that nobody needs.
  bool forward(StmtList &list, size_t i) {
    auto *copy = dyn_cast<ArrayAssignStmt>(list[i]);
    const ElementExpr *target = copy ? plainElement(copy->target) : nullptr;
    const ElementExpr *value = copy ? plainElement(copy->value) : nullptr;
    if (!target || !value || !isTemporary(*target->array) ||
        value->array == target->array || value->type.isAggregate() ||
        value->array->isSparse || isOneForMany(*target->array, *copy->region))
      return false;
    SmallVector<Stmt *, 4> readers;
    if (!findReaders(list, i, *target->array, *value->array, readers))
      return false;
    for (Stmt *reader : readers)
      replaceReads(module, *reader, *target->array, value);
    context.count("copies");
    context.applied(copy->range,
                    sourceName(*value->array) + " is read itself, not a copy");
    list.erase(list.begin() + i);
    dead.insert(target->array);
    return true;
  }

  /// Finds the statements of the list after number \p i that read \p copy;
  /// false if there are other uses, or \p original is written before the last.
  bool findReaders(const StmtList &list, size_t i, const Array &copy,
                   const Array &original,
                   SmallVectorImpl<Stmt *> &readers) const {
    unsigned found = 1, all = mentions.lookup(&copy);
    bool isGood = true, isWritten = false;
    for (size_t k = i + 1; k < list.size() && isGood && found < all; ++k) {
      unsigned before = found;
      forEachInside(*list[k], [&](Stmt &stmt) {
        if (!names(stmt, copy))
          return;
        ++found;
        if (isa<FreeArrayStmt>(stmt))
          return;
        isGood &= onlyReads(stmt, copy);
        if (readers.empty() || readers.back() != list[k])
          readers.push_back(list[k]);
      });
      bool isReader = !readers.empty() && readers.back() == list[k];
      bool writes = changes(*list[k], original);
      // An element is read before it is set, but by statements nested in one.
      auto *assign = dyn_cast<ArrayAssignStmt>(list[k]);
      bool isPlain = assign && rootElement(assign->target);
      isGood &=
          !(isReader && found != before && (isWritten || (writes && !isPlain)));
      isWritten |= writes;
    }
    return isGood && !readers.empty() && found == all;
  }

  /// Whether a statement may change the array, or take its memory.
  bool changes(Stmt &stmt, const Array &array) const {
    bool isChanged = effects.writes(procedure, stmt).arrays.contains(&array);
    forEachInside(stmt, [&](const Stmt &inner) {
      isChanged |= isa<AllocArrayStmt, FreeArrayStmt, BindArrayStmt>(inner) &&
                   names(inner, array);
    });
    return isChanged;
  }

  Module &module;
  Procedure &procedure;
  const Effects &effects;
  PassContext &context;
  /// Statements that name it, but for what allocates it.
  DenseMap<const Array *, unsigned> mentions;
  DenseSet<const Array *> dead;
};

} // namespace

void forwardCopies(Module &module, PassContext &context) {
  Effects effects(module);
  for (Procedure *procedure : module.procedures) {
    CopyForwarder forwarder(module, *procedure, effects, context);
    forwarder.list(procedure->body);
    forwarder.removeDead();
  }
}

} // namespace zpl::air
