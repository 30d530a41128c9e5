//===- RegionValues.cpp - Variables of regions and directions -------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Their memory is that of the indexed array of longints that the type says
// (TypeInfo::storage). For `R := [1..8] by [2]` it is
//
//     1 8 2 1         lo, hi, stride, align of dimension 1
//     none 1 0 0      which of a multi-region, that there is a value, and the
//                     number of its pattern: 0 for dense ones, -1 for unset
//
//===----------------------------------------------------------------------===//

#include "Regions/RegionValues.h"
#include "Arrays/Families.h"
#include "Errors.h"
#include "Expressions.h"
#include "Memory.h"
#include "Regions/RegionExpressions.h"
#include "Run.h"
#include "llvm/ADT/STLExtras.h"
#include <cstring>

using namespace llvm;

namespace zpl::interpreter {

Type storageOf(Type type) {
  bool isStored = type == Type::Region || type == Type::Direction;
  return isStored ? type.info()->storage : type;
}

static Value bytesOf(ArrayRef<int64_t> numbers) {
  Value value;
  value.bytes.resize(numbers.size() * sizeof(int64_t));
  std::memcpy(value.bytes.data(), numbers.data(), value.bytes.size());
  return value;
}

Value regionValue(Run &run, const sema::RegionExpr &expr) {
  Region region = evaluate(run, expr, /*mayBeUnset=*/true);
  SmallVector<int64_t, 28> numbers;
  for (const Dim &dim : region.dims)
    numbers.append({dim.lo, dim.hi, dim.stride, dim.align});
  numbers.append({region.level, 1, patternNumber(run, region), 0});
  return bytesOf(numbers);
}

constexpr int64_t UnsetPattern = -1;

void takePattern(Run &run, Region &region, int64_t number) {
  region.isUnset = number == UnsetPattern;
  if (number > 0)
    region.pattern = run.memory.patterns[number - 1];
}

int64_t patternNumber(Run &run, const Region &region) {
  if (!region.pattern)
    return region.isUnset ? UnsetPattern : 0;
  auto &patterns = run.memory.patterns;
  auto known = llvm::find(patterns, region.pattern);
  if (known == patterns.end())
    known = patterns.insert(patterns.end(), region.pattern);
  return known - patterns.begin() + 1;
}

void checkSet(Run &run, const sema::RegionExpr &expr) {
  Place where = place(run, expr.place);
  int64_t isSet;
  std::memcpy(&isSet, where.address + (4 * expr.rank + 1) * sizeof isSet,
              sizeof isSet);
  if (isSet == 0)
    fail(run, expr.range, expr.unset);
}

static const char *wanted(const sema::TypeComponent &component, int64_t value) {
  switch (component.kind) {
  case sema::TypeComponent::Unknown:
    return nullptr;
  case sema::TypeComponent::Plus:
    return value > 0 ? nullptr : "a positive number";
  case sema::TypeComponent::Minus:
    return value < 0 ? nullptr : "a negative number";
  case sema::TypeComponent::Value:
    return value == component.value ? nullptr : "";
  }
  return nullptr;
}

void checkComponent(Run &run, int64_t value, Type type, unsigned number,
                    SourceRange where) {
  const sema::TypeComponent &component = type.info()->components[number];
  const char *says = wanted(component, value);
  if (!says)
    return;
  fail(run, where,
       "component " + std::to_string(number + 1) + " of this direction is " +
           std::to_string(value) + ", but '" + sema::text(type) + "' says " +
           (*says ? says : std::to_string(component.value)));
}

Value directionValue(Run &run, const sema::DirectionValueExpr *expr) {
  Components components = evaluate(run, expr->components);
  for (auto [c, component] : enumerate(components))
    checkComponent(run, component, expr->type, c, expr->range);
  return bytesOf(components);
}

void assign(Run &run, const sema::RegionAssignStmt *stmt) {
  Value value = regionValue(run, *stmt->value);
  Place target = place(run, stmt->target);
  store(stmt->target->type, target.address, value);
  resizeParts(run, stmt->target->type, target.address, stmt->preserves,
              stmt->range);
}

} // namespace zpl::interpreter
