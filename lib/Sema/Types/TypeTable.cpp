//===- TypeTable.cpp - Makes the types of a program -----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     config var n: integer = 100;
//     type row = array [1..n] of double;
//     var t: array [0..3] of array [1..n] of double;
//
// `row` and the elements of t are one type. Its lower bound is the constant 1,
// its upper bound a hidden variable whose initializer is n, set directly after
// n. Types are found by a key of numbers: the element, then per dimension the
// bounds and the index type. Bounds are found by a text that spells out their
// expression with symbols by address; an expression that calls something has
// none, so it gets a variable of its own. So do values that may change during
// the call whose local such a bound is, `var w: array [1..n] of double` in a
// procedure with `in n: integer`.
//
// Cost: logarithmic per type, linear per bound.
//
//===----------------------------------------------------------------------===//

#include "Types/TypeTable.h"

#include "Tree/Walk.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace zpl::sema {

namespace {

void addKey(std::vector<uint64_t> &key, Type type) {
  key.push_back(type.kind());
  key.push_back(reinterpret_cast<uintptr_t>(type.info()));
}

void addKey(std::vector<uint64_t> &key, TypeBound bound) {
  key.push_back(bound.value);
  key.push_back(reinterpret_cast<uintptr_t>(bound.variable));
}

/// Spells out an expression; false: it cannot be shared.
bool spell(const Expr &e, llvm::raw_ostream &os) {
  os << '(' << static_cast<unsigned>(e.kind) << ':'
     << static_cast<unsigned>(e.type.kind());
  switch (e.kind) {
  case ExprKind::Literal:
    os << '=' << llvm::cast<LiteralExpr>(e).integer;
    break;
  case ExprKind::Variable:
    os << '@' << llvm::cast<VariableExpr>(e).variable;
    break;
  case ExprKind::Unary:
    os << static_cast<unsigned>(llvm::cast<UnaryExpr>(e).op);
    break;
  case ExprKind::Binary:
    os << static_cast<unsigned>(llvm::cast<BinaryExpr>(e).op);
    break;
  case ExprKind::Field:
    os << '.' << llvm::cast<FieldExpr>(e).field;
    break;
  case ExprKind::Cast:
  case ExprKind::Subscript:
  case ExprKind::Processors:
    break;
  case ExprKind::GridPlace:
  case ExprKind::Component:
  case ExprKind::Array:
  case ExprKind::Index:
  case ExprKind::Compare:
  case ExprKind::Fma:
  case ExprKind::Math:
  case ExprKind::Call:
  case ExprKind::Reduce:
  case ExprKind::Flood:
  case ExprKind::Scan:
  case ExprKind::Gather:
  case ExprKind::EnclosingMask:
  case ExprKind::RegionBound:
  case ExprKind::Timer:
  case ExprKind::Complex:
  case ExprKind::Builtin:
  case ExprKind::Irv:
  case ExprKind::Pattern:
  case ExprKind::Inside:
  case ExprKind::RegionValue:
  case ExprKind::DirectionValue:
    return false;
  }
  bool isFine = true;
  forEachOperand(e, [&](const Expr &part) { isFine &= spell(part, os); });
  os << ')';
  return isFine;
}

} // namespace

Type TypeTable::array(Type element, llvm::ArrayRef<DimType> dims,
                      llvm::StringRef text, Type::Kind holds) {
  std::vector<uint64_t> key = {static_cast<uint64_t>(holds)};
  addKey(key, element);
  for (const DimType &dim : dims) {
    addKey(key, dim.lo);
    addKey(key, dim.hi);
    addKey(key, dim.index);
  }
  const TypeInfo *&known = arrays[std::move(key)];
  if (known)
    return known;
  auto *info = program.make<TypeInfo>();
  info->kind = Type::Array;
  info->element = element;
  info->boundsText = text.str();
  info->holds = holds;
  for (const DimType &dim : dims) {
    info->lo.push_back(dim.lo);
    info->hi.push_back(dim.hi);
    info->index.push_back(dim.index);
  }
  known = info;
  return known;
}

/// An array type of longints, with the index ranges 0..extent-1.
Type TypeTable::storage(llvm::ArrayRef<int64_t> extents, Type::Kind holds) {
  llvm::SmallVector<DimType, 2> dims;
  std::string text;
  for (int64_t extent : extents) {
    dims.push_back({{0, nullptr}, {extent - 1, nullptr}});
    text += llvm::formatv("{0}0..{1}", text.empty() ? "" : ", ", extent - 1);
  }
  return array(Type::Longint, dims, text, holds);
}

Type TypeTable::region(const Shape &shape) {
  std::vector<uint64_t> key;
  for (DimKind kind : shape)
    key.push_back(static_cast<uint64_t>(kind));
  TypeInfo *&known = regions[std::move(key)];
  if (known)
    return known;
  auto *info = program.make<TypeInfo>();
  info->kind = Type::Region;
  info->shape = shape;
  if (!shape.empty())
    info->storage =
        storage({static_cast<int64_t>(shape.size()) + 1, 4}, Type::Region);
  known = info;
  return known;
}

void TypeTable::setSparse(Type type) {
  for (auto &[key, info] : regions)
    if (info == type.info())
      info->isSparse = true;
}

Type TypeTable::direction(llvm::ArrayRef<TypeComponent> components) {
  std::vector<uint64_t> key;
  for (const TypeComponent &component : components) {
    key.push_back(component.kind);
    key.push_back(component.value);
  }
  const TypeInfo *&known = directions[std::move(key)];
  if (known)
    return known;
  auto *info = program.make<TypeInfo>();
  info->kind = Type::Direction;
  info->components.assign(components.begin(), components.end());
  if (!components.empty())
    info->storage =
        storage({static_cast<int64_t>(components.size())}, Type::Direction);
  known = info;
  return known;
}

TypeBound TypeTable::bound(const Expr *value) {
  if (auto *literal = llvm::dyn_cast<LiteralExpr>(value))
    return {literal->integer, nullptr};
  std::string key;
  llvm::raw_string_ostream os(key);
  bool isShared = spell(*value, os);
  Variable *&known = bounds[isShared ? key : std::string()];
  if (known && isShared)
    return {0, known};
  auto *variable = program.make<Variable>(
      llvm::formatv("bound.{0}", boundVariables.size() + 1).str(),
      value->range);
  variable->type = Type::Longint;
  variable->isConst = true;
  variable->isHidden = true;
  variable->init = value;
  boundVariables.push_back(variable);
  known = variable;
  return {0, variable};
}

TypeBound TypeTable::entryBound(const Expr *value, Procedure &owner,
                                bool isFixed) {
  std::string key;
  llvm::raw_string_ostream os(key);
  os << '#' << &owner;
  bool isShared = isFixed && spell(*value, os);
  Variable *&known = bounds[isShared ? key : std::string()];
  if (known && isShared)
    return {0, known};
  auto *variable = program.make<Variable>(
      llvm::formatv("bound.{0}", owner.locals.size() + 1).str(), value->range);
  variable->type = Type::Longint;
  variable->storage = Storage::Local;
  variable->isConst = true;
  variable->isHidden = true;
  variable->isFree = owner.isFree;
  variable->init = value;
  owner.locals.push_back(variable);
  known = variable;
  return {0, variable};
}

Type TypeTable::growable(Type element, llvm::ArrayRef<Variable *> highs) {
  auto *info = program.make<TypeInfo>();
  info->kind = Type::Array;
  info->element = element;
  info->isGrowable = true;
  for (Variable *high : highs) {
    info->boundsText += info->lo.empty() ? "" : ", ";
    info->lo.push_back({1, nullptr});
    info->hi.push_back({0, high});
    info->index.push_back(Type::Integer);
  }
  return info;
}

void TypeTable::placeBounds() {
  if (boundVariables.empty())
    return;
  llvm::DenseMap<const Symbol *, size_t> places;
  for (size_t i = 0; i != program.globals.size(); ++i)
    places[program.globals[i]] = i + 1;
  std::vector<std::vector<Symbol *>> after(program.globals.size() + 1);
  for (Variable *bound : boundVariables) {
    size_t place = 0;
    forEachExpr(*bound->init, [&](const Expr &e) {
      if (auto *used = llvm::dyn_cast<VariableExpr>(&e))
        place = std::max(place, places.lookup(used->variable));
    });
    after[place].push_back(bound);
  }
  std::vector<Symbol *> all = std::move(after[0]);
  for (size_t i = 0; i != program.globals.size(); ++i) {
    all.push_back(program.globals[i]);
    all.insert(all.end(), after[i + 1].begin(), after[i + 1].end());
  }
  program.globals = std::move(all);
}

uint64_t TypeTable::sizeOf(Type type) {
  if (!type.isAggregate())
    return uint64_t(scalarBytes(type));
  const TypeInfo &info = *type.info();
  if (info.storage != Type::Error)
    return sizeOf(info.storage);
  uint64_t size = 0;
  for (const TypeField &field : info.fields)
    size = info.kind == Type::Union
               ? std::max(size, sizeOf(field.type))
               : llvm::SaturatingAdd(size, sizeOf(field.type));
  if (info.kind != Type::Array)
    return size;
  size = sizeOf(info.element);
  for (size_t d = 0; d != info.lo.size(); ++d) {
    bool isKnown = !info.lo[d].variable && !info.hi[d].variable;
    uint64_t extent = 0;
    if (isKnown && info.lo[d].value <= info.hi[d].value)
      extent = llvm::SaturatingAdd<uint64_t>(
          static_cast<uint64_t>(info.hi[d].value) -
              static_cast<uint64_t>(info.lo[d].value),
          1);
    size = llvm::SaturatingMultiply(size, extent);
  }
  return size;
}

bool matchBounds(Type formal, Type argument,
                 llvm::function_ref<bool(TypeBound, TypeBound)> visit) {
  if (formal != Type::Array || argument != Type::Array)
    return formal == argument;
  const TypeInfo &f = *formal.info(), &a = *argument.info();
  if (f.lo.size() != a.lo.size())
    return false;
  for (size_t d = 0; d != f.lo.size(); ++d) {
    bool isBlank =
        f.lo[d].variable && f.lo[d].variable->storage == Storage::Param;
    if (!isBlank && f.index[d] != a.index[d])
      return false;
    if (!visit(f.lo[d], a.lo[d]) || !visit(f.hi[d], a.hi[d]))
      return false;
  }
  return matchBounds(f.element, a.element, visit);
}

} // namespace zpl::sema
