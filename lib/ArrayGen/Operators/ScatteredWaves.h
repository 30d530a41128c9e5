//===- ScatteredWaves.h - Scan blocks over scattered domains ----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A wave goes from index to index, and no neighbour in a scattered domain is
/// on the same processor: it runs on copies in blocks.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYGEN_OPERATORS_SCATTEREDWAVES_H
#define ZPL_LIB_ARRAYGEN_OPERATORS_SCATTEREDWAVES_H

#include "ProcedureState.h"

namespace zpl::arraygen {

/// Generates the wave \p stmt, whose covering region is of a scattered domain,
/// by \p generate on copies of its arrays in the default domain: of those that
/// \p all reads and writes, and \p written writes.
void inDefaultDomain(ProcedureState &p, const sema::WaveStmt *stmt,
                     llvm::ArrayRef<const sema::ArrayExpr *> written,
                     llvm::ArrayRef<const sema::ArrayExpr *> all,
                     llvm::function_ref<void()> generate);

} // namespace zpl::arraygen

#endif // ZPL_LIB_ARRAYGEN_OPERATORS_SCATTEREDWAVES_H
