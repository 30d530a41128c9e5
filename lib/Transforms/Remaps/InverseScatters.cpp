//===- InverseScatters.cpp - Scatters as gathers --------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     [R] B#[Index2 + 1, n - Index1] += 2 * A;
//
// 1. Each map is a scalar, or one index or its negative plus a scalar, and no
//    two have the same index. So the map of a dimension has one inverse,
//    `Index1 - 1` and `n - Index2` here, if each dimension of R that is more
//    than one index is named.
//
// 2. What the maps lead to is a region, whose bounds are those of the maps
//    (MapForms.h). Over it, the value is the same element code with indices
//    replaced by the inverse maps, and arrays read by them:
//
//     [2..., n - ...] B := B + 2 * A#[n - Index2, Index1 - 1];
//
// 3. That no index is met twice is known, so the order in which values are
//    combined does not matter. The condition that the maps stay within B and
//    wrap nowhere around comes from RemapElements, for the scatter; also
//    for arrays that are read, of which it is always true.
//
// Cost: linear in the expressions.
//
//===----------------------------------------------------------------------===//

#include "Remaps/InverseScatters.h"
#include "Remaps/MapForms.h"
#include "zpl/ArrayIR/Rewrite.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace zpl::air {

/// Maps backwards.
struct InverseScatters::Inverse {
  SmallVector<DimExpr, 6> image;      ///< what they lead to
  SmallVector<const Expr *, 6> index; ///< by dimension of R, an I64
};

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

namespace {

/// `index(dim)`, or its negative, plus a scalar of type I64.
struct AffineMap {
  unsigned dim;
  bool isNegative = false;
  const Expr *plus = nullptr; ///< null: 0
};

/// Takes maps apart.
class AffineMaps {
public:
  AffineMaps(Region &region, Module &module) : region(region), module(module) {}

  std::optional<AffineMap> of(const Expr &e) {
    if (auto *index = dyn_cast<IndexExpr>(&e))
      return AffineMap{index->dim};
    if (auto *conversion = dyn_cast<CastExpr>(&e))
      return of(*conversion->operand);
    if (auto *unary = dyn_cast<UnaryExpr>(&e);
        unary && unary->op == UnaryOp::Neg)
      return negative(of(*unary->operand));
    auto *binary = dyn_cast<BinaryExpr>(&e);
    if (!binary || (binary->op != BinaryOp::Add && binary->op != BinaryOp::Sub))
      return std::nullopt;
    bool isLeft = mentionsIndex(*binary->left);
    const Expr &rest = isLeft ? *binary->right : *binary->left;
    auto inner = of(isLeft ? *binary->left : *binary->right);
    const Expr *scalar = scalarOf(rest);
    if (!inner || !scalar)
      return std::nullopt;
    bool isSub = binary->op == BinaryOp::Sub;
    if (isSub && !isLeft)
      inner = negative(inner);
    if (inner->plus || (isSub && isLeft))
      scalar = make(isSub && isLeft ? BinaryOp::Sub : BinaryOp::Add,
                    inner->plus ? inner->plus : number(0, e.range), scalar);
    inner->plus = scalar;
    return inner;
  }

  /// A scalar in closed form; null: it is none.
  const Expr *scalarOf(const Expr &e) {
    return mentionsIndex(e) ? nullptr : closedMap(e, region, module).value;
  }

  /// The index that such a map, at dimension \p d, comes from.
  const Expr *inverse(const AffineMap &map, unsigned d, SourceRange range) {
    const Expr *index = module.make<CastExpr>(
        Type::I64, module.make<IndexExpr>(d, range), range);
    if (map.isNegative)
      return make(BinaryOp::Sub, map.plus ? map.plus : number(0, range), index);
    return map.plus ? make(BinaryOp::Sub, index, map.plus) : index;
  }

private:
  static bool mentionsIndex(const Expr &e) {
    bool found = false;
    forEachExpr(e, [&](const Expr &part) { found |= isa<IndexExpr>(part); });
    return found;
  }

  std::optional<AffineMap> negative(std::optional<AffineMap> map) {
    if (!map)
      return map;
    map->isNegative = !map->isNegative;
    if (map->plus)
      map->plus = make(BinaryOp::Sub, number(0, map->plus->range), map->plus);
    return map;
  }

  const Expr *make(BinaryOp op, const Expr *a, const Expr *b) {
    return module.make<BinaryExpr>(op, a, b, b->range);
  }
  const Expr *number(int64_t value, SourceRange range) {
    auto *made = module.make<ConstExpr>(Type::I64, range);
    made->integer = value;
    made->number = double(value);
    return made;
  }

  Region &region;
  Module &module;
};

} // namespace

std::optional<InverseScatters::Inverse>
InverseScatters::inverseOf(const ScatterStmt &scatter) const {
  Region &region = *scatter.region;
  AffineMaps affine(region, module);
  Inverse inverse;
  inverse.index.assign(region.rank(), nullptr);
  for (auto [d, map] : enumerate(scatter.maps)) {
    DimKind kind = scatter.target->shape[d];
    DimExpr dim;
    dim.kind = DimExpr::Flood;
    if (kind != DimKind::Flood) {
      const Expr *value = mapValue(map, module, scatter.range);
      ClosedMap closed = closedMap(*value, region, module);
      auto taken = affine.of(*value);
      if (!closed.value || (!taken && !affine.scalarOf(*value)))
        return std::nullopt;
      bool isOne = !taken || region.shape[taken->dim] == DimKind::Singleton;
      if (kind != DimKind::Range && !(kind == DimKind::Singleton && isOne))
        return std::nullopt;
      dim = {isOne ? DimExpr::Single : DimExpr::Range, closed.lo,
             isOne ? nullptr : closed.hi};
      if (taken && inverse.index[taken->dim])
        return std::nullopt;
      if (taken)
        inverse.index[taken->dim] = affine.inverse(*taken, d, scatter.range);
    }
    inverse.image.push_back(dim);
  }
  for (auto [d, index] : enumerate(inverse.index))
    if (index ? region.shape[d] != DimKind::Range &&
                    region.shape[d] != DimKind::Singleton
              : region.shape[d] != DimKind::Singleton &&
                    region.shape[d] != DimKind::Flood)
      return std::nullopt;
    else if (!index)
      index = module.make<BoundExpr>(&region, d, BoundExpr::Lo, scatter.range);
  return inverse;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Whether an array may be read by inverse maps.
static bool isReadable(const Array &array, const ScatterStmt &scatter) {
  return &array != scatter.target && !array.isContracted() &&
         none_of(array.shape, [](DimKind kind) {
           return kind == DimKind::Grid || kind == DimKind::Strided;
         });
}

/// How a procedure combines: the place and the value that it sets; null: in
/// another way, or it reads the new value more than once.
static const SetStmt *combiningSet(const ScatterStmt &scatter) {
  const Procedure &combine = *scatter.combine;
  auto *set = combine.body.size() == 1 ? dyn_cast<SetStmt>(combine.body.front())
                                       : nullptr;
  if (!set)
    return nullptr;
  unsigned reads = 0;
  bool isPlain = true;
  forEachExpr(*set->value, [&](const Expr &e) {
    auto *variable = dyn_cast<VarExpr>(&e);
    reads += variable && variable->variable == combine.params[1].variable;
    isPlain &= !isa<CallExpr>(e);
  });
  return isPlain && reads <= 1 ? set : nullptr;
}

bool InverseScatters::canInvert(const ScatterStmt &scatter,
                                const Expr *value) const {
  if ((scatter.combine && !combiningSet(scatter)) || !inverseOf(scatter) ||
      (scatter.mask.array && !isReadable(*scatter.mask.array, scatter)))
    return false;
  bool isGood = value || isReadable(*scatter.source, scatter);
  if (value)
    forEachExpr(*value, [&](const Expr &e) {
      auto *element = dyn_cast<ElementExpr>(&e);
      auto *remap = dyn_cast<RemapExpr>(&e);
      isGood &= !isa<CallExpr>(e) && !(remap && remap->checked) &&
                !(element && (element->isShifted() ||
                              !isReadable(*element->array, scatter)));
    });
  return isGood;
}

const Expr *InverseScatters::backwards(const Expr *value,
                                       const Inverse &inverse, Region *image) {
  DenseMap<const Array *, const Expr *> read;
  ExprRewriter rewriter(module, [&](const Expr *e) -> const Expr * {
    if (auto *index = dyn_cast<IndexExpr>(e))
      return module.make<CastExpr>(Type::I32, inverse.index[index->dim],
                                   e->range);
    auto *element = dyn_cast<ElementExpr>(e);
    if (!element)
      return e;
    const Expr *&made = read[element->array];
    if (!made) {
      SmallVector<Map, 6> maps(element->array->rank());
      for (auto [map, index] : zip(maps, inverse.index))
        map.value = index;
      made = elements.of(
          {element->array, maps, image, {}, element->array->text, e->range});
    }
    return made;
  });
  // Indices that count 64 bits stay so; addresses are plain then.
  forEachExpr(*value, [&](const Expr &e) {
    auto *wide = dyn_cast<CastExpr>(&e);
    auto *index = wide && wide->type == Type::I64
                      ? dyn_cast<IndexExpr>(wide->operand)
                      : nullptr;
    if (index)
      rewriter.set(wide, inverse.index[index->dim]);
  });
  return rewriter.rewrite(value);
}

Stmt *InverseScatters::invert(const ScatterStmt &scatter, const Expr *value,
                              const Expr *part) {
  SourceRange range = scatter.range;
  auto at = [&](Array *array) {
    return module.make<ElementExpr>(array, Offset(array->rank(), 0), range);
  };
  Inverse inverse = *inverseOf(scatter);
  Region *image = elements.imageRegion(*scatter.target, inverse.image, range);
  const Expr *guard = nullptr;
  if (scatter.mask.array)
    guard = backwards(at(scatter.mask.array), inverse, image);
  if (guard && !scatter.mask.value)
    guard = module.make<UnaryExpr>(UnaryOp::Not, guard, range);
  value = backwards(value ? value : at(scatter.source), inverse, image);
  const Expr *place = part ? part : at(scatter.target);
  if (scatter.combine) {
    const SetStmt *set = combiningSet(scatter);
    const Expr *old = place;
    ExprRewriter rewriter(module, [&](const Expr *e) -> const Expr * {
      auto *variable = dyn_cast<VarExpr>(e);
      const auto &params = scatter.combine->params;
      if (variable && variable->variable == params[0].variable)
        return old;
      return variable && variable->variable == params[1].variable ? value : e;
    });
    place = rewriter.rewrite(set->target);
    value = rewriter.rewrite(set->value);
  }
  auto *made = module.make<ArrayAssignStmt>(image, place, value, range);
  made->guard = guard;
  return made;
}

} // namespace zpl::air
