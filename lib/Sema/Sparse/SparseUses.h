//===- SparseUses.h - Where sparse regions may be used ----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What only the whole program shows of sparse regions: which parameters and
/// locals are sparse in which instance, what works on dense ones only, and
/// patterns that would change while they are in use.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_SPARSE_SPARSEUSES_H
#define ZPL_LIB_SEMA_SPARSE_SPARSEUSES_H

#include "Program/CallOrder.h"
#include "Program/Instances.h"
#include "zpl/Support/Diagnostic.h"

namespace zpl::sema {

/// Reports patterns that change within a scope of their region, and procedures
/// called within `modify` that modify.
void checkPatternChanges(const Program &program, const CallOrder &calls,
                         DiagnosticEngine &diags);

/// Fills Instance::sparse of all instances; reports what cannot work on sparse
/// regions and arrays.
void checkSparseUses(const Program &program, const Surveyor &surveyor,
                     InstanceInfos &infos, DiagnosticEngine &diags);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_SPARSE_SPARSEUSES_H
