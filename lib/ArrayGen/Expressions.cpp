//===- Expressions.cpp - Expressions and what comes before them -----------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Most expressions are translated node by node. The rest is hoisted: it becomes
// statements before the current one and leaves a temporary behind.
//
//     x + (+<< A) * f()             f is a parallel procedure
//
//     set %t = @x                   (f may write x)
//     [%R] %t.1 = reduce sum %A
//     %t.2 = call @f(%R)
//     ... add %t, mul %t.1, %t.2
//
// Operands are evaluated from left to right. One that was evaluated earlier is
// saved in a temporary if a later one has effects, or is hoisted over one that
// has; a scalar goes to a variable, elements go to an array temporary.
//
// Scalar `&` and `|` do not evaluate their right side in vain. That can be seen
// if the right side is hoisted or could fail or never end, and then control
// flow takes their place:
//
//     n > 0 & f(n-1)          set %t = gt @n, 0
//                             if %t { set %t = call @f(sub @n, 1) }
//
// In element code (`over` is a region) a scalar part that contains calls or
// expensive functions is hoisted too, so that it runs once and not per element.
//
//===----------------------------------------------------------------------===//

#include "Expressions.h"
#include "Calls.h"
#include "Operators/Operators.h"
#include "Operators/Regions.h"
#include "Operators/Remap.h"
#include "Operators/ShiftedTargets.h"
#include "Operators/Sparse.h"
#include "Places.h"
#include "Procedure.h"
#include "References.h"
#include "Statements/ArrayStatements.h"
#include "Statements/Statements.h"
#include "Statements/UnrolledLoops.h"
#include "Values.h"
#include "zpl/ArrayIR/Walk.h"
#include "zpl/Sema/Visit.h"

using namespace llvm;

namespace zpl::arraygen {

//===----------------------------------------------------------------------===//
// Leaves and helpers
//===----------------------------------------------------------------------===//

static const air::Expr *binary(ProcedureState &p, const sema::BinaryExpr *expr,
                               Cover over);
static const air::Expr *callValue(ProcedureState &p, const sema::CallExpr *call,
                                  Cover over);
static const air::Expr *fma(ProcedureState &p, const sema::FmaExpr *expr,
                            Cover over);
static const air::Expr *shortCircuit(ProcedureState &p,
                                     const sema::BinaryExpr *expr);
/// Computes \p expr into \p target; false if it is an ordinary expression.
static bool computeInto(ProcedureState &p, air::Variable *target,
                        const sema::Expr *expr);
static void timeInto(ProcedureState &p, air::Variable *target,
                     const sema::TimerExpr *expr);

const air::Expr *constant(ProcedureState &p, air::Type type, int64_t integer,
                          SourceRange range) {
  auto *made = p.module.make<air::ConstExpr>(type, range);
  made->integer = integer;
  made->number = static_cast<double>(integer);
  return made;
}

static const air::Expr *literal(ProcedureState &p,
                                const sema::LiteralExpr *expr) {
  auto *made =
      p.module.make<air::ConstExpr>(typeFor(p, expr->type), expr->range);
  made->integer = expr->integer;
  made->number = expr->number;
  made->text = p.module.copy(expr->text);
  return made;
}

const air::Expr *variableExpr(ProcedureState &p, air::Variable *variable,
                              SourceRange range) {
  return p.module.make<air::VarExpr>(variable, range);
}

const air::Expr *castTo(ProcedureState &p, air::Type type,
                        const air::Expr *value) {
  return value->type == type
             ? value
             : p.module.make<air::CastExpr>(type, value, value->range);
}

bool isStable(const ProcedureState &p, const air::Expr *value) {
  if (auto *read = dyn_cast<air::VarExpr>(value))
    return p.known.stableVariables.contains(read->variable);
  if (auto *field = dyn_cast<air::FieldExpr>(value))
    return isStable(p, field->base);
  if (auto *subscript = dyn_cast<air::SubscriptExpr>(value))
    return isStable(p, subscript->base) &&
           all_of(subscript->subscripts,
                  [&](const air::Expr *e) { return isStable(p, e); });
  if (auto *element = dyn_cast<air::ElementExpr>(value)) {
    const air::Array *array = element->array;
    while (const air::Array *source = p.known.borrowedFrom.lookup(array))
      array = source;
    return is_contained(p.frame.temporaries, array);
  }
  return isa<air::ConstExpr, air::IndexExpr, air::BoundExpr>(value);
}

/// Whether \p value depends on the index.
static bool isPerElement(const air::Expr &value) {
  if (isa<air::ElementExpr, air::IndexExpr>(value))
    return true;
  bool result = false;
  air::forEachOperand(value, [&](const air::Expr &operand) {
    result = result || isPerElement(operand);
  });
  return result;
}

/// Whether evaluating \p value may write variables.
static bool callsProcedure(const air::Expr &value) {
  bool result = false;
  air::forEachExpr(
      value, [&](const air::Expr &e) { result |= isa<air::CallExpr>(e); });
  return result;
}

const air::Expr *save(ProcedureState &p, const air::Expr *value, Cover over,
                      TemporaryScope &scope) {
  if (isStable(p, value))
    return value;
  if (over && isPerElement(*value)) {
    air::Array *array = store(p, value, over, scope);
    return elementOf(p, array, value->range);
  }
  air::Variable *saved =
      temporary(p, value->type, value->range, /*isZero=*/false);
  unsigned time = p.known.time;
  emit<air::SetStmt>(p, variableExpr(p, saved, value->range), value,
                     value->range);
  if (!callsProcedure(*value)) // nothing that is known can have changed
    p.known.time = time;
  return variableExpr(p, saved, value->range);
}

ExprList operands(ProcedureState &p, ArrayRef<const sema::Expr *> exprs,
                  Cover over, ArrayRef<air::Array *> written,
                  ArrayRef<const sema::Expr *> later) {
  ExprList values;
  for (auto [i, expr] : enumerate(exprs)) {
    TemporaryScope scope(p);
    const air::Expr *made = value(p, expr, over);
    bool effects = p.builder.facts.of(expr).effects;
    auto overtakes = [&](const sema::Expr *later) {
      Facts facts = p.builder.facts.of(later);
      // Element code hoists every scalar call.
      bool hoists = facts.hoists || (over && facts.once);
      return facts.effects || (hoists && effects);
    };
    auto isDisturbed = [&](const air::Array *a) {
      return disturbs(p, a, made);
    };
    if (any_of(exprs.drop_front(i + 1), overtakes) ||
        any_of(later, overtakes) || any_of(written, isDisturbed))
      made = save(p, made, over, scope);
    values.push_back(made);
  }
  return values;
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

static const air::Expr *gridPlace(ProcedureState &p,
                                  const sema::GridPlaceExpr *expr);

/// A bound, a level or the size of a region.
static const air::Expr *regionBound(ProcedureState &p,
                                    const sema::RegionBoundExpr &expr) {
  if (expr.which == sema::RegionBoundExpr::Level)
    return inheritedLevel(p, &expr);
  if (expr.which == sema::RegionBoundExpr::Size)
    return sizeValue(p, &expr);
  if (expr.which == sema::RegionBoundExpr::Patterned)
    return p.module.make<air::BoundExpr>(unchecked(p, *expr.region), 0,
                                         air::BoundExpr::Patterned, expr.range);
  auto which = static_cast<air::BoundExpr::Which>(expr.which);
  return p.module.make<air::BoundExpr>(evaluate(p, *expr.region, "asked"),
                                       expr.dim, which, expr.range);
}

/// The part of a record or indexed array that is read.
static const air::Expr *partValue(ProcedureState &p, const sema::Expr *expr,
                                  Cover over) {
  if (auto *element = dyn_cast<sema::SubscriptExpr>(expr))
    if (auto *known =
            dyn_cast_or_null<sema::LiteralExpr>(knownElement(p, *element)))
      return literal(p, known);
  size_t changed = p.statement.changedIrvs.size();
  const air::Expr *part = placeExpr(p, expr, over);
  p.statement.changedIrvs.truncate(changed); // it is read only
  return part;
}

namespace {

/// The values of each kind of expression, as elements over `over` if it is a
/// region.
struct ValueOf {
  ProcedureState &p;
  Cover over;
  using Expr = const air::Expr *;

  Expr of(const sema::LiteralExpr &e) { return literal(p, &e); }
  Expr of(const sema::VariableExpr &e) {
    return variableExpr(p, find(p, e.variable), e.range);
  }
  Expr of(const sema::ComponentExpr &e) {
    return variableExpr(p, find(p, e.direction, e.component), e.range);
  }
  Expr of(const sema::ArrayExpr &e) { return element(p, &e, over); }
  Expr of(const sema::IndexExpr &e) { return index(p, &e); }
  Expr of(const sema::UnaryExpr &e) {
    return p.module.make<air::UnaryExpr>(static_cast<air::UnaryOp>(e.op),
                                         value(p, e.operand, over), e.range);
  }
  Expr of(const sema::BinaryExpr &e) { return binary(p, &e, over); }
  Expr of(const sema::CompareExpr &e) {
    ExprList sides = operands(p, {e.left, e.right}, over);
    return p.module.make<air::CompareExpr>(static_cast<air::CompareOp>(e.op),
                                           sides[0], sides[1], e.range);
  }
  Expr of(const sema::FmaExpr &e) { return fma(p, &e, over); }
  Expr of(const sema::CastExpr &e) {
    return p.module.make<air::CastExpr>(typeFor(p, e.type),
                                        value(p, e.operand, over), e.range);
  }
  Expr of(const sema::MathExpr &e) {
    return p.module.make<air::MathExpr>(static_cast<air::MathFn>(e.fn),
                                        operands(p, e.args, over),
                                        typeFor(p, e.type), e.range);
  }
  Expr of(const sema::CallExpr &e) { return callValue(p, &e, over); }
  Expr of(const sema::ReduceExpr &e) {
    return e.isArray() ? elementOf(p, reduced(p, &e, over), e.range)
                       : computed(p, &e);
  }
  Expr of(const sema::TimerExpr &e) { return computed(p, &e); }
  Expr of(const sema::BuiltinExpr &e) { return computed(p, &e); }
  Expr of(const sema::FloodExpr &e) {
    return elementOf(p, flooded(p, &e), e.range);
  }
  Expr of(const sema::ScanExpr &e) {
    return elementOf(p, scanned(p, &e, over), e.range);
  }
  Expr of(const sema::GatherExpr &e) {
    return elementOf(p, gathered(p, &e, over), e.range);
  }
  Expr of(const sema::EnclosingMaskExpr &e) {
    return p.enclosing.mask.array
               ? elementOf(p, p.enclosing.mask.array, e.range)
               : constant(p, air::Type::Bool, /*integer=*/true, e.range);
  }
  Expr of(const sema::RegionBoundExpr &e) { return regionBound(p, e); }
  Expr of(const sema::RegionValueExpr &e) { return regionValue(p, &e); }
  Expr of(const sema::DirectionValueExpr &e) { return directionValue(p, &e); }
  Expr of(const sema::GridPlaceExpr &e) { return gridPlace(p, &e); }
  Expr of(const sema::ProcessorsExpr &e) {
    return variableExpr(p, p.builder.processorCount(), e.range);
  }
  Expr of(const sema::FieldExpr &e) { return partValue(p, &e, over); }
  Expr of(const sema::SubscriptExpr &e) { return partValue(p, &e, over); }
  Expr of(const sema::IrvExpr &e) { return irvValue(p, &e, /*isPlace=*/false); }
  Expr of(const sema::PatternExpr &e) { return patternValue(p, &e, over); }
  Expr of(const sema::InsideExpr &e) { return insideValue(p, &e, over); }
  Expr of(const sema::ComplexExpr &e) {
    ExprList parts = operands(p, {e.re, e.im}, over);
    return p.module.make<air::ComplexExpr>(parts[0], parts[1],
                                           typeFor(p, e.type), e.range);
  }
};

} // namespace

const air::Expr *value(ProcedureState &p, const sema::Expr *expr, Cover over) {
  // Whole records and indexed arrays stay where they are.
  bool isPart = isa<sema::FieldExpr, sema::SubscriptExpr>(expr);
  if (over && !expr->isArray() && !(isPart && expr->type.isAggregate())) {
    TemporaryScope scope(p);
    const air::Expr *scalar = value(p, expr);
    return p.builder.facts.of(expr).once ? save(p, scalar, {}, scope) : scalar;
  }
  if (!p.frame.counters.empty())
    if (std::optional<int64_t> known = knownInteger(p, *expr))
      return constant(p, typeFor(p, expr->type), *known, expr->range);
  return sema::visitKind(
      *expr, [&](const auto &known) { return ValueOf{p, over}.of(known); });
}

/// `GRIDPROCS(G, d)`, `GRIDPROC(G, d)`: the runtime is asked.
static const air::Expr *gridPlace(ProcedureState &p,
                                  const sema::GridPlaceExpr *expr) {
  SourceRange range = expr->range;
  auto number = llvm::find(p.module.grids, p.builder.grids.lookup(expr->grid)) -
                p.module.grids.begin();
  ExprList args = {constant(p, air::Type::I32, number + 1, range),
                   constant(p, air::Type::I32, expr->dim + 1, range)};
  air::Variable *result = temporary(p, air::Type::I32, range);
  emit<air::BuiltinStmt>(
      p, expr->isOwn ? air::Builtin::GridPlace : air::Builtin::GridExtent,
      result, args, range, nullptr);
  return variableExpr(p, result, range);
}

static const air::Expr *binary(ProcedureState &p, const sema::BinaryExpr *expr,
                               Cover over) {
  bool logical =
      expr->op == sema::BinaryOp::And || expr->op == sema::BinaryOp::Or;
  Facts right = p.builder.facts.of(expr->right);
  if (logical && !over && (right.hoists || right.guarded))
    return shortCircuit(p, expr);
  ExprList sides = operands(p, {expr->left, expr->right}, over);
  return p.module.make<air::BinaryExpr>(static_cast<air::BinaryOp>(expr->op),
                                        sides[0], sides[1], expr->range);
}

static const air::Expr *callValue(ProcedureState &p, const sema::CallExpr *call,
                                  Cover over) {
  if (call->callee->resultRank)
    return elementOf(p, arrayResult(p, call, over), call->range);
  bool byReference = returnsByReference(call->callee);
  if (call->callee->isParallel || (byReference && !call->isArray()))
    return computed(p, call);
  if (!call->isArray())
    return scalarCall(p, call);
  if (!hasReferenceArguments(call) && !byReference)
    return scalarCall(p, call, over);
  return elementOf(p, materialize(p, call, over), call->range);
}

/// a * b + c, in the order in which the source has them.
static const air::Expr *fma(ProcedureState &p, const sema::FmaExpr *expr,
                            Cover over) {
  bool addendFirst = expr->c->range.begin < expr->a->range.begin;
  ExprList v = addendFirst ? operands(p, {expr->c, expr->a, expr->b}, over)
                           : operands(p, {expr->a, expr->b, expr->c}, over);
  const air::Expr *a = addendFirst ? v[1] : v[0];
  const air::Expr *b = addendFirst ? v[2] : v[1];
  const air::Expr *c = addendFirst ? v[0] : v[2];
  return p.module.make<air::FmaExpr>(a, b, c, expr->range);
}

/// `left & right` or `left | right`, of 0 and 1 in their type.
static const air::Expr *shortCircuit(ProcedureState &p,
                                     const sema::BinaryExpr *expr) {
  SourceRange range = expr->range;
  air::Type type = typeFor(p, expr->type);
  air::Variable *result = makeVariable(p, "t", type, range);
  auto truth = [&](const air::Expr *value) -> const air::Expr * {
    if (value->type == air::Type::Bool)
      return value;
    const air::Expr *zero = constant(p, value->type, 0, range);
    return p.module.make<air::CompareExpr>(air::CompareOp::Ne, value, zero,
                                           value->range);
  };
  auto compute = [&](const sema::Expr *side) {
    const air::Expr *made = castTo(p, type, truth(value(p, side)));
    emit<air::SetStmt>(p, variableExpr(p, result, side->range), made,
                       side->range);
  };
  compute(expr->left);
  const air::Expr *goOn = truth(variableExpr(p, result, expr->left->range));
  if (expr->op == sema::BinaryOp::Or)
    goOn = p.module.make<air::UnaryExpr>(air::UnaryOp::Not, goOn, range);
  auto *branch = emit<air::IfStmt>(p, goOn, range);
  appendTo(p, branch->thenBody, [&] { compute(expr->right); });
  p.known.stableVariables.insert(result);
  return variableExpr(p, result, range);
}

//===----------------------------------------------------------------------===//
// Hoisted expressions
//===----------------------------------------------------------------------===//

/// Whether the value of \p expr could depend on that of \p target, under this
/// or another name. Calls may read any global.
static bool reads(const sema::Expr *expr, const sema::Variable *target) {
  if (isa<sema::CallExpr>(expr))
    return true;
  if (auto *name = dyn_cast<sema::VariableExpr>(expr)) {
    const sema::Variable *read = name->variable;
    auto byReference = [](const sema::Variable *v) {
      return v->storage == sema::Storage::Param && isByReference(v->mode);
    };
    return read == target || byReference(read) ||
           (byReference(target) && read->storage != sema::Storage::Local);
  }
  bool result = false;
  sema::forEachOperand(*expr, [&](const sema::Expr &operand) {
    result = result || reads(&operand, target);
  });
  return result;
}

bool assignDirectly(ProcedureState &p, const sema::Variable *target,
                    const sema::Expr *expr) {
  auto *reduce = dyn_cast<sema::ReduceExpr>(expr);
  // What is combined in place holds a part of it meanwhile, on each processor
  // another one; a global variable is never seen so.
  bool isSeen = target->storage != sema::Storage::Local;
  if (reduce && (reduce->user || (reduce->operandRank == 0 && isSeen) ||
                 reads(reduce->operand, target)))
    return false;
  auto readsTarget = [&](const sema::Expr *e) { return reads(e, target); };
  // Aggregates that calls give would be written while an argument by value may
  // still be that memory.
  auto *call = dyn_cast<sema::CallExpr>(expr);
  if (call && expr->type.isAggregate() &&
      (target->storage != sema::Storage::Local ||
       any_of(call->args, readsTarget)))
    return false;
  return computeInto(p, find(p, target), expr);
}

static bool computeInto(ProcedureState &p, air::Variable *target,
                        const sema::Expr *expr) {
  if (auto *reduce = dyn_cast<sema::ReduceExpr>(expr)) {
    reduceInto(p, target, reduce);
    return true;
  }
  if (auto *timer = dyn_cast<sema::TimerExpr>(expr)) {
    timeInto(p, target, timer);
    return true;
  }
  if (auto *function = dyn_cast<sema::BuiltinExpr>(expr)) {
    builtinStatement(p, function, target);
    return true;
  }
  auto *call = dyn_cast<sema::CallExpr>(expr);
  if (!call || call->isArray())
    return false;
  bool byReference = returnsByReference(call->callee);
  if (!byReference && !call->callee->isParallel)
    return false;
  TemporaryScope scope(p);
  air::Argument result;
  result.place = variableExpr(p, target, call->range);
  const air::CallExpr *made =
      parallelCall(p, call, byReference ? &result : nullptr);
  emit<air::CallStmt>(p, byReference ? nullptr : target, made, call->range);
  scope.free(call->range);
  return true;
}

const air::Expr *computed(ProcedureState &p, const sema::Expr *expr) {
  bool isZero = !isa<sema::CallExpr>(expr);
  air::Variable *result =
      scratch(p, "t", typeFor(p, expr->type), expr->range, isZero);
  bool known = computeInto(p, result, expr);
  assert(known && "only for expressions that need a statement");
  (void)known;
  p.known.stableVariables.insert(result);
  return variableExpr(p, result, expr->range);
}

static void timeInto(ProcedureState &p, air::Variable *target,
                     const sema::TimerExpr *expr) {
  if (expr->timer)
    emit<air::TimerStmt>(p, air::TimerStmt::Read, find(p, expr->timer), target,
                         nullptr, expr->range);
  else
    emit<air::TimerStmt>(p, air::TimerStmt::Check, nullptr, target, nullptr,
                         expr->range);
}

} // namespace zpl::arraygen
