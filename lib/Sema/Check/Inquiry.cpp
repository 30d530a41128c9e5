//===- Inquiry.cpp - Region inquiry ---------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     size(R)  lo(R, 1)  hi(["], 2)  stride(region(A), 1)  rank(R)
//     [i, j] inside R    reglo(R, 1)
//
// become arithmetic on the four numbers (l, h, s, a) of each dimension, of
// which l and h need not belong to the region:
//
//     lo       l + (a - l) mod s, the first index
//     hi       h - (h - a) mod s, the last
//     size     the product of max(0, (h - lo + s) / s)
//
// In a dimension that cannot be strided, s is 1 and lo, hi are l, h. The size
// of a flooded dimension (0, 0, 1, 0) comes out as 1, its lo and hi as 0. A
// bound that was written as a constant or a config variable stands for itself,
// so `lo(R, 1)` may be a bound of an indexed array. What a quote or a blank
// dimension is, is looked for in the visible scopes.
//
// `i inside` one dimension is a call of a function made here, for i is used
// more than once; array-valued i promote it.
//
// Cost: a few nodes per dimension.
//
//===----------------------------------------------------------------------===//

#include "Arrays/Boundaries.h"
#include "Types/Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

namespace zpl::sema {

namespace {

/// A component of a direction that keeps the dimension.
bool isZero(const Expr &component) {
  auto *literal = llvm::dyn_cast<LiteralExpr>(&component);
  return literal && literal->integer == 0;
}

/// The value never changes and is the same wherever it is asked for.
bool isLiteralOrConfig(const Expr &e) {
  auto *variable = llvm::dyn_cast<VariableExpr>(&e);
  return llvm::isa<LiteralExpr>(e) ||
         (variable && variable->variable->isConfig);
}

} // namespace

/// What a blank dimension or a quote stands for, if the scope is one of the
/// first \p depth visible ones.
Checker::DimFacts Checker::inheritedDim(unsigned rank, unsigned dim,
                                        size_t depth) {
  while (depth-- != 0)
    if (visibleScopes[depth]->region->rank == rank)
      return dimFacts(*visibleScopes[depth]->region, dim, depth);
  return {};
}

/// What is seen of a dimension; \p depth: the scopes that are around it.
Checker::DimFacts Checker::dimFacts(const RegionExpr &region, unsigned dim,
                                    size_t depth) {
  switch (region.kind) {
  case RegionExpr::Ref: // which inherits where it is declared
    return dimFacts(*region.region->init, dim, 0);
  case RegionExpr::Declared:
    return region.array->declared ? dimFacts(*region.array->declared, dim, 0)
                                  : DimFacts();
  case RegionExpr::Dims:
    if (region.dims[dim].kind == RegionDim::Blank)
      return inheritedDim(region.rank, dim, depth);
    if (region.dims[dim].kind == RegionDim::Seq)
      return {};
    return {&region.dims[dim], false};
  case RegionExpr::Quote:
    return inheritedDim(region.rank, dim, depth);
  case RegionExpr::Of:
  case RegionExpr::In:
  case RegionExpr::At:
  case RegionExpr::By: {
    DimFacts facts = dimFacts(*region.base, dim, depth);
    if (isZero(*region.direction[dim]))
      return facts;
    return {nullptr, facts.mayBeStrided || region.kind == RegionExpr::By};
  }
  case RegionExpr::User:
    return {};
  }
  llvm_unreachable("region");
}

Checker::DimFacts Checker::dimFacts(const RegionExpr &region, unsigned dim) {
  // A source, a mask or an initializer has a scope of its own.
  bool isInScope = scopeRanks.size() == visibleScopes.size();
  return dimFacts(region, dim, isInScope ? visibleScopes.size() : 0);
}

const Expr *Checker::regionBound(RegionBoundExpr::Which which,
                                 const RegionExpr &region, unsigned dim,
                                 SourceRange range) {
  auto [written, mayBeStrided] = dimFacts(region, dim);
  if (which <= RegionBoundExpr::Hi && written && written->lo) {
    const Expr *bound =
        which == RegionBoundExpr::Hi && written->hi ? written->hi : written->lo;
    if (isLiteralOrConfig(*bound))
      return bound;
  }
  if (which == RegionBoundExpr::Stride && !mayBeStrided)
    return build.integer(1, Type::Longint, range);
  return program.make<RegionBoundExpr>(which, &region, dim, range);
}

/// The first (\p which: Lo, OwnLo) or last index of a dimension.
const Expr *Checker::memberBound(RegionBoundExpr::Which which,
                                 const RegionExpr &region, unsigned dim,
                                 SourceRange range) {
  const Expr *bound = regionBound(which, region, dim, range);
  if (!dimFacts(region, dim).mayBeStrided)
    return bound;
  bound = build.cast(bound, Type::Longint);
  bool isFirst =
      which == RegionBoundExpr::Lo || which == RegionBoundExpr::OwnLo;
  const Expr *align = regionBound(RegionBoundExpr::Align, region, dim, range);
  const Expr *stride = regionBound(RegionBoundExpr::Stride, region, dim, range);
  auto binary = [&](BinaryOp op, const Expr *left, const Expr *right) {
    return build.binary(op, left, right, range);
  };
  // x mod s = ((x % s) + s) % s, whatever the sign of x.
  const Expr *distance = isFirst ? binary(BinaryOp::Sub, align, bound)
                                 : binary(BinaryOp::Sub, bound, align);
  const Expr *mod = binary(BinaryOp::Rem, distance, stride);
  mod = binary(BinaryOp::Rem, binary(BinaryOp::Add, mod, stride), stride);
  return binary(isFirst ? BinaryOp::Add : BinaryOp::Sub, bound, mod);
}

const Expr *Checker::sizeOf(const RegionExpr &region, SourceRange range) {
  const Expr *size = build.integer(1, Type::Longint, range);
  for (unsigned d = 0; d != region.rank; ++d) {
    const Expr *first = build.cast(
        memberBound(RegionBoundExpr::Lo, region, d, range), Type::Longint);
    const Expr *last = build.cast(
        regionBound(RegionBoundExpr::Hi, region, d, range), Type::Longint);
    const Expr *stride = regionBound(RegionBoundExpr::Stride, region, d, range);
    const Expr *count = build.binary(
        BinaryOp::Add, build.binary(BinaryOp::Sub, last, first, range), stride,
        range);
    if (dimFacts(region, d).mayBeStrided)
      count = build.binary(BinaryOp::Div, count, stride, range);
    count = build.binary(BinaryOp::Max, count,
                         build.integer(0, Type::Longint, range), range);
    size = d == 0 ? count : build.binary(BinaryOp::Mul, size, count, range);
  }
  return size;
}

/// The dimension that \p e names, from 0; none after a report.
std::optional<unsigned> Checker::inquiredDim(const ast::Expr &e, unsigned rank,
                                             llvm::StringRef function) {
  const Expr *value = expr(e);
  if (isError(value))
    return std::nullopt;
  auto *literal = llvm::dyn_cast<LiteralExpr>(value);
  if (literal && isIntegral(literal->type) && 1 <= literal->integer &&
      literal->integer <= rank)
    return literal->integer - 1;
  diags.report(e.range, Diag::InquiryDimension, function, rank).done();
  return std::nullopt;
}

/// `size(R)`, `lo(R, d)` ...
const Expr *Checker::inquiry(const ast::Call &e, Function function) {
  // A quote alone is the statement's.
  unsigned quoteRank = statementRank != 0   ? statementRank
                       : scopeRanks.empty() ? 0
                                            : scopeRanks.back();
  const RegionExpr *asked = region(*e.args[0], quoteRank);
  if (!asked)
    return build.error(e.range);
  if (function == Function::Size)
    return sizeOf(*asked, e.range);
  if (function == Function::Rank)
    return build.integer(asked->rank, Type::Integer, e.range);
  std::optional<unsigned> dim =
      inquiredDim(*e.args[1], asked->rank, e.callee.text);
  if (!dim)
    return build.error(e.range);
  RegionBoundExpr::Which which =
      function == Function::Lo      ? RegionBoundExpr::Lo
      : function == Function::Hi    ? RegionBoundExpr::Hi
      : function == Function::OwnLo ? RegionBoundExpr::OwnLo
      : function == Function::OwnHi ? RegionBoundExpr::OwnHi
                                    : RegionBoundExpr::Stride;
  const Expr *value = which == RegionBoundExpr::Stride
                          ? regionBound(which, *asked, *dim, e.range)
                          : memberBound(which, *asked, *dim, e.range);
  return build.cast(value, Type::Integer);
}

/// `procedure inside(i, lo, hi, stride: longint): boolean;`
Procedure *Checker::insideFunction(SourceRange range) {
  for (Procedure *made : hiddenFunctions)
    if (made->name == "inside")
      return made;
  auto *procedure = program.make<Procedure>("inside", range);
  auto param = [&](llvm::StringRef name) {
    auto *formal = program.make<Variable>(name, range);
    formal->type = Type::Longint;
    formal->storage = Storage::Param;
    procedure->params.push_back(formal);
    return program.make<VariableExpr>(formal, range);
  };
  const Expr *index = param("i"), *lo = param("lo"), *hi = param("hi"),
             *stride = param("stride");
  const Expr *distance = build.binary(BinaryOp::Sub, index, lo, range);
  const Expr *isMember = build.compare(
      CompareOp::Eq, build.binary(BinaryOp::Rem, distance, stride, range),
      build.integer(0, Type::Longint, range), range);
  const Expr *isBetween = build.binary(
      BinaryOp::And, build.compare(CompareOp::Le, lo, index, range),
      build.compare(CompareOp::Le, index, hi, range), range);
  procedure->result = Type::Boolean;
  procedure->body = program.make<ReturnStmt>(
      build.binary(BinaryOp::And, isBetween, isMember, range), 0, range);
  procedure->bodyRange = range;
  program.procedures.push_back(procedure);
  hiddenFunctions.push_back(procedure);
  return procedure;
}

/// Whether \p index is one of the region's in dimension \p dim.
const Expr *Checker::insideDim(const Expr *index, const RegionExpr &region,
                               unsigned dim, SourceRange range) {
  auto *call = program.make<CallExpr>(insideFunction(range), range);
  call->args = {index, memberBound(RegionBoundExpr::Lo, region, dim, range),
                memberBound(RegionBoundExpr::Hi, region, dim, range),
                regionBound(RegionBoundExpr::Stride, region, dim, range)};
  for (const Expr *&arg : call->args)
    arg = build.cast(arg, Type::Longint);
  call->copies.assign(call->args.size(), false);
  Builder::inherit(*call, index);
  return call;
}

/// `[i, j] inside R`; every index is inside of a flooded dimension.
const Expr *Checker::inside(const ast::Inside &e) {
  llvm::SmallVector<const ast::Expr *, 6> written;
  if (auto *list = llvm::dyn_cast<ast::List>(e.index))
    written.assign(list->items.begin(), list->items.end());
  else
    written.push_back(e.index);
  const RegionExpr *asked = region(*e.region, written.size());
  llvm::SmallVector<const Expr *, 6> indices;
  bool isFine = asked != nullptr;
  for (const ast::Expr *item : written) {
    const Expr *value = expr(*item);
    if (!isError(value) && !isIntegral(value->type)) {
      diags.report(item->range, Diag::IndexType, "index", text(value->type))
          .done();
      isFine = false;
    }
    isFine &= !isError(value);
    indices.push_back(value);
  }
  if (!isFine)
    return build.error(e.range);
  if (indices.size() != asked->rank) {
    diags.report(e.range, Diag::InsideRank, indices.size(), asked->rank).done();
    return build.error(e.range);
  }
  const Expr *result = nullptr;
  for (unsigned d = 0; d != asked->rank; ++d) {
    for (const Expr *earlier : llvm::ArrayRef(indices).take_front(d))
      if (!conform(earlier, indices[d], indices[d]->range))
        return build.error(e.range);
    const RegionDim *seen = dimFacts(*asked, d).written;
    if (seen &&
        (seen->kind == RegionDim::Flood || seen->kind == RegionDim::Grid))
      continue;
    const Expr *here = insideDim(indices[d], *asked, d, e.range);
    result = result ? build.binary(BinaryOp::And, result, here, e.range) : here;
  }
  return result ? result : build.integer(1, Type::Boolean, e.range);
}

} // namespace zpl::sema
