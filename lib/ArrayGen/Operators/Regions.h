//===- Regions.h - Region expressions ---------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Regions are evaluated when their scope is opened, into an air::Region. What
/// they are made of is evaluated here, bounds and directions from left to
/// right. See Regions.cpp.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYGEN_OPERATORS_REGIONS_H
#define ZPL_LIB_ARRAYGEN_OPERATORS_REGIONS_H

#include "ProcedureState.h"

namespace zpl::arraygen {

/// Appends `region target = expr`, and a Bounds check if a bound could lie
/// outside 32 bits. Notes the value for areDisjoint().
void setRegion(ProcedureState &p, air::Region *target,
               const sema::RegionExpr &expr);

/// A region that holds the value of \p expr: an existing one where that is
/// possible, else a new local one called like \p name.
air::Region *evaluate(ProcedureState &p, const sema::RegionExpr &expr,
                      llvm::StringRef name);

/// The shape of the region, under the regions that cover here. Appends nothing.
air::Shape shapeOf(const ProcedureState &p, const sema::RegionExpr &expr);

/// The value of the region but for its level: neither is that evaluated, nor is
/// it checked that a region variable has a value.
air::RegionExpr unleveled(ProcedureState &p, const sema::RegionExpr &expr);

/// The region over which \p array is declared; a new one, set here, if only the
/// runtime knows: of a parameter, a member, or an array over a variable.
air::Region *declaredRegion(ProcedureState &p, air::Array *array,
                            SourceRange range);

/// Calls \p generate with \p cover as the covering region of its rank.
void open(ProcedureState &p, Cover cover, llvm::function_ref<void()> generate);

} // namespace zpl::arraygen

#endif // ZPL_LIB_ARRAYGEN_OPERATORS_REGIONS_H
