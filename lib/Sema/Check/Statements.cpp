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

#include "Arithmetic/Stencils.h"
#include "Arrays/Blanks.h"
#include "Check/FirstValues.h"
#include "Tree/Walk.h"
#include "Types/Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/SaveAndRestore.h"

namespace zpl::sema {

Stmt *Checker::empty(SourceRange range) {
  return program.make<BlockStmt>(range);
}

void Checker::stmts(const ast::StmtList &from, StmtList &to) {
  for (const ast::Stmt *s : from)
    to.push_back(stmt(*s));
}

/// One statement for several.
Stmt *Checker::single(StmtList list, SourceRange range) {
  if (list.size() == 1)
    return list.front();
  auto *node = program.make<BlockStmt>(range);
  node->body = std::move(list);
  return node;
}

Stmt *Checker::reportUnsupported(const ast::Stmt &s, llvm::StringRef what) {
  notSupported(s.range, what);
  return empty(s.range);
}

Stmt *Checker::block(const ast::StmtList &body, SourceRange range) {
  auto *node = program.make<BlockStmt>(range);
  stmts(body, node->body);
  return node;
}

Stmt *Checker::stmt(const ast::Stmt &s) {
  auto isProcedure = [&](llvm::StringRef name) {
    return llvm::isa_and_nonnull<Procedure>(names.find(name));
  };
  llvm::SaveAndRestore outer(variablesFirst, callsInPlaces(s, isProcedure));
  return withFirstValues(*this, s.range, [&] { return stmtItself(s); });
}

/// A condition of a loop, and what is evaluated before each test of it. If it
/// is tested once per index, that is evaluated before the loop.
const Expr *Checker::loopCondition(const ast::Expr &e, StmtList &first) {
  const Expr *made = nullptr;
  {
    llvm::SaveAndRestore<StmtList *> outer(firsts, &first);
    made = condition(e);
  }
  if (made->isArray()) {
    llvm::append_range(*firsts, first);
    first.clear();
  }
  return made;
}

Stmt *Checker::stmtItself(const ast::Stmt &s) {
  switch (s.kind) {
  case ast::StmtKind::Block:
    return block(llvm::cast<ast::BlockStmt>(s).body, s.range);
  case ast::StmtKind::Interleave:
    return block(llvm::cast<ast::InterleaveStmt>(s).body, s.range);
  case ast::StmtKind::ScanBlock:
    return scanBlock(llvm::cast<ast::ScanBlockStmt>(s));
  case ast::StmtKind::Wrap:
    return boundary(llvm::cast<ast::WrapStmt>(s));
  case ast::StmtKind::Modify:
    return reportUnsupported(s, "'modify'");
  case ast::StmtKind::Add:
    return reportUnsupported(s, "'add'");
  case ast::StmtKind::Empty:
    return empty(s.range);
  case ast::StmtKind::If:
    return ifStmt(llvm::cast<ast::IfStmt>(s), 0);
  case ast::StmtKind::While: {
    auto &loop = llvm::cast<ast::WhileStmt>(s);
    StmtList first, body;
    const Expr *condition = loopCondition(*loop.condition, first);
    ++loopDepth;
    stmts(loop.body, body);
    --loopDepth;
    return whileLoop(*this, std::move(first), condition, std::move(body),
                     s.range);
  }
  case ast::StmtKind::Repeat: {
    auto &loop = llvm::cast<ast::RepeatStmt>(s);
    StmtList first, body;
    ++loopDepth;
    stmts(loop.body, body);
    --loopDepth;
    const Expr *condition = loopCondition(*loop.condition, first);
    return repeatLoop(*this, std::move(first), condition, std::move(body),
                      s.range);
  }
  case ast::StmtKind::For:
    return forStmt(llvm::cast<ast::ForStmt>(s));
  case ast::StmtKind::Exit:
    if (!checkInLoop("exit", s.range))
      return empty(s.range);
    return program.make<ExitStmt>(s.range);
  case ast::StmtKind::Continue:
    if (!checkInLoop("continue", s.range))
      return empty(s.range);
    return program.make<ContinueStmt>(s.range);
  case ast::StmtKind::Return:
    return returnStmt(llvm::cast<ast::ReturnStmt>(s));
  case ast::StmtKind::Halt:
    return haltStmt(llvm::cast<ast::HaltStmt>(s));
  case ast::StmtKind::Io:
    return ioStmt(llvm::cast<ast::IoStmt>(s));
  case ast::StmtKind::Call:
    return callStmt(llvm::cast<ast::CallStmt>(s));
  case ast::StmtKind::Assign:
    return assign(llvm::cast<ast::AssignStmt>(s));
  case ast::StmtKind::Scope:
    return scope(llvm::cast<ast::ScopeStmt>(s));
  }
  llvm_unreachable("statement");
}

Stmt *Checker::ifStmt(const ast::IfStmt &s, size_t arm) {
  const ast::IfStmt::Arm &taken = s.arms[arm];
  auto *node = program.make<IfStmt>(condition(*taken.condition), s.range);
  stmts(taken.body, node->thenBody);
  if (arm + 1 < s.arms.size())
    node->elseBody.push_back(
        withFirstValues(*this, s.range, [&] { return ifStmt(s, arm + 1); }));
  else
    stmts(s.elseBody, node->elseBody);
  return node;
}

/// The loop variable; of type Error after a report.
const Expr *Checker::forVariable(const ast::ForStmt &s) {
  const ast::Expr &e = *s.variable;
  const Expr *variable = target(e);
  if (!variable)
    return build.error(e.range);
  Type type = variable->type;
  bool counts = type == Type::Enum || (type.isNumeric() && !type.isComplex() &&
                                       type != Type::Boolean);
  if (counts)
    return variable;
  diags
      .report(e.range, Diag::ForType, diags.sources().text(e.range), text(type))
      .done();
  return build.error(e.range);
}

const Expr *Checker::forBound(const ast::Expr &e, Type type) {
  const Expr *value = expr(e);
  return reportFree(value) ? build.error(e.range) : convert(value, type);
}

Stmt *Checker::forStmt(const ast::ForStmt &s) {
  const Expr *variable = forVariable(s);
  Type type = variable->type;
  Type stepType = type == Type::Enum ? Type(Type::Integer) : type;
  const Expr *from = forBound(*s.from, type);
  const Expr *to = forBound(*s.bound, type);
  const Expr *step =
      s.step ? forBound(*s.step, stepType)
             : build.cast(build.integer(1, Type::Integer, s.range), stepType);
  if (auto *literal = llvm::dyn_cast<LiteralExpr>(step);
      literal && literal->type.isNumeric() &&
      !(literal->type.isFloating()
            ? literal->number > 0
            : literal->integer != 0 &&
                  (literal->integer > 0 || literal->type == Type::Ulongint)))
    diags.report(s.step->range, Diag::ForStep).done();
  StmtList body;
  ++loopDepth;
  stmts(s.body, body);
  --loopDepth;
  if (isError(variable))
    return empty(s.range);
  auto *node = program.make<ForStmt>(variable, from, to, step, s.down, s.range);
  node->body = std::move(body);
  return node;
}

bool Checker::checkInLoop(llvm::StringRef word, SourceRange range) {
  if (loopDepth != 0)
    return true;
  diags.report(range, Diag::NotInLoop, word).done();
  return false;
}

Stmt *Checker::returnStmt(const ast::ReturnStmt &s) {
  Type wanted = current->result;
  bool isValue = wanted == Type::Region || wanted == Type::Direction;
  if (s.value && isValue) {
    const Expr *value = typedValue(*s.value, wanted);
    return isError(value) ? empty(s.range)
                          : program.make<ReturnStmt>(value, 0, s.range);
  }
  if (s.value && wanted == Type::Void) {
    if (kindOf(*s.value) == Type::Error)
      expr(*s.value);
    diags.report(s.value->range, Diag::ReturnsValue, current->name)
        .note(current->range, Diag::DeclaredHere, current->name);
    return empty(s.range);
  }
  if (!s.value && wanted != Type::Void) {
    if (wanted != Type::Error)
      diags.report(s.range, Diag::ReturnsNoValue, current->name, text(wanted))
          .note(current->range, Diag::DeclaredHere, current->name);
    return empty(s.range);
  }
  if (!s.value)
    return program.make<ReturnStmt>(nullptr, 0, s.range);
  if (wanted == Type::Error && kindOf(*s.value) != Type::Error)
    return empty(s.range);
  unsigned rank = current->resultRank;
  const Expr *value =
      rank == 0 ? scalar(*s.value, "result") : elementValue(*s.value, rank);
  value = convert(value, wanted);
  if (isError(value))
    return empty(s.range);
  if (rank != 0)
    value = arrangeSums(program, value, options.strictFp);
  return program.make<ReturnStmt>(value, rank, s.range);
}

/// A call with blank references is one for each element.
Stmt *Checker::callStmt(const ast::CallStmt &s) {
  const ast::Call &e = *s.call;
  Blanks over;
  llvm::SaveAndRestore<Blanks *> outer(blanks, &over);
  Symbol *symbol = names.find(e.callee.text);
  Stmt *made = nullptr;
  const Predeclared *entry = symbol ? nullptr : findPredeclared(e.callee.text);
  if (entry) {
    made = standardStmt(e, *entry);
  } else if (llvm::isa_and_nonnull<Procedure>(symbol)) {
    CallExpr *node = procedureCall(e);
    if (node && node->rank == Expr::AnyRank)
      node->rank = visibleRank(node->minRank, e.range);
    if (node)
      Builder::settle(*node, node->rank);
    made = node ? program.make<CallStmt>(node, s.range) : empty(s.range);
  } else {
    call(e); // reports
    return empty(s.range);
  }
  StmtList list;
  repeat(over, {made}, s.range, list);
  return single(std::move(list), s.range);
}

} // namespace zpl::sema
