//===- ConstantTables.h - Stores of constants as copied tables --*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_BACKEND_CONSTANTTABLES_H
#define ZPL_LIB_BACKEND_CONSTANTTABLES_H

#include "llvm/IR/BasicBlock.h"

namespace zpl {

/// Replaces stores of constants, at least 16 in a row that together fill some
/// bytes of one object, by a copy from a constant table. Gives whether there
/// were any.
bool storeByTables(llvm::BasicBlock &block);

} // namespace zpl

#endif // ZPL_LIB_BACKEND_CONSTANTTABLES_H
