//===- JoinRemaps.h - Neighbouring remaps in one branch ---------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_REMAPS_JOINREMAPS_H
#define ZPL_LIB_TRANSFORMS_REMAPS_JOINREMAPS_H

#include "zpl/Analysis/Effects.h"
#include "llvm/ADT/DenseSet.h"

namespace zpl::air {

/// What localRemaps has made of remaps.
struct RemapBranches {
  /// With the remap as elements, where a condition holds.
  llvm::DenseSet<const Stmt *> branches;
  /// Those of joinRemaps: the second list has statements as they were.
  llvm::DenseSet<const Stmt *> joined;
  /// Of regions that these conditions name.
  llvm::DenseSet<const Stmt *> definitions;
};

/// Puts branches of a list, and assignments beside them, into one branch, so
/// that they may become one loop where all conditions hold.
///
///     if %c { [@R] @V = @F#(...) } else { ... }
///     [@R] @X = add(@X, @V)
///  =>
///     if %c { [@R] @V = @F#(...)        } else { if %c { ... } else { ... }
///             [@R] @X = add(@X, @V) }            [@R] @X = add(@X, @V) }
///
/// Only what can be fused: of all that is joined, no array that is read by
/// maps is stored, none that is set by them is used, and at most one tests its
/// maps, so that errors stay in their order.
void joinRemaps(StmtList &list, RemapBranches &made, Module &module,
                const Procedure &procedure, const Effects &effects);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_REMAPS_JOINREMAPS_H
