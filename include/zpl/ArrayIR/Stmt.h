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
#define AIR_STMT(Kind, Group) Kind,
#include "zpl/ArrayIR/Kinds.def"
};

/// What all kinds of a group have in common, for questions about where a
/// statement may stand and what is executed after it.
enum class StmtGroup : uint8_t {
  Scalar,      ///< sets or checks scalars: in scalar procedures, too
  Memory,      ///< of variables on the heap: in scalar procedures, too
  Array,       ///< makes, moves, combines, checks arrays or regions
  Elements,    ///< Block form only: computes elements
  ElementCall, ///< Block form only: calls a procedure for elements
  Sweep,       ///< Loop form, and in a Wave: an MLoop
  Sweeps,      ///< Loop form only: MLoops in turn or in strips
  Wave,        ///< a Wave
  Boxes,       ///< a Boxes
  Call,        ///< of a procedure: in scalar procedures, too
  Runtime,     ///< input, output, timers, and what changes arrays unseen
  Branch, ///< has lists, and goes on behind them: in scalar procedures, too
  Leave   ///< goes on elsewhere or ends the run: in scalar procedures, too
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
