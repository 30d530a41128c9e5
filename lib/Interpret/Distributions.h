//===- Distributions.h - Grids, distributions, domains ----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One processor owns everything, so distributions change nothing here; but
/// what is wrong with them is told as by a compiled program that runs on one.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_INTERPRET_DISTRIBUTIONS_H
#define ZPL_LIB_INTERPRET_DISTRIBUTIONS_H

#include "Run.h"

namespace zpl::interpreter {

/// Evaluates the extents of \p grid, whose product must be 1.
void declare(Run &run, const sema::Grid *grid);

/// Evaluates what \p distribution says of its dimensions.
void declare(Run &run, const sema::Distribution *distribution);

/// Looks at the regions that are there and belong to \p domain: they may be
/// declared before it.
void declare(Run &run, const sema::Domain *domain);

/// Looks whether the distribution of the domain that \p symbol, a global region
/// or array, belongs to deals out the indices of \p region. \p where: of the
/// declaration.
void distribute(Run &run, const sema::Symbol *symbol, const Region &region,
                SourceRange where);

/// `D <=# Cyc`: the same for all regions that are there.
void redistribute(Run &run, const sema::RedistributeStmt *stmt);

} // namespace zpl::interpreter

#endif // ZPL_LIB_INTERPRET_DISTRIBUTIONS_H
