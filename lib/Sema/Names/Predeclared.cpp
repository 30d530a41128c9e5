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
// The table is in the order of the .def file, grouped by topic; a hash table
// made at the first question finds names in it.
//
//===----------------------------------------------------------------------===//

#include "Names/Predeclared.h"

#include "llvm/ADT/StringMap.h"

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

constexpr Predeclared mathRow(llvm::StringLiteral name, Type type, MathFn fn) {
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
  mathRow(#name, Type::Double, MathFn::Fn),                                    \
      mathRow(#name "f", Type::Float, MathFn::Fn),
#define ZPL_FUNCTION(name_, Id, least_, most_)                                 \
  {.name = #name_,                                                             \
   .kind = Predeclared::Function,                                              \
   .function = Function::Id,                                                   \
   .least = least_,                                                            \
   .most = most_},
#define ZPL_REDUCTION(name_, Id)                                               \
  {.name = #name_, .kind = Predeclared::Reduction, .function = Function::Id},
#define ZPL_INTEGER(name_, Kind, value)                                        \
  {.name = #name_,                                                             \
   .kind = Predeclared::Integer,                                               \
   .type = Type::Kind,                                                         \
   .integer = value},
#define ZPL_REAL(name_, Kind, value)                                           \
  {.name = #name_,                                                             \
   .kind = Predeclared::Real,                                                  \
   .type = Type::Kind,                                                         \
   .number = value},
#define ZPL_CONVERT(name_, Kind)                                               \
  {.name = #name_,                                                             \
   .kind = Predeclared::Convert,                                               \
   .type = Type::Kind,                                                         \
   .least = 1,                                                                 \
   .most = 1},
#define ZPL_SCALED(name_, a, b, e)                                             \
  {.name = #name_,                                                             \
   .kind = Predeclared::Scaled,                                                \
   .type = Type::Quad,                                                         \
   .integer = e,                                                               \
   .number = a,                                                                \
   .subtrahend = b},
#define ZPL_FILE(name_, number)                                                \
  {.name = #name_,                                                             \
   .kind = Predeclared::File,                                                  \
   .type = Type::File,                                                         \
   .integer = number},
#define ZPL_POSITION(name_, dim_)                                              \
  {.name = #name_, .kind = Predeclared::Position, .dim = dim_},
#define ZPL_INDEX(name_, dim_)                                                 \
  {.name = #name_, .kind = Predeclared::Index, .dim = dim_},
#define ZPL_PROCESSORS(name_) {.name = #name_, .kind = Predeclared::Processors},
#include "Names/Predeclared.def"
};

} // namespace

llvm::ArrayRef<Predeclared> predeclaredNames() { return Table; }

const Predeclared *findPredeclared(llvm::StringRef name) {
  static const llvm::StringMap<const Predeclared *> rows = [] {
    llvm::StringMap<const Predeclared *> made;
    for (const Predeclared &row : Table)
      made.try_emplace(row.name, &row);
    return made;
  }();
  return rows.lookup(name);
}

} // namespace zpl::sema
