//===- SparseRegions.cpp - Regions with patterns --------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     region Tri = R where (abs(Index1 - Index2) < 2);   -- evaluated over R
//            S = R where ?;                              -- no pattern yet
//     var V: region<.., ..> = Tri;                       -- V's type is sparse
//     [R] B := Tri & !S;                                 -- Boolean arrays
//
// A pattern is an array expression that is evaluated over the region it is
// written behind, as a mask is; but the region is another one then, which has
// the indices at which it was true.
//
// Which regions are sparse is known at compile time. What blank dimensions,
// quotes and parameters bring differs between instances (Places.cpp); of values
// of variables the type says it. Types are marked at the end of the module, for
// a variable may get a sparse value, or the value of a variable that does, later
// in the text than it is used. Programs without `where` have nothing sparse.
//
// Cost: linear in the text; the marks of types in the number of assignments of
// variables to variables, once per type that changes.
//
//===----------------------------------------------------------------------===//

#include "Sparse/SparseRegions.h"
#include "Arrays/Regions.h"
#include "Arrays/Scopes.h"
#include "Check/Expressions.h"
#include "Check/Operators.h"
#include "Program/Free.h"
#include "Tree/Walk.h"
#include "Types/Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/SaveAndRestore.h"

namespace zpl::sema {

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

RegionExpr *whereNode(Checking &c, const RegionExpr *base, const Expr *pattern,
                      SourceRange range) {
  auto *node = c.program.make<RegionExpr>();
  node->kind = RegionExpr::Where;
  node->rank = base->rank;
  node->base = base;
  node->pattern = pattern;
  node->range = range;
  node->text = writtenRegion(c, range);
  return node;
}

const RegionExpr *boundsOf(Checking &c, const RegionExpr *region) {
  auto *node = c.program.make<RegionExpr>();
  node->kind = RegionExpr::Bounds;
  node->rank = region->rank;
  node->base = region;
  node->range = region->range;
  node->text = region->text;
  return node;
}

const Expr *patternValue(Checking &c, const Expr *value, unsigned rank) {
  if (isError(value) || reportFree(c, value))
    return nullptr;
  if (!value->isArray()) {
    c.diags.report(value->range, Diag::PatternScalar).done();
    return nullptr;
  }
  if (value->type != Type::Boolean) {
    c.diags.report(value->range, Diag::PatternType, text(value->type)).done();
    return nullptr;
  }
  if (!fitsRank(c, value, rank))
    return nullptr;
  Builder::settle(*value, rank);
  if (value->rank == rank || value->rank == Expr::AnyRank)
    return value;
  c.diags.report(value->range, Diag::PatternRank, value->rank, rank).done();
  return nullptr;
}

const RegionExpr *whereRegion(Checking &c, const ast::Where &e,
                              unsigned quoteRank) {
  const ast::Expr *inner = e.region;
  while (auto *paren = llvm::dyn_cast<ast::Paren>(inner))
    inner = paren->inner;
  const Expr *first = nullptr;
  if (llvm::isa<ast::Quote>(inner) && quoteRank == 0 && e.pattern) {
    // A quote has the rank of the pattern.
    first = checkExpr(c, *e.pattern);
    if (isError(first))
      return nullptr;
    quoteRank = first->rank != Expr::AnyRank
                    ? first->rank
                    : visibleRank(c, first->minRank, e.range);
  }
  const RegionExpr *base = checkRegion(c, *e.region, quoteRank);
  if (!base)
    return nullptr;
  if (!e.pattern)
    return whereNode(c, base, nullptr, e.range);
  if (!first) {
    llvm::SaveAndRestore<const RegionExpr *> blanks(c.sparse.blankOwner,
                                                    nullptr);
    llvm::SaveAndRestore bounds(c.sparse.takesBounds, false);
    llvm::SaveAndRestore<const RegionExpr *> covers(c.multi.covering, base);
    c.scopeRanks.push_back(base->rank);
    first = checkExpr(c, *e.pattern);
    c.scopeRanks.pop_back();
  }
  const Expr *pattern = patternValue(c, first, base->rank);
  return pattern ? whereNode(c, base, pattern, e.range) : nullptr;
}

std::string unsetPatternText(const Region &region) {
  return "region " + region.name +
         " has no pattern yet: it was declared with '?'";
}

//===----------------------------------------------------------------------===//
// What is sparse
//===----------------------------------------------------------------------===//

bool mayBeSparse(const Checking &c, const RegionExpr &region) {
  if (!c.program.hasSparse)
    return false;
  switch (region.kind) {
  case RegionExpr::Ref:
    return mayBeSparse(c, *region.region->init);
  case RegionExpr::Dims:
    return region.place || (!region.takesBounds &&
                            llvm::any_of(region.dims, [](const RegionDim &dim) {
                              return dim.kind == RegionDim::Blank;
                            }));
  case RegionExpr::Quote:
    return !region.takesBounds;
  case RegionExpr::Declared:
    return !region.array->declared || mayBeSparse(c, *region.array->declared);
  case RegionExpr::Where:
    return true;
  case RegionExpr::Bounds:
    return false;
  case RegionExpr::Of:
  case RegionExpr::In:
  case RegionExpr::At:
  case RegionExpr::By:
  case RegionExpr::User:
    return mayBeSparse(c, *region.base);
  }
  llvm_unreachable("region");
}

bool isSurelySparse(const RegionExpr &region) { return isSparse(region, {}); }

const Expr *patternOf(Checking &c, const RegionExpr *region,
                      llvm::StringRef name) {
  if (!mayBeSparse(c, *region)) {
    auto report = c.diags.report(region->range, Diag::DensePattern, name);
    if (region->kind == RegionExpr::Ref)
      report.note(region->region->range, Diag::DeclaredHere, name);
    return c.build.error(region->range);
  }
  auto *node = c.program.make<PatternExpr>(region, region->rank, region->range);
  node->text = name.str();
  return node;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

void takesPattern(Checking &c, Type type, const RegionExpr &region) {
  if (!c.program.hasSparse)
    return;
  if (region.kind == RegionExpr::Dims && region.place)
    c.sparse.flows.push_back({region.place->type.info(), type.info()});
  else if (mayBeSparse(c, region))
    c.types.setSparse(type);
}

void settleSparseTypes(Checking &c) {
  for (bool changed = true; changed;) {
    changed = false;
    for (auto [from, to] : c.sparse.flows)
      if (from->isSparse && !to->isSparse) {
        c.types.setSparse(to);
        changed = true;
      }
  }
}

} // namespace zpl::sema
