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

#ifndef ZPL_LIB_SEMA_STATEMENTS_SHATTER_H
#define ZPL_LIB_SEMA_STATEMENTS_SHATTER_H

#include "Check/Checking.h"
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
  /// stmt() and value() of each kind of node.
  struct Copies;
  struct Values;
  /// What may be evaluated before the call instead of once per index.
  enum class Hoist : uint8_t {
    Nothing,   ///< in bodies
    Invariant, ///< conditions of loops: array operators on what stays as it is
    Operators, ///< further conditions before anything is written
    Calls      ///< the first condition and bounds: calls for all indices too
  };

  /// \p s as a statement of the procedure, for one index. The functions below
  /// make copies, too, and return what they were given after a report.
  Stmt *stmt(Stmt &s);
  /// Adds those of \p from to \p to.
  void stmts(const StmtList &from, StmtList &to);
  /// An `if`, whose `elsif` conditions are hoisted less than \p condition.
  Stmt *branch(const IfStmt &s, Hoist condition);
  /// A `for`; its variable is a hidden one or an array.
  Stmt *loop(const ForStmt &s, Hoist bounds);
  /// A `while` or `repeat`.
  Stmt *repeated(const Stmt &s, Hoist condition);
  /// The statement itself, whose condition or bounds are for all indices.
  Stmt *outermost(Stmt &s);
  /// `exit` and `continue` (\p word): reports that they leave the statement, as
  /// they belong to a loop in it.
  Stmt *leave(Stmt &s, llvm::StringRef word);
  /// Reports a statement that cannot run once per index: I/O, scopes, ...
  Stmt *refused(const Stmt &s);

  /// The condition or bound \p e, of which \p kind is evaluated before the
  /// call.
  const Expr *headValue(const Expr &e, Hoist kind);
  /// \p e at one index: parameters stand for arrays and locals. Reports what is
  /// not made index by index, such as reductions, unless it is hoisted.
  const Expr *value(const Expr &e);
  /// An operation on one index's own operands.
  const Expr *rebuilt(const Expr &e);
  /// A parameter for `A`, `A@d` or `U[i]`. Reports other ranks, and shifted
  /// reads of what the statement writes.
  const Expr *array(const ArrayExpr &e);
  /// Whether the statement itself goes through members of the family.
  bool choosesMember(const ArrayExpr &e) const;
  /// A parameter for a local of `from`; globals and hidden variables that the
  /// statement sets stay.
  const Expr *variable(const VariableExpr &e);
  /// A parameter for `Index1` ...; reports one beyond the rank.
  const Expr *index(const IndexExpr &e);
  /// `base[i]`, of what stands for the base.
  const Expr *subscript(const SubscriptExpr &e);
  /// A call of a scalar procedure for one index; reports one that works on
  /// whole arrays.
  const CallExpr *call(const CallExpr &e);
  /// Something that the body assigns or passes by reference; reports scalars
  /// and shifted arrays.
  const Expr *place(const Expr &e);
  /// Whether \p e is evaluated before the call, as `hoist` says.
  bool hoists(const Expr &e);
  /// A new parameter that has the value of \p e from before the call.
  const Expr *passed(const Expr &e, llvm::StringRef name);
  /// A new parameter of the procedure, with \p arg in the call.
  Variable *param(llvm::StringRef name, Type type, Mode mode, const Expr *arg);
  /// \p type with the bounds that parameters of `from` give given by own ones.
  Type ownType(Type type, SourceRange range);
  /// The same of one bound.
  TypeBound ownBound(TypeBound bound, SourceRange range);
  /// Reports \p what, which cannot be done once per index; returns \p e.
  const Expr *refuse(const Expr &e, llvm::StringRef what);
  /// A node of the program equal to \p e.
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

/// Makes procedures of the control flow in \p procedure that runs once per
/// index, `if A > 0 then A := 1; end;`. Its body is complete; reports what the
/// language does not let run so.
void shatter(Checking &c, Procedure &procedure);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_STATEMENTS_SHATTER_H
