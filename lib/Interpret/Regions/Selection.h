//===- Selection.h - Patterns of conditions on indices ----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `R where e` without a look at each index of R. See Selection.cpp.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_INTERPRET_REGIONS_SELECTION_H
#define ZPL_LIB_INTERPRET_REGIONS_SELECTION_H

#include "Run.h"

namespace zpl::interpreter {

/// Whether the condition is made of indices, scalars and operators only, so
/// that selectIndices takes it.
bool isOfIndices(const sema::Expr &condition);

/// The indices of a region, not masked, where such a condition is true.
std::shared_ptr<Pattern> selectIndices(Run &run, const sema::Expr &condition,
                                       const Cover &over);

} // namespace zpl::interpreter

#endif // ZPL_LIB_INTERPRET_REGIONS_SELECTION_H
