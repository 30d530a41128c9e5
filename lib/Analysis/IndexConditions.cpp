//===- IndexConditions.cpp - What a guard says of the indices -------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     and(and(gt(index(0), %k), gt(@A, f64 0.0)), not(ge(%m, index(1))))
//
// is a conjunction of three conditions: index(0) >= k + 1, index(1) >= m + 1,
// and A > 0, which is the rest.
//
//  1. `and` is taken apart, and `or` under a `not`.
//  2. Each comparison of two integers, turned round under a `not`, is brought
//  to
//     the form `sign * index(d) + shift  relop  s`, with a scalar shift and s.
//  3. index(d) = s - shift holds in the arithmetic of the type, that wraps,
//  just
//     if the sum does. An inequality is solved for the index only if the sum
//     cannot wrap: there is none, the bounds of the region are known constants,
//     or it is made of 64 bits from smaller things. What it is compared with is
//     clamped to the same range first if it may be beyond.
//  4. `!=` is a limit where it leaves out one end of the region (KnownBounds).
//
// What is evaluated in front of the statement instead of at each index must not
// end the run: no calls, subscripts, conversions of floating values, and
// divisions by constants only.
//
// Cost: linear in the guard.
//
//===----------------------------------------------------------------------===//

#include "zpl/Analysis/IndexConditions.h"
#include "zpl/ArrayIR/Walk.h"

using namespace llvm;

namespace zpl::air {
namespace {

/// Sums of a few numbers within it do not overflow.
constexpr int64_t Small = int64_t(1) << 44;

bool isCheap(const Expr &e) {
  switch (e.kind) {
  case ExprKind::Const:
  case ExprKind::Unary:
  case ExprKind::Compare:
    return true;
  case ExprKind::Var:
    return !cast<VarExpr>(e).variable->isFree && !e.type.isAggregate();
  case ExprKind::Bound:
    return cast<BoundExpr>(e).which != BoundExpr::OwnLo &&
           cast<BoundExpr>(e).which != BoundExpr::OwnHi;
  case ExprKind::Binary: {
    const auto &binary = cast<BinaryExpr>(e);
    if (binary.op == BinaryOp::Pow)
      return false;
    bool divides = binary.op == BinaryOp::Div || binary.op == BinaryOp::Rem;
    auto divisor = constantInteger(binary.right);
    return !divides || (divisor && *divisor != 0);
  }
  case ExprKind::Cast:
    return cast<CastExpr>(e).operand->type.isInteger();
  case ExprKind::Element:
  case ExprKind::Remap:
  case ExprKind::Index:
  case ExprKind::Fma:
  case ExprKind::Math:
  case ExprKind::Call:
  case ExprKind::Field:
  case ExprKind::Subscript:
  case ExprKind::Complex:
    return false;
  }
  llvm_unreachable("an expression outside its enumeration");
}

bool isScalar(const Expr *expr) {
  bool good = true;
  forEachExpr(*expr, [&](const Expr &e) { good = good && isCheap(e); });
  return good;
}

bool mentionsIndex(const Expr *expr) {
  bool found = false;
  forEachExpr(*expr, [&](const Expr &e) { found |= isa<IndexExpr>(e); });
  return found;
}

/// The same comparison for exchanged operands.
CompareOp mirrored(CompareOp op) {
  switch (op) {
  case CompareOp::Lt:
    return CompareOp::Gt;
  case CompareOp::Le:
    return CompareOp::Ge;
  case CompareOp::Gt:
    return CompareOp::Lt;
  case CompareOp::Ge:
    return CompareOp::Le;
  case CompareOp::Eq:
  case CompareOp::Ne:
    return op;
  }
  llvm_unreachable("a comparison outside its enumeration");
}

CompareOp opposite(CompareOp op) {
  switch (op) {
  case CompareOp::Lt:
    return CompareOp::Ge;
  case CompareOp::Le:
    return CompareOp::Gt;
  case CompareOp::Gt:
    return CompareOp::Le;
  case CompareOp::Ge:
    return CompareOp::Lt;
  case CompareOp::Eq:
    return CompareOp::Ne;
  case CompareOp::Ne:
    return CompareOp::Eq;
  }
  llvm_unreachable("a comparison outside its enumeration");
}

/// sign * index(dim) + shift, in the arithmetic of the expression's type.
struct Linear {
  unsigned dim;
  int sign = 1;
  const Expr *shift = nullptr; ///< null: 0
};

class Conditions {
public:
  Conditions(const Region &region, const KnownBounds &known, Module &module)
      : region(region), known(known), module(module) {
    result.dims.resize(region.rank());
  }

  void add(const Expr *e, bool isNegated) {
    if (auto *unary = dyn_cast<UnaryExpr>(e);
        unary && unary->op == UnaryOp::Not && e->type == Type::Bool)
      return add(unary->operand, !isNegated);
    auto *binary = dyn_cast<BinaryExpr>(e);
    if (binary && e->type == Type::Bool &&
        binary->op == (isNegated ? BinaryOp::Or : BinaryOp::And)) {
      add(binary->left, isNegated);
      return add(binary->right, isNegated);
    }
    auto *compare = dyn_cast<CompareExpr>(e);
    if (compare && isDecided(*compare))
      result.isDecided = true;
    else if (compare && limit(*compare, isNegated))
      return;
    else
      result.isOpen = true;
    if (isNegated)
      e = negated(e, module);
    result.rest =
        result.rest
            ? module.make<BinaryExpr>(BinaryOp::And, result.rest, e, e->range)
            : e;
  }
  IndexConditions result;

private:
  void refuse(const char *why) {
    if (result.why.empty())
      result.why = why;
  }

  /// Whether each copy for one index knows what \p compare gives.
  bool isDecided(const CompareExpr &compare) {
    bool good = mentionsIndex(&compare);
    forEachExpr(compare, [&](const Expr &e) {
      auto *index = dyn_cast<IndexExpr>(&e);
      good = good && (index ? known.few(&region, index->dim).has_value()
                            : isCheap(e) && !isa<VarExpr, BoundExpr>(e));
    });
    return good;
  }

  /// Whether \p compare became limits.
  bool limit(const CompareExpr &compare, bool isNegated) {
    const Expr *left = compare.left, *right = compare.right;
    CompareOp op = isNegated ? opposite(compare.op) : compare.op;
    if (!mentionsIndex(left)) {
      std::swap(left, right);
      op = mirrored(op);
    }
    if (!mentionsIndex(left))
      return false;
    if (left->type != Type::I32 && left->type != Type::I64) {
      refuse(
          "an index is compared with what is no integer; compare it with one");
      return false;
    }
    if (mentionsIndex(right)) {
      refuse("two indices are compared");
      return false;
    }
    if (!isScalar(right)) {
      refuse("what an index is compared with is no scalar that can be computed "
             "before");
      return false;
    }
    auto linear = linearForm(left);
    if (!linear) {
      refuse("an index is in an expression that is no sum; compare the index "
             "itself");
      return false;
    }
    DimKind kind = region.shape[linear->dim];
    if (kind != DimKind::Range && kind != DimKind::Strided)
      return false;
    return op == CompareOp::Eq || op == CompareOp::Ne
               ? equality(*linear, right, op == CompareOp::Eq)
               : inequality(*linear, right, op);
  }

  std::optional<Linear> linearForm(const Expr *e) {
    if (auto *index = dyn_cast<IndexExpr>(e))
      return Linear{index->dim};
    if (auto *conversion = dyn_cast<CastExpr>(e)) {
      if (e->type != Type::I64 || conversion->operand->type != Type::I32)
        return std::nullopt;
      auto inner = linearForm(conversion->operand);
      if (!inner || (!isPlain(*inner) && mayWrap(*inner, Type::I32)))
        return std::nullopt;
      if (inner->shift)
        inner->shift = wide(inner->shift);
      return inner;
    }
    auto *binary = dyn_cast<BinaryExpr>(e);
    bool isSum =
        binary && (binary->op == BinaryOp::Add || binary->op == BinaryOp::Sub);
    if (!isSum)
      return std::nullopt;
    bool isLeft = mentionsIndex(binary->left);
    const Expr *scalar = isLeft ? binary->right : binary->left;
    if (mentionsIndex(scalar) || !isScalar(scalar))
      return std::nullopt;
    auto inner = linearForm(isLeft ? binary->left : binary->right);
    if (!inner)
      return std::nullopt;
    if (!isLeft && binary->op == BinaryOp::Sub) {
      inner->sign = -inner->sign;
      inner->shift =
          inner->shift ? make(BinaryOp::Sub, scalar, inner->shift) : scalar;
    } else if (inner->shift || binary->op == BinaryOp::Sub) {
      const Expr *start =
          inner->shift ? inner->shift : constant(0, scalar->type, e->range);
      inner->shift = make(binary->op, start, scalar);
    } else {
      inner->shift = scalar;
    }
    return inner;
  }

  static bool isPlain(const Linear &l) { return l.sign == 1 && !l.shift; }

  /// Whether sign * index + shift may be beyond \p type, or beyond Small.
  bool mayWrap(const Linear &l, Type type) {
    if (type == Type::I64)
      return l.shift && !isSmall(l.shift);
    auto range = known.constant(&region, l.dim);
    auto shift = l.shift ? constantInteger(l.shift) : 0;
    if (!range || !shift)
      return true;
    auto fits = [&](int64_t index) {
      int64_t value = l.sign * index + *shift;
      return index == int32_t(index) && value == int32_t(value);
    };
    return !fits(range->lo) || !fits(range->hi);
  }

  /// Whether \p e, of type I64, is surely between -Small and Small. Sums have
  /// few operands.
  static bool isSmall(const Expr *e) {
    if (auto value = constantInteger(e))
      return -Small / 8 <= *value && *value <= Small / 8;
    if (auto *conversion = dyn_cast<CastExpr>(e))
      return conversion->operand->type != Type::I64 &&
             conversion->operand->type != Type::U64;
    auto *bound = dyn_cast<BoundExpr>(e);
    return bound &&
           (bound->which == BoundExpr::Lo || bound->which == BoundExpr::Hi);
  }

  // index = sign * (s - shift), where sums wrap.
  bool equality(const Linear &l, const Expr *s, bool isEqual) {
    const Expr *value = s;
    if (l.shift)
      value = make(BinaryOp::Sub, s, l.shift);
    if (l.sign < 0)
      value = make(BinaryOp::Sub, constant(0, s->type, s->range), value);
    value = wide(value);
    auto &limits = result.dims[l.dim];
    if (isEqual) {
      limits.lo.push_back(value);
      limits.hi.push_back(value);
      return true;
    }
    if (region.shape[l.dim] == DimKind::Range)
      for (bool isHigh : {false, true})
        if (known.isBound(value, &region, l.dim, isHigh)) {
          auto &limit = isHigh ? limits.hi : limits.lo;
          limit.push_back(next(value, isHigh ? -1 : 1));
          return true;
        }
    refuse("an index in the middle is left out");
    return false;
  }

  bool inequality(const Linear &l, const Expr *s, CompareOp op) {
    if (!isPlain(l) && mayWrap(l, s->type)) {
      refuse("a sum with an index might overflow");
      return false;
    }
    if (l.sign < 0)
      op = mirrored(op);
    bool wasWide = s->type == Type::I64;
    const Expr *value = wide(s);
    if (wasWide && !isSmall(value))
      value = clamped(value);
    if (l.shift)
      value = make(BinaryOp::Sub, value, wide(l.shift));
    if (l.sign < 0)
      value = make(BinaryOp::Sub, constant(0, Type::I64, s->range), value);
    auto &limits = result.dims[l.dim];
    switch (op) {
    case CompareOp::Lt:
      limits.hi.push_back(next(value, -1));
      return true;
    case CompareOp::Le:
      limits.hi.push_back(value);
      return true;
    case CompareOp::Gt:
      limits.lo.push_back(next(value, 1));
      return true;
    case CompareOp::Ge:
      limits.lo.push_back(value);
      return true;
    case CompareOp::Eq:
    case CompareOp::Ne:
      break;
    }
    llvm_unreachable("no inequality");
  }

  // Making expressions; those of constants are folded, in the type.
  const Expr *constant(int64_t value, Type type, SourceRange range) {
    auto *made = module.make<ConstExpr>(type, range);
    made->integer = type == Type::I32 ? int32_t(value) : value;
    return made;
  }
  const Expr *make(BinaryOp op, const Expr *a, const Expr *b) {
    auto x = constantInteger(a), y = constantInteger(b);
    if (y && *y == 0)
      return a;
    if (x && y) {
      uint64_t left = *x, right = *y;
      return constant(op == BinaryOp::Add ? left + right : left - right,
                      a->type, b->range);
    }
    return module.make<BinaryExpr>(op, a, b, b->range);
  }
  const Expr *wide(const Expr *e) {
    if (e->type == Type::I64)
      return e;
    if (auto value = constantInteger(e))
      return constant(*value, Type::I64, e->range);
    return module.make<CastExpr>(Type::I64, e, e->range);
  }
  const Expr *next(const Expr *e, int64_t step) {
    return make(BinaryOp::Add, e, constant(step, Type::I64, e->range));
  }
  const Expr *clamped(const Expr *e) {
    const Expr *low = constant(-Small, Type::I64, e->range);
    const Expr *high = constant(Small, Type::I64, e->range);
    e = module.make<BinaryExpr>(BinaryOp::Max, e, low, e->range);
    return module.make<BinaryExpr>(BinaryOp::Min, e, high, e->range);
  }

  const Region &region;
  const KnownBounds &known;
  Module &module;
};

} // namespace

const Expr *negated(const Expr *condition, Module &module) {
  if (auto *unary = dyn_cast<UnaryExpr>(condition);
      unary && unary->op == UnaryOp::Not && unary->type == Type::Bool)
    return unary->operand;
  if (auto *compare = dyn_cast<CompareExpr>(condition);
      compare && compare->left->type.isInteger())
    return module.make<CompareExpr>(opposite(compare->op), compare->left,
                                    compare->right, compare->range);
  return module.make<UnaryExpr>(UnaryOp::Not, condition, condition->range);
}

IndexConditions indexConditions(const Expr *guard, const Region &region,
                                const KnownBounds &known, Module &module) {
  Conditions conditions(region, known, module);
  conditions.add(guard, /*isNegated=*/false);
  return std::move(conditions.result);
}

} // namespace zpl::air
