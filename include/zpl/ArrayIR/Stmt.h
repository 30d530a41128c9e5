//===- Stmt.h - The array IR: the base of statements ------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The kinds of statements. Included through ArrayIR.h.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_ARRAYIR_STMT_H
#define ZPL_ARRAYIR_STMT_H

#include "zpl/ArrayIR/Expressions.h"
#include <vector>

namespace zpl::air {

enum class StmtKind : uint8_t {
  // Both forms.
  Set,
  SetRegion,
  DeclareRegion,
  BindArray,
  AllocArray,
  Realloc,
  FreeArray,
  AllocVariable,
  FreeVariable,
  Shift,
  Flood,
  Put,
  Fold,
  CombineArray,
  Scan,
  OperatorEnd,
  Gather,
  Scatter,
  Boundary,
  Check,
  CheckShape,
  CheckThat,
  Call,
  Combine,
  Write,
  Read,
  Builtin,
  BindIo,
  Config,
  Halt,
  MissingReturn,
  Timer,
  If,
  While,
  Repeat,
  For,
  Exit,
  Continue,
  Return,
  TransferPoint,
  Wave,
  // Block form only.
  ArrayAssign,
  Reduce,
  ReduceArray,
  ElementCall,
  // Loop form, and in a Wave.
  MLoop,
  // Loop form only.
  Interleave
};

struct Stmt {
  StmtKind kind;
  SourceRange range;

protected:
  Stmt(StmtKind kind, SourceRange range) : kind(kind), range(range) {}
};
using StmtList = std::vector<Stmt *>;

} // namespace zpl::air

#endif // ZPL_ARRAYIR_STMT_H
