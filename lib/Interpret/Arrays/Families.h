//===- Families.h - Families, and arrays over region variables --*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Members of families are made, found and passed here; arrays that follow a
/// region variable are noted under its address and made anew when it is
/// assigned. See Families.cpp.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_INTERPRET_ARRAYS_FAMILIES_H
#define ZPL_LIB_INTERPRET_ARRAYS_FAMILIES_H

#include "Run.h"

namespace zpl::interpreter {

/// The array that a reference means: `A`, or `U[l]`, whose subscripts are
/// evaluated. Ends the run if there is none yet, or a subscript is out of
/// bounds.
ArrayStorage &find(Run &run, const sema::ArrayExpr *expr);

/// Makes and initializes the members of a family one after the other, with its
/// hidden variables set to the subscripts. \p owner owns them.
void declareFamily(Run &run, const sema::Array *array, Frame &owner);

/// The member of the family \p array with these subscripts. Ends the run, at
/// \p where, if it is out of bounds or not made yet.
ArrayStorage &member(Run &run, const sema::Array *array,
                     llvm::ArrayRef<const sema::Expr *> subscripts,
                     SourceRange where);

/// A family that is passed as a whole to \p formal: itself by reference, else
/// with copies of its arrays, which \p temporaries owns.
std::shared_ptr<FamilyStorage> familyArgument(Run &run,
                                              const sema::ArrayExpr *whole,
                                              const sema::Array *formal,
                                              Frame &temporaries);

/// Ends the run if an array of the family \p argument is not declared over the
/// region that \p formal says.
void checkFamily(Run &run, const sema::Array *formal,
                 const FamilyStorage &family, const sema::Expr *argument);

/// An array of zeros over the declared region of \p array, with its borders;
/// without elements if that is a region variable that has no value.
std::unique_ptr<ArrayStorage> makeDeclared(Run &run, const sema::Array *array);

/// Notes that \p storage, of \p array, follows a region variable or a named
/// sparse region if it does.
void follow(Run &run, const sema::Array *array, ArrayStorage &storage);

/// Gives \p target, a named sparse region or the value of a region variable,
/// another pattern. The arrays over it are made anew, in their places, with the
/// elements that they had.
void setPattern(Run &run, const sema::RegionExpr &target,
                std::shared_ptr<const Pattern> pattern);

/// The arrays of a frame that ends follow nothing any more.
void forgetFollowers(Memory &memory, const Frame &ended);

/// For each region in the \p type at \p address, which was assigned, makes the
/// arrays over it anew, in their places. \p preserves: elements at indices that
/// they had before are kept.
void resizeParts(Run &run, Type type, char *address, bool preserves,
                 SourceRange where);

} // namespace zpl::interpreter

#endif // ZPL_LIB_INTERPRET_ARRAYS_FAMILIES_H
