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

#include "Statements/Statements.h"
#include "Calls.h"
#include "Expressions.h"
#include "Families.h"
#include "Followers.h"
#include "Operators/Domains.h"
#include "Operators/Masks.h"
#include "Operators/Remap.h"
#include "Operators/Sparse.h"
#include "Operators/Waves.h"
#include "Places.h"
#include "Procedure.h"
#include "References.h"
#include "Statements/ArrayStatements.h"
#include "Statements/Input.h"
#include "Statements/Output.h"
#include "Statements/UnrolledLoops.h"
#include "Values.h"
#include "zpl/ArrayIR/Walk.h"
#include "zpl/Sema/Visit.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;

namespace zpl::arraygen {

namespace {

/// Whether what follows each kind of statement may be executed after it.
struct FallsThrough {
  static bool all(const sema::StmtList &list) {
    return all_of(list, fallsThrough);
  }
  static bool of(const OneOf<sema::ReturnStmt, sema::HaltStmt, sema::ExitStmt,
                             sema::ContinueStmt> auto &) {
    return false;
  }
  static bool of(const sema::BlockStmt &s) { return all(s.body); }
  static bool of(const sema::ScopeStmt &s) { return fallsThrough(s.body); }
  static bool of(const sema::IfStmt &s) {
    return all(s.thenBody) || all(s.elseBody);
  }
  static bool
  of(const OneOf<sema::AssignStmt, sema::ArrayAssignStmt, sema::ScatterStmt,
                 sema::WaveStmt, sema::BoundaryStmt, sema::CallStmt,
                 sema::BuiltinStmt, sema::WriteStmt, sema::ReadStmt,
                 sema::BindIoStmt, sema::SortStmt, sema::CheckShapeStmt,
                 sema::TimerStmt, sema::WhileStmt, sema::RepeatStmt,
                 sema::ForStmt, sema::RegionAssignStmt, sema::RedistributeStmt,
                 sema::ResizeStmt, sema::PatternAssignStmt, sema::ModifyStmt,
                 sema::AddStmt> auto &) {
    return true;
  }
};

} // namespace

bool fallsThrough(const sema::Stmt *stmt) {
  return sema::visitKind(
      *stmt, [](const auto &known) { return FallsThrough::of(known); });
}

static void assignScalar(ProcedureState &p, const sema::AssignStmt *stmt);
static void checkShape(ProcedureState &p, const sema::CheckShapeStmt *stmt);
static void resizeStatement(ProcedureState &p, const sema::ResizeStmt *stmt);
static void sortStatement(ProcedureState &p, const sema::SortStmt *stmt);
static void callStatement(ProcedureState &p, const sema::CallStmt *stmt);
static void elementCall(ProcedureState &p, const sema::CallExpr *call,
                        SourceRange range);
static void timerStatement(ProcedureState &p, const sema::TimerStmt *stmt);
static void ifStatement(ProcedureState &p, const sema::IfStmt *stmt);
static void whileStatement(ProcedureState &p, const sema::WhileStmt *stmt);
static void repeatStatement(ProcedureState &p, const sema::RepeatStmt *stmt);
static void forStatement(ProcedureState &p, const sema::ForStmt *stmt);
static void returnStatement(ProcedureState &p, const sema::ReturnStmt *stmt);

static void generateStatement(ProcedureState &p, const sema::Stmt *stmt);
static void redistribute(ProcedureState &p, const sema::RedistributeStmt *stmt);

void statements(ProcedureState &p, const sema::StmtList &list) {
  for (const sema::Stmt *stmt : list) {
    statement(p, stmt);
    if (!fallsThrough(stmt))
      return;
  }
}

/// Whether \p stmt runs over covering regions by itself, not by what is in it.
static bool runsOverCovers(const sema::Stmt *stmt) {
  return isa<sema::ArrayAssignStmt, sema::ScatterStmt, sema::WaveStmt,
             sema::BoundaryStmt, sema::CallStmt, sema::RedistributeStmt,
             sema::SortStmt>(stmt);
}

/// Generates \p stmt in the domains of its arrays.
static void inItsDomains(ProcedureState &p, const sema::Stmt *stmt,
                         unsigned rank) {
  if (rank > sema::MaxRank)
    return generateStatement(p, stmt);
  if (!p.covers[rank])
    return inItsDomains(p, stmt, rank + 1);
  const air::Domain *covering = p.covers[rank].region->domain;
  TemporaryScope masks(p);
  {
    DomainScope scope(p, rank, domainOf(p, *stmt, rank, covering), stmt->range);
    inItsDomains(p, stmt, rank + 1);
  }
  masks.free(stmt->range);
}

void statement(ProcedureState &p, const sema::Stmt *stmt) {
  p.statement.start = p.current->size();
  size_t changed = p.statement.changedIrvs.size();
  if (p.module.domains.empty() || !runsOverCovers(stmt))
    generateStatement(p, stmt);
  else
    inItsDomains(p, stmt, 1);
  if (p.statement.changedIrvs.size() > changed)
    storeIrvs(p, changed, stmt->range);
}

namespace {

/// Generates each kind of statement.
struct Generation {
  ProcedureState &p;

  void of(const sema::BlockStmt &s) { statements(p, s.body); }
  void of(const sema::AssignStmt &s) { assignScalar(p, &s); }
  void of(const sema::ArrayAssignStmt &s) { assignArray(p, &s); }
  void of(const sema::ScatterStmt &s) { scatterStatement(p, &s); }
  void of(const sema::WaveStmt &s) { waveStatement(p, &s); }
  void of(const sema::BoundaryStmt &s) { boundaryStatement(p, &s); }
  void of(const sema::CallStmt &s) { callStatement(p, &s); }
  void of(const sema::WriteStmt &s) { writeStatement(p, &s); }
  void of(const sema::ReadStmt &s) { readStatement(p, &s); }
  void of(const sema::BindIoStmt &s) { bindIo(p, &s); }
  void of(const sema::SortStmt &s) { sortStatement(p, &s); }
  void of(const sema::BuiltinStmt &s) { builtinStatement(p, s.call, nullptr); }
  void of(const sema::CheckShapeStmt &s) { checkShape(p, &s); }
  void of(const sema::ResizeStmt &s) { resizeStatement(p, &s); }
  void of(const sema::HaltStmt &s) { haltStatement(p, &s); }
  void of(const sema::TimerStmt &s) { timerStatement(p, &s); }
  void of(const sema::IfStmt &s) { ifStatement(p, &s); }
  void of(const sema::WhileStmt &s) { whileStatement(p, &s); }
  void of(const sema::RepeatStmt &s) { repeatStatement(p, &s); }
  void of(const sema::ForStmt &s) { forStatement(p, &s); }
  void of(const sema::ReturnStmt &s) { returnStatement(p, &s); }
  void of(const sema::ScopeStmt &s) { scopeStatement(p, &s); }
  void of(const sema::RedistributeStmt &s) { redistribute(p, &s); }
  void of(const sema::RegionAssignStmt &s) { regionAssignment(p, &s); }
  void of(const sema::PatternAssignStmt &s) { patternAssignment(p, &s); }
  void of(const sema::ModifyStmt &s) { modifyStatement(p, &s); }
  void of(const sema::AddStmt &s) { addStatement(p, &s); }
  void of(const sema::ExitStmt &s) {
    freeOpen(p, p.frame.loopMark, s.range);
    emit<air::ExitStmt>(p, s.range);
  }
  void of(const sema::ContinueStmt &s) {
    freeOpen(p, p.frame.loopMark, s.range);
    emit<air::ContinueStmt>(p, s.range);
  }
};

} // namespace

static void generateStatement(ProcedureState &p, const sema::Stmt *stmt) {
  sema::visitKind(*stmt, [&](const auto &known) { Generation{p}.of(known); });
}

//===----------------------------------------------------------------------===//
// Assignments, calls, timers
//===----------------------------------------------------------------------===//

/// The parts of the target are evaluated first, then the right side.
static void assignScalar(ProcedureState &p, const sema::AssignStmt *stmt) {
  auto *whole = dyn_cast<sema::VariableExpr>(stmt->target);
  if (whole && assignDirectly(p, whole->variable, stmt->value))
    return reallocateParts(
        p, variableExpr(p, find(p, whole->variable), stmt->range),
        stmt->target->type, stmt->range);
  const air::Expr *target = placeExpr(p, stmt->target, {}, stmt->value);
  const air::Expr *source = value(p, stmt->value);
  emit<air::SetStmt>(p, target, source, stmt->range);
  reallocateParts(p, target, stmt->target->type, stmt->range);
}

void builtinStatement(ProcedureState &p, const sema::BuiltinExpr *call,
                      air::Variable *result) {
  ExprList args = operands(p, call->args);
  const air::Expr *place =
      call->place ? placeExpr(p, call->place, {}) : nullptr;
  emit<air::BuiltinStmt>(p, static_cast<air::Builtin>(call->fn), result, args,
                         call->range, place);
}

static void checkShape(ProcedureState &p, const sema::CheckShapeStmt *stmt) {
  ExprList extents = operands(p, {stmt->extentA, stmt->extentB});
  emit<air::CheckShapeStmt>(p, extents[0], stmt->textA, extents[1], stmt->textB,
                            stmt->dim, stmt->range);
}

/// All references are checked before anything is sorted.
static void sortStatement(ProcedureState &p, const sema::SortStmt *stmt) {
  air::Region *region = p.covers[1].region;
  SmallVector<air::Array *, 2> arrays;
  for (const sema::ArrayExpr *array : stmt->arrays)
    bind(p, array);
  for (const sema::ArrayExpr *array : stmt->arrays) {
    check(p, array, air::CheckStmt::Write, region);
    arrays.push_back(find(p, array));
  }
  auto *made = emit<air::SortStmt>(p, arrays, region, stmt->range);
  made->isDescending = stmt->isDescending;
  if (stmt->before)
    made->with = procedureOf(p, stmt->before);
}

static void redistribute(ProcedureState &p,
                         const sema::RedistributeStmt *stmt) {
  if (auto *target = dyn_cast<sema::Grid>(stmt->target)) {
    auto *made =
        emit<air::SetGridStmt>(p, p.builder.grids.lookup(target), stmt->range);
    made->value = p.builder.grids.lookup(cast<sema::Grid>(stmt->value));
    made->keeps = stmt->preserves;
    return;
  }
  auto ofModule = [&](const sema::Symbol *symbol) {
    return p.builder.distributions.lookup(cast<sema::Distribution>(symbol));
  };
  TemporaryScope scope(p);
  Cover over = stmt->weights ? p.covers[stmt->rank] : Cover();
  air::Array *weights = nullptr;
  if (stmt->weights) {
    prepare(p, stmt->weights, over);
    weights = materialize(p, stmt->weights, over);
  }
  auto *made =
      emit<air::SetDistributionStmt>(p, ofModule(stmt->target), stmt->range);
  if (weights)
    made->weights = {weights, over.region, over.mask};
  else
    made->value = ofModule(stmt->value);
  made->keeps = stmt->preserves;
  scope.free(stmt->range);
}

static void resizeStatement(ProcedureState &p, const sema::ResizeStmt *stmt) {
  SmallVector<const sema::Expr *, 2> lengths(stmt->lengths);
  ExprList values = operands(p, lengths);
  air::Variable *variable = find(p, stmt->target->variable);
  auto *made = emit<air::ResizeStmt>(p, variable, stmt->range);
  for (const air::Bound &bound : variable->type.info()->hi)
    made->bounds.push_back(bound.variable);
  made->lengths.assign(values.begin(), values.end());
}

static void callStatement(ProcedureState &p, const sema::CallStmt *stmt) {
  const sema::CallExpr *call = stmt->call;
  if (isPromoted(call))
    return elementCall(p, call, stmt->range);
  TemporaryScope scope(p);
  if (call->callee->resultRank) {
    arrayResult(p, call, p.covers[call->callee->resultRank]);
  } else if (returnsByReference(call->callee)) {
    computed(p, call);
  } else {
    const air::CallExpr *made =
        call->callee->isParallel ? parallelCall(p, call) : scalarCall(p, call);
    emit<air::CallStmt>(p, nullptr, made, stmt->range);
  }
  scope.free(stmt->range);
}

/// A promoted call as a statement. One that writes nothing is left out, but
/// for what its arguments do.
static void elementCall(ProcedureState &p, const sema::CallExpr *call,
                        SourceRange range) {
  Cover over = p.covers[call->rank];
  TemporaryScope scope(p);
  prepare(p, call, over);
  if (returnsByReference(call->callee)) {
    materialize(p, call, over);
  } else {
    const air::CallExpr *made = scalarCall(p, call, over);
    if (hasReferenceArguments(call) || call->callee->isExtern)
      callElements(p, made, over, range);
  }
  scope.free(range);
}

void callElements(ProcedureState &p, const air::CallExpr *call, Cover over,
                  SourceRange range) {
  if (p.statement.openWave) {
    air::ElementOp op;
    op.kind = air::ElementOp::Call;
    op.value = call;
    op.range = range;
    return addOperation(p, op, over);
  }
  auto *stmt = emit<air::ElementCallStmt>(p, over.region, call, range);
  stmt->guard = guardExpr(p, over, range);
}

static void timerStatement(ProcedureState &p, const sema::TimerStmt *stmt) {
  air::Variable *timer = stmt->timer ? find(p, stmt->timer) : nullptr;
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
    sync = stmt->sync ? value(p, stmt->sync)
                      : constant(p, air::Type::I32, 0, stmt->range);
    break;
  case sema::TimerStmt::Stop:
    op = air::TimerStmt::Stop;
    break;
  }
  emit<air::TimerStmt>(p, op, timer, nullptr, sync, stmt->range);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

static void ifStatement(ProcedureState &p, const sema::IfStmt *stmt) {
  const air::Expr *condition = value(p, stmt->condition);
  auto *made = emit<air::IfStmt>(p, condition, stmt->range);
  appendTo(p, made->thenBody, [&] { statements(p, stmt->thenBody); });
  appendTo(p, made->elseBody, [&] { statements(p, stmt->elseBody); });
}

static void loopBody(ProcedureState &p, air::StmtList &list,
                     const sema::StmtList &body) {
  SaveAndRestore outer(p.frame.loopMark, p.frame.temporaries.size());
  appendTo(p, list, [&] { statements(p, body); });
}

static void whileStatement(ProcedureState &p, const sema::WhileStmt *stmt) {
  auto *made = emit<air::WhileStmt>(p, stmt->range);
  appendTo(p, made->prelude,
           [&] { made->condition = value(p, stmt->condition); });
  loopBody(p, made->body, stmt->body);
}

static void repeatStatement(ProcedureState &p, const sema::RepeatStmt *stmt) {
  auto *made = emit<air::RepeatStmt>(p, stmt->range);
  loopBody(p, made->body, stmt->body);
  appendTo(p, made->prelude,
           [&] { made->condition = value(p, stmt->condition); });
}

/// Ends the run if the step of a loop, which is no constant, leads nowhere.
static void checkStep(ProcedureState &p, const air::Expr *step) {
  if (isa<air::ConstExpr>(step))
    return;
  SourceRange range = step->range;
  bool isWhole = step->type.isInteger();
  SmallVector<const air::Expr *, 1> shown;
  if (isWhole)
    shown.push_back(castTo(p, air::Type::I64, step));
  const air::Expr *zero =
      castTo(p, step->type, constant(p, air::Type::I64, 0, range));
  emit<air::CheckThatStmt>(
      p, p.module.make<air::CompareExpr>(air::CompareOp::Gt, step, zero, range),
      isWhole ? "step {} of the loop; it must be positive"
              : "the step of the loop must be positive",
      shown, range);
}

static void forStatement(ProcedureState &p, const sema::ForStmt *stmt) {
  if (unroll(p, *stmt))
    return;
  const sema::Expr *limits[] = {stmt->from, stmt->bound, stmt->step};
  const air::Expr *variable = placeExpr(p, stmt->variable, {}, limits);
  ExprList values = operands(p, limits);
  checkStep(p, values[2]);
  auto *made = emit<air::ForStmt>(p, variable, values[0], values[1], values[2],
                                  stmt->down, stmt->range);
  loopBody(p, made->body, stmt->body);
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

static void returnStatement(ProcedureState &p, const sema::ReturnStmt *stmt) {
  SourceRange range = stmt->range;
  const air::Expr *given = nullptr;
  if (p.frame.result.array) {
    DomainScope domain(p, p.frame.result.array->rank(),
                       p.frame.result.array->domain, range);
    Cover over = p.covers[p.frame.result.array->rank()];
    TemporaryScope scope(p);
    prepare(p, stmt->value, over);
    assign(p, elementOf(p, p.frame.result.array, range), stmt->value, over,
           range);
    scope.free(range);
  } else if (p.frame.result.variable) {
    const air::Expr *source = value(p, stmt->value);
    emit<air::SetStmt>(p, variableExpr(p, p.frame.result.variable, range),
                       source, range);
  } else if (stmt->value) {
    given = value(p, stmt->value);
  }
  if (given && readsHeap(*given)) {
    // The caller's memory for results is on the stack as well.
    air::Variable *saved = makeVariable(p, "t", given->type, range);
    emit<air::SetStmt>(p, variableExpr(p, saved, range), given, range);
    given = variableExpr(p, saved, range);
  }
  freeOpen(p, 0, range);
  freeLocals(p, range);
  emit<air::ReturnStmt>(p, given, range);
}

} // namespace zpl::arraygen
