//===- Parallel.h - Scalar and parallel procedures --------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which procedures are parallel (language reference, section 4).
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_PROGRAM_PARALLEL_H
#define ZPL_LIB_SEMA_PROGRAM_PARALLEL_H

#include "Program/CallOrder.h"
#include "zpl/Sema/Program.h"
#include "zpl/Support/Diagnostic.h"

namespace zpl::sema {

/// What a builtin function does that concerns all processors, for messages.
struct BuiltinDeed {
  const char *does;  ///< what a procedure does that calls it: "works on files"
  const char *thing; ///< what cannot be done per index: "work on files"
};

/// The deed of \p fn, which is not one of a grid: those are GridPlaceExprs.
BuiltinDeed deedOf(Builtin fn);

/// Sets Procedure::isParallel; reports calls that would run a parallel
/// procedure once per element. \p entry is what the program begins with.
void classifyProcedures(Program &program, const Procedure &entry,
                        const CallOrder &calls, DiagnosticEngine &diags);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_PROGRAM_PARALLEL_H
