//===- VerifyExpressions.cpp - The rules of the array IR: expressions -----===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Types are what the nodes say; the rules are which types an operator takes
// and that operands agree. There are no implicit conversions: `add(%i, f64
// 1.0)` with an integer %i is a mistake of whoever made it.
//
// Elements and indices have a value only per index: `covering` is the region
// of the statement whose element code is being read, or null.
//
//===----------------------------------------------------------------------===//

#include "VerifierImpl.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace zpl::air {

bool Verifier::sameRank(unsigned rank, unsigned wanted, StringRef what,
                        SourceRange range) {
  return rank == wanted || fail(range, what + " has rank " + Twine(rank) +
                                           ", not " + Twine(wanted));
}

/// A general (range) dimension holds for a singleton too, not the other way.
bool Verifier::fits(const Shape &actual, const Shape &formal) {
  if (actual.size() != formal.size())
    return false;
  for (auto [a, f] : zip(actual, formal))
    if (f == DimKind::Singleton && a != DimKind::Singleton)
      return false;
  return true;
}

bool Verifier::typed(const Expr *e, Type type, SourceRange range) {
  if (!expr(e, range))
    return false;
  return e->type == type || fail(e->range.isValid() ? e->range : range,
                                 "an expression has type " + text(e->type) +
                                     ", not " + text(type));
}

bool Verifier::integer(const Expr *e, SourceRange range) {
  return expr(e, range) &&
         (isInteger(e->type) ||
          fail(range, "an expression has type " + text(e->type) +
                          ", not an integer type"));
}

bool Verifier::direction(ArrayRef<const Expr *> direction, unsigned rank,
                         SourceRange range) {
  return sameRank(direction.size(), rank, "the direction", range) &&
         all_of(direction, [&](const Expr *e) { return integer(e, range); });
}

bool Verifier::inElements(const Region *r, const Expr *e, SourceRange range) {
  covering = r;
  bool good = expr(e, range);
  covering = nullptr;
  return good;
}

bool Verifier::constant(const ConstExpr &e) {
  switch (e.type) {
  case Type::Bool:
    return e.integer == 0 || e.integer == 1 ||
           fail(e.range, "a bool constant is neither 0 nor 1");
  case Type::I32:
    return e.integer == int32_t(e.integer) ||
           fail(e.range, "an i32 constant does not fit 32 bits");
  case Type::F32:
    return e.number != e.number || double(float(e.number)) == e.number ||
           fail(e.range, "an f32 constant is not of single precision");
  case Type::I64:
  case Type::F64:
  case Type::Str:
    return true;
  case Type::Void:
  case Type::Timer:
    return fail(e.range, "a constant has type " + text(e.type));
  }
  llvm_unreachable("a type outside its enumeration");
}

bool Verifier::element(const ElementExpr &e) {
  if (!covering)
    return fail(e.range, "an element stands outside element code");
  if (!visible(e.array, e.range) ||
      !sameRank(e.array->rank(), covering->rank(), printedName(*e.array),
                e.range) ||
      !sameRank(e.offset.size(), e.array->rank(), "the offset", e.range))
    return false;
  if (e.type != e.array->element)
    return fail(e.range, "an element has not its array's type");
  if (!inMLoop || inMLoop->walkers.empty())
    return e.walker < 0 || fail(e.range, "an element has a walker where "
                                         "walkers are not materialized");
  if (e.walker < 0)
    return fail(e.range, "an element has no walker");
  if (size_t(e.walker) >= inMLoop->walkers.size())
    return fail(e.range, "there is no walker " + Twine(e.walker));
  return inMLoop->walkers[e.walker].array == e.array ||
         fail(e.range,
              "walker " + Twine(e.walker) + " walks through another array");
}

bool Verifier::unary(const UnaryExpr &e) {
  if (!expr(e.operand, e.range))
    return false;
  Type type = e.operand->type;
  bool good = false;
  switch (e.op) {
  case UnaryOp::Neg:
  case UnaryOp::Abs:
    good = isNumber(type);
    break;
  case UnaryOp::Not:
    good = isInteger(type) || type == Type::Bool;
    break;
  case UnaryOp::BitNot:
    good = isInteger(type);
    break;
  }
  return good || fail(e.range, text(e.op) + " is not for " + text(type));
}

bool Verifier::binary(const BinaryExpr &e) {
  if (!expr(e.left, e.range) || !expr(e.right, e.range))
    return false;
  Type type = e.left->type;
  if (type != e.right->type)
    return fail(e.range, "operands of " + text(e.op) + " have types " +
                             text(type) + " and " + text(e.right->type));
  bool good = false;
  switch (e.op) {
  case BinaryOp::Add:
  case BinaryOp::Sub:
  case BinaryOp::Mul:
  case BinaryOp::Div:
  case BinaryOp::Rem:
  case BinaryOp::Pow:
  case BinaryOp::Min:
  case BinaryOp::Max:
    good = isNumber(type);
    break;
  case BinaryOp::And:
  case BinaryOp::Or:
    good = isInteger(type) || type == Type::Bool;
    break;
  case BinaryOp::BitAnd:
  case BinaryOp::BitOr:
  case BinaryOp::BitXor:
  case BinaryOp::ShiftL:
  case BinaryOp::ShiftR:
    good = isInteger(type);
    break;
  }
  return good || fail(e.range, text(e.op) + " is not for " + text(type));
}

bool Verifier::math(const MathExpr &e) {
  if (e.args.size() != arity(e.fn))
    return fail(e.range,
                text(e.fn) + " has " + Twine(arity(e.fn)) + " arguments");
  return all_of(e.args,
                [&](const Expr *arg) { return typed(arg, e.type, e.range); }) &&
         (isFloat(e.type) ||
          fail(e.range, text(e.fn) + " is not for " + text(e.type)));
}

bool Verifier::cast_(const CastExpr &e) {
  if (!expr(e.operand, e.range))
    return false;
  return (isElement(e.type) && isElement(e.operand->type)) ||
         fail(e.range, "there is no conversion from " + text(e.operand->type) +
                           " to " + text(e.type));
}

bool Verifier::argument(const Argument &arg, const Parameter &param,
                        SourceRange range) {
  int members = (arg.value != nullptr) + (arg.variable != nullptr) +
                (arg.element != nullptr) + (arg.array != nullptr) +
                (arg.region != nullptr);
  if (members != 1)
    return fail(range, "an argument is not exactly one thing");
  if (param.region)
    return arg.region ? visible(arg.region, range) &&
                            (fits(arg.region->shape, param.region->shape) ||
                             fail(range, "a region does not fit " +
                                             printedName(*param.region)))
                      : fail(range, "an argument is not a region");
  if (param.array) {
    if (!arg.array)
      return fail(range, "an argument is not an array");
    return visible(arg.array, range) &&
           ((arg.array->element == param.array->element &&
             fits(arg.array->shape, param.array->shape)) ||
            fail(range, "an array does not fit " + printedName(*param.array)));
  }
  if (!param.variable->byReference)
    return arg.value ? typed(arg.value, param.variable->type, range)
                     : fail(range, "an argument is not a value");
  if (arg.element)
    return typed(arg.element, param.variable->type, range) &&
           (!arg.element->isShifted() ||
            fail(range, "an element by reference is shifted"));
  if (!arg.variable)
    return fail(range, "an argument is not by reference");
  if (covering)
    return fail(range, "element code changes a variable");
  return visible(arg.variable, range) &&
         (arg.variable->type == param.variable->type ||
          fail(range, printedName(*arg.variable) + " has not the type of " +
                          printedName(*param.variable)));
}

bool Verifier::call(const CallExpr &e) {
  if (!e.callee || !procedures.contains(e.callee))
    return fail(e.range, "the called procedure is not in the module");
  if (e.type != e.callee->result)
    return fail(e.range, "a call has not the type of its procedure");
  if (proc->isScalar && !e.callee->isScalar)
    return fail(e.range, "a scalar procedure calls a parallel one");
  if (covering && !e.callee->isScalar)
    return fail(e.range, "element code calls a parallel procedure");
  if (e.args.size() != e.callee->params.size())
    return fail(e.range, printedName(*e.callee) + " has " +
                             Twine(e.callee->params.size()) +
                             " parameters, not " + Twine(e.args.size()));
  for (auto [arg, param] : zip(e.args, e.callee->params))
    if (!argument(arg, param, e.range))
      return false;
  return true;
}

bool Verifier::expr(const Expr *e, SourceRange range) {
  if (!e)
    return fail(range, "an operand is missing");
  switch (e->kind) {
  case ExprKind::Const:
    return constant(*cast<ConstExpr>(e));
  case ExprKind::Var:
    return visible(cast<VarExpr>(e)->variable, e->range) &&
           ((e->type == cast<VarExpr>(e)->variable->type &&
             e->type != Type::Timer) ||
            fail(e->range, "a variable is read as another type"));
  case ExprKind::Element:
    return element(*cast<ElementExpr>(e));
  case ExprKind::Index:
    if (!covering)
      return fail(e->range, "an index stands outside element code");
    return cast<IndexExpr>(e)->dim < covering->rank() ||
           fail(e->range, "there is no such dimension");
  case ExprKind::Bound:
    return visible(cast<BoundExpr>(e)->region, e->range) &&
           (cast<BoundExpr>(e)->dim < cast<BoundExpr>(e)->region->rank() ||
            fail(e->range, "there is no such dimension"));
  case ExprKind::Given:
    return visible(cast<GivenExpr>(e)->variable, e->range) &&
           (cast<GivenExpr>(e)->variable->isConfig ||
            fail(e->range, "'given' is not of a config variable"));
  case ExprKind::Unary:
    return unary(*cast<UnaryExpr>(e));
  case ExprKind::Binary:
    return binary(*cast<BinaryExpr>(e));
  case ExprKind::Compare: {
    auto *compare = cast<CompareExpr>(e);
    if (!expr(compare->left, e->range) || !expr(compare->right, e->range))
      return false;
    return (compare->left->type == compare->right->type &&
            compare->left->type != Type::Void) ||
           fail(e->range, "operands of " + text(compare->op) + " have types " +
                              text(compare->left->type) + " and " +
                              text(compare->right->type));
  }
  case ExprKind::Fma: {
    auto *fma = cast<FmaExpr>(e);
    return typed(fma->a, e->type, e->range) &&
           typed(fma->b, e->type, e->range) &&
           typed(fma->c, e->type, e->range) &&
           (isFloat(e->type) ||
            fail(e->range, "fma is not for " + text(e->type)));
  }
  case ExprKind::Cast:
    return cast_(*cast<CastExpr>(e));
  case ExprKind::Math:
    return math(*cast<MathExpr>(e));
  case ExprKind::Call:
    if (!call(*cast<CallExpr>(e)))
      return false;
    if (!cast<CallExpr>(e)->callee->isScalar)
      return fail(e->range, "an expression calls a parallel procedure");
    return e->type != Type::Void ||
           fail(e->range, "a call without result is used as a value");
  }
  llvm_unreachable("an expression outside its enumeration");
}

} // namespace zpl::air
