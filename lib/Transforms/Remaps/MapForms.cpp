//===- MapForms.cpp - What form the maps of a remap have ------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     A#[n + 1 - Index1, (Index2 + k) % n + 1]
//
// Values of a map that is made of indices lie between what interval arithmetic
// makes of the bounds of the region:
//
//     n + 1 - Index1         n + 1 - hi .. n + 1 - lo
//     (Index2 + k) % n + 1   1 .. n, when lo + k >= 0 and n > 0
//
// Maps are I32, and wrap around; so the interval of each operation has to lie
// within 32 bits, which is one more condition. Then the same operations of 64
// bits give the same value, and there LLVM sees how an address depends on the
// loops. Sums and products of intervals of 32 bits fit into 64.
//
// All this is scalar code in front of the loops; what is constant folds.
//
//===----------------------------------------------------------------------===//

#include "Remaps/MapForms.h"
#include "zpl/Analysis/LinearMaps.h"
#include "zpl/ArrayIR/Printer.h"
#include "zpl/ArrayIR/RegionDefinitions.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace zpl::air {

const Expr *mapValue(const Map &map, Module &module, SourceRange range) {
  if (map.value)
    return map.value;
  if (map.scalar)
    return map.scalar;
  if (map.array)
    return module.make<ElementExpr>(map.array, Offset(map.array->rank(), 0),
                                    range);
  return module.make<IndexExpr>(map.dim, range);
}

std::string mapText(const Map &map) {
  std::string text;
  raw_string_ostream os(text);
  if (map.array)
    os << printedName(*map.array);
  else if (const Expr *expr = map.value ? map.value : map.scalar)
    print(*expr, os);
  else
    os << "index(" << map.dim << ')';
  return os.str();
}

//===----------------------------------------------------------------------===//
// Closed forms
//===----------------------------------------------------------------------===//

namespace {

class Intervals {
public:
  Intervals(Region &region, Module &module) : region(region), module(module) {}

  ClosedMap of(const Expr &e) {
    switch (e.kind) {
    case ExprKind::Const:
      return constant(cast<ConstExpr>(e));
    case ExprKind::Index: {
      unsigned dim = cast<IndexExpr>(e).dim;
      if (isPerProcessor(region.shape[dim]))
        return {};
      return {wide(&e),
              bound(dim, BoundExpr::Lo, e.range),
              bound(dim, BoundExpr::Hi, e.range),
              {}};
    }
    case ExprKind::Cast:
      return e.type == Type::I64 && cast<CastExpr>(e).operand->type == Type::I32
                 ? of(*cast<CastExpr>(e).operand)
                 : ClosedMap();
    case ExprKind::Unary:
      return negation(cast<UnaryExpr>(e));
    case ExprKind::Binary:
      return binary(cast<BinaryExpr>(e));
    case ExprKind::Var:
    case ExprKind::Field:
    case ExprKind::Bound:
      return scalar(e);
    case ExprKind::Element:
    case ExprKind::Remap:
    case ExprKind::Compare:
    case ExprKind::Fma:
    case ExprKind::Math:
    case ExprKind::Call:
    case ExprKind::Subscript:
    case ExprKind::Complex:
      return {};
    }
    llvm_unreachable("an expression outside its enumeration");
  }

private:
  ClosedMap constant(const ConstExpr &e) {
    if ((e.type != Type::I32 && e.type != Type::I64) ||
        e.integer != int32_t(e.integer))
      return {};
    const Expr *value = number(e.integer, e.range);
    return {value, value, value, {}};
  }

  ClosedMap scalar(const Expr &e) {
    auto *bound = dyn_cast<BoundExpr>(&e);
    bool isPlain =
        e.type == Type::I32 || (bound && (bound->which == BoundExpr::Lo ||
                                          bound->which == BoundExpr::Hi));
    forEachExpr(e, [&](const Expr &part) {
      isPlain &= isa<VarExpr, FieldExpr, BoundExpr>(part);
      auto *variable = dyn_cast<VarExpr>(&part);
      isPlain &= !(variable && variable->variable->isFree);
    });
    if (!isPlain)
      return {};
    const Expr *value = wide(&e);
    return {value, value, value, {}};
  }

  ClosedMap negation(const UnaryExpr &e) {
    ClosedMap a = e.op == UnaryOp::Neg ? of(*e.operand) : ClosedMap();
    if (!a.value)
      return {};
    const Expr *zero = number(0, e.range);
    return finish(e, {make(BinaryOp::Sub, zero, a.value),
                      make(BinaryOp::Sub, zero, a.hi),
                      make(BinaryOp::Sub, zero, a.lo), a.when});
  }

  ClosedMap binary(const BinaryExpr &e) {
    ClosedMap a = of(*e.left), b = of(*e.right);
    if (!a.value || !b.value)
      return {};
    ClosedMap result;
    result.when = a.when;
    append_range(result.when, b.when);
    auto set = [&](const Expr *value, const Expr *lo, const Expr *hi) {
      result.value = value;
      result.lo = lo;
      result.hi = hi;
    };
    auto wideOf = [&] { return make(e.op, a.value, b.value); };
    switch (e.op) {
    case BinaryOp::Add:
    case BinaryOp::Min:
    case BinaryOp::Max:
      set(wideOf(), make(e.op, a.lo, b.lo), make(e.op, a.hi, b.hi));
      break;
    case BinaryOp::Sub:
      set(wideOf(), make(e.op, a.lo, b.hi), make(e.op, a.hi, b.lo));
      break;
    case BinaryOp::Mul:
      if (b.lo != b.hi)
        std::swap(a, b);
      if (b.lo != b.hi)
        return {};
      set(make(e.op, a.value, b.value),
          make(BinaryOp::Min, make(e.op, a.lo, b.lo), make(e.op, a.hi, b.lo)),
          make(BinaryOp::Max, make(e.op, a.lo, b.lo), make(e.op, a.hi, b.lo)));
      break;
    case BinaryOp::Div:
      if (b.lo != b.hi)
        return {};
      require(result, positive(b.lo));
      set(wide(&e), make(e.op, a.lo, safe(b.lo)), make(e.op, a.hi, safe(b.lo)));
      break;
    case BinaryOp::Rem: {
      if (b.lo != b.hi)
        return {};
      require(result, positive(b.lo));
      const Expr *zero = number(0, e.range);
      require(result, compare(CompareOp::Ge, a.lo, zero));
      const Expr *one = number(1, e.range);
      set(wide(&e), zero, make(BinaryOp::Sub, b.lo, one));
      break;
    }
    case BinaryOp::Pow:
    case BinaryOp::And:
    case BinaryOp::Or:
    case BinaryOp::BitAnd:
    case BinaryOp::BitOr:
    case BinaryOp::BitXor:
    case BinaryOp::ShiftL:
    case BinaryOp::ShiftR:
    case BinaryOp::MinNaN:
    case BinaryOp::MaxNaN:
      return {};
    }
    return finish(e, std::move(result));
  }

  /// With the condition that nothing wraps around in 32 bits; what is of 64
  /// bits stays below that as well.
  ClosedMap finish(const Expr &e, ClosedMap made) {
    require(made, compare(CompareOp::Ge, made.lo, number(INT32_MIN, e.range)));
    require(made, compare(CompareOp::Le, made.hi, number(INT32_MAX, e.range)));
    return made;
  }

  void require(ClosedMap &made, const Expr *condition) {
    made.when.push_back(condition);
  }
  const Expr *positive(const Expr *e) {
    return compare(CompareOp::Gt, e, number(0, e->range));
  }
  /// A divisor that does not trap where the condition is false.
  const Expr *safe(const Expr *e) {
    return make(BinaryOp::Max, e, number(1, e->range));
  }
  const Expr *bound(unsigned dim, BoundExpr::Which which, SourceRange range) {
    return module.make<BoundExpr>(&region, dim, which, range);
  }
  const Expr *number(int64_t value, SourceRange range) {
    auto *made = module.make<ConstExpr>(Type::I64, range);
    made->integer = value;
    made->number = double(value);
    return made;
  }
  const Expr *wide(const Expr *e) {
    return e->type == Type::I64 ? e
                                : module.make<CastExpr>(Type::I64, e, e->range);
  }
  const Expr *compare(CompareOp op, const Expr *a, const Expr *b) {
    return module.make<CompareExpr>(op, a, b, b->range);
  }
  const Expr *make(BinaryOp op, const Expr *a, const Expr *b) {
    return module.make<BinaryExpr>(op, a, b, b->range);
  }

  Region &region;
  Module &module;
};

} // namespace

ClosedMap closedMap(const Expr &map, Region &region, Module &module) {
  return Intervals(region, module).of(map);
}

//===----------------------------------------------------------------------===//
// Names of forms
//===----------------------------------------------------------------------===//

static bool isScalar(const Map &map) {
  return map.scalar || (map.value && constantInteger(map.value));
}

/// `index(d)`, or `index(d)` plus or minus a scalar: the dimension.
static std::optional<unsigned> indexOf(const Map &map, bool &isShifted) {
  if (!map.array && !map.scalar && !map.value)
    return map.dim;
  const Expr *e = map.value;
  while (auto *conversion = dyn_cast_or_null<CastExpr>(e))
    e = conversion->operand;
  auto *binary = dyn_cast_or_null<BinaryExpr>(e);
  if (auto *index = dyn_cast_or_null<IndexExpr>(e))
    return index->dim;
  if (!binary || (binary->op != BinaryOp::Add && binary->op != BinaryOp::Sub))
    return std::nullopt;
  const Expr *left = binary->left, *right = binary->right;
  if (binary->op == BinaryOp::Add && isa<IndexExpr>(right))
    std::swap(left, right);
  auto *index = dyn_cast<IndexExpr>(left);
  if (!index || !isa<ConstExpr, VarExpr>(right))
    return std::nullopt;
  isShifted = true;
  return index->dim;
}

std::string remapForm(ArrayRef<Map> maps, const Region &region,
                      Module &module) {
  unsigned scalars = 0, indices = 0, inPlace = 0, closed = 0, last = 0;
  bool isShifted = false;
  SmallVector<bool, 6> isUsed(region.rank(), false);
  bool isPermutation = maps.size() == region.rank();
  for (auto [d, map] : enumerate(maps)) {
    auto dim = indexOf(map, isShifted);
    scalars += isScalar(map);
    indices += dim.has_value();
    inPlace += dim == d;
    last = dim == d && d + 1 == maps.size();
    if (!dim || isUsed[*dim])
      isPermutation = false;
    else
      isUsed[*dim] = true;
    if (map.value)
      closed +=
          closedMap(*map.value, const_cast<Region &>(region), module).value !=
          nullptr;
    else
      closed += !map.array;
  }
  if (scalars == maps.size())
    return "one element";
  if (inPlace == maps.size() && maps.size() == region.rank())
    return isShifted ? "a shift" : "the array itself";
  if (isPermutation && !isShifted)
    return "a transpose";
  if (scalars > 0 && scalars + indices == maps.size())
    return "a slice";
  if (closed == maps.size())
    return "a closed form of the indices";
  if (last && maps.size() == region.rank() && maps.size() > 1)
    return "whole rows";
  return "general maps";
}

//===----------------------------------------------------------------------===//
// Between processors
//===----------------------------------------------------------------------===//

namespace {

/// A map as the runtime sees it.
struct MapKind {
  bool isClosed;               ///< it follows from an index, or is a scalar
  std::optional<unsigned> dim; ///< whose index
};

MapKind kindOf(const Map &map, const Region &region) {
  if (map.array)
    return {false, std::nullopt};
  if (map.scalar)
    return {true, std::nullopt};
  if (!map.value)
    return {true, map.dim};
  std::optional<LinearMap> linear = linearMap(*map.value, region);
  return {linear.has_value(), linear ? linear->dim : std::nullopt};
}

/// Along which dimension of the region an array map varies, if it is one only.
std::optional<unsigned> onlyDimension(const Array &array) {
  std::optional<unsigned> dim;
  for (auto [d, kind] : enumerate(array.shape)) {
    if (kind == DimKind::Flood)
      continue;
    if (dim)
      return std::nullopt;
    dim = d;
  }
  return array.rank() > 1 ? dim : std::nullopt;
}

/// Along which dimension one map varies, if the others follow from indices of
/// other dimensions. As RowRemap.cpp of the runtime.
std::optional<unsigned> rowsOf(ArrayRef<Map> maps, const Region &region) {
  std::optional<unsigned> row;
  for (const Map &map : maps) {
    if (!map.array)
      continue;
    if (row || !(row = onlyDimension(*map.array)))
      return std::nullopt;
  }
  bool areClosed = all_of(maps, [&](const Map &map) {
    MapKind kind = kindOf(map, region);
    return map.array || (kind.isClosed && kind.dim != row);
  });
  return areClosed ? row : std::nullopt;
}

/// Why no boxes can be known without the values of maps; "" if they are.
std::string noBoxes(ArrayRef<Map> maps, const Region &region, const Mask &mask,
                    const Array &remapped) {
  if (mask.array)
    return "there is a mask";
  if (region.isSparse)
    return "the region is sparse";
  if (is_contained(region.shape, DimKind::Grid) ||
      is_contained(remapped.shape, DimKind::Grid))
    return "a grid dimension has elements of its own on each processor";
  for (const Map &map : maps) {
    if (kindOf(map, region).isClosed)
      continue;
    return map.array ? "the map " + mapText(map) + " has any values"
                     : "the map " + mapText(map) +
                           " is not linear in the index of one dimension";
  }
  return "";
}

RemapTraffic singleElements(std::string why) {
  return {"single elements", std::move(why)};
}

} // namespace

std::optional<unsigned> rowDimension(const GatherStmt &gather) {
  const Region &region = *gather.region;
  if (gather.mask.array || region.isSparse ||
      is_contained(region.shape, DimKind::Grid) ||
      is_contained(gather.source->shape, DimKind::Grid))
    return std::nullopt;
  return rowsOf(gather.maps, region);
}

RemapTraffic remapTraffic(const GatherStmt &gather) {
  const Region &region = *gather.region;
  std::string why = noBoxes(gather.maps, region, gather.mask, *gather.source);
  if (why.empty())
    return {"boxes", ""};
  return rowDimension(gather) ? RemapTraffic{"whole rows", ""}
                              : singleElements(std::move(why));
}

/// Whether every dimension of the region with several indices is in a map.
static bool nameAllDimensions(ArrayRef<Map> maps, const Region &region) {
  for (auto [d, kind] : enumerate(region.shape))
    if (kind != DimKind::Singleton && none_of(maps, [&](const Map &map) {
          return kindOf(map, region).dim == unsigned(d);
        }))
      return false;
  return true;
}

RemapTraffic remapTraffic(const ScatterStmt &scatter) {
  const Region &region = *scatter.region;
  std::string why =
      noBoxes(scatter.maps, region, scatter.mask, *scatter.target);
  if (!why.empty())
    return singleElements(std::move(why));
  if (is_contained(region.shape, DimKind::Flood) ||
      is_contained(scatter.target->shape, DimKind::Flood))
    return singleElements("all copies of a flooded element are set");
  if (scatter.combine && !nameAllDimensions(scatter.maps, region))
    return singleElements("several are combined in one");
  return {"boxes", ""};
}

} // namespace zpl::air
