//===- JoinRemaps.cpp - Neighbouring remaps in one branch -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     Cell := to_integer(X);
//     Charge#[Cell] += Q;            -- if %c { call @put(...) } else { ... }
//
// A *run* begins as one branch and takes in what stands before and behind it:
// assignments over a region of its statements, and other branches with what
// defines the regions of their conditions. The definitions come in front of the
// run, and so do the conditions: nothing in the run may write what they read.
//
// If a condition does not hold all statements are executed as they were. So the
// code of a run is there twice, and runs are short.
//
// Cost: linear in the statements, times the length of runs.
//
//===----------------------------------------------------------------------===//

#include "Remaps/JoinRemaps.h"
#include "Statements/GuardedStatements.h"
#include "zpl/ArrayIR/Clone.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace zpl::air {
namespace {

/// Statements that are joined, at most.
constexpr unsigned MaxJoined = 8;

using ArraySet = DenseSet<const Array *>;

bool intersect(const ArraySet &a, const ArraySet &b) {
  return any_of(a, [&](const Array *array) { return b.contains(array); });
}

/// What element code uses, and how.
struct ElementUses {
  ArraySet touched, stored;
  ArraySet byMap, setByMap; ///< subsets of both
  DenseSet<const Region *> regions;
  bool isChecked = false;
  bool isPlain = true; ///< no calls but of what is set by maps; no shifts

  void add(const Stmt &stmt) {
    if (Region *region = elementRegion(stmt))
      regions.insert(region);
    if (auto *assign = dyn_cast<ArrayAssignStmt>(&stmt))
      stored.insert(rootElement(assign->target)->array);
    forEachExpr(stmt, [&](const Expr &e) { add(e); });
  }

  void add(const ElementUses &other) {
    touched.insert(other.touched.begin(), other.touched.end());
    stored.insert(other.stored.begin(), other.stored.end());
    byMap.insert(other.byMap.begin(), other.byMap.end());
    setByMap.insert(other.setByMap.begin(), other.setByMap.end());
    regions.insert(other.regions.begin(), other.regions.end());
    isChecked |= other.isChecked;
  }

  /// Whether both may be one loop, as far as maps are concerned.
  bool fits(const ElementUses &other) const {
    return !intersect(byMap, other.stored) && !intersect(stored, other.byMap) &&
           !intersect(setByMap, other.touched) &&
           !intersect(touched, other.setByMap) &&
           !(isChecked && other.isChecked);
  }

private:
  void add(const Expr &e) {
    if (auto *element = dyn_cast<ElementExpr>(&e)) {
      touched.insert(element->array);
      isPlain &= !element->isShifted();
    } else if (auto *remap = dyn_cast<RemapExpr>(&e)) {
      touched.insert(remap->array);
      byMap.insert(remap->array);
      isChecked |= remap->checked != 0;
    } else if (auto *call = dyn_cast<CallExpr>(&e)) {
      isPlain = false;
      for (const Argument &arg : call->args)
        if (auto *set =
                arg.place ? dyn_cast<RemapExpr>(rootOf(arg.place)) : nullptr)
          setByMap.insert(set->array);
    }
  }
};

class Joiner {
public:
  Joiner(StmtList &list, RemapBranches &made, Module &module,
         const Procedure &procedure, const Effects &effects)
      : list(list), made(made), module(module), procedure(procedure),
        effects(effects) {}

  void run() {
    StmtList result;
    for (size_t i = 0; i < list.size();) {
      Run run{i, i};
      if (!made.branches.contains(list[i]) || !begin(run, i)) {
        result.push_back(list[i++]);
        continue;
      }
      grow(run);
      if (run.joined < 2) {
        result.push_back(list[i++]);
        continue;
      }
      result.resize(result.size() - (i - run.begin));
      join(run, result);
      i = free = run.end;
    }
    list = std::move(result);
  }

private:
  /// Statements of the list, from `begin` on.
  struct Run {
    size_t begin, end;
    unsigned joined = 0; ///< statements that compute
    ElementUses uses{};
    Reads conditions{};  ///< what they and their definitions read
    ArraySet declared{}; ///< arrays whose regions they name
    DenseSet<const Region *> defined{};
  };

  static ElementUses usesOf(const Stmt &branch) {
    ElementUses uses;
    for (const Stmt *stmt : cast<IfStmt>(branch).thenBody)
      uses.add(*stmt);
    return uses;
  }

  /// An assignment that may join: its uses.
  std::optional<ElementUses> assignment(const Stmt &stmt,
                                        const Run &run) const {
    auto *assign = dyn_cast<ArrayAssignStmt>(&stmt);
    if (!assign || run.joined >= MaxJoined)
      return std::nullopt;
    ElementUses uses;
    uses.add(stmt);
    bool joins = uses.isPlain && run.uses.regions.contains(assign->region) &&
                 intersect(run.uses.touched, uses.touched) &&
                 run.uses.fits(uses);
    return joins ? std::optional(std::move(uses)) : std::nullopt;
  }

  /// Begins with the branch at \p at, and takes in what stands before it.
  bool begin(Run &run, size_t at) {
    run.uses = usesOf(*list[at]);
    run.joined = 1;
    run.end = at + 1;
    if (!readCondition(run, *list[at]))
      return false;
    while (run.begin > free && made.definitions.contains(list[run.begin - 1]))
      if (!readDefinition(run, *list[--run.begin]))
        return false;
    size_t before = run.begin;
    while (before > free) {
      const Stmt &stmt = *list[before - 1];
      auto uses = assignment(stmt, run);
      if (!uses || isChanged(run, stmt))
        break;
      run.uses.add(*uses);
      ++run.joined;
      --before;
    }
    run.begin = before;
    return true;
  }

  /// Takes in what stands behind.
  void grow(Run &run) {
    Run tried = run;
    for (size_t i = run.end; i < list.size(); ++i) {
      const Stmt &stmt = *list[i];
      if (made.definitions.contains(&stmt)) {
        if (!readDefinition(tried, stmt))
          return;
        continue;
      }
      if (isa<AllocArrayStmt, FreeArrayStmt>(stmt)) // of temporaries
        continue;
      std::optional<ElementUses> uses;
      if (made.branches.contains(&stmt) && tried.joined < MaxJoined &&
          readCondition(tried, stmt))
        uses = usesOf(stmt);
      else
        uses = assignment(stmt, tried);
      if (!uses || !tried.uses.fits(*uses) ||
          !intersect(tried.uses.touched, uses->touched))
        return;
      tried.uses.add(*uses);
      ++tried.joined;
      tried.end = i + 1;
      if (isChangedWithin(tried))
        return;
      if (isBalanced(tried))
        run = tried;
    }
  }

  bool readCondition(Run &run, const Stmt &branch) {
    forEachExpr(*cast<IfStmt>(branch).condition,
                [&](const Expr &e) { run.conditions.add(e); });
    return !run.conditions.calls;
  }

  bool readDefinition(Run &run, const Stmt &stmt) {
    auto &set = cast<SetRegionStmt>(stmt);
    forEachExpr(set, [&](const Expr &e) { run.conditions.add(e); });
    if (set.value.base)
      run.conditions.regions.insert(set.value.base);
    if (set.value.array)
      run.declared.insert(set.value.array);
    run.defined.insert(set.target);
    return !run.conditions.calls;
  }

  /// Whether a statement changes what conditions read.
  bool isChanged(const Run &run, const Stmt &stmt) const {
    if (made.definitions.contains(&stmt))
      return false;
    if (auto *alloc = dyn_cast<AllocArrayStmt>(&stmt))
      return run.declared.contains(alloc->array);
    if (auto *release = dyn_cast<FreeArrayStmt>(&stmt))
      return run.declared.contains(release->array);
    return run.conditions.isChangedBy(effects.writes(procedure, stmt));
  }

  /// Whether temporaries that are made in the run end in it, and no others.
  bool isBalanced(const Run &run) const {
    ArraySet made;
    for (const Stmt *stmt :
         ArrayRef(list).slice(run.begin, run.end - run.begin)) {
      if (auto *alloc = dyn_cast<AllocArrayStmt>(stmt))
        made.insert(alloc->array);
      if (auto *release = dyn_cast<FreeArrayStmt>(stmt))
        if (!made.erase(release->array))
          return false;
    }
    return made.empty();
  }

  bool isChangedWithin(const Run &run) const {
    return any_of(ArrayRef(list).slice(run.begin, run.end - run.begin),
                  [&](const Stmt *stmt) { return isChanged(run, *stmt); });
  }

  void join(const Run &run, StmtList &result) {
    IfStmt *joined = nullptr;
    Renaming none;
    StmtCloner cloner(module, none);
    StmtList together, apart;
    const Expr *condition = nullptr;
    for (size_t i = run.begin; i < run.end; ++i) {
      Stmt *stmt = list[i];
      if (made.definitions.contains(stmt)) {
        result.push_back(stmt);
        continue;
      }
      apart.push_back(stmt);
      if (!made.branches.contains(stmt)) {
        together.push_back(cloner.clone(*stmt));
        continue;
      }
      auto &branch = cast<IfStmt>(*stmt);
      append_range(together, cloner.clone(branch.thenBody));
      condition = condition
                      ? module.make<BinaryExpr>(BinaryOp::And, condition,
                                                branch.condition, branch.range)
                      : branch.condition;
    }
    joined = module.make<IfStmt>(condition, list[run.begin]->range);
    joined->thenBody = std::move(together);
    joined->elseBody = std::move(apart);
    result.push_back(joined);
    this->made.joined.insert(joined);
  }

  StmtList &list;
  RemapBranches &made;
  Module &module;
  const Procedure &procedure;
  const Effects &effects;
  size_t free = 0; ///< where the last run ends
};

} // namespace

void joinRemaps(StmtList &list, RemapBranches &made, Module &module,
                const Procedure &procedure, const Effects &effects) {
  Joiner(list, made, module, procedure, effects).run();
}

} // namespace zpl::air
