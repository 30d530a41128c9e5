//===- InlinedBody.h - The body of a procedure for one call -----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The part of inline-procedures that makes the statements for one call.
/// Reasons why that is not possible come back as texts for remarks, empty where
/// it is.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_INLINING_INLINEDBODY_H
#define ZPL_LIB_TRANSFORMS_INLINING_INLINEDBODY_H

#include "zpl/Analysis/Effects.h"
#include "zpl/ArrayIR/Clone.h"
#include "zpl/ArrayIR/Names.h"

namespace zpl::air {

/// Whether each `return` in the body is the last thing that it executes.
bool returnsAtEndOnly(const StmtList &body);

/// What takes the place of one call. The callee has neither transfers nor
/// returns in the middle, nor locals whose type depends on its parameters.
class InlinedBody {
public:
  /// \p names gives names of the caller. \p isRepeated: the call stands in a
  /// loop.
  InlinedBody(Module &module, const Effects &effects, NameAllocator &names,
              Procedure &caller, const CallStmt &call, bool isRepeated);

  /// Makes the statements; the caller stays as it is. Returns why that is not
  /// possible, empty if it is.
  std::string make();

  /// Gives the caller the locals, and the statements to \p list.
  void commit(StmtList &list);

private:
  /// Makes the argument \p arg stand for the parameter \p param, by a renaming
  /// or by a copy. As all of these, returns why that is not possible, for a
  /// remark; empty if it is done.
  std::string bind(const Parameter &param, const Argument &arg);

  /// A whole array of the same shape and element type, that is no view of
  /// another.
  std::string bindArray(const Array &param, const Argument &arg);

  /// A fixed place by its own name, any other value by a copy, if it is small
  /// enough and not given by reference.
  std::string bindVariable(const Variable &param, const Argument &arg);

  /// Makes a local for \p param and a statement that sets it to \p value.
  void copyValue(const Variable &param, const Expr *value);

  /// Makes locals of the caller for all of the callee's, and renames them.
  void addLocals();

  /// A local of the caller for the callee's variable \p like. Like all of these
  /// it keeps its text, which messages show, but has no place in the source:
  /// `print T` in a debugger is the caller's T, or the global one.
  Variable *addVariable(const Variable &like);

  /// A new local of the caller, named \p name or nearly so, without text.
  Variable *addVariable(llvm::StringRef name, Type type);

  /// Gives the callee's locals the value that they have at its entry, where
  /// that may matter.
  void clearLocals();

  /// Makes a statement that sets \p variable to zero.
  void clear(Variable &variable);

  /// Why the body must not stand here: two arrays, one of them written, that
  /// are different ones in the callee may be one in the caller. Empty if there
  /// are none.
  std::string checkAliases() const;

  /// Replaces each `return e` at the end of \p list, or of the branches there,
  /// by a statement that sets the call's result.
  void replaceReturns(StmtList &list);

  Module &module;
  NameAllocator &names;
  Procedure &caller;
  const CallStmt &call;
  const Procedure &callee;
  const bool isRepeated;
  const Effects &effects;
  const WriteSet written; ///< by the callee, under its names
  Renaming renaming;
  std::vector<Variable *> variables;
  std::vector<Region *> regions;
  std::vector<Array *> arrays;
  StmtList statements;
};

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_INLINING_INLINEDBODY_H
