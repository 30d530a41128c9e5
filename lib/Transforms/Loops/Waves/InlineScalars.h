//===- InlineScalars.h - Scalar procedures in waves -------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The pass `inline-scalars`. Loop form to Loop form, in front of lane-rows;
/// InlineScalars.cpp says how.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_LOOPS_WAVES_INLINESCALARS_H
#define ZPL_LIB_TRANSFORMS_LOOPS_WAVES_INLINESCALARS_H

#include "zpl/ArrayIR/ArrayIR.h"
#include "zpl/Transforms/PassContext.h"

namespace zpl::air {

/// Where rows of a wave may be lanes but for the scalar procedures that it
/// calls, all of these become operations of the M-loop, which computes the
/// same. Refused for the whole wave, with a remark, where one has a loop, sets
/// what is not its own, or computes under a condition what may fail or takes
/// long.
void inlineScalars(Module &module, PassContext &context);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_LOOPS_WAVES_INLINESCALARS_H
