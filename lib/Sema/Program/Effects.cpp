//===- Effects.cpp - Which procedures write what --------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     procedure smooth(inout U: [ , ] double; F: [ , ] double);
//     procedure move(p: point; inout x: double);
//
//     smooth(A, B)     no copy of B: smooth writes only what U is
//     smooth(A, A)     a copy of the second A
//     smooth(C, B)     none either, unless smooth writes the global B
//     move(q, q.x)     a copy of q
//
// Things are parallel arrays and variables that are aggregates; scalars by
// value are copied anyway. Each has a number, and sets of them are bits. Two
// fixed points over the calls. Effects: a procedure writes what stands in its
// assignments, what its callees write among the globals, and the things it
// passes for parameters that are written. Roots: a parameter may be anything
// that is passed for it somewhere, or what a parameter passed for it may be.
// Both ignore on which path a call is made; that only costs a copy too many.
//
// Members of a family count as one thing, but `U[l]` and `U[l-1]` in one call
// are two arrays. Arrays that follow a region variable are written wherever a
// region variable is assigned.
//
// Arrays passed by reference to one call may be one array. What surely is,
// `smooth(A, A)` or `smooth(U[l], U[l])`, gets one name in the callee's
// instance; of the others the instance is told that they are aliases.
//
// An argument by value is copied if its storage could be written while the
// callee runs: by the callee's own assignments to an `in` parameter, through a
// global name, or through another argument by reference.
//
// Cost: two rounds over the calls where there is no recursion, callees first
// (roots: callers first), each a few words per call.
//
//===----------------------------------------------------------------------===//

#include "Program/Effects.h"
#include "Tree/Builder.h"

#include "Arrays/Followers.h"
#include "Check/Calls.h"
#include "Tree/LinearForm.h"
#include "Tree/Walk.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include <algorithm>

namespace zpl::sema {

namespace {

Storage storageOf(const Symbol &symbol) {
  if (auto *array = llvm::dyn_cast<Array>(&symbol))
    return array->storage;
  return llvm::cast<Variable>(symbol).storage;
}

bool outlivesCalls(const Symbol &symbol) {
  Storage storage = storageOf(symbol);
  return storage == Storage::Global || storage == Storage::Static;
}

bool isByReferenceParam(const Symbol &formal) {
  if (auto *array = llvm::dyn_cast<Array>(&formal))
    return isByReference(array->mode);
  return isByReference(llvm::cast<Variable>(formal).mode);
}

/// What the callee works on through argument \p i: the array or variable that
/// is passed, or a part of which; null: a value of its own.
const Symbol *passedThing(const CallExpr &call, unsigned i) {
  const Symbol &formal = *call.callee->params[i];
  if (passingOf(call, i) == Passing::Temporary)
    return nullptr;
  auto *variable = llvm::dyn_cast<Variable>(&formal);
  if (variable && !variable->type.isAggregate() && !isByReferenceParam(formal))
    return nullptr;
  const Expr *root = rootOf(call.args[i]);
  if (auto *array = llvm::dyn_cast<ArrayExpr>(root))
    return array->array;
  if (auto *used = llvm::dyn_cast<VariableExpr>(root))
    return used->variable;
  return nullptr;
}

/// The array passed as a whole or in part, or null.
const Array *passedArray(const CallExpr &call, unsigned i) {
  const ArrayExpr *whole = wholeArgument(call, i);
  return whole ? whole->array : nullptr;
}

void set(llvm::BitVector &bits, unsigned number) {
  if (bits.size() <= number)
    bits.resize(number + 1);
  bits.set(number);
}

bool isSet(const llvm::BitVector &bits, unsigned number) {
  return number < bits.size() && bits.test(number);
}

/// A subscript while nothing is assigned: variables are themselves.
std::optional<LinearForm> subscriptForm(const Expr &e) {
  if (auto *literal = llvm::dyn_cast<LiteralExpr>(&e))
    return LinearForm(literal->integer);
  if (auto *variable = llvm::dyn_cast<VariableExpr>(&e))
    return LinearForm(Atom{variable->variable, 0, true, ""});
  if (auto *conversion = llvm::dyn_cast<CastExpr>(&e))
    return conversion->type == Type::Longint &&
                   conversion->operand->type == Type::Integer
               ? subscriptForm(*conversion->operand)
               : std::nullopt;
  auto *sum = llvm::dyn_cast<BinaryExpr>(&e);
  if (!sum || (sum->op != BinaryOp::Add && sum->op != BinaryOp::Sub))
    return std::nullopt;
  std::optional<LinearForm> left = subscriptForm(*sum->left);
  std::optional<LinearForm> right = subscriptForm(*sum->right);
  if (!left || !right)
    return std::nullopt;
  return LinearForm::sum(*left, *right, sum->op == BinaryOp::Add ? 1 : -1);
}

enum class Members { Same, Distinct, Unknown };

/// Whether two arguments that name one array or family are the same array, or
/// surely different members like `U[l]` and `U[l-1]`.
Members compareMembers(const CallExpr &call, unsigned i, unsigned j) {
  bool hasCalls = false; // which may assign what subscripts are made of
  for (const Expr *arg : call.args)
    forEachExpr(
        *arg, [&](const Expr &part) { hasCalls |= llvm::isa<CallExpr>(part); });
  const ArrayExpr *a = wholeArgument(call, i), *b = wholeArgument(call, j);
  if (hasCalls || !a || !b || a->array != b->array ||
      a->subscripts.size() != b->subscripts.size())
    return Members::Unknown;
  bool isSame = true;
  for (size_t d = 0; d != a->subscripts.size(); ++d) {
    std::optional<LinearForm> left = subscriptForm(*a->subscripts[d]);
    std::optional<LinearForm> right = subscriptForm(*b->subscripts[d]);
    std::optional<int64_t> distance =
        left && right ? left->minus(*right) : std::nullopt;
    if (distance && *distance != 0)
      return Members::Distinct;
    isSame &= distance.has_value();
  }
  return isSame ? Members::Same : Members::Unknown;
}

/// Adds; returns whether there was anything new.
bool unite(llvm::BitVector &to, const llvm::BitVector &from) {
  if (!from.test(to)) // nothing in `from` that is not in `to`
    return false;
  to |= from;
  return true;
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
    if (auto *irv = llvm::dyn_cast<IrvExpr>(&e))
      touch(*irv->array->array);
  }
  void onIrvWrite(const IrvExpr &irv, SourceRange) override {
    touch(*irv.array->array);
    write(*irv.array->array);
  }
  void onWrite(const ArrayExpr &array, unsigned) override {
    touch(*array.array);
    write(*array.array);
  }
  void onRemap(const ArrayExpr &array, llvm::ArrayRef<Map>, unsigned,
               bool isWrite) override {
    touch(*array.array);
    if (isWrite)
      write(*array.array);
  }
  void onStmt(const Stmt &s) override {
    if (llvm::isa<RegionAssignStmt, PatternAssignStmt, ModifyStmt>(s))
      for (unsigned follower : effects.followers)
        set(effects.sets[procedure].written, follower);
    auto *boundary = llvm::dyn_cast<BoundaryStmt>(&s);
    if (!boundary)
      return;
    for (const ArrayExpr *array : boundary->arrays) {
      touch(*array->array);
      write(*array->array);
    }
  }
  void onScalarWrite(const Variable &variable, SourceRange) override {
    write(variable);
  }
  void onCall(const CallExpr &call, unsigned) override {
    effects.calls.emplace_back(procedure, &Builder::unfinished(call));
    for (unsigned i = 0; i != call.args.size(); ++i)
      if (const Array *array = passedArray(call, i))
        touch(*array);
  }

private:
  void touch(const Array &array) {
    if (outlivesCalls(array))
      set(effects.sets[procedure].touched, effects.numberOf(array));
  }
  void write(const Symbol &symbol) {
    if (outlivesCalls(symbol))
      set(effects.sets[procedure].written, effects.numberOf(symbol));
    else if (storageOf(symbol) == Storage::Param)
      effects.sets[procedure].writtenParams.insert(&symbol);
  }
  Effects &effects;
  const Procedure *procedure;
};

unsigned Effects::numberOf(const Symbol &symbol) {
  return numbers.try_emplace(&symbol, numbers.size()).first->second;
}

Effects::Effects(const Program &program, const CallOrder &order) {
  for (const Array *array : followersIn(program))
    followers.push_back(numberOf(*array));
  for (const Array *array : patternFollowersIn(program))
    followers.push_back(numberOf(*array));
  Collector(*this, nullptr).visitInitializers(program);
  for (const Procedure *procedure : order.calleesFirst()) {
    if (procedure->isExtern)
      addExtern(program, *procedure);
    collect(*procedure);
  }
  for (auto &[caller, call] : calls)
    for (unsigned i = 0; i != call->args.size(); ++i)
      if (const Symbol *thing = passedThing(*call, i))
        numberOf(*thing);
  propagateEffects(order);
  propagateRoots();
}

void Effects::collect(const Procedure &procedure) {
  Collector(*this, &procedure).visitProcedure(procedure);
  for (const Symbol *param : procedure.params)
    if (modeOf(*param) == Mode::Out) // zeroed at entry
      sets[&procedure].writtenParams.insert(param);
}

void Effects::addExtern(const Program &program, const Procedure &procedure) {
  Sets &effects = sets[&procedure];
  for (const Symbol *param : procedure.params)
    if (auto *variable = llvm::dyn_cast<Variable>(param);
        variable &&
        (isByReferenceParam(*param) ||
         (variable->mode == Mode::In && variable->type == Type::Array)))
      effects.writtenParams.insert(param);
  for (const Symbol *global : program.globals)
    if (auto *variable = llvm::dyn_cast<Variable>(global);
        variable && variable->isExtern)
      set(effects.written, numberOf(*variable));
}

bool Effects::addEffects(const Procedure *caller, const CallExpr &call) {
  Sets &to = sets[caller];
  auto found = sets.find(call.callee);
  if (found == sets.end())
    return false;
  const Sets &from = found->second;
  bool changed = unite(to.touched, from.touched);
  changed |= unite(to.written, from.written);
  for (unsigned i = 0; i != call.args.size(); ++i) {
    const Symbol *formal = call.callee->params[i];
    // By value, what is written is a copy.
    if (!isByReferenceParam(*formal) || !from.writtenParams.contains(formal))
      continue;
    const Symbol *thing = passedThing(call, i);
    if (!thing)
      continue;
    if (storageOf(*thing) == Storage::Param)
      changed |= to.writtenParams.insert(thing).second;
    else if (outlivesCalls(*thing) && !isSet(to.written, numberOf(*thing))) {
      set(to.written, numberOf(*thing));
      changed = true;
    }
  }
  return changed;
}

void Effects::propagateEffects(const CallOrder &order) {
  // References into the table stay good.
  sets.reserve(order.calleesFirst().size() + 1);
  for (const Procedure *procedure : order.calleesFirst())
    sets[procedure];
  sets[nullptr];
  for (bool changed = true; changed;) {
    changed = false;
    for (auto &[caller, call] : calls)
      changed |= addEffects(caller, *call);
  }
}

bool Effects::addRoots(const CallExpr &call) {
  bool changed = false;
  for (unsigned i = 0; i != call.args.size(); ++i)
    if (const Symbol *thing = passedThing(call, i))
      changed |= unite(roots[call.callee->params[i]], rootsOf(*thing));
  return changed;
}

void Effects::propagateRoots() {
  for (bool changed = true; changed;) {
    changed = false;
    for (auto &[caller, call] : llvm::reverse(calls))
      changed |= addRoots(*call);
  }
}

llvm::BitVector Effects::rootsOf(const Symbol &symbol) const {
  if (storageOf(symbol) == Storage::Param)
    return roots.lookup(&symbol);
  llvm::BitVector own;
  auto number = numbers.find(&symbol);
  if (number != numbers.end())
    set(own, number->second);
  return own;
}

bool Effects::writes(const Procedure &procedure, const Symbol &param) const {
  auto found = sets.find(&procedure);
  return found != sets.end() && found->second.writtenParams.contains(&param);
}

bool Effects::mayBeSame(const Symbol &a, const Symbol &b) const {
  return &a == &b || rootsOf(a).anyCommon(rootsOf(b));
}

bool Effects::needsCopy(const CallExpr &call, unsigned argument) const {
  const Procedure &callee = *call.callee;
  const Symbol &formal = *callee.params[argument];
  const Symbol *thing = passedThing(call, argument);
  if (!thing || isByReferenceParam(formal))
    return false;
  if (writes(callee, formal))
    return true;
  if (auto found = sets.find(&callee); found != sets.end())
    if (found->second.written.anyCommon(rootsOf(*thing)))
      return true;
  for (unsigned i = 0; i != call.args.size(); ++i) {
    const Symbol &otherFormal = *callee.params[i];
    if (i == argument || !isByReferenceParam(otherFormal) ||
        !(writes(callee, otherFormal) || callee.isExtern))
      continue;
    const Symbol *other = passedThing(call, i);
    if (other && mayBeSame(*thing, *other) &&
        compareMembers(call, i, argument) != Members::Distinct)
      return true;
  }
  return false;
}

void Effects::setCopies(DiagnosticEngine &diags) const {
  for (auto &[caller, call] : calls)
    for (unsigned i = 0; i != call->args.size(); ++i) {
      call->copies[i] = needsCopy(*call, i);
      if (!call->copies[i] || !isWholeFamily(call->args[i]))
        continue;
      // The callee copies what it may change.
      call->copies[i] = false;
      const Symbol &formal = *call->callee->params[i];
      if (modeOf(formal) != Mode::In)
        diags
            .report(call->args[i]->range, Diag::FamilyCopy,
                    llvm::cast<ArrayExpr>(call->args[i])->array->name)
            .note(formal.range, Diag::DeclaredHere, formal.name);
    }
}

/// Whether \p array is a parameter of the instance that is no other array of
/// it.
static bool isAlone(const Array &array, const Instance &instance) {
  if (array.storage != Storage::Param || !instance.mayAlias)
    return array.storage == Storage::Param;
  const std::vector<Symbol *> &params = instance.procedure->params;
  return instance.alone[llvm::find(params, &array) - params.begin()];
}

/// The first parameter of the instance that is the same array.
static const Array *firstName(const Array *array, const Instance &instance) {
  if (array->storage != Storage::Param || instance.sameAs.empty())
    return array;
  const std::vector<Symbol *> &params = instance.procedure->params;
  size_t i = llvm::find(params, array) - params.begin();
  return llvm::cast<Array>(params[instance.sameAs[i]]);
}

/// Whether two arguments are surely one array, and the parameters no more than
/// names for it.
static bool areOne(const CallExpr &call, unsigned i, unsigned j,
                   const Instance &caller) {
  for (unsigned k : {i, j}) {
    auto *formal = llvm::dyn_cast<Array>(call.callee->params[k]);
    if (!formal || formal->family != Type::Error || call.copies[k] ||
        passingOf(call, k) != Passing::Whole ||
        !llvm::isa<ArrayExpr>(call.args[k])) // a part of its elements
      return false;
  }
  const Array *a = passedArray(call, i), *b = passedArray(call, j);
  return a == b ? compareMembers(call, i, j) == Members::Same
                : firstName(a, caller) == firstName(b, caller);
}

ArgumentAliases Effects::aliasesOf(const CallExpr &call,
                                   const Instance &caller) const {
  const Procedure &callee = *call.callee;
  unsigned count = call.args.size();
  ArgumentAliases result{llvm::BitVector(count),
                         llvm::to_vector(llvm::seq(count))};
  auto found = sets.find(&callee);
  if (found == sets.end())
    return result;
  const Sets &effects = found->second;
  auto mayBeOne = [&](unsigned i, unsigned j) {
    const Array *a = passedArray(call, i), *b = passedArray(call, j);
    return firstName(a, caller) == firstName(b, caller)
               ? compareMembers(call, i, j) != Members::Distinct
               : caller.mayAlias && !isAlone(*a, caller) &&
                     !isAlone(*b, caller) && mayBeSame(*a, *b);
  };
  for (unsigned j = 0; j != count; ++j) {
    const Array *array = passedArray(call, j);
    if (!array || call.copies[j])
      continue;
    bool isWritten = writes(callee, *callee.params[j]);
    if (!isAlone(*array, caller) &&
        rootsOf(*array).anyCommon(isWritten ? effects.touched
                                            : effects.written))
      result.aliased.set(j);
    for (unsigned i = 0; i != j; ++i) {
      if (!passedArray(call, i) || call.copies[i] || !mayBeOne(i, j) ||
          !(isWritten || writes(callee, *callee.params[i])))
        continue;
      if (!callee.isExtern && areOne(call, i, j, caller)) {
        unsigned a = result.sameAs[i], b = result.sameAs[j];
        std::replace(result.sameAs.begin(), result.sameAs.end(), std::max(a, b),
                     std::min(a, b));
      } else {
        result.aliased.set(i);
        result.aliased.set(j);
      }
    }
  }
  for (unsigned j : result.aliased.set_bits())
    result.aliased.set(result.sameAs[j]); // names of one array are so together
  for (unsigned j = 0; j != count; ++j)
    if (result.aliased[result.sameAs[j]])
      result.aliased.set(j);
  return result;
}

} // namespace zpl::sema
