//===- Types.cpp - The language's types in the array IR -------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     type point = record x, y: double; end;
//     var path: array [1..n] of point;
//
// becomes
//
//     type @point = record "point" { x: f64, y: f64 }
//     var @path : array[1..@n.1] of @point heap
//
// Declared types are made when they are first used, what they consist of before
// them. Array types are written in full; a bound that is no constant is the
// variable that Sema made for it: a global, or a parameter of the procedure, so
// that the same type of the program is another one in each instance.
//
// Variables whose size only a run knows live on the heap, and so do large ones:
// locals because the stack has a few MiB, globals because programs whose data
// exceed 2 GiB do not link.
//
//===----------------------------------------------------------------------===//

#include "Types.h"
#include "Expressions.h"
#include "Procedure.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace zpl::arraygen {

/// The kind in the array IR of a type without a TypeInfo.
static air::Type::Kind simpleKind(sema::Type::Kind kind) {
  switch (kind) {
#define ZPL_NAMED_TYPE(Kind, word, bytes, Air, Foreign)                        \
  case sema::Type::Kind:                                                       \
    return air::Type::Air;
#include "zpl/Sema/Kinds.def"
  case sema::Type::Void:
    return air::Type::Void;
  case sema::Type::Error:
  case sema::Type::Generic:
  case sema::Type::Enum:
  case sema::Type::Opaque:
  case sema::Type::Record:
  case sema::Type::Union:
  case sema::Type::Array:
  case sema::Type::Region:
  case sema::Type::Direction:
    break;
  }
  llvm_unreachable("a checked program has no such type here");
}

static air::Type::Kind namedKind(sema::Type::Kind kind) {
  return kind == sema::Type::Enum     ? air::Type::Enum
         : kind == sema::Type::Opaque ? air::Type::Opaque
         : kind == sema::Type::Record ? air::Type::Record
                                      : air::Type::Union;
}

air::Type ModuleBuilder::convert(sema::Type type, const SymbolMap *locals) {
  if (type.kind() < sema::Type::Enum)
    return simpleKind(type);
  if (type == sema::Type::Region || type == sema::Type::Direction)
    type = type.info()->storage;
  if (type == sema::Type::Array)
    return convertArray(*type.info(), locals);
  auto known = types.find(type.info());
  return known != types.end() ? known->second : convertNamed(*type.info());
}

air::Type ModuleBuilder::convertArray(const sema::TypeInfo &info,
                                      const SymbolMap *locals) {
  auto bound = [&](const sema::TypeBound &source) {
    air::Bound made;
    made.value = source.value;
    if (!source.variable)
      return made;
    if (locals)
      made.variable = locals->variables.lookup(source.variable);
    if (!made.variable)
      made.variable = globals.variables.lookup(source.variable);
    assert(made.variable && "bounds are made before the types with them");
    return made;
  };
  SmallVector<air::Bound, 2> lo, hi;
  SmallVector<air::Type, 2> index;
  for (const sema::TypeBound &b : info.lo)
    lo.push_back(bound(b));
  for (const sema::TypeBound &b : info.hi) {
    hi.push_back(bound(b));
    if (info.isGrowable)
      resizedBounds.insert(hi.back().variable);
  }
  for (sema::Type type : info.index)
    index.push_back(type == sema::Type::Enum ? convert(type)
                                             : air::Type(air::Type::Void));
  if (all_of(index, [](air::Type type) { return type == air::Type::Void; }))
    index.clear();
  auto holds = info.holds == sema::Type::Region ? air::TypeInfo::Holds::Region
               : info.holds == sema::Type::Direction
                   ? air::TypeInfo::Holds::Direction
                   : air::TypeInfo::Holds::Numbers;
  return module.arrayType(lo, hi, convert(info.element, locals), index, holds);
}

air::Type ModuleBuilder::convertNamed(const sema::TypeInfo &info) {
  auto *made = module.make<air::TypeInfo>();
  made->kind = namedKind(info.kind);
  made->text = info.name;
  made->size = info.size;
  made->alignment = info.alignment;
  made->range = info.range;
  for (const sema::TypeEnumerator &enumerator : info.enumerators)
    made->enumerators.push_back({enumerator.name, enumerator.value});
  for (const sema::TypeField &field : info.fields)
    made->fields.push_back({field.name, convert(field.type)});
  made->name = names.unique(info.name.empty() ? "type" : info.name);
  module.types.push_back(made);
  return types[&info] = made;
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// About how many bytes; huge ones saturate, run-time bounds count as 0.
static uint64_t sizeOf(air::Type type) {
  if (type == air::Type::Opaque)
    return type.info()->size;
  if (!type.isAggregate())
    return 2 * sizeof(long double);
  const air::TypeInfo &info = *type.info();
  uint64_t size = 0;
  for (const air::Field &field : info.fields)
    size = SaturatingAdd(size, sizeOf(field.type));
  if (type != air::Type::Array)
    return size;
  bool isSmall = !info.element.isAggregate();
  size = isSmall ? sizeof(int64_t) : sizeOf(info.element);
  for (auto [lo, hi] : zip(info.lo, info.hi))
    size = SaturatingMultiply(
        size, uint64_t(std::max<int64_t>(hi.value - lo.value + 1, 0)));
  return size;
}

bool isSizedInBody(const ProcedureState &p, air::Type type) {
  if (type != air::Type::Array)
    return false;
  auto isSet = [&](const air::Bound &bound) {
    return bound.variable && (bound.variable->storage == air::Storage::Local ||
                              p.builder.resizedBounds.contains(bound.variable));
  };
  const air::TypeInfo &info = *type.info();
  return any_of(info.lo, isSet) || any_of(info.hi, isSet) ||
         isSizedInBody(p, info.element);
}

bool needsHeap(air::Type type, air::Storage storage) {
  constexpr uint64_t local = 64 << 10, global = 64 << 20;
  return type.isRunTimeSized() ||
         sizeOf(type) > (storage == air::Storage::Global ? global : local);
}

//===----------------------------------------------------------------------===//
// Zeros
//===----------------------------------------------------------------------===//

const air::Expr *zero(ProcedureState &p, air::Type type, SourceRange range) {
  if (type.isComplex()) {
    const air::Expr *part = constant(p, type.component(), 0, range);
    return p.module.make<air::ComplexExpr>(part, part, type, range);
  }
  if (!type.isAggregate() && type != air::Type::Opaque)
    return constant(p, type, 0, range);
  for (air::Variable *made : p.frame.zeros)
    if (made->type == type)
      return variableExpr(p, made, range);
  // Nobody writes it.
  p.frame.zeros.push_back(temporary(p, "zero", type, range, /*isZero=*/true));
  return variableExpr(p, p.frame.zeros.back(), range);
}

} // namespace zpl::arraygen
