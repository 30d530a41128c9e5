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

#include "Procedure.h"
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

air::ReadItem ProcedureBuilder::readItem(const sema::ReadItem &item) {
  air::ReadItem made;
  made.range = item.range;
  made.format = format(item.format, item.formatExpr, item.range);
  auto *array = dyn_cast<sema::ArrayExpr>(item.place);
  if (!array) {
    made.place = place(item.place, {});
    return made;
  }
  made.region = covers[array->rank].region;
  bind(array);
  made.array = find(array);
  check(array, air::CheckStmt::Write, made.region);
  return made;
}

/// Reads parts of elements, one per index.
void ProcedureBuilder::readInto(const sema::ReadItem &item,
                                const air::Expr *file, bool binary) {
  TemporaryScope scope(*this);
  SourceRange range = item.range;
  air::ReadItem made;
  made.range = range;
  made.format = format(item.format, item.formatExpr, range);
  made.region = covers[item.place->rank].region;
  prepareTarget(item.place, made.region);
  air::Array *written[] = {find(rootArray(item.place))};
  SaveAndRestore outer(targets, {{written[0], made.region}});
  const air::Expr *target = place(item.place, made.region, {}, written);
  made.array = temporaryArray(target->type, made.region, range);
  emit<air::ReadStmt>(file, binary, std::vector{made}, range);
  storeElements(target, elementOf(made.array, range), made.region, range);
  scope.free(range);
}

void ProcedureBuilder::readStatement(const sema::ReadStmt *stmt) {
  TemporaryScope scope(*this);
  const air::Expr *file = value(stmt->file);
  if (stmt->items.size() > 1)
    file = save(file, {}, scope);
  std::vector<air::ReadItem> pending;
  auto flush = [&] {
    if (!pending.empty())
      emit<air::ReadStmt>(file, stmt->binary, std::move(pending), stmt->range);
    pending.clear();
  };
  for (const sema::ReadItem &item : stmt->items) {
    if (dependsOnOthers(item))
      flush();
    if (item.place->isArray() && !isa<sema::ArrayExpr>(item.place))
      readInto(item, file, stmt->binary);
    else
      pending.push_back(readItem(item));
  }
  flush();
}

void ProcedureBuilder::bindIo(const sema::BindIoStmt *stmt) {
  air::Procedure *bound =
      stmt->procedure ? builder.instanceOf(stmt->procedure) : nullptr;
  bind(stmt->array);
  emit<air::BindIoStmt>(find(stmt->array), stmt->isRead, bound, stmt->range);
}

} // namespace zpl::arraygen
