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
#include "LowerMLoop.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;
using llvm::cast;

namespace zpl::codegen {

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

LoadInst *FunctionLowering::loadMemory(air::Type type, Value *address,
                                       const Twine &name) {
  LoadInst *loaded = builder.CreateAlignedLoad(
      types.memory(type), address, Align(TypeLowering::size(type)), name);
  if (type == air::Type::Bool)
    loaded->setMetadata(
        LLVMContext::MD_range,
        MDBuilder(loaded->getContext()).createRange(APInt(8, 0), APInt(8, 2)));
  return loaded;
}

Value *FunctionLowering::fromMemory(air::Type type, Value *loaded) {
  if (type != air::Type::Bool)
    return loaded;
  return builder.CreateICmpNE(loaded, builder.getInt8(0));
}

Value *FunctionLowering::load(air::Type type, Value *address,
                              const Twine &name) {
  return fromMemory(type, loadMemory(type, address, name));
}

StoreInst *FunctionLowering::store(air::Type type, Value *value,
                                   Value *address) {
  if (type == air::Type::Bool)
    value = builder.CreateZExt(value, types.i8);
  return builder.CreateAlignedStore(value, address,
                                    Align(TypeLowering::size(type)));
}

Value *FunctionLowering::readVariable(const air::Variable *variable) {
  if (mloop)
    if (Value *known = mloop->hoisted(variable))
      return known;
  return load(variable->type, address(variable), variable->name);
}

void FunctionLowering::writeVariable(const air::Variable *variable,
                                     Value *value) {
  store(variable->type, value, address(variable));
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
  if (isFloat(expr->type))
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
    return readBound(bound->region, bound->dim, bound->isHigh);
  }
  case ExprKind::Given:
    return load(air::Type::Bool,
                module.given(cast<air::GivenExpr>(expr)->variable), "given");
  case ExprKind::Unary: {
    auto *unary = cast<air::UnaryExpr>(expr);
    return ops.unary(unary->op, unary->operand->type, lower(unary->operand));
  }
  case ExprKind::Binary: {
    auto *binary = cast<air::BinaryExpr>(expr);
    Value *left = lower(binary->left);
    return ops.binary(binary->op, binary->left->type, left,
                      lower(binary->right));
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
    return ops.cast(conversion->operand->type, conversion->type,
                    lower(conversion->operand));
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
  }
  llvm_unreachable("unknown expression");
}

Value *FunctionLowering::lowerIndex(const air::Expr *expr) {
  return builder.CreateSExt(lower(expr), types.i64);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

Value *FunctionLowering::lowerArgument(const air::Argument &arg) {
  if (arg.value)
    return lower(arg.value);
  if (arg.element)
    return mloop->elementAddress(arg.element);
  if (arg.variable)
    return address(arg.variable);
  if (arg.array)
    return address(arg.array);
  return address(arg.region);
}

Value *FunctionLowering::lowerCall(const air::CallExpr *call) {
  // A call by itself (CallStmt) is an expression of its own.
  if (exprDepth == 0)
    values.clear();
  SaveAndRestore deeper(exprDepth, exprDepth + 1);
  SmallVector<Value *, 8> args;
  for (const air::Argument &arg : call->args)
    args.push_back(lowerArgument(arg));
  return builder.CreateCall(module.function(call->callee), args);
}

} // namespace zpl::codegen
