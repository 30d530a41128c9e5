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
// holds here. What works on files and timers is in StandardStmts.cpp, what
// asks about regions in Inquiry.cpp.
//
//===----------------------------------------------------------------------===//

#include "Check/Checker.h"
#include "Types/Types.h"
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
  llvm::StringRef ofArray;
  if (e.args.size() == 1 && e.callee.text == "max")
    ofArray = "; the greatest element of an array is 'max<<A'";
  else if (e.args.size() == 1 && e.callee.text == "min")
    ofArray = "; the least element of an array is 'min<<A'";
  diags
      .report(e.range, Diag::ArgumentCount, e.callee.text, wanted,
              e.args.size(), ofArray)
      .done();
  return false;
}

const Expr *Checker::standardCall(const ast::Call &e,
                                  const Predeclared &entry) {
  if (entry.kind == Predeclared::Later) {
    notSupported(e.range, llvm::formatv("'{0}'", entry.name).str());
    return build.error(e.range);
  }
  if (!entry.isFunction()) {
    diags
        .report(e.callee.range, Diag::WrongKind, entry.name, "a constant",
                "a function")
        .done();
    return build.error(e.range);
  }
  if (entry.isStmt()) {
    diags.report(e.range, Diag::NoValue, entry.name).done();
    return build.error(e.range);
  }
  if (!countArguments(e, entry.least, entry.most))
    return build.error(e.range);
  if (entry.kind == Predeclared::Function &&
      entry.function == Function::ReadTimer)
    return readTimer(e);
  if (entry.isInquiry())
    return inquiry(e, entry.function);
  llvm::SmallVector<const Expr *, 2> args;
  for (const ast::Expr *arg : e.args) {
    args.push_back(expr(*arg));
    if (isError(args.back()))
      return build.error(e.range);
  }
  if (args.size() == 2 && !conform(args[0], args[1], e.callee.range))
    return build.error(e.range);
  return standardValue(entry, e, args);
}

const Expr *Checker::standardValue(const Predeclared &entry, const ast::Call &e,
                                   llvm::ArrayRef<const Expr *> args) {
  bool takesFiles =
      entry.kind == Predeclared::Function &&
      (entry.function == Function::Open || entry.function == Function::Eof);
  if (takesFiles)
    return fileFunction(entry.function, e, args);
  if (!haveTypes(e, args, [](Type type) { return type.isNumeric(); }))
    return build.error(e.range);
  if (entry.kind == Predeclared::Convert)
    return conversion(e, args[0], entry.type);
  if (entry.kind == Predeclared::Function)
    return functionValue(entry, e, args);
  return realFunction(entry, e, args);
}

bool Checker::haveTypes(const ast::Call &e, llvm::ArrayRef<const Expr *> args,
                        llvm::function_ref<bool(Type)> fits) {
  for (const Expr *arg : args) {
    if (fits(arg->type))
      continue;
    diags.report(arg->range, Diag::ArgumentType, e.callee.text, text(arg->type))
        .done();
    return false;
  }
  return true;
}

/// By the rules of assignment, and without a warning.
const Expr *Checker::conversion(const ast::Call &e, const Expr *arg, Type to) {
  if (!converts(arg->type, to)) {
    diags
        .report(arg->range, Diag::NoConversion, text(arg->type), text(to),
                "; 'real' and 'imag' give its parts")
        .done();
    return build.error(e.range);
  }
  const Expr *value = build.cast(arg, to);
  if (value != arg || !llvm::isa<LiteralExpr>(arg))
    return value;
  auto *copy = program.make<LiteralExpr>(llvm::cast<LiteralExpr>(*arg));
  copy->range = e.range;
  return copy;
}

/// A function on the type in the table, or on quad if an argument is one.
const Expr *Checker::realFunction(const Predeclared &entry, const ast::Call &e,
                                  llvm::ArrayRef<const Expr *> args) {
  if (!haveTypes(e, args, [](Type type) { return !type.isComplex(); }))
    return build.error(e.range);
  Type type = realType(entry.type, args);
  llvm::SmallVector<const Expr *, 2> converted;
  for (const Expr *arg : args) {
    quotients.warnIfFloating(arg, type);
    converted.push_back(build.cast(arg, type));
  }
  return build.math(entry.fn, converted, type, e.range);
}

Type Checker::realType(Type own, llvm::ArrayRef<const Expr *> args) const {
  bool isQuad = own == Type::Double && llvm::any_of(args, [](const Expr *arg) {
                  return arg->type == Type::Quad;
                });
  return isQuad ? Type(Type::Quad) : own;
}

const Expr *Checker::functionValue(const Predeclared &entry, const ast::Call &e,
                                   llvm::ArrayRef<const Expr *> args) {
  switch (entry.function) {
  case Function::Abs:
  case Function::Min:
  case Function::Max:
  case Function::Sqr:
  case Function::Cube:
    return commonFunction(entry.function, e, args);
  case Function::Fabs:
  case Function::Pow:
  case Function::Fmod:
  case Function::Ldexp:
    return doubleFunction(entry.function, e, args, Type::Double);
  case Function::Fabsf:
    return doubleFunction(Function::Fabs, e, args, Type::Float);
  case Function::Powf:
    return doubleFunction(Function::Pow, e, args, Type::Float);
  case Function::Fmodf:
    return doubleFunction(Function::Fmod, e, args, Type::Float);
  case Function::Ldexpf:
    return doubleFunction(Function::Ldexp, e, args, Type::Float);
  case Function::BitAnd:
  case Function::BitOr:
  case Function::BitXor:
  case Function::BitNot:
  case Function::ShiftL:
  case Function::ShiftR:
  case Function::Log2Floor:
  case Function::PopCount:
  case Function::Ran:
    return integerFunction(entry.function, e, args);
  case Function::Real:
  case Function::Imag:
  case Function::Conj:
  case Function::Arg:
    return complexFunction(entry.function, e, args[0]);
  case Function::Random:
    return program.make<BuiltinExpr>(Builtin::Random, args, Type::Double,
                                     e.range);
  case Function::NumLocales:
    return program.make<ProcessorsExpr>(e.range);
  case Function::LocaleID: {
    auto *node =
        program.make<MathExpr>(MathFn::Locale, args, Type::Integer, e.range);
    node->isFree = true;
    return node;
  }
  case Function::CheckTimer:
    return program.make<TimerExpr>(nullptr, e.range);
  case Function::Open:
  case Function::Eof:
  case Function::ReadTimer:
  case Function::Size:
  case Function::Lo:
  case Function::Hi:
  case Function::Stride:
  case Function::Rank:
  case Function::OwnLo:
  case Function::OwnHi:
  case Function::Close:
  case Function::BindRead:
  case Function::BindWrite:
  case Function::UnbindRead:
  case Function::UnbindWrite:
  case Function::ResetTimer:
  case Function::ClearTimer:
  case Function::StartTimer:
  case Function::StopTimer:
    break;
  }
  llvm_unreachable("these have no numbers as arguments");
}

/// Functions of the promoted arguments' type.
const Expr *Checker::commonFunction(Function function, const ast::Call &e,
                                    llvm::ArrayRef<const Expr *> args) {
  Type type = promoted(args[0]->type);
  if (args.size() == 2)
    type = commonType(type, args[1]->type);
  for (const Expr *arg : args)
    quotients.warnIfFloating(arg, type);
  bool isMinMax = function == Function::Min || function == Function::Max;
  if (isMinMax &&
      !haveTypes(e, args, [](Type type) { return !type.isComplex(); }))
    return build.error(e.range);
  const Expr *first = build.cast(args[0], type);
  if (function == Function::Sqr)
    return build.product(first, 2, e.range);
  if (function == Function::Cube)
    return build.product(first, 3, e.range);
  if (isMinMax)
    return build.binary(function == Function::Min ? BinaryOp::Min
                                                  : BinaryOp::Max,
                        first, build.cast(args[1], type), e.range);
  if (type.isComplex())
    return complexFunction(Function::Abs, e, first);
  return build.unary(UnaryOp::Abs, first, e.range);
}

/// Functions on \p own, or on quad.
const Expr *Checker::doubleFunction(Function function, const ast::Call &e,
                                    llvm::ArrayRef<const Expr *> args,
                                    Type own) {
  if (!haveTypes(e, args, [](Type type) { return !type.isComplex(); }))
    return build.error(e.range);
  Type type =
      realType(own, function == Function::Ldexp ? args.take_front() : args);
  quotients.warnIfFloating(args[0], type);
  if (function != Function::Ldexp)
    quotients.warnIfFloating(args.back(), type);
  const Expr *first = build.cast(args[0], type);
  if (function == Function::Fabs)
    return build.unary(UnaryOp::Abs, first, e.range);
  if (function == Function::Pow)
    return build.power(first, args[1], type, e.range);
  if (function == Function::Fmod)
    return build.binary(BinaryOp::Rem, first, build.cast(args[1], type),
                        e.range);
  return build.math(MathFn::Ldexp, {first, build.cast(args[1], Type::Integer)},
                    type, e.range);
}

/// A shift's result is of the type of what is shifted, as in C.
const Expr *Checker::integerFunction(Function function, const ast::Call &e,
                                     llvm::ArrayRef<const Expr *> args) {
  if (!haveTypes(e, args, isIntegral))
    return build.error(e.range);
  Type type = promoted(args[0]->type);
  if (function == Function::Ran)
    return build.math(MathFn::Ran, build.cast(args[0], Type::Longint),
                      Type::Double, e.range);
  if (function == Function::Log2Floor || function == Function::PopCount)
    return build.math(function == Function::PopCount ? MathFn::PopCount
                                                     : MathFn::Log2Floor,
                      build.cast(args[0], type), type, e.range);
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

} // namespace zpl::sema
