//===- SkewedRows.h - Several rows of an M-loop at a time -------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_MLOOP_SKEWEDROWS_H
#define ZPL_LIB_CODEGEN_MLOOP_SKEWEDROWS_H

#include "MLoop/LowerMLoop.h"

namespace zpl::codegen {

/// Makes the two innermost loops of an M-loop with skewed rows
/// (air::MLoopStmt::rows), and knows in the loop over the steps which elements
/// are in registers.
class SkewedRows {
public:
  /// \p depth: of the loop over rows.
  SkewedRows(MLoopLowering &nest, unsigned depth);
  /// From the current block on; goes on in the block after.
  void emit();

  // About the row whose body is being made.
  /// What an element holds, if that is in a register; else null.
  llvm::Value *known(const air::ElementExpr *element) const;
  /// The element has been read, or stored as a whole.
  void isRead(const air::ElementExpr *element, llvm::Value *value);
  void isStored(const air::ElementExpr *element, llvm::Value *value);
  /// Whether what is stored into the array is kept in registers.
  bool carries(const air::Array *array) const {
    return carried.contains(array);
  }

private:
  using Pieces = MLoopLowering::Pieces;
  using Phis = MLoopLowering::Phis;

  /// An element relative to the step: in a row of the group, so many columns
  /// from the one that this row is at.
  struct Place {
    const air::Array *array;
    int64_t row, age;
    bool operator<(const Place &other) const {
      return std::tie(array, row, age) <
             std::tie(other.array, other.row, other.age);
    }
  };
  /// What a row has stored in the steps before, the last one first.
  struct History {
    const air::ElementExpr *target; ///< any that names the array
    llvm::SmallVector<Pieces, 4> values;
    llvm::SmallVector<Phis, 4> phis;
  };
  /// A value, good where \p block is; null: in the whole step.
  struct Loaded {
    llvm::Value *value;
    llvm::BasicBlock *block;
  };
  /// Where the walkers stand, by walker.
  using Positions = llvm::SmallVector<llvm::Value *, 8>;

  void findCarried();
  void findHistories();
  std::optional<Place> placeOf(const air::ElementExpr *element) const;

  llvm::Value *countOf(unsigned dim);
  llvm::Value *indexAt(unsigned dim, llvm::Value *number);
  void setRange(unsigned dim, llvm::Value *from, llvm::Value *to);
  void setColumns(llvm::Value *from, llvm::Value *to);
  Positions positions() const;
  void standAt(const Positions &start, llvm::Value *rows);

  void emitGroups(llvm::Value *groups, llvm::BasicBlock *end);
  void emitGroup();
  void emitRows(llvm::Value *from, llvm::Value *to,
                llvm::function_ref<void()> chooseColumns);
  llvm::Value *rowNumber(llvm::Value *firstRow);
  void emitSteps();
  void placeRows();
  void enterRow(unsigned row, llvm::Value *index, llvm::Value *count);
  void loadHistories();
  void makePhis(llvm::BasicBlock *before);
  void closePhis(llvm::BasicBlock *latch);

  MLoopLowering &nest;
  FunctionLowering &fn;
  llvm::IRBuilder<> &builder;
  const unsigned depth;
  const unsigned rowDim, columnDim;
  const int64_t rows, skew;
  /// Steps before all rows of a group are at work.
  const int64_t lead;
  /// Indices in the two dimensions, and the ends of them in the order of the
  /// loops.
  llvm::Value *rowCount = nullptr, *columnCount = nullptr;
  llvm::Value *firstRow = nullptr, *lastRow = nullptr;
  llvm::Value *firstColumn = nullptr, *lastColumn = nullptr;

  /// Arrays whose stored values are kept.
  llvm::SmallSet<const air::Array *, 4> carried;
  std::map<std::pair<const air::Array *, int64_t>, History> histories;

  // About the current group and step.
  int64_t row = 0; ///< whose body is being made
  llvm::SmallVector<llvm::Value *, 8> rowIndices;
  llvm::SmallVector<std::map<MLoopLowering::RowKey, llvm::Value *>, 8> pointers;
  std::map<Place, Loaded> values;
};

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_MLOOP_SKEWEDROWS_H
