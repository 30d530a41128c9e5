//===- PatternInput.cpp - Patterns that are read --------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     region S = [1..n, 1..n] where ?;      var V: region<.., ..>;
//
//     read(f, S)      S := its bounds, the indices that f lists
//     read(f, V)      V := [1..shape(f, 1), 1..shape(f, 2)] where ?
//                     V := its bounds, the indices that f lists
//
// A named region keeps its bounds, which the run compares with the file; a
// variable gets those of the file, as when it is assigned as a whole.
//
//===----------------------------------------------------------------------===//

#include "Sparse/PatternInput.h"
#include "Check/Designators.h"
#include "Check/FirstValues.h"
#include "Check/Operators.h"
#include "Check/Values.h"
#include "Program/Free.h"
#include "Sparse/Modify.h"
#include "Sparse/SparseRegions.h"
#include "Statements/Assign.h"
#include "Types/Types.h"
#include "Types/ValueTypes.h"

namespace zpl::sema {

bool isReadRegion(const Checking &c, const ast::Expr &e) {
  return namedRegionOf(c, e) || kindOf(c, e) == Type::Region;
}

/// `[1..shape(file, 1), ...] where ?`
static const RegionExpr *shapeOfFile(Checking &c, const Expr *file,
                                     unsigned rank, SourceRange range) {
  auto *bounds = c.program.make<RegionExpr>();
  bounds->kind = RegionExpr::Dims;
  bounds->rank = rank;
  bounds->range = range;
  for (unsigned d = 1; d <= rank; ++d) {
    const Expr *args[] = {file, c.build.integer(d, Type::Integer, range)};
    auto *extent = c.program.make<BuiltinExpr>(Builtin::FileShape, args,
                                               Type::Integer, range);
    RegionDim dim;
    dim.kind = RegionDim::Range;
    dim.lo = c.build.integer(1, Type::Longint, range);
    dim.hi = c.build.cast(extent, Type::Longint);
    bounds->dims.push_back(dim);
  }
  return whereNode(c, bounds, nullptr, range);
}

void readPattern(Checking &c, const ast::Expr &e, const Expr *file,
                 SourceRange range, StmtList &to) {
  const RegionExpr *target = nullptr;
  if (namedRegionOf(c, e)) {
    target = patternTarget(c, e);
  } else if (const Expr *place = checkTarget(c, e); place && !isError(place)) {
    if (reportFreePlace(c, place))
      return;
    place = onceOnly(c, withFirstSubscripts(c, place), to);
    const RegionExpr *bounds =
        shapeOfFile(c, file, rankOf(place->type), e.range);
    if (!fitsRegion(c, *bounds, place->type))
      return;
    c.types.setSparse(place->type);
    to.push_back(regionAssignment(c, place, bounds, /*preserves=*/true, range));
    target = regionOf(c, place);
  }
  if (!target)
    return;
  auto *made = c.program.make<PatternAssignStmt>(PatternAssignStmt::Set, target,
                                                 boundsOf(c, target), range);
  made->file = file;
  to.push_back(made);
}

} // namespace zpl::sema
