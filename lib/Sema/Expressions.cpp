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

#include "Checker.h"
#include "Types.h"
#include "Walk.h"
#include "llvm/Support/ErrorHandling.h"

#include <limits>

namespace zpl::sema {

const Expr *Checker::expr(const ast::Expr &e) {
  switch (e.kind) {
  case ast::NodeKind::IntLiteral: {
    uint64_t value = llvm::cast<ast::IntLiteral>(e).value;
    if (value > std::numeric_limits<int64_t>::max()) {
      diags.report(e.range, Diag::NotSupported, "a literal of type ulongint")
          .done();
      return build.error(e.range);
    }
    bool isShort = value <= std::numeric_limits<int32_t>::max();
    return build.integer(
        value, isShort ? ScalarType::Integer : ScalarType::Longint, e.range);
  }
  case ast::NodeKind::FloatLiteral:
    return build.number(llvm::cast<ast::FloatLiteral>(e).value,
                        ScalarType::Double, e.range);
  case ast::NodeKind::StringLiteral:
    return build.string(llvm::cast<ast::StringLiteral>(e).value, e.range);
  case ast::NodeKind::BoolLiteral:
    return build.integer(llvm::cast<ast::BoolLiteral>(e).value,
                         ScalarType::Boolean, e.range);
  case ast::NodeKind::NameRef:
    return nameValue(llvm::cast<ast::NameRef>(e));
  case ast::NodeKind::Call:
    return call(llvm::cast<ast::Call>(e));
  case ast::NodeKind::Unary:
    return unary(llvm::cast<ast::Unary>(e));
  case ast::NodeKind::Binary: {
    auto &node = llvm::cast<ast::Binary>(e);
    const Expr *left = expr(*node.left);
    const Expr *right = expr(*node.right);
    return binary(node.op, node.opRange, left, right, e.range);
  }
  case ast::NodeKind::Paren:
    return expr(*llvm::cast<ast::Paren>(e).inner);
  case ast::NodeKind::At:
    return at(llvm::cast<ast::At>(e));
  case ast::NodeKind::Reduce:
    return reduce(llvm::cast<ast::Reduce>(e));
  case ast::NodeKind::List:
    diags.report(e.range, Diag::NotAValue, "a direction").done();
    return build.error(e.range);
  case ast::NodeKind::RegionLit:
  case ast::NodeKind::Quote:
  case ast::NodeKind::Of:
  case ast::NodeKind::In:
  case ast::NodeKind::RegionAt:
    diags.report(e.range, Diag::NotAValue, "a region").done();
    return build.error(e.range);
  }
  llvm_unreachable("expression");
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
        init->type == ScalarType::String)
      return program.make<VariableExpr>(variable, e.range);
    auto *copy = program.make<LiteralExpr>(*init);
    copy->range = e.range;
    return copy;
  }
  if (auto *array = llvm::dyn_cast<Array>(symbol)) {
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
    diags.report(range, Diag::NeedsArguments, entry.name).done();
    return build.error(range);
  case Predeclared::Integer:
    return build.integer(entry.integer, entry.type, range);
  case Predeclared::Real:
    return build.number(entry.number, entry.type, range);
  case Predeclared::Index:
    return program.make<IndexExpr>(entry.dim, range);
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

const Expr *Checker::unary(const ast::Unary &e) {
  const Expr *operand = expr(*e.operand);
  if (isError(operand))
    return operand;
  bool fits = e.op == ast::UnaryOp::Not ? isIntegral(operand->type)
                                        : isNumeric(operand->type);
  if (!fits) {
    diags
        .report(e.opRange, Diag::OperandType, ast::text(e.op),
                text(operand->type))
        .highlight(operand->range);
    return build.error(e.range);
  }
  switch (e.op) {
  case ast::UnaryOp::Not:
    return build.unary(UnaryOp::Not, operand, e.range);
  case ast::UnaryOp::Plus:
    return build.cast(operand, promoted(operand->type));
  case ast::UnaryOp::Neg:
    return build.unary(UnaryOp::Neg,
                       build.cast(operand, promoted(operand->type)), e.range);
  }
  llvm_unreachable("unary operator");
}

namespace {

Reduction reductionOf(ast::ReduceOp op) {
  switch (op) {
  case ast::ReduceOp::Sum:
    return Reduction::Sum;
  case ast::ReduceOp::Product:
    return Reduction::Product;
  case ast::ReduceOp::Max:
    return Reduction::Max;
  case ast::ReduceOp::Min:
    return Reduction::Min;
  case ast::ReduceOp::And:
    return Reduction::And;
  case ast::ReduceOp::Or:
    return Reduction::Or;
  }
  llvm_unreachable("reduction");
}

} // namespace

/// Sums and products of booleans count; the other operators keep the type.
const Expr *Checker::reduce(const ast::Reduce &e) {
  const Expr *operand = expr(*e.operand);
  if (isError(operand))
    return operand;
  Reduction op = reductionOf(e.op);
  bool isLogical = op == Reduction::And || op == Reduction::Or;
  if (isLogical ? !isIntegral(operand->type) : !isNumeric(operand->type)) {
    diags
        .report(e.opRange, Diag::OperandType, (ast::text(e.op) + "<<").str(),
                text(operand->type))
        .highlight(operand->range);
    return build.error(e.range);
  }
  if (!operand->isArray() && !operand->isFree) {
    diags.report(e.opRange, Diag::ReducedScalar).highlight(operand->range);
    return build.error(e.range);
  }
  if (op == Reduction::Sum || op == Reduction::Product)
    operand = build.cast(operand, promoted(operand->type));
  unsigned rank = operand->rank;
  if (rank == Expr::AnyRank) {
    rank = visibleRank(operand->minRank, operand->range);
    if (rank == 0)
      return build.error(e.range);
  }
  return program.make<ReduceExpr>(op, operand, rank, operand->type, e.range);
}

const Expr *Checker::at(const ast::At &e) {
  auto *name = llvm::dyn_cast<ast::NameRef>(e.designator);
  Symbol *symbol = name ? names.find(name->name) : nullptr;
  if (name && !symbol && !findPredeclared(name->name)) {
    names.reportUnknown(name->name, name->range);
    return build.error(e.range);
  }
  std::optional<DirectionExprs> components = direction(*e.direction);
  auto *array = llvm::dyn_cast_or_null<Array>(symbol);
  if (!array) {
    auto *variable = llvm::dyn_cast_or_null<Variable>(symbol);
    if (!variable || variable->type != ScalarType::Error)
      diags.report(e.designator->range, Diag::AtOfScalar)
          .highlight(e.direction->range);
    return build.error(e.range);
  }
  if (!components || array->element == ScalarType::Error)
    return build.error(e.range);
  if (components->size() != array->rank) {
    diags
        .report(e.direction->range, Diag::DirectionRank, components->size(),
                llvm::formatv("array '{0}'", array->name).str(), array->rank)
        .highlight(e.designator->range)
        .note(array->range, Diag::DeclaredHere, array->name);
    return build.error(e.range);
  }
  auto *node = program.make<ArrayExpr>(array, e.range);
  node->direction = std::move(*components);
  node->text = diags.sources().text(e.range).str();
  return node;
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
  if (value->isArray()) {
    diags.report(e.range, Diag::NotSupported, "shattered control flow").done();
    return build.error(e.range);
  }
  if (!isIntegral(value->type)) {
    diags.report(e.range, Diag::ConditionType, text(value->type)).done();
    return build.error(e.range);
  }
  return build.cast(value, ScalarType::Boolean);
}

} // namespace zpl::sema
