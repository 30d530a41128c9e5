//===- Fold.cpp - Constant folding ----------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     const k: integer = 2^31 - 1;        -- 2147483647
//     direction far = [0, -k % 4];        -- a compile-time direction
//
// Directions, bounds and small exponents steer what the compiler does, so
// their constants must be known. Folding follows the rules of the run: integers
// are computed modulo 2^64 and then wrapped to their width; float arithmetic is
// rounded to float after each operation; floating values convert to integers
// by truncation and saturate. Functions of the C library are not folded: their
// last digit belongs to the machine that runs the program.
//
// Cost: constant per operation (logarithmic for a power).
//
//===----------------------------------------------------------------------===//

#include "Fold.h"

#include "Types.h"
#include "llvm/Support/ErrorHandling.h"

#include <cmath>
#include <limits>

namespace zpl::sema {

namespace {

LiteralExpr *makeInteger(Program &program, int64_t value, ScalarType type,
                         SourceRange range) {
  auto *literal = program.make<LiteralExpr>(type, range);
  literal->integer = wrapped(value, type);
  return literal;
}

LiteralExpr *makeNumber(Program &program, double value, ScalarType type,
                        SourceRange range) {
  auto *literal = program.make<LiteralExpr>(type, range);
  literal->number =
      type == ScalarType::Float ? static_cast<float>(value) : value;
  return literal;
}

unsigned widthOf(ScalarType type) {
  return type == ScalarType::Longint ? 64 : 32;
}

/// base ^ exponent modulo 2^64; a negative exponent truncates the true value.
std::optional<int64_t> integerPower(int64_t base, int64_t exponent) {
  if (exponent < 0) {
    if (base == 0)
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

std::optional<int64_t> divide(BinaryOp op, int64_t a, int64_t b) {
  if (b == 0)
    return std::nullopt;
  if (b == -1) // the least value divided by -1 wraps
    return op == BinaryOp::Div
               ? static_cast<int64_t>(0 - static_cast<uint64_t>(a))
               : 0;
  return op == BinaryOp::Div ? a / b : a % b;
}

std::optional<int64_t> integerBinary(BinaryOp op, int64_t a, int64_t b,
                                     ScalarType type) {
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
    return divide(op, a, b);
  case BinaryOp::Pow:
    return integerPower(a, b);
  case BinaryOp::Min:
    return std::min(a, b);
  case BinaryOp::Max:
    return std::max(a, b);
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
    return a >> count;
  }
  llvm_unreachable("binary operator");
}

template <typename Real>
std::optional<double> realBinary(BinaryOp op, Real a, Real b) {
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
  case BinaryOp::Rem:
  case BinaryOp::Pow:
  case BinaryOp::Min:
  case BinaryOp::Max:
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

int64_t truncated(double value, ScalarType to) {
  if (std::isnan(value))
    return 0;
  double limit = std::ldexp(1.0, widthOf(to) - 1);
  if (value >= limit)
    return to == ScalarType::Longint ? std::numeric_limits<int64_t>::max()
                                     : std::numeric_limits<int32_t>::max();
  if (value < -limit)
    return to == ScalarType::Longint ? std::numeric_limits<int64_t>::min()
                                     : std::numeric_limits<int32_t>::min();
  return static_cast<int64_t>(value);
}

} // namespace

int64_t wrapped(int64_t value, ScalarType type) {
  if (type == ScalarType::Boolean)
    return value != 0;
  return type == ScalarType::Integer
             ? static_cast<int32_t>(static_cast<uint32_t>(value))
             : value;
}

LiteralExpr *foldUnary(Program &program, UnaryOp op, const LiteralExpr &operand,
                       SourceRange range) {
  ScalarType type = operand.type;
  if (isFloating(type)) {
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
    return makeInteger(program, value < 0 ? negated : value, type, range);
  }
  llvm_unreachable("unary operator");
}

LiteralExpr *foldBinary(Program &program, BinaryOp op, const LiteralExpr &left,
                        const LiteralExpr &right, SourceRange range) {
  ScalarType type = left.type;
  if (isFloating(type)) {
    std::optional<double> value =
        type == ScalarType::Float
            ? realBinary<float>(op, left.number, right.number)
            : realBinary<double>(op, left.number, right.number);
    return value ? makeNumber(program, *value, type, range) : nullptr;
  }
  std::optional<int64_t> value =
      integerBinary(op, left.integer, right.integer, type);
  return value ? makeInteger(program, *value, type, range) : nullptr;
}

LiteralExpr *foldCompare(Program &program, CompareOp op,
                         const LiteralExpr &left, const LiteralExpr &right,
                         SourceRange range) {
  bool result = isFloating(left.type) ? compare(op, left.number, right.number)
                : left.type == ScalarType::String
                    ? compare(op, left.text.compare(right.text), 0)
                    : compare(op, left.integer, right.integer);
  return makeInteger(program, result, ScalarType::Boolean, range);
}

LiteralExpr *foldCast(Program &program, ScalarType to,
                      const LiteralExpr &operand, SourceRange range) {
  if (isFloating(operand.type)) {
    if (isFloating(to))
      return makeNumber(program, operand.number, to, range);
    int64_t value = to == ScalarType::Boolean ? operand.number != 0
                                              : truncated(operand.number, to);
    return makeInteger(program, value, to, range);
  }
  if (!isFloating(to))
    return makeInteger(program, operand.integer, to, range);
  // A longint goes to float in one rounding, not by way of double.
  double value = to == ScalarType::Float ? static_cast<float>(operand.integer)
                                         : static_cast<double>(operand.integer);
  return makeNumber(program, value, to, range);
}

} // namespace zpl::sema
