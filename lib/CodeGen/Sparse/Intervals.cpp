//===- Intervals.cpp - What expressions may be in boxes -------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Interval arithmetic (Moore, "Interval Analysis", 1966) as straight-line code:
// where the indices are 1..8 and 33..40,
//
//     index(0) - index(1)          -39 .. -25
//     abs(index(0) - index(1))      25 .. 39
//     abs(...) < 2                  true nowhere
//
//  - Integers, all but those of 64 bits without sign, are two i64. What may not
//    fit the type wraps around, and may be anything of the type then.
//  - Floats of 32 and 64 bits are two bounds of their type for all values that
//    are numbers, and whether there is no NaN. Operators are applied to bounds,
//    which is exact: rounding is monotonic. Where a NaN might come of an
//    infinity nothing is known.
//  - Truth values are two i1: whether it is true everywhere, and whether it may
//    be true somewhere.
//  - Nothing is known of other types.
//
// The other way round, in which columns a condition can hold is found in
// BoxColumns.cpp.
//
// What could end the run is not left out: a divisor that may be 0, and, if the
// program tests them, sums that may not fit and the like; also what nothing is
// known of here, as calls. Where the box has such a thing, each of its indices
// is looked at. So whether a run fails does not depend on how boxes are cut.
//
// Cost: a few instructions per bound, and the same again for the other one.
// Quotients of 32 bits are made of doubles, which is exact (LowerScalar.cpp).
//
//===----------------------------------------------------------------------===//

#include "Sparse/Intervals.h"
#include "Function/LowerAggregates.h"
#include "Function/LowerChecks.h"
#include "Function/LowerScalar.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;
using llvm::cast;
using zpl::air::BinaryOp;
using zpl::air::CompareOp;
using zpl::air::UnaryOp;

namespace zpl::codegen {
namespace {

/// From `lo` to `hi`; both null: of a type of which nothing is known. Of a truth
/// value whether it is true everywhere, and somewhere perhaps.
struct Extent {
  Value *lo = nullptr, *hi = nullptr;
  Value *isNumber = nullptr; ///< of floats: there is no NaN
};

bool isReal(air::Type type) {
  return type == air::Type::F32 || type == air::Type::F64;
}

class Intervals {
public:
  Intervals(FunctionState &fn, ArrayRef<Value *> lo, ArrayRef<Value *> hi)
      : fn(fn), b(fn.builder), lo(lo), hi(hi), mustAsk(b.getFalse()),
        mayWrap(b.getFalse()) {}

  BoxAnswer answer(const air::Expr *condition);
  ColumnPieces answerInRow(const air::Expr *condition, const RowAt &row);

private:
  // Expressions.
  Extent of(const air::Expr *e);
  Extent compute(const air::Expr *e);
  Extent unknown(const air::Expr *e);
  Extent anything(air::Type type);
  Extent single(air::Type type, Value *value);
  Extent place(const air::Expr *e);
  Value *mayLeave(const air::SubscriptExpr &e);
  Extent unary(const air::UnaryExpr *e);
  Extent binary(const air::BinaryExpr *e);
  Extent compare(const air::CompareExpr *e);
  Extent convert(const air::CastExpr *e);
  Extent fma(const air::FmaExpr *e);
  Extent math(const air::MathExpr *e);
  bool isFixed(const air::Expr *e) const;

  // Integers.
  Extent fit(air::Type type, Extent x, Value *overflows, bool isChecked);
  Extent sum(BinaryOp op, air::Type type, Extent x, Extent y);
  Extent product(air::Type type, Extent x, Extent y);
  Extent magnitude(air::Type type, Extent x);
  Extent divide(const air::BinaryExpr *e, Extent x, Extent y);
  Value *quotient(air::Type type, Value *dividend, Value *divisor);
  Extent remainder(air::Type type, Extent x, Extent y);
  Extent bits(BinaryOp op, air::Type type, Extent x, Extent y);
  Extent whole(const air::BinaryExpr *e, Extent x, Extent y);

  // Floats.
  Extent real(const air::BinaryExpr *e, Extent x, Extent y);
  Extent corners(air::Type type, ArrayRef<Value *> values, Value *isSound);
  Value *isFinite(Extent x);

  // Truth values.
  Extent truthOf(air::Type type, Extent x);
  Extent fromTruth(air::Type type, Extent x);

  Value *number(int64_t value) { return b.getInt64(uint64_t(value)); }
  Value *least(Value *x, Value *y) {
    return b.CreateBinaryIntrinsic(Intrinsic::smin, x, y);
  }
  Value *greatest(Value *x, Value *y) {
    return b.CreateBinaryIntrinsic(Intrinsic::smax, x, y);
  }
  void mustAskIf(Value *condition) { mustAsk = b.CreateOr(mustAsk, condition); }
  const RunTimeChecks &checks() const { return fn.module.options.checks; }

  FunctionState &fn;
  IRBuilder<> &b;
  ArrayRef<Value *> lo, hi;
  Value *mustAsk;
  Value *mayWrap; ///< an operation may leave its type
  DenseMap<const air::Expr *, Extent> known;
};

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// \p x of \p type, or anything if that has been left. \p overflows: i64 have
/// been left, too; null: that cannot be.
Extent Intervals::fit(air::Type type, Extent x, Value *overflows,
                      bool isChecked) {
  auto [low, high] = limits(fn.types, type);
  Value *fits = b.CreateAnd(b.CreateICmpSGE(x.lo, number(low)),
                            b.CreateICmpSLE(x.hi, number(high)));
  if (overflows)
    fits = b.CreateAnd(fits, b.CreateNot(overflows));
  if (isChecked)
    mayWrap = b.CreateOr(mayWrap, b.CreateNot(fits));
  if (isChecked && checks().overflow)
    mustAskIf(b.CreateNot(fits));
  return {b.CreateSelect(fits, x.lo, number(low)),
          b.CreateSelect(fits, x.hi, number(high))};
}

Extent Intervals::sum(BinaryOp op, air::Type type, Extent x, Extent y) {
  bool isSum = op == BinaryOp::Add;
  Intrinsic::ID id =
      isSum ? Intrinsic::sadd_with_overflow : Intrinsic::ssub_with_overflow;
  Value *low = b.CreateBinaryIntrinsic(id, x.lo, isSum ? y.lo : y.hi);
  Value *high = b.CreateBinaryIntrinsic(id, x.hi, isSum ? y.hi : y.lo);
  Value *overflows = type == air::Type::I64
                         ? b.CreateOr(b.CreateExtractValue(low, 1),
                                      b.CreateExtractValue(high, 1))
                         : nullptr;
  return fit(type,
             {b.CreateExtractValue(low, 0), b.CreateExtractValue(high, 0)},
             overflows, /*isChecked=*/true);
}

Extent Intervals::product(air::Type type, Extent x, Extent y) {
  Extent result;
  Value *overflows = nullptr;
  bool mayOverflow = type == air::Type::I64 || type == air::Type::U32;
  auto take = [&](Value *left, Value *right) {
    Value *pair =
        b.CreateBinaryIntrinsic(Intrinsic::smul_with_overflow, left, right);
    Value *value = b.CreateExtractValue(pair, 0);
    if (mayOverflow) {
      Value *bit = b.CreateExtractValue(pair, 1);
      overflows = overflows ? b.CreateOr(overflows, bit) : bit;
    }
    result.lo = result.lo ? least(result.lo, value) : value;
    result.hi = result.hi ? greatest(result.hi, value) : value;
  };
  take(x.lo, y.lo);
  if (y.hi != y.lo)
    take(x.lo, y.hi);
  if (x.hi != x.lo)
    take(x.hi, y.lo);
  if (y.hi != y.lo && x.hi != x.lo)
    take(x.hi, y.hi);
  return fit(type, result, overflows, /*isChecked=*/true);
}

Extent Intervals::magnitude(air::Type type, Extent x) {
  if (type.isUnsigned())
    return x;
  // The least i64 has none.
  Value *wraps = b.CreateICmpEQ(x.lo, number(INT64_MIN));
  Value *below = b.CreateNeg(x.lo);
  Extent result = {greatest(number(0), greatest(x.lo, b.CreateNeg(x.hi))),
                   greatest(below, x.hi)};
  return fit(type, result, wraps, /*isChecked=*/true);
}

/// Toward zero. The divisor is neither 0 nor, of the least i64, -1.
Value *Intervals::quotient(air::Type type, Value *dividend, Value *divisor) {
  if (type == air::Type::I64)
    return b.CreateSDiv(dividend, divisor);
  llvm::Type *real = b.getDoubleTy();
  return b.CreateFPToSI(b.CreateFDiv(b.CreateSIToFP(dividend, real),
                                     b.CreateSIToFP(divisor, real)),
                        b.getInt64Ty(), "quotient");
}

/// The remainder has the sign of the dividend, and is less than the divisor.
/// Between two multiples of one divisor it grows with the dividend.
Extent Intervals::remainder(air::Type type, Extent x, Extent y) {
  Value *zero = number(0), *one = number(1);
  Value *most = b.CreateSub(greatest(greatest(y.hi, b.CreateNeg(y.hi)),
                                     greatest(y.lo, b.CreateNeg(y.lo))),
                            one);
  Extent all = {greatest(least(x.lo, zero), b.CreateNeg(most)),
                least(greatest(x.hi, zero), most)};
  Value *first = quotient(type, x.lo, y.lo);
  Value *last = quotient(type, x.hi, y.lo);
  Value *isOne =
      b.CreateAnd(b.CreateICmpEQ(y.lo, y.hi), b.CreateICmpEQ(first, last));
  Value *before = b.CreateMul(first, y.lo);
  return {b.CreateSelect(isOne, b.CreateSub(x.lo, before), all.lo),
          b.CreateSelect(isOne, b.CreateSub(x.hi, before), all.hi)};
}

/// A quotient or remainder. A divisor that may be 0 is asked for.
Extent Intervals::divide(const air::BinaryExpr *e, Extent x, Extent y) {
  Value *isZero = b.CreateAnd(b.CreateICmpSLE(y.lo, number(0)),
                              b.CreateICmpSGE(y.hi, number(0)));
  mustAskIf(isZero);
  Value *isBad = isZero;
  if (e->type == air::Type::I64) // its quotient by -1, and its negative
    isBad =
        b.CreateOr(b.CreateOr(isBad, b.CreateICmpEQ(x.lo, number(INT64_MIN))),
                   b.CreateICmpEQ(y.lo, number(INT64_MIN)));
  auto sound = [&](Extent z, int64_t instead) {
    bool isSingle = z.lo == z.hi;
    z.lo = b.CreateSelect(isBad, number(instead), z.lo);
    z.hi = isSingle ? z.lo : b.CreateSelect(isBad, number(instead), z.hi);
    return z;
  };
  x = sound(x, 0);
  y = sound(y, 1);
  Extent result;
  if (e->op == BinaryOp::Rem) {
    result = remainder(e->type, x, y);
  } else {
    auto take = [&](Value *dividend, Value *divisor) {
      Value *value = quotient(e->type, dividend, divisor);
      result.lo = result.lo ? least(result.lo, value) : value;
      result.hi = result.hi ? greatest(result.hi, value) : value;
    };
    take(x.lo, y.lo);
    take(x.hi, y.lo);
    if (y.hi != y.lo) {
      take(x.lo, y.hi);
      take(x.hi, y.hi);
    }
  }
  Extent fitting = fit(e->type, result, nullptr, /*isChecked=*/true);
  Extent all = anything(e->type);
  if (e->type == air::Type::I64 && checks().overflow)
    mustAskIf(isBad);
  return {b.CreateSelect(isBad, all.lo, fitting.lo),
          b.CreateSelect(isBad, all.hi, fitting.hi)};
}

/// Of numbers that are not negative; of single numbers, whatever they are.
Extent Intervals::bits(BinaryOp op, air::Type type, Extent x, Extent y) {
  auto apply = [&](Value *left, Value *right) -> Value * {
    if (op == BinaryOp::BitAnd)
      return b.CreateAnd(left, right);
    return op == BinaryOp::BitOr ? b.CreateOr(left, right)
                                 : b.CreateXor(left, right);
  };
  Value *isSingle =
      b.CreateAnd(b.CreateICmpEQ(x.lo, x.hi), b.CreateICmpEQ(y.lo, y.hi));
  Value *exact = apply(x.lo, y.lo);
  Value *isPositive = b.CreateICmpSGE(b.CreateOr(x.lo, y.lo), number(0));
  Value *most;
  if (op == BinaryOp::BitAnd) {
    most = least(x.hi, y.hi);
  } else {
    Value *bits = b.CreateOr(b.CreateOr(x.hi, y.hi), number(1));
    Value *zeros = b.CreateBinaryIntrinsic(Intrinsic::ctlz, bits, b.getTrue());
    most = b.CreateLShr(number(-1), zeros);
  }
  Extent all = anything(type);
  Extent range = {b.CreateSelect(isPositive, number(0), all.lo),
                  b.CreateSelect(isPositive, most, all.hi)};
  return {b.CreateSelect(isSingle, exact, range.lo),
          b.CreateSelect(isSingle, exact, range.hi)};
}

Extent Intervals::whole(const air::BinaryExpr *e, Extent x, Extent y) {
  switch (e->op) {
  case BinaryOp::Add:
  case BinaryOp::Sub:
    return sum(e->op, e->type, x, y);
  case BinaryOp::Mul:
    return product(e->type, x, y);
  case BinaryOp::Div:
  case BinaryOp::Rem:
    return divide(e, x, y);
  case BinaryOp::Min:
    return {least(x.lo, y.lo), least(x.hi, y.hi)};
  case BinaryOp::Max:
    return {greatest(x.lo, y.lo), greatest(x.hi, y.hi)};
  case BinaryOp::BitAnd:
  case BinaryOp::BitOr:
  case BinaryOp::BitXor:
    return bits(e->op, e->type, x, y);
  case BinaryOp::ShiftR: {
    unsigned width = fn.types.value(e->type)->getIntegerBitWidth();
    Value *isSingle = b.CreateICmpEQ(y.lo, y.hi);
    Value *count = b.CreateAnd(y.lo, number(width - 1));
    Extent all = anything(e->type);
    return {b.CreateSelect(isSingle, b.CreateAShr(x.lo, count), all.lo),
            b.CreateSelect(isSingle, b.CreateAShr(x.hi, count), all.hi)};
  }
  case BinaryOp::Pow: // of what is negative or too large the runtime knows
    mustAskIf(checks().overflow ? b.getTrue()
                                : b.CreateICmpSLT(y.lo, number(0)));
    return anything(e->type);
  case BinaryOp::ShiftL:
  case BinaryOp::And: // binary() has them
  case BinaryOp::Or:
  case BinaryOp::MinNaN: // of floats
  case BinaryOp::MaxNaN:
    return anything(e->type);
  }
  llvm_unreachable("unknown binary operator");
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

/// No bound is infinite, and there is no NaN.
Value *Intervals::isFinite(Extent x) {
  llvm::Type *type = x.lo->getType();
  Value *isBounded = b.CreateAnd(
      b.CreateFCmpOGT(x.lo, ConstantFP::getInfinity(type, /*Negative=*/true)),
      b.CreateFCmpOLT(x.hi, ConstantFP::getInfinity(type)));
  return b.CreateAnd(isBounded, x.isNumber);
}

/// From the least to the greatest of \p values, if that \p isSound.
Extent Intervals::corners(air::Type type, ArrayRef<Value *> values,
                          Value *isSound) {
  Extent result = {values[0], values[0], isSound};
  for (Value *value : values.drop_front()) {
    result.lo =
        b.CreateSelect(b.CreateFCmpOLT(value, result.lo), value, result.lo);
    result.hi =
        b.CreateSelect(b.CreateFCmpOGT(value, result.hi), value, result.hi);
  }
  Extent all = anything(type);
  return {b.CreateSelect(isSound, result.lo, all.lo),
          b.CreateSelect(isSound, result.hi, all.hi), isSound};
}

Extent Intervals::real(const air::BinaryExpr *e, Extent x, Extent y) {
  auto apply = [&](Value *left, Value *right) {
    return fn.ops.binary(e->op, e->type, left, right);
  };
  Value *areFinite = b.CreateAnd(isFinite(x), isFinite(y));
  Value *zero = Constant::getNullValue(x.lo->getType());
  switch (e->op) {
  case BinaryOp::Add:
    return corners(e->type, {apply(x.lo, y.lo), apply(x.hi, y.hi)}, areFinite);
  case BinaryOp::Sub:
    return corners(e->type, {apply(x.lo, y.hi), apply(x.hi, y.lo)}, areFinite);
  case BinaryOp::Div:
    areFinite = b.CreateAnd(areFinite, b.CreateOr(b.CreateFCmpOGT(y.lo, zero),
                                                  b.CreateFCmpOLT(y.hi, zero)));
    [[fallthrough]];
  case BinaryOp::Mul:
    return corners(e->type,
                   {apply(x.lo, y.lo), apply(x.lo, y.hi), apply(x.hi, y.lo),
                    apply(x.hi, y.hi)},
                   areFinite);
  case BinaryOp::Min:
  case BinaryOp::Max:
  case BinaryOp::MinNaN:
  case BinaryOp::MaxNaN:
    return corners(e->type, {apply(x.lo, y.lo), apply(x.hi, y.hi)}, areFinite);
  case BinaryOp::Rem:
  case BinaryOp::Pow:
  case BinaryOp::And: // binary() has them
  case BinaryOp::Or:
  case BinaryOp::BitAnd:
  case BinaryOp::BitOr:
  case BinaryOp::BitXor:
  case BinaryOp::ShiftL:
  case BinaryOp::ShiftR:
    return anything(e->type);
  }
  llvm_unreachable("unknown binary operator");
}

Extent Intervals::fma(const air::FmaExpr *e) {
  Extent x = of(e->a), y = of(e->b), z = of(e->c);
  if (!x.lo)
    return {};
  SmallVector<Value *, 8> values;
  for (Value *a : {x.lo, x.hi})
    for (Value *by : {y.lo, y.hi})
      for (Value *c : {z.lo, z.hi})
        values.push_back(fn.ops.fma(a, by, c));
  return corners(
      e->type, values,
      b.CreateAnd(b.CreateAnd(isFinite(x), isFinite(y)), isFinite(z)));
}

Extent Intervals::math(const air::MathExpr *e) {
  using air::MathFn;
  bool isRounding = e->fn == MathFn::Floor || e->fn == MathFn::Ceil ||
                    e->fn == MathFn::Round || e->fn == MathFn::Trunc;
  if (!isReal(e->type) || (!isRounding && e->fn != MathFn::Sqrt))
    return unknown(e);
  Extent x = of(e->args[0]);
  Value *isSound = isFinite(x);
  if (e->fn == MathFn::Sqrt)
    isSound = b.CreateAnd(isSound, b.CreateFCmpOGE(x.lo, Constant::getNullValue(
                                                             x.lo->getType())));
  return corners(
      e->type,
      {fn.ops.math(e->fn, e->type, x.lo), fn.ops.math(e->fn, e->type, x.hi)},
      isSound);
}

//===----------------------------------------------------------------------===//
// Truth values
//===----------------------------------------------------------------------===//

/// `x != 0`; a NaN is not 0.
Extent Intervals::truthOf(air::Type type, Extent x) {
  if (type == air::Type::Bool)
    return x;
  if (!x.lo)
    return anything(air::Type::Bool);
  Value *zero = Constant::getNullValue(x.lo->getType());
  auto compare = [&](CompareOp op, Value *value) {
    return fn.ops.compare(op, type.isFloat() ? type : air::Type(air::Type::I64),
                          value, zero);
  };
  Value *isAside =
      b.CreateOr(compare(CompareOp::Gt, x.lo), compare(CompareOp::Lt, x.hi));
  Value *isZero =
      b.CreateAnd(compare(CompareOp::Eq, x.lo), compare(CompareOp::Eq, x.hi));
  if (x.isNumber)
    isZero = b.CreateAnd(isZero, x.isNumber);
  return {isAside, b.CreateNot(isZero)};
}

/// As the 0 or 1 of \p type.
Extent Intervals::fromTruth(air::Type type, Extent x) {
  if (type == air::Type::Bool)
    return x;
  if (isWhole(type))
    return {b.CreateZExt(x.lo, b.getInt64Ty()),
            b.CreateZExt(x.hi, b.getInt64Ty())};
  if (!isReal(type))
    return {};
  llvm::Type *real = fn.types.value(type);
  return {b.CreateUIToFP(x.lo, real), b.CreateUIToFP(x.hi, real), b.getTrue()};
}

Extent Intervals::compare(const air::CompareExpr *e) {
  air::Type type = e->left->type;
  Extent x = of(e->left), y = of(e->right);
  if (!x.lo || !y.lo)
    return anything(air::Type::Bool);
  if (type == air::Type::Bool) {
    x = fromTruth(air::Type::I64, x);
    y = fromTruth(air::Type::I64, y);
  }
  air::Type as = isReal(type) ? type : air::Type(air::Type::I64);
  auto holds = [&](CompareOp op, Value *left, Value *right) {
    return fn.ops.compare(op, as, left, right);
  };
  Value *areNumbers =
      x.isNumber ? b.CreateAnd(x.isNumber, y.isNumber) : b.getTrue();
  if (e->op == CompareOp::Gt || e->op == CompareOp::Ge)
    std::swap(x, y);
  bool isStrict = e->op == CompareOp::Lt || e->op == CompareOp::Gt;
  CompareOp less = isStrict ? CompareOp::Lt : CompareOp::Le;
  if (e->op != CompareOp::Eq && e->op != CompareOp::Ne)
    return {b.CreateAnd(areNumbers, holds(less, x.hi, y.lo)),
            holds(less, x.lo, y.hi)};
  Value *isOne = b.CreateAnd(holds(CompareOp::Eq, x.lo, y.hi),
                             holds(CompareOp::Eq, x.hi, y.lo));
  isOne = b.CreateAnd(areNumbers, isOne);
  Value *meet = b.CreateAnd(holds(CompareOp::Le, x.lo, y.hi),
                            holds(CompareOp::Le, y.lo, x.hi));
  if (e->op == CompareOp::Eq)
    return {isOne, meet};
  return {b.CreateNot(meet), b.CreateNot(isOne)};
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

Extent Intervals::anything(air::Type type) {
  if (type == air::Type::Bool)
    return {b.getFalse(), b.getTrue()};
  if (isWhole(type)) {
    auto [low, high] = limits(fn.types, type);
    return {number(low), number(high)};
  }
  if (!isReal(type))
    return {};
  llvm::Type *real = fn.types.value(type);
  return {ConstantFP::getInfinity(real, /*Negative=*/true),
          ConstantFP::getInfinity(real), b.getFalse()};
}

/// One value everywhere.
Extent Intervals::single(air::Type type, Value *value) {
  if (type == air::Type::Bool)
    return {value, value};
  if (isWhole(type)) {
    Value *wide = b.CreateIntCast(value, b.getInt64Ty(), type.isSigned());
    return {wide, wide};
  }
  if (!isReal(type))
    return {};
  return {value, value, b.CreateFCmpORD(value, value)};
}

/// Nothing is known of it, but its operands may be asked for.
Extent Intervals::unknown(const air::Expr *e) {
  air::forEachOperand(*e, [&](const air::Expr &operand) { of(&operand); });
  auto *function = dyn_cast<air::MathExpr>(e);
  if (isa<air::CallExpr>(e) ||
      (function && any_of(function->args, [](const air::Expr *arg) {
         return arg->type == air::Type::Str;
       })))
    mustAskIf(b.getTrue());
  return anything(e->type);
}

/// Whether it is the same at all indices, and no call.
bool Intervals::isFixed(const air::Expr *e) const {
  bool result = true;
  air::forEachExpr(*e, [&](const air::Expr &part) {
    result &= !isa<air::IndexExpr, air::ElementExpr, air::CallExpr>(part);
  });
  return result;
}

/// A variable, field or subscript.
Extent Intervals::place(const air::Expr *e) {
  if (isFixed(e))
    return e->type.isAggregate() ? Extent() : single(e->type, lower(fn, e));
  auto *subscript = dyn_cast<air::SubscriptExpr>(e);
  if (subscript && (subscript->isChecked || checksSubscripts(fn)))
    mustAskIf(mayLeave(*subscript));
  return unknown(e);
}

/// Whether a subscript may be outside of its bounds.
Value *Intervals::mayLeave(const air::SubscriptExpr &e) {
  const air::TypeInfo &info = *e.base->type.info();
  Value *leaves = b.getFalse();
  for (auto [d, subscript] : enumerate(e.subscripts)) {
    Extent x = of(subscript);
    if (!x.lo)
      return b.getTrue();
    leaves = b.CreateOr(
        leaves, b.CreateOr(b.CreateICmpSLT(x.lo, bound(fn, info.lo[d])),
                           b.CreateICmpSGT(x.hi, bound(fn, info.hi[d]))));
  }
  return leaves;
}

Extent Intervals::unary(const air::UnaryExpr *e) {
  air::Type type = e->type;
  Extent x = of(e->operand);
  if (e->op == UnaryOp::Not) {
    Extent truth = truthOf(type, x);
    return fromTruth(type, {b.CreateNot(truth.hi), b.CreateNot(truth.lo)});
  }
  if (!x.lo || type == air::Type::Bool)
    return anything(type);
  if (isReal(type)) {
    Value *zero = Constant::getNullValue(x.lo->getType());
    Extent minus = {b.CreateFNeg(x.hi), b.CreateFNeg(x.lo), x.isNumber};
    if (e->op == UnaryOp::Neg)
      return minus;
    auto extremum = [&](CompareOp op, Value *left, Value *right) {
      return b.CreateSelect(fn.ops.compare(op, type, left, right), left, right);
    };
    Value *below = extremum(CompareOp::Gt, x.lo, minus.lo);
    return {extremum(CompareOp::Gt, below, zero),
            extremum(CompareOp::Gt, minus.hi, x.hi), x.isNumber};
  }
  if (e->op == UnaryOp::Abs)
    return magnitude(type, x);
  if (e->op == UnaryOp::Neg)
    return sum(BinaryOp::Sub, type, {number(0), number(0)}, x);
  int64_t ones = type.isUnsigned() ? limits(fn.types, type).second : -1;
  return {b.CreateSub(number(ones), x.hi), b.CreateSub(number(ones), x.lo)};
}

Extent Intervals::binary(const air::BinaryExpr *e) {
  Extent x = of(e->left), y = of(e->right);
  bool isAnd = e->op == BinaryOp::And;
  if (isAnd || e->op == BinaryOp::Or) {
    x = truthOf(e->type, x);
    y = truthOf(e->type, y);
    auto both = [&](Value *left, Value *right) {
      return isAnd ? b.CreateAnd(left, right) : b.CreateOr(left, right);
    };
    return fromTruth(e->type, {both(x.lo, y.lo), both(x.hi, y.hi)});
  }
  if (isWhole(e->type))
    return whole(e, x, y);
  if (isReal(e->type))
    return real(e, x, y);
  bool mayDivide = e->op == BinaryOp::Div || e->op == BinaryOp::Rem ||
                   e->op == BinaryOp::Pow;
  if (mayDivide && e->type.isInteger())
    mustAskIf(b.getTrue());
  return anything(e->type);
}

Extent Intervals::convert(const air::CastExpr *e) {
  air::Type from = e->operand->type, to = e->type;
  Extent x = of(e->operand);
  if (to == air::Type::Bool)
    return truthOf(from, x);
  if (from == air::Type::Bool)
    return fromTruth(to, x);
  if (from.isFloat() && to.isInteger() && checks().conversions && !isReal(from))
    mustAskIf(b.getTrue());
  if (!x.lo || (!isWhole(to) && !isReal(to)))
    return anything(to);
  if (isWhole(from) && isWhole(to))
    return fit(to, x, nullptr, /*isChecked=*/false);
  if (isWhole(from)) {
    llvm::Type *real = fn.types.value(to);
    return {b.CreateSIToFP(x.lo, real), b.CreateSIToFP(x.hi, real),
            b.getTrue()};
  }
  if (isReal(to))
    return corners(to,
                   {fn.ops.cast(from, to, x.lo), fn.ops.cast(from, to, x.hi)},
                   isFinite(x));
  // What does not fit becomes the nearest that does, a NaN 0.
  Extent near = {fn.ops.cast(from, air::Type::I64, x.lo),
                 fn.ops.cast(from, air::Type::I64, x.hi)};
  auto [low, high] = limits(fn.types, to);
  Value *isInside = b.CreateAnd(b.CreateICmpSGT(near.lo, number(low)),
                                b.CreateICmpSLT(near.hi, number(high)));
  if (checks().conversions)
    mustAskIf(b.CreateNot(b.CreateAnd(isInside, x.isNumber)));
  Extent all = anything(to);
  Value *isSound = b.CreateAnd(isInside, x.isNumber);
  return {b.CreateSelect(isSound, near.lo, all.lo),
          b.CreateSelect(isSound, near.hi, all.hi)};
}

Extent Intervals::compute(const air::Expr *e) {
  using air::ExprKind;
  switch (e->kind) {
  case ExprKind::Const:
  case ExprKind::Bound:
    return single(e->type, lower(fn, e));
  case ExprKind::Index: {
    unsigned dim = cast<air::IndexExpr>(e)->dim;
    return {lo[dim], hi[dim]};
  }
  case ExprKind::Var:
  case ExprKind::Field:
  case ExprKind::Subscript:
    return place(e);
  case ExprKind::Unary:
    return unary(cast<air::UnaryExpr>(e));
  case ExprKind::Binary:
    return binary(cast<air::BinaryExpr>(e));
  case ExprKind::Compare:
    return compare(cast<air::CompareExpr>(e));
  case ExprKind::Fma:
    return fma(cast<air::FmaExpr>(e));
  case ExprKind::Cast:
    return convert(cast<air::CastExpr>(e));
  case ExprKind::Math:
    return math(cast<air::MathExpr>(e));
  case ExprKind::Call:
  case ExprKind::Complex:
  case ExprKind::Element:
    return unknown(e);
  case ExprKind::Remap: // the verifier lets none in
    break;
  }
  llvm_unreachable("a remap in a condition of indices");
}

/// A node that stands in several places is computed once.
Extent Intervals::of(const air::Expr *e) {
  auto [place, isNew] = known.try_emplace(e);
  if (!isNew)
    return place->second;
  Extent result = compute(e);
  known[e] = result;
  return result;
}

BoxAnswer Intervals::answer(const air::Expr *condition) {
  Extent truth = of(condition);
  Value *some = b.getInt32(ZRT_SELECT_SOME);
  Value *known = b.CreateSelect(
      truth.lo, b.getInt32(ZRT_SELECT_ALL),
      b.CreateSelect(truth.hi, some, b.getInt32(ZRT_SELECT_NONE)));
  BoxAnswer result = {b.CreateSelect(mustAsk, some, known, "answer"), {}, {}};
  Columns columns =
      columnsInBox(fn, condition, lo.size() - 1, [&](const air::Expr *e) {
        Extent x = of(e);
        return std::pair(x.lo, x.hi);
      });
  result.isSound = b.CreateNot(b.CreateOr(mustAsk, mayWrap));
  if (!columns)
    return result;
  for (const Piece &piece : columns->pieces) // all, where nothing is known
    result.pieces.push_back(
        {b.CreateSelect(result.isSound, piece.from, lo.back(), "from"),
         b.CreateSelect(result.isSound, piece.to, hi.back(), "to")});
  return result;
}

ColumnPieces Intervals::answerInRow(const air::Expr *condition,
                                    const RowAt &row) {
  return columnsInRow(fn, condition, lo.size() - 1, row,
                      [&](const air::Expr *e) {
                        Extent x = of(e);
                        return std::pair(x.lo, x.hi);
                      });
}

} // namespace

BoxAnswer answerInBox(FunctionState &fn, const air::Expr *condition,
                      ArrayRef<Value *> lo, ArrayRef<Value *> hi) {
  return Intervals(fn, lo, hi).answer(condition);
}

ColumnPieces answerInRow(FunctionState &fn, const air::Expr *condition,
                         const RowAt &row) {
  SmallVector<Value *, ZRT_MAX_RANK> lo, hi;
  for (Value *index : ArrayRef(row.each.index).drop_back())
    lo.push_back(fn.builder.CreateSExt(index, fn.types.i64));
  hi = lo;
  lo.push_back(row.lo);
  hi.push_back(row.hi);
  return Intervals(fn, lo, hi).answerInRow(condition, row);
}

} // namespace zpl::codegen
