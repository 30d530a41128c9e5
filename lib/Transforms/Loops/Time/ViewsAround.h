//===- ViewsAround.h - Views that go around, as elements --------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_LOOPS_TIME_VIEWSAROUND_H
#define ZPL_LIB_TRANSFORMS_LOOPS_TIME_VIEWSAROUND_H

#include "zpl/ArrayIR/ArrayIR.h"
#include "zpl/ArrayIR/Names.h"

namespace zpl::air {

/// A loop's body that reads nothing at another index but views of `A@^d`, and
/// the same without views.
struct ViewsAround {
  StmtList original;  ///< the body as it was
  StmtList withViews; ///< of it the shifts, the M-loop, what frees the views
  MLoopStmt *sweep = nullptr; ///< a copy that reads elements at an offset
  uint32_t wraps = 0;         ///< bit d: it does so in dimension d
};

/// Puts in the body of \p loop a copy of its only M-loop in the place of this
/// and its views, if what that reads at another index are constant shifts that
/// wrap, over its region. The copy has its own contracted arrays, of
/// \p procedure. Else leaves \p loop as it is, and `sweep` null.
ViewsAround readAround(ForStmt &loop, Procedure &procedure, Module &module,
                       NameAllocator &names);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_LOOPS_TIME_VIEWSAROUND_H
