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

#include "Text/ParseCommunication.h"
#include "Text/ParseExpressions.h"
#include "Text/ParseForms.h"
#include "Text/ParseStatements.h"
#include "Text/Parser.h"
#include "Text/Parsing.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace zpl::air {

static Stmt *parseShift(Parsing &p, const Token &first);
static Stmt *parseFlood(Parsing &p, const Token &first);
static Stmt *parseOperatorEnd(Parsing &p, const Token &first);
static Stmt *parsePut(Parsing &p, const Token &first);
static Stmt *parseFold(Parsing &p, const Token &first);
static Stmt *parseCombineArray(Parsing &p, const Token &first);
static Stmt *parseScan(Parsing &p, const Token &first);
static Stmt *parseCarry(Parsing &p, const Token &first);
static Stmt *parseGather(Parsing &p, const Token &first);
static Stmt *parseScatter(Parsing &p, const Token &first);
static Stmt *parseWindow(Parsing &p, const Token &first);
static Stmt *parseBoxes(Parsing &p, const Token &first);
static Stmt *parseBoundary(Parsing &p, const Token &first);
static Stmt *parseCheck(Parsing &p, const Token &first);

Stmt *parseCommunication(Parsing &p, const Token &first) {
  auto parse = StringSwitch<Stmt *(*)(Parsing &, const Token &)>(first.text)
                   .Case("shift", &parseShift)
                   .Cases("flood", "flood-begin", &parseFlood)
                   .Cases("put", "put-wrap", &parsePut)
                   .Case("fold", &parseFold)
                   .Case("combine-array", &parseCombineArray)
                   .Cases("scan", "scan-begin", &parseScan)
                   .Case("carry", &parseCarry)
                   .Cases("flood-end", "scan-end", &parseOperatorEnd)
                   .Case("wave", &parseWave)
                   .Case("interleave", &parseInterleave)
                   .Case("strips", &parseStrips)
                   .Case("gather", &parseGather)
                   .Case("scatter", &parseScatter)
                   .Case("window", &parseWindow)
                   .Case("boxes", &parseBoxes)
                   .Cases("wrap", "reflect", &parseBoundary)
                   .Case("check", &parseCheck)
                   .Default(nullptr);
  return parse ? parse(p, first) : nullptr;
}

bool parseMask(Parsing &p, Mask &mask) {
  if (!accept(p, "where"))
    return true;
  mask.value = !accept(p, "not");
  return (mask.array = parseArray(p)) != nullptr;
}

/// Whether the value depends on the index.
static bool isElementCode(const Expr &expr) {
  bool found = false;
  forEachExpr(expr, [&](const Expr &e) {
    found |= isa<ElementExpr, IndexExpr, RemapExpr>(e);
  });
  return found;
}

bool parseMaps(Parsing &p, MapVector &maps) {
  ExprVector exprs;
  if (!expect(p, "at") || !parseOperands(p, exprs))
    return false;
  for (const Expr *expr : exprs) {
    Map &map = maps.emplace_back();
    auto *element = dyn_cast<ElementExpr>(expr);
    if (element && !element->isShifted() && element->walker < 0)
      map.array = element->array;
    else if (auto *index = dyn_cast<IndexExpr>(expr))
      map.dim = index->dim;
    else if (isElementCode(*expr))
      map.value = expr;
    else
      map.scalar = expr;
  }
  return true;
}

static Stmt *parseShift(Parsing &p, const Token &first) {
  SmallVector<ShiftView, 4> views;
  auto view = [&] {
    ExprVector direction;
    Array *target = parseArray(p);
    if (!target || !expect(p, "by") || !parseOperands(p, direction))
      return false;
    bool wraps = accept(p, "wrap");
    views.push_back({target, direction, wraps});
    return true;
  };
  Array *source = nullptr;
  Region *region = nullptr;
  if (!expect(p, "{") || !parseList(p, "}", view) || !expect(p, "=") ||
      !(source = parseArray(p)) || !expect(p, "over") ||
      !(region = parseRegion(p)))
    return nullptr;
  Transfer *sends = nullptr;
  if (accept(p, "sends") && !(sends = parseTransfer(p)))
    return nullptr;
  auto *stmt =
      p.module.make<ShiftStmt>(source, region, views, rangeFrom(p, first));
  stmt->sends = sends;
  return stmt;
}

static Stmt *parseFlood(Parsing &p, const Token &first) {
  Array *target = parseArray(p), *source = nullptr;
  Region *from = nullptr;
  if (!target || !expect(p, "=") || !(source = parseArray(p)) ||
      !expect(p, "from") || !(from = parseRegion(p)))
    return nullptr;
  const Expr *times = nullptr, *slot = nullptr;
  if (accept(p, "slot")) {
    if (!(slot = parseExpr(p)) || !expect(p, "of") || !(times = parseExpr(p)))
      return nullptr;
  } else if (accept(p, "times") && !(times = parseExpr(p))) {
    return nullptr;
  }
  auto *stmt =
      p.module.make<FloodStmt>(target, source, from, rangeFrom(p, first));
  stmt->times = times;
  stmt->slot = slot;
  stmt->begins = first.text == "flood-begin";
  return stmt;
}

static Stmt *parseOperatorEnd(Parsing &p, const Token &first) {
  Array *target = parseArray(p);
  return target ? p.module.make<OperatorEndStmt>(
                      target, first.text == "scan-end", rangeFrom(p, first))
                : nullptr;
}

static Stmt *parsePut(Parsing &p, const Token &first) {
  Array *target = parseArray(p), *source = nullptr;
  Region *region = nullptr;
  ExprVector direction;
  Mask mask;
  std::string text;
  if (!target || !expect(p, "by") || !parseOperands(p, direction) ||
      !expect(p, "=") || !(source = parseArray(p)) || !expect(p, "over") ||
      !(region = parseRegion(p)) || !parseMask(p, mask) ||
      !parseOptionalString(p, text))
    return nullptr;
  auto *stmt = p.module.make<PutStmt>(target, source, region, direction,
                                      first.text == "put-wrap", mask,
                                      rangeFrom(p, first));
  stmt->text = text;
  return stmt;
}

static Stmt *parseFold(Parsing &p, const Token &first) {
  Token name = peek(p);
  const Named *target = parseNamed(p);
  if (target && !target->array && !target->variable) {
    fail(p, name, "'" + name.text + "' is neither a variable nor an array");
    return nullptr;
  }
  Array *source = nullptr;
  Reduction op;
  Region *region = nullptr;
  Mask mask;
  if (!target || !expect(p, "=") || !parseReduction(p, op) ||
      !(source = parseArray(p)) || !expect(p, "over") ||
      !(region = parseRegion(p)) || !parseMask(p, mask))
    return nullptr;
  return p.module.make<FoldStmt>(target->array, target->variable, op, source,
                                 region, mask, rangeFrom(p, first));
}

static Stmt *parseCombineArray(Parsing &p, const Token &first) {
  SmallVector<CombineArrayStmt::Value, 4> values;
  do {
    auto &[op, with, array] = values.emplace_back();
    if (!parseReduction(p, op, with) || !(array = parseArray(p)))
      return nullptr;
  } while (accept(p, ","));
  SmallVector<unsigned, 6> dims;
  if (!expect(p, "dims") || !expect(p, "(") || !parseList(p, ")", [&] {
        return parseUnsigned(p, dims.emplace_back(), 64);
      }))
    return nullptr;
  auto *stmt = p.module.make<CombineArrayStmt>(values[0].op, values[0].array,
                                               dims, rangeFrom(p, first));
  stmt->with = values[0].with;
  stmt->others.append(values.begin() + 1, values.end());
  return stmt;
}

bool parseScanDims(Parsing &p, SmallVectorImpl<int> &dims) {
  return expect(p, "(") && parseList(p, ")", [&] {
           Token token = peek(p);
           int64_t dim = 0;
           if (!parseInteger(p, dim))
             return false;
           if (dim < -64 || dim > 64)
             return fail(p, token, "expected a number from -64 to 64");
           dims.push_back(int(dim));
           return true;
         });
}

static Stmt *parseCarry(Parsing &p, const Token &first) {
  Array *array = parseArray(p), *restarts = nullptr;
  Region *region = nullptr;
  if (!array || !expect(p, "over") || !(region = parseRegion(p)) ||
      (accept(p, "restarts") && !(restarts = parseArray(p))))
    return nullptr;
  auto *stmt = p.module.make<CombineArrayStmt>(
      array->carryOp, array, ArrayRef<unsigned>(), rangeFrom(p, first));
  stmt->carriesOver = region;
  stmt->restarts = restarts;
  return stmt;
}

static Stmt *parseScan(Parsing &p, const Token &first) {
  Array *target = parseArray(p), *source = nullptr;
  Reduction op;
  Procedure *with = nullptr, *identity = nullptr;
  Region *region = nullptr;
  SmallVector<int, 6> dims;
  if (!target || !expect(p, "=") || !parseReduction(p, op, with) ||
      (with && !(expect(p, "from") && (identity = parseProcedureName(p)))) ||
      !(source = parseArray(p)) || !expect(p, "over") ||
      !(region = parseRegion(p)) || !expect(p, "dims") ||
      !parseScanDims(p, dims))
    return nullptr;
  auto *stmt = p.module.make<ScanStmt>(target, source, op, region, dims,
                                       range(p, first));
  stmt->with = with;
  stmt->identity = identity;
  stmt->begins = first.text == "scan-begin";
  stmt->inclusive = accept(p, "inclusive");
  stmt->reproducible = accept(p, "reproducible");
  if ((accept(p, "segment") && !(stmt->segment = parseArray(p))) ||
      !parseMask(p, stmt->mask))
    return nullptr;
  stmt->range = rangeFrom(p, first);
  return stmt;
}

static Stmt *parseGather(Parsing &p, const Token &first) {
  Array *target = parseArray(p), *source = nullptr;
  MapVector maps;
  Region *region = nullptr;
  Mask mask;
  if (!target || !expect(p, "=") || !(source = parseArray(p)) ||
      !parseMaps(p, maps) || !expect(p, "over") || !(region = parseRegion(p)) ||
      !parseMask(p, mask))
    return nullptr;
  return p.module.make<GatherStmt>(target, source, maps, region, mask,
                                   rangeFrom(p, first));
}

static Stmt *parseScatter(Parsing &p, const Token &first) {
  Array *target = parseArray(p), *source = nullptr;
  MapVector maps;
  Region *region = nullptr;
  Procedure *combine = nullptr;
  Mask mask;
  if (!target || !parseMaps(p, maps) || !expect(p, "=") ||
      !(source = parseArray(p)) || !expect(p, "over") ||
      !(region = parseRegion(p)) ||
      (accept(p, "with") && !(combine = parseProcedureName(p))))
    return nullptr;
  bool isOrdered = accept(p, "ordered");
  if (!parseMask(p, mask))
    return nullptr;
  auto *stmt = p.module.make<ScatterStmt>(target, source, maps, region, combine,
                                          mask, rangeFrom(p, first));
  stmt->ordered = isOrdered;
  return stmt;
}

/// `{%P at (maps) where %M "A#[I]", ...}`
static bool parseReferences(Parsing &p, WindowStmt &window) {
  auto reference = [&] {
    Token first = peek(p);
    MapVector maps;
    std::string text;
    WindowReference made{};
    if (!(made.positions = parseArray(p)) || !parseMaps(p, maps) ||
        !parseMask(p, made.mask) || !parseString(p, text))
      return false;
    made.maps.assign(maps.begin(), maps.end());
    made.text = p.module.copy(text);
    made.range = rangeFrom(p, first);
    window.references.push_back(std::move(made));
    return true;
  };
  return expect(p, "{") && parseList(p, "}", reference);
}

static Stmt *parseWindow(Parsing &p, const Token &first) {
  Token word = peek(p);
  auto form = StringSwitch<int>(word.text)
                  .Case("fetch", WindowStmt::Fetch)
                  .Case("copy", WindowStmt::Copy)
                  .Case("image", WindowStmt::Image)
                  .Case("merge", WindowStmt::Merge)
                  .Case("confirm", WindowStmt::Confirm)
                  .Default(-1);
  if (form < 0) {
    fail(p, word, "expected what is done with a window");
    return nullptr;
  }
  next(p);
  auto *stmt = p.module.make<WindowStmt>(static_cast<WindowStmt::Form>(form),
                                         nullptr, nullptr, range(p, first));
  if (form == WindowStmt::Confirm)
    return stmt;
  Array *left = parseArray(p), *right = nullptr;
  if (!left || !expect(p, "=") || !(right = parseArray(p)) ||
      (accept(p, "with") && !(stmt->combine = parseProcedureName(p))))
    return nullptr;
  bool isMerge = form == WindowStmt::Merge;
  stmt->window = isMerge ? right : left;
  stmt->array = isMerge ? left : right;
  bool hasReferences =
      form == WindowStmt::Fetch ? expect(p, "over") : accept(p, "over");
  if (hasReferences
          ? !(stmt->region = parseRegion(p)) || !parseReferences(p, *stmt)
          : form == WindowStmt::Fetch)
    return nullptr;
  stmt->withNext = accept(p, "with");
  if (stmt->withNext && !expect(p, "next"))
    return nullptr;
  for (bool has = accept(p, "and"); has; has = accept(p, ","))
    if (Array *other = parseArray(p))
      stmt->others.push_back(other);
    else
      return nullptr;
  stmt->range = rangeFrom(p, first);
  return stmt;
}

static Stmt *parseBoxes(Parsing &p, const Token &first) {
  Region *box = parseRegion(p), *region = nullptr;
  Array *window = nullptr, *array = nullptr;
  MapVector maps;
  std::string text;
  if (!box || !expect(p, "of") || !(region = parseRegion(p)) ||
      !expect(p, "with") || !(window = parseArray(p)) || !expect(p, "=") ||
      !(array = parseArray(p)) || !parseMaps(p, maps) || !parseString(p, text))
    return nullptr;
  auto *stmt =
      p.module.make<BoxesStmt>(box, region, window, array, maps,
                               p.module.copy(text), rangeFrom(p, first));
  return parseBlock(p, stmt->body) ? stmt : nullptr;
}

static Stmt *parseBoundary(Parsing &p, const Token &first) {
  Array *array = parseArray(p);
  ExprVector direction;
  Region *base = nullptr;
  if (!array || !expect(p, "by") || !parseOperands(p, direction) ||
      !expect(p, "of") || !(base = parseRegion(p)))
    return nullptr;
  return p.module.make<BoundaryStmt>(
      array, base, direction, first.text == "reflect", rangeFrom(p, first));
}

static Stmt *parseCheck(Parsing &p, const Token &first) {
  auto kind = StringSwitch<int>(peek(p).text)
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
    return fail(p, peek(p), "expected what is checked: 'read', 'write' ..."),
           nullptr;
  next(p);
  bool hasArray = kind != CheckStmt::Bounds && kind != CheckStmt::Conform;
  auto *stmt =
      p.module.make<CheckStmt>(CheckStmt::Kind(kind), nullptr, nullptr,
                               ArrayRef<const Expr *>(), "", range(p, first));
  if ((hasArray && !(stmt->array = parseArray(p))) ||
      (kind == CheckStmt::Maps && !parseMaps(p, stmt->maps)) ||
      (hasArray && !expect(p, "over")) || !(stmt->region = parseRegion(p)) ||
      (kind == CheckStmt::Conform &&
       !(expect(p, "over") && (stmt->over = parseRegion(p)))) ||
      (accept(p, "at") && !parseOperands(p, stmt->direction)) ||
      !parseMask(p, stmt->mask) || !parseOptionalString(p, stmt->text))
    return nullptr;
  stmt->range = rangeFrom(p, first);
  return stmt;
}

} // namespace zpl::air
