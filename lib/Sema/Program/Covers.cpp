//===- Covers.cpp - Covering regions that calls provide -------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     procedure sweep();                     -- needs rank 2 from its caller
//     begin A := B@east; end;
//     procedure step();                      -- needs rank 2, for sweep
//     begin sweep(); [V] X := 1; end;
//     procedure main();                      -- must not need any
//     begin [R] step(); end;
//
// A procedure needs a rank if its result is an array of it, if something of
// that rank stands in it outside of its own scopes (the operands of floods and
// partial reductions have the source as theirs), if it inherits the mask of
// that rank, or if it calls, outside of its scopes of that rank, a procedure
// that does. This is a least fixed point
// over the calls: start with what stands in each procedure, and pass on,
// callees first, until nothing changes. Blank dimensions of a parameter are its
// argument's. What the entry procedure, an initializer, or a procedure bound to
// the elements of an array still needs, nobody provides: the statement is
// reported, with the calls on the way to it.
//
// Cost: rounds linear in the calls, two without recursion.
//
//===----------------------------------------------------------------------===//

#include "Program/Covers.h"

#include "Tree/Walk.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace zpl::sema {

namespace {

/// What one piece of code asks of whoever covers it.
struct Needs {
  struct Use {
    unsigned rank;
    SourceRange range;
  };
  struct Call {
    const CallExpr *call;
    RankSet visible; ///< ranks of the scopes around it
  };
  struct Bind {
    const Procedure *procedure;
    SourceRange range;
  };
  std::vector<Use> uses;
  std::vector<Call> calls;
  std::vector<Bind> binds; ///< calls by input and output
  bool hasSources = false;
};

class NeedCollector : public Visitor {
public:
  explicit NeedCollector(Needs &needs) : needs(needs) {}

  void collect(const Procedure &procedure) {
    for (const Symbol *param : procedure.params)
      if (auto *array = llvm::dyn_cast<Array>(param))
        if (array->declared)
          ofParams.insert(array->declared);
    visitProcedure(procedure);
  }

protected:
  void onOpen(const RegionExpr &region) override { ++open[region.rank]; }
  void onClose(const RegionExpr &region) override { --open[region.rank]; }
  void onCover(unsigned rank, SourceRange range) override {
    if (open[rank] == 0 && !isPartOfLast(rank, range))
      needs.uses.push_back({rank, range});
  }
  void onRegion(const RegionExpr &region) override {
    bool inherits = region.kind == RegionExpr::Quote ||
                    llvm::any_of(region.dims, [](const RegionDim &dim) {
                      return dim.kind == RegionDim::Blank;
                    });
    if (inherits && !ofParams.contains(&region))
      onCover(region.rank, region.range);
  }
  void onExpr(const Expr &e) override {
    auto *reduce = llvm::dyn_cast<ReduceExpr>(&e);
    needs.hasSources |=
        llvm::isa<FloodExpr>(e) || (reduce && reduce->source != nullptr);
    // The scope that it masks is open.
    if (llvm::isa<EnclosingMaskExpr>(e) && open[e.rank] == 1)
      needs.uses.push_back({e.rank, e.range});
  }
  void onCall(const CallExpr &call, unsigned) override {
    RankSet visible;
    for (unsigned rank = 1; rank <= MaxRank; ++rank)
      visible[rank] = open[rank] != 0;
    needs.calls.push_back({&call, visible});
  }
  void onStmt(const Stmt &s) override {
    auto *bind = llvm::dyn_cast<BindIoStmt>(&s);
    if (bind && bind->procedure)
      needs.binds.push_back({bind->procedure, bind->range});
  }

private:
  /// One message is enough for `+<< f()`.
  bool isPartOfLast(unsigned rank, SourceRange range) const {
    if (needs.uses.empty())
      return false;
    const Needs::Use &last = needs.uses.back();
    return last.rank == rank && last.range.file == range.file &&
           last.range.begin <= range.begin && range.end <= last.range.end;
  }

  Needs &needs;
  std::array<unsigned, MaxRank + 1> open{};
  llvm::DenseSet<const RegionExpr *> ofParams;
};

/// Follows the calls from a root to what is not covered.
class Reporter {
public:
  Reporter(const llvm::DenseMap<const Procedure *, Needs> &needs,
           const NeededCovers &needed, DiagnosticEngine &diags)
      : needs(needs), needed(needed), diags(diags) {}

  void report(const Needs &code, RankSet missing) {
    for (const Needs::Use &use : code.uses)
      if (missing[use.rank])
        reportUse(use);
    for (const Needs::Call &call : code.calls)
      reportCall(*call.call->callee, call.call->range, missing & ~call.visible);
  }

  /// What a procedure needs that is called or bound at \p range.
  void reportCall(const Procedure &callee, SourceRange range, RankSet missing) {
    RankSet passed = missing & needed.lookup(&callee).ranks & ~seen[&callee];
    if (passed.none())
      return;
    seen[&callee] |= passed;
    path.push_back({callee.name, range});
    report(needs.find(&callee)->second, passed);
    path.pop_back();
  }

private:
  void reportUse(const Needs::Use &use) {
    auto message = diags.report(use.range, Diag::NotCovered, use.rank);
    for (auto [callee, range] : llvm::reverse(path))
      message.note(range, Diag::CalledFromHere, callee);
  }

  const llvm::DenseMap<const Procedure *, Needs> &needs;
  const NeededCovers &needed;
  DiagnosticEngine &diags;
  llvm::DenseMap<const Procedure *, RankSet> seen;
  std::vector<std::pair<llvm::StringRef, SourceRange>> path;
};

} // namespace

NeededCovers findNeededCovers(const Program &program, const Procedure &entry,
                              const CallOrder &order, DiagnosticEngine &diags) {
  llvm::DenseMap<const Procedure *, Needs> needs;
  NeededCovers needed;
  for (const Procedure *procedure : program.procedures) {
    Needs &own = needs[procedure];
    NeedCollector(own).collect(*procedure);
    Needed &all = needed[procedure];
    for (const Needs::Use &use : own.uses)
      all.ranks.set(use.rank);
    if (procedure->resultRank != 0)
      all.ranks.set(procedure->resultRank);
    all.hasSources = own.hasSources;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const Procedure *procedure : order.calleesFirst()) {
      Needed all = needed.lookup(procedure);
      for (const Needs::Call &call : needs.find(procedure)->second.calls) {
        Needed theirs = needed.lookup(call.call->callee);
        all.ranks |= theirs.ranks & ~call.visible;
        all.hasSources |= theirs.hasSources;
      }
      changed |= all != needed.lookup(procedure);
      needed[procedure] = all;
    }
  }
  RankSet any;
  any.set();
  Needs initializers;
  NeedCollector(initializers).visitInitializers(program);
  Reporter reporter(needs, needed, diags);
  reporter.report(initializers, any);
  reporter.report(needs.find(&entry)->second, any);
  for (const Procedure *procedure : program.procedures)
    for (const Needs::Bind &bind : needs.find(procedure)->second.binds)
      reporter.reportCall(*bind.procedure, bind.range, any);
  return needed;
}

} // namespace zpl::sema
