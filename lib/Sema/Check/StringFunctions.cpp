//===- StringFunctions.cpp - Standard functions of strings ----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     substring(s, 2, 3)             positions count from 1
//     to_string(k)                   the value as text, without blanks
//     format("%s%04d.png", name, k)  format("%s", name) + format("%04d.png", k)
//     split(line, ",", words)        how many pieces; they are in words
//
// All but `split`, which stores, are element-wise like operators. A format that
// is a literal is cut into pieces with one conversion each, as that of write,
// and checked here; another one has one value and is checked when it is used.
//
// Cost: linear in the format.
//
//===----------------------------------------------------------------------===//

#include "Check/StringFunctions.h"
#include "Check/Designators.h"
#include "Check/Expressions.h"
#include "Check/Formats.h"
#include "Check/Functions.h"
#include "Check/Operators.h"
#include "Program/Free.h"
#include "Types/Types.h"
#include "llvm/ADT/STLExtras.h"

namespace zpl::sema {

namespace {

bool isText(Type type) { return type == Type::String; }

/// What `to_string` and `format` take.
bool hasScalarText(Type type) {
  return type.isNumeric() || type == Type::String ||
         (type == Type::Enum && !isDistributionValue(type));
}

/// The checked arguments from number \p first on; empty after a report.
llvm::SmallVector<const Expr *, 4> arguments(Checking &c, const ast::Call &e,
                                             size_t first = 0) {
  llvm::SmallVector<const Expr *, 4> args;
  for (const ast::Expr *arg : llvm::ArrayRef(e.args).drop_front(first)) {
    args.push_back(checkExpr(c, *arg));
    if (isError(args.back()))
      return {};
  }
  return args;
}

/// Whether all conform; reports two that do not.
bool conform(Checking &c, llvm::ArrayRef<const Expr *> args,
             SourceRange place) {
  for (size_t k = 1; k < args.size(); ++k)
    for (size_t j = 0; j != k; ++j)
      if (!haveConformingRanks(c, args[j], args[k], place))
        return false;
  return true;
}

} // namespace

static const Expr *splitValue(Checking &c, const ast::Call &e);
static const Expr *formatValue(Checking &c, const ast::Call &e);
static const Expr *literalFormat(Checking &c, const ast::Call &e,
                                 const ast::StringLiteral &literal,
                                 llvm::ArrayRef<const Expr *> values);
static const Expr *simpleFunction(Checking &c, const ast::Call &e,
                                  Function function,
                                  llvm::ArrayRef<const Expr *> args);

const Expr *checkStringFunction(Checking &c, const ast::Call &e,
                                const Predeclared &entry) {
  if (entry.function == Function::Split)
    return splitValue(c, e);
  if (entry.function == Function::Format)
    return formatValue(c, e);
  auto args = arguments(c, e);
  if (args.empty() || !conform(c, args, e.callee.range))
    return c.build.error(e.range);
  return simpleFunction(c, e, entry.function, args);
}

/// A function of strings alone, and the type of its value.
struct TextFunction {
  Function function;
  MathFn fn;
  Type type;
};
static constexpr TextFunction TextFunctions[] = {
    {Function::Length, MathFn::Length, Type::Integer},
    {Function::Find, MathFn::Find, Type::Integer},
    {Function::Upper, MathFn::Upper, Type::String},
    {Function::Lower, MathFn::Lower, Type::String},
    {Function::Trim, MathFn::Trim, Type::String},
    {Function::IsInteger, MathFn::IsInteger, Type::Boolean},
    {Function::IsDouble, MathFn::IsDouble, Type::Boolean}};

static const Expr *simpleFunction(Checking &c, const ast::Call &e,
                                  Function function,
                                  llvm::ArrayRef<const Expr *> args) {
  if (function == Function::ToString) {
    if (!haveTypes(c, e, args, hasScalarText))
      return c.build.error(e.range);
    return args[0]->type == Type::String
               ? args[0]
               : c.build.math(MathFn::Text, args, Type::String, e.range);
  }
  if (function == Function::Substring) {
    if (!haveTypes(c, e, args.take_front(), isText) ||
        !haveTypes(c, e, args.drop_front(), isIntegral))
      return c.build.error(e.range);
    return c.build.math(MathFn::Substring,
                        {args[0], c.build.cast(args[1], Type::Longint),
                         c.build.cast(args[2], Type::Longint)},
                        Type::String, e.range);
  }
  const auto *row = llvm::find_if(TextFunctions, [&](const TextFunction &row) {
    return row.function == function;
  });
  assert(row != std::end(TextFunctions) && "not a function of strings");
  if (!haveTypes(c, e, args, isText))
    return c.build.error(e.range);
  return c.build.math(row->fn, args, row->type, e.range);
}

const Expr *asString(Checking &c, const Expr *value) {
  return value->type == Type::Char
             ? c.build.math(MathFn::Text, value, Type::String, value->range)
             : value;
}

const Expr *parsedNumber(Checking &c, const Expr *text, Type type,
                         SourceRange range) {
  if (type == Type::Integer)
    return c.build.math(MathFn::ParseInteger, text, type, range);
  if (type == Type::Longint)
    return c.build.math(MathFn::ParseLong, text, type, range);
  if (type == Type::Double)
    return c.build.math(MathFn::ParseDouble, text, type, range);
  return nullptr;
}

//===----------------------------------------------------------------------===//
// format
//===----------------------------------------------------------------------===//

static const Expr *formatValue(Checking &c, const ast::Call &e) {
  auto values = arguments(c, e, 1);
  if (values.empty() || !haveTypes(c, e, values, hasScalarText) ||
      !conform(c, values, e.callee.range))
    return c.build.error(e.range);
  auto *literal =
      llvm::dyn_cast<ast::StringLiteral>(&ast::withoutParens(*e.args[0]));
  if (literal)
    return literalFormat(c, e, *literal, values);
  const Expr *format = checkExpr(c, *e.args[0]);
  if (isError(format))
    return format;
  if (format->type != Type::String) {
    c.diags.report(format->range, Diag::FormatType, text(format->type)).done();
    return c.build.error(e.range);
  }
  if (values.size() != 1) {
    c.diags.report(format->range, Diag::ComputedFormat, values.size()).done();
    return c.build.error(e.range);
  }
  if (!haveConformingRanks(c, format, values[0], e.callee.range))
    return c.build.error(e.range);
  return c.build.math(MathFn::Format, {format, values[0]}, Type::String,
                      e.range);
}

/// One piece of the literal per value, put together.
static const Expr *literalFormat(Checking &c, const ast::Call &e,
                                 const ast::StringLiteral &literal,
                                 llvm::ArrayRef<const Expr *> values) {
  Format format = parseFormat(literal.value);
  if (format.error) {
    c.diags.report(literal.range, Diag::BadFormat, format.error).done();
    return c.build.error(e.range);
  }
  size_t wanted = 0, next = 0;
  for (const Expr *value : values)
    wanted += value->type.isComplex() ? 2 : 1;
  if (wanted != format.pieces.size()) {
    c.diags
        .report(literal.range, Diag::FormatCount, format.pieces.size(),
                values.size())
        .done();
    return c.build.error(e.range);
  }
  const Expr *all = nullptr;
  for (const Expr *value : values) {
    std::string piece;
    for (size_t parts = value->type.isComplex() ? 2 : 1; parts != 0; --parts) {
      if (!fits(format.conversions[next], value->type)) {
        c.diags
            .report(value->range, Diag::FormatMismatch,
                    std::string("%") + format.conversions[next],
                    text(value->type))
            .highlight(literal.range);
        return c.build.error(e.range);
      }
      piece += format.pieces[next++];
    }
    const Expr *made = c.build.math(
        MathFn::Format, {c.build.string(piece, literal.range), value},
        Type::String, e.range);
    all = all ? c.build.binary(BinaryOp::Add, all, made, e.range) : made;
  }
  return all;
}

//===----------------------------------------------------------------------===//
// split
//===----------------------------------------------------------------------===//

static const Expr *splitValue(Checking &c, const ast::Call &e) {
  llvm::SmallVector<const Expr *, 2> args;
  for (const ast::Expr *arg : llvm::ArrayRef(e.args).take_front(2)) {
    args.push_back(checkScalar(c, *arg, "argument of 'split'"));
    if (isError(args.back()) || reportFree(c, args.back()))
      return c.build.error(e.range);
  }
  if (!haveTypes(c, e, args, isText))
    return c.build.error(e.range);
  const Expr *place = checkTarget(c, *e.args[2]);
  if (!place || isError(place) || reportFreePlace(c, place))
    return c.build.error(e.range);
  bool isList = place->type == Type::Array && !place->isArray() &&
                place->type.info()->lo.size() == 1 &&
                place->type.info()->element == Type::String;
  if (!isList) {
    c.diags.report(place->range, Diag::SplitTarget, text(place->type)).done();
    return c.build.error(e.range);
  }
  auto *split =
      c.program.make<BuiltinExpr>(Builtin::Split, args, Type::Integer, e.range);
  split->place = place;
  return split;
}

} // namespace zpl::sema
