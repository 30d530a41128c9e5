//===- Fold.cpp - Constant folding ----------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     const k: integer = 2^31 - 1;        -- 2147483647
//     direction far = [0, -k % 4];        -- a compile-time direction
//     const u: ubyte = 300;               -- 44
//
// Directions, bounds and small exponents steer what the compiler does, so
// their constants must be known. Folding follows the rules of the run: integers
// are computed modulo 2^64 and then wrapped to their width; floating arithmetic
// is rounded to its type after each operation; floating values convert to
// integers by truncation; one that does not fit is left to the run, which may
// check it. An integer is kept as the 64-bit value it has, a ulongint as its
// bits; a quad as the double that equals it, or it is no constant. Functions of
// the C library are not folded, but for those whose result is exact: the last
// digit of the others belongs to the machine that runs the program.
//
// Cost: constant per operation (logarithmic for a power).
//
//===----------------------------------------------------------------------===//

#include "Arithmetic/Fold.h"

#include "Types/Types.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <limits>

namespace zpl::sema {

namespace {

LiteralExpr *makeInteger(Program &program, int64_t value, Type type,
                         SourceRange range) {
  auto *literal = program.make<LiteralExpr>(type, range);
  literal->integer = wrapped(value, type);
  return literal;
}

/// \p value rounded to \p type; null for a quad that is no double.
LiteralExpr *makeNumber(Program &program, long double value, Type type,
                        SourceRange range) {
  double number = type == Type::Float ? static_cast<float>(value)
                                      : static_cast<double>(value);
  bool isLost = type == Type::Quad && !std::isnan(value) && number != value;
  if (isLost)
    return nullptr;
  auto *literal = program.make<LiteralExpr>(type, range);
  literal->number = number;
  return literal;
}

/// base ^ exponent modulo 2^64; a negative exponent truncates the true value.
std::optional<int64_t> integerPower(int64_t base, int64_t exponent, Type type) {
  if (exponent < 0) {
    if (base == 0 || type == Type::Ulongint)
      return std::nullopt;
    if (base == 1 || base == -1)
      return exponent % 2 == 0 ? 1 : base;
    return 0;
  }
  uint64_t result = 1, square = static_cast<uint64_t>(base);
  for (uint64_t rest = exponent; rest != 0; rest >>= 1) {
    if (rest & 1)
      result *= square;
    square *= square;
  }
  return static_cast<int64_t>(result);
}

std::optional<int64_t> divide(BinaryOp op, int64_t a, int64_t b, Type type) {
  if (b == 0)
    return std::nullopt;
  uint64_t ua = static_cast<uint64_t>(a), ub = static_cast<uint64_t>(b);
  bool isQuotient = op == BinaryOp::Div;
  if (type == Type::Ulongint)
    return static_cast<int64_t>(isQuotient ? ua / ub : ua % ub);
  if (b == -1) // the least value divided by -1 wraps
    return isQuotient ? static_cast<int64_t>(0 - ua) : 0;
  return isQuotient ? a / b : a % b;
}

bool isLess(int64_t a, int64_t b, Type type) {
  return type == Type::Ulongint
             ? static_cast<uint64_t>(a) < static_cast<uint64_t>(b)
             : a < b;
}

std::optional<int64_t> integerBinary(BinaryOp op, int64_t a, int64_t b,
                                     Type type) {
  uint64_t ua = static_cast<uint64_t>(a), ub = static_cast<uint64_t>(b);
  unsigned count = ub % widthOf(type);
  switch (op) {
  case BinaryOp::Add:
    return static_cast<int64_t>(ua + ub);
  case BinaryOp::Sub:
    return static_cast<int64_t>(ua - ub);
  case BinaryOp::Mul:
    return static_cast<int64_t>(ua * ub);
  case BinaryOp::Div:
  case BinaryOp::Rem:
    return divide(op, a, b, type);
  case BinaryOp::Pow:
    return integerPower(a, b, type);
  case BinaryOp::Min:
    return isLess(a, b, type) ? a : b;
  case BinaryOp::Max:
    return isLess(a, b, type) ? b : a;
  case BinaryOp::MinNaN: // of floats
  case BinaryOp::MaxNaN:
    break;
  case BinaryOp::And:
    return a != 0 && b != 0;
  case BinaryOp::Or:
    return a != 0 || b != 0;
  case BinaryOp::BitAnd:
    return a & b;
  case BinaryOp::BitOr:
    return a | b;
  case BinaryOp::BitXor:
    return a ^ b;
  case BinaryOp::ShiftL:
    return static_cast<int64_t>(ua << count);
  case BinaryOp::ShiftR:
    return type == Type::Ulongint ? static_cast<int64_t>(ua >> count)
                                  : a >> count;
  }
  llvm_unreachable("binary operator");
}

template <typename Real>
std::optional<Real> realBinary(BinaryOp op, Real a, Real b) {
  switch (op) {
  case BinaryOp::Add:
    return a + b;
  case BinaryOp::Sub:
    return a - b;
  case BinaryOp::Mul:
    return a * b;
  case BinaryOp::Div:
    if (b == 0) // left to the run, which is the one to say what it means
      return std::nullopt;
    return a / b;
  case BinaryOp::Min:
  case BinaryOp::Max:
  case BinaryOp::MinNaN:
  case BinaryOp::MaxNaN: {
    if (!(a < b || b < a)) // equal, perhaps zeros of two signs, or a NaN
      return std::nullopt;
    bool isLeast = op == BinaryOp::Min || op == BinaryOp::MinNaN;
    return isLeast == (a < b) ? a : b;
  }
  case BinaryOp::Rem:
  case BinaryOp::Pow:
  case BinaryOp::And:
  case BinaryOp::Or:
  case BinaryOp::BitAnd:
  case BinaryOp::BitOr:
  case BinaryOp::BitXor:
  case BinaryOp::ShiftL:
  case BinaryOp::ShiftR:
    return std::nullopt;
  }
  llvm_unreachable("binary operator");
}

template <typename Real>
LiteralExpr *foldReal(Program &program, BinaryOp op, const LiteralExpr &left,
                      const LiteralExpr &right, SourceRange range) {
  std::optional<Real> value = realBinary<Real>(op, left.number, right.number);
  return value ? makeNumber(program, *value, left.type, range) : nullptr;
}

template <typename T> bool compare(CompareOp op, T a, T b) {
  switch (op) {
  case CompareOp::Lt:
    return a < b;
  case CompareOp::Le:
    return a <= b;
  case CompareOp::Gt:
    return a > b;
  case CompareOp::Ge:
    return a >= b;
  case CompareOp::Eq:
    return a == b;
  case CompareOp::Ne:
    return a != b;
  }
  llvm_unreachable("comparison");
}

/// Toward zero; none if the result does not fit \p to.
std::optional<int64_t> truncated(double value, Type to) {
  double whole = std::trunc(value);
  double limit = std::ldexp(1.0, widthOf(to) - (isSigned(to) ? 1 : 0));
  double least = isSigned(to) ? -limit : 0;
  if (!(whole >= least && whole < limit))
    return std::nullopt;
  return to == Type::Ulongint
             ? static_cast<int64_t>(static_cast<uint64_t>(whole))
             : static_cast<int64_t>(whole);
}

/// An integer as a number, in one rounding.
template <typename Real> Real realOf(const LiteralExpr &literal) {
  return literal.type == Type::Ulongint
             ? static_cast<Real>(static_cast<uint64_t>(literal.integer))
             : static_cast<Real>(literal.integer);
}

} // namespace

int64_t wrapped(int64_t value, Type type) {
  if (!isIntegral(type))
    return value;
  if (type == Type::Boolean)
    return value != 0;
  unsigned width = widthOf(type);
  if (width == 64)
    return value;
  uint64_t bits = static_cast<uint64_t>(value) & llvm::maxUIntN(width);
  return isSigned(type) ? llvm::SignExtend64(bits, width)
                        : static_cast<int64_t>(bits);
}

LiteralExpr *foldUnary(Program &program, UnaryOp op, const LiteralExpr &operand,
                       SourceRange range) {
  Type type = operand.type;
  if (type.isFloating()) {
    if (op == UnaryOp::Neg)
      return makeNumber(program, -operand.number, type, range);
    if (op == UnaryOp::Abs)
      return makeNumber(program, std::fabs(operand.number), type, range);
    return nullptr;
  }
  int64_t value = operand.integer;
  uint64_t negated = 0 - static_cast<uint64_t>(value);
  switch (op) {
  case UnaryOp::Neg:
    return makeInteger(program, negated, type, range);
  case UnaryOp::Not:
    return makeInteger(program, value == 0, type, range);
  case UnaryOp::BitNot:
    return makeInteger(program, ~value, type, range);
  case UnaryOp::Abs:
    return makeInteger(program, value < 0 && isSigned(type) ? negated : value,
                       type, range);
  }
  llvm_unreachable("unary operator");
}

/// \p left and \p right put together, or the lesser or greater one.
static LiteralExpr *foldText(Program &program, BinaryOp op,
                             const LiteralExpr &left, const LiteralExpr &right,
                             SourceRange range) {
  auto *made = program.make<LiteralExpr>(Type::String, range);
  bool isLess = left.text < right.text;
  if (op == BinaryOp::Add)
    made->text = left.text + right.text;
  else
    made->text = isLess == (op == BinaryOp::Min) ? left.text : right.text;
  return made;
}

LiteralExpr *foldBinary(Program &program, BinaryOp op, const LiteralExpr &left,
                        const LiteralExpr &right, SourceRange range) {
  Type type = left.type;
  if (type == Type::Float)
    return foldReal<float>(program, op, left, right, range);
  if (type == Type::Double)
    return foldReal<double>(program, op, left, right, range);
  if (type == Type::Quad)
    return foldReal<long double>(program, op, left, right, range);
  if (type == Type::String)
    return foldText(program, op, left, right, range);
  std::optional<int64_t> value =
      integerBinary(op, left.integer, right.integer, type);
  return value ? makeInteger(program, *value, type, range) : nullptr;
}

LiteralExpr *foldCompare(Program &program, CompareOp op,
                         const LiteralExpr &left, const LiteralExpr &right,
                         SourceRange range) {
  bool result;
  if (left.type.isFloating())
    result = compare(op, left.number, right.number);
  else if (left.type == Type::String)
    result = compare(op, left.text.compare(right.text), 0);
  else if (left.type == Type::Ulongint)
    result = compare(op, static_cast<uint64_t>(left.integer),
                     static_cast<uint64_t>(right.integer));
  else
    result = compare(op, left.integer, right.integer);
  return makeInteger(program, result, Type::Boolean, range);
}

LiteralExpr *foldCast(Program &program, Type to, const LiteralExpr &operand,
                      SourceRange range) {
  if (to.isComplex() || operand.type.isComplex())
    return nullptr;
  if (operand.type.isFloating()) {
    if (to.isFloating())
      return makeNumber(program, operand.number, to, range);
    if (to == Type::Boolean)
      return makeInteger(program, operand.number != 0, to, range);
    std::optional<int64_t> value = truncated(operand.number, to);
    return value ? makeInteger(program, *value, to, range) : nullptr;
  }
  // A longint goes to float in one rounding, not by way of double.
  if (to == Type::Float)
    return makeNumber(program, realOf<float>(operand), to, range);
  if (to == Type::Double)
    return makeNumber(program, realOf<double>(operand), to, range);
  if (to == Type::Quad)
    return makeNumber(program, realOf<long double>(operand), to, range);
  return makeInteger(program, operand.integer, to, range);
}

LiteralExpr *foldMath(Program &program, MathFn fn, const LiteralExpr &operand,
                      SourceRange range) {
  Type type = operand.type;
  if (fn == MathFn::Length)
    return makeInteger(program, operand.text.size(), Type::Integer, range);
  if (isIntegral(type)) {
    uint64_t bits = static_cast<uint64_t>(operand.integer);
    uint64_t own = bits & llvm::maxUIntN(widthOf(type));
    if (fn == MathFn::PopCount)
      return makeInteger(program, llvm::popcount(own), type, range);
    if (fn == MathFn::Log2Floor) {
      bool isPositive = isSigned(type) ? operand.integer > 0 : own != 0;
      return makeInteger(program, isPositive ? llvm::Log2_64(own) : -1, type,
                         range);
    }
    return nullptr;
  }
  if (type != Type::Float && type != Type::Double)
    return nullptr;
  double value = operand.number;
  if (fn == MathFn::Sqrt)
    return makeNumber(program,
                      type == Type::Float ? std::sqrt(static_cast<float>(value))
                                          : std::sqrt(value),
                      type, range);
  if (fn == MathFn::Floor)
    return makeNumber(program, std::floor(value), type, range);
  if (fn == MathFn::Ceil)
    return makeNumber(program, std::ceil(value), type, range);
  if (fn == MathFn::Round)
    return makeNumber(program, std::round(value), type, range);
  if (fn == MathFn::Trunc)
    return makeNumber(program, std::trunc(value), type, range);
  return nullptr;
}

bool fitsExactly(const LiteralExpr &literal, Type to) {
  if (!literal.type.isNumeric() || !to.isNumeric())
    return false;
  if (literal.type.isFloating()) {
    if (!isIntegral(to)) // rounding is what a narrower type is for
      return std::isinf(literal.number) || to != Type::Float ||
             std::isfinite(static_cast<float>(literal.number));
    return literal.number == std::trunc(literal.number) &&
           truncated(literal.number, to);
  }
  if (!isIntegral(to))
    return true;
  bool sameSign = literal.integer >= 0 ||
                  (literal.type == Type::Ulongint) == (to == Type::Ulongint);
  return wrapped(literal.integer, to) == literal.integer && sameSign;
}

} // namespace zpl::sema
