//===- Verifier.cpp - The rules of the array IR: declarations -------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs after ArrayGen and after every pass, so that a mistake is found at the
// pass that made it and not in the generated code. For
//
//     [%R] %A = add(%x, %B@(0,1))      with %x : i32, %B : f64
//
// it says "operands of add have types i32 and f64".
//
// One visit of every node in the order of the text, at constant cost each;
// nothing is computed that could not be read off the node, its operands and
// the declarations. The list of the rules is in docs/ArrayIR.md.
//
//===----------------------------------------------------------------------===//

#include "zpl/ArrayIR/Verifier.h"
#include "VerifierImpl.h"
#include "zpl/ArrayIR/Walk.h"

using namespace llvm;

namespace zpl::air {

bool Verifier::fail(SourceRange range, const Twine &text) {
  if (!message.empty())
    return false;
  message = text.str();
  if (proc)
    message += " (in " + printedName(*proc) + ")";
  place = range;
  return false;
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

bool Verifier::declare(const void *thing, StringRef name, Storage storage,
                       Storage wanted, SourceRange range, StringSet<> &names) {
  if (name.empty())
    return fail(range, "a declared thing has no name");
  if (!names.insert(name).second)
    return fail(range, "two things are named '" + name + "'");
  if (storage != wanted)
    return fail(range, "'" + name + "' is declared where its storage is not");
  (wanted == Storage::Global ? globals : locals).insert(thing);
  return true;
}

bool Verifier::variable(const Variable *v, Storage storage,
                        StringSet<> &names) {
  if (!declare(v, v->name, v->storage, storage, v->range, names))
    return false;
  if (v->type == Type::Void)
    return fail(v->range, printedName(*v) + " is a variable of type void");
  if (v->byReference && storage != Storage::Param)
    return fail(v->range,
                printedName(*v) + " is by reference and not a parameter");
  if (v->isConfig && (storage != Storage::Global || v->type == Type::Timer))
    return fail(v->range, printedName(*v) + " cannot be a config variable");
  return true;
}

static bool isRank(unsigned rank) { return rank >= 1 && rank <= 6; }

bool Verifier::region(const Region *r, Storage storage, StringSet<> &names) {
  if (!declare(r, r->name, r->storage, storage, r->range, names))
    return false;
  return isRank(r->rank()) ||
         fail(r->range, printedName(*r) + " has no rank from 1 to 6");
}

bool Verifier::array(const Array *a, Storage storage, StringSet<> &names) {
  if (!declare(a, a->name, a->storage, storage, a->range, names))
    return false;
  if (!isRank(a->rank()))
    return fail(a->range, printedName(*a) + " has no rank from 1 to 6");
  if (!isElement(a->element))
    return fail(a->range,
                printedName(*a) + " is an array of " + text(a->element));
  if (a->declared && storage == Storage::Param)
    return fail(a->range,
                "the parameter " + printedName(*a) + " has a declared region");
  if (a->declared && !(visible(a->declared, a->range) &&
                       sameRank(a->declared->rank(), a->rank(),
                                "the declared region", a->range)))
    return false;
  for (const Offset *side : {&a->fluff.below, &a->fluff.above}) {
    if (!side->empty() && side->size() != a->rank())
      return fail(a->range,
                  "the fluff of " + printedName(*a) + " is not of its rank");
    if (any_of(*side, [](int64_t width) { return width < 0; }))
      return fail(a->range, "the fluff of " + printedName(*a) + " is negative");
  }
  return true;
}

bool Verifier::transfer(const Transfer *t, StringSet<> &names) {
  if (!declare(t, t->name, Storage::Local, Storage::Local, t->range, names) ||
      !visible(t->region, t->range))
    return false;
  if (t->items.empty())
    return fail(t->range, printedName(*t) + " transfers nothing");
  for (const auto &[array, shift] : t->items) {
    if (!visible(array, t->range) ||
        !sameRank(array->rank(), t->region->rank(), "the array", t->range) ||
        !sameRank(shift.size(), t->region->rank(), "the offset", t->range))
      return false;
    if (all_of(shift, [](int64_t c) { return c == 0; }))
      return fail(t->range, printedName(*t) + " has an item without offset");
  }
  return true;
}

bool Verifier::parameter(const Parameter &param, StringSet<> &names) {
  int members = (param.variable != nullptr) + (param.array != nullptr) +
                (param.region != nullptr);
  if (members != 1)
    return fail(proc->range, "a parameter is not exactly one thing");
  if (proc->isScalar && !param.variable)
    return fail(proc->range, "a scalar procedure has only variables");
  if (param.variable)
    return variable(param.variable, Storage::Param, names);
  if (param.array)
    return array(param.array, Storage::Param, names);
  return region(param.region, Storage::Param, names);
}

bool Verifier::declarations(const Procedure &p) {
  StringSet<> names;
  auto local = Storage::Local;
  if (p.isScalar &&
      !(p.regions.empty() && p.arrays.empty() && p.transfers.empty()))
    return fail(p.range, "a scalar procedure has only variables");
  return all_of(p.params,
                [&](const Parameter &x) { return parameter(x, names); }) &&
         all_of(p.variables,
                [&](auto *x) { return variable(x, local, names); }) &&
         all_of(p.regions, [&](auto *x) { return region(x, local, names); }) &&
         all_of(p.arrays, [&](auto *x) { return array(x, local, names); }) &&
         all_of(p.transfers, [&](auto *x) { return transfer(x, names); });
}

//===----------------------------------------------------------------------===//
// Procedures
//===----------------------------------------------------------------------===//

/// True if control cannot run off the end of the list.
static bool endsInReturn(const StmtList &list) {
  if (list.empty())
    return false;
  const Stmt *last = list.back();
  if (auto *conditional = dyn_cast<IfStmt>(last))
    return endsInReturn(conditional->thenBody) &&
           endsInReturn(conditional->elseBody);
  return isa<ReturnStmt, MissingReturnStmt, HaltStmt>(last);
}

/// The points of a transfer stand once each, in their order, in one list.
bool Verifier::transferPoints(const StmtList &list, SeenPoints &seen) {
  for (const Stmt *s : list) {
    bool good = true;
    forEachList(*s, [&](const StmtList &inner) {
      good = good && transferPoints(inner, seen);
    });
    if (!good)
      return false;
    auto *point = dyn_cast<TransferPointStmt>(s);
    if (!point)
      continue;
    auto [entry, isFirst] = seen.try_emplace(point->transfer, &list, 0);
    auto &[where, next] = entry->second;
    if (next++ != point->point)
      return fail(s->range, "the points of " + printedName(*point->transfer) +
                                " are not once each dr, sr, dn, sv");
    if (where != &list)
      return fail(s->range, "the points of " + printedName(*point->transfer) +
                                " are not all in one list");
  }
  return true;
}

bool Verifier::procedure(const Procedure &p) {
  proc = &p;
  locals.clear();
  loopDepth = 0;
  if (p.name.empty())
    return fail(p.range, "a procedure has no name");
  if (p.result == Type::Timer)
    return fail(p.range, "a procedure's result is a timer");
  SeenPoints seenPoints;
  if (!declarations(p) || !list(p.body) || !transferPoints(p.body, seenPoints))
    return false;
  for (const Transfer *t : p.transfers)
    if (seenPoints.lookup(t).second != TransferPointStmt::SV + 1)
      return fail(t->range, printedName(*t) + " has not all its points");
  return p.result == Type::Void || endsInReturn(p.body) ||
         fail(p.range, "control can run off the end of a function");
}

bool Verifier::specialProcedure(const Procedure *p, StringRef role) {
  if (!p)
    return true;
  if (!procedures.contains(p))
    return fail({}, "the " + role + " procedure is not in the module");
  return (p->params.empty() && p->result == Type::Void && !p->isScalar) ||
         fail(p->range, "the " + role + " procedure " + printedName(*p) +
                            " has parameters, a result or is scalar");
}

bool Verifier::run() {
  StringSet<> names, procedureNames;
  auto global = Storage::Global;
  if (!all_of(module.variables,
              [&](auto *x) { return variable(x, global, names); }) ||
      !all_of(module.regions,
              [&](auto *x) { return region(x, global, names); }) ||
      !all_of(module.arrays, [&](auto *x) { return array(x, global, names); }))
    return false;
  for (const Procedure *p : module.procedures) {
    if (!procedureNames.insert(p->name).second)
      return fail(p->range, "two procedures are named " + printedName(*p));
    procedures.insert(p);
  }
  for (const Procedure *p : module.procedures)
    if (!procedure(*p))
      return false;
  proc = nullptr;
  return specialProcedure(module.initialize, "initial") &&
         specialProcedure(module.entry, "entry");
}

bool verify(const Module &module, std::string *error, SourceRange *where) {
  Verifier verifier(module);
  if (verifier.run())
    return true;
  if (error)
    *error = verifier.message;
  if (where)
    *where = verifier.place;
  return false;
}

} // namespace zpl::air
