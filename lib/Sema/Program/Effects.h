//===- Effects.h - Which procedures write what ------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What procedures do to parallel arrays and to variables that are aggregates,
/// as far as it decides about copies of arguments and about aliases.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_PROGRAM_EFFECTS_H
#define ZPL_LIB_SEMA_PROGRAM_EFFECTS_H

#include "Program/CallOrder.h"
#include "zpl/Sema/Program.h"
#include "zpl/Support/Diagnostic.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace zpl::sema {

/// What the arrays that a call passes have to do with each other.
struct ArgumentAliases {
  /// The arguments that may be the same storage as another array that the
  /// callee works on, one of the two being written.
  llvm::BitVector aliased;
  /// Per argument the first one that is surely the same array, one of the two
  /// being written; itself if there is none.
  llvm::SmallVector<unsigned> sameAs;
};

class Effects {
public:
  Effects(const Program &program, const CallOrder &calls);

  /// Sets CallExpr::copies of all calls; reports families that it would be of.
  void setCopies(DiagnosticEngine &diags) const;

  /// The aliases among the arguments of \p call in \p caller.
  ArgumentAliases aliasesOf(const CallExpr &call, const Instance &caller) const;

private:
  /// What one procedure uses: numbers of what lives longer than its calls, and
  /// its own parameters.
  struct Sets {
    llvm::BitVector written, touched;
    llvm::DenseSet<const Symbol *> writtenParams;
  };
  class Collector;
  unsigned numberOf(const Symbol &symbol);
  void propagateEffects(const CallOrder &order);
  void collect(const Procedure &procedure);
  void addExtern(const Program &program, const Procedure &procedure);
  bool addEffects(const Procedure *caller, const CallExpr &call);
  void propagateRoots();
  bool addRoots(const CallExpr &call);
  bool writes(const Procedure &procedure, const Symbol &param) const;
  bool needsCopy(const CallExpr &call, unsigned argument) const;
  bool mayBeSame(const Symbol &a, const Symbol &b) const;
  llvm::BitVector rootsOf(const Symbol &symbol) const;

  std::vector<std::pair<const Procedure *, CallExpr *>> calls; ///< with caller
  llvm::DenseMap<const Symbol *, unsigned> numbers;
  llvm::SmallVector<unsigned, 4> followers; ///< numbers of Array::over's arrays
  llvm::DenseMap<const Procedure *, Sets> sets;
  /// Whose storage a parameter may be.
  llvm::DenseMap<const Symbol *, llvm::BitVector> roots;
};

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_PROGRAM_EFFECTS_H
