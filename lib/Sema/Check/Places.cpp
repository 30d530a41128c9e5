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
//     [R by [2, 2]] ...             -- shape [by, .], 1..n, stride 2, align 1
//
// A named region is evaluated where it is declared: its bounds, strides and
// alignments are linear in config variables and constants, or else atoms that
// belong to the region. What in a scope is no linear form is an atom of the
// expression, good as long as the scope is open. Shapes follow the text alone:
// `of` and `in` make a range of each singleton that they work on, `by` makes
// each range strided, `at` and a component 0 keep the kind.
//
//===----------------------------------------------------------------------===//

#include "Check/Places.h"

#include "Arrays/Followers.h"
#include "Types/Types.h"
#include "zpl/Sema/Visit.h"
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

/// The component of a direction, if it is known and can be computed with.
std::optional<int64_t> componentOf(const Expr &e) {
  std::optional<int64_t> value = constantOf(e);
  if (value && (*value > Farthest || *value < -Farthest))
    return std::nullopt;
  return value;
}

} // namespace

/// How far it is from \p from up to \p to, in steps of the stride: the rest.
static std::optional<int64_t>
distance(const DimBounds &dim, const LinearForm &from, const LinearForm &to) {
  std::optional<int64_t> stride = dim.stride.number(), gap = to.minus(from);
  if (stride == 1 || gap == 0)
    return 0;
  if (!stride || !gap)
    return std::nullopt;
  return ((*gap % *stride) + *stride) % *stride;
}

std::optional<LinearForm> DimBounds::first() const {
  std::optional<int64_t> offset = distance(*this, lo, align);
  return offset ? LinearForm::sum(lo, LinearForm(*offset), 1) : std::nullopt;
}

std::optional<LinearForm> DimBounds::last() const {
  std::optional<int64_t> offset = distance(*this, align, hi);
  return offset ? LinearForm::sum(hi, LinearForm(*offset), -1) : std::nullopt;
}

/// The kind that \p op makes of a dimension of kind \p base.
static DimKind kindAfter(RegionExpr::Kind op, DimKind base,
                         const Expr &component) {
  if (op == RegionExpr::User)
    return isPerProcessor(base) ? base : DimKind::Strided;
  // Flooded and grid dimensions take no other component but 0.
  if (op == RegionExpr::At || isPerProcessor(base) ||
      constantOf(component) == 0)
    return base;
  bool isSingleton = base == DimKind::Singleton;
  if (op == RegionExpr::By)
    return isSingleton ? base : DimKind::Strided;
  return isSingleton ? DimKind::Range : base;
}

Shape shapeOf(const RegionExpr &region, const Covers &covers,
              llvm::function_ref<Shape(const Symbol &)> ofSymbol) {
  switch (region.kind) {
  case RegionExpr::Ref:
    return ofSymbol ? ofSymbol(*region.region) : region.region->shape;
  case RegionExpr::Dims: {
    Shape shape;
    for (unsigned d = 0; d != region.rank; ++d)
      switch (region.dims[d].kind) {
      case RegionDim::Range:
        shape.push_back(DimKind::Range);
        break;
      case RegionDim::Single:
        shape.push_back(DimKind::Singleton);
        break;
      case RegionDim::Flood:
        shape.push_back(DimKind::Flood);
        break;
      case RegionDim::Grid:
        shape.push_back(DimKind::Grid);
        break;
      case RegionDim::Blank:
        shape.push_back((*covers[region.rank])[d]);
        break;
      case RegionDim::Seq:
        shape.push_back(DimKind::Strided);
        break;
      }
    return shape;
  }
  case RegionExpr::Quote:
    return *covers[region.rank];
  case RegionExpr::Declared:
    if (ofSymbol)
      return ofSymbol(*region.array);
    return region.array->storage == Storage::Param
               ? Shape(region.rank, DimKind::Strided)
               : shapeOf(*region.array->declared, covers);
  case RegionExpr::Where:
  case RegionExpr::Bounds:
    return shapeOf(*region.base, covers, ofSymbol);
  case RegionExpr::At:
  case RegionExpr::Of:
  case RegionExpr::In:
  case RegionExpr::By:
  case RegionExpr::User: {
    Shape shape = shapeOf(*region.base, covers, ofSymbol);
    for (unsigned d = 0; d != region.rank; ++d)
      shape[d] = kindAfter(region.kind, shape[d], *region.direction[d]);
    return shape;
  }
  }
  llvm_unreachable("region");
}

bool isSparse(const RegionExpr &region, SparseCovers covers,
              llvm::function_ref<bool(const Symbol &)> ofSymbol) {
  switch (region.kind) {
  case RegionExpr::Ref:
    return ofSymbol ? ofSymbol(*region.region)
                    : isSparse(*region.region->init, covers);
  case RegionExpr::Dims:
    if (region.place)
      return region.place->type.info()->isSparse;
    return !region.takesBounds && covers[region.rank] &&
           llvm::any_of(region.dims, [](const RegionDim &dim) {
             return dim.kind == RegionDim::Blank;
           });
  case RegionExpr::Quote:
    return !region.takesBounds && covers[region.rank];
  case RegionExpr::Declared:
    if (ofSymbol)
      return ofSymbol(*region.array);
    return region.array->declared && isSparse(*region.array->declared, covers);
  case RegionExpr::Where:
    return true;
  case RegionExpr::Bounds:
    return false;
  case RegionExpr::At:
  case RegionExpr::Of:
  case RegionExpr::In:
  case RegionExpr::By:
  case RegionExpr::User:
    return isSparse(*region.base, covers, ofSymbol);
  }
  llvm_unreachable("region");
}

Surveyor::Surveyor(const Program &program)
    : defaults(program.defaultDomains),
      globals(program.globals.begin(), program.globals.end()),
      resizable(findResizable(program)) {
  for (const Symbol *symbol : program.globals)
    if (auto *domain = llvm::dyn_cast<Domain>(symbol))
      ranksOfDomains.set(domain->rank);
}

Place Surveyor::here(Place place, const Array &array, const void *node) const {
  if (hasOneRegion(array) && !resizable.contains(&array))
    return place;
  for (unsigned d = 0; d != place.rank(); ++d) {
    DimBounds &dim = place.dims[d];
    unsigned part = 4 * d;
    for (LinearForm *form : {&dim.lo, &dim.hi, &dim.stride, &dim.align}) {
      if (form->hasLocalAtoms())
        *form = LinearForm(Atom{node, part, true, ""});
      ++part;
    }
  }
  return place;
}

LinearForm Surveyor::variable(const Variable &variable) const {
  if (variable.isConst && !variable.isConfig && variable.init)
    if (std::optional<LinearForm> value = linear(*variable.init))
      return *value;
  return LinearForm(Atom{&variable, 0, !isGlobal(&variable), variable.name});
}

/// The linear forms of each kind of expression that has an integral type.
struct Surveyor::Linear {
  const Surveyor &s;
  using Form = std::optional<LinearForm>;

  Form of(const LiteralExpr &e) { return LinearForm(e.integer); }
  Form of(const VariableExpr &e) {
    const Variable &used = *e.variable;
    bool isFixed = used.isConst ||
                   (used.storage == Storage::Param && used.mode == Mode::Const);
    if (!isFixed)
      return std::nullopt;
    return s.variable(used);
  }
  Form of(const ComponentExpr &e) {
    const Expr &init = *e.direction->components[e.component].init;
    if (Form value = s.linear(init))
      return value;
    return LinearForm(
        Atom{e.direction, e.component, !s.isGlobal(e.direction), ""});
  }
  Form of(const CastExpr &e) {
    Type from = e.operand->type;
    bool widens = (e.type == Type::Integer || e.type == Type::Longint) &&
                  isIntegral(from) && widthOf(from) < widthOf(e.type);
    return widens ? s.linear(*e.operand) : std::nullopt;
  }
  Form of(const UnaryExpr &e) {
    Form operand = s.linear(*e.operand);
    return e.op == UnaryOp::Neg && operand ? operand->times(-1) : std::nullopt;
  }
  Form of(const BinaryExpr &e) { return s.linearBinary(e); }
  Form of(const ProcessorsExpr &) {
    return LinearForm(Atom{&s.globals, 0, false, "PROCESSORS"});
  }
  Form
  of(const OneOf<ArrayExpr, IndexExpr, CompareExpr, FmaExpr, MathExpr, CallExpr,
                 ReduceExpr, FloodExpr, ScanExpr, GatherExpr, EnclosingMaskExpr,
                 RegionBoundExpr, TimerExpr, GridPlaceExpr, FieldExpr,
                 SubscriptExpr, ComplexExpr, BuiltinExpr, RegionValueExpr,
                 DirectionValueExpr, IrvExpr, PatternExpr, InsideExpr> auto &) {
    return std::nullopt;
  }
};

std::optional<LinearForm> Surveyor::linear(const Expr &e) const {
  if (!isIntegral(e.type))
    return std::nullopt;
  return visitKind(e,
                   [&](const auto &known) { return Linear{*this}.of(known); });
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

Place Surveyor::named(const Region &region, const Surroundings &around) const {
  Place place = survey(*region.init, around.atEntry());
  if (region.domain)
    place.domain = region.domain;
  if (!isGlobal(&region)) // a literal is one here, too
    return place;
  place = bound(std::move(place));
  // What an expression alone knows would be lost between procedures.
  for (unsigned d = 0; d != place.rank(); ++d) {
    DimBounds &dim = place.dims[d];
    unsigned part = 4 * d;
    for (LinearForm *form : {&dim.lo, &dim.hi, &dim.stride, &dim.align}) {
      if (form->hasLocalAtoms())
        *form = LinearForm(Atom{&region, part, false, ""});
      ++part;
    }
  }
  return place;
}

const Domain *Surveyor::domainOfPlace(const RegionExpr &region) const {
  auto *root = region.place ? llvm::dyn_cast<VariableExpr>(rootOf(region.place))
                            : nullptr;
  if (!root)
    return nullptr;
  const Variable &variable = *root->variable;
  bool isAny = variable.storage == Storage::Param || variable.isHidden;
  return variable.domain || isAny ? variable.domain : defaults[region.rank];
}

Place Surveyor::literal(const RegionExpr &region,
                        const CoverPlaces &covers) const {
  Place place;
  place.domain = domainOfPlace(region);
  place.isSparse = region.place && region.place->type.info()->isSparse;
  for (unsigned d = 0; d != region.rank; ++d) {
    const RegionDim &dim = region.dims[d];
    DimKind kind = DimKind::Flood;
    DimBounds bounds;
    switch (dim.kind) {
    case RegionDim::Range:
      kind = DimKind::Range;
      bounds.lo = form(*dim.lo);
      bounds.hi = form(*dim.hi);
      break;
    case RegionDim::Single:
      kind = DimKind::Singleton;
      bounds.lo = bounds.hi = form(*dim.lo);
      break;
    case RegionDim::Flood:
      break;
    case RegionDim::Grid:
      kind = DimKind::Grid;
      break;
    case RegionDim::Blank:
      place.domain = covers[region.rank]->domain;
      place.isSparse = !region.takesBounds && covers[region.rank]->isSparse;
      kind = covers[region.rank]->shape[d];
      bounds = covers[region.rank]->dims[d];
      break;
    case RegionDim::Seq:
      kind = DimKind::Strided;
      bounds.lo = form(*dim.lo);
      bounds.hi = form(*dim.hi);
      bounds.stride = form(*dim.stride);
      bounds.align = form(*dim.align);
      break;
    }
    place.shape.push_back(kind);
    place.dims.push_back(bounds);
  }
  return place;
}

Place Surveyor::moved(Place place,
                      llvm::ArrayRef<const Expr *> direction) const {
  for (unsigned d = 0; d != direction.size(); ++d) {
    if (isPerProcessor(place.shape[d]))
      continue;
    DimBounds &dim = place.dims[d];
    LinearForm by = form(*direction[d]);
    for (LinearForm *bound : {&dim.lo, &dim.hi, &dim.align}) {
      std::optional<LinearForm> sum = LinearForm::sum(*bound, by, 1);
      *bound = sum ? *sum : LinearForm(Atom{direction[d], 1, true, ""});
    }
  }
  return place;
}

Place Surveyor::border(const RegionExpr &region, Place base) const {
  bool isOf = region.kind == RegionExpr::Of;
  for (unsigned d = 0; d != region.rank; ++d) {
    DimBounds &dim = base.dims[d];
    std::optional<int64_t> by = componentOf(*region.direction[d]);
    if (by == 0 || isPerProcessor(base.shape[d]))
      continue;
    base.shape[d] = kindAfter(region.kind, base.shape[d], *region.direction[d]);
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
    dim.lo = lo ? *lo : LinearForm(Atom{&region, 4 * d, true, ""});
    dim.hi = hi ? *hi : LinearForm(Atom{&region, 4 * d + 1, true, ""});
  }
  return base;
}

Place Surveyor::strided(const RegionExpr &region, Place base) const {
  for (unsigned d = 0; d != region.rank; ++d) {
    DimBounds &dim = base.dims[d];
    std::optional<int64_t> by = componentOf(*region.direction[d]);
    if (by == 0 || !isRange(base.shape[d]))
      continue;
    base.shape[d] = DimKind::Strided;
    std::optional<LinearForm> stride, align;
    if (by) {
      stride = dim.stride.times(std::abs(*by));
      align = *by > 0 ? dim.first() : dim.last();
    }
    dim.stride =
        stride ? *stride : LinearForm(Atom{&region, 4 * d + 2, true, ""});
    dim.align = align ? *align : LinearForm(Atom{&region, 4 * d + 3, true, ""});
  }
  return base;
}

Place Surveyor::changed(const RegionExpr &region, Place base) const {
  for (unsigned d = 0; d != region.rank; ++d) {
    if (isPerProcessor(base.shape[d]))
      continue;
    base.shape[d] = DimKind::Strided;
    DimBounds &dim = base.dims[d];
    unsigned part = 4 * d;
    for (LinearForm *form : {&dim.lo, &dim.hi, &dim.stride, &dim.align})
      *form = LinearForm(Atom{&region, part++, true, ""});
  }
  return base;
}

Place Surveyor::survey(const RegionExpr &region,
                       const Surroundings &around) const {
  switch (region.kind) {
  case RegionExpr::Ref:
    return named(*region.region, around);
  case RegionExpr::Dims:
    return literal(region, around.covers);
  case RegionExpr::Quote: {
    Place place = *around.covers[region.rank];
    place.isSparse &= !region.takesBounds;
    return place;
  }
  case RegionExpr::Where:
  case RegionExpr::Bounds: {
    Place place = survey(*region.base, around);
    place.isSparse = region.kind == RegionExpr::Where;
    return place;
  }
  case RegionExpr::Declared:
    return here(region.array->storage == Storage::Param
                    ? around.parameter(*region.array)
                    : bound(survey(*region.array->declared, around.atEntry())),
                *region.array, &region);
  case RegionExpr::At:
    return moved(survey(*region.base, around), region.direction);
  case RegionExpr::Of:
  case RegionExpr::In:
    return border(region, survey(*region.base, around));
  case RegionExpr::By:
    return strided(region, survey(*region.base, around));
  case RegionExpr::User:
    return changed(region, survey(*region.base, around));
  }
  llvm_unreachable("region");
}

} // namespace zpl::sema
