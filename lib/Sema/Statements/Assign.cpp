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

#include "Statements/Assign.h"
#include "Arithmetic/Stencils.h"
#include "Arrays/Blanks.h"
#include "Arrays/Remaps.h"
#include "Check/Designators.h"
#include "Check/Expressions.h"
#include "Check/Operators.h"
#include "Check/Values.h"
#include "Distributions/Distributions.h"
#include "Program/Free.h"
#include "Sparse/Modify.h"
#include "Statements/Statements.h"
#include "Tree/Walk.h"
#include "Types/Types.h"
#include "Types/ValueTypes.h"
#include "llvm/Support/SaveAndRestore.h"

namespace zpl::sema {

static bool plainAssign(Checking &c, const ast::AssignStmt &s, StmtList &to);
static const Expr *assignedValue(Checking &c, const ast::AssignStmt &s,
                                 const Expr *old);
static bool matchArrays(Checking &c, const Expr *&target, const Expr *&value,
                        SourceRange range);
static bool reportWhole(Checking &c, const Expr *target, const Expr *value);

Stmt *checkAssign(Checking &c, const ast::AssignStmt &s) {
  if (Stmt *redistribution = checkRedistribution(c, s))
    return redistribution;
  if (isPatternAssign(c, s))
    return checkPatternAssign(c, s);
  Blanks over;
  llvm::SaveAndRestore<Blanks *> outer(c.blanks, &over);
  StmtList body;
  auto *remap = llvm::dyn_cast<ast::Remap>(s.target);
  Type::Kind kind = kindOf(c, *s.target);
  bool isFine = kind != Type::Error ? assignValue(c, s, kind, body)
                : remap             ? checkScatter(c, s, *remap, body)
                                    : plainAssign(c, s, body);
  if (!isFine)
    return emptyStmt(c, s.range);
  StmtList made;
  repeat(c, over, std::move(body), s.range, made);
  return singleStmt(c, std::move(made), s.range);
}

/// Adds \p s to \p to; false after a report.
static bool plainAssign(Checking &c, const ast::AssignStmt &s, StmtList &to) {
  auto *at = llvm::dyn_cast<ast::At>(s.target);
  const Expr *place =
      at ? shiftedTarget(c, *at) : checkTarget(c, *s.target, /*takesIrv=*/true);
  // Nothing is bound to a grid or a distribution that is a value, so that all
  // forms mean the same.
  if (place && s.form != ast::AssignStmt::Plain &&
      !isDistributionValue(place->type))
    c.diags
        .report(s.opRange, Diag::RegionAssignment,
                c.diags.sources().text(s.opRange))
        .highlight(s.target->range);
  if (!place) {
    checkExpr(c, *s.value);
    return false;
  }
  if (s.op)
    place = onceOnly(c, place, to);
  auto *array = llvm::dyn_cast<ArrayExpr>(rootOf(place));
  llvm::SaveAndRestore<unsigned> rank(c.statementRank, array ? array->rank : 0);
  const Expr *value = assignedValue(c, s, place);
  if (isError(value) || !checkAssigned(c, value, place, s.opRange) ||
      !matchArrays(c, place, value, s.range))
    return false;
  if (value->type != place->type)
    value = convert(c, value, place->type);
  if (isError(value))
    return false;
  to.push_back(assignment(c, place, value, s.range));
  return true;
}

Stmt *assignment(Checking &c, const Expr *target, const Expr *value,
                 SourceRange range) {
  if (llvm::isa<ArrayExpr>(rootOf(target))) {
    value = arrangeSums(c.program, value, c.options.strictFp);
    Builder::settle(*target, target->rank);
    Builder::settle(*value, target->rank);
    return c.program.make<ArrayAssignStmt>(target, value, range);
  }
  if (target->type == Type::Region)
    return regionAssignment(c, target, regionOf(c, value), /*preserves=*/true,
                            range);
  return c.program.make<AssignStmt>(target, value, range);
}

/// The value, combined with the old one if the assignment has an operator.
static const Expr *assignedValue(Checking &c, const ast::AssignStmt &s,
                                 const Expr *old) {
  const Expr *value = checkExpr(c, *s.value);
  // An array for a scalar is told by its caller, not as a matter of operands.
  bool isPlain = !s.op || (value->isArray() && !old->isArray());
  return isError(value) || isPlain ? value
                                   : combinedValue(c, s, old, value, value);
}

const Expr *combinedValue(Checking &c, const ast::AssignStmt &s,
                          const Expr *old, const Expr *value,
                          const Expr *written) {
  const Expr *result = checkBinary(c, *s.op, s.opRange, old, value, s.range);
  if (isError(result) || !converts(value->type, old->type))
    return result;
  warnIfNarrowing(c, written, old->type);
  return c.build.cast(result, old->type);
}

bool checkAssigned(Checking &c, const Expr *value, const Expr *target,
                   SourceRange place) {
  const Expr *root = rootOf(target);
  if (auto *irv = llvm::dyn_cast<IrvExpr>(root)) {
    if (!value->isArray())
      return !reportFree(c, value);
    const Array &owner = *irv->array->array;
    c.diags
        .report(value->range, Diag::ArrayToScalar,
                c.diags.sources().text(target->range))
        .highlight(target->range)
        .note(owner.range, Diag::DeclaredHere, owner.name);
    return false;
  }
  auto addArray = [&](DiagnosticBuilder &report) {
    if (const ArrayExpr *array = firstArray(*value))
      report.note(array->array->range, Diag::DeclaredHere, array->array->name);
  };
  if (auto *variable = llvm::dyn_cast<VariableExpr>(root)) {
    const Variable &declared = *variable->variable;
    if (!value->isArray())
      return declared.isFree ||
             (!reportFree(c, value) && !reportFreePlace(c, target));
    auto report = c.diags.report(value->range, Diag::ArrayToScalar,
                                 c.diags.sources().text(target->range));
    report.highlight(target->range)
        .note(declared.range, Diag::DeclaredHere, declared.name);
    addArray(report);
    return false;
  }
  const Array &array = *llvm::cast<ArrayExpr>(root)->array;
  if (!value->isArray() || value->rank == Expr::AnyRank ||
      value->rank == array.rank)
    return fitsRank(c, value, array.rank);
  auto report = c.diags.report(place, Diag::AssignedRank, value->rank,
                               array.name, array.rank);
  report.highlight(target->range)
      .highlight(value->range)
      .note(array.range, Diag::DeclaredHere, array.name);
  addArray(report);
  return false;
}

const Expr *keptOnce(Checking &c, const Expr *value, llvm::StringRef name,
                     StmtList &before) {
  Variable *kept = hiddenVariable(c, name, value->type, value->range);
  kept->isFree |= value->isFree;
  auto *use = c.program.make<VariableExpr>(kept, value->range);
  before.push_back(c.program.make<AssignStmt>(use, value, value->range));
  return use;
}

const Expr *onceOnly(Checking &c, const Expr *place, StmtList &before) {
  if (auto *array = llvm::dyn_cast<ArrayExpr>(place)) {
    auto *own = c.program.make<ArrayExpr>(*array);
    bool isSame = true;
    auto keep = [&](const Expr *&part, llvm::StringRef name) {
      if (Builder::isLight(part))
        return;
      part = keptOnce(c, part, name, before);
      isSame = false;
    };
    for (const Expr *&index : own->subscripts)
      keep(index, "index");
    for (const Expr *&component : own->direction)
      keep(component, "component");
    return isSame ? place : own;
  }
  if (auto *irv = llvm::dyn_cast<IrvExpr>(place)) {
    auto *array = llvm::cast<ArrayExpr>(onceOnly(c, irv->array, before));
    return array == irv->array ? place
                               : c.program.make<IrvExpr>(array, place->range);
  }
  if (auto *field = llvm::dyn_cast<FieldExpr>(place)) {
    const Expr *base = onceOnly(c, field->base, before);
    return base == field->base
               ? place
               : c.build.field(base, field->field, field->type, field->range);
  }
  auto *element = llvm::dyn_cast<SubscriptExpr>(place);
  if (!element)
    return place;
  const Expr *base = onceOnly(c, element->base, before);
  bool isSame = base == element->base;
  llvm::SmallVector<const Expr *, 2> subscripts;
  for (const Expr *index : element->subscripts) {
    subscripts.push_back(index);
    if (index->isArray() || Builder::isLight(index))
      continue;
    subscripts.back() = keptOnce(c, index, "subscript", before);
    isSame = false;
  }
  return isSame ? place
                : c.build.subscript(base, subscripts, element->text,
                                    element->range);
}

/// Goes down from two indexed arrays whose types differ to their elements, with
/// loops as of blank references. Reports what cannot be assigned as a whole.
static bool matchArrays(Checking &c, const Expr *&target, const Expr *&value,
                        SourceRange range) {
  while (target->type == Type::Array && target->type != value->type) {
    if (value->type != Type::Array || !Builder::isLight(value))
      return reportWhole(c, target, value);
    const TypeInfo &info = *target->type.info();
    unsigned level = c.blanks->depth;
    for (unsigned dim = 0; dim != info.lo.size(); ++dim)
      loopVariable(c, level, dim, range);
    c.blanks->levels[level].array = &info;
    c.blanks->levels[level].text = c.diags.sources().text(target->range).str();
    if (!followsShape(c, *value->type.info(), level,
                      c.diags.sources().text(value->range), value->range))
      return false;
    target = elementOf(c, target, level, target->range);
    value = elementOf(c, value, level, value->range);
    ++c.blanks->depth;
  }
  return true;
}

static bool reportWhole(Checking &c, const Expr *target, const Expr *value) {
  llvm::StringRef written = c.diags.sources().text(target->range);
  auto report = c.diags.report(value->range, Diag::NoConversion,
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
