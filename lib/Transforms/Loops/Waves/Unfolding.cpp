//===- Unfolding.cpp - A scalar procedure as operations -------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     if a > 0 then t := a; end;         store %is = gt(@A, 0)
//     if t > b then return t; end;       store %t = 0
//     return b;                          store %t = @A where %is
//                                        store %is.1 = gt(%t, @B)
//                                        store %f = @B
//                                        store %f = %t where %is.1
//
// The code is executed on expressions: a frame knows of each variable which
// one it is now. Those that are more than an element, a constant or a variable
// are kept in an element per index, a register. Of an `if` both branches are
// executed; what a variable is in one and not in the other is chosen by the
// condition. Where a branch may return, what follows the `if` is executed at
// the end of both branches, and what the two of them return is chosen.
//
// What is passed by reference is an element: a variable of the frame as well,
// which is stored at the end.
//
// Everything is computed at all indices, also of branches that are not taken:
// so it must be cheap, and must not fail (Speculation.cpp).
//
// Cost: linear in the operations; MostUnfolded bounds what stands behind an `if`
// twice.
//
//===----------------------------------------------------------------------===//

#include "Loops/Waves/Unfolding.h"
#include "Loops/Scans/CarryOps.h"
#include "zpl/Analysis/Speculation.h"
#include "zpl/ArrayIR/Rewrite.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/SaveAndRestore.h"
#include <functional>

using namespace llvm;

namespace zpl::air {
namespace {

constexpr size_t MostUnfolded = 128;
constexpr unsigned MostCalls = 8; ///< in each other

/// What the variables of a procedure are at a point of its code.
using Values = MapVector<const Variable *, const Expr *>;

/// A call that is executed. Null for the M-loop's own code.
struct Frame {
  const CallExpr &call;
  unsigned depth;
};

/// What a call leaves: what it returns (null: nothing), and what it was given
/// by reference, by argument.
struct Outcome {
  const Expr *result = nullptr;
  SmallVector<const Expr *, 2> places{};
};

/// What is executed next: statements, then those behind the `if` that they
/// stand in.
struct Rest {
  ArrayRef<Stmt *> list;
  const Rest *after = nullptr;
};

} // namespace

static bool refuse(Unfolding &state, const Twine &why) {
  if (state.why.empty())
    state.why = why.str();
  return false;
}

static bool isScalarOfLanes(Type type) {
  return type == Type::Bool || type == Type::Char || type == Type::Enum ||
         type.isInteger() || type == Type::F32 || type == Type::F64;
}

static bool isLeaf(const Expr &e) {
  return isa<ConstExpr, VarExpr, ElementExpr>(e);
}

/// Adds a store of \p value, of which it must not matter where it is computed.
static bool addStore(Unfolding &state, const Expr *target, const Expr *value,
                     const Expr *guard) {
  ElementOp op = storeOf(target, value, guard, state.current->range);
  op.delay = state.current->delay;
  RunTimeChecks checks;
  // Whether the program has that check or not.
  checks.conversions = state.branches != 0 || state.current->guard;
  ElementOp asked = op;
  asked.guard = state.current->guard;
  if (!maySpeculate(asked, checks))
    return refuse(state, "a value in it may fail, or takes long to compute "
                         "where it is not needed");
  if (state.ops.size() == MostUnfolded)
    return refuse(state, "it is too long");
  state.ops.push_back(op);
  return true;
}

/// A new element per index.
static const Expr *newValue(Unfolding &state, StringRef name, Type type) {
  auto *array = state.module.make<Array>();
  array->name = state.names.make(name);
  array->element = type;
  array->shape = state.loop.region->shape;
  array->domain = state.loop.region->domain;
  array->lines.assign(array->rank(), 1);
  array->range = state.current->range;
  state.arrays.push_back(array);
  return elementAt(array, state.module, state.current->range);
}

/// The value as a leaf. Null: it cannot be one.
static const Expr *keep(Unfolding &state, StringRef name, const Expr *value) {
  if (!isScalarOfLanes(value->type)) {
    refuse(state, "it has values that are no numbers");
    return nullptr;
  }
  if (isLeaf(*value))
    return value;
  const Expr *kept = newValue(state, name, value->type);
  return addStore(state, kept, value, nullptr) ? kept : nullptr;
}

/// \p yes where the condition is true, else \p no; leaves all of them.
static const Expr *choose(Unfolding &state, StringRef name,
                          const Expr *condition, const Expr *yes,
                          const Expr *no) {
  if (!yes || !no || yes == no)
    return yes ? no : nullptr;
  const Expr *chosen = newValue(state, name, yes->type);
  bool good = addStore(state, chosen, no, nullptr) &&
              addStore(state, chosen, yes, condition);
  return good ? chosen : nullptr;
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

static bool execute(Unfolding &state, const CallExpr &call,
                    const Values *values, const Frame *frame, Outcome &outcome);

/// What a variable of the procedure is now: zero before it is set.
static const Expr *valueOf(Unfolding &state, const Variable &variable,
                           const Values &values) {
  if (const Expr *value = values.lookup(&variable))
    return value;
  if (isScalarOfLanes(variable.type) && !variable.byReference &&
      !variable.onHeap)
    return state.module.make<ConstExpr>(variable.type, state.current->range);
  refuse(state, "it has variables that are no numbers");
  return nullptr;
}

/// The expression with the procedure's variables as they are, without calls.
/// Null: there is none. \p values is null in the M-loop's own code.
static const Expr *evaluate(Unfolding &state, const Expr *expr,
                            const Values *values, const Frame *frame) {
  bool good = true;
  ExprRewriter rewriter(state.module, [&](const Expr *leaf) {
    auto *read = dyn_cast<VarExpr>(leaf);
    if (!values || !read || read->variable->storage == Storage::Global)
      return leaf;
    const Expr *value = valueOf(state, *read->variable, *values);
    good &= value != nullptr;
    return value ? value : leaf;
  });
  std::function<void(const Expr &)> findCalls = [&](const Expr &e) {
    auto *call = dyn_cast<CallExpr>(&e);
    if (!call)
      return forEachOperand(e, findCalls);
    Outcome outcome;
    good = good && execute(state, *call, values, frame, outcome) &&
           outcome.places.empty();
    if (good)
      rewriter.set(call, outcome.result);
  };
  findCalls(*expr);
  if (!good)
    refuse(state, "it sets what it is given in an expression");
  const Expr *made = good ? rewriter.rewrite(expr) : nullptr;
  return good ? made : nullptr;
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

static bool mayReturn(ArrayRef<Stmt *> list) {
  return any_of(list, [](const Stmt *stmt) {
    auto *branch = dyn_cast<IfStmt>(stmt);
    return isa<ReturnStmt>(stmt) || (branch && (mayReturn(branch->thenBody) ||
                                                mayReturn(branch->elseBody)));
  });
}

static bool finish(Unfolding &state, const Values &values, const Frame &frame,
                   Outcome &outcome) {
  const Procedure &callee = *frame.call.callee;
  for (auto [param, arg] : zip(callee.params, frame.call.args)) {
    if (!arg.place)
      continue;
    const Expr *value = valueOf(state, *param.variable, values);
    if (!value)
      return false;
    outcome.places.push_back(value);
  }
  return true;
}

static bool run(Unfolding &state, const Rest &rest, Values values,
                const Frame &frame, Outcome *outcome, Values *left);

/// An `if` in which nothing returns: goes on with what variables are then.
static bool runBranches(Unfolding &state, const IfStmt &branch,
                        const Expr *condition, Values &values,
                        const Frame &frame) {
  Values yes, no;
  SaveAndRestore<unsigned> branches(state.branches, state.branches + 1);
  if (!run(state, {branch.thenBody}, values, frame, nullptr, &yes) ||
      !run(state, {branch.elseBody}, values, frame, nullptr, &no))
    return false;
  SmallVector<const Variable *, 4> changed;
  for (const Values *side : {&yes, &no})
    for (const auto &[variable, value] : *side)
      if (!is_contained(changed, variable))
        changed.push_back(variable);
  for (const Variable *variable : changed) {
    const Expr *value =
        choose(state, variable->name, condition, valueOf(state, *variable, yes),
               valueOf(state, *variable, no));
    if (!value)
      return false;
    values[variable] = value;
  }
  return true;
}

/// An `if` in which something returns, and all that follows.
static bool runToReturns(Unfolding &state, const IfStmt &branch,
                         const Expr *condition, const Values &values,
                         const Frame &frame, const Rest &after,
                         Outcome &outcome) {
  Outcome yes, no;
  SaveAndRestore<unsigned> branches(state.branches, state.branches + 1);
  if (!run(state, {branch.thenBody, &after}, values, frame, &yes, nullptr) ||
      !run(state, {branch.elseBody, &after}, values, frame, &no, nullptr))
    return false;
  StringRef name = frame.call.callee->name;
  if (yes.result && no.result &&
      !(outcome.result = choose(state, name, condition, yes.result, no.result)))
    return false;
  for (auto [one, other] : zip(yes.places, no.places)) {
    outcome.places.push_back(choose(state, name, condition, one, other));
    if (!outcome.places.back())
      return false;
  }
  return true;
}

static bool set(Unfolding &state, const SetStmt &stmt, Values &values,
                const Frame &frame) {
  auto *target = dyn_cast<VarExpr>(stmt.target);
  if (!target || target->variable->storage == Storage::Global)
    return refuse(state, "it sets more than variables of its own");
  const Expr *value = evaluate(state, stmt.value, &values, &frame);
  if (value)
    value = keep(state, target->variable->name, value);
  if (!value)
    return false;
  values[target->variable] = value;
  return true;
}

/// A call as a statement of a procedure.
static bool callAsStatement(Unfolding &state, const CallStmt &stmt,
                            Values &values, const Frame &frame) {
  Outcome outcome;
  if (!execute(state, *stmt.call, &values, &frame, outcome))
    return false;
  size_t next = 0;
  for (const Argument &arg : stmt.call->args) {
    if (!arg.place)
      continue;
    auto *place = dyn_cast<VarExpr>(arg.place);
    if (!place || place->variable->storage == Storage::Global)
      return refuse(state, "it sets more than variables of its own");
    values[place->variable] = outcome.places[next++];
  }
  if (stmt.result)
    values[stmt.result] = outcome.result;
  return !stmt.result || stmt.result->storage != Storage::Global ||
         refuse(state, "it sets more than variables of its own");
}

/// `return`, which ends the call.
static bool leave(Unfolding &state, const ReturnStmt &end, const Values &values,
                  const Frame &frame, Outcome &outcome) {
  if (end.value) {
    const Expr *value = evaluate(state, end.value, &values, &frame);
    if (!value || !(value = keep(state, frame.call.callee->name, value)))
      return false;
    outcome.result = value;
  }
  return finish(state, values, frame, outcome);
}

/// A statement that goes on with the next one.
static bool step(Unfolding &state, const Stmt &stmt, Values &values,
                 const Frame &frame) {
  if (auto *assignment = dyn_cast<SetStmt>(&stmt))
    return set(state, *assignment, values, frame);
  if (auto *call = dyn_cast<CallStmt>(&stmt))
    return callAsStatement(state, *call, values, frame);
  return refuse(state, "it does more than choose and compute");
}

/// Executes \p rest: to what the call leaves or, where nothing returns and \p
/// left is given, to what variables are at its end.
static bool run(Unfolding &state, const Rest &rest, Values values,
                const Frame &frame, Outcome *outcome, Values *left) {
  for (const Rest *part = &rest; part; part = part->after)
    for (auto [at, stmt] : enumerate(part->list)) {
      if (auto *end = dyn_cast<ReturnStmt>(stmt))
        return leave(state, *end, values, frame, *outcome);
      auto *branch = dyn_cast<IfStmt>(stmt);
      if (!branch) {
        if (!step(state, *stmt, values, frame))
          return false;
        continue;
      }
      const Expr *condition =
          evaluate(state, branch->condition, &values, &frame);
      if (!condition || !(condition = keep(state, "is", condition)))
        return false;
      if (mayReturn(ArrayRef<Stmt *>(stmt)))
        return runToReturns(state, *branch, condition, values, frame,
                            {part->list.drop_front(at + 1), part->after},
                            *outcome);
      if (!runBranches(state, *branch, condition, values, frame))
        return false;
    }
  if (!left)
    return finish(state, values, frame, *outcome);
  *left = std::move(values);
  return true;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// What an argument is where the call is executed. Null: it is nothing that
/// the frame can know.
static const Expr *argumentOf(Unfolding &state, const Argument &arg,
                              StringRef name, const Values *values,
                              const Frame *frame) {
  if (arg.value) {
    const Expr *value = evaluate(state, arg.value, values, frame);
    return value ? keep(state, name, value) : nullptr;
  }
  auto *element = dyn_cast_or_null<ElementExpr>(arg.place);
  if (element && isScalarOfLanes(element->type))
    return element;
  auto *variable = dyn_cast_or_null<VarExpr>(arg.place);
  if (values && variable && variable->variable->storage != Storage::Global)
    return valueOf(state, *variable->variable, *values);
  refuse(state, "it is given more than numbers");
  return nullptr;
}

static bool execute(Unfolding &state, const CallExpr &call,
                    const Values *values, const Frame *frame,
                    Outcome &outcome) {
  const Procedure &callee = *call.callee;
  unsigned depth = frame ? frame->depth + 1 : 0;
  if (!callee.thunk.empty())
    return refuse(state, "it is C's");
  if (depth == MostCalls)
    return refuse(state, "it is too long");
  Values own;
  for (auto [param, arg] : zip(callee.params, call.args)) {
    if (!param.variable)
      return refuse(state, "it is given more than numbers");
    const Expr *value =
        argumentOf(state, arg, param.variable->name, values, frame);
    if (!value)
      return false;
    own[param.variable] = value;
  }
  if (!run(state, {callee.body}, std::move(own), {call, depth}, &outcome,
           nullptr))
    return false;
  return callee.result == Type::Void || outcome.result ||
         refuse(state, "it may return nothing");
}

/// A call for elements, which it is given by reference.
static bool unfoldCall(Unfolding &state, const ElementOp &op) {
  auto &call = *cast<CallExpr>(op.value);
  Outcome outcome;
  if (op.accumulates)
    return refuse(state, "it accumulates");
  if (!execute(state, call, nullptr, nullptr, outcome))
    return false;
  SmallVector<const Expr *, 2> targets;
  SmallPtrSet<const Array *, 2> arrays;
  for (const Argument &arg : call.args) {
    if (!arg.place)
      continue;
    targets.push_back(arg.place);
    if (!arrays.insert(cast<ElementExpr>(arg.place)->array).second)
      return refuse(state, "it is given one element twice");
  }
  // What the stores leave is not what was there before them.
  for (const Expr *&value : outcome.places)
    if (isa<ElementExpr>(value) && targets.size() > 1) {
      const Expr *kept = newValue(state, "value", value->type);
      if (!addStore(state, kept, value, nullptr))
        return false;
      value = kept;
    }
  for (auto [target, value] : zip(targets, outcome.places)) {
    state.ops.push_back(storeOf(target, value, op.guard, op.range));
    state.ops.back().delay = op.delay;
  }
  return true;
}

bool unfold(Unfolding &state, const ElementOp &op) {
  state.current = &op;
  if (op.kind == ElementOp::Call)
    return unfoldCall(state, op);
  ElementOp made = op;
  made.value = evaluate(state, op.value, nullptr, nullptr);
  if (op.guard)
    made.guard = evaluate(state, op.guard, nullptr, nullptr);
  if (!made.value || (op.guard && !made.guard))
    return false;
  state.ops.push_back(made);
  return true;
}

} // namespace zpl::air
