//===- RegionValues.h - Variables of regions and directions -----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The values of regions and directions are the bytes of an indexed array of
/// longints. See RegionValues.cpp.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_INTERPRET_REGIONS_REGIONVALUES_H
#define ZPL_LIB_INTERPRET_REGIONS_REGIONVALUES_H

#include "Run.h"

namespace zpl::interpreter {

/// The value of a region expression for a region variable.
Value regionValue(Run &run, const sema::RegionExpr &expr);

/// The value of a direction, whose components are checked against the type.
Value directionValue(Run &run, const sema::DirectionValueExpr *expr);

/// `R := region`: stores the value and makes the arrays over R anew.
void assign(Run &run, const sema::RegionAssignStmt *stmt);

/// Gives \p region the pattern with the number \p number.
void takePattern(Run &run, Region &region, int64_t number);

/// The number of the pattern of \p region; 0: it is dense.
int64_t patternNumber(Run &run, const Region &region);

/// Ends the run if the variable that \p expr is the value of has none.
void checkSet(Run &run, const sema::RegionExpr &expr);

/// Ends the run if component \p number of a direction is not what \p type says.
void checkComponent(Run &run, int64_t value, Type type, unsigned number,
                    SourceRange where);

} // namespace zpl::interpreter

#endif // ZPL_LIB_INTERPRET_REGIONS_REGIONVALUES_H
