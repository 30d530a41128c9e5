//===- ParseCommunication.cpp - Text to array IR: array operators ---------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads what PrintCommunication.cpp writes, word by word:
//
//     scan %T = sum @A over %R dims (2, -1) inclusive segment %S where not %M
//
// A map is read as an expression: an element without offset is an array of
// maps, `index(d)` the index of the region, anything else a scalar.
//
//===----------------------------------------------------------------------===//

#include "Text/ParserImpl.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace zpl::air {

/// Null without an error if \p first begins another sort of statement.
Stmt *Parser::parseCommunication(const Token &first) {
  auto parse = StringSwitch<Stmt *(Parser::*)(const Token &)>(first.text)
                   .Case("shift", &Parser::parseShift)
                   .Cases("flood", "flood-begin", &Parser::parseFlood)
                   .Cases("put", "put-wrap", &Parser::parsePut)
                   .Case("fold", &Parser::parseFold)
                   .Case("combine-array", &Parser::parseCombineArray)
                   .Cases("scan", "scan-begin", &Parser::parseScan)
                   .Cases("flood-end", "scan-end", &Parser::parseOperatorEnd)
                   .Case("wave", &Parser::parseWave)
                   .Case("interleave", &Parser::parseInterleave)
                   .Case("gather", &Parser::parseGather)
                   .Case("scatter", &Parser::parseScatter)
                   .Cases("wrap", "reflect", &Parser::parseBoundary)
                   .Case("check", &Parser::parseCheck)
                   .Default(nullptr);
  return parse ? (this->*parse)(first) : nullptr;
}

/// `where %M`, `where not %M`, or nothing.
bool Parser::parseMask(Mask &mask) {
  if (!accept("where"))
    return true;
  mask.value = !accept("not");
  return (mask.array = parseArray()) != nullptr;
}

/// `at (%I, index(1), i32 3)`.
bool Parser::parseMaps(MapVector &maps) {
  ExprVector exprs;
  if (!expect("at") || !parseOperands(exprs))
    return false;
  for (const Expr *expr : exprs) {
    Map &map = maps.emplace_back();
    auto *element = dyn_cast<ElementExpr>(expr);
    if (element && !element->isShifted() && element->walker < 0)
      map.array = element->array;
    else if (auto *index = dyn_cast<IndexExpr>(expr))
      map.dim = index->dim;
    else
      map.scalar = expr;
  }
  return true;
}

Stmt *Parser::parseShift(const Token &first) {
  SmallVector<ShiftView, 4> views;
  auto view = [&] {
    ExprVector direction;
    Array *target = parseArray();
    if (!target || !expect("by") || !parseOperands(direction))
      return false;
    bool wraps = accept("wrap");
    views.push_back({target, direction, wraps});
    return true;
  };
  Array *source = nullptr;
  Region *region = nullptr;
  if (!expect("{") || !parseList("}", view) || !expect("=") ||
      !(source = parseArray()) || !expect("over") || !(region = parseRegion()))
    return nullptr;
  Transfer *sends = nullptr;
  if (accept("sends") && !(sends = parseTransfer()))
    return nullptr;
  auto *stmt = module.make<ShiftStmt>(source, region, views, rangeFrom(first));
  stmt->sends = sends;
  return stmt;
}

Stmt *Parser::parseFlood(const Token &first) {
  Array *target = parseArray(), *source = nullptr;
  Region *from = nullptr;
  if (!target || !expect("=") || !(source = parseArray()) || !expect("from") ||
      !(from = parseRegion()))
    return nullptr;
  const Expr *times = nullptr;
  if (accept("times") && !(times = parseExpr()))
    return nullptr;
  auto *stmt = module.make<FloodStmt>(target, source, from, rangeFrom(first));
  stmt->times = times;
  stmt->begins = first.text == "flood-begin";
  return stmt;
}

Stmt *Parser::parseOperatorEnd(const Token &first) {
  Array *target = parseArray();
  return target ? module.make<OperatorEndStmt>(target, first.text == "scan-end",
                                               rangeFrom(first))
                : nullptr;
}

Stmt *Parser::parsePut(const Token &first) {
  Array *target = parseArray(), *source = nullptr;
  Region *region = nullptr;
  ExprVector direction;
  Mask mask;
  if (!target || !expect("by") || !parseOperands(direction) || !expect("=") ||
      !(source = parseArray()) || !expect("over") ||
      !(region = parseRegion()) || !parseMask(mask))
    return nullptr;
  return module.make<PutStmt>(target, source, region, direction,
                              first.text == "put-wrap", mask, rangeFrom(first));
}

Stmt *Parser::parseFold(const Token &first) {
  Token name = peek();
  const Named *target = parseNamed();
  if (target && !target->array && !target->variable) {
    fail(name, "'" + name.text + "' is neither a variable nor an array");
    return nullptr;
  }
  Array *source = nullptr;
  Reduction op;
  Region *region = nullptr;
  Mask mask;
  if (!target || !expect("=") || !parseReduction(op) ||
      !(source = parseArray()) || !expect("over") ||
      !(region = parseRegion()) || !parseMask(mask))
    return nullptr;
  return module.make<FoldStmt>(target->array, target->variable, op, source,
                               region, mask, rangeFrom(first));
}

Stmt *Parser::parseCombineArray(const Token &first) {
  Reduction op;
  Procedure *with = nullptr;
  Array *array = nullptr;
  SmallVector<unsigned, 6> dims;
  if (!parseReduction(op, with) || !(array = parseArray()) || !expect("dims") ||
      !expect("(") ||
      !parseList(")", [&] { return parseUnsigned(dims.emplace_back(), 64); }))
    return nullptr;
  auto *stmt = module.make<CombineArrayStmt>(op, array, dims, rangeFrom(first));
  stmt->with = with;
  return stmt;
}

Stmt *Parser::parseScan(const Token &first) {
  Array *target = parseArray(), *source = nullptr;
  Reduction op;
  Procedure *with = nullptr, *identity = nullptr;
  Region *region = nullptr;
  SmallVector<int, 6> dims;
  auto parseDim = [&] {
    Token token = peek();
    int64_t dim = 0;
    if (!parseInteger(dim))
      return false;
    if (dim < -64 || dim > 64)
      return fail(token, "expected a number from -64 to 64");
    dims.push_back(int(dim));
    return true;
  };
  if (!target || !expect("=") || !parseReduction(op, with) ||
      (with && !(expect("from") && (identity = parseProcedureName()))) ||
      !(source = parseArray()) || !expect("over") ||
      !(region = parseRegion()) || !expect("dims") || !expect("(") ||
      !parseList(")", parseDim))
    return nullptr;
  auto *stmt =
      module.make<ScanStmt>(target, source, op, region, dims, range(first));
  stmt->with = with;
  stmt->identity = identity;
  stmt->begins = first.text == "scan-begin";
  stmt->inclusive = accept("inclusive");
  stmt->reproducible = accept("reproducible");
  if ((accept("segment") && !(stmt->segment = parseArray())) ||
      !parseMask(stmt->mask))
    return nullptr;
  stmt->range = rangeFrom(first);
  return stmt;
}

Stmt *Parser::parseGather(const Token &first) {
  Array *target = parseArray(), *source = nullptr;
  MapVector maps;
  Region *region = nullptr;
  Mask mask;
  if (!target || !expect("=") || !(source = parseArray()) || !parseMaps(maps) ||
      !expect("over") || !(region = parseRegion()) || !parseMask(mask))
    return nullptr;
  return module.make<GatherStmt>(target, source, maps, region, mask,
                                 rangeFrom(first));
}

Stmt *Parser::parseScatter(const Token &first) {
  Array *target = parseArray(), *source = nullptr;
  MapVector maps;
  Region *region = nullptr;
  Procedure *combine = nullptr;
  Mask mask;
  if (!target || !parseMaps(maps) || !expect("=") || !(source = parseArray()) ||
      !expect("over") || !(region = parseRegion()) ||
      (accept("with") && !(combine = parseProcedureName())) || !parseMask(mask))
    return nullptr;
  return module.make<ScatterStmt>(target, source, maps, region, combine, mask,
                                  rangeFrom(first));
}

Stmt *Parser::parseBoundary(const Token &first) {
  Array *array = parseArray();
  ExprVector direction;
  Region *base = nullptr;
  if (!array || !expect("by") || !parseOperands(direction) || !expect("of") ||
      !(base = parseRegion()))
    return nullptr;
  return module.make<BoundaryStmt>(array, base, direction,
                                   first.text == "reflect", rangeFrom(first));
}

Stmt *Parser::parseCheck(const Token &first) {
  auto kind = StringSwitch<int>(peek().text)
                  .Case("read", CheckStmt::Read)
                  .Case("write", CheckStmt::Write)
                  .Case("formal", CheckStmt::Formal)
                  .Case("bounds", CheckStmt::Bounds)
                  .Case("wrap", CheckStmt::Wrap)
                  .Case("mask", CheckStmt::Mask)
                  .Case("conform", CheckStmt::Conform)
                  .Case("maps", CheckStmt::Maps)
                  .Case("wrap-border", CheckStmt::WrapBorder)
                  .Case("reflect-border", CheckStmt::ReflectBorder)
                  .Default(-1);
  if (kind < 0)
    return fail(peek(), "expected what is checked: 'read', 'write' ..."),
           nullptr;
  next();
  bool hasArray = kind != CheckStmt::Bounds && kind != CheckStmt::Conform;
  auto *stmt =
      module.make<CheckStmt>(CheckStmt::Kind(kind), nullptr, nullptr,
                             ArrayRef<const Expr *>(), "", range(first));
  if ((hasArray && !(stmt->array = parseArray())) ||
      (kind == CheckStmt::Maps && !parseMaps(stmt->maps)) ||
      (hasArray && !expect("over")) || !(stmt->region = parseRegion()) ||
      (kind == CheckStmt::Conform &&
       !(expect("over") && (stmt->over = parseRegion()))) ||
      (accept("at") && !parseOperands(stmt->direction)) ||
      !parseMask(stmt->mask) || !parseOptionalString(stmt->text))
    return nullptr;
  stmt->range = rangeFrom(first);
  return stmt;
}

} // namespace zpl::air
