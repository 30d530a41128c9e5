//===- StandardStmts.cpp - Standard calls with effects --------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     f := open("data", file_read);   -- a Builtin that is a value
//     close(f);                       -- a Builtin that is a statement
//     bind_write_func(A, show);       -- a BindIoStmt
//     StartTimer(t);                  -- a TimerStmt
//
// The calls that only change something are statements. A value that a timer
// gives is this processor's own.
//
//===----------------------------------------------------------------------===//

#include "Check/Checker.h"
#include "Types/Types.h"

namespace zpl::sema {

/// `open(name, mode)`, `eof(file)`.
const Expr *Checker::fileFunction(Function function, const ast::Call &e,
                                  llvm::ArrayRef<const Expr *> args) {
  bool isOpen = function == Function::Open;
  for (const Expr *arg : args) {
    if (reportFree(arg))
      return build.error(e.range);
    if (arg->isArray()) {
      reportArray(arg, llvm::formatv("argument of '{0}'", e.callee.text).str());
      return build.error(e.range);
    }
  }
  Type first = isOpen ? Type::String : Type::File;
  if (!haveTypes(e, args.take_front(),
                 [&](Type type) { return type == first; }))
    return build.error(e.range);
  if (!isOpen)
    return program.make<BuiltinExpr>(Builtin::Eof, args, Type::Integer,
                                     e.range);
  if (!haveTypes(e, args.drop_front(), isIntegral))
    return build.error(e.range);
  return program.make<BuiltinExpr>(
      Builtin::Open,
      llvm::ArrayRef<const Expr *>{args[0], build.cast(args[1], Type::Integer)},
      Type::File, e.range);
}

Variable *Checker::timerArgument(const ast::Expr &e) {
  auto *value = expr(e);
  if (isError(value))
    return nullptr;
  auto *variable = llvm::dyn_cast<VariableExpr>(value);
  if (variable && variable->type == Type::Timer)
    return variable->variable;
  diags.report(e.range, Diag::NotATimer, text(value->type)).done();
  return nullptr;
}

const Expr *Checker::readTimer(const ast::Call &e) {
  Variable *timer = timerArgument(*e.args[0]);
  if (!timer)
    return build.error(e.range);
  return program.make<TimerExpr>(timer, e.range);
}

/// A call of a standard function whose value, if any, is dropped.
Stmt *Checker::standardStmt(const ast::Call &e, const Predeclared &entry) {
  if (!entry.isStmt()) {
    const Expr *value = call(e);
    if (auto *builtin = llvm::dyn_cast<BuiltinExpr>(value))
      return program.make<BuiltinStmt>(builtin, e.range);
    return empty(e.range); // without an effect
  }
  if (!countArguments(e, entry.least, entry.most))
    return empty(e.range);
  Function function = entry.function;
  if (function == Function::Close)
    return closeStmt(e);
  if (function == Function::ResetTimer)
    return program.make<TimerStmt>(TimerStmt::Reset, nullptr, nullptr, e.range);
  if (function == Function::ClearTimer)
    return timerStmt(e, TimerStmt::Clear);
  if (function == Function::StopTimer)
    return timerStmt(e, TimerStmt::Stop);
  if (function == Function::StartTimer)
    return timerStmt(e, TimerStmt::Start);
  return bindStmt(e, function);
}

Stmt *Checker::closeStmt(const ast::Call &e) {
  const Expr *file = scalar(*e.args[0], "argument of 'close'");
  if (isError(file) ||
      !haveTypes(e, file, [](Type type) { return type == Type::File; }))
    return empty(e.range);
  return closeOf(file, e.range);
}

/// `close(file)`, for a file that is one.
Stmt *Checker::closeOf(const Expr *file, SourceRange range) {
  auto *close = program.make<BuiltinExpr>(
      Builtin::Close, llvm::ArrayRef<const Expr *>(file), Type::Void, range);
  return program.make<BuiltinStmt>(close, range);
}

Stmt *Checker::timerStmt(const ast::Call &e, TimerStmt::Op op) {
  Variable *timer = timerArgument(*e.args[0]);
  const Expr *sync = nullptr;
  if (e.args.size() == 2)
    sync = convert(scalar(*e.args[1], "argument of StartTimer"), Type::Integer);
  if (!timer || (sync && isError(sync)))
    return empty(e.range);
  return program.make<TimerStmt>(op, timer, sync, e.range);
}

/// `bind_write_func(A, f)`: f takes a file and an element, by reference.
Stmt *Checker::bindStmt(const ast::Call &e, Function function) {
  const Expr *value = place(*e.args[0]);
  auto *array = llvm::dyn_cast<ArrayExpr>(value);
  if (!array) {
    if (!isError(value))
      diags.report(e.args[0]->range, Diag::NotAnArray, e.callee.text).done();
    return empty(e.range);
  }
  bool isRead =
      function == Function::BindRead || function == Function::UnbindRead;
  Procedure *procedure = nullptr;
  if (e.args.size() == 2) {
    procedure = elementProcedure(*e.args[1], array->type);
    if (!procedure)
      return empty(e.range);
  }
  return program.make<BindIoStmt>(array, isRead, procedure, e.range);
}

Procedure *Checker::elementProcedure(const ast::Expr &e, Type element) {
  auto *name = llvm::dyn_cast<ast::NameRef>(&e);
  Symbol *first = name ? names.find(name->name) : nullptr;
  if (name && !first && !findPredeclared(name->name)) {
    names.reportUnknown(name->name, e.range);
    return nullptr;
  }
  auto takes = [](const Symbol *formal, Type type) {
    auto *variable = llvm::dyn_cast<Variable>(formal);
    return variable && variable->type == type && isByReference(variable->mode);
  };
  if (llvm::isa_and_nonnull<Procedure>(first))
    for (Symbol *symbol : names.overloads(name->name)) {
      auto *procedure = llvm::cast<Procedure>(symbol);
      if (procedure->params.size() == 2 &&
          takes(procedure->params[0], Type::File) &&
          takes(procedure->params[1], element))
        return procedure;
    }
  auto report = diags.report(e.range, Diag::BoundProcedure,
                             diags.sources().text(e.range), text(element));
  if (first)
    report.note(first->range, Diag::DeclaredHere, first->name);
  return nullptr;
}

} // namespace zpl::sema
