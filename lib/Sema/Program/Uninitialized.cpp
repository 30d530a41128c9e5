//===- Uninitialized.cpp - Reads before any assignment --------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     var s, t: double; i: integer;
//     begin
//       t := s + 1;                       -- a warning: nothing is in s yet
//       for i := 1 to 3 do s += i; end;   -- none: s may be assigned by then
//
// A variable starts at zero, so reading it is no error; but where no path
// brings an assignment, something was forgotten. The code is gone through once
// in the order of execution, with the set of variables that may have been
// assigned: it only grows. What a loop assigns counts from the loop's start,
// for it may have run before; of the branches of an `if` each starts with what
// was there before it, and both count after it.
//
// `s += 1` and `s := s + 1` start a sum, so they are not told: the idiom relies
// on the zero. A variable without any assignment at all is a zero by intention
// or unused. Arrays, records and formals are left out.
//
// A region has no zero: one that is used without a value ends the run, so of a
// variable of that type, also of one that nothing is assigned to, it is an
// error.
//
// Cost: linear in the code, but for loops, whose bodies are looked through for
// assignments first, once per level.
//
//===----------------------------------------------------------------------===//

#include "Program/Uninitialized.h"

#include "Tree/Walk.h"
#include "zpl/Sema/Visit.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/ErrorHandling.h"

namespace zpl::sema {

namespace {

using Variables = llvm::DenseSet<const Variable *>;

/// The variables that code assigns.
class AssignmentFinder : public Visitor {
public:
  Variables written;
  void find(const StmtList &list) {
    BlockStmt block{SourceRange()};
    block.body = list;
    Procedure code("", SourceRange());
    code.body = &block;
    visitProcedure(code);
  }

protected:
  void onScalarWrite(const Variable &variable, SourceRange) override {
    written.insert(&variable);
  }
};

class FlowChecker {
public:
  explicit FlowChecker(DiagnosticEngine &diags) : diags(diags) {}

  void check(const Procedure &procedure) {
    for (const Symbol *local : procedure.locals)
      consider(*local);
    if (watched.empty())
      return;
    AssignmentFinder all;
    all.visitProcedure(procedure);
    for (const Variable *variable : all.written)
      everWritten.insert(variable);
    if (procedure.body)
      stmt(*procedure.body);
  }

private:
  void consider(const Symbol &symbol);
  void expr(const Expr &e, const Variable *own = nullptr);
  void call(const CallExpr &call);
  void place(const Expr &target, const Variable *own = nullptr);
  struct Inside;
  void stmt(const Stmt &s);
  void stmts(const StmtList &list) {
    for (const Stmt *s : list)
      stmt(*s);
  }
  void loop(const StmtList &body) {
    AssignmentFinder finder;
    finder.find(body);
    for (const Variable *variable : finder.written)
      assign(*variable);
  }
  void items(const std::vector<WriteItem> &list);
  void region(const RegionExpr &used) {
    forEachOperand(used, [&](const Expr &part) { expr(part); });
  }
  void read(const Variable &variable, SourceRange range);
  void assign(const Variable &variable) {
    if (watched.contains(&variable))
      assigned.insert(&variable);
  }

  DiagnosticEngine &diags;
  Variables watched, assigned, everWritten, reported;
};

/// Scalar locals that nothing has been put into.
void FlowChecker::consider(const Symbol &symbol) {
  auto *variable = llvm::dyn_cast<Variable>(&symbol);
  if (!variable || variable->isHidden || variable->storage != Storage::Local ||
      variable->init || !variable->setup.empty() ||
      variable->type == Type::Timer ||
      (variable->type.isAggregate() && variable->type != Type::Region))
    return;
  watched.insert(variable);
}

void FlowChecker::read(const Variable &variable, SourceRange range) {
  if (!watched.contains(&variable) || assigned.contains(&variable))
    return;
  bool isRegion = variable.type == Type::Region;
  if ((!isRegion && !everWritten.contains(&variable)) ||
      !reported.insert(&variable).second)
    return;
  if (isRegion) {
    diags.report(range, Diag::UnsetRegion, variable.name)
        .note(variable.range, Diag::DeclaredHere, variable.name);
    return;
  }
  diags.report(range, Diag::Uninitialized, variable.name)
      .note(variable.range, Diag::DeclaredHere, variable.name);
}

/// \p own: the variable that the value is assigned to.
void FlowChecker::expr(const Expr &e, const Variable *own) {
  if (auto *variable = llvm::dyn_cast<VariableExpr>(&e)) {
    if (variable->variable != own)
      read(*variable->variable, e.range);
    return;
  }
  if (auto *node = llvm::dyn_cast<CallExpr>(&e))
    return call(*node);
  forEachOperand(e, [&](const Expr &operand) { expr(operand, own); });
}

void FlowChecker::call(const CallExpr &call) {
  for (unsigned i = 0; i != call.args.size(); ++i) {
    auto *formal = llvm::dyn_cast<Variable>(call.callee->params[i]);
    if (formal && isByReference(formal->mode))
      place(*call.args[i]);
    else
      expr(*call.args[i]);
  }
}

/// \p target may get a value.
void FlowChecker::place(const Expr &target, const Variable *own) {
  if (auto *variable = llvm::dyn_cast<VariableExpr>(&target)) {
    assign(*variable->variable);
    return;
  }
  if (auto *field = llvm::dyn_cast<FieldExpr>(&target))
    return place(*field->base, own);
  if (auto *element = llvm::dyn_cast<SubscriptExpr>(&target)) {
    for (const Expr *index : element->subscripts)
      expr(*index, own);
    place(*element->base, own);
  }
  if (auto *irv = llvm::dyn_cast<IrvExpr>(&target))
    return place(*irv->array, own);
  if (auto *array = llvm::dyn_cast<ArrayExpr>(&target))
    for (const Expr *index : array->subscripts)
      expr(*index, own);
}

void FlowChecker::items(const std::vector<WriteItem> &list) {
  for (const WriteItem &item : list) {
    if (item.formatExpr)
      expr(*item.formatExpr);
    if (item.value)
      expr(*item.value);
  }
}

/// What control meets in each kind of statement.
struct FlowChecker::Inside {
  FlowChecker &f;

  /// Each of \p exprs that is there.
  void all(llvm::ArrayRef<const Expr *> exprs) {
    for (const Expr *e : exprs)
      if (e)
        f.expr(*e);
  }
  void of(const OneOf<BlockStmt, WaveStmt> auto &s) { f.stmts(s.body); }
  void of(const AssignStmt &s) {
    auto *target = llvm::dyn_cast<VariableExpr>(s.target);
    f.expr(*s.value, target ? target->variable : nullptr);
    f.place(*s.target);
  }
  void of(const ArrayAssignStmt &s) { f.expr(*s.value), f.place(*s.target); }
  void of(const ScatterStmt &s) {
    all(s.maps);
    f.expr(*s.value);
    f.place(*s.target);
  }
  void of(const CallStmt &s) { f.call(*s.call); }
  void of(const BuiltinStmt &s) { f.expr(*s.call); }
  void of(const WriteStmt &s) { f.expr(*s.file), f.items(s.items); }
  void of(const ReadStmt &s) {
    f.expr(*s.file);
    for (const ReadItem &item : s.items)
      f.place(*item.place);
  }
  void of(const HaltStmt &s) { all(s.status), f.items(s.items); }
  void of(const TimerStmt &s) { all(s.sync); }
  void of(const IfStmt &s) {
    f.expr(*s.condition);
    Variables before = f.assigned;
    f.stmts(s.thenBody);
    std::swap(before, f.assigned);
    f.stmts(s.elseBody);
    f.assigned.insert(before.begin(), before.end());
  }
  void of(const WhileStmt &s) {
    f.loop(s.body);
    f.expr(*s.condition);
    f.stmts(s.body);
  }
  void of(const RepeatStmt &s) {
    f.loop(s.body);
    f.stmts(s.body);
    f.expr(*s.condition);
  }
  void of(const ForStmt &s) {
    all({s.from, s.bound, s.step});
    f.place(*s.variable);
    f.loop(s.body);
    f.stmts(s.body);
  }
  void of(const ReturnStmt &s) { all(s.value); }
  void of(const ScopeStmt &s) {
    f.region(*s.region);
    all(s.mask.mask);
    f.stmt(*s.body);
  }
  void of(const RegionAssignStmt &s) { f.region(*s.value), f.place(*s.target); }
  void of(const PatternAssignStmt &s) {
    f.region(*s.target);
    all(s.file);
    f.region(*s.value);
  }
  void of(const ModifyStmt &s) { f.region(*s.target), f.stmts(s.body); }
  void of(const AddStmt &s) { all(s.indices); }
  void of(const RedistributeStmt &s) { all(s.weights); }
  void of(const ResizeStmt &s) { all(s.lengths); }
  void of(const OneOf<BoundaryStmt, BindIoStmt, SortStmt, CheckShapeStmt,
                      ExitStmt, ContinueStmt> auto &) {}
};

void FlowChecker::stmt(const Stmt &s) {
  visitKind(s, [&](const auto &known) { Inside{*this}.of(known); });
}

} // namespace

void reportUninitialized(const Program &program, DiagnosticEngine &diags) {
  for (const Procedure *procedure : program.procedures)
    FlowChecker(diags).check(*procedure);
}

} // namespace zpl::sema
