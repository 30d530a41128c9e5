//===- Assign.cpp - Assignments -------------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     n := 3;  p.pos := origin;      a place that starts from a variable
//     A := B + n;  A.x[k] += 1;      one that starts from a parallel array
//     t[f(i)].x *= 2;                h := f(i); t[h].x := t[h].x * 2;
//     A@east += B;                   the elements east of the region's
//     a := b;                        whole indexed arrays of one type; of two
//                                    types, a[] := b[]
//
// `a op= b` becomes `a := a op b`; what the designator computes is kept in a
// hidden variable when it is more than a few operations. Values convert by the
// rules of section 3; records and indexed arrays must be of the very type, but
// two array types that differ in their bounds alone are assigned element by
// element, with their shapes compared as those of blank references.
//
// Cost: linear in the statement.
//
//===----------------------------------------------------------------------===//

#include "Arithmetic/Stencils.h"
#include "Arrays/Blanks.h"
#include "Tree/Walk.h"
#include "Types/Types.h"
#include "llvm/Support/SaveAndRestore.h"

namespace zpl::sema {

Stmt *Checker::assign(const ast::AssignStmt &s) {
  Blanks over;
  llvm::SaveAndRestore<Blanks *> outer(blanks, &over);
  StmtList body;
  auto *remap = llvm::dyn_cast<ast::Remap>(s.target);
  Type::Kind kind = kindOf(*s.target);
  bool isFine = kind != Type::Error ? assignValue(s, kind, body)
                : remap             ? scatter(s, *remap, body)
                                    : plainAssign(s, body);
  if (!isFine)
    return empty(s.range);
  StmtList made;
  repeat(over, std::move(body), s.range, made);
  return single(std::move(made), s.range);
}

/// Adds \p s to \p to; false after a report.
bool Checker::plainAssign(const ast::AssignStmt &s, StmtList &to) {
  if (s.form != ast::AssignStmt::Plain)
    diags
        .report(s.opRange, Diag::RegionAssignment,
                diags.sources().text(s.opRange))
        .highlight(s.target->range);
  auto *at = llvm::dyn_cast<ast::At>(s.target);
  const Expr *place = at ? shiftedTarget(*at) : target(*s.target);
  if (!place) {
    expr(*s.value);
    return false;
  }
  if (s.op)
    place = onceOnly(place, to);
  auto *array = llvm::dyn_cast<ArrayExpr>(rootOf(place));
  llvm::SaveAndRestore<unsigned> rank(statementRank, array ? array->rank : 0);
  const Expr *value = assignedValue(s, place);
  if (isError(value) || !checkAssigned(value, place, s.opRange) ||
      !matchArrays(place, value, s.range))
    return false;
  if (value->type != place->type)
    value = convert(value, place->type);
  if (isError(value))
    return false;
  to.push_back(assignment(place, value, s.range));
  return true;
}

Stmt *Checker::assignment(const Expr *target, const Expr *value,
                          SourceRange range) {
  if (llvm::isa<ArrayExpr>(rootOf(target))) {
    value = arrangeSums(program, value, options.strictFp);
    Builder::settle(*target, target->rank);
    Builder::settle(*value, target->rank);
    return program.make<ArrayAssignStmt>(target, value, range);
  }
  if (target->type == Type::Region)
    return regionAssignment(target, regionOf(value), /*preserves=*/true, range);
  return program.make<AssignStmt>(target, value, range);
}

/// The value, combined with the old one if the assignment has an operator.
const Expr *Checker::assignedValue(const ast::AssignStmt &s, const Expr *old) {
  const Expr *value = expr(*s.value);
  // An array for a scalar is told by its caller, not as a matter of operands.
  bool isPlain = !s.op || (value->isArray() && !old->isArray());
  return isError(value) || isPlain ? value : combined(s, old, value, value);
}

/// `old op value` in the type of \p old: it narrows only if \p value does, for
/// `b += 1` is meant to stay a byte.
const Expr *Checker::combined(const ast::AssignStmt &s, const Expr *old,
                              const Expr *value, const Expr *written) {
  const Expr *result = binary(*s.op, s.opRange, old, value, s.range);
  if (isError(result) || !converts(value->type, old->type))
    return result;
  warnIfNarrowing(written, old->type);
  return build.cast(result, old->type);
}

bool Checker::checkAssigned(const Expr *value, const Expr *target,
                            SourceRange place) {
  const Expr *root = rootOf(target);
  auto addArray = [&](DiagnosticBuilder &report) {
    if (const ArrayExpr *array = firstArray(*value))
      report.note(array->array->range, Diag::DeclaredHere, array->array->name);
  };
  if (auto *variable = llvm::dyn_cast<VariableExpr>(root)) {
    const Variable &declared = *variable->variable;
    if (!value->isArray())
      return declared.isFree ||
             (!reportFree(value) && !reportFreePlace(target));
    auto report = diags.report(value->range, Diag::ArrayToScalar,
                               diags.sources().text(target->range));
    report.highlight(target->range)
        .note(declared.range, Diag::DeclaredHere, declared.name);
    addArray(report);
    return false;
  }
  const Array &array = *llvm::cast<ArrayExpr>(root)->array;
  if (!value->isArray() || value->rank == Expr::AnyRank ||
      value->rank == array.rank)
    return fitsRank(value, array.rank);
  auto report = diags.report(place, Diag::AssignedRank, value->rank, array.name,
                             array.rank);
  report.highlight(target->range)
      .highlight(value->range)
      .note(array.range, Diag::DeclaredHere, array.name);
  addArray(report);
  return false;
}

/// A variable that has \p value; \p before sets it.
const Expr *Checker::keptOnce(const Expr *value, llvm::StringRef name,
                              StmtList &before) {
  Variable *kept = hiddenVariable(name, value->type, value->range);
  kept->isFree |= value->isFree;
  auto *use = program.make<VariableExpr>(kept, value->range);
  before.push_back(program.make<AssignStmt>(use, value, value->range));
  return use;
}

/// \p place with what its subscripts and its direction compute kept in
/// variables, which \p before sets. Array-valued subscripts have no effects and
/// stay.
const Expr *Checker::onceOnly(const Expr *place, StmtList &before) {
  if (auto *array = llvm::dyn_cast<ArrayExpr>(place)) {
    // The node was made for this statement.
    auto *own = const_cast<ArrayExpr *>(array);
    for (const Expr *&index : own->subscripts)
      if (!Builder::isLight(index))
        index = keptOnce(index, "index", before);
    for (const Expr *&component : own->direction)
      if (!Builder::isLight(component))
        component = keptOnce(component, "component", before);
    return place;
  }
  if (auto *field = llvm::dyn_cast<FieldExpr>(place)) {
    const Expr *base = onceOnly(field->base, before);
    return base == field->base
               ? place
               : build.field(base, field->field, field->type, field->range);
  }
  auto *element = llvm::dyn_cast<SubscriptExpr>(place);
  if (!element)
    return place;
  const Expr *base = onceOnly(element->base, before);
  bool isSame = base == element->base;
  llvm::SmallVector<const Expr *, 2> subscripts;
  for (const Expr *index : element->subscripts) {
    subscripts.push_back(index);
    if (index->isArray() || Builder::isLight(index))
      continue;
    subscripts.back() = keptOnce(index, "subscript", before);
    isSame = false;
  }
  return isSame
             ? place
             : build.subscript(base, subscripts, element->text, element->range);
}

/// Goes down from two indexed arrays whose types differ to their elements, with
/// loops as of blank references. Reports what cannot be assigned as a whole.
bool Checker::matchArrays(const Expr *&target, const Expr *&value,
                          SourceRange range) {
  while (target->type == Type::Array && target->type != value->type) {
    if (value->type != Type::Array || !Builder::isLight(value))
      return reportWhole(target, value);
    const TypeInfo &info = *target->type.info();
    unsigned level = blanks->depth;
    for (unsigned dim = 0; dim != info.lo.size(); ++dim)
      loopVariable(level, dim, range);
    blanks->levels[level].array = &info;
    blanks->levels[level].text = diags.sources().text(target->range).str();
    if (!followsShape(*value->type.info(), level,
                      diags.sources().text(value->range), value->range))
      return false;
    target = elementOf(target, level, target->range);
    value = elementOf(value, level, value->range);
    ++blanks->depth;
  }
  return true;
}

bool Checker::reportWhole(const Expr *target, const Expr *value) {
  llvm::StringRef written = diags.sources().text(target->range);
  auto report = diags.report(value->range, Diag::NoConversion,
                             text(value->type), text(target->type), "");
  if (value->type == Type::Array)
    return false;
  std::string brackets;
  for (Type type = target->type; type == Type::Array;
       type = type.info()->element)
    brackets += "[]";
  SourceRange end = target->range;
  end.begin = end.end;
  report
      .note(target->range, Diag::UseBlank, (written + brackets).str(), written)
      .fixIt(end, brackets);
  return false;
}

} // namespace zpl::sema
