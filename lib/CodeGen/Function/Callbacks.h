//===- Callbacks.h - Procedures that C calls --------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_FUNCTION_CALLBACKS_H
#define ZPL_LIB_CODEGEN_FUNCTION_CALLBACKS_H

#include "ModuleLowering.h"

namespace zpl::codegen {

/// Makes the functions `void symbol(ptr result, ptr a1, ...)` through which
/// \p external, of C, calls the procedures that it is given (Interop.h). They
/// are external until they are linked with the thunks.
void addCallbacks(ModuleLowering &module, const air::Procedure &external);

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_FUNCTION_CALLBACKS_H
