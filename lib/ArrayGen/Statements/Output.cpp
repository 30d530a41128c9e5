//===- Output.cpp - write, writeln and halt -------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A write statement keeps its items together: text, scalars, whole arrays over
// a region. Array expressions go through a temporary:
//
//     writeln("sum ", A + B)        alloc %T over %R
//                                   [%R] %T = add %A, %B
//                                   write file 2 ("sum ", array %T over %R)
//                                   free %T
//
// Items are evaluated from left to right. An item that calls a procedure with
// effects (it may print) ends the statement: what stands before it is written
// first, so that all output comes in the order of the source.
//
//===----------------------------------------------------------------------===//

#include "Statements/Output.h"
#include "Expressions.h"
#include "Operators/Domains.h"
#include "Procedure.h"
#include "References.h"
#include "Statements/ArrayStatements.h"

using namespace llvm;

namespace zpl::arraygen {

const air::Expr *format(ProcedureState &p,
                        const std::optional<std::string> &format,
                        const sema::Expr *formatExpr, SourceRange range) {
  if (!format)
    return formatExpr ? value(p, formatExpr) : nullptr;
  auto *made = p.module.make<air::ConstExpr>(air::Type::Str, range);
  made->text = p.module.copy(*format);
  return made;
}

static air::WriteItem writeItem(ProcedureState &p,
                                const sema::WriteItem &item) {
  air::WriteItem made;
  made.range = item.range;
  if (!item.value) {
    made.text = p.module.copy(item.text);
    return made;
  }
  made.format = format(p, item.format, item.formatExpr, item.range);
  if (!item.value->isArray()) {
    made.value = value(p, item.value);
    return made;
  }
  PartScope domain(p, item.value, item.value->rank);
  made.region = p.covers[item.value->rank].region;
  prepare(p, item.value, made.region);
  made.array = readable(p, item.value, made.region);
  return made;
}

static void write(ProcedureState &p, const air::Expr *file, bool binary,
                  ArrayRef<sema::WriteItem> items, SourceRange range) {
  TemporaryScope scope(p);
  std::vector<air::WriteItem> pending;
  auto flush = [&] {
    if (!pending.empty())
      emit<air::WriteStmt>(p, file, binary, std::move(pending), range);
    pending.clear();
    scope.free(range);
  };
  for (const sema::WriteItem &item : items) {
    if (item.value && p.builder.facts.of(item.value).effects)
      flush();
    pending.push_back(writeItem(p, item));
  }
  flush();
}

void writeStatement(ProcedureState &p, const sema::WriteStmt *stmt) {
  TemporaryScope scope(p);
  const air::Expr *file = value(p, stmt->file);
  auto hasEffects = [&](const sema::WriteItem &item) {
    return item.value && p.builder.facts.of(item.value).effects;
  };
  if (any_of(stmt->items, hasEffects))
    file = save(p, file, {}, scope);
  write(p, file, stmt->binary, stmt->items, stmt->range);
}

void haltStatement(ProcedureState &p, const sema::HaltStmt *stmt) {
  constexpr int64_t standardError = 3; // ZRT_ZERR
  const air::Expr *status = stmt->status ? value(p, stmt->status) : nullptr;
  write(p, constant(p, air::Type::File, standardError, stmt->range),
        /*binary=*/false, stmt->items, stmt->range);
  emit<air::HaltStmt>(p, status, stmt->range);
}

} // namespace zpl::arraygen
