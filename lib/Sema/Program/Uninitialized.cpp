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

void FlowChecker::stmt(const Stmt &s) {
  switch (s.kind) {
  case StmtKind::Block:
    return stmts(llvm::cast<BlockStmt>(s).body);
  case StmtKind::Wave:
    return stmts(llvm::cast<WaveStmt>(s).body);
  case StmtKind::Assign: {
    auto &assign = llvm::cast<AssignStmt>(s);
    auto *target = llvm::dyn_cast<VariableExpr>(assign.target);
    expr(*assign.value, target ? target->variable : nullptr);
    return place(*assign.target);
  }
  case StmtKind::ArrayAssign:
    expr(*llvm::cast<ArrayAssignStmt>(s).value);
    return place(*llvm::cast<ArrayAssignStmt>(s).target);
  case StmtKind::Scatter: {
    auto &scatter = llvm::cast<ScatterStmt>(s);
    for (const Expr *map : scatter.maps)
      if (map)
        expr(*map);
    expr(*scatter.value);
    return place(*scatter.target);
  }
  case StmtKind::Call:
    return call(*llvm::cast<CallStmt>(s).call);
  case StmtKind::Builtin:
    return expr(*llvm::cast<BuiltinStmt>(s).call);
  case StmtKind::Write:
    expr(*llvm::cast<WriteStmt>(s).file);
    return items(llvm::cast<WriteStmt>(s).items);
  case StmtKind::Read:
    expr(*llvm::cast<ReadStmt>(s).file);
    for (const ReadItem &item : llvm::cast<ReadStmt>(s).items)
      place(*item.place);
    return;
  case StmtKind::Halt:
    if (const Expr *status = llvm::cast<HaltStmt>(s).status)
      expr(*status);
    return items(llvm::cast<HaltStmt>(s).items);
  case StmtKind::Timer:
    if (const Expr *sync = llvm::cast<TimerStmt>(s).sync)
      expr(*sync);
    return;
  case StmtKind::If: {
    auto &branch = llvm::cast<IfStmt>(s);
    expr(*branch.condition);
    Variables before = assigned;
    stmts(branch.thenBody);
    std::swap(before, assigned);
    stmts(branch.elseBody);
    assigned.insert(before.begin(), before.end());
    return;
  }
  case StmtKind::While:
    loop(llvm::cast<WhileStmt>(s).body);
    expr(*llvm::cast<WhileStmt>(s).condition);
    return stmts(llvm::cast<WhileStmt>(s).body);
  case StmtKind::Repeat:
    loop(llvm::cast<RepeatStmt>(s).body);
    stmts(llvm::cast<RepeatStmt>(s).body);
    return expr(*llvm::cast<RepeatStmt>(s).condition);
  case StmtKind::For: {
    auto &node = llvm::cast<ForStmt>(s);
    expr(*node.from);
    expr(*node.bound);
    expr(*node.step);
    place(*node.variable);
    loop(node.body);
    return stmts(node.body);
  }
  case StmtKind::Return:
    if (const Expr *value = llvm::cast<ReturnStmt>(s).value)
      expr(*value);
    return;
  case StmtKind::Scope:
    region(*llvm::cast<ScopeStmt>(s).region);
    if (const Expr *mask = llvm::cast<ScopeStmt>(s).mask.mask)
      expr(*mask);
    return stmt(*llvm::cast<ScopeStmt>(s).body);
  case StmtKind::RegionAssign: {
    auto &assign = llvm::cast<RegionAssignStmt>(s);
    region(*assign.value);
    return place(*assign.target);
  }
  case StmtKind::PatternAssign:
    region(*llvm::cast<PatternAssignStmt>(s).target);
    if (const Expr *file = llvm::cast<PatternAssignStmt>(s).file)
      expr(*file);
    return region(*llvm::cast<PatternAssignStmt>(s).value);
  case StmtKind::Modify:
    region(*llvm::cast<ModifyStmt>(s).target);
    return stmts(llvm::cast<ModifyStmt>(s).body);
  case StmtKind::Add:
    for (const Expr *index : llvm::cast<AddStmt>(s).indices)
      expr(*index);
    return;
  case StmtKind::Redistribute:
    if (const Expr *weights = llvm::cast<RedistributeStmt>(s).weights)
      expr(*weights);
    return;
  case StmtKind::Resize:
    for (const Expr *length : llvm::cast<ResizeStmt>(s).lengths)
      expr(*length);
    return;
  case StmtKind::Boundary:
  case StmtKind::BindIo:
  case StmtKind::Sort:
  case StmtKind::CheckShape:
  case StmtKind::Exit:
  case StmtKind::Continue:
    return;
  }
  llvm_unreachable("statement");
}

} // namespace

void reportUninitialized(const Program &program, DiagnosticEngine &diags) {
  for (const Procedure *procedure : program.procedures)
    FlowChecker(diags).check(*procedure);
}

} // namespace zpl::sema
