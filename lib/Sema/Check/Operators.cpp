//===- Operators.cpp - Types and ranks of operations ----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     b: boolean; i: integer; f: float; A: [R] double; V: [S] double;
//
//     i + f      both as float, a float
//     b & i      both as integer, an integer 0 or 1
//     i < f = b  (i < f) = b: comparisons chain from the left
//     i ^ f      both as double
//     f = g      of files: whether they are the same
//     u := i     converted, with a warning that ubyte is narrower
//     A + i      i as double; rank 2
//     A + V      an error that shows both operands and their declarations
//
//===----------------------------------------------------------------------===//

#include "Check/Operators.h"
#include "Arithmetic/Fold.h"
#include "Check/Checking.h"
#include "Check/StringFunctions.h"
#include "Check/Values.h"
#include "Tree/Walk.h"
#include "Types/Types.h"
#include "llvm/Support/ErrorHandling.h"

namespace zpl::sema {

namespace {

/// What an operator asks of its operands.
enum class OperatorKind : uint8_t { Arithmetic, Power, Logical, Comparison };

OperatorKind kindOf(ast::BinaryOp op) {
  switch (op) {
  case ast::BinaryOp::Add:
  case ast::BinaryOp::Sub:
  case ast::BinaryOp::Mul:
  case ast::BinaryOp::Div:
  case ast::BinaryOp::Rem:
  case ast::BinaryOp::Max:
  case ast::BinaryOp::Min:
    return OperatorKind::Arithmetic;
  case ast::BinaryOp::Pow:
    return OperatorKind::Power;
  case ast::BinaryOp::Lt:
  case ast::BinaryOp::Le:
  case ast::BinaryOp::Gt:
  case ast::BinaryOp::Ge:
  case ast::BinaryOp::Eq:
  case ast::BinaryOp::Ne:
    return OperatorKind::Comparison;
  case ast::BinaryOp::And:
  case ast::BinaryOp::Or:
    return OperatorKind::Logical;
  }
  llvm_unreachable("binary operator");
}

bool isEquality(ast::BinaryOp op) {
  return op == ast::BinaryOp::Eq || op == ast::BinaryOp::Ne;
}

/// The type in which the operands of a comparison meet.
std::optional<Type> comparedType(ast::BinaryOp op, Type left, Type right) {
  bool isSame = left == right;
  if (isSame && (left == Type::String || left == Type::Enum) &&
      (isEquality(op) || !isDistributionValue(left)))
    return left;
  if (isSame && (left == Type::File || left == Type::Boolean) && isEquality(op))
    return left;
  if (!left.isNumeric() || !right.isNumeric())
    return std::nullopt;
  Type type = commonType(left, right);
  if (type.isComplex() && !isEquality(op))
    return std::nullopt;
  return type;
}

/// The type in which the operands meet, if the operator takes them.
std::optional<Type> operandType(ast::BinaryOp op, Type left, Type right) {
  OperatorKind kind = kindOf(op);
  if (kind == OperatorKind::Comparison)
    return comparedType(op, left, right);
  auto isText = [](Type type) {
    return type == Type::String || type == Type::Char;
  };
  if (op == ast::BinaryOp::Add && isText(left) && isText(right) &&
      (left == Type::String || right == Type::String))
    return Type::String;
  if (!left.isNumeric() || !right.isNumeric())
    return std::nullopt;
  Type type = commonType(left, right);
  bool isOrdered = op == ast::BinaryOp::Rem || op == ast::BinaryOp::Max ||
                   op == ast::BinaryOp::Min;
  switch (kind) {
  case OperatorKind::Arithmetic:
    if (type.isComplex() && isOrdered)
      return std::nullopt;
    return type;
  case OperatorKind::Power:
    if (type == Type::Float)
      return Type::Double;
    return type == Type::Complex ? Type(Type::Dcomplex) : type;
  case OperatorKind::Logical:
    if (!isIntegral(type))
      return std::nullopt;
    if (left == Type::Boolean && right == Type::Boolean)
      return Type::Boolean;
    return type;
  case OperatorKind::Comparison:
    break;
  }
  llvm_unreachable("kind of operator");
}

std::optional<CompareOp> comparisonOf(ast::BinaryOp op) {
  switch (op) {
  case ast::BinaryOp::Lt:
    return CompareOp::Lt;
  case ast::BinaryOp::Le:
    return CompareOp::Le;
  case ast::BinaryOp::Gt:
    return CompareOp::Gt;
  case ast::BinaryOp::Ge:
    return CompareOp::Ge;
  case ast::BinaryOp::Eq:
    return CompareOp::Eq;
  case ast::BinaryOp::Ne:
    return CompareOp::Ne;
  case ast::BinaryOp::Add:
  case ast::BinaryOp::Sub:
  case ast::BinaryOp::Mul:
  case ast::BinaryOp::Div:
  case ast::BinaryOp::Rem:
  case ast::BinaryOp::Pow:
  case ast::BinaryOp::And:
  case ast::BinaryOp::Or:
  case ast::BinaryOp::Max:
  case ast::BinaryOp::Min:
    return std::nullopt;
  }
  llvm_unreachable("binary operator");
}

BinaryOp arithmeticOf(ast::BinaryOp op) {
  switch (op) {
  case ast::BinaryOp::Add:
    return BinaryOp::Add;
  case ast::BinaryOp::Sub:
    return BinaryOp::Sub;
  case ast::BinaryOp::Mul:
    return BinaryOp::Mul;
  case ast::BinaryOp::Div:
    return BinaryOp::Div;
  case ast::BinaryOp::Rem:
    return BinaryOp::Rem;
  case ast::BinaryOp::And:
    return BinaryOp::And;
  case ast::BinaryOp::Or:
    return BinaryOp::Or;
  case ast::BinaryOp::Max:
    return BinaryOp::Max;
  case ast::BinaryOp::Min:
    return BinaryOp::Min;
  case ast::BinaryOp::Pow:
  case ast::BinaryOp::Lt:
  case ast::BinaryOp::Le:
  case ast::BinaryOp::Gt:
  case ast::BinaryOp::Ge:
  case ast::BinaryOp::Eq:
  case ast::BinaryOp::Ne:
    break;
  }
  llvm_unreachable("comparisons and powers are made elsewhere");
}

/// What takes the place of strings that are joined or formatted.
llvm::StringRef stringHint(ast::BinaryOp op, Type left, Type right) {
  if (left != Type::String && right != Type::String)
    return "";
  if (op == ast::BinaryOp::Rem)
    return "; 'format(\"%d\", k)' makes a string by a format";
  if (op == ast::BinaryOp::Add)
    return "; 'to_string' makes a string of a value";
  if (op == ast::BinaryOp::And || op == ast::BinaryOp::Div)
    return "; '+' puts strings together";
  return "";
}

} // namespace

static const Expr *sameFile(Checking &c, bool isWanted, const Expr *left,
                            const Expr *right, SourceRange range);

const Expr *checkBinary(Checking &c, ast::BinaryOp op, SourceRange opRange,
                        const Expr *left, const Expr *right,
                        SourceRange range) {
  if (isError(left) || isError(right))
    return c.build.error(range);
  std::optional<Type> type = operandType(op, left->type, right->type);
  if (!type) {
    c.diags
        .report(opRange, Diag::OperandTypes, ast::text(op), text(left->type),
                text(right->type), stringHint(op, left->type, right->type))
        .highlight(left->range)
        .highlight(right->range);
    return c.build.error(range);
  }
  if (!haveConformingRanks(c, left, right, opRange))
    return c.build.error(range);
  for (const Expr *operand : {left, right})
    c.quotients.warnIfFloating(operand, *type);
  warnIfWraps(op, left, right, *type, range, c.diags);
  warnIfFloatsEqual(op, opRange, left, right, c.diags);
  if (op == ast::BinaryOp::Pow)
    return c.build.power(left, right, *type, range);
  left = *type == Type::String ? asString(c, left) : c.build.cast(left, *type);
  right =
      *type == Type::String ? asString(c, right) : c.build.cast(right, *type);
  if (*type == Type::File)
    return sameFile(c, op == ast::BinaryOp::Eq, left, right, range);
  if (std::optional<CompareOp> comparison = comparisonOf(op))
    return c.build.compare(*comparison, left, right, range);
  return c.build.binary(arithmeticOf(op), left, right, range);
}

static const Expr *sameFile(Checking &c, bool isWanted, const Expr *left,
                            const Expr *right, SourceRange range) {
  const Expr *same =
      c.build.math(MathFn::SameFile, {left, right}, Type::Boolean, range);
  return isWanted ? same : c.build.unary(UnaryOp::Not, same, range);
}

void warnIfNarrowing(Checking &c, const Expr *value, Type to) {
  if (!narrows(value->type, to))
    return;
  auto *literal = llvm::dyn_cast<LiteralExpr>(value);
  if (literal && fitsExactly(*literal, to))
    return;
  c.diags.report(value->range, Diag::Narrowing, text(value->type), text(to))
      .done();
}

const Expr *convert(Checking &c, const Expr *value, Type to) {
  if (isError(value) || to == Type::Error)
    return c.build.error(value->range);
  if (!converts(value->type, to)) {
    bool losesPart = value->type.isComplex() && to.isNumeric();
    c.diags
        .report(value->range, Diag::NoConversion, text(value->type), text(to),
                losesPart ? "; 'real' and 'imag' give its parts" : "")
        .done();
    return c.build.error(value->range);
  }
  if (to == Type::Region || to == Type::Direction)
    return convertedValue(c, value, to);
  warnIfNarrowing(c, value, to);
  c.quotients.warnIfFloating(value, to);
  return c.build.cast(value, to);
}

bool fitsRank(Checking &c, const Expr *value, unsigned rank) {
  if (value->rank != Expr::AnyRank || value->minRank <= rank)
    return true;
  bool isIndex = false;
  forEachExpr(*value, [&](const Expr &e) {
    isIndex |= llvm::isa<IndexExpr>(e) && e.minRank == value->minRank;
  });
  c.diags
      .report(value->range, isIndex ? Diag::IndexRank : Diag::NeedsRank,
              value->minRank, rank)
      .done();
  return false;
}

bool haveConformingRanks(Checking &c, const Expr *left, const Expr *right,
                         SourceRange place) {
  if (!left->isArray() && !right->isArray())
    return true;
  if (!left->isArray() || !right->isArray() || left->rank == right->rank)
    return true;
  if (left->rank == Expr::AnyRank || right->rank == Expr::AnyRank)
    return fitsRank(c, left, right->rank) && fitsRank(c, right, left->rank);
  auto report =
      c.diags.report(place, Diag::RankMismatch, left->rank, right->rank);
  report.highlight(left->range).highlight(right->range);
  for (const Expr *side : {left, right})
    if (const ArrayExpr *array = firstArray(*side))
      report.note(array->array->range, Diag::DeclaredHere, array->array->name);
  return false;
}

void reportArray(Checking &c, const Expr *value, llvm::StringRef what) {
  auto report = c.diags.report(value->range, Diag::ArrayValue, what);
  if (const ArrayExpr *array = firstArray(*value))
    report.note(array->array->range, Diag::DeclaredHere, array->array->name);
}

} // namespace zpl::sema
