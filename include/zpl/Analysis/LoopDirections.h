//===- LoopDirections.h - Ways through an index set -------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_ANALYSIS_LOOPDIRECTIONS_H
#define ZPL_ANALYSIS_LOOPDIRECTIONS_H

#include "zpl/Analysis/StorageAliases.h"
#include "zpl/ArrayIR/ArrayIR.h"
#include "zpl/ArrayIR/KnownStrides.h"

namespace zpl::air {

/// What the operations of M-loops over one region, at each index in turn, ask
/// of the order of the indices: that some offsets lie ahead. What is read there
/// is stored by a later operation, and must not have been stored yet.
class LoopDirections {
public:
  LoopDirections(const StorageAliases &aliases, const KnownStrides &strides)
      : aliases(aliases), strides(strides) {}

  /// Adds what the loop asks for by itself.
  void add(const MLoopStmt &loop);
  /// Adds what \p second asks for, operations of a loop over \p region, if
  /// they come after \p first at each index; whether it is anything.
  bool add(llvm::ArrayRef<const ElementOp *> first,
           llvm::ArrayRef<const ElementOp *> second, const Region *region);

  /// Whether the levels go that way.
  bool hold(llvm::ArrayRef<LoopLevel> levels) const;

  /// Lets levels go down, as few and as far outside as can be, so that all
  /// holds; false, and no change, if there is no way, or vectors would have to
  /// ask too much.
  bool choose(llvm::MutableArrayRef<LoopLevel> levels) const;

private:
  void add(const ElementOp &reader, const ElementOp &writer,
           const Region *region);

  const StorageAliases &aliases;
  const KnownStrides &strides;
  llvm::SmallVector<std::pair<const Array *, Offset>, 8> ahead;
  bool isPossible = true;
};

} // namespace zpl::air

#endif // ZPL_ANALYSIS_LOOPDIRECTIONS_H
