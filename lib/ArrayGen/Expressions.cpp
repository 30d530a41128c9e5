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

#include "Procedure.h"
#include "zpl/ArrayIR/Walk.h"

using namespace llvm;

namespace zpl::arraygen {

//===----------------------------------------------------------------------===//
// Leaves and helpers
//===----------------------------------------------------------------------===//

const air::Expr *ProcedureBuilder::constant(air::Type type, int64_t integer,
                                            SourceRange range) {
  auto *made = module.make<air::ConstExpr>(type, range);
  made->integer = integer;
  made->number = static_cast<double>(integer);
  return made;
}

const air::Expr *ProcedureBuilder::literal(const sema::LiteralExpr *expr) {
  auto *made = module.make<air::ConstExpr>(type(expr->type), expr->range);
  made->integer = expr->integer;
  made->number = expr->number;
  made->text = module.copy(expr->text);
  return made;
}

const air::Expr *ProcedureBuilder::variable(air::Variable *variable,
                                            SourceRange range) {
  return module.make<air::VarExpr>(variable, range);
}

const air::Expr *ProcedureBuilder::castTo(air::Type type,
                                          const air::Expr *value) {
  return value->type == type
             ? value
             : module.make<air::CastExpr>(type, value, value->range);
}

/// No later statement changes the value.
bool ProcedureBuilder::isStable(const air::Expr *value) const {
  if (auto *read = dyn_cast<air::VarExpr>(value))
    return stableVariables.contains(read->variable);
  if (auto *field = dyn_cast<air::FieldExpr>(value))
    return isStable(field->base);
  if (auto *subscript = dyn_cast<air::SubscriptExpr>(value))
    return isStable(subscript->base) &&
           all_of(subscript->subscripts,
                  [&](const air::Expr *e) { return isStable(e); });
  if (auto *element = dyn_cast<air::ElementExpr>(value)) {
    const air::Array *array = element->array;
    while (const air::Array *source = borrowedFrom.lookup(array))
      array = source;
    return is_contained(temporaries, array);
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

/// The same value, but evaluated here and now.
const air::Expr *ProcedureBuilder::save(const air::Expr *value, Cover over,
                                        TemporaryScope &scope) {
  if (isStable(value))
    return value;
  if (over && isPerElement(*value)) {
    air::Array *array = store(value, over, scope);
    return elementOf(array, value->range);
  }
  air::Variable *saved = temporary(value->type, value->range);
  emit<air::SetStmt>(variable(saved, value->range), value, value->range);
  return variable(saved, value->range);
}

ProcedureBuilder::ExprList
ProcedureBuilder::operands(ArrayRef<const sema::Expr *> exprs, Cover over,
                           ArrayRef<air::Array *> written,
                           ArrayRef<const sema::Expr *> later) {
  ExprList values;
  for (auto [i, expr] : enumerate(exprs)) {
    TemporaryScope scope(*this);
    const air::Expr *made = value(expr, over);
    bool effects = builder.facts.of(expr).effects;
    auto overtakes = [&](const sema::Expr *later) {
      Facts facts = builder.facts.of(later);
      // Element code hoists every scalar call.
      bool hoists = facts.hoists || (over && facts.once);
      return facts.effects || (hoists && effects);
    };
    auto isDisturbed = [&](const air::Array *a) { return disturbs(a, made); };
    if (any_of(exprs.drop_front(i + 1), overtakes) ||
        any_of(later, overtakes) || any_of(written, isDisturbed))
      made = save(made, over, scope);
    values.push_back(made);
  }
  return values;
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

const air::Expr *ProcedureBuilder::value(const sema::Expr *expr, Cover over) {
  SourceRange range = expr->range;
  // Whole records and indexed arrays stay where they are.
  bool isPart = isa<sema::FieldExpr, sema::SubscriptExpr>(expr);
  if (over && !expr->isArray() && !(isPart && expr->type.isAggregate())) {
    TemporaryScope scope(*this);
    const air::Expr *scalar = value(expr);
    return builder.facts.of(expr).once ? save(scalar, {}, scope) : scalar;
  }
  switch (expr->kind) {
  case sema::ExprKind::Literal:
    return literal(cast<sema::LiteralExpr>(expr));
  case sema::ExprKind::Variable:
    return variable(find(cast<sema::VariableExpr>(expr)->variable), range);
  case sema::ExprKind::Component: {
    auto *component = cast<sema::ComponentExpr>(expr);
    return variable(find(component->direction, component->component), range);
  }
  case sema::ExprKind::Array:
    return element(cast<sema::ArrayExpr>(expr), over);
  case sema::ExprKind::Index:
    return index(cast<sema::IndexExpr>(expr));
  case sema::ExprKind::Unary: {
    auto *unary = cast<sema::UnaryExpr>(expr);
    return module.make<air::UnaryExpr>(static_cast<air::UnaryOp>(unary->op),
                                       value(unary->operand, over), range);
  }
  case sema::ExprKind::Binary:
    return binary(cast<sema::BinaryExpr>(expr), over);
  case sema::ExprKind::Compare: {
    auto *compare = cast<sema::CompareExpr>(expr);
    ExprList sides = operands({compare->left, compare->right}, over);
    return module.make<air::CompareExpr>(
        static_cast<air::CompareOp>(compare->op), sides[0], sides[1], range);
  }
  case sema::ExprKind::Fma:
    return fma(cast<sema::FmaExpr>(expr), over);
  case sema::ExprKind::Cast:
    return module.make<air::CastExpr>(
        type(expr->type), value(cast<sema::CastExpr>(expr)->operand, over),
        range);
  case sema::ExprKind::Math: {
    auto *math = cast<sema::MathExpr>(expr);
    return module.make<air::MathExpr>(static_cast<air::MathFn>(math->fn),
                                      operands(math->args, over),
                                      type(expr->type), range);
  }
  case sema::ExprKind::Call:
    return callValue(cast<sema::CallExpr>(expr), over);
  case sema::ExprKind::Reduce:
    return expr->isArray()
               ? elementOf(reduced(cast<sema::ReduceExpr>(expr), over), range)
               : computed(expr);
  case sema::ExprKind::Timer:
  case sema::ExprKind::Builtin:
    return computed(expr);
  case sema::ExprKind::Flood:
    return elementOf(flooded(cast<sema::FloodExpr>(expr)), range);
  case sema::ExprKind::Scan:
    return elementOf(scanned(cast<sema::ScanExpr>(expr), over), range);
  case sema::ExprKind::Gather:
    return elementOf(gathered(cast<sema::GatherExpr>(expr), over), range);
  case sema::ExprKind::EnclosingMask:
    return enclosing.mask.array
               ? elementOf(enclosing.mask.array, range)
               : constant(air::Type::Bool, /*integer=*/true, range);
  case sema::ExprKind::RegionBound: {
    auto *bound = cast<sema::RegionBoundExpr>(expr);
    if (bound->which == sema::RegionBoundExpr::Level)
      return inheritedLevel(bound);
    auto which = static_cast<air::BoundExpr::Which>(bound->which);
    return module.make<air::BoundExpr>(evaluate(*bound->region, "asked"),
                                       bound->dim, which, range);
  }
  case sema::ExprKind::RegionValue:
    return regionValue(cast<sema::RegionValueExpr>(expr));
  case sema::ExprKind::DirectionValue:
    return directionValue(cast<sema::DirectionValueExpr>(expr));
  case sema::ExprKind::Processors:
    return variable(builder.processorCount(), range);
  case sema::ExprKind::Field:
  case sema::ExprKind::Subscript:
    return place(expr, over);
  case sema::ExprKind::Complex: {
    auto *complex = cast<sema::ComplexExpr>(expr);
    ExprList parts = operands({complex->re, complex->im}, over);
    return module.make<air::ComplexExpr>(parts[0], parts[1], type(expr->type),
                                         range);
  }
  }
  llvm_unreachable("an expression outside its enumeration");
}

const air::Expr *ProcedureBuilder::binary(const sema::BinaryExpr *expr,
                                          Cover over) {
  bool logical =
      expr->op == sema::BinaryOp::And || expr->op == sema::BinaryOp::Or;
  Facts right = builder.facts.of(expr->right);
  if (logical && !over && (right.hoists || right.guarded))
    return shortCircuit(expr);
  ExprList sides = operands({expr->left, expr->right}, over);
  return module.make<air::BinaryExpr>(static_cast<air::BinaryOp>(expr->op),
                                      sides[0], sides[1], expr->range);
}

const air::Expr *ProcedureBuilder::callValue(const sema::CallExpr *call,
                                             Cover over) {
  if (call->callee->resultRank)
    return elementOf(arrayResult(call, over), call->range);
  bool byReference = returnsByReference(call->callee);
  if (call->callee->isParallel || (byReference && !call->isArray()))
    return computed(call);
  if (!call->isArray())
    return scalarCall(call);
  if (!hasReferenceArguments(call) && !byReference)
    return scalarCall(call, over);
  return elementOf(materialize(call, over), call->range);
}

/// a * b + c, in the order in which the source has them.
const air::Expr *ProcedureBuilder::fma(const sema::FmaExpr *expr, Cover over) {
  bool addendFirst = expr->c->range.begin < expr->a->range.begin;
  ExprList v = addendFirst ? operands({expr->c, expr->a, expr->b}, over)
                           : operands({expr->a, expr->b, expr->c}, over);
  const air::Expr *a = addendFirst ? v[1] : v[0];
  const air::Expr *b = addendFirst ? v[2] : v[1];
  const air::Expr *c = addendFirst ? v[0] : v[2];
  return module.make<air::FmaExpr>(a, b, c, expr->range);
}

/// `left & right` or `left | right`, of 0 and 1 in their type.
const air::Expr *ProcedureBuilder::shortCircuit(const sema::BinaryExpr *expr) {
  SourceRange range = expr->range;
  air::Type type = this->type(expr->type);
  air::Variable *result = makeVariable("t", type, range);
  auto truth = [&](const air::Expr *value) -> const air::Expr * {
    if (value->type == air::Type::Bool)
      return value;
    const air::Expr *zero = constant(value->type, 0, range);
    return module.make<air::CompareExpr>(air::CompareOp::Ne, value, zero,
                                         value->range);
  };
  auto compute = [&](const sema::Expr *side) {
    const air::Expr *made = castTo(type, truth(value(side)));
    emit<air::SetStmt>(variable(result, side->range), made, side->range);
  };
  compute(expr->left);
  const air::Expr *goOn = truth(variable(result, expr->left->range));
  if (expr->op == sema::BinaryOp::Or)
    goOn = module.make<air::UnaryExpr>(air::UnaryOp::Not, goOn, range);
  auto *branch = emit<air::IfStmt>(goOn, range);
  appendTo(branch->thenBody, [&] { compute(expr->right); });
  stableVariables.insert(result);
  return variable(result, range);
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

/// `x := e` for an e that needs a statement of its own anyway: that statement
/// writes x itself, if its operand does not read x. Aggregates that calls give
/// would be written while an argument by value may still be that memory.
bool ProcedureBuilder::assignDirectly(const sema::Variable *target,
                                      const sema::Expr *expr) {
  auto *reduce = dyn_cast<sema::ReduceExpr>(expr);
  // What is combined in place holds a part of it meanwhile, on each processor
  // another one; a global variable is never seen so.
  bool isSeen = target->storage != sema::Storage::Local;
  if (reduce && (reduce->user || (reduce->operandRank == 0 && isSeen) ||
                 reads(reduce->operand, target)))
    return false;
  auto readsTarget = [&](const sema::Expr *e) { return reads(e, target); };
  auto *call = dyn_cast<sema::CallExpr>(expr);
  if (call && expr->type.isAggregate() &&
      (target->storage != sema::Storage::Local ||
       any_of(call->args, readsTarget)))
    return false;
  return computeInto(find(target), expr);
}

bool ProcedureBuilder::computeInto(air::Variable *target,
                                   const sema::Expr *expr) {
  if (auto *reduce = dyn_cast<sema::ReduceExpr>(expr)) {
    reduceInto(target, reduce);
    return true;
  }
  if (auto *timer = dyn_cast<sema::TimerExpr>(expr)) {
    timeInto(target, timer);
    return true;
  }
  if (auto *function = dyn_cast<sema::BuiltinExpr>(expr)) {
    builtinStatement(function, target);
    return true;
  }
  auto *call = dyn_cast<sema::CallExpr>(expr);
  if (!call || call->isArray())
    return false;
  bool byReference = returnsByReference(call->callee);
  if (!byReference && !call->callee->isParallel)
    return false;
  TemporaryScope scope(*this);
  air::Argument result;
  result.place = variable(target, call->range);
  const air::CallExpr *made =
      parallelCall(call, byReference ? &result : nullptr);
  emit<air::CallStmt>(byReference ? nullptr : target, made, call->range);
  scope.free(call->range);
  return true;
}

const air::Expr *ProcedureBuilder::computed(const sema::Expr *expr) {
  air::Variable *result = scratch("t", type(expr->type), expr->range);
  bool known = computeInto(result, expr);
  assert(known && "only for expressions that need a statement");
  (void)known;
  stableVariables.insert(result);
  return variable(result, expr->range);
}

void ProcedureBuilder::timeInto(air::Variable *target,
                                const sema::TimerExpr *expr) {
  if (expr->timer)
    emit<air::TimerStmt>(air::TimerStmt::Read, find(expr->timer), target,
                         nullptr, expr->range);
  else
    emit<air::TimerStmt>(air::TimerStmt::Check, nullptr, target, nullptr,
                         expr->range);
}

} // namespace zpl::arraygen
