//===- MadeStrings.cpp - Strings made where they would travel -------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     procedure joined(a, b: string): string;
//     begin return a + b; end;
//
//     [R] s := joined<< A;                        an error
//     [R] scan A := A'@north + "x"; end;          an error
//     [R] scan A := max(A'@north, B); end;        right: elements
//
// A string that a processor makes is its own until the statement has ended; the
// combiner's results and what a wave stores are sent before that
// (docs/Runtime.md). What chooses among elements and literals makes none.
//
// Which procedures make strings is found by going through them until no more
// are found. Cost: linear in the code, times the depth of calls.
//
//===----------------------------------------------------------------------===//

#include "Program/MadeStrings.h"
#include "Tree/Walk.h"
#include "llvm/ADT/DenseSet.h"

namespace zpl::sema {

namespace {

using Procedures = llvm::DenseSet<const Procedure *>;

bool holdsStrings(Type type) {
  if (type == Type::Array)
    return holdsStrings(type.info()->element);
  if (type != Type::Record && type != Type::Union)
    return type == Type::String;
  return llvm::any_of(type.info()->fields, [](const TypeField &field) {
    return holdsStrings(field.type);
  });
}

/// Whether \p e itself, operands aside, makes a string.
bool makesString(const Expr &e, const Procedures &makers) {
  if (auto *call = llvm::dyn_cast<CallExpr>(&e))
    return makers.contains(call->callee) ||
           (call->callee->isExtern && holdsStrings(e.type));
  if (auto *sum = llvm::dyn_cast<BinaryExpr>(&e))
    return e.type == Type::String && sum->op == BinaryOp::Add;
  auto *builtin = llvm::dyn_cast<BuiltinExpr>(&e);
  return (llvm::isa<MathExpr>(e) && e.type == Type::String) ||
         (builtin && builtin->fn == Builtin::Split);
}

/// Whether a procedure makes strings.
class MakerFinder : public Visitor {
public:
  explicit MakerFinder(const Procedures &makers) : makers(makers) {}
  bool found = false;

protected:
  void onExpr(const Expr &e) override {
    found = found || makesString(e, makers);
  }

private:
  const Procedures &makers;
};

Procedures findMakers(const Program &program) {
  Procedures makers;
  for (bool grew = true; grew;) {
    grew = false;
    for (const Procedure *procedure : program.procedures) {
      MakerFinder finder(makers);
      finder.visitProcedure(*procedure);
      grew |= finder.found && makers.insert(procedure).second;
    }
  }
  return makers;
}

/// Whether strings of variables, which may be the processor's own, or new ones
/// come to be in the value.
bool mayBeOwn(const Expr &value, const Procedures &makers) {
  bool isOwn = false;
  forEachExpr(value, [&](const Expr &e) {
    bool isVariable = llvm::isa<VariableExpr>(e) && holdsStrings(e.type);
    isOwn |= isVariable || makesString(e, makers);
  });
  return isOwn;
}

class TravelChecker : public Visitor {
public:
  TravelChecker(const Procedures &makers, DiagnosticEngine &diags)
      : makers(makers), diags(diags) {}

protected:
  void onExpr(const Expr &e) override {
    const UserFold *fold = userFoldOf(e);
    if (fold && holdsStrings(fold->state->type) &&
        makers.contains(fold->combine->callee))
      diags.report(e.range, Diag::MadeInCombiner, fold->name).done();
  }
  void onStmt(const Stmt &s) override {
    if (auto *wave = llvm::dyn_cast<WaveStmt>(&s))
      for (const Stmt *inner : wave->body)
        checkWave(*inner);
  }

private:
  void checkWave(const Stmt &s) {
    auto *assign = llvm::dyn_cast<ArrayAssignStmt>(&s);
    if (assign && holdsStrings(assign->target->type) &&
        mayBeOwn(*assign->value, makers))
      diags.report(assign->value->range, Diag::MadeInWave).done();
    auto *call = llvm::dyn_cast<CallStmt>(&s);
    if (!call)
      return;
    for (unsigned k = 0; k != call->call->args.size(); ++k)
      if (holdsStrings(call->call->args[k]->type) &&
          mayBeOwn(*call->call, makers))
        return diags.report(call->range, Diag::MadeInWave).done();
  }

  const Procedures &makers;
  DiagnosticEngine &diags;
};

} // namespace

void checkMadeStrings(const Program &program, DiagnosticEngine &diags) {
  Procedures makers = findMakers(program);
  TravelChecker checker(makers, diags);
  checker.visitInitializers(program);
  for (const Procedure *procedure : program.procedures)
    checker.visitProcedure(*procedure);
}

} // namespace zpl::sema
