//===- FunctionState.h - A function that is being built ---------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_FUNCTION_FUNCTIONSTATE_H
#define ZPL_LIB_CODEGEN_FUNCTION_FUNCTIONSTATE_H

#include "ModuleLowering.h"
#include "ScalarOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/IR/IRBuilder.h"
#include <map>
#include <set>

namespace zpl::codegen {

struct MLoopState;
class SkewedRows;

/// An element that a call gets by reference in a cell of its own.
struct ElementCopy {
  const air::Expr *element;
  llvm::Value *place, *cell; ///< their addresses
};

/// A dimension of a region; all are i64.
struct Dim {
  llvm::Value *lo, *hi, *stride, *align;
};

/// Where `exit` and `continue` go in a loop of the program.
struct LoopTargets {
  llvm::BasicBlock *exit, *next;
};

/// What statements in a row that change no variable have computed of elements
/// of indexed arrays (LowerAggregates.cpp).
struct SharedPlaces {
  /// By the text, and whether subscripts were checked.
  std::map<std::pair<std::string, bool>, llvm::Value *> elements;
  llvm::DenseMap<const air::Variable *, llvm::Value *> bounds;
  llvm::DenseMap<std::pair<const air::TypeInfo *, unsigned>, llvm::Value *>
      extents;
  /// Lower and upper bound, and a subscript between.
  std::set<std::array<llvm::Value *, 3>> inside;
};

/// The index at hand of a `where each`, outside of M-loops.
struct EachIndex {
  /// How elements of an array are found that all positions count from 0.
  struct Elements {
    llvm::Value *origin;
    llvm::SmallVector<llvm::Value *, 6> pitches; ///< null: flooded
  };
  llvm::SmallVector<llvm::Value *, 6> index; ///< by dimension, i32
  /// Values of scalars that were read before.
  llvm::DenseMap<const air::Variable *, llvm::Value *> variables;
  std::map<const air::Array *, Elements> arrays; ///< that are read
};

/// The visits of a wave over a sparse region (zrt_visits).
struct PatternVisits {
  llvm::Value *first = nullptr, *end = nullptr; ///< i64
  llvm::Value *order = nullptr;                 ///< the table of positions
  /// By array that is pushed to: the table of readers.
  llvm::DenseMap<const air::Array *, llvm::Value *> readers;
};

/// What is known while the body of one procedure is lowered. Each group of
/// nodes has a file of its own with functions over it, which emit at the
/// builder's insertion point and leave that after what they have emitted.
struct FunctionState {
  /// \p function has no blocks; it gets its entry, at which the builder stands.
  /// All must live as long as this.
  FunctionState(ModuleLowering &module, const air::Procedure &procedure,
                llvm::Function *function);

  ModuleLowering &module;
  const TypeLowering &types;
  RuntimeCalls &calls;
  const air::Procedure &procedure;
  llvm::Function *function;
  llvm::IRBuilder<> builder;
  ScalarOps ops;

  /// Cells of variables, descriptors of regions and arrays; locals and
  /// parameters only.
  llvm::DenseMap<const void *, llvm::Value *> addresses;
  /// The zrt_shift tables of transfers.
  llvm::DenseMap<const air::Transfer *, llvm::Value *> shiftTables;
  /// The cells of variables whose combination is split, and of results of split
  /// operators.
  llvm::DenseMap<const void *, llvm::AllocaInst *> splits;
  /// Arrays that may share storage because statements make one of the other.
  llvm::EquivalenceClasses<const air::Array *> storages;
  /// What makes an array that is made by one shift.
  llvm::DenseMap<const air::Array *, const air::ShiftStmt *> shifts;
  llvm::SmallVector<llvm::AllocaInst *, 2> streamBuffers;
  llvm::AllocaInst *lastAlloca = nullptr;
  llvm::Value *resultAddress = nullptr; ///< where an aggregate result goes

  llvm::SmallVector<LoopTargets, 4> loops; ///< around the current statement

  SharedPlaces shared;
  bool sharesPlaces = false; ///< the current statement is one of these

  MLoopState *mloop = nullptr;     ///< while its body is lowered
  const EachIndex *each = nullptr; ///< while its condition is lowered
  /// While the M-loop of a wave over a sparse region is.
  const PatternVisits *visits = nullptr;
  /// Values of the shared parts of the expression that is being lowered.
  llvm::DenseMap<const air::Expr *, llvm::Value *> values;
  unsigned exprDepth = 0;
  bool isBinding = false; ///< subscripts are checked whatever the options
};

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_FUNCTION_FUNCTIONSTATE_H
