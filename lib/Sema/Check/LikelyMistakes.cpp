//===- LikelyMistakes.cpp - What is right and not meant -------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     A := 1/2 * B;              -- 1/2 is 0: '1.0/2' was meant
//     const n: integer = 2000^3; -- wraps
//     [R] [S] A := 1;            -- only S covers the assignment
//     writeln("k = %d", k);      -- prints the conversion; ':' was meant
//     if x = y then ...          -- of doubles (-Wextra)
//
// The checker asks where it has what is needed. A quotient is suspicious only
// once it meets a floating type, which may be some operations later, `1/2 * 3 *
// B`; until then it is remembered by its node.
//
// Cost: constant per operation; a walk over what stands in the second of two
// nested scopes.
//
//===----------------------------------------------------------------------===//

#include "Check/LikelyMistakes.h"

#include "Check/Formats.h"
#include "Tree/Walk.h"
#include "Types/Types.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>

namespace zpl::sema {

//===----------------------------------------------------------------------===//
// Quotients
//===----------------------------------------------------------------------===//

namespace {

std::optional<int64_t> integerOf(const Expr *e) {
  auto *literal = llvm::dyn_cast<LiteralExpr>(e);
  if (!literal || !isIntegral(literal->type))
    return std::nullopt;
  return literal->integer;
}

bool losesFraction(const Expr *left, const Expr *right) {
  std::optional<int64_t> dividend = integerOf(left), divisor = integerOf(right);
  if (!dividend)
    return false;
  bool isOne = *dividend == 1 || *dividend == -1;
  if (!divisor)
    return isOne && isIntegral(right->type);
  if (*divisor == 0 || *divisor == -1)
    return false;
  return *dividend % *divisor != 0;
}

SourceRange startOf(SourceRange range) {
  return {range.file, range.begin, range.begin};
}

SourceRange endOf(SourceRange range) {
  return {range.file, range.end, range.end};
}

} // namespace

void LossyQuotients::note(const ast::Binary &e, const Expr *left,
                          const Expr *right, const Expr *value) {
  if (!isIntegral(value->type))
    return;
  if (e.op == ast::BinaryOp::Div && losesFraction(left, right)) {
    quotients[value] = &e;
    return;
  }
  bool isSum = e.op == ast::BinaryOp::Add || e.op == ast::BinaryOp::Sub;
  if (isSum || e.op == ast::BinaryOp::Mul)
    for (const Expr *operand : {left, right})
      follow(operand, value);
}

void LossyQuotients::follow(const Expr *from, const Expr *to) {
  if (const ast::Binary *quotient = quotients.lookup(from))
    quotients[to] = quotient;
}

void LossyQuotients::warnIfFloating(const Expr *value, Type to) {
  if (!to.isFloating() && !to.isComplex())
    return;
  const ast::Binary *quotient = quotients.lookup(value);
  if (!quotient)
    return;
  const SourceManager &sources = diags.sources();
  SourceRange dividend = quotient->left->range;
  std::string written = sources.text(dividend).str();
  bool isDecimal =
      llvm::isa<ast::IntLiteral>(quotient->left) &&
      llvm::all_of(written, [](char c) { return llvm::isDigit(c); });
  std::string rest =
      sources.text({dividend.file, dividend.end, quotient->range.end}).str();
  std::string instead =
      (isDecimal ? written + ".0" : "double(" + written + ")") + rest;
  auto report = diags.report(quotient->opRange, Diag::IntegerDivision,
                             sources.text(quotient->range), instead);
  report.highlight(dividend).highlight(quotient->right->range);
  if (isDecimal)
    report.fixIt(endOf(dividend), ".0");
  else
    report.fixIt(startOf(dividend), "double(").fixIt(endOf(dividend), ")");
  quotients.erase(value);
}

//===----------------------------------------------------------------------===//
// Integers that wrap
//===----------------------------------------------------------------------===//

namespace {

/// Wide enough for every product of two values, and for every power of
/// interest.
constexpr unsigned Wide = 256;

/// The true value; none if the operator does not wrap, or if there is none.
std::optional<llvm::APInt> trueValue(ast::BinaryOp op, int64_t left,
                                     int64_t right) {
  llvm::APInt a(Wide, left, /*isSigned=*/true), b(Wide, right, true);
  if (op == ast::BinaryOp::Add)
    return a + b;
  if (op == ast::BinaryOp::Sub)
    return a - b;
  if (op == ast::BinaryOp::Mul)
    return a * b;
  if (op != ast::BinaryOp::Pow || right < 0)
    return std::nullopt;
  llvm::APInt power(Wide, 1);
  constexpr unsigned enough = Wide - 2 * 64;
  for (int64_t i = 0; i != right && power.getSignificantBits() < enough; ++i)
    if (power *= a; a.isZero() || a.isOne() || a.isAllOnes())
      return std::nullopt;
  return power;
}

bool isSignedInteger(Type type) {
  return type == Type::Integer || type == Type::Longint;
}

void reportWrapped(const llvm::APInt &value, Type type, SourceRange range,
                   DiagnosticEngine &diags) {
  unsigned width = widthOf(type);
  if (value.isSignedIntN(width))
    return;
  llvm::SmallString<80> digits, wrapped;
  value.toStringSigned(digits);
  value.trunc(width).toStringSigned(wrapped);
  constexpr unsigned readable = 37; // more are of powers that were given up
  diags
      .report(range, Diag::IntegerOverflow, diags.sources().text(range),
              digits.size() <= readable ? digits.str() : "its value",
              text(type), wrapped.str())
      .done();
}

} // namespace

void warnIfWraps(ast::BinaryOp op, const Expr *left, const Expr *right,
                 Type type, SourceRange range, DiagnosticEngine &diags) {
  std::optional<int64_t> a = integerOf(left), b = integerOf(right);
  if (!a || !b || !isSignedInteger(type))
    return;
  if (std::optional<llvm::APInt> value = trueValue(op, *a, *b))
    reportWrapped(*value, type, range, diags);
}

void warnIfNegationWraps(const Expr *operand, SourceRange range,
                         DiagnosticEngine &diags) {
  if (std::optional<int64_t> value = integerOf(operand);
      value && isSignedInteger(operand->type))
    reportWrapped(-llvm::APInt(Wide, *value, /*isSigned=*/true), operand->type,
                  range, diags);
}

//===----------------------------------------------------------------------===//
// Floating values that are compared
//===----------------------------------------------------------------------===//

/// A whole number, which a variable may have been set to.
static bool isWhole(const Expr *e) {
  if (auto *cast = llvm::dyn_cast<CastExpr>(e))
    return isIntegral(cast->operand->type);
  auto *literal = llvm::dyn_cast<LiteralExpr>(e);
  return isIntegral(e->type) ||
         (literal && literal->type.isFloating() &&
          literal->number == std::trunc(literal->number));
}

void warnIfFloatsEqual(ast::BinaryOp op, SourceRange opRange, const Expr *left,
                       const Expr *right, DiagnosticEngine &diags) {
  if (op != ast::BinaryOp::Eq && op != ast::BinaryOp::Ne)
    return;
  auto isRounded = [](const Expr *e) {
    return (e->type.isFloating() || e->type.isComplex()) && !isWhole(e);
  };
  if (isRounded(left) && isRounded(right))
    diags.report(opRange, Diag::FloatEqual, ast::text(op))
        .highlight(left->range)
        .highlight(right->range);
}

//===----------------------------------------------------------------------===//
// Scopes that are replaced
//===----------------------------------------------------------------------===//

namespace {

/// Whether code uses the region that covers it in one rank, or its mask, or
/// calls something that may.
class CoverUse : public Visitor {
public:
  bool isUsed = false;

  CoverUse(Stmt &code, unsigned rank) : rank(rank) {
    Procedure procedure("", SourceRange());
    procedure.body = &code;
    visitProcedure(procedure);
  }

protected:
  void onOpen(const RegionExpr &region) override {
    open += region.rank == rank;
  }
  void onClose(const RegionExpr &region) override {
    open -= region.rank == rank;
  }
  void onCover(unsigned covered, SourceRange) override {
    isUsed |= covered == rank && open == 0;
  }
  void onRegion(const RegionExpr &region) override {
    bool inherits = region.kind == RegionExpr::Quote ||
                    llvm::any_of(region.dims, [](const RegionDim &dim) {
                      return dim.kind == RegionDim::Blank;
                    });
    isUsed |= inherits && region.rank == rank && open == 0;
  }
  void onExpr(const Expr &e) override {
    // The scope that it masks is open.
    isUsed |= llvm::isa<EnclosingMaskExpr>(e) && e.rank == rank && open == 1;
  }
  void onCall(const CallExpr &, unsigned) override { isUsed |= open == 0; }

private:
  unsigned rank;
  unsigned open = 0;
};

bool hasCalls(const ScopeStmt &scope) {
  bool result = false;
  auto look = [&](const Expr &e) {
    forEachExpr(e,
                [&](const Expr &part) { result |= llvm::isa<CallExpr>(part); });
  };
  forEachOperand(*scope.region, look);
  if (scope.mask.mask)
    look(*scope.mask.mask);
  return result;
}

} // namespace

void warnIfReplaced(const ScopeStmt &scope, DiagnosticEngine &diags) {
  unsigned rank = scope.region->rank;
  auto *inner = llvm::dyn_cast<ScopeStmt>(scope.body);
  while (inner && inner->region->rank != rank)
    inner = llvm::dyn_cast<ScopeStmt>(inner->body);
  if (!inner || hasCalls(scope) || CoverUse(*scope.body, rank).isUsed)
    return;
  diags.report(scope.region->range, Diag::ScopeReplaced)
      .note(inner->region->range, Diag::CoveredHere);
}

//===----------------------------------------------------------------------===//
// Formats
//===----------------------------------------------------------------------===//

void warnIfNoFormat(llvm::ArrayRef<ast::Item> items, DiagnosticEngine &diags) {
  auto *written =
      llvm::dyn_cast<ast::StringLiteral>(&withoutParens(*items[0].value));
  if (!written || items[0].format || items.size() == 1 || items[1].format)
    return;
  Format format = parseFormat(written->value);
  // "50% done" is no format: a blank is a flag that nobody uses.
  bool hasBlankFlag = llvm::StringRef(written->value).contains("% ");
  if (format.error || hasBlankFlag)
    return;
  size_t values = 0;
  while (values + 1 != items.size() && !items[values + 1].format &&
         !llvm::isa<ast::StringLiteral>(items[values + 1].value))
    ++values;
  if (values == 0)
    return;
  SourceRange between = written->range;
  between.begin = items[0].range.end;
  between.end = items[1].range.begin;
  auto report = diags.report(written->range, Diag::NoFormat,
                             diags.sources().text(items[1].range));
  if (format.pieces.size() <= values)
    report.fixIt(between, ": ");
}

} // namespace zpl::sema
