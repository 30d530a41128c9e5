//===- Predeclared.cpp - Predeclared names --------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One row per name, made from Predeclared.def: `sqrtf` is
//
//     {"sqrtf", Math, Float, MathFn::Sqrt, ..., 1, 1}
//
// Names are looked up here only when no scope of the program has them, so the
// table is searched from front to back.
//
//===----------------------------------------------------------------------===//

#include "Predeclared.h"

#include <limits>

namespace zpl::sema {

namespace {

constexpr unsigned arityOf(MathFn fn) {
  constexpr unsigned arities[] = {
#define AIR_MATH(Id, text, arity) arity,
#include "zpl/ArrayIR/Ops.def"
  };
  return arities[static_cast<unsigned>(fn)];
}

constexpr Predeclared mathRow(llvm::StringLiteral name, ScalarType type,
                              MathFn fn) {
  unsigned arity = arityOf(fn);
  return {.name = name,
          .kind = Predeclared::Math,
          .type = type,
          .fn = fn,
          .least = arity,
          .most = arity};
}

constexpr Predeclared Table[] = {
#define ZPL_MATH(name, Fn)                                                     \
  mathRow(#name, ScalarType::Double, MathFn::Fn),                              \
      mathRow(#name "f", ScalarType::Float, MathFn::Fn),
#define ZPL_FUNCTION(name_, Id, least_, most_)                                 \
  {.name = #name_,                                                             \
   .kind = Predeclared::Function,                                              \
   .function = Function::Id,                                                   \
   .least = least_,                                                            \
   .most = most_},
#define ZPL_INTEGER(name_, Type, value)                                        \
  {.name = #name_,                                                             \
   .kind = Predeclared::Integer,                                               \
   .type = ScalarType::Type,                                                   \
   .integer = value},
#define ZPL_REAL(name_, Type, value)                                           \
  {.name = #name_,                                                             \
   .kind = Predeclared::Real,                                                  \
   .type = ScalarType::Type,                                                   \
   .number = value},
#define ZPL_INDEX(name_, dim_)                                                 \
  {.name = #name_, .kind = Predeclared::Index, .dim = dim_},
#define ZPL_PROCESSORS(name_) {.name = #name_, .kind = Predeclared::Processors},
#define ZPL_LATER(name_) {.name = #name_, .kind = Predeclared::Later},
#include "Predeclared.def"
};

} // namespace

bool Predeclared::isTimerStmt() const {
  using F = sema::Function;
  return kind == Function &&
         (function == F::ResetTimer || function == F::ClearTimer ||
          function == F::StartTimer || function == F::StopTimer);
}

llvm::ArrayRef<Predeclared> predeclaredNames() { return Table; }

const Predeclared *findPredeclared(llvm::StringRef name) {
  for (const Predeclared &row : Table)
    if (row.name == name)
      return &row;
  return nullptr;
}

} // namespace zpl::sema
