//===- Arithmetic.cpp - The fixed arithmetic of expressions ---------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tree that Sema makes is the arithmetic: later phases share and reuse
// values but never regroup them, so every optimization level and every
// processor count computes the same bits. Two things are decided here.
//
// Fused multiply-adds. In
//
//     T := a * A + b * B;        D := C - a * B;
//
// the product that is a direct operand of + or -, the left one of two, is not
// rounded before the addition:
//
//     T := fma(a, A, b * B)      D := fma(-a, B, C)
//
//     a*b + c = fma(a, b, c)     c + a*b = fma(a, b, c)
//     a*b - c = fma(a, b, -c)    c - a*b = fma(-a, b, c)
//
// A negation is exact, so these have the value the source means. A product that
// is converted first, or negated as a whole, is not a direct operand.
//
// Small powers. x^2, x^3 and x^4 (also sqr and cube) become x*x, (x*x)*x and
// (x*x)*(x*x), as products like any other. The operand's tree is shared, so it
// must be worth evaluating twice: no calls or array operators in it, and not
// large.
// Otherwise, and for other exponents, the operator pow stays.
//
// Cost: constant per node; for a power, a walk over at most MostShared nodes.
//
//===----------------------------------------------------------------------===//

#include "Tree/Builder.h"

#include "Arithmetic/Fold.h"
#include "Types/Types.h"
#include "zpl/Sema/Visit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

#include <algorithm>

namespace zpl::sema {

namespace {

/// Nodes of an operand that a power may repeat.
constexpr unsigned MostShared = 32;

bool isLight(const Expr *e, unsigned &budget);

/// isLight() of each kind of expression; its own node is paid for.
struct LightNodes {
  unsigned &budget;

  bool all(llvm::ArrayRef<const Expr *> operands) {
    return llvm::all_of(operands, [&](const Expr *operand) {
      return isLight(operand, budget);
    });
  }
  bool of(const OneOf<LiteralExpr, VariableExpr, ComponentExpr, ArrayExpr,
                      IndexExpr, ProcessorsExpr, GridPlaceExpr> auto &) {
    return true;
  }
  bool of(const OneOf<UnaryExpr, CastExpr> auto &e) { return all(e.operand); }
  bool of(const OneOf<BinaryExpr, CompareExpr> auto &e) {
    return all({e.left, e.right});
  }
  bool of(const FmaExpr &e) { return all({e.a, e.b, e.c}); }
  bool of(const MathExpr &e) { return all(e.args); }
  bool of(const FieldExpr &e) { return all(e.base); }
  bool of(const SubscriptExpr &e) { return all(e.base) && all(e.subscripts); }
  bool of(const ComplexExpr &e) { return all({e.re, e.im}); }
  bool of(const OneOf<CallExpr, ReduceExpr, FloodExpr, ScanExpr, GatherExpr,
                      EnclosingMaskExpr, RegionValueExpr, DirectionValueExpr,
                      RegionBoundExpr, IrvExpr, PatternExpr, InsideExpr,
                      TimerExpr, BuiltinExpr> auto &) {
    return false;
  }
};

/// Whether \p e has no calls or array operators, and at most \p budget nodes,
/// which are taken off it.
bool isLight(const Expr *e, unsigned &budget) {
  if (budget == 0)
    return false;
  --budget;
  return visitKind(
      *e, [&](const auto &known) { return LightNodes{budget}.of(known); });
}

const BinaryExpr *asProduct(const Expr *e) {
  auto *binary = llvm::dyn_cast<BinaryExpr>(e);
  return binary && binary->op == BinaryOp::Mul ? binary : nullptr;
}

/// The value of a constant that is a whole number.
std::optional<int64_t> wholeNumber(const Expr *e) {
  auto *literal = llvm::dyn_cast<LiteralExpr>(e);
  if (!literal)
    return std::nullopt;
  if (isIntegral(literal->type))
    return literal->integer;
  if (!literal->type.isFloating())
    return std::nullopt;
  auto value = static_cast<int64_t>(std::clamp(
      literal->number, -1000.0, 1000.0)); // larger ones are not small
  if (static_cast<double>(value) != literal->number)
    return std::nullopt;
  return value;
}

} // namespace

const Expr *Builder::error(SourceRange range) {
  return program.make<LiteralExpr>(Type::Error, range);
}

LiteralExpr *Builder::integer(int64_t value, Type type, SourceRange range) {
  auto *literal = program.make<LiteralExpr>(type, range);
  literal->integer = wrapped(value, type);
  return literal;
}

LiteralExpr *Builder::number(double value, Type type, SourceRange range) {
  auto *literal = program.make<LiteralExpr>(type, range);
  literal->number = type == Type::Float ? static_cast<float>(value) : value;
  return literal;
}

LiteralExpr *Builder::string(llvm::StringRef text, SourceRange range) {
  auto *literal = program.make<LiteralExpr>(Type::String, range);
  literal->text = text.str();
  return literal;
}

LiteralExpr *Builder::file(int64_t number, SourceRange range) {
  auto *literal = program.make<LiteralExpr>(Type::File, range);
  literal->integer = number;
  return literal;
}

bool Builder::isLight(const Expr *e) {
  unsigned budget = MostShared;
  return sema::isLight(e, budget);
}

void Builder::inherit(Expr &node, llvm::ArrayRef<const Expr *> operands) {
  for (const Expr *operand : operands) {
    node.isFree |= operand->isFree;
    node.minRank = std::max(node.minRank, operand->minRank);
    if (operand->rank == 0)
      continue;
    // A definite rank wins over that of an expression of Index alone.
    if (node.rank == 0 || node.rank == Expr::AnyRank)
      node.rank = operand->rank;
  }
}

const Expr *Builder::cast(const Expr *operand, Type to) {
  if (operand->type == to || isError(operand) || to == Type::Error)
    return operand;
  if (auto *literal = llvm::dyn_cast<LiteralExpr>(operand))
    if (const Expr *folded = foldCast(program, to, *literal, operand->range))
      return folded;
  auto *node = program.make<CastExpr>(to, operand, operand->range);
  inherit(*node, operand);
  return node;
}

const Expr *Builder::unary(UnaryOp op, const Expr *operand, SourceRange range) {
  if (auto *literal = llvm::dyn_cast<LiteralExpr>(operand))
    if (const Expr *folded = foldUnary(program, op, *literal, range))
      return folded;
  auto *node = program.make<UnaryExpr>(op, operand, operand->type, range);
  inherit(*node, operand);
  return node;
}

const Expr *Builder::fused(BinaryOp op, const Expr *left, const Expr *right,
                           SourceRange range) {
  const BinaryExpr *product = asProduct(left);
  bool leftIsProduct = product != nullptr;
  if (!product)
    product = asProduct(right);
  if (!product)
    return nullptr;
  const Expr *a = product->left;
  const Expr *c = leftIsProduct ? right : left;
  if (op == BinaryOp::Sub && leftIsProduct)
    c = unary(UnaryOp::Neg, c, c->range);
  if (op == BinaryOp::Sub && !leftIsProduct)
    a = unary(UnaryOp::Neg, a, a->range);
  auto *node = program.make<FmaExpr>(a, product->right, c, c->type, range);
  inherit(*node, {a, product->right, c});
  return node;
}

const Expr *Builder::binary(BinaryOp op, const Expr *left, const Expr *right,
                            SourceRange range) {
  auto *leftLiteral = llvm::dyn_cast<LiteralExpr>(left);
  auto *rightLiteral = llvm::dyn_cast<LiteralExpr>(right);
  if (leftLiteral && rightLiteral)
    if (const Expr *folded =
            foldBinary(program, op, *leftLiteral, *rightLiteral, range))
      return folded;
  bool mayFuse = left->type == Type::Float || left->type == Type::Double;
  if (mayFuse && (op == BinaryOp::Add || op == BinaryOp::Sub))
    if (const Expr *fma = fused(op, left, right, range))
      return fma;
  auto *node = program.make<BinaryExpr>(op, left, right, left->type, range);
  inherit(*node, {left, right});
  return node;
}

const Expr *Builder::compare(CompareOp op, const Expr *left, const Expr *right,
                             SourceRange range) {
  auto *leftLiteral = llvm::dyn_cast<LiteralExpr>(left);
  auto *rightLiteral = llvm::dyn_cast<LiteralExpr>(right);
  if (leftLiteral && rightLiteral)
    return foldCompare(program, op, *leftLiteral, *rightLiteral, range);
  auto *node = program.make<CompareExpr>(op, left, right, range);
  inherit(*node, {left, right});
  return node;
}

const Expr *Builder::math(MathFn fn, llvm::ArrayRef<const Expr *> args,
                          Type type, SourceRange range) {
  if (args.size() == 1)
    if (auto *literal = llvm::dyn_cast<LiteralExpr>(args.front()))
      if (const Expr *folded = foldMath(program, fn, *literal, range))
        return folded;
  auto *node = program.make<MathExpr>(fn, args, type, range);
  inherit(*node, args);
  return node;
}

const Expr *Builder::field(const Expr *base, unsigned field, Type type,
                           SourceRange range) {
  auto *node = program.make<FieldExpr>(base, field, type, range);
  inherit(*node, base);
  return node;
}

const Expr *Builder::subscript(const Expr *base,
                               llvm::ArrayRef<const Expr *> subscripts,
                               llvm::StringRef text, SourceRange range) {
  auto *node = program.make<SubscriptExpr>(base, subscripts,
                                           base->type.info()->element, range);
  node->text = text.str();
  inherit(*node, base);
  inherit(*node, subscripts);
  return node;
}

const Expr *Builder::part(const Expr *complex, unsigned part) {
  if (auto *made = llvm::dyn_cast<ComplexExpr>(complex))
    return part == 0 ? made->re : made->im;
  return field(complex, part, componentOf(complex->type), complex->range);
}

const Expr *Builder::complex(const Expr *re, const Expr *im,
                             SourceRange range) {
  auto *node = program.make<ComplexExpr>(re, im, complexOf(re->type), range);
  inherit(*node, {re, im});
  return node;
}

const Expr *Builder::product(const Expr *base, unsigned count,
                             SourceRange range) {
  if (count == 1)
    return base;
  if (!isLight(base))
    return binary(BinaryOp::Pow, base,
                  cast(integer(count, Type::Integer, range), base->type),
                  range);
  const Expr *square = binary(BinaryOp::Mul, base, base, range);
  if (count == 2)
    return square;
  return binary(BinaryOp::Mul, square, count == 3 ? base : square, range);
}

const Expr *Builder::power(const Expr *base, const Expr *exponent, Type type,
                           SourceRange range) {
  std::optional<int64_t> count = wholeNumber(exponent);
  base = cast(base, type);
  if (count && 1 <= *count && *count <= 4)
    return product(base, *count, range);
  return binary(BinaryOp::Pow, base, cast(exponent, type), range);
}

} // namespace zpl::sema
