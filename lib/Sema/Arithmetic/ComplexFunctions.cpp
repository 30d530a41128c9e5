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

#include "Check/Checker.h"
#include "Types/Types.h"

namespace zpl::sema {

/// `real imag conj arg`, and `abs`, of a complex value. Those that need both
/// parts of something that is not to be computed twice are calls of a function
/// made for it.
const Expr *Checker::complexFunction(Function function, const ast::Call &e,
                                     const Expr *arg) {
  if (!haveTypes(e, arg, [](Type type) { return type.isComplex(); }))
    return build.error(e.range);
  bool isPart = function == Function::Real || function == Function::Imag;
  if (isPart || Builder::isLight(arg))
    return complexValue(function, arg, e.range);
  auto *node = program.make<CallExpr>(
      hiddenFunction(function, arg->type, e.range), e.range);
  node->args.push_back(arg);
  node->copies.push_back(false);
  Builder::inherit(*node, arg);
  return node;
}

const Expr *Checker::complexValue(Function function, const Expr *arg,
                                  SourceRange range) {
  if (function == Function::Real || function == Function::Imag)
    return build.part(arg, function == Function::Imag);
  const Expr *re = build.part(arg, 0), *im = build.part(arg, 1);
  if (function == Function::Conj)
    return build.complex(re, build.unary(UnaryOp::Neg, im, range), range);
  if (function == Function::Arg)
    return build.math(MathFn::Atan2, {im, re}, re->type, range);
  return build.math(MathFn::Hypot, {re, im}, re->type, range);
}

/// `procedure conj(z: T): T; return conj(z);`, inline.
Procedure *Checker::hiddenFunction(Function function, Type type,
                                   SourceRange range) {
  llvm::StringRef name = function == Function::Conj  ? "conj"
                         : function == Function::Arg ? "arg"
                                                     : "abs";
  for (Procedure *made : hiddenFunctions)
    if (made->name == name &&
        llvm::cast<Variable>(made->params[0])->type == type)
      return made;
  auto *procedure = program.make<Procedure>(name, range);
  auto *formal = program.make<Variable>("z", range);
  formal->type = type;
  formal->storage = Storage::Param;
  procedure->params.push_back(formal);
  const Expr *value =
      complexValue(function, program.make<VariableExpr>(formal, range), range);
  procedure->result = value->type;
  procedure->body = program.make<ReturnStmt>(value, 0, range);
  procedure->bodyRange = range;
  program.procedures.push_back(procedure);
  hiddenFunctions.push_back(procedure);
  return procedure;
}

} // namespace zpl::sema
