//===- Places.cpp - Shapes and bounds of regions --------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     region R = [1..n, k];         -- shape [.., .], bounds 1..n and k..k
//     [east of R] ...               -- shape [.., ..], 1..n and k+1..k+1
//     [ , 2..m] ...                 -- dimension 1 from the covering region
//
// A named region is evaluated where it is declared: its bounds are linear in
// config variables and constants, or else atoms that belong to the region. A
// bound in a scope that is no linear form is an atom of the expression, good as
// long as the scope is open. Shapes follow the text alone: `of` and `in` make a
// range of every dimension they work on, `at` and a component 0 keep it.
//
//===----------------------------------------------------------------------===//

#include "Places.h"

#include "Types.h"
#include "llvm/Support/ErrorHandling.h"

namespace zpl::sema {

namespace {

/// Components beyond this are not computed with.
constexpr int64_t Farthest = int64_t(1) << 40;

std::optional<int64_t> constantOf(const Expr &e) {
  if (auto *literal = llvm::dyn_cast<LiteralExpr>(&e))
    return literal->integer;
  return std::nullopt;
}

} // namespace

Shape shapeOf(const RegionExpr &region, const Covers &covers) {
  switch (region.kind) {
  case RegionExpr::Ref:
    return region.region->shape;
  case RegionExpr::Dims: {
    Shape shape;
    for (unsigned d = 0; d != region.rank; ++d) {
      RegionDim::Kind kind = region.dims[d].kind;
      if (kind == RegionDim::Blank)
        shape.push_back((*covers[region.rank])[d]);
      else
        shape.push_back(kind == RegionDim::Single ? DimKind::Singleton
                                                  : DimKind::Range);
    }
    return shape;
  }
  case RegionExpr::Quote:
    return *covers[region.rank];
  case RegionExpr::At:
    return shapeOf(*region.base, covers);
  case RegionExpr::Of:
  case RegionExpr::In: {
    Shape shape = shapeOf(*region.base, covers);
    for (unsigned d = 0; d != region.rank; ++d)
      if (constantOf(*region.direction[d]) != 0)
        shape[d] = DimKind::Range;
    return shape;
  }
  }
  llvm_unreachable("region");
}

Surveyor::Surveyor(const Program &program)
    : globals(program.globals.begin(), program.globals.end()) {}

LinearForm Surveyor::variable(const Variable &variable) const {
  if (variable.isConst && !variable.isConfig && variable.init)
    if (std::optional<LinearForm> value = linear(*variable.init))
      return *value;
  return LinearForm(Atom{&variable, 0, !isGlobal(&variable), variable.name});
}

std::optional<LinearForm> Surveyor::linear(const Expr &e) const {
  if (!isIntegral(e.type))
    return std::nullopt;
  switch (e.kind) {
  case ExprKind::Literal:
    return LinearForm(llvm::cast<LiteralExpr>(e).integer);
  case ExprKind::Variable: {
    const Variable &used = *llvm::cast<VariableExpr>(e).variable;
    bool isFixed = used.isConst ||
                   (used.storage == Storage::Param && used.mode == Mode::Const);
    if (!isFixed)
      return std::nullopt;
    return variable(used);
  }
  case ExprKind::Component: {
    auto &component = llvm::cast<ComponentExpr>(e);
    const Expr &init =
        *component.direction->components[component.component].init;
    if (std::optional<LinearForm> value = linear(init))
      return value;
    return LinearForm(Atom{component.direction, component.component,
                           !isGlobal(component.direction), ""});
  }
  case ExprKind::Cast: {
    auto &cast = llvm::cast<CastExpr>(e);
    Type from = cast.operand->type;
    bool widens = (cast.type == Type::Integer || cast.type == Type::Longint) &&
                  isIntegral(from) && widthOf(from) < widthOf(cast.type);
    return widens ? linear(*cast.operand) : std::nullopt;
  }
  case ExprKind::Unary: {
    auto &unary = llvm::cast<UnaryExpr>(e);
    std::optional<LinearForm> operand = linear(*unary.operand);
    return unary.op == UnaryOp::Neg && operand ? operand->times(-1)
                                               : std::nullopt;
  }
  case ExprKind::Binary:
    return linearBinary(llvm::cast<BinaryExpr>(e));
  case ExprKind::Processors:
    return LinearForm(Atom{&globals, 0, false, "PROCESSORS"});
  case ExprKind::Array:
  case ExprKind::Index:
  case ExprKind::Compare:
  case ExprKind::Fma:
  case ExprKind::Math:
  case ExprKind::Call:
  case ExprKind::Reduce:
  case ExprKind::Timer:
  case ExprKind::Field:
  case ExprKind::Subscript:
  case ExprKind::Complex:
  case ExprKind::Builtin:
    return std::nullopt;
  }
  llvm_unreachable("expression");
}

std::optional<LinearForm> Surveyor::linearBinary(const BinaryExpr &e) const {
  std::optional<LinearForm> left = linear(*e.left), right = linear(*e.right);
  if (!left || !right)
    return std::nullopt;
  if (e.op == BinaryOp::Add || e.op == BinaryOp::Sub)
    return LinearForm::sum(*left, *right, e.op == BinaryOp::Add ? 1 : -1);
  if (e.op != BinaryOp::Mul)
    return std::nullopt;
  if (std::optional<int64_t> factor = right->number())
    return left->times(*factor);
  if (std::optional<int64_t> factor = left->number())
    return right->times(*factor);
  return std::nullopt;
}

LinearForm Surveyor::form(const Expr &e) const {
  if (std::optional<LinearForm> value = linear(e))
    return *value;
  return LinearForm(Atom{&e, 0, true, ""});
}

Place Surveyor::named(const Region &region, const CoverPlaces &entry) const {
  Place place = survey(*region.init, entry, entry);
  place.shape = region.shape;
  if (!isGlobal(&region))
    return place;
  // What an expression alone knows would be lost between procedures.
  auto own = [&](LinearForm &bound, unsigned part) {
    if (bound.hasLocalAtoms())
      bound = LinearForm(Atom{&region, part, false, ""});
  };
  for (unsigned d = 0; d != place.rank(); ++d) {
    own(place.dims[d].lo, 2 * d);
    own(place.dims[d].hi, 2 * d + 1);
  }
  return place;
}

Place Surveyor::literal(const RegionExpr &region,
                        const CoverPlaces &covers) const {
  Place place;
  for (unsigned d = 0; d != region.rank; ++d) {
    const RegionDim &dim = region.dims[d];
    switch (dim.kind) {
    case RegionDim::Range:
      place.shape.push_back(DimKind::Range);
      place.dims.push_back({form(*dim.lo), form(*dim.hi)});
      break;
    case RegionDim::Single: {
      LinearForm index = form(*dim.lo);
      place.shape.push_back(DimKind::Singleton);
      place.dims.push_back({index, index});
      break;
    }
    case RegionDim::Blank:
      place.shape.push_back(covers[region.rank]->shape[d]);
      place.dims.push_back(covers[region.rank]->dims[d]);
      break;
    }
  }
  return place;
}

Place Surveyor::moved(Place place,
                      llvm::ArrayRef<const Expr *> direction) const {
  for (unsigned d = 0; d != direction.size(); ++d) {
    LinearForm by = form(*direction[d]);
    for (LinearForm *bound : {&place.dims[d].lo, &place.dims[d].hi}) {
      std::optional<LinearForm> sum = LinearForm::sum(*bound, by, 1);
      *bound = sum ? *sum : LinearForm(Atom{direction[d], 1, true, ""});
    }
  }
  return place;
}

/// `of` and `in`: adjacent to or just inside \p base.
Place Surveyor::border(const RegionExpr &region, Place base) const {
  bool isOf = region.kind == RegionExpr::Of;
  for (unsigned d = 0; d != region.rank; ++d) {
    DimBounds &dim = base.dims[d];
    std::optional<int64_t> by = constantOf(*region.direction[d]);
    if (by == 0)
      continue;
    if (by && (*by > Farthest || *by < -Farthest))
      by = std::nullopt;
    base.shape[d] = DimKind::Range;
    std::optional<LinearForm> lo, hi;
    auto from = [](const LinearForm &bound, int64_t offset) {
      return LinearForm::sum(bound, LinearForm(offset), 1);
    };
    if (by && *by < 0) {
      lo = isOf ? from(dim.lo, *by) : dim.lo;
      hi = from(dim.lo, isOf ? -1 : -*by - 1);
    } else if (by) {
      lo = from(dim.hi, isOf ? 1 : 1 - *by);
      hi = isOf ? from(dim.hi, *by) : dim.hi;
    }
    dim.lo = lo ? *lo : LinearForm(Atom{&region, 2 * d, true, ""});
    dim.hi = hi ? *hi : LinearForm(Atom{&region, 2 * d + 1, true, ""});
  }
  return base;
}

Place Surveyor::survey(const RegionExpr &region, const CoverPlaces &covers,
                       const CoverPlaces &entry) const {
  switch (region.kind) {
  case RegionExpr::Ref:
    return named(*region.region, entry);
  case RegionExpr::Dims:
    return literal(region, covers);
  case RegionExpr::Quote:
    return *covers[region.rank];
  case RegionExpr::At:
    return moved(survey(*region.base, covers, entry), region.direction);
  case RegionExpr::Of:
  case RegionExpr::In:
    return border(region, survey(*region.base, covers, entry));
  }
  llvm_unreachable("region");
}

} // namespace zpl::sema
