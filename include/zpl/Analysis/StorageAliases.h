//===- StorageAliases.h - Temporaries in the storage of others --*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_ANALYSIS_STORAGEALIASES_H
#define ZPL_ANALYSIS_STORAGEALIASES_H

#include "zpl/Analysis/FixedViews.h"
#include "zpl/ArrayIR/ArrayIR.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/EquivalenceClasses.h"

namespace zpl::air {

/// What the shifts and floods of a procedure make may lie in the storage of
/// their sources.
class StorageAliases {
public:
  StorageAliases(const Module &module, const Procedure &procedure);

  /// Where a view reads: so many indices beside the current one; if it wraps,
  /// perhaps as many the other way round.
  struct Reach {
    const Array *source;
    Offset offset;
    bool wraps;
  };
  /// Null if it is no view, or not everywhere the same one, by constants.
  const Reach *reachOf(const Array *view) const;

  /// Whether a shift or flood makes it.
  bool isBorrower(const Array *array) const { return sources.contains(array); }

  /// A mark that arrays have in common if they may have storage in common;
  /// others may have it, too.
  const void *groupOf(const Array *array) const;

  /// Whether one of \p arrays may have storage in common with \p other, itself
  /// or as what lends it.
  bool mayHold(const llvm::DenseSet<const Array *> &arrays,
               const Array *other) const;

private:
  void addMembers(const Procedure &procedure);
  /// What stands for \p array in `groups`.
  const void *keyOf(const Array *array) const;
  void addView(const ShiftStmt &shift, const ShiftView &view);
  void addSource(const Array *view, const Array *source);
  /// Whether \p array may be storage of \p other; \p seen has those asked about.
  bool mayLie(const Array *array, const Array *other,
              llvm::DenseSet<const Array *> &seen) const;

  const Module &module;
  bool mayAlias;
  llvm::DenseMap<const Array *, llvm::DenseSet<const Array *>> sources;
  llvm::DenseMap<const Array *, Reach> reaches;
  llvm::EquivalenceClasses<const void *> groups; ///< of arrays and families
  FixedViews members; ///< of families that have no other views
};

} // namespace zpl::air

#endif // ZPL_ANALYSIS_STORAGEALIASES_H
