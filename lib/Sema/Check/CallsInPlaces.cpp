//===- CallsInPlaces.cpp - Calls in regions, directions, subscripts -------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     A@[k] := B@d[f(k)] + g();       f stands in a direction, g does not
//
// Whether a statement has such a call must be known before its expressions are
// checked: k, to the left of the call, is then evaluated before it
// (FirstValues.cpp). So this looks at the syntax, with one flag on the way
// down, which tells that what is below belongs to a region, a direction or a
// subscript.
//
// Cost: linear in the statement.
//
//===----------------------------------------------------------------------===//

#include "Check/FirstValues.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

namespace zpl::sema {

namespace {

class PlaceCallFinder {
public:
  explicit PlaceCallFinder(
      llvm::function_ref<bool(llvm::StringRef)> isProcedure)
      : isProcedure(isProcedure) {}
  bool found = false;

  void stmt(const ast::Stmt &s);

private:
  void expr(const ast::Expr *e, bool inPlace);
  void list(ast::ExprList exprs, bool inPlace) {
    for (const ast::Expr *e : exprs)
      expr(e, inPlace);
  }
  void items(llvm::ArrayRef<ast::Item> items) {
    for (const ast::Item &item : items) {
      expr(item.format, false);
      expr(item.value, false);
    }
  }

  llvm::function_ref<bool(llvm::StringRef)> isProcedure;
};

/// \p e may be null.
void PlaceCallFinder::expr(const ast::Expr *e, bool inPlace) {
  if (!e || found)
    return;
  if (auto *call = llvm::dyn_cast<ast::Call>(e)) {
    found = inPlace && isProcedure(call->callee.text);
    list(call->args, inPlace);
  } else if (auto *argument = llvm::dyn_cast<ast::NamedArgument>(e)) {
    expr(argument->value, inPlace);
  } else if (auto *subscript = llvm::dyn_cast<ast::Subscript>(e)) {
    expr(subscript->base, inPlace);
    list(subscript->indices, true);
  } else if (auto *field = llvm::dyn_cast<ast::Field>(e)) {
    expr(field->base, inPlace);
  } else if (auto *multi = llvm::dyn_cast<ast::Multi>(e)) {
    expr(multi->base, inPlace);
    expr(multi->index, true);
  } else if (auto *region = llvm::dyn_cast<ast::RegionCall>(e)) {
    expr(region->array, true);
  } else if (auto *unary = llvm::dyn_cast<ast::Unary>(e)) {
    expr(unary->operand, inPlace);
  } else if (auto *binary = llvm::dyn_cast<ast::Binary>(e)) {
    expr(binary->left, inPlace);
    expr(binary->right, inPlace);
  } else if (auto *paren = llvm::dyn_cast<ast::Paren>(e)) {
    expr(paren->inner, inPlace);
  } else if (auto *at = llvm::dyn_cast<ast::At>(e)) {
    expr(at->designator, inPlace);
    expr(at->direction, true);
  } else if (auto *remap = llvm::dyn_cast<ast::Remap>(e)) {
    expr(remap->base, inPlace);
    list(remap->maps, inPlace);
  } else if (auto *flood = llvm::dyn_cast<ast::Flood>(e)) {
    expr(flood->source, true);
    expr(flood->operand, inPlace);
  } else if (auto *reduce = llvm::dyn_cast<ast::Reduce>(e)) {
    expr(reduce->source, true);
    list(reduce->operands, inPlace);
  } else if (auto *scan = llvm::dyn_cast<ast::Scan>(e)) {
    expr(scan->segment, inPlace);
    list(scan->operands, inPlace);
  } else if (auto *inside = llvm::dyn_cast<ast::Inside>(e)) {
    expr(inside->index, inPlace);
    expr(inside->region, true);
  } else if (auto *init = llvm::dyn_cast<ast::InitList>(e)) {
    list(init->items, inPlace);
  } else if (auto *direction = llvm::dyn_cast<ast::List>(e)) {
    list(direction->items, true);
  } else if (auto *scaled = llvm::dyn_cast<ast::Scaledby>(e)) {
    expr(scaled->direction, true);
    expr(scaled->factor, true);
  } else if (auto *literal = llvm::dyn_cast<ast::RegionLit>(e)) {
    for (const ast::Dim &dim : literal->dims) {
      expr(dim.lo, true);
      expr(dim.hi, true);
    }
  } else if (auto *op = llvm::dyn_cast<ast::RegionOp>(e)) {
    expr(op->direction, true);
    expr(op->region, true);
  } else if (auto *user = llvm::dyn_cast<ast::UserRegionOp>(e)) {
    expr(user->direction, true);
    expr(user->region, true);
  } else if (auto *mask = llvm::dyn_cast<ast::Mask>(e)) {
    expr(mask->region, true);
    expr(mask->operand, false);
  }
}

void PlaceCallFinder::stmt(const ast::Stmt &s) {
  switch (s.kind) {
  case ast::StmtKind::Block:
  case ast::StmtKind::Interleave:
  case ast::StmtKind::Modify:
  case ast::StmtKind::Add:
  case ast::StmtKind::Empty:
  case ast::StmtKind::Exit:
  case ast::StmtKind::Continue:
    return;
  case ast::StmtKind::ScanBlock:
    for (const ast::Stmt *inner : llvm::cast<ast::ScanBlockStmt>(s).body)
      stmt(*inner);
    return;
  case ast::StmtKind::If:
    for (const ast::IfStmt::Arm &arm : llvm::cast<ast::IfStmt>(s).arms)
      expr(arm.condition, false);
    return;
  case ast::StmtKind::While:
    return expr(llvm::cast<ast::WhileStmt>(s).condition, false);
  case ast::StmtKind::Repeat:
    return expr(llvm::cast<ast::RepeatStmt>(s).condition, false);
  case ast::StmtKind::For: {
    auto &loop = llvm::cast<ast::ForStmt>(s);
    for (const ast::Expr *part :
         {loop.variable, loop.from, loop.bound, loop.step})
      expr(part, false);
    return;
  }
  case ast::StmtKind::Return:
    return expr(llvm::cast<ast::ReturnStmt>(s).value, false);
  case ast::StmtKind::Halt:
    if (const ast::Expr *status = llvm::cast<ast::HaltStmt>(s).status)
      expr(status, false);
    return items(llvm::cast<ast::HaltStmt>(s).items);
  case ast::StmtKind::Assert:
    expr(llvm::cast<ast::AssertStmt>(s).condition, false);
    return items(llvm::cast<ast::AssertStmt>(s).items);
  case ast::StmtKind::Io:
    return items(llvm::cast<ast::IoStmt>(s).items);
  case ast::StmtKind::Wrap:
    return list(llvm::cast<ast::WrapStmt>(s).arrays, false);
  case ast::StmtKind::Scope:
    return expr(llvm::cast<ast::ScopeStmt>(s).region, true);
  case ast::StmtKind::Call:
    return expr(llvm::cast<ast::CallStmt>(s).call, false);
  case ast::StmtKind::Assign:
    expr(llvm::cast<ast::AssignStmt>(s).target, false);
    return expr(llvm::cast<ast::AssignStmt>(s).value, false);
  }
  llvm_unreachable("statement");
}

} // namespace

bool callsInPlaces(const ast::Stmt &s,
                   llvm::function_ref<bool(llvm::StringRef)> isProcedure) {
  PlaceCallFinder finder(isProcedure);
  finder.stmt(s);
  return finder.found;
}

} // namespace zpl::sema
