//===- RowPaths.cpp - What elements of a recurrence wait for --------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Latencies of operations and the time to issue them, in cycles of common
// 64-bit cores, rounded. SkewRows.cpp says what paths are made of them.
//
//===----------------------------------------------------------------------===//

#include "Loops/Waves/RowPaths.h"

using namespace llvm;

namespace zpl::air {

static Cost costOfBinary(const BinaryExpr &e, const Figures &f) {
  bool isFloat = e.type.isFloat();
  switch (e.op) {
  case BinaryOp::Add:
  case BinaryOp::Sub:
    return isFloat ? Cost{f.addLatency, 0.5} : Cost{1, 0.25};
  case BinaryOp::Mul:
    return isFloat ? Cost{f.multiplyLatency, 0.5} : Cost{3, 1};
  case BinaryOp::Min:
  case BinaryOp::Max: // a NaN is not taken
  case BinaryOp::MinNaN:
  case BinaryOp::MaxNaN:
    return isFloat ? Cost{10, 1} : Cost{2, 0.5};
  case BinaryOp::Div:
    return isFloat ? Cost{f.divideLatency, 4} : Cost{f.integerDivideLatency, 8};
  case BinaryOp::Rem:
  case BinaryOp::Pow:
    return isFloat ? Cost{50, 50} : Cost{f.integerDivideLatency, 8};
  case BinaryOp::And:
  case BinaryOp::Or:
  case BinaryOp::BitAnd:
  case BinaryOp::BitOr:
  case BinaryOp::BitXor:
  case BinaryOp::ShiftL:
  case BinaryOp::ShiftR:
    return {1, 0.25};
  }
  llvm_unreachable("an operator outside its enumeration");
}

Cost costOf(const Expr &e, const Figures &figures) {
  constexpr Cost LibraryCall = {50, 50};
  if (e.type.isComplex() && isa<BinaryExpr>(e))
    return {10, 3};
  if (auto *binary = dyn_cast<BinaryExpr>(&e))
    return costOfBinary(*binary, figures);
  if (isa<FmaExpr>(e))
    return {figures.multiplyLatency, 0.5};
  if (isa<CompareExpr>(e))
    return {2, 0.5};
  if (isa<UnaryExpr>(e))
    return {1, 0.5};
  if (isa<CastExpr>(e))
    return {5, 1};
  auto *math = dyn_cast<MathExpr>(&e);
  if (!math)
    return {0, 0};
  if (math->fn == MathFn::Sqrt)
    return {figures.rootLatency, 6};
  bool isRounding = math->fn == MathFn::Floor || math->fn == MathFn::Ceil ||
                    math->fn == MathFn::Round || math->fn == MathFn::Trunc;
  return isRounding ? Cost{8, 1} : LibraryCall;
}

} // namespace zpl::air
