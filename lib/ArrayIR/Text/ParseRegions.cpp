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

#include "Text/ParserImpl.h"

using namespace llvm;

namespace zpl::air {

Stmt *Parser::parseSetRegion(const Token &first) {
  Region *target = parseRegion();
  RegionExpr value;
  if (!target || !expect("=") || !parseRegionExpr(value) ||
      (accept("level") && !(value.level = parseExpr())))
    return nullptr;
  return module.make<SetRegionStmt>(target, std::move(value), rangeFrom(first));
}

bool Parser::parseRegionExpr(RegionExpr &value) {
  if (accept("[")) {
    value.kind = RegionExpr::Dims;
    bool dims = parseList("]", [&] {
      DimExpr &dim = value.dims.emplace_back();
      if (accept("_"))
        return true;
      if (accept("*")) {
        dim.kind = DimExpr::Flood;
        return true;
      }
      if (accept("::")) {
        dim.kind = DimExpr::Grid;
        return true;
      }
      if (accept("seq"))
        return parseSeq(dim);
      dim.kind = DimExpr::Single;
      if (!(dim.lo = parseExpr()))
        return false;
      if (!accept(".."))
        return true;
      dim.kind = DimExpr::Range;
      return (dim.hi = parseExpr()) != nullptr;
    });
    return dims && (!accept("from") || (value.base = parseRegion()));
  }
  if (accept("declared")) {
    value.kind = RegionExpr::Declared;
    return (value.array = parseArray()) != nullptr;
  }
  if (at_("(")) {
    if (!parseOperands(value.direction))
      return false;
    value.kind = at_("of") ? RegionExpr::Of : RegionExpr::In;
    return (accept("of") || expect("in")) && (value.base = parseRegion());
  }
  if (!(value.base = parseRegion()))
    return false;
  if (!at_("at") && !at_("by"))
    return true;
  value.kind = at_("at") ? RegionExpr::At : RegionExpr::By;
  next();
  return parseOperands(value.direction);
}

/// `seq(lo, hi, stride, align)`, after the keyword.
bool Parser::parseSeq(DimExpr &dim) {
  Token token = peek();
  ExprVector parts;
  if (!parseOperands(parts))
    return false;
  if (parts.size() != 4) {
    fail(token, "a sequence has four parts");
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
