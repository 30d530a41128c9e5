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
// asks about regions in Inquiry.cpp, what works on strings in
// StringFunctions.cpp.
//
//===----------------------------------------------------------------------===//

#include "Check/Functions.h"
#include "Arithmetic/ComplexFunctions.h"
#include "Arithmetic/RandomNumbers.h"
#include "Check/Checking.h"
#include "Check/Expressions.h"
#include "Check/Inquiry.h"
#include "Check/Operators.h"
#include "Check/StringFunctions.h"
#include "Distributions/Distributions.h"
#include "Names/Predeclared.h"
#include "State/Checkpoints.h"
#include "Statements/Declarations.h"
#include "Statements/StandardStmts.h"
#include "Types/Types.h"
#include "Types/ValueTypes.h"
#include "llvm/Support/ErrorHandling.h"

#include <array>
#include <limits>

namespace zpl::sema {

static const Expr *standardValue(Checking &c, const Predeclared &entry,
                                 const ast::Call &e,
                                 llvm::ArrayRef<const Expr *> args);
static const Expr *ofStrings(Checking &c, const Predeclared &entry,
                             const ast::Call &e,
                             llvm::ArrayRef<const Expr *> args);
static const Expr *conversion(Checking &c, const ast::Call &e, const Expr *arg,
                              Type to);
static const Expr *realFunction(Checking &c, const Predeclared &entry,
                                const ast::Call &e,
                                llvm::ArrayRef<const Expr *> args);
static Type realType(Type own, llvm::ArrayRef<const Expr *> args);
static const Expr *functionValue(Checking &c, const Predeclared &entry,
                                 const ast::Call &e,
                                 llvm::ArrayRef<const Expr *> args);
static const Expr *commonFunction(Checking &c, Function function,
                                  const ast::Call &e,
                                  llvm::ArrayRef<const Expr *> args);
static const Expr *doubleFunction(Checking &c, Function function,
                                  const ast::Call &e,
                                  llvm::ArrayRef<const Expr *> args, Type own);
static const Expr *randomNumber(Checking &c, Function function,
                                const ast::Call &e,
                                llvm::ArrayRef<const Expr *> args);
static const Expr *kindOfValue(Checking &c, Function function,
                               const ast::Call &e, const Expr *arg);
static const Expr *integerFunction(Checking &c, Function function,
                                   const ast::Call &e,
                                   llvm::ArrayRef<const Expr *> args);

static bool isRankOfFile(Checking &c, const ast::Call &e, Function function);

bool countArguments(Checking &c, const ast::Call &e, unsigned least,
                    unsigned most) {
  if (least <= e.args.size() && e.args.size() <= most)
    return true;
  std::string wanted = llvm::formatv("{0}", least).str();
  if (least != most)
    wanted += llvm::formatv(least + 1 == most ? " or {0}" : " to {0}", most);
  llvm::StringRef ofArray;
  if (e.args.size() == 1 && e.callee.text == "max")
    ofArray = "; the greatest element of an array is 'max<<A'";
  else if (e.args.size() == 1 && e.callee.text == "min")
    ofArray = "; the least element of an array is 'min<<A'";
  c.diags
      .report(e.range, Diag::ArgumentCount, e.callee.text, wanted,
              e.args.size(), ofArray)
      .done();
  return false;
}

const Expr *checkStandardCall(Checking &c, const ast::Call &e,
                              const Predeclared &entry) {
  if (entry.kind == Predeclared::Reduction) {
    c.diags.report(e.callee.range, Diag::NeedsOperand, entry.name).done();
    return c.build.error(e.range);
  }
  if (!entry.isFunction()) {
    c.diags
        .report(e.callee.range, Diag::WrongKind, entry.name, "a constant",
                "a function")
        .done();
    return c.build.error(e.range);
  }
  if (entry.isStmt()) {
    c.diags.report(e.range, Diag::NoValue, entry.name).done();
    return c.build.error(e.range);
  }
  if (!countArguments(c, e, entry.least, entry.most))
    return c.build.error(e.range);
  if (entry.kind == Predeclared::Function &&
      entry.function == Function::ReadTimer)
    return readTimer(c, e);
  if (entry.kind == Predeclared::Function &&
      (entry.function == Function::GridProcs ||
       entry.function == Function::GridProc))
    return checkGridPlace(c, e, entry.function == Function::GridProc);
  if (entry.isInquiry() && !isRankOfFile(c, e, entry.function))
    return checkInquiry(c, e, entry.function);
  if (entry.isOfStrings())
    return checkStringFunction(c, e, entry);
  llvm::SmallVector<const Expr *, 2> args;
  for (const ast::Expr *arg : e.args) {
    args.push_back(checkExpr(c, *arg));
    if (isError(args.back()))
      return c.build.error(e.range);
  }
  for (size_t i = 1; i < args.size(); ++i)
    for (size_t k = 0; k != i; ++k)
      if (!haveConformingRanks(c, args[k], args[i], e.callee.range))
        return c.build.error(e.range);
  return standardValue(c, entry, e, args);
}

/// Functions whose arguments are files or their names, and `rank` of a file.
static bool isOfFiles(Function function) {
  return function == Function::Open || function == Function::Eof ||
         function == Function::Picture || function == Function::Shape ||
         function == Function::ElementType || function == Function::Rank;
}

/// `rank(f)` of a file f, not of a region.
static bool isRankOfFile(Checking &c, const ast::Call &e, Function function) {
  return function == Function::Rank && e.args.size() == 1 &&
         designatedType(c, *e.args[0]) == Type::File;
}

static const Expr *standardValue(Checking &c, const Predeclared &entry,
                                 const ast::Call &e,
                                 llvm::ArrayRef<const Expr *> args) {
  if (entry.kind == Predeclared::Function) {
    if (isOfFiles(entry.function))
      return fileFunction(c, entry.function, e, args);
    if (entry.function == Function::Environment ||
        entry.function == Function::Argument)
      return runFunction(c, entry.function, e, args[0]);
  }
  if (const Expr *value = ofStrings(c, entry, e, args))
    return value;
  if (!haveTypes(c, e, args, [](Type type) { return type.isNumeric(); }))
    return c.build.error(e.range);
  if (entry.kind == Predeclared::Convert)
    return conversion(c, e, args[0], entry.type);
  if (entry.kind == Predeclared::Function)
    return functionValue(c, entry, e, args);
  return realFunction(c, entry, e, args);
}

/// What functions of numbers make of strings: `to_integer(s)`, `max(s, t)`.
/// Null: nothing.
static const Expr *ofStrings(Checking &c, const Predeclared &entry,
                             const ast::Call &e,
                             llvm::ArrayRef<const Expr *> args) {
  if (args.empty() || !llvm::all_of(args, [](const Expr *arg) {
        return arg->type == Type::String;
      }))
    return nullptr;
  if (entry.kind == Predeclared::Convert)
    return parsedNumber(c, args[0], entry.type, e.range);
  bool isFunction = entry.kind == Predeclared::Function;
  if (isFunction && entry.function == Function::Min)
    return c.build.binary(BinaryOp::Min, args[0], args[1], e.range);
  if (isFunction && entry.function == Function::Max)
    return c.build.binary(BinaryOp::Max, args[0], args[1], e.range);
  return nullptr;
}

bool haveTypes(Checking &c, const ast::Call &e,
               llvm::ArrayRef<const Expr *> args,
               llvm::function_ref<bool(Type)> fits) {
  for (const Expr *arg : args) {
    if (fits(arg->type))
      continue;
    c.diags
        .report(arg->range, Diag::ArgumentType, e.callee.text, text(arg->type))
        .done();
    return false;
  }
  return true;
}

/// By the rules of assignment, and without a warning.
static const Expr *conversion(Checking &c, const ast::Call &e, const Expr *arg,
                              Type to) {
  if (!converts(arg->type, to)) {
    c.diags
        .report(arg->range, Diag::NoConversion, text(arg->type), text(to),
                "; 'real' and 'imag' give its parts")
        .done();
    return c.build.error(e.range);
  }
  const Expr *value = c.build.cast(arg, to);
  if (value != arg || !llvm::isa<LiteralExpr>(arg))
    return value;
  auto *copy = c.program.make<LiteralExpr>(llvm::cast<LiteralExpr>(*arg));
  copy->range = e.range;
  return copy;
}

/// `sqrt exp log sin cos` of complex numbers keep the type.
static bool isOnComplex(const Predeclared &entry) {
  if (entry.type != Type::Double)
    return false;
  return entry.fn == MathFn::Sqrt || entry.fn == MathFn::Exp ||
         entry.fn == MathFn::Log || entry.fn == MathFn::Sin ||
         entry.fn == MathFn::Cos;
}

/// A function on the type in the table, or on quad if an argument is one.
static const Expr *realFunction(Checking &c, const Predeclared &entry,
                                const ast::Call &e,
                                llvm::ArrayRef<const Expr *> args) {
  if (isOnComplex(entry) && args[0]->type.isComplex())
    return c.build.math(entry.fn, args[0], args[0]->type, e.range);
  if (!haveTypes(c, e, args, [](Type type) { return !type.isComplex(); }))
    return c.build.error(e.range);
  Type type = realType(entry.type, args);
  llvm::SmallVector<const Expr *, 2> converted;
  for (const Expr *arg : args) {
    c.quotients.warnIfFloating(arg, type);
    converted.push_back(c.build.cast(arg, type));
  }
  return c.build.math(entry.fn, converted, type, e.range);
}

static Type realType(Type own, llvm::ArrayRef<const Expr *> args) {
  bool isQuad = own == Type::Double && llvm::any_of(args, [](const Expr *arg) {
                  return arg->type == Type::Quad;
                });
  return isQuad ? Type(Type::Quad) : own;
}

static const Expr *functionValue(Checking &c, const Predeclared &entry,
                                 const ast::Call &e,
                                 llvm::ArrayRef<const Expr *> args) {
  switch (entry.function) {
  case Function::Abs:
  case Function::Min:
  case Function::Max:
  case Function::MinNaN:
  case Function::MaxNaN:
  case Function::Sqr:
  case Function::Cube:
    return commonFunction(c, entry.function, e, args);
  case Function::Fabs:
  case Function::Pow:
  case Function::Fmod:
  case Function::Ldexp:
    return doubleFunction(c, entry.function, e, args, Type::Double);
  case Function::Fabsf:
    return doubleFunction(c, Function::Fabs, e, args, Type::Float);
  case Function::Powf:
    return doubleFunction(c, Function::Pow, e, args, Type::Float);
  case Function::Fmodf:
    return doubleFunction(c, Function::Fmod, e, args, Type::Float);
  case Function::Ldexpf:
    return doubleFunction(c, Function::Ldexp, e, args, Type::Float);
  case Function::IsNaN:
  case Function::IsInf:
  case Function::IsFinite:
    return kindOfValue(c, entry.function, e, args[0]);
  case Function::BitAnd:
  case Function::BitOr:
  case Function::BitXor:
  case Function::BitNot:
  case Function::ShiftL:
  case Function::ShiftR:
  case Function::Log2Floor:
  case Function::PopCount:
  case Function::Ran:
    return integerFunction(c, entry.function, e, args);
  case Function::Real:
  case Function::Imag:
  case Function::Conj:
  case Function::Arg:
    return complexFunction(c, entry.function, e, args[0]);
  case Function::Uniform:
  case Function::Normal:
    return randomNumber(c, entry.function, e, args);
  case Function::Date:
    return c.program.make<BuiltinExpr>(Builtin::Date, args, Type::String,
                                       e.range);
  case Function::Arguments:
    return c.program.make<BuiltinExpr>(Builtin::Arguments, args, Type::Integer,
                                       e.range);
  case Function::Random:
    return c.program.make<BuiltinExpr>(Builtin::Random, args, Type::Double,
                                       e.range);
  case Function::NumLocales:
    return c.program.make<ProcessorsExpr>(e.range);
  case Function::LocaleID: {
    auto *node =
        c.program.make<MathExpr>(MathFn::Locale, args, Type::Integer, e.range);
    node->isFree = true;
    return node;
  }
  case Function::Restart:
    return restartCall(c, e);
  case Function::CheckTimer:
    return c.program.make<TimerExpr>(nullptr, e.range);
  case Function::Open:
  case Function::Eof:
  case Function::Picture:
  case Function::Shape:
  case Function::ElementType:
  case Function::Environment:
  case Function::Argument:
  case Function::ReadTimer:
  case Function::Length:
  case Function::Substring:
  case Function::Find:
  case Function::Upper:
  case Function::Lower:
  case Function::Trim:
  case Function::ToString:
  case Function::Format:
  case Function::IsInteger:
  case Function::IsDouble:
  case Function::Split:
  case Function::Size:
  case Function::Lo:
  case Function::Hi:
  case Function::Stride:
  case Function::Rank:
  case Function::OwnLo:
  case Function::OwnHi:
  case Function::GridProcs:
  case Function::GridProc:
  case Function::Close:
  case Function::Resize:
  case Function::Sort:
  case Function::Balance:
  case Function::Checkpoint:
  case Function::BindRead:
  case Function::BindWrite:
  case Function::UnbindRead:
  case Function::UnbindWrite:
  case Function::ResetTimer:
  case Function::ClearTimer:
  case Function::StartTimer:
  case Function::StopTimer:
  case Function::Assert:
  case Function::Mean:
  case Function::MinLoc:
  case Function::MaxLoc:
  case Function::ArgMin:
  case Function::ArgMax:
    break;
  }
  llvm_unreachable("these have no numbers as arguments");
}

/// Of two values; integers are never NaN.
static std::optional<BinaryOp> extremumOf(Function function, Type type) {
  bool isFloating = type.isFloating();
  if (function == Function::Min || function == Function::MinNaN)
    return isFloating && function == Function::MinNaN ? BinaryOp::MinNaN
                                                      : BinaryOp::Min;
  if (function == Function::Max || function == Function::MaxNaN)
    return isFloating && function == Function::MaxNaN ? BinaryOp::MaxNaN
                                                      : BinaryOp::Max;
  return std::nullopt;
}

/// Functions of the promoted arguments' type.
static const Expr *commonFunction(Checking &c, Function function,
                                  const ast::Call &e,
                                  llvm::ArrayRef<const Expr *> args) {
  Type type = promoted(args[0]->type);
  if (args.size() == 2)
    type = commonType(type, args[1]->type);
  for (const Expr *arg : args)
    c.quotients.warnIfFloating(arg, type);
  std::optional<BinaryOp> extremum = extremumOf(function, type);
  if (extremum &&
      !haveTypes(c, e, args, [](Type type) { return !type.isComplex(); }))
    return c.build.error(e.range);
  const Expr *first = c.build.cast(args[0], type);
  if (function == Function::Sqr)
    return c.build.product(first, 2, e.range);
  if (function == Function::Cube)
    return c.build.product(first, 3, e.range);
  if (extremum)
    return c.build.binary(*extremum, first, c.build.cast(args[1], type),
                          e.range);
  if (type.isComplex())
    return complexFunction(c, Function::Abs, e, first);
  return c.build.unary(UnaryOp::Abs, first, e.range);
}

/// What `z ^ w` is, if one of them is complex; else null.
static const Expr *complexPower(Checking &c, const ast::Call &e,
                                llvm::ArrayRef<const Expr *> args) {
  Type type = commonType(args[0]->type, args[1]->type);
  if (!type.isComplex())
    return nullptr;
  if (type == Type::Complex)
    type = Type::Dcomplex;
  return c.build.power(c.build.cast(args[0], type), args[1], type, e.range);
}

/// Functions on \p own, or on quad.
static const Expr *doubleFunction(Checking &c, Function function,
                                  const ast::Call &e,
                                  llvm::ArrayRef<const Expr *> args, Type own) {
  if (function == Function::Pow && own == Type::Double)
    if (const Expr *power = complexPower(c, e, args))
      return power;
  if (!haveTypes(c, e, args, [](Type type) { return !type.isComplex(); }))
    return c.build.error(e.range);
  Type type =
      realType(own, function == Function::Ldexp ? args.take_front() : args);
  c.quotients.warnIfFloating(args[0], type);
  if (function != Function::Ldexp)
    c.quotients.warnIfFloating(args.back(), type);
  const Expr *first = c.build.cast(args[0], type);
  if (function == Function::Fabs)
    return c.build.unary(UnaryOp::Abs, first, e.range);
  if (function == Function::Pow)
    return c.build.power(first, args[1], type, e.range);
  if (function == Function::Fmod)
    return c.build.binary(BinaryOp::Rem, first, c.build.cast(args[1], type),
                          e.range);
  return c.build.math(MathFn::Ldexp,
                      {first, c.build.cast(args[1], Type::Integer)}, type,
                      e.range);
}

/// `normal` is made of two numbers, by Box and Muller; integers that are no
/// constants or variables are evaluated once, in a function made for that.
static const Expr *randomNumber(Checking &c, Function function,
                                const ast::Call &e,
                                llvm::ArrayRef<const Expr *> args) {
  if (!haveTypes(c, e, args, isIntegral))
    return c.build.error(e.range);
  llvm::SmallVector<const Expr *, 5> place = {
      c.build.cast(args[0], Type::Longint)};
  for (const Expr *arg : args.drop_front())
    place.push_back(c.build.cast(arg, Type::Uinteger));
  while (place.size() != 5)
    place.push_back(c.build.integer(0, Type::Uinteger, e.range));
  if (function == Function::Uniform)
    return c.build.math(MathFn::Uniform, place, Type::Double, e.range);
  return normalNumber(c, place, e.range);
}

/// Each by one comparison of the magnitude, which a NaN fails. Integers are
/// finite, by the conversion that all functions on double make.
static const Expr *kindOfValue(Checking &c, Function function,
                               const ast::Call &e, const Expr *arg) {
  if (arg->type.isComplex())
    return complexFunction(c, function, e, arg);
  Type type = arg->type.isFloating() ? arg->type : Type(Type::Double);
  return floatingKind(c, function, c.build.cast(arg, type), e.range);
}

const Expr *floatingKind(Checking &c, Function function, const Expr *value,
                         SourceRange range) {
  const Expr *infinity = c.build.number(std::numeric_limits<double>::infinity(),
                                        value->type, range);
  const Expr *magnitude = c.build.unary(UnaryOp::Abs, value, range);
  if (function == Function::IsInf)
    return c.build.compare(CompareOp::Eq, magnitude, infinity, range);
  if (function == Function::IsFinite)
    return c.build.compare(CompareOp::Lt, magnitude, infinity, range);
  return c.build.unary(
      UnaryOp::Not, c.build.compare(CompareOp::Le, magnitude, infinity, range),
      range);
}

/// A shift's result is of the type of what is shifted, as in C.
static const Expr *integerFunction(Checking &c, Function function,
                                   const ast::Call &e,
                                   llvm::ArrayRef<const Expr *> args) {
  if (!haveTypes(c, e, args, isIntegral))
    return c.build.error(e.range);
  Type type = promoted(args[0]->type);
  if (function == Function::Ran)
    return c.build.math(MathFn::Ran, c.build.cast(args[0], Type::Longint),
                        Type::Double, e.range);
  if (function == Function::Log2Floor || function == Function::PopCount)
    return c.build.math(function == Function::PopCount ? MathFn::PopCount
                                                       : MathFn::Log2Floor,
                        c.build.cast(args[0], type), type, e.range);
  if (function == Function::BitNot)
    return c.build.unary(UnaryOp::BitNot, c.build.cast(args[0], type), e.range);
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
  return c.build.binary(op, c.build.cast(args[0], type),
                        c.build.cast(args[1], type), e.range);
}

} // namespace zpl::sema
