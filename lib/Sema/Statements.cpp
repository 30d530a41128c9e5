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
// condition becomes a Boolean, a call of StartTimer a statement of its own.
// Visible scopes are kept as a stack of ranks, which is all that the ranks of
// expressions of Index alone need; where a covering region is missing is found
// later, over all calls (Covers.cpp).
//
//===----------------------------------------------------------------------===//

#include "Checker.h"
#include "Types.h"
#include "Walk.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

namespace zpl::sema {

Stmt *Checker::empty(SourceRange range) {
  return program.make<BlockStmt>(range);
}

void Checker::stmts(const ast::StmtList &from, StmtList &to) {
  for (const ast::Stmt *s : from)
    to.push_back(stmt(*s));
}

Stmt *Checker::block(const ast::StmtList &body, SourceRange range) {
  auto *node = program.make<BlockStmt>(range);
  stmts(body, node->body);
  return node;
}

Stmt *Checker::stmt(const ast::Stmt &s) {
  switch (s.kind) {
  case ast::StmtKind::Block:
    return block(llvm::cast<ast::BlockStmt>(s).body, s.range);
  case ast::StmtKind::Empty:
    return empty(s.range);
  case ast::StmtKind::If:
    return ifStmt(llvm::cast<ast::IfStmt>(s), 0);
  case ast::StmtKind::While: {
    auto &loop = llvm::cast<ast::WhileStmt>(s);
    auto *node = program.make<WhileStmt>(condition(*loop.condition), s.range);
    ++loopDepth;
    stmts(loop.body, node->body);
    --loopDepth;
    return node;
  }
  case ast::StmtKind::Repeat: {
    auto &loop = llvm::cast<ast::RepeatStmt>(s);
    StmtList body;
    ++loopDepth;
    stmts(loop.body, body);
    --loopDepth;
    auto *node = program.make<RepeatStmt>(condition(*loop.condition), s.range);
    node->body = std::move(body);
    return node;
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
  case ast::StmtKind::Halt: {
    auto *node = program.make<HaltStmt>(s.range);
    auto &halt = llvm::cast<ast::HaltStmt>(s);
    items(halt.items, /*newline=*/!halt.items.empty(), s.range, node->items);
    return node;
  }
  case ast::StmtKind::Write: {
    auto &write = llvm::cast<ast::WriteStmt>(s);
    auto *node = program.make<WriteStmt>(s.range);
    items(write.items, write.newline, s.range, node->items);
    return node;
  }
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
    node->elseBody.push_back(ifStmt(s, arm + 1));
  else
    stmts(s.elseBody, node->elseBody);
  return node;
}

Stmt *Checker::forStmt(const ast::ForStmt &s) {
  Variable *variable = nullptr;
  auto *name = llvm::dyn_cast<ast::NameRef>(s.variable);
  Symbol *symbol = name ? names.find(name->name) : nullptr;
  if (llvm::isa_and_nonnull<Array>(symbol))
    diags
        .report(s.variable->range, Diag::NotSupported, "shattered control flow")
        .done();
  else if (symbol && checkWritable(*symbol, s.variable->range, false))
    variable = llvm::cast<Variable>(symbol);
  else if (!symbol && name && !findPredeclared(name->name))
    names.reportUnknown(name->name, name->range);
  else if (!symbol)
    diags.report(s.variable->range, Diag::NotAssignable).done();
  ScalarType type = variable ? variable->type : ScalarType::Error;
  if (type != ScalarType::Error &&
      (!isNumeric(type) || type == ScalarType::Boolean)) {
    diags.report(s.variable->range, Diag::ForType, variable->name, text(type))
        .done();
    type = ScalarType::Error;
  }
  auto bound = [&](const ast::Expr &e) {
    const Expr *value = expr(e);
    if (value->isArray()) {
      diags.report(e.range, Diag::NotSupported, "shattered control flow")
          .done();
      return build.error(e.range);
    }
    return reportFree(value) ? build.error(e.range) : convert(value, type);
  };
  const Expr *from = bound(*s.from);
  const Expr *to = bound(*s.bound);
  const Expr *step =
      s.step ? bound(*s.step)
             : build.cast(build.integer(1, ScalarType::Integer, s.range), type);
  if (auto *literal = llvm::dyn_cast<LiteralExpr>(step);
      literal && isNumeric(literal->type) &&
      !(isFloating(literal->type) ? literal->number > 0 : literal->integer > 0))
    diags.report(s.step->range, Diag::ForStep).done();
  StmtList body;
  ++loopDepth;
  stmts(s.body, body);
  --loopDepth;
  if (type == ScalarType::Error)
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
  ScalarType wanted = current->result;
  const Expr *value = nullptr;
  if (s.value)
    value = scalar(*s.value, "result");
  if (value && wanted == ScalarType::Void) {
    diags.report(s.value->range, Diag::ReturnsValue, current->name)
        .note(current->range, Diag::DeclaredHere, current->name);
    return empty(s.range);
  }
  if (!value && wanted != ScalarType::Void) {
    if (wanted != ScalarType::Error)
      diags.report(s.range, Diag::ReturnsNoValue, current->name, text(wanted))
          .note(current->range, Diag::DeclaredHere, current->name);
    return empty(s.range);
  }
  if (value)
    value = convert(value, wanted);
  return program.make<ReturnStmt>(value, s.range);
}

Stmt *Checker::callStmt(const ast::CallStmt &s) {
  const ast::Call &e = *s.call;
  Symbol *symbol = names.find(e.callee.text);
  if (!symbol) {
    const Predeclared *entry = findPredeclared(e.callee.text);
    if (entry && entry->isTimerStmt())
      return timerStmt(e, entry->function);
    call(e); // no effect, but checked
    return empty(s.range);
  }
  auto *procedure = llvm::dyn_cast<Procedure>(symbol);
  if (!procedure) {
    call(e); // reports
    return empty(s.range);
  }
  CallExpr *node = procedureCall(e, *procedure);
  if (!node)
    return empty(s.range);
  if (node->rank == Expr::AnyRank) {
    node->rank = visibleRank(node->minRank, e.range);
    if (node->rank == 0)
      return empty(s.range);
  }
  return program.make<CallStmt>(node, s.range);
}

Stmt *Checker::assign(const ast::AssignStmt &s) {
  if (auto *at = llvm::dyn_cast<ast::At>(s.target)) {
    if (!isError(expr(*at)))
      diags.report(at->range, Diag::NotSupported, "'@' on the left-hand side")
          .done();
    expr(*s.value);
    return empty(s.range);
  }
  auto *name = llvm::dyn_cast<ast::NameRef>(s.target);
  Symbol *symbol = name ? names.find(name->name) : nullptr;
  if (!symbol) {
    const Predeclared *entry = name ? findPredeclared(name->name) : nullptr;
    if (entry && entry->kind == Predeclared::Index)
      diags
          .report(s.target->range, Diag::ReadOnly, name->name,
                  "a virtual index array")
          .done();
    else if (entry)
      diags
          .report(s.target->range, Diag::WrongKind, name->name,
                  entry->isFunction() ? "a function" : "a constant",
                  "a variable")
          .done();
    else if (name)
      names.reportUnknown(name->name, name->range);
    else
      diags.report(s.target->range, Diag::NotAssignable).done();
    expr(*s.value);
    return empty(s.range);
  }
  if (!checkWritable(*symbol, s.target->range, /*byReference=*/false)) {
    expr(*s.value);
    return empty(s.range);
  }
  if (auto *array = llvm::dyn_cast<Array>(symbol))
    return assignArray(s, *array);
  return assignScalar(s, llvm::cast<Variable>(*symbol));
}

/// The value, combined with the old one if the assignment has an operator.
const Expr *Checker::assignedValue(const ast::AssignStmt &s, const Expr *old) {
  const Expr *value = expr(*s.value);
  if (isError(value) || reportFree(value))
    return build.error(s.range);
  // An array for a scalar is told by its caller, not as a matter of operands.
  if (s.op && (old->isArray() || !value->isArray()))
    return binary(*s.op, s.opRange, old, value, s.range);
  return value;
}

Stmt *Checker::assignScalar(const ast::AssignStmt &s, Variable &target) {
  auto *old = program.make<VariableExpr>(&target, s.target->range);
  const Expr *value = assignedValue(s, old);
  if (isError(value) || target.type == ScalarType::Error)
    return empty(s.range);
  if (value->isArray()) {
    auto report = diags.report(value->range, Diag::ArrayToScalar, target.name);
    report.highlight(s.target->range)
        .note(target.range, Diag::DeclaredHere, target.name);
    if (const ArrayExpr *array = firstArray(*value))
      report.note(array->array->range, Diag::DeclaredHere, array->array->name);
    return empty(s.range);
  }
  if (target.type == ScalarType::Timer) {
    diags.report(s.target->range, Diag::NotAssignable)
        .note(target.range, Diag::DeclaredHere, target.name);
    return empty(s.range);
  }
  value = convert(value, target.type);
  if (isError(value))
    return empty(s.range);
  return program.make<AssignStmt>(&target, value, s.range);
}

Stmt *Checker::assignArray(const ast::AssignStmt &s, Array &target) {
  auto *node = program.make<ArrayExpr>(&target, s.target->range);
  node->text = target.name;
  const Expr *value = assignedValue(s, node);
  if (isError(value) || target.element == ScalarType::Error)
    return empty(s.range);
  if (value->isArray() && value->rank != Expr::AnyRank &&
      value->rank != target.rank) {
    auto report = diags.report(s.opRange, Diag::AssignedRank, value->rank,
                               target.name, target.rank);
    report.highlight(s.target->range)
        .highlight(value->range)
        .note(target.range, Diag::DeclaredHere, target.name);
    if (const ArrayExpr *array = firstArray(*value))
      report.note(array->array->range, Diag::DeclaredHere, array->array->name);
    return empty(s.range);
  }
  if (!fitsRank(value, target.rank))
    return empty(s.range);
  value = convert(value, target.element);
  if (isError(value))
    return empty(s.range);
  return program.make<ArrayAssignStmt>(node, value, s.range);
}

/// `["] stmt` alone is the statement's own region, so it changes nothing.
Stmt *Checker::scope(const ast::ScopeStmt &s) {
  auto *literal = llvm::dyn_cast<ast::RegionLit>(s.region);
  bool isQuote = llvm::isa<ast::Quote>(s.region) ||
                 (literal && literal->dims.size() == 1 &&
                  literal->dims[0].kind == ast::Dim::Single &&
                  llvm::isa<ast::Quote>(literal->dims[0].lo));
  if (isQuote)
    return stmt(*s.body);
  const RegionExpr *covering = region(*s.region, 0);
  if (!covering) {
    // The statement is checked all the same; its ranks are not known to be
    // covered, which is looked at only in a program without errors.
    return stmt(*s.body);
  }
  scopeRanks.push_back(covering->rank);
  Stmt *body = stmt(*s.body);
  scopeRanks.pop_back();
  return program.make<ScopeStmt>(covering, body, s.range);
}

unsigned Checker::visibleRank(unsigned least, SourceRange range) {
  for (unsigned rank : llvm::reverse(scopeRanks))
    if (rank >= least)
      return rank;
  diags.report(range, Diag::IndexWithoutScope, least).done();
  return 0;
}

} // namespace zpl::sema
