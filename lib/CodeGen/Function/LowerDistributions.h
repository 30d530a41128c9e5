//===- LowerDistributions.h - Grids, distributions, domains -----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_FUNCTION_LOWERDISTRIBUTIONS_H
#define ZPL_LIB_CODEGEN_FUNCTION_LOWERDISTRIBUTIONS_H

#include "Function/FunctionState.h"

namespace zpl::codegen {

/// By which the runtime knows a thing that \p module declares: from 1; 0 for
/// null, the default one.
unsigned numberOf(const air::Module &module, const air::Grid *grid);
unsigned numberOf(const air::Module &module, const air::Distribution *value);
unsigned numberOf(const air::Module &module, const air::Domain *domain);

/// The last fields of zrt_program: the tables of grids, distributions and
/// domains, and their lengths.
llvm::SmallVector<llvm::Constant *, 8> distributionFields(ModuleLowering &m);

/// A grid gets its extents, or becomes another one.
void lowerSetGrid(FunctionState &fn, const air::SetGridStmt *stmt);

/// A distribution gets its rules, or becomes another one.
void lowerSetDistribution(FunctionState &fn,
                          const air::SetDistributionStmt *stmt);

/// Elements go from one domain to another.
void lowerMove(FunctionState &fn, const air::MoveStmt *stmt);

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_FUNCTION_LOWERDISTRIBUTIONS_H
