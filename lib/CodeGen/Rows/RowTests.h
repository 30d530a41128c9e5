//===- RowTests.h - M-loops: rows that are left out -------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_ROWS_ROWTESTS_H
#define ZPL_LIB_CODEGEN_ROWS_ROWTESTS_H

#include "MLoop/LoopPlan.h"
#include "MLoop/MLoopState.h"

namespace zpl::codegen {

/// PlannedPart::tests of the part. The plan has its nest.
std::vector<air::RowTerms> planTests(const LoopPlan &plan,
                                     const PlannedPart &part,
                                     const PlanContext &context);

/// Whether the part does anything in the row at hand, which is placed; null: it
/// is not known before.
llvm::Value *rowDoesSomething(MLoopState &m);

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_ROWS_ROWTESTS_H
