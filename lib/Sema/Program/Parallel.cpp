//===- Parallel.cpp - Scalar and parallel procedures ----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A procedure is parallel if it uses regions, parallel arrays, array operators,
// I/O, grids or timers, writes globals (static variables live as long), calls a
// parallel procedure, or is the one the program begins with. All others are
// scalar: the same arguments give the same results on every processor, so they
// may run once per element. Timers count because their calls concern all
// processors at once.
//
//     procedure f(x: double): double; begin return x * n; end;   -- scalar
//     procedure g(x: double): double; begin n := x; ...          -- parallel
//
// Reading and functions that are not functions of their arguments (`random`,
// `open`) count for the same reason. Procedures of C are scalar.
//
// The calls make it a fixed point: first what stands in each procedure, then
// callers of parallel procedures, callees first, until nothing changes. Why a
// procedure is parallel is kept for messages.
//
// Cost: linear in the code; two rounds over the calls without recursion.
//
//===----------------------------------------------------------------------===//

#include "Program/Parallel.h"

#include "Tree/Walk.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/ErrorHandling.h"

namespace zpl::sema {

BuiltinDeed deedOf(Builtin fn) {
  switch (fn) {
  case Builtin::Open:
  case Builtin::Close:
  case Builtin::Eof:
  case Builtin::OpenPicture:
  case Builtin::FileRank:
  case Builtin::FileShape:
  case Builtin::FileElement:
  case Builtin::OpenCheckpoint:
  case Builtin::OpenRestart:
  case Builtin::Restarted:
  case Builtin::CheckpointItem:
    return {"works on files", "work on files"};
  case Builtin::Random:
    return {"calls 'random'", "'random'"};
  case Builtin::Split:
    return {"calls 'split'", "'split'"};
  case Builtin::Date:
  case Builtin::Environment:
  case Builtin::Arguments:
  case Builtin::Argument:
    return {"asks processor 0 how the program is run",
            "a question to processor 0"};
  case Builtin::GridExtent: // GridPlaceExprs
  case Builtin::GridPlace:
    break;
  }
  llvm_unreachable("unknown function");
}

namespace {

/// Why a procedure is parallel.
struct Reason {
  SourceRange range;
  std::string what;                  ///< "writes 'n'"
  const Procedure *callee = nullptr; ///< the parallel one that it calls
};

class DeedFinder : public Visitor {
public:
  std::optional<Reason> reason;

protected:
  void onRegion(const RegionExpr &region) override {
    note(region.range, "uses a region");
  }
  void onCover(unsigned, SourceRange range) override {
    note(range, "works on parallel arrays");
  }
  void onLocal(const Symbol &symbol) override {
    if (llvm::isa<Array, Region>(symbol))
      note(symbol.range, "uses '" + symbol.name + "'");
  }
  void onScalarWrite(const Variable &variable, SourceRange range) override {
    if (variable.storage == Storage::Global ||
        variable.storage == Storage::Static)
      note(range, "writes '" + variable.name + "'");
  }
  void onIrvWrite(const IrvExpr &irv, SourceRange range) override {
    note(range, "writes '" + irv.array->array->name + "'");
  }
  void onExpr(const Expr &e) override {
    if (auto *array = llvm::dyn_cast<ArrayExpr>(&e))
      note(e.range, "uses '" + array->array->name + "'");
    if (auto *irv = llvm::dyn_cast<IrvExpr>(&e))
      note(e.range, "uses '" + irv->array->array->name + "'");
    if (llvm::isa<TimerExpr>(e))
      note(e.range, "uses a timer");
    if (auto *place = llvm::dyn_cast<GridPlaceExpr>(&e))
      note(e.range, "asks for grid '" + place->grid->name + "'");
    if (auto *reduce = llvm::dyn_cast<ReduceExpr>(&e);
        reduce && reduce->operandRank == 0)
      note(e.range, "combines values of all processors");
    if (auto *builtin = llvm::dyn_cast<BuiltinExpr>(&e))
      note(e.range, deedOf(builtin->fn).does);
  }
  void onStmt(const Stmt &s) override {
    if (llvm::isa<WriteStmt, HaltStmt>(s))
      note(s.range, "does output");
    if (llvm::isa<ReadStmt, BindIoStmt>(s))
      note(s.range, "does input");
    if (llvm::isa<TimerStmt>(s))
      note(s.range, "uses a timer");
    if (auto *assign = llvm::dyn_cast<RedistributeStmt>(&s))
      note(s.range, "writes '" + assign->target->name + "'");
  }

private:
  void note(SourceRange range, std::string what) {
    if (!reason)
      reason = Reason{range, std::move(what)};
  }
};

using Reasons = llvm::DenseMap<const Procedure *, Reason>;

/// \p call: of a step of a user-defined operator, which is not a procedure to
/// the user.
void reportStep(const CallExpr &call, const Reasons &reasons,
                llvm::DenseSet<std::pair<unsigned, const Procedure *>> &known,
                DiagnosticEngine &diags) {
  const Procedure *of = call.callee->stepOf;
  if (!known.insert({call.range.begin, of}).second)
    return; // accumulator and combiner may be one
  const Reason &why = reasons.find(of)->second;
  diags
      .report(call.range,
              call.callee->isOrder ? Diag::SortParallel : Diag::FoldParallel,
              of->name)
      .note(why.range, Diag::ParallelBecause, of->name, why.what);
}

/// Reports parallel procedures that C is given.
void checkCallbacks(const Program &program, const CallOrder &calls,
                    const Reasons &reasons, DiagnosticEngine &diags) {
  for (const Procedure *procedure : program.procedures)
    for (const CallExpr *call : calls.callsOf(procedure)) {
      if (!procedure->isExtern || !call->callee->isParallel)
        continue;
      const Reason &reason = reasons.find(call->callee)->second;
      diags.report(call->range, Diag::CallbackParallel, call->callee->name)
          .note(reason.range, Diag::ParallelBecause, call->callee->name,
                reason.what);
    }
}

/// Reports parallel procedures that distribute a dimension.
void checkOwners(const Program &program, const Reasons &reasons,
                 DiagnosticEngine &diags) {
  for (const Symbol *symbol : program.globals) {
    auto *distribution = llvm::dyn_cast<Distribution>(symbol);
    if (!distribution)
      continue;
    for (const Distribution::Dim &dim : distribution->dims) {
      if (!dim.owner || !dim.owner->callee->isParallel)
        continue;
      const Procedure *owner = dim.owner->callee;
      const Reason &reason = reasons.find(owner)->second;
      diags.report(dim.range, Diag::OwnerParallel, owner->name)
          .note(reason.range, Diag::ParallelBecause, owner->name, reason.what);
    }
  }
}

void checkCalls(llvm::ArrayRef<const CallExpr *> calls, const Reasons &reasons,
                DiagnosticEngine &diags) {
  llvm::DenseSet<std::pair<unsigned, const Procedure *>> steps;
  for (const CallExpr *call : calls) {
    if (call->callee->isParallel && call->callee->stepOf) {
      reportStep(*call, reasons, steps, diags);
      continue;
    }
    if (!call->callee->isParallel || !isPromoted(*call))
      continue;
    const Reason &reason = reasons.find(call->callee)->second;
    if (call->callee->isShard) { // which is not a procedure to the user
      auto report =
          diags.report(reason.range, Diag::ShatteredParallel, reason.what);
      if (auto why = reasons.find(reason.callee); why != reasons.end())
        report.note(why->second.range, Diag::ParallelBecause,
                    reason.callee->name, why->second.what);
      continue;
    }
    diags.report(call->range, Diag::PromotedParallel, call->callee->name)
        .note(reason.range, Diag::ParallelBecause, call->callee->name,
              reason.what);
  }
}

/// Reports calls of parallel procedures in scan blocks, but for promoted ones,
/// which are never right.
class WaveCallChecker : public Visitor {
public:
  WaveCallChecker(const Reasons &reasons, DiagnosticEngine &diags)
      : reasons(reasons), diags(diags) {}

protected:
  void onStmt(const Stmt &s) override {
    auto check = [&](const Expr &e) {
      auto *call = llvm::dyn_cast<CallExpr>(&e);
      if (!call || !call->callee->isParallel || isPromoted(*call))
        return;
      const Reason &reason = reasons.find(call->callee)->second;
      diags.report(call->range, Diag::WaveParallelCall, call->callee->name)
          .note(reason.range, Diag::ParallelBecause, call->callee->name,
                reason.what);
    };
    auto *wave = llvm::dyn_cast<WaveStmt>(&s);
    if (!wave)
      return;
    for (const Stmt *inner : wave->body) {
      if (auto *assign = llvm::dyn_cast<ArrayAssignStmt>(inner)) {
        forEachExpr(*assign->target, check);
        forEachExpr(*assign->value, check);
      } else {
        forEachExpr(*llvm::cast<CallStmt>(inner)->call, check);
      }
    }
  }

private:
  const Reasons &reasons;
  DiagnosticEngine &diags;
};

/// What stands in the procedure itself.
std::optional<Reason> ownReason(const Procedure &procedure,
                                const Procedure &entry) {
  if (&procedure == &entry)
    return Reason{procedure.range, "is the program"};
  for (const Symbol *param : procedure.params)
    if (llvm::isa<Array>(param))
      return Reason{param->range, "takes '" + param->name + "'"};
  if (procedure.resultRank != 0)
    return Reason{procedure.range, "returns a parallel array"};
  DeedFinder finder;
  finder.visitProcedure(procedure);
  return finder.reason;
}

} // namespace

void classifyProcedures(Program &program, const Procedure &entry,
                        const CallOrder &calls, DiagnosticEngine &diags) {
  Reasons reasons;
  for (Procedure *procedure : program.procedures)
    if (std::optional<Reason> reason = ownReason(*procedure, entry)) {
      procedure->isParallel = true;
      reasons[procedure] = std::move(*reason);
    }
  for (bool changed = true; changed;) {
    changed = false;
    for (Procedure *procedure : calls.calleesFirst())
      for (const CallExpr *call : calls.callsOf(procedure)) {
        if (procedure->isParallel || !call->callee->isParallel)
          continue;
        reasons[procedure] = {call->range, "calls '" + call->callee->name + "'",
                              call->callee};
        procedure->isParallel = changed = true;
      }
  }
  for (const Procedure *procedure : program.procedures)
    if (procedure->isRegionOp && procedure->isParallel) {
      const Reason &reason = reasons.find(procedure)->second;
      diags.report(procedure->range, Diag::RegionOpParallel, procedure->name)
          .note(reason.range, Diag::ParallelBecause, procedure->name,
                reason.what);
    }
  checkOwners(program, reasons, diags);
  checkCallbacks(program, calls, reasons, diags);
  checkCalls(callsOfInitializers(program), reasons, diags);
  WaveCallChecker waves(reasons, diags);
  for (const Procedure *procedure : program.procedures) {
    checkCalls(calls.callsOf(procedure), reasons, diags);
    waves.visitProcedure(*procedure);
  }
}

} // namespace zpl::sema
