//===- Writes.cpp - Which parallel arrays code may write ------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A mask stays as it was when its scope was opened. In
//
//     [R with M] begin
//       A := A + 1;
//       smooth(B);
//     end;
//
// no copy of M is needed if neither the body nor `smooth`, nor what that calls,
// writes M. An array is written where it is assigned to, scattered to, wrapped,
// reflected, read into, or passed by reference. So what a procedure does to its
// parameters by reference shows at its calls, and only names matter here; which
// names of one procedure may be the same storage its instance knows. An
// assignment of a region variable writes the arrays over it.
//
// Each procedure is looked at once; a question costs the size of the code and
// of the call graph below it.
//
//===----------------------------------------------------------------------===//

#include "Writes.h"
#include "Facts.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace zpl::arraygen {

/// Finds what a piece of code does itself.
class WriteTable::Collector {
public:
  Collector(Own &own, std::vector<const sema::Procedure *> *bound)
      : own(own), bound(bound) {}

  void stmt(const sema::Stmt &stmt);
  void stmts(const sema::StmtList &list) {
    for (const sema::Stmt *stmt : list)
      this->stmt(*stmt);
  }
  void local(const sema::Symbol &symbol);

private:
  void exprs(ArrayRef<const sema::Expr *> list) {
    for (const sema::Expr *e : list)
      if (e)
        expr(*e);
  }
  void expr(const sema::Expr &expr);
  void region(const sema::RegionExpr &region) {
    sema::forEachOperand(region, [&](const sema::Expr &e) { expr(e); });
  }
  void write(const sema::Expr &place) {
    expr(place);
    if (auto *array = dyn_cast<sema::ArrayExpr>(sema::rootOf(&place)))
      own.arrays.insert(array->array);
  }
  void items(ArrayRef<sema::WriteItem> items);

  Own &own;
  std::vector<const sema::Procedure *> *bound; ///< null: not asked for
};

void WriteTable::Collector::expr(const sema::Expr &e) {
  own.quotesMask |= isa<sema::EnclosingMaskExpr>(e);
  if (auto *call = dyn_cast<sema::CallExpr>(&e)) {
    if (call->callee->isParallel)
      own.callees.insert(call->callee);
    for (auto [i, arg] : enumerate(call->args))
      if (auto *array = dyn_cast<sema::ArrayExpr>(sema::rootOf(arg));
          array && sema::isByReference(argumentMode(call, i)))
        own.arrays.insert(array->array);
  }
  sema::forEachOperand(e, [&](const sema::Expr &operand) { expr(operand); });
}

void WriteTable::Collector::items(ArrayRef<sema::WriteItem> items) {
  own.usesBound = true;
  for (const sema::WriteItem &item : items)
    exprs({item.value, item.formatExpr});
}

void WriteTable::Collector::local(const sema::Symbol &symbol) {
  if (auto *variable = dyn_cast<sema::Variable>(&symbol)) {
    exprs(variable->init);
    stmts(variable->setup);
  } else if (auto *array = dyn_cast<sema::Array>(&symbol)) {
    region(*array->declared);
    exprs(array->init);
    stmts(array->setup);
  } else if (auto *named = dyn_cast<sema::Region>(&symbol)) {
    region(*named->init);
  } else if (auto *direction = dyn_cast<sema::Direction>(&symbol)) {
    for (const sema::Direction::Component &component : direction->components)
      exprs(component.init);
  }
}

void WriteTable::Collector::stmt(const sema::Stmt &s) {
  switch (s.kind) {
  case sema::StmtKind::Block:
    return stmts(cast<sema::BlockStmt>(s).body);
  case sema::StmtKind::Wave:
    return stmts(cast<sema::WaveStmt>(s).body);
  case sema::StmtKind::Assign:
    return exprs(
        {cast<sema::AssignStmt>(s).target, cast<sema::AssignStmt>(s).value});
  case sema::StmtKind::ArrayAssign:
    write(*cast<sema::ArrayAssignStmt>(s).target);
    return expr(*cast<sema::ArrayAssignStmt>(s).value);
  case sema::StmtKind::Scatter: {
    auto &scatter = cast<sema::ScatterStmt>(s);
    write(*scatter.target);
    exprs(scatter.maps);
    return expr(*scatter.value);
  }
  case sema::StmtKind::Boundary: {
    auto &boundary = cast<sema::BoundaryStmt>(s);
    region(*boundary.base);
    exprs(boundary.direction);
    for (const sema::ArrayExpr *array : boundary.arrays)
      write(*array);
    return;
  }
  case sema::StmtKind::Call:
    return expr(*cast<sema::CallStmt>(s).call);
  case sema::StmtKind::Builtin:
    return expr(*cast<sema::BuiltinStmt>(s).call);
  case sema::StmtKind::Write:
    expr(*cast<sema::WriteStmt>(s).file);
    return items(cast<sema::WriteStmt>(s).items);
  case sema::StmtKind::Read:
    own.usesBound = true;
    expr(*cast<sema::ReadStmt>(s).file);
    for (const sema::ReadItem &item : cast<sema::ReadStmt>(s).items) {
      write(*item.place);
      exprs(item.formatExpr);
    }
    return;
  case sema::StmtKind::Sort:
    for (const sema::ArrayExpr *array : cast<sema::SortStmt>(s).arrays)
      write(*array);
    if (const sema::CallExpr *before = cast<sema::SortStmt>(s).before)
      expr(*before);
    return;
  case sema::StmtKind::BindIo:
    if (const sema::Procedure *f = cast<sema::BindIoStmt>(s).procedure;
        f && bound)
      bound->push_back(f);
    return;
  case sema::StmtKind::CheckShape:
    return exprs({cast<sema::CheckShapeStmt>(s).extentA,
                  cast<sema::CheckShapeStmt>(s).extentB});
  case sema::StmtKind::Halt:
    exprs(cast<sema::HaltStmt>(s).status);
    return items(cast<sema::HaltStmt>(s).items);
  case sema::StmtKind::Timer:
    return exprs(cast<sema::TimerStmt>(s).sync);
  case sema::StmtKind::If:
    expr(*cast<sema::IfStmt>(s).condition);
    stmts(cast<sema::IfStmt>(s).thenBody);
    return stmts(cast<sema::IfStmt>(s).elseBody);
  case sema::StmtKind::While:
    expr(*cast<sema::WhileStmt>(s).condition);
    return stmts(cast<sema::WhileStmt>(s).body);
  case sema::StmtKind::Repeat:
    expr(*cast<sema::RepeatStmt>(s).condition);
    return stmts(cast<sema::RepeatStmt>(s).body);
  case sema::StmtKind::For: {
    auto &loop = cast<sema::ForStmt>(s);
    exprs({loop.variable, loop.from, loop.bound, loop.step});
    return stmts(loop.body);
  }
  case sema::StmtKind::Exit:
  case sema::StmtKind::Continue:
    return;
  case sema::StmtKind::Return:
    return exprs(cast<sema::ReturnStmt>(s).value);
  case sema::StmtKind::Resize:
    for (const sema::Expr *length : cast<sema::ResizeStmt>(s).lengths)
      expr(*length);
    return;
  case sema::StmtKind::Redistribute:
    return exprs(cast<sema::RedistributeStmt>(s).weights);
  case sema::StmtKind::PatternAssign:
    own.resizes = true;
    if (const sema::Expr *file = cast<sema::PatternAssignStmt>(s).file)
      expr(*file);
    return region(*cast<sema::PatternAssignStmt>(s).value);
  case sema::StmtKind::Modify:
    own.resizes = true;
    return stmts(cast<sema::ModifyStmt>(s).body);
  case sema::StmtKind::Add:
    return exprs(cast<sema::AddStmt>(s).indices);
  case sema::StmtKind::RegionAssign:
    own.resizes = true;
    expr(*cast<sema::RegionAssignStmt>(s).target);
    return region(*cast<sema::RegionAssignStmt>(s).value);
  case sema::StmtKind::Scope: {
    auto &scope = cast<sema::ScopeStmt>(s);
    region(*scope.region);
    exprs(scope.mask.mask);
    return stmt(*scope.body);
  }
  }
  llvm_unreachable("a statement outside its enumeration");
}

WriteTable::WriteTable(const sema::Program &program) {
  auto addFollowers = [&](ArrayRef<sema::Symbol *> symbols) {
    for (const sema::Symbol *symbol : symbols)
      // Those of named regions may be sparse, and follow that.
      if (auto *array = dyn_cast<sema::Array>(symbol);
          array && (array->over || (program.hasSparse && array->declared)))
        followers.push_back(array);
  };
  addFollowers(program.globals);
  for (const sema::Procedure *procedure : program.procedures)
    addFollowers(procedure->locals);
  for (const sema::Procedure *procedure : program.procedures) {
    if (procedure->isExtern)
      continue;
    Collector collector(procedures[procedure], &bound);
    for (const sema::Symbol *local : procedure->locals)
      collector.local(*local);
    collector.stmt(*procedure->body);
  }
}

void WriteTable::close(Own &own) const {
  SmallVector<const sema::Procedure *, 8> worklist(own.callees.begin(),
                                                   own.callees.end());
  auto call = [&](const sema::Procedure *callee) {
    if (own.callees.insert(callee).second)
      worklist.push_back(callee);
  };
  auto callBound = [&](bool isUsed) {
    if (isUsed)
      for_each(bound, call);
  };
  callBound(own.usesBound);
  while (!worklist.empty()) {
    auto callee = procedures.find(worklist.pop_back_val());
    if (callee == procedures.end()) // of C
      continue;
    own.arrays.insert(callee->second.arrays.begin(),
                      callee->second.arrays.end());
    for_each(callee->second.callees, call);
    callBound(callee->second.usesBound);
    own.resizes |= callee->second.resizes;
    own.quotesMask |= callee->second.quotesMask;
  }
  if (own.resizes)
    own.arrays.insert(followers.begin(), followers.end());
}

WriteTable::ArraySet WriteTable::writtenBy(const sema::Stmt &stmt) const {
  Own own;
  Collector(own, nullptr).stmt(stmt);
  close(own);
  return std::move(own.arrays);
}

bool WriteTable::mayQuoteMask(const sema::Procedure &procedure) const {
  Own own = procedures.lookup(&procedure);
  close(own);
  return own.quotesMask;
}

bool WriteTable::mayQuoteMask(const sema::Stmt &stmt) const {
  Own own;
  Collector(own, nullptr).stmt(stmt);
  close(own);
  return own.quotesMask;
}

} // namespace zpl::arraygen
