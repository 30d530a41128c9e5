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
//                                   write "sum ", %T over %R, "\n"
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

air::WriteItem ProcedureBuilder::writeItem(const sema::WriteItem &item) {
  air::WriteItem made;
  made.range = item.range;
  if (!item.value) {
    made.text = module.copy(item.text);
    return made;
  }
  if (item.format) {
    auto *format = module.make<air::ConstExpr>(air::Type::Str, item.range);
    format->text = module.copy(*item.format);
    made.format = format;
  } else if (item.formatExpr) {
    made.format = value(item.formatExpr);
  }
  if (!item.value->isArray()) {
    made.value = value(item.value);
    return made;
  }
  made.region = covers[item.value->rank];
  prepare(item.value, made.region);
  made.array = readable(item.value, made.region);
  return made;
}

void ProcedureBuilder::write(ArrayRef<sema::WriteItem> items, bool toError,
                             SourceRange range) {
  TemporaryScope scope(*this);
  std::vector<air::WriteItem> pending;
  auto flush = [&] {
    if (!pending.empty())
      emit<air::WriteStmt>(toError, std::move(pending), range);
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

} // namespace zpl::arraygen
