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

#include "Procedure.h"

using namespace llvm;

namespace zpl::arraygen {

/// Null for the default one.
const air::Expr *
ProcedureBuilder::format(const std::optional<std::string> &format,
                         const sema::Expr *formatExpr, SourceRange range) {
  if (!format)
    return formatExpr ? value(formatExpr) : nullptr;
  auto *made = module.make<air::ConstExpr>(air::Type::Str, range);
  made->text = module.copy(*format);
  return made;
}

air::WriteItem ProcedureBuilder::writeItem(const sema::WriteItem &item) {
  air::WriteItem made;
  made.range = item.range;
  if (!item.value) {
    made.text = module.copy(item.text);
    return made;
  }
  made.format = format(item.format, item.formatExpr, item.range);
  if (!item.value->isArray()) {
    made.value = value(item.value);
    return made;
  }
  made.region = covers[item.value->rank].region;
  prepare(item.value, made.region);
  made.array = readable(item.value, made.region);
  return made;
}

void ProcedureBuilder::write(const air::Expr *file, bool binary,
                             ArrayRef<sema::WriteItem> items,
                             SourceRange range) {
  TemporaryScope scope(*this);
  std::vector<air::WriteItem> pending;
  auto flush = [&] {
    if (!pending.empty())
      emit<air::WriteStmt>(file, binary, std::move(pending), range);
    pending.clear();
    scope.free(range);
  };
  for (const sema::WriteItem &item : items) {
    if (item.value && builder.facts.of(item.value).effects)
      flush();
    pending.push_back(writeItem(item));
  }
  flush();
}

void ProcedureBuilder::writeStatement(const sema::WriteStmt *stmt) {
  TemporaryScope scope(*this);
  const air::Expr *file = value(stmt->file);
  auto hasEffects = [&](const sema::WriteItem &item) {
    return item.value && builder.facts.of(item.value).effects;
  };
  if (any_of(stmt->items, hasEffects))
    file = save(file, {}, scope);
  write(file, stmt->binary, stmt->items, stmt->range);
}

void ProcedureBuilder::haltStatement(const sema::HaltStmt *stmt) {
  constexpr int64_t standardError = 3; // ZRT_ZERR
  write(constant(air::Type::File, standardError, stmt->range),
        /*binary=*/false, stmt->items, stmt->range);
  emit<air::HaltStmt>(stmt->range);
}

} // namespace zpl::arraygen
