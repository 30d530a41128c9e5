//===- SubscriptRanges.h - Subscripts tested before a loop ------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_MLOOP_SUBSCRIPTRANGES_H
#define ZPL_LIB_CODEGEN_MLOOP_SUBSCRIPTRANGES_H

#include "Function/FunctionState.h"
#include "zpl/ArrayIR/LoopStatements.h"

namespace zpl::codegen {

/// Tests subscripts of an M-loop's body before its loops, and knows which.
class SubscriptRanges {
public:
  /// Where the loops go, by dimension, as i64: from `first` by `step`; the
  /// least and the greatest index. There is an index.
  struct Box {
    llvm::ArrayRef<llvm::Value *> first, lo, hi, step;
  };
  /// Emits, at the current place in front of the loops, a test of each
  /// subscript that follows an index or none and is evaluated at all indices.
  /// \p isFixed: no operation of the loop changes the variable.
  void test(FunctionState &fn, const air::MLoopStmt &loop, const Box &box,
            llvm::function_ref<bool(const air::Variable *)> isFixed);
  /// Whether the subscript has been tested for the whole loop.
  bool contains(const air::SubscriptExpr *expr, unsigned dim) const {
    return tested.contains({expr, dim});
  }

private:
  /// `index + offset` or `offset - index`, or `offset` alone.
  struct Line {
    int dim = -1; ///< of the index; -1: none
    bool isFalling = false;
    llvm::SmallVector<std::pair<const air::Expr *, bool>, 2>
        terms; ///< of the offset; and whether it is subtracted
  };
  /// A subscript as a line of \p box; none if it is another thing.
  std::optional<Line>
  lineOf(const air::Expr *expr, const Box &box,
         llvm::function_ref<bool(const air::Variable *)> isFixed) const;
  /// Emits the test that the line lies within the bounds of dimension \p dim;
  /// the run ends with the first subscript that does not.
  void testLine(FunctionState &fn, const air::SubscriptExpr *expr, unsigned dim,
                const Line &line, const Box &box) const;

  llvm::DenseSet<std::pair<const air::SubscriptExpr *, unsigned>> tested;
};

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_MLOOP_SUBSCRIPTRANGES_H
