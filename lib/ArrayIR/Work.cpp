//===- Work.cpp - How much an M-loop computes -----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     store %New#0 = div(add(add(add(%A#1@(-1,0), ...))), f64 4.0)
//
// is, per index, four loads, three additions, a division and a store. Cost:
// linear in the expressions.
//
//===----------------------------------------------------------------------===//

#include "zpl/ArrayIR/Work.h"

#include "zpl/ArrayIR/Walk.h"

using namespace llvm;

namespace zpl::air {

static void countBinary(const BinaryExpr &e, LoopWork &work) {
  switch (e.op) {
  case BinaryOp::Add:
  case BinaryOp::Sub:
    ++work.additions;
    return;
  case BinaryOp::Mul:
    ++work.products;
    return;
  case BinaryOp::Div:
  case BinaryOp::Rem:
    // By a constant it is a product, or about as fast.
    ++(isa<ConstExpr>(e.right) ? work.products : work.divisions);
    return;
  case BinaryOp::Pow:
    ++work.calls;
    return;
  case BinaryOp::Min:
  case BinaryOp::Max:
  case BinaryOp::MinNaN:
  case BinaryOp::MaxNaN:
  case BinaryOp::And:
  case BinaryOp::Or:
  case BinaryOp::BitAnd:
  case BinaryOp::BitOr:
  case BinaryOp::BitXor:
  case BinaryOp::ShiftL:
  case BinaryOp::ShiftR:
    ++work.others;
    return;
  }
}

static void countExpr(const Expr &e, LoopWork &work) {
  if (isa<ElementExpr, RemapExpr>(e)) {
    ++work.loads;
  } else if (auto *binary = dyn_cast<BinaryExpr>(&e)) {
    countBinary(*binary, work);
  } else if (isa<FmaExpr>(e)) {
    ++work.additions;
    ++work.products;
  } else if (isa<CallExpr, MathExpr>(e)) {
    ++work.calls;
  } else if (!isa<ConstExpr, VarExpr>(e)) {
    ++work.others;
  }
}

LoopWork workOf(const MLoopStmt &loop) {
  LoopWork work;
  for (const ElementOp &op : loop.body) {
    forEachExpr(op, [&](const Expr &e) { countExpr(e, work); });
    bool stores = op.target && rootElement(op.target);
    if (stores) {
      ++work.stores; // its target is among the expressions
      --work.loads;
    }
    if (op.kind == ElementOp::Accumulate)
      ++(op.op == Reduction::Product ? work.products : work.additions);
  }
  return work;
}

unsigned operationsOf(const MLoopStmt &loop) {
  constexpr unsigned Call = 20, Division = 5, Other = 1;
  unsigned sum = 0;
  forEachExpr(loop, [&](const Expr &e) {
    auto *binary = dyn_cast<BinaryExpr>(&e);
    if (isa<CallExpr, MathExpr>(e))
      sum += Call;
    else if (binary && binary->op == BinaryOp::Div)
      sum += Division;
    else if (!isa<ConstExpr, VarExpr>(e))
      sum += Other;
  });
  return sum;
}

WaveWork workOf(const WaveStmt &wave) {
  unsigned inner = 0, outer = 0; // dimensions from 1
  for (const LoopLevel &level : wave.loop().levels) {
    if (level.flat)
      continue;
    outer = inner;
    inner = level.dim + 1;
  }
  WaveWork work;
  work.group = wave.loop().rows;
  // Where rows are worked on together they do not wait.
  bool isChain = work.group == 1 && any_of(wave.primed, [&](const auto &item) {
                   for (auto [d, component] : enumerate(item.second))
                     if ((component != 0) != (d + 1 == inner))
                       return false;
                   return true;
                 });
  // What waits for nothing vectorizes, or its rows overlap.
  work.cost = operationsOf(wave.loop());
  if (!isChain)
    work.cost = std::max(work.cost / 4, 1u);
  work.chain = isChain ? inner : 0;
  work.rows = isChain || work.group > 1 ? outer : 0;
  return work;
}

bool isInMemory(const Walker &walker) {
  return !walker.array->isContracted() && !walker.array->isPerIndex();
}

} // namespace zpl::air
