//===- Multi.h - The multi notation -----------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Indexed arrays of regions, directions and parallel arrays, written
/// `Level{i}`: `{}` is the index of what the reference stands in.
/// `region Level{0..k} = ...` defines one, with `{}` as the index at hand;
/// `A@step{}` takes the index of A's region, `[Level{i}] U{}` that of the
/// covering region.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_ARRAYS_MULTI_H
#define ZPL_LIB_SEMA_ARRAYS_MULTI_H

#include "Check/Checking.h"

namespace zpl::sema {

/// What `{}` is where nothing nearer gives it: the index of the multi-region
/// that the covering region of rank \p rank is of. Null after a report: nothing
/// covers the code.
const Expr *levelOfCover(Checking &c, unsigned rank, SourceRange range);

/// The direction \p e that is applied to \p region or \p array (`A@step{}`,
/// `step{} of R`), whose `{}` is that one's index; both null: it is applied to
/// nothing. None after a report.
std::optional<DirectionExprs> directionFor(Checking &c, const ast::Expr &e,
                                           const RegionExpr *region,
                                           const ArrayExpr *array);

/// The index in `Level{i - 1}`, of a reference \p e to an array with the index
/// type \p index. \p inherited gives what `{}` stands for, null after a report,
/// and is called only if `{}` occurs. Its value has type Error after a report.
const Expr *multiIndex(Checking &c, const ast::Multi &e, Type index,
                       llvm::function_ref<const Expr *()> inherited);

/// `Level{i}`, `step{}`, `U{}`: an element of an array of regions or
/// directions, or a member of a family. \p levels counts blank references, as
/// in checkDesignator. Reports arrays of more dimensions, other elements,
/// constants out of bounds.
const Expr *multiElement(Checking &c, const ast::Multi &e, unsigned &levels);

/// `{}` alone, as a value in an index or a definition; reports it elsewhere.
const Expr *multiParam(Checking &c, const ast::MultiParam &e);

/// The indices in the definition `region Level{lo..hi} = value`; if it says
/// none, those of the first array that \p value refers to with `{}`. \p text
/// becomes the bounds as written. None after a report.
std::optional<DimType> multiRange(Checking &c, const ast::DefinedName &name,
                                  const ast::Expr &value, std::string &text);

/// Declares `region Level{0..k} = value` or the same with `direction` (\p kind)
/// as a constant indexed array, set up by a loop over \p value. After a report
/// the name is a dummy.
void multiDefinition(Checking &c, const ast::DefinedName &name, Type::Kind kind,
                     const ast::Expr &value);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_ARRAYS_MULTI_H
