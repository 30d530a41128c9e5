//===- Statics.cpp - Variables that outlive their procedure ---------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     procedure count(by: integer): integer;
//     static var total: integer = by;      -- wrong: there is no `by` yet
//
// Static variables are set up when the program starts, where the procedure's
// formals and other locals do not exist. The first use of such a symbol in each
// initializer and region is reported.
//
//===----------------------------------------------------------------------===//

#include "Program/Statics.h"
#include "Check/Checking.h"
#include "Tree/Walk.h"

namespace zpl::sema {

namespace {

/// The first use of something that exists only in a call of \p owner.
class LocalFinder : public Visitor {
public:
  explicit LocalFinder(const Procedure &owner) : owner(owner) {}
  const Symbol *found = nullptr;
  SourceRange range;

  void find(const Expr &value) {
    forEachExpr(value, [&](const Expr &e) { onExpr(e); });
  }
  void find(const StmtList &setup) {
    BlockStmt block{SourceRange()};
    block.body = setup;
    Procedure code("", SourceRange());
    code.body = &block;
    visitProcedure(code);
  }

  void find(const RegionExpr &region) {
    forEachOperand(region, [&](const Expr &part) { find(part); });
    for (const RegionExpr *at = &region; at; at = at->base)
      onRegion(*at);
  }

protected:
  void onExpr(const Expr &e) override {
    if (auto *variable = llvm::dyn_cast<VariableExpr>(&e))
      consider(*variable->variable, variable->variable->storage, e.range);
    else if (auto *array = llvm::dyn_cast<ArrayExpr>(&e))
      consider(*array->array, array->array->storage, e.range);
    else if (auto *component = llvm::dyn_cast<ComponentExpr>(&e))
      consider(*component->direction, storageOf(*component->direction),
               e.range);
    else if (auto *irv = llvm::dyn_cast<IrvExpr>(&e))
      onExpr(*irv->array);
    else if (auto *bound = llvm::dyn_cast<RegionBoundExpr>(&e))
      find(*bound->region);
    else if (auto *pattern = llvm::dyn_cast<PatternExpr>(&e))
      find(*pattern->region);
    else if (auto *inside = llvm::dyn_cast<InsideExpr>(&e))
      find(*inside->region);
    else if (auto *flood = llvm::dyn_cast<FloodExpr>(&e))
      find(*flood->source);
    else if (auto *reduce = llvm::dyn_cast<ReduceExpr>(&e))
      if (reduce->source)
        find(*reduce->source);
  }
  void onRegion(const RegionExpr &region) override {
    if (region.region)
      consider(*region.region, storageOf(*region.region), region.range);
    if (region.array)
      consider(*region.array, region.array->storage, region.range);
  }

private:
  Storage storageOf(const Symbol &symbol) const {
    return llvm::is_contained(owner.locals, &symbol) ? Storage::Local
                                                     : Storage::Global;
  }
  void consider(const Symbol &symbol, Storage storage, SourceRange place) {
    if (found || storage == Storage::Global || storage == Storage::Static)
      return;
    found = &symbol;
    range = place;
  }
  const Procedure &owner;
};

} // namespace

static bool reportLocal(Checking &c, const Symbol *local, SourceRange range) {
  if (!local)
    return true;
  c.diags.report(range, Diag::StaticNeedsLocal, local->name)
      .note(local->range, Diag::DeclaredHere, local->name);
  return false;
}

void checkStatic(Checking &c, const Expr *init, const StmtList &setup) {
  LocalFinder finder(*c.current);
  if (init)
    finder.find(*init);
  finder.find(setup);
  reportLocal(c, finder.found, finder.range);
}

bool checkStatic(Checking &c, const RegionExpr &region) {
  LocalFinder finder(*c.current);
  finder.find(region);
  return reportLocal(c, finder.found, finder.range);
}

} // namespace zpl::sema
