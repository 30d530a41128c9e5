//===- Selection.cpp - Patterns of conditions on indices ------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     region Tri = [1..n, 1..n] where (abs(Index1 - Index2) < 2);
//
// Where n is a million nobody looks at each index. In a box of indices each
// integer of the condition is between two numbers, and each truth value true
// everywhere, nowhere, or neither. A box where the condition is neither is
// halved along its longest dimension, until a few indices are left, for which
// it is evaluated.
//
// Bounds are computed with 128 bits. What leaves its type, may be divided by 0
// or is of another type than integer, longint and boolean is unknown, and what
// might end the run is evaluated at each index.
//
// Cost: in proportion to the boundary of the pattern.
//
//===----------------------------------------------------------------------===//

#include "Regions/Selection.h"
#include "Arrays/ArrayExpressions.h"
#include "Expressions.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace zpl::interpreter {
namespace {

using sema::BinaryOp;
using sema::CompareOp;
using sema::UnaryOp;
using Exact = __int128;

/// From lo to hi; booleans are 0 and 1.
struct Extent {
  bool isKnown = false;
  Exact lo = 0, hi = 0;
};

constexpr Extent AnyTruth = {true, 0, 1};

/// Steps of a region: its indices by number, in each dimension.
struct StepBox {
  std::array<int64_t, sema::MaxRank> begin{}, end{};
};

/// The least and greatest value of a type of which something is known.
std::optional<std::pair<Exact, Exact>> limitsOf(Type type) {
  if (type == Type::Boolean)
    return {{0, 1}};
  if (type == Type::Integer)
    return {{INT32_MIN, INT32_MAX}};
  if (type == Type::Longint)
    return {{INT64_MIN, INT64_MAX}};
  return std::nullopt;
}

class BoxSelector {
public:
  BoxSelector(Run &run, const sema::Expr &condition, const Prepared &prepared,
              Pattern &found)
      : run(run), condition(condition), prepared(prepared),
        region(*prepared.over.region), found(found) {}

  void select(const StepBox &box) {
    int64_t count = 1;
    unsigned longest = 0;
    for (unsigned d = 0; d != region.rank(); ++d) {
      int64_t extent = box.end[d] - box.begin[d];
      if (extent > box.end[longest] - box.begin[longest])
        longest = d;
      count = count > Few ? count : count * extent;
      lo[d] = indexAt(d, box.begin[d]);
      hi[d] = indexAt(d, box.end[d] - 1);
    }
    if (count == 0)
      return;
    mustAsk = false;
    Extent truth = of(condition);
    bool isKnown = truth.isKnown && !mustAsk && truth.lo == truth.hi;
    if (isKnown && truth.hi == 0)
      return;
    if (isKnown || count <= Few)
      return forEach(box, /*asks=*/!isKnown);
    StepBox half = box;
    int64_t middle =
        box.begin[longest] + (box.end[longest] - box.begin[longest]) / 2;
    half.end[longest] = middle;
    select(half);
    half = box;
    half.begin[longest] = middle;
    select(half);
  }

private:
  static constexpr int64_t Few = 8; ///< indices that are asked one by one

  int64_t indexAt(unsigned dim, int64_t step) const {
    const Dim &of = region.dims[dim];
    return of.first() + step * of.stride;
  }

  void forEach(const StepBox &box, bool asks) {
    StepBox at = box;
    Index index{};
    unsigned d = 0;
    do {
      for (d = 0; d != region.rank(); ++d)
        index[d] = indexAt(d, at.begin[d]);
      At here = {index, prepared};
      if (!asks || eval(run, &condition, &here).integer != 0)
        found.insert(index);
      for (d = region.rank(); d != 0; --d) {
        if (++at.begin[d - 1] < box.end[d - 1])
          break;
        at.begin[d - 1] = box.begin[d - 1];
      }
    } while (d != 0);
  }

  Extent fit(Type type, Extent x) {
    auto limits = limitsOf(type);
    if (!limits || !x.isKnown)
      return {};
    if (x.lo >= limits->first && x.hi <= limits->second)
      return x;
    mustAsk |= run.options.checksOverflow;
    return {true, limits->first, limits->second};
  }

  Extent of(const sema::Expr &e);
  Extent unary(const sema::UnaryExpr &e);
  Extent binary(const sema::BinaryExpr &e);
  Extent divide(BinaryOp op, Extent x, Extent y);
  static Extent compare(CompareOp op, Extent x, Extent y);

  Run &run;
  const sema::Expr &condition;
  const Prepared &prepared;
  const Region &region;
  Pattern &found;
  Index lo{}, hi{};     ///< of the box at hand
  bool mustAsk = false; ///< something in it might end the run
};

Extent truthOf(Extent x) {
  if (!x.isKnown)
    return AnyTruth;
  return {true, x.lo > 0 || x.hi < 0, x.lo != 0 || x.hi != 0};
}

Extent BoxSelector::unary(const sema::UnaryExpr &e) {
  Extent x = of(*e.operand);
  switch (e.op) {
  case UnaryOp::Not: {
    Extent truth = truthOf(x);
    return {true, 1 - truth.hi, 1 - truth.lo};
  }
  case UnaryOp::Neg:
    return fit(e.type, {x.isKnown, -x.hi, -x.lo});
  case UnaryOp::Abs:
    return fit(e.type, {x.isKnown, std::max(Exact(0), std::max(x.lo, -x.hi)),
                        std::max(-x.lo, x.hi)});
  case UnaryOp::BitNot:
    return {};
  }
  llvm_unreachable("unknown unary operator");
}

/// Remainders have the sign of the dividend.
Extent BoxSelector::divide(BinaryOp op, Extent x, Extent y) {
  if (!y.isKnown || (y.lo <= 0 && y.hi >= 0)) {
    mustAsk = true;
    return {};
  }
  if (!x.isKnown)
    return {};
  auto [low, high] =
      std::minmax({x.lo / y.lo, x.lo / y.hi, x.hi / y.lo, x.hi / y.hi});
  if (op == BinaryOp::Div)
    return {true, low, high};
  if (y.lo == y.hi && x.lo / y.lo == x.hi / y.lo)
    return {true, x.lo % y.lo, x.hi % y.lo};
  Exact most = std::max(y.hi, -y.lo) - 1;
  return {true, std::max(std::min(x.lo, Exact(0)), -most),
          std::min(std::max(x.hi, Exact(0)), most)};
}

Extent BoxSelector::binary(const sema::BinaryExpr &e) {
  Extent x = of(*e.left), y = of(*e.right);
  bool isKnown = x.isKnown && y.isKnown;
  switch (e.op) {
  case BinaryOp::And:
    x = truthOf(x), y = truthOf(y);
    return {true, std::min(x.lo, y.lo), std::min(x.hi, y.hi)};
  case BinaryOp::Or:
    x = truthOf(x), y = truthOf(y);
    return {true, std::max(x.lo, y.lo), std::max(x.hi, y.hi)};
  case BinaryOp::Add:
    return fit(e.type, {isKnown, x.lo + y.lo, x.hi + y.hi});
  case BinaryOp::Sub:
    return fit(e.type, {isKnown, x.lo - y.hi, x.hi - y.lo});
  case BinaryOp::Mul: {
    auto [low, high] =
        std::minmax({x.lo * y.lo, x.lo * y.hi, x.hi * y.lo, x.hi * y.hi});
    return fit(e.type, {isKnown, low, high});
  }
  case BinaryOp::Div:
  case BinaryOp::Rem:
    return limitsOf(e.type) ? fit(e.type, divide(e.op, x, y)) : Extent();
  case BinaryOp::Min:
    return {isKnown, std::min(x.lo, y.lo), std::min(x.hi, y.hi)};
  case BinaryOp::Max:
    return {isKnown, std::max(x.lo, y.lo), std::max(x.hi, y.hi)};
  case BinaryOp::Pow:
    mustAsk |= run.options.checksOverflow || y.lo < 0;
    return {};
  case BinaryOp::MinNaN:
  case BinaryOp::MaxNaN:
  case BinaryOp::BitAnd:
  case BinaryOp::BitOr:
  case BinaryOp::BitXor:
  case BinaryOp::ShiftL:
  case BinaryOp::ShiftR:
    return {};
  }
  llvm_unreachable("unknown binary operator");
}

Extent BoxSelector::compare(CompareOp op, Extent x, Extent y) {
  if (!x.isKnown || !y.isKnown)
    return AnyTruth;
  bool isOne = x.lo == y.hi && x.hi == y.lo;
  bool meet = x.lo <= y.hi && y.lo <= x.hi;
  switch (op) {
  case CompareOp::Lt:
    return {true, x.hi < y.lo, x.lo < y.hi};
  case CompareOp::Le:
    return {true, x.hi <= y.lo, x.lo <= y.hi};
  case CompareOp::Gt:
    return {true, x.lo > y.hi, x.hi > y.lo};
  case CompareOp::Ge:
    return {true, x.lo >= y.hi, x.hi >= y.lo};
  case CompareOp::Eq:
    return {true, isOne, meet};
  case CompareOp::Ne:
    return {true, !meet, !isOne};
  }
  llvm_unreachable("unknown comparison");
}

Extent BoxSelector::of(const sema::Expr &e) {
  if (!e.isArray()) {
    if (!limitsOf(e.type))
      return {};
    auto known = prepared.scalars.find(&e);
    Exact value = known != prepared.scalars.end() ? known->second.integer
                                                  : eval(run, &e).integer;
    return {true, value, value};
  }
  if (auto *index = dyn_cast<sema::IndexExpr>(&e))
    return {true, lo[index->dim], hi[index->dim]};
  if (auto *operation = dyn_cast<sema::UnaryExpr>(&e))
    return unary(*operation);
  if (auto *operation = dyn_cast<sema::BinaryExpr>(&e))
    return binary(*operation);
  if (auto *comparison = dyn_cast<sema::CompareExpr>(&e))
    return compare(comparison->op, of(*comparison->left),
                   of(*comparison->right));
  if (auto *conversion = dyn_cast<sema::CastExpr>(&e)) {
    Extent x = of(*conversion->operand);
    if (e.type == Type::Boolean)
      return truthOf(x);
    return limitsOf(conversion->operand->type) ? fit(e.type, x) : Extent();
  }
  mustAsk = true;
  return e.type == Type::Boolean ? AnyTruth : Extent();
}

} // namespace

bool isOfIndices(const sema::Expr &condition) {
  if (!condition.isArray())
    return true;
  bool result = isa<sema::IndexExpr, sema::UnaryExpr, sema::BinaryExpr,
                    sema::CompareExpr, sema::CastExpr>(condition);
  sema::forEachOperand(condition, [&](const sema::Expr &operand) {
    result = result && isOfIndices(operand);
  });
  return result;
}

std::shared_ptr<Pattern> selectIndices(Run &run, const sema::Expr &condition,
                                       const Cover &over) {
  auto found = std::make_shared<Pattern>();
  Prepared prepared;
  prepared.over = over;
  prepare(run, &condition, prepared);
  if (over.region->isSparse()) {
    forEachIndex(*over.region, [&](const Index &index) {
      At here = {index, prepared};
      if (eval(run, &condition, &here).integer != 0)
        found->insert(index);
    });
    return found;
  }
  StepBox all;
  for (auto [d, dim] : enumerate(over.region->dims))
    all.end[d] = dim.count();
  BoxSelector(run, condition, prepared, *found).select(all);
  return found;
}

} // namespace zpl::interpreter
