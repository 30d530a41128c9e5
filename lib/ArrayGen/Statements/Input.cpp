//===- Input.cpp - read, bread and procedures for elements ----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A read statement keeps its items together as long as it can. What an item
// reads can decide where the next one goes, so an item with subscripts or a
// format of its own begins a new statement:
//
//     read(f, n, a[n], A.x)       read @f (@n)
//                                 read @f (@a[@n])
//                                 alloc %T over %R
//                                 read @f (array %T over %R)
//                                 [%R] %A.x = %T
//                                 free %T
//
// Parts of the elements of a parallel array are read into a temporary.
//
//===----------------------------------------------------------------------===//

#include "Statements/Input.h"
#include "Expressions.h"
#include "Families.h"
#include "Operators/Domains.h"
#include "Places.h"
#include "Procedure.h"
#include "References.h"
#include "Statements/ArrayStatements.h"
#include "Statements/Output.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;

namespace zpl::arraygen {

/// Whether where or how the item is read could depend on those before it.
static bool dependsOnOthers(const sema::ReadItem &item) {
  SmallVector<const sema::Expr *, 4> parts;
  addParts(item.place, parts);
  auto *array = dyn_cast<sema::ArrayExpr>(item.place);
  bool isPartOfArray = item.place->isArray() && !array;
  return isPartOfArray || (array && !array->subscripts.empty()) ||
         item.formatExpr || !parts.empty();
}

static air::ReadItem readItem(ProcedureState &p, const sema::ReadItem &item) {
  air::ReadItem made;
  made.range = item.range;
  made.format = format(p, item.format, item.formatExpr, item.range);
  auto *array = dyn_cast<sema::ArrayExpr>(item.place);
  if (!array) {
    made.place = placeExpr(p, item.place, {});
    return made;
  }
  PartScope domain(p, array, array->rank);
  made.region = p.covers[array->rank].region;
  bind(p, array);
  made.array = find(p, array);
  check(p, array, air::CheckStmt::Write, made.region);
  return made;
}

/// Reads parts of elements, one per index.
static void readInto(ProcedureState &p, const sema::ReadItem &item,
                     const air::Expr *file, bool binary) {
  TemporaryScope scope(p);
  SourceRange range = item.range;
  air::ReadItem made;
  made.range = range;
  made.format = format(p, item.format, item.formatExpr, range);
  PartScope domain(p, item.place, item.place->rank);
  made.region = p.covers[item.place->rank].region;
  prepareTarget(p, item.place, made.region);
  air::Array *written[] = {find(p, rootArray(item.place))};
  SaveAndRestore outer(p.statement.targets, {{written[0], made.region}});
  const air::Expr *target = placeExpr(p, item.place, made.region, {}, written);
  made.array = temporaryArray(p, target->type, made.region, range);
  emit<air::ReadStmt>(p, file, binary, std::vector{made}, range);
  storeElements(p, target, elementOf(p, made.array, range), made.region, range);
  scope.free(range);
}

void readStatement(ProcedureState &p, const sema::ReadStmt *stmt) {
  TemporaryScope scope(p);
  const air::Expr *file = value(p, stmt->file);
  if (stmt->items.size() > 1)
    file = save(p, file, {}, scope);
  std::vector<air::ReadItem> pending;
  auto flush = [&] {
    if (!pending.empty())
      emit<air::ReadStmt>(p, file, stmt->binary, std::move(pending),
                          stmt->range);
    pending.clear();
  };
  for (const sema::ReadItem &item : stmt->items) {
    if (dependsOnOthers(item))
      flush();
    if (item.place->isArray() && !isa<sema::ArrayExpr>(item.place))
      readInto(p, item, file, stmt->binary);
    else
      pending.push_back(readItem(p, item));
  }
  flush();
}

void bindIo(ProcedureState &p, const sema::BindIoStmt *stmt) {
  air::Procedure *bound =
      stmt->procedure ? p.builder.instanceOf(stmt->procedure) : nullptr;
  bind(p, stmt->array);
  emit<air::BindIoStmt>(p, find(p, stmt->array), stmt->isRead, bound,
                        stmt->range);
}

} // namespace zpl::arraygen
