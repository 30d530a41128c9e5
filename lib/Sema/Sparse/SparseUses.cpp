//===- SparseUses.cpp - Where sparse regions may be used ------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     procedure reset(inout X: [ , ] double);
//     begin  X.irv := 0;  end;
//
//     reset(B);                   -- fine: B is sparse
//     reset(A);                   -- wrong: A is dense
//     [S] grow();                 -- wrong if grow changes the pattern of S
//
// Instances know which of their regions are sparse, so each is looked at, and a
// message says by which calls it came about. What changes patterns is found
// once for the program: the regions that each procedure changes, with those
// that it calls, by a fixed point over the calls, callees first.
//
// A scope has the pattern that its region had when it was opened. That of a
// named region must not change meanwhile: then an array over the region has the
// pattern of the scope wherever both names meet, which code counts on.
//
// Cost: one visit per instance; two rounds over the calls without recursion.
// Programs without `where` are not looked at.
//
//===----------------------------------------------------------------------===//

#include "Sparse/SparseUses.h"

#include "Program/LegalityTable.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

namespace zpl::sema {

namespace {

//===----------------------------------------------------------------------===//
// Changes
//===----------------------------------------------------------------------===//

/// What a procedure, with those it calls, does to patterns.
struct Changes {
  llvm::MapVector<const Region *, SourceRange> regions;
  bool modifies = false; ///< by `modify`

  /// Adds; returns whether there was anything new.
  bool add(const Changes &other) {
    bool isNew = other.modifies && !modifies;
    modifies |= other.modifies;
    for (auto [region, range] : other.regions)
      isNew |= regions.insert({region, range}).second;
    return isNew;
  }
};
using ChangeTable = llvm::DenseMap<const Procedure *, Changes>;

/// The region whose pattern \p s changes, or null.
const RegionExpr *changedBy(const Stmt &s) {
  if (auto *assign = llvm::dyn_cast<PatternAssignStmt>(&s))
    return assign->target;
  if (auto *modify = llvm::dyn_cast<ModifyStmt>(&s))
    return modify->target;
  return nullptr;
}

class ChangeFinder : public Visitor {
public:
  explicit ChangeFinder(Changes &changes) : changes(changes) {}

protected:
  void onStmt(const Stmt &s) override {
    changes.modifies |= llvm::isa<ModifyStmt>(s);
    const RegionExpr *target = changedBy(s);
    if (target && target->region)
      changes.regions.insert({target->region, s.range});
  }

private:
  Changes &changes;
};

ChangeTable findChanges(const Program &program, const CallOrder &calls) {
  ChangeTable table;
  bool grew = false;
  for (const Procedure *procedure : program.procedures) {
    ChangeFinder(table[procedure]).visitProcedure(*procedure);
    grew |= !table[procedure].regions.empty() || table[procedure].modifies;
  }
  while (grew) {
    grew = false;
    for (const Procedure *procedure : calls.calleesFirst())
      for (const CallExpr *call : calls.callsOf(procedure)) {
        Changes callees = table[call->callee];
        grew |= table[procedure].add(callees);
      }
  }
  return table;
}

/// Reports changes within scopes of the region, and calls within `modify`.
class ChangeChecker : public Visitor {
public:
  ChangeChecker(const ChangeTable &table, DiagnosticEngine &diags)
      : table(table), diags(diags) {}

protected:
  void onOpen(const RegionExpr &region) override { open.push_back(&region); }
  void onClose(const RegionExpr &) override { open.pop_back(); }
  void onModifyEnd(const ModifyStmt &) override { modified.pop_back(); }
  void onStmt(const Stmt &s) override {
    const RegionExpr *target = changedBy(s);
    if (target && target->region)
      change(*target->region, s.range, SourceRange());
    if (auto *modify = llvm::dyn_cast<ModifyStmt>(&s))
      modified.push_back(modify);
  }
  void onCall(const CallExpr &call, unsigned) override {
    auto found = table.find(call.callee);
    if (found == table.end())
      return;
    for (auto [region, range] : found->second.regions)
      change(*region, call.range, range);
    if (found->second.modifies && !modified.empty())
      diags.report(call.range, Diag::ModifyInCall, call.callee->name)
          .note(modified.back()->target->range, Diag::ModifiedHere);
  }

private:
  /// \p region changes by what stands at \p range, in a call at \p inCall.
  void change(const Region &region, SourceRange range, SourceRange inCall) {
    for (const RegionExpr *scope : llvm::reverse(open)) {
      if (scope->region != &region)
        continue;
      auto report = diags.report(range, Diag::PatternInUse, region.name);
      if (inCall.isValid())
        report.note(inCall, Diag::PatternChanged, region.name);
      report.note(scope->range, Diag::CoveredHere);
      return;
    }
  }

  const ChangeTable &table;
  DiagnosticEngine &diags;
  std::vector<const RegionExpr *> open;
  std::vector<const ModifyStmt *> modified;
};

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

class SparseChecker : public PlaceVisitor {
public:
  SparseChecker(const Program &program, const Surveyor &surveyor,
                InstanceInfo &info, llvm::DenseSet<const void *> &reported,
                DiagnosticEngine &diags)
      : PlaceVisitor(program, surveyor, info), reported(reported),
        diags(diags) {}

  void store();

protected:
  void onRegion(const RegionExpr &region) override;
  void onExpr(const Expr &e) override {
    if (auto *irv = llvm::dyn_cast<IrvExpr>(&e))
      irvOf(*irv->array->array, e.range, &e);
  }
  void onIrvWrite(const IrvExpr &irv, SourceRange range) override {
    irvOf(*irv.array->array, range, &irv);
  }
  void onCall(const CallExpr &call, unsigned) override {
    for (unsigned i = 0; i != call.args.size(); ++i) {
      const Array *formal = arrayParam(*call.callee, i);
      if (formal && formal->declared)
        argument(call, i, *formal);
    }
  }

private:
  void irvOf(const Array &array, SourceRange range, const void *node);
  void argument(const CallExpr &call, unsigned i, const Array &formal);
  void addCalls(DiagnosticBuilder &report);
  void store(Symbol &symbol);

  llvm::DenseSet<const void *> &reported; ///< nodes
  DiagnosticEngine &diags;
};

/// The calls by which the instance came about.
void SparseChecker::addCalls(DiagnosticBuilder &report) {
  for (const InstanceInfo *at = &info; at->firstCall; at = at->firstCaller)
    report.note(at->firstCall->range, Diag::CalledFromHere,
                at->firstCall->callee->name);
}

void SparseChecker::onRegion(const RegionExpr &region) {
  bool adds = region.kind == RegionExpr::Of || region.kind == RegionExpr::User;
  if (adds && !isOfParameter(region) && survey(*region.base).isSparse &&
      reported.insert(&region).second) {
    auto report = diags.report(region.range, Diag::SparseRegionOp,
                               region.call ? region.call->callee->name : "of");
    addCalls(report);
  }
  if (region.kind != RegionExpr::Where)
    return;
  Shape shape = survey(*region.base).shape;
  for (unsigned d = 0; d != shape.size(); ++d) {
    if (!isPerProcessor(shape[d]) || !reported.insert(&region).second)
      continue;
    auto report =
        diags.report(region.range, Diag::PatternFlooded, d + 1, text(shape[d]));
    addCalls(report);
  }
}

void SparseChecker::irvOf(const Array &array, SourceRange range,
                          const void *node) {
  if (declaredPlace(array).isSparse || !reported.insert(node).second)
    return;
  auto report = diags.report(range, Diag::IrvOfDense, array.name);
  report.note(array.range, Diag::DeclaredHere, array.name);
  addCalls(report);
}

/// `[R] T` takes arrays over the index set of R.
void SparseChecker::argument(const CallExpr &call, unsigned i,
                             const Array &formal) {
  Place given = argumentPlace(call, i);
  CoverPlaces argument; // blank dimensions take any
  argument[formal.rank] = given;
  Place wanted = surveyor.survey(*formal.declared, {argument, argument});
  if (given.isSparse == wanted.isSparse ||
      !reported.insert(call.args[i]).second)
    return;
  auto nameOf = [](bool isSparse) { return isSparse ? "sparse" : "dense"; };
  auto report = diags.report(call.args[i]->range, Diag::SparseArgument,
                             nameOf(given.isSparse), formal.name,
                             nameOf(wanted.isSparse));
  report.note(formal.range, Diag::DeclaredHere, formal.name);
  addCalls(report);
}

//===----------------------------------------------------------------------===//
// Instances
//===----------------------------------------------------------------------===//

void SparseChecker::store(Symbol &symbol) {
  bool isOne = false;
  if (auto *array = llvm::dyn_cast<Array>(&symbol)) {
    isOne = declaredPlace(*array).isSparse;
  } else if (auto *region = llvm::dyn_cast<Region>(&symbol)) {
    RegionExpr named;
    named.kind = RegionExpr::Ref;
    named.rank = region->rank();
    named.region = region;
    isOne = surveyAtEntry(named).isSparse;
  }
  if (isOne)
    info.instance->sparse.insert(&symbol);
}

/// Notes what is sparse of what is declared by the procedure of the instance,
/// or by the program.
void SparseChecker::store() {
  auto isStatic = [](const Symbol *symbol) {
    auto *array = llvm::dyn_cast<Array>(symbol);
    return array && array->storage == Storage::Static;
  };
  if (const Procedure *procedure = info.instance->procedure) {
    for (Symbol *param : procedure->params)
      store(*param);
    for (Symbol *local : procedure->locals)
      if (!isStatic(local))
        store(*local);
    return;
  }
  for (Symbol *global : program.globals)
    store(*global);
  for (const Procedure *procedure : program.procedures)
    for (Symbol *local : procedure->locals)
      if (isStatic(local))
        store(*local);
}

} // namespace

void checkPatternChanges(const Program &program, const CallOrder &calls,
                         DiagnosticEngine &diags) {
  if (!program.hasSparse)
    return;
  ChangeTable table = findChanges(program, calls);
  ChangeChecker checker(table, diags);
  checker.visitInitializers(program);
  for (const Procedure *procedure : program.procedures)
    checker.visitProcedure(*procedure);
}

void checkSparseUses(const Program &program, const Surveyor &surveyor,
                     InstanceInfos &infos, DiagnosticEngine &diags) {
  if (!program.hasSparse)
    return;
  llvm::DenseSet<const void *> reported;
  for (auto &info : infos) {
    SparseChecker checker(program, surveyor, *info, reported, diags);
    checker.store();
    checker.run();
  }
}

} // namespace zpl::sema
