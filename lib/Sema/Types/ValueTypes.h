//===- ValueTypes.h - Types of regions and directions -----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The types region and direction as written, and what expressions show of
/// themselves before they are checked: those that take a const Checking look at
/// the text and at names, and report nothing.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_TYPES_VALUETYPES_H
#define ZPL_LIB_SEMA_TYPES_VALUETYPES_H

#include "Check/Checking.h"

namespace zpl::sema {

/// Whether \p e stands for a region (kindOf).
bool isRegion(const Checking &c, const ast::Expr &e);

/// `region<.., *>`; `region` alone has the type of the initializer or argument
/// at hand. Error after a report.
Type regionType(Checking &c, const ast::RegionType &type);

/// `direction<+, 0, ->`; `direction` alone as regionType has it.
Type directionType(Checking &c, const ast::DirectionType &type);

/// \p type of a variable, field or element whose initializer is \p init (may be
/// null), from which an untyped `region` or `direction` takes its type. Error
/// after a report.
Type initializedType(Checking &c, const ast::TypeExpr &type,
                     const ast::Expr *init);

/// \p type of a function's result, which has no initializer to come from:
/// reports an untyped `region` or `direction`.
Type resultValueType(Checking &c, const ast::TypeExpr &type);

/// The type of what a name with fields and subscripts, or a call, means; Error:
/// unknown. Among overloads the first one counts.
Type designatedType(const Checking &c, const ast::Expr &e);

/// Region or Direction if \p e stands for one, by its form or by what its name
/// means; else Error. A list of values in brackets counts as a region.
Type::Kind kindOf(const Checking &c, const ast::Expr &e);

/// Whether \p e is a list of values in brackets, `[1, 2]`, `[k]`, which is a
/// region or a direction as the context wants it.
bool mayBeDirection(const Checking &c, const ast::Expr &e);

/// The type that \p e, of kind \p kind, Region or Direction, brings to an
/// untyped variable; Error if the text does not show it.
Type typeFrom(Checking &c, const ast::Expr &e, Type::Kind kind);

/// The number of components of the direction \p e; 0 if it is not known.
unsigned directionRank(const Checking &c, const ast::Expr &e);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_TYPES_VALUETYPES_H
