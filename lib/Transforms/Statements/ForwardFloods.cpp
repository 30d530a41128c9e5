//===- ForwardFloods.cpp - Flood arrays that are only read ----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// SUMMA, as the dissertation writes it (listing 2.18), has names for the column
// and the row of a step:
//
//     [Col] ACol := >>[ , k] A;
//     [Row] BRow := >>[k, ] B;
//     [R]   C += ACol * BRow;
//
// ArrayGen makes a temporary for each flood, and copies it:
//
//     for %k ... {                          for %k ... {
//       flood %T = @A from %S                 flood %T = @A from %S
//       [@Col] @ACol = %T                     flood %U = @B from %S.1
//       free %T                               [@R] @C = fma(%T, %U, @C)
//       flood %U = @B from %S.1          =>   free %U
//       [@Row] @BRow = %U                     free %T
//       free %U                             }
//       [@R] @C = fma(@ACol, @BRow, @C)
//     }
//
// With the temporaries themselves the body is what it is with flood operators
// in the product, and jam-loops and block-loops can do with it what they do
// there; without, every element of C is loaded and stored n times.
//
// An array is forwarded everywhere or nowhere. Each statement of the program
// that names it must be one of
//
//   - what allocates, frees or checks it,
//   - an assignment of all of it, without mask, from the temporary of a flood
//     that has no other use: its region and that of the array's declaration
//     have equal bounds by the program's text (KnownBounds),
//   - a statement in the same list after such an assignment and before the next
//     one, or nested in one there, that reads elements at its own index.
//
// So no value lives on to the next iteration or in other procedures. From the
// flood to the last read nothing may write the source, in whose storage the
// temporary may lie, nor leave the list, at whose end the temporary is freed.
//
// The array keeps its memory, which nothing touches any more.
//
// Cost: linear in the statements.
//
//===----------------------------------------------------------------------===//

#include "Statements/ForwardFloods.h"
#include "Communication/TransferEdits.h"
#include "Statements/ArrayReads.h"
#include "zpl/Analysis/Effects.h"
#include "zpl/Analysis/KnownBounds.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>

using namespace llvm;

namespace zpl::air {
namespace {

/// A flood and the assignment of its temporary, which stand in one list.
struct Copy {
  StmtList *list;
  FloodStmt *flood;
  ArrayAssignStmt *assign;
  SmallVector<Stmt *, 4> readers; ///< after it in the list, in their order
};

bool leavesList(const Stmt &stmt) {
  return isa<ReturnStmt, ExitStmt, ContinueStmt>(stmt);
}

constexpr const char *OtherUse =
    "it is used where it may have other values, or otherwise than to read its "
    "elements at the same index";

class FloodForwarder {
public:
  FloodForwarder(Module &module, PassContext &context)
      : module(module), context(context), known(module), effects(module) {
    for (Procedure *procedure : module.procedures)
      forEachStmt(procedure->body, [&](const Stmt &stmt) {
        bool makes = isa<AllocArrayStmt, FreeArrayStmt>(stmt);
        forEachArray(stmt, [&](const Array &array) {
          ++mentions[&array];
          if (makes || isa<CheckStmt>(stmt))
            ++harmless[&array];
        });
      });
  }

  void run(Procedure &procedure) {
    copies.clear();
    collect(procedure.body);
    for (auto &[array, list] : copies)
      forward(procedure, *array, list);
  }

private:
  /// Finds the copies of a list and of those nested in it.
  void collect(StmtList &list) {
    DenseMap<const Array *, FloodStmt *> floods;
    for (Stmt *stmt : list) {
      auto *flood = dyn_cast<FloodStmt>(stmt);
      if (flood && !flood->times && mentions.lookup(flood->target) == 3)
        floods[flood->target] = flood;
      auto *assign = dyn_cast<ArrayAssignStmt>(stmt);
      const ElementExpr *value = assign ? plainElement(assign->value) : nullptr;
      const ElementExpr *target =
          assign ? plainElement(assign->target) : nullptr;
      FloodStmt *made = value ? floods.lookup(value->array) : nullptr;
      if (made && target && !assign->guard)
        copies[target->array].push_back({&list, made, assign, {}});
      forEachList(*stmt, [&](StmtList &inner) { collect(inner); });
    }
  }

  /// Lets all that read \p array read the temporaries, if all can.
  void forward(Procedure &procedure, Array &array,
               MutableArrayRef<Copy> copies) {
    std::string why = obstacle(procedure, array, copies);
    if (!why.empty())
      return context.missed(copies.front().assign->range,
                            "the flood is copied to " + sourceName(array) +
                                ": " + why);
    for (Copy &copy : copies) {
      context.applied(copy.assign->range,
                      sourceName(array) + " is the flood, without a copy");
      context.count("floods");
      replace(array, copy);
    }
  }

  std::string obstacle(const Procedure &procedure, const Array &array,
                       MutableArrayRef<Copy> copies) {
    if (array.family || array.storage == Storage::Param || procedure.mayAlias)
      return "it may have other names; assign to a variable of the program";
    unsigned found = copies.size() + harmless.lookup(&array);
    for (Copy &copy : copies) {
      if (!isWhole(array, copy))
        return "not surely all of it is set; put its declared region in front "
               "of the statement";
      std::optional<unsigned> readers = findReaders(array, copy);
      found += readers.value_or(0);
      if (!readers)
        return OtherUse;
    }
    if (found != mentions.lookup(&array))
      return OtherUse;
    for (const Copy &copy : copies) {
      std::string why = obstacleUntilLastRead(procedure, array, copy);
      if (!why.empty())
        return why;
    }
    return "";
  }

  bool isWhole(const Array &array, const Copy &copy) const {
    const Region &region = *copy.assign->region;
    return array.declared && !array.isSparse && !region.isSparse &&
           array.borders.empty() && array.shape == copy.flood->target->shape &&
           array.domain == copy.flood->target->domain &&
           known.areEqual(*array.declared, region);
  }

  /// Finds the statements of the list that read the array before the next copy;
  /// returns how many there are, nested ones included, or nothing if one does
  /// something else with it.
  static std::optional<unsigned> findReaders(const Array &array, Copy &copy) {
    StmtList &list = *copy.list;
    unsigned found = 0;
    for (auto at = std::next(find(list, copy.assign)); at != list.end(); ++at) {
      auto *next = dyn_cast<ArrayAssignStmt>(*at);
      const ElementExpr *target = next ? plainElement(next->target) : nullptr;
      if (target && target->array == &array)
        break;
      unsigned before = found;
      bool isGood = true;
      forEachInside(**at, [&](Stmt &stmt) {
        if (isa<CheckStmt, FreeArrayStmt>(stmt) || !names(stmt, array))
          return;
        ++found;
        isGood &= onlyReads(stmt, array);
      });
      if (!isGood)
        return std::nullopt;
      if (found != before)
        copy.readers.push_back(*at);
    }
    return found;
  }

  /// Why the temporary cannot live as long as it is read.
  std::string obstacleUntilLastRead(const Procedure &procedure,
                                    const Array &array,
                                    const Copy &copy) const {
    if (copy.readers.empty())
      return "";
    const Stmt *last = copy.readers.back();
    StmtList &list = *copy.list;
    for (auto at = find(list, copy.assign);; ++at) {
      bool leaves = false;
      forEachInside(**at, [&](const Stmt &s) { leaves |= leavesList(s); });
      if (leaves)
        return "a statement before its last use may leave this place";
      if (*at != copy.assign) {
        WriteSet written = effects.writes(procedure, **at);
        for (const Array *kept :
             std::initializer_list<const Array *>{copy.flood->source, &array})
          if (written.arrays.contains(kept))
            return sourceName(*kept) + " is written before its last use";
      }
      if (*at == last)
        return "";
    }
  }

  void replace(const Array &array, Copy &copy) {
    auto *read = module.make<ElementExpr>(
        copy.flood->target, Offset(array.rank(), 0), copy.assign->range);
    for (Stmt *reader : copy.readers)
      replaceReads(module, *reader, array, read);
    StmtList &list = *copy.list;
    llvm::erase(list, copy.assign);
    auto freed = find_if(list, [&](const Stmt *stmt) {
      auto *free = dyn_cast<FreeArrayStmt>(stmt);
      return free && free->array == copy.flood->target;
    });
    if (copy.readers.empty() || freed == list.end())
      return;
    Stmt *free = *freed;
    list.erase(freed);
    list.insert(std::next(find(list, copy.readers.back())), free);
  }

  Module &module;
  PassContext &context;
  KnownBounds known;
  Effects effects;
  DenseMap<const Array *, unsigned> mentions; ///< statements that name it
  DenseMap<const Array *, unsigned> harmless; ///< that make, free or check it
  MapVector<Array *, SmallVector<Copy, 2>> copies;
};

} // namespace

void forwardFloods(Module &module, PassContext &context) {
  FloodForwarder forwarder(module, context);
  for (Procedure *procedure : module.procedures)
    forwarder.run(*procedure);
}

} // namespace zpl::air
