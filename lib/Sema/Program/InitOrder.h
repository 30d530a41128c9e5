//===- InitOrder.h - Initializers that use what comes later -----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Global initializers run in order of declaration.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_PROGRAM_INITORDER_H
#define ZPL_LIB_SEMA_PROGRAM_INITORDER_H

#include "Program/CallOrder.h"
#include "zpl/Sema/Program.h"
#include "zpl/Support/Diagnostic.h"

namespace zpl::sema {

/// Reports initializers that call parallel procedures which use regions,
/// directions, constants or arrays of later declarations.
void checkInitOrder(const Program &program, const CallOrder &order,
                    DiagnosticEngine &diags);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_PROGRAM_INITORDER_H
