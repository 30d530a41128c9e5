//===- InverseScatters.h - Scatters as gathers ------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_REMAPS_INVERSESCATTERS_H
#define ZPL_LIB_TRANSFORMS_REMAPS_INVERSESCATTERS_H

#include "Remaps/RemapElements.h"
#include <optional>

namespace zpl::air {

/// Makes of a scatter whose maps lead each index to another one an assignment
/// over the indices that they lead to, which reads by the maps backwards.
///
///     scatter @B at (index(1), sub(@n, index(0))) = %T over @R with @add
///  =>
///     region %reached = [lo(@R, 1) .. hi(@R, 1), @n - hi(@R, 0) .. ...]
///     [%reached] @B = add(@B, %T#(sub(@n, index(1)), index(0)))
class InverseScatters {
public:
  InverseScatters(Module &module, RemapElements &elements)
      : module(module), elements(elements) {}

  /// Whether \p value, element code over the region of the scatter, or its
  /// source if null, can be read backwards.
  bool canInvert(const ScatterStmt &scatter, const Expr *value) const;

  /// The assignment; adds to the condition of the elements, and to what comes
  /// before it. \p part: the place that is set, over the region of the target;
  /// null: the target's elements. Needs: canInvert, and of the place that
  /// nothing of its array is read.
  Stmt *invert(const ScatterStmt &scatter, const Expr *value, const Expr *part);

private:
  struct Inverse;

  std::optional<Inverse> inverseOf(const ScatterStmt &scatter) const;
  const Expr *backwards(const Expr *value, const Inverse &inverse,
                        Region *image);

  Module &module;
  RemapElements &elements;
};

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_REMAPS_INVERSESCATTERS_H
