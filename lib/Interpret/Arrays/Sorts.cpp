//===- Sorts.cpp - sort ---------------------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Insertion into what is sorted already, by halves, behind what is equal:
//
//     3 1 2      3      1 3      1 2 3
//
// then every array takes its elements in that order. An order that contradicts
// itself gives some order. n log n comparisons, n^2 moves.
//
//===----------------------------------------------------------------------===//

#include "Arrays/Sorts.h"
#include "Arrays/ArrayExpressions.h"
#include "Arrays/Families.h"
#include "Calls.h"
#include "Expressions.h"
#include "Memory.h"
#include "Regions/RegionExpressions.h"
#include "Values/Values.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;

namespace zpl::interpreter {

/// -0 before 0, NaN after all numbers.
static bool isLess(long double a, long double b) {
  if (std::isnan(a) || std::isnan(b))
    return !std::isnan(a);
  if (a == 0 && b == 0)
    return std::signbit(a) && !std::signbit(b);
  return a < b;
}

/// Whether the value at \p a is less.
static bool isLess(Type type, const char *a, const char *b) {
  Value left = loadScalar(type, a), right = loadScalar(type, b);
  if (type == Type::String)
    return textOf(left) < textOf(right);
  if (type.isFloating())
    return isLess(left.re, right.re);
  if (isUnsigned(type))
    return static_cast<uint64_t>(left.integer) <
           static_cast<uint64_t>(right.integer);
  return left.integer < right.integer;
}

/// Whether the element at \p a goes before the one at \p b.
static bool goesBefore(Run &run, const sema::SortStmt *stmt, char *a, char *b) {
  Type type = stmt->arrays.front()->type;
  if (!stmt->before)
    return stmt->isDescending ? isLess(type, b, a) : isLess(type, a, b);
  char first = 0;
  auto place = [&](unsigned arg, char *address) {
    auto *variable = cast<sema::VariableExpr>(stmt->before->args[arg]);
    run.memory.frame->variables[variable->variable] = address;
  };
  place(0, a);
  place(1, b);
  place(2, &first);
  call(run, stmt->before);
  return first != 0;
}

void sort(Run &run, const sema::SortStmt *stmt) {
  SmallVector<Prepared, 2> prepared(stmt->arrays.size()); // without the mask
  for (auto [array, of] : zip(stmt->arrays, prepared)) {
    of.over.region = cover(run, 1, array->range).region;
    prepareTarget(run, array, of);
  }
  std::vector<std::vector<char *>> places(prepared.size());
  for (auto [k, of] : enumerate(prepared))
    forEachAdmitted(of, [&, k = k, of = &of](const At &at) {
      places[k].push_back(place(run, stmt->arrays[k], &at).address);
    });
  std::vector<size_t> order;
  for (size_t i = 0; i != places.front().size(); ++i) {
    char *element = places.front()[i];
    auto behind = partition_point(order, [&](size_t sorted) {
      return !goesBefore(run, stmt, element, places.front()[sorted]);
    });
    order.insert(behind, i);
  }
  for (auto [k, of] : enumerate(places)) {
    size_t size = static_cast<size_t>(sizeOf(run, stmt->arrays[k]->type));
    std::vector<char> sorted;
    for (size_t i : order)
      sorted.insert(sorted.end(), of[i], of[i] + size);
    for (size_t i = 0; i != of.size(); ++i)
      std::copy_n(sorted.data() + i * size, size, of[i]);
  }
}

} // namespace zpl::interpreter
