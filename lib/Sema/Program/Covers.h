//===- Covers.h - Covering regions that calls provide -----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a procedure needs of the regions that cover its calls.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_PROGRAM_COVERS_H
#define ZPL_LIB_SEMA_PROGRAM_COVERS_H

#include "Program/CallOrder.h"
#include "zpl/Sema/Program.h"
#include "zpl/Support/Diagnostic.h"
#include "llvm/ADT/DenseMap.h"
#include <bitset>

namespace zpl::sema {

using RankSet = std::bitset<MaxRank + 1>;

/// What one procedure, with those it calls, takes from its callers.
struct Needed {
  RankSet ranks; ///< of covering regions, with their masks
  /// It has floods or partial reductions, to which singletons and ranges are
  /// not the same even with the same indices.
  bool hasSources = false;
  /// For the search for a fixed point.
  bool operator==(const Needed &) const = default;
};
using NeededCovers = llvm::DenseMap<const Procedure *, Needed>;

/// Finds it for each procedure of \p program; reports what no scope
/// covers on some path of calls from \p entry or an initializer.
NeededCovers findNeededCovers(const Program &program, const Procedure &entry,
                              const CallOrder &order, DiagnosticEngine &diags);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_PROGRAM_COVERS_H
