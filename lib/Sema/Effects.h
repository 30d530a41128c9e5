//===- Effects.h - Which procedures write which arrays ----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which arrays a procedure, with all that it calls, reads and writes, and
/// which names may be the same storage: what decides about copies of by-value
/// arrays and about instances in which arrays may alias.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_SEMA_EFFECTS_H
#define ZPL_SEMA_EFFECTS_H

#include "zpl/Sema/Program.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace zpl::sema {

class Effects {
public:
  explicit Effects(const Program &program);

  /// Whether running \p procedure writes \p array: a global or static array,
  /// or a parameter of its own.
  bool writes(const Procedure &procedure, const Array &array) const;

  /// Global and static arrays that running \p procedure reads or writes.
  const llvm::SetVector<const Array *> &
  touchedGlobals(const Procedure &procedure) const;

  /// Whether two names may mean one storage somewhere in the program.
  bool mayBeSame(const Array &a, const Array &b) const;

  /// Sets CallExpr::copies of all calls.
  void setCopies() const;

  /// Whether two arrays that \p call lets its callee work on are the same
  /// storage and one is written. \p callerAliases: that may already be so in
  /// the caller.
  bool makesAliases(const CallExpr &call, bool callerAliases) const;

private:
  struct Sets {
    llvm::SetVector<const Array *> written; ///< globals, statics, parameters
    llvm::SetVector<const Array *> touched; ///< globals, statics
  };
  class Collector;
  void collect(const Program &program);
  void propagateEffects();
  void propagateRoots();
  bool needsCopy(const CallExpr &call, unsigned argument) const;
  llvm::SetVector<const Array *> rootsOf(const Array &array) const;

  std::vector<std::pair<const Procedure *, CallExpr *>> calls; ///< with caller
  llvm::DenseMap<const Procedure *, Sets> sets;
  /// The arrays whose storage a parameter may be.
  llvm::DenseMap<const Array *, llvm::SetVector<const Array *>> roots;
  Sets nothing;
};

} // namespace zpl::sema

#endif // ZPL_SEMA_EFFECTS_H
