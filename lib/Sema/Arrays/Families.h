//===- Families.h - Indexed arrays of parallel arrays -----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A family is an indexed array of parallel arrays,
/// `var U: array [0..k] of [Level[index1]] double`: `U[i]` is one of them. Its
/// type is an indexed array type whose innermost elements stand for members;
/// members may have different regions.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_ARRAYS_FAMILIES_H
#define ZPL_LIB_SEMA_ARRAYS_FAMILIES_H

#include "Check/Checking.h"

namespace zpl::sema {

/// The type of a family as it is written.
struct FamilySyntax {
  llvm::SmallVector<const ast::IndexedArrayType *, 2> levels;
  const ast::ParallelType *member = nullptr; ///< null: it is no family
};

/// `U` without subscripts, of the family's indexed array type.
const Expr *wholeFamily(Checking &c, Array &symbol, const ast::NameRef &e);

/// Whether \p value is not a family that lacks subscripts; reports `U` or
/// `U[1]` of two levels where one parallel array should stand.
bool checkFinished(Checking &c, const Expr *value);

/// `family[subscripts]`, where \p family may have levels left: one more level
/// is selected. \p subscripts have been checked and evaluated first.
const Expr *memberOf(Checking &c, const ArrayExpr &family,
                     llvm::ArrayRef<const Expr *> subscripts,
                     SourceRange range);

/// The same of subscripts as written. Reports subscripts that are free,
/// array-valued, of a wrong type or outside of constant bounds.
const Expr *memberAt(Checking &c, const ArrayExpr &family,
                     llvm::ArrayRef<const ast::Expr *> indices,
                     SourceRange range);

/// `U{i}`, `U{}`: the member of a family with one dimension; `{}` is the index
/// of the definition at hand or of the covering region.
const Expr *multiMember(Checking &c, const ast::Multi &e,
                        const ArrayExpr &family);

/// The levels of indexed arrays that \p type consists of, if parallel arrays
/// stand below them, as in `array [1..2] of [R] double` or the name of such a
/// type; else `member` is null. Does not report that.
FamilySyntax familySyntax(Checking &c, const ast::TypeExpr &type);

/// Makes \p array the formal `U: array [] of [ , ] T` or
/// `U: array [0..k] of [Level[index1]] T`. After a report its element has type
/// Error.
void formalFamily(Checking &c, const FamilySyntax &syntax, Array &array);

/// Says for the check of a member's region that `index1` ... are the position
/// of the member of \p array at hand (Array::member). Checking::blanks has no
/// levels yet.
void leadWithMember(Checking &c, const Array &array);

/// Declares the names of \p d, a declaration whose type is the family
/// \p syntax. Reports config and free families, missing values of constants,
/// wrong bounds; the name is then a dummy.
void familyVariables(Checking &c, const ast::VariableDecl &d,
                     const FamilySyntax &syntax);

/// Declares \p array over \p declared. It follows the region if that is the
/// value of a variable: `var R: region<..>; A: [R] double`.
void setDeclared(Array &array, const RegionExpr &declared);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_ARRAYS_FAMILIES_H
