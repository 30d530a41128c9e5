//===- TransferEdits.h - Changing transfers ---------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What passes that move, combine or remove transfers do to them, and how their
/// remarks name things.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_COMMUNICATION_TRANSFEREDITS_H
#define ZPL_LIB_TRANSFORMS_COMMUNICATION_TRANSFEREDITS_H

#include "zpl/ArrayIR/ArrayIR.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <string>

namespace zpl::air {

using TransferSet = llvm::SmallPtrSet<const Transfer *, 8>;

/// Takes the transfers out of the procedure: declarations and points.
void eraseTransfers(Procedure &procedure, const TransferSet &transfers);

/// Brings the items of equal arrays together, in the order in which the arrays
/// first appear, and drops repetitions.
void mergeItems(Transfer &transfer);

/// What a parameter of the callee is at a call, or a global itself: null if it
/// is a local, or no whole array is passed.
Array *passedFor(const Array *array, const CallExpr &call);

/// The same for a region.
Region *passedFor(const Region *region, const CallExpr &call);

/// A transfer of the callee with the caller's arrays and region; without name.
Transfer inCaller(const Transfer &transfer, const CallExpr &call);

/// For remarks: "A@[0,1]", with the array's name in the source if it has one.
std::string designator(const Array &array, const Offset &offset);

/// For remarks: the array's name in the source, or "a temporary".
std::string sourceName(const Array &array);

/// For remarks: the region's name in the source, or "its region".
std::string sourceName(const Region &region);
std::string sourceName(const Variable &variable); ///< in quotes

/// A reason with a place (PassContext::atLine) after it, and in front of what
/// to write instead: `A is written in between (line 7); write it earlier`.
std::string withPlace(llvm::StringRef why, const std::string &place);

/// `another region, Inner`
std::string otherRegion(const Region &region);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_COMMUNICATION_TRANSFEREDITS_H
