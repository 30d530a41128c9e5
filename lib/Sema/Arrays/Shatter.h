//===- Shatter.h - Control flow that runs once per index --------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Makes a procedure of one shattered statement (language 8.9).
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_ARRAYS_SHATTER_H
#define ZPL_LIB_SEMA_ARRAYS_SHATTER_H

#include "Types/TypeTable.h"
#include "zpl/Sema/Program.h"
#include "zpl/Support/Diagnostic.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"

namespace zpl::sema {

/// What makes a statement run once per index, an array-valued condition, bound
/// or variable; null: nothing.
const Expr *headOf(const Stmt &s);

class Outliner {
public:
  /// \p head: the array-valued condition, bound or variable that makes a
  /// statement of \p from run once per index, of a rank unless AnyRank.
  Outliner(Program &program, TypeTable &types, DiagnosticEngine &diags,
           Procedure &from, const Expr &head)
      : program(program), types(types), diags(diags), from(from), head(head) {}

  /// What \p s asks of the rank: that of its head, else that of an array it
  /// writes, else AnyRank.
  unsigned findRank(Stmt &s);

  /// The call of the procedure made of \p s, over the covering region of rank
  /// \p rank. After a report, a statement without meaning.
  Stmt *outline(Stmt &s, unsigned rank);

private:
  /// What may be evaluated before the call instead of once per index.
  enum class Hoist : uint8_t {
    Nothing,   ///< in bodies
    Invariant, ///< conditions of loops: array operators on what stays as it is
    Operators, ///< further conditions before anything is written
    Calls      ///< the first condition and bounds: calls for all indices too
  };

  Stmt *stmt(const Stmt &s);
  void stmts(const StmtList &from, StmtList &to);
  Stmt *branch(const IfStmt &s, Hoist condition);
  Stmt *loop(const ForStmt &s, Hoist bounds);
  Stmt *repeated(const Stmt &s, Hoist condition);
  Stmt *outermost(const Stmt &s);
  Stmt *leave(const Stmt &s, llvm::StringRef word);
  Stmt *refused(const Stmt &s);

  const Expr *headValue(const Expr &e, Hoist kind);
  const Expr *value(const Expr &e);
  const Expr *rebuilt(const Expr &e);
  const Expr *array(const ArrayExpr &e);
  bool choosesMember(const ArrayExpr &e) const;
  const Expr *variable(const VariableExpr &e);
  const Expr *index(const IndexExpr &e);
  const Expr *subscript(const SubscriptExpr &e);
  const CallExpr *call(const CallExpr &e);
  const Expr *place(const Expr &e);
  bool hoists(const Expr &e);
  const Expr *passed(const Expr &e, llvm::StringRef name);
  Variable *param(llvm::StringRef name, Type type, Mode mode, const Expr *arg);
  Type ownType(Type type, SourceRange range);
  TypeBound ownBound(TypeBound bound, SourceRange range);
  const Expr *refuse(const Expr &e, llvm::StringRef what);
  template <typename T> T *copyOf(const T &e);

  Program &program;
  TypeTable &types;
  DiagnosticEngine &diags;
  Procedure &from;
  const Expr &head;
  unsigned rank = 0;
  Procedure *shard = nullptr;
  CallExpr *theCall = nullptr;
  llvm::DenseSet<const Array *> written;
  llvm::DenseSet<const Variable *> own; ///< hidden variables that it sets
  llvm::DenseMap<const Symbol *, Variable *> params;
  /// For what is shifted, and members of families.
  llvm::StringMap<Variable *> references;
  std::array<Variable *, MaxRank> indices{};
  /// Parameters for blank bounds; they come last.
  std::vector<std::pair<Variable *, const Expr *>> bounds;
  Hoist hoist = Hoist::Nothing;
  unsigned loopDepth = 0;
  unsigned hidden = 0; ///< parameters without a name in the source
};

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_ARRAYS_SHATTER_H
