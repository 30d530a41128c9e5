//===- Lets.h - Values that M-loops carry along -----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What is meant by `let %q = e was %p` (docs/ArrayIR.md, section 4), for those
/// who make it, check it and make code of it.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_ARRAYIR_LETS_H
#define ZPL_ARRAYIR_LETS_H

#include "zpl/ArrayIR/ArrayIR.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace zpl::air {

using ElementPairVisitor =
    llvm::function_ref<bool(const ElementExpr &, const ElementExpr &)>;

/// Whether two trees are equal but for their elements, of which \p visit, in
/// the order of the text, accepts each pair.
bool areAlike(const Expr &a, const Expr &b, ElementPairVisitor visit);

/// The level of the innermost loop; null if there is none.
const LoopLevel *innermostLevel(const MLoopStmt &loop);

/// The offset of the row that the innermost loop reads \p element from: 0 in
/// its dimension.
Offset rowOf(const ElementExpr &element, const MLoopStmt &loop);

/// Whether the offsets say in which step of the innermost loop \p a is what
/// \p b is in another one: both are of one array, not strided there.
bool hasKnownSteps(const ElementExpr &a, const ElementExpr &b,
                   const MLoopStmt &loop);

/// If so: whether \p element is what \p source was \p back steps ago.
bool isCarried(const ElementExpr &element, const ElementExpr &source,
               int64_t back, const MLoopStmt &loop);

} // namespace zpl::air

#endif // ZPL_ARRAYIR_LETS_H
