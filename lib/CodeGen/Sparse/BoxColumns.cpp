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
// column in it: sums, differences, `abs`, `min`, `max`, products and quotients
// of 32 bits. The other operand is an interval (Intervals.cpp), in a box; in a
// row it is a number, and what is found is exact:
//
//     abs(index(0) - index(1)) < 2     in row 5 in columns 4..6
//     2 * index(1) + 1 >= index(0)     in row 5 in columns 2..
//     index(1) % 10 < 3                in windows 0..2, 10..12, 20..22, ...
//
// Several pieces come of `or`, of `abs` and of `!=`; `and` keeps what is in a
// piece of either side. Where one side has single columns only, as `a = b`, the
// other side is evaluated there, whatever it is:
//
//     abs(index(0) - index(1)) = 1 and min(index(0), index(1)) % n != 0
//
// What is in two windows at the same time is not found, nor is what stands on
// both sides of a sum: both must hold with the bounds of the other one, as in
// hull consistency (Benhamou and others, 1999). Too many pieces become the one
// around them. Then pieces are not exact, and the condition is evaluated in them.
//
// Cost: a few instructions per node and piece.
//
//===----------------------------------------------------------------------===//

#include "Sparse/BoxColumns.h"
#include "Function/FunctionLowering.h"
#include "Function/LowerScalar.h"
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

/// Beyond all indices, and far from the limits of i64.
constexpr int64_t Far = int64_t(1) << 40;

/// Whether the index of dimension \p last is in it, or what depends on that.
bool hasColumn(const air::Expr *e, unsigned last) {
  bool found = false;
  air::forEachExpr(*e, [&](const air::Expr &part) {
    auto *index = dyn_cast<air::IndexExpr>(&part);
    auto *element = dyn_cast<air::ElementExpr>(&part);
    found |= (index && index->dim == last) ||
             (element && element->array->shape[last] != air::DimKind::Flood);
  });
  return found;
}

/// The bounds of a value, i64.
struct ColumnExtent {
  Value *lo, *hi;
};

class ColumnSolver {
public:
  /// \p row: null for a box.
  ColumnSolver(FunctionState &fn, unsigned last, const RowAt *row,
               ValueBounds bounds)
      : fn(fn), b(fn.builder), last(last), row(row), bounds(bounds),
        mostPieces(row ? ZRT_ROW_PIECES : ZRT_BOX_PIECES) {}

  Columns piecesOf(const air::Expr *e, bool wanted);

private:
  // Conditions.
  Columns ofWholeRow(const air::Expr *e, bool wanted);
  Columns ofBoth(const air::Expr *x, const air::Expr *y, bool wanted);
  Columns comparison(const air::CompareExpr *e, bool wanted);
  ColumnPieces tested(ColumnPieces x, const air::Expr *e, bool wanted);

  // Expressions that are in the range that a piece says.
  Columns solve(const air::Expr *e, const Piece &in);
  Columns solveAbs(const air::Expr *operand, const Piece &in);
  Columns solveSum(const air::BinaryExpr *e, const Piece &in);
  Columns solveExtremum(const air::BinaryExpr *e, const Piece &in);
  Columns solveProduct(const air::BinaryExpr *e, const Piece &in);
  Columns solveQuotient(const air::BinaryExpr *e, const Piece &in);
  Columns solveRemainder(const air::BinaryExpr *e, const Piece &in);
  Columns solveBoth(const air::BinaryExpr *e, const Piece &in);

  // Pieces.
  Columns joined(const Columns &x, const Columns &y);
  Columns common(const Columns &x, const Columns &y);
  bool isTooMuch(ArrayRef<Piece> pieces) const;
  ColumnPieces hull(const ColumnPieces &x);
  Piece moved(Piece piece, Value *by);
  Piece mirrored(const Piece &piece);

  // Values.
  bool hasColumn(const air::Expr *e) const {
    return codegen::hasColumn(e, last);
  }
  ColumnExtent extentOf(const air::Expr *e);
  Value *single(const air::Expr *e);
  Value *quotient(Value *dividend, Value *divisor, bool isUp);
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
  const RowAt *row;
  ValueBounds bounds;
  size_t mostPieces;
};

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

bool ColumnSolver::isTooMuch(ArrayRef<Piece> pieces) const {
  auto windows = count_if(pieces, [](const Piece &p) { return p.base; });
  return windows > ZRT_ROW_WINDOWS ||
         pieces.size() - size_t(windows) > mostPieces;
}

/// The one piece around all of them.
ColumnPieces ColumnSolver::hull(const ColumnPieces &x) {
  Piece all = {number(INT64_MAX), number(INT64_MIN)};
  for (const Piece &piece : x.pieces) {
    Value *isThere = b.CreateICmpSLE(piece.from, piece.to);
    all.from = b.CreateSelect(isThere, least(all.from, piece.from), all.from);
    all.to = b.CreateSelect(isThere, greatest(all.to, piece.to), all.to);
  }
  return {{all}, x.areExact && x.pieces.size() < 2 && !x.pieces[0].base};
}

/// What is in one of both.
Columns ColumnSolver::joined(const Columns &x, const Columns &y) {
  if (!x || !y)
    return std::nullopt;
  ColumnPieces all = *x;
  all.pieces.append(y->pieces.begin(), y->pieces.end());
  all.areExact &= y->areExact;
  if (!isTooMuch(all.pieces))
    return all;
  all.pieces = {hull(*x).pieces[0], hull(*y).pieces[0]};
  all.areExact = false;
  return all;
}

/// What is in both.
Columns ColumnSolver::common(const Columns &x, const Columns &y) {
  if (!x || !y) {
    Columns known = x ? x : y;
    if (known)
      known->areExact = false;
    return known;
  }
  ColumnPieces all;
  all.areExact = x->areExact && y->areExact;
  for (const Piece &one : x->pieces)
    for (const Piece &other : y->pieces) {
      all.areExact &= !one.base || !other.base;
      Piece piece = one.base ? one : other;
      piece.from = greatest(one.from, other.from);
      piece.to = least(one.to, other.to);
      piece.isPoint = one.isPoint || other.isPoint;
      all.pieces.push_back(piece);
    }
  if (!isTooMuch(all.pieces))
    return all;
  return x->pieces.size() > y->pieces.size() ? common(x, hull(*y))
                                             : common(hull(*x), y);
}

/// Each column and \p by.
Piece ColumnSolver::moved(Piece piece, Value *by) {
  piece.from = b.CreateAdd(piece.from, by);
  piece.to = b.CreateAdd(piece.to, by);
  if (piece.base)
    piece.base = b.CreateAdd(piece.base, by);
  return piece;
}

/// The negative of each column.
Piece ColumnSolver::mirrored(const Piece &piece) {
  Piece result = piece;
  result.from = b.CreateNeg(piece.to);
  result.to = b.CreateNeg(piece.from);
  if (piece.base)
    result.base = b.CreateSub(b.CreateSub(number(1), piece.width), piece.base);
  return result;
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

/// Where \p e, a Bool, may be \p wanted.
Columns ColumnSolver::piecesOf(const air::Expr *e, bool wanted) {
  if (e->type != air::Type::Bool)
    return std::nullopt;
  if (row && !hasColumn(e))
    return ofWholeRow(e, wanted);
  if (auto *compare = dyn_cast<air::CompareExpr>(e))
    return comparison(compare, wanted);
  if (auto *unary = dyn_cast<air::UnaryExpr>(e))
    return unary->op == UnaryOp::Not ? piecesOf(unary->operand, !wanted)
                                     : std::nullopt;
  auto *binary = dyn_cast<air::BinaryExpr>(e);
  if (!binary || (binary->op != BinaryOp::And && binary->op != BinaryOp::Or))
    return std::nullopt;
  if ((binary->op == BinaryOp::And) == wanted)
    return ofBoth(binary->left, binary->right, wanted);
  Columns x = piecesOf(binary->left, wanted);
  return joined(x, piecesOf(binary->right, wanted));
}

/// All columns or none.
Columns ColumnSolver::ofWholeRow(const air::Expr *e, bool wanted) {
  Value *truth = lower(fn, e);
  Value *none = b.CreateSub(row->lo, number(1));
  Piece piece = {row->lo, wanted ? b.CreateSelect(truth, row->hi, none)
                                 : b.CreateSelect(truth, none, row->hi)};
  return ColumnPieces{{piece}};
}

Columns ColumnSolver::ofBoth(const air::Expr *x, const air::Expr *y,
                             bool wanted) {
  auto arePoints = [&](const Columns &columns) {
    return row && columns && all_of(columns->pieces, [](const Piece &piece) {
             return piece.isPoint;
           });
  };
  Columns ofX = piecesOf(x, wanted);
  if (arePoints(ofX))
    return tested(*ofX, y, wanted);
  Columns ofY = piecesOf(y, wanted);
  if (arePoints(ofY))
    return tested(*ofY, x, wanted);
  return common(ofX, ofY);
}

/// The points \p x where \p e is \p wanted as well. They are evaluated inside of
/// the box, where they are not in it somewhere else.
ColumnPieces ColumnSolver::tested(ColumnPieces x, const air::Expr *e,
                                  bool wanted) {
  for (Piece &point : x.pieces) {
    Value *at = greatest(row->lo, least(row->hi, point.from));
    row->each.index[last] = b.CreateTrunc(at, fn.types.i32);
    Value *truth = lower(fn, e);
    Value *none = b.CreateSub(point.from, number(1));
    point.to = wanted ? b.CreateSelect(truth, point.to, none)
                      : b.CreateSelect(truth, none, point.to);
  }
  row->each.index[last] = nullptr;
  return x;
}

/// A comparison of integers one of which has the column in it.
Columns ColumnSolver::comparison(const air::CompareExpr *e, bool wanted) {
  bool isLeft = hasColumn(e->left);
  if (!isWhole(e->left->type) || e->left->type == air::Type::I64 ||
      isLeft == hasColumn(e->right))
    return std::nullopt;
  const air::Expr *side = isLeft ? e->left : e->right;
  ColumnExtent other = extentOf(isLeft ? e->right : e->left);
  auto [low, high] = limits(fn.types, side->type);
  bool isBelow = e->op == CompareOp::Lt || e->op == CompareOp::Le;
  bool isStrict = e->op == CompareOp::Lt || e->op == CompareOp::Gt;
  auto below = [&](Value *gap) {
    return solve(side, {number(low), b.CreateSub(other.hi, gap)});
  };
  auto above = [&](Value *gap) {
    return solve(side, {b.CreateAdd(other.lo, gap), number(high)});
  };
  switch (e->op) {
  case CompareOp::Eq:
  case CompareOp::Ne: {
    if ((e->op == CompareOp::Eq) == wanted)
      return solve(side, {other.lo, other.hi, /*isPoint=*/row != nullptr});
    if (!row)
      return std::nullopt;
    Columns less = below(number(1));
    return joined(less, above(number(1)));
  }
  case CompareOp::Lt:
  case CompareOp::Le:
  case CompareOp::Gt:
  case CompareOp::Ge:
    break;
  }
  // `a < b` is false where `a >= b`.
  Value *gap = number(isStrict == wanted);
  return (isBelow == isLeft) == wanted ? below(gap) : above(gap);
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

ColumnExtent ColumnSolver::extentOf(const air::Expr *e) {
  if (row && !hasColumn(e)) {
    Value *value =
        b.CreateIntCast(lower(fn, e), fn.types.i64, e->type.isSigned());
    return {value, value};
  }
  auto [lo, hi] = bounds(e);
  return {lo, hi};
}

/// The value of what is the same in the whole box; else null.
Value *ColumnSolver::single(const air::Expr *e) {
  if (hasColumn(e))
    return nullptr;
  ColumnExtent extent = extentOf(e);
  return extent.lo == extent.hi ? extent.lo : nullptr;
}

/// Where \p e, in which the column is once or more, may be in the range \p in.
/// Its bounds are far from the limits of i64.
Columns ColumnSolver::solve(const air::Expr *e, const Piece &in) {
  if (isa<air::IndexExpr>(e))
    return ColumnPieces{{in}};
  if (e->type != air::Type::I32)
    return std::nullopt;
  if (auto *unary = dyn_cast<air::UnaryExpr>(e)) {
    if (unary->op == UnaryOp::Neg)
      return solve(unary->operand, mirrored(in));
    return unary->op == UnaryOp::Abs ? solveAbs(unary->operand, in)
                                     : std::nullopt;
  }
  auto *binary = dyn_cast<air::BinaryExpr>(e);
  if (!binary)
    return std::nullopt;
  if (hasColumn(binary->left) && hasColumn(binary->right))
    return solveBoth(binary, in);
  if (binary->op == BinaryOp::Add || binary->op == BinaryOp::Sub)
    return solveSum(binary, in);
  if (in.base)
    return std::nullopt;
  if (binary->op == BinaryOp::Min || binary->op == BinaryOp::Max)
    return solveExtremum(binary, in);
  if (binary->op == BinaryOp::Mul)
    return solveProduct(binary, in);
  if (binary->op == BinaryOp::Div)
    return solveQuotient(binary, in);
  return binary->op == BinaryOp::Rem ? solveRemainder(binary, in)
                                     : std::nullopt;
}

Columns ColumnSolver::solveAbs(const air::Expr *operand, const Piece &in) {
  auto *from = dyn_cast<ConstantInt>(in.from);
  if (from && from->getSExtValue() <= 0 && !in.base)
    return solve(operand, {b.CreateNeg(in.to), in.to, in.isPoint});
  Piece positive = in;
  positive.from = greatest(in.from, number(0));
  Columns above = solve(operand, positive);
  return joined(above, solve(operand, mirrored(positive)));
}

/// x + y, x - y.
Columns ColumnSolver::solveSum(const air::BinaryExpr *e, const Piece &in) {
  bool isLeft = hasColumn(e->left), isSum = e->op == BinaryOp::Add;
  const air::Expr *side = isLeft ? e->left : e->right;
  ColumnExtent other = extentOf(isLeft ? e->right : e->left);
  bool isOne = other.lo == other.hi;
  if (!isOne && in.base)
    return std::nullopt;
  // column = value - other, value + other, other - value
  Piece value = isLeft || isSum ? in : mirrored(in);
  bool isLess = isSum;
  Piece result = moved(value, isLess ? b.CreateNeg(other.hi) : other.lo);
  if (!isOne)
    result.to =
        b.CreateAdd(value.to, isLess ? b.CreateNeg(other.lo) : other.hi);
  return solve(side, result);
}

/// A minimum that is at least `from` is so on both sides; one that is less than
/// the other operand, the column has. A maximum likewise.
Columns ColumnSolver::solveExtremum(const air::BinaryExpr *e, const Piece &in) {
  bool isLeft = hasColumn(e->left);
  const air::Expr *side = isLeft ? e->left : e->right;
  ColumnExtent other = extentOf(isLeft ? e->right : e->left);
  auto [low, high] = limits(fn.types, e->type);
  Piece result = {in.from, in.to};
  if (e->op == BinaryOp::Min) {
    Value *isNone = b.CreateICmpSLT(other.hi, in.from);
    result.to =
        b.CreateSelect(b.CreateICmpSGT(other.lo, in.to), in.to, number(high));
    result.to = b.CreateSelect(isNone, number(-Far), result.to);
  } else {
    Value *isNone = b.CreateICmpSGT(other.lo, in.to);
    result.from = b.CreateSelect(b.CreateICmpSLT(other.hi, in.from), in.from,
                                 number(low));
    result.from = b.CreateSelect(isNone, number(Far), result.from);
  }
  return solve(side, result);
}

/// A quotient by a positive divisor, rounded up or down.
Value *ColumnSolver::quotient(Value *dividend, Value *divisor, bool isUp) {
  Value *zero = number(0);
  Value *whole = b.CreateSDiv(dividend, divisor);
  Value *rest = b.CreateSub(dividend, b.CreateMul(whole, divisor));
  if (isUp)
    return b.CreateAdd(whole,
                       b.CreateZExt(b.CreateICmpSGT(rest, zero), fn.types.i64));
  return b.CreateSub(whole,
                     b.CreateZExt(b.CreateICmpSLT(rest, zero), fn.types.i64));
}

/// column * by. By zero that is 0 everywhere.
Columns ColumnSolver::solveProduct(const air::BinaryExpr *e, const Piece &in) {
  bool isLeft = hasColumn(e->left);
  Value *by = single(isLeft ? e->right : e->left);
  if (!by)
    return std::nullopt;
  Value *zero = number(0);
  Value *isZero = b.CreateICmpEQ(by, zero);
  Value *isNegative = b.CreateICmpSLT(by, zero);
  Value *size = b.CreateSelect(isNegative, b.CreateNeg(by), by);
  size = b.CreateSelect(isZero, number(1), size);
  Piece minus = mirrored(in);
  Value *from = b.CreateSelect(isNegative, minus.from, in.from);
  Value *to = b.CreateSelect(isNegative, minus.to, in.to);
  Value *holds =
      b.CreateAnd(b.CreateICmpSLE(from, zero), b.CreateICmpSGE(to, zero));
  Piece ofZero = {b.CreateSelect(holds, number(-Far), number(Far)),
                  b.CreateSelect(holds, number(Far), number(-Far))};
  auto *fixed = dyn_cast<ConstantInt>(by);
  Piece result = {
      b.CreateSelect(isZero, ofZero.from, quotient(from, size, /*isUp=*/true)),
      b.CreateSelect(isZero, ofZero.to, quotient(to, size, /*isUp=*/false)),
      in.isPoint && fixed && !fixed->isZero()};
  return solve(isLeft ? e->left : e->right, result);
}

/// column / by, toward zero: by 10 it is 0 for -9 .. 9, and 2 for 20 .. 29.
Columns ColumnSolver::solveQuotient(const air::BinaryExpr *e, const Piece &in) {
  Value *by = single(e->right);
  if (!by)
    return std::nullopt;
  Value *zero = number(0), *one = number(1);
  Value *isNegative = b.CreateICmpSLT(by, zero);
  Value *size = b.CreateSelect(isNegative, b.CreateNeg(by), by);
  auto [low, high] = limits(fn.types, e->type);
  auto fit = [&](Value *bound) {
    return greatest(number(low), least(number(high), bound));
  };
  Piece minus = mirrored(in);
  Value *from = fit(b.CreateSelect(isNegative, minus.from, in.from));
  Value *to = fit(b.CreateSelect(isNegative, minus.to, in.to));
  Value *rest = b.CreateSub(size, one);
  Value *first = b.CreateMul(from, size), *end = b.CreateMul(to, size);
  return solve(e->left, {b.CreateSelect(b.CreateICmpSGT(from, zero), first,
                                        b.CreateSub(first, rest)),
                         b.CreateSelect(b.CreateICmpSGE(to, zero),
                                        b.CreateAdd(end, rest), end)});
}

/// column % by, which has the sign of the column.
Columns ColumnSolver::solveRemainder(const air::BinaryExpr *e,
                                     const Piece &in) {
  Value *by = single(e->right);
  if (!row || !by)
    return std::nullopt;
  Value *zero = number(0), *one = number(1);
  Value *size = b.CreateSelect(b.CreateICmpSLT(by, zero), b.CreateNeg(by), by);
  // No division by zero is computed, but somebody might look at this.
  Value *period = greatest(size, one);
  auto windows = [&](const Piece &rests, Value *from) {
    Value *base = greatest(rests.from, zero);
    Value *end = least(rests.to, b.CreateSub(size, one));
    return Piece{from,
                 number(Far),
                 /*isPoint=*/false,
                 base,
                 period,
                 b.CreateAdd(b.CreateSub(end, base), one)};
  };
  Columns above = solve(e->left, windows(in, zero));
  return joined(above, solve(e->left, mirrored(windows(mirrored(in), one))));
}

/// An operation with the column on both sides: each side with what is known of
/// the other one.
Columns ColumnSolver::solveBoth(const air::BinaryExpr *e, const Piece &in) {
  if (in.base)
    return std::nullopt;
  auto [low, high] = limits(fn.types, e->type);
  bool isExact = false;
  Piece left, right;
  if (e->op == BinaryOp::Min) {
    left = right = {in.from, number(high)};
    isExact = in.to == number(high);
  } else if (e->op == BinaryOp::Max) {
    left = right = {number(low), in.to};
    isExact = in.from == number(low);
  } else if (e->op == BinaryOp::Add || e->op == BinaryOp::Sub) {
    ColumnExtent x = extentOf(e->left), y = extentOf(e->right);
    if (e->op == BinaryOp::Add) {
      left = {b.CreateSub(in.from, y.hi), b.CreateSub(in.to, y.lo)};
      right = {b.CreateSub(in.from, x.hi), b.CreateSub(in.to, x.lo)};
    } else {
      left = {b.CreateAdd(in.from, y.lo), b.CreateAdd(in.to, y.hi)};
      right = {b.CreateSub(x.lo, in.to), b.CreateSub(x.hi, in.from)};
    }
    // What is bounded on one side only stays so.
    bool isSum = e->op == BinaryOp::Add;
    if (in.from == number(low)) {
      left.from = in.from;
      (isSum ? right.from : right.to) = number(isSum ? low : high);
    }
    if (in.to == number(high)) {
      left.to = in.to;
      (isSum ? right.to : right.from) = number(isSum ? high : low);
    }
  } else {
    return std::nullopt;
  }
  Columns ofLeft = solve(e->left, left);
  Columns result = common(ofLeft, solve(e->right, right));
  if (result)
    result->areExact &= isExact;
  return result;
}

/// Whether solve knows something of \p e.
bool solves(const air::Expr *e, unsigned last) {
  if (isa<air::IndexExpr>(e))
    return true;
  if (e->type != air::Type::I32)
    return false;
  if (auto *unary = dyn_cast<air::UnaryExpr>(e))
    return (unary->op == UnaryOp::Neg || unary->op == UnaryOp::Abs) &&
           solves(unary->operand, last);
  auto *binary = dyn_cast<air::BinaryExpr>(e);
  if (!binary)
    return false;
  bool isLeft = hasColumn(binary->left, last);
  bool isRight = hasColumn(binary->right, last);
  if (binary->op == BinaryOp::Div || binary->op == BinaryOp::Rem)
    return !isRight && solves(binary->left, last);
  if (binary->op != BinaryOp::Add && binary->op != BinaryOp::Sub &&
      binary->op != BinaryOp::Min && binary->op != BinaryOp::Max &&
      (binary->op != BinaryOp::Mul || (isLeft && isRight)))
    return false;
  return (isLeft && solves(binary->left, last)) ||
         (isRight && solves(binary->right, last));
}

/// Whether something is known of where \p e is \p wanted, in a row.
bool findsColumns(const air::Expr *e, unsigned last, bool wanted) {
  if (e->type != air::Type::Bool)
    return false;
  if (!hasColumn(e, last))
    return true;
  if (auto *unary = dyn_cast<air::UnaryExpr>(e))
    return unary->op == UnaryOp::Not &&
           findsColumns(unary->operand, last, !wanted);
  if (auto *binary = dyn_cast<air::BinaryExpr>(e)) {
    if (binary->op != BinaryOp::And && binary->op != BinaryOp::Or)
      return false;
    bool left = findsColumns(binary->left, last, wanted);
    bool right = findsColumns(binary->right, last, wanted);
    return (binary->op == BinaryOp::And) == wanted ? left || right
                                                   : left && right;
  }
  auto *compare = dyn_cast<air::CompareExpr>(e);
  if (!compare || !isWhole(compare->left->type) ||
      compare->left->type == air::Type::I64)
    return false;
  bool isLeft = hasColumn(compare->left, last);
  return isLeft != hasColumn(compare->right, last) &&
         solves(isLeft ? compare->left : compare->right, last);
}

} // namespace

bool solvesRows(const air::Expr *condition, unsigned last) {
  return findsColumns(condition, last, /*wanted=*/true);
}

Columns columnsInBox(FunctionState &fn, const air::Expr *condition,
                     unsigned last, ValueBounds bounds) {
  return ColumnSolver(fn, last, nullptr, bounds)
      .piecesOf(condition, /*wanted=*/true);
}

ColumnPieces columnsInRow(FunctionState &fn, const air::Expr *condition,
                          unsigned last, const RowAt &row, ValueBounds bounds) {
  Columns columns =
      ColumnSolver(fn, last, &row, bounds).piecesOf(condition, /*wanted=*/true);
  return columns ? *columns
                 : ColumnPieces{{Piece{row.lo, row.hi}}, /*areExact=*/false};
}

} // namespace zpl::codegen
