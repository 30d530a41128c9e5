//===- Text.cpp - What the operators of the tree are called ---------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The texts of the operators as the user writes them, for dumps and messages:
// `\=` is `/=` and `and` is `&` by the time they are nodes.
//
//===----------------------------------------------------------------------===//

#include "zpl/AST/AST.h"

namespace zpl::ast {

bool isRegionSyntax(const Expr *expr) {
  return llvm::isa<RegionLit, List, Scaledby, Quote, RegionOp, UserRegionOp,
                   Mask, Where, RegionCall>(expr);
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
  case ReduceOp::BitAnd:
    return "band";
  case ReduceOp::BitOr:
    return "bor";
  case ReduceOp::BitXor:
    return "bxor";
  case ReduceOp::User:
    return "";
  }
  llvm_unreachable("all reductions have a text");
}

llvm::StringRef text(At::Flavor flavor) {
  switch (flavor) {
  case At::Plain:
    return "@";
  case At::Wrap:
    return "@^";
  case At::Prime:
    return "'@";
  }
  llvm_unreachable("all shifts have a text");
}

llvm::StringRef text(Mask::Flavor flavor) {
  switch (flavor) {
  case Mask::With:
    return "with";
  case Mask::Without:
    return "without";
  case Mask::Swith:
    return "swith";
  case Mask::Swithout:
    return "swithout";
  }
  llvm_unreachable("all masks have a text");
}

llvm::StringRef text(RegionComponent component) {
  switch (component) {
  case RegionComponent::Unknown:
    return "";
  case RegionComponent::Range:
    return "..";
  case RegionComponent::Single:
    return ".";
  case RegionComponent::Flood:
    return "*";
  case RegionComponent::Grid:
    return "::";
  }
  llvm_unreachable("all components have a text");
}

llvm::StringRef text(IoKind kind) {
  switch (kind) {
  case IoKind::Read:
    return "read";
  case IoKind::Write:
    return "write";
  case IoKind::Writeln:
    return "writeln";
  case IoKind::Bread:
    return "bread";
  case IoKind::Bwrite:
    return "bwrite";
  }
  llvm_unreachable("all I/O statements have a text");
}

} // namespace zpl::ast
