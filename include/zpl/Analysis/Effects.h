//===- Effects.h - What statements and procedures may write -----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_ANALYSIS_EFFECTS_H
#define ZPL_ANALYSIS_EFFECTS_H

#include "zpl/ArrayIR/ArrayIR.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace zpl::air {

/// Things whose value may change, by any of their names.
struct WriteSet {
  llvm::DenseSet<const Array *> arrays;
  llvm::DenseSet<const Region *> regions;
  llvm::DenseSet<const Variable *> variables;
  /// Families of which a member changes that calls name.
  llvm::DenseSet<const Variable *> families;
  /// Views that are bound; they stand among `arrays` as well once it is known
  /// what else is written.
  llvm::DenseSet<const Array *> bound;
  bool reallocates = false; ///< arrays that follow a region variable

  /// The union of both is here afterwards.
  void add(const WriteSet &other);
  /// How many things it has; it grows with each that is new.
  size_t size() const {
    return arrays.size() + regions.size() + variables.size() + families.size() +
           reallocates;
  }
};

/// What may be written, through calls (a summary per procedure, a fixed point
/// over the call graph) and under other names (arrays of a procedure that
/// mayAlias; variables by reference). Valid while no statement that writes is
/// added to the module.
class Effects {
public:
  explicit Effects(const Module &module);

  /// By one statement of \p procedure, nested ones included.
  WriteSet writes(const Procedure &procedure, const Stmt &stmt) const;
  /// By the statements of a list, in any order, nested ones included.
  WriteSet writes(const Procedure &procedure, const StmtList &list) const;
  /// By the calls in a statement's own expressions only.
  WriteSet writesOfCalls(const Procedure &procedure, const Stmt &stmt) const;

  /// False if the array may be over a region variable that has no value yet.
  bool isThere(const Array &array) const {
    bool mayFollow = !followers.empty() || !followingFamilies.empty();
    return !mayFollow || (array.storage != Storage::Param && !array.family &&
                          !followers.contains(&array));
  }

private:
  /// What follows adds to \p set: what the calls in a statement's own expressions
  /// write, what the statement itself writes, what a callee writes of globals and
  /// of what it gets by reference.
  void addCalls(const Stmt &stmt, WriteSet &set) const;
  void addDirect(const Stmt &stmt, WriteSet &set) const;
  void addCallee(const Procedure &callee, WriteSet &set) const;
  /// What the views that a statement binds may write, and one call.
  void addBound(const Stmt &stmt, WriteSet &set) const;
  void addCall(const CallExpr &call, WriteSet &set) const;
  /// Other names of what is written: arrays that may alias, those that follow
  /// region variables that are, those of the same storage.
  void addAliases(const Procedure &procedure, WriteSet &set) const;
  void addFollowers(const Procedure &procedure, WriteSet &set) const;
  void addSameArrays(const Procedure &procedure, WriteSet &set) const;
  /// All that a statement writes, nested ones and calls included.
  void collect(const Stmt &stmt, WriteSet &set) const;
  /// Computes a summary again; whether it has grown.
  bool update(const Procedure &procedure);

  const Module &module;
  std::vector<const Procedure *> boundToIo;
  /// Arrays and families that follow region variables, anywhere.
  llvm::DenseSet<const Array *> followers;
  llvm::DenseSet<const Variable *> followingFamilies;
  /// Globals and parameters only: locals are nobody else's business.
  llvm::DenseMap<const Procedure *, WriteSet> summaries;
};

} // namespace zpl::air

#endif // ZPL_ANALYSIS_EFFECTS_H
