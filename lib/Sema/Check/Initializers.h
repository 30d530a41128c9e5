//===- Initializers.h - What declarations start with ------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_CHECK_INITIALIZERS_H
#define ZPL_LIB_SEMA_CHECK_INITIALIZERS_H

#include "zpl/AST/Expr.h"
#include "zpl/Sema/Program.h"
#include <memory>

namespace zpl::sema {

/// An initializer after its check: one value, or a value for every element that
/// is promoted, or parts.
struct Initializer {
  struct Part {
    unsigned field = 0;                    ///< of a record or union
    llvm::SmallVector<int64_t, 4> offsets; ///< of an array: from its low bounds
    std::unique_ptr<Initializer> init;
  };
  /// A number of values that the run compares with an extent.
  struct Extent {
    size_t dim;
    int64_t count;
    SourceRange range;
  };
  SourceRange range;
  bool isFree = false; ///< the values may differ between processors
  const Expr *value = nullptr;
  const ast::Expr *promoted = nullptr;
  std::vector<Part> parts;
  std::vector<Extent> extents;
  llvm::SmallVector<int64_t, 4> prefix; ///< while a list is read: its place
};

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_CHECK_INITIALIZERS_H
