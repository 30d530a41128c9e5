//===- ExplainSparse.h - How sparse regions are kept ------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_SPARSE_EXPLAINSPARSE_H
#define ZPL_LIB_TRANSFORMS_SPARSE_EXPLAINSPARSE_H

#include "zpl/Transforms/PassContext.h"

namespace zpl::air {

/// Says in a remark for each sparse region that arrays are declared over how the
/// run keeps its indices, and which traversals of the program ask for that.
/// Changes nothing.
///
///     S is kept in compressed rows, and with a directory of columns from the
///     second one on that is asked for: single columns are taken (line 7), rows
///     as well (line 4)
///
/// Form: Block -> Block.
/// Needs: fetches and stores (pass sparse).
/// Cost: linear in the statements.
void explainSparse(Module &module, PassContext &context);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_SPARSE_EXPLAINSPARSE_H
