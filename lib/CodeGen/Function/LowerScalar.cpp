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

#include "Function/LowerScalar.h"
#include "Function/FunctionLowering.h"
#include "Function/LowerAggregates.h"
#include "Function/LowerChecks.h"
#include "Function/LowerRegion.h"
#include "Function/LowerStrings.h"
#include "MLoop/LowerElementOps.h"
#include "MLoop/LowerMLoop.h"
#include "MLoop/LowerRemaps.h"
#include "MLoop/LowerWalkers.h"
#include "Sparse/LowerSelection.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;
using llvm::cast;

namespace zpl::codegen {

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

static llvm::Value *lowerNode(FunctionState &fn, const air::Expr *expr);
static llvm::Value *lowerThunkCall(FunctionState &fn,
                                   const air::CallExpr *call);

LoadInst *loadMemory(FunctionState &fn, air::Type type, Value *address,
                     const Twine &name) {
  // LLVM is not told that a boolean is 0 or 1: in a union, or memory of C's, it
  // may be any byte, of which 0 alone is false.
  return fn.builder.CreateAlignedLoad(
      type == air::Type::Opaque ? fn.types.value(type) : fn.types.memory(type),
      address, fn.types.align(type), name);
}

Value *fromMemory(FunctionState &fn, air::Type type, Value *loaded) {
  if (type == air::Type::Bool)
    return fn.builder.CreateICmpNE(loaded, fn.builder.getInt8(0));
  if (type == air::Type::Str) // null is "" in memory
    return fn.builder.CreateSelect(fn.builder.CreateIsNull(loaded),
                                   fn.module.string(""), loaded);
  return loaded;
}

Value *load(FunctionState &fn, air::Type type, Value *address,
            const Twine &name) {
  return fromMemory(fn, type, loadMemory(fn, type, address, name));
}

Instruction *store(FunctionState &fn, air::Type type, Value *value,
                   Value *address) {
  if (type.isAggregate())
    return fn.builder.CreateMemCpy(address, fn.types.align(type), value,
                                   fn.types.align(type), sizeOf(fn, type));
  if (type == air::Type::Bool)
    value = fn.builder.CreateZExt(value, fn.types.i8);
  return fn.builder.CreateAlignedStore(value, address, fn.types.align(type));
}

Value *readVariable(FunctionState &fn, const air::Variable *variable) {
  if (fn.mloop)
    if (Value *known = hoisted(*fn.mloop, variable))
      return known;
  if (fn.each)
    if (Value *known = fn.each->variables.lookup(variable))
      return known;
  Value *cell = variableAddress(fn, variable);
  if (variable->type.isAggregate())
    return cell;
  return load(fn, variable->type, cell, variable->name);
}

void writeVariable(FunctionState &fn, const air::Variable *variable,
                   Value *value) {
  store(fn, variable->type, value, variableAddress(fn, variable));
}

Value *inMemory(FunctionState &fn, air::Type type, Value *value,
                const Twine &name) {
  if (type.isAggregate())
    return value;
  AllocaInst *cell = addAlloca(fn, fn.types.memory(type), name);
  store(fn, type, value, cell);
  return cell;
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

Value *lower(FunctionState &fn, const air::Expr *expr) {
  if (fn.exprDepth == 0)
    fn.values.clear();
  if (Value *known = fn.values.lookup(expr))
    return known;
  SaveAndRestore deeper(fn.exprDepth, fn.exprDepth + 1);
  Value *value = lowerNode(fn, expr);
  fn.values[expr] = value;
  return value;
}

static Value *lowerConstant(FunctionState &fn, const air::ConstExpr *expr) {
  if (expr->type == air::Type::Str)
    return fn.module.string(expr->text);
  if (expr->type.isFloat())
    return ConstantFP::get(fn.types.value(expr->type), expr->number);
  return ConstantInt::get(fn.types.value(expr->type), expr->integer,
                          /*IsSigned=*/true);
}

/// An integer of 32 bits of a double. Most fit, and need one instruction then,
/// which vectors have as well; there is none that saturates.
static Value *lowerSaturation(FunctionState &fn, Value *number) {
  auto &builder = fn.builder;
  BasicBlock *start = builder.GetInsertBlock();
  BasicBlock *far = addBlock(fn, "cast.far");
  BasicBlock *end = addBlock(fn, "cast.end");
  Value *zero = ConstantFP::get(number->getType(), 0.0);
  Value *size = builder.CreateUnaryIntrinsic(Intrinsic::fabs, number);
  Value *fits = builder.CreateFCmpOLT(
      size, ConstantFP::get(number->getType(), 2147483648.0), "near");
  Value *whole = builder.CreateFPToSI(number, fn.types.i32);
  builder.CreateCondBr(
      fits, end, far,
      MDBuilder(builder.getContext()).createLikelyBranchWeights());
  builder.SetInsertPoint(far);
  Value *isAbove = builder.CreateFCmpOGT(number, zero);
  Value *isBelow = builder.CreateFCmpOLT(number, zero);
  Value *least = builder.CreateSelect(isBelow, builder.getInt32(1u << 31),
                                      builder.getInt32(0)); // 0: a NaN
  Value *limit =
      builder.CreateSelect(isAbove, builder.getInt32((1u << 31) - 1), least);
  builder.CreateBr(end);
  builder.SetInsertPoint(end);
  PHINode *result = builder.CreatePHI(fn.types.i32, 2, "cast");
  result->addIncoming(whole, start);
  result->addIncoming(limit, far);
  return result;
}

/// A quotient or remainder of integers of 32 bits by what is no constant, in a
/// loop: that of doubles has the same whole part, for if it is none, the next
/// integer is at least 2^-31 of it away. Quotients that do not wait for each
/// other take a fraction of the time so, and there are vectors of them (the sum
/// `Y#[Index1 / w] += V * X#[C]` a third of its time with `idiv`).
static Value *lowerQuotient(FunctionState &fn, bool isRemainder, Value *left,
                            Value *right) {
  auto &builder = fn.builder;
  llvm::Type *type = llvm::Type::getDoubleTy(builder.getContext());
  Value *negates = builder.CreateICmpEQ(right, builder.getInt32(-1));
  Value *by = builder.CreateSelect(negates, builder.getInt32(1), right);
  Value *dividend = builder.CreateSIToFP(left, type);
  Value *divisor = builder.CreateSIToFP(by, type);
  Value *whole = builder.CreateFPToSI(builder.CreateFDiv(dividend, divisor),
                                      left->getType(), "whole");
  if (isRemainder)
    return builder.CreateSub(left, builder.CreateMul(whole, by));
  return builder.CreateSelect(negates, builder.CreateNeg(left), whole);
}

/// A remainder by what is no constant. Most are of `(i + 1) % n`, an index or
/// a phase that rarely wraps around: dividends from 0 to n - 1 are not divided,
/// which costs as much as ten additions. Others pay a comparison.
static Value *lowerRemainder(FunctionState &fn, const air::BinaryExpr *expr,
                             Value *left, Value *right) {
  BasicBlock *start = fn.builder.GetInsertBlock();
  BasicBlock *far = addBlock(fn, "rem.far");
  BasicBlock *end = addBlock(fn, "rem.end");
  Value *limit = fn.builder.CreateBinaryIntrinsic(
      Intrinsic::smax, right, ConstantInt::get(right->getType(), 0));
  fn.builder.CreateCondBr(
      fn.builder.CreateICmpULT(left, limit, "near"), end, far,
      MDBuilder(fn.builder.getContext()).createLikelyBranchWeights());
  fn.builder.SetInsertPoint(far);
  Value *rest = (fn.mloop || fn.each) && expr->type == air::Type::I32
                    ? lowerQuotient(fn, /*isRemainder=*/true, left, right)
                    : fn.ops.binary(expr->op, expr->type, left, right);
  fn.builder.CreateBr(end);
  fn.builder.SetInsertPoint(end);
  PHINode *result = fn.builder.CreatePHI(left->getType(), 2, "rem");
  result->addIncoming(left, start);
  result->addIncoming(rest, far);
  return result;
}

static Value *lowerBinary(FunctionState &fn, const air::BinaryExpr *binary) {
  air::Type type = binary->type;
  if (type == air::Type::Str && binary->op == air::BinaryOp::Add)
    return lowerConcat(fn, binary);
  Value *left = lower(fn, binary->left);
  Value *right = lower(fn, binary->right);
  if (fn.module.options.checks.divisions)
    checkDivisor(fn, binary, right);
  if (fn.module.options.checks.overflow)
    checkOverflow(fn, binary, left, right);
  bool isSigned = type == air::Type::I32 || type == air::Type::I64;
  if (binary->op == air::BinaryOp::Rem && isSigned && !isa<Constant>(left) &&
      !isa<Constant>(right))
    return lowerRemainder(fn, binary, left, right);
  if (binary->op == air::BinaryOp::Div && type == air::Type::I32 &&
      (fn.mloop || fn.each) && !isa<Constant>(right))
    return lowerQuotient(fn, /*isRemainder=*/false, left, right);
  return fn.ops.binary(binary->op, binary->left->type, left, right);
}

static Value *lowerCast(FunctionState &fn, const air::CastExpr *conversion) {
  auto *index = dyn_cast<air::IndexExpr>(conversion->operand);
  if (index && fn.mloop && conversion->type == air::Type::I64)
    return wideIndex(*fn.mloop, index->dim);
  Value *operand = lower(fn, conversion->operand);
  if (fn.module.options.checks.conversions)
    checkConversion(fn, conversion, operand);
  if (conversion->operand->type == air::Type::F64 &&
      conversion->type == air::Type::I32 && !isa<Constant>(operand))
    return lowerSaturation(fn, operand);
  return fn.ops.cast(conversion->operand->type, conversion->type, operand);
}

namespace {

/// Lowers each kind of expression.
struct NodeLowering {
  FunctionState &fn;

  Value *of(const air::ConstExpr &e) { return lowerConstant(fn, &e); }
  Value *of(const air::VarExpr &e) { return readVariable(fn, e.variable); }
  Value *of(const air::ElementExpr &e) {
    if (fn.each)
      return readBesideIndices(fn, &e);
    assert(fn.mloop && "an element outside of an M-loop");
    return readElement(*fn.mloop, &e);
  }
  Value *of(const air::RemapExpr &e) {
    assert(fn.mloop && "an element outside of an M-loop");
    return readRemap(*fn.mloop, &e);
  }
  Value *of(const air::IndexExpr &e) {
    if (fn.each)
      return fn.each->index[e.dim];
    assert(fn.mloop && "an index outside of an M-loop");
    return index(*fn.mloop, e.dim);
  }
  Value *of(const air::BoundExpr &e) {
    return readBound(fn, e.region, e.dim, e.which);
  }
  Value *of(const air::UnaryExpr &e) {
    Value *operand = lower(fn, e.operand);
    if (fn.module.options.checks.overflow)
      checkNegation(fn, &e, operand);
    return fn.ops.unary(e.op, e.operand->type, operand);
  }
  Value *of(const air::BinaryExpr &e) { return lowerBinary(fn, &e); }
  Value *of(const air::CompareExpr &e) {
    Value *left = lower(fn, e.left);
    return fn.ops.compare(e.op, e.left->type, left, lower(fn, e.right));
  }
  Value *of(const air::FmaExpr &e) {
    Value *a = lower(fn, e.a);
    Value *b = lower(fn, e.b);
    return fn.ops.fma(a, b, lower(fn, e.c));
  }
  Value *of(const air::CastExpr &e) { return lowerCast(fn, &e); }
  Value *of(const air::MathExpr &e) {
    if (isOfStrings(e))
      return lowerStringFunction(fn, &e);
    SmallVector<Value *, 2> args;
    for (const air::Expr *arg : e.args)
      args.push_back(lower(fn, arg));
    return fn.ops.math(e.fn, e.type, args);
  }
  Value *of(const air::CallExpr &e) { return lowerCall(fn, &e); }
  Value *of(const air::FieldExpr &e) { return lowerField(fn, &e); }
  Value *of(const air::SubscriptExpr &e) { return readPlace(fn, &e); }
  Value *of(const air::ComplexExpr &e) {
    Value *re = lower(fn, e.re);
    return fn.ops.complex(re, lower(fn, e.im));
  }
};

} // namespace

static Value *lowerNode(FunctionState &fn, const air::Expr *expr) {
  return air::visitKind(
      *expr, [&](const auto &known) { return NodeLowering{fn}.of(known); });
}

Value *lowerIndex(FunctionState &fn, const air::Expr *expr) {
  return fn.ops.cast(expr->type, air::Type::I64, lower(fn, expr));
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static Value *lowerArgument(FunctionState &fn, const air::Argument &arg) {
  if (arg.value)
    return lower(fn, arg.value);
  if (arg.place)
    return addressOf(fn, arg.place);
  if (arg.array)
    return address(fn, arg.array);
  return address(fn, arg.region);
}

/// A descriptor for a part of all elements of an array.
static Value *lowerPart(FunctionState &fn, const air::Expr *place) {
  const air::Array *array = air::rootElement(place)->array;
  Value *origin = addressOf(fn, place);
  AllocaInst *part = addAlloca(fn, fn.types.array, array->name + ".part");
  fn.builder.CreateCall(
      ZRT_CALLEE(fn.calls, zrtA_array_part),
      {part, address(fn, array), origin, typeTable(fn, place->type)});
  return part;
}

/// An element in a cell of its own, for the time of a call.
static ElementCopy copyElement(FunctionState &fn, const air::Expr *element) {
  Value *place = addressOf(fn, element);
  LoadInst *old = loadMemory(fn, element->type, place, "");
  annotate(*fn.mloop, old, element);
  AllocaInst *cell =
      addAlloca(fn, fn.types.memory(element->type),
                air::rootElement(element)->array->name + ".element");
  store(fn, element->type, fromMemory(fn, element->type, old), cell);
  return {element, place, cell};
}

/// The arrays of parts of elements that a call has got.
static void freeParts(FunctionState &fn, ArrayRef<Value *> parts,
                      const air::CallExpr *call) {
  for (Value *part : parts)
    fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_array_free),
                          {part, fn.module.location(call->range)});
}

Value *lowerCall(FunctionState &fn, const air::CallExpr *call) {
  // A call by itself (CallStmt) is an expression of its own.
  if (fn.exprDepth == 0)
    fn.values.clear();
  SaveAndRestore deeper(fn.exprDepth, fn.exprDepth + 1);
  if (!call->callee->thunk.empty())
    return lowerThunkCall(fn, call);
  SmallVector<Value *, 8> args;
  Value *result = nullptr;
  if (call->type.isAggregate())
    args.push_back(result = addAlloca(fn, fn.types.memory(call->type),
                                      call->callee->name + ".result"));
  SmallVector<Value *, 2> parts;
  SmallVector<ElementCopy, 4> copies;
  for (auto [arg, param] : zip(call->args, call->callee->params)) {
    bool isPart = arg.place && param.array;
    if (fn.mloop && passesCopy(*fn.mloop, *call, arg)) {
      copies.push_back(copyElement(fn, arg.place));
      args.push_back(copies.back().cell);
      continue;
    }
    args.push_back(isPart ? lowerPart(fn, arg.place) : lowerArgument(fn, arg));
    if (isPart)
      parts.push_back(args.back());
  }
  Value *value = fn.builder.CreateCall(fn.module.function(call->callee), args);
  for (const ElementCopy &copy : copies)
    annotate(*fn.mloop,
             store(fn, copy.element->type,
                   load(fn, copy.element->type, copy.cell, ""), copy.place),
             copy.element);
  freeParts(fn, parts, call);
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
static Value *lowerThunkCall(FunctionState &fn, const air::CallExpr *call) {
  const air::Procedure *callee = call->callee;
  SmallVector<Value *, 8> args;
  SmallVector<Value *, 2> parts;
  AllocaInst *result = nullptr;
  if (call->type != air::Type::Void)
    args.push_back(result = addAlloca(fn, fn.types.memory(call->type),
                                      callee->name + ".result"));
  for (auto [arg, param] : zip(call->args, callee->params)) {
    if (isBound(param, *callee))
      continue;
    if (arg.place && param.array) {
      args.push_back(lowerPart(fn, arg.place));
      parts.push_back(args.back());
      continue;
    }
    Value *value = lowerArgument(fn, arg);
    args.push_back(arg.value ? inMemory(fn, arg.value->type, value,
                                        callee->name + ".argument")
                             : value);
  }
  llvm::Type *nothing = llvm::Type::getVoidTy(fn.builder.getContext());
  fn.builder.CreateCall(fn.module.thunk(callee->thunk, nothing, args.size()),
                        args);
  freeParts(fn, parts, call);
  if (!result || call->type.isAggregate())
    return result;
  Value *value = load(fn, call->type, result, callee->name);
  if (call->type != air::Type::Str)
    return value;
  return fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_string), {value});
}

} // namespace zpl::codegen
