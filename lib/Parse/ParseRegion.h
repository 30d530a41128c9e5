//===- ParseRegion.h - Regions and directions -------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Regions, directions and what may be either. Brackets hold a region, a
/// direction or subscripts, which names decide, so that a bracket is a
/// RegionLit until asDirection() or a later phase knows better. No function
/// gives null.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_PARSE_PARSEREGION_H
#define ZPL_LIB_PARSE_PARSEREGION_H

#include "Parsing.h"

namespace zpl {

/// Expr | RegExpr | DirExpr, with suffixes and masks: `west of R by [2] with
/// M`. The caller says which of them it wants (asRegion, asDirection,
/// requireValue).
ast::Expr *parseArgument(Parsing &p);

/// Reads one of `at d`, `by d` and `name d` (a `regionop`) and puts it around
/// \p region; false at anything else. Reports a \p region that is none.
bool parseRegionSuffix(Parsing &p, ast::Expr *&region);

/// Reads one of `with M`, `without M`, `swith M`, `where e` and `where ?` and
/// puts it around \p region; false at anything else. Reports a \p region that
/// is none.
bool parseMask(Parsing &p, ast::Expr *&region);

/// At `[`: '[' Dim { ',' Dim } Operators ']', where Dim is [ Expr [ '..' Expr ] |
/// '*' | '::' | RegExpr ]. Operators behind the dimensions, `by d`, `with M`,
/// make them the region of the only dimension of the result. A region beside
/// other dimensions is reported.
ast::RegionLit *parseBracket(Parsing &p);

/// DirArg = Ref | Call | '[' Expr { ',' Expr } ']' | '(' DirExpr ')'. Anything
/// else is reported and starts a panic.
ast::Expr *parseDirection(Parsing &p);

/// \p expr as a direction: the dimensions of a bracket become the items of a
/// List. Reports a dimension that is no value and an expression that is no
/// direction.
ast::Expr *asDirection(Parsing &p, ast::Expr *expr);

/// \p expr as a region, without parentheses. Reports what cannot be one, `[R] +
/// 1`; a name may be one, which later phases decide.
ast::Expr *asRegion(Parsing &p, ast::Expr *expr);

} // namespace zpl

#endif // ZPL_LIB_PARSE_PARSEREGION_H
