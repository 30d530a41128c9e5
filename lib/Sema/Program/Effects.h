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
  /// The number of \p symbol, which outlives calls; a new one when it is first
  /// asked for.
  unsigned numberOf(const Symbol &symbol);
  /// Adds to callers what their callees do, until nothing changes.
  void propagateEffects(const CallOrder &order);
  /// Fills the sets of \p procedure with what its own text does.
  void collect(const Procedure &procedure);
  /// The same of a procedure of C: it may write what it has a pointer to, and
  /// every variable of its own.
  void addExtern(const Program &program, const Procedure &procedure);
  /// Adds the effects of one call to \p caller (null: initializers). Whether
  /// that changed anything.
  bool addEffects(const Procedure *caller, const CallExpr &call);
  /// Finds whose storage each parameter may be, callers first, until nothing
  /// changes.
  void propagateRoots();
  /// Adds the arguments' roots to the parameters'. Whether that changed
  /// anything.
  bool addRoots(const CallExpr &call);
  /// Whether \p procedure may write \p param, a parameter of it, itself or by
  /// calls.
  bool writes(const Procedure &procedure, const Symbol &param) const;
  /// Whether the callee's value parameter must be a copy: it writes it, or it
  /// may write the argument's storage in another way while it reads it.
  bool needsCopy(const CallExpr &call, unsigned argument) const;
  /// Whether the storage of \p a and \p b may overlap.
  bool mayBeSame(const Symbol &a, const Symbol &b) const;
  /// What the storage of \p symbol may be: itself, or of a parameter, the
  /// arguments' roots.
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
