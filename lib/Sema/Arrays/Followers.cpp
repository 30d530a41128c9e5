//===- Followers.cpp - Arrays whose region may change ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     var R: region<..>;  A: [R] double;
//     procedure grow(inout X: [ ] double);
//     begin [region(X)] begin R := [0..n]; X := 1; end; end;
//     ... grow(A);
//
// The region of A, and so that of X, is another one after the assignment, while
// the scope keeps what it was opened with. So nothing about the region of such
// an array may be taken from one place to another. Nor may it for the members
// of a family `U: array [0..k] of [Level[index1]] double`, whose one declared
// region is another for each.
//
// Cost: the code is gone through once, the calls once per level of them.
//
//===----------------------------------------------------------------------===//

#include "Arrays/Followers.h"
#include "Program/CallOrder.h"

#include "Tree/Walk.h"

namespace zpl::sema {

/// The arrays of the program for which \p isOne is true.
static std::vector<Array *>
arraysWith(const Program &program,
           llvm::function_ref<bool(const Array &)> isOne) {
  std::vector<Array *> found;
  auto add = [&](const std::vector<Symbol *> &symbols) {
    for (Symbol *symbol : symbols)
      if (auto *array = llvm::dyn_cast<Array>(symbol); array && isOne(*array))
        found.push_back(array);
  };
  add(program.globals);
  for (const Procedure *procedure : program.procedures)
    add(procedure->locals);
  return found;
}

std::vector<Array *> followersIn(const Program &program) {
  return arraysWith(program,
                    [](const Array &array) { return array.over != nullptr; });
}

std::vector<Array *> patternFollowersIn(const Program &program) {
  if (!program.hasSparse)
    return {};
  return arraysWith(program, [](const Array &array) {
    return array.declared && array.declared->kind == RegionExpr::Ref &&
           isSparse(*array.declared, {});
  });
}

llvm::DenseSet<const Array *> findResizable(const Program &program) {
  std::vector<Array *> followers = followersIn(program);
  llvm::DenseSet<const Array *> found(followers.begin(), followers.end());
  if (found.empty())
    return found;
  std::vector<const CallExpr *> calls = callsIn(program);
  for (bool changed = true; changed;) {
    changed = false;
    for (const CallExpr *call : calls)
      for (unsigned i = 0; i != call->args.size(); ++i)
        if (const ArrayExpr *whole = wholeArgument(*call, i);
            whole && found.contains(whole->array))
          changed |= found.insert(arrayParam(*call->callee, i)).second;
  }
  return found;
}

bool hasOneRegion(const Array &array) {
  if (array.family == Type::Error)
    return true;
  if (!array.declared)
    return false;
  bool isOne = true;
  forEachOperand(*array.declared, [&](const Expr &operand) {
    forEachExpr(operand, [&](const Expr &part) {
      auto *variable = llvm::dyn_cast<VariableExpr>(&part);
      isOne &=
          !variable || !llvm::is_contained(array.member, variable->variable);
    });
  });
  return isOne;
}

} // namespace zpl::sema
