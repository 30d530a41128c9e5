//===- Clone.cpp - Copies of statements under other names -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With X = @A, R2 = @R and k = 3 in the body of a procedure,
//
//     [%R2] %X = mul(%X, %k)      =>      [@R] @A = mul(@A, i32 3)
//
// A statement is copied as it is, by its own copy constructor, and then each of
// its operands (Operands.h) exchanged for its new name. Expressions are rebuilt
// only where a name in them changes, and what was shared is shared in the copy.
//
// Cost: linear in what is copied.
//
//===----------------------------------------------------------------------===//

#include "zpl/ArrayIR/Clone.h"

using namespace llvm;

namespace zpl::air {

StmtCloner::StmtCloner(Module &module, const Renaming &names)
    : module(module), names(names),
      rewriter(module, [this](const Expr *expr) { return leaf(expr); }) {}

const Expr *StmtCloner::leaf(const Expr *expr) {
  if (auto *variable = dyn_cast<VarExpr>(expr)) {
    const Expr *known = names.variables.lookup(variable->variable);
    return known ? known : expr;
  }
  if (auto *element = dyn_cast<ElementExpr>(expr)) {
    Array *array = element->array;
    rename(array);
    if (array == element->array)
      return expr;
    auto *made =
        module.make<ElementExpr>(array, element->offset, element->range);
    made->walker = element->walker;
    return made;
  }
  if (auto *remap = dyn_cast<RemapExpr>(expr)) {
    Array *array = remap->array;
    rename(array);
    if (array == remap->array)
      return expr;
    auto *made = module.make<RemapExpr>(*remap);
    made->array = array;
    return made;
  }
  if (auto *bound = dyn_cast<BoundExpr>(expr)) {
    Region *region = bound->region;
    rename(region);
    return region == bound->region
               ? expr
               : module.make<BoundExpr>(region, bound->dim, bound->which,
                                        bound->range);
  }
  return expr;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

void StmtCloner::rename(const Expr *&expr) {
  if (expr)
    expr = rewriter.rewrite(expr);
}

void StmtCloner::rename(Array *&array) {
  if (Array *known = names.arrays.lookup(array))
    array = known;
}

void StmtCloner::rename(Region *&region) {
  if (Region *known = names.regions.lookup(region))
    region = known;
}

void StmtCloner::rename(Variable *&variable) {
  const Expr *known = names.variables.lookup(variable);
  if (!known)
    return;
  if (auto *other = dyn_cast<VarExpr>(known))
    variable = other->variable;
  else if (!misfit)
    misfit = variable;
}

/// Arrays and regions are operands of calls that stand alone only.
void StmtCloner::rename(const CallExpr *&call) {
  auto *made = module.make<CallExpr>(*call);
  for (Argument &arg : made->args) {
    rename(arg.value);
    rename(arg.place);
    rename(arg.array);
    rename(arg.region);
  }
  call = made;
}

void StmtCloner::rename(const Operand &operand) {
  if (auto *expr = dyn_cast<const Expr **>(operand.slot))
    rename(*expr);
  else if (auto *call = dyn_cast<const CallExpr **>(operand.slot))
    rename(*call);
  else if (auto *array = dyn_cast<Array **>(operand.slot))
    rename(*array);
  else if (auto *region = dyn_cast<Region **>(operand.slot))
    rename(*region);
  else if (auto *variable = dyn_cast<Variable **>(operand.slot))
    rename(*variable);
  else if (auto *list = dyn_cast<StmtList *>(operand.slot))
    *list = clone(*list);
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

StmtList StmtCloner::clone(const StmtList &list) {
  StmtList result;
  for (const Stmt *stmt : list)
    result.push_back(clone(*stmt));
  return result;
}

Stmt *StmtCloner::clone(const Stmt &stmt) {
  Stmt *made = visitKind(stmt, [&](const auto &old) -> Stmt * {
    return module.make<std::decay_t<decltype(old)>>(old);
  });
  forEachOperand(*made, [&](const Operand &operand) { rename(operand); });
  return made;
}

} // namespace zpl::air
