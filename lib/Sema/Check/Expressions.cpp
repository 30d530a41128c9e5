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

#include "Check/Checker.h"
#include "Tree/Walk.h"
#include "Types/Types.h"
#include "llvm/Support/ErrorHandling.h"

#include <limits>

namespace zpl::sema {

const Expr *Checker::expr(const ast::Expr &e) {
  switch (e.kind) {
  case ast::NodeKind::IntLiteral:
    return integerLiteral(llvm::cast<ast::IntLiteral>(e));
  case ast::NodeKind::FloatLiteral:
    return build.number(llvm::cast<ast::FloatLiteral>(e).value, Type::Double,
                        e.range);
  case ast::NodeKind::CharLiteral:
    return build.integer(llvm::cast<ast::CharLiteral>(e).value, Type::Char,
                         e.range);
  case ast::NodeKind::StringLiteral:
    return build.string(llvm::cast<ast::StringLiteral>(e).value, e.range);
  case ast::NodeKind::BoolLiteral:
    return build.integer(llvm::cast<ast::BoolLiteral>(e).value, Type::Boolean,
                         e.range);
  case ast::NodeKind::NameRef:
    return plainValue(nameValue(llvm::cast<ast::NameRef>(e)));
  case ast::NodeKind::Subscript:
  case ast::NodeKind::Field:
  case ast::NodeKind::Multi:
    return plainValue(place(e));
  case ast::NodeKind::Call:
    return plainValue(call(llvm::cast<ast::Call>(e)));
  case ast::NodeKind::Unary:
    return unary(llvm::cast<ast::Unary>(e));
  case ast::NodeKind::Binary: {
    auto &node = llvm::cast<ast::Binary>(e);
    const Expr *left = expr(*node.left);
    const Expr *right = expr(*node.right);
    const Expr *value = binary(node.op, node.opRange, left, right, e.range);
    quotients.note(node, left, right, value);
    return value;
  }
  case ast::NodeKind::Paren:
    return expr(*llvm::cast<ast::Paren>(e).inner);
  case ast::NodeKind::At:
    return at(llvm::cast<ast::At>(e));
  case ast::NodeKind::Reduce:
    return reduce(llvm::cast<ast::Reduce>(e));
  case ast::NodeKind::MultiParam:
    return multiParam(llvm::cast<ast::MultiParam>(e));
  case ast::NodeKind::Remap:
    return gather(llvm::cast<ast::Remap>(e));
  case ast::NodeKind::Flood:
    return flood(llvm::cast<ast::Flood>(e));
  case ast::NodeKind::Scan:
    return scan(llvm::cast<ast::Scan>(e));
  case ast::NodeKind::Inside:
    return inside(llvm::cast<ast::Inside>(e));
  case ast::NodeKind::InitList:
    diags.report(e.range, Diag::NotAValue, "a list of values").done();
    return build.error(e.range);
  case ast::NodeKind::List:
  case ast::NodeKind::Scaledby:
    diags.report(e.range, Diag::NotAValue, "a direction").done();
    return build.error(e.range);
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
    diags.report(e.range, Diag::NotAValue, "a region").done();
    return build.error(e.range);
  }
  llvm_unreachable("expression");
}

/// A literal of the first type of integer, longint, ulongint that holds it.
const Expr *Checker::integerLiteral(const ast::IntLiteral &e) {
  Type type = Type::Integer;
  if (e.value > std::numeric_limits<int64_t>::max())
    type = Type::Ulongint;
  else if (e.value > std::numeric_limits<int32_t>::max())
    type = Type::Longint;
  return build.integer(static_cast<int64_t>(e.value), type, e.range);
}

const Expr *Checker::reportUnsupported(const ast::Expr &e,
                                       llvm::StringRef what) {
  notSupported(e.range, what);
  return build.error(e.range);
}

const Expr *Checker::nameValue(const ast::NameRef &e) {
  Symbol *symbol = names.find(e.name);
  if (!symbol) {
    if (const Predeclared *entry = findPredeclared(e.name))
      return predeclaredValue(*entry, e.range);
    names.reportUnknown(e.name, e.range);
    return build.error(e.range);
  }
  if (auto *variable = llvm::dyn_cast<Variable>(symbol)) {
    auto *init = llvm::dyn_cast_or_null<LiteralExpr>(variable->init);
    if (!variable->isConst || variable->isConfig || !init ||
        init->type == Type::String)
      return namedPlace(e);
    auto *copy = program.make<LiteralExpr>(*init);
    copy->range = e.range;
    return copy;
  }
  if (auto *array = llvm::dyn_cast<Array>(symbol)) {
    if (array->family != Type::Error) {
      checkFinished(wholeFamily(*array, e)); // reports
      return build.error(e.range);
    }
    auto *node = program.make<ArrayExpr>(array, e.range);
    node->text = e.name.str();
    return node;
  }
  if (llvm::isa<Procedure>(symbol))
    diags.report(e.range, Diag::NeedsArguments, e.name)
        .note(symbol->range, Diag::DeclaredHere, e.name);
  else
    diags.report(e.range, Diag::WrongKind, e.name, describe(*symbol), "a value")
        .note(symbol->range, Diag::DeclaredHere, e.name);
  return build.error(e.range);
}

const Expr *Checker::predeclaredValue(const Predeclared &entry,
                                      SourceRange range) {
  switch (entry.kind) {
  case Predeclared::Math:
  case Predeclared::Function:
  case Predeclared::Convert:
    diags.report(range, Diag::NeedsArguments, entry.name).done();
    return build.error(range);
  case Predeclared::Integer:
    return build.integer(entry.integer, entry.type, range);
  case Predeclared::Real:
    return build.number(entry.number, entry.type, range);
  case Predeclared::Scaled:
    return scaledConstant(entry, range);
  case Predeclared::File:
    return build.file(entry.integer, range);
  case Predeclared::Index:
    return program.make<IndexExpr>(entry.dim, range);
  case Predeclared::Position:
    return positionIndex(entry.dim, 0, range);
  case Predeclared::Processors:
    return program.make<ProcessorsExpr>(range);
  case Predeclared::Later:
    diags
        .report(range, Diag::NotSupported,
                llvm::formatv("'{0}'", entry.name).str())
        .done();
    return build.error(range);
  }
  llvm_unreachable("predeclared name");
}

/// No double has the value, so the run computes it, exactly.
const Expr *Checker::scaledConstant(const Predeclared &entry,
                                    SourceRange range) {
  const Expr *scaled =
      build.binary(BinaryOp::Sub, build.number(entry.number, Type::Quad, range),
                   build.number(entry.subtrahend, Type::Quad, range), range);
  const Expr *exponent = build.integer(entry.integer, Type::Integer, range);
  return build.math(MathFn::Ldexp, {scaled, exponent}, Type::Quad, range);
}

const Expr *Checker::unary(const ast::Unary &e) {
  const Expr *operand = expr(*e.operand);
  if (isError(operand))
    return operand;
  bool fits = e.op == ast::UnaryOp::Not ? isIntegral(operand->type)
                                        : operand->type.isNumeric();
  if (!fits) {
    diags
        .report(e.opRange, Diag::OperandType, ast::text(e.op),
                text(operand->type))
        .highlight(operand->range);
    return build.error(e.range);
  }
  switch (e.op) {
  case ast::UnaryOp::Not:
    if (operand->type != Type::Boolean)
      operand = build.cast(operand, promoted(operand->type));
    return build.unary(UnaryOp::Not, operand, e.range);
  case ast::UnaryOp::Plus:
    return build.cast(operand, promoted(operand->type));
  case ast::UnaryOp::Neg: {
    const Expr *value = build.cast(operand, promoted(operand->type));
    warnIfNegationWraps(value, e.range, diags);
    const Expr *negated = build.unary(UnaryOp::Neg, value, e.range);
    quotients.follow(operand, negated);
    return negated;
  }
  }
  llvm_unreachable("unary operator");
}

const Expr *Checker::scalar(const ast::Expr &e, llvm::StringRef what) {
  const Expr *value = expr(e);
  if (value->isArray()) {
    reportArray(value, what);
    return build.error(e.range);
  }
  return reportFree(value) ? build.error(e.range) : value;
}

const Expr *Checker::condition(const ast::Expr &e) {
  const Expr *value = expr(e);
  if (isError(value) || reportFree(value))
    return build.error(e.range);
  if (!isIntegral(value->type)) {
    diags.report(e.range, Diag::ConditionType, text(value->type)).done();
    return build.error(e.range);
  }
  return build.cast(value, Type::Boolean);
}

} // namespace zpl::sema
