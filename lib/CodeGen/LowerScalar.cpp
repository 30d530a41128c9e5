//===- LowerScalar.cpp - Expressions, variables and calls -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expressions become straight-line code; ScalarOps knows the operators, this
// file the leaves and the walk.
//
//   add(mul(%x, 2.0), %A@(0,1))   ->   fadd (fmul %x, 2.0), (load of A at the
//                                      M-loop's index, LowerWalkers.cpp)
//
// The same node may stand in several places of one expression (x^4 is the
// square of a shared square). Its value is computed once per expression, so the
// cost is linear in the number of nodes, never in the size of the tree. Values
// are forgotten between expressions: variables may have changed.
//
//===----------------------------------------------------------------------===//

#include "FunctionLowering.h"
#include "MLoop/LowerMLoop.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;
using llvm::cast;

namespace zpl::codegen {

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

LoadInst *FunctionLowering::loadMemory(air::Type type, Value *address,
                                       const Twine &name) {
  // LLVM is not told that a boolean is 0 or 1: in a union, or memory of C's, it
  // may be any byte, of which 0 alone is false.
  return builder.CreateAlignedLoad(
      type == air::Type::Opaque ? types.value(type) : types.memory(type),
      address, types.align(type), name);
}

Value *FunctionLowering::fromMemory(air::Type type, Value *loaded) {
  if (type == air::Type::Bool)
    return builder.CreateICmpNE(loaded, builder.getInt8(0));
  if (type == air::Type::Str) // null is "" in memory
    return builder.CreateSelect(builder.CreateIsNull(loaded), module.string(""),
                                loaded);
  return loaded;
}

Value *FunctionLowering::load(air::Type type, Value *address,
                              const Twine &name) {
  return fromMemory(type, loadMemory(type, address, name));
}

Instruction *FunctionLowering::store(air::Type type, Value *value,
                                     Value *address) {
  if (type.isAggregate())
    return builder.CreateMemCpy(address, types.align(type), value,
                                types.align(type), sizeOf(type));
  if (type == air::Type::Bool)
    value = builder.CreateZExt(value, types.i8);
  return builder.CreateAlignedStore(value, address, types.align(type));
}

Value *FunctionLowering::readVariable(const air::Variable *variable) {
  if (mloop)
    if (Value *known = mloop->hoisted(variable))
      return known;
  Value *cell = variableAddress(variable);
  if (variable->type.isAggregate())
    return cell;
  return load(variable->type, cell, variable->name);
}

void FunctionLowering::writeVariable(const air::Variable *variable,
                                     Value *value) {
  store(variable->type, value, variableAddress(variable));
}

Value *FunctionLowering::inMemory(air::Type type, Value *value,
                                  const Twine &name) {
  if (type.isAggregate())
    return value;
  AllocaInst *cell = addAlloca(types.memory(type), name);
  store(type, value, cell);
  return cell;
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

Value *FunctionLowering::lower(const air::Expr *expr) {
  if (exprDepth == 0)
    values.clear();
  if (Value *known = values.lookup(expr))
    return known;
  SaveAndRestore deeper(exprDepth, exprDepth + 1);
  Value *value = lowerNode(expr);
  values[expr] = value;
  return value;
}

Value *FunctionLowering::lowerConstant(const air::ConstExpr *expr) {
  if (expr->type == air::Type::Str)
    return module.string(expr->text);
  if (expr->type.isFloat())
    return ConstantFP::get(types.value(expr->type), expr->number);
  return ConstantInt::get(types.value(expr->type), expr->integer,
                          /*IsSigned=*/true);
}

Value *FunctionLowering::lowerNode(const air::Expr *expr) {
  using air::ExprKind;
  switch (expr->kind) {
  case ExprKind::Const:
    return lowerConstant(cast<air::ConstExpr>(expr));
  case ExprKind::Var:
    return readVariable(cast<air::VarExpr>(expr)->variable);
  case ExprKind::Element:
    assert(mloop && "an element outside of an M-loop");
    return mloop->readElement(cast<air::ElementExpr>(expr));
  case ExprKind::Index:
    assert(mloop && "an index outside of an M-loop");
    return mloop->index(cast<air::IndexExpr>(expr)->dim);
  case ExprKind::Bound: {
    auto *bound = cast<air::BoundExpr>(expr);
    return readBound(bound->region, bound->dim, bound->which);
  }
  case ExprKind::Unary: {
    auto *unary = cast<air::UnaryExpr>(expr);
    Value *operand = lower(unary->operand);
    if (module.options.checks.overflow)
      checkNegation(unary, operand);
    return ops.unary(unary->op, unary->operand->type, operand);
  }
  case ExprKind::Binary: {
    auto *binary = cast<air::BinaryExpr>(expr);
    Value *left = lower(binary->left);
    Value *right = lower(binary->right);
    if (module.options.checks.divisions)
      checkDivisor(binary, right);
    if (module.options.checks.overflow)
      checkOverflow(binary, left, right);
    return ops.binary(binary->op, binary->left->type, left, right);
  }
  case ExprKind::Compare: {
    auto *compare = cast<air::CompareExpr>(expr);
    Value *left = lower(compare->left);
    return ops.compare(compare->op, compare->left->type, left,
                       lower(compare->right));
  }
  case ExprKind::Fma: {
    auto *fma = cast<air::FmaExpr>(expr);
    Value *a = lower(fma->a);
    Value *b = lower(fma->b);
    return ops.fma(a, b, lower(fma->c));
  }
  case ExprKind::Cast: {
    auto *conversion = cast<air::CastExpr>(expr);
    Value *operand = lower(conversion->operand);
    if (module.options.checks.conversions)
      checkConversion(conversion, operand);
    return ops.cast(conversion->operand->type, conversion->type, operand);
  }
  case ExprKind::Math: {
    auto *math = cast<air::MathExpr>(expr);
    SmallVector<Value *, 2> args;
    for (const air::Expr *arg : math->args)
      args.push_back(lower(arg));
    return ops.math(math->fn, math->type, args);
  }
  case ExprKind::Call:
    return lowerCall(cast<air::CallExpr>(expr));
  case ExprKind::Field:
    return lowerField(cast<air::FieldExpr>(expr));
  case ExprKind::Subscript:
    return readPlace(expr);
  case ExprKind::Complex: {
    auto *number = cast<air::ComplexExpr>(expr);
    Value *re = lower(number->re);
    return ops.complex(re, lower(number->im));
  }
  }
  llvm_unreachable("unknown expression");
}

Value *FunctionLowering::lowerIndex(const air::Expr *expr) {
  return ops.cast(expr->type, air::Type::I64, lower(expr));
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

Value *FunctionLowering::lowerArgument(const air::Argument &arg) {
  if (arg.value)
    return lower(arg.value);
  if (arg.place)
    return addressOf(arg.place);
  if (arg.array)
    return address(arg.array);
  return address(arg.region);
}

Value *FunctionLowering::lowerPart(const air::Expr *place) {
  const air::Array *array = air::rootElement(place)->array;
  Value *origin = addressOf(place);
  AllocaInst *part = addAlloca(types.array, array->name + ".part");
  builder.CreateCall(ZRT_CALLEE(calls, zrtA_array_part),
                     {part, address(array), origin, typeTable(place->type)});
  return part;
}

/// An element in a cell of its own, for the time of a call.
FunctionLowering::ElementCopy
FunctionLowering::copyElement(const air::Expr *element) {
  Value *place = addressOf(element);
  LoadInst *old = loadMemory(element->type, place, "");
  mloop->annotate(old, element);
  AllocaInst *cell =
      addAlloca(types.memory(element->type),
                air::rootElement(element)->array->name + ".element");
  store(element->type, fromMemory(element->type, old), cell);
  return {element, place, cell};
}

Value *FunctionLowering::lowerCall(const air::CallExpr *call) {
  // A call by itself (CallStmt) is an expression of its own.
  if (exprDepth == 0)
    values.clear();
  SaveAndRestore deeper(exprDepth, exprDepth + 1);
  if (!call->callee->thunk.empty())
    return lowerThunkCall(call);
  SmallVector<Value *, 8> args;
  Value *result = nullptr;
  if (call->type.isAggregate())
    args.push_back(result = addAlloca(types.memory(call->type),
                                      call->callee->name + ".result"));
  SmallVector<Value *, 2> parts;
  SmallVector<ElementCopy, 4> copies;
  for (auto [arg, param] : zip(call->args, call->callee->params)) {
    bool isPart = arg.place && param.array;
    if (mloop && mloop->passesCopy(*call, arg)) {
      copies.push_back(copyElement(arg.place));
      args.push_back(copies.back().cell);
      continue;
    }
    args.push_back(isPart ? lowerPart(arg.place) : lowerArgument(arg));
    if (isPart)
      parts.push_back(args.back());
  }
  Value *value = builder.CreateCall(module.function(call->callee), args);
  for (const ElementCopy &copy : copies)
    mloop->annotate(store(copy.element->type,
                          load(copy.element->type, copy.cell, ""), copy.place),
                    copy.element);
  for (Value *part : parts)
    builder.CreateCall(ZRT_CALLEE(calls, zrtA_array_free),
                       {part, module.location(call->range)});
  return result ? result : value;
}

/// Is the parameter a bound of another one's type? Those of ZPL follow the
/// formals; C does not have them.
static bool isBound(const air::Parameter &param, const air::Procedure &callee) {
  auto isIn = [&](ArrayRef<air::Bound> bounds) {
    return any_of(bounds, [&](const air::Bound &bound) {
      return bound.variable == param.variable;
    });
  };
  return param.variable && any_of(callee.params, [&](const air::Parameter &of) {
           air::Type type = of.variable ? of.variable->type : air::Type();
           for (; type == air::Type::Array; type = type.info()->element)
             if (isIn(type.info()->lo) || isIn(type.info()->hi))
               return true;
           return false;
         });
}

/// A function of C, through its thunk, which takes everything by address
/// (Interop.h).
Value *FunctionLowering::lowerThunkCall(const air::CallExpr *call) {
  const air::Procedure *callee = call->callee;
  SmallVector<Value *, 8> args;
  AllocaInst *result = nullptr;
  if (call->type != air::Type::Void)
    args.push_back(
        result = addAlloca(types.memory(call->type), callee->name + ".result"));
  for (auto [arg, param] : zip(call->args, callee->params)) {
    if (isBound(param, *callee))
      continue;
    Value *value = lowerArgument(arg);
    args.push_back(
        arg.value ? inMemory(arg.value->type, value, callee->name + ".argument")
                  : value);
  }
  llvm::Type *nothing = llvm::Type::getVoidTy(builder.getContext());
  builder.CreateCall(module.thunk(callee->thunk, nothing, args.size()), args);
  if (!result || call->type.isAggregate())
    return result;
  Value *value = load(call->type, result, callee->name);
  if (call->type != air::Type::Str)
    return value;
  return builder.CreateCall(ZRT_CALLEE(calls, zrtA_string), {value});
}

} // namespace zpl::codegen
