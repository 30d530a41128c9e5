//===- Values.cpp - Regions and directions as values ----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     var R: region<.., *>;  d: array [0..3] of direction<+, 0>;
//
//     [R] ...          [seq(R[0,0], R[0,1], R[0,2], R[0,3]), *] ...
//     A@d[f(i)]        h := f(i);  A@(d[h][0], 0)
//     R := S at d[1];  the four numbers of each dimension of `S at d[1]`
//     g(R at d[0])     a value of type region<.., *>
//
// A variable of these types is an indexed array of longints, TypeInfo::storage.
// To use it as a region or direction is to read the elements: so a region is a
// RegionExpr and a direction a list of components wherever they come from, and
// nothing else in the compiler knows variables of them. What a place calls is
// evaluated before (FirstValues.cpp), so that its elements may be read one by
// one.
//
// The other way, a RegionValueExpr or DirectionValueExpr is the value of such a
// type that a region or direction has. What its type says is compared with what
// is known here; signs of components that are not constants are left to the
// run.
//
// Cost: four nodes per dimension.
//
//===----------------------------------------------------------------------===//

#include "Check/Values.h"
#include "Arrays/Blanks.h"
#include "Arrays/Families.h"
#include "Arrays/Regions.h"
#include "Check/Calls.h"
#include "Check/Designators.h"
#include "Check/Expressions.h"
#include "Check/FirstValues.h"
#include "Check/Operators.h"
#include "Program/Free.h"
#include "Sparse/Modify.h"
#include "Sparse/SparseRegions.h"
#include "Statements/Assign.h"
#include "Statements/Declarations.h"
#include "Tree/Walk.h"
#include "Types/Types.h"
#include "Types/ValueTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

namespace zpl::sema {

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static bool fitsDirection(Checking &c, const DirectionExprs &components,
                          Type type, SourceRange range,
                          const Symbol *named = nullptr);
static const Expr *directionValue(Checking &c, const DirectionExprs &components,
                                  Type type, SourceRange range,
                                  const Symbol *named = nullptr);

/// Element \p at of the storage of \p place.
static const Expr *storedNumber(Checking &c, const Expr *place,
                                llvm::ArrayRef<int64_t> at) {
  llvm::SmallVector<const Expr *, 2> subscripts;
  for (int64_t index : at)
    subscripts.push_back(c.build.integer(index, Type::Longint, place->range));
  auto *element = c.program.make<SubscriptExpr>(place, subscripts,
                                                Type::Longint, place->range);
  element->text = c.diags.sources().text(place->range).str();
  element->isFree = place->isFree;
  return element;
}

/// What the run says if a variable has no value: "R has no value here; it is
/// declared at x.z:3:5".
static std::string unsetText(const Checking &c, const Expr &place) {
  std::string text = c.diags.sources().text(place.range).str();
  const Expr *root = rootOf(&place);
  auto *variable = llvm::dyn_cast<VariableExpr>(root);
  if (!variable || variable->variable->isHidden)
    return "the region " + text + " has no value here";
  SourceRange range = variable->variable->range;
  LineColumn at = c.diags.sources().lineColumn(range);
  return llvm::formatv("the region {0} has no value here; '{1}' is declared at "
                       "{2}:{3}:{4}",
                       text, variable->variable->name,
                       c.diags.sources().name(range.file), at.line, at.column)
      .str();
}

/// Dimension \p d of the region that is stored at a place.
static RegionDim storedDim(Checking &c, const Expr *place, DimKind kind,
                           int64_t d) {
  RegionDim dim;
  switch (kind) {
  case DimKind::Flood:
    dim.kind = RegionDim::Flood;
    break;
  case DimKind::Grid:
    dim.kind = RegionDim::Grid;
    break;
  case DimKind::Singleton:
    dim.kind = RegionDim::Single;
    dim.lo = storedNumber(c, place, {d, 0});
    break;
  case DimKind::Range:
  case DimKind::Strided:
    dim.kind = RegionDim::Seq;
    dim.lo = storedNumber(c, place, {d, 0});
    dim.hi = storedNumber(c, place, {d, 1});
    dim.stride = storedNumber(c, place, {d, 2});
    dim.align = storedNumber(c, place, {d, 3});
    break;
  }
  return dim;
}

const RegionExpr *regionOf(Checking &c, const Expr *place) {
  if (auto *value = llvm::dyn_cast<RegionValueExpr>(place))
    return value->region;
  place = repeatablePlace(c, place);
  auto *node = c.program.make<RegionExpr>();
  node->kind = RegionExpr::Dims;
  node->range = place->range;
  node->text = c.diags.sources().text(place->range).str();
  node->unset = unsetText(c, *place);
  node->place = place;
  const Shape &shape = place->type.info()->shape;
  node->rank = shape.size();
  for (int64_t d = 0; d != static_cast<int64_t>(shape.size()); ++d)
    node->dims.push_back(storedDim(c, place, shape[d], d));
  auto last = static_cast<int64_t>(shape.size());
  node->level = storedNumber(c, place, {last, 0});
  if (c.program.hasSparse)
    node->patternNumber = storedNumber(c, place, {last, 2});
  return node;
}

DirectionExprs directionOf(Checking &c, const Expr *place) {
  if (auto *value = llvm::dyn_cast<DirectionValueExpr>(place))
    return value->components;
  place = repeatablePlace(c, place);
  DirectionExprs components;
  for (const auto &[dim, known] :
       llvm::enumerate(place->type.info()->components))
    components.push_back(
        known.kind == TypeComponent::Value
            ? c.build.integer(known.value, Type::Longint, place->range)
            : storedNumber(c, place, static_cast<int64_t>(dim)));
  return components;
}

const Expr *valuePlace(Checking &c, const ast::Expr &e, Type::Kind kind) {
  const Expr *made = llvm::isa<ast::Call>(e)
                         ? checkCall(c, llvm::cast<ast::Call>(e))
                         : checkPlace(c, e);
  if (isError(made))
    return nullptr;
  if (made->isArray()) { // an array-valued subscript
    reportArray(c, made, kind == Type::Region ? "region" : "direction");
    return nullptr;
  }
  return reportFree(c, made) ? nullptr : made;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

namespace {

bool isKept(const TypeComponent &wanted, int64_t value) {
  switch (wanted.kind) {
  case TypeComponent::Unknown:
    return true;
  case TypeComponent::Plus:
    return value > 0;
  case TypeComponent::Minus:
    return value < 0;
  case TypeComponent::Value:
    return value == wanted.value;
  }
  llvm_unreachable("component");
}

std::string nameOf(const TypeComponent &component) {
  switch (component.kind) {
  case TypeComponent::Unknown:
    return "any number";
  case TypeComponent::Plus:
    return "a positive number";
  case TypeComponent::Minus:
    return "a negative number";
  case TypeComponent::Value:
    return std::to_string(component.value);
  }
  llvm_unreachable("component");
}

} // namespace

Shape knownShape(const RegionExpr &region) {
  Covers covers;
  for (unsigned rank = 1; rank <= MaxRank; ++rank)
    covers[rank] = Shape(rank, DimKind::Strided);
  return shapeOf(region, covers);
}

bool fitsRegion(Checking &c, const RegionExpr &region, Type type) {
  auto refuse = [&](DiagnosticBuilder &&report) {
    if (region.kind == RegionExpr::Ref)
      report.note(region.region->range, Diag::DeclaredHere,
                  region.region->name);
    report.done();
    return false;
  };
  if (region.rank != rankOf(type))
    return refuse(c.diags.report(region.range, Diag::RegionValueRank,
                                 region.rank, text(type), rankOf(type)));
  Shape shape = knownShape(region);
  for (const auto &[d, kind] : llvm::enumerate(shape)) {
    DimKind wanted = type.info()->shape[d];
    if (holds(wanted, kind))
      continue;
    return refuse(c.diags.report(region.range, Diag::RegionValueKind, d + 1,
                                 nameOf(kind), text(type), nameOf(wanted),
                                 componentText(kind)));
  }
  return true;
}

static const Expr *regionValue(Checking &c, const RegionExpr *region,
                               Type type) {
  if (!region)
    return nullptr;
  if (!fitsRegion(c, *region, type))
    return nullptr;
  takesPattern(c, type, *region);
  return c.program.make<RegionValueExpr>(region, type, region->range);
}

/// Whether \p components are what \p type says, as far as they are constants;
/// reports otherwise, and where \p named, which has them, is declared.
static bool fitsDirection(Checking &c, const DirectionExprs &components,
                          Type type, SourceRange range, const Symbol *named) {
  auto refuse = [&](DiagnosticBuilder &&report) {
    if (named)
      report.note(named->range, Diag::DeclaredHere, named->name);
    report.done();
    return false;
  };
  const auto &wanted = type.info()->components;
  if (components.size() != wanted.size())
    return refuse(c.diags.report(range, Diag::DirectionValueRank,
                                 components.size(), text(type), wanted.size()));
  for (unsigned dim = 0; dim != wanted.size(); ++dim) {
    auto *literal = llvm::dyn_cast<LiteralExpr>(components[dim]);
    if (!literal || isKept(wanted[dim], literal->integer))
      continue;
    return refuse(c.diags.report(range, Diag::DirectionValue, dim + 1,
                                 literal->integer, text(type),
                                 nameOf(wanted[dim])));
  }
  return true;
}

static const Expr *directionValue(Checking &c, const DirectionExprs &components,
                                  Type type, SourceRange range,
                                  const Symbol *named) {
  if (!fitsDirection(c, components, type, range, named))
    return nullptr;
  return c.program.make<DirectionValueExpr>(components, type, range);
}

const Expr *convertedValue(Checking &c, const Expr *value, Type type) {
  if (value->type == type &&
      !llvm::isa<RegionValueExpr, DirectionValueExpr>(value))
    return value;
  const Expr *made =
      type == Type::Region
          ? regionValue(c, regionOf(c, value), type)
          : directionValue(c, directionOf(c, value), type, value->range);
  return made ? made : c.build.error(value->range);
}

const Expr *typedValue(Checking &c, const ast::Expr &e, Type type) {
  if (type == Type::Region) {
    llvm::SaveAndRestore bounds(c.sparse.takesBounds, true);
    const RegionExpr *made = checkRegion(c, e, rankOf(type));
    const Expr *value = regionValue(c, made, type);
    return value ? value : c.build.error(e.range);
  }
  std::optional<DirectionExprs> components = checkDirection(c, e);
  auto *name = llvm::dyn_cast<ast::NameRef>(&e);
  const Expr *value =
      components ? directionValue(c, *components, type, e.range,
                                  name ? c.names.find(name->name) : nullptr)
                 : nullptr;
  return value ? value : c.build.error(e.range);
}

/// The same, of the type that it has by itself: a place stays one.
static const Expr *ownValue(Checking &c, const ast::Expr &e, Type::Kind kind) {
  if (designatedType(c, e) == kind) {
    const Expr *made = valuePlace(c, e, kind);
    return made ? made : c.build.error(e.range);
  }
  if (kind == Type::Region) {
    // A quote has no rank of its own.
    llvm::SaveAndRestore bounds(c.sparse.takesBounds, true);
    const RegionExpr *made = checkRegion(c, e, 0);
    if (!made)
      return c.build.error(e.range);
    Shape shape = knownShape(*made);
    for (DimKind &dim : shape)
      if (dim == DimKind::Range)
        dim = DimKind::Strided;
    return regionValue(c, made, c.types.region(shape));
  }
  std::optional<DirectionExprs> components = checkDirection(c, e);
  if (!components)
    return c.build.error(e.range);
  llvm::SmallVector<TypeComponent, 6> parts(components->size());
  return directionValue(c, *components, c.types.direction(parts), e.range);
}

const Expr *argumentValue(Checking &c, const ast::Expr &e,
                          bool wantsDirection) {
  Type::Kind kind = kindOf(c, e);
  auto *name = llvm::dyn_cast<ast::NameRef>(&e);
  auto *array =
      name ? llvm::dyn_cast_or_null<Array>(c.names.find(name->name)) : nullptr;
  if (array && array->family != Type::Error)
    return wholeFamily(c, *array, *name);
  if (kind == Type::Error)
    return checkExpr(c, e);
  // `f([1, 2])` is what the procedures of that name take.
  bool isWanted = wantsDirection && mayBeDirection(c, e);
  return ownValue(c, e, isWanted ? Type::Kind(Type::Direction) : kind);
}

const Expr *plainValue(Checking &c, const Expr *value) {
  if (value->type != Type::Region && value->type != Type::Direction)
    return value;
  if (value->type == Type::Region && c.program.hasSparse)
    return patternOf(c, regionOf(c, value),
                     c.diags.sources().text(value->range));
  c.diags
      .report(value->range, Diag::NotAValue,
              value->type == Type::Region ? "a region" : "a direction")
      .done();
  return c.build.error(value->range);
}

//===----------------------------------------------------------------------===//
// Assignments
//===----------------------------------------------------------------------===//

/// The index that an element of an indexed array of regions is at: what
/// references without an index inherit from it (Multi.cpp). Null: none.
static const Expr *levelOfPlace(Checking &c, const Expr *place) {
  auto *element = llvm::dyn_cast<SubscriptExpr>(place);
  if (!element || element->subscripts.size() != 1 ||
      element->subscripts[0]->type == Type::Enum)
    return nullptr;
  return c.build.cast(element->subscripts[0], Type::Longint);
}

Stmt *regionAssignment(Checking &c, const Expr *target, const RegionExpr *value,
                       bool preserves, SourceRange range) {
  if (const Expr *level = levelOfPlace(c, target)) {
    auto *leveled = c.program.make<RegionExpr>(*value);
    leveled->level = level;
    value = leveled;
  }
  return c.program.make<RegionAssignStmt>(target, value, preserves, range);
}

bool assignValue(Checking &c, const ast::AssignStmt &s, Type::Kind kind,
                 StmtList &to) {
  const Expr *place = checkTarget(c, *s.target);
  if (!place)
    return false;
  if (s.op) {
    c.diags
        .report(s.opRange, Diag::OperandType, (ast::text(*s.op) + "=").str(),
                text(place->type))
        .highlight(place->range);
    return false;
  }
  if (kind == Type::Direction) {
    if (s.form != ast::AssignStmt::Plain) {
      c.diags
          .report(s.opRange, Diag::RegionAssignment,
                  c.diags.sources().text(s.opRange))
          .highlight(place->range);
      return false;
    }
    place = withFirstSubscripts(c, place);
    const Expr *value = typedValue(c, *s.value, place->type);
    if (isError(value))
      return false;
    to.push_back(c.program.make<AssignStmt>(place, value, s.range));
    return true;
  }
  place = onceOnly(c, withFirstSubscripts(c, place), to);
  const RegionExpr *value = assignedRegion(c, *s.value, place);
  if (!value || !fitsRegion(c, *value, place->type))
    return false;
  takesPattern(c, place->type, *value);
  to.push_back(regionAssignment(c, place, value,
                                s.form != ast::AssignStmt::Discard, s.range));
  return true;
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

/// Declares the constants of \p d, of the type \p type of regions, as regions:
/// the kinds of their dimensions are those of the initializer.
static void regionConstants(Checking &c, const ast::VariableDecl &d,
                            Type type) {
  const RegionExpr *value = d.init ? checkRegion(c, *d.init, 0) : nullptr;
  bool isFine = value && fitsRegion(c, *value, type);
  for (const ast::DefinedName &name : d.names)
    isFine ? declareRegion(c, name, value) : declareDummy(c, name);
}

static void directionConstants(Checking &c, const ast::VariableDecl &d,
                               Type type) {
  std::optional<DirectionExprs> value;
  if (d.init)
    value = checkDirection(c, *d.init);
  bool isFine = value && fitsDirection(c, *value, type, d.init->range);
  for (const ast::DefinedName &name : d.names)
    if (isFine)
      declareDirection(c, name, *value, type);
    else
      declareDummy(c, name);
}

bool valueConstants(Checking &c, const ast::VariableDecl &d, Type type) {
  bool isValue = type == Type::Region || type == Type::Direction;
  if (d.flavor != ast::VariableDecl::Const || !isValue)
    return false;
  checkHasValue(c, d);
  if (type == Type::Region)
    regionConstants(c, d, type);
  else
    directionConstants(c, d, type);
  return true;
}

} // namespace zpl::sema
