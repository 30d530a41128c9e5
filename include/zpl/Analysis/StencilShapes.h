//===- StencilShapes.h - Trees that recur at other indices ------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_ANALYSIS_STENCILSHAPES_H
#define ZPL_ANALYSIS_STENCILSHAPES_H

#include "zpl/Analysis/ReadPositions.h"
#include "zpl/ArrayIR/Lets.h"
#include "llvm/ADT/DenseSet.h"
#include <map>
#include <optional>

namespace zpl::air {

/// What is known of a tree.
struct Tree {
  int shape = -1;                  ///< -1: it is not to be moved
  std::optional<int64_t> position; ///< none: the same at every index
  unsigned worth = 0;              ///< operations and loads
  bool hasOperations = false;
};

/// Gives every tree of one M-loop, which has an innermost level, the number of
/// its shape and its position (StencilCse.cpp says what these are).
class Shapes {
public:
  Shapes(const MLoopStmt &loop, const Views &views,
         llvm::function_ref<bool(const Array *)> isStored);

  /// The tree of an expression of the loop, made at the first time.
  const Tree &of(const Expr *e);
  /// Whether the offsets say where an element is at the next step.
  bool hasKnownSteps(const ElementExpr &element) const {
    return !views.contains(element.array) &&
           air::hasKnownSteps(element, element, loop);
  }

private:
  /// What makes a shape: numbers of the node and its operands.
  using Key = DirectionGuesses::Key;

  /// What follows makes trees: any one, of an element, and of a node with its own
  /// numbers and operands.
  Tree make(const Expr *e);
  Tree makeElement(const ElementExpr &element);
  Tree makeNode(const Expr *e, llvm::ArrayRef<int64_t> own,
                llvm::ArrayRef<const Expr *> operands);
  /// The number of a shape; a new one if it is new.
  int number(Key key);

  const MLoopStmt &loop;
  const LoopLevel &inner;
  const Views &views;
  llvm::DenseSet<const Array *> stored;
  std::map<Key, int> numbers;
  ReadPositions positions;
  llvm::DenseMap<const Expr *, Tree> known;
};

} // namespace zpl::air

#endif // ZPL_ANALYSIS_STENCILSHAPES_H
