//===- ParseArrays.cpp - Text to array IR: what concerns whole arrays -----===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     alloc %A                         alloc @A follows @R
//     realloc over @R = %r preserving  bind %U.0 = @U[%l]
//     free %A                          bind write %A @f
//     resize %a (%a.1 = %n)            sort %A, %B over %R descending
//
// One token after the keyword tells which statement it is; places are read by
// ParseExpressions.cpp. Linear in the text.
//
//===----------------------------------------------------------------------===//

#include "Text/ParseArrays.h"
#include "Text/ParseExpressions.h"
#include "Text/Parser.h"
#include "Text/Parsing.h"

using namespace llvm;

namespace zpl::air {

static Stmt *parseBindArray(Parsing &p, const Token &first);

Stmt *parseAllocation(Parsing &p, const Token &first) {
  Token token = peek(p);
  const Named *named = parseNamed(p);
  if (!named)
    return nullptr;
  bool isAlloc = first.text == "alloc";
  SourceRange range = rangeFrom(p, first);
  if (named->array && isAlloc) {
    auto *stmt = p.module.make<AllocArrayStmt>(named->array, range);
    if ((accept(p, "like") && !(stmt->like = parseArray(p))) ||
        (accept(p, "follows") && !(stmt->follows = parsePlace(p))))
      return nullptr;
    return stmt;
  }
  if (named->array)
    return p.module.make<FreeArrayStmt>(named->array, range);
  if (named->variable && isAlloc) {
    auto *stmt = p.module.make<AllocVariableStmt>(named->variable, range);
    stmt->isRaw = accept(p, "raw");
    return stmt;
  }
  if (named->variable)
    return p.module.make<FreeVariableStmt>(named->variable, range);
  fail(p, token, "'" + token.text + "' is neither a variable nor an array");
  return nullptr;
}

Stmt *parseResize(Parsing &p, const Token &first) {
  Variable *variable = parseVariable(p);
  if (!variable || !expect(p, "("))
    return nullptr;
  auto *stmt = p.module.make<ResizeStmt>(variable, range(p, first));
  bool isGood = parseList(p, ")", [&] {
    stmt->bounds.push_back(parseVariable(p));
    if (!stmt->bounds.back() || !expect(p, "="))
      return false;
    stmt->lengths.push_back(parseExpr(p));
    return stmt->lengths.back() != nullptr;
  });
  stmt->range = rangeFrom(p, first);
  return isGood ? stmt : nullptr;
}

Stmt *parseRealloc(Parsing &p, const Token &first) {
  const Expr *key = nullptr;
  Region *region = nullptr;
  if (!expect(p, "over") || !(key = parsePlace(p)) || !expect(p, "=") ||
      !(region = parseRegion(p)))
    return nullptr;
  bool preserves = accept(p, "preserving");
  return p.module.make<ReallocStmt>(key, region, preserves,
                                    rangeFrom(p, first));
}

Stmt *parseBind(Parsing &p, const Token &first) {
  bool isRead = accept(p, "read");
  if (!isRead && !accept(p, "write"))
    return first.text == "bind" ? parseBindArray(p, first)
                                : (expect(p, "write"), nullptr);
  Array *array = parseArray(p);
  Procedure *procedure = nullptr;
  Array *like = nullptr;
  if (array && first.text == "bind" && accept(p, "like")) {
    if (!(like = parseArray(p)))
      return nullptr;
  } else if (!array ||
             (first.text == "bind" && !(procedure = parseProcedureName(p)))) {
    return nullptr;
  }
  auto *stmt =
      p.module.make<BindIoStmt>(array, isRead, procedure, rangeFrom(p, first));
  stmt->like = like;
  return stmt;
}

Stmt *parseSort(Parsing &p, const Token &first) {
  SmallVector<Array *, 2> arrays;
  do {
    arrays.push_back(parseArray(p));
    if (!arrays.back())
      return nullptr;
  } while (accept(p, ","));
  Region *region = nullptr;
  if (!expect(p, "over") || !(region = parseRegion(p)))
    return nullptr;
  bool isDescending = accept(p, "descending");
  Procedure *with = nullptr;
  if (accept(p, "with") && !(with = parseProcedureName(p)))
    return nullptr;
  auto *stmt = p.module.make<SortStmt>(arrays, region, rangeFrom(p, first));
  stmt->isDescending = isDescending;
  stmt->with = with;
  return stmt;
}

static Stmt *parseBindArray(Parsing &p, const Token &first) {
  Array *array = parseArray(p);
  const Expr *place = nullptr;
  if (!array || !expect(p, "=") || !(place = parsePlace(p)))
    return nullptr;
  return p.module.make<BindArrayStmt>(array, place, rangeFrom(p, first));
}

} // namespace zpl::air
