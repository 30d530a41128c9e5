//===- Stencils.cpp - The order of sums of products -----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The language lets a sum of products be factored, if the statement alone says
// how. In a sum, with its parentheses dissolved,
//
//     B := V - w * A - u * (A@n + A@e + A@s + A@w)
//            - t * (A@ne + A@nw + A@se) - t * A@sw;
//
// the terms that are a reference of an array, or a scalar multiple of one, go
// into a tablet (StencilTablet.cpp), which finds the partial sums that recur at
// other positions of the innermost dimension. If there are any, here A@n + A@s
// and the same one to the west and to the east, the sum becomes
//
//     V - w * A - u * ((A@w + A@e) + (A@n + A@s))
//       - t * ((A@nw + A@sw) + (A@ne + A@se))
//
// The weights are factored out, in each group stand sums over the other
// dimensions, equal ones side by side; a sum of several is halved. The terms
// that are something else, and the groups, keep the order in which they begin.
// If nothing recurs, as in a star, the source's order stays.
//
// Where a direction is not a constant, its components are not known. For an
// element of an indexed array of directions, `dir[-1, 0, 1]`, the subscripts
// are taken instead; for a multiple, `east scaledby k`, those of what is
// multiplied. That may be wrong; the sum is then in an order as good as
// another, and whoever reuses its parts must look where they are.
//
// Sums of integers are arranged as well; their order does not matter. A sum
// with a call or a primed reference in it stays.
//
// Cost: that of the tablet; else linear, times the depth of nested products.
//
//===----------------------------------------------------------------------===//

#include "Arithmetic/Stencils.h"

#include "Arithmetic/StencilShifts.h"
#include "Tree/Builder.h"
#include "Tree/Walk.h"
#include "Types/Types.h"
#include "zpl/Sema/Visit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

#include <map>

namespace zpl::sema {

namespace {

/// More references than this in one sum are left alone.
constexpr size_t MostReferences = 512;

//===----------------------------------------------------------------------===//
// One sum
//===----------------------------------------------------------------------===//

/// A value that is added or subtracted.
struct Signed {
  const Expr *value;
  bool isNegative;
};

class Sum {
public:
  Sum(Program &program, SourceRange range)
      : program(program), build(program), range(range) {}

  /// Null if nothing recurs. \p inside arranges what stands in other terms.
  const Expr *arrange(const Expr *e,
                      llvm::function_ref<const Expr *(const Expr *)> inside);

private:
  using Weight = llvm::SmallVector<const Expr *, 2>; ///< factors

  struct Reference {
    const Expr *value;
    bool isNegative;
    unsigned frame;
    llvm::SmallVector<int64_t, 6> outer; ///< all but the last
    int64_t inner;
  };
  struct Group {
    Weight weight;
    std::vector<Reference> references;
  };
  /// Group or, if that is none, something else.
  struct Term {
    std::optional<unsigned> group;
    Signed other;
  };

  bool findPatterns();
  void collect(const Expr *e, bool isNegative, const Weight &weight);
  void collectProduct(const Expr *left, const Expr *right, const Expr *whole,
                      bool isNegative, const Weight &weight);
  bool isStencil(const Expr *e) const;
  bool addReference(const Expr *e, bool isNegative, const Weight &weight);
  void addOther(const Expr *e, bool isNegative, const Weight &weight);
  unsigned frameOf(const Expr *e, const Shift &shift);
  unsigned groupOf(const Weight &weight);

  Signed columnSum(unsigned group, int64_t inner, const Tablet::Parts &parts);
  Signed groupSum(unsigned group);
  Signed halved(llvm::ArrayRef<Signed> values);
  const Expr *weighted(const Weight &weight, const Expr *value);
  const Expr *negated(const Expr *e) {
    return build.unary(UnaryOp::Neg, e, e->range);
  }

  Program &program;
  Builder build;
  SourceRange range;
  std::vector<Frame> frames;
  std::vector<Group> groups;
  std::vector<Term> terms;
  std::optional<Tablet> tablet;
  /// By group, position and number in the tablet.
  std::map<std::tuple<unsigned, int64_t, unsigned>, const Expr *> values;
};

/// Removes a sign; true if there was one.
bool stripSign(Program &program, const Expr *&e) {
  if (auto *unary = llvm::dyn_cast<UnaryExpr>(e);
      unary && unary->op == UnaryOp::Neg) {
    e = unary->operand;
    return true;
  }
  auto *literal = llvm::dyn_cast<LiteralExpr>(e);
  if (!literal || !literal->type.isFloating() || !(literal->number < 0))
    return false;
  auto *positive = program.make<LiteralExpr>(*literal);
  positive->number = -literal->number;
  e = positive;
  return true;
}

bool isWeight(const Expr *e) { return e->rank == 0 && Builder::isLight(e); }

bool isSum(const BinaryExpr &e) {
  return e.op == BinaryOp::Add || e.op == BinaryOp::Sub;
}

/// Whether \p e consists of weighted references alone.
bool Sum::isStencil(const Expr *e) const {
  if (referenceOf(e))
    return true;
  if (auto *unary = llvm::dyn_cast<UnaryExpr>(e))
    return unary->op == UnaryOp::Neg && isStencil(unary->operand);
  auto isProduct = [&](const Expr *left, const Expr *right) {
    return (isWeight(left) && isStencil(right)) ||
           (isWeight(right) && isStencil(left));
  };
  if (auto *fma = llvm::dyn_cast<FmaExpr>(e))
    return isProduct(fma->a, fma->b) && isStencil(fma->c);
  auto *binary = llvm::dyn_cast<BinaryExpr>(e);
  if (!binary)
    return false;
  if (isSum(*binary))
    return isStencil(binary->left) && isStencil(binary->right);
  return binary->op == BinaryOp::Mul && isProduct(binary->left, binary->right);
}

/// Adds the terms of \p e, each times \p weight. What was fused comes first as
/// what was added to the product: `V - w * A` is fma(-w, A, V).
void Sum::collect(const Expr *e, bool isNegative, const Weight &weight) {
  if (addReference(e, isNegative, weight))
    return;
  if (auto *unary = llvm::dyn_cast<UnaryExpr>(e);
      unary && unary->op == UnaryOp::Neg)
    return collect(unary->operand, !isNegative, weight);
  if (auto *fma = llvm::dyn_cast<FmaExpr>(e)) {
    collect(fma->c, isNegative, weight);
    return collectProduct(fma->a, fma->b, nullptr, isNegative, weight);
  }
  auto *binary = llvm::dyn_cast<BinaryExpr>(e);
  if (binary && isSum(*binary)) {
    collect(binary->left, isNegative, weight);
    return collect(binary->right, isNegative != (binary->op == BinaryOp::Sub),
                   weight);
  }
  if (binary && binary->op == BinaryOp::Mul)
    return collectProduct(binary->left, binary->right, e, isNegative, weight);
  addOther(e, isNegative, weight);
}

/// \p whole is the product as a node, if there is one.
void Sum::collectProduct(const Expr *left, const Expr *right, const Expr *whole,
                         bool isNegative, const Weight &weight) {
  const Expr *factor = left, *value = right;
  if (!isWeight(factor))
    std::swap(factor, value);
  if (isWeight(factor) && isStencil(value)) {
    isNegative ^= stripSign(program, factor);
    Weight longer = weight;
    longer.push_back(factor);
    return collect(value, isNegative, longer);
  }
  if (!whole) {
    isNegative ^= stripSign(program, left);
    whole = build.binary(BinaryOp::Mul, left, right, left->range);
  }
  addOther(whole, isNegative, weight);
}

bool Sum::addReference(const Expr *e, bool isNegative, const Weight &weight) {
  const ArrayExpr *array = referenceOf(e);
  std::optional<Shift> shift = array ? shiftOf(*array) : std::nullopt;
  if (!shift)
    return false;
  unsigned frame = frameOf(e, *shift);
  int64_t inner = shift->offset.pop_back_val();
  unsigned group = groupOf(weight);
  auto isThere = [&](const Reference &other) {
    return other.frame == frame && other.inner == inner &&
           other.outer == shift->offset;
  };
  if (llvm::any_of(groups[group].references, isThere))
    return false;
  if (groups[group].references.empty())
    terms.push_back({group, {}});
  groups[group].references.push_back(
      {e, isNegative, frame, shift->offset, inner});
  return true;
}

void Sum::addOther(const Expr *e, bool isNegative, const Weight &weight) {
  terms.push_back({std::nullopt, {weighted(weight, e), isNegative}});
}

unsigned Sum::frameOf(const Expr *e, const Shift &shift) {
  for (auto [i, frame] : llvm::enumerate(frames)) {
    if (!frame.takes(e, shift))
      continue;
    if (frame.shift.isZero())
      frame.shift = shift;
    return i;
  }
  frames.push_back({e, shift});
  return frames.size() - 1;
}

unsigned Sum::groupOf(const Weight &weight) {
  for (auto [i, group] : llvm::enumerate(groups))
    if (areSame(group.weight, weight))
      return i;
  groups.push_back({weight, {}});
  return groups.size() - 1;
}

const Expr *Sum::weighted(const Weight &weight, const Expr *value) {
  if (weight.empty())
    return value;
  const Expr *product = weight.front();
  for (const Expr *factor : llvm::drop_begin(weight))
    product = build.binary(BinaryOp::Mul, product, factor, product->range);
  return build.binary(BinaryOp::Mul, product, value, value->range);
}

//===----------------------------------------------------------------------===//
// Its tree
//===----------------------------------------------------------------------===//

/// The sum of the first half plus that of the second one.
Signed Sum::halved(llvm::ArrayRef<Signed> parts) {
  if (parts.size() == 1)
    return parts.front();
  Signed left = halved(parts.take_front((parts.size() + 1) / 2));
  Signed right = halved(parts.drop_front((parts.size() + 1) / 2));
  if (left.isNegative && !right.isNegative)
    std::swap(left, right);
  BinaryOp op =
      left.isNegative == right.isNegative ? BinaryOp::Add : BinaryOp::Sub;
  return {build.binary(op, left.value, right.value, left.value->range),
          left.isNegative};
}

Signed Sum::columnSum(unsigned group, int64_t inner,
                      const Tablet::Parts &parts) {
  llvm::SmallVector<Signed, 8> made;
  for (Tablet::Part part : parts) {
    Signed value;
    if (tablet->isPattern(part.id))
      value = columnSum(group, inner, tablet->pattern(part.id));
    else
      value = {values.at({group, inner, part.id}), false};
    value.isNegative ^= part.isNegative;
    made.push_back(value);
  }
  return halved(made);
}

Signed Sum::groupSum(unsigned group) {
  llvm::SmallVector<Signed, 8> all, equal;
  const Tablet::Parts *parts = nullptr;
  for (const Tablet::Column *column : tablet->columnsOf(group)) {
    if (parts && *parts != column->parts) {
      all.push_back(halved(equal));
      equal.clear();
    }
    parts = &column->parts;
    equal.push_back(columnSum(group, column->inner, *parts));
  }
  all.push_back(halved(equal));
  return halved(all);
}

/// Fills the tablet from the groups; false if there is nothing to arrange.
bool Sum::findPatterns() {
  std::map<std::pair<unsigned, llvm::SmallVector<int64_t, 6>>, unsigned> ids;
  size_t count = 0;
  for (const Group &group : groups) {
    count += group.references.size();
    for (const Reference &reference : group.references)
      ids[{reference.frame, reference.outer}] = 0;
  }
  if (count < 4 || count > MostReferences)
    return false;
  for (auto [number, entry] : llvm::enumerate(ids))
    entry.second = number;
  tablet.emplace(ids.size());
  for (auto [number, group] : llvm::enumerate(groups))
    for (const Reference &reference : group.references) {
      unsigned id = ids.at({reference.frame, reference.outer});
      tablet->add(number, reference.inner, {id, reference.isNegative});
      values[{number, reference.inner, id}] = reference.value;
    }
  return tablet->findPatterns();
}

const Expr *
Sum::arrange(const Expr *e,
             llvm::function_ref<const Expr *(const Expr *)> inside) {
  collect(e, false, {});
  if (!findPatterns())
    return nullptr;
  const Expr *sum = nullptr;
  for (const Term &term : terms) {
    Signed next = term.other;
    if (term.group) {
      next = groupSum(*term.group);
      next.value = weighted(groups[*term.group].weight, next.value);
    } else {
      next.value = inside(next.value);
    }
    if (sum)
      sum = build.binary(next.isNegative ? BinaryOp::Sub : BinaryOp::Add, sum,
                         next.value, range);
    else
      sum = next.isNegative ? negated(next.value) : next.value;
  }
  return sum;
}

//===----------------------------------------------------------------------===//
// All sums of an expression
//===----------------------------------------------------------------------===//

class Arranger {
public:
  Arranger(Program &program, bool keepsFloating)
      : program(program), keepsFloating(keepsFloating) {}

  const Expr *arrange(const Expr *e) { return arrange(e, false); }

private:
  struct Arranged;
  const Expr *arrange(const Expr *e, bool isInSum);
  bool mayArrange(const Expr &e) const;
  /// A copy of the node with its operands arranged, or the node.
  template <typename Node, typename... Operands>
  const Expr *rebuild(const Node *node, bool isInSum, Operands... operands);

  Program &program;
  bool keepsFloating;
};

/// Whether \p e adds something up and may do so in another order.
bool Arranger::mayArrange(const Expr &e) const {
  auto *binary = llvm::dyn_cast<BinaryExpr>(&e);
  if (!llvm::isa<FmaExpr>(e) &&
      !(binary && (isSum(*binary) || binary->op == BinaryOp::Mul)))
    return false;
  bool isInteger = isIntegral(e.type) && e.type != Type::Boolean;
  bool isReal = e.type.isFloating() && !keepsFloating;
  if (!e.isArray() || e.rank == Expr::AnyRank || !(isInteger || isReal))
    return false;
  bool isFixed = false;
  forEachExpr(e, [&](const Expr &part) {
    auto *array = llvm::dyn_cast<ArrayExpr>(&part);
    isFixed |= (array && array->isPrimed) ||
               llvm::isa<CallExpr, BuiltinExpr, TimerExpr>(part);
  });
  return !isFixed;
}

template <typename Node, typename... Operands>
const Expr *Arranger::rebuild(const Node *node, bool isInSum,
                              Operands... operands) {
  std::array<const Expr *, sizeof...(operands)> made = {
      arrange(node->*operands, isInSum)...};
  std::array<const Expr *, sizeof...(operands)> old = {node->*operands...};
  if (made == old)
    return node;
  auto *copy = program.make<Node>(*node);
  size_t i = 0;
  ((copy->*operands = made[i++]), ...);
  return copy;
}

/// Each kind of expression with its parts arranged.
struct Arranger::Arranged {
  Arranger &a;
  bool isInSum;

  const Expr *of(const UnaryExpr &e) {
    return a.rebuild(&e, isInSum, &UnaryExpr::operand);
  }
  const Expr *of(const BinaryExpr &e) {
    return a.rebuild(&e, isInSum && isSum(e), &BinaryExpr::left,
                     &BinaryExpr::right);
  }
  const Expr *of(const CompareExpr &e) {
    return a.rebuild(&e, false, &CompareExpr::left, &CompareExpr::right);
  }
  const Expr *of(const FmaExpr &e) {
    const Expr *product = a.rebuild(&e, false, &FmaExpr::a, &FmaExpr::b);
    return a.rebuild(llvm::cast<FmaExpr>(product), isInSum, &FmaExpr::c);
  }
  const Expr *of(const CastExpr &e) {
    return a.rebuild(&e, false, &CastExpr::operand);
  }
  const Expr *of(const ComplexExpr &e) {
    return a.rebuild(&e, false, &ComplexExpr::re, &ComplexExpr::im);
  }
  const Expr *of(const MathExpr &e) {
    llvm::SmallVector<const Expr *, 2> args;
    for (const Expr *arg : e.args)
      args.push_back(a.arrange(arg, false));
    if (args == e.args)
      return &e;
    auto *copy = a.program.make<MathExpr>(e);
    copy->args = std::move(args);
    return copy;
  }
  template <OneOf<LiteralExpr, VariableExpr, ComponentExpr, ArrayExpr,
                  IndexExpr, CallExpr, ReduceExpr, FloodExpr, ScanExpr,
                  GatherExpr, EnclosingMaskExpr, RegionBoundExpr, TimerExpr,
                  ProcessorsExpr, GridPlaceExpr, FieldExpr, SubscriptExpr,
                  BuiltinExpr, RegionValueExpr, DirectionValueExpr, IrvExpr,
                  PatternExpr, InsideExpr>
                T>
  const Expr *of(const T &e) {
    return &e;
  }
};

/// \p isInSum: \p e is a part of a sum that stays as it is.
const Expr *Arranger::arrange(const Expr *e, bool isInSum) {
  if (!isInSum && mayArrange(*e)) {
    if (const Expr *sum =
            Sum(program, e->range).arrange(e, [&](const Expr *other) {
              return arrange(other);
            }))
      return sum;
    isInSum = true;
  }
  return visitKind(*e, [&](const auto &known) {
    return Arranged{*this, isInSum}.of(known);
  });
}

} // namespace

const Expr *arrangeSums(Program &program, const Expr *value,
                        bool keepsFloating) {
  return Arranger(program, keepsFloating).arrange(value);
}

} // namespace zpl::sema
