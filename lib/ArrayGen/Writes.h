//===- Writes.h - Which parallel arrays code may write ----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYGEN_WRITES_H
#define ZPL_LIB_ARRAYGEN_WRITES_H

#include "zpl/Sema/Program.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace zpl::arraygen {

/// Which parallel arrays statements may write, with all that they call. Never
/// too few; by the names that the arrays have where they are written.
class WriteTable {
public:
  using ArraySet = llvm::DenseSet<const sema::Array *>;

  /// Looks at each procedure of \p program once.
  explicit WriteTable(const sema::Program &program);

  /// What executing \p stmt may write.
  ArraySet writtenBy(const sema::Stmt &stmt) const;
  /// Whether executing it may read the mask around it by a quote.
  bool mayQuoteMask(const sema::Stmt &stmt) const;
  /// The same of a call of \p procedure.
  bool mayQuoteMask(const sema::Procedure &procedure) const;

private:
  class Collector;
  /// What a piece of code does itself.
  struct Own {
    ArraySet arrays;
    llvm::DenseSet<const sema::Procedure *> callees;
    bool usesBound = false; ///< may call procedures that are bound to arrays
    bool resizes = false;   ///< assigns region variables
    bool quotesMask = false;
  };
  /// Adds what is called, and what that calls.
  void close(Own &own) const;

  llvm::DenseMap<const sema::Procedure *, Own> procedures;
  std::vector<const sema::Array *> followers; ///< of region variables
  /// By bind_read_func and bind_write_func, anywhere.
  std::vector<const sema::Procedure *> bound;
};

} // namespace zpl::arraygen

#endif // ZPL_LIB_ARRAYGEN_WRITES_H
