//===- Sema.h - Checks a module ---------------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_SEMA_SEMA_H
#define ZPL_SEMA_SEMA_H

#include "zpl/AST/AST.h"
#include "zpl/Sema/Program.h"
#include "zpl/Support/Diagnostic.h"
#include <optional>

namespace zpl::sema {

/// Resolves names, gives types and ranks, checks the rules of the language
/// (among them dissertation appendix E for every instance) and fixes the
/// arithmetic of each statement. Reports to \p diags; without errors, returns
/// the program. \p module outlives nothing: the program keeps no pointer to it.
std::optional<Program> check(const ast::Module &module,
                             DiagnosticEngine &diags);

/// Prints the checked program for people (--dump-program).
void print(const Program &program, llvm::raw_ostream &os);

} // namespace zpl::sema

#endif // ZPL_SEMA_SEMA_H
