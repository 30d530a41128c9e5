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

/// Named ones: declared before.
bool Verifier::knownType(Type type, SourceRange range) {
  if (type.kind() < Type::Enum)
    return true;
  if (type == Type::Array)
    return arrayType(*type.info(), range);
  if (type == Type::Handle)
    return handleType(*type.info(), range);
  return types.contains(type.info()) ||
         fail(range, "the type " + text(type) + " is not declared here");
}

bool Verifier::arrayType(const TypeInfo &info, SourceRange range) {
  if (info.lo.empty() || info.lo.size() != info.hi.size() ||
      (!info.index.empty() && info.index.size() != info.lo.size()))
    return fail(range, "an array type has not two bounds per dimension");
  for (Type index : info.index)
    if (index != Type::Void &&
        !(index == Type::Enum && knownType(index, range)))
      return fail(range, "an array type is not indexed by an enumeration");
  for (const auto *bounds : {&info.lo, &info.hi})
    for (const Bound &bound : *bounds)
      if (bound.variable && !(visible(bound.variable, range) &&
                              (bound.variable->type == Type::I64 ||
                               fail(range, "a bound is not of type i64"))))
        return false;
  if (!isValue(info.element))
    return fail(range, "an array type is of " + text(info.element));
  return knownType(info.element, range);
}

bool Verifier::handleType(const TypeInfo &info, SourceRange range) {
  return ((info.rank >= 1 && info.rank <= 6 && isValue(info.element) &&
           !info.element.isFamily()) ||
          fail(range, "there are no parallel arrays " + text(Type(&info)))) &&
         knownType(info.element, range);
}

bool Verifier::type(const TypeInfo *t, StringSet<> &names) {
  if (t->name.empty())
    return fail(t->range, "a declared thing has no name");
  if (!names.insert(t->name).second)
    return fail(t->range, "two things are named '" + t->name + "'");
  if (t->kind < Type::Enum || t->kind >= Type::Array)
    return fail(t->range,
                "the type " + text(Type(t)) + " is declared as another");
  if (t->kind == Type::Opaque && (t->size < 0 || t->alignment < 1))
    return fail(t->range, "the type " + text(Type(t)) + " has no size");
  for (const Field &field : t->fields)
    if (!isValue(field.type) || field.type.isFamily() ||
        !knownType(field.type, t->range))
      return fail(t->range,
                  "a field of " + text(Type(t)) + " is of " + text(field.type));
  types.insert(t);
  return true;
}

/// Whether a variable that is on the heap is allocated.
bool Verifier::hasMemory(const Variable &v, SourceRange range) {
  bool isSetUpElsewhere =
      v.storage == Storage::Global && proc != module.initialize;
  return !v.onHeap || isSetUpElsewhere || !proc || allocated.contains(&v) ||
         fail(range, printedName(v) + " is used before it is allocated");
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
  if (v->type.isFamily() && (v->isConfig || !v->thunk.empty()))
    return fail(v->range, printedName(*v) + " cannot be a family");
  if (v->onHeap && (storage == Storage::Param || !v->thunk.empty()))
    return fail(v->range, printedName(*v) + " cannot be on the heap");
  if (!v->thunk.empty() && storage != Storage::Global)
    return fail(v->range, printedName(*v) + " is of C and not global");
  return v->onHeap || storage == Storage::Param || !v->type.isRunTimeSized() ||
         fail(v->range,
              printedName(*v) + " has no constant size and is not on the heap");
}

static bool isRank(unsigned rank) { return rank >= 1 && rank <= 6; }

bool Verifier::region(const Region *r, Storage storage, StringSet<> &names) {
  if (!declare(r, r->name, r->storage, storage, r->range, names))
    return false;
  return isRank(r->rank()) ||
         fail(r->range, printedName(*r) + " has no rank from 1 to 6");
}

/// What is adjacent to the declared region has its strides, floods and grid
/// dimensions.
bool Verifier::border(const Array &a, const Region *r) {
  if (!visible(r, a.range) ||
      !sameRank(r->rank(), a.rank(), "a border", a.range))
    return false;
  for (auto [inArray, there] : zip(a.shape, r->shape))
    if ((inArray != there &&
         (isPerProcessor(inArray) || isPerProcessor(there))) ||
        (there == DimKind::Strided && inArray != DimKind::Strided))
      return fail(a.range,
                  printedName(*r) + " is no border of " + printedName(a));
  return true;
}

/// A view is a local, and one of a family of such arrays.
bool Verifier::view(const Array &a) {
  if (!globals.contains(a.family) && !locals.contains(a.family))
    return fail(a.range, printedName(a) + " is a view of nothing");
  Type type = a.family->type;
  while (type == Type::Array)
    type = type.info()->element;
  bool fits = type == Type::Handle && a.storage == Storage::Local &&
              type.info()->element == a.element &&
              type.info()->rank == a.rank();
  return fits || fail(a.range, printedName(a) + " is no view of " +
                                   printedName(*a.family));
}

/// A local without anything that is stored longer than an M-loop.
bool Verifier::contracted(const Array &a) {
  if (a.storage != Storage::Local || a.declared || a.family ||
      !a.fluff.isNone() || a.element.isRunTimeSized())
    return fail(a.range, printedName(a) + " is contracted, but no local of its "
                                          "M-loop");
  if (a.lines.size() != a.rank())
    return fail(a.range, "the lines of " + printedName(a) +
                             " are not one number per dimension");
  for (auto [kind, count] : zip(a.shape, a.lines))
    if (isPerProcessor(kind) && count != 1)
      return fail(a.range, printedName(a) + " has several lines in a dimension "
                                            "with one index");
  return true;
}

/// A contracted array is named in the element code of one M-loop.
bool Verifier::isAtHome(const Array &a, SourceRange range) {
  if (!a.isContracted())
    return true;
  if (!inMLoop)
    return fail(range, printedName(a) + " is contracted, and named outside of "
                                        "an M-loop");
  return homes.try_emplace(&a, inMLoop).first->second == inMLoop ||
         fail(range, printedName(a) + " is contracted, and named in two "
                                      "M-loops");
}

bool Verifier::array(const Array *a, Storage storage, StringSet<> &names) {
  if (!declare(a, a->name, a->storage, storage, a->range, names))
    return false;
  if (!isRank(a->rank()))
    return fail(a->range, printedName(*a) + " has no rank from 1 to 6");
  if (!isValue(a->element) || a->element.isFamily())
    return fail(a->range,
                printedName(*a) + " is an array of " + text(a->element));
  if (a->family && !view(*a))
    return false;
  if (a->isContracted() && !contracted(*a))
    return false;
  if (a->isAlone && storage != Storage::Param)
    return fail(a->range, printedName(*a) + " is alone, but not a parameter");
  if (a->declared && storage == Storage::Param)
    return fail(a->range,
                "the parameter " + printedName(*a) + " has a declared region");
  if (a->declared && !(visible(a->declared, a->range) &&
                       sameRank(a->declared->rank(), a->rank(),
                                "the declared region", a->range)))
    return false;
  if (a->declared && a->shape != a->declared->shape)
    return fail(a->range,
                printedName(*a) + " has not the shape of its declared region");
  if (!a->borders.empty() && !a->declared)
    return fail(a->range, printedName(*a) + " has borders of no region");
  if (!all_of(a->borders, [&](const Region *r) { return border(*a, r); }))
    return false;
  if (a->panel >= 0 && (unsigned(a->panel) >= a->rank() || a->declared ||
                        a->shape[a->panel] != DimKind::Flood))
    return fail(a->range, printedName(*a) +
                              " is a panel with a region, or in "
                              "a dimension that it does not flood");
  for (const Offset *side : {&a->fluff.below, &a->fluff.above}) {
    if (!side->empty() && side->size() != a->rank())
      return fail(a->range,
                  "the fluff of " + printedName(*a) + " is not of its rank");
    if (any_of(*side, [](int64_t width) { return width < 0; }))
      return fail(a->range, "the fluff of " + printedName(*a) + " is negative");
  }
  if ((a->fluff.steps | a->fluff.wraps) >> a->rank())
    return fail(a->range,
                "the fluff of " + printedName(*a) + " is not of its rank");
  return true;
}

bool Verifier::transfer(const Transfer *t, StringSet<> &names) {
  if (!declare(t, t->name, Storage::Local, Storage::Local, t->range, names) ||
      !visible(t->region, t->range))
    return false;
  if (t->items.empty() && t->byCallers)
    return fail(t->range, printedName(*t) + " has views, of which callers "
                                            "know nothing");
  bool isKnownToCallers = t->region->storage != Storage::Local &&
                          none_of(t->items, [](const auto &item) {
                            return item.first->storage == Storage::Local;
                          });
  if (t->byCallers && !isKnownToCallers)
    return fail(t->range, printedName(*t) + " has locals, of which callers "
                                            "know nothing");
  for (const auto &[array, shift] : t->items) {
    if (!readable(array, t->region, t->range) ||
        !sameRank(shift.size(), t->region->rank(), "the offset", t->range))
      return false;
    for (auto [component, kind] : zip(shift, array->shape))
      if (component != 0 && isPerProcessor(kind))
        return fail(t->range, printedName(*t) +
                                  " has an item with an offset in a dimension "
                                  "with one index per processor");
    if (all_of(shift, [](int64_t c) { return c == 0; }))
      return fail(t->range, printedName(*t) + " has an item without offset");
  }
  return true;
}

/// Whether the runtime, which sends nothing before, may call \p p.
bool Verifier::hasNoDemands(const Procedure &p, SourceRange range) {
  return none_of(p.transfers, [](const Transfer *t) { return t->byCallers; }) ||
         fail(range, printedName(p) + " has a transfer by callers, and the "
                                      "runtime calls it");
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
         all_of(p.transfers, [&](auto *x) { return transfer(x, names); }) &&
         knownTypes(p);
}

/// Once all is declared: parameters' bounds follow them.
bool Verifier::knownTypes(const Procedure &p) {
  for (const Parameter &x : p.params)
    if ((x.variable && !knownType(x.variable->type, x.variable->range)) ||
        (x.array && !knownType(x.array->element, x.array->range)))
      return false;
  auto ofVariable = [&](auto *x) { return knownType(x->type, x->range); };
  auto ofArray = [&](auto *x) { return knownType(x->element, x->range); };
  return all_of(p.variables, ofVariable) && all_of(p.arrays, ofArray) &&
         knownType(p.result, p.range);
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
    if (auto *point = dyn_cast<TransferPointStmt>(s))
      good = transferPoint(*point->transfer, point->point, *s, list, seen);
    if (auto *shift = dyn_cast<ShiftStmt>(s); shift && shift->sends)
      good =
          transferPoint(*shift->sends, TransferPointStmt::DR, *s, list, seen) &&
          transferPoint(*shift->sends, TransferPointStmt::SR, *s, list, seen);
    if (auto *loop = dyn_cast<MLoopStmt>(s))
      good = all_of(loop->awaits, [&](const Transfer *awaited) {
        return transferPoint(*awaited, TransferPointStmt::DN, *s, list, seen);
      });
    if (!good)
      return false;
  }
  return true;
}

/// \p s, in \p list, is a point of the transfer.
bool Verifier::transferPoint(const Transfer &transfer, int point, const Stmt &s,
                             const StmtList &list, SeenPoints &seen) {
  auto [entry, isFirst] = seen.try_emplace(&transfer, &list, 0);
  auto &[where, next] = entry->second;
  bool isSent = point <= TransferPointStmt::SR;
  if (isSent && isa<ShiftStmt>(s) != transfer.items.empty())
    return fail(s.range, "a shift sends views, and a transfer its items: " +
                             printedName(transfer));
  if (next++ != point)
    return fail(s.range, "the points of " + printedName(transfer) +
                             " are not once each dr, sr, dn, sv");
  return where == &list ||
         fail(s.range, "the points of " + printedName(transfer) +
                           " are not all in one list");
}

namespace {

/// What a statement begins, until another one ends it: a combination of a
/// variable, or making arrays, by a flood, a scan or a shift.
struct SplitPart {
  const Stmt *stmt;
  const Variable *variable = nullptr;
  SmallVector<const Array *, 4> arrays;
  const Array *source = nullptr; ///< of a flood or scan
  const Transfer *views = nullptr;

  explicit SplitPart(const Stmt &stmt) : stmt(&stmt) {
    if (auto *combine = dyn_cast<CombineStmt>(&stmt)) {
      if (combine->phase == CombineStmt::Begin)
        variable = combine->variable;
    } else if (auto *flood = dyn_cast<FloodStmt>(&stmt)) {
      if (flood->begins)
        arrays.push_back(flood->target);
      source = flood->source;
    } else if (auto *scan = dyn_cast<ScanStmt>(&stmt)) {
      if (scan->begins)
        arrays.push_back(scan->target);
      source = scan->source;
    } else if (auto *shift = dyn_cast<ShiftStmt>(&stmt)) {
      for (const ShiftView &view : shift->views)
        if (shift->sends)
          arrays.push_back(view.target);
      views = shift->sends;
    }
  }

  bool begins() const { return variable || !arrays.empty(); }
  bool isEndedBy(const Stmt &other) const {
    if (auto *combine = dyn_cast<CombineStmt>(&other))
      return combine->phase == CombineStmt::End &&
             combine->variable == variable;
    if (auto *end = dyn_cast<OperatorEndStmt>(&other))
      return !views && is_contained(arrays, end->target) &&
             end->ofScan == isa<ScanStmt>(stmt);
    if (auto *loop = dyn_cast<MLoopStmt>(&other))
      return views && is_contained(loop->awaits, views);
    auto *point = dyn_cast<TransferPointStmt>(&other);
    return point && point->transfer == views &&
           point->point == TransferPointStmt::DN;
  }
  bool isMentionedBy(const Stmt &other) const {
    bool found = variable && mentions(other, variable);
    forEachArray(other, [&](const Array &array) {
      found |= is_contained(arrays, &array);
    });
    return found;
  }
  /// Whether \p other may give the source other storage: views may need room.
  bool isMovedBy(const Stmt &other) const {
    auto *shift = dyn_cast<ShiftStmt>(&other);
    return shift && shift->source == source;
  }
  std::string name() const {
    return variable ? "combining " + printedName(*variable)
                    : "making " + printedName(*arrays.front());
  }
};

/// What an end without a begin would end; empty of other statements.
std::string nameOfEnd(const Stmt &stmt) {
  if (auto *end = dyn_cast<OperatorEndStmt>(&stmt))
    return "making " + printedName(*end->target);
  auto *combine = dyn_cast<CombineStmt>(&stmt);
  return combine && combine->phase == CombineStmt::End
             ? "combining " + printedName(*combine->variable)
             : "";
}

} // namespace

/// Each begin of a split statement has its end in the same list, and what
/// stands between them may.
bool Verifier::splits(const StmtList &list) {
  SmallVector<SplitPart, 2> begun;
  for (const Stmt *s : list) {
    size_t before = begun.size();
    erase_if(begun, [&](const SplitPart &b) { return b.isEndedBy(*s); });
    std::string ended = nameOfEnd(*s);
    if (!ended.empty() && begun.size() == before)
      return fail(s->range, "there is no begin of " + ended +
                                " before its end in this list");
    if (!ended.empty())
      continue;
    for (const SplitPart &b : begun)
      if (!mayStandInSplit(*s) || b.isMentionedBy(*s) || b.isMovedBy(*s))
        return fail(s->range,
                    "this must not stand between begin and end of " + b.name());
    SplitPart part(*s);
    if (part.begins())
      begun.push_back(part);
  }
  return begun.empty() ||
         fail(begun.front().stmt->range,
              "there is no end of " + begun.front().name() + " in this list");
}

bool Verifier::procedure(const Procedure &p) {
  proc = &p;
  locals.clear();
  allocated.clear();
  homes.clear();
  loopDepth = 0;
  if (p.name.empty())
    return fail(p.range, "a procedure has no name");
  if (p.result == Type::Timer)
    return fail(p.range, "a procedure's result is a timer");
  if (!p.thunk.empty())
    return declarations(p) && ((p.body.empty() && p.variables.empty()) ||
                               fail(p.range, "a procedure of C has a body"));
  SeenPoints seenPoints;
  if (!declarations(p) || !list(p.body) || !transferPoints(p.body, seenPoints))
    return false;
  for (const Transfer *t : p.transfers)
    if (t->items.empty() && !seenPoints.contains(t))
      return fail(t->range, printedName(*t) + " transfers nothing");
  bool splitsWell = true;
  forEachListInside(p.body, [&](const StmtList &list) {
    splitsWell = splitsWell && splits(list);
  });
  if (!splitsWell)
    return false;
  for (const Transfer *t : p.transfers)
    if (t->byCallers && seenPoints.contains(t))
      return fail(t->range, printedName(*t) + " is by callers and has points");
    else if (!t->byCallers &&
             seenPoints.lookup(t).second != TransferPointStmt::SV + 1)
      return fail(t->range, printedName(*t) + " has not all its points");
  return p.result == Type::Void || endsInReturn(p.body) ||
         fail(p.range, "control can run off the end of a function");
}

bool Verifier::specialProcedure(const Procedure *p, StringRef role) {
  if (!p)
    return true;
  if (!procedures.contains(p))
    return fail({}, "the " + role + " procedure is not in the module");
  if (!hasNoDemands(*p, p->range))
    return false;
  return (p->params.empty() && p->result == Type::Void && !p->isScalar) ||
         fail(p->range, "the " + role + " procedure " + printedName(*p) +
                            " has parameters, a result or is scalar");
}

bool Verifier::run() {
  StringSet<> names, procedureNames;
  auto global = Storage::Global;
  // Bounds of types are variables, and variables are of those types.
  for (const Variable *v : module.variables)
    globals.insert(v);
  if (!all_of(module.types, [&](auto *x) { return type(x, names); }) ||
      !all_of(module.variables,
              [&](auto *x) { return variable(x, global, names); }) ||
      !all_of(module.regions,
              [&](auto *x) { return region(x, global, names); }) ||
      !all_of(module.arrays, [&](auto *x) { return array(x, global, names); }))
    return false;
  for (const Variable *v : module.variables)
    if (!knownType(v->type, v->range))
      return false;
  for (const Array *a : module.arrays)
    if (!knownType(a->element, a->range))
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
