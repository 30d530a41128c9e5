//===- Declarations.h - Variables, arrays, regions, directions --*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A declaration is evaluated once in the frame that owns it, which then holds
/// memory and values. See Declarations.cpp.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_INTERPRET_DECLARATIONS_H
#define ZPL_LIB_INTERPRET_DECLARATIONS_H

#include "Run.h"

namespace zpl::interpreter {

/// Evaluates all global declarations, and those of static locals, in the order
/// of the source.
void declareGlobals(Run &run);

/// Evaluates one declaration; \p owner gets what it makes.
void declare(Run &run, const sema::Symbol *symbol, Frame &owner);

/// `resize(a, n)`: gives a variable other bounds and the elements it had; fails
/// for lengths that are negative or too large.
void resize(Run &run, const sema::ResizeStmt *stmt);

/// Gives a declared variable its initial value and executes its setup.
void initialize(Run &run, const sema::Variable *variable);

/// Gives \p target, which is \p array or a member of it, its initial elements,
/// with its declared region covering.
void initialize(Run &run, const sema::Array *array, ArrayStorage &target);

/// An array of zeros. Ends the run, at \p where, if no machine has so much
/// memory. \p name is for messages and may be empty.
std::unique_ptr<ArrayStorage> makeArray(Run &run, const std::string &name,
                                        Type element, Region declared,
                                        SourceRange where,
                                        std::vector<Region> borders = {});

/// The memory of a variable: zeros of one that is not declared yet. Ends the
/// run for a variable of C.
char *addressOf(Run &run, const sema::Variable *variable);

/// A declared array, no family; one that is not declared yet ends the run.
ArrayStorage &find(Run &run, const sema::Array *array);

} // namespace zpl::interpreter

#endif // ZPL_LIB_INTERPRET_DECLARATIONS_H
