//===- Borders.h - Implicit storage -----------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Fills Array::borders (language 8.7).
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_ARRAYS_BORDERS_H
#define ZPL_LIB_SEMA_ARRAYS_BORDERS_H

#include "Program/CallOrder.h"
#include "Program/Instances.h"
#include "zpl/Support/Diagnostic.h"

namespace zpl::sema {

/// Parameters for which arrays with borders may be passed.
using BorderedParams = llvm::DenseSet<const Array *>;

/// Fills Array::borders with the regions `d of R` of the scopes that each array
/// is written over, and reports borders that cannot be had. Returns the
/// parameters that arrays with borders may be passed for. Requires the finished
/// instances.
BorderedParams findBorders(Program &program, const CallOrder &order,
                           const Surveyor &surveyor, InstanceInfos &infos,
                           DiagnosticEngine &diags);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_ARRAYS_BORDERS_H
