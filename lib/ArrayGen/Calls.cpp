//===- Calls.cpp - Calls of parallel, scalar and promoted procedures ------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Three kinds of calls:
//
//  - A call of a parallel procedure is a statement. The covering regions that
//    the callee's instance needs come first, then the arguments. An array by
//    value is passed as it is if nobody can tell; else, and if it is an
//    expression, the callee gets a temporary:
//
//        smooth(A + B, 3)        alloc %T over %R
//                                [%R] %T = add %A, %B
//                                call @smooth(%R, %T, 3)
//                                free %T
//
//    A part of an array's elements by reference, `smooth(P.x)`, is passed as
//    that: `call @smooth(ref %P.x)`.
//
//    Whether arrays are declared over what a formal `[R] T` says is checked
//    just before the call, where Sema could not tell.
//
//    A function whose result is a parallel array gets a temporary over the
//    covering region, in which it puts the elements:
//
//        A := smooth(B) + 1.0    alloc %T over %R
//                                call @smooth(%R, %T, %B)
//                                [%R] %A = add %T, 1.0
//                                free %T
//
//    Records and indexed arrays by value are passed where they are, unless the
//    callee could see them change.
//
//  - One of a scalar procedure with scalars is an expression.
//
//  - One of a scalar procedure with arrays (promotion) is an expression at each
//    index. With reference arguments it writes arrays, so it must be alone in
//    its statement: `[%R] %B = call @f(ref %A)` or `[%R] call @f(ref %A)`.
//    Shattered control flow is such a call. Where arrays may have two names, it
//    calls a procedure of its own, which takes what it reads under the other
//    name by reference as well.
//
//===----------------------------------------------------------------------===//

#include "Calls.h"
#include "Expressions.h"
#include "Families.h"
#include "Operators/Domains.h"
#include "Operators/Masks.h"
#include "Operators/Regions.h"
#include "Operators/Sparse.h"
#include "Places.h"
#include "Procedure.h"
#include "References.h"
#include "Statements/ArrayStatements.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;

namespace zpl::arraygen {

static air::Argument argument(ProcedureState &p, const sema::CallExpr *call,
                              unsigned i);
static air::Argument arrayArgument(ProcedureState &p,
                                   const sema::CallExpr *call, unsigned i);
static air::Array *copyOf(ProcedureState &p, air::Array *array,
                          const sema::Array *formal, SourceRange range);
static void checkFormals(ProcedureState &p, const sema::CallExpr *call,
                         llvm::ArrayRef<air::Argument> args);
static llvm::SmallBitVector
sharedArguments(const ProcedureState &p, const sema::CallExpr *call,
                llvm::ArrayRef<air::Array *> written);
static air::Procedure *scalarCallee(ProcedureState &p,
                                    const sema::CallExpr *call,
                                    const llvm::SmallBitVector &shared);

const sema::Instance *calleeOf(const ProcedureState &p,
                               const sema::CallExpr *call) {
  const sema::Instance *callee = p.instance.callees.lookup(call);
  assert(callee && "Sema found the instance of every call");
  return callee;
}

static bool laterEffects(ProcedureState &p, ArrayRef<const sema::Expr *> exprs,
                         unsigned i) {
  return any_of(exprs.drop_front(i + 1), [&](const sema::Expr *later) {
    return p.builder.facts.of(later).effects;
  });
}

//===----------------------------------------------------------------------===//
// Parallel procedures
//===----------------------------------------------------------------------===//

static const sema::Array *arrayFormal(const sema::CallExpr *call, unsigned i) {
  return dyn_cast<sema::Array>(call->callee->params[i]);
}

static bool needsCopy(const sema::CallExpr *call, unsigned i) {
  return i < call->copies.size() && call->copies[i];
}

const air::CallExpr *parallelCall(ProcedureState &p, const sema::CallExpr *call,
                                  const air::Argument *result) {
  const sema::Instance *callee = calleeOf(p, call);
  SmallVector<air::Argument, 4> args;
  for (unsigned rank = 1; rank <= sema::MaxRank; ++rank) {
    if (!callee->covers[rank])
      continue;
    air::Argument region, mask;
    region.region =
        coverIn(p, rank, p.builder.domains.lookup(callee->coverDomains[rank]),
                call->range);
    args.push_back(region);
    if (callee->masks[rank] == sema::MaskKind::None)
      continue;
    mask.array = maskArgument(p, *callee, rank, call->range);
    args.push_back(mask);
  }
  if (result)
    args.push_back(*result);
  size_t hidden = args.size();
  for (unsigned i = 0; i != call->args.size(); ++i)
    args.push_back(argument(p, call, i));
  checkFormals(p, call, ArrayRef(args).drop_front(hidden));
  ++p.known.parallelCalls;
  return p.module.make<air::CallExpr>(p.builder.procedures.lookup(callee),
                                      resultType(p, call->callee), args,
                                      call->range);
}

/// Argument \p i of a parallel call.
static air::Argument argument(ProcedureState &p, const sema::CallExpr *call,
                              unsigned i) {
  if (arrayFormal(call, i))
    return arrayArgument(p, call, i);
  const sema::Expr *arg = call->args[i];
  ArrayRef<const sema::Expr *> later = ArrayRef(call->args).drop_front(i + 1);
  air::Argument argument;
  if (sema::isByReference(argumentMode(call, i))) {
    argument.place = placeExpr(p, arg, {}, later);
    return argument;
  }
  TemporaryScope scope(p);
  argument.value = value(p, arg);
  if (needsCopy(call, i) || laterEffects(p, call->args, i))
    argument.value = save(p, argument.value, {}, scope);
  return argument;
}

air::Array *arrayResult(ProcedureState &p, const sema::CallExpr *call,
                        Cover over) {
  air::Argument result;
  result.array = temporaryArray(p, typeFor(p, call->callee->result),
                                over.region, call->range);
  TemporaryScope scope(p);
  emit<air::CallStmt>(p, nullptr, parallelCall(p, call, &result), call->range);
  scope.free(call->range);
  return result.array;
}

/// Argument \p i of a parallel call, whose formal is an array.
static air::Argument arrayArgument(ProcedureState &p,
                                   const sema::CallExpr *call, unsigned i) {
  const sema::Expr *arg = call->args[i];
  const sema::Array *formal = arrayFormal(call, i);
  air::Argument argument;
  const sema::ArrayExpr *plain = sema::wholeArgument(*call, i);
  if (formal->family != sema::Type::Error) {
    const air::Expr *whole =
        variableExpr(p, family(p, plain->array).variable, arg->range);
    (sema::isByReference(formal->mode) ? argument.place : argument.value) =
        whole;
    return argument;
  }
  if (plain && plain != arg) {
    bind(p, plain);
    argument.place =
        placeExpr(p, arg, {}, ArrayRef(call->args).drop_front(i + 1));
    return argument;
  }
  if (!plain) {
    const sema::Domain *wanted = calleeOf(p, call)->paramDomains[i];
    DomainScope domain(p, formal->rank, p.builder.domains.lookup(wanted),
                       arg->range);
    Cover over = p.covers[formal->rank].unmasked();
    prepare(p, arg, over);
    argument.array = materialize(p, arg, over, fluffOf(*formal, *over.region));
    argument.array->text = formal->name;
    return argument;
  }
  bind(p, plain);
  argument.array = find(p, plain);
  bool byReference = sema::isByReference(argumentMode(call, i));
  if (!byReference && (needsCopy(call, i) || laterEffects(p, call->args, i)))
    argument.array = copyOf(p, argument.array, formal, arg->range);
  return argument;
}

/// A copy of a whole array, over its declared region and its borders, which of
/// a parameter, a member of a family and an array over a region variable only
/// the runtime knows.
static air::Array *copyOf(ProcedureState &p, air::Array *array,
                          const sema::Array *formal, SourceRange range) {
  air::Region *all = declaredRegion(p, array, range);
  air::Array *copy = makeArray(p, "T", array->element, all->shape, range);
  copy->text = array->text;
  copy->declared = all;
  copy->domain = all->domain;
  copy->isSparse = all->isSparse;
  copy->fluff = fluffOf(*formal, *all);
  bool isAsked = !array->isSparse &&
                 (array->storage == air::Storage::Param || array->family ||
                  p.builder.followers.contains(array));
  if (!isAsked)
    copy->borders = array->borders;
  auto *alloc = emit<air::AllocArrayStmt>(p, copy, range);
  if (isAsked)
    alloc->like = array;
  p.frame.temporaries.push_back(copy);
  storeElements(p, elementOf(p, copy, range), elementOf(p, array, range), all,
                range);
  copyIrv(p, copy, array, range);
  for (air::Region *border : copy->borders)
    storeElements(p, elementOf(p, copy, range), elementOf(p, array, range),
                  border, range);
  return copy;
}

/// The region that a formal `[R] T` asks its argument to be declared over.
/// Blank dimensions take whatever the argument has.
static air::Region *formalRegion(ProcedureState &p, const sema::Array *formal,
                                 air::Array *argument, SourceRange range) {
  if (formal->declared->kind == sema::RegionExpr::Ref)
    return evaluate(p, *formal->declared, "formal");
  air::Region *region = nullptr;
  open(p, declaredRegion(p, argument, range),
       [&] { region = evaluate(p, *formal->declared, "formal"); });
  return region;
}

/// The same of each array of a family.
static void checkFamily(ProcedureState &p, const sema::Array *formal,
                        const sema::ArrayExpr *argument) {
  SourceRange range = argument->range;
  forEachMember(p, argument->array, range,
                [&](ArrayRef<const air::Expr *> indices) {
                  for (auto [member, index] : zip(formal->member, indices))
                    p.frame.locals.variables[member] =
                        cast<air::VarExpr>(index)->variable;
                  air::Array *view = memberView(p, argument->array, indices);
                  air::Region *region = formalRegion(p, formal, view, range);
                  emit<air::CheckStmt>(p, air::CheckStmt::Formal, view, region,
                                       ArrayRef<const air::Expr *>(),
                                       argument->text, range);
                });
}

/// Lets regions of formals be made of the hidden arguments that the callee is
/// given: blank bounds, and what its heading evaluates first.
static void bindBounds(ProcedureState &p, const sema::CallExpr *call,
                       ArrayRef<air::Argument> args) {
  for (auto [param, arg] : zip(call->callee->params, args)) {
    auto *bound = dyn_cast<sema::Variable>(param);
    if (!bound || !bound->isHidden || !arg.value)
      continue;
    air::Variable *made =
        makeVariable(p, "bound", typeFor(p, bound->type), call->range);
    emit<air::SetStmt>(p, variableExpr(p, made, call->range), arg.value,
                       call->range);
    p.frame.locals.variables[bound] = made;
  }
}

static void checkFormals(ProcedureState &p, const sema::CallExpr *call,
                         ArrayRef<air::Argument> args) {
  for (auto [i, arg] : enumerate(call->args)) {
    if (!p.instance.checkedArguments.contains({call, unsigned(i)}))
      continue;
    auto *plain = dyn_cast<sema::ArrayExpr>(arg);
    SaveAndRestore outer(p.frame.locals.variables); // it may be this procedure
    bindBounds(p, call, args);
    if (arrayFormal(call, i)->family != sema::Type::Error) {
      checkFamily(p, arrayFormal(call, i), plain);
      continue;
    }
    air::Array *array =
        args[i].array ? args[i].array : air::rootElement(args[i].place)->array;
    std::string text = plain ? plain->text : array->text;
    air::Region *region =
        formalRegion(p, arrayFormal(call, i), array, arg->range);
    emit<air::CheckStmt>(p, air::CheckStmt::Formal, array, region,
                         ArrayRef<const air::Expr *>(), text, arg->range);
  }
}

//===----------------------------------------------------------------------===//
// Scalar procedures
//===----------------------------------------------------------------------===//

const air::CallExpr *scalarCall(ProcedureState &p, const sema::CallExpr *call,
                                Cover over, const air::Argument *result) {
  SmallVector<air::Array *, 4> written;
  SmallVector<const sema::Expr *, 8> evaluated;
  for (auto [i, arg] : enumerate(call->args))
    if (sema::isByReference(argumentMode(call, i)))
      if (const sema::ArrayExpr *array = rootArray(arg))
        written.push_back(find(p, array));
  SmallBitVector shared = sharedArguments(p, call, written);
  for (auto [i, arg] : enumerate(call->args))
    if (shared[i] || sema::isByReference(argumentMode(call, i)))
      addParts(arg, evaluated);
    else
      evaluated.push_back(arg);
  SaveAndRestore outer(p.statement.targets);
  for (air::Array *array : written)
    p.statement.targets.push_back({array, over.region});
  // Each call of a wave has its arguments by value before it writes.
  ExprList values =
      operands(p, evaluated, over,
               p.statement.openWave ? ArrayRef<air::Array *>() : written);
  const air::Expr *const *next = values.begin();
  SmallVector<air::Argument, 4> args(call->args.size());
  for (auto [i, arg] : enumerate(call->args)) {
    TemporaryScope scope(p);
    if (shared[i] || sema::isByReference(argumentMode(call, i)))
      args[i].place = placeExpr(p, arg, next, over);
    else
      args[i].value =
          needsCopy(call, i) ? save(p, *next++, over, scope) : *next++;
  }
  if (result)
    args.insert(args.begin(), *result);
  return p.module.make<air::CallExpr>(scalarCallee(p, call, shared),
                                      resultType(p, call->callee), args,
                                      call->range);
}

/// The arrays that a shattered statement reads and that may be other names of
/// those it writes: passed by value, they would not change with these.
static SmallBitVector sharedArguments(const ProcedureState &p,
                                      const sema::CallExpr *call,
                                      ArrayRef<air::Array *> written) {
  SmallBitVector shared(call->args.size());
  if (!call->callee->isShard)
    return shared;
  auto floods = [](const air::Array *array) {
    SmallVector<bool, 6> result;
    for (air::DimKind kind : array->shape)
      result.push_back(kind == air::DimKind::Flood);
    return result;
  };
  for (auto [i, arg] : enumerate(call->args)) {
    auto *plain = dyn_cast<sema::ArrayExpr>(arg);
    if (!plain || !plain->direction.empty() ||
        sema::isByReference(argumentMode(call, i)))
      continue;
    air::Array *array = find(p, plain);
    shared[i] = any_of(written, [&](const air::Array *target) {
      return mayShareStorage(p, array, target) &&
             floods(array) == floods(target);
    });
  }
  return shared;
}

/// The procedure to call with \p shared arguments by reference.
static air::Procedure *scalarCallee(ProcedureState &p,
                                    const sema::CallExpr *call,
                                    const SmallBitVector &shared) {
  const sema::Instance *callee = calleeOf(p, call);
  air::Procedure *usual = p.builder.procedures.lookup(callee);
  if (shared.none())
    return usual;
  auto *made = p.module.make<air::Procedure>();
  made->name = p.builder.names.unique(usual->name);
  made->sourceName = usual->sourceName;
  made->isScalar = true;
  made->range = usual->range;
  p.module.procedures.push_back(made);
  ProcedureState shard(p.builder, *callee, *made);
  shard.frame.shared = shared;
  buildInstance(shard);
  return made;
}

} // namespace zpl::arraygen
