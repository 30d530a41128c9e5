//===- Calls.cpp - Calls of procedures ------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call evaluates its arguments from left to right, gives the formals their
// places in a new frame, and executes the body:
//
//     smooth(A, B + C, k)     A by reference: the caller's array itself
//                             B + C by value: an array over the covering region
//                             k by value: a variable of the callee
//
// An array by value is always copied; whoever looks for the copies that a
// compiler may leave out finds them in ArrayGen. Covering regions and masks are
// those that are open at the call: nothing needs to be passed. A function whose
// result is a parallel array gets an array over the covering region, into which
// `return` puts the elements.
//
//===----------------------------------------------------------------------===//

#include "Calls.h"
#include "Arrays/ArrayExpressions.h"
#include "Arrays/Families.h"
#include "Declarations.h"
#include "Errors.h"
#include "Expressions.h"
#include "Memory.h"
#include "Regions/RegionExpressions.h"
#include "Run.h"
#include "Statements.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/SaveAndRestore.h"
#include <cstring>

using namespace llvm;

namespace zpl::interpreter {

static sema::Mode modeOf(const sema::Symbol *formal) {
  if (auto *variable = dyn_cast<sema::Variable>(formal))
    return variable->mode;
  return cast<sema::Array>(formal)->mode;
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// Whether the callee sees the argument change: shattered control flow, which
/// Sema makes a procedure of, reads arrays as they are, and another name of one
/// may be written.
static bool isSeen(const sema::CallExpr *call, const sema::Expr *arg) {
  auto *array = dyn_cast<sema::ArrayExpr>(arg);
  return call->callee->isShard && array && array->direction.empty();
}

static void checkFormals(Run &run, const sema::CallExpr *call,
                         llvm::ArrayRef<Argument> arguments);
static Argument arrayArgument(Run &run, const sema::CallExpr *call, unsigned i,
                              Frame &temporaries);

std::vector<Argument> arguments(Run &run, const sema::CallExpr *call,
                                const At *at, Frame &temporaries) {
  std::vector<Argument> result;
  for (auto [i, arg] : enumerate(call->args)) {
    const sema::Symbol *formal = call->callee->params[i];
    Argument &made = result.emplace_back();
    if (isa<sema::Array>(formal))
      made = arrayArgument(run, call, i, temporaries);
    else if (sema::isByReference(modeOf(formal)) || isSeen(call, arg))
      made.place = place(run, arg, at);
    else
      made.value = eval(run, arg, at);
  }
  checkFormals(run, call, result);
  return result;
}

/// Checks arrays against the regions of their formals, which may be made of
/// what the heading evaluates first: hidden arguments.
static void checkFormals(Run &run, const sema::CallExpr *call,
                         ArrayRef<Argument> arguments) {
  auto isFirst = [](const sema::Symbol *param) {
    auto *variable = dyn_cast<sema::Variable>(param);
    return variable && variable->isHidden && variable->init;
  };
  ArrayRef<sema::Symbol *> params = call->callee->params;
  std::optional<SaveAndRestore<decltype(run.memory.frame->variables)>> outer;
  if (any_of(params, isFirst)) // it may be this procedure
    outer.emplace(run.memory.frame->variables);
  for (auto [param, argument] : zip_equal(params, arguments))
    if (isFirst(param)) {
      auto *variable = cast<sema::Variable>(param);
      char *address = allocate(*run.memory.frame, sizeOf(run, variable->type));
      store(variable->type, address, argument.value);
      run.memory.frame->variables[variable] = address;
    }
  for (auto [i, arg] : enumerate(call->args))
    if (auto *formal = dyn_cast<sema::Array>(params[i])) {
      if (arguments[i].family)
        checkFamily(run, formal, *arguments[i].family, arg);
      else
        checkFormal(run, formal, *arguments[i].array, arg);
    }
}

static Argument arrayArgument(Run &run, const sema::CallExpr *call, unsigned i,
                              Frame &temporaries) {
  auto *formal = cast<sema::Array>(call->callee->params[i]);
  const sema::Expr *arg = call->args[i];
  const sema::ArrayExpr *whole = sema::wholeArgument(*call, i);
  Argument result;
  if (formal->family != Type::Error) {
    result.family = familyArgument(run, whole, formal, temporaries);
    return result;
  }
  if (whole && whole != arg) {
    temporaries.storage.push_back(std::make_unique<ArrayStorage>(
        find(run, whole), arg->type, sizeOf(run, arg->type),
        place(run, arg).address));
    result.array = temporaries.storage.back().get();
  } else if (whole) {
    ArrayStorage &array = find(run, whole);
    result.array = &array;
    if (!sema::isByReference(formal->mode)) {
      temporaries.storage.push_back(makeArray(run, array.name, array.element,
                                              array.declared, arg->range,
                                              array.borders));
      result.array = temporaries.storage.back().get();
      result.array->copyElements(array);
    }
  } else {
    Cover over;
    over.region = cover(run, formal->rank, arg->range).region;
    temporaries.storage.push_back(materialize(run, arg, over));
    result.array = temporaries.storage.back().get();
    result.array->name = formal->name;
  }
  return result;
}

void checkFormal(Run &run, const sema::Array *formal, const ArrayStorage &array,
                 const sema::Expr *argument) {
  if (!formal->declared)
    return;
  Cover declared;
  declared.region = std::make_shared<const Region>(array.declared);
  Region wanted =
      under(run, declared, [&] { return evaluate(run, *formal->declared); });
  if (haveSameIndices(wanted, array.declared))
    return;
  auto *whole = dyn_cast<sema::ArrayExpr>(argument);
  std::string text = whole && !whole->text.empty() ? whole->text : array.name;
  fail(run, argument->range,
       text + " is declared over " + array.declared.bounds() +
           ", but is passed to a parameter over " + wanted.describe());
}

/// Out parameters begin with zeros.
static void clear(ArrayStorage &array) {
  forEachIndex(array.declared, [&](const Index &index) {
    std::memset(array.at(index), 0, array.elementSize);
  });
}

/// Gives an array, or the family of one, its storage: that of the argument.
static void bindArray(Run &run, const sema::Array *formal,
                      const Argument &argument) {
  if (argument.family)
    run.memory.frame->families[formal] = argument.family;
  else
    run.memory.frame->arrays[formal] = argument.array;
  if (formal->mode != sema::Mode::Out)
    return;
  if (!argument.family)
    return clear(*argument.array);
  for (ArrayStorage *member : argument.family->members)
    clear(*member);
}

/// Gives a variable its storage: that of the argument, or a copy.
static void bindVariable(Run &run, const sema::Variable *formal,
                         const Argument &argument) {
  int64_t size = sizeOf(run, formal->type);
  bool isReference = argument.place.address != nullptr;
  char *address =
      isReference ? argument.place.address : allocate(*run.memory.frame, size);
  run.memory.frame->variables[formal] = address;
  if (!isReference)
    store(formal->type, address, argument.value);
  else if (formal->mode == sema::Mode::Out)
    std::memset(address, 0, size);
}

/// Gives the formals of the frame that was opened their storage. Bounds that
/// come from the arguments are first: types depend on them.
static void bind(Run &run, const sema::Procedure *procedure,
                 ArrayRef<Argument> arguments) {
  auto isBound = [](const sema::Symbol *formal) {
    auto *variable = dyn_cast<sema::Variable>(formal);
    return variable && variable->isHidden;
  };
  for (bool bounds : {true, false})
    for (auto [formal, argument] : zip_equal(procedure->params, arguments)) {
      if (isBound(formal) != bounds)
        continue;
      if (auto *array = dyn_cast<sema::Array>(formal))
        bindArray(run, array, argument);
      else
        bindVariable(run, cast<sema::Variable>(formal), argument);
    }
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

/// The last token of a body, which is its `end`.
static SourceRange endOf(SourceRange body) {
  constexpr uint32_t Length = 3;
  if (body.end - body.begin > Length)
    body.begin = body.end - Length;
  return body;
}

Value invoke(Run &run, const sema::Procedure *procedure,
             ArrayRef<Argument> arguments, SourceRange where,
             ArrayStorage *resultArray) {
  if (procedure->isExtern)
    fail(run, where,
         "'" + procedure->name +
             "' is a procedure of C, which cannot be interpreted; "
             "compile the program");
  checkStack(run, procedure);
  Frame callee;
  callee.resultArray = resultArray;
  Frame *caller = run.memory.frame;
  auto leave = make_scope_exit([&] {
    run.memory.frame = caller;
    run.memory.held -= callee.held;
    forgetFollowers(run.memory, callee);
  });
  run.memory.frame = &callee;
  bind(run, procedure, arguments);
  for (const sema::Symbol *local : procedure->locals)
    if (!isStatic(local))
      declare(run, local, callee);
  Flow flow = execute(run, procedure->body);
  if (flow != Flow::Return && procedure->result != Type::Void)
    fail(run, endOf(procedure->bodyRange),
         "function " + procedure->name + " ended without return");
  return std::move(callee.result);
}

Value call(Run &run, const sema::CallExpr *call, const At *at) {
  Frame temporaries;
  std::vector<Argument> args = arguments(run, call, at, temporaries);
  return invoke(run, call->callee, args, call->range);
}

std::unique_ptr<ArrayStorage> callForArray(Run &run,
                                           const sema::CallExpr *call) {
  Cover over = cover(run, call->callee->resultRank, call->range);
  std::unique_ptr<ArrayStorage> result =
      temporary(run, call->callee->result, *over.region, call->range);
  Frame temporaries;
  std::vector<Argument> args = arguments(run, call, nullptr, temporaries);
  invoke(run, call->callee, args, call->range, result.get());
  return result;
}

} // namespace zpl::interpreter
