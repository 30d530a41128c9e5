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

#include "Arrays/Blanks.h"
#include "Check/FirstValues.h"
#include "Types/Types.h"
#include "llvm/Support/SaveAndRestore.h"

namespace zpl::sema {

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

/// The family \p symbol as a whole.
const Expr *Checker::wholeFamily(Array &symbol, const ast::NameRef &e) {
  auto *node = program.make<ArrayExpr>(&symbol, e.range);
  node->text = e.name.str();
  node->type = symbol.family;
  return node;
}

/// Reports a family where one of its arrays should stand.
bool Checker::checkFinished(const Expr *value) {
  const ArrayExpr *array = unfinishedMember(value);
  if (!array)
    return true;
  diags
      .report(value->range, Diag::FamilySubscripts, array->array->name,
              array->array->member.size(), array->subscripts.size())
      .note(array->array->range, Diag::DeclaredHere, array->array->name);
  return false;
}

/// \p family with one level of subscripts more.
const Expr *Checker::memberOf(const ArrayExpr &family,
                              llvm::ArrayRef<const Expr *> subscripts,
                              SourceRange range) {
  auto *node = program.make<ArrayExpr>(family);
  node->range = range;
  node->text = diags.sources().text(range).str();
  node->subscripts.append(subscripts.begin(), subscripts.end());
  node->type = family.type.info()->element;
  return node;
}

/// The same of subscripts as written.
const Expr *Checker::memberAt(const ArrayExpr &family,
                              llvm::ArrayRef<const ast::Expr *> indices,
                              SourceRange range) {
  const TypeInfo &info = *family.type.info();
  llvm::StringRef written = diags.sources().text(family.range);
  llvm::SmallVector<const Expr *, 2> subscripts;
  bool isWrong = false;
  for (const auto &[dim, index] : llvm::enumerate(indices)) {
    const Expr *value = subscriptValue(*index, info.index[dim], written);
    subscripts.push_back(value);
    isWrong |= isError(value) || reportFree(value);
    if (!isError(value) && value->isArray()) {
      reportArray(value, "subscript of an indexed array of parallel arrays");
      isWrong = true;
    }
    isWrong = isWrong || !checkMember(family, value, dim);
  }
  if (isWrong)
    return build.error(range);
  for (const Expr *&value : subscripts)
    value = evaluatedFirst(*this, value);
  return memberOf(family, subscripts, range);
}

/// Reports a constant subscript that selects no array.
bool Checker::checkMember(const ArrayExpr &family, const Expr *value,
                          unsigned dim) {
  auto *literal = llvm::dyn_cast<LiteralExpr>(value);
  const TypeBound &lo = family.type.info()->lo[dim];
  const TypeBound &hi = family.type.info()->hi[dim];
  bool isOutside = literal && ((!lo.variable && literal->integer < lo.value) ||
                               (!hi.variable && literal->integer > hi.value));
  if (!isOutside)
    return true;
  diags
      .report(value->range, Diag::FamilyRange,
              diags.sources().text(value->range), family.array->name,
              family.type.info()->boundsText)
      .note(family.array->range, Diag::DeclaredHere, family.array->name);
  return false;
}

/// `U{i}`, `U{}`.
const Expr *Checker::multiMember(const ast::Multi &e, const ArrayExpr &family) {
  const TypeInfo &info = *family.type.info();
  if (info.lo.size() != 1 || info.index[0] == Type::Enum) {
    diags.report(e.range, Diag::NotMulti, family.array->name, text(family.type))
        .note(family.array->range, Diag::DeclaredHere, family.array->name);
    return build.error(e.range);
  }
  const Expr *index = multiIndex(e, info.index[0], [&] {
    return definedIndex ? definedIndex
                        : levelOfCover(family.array->rank, e.range);
  });
  if (isError(index) || !checkMember(family, index, 0))
    return build.error(e.range);
  return memberOf(family, evaluatedFirst(*this, index), e.range);
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// What \p type stands for, if it is the name of a family's type.
const ast::TypeExpr &Checker::familyNamed(const ast::TypeExpr &type) {
  auto *named = llvm::dyn_cast<ast::NamedType>(&type);
  auto *name = llvm::dyn_cast_or_null<TypeName>(
      named ? names.find(named->name.text) : nullptr);
  return name && name->family ? *name->family : type;
}

/// The levels of indexed arrays that \p type consists of, if parallel arrays
/// stand below them; else `member` is null.
Checker::FamilySyntax Checker::familySyntax(const ast::TypeExpr &type) {
  FamilySyntax family;
  const ast::TypeExpr *at = &familyNamed(type);
  while (auto *array = llvm::dyn_cast<ast::IndexedArrayType>(at)) {
    family.levels.push_back(array);
    at = array->element;
  }
  if (!family.levels.empty())
    family.member = parallelType(*at);
  return family;
}

/// The bounds of the levels of \p syntax; none after a report.
std::optional<Checker::FamilyBounds>
Checker::familyBounds(const FamilySyntax &syntax) {
  FamilyBounds bounds;
  bool isWrong = false;
  for (const ast::IndexedArrayType *level : syntax.levels) {
    auto &made = bounds.emplace_back();
    for (const ast::IndexedArrayType::Bound &bound : level->bounds) {
      if (!made.dims.empty())
        made.text += ", ";
      std::optional<DimType> dim = dimType(bound, level->range, made.text);
      isWrong |= !dim;
      made.dims.push_back(dim.value_or(DimType()));
    }
  }
  if (isWrong)
    return std::nullopt;
  return bounds;
}

/// Gives \p array the type of a family with these bounds over its elements.
void Checker::makeFamily(Array &array, const FamilyBounds &bounds) {
  Type type = array.element;
  for (const FamilyLevel &level : llvm::reverse(bounds))
    type = types.array(type, level.dims, level.text);
  array.family = type;
}

/// A formal `U: array [] of [ , ] T`, or `U: array [0..k] of [Level[index1]]
/// T`.
void Checker::formalFamily(const FamilySyntax &syntax, Array &array) {
  std::optional<FamilyBounds> bounds = familyBounds(syntax);
  Type element = elementType(*syntax.member);
  array.element = bounds ? element : Type(Type::Error);
  if (array.element == Type::Error)
    return formalDims(*syntax.member, array);
  makeFamily(array, *bounds);
  for (const FamilyLevel &level : *bounds)
    for (size_t dim = 0; dim != level.dims.size(); ++dim) {
      auto *index = program.make<Variable>("index", array.range);
      index->type = Type::Longint;
      index->isHidden = true;
      array.member.push_back(index);
    }
  Blanks over;
  over.isPromotion = true;
  llvm::SaveAndRestore<Blanks *> outer(blanks, &over);
  leadWithMember(array);
  over.depth = over.given;
  formalDims(*syntax.member, array);
  if (checkPositions(over) && array.rank != 0)
    return;
  array.element = array.family = Type::Error;
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

/// Makes the levels of \p array lead, each position being the member's.
void Checker::leadWithMember(const Array &array) {
  Type type = array.family;
  auto next = array.member.begin();
  while (next != array.member.end()) {
    Blanks::Level &level = blanks->levels.emplace_back();
    level.array = type.info();
    level.text = array.name;
    for (size_t dim = 0; dim != type.info()->lo.size(); ++dim)
      level.variables.push_back(*next++);
    type = type.info()->element;
  }
  blanks->given = blanks->levels.size();
}

void Checker::familyVariables(const ast::VariableDecl &d,
                              const FamilySyntax &syntax) {
  checkHasValue(d);
  if (d.flavor == ast::VariableDecl::Config)
    diags.report(d.type->range, Diag::ConfigArray).done();
  if (d.isFree)
    diags.report(d.type->range, Diag::FreeArray).done();
  Type element = elementType(*syntax.member);
  std::optional<FamilyBounds> bounds = familyBounds(syntax);
  for (const ast::DefinedName &name : d.names) {
    FamilyBounds own = bounds.value_or(FamilyBounds());
    bool isFine = bounds && element != Type::Error;
    if (name.multi) { // before the levels of the type
      std::string text;
      std::optional<DimType> dim = multiRange(name, *syntax.member->dims, text);
      isFine = isFine && dim;
      own.insert(own.begin(), {{dim.value_or(DimType())}, text});
    }
    auto *array = program.make<Array>(name.text, name.range);
    array->element = element;
    array->storage = storageOf(d);
    array->isConst = d.flavor != ast::VariableDecl::Var;
    if (isFine)
      makeFamily(*array, own);
    if (isFine && familyMembers(d, syntax, own, name.multi, *array))
      add(array);
    else
      declareDummy(name);
  }
}

/// Checks what \p array, a family, has per member: its region and its
/// initializer. False after a report.
bool Checker::familyMembers(const ast::VariableDecl &d,
                            const FamilySyntax &syntax,
                            const FamilyBounds &bounds, bool isMulti,
                            Array &array) {
  Procedure *owner = current;
  if (array.storage == Storage::Static)
    current = nullptr;
  for (const FamilyLevel &level : bounds)
    for (size_t dim = 0; dim != level.dims.size(); ++dim)
      array.member.push_back(
          hiddenVariable("member", Type::Longint, array.range));
  current = owner;
  Blanks over;
  over.isPromotion = true;
  llvm::SaveAndRestore<Blanks *> outer(blanks, &over);
  leadWithMember(array);
  over.depth = over.given;
  llvm::SaveAndRestore<const Expr *> index(
      definedIndex,
      isMulti ? program.make<VariableExpr>(array.member[0], array.range)
              : definedIndex);
  over.family = &array;
  const RegionExpr *declared = region(*syntax.member->dims, 0);
  over.family = nullptr;
  if (!checkPositions(over) || !declared ||
      (d.isStatic && !checkStatic(*declared)))
    return false;
  array.rank = declared->rank;
  setDeclared(array, *declared);
  if (!d.init)
    return true;
  over.positions.clear();
  scopeRanks.push_back(array.rank);
  bool isFine = familyInitializer(*d.init, array);
  scopeRanks.pop_back();
  over.depth = over.given;
  isFine &= checkPositions(over);
  if (isFine && d.isStatic)
    checkStatic(array.init, array.setup);
  return isFine;
}

/// The region of \p array is \p declared, which it follows if that is the value
/// of a variable.
void Checker::setDeclared(Array &array, const RegionExpr &declared) {
  array.declared = &declared;
  if (!declared.place)
    return;
  auto *variable = llvm::dyn_cast<VariableExpr>(rootOf(declared.place));
  if (variable && !variable->variable->isConst)
    array.over = declared.place;
}

/// What the members start with: one value of all, or a list with one of each.
bool Checker::familyInitializer(const ast::Expr &e, Array &array) {
  if (auto *list = llvm::dyn_cast<ast::InitList>(&e))
    return memberList(*list, array, array.family, 0, 0, nullptr);
  auto made = initializer(e, array.element, array.rank, false);
  if (!made)
    return false;
  if (made->value && blanks->firsts.empty()) {
    array.init = made->value;
    return true;
  }
  array.setup = std::exchange(blanks->firsts, {});
  if (made->value) {
    array.setup.push_back(
        assignment(memberPlace(array, e.range), made->value, e.range));
    return true;
  }
  setUpAlone(memberPlace(array, e.range), *made, array.storage, array.setup);
  return true;
}

/// The member at hand.
const Expr *Checker::memberPlace(Array &array, SourceRange range) {
  auto *place = program.make<ArrayExpr>(&array, range);
  place->text = array.name;
  for (Variable *variable : array.member)
    place->subscripts.push_back(program.make<VariableExpr>(variable, range));
  return place;
}

/// The items of \p list for the dimension \p dim of \p level, which is the one
/// of member variable \p number; \p condition holds for the members that the
/// list is for (null: all).
bool Checker::memberList(const ast::InitList &list, Array &array, Type level,
                         unsigned dim, unsigned number, const Expr *condition) {
  const TypeInfo &info = *level.info();
  std::optional<int64_t> extent = extentOf(info, dim);
  int64_t count = list.items.size();
  if (!extent || *extent != count || info.lo[dim].variable) {
    if (extent)
      diags
          .report(list.range, Diag::ListCount, count, *extent,
                  "parallel arrays")
          .done();
    else
      diags.report(list.range, Diag::FamilyList, text(array.family)).done();
    return false;
  }
  bool isLast = number + 1 == array.member.size();
  bool isEnd = dim + 1 == info.lo.size();
  for (int64_t i = 0; i != count; ++i) {
    const ast::Expr &item = *list.items[i];
    const Expr *isHere = build.compare(
        CompareOp::Eq,
        program.make<VariableExpr>(array.member[number], item.range),
        build.integer(info.lo[dim].value + i, Type::Longint, item.range),
        item.range);
    if (condition)
      isHere = build.binary(BinaryOp::And, condition, isHere, item.range);
    auto *rows = llvm::dyn_cast<ast::InitList>(&item);
    if (!isLast && !rows) {
      diags.report(item.range, Diag::ListRow).done();
      return false;
    }
    if (!isLast) {
      Type next = isEnd ? info.element : level;
      if (!memberList(*rows, array, next, isEnd ? 0 : dim + 1, number + 1,
                      isHere))
        return false;
      continue;
    }
    auto made = initializer(item, array.element, array.rank, false);
    if (!made)
      return false;
    auto *branch = program.make<IfStmt>(isHere, item.range);
    branch->thenBody = std::exchange(blanks->firsts, {});
    setUpAlone(memberPlace(array, item.range), *made, array.storage,
               branch->thenBody);
    array.setup.push_back(branch);
  }
  return true;
}

} // namespace zpl::sema
