//===- ReadPositions.h - Where elements are read from -----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_ANALYSIS_READPOSITIONS_H
#define ZPL_ANALYSIS_READPOSITIONS_H

#include "zpl/Analysis/DirectionGuesses.h"
#include "zpl/ArrayIR/ArrayIR.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>

namespace zpl::air {

/// The view of a shift that makes an array.
using Views =
    llvm::DenseMap<const Array *, std::pair<const ShiftStmt *, unsigned>>;

/// All views of a procedure.
Views viewsOf(const Procedure &procedure);

/// An array and an offset, and what the offset is a multiple or a part of. Two
/// of one array and one frame differ by their offsets.
struct ReadPosition {
  const Array *array;
  Offset offset;
  DirectionGuesses::Key frame; ///< empty: the indices of the array
};

/// Where an M-loop reads elements, as far as directions tell. A view of a shift
/// (`A@^dir[0,1]`) has its source's array and a frame; the source itself, if
/// the loop also reads it through views, has theirs.
class ReadPositions {
public:
  ReadPositions(const MLoopStmt &loop, const Views &views);

  /// None for a view whose direction looks like nothing.
  std::optional<ReadPosition> of(const ElementExpr &element);

  DirectionGuesses guesses;

private:
  using Key = DirectionGuesses::Key;
  /// Adds to \p position where the views that \p array is made of have moved it;
  /// false if that is not known.
  bool shiftOf(const Array *array, ReadPosition &position);

  const Views &views;
  /// Source arrays that the loop also reads through views: their frame.
  llvm::DenseMap<const Array *, Key> frames;
};

} // namespace zpl::air

#endif // ZPL_ANALYSIS_READPOSITIONS_H
