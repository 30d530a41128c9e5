//===- Free.cpp - What each processor has for itself ----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     free var hits: integer;
//     free procedure note(k: integer);
//     begin
//       if k % PROCESSORS = localeID() then hits += 1; end;
//     end;
//
//     note(7);               -- each processor, once
//     most := max<< hits;    -- replicated again
//     most := hits;          -- an error, with a note at `hits`
//     if hits > 0 then ...   -- one, too: control flow is replicated
//
// An expression is free if one of its parts is: a free variable, the result of
// a free procedure, `localeID()`, `ReadTimer(t)`, this processor's own bounds.
// Whoever needs a value that is the same everywhere asks reportFree. Only a
// full reduction makes such a value of a free one; arrays may take free values
// where they have a grid dimension (Legality.cpp).
//
// Inside a free procedure nothing is replicated: its parameters and variables
// are free, and it may branch on them. In return it does nothing that concerns
// other processors, and data that is the same everywhere it may only read if
// nobody writes it. That is looked at when the whole program is known.
//
// Cost: linear in the code.
//
//===----------------------------------------------------------------------===//

#include "Program/Free.h"

#include "Check/Checking.h"
#include "Program/Parallel.h"
#include "Tree/Walk.h"
#include "Types/Types.h"

namespace zpl::sema {

//===----------------------------------------------------------------------===//
// Leaks
//===----------------------------------------------------------------------===//

namespace {

/// What makes \p value free: its first part of which no part is free.
const Expr *freeSource(const Expr &value) {
  const Expr *found = nullptr;
  forEachExpr(value, [&](const Expr &part) {
    if (found || !part.isFree)
      return;
    bool isDeeper = false;
    forEachOperand(part,
                   [&](const Expr &operand) { isDeeper |= operand.isFree; });
    auto *call = llvm::dyn_cast<CallExpr>(&part);
    if (!isDeeper || (call && call->callee->isFree))
      found = &part;
  });
  return found;
}

} // namespace

void addFreeSource(DiagnosticBuilder &report, const Expr &value) {
  const Expr *source = freeSource(value);
  if (auto *variable = llvm::dyn_cast_or_null<VariableExpr>(source))
    report.note(variable->variable->range, Diag::FreeDeclared,
                variable->variable->name);
  else if (auto *call = llvm::dyn_cast_or_null<CallExpr>(source))
    report.note(call->callee->range, Diag::FreeDeclared, call->callee->name);
  else if (source && (source->range.begin != value.range.begin ||
                      source->range.end != value.range.end))
    report.note(source->range, Diag::FreeSource);
}

bool reportFree(Checking &c, const Expr *value) {
  if (!value->isFree || inFreeProcedure(c))
    return false;
  auto report = c.diags.report(value->range, Diag::FreeValue);
  addFreeSource(report, *value);
  return true;
}

bool reportFreePlace(Checking &c, const Expr *place) {
  auto *root = llvm::dyn_cast<VariableExpr>(rootOf(place));
  if (!place->isFree || !root || root->isFree)
    return false;
  auto report =
      c.diags.report(place->range, Diag::FreePlace, root->variable->name);
  addFreeSource(report, *place);
  return true;
}

bool checkFreeReference(Checking &c, const Expr *place, const Symbol &formal) {
  auto *taking = llvm::dyn_cast<Variable>(&formal);
  auto *root = llvm::dyn_cast<VariableExpr>(rootOf(place));
  if (!taking || !root || root->type == Type::File)
    return true;
  if (taking->isFree && !root->isFree) {
    c.diags
        .report(place->range, Diag::FreeReference,
                llvm::formatv("'{0}', which is not free,", root->variable->name)
                    .str(),
                formal.name, "", "differ between processors afterwards")
        .note(formal.range, Diag::DeclaredHere, formal.name)
        .note(root->variable->range, Diag::DeclaredHere, root->variable->name);
    return false;
  }
  if (taking->isFree || !place->isFree || inFreeProcedure(c))
    return true;
  auto report = c.diags.report(place->range, Diag::FreeReference,
                               "a free place", formal.name, "not ",
                               "differ between processors in the call");
  report.note(formal.range, Diag::DeclaredHere, formal.name);
  addFreeSource(report, *place);
  return false;
}

bool checkFreePromotion(Checking &c, const CallExpr &call, const Expr &array) {
  if (!call.callee->isFree)
    return true;
  c.diags.report(call.range, Diag::FreePromoted, call.callee->name)
      .highlight(array.range)
      .note(call.callee->range, Diag::FreeDeclared, call.callee->name);
  return false;
}

//===----------------------------------------------------------------------===//
// Free procedures
//===----------------------------------------------------------------------===//

namespace {

class FreeDeeds : public Visitor {
public:
  FreeDeeds(const Procedure &procedure, DiagnosticEngine &diags)
      : procedure(procedure), diags(diags) {}

protected:
  void onLocal(const Symbol &symbol) override {
    if (llvm::isa<Array, Region>(symbol))
      report(symbol.range, "declares '" + symbol.name + "'");
  }
  void onRegion(const RegionExpr &region) override {
    report(region.range, "uses a region");
  }
  void onCover(unsigned, SourceRange range) override {
    report(range, "works on parallel arrays");
  }
  void onScalarWrite(const Variable &variable, SourceRange range) override {
    if (!isOwn(variable))
      report(range, "writes '" + variable.name + "', which is not free",
             &variable);
  }
  void onIrvWrite(const IrvExpr &irv, SourceRange) override {
    onExpr(*irv.array);
  }
  void onExpr(const Expr &e) override;
  void onStmt(const Stmt &s) override;
  void onCall(const CallExpr &call, unsigned) override {
    if (call.callee->isParallel && !call.callee->isFree)
      report(call.range, "calls '" + call.callee->name + "', which is parallel",
             call.callee);
  }

private:
  static bool isOwn(const Variable &variable) {
    return variable.isFree || variable.storage == Storage::Local ||
           variable.storage == Storage::Param;
  }
  void report(SourceRange range, std::string what,
              const Symbol *symbol = nullptr) {
    if (!reported.insert({range.file, range.begin}).second)
      return;
    auto message = diags.report(range, Diag::FreeDeed, procedure.name, what);
    if (symbol && symbol->range.isValid())
      message.note(symbol->range, Diag::DeclaredHere, symbol->name);
  }

  const Procedure &procedure;
  DiagnosticEngine &diags;
  llvm::DenseSet<std::pair<uint32_t, uint32_t>> reported;
};

void FreeDeeds::onExpr(const Expr &e) {
  if (auto *used = llvm::dyn_cast<VariableExpr>(&e)) {
    const Variable &variable = *used->variable;
    if (!isOwn(variable) && !variable.isConst)
      report(e.range,
             "reads '" + variable.name +
                 "', which is neither free nor read-only",
             &variable);
  }
  if (auto *array = llvm::dyn_cast<ArrayExpr>(&e))
    report(e.range, "uses the parallel array '" + array->array->name + "'",
           array->array);
  if (auto *irv = llvm::dyn_cast<IrvExpr>(&e))
    onExpr(*irv->array);
  if (llvm::isa<ReduceExpr>(e))
    report(e.range, "combines values of all processors");
  auto *timer = llvm::dyn_cast<TimerExpr>(&e);
  if (timer && !timer->timer)
    report(e.range, "calls 'CheckTimer', the same on all processors");
  auto *builtin = llvm::dyn_cast<BuiltinExpr>(&e);
  if (builtin && builtin->fn != Builtin::Split)
    report(e.range, deedOf(builtin->fn).does);
}

void FreeDeeds::onStmt(const Stmt &s) {
  if (llvm::isa<WriteStmt, ReadStmt, BindIoStmt>(s))
    report(s.range, "does input or output");
  if (llvm::isa<HaltStmt>(s))
    report(s.range, "halts all processors");
  if (llvm::isa<TimerStmt>(s))
    report(s.range, "sets a timer");
}

} // namespace

void checkFreeProcedures(const Program &program, DiagnosticEngine &diags) {
  for (const Procedure *procedure : program.procedures) {
    if (!procedure->isFree || procedure->isExtern)
      continue;
    for (const Symbol *param : procedure->params)
      if (llvm::isa<Array>(param))
        diags
            .report(param->range, Diag::FreeDeed, procedure->name,
                    "takes the parallel array '" + param->name + "'")
            .done();
    if (procedure->resultRank != 0)
      diags
          .report(procedure->range, Diag::FreeDeed, procedure->name,
                  "returns a parallel array")
          .done();
    FreeDeeds(*procedure, diags).visitProcedure(*procedure);
  }
}

} // namespace zpl::sema
