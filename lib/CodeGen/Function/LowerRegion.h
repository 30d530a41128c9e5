//===- LowerRegion.h - Region values ----------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What regions are made of and how they are set: a region is the address of a
/// zrt_region, whose bounds, strides and alignments are i64. What the kind of a
/// dimension says is a constant and not read.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_FUNCTION_LOWERREGION_H
#define ZPL_LIB_CODEGEN_FUNCTION_LOWERREGION_H

#include "Function/FunctionState.h"

namespace zpl::codegen {

/// A field of dimension \p dim of the zrt_region at \p region; a constant where
/// the kind of the dimension says it. \p name: the region's, for the value's.
llvm::Value *readDimField(FunctionState &fn, llvm::Value *region,
                          air::DimKind kind, unsigned dim, DimField field,
                          llvm::StringRef name);

/// The address of the zrt_region in an array's descriptor.
llvm::Value *declaredRegion(FunctionState &fn, const air::Array *array);

/// Where the element at the positions (0,...,0) is, or would be.
llvm::Value *origin(FunctionState &fn, const air::Array *array);

/// Makes these, i64, the bounds of a dimension of the zrt_region at \p region.
void storeBounds(FunctionState &fn, llvm::Value *region, unsigned dim,
                 llvm::Value *low, llvm::Value *high);

/// The zrt_domain that is this processor's block in the domain of \p region.
llvm::Value *ownBlock(FunctionState &fn, const air::Region *region);

/// Whether that may become another one, because a distribution may.
bool ownBlockChanges(const air::Region *region);

/// By which the runtime knows the domain of \p region: the rank of a default
/// domain, or the negated number of another one.
llvm::Constant *domainReference(FunctionState &fn, const air::Region *region);

/// The first or last index of the zrt_domain \p own in a dimension. \p changes:
/// it is one of several boxes, in the runtime's memory.
llvm::Value *ownBound(FunctionState &fn, llvm::Value *own, unsigned dim,
                      bool isHigh, bool changes = false);

/// `lo(%R, d)` and the like, as i64; in an M-loop what was read before its
/// nest. Own bounds are those of the region clipped to this processor's block.
llvm::Value *readBound(FunctionState &fn, const air::Region *region,
                       unsigned dim, air::BoundExpr::Which which);

/// The 0..m-1 that is equal to \p number modulo \p modulus, which is positive;
/// all are i64.
llvm::Value *modulo(FunctionState &fn, llvm::Value *number,
                    llvm::Value *modulus);

/// Sets a region. All dimensions are computed before any is stored: an
/// expression may read the region that is set.
void lowerSetRegion(FunctionState &fn, const air::SetRegionStmt *stmt);

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_FUNCTION_LOWERREGION_H
