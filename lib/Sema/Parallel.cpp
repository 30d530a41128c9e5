//===- Parallel.cpp - Scalar and parallel procedures ----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A procedure is parallel if it uses regions, parallel arrays, array operators,
// I/O or timers, writes globals (static variables live as long), or calls a
// parallel procedure. All others are scalar: the same arguments give the same
// results on every processor, so they may run once per element. Timers count
// because their calls concern all processors at once.
//
//     procedure f(x: double): double; begin return x * n; end;   -- scalar
//     procedure g(x: double): double; begin n := x; ...          -- parallel
//
// The calls make it a fixed point: first what stands in each procedure, then
// callers of parallel procedures until nothing changes. Why a procedure is
// parallel is kept for messages.
//
//===----------------------------------------------------------------------===//

#include "Parallel.h"

#include "Walk.h"
#include "llvm/ADT/DenseMap.h"

namespace zpl::sema {

namespace {

/// Why a procedure is parallel.
struct Reason {
  SourceRange range;
  std::string what; ///< "writes 'n'"
};

/// What one procedure does.
struct Deeds {
  std::optional<Reason> reason;
  std::vector<const CallExpr *> calls;
};

class DeedFinder : public Visitor {
public:
  explicit DeedFinder(Deeds &deeds) : deeds(deeds) {}

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
  void onExpr(const Expr &e) override {
    if (auto *array = llvm::dyn_cast<ArrayExpr>(&e))
      note(e.range, "uses '" + array->array->name + "'");
    if (llvm::isa<TimerExpr>(e))
      note(e.range, "uses a timer");
  }
  void onStmt(const Stmt &s) override {
    if (llvm::isa<WriteStmt, HaltStmt>(s))
      note(s.range, "does output");
    if (llvm::isa<TimerStmt>(s))
      note(s.range, "uses a timer");
  }
  void onCall(const CallExpr &call, unsigned) override {
    deeds.calls.push_back(&call);
  }

private:
  void note(SourceRange range, std::string what) {
    if (!deeds.reason)
      deeds.reason = Reason{range, std::move(what)};
  }
  Deeds &deeds;
};

} // namespace

void classifyProcedures(Program &program, DiagnosticEngine &diags) {
  llvm::DenseMap<const Procedure *, Deeds> all;
  for (Procedure *procedure : program.procedures) {
    Deeds &deeds = all[procedure];
    for (const Symbol *param : procedure->params)
      if (llvm::isa<Array>(param) && !deeds.reason)
        deeds.reason = Reason{param->range, "takes '" + param->name + "'"};
    DeedFinder(deeds).visitProcedure(*procedure);
    procedure->isParallel = deeds.reason.has_value();
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (Procedure *procedure : program.procedures) {
      Deeds &deeds = all[procedure];
      for (const CallExpr *call : deeds.calls) {
        if (procedure->isParallel || !call->callee->isParallel)
          continue;
        deeds.reason =
            Reason{call->range, "calls '" + call->callee->name + "'"};
        procedure->isParallel = changed = true;
      }
    }
  }
  Deeds initializers;
  DeedFinder(initializers).visitInitializers(program);
  auto checkCalls = [&](const std::vector<const CallExpr *> &calls) {
    for (const CallExpr *call : calls) {
      if (!call->isArray() || !call->callee->isParallel)
        continue;
      const Reason &reason = *all[call->callee].reason;
      diags.report(call->range, Diag::PromotedParallel, call->callee->name)
          .note(reason.range, Diag::ParallelBecause, call->callee->name,
                reason.what);
    }
  };
  checkCalls(initializers.calls);
  for (const Procedure *procedure : program.procedures)
    checkCalls(all[procedure].calls);
}

} // namespace zpl::sema
