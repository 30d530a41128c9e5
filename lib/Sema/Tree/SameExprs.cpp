//===- SameExprs.cpp - Expressions that say the same ----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     U[i + 1]@east  and  U[i + 1]@west       the same but for their directions
//     F[i]           and  F[j]                not, whatever i and j are
//
// Kind by kind and operand by operand. Calls are the same as nothing, since two
// of them may return two values. Cost: linear in the smaller expression.
//
//===----------------------------------------------------------------------===//

#include "zpl/Sema/Visit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/ErrorHandling.h"

namespace zpl::sema {

bool areSame(llvm::ArrayRef<const Expr *> a, llvm::ArrayRef<const Expr *> b) {
  return a.size() == b.size() &&
         llvm::all_of(llvm::zip(a, b), [](const auto &pair) {
           return isSame(std::get<0>(pair), std::get<1>(pair));
         });
}

namespace {

/// Whether two expressions of one kind and type are the same.
struct Same {
  static bool of(const LiteralExpr &x, const LiteralExpr &y) {
    return x.integer == y.integer && x.text == y.text &&
           llvm::bit_cast<uint64_t>(x.number) ==
               llvm::bit_cast<uint64_t>(y.number);
  }
  static bool of(const VariableExpr &x, const VariableExpr &y) {
    return x.variable == y.variable;
  }
  static bool of(const ComponentExpr &x, const ComponentExpr &y) {
    return x.direction == y.direction && x.component == y.component;
  }
  static bool of(const ArrayExpr &x, const ArrayExpr &y) {
    return x.array == y.array && areSame(x.subscripts, y.subscripts);
  }
  static bool of(const UnaryExpr &x, const UnaryExpr &y) {
    return x.op == y.op && isSame(x.operand, y.operand);
  }
  static bool of(const BinaryExpr &x, const BinaryExpr &y) {
    return x.op == y.op && isSame(x.left, y.left) && isSame(x.right, y.right);
  }
  static bool of(const CastExpr &x, const CastExpr &y) {
    return isSame(x.operand, y.operand);
  }
  static bool of(const MathExpr &x, const MathExpr &y) {
    return x.fn == y.fn && areSame(x.args, y.args);
  }
  static bool of(const FieldExpr &x, const FieldExpr &y) {
    return x.field == y.field && isSame(x.base, y.base);
  }
  static bool of(const SubscriptExpr &x, const SubscriptExpr &y) {
    return isSame(x.base, y.base) && areSame(x.subscripts, y.subscripts);
  }
  template <OneOf<IndexExpr, CompareExpr, FmaExpr, CallExpr, ReduceExpr,
                  FloodExpr, ScanExpr, GatherExpr, EnclosingMaskExpr,
                  RegionBoundExpr, TimerExpr, ProcessorsExpr, GridPlaceExpr,
                  ComplexExpr, BuiltinExpr, RegionValueExpr, DirectionValueExpr,
                  IrvExpr, PatternExpr, InsideExpr>
                T>
  static bool of(const T &, const T &) {
    return false;
  }
};

} // namespace

bool isSame(const Expr *a, const Expr *b) {
  if (a->kind != b->kind || a->type != b->type)
    return false;
  return visitKind(*a, [&]<typename Kind>(const Kind &known) {
    return Same::of(known, llvm::cast<Kind>(*b));
  });
}

} // namespace zpl::sema
