//===- PrintExpr.cpp - Expressions as text --------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A line says the kind, then what the node itself holds (a name, an operator, a
// literal as written), then the range; the operands follow below in the order
// of the text. For `+||<inclusive>[2] A`:
//
//     Scan + inclusive 2 <3:8-27>
//       NameRef A <3:26-27>
//
// Blank maps and the `?` of a sparse region are lines of their own.
//
//===----------------------------------------------------------------------===//

#include "TreePrinter.h"

using namespace llvm;

namespace zpl::ast {

static StringRef kindName(NodeKind kind) {
  static constexpr StringRef Names[] = {
#define AST_EXPR(Kind) #Kind,
#include "zpl/AST/Kinds.def"
  };
  return Names[size_t(kind)];
}

void TreePrinter::print(const Expr *expr) {
  begin(kindName(expr->kind));
  printLabel(expr);
  end(expr->range);
  Nested nested(depth);
  printChildren(expr);
}

void TreePrinter::print(ExprList list) {
  for (const Expr *expr : list)
    print(expr);
}

void TreePrinter::printLabel(const Expr *expr) {
  if (const auto *literal = dyn_cast<IntLiteral>(expr))
    os << ' ' << literal->text;
  else if (const auto *literal = dyn_cast<FloatLiteral>(expr))
    os << ' ' << literal->text;
  else if (const auto *literal = dyn_cast<CharLiteral>(expr))
    os << ' ' << literal->text << ' ' << unsigned(literal->value);
  else if (const auto *literal = dyn_cast<StringLiteral>(expr))
    quoted(literal->value);
  else if (const auto *literal = dyn_cast<BoolLiteral>(expr))
    os << (literal->value ? " true" : " false");
  else if (const auto *unary = dyn_cast<Unary>(expr))
    os << ' ' << text(unary->op);
  else if (const auto *binary = dyn_cast<Binary>(expr))
    os << ' ' << text(binary->op);
  else if (const auto *at = dyn_cast<At>(expr))
    os << ' ' << text(at->flavor);
  else if (const auto *reduce = dyn_cast<Reduce>(expr))
    printFold(reduce->op);
  else if (const auto *scan = dyn_cast<Scan>(expr))
    printScan(*scan);
  else if (const auto *mask = dyn_cast<Mask>(expr))
    os << ' ' << text(mask->flavor);
  else
    printDesignatorLabel(expr);
}

void TreePrinter::printDesignatorLabel(const Expr *expr) {
  if (const auto *name = dyn_cast<NameRef>(expr))
    os << ' ' << name->name;
  else if (const auto *field = dyn_cast<Field>(expr))
    os << ' ' << field->name.text;
  else if (const auto *call = dyn_cast<Call>(expr))
    os << ' ' << call->callee.text;
  else if (const auto *argument = dyn_cast<NamedArgument>(expr))
    os << ' ' << argument->name.text;
  else if (const auto *op = dyn_cast<UserRegionOp>(expr))
    os << ' ' << op->name.text;
}

void TreePrinter::printFold(const FoldOperator &op) {
  os << (op.op == ReduceOp::User ? " user " : " ") << op.name.text;
}

void TreePrinter::printScan(const Scan &scan) {
  printFold(scan.op);
  if (scan.inclusive)
    os << " inclusive";
  if (scan.segment)
    os << " segment";
  for (const ScanDim &dim : scan.dims)
    os << (dim.down ? " -" : " ") << dim.dim;
}

void TreePrinter::printChildren(const Expr *expr) {
  if (const auto *subscript = dyn_cast<Subscript>(expr)) {
    print(subscript->base);
    print(subscript->indices);
  } else if (const auto *field = dyn_cast<Field>(expr)) {
    print(field->base);
  } else if (const auto *multi = dyn_cast<Multi>(expr)) {
    print(multi->base);
    if (multi->index)
      print(multi->index);
  } else if (const auto *call = dyn_cast<Call>(expr)) {
    print(call->args);
  } else if (const auto *argument = dyn_cast<NamedArgument>(expr)) {
    print(argument->value);
  } else if (const auto *unary = dyn_cast<Unary>(expr)) {
    print(unary->operand);
  } else if (const auto *binary = dyn_cast<Binary>(expr)) {
    print(binary->left);
    print(binary->right);
  } else if (const auto *paren = dyn_cast<Paren>(expr)) {
    print(paren->inner);
  } else if (const auto *init = dyn_cast<InitList>(expr)) {
    print(init->items);
  } else {
    printArrayOperator(expr);
  }
}

void TreePrinter::printArrayOperator(const Expr *expr) {
  if (const auto *at = dyn_cast<At>(expr)) {
    print(at->designator);
    print(at->direction);
  } else if (const auto *remap = dyn_cast<Remap>(expr)) {
    print(remap->base);
    for (const Expr *map : remap->maps) {
      if (map)
        print(map);
      else
        begin("Blank\n");
    }
  } else if (const auto *flood = dyn_cast<Flood>(expr)) {
    print(flood->source);
    print(flood->operand);
  } else if (const auto *reduce = dyn_cast<Reduce>(expr)) {
    if (reduce->source)
      print(reduce->source);
    print(reduce->operands);
  } else if (const auto *scan = dyn_cast<Scan>(expr)) {
    if (scan->segment)
      print(scan->segment);
    print(scan->operands);
  } else if (const auto *inside = dyn_cast<Inside>(expr)) {
    print(inside->index);
    print(inside->region);
  } else {
    printRegion(expr);
  }
}

void TreePrinter::printRegion(const Expr *expr) {
  if (const auto *list = dyn_cast<List>(expr)) {
    print(list->items);
  } else if (const auto *scaled = dyn_cast<Scaledby>(expr)) {
    print(scaled->direction);
    print(scaled->factor);
  } else if (const auto *region = dyn_cast<RegionLit>(expr)) {
    for (const Dim &dim : region->dims)
      print(dim);
  } else if (const auto *op = dyn_cast<RegionOp>(expr)) {
    print(op->direction);
    print(op->region);
  } else if (const auto *op = dyn_cast<UserRegionOp>(expr)) {
    print(op->direction);
    print(op->region);
  } else if (const auto *call = dyn_cast<RegionCall>(expr)) {
    print(call->array);
  } else if (const auto *mask = dyn_cast<Mask>(expr)) {
    print(mask->region);
    print(mask->operand);
  } else if (const auto *where = dyn_cast<Where>(expr)) {
    print(where->region);
    if (where->pattern)
      print(where->pattern);
    else
      begin("Open\n");
  }
}

static StringRef kindName(Dim::Kind kind) {
  switch (kind) {
  case Dim::Range:
    return "Range";
  case Dim::Single:
    return "Single";
  case Dim::Flood:
    return "Flooded";
  case Dim::Grid:
    return "Grid";
  case Dim::Blank:
    return "Blank";
  }
  llvm_unreachable("all dimensions have a name");
}

void TreePrinter::print(const Dim &dim) {
  line(kindName(dim.kind), dim.range);
  Nested nested(depth);
  if (dim.lo)
    print(dim.lo);
  if (dim.hi)
    print(dim.hi);
}

} // namespace zpl::ast
