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
  auto *made =
      module.make<air::ConstExpr>(arraygen::convert(expr->type), expr->range);
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
  return isa<air::ConstExpr>(value) || isa<air::IndexExpr>(value);
}

/// Whether \p value depends on the index.
static bool isPerElement(const air::Expr *value) {
  switch (value->kind) {
  case air::ExprKind::Element:
  case air::ExprKind::Index:
    return true;
  case air::ExprKind::Const:
  case air::ExprKind::Var:
  case air::ExprKind::Bound:
  case air::ExprKind::Given:
    return false;
  case air::ExprKind::Unary:
    return isPerElement(cast<air::UnaryExpr>(value)->operand);
  case air::ExprKind::Binary:
    return isPerElement(cast<air::BinaryExpr>(value)->left) ||
           isPerElement(cast<air::BinaryExpr>(value)->right);
  case air::ExprKind::Compare:
    return isPerElement(cast<air::CompareExpr>(value)->left) ||
           isPerElement(cast<air::CompareExpr>(value)->right);
  case air::ExprKind::Fma:
    return isPerElement(cast<air::FmaExpr>(value)->a) ||
           isPerElement(cast<air::FmaExpr>(value)->b) ||
           isPerElement(cast<air::FmaExpr>(value)->c);
  case air::ExprKind::Cast:
    return isPerElement(cast<air::CastExpr>(value)->operand);
  case air::ExprKind::Math:
    return any_of(cast<air::MathExpr>(value)->args, isPerElement);
  case air::ExprKind::Call:
    return any_of(cast<air::CallExpr>(value)->args, [](const air::Argument &a) {
      return a.element || (a.value && isPerElement(a.value));
    });
  }
  llvm_unreachable("an expression outside its enumeration");
}

/// The same value, but evaluated here and now.
const air::Expr *ProcedureBuilder::save(const air::Expr *value,
                                        air::Region *over,
                                        TemporaryScope &scope) {
  if (isStable(value))
    return value;
  if (over && isPerElement(value)) {
    air::Array *array = store(value, over, scope);
    return module.make<air::ElementExpr>(array, air::Offset(over->rank(), 0),
                                         value->range);
  }
  air::Variable *saved = temporary(value->type, value->range);
  emit<air::SetStmt>(saved, value, value->range);
  return variable(saved, value->range);
}

ProcedureBuilder::ExprList
ProcedureBuilder::operands(ArrayRef<const sema::Expr *> exprs,
                           air::Region *over, ArrayRef<air::Array *> written) {
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
        any_of(written, isDisturbed))
      made = save(made, over, scope);
    values.push_back(made);
  }
  return values;
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

const air::Expr *ProcedureBuilder::value(const sema::Expr *expr,
                                         air::Region *over) {
  SourceRange range = expr->range;
  if (over && !expr->isArray()) {
    TemporaryScope scope(*this);
    const air::Expr *scalar = value(expr);
    return builder.facts.of(expr).once ? save(scalar, nullptr, scope) : scalar;
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
    return module.make<air::IndexExpr>(cast<sema::IndexExpr>(expr)->dim, range);
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
        arraygen::convert(expr->type),
        value(cast<sema::CastExpr>(expr)->operand, over), range);
  case sema::ExprKind::Math: {
    auto *math = cast<sema::MathExpr>(expr);
    return module.make<air::MathExpr>(static_cast<air::MathFn>(math->fn),
                                      operands(math->args, over), range);
  }
  case sema::ExprKind::Call:
    return callValue(cast<sema::CallExpr>(expr), over);
  case sema::ExprKind::Reduce:
  case sema::ExprKind::Timer:
    return computed(expr);
  case sema::ExprKind::Processors:
    return variable(builder.processorCount(), range);
  }
  llvm_unreachable("an expression outside its enumeration");
}

const air::Expr *ProcedureBuilder::binary(const sema::BinaryExpr *expr,
                                          air::Region *over) {
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
                                             air::Region *over) {
  if (call->callee->isParallel)
    return computed(call);
  if (!call->isArray())
    return scalarCall(call);
  if (!hasReferenceArguments(call))
    return promotedCall(call, over);
  return module.make<air::ElementExpr>(
      materialize(call, over), air::Offset(over->rank(), 0), call->range);
}

/// a * b + c, in the order in which the source has them.
const air::Expr *ProcedureBuilder::fma(const sema::FmaExpr *expr,
                                       air::Region *over) {
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
  air::Type type = arraygen::convert(expr->type);
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
    emit<air::SetStmt>(result, made, side->range);
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
  switch (expr->kind) {
  case sema::ExprKind::Literal:
  case sema::ExprKind::Component:
  case sema::ExprKind::Index:
  case sema::ExprKind::Timer:
  case sema::ExprKind::Processors:
    return false;
  case sema::ExprKind::Variable: {
    const sema::Variable *read = cast<sema::VariableExpr>(expr)->variable;
    auto byReference = [](const sema::Variable *v) {
      return v->storage == sema::Storage::Param && isByReference(v->mode);
    };
    return read == target || byReference(read) ||
           (byReference(target) && read->storage != sema::Storage::Local);
  }
  case sema::ExprKind::Call:
    return true;
  case sema::ExprKind::Array:
    return any_of(cast<sema::ArrayExpr>(expr)->direction,
                  [&](const sema::Expr *e) { return reads(e, target); });
  case sema::ExprKind::Unary:
    return reads(cast<sema::UnaryExpr>(expr)->operand, target);
  case sema::ExprKind::Binary:
    return reads(cast<sema::BinaryExpr>(expr)->left, target) ||
           reads(cast<sema::BinaryExpr>(expr)->right, target);
  case sema::ExprKind::Compare:
    return reads(cast<sema::CompareExpr>(expr)->left, target) ||
           reads(cast<sema::CompareExpr>(expr)->right, target);
  case sema::ExprKind::Fma:
    return reads(cast<sema::FmaExpr>(expr)->a, target) ||
           reads(cast<sema::FmaExpr>(expr)->b, target) ||
           reads(cast<sema::FmaExpr>(expr)->c, target);
  case sema::ExprKind::Cast:
    return reads(cast<sema::CastExpr>(expr)->operand, target);
  case sema::ExprKind::Math:
    return any_of(cast<sema::MathExpr>(expr)->args,
                  [&](const sema::Expr *e) { return reads(e, target); });
  case sema::ExprKind::Reduce:
    return reads(cast<sema::ReduceExpr>(expr)->operand, target);
  }
  llvm_unreachable("an expression outside its enumeration");
}

/// `x := e` for an e that needs a statement of its own anyway: that statement
/// writes x itself, if its operand does not read x.
bool ProcedureBuilder::assignDirectly(const sema::Variable *target,
                                      const sema::Expr *expr) {
  auto *reduce = dyn_cast<sema::ReduceExpr>(expr);
  if (reduce && reads(reduce->operand, target))
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
  auto *call = dyn_cast<sema::CallExpr>(expr);
  if (!call || !call->callee->isParallel)
    return false;
  TemporaryScope scope(*this);
  emit<air::CallStmt>(target, parallelCall(call), call->range);
  scope.free(call->range);
  return true;
}

const air::Expr *ProcedureBuilder::computed(const sema::Expr *expr) {
  air::Variable *result =
      makeVariable("t", arraygen::convert(expr->type), expr->range);
  bool known = computeInto(result, expr);
  assert(known && "only for expressions that need a statement");
  (void)known;
  stableVariables.insert(result);
  return variable(result, expr->range);
}

/// The operator of the array IR, where the greatest of booleans is their `or`.
static air::Reduction operatorOf(const sema::ReduceExpr *expr) {
  bool isBoolean = expr->type == sema::ScalarType::Boolean;
  if (isBoolean && expr->op == sema::Reduction::Max)
    return air::Reduction::Or;
  if (isBoolean && expr->op == sema::Reduction::Min)
    return air::Reduction::And;
  return static_cast<air::Reduction>(expr->op);
}

void ProcedureBuilder::reduceInto(air::Variable *target,
                                  const sema::ReduceExpr *expr) {
  air::Reduction op = operatorOf(expr);
  if (expr->operandRank == 0) {
    emit<air::SetStmt>(target, value(expr->operand), expr->range);
    emit<air::CombineStmt>(op, target, expr->range);
    return;
  }
  air::Region *over = covers[expr->operandRank];
  TemporaryScope scope(*this);
  prepare(expr->operand, over);
  const air::Expr *operand = value(expr->operand, over);
  emit<air::ReduceStmt>(over, target, op, operand, expr->range);
  scope.free(expr->range);
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
