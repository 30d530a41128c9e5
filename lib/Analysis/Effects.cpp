//===- Effects.cpp - What statements and procedures may write -------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     call @smooth(region @R, array @A)
//
// may write A if smooth may write its parameter, and each global that smooth
// or anything it calls may write.
//
//  1. Each procedure gets the set of globals and parameters that its own
//     statements write. At a call inside it, the callee's set is translated:
//     globals stay, parameters become the arguments.
//  2. Repeat until nothing grows (recursion): at most as many rounds as the
//     longest chain of calls, each linear in the program.
//  3. Other names: in a procedure that mayAlias, a written parameter stands for
//     every parameter and global array of its rank whose elements may be parts
//     of its own or the other way round (`ref %P.x`), and a written global for
//     such parameters (two globals are two arrays); a
//     variable by reference for the globals and references of types that
//     contain its type or are contained in it, and the other way round. Callers
//     of a procedure that does not alias pass different arrays, so nothing more
//     can happen.
//     Two views of one family may be one array, and a parameter may be what a
//     view is bound to. Binding a view changes that name alone.
//  4. Arrays that follow a region variable change wherever one is assigned.
//  5. Input and output may call any procedure that is bound to an array; a
//     procedure of C may write the variables of C.
//
// Reading a freshly allocated array gives zeros: alloc and free write.
//
//===----------------------------------------------------------------------===//

#include "zpl/Analysis/Effects.h"
#include "zpl/ArrayIR/Operands.h"
#include "zpl/ArrayIR/Walk.h"

using namespace llvm;

namespace zpl::air {

void WriteSet::add(const WriteSet &other) {
  arrays.insert(other.arrays.begin(), other.arrays.end());
  regions.insert(other.regions.begin(), other.regions.end());
  variables.insert(other.variables.begin(), other.variables.end());
  families.insert(other.families.begin(), other.families.end());
  bound.insert(other.bound.begin(), other.bound.end());
  reallocates |= other.reallocates;
}

Effects::Effects(const Module &module) : module(module) {
  for (const Procedure *p : module.procedures)
    forEachStmt(p->body, [&](const Stmt &stmt) {
      auto *bind = dyn_cast<BindIoStmt>(&stmt);
      if (bind && bind->procedure)
        boundToIo.push_back(bind->procedure);
      auto *alloc = dyn_cast<AllocArrayStmt>(&stmt);
      // Arrays of a domain follow its distribution, sparse ones their region.
      if (!alloc ||
          !(alloc->follows || alloc->array->domain || alloc->array->isSparse))
        return;
      if (alloc->array->family)
        followingFamilies.insert(alloc->array->family);
      else
        followers.insert(alloc->array);
    });
  for (const Procedure *p : module.procedures)
    summaries[p];
  for (bool grew = true; grew;) {
    grew = false;
    for (const Procedure *p : module.procedures)
      grew |= update(*p);
  }
}

bool Effects::update(const Procedure &procedure) {
  WriteSet all, shared;
  for (const Stmt *s : procedure.body)
    collect(*s, all);
  if (!procedure.thunk.empty()) // C may, what it gets.
    for (const Parameter &param : procedure.params)
      if (param.array)
        all.arrays.insert(param.array);
  addAliases(procedure, all);
  for (const Array *a : all.arrays)
    if (a->storage != Storage::Local)
      shared.arrays.insert(a);
    else if (a->family && a->family->storage != Storage::Local)
      shared.families.insert(a->family);
  for (const Variable *v : all.families)
    if (v->storage != Storage::Local)
      shared.families.insert(v);
  shared.reallocates = all.reallocates;
  for (const Region *r : all.regions)
    if (r->storage == Storage::Global)
      shared.regions.insert(r);
  for (const Variable *v : all.variables)
    if (v->storage == Storage::Global || v->byReference)
      shared.variables.insert(v);
  WriteSet &old = summaries[&procedure];
  bool grew = shared.size() > old.size();
  old = std::move(shared);
  return grew;
}

/// A part counts as the whole.
static void addPlace(const Expr &place, WriteSet &set) {
  if (Variable *variable = rootVariable(&place))
    set.variables.insert(variable);
  else if (const ElementExpr *element = rootElement(&place))
    set.arrays.insert(element->array);
  else if (auto *remap = dyn_cast<RemapExpr>(rootOf(&place)))
    set.arrays.insert(remap->array);
}

void Effects::addCall(const CallExpr &call, WriteSet &set) const {
  const WriteSet &summary = summaries.find(call.callee)->second;
  for (auto [arg, param] : zip(call.args, call.callee->params)) {
    bool isFamily = param.variable && param.variable->type.isFamily();
    if (isFamily && summary.families.contains(param.variable))
      set.families.insert(rootVariable(arg.place ? arg.place : arg.value));
    if (arg.place && !isFamily &&
        (!param.array || summary.arrays.contains(param.array)))
      addPlace(*arg.place, set);
    if (arg.array && summary.arrays.contains(param.array))
      set.arrays.insert(arg.array);
  }
  addCallee(*call.callee, set);
}

/// What a call changes beside its arguments.
void Effects::addCallee(const Procedure &callee, WriteSet &set) const {
  const WriteSet &summary = summaries.find(&callee)->second;
  for (const Array *a : summary.arrays)
    if (a->storage == Storage::Global)
      set.arrays.insert(a);
  for (const Variable *v : summary.variables)
    if (v->storage == Storage::Global)
      set.variables.insert(v);
  set.regions.insert(summary.regions.begin(), summary.regions.end());
  for (const Variable *v : summary.families)
    if (v->storage == Storage::Global)
      set.families.insert(v);
  set.reallocates |= summary.reallocates;
  if (callee.thunk.empty())
    return;
  for (const Variable *v : module.variables)
    if (!v->thunk.empty())
      set.variables.insert(v);
}

/// Which procedure is bound to an array is known at run time.
void Effects::addBound(const Stmt &stmt, WriteSet &set) const {
  for (const Procedure *procedure : boundToIo)
    addCallee(*procedure, set);
  auto *write = dyn_cast<WriteStmt>(&stmt);
  if (!write || boundToIo.empty())
    return;
  for (const WriteItem &item : write->items)
    if (item.array)
      set.arrays.insert(item.array);
}

void Effects::addDirect(const Stmt &stmt, WriteSet &set) const {
  forEachOperand(stmt, [&](const Operand &operand) {
    auto *array = operand.as<Array *>();
    if (array && operand.use == Use::Bind)
      set.bound.insert(array);
    // What the runtime calls to combine elements.
    if (auto *procedure = operand.as<Procedure *>();
        procedure && operand.use == Use::Read)
      addCallee(*procedure, set);
    if (operand.use != Use::Write)
      return;
    if (array)
      set.arrays.insert(array);
    else if (auto *place = operand.as<const Expr *>())
      addPlace(*place, set);
    else if (auto *region = operand.as<Region *>())
      set.regions.insert(region);
    else if (auto *variable = operand.as<Variable *>())
      set.variables.insert(variable);
  });
  set.reallocates |= isa<ReallocStmt, SetGridStmt, SetDistributionStmt,
                         PatternStmt, KeepPatternStmt, ModifyStmt>(stmt);
  if (isa<ReadStmt, WriteStmt>(stmt))
    addBound(stmt, set);
}

void Effects::addCalls(const Stmt &stmt, WriteSet &set) const {
  forEachExpr(stmt, [&](const Expr &e) {
    if (auto *call = dyn_cast<CallExpr>(&e))
      addCall(*call, set);
  });
}

void Effects::collect(const Stmt &stmt, WriteSet &set) const {
  addDirect(stmt, set);
  addCalls(stmt, set);
  forEachList(stmt, [&](const StmtList &inner) {
    for (const Stmt *s : inner)
      collect(*s, set);
  });
}

/// What follows region variables, also as a parameter.
void Effects::addFollowers(const Procedure &procedure, WriteSet &set) const {
  set.arrays.insert(followers.begin(), followers.end());
  set.families.insert(followingFamilies.begin(), followingFamilies.end());
  for (const Parameter &param : procedure.params)
    if (param.array)
      set.arrays.insert(param.array);
    else if (param.variable && param.variable->type.isFamily())
      set.families.insert(param.variable);
}

/// Arrays, by whatever name, that may be one that is written.
void Effects::addSameArrays(const Procedure &procedure, WriteSet &set) const {
  SmallVector<const Array *, 8> others;
  for (const Array *a : procedure.arrays)
    if (a->family)
      others.push_back(a);
  for (const Parameter &param : procedure.params)
    if (param.array)
      others.push_back(param.array);
  if (procedure.mayAlias)
    others.append(module.arrays.begin(), module.arrays.end());
  auto addSame = [&](const Array &written) {
    for (const Array *other : others)
      if (mayBeSame(module, written, *other, procedure.mayAlias))
        set.arrays.insert(other);
  };
  SmallVector<const Array *, 8> written(set.arrays.begin(), set.arrays.end());
  for (const Array *a : written)
    addSame(*a);
  for (const Variable *family : set.families) {
    Type type = family->type;
    while (type == Type::Array)
      type = type.info()->element;
    Array any;
    any.element = type.info()->element;
    any.shape.assign(type.info()->rank, DimKind::Strided);
    any.family = const_cast<Variable *>(family); // it is compared only
    addSame(any);
  }
}

void Effects::addAliases(const Procedure &procedure, WriteSet &set) const {
  if (set.reallocates)
    addFollowers(procedure, set);
  addSameArrays(procedure, set);
  SmallVector<const Variable *, 8> written(set.variables.begin(),
                                           set.variables.end());
  for (const Variable *v : written) {
    bool isGlobal = v->storage == Storage::Global;
    if (!isGlobal && !v->byReference)
      continue;
    auto addIfSame = [&](const Variable *w) {
      if (mayOverlap(module, w->type, v->type))
        set.variables.insert(w);
    };
    for (const Parameter &param : procedure.params)
      if (param.variable && param.variable->byReference)
        addIfSame(param.variable);
    // A global is another name only for references, not for other globals.
    if (!isGlobal)
      for (const Variable *global : module.variables)
        addIfSame(global);
  }
}

WriteSet Effects::writes(const Procedure &procedure, const Stmt &stmt) const {
  WriteSet set;
  collect(stmt, set);
  addAliases(procedure, set);
  set.arrays.insert(set.bound.begin(), set.bound.end());
  return set;
}

WriteSet Effects::writesOfCalls(const Procedure &procedure,
                                const Stmt &stmt) const {
  WriteSet set;
  addCalls(stmt, set);
  addAliases(procedure, set);
  return set;
}

WriteSet Effects::writes(const Procedure &procedure,
                         const StmtList &list) const {
  WriteSet set;
  for (const Stmt *s : list)
    collect(*s, set);
  addAliases(procedure, set);
  set.arrays.insert(set.bound.begin(), set.bound.end());
  return set;
}

} // namespace zpl::air
