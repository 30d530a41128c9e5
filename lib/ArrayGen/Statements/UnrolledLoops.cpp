//===- UnrolledLoops.cpp - Loops over members of families -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     const d: array [0..2] of direction<,> = {[0, 0], [0, 1], [1, 0]};
//           w: array [0..2] of double = {0.5, 0.25, 0.25};
//     var F, G: array [0..2] of [R] double;
//
//     for i := 0 to 2 do                   G[0] := w[0] * F[0];
//       G[i] := w[i] * F[i]@d[i];     =>   G[1] := w[1] * F[1]@[0, 1];
//     end;                                 G[2] := w[2] * F[2]@[1, 0];
//                                          i := 3;
//
// As a loop each iteration is a sweep of its own over other arrays: nothing
// fuses across iterations, and what a direction or weight is only the run
// knows. Unrolled, the members are different arrays (Array::member), the
// weights are numbers, and all statements fuse to one sweep.
//
// A loop is unrolled if its bounds and step are constants, it has at most
// MaxIterations, its body consists of assignments, boundaries and loops that
// are unrolled as well, at most MaxStatements when that is done, and some array
// in it has the loop variable in its subscripts or direction: other loops gain
// nothing. One that floods or gathers stays a loop, of which jam-loops makes
// fewer messages. The variable is set in each copy if procedures are called
// there, which may read it.
//
// Cost: one walk over the body, and the copies.
//
//===----------------------------------------------------------------------===//

#include "Statements/UnrolledLoops.h"
#include "Expressions.h"
#include "Places.h"
#include "Procedure.h"
#include "Statements/Statements.h"
#include "zpl/Sema/RegionTree.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace zpl::arraygen {

/// As many as a lattice with 27 directions has.
constexpr int64_t MaxIterations = 32;
/// In all copies together.
constexpr uint64_t MaxStatements = 128;

//===----------------------------------------------------------------------===//
// What is known
//===----------------------------------------------------------------------===//

/// \p value in a type of integers; nothing if it does not fit.
static std::optional<int64_t> inType(int64_t value, sema::Type type) {
  if (type == sema::Type::Longint)
    return value;
  bool fits = type == sema::Type::Integer && isInt<32>(value);
  return fits ? std::optional(value) : std::nullopt;
}

static std::optional<int64_t> knownBinary(const ProcedureState &p,
                                          const sema::BinaryExpr &expr) {
  std::optional<int64_t> left = knownInteger(p, *expr.left);
  std::optional<int64_t> right =
      left ? knownInteger(p, *expr.right) : std::nullopt;
  if (!right)
    return std::nullopt;
  int64_t result = 0;
  bool overflows = true;
  if (expr.op == sema::BinaryOp::Add)
    overflows = AddOverflow(*left, *right, result);
  else if (expr.op == sema::BinaryOp::Sub)
    overflows = SubOverflow(*left, *right, result);
  else if (expr.op == sema::BinaryOp::Mul)
    overflows = MulOverflow(*left, *right, result);
  return overflows ? std::nullopt : inType(result, expr.type);
}

std::optional<int64_t> knownInteger(const ProcedureState &p,
                                    const sema::Expr &expr) {
  if (expr.isArray() || !inType(0, expr.type))
    return std::nullopt;
  if (auto *literal = dyn_cast<sema::LiteralExpr>(&expr))
    return literal->integer;
  if (auto *read = dyn_cast<sema::VariableExpr>(&expr)) {
    auto known = p.frame.counters.find(read->variable);
    return known != p.frame.counters.end() ? std::optional(known->second)
                                           : std::nullopt;
  }
  if (auto *cast = dyn_cast<sema::CastExpr>(&expr)) {
    std::optional<int64_t> value = knownInteger(p, *cast->operand);
    return value ? inType(*value, expr.type) : std::nullopt;
  }
  if (auto *binary = dyn_cast<sema::BinaryExpr>(&expr))
    return knownBinary(p, *binary);
  if (auto *subscript = dyn_cast<sema::SubscriptExpr>(&expr))
    if (auto *element =
            dyn_cast_or_null<sema::LiteralExpr>(knownElement(p, *subscript)))
      return element->integer;
  return std::nullopt;
}

const sema::Expr *knownElement(const ProcedureState &p,
                               const sema::SubscriptExpr &expr) {
  auto *root = dyn_cast<sema::VariableExpr>(sema::rootOf(&expr));
  if (!root || !root->variable->isConst)
    return nullptr;
  SmallVector<int64_t, 4> subscripts;
  const sema::Expr *place = &expr;
  while (auto *level = dyn_cast<sema::SubscriptExpr>(place)) {
    for (const sema::Expr *subscript : reverse(level->subscripts)) {
      std::optional<int64_t> value = knownInteger(p, *subscript);
      if (!value)
        return nullptr;
      subscripts.insert(subscripts.begin(), *value);
    }
    place = level->base;
  }
  if (place != root)
    return nullptr;
  sema::ConstantElements &elements = p.builder.constants;
  if (const sema::Expr *element = elements.find(*root->variable, subscripts))
    return element;
  // A component of a direction, which has counted from 0.
  int64_t dim = subscripts.pop_back_val();
  auto *direction = dyn_cast_or_null<sema::DirectionValueExpr>(
      elements.find(*root->variable, subscripts));
  bool isInside =
      direction && dim >= 0 && uint64_t(dim) < direction->components.size();
  return isInside ? direction->components[dim] : nullptr;
}

//===----------------------------------------------------------------------===//
// Which loops
//===----------------------------------------------------------------------===//

namespace {

/// A loop that counts by constants.
struct Counting {
  const sema::Variable *variable;
  SmallVector<int64_t, 9> values; ///< of the variable, in turn
  int64_t after;                  ///< the value that it has then
};

/// What is known of the body of a loop.
struct Body {
  uint64_t statements = 0; ///< when it is generated once
  /// The first that may not be unrolled; null: there is none.
  const sema::Stmt *other = nullptr;
  bool choosesMembers = false;
  bool hasCalls = false;
  bool fetches = false; ///< floods or gathers
};

} // namespace

/// How \p loop counts, if by constants and not too often.
static std::optional<Counting> countingOf(const sema::ForStmt &loop) {
  auto *variable = dyn_cast<sema::VariableExpr>(loop.variable);
  auto *from = dyn_cast<sema::LiteralExpr>(loop.from);
  auto *bound = dyn_cast<sema::LiteralExpr>(loop.bound);
  auto *step = dyn_cast<sema::LiteralExpr>(loop.step);
  if (!variable || !from || !bound || !step || step->integer <= 0 ||
      !inType(0, variable->type) || !isInt<31>(from->integer) ||
      !isInt<31>(bound->integer) || !isInt<30>(step->integer))
    return std::nullopt;
  Counting counting{variable->variable, {}, from->integer};
  int64_t by = loop.down ? -step->integer : step->integer;
  auto isWithin = [&](int64_t value) {
    return loop.down ? value >= bound->integer : value <= bound->integer;
  };
  for (int64_t &next = counting.after; isWithin(next); next += by) {
    if (counting.values.size() == MaxIterations)
      return std::nullopt;
    counting.values.push_back(next);
  }
  return counting;
}

static bool mentions(const sema::Expr &expr, const sema::Variable *variable) {
  auto *read = dyn_cast<sema::VariableExpr>(&expr);
  bool found = read && read->variable == variable;
  sema::forEachOperand(expr, [&](const sema::Expr &operand) {
    found = found || mentions(operand, variable);
  });
  return found;
}

/// Looks for members that \p variable chooses, and for calls.
static void look(const sema::Expr &expr, const sema::Variable *variable,
                 Body &body) {
  body.hasCalls |= isa<sema::CallExpr>(expr);
  body.fetches |= isa<sema::FloodExpr, sema::GatherExpr>(expr);
  if (auto *array = dyn_cast<sema::ArrayExpr>(&expr))
    for (ArrayRef<const sema::Expr *> list :
         {ArrayRef(array->subscripts), ArrayRef(array->direction)})
      body.choosesMembers |= any_of(
          list, [&](const sema::Expr *e) { return mentions(*e, variable); });
  sema::forEachOperand(
      expr, [&](const sema::Expr &operand) { look(operand, variable, body); });
}

static void look(const sema::Stmt *stmt, const sema::Variable *variable,
                 Body &body);

static void look(const sema::StmtList &list, const sema::Variable *variable,
                 Body &body) {
  for (const sema::Stmt *stmt : list)
    look(stmt, variable, body);
}

static void lookAtLoop(const sema::ForStmt &loop,
                       const sema::Variable *variable, Body &body) {
  std::optional<Counting> counting = countingOf(loop);
  Body inner;
  look(loop.body, variable, inner);
  if (!body.other)
    body.other =
        counting && counting->variable != variable ? inner.other : &loop;
  body.choosesMembers |= inner.choosesMembers;
  body.hasCalls |= inner.hasCalls;
  body.fetches |= inner.fetches;
  if (counting)
    body.statements += counting->values.size() * inner.statements;
}

static void look(const sema::Stmt *stmt, const sema::Variable *variable,
                 Body &body) {
  ++body.statements;
  if (auto *assign = dyn_cast<sema::ArrayAssignStmt>(stmt)) {
    look(*assign->target, variable, body);
    look(*assign->value, variable, body);
  } else if (auto *assign = dyn_cast<sema::AssignStmt>(stmt)) {
    auto *root = dyn_cast<sema::VariableExpr>(sema::rootOf(assign->target));
    if (root && root->variable == variable && !body.other)
      body.other = stmt;
    look(*assign->target, variable, body);
    look(*assign->value, variable, body);
  } else if (auto *boundary = dyn_cast<sema::BoundaryStmt>(stmt)) {
    for (const sema::ArrayExpr *array : boundary->arrays)
      look(*array, variable, body);
  } else if (auto *block = dyn_cast<sema::BlockStmt>(stmt)) {
    look(block->body, variable, body);
  } else if (auto *scope = dyn_cast<sema::ScopeStmt>(stmt)) {
    look(scope->body, variable, body);
  } else if (auto *loop = dyn_cast<sema::ForStmt>(stmt)) {
    lookAtLoop(*loop, variable, body);
  } else {
    if (!body.other)
      body.other = stmt;
    if (auto *branch = dyn_cast<sema::IfStmt>(stmt)) {
      look(branch->thenBody, variable, body);
      look(branch->elseBody, variable, body);
    }
  }
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// `i := value`.
static void setCounter(ProcedureState &p, const sema::ForStmt &loop,
                       int64_t value) {
  const air::Expr *place = placeExpr(p, loop.variable, {});
  emit<air::SetStmt>(p, place,
                     constant(p, place->type, value, loop.variable->range),
                     loop.variable->range);
}

/// Tells of a loop that chooses members.
static void remark(ProcedureState &p, const sema::ForStmt &loop,
                   Remark::Kind kind, const Twine &text) {
  p.builder.remarks.push_back({kind, "unroll-loops", loop.range, text.str()});
}

/// Whether the body, and so many copies of it, may be unrolled; says why not.
static bool mayUnroll(ProcedureState &p, const sema::ForStmt &loop,
                      const Body &body, uint64_t copies) {
  if (body.other)
    remark(p, loop, Remark::Missed,
           "the loop over members of families is not unrolled: it has other "
           "statements than assignments");
  else if (body.fetches)
    remark(p, loop, Remark::Missed,
           "the loop over members of families is not unrolled: what it floods "
           "or gathers comes in fewer messages in a loop (jam-loops)");
  else if (body.statements * copies > MaxStatements)
    remark(p, loop, Remark::Missed,
           "the loop over members of families is not unrolled: that makes " +
               Twine(body.statements * copies) + " statements, more than " +
               Twine(MaxStatements));
  else
    return true;
  return false;
}

bool unroll(ProcedureState &p, const sema::ForStmt &loop) {
  if (!p.builder.options.unrollsLoops)
    return false;
  std::optional<Counting> counting = countingOf(loop);
  if (!counting || counting->values.size() < 2)
    return false;
  Body body;
  look(loop.body, counting->variable, body);
  bool isInside = !p.frame.counters.empty();
  if (!(body.choosesMembers || isInside) ||
      !mayUnroll(p, loop, body, counting->values.size()))
    return false;
  if (!isInside)
    remark(p, loop, Remark::Applied,
           "the loop over members of families is unrolled, " +
               Twine(counting->values.size()) + " times");
  for (int64_t value : counting->values) {
    if (body.hasCalls)
      setCounter(p, loop, value);
    p.frame.counters[counting->variable] = value;
    statements(p, loop.body);
  }
  p.frame.counters.erase(counting->variable);
  setCounter(p, loop, counting->after);
  return true;
}

} // namespace zpl::arraygen
