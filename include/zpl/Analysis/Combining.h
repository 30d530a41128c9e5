//===- Combining.h - What scatters combine with -----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_ANALYSIS_COMBINING_H
#define ZPL_ANALYSIS_COMBINING_H

#include "zpl/ArrayIR/ArrayIR.h"
#include <optional>

namespace zpl::air {

/// The operator of the procedure of a scatter if that is `set %old = op(%old,
/// %new)`; none if it is anything else.
std::optional<BinaryOp> combiningOp(const Procedure &combine);

/// Whether values may be combined with each other before an element is with
/// them, in any order, so that elements of this type get the value that they
/// should: of sums and products of real numbers unless they are \p ordered. And
/// the runtime has loops for it.
bool mayCombineFirst(BinaryOp op, Type element, bool ordered);

} // namespace zpl::air

#endif // ZPL_ANALYSIS_COMBINING_H
