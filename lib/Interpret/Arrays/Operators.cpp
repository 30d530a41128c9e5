//===- Operators.cpp - Flood, gather, scatter, wrap, reflect --------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operators that move whole elements (language 8). Each makes an array:
//
//     >>[1, ] A        A over row 1, kept with its first dimension flooded, so
//                      that every row finds it
//     A#[I, J]         at each index the element of A at (I, J), all of which
//                      are looked up and checked first
//     A#[I] += B       all maps and values first, then in row-major order one
//                      element of A after the other
//     wrap A           in the scope [d of R]: the border from the other side, as
//                      far as A stores it
//
//===----------------------------------------------------------------------===//

#include "Arrays/Operators.h"
#include "Arrays/ArrayExpressions.h"
#include "Arrays/Families.h"
#include "Declarations.h"
#include "Errors.h"
#include "Expressions.h"
#include "Memory.h"
#include "Regions/RegionExpressions.h"
#include "Run.h"
#include "llvm/ADT/STLExtras.h"
#include <cstring>

using namespace llvm;

namespace zpl::interpreter {

//===----------------------------------------------------------------------===//
// Flood
//===----------------------------------------------------------------------===//

static void fillBoundary(Run &run, const sema::ArrayExpr *array,
                         const Region &base, const Components &direction,
                         bool reflects, bool isCheck);

std::unique_ptr<ArrayStorage> flood(Run &run, const sema::FloodExpr *expr,
                                    const Cover &over) {
  Cover source;
  source.region = std::make_shared<const Region>(
      evaluate(run, *expr->source).withoutPattern());
  checkConforms(run, *source.region, *over.region, expr->text, expr->range);
  std::unique_ptr<ArrayStorage> elements = under(
      run, source, [&] { return materialize(run, expr->operand, source); });
  Region flooded = *source.region;
  for (Dim &dim : flooded.dims)
    if (dim.kind == DimKind::Singleton)
      dim = Dim();
  std::unique_ptr<ArrayStorage> result =
      temporary(run, expr->type, flooded, expr->range);
  forEachIndex(*source.region, [&](const Index &index) {
    std::memcpy(result->at(index), elements->at(index), result->elementSize);
  });
  return result;
}

//===----------------------------------------------------------------------===//
// Remap
//===----------------------------------------------------------------------===//

/// What the maps say at each index that the mask leaves, in order: indices of
/// \p array.
static std::vector<Index> mapped(Run &run, ArrayRef<sema::Map> maps,
                                 const ArrayStorage &array,
                                 const std::string &text,
                                 const Prepared &prepared, SourceRange where) {
  std::vector<Index> result;
  forEachAdmitted(prepared, [&](const At &at) {
    Index target{};
    for (auto [d, map] : enumerate(maps))
      target[d] = map ? eval(run, map, &at).integer : at.index[d];
    if (!array.declared.bound(target))
      fail(run, where,
           text + ": " + indexText(target, array.declared.rank()) +
               " at the index " +
               indexText(at.index, prepared.over.region->rank()) +
               " is no index of " + array.name + ", declared over " +
               array.declared.bounds());
    result.push_back(target);
  });
  return result;
}

std::unique_ptr<ArrayStorage> gather(Run &run, const sema::GatherExpr *expr,
                                     Prepared &prepared) {
  for (sema::Map map : expr->maps)
    if (map)
      prepare(run, map, prepared);
  auto *whole = cast<sema::ArrayExpr>(sema::rootOf(expr->source));
  ArrayStorage &array = find(run, whole);
  std::vector<Index> indices =
      mapped(run, expr->maps, array, expr->text, prepared, expr->range);
  // A part of the elements is evaluated for all of them.
  std::unique_ptr<ArrayStorage> parts;
  if (expr->source != whole) {
    Cover declared;
    declared.region =
        std::make_shared<const Region>(array.declared.withoutPattern());
    parts = materialize(run, expr->source, declared);
  }
  const ArrayStorage &source = parts ? *parts : array;
  std::unique_ptr<ArrayStorage> result =
      temporary(run, expr->type, *prepared.over.region, expr->range);
  auto next = indices.begin();
  forEachAdmitted(prepared, [&](const At &at) {
    std::memcpy(result->at(at.index), source.at(*next++), result->elementSize);
  });
  return result;
}

/// A sparse array stores all that is written.
static void checkScattered(Run &run, const ArrayStorage &array,
                           ArrayRef<Index> indices,
                           const sema::ScatterStmt &stmt) {
  if (!array.declared.isSparse())
    return;
  std::optional<Index> first; // in row-major order, as all processors find it
  for (const Index &index : indices)
    if (!array.stores(index) && (!first || index < *first))
      first = index;
  if (first)
    fail(run, stmt.range, unstoredText(stmt.text, *first, array));
}

void scatter(Run &run, const sema::ScatterStmt *stmt) {
  Prepared prepared;
  prepared.over = cover(run, stmt->rank, stmt->range);
  prepareParts(run, stmt->target, prepared);
  SmallVector<const sema::Expr *, 7> operands;
  for (sema::Map map : stmt->maps)
    if (map)
      operands.push_back(map);
  operands.push_back(stmt->value);
  prepareInOrder(run, operands, prepared);
  auto *whole = cast<sema::ArrayExpr>(sema::rootOf(stmt->target));
  std::vector<Index> indices = mapped(run, stmt->maps, find(run, whole),
                                      stmt->text, prepared, stmt->range);
  std::unique_ptr<ArrayStorage> values =
      materialize(run, stmt->value, prepared);
  checkScattered(run, find(run, whole), indices, *stmt);
  auto next = indices.begin();
  forEachAdmitted(prepared, [&](const At &at) {
    At there{*next++, prepared};
    Place target = place(run, stmt->target, &there);
    Value value = load(run, stmt->value->type, values->at(at.index));
    if (stmt->combine) {
      Type type = stmt->target->type;
      store(type, addressOf(run, stmt->oldValue),
            load(run, type, target.address));
      store(stmt->value->type, addressOf(run, stmt->newValue), value);
      value = eval(run, stmt->combine);
    }
    store(stmt->target->type, target.address, value);
  });
}

//===----------------------------------------------------------------------===//
// Boundaries
//===----------------------------------------------------------------------===//

void fillBoundary(Run &run, const sema::BoundaryStmt *stmt) {
  Region base = evaluate(run, *stmt->base);
  Components direction = evaluate(run, stmt->direction);
  for (bool isCheck : {true, false}) // all are checked before any is changed
    for (const sema::ArrayExpr *array : stmt->arrays)
      fillBoundary(run, array, base, direction, stmt->reflects, isCheck);
}

/// Where the index \p x beside \p base takes its element from: wrap counts on
/// from the other side, reflect backward from this one.
static int64_t boundarySource(const Dim &base, int64_t x, bool reflects) {
  int64_t first = base.first(), last = base.last(), count = base.count();
  if (reflects)
    return x > last ? 2 * last + base.stride - x : 2 * first - base.stride - x;
  int64_t position = (x - first) / base.stride % count;
  return first + (position + count) % count * base.stride;
}

static void fillBoundary(Run &run, const sema::ArrayExpr *expr,
                         const Region &base, const Components &direction,
                         bool reflects, bool isCheck) {
  ArrayStorage &array = find(run, expr);
  Region border = base;
  for (auto [dim, component] : zip_equal(border.dims, direction))
    dim = dimOf(component, dim);
  checkBounds(run, border, expr->range);
  if (base.isEmpty())
    return;
  auto check = [&](const Index &index) {
    if (!array.bounds(index))
      fail(run, expr->range,
           std::string(reflects ? "reflect" : "wrap") + " reaches outside " +
               array.name + ": it has no " + indexText(index, base.rank()));
  };
  std::vector<std::vector<char>> elements; // all are read before any is written
  forEachIndex(border, [&](const Index &index) {
    Index source = index;
    for (auto [d, dim] : enumerate(base.dims))
      if (direction[d] != 0)
        source[d] = boundarySource(dim, index[d], reflects);
    check(index);
    check(source);
    const char *from = array.at(source);
    elements.emplace_back(from, from + array.elementSize);
  });
  if (isCheck)
    return;
  auto next = elements.begin();
  forEachIndex(border, [&](const Index &index) {
    const std::vector<char> &element = *next++;
    if (array.stores(index))
      std::memcpy(array.at(index), element.data(), array.elementSize);
  });
}

} // namespace zpl::interpreter
