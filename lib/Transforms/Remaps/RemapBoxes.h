//===- RemapBoxes.h - Gathers that loops read box by box --------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_REMAPS_REMAPBOXES_H
#define ZPL_LIB_TRANSFORMS_REMAPS_REMAPBOXES_H

#include "zpl/ArrayIR/ArrayIR.h"
#include "zpl/ArrayIR/Names.h"

namespace zpl::air {

/// Whether \p user, the only statement of \p procedure that reads the result of
/// the gather, may read the elements box by box where they arrive.
bool mayReadInBoxes(const GatherStmt &gather, const ArrayAssignStmt &user,
                    const Procedure &procedure, const Module &module);

/// The boxes of the gather, which its check calls \p text, without a body; what
/// they name are new locals of \p procedure.
BoxesStmt *boxesOf(const GatherStmt &gather, llvm::StringRef text,
                   Procedure &procedure, Module &module, NameAllocator &names);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_REMAPS_REMAPBOXES_H
