//===- ComplexFunctions.cpp - Functions of complex values -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     real(z)    z.re
//     conj(z)    complex(z.re, -z.im)
//     abs(z)     hypot(z.re, z.im)
//     arg(f(x))  a call of  procedure arg(z: dcomplex): double;
//
// Both parts come from one value. What may be computed twice is repeated in the
// tree; what may not becomes the argument of a function that is made here, once
// per type, and belongs to the program like any scalar procedure.
//
//===----------------------------------------------------------------------===//

#include "Arithmetic/ComplexFunctions.h"
#include "Check/Checking.h"
#include "Check/Functions.h"
#include "Names/Predeclared.h"
#include "Types/Types.h"
#include "llvm/Support/ErrorHandling.h"

namespace zpl::sema {

static const Expr *complexValue(Checking &c, Function function, const Expr *arg,
                                SourceRange range);
static Procedure *hiddenFunction(Checking &c, Function function, Type type,
                                 SourceRange range);

const Expr *complexFunction(Checking &c, Function function, const ast::Call &e,
                            const Expr *arg) {
  if (!haveTypes(c, e, arg, [](Type type) { return type.isComplex(); }))
    return c.build.error(e.range);
  bool isPart = function == Function::Real || function == Function::Imag;
  if (isPart || Builder::isLight(arg))
    return complexValue(c, function, arg, e.range);
  auto *node = c.program.make<CallExpr>(
      hiddenFunction(c, function, arg->type, e.range), e.range);
  node->args.push_back(arg);
  node->copies.push_back(false);
  Builder::inherit(*node, arg);
  return node;
}

static const Expr *complexValue(Checking &c, Function function, const Expr *arg,
                                SourceRange range) {
  if (function == Function::Real || function == Function::Imag)
    return c.build.part(arg, function == Function::Imag);
  const Expr *re = c.build.part(arg, 0), *im = c.build.part(arg, 1);
  if (function == Function::Conj)
    return c.build.complex(re, c.build.unary(UnaryOp::Neg, im, range), range);
  if (function == Function::IsNaN || function == Function::IsInf ||
      function == Function::IsFinite)
    return c.build.binary(function == Function::IsFinite ? BinaryOp::And
                                                         : BinaryOp::Or,
                          floatingKind(c, function, re, range),
                          floatingKind(c, function, im, range), range);
  if (function == Function::Arg)
    return c.build.math(MathFn::Atan2, {im, re}, re->type, range);
  return c.build.math(MathFn::Hypot, {re, im}, re->type, range);
}

static llvm::StringRef nameOf(Function function) {
  for (const Predeclared &entry : predeclaredNames())
    if (entry.kind == Predeclared::Function && entry.function == function)
      return entry.name;
  llvm_unreachable("a function that has no name");
}

/// `procedure conj(z: T): T; return conj(z);`, inline.
static Procedure *hiddenFunction(Checking &c, Function function, Type type,
                                 SourceRange range) {
  llvm::StringRef name = nameOf(function);
  for (Procedure *made : c.made.functions)
    if (made->name == name &&
        llvm::cast<Variable>(made->params[0])->type == type)
      return made;
  auto *procedure = c.program.make<Procedure>(name, range);
  auto *formal = c.program.make<Variable>("z", range);
  formal->type = type;
  formal->storage = Storage::Param;
  procedure->params.push_back(formal);
  const Expr *value = complexValue(
      c, function, c.program.make<VariableExpr>(formal, range), range);
  procedure->result = value->type;
  procedure->body = c.program.make<ReturnStmt>(value, 0, range);
  procedure->bodyRange = range;
  c.program.procedures.push_back(procedure);
  c.made.functions.push_back(procedure);
  return procedure;
}

} // namespace zpl::sema
