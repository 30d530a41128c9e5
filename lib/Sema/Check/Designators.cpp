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

#include "Arrays/Blanks.h"
#include "Names/ForeignNames.h"
#include "Tree/Walk.h"
#include "Types/Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

namespace zpl::sema {

const Expr *Checker::place(const ast::Expr &e) {
  unsigned levels = 0;
  const Expr *made = designator(e, levels);
  if (!endDesignator(levels, e.range) || !checkFinished(made))
    return build.error(e.range);
  return made;
}

const Expr *Checker::designator(const ast::Expr &e, unsigned &levels) {
  if (auto *name = llvm::dyn_cast<ast::NameRef>(&e))
    return namedPlace(*name);
  if (auto *field = llvm::dyn_cast<ast::Field>(&e)) {
    const Expr *base = designator(*field->base, levels);
    return isError(base) ? build.error(e.range) : fieldOf(base, *field);
  }
  if (auto *last = llvm::dyn_cast<ast::Subscript>(&e)) {
    llvm::SmallVector<const ast::Subscript *, 2> brackets;
    const ast::Expr *name = last;
    while (auto *inner = llvm::dyn_cast<ast::Subscript>(name)) {
      brackets.push_back(inner);
      name = inner->base;
    }
    std::reverse(brackets.begin(), brackets.end());
    const Predeclared *entry = predeclaredName(*name);
    if (entry && entry->kind == Predeclared::Position && brackets.size() == 1)
      return positionAtLevel(*last, entry->dim);
    return subscripted(designator(*name, levels), brackets, levels);
  }
  if (auto *multi = llvm::dyn_cast<ast::Multi>(&e))
    return multiElement(*multi, levels);
  if (auto *call = llvm::dyn_cast<ast::Call>(&e))
    return this->call(*call);
  return expr(e);
}

const Expr *Checker::namedPlace(const ast::NameRef &e) {
  Symbol *symbol = names.find(e.name);
  if (auto *variable = llvm::dyn_cast_or_null<Variable>(symbol))
    return program.make<VariableExpr>(variable, e.range);
  auto *array = llvm::dyn_cast_or_null<Array>(symbol);
  if (array && array->family != Type::Error)
    return wholeFamily(*array, e);
  return nameValue(e);
}

const Expr *Checker::fieldOf(const Expr *base, const ast::Field &e) {
  Type type = base->type;
  llvm::StringRef name = e.name.text;
  if (type.isComplex() && (name == "re" || name == "im"))
    return build.field(base, name == "im", componentOf(type), e.range);
  bool hasFields = type == Type::Record || type == Type::Union;
  if (!hasFields && name == "irv" && llvm::isa<ArrayExpr>(base)) {
    notSupported(e.name.range, "'irv'");
    return build.error(e.range);
  }
  if (!hasFields && !type.isComplex()) {
    llvm::StringRef instead = insteadOfField(name);
    diags
        .report(e.name.range, Diag::NoFields, name, text(type),
                instead.empty() ? "" : "; " + instead.str())
        .highlight(base->range);
    return build.error(e.range);
  }
  if (hasFields)
    for (const auto &[i, field] : llvm::enumerate(type.info()->fields))
      if (field.name == name)
        return build.field(base, i, field.type, e.range);
  reportNoField(type, e.name);
  return build.error(e.range);
}

void Checker::reportNoField(Type type, const ast::Name &name) {
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
      diags.report(name.range, Diag::NoField, text(type), name.text, hint);
  if (type.isComplex())
    return;
  if (!best.empty())
    report.fixIt(name.range, best);
  if (!type.info()->name.empty())
    report.note(type.info()->range, Diag::DeclaredHere, type.info()->name);
}

/// \p base with the subscripts of all brackets.
const Expr *
Checker::subscripted(const Expr *base,
                     llvm::ArrayRef<const ast::Subscript *> brackets,
                     unsigned &levels) {
  llvm::SmallVector<const ast::Expr *, 4> waiting;
  for (const ast::Subscript *bracket : brackets) {
    if (isError(base))
      break;
    SourceRange range = bracket->range;
    if (bracket->indices.empty()) {
      base = waiting.empty() ? blankSubscript(base, range, levels)
                             : reportCount(base, waiting.size(), range);
      continue;
    }
    for (const ast::Expr *index : bracket->indices) {
      waiting.push_back(index);
      if (!isIndexed(base, base->type, range)) {
        base = build.error(range);
        break;
      }
      if (waiting.size() != base->type.info()->lo.size())
        continue;
      base = elementAt(base, waiting, range);
      waiting.clear();
    }
  }
  if (!isError(base) && !waiting.empty())
    return reportCount(base, waiting.size(), brackets.back()->range);
  return base;
}

const Expr *Checker::reportCount(const Expr *base, size_t given,
                                 SourceRange range) {
  diags
      .report(range, Diag::SubscriptCount, diags.sources().text(base->range),
              base->type.info()->lo.size(), given)
      .done();
  return build.error(range);
}

/// Whether \p base, or its elements of type \p type, have elements; reports
/// otherwise.
bool Checker::isIndexed(const Expr *base, Type type, SourceRange range) {
  if (type == Type::Error)
    return false;
  if (type == Type::Array)
    return true;
  std::string what = "a value of type " + text(type);
  if (llvm::isa<ArrayExpr>(base))
    what = "a parallel array; its elements are chosen by a region";
  diags.report(range, Diag::NotIndexed, what).highlight(base->range);
  return false;
}

const Expr *Checker::elementAt(const Expr *base,
                               llvm::ArrayRef<const ast::Expr *> indices,
                               SourceRange range) {
  if (const ArrayExpr *family = unfinishedMember(base))
    return memberAt(*family, indices, range);
  const TypeInfo &info = *base->type.info();
  llvm::StringRef written = diags.sources().text(base->range);
  llvm::SmallVector<const Expr *, 2> subscripts;
  bool isWrong = false;
  for (const auto &[dim, index] : llvm::enumerate(indices)) {
    const Expr *value = subscriptValue(*index, info.index[dim], written);
    isWrong |= isError(value) || !checkBounds(value, *base, dim, written);
    subscripts.push_back(value);
  }
  for (const Expr *value : subscripts)
    isWrong = isWrong || !conform(base, value, value->range);
  for (size_t i = 1; i < subscripts.size(); ++i)
    isWrong =
        isWrong || !conform(subscripts[0], subscripts[i], subscripts[i]->range);
  if (isWrong)
    return build.error(range);
  return build.subscript(base, subscripts, written, range);
}

/// A subscript in a dimension whose index has type \p index.
const Expr *Checker::subscriptValue(const ast::Expr &e, Type index,
                                    llvm::StringRef array) {
  const Expr *value = expr(e);
  if (isError(value))
    return value;
  bool fits =
      index == Type::Enum ? value->type == index : isIntegral(value->type);
  if (!fits) {
    diags
        .report(e.range, Diag::SubscriptType, text(value->type), array,
                text(index))
        .done();
    return build.error(e.range);
  }
  if (index == Type::Enum)
    return value;
  return build.cast(value, indexTypeOf(value->type));
}

/// Reports a constant subscript that is outside of constant bounds.
bool Checker::checkBounds(const Expr *value, const Expr &base, unsigned dim,
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
  auto report = diags.report(value->range, Diag::SubscriptRange,
                             diags.sources().text(value->range), written,
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

const Predeclared *Checker::predeclaredName(const ast::Expr &e) const {
  auto *name = llvm::dyn_cast<ast::NameRef>(&e);
  if (!name || names.find(name->name))
    return nullptr;
  return findPredeclared(name->name);
}

/// Reports a predeclared name where a variable should stand.
bool Checker::reportNoVariable(const ast::Expr &e) {
  const Predeclared *entry = predeclaredName(e);
  if (!entry)
    return false;
  if (entry->kind == Predeclared::Index)
    diags.report(e.range, Diag::ReadOnly, entry->name, "a virtual index array")
        .done();
  else
    diags
        .report(e.range, Diag::WrongKind, entry->name,
                entry->isFunction() ? "a function" : "a constant", "a variable")
        .done();
  return true;
}

const Expr *Checker::target(const ast::Expr &e) {
  if (reportNoVariable(e))
    return nullptr;
  auto *name = llvm::dyn_cast<ast::NameRef>(&e);
  Symbol *symbol = name ? names.find(name->name) : nullptr;
  if (symbol && !llvm::isa<Variable, Array>(symbol)) {
    checkWritable(*symbol, e.range, false); // reports
    return nullptr;
  }
  const Expr *made = place(e);
  if (isError(made))
    return nullptr;
  const Expr *root = rootOf(made);
  auto *array = llvm::dyn_cast<ArrayExpr>(root);
  if (array && array->direction.empty())
    return checkWritable(*array->array, e.range, false) ? made : nullptr;
  auto *variable = llvm::dyn_cast<VariableExpr>(root);
  if (!variable || made->type == Type::Timer) {
    auto report = diags.report(e.range, Diag::NotAssignable);
    if (variable)
      report.note(variable->variable->range, Diag::DeclaredHere,
                  variable->variable->name);
    return nullptr;
  }
  if (!checkWritable(*variable->variable, e.range, false))
    return nullptr;
  if (!made->isArray())
    return made;
  diags.report(e.range, Diag::SubscriptedScalar, variable->variable->name)
      .note(variable->variable->range, Diag::DeclaredHere,
            variable->variable->name);
  return nullptr;
}

/// `A@d := ...`
const Expr *Checker::shiftedTarget(const ast::At &e) {
  const Expr *made = at(e);
  if (isError(made))
    return nullptr;
  const Array &array = *llvm::cast<ArrayExpr>(rootOf(made))->array;
  return checkWritable(array, e.range, false) ? made : nullptr;
}

} // namespace zpl::sema
