//===- InlinedBody.cpp - The body of a procedure for one call -------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     proc @mean(region %R2, array %X, var %k) -> f64 {    set %k = @n
//       var %t                                             set %t = f64 0.0
//       ...                                                ...
//       [%R2] %t = reduce sum %X                =>         [@R] %t = reduce sum
//       @A return div(%t, f64(%k))                            set %m = div(%t,
//       f64(%k))
//     }
//     %m = call @mean(region @R, array @A, @n)
//
//  - Regions, arrays and what is passed by reference stand for their
//    parameters. What the caller passes by value it has protected from the
//    callee itself (ArrayGen/Calls.cpp), so arrays and aggregates by value need
//    no copy either.
//  - A scalar by value becomes a local that is set in front; a constant that
//    the callee does not change takes its place.
//  - Locals become locals of the caller, under new names. They are zero at
//    entry. In a loop they are cleared in front, but for those of which the
//    first thing that happens is that they are written.
//  - `return e` at the end becomes `set %m = e`.
//
// Statements were made for what the callee knows of its arrays. If the caller
// knows less, that its views `R[i]` and `R[j]` are of one family, say, they
// could look wrong: then the call stays. That concerns arrays of which one is
// written.
//
// Cost: linear in the body, quadratic in the arrays that it names.
//
//===----------------------------------------------------------------------===//

#include "Inlining/InlinedBody.h"
#include "Communication/TransferEdits.h"
#include "zpl/ArrayIR/Printer.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/SetVector.h"

using namespace llvm;

namespace zpl::air {

/// Returns that stand last, also in both branches of what stands last.
static unsigned returnsAtEnd(const StmtList &list) {
  if (list.empty())
    return 0;
  if (auto *branch = dyn_cast<IfStmt>(list.back()))
    return returnsAtEnd(branch->thenBody) + returnsAtEnd(branch->elseBody);
  return isa<ReturnStmt>(list.back());
}

bool returnsAtEndOnly(const StmtList &body) {
  unsigned all = 0;
  forEachStmt(body, [&](const Stmt &stmt) { all += isa<ReturnStmt>(stmt); });
  return all == returnsAtEnd(body);
}

InlinedBody::InlinedBody(Module &module, const Effects &effects,
                         NameAllocator &names, Procedure &caller,
                         const CallStmt &call, bool isRepeated)
    : module(module), names(names), caller(caller), call(call),
      callee(*call.call->callee), isRepeated(isRepeated), effects(effects),
      written(effects.writes(callee, callee.body)) {}

std::string InlinedBody::make() {
  for (auto [param, arg] : zip(callee.params, call.call->args))
    if (std::string why = bind(param, arg); !why.empty())
      return why;
  addLocals();
  if (std::string why = checkAliases(); !why.empty())
    return why;
  if (isRepeated)
    clearLocals();
  StmtCloner cloner(module, renaming);
  StmtList body = cloner.clone(callee.body);
  if (const Variable *misfit = cloner.failed())
    return "a part of a variable is passed for " + misfit->text +
           "; pass a whole one";
  replaceReturns(body);
  statements.insert(statements.end(), body.begin(), body.end());
  return "";
}

void InlinedBody::commit(StmtList &list) {
  caller.variables.insert(caller.variables.end(), variables.begin(),
                          variables.end());
  caller.regions.insert(caller.regions.end(), regions.begin(), regions.end());
  caller.arrays.insert(caller.arrays.end(), arrays.begin(), arrays.end());
  list.insert(list.end(), statements.begin(), statements.end());
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

std::string InlinedBody::bind(const Parameter &param, const Argument &arg) {
  if (param.array)
    return bindArray(*param.array, arg);
  if (param.variable)
    return bindVariable(*param.variable, arg);
  if (param.region->shape != arg.region->shape ||
      param.region->isSparse != arg.region->isSparse)
    return "it is made for regions of another shape";
  if (written.regions.contains(arg.region))
    return "it sets the region " + sourceName(*arg.region);
  renaming.regions[param.region] = arg.region;
  return "";
}

std::string InlinedBody::bindArray(const Array &param, const Argument &arg) {
  if (!arg.array)
    return "a part of each element is passed for " + sourceName(param) +
           "; pass a whole array";
  bool isMadeOfOther = arg.array->storage == Storage::Local &&
                       !arg.array->declared && !arg.array->family;
  if (isMadeOfOther)
    return "what is passed for " + sourceName(param) +
           " may be a part of another array";
  if (param.shape != arg.array->shape ||
      param.isSparse != arg.array->isSparse ||
      param.element != arg.array->element)
    return "it is made for arrays of another shape";
  renaming.arrays[&param] = arg.array;
  return "";
}

/// A variable or a field of one: the same place whenever it is evaluated.
static bool isFixedPlace(const Expr *place) {
  while (auto *field = dyn_cast<FieldExpr>(place))
    place = field->base;
  return isa<VarExpr>(place);
}

/// How many scalars a value of the type consists of; large for those of unknown
/// size.
static uint64_t scalarsOf(Type type) {
  constexpr uint64_t Unknown = 1 << 20;
  if (!type.isAggregate())
    return type == Type::Opaque ? Unknown : 1;
  const TypeInfo &info = *type.info();
  uint64_t count = 0;
  for (const Field &field : info.fields)
    count += scalarsOf(field.type);
  if (type != Type::Array)
    return count;
  count = scalarsOf(info.element);
  for (auto [lo, hi] : zip(info.lo, info.hi))
    count = std::min(
        Unknown, lo.variable || hi.variable
                     ? Unknown
                     : count * std::min<uint64_t>(
                                   Unknown, std::max<int64_t>(
                                                hi.value - lo.value + 1, 0)));
  return count;
}

std::string InlinedBody::bindVariable(const Variable &param,
                                      const Argument &arg) {
  constexpr uint64_t MaxCopied = 64; // scalars
  const Expr *given = arg.place ? arg.place : arg.value;
  if (given->type != param.type)
    return "it is made for another size of " + param.text;
  bool isNamed = param.byReference || param.type.isAggregate();
  if (isNamed && isFixedPlace(given)) {
    renaming.variables[&param] = given;
    return "";
  }
  if (param.byReference || param.type.isFamily() ||
      (isNamed && scalarsOf(param.type) > MaxCopied))
    return "an element of an array is passed for " + param.text +
           "; pass a variable";
  if (isa<ConstExpr>(given) && !written.variables.contains(&param))
    renaming.variables[&param] = given;
  else
    copyValue(param, given);
  return "";
}

void InlinedBody::copyValue(const Variable &param, const Expr *value) {
  Variable *copy = addVariable(param);
  statements.push_back(module.make<SetStmt>(
      module.make<VarExpr>(copy, value->range), value, value->range));
}

//===----------------------------------------------------------------------===//
// Locals
//===----------------------------------------------------------------------===//

Variable *InlinedBody::addVariable(const Variable &like) {
  auto *made = module.make<Variable>(like);
  made->name = names.make(like.name);
  made->range = {};
  made->storage = Storage::Local;
  made->byReference = false;
  variables.push_back(made);
  renaming.variables[&like] = module.make<VarExpr>(made, like.range);
  return made;
}

Variable *InlinedBody::addVariable(StringRef name, Type type) {
  auto *made = module.make<Variable>();
  made->name = names.make(name);
  made->type = type;
  variables.push_back(made);
  return made;
}

void InlinedBody::addLocals() {
  for (const Variable *variable : callee.variables)
    addVariable(*variable);
  for (const Region *region : callee.regions) {
    auto *made = module.make<Region>(*region);
    made->name = names.make(region->name);
    made->range = {};
    regions.push_back(made);
    renaming.regions[region] = made;
  }
  auto regionOf = [&](Region *region) {
    Region *known = renaming.regions.lookup(region);
    return known ? known : region;
  };
  for (const Array *array : callee.arrays) {
    auto *made = module.make<Array>(*array);
    made->name = names.make(array->name);
    made->range = {};
    made->declared = regionOf(array->declared);
    for (Region *&border : made->borders)
      border = regionOf(border);
    const Expr *family = renaming.variables.lookup(array->family);
    if (family) {
      made->family = rootVariable(family);
      if (!isa<VarExpr>(family)) // a family within another one
        made->member.clear();
    }
    arrays.push_back(made);
    renaming.arrays[array] = made;
  }
}

/// The variable that a statement gives a value as a whole, whatever it had
/// before; null if there is none.
static const Variable *writtenAsWhole(const Stmt &stmt) {
  auto whole = [](const Expr *place) {
    auto *var = dyn_cast<VarExpr>(place);
    return var ? var->variable : nullptr;
  };
  if (auto *set = dyn_cast<SetStmt>(&stmt))
    return whole(set->target);
  if (auto *loop = dyn_cast<ForStmt>(&stmt))
    return whole(loop->variable);
  if (auto *reduce = dyn_cast<ReduceStmt>(&stmt))
    return reduce->target;
  if (auto *fold = dyn_cast<FoldStmt>(&stmt))
    return fold->variable;
  if (auto *call = dyn_cast<CallStmt>(&stmt))
    return call->result;
  if (auto *builtin = dyn_cast<BuiltinStmt>(&stmt))
    return builtin->result;
  return nullptr;
}

/// Calls \p visit for each variable that a statement, or one nested in it,
/// reads or may read.
static void forEachRead(const Stmt &stmt,
                        function_ref<void(const Variable *)> visit) {
  const Expr *target = nullptr;
  if (auto *set = dyn_cast<SetStmt>(&stmt))
    target = set->target;
  else if (auto *loop = dyn_cast<ForStmt>(&stmt))
    target = loop->variable;
  forEachRoot(stmt, [&](const Expr &root) {
    if (&root == target && isa<VarExpr>(root))
      return;
    forEachExpr(root, [&](const Expr &e) {
      if (auto *var = dyn_cast<VarExpr>(&e))
        visit(var->variable);
    });
  });
}

void InlinedBody::clearLocals() {
  DenseSet<const Variable *> seen, assigned;
  for (const Stmt *stmt : callee.body) {
    DenseSet<const Variable *> here = effects.writes(callee, *stmt).variables;
    const Variable *whole = writtenAsWhole(*stmt);
    bool isRead = false;
    auto see = [&](const Variable *variable, bool isNested) {
      here.insert(variable);
      isRead |= variable == whole && !isNested;
    };
    forEachRead(*stmt, [&](const Variable *v) { see(v, false); });
    forEachList(*stmt, [&](const StmtList &list) {
      forEachStmt(list, [&](const Stmt &inner) {
        forEachRead(inner, [&](const Variable *v) { see(v, true); });
      });
    });
    if (whole && !isRead && !seen.contains(whole))
      assigned.insert(whole);
    seen.insert(here.begin(), here.end());
  }
  for (const Variable *variable : callee.variables)
    if (!variable->onHeap && seen.contains(variable) &&
        !assigned.contains(variable))
      clear(*rootVariable(renaming.variables.lookup(variable)));
}

void InlinedBody::clear(Variable &variable) {
  SourceRange range = call.range;
  const Expr *zero;
  Type type = variable.type;
  if (type.isAggregate() || type == Type::Opaque) {
    // Nobody writes it.
    zero = module.make<VarExpr>(addVariable("zero", type), range);
  } else if (type.isComplex()) {
    auto *part = module.make<ConstExpr>(type.component(), range);
    zero = module.make<ComplexExpr>(part, part, type, range);
  } else {
    zero = module.make<ConstExpr>(type, range);
  }
  statements.push_back(module.make<SetStmt>(
      module.make<VarExpr>(&variable, range), zero, range));
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

/// Arrays that may have other names, and are named in the body.
static SetVector<const Array *> sharedArrays(const Procedure &procedure) {
  SetVector<const Array *> result;
  forEachStmt(procedure.body, [&](const Stmt &stmt) {
    forEachArray(stmt, [&](const Array &array) {
      if (array.storage != Storage::Local || array.family)
        result.insert(&array);
    });
  });
  return result;
}

std::string InlinedBody::checkAliases() const {
  auto nameHere = [&](const Array *array) {
    const Array *known = renaming.arrays.lookup(array);
    return known ? known : array;
  };
  SetVector<const Array *> all = sharedArrays(callee);
  for (const Array *a : all)
    for (const Array *b : all)
      if (a != b && written.arrays.contains(a) &&
          !mayBeSame(module, *a, *b, callee.mayAlias) &&
          mayBeSame(module, *nameHere(a), *nameHere(b), caller.mayAlias))
        return sourceName(*a) + " and " + sourceName(*b) +
               " are two arrays in it, but may be one here";
  return "";
}

void InlinedBody::replaceReturns(StmtList &list) {
  if (list.empty())
    return;
  if (auto *branch = dyn_cast<IfStmt>(list.back())) {
    replaceReturns(branch->thenBody);
    return replaceReturns(branch->elseBody);
  }
  auto *last = dyn_cast<ReturnStmt>(list.back());
  if (!last)
    return;
  list.pop_back();
  if (!last->value)
    return;
  Variable *result = call.result;
  if (!result) // evaluated nevertheless: it may call
    result = addVariable("unused", last->value->type);
  list.push_back(module.make<SetStmt>(module.make<VarExpr>(result, last->range),
                                      last->value, last->range));
}

} // namespace zpl::air
