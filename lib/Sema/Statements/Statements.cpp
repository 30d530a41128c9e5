//===- Statements.cpp - Checks statements ---------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     [R] if k > 0 then A += B * 2; else n := +<< A; end;
//
// `elsif` becomes an `if` in the else part, `a op= b` becomes `a := a op b`, a
// condition becomes a Boolean; assignments and I/O have files of their own.
// Visible scopes are kept as a stack of ranks, which is all that the ranks of
// expressions of Index alone need; where a covering region is missing is found
// later, over all calls (Covers.cpp).
//
//===----------------------------------------------------------------------===//

#include "Statements/Statements.h"
#include "Arithmetic/Stencils.h"
#include "Arrays/Blanks.h"
#include "Arrays/Boundaries.h"
#include "Arrays/Scopes.h"
#include "Check/Calls.h"
#include "Check/Designators.h"
#include "Check/Expressions.h"
#include "Check/FirstValues.h"
#include "Check/Operators.h"
#include "Check/Values.h"
#include "Names/Predeclared.h"
#include "Program/Free.h"
#include "Sparse/Modify.h"
#include "Statements/Assertions.h"
#include "Statements/Assign.h"
#include "Statements/Declarations.h"
#include "Statements/Initializers.h"
#include "Statements/Io.h"
#include "Statements/StandardStmts.h"
#include "Statements/Waves.h"
#include "Tree/Walk.h"
#include "Types/Types.h"
#include "Types/ValueTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/SaveAndRestore.h"

namespace zpl::sema {

static Stmt *checkStmtItself(Checking &c, const ast::Stmt &s);
static Stmt *checkIf(Checking &c, const ast::IfStmt &s, size_t arm);
static Stmt *checkFor(Checking &c, const ast::ForStmt &s);
static bool checkInLoop(Checking &c, llvm::StringRef word, SourceRange range);
static Stmt *checkReturn(Checking &c, const ast::ReturnStmt &s);
static Stmt *checkCallStmt(Checking &c, const ast::CallStmt &s);

Stmt *emptyStmt(Checking &c, SourceRange range) {
  return c.program.make<BlockStmt>(range);
}

static void checkStmts(Checking &c, const ast::StmtList &from, StmtList &to) {
  for (const ast::Stmt *s : from)
    to.push_back(checkStmt(c, *s));
}

Stmt *singleStmt(Checking &c, StmtList list, SourceRange range) {
  if (list.size() == 1)
    return list.front();
  auto *node = c.program.make<BlockStmt>(range);
  node->body = std::move(list);
  return node;
}

static Stmt *checkBlock(Checking &c, const ast::StmtList &body,
                        SourceRange range) {
  auto *node = c.program.make<BlockStmt>(range);
  checkStmts(c, body, node->body);
  return node;
}

Stmt *checkStmt(Checking &c, const ast::Stmt &s) {
  auto isProcedure = [&](llvm::StringRef name) {
    return llvm::isa_and_nonnull<Procedure>(c.names.find(name));
  };
  llvm::SaveAndRestore outer(c.firsts.haveVariables,
                             callsInPlaces(s, isProcedure));
  return withFirstValues(c, s.range, [&] { return checkStmtItself(c, s); });
}

/// A condition of a loop, and what is evaluated before each test of it. If it
/// is tested once per index, that is evaluated before the loop.
static const Expr *loopCondition(Checking &c, const ast::Expr &e,
                                 StmtList &first) {
  const Expr *made = nullptr;
  {
    llvm::SaveAndRestore<StmtList *> outer(c.firsts.list, &first);
    made = checkCondition(c, e);
  }
  if (made->isArray()) {
    llvm::append_range(*c.firsts.list, first);
    first.clear();
  }
  return made;
}

static Stmt *checkStmtItself(Checking &c, const ast::Stmt &s) {
  switch (s.kind) {
  case ast::StmtKind::Block:
    return checkBlock(c, llvm::cast<ast::BlockStmt>(s).body, s.range);
  case ast::StmtKind::Interleave:
    return checkBlock(c, llvm::cast<ast::InterleaveStmt>(s).body, s.range);
  case ast::StmtKind::ScanBlock:
    return checkScanBlock(c, llvm::cast<ast::ScanBlockStmt>(s));
  case ast::StmtKind::Wrap:
    return checkBoundary(c, llvm::cast<ast::WrapStmt>(s));
  case ast::StmtKind::Modify:
    return checkModify(c, llvm::cast<ast::ModifyStmt>(s));
  case ast::StmtKind::Add:
    return checkAdd(c, llvm::cast<ast::AddStmt>(s));
  case ast::StmtKind::Empty:
    return emptyStmt(c, s.range);
  case ast::StmtKind::If:
    return checkIf(c, llvm::cast<ast::IfStmt>(s), 0);
  case ast::StmtKind::While: {
    auto &loop = llvm::cast<ast::WhileStmt>(s);
    StmtList first, body;
    const Expr *condition = loopCondition(c, *loop.condition, first);
    ++c.around.loops;
    checkStmts(c, loop.body, body);
    --c.around.loops;
    return whileLoop(c, std::move(first), condition, std::move(body), s.range);
  }
  case ast::StmtKind::Repeat: {
    auto &loop = llvm::cast<ast::RepeatStmt>(s);
    StmtList first, body;
    ++c.around.loops;
    checkStmts(c, loop.body, body);
    --c.around.loops;
    const Expr *condition = loopCondition(c, *loop.condition, first);
    return repeatLoop(c, std::move(first), condition, std::move(body), s.range);
  }
  case ast::StmtKind::For:
    return checkFor(c, llvm::cast<ast::ForStmt>(s));
  case ast::StmtKind::Exit:
    if (!checkInLoop(c, "exit", s.range))
      return emptyStmt(c, s.range);
    return c.program.make<ExitStmt>(s.range);
  case ast::StmtKind::Continue:
    if (!checkInLoop(c, "continue", s.range))
      return emptyStmt(c, s.range);
    return c.program.make<ContinueStmt>(s.range);
  case ast::StmtKind::Return:
    return checkReturn(c, llvm::cast<ast::ReturnStmt>(s));
  case ast::StmtKind::Halt:
    return checkHalt(c, llvm::cast<ast::HaltStmt>(s));
  case ast::StmtKind::Assert:
    return checkAssert(c, llvm::cast<ast::AssertStmt>(s));
  case ast::StmtKind::Io:
    return checkIo(c, llvm::cast<ast::IoStmt>(s));
  case ast::StmtKind::Call:
    return checkCallStmt(c, llvm::cast<ast::CallStmt>(s));
  case ast::StmtKind::Assign:
    return checkAssign(c, llvm::cast<ast::AssignStmt>(s));
  case ast::StmtKind::Scope:
    return checkScope(c, llvm::cast<ast::ScopeStmt>(s));
  }
  llvm_unreachable("statement");
}

static Stmt *checkIf(Checking &c, const ast::IfStmt &s, size_t arm) {
  const ast::IfStmt::Arm &taken = s.arms[arm];
  auto *node =
      c.program.make<IfStmt>(checkCondition(c, *taken.condition), s.range);
  checkStmts(c, taken.body, node->thenBody);
  if (arm + 1 < s.arms.size())
    node->elseBody.push_back(
        withFirstValues(c, s.range, [&] { return checkIf(c, s, arm + 1); }));
  else
    checkStmts(c, s.elseBody, node->elseBody);
  return node;
}

/// The loop variable; of type Error after a report.
static const Expr *forVariable(Checking &c, const ast::ForStmt &s) {
  const ast::Expr &e = *s.variable;
  const Expr *variable = checkTarget(c, e);
  if (!variable)
    return c.build.error(e.range);
  Type type = variable->type;
  bool counts =
      (type == Type::Enum && !isDistributionValue(type)) ||
      (type.isNumeric() && !type.isComplex() && type != Type::Boolean);
  if (counts)
    return variable;
  c.diags
      .report(e.range, Diag::ForType, c.diags.sources().text(e.range),
              text(type))
      .done();
  return c.build.error(e.range);
}

static const Expr *forBound(Checking &c, const ast::Expr &e, Type type) {
  const Expr *value = checkExpr(c, e);
  return reportFree(c, value) ? c.build.error(e.range)
                              : convert(c, value, type);
}

static Stmt *checkFor(Checking &c, const ast::ForStmt &s) {
  const Expr *variable = forVariable(c, s);
  Type type = variable->type;
  Type stepType = type == Type::Enum ? Type(Type::Integer) : type;
  const Expr *from = forBound(c, *s.from, type);
  const Expr *to = forBound(c, *s.bound, type);
  const Expr *step =
      s.step
          ? forBound(c, *s.step, stepType)
          : c.build.cast(c.build.integer(1, Type::Integer, s.range), stepType);
  if (auto *literal = llvm::dyn_cast<LiteralExpr>(step);
      literal && literal->type.isNumeric() &&
      !(literal->type.isFloating()
            ? literal->number > 0
            : literal->integer != 0 &&
                  (literal->integer > 0 || literal->type == Type::Ulongint)))
    c.diags.report(s.step->range, Diag::ForStep).done();
  StmtList body;
  ++c.around.loops;
  checkStmts(c, s.body, body);
  --c.around.loops;
  if (isError(variable))
    return emptyStmt(c, s.range);
  auto *node =
      c.program.make<ForStmt>(variable, from, to, step, s.down, s.range);
  node->body = std::move(body);
  return node;
}

static bool checkInLoop(Checking &c, llvm::StringRef word, SourceRange range) {
  if (c.around.loops != 0)
    return true;
  if (reportLeavesModify(c, word, range))
    return false;
  c.diags.report(range, Diag::NotInLoop, word).done();
  return false;
}

static Stmt *checkReturn(Checking &c, const ast::ReturnStmt &s) {
  reportLeavesModify(c, "return", s.range);
  Type wanted = c.current->result;
  bool isValue = wanted == Type::Region || wanted == Type::Direction;
  if (s.value && isValue) {
    const Expr *value = typedValue(c, *s.value, wanted);
    return isError(value) ? emptyStmt(c, s.range)
                          : c.program.make<ReturnStmt>(value, 0, s.range);
  }
  if (s.value && wanted == Type::Void) {
    if (kindOf(c, *s.value) == Type::Error)
      checkExpr(c, *s.value);
    c.diags.report(s.value->range, Diag::ReturnsValue, c.current->name)
        .note(c.current->range, Diag::DeclaredHere, c.current->name);
    return emptyStmt(c, s.range);
  }
  if (!s.value && wanted != Type::Void) {
    if (wanted != Type::Error)
      c.diags
          .report(s.range, Diag::ReturnsNoValue, c.current->name, text(wanted))
          .note(c.current->range, Diag::DeclaredHere, c.current->name);
    return emptyStmt(c, s.range);
  }
  if (!s.value)
    return c.program.make<ReturnStmt>(nullptr, 0, s.range);
  if (wanted == Type::Error && kindOf(c, *s.value) != Type::Error)
    return emptyStmt(c, s.range);
  unsigned rank = c.current->resultRank;
  const Expr *value = rank == 0 ? checkScalar(c, *s.value, "result")
                                : elementValue(c, *s.value, rank);
  value = convert(c, value, wanted);
  if (isError(value))
    return emptyStmt(c, s.range);
  if (rank != 0)
    value = arrangeSums(c.program, value, c.options.strictFp);
  return c.program.make<ReturnStmt>(value, rank, s.range);
}

/// A call with blank references is one for each element.
static Stmt *checkCallStmt(Checking &c, const ast::CallStmt &s) {
  const ast::Call &e = *s.call;
  Blanks over;
  llvm::SaveAndRestore<Blanks *> outer(c.blanks, &over);
  Symbol *symbol = c.names.find(e.callee.text);
  Stmt *made = nullptr;
  const Predeclared *entry = symbol ? nullptr : findPredeclared(e.callee.text);
  if (entry) {
    made = checkStandardStmt(c, e, *entry);
  } else if (llvm::isa_and_nonnull<Procedure>(symbol)) {
    CallExpr *node = checkProcedureCall(c, e);
    if (node && node->rank == Expr::AnyRank)
      node->rank = visibleRank(c, node->minRank, e.range);
    if (node)
      Builder::settle(*node, node->rank);
    made =
        node ? c.program.make<CallStmt>(node, s.range) : emptyStmt(c, s.range);
  } else {
    checkCall(c, e); // reports
    return emptyStmt(c, s.range);
  }
  StmtList list;
  repeat(c, over, {made}, s.range, list);
  return singleStmt(c, std::move(list), s.range);
}

} // namespace zpl::sema
