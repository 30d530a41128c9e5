//===- InlinedBody.h - The body of a procedure for one call -----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_STATEMENTS_INLINEDBODY_H
#define ZPL_LIB_TRANSFORMS_STATEMENTS_INLINEDBODY_H

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
  std::string bind(const Parameter &param, const Argument &arg);
  std::string bindArray(const Array &param, const Argument &arg);
  std::string bindVariable(const Variable &param, const Argument &arg);
  void copyValue(const Variable &param, const Expr *value);
  void addLocals();
  Variable *addVariable(const Variable &like);
  Variable *addVariable(llvm::StringRef name, Type type);
  void clearLocals();
  void clear(Variable &variable);
  std::string checkAliases() const;
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

#endif // ZPL_LIB_TRANSFORMS_STATEMENTS_INLINEDBODY_H
