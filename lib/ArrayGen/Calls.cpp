//===- Calls.cpp - Calls of parallel, scalar and promoted procedures ------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Three kinds of calls:
//
//  - Of a parallel procedure: a statement. The covering regions that the
//    callee's instance needs come first, then the arguments. An array by value
//    is passed as it is if nobody can tell; else, and if it is an expression,
//    the callee gets a temporary:
//
//        smooth(A + B, 3)        alloc %T over %R
//                                [%R] %T = add %A, %B
//                                call @smooth(%R, %T, 3)
//                                free %T
//
//    Whether arrays are declared over what a formal `[R] T` says is checked
//    just before the call, where Sema could not tell.
//
//  - Of a scalar procedure with scalars: an expression.
//
//  - Of a scalar procedure with arrays (promotion): an expression at each
//    index. With reference arguments it writes arrays, so it must be alone in
//    its statement: `[%R] %B = call @f(ref %A)` or `[%R] call @f(ref %A)`.
//
//===----------------------------------------------------------------------===//

#include "Procedure.h"

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

/// The caller must free temporaries after the call.
const air::CallExpr *
ProcedureBuilder::parallelCall(const sema::CallExpr *call) {
  const sema::Instance *callee = calleeOf(call);
  SmallVector<air::Argument, 4> args;
  for (unsigned rank = 1; rank <= sema::MaxRank; ++rank) {
    if (!callee->covers[rank])
      continue;
    air::Argument argument;
    argument.region = covers[rank];
    args.push_back(argument);
  }
  size_t hidden = args.size();
  for (auto [i, arg] : enumerate(call->args)) {
    air::Argument argument;
    if (arrayFormal(call, i)) {
      argument = arrayArgument(call, i);
    } else if (sema::isByReference(argumentMode(call, i))) {
      argument.variable = find(cast<sema::VariableExpr>(arg)->variable);
    } else {
      TemporaryScope scope(*this);
      argument.value = value(arg);
      if (laterEffects(call->args, i))
        argument.value = save(argument.value, nullptr, scope);
    }
    args.push_back(argument);
  }
  checkFormals(call, ArrayRef(args).drop_front(hidden));
  return module.make<air::CallExpr>(builder.procedures.lookup(callee),
                                    arraygen::convert(call->type), args,
                                    call->range);
}

/// Argument \p i of a parallel call, whose formal is an array.
air::Argument ProcedureBuilder::arrayArgument(const sema::CallExpr *call,
                                              unsigned i) {
  const sema::Expr *arg = call->args[i];
  const sema::Array *formal = arrayFormal(call, i);
  air::Argument argument;
  auto *plain = dyn_cast<sema::ArrayExpr>(arg);
  if (!plain || !plain->direction.empty()) {
    air::Region *over = covers[formal->rank];
    prepare(arg, over);
    argument.array =
        materialize(arg, over, fluffOf(formal->directions, formal->rank));
    return argument;
  }
  argument.array = find(plain->array);
  bool byReference = sema::isByReference(argumentMode(call, i));
  if (!byReference && (call->copies[i] || laterEffects(call->args, i)))
    argument.array = copyOf(argument.array, formal, arg->range);
  return argument;
}

/// A copy of a whole array, over its declared region.
air::Array *ProcedureBuilder::copyOf(air::Array *array,
                                     const sema::Array *formal,
                                     SourceRange range) {
  air::Region *all = makeRegion("declared", array->shape, range);
  air::RegionExpr declared;
  declared.kind = air::RegionExpr::Declared;
  declared.array = array;
  emit<air::SetRegionStmt>(all, declared, range);
  air::Array *copy = temporaryArray(array->element, all, range);
  copy->text = array->text;
  copy->fluff = fluffOf(formal->directions, formal->rank);
  auto *elements = module.make<air::ElementExpr>(
      array, air::Offset(array->rank(), 0), range);
  emit<air::ArrayAssignStmt>(all, copy, elements, range);
  return copy;
}

/// The region that a formal `[R] T` asks its argument to be declared over.
/// Blank dimensions take whatever the argument has.
air::Region *ProcedureBuilder::formalRegion(const sema::Array *formal,
                                            air::Array *argument,
                                            SourceRange range) {
  if (formal->declared->kind == sema::RegionExpr::Ref)
    return evaluate(*formal->declared, "formal");
  air::Region *all = makeRegion("declared", argument->shape, range);
  air::RegionExpr declared;
  declared.kind = air::RegionExpr::Declared;
  declared.array = argument;
  emit<air::SetRegionStmt>(all, declared, range);
  air::Region *region = nullptr;
  open(all, [&] { region = evaluate(*formal->declared, "formal"); });
  return region;
}

void ProcedureBuilder::checkFormals(const sema::CallExpr *call,
                                    ArrayRef<air::Argument> args) {
  for (auto [i, arg] : enumerate(call->args)) {
    if (!instance.checkedArguments.contains({call, unsigned(i)}))
      continue;
    air::Array *array = args[i].array;
    auto *plain = dyn_cast<sema::ArrayExpr>(arg);
    std::string text = plain ? plain->text : array->text;
    air::Region *region = formalRegion(arrayFormal(call, i), array, arg->range);
    emit<air::CheckStmt>(air::CheckStmt::Formal, array, region,
                         ArrayRef<const air::Expr *>(), text, arg->range);
  }
}

//===----------------------------------------------------------------------===//
// Scalar procedures
//===----------------------------------------------------------------------===//

const air::CallExpr *ProcedureBuilder::scalarCall(const sema::CallExpr *call) {
  SmallVector<const sema::Expr *, 4> byValue;
  for (auto [i, arg] : enumerate(call->args))
    if (!sema::isByReference(argumentMode(call, i)))
      byValue.push_back(arg);
  ExprList values = operands(byValue);
  const air::Expr *const *next = values.begin();
  SmallVector<air::Argument, 4> args(call->args.size());
  for (auto [i, arg] : enumerate(call->args)) {
    if (sema::isByReference(argumentMode(call, i)))
      args[i].variable = find(cast<sema::VariableExpr>(arg)->variable);
    else
      args[i].value = *next++;
  }
  return module.make<air::CallExpr>(builder.procedures.lookup(calleeOf(call)),
                                    arraygen::convert(call->type), args,
                                    call->range);
}

/// By-value arguments that could read what the call writes at another index
/// are stored before.
const air::CallExpr *ProcedureBuilder::promotedCall(const sema::CallExpr *call,
                                                    air::Region *over) {
  SmallVector<air::Argument, 4> args(call->args.size());
  SmallVector<air::Array *, 4> written;
  SmallVector<const sema::Expr *, 4> byValue;
  for (auto [i, arg] : enumerate(call->args)) {
    if (!sema::isByReference(argumentMode(call, i))) {
      byValue.push_back(arg);
      continue;
    }
    air::Array *array = find(cast<sema::ArrayExpr>(arg)->array);
    written.push_back(array);
    args[i].element = module.make<air::ElementExpr>(
        array, air::Offset(array->rank(), 0), arg->range);
  }
  ExprList values = operands(byValue, over, written);
  const air::Expr *const *next = values.begin();
  for (air::Argument &argument : args)
    if (!argument.element)
      argument.value = *next++;
  return module.make<air::CallExpr>(builder.procedures.lookup(calleeOf(call)),
                                    arraygen::convert(call->type), args,
                                    call->range);
}

} // namespace zpl::arraygen
