//===- Checker.h - From syntax tree to checked program ----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The first part of Sema: resolves names, gives types and ranks, and makes
/// the nodes of the program, in one pass in the order of the source. What needs
/// the whole program (scalar and parallel procedures, covering regions,
/// legality) comes after it and works on the program alone.
///
/// Functions that check an expression never return null: after a report they
/// return a dummy of type Error, which silences whoever uses it. Functions that
/// check a region or a direction return null or none then.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_SEMA_CHECKER_H
#define ZPL_SEMA_CHECKER_H

#include "Builder.h"
#include "Names.h"
#include "Predeclared.h"
#include "zpl/AST/AST.h"
#include "zpl/Sema/Program.h"
#include "zpl/Support/Diagnostic.h"
#include "llvm/ADT/DenseMap.h"

namespace zpl::sema {

/// One component per dimension, of type integer or longint.
using DirectionExprs = llvm::SmallVector<const Expr *, 6>;

class Checker {
public:
  Checker(Program &program, DiagnosticEngine &diags)
      : program(program), diags(diags), build(program), names(diags) {}

  /// Fills the program from \p module.
  void checkModule(const ast::Module &module);

private:
  // Expressions.cpp
  const Expr *expr(const ast::Expr &e);
  const Expr *nameValue(const ast::NameRef &e);
  const Expr *predeclaredValue(const Predeclared &entry, SourceRange range);
  const Expr *unary(const ast::Unary &e);
  const Expr *reduce(const ast::Reduce &e);
  const Expr *at(const ast::At &e);
  /// A value that is neither an array nor free; \p what ("bound of a region")
  /// says whose.
  const Expr *scalar(const ast::Expr &e, llvm::StringRef what);
  const Expr *condition(const ast::Expr &e);

  // Operators.cpp
  const Expr *binary(ast::BinaryOp op, SourceRange opRange, const Expr *left,
                     const Expr *right, SourceRange range);
  /// \p value as a value of type \p to, by the rules of assignment.
  const Expr *convert(const Expr *value, ScalarType to);
  /// Whether the ranks go together; reports otherwise.
  bool conform(const Expr *left, const Expr *right, SourceRange place);
  /// Whether \p value, an expression of Index alone or of rank \p rank, fits
  /// \p rank.
  bool fitsRank(const Expr *value, unsigned rank);
  bool reportFree(const Expr *value);
  void reportArray(const Expr *value, llvm::StringRef what);

  // Functions.cpp
  const Expr *standardCall(const ast::Call &e, const Predeclared &entry);
  const Expr *functionValue(const Predeclared &entry, const ast::Call &e,
                            llvm::ArrayRef<const Expr *> args);
  const Expr *integerFunction(Function function, const ast::Call &e,
                              llvm::ArrayRef<const Expr *> args);
  const Expr *readTimer(const ast::Call &e);
  Variable *timerArgument(const ast::Expr &e);
  Stmt *timerStmt(const ast::Call &e, Function function);
  bool countArguments(const ast::Call &e, unsigned least, unsigned most);

  // Calls.cpp
  const Expr *call(const ast::Call &e);
  CallExpr *procedureCall(const ast::Call &e, Procedure &callee);
  const Expr *valueArgument(const ast::Expr &arg, const Symbol &formal);
  const Expr *referenceArgument(const ast::Expr &arg, const Symbol &formal);
  bool promote(CallExpr &call);
  /// Reports why \p symbol cannot be assigned, if so. \p byReference: what is
  /// tried is to pass it so.
  bool checkWritable(const Symbol &symbol, SourceRange range, bool byReference);

  // Regions.cpp
  /// \p quoteRank: the rank that the context gives a quote; 0: none.
  const RegionExpr *region(const ast::Expr &e, unsigned quoteRank);
  const RegionExpr *regionLiteral(const ast::RegionLit &e);
  const RegionExpr *regionOp(const ast::RegionOp &e);
  const RegionExpr *namedRegion(const ast::NameRef &e);
  bool isRegion(const ast::Expr &e) const;
  std::optional<DirectionExprs> direction(const ast::Expr &e);
  std::optional<DirectionExprs> namedDirection(const ast::NameRef &e);
  const Expr *indexValue(const ast::Expr &e, llvm::StringRef what);

  // Statements.cpp
  Stmt *stmt(const ast::Stmt &s);
  void stmts(const ast::StmtList &from, StmtList &to);
  Stmt *block(const ast::StmtList &body, SourceRange range);
  Stmt *empty(SourceRange range);
  Stmt *ifStmt(const ast::IfStmt &s, size_t arm);
  Stmt *forStmt(const ast::ForStmt &s);
  Stmt *returnStmt(const ast::ReturnStmt &s);
  Stmt *callStmt(const ast::CallStmt &s);
  Stmt *assign(const ast::AssignStmt &s);
  Stmt *assignScalar(const ast::AssignStmt &s, Variable &target);
  Stmt *assignArray(const ast::AssignStmt &s, Array &target);
  const Expr *assignedValue(const ast::AssignStmt &s, const Expr *old);
  Stmt *scope(const ast::ScopeStmt &s);
  bool checkInLoop(llvm::StringRef word, SourceRange range);
  /// The rank of the innermost visible scope of at least \p least; reports and
  /// returns 0 if there is none.
  unsigned visibleRank(unsigned least, SourceRange range);

  // Formats.cpp
  void items(const std::vector<ast::Item> &from, bool newline,
             SourceRange range, std::vector<WriteItem> &to);
  void formattedItems(const std::vector<ast::Item> &from, size_t &next,
                      std::vector<WriteItem> &to);
  void plainItem(const ast::Item &item, std::vector<WriteItem> &to);
  const Expr *itemValue(const ast::Expr &e);

  // Declarations.cpp
  void declaration(const ast::Decl &d);
  void variableDecl(const ast::VariableDecl &d);
  void scalarVariables(const ast::VariableDecl &d, ScalarType type);
  void arrayVariables(const ast::VariableDecl &d, ScalarType type);
  const Expr *arrayInit(const ast::VariableDecl &d, ScalarType type,
                        unsigned rank);
  void regionDecl(const ast::RegionDecl &d);
  void directionDecl(const ast::DirectionDecl &d);
  void add(Symbol *symbol);
  /// A symbol that silences uses of a name whose declaration is wrong.
  void declareDummy(const ast::Name &name);
  ScalarType elementType(const ast::TypeRef &type);
  void reportUnknownType(const ast::Name &name);
  void checkHasValue(const ast::VariableDecl &d);
  Storage storageOf(const ast::VariableDecl &d) const;
  bool checkStatic(const Expr &init);
  bool checkStatic(const RegionExpr &region);

  // Procedures.cpp
  void procedureDecl(const ast::ProcedureDecl &d);
  Procedure *declareProcedure(const ast::ProcedureDecl &d);
  void procedureBody(const ast::ProcedureDecl &d, Procedure &procedure);
  Symbol *formal(const ast::Formal &f);
  void formalDims(const ast::Formal &f, Array &array);
  ScalarType resultType(const ast::ProcedureDecl &d);
  bool sameSignature(const Procedure &a, const Procedure &b) const;
  void checkEntry(const ast::Module &module);
  void checkPrototypes();

  Program &program;
  DiagnosticEngine &diags;
  Builder build;
  Names names;

  /// Where each procedure is called first.
  llvm::DenseMap<const Procedure *, SourceRange> firstCalls;

  // The procedure at hand.
  Procedure *current = nullptr; ///< null: a global declaration
  /// Blank dimensions and quotes have a covering region to inherit from.
  bool mayInherit = false;
  llvm::SmallVector<unsigned, 8> scopeRanks; ///< visible scopes, innermost last
  unsigned loopDepth = 0;
};

} // namespace zpl::sema

#endif // ZPL_SEMA_CHECKER_H
