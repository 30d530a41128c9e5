//===- ValueTypes.cpp - Types of regions and directions -------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     var R: region<.., *>;          -- a range and a flooded dimension
//         S: region = [1..n, 3];     -- region<.., .>, from the initializer
//         d: direction<+, 0, >;      -- positive, zero, anything
//     procedure f(r: region);        -- as many procedures as calls need
//
// The type of a region says of each dimension what is known of it at every
// time, so that loops over it and legality can count on it. A range may take a
// single index, which is a range then; all else must be as the type says. What
// a literal or a name brings is seen in the text alone: an untyped variable
// gets its type before its initializer is checked, which may need it.
//
// Cost: linear in the expression.
//
//===----------------------------------------------------------------------===//

#include "Types/ValueTypes.h"
#include "Check/Checking.h"
#include "Types/TypeExprs.h"
#include "Types/Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

namespace zpl::sema {

//===----------------------------------------------------------------------===//
// Types as written
//===----------------------------------------------------------------------===//

namespace {

/// The `region` or `direction` without components in a type, below indexed
/// arrays, or null.
const ast::TypeExpr *untypedPart(const ast::TypeExpr &type) {
  if (auto *array = llvm::dyn_cast<ast::IndexedArrayType>(&type))
    return untypedPart(*array->element);
  auto *region = llvm::dyn_cast<ast::RegionType>(&type);
  auto *direction = llvm::dyn_cast<ast::DirectionType>(&type);
  bool isUntyped = (region && region->components.empty()) ||
                   (direction && direction->components.empty());
  return isUntyped ? &type : nullptr;
}

/// What an initializer of a value or of all elements consists of: the first
/// item of a list.
const ast::Expr &firstItem(const ast::Expr &e) {
  auto *list = llvm::dyn_cast<ast::InitList>(&e);
  return list && !list->items.empty() ? firstItem(*list->items.front()) : e;
}

/// The name that a designator starts from; null: a call's.
const ast::NameRef *nameOf(const ast::Expr &e) {
  if (auto *subscript = llvm::dyn_cast<ast::Subscript>(&e))
    return nameOf(*subscript->base);
  if (auto *field = llvm::dyn_cast<ast::Field>(&e))
    return nameOf(*field->base);
  if (auto *multi = llvm::dyn_cast<ast::Multi>(&e))
    return nameOf(*multi->base);
  return llvm::dyn_cast<ast::NameRef>(&e);
}

TypeComponent componentType(const ast::DirectionComponent &component) {
  switch (component.kind) {
  case ast::DirectionComponent::Unknown:
    return {};
  case ast::DirectionComponent::Plus:
    return {TypeComponent::Plus, 0};
  case ast::DirectionComponent::Minus:
    return {TypeComponent::Minus, 0};
  case ast::DirectionComponent::Value:
    return {TypeComponent::Value, component.value};
  }
  llvm_unreachable("component");
}

} // namespace

static Type untypedType(Checking &c, const ast::TypeExpr &type,
                        Type::Kind kind);
static std::optional<Shape> shapeFrom(const Checking &c, const ast::Expr &e);
static bool isZeroComponent(const Checking &c, const ast::Expr &direction,
                            unsigned dim);

Type regionType(Checking &c, const ast::RegionType &type) {
  if (type.components.empty())
    return untypedType(c, type, Type::Region);
  if (type.components.size() > MaxRank) {
    c.diags
        .report(type.range, Diag::RankTooHigh, type.components.size(), MaxRank)
        .done();
    return Type::Error;
  }
  Shape shape;
  for (ast::RegionComponent component : type.components)
    switch (component) {
    case ast::RegionComponent::Unknown:
    case ast::RegionComponent::Range:
      shape.push_back(DimKind::Strided);
      break;
    case ast::RegionComponent::Single:
      shape.push_back(DimKind::Singleton);
      break;
    case ast::RegionComponent::Flood:
      shape.push_back(DimKind::Flood);
      break;
    case ast::RegionComponent::Grid:
      shape.push_back(DimKind::Grid);
      break;
    }
  return c.types.region(shape);
}

Type directionType(Checking &c, const ast::DirectionType &type) {
  if (type.components.empty())
    return untypedType(c, type, Type::Direction);
  if (type.components.size() > MaxRank) {
    c.diags
        .report(type.range, Diag::RankTooHigh, type.components.size(), MaxRank)
        .done();
    return Type::Error;
  }
  llvm::SmallVector<TypeComponent, 6> components;
  for (const ast::DirectionComponent &component : type.components)
    components.push_back(componentType(component));
  return c.types.direction(components);
}

/// `region` or `direction`: the type of the argument in a parameter, that of
/// the initializer in a variable.
static Type untypedType(Checking &c, const ast::TypeExpr &type,
                        Type::Kind kind) {
  bool isRegion = kind == Type::Region;
  if (c.writtenType.generic && *c.writtenType.generic == kind)
    return *c.writtenType.generic;
  if (c.writtenType.generic)
    return isRegion ? c.types.region({}) : c.types.direction({});
  if (c.writtenType.init) {
    Type found = typeFrom(c, firstItem(*c.writtenType.init), kind);
    if (found == kind)
      return found;
    // What is wrong with it is told where it is checked.
    if (kindOf(c, firstItem(*c.writtenType.init)) != kind) {
      c.diags
          .report(c.writtenType.init->range,
                  isRegion ? Diag::NotARegion : Diag::NotADirection)
          .done();
      return Type::Error;
    }
  }
  c.diags
      .report(type.range, Diag::UntypedValue, isRegion ? "region" : "direction",
              isRegion ? "region<.., *>" : "direction<+, 0>")
      .done();
  return Type::Error;
}

Type initializedType(Checking &c, const ast::TypeExpr &type,
                     const ast::Expr *init) {
  const ast::Expr *outer = std::exchange(c.writtenType.init, init);
  Type made = valueType(c, type);
  c.writtenType.init = outer;
  return made;
}

Type resultValueType(Checking &c, const ast::TypeExpr &type) {
  if (const ast::TypeExpr *untyped = untypedPart(type)) {
    bool isRegion = llvm::isa<ast::RegionType>(untyped);
    c.diags
        .report(untyped->range, Diag::UntypedValue,
                isRegion ? "region" : "direction",
                isRegion ? "region<.., *>" : "direction<+, 0>")
        .done();
    return Type::Error;
  }
  return valueType(c, type);
}

bool isUntyped(Type type) {
  type = innermostElement(type);
  return (type == Type::Region || type == Type::Direction) &&
         type.info()->storage == Type::Error;
}

unsigned rankOf(Type type) {
  return type == Type::Region ? type.info()->shape.size()
                              : type.info()->components.size();
}

bool isAssignable(Type from, Type to) {
  if (from.kind() != to.kind() || rankOf(from) != rankOf(to))
    return false;
  return from == Type::Direction ||
         llvm::all_of(llvm::zip(from.info()->shape, to.info()->shape),
                      [](auto pair) {
                        return holds(std::get<1>(pair), std::get<0>(pair));
                      });
}

bool holds(DimKind type, DimKind value) {
  return type == value || (type == DimKind::Strided &&
                           (isRange(value) || value == DimKind::Singleton));
}

//===----------------------------------------------------------------------===//
// Types in the text
//===----------------------------------------------------------------------===//

Type designatedType(const Checking &c, const ast::Expr &e) {
  if (auto *name = llvm::dyn_cast<ast::NameRef>(&e)) {
    auto *variable = llvm::dyn_cast_or_null<Variable>(c.names.find(name->name));
    return variable ? variable->type : Type(Type::Error);
  }
  if (auto *call = llvm::dyn_cast<ast::Call>(&e)) {
    llvm::ArrayRef<Symbol *> overloads = c.names.overloads(call->callee.text);
    auto *procedure = overloads.empty()
                          ? nullptr
                          : llvm::dyn_cast<Procedure>(overloads.front());
    return procedure && procedure->resultRank == 0 ? procedure->result
                                                   : Type(Type::Error);
  }
  if (auto *field = llvm::dyn_cast<ast::Field>(&e)) {
    Type base = designatedType(c, *field->base);
    if (base == Type::Record || base == Type::Union)
      for (const TypeField &known : base.info()->fields)
        if (known.name == field->name.text)
          return known.type;
    return Type::Error;
  }
  if (auto *multi = llvm::dyn_cast<ast::Multi>(&e)) {
    Type base = designatedType(c, *multi->base);
    return base == Type::Array ? base.info()->element : Type(Type::Error);
  }
  llvm::SmallVector<const ast::Subscript *, 2> brackets;
  const ast::Expr *base = &e;
  while (auto *subscript = llvm::dyn_cast<ast::Subscript>(base)) {
    brackets.push_back(subscript);
    base = subscript->base;
  }
  if (brackets.empty())
    return Type::Error;
  Type type = designatedType(c, *base);
  size_t waiting = 0;
  for (const ast::Subscript *bracket : llvm::reverse(brackets)) {
    waiting += bracket->indices.size();
    while (type == Type::Array &&
           (bracket->indices.empty() || waiting >= type.info()->lo.size())) {
      waiting -= bracket->indices.empty() ? 0 : type.info()->lo.size();
      type = type.info()->element;
      if (bracket->indices.empty())
        break;
    }
  }
  return waiting == 0 ? type : Type(Type::Error);
}

Type::Kind kindOf(const Checking &c, const ast::Expr &e) {
  if (auto *paren = llvm::dyn_cast<ast::Paren>(&e))
    return kindOf(c, *paren->inner);
  if (auto *name = llvm::dyn_cast<ast::NameRef>(&e)) {
    Symbol *symbol = c.names.find(name->name);
    if (llvm::isa_and_nonnull<Region>(symbol))
      return Type::Region;
    if (llvm::isa_and_nonnull<Direction>(symbol))
      return Type::Direction;
  }
  if (llvm::isa<ast::List, ast::Scaledby>(e))
    return Type::Direction;
  if (ast::isRegionSyntax(&e))
    return Type::Region;
  Type type = designatedType(c, e);
  return type == Type::Region || type == Type::Direction
             ? type.kind()
             : Type::Kind(Type::Error);
}

bool isRegion(const Checking &c, const ast::Expr &e) {
  return kindOf(c, e) == Type::Region;
}

bool mayBeDirection(const Checking &c, const ast::Expr &e) {
  auto *literal = llvm::dyn_cast<ast::RegionLit>(&e);
  return literal && llvm::all_of(literal->dims, [&](const ast::Dim &dim) {
           return dim.kind == ast::Dim::Single &&
                  kindOf(c, *dim.lo) == Type::Error;
         });
}

Type typeFrom(Checking &c, const ast::Expr &e, Type::Kind kind) {
  if (kind == Type::Region) {
    std::optional<Shape> shape = shapeFrom(c, e);
    return shape ? c.types.region(*shape) : Type(Type::Error);
  }
  unsigned rank = directionRank(c, e);
  if (rank == 0)
    return Type::Error;
  Type type = designatedType(c, e);
  return type == Type::Direction
             ? type
             : c.types.direction(llvm::SmallVector<TypeComponent, 6>(rank));
}

unsigned directionRank(const Checking &c, const ast::Expr &e) {
  if (auto *paren = llvm::dyn_cast<ast::Paren>(&e))
    return directionRank(c, *paren->inner);
  if (auto *scaled = llvm::dyn_cast<ast::Scaledby>(&e))
    return directionRank(c, *scaled->direction);
  size_t rank = 0;
  if (auto *list = llvm::dyn_cast<ast::List>(&e))
    rank = list->items.size();
  else if (mayBeDirection(c, e))
    rank = llvm::cast<ast::RegionLit>(e).dims.size();
  else if (auto *name = llvm::dyn_cast<ast::NameRef>(&e))
    if (auto *direction =
            llvm::dyn_cast_or_null<Direction>(c.names.find(name->name)))
      return direction->rank();
  Type type = designatedType(c, e);
  if (type == Type::Direction)
    rank = rankOf(type);
  return rank > MaxRank ? 0 : rank;
}

/// The kinds of the dimensions, with Strided for all ranges; none if they are
/// not known.
static std::optional<Shape> shapeFrom(const Checking &c, const ast::Expr &e) {
  Shape shape;
  if (auto *paren = llvm::dyn_cast<ast::Paren>(&e))
    return shapeFrom(c, *paren->inner);
  if (auto *name = llvm::dyn_cast<ast::NameRef>(&e))
    if (auto *region = llvm::dyn_cast_or_null<Region>(c.names.find(name->name)))
      shape = region->shape;
  if (Type type = designatedType(c, e); type == Type::Region)
    shape = type.info()->shape;
  if (auto *literal = llvm::dyn_cast<ast::RegionLit>(&e)) {
    if (literal->dims.size() == 1 &&
        literal->dims[0].kind == ast::Dim::Single &&
        isRegion(c, *literal->dims[0].lo))
      return shapeFrom(c, *literal->dims[0].lo);
    for (const ast::Dim &dim : literal->dims)
      shape.push_back(dim.kind == ast::Dim::Single  ? DimKind::Singleton
                      : dim.kind == ast::Dim::Flood ? DimKind::Flood
                      : dim.kind == ast::Dim::Grid  ? DimKind::Grid
                                                    : DimKind::Strided);
  }
  if (auto *operation = llvm::dyn_cast<ast::RegionOp>(&e)) {
    std::optional<Shape> base = shapeFrom(c, *operation->region);
    bool isSide = llvm::isa<ast::RegionOp>(e) &&
                  (e.kind == ast::NodeKind::Of || e.kind == ast::NodeKind::In);
    if (!base || !isSide)
      return base;
    shape = *base;
    for (unsigned d = 0; d != shape.size(); ++d)
      if (shape[d] == DimKind::Singleton &&
          !isZeroComponent(c, *operation->direction, d))
        shape[d] = DimKind::Strided;
  }
  if (auto *operation = llvm::dyn_cast<ast::UserRegionOp>(&e))
    return shapeFrom(c, *operation->region);
  if (auto *sparse = llvm::dyn_cast<ast::Where>(&e))
    return shapeFrom(c, *sparse->region);
  if (auto *call = llvm::dyn_cast<ast::RegionCall>(&e))
    if (const ast::NameRef *name = nameOf(*call->array))
      if (auto *array = llvm::dyn_cast_or_null<Array>(c.names.find(name->name)))
        shape = Shape(array->rank, DimKind::Strided);
  if (shape.empty() || shape.size() > MaxRank)
    return std::nullopt;
  for (DimKind &kind : shape)
    if (kind == DimKind::Range)
      kind = DimKind::Strided;
  return shape;
}

/// Whether component \p dim of a direction is written as 0.
static bool isZeroComponent(const Checking &c, const ast::Expr &direction,
                            unsigned dim) {
  const ast::Expr *component = nullptr;
  if (auto *paren = llvm::dyn_cast<ast::Paren>(&direction))
    return isZeroComponent(c, *paren->inner, dim);
  if (auto *list = llvm::dyn_cast<ast::List>(&direction))
    component = dim < list->items.size() ? list->items[dim] : nullptr;
  if (auto *literal = llvm::dyn_cast_or_null<ast::IntLiteral>(component))
    return literal->value == 0;
  if (auto *name = llvm::dyn_cast<ast::NameRef>(&direction))
    if (auto *named =
            llvm::dyn_cast_or_null<Direction>(c.names.find(name->name)))
      return dim < named->rank() && named->components[dim].constant == 0;
  Type type = designatedType(c, direction);
  return type == Type::Direction && dim < rankOf(type) &&
         type.info()->components[dim] == TypeComponent{TypeComponent::Value, 0};
}

} // namespace zpl::sema
