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

#include "Arrays/Blanks.h"
#include "Check/FirstValues.h"
#include "Tree/Walk.h"
#include "Types/Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

namespace zpl::sema {

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Element \p at of the storage of \p place.
const Expr *Checker::storedNumber(const Expr *place,
                                  llvm::ArrayRef<int64_t> at) {
  llvm::SmallVector<const Expr *, 2> subscripts;
  for (int64_t index : at)
    subscripts.push_back(build.integer(index, Type::Longint, place->range));
  auto *element = program.make<SubscriptExpr>(place, subscripts, Type::Longint,
                                              place->range);
  element->text = diags.sources().text(place->range).str();
  element->isFree = place->isFree;
  return element;
}

/// What the run says if a variable has no value: "R has no value here; it is
/// declared at x.z:3:5".
std::string Checker::unsetText(const Expr &place) const {
  std::string text = diags.sources().text(place.range).str();
  const Expr *root = rootOf(&place);
  auto *variable = llvm::dyn_cast<VariableExpr>(root);
  if (!variable || variable->variable->isHidden)
    return "the region " + text + " has no value here";
  SourceRange range = variable->variable->range;
  LineColumn at = diags.sources().lineColumn(range);
  return llvm::formatv("the region {0} has no value here; '{1}' is declared at "
                       "{2}:{3}:{4}",
                       text, variable->variable->name,
                       diags.sources().name(range.file), at.line, at.column)
      .str();
}

/// The value of \p place, which is of type region.
const RegionExpr *Checker::regionOf(const Expr *place) {
  if (auto *value = llvm::dyn_cast<RegionValueExpr>(place))
    return value->region;
  place = repeatablePlace(*this, place);
  auto *node = program.make<RegionExpr>();
  node->kind = RegionExpr::Dims;
  node->range = place->range;
  node->text = diags.sources().text(place->range).str();
  node->unset = unsetText(*place);
  node->place = place;
  const Shape &shape = place->type.info()->shape;
  node->rank = shape.size();
  for (int64_t d = 0; d != static_cast<int64_t>(shape.size()); ++d) {
    RegionDim dim;
    switch (shape[d]) {
    case DimKind::Flood:
      dim.kind = RegionDim::Flood;
      break;
    case DimKind::Grid:
      dim.kind = RegionDim::Grid;
      break;
    case DimKind::Singleton:
      dim.kind = RegionDim::Single;
      dim.lo = storedNumber(place, {d, 0});
      break;
    case DimKind::Range:
    case DimKind::Strided:
      dim.kind = RegionDim::Seq;
      dim.lo = storedNumber(place, {d, 0});
      dim.hi = storedNumber(place, {d, 1});
      dim.stride = storedNumber(place, {d, 2});
      dim.align = storedNumber(place, {d, 3});
      break;
    }
    node->dims.push_back(dim);
  }
  node->level = storedNumber(place, {static_cast<int64_t>(shape.size()), 0});
  return node;
}

/// The components of \p place, which is of type direction: constants where the
/// type says their values.
DirectionExprs Checker::directionOf(const Expr *place) {
  if (auto *value = llvm::dyn_cast<DirectionValueExpr>(place))
    return value->components;
  place = repeatablePlace(*this, place);
  DirectionExprs components;
  for (const auto &[c, known] : llvm::enumerate(place->type.info()->components))
    components.push_back(
        known.kind == TypeComponent::Value
            ? build.integer(known.value, Type::Longint, place->range)
            : storedNumber(place, static_cast<int64_t>(c)));
  return components;
}

/// The place or call \p e, of type \p kind; null after a report.
const Expr *Checker::valuePlace(const ast::Expr &e, Type::Kind kind) {
  const Expr *made =
      llvm::isa<ast::Call>(e) ? call(llvm::cast<ast::Call>(e)) : place(e);
  if (isError(made))
    return nullptr;
  if (made->isArray()) { // an array-valued subscript
    reportArray(made, kind == Type::Region ? "region" : "direction");
    return nullptr;
  }
  return reportFree(made) ? nullptr : made;
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

/// The kinds that are known here: what a caller's region gives counts as a
/// range, and is looked at where the caller is known (Legality.cpp).
Shape Checker::knownShape(const RegionExpr &region) const {
  Covers covers;
  for (unsigned rank = 1; rank <= MaxRank; ++rank)
    covers[rank] = Shape(rank, DimKind::Strided);
  return shapeOf(region, covers);
}

/// Whether a place of type \p type can hold \p region; reports otherwise.
bool Checker::fitsRegion(const RegionExpr &region, Type type) {
  auto refuse = [&](DiagnosticBuilder &&report) {
    if (region.kind == RegionExpr::Ref)
      report.note(region.region->range, Diag::DeclaredHere,
                  region.region->name);
    report.done();
    return false;
  };
  if (region.rank != rankOf(type))
    return refuse(diags.report(region.range, Diag::RegionValueRank, region.rank,
                               text(type), rankOf(type)));
  Shape shape = knownShape(region);
  for (const auto &[d, kind] : llvm::enumerate(shape)) {
    DimKind wanted = type.info()->shape[d];
    if (holds(wanted, kind))
      continue;
    return refuse(diags.report(region.range, Diag::RegionValueKind, d + 1,
                               nameOf(kind), text(type), nameOf(wanted),
                               componentText(kind)));
  }
  return true;
}

const Expr *Checker::regionValue(const RegionExpr *region, Type type) {
  if (!region)
    return nullptr;
  if (!fitsRegion(*region, type))
    return nullptr;
  return program.make<RegionValueExpr>(region, type, region->range);
}

/// Whether \p components are what \p type says, as far as they are constants;
/// reports otherwise, and where \p named, which has them, is declared.
bool Checker::fitsDirection(const DirectionExprs &components, Type type,
                            SourceRange range, const Symbol *named) {
  auto refuse = [&](DiagnosticBuilder &&report) {
    if (named)
      report.note(named->range, Diag::DeclaredHere, named->name);
    report.done();
    return false;
  };
  const auto &wanted = type.info()->components;
  if (components.size() != wanted.size())
    return refuse(diags.report(range, Diag::DirectionValueRank,
                               components.size(), text(type), wanted.size()));
  for (unsigned c = 0; c != wanted.size(); ++c) {
    auto *literal = llvm::dyn_cast<LiteralExpr>(components[c]);
    if (!literal || isKept(wanted[c], literal->integer))
      continue;
    return refuse(diags.report(range, Diag::DirectionValue, c + 1,
                               literal->integer, text(type),
                               nameOf(wanted[c])));
  }
  return true;
}

const Expr *Checker::directionValue(const DirectionExprs &components, Type type,
                                    SourceRange range, const Symbol *named) {
  if (!fitsDirection(components, type, range, named))
    return nullptr;
  return program.make<DirectionValueExpr>(components, type, range);
}

/// \p value, which is of a type of regions or directions, as one of type
/// \p type.
const Expr *Checker::convertedValue(const Expr *value, Type type) {
  if (value->type == type &&
      !llvm::isa<RegionValueExpr, DirectionValueExpr>(value))
    return value;
  const Expr *made = type == Type::Region ? regionValue(regionOf(value), type)
                                          : directionValue(directionOf(value),
                                                           type, value->range);
  return made ? made : build.error(value->range);
}

/// The region or direction \p e as a value of type \p type; of type Error after
/// a report.
const Expr *Checker::typedValue(const ast::Expr &e, Type type) {
  if (type == Type::Region) {
    const RegionExpr *made = region(e, rankOf(type));
    const Expr *value = regionValue(made, type);
    return value ? value : build.error(e.range);
  }
  std::optional<DirectionExprs> components = direction(e);
  auto *name = llvm::dyn_cast<ast::NameRef>(&e);
  const Expr *value =
      components ? directionValue(*components, type, e.range,
                                  name ? names.find(name->name) : nullptr)
                 : nullptr;
  return value ? value : build.error(e.range);
}

/// The same, of the type that it has by itself: a place stays one.
const Expr *Checker::ownValue(const ast::Expr &e, Type::Kind kind) {
  if (designatedType(e) == kind) {
    const Expr *made = valuePlace(e, kind);
    return made ? made : build.error(e.range);
  }
  if (kind == Type::Region) {
    // A quote has no rank of its own.
    const RegionExpr *made = region(e, 0);
    if (!made)
      return build.error(e.range);
    Shape shape = knownShape(*made);
    for (DimKind &dim : shape)
      if (dim == DimKind::Range)
        dim = DimKind::Strided;
    return regionValue(made, types.region(shape));
  }
  std::optional<DirectionExprs> components = direction(e);
  if (!components)
    return build.error(e.range);
  llvm::SmallVector<TypeComponent, 6> parts(components->size());
  return directionValue(*components, types.direction(parts), e.range);
}

/// An argument of a call of one of \p overloads: a value, a region or a
/// direction.
const Expr *Checker::argumentValue(const ast::Expr &e,
                                   llvm::ArrayRef<Symbol *> overloads,
                                   size_t number) {
  Type::Kind kind = kindOf(e);
  auto *name = llvm::dyn_cast<ast::NameRef>(&e);
  auto *array =
      name ? llvm::dyn_cast_or_null<Array>(names.find(name->name)) : nullptr;
  if (array && array->family != Type::Error)
    return wholeFamily(*array, *name);
  if (kind == Type::Error)
    return expr(e);
  // `f([1, 2])` is what the procedures of that name take.
  bool isWanted =
      mayBeDirection(e) && llvm::any_of(overloads, [&](const Symbol *symbol) {
        auto *procedure = llvm::dyn_cast<Procedure>(symbol);
        if (!procedure || number >= procedure->params.size())
          return false;
        auto *formal = llvm::dyn_cast<Variable>(procedure->params[number]);
        return formal && formal->type == Type::Direction;
      });
  return ownValue(e, isWanted ? Type::Kind(Type::Direction) : kind);
}

/// Reports a region or direction where a value should stand.
const Expr *Checker::plainValue(const Expr *value) {
  if (value->type != Type::Region && value->type != Type::Direction)
    return value;
  diags
      .report(value->range, Diag::NotAValue,
              value->type == Type::Region ? "a region" : "a direction")
      .done();
  return build.error(value->range);
}

//===----------------------------------------------------------------------===//
// Assignments
//===----------------------------------------------------------------------===//

/// The index that an element of an indexed array of regions is at: what
/// references without an index inherit from it (Multi.cpp). Null: none.
const Expr *Checker::levelOfPlace(const Expr *place) {
  auto *element = llvm::dyn_cast<SubscriptExpr>(place);
  if (!element || element->subscripts.size() != 1 ||
      element->subscripts[0]->type == Type::Enum)
    return nullptr;
  return build.cast(element->subscripts[0], Type::Longint);
}

/// `target := value` of two regions; \p target has been evaluated but for what
/// is light.
Stmt *Checker::regionAssignment(const Expr *target, const RegionExpr *value,
                                bool preserves, SourceRange range) {
  if (const Expr *level = levelOfPlace(target)) {
    auto *leveled = program.make<RegionExpr>(*value);
    leveled->level = level;
    value = leveled;
  }
  return program.make<RegionAssignStmt>(target, value, preserves, range);
}

/// Adds `R := e`, `R <=# e`, `R <== e` or `d := e` to \p to; false after a
/// report.
bool Checker::assignValue(const ast::AssignStmt &s, Type::Kind kind,
                          StmtList &to) {
  const Expr *place = target(*s.target);
  if (!place)
    return false;
  if (s.op) {
    diags
        .report(s.opRange, Diag::OperandType, (ast::text(*s.op) + "=").str(),
                text(place->type))
        .highlight(place->range);
    return false;
  }
  if (kind == Type::Direction) {
    if (s.form != ast::AssignStmt::Plain) {
      diags
          .report(s.opRange, Diag::RegionAssignment,
                  diags.sources().text(s.opRange))
          .highlight(place->range);
      return false;
    }
    place = withFirstSubscripts(*this, place);
    const Expr *value = typedValue(*s.value, place->type);
    if (isError(value))
      return false;
    to.push_back(program.make<AssignStmt>(place, value, s.range));
    return true;
  }
  place = onceOnly(withFirstSubscripts(*this, place), to);
  const RegionExpr *value = region(*s.value, rankOf(place->type));
  if (!value || !fitsRegion(*value, place->type))
    return false;
  to.push_back(regionAssignment(place, value,
                                s.form != ast::AssignStmt::Discard, s.range));
  return true;
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

/// Declares the constants of \p d, of the type \p type of regions, as regions:
/// the kinds of their dimensions are those of the initializer.
void Checker::regionConstants(const ast::VariableDecl &d, Type type) {
  const RegionExpr *value = d.init ? region(*d.init, 0) : nullptr;
  bool isFine = value && fitsRegion(*value, type);
  for (const ast::DefinedName &name : d.names)
    isFine ? declareRegion(name, value) : declareDummy(name);
}

void Checker::directionConstants(const ast::VariableDecl &d, Type type) {
  std::optional<DirectionExprs> value;
  if (d.init)
    value = direction(*d.init);
  bool isFine = value && fitsDirection(*value, type, d.init->range);
  for (const ast::DefinedName &name : d.names)
    if (isFine)
      declareDirection(name, *value, type);
    else
      declareDummy(name);
}

/// A region or direction that was declared as one. False: \p d is something
/// else.
bool Checker::valueConstants(const ast::VariableDecl &d, Type type) {
  bool isValue = type == Type::Region || type == Type::Direction;
  if (d.flavor != ast::VariableDecl::Const || !isValue)
    return false;
  checkHasValue(d);
  if (type == Type::Region)
    regionConstants(d, type);
  else
    directionConstants(d, type);
  return true;
}

} // namespace zpl::sema
