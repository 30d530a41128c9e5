//===- DirectionGuesses.h - What directions are taken for -------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_ANALYSIS_DIRECTIONGUESSES_H
#define ZPL_ANALYSIS_DIRECTIONGUESSES_H

#include "zpl/ArrayIR/ArrayIR.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>

namespace zpl::air {

/// Says how directions that only the run knows are likely to lie to each other.
/// For code that is right whatever they are.
class DirectionGuesses {
public:
  using Key = llvm::SmallVector<int64_t, 8>;

  /// Positions in units that nobody knows, the same for all of one base.
  struct Guess {
    Offset offset;
    Key base; ///< empty: the offset is the direction
  };
  /// \p direction: a component per dimension. None if it looks like nothing.
  std::optional<Guess> of(llvm::ArrayRef<const Expr *> direction);

  /// Adds what says which variable's part \p e is, or which product of them;
  /// false if it is none.
  bool addBase(const Expr *e, Key &base);
  /// A number for a variable or an array.
  int64_t identity(const void *pointer);

private:
  std::optional<Guess> ofElement(llvm::ArrayRef<const Expr *> direction);
  /// The guess for components that are multiples of one value.
  std::optional<Guess> ofMultiple(llvm::ArrayRef<const Expr *> direction);

  llvm::DenseMap<const void *, int64_t> identities;
};

} // namespace zpl::air

#endif // ZPL_ANALYSIS_DIRECTIONGUESSES_H
