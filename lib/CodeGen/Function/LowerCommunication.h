//===- LowerCommunication.h - Array operators -------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Statements that move elements between indices and processors: one call of
/// zrt/Abi.h each, with descriptors and a few structures in memory.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_FUNCTION_LOWERCOMMUNICATION_H
#define ZPL_LIB_CODEGEN_FUNCTION_LOWERCOMMUNICATION_H

#include "Function/FunctionState.h"

namespace zpl::codegen {

/// The address of a zrt_mask, or a null pointer for no mask.
llvm::Value *maskTable(FunctionState &fn, const air::Mask &mask);

/// The address of a zrt_map for each of \p maps, which are over \p region, side
/// by side.
llvm::Value *mapTable(FunctionState &fn, llvm::ArrayRef<air::Map> maps,
                      const air::Region &region);

/// `shift`: all views by one call of zrtA_array_shift, or of
/// zrtA_array_shift_begin if the neighbours' elements come later.
void lowerShift(FunctionState &fn, const air::ShiftStmt *stmt);

/// `flood`: zrtA_array_flood, its begin, or that of a panel.
void lowerFlood(FunctionState &fn, const air::FloodStmt *stmt);

/// `put`, `put-wrap`: zrtA_array_put.
void lowerPut(FunctionState &fn, const air::PutStmt *stmt);

/// `fold`: zrtA_array_fold into an array, or zrtA_fold into a cell from which
/// the variable is set.
void lowerFold(FunctionState &fn, const air::FoldStmt *stmt);

/// `combine` of an array: what the processors along the flooded dimensions have
/// becomes one, by an operator or a procedure.
void lowerCombineArray(FunctionState &fn, const air::CombineArrayStmt *stmt);
/// zrtA_array_carries, of a `carry`.
void lowerCarry(FunctionState &fn, const air::CombineArrayStmt *stmt);

/// `sort`: zrtA_array_sort.
void lowerSort(FunctionState &fn, const air::SortStmt *stmt);

/// `scan`: zrtA_array_scan, its begin, or with a procedure
/// zrtA_array_scan_states.
void lowerScan(FunctionState &fn, const air::ScanStmt *stmt);

/// The end of a split flood or scan, whose begin stands before in the same
/// list.
void lowerOperatorEnd(FunctionState &fn, const air::OperatorEndStmt *stmt);

/// `gather`: zrtA_array_gather.
void lowerGather(FunctionState &fn, const air::GatherStmt *stmt);

/// `scatter`: zrtA_array_scatter, with the combining procedure itself if there
/// is one: it takes two elements by reference.
void lowerScatter(FunctionState &fn, const air::ScatterStmt *stmt);

/// `window`: the entry of its form.
void lowerWindow(FunctionState &fn, const air::WindowStmt *stmt);

/// `boxes`: its body, as often as the runtime has boxes.
void lowerBoxes(FunctionState &fn, const air::BoxesStmt *stmt);

/// `wrap`, `reflect`: fills a boundary of an array from inside.
void lowerBoundary(FunctionState &fn, const air::BoundaryStmt *stmt);

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_FUNCTION_LOWERCOMMUNICATION_H
