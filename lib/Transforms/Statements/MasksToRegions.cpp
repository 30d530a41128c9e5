//===- MasksToRegions.cpp - Guards on indices as loop bounds --------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     [R with Index1 > k & Index2 = 3] A := B;
//
// comes here as a statement that follows its mask:
//
//     [@R] %T = and(gt(index(0), @k), eq(index(1), i32 3))
//     [@R where %T] @A = @B
//
//  1. The mask's expression becomes the guard (MaskForwarding.cpp), and nothing
//     reads %T any more.
//  2. Shattered `if`s on indices become guarded statements (Shards.cpp).
//  3. What a guard says of single indices becomes limits of the region
//     (IndexConditions.cpp):
//
//     region %R.part = [max(lo(@R,0), add(i64(@k), i64 1)) .. hi(@R,0),
//                       max(lo(@R,1), i64 3) .. min(hi(@R,1), i64 3)] from @R
//     [%R.part] @A = @B
//
// Such a region is within @R whatever k is, and empty where no index is left;
// RegionValues knows the form, so what was transferred for @R is there.
//
// The region is set as early in its list as what it is made of allows: other
// passes find the statements side by side. An equal part that is still good is
// used again, so that they find one region.
//
// A dimension of a few indices that are known is left alone, with its
// conditions: CodeGen makes a copy of the statements for each of them.
//
// Cost: linear in the statements, plus for each part the statements that its
// definition moves across.
//
//===----------------------------------------------------------------------===//

#include "Statements/MasksToRegions.h"
#include "Communication/TransferEdits.h"
#include "Statements/GuardedStatements.h"
#include "zpl/Analysis/IndexConditions.h"
#include "zpl/ArrayIR/Printer.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace zpl::air {

std::optional<GuardedStatement> guardedStatement(Stmt &stmt) {
  auto parts = [](auto *s) { return GuardedStatement{s->region, s->guard}; };
  if (auto *assign = dyn_cast<ArrayAssignStmt>(&stmt))
    return parts(assign);
  if (auto *reduce = dyn_cast<ReduceStmt>(&stmt))
    return parts(reduce);
  if (auto *reduce = dyn_cast<ReduceArrayStmt>(&stmt))
    return parts(reduce);
  if (auto *call = dyn_cast<ElementCallStmt>(&stmt))
    return parts(call);
  return std::nullopt;
}

const Expr *guardOf(const Stmt &stmt) {
  if (auto *assign = dyn_cast<ArrayAssignStmt>(&stmt))
    return assign->guard;
  if (auto *reduce = dyn_cast<ReduceStmt>(&stmt))
    return reduce->guard;
  if (auto *reduce = dyn_cast<ReduceArrayStmt>(&stmt))
    return reduce->guard;
  if (auto *call = dyn_cast<ElementCallStmt>(&stmt))
    return call->guard;
  return nullptr;
}

void Reads::add(const Expr &expr) {
  forEachExpr(expr, [&](const Expr &e) {
    if (auto *element = dyn_cast<ElementExpr>(&e))
      arrays.insert(element->array);
    else if (auto *bound = dyn_cast<BoundExpr>(&e))
      regions.insert(bound->region);
    else if (auto *variable = dyn_cast<VarExpr>(&e))
      variables.insert(variable->variable);
    calls |= isa<CallExpr>(e);
  });
}

bool Reads::isChangedBy(const WriteSet &written) const {
  auto meet = [](const auto &a, const auto &b) {
    return any_of(a, [&](const auto *x) { return b.contains(x); });
  };
  return meet(arrays, written.arrays) || meet(regions, written.regions) ||
         meet(variables, written.variables);
}

namespace {

class Narrower {
public:
  Narrower(Procedure &procedure, Module &module, const Effects &effects,
           const KnownBounds &known, PassContext &context)
      : procedure(procedure), module(module), effects(effects), known(known),
        context(context), names(procedure) {}

  void run() {
    splitShards();
    bool isAny = false;
    forEachStmt(procedure.body, [&](Stmt &stmt) {
      auto guarded = guardedStatement(stmt);
      isAny |= guarded && guarded->guard;
    });
    if (isAny)
      list(procedure.body);
  }

private:
  /// A part that is set in the list at hand.
  struct Part {
    std::string key;
    Region *region;
    Reads reads; ///< what its definition depends on
  };

  void splitShards() {
    rewriteStmts(procedure.body, [&](Stmt *stmt, StmtList &result) {
      auto *call = dyn_cast<ElementCallStmt>(stmt);
      if (!call || call->region->isSparse ||
          !splitShard(*call, procedure, known, module, result)) {
        result.push_back(stmt);
        return;
      }
      context.applied(stmt->range, "each branch runs over its own part of " +
                                       sourceName(*call->region));
    });
  }

  void list(StmtList &list) {
    std::vector<Part> parts;
    std::vector<WriteSet> written; // by the statements before
    for (size_t i = 0; i < list.size(); ++i) {
      forEachList(*list[i], [&](StmtList &inner) { this->list(inner); });
      auto guarded = guardedStatement(*list[i]);
      if (guarded && guarded->guard)
        i += narrow(*list[i], *guarded, list, i, parts, written);
      written.push_back(effects.writes(procedure, *list[i]));
      erase_if(parts, [&](const Part &part) {
        return part.reads.isChangedBy(written.back());
      });
    }
  }

  /// Returns how many statements came in front of position \p i.
  size_t narrow(Stmt &stmt, GuardedStatement guarded, StmtList &list, size_t i,
                std::vector<Part> &parts, std::vector<WriteSet> &written) {
    Region &region = *guarded.region;
    auto found = indexConditions(guarded.guard, region, known, module);
    if (region.isSparse && found.narrows()) {
      context.missed(
          stmt.range,
          "a comparison is made at each index: the region is sparse");
      return 0;
    }
    if (!found.why.empty())
      context.missed(stmt.range,
                     "a comparison is made at each index: " + found.why);
    if (!found.narrows())
      return 0;
    auto *set = definition(region, found, stmt.range);
    context.applied(stmt.range, remark(region, found));
    guarded.guard = found.rest;

    Part part{keyOf(*set), nullptr, readsOf(*set)};
    auto same = find_if(
        parts, [&](const Part &other) { return other.key == part.key; });
    if (same != parts.end()) {
      guarded.region = same->region;
      return 0;
    }
    part.region = guarded.region = set->target = newRegion(region, stmt.range);
    size_t place = i;
    while (place > 0 && !part.reads.isChangedBy(written[place - 1]))
      --place;
    list.insert(list.begin() + place, set);
    written.insert(written.begin() + place, effects.writes(procedure, *set));
    parts.push_back(std::move(part));
    return 1;
  }

  Region *newRegion(const Region &whole, SourceRange range) {
    auto *part = module.make<Region>();
    part->name = names.make(whole.name + ".part");
    part->text = whole.text;
    part->shape = whole.shape;
    part->domain = whole.domain;
    part->range = range;
    procedure.regions.push_back(part);
    return part;
  }

  SetRegionStmt *definition(Region &region, const IndexConditions &conditions,
                            SourceRange range) {
    RegionExpr value;
    value.kind = RegionExpr::Dims;
    value.base = &region;
    for (auto [d, limits] : enumerate(conditions.dims)) {
      DimExpr dim;
      if (!limits.isNone()) {
        bool isStrided = region.shape[d] == DimKind::Strided;
        dim.kind = isStrided ? DimExpr::Seq : DimExpr::Range;
        dim.lo = bound(region, d, BoundExpr::Lo, limits.lo, BinaryOp::Max);
        dim.hi = bound(region, d, BoundExpr::Hi, limits.hi, BinaryOp::Min);
        if (isStrided) {
          dim.stride = bound(region, d, BoundExpr::Stride, {}, BinaryOp::Max);
          dim.align = bound(region, d, BoundExpr::Align, {}, BinaryOp::Max);
        }
      }
      value.dims.push_back(dim);
    }
    return module.make<SetRegionStmt>(&region, std::move(value), range);
  }

  const Expr *bound(Region &region, unsigned dim, BoundExpr::Which which,
                    ArrayRef<const Expr *> limits, BinaryOp op) {
    const Expr *result =
        module.make<BoundExpr>(&region, dim, which, SourceRange());
    for (const Expr *limit : limits)
      result = module.make<BinaryExpr>(op, result, limit, limit->range);
    return result;
  }

  static void forEachBound(const SetRegionStmt &set,
                           function_ref<void(const Expr &)> visit) {
    for (const DimExpr &dim : set.value.dims)
      for (const Expr *e : {dim.lo, dim.hi})
        if (e)
          visit(*e);
  }

  static std::string keyOf(const SetRegionStmt &set) {
    std::string key;
    raw_string_ostream os(key);
    os << printedName(*set.value.base);
    for (const DimExpr &dim : set.value.dims) {
      os << ',';
      for (const Expr *e : {dim.lo, dim.hi})
        if (e)
          print(*e, os << ' ');
    }
    return key;
  }

  static Reads readsOf(const SetRegionStmt &set) {
    Reads reads;
    reads.regions.insert(set.value.base);
    forEachBound(set, [&](const Expr &e) { reads.add(e); });
    return reads;
  }

  static std::string remark(const Region &region,
                            const IndexConditions &conditions) {
    std::string dims;
    unsigned count = 0;
    for (auto [d, limits] : enumerate(conditions.dims))
      if (!limits.isNone()) {
        dims += (dims.empty() ? "" : ", ") + std::to_string(d + 1);
        ++count;
      }
    return "runs over a part of " + sourceName(region) +
           (count == 1 ? ": the mask limits dimension "
                       : ": the mask limits dimensions ") +
           dims + (conditions.rest ? ", and the rest is tested" : "");
  }

  Procedure &procedure;
  Module &module;
  const Effects &effects;
  const KnownBounds &known;
  PassContext &context;
  NameAllocator names;
};

} // namespace

void masksToRegions(Module &module, PassContext &context) {
  Effects effects(module);
  for (Procedure *procedure : module.procedures)
    forwardMasks(*procedure, module, effects, context);
  KnownBounds known(module);
  for (Procedure *procedure : module.procedures)
    if (!procedure->isScalar)
      Narrower(*procedure, module, effects, known, context).run();
}

} // namespace zpl::air
