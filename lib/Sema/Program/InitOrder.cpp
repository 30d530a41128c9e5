//===- InitOrder.cpp - Initializers that use what comes later -------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     prototype total(): integer;
//     var first: integer = total();         -- total works on A
//     region R = [1..4];  var A: [R] integer;
//
// What an initializer calls sees later variables with their zero values. A
// region that is not evaluated yet or an array without storage has no such
// value, and legality has been proven with the values that constants get, so
// parallel procedures must not meet them too early. (A scalar procedure has no
// regions.) For each procedure the last declaration is found that running it
// uses, callees first, and compared with the place of the initializers that
// call it.
//
// Cost: linear in the code; two rounds over the calls without recursion.
//
//===----------------------------------------------------------------------===//

#include "Program/InitOrder.h"

#include "Tree/Walk.h"
#include "llvm/ADT/DenseMap.h"

namespace zpl::sema {

namespace {

using Places = llvm::DenseMap<const Symbol *, size_t>;

/// The last declaration, by its place among the globals from 1 on, that code
/// uses.
class LastUse : public Visitor {
public:
  explicit LastUse(const Places &places) : places(places) {}
  size_t last = 0;

protected:
  void onExpr(const Expr &e) override {
    if (auto *array = llvm::dyn_cast<ArrayExpr>(&e))
      use(array->array);
    if (auto *component = llvm::dyn_cast<ComponentExpr>(&e))
      use(component->direction);
    auto *variable = llvm::dyn_cast<VariableExpr>(&e);
    if (variable && variable->variable->isConst)
      use(variable->variable);
  }
  void onRegion(const RegionExpr &region) override {
    if (region.region)
      use(region.region);
    if (region.array)
      use(region.array);
  }
  void onWrite(const ArrayExpr &array, unsigned) override { use(array.array); }
  void onRemap(const ArrayExpr &array, llvm::ArrayRef<Map>, unsigned,
               bool) override {
    use(array.array);
  }
  void onStmt(const Stmt &s) override {
    if (auto *boundary = llvm::dyn_cast<BoundaryStmt>(&s))
      for (const ArrayExpr *array : boundary->arrays)
        use(array->array);
  }
  void onCall(const CallExpr &call, unsigned) override {
    for (unsigned i = 0; i != call.args.size(); ++i)
      if (const ArrayExpr *whole = wholeArgument(call, i))
        use(whole->array);
  }

private:
  void use(const Symbol *symbol) {
    last = std::max(last, places.lookup(symbol));
  }
  const Places &places;
};

/// Hears the calls in initializers, each with the symbol it is for.
class InitCalls : public Visitor {
public:
  std::vector<std::pair<const Symbol *, const CallExpr *>> calls;

  void find(const Program &program) {
    Procedure code("", SourceRange());
    code.locals = program.globals;
    visitProcedure(code);
  }

protected:
  void onLocal(const Symbol &symbol) override { current = &symbol; }
  void onCall(const CallExpr &call, unsigned) override {
    calls.push_back({current, &call});
  }

private:
  const Symbol *current = nullptr;
};

/// What \p user is made for: itself, or the named symbol after it if it is a
/// hidden variable.
const Symbol &namedFrom(llvm::ArrayRef<Symbol *> globals, const Symbol *user) {
  auto isNamed = [](const Symbol *symbol) {
    auto *variable = llvm::dyn_cast<Variable>(symbol);
    return !variable || !variable->isHidden;
  };
  auto from = std::find(globals.begin(), globals.end(), user);
  auto named = std::find_if(from, globals.end(), isNamed);
  return named == globals.end() ? *user : **named;
}

} // namespace

void checkInitOrder(const Program &program, const CallOrder &order,
                    DiagnosticEngine &diags) {
  InitCalls initializers;
  initializers.find(program);
  if (initializers.calls.empty())
    return;
  Places places;
  for (size_t i = 0; i != program.globals.size(); ++i)
    places[program.globals[i]] = i + 1;
  llvm::DenseMap<const Procedure *, size_t> last;
  for (const Procedure *procedure : order.calleesFirst())
    if (procedure->isParallel) {
      LastUse use(places);
      use.visitProcedure(*procedure);
      last[procedure] = use.last;
    }
  for (bool changed = true; changed;) {
    changed = false;
    for (const Procedure *procedure : order.calleesFirst())
      for (const CallExpr *call : order.callsOf(procedure)) {
        size_t theirs = last.lookup(call->callee);
        if (theirs <= last.lookup(procedure))
          continue;
        last[procedure] = theirs;
        changed = true;
      }
  }
  for (auto [user, call] : initializers.calls) {
    size_t place = last.lookup(call->callee);
    if (place < places.lookup(user) || place == 0)
      continue;
    const Symbol *used = program.globals[place - 1];
    diags
        .report(call->range, Diag::UsedTooEarly, call->callee->name,
                namedFrom(program.globals, user).name, used->name)
        .note(used->range, Diag::DeclaredHere, used->name);
  }
}

} // namespace zpl::sema
