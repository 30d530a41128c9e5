//===- Effects.cpp - Which procedures write which arrays ------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     procedure smooth(inout U: [ , ] double; F: [ , ] double);
//
//     smooth(A, B)     no copy of B: smooth writes only what U is
//     smooth(A, A)     a copy of the second A
//     smooth(C, B)     none either, unless smooth writes the global B
//
// Two fixed points over the calls. Effects: a procedure writes what stands in
// its assignments, what its callees write among the globals, and the arrays it
// passes for parameters that are written. Roots: a parameter may be any array
// that is passed for it somewhere, or what a parameter passed for it may be.
// Both ignore on which path a call is made; that only costs a copy too many.
//
// An argument by value is copied if its storage could be written while the
// callee runs: by the callee's own assignments to an `in` parameter, through a
// global name, or through another argument by reference.
//
// Cost: a few rounds over the calls; sets have as many elements as the program
// has arrays.
//
//===----------------------------------------------------------------------===//

#include "Effects.h"

#include "Walk.h"

namespace zpl::sema {

namespace {

bool outlivesCalls(const Array &array) {
  return array.storage == Storage::Global || array.storage == Storage::Static;
}

/// The array passed as a whole, or null.
const Array *wholeArgument(const CallExpr &call, unsigned i) {
  if (passingOf(call, i) != Passing::Whole)
    return nullptr;
  return llvm::cast<ArrayExpr>(call.args[i])->array;
}

} // namespace

/// What stands in one procedure.
class Effects::Collector : public Visitor {
public:
  Collector(Effects &effects, const Procedure *procedure)
      : effects(effects), procedure(procedure) {}

protected:
  void onExpr(const Expr &e) override {
    if (auto *array = llvm::dyn_cast<ArrayExpr>(&e))
      touch(*array->array);
  }
  void onWrite(const ArrayExpr &array, unsigned) override {
    touch(*array.array);
    if (array.array->storage != Storage::Local)
      effects.sets[procedure].written.insert(array.array);
  }
  void onCall(const CallExpr &call, unsigned) override {
    // The nodes are the program's, whose construction ends with Sema.
    effects.calls.emplace_back(procedure, const_cast<CallExpr *>(&call));
    for (unsigned i = 0; i != call.args.size(); ++i)
      if (const Array *array = wholeArgument(call, i))
        touch(*array);
  }

private:
  void touch(const Array &array) {
    if (outlivesCalls(array))
      effects.sets[procedure].touched.insert(&array);
  }
  Effects &effects;
  const Procedure *procedure;
};

Effects::Effects(const Program &program) {
  Collector(*this, nullptr).visitInitializers(program);
  for (const Procedure *procedure : program.procedures)
    Collector(*this, procedure).visitProcedure(*procedure);
  propagateEffects();
  propagateRoots();
}

void Effects::propagateEffects() {
  for (bool changed = true; changed;) {
    changed = false;
    for (auto &[caller, call] : calls) {
      Sets from = sets.lookup(call->callee);
      Sets &to = sets[caller];
      for (const Array *array : from.touched)
        changed |= to.touched.insert(array);
      for (const Array *array : from.written)
        if (outlivesCalls(*array))
          changed |= to.written.insert(array);
      for (unsigned i = 0; i != call->args.size(); ++i) {
        const Array *array = wholeArgument(*call, i);
        if (!array || array->storage == Storage::Local)
          continue;
        const Array *formal = arrayParam(*call->callee, i);
        // By value, what is written is a copy.
        if (isByReference(formal->mode) && from.written.contains(formal))
          changed |= to.written.insert(array);
      }
    }
  }
}

void Effects::propagateRoots() {
  for (bool changed = true; changed;) {
    changed = false;
    for (auto &[caller, call] : calls)
      for (unsigned i = 0; i != call->args.size(); ++i)
        if (const Array *array = wholeArgument(*call, i)) {
          llvm::SetVector<const Array *> passed = rootsOf(*array);
          auto &known = roots[arrayParam(*call->callee, i)];
          for (const Array *root : passed)
            changed |= known.insert(root);
        }
  }
}

llvm::SetVector<const Array *> Effects::rootsOf(const Array &array) const {
  if (array.storage == Storage::Param)
    return roots.lookup(&array);
  llvm::SetVector<const Array *> own;
  own.insert(&array);
  return own;
}

bool Effects::writes(const Procedure &procedure, const Array &array) const {
  auto found = sets.find(&procedure);
  return found != sets.end() && found->second.written.contains(&array);
}

const llvm::SetVector<const Array *> &
Effects::touchedGlobals(const Procedure &procedure) const {
  auto found = sets.find(&procedure);
  return found != sets.end() ? found->second.touched : nothing.touched;
}

bool Effects::mayBeSame(const Array &a, const Array &b) const {
  if (&a == &b)
    return true;
  llvm::SetVector<const Array *> left = rootsOf(a), right = rootsOf(b);
  return llvm::any_of(left,
                      [&](const Array *root) { return right.contains(root); });
}

bool Effects::needsCopy(const CallExpr &call, unsigned argument) const {
  const Array *array = wholeArgument(call, argument);
  if (!array)
    return false;
  const Procedure &callee = *call.callee;
  const Array *formal = arrayParam(callee, argument);
  if (isByReference(formal->mode))
    return false;
  if (writes(callee, *formal))
    return true;
  for (const Array *global : touchedGlobals(callee))
    if (writes(callee, *global) && mayBeSame(*array, *global))
      return true;
  for (unsigned i = 0; i != call.args.size(); ++i) {
    const Array *other = wholeArgument(call, i);
    const Array *otherFormal = arrayParam(callee, i);
    if (i != argument && other && isByReference(otherFormal->mode) &&
        writes(callee, *otherFormal) && mayBeSame(*array, *other))
      return true;
  }
  return false;
}

void Effects::setCopies() const {
  for (auto &[caller, call] : calls)
    for (unsigned i = 0; i != call->args.size(); ++i)
      call->copies[i] = needsCopy(*call, i);
}

bool Effects::makesAliases(const CallExpr &call, bool callerAliases) const {
  const Procedure &callee = *call.callee;
  auto isSame = [&](const Array &a, const Array &b) {
    return &a == &b || (callerAliases && mayBeSame(a, b));
  };
  for (unsigned i = 0; i != call.args.size(); ++i) {
    const Array *array = wholeArgument(call, i);
    if (!array || call.copies[i])
      continue;
    bool isWritten = writes(callee, *arrayParam(callee, i));
    for (const Array *global : touchedGlobals(callee))
      if (isSame(*array, *global) && (isWritten || writes(callee, *global)))
        return true;
    for (unsigned j = i + 1; j != call.args.size(); ++j) {
      const Array *other = wholeArgument(call, j);
      if (other && !call.copies[j] && isSame(*array, *other) &&
          (isWritten || writes(callee, *arrayParam(callee, j))))
        return true;
    }
  }
  return false;
}

} // namespace zpl::sema
