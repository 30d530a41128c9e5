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

#include "Procedure.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;

namespace zpl::arraygen {

const sema::Instance *
ProcedureBuilder::calleeOf(const sema::CallExpr *call) const {
  const sema::Instance *callee = instance.callees.lookup(call);
  assert(callee && "Sema found the instance of every call");
  return callee;
}

bool ProcedureBuilder::laterEffects(ArrayRef<const sema::Expr *> exprs,
                                    unsigned i) {
  return any_of(exprs.drop_front(i + 1), [&](const sema::Expr *later) {
    return builder.facts.of(later).effects;
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

/// The caller must free temporaries after the call.
const air::CallExpr *
ProcedureBuilder::parallelCall(const sema::CallExpr *call,
                               const air::Argument *result) {
  const sema::Instance *callee = calleeOf(call);
  SmallVector<air::Argument, 4> args;
  for (unsigned rank = 1; rank <= sema::MaxRank; ++rank) {
    if (!callee->covers[rank])
      continue;
    air::Argument region, mask;
    region.region = covers[rank].region;
    args.push_back(region);
    if (callee->masks[rank] == sema::MaskKind::None)
      continue;
    mask.array = maskArgument(*callee, rank, call->range);
    args.push_back(mask);
  }
  if (result)
    args.push_back(*result);
  size_t hidden = args.size();
  for (unsigned i = 0; i != call->args.size(); ++i)
    args.push_back(argument(call, i));
  checkFormals(call, ArrayRef(args).drop_front(hidden));
  ++parallelCalls;
  return module.make<air::CallExpr>(builder.procedures.lookup(callee),
                                    resultType(call->callee), args,
                                    call->range);
}

/// Argument \p i of a parallel call.
air::Argument ProcedureBuilder::argument(const sema::CallExpr *call,
                                         unsigned i) {
  if (arrayFormal(call, i))
    return arrayArgument(call, i);
  const sema::Expr *arg = call->args[i];
  ArrayRef<const sema::Expr *> later = ArrayRef(call->args).drop_front(i + 1);
  air::Argument argument;
  if (sema::isByReference(argumentMode(call, i))) {
    argument.place = place(arg, {}, later);
    return argument;
  }
  TemporaryScope scope(*this);
  argument.value = value(arg);
  if (needsCopy(call, i) || laterEffects(call->args, i))
    argument.value = save(argument.value, {}, scope);
  return argument;
}

air::Array *ProcedureBuilder::arrayResult(const sema::CallExpr *call,
                                          Cover over) {
  air::Argument result;
  result.array =
      temporaryArray(type(call->callee->result), over.region, call->range);
  TemporaryScope scope(*this);
  emit<air::CallStmt>(nullptr, parallelCall(call, &result), call->range);
  scope.free(call->range);
  return result.array;
}

/// Argument \p i of a parallel call, whose formal is an array.
air::Argument ProcedureBuilder::arrayArgument(const sema::CallExpr *call,
                                              unsigned i) {
  const sema::Expr *arg = call->args[i];
  const sema::Array *formal = arrayFormal(call, i);
  air::Argument argument;
  const sema::ArrayExpr *plain = sema::wholeArgument(*call, i);
  if (formal->family != sema::Type::Error) {
    const air::Expr *whole =
        variable(family(plain->array).variable, arg->range);
    (sema::isByReference(formal->mode) ? argument.place : argument.value) =
        whole;
    return argument;
  }
  if (plain && plain != arg) {
    bind(plain);
    argument.place = place(arg, {}, ArrayRef(call->args).drop_front(i + 1));
    return argument;
  }
  if (!plain) {
    Cover over = covers[formal->rank].unmasked();
    prepare(arg, over);
    argument.array =
        materialize(arg, over, fluffOf(*formal, over.region->shape));
    argument.array->text = formal->name;
    return argument;
  }
  bind(plain);
  argument.array = find(plain);
  bool byReference = sema::isByReference(argumentMode(call, i));
  if (!byReference && (needsCopy(call, i) || laterEffects(call->args, i)))
    argument.array = copyOf(argument.array, formal, arg->range);
  return argument;
}

/// A copy of a whole array, over its declared region and its borders, which of
/// a parameter, a member of a family and an array over a region variable only
/// the runtime knows.
air::Array *ProcedureBuilder::copyOf(air::Array *array,
                                     const sema::Array *formal,
                                     SourceRange range) {
  air::Region *all = declaredRegion(array, range);
  air::Array *copy = makeArray("T", array->element, all->shape, range);
  copy->text = array->text;
  copy->declared = all;
  copy->fluff = fluffOf(*formal, all->shape);
  bool isAsked = array->storage == air::Storage::Param || array->family ||
                 builder.followers.contains(array);
  if (!isAsked)
    copy->borders = array->borders;
  auto *alloc = emit<air::AllocArrayStmt>(copy, range);
  if (isAsked)
    alloc->like = array;
  temporaries.push_back(copy);
  storeElements(elementOf(copy, range), elementOf(array, range), all, range);
  for (air::Region *border : copy->borders)
    storeElements(elementOf(copy, range), elementOf(array, range), border,
                  range);
  return copy;
}

/// The region that a formal `[R] T` asks its argument to be declared over.
/// Blank dimensions take whatever the argument has.
air::Region *ProcedureBuilder::formalRegion(const sema::Array *formal,
                                            air::Array *argument,
                                            SourceRange range) {
  if (formal->declared->kind == sema::RegionExpr::Ref)
    return evaluate(*formal->declared, "formal");
  air::Region *region = nullptr;
  open(declaredRegion(argument, range),
       [&] { region = evaluate(*formal->declared, "formal"); });
  return region;
}

/// The same of each array of a family.
void ProcedureBuilder::checkFamily(const sema::Array *formal,
                                   const sema::ArrayExpr *argument) {
  SourceRange range = argument->range;
  forEachMember(
      argument->array, range, [&](ArrayRef<const air::Expr *> indices) {
        for (auto [member, index] : zip(formal->member, indices))
          locals.variables[member] = cast<air::VarExpr>(index)->variable;
        air::Array *view = memberView(argument->array, indices);
        air::Region *region = formalRegion(formal, view, range);
        emit<air::CheckStmt>(air::CheckStmt::Formal, view, region,
                             ArrayRef<const air::Expr *>(), argument->text,
                             range);
      });
}

/// Lets regions of formals be made of the hidden arguments that the callee is
/// given: blank bounds, and what its heading evaluates first.
void ProcedureBuilder::bindBounds(const sema::CallExpr *call,
                                  ArrayRef<air::Argument> args) {
  for (auto [param, arg] : zip(call->callee->params, args)) {
    auto *bound = dyn_cast<sema::Variable>(param);
    if (!bound || !bound->isHidden || !arg.value)
      continue;
    air::Variable *made = makeVariable("bound", type(bound->type), call->range);
    emit<air::SetStmt>(variable(made, call->range), arg.value, call->range);
    locals.variables[bound] = made;
  }
}

void ProcedureBuilder::checkFormals(const sema::CallExpr *call,
                                    ArrayRef<air::Argument> args) {
  for (auto [i, arg] : enumerate(call->args)) {
    if (!instance.checkedArguments.contains({call, unsigned(i)}))
      continue;
    auto *plain = dyn_cast<sema::ArrayExpr>(arg);
    SaveAndRestore outer(locals.variables); // it may be this procedure
    bindBounds(call, args);
    if (arrayFormal(call, i)->family != sema::Type::Error) {
      checkFamily(arrayFormal(call, i), plain);
      continue;
    }
    air::Array *array =
        args[i].array ? args[i].array : air::rootElement(args[i].place)->array;
    std::string text = plain ? plain->text : array->text;
    air::Region *region = formalRegion(arrayFormal(call, i), array, arg->range);
    emit<air::CheckStmt>(air::CheckStmt::Formal, array, region,
                         ArrayRef<const air::Expr *>(), text, arg->range);
  }
}

//===----------------------------------------------------------------------===//
// Scalar procedures
//===----------------------------------------------------------------------===//

/// By-value arguments that could read what a promoted call writes at another
/// index are stored before.
const air::CallExpr *ProcedureBuilder::scalarCall(const sema::CallExpr *call,
                                                  Cover over,
                                                  const air::Argument *result) {
  SmallVector<air::Array *, 4> written;
  SmallVector<const sema::Expr *, 8> evaluated;
  for (auto [i, arg] : enumerate(call->args))
    if (sema::isByReference(argumentMode(call, i)))
      if (const sema::ArrayExpr *array = rootArray(arg))
        written.push_back(find(array));
  SmallBitVector shared = sharedArguments(call, written);
  for (auto [i, arg] : enumerate(call->args))
    if (shared[i] || sema::isByReference(argumentMode(call, i)))
      addParts(arg, evaluated);
    else
      evaluated.push_back(arg);
  SaveAndRestore outer(targets);
  for (air::Array *array : written)
    targets.push_back({array, over.region});
  // Each call of a wave has its arguments by value before it writes.
  ExprList values =
      operands(evaluated, over, openWave ? ArrayRef<air::Array *>() : written);
  const air::Expr *const *next = values.begin();
  SmallVector<air::Argument, 4> args(call->args.size());
  for (auto [i, arg] : enumerate(call->args)) {
    TemporaryScope scope(*this);
    if (shared[i] || sema::isByReference(argumentMode(call, i)))
      args[i].place = place(arg, next, over);
    else
      args[i].value = needsCopy(call, i) ? save(*next++, over, scope) : *next++;
  }
  if (result)
    args.insert(args.begin(), *result);
  return module.make<air::CallExpr>(
      scalarCallee(call, shared), resultType(call->callee), args, call->range);
}

/// The arrays that a shattered statement reads and that may be other names of
/// those it writes: passed by value, they would not change with these.
SmallBitVector
ProcedureBuilder::sharedArguments(const sema::CallExpr *call,
                                  ArrayRef<air::Array *> written) const {
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
    air::Array *array = find(plain);
    shared[i] = any_of(written, [&](const air::Array *target) {
      return mayShareStorage(array, target) && floods(array) == floods(target);
    });
  }
  return shared;
}

/// The procedure to call with \p shared arguments by reference.
air::Procedure *ProcedureBuilder::scalarCallee(const sema::CallExpr *call,
                                               const SmallBitVector &shared) {
  const sema::Instance *callee = calleeOf(call);
  air::Procedure *usual = builder.procedures.lookup(callee);
  if (shared.none())
    return usual;
  auto *made = module.make<air::Procedure>();
  made->name = builder.names.unique(usual->name);
  made->sourceName = usual->sourceName;
  made->isScalar = true;
  made->range = usual->range;
  module.procedures.push_back(made);
  ProcedureBuilder shard(builder, *callee, *made);
  shard.shared = shared;
  shard.buildInstance();
  return made;
}

} // namespace zpl::arraygen
