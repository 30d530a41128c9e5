//===- Designators.cpp - Names with fields and subscripts -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     type point = record x, y: double; end;
//     var P: [R] point; t: array [1..3] of point; m: array [1..3, S..A] of T;
//
//     P.x          the field of every element; an array expression of R's rank
//     t[k].x       a place in t
//     m[2][W]      the same as m[2, W]
//     t[K].x       K an array: element by element
//     t[].x        one level of a blank reference (Blanks.cpp)
//
// A designator is read from its name outward. The subscripts of all brackets in
// a row form one list, of which each array level takes as many as it has
// dimensions; so `a[i][j]` and `a[i, j]` mean the same, whichever way the type
// is written. A constant subscript is held against constant bounds here, any
// other one at run time under -fcheck.
//
// Cost: linear in the designator; a field is searched among those of its type.
//
//===----------------------------------------------------------------------===//

#include "Check/Designators.h"
#include "Arrays/ArrayOperators.h"
#include "Arrays/Blanks.h"
#include "Arrays/Families.h"
#include "Arrays/Multi.h"
#include "Check/Calls.h"
#include "Check/Expressions.h"
#include "Check/Operators.h"
#include "Names/ForeignNames.h"
#include "Names/Predeclared.h"
#include "Sparse/SparseRegions.h"
#include "Statements/Declarations.h"
#include "Tree/Walk.h"
#include "Types/Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

namespace zpl::sema {

static const Expr *fieldOf(Checking &c, const Expr *base, const ast::Field &e);
static const Expr *irvOf(Checking &c, const ArrayExpr &array,
                         SourceRange range);
static void reportNoField(Checking &c, Type type, const ast::Name &name);
static const Expr *subscripted(Checking &c, const Expr *base,
                               llvm::ArrayRef<const ast::Subscript *> brackets,
                               unsigned &levels);
static const Expr *reportCount(Checking &c, const Expr *base, size_t given,
                               SourceRange range);
static const Expr *elementAt(Checking &c, const Expr *base,
                             llvm::ArrayRef<const ast::Expr *> indices,
                             SourceRange range);
/// The predeclared name that \p e is, or null.
static const Predeclared *predeclaredName(const Checking &c,
                                          const ast::Expr &e);

const Expr *checkPlace(Checking &c, const ast::Expr &e) {
  unsigned levels = 0;
  const Expr *made = checkDesignator(c, e, levels);
  if (!endDesignator(c, levels, e.range) || !checkFinished(c, made))
    return c.build.error(e.range);
  return made;
}

const Expr *checkDesignator(Checking &c, const ast::Expr &e, unsigned &levels) {
  if (auto *name = llvm::dyn_cast<ast::NameRef>(&e))
    return namedPlace(c, *name);
  if (auto *field = llvm::dyn_cast<ast::Field>(&e)) {
    const Expr *base = checkDesignator(c, *field->base, levels);
    return isError(base) ? c.build.error(e.range) : fieldOf(c, base, *field);
  }
  if (auto *last = llvm::dyn_cast<ast::Subscript>(&e)) {
    llvm::SmallVector<const ast::Subscript *, 2> brackets;
    const ast::Expr *name = last;
    while (auto *inner = llvm::dyn_cast<ast::Subscript>(name)) {
      brackets.push_back(inner);
      name = inner->base;
    }
    std::reverse(brackets.begin(), brackets.end());
    const Predeclared *entry = predeclaredName(c, *name);
    if (entry && entry->kind == Predeclared::Position && brackets.size() == 1)
      return positionAtLevel(c, *last, entry->dim);
    return subscripted(c, checkDesignator(c, *name, levels), brackets, levels);
  }
  if (auto *multi = llvm::dyn_cast<ast::Multi>(&e))
    return multiElement(c, *multi, levels);
  if (auto *call = llvm::dyn_cast<ast::Call>(&e))
    return checkCall(c, *call);
  return checkExpr(c, e);
}

const Expr *namedPlace(Checking &c, const ast::NameRef &e) {
  Symbol *symbol = c.names.find(e.name);
  if (auto *variable = llvm::dyn_cast_or_null<Variable>(symbol))
    return c.program.make<VariableExpr>(variable, e.range);
  auto *array = llvm::dyn_cast_or_null<Array>(symbol);
  if (array && array->family != Type::Error)
    return wholeFamily(c, *array, e);
  return nameValue(c, e);
}

static const Expr *fieldOf(Checking &c, const Expr *base, const ast::Field &e) {
  Type type = base->type;
  llvm::StringRef name = e.name.text;
  if (type.isComplex() && (name == "re" || name == "im"))
    return c.build.field(base, name == "im", componentOf(type), e.range);
  bool hasFields = type == Type::Record || type == Type::Union;
  bool isField = hasFields &&
                 llvm::any_of(type.info()->fields, [](const TypeField &field) {
                   return field.name == "irv";
                 });
  auto *array = llvm::dyn_cast<ArrayExpr>(base);
  if (array && name == "irv" && !isField)
    return irvOf(c, *array, e.range);
  if (!hasFields && !type.isComplex()) {
    llvm::StringRef instead = insteadOfField(name);
    c.diags
        .report(e.name.range, Diag::NoFields, name, text(type),
                instead.empty() ? "" : "; " + instead.str())
        .highlight(base->range);
    return c.build.error(e.range);
  }
  if (hasFields)
    for (const auto &[i, field] : llvm::enumerate(type.info()->fields))
      if (field.name == name)
        return c.build.field(base, i, field.type, e.range);
  reportNoField(c, type, e.name);
  return c.build.error(e.range);
}

/// `A.irv`. Which blank parameters are sparse is known in each instance.
static const Expr *irvOf(Checking &c, const ArrayExpr &array,
                         SourceRange range) {
  if (unfinishedMember(&array)) {
    checkFinished(c, &array); // reports
    return c.build.error(range);
  }
  const RegionExpr *declared = array.array->declared;
  bool isDense = declared ? !mayBeSparse(c, *declared) : !c.program.hasSparse;
  if (isDense) {
    c.diags.report(range, Diag::IrvOfDense, array.array->name)
        .note(array.array->range, Diag::DeclaredHere, array.array->name);
    return c.build.error(range);
  }
  if (array.type == Type::File) {
    c.diags.report(range, Diag::IrvOfFiles).done();
    return c.build.error(range);
  }
  return c.program.make<IrvExpr>(&array, range);
}

static void reportNoField(Checking &c, Type type, const ast::Name &name) {
  std::string best = type.isComplex() ? "re" : "";
  unsigned bestDistance = static_cast<unsigned>(name.text.size() + 2) / 3 + 1;
  if (!type.isComplex() && name.text.size() > 1)
    for (const TypeField &field : type.info()->fields) {
      unsigned distance =
          name.text.edit_distance(field.name, true, bestDistance);
      if (distance >= bestDistance)
        continue;
      best = field.name;
      bestDistance = distance;
    }
  std::string hint = type.isComplex() ? "; it has 're' and 'im'"
                     : best.empty()   ? ""
                                      : "; did you mean '" + best + "'?";
  auto report =
      c.diags.report(name.range, Diag::NoField, text(type), name.text, hint);
  if (type.isComplex())
    return;
  if (!best.empty())
    report.fixIt(name.range, best);
  if (!type.info()->name.empty())
    report.note(type.info()->range, Diag::DeclaredHere, type.info()->name);
}

/// \p base with the subscripts of all brackets.
static const Expr *subscripted(Checking &c, const Expr *base,
                               llvm::ArrayRef<const ast::Subscript *> brackets,
                               unsigned &levels) {
  llvm::SmallVector<const ast::Expr *, 4> waiting;
  for (const ast::Subscript *bracket : brackets) {
    if (isError(base))
      break;
    SourceRange range = bracket->range;
    if (bracket->indices.empty()) {
      base = waiting.empty() ? blankSubscript(c, base, range, levels)
                             : reportCount(c, base, waiting.size(), range);
      continue;
    }
    for (const ast::Expr *index : bracket->indices) {
      waiting.push_back(index);
      if (!isIndexed(c, base, base->type, range)) {
        base = c.build.error(range);
        break;
      }
      if (waiting.size() != base->type.info()->lo.size())
        continue;
      base = elementAt(c, base, waiting, range);
      waiting.clear();
    }
  }
  if (!isError(base) && !waiting.empty())
    return reportCount(c, base, waiting.size(), brackets.back()->range);
  return base;
}

static const Expr *reportCount(Checking &c, const Expr *base, size_t given,
                               SourceRange range) {
  c.diags
      .report(range, Diag::SubscriptCount, c.diags.sources().text(base->range),
              base->type.info()->lo.size(), given)
      .done();
  return c.build.error(range);
}

bool isIndexed(Checking &c, const Expr *base, Type type, SourceRange range) {
  if (type == Type::Error)
    return false;
  if (type == Type::Array)
    return true;
  std::string what = "a value of type " + text(type);
  if (llvm::isa<ArrayExpr>(base))
    what = "a parallel array; its elements are chosen by a region";
  c.diags.report(range, Diag::NotIndexed, what).highlight(base->range);
  return false;
}

static const Expr *elementAt(Checking &c, const Expr *base,
                             llvm::ArrayRef<const ast::Expr *> indices,
                             SourceRange range) {
  if (const ArrayExpr *family = unfinishedMember(base))
    return memberAt(c, *family, indices, range);
  const TypeInfo &info = *base->type.info();
  llvm::StringRef written = c.diags.sources().text(base->range);
  llvm::SmallVector<const Expr *, 2> subscripts;
  bool isWrong = false;
  for (const auto &[dim, index] : llvm::enumerate(indices)) {
    const Expr *value = subscriptValue(c, *index, info.index[dim], written);
    isWrong |= isError(value) || !checkBounds(c, value, *base, dim, written);
    subscripts.push_back(value);
  }
  for (const Expr *value : subscripts)
    isWrong = isWrong || !haveConformingRanks(c, base, value, value->range);
  for (size_t i = 1; i < subscripts.size(); ++i)
    isWrong = isWrong || !haveConformingRanks(c, subscripts[0], subscripts[i],
                                              subscripts[i]->range);
  if (isWrong)
    return c.build.error(range);
  return c.build.subscript(base, subscripts, written, range);
}

const Expr *subscriptValue(Checking &c, const ast::Expr &e, Type index,
                           llvm::StringRef array) {
  const Expr *value = checkExpr(c, e);
  if (isError(value))
    return value;
  bool fits =
      index == Type::Enum ? value->type == index : isIntegral(value->type);
  if (!fits) {
    c.diags
        .report(e.range, Diag::SubscriptType, text(value->type), array,
                text(index))
        .done();
    return c.build.error(e.range);
  }
  if (index == Type::Enum)
    return value;
  return c.build.cast(value, indexTypeOf(value->type));
}

bool checkBounds(Checking &c, const Expr *value, const Expr &base, unsigned dim,
                 llvm::StringRef written) {
  auto *literal = llvm::dyn_cast<LiteralExpr>(value);
  if (!literal || isError(value))
    return true;
  const TypeInfo &info = *base.type.info();
  const TypeBound &lo = info.lo[dim], &hi = info.hi[dim];
  bool isOutside = (!lo.variable && literal->integer < lo.value) ||
                   (!hi.variable && literal->integer > hi.value);
  if (!isOutside)
    return true;
  auto report = c.diags.report(value->range, Diag::SubscriptRange,
                               c.diags.sources().text(value->range), written,
                               text(base.type));
  const Symbol *declared = nullptr;
  if (auto *variable = llvm::dyn_cast<VariableExpr>(rootOf(&base)))
    declared = variable->variable;
  else if (auto *array = llvm::dyn_cast<ArrayExpr>(rootOf(&base)))
    declared = array->array;
  if (declared && declared->range.isValid())
    report.note(declared->range, Diag::DeclaredHere, declared->name);
  return false;
}

static const Predeclared *predeclaredName(const Checking &c,
                                          const ast::Expr &e) {
  auto *name = llvm::dyn_cast<ast::NameRef>(&e);
  if (!name || c.names.find(name->name))
    return nullptr;
  return findPredeclared(name->name);
}

/// Reports a predeclared name where a variable should stand.
static bool reportNoVariable(Checking &c, const ast::Expr &e) {
  const Predeclared *entry = predeclaredName(c, e);
  if (!entry)
    return false;
  if (entry->kind == Predeclared::Index)
    c.diags
        .report(e.range, Diag::ReadOnly, entry->name, "a virtual index array")
        .done();
  else
    c.diags
        .report(e.range, Diag::WrongKind, entry->name,
                entry->isFunction() ? "a function" : "a constant", "a variable")
        .done();
  return true;
}

const Expr *checkTarget(Checking &c, const ast::Expr &e, bool takesIrv) {
  if (reportNoVariable(c, e))
    return nullptr;
  auto *name = llvm::dyn_cast<ast::NameRef>(&e);
  Symbol *symbol = name ? c.names.find(name->name) : nullptr;
  if (symbol && !llvm::isa<Variable, Array>(symbol)) {
    checkWritable(c, *symbol, e.range, false); // reports
    return nullptr;
  }
  const Expr *made = checkPlace(c, e);
  if (isError(made))
    return nullptr;
  const Expr *root = rootOf(made);
  auto *array = llvm::dyn_cast<ArrayExpr>(root);
  if (array && array->direction.empty())
    return checkWritable(c, *array->array, e.range, false) ? made : nullptr;
  auto *irv = llvm::dyn_cast<IrvExpr>(root);
  if (irv && !takesIrv) {
    c.diags.report(e.range, Diag::IrvPlace).done();
    return nullptr;
  }
  if (irv && !made->isArray())
    return checkWritable(c, *irv->array->array, e.range, false) ? made
                                                                : nullptr;
  auto *variable = llvm::dyn_cast<VariableExpr>(root);
  if (!variable || made->type == Type::Timer) {
    auto report = c.diags.report(e.range, Diag::NotAssignable);
    if (variable)
      report.note(variable->variable->range, Diag::DeclaredHere,
                  variable->variable->name);
    return nullptr;
  }
  if (!checkWritable(c, *variable->variable, e.range, false))
    return nullptr;
  if (!made->isArray())
    return made;
  c.diags.report(e.range, Diag::SubscriptedScalar, variable->variable->name)
      .note(variable->variable->range, Diag::DeclaredHere,
            variable->variable->name);
  return nullptr;
}

const Expr *shiftedTarget(Checking &c, const ast::At &e) {
  const Expr *made = checkAt(c, e);
  if (isError(made))
    return nullptr;
  const Array &array = *llvm::cast<ArrayExpr>(rootOf(made))->array;
  return checkWritable(c, array, e.range, false) ? made : nullptr;
}

} // namespace zpl::sema
