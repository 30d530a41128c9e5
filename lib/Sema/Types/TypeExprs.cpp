//===- TypeExprs.cpp - Types as written -----------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     type class = (S, W = 3, A);                  -- Enum; S, W, A constants
//          point = record x, y: double; end;       -- Record
//          table = array [S..A, 0..n] of point;    -- Array; n a hidden
//          variable
//     procedure sum(v: array [] of double);        -- bounds: hidden parameters
//
// Enumerations and records are new types wherever they are written; indexed
// arrays are equal if their elements and bounds are (TypeTable.h). The values
// of an enumeration are constants of the scope in which it is written.
//
// Bounds are constants or made of constants and config variables: then a type
// means the same wherever it is used. Those of a procedure's locals may be any
// values: then they are computed when the declaration is reached, into hidden
// locals. Blank bounds come with the argument, or from `resize`.
//
// A record whose fields are two of a record of the same kind, and so on, has
// 2^n scalars after n declarations. It is refused where it first has too many,
// before anything goes through them.
//
//===----------------------------------------------------------------------===//

#include "Types/TypeExprs.h"
#include "Arrays/Families.h"
#include "Check/Checking.h"
#include "Check/Expressions.h"
#include "Distributions/DistributionValues.h"
#include "Names/Externs.h"
#include "Statements/Declarations.h"
#include "Tree/Walk.h"
#include "Types/Types.h"
#include "Types/ValueTypes.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SaveAndRestore.h"

#include <limits>

namespace zpl::sema {

static Type namedType(Checking &c, const ast::Name &name);
static void reportUnknownType(Checking &c, const ast::Name &name);
static Type checkSize(Checking &c, Type type, SourceRange range);
static Type arrayType(Checking &c, const ast::IndexedArrayType &type);

Type valueType(Checking &c, const ast::TypeExpr &type) {
  switch (type.kind) {
  case ast::TypeKind::Named:
    return namedType(c, llvm::cast<ast::NamedType>(type).name);
  case ast::TypeKind::Enum:
    return enumType(c, llvm::cast<ast::EnumType>(type), "");
  case ast::TypeKind::Record:
    return recordType(c, llvm::cast<ast::RecordType>(type), "");
  case ast::TypeKind::IndexedArray:
    return arrayType(c, llvm::cast<ast::IndexedArrayType>(type));
  case ast::TypeKind::Region:
    return regionType(c, llvm::cast<ast::RegionType>(type));
  case ast::TypeKind::Direction:
    return directionType(c, llvm::cast<ast::DirectionType>(type));
  case ast::TypeKind::Grid:
  case ast::TypeKind::Distribution:
    return distributionParameter(c, type);
  case ast::TypeKind::Parallel:
    notSupported(c, type.range, "a parallel array inside of another type");
    return Type::Error;
  case ast::TypeKind::Procedure: // of parameters alone, which are no values
    return Type::Error;
  }
  llvm_unreachable("type");
}

const ast::ParallelType *parallelType(Checking &c, const ast::TypeExpr &type) {
  if (auto *parallel = llvm::dyn_cast<ast::ParallelType>(&type))
    return parallel;
  auto *named = llvm::dyn_cast<ast::NamedType>(&type);
  Symbol *symbol = named ? c.names.find(named->name.text) : nullptr;
  auto *typeName = llvm::dyn_cast_or_null<TypeName>(symbol);
  return typeName ? typeName->parallel : nullptr;
}

static Type namedType(Checking &c, const ast::Name &name) {
  if (name.text.empty()) // a syntax error
    return Type::Error;
  Symbol *symbol = c.names.find(name.text);
  if (auto *type = llvm::dyn_cast_or_null<TypeName>(symbol)) {
    if (!type->parallel && !type->family)
      return type->type;
    notSupported(c, name.range, "a parallel array inside of another type");
    return Type::Error;
  }
  if (symbol) {
    auto *variable = llvm::dyn_cast<Variable>(symbol);
    if (!variable || variable->type != Type::Error)
      c.diags
          .report(name.range, Diag::WrongKind, name.text, describe(*symbol),
                  "a type")
          .note(symbol->range, Diag::DeclaredHere, name.text);
    return Type::Error;
  }
  if (name.text == "generic" && c.writtenType.generic)
    return *c.writtenType.generic;
  if (name.text == "generic" || name.text == "opaque") {
    c.diags
        .report(name.range, Diag::TypeNotHere, name.text,
                name.text == "generic" ? "a parameter" : "'extern type'")
        .done();
    return Type::Error;
  }
  if (std::optional<Type> known = typeNamed(name.text))
    return *known;
  reportUnknownType(c, name);
  return Type::Error;
}

static void reportUnknownType(Checking &c, const ast::Name &name) {
  if (name.text == c.writtenType.name) {
    c.diags.report(name.range, Diag::RecursiveType, name.text).done();
    return;
  }
  if (c.names.isAnnounced(name.text))
    return c.names.reportUnknown(name.text, name.range);
  std::string meant = llvm::StringSwitch<std::string>(name.text)
                          .CasesLower("int", "int32", "integer", "integer")
                          .CasesLower("long", "int64", "longint", "longint")
                          .CasesLower("unsigned", "uint", "uint32", "uinteger")
                          .CasesLower("short", "int16", "shortint")
                          .CasesLower("byte", "uint8", "ubyte")
                          .CasesLower("bool", "boolean", "boolean")
                          .CasesLower("real", "double", "double")
                          .CasesLower("float", "single", "float")
                          .CasesLower("character", "char", "char")
                          .CasesLower("str", "string", "string")
                          .Default(c.names.similarName(name.text, true));
  if (meant.empty()) {
    c.diags.report(name.range, Diag::UnknownType, name.text, "").done();
    return;
  }
  c.diags
      .report(name.range, Diag::UnknownType, name.text,
              llvm::formatv("; did you mean '{0}'?", meant).str())
      .fixIt(name.range, meant);
}

//===----------------------------------------------------------------------===//
// Enumerations
//===----------------------------------------------------------------------===//

/// The number that \p value gives an enumerator; none after a report.
static std::optional<int64_t> enumValue(Checking &c,
                                        const ast::EnumType::Value &value) {
  const Expr *given = checkScalar(c, *value.value, "value of an enumeration");
  if (isError(given))
    return std::nullopt;
  auto *literal = llvm::dyn_cast<LiteralExpr>(given);
  if (!literal || !isIntegral(literal->type)) {
    c.diags.report(given->range, Diag::EnumValue, value.name.text).done();
    return std::nullopt;
  }
  return literal->integer;
}

Type enumType(Checking &c, const ast::EnumType &type, llvm::StringRef name) {
  auto *info = c.program.make<TypeInfo>();
  info->kind = Type::Enum;
  info->name = name.str();
  info->range = type.range;
  int64_t next = 0;
  std::vector<Variable *> values;
  for (const ast::EnumType::Value &value : type.values) {
    if (value.value)
      next = enumValue(c, value).value_or(next);
    if (next < std::numeric_limits<int32_t>::min() ||
        next > std::numeric_limits<int32_t>::max()) {
      c.diags.report(value.name.range, Diag::EnumRange, value.name.text, next)
          .done();
      next = 0;
    }
    info->enumerators.push_back(
        {value.name.text.str(), next, value.name.range});
    auto *constant =
        c.program.make<Variable>(value.name.text, value.name.range);
    constant->type = Type(info);
    constant->isConst = true;
    constant->init = c.build.integer(next, Type(info), value.name.range);
    c.names.declare(constant);
    ++next;
  }
  c.program.types.push_back(info);
  return info;
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

/// Reports what a part of an aggregate, \p what, cannot be.
static Type partType(Checking &c, const ast::TypeExpr &type,
                     llvm::StringRef what) {
  bool isField = what == "field";
  llvm::SaveAndRestore atEntry(c.writtenType.atEntry,
                               c.writtenType.atEntry && !isField);
  bool dealsOut = llvm::isa<ast::GridType, ast::DistributionType>(type);
  Type part = dealsOut ? distributionPart(c, type) : valueType(c, type);
  if (isField && reportEntryBounds(c, part, type.range, "a field"))
    return Type::Error;
  if (part != Type::Timer)
    return part;
  c.diags.report(type.range, Diag::PartType, what, text(part)).done();
  return Type::Error;
}

bool reportEntryBounds(Checking &c, Type type, SourceRange range,
                       llvm::StringRef what) {
  if (!hasVaryingBounds(type))
    return false;
  c.diags.report(range, Diag::EntryBounds, what, text(type)).done();
  return true;
}

Type indexedElementType(Checking &c, const ast::IndexedArrayType &type) {
  return partType(c, *type.element, "element");
}

/// No record may have as many scalars: all phases look at each.
static constexpr unsigned mostParts = 100'000;

/// The scalars that a value of the type has, those of an array's elements once;
/// or \p most. Types that double at each nesting do not take longer.
static unsigned countParts(Type type, unsigned most) {
  while (type == Type::Array)
    type = type.info()->element;
  if (type != Type::Record && type != Type::Union)
    return 1;
  unsigned count = 0;
  for (const TypeField &field : type.info()->fields) {
    if (count >= most)
      break;
    count += countParts(field.type, most - count);
  }
  return std::min(count, most);
}

Type recordType(Checking &c, const ast::RecordType &type,
                llvm::StringRef name) {
  auto *info = c.program.make<TypeInfo>();
  info->kind = type.isUnion ? Type::Union : Type::Record;
  info->name = name.str();
  info->range = type.range;
  llvm::StringMap<SourceRange> known;
  const ast::TypeExpr *last = nullptr;
  Type part = Type::Error;
  bool isWrong = false;
  for (const ast::RecordType::Field &field : type.fields) {
    // Names declared together share one type, which may declare enumerators.
    if (field.type != last)
      part = partType(c, *field.type, "field");
    last = field.type;
    isWrong |= part == Type::Error;
    auto [place, isNew] = known.try_emplace(field.name.text, field.name.range);
    if (!isNew) {
      c.diags.report(field.name.range, Diag::DuplicateField, field.name.text)
          .note(place->second, Diag::DeclaredHere, field.name.text);
      continue;
    }
    info->fields.push_back({field.name.text.str(), part, field.name.range});
  }
  if (type.fields.empty()) {
    c.diags
        .report(type.range, Diag::EmptyRecord,
                type.isUnion ? "union" : "record")
        .done();
    return Type::Error;
  }
  if (isWrong)
    return Type::Error;
  c.program.types.push_back(info);
  if (countParts(info, mostParts) < mostParts)
    return checkSize(c, info, type.range);
  std::string which = llvm::formatv("{0}, with {1} scalars or more,",
                                    text(Type(info)), mostParts);
  c.diags.report(type.range, Diag::TypeTooLarge, which).done();
  return Type::Error;
}

/// \p type unless its values do not fit into memory.
static Type checkSize(Checking &c, Type type, SourceRange range) {
  constexpr uint64_t Most = uint64_t(1) << 47;
  if (TypeTable::sizeOf(type) < Most)
    return type;
  c.diags.report(range, Diag::TypeTooLarge, text(type)).done();
  return Type::Error;
}

//===----------------------------------------------------------------------===//
// Indexed arrays
//===----------------------------------------------------------------------===//

/// What in \p value may change or belongs to one call, so that it is no bound.
static const Symbol *notFixed(const Expr &value, SourceRange &range) {
  const Symbol *found = nullptr;
  forEachExpr(value, [&](const Expr &e) {
    const Symbol *used = nullptr;
    if (auto *variable = llvm::dyn_cast<VariableExpr>(&e)) {
      const Variable &v = *variable->variable;
      if (!v.isConst || v.isFree || v.storage != Storage::Global)
        used = &v;
    } else if (auto *array = llvm::dyn_cast<ArrayExpr>(&e)) {
      used = array->array;
    } else if (auto *component = llvm::dyn_cast<ComponentExpr>(&e)) {
      used = component->direction;
    } else if (auto *timer = llvm::dyn_cast<TimerExpr>(&e)) {
      used = timer->timer;
    }
    if (!used || found)
      return;
    found = used;
    range = e.range;
  });
  return found;
}

/// Whether \p value stays what it is during the call it belongs to.
static bool isFixedInCall(const Expr &value) {
  bool isFixed = true;
  forEachExpr(value, [&](const Expr &e) {
    auto *variable = llvm::dyn_cast<VariableExpr>(&e);
    if (!variable)
      return;
    const Variable &v = *variable->variable;
    isFixed &=
        v.isConst || (v.storage == Storage::Param && v.mode == Mode::Const);
  });
  return isFixed;
}

static TypeBound typeBoundOf(Checking &c, const Expr *value) {
  SourceRange range;
  if (!notFixed(*value, range))
    return c.types.bound(value);
  return c.types.entryBound(value, *c.current, isFixedInCall(*value));
}

/// One bound; of type Error after a report. Longint or of an enumeration.
static const Expr *boundValue(Checking &c, const ast::Expr &e) {
  const Expr *value = checkScalar(c, e, "bound of an indexed array");
  if (isError(value))
    return value;
  if (value->type == Type::Enum && !isDistributionValue(value->type) &&
      llvm::isa<LiteralExpr>(value))
    return value;
  if (!isIntegral(value->type)) {
    c.diags
        .report(e.range, Diag::IndexType, "bound of an indexed array",
                text(value->type))
        .done();
    return c.build.error(e.range);
  }
  SourceRange range;
  const Symbol *symbol = notFixed(*value, range);
  if (symbol && !c.writtenType.atEntry) {
    c.diags.report(range, Diag::BoundNotFixed, symbol->name)
        .note(symbol->range, Diag::DeclaredHere, symbol->name);
    return c.build.error(e.range);
  }
  return c.build.cast(value, Type::Longint);
}

/// The bounds of a blank dimension: parameters that hold the argument's.
static DimType blankBounds(Checking &c, SourceRange range) {
  auto make = [&](llvm::StringRef which) {
    auto *variable = c.program.make<Variable>(
        llvm::formatv("{0}.{1}", which, c.hiddenParams->size() / 2 + 1).str(),
        range);
    variable->type = Type::Longint;
    variable->storage = Storage::Param;
    variable->isHidden = true;
    c.hiddenParams->push_back(variable);
    return TypeBound{0, variable};
  };
  TypeBound lo = make("lo");
  return {lo, make("hi"), Type::Integer};
}

std::optional<DimType> dimType(Checking &c,
                               const ast::IndexedArrayType::Bound &bound,
                               SourceRange whole, std::string &text) {
  if (!bound.hi) {
    if (c.hiddenParams)
      return blankBounds(c, whole);
    c.diags
        .report(bound.range.isValid() ? bound.range : whole, Diag::BlankBounds)
        .done();
    return std::nullopt;
  }
  const Expr *lo = bound.lo ? boundValue(c, *bound.lo)
                            : c.build.integer(1, Type::Longint, bound.range);
  const Expr *hi = boundValue(c, *bound.hi);
  if (isError(lo) || isError(hi))
    return std::nullopt;
  if (lo->type != hi->type) {
    if (bound.lo)
      c.diags
          .report(bound.range, Diag::BoundTypes, sema::text(lo->type),
                  sema::text(hi->type))
          .done();
    else
      c.diags
          .report(bound.range, Diag::IndexType, "extent of an indexed array",
                  sema::text(hi->type))
          .done();
    return std::nullopt;
  }
  text += bound.lo ? c.diags.sources().text(bound.lo->range).str() : "1";
  text += "..";
  text += c.diags.sources().text(bound.hi->range);
  Type index = lo->type == Type::Enum ? lo->type : Type(Type::Integer);
  return DimType{typeBoundOf(c, lo), typeBoundOf(c, hi), index};
}

static Type arrayType(Checking &c, const ast::IndexedArrayType &type) {
  llvm::SmallVector<DimType, 2> dims;
  std::string text;
  bool isWrong = false;
  for (const ast::IndexedArrayType::Bound &bound : type.bounds) {
    if (!dims.empty())
      text += ", ";
    std::optional<DimType> dim = dimType(c, bound, type.range, text);
    isWrong |= !dim;
    dims.push_back(dim.value_or(DimType()));
  }
  Type element = partType(c, *type.element, "element");
  if (isWrong || element == Type::Error)
    return Type::Error;
  return checkSize(c, c.types.array(element, dims, text), type.range);
}

void checkTypeDecl(Checking &c, const ast::TypeDecl &d) {
  if (d.isExtern)
    return externType(c, d);
  TypeName *symbol =
      c.program.make<TypeName>(d.name.text, Type::Error, d.name.range);
  llvm::StringRef outer = std::exchange(c.writtenType.name, d.name.text);
  llvm::SaveAndRestore atEntry(c.writtenType.atEntry, c.current != nullptr);
  if (auto *parallel = parallelType(c, *d.type))
    symbol->parallel = parallel;
  else if (familySyntax(c, *d.type).member)
    symbol->family = d.type;
  else if (auto *values = llvm::dyn_cast<ast::EnumType>(d.type))
    symbol->type = enumType(c, *values, d.name.text);
  else if (auto *record = llvm::dyn_cast<ast::RecordType>(d.type))
    symbol->type = recordType(c, *record, d.name.text);
  else
    symbol->type = valueType(c, *d.type);
  c.writtenType.name = outer;
  c.names.declare(symbol);
  c.declarations.push_back(symbol);
}

} // namespace zpl::sema
