//===- RandomNumbers.cpp - Numbers of a distribution ----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     normal(s, i)    sqrt(-2 * log(1 - u)) * cos(2 * PI * v)
//
// by Box and Muller ("A note on the generation of random normal deviates",
// 1958), where u and v are the two uniform numbers of the same place (Philox
// makes both at once). They are in [0, 1), so that 1 - u is no zero. The place is
// used twice; what may not be evaluated twice makes it the arguments of a
// function that is made here.
//
//===----------------------------------------------------------------------===//

#include "Arithmetic/RandomNumbers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace zpl::sema {

static const Expr *boxMuller(Checking &c, llvm::ArrayRef<const Expr *> place,
                             SourceRange range) {
  auto number = [&](double value) {
    return c.build.number(value, Type::Double, range);
  };
  auto times = [&](double factor, const Expr *value) {
    return c.build.binary(BinaryOp::Mul, number(factor), value, range);
  };
  auto function = [&](MathFn fn, llvm::ArrayRef<const Expr *> args) {
    return c.build.math(fn, args, Type::Double, range);
  };
  const Expr *rest = c.build.binary(BinaryOp::Sub, number(1),
                                    function(MathFn::Uniform, place), range);
  const Expr *radius =
      function(MathFn::Sqrt, times(-2, function(MathFn::Log, rest)));
  const Expr *angle =
      times(6.283185307179586, function(MathFn::Uniform2, place));
  return c.build.binary(BinaryOp::Mul, radius, function(MathFn::Cos, angle),
                        range);
}

/// `procedure normal(p1: longint; p2, p3, p4, p5: uinteger): double`, inline.
static Procedure *normalFunction(Checking &c,
                                 llvm::ArrayRef<const Expr *> place,
                                 SourceRange range) {
  for (Procedure *made : c.made.functions)
    if (made->name == "normal")
      return made;
  auto *procedure = c.program.make<Procedure>("normal", range);
  llvm::SmallVector<const Expr *, 5> formals;
  for (auto [i, value] : llvm::enumerate(place)) {
    auto *formal =
        c.program.make<Variable>(llvm::formatv("p{0}", i + 1).str(), range);
    formal->type = value->type;
    formal->storage = Storage::Param;
    procedure->params.push_back(formal);
    formals.push_back(c.program.make<VariableExpr>(formal, range));
  }
  procedure->result = Type::Double;
  procedure->body =
      c.program.make<ReturnStmt>(boxMuller(c, formals, range), 0, range);
  procedure->bodyRange = range;
  c.program.procedures.push_back(procedure);
  c.made.functions.push_back(procedure);
  return procedure;
}

const Expr *normalNumber(Checking &c, llvm::ArrayRef<const Expr *> place,
                         SourceRange range) {
  if (llvm::all_of(place, Builder::isLight))
    return boxMuller(c, place, range);
  auto *call = c.program.make<CallExpr>(normalFunction(c, place, range), range);
  call->args.assign(place.begin(), place.end());
  call->copies.assign(place.size(), false);
  Builder::inherit(*call, place);
  return call;
}

} // namespace zpl::sema
