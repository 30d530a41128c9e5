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

#ifndef ZPL_LIB_SEMA_NAMES_PREDECLARED_H
#define ZPL_LIB_SEMA_NAMES_PREDECLARED_H

#include "zpl/Sema/Program.h"

namespace zpl::sema {

/// Standard functions whose arguments have rules of their own.
enum class Function : uint8_t {
  Abs,
  Min,
  Max,
  MinNaN,
  MaxNaN,
  Sqr,
  Cube,
  Fabs,
  Fabsf,
  Pow,
  Powf,
  Fmod,
  Fmodf,
  Ldexp,
  Ldexpf,
  IsNaN,
  IsInf,
  IsFinite,
  BitAnd,
  BitOr,
  BitXor,
  BitNot,
  ShiftL,
  ShiftR,
  Log2Floor,
  PopCount,
  Real,
  Imag,
  Conj,
  Arg,
  Ran,
  Random,
  Uniform,
  Normal,
  Date,
  Environment,
  Arguments,
  Argument,
  Restart,
  Open,
  Eof,
  Picture,
  Shape,
  ElementType,
  NumLocales,
  LocaleID,
  CheckTimer,
  ReadTimer,
  // On strings.
  Length,
  Substring,
  Find,
  Upper,
  Lower,
  Trim,
  ToString,
  Format,
  IsInteger,
  IsDouble,
  Split,
  // On regions.
  Size,
  Lo,
  Hi,
  Stride,
  Rank,
  OwnLo,
  OwnHi,
  // On grids.
  GridProcs,
  GridProc,
  // Operators of reductions.
  Mean,
  MinLoc,
  MaxLoc,
  ArgMin,
  ArgMax,
  // Without a value.
  Close,
  Resize,
  Sort,
  Balance,
  BindRead,
  BindWrite,
  UnbindRead,
  UnbindWrite,
  ResetTimer,
  ClearTimer,
  StartTimer,
  StopTimer,
  Checkpoint,
  Assert ///< a statement of its own
};

/// What a predeclared name means.
struct Predeclared {
  enum Kind : uint8_t {
    Math,      ///< fn on type
    Function,  ///< function
    Reduction, ///< function, as the operator of a reduction
    Convert,   ///< to type
    Integer,   ///< a constant: integer of type
    Real,      ///< a constant: number of type
    Scaled,    ///< the constant (number - subtrahend) * 2^integer, a quad
    File,      ///< a standard file: integer
    Index,     ///< Indexi: dim
    Position,  ///< indexi: dim
    Processors ///< PROCESSORS
  };
  llvm::StringLiteral name;
  Kind kind;
  Type type = Type::Void;
  MathFn fn = MathFn::Sqrt;
  sema::Function function = sema::Function::Abs;
  unsigned least = 0, most = 0; ///< number of arguments: isFunction()
  int64_t integer = 0;
  double number = 0, subtrahend = 0;
  unsigned dim = 0;

  /// Whether it is called, with arguments.
  bool isFunction() const {
    return kind == Math || kind == Function || kind == Convert;
  }
  /// It works on strings.
  bool isOfStrings() const {
    return kind == Function && function >= sema::Function::Length &&
           function <= sema::Function::Split;
  }
  /// Its first argument is a region.
  bool isInquiry() const {
    return kind == Function && function >= sema::Function::Size &&
           function <= sema::Function::OwnHi;
  }
  /// Its calls are statements: of timers, files.
  bool isStmt() const {
    return kind == Function && function >= sema::Function::Close;
  }
};

/// All entries of the table.
llvm::ArrayRef<Predeclared> predeclaredNames();

/// The entry of \p name, or null.
const Predeclared *findPredeclared(llvm::StringRef name);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_NAMES_PREDECLARED_H
