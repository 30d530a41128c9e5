//===- PrintCommunication.cpp - Array operators and checks to text --------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The statements that the runtime executes have one pattern: what they do, the
// target, the source, the region, the mask.
//
//     put-wrap @A by (i32 0, i32 1) = %T over %R where not %M
//     scan %T = sum @A over %R dims (2, -1) inclusive
//     gather %T = @A at (@I, index(1), i32 3) over %R
//
// ParseCommunication.cpp reads them.
//
//===----------------------------------------------------------------------===//

#include "Text/Lexer.h"
#include "Text/PrinterImpl.h"

using namespace llvm;

namespace zpl::air {

void Printer::over(const Region *region) {
  os << " over ";
  name(region);
}

void Printer::mask(const Mask &mask) {
  if (!mask.array)
    return;
  os << (mask.value ? " where " : " where not ");
  name(mask.array);
}

void Printer::maps(ArrayRef<Map> maps) {
  os << " at (";
  commas(maps, [&](const Map &map) {
    if (map.array)
      name(map.array);
    else if (map.scalar)
      expr(map.scalar);
    else if (map.value)
      expr(map.value);
    else
      os << "index(" << map.dim << ')';
  });
  os << ')';
}

void Printer::shift(const ShiftStmt &stmt) {
  os << "shift {";
  commas(stmt.views, [&](const ShiftView &view) {
    name(view.target), os << " by ", operands(view.direction);
    os << (view.wraps ? " wrap" : "");
  });
  os << "} = ", name(stmt.source);
  over(stmt.region);
  if (stmt.sends)
    os << " sends ", name(stmt.sends);
}

void Printer::flood(const FloodStmt &stmt) {
  os << (stmt.begins ? "flood-begin " : "flood ");
  name(stmt.target), os << " = ", name(stmt.source);
  os << " from ", name(stmt.from);
  if (stmt.slot)
    os << " slot ", expr(stmt.slot), os << " of ", expr(stmt.times);
  else if (stmt.times)
    os << " times ", expr(stmt.times);
}

void Printer::put(const PutStmt &stmt) {
  os << (stmt.wraps ? "put-wrap " : "put ");
  name(stmt.target);
  os << " by ", operands(stmt.direction);
  os << " = ", name(stmt.source);
  over(stmt.region);
  mask(stmt.mask);
  optionalText(stmt.text);
}

void Printer::fold(const FoldStmt &stmt) {
  os << "fold ";
  if (stmt.target)
    name(stmt.target);
  else
    name(stmt.variable);
  os << " = " << text(stmt.op) << ' ', name(stmt.source);
  over(stmt.region);
  mask(stmt.mask);
}

void Printer::reduction(Reduction op, const Procedure *with) {
  if (with)
    os << "with ", name(with);
  else
    os << text(op);
}

void Printer::combineArray(const CombineArrayStmt &stmt) {
  if (stmt.carriesOver) {
    os << "carry ";
    name(stmt.array), over(stmt.carriesOver);
    if (stmt.restarts)
      os << " restarts ", name(stmt.restarts);
    return;
  }
  os << "combine-array ";
  for (auto [k, value] : enumerate(stmt.values())) {
    os << (k ? ", " : "");
    reduction(value.op, value.with);
    os << ' ', name(value.array);
  }
  os << " dims (";
  commas(stmt.dims, [&](unsigned dim) { os << dim; });
  os << ')';
}

void Printer::scan(const ScanStmt &stmt) {
  os << (stmt.begins ? "scan-begin " : "scan ");
  name(stmt.target), os << " = ";
  reduction(stmt.op, stmt.with);
  if (stmt.with)
    os << " from ", name(stmt.identity);
  os << ' ', name(stmt.source);
  over(stmt.region);
  os << " dims (";
  commas(stmt.dims, [&](int dim) { os << dim; });
  os << ')';
  if (stmt.inclusive)
    os << " inclusive";
  if (stmt.reproducible)
    os << " reproducible";
  if (stmt.segment)
    os << " segment ", name(stmt.segment);
  mask(stmt.mask);
}

void Printer::gather(const GatherStmt &stmt) {
  os << "gather ";
  name(stmt.target), os << " = ", name(stmt.source);
  maps(stmt.maps);
  over(stmt.region);
  mask(stmt.mask);
}

void Printer::scatter(const ScatterStmt &stmt) {
  os << "scatter ";
  name(stmt.target);
  maps(stmt.maps);
  os << " = ", name(stmt.source);
  over(stmt.region);
  if (stmt.combine)
    os << " with ", name(stmt.combine);
  if (stmt.ordered)
    os << " ordered";
  mask(stmt.mask);
}

void Printer::window(const WindowStmt &stmt) {
  static constexpr const char *Forms[] = {"fetch", "copy", "image", "merge",
                                          "confirm"};
  os << "window " << Forms[stmt.form];
  if (stmt.form == WindowStmt::Confirm)
    return;
  bool isMerge = stmt.form == WindowStmt::Merge;
  os << ' ', name(isMerge ? stmt.array : stmt.window);
  os << " = ", name(isMerge ? stmt.window : stmt.array);
  if (stmt.combine)
    os << " with ", name(stmt.combine);
  if (stmt.lends()) {
    over(stmt.region);
    os << " {";
    commas(stmt.references, [&](const WindowReference &reference) {
      name(reference.positions);
      maps(reference.maps);
      mask(reference.mask);
      os << ' ' << quote(reference.text);
    });
    os << '}';
  }
  if (stmt.withNext)
    os << " with next";
  if (stmt.others.empty())
    return;
  os << " and ";
  commas(stmt.others, [&](const Array *other) { name(other); });
}

void Printer::boxes(const BoxesStmt &stmt) {
  os << "boxes ";
  name(stmt.box);
  os << " of ", name(stmt.region);
  os << " with ", name(stmt.window);
  os << " = ", name(stmt.array);
  maps(stmt.maps);
  os << ' ' << quote(stmt.text) << ' ', block(stmt.body);
}

void Printer::boundary(const BoundaryStmt &stmt) {
  os << (stmt.reflects ? "reflect " : "wrap ");
  name(stmt.array);
  os << " by ", operands(stmt.direction);
  os << " of ", name(stmt.base);
}

void Printer::check(const CheckStmt &stmt) {
  static constexpr const char *Kinds[] = {
      "read", "write",   "formal", "bounds",      "wrap",
      "mask", "conform", "maps",   "wrap-border", "reflect-border"};
  os << "check " << Kinds[stmt.check];
  if (stmt.array)
    os << ' ', name(stmt.array);
  if (stmt.check == CheckStmt::Maps)
    maps(stmt.maps);
  if (stmt.array)
    over(stmt.region);
  else
    os << ' ', name(stmt.region);
  if (stmt.over)
    over(stmt.over);
  if (!stmt.direction.empty())
    os << " at ", operands(stmt.direction);
  mask(stmt.mask);
  optionalText(stmt.text);
}

} // namespace zpl::air
