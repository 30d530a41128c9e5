//===- StandardStmts.cpp - Standard calls with effects --------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     f := open("data", file_read);   -- a Builtin that is a value
//     f := picture("a.png", "grey");  -- another one, with all that was left out
//     shape(f, 1)  rank(f)            -- likewise
//     close(f);                       -- a Builtin that is a statement
//     bind_write_func(A, show);       -- a BindIoStmt
//     StartTimer(t);                  -- a TimerStmt
//     resize(a, n);                   -- a ResizeStmt (Growables.cpp)
//     sort(A, descending);            -- a SortStmt (Sorts.cpp)
//     balance(D, W);                  -- a RedistributeStmt (Distributions.cpp)
//     checkpoint("run.ck");           -- a call (Checkpoints.cpp)
//
// The calls that only change something are statements. A value that a timer
// gives is this processor's own.
//
//===----------------------------------------------------------------------===//

#include "Statements/StandardStmts.h"
#include "Check/Calls.h"
#include "Check/Checking.h"
#include "Check/Designators.h"
#include "Check/Expressions.h"
#include "Check/Functions.h"
#include "Check/Operators.h"
#include "Distributions/Distributions.h"
#include "Names/Predeclared.h"
#include "Program/Free.h"
#include "State/Checkpoints.h"
#include "Statements/Growables.h"
#include "Statements/Statements.h"
#include "Types/Types.h"

namespace zpl::sema {

static Stmt *closeStmt(Checking &c, const ast::Call &e);
static Stmt *timerStmt(Checking &c, const ast::Call &e, TimerStmt::Op op);
static Stmt *bindStmt(Checking &c, const ast::Call &e, Function function);
static Procedure *elementProcedure(Checking &c, const ast::Expr &e,
                                   Type element);
static const Expr *openPicture(Checking &c, const ast::Call &e,
                               llvm::ArrayRef<const Expr *> args);

/// Whether all are scalars and the same on all processors; reports others.
static bool areReplicated(Checking &c, const ast::Call &e,
                          llvm::ArrayRef<const Expr *> args) {
  for (const Expr *arg : args) {
    if (reportFree(c, arg))
      return false;
    if (arg->isArray()) {
      reportArray(c, arg,
                  llvm::formatv("argument of '{0}'", e.callee.text).str());
      return false;
    }
  }
  return true;
}

const Expr *runFunction(Checking &c, Function function, const ast::Call &e,
                        const Expr *arg) {
  bool isArgument = function == Function::Argument;
  bool isRight =
      areReplicated(c, e, arg) && haveTypes(c, e, arg, [&](Type type) {
        return isArgument ? isIntegral(type) : type == Type::String;
      });
  if (!isRight)
    return c.build.error(e.range);
  const Expr *given = isArgument ? c.build.cast(arg, Type::Integer) : arg;
  return c.program.make<BuiltinExpr>(isArgument ? Builtin::Argument
                                                : Builtin::Environment,
                                     given, Type::String, e.range);
}

const Expr *fileFunction(Checking &c, Function function, const ast::Call &e,
                         llvm::ArrayRef<const Expr *> args) {
  bool isOpen = function == Function::Open || function == Function::Picture;
  if (!areReplicated(c, e, args))
    return c.build.error(e.range);
  Type first = isOpen ? Type::String : Type::File;
  if (!haveTypes(c, e, args.take_front(),
                 [&](Type type) { return type == first; }))
    return c.build.error(e.range);
  if (function == Function::Picture)
    return openPicture(c, e, args);
  if (!haveTypes(c, e, args.drop_front(), isIntegral))
    return c.build.error(e.range);
  llvm::SmallVector<const Expr *, 2> converted(args);
  if (args.size() == 2)
    converted[1] = c.build.cast(args[1], Type::Integer);
  Builtin fn = function == Function::Open    ? Builtin::Open
               : function == Function::Eof   ? Builtin::Eof
               : function == Function::Rank  ? Builtin::FileRank
               : function == Function::Shape ? Builtin::FileShape
                                             : Builtin::FileElement;
  Type result = isOpen                       ? Type::File
                : fn == Builtin::FileElement ? Type::String
                                             : Type::Integer;
  return c.program.make<BuiltinExpr>(fn, converted, result, e.range);
}

/// `picture(name)`, `picture(name, colours [, low, high] [, scale])`.
static const Expr *openPicture(Checking &c, const ast::Call &e,
                               llvm::ArrayRef<const Expr *> args) {
  auto isReal = [](Type type) { return type.isNumeric() && !type.isComplex(); };
  bool isFixed = args.size() >= 4, isScaled = args.size() % 2 == 1;
  llvm::ArrayRef<const Expr *> rest = args.drop_front();
  if (!haveTypes(c, e, rest.take_front(),
                 [](Type type) { return type == Type::String; }) ||
      (isFixed && !haveTypes(c, e, rest.slice(1, 2), isReal)) ||
      (isScaled && !haveTypes(c, e, rest.take_back(), isIntegral)))
    return c.build.error(e.range);
  auto number = [&](const Expr *value) {
    return value ? c.build.cast(value, Type::Double)
                 : c.build.number(0, Type::Double, e.range);
  };
  isScaled &= !rest.empty();
  const Expr *made[] = {args[0],
                        rest.empty() ? c.build.string("", e.range) : rest[0],
                        c.build.integer(isFixed, Type::Integer, e.range),
                        number(isFixed ? rest[1] : nullptr),
                        number(isFixed ? rest[2] : nullptr),
                        isScaled ? c.build.cast(rest.back(), Type::Integer)
                                 : c.build.integer(1, Type::Integer, e.range)};
  return c.program.make<BuiltinExpr>(Builtin::OpenPicture, made, Type::File,
                                     e.range);
}

static Variable *timerArgument(Checking &c, const ast::Expr &e) {
  auto *value = checkExpr(c, e);
  if (isError(value))
    return nullptr;
  auto *variable = llvm::dyn_cast<VariableExpr>(value);
  if (variable && variable->type == Type::Timer)
    return variable->variable;
  c.diags.report(e.range, Diag::NotATimer, text(value->type)).done();
  return nullptr;
}

const Expr *readTimer(Checking &c, const ast::Call &e) {
  Variable *timer = timerArgument(c, *e.args[0]);
  if (!timer)
    return c.build.error(e.range);
  return c.program.make<TimerExpr>(timer, e.range);
}

Stmt *checkStandardStmt(Checking &c, const ast::Call &e,
                        const Predeclared &entry) {
  if (!entry.isStmt()) {
    const Expr *value = checkCall(c, e);
    if (auto *builtin = llvm::dyn_cast<BuiltinExpr>(value))
      return c.program.make<BuiltinStmt>(builtin, e.range);
    if (auto *restart = llvm::dyn_cast<CallExpr>(value);
        restart && entry.function == Function::Restart)
      return c.program.make<CallStmt>(restart, e.range);
    return emptyStmt(c, e.range); // without an effect
  }
  if (!countArguments(c, e, entry.least, entry.most))
    return emptyStmt(c, e.range);
  Function function = entry.function;
  if (function == Function::Close)
    return closeStmt(c, e);
  if (function == Function::Resize)
    return resizeStmt(c, e);
  if (function == Function::Sort)
    return sortStmt(c, e);
  if (function == Function::Balance)
    return balanceStmt(c, e);
  if (function == Function::Checkpoint)
    return checkpointStmt(c, e);
  if (function == Function::ResetTimer)
    return c.program.make<TimerStmt>(TimerStmt::Reset, nullptr, nullptr,
                                     e.range);
  if (function == Function::ClearTimer)
    return timerStmt(c, e, TimerStmt::Clear);
  if (function == Function::StopTimer)
    return timerStmt(c, e, TimerStmt::Stop);
  if (function == Function::StartTimer)
    return timerStmt(c, e, TimerStmt::Start);
  return bindStmt(c, e, function);
}

static Stmt *closeStmt(Checking &c, const ast::Call &e) {
  const Expr *file = checkScalar(c, *e.args[0], "argument of 'close'");
  if (isError(file) ||
      !haveTypes(c, e, file, [](Type type) { return type == Type::File; }))
    return emptyStmt(c, e.range);
  return closeOf(c, file, e.range);
}

Stmt *closeOf(Checking &c, const Expr *file, SourceRange range) {
  auto *close = c.program.make<BuiltinExpr>(
      Builtin::Close, llvm::ArrayRef<const Expr *>(file), Type::Void, range);
  return c.program.make<BuiltinStmt>(close, range);
}

static Stmt *timerStmt(Checking &c, const ast::Call &e, TimerStmt::Op op) {
  Variable *timer = timerArgument(c, *e.args[0]);
  const Expr *sync = nullptr;
  if (e.args.size() == 2)
    sync = convert(c, checkScalar(c, *e.args[1], "argument of StartTimer"),
                   Type::Integer);
  if (!timer || (sync && isError(sync)))
    return emptyStmt(c, e.range);
  return c.program.make<TimerStmt>(op, timer, sync, e.range);
}

/// `bind_write_func(A, f)`: f takes a file and an element, by reference.
static Stmt *bindStmt(Checking &c, const ast::Call &e, Function function) {
  const Expr *value = checkPlace(c, *e.args[0]);
  auto *array = llvm::dyn_cast<ArrayExpr>(value);
  if (!array) {
    if (!isError(value))
      c.diags.report(e.args[0]->range, Diag::NotAnArray, e.callee.text).done();
    return emptyStmt(c, e.range);
  }
  bool isRead =
      function == Function::BindRead || function == Function::UnbindRead;
  Procedure *procedure = nullptr;
  if (e.args.size() == 2) {
    procedure = elementProcedure(c, *e.args[1], array->type);
    if (!procedure)
      return emptyStmt(c, e.range);
  }
  return c.program.make<BindIoStmt>(array, isRead, procedure, e.range);
}

static Procedure *elementProcedure(Checking &c, const ast::Expr &e,
                                   Type element) {
  auto *name = llvm::dyn_cast<ast::NameRef>(&e);
  Symbol *first = name ? c.names.find(name->name) : nullptr;
  if (name && !first && !findPredeclared(name->name)) {
    c.names.reportUnknown(name->name, e.range);
    return nullptr;
  }
  auto takes = [](const Symbol *formal, Type type) {
    auto *variable = llvm::dyn_cast<Variable>(formal);
    return variable && variable->type == type && isByReference(variable->mode);
  };
  if (llvm::isa_and_nonnull<Procedure>(first))
    for (Symbol *symbol : c.names.overloads(name->name)) {
      auto *procedure = llvm::cast<Procedure>(symbol);
      if (procedure->params.size() == 2 &&
          takes(procedure->params[0], Type::File) &&
          takes(procedure->params[1], element))
        return procedure;
    }
  auto report = c.diags.report(e.range, Diag::BoundProcedure,
                               c.diags.sources().text(e.range), text(element));
  if (first)
    report.note(first->range, Diag::DeclaredHere, first->name);
  return nullptr;
}

} // namespace zpl::sema
