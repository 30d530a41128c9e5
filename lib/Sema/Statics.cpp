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
// formals and other locals do not exist. Of each initializer and region the
// first use of such a symbol is reported.
//
//===----------------------------------------------------------------------===//

#include "Checker.h"
#include "Walk.h"

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

protected:
  void onExpr(const Expr &e) override {
    if (auto *variable = llvm::dyn_cast<VariableExpr>(&e))
      consider(*variable->variable, variable->variable->storage, e.range);
    else if (auto *array = llvm::dyn_cast<ArrayExpr>(&e))
      consider(*array->array, array->array->storage, e.range);
    else if (auto *component = llvm::dyn_cast<ComponentExpr>(&e))
      consider(*component->direction,
               llvm::is_contained(owner.locals, component->direction)
                   ? Storage::Local
                   : Storage::Global,
               e.range);
  }

private:
  void consider(const Symbol &symbol, Storage storage, SourceRange place) {
    if (found || storage == Storage::Global || storage == Storage::Static)
      return;
    found = &symbol;
    range = place;
  }
  const Procedure &owner;
};

} // namespace

bool Checker::reportLocal(const Symbol *local, SourceRange range) {
  if (!local)
    return true;
  diags.report(range, Diag::StaticNeedsLocal, local->name)
      .note(local->range, Diag::DeclaredHere, local->name);
  return false;
}

void Checker::checkStatic(const Expr *init, const StmtList &setup) {
  LocalFinder finder(*current);
  if (init)
    finder.find(*init);
  finder.find(setup);
  reportLocal(finder.found, finder.range);
}

bool Checker::checkStatic(const RegionExpr &region) {
  LocalFinder finder(*current);
  for (const RegionDim &dim : region.dims)
    for (const Expr *bound : {dim.lo, dim.hi})
      if (bound)
        finder.find(*bound);
  for (const Expr *component : region.direction)
    finder.find(*component);
  bool isFine = reportLocal(finder.found, finder.range);
  if (region.base)
    isFine &= checkStatic(*region.base);
  if (region.region && llvm::is_contained(current->locals, region.region))
    isFine &= reportLocal(region.region, region.range);
  return isFine;
}

} // namespace zpl::sema
