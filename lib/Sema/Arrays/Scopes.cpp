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

#include "Arrays/Boundaries.h"
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
      llvm::isa<ast::Mask, ast::Quote, ast::RegionLit, ast::Paren>(
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

/// \p value as a mask; null after a report.
const Expr *Checker::maskValue(const Expr *value) {
  if (isError(value) || reportFree(value))
    return nullptr;
  if (!value->isArray()) {
    diags.report(value->range, Diag::MaskScalar).done();
    return nullptr;
  }
  Type type = value->type;
  if (type != Type::Boolean && type != Type::Sbyte && type != Type::Ubyte) {
    diags.report(value->range, Diag::MaskType, text(type)).done();
    return nullptr;
  }
  return build.cast(value, Type::Boolean);
}

/// The rank that the masks of a quote imply; 0 after a report.
unsigned Checker::maskRank(llvm::ArrayRef<const Expr *> values,
                           SourceRange range) {
  for (const Expr *value : values)
    if (value && value->rank != Expr::AnyRank)
      return value->rank;
  unsigned least = 0;
  for (const Expr *value : values)
    if (value)
      least = std::max(least, value->minRank);
  return visibleRank(least, range);
}

/// One mask for all that \p written says, over a region of rank \p rank.
/// \p values: null where a quote stands. None after a report.
std::optional<Mask>
Checker::conjunction(llvm::ArrayRef<const ast::Mask *> written,
                     llvm::ArrayRef<const Expr *> values, unsigned rank) {
  Mask result;
  for (size_t i = 0; i != written.size(); ++i) {
    const Expr *value = values[i];
    if (!value)
      value = program.make<EnclosingMaskExpr>(rank, written[i]->operand->range);
    if (!fitsRank(value, rank))
      return std::nullopt;
    Builder::settle(*value, rank);
    if (value->rank != rank && value->rank != Expr::AnyRank) {
      diags.report(value->range, Diag::MaskRank, value->rank, rank)
          .highlight(written[i]->region->range);
      return std::nullopt;
    }
    if (written.size() == 1)
      return Mask{value, isWith(*written[i])};
    if (!isWith(*written[i]))
      value = build.unary(UnaryOp::Not, value, value->range);
    result.mask = result.mask ? build.binary(BinaryOp::And, result.mask, value,
                                             written[i]->range)
                              : value;
  }
  return result;
}

const RegionExpr *Checker::scopeRegion(const ast::Expr &e, unsigned quoteRank,
                                       bool isSource, Mask &mask,
                                       StmtList *maskFirsts) {
  MaskedRegion parts = takeApart(e);
  if (parts.masks.empty())
    return region(*parts.region, quoteRank);
  bool isQuote = llvm::isa<ast::Quote>(parts.region);
  const RegionExpr *covering =
      isQuote ? nullptr : region(*parts.region, quoteRank);
  if (covering)
    scopeRanks.push_back(covering->rank);
  // The enclosing mask is that outside, so what is evaluated first stays there.
  bool inherits = llvm::any_of(parts.masks, [](const ast::Mask *written) {
    return llvm::isa<ast::Quote>(written->operand);
  });
  llvm::SaveAndRestore<StmtList *> outer(
      firsts, maskFirsts && !inherits ? maskFirsts : firsts);
  llvm::SmallVector<const Expr *, 2> values;
  bool areFine = true;
  for (const ast::Mask *written : parts.masks) {
    const ast::Expr &operand = *written->operand;
    bool isInherited = llvm::isa<ast::Quote>(operand);
    values.push_back(isInherited ? nullptr : maskValue(expr(operand)));
    areFine &= isInherited || values.back();
    if (isInherited && (isSource || !mayInherit)) {
      diags.report(operand.range, Diag::NothingToInherit, "the mask").done();
      areFine = false;
    }
  }
  if (covering)
    scopeRanks.pop_back();
  if (isQuote && areFine) {
    unsigned rank = quoteRank != 0 ? quoteRank : maskRank(values, e.range);
    covering = rank == 0 ? nullptr : quotedRegion(*parts.region, rank);
  }
  if (!covering || !areFine)
    return covering;
  if (std::optional<Mask> made =
          conjunction(parts.masks, values, covering->rank))
    mask = *made;
  return covering;
}

/// In the scope of \p covering: \p first, then \p body under \p mask.
Stmt *Checker::maskedAfter(StmtList first, const Mask &mask,
                           const RegionExpr &covering, Stmt *body) {
  auto *quote = program.make<RegionExpr>();
  quote->kind = RegionExpr::Quote;
  quote->rank = covering.rank;
  quote->range = covering.range;
  quote->text = covering.text;
  auto *node = program.make<ScopeStmt>(quote, body, body->range);
  node->mask = mask;
  first.push_back(node);
  return single(std::move(first), body->range);
}

/// `["] stmt` is the statement's own region, so it changes nothing.
Stmt *Checker::scope(const ast::ScopeStmt &s) {
  MaskedRegion parts = takeApart(*s.region);
  if (isQuoteAlone(parts)) {
    Stmt *body = stmt(*s.body);
    if (parts.masks.empty())
      return body;
    Mask mask;
    const RegionExpr *covering =
        scopeRegion(*s.region, FirstCover(*body).rank, false, mask);
    if (!covering)
      return body;
    auto *node = program.make<ScopeStmt>(covering, body, s.range);
    node->mask = mask;
    return node;
  }
  Mask mask;
  StmtList maskFirsts;
  const RegionExpr *covering =
      scopeRegion(*s.region, 0, false, mask, &maskFirsts);
  if (!covering) {
    // The statement is checked all the same; its ranks are not known to be
    // covered, which is looked at only in a program without errors.
    return stmt(*s.body);
  }
  VisibleScope opened(covering);
  visibleScopes.push_back(&opened);
  scopeRanks.push_back(covering->rank);
  Stmt *body = stmt(*s.body);
  scopeRanks.pop_back();
  visibleScopes.pop_back();
  auto *node = program.make<ScopeStmt>(covering, body, s.range);
  if (maskFirsts.empty()) {
    node->mask = mask;
    warnIfReplaced(*node, diags);
  } else {
    node->body = maskedAfter(std::move(maskFirsts), mask, *covering, body);
  }
  opened.before.push_back(node);
  return single(std::move(opened.before), s.range);
}

unsigned Checker::visibleRank(unsigned least, SourceRange range) {
  for (unsigned rank : llvm::reverse(scopeRanks))
    if (rank >= least)
      return rank;
  if (least == 0)
    diags.report(range, Diag::NoRank).done();
  else
    diags.report(range, Diag::IndexWithoutScope, least).done();
  return 0;
}

} // namespace zpl::sema
