//===- Context.cpp - Owner of the syntax tree -----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nodes are kept in one flat list, so that the end of a deep tree is no
// recursion. The texts of the operators stand here too.
//
//===----------------------------------------------------------------------===//

#include "zpl/AST/AST.h"

namespace zpl::ast {

Context::Context() = default;
Context::~Context() = default;

void Context::keep(std::shared_ptr<void> node) {
  nodes.push_back(std::move(node));
}

llvm::StringRef text(UnaryOp op) {
  switch (op) {
  case UnaryOp::Neg:
    return "-";
  case UnaryOp::Plus:
    return "+";
  case UnaryOp::Not:
    return "!";
  }
  llvm_unreachable("all unary operators have a text");
}

llvm::StringRef text(BinaryOp op) {
  switch (op) {
  case BinaryOp::Add:
    return "+";
  case BinaryOp::Sub:
    return "-";
  case BinaryOp::Mul:
    return "*";
  case BinaryOp::Div:
    return "/";
  case BinaryOp::Rem:
    return "%";
  case BinaryOp::Pow:
    return "^";
  case BinaryOp::Lt:
    return "<";
  case BinaryOp::Le:
    return "<=";
  case BinaryOp::Gt:
    return ">";
  case BinaryOp::Ge:
    return ">=";
  case BinaryOp::Eq:
    return "=";
  case BinaryOp::Ne:
    return "!=";
  case BinaryOp::And:
    return "&";
  case BinaryOp::Or:
    return "|";
  case BinaryOp::Max:
    return "max";
  case BinaryOp::Min:
    return "min";
  }
  llvm_unreachable("all binary operators have a text");
}

llvm::StringRef text(ReduceOp op) {
  switch (op) {
  case ReduceOp::Sum:
    return "+";
  case ReduceOp::Product:
    return "*";
  case ReduceOp::Max:
    return "max";
  case ReduceOp::Min:
    return "min";
  case ReduceOp::And:
    return "&";
  case ReduceOp::Or:
    return "|";
  }
  llvm_unreachable("all reductions have a text");
}

} // namespace zpl::ast
