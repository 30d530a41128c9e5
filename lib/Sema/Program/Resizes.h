//===- Resizes.h - No array moves while it is in use ------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `resize(a, n)` may move the elements of a. So nothing may hold one of them
/// meanwhile: see Resizes.cpp.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_PROGRAM_RESIZES_H
#define ZPL_LIB_SEMA_PROGRAM_RESIZES_H

#include "Program/CallOrder.h"
#include "zpl/Sema/Program.h"
#include "zpl/Support/Diagnostic.h"

namespace zpl::sema {

/// Reports calls that may resize a variable which their statement uses as a
/// place, and loops that resize what they count in.
void checkResizes(const Program &program, const CallOrder &calls,
                  DiagnosticEngine &diags);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_PROGRAM_RESIZES_H
