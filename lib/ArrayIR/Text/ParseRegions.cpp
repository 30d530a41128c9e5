//===- ParseRegions.cpp - Text to array IR: region expressions ------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     region %S = [1 .. @n, seq(%lo, %hi, %by, %align), *, _] from @R level %l
//     region %S = (i64 -1, i64 0) of @R
//     region %S = @R by (i64 2, i64 2)
//     region %S = declared %A
//
// The first token tells the form apart. Linear in the text.
//
//===----------------------------------------------------------------------===//

#include "Text/ParseRegions.h"
#include "Text/ParseExpressions.h"
#include "Text/Parser.h"
#include "Text/Parsing.h"

using namespace llvm;

namespace zpl::air {

static bool parseRegionExpr(Parsing &p, RegionExpr &value);
static bool parseSeq(Parsing &p, DimExpr &dim);

Stmt *parseSetRegion(Parsing &p, const Token &first) {
  Region *target = parseRegion(p);
  RegionExpr value;
  if (!target || !expect(p, "=") || !parseRegionExpr(p, value) ||
      (accept(p, "level") && !(value.level = parseExpr(p))))
    return nullptr;
  return p.module.make<SetRegionStmt>(target, std::move(value),
                                      rangeFrom(p, first));
}

/// `_`, `*`, `::`, `seq(...)`, `%k` or `%lo .. %hi`.
static bool parseDim(Parsing &p, DimExpr &dim) {
  if (accept(p, "_"))
    return true;
  if (accept(p, "*")) {
    dim.kind = DimExpr::Flood;
    return true;
  }
  if (accept(p, "::")) {
    dim.kind = DimExpr::Grid;
    return true;
  }
  if (accept(p, "seq"))
    return parseSeq(p, dim);
  dim.kind = DimExpr::Single;
  if (!(dim.lo = parseExpr(p)))
    return false;
  if (!accept(p, ".."))
    return true;
  dim.kind = DimExpr::Range;
  return (dim.hi = parseExpr(p)) != nullptr;
}

/// After `[`: the dimensions, and what they are from.
static bool parseDims(Parsing &p, RegionExpr &value) {
  value.kind = RegionExpr::Dims;
  return parseList(p, "]",
                   [&] { return parseDim(p, value.dims.emplace_back()); }) &&
         (!accept(p, "from") || (value.base = parseRegion(p))) &&
         (!accept(p, "pattern") || (value.pattern = parsePlace(p)));
}

/// After `where`: what chooses the indices.
static bool parseWhere(Parsing &p, RegionExpr &value) {
  value.kind = RegionExpr::Where;
  if (accept(p, "each"))
    return (value.condition = parseExpr(p)) != nullptr;
  value.isWhole = accept(p, "all");
  return value.isWhole || accept(p, "undefined") ||
         (value.array = parseArray(p)) != nullptr;
}

static bool parseRegionExpr(Parsing &p, RegionExpr &value) {
  if (accept(p, "["))
    return parseDims(p, value);
  if (accept(p, "declared")) {
    value.kind = RegionExpr::Declared;
    return (value.array = parseArray(p)) != nullptr;
  }
  if (isAt(p, "(")) {
    if (!parseOperands(p, value.direction))
      return false;
    value.kind = isAt(p, "of") ? RegionExpr::Of : RegionExpr::In;
    return (accept(p, "of") || expect(p, "in")) &&
           (value.base = parseRegion(p));
  }
  if (!(value.base = parseRegion(p)))
    return false;
  if (accept(p, "where"))
    return parseWhere(p, value);
  if (!isAt(p, "at") && !isAt(p, "by"))
    return true;
  value.kind = isAt(p, "at") ? RegionExpr::At : RegionExpr::By;
  next(p);
  return parseOperands(p, value.direction);
}

/// `seq(lo, hi, stride, align)`, after the keyword.
static bool parseSeq(Parsing &p, DimExpr &dim) {
  Token token = peek(p);
  ExprVector parts;
  if (!parseOperands(p, parts))
    return false;
  if (parts.size() != 4) {
    fail(p, token, "a sequence has four parts");
    return false;
  }
  dim.kind = DimExpr::Seq;
  dim.lo = parts[0];
  dim.hi = parts[1];
  dim.stride = parts[2];
  dim.align = parts[3];
  return true;
}

} // namespace zpl::air
