//===- Arithmetic.cpp - Operators on values -------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Language section 3, operator by operator:
//
//     integer  2147483647 + 1     = -2147483648     wraps
//     integer  -7 / 2, -7 % 2     = -3, -1          toward zero
//     integer  2 ^ -1             = 0               the true value, truncated
//     double   max(nan, 1)        = 1
//     ubyte := 300.0              = 255             saturates
//
// Integers are computed modulo 2^64 and then cut to the width of their type.
// Floating operations are done in the type itself, not in the long double that
// holds the values: rounding twice is not the same as rounding once.
//
//===----------------------------------------------------------------------===//

#include "Values/Arithmetic.h"
#include "Values/VectorMath.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/ErrorHandling.h"
#include <cmath>
#include <limits>

using zpl::sema::BinaryOp;
using zpl::sema::CompareOp;
using zpl::sema::MathFn;
using zpl::sema::Reduction;
using zpl::sema::UnaryOp;

namespace zpl::interpreter {

/// Calls \p f with zeros of the C++ type that a floating type is.
template <typename F> static long double inType(Type type, F f) {
  if (type == Type::Float)
    return f(float(0));
  return type == Type::Double ? (long double)f(double(0)) : f((long double)0);
}

bool Arithmetic::isTrue(Type type, const Value &value) const {
  if (type.isFloating() || type.isComplex())
    return value.re != 0 || value.im != 0;
  return value.integer != 0;
}

/// A truth value as the 0 or 1 of a type.
static Value logical(Type type, bool truth) {
  return type.isFloating() ? floatingValue(truth) : integerValue(truth);
}

Value Arithmetic::unary(UnaryOp op, Type type, const Value &operand) const {
  Value result = operand;
  switch (op) {
  case UnaryOp::Neg:
    if (type.isFloating() || type.isComplex()) {
      result.re = -result.re;
      result.im = -result.im;
    } else {
      result.integer = wrapTo(type, 0 - uint64_t(result.integer));
    }
    return result;
  case UnaryOp::Not:
    return logical(type, !isTrue(type, operand));
  case UnaryOp::BitNot:
    result.integer = wrapTo(type, ~uint64_t(result.integer));
    return result;
  case UnaryOp::Abs:
    if (type.isFloating())
      result.re = std::fabs(result.re);
    else if (!isUnsigned(type) && result.integer < 0)
      result.integer = wrapTo(type, 0 - uint64_t(result.integer));
    return result;
  }
  llvm_unreachable("unknown unary operator");
}

Value Arithmetic::binary(BinaryOp op, Type type, const Value &left,
                         const Value &right) const {
  if (type.isComplex())
    return complexBinary(op, type, left, right);
  if (type == Type::String) {
    bool isLess = textOf(right) < textOf(left);
    return isLess == (op == BinaryOp::Min) ? right : left;
  }
  if (op == BinaryOp::And)
    return logical(type, isTrue(type, left) && isTrue(type, right));
  if (op == BinaryOp::Or)
    return logical(type, isTrue(type, left) || isTrue(type, right));
  return type.isFloating()
             ? floatingBinary(op, type, left.re, right.re)
             : integerBinary(op, type, left.integer, right.integer);
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// By as many multiplications as the exponent says is slow; by squares.
static uint64_t integerPower(Type type, int64_t base, int64_t exponent) {
  if (!isUnsigned(type) && exponent < 0) {
    // A fraction, but for these.
    if (base == 1)
      return 1;
    return base == -1 ? (exponent % 2 == 0 ? 1 : -1) : 0;
  }
  uint64_t result = 1, square = base;
  for (uint64_t rest = exponent; rest != 0; rest /= 2) {
    if (rest % 2 != 0)
      result *= square;
    square *= square;
  }
  return result;
}

static uint64_t integerQuotient(Type type, int64_t left, int64_t right) {
  if (isUnsigned(type))
    return uint64_t(left) / uint64_t(right);
  return right == -1 ? 0 - uint64_t(left) : left / right;
}

static uint64_t integerRemainder(Type type, int64_t left, int64_t right) {
  if (isUnsigned(type))
    return uint64_t(left) % uint64_t(right);
  return right == -1 ? 0 : left % right;
}

Value Arithmetic::integerBinary(BinaryOp op, Type type, int64_t left,
                                int64_t right) const {
  uint64_t a = left, b = right;
  uint64_t count = b % uint64_t(scalarBits(type)); // of shifts
  bool isLess = isUnsigned(type) ? a < b : left < right;
  auto wrapped = [&](uint64_t result) {
    return integerValue(wrapTo(type, result));
  };
  switch (op) {
  case BinaryOp::Add:
    return wrapped(a + b);
  case BinaryOp::Sub:
    return wrapped(a - b);
  case BinaryOp::Mul:
    return wrapped(a * b);
  case BinaryOp::Div:
    return wrapped(integerQuotient(type, left, right));
  case BinaryOp::Rem:
    return wrapped(integerRemainder(type, left, right));
  case BinaryOp::Pow:
    return wrapped(integerPower(type, left, right));
  case BinaryOp::Min:
    return integerValue(isLess ? left : right);
  case BinaryOp::Max:
    return integerValue(isLess ? right : left);
  case BinaryOp::BitAnd:
    return wrapped(a & b);
  case BinaryOp::BitOr:
    return wrapped(a | b);
  case BinaryOp::BitXor:
    return wrapped(a ^ b);
  case BinaryOp::ShiftL:
    return wrapped(a << count);
  case BinaryOp::ShiftR:
    return wrapped(isUnsigned(type) ? a >> count : left >> count);
  case BinaryOp::MinNaN:
  case BinaryOp::MaxNaN:
  case BinaryOp::And:
  case BinaryOp::Or:
    break;
  }
  llvm_unreachable("not an operator on integers");
}

//===----------------------------------------------------------------------===//
// Floating numbers
//===----------------------------------------------------------------------===//

/// The other one wins over a NaN; of equal ones the right one.
static long double extremum(bool isMax, long double left, long double right) {
  if (std::isnan(right))
    return left;
  return (isMax ? left > right : left < right) ? left : right;
}

/// A NaN, the same for all, wins; and the zeros are in order.
static long double numberExtremum(bool isMax, long double left,
                                  long double right) {
  if (std::isnan(left) || std::isnan(right))
    return std::numeric_limits<long double>::quiet_NaN();
  if (left == right)
    return std::signbit(left) == isMax ? right : left;
  return (left > right) == isMax ? left : right;
}

template <typename T> T Arithmetic::power(T x, T y) const {
  if (usesVectorMath)
    if (std::optional<T> value = vectorMath("pow", x, y))
      return *value;
  return std::pow(x, y);
}

Value Arithmetic::floatingBinary(BinaryOp op, Type type, long double left,
                                 long double right) const {
  auto compute = [&](auto zero) -> decltype(zero) {
    using T = decltype(zero);
    T a = T(left), b = T(right);
    switch (op) {
    case BinaryOp::Add:
      return a + b;
    case BinaryOp::Sub:
      return a - b;
    case BinaryOp::Mul:
      return a * b;
    case BinaryOp::Div:
      return a / b;
    case BinaryOp::Rem:
      return std::fmod(a, b);
    case BinaryOp::Pow:
      return power(a, b);
    case BinaryOp::Min:
      return T(extremum(false, left, right));
    case BinaryOp::Max:
      return T(extremum(true, left, right));
    case BinaryOp::MinNaN:
      return T(numberExtremum(false, left, right));
    case BinaryOp::MaxNaN:
      return T(numberExtremum(true, left, right));
    case BinaryOp::And:
    case BinaryOp::Or:
    case BinaryOp::BitAnd:
    case BinaryOp::BitOr:
    case BinaryOp::BitXor:
    case BinaryOp::ShiftL:
    case BinaryOp::ShiftR:
      break;
    }
    llvm_unreachable("not an operator on floating numbers");
  };
  return floatingValue(inType(type, compute));
}

long double Arithmetic::fma(Type type, long double a, long double b,
                            long double c) const {
  return inType(type, [&](auto zero) -> decltype(zero) {
    using T = decltype(zero);
    return fuses ? std::fma(T(a), T(b), T(c)) : T(a) * T(b) + T(c);
  });
}

//===----------------------------------------------------------------------===//
// Comparisons and conversions
//===----------------------------------------------------------------------===//

/// The operator on two values that can be compared.
template <typename T> static bool compareAs(CompareOp op, T left, T right) {
  switch (op) {
  case CompareOp::Lt:
    return left < right;
  case CompareOp::Le:
    return left <= right;
  case CompareOp::Gt:
    return left > right;
  case CompareOp::Ge:
    return left >= right;
  case CompareOp::Eq:
    return left == right;
  case CompareOp::Ne:
    return left != right;
  }
  llvm_unreachable("unknown comparison");
}

bool Arithmetic::compare(CompareOp op, Type type, const Value &left,
                         const Value &right) const {
  if (type.isFloating())
    return compareAs(op, left.re, right.re);
  if (type.isComplex()) { // = and != only
    bool same = left.re == right.re && left.im == right.im;
    return same == (op == CompareOp::Eq);
  }
  if (type == Type::String)
    return compareAs(op, textOf(left).compare(textOf(right)), 0);
  if (isUnsigned(type))
    return compareAs(op, uint64_t(left.integer), uint64_t(right.integer));
  return compareAs(op, left.integer, right.integer);
}

/// Toward zero; what is too large becomes the nearest that fits, a NaN 0.
static int64_t truncated(Type type, long double number) {
  int width = scalarBits(type);
  long double limit = std::ldexp(1.0L, isUnsigned(type) ? width : width - 1);
  long double least = isUnsigned(type) ? 0 : -limit;
  uint64_t greatest = ~uint64_t(0) >> (64 - width + !isUnsigned(type));
  if (std::isnan(number))
    return 0;
  if (number <= least)
    return isUnsigned(type) ? 0 : wrapTo(type, greatest + 1);
  if (number >= limit)
    return int64_t(greatest);
  return number < 0 ? int64_t(number) : int64_t(uint64_t(number));
}

Value Arithmetic::cast(Type from, Type to, const Value &operand) const {
  if (from == to)
    return operand;
  if (to == Type::Boolean)
    return integerValue(isTrue(from, operand));
  Value result;
  if (to.isFloating() || to.isComplex()) {
    if (from.isFloating() || from.isComplex()) {
      result.re = roundTo(to, operand.re);
      result.im =
          to.isComplex() && from.isComplex() ? roundTo(to, operand.im) : 0;
      return result;
    }
    // In one rounding from the integer.
    Type part = to.isComplex() ? componentOf(to) : to;
    result.re = inType(part, [&](auto zero) {
      using T = decltype(zero);
      return isUnsigned(from) ? T(uint64_t(operand.integer))
                              : T(operand.integer);
    });
    return result;
  }
  result.integer = from.isFloating() ? truncated(to, operand.re)
                                     : wrapTo(to, operand.integer);
  return result;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

template <typename T> static T cFunction(MathFn fn, T x, T y) {
#define C_FUNCTION(Id, name)                                                   \
  {MathFn::Id, [](T x, T) -> T { return std::name(x); }}
#define C_FUNCTION_OF_TWO(Id, name)                                            \
  {MathFn::Id, [](T x, T y) -> T { return std::name(x, y); }}
  static constexpr std::pair<MathFn, T (*)(T, T)> Functions[] = {
      C_FUNCTION(Sqrt, sqrt),
      C_FUNCTION(Floor, floor),
      C_FUNCTION(Ceil, ceil),
      C_FUNCTION(Round, round),
      C_FUNCTION(Trunc, trunc),
      C_FUNCTION(Cbrt, cbrt),
      C_FUNCTION(Exp, exp),
      C_FUNCTION(Log, log),
      C_FUNCTION(Log10, log10),
      C_FUNCTION(Log2, log2),
      C_FUNCTION(Sin, sin),
      C_FUNCTION(Cos, cos),
      C_FUNCTION(Tan, tan),
      C_FUNCTION(Asin, asin),
      C_FUNCTION(Acos, acos),
      C_FUNCTION(Atan, atan),
      C_FUNCTION_OF_TWO(Atan2, atan2),
      C_FUNCTION(Sinh, sinh),
      C_FUNCTION(Cosh, cosh),
      C_FUNCTION(Tanh, tanh),
      C_FUNCTION_OF_TWO(Hypot, hypot)};
#undef C_FUNCTION_OF_TWO
#undef C_FUNCTION
  for (const auto &[known, function] : Functions)
    if (known == fn)
      return function(x, y);
  llvm_unreachable("not a function of the C library");
}

/// C's name on doubles.
static llvm::StringRef nameOf(MathFn fn) {
  constexpr llvm::StringLiteral Names[] = {
#define AIR_MATH(Id, text, arity) text,
#include "zpl/ArrayIR/Ops.def"
  };
  return Names[static_cast<unsigned>(fn)];
}

template <typename T> T Arithmetic::libraryFunction(MathFn fn, T x, T y) const {
  if (usesVectorMath)
    if (std::optional<T> value = vectorMath(nameOf(fn), x, y))
      return *value;
  return cFunction(fn, x, y);
}

/// The binary logarithm of an integer, rounded down; of what is not positive
/// all bits.
static Value log2Floor(Type type, int64_t x) {
  bool isPositive = isUnsigned(type) ? x != 0 : x > 0;
  return integerValue(isPositive ? 63 - llvm::countl_zero(uint64_t(x))
                                 : wrapTo(type, ~uint64_t(0)));
}

/// The number of a key and four words, in 0..1: of the first or the second half
/// of what Philox makes of them.
static double uniformRandom(llvm::ArrayRef<Value> args, bool isSecond) {
  std::array<uint32_t, 4> place;
  for (unsigned k = 0; k != place.size(); ++k)
    place[k] = uint32_t(args[k + 1].integer);
  std::array<uint32_t, 4> words = philox(place, uint64_t(args[0].integer));
  unsigned first = isSecond ? 2 : 0;
  uint64_t bits = uint64_t(words[first]) << 32 | words[first + 1];
  return std::ldexp(double(bits >> 11), -53);
}

Value Arithmetic::math(MathFn fn, Type type, llvm::ArrayRef<Value> args) const {
  if (type.isComplex())
    return complexMath(fn, type, args[0]);
  if (fn == MathFn::Log2Floor)
    return log2Floor(type, args[0].integer);
  if (fn == MathFn::PopCount) {
    uint64_t bits = uint64_t(args[0].integer) << (64 - scalarBits(type));
    return integerValue(llvm::popcount(bits));
  }
  if (fn == MathFn::Ran)
    return floatingValue(numberedRandom(args[0].integer));
  if (fn == MathFn::Uniform || fn == MathFn::Uniform2)
    return floatingValue(uniformRandom(args, fn == MathFn::Uniform2));
  if (fn == MathFn::Locale)
    return integerValue(0);
  if (fn == MathFn::SameFile) // all that failed to open are znull
    return integerValue(std::max<int64_t>(args[0].integer, 0) ==
                        std::max<int64_t>(args[1].integer, 0));
  if (fn == MathFn::Ldexp)
    return floatingValue(inType(type, [&](auto zero) {
      return std::ldexp(decltype(zero)(args[0].re), int(args[1].integer));
    }));
  long double second = args.size() > 1 ? args[1].re : 0;
  return floatingValue(inType(type, [&](auto zero) {
    using T = decltype(zero);
    return libraryFunction<T>(fn, T(args[0].re), T(second));
  }));
}

/// SplitMix64: the number \p k of the sequence that begins at \p start.
static double randomNumber(uint64_t start, uint64_t k) {
  uint64_t z = start + k * 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  z ^= z >> 31;
  return std::ldexp(double(z >> 11), -53);
}

std::array<uint32_t, 4> philox(std::array<uint32_t, 4> x, uint64_t seed) {
  uint32_t k0 = uint32_t(seed), k1 = uint32_t(seed >> 32);
  for (int round = 0; round != 10; ++round) {
    uint64_t a = uint64_t(0xD2511F53) * x[0];
    uint64_t b = uint64_t(0xCD9E8D57) * x[2];
    x = {uint32_t(b >> 32) ^ x[1] ^ k0, uint32_t(b),
         uint32_t(a >> 32) ^ x[3] ^ k1, uint32_t(a)};
    k0 += 0x9E3779B9;
    k1 += 0xBB67AE85;
  }
  return x;
}

double numberedRandom(int64_t k) {
  return randomNumber(0x6A09E667F3BCC909u, uint64_t(k));
}
double steppedRandom(uint64_t k) { return randomNumber(0, k); }

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

Value Arithmetic::identity(Reduction op, Type type) const {
  constexpr long double Infinity = std::numeric_limits<long double>::infinity();
  bool isMax = op == Reduction::Max || op == Reduction::MaxNaN;
  switch (op) {
  case Reduction::Sum:
  case Reduction::Or:
  case Reduction::BitOr:
  case Reduction::BitXor:
    return Value();
  case Reduction::Product:
  case Reduction::And: {
    bool isReal = type.isFloating() || type.isComplex();
    return isReal ? floatingValue(1) : integerValue(1);
  }
  case Reduction::BitAnd:
    return integerValue(wrapTo(type, ~uint64_t(0)));
  case Reduction::Max:
  case Reduction::Min:
  case Reduction::MaxNaN:
  case Reduction::MinNaN:
    break;
  }
  if (type.isFloating())
    return floatingValue(isMax ? -Infinity : Infinity);
  if (type == Type::Boolean)
    return integerValue(!isMax);
  if (type == Type::String) {
    static const std::string First, Last(8, '\377');
    Value value;
    value.text = isMax ? &First : &Last;
    return value;
  }
  int64_t greatest =
      int64_t(~uint64_t(0) >> (64 - scalarBits(type) + !isUnsigned(type)));
  int64_t least = isUnsigned(type) ? 0 : -greatest - 1;
  return integerValue(isMax ? least : greatest);
}

static BinaryOp operatorOf(Reduction op) {
  switch (op) {
  case Reduction::Sum:
    return BinaryOp::Add;
  case Reduction::Product:
    return BinaryOp::Mul;
  case Reduction::Max:
    return BinaryOp::Max;
  case Reduction::Min:
    return BinaryOp::Min;
  case Reduction::And:
    return BinaryOp::And;
  case Reduction::Or:
    return BinaryOp::Or;
  case Reduction::BitAnd:
    return BinaryOp::BitAnd;
  case Reduction::BitOr:
    return BinaryOp::BitOr;
  case Reduction::BitXor:
    return BinaryOp::BitXor;
  case Reduction::MaxNaN:
    return BinaryOp::MaxNaN;
  case Reduction::MinNaN:
    return BinaryOp::MinNaN;
  }
  llvm_unreachable("unknown reduction");
}

Value Arithmetic::step(Reduction op, Type type, const Value &accumulator,
                       const Value &value) const {
  if (op == Reduction::Product && type.isComplex())
    return foldedProduct(type, accumulator, value);
  return binary(operatorOf(op), type, accumulator, value);
}

Value Arithmetic::finish(Reduction op, Type type, Value accumulator) const {
  bool isExtremum = op == Reduction::Max || op == Reduction::Min ||
                    op == Reduction::MaxNaN || op == Reduction::MinNaN;
  if (isExtremum && type.isFloating())
    accumulator.re += 0.0L;
  return accumulator;
}

} // namespace zpl::interpreter
