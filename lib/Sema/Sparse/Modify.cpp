//===- Modify.cpp - Patterns that change ----------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     region R = [1..n, 1..n];  S, T = R where ?;
//
//     S := [ , ] where (A > 0);          S |= T & (Index1 < Index2);
//     modify S begin  for i := 1 to n do add [i, i]; end;  end;
//
// The bounds of a region stay as they are, so a Boolean expression is evaluated
// over all indices within them: `S |= M` is `S |= bounds of S where M`. Named
// regions that were declared with a `where` and variables of region types have
// patterns; a variable that is assigned a region as a whole gets its bounds as
// well, which is another statement (Check/Values.cpp).
//
// `modify` ends where its statements end: nothing in it leaves it, so that all
// processors come to the end together, and it has no other `modify` in it, nor
// calls one (Sparse/SparseUses.cpp).
//
// Cost: linear in the statement.
//
//===----------------------------------------------------------------------===//

#include "Sparse/Modify.h"
#include "Arrays/Regions.h"
#include "Arrays/Scopes.h"
#include "Check/Designators.h"
#include "Check/Expressions.h"
#include "Check/Operators.h"
#include "Check/Values.h"
#include "Sparse/SparseRegions.h"
#include "Statements/Statements.h"
#include "Types/Types.h"
#include "Types/ValueTypes.h"
#include "llvm/Support/SaveAndRestore.h"

namespace zpl::sema {

//===----------------------------------------------------------------------===//
// What changes
//===----------------------------------------------------------------------===//

Region *namedRegionOf(const Checking &c, const ast::Expr &e) {
  auto *name = llvm::dyn_cast<ast::NameRef>(&e);
  return name ? llvm::dyn_cast_or_null<Region>(c.names.find(name->name))
              : nullptr;
}

const RegionExpr *patternTarget(Checking &c, const ast::Expr &e) {
  if (Region *region = namedRegionOf(c, e)) {
    if (isSurelySparse(*region->init))
      return checkRegion(c, e, 0);
    c.diags.report(e.range, Diag::PatternOfDense, region->name)
        .note(region->range, Diag::DeclaredHere, region->name);
    return nullptr;
  }
  if (kindOf(c, e) != Type::Region) {
    c.diags.report(e.range, Diag::NotARegion).done();
    return nullptr;
  }
  const Expr *place = checkTarget(c, e);
  if (!place || isError(place))
    return nullptr;
  c.types.setSparse(place->type);
  return regionOf(c, place);
}

static bool isRegionValue(const Checking &c, const ast::Expr &e) {
  return kindOf(c, e) == Type::Region;
}

bool isPatternAssign(const Checking &c, const ast::AssignStmt &s) {
  bool joins = s.op == ast::BinaryOp::Or || s.op == ast::BinaryOp::And;
  if (!c.program.hasSparse || (s.op && !joins) ||
      s.form != ast::AssignStmt::Plain)
    return false;
  return namedRegionOf(c, *s.target) ||
         (isRegionValue(c, *s.target) &&
          (joins || !isRegionValue(c, *s.value)));
}

//===----------------------------------------------------------------------===//
// Assignments
//===----------------------------------------------------------------------===//

/// Without the brackets and parentheses around it.
static const ast::Expr &unbracketed(const ast::Expr &e) {
  if (auto *paren = llvm::dyn_cast<ast::Paren>(&e))
    return unbracketed(*paren->inner);
  auto *literal = llvm::dyn_cast<ast::RegionLit>(&e);
  bool isOnlyBracket = literal && literal->dims.size() == 1 &&
                       literal->dims[0].kind == ast::Dim::Single &&
                       llvm::isa<ast::Where>(literal->dims[0].lo);
  return isOnlyBracket ? *literal->dims[0].lo : e;
}

/// What \p target gets: a region, or the indices at which an array is true.
static const RegionExpr *patternFrom(Checking &c, const ast::Expr &e,
                                     const RegionExpr *target) {
  if (isRegionValue(c, e)) {
    llvm::SaveAndRestore<const RegionExpr *> blanks(c.sparse.blankOwner,
                                                    target);
    llvm::SaveAndRestore bounds(c.sparse.takesBounds, true);
    const RegionExpr *value = checkRegion(c, unbracketed(e), target->rank);
    if (!value || value->rank == target->rank)
      return value;
    c.diags.report(e.range, Diag::PatternRegionRank, value->rank, target->rank)
        .highlight(target->range);
    return nullptr;
  }
  c.scopeRanks.push_back(target->rank);
  const Expr *made = checkExpr(c, e);
  c.scopeRanks.pop_back();
  const Expr *pattern = patternValue(c, made, target->rank);
  return pattern ? whereNode(c, boundsOf(c, target), pattern, e.range)
                 : nullptr;
}

Stmt *checkPatternAssign(Checking &c, const ast::AssignStmt &s) {
  const RegionExpr *target = patternTarget(c, *s.target);
  if (!target)
    return emptyStmt(c, s.range);
  const RegionExpr *value = patternFrom(c, *s.value, target);
  if (!value)
    return emptyStmt(c, s.range);
  auto op = !s.op                        ? PatternAssignStmt::Set
            : *s.op == ast::BinaryOp::Or ? PatternAssignStmt::Or
                                         : PatternAssignStmt::And;
  return c.program.make<PatternAssignStmt>(op, target, value, s.range);
}

const RegionExpr *assignedRegion(Checking &c, const ast::Expr &e,
                                 const Expr *place) {
  const ast::Expr &value = unbracketed(e);
  bool ownsBlanks = llvm::isa<ast::Where>(value);
  llvm::SaveAndRestore<const RegionExpr *> blanks(
      c.sparse.blankOwner, ownsBlanks ? regionOf(c, place) : nullptr);
  llvm::SaveAndRestore bounds(c.sparse.takesBounds, true);
  return checkRegion(c, value, rankOf(place->type));
}

//===----------------------------------------------------------------------===//
// modify
//===----------------------------------------------------------------------===//

Stmt *checkModify(Checking &c, const ast::ModifyStmt &s) {
  const RegionExpr *target = patternTarget(c, *s.region);
  if (c.around.modified)
    c.diags.report(s.range, Diag::NestedModify)
        .note(c.around.modified->range, Diag::ModifiedHere);
  StmtList body;
  {
    Enclosing inner;
    inner.modified = target ? target : c.around.modified;
    inner.outerLoops = c.around.loops + c.around.outerLoops;
    inner.isInModify = true;
    llvm::SaveAndRestore outer(c.around, inner);
    for (const ast::Stmt *part : s.body)
      body.push_back(checkStmt(c, *part));
  }
  if (!target)
    return emptyStmt(c, s.range);
  auto *node = c.program.make<ModifyStmt>(target, s.range);
  node->body = std::move(body);
  return node;
}

bool reportLeavesModify(Checking &c, llvm::StringRef word, SourceRange range) {
  bool leaves =
      c.around.isInModify &&
      (word == "return" || (c.around.loops == 0 && c.around.outerLoops != 0));
  if (!leaves)
    return false;
  auto report = c.diags.report(range, Diag::LeavesModify, word);
  if (c.around.modified)
    report.note(c.around.modified->range, Diag::ModifiedHere);
  return true;
}

Stmt *checkAdd(Checking &c, const ast::AddStmt &s) {
  const RegionExpr *target = c.around.modified;
  llvm::SmallVector<const Expr *, 6> indices;
  bool isFine = target != nullptr;
  for (const ast::Expr *item : s.indices) {
    const Expr *value = checkExpr(c, *item);
    isFine &= !isError(value);
    if (!isError(value) && !isIntegral(value->type)) {
      c.diags.report(item->range, Diag::IndexType, "index", text(value->type))
          .done();
      isFine = false;
    }
    indices.push_back(c.build.cast(value, Type::Longint));
  }
  if (!isFine)
    return emptyStmt(c, s.range);
  if (indices.size() != target->rank) {
    c.diags.report(s.range, Diag::AddRank, indices.size(), target->rank)
        .note(target->range, Diag::ModifiedHere);
    return emptyStmt(c, s.range);
  }
  auto *node = c.program.make<AddStmt>(target, s.range);
  node->indices = std::move(indices);
  unsigned least = 0;
  for (const Expr *index : node->indices) {
    if (!haveConformingRanks(c, node->indices[0], index, index->range))
      return emptyStmt(c, s.range);
    least = std::max(least, index->minRank);
    if (index->isArray() && (node->rank == 0 || node->rank == Expr::AnyRank))
      node->rank = index->rank;
  }
  if (node->rank == Expr::AnyRank)
    node->rank = visibleRank(c, least, s.range);
  for (const Expr *index : node->indices)
    Builder::settle(*index, node->rank);
  return node;
}

} // namespace zpl::sema
