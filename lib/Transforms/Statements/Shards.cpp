//===- Shards.cpp - Shattered branches over regions of their own ----------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     [R] if Index1 = 1 then A := 0.0;
//         elsif Index1 < n then A := B@north;
//         else A := 1.0; end;
//
// is the call of a scalar procedure at each index:
//
//     [@R] call @p.if(index(0), ref @A, @B@(-1,0))
//
// and becomes
//
//     [@R where eq(index(0), i32 1)] @A = f64 0.0
//     [@R where and(ne(index(0), i32 1), lt(index(0), @n))] @A = @B@(-1,0)
//     [@R where and(ne(index(0), i32 1), ge(index(0), @n))] @A = f64 1.0
//
// of which each runs over a part of R. That is the same if what one index does
// has nothing to do with the others, and conditions and arguments mean the same
// all the way:
//
//  - the body is `if`s and assignments to what is passed by reference;
//  - arguments by value, and conditions, read no array that is assigned, nor
//  one
//    that may be the same under another name;
//  - nothing calls.
//
// It is done if all conditions are limits of indices, so that no index is
// visited more than once; only a single branch may have other conditions too.
//
// Cost: the size of the body, times the depth of its branches.
//
//===----------------------------------------------------------------------===//

#include "Statements/GuardedStatements.h"
#include "zpl/Analysis/IndexConditions.h"
#include "zpl/ArrayIR/Rewrite.h"
#include "zpl/ArrayIR/Walk.h"

using namespace llvm;

namespace zpl::air {
namespace {

class ShardSplitter {
public:
  ShardSplitter(const ElementCallStmt &call, const Procedure &procedure,
                const KnownBounds &known, Module &module)
      : call(call), procedure(procedure), known(known), module(module) {
    for (auto [arg, param] : zip(call.call->args, call.call->callee->params))
      if (param.variable)
        arguments[param.variable] =
            param.variable->byReference ? arg.place : arg.value;
  }

  bool run(StmtList &result) {
    const Procedure &callee = *call.call->callee;
    if (call.accumulates || procedure.mayAlias || !callee.thunk.empty() ||
        !callee.variables.empty() ||
        !list(callee.body, /*condition=*/nullptr) || branches == 0 ||
        !mayBeTakenApart())
      return false;
    for (ArrayAssignStmt *assign : assignments)
      if (!narrowsAll(*assign))
        return false;
    // What the whole statement is guarded by comes first: it decides whether
    // the others are looked at.
    for (ArrayAssignStmt *assign : assignments)
      assign->guard = both(call.guard, assign->guard);
    result.insert(result.end(), assignments.begin(), assignments.end());
    return true;
  }

private:
  bool list(const StmtList &list, const Expr *condition) {
    return all_of(list, [&](const Stmt *s) { return stmt(*s, condition); });
  }

  bool stmt(const Stmt &stmt, const Expr *condition) {
    if (auto *set = dyn_cast<SetStmt>(&stmt)) {
      const Expr *place = substitute(set->target);
      if (!condition || !rootElement(place))
        return false;
      auto *assign = module.make<ArrayAssignStmt>(
          call.region, place, substitute(set->value), set->range);
      assign->guard = condition;
      written.insert(rootElement(place)->array);
      assignments.push_back(assign);
      return true;
    }
    auto *branch = dyn_cast<IfStmt>(&stmt);
    if (!branch)
      return false;
    const Expr *own = substitute(branch->condition);
    conditions.push_back(own);
    branches += !branch->thenBody.empty() + !branch->elseBody.empty();
    return list(branch->thenBody, both(condition, own)) &&
           list(branch->elseBody, both(condition, negated(own, module)));
  }

  const Expr *both(const Expr *a, const Expr *b) {
    if (!a || !b)
      return a ? a : b;
    return module.make<BinaryExpr>(BinaryOp::And, a, b, b->range);
  }

  /// With arguments in place of parameters.
  const Expr *substitute(const Expr *e) {
    ExprRewriter rewriter(module, [&](const Expr *leaf) {
      auto *variable = dyn_cast<VarExpr>(leaf);
      const Expr *argument =
          variable ? arguments.lookup(variable->variable) : nullptr;
      return argument ? argument : leaf;
    });
    return rewriter.rewrite(e);
  }

  /// Whether the assignments may be made one after the other, each at all
  /// indices, with conditions that are looked at anew.
  bool mayBeTakenApart() {
    Reads fixed, all;
    for (const Expr *condition : conditions)
      fixed.add(*condition);
    for (const auto &[parameter, argument] : arguments)
      if (!parameter->byReference)
        fixed.add(*argument);
    for (const ArrayAssignStmt *assign : assignments) {
      all.add(*assign->target);
      all.add(*assign->value);
    }
    if (fixed.calls || all.calls)
      return false;
    for (const Array *array : written) {
      auto isSame = [&](const Array *other) {
        return mayBeSame(module, *array, *other, procedure.mayAlias);
      };
      if (any_of(fixed.arrays, isSame))
        return false;
      for (const Array *other : all.arrays)
        if (other != array && isSame(other))
          return false;
    }
    return true;
  }

  /// Whether the conditions of \p assign limit it to a part of the region, or
  /// are decided in copies for a few indices.
  bool narrowsAll(const ArrayAssignStmt &assign) {
    IndexConditions found =
        indexConditions(assign.guard, *call.region, known, module);
    return (found.narrows() || found.isDecided) &&
           (!found.isOpen || branches == 1);
  }

  const ElementCallStmt &call;
  const Procedure &procedure;
  const KnownBounds &known;
  Module &module;
  DenseMap<const Variable *, const Expr *> arguments;
  SmallVector<const Expr *, 8> conditions;
  SmallVector<ArrayAssignStmt *, 8> assignments;
  DenseSet<const Array *> written;
  unsigned branches = 0; ///< that are not empty
};

} // namespace

bool splitShard(const ElementCallStmt &call, const Procedure &procedure,
                const KnownBounds &known, Module &module, StmtList &result) {
  return ShardSplitter(call, procedure, known, module).run(result);
}

} // namespace zpl::air
