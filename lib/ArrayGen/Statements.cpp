//===- Statements.cpp - Statements ----------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Control flow has the same shape in both languages. What a condition hoists
// goes before an `if`, and into the prelude of a loop, which runs before every
// test:
//
//     repeat ... until max<< abs(A - B) < eps
//
//     repeat { ... } until { [%R] %t = reduce max abs sub %A, %B; lt %t, @eps }
//
// Statements that cannot be reached (after a `return`, `exit`, `continue` or
// `halt`) are left out.
//
//===----------------------------------------------------------------------===//

#include "Procedure.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;

namespace zpl::arraygen {

bool fallsThrough(const sema::Stmt *stmt) {
  auto listFallsThrough = [](const sema::StmtList &list) {
    return all_of(list, fallsThrough);
  };
  switch (stmt->kind) {
  case sema::StmtKind::Return:
  case sema::StmtKind::Halt:
  case sema::StmtKind::Exit:
  case sema::StmtKind::Continue:
    return false;
  case sema::StmtKind::Block:
    return listFallsThrough(cast<sema::BlockStmt>(stmt)->body);
  case sema::StmtKind::Scope:
    return fallsThrough(cast<sema::ScopeStmt>(stmt)->body);
  case sema::StmtKind::If:
    return listFallsThrough(cast<sema::IfStmt>(stmt)->thenBody) ||
           listFallsThrough(cast<sema::IfStmt>(stmt)->elseBody);
  case sema::StmtKind::Assign:
  case sema::StmtKind::ArrayAssign:
  case sema::StmtKind::Scatter:
  case sema::StmtKind::Wave:
  case sema::StmtKind::Boundary:
  case sema::StmtKind::Call:
  case sema::StmtKind::Builtin:
  case sema::StmtKind::Write:
  case sema::StmtKind::Read:
  case sema::StmtKind::BindIo:
  case sema::StmtKind::CheckShape:
  case sema::StmtKind::Timer:
  case sema::StmtKind::While:
  case sema::StmtKind::Repeat:
  case sema::StmtKind::For:
  case sema::StmtKind::RegionAssign:
    return true;
  }
  llvm_unreachable("a statement outside its enumeration");
}

void ProcedureBuilder::statements(const sema::StmtList &list) {
  for (const sema::Stmt *stmt : list) {
    statement(stmt);
    if (!fallsThrough(stmt))
      return;
  }
}

void ProcedureBuilder::statement(const sema::Stmt *stmt) {
  statementStart = current->size();
  switch (stmt->kind) {
  case sema::StmtKind::Block:
    return statements(cast<sema::BlockStmt>(stmt)->body);
  case sema::StmtKind::Assign:
    return assignScalar(cast<sema::AssignStmt>(stmt));
  case sema::StmtKind::ArrayAssign:
    return assignArray(cast<sema::ArrayAssignStmt>(stmt));
  case sema::StmtKind::Scatter:
    return scatterStatement(cast<sema::ScatterStmt>(stmt));
  case sema::StmtKind::Wave:
    return waveStatement(cast<sema::WaveStmt>(stmt));
  case sema::StmtKind::Boundary:
    return boundaryStatement(cast<sema::BoundaryStmt>(stmt));
  case sema::StmtKind::Call:
    return callStatement(cast<sema::CallStmt>(stmt));
  case sema::StmtKind::Write:
    return writeStatement(cast<sema::WriteStmt>(stmt));
  case sema::StmtKind::Read:
    return readStatement(cast<sema::ReadStmt>(stmt));
  case sema::StmtKind::BindIo:
    return bindIo(cast<sema::BindIoStmt>(stmt));
  case sema::StmtKind::Builtin:
    return builtinStatement(cast<sema::BuiltinStmt>(stmt)->call, nullptr);
  case sema::StmtKind::CheckShape:
    return checkShape(cast<sema::CheckShapeStmt>(stmt));
  case sema::StmtKind::Halt:
    return haltStatement(cast<sema::HaltStmt>(stmt));
  case sema::StmtKind::Timer:
    return timerStatement(cast<sema::TimerStmt>(stmt));
  case sema::StmtKind::If:
    return ifStatement(cast<sema::IfStmt>(stmt));
  case sema::StmtKind::While:
    return whileStatement(cast<sema::WhileStmt>(stmt));
  case sema::StmtKind::Repeat:
    return repeatStatement(cast<sema::RepeatStmt>(stmt));
  case sema::StmtKind::For:
    return forStatement(cast<sema::ForStmt>(stmt));
  case sema::StmtKind::Exit:
    freeOpen(loopMark, stmt->range);
    emit<air::ExitStmt>(stmt->range);
    return;
  case sema::StmtKind::Continue:
    freeOpen(loopMark, stmt->range);
    emit<air::ContinueStmt>(stmt->range);
    return;
  case sema::StmtKind::Return:
    return returnStatement(cast<sema::ReturnStmt>(stmt));
  case sema::StmtKind::Scope:
    return scopeStatement(cast<sema::ScopeStmt>(stmt));
  case sema::StmtKind::RegionAssign:
    return regionAssignment(cast<sema::RegionAssignStmt>(stmt));
  }
  llvm_unreachable("a statement outside its enumeration");
}

//===----------------------------------------------------------------------===//
// Assignments, calls, timers
//===----------------------------------------------------------------------===//

/// The parts of the target are evaluated first, then the right side.
void ProcedureBuilder::assignScalar(const sema::AssignStmt *stmt) {
  auto *whole = dyn_cast<sema::VariableExpr>(stmt->target);
  if (whole && assignDirectly(whole->variable, stmt->value))
    return reallocateParts(variable(find(whole->variable), stmt->range),
                           stmt->target->type, stmt->range);
  const air::Expr *target = place(stmt->target, {}, stmt->value);
  const air::Expr *source = value(stmt->value);
  emit<air::SetStmt>(target, source, stmt->range);
  reallocateParts(target, stmt->target->type, stmt->range);
}

void ProcedureBuilder::builtinStatement(const sema::BuiltinExpr *call,
                                        air::Variable *result) {
  ExprList args = operands(call->args);
  emit<air::BuiltinStmt>(static_cast<air::Builtin>(call->fn), result, args,
                         call->range);
}

void ProcedureBuilder::checkShape(const sema::CheckShapeStmt *stmt) {
  ExprList extents = operands({stmt->extentA, stmt->extentB});
  emit<air::CheckShapeStmt>(extents[0], stmt->textA, extents[1], stmt->textB,
                            stmt->dim, stmt->range);
}

void ProcedureBuilder::callStatement(const sema::CallStmt *stmt) {
  const sema::CallExpr *call = stmt->call;
  if (isPromoted(call))
    return elementCall(call, stmt->range);
  TemporaryScope scope(*this);
  if (call->callee->resultRank) {
    arrayResult(call, covers[call->callee->resultRank]);
  } else if (returnsByReference(call->callee)) {
    computed(call);
  } else {
    const air::CallExpr *made =
        call->callee->isParallel ? parallelCall(call) : scalarCall(call);
    emit<air::CallStmt>(nullptr, made, stmt->range);
  }
  scope.free(stmt->range);
}

/// A promoted call as a statement. One that writes nothing is left out, but
/// for what its arguments do.
void ProcedureBuilder::elementCall(const sema::CallExpr *call,
                                   SourceRange range) {
  Cover over = covers[call->rank];
  TemporaryScope scope(*this);
  prepare(call, over);
  if (returnsByReference(call->callee)) {
    materialize(call, over);
  } else {
    const air::CallExpr *made = scalarCall(call, over);
    if (hasReferenceArguments(call) || call->callee->isExtern)
      callElements(made, over, range);
  }
  scope.free(range);
}

/// `[over] call`.
void ProcedureBuilder::callElements(const air::CallExpr *call, Cover over,
                                    SourceRange range) {
  if (openWave) {
    air::ElementOp op;
    op.kind = air::ElementOp::Call;
    op.value = call;
    op.range = range;
    return addOperation(op, over);
  }
  auto *stmt = emit<air::ElementCallStmt>(over.region, call, range);
  stmt->guard = guard(over, range);
}

void ProcedureBuilder::timerStatement(const sema::TimerStmt *stmt) {
  air::Variable *timer = stmt->timer ? find(stmt->timer) : nullptr;
  const air::Expr *sync = nullptr;
  auto op = air::TimerStmt::Reset;
  switch (stmt->op) {
  case sema::TimerStmt::Reset:
    break;
  case sema::TimerStmt::Clear:
    op = air::TimerStmt::Clear;
    break;
  case sema::TimerStmt::Start:
    op = air::TimerStmt::Start;
    sync = stmt->sync ? value(stmt->sync)
                      : constant(air::Type::I32, 0, stmt->range);
    break;
  case sema::TimerStmt::Stop:
    op = air::TimerStmt::Stop;
    break;
  }
  emit<air::TimerStmt>(op, timer, nullptr, sync, stmt->range);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

void ProcedureBuilder::ifStatement(const sema::IfStmt *stmt) {
  const air::Expr *condition = value(stmt->condition);
  auto *made = emit<air::IfStmt>(condition, stmt->range);
  appendTo(made->thenBody, [&] { statements(stmt->thenBody); });
  appendTo(made->elseBody, [&] { statements(stmt->elseBody); });
}

void ProcedureBuilder::loopBody(air::StmtList &list,
                                const sema::StmtList &body) {
  SaveAndRestore outer(loopMark, temporaries.size());
  appendTo(list, [&] { statements(body); });
}

void ProcedureBuilder::whileStatement(const sema::WhileStmt *stmt) {
  auto *made = emit<air::WhileStmt>(stmt->range);
  appendTo(made->prelude, [&] { made->condition = value(stmt->condition); });
  loopBody(made->body, stmt->body);
}

void ProcedureBuilder::repeatStatement(const sema::RepeatStmt *stmt) {
  auto *made = emit<air::RepeatStmt>(stmt->range);
  loopBody(made->body, stmt->body);
  appendTo(made->prelude, [&] { made->condition = value(stmt->condition); });
}

void ProcedureBuilder::forStatement(const sema::ForStmt *stmt) {
  const sema::Expr *limits[] = {stmt->from, stmt->bound, stmt->step};
  const air::Expr *variable = place(stmt->variable, {}, limits);
  ExprList values = operands(limits);
  auto *made = emit<air::ForStmt>(variable, values[0], values[1], values[2],
                                  stmt->down, stmt->range);
  loopBody(made->body, stmt->body);
}

/// Whether \p value reads memory that freeLocals() frees.
static bool readsHeap(const air::Expr &value) {
  bool result = false;
  air::forEachExpr(value, [&](const air::Expr &e) {
    auto *read = dyn_cast<air::VarExpr>(&e);
    result |= read && read->variable->onHeap &&
              read->variable->storage == air::Storage::Local;
  });
  return result;
}

void ProcedureBuilder::returnStatement(const sema::ReturnStmt *stmt) {
  SourceRange range = stmt->range;
  const air::Expr *given = nullptr;
  if (result.array) {
    Cover over = covers[result.array->rank()];
    TemporaryScope scope(*this);
    prepare(stmt->value, over);
    assign(elementOf(result.array, range), stmt->value, over, range);
    scope.free(range);
  } else if (result.variable) {
    const air::Expr *source = value(stmt->value);
    emit<air::SetStmt>(variable(result.variable, range), source, range);
  } else if (stmt->value) {
    given = value(stmt->value);
  }
  if (given && readsHeap(*given)) {
    // The caller's memory for results is on the stack as well.
    air::Variable *saved = makeVariable("t", given->type, range);
    emit<air::SetStmt>(variable(saved, range), given, range);
    given = variable(saved, range);
  }
  freeOpen(0, range);
  freeLocals(range);
  emit<air::ReturnStmt>(given, range);
}

} // namespace zpl::arraygen
