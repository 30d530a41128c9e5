//===- Predeclared.h - Predeclared names ------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The outermost scope as a table.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_SEMA_PREDECLARED_H
#define ZPL_SEMA_PREDECLARED_H

#include "zpl/Sema/Program.h"

namespace zpl::sema {

/// Standard functions whose arguments have rules of their own.
enum class Function : uint8_t {
  Abs,
  Min,
  Max,
  Sqr,
  Cube,
  Fabs,
  Fabsf,
  Pow,
  Powf,
  Fmod,
  Fmodf,
  BitAnd,
  BitOr,
  BitXor,
  BitNot,
  ShiftL,
  ShiftR,
  ToBoolean,
  ToInteger,
  ToLongint,
  ToFloat,
  ToDouble,
  NumLocales,
  ResetTimer,
  CheckTimer,
  ClearTimer,
  StartTimer,
  StopTimer,
  ReadTimer
};

/// What a predeclared name means.
struct Predeclared {
  enum Kind : uint8_t {
    Math,       ///< fn on type
    Function,   ///< function
    Integer,    ///< a constant: integer of type
    Real,       ///< a constant: number of type
    Index,      ///< dim
    Processors, ///< PROCESSORS
    Later       ///< not supported yet
  };
  llvm::StringLiteral name;
  Kind kind;
  ScalarType type = ScalarType::Void;
  MathFn fn = MathFn::Sqrt;
  sema::Function function = sema::Function::Abs;
  unsigned least = 0, most = 0; ///< number of arguments: Math, Function
  int64_t integer = 0;
  double number = 0;
  unsigned dim = 0;

  bool isFunction() const { return kind == Math || kind == Function; }
  /// A call that changes a timer: a statement.
  bool isTimerStmt() const;
};

llvm::ArrayRef<Predeclared> predeclaredNames();

/// The entry of \p name, or null.
const Predeclared *findPredeclared(llvm::StringRef name);

} // namespace zpl::sema

#endif // ZPL_SEMA_PREDECLARED_H
