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
// regions.) From each call in an initializer the calls are followed, and what
// the procedures use is compared with the place of the initializer.
//
// Cost: for each call in a global initializer, the code that it reaches.
//
//===----------------------------------------------------------------------===//

#include "InitOrder.h"

#include "Walk.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace zpl::sema {

namespace {

/// What a procedure uses and calls.
class UseFinder : public Visitor {
public:
  llvm::SetVector<const Symbol *> used;
  llvm::SetVector<const Procedure *> called;

protected:
  void onExpr(const Expr &e) override {
    if (auto *array = llvm::dyn_cast<ArrayExpr>(&e))
      used.insert(array->array);
    if (auto *component = llvm::dyn_cast<ComponentExpr>(&e))
      used.insert(component->direction);
    auto *variable = llvm::dyn_cast<VariableExpr>(&e);
    if (variable && variable->variable->isConst)
      used.insert(variable->variable);
  }
  void onRegion(const RegionExpr &region) override {
    if (region.region)
      used.insert(region.region);
  }
  void onWrite(const ArrayExpr &array, unsigned) override {
    used.insert(array.array);
  }
  void onCall(const CallExpr &call, unsigned) override {
    called.insert(call.callee);
    for (unsigned i = 0; i != call.args.size(); ++i)
      if (passingOf(call, i) == Passing::Whole)
        used.insert(llvm::cast<ArrayExpr>(call.args[i])->array);
  }
};

/// Everything that running \p procedure uses.
llvm::SetVector<const Symbol *> usedBy(const Procedure &procedure) {
  UseFinder finder;
  finder.called.insert(&procedure);
  for (size_t i = 0; i != finder.called.size(); ++i)
    if (finder.called[i]->isParallel)
      finder.visitProcedure(*finder.called[i]);
  return std::move(finder.used);
}

void forEachInitializer(const Symbol &symbol,
                        llvm::function_ref<void(const Expr &)> visit) {
  if (auto *variable = llvm::dyn_cast<Variable>(&symbol);
      variable && variable->init)
    visit(*variable->init);
  if (auto *array = llvm::dyn_cast<Array>(&symbol); array && array->init)
    visit(*array->init);
  const RegionExpr *region = nullptr;
  if (auto *declared = llvm::dyn_cast<Region>(&symbol))
    region = declared->init;
  if (auto *array = llvm::dyn_cast<Array>(&symbol))
    region = array->declared;
  for (; region; region = region->base)
    for (const RegionDim &dim : region->dims)
      for (const Expr *bound : {dim.lo, dim.hi})
        if (bound)
          visit(*bound);
  if (auto *direction = llvm::dyn_cast<Direction>(&symbol))
    for (const auto &component : direction->components)
      visit(*component.init);
}

} // namespace

void checkInitOrder(const Program &program, DiagnosticEngine &diags) {
  llvm::DenseMap<const Symbol *, size_t> places;
  for (size_t i = 0; i != program.globals.size(); ++i)
    places[program.globals[i]] = i;
  auto checkCall = [&](const CallExpr &call, const Symbol &user) {
    for (const Symbol *used : usedBy(*call.callee)) {
      auto place = places.find(used);
      if (place == places.end() || place->second < places[&user])
        continue;
      diags
          .report(call.range, Diag::UsedTooEarly, call.callee->name, user.name,
                  used->name)
          .note(used->range, Diag::DeclaredHere, used->name);
      return;
    }
  };
  for (const Symbol *user : program.globals)
    forEachInitializer(*user, [&](const Expr &init) {
      forEachExpr(init, [&](const Expr &e) {
        if (auto *call = llvm::dyn_cast<CallExpr>(&e))
          checkCall(*call, *user);
      });
    });
}

} // namespace zpl::sema
