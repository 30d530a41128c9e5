//===- Patterns.h - Patterns that change ------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Statements that give a sparse region another pattern. See Patterns.cpp.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_INTERPRET_REGIONS_PATTERNS_H
#define ZPL_LIB_INTERPRET_REGIONS_PATTERNS_H

#include "Run.h"

namespace zpl::interpreter {

/// `S := e`, `S |= e`, `S &= e`.
void assign(Run &run, const sema::PatternAssignStmt *stmt);

/// `modify S begin ... end`.
void modify(Run &run, const sema::ModifyStmt *stmt);

/// `add [i, j]`, of one index or one for each of the covering region.
void add(Run &run, const sema::AddStmt *stmt);

} // namespace zpl::interpreter

#endif // ZPL_LIB_INTERPRET_REGIONS_PATTERNS_H
