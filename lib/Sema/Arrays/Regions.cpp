//===- Regions.cpp - Checks regions and directions ------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     region R = [1..n, 1..n];  N = north of R;  K = [k, ];  C = R by [2, 2];
//     direction far = [0, k];   [east of "] A@[0, 1]   [region(A)] ...
//
// A dimension list with a single dimension that is a region is that region, so
// `[R]` and `[[1..n] at [2]]` are not singletons; names decide. Directions are
// resolved to one expression per dimension: a constant where the value is known
// now, a reference to the named direction's component otherwise. Which kind a
// dimension has may depend on the call, so what flooded ones allow is looked at
// later (Legality.cpp). Masks belong to scopes (Scopes.cpp).
//
//===----------------------------------------------------------------------===//

#include "Arrays/Regions.h"
#include "Arrays/Multi.h"
#include "Arrays/RegionOps.h"
#include "Check/Checking.h"
#include "Check/Designators.h"
#include "Check/Expressions.h"
#include "Check/FirstValues.h"
#include "Check/Inquiry.h"
#include "Check/Values.h"
#include "Names/Predeclared.h"
#include "Sparse/SparseRegions.h"
#include "Statements/Declarations.h"
#include "Tree/Walk.h"
#include "Types/Types.h"
#include "Types/ValueTypes.h"
#include "llvm/Support/ErrorHandling.h"

namespace zpl::sema {

static const RegionExpr *namedRegion(Checking &c, const ast::NameRef &e);
static const RegionExpr *regionLiteral(Checking &c, const ast::RegionLit &e);
static const RegionExpr *regionOp(Checking &c, const ast::RegionOp &e);
static const RegionExpr *declaredRegion(Checking &c, const ast::RegionCall &e);
static std::optional<DirectionExprs> scaledDirection(Checking &c,
                                                     const ast::Scaledby &e);
static std::optional<DirectionExprs> namedDirection(Checking &c,
                                                    const ast::NameRef &e);
static const Expr *indexValue(Checking &c, const ast::Expr &e,
                              llvm::StringRef what);

std::string writtenRegion(Checking &c, SourceRange range) {
  llvm::StringRef text = c.diags.sources().text(range);
  bool isOpen = text.count('[') > text.count(']');
  return text.str() + (isOpen ? "]" : "");
}

const RegionExpr *checkRegion(Checking &c, const ast::Expr &e,
                              unsigned quoteRank) {
  switch (e.kind) {
  case ast::NodeKind::Paren:
    return checkRegion(c, *llvm::cast<ast::Paren>(e).inner, quoteRank);
  case ast::NodeKind::NameRef:
    return namedRegion(c, llvm::cast<ast::NameRef>(e));
  case ast::NodeKind::RegionLit: {
    auto &literal = llvm::cast<ast::RegionLit>(e);
    if (literal.dims.size() == 1 && literal.dims[0].kind == ast::Dim::Single &&
        isRegion(c, *literal.dims[0].lo))
      return checkRegion(c, *literal.dims[0].lo, quoteRank);
    return regionLiteral(c, literal);
  }
  case ast::NodeKind::Quote:
    return quotedRegion(c, e, quoteRank);
  case ast::NodeKind::Of:
  case ast::NodeKind::In:
  case ast::NodeKind::RegionAt:
  case ast::NodeKind::By:
    return regionOp(c, llvm::cast<ast::RegionOp>(e));
  case ast::NodeKind::UserRegionOp:
    return userRegionOp(c, llvm::cast<ast::UserRegionOp>(e));
  case ast::NodeKind::Mask:
    c.diags
        .report(e.range, Diag::MaskPlace,
                ast::text(llvm::cast<ast::Mask>(e).flavor))
        .done();
    return nullptr;
  case ast::NodeKind::Where:
    return whereRegion(c, llvm::cast<ast::Where>(e), quoteRank);
  case ast::NodeKind::RegionCall:
    return declaredRegion(c, llvm::cast<ast::RegionCall>(e));
  case ast::NodeKind::List:
  case ast::NodeKind::Scaledby:
    c.diags.report(e.range, Diag::NotARegion).done();
    return nullptr;
  case ast::NodeKind::IntLiteral:
  case ast::NodeKind::FloatLiteral:
  case ast::NodeKind::CharLiteral:
  case ast::NodeKind::StringLiteral:
  case ast::NodeKind::BoolLiteral:
  case ast::NodeKind::Multi:
  case ast::NodeKind::MultiParam:
  case ast::NodeKind::Subscript:
  case ast::NodeKind::Field:
  case ast::NodeKind::Call:
  case ast::NodeKind::NamedArgument:
  case ast::NodeKind::Unary:
  case ast::NodeKind::Binary:
  case ast::NodeKind::At:
  case ast::NodeKind::Remap:
  case ast::NodeKind::Flood:
  case ast::NodeKind::Reduce:
  case ast::NodeKind::Scan:
  case ast::NodeKind::Inside:
  case ast::NodeKind::InitList:
    if (kindOf(c, e) == Type::Region) {
      const Expr *place = valuePlace(c, e, Type::Region);
      return place ? regionOf(c, place) : nullptr;
    }
    if (kindOf(c, e) == Type::Direction || !isError(checkExpr(c, e)))
      c.diags.report(e.range, Diag::NotARegion).done();
    return nullptr;
  }
  llvm_unreachable("expression");
}

const RegionExpr *quotedRegion(Checking &c, const ast::Expr &e,
                               unsigned quoteRank) {
  if (quoteRank == 0 || !c.mayInherit) {
    c.diags.report(e.range, Diag::NothingToInherit, "a quote").done();
    return nullptr;
  }
  auto *node = c.program.make<RegionExpr>();
  node->kind = RegionExpr::Quote;
  node->rank = quoteRank;
  node->takesBounds = c.program.hasSparse && c.sparse.takesBounds;
  node->range = e.range;
  node->text = c.diags.sources().text(e.range).str();
  return node;
}

static const RegionExpr *namedRegion(Checking &c, const ast::NameRef &e) {
  Symbol *symbol = c.names.find(e.name);
  if (!symbol) {
    if (findPredeclared(e.name))
      c.diags.report(e.range, Diag::NotARegion).done();
    else
      c.names.reportUnknown(e.name, e.range);
    return nullptr;
  }
  auto *region = llvm::dyn_cast<Region>(symbol);
  if (!region) {
    auto *variable = llvm::dyn_cast<Variable>(symbol);
    if (variable && variable->type == Type::Region) {
      const Expr *place = valuePlace(c, e, Type::Region);
      return place ? regionOf(c, place) : nullptr;
    }
    if (variable && variable->type == Type::Error)
      return nullptr;
    auto message = c.diags.report(e.range, Diag::WrongKind, e.name,
                                  describe(*symbol), "a region");
    if (variable && isIntegral(variable->type)) // `[k with M]`
      message.fixIt(e.range, "[" + e.name.str() + "]");
    message.note(symbol->range, Diag::DeclaredHere, e.name);
    return nullptr;
  }
  auto *node = c.program.make<RegionExpr>();
  node->kind = RegionExpr::Ref;
  node->rank = region->rank();
  node->region = region;
  node->range = e.range;
  return node;
}

/// `[ , ]`, `[1, ]` where a sparse region gets a value: what is blank is the
/// region's own.
static void takeOwnBounds(Checking &c, RegionExpr &region) {
  const RegionExpr *owner = c.sparse.blankOwner;
  for (unsigned d = 0; d != region.rank; ++d) {
    RegionDim &dim = region.dims[d];
    if (dim.kind != RegionDim::Blank)
      continue;
    auto bound = [&](RegionBoundExpr::Which which) {
      return c.build.cast(regionBound(c, which, *owner, d, region.range),
                          Type::Longint);
    };
    dim.kind = RegionDim::Seq;
    dim.lo = bound(RegionBoundExpr::Lo);
    dim.hi = bound(RegionBoundExpr::Hi);
    dim.stride = bound(RegionBoundExpr::Stride);
    dim.align = bound(RegionBoundExpr::Align);
  }
}

/// Whether the literal \p region inherits bounds only: those of an operator, or
/// beside dimensions that no pattern has.
static bool takesBounds(const Checking &c, const RegionExpr &region) {
  if (!c.program.hasSparse)
    return false;
  bool isBlank = false, isFlooded = false;
  for (const RegionDim &dim : region.dims) {
    isBlank |= dim.kind == RegionDim::Blank;
    isFlooded |= dim.kind == RegionDim::Flood || dim.kind == RegionDim::Grid;
  }
  return isBlank && (isFlooded || c.sparse.takesBounds);
}

/// The literal \p region with what its blank dimensions stand for.
static const RegionExpr *withBlanks(Checking &c, RegionExpr &region) {
  const RegionExpr *owner = c.sparse.blankOwner;
  auto isBlank = [](const RegionDim &dim) {
    return dim.kind == RegionDim::Blank;
  };
  bool isOwn = owner && owner->rank == region.rank;
  if (isOwn && llvm::all_of(region.dims, isBlank))
    return boundsOf(c, owner);
  if (isOwn)
    takeOwnBounds(c, region);
  region.takesBounds = takesBounds(c, region);
  return &region;
}

/// A dimension of the region literal at \p literal; false after a report.
static bool literalDim(Checking &c, const ast::Dim &dim, SourceRange literal,
                       RegionDim &made) {
  bool isWrong = false;
  auto bound = [&](const ast::Expr *value) {
    const Expr *checked = indexValue(c, *value, "bound of a region");
    isWrong |= isError(checked);
    return checked;
  };
  switch (dim.kind) {
  case ast::Dim::Range:
    made.kind = RegionDim::Range;
    made.lo = bound(dim.lo);
    made.hi = bound(dim.hi);
    break;
  case ast::Dim::Single:
    made.kind = RegionDim::Single;
    made.lo = bound(dim.lo);
    break;
  case ast::Dim::Flood:
    made.kind = RegionDim::Flood;
    break;
  case ast::Dim::Grid:
    made.kind = RegionDim::Grid;
    break;
  case ast::Dim::Blank:
    if (c.mayInherit || c.sparse.blankOwner)
      break;
    c.diags
        .report(dim.range.isValid() ? dim.range : literal,
                Diag::NothingToInherit, "a blank dimension")
        .done();
    isWrong = true;
    break;
  }
  return !isWrong;
}

static const RegionExpr *regionLiteral(Checking &c, const ast::RegionLit &e) {
  if (e.dims.size() > MaxRank) {
    c.diags.report(e.range, Diag::RankTooHigh, e.dims.size(), MaxRank).done();
    return nullptr;
  }
  auto *node = c.program.make<RegionExpr>();
  node->kind = RegionExpr::Dims;
  node->rank = e.dims.size();
  node->range = e.range;
  node->text = writtenRegion(c, e.range);
  bool isWrong = false;
  for (const ast::Dim &dim : e.dims)
    isWrong |= !literalDim(c, dim, e.range, node->dims.emplace_back());
  return isWrong ? nullptr : withBlanks(c, *node);
}

/// `R at k` and `R by k` for an integer k: the direction is `[k]`.
static bool isStepOf(const Checking &c, const ast::RegionOp &e) {
  if (e.kind != ast::NodeKind::RegionAt && e.kind != ast::NodeKind::By)
    return false;
  auto *call = llvm::dyn_cast<ast::Call>(e.direction);
  if (call && !c.names.find(call->callee.text))
    return findPredeclared(call->callee.text) != nullptr;
  return isIntegral(designatedType(c, *e.direction));
}

static std::optional<DirectionExprs> stepDirection(Checking &c,
                                                   const ast::Expr &e) {
  const Expr *step = indexValue(c, e, "component of a direction");
  if (isError(step))
    return std::nullopt;
  return DirectionExprs{step};
}

static const RegionExpr *regionOp(Checking &c, const ast::RegionOp &e) {
  // What the direction's `{}` inherit comes from the region.
  bool isStep = isStepOf(c, e);
  const RegionExpr *base =
      checkRegion(c, *e.region, isStep ? 1 : directionRank(c, *e.direction));
  std::optional<DirectionExprs> components =
      isStep ? stepDirection(c, *e.direction)
             : directionFor(c, *e.direction, base, nullptr);
  if (!components || !base)
    return nullptr;
  if (components->size() != base->rank) {
    c.diags
        .report(e.direction->range, Diag::DirectionRank, components->size(),
                "a region", base->rank)
        .highlight(e.region->range);
    return nullptr;
  }
  auto *node = c.program.make<RegionExpr>();
  node->kind = e.kind == ast::NodeKind::Of         ? RegionExpr::Of
               : e.kind == ast::NodeKind::In       ? RegionExpr::In
               : e.kind == ast::NodeKind::RegionAt ? RegionExpr::At
                                                   : RegionExpr::By;
  node->rank = base->rank;
  node->base = base;
  node->direction = std::move(*components);
  node->range = e.range;
  node->text = writtenRegion(c, e.range);
  return node;
}

/// `region(A)`; of a part of an array's elements it is the array's.
static const RegionExpr *declaredRegion(Checking &c, const ast::RegionCall &e) {
  const Expr *named = checkPlace(c, *e.array);
  if (isError(named))
    return nullptr;
  auto *array = llvm::dyn_cast<ArrayExpr>(rootOf(named));
  if (!array || !array->direction.empty()) {
    c.diags.report(e.array->range, Diag::RegionOfValue).done();
    return nullptr;
  }
  auto *node = c.program.make<RegionExpr>();
  node->kind = RegionExpr::Declared;
  node->rank = array->array->rank;
  node->array = array->array;
  node->subscripts = array->subscripts;
  node->range = e.range;
  node->text = writtenRegion(c, e.range);
  return node;
}

std::optional<DirectionExprs> checkDirection(Checking &c, const ast::Expr &e) {
  if (auto *paren = llvm::dyn_cast<ast::Paren>(&e))
    return checkDirection(c, *paren->inner);
  if (auto *name = llvm::dyn_cast<ast::NameRef>(&e))
    return namedDirection(c, *name);
  if (auto *scaled = llvm::dyn_cast<ast::Scaledby>(&e))
    return scaledDirection(c, *scaled);
  if (kindOf(c, e) == Type::Direction && !llvm::isa<ast::List>(e)) {
    const Expr *place = valuePlace(c, e, Type::Direction);
    return place ? std::optional(directionOf(c, place)) : std::nullopt;
  }
  llvm::SmallVector<const ast::Expr *, 6> items;
  if (auto *list = llvm::dyn_cast<ast::List>(&e)) {
    items.assign(list->items.begin(), list->items.end());
  } else if (mayBeDirection(c, e)) {
    for (const ast::Dim &dim : llvm::cast<ast::RegionLit>(e).dims)
      items.push_back(dim.lo);
  } else {
    if (kindOf(c, e) == Type::Region || !isError(checkExpr(c, e)))
      c.diags.report(e.range, Diag::NotADirection).done();
    return std::nullopt;
  }
  if (items.size() > MaxRank) {
    c.diags.report(e.range, Diag::RankTooHigh, items.size(), MaxRank).done();
    return std::nullopt;
  }
  DirectionExprs components;
  bool isWrong = false;
  for (const ast::Expr *item : items) {
    components.push_back(indexValue(c, *item, "component of a direction"));
    isWrong |= isError(components.back());
  }
  if (isWrong)
    return std::nullopt;
  return components;
}

static std::optional<DirectionExprs> scaledDirection(Checking &c,
                                                     const ast::Scaledby &e) {
  std::optional<DirectionExprs> components = checkDirection(c, *e.direction);
  const Expr *factor = indexValue(c, *e.factor, "factor of a direction");
  if (!components || isError(factor))
    return std::nullopt;
  for (const Expr *&component : *components) {
    Type type = commonType(component->type, factor->type);
    component = c.build.binary(BinaryOp::Mul, c.build.cast(component, type),
                               c.build.cast(factor, type), e.range);
  }
  return components;
}

static std::optional<DirectionExprs> namedDirection(Checking &c,
                                                    const ast::NameRef &e) {
  Symbol *symbol = c.names.find(e.name);
  if (!symbol) {
    if (findPredeclared(e.name))
      c.diags.report(e.range, Diag::NotADirection).done();
    else
      c.names.reportUnknown(e.name, e.range);
    return std::nullopt;
  }
  auto *direction = llvm::dyn_cast<Direction>(symbol);
  if (!direction) {
    auto *variable = llvm::dyn_cast<Variable>(symbol);
    if (variable && variable->type == Type::Direction) {
      const Expr *place = valuePlace(c, e, Type::Direction);
      return place ? std::optional(directionOf(c, place)) : std::nullopt;
    }
    if (!variable || variable->type != Type::Error)
      c.diags
          .report(e.range, Diag::WrongKind, e.name, describe(*symbol),
                  "a direction")
          .note(symbol->range, Diag::DeclaredHere, e.name);
    return std::nullopt;
  }
  DirectionExprs components;
  for (unsigned d = 0; d != direction->rank(); ++d) {
    std::optional<int64_t> constant = direction->components[d].constant;
    if (constant)
      components.push_back(c.build.integer(*constant, Type::Longint, e.range));
    else
      components.push_back(
          c.program.make<ComponentExpr>(direction, d, e.range));
  }
  return components;
}

/// A replicated integer or longint.
static const Expr *indexValue(Checking &c, const ast::Expr &e,
                              llvm::StringRef what) {
  if (Type::Kind kind = kindOf(c, e); kind != Type::Error) {
    c.diags
        .report(e.range, Diag::NotAValue,
                kind == Type::Region ? "a region" : "a direction")
        .done();
    return c.build.error(e.range);
  }
  const Expr *value = checkScalar(c, e, what);
  if (isError(value))
    return value;
  if (!isIntegral(value->type)) {
    c.diags.report(e.range, Diag::IndexType, what, text(value->type)).done();
    return c.build.error(e.range);
  }
  return evaluatedFirst(c, c.build.cast(value, indexTypeOf(value->type)));
}

} // namespace zpl::sema
