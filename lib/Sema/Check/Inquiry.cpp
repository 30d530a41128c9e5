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
// Of an indexed array the same functions give what its type says: constants and
// the hidden variables of bounds.
//
// `i inside` one dimension is a call of a function made here, for i is used
// more than once; array-valued i promote it.
//
// Cost: a few nodes per dimension.
//
//===----------------------------------------------------------------------===//

#include "Check/Inquiry.h"
#include "Arrays/Blanks.h"
#include "Arrays/Boundaries.h"
#include "Arrays/Regions.h"
#include "Check/Designators.h"
#include "Check/Expressions.h"
#include "Check/Operators.h"
#include "Names/Predeclared.h"
#include "Sparse/SparseRegions.h"
#include "Statements/Initializers.h"
#include "Types/Types.h"
#include "Types/ValueTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

namespace zpl::sema {

/// What the text shows of a dimension of a region.
struct DimFacts {
  const RegionDim *written = nullptr; ///< in a literal; null: not seen
  bool mayBeStrided = true;
};

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

static DimFacts dimFacts(Checking &c, const RegionExpr &region, unsigned dim,
                         size_t depth);

/// What a blank dimension or a quote stands for, if the scope is one of the
/// first \p depth visible ones.
static DimFacts inheritedDim(Checking &c, unsigned rank, unsigned dim,
                             size_t depth) {
  while (depth-- != 0)
    if (c.visibleScopes[depth]->region->rank == rank)
      return dimFacts(c, *c.visibleScopes[depth]->region, dim, depth);
  return {};
}

/// What is seen of a dimension; \p depth: the scopes that are around it.
static DimFacts dimFacts(Checking &c, const RegionExpr &region, unsigned dim,
                         size_t depth) {
  switch (region.kind) {
  case RegionExpr::Ref: // which inherits where it is declared
    return dimFacts(c, *region.region->init, dim, 0);
  case RegionExpr::Declared:
    return region.array->declared ? dimFacts(c, *region.array->declared, dim, 0)
                                  : DimFacts();
  case RegionExpr::Dims:
    if (region.dims[dim].kind == RegionDim::Blank)
      return inheritedDim(c, region.rank, dim, depth);
    if (region.dims[dim].kind == RegionDim::Seq)
      return {};
    return {&region.dims[dim], false};
  case RegionExpr::Quote:
    return inheritedDim(c, region.rank, dim, depth);
  case RegionExpr::Where:
  case RegionExpr::Bounds:
    return dimFacts(c, *region.base, dim, depth);
  case RegionExpr::Of:
  case RegionExpr::In:
  case RegionExpr::At:
  case RegionExpr::By: {
    DimFacts facts = dimFacts(c, *region.base, dim, depth);
    if (isZero(*region.direction[dim]))
      return facts;
    return {nullptr, facts.mayBeStrided || region.kind == RegionExpr::By};
  }
  case RegionExpr::User:
    return {};
  }
  llvm_unreachable("region");
}

static DimFacts dimFacts(Checking &c, const RegionExpr &region, unsigned dim) {
  // A source, a mask or an initializer has a scope of its own.
  bool isInScope = c.scopeRanks.size() == c.visibleScopes.size();
  return dimFacts(c, region, dim, isInScope ? c.visibleScopes.size() : 0);
}

/// What has the bounds of \p region: a pattern says nothing of them.
static const RegionExpr &withoutPattern(const RegionExpr &region) {
  return region.kind == RegionExpr::Where || region.kind == RegionExpr::Bounds
             ? withoutPattern(*region.base)
             : region;
}

const Expr *regionBound(Checking &c, RegionBoundExpr::Which which,
                        const RegionExpr &written, unsigned dim,
                        SourceRange range) {
  const RegionExpr &region = withoutPattern(written);
  auto [seen, mayBeStrided] = dimFacts(c, region, dim);
  if (which <= RegionBoundExpr::Hi && seen && seen->lo) {
    const Expr *bound =
        which == RegionBoundExpr::Hi && seen->hi ? seen->hi : seen->lo;
    if (isLiteralOrConfig(*bound))
      return bound;
  }
  if (which == RegionBoundExpr::Stride && !mayBeStrided)
    return c.build.integer(1, Type::Longint, range);
  return c.program.make<RegionBoundExpr>(which, &region, dim, range);
}

const Expr *memberBound(Checking &c, RegionBoundExpr::Which which,
                        const RegionExpr &region, unsigned dim,
                        SourceRange range) {
  const Expr *bound = regionBound(c, which, region, dim, range);
  if (!dimFacts(c, region, dim).mayBeStrided)
    return bound;
  bound = c.build.cast(bound, Type::Longint);
  bool isFirst =
      which == RegionBoundExpr::Lo || which == RegionBoundExpr::OwnLo;
  const Expr *align =
      regionBound(c, RegionBoundExpr::Align, region, dim, range);
  const Expr *stride =
      regionBound(c, RegionBoundExpr::Stride, region, dim, range);
  auto binary = [&](BinaryOp op, const Expr *left, const Expr *right) {
    return c.build.binary(op, left, right, range);
  };
  // x mod s = ((x % s) + s) % s, whatever the sign of x.
  const Expr *distance = isFirst ? binary(BinaryOp::Sub, align, bound)
                                 : binary(BinaryOp::Sub, bound, align);
  const Expr *mod = binary(BinaryOp::Rem, distance, stride);
  mod = binary(BinaryOp::Rem, binary(BinaryOp::Add, mod, stride), stride);
  return binary(isFirst ? BinaryOp::Add : BinaryOp::Sub, bound, mod);
}

static const Expr *sizeOf(Checking &c, const RegionExpr &region,
                          SourceRange range) {
  if (mayBeSparse(c, region))
    return c.program.make<RegionBoundExpr>(RegionBoundExpr::Size, &region, 0,
                                           range);
  const Expr *size = c.build.integer(1, Type::Longint, range);
  for (unsigned d = 0; d != region.rank; ++d) {
    const Expr *first = c.build.cast(
        memberBound(c, RegionBoundExpr::Lo, region, d, range), Type::Longint);
    const Expr *last = c.build.cast(
        regionBound(c, RegionBoundExpr::Hi, region, d, range), Type::Longint);
    const Expr *stride =
        regionBound(c, RegionBoundExpr::Stride, region, d, range);
    const Expr *count = c.build.binary(
        BinaryOp::Add, c.build.binary(BinaryOp::Sub, last, first, range),
        stride, range);
    if (dimFacts(c, region, d).mayBeStrided)
      count = c.build.binary(BinaryOp::Div, count, stride, range);
    count = c.build.binary(BinaryOp::Max, count,
                           c.build.integer(0, Type::Longint, range), range);
    size = d == 0 ? count : c.build.binary(BinaryOp::Mul, size, count, range);
  }
  return size;
}

std::optional<unsigned> inquiredDim(Checking &c, const ast::Expr &e,
                                    unsigned rank, llvm::StringRef function) {
  const Expr *value = checkExpr(c, e);
  if (isError(value))
    return std::nullopt;
  auto *literal = llvm::dyn_cast<LiteralExpr>(value);
  if (literal && isIntegral(literal->type) && 1 <= literal->integer &&
      literal->integer <= rank)
    return literal->integer - 1;
  c.diags.report(e.range, Diag::InquiryDimension, function, rank).done();
  return std::nullopt;
}

/// Whether \p e is an indexed array, or a part of one that is such: not of a
/// parallel array.
static bool isIndexedArray(Checking &c, const ast::Expr &e) {
  if (designatedType(c, e) != Type::Array)
    return false;
  const ast::Expr *root = &e;
  while (true)
    if (auto *field = llvm::dyn_cast<ast::Field>(root))
      root = field->base;
    else if (auto *subscript = llvm::dyn_cast<ast::Subscript>(root))
      root = subscript->base;
    else
      break;
  auto *name = llvm::dyn_cast<ast::NameRef>(root);
  return name && llvm::isa_and_nonnull<Variable>(c.names.find(name->name));
}

/// size, rank, lo and hi of an indexed array.
static const Expr *arrayInquiry(Checking &c, const ast::Call &e,
                                Function function) {
  const Expr *asked = checkPlace(c, *e.args[0]);
  if (isError(asked) || asked->type != Type::Array)
    return c.build.error(e.range);
  const TypeInfo &info = *asked->type.info();
  unsigned rank = info.lo.size();
  if (function == Function::Rank)
    return c.build.integer(rank, Type::Integer, e.range);
  if (function == Function::Size) {
    const Expr *size = nullptr;
    for (unsigned d = 0; d != rank; ++d) {
      const Expr *count =
          c.build.binary(BinaryOp::Max, extentExpr(c, info, d, e.range),
                         c.build.integer(0, Type::Longint, e.range), e.range);
      size =
          d == 0 ? count : c.build.binary(BinaryOp::Mul, size, count, e.range);
    }
    return size;
  }
  std::optional<unsigned> dim = inquiredDim(c, *e.args[1], rank, e.callee.text);
  if (!dim)
    return c.build.error(e.range);
  TypeBound bound = function == Function::Lo ? info.lo[*dim] : info.hi[*dim];
  if (info.index[*dim] == Type::Enum)
    return c.build.integer(bound.value, info.index[*dim], e.range);
  return c.build.cast(boundExpr(c, bound, e.range), Type::Integer);
}

const Expr *checkInquiry(Checking &c, const ast::Call &e, Function function) {
  bool isOfArrays = function == Function::Size || function == Function::Rank ||
                    function == Function::Lo || function == Function::Hi;
  if (isOfArrays && isIndexedArray(c, *e.args[0]))
    return arrayInquiry(c, e, function);
  // A quote alone is the statement's.
  unsigned quoteRank = c.statementRank != 0   ? c.statementRank
                       : c.scopeRanks.empty() ? 0
                                              : c.scopeRanks.back();
  const RegionExpr *asked = checkRegion(c, *e.args[0], quoteRank);
  if (!asked)
    return c.build.error(e.range);
  if (function == Function::Size)
    return sizeOf(c, *asked, e.range);
  if (function == Function::Rank)
    return c.build.integer(asked->rank, Type::Integer, e.range);
  std::optional<unsigned> dim =
      inquiredDim(c, *e.args[1], asked->rank, e.callee.text);
  if (!dim)
    return c.build.error(e.range);
  RegionBoundExpr::Which which =
      function == Function::Lo      ? RegionBoundExpr::Lo
      : function == Function::Hi    ? RegionBoundExpr::Hi
      : function == Function::OwnLo ? RegionBoundExpr::OwnLo
      : function == Function::OwnHi ? RegionBoundExpr::OwnHi
                                    : RegionBoundExpr::Stride;
  const Expr *value = which == RegionBoundExpr::Stride
                          ? regionBound(c, which, *asked, *dim, e.range)
                          : memberBound(c, which, *asked, *dim, e.range);
  return c.build.cast(value, Type::Integer);
}

/// `procedure inside(i, lo, hi, stride: longint): boolean;`
static Procedure *insideFunction(Checking &c, SourceRange range) {
  for (Procedure *made : c.made.functions)
    if (made->name == "inside")
      return made;
  auto *procedure = c.program.make<Procedure>("inside", range);
  auto param = [&](llvm::StringRef name) {
    auto *formal = c.program.make<Variable>(name, range);
    formal->type = Type::Longint;
    formal->storage = Storage::Param;
    procedure->params.push_back(formal);
    return c.program.make<VariableExpr>(formal, range);
  };
  const Expr *index = param("i"), *lo = param("lo"), *hi = param("hi"),
             *stride = param("stride");
  const Expr *distance = c.build.binary(BinaryOp::Sub, index, lo, range);
  const Expr *isMember = c.build.compare(
      CompareOp::Eq, c.build.binary(BinaryOp::Rem, distance, stride, range),
      c.build.integer(0, Type::Longint, range), range);
  const Expr *isBetween = c.build.binary(
      BinaryOp::And, c.build.compare(CompareOp::Le, lo, index, range),
      c.build.compare(CompareOp::Le, index, hi, range), range);
  procedure->result = Type::Boolean;
  procedure->body = c.program.make<ReturnStmt>(
      c.build.binary(BinaryOp::And, isBetween, isMember, range), 0, range);
  procedure->bodyRange = range;
  c.program.procedures.push_back(procedure);
  c.made.functions.push_back(procedure);
  return procedure;
}

/// Whether \p index is one of the region's in dimension \p dim.
static const Expr *insideDim(Checking &c, const Expr *index,
                             const RegionExpr &region, unsigned dim,
                             SourceRange range) {
  auto *call = c.program.make<CallExpr>(insideFunction(c, range), range);
  call->args = {index, memberBound(c, RegionBoundExpr::Lo, region, dim, range),
                memberBound(c, RegionBoundExpr::Hi, region, dim, range),
                regionBound(c, RegionBoundExpr::Stride, region, dim, range)};
  for (const Expr *&arg : call->args)
    arg = c.build.cast(arg, Type::Longint);
  call->copies.assign(call->args.size(), false);
  Builder::inherit(*call, index);
  return call;
}

/// Asks the region itself.
static const Expr *insideSparse(Checking &c,
                                llvm::ArrayRef<const Expr *> indices,
                                const RegionExpr &region, SourceRange range) {
  auto *node = c.program.make<InsideExpr>(&region, indices, range);
  for (const Expr *&index : node->indices)
    index = c.build.cast(index, Type::Longint);
  Builder::inherit(*node, node->indices);
  return node;
}

const Expr *checkInside(Checking &c, const ast::Inside &e) {
  llvm::SmallVector<const ast::Expr *, 6> written;
  if (auto *list = llvm::dyn_cast<ast::List>(e.index))
    written.assign(list->items.begin(), list->items.end());
  else
    written.push_back(e.index);
  const RegionExpr *asked = checkRegion(c, *e.region, written.size());
  llvm::SmallVector<const Expr *, 6> indices;
  bool isFine = asked != nullptr;
  for (const ast::Expr *item : written) {
    const Expr *value = checkExpr(c, *item);
    if (!isError(value) && !isIntegral(value->type)) {
      c.diags.report(item->range, Diag::IndexType, "index", text(value->type))
          .done();
      isFine = false;
    }
    isFine &= !isError(value);
    indices.push_back(value);
  }
  if (!isFine)
    return c.build.error(e.range);
  if (indices.size() != asked->rank) {
    c.diags.report(e.range, Diag::InsideRank, indices.size(), asked->rank)
        .done();
    return c.build.error(e.range);
  }
  const Expr *result = nullptr;
  for (unsigned d = 0; d != asked->rank; ++d)
    for (const Expr *earlier : llvm::ArrayRef(indices).take_front(d))
      if (!haveConformingRanks(c, earlier, indices[d], indices[d]->range))
        return c.build.error(e.range);
  if (mayBeSparse(c, *asked))
    return insideSparse(c, indices, *asked, e.range);
  for (unsigned d = 0; d != asked->rank; ++d) {
    const RegionDim *seen = dimFacts(c, *asked, d).written;
    if (seen &&
        (seen->kind == RegionDim::Flood || seen->kind == RegionDim::Grid))
      continue;
    const Expr *here = insideDim(c, indices[d], *asked, d, e.range);
    result =
        result ? c.build.binary(BinaryOp::And, result, here, e.range) : here;
  }
  return result ? result : c.build.integer(1, Type::Boolean, e.range);
}

} // namespace zpl::sema
