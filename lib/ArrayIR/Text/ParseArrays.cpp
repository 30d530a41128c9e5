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
//
// One token after the keyword tells which statement it is; places are read by
// ParseExpressions.cpp. Linear in the text.
//
//===----------------------------------------------------------------------===//

#include "Text/ParserImpl.h"

using namespace llvm;

namespace zpl::air {

Stmt *Parser::parseAllocation(const Token &first) {
  Token token = peek();
  const Named *named = parseNamed();
  if (!named)
    return nullptr;
  bool isAlloc = first.text == "alloc";
  SourceRange range = rangeFrom(first);
  if (named->array && isAlloc) {
    auto *stmt = module.make<AllocArrayStmt>(named->array, range);
    if ((accept("like") && !(stmt->like = parseArray())) ||
        (accept("follows") && !(stmt->follows = parsePlace())))
      return nullptr;
    return stmt;
  }
  if (named->array)
    return module.make<FreeArrayStmt>(named->array, range);
  if (named->variable && isAlloc)
    return module.make<AllocVariableStmt>(named->variable, range);
  if (named->variable)
    return module.make<FreeVariableStmt>(named->variable, range);
  fail(token, "'" + token.text + "' is neither a variable nor an array");
  return nullptr;
}

/// `realloc over @R = %r preserving`.
Stmt *Parser::parseRealloc(const Token &first) {
  const Expr *key = nullptr;
  Region *region = nullptr;
  if (!expect("over") || !(key = parsePlace()) || !expect("=") ||
      !(region = parseRegion()))
    return nullptr;
  bool preserves = accept("preserving");
  return module.make<ReallocStmt>(key, region, preserves, rangeFrom(first));
}

/// `bind write %A @f`, `unbind read %A`, `bind %U.0 = @U[%l]`.
Stmt *Parser::parseBind(const Token &first) {
  bool isRead = accept("read");
  if (!isRead && !accept("write"))
    return first.text == "bind" ? parseBindArray(first)
                                : (expect("write"), nullptr);
  Array *array = parseArray();
  Procedure *procedure = nullptr;
  if (!array || (first.text == "bind" && !(procedure = parseProcedureName())))
    return nullptr;
  return module.make<BindIoStmt>(array, isRead, procedure, rangeFrom(first));
}

Stmt *Parser::parseBindArray(const Token &first) {
  Array *array = parseArray();
  const Expr *place = nullptr;
  if (!array || !expect("=") || !(place = parsePlace()))
    return nullptr;
  return module.make<BindArrayStmt>(array, place, rangeFrom(first));
}

} // namespace zpl::air
