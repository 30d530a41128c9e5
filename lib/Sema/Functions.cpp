//===- Functions.cpp - Calls of standard functions ------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     max(i, 2.5)     of the common type of its arguments: double
//     sqrt(i)         on double; sqrtf(i) on float
//     bor(b, 1)       on the common integer type
//     to_integer(d)   the conversion of assignment
//     sqr(x)          a product
//
// They are element-wise like operators, so what is true of operators' ranks
// holds here. Timers stand apart: the calls that change one are statements, and
// ReadTimer gives each processor its own value.
//
//===----------------------------------------------------------------------===//

#include "Checker.h"
#include "Types.h"
#include "llvm/Support/ErrorHandling.h"

#include <array>

namespace zpl::sema {

bool Checker::countArguments(const ast::Call &e, unsigned least,
                             unsigned most) {
  if (least <= e.args.size() && e.args.size() <= most)
    return true;
  std::string wanted = least == most
                           ? llvm::formatv("{0}", least).str()
                           : llvm::formatv("{0} or {1}", least, most).str();
  diags
      .report(e.range, Diag::ArgumentCount, e.callee.text, wanted,
              e.args.size())
      .done();
  return false;
}

const Expr *Checker::standardCall(const ast::Call &e,
                                  const Predeclared &entry) {
  if (entry.kind == Predeclared::Later) {
    diags
        .report(e.callee.range, Diag::NotSupported,
                llvm::formatv("'{0}'", entry.name).str())
        .done();
    return build.error(e.range);
  }
  if (!entry.isFunction()) {
    diags
        .report(e.callee.range, Diag::WrongKind, entry.name, "a constant",
                "a function")
        .done();
    return build.error(e.range);
  }
  if (entry.isTimerStmt()) {
    diags.report(e.range, Diag::NoValue, entry.name).done();
    return build.error(e.range);
  }
  if (!countArguments(e, entry.least, entry.most))
    return build.error(e.range);
  if (entry.kind == Predeclared::Function &&
      entry.function == Function::ReadTimer)
    return readTimer(e);
  llvm::SmallVector<const Expr *, 2> args;
  for (const ast::Expr *arg : e.args) {
    args.push_back(expr(*arg));
    if (isError(args.back()))
      return build.error(e.range);
  }
  for (const Expr *arg : args)
    if (!isNumeric(arg->type)) {
      diags.report(arg->range, Diag::ArgumentType, entry.name, text(arg->type))
          .done();
      return build.error(e.range);
    }
  if (args.size() == 2 && !conform(args[0], args[1], e.callee.range))
    return build.error(e.range);
  if (entry.kind == Predeclared::Function)
    return functionValue(entry, e, args);
  for (const Expr *&arg : args)
    arg = build.cast(arg, entry.type);
  return build.math(entry.fn, args, e.range);
}

const Expr *Checker::functionValue(const Predeclared &entry, const ast::Call &e,
                                   llvm::ArrayRef<const Expr *> args) {
  SourceRange range = e.range;
  auto argument = [&](unsigned i, ScalarType type) {
    return build.cast(args[i], type);
  };
  auto both = [&](BinaryOp op, ScalarType type) {
    return build.binary(op, argument(0, type), argument(1, type), range);
  };
  auto common = [&] {
    return args.size() == 1 ? promoted(args[0]->type)
                            : commonType(args[0]->type, args[1]->type);
  };
  switch (entry.function) {
  case Function::Abs:
    return build.unary(UnaryOp::Abs, argument(0, common()), range);
  case Function::Min:
    return both(BinaryOp::Min, common());
  case Function::Max:
    return both(BinaryOp::Max, common());
  case Function::Sqr:
    return build.product(argument(0, common()), 2, range);
  case Function::Cube:
    return build.product(argument(0, common()), 3, range);
  case Function::Fabs:
    return build.unary(UnaryOp::Abs, argument(0, ScalarType::Double), range);
  case Function::Fabsf:
    return build.unary(UnaryOp::Abs, argument(0, ScalarType::Float), range);
  case Function::Pow:
    return build.power(argument(0, ScalarType::Double),
                       argument(1, ScalarType::Double), range);
  case Function::Powf:
    return build.power(argument(0, ScalarType::Float),
                       argument(1, ScalarType::Float), range);
  case Function::Fmod:
    return both(BinaryOp::Rem, ScalarType::Double);
  case Function::Fmodf:
    return both(BinaryOp::Rem, ScalarType::Float);
  case Function::BitAnd:
  case Function::BitOr:
  case Function::BitXor:
  case Function::BitNot:
  case Function::ShiftL:
  case Function::ShiftR:
    return integerFunction(entry.function, e, args);
  case Function::ToBoolean:
    return argument(0, ScalarType::Boolean);
  case Function::ToInteger:
    return argument(0, ScalarType::Integer);
  case Function::ToLongint:
    return argument(0, ScalarType::Longint);
  case Function::ToFloat:
    return argument(0, ScalarType::Float);
  case Function::ToDouble:
    return argument(0, ScalarType::Double);
  case Function::NumLocales:
    return program.make<ProcessorsExpr>(range);
  case Function::CheckTimer:
    return program.make<TimerExpr>(nullptr, range);
  case Function::ReadTimer:
    return readTimer(e);
  case Function::ResetTimer:
  case Function::ClearTimer:
  case Function::StartTimer:
  case Function::StopTimer:
    break;
  }
  llvm_unreachable("calls of timers are statements");
}

/// A shift's result is of the type of what is shifted, as in C.
const Expr *Checker::integerFunction(Function function, const ast::Call &e,
                                     llvm::ArrayRef<const Expr *> args) {
  for (const Expr *arg : args)
    if (!isIntegral(arg->type)) {
      diags
          .report(arg->range, Diag::ArgumentType, e.callee.text,
                  text(arg->type))
          .done();
      return build.error(e.range);
    }
  ScalarType type = promoted(args[0]->type);
  if (function == Function::BitNot)
    return build.unary(UnaryOp::BitNot, build.cast(args[0], type), e.range);
  BinaryOp op = BinaryOp::ShiftL;
  if (function == Function::ShiftR)
    op = BinaryOp::ShiftR;
  if (function == Function::BitAnd)
    op = BinaryOp::BitAnd;
  if (function == Function::BitOr)
    op = BinaryOp::BitOr;
  if (function == Function::BitXor)
    op = BinaryOp::BitXor;
  if (op != BinaryOp::ShiftL && op != BinaryOp::ShiftR)
    type = commonType(args[0]->type, args[1]->type);
  return build.binary(op, build.cast(args[0], type), build.cast(args[1], type),
                      e.range);
}

Variable *Checker::timerArgument(const ast::Expr &e) {
  auto *value = expr(e);
  if (isError(value))
    return nullptr;
  auto *variable = llvm::dyn_cast<VariableExpr>(value);
  if (variable && variable->type == ScalarType::Timer)
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

Stmt *Checker::timerStmt(const ast::Call &e, Function function) {
  const Predeclared *entry = findPredeclared(e.callee.text);
  if (!countArguments(e, entry->least, entry->most))
    return empty(e.range);
  if (function == Function::ResetTimer)
    return program.make<TimerStmt>(TimerStmt::Reset, nullptr, nullptr, e.range);
  TimerStmt::Op op = TimerStmt::Start;
  if (function == Function::ClearTimer)
    op = TimerStmt::Clear;
  if (function == Function::StopTimer)
    op = TimerStmt::Stop;
  Variable *timer = timerArgument(*e.args[0]);
  const Expr *sync = nullptr;
  if (e.args.size() == 2)
    sync = convert(scalar(*e.args[1], "argument of StartTimer"),
                   ScalarType::Integer);
  if (!timer || (sync && isError(sync)))
    return empty(e.range);
  return program.make<TimerStmt>(op, timer, sync, e.range);
}

} // namespace zpl::sema
