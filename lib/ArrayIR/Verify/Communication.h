//===- Communication.h - The rules of array operators -----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Statements that move elements between indices and processors: each array has
/// the rank, element type and kinds of dimensions that its part in the
/// statement needs, and none is read that the statement writes.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYIR_VERIFY_COMMUNICATION_H
#define ZPL_LIB_ARRAYIR_VERIFY_COMMUNICATION_H

#include "Verify/Verifying.h"

namespace zpl::air {

/// \p target can take a partial reduction, or fold, of \p element values over
/// \p from: readable over that region, so flooded at least where it is.
bool verifyPartial(Verifying &state, const Array *target, const Region *from,
                   Type element, SourceRange range);

/// Each view is a local array without a region, made once, with a direction of
/// the region's rank. There is at least one.
bool verifyShift(Verifying &state, const ShiftStmt &s);

/// The target has the shape of the singleton region, flooded. With `times` it
/// is a panel, in a dimension in which the source is a range.
bool verifyFlood(Verifying &state, const FloodStmt &s);

/// The source is readable and the target writable over one region; they are
/// two arrays of one element type.
bool verifyPut(Verifying &state, const PutStmt &s);

/// A sum or product of floating-point or complex elements, into one of an array
/// and a variable.
/// The mask of a statement over \p r, which is none of what it writes, \p target;
/// null: it writes no array.
bool verifyMapList(Verifying &state, llvm::ArrayRef<Map> maps, const Region *r,
                   const Array *target, SourceRange range);
bool verifyMask(Verifying &state, const Mask &mask, const Region *r,
                const Array *target, SourceRange range);
bool verifyFold(Verifying &state, const FoldStmt &s);
bool verifyCombine(Verifying &state, const CombineStmt &s);

/// The combined dimensions are different ones, in which the array is flooded.
bool verifyCombineArray(Verifying &state, const CombineArrayStmt &s);

/// The dimensions are different ones, at least one. An operator of the program
/// has a procedure for its identity, and is not split.
bool verifyScan(Verifying &state, const ScanStmt &s);

/// One map per dimension of the source, each an index, a scalar or an array of
/// integers over the region in which the target is written.
bool verifyGather(Verifying &state, const GatherStmt &s);

/// One map per dimension of the target. A combining procedure takes an element
/// of the target and one of the source, whose types may differ.
bool verifyScatter(Verifying &state, const ScatterStmt &s);

/// What a window makes are local arrays without regions, of its shape and type;
/// its references have one map per dimension of the array.
bool verifyWindow(Verifying &state, const WindowStmt &s);
/// Windows of a list that are made together: each group has an end, until which
/// nothing names them, and its images, if that is what they are, are merged as a
/// group.
bool verifyWindowGroups(Verifying &state, const StmtList &list);
bool verifyBoxes(Verifying &state, const BoxesStmt &s);

/// `wrap` and `reflect`: the array is writable over the base, whose rank the
/// direction has.
bool verifyBoundary(Verifying &state, const BoundaryStmt &s);

/// A check has the operands that its kind needs, and no others.
bool verifyCheck(Verifying &state, const CheckStmt &s);

} // namespace zpl::air

#endif // ZPL_LIB_ARRAYIR_VERIFY_COMMUNICATION_H
