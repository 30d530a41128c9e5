//===- BoxColumns.cpp - Columns in which conditions may be true -----------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a comparison holds says in which columns, indices of the last dimension,
// it can:
//
//     abs(index(0) - index(1)) < 2     in rows 1..8 in columns 0..9
//
// since the difference is in -1 .. 1 then, and index(1) is index(0) less that.
// So a comparison is taken apart from outside, as long as one operand has the
// column in it: sums, differences, `abs`, `min` and `max` of 32 bits. The other
// operand is an interval (Intervals.cpp). Several pieces come of `or` and of
// `abs`; `and` keeps what is in a piece of either side. Too many become the one
// around them.
//
// Cost: a few instructions per node and piece.
//
//===----------------------------------------------------------------------===//

#include "Sparse/BoxColumns.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;
using zpl::air::BinaryOp;
using zpl::air::CompareOp;
using zpl::air::UnaryOp;

namespace zpl::codegen {

bool isWhole(air::Type type) {
  return type.isInteger() && type != air::Type::Bool && type != air::Type::U64;
}

std::pair<int64_t, int64_t> limits(const TypeLowering &types, air::Type type) {
  unsigned width = types.value(type)->getIntegerBitWidth();
  if (type.isUnsigned())
    return {0, int64_t((uint64_t(1) << width) - 1)};
  int64_t greatest = int64_t((uint64_t(1) << (width - 1)) - 1);
  return {-greatest - 1, greatest};
}

namespace {

/// The bounds of a value, i64.
struct ColumnExtent {
  Value *lo, *hi;
};

class ColumnSolver {
public:
  ColumnSolver(FunctionState &fn, unsigned last, ValueBounds bounds)
      : fn(fn), b(fn.builder), last(last), bounds(bounds) {}

  Columns piecesOf(const air::Expr *e, bool wanted);

private:
  Columns piecesOf(const air::CompareExpr *e, bool wanted);
  Columns solve(const air::Expr *e, Value *from, Value *to);
  Columns solveSum(const air::BinaryExpr *e, Value *from, Value *to);
  Columns solveExtremum(const air::BinaryExpr *e, Value *from, Value *to);
  bool hasColumn(const air::Expr *e) const;
  Columns joined(const Columns &x, const Columns &y);
  Columns common(const Columns &x, const Columns &y);
  Piece hull(const Columns &x);

  ColumnExtent extentOf(const air::Expr *e) {
    auto [lo, hi] = bounds(e);
    return {lo, hi};
  }
  Value *number(int64_t value) { return b.getInt64(uint64_t(value)); }
  Value *least(Value *x, Value *y) {
    return b.CreateBinaryIntrinsic(Intrinsic::smin, x, y);
  }
  Value *greatest(Value *x, Value *y) {
    return b.CreateBinaryIntrinsic(Intrinsic::smax, x, y);
  }

  FunctionState &fn;
  IRBuilder<> &b;
  unsigned last;
  ValueBounds bounds;
};

/// Whether the index of the last dimension is in it.
bool ColumnSolver::hasColumn(const air::Expr *e) const {
  bool found = false;
  air::forEachExpr(*e, [&](const air::Expr &part) {
    auto *index = dyn_cast<air::IndexExpr>(&part);
    found |= index && index->dim == last;
  });
  return found;
}

Piece ColumnSolver::hull(const Columns &x) {
  Piece all = {number(INT64_MAX), number(INT64_MIN)};
  for (const Piece &piece : *x) {
    Value *isThere = b.CreateICmpSLE(piece.from, piece.to);
    all.from = b.CreateSelect(isThere, least(all.from, piece.from), all.from);
    all.to = b.CreateSelect(isThere, greatest(all.to, piece.to), all.to);
  }
  return all;
}

/// What is in one of both.
Columns ColumnSolver::joined(const Columns &x, const Columns &y) {
  if (!x || !y)
    return std::nullopt;
  Columns all = x;
  all->append(y->begin(), y->end());
  if (all->size() > ZRT_BOX_PIECES)
    all = {{hull(x), hull(y)}};
  return all;
}

/// What is in both.
Columns ColumnSolver::common(const Columns &x, const Columns &y) {
  if (!x || !y)
    return x ? x : y;
  if (x->size() * y->size() > ZRT_BOX_PIECES)
    return x->size() > y->size() ? common(x, Columns({hull(y)}))
                                 : common(Columns({hull(x)}), y);
  Columns all = SmallVector<Piece, 8>();
  for (const Piece &one : *x)
    for (const Piece &other : *y)
      all->push_back({greatest(one.from, other.from), least(one.to, other.to)});
  return all;
}

/// Where \p e, a Bool, may be \p wanted.
Columns ColumnSolver::piecesOf(const air::Expr *e, bool wanted) {
  if (e->type != air::Type::Bool)
    return std::nullopt;
  if (auto *compare = dyn_cast<air::CompareExpr>(e))
    return piecesOf(compare, wanted);
  if (auto *unary = dyn_cast<air::UnaryExpr>(e))
    return unary->op == UnaryOp::Not ? piecesOf(unary->operand, !wanted)
                                     : std::nullopt;
  auto *binary = dyn_cast<air::BinaryExpr>(e);
  if (!binary || (binary->op != BinaryOp::And && binary->op != BinaryOp::Or))
    return std::nullopt;
  Columns x = piecesOf(binary->left, wanted);
  Columns y = piecesOf(binary->right, wanted);
  return (binary->op == BinaryOp::And) == wanted ? common(x, y) : joined(x, y);
}

/// A comparison of integers one of which has the column in it.
Columns ColumnSolver::piecesOf(const air::CompareExpr *e, bool wanted) {
  bool isLeft = hasColumn(e->left);
  if (!isWhole(e->left->type) || e->left->type == air::Type::I64 ||
      isLeft == hasColumn(e->right))
    return std::nullopt;
  const air::Expr *side = isLeft ? e->left : e->right;
  ColumnExtent other = extentOf(isLeft ? e->right : e->left);
  auto [low, high] = limits(fn.types, side->type);
  bool isBelow = e->op == CompareOp::Lt || e->op == CompareOp::Le;
  bool isStrict = e->op == CompareOp::Lt || e->op == CompareOp::Gt;
  switch (e->op) {
  case CompareOp::Eq:
  case CompareOp::Ne:
    if ((e->op == CompareOp::Eq) != wanted)
      return std::nullopt;
    return solve(side, other.lo, other.hi);
  case CompareOp::Lt:
  case CompareOp::Le:
  case CompareOp::Gt:
  case CompareOp::Ge:
    break;
  }
  // `a < b` is false where `a >= b`.
  bool isLess = (isBelow == isLeft) == wanted;
  Value *gap = number(isStrict == wanted);
  return isLess ? solve(side, number(low), b.CreateSub(other.hi, gap))
                : solve(side, b.CreateAdd(other.lo, gap), number(high));
}

/// Where \p e, in which the column is once or more, may be from \p from to
/// \p to. Both are far from the limits of i64.
Columns ColumnSolver::solve(const air::Expr *e, Value *from, Value *to) {
  if (isa<air::IndexExpr>(e))
    return {{Piece{from, to}}};
  if (auto *unary = dyn_cast<air::UnaryExpr>(e)) {
    Value *negative = b.CreateNeg(to), *positive = b.CreateNeg(from);
    if (unary->op == UnaryOp::Neg && e->type == air::Type::I32)
      return solve(unary->operand, negative, positive);
    if (unary->op != UnaryOp::Abs || e->type != air::Type::I32)
      return std::nullopt;
    from = greatest(from, number(0));
    return joined(solve(unary->operand, from, to),
                  solve(unary->operand, negative, b.CreateNeg(from)));
  }
  auto *binary = dyn_cast<air::BinaryExpr>(e);
  if (!binary || e->type != air::Type::I32 ||
      hasColumn(binary->left) == hasColumn(binary->right))
    return std::nullopt;
  if (binary->op == BinaryOp::Add || binary->op == BinaryOp::Sub)
    return solveSum(binary, from, to);
  if (binary->op == BinaryOp::Min || binary->op == BinaryOp::Max)
    return solveExtremum(binary, from, to);
  return std::nullopt;
}

/// x + y, x - y of i32. If it wraps around somewhere, anywhere.
Columns ColumnSolver::solveSum(const air::BinaryExpr *e, Value *from,
                               Value *to) {
  bool isLeft = hasColumn(e->left), isSum = e->op == BinaryOp::Add;
  ColumnExtent x = extentOf(e->left), y = extentOf(e->right);
  ColumnExtent all =
      isSum ? ColumnExtent{b.CreateAdd(x.lo, y.lo), b.CreateAdd(x.hi, y.hi)}
            : ColumnExtent{b.CreateSub(x.lo, y.hi), b.CreateSub(x.hi, y.lo)};
  auto [low, high] = limits(fn.types, e->type);
  Value *fits = b.CreateAnd(b.CreateICmpSGE(all.lo, number(low)),
                            b.CreateICmpSLE(all.hi, number(high)));
  constexpr int64_t Far = int64_t(1) << 40;
  auto solved = [&](const air::Expr *side, Value *first, Value *last) {
    return solve(side, b.CreateSelect(fits, first, number(-Far)),
                 b.CreateSelect(fits, last, number(Far)));
  };
  if (!isLeft && !isSum) // x - column
    return solved(e->right, b.CreateSub(x.lo, to), b.CreateSub(x.hi, from));
  if (!isLeft) // x + column
    return solved(e->right, b.CreateSub(from, x.hi), b.CreateSub(to, x.lo));
  if (isSum) // column + y
    return solved(e->left, b.CreateSub(from, y.hi), b.CreateSub(to, y.lo));
  return solved(e->left, b.CreateAdd(from, y.lo), b.CreateAdd(to, y.hi));
}

/// A minimum that is at most `to` may be the other operand, if that can be; at
/// least `from` are both.
Columns ColumnSolver::solveExtremum(const air::BinaryExpr *e, Value *from,
                                    Value *to) {
  bool isLeft = hasColumn(e->left);
  const air::Expr *side = isLeft ? e->left : e->right;
  ColumnExtent other = extentOf(isLeft ? e->right : e->left);
  auto [low, high] = limits(fn.types, e->type);
  if (e->op == BinaryOp::Min)
    return solve(
        side, from,
        b.CreateSelect(b.CreateICmpSGT(other.lo, to), to, number(high)));
  return solve(
      side, b.CreateSelect(b.CreateICmpSLT(other.hi, from), from, number(low)),
      to);
}

} // namespace

Columns columnsOf(FunctionState &fn, const air::Expr *condition, unsigned last,
                  ValueBounds bounds) {
  return ColumnSolver(fn, last, bounds).piecesOf(condition, /*wanted=*/true);
}

} // namespace zpl::codegen
