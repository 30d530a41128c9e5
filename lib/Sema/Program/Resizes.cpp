//===- Resizes.cpp - No array moves while it is in use --------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     var list: array [] of integer;
//     procedure add(inout x: integer) ... resize(list, size(list) + 1);
//
//     add(list[1]);               -- wrong: x would be where list was
//     list[2] := next();          -- wrong if next calls add
//     list[] := next();           -- the same
//     for list[1] := 1 to 3 do add(k); end;      -- wrong, too
//     k := list[1] + next();      -- fine: a number is read at once
//
// A statement *holds* a growable variable if it has a place in it that is
// assigned, read into, passed by reference, of aggregate type (such are passed
// by address), or selected by a hidden variable, as blank references are. It
// must not call what may resize that variable, directly or through others; of a
// `for` loop that counts in such a place, this holds of the whole body.
// Arguments are held by the callee as well, but the caller's statement has
// them, so nothing else is to be looked at.
//
// Only globals and statics can be resized by a callee. Which ones it resizes is
// a fixed point over the calls, one round, callees first, and another one for
// recursion. Programs without `resize` cost one walk.
//
//===----------------------------------------------------------------------===//

#include "Program/Resizes.h"

#include "Tree/Walk.h"
#include "Types/Types.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

namespace zpl::sema {

namespace {

/// What code may resize, and where, directly.
using Resized = llvm::MapVector<const Variable *, SourceRange>;

/// Finds what is resized, locals as well.
class ResizeFinder : public Visitor {
public:
  explicit ResizeFinder(Resized &found) : found(found) {}

protected:
  void onStmt(const Stmt &s) override {
    if (auto *resize = llvm::dyn_cast<ResizeStmt>(&s))
      found.insert({resize->target->variable, s.range});
  }

private:
  Resized &found;
};

using Summaries = llvm::DenseMap<const Procedure *, Resized>;

Summaries summarize(const Program &program, const CallOrder &calls) {
  Summaries summaries;
  bool grew = false;
  for (const Procedure *procedure : program.procedures) {
    ResizeFinder(summaries[procedure]).visitProcedure(*procedure);
    grew |= !summaries[procedure].empty();
  }
  while (grew) {
    grew = false;
    for (const Procedure *procedure : calls.calleesFirst())
      for (const CallExpr *call : calls.callsOf(procedure))
        for (auto [variable, range] : Resized(summaries[call->callee]))
          if (variable->storage != Storage::Local) // of another activation
            grew |= summaries[procedure].insert({variable, range}).second;
  }
  return summaries;
}

/// The growable variable that \p place is a part of, or null.
const Variable *growableRoot(const Expr &place) {
  auto *root = llvm::dyn_cast<VariableExpr>(rootOf(&place));
  return root && isGrowable(root->type) ? root->variable : nullptr;
}

/// Whether \p place, of \p root, is selected by a variable that Sema has made to
/// go through elements: not by the bounds of the array.
bool goesThrough(const Expr &place, const Variable &root) {
  bool found = false;
  forEachExpr(place, [&](const Expr &e) {
    auto *variable = llvm::dyn_cast<VariableExpr>(&e);
    if (!variable || !variable->variable->isHidden)
      return;
    found |= llvm::none_of(root.type.info()->hi, [&](TypeBound bound) {
      return bound.variable == variable->variable;
    });
  });
  return found;
}

/// Looks at each statement by itself.
class HoldFinder : public Visitor {
public:
  HoldFinder(const Summaries &summaries, DiagnosticEngine &diags)
      : summaries(summaries), diags(diags) {}

  void check(const Program &program) {
    visitInitializers(program);
    startStmt();
    for (const Procedure *procedure : program.procedures) {
      visitProcedure(*procedure);
      startStmt();
    }
  }

protected:
  void onStmt(const Stmt &s) override {
    startStmt();
    if (auto *loop = llvm::dyn_cast<ForStmt>(&s))
      checkLoop(*loop);
    // A condition that comes after the body is no part of its last statement.
    if (auto *loop = llvm::dyn_cast<RepeatStmt>(&s))
      forEachExpr(*loop->condition,
                  [&](const Expr &e) { conditions[&e] = loop->condition; });
  }
  void onLocal(const Symbol &) override { startStmt(); }
  void onScalarWrite(const Variable &variable, SourceRange range) override {
    if (isGrowable(variable.type))
      held.insert({&variable, range});
  }
  void onExpr(const Expr &e) override {
    if (const Expr *begins = conditions.lookup(&e); begins != condition) {
      startStmt();
      condition = begins;
    }
    if (auto *field = llvm::dyn_cast<FieldExpr>(&e))
      inner.insert(field->base);
    else if (auto *element = llvm::dyn_cast<SubscriptExpr>(&e))
      inner.insert(element->base);
    const Variable *root = growableRoot(e);
    if (root && !llvm::isa<VariableExpr>(e) &&
        (e.type.isAggregate() || goesThrough(e, *root)))
      places.push_back(&e);
  }
  void onCall(const CallExpr &call, unsigned) override {
    for (const Expr *arg : call.args)
      if (const Variable *root = growableRoot(*arg);
          root && arg->type.isAggregate())
        held.insert({root, arg->range});
    made.push_back(&call);
  }

private:
  /// A statement ends, and the next one begins.
  void startStmt() {
    // A number in a record is read at once.
    for (const Expr *place : places)
      if (!inner.contains(place))
        held.insert({growableRoot(*place), place->range});
    for (const CallExpr *call : made)
      for (auto [variable, range] : held)
        report(*call, *variable);
    held.clear();
    places.clear();
    inner.clear();
    made.clear();
    condition = nullptr;
  }

  /// Whether \p call may resize \p variable; says so.
  bool report(const CallExpr &call, const Variable &variable) {
    auto summary = summaries.find(call.callee);
    if (summary == summaries.end() || variable.storage == Storage::Local)
      return false; // each activation has its own
    auto resize = summary->second.find(&variable);
    if (resize == summary->second.end())
      return false;
    diags
        .report(call.range, Diag::ResizeInUse, call.callee->name, variable.name)
        .note(resize->second, Diag::ResizedHere, variable.name);
    return true;
  }

  /// What counts in a place must not move it.
  void checkLoop(const ForStmt &loop) {
    const Variable *root = growableRoot(*loop.variable);
    if (!root)
      return;
    class Body : public Visitor {
    public:
      Body(HoldFinder &finder, const Variable &root)
          : finder(finder), root(root) {}

    protected:
      void onCall(const CallExpr &call, unsigned) override {
        finder.report(call, root);
      }
      void onStmt(const Stmt &s) override {
        auto *resize = llvm::dyn_cast<ResizeStmt>(&s);
        if (resize && resize->target->variable == &root)
          finder.diags.report(s.range, Diag::ResizeInLoop, root.name).done();
      }

    private:
      HoldFinder &finder;
      const Variable &root;
    };
    BlockStmt block(loop.range);
    block.body = loop.body;
    Procedure code("", loop.range);
    code.body = &block;
    Body(*this, *root).visitProcedure(code);
  }

  const Summaries &summaries;
  DiagnosticEngine &diags;
  Resized held;
  std::vector<const Expr *> places;   ///< held unless they are in `inner`
  llvm::DenseSet<const Expr *> inner; ///< of what a part is meant
  std::vector<const CallExpr *> made;
  /// The condition of a `repeat` that each of its parts belongs to, and the one
  /// at hand.
  llvm::DenseMap<const Expr *, const Expr *> conditions;
  const Expr *condition = nullptr;
};

} // namespace

void checkResizes(const Program &program, const CallOrder &calls,
                  DiagnosticEngine &diags) {
  Summaries summaries = summarize(program, calls);
  auto isEmpty = [](const auto &summary) { return summary.second.empty(); };
  if (llvm::all_of(summaries, isEmpty))
    return;
  HoldFinder(summaries, diags).check(program);
}

} // namespace zpl::sema
