//===- GatherLoops.cpp - M-loops beside those whose values they read ------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Forces between all pairs, as they are written with temporaries:
//
//     [Pairs] F := ...;
//     [Col] U += dt * +<<[Pairs] (F * DX);
//     [Col] V += dt * +<<[Pairs] (F * DY);
//
//     mloop @Pairs { store @F = ... }       alloc %T
//     alloc %T                              mloop @Col { store %T = f64 0.0 }
//     mloop @Col { store %T = f64 0.0 }     alloc %W
//     mloop @Pairs {                        mloop @Col { store %W = f64 0.0 }
//       accumulate sum %T, mul(@F, @DX)     mloop @Pairs { store @F = ... }
//     }                                     mloop @Pairs {
//     combine-array sum %T dims (1)           accumulate sum %T, mul(@F, @DX)
//     mloop @Col { store @U = ... }     =>  }
//     free %T                               mloop @Pairs {
//     alloc %W                                accumulate sum %W, mul(@F, @DY)
//     mloop @Col { store %W = f64 0.0 }     }
//     mloop @Pairs {                        combine-array sum %T dims (1)
//       accumulate sum %W, mul(@F, @DY)     mloop @Col { store @U = ... }
//     }                                     free %T
//     combine-array sum %W dims (1)         combine-array sum %W dims (1)
//     mloop @Col { store @V = ... }         mloop @Col { store @V = ... }
//     free %W                               free %W
//
// Now the three loops over Pairs are neighbours: fuse-loops makes one of them,
// and contract-arrays scalars of F, DX and DY, which had as many elements as
// there are pairs.
//
// From each M-loop on, the group, the pass looks for loops over an equal region
// (LoopRegions) that read what the group stores. What stands between is parted
// from behind: what the loop depends on, or what another such statement depends
// on, has to come first; it must depend on nothing in the group, and on nothing
// that stays. The rest stays, and comes after the loop. Two statements depend
// on each other if one writes what the other one touches: an array in the same
// storage (StorageAliases), a variable, a region. Only statements of a few
// kinds are moved or passed, none with calls or variables by reference; the
// search ends at any other, and after a few dozen statements. What communicates
// is never moved itself, so all processors take the same steps in the same
// order.
//
// Cost: per M-loop the statements it looks at, times those between.
//
//===----------------------------------------------------------------------===//

#include "Loops/GatherLoops.h"
#include "Loops/LoopRegions.h"
#include "zpl/Analysis/Effects.h"
#include "zpl/Analysis/StorageAliases.h"
#include "zpl/ArrayIR/Operands.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace llvm;

namespace zpl::air {
namespace {

/// How many statements may stand between a group and a loop that comes to it.
constexpr size_t Window = 48;

/// What statements read and write: variables, regions, and the groups of arrays
/// that may share storage.
struct Accesses {
  SmallPtrSet<const void *, 8> read, written;
  /// No other statement may be moved across it.
  bool isBarrier = false;

  void add(const Accesses &other) {
    read.insert(other.read.begin(), other.read.end());
    written.insert(other.written.begin(), other.written.end());
    isBarrier |= other.isBarrier;
  }

  bool reads(const SmallPtrSetImpl<const void *> &things) const {
    return any_of(things, [&](const void *key) { return read.contains(key); });
  }

  bool touches(const SmallPtrSetImpl<const void *> &things) const {
    return reads(things) || any_of(things, [&](const void *key) {
             return written.contains(key);
           });
  }

  bool isIndependentOf(const Accesses &other) const {
    return !isBarrier && !other.isBarrier && !touches(other.written) &&
           !other.touches(written);
  }
};

/// Whether statements of this kind, without calls, do nothing but read and
/// write what their operands say.
bool hasOnlyOperands(const Stmt &stmt) {
  if (auto *loop = dyn_cast<MLoopStmt>(&stmt))
    return loop->walkers.empty() && loop->awaits.empty() &&
           none_of(loop->body, [](const ElementOp &op) {
             return op.delay != 0 || op.kind == ElementOp::Call;
           });
  if (auto *set = dyn_cast<SetRegionStmt>(&stmt))
    return set->target->storage == Storage::Local && !set->target->isSparse;
  if (auto *alloc = dyn_cast<AllocArrayStmt>(&stmt))
    return !alloc->like && !alloc->follows && !alloc->array->family &&
           alloc->array->storage == Storage::Local;
  if (auto *check = dyn_cast<CheckStmt>(&stmt))
    return check->check == CheckStmt::Read || check->check == CheckStmt::Write;
  if (auto *combine = dyn_cast<CombineArrayStmt>(&stmt))
    return !combine->with && combine->others.empty();
  if (auto *combine = dyn_cast<CombineStmt>(&stmt))
    return !combine->with && combine->others.empty();
  return isa<FreeArrayStmt, SetStmt>(stmt);
}

class AccessFinder {
public:
  AccessFinder(const Module &module, const Procedure &procedure)
      : aliases(module, procedure) {}

  Accesses of(const Stmt &stmt) const {
    Accesses result;
    result.isBarrier = !hasOnlyOperands(stmt);
    if (auto *alloc = dyn_cast<AllocArrayStmt>(&stmt)) {
      // It is made over what these are now.
      result.read.insert(alloc->array->declared);
      result.read.insert(alloc->array->borders.begin(),
                         alloc->array->borders.end());
    }
    forEachOperand(stmt, [&](const Operand &operand) {
      if (operand.use == Use::Again)
        return;
      auto &things = operand.use == Use::Read ? result.read : result.written;
      if (Array *array = operand.as<Array *>())
        things.insert(aliases.groupOf(array));
      else if (Region *region = operand.as<Region *>())
        things.insert(region);
      else if (Variable *variable = operand.as<Variable *>())
        addVariable(variable, things, result);
      else if (const Expr *expr = operand.as<const Expr *>())
        addExpr(*expr, operand.use, result);
      else if (operand.as<const CallExpr *>() || operand.as<Procedure *>())
        result.isBarrier = true;
    });
    return result;
  }

private:
  static void addVariable(const Variable *variable,
                          SmallPtrSetImpl<const void *> &things,
                          Accesses &result) {
    things.insert(variable);
    result.isBarrier |= variable->byReference;
  }

  void addExpr(const Expr &expr, Use use, Accesses &result) const {
    forEachExpr(expr, [&](const Expr &e) {
      if (auto *element = dyn_cast<ElementExpr>(&e))
        result.read.insert(aliases.groupOf(element->array));
      else if (auto *remap = dyn_cast<RemapExpr>(&e))
        result.read.insert(aliases.groupOf(remap->array));
      else if (auto *variable = dyn_cast<VarExpr>(&e))
        addVariable(variable->variable, result.read, result);
      else if (auto *bound = dyn_cast<BoundExpr>(&e))
        result.read.insert(bound->region);
      result.isBarrier |= isa<CallExpr>(e);
    });
    if (use == Use::Read)
      return;
    if (const Variable *variable = rootVariable(&expr))
      result.written.insert(variable);
    else if (const ElementExpr *element = rootElement(&expr))
      result.written.insert(aliases.groupOf(element->array));
    else
      result.isBarrier = true;
  }

  StorageAliases aliases;
};

class Gatherer {
public:
  Gatherer(const Module &module, const Procedure &procedure,
           const Effects &effects, PassContext &context)
      : procedure(procedure), effects(effects), context(context),
        finder(module, procedure) {}

  void list(StmtList &list) {
    regions = LoopRegions(list, procedure, effects);
    accesses.clear();
    for (const Stmt *stmt : list)
      accesses[stmt] = finder.of(*stmt);
    for (size_t i = 0; i < list.size(); ++i)
      if (isLoop(*list[i]))
        gather(list, i);
    for (Stmt *stmt : list)
      forEachList(*stmt, [&](StmtList &inner) { this->list(inner); });
  }

private:
  bool isLoop(const Stmt &stmt) const {
    auto *loop = dyn_cast<MLoopStmt>(&stmt);
    return loop && !loop->region->isSparse && !accesses.lookup(&stmt).isBarrier;
  }

  /// The statements from number `first` to `end` of a list, and their accesses.
  struct Group {
    StmtList &list;
    size_t first, end;
    Accesses accesses;
  };

  /// Brings loops to the one at \p i.
  void gather(StmtList &list, size_t i) {
    const auto &first = cast<MLoopStmt>(*list[i]);
    Group group{list, i, i + 1, accesses.lookup(&first)};
    for (size_t j = group.end; j < list.size() && j - group.end < Window; ++j) {
      if (accesses[list[j]].isBarrier)
        return;
      if (isLoopOver(first, *list[j]) &&
          accesses[list[j]].reads(group.accesses.written))
        bringAll(first, group, j);
      j = std::max(j, group.end - 1);
    }
  }

  bool isLoopOver(const MLoopStmt &first, const Stmt &stmt) const {
    return isLoop(stmt) && regions.areEqual(first, cast<MLoopStmt>(stmt));
  }

  /// Brings the loop at \p j, and before that those over an equal region which
  /// set what it reads.
  void bringAll(const MLoopStmt &first, Group &group, size_t j) {
    StmtList &list = group.list;
    for (size_t k = group.end; k < j; ++k)
      if (isLoopOver(first, *list[k]) &&
          accesses[list[j]].reads(accesses[list[k]].written)) {
        if (!bring(first, group, k))
          return;
        k = std::max(k, group.end - 1);
      }
    bring(first, group, j);
  }

  /// Brings the loop at \p j to the group; false if it cannot be.
  bool bring(const MLoopStmt &first, Group &group, size_t j) {
    StmtList &list = group.list;
    bool hasLoops = std::any_of(
        list.begin() + group.end, list.begin() + j,
        [](const Stmt *s) { return isa<MLoopStmt, CombineArrayStmt>(s); });
    if (!hasLoops) { // fuse-loops sees it
      for (; group.end <= j; ++group.end)
        group.accesses.add(accesses[list[group.end]]);
      return true;
    }
    Stmt *loop = list[j];
    if (!move(group, j))
      return false;
    context.applied(loop->range, "moved up to the loop that sets what it "
                                 "reads" +
                                     context.atLine(first.range));
    return true;
  }

  /// Makes the loop at \p j the last one of the group, and brings what it
  /// depends on in front of that; false if it cannot be.
  bool move(Group &group, size_t j) {
    StmtList &list = group.list;
    Accesses needed = accesses[list[j]];
    SmallVector<Stmt *, 8> before, after;
    for (size_t k = j; k-- > group.end;) {
      const Accesses &here = accesses[list[k]];
      if (here.isIndependentOf(needed)) {
        after.push_back(list[k]);
        continue;
      }
      if (isa<CombineArrayStmt, CombineStmt>(list[k]) ||
          !here.isIndependentOf(group.accesses))
        return false;
      before.push_back(list[k]);
      needed.add(here);
    }
    StmtList result(before.rbegin(), before.rend());
    result.insert(result.end(), list.begin() + group.first,
                  list.begin() + group.end);
    result.push_back(list[j]);
    result.insert(result.end(), after.rbegin(), after.rend());
    group.accesses.add(accesses[list[j]]);
    std::copy(result.begin(), result.end(), list.begin() + group.first);
    group.first += before.size();
    group.end += before.size() + 1;
    return true;
  }

  const Procedure &procedure;
  const Effects &effects;
  PassContext &context;
  AccessFinder finder;
  DenseMap<const Stmt *, Accesses> accesses;
  LoopRegions regions;
};

} // namespace

void gatherLoops(Module &module, PassContext &context) {
  Effects effects(module);
  for (Procedure *procedure : module.procedures)
    Gatherer(module, *procedure, effects, context).list(procedure->body);
}

} // namespace zpl::air
