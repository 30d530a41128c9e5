//===- ReplicatedVariables.h - What all processors have alike ---*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_REPLICATEDVARIABLES_H
#define ZPL_LIB_CODEGEN_REPLICATEDVARIABLES_H

#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Constant;
}

namespace zpl::codegen {

class ModuleLowering;

/// The fields of zrt_program about global variables that are replicated: their
/// table, how many there are, and the function that gives their values. Makes
/// both in the module.
llvm::SmallVector<llvm::Constant *, 3>
replicatedFields(ModuleLowering &lowering);

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_REPLICATEDVARIABLES_H
