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
// What is copied may be a flood that goes after the copy, as the mask of
// `[R with >>[ , k] E] A := ...` does. It goes where the copy went then, and a
// column serves where a whole array of booleans was made:
//
//     flood %T = @E from %column         flood %T = @E from %column
//     [@R] %M = %T                   =>  [@R where %T] @A = ...
//     free %T                            free %T
//     [@R where %M] @A = ...
//     free %M
//
// A flood may share the storage of its source. So a source that is a temporary
// stays as well, and if a reader of the mask writes the source, the column is
// copied before.
//
// Cost: linear in the statements, times those between a copy and its last use.
//
//===----------------------------------------------------------------------===//

#include "Statements/ForwardCopies.h"
#include "Communication/TransferEdits.h"
#include "Statements/ArrayReads.h"
#include "Statements/SparseArrays.h"
#include "zpl/Analysis/Effects.h"
#include "zpl/ArrayIR/Names.h"
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
        if (isa<FreeArrayStmt>(stmt))
          ++frees[&array];
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
    Readers readers;
    if (!findReaders(list, i, *target->array, *value->array, readers))
      return false;
    if (readers.freed && !keepFlood(list, i, readers, *target->array))
      return false;
    for (Stmt *reader : readers.statements)
      replaceReads(module, *reader, *target->array, value);
    context.count("copies");
    context.applied(copy->range,
                    sourceName(*value->array) + " is read itself, not a copy");
    list.erase(list.begin() + i);
    dead.insert(target->array);
    return true;
  }

  /// The statements of a list that read a copy, or are around such.
  struct Readers {
    SmallVector<Stmt *, 4> statements;
    size_t last = 0;             ///< the number of the last one
    std::optional<size_t> freed; ///< the number of what frees the original
  };

  /// Finds the statements of the list after number \p i that read \p copy;
  /// false if there are other uses, or \p original is written before the last.
  bool findReaders(const StmtList &list, size_t i, const Array &copy,
                   const Array &original, Readers &readers) const {
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
        if (readers.statements.empty() || readers.last != k)
          readers.statements.push_back(list[k]);
        readers.last = k;
      });
      bool isReader = readers.last == k;
      if (isFreeOf(*list[k], original) && frees.lookup(&original) == 1) {
        readers.freed = k;
        continue;
      }
      bool writes = changes(*list[k], original);
      // An element is read before it is set, but by statements nested in one.
      auto *assign = dyn_cast<ArrayAssignStmt>(list[k]);
      bool isPlain = assign && rootElement(assign->target);
      isGood &=
          !(isReader && found != before && (isWritten || (writes && !isPlain)));
      isWritten |= writes;
    }
    return isGood && !readers.statements.empty() && found == all;
  }

  /// Lets the flood that is copied at \p i, and its source, live as long as
  /// \p copy does; false, with nothing changed, if it is none, or not for this.
  bool keepFlood(StmtList &list, size_t &i, const Readers &readers,
                 const Array &copy) {
    Array *original =
        plainElement(cast<ArrayAssignStmt>(list[i])->value)->array;
    size_t made = i;
    FloodStmt *flood = nullptr;
    while (!flood && made-- > 0)
      if (auto *other = dyn_cast<FloodStmt>(list[made]))
        flood = other->target == original ? other : nullptr;
    if (!flood || flood->times || flood->slot || flood->begins ||
        flood->source->isSparse)
      return false;
    std::optional<size_t> sourceFreed;
    bool isWritten = false;
    for (size_t k = made + 1; k <= readers.last; ++k)
      if (isFreeOf(*list[k], *flood->source))
        sourceFreed = k;
      else
        isWritten |= changes(*list[k], *flood->source);
    if (isWritten && sourceFreed)
      return false;
    SmallVector<Array *, 2> kept = {original};
    if (sourceFreed || isWritten)
      kept.push_back(isWritten ? nullptr : flood->source);
    // From the last one, so that the numbers stay right.
    list.erase(list.begin() +
               std::max(*readers.freed, sourceFreed.value_or(0)));
    if (sourceFreed)
      list.erase(list.begin() + std::min(*readers.freed, *sourceFreed));
    if (isWritten) {
      kept.back() = copySource(list, made, *flood);
      i += 2;
    }
    freeInstead(list, copy, kept);
    return true;
  }

  /// Lets \p flood, number \p at of the list, take what it floods from a copy
  /// of that alone, which it returns.
  Array *copySource(StmtList &list, size_t at, FloodStmt &flood) {
    NameAllocator names(procedure);
    auto elementOf = [&](Array *array) {
      return module.make<ElementExpr>(array, Offset(array->rank(), 0),
                                      flood.range);
    };
    Array *slice =
        newArrayOver(module, procedure, names, "slice", flood.source->element,
                     *flood.from, flood.range);
    auto *assign = module.make<ArrayAssignStmt>(
        flood.from, elementOf(slice), elementOf(flood.source), flood.range);
    auto *alloc = module.make<AllocArrayStmt>(slice, flood.range);
    list.insert(list.begin() + at, {alloc, assign});
    flood.source = slice;
    return slice;
  }

  /// Lets the statements of the list that free \p copy free \p kept, in that
  /// order.
  void freeInstead(StmtList &list, const Array &copy, ArrayRef<Array *> kept) {
    rewriteStmts(list, [&](Stmt *stmt, StmtList &result) {
      if (!isFreeOf(*stmt, copy))
        result.push_back(stmt);
      else
        for (Array *array : kept)
          result.push_back(module.make<FreeArrayStmt>(array, stmt->range));
    });
  }

  static bool isFreeOf(const Stmt &stmt, const Array &array) {
    auto *free = dyn_cast<FreeArrayStmt>(&stmt);
    return free && free->array == &array;
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
  /// Statements that free it.
  DenseMap<const Array *, unsigned> frees;
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
