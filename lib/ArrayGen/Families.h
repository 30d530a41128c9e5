//===- Families.h - Indexed arrays of parallel arrays -----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `var U: array [0..k] of [R] double` is a variable of handles; an array is
/// worked on by a view that `bind %U = @U[@l]` has bound to it. What is done to
/// all members is done in loops over the subscripts. See Families.cpp.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYGEN_FAMILIES_H
#define ZPL_LIB_ARRAYGEN_FAMILIES_H

#include "ProcedureState.h"

namespace zpl::arraygen {

/// The indexed array of handles that holds the arrays of \p array.
air::Type familyType(ProcedureState &p, const sema::Array *array);

/// The variable of a family, local or global, and the shape of its arrays.
const Family &family(const ProcedureState &p, const sema::Array *array);

/// If \p expr is a member of a family, appends `bind` of a view, unless one
/// that is bound to it already is still good. Once per reference, before
/// find().
void bind(ProcedureState &p, const sema::ArrayExpr *expr);

/// The array that the reference means: of a family, the view that bind() has
/// bound for it.
air::Array *find(const ProcedureState &p, const sema::ArrayExpr *expr);

/// The array of `region(A)` or `region(U[l])`; may append a `bind`.
air::Array *find(ProcedureState &p, const sema::RegionExpr &expr);

/// Whether two views of one family are surely bound to different members: their
/// subscripts differ by a constant, as of U[l] and U[l-1].
bool areDistinct(const Knowledge &known, const air::Array *a,
                 const air::Array *b);

/// Appends loops over all members and has \p generate append their body. It
/// gets the subscripts: hidden variables of \p array, or new ones of a
/// parameter.
void forEachMember(
    ProcedureState &p, const sema::Array *array, SourceRange range,
    llvm::function_ref<void(llvm::ArrayRef<const air::Expr *>)> generate);

/// A new view, and `bind` of it to the member with the subscripts \p indices.
air::Array *memberView(ProcedureState &p, const sema::Array *array,
                       llvm::ArrayRef<const air::Expr *> indices);

/// Makes, allocates and initializes a local family; freeLocals() frees it.
void addLocalFamily(ProcedureState &p, const sema::Array *array);

/// Tells the runtime the regions of a global family, but for those of region
/// variables, of which it is told elsewhere.
void declareFamily(ProcedureState &p, const sema::Array *array);

/// Evaluates the region of each member and allocates it.
void allocateFamily(ProcedureState &p, const sema::Array *array);

/// Gives each member its initial elements; nothing if none are written.
void initializeFamily(ProcedureState &p, const sema::Array *array);

/// Frees the members, not the variable.
void freeFamily(ProcedureState &p, const sema::Array *array, SourceRange range);

/// Adds the parameter, whose arrays have \p shape. Its type is set later, with
/// those of the others.
void addFamilyParameter(ProcedureState &p, const sema::Array *array,
                        const sema::Shape &shape);

/// Replaces a parameter of mode `in` by a copy of all its members, which
/// freeLocals() frees.
void copyInFamily(ProcedureState &p, const sema::Array *array);

/// Zeroes all elements of a family parameter of mode `out`.
void clearFamily(ProcedureState &p, const sema::Array *array);

} // namespace zpl::arraygen

#endif // ZPL_LIB_ARRAYGEN_FAMILIES_H
