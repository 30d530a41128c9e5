//===- Declarations.cpp - Rules of declarations and names -----------------===//
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

#include "Verify/Declarations.h"
#include "Verify/Communication.h"
#include "Verify/Expressions.h"
#include "Verify/LoopForms.h"
#include "Verify/Statements.h"
#include "Verify/Verifying.h"
#include "zpl/ArrayIR/Domains.h"
#include "zpl/ArrayIR/Verifier.h"
#include "zpl/ArrayIR/Walk.h"

using namespace llvm;

namespace zpl::air {

/// Per transfer the list of its points and how many have been seen.
using SeenPoints = DenseMap<const Transfer *, std::pair<const StmtList *, int>>;

static bool verifyArrayType(Verifying &state, const TypeInfo &info,
                            SourceRange range);
static bool verifyHandleType(Verifying &state, const TypeInfo &info,
                             SourceRange range);
static bool knownTypes(Verifying &state, const Procedure &p);
static bool verifyTransferPoint(Verifying &state, const Transfer &transfer,
                                int point, const Stmt &s, const StmtList &list,
                                SeenPoints &seen);

bool fail(Verifying &state, SourceRange range, const Twine &text) {
  if (!state.message.empty())
    return false;
  state.message = text.str();
  if (state.proc)
    state.message += " (in " + printedName(*state.proc) + ")";
  state.place = range;
  return false;
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

static bool declare(Verifying &state, const void *thing, StringRef name,
                    Storage storage, Storage wanted, SourceRange range,
                    StringSet<> &names) {
  if (name.empty())
    return fail(state, range, "a declared thing has no name");
  if (!names.insert(name).second)
    return fail(state, range, "two things are named '" + name + "'");
  if (storage != wanted)
    return fail(state, range,
                "'" + name + "' is declared where its storage is not");
  (wanted == Storage::Global ? state.globals : state.locals).insert(thing);
  return true;
}

bool knownType(Verifying &state, Type type, SourceRange range) {
  if (type.kind() < Type::Enum)
    return true;
  if (type == Type::Array)
    return verifyArrayType(state, *type.info(), range);
  if (type == Type::Handle)
    return verifyHandleType(state, *type.info(), range);
  return state.types.contains(type.info()) ||
         fail(state, range, "the type " + text(type) + " is not declared here");
}

static bool verifyArrayType(Verifying &state, const TypeInfo &info,
                            SourceRange range) {
  if (info.lo.empty() || info.lo.size() != info.hi.size() ||
      (!info.index.empty() && info.index.size() != info.lo.size()))
    return fail(state, range, "an array type has not two bounds per dimension");
  for (Type index : info.index)
    if (index != Type::Void &&
        !(index == Type::Enum && knownType(state, index, range)))
      return fail(state, range,
                  "an array type is not indexed by an enumeration");
  for (const auto *bounds : {&info.lo, &info.hi})
    for (const Bound &bound : *bounds)
      if (bound.variable &&
          !(visible(state, bound.variable, range) &&
            (bound.variable->type == Type::I64 ||
             fail(state, range, "a bound is not of type i64"))))
        return false;
  if (!isValue(info.element))
    return fail(state, range, "an array type is of " + text(info.element));
  return knownType(state, info.element, range);
}

static bool verifyHandleType(Verifying &state, const TypeInfo &info,
                             SourceRange range) {
  return ((info.rank >= 1 && info.rank <= 6 && isValue(info.element) &&
           !info.element.isFamily()) ||
          fail(state, range,
               "there are no parallel arrays " + text(Type(&info)))) &&
         knownType(state, info.element, range);
}

static bool verifyType(Verifying &state, const TypeInfo *t,
                       StringSet<> &names) {
  if (t->name.empty())
    return fail(state, t->range, "a declared thing has no name");
  if (!names.insert(t->name).second)
    return fail(state, t->range, "two things are named '" + t->name + "'");
  if (t->kind < Type::Enum || t->kind >= Type::Array)
    return fail(state, t->range,
                "the type " + text(Type(t)) + " is declared as another");
  if (t->kind == Type::Opaque && (t->size < 0 || t->alignment < 1))
    return fail(state, t->range, "the type " + text(Type(t)) + " has no size");
  for (const Field &field : t->fields)
    if (!isValue(field.type) || field.type.isFamily() ||
        !knownType(state, field.type, t->range))
      return fail(state, t->range,
                  "a field of " + text(Type(t)) + " is of " + text(field.type));
  state.types.insert(t);
  return true;
}

bool hasMemory(Verifying &state, const Variable &v, SourceRange range) {
  bool isSetUpElsewhere =
      v.storage == Storage::Global && state.proc != state.module.initialize;
  return !v.onHeap || isSetUpElsewhere || !state.proc ||
         state.allocated.contains(&v) ||
         fail(state, range, printedName(v) + " is used before it is allocated");
}

static bool verifyVariable(Verifying &state, const Variable *v, Storage storage,
                           StringSet<> &names) {
  if (!declare(state, v, v->name, v->storage, storage, v->range, names))
    return false;
  if (v->type == Type::Void)
    return fail(state, v->range,
                printedName(*v) + " is a variable of type void");
  if (v->byReference && storage != Storage::Param)
    return fail(state, v->range,
                printedName(*v) + " is by reference and not a parameter");
  if (v->isConfig && (storage != Storage::Global || v->type == Type::Timer))
    return fail(state, v->range,
                printedName(*v) + " cannot be a config variable");
  if (v->type.isFamily() && (v->isConfig || !v->thunk.empty()))
    return fail(state, v->range, printedName(*v) + " cannot be a family");
  if (v->onHeap && (storage == Storage::Param || !v->thunk.empty()))
    return fail(state, v->range, printedName(*v) + " cannot be on the heap");
  if (!v->thunk.empty() && storage != Storage::Global)
    return fail(state, v->range, printedName(*v) + " is of C and not global");
  return v->onHeap || storage == Storage::Param || !v->type.isRunTimeSized() ||
         fail(state, v->range,
              printedName(*v) + " has no constant size and is not on the heap");
}

static bool isRank(unsigned rank) { return rank >= 1 && rank <= 6; }

static bool verifyRegion(Verifying &state, const Region *r, Storage storage,
                         StringSet<> &names) {
  if (!declare(state, r, r->name, r->storage, storage, r->range, names))
    return false;
  return (isRank(r->rank()) ||
          fail(state, r->range,
               printedName(*r) + " has no rank from 1 to 6")) &&
         verifyDomain(state, r->domain, r->rank(), r->range);
}

/// What is adjacent to the declared region has its strides, floods and grid
/// dimensions.
static bool verifyBorder(Verifying &state, const Array &a, const Region *r) {
  if (!visible(state, r, a.range) ||
      !sameRank(state, r->rank(), a.rank(), "a border", a.range) ||
      !sameDomain(state, &a, r, a.range))
    return false;
  for (auto [inArray, there] : zip(a.shape, r->shape))
    if ((inArray != there &&
         (isPerProcessor(inArray) || isPerProcessor(there))) ||
        (there == DimKind::Strided && inArray != DimKind::Strided))
      return fail(state, a.range,
                  printedName(*r) + " is no border of " + printedName(a));
  return true;
}

/// A view is a local, and one of a family of such arrays.
static bool verifyView(Verifying &state, const Array &a) {
  if (!state.globals.contains(a.family) && !state.locals.contains(a.family))
    return fail(state, a.range, printedName(a) + " is a view of nothing");
  Type type = a.family->type;
  while (type == Type::Array)
    type = type.info()->element;
  bool fits = type == Type::Handle && a.storage == Storage::Local &&
              type.info()->element == a.element &&
              type.info()->rank == a.rank();
  return fits ||
         fail(state, a.range,
              printedName(a) + " is no view of " + printedName(*a.family));
}

/// One row of a sparse array of numbers, or one element of a sparse array.
static bool verifyFetched(Verifying &state, const Array &a) {
  if (!visible(state, a.fetched, a.range) ||
      !sameRank(state, a.fetched->rank(), a.rank(), "what is fetched", a.range))
    return false;
  if (a.isPerIndex())
    return (a.fetched->isSparse && a.fetched->element == a.element &&
            a.fetched->domain == a.domain && !a.element.isAggregate()) ||
           fail(state, a.range,
                printedName(a) + " is no element of a sparse array");
  bool isRow = a.rank() > 1 && a.lines.back() == AllLines &&
               all_of(drop_end(a.lines), [](unsigned n) { return n == 1; }) &&
               all_of(a.shape, [](DimKind k) { return k == DimKind::Range; });
  bool isOf =
      a.fetched->isSparse && a.fetched->element == a.element &&
      a.fetched->domain == a.domain && !isScattered(a) &&
      (a.element.isInteger() || a.element.isFloat() || a.element.isComplex());
  return (isRow && isOf) ||
         fail(state, a.range,
              printedName(a) + " is not one row of a sparse array of numbers");
}

/// A local without anything that is stored longer than an M-loop.
static bool verifyContracted(Verifying &state, const Array &a) {
  if (a.storage != Storage::Local || a.declared || a.family ||
      !a.fluff.isNone() || a.element.isRunTimeSized())
    return fail(state, a.range,
                printedName(a) + " is contracted, but no local of its "
                                 "M-loop");
  if (a.lines.size() != a.rank())
    return fail(state, a.range,
                "the lines of " + printedName(a) +
                    " are not one number per dimension");
  for (auto [kind, count] : zip(a.shape, a.lines))
    if (isPerProcessor(kind) && count != 1)
      return fail(state, a.range,
                  printedName(a) + " has several lines in a dimension "
                                   "with one index");
  return !a.fetched || verifyFetched(state, a);
}

bool isAtHome(Verifying &state, const Array &a, SourceRange range) {
  if (!a.isContracted())
    return true;
  if (!state.inMLoop)
    return fail(state, range,
                printedName(a) + " is contracted, and named outside of "
                                 "an M-loop");
  return state.homes.try_emplace(&a, state.inMLoop).first->second ==
             state.inMLoop ||
         fail(state, range,
              printedName(a) + " is contracted, and named in two "
                               "M-loops");
}

/// What an array is beside a block of elements: a view, lines or rows of
/// another one, carries, a parameter alone.
static bool verifyArrayForm(Verifying &state, const Array *a, Storage storage) {
  if (a->family && !verifyView(state, *a))
    return false;
  if (a->isContracted() && !verifyContracted(state, *a))
    return false;
  if (a->isCarries() && !verifyCarriesDeclaration(state, *a))
    return false;
  if (a->fetched && !a->isContracted())
    return fail(state, a->range, printedName(*a) + " has rows, but no lines");
  if (a->isAlone && storage != Storage::Param)
    return fail(state, a->range,
                printedName(*a) + " is alone, but not a parameter");
  return true;
}

/// The declared region and the domain of an array.
static bool verifyDeclaredRegion(Verifying &state, const Array *a,
                                 Storage storage) {
  if (a->declared && storage == Storage::Param)
    return fail(state, a->range,
                "the parameter " + printedName(*a) + " has a declared region");
  if (a->declared && !(visible(state, a->declared, a->range) &&
                       sameRank(state, a->declared->rank(), a->rank(),
                                "the declared region", a->range) &&
                       sameDomain(state, a, a->declared, a->range)))
    return false;
  if (!verifyDomain(state, a->domain, a->rank(), a->range))
    return false;
  if (a->declared && a->isSparse != a->declared->isSparse)
    return fail(state, a->range,
                printedName(*a) + " is " + (a->isSparse ? "" : "not ") +
                    "sparse, other than its declared region");
  return true;
}

/// The pattern of a sparse array, and what such arrays do not have.
static bool verifySparseArray(Verifying &state, const Array *a,
                              Storage storage) {
  if (a->pattern &&
      (storage != Storage::Param || !a->isSparse ||
       !visible(state, a->pattern, a->range) || !a->pattern->isSparse ||
       a->pattern->storage == Storage::Local || a->pattern->shape != a->shape))
    return fail(state, a->range,
                printedName(*a) + " has not the pattern of that region");
  if (a->isSparse && (!a->borders.empty() || !a->fluff.isNone() ||
                      a->panel >= 0 || a->isContracted()))
    return fail(state, a->range,
                printedName(*a) + " is sparse, and stored beside its region");
  return true;
}

/// The widths of the fluff, and its steps and wraps.
static bool verifyFluff(Verifying &state, const Array *a) {
  for (const Offset *side : {&a->fluff.below, &a->fluff.above}) {
    if (!side->empty() && side->size() != a->rank())
      return fail(state, a->range,
                  "the fluff of " + printedName(*a) + " is not of its rank");
    if (any_of(*side, [](int64_t width) { return width < 0; }))
      return fail(state, a->range,
                  "the fluff of " + printedName(*a) + " is negative");
  }
  if ((a->fluff.steps | a->fluff.wraps) >> a->rank())
    return fail(state, a->range,
                "the fluff of " + printedName(*a) + " is not of its rank");
  return true;
}

static bool verifyArray(Verifying &state, const Array *a, Storage storage,
                        StringSet<> &names) {
  if (!declare(state, a, a->name, a->storage, storage, a->range, names))
    return false;
  if (!isRank(a->rank()))
    return fail(state, a->range, printedName(*a) + " has no rank from 1 to 6");
  if (!isValue(a->element) || a->element.isFamily())
    return fail(state, a->range,
                printedName(*a) + " is an array of " + text(a->element));
  if (!verifyArrayForm(state, a, storage) ||
      !verifyDeclaredRegion(state, a, storage) ||
      !verifySparseArray(state, a, storage))
    return false;
  if (a->declared && a->shape != a->declared->shape)
    return fail(state, a->range,
                printedName(*a) + " has not the shape of its declared region");
  if (!a->borders.empty() && !a->declared)
    return fail(state, a->range, printedName(*a) + " has borders of no region");
  if (!all_of(a->borders,
              [&](const Region *r) { return verifyBorder(state, *a, r); }))
    return false;
  if (a->panel >= 0 && (unsigned(a->panel) >= a->rank() || a->declared ||
                        a->shape[a->panel] != DimKind::Flood))
    return fail(state, a->range,
                printedName(*a) + " is a panel with a region, or in "
                                  "a dimension that it does not flood");
  return verifyFluff(state, a);
}

static bool verifyTransfer(Verifying &state, const Transfer *t,
                           StringSet<> &names) {
  if (!declare(state, t, t->name, Storage::Local, Storage::Local, t->range,
               names) ||
      !visible(state, t->region, t->range))
    return false;
  if (t->items.empty() && t->byCallers)
    return fail(state, t->range,
                printedName(*t) + " has views, of which callers "
                                  "know nothing");
  bool isKnownToCallers = t->region->storage != Storage::Local &&
                          none_of(t->items, [](const auto &item) {
                            return item.first->storage == Storage::Local;
                          });
  if (t->byCallers && !isKnownToCallers)
    return fail(state, t->range,
                printedName(*t) + " has locals, of which callers "
                                  "know nothing");
  for (const auto &[array, shift] : t->items) {
    if (!readable(state, array, t->region, t->range) ||
        !sameRank(state, shift.size(), t->region->rank(), "the offset",
                  t->range))
      return false;
    for (auto [component, kind] : zip(shift, array->shape))
      if (component != 0 && isPerProcessor(kind))
        return fail(state, t->range,
                    printedName(*t) +
                        " has an item with an offset in a dimension "
                        "with one index per processor");
    if (all_of(shift, [](int64_t c) { return c == 0; }))
      return fail(state, t->range,
                  printedName(*t) + " has an item without offset");
  }
  return true;
}

bool hasNoDemands(Verifying &state, const Procedure &p, SourceRange range) {
  return none_of(p.transfers, [](const Transfer *t) { return t->byCallers; }) ||
         fail(state, range,
              printedName(p) + " has a transfer by callers, and the "
                               "runtime calls it");
}

static bool verifyParameter(Verifying &state, const Parameter &param,
                            StringSet<> &names) {
  int members = (param.variable != nullptr) + (param.array != nullptr) +
                (param.region != nullptr);
  if (members != 1)
    return fail(state, state.proc->range,
                "a parameter is not exactly one thing");
  if (state.proc->isScalar && !param.variable)
    return fail(state, state.proc->range,
                "a scalar procedure has only variables");
  if (param.variable)
    return verifyVariable(state, param.variable, Storage::Param, names);
  if (param.array)
    return verifyArray(state, param.array, Storage::Param, names);
  return verifyRegion(state, param.region, Storage::Param, names);
}

static bool verifyDeclarations(Verifying &state, const Procedure &p) {
  StringSet<> names;
  auto local = Storage::Local;
  if (p.isScalar &&
      !(p.regions.empty() && p.arrays.empty() && p.transfers.empty()))
    return fail(state, p.range, "a scalar procedure has only variables");
  return all_of(p.params,
                [&](const Parameter &x) {
                  return verifyParameter(state, x, names);
                }) &&
         all_of(
             p.variables,
             [&](auto *x) { return verifyVariable(state, x, local, names); }) &&
         all_of(
             p.regions,
             [&](auto *x) { return verifyRegion(state, x, local, names); }) &&
         all_of(p.arrays,
                [&](auto *x) { return verifyArray(state, x, local, names); }) &&
         all_of(p.transfers,
                [&](auto *x) { return verifyTransfer(state, x, names); }) &&
         knownTypes(state, p);
}

/// Once all is declared: parameters' bounds follow them.
static bool knownTypes(Verifying &state, const Procedure &p) {
  for (const Parameter &x : p.params)
    if ((x.variable &&
         !knownType(state, x.variable->type, x.variable->range)) ||
        (x.array && !knownType(state, x.array->element, x.array->range)))
      return false;
  auto ofVariable = [&](auto *x) {
    return knownType(state, x->type, x->range);
  };
  auto ofArray = [&](auto *x) {
    return knownType(state, x->element, x->range);
  };
  return all_of(p.variables, ofVariable) && all_of(p.arrays, ofArray) &&
         knownType(state, p.result, p.range);
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
static bool verifyTransferPoints(Verifying &state, const StmtList &list,
                                 SeenPoints &seen) {
  for (const Stmt *s : list) {
    bool good = true;
    forEachList(*s, [&](const StmtList &inner) {
      good = good && verifyTransferPoints(state, inner, seen);
    });
    if (!good)
      return false;
    if (auto *point = dyn_cast<TransferPointStmt>(s))
      good = verifyTransferPoint(state, *point->transfer, point->point, *s,
                                 list, seen);
    if (auto *shift = dyn_cast<ShiftStmt>(s); shift && shift->sends)
      good = verifyTransferPoint(state, *shift->sends, TransferPointStmt::DR,
                                 *s, list, seen) &&
             verifyTransferPoint(state, *shift->sends, TransferPointStmt::SR,
                                 *s, list, seen);
    if (auto *loop = dyn_cast<MLoopStmt>(s)) {
      good = all_of(loop->awaits, [&](const Transfer *awaited) {
        return verifyTransferPoint(state, *awaited, TransferPointStmt::DN, *s,
                                   list, seen);
      });
      for (const Transfer *brought : loop->time.brings)
        for (auto point : {TransferPointStmt::DR, TransferPointStmt::SR,
                           TransferPointStmt::DN, TransferPointStmt::SV})
          good = good &&
                 verifyTransferPoint(state, *brought, point, *s, list, seen);
    }
    if (!good)
      return false;
  }
  return true;
}

/// \p s, in \p list, is a point of the transfer.
static bool verifyTransferPoint(Verifying &state, const Transfer &transfer,
                                int point, const Stmt &s, const StmtList &list,
                                SeenPoints &seen) {
  auto [entry, isFirst] = seen.try_emplace(&transfer, &list, 0);
  auto &[where, next] = entry->second;
  bool isSent = point <= TransferPointStmt::SR;
  if (isSent && isa<ShiftStmt>(s) != transfer.items.empty())
    return fail(state, s.range,
                "a shift sends views, and a transfer its items: " +
                    printedName(transfer));
  if (next++ != point)
    return fail(state, s.range,
                "the points of " + printedName(transfer) +
                    " are not once each dr, sr, dn, sv");
  return where == &list || fail(state, s.range,
                                "the points of " + printedName(transfer) +
                                    " are not all in one list");
}

namespace {

/// What a statement begins, until another one ends it: a combination of a
/// variable, or making arrays, by a flood, a scan or a shift.
struct SplitPart {
  const Stmt *stmt;
  SmallVector<const Variable *, 4> variables;
  SmallVector<const Array *, 4> arrays;
  const Array *source = nullptr; ///< of a flood or scan
  const Transfer *views = nullptr;

  explicit SplitPart(const Stmt &stmt) : stmt(&stmt) {
    if (auto *combine = dyn_cast<CombineStmt>(&stmt)) {
      if (combine->phase == CombineStmt::Begin)
        variables = variablesOf(*combine);
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

  static SmallVector<const Variable *, 4>
  variablesOf(const CombineStmt &combine) {
    SmallVector<const Variable *, 4> all;
    for (const CombineStmt::Value &value : combine.values())
      all.push_back(value.variable);
    return all;
  }

  bool begins() const { return !variables.empty() || !arrays.empty(); }
  bool isEndedBy(const Stmt &other) const {
    if (auto *combine = dyn_cast<CombineStmt>(&other))
      return combine->phase == CombineStmt::End &&
             variablesOf(*combine) == variables;
    if (auto *end = dyn_cast<OperatorEndStmt>(&other))
      return !views && is_contained(arrays, end->target) &&
             end->ofScan == isa<ScanStmt>(stmt);
    if (auto *loop = dyn_cast<MLoopStmt>(&other))
      return views && is_contained(loop->awaits, views);
    auto *point = dyn_cast<TransferPointStmt>(&other);
    return point && point->transfer == views &&
           point->point == TransferPointStmt::DN;
  }
  /// \p other, or a statement inside of it.
  bool isMentionedBy(const Stmt &other) const {
    bool inside = false;
    forEachList(other, [&](const StmtList &list) {
      for (const Stmt *inner : list)
        inside |= isMentionedBy(*inner);
    });
    if (inside)
      return true;
    bool found = any_of(variables, [&](const Variable *variable) {
      return mentions(other, variable);
    });
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
    return !variables.empty() ? "combining " + printedName(*variables.front())
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
static bool verifySplits(Verifying &state, const StmtList &list) {
  SmallVector<SplitPart, 2> begun;
  for (const Stmt *s : list) {
    size_t before = begun.size();
    erase_if(begun, [&](const SplitPart &b) { return b.isEndedBy(*s); });
    std::string ended = nameOfEnd(*s);
    if (!ended.empty() && begun.size() == before)
      return fail(state, s->range,
                  "there is no begin of " + ended +
                      " before its end in this list");
    if (!ended.empty())
      continue;
    for (const SplitPart &b : begun)
      if (!mayStandInSplit(*s) || b.isMentionedBy(*s) || b.isMovedBy(*s))
        return fail(state, s->range,
                    "this must not stand between begin and end of " + b.name());
    SplitPart part(*s);
    if (part.begins())
      begun.push_back(part);
  }
  return begun.empty() ||
         fail(state, begun.front().stmt->range,
              "there is no end of " + begun.front().name() + " in this list");
}

/// C calls scalar procedures, and passes scalars by value.
static bool verifyCallbacks(Verifying &state, const Procedure &p) {
  for (const Callback &callback : p.callbacks) {
    const Procedure *called = callback.procedure;
    if (!called || !state.procedures.contains(called))
      return fail(state, p.range, "a callback is not in the module");
    auto isValue = [](const Parameter &param) {
      return param.variable && !param.variable->byReference &&
             !param.variable->type.isAggregate();
    };
    if (!called->isScalar || called->result.isAggregate() ||
        !all_of(called->params, isValue))
      return fail(state, p.range, printedName(*called) + " is no callback");
    if (callback.symbol.empty())
      return fail(state, p.range, "a callback has no symbol");
  }
  return true;
}

static bool verifyProcedure(Verifying &state, const Procedure &p) {
  state.proc = &p;
  state.locals.clear();
  state.allocated.clear();
  state.homes.clear();
  state.loopDepth = 0;
  if (p.name.empty())
    return fail(state, p.range, "a procedure has no name");
  if (p.result == Type::Timer)
    return fail(state, p.range, "a procedure's result is a timer");
  if (!p.thunk.empty())
    return verifyDeclarations(state, p) && verifyCallbacks(state, p) &&
           ((p.body.empty() && p.variables.empty()) ||
            fail(state, p.range, "a procedure of C has a body"));
  SeenPoints seenPoints;
  if (!verifyDeclarations(state, p) || !verifyList(state, p.body) ||
      !verifyTransferPoints(state, p.body, seenPoints))
    return false;
  for (const Transfer *t : p.transfers)
    if (t->items.empty() && !seenPoints.contains(t))
      return fail(state, t->range, printedName(*t) + " transfers nothing");
  bool splitsWell = true;
  forEachListInside(p.body, [&](const StmtList &list) {
    splitsWell = splitsWell && verifySplits(state, list) &&
                 verifyWindowGroups(state, list);
  });
  if (!splitsWell)
    return false;
  for (const Transfer *t : p.transfers)
    if (t->byCallers && seenPoints.contains(t))
      return fail(state, t->range,
                  printedName(*t) + " is by callers and has points");
    else if (!t->byCallers &&
             seenPoints.lookup(t).second != TransferPointStmt::SV + 1)
      return fail(state, t->range, printedName(*t) + " has not all its points");
  return p.result == Type::Void || endsInReturn(p.body) ||
         fail(state, p.range, "control can run off the end of a function");
}

static bool verifySpecialProcedure(Verifying &state, const Procedure *p,
                                   StringRef role) {
  if (!p)
    return true;
  if (!state.procedures.contains(p))
    return fail(state, {}, "the " + role + " procedure is not in the module");
  if (!hasNoDemands(state, *p, p->range))
    return false;
  return (p->params.empty() && p->result == Type::Void && !p->isScalar) ||
         fail(state, p->range,
              "the " + role + " procedure " + printedName(*p) +
                  " has parameters, a result or is scalar");
}

/// All of the module.
static bool verifyModule(Verifying &state) {
  StringSet<> names, procedureNames;
  auto global = Storage::Global;
  // Bounds of types are variables, and variables are of those types.
  for (const Variable *v : state.module.variables)
    state.globals.insert(v);
  if (!all_of(state.module.types,
              [&](auto *x) { return verifyType(state, x, names); }) ||
      !all_of(
          state.module.variables,
          [&](auto *x) { return verifyVariable(state, x, global, names); }) ||
      !verifyDistributions(state, names) ||
      !all_of(state.module.regions,
              [&](auto *x) { return verifyRegion(state, x, global, names); }) ||
      !all_of(state.module.arrays,
              [&](auto *x) { return verifyArray(state, x, global, names); }))
    return false;
  for (const Variable *v : state.module.variables)
    if (!knownType(state, v->type, v->range))
      return false;
  for (const Array *a : state.module.arrays)
    if (!knownType(state, a->element, a->range))
      return false;
  for (const Procedure *p : state.module.procedures) {
    if (!procedureNames.insert(p->name).second)
      return fail(state, p->range,
                  "two procedures are named " + printedName(*p));
    state.procedures.insert(p);
  }
  for (const Procedure *p : state.module.procedures)
    if (!verifyProcedure(state, *p))
      return false;
  state.proc = nullptr;
  return verifySpecialProcedure(state, state.module.initialize, "initial") &&
         verifySpecialProcedure(state, state.module.entry, "entry");
}

bool verify(const Module &module, std::string *error, SourceRange *where) {
  Verifying state(module);
  if (verifyModule(state))
    return true;
  if (error)
    *error = state.message;
  if (where)
    *where = state.place;
  return false;
}

} // namespace zpl::air
