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
#include "zpl/Sema/Visit.h"
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
  struct Inside;
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

/// What the parts of each kind of statement do.
struct WriteTable::Collector::Inside {
  Collector &c;

  void of(const sema::BlockStmt &s) { c.stmts(s.body); }
  void of(const sema::WaveStmt &s) { c.stmts(s.body); }
  void of(const sema::AssignStmt &s) { c.exprs({s.target, s.value}); }
  void of(const sema::ArrayAssignStmt &s) {
    c.write(*s.target), c.expr(*s.value);
  }
  void of(const sema::ScatterStmt &s) {
    c.write(*s.target);
    c.exprs(s.maps);
    c.expr(*s.value);
  }
  void of(const sema::BoundaryStmt &s) {
    c.region(*s.base);
    c.exprs(s.direction);
    for (const sema::ArrayExpr *array : s.arrays)
      c.write(*array);
  }
  void of(const sema::CallStmt &s) { c.expr(*s.call); }
  void of(const sema::BuiltinStmt &s) { c.expr(*s.call); }
  void of(const sema::WriteStmt &s) { c.expr(*s.file), c.items(s.items); }
  void of(const sema::ReadStmt &s) {
    c.own.usesBound = true;
    c.expr(*s.file);
    for (const sema::ReadItem &item : s.items) {
      c.write(*item.place);
      c.exprs(item.formatExpr);
    }
  }
  void of(const sema::SortStmt &s) {
    for (const sema::ArrayExpr *array : s.arrays)
      c.write(*array);
    if (s.before)
      c.expr(*s.before);
  }
  void of(const sema::BindIoStmt &s) {
    if (s.procedure && c.bound)
      c.bound->push_back(s.procedure);
  }
  void of(const sema::CheckShapeStmt &s) { c.exprs({s.extentA, s.extentB}); }
  void of(const sema::HaltStmt &s) { c.exprs(s.status), c.items(s.items); }
  void of(const sema::TimerStmt &s) { c.exprs(s.sync); }
  void of(const sema::IfStmt &s) {
    c.expr(*s.condition);
    c.stmts(s.thenBody);
    c.stmts(s.elseBody);
  }
  void of(const OneOf<sema::WhileStmt, sema::RepeatStmt> auto &s) {
    c.expr(*s.condition);
    c.stmts(s.body);
  }
  void of(const sema::ForStmt &s) {
    c.exprs({s.variable, s.from, s.bound, s.step});
    c.stmts(s.body);
  }
  void of(const OneOf<sema::ExitStmt, sema::ContinueStmt> auto &) {}
  void of(const sema::ReturnStmt &s) { c.exprs(s.value); }
  void of(const sema::ResizeStmt &s) { c.exprs(s.lengths); }
  void of(const sema::RedistributeStmt &s) { c.exprs(s.weights); }
  void of(const sema::PatternAssignStmt &s) {
    c.own.resizes = true;
    c.exprs(s.file);
    c.region(*s.value);
  }
  void of(const sema::ModifyStmt &s) {
    c.own.resizes = true;
    c.stmts(s.body);
  }
  void of(const sema::AddStmt &s) { c.exprs(s.indices); }
  void of(const sema::RegionAssignStmt &s) {
    c.own.resizes = true;
    c.expr(*s.target);
    c.region(*s.value);
  }
  void of(const sema::ScopeStmt &s) {
    c.region(*s.region);
    c.exprs(s.mask.mask);
    c.stmt(*s.body);
  }
};

void WriteTable::Collector::stmt(const sema::Stmt &s) {
  sema::visitKind(s, [&](const auto &known) { Inside{*this}.of(known); });
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
