//===- Expressions.cpp - Checks expressions -------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     R: region; A: [R] double; n: integer;
//
//     A@east * n + max<< fabs(A)
//
// becomes a tree of typed nodes with a rank each: A@east has rank 2, n is
// converted to double and stays a scalar, the reduction makes a scalar of
// rank 2. A constant whose value is known is replaced by it. An expression
// made of Index1 ... and scalars alone has no rank of its own: it takes that of
// what it meets.
//
//===----------------------------------------------------------------------===//

#include "Check/Expressions.h"
#include "Arrays/ArrayOperators.h"
#include "Arrays/Blanks.h"
#include "Arrays/Families.h"
#include "Arrays/Multi.h"
#include "Arrays/Regions.h"
#include "Arrays/Remaps.h"
#include "Check/Calls.h"
#include "Check/Checking.h"
#include "Check/Designators.h"
#include "Check/Inquiry.h"
#include "Check/Operators.h"
#include "Check/Values.h"
#include "Distributions/DistributionValues.h"
#include "Names/Predeclared.h"
#include "Program/Free.h"
#include "Sparse/SparseRegions.h"
#include "Statements/Declarations.h"
#include "Tree/Walk.h"
#include "Types/Types.h"
#include "llvm/Support/ErrorHandling.h"

#include <limits>

namespace zpl::sema {

static const Expr *integerLiteral(Checking &c, const ast::IntLiteral &e);
static const Expr *predeclaredValue(Checking &c, const Predeclared &entry,
                                    SourceRange range);
static const Expr *scaledConstant(Checking &c, const Predeclared &entry,
                                  SourceRange range);
static const Expr *checkUnary(Checking &c, const ast::Unary &e);

const Expr *checkExpr(Checking &c, const ast::Expr &e) {
  switch (e.kind) {
  case ast::NodeKind::IntLiteral:
    return integerLiteral(c, llvm::cast<ast::IntLiteral>(e));
  case ast::NodeKind::FloatLiteral:
    return c.build.number(llvm::cast<ast::FloatLiteral>(e).value, Type::Double,
                          e.range);
  case ast::NodeKind::CharLiteral:
    return c.build.integer(llvm::cast<ast::CharLiteral>(e).value, Type::Char,
                           e.range);
  case ast::NodeKind::StringLiteral:
    return c.build.string(llvm::cast<ast::StringLiteral>(e).value, e.range);
  case ast::NodeKind::BoolLiteral:
    return c.build.integer(llvm::cast<ast::BoolLiteral>(e).value, Type::Boolean,
                           e.range);
  case ast::NodeKind::NameRef:
    return plainValue(c, nameValue(c, llvm::cast<ast::NameRef>(e)));
  case ast::NodeKind::Subscript:
  case ast::NodeKind::Field:
  case ast::NodeKind::Multi:
    return plainValue(c, checkPlace(c, e));
  case ast::NodeKind::Call:
    return plainValue(c, checkCall(c, llvm::cast<ast::Call>(e)));
  case ast::NodeKind::NamedArgument: // of what has no parameters with names
    c.diags
        .report(e.range, Diag::NamedArgument,
                c.diags.sources().text(
                    llvm::cast<ast::NamedArgument>(e).name.range))
        .done();
    return c.build.error(e.range);
  case ast::NodeKind::Unary:
    return checkUnary(c, llvm::cast<ast::Unary>(e));
  case ast::NodeKind::Binary: {
    auto &node = llvm::cast<ast::Binary>(e);
    const Expr *left = checkExpr(c, *node.left);
    const Expr *right = checkExpr(c, *node.right);
    const Expr *value =
        checkBinary(c, node.op, node.opRange, left, right, e.range);
    c.quotients.note(node, left, right, value);
    return value;
  }
  case ast::NodeKind::Paren:
    return checkExpr(c, *llvm::cast<ast::Paren>(e).inner);
  case ast::NodeKind::At:
    return checkAt(c, llvm::cast<ast::At>(e));
  case ast::NodeKind::Reduce:
    return checkReduce(c, llvm::cast<ast::Reduce>(e));
  case ast::NodeKind::MultiParam:
    return multiParam(c, llvm::cast<ast::MultiParam>(e));
  case ast::NodeKind::Remap:
    return checkGather(c, llvm::cast<ast::Remap>(e));
  case ast::NodeKind::Flood:
    return checkFlood(c, llvm::cast<ast::Flood>(e));
  case ast::NodeKind::Scan:
    return checkScan(c, llvm::cast<ast::Scan>(e));
  case ast::NodeKind::Inside:
    return checkInside(c, llvm::cast<ast::Inside>(e));
  case ast::NodeKind::InitList:
    c.diags.report(e.range, Diag::NotAValue, "a list of values").done();
    return c.build.error(e.range);
  case ast::NodeKind::List:
  case ast::NodeKind::Scaledby:
    c.diags.report(e.range, Diag::NotAValue, "a direction").done();
    return c.build.error(e.range);
  case ast::NodeKind::RegionCall:
  case ast::NodeKind::RegionLit:
  case ast::NodeKind::Quote:
  case ast::NodeKind::Of:
  case ast::NodeKind::In:
  case ast::NodeKind::RegionAt:
  case ast::NodeKind::By:
  case ast::NodeKind::UserRegionOp:
  case ast::NodeKind::Mask:
  case ast::NodeKind::Where:
    c.diags.report(e.range, Diag::NotAValue, "a region").done();
    return c.build.error(e.range);
  }
  llvm_unreachable("expression");
}

/// A literal of the first type of integer, longint, ulongint that holds it.
static const Expr *integerLiteral(Checking &c, const ast::IntLiteral &e) {
  Type type = Type::Integer;
  if (e.value > std::numeric_limits<int64_t>::max())
    type = Type::Ulongint;
  else if (e.value > std::numeric_limits<int32_t>::max())
    type = Type::Longint;
  return c.build.integer(static_cast<int64_t>(e.value), type, e.range);
}

const Expr *nameValue(Checking &c, const ast::NameRef &e) {
  Symbol *symbol = c.names.find(e.name);
  if (!symbol) {
    if (const Predeclared *entry = findPredeclared(e.name))
      return predeclaredValue(c, *entry, e.range);
    c.names.reportUnknown(e.name, e.range);
    return c.build.error(e.range);
  }
  if (auto *variable = llvm::dyn_cast<Variable>(symbol)) {
    auto *init = llvm::dyn_cast_or_null<LiteralExpr>(variable->init);
    if (!variable->isConst || variable->isConfig || !init ||
        init->type == Type::String)
      return namedPlace(c, e);
    auto *copy = c.program.make<LiteralExpr>(*init);
    copy->range = e.range;
    return copy;
  }
  if (auto *array = llvm::dyn_cast<Array>(symbol)) {
    if (array->family != Type::Error) {
      checkFinished(c, wholeFamily(c, *array, e)); // reports
      return c.build.error(e.range);
    }
    auto *node = c.program.make<ArrayExpr>(array, e.range);
    node->text = e.name.str();
    return node;
  }
  if (const Expr *value = distributionNamed(c, *symbol, e.range))
    return value;
  if (llvm::isa<Region>(symbol) && c.program.hasSparse)
    return patternOf(c, checkRegion(c, e, 0), e.name);
  if (llvm::isa<Procedure>(symbol))
    c.diags.report(e.range, Diag::NeedsArguments, e.name)
        .note(symbol->range, Diag::DeclaredHere, e.name);
  else
    c.diags
        .report(e.range, Diag::WrongKind, e.name, describe(*symbol), "a value")
        .note(symbol->range, Diag::DeclaredHere, e.name);
  return c.build.error(e.range);
}

static const Expr *predeclaredValue(Checking &c, const Predeclared &entry,
                                    SourceRange range) {
  switch (entry.kind) {
  case Predeclared::Math:
  case Predeclared::Function:
  case Predeclared::Convert:
    c.diags.report(range, Diag::NeedsArguments, entry.name).done();
    return c.build.error(range);
  case Predeclared::Reduction:
    c.diags.report(range, Diag::NeedsOperand, entry.name).done();
    return c.build.error(range);
  case Predeclared::Integer:
    return c.build.integer(entry.integer, entry.type, range);
  case Predeclared::Real:
    return c.build.number(entry.number, entry.type, range);
  case Predeclared::Scaled:
    return scaledConstant(c, entry, range);
  case Predeclared::File:
    return c.build.file(entry.integer, range);
  case Predeclared::Index:
    return c.program.make<IndexExpr>(entry.dim, range);
  case Predeclared::Position:
    return positionIndex(c, entry.dim, 0, range);
  case Predeclared::Processors:
    return c.program.make<ProcessorsExpr>(range);
  }
  llvm_unreachable("predeclared name");
}

/// No double has the value, so the run computes it, exactly.
static const Expr *scaledConstant(Checking &c, const Predeclared &entry,
                                  SourceRange range) {
  const Expr *scaled = c.build.binary(
      BinaryOp::Sub, c.build.number(entry.number, Type::Quad, range),
      c.build.number(entry.subtrahend, Type::Quad, range), range);
  const Expr *exponent = c.build.integer(entry.integer, Type::Integer, range);
  return c.build.math(MathFn::Ldexp, {scaled, exponent}, Type::Quad, range);
}

static const Expr *checkUnary(Checking &c, const ast::Unary &e) {
  const Expr *operand = checkExpr(c, *e.operand);
  if (isError(operand))
    return operand;
  bool fits = e.op == ast::UnaryOp::Not ? isIntegral(operand->type)
                                        : operand->type.isNumeric();
  if (!fits) {
    c.diags
        .report(e.opRange, Diag::OperandType, ast::text(e.op),
                text(operand->type))
        .highlight(operand->range);
    return c.build.error(e.range);
  }
  switch (e.op) {
  case ast::UnaryOp::Not:
    if (operand->type != Type::Boolean)
      operand = c.build.cast(operand, promoted(operand->type));
    return c.build.unary(UnaryOp::Not, operand, e.range);
  case ast::UnaryOp::Plus:
    return c.build.cast(operand, promoted(operand->type));
  case ast::UnaryOp::Neg: {
    const Expr *value = c.build.cast(operand, promoted(operand->type));
    warnIfNegationWraps(value, e.range, c.diags);
    const Expr *negated = c.build.unary(UnaryOp::Neg, value, e.range);
    c.quotients.follow(operand, negated);
    return negated;
  }
  }
  llvm_unreachable("unary operator");
}

const Expr *checkScalar(Checking &c, const ast::Expr &e, llvm::StringRef what) {
  const Expr *value = checkExpr(c, e);
  if (value->isArray()) {
    reportArray(c, value, what);
    return c.build.error(e.range);
  }
  return reportFree(c, value) ? c.build.error(e.range) : value;
}

const Expr *checkCondition(Checking &c, const ast::Expr &e) {
  const Expr *value = checkExpr(c, e);
  if (isError(value) || reportFree(c, value))
    return c.build.error(e.range);
  if (!isIntegral(value->type)) {
    c.diags.report(e.range, Diag::ConditionType, text(value->type)).done();
    return c.build.error(e.range);
  }
  return c.build.cast(value, Type::Boolean);
}

} // namespace zpl::sema
