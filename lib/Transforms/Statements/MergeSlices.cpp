//===- MergeSlices.cpp - Slices of a few indices in one region ------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     region %s = [_, i32 -1] from @Pent               @Pent is 1..n, -2..2
//     [%s] @C = mul(@A, @B@(-1,1))
//
// An array of which each row is a few numbers lies in memory row by row, so a
// statement over one column passes all of it. Five of them pass it five times,
// or, if the few are the rows, what they share as often:
//
//     [@Pent where eq(index(1), i32 -1)] @C = mul(@A, @B@(-1,1))
//
// means the same, for -1 is surely one of the indices of @Pent, and can be
// fused with the others. likely-bounds decides the guards again.
//
// Outside of its slice such a statement may name elements that no array has;
// the guard keeps it from reading them, here and in CodeGen.
//
// A slice is set in the same list as the statement, and what it is a slice of
// is not changed in between. No statement is moved but those that set the
// slices, to the first of them. Arrays must have a range in that dimension.
//
// Cost: linear in the statements, plus for each the way back to where its
// region is set.
//
//===----------------------------------------------------------------------===//

#include "Statements/MergeSlices.h"
#include "Communication/TransferEdits.h"
#include "Statements/GuardedStatements.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/MapVector.h"

using namespace llvm;

namespace zpl::air {
namespace {

class SliceMerger {
public:
  SliceMerger(Procedure &procedure, Module &module, const Effects &effects,
              const KnownBounds &known, PassContext &context)
      : procedure(procedure), module(module), effects(effects), known(known),
        context(context) {}

  void list(StmtList &list) {
    MapVector<const Region *, Slice> slices; // that are good here
    MapVector<Region *, Group> groups;
    for (size_t i = 0; i < list.size(); ++i) {
      Stmt *stmt = list[i];
      forEachList(*stmt, [&](StmtList &inner) { this->list(inner); });
      auto guarded = guardedStatement(*stmt);
      auto found = guarded ? slices.find(guarded->region) : slices.end();
      if (found != slices.end() && mayWiden(*stmt, found->second)) {
        const auto &[whole, dim, index] = found->second;
        groups[whole].uses.push_back({stmt, dim, index});
      }
      WriteSet written = effects.writes(procedure, *stmt);
      slices.remove_if([&](const auto &entry) {
        return written.regions.contains(entry.first) ||
               written.regions.contains(entry.second.whole);
      });
      groups.remove_if([&](const auto &entry) {
        bool ends = written.regions.contains(entry.first);
        if (ends)
          widen(entry.second, *entry.first);
        return ends;
      });
      auto *set = dyn_cast<SetRegionStmt>(stmt);
      auto slice = set ? sliceOf(*set) : std::nullopt;
      if (!slice || slice->whole->domain != set->target->domain)
        continue;
      slices[set->target] = *slice;
      // With the first one, so that nothing is between the statements.
      auto [group, isNew] = groups.try_emplace(slice->whole, Group{set, {}});
      auto first = find(list, group->second.first);
      if (!isNew && first != list.end())
        std::rotate(first, list.begin() + i, list.begin() + i + 1);
    }
    for (const auto &[whole, group] : groups)
      widen(group, *whole);
  }

private:
  struct Slice {
    Region *whole;
    unsigned dim;
    int64_t index;
  };
  struct Use {
    Stmt *stmt;
    unsigned dim;
    int64_t index;
  };
  /// Statements over slices of one region.
  struct Group {
    const Stmt *first; ///< sets a slice
    std::vector<Use> uses;
  };

  /// `[_, i32 c] from %R` with c among the few indices of R there.
  std::optional<Slice> sliceOf(const SetRegionStmt &set) {
    const RegionExpr &value = set.value;
    if (value.kind != RegionExpr::Dims || !value.base || value.level ||
        value.base == set.target || value.base->isSparse ||
        set.target->isSparse)
      return std::nullopt;
    auto isSet = [](const DimExpr &dim) {
      return dim.kind != DimExpr::Inherit;
    };
    const DimExpr *dim = find_if(value.dims, isSet);
    if (count_if(value.dims, isSet) != 1 || dim->kind != DimExpr::Single)
      return std::nullopt;
    unsigned number = dim - value.dims.begin();
    auto range = known.few(value.base, number);
    // Only if the slice is set once.
    auto index = known.constant(set.target, number);
    if (!range || !index || index->lo < range->lo || index->hi > range->hi)
      return std::nullopt;
    return Slice{value.base, number, index->lo};
  }

  /// Whether the arrays of \p stmt have a range in the slice's dimension, and
  /// it has no guard and calls nothing.
  bool mayWiden(const Stmt &stmt, const Slice &slice) {
    auto *assign = dyn_cast<ArrayAssignStmt>(&stmt);
    if (!assign || assign->guard)
      return false;
    bool good = true;
    forEachExpr(stmt, [&](const Expr &e) {
      auto *element = dyn_cast<ElementExpr>(&e);
      good &= !isa<CallExpr>(e) &&
              !(element && element->array->shape[slice.dim] != DimKind::Range);
    });
    if (!good)
      context.missed(
          stmt.range,
          "runs over a slice of " + sourceName(*slice.whole) +
              " alone: it calls, or an array has no range there; write "
              "an expression over arrays with a range");
    return good;
  }

  void widen(const Group &group, Region &whole) {
    if (group.uses.size() > 1)
      for (const Use &use : group.uses)
        widen(use, whole);
  }

  void widen(const Use &use, Region &whole) {
    auto guarded = guardedStatement(*use.stmt);
    SourceRange range = use.stmt->range;
    auto *column = module.make<IndexExpr>(use.dim, range);
    auto *number = module.make<ConstExpr>(Type::I32, range);
    number->integer = use.index;
    const Expr *here =
        module.make<CompareExpr>(CompareOp::Eq, column, number, range);
    guarded->guard = here;
    guarded->region = &whole;
    context.applied(range, "runs over all of " + sourceName(whole) +
                               ", together with other slices");
  }

  Procedure &procedure;
  Module &module;
  const Effects &effects;
  const KnownBounds &known;
  PassContext &context;
};

} // namespace

void mergeSlices(Module &module, PassContext &context) {
  Effects effects(module);
  KnownBounds known(module);
  for (Procedure *procedure : module.procedures)
    if (!procedure->isScalar)
      SliceMerger(*procedure, module, effects, known, context)
          .list(procedure->body);
}

} // namespace zpl::air
