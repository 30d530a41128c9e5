//===- Families.cpp - Indexed arrays of parallel arrays -------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     var U: array [0..k] of [Level[index1]] double = Index1 * index1;
//         W{}: [Level{}] double;
//     procedure solve(inout V: array [] of [ , ] double);
//
//     U[l]         an ArrayExpr with the subscript l: one parallel array
//     U[]          each in turn (Blanks.cpp)
//     W{}          the one of the level of the covering region
//     solve(U)     the family as a whole, which is an argument only
//
// One Array stands for the family. Its declared region and its initializer are
// those of any member: `index1` in them is a hidden variable, which has the
// member's index when they are evaluated. The type `family` is that of the
// indexed array with the elements of the parallel arrays as elements; while a
// designator is read, an ArrayExpr without all its subscripts has what is left
// of that type.
//
// Cost: linear in the declaration.
//
//===----------------------------------------------------------------------===//

#include "Arrays/Families.h"
#include "Arrays/Blanks.h"
#include "Arrays/Multi.h"
#include "Arrays/Regions.h"
#include "Check/Calls.h"
#include "Check/Designators.h"
#include "Check/FirstValues.h"
#include "Check/Operators.h"
#include "Program/Free.h"
#include "Program/Statics.h"
#include "Statements/Assign.h"
#include "Statements/Declarations.h"
#include "Statements/Initializers.h"
#include "Statements/Procedures.h"
#include "Types/TypeExprs.h"
#include "Types/Types.h"
#include "llvm/Support/SaveAndRestore.h"

namespace zpl::sema {

struct FamilyLevel {
  llvm::SmallVector<DimType, 2> dims;
  std::string text; ///< of the bounds, as written
};

using FamilyBounds = std::vector<FamilyLevel>;

const ArrayExpr *unfinishedMember(const Expr *e) {
  auto *array = llvm::dyn_cast<ArrayExpr>(e);
  bool isUnfinished = array && array->array->family != Type::Error &&
                      array->subscripts.size() < array->array->member.size();
  return isUnfinished ? array : nullptr;
}

bool isWholeFamily(const Expr *e) {
  const ArrayExpr *array = unfinishedMember(e);
  return array && array->subscripts.empty();
}

//===----------------------------------------------------------------------===//
// References
//===----------------------------------------------------------------------===//

static bool checkMember(Checking &c, const ArrayExpr &family, const Expr *value,
                        unsigned dim);
static bool familyMembers(Checking &c, const ast::VariableDecl &d,
                          const FamilySyntax &syntax,
                          const FamilyBounds &bounds, bool isMulti,
                          Array &array);
static bool familyInitializer(Checking &c, const ast::Expr &e, Array &array);
static const Expr *memberPlace(Checking &c, Array &array, SourceRange range);
static bool memberList(Checking &c, const ast::InitList &list, Array &array,
                       Type level, unsigned dim, unsigned number,
                       const Expr *condition);

const Expr *wholeFamily(Checking &c, Array &symbol, const ast::NameRef &e) {
  auto *node = c.program.make<ArrayExpr>(&symbol, e.range);
  node->text = e.name.str();
  node->type = symbol.family;
  return node;
}

bool checkFinished(Checking &c, const Expr *value) {
  const ArrayExpr *array = unfinishedMember(value);
  if (!array)
    return true;
  c.diags
      .report(value->range, Diag::FamilySubscripts, array->array->name,
              array->array->member.size(), array->subscripts.size())
      .note(array->array->range, Diag::DeclaredHere, array->array->name);
  return false;
}

const Expr *memberOf(Checking &c, const ArrayExpr &family,
                     llvm::ArrayRef<const Expr *> subscripts,
                     SourceRange range) {
  auto *node = c.program.make<ArrayExpr>(family);
  node->range = range;
  node->text = c.diags.sources().text(range).str();
  node->subscripts.append(subscripts.begin(), subscripts.end());
  node->type = family.type.info()->element;
  return node;
}

const Expr *memberAt(Checking &c, const ArrayExpr &family,
                     llvm::ArrayRef<const ast::Expr *> indices,
                     SourceRange range) {
  const TypeInfo &info = *family.type.info();
  llvm::StringRef written = c.diags.sources().text(family.range);
  llvm::SmallVector<const Expr *, 2> subscripts;
  bool isWrong = false;
  for (const auto &[dim, index] : llvm::enumerate(indices)) {
    const Expr *value = subscriptValue(c, *index, info.index[dim], written);
    subscripts.push_back(value);
    isWrong |= isError(value) || reportFree(c, value);
    if (!isError(value) && value->isArray()) {
      reportArray(c, value, "subscript of an indexed array of parallel arrays");
      isWrong = true;
    }
    isWrong = isWrong || !checkMember(c, family, value, dim);
  }
  if (isWrong)
    return c.build.error(range);
  for (const Expr *&value : subscripts)
    value = evaluatedFirst(c, value);
  return memberOf(c, family, subscripts, range);
}

/// Reports a constant subscript that selects no array.
static bool checkMember(Checking &c, const ArrayExpr &family, const Expr *value,
                        unsigned dim) {
  auto *literal = llvm::dyn_cast<LiteralExpr>(value);
  const TypeBound &lo = family.type.info()->lo[dim];
  const TypeBound &hi = family.type.info()->hi[dim];
  bool isOutside = literal && ((!lo.variable && literal->integer < lo.value) ||
                               (!hi.variable && literal->integer > hi.value));
  if (!isOutside)
    return true;
  c.diags
      .report(value->range, Diag::FamilyRange,
              c.diags.sources().text(value->range), family.array->name,
              family.type.info()->boundsText)
      .note(family.array->range, Diag::DeclaredHere, family.array->name);
  return false;
}

const Expr *multiMember(Checking &c, const ast::Multi &e,
                        const ArrayExpr &family) {
  const TypeInfo &info = *family.type.info();
  if (info.lo.size() != 1 || info.index[0] == Type::Enum) {
    c.diags
        .report(e.range, Diag::NotMulti, family.array->name, text(family.type))
        .note(family.array->range, Diag::DeclaredHere, family.array->name);
    return c.build.error(e.range);
  }
  const Expr *index = multiIndex(c, e, info.index[0], [&] {
    return c.multi.definedIndex ? c.multi.definedIndex
                                : levelOfCover(c, family.array->rank, e.range);
  });
  if (isError(index) || !checkMember(c, family, index, 0))
    return c.build.error(e.range);
  return memberOf(c, family, evaluatedFirst(c, index), e.range);
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// What \p type stands for, if it is the name of a family's type.
static const ast::TypeExpr &familyNamed(Checking &c,
                                        const ast::TypeExpr &type) {
  auto *named = llvm::dyn_cast<ast::NamedType>(&type);
  auto *name = llvm::dyn_cast_or_null<TypeName>(
      named ? c.names.find(named->name.text) : nullptr);
  return name && name->family ? *name->family : type;
}

FamilySyntax familySyntax(Checking &c, const ast::TypeExpr &type) {
  FamilySyntax family;
  const ast::TypeExpr *at = &familyNamed(c, type);
  while (auto *array = llvm::dyn_cast<ast::IndexedArrayType>(at)) {
    family.levels.push_back(array);
    at = array->element;
  }
  if (!family.levels.empty())
    family.member = parallelType(c, *at);
  return family;
}

/// The bounds of the levels of \p syntax; none after a report.
static std::optional<FamilyBounds> familyBounds(Checking &c,
                                                const FamilySyntax &syntax) {
  FamilyBounds bounds;
  bool isWrong = false;
  for (const ast::IndexedArrayType *level : syntax.levels) {
    auto &made = bounds.emplace_back();
    for (const ast::IndexedArrayType::Bound &bound : level->bounds) {
      if (!made.dims.empty())
        made.text += ", ";
      std::optional<DimType> dim = dimType(c, bound, level->range, made.text);
      isWrong |= !dim;
      made.dims.push_back(dim.value_or(DimType()));
    }
  }
  if (isWrong)
    return std::nullopt;
  return bounds;
}

/// Gives \p array the type of a family with these bounds over its elements.
static void makeFamily(Checking &c, Array &array, const FamilyBounds &bounds) {
  Type type = array.element;
  for (const FamilyLevel &level : llvm::reverse(bounds))
    type = c.types.array(type, level.dims, level.text);
  array.family = type;
}

void formalFamily(Checking &c, const FamilySyntax &syntax, Array &array) {
  std::optional<FamilyBounds> bounds = familyBounds(c, syntax);
  Type element = elementType(c, *syntax.member);
  array.element = bounds ? element : Type(Type::Error);
  if (array.element == Type::Error)
    return formalDims(c, *syntax.member, array);
  makeFamily(c, array, *bounds);
  for (const FamilyLevel &level : *bounds)
    for (size_t dim = 0; dim != level.dims.size(); ++dim) {
      auto *index = c.program.make<Variable>("index", array.range);
      index->type = Type::Longint;
      index->isHidden = true;
      array.member.push_back(index);
    }
  Blanks over;
  over.isPromotion = true;
  llvm::SaveAndRestore<Blanks *> outer(c.blanks, &over);
  leadWithMember(c, array);
  over.depth = over.given;
  formalDims(c, *syntax.member, array);
  if (checkPositions(c, over) && array.rank != 0)
    return;
  array.element = array.family = Type::Error;
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

void leadWithMember(Checking &c, const Array &array) {
  Type type = array.family;
  auto next = array.member.begin();
  while (next != array.member.end()) {
    Blanks::Level &level = c.blanks->levels.emplace_back();
    level.array = type.info();
    level.text = array.name;
    for (size_t dim = 0; dim != type.info()->lo.size(); ++dim)
      level.variables.push_back(*next++);
    type = type.info()->element;
  }
  c.blanks->given = c.blanks->levels.size();
}

void familyVariables(Checking &c, const ast::VariableDecl &d,
                     const FamilySyntax &syntax) {
  checkHasValue(c, d);
  if (d.flavor == ast::VariableDecl::Config)
    c.diags.report(d.type->range, Diag::ConfigArray).done();
  if (d.isFree)
    c.diags.report(d.type->range, Diag::FreeArray).done();
  Type element = elementType(c, *syntax.member);
  std::optional<FamilyBounds> bounds = familyBounds(c, syntax);
  for (const ast::DefinedName &name : d.names) {
    FamilyBounds own = bounds.value_or(FamilyBounds());
    bool isFine = bounds && element != Type::Error;
    if (name.multi) { // before the levels of the type
      std::string text;
      std::optional<DimType> dim =
          multiRange(c, name, *syntax.member->dims, text);
      isFine = isFine && dim;
      own.insert(own.begin(), {{dim.value_or(DimType())}, text});
    }
    auto *array = c.program.make<Array>(name.text, name.range);
    array->element = element;
    array->storage = storageOf(c, d);
    array->isConst = d.flavor != ast::VariableDecl::Var;
    if (isFine)
      makeFamily(c, *array, own);
    if (isFine && familyMembers(c, d, syntax, own, name.multi, *array))
      addSymbol(c, array);
    else
      declareDummy(c, name);
  }
}

/// Checks what \p array, a family, has per member: its region and its
/// initializer. False after a report.
static bool familyMembers(Checking &c, const ast::VariableDecl &d,
                          const FamilySyntax &syntax,
                          const FamilyBounds &bounds, bool isMulti,
                          Array &array) {
  Procedure *owner = c.current;
  if (array.storage == Storage::Static)
    c.current = nullptr;
  for (const FamilyLevel &level : bounds)
    for (size_t dim = 0; dim != level.dims.size(); ++dim)
      array.member.push_back(
          hiddenVariable(c, "member", Type::Longint, array.range));
  c.current = owner;
  Blanks over;
  over.isPromotion = true;
  llvm::SaveAndRestore<Blanks *> outer(c.blanks, &over);
  leadWithMember(c, array);
  over.depth = over.given;
  llvm::SaveAndRestore<const Expr *> index(
      c.multi.definedIndex,
      isMulti ? c.program.make<VariableExpr>(array.member[0], array.range)
              : c.multi.definedIndex);
  over.family = &array;
  const RegionExpr *declared = checkRegion(c, *syntax.member->dims, 0);
  over.family = nullptr;
  if (!checkPositions(c, over) || !declared ||
      (d.isStatic && !checkStatic(c, *declared)))
    return false;
  array.rank = declared->rank;
  setDeclared(array, *declared);
  if (!d.init)
    return true;
  over.positions.clear();
  c.scopeRanks.push_back(array.rank);
  bool isFine = familyInitializer(c, *d.init, array);
  c.scopeRanks.pop_back();
  over.depth = over.given;
  isFine &= checkPositions(c, over);
  if (isFine && d.isStatic)
    checkStatic(c, array.init, array.setup);
  return isFine;
}

void setDeclared(Array &array, const RegionExpr &declared) {
  array.declared = &declared;
  if (!declared.place)
    return;
  auto *variable = llvm::dyn_cast<VariableExpr>(rootOf(declared.place));
  if (variable && !variable->variable->isConst)
    array.over = declared.place;
}

/// What the members start with: one value of all, or a list with one of each.
static bool familyInitializer(Checking &c, const ast::Expr &e, Array &array) {
  if (auto *list = llvm::dyn_cast<ast::InitList>(&e))
    return memberList(c, *list, array, array.family, 0, 0, nullptr);
  auto made = checkInitializer(c, e, array.element, array.rank, false);
  if (!made)
    return false;
  if (made->value && c.blanks->firsts.empty()) {
    array.init = made->value;
    return true;
  }
  array.setup = std::exchange(c.blanks->firsts, {});
  if (made->value) {
    array.setup.push_back(
        assignment(c, memberPlace(c, array, e.range), made->value, e.range));
    return true;
  }
  setUpAlone(c, memberPlace(c, array, e.range), *made, array.storage,
             array.setup);
  return true;
}

/// The member at hand.
static const Expr *memberPlace(Checking &c, Array &array, SourceRange range) {
  auto *place = c.program.make<ArrayExpr>(&array, range);
  place->text = array.name;
  for (Variable *variable : array.member)
    place->subscripts.push_back(c.program.make<VariableExpr>(variable, range));
  return place;
}

/// Whether a list has as many items as a dimension of the family; reports it if
/// not.
static bool hasCount(Checking &c, const ast::InitList &list, const Array &array,
                     const TypeInfo &info, unsigned dim) {
  std::optional<int64_t> extent = extentOf(info, dim);
  int64_t count = list.items.size();
  if (!extent || *extent != count || info.lo[dim].variable) {
    if (extent)
      c.diags
          .report(list.range, Diag::ListCount, count, *extent,
                  "parallel arrays")
          .done();
    else
      c.diags.report(list.range, Diag::FamilyList, text(array.family)).done();
    return false;
  }
  return true;
}

/// The initializer of the members for which \p isHere holds; false after a
/// report.
static bool memberItem(Checking &c, const ast::Expr &item, Array &array,
                       const Expr *isHere) {
  auto made = checkInitializer(c, item, array.element, array.rank, false);
  if (!made)
    return false;
  auto *branch = c.program.make<IfStmt>(isHere, item.range);
  branch->thenBody = std::exchange(c.blanks->firsts, {});
  setUpAlone(c, memberPlace(c, array, item.range), *made, array.storage,
             branch->thenBody);
  array.setup.push_back(branch);
  return true;
}

/// The items of \p list for the dimension \p dim of \p level, which is the one
/// of member variable \p number; \p condition holds for the members that the
/// list is for (null: all).
static bool memberList(Checking &c, const ast::InitList &list, Array &array,
                       Type level, unsigned dim, unsigned number,
                       const Expr *condition) {
  const TypeInfo &info = *level.info();
  int64_t count = list.items.size();
  if (!hasCount(c, list, array, info, dim))
    return false;
  bool isLast = number + 1 == array.member.size();
  bool isEnd = dim + 1 == info.lo.size();
  for (int64_t i = 0; i != count; ++i) {
    const ast::Expr &item = *list.items[i];
    const Expr *isHere = c.build.compare(
        CompareOp::Eq,
        c.program.make<VariableExpr>(array.member[number], item.range),
        c.build.integer(info.lo[dim].value + i, Type::Longint, item.range),
        item.range);
    if (condition)
      isHere = c.build.binary(BinaryOp::And, condition, isHere, item.range);
    auto *rows = llvm::dyn_cast<ast::InitList>(&item);
    if (!isLast && !rows) {
      c.diags.report(item.range, Diag::ListRow).done();
      return false;
    }
    if (!isLast) {
      Type next = isEnd ? info.element : level;
      if (!memberList(c, *rows, array, next, isEnd ? 0 : dim + 1, number + 1,
                      isHere))
        return false;
      continue;
    }
    if (!memberItem(c, item, array, isHere))
      return false;
  }
  return true;
}

} // namespace zpl::sema
