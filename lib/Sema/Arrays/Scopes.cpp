//===- Scopes.cpp - Checks region scopes and masks ------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     [R with M without A > 0] ...      -- one mask: M & !(A > 0)
//     [" with M] ...                    -- the region of M's rank
//     [[k, ] without "] ...             -- row k, where the mask around is
//     false
//
// Masks come last in a region and belong to the scope, or to the source of a
// partial reduction, not to the region: `region N = R with M` has no meaning. A
// region that is a quote has the rank of its first mask; in all other cases the
// region says which rank the masks must have. The mask expressions are
// evaluated over the region, so a rank that Index1 needs is found there.
//
//===----------------------------------------------------------------------===//

#include "Arrays/Scopes.h"
#include "Arrays/Boundaries.h"
#include "Arrays/Regions.h"
#include "Check/Expressions.h"
#include "Check/Operators.h"
#include "Program/Free.h"
#include "Statements/Statements.h"
#include "Tree/Walk.h"
#include "Types/Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

namespace zpl::sema {

namespace {

/// A region of a scope, taken apart.
struct MaskedRegion {
  const ast::Expr *region;
  llvm::SmallVector<const ast::Mask *, 2> masks; ///< in the order of the text
};

/// What stands in brackets of its own, `[R]`, `(R)`, else \p e.
const ast::Expr *withoutBrackets(const ast::Expr *e) {
  if (auto *paren = llvm::dyn_cast<ast::Paren>(e))
    return withoutBrackets(paren->inner);
  auto *literal = llvm::dyn_cast<ast::RegionLit>(e);
  if (literal && literal->dims.size() == 1 &&
      literal->dims[0].kind == ast::Dim::Single &&
      llvm::isa<ast::Mask, ast::Quote, ast::RegionLit, ast::Paren, ast::Where>(
          literal->dims[0].lo))
    return withoutBrackets(literal->dims[0].lo);
  return e;
}

MaskedRegion takeApart(const ast::Expr &e) {
  MaskedRegion result{withoutBrackets(&e), {}};
  while (auto *mask = llvm::dyn_cast<ast::Mask>(result.region)) {
    result.masks.insert(result.masks.begin(), mask);
    result.region = withoutBrackets(mask->region);
  }
  return result;
}

/// `["]`, `[" without "]`: nothing says which rank but the statement.
bool isQuoteAlone(const MaskedRegion &parts) {
  return llvm::isa<ast::Quote>(parts.region) &&
         llvm::all_of(parts.masks, [](const ast::Mask *mask) {
           return llvm::isa<ast::Quote>(mask->operand);
         });
}

/// The rank of the first thing that runs over a covering region.
class FirstCover : public Visitor {
public:
  unsigned rank = 0;

  explicit FirstCover(Stmt &s) {
    Procedure code("", SourceRange());
    code.body = &s;
    visitProcedure(code);
  }

protected:
  void onOpen(const RegionExpr &) override { ++open; }
  void onClose(const RegionExpr &) override { --open; }
  void onCover(unsigned coverRank, SourceRange) override {
    if (rank == 0 && open == 0)
      rank = coverRank;
  }

private:
  unsigned open = 0;
};

bool isWith(const ast::Mask &mask) {
  return mask.flavor == ast::Mask::With || mask.flavor == ast::Mask::Swith;
}

} // namespace

const Expr *maskValue(Checking &c, const Expr *value) {
  if (isError(value) || reportFree(c, value))
    return nullptr;
  if (!value->isArray()) {
    c.diags.report(value->range, Diag::MaskScalar).done();
    return nullptr;
  }
  Type type = value->type;
  if (type != Type::Boolean && type != Type::Sbyte && type != Type::Ubyte) {
    c.diags.report(value->range, Diag::MaskType, text(type)).done();
    return nullptr;
  }
  return c.build.cast(value, Type::Boolean);
}

/// The rank that the masks of a quote imply; 0 after a report.
static unsigned maskRank(Checking &c, llvm::ArrayRef<const Expr *> values,
                         SourceRange range) {
  for (const Expr *value : values)
    if (value && value->rank != Expr::AnyRank)
      return value->rank;
  unsigned least = 0;
  for (const Expr *value : values)
    if (value)
      least = std::max(least, value->minRank);
  return visibleRank(c, least, range);
}

/// One mask for all that \p written says, over a region of rank \p rank.
/// \p values: null where a quote stands. None after a report.
static std::optional<Mask>
conjunction(Checking &c, llvm::ArrayRef<const ast::Mask *> written,
            llvm::ArrayRef<const Expr *> values, unsigned rank) {
  Mask result;
  for (size_t i = 0; i != written.size(); ++i) {
    const Expr *value = values[i];
    if (!value)
      value =
          c.program.make<EnclosingMaskExpr>(rank, written[i]->operand->range);
    if (!fitsRank(c, value, rank))
      return std::nullopt;
    Builder::settle(*value, rank);
    if (value->rank != rank && value->rank != Expr::AnyRank) {
      c.diags.report(value->range, Diag::MaskRank, value->rank, rank)
          .highlight(written[i]->region->range);
      return std::nullopt;
    }
    if (written.size() == 1)
      return Mask{value, isWith(*written[i])};
    if (!isWith(*written[i]))
      value = c.build.unary(UnaryOp::Not, value, value->range);
    result.mask = result.mask ? c.build.binary(BinaryOp::And, result.mask,
                                               value, written[i]->range)
                              : value;
  }
  return result;
}

const RegionExpr *scopeRegion(Checking &c, const ast::Expr &e,
                              unsigned quoteRank, bool isSource, Mask &mask,
                              StmtList *maskFirsts) {
  llvm::SaveAndRestore bounds(c.sparse.takesBounds, isSource);
  MaskedRegion parts = takeApart(e);
  if (parts.masks.empty())
    return checkRegion(c, *parts.region, quoteRank);
  bool isQuote = llvm::isa<ast::Quote>(parts.region);
  const RegionExpr *covering =
      isQuote ? nullptr : checkRegion(c, *parts.region, quoteRank);
  if (covering)
    c.scopeRanks.push_back(covering->rank);
  llvm::SaveAndRestore<const RegionExpr *> covers(
      c.multi.covering, covering ? covering : c.multi.covering);
  // The enclosing mask is that outside, so what is evaluated first stays there.
  bool inherits = llvm::any_of(parts.masks, [](const ast::Mask *written) {
    return llvm::isa<ast::Quote>(written->operand);
  });
  llvm::SaveAndRestore<StmtList *> outer(
      c.firsts.list, maskFirsts && !inherits ? maskFirsts : c.firsts.list);
  llvm::SmallVector<const Expr *, 2> values;
  bool areFine = true;
  for (const ast::Mask *written : parts.masks) {
    const ast::Expr &operand = *written->operand;
    bool isInherited = llvm::isa<ast::Quote>(operand);
    values.push_back(isInherited ? nullptr
                                 : maskValue(c, checkExpr(c, operand)));
    areFine &= isInherited || values.back();
    if (isInherited && (isSource || !c.mayInherit)) {
      c.diags.report(operand.range, Diag::NothingToInherit, "the mask").done();
      areFine = false;
    }
  }
  if (covering)
    c.scopeRanks.pop_back();
  if (isQuote && areFine) {
    unsigned rank = quoteRank != 0 ? quoteRank : maskRank(c, values, e.range);
    covering = rank == 0 ? nullptr : quotedRegion(c, *parts.region, rank);
  }
  if (!covering || !areFine)
    return covering;
  if (std::optional<Mask> made =
          conjunction(c, parts.masks, values, covering->rank))
    mask = *made;
  return covering;
}

/// In the scope of \p covering: \p first, then \p body under \p mask.
static Stmt *maskedAfter(Checking &c, StmtList first, const Mask &mask,
                         const RegionExpr &covering, Stmt *body) {
  auto *quote = c.program.make<RegionExpr>();
  quote->kind = RegionExpr::Quote;
  quote->rank = covering.rank;
  quote->range = covering.range;
  quote->text = covering.text;
  auto *node = c.program.make<ScopeStmt>(quote, body, body->range);
  node->mask = mask;
  first.push_back(node);
  return singleStmt(c, std::move(first), body->range);
}

Stmt *checkScope(Checking &c, const ast::ScopeStmt &s) {
  MaskedRegion parts = takeApart(*s.region);
  if (isQuoteAlone(parts)) {
    Stmt *body = checkStmt(c, *s.body);
    if (parts.masks.empty())
      return body;
    Mask mask;
    const RegionExpr *covering =
        scopeRegion(c, *s.region, FirstCover(*body).rank, false, mask);
    if (!covering)
      return body;
    auto *node = c.program.make<ScopeStmt>(covering, body, s.range);
    node->mask = mask;
    return node;
  }
  Mask mask;
  StmtList maskFirsts;
  const RegionExpr *covering =
      scopeRegion(c, *s.region, 0, false, mask, &maskFirsts);
  if (!covering) {
    // The statement is checked all the same; its ranks are not known to be
    // covered, which is looked at only in a program without errors.
    return checkStmt(c, *s.body);
  }
  VisibleScope opened(covering);
  c.visibleScopes.push_back(&opened);
  c.scopeRanks.push_back(covering->rank);
  Stmt *body = checkStmt(c, *s.body);
  c.scopeRanks.pop_back();
  c.visibleScopes.pop_back();
  auto *node = c.program.make<ScopeStmt>(covering, body, s.range);
  if (maskFirsts.empty()) {
    node->mask = mask;
    warnIfReplaced(*node, c.diags);
  } else {
    node->body = maskedAfter(c, std::move(maskFirsts), mask, *covering, body);
  }
  opened.before.push_back(node);
  return singleStmt(c, std::move(opened.before), s.range);
}

unsigned visibleRank(Checking &c, unsigned least, SourceRange range) {
  for (unsigned rank : llvm::reverse(c.scopeRanks))
    if (rank >= least)
      return rank;
  if (least == 0)
    c.diags.report(range, Diag::NoRank).done();
  else
    c.diags.report(range, Diag::IndexWithoutScope, least).done();
  return 0;
}

} // namespace zpl::sema
