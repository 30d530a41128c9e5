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

#include "Check/Checker.h"
#include "Check/FirstValues.h"
#include "Tree/Walk.h"
#include "Types/Types.h"
#include "llvm/Support/ErrorHandling.h"

namespace zpl::sema {

const RegionExpr *Checker::region(const ast::Expr &e, unsigned quoteRank) {
  switch (e.kind) {
  case ast::NodeKind::Paren:
    return region(*llvm::cast<ast::Paren>(e).inner, quoteRank);
  case ast::NodeKind::NameRef:
    return namedRegion(llvm::cast<ast::NameRef>(e));
  case ast::NodeKind::RegionLit: {
    auto &literal = llvm::cast<ast::RegionLit>(e);
    if (literal.dims.size() == 1 && literal.dims[0].kind == ast::Dim::Single &&
        isRegion(*literal.dims[0].lo))
      return region(*literal.dims[0].lo, quoteRank);
    return regionLiteral(literal);
  }
  case ast::NodeKind::Quote:
    return quotedRegion(e, quoteRank);
  case ast::NodeKind::Of:
  case ast::NodeKind::In:
  case ast::NodeKind::RegionAt:
  case ast::NodeKind::By:
    return regionOp(llvm::cast<ast::RegionOp>(e));
  case ast::NodeKind::UserRegionOp:
    return userRegionOp(llvm::cast<ast::UserRegionOp>(e));
  case ast::NodeKind::Mask:
    diags
        .report(e.range, Diag::MaskPlace,
                ast::text(llvm::cast<ast::Mask>(e).flavor))
        .done();
    return nullptr;
  case ast::NodeKind::Where:
    return laterRegion(e, "a sparse region ('where')");
  case ast::NodeKind::RegionCall:
    return declaredRegion(llvm::cast<ast::RegionCall>(e));
  case ast::NodeKind::List:
  case ast::NodeKind::Scaledby:
    diags.report(e.range, Diag::NotARegion).done();
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
  case ast::NodeKind::Unary:
  case ast::NodeKind::Binary:
  case ast::NodeKind::At:
  case ast::NodeKind::Remap:
  case ast::NodeKind::Flood:
  case ast::NodeKind::Reduce:
  case ast::NodeKind::Scan:
  case ast::NodeKind::Inside:
  case ast::NodeKind::InitList:
    if (kindOf(e) == Type::Region) {
      const Expr *place = valuePlace(e, Type::Region);
      return place ? regionOf(place) : nullptr;
    }
    if (kindOf(e) == Type::Direction || !isError(expr(e)))
      diags.report(e.range, Diag::NotARegion).done();
    return nullptr;
  }
  llvm_unreachable("expression");
}

const RegionExpr *Checker::laterRegion(const ast::Expr &e,
                                       llvm::StringRef what) {
  notSupported(e.range, what);
  return nullptr;
}

const RegionExpr *Checker::quotedRegion(const ast::Expr &e,
                                        unsigned quoteRank) {
  if (quoteRank == 0 || !mayInherit) {
    diags.report(e.range, Diag::NothingToInherit, "a quote").done();
    return nullptr;
  }
  auto *node = program.make<RegionExpr>();
  node->kind = RegionExpr::Quote;
  node->rank = quoteRank;
  node->range = e.range;
  node->text = diags.sources().text(e.range).str();
  return node;
}

const RegionExpr *Checker::namedRegion(const ast::NameRef &e) {
  Symbol *symbol = names.find(e.name);
  if (!symbol) {
    if (findPredeclared(e.name))
      diags.report(e.range, Diag::NotARegion).done();
    else
      names.reportUnknown(e.name, e.range);
    return nullptr;
  }
  auto *region = llvm::dyn_cast<Region>(symbol);
  if (!region) {
    auto *variable = llvm::dyn_cast<Variable>(symbol);
    if (variable && variable->type == Type::Region) {
      const Expr *place = valuePlace(e, Type::Region);
      return place ? regionOf(place) : nullptr;
    }
    if (!variable || variable->type != Type::Error)
      diags
          .report(e.range, Diag::WrongKind, e.name, describe(*symbol),
                  "a region")
          .note(symbol->range, Diag::DeclaredHere, e.name);
    return nullptr;
  }
  auto *node = program.make<RegionExpr>();
  node->kind = RegionExpr::Ref;
  node->rank = region->rank();
  node->region = region;
  node->range = e.range;
  return node;
}

const RegionExpr *Checker::regionLiteral(const ast::RegionLit &e) {
  if (e.dims.size() > MaxRank) {
    diags.report(e.range, Diag::RankTooHigh, e.dims.size(), MaxRank).done();
    return nullptr;
  }
  auto *node = program.make<RegionExpr>();
  node->kind = RegionExpr::Dims;
  node->rank = e.dims.size();
  node->range = e.range;
  node->text = diags.sources().text(e.range).str();
  bool isWrong = false;
  auto bound = [&](const ast::Expr *value) {
    const Expr *checked = indexValue(*value, "bound of a region");
    isWrong |= isError(checked);
    return checked;
  };
  for (const ast::Dim &dim : e.dims) {
    RegionDim made;
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
      if (mayInherit)
        break;
      diags
          .report(dim.range.isValid() ? dim.range : e.range,
                  Diag::NothingToInherit, "a blank dimension")
          .done();
      isWrong = true;
      break;
    }
    node->dims.push_back(made);
  }
  return isWrong ? nullptr : node;
}

const RegionExpr *Checker::regionOp(const ast::RegionOp &e) {
  // What the direction's `{}` inherit comes from the region.
  const RegionExpr *base = region(*e.region, directionRank(*e.direction));
  std::optional<DirectionExprs> components =
      directionFor(*e.direction, base, nullptr);
  if (!components || !base)
    return nullptr;
  if (components->size() != base->rank) {
    diags
        .report(e.direction->range, Diag::DirectionRank, components->size(),
                "a region", base->rank)
        .highlight(e.region->range);
    return nullptr;
  }
  auto *node = program.make<RegionExpr>();
  node->kind = e.kind == ast::NodeKind::Of         ? RegionExpr::Of
               : e.kind == ast::NodeKind::In       ? RegionExpr::In
               : e.kind == ast::NodeKind::RegionAt ? RegionExpr::At
                                                   : RegionExpr::By;
  node->rank = base->rank;
  node->base = base;
  node->direction = std::move(*components);
  node->range = e.range;
  node->text = diags.sources().text(e.range).str();
  return node;
}

/// `region(A)`; of a part of an array's elements it is the array's.
const RegionExpr *Checker::declaredRegion(const ast::RegionCall &e) {
  const Expr *named = place(*e.array);
  if (isError(named))
    return nullptr;
  auto *array = llvm::dyn_cast<ArrayExpr>(rootOf(named));
  if (!array || !array->direction.empty()) {
    diags.report(e.array->range, Diag::RegionOfValue).done();
    return nullptr;
  }
  auto *node = program.make<RegionExpr>();
  node->kind = RegionExpr::Declared;
  node->rank = array->array->rank;
  node->array = array->array;
  node->subscripts = array->subscripts;
  node->range = e.range;
  node->text = diags.sources().text(e.range).str();
  return node;
}

std::optional<DirectionExprs> Checker::direction(const ast::Expr &e) {
  if (auto *paren = llvm::dyn_cast<ast::Paren>(&e))
    return direction(*paren->inner);
  if (auto *name = llvm::dyn_cast<ast::NameRef>(&e))
    return namedDirection(*name);
  if (auto *scaled = llvm::dyn_cast<ast::Scaledby>(&e))
    return scaledDirection(*scaled);
  if (kindOf(e) == Type::Direction && !llvm::isa<ast::List>(e)) {
    const Expr *place = valuePlace(e, Type::Direction);
    return place ? std::optional(directionOf(place)) : std::nullopt;
  }
  llvm::SmallVector<const ast::Expr *, 6> items;
  if (auto *list = llvm::dyn_cast<ast::List>(&e)) {
    items.assign(list->items.begin(), list->items.end());
  } else if (mayBeDirection(e)) {
    for (const ast::Dim &dim : llvm::cast<ast::RegionLit>(e).dims)
      items.push_back(dim.lo);
  } else {
    if (kindOf(e) == Type::Region || !isError(expr(e)))
      diags.report(e.range, Diag::NotADirection).done();
    return std::nullopt;
  }
  if (items.size() > MaxRank) {
    diags.report(e.range, Diag::RankTooHigh, items.size(), MaxRank).done();
    return std::nullopt;
  }
  DirectionExprs components;
  bool isWrong = false;
  for (const ast::Expr *item : items) {
    components.push_back(indexValue(*item, "component of a direction"));
    isWrong |= isError(components.back());
  }
  if (isWrong)
    return std::nullopt;
  return components;
}

std::optional<DirectionExprs> Checker::scaledDirection(const ast::Scaledby &e) {
  std::optional<DirectionExprs> components = direction(*e.direction);
  const Expr *factor = indexValue(*e.factor, "factor of a direction");
  if (!components || isError(factor))
    return std::nullopt;
  for (const Expr *&component : *components) {
    Type type = commonType(component->type, factor->type);
    component = build.binary(BinaryOp::Mul, build.cast(component, type),
                             build.cast(factor, type), e.range);
  }
  return components;
}

std::optional<DirectionExprs> Checker::namedDirection(const ast::NameRef &e) {
  Symbol *symbol = names.find(e.name);
  if (!symbol) {
    if (findPredeclared(e.name))
      diags.report(e.range, Diag::NotADirection).done();
    else
      names.reportUnknown(e.name, e.range);
    return std::nullopt;
  }
  auto *direction = llvm::dyn_cast<Direction>(symbol);
  if (!direction) {
    auto *variable = llvm::dyn_cast<Variable>(symbol);
    if (variable && variable->type == Type::Direction) {
      const Expr *place = valuePlace(e, Type::Direction);
      return place ? std::optional(directionOf(place)) : std::nullopt;
    }
    if (!variable || variable->type != Type::Error)
      diags
          .report(e.range, Diag::WrongKind, e.name, describe(*symbol),
                  "a direction")
          .note(symbol->range, Diag::DeclaredHere, e.name);
    return std::nullopt;
  }
  DirectionExprs components;
  for (unsigned d = 0; d != direction->rank(); ++d) {
    std::optional<int64_t> constant = direction->components[d].constant;
    if (constant)
      components.push_back(build.integer(*constant, Type::Longint, e.range));
    else
      components.push_back(program.make<ComponentExpr>(direction, d, e.range));
  }
  return components;
}

/// A replicated integer or longint.
const Expr *Checker::indexValue(const ast::Expr &e, llvm::StringRef what) {
  if (Type::Kind kind = kindOf(e); kind != Type::Error) {
    diags
        .report(e.range, Diag::NotAValue,
                kind == Type::Region ? "a region" : "a direction")
        .done();
    return build.error(e.range);
  }
  const Expr *value = scalar(e, what);
  if (isError(value))
    return value;
  if (!isIntegral(value->type)) {
    diags.report(e.range, Diag::IndexType, what, text(value->type)).done();
    return build.error(e.range);
  }
  return evaluatedFirst(*this, build.cast(value, indexTypeOf(value->type)));
}

} // namespace zpl::sema
