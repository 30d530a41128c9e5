//===- LaneRows.h - Rows of an M-loop as lanes ------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_WAVES_LANEROWS_H
#define ZPL_LIB_CODEGEN_WAVES_LANEROWS_H

#include "Waves/SkewedRows.h"
#include "Waves/Transpose.h"

namespace zpl::codegen {

/// Makes the steps in which all rows of a group are at work, in blocks of
/// several, with vectors that have a lane for each row.
class LaneRows {
public:
  /// \p group: its rows are placed. Must live as long as this.
  explicit LaneRows(SkewedRows &group);
  /// Whether the loop can be made so.
  bool isPossible() const;
  /// As many whole blocks of steps as there are, from step `lead` on; goes on
  /// behind them. Returns the first step that is left.
  llvm::Value *emit();

private:
  /// An array and an offset.
  using ElementKey = std::pair<const air::Array *, air::Offset>;

  llvm::FixedVectorType *vectorOf(llvm::Type *type) const {
    return llvm::FixedVectorType::get(type, unsigned(group.rows));
  }
  /// Makes row \p row current, in step \p step of the block.
  void enter(unsigned row, unsigned step);
  /// One value in all lanes.
  llvm::Value *splat(llvm::Value *value);
  /// What is in memory as values: booleans are bytes there.
  llvm::Value *fromMemory(air::Type type, llvm::Value *loaded);

  /// What rows had stored before the first step, by array and age.
  void loadHistories();
  void makePhis(llvm::BasicBlock *before);
  void closePhis(llvm::BasicBlock *latch);

  /// The operations of one step, of all rows.
  void emitStep();
  void emitOp(const air::ElementOp &op);
  llvm::Value *lower(const air::Expr *expr);
  llvm::Value *lowerNode(const air::Expr *expr);
  llvm::Value *indexOf(unsigned dim, bool isWide);

  llvm::Value *read(const air::ElementExpr *element);
  /// What has been stored \p age steps ago \p back rows before.
  llvm::Value *stored(const air::ElementExpr *element, int64_t back,
                      int64_t age);
  /// From memory, in vectors of columns, which are transposed.
  llvm::Value *readBlock(const air::ElementExpr *element);
  /// Of an array with one row for all rows of the group, lanes from memory.
  llvm::Value *readShared(const air::ElementExpr *element);
  /// Of an array that the steps do not move, in front of them.
  llvm::Value *readStanding(const air::ElementExpr *element);
  /// The address of the columns of a block in a row, in ascending order.
  llvm::Value *blockAddress(const air::ElementExpr *element, unsigned row);
  /// Stores what the steps of the block have made.
  void storeBlocks();

  SkewedRows &group;
  MLoopState &nest;
  llvm::IRBuilder<> &builder;
  const bool isDown;    ///< through the columns
  const unsigned width; ///< steps in a block

  llvm::Value *number = nullptr; ///< of the block's first step
  unsigned step = 0;             ///< in the block
  llvm::BasicBlock *front = nullptr;
  llvm::MapVector<const air::Array *, llvm::SmallVector<llvm::Value *, 4>>
      histories;
  llvm::MapVector<const air::Array *, llvm::SmallVector<llvm::PHINode *, 4>>
      phis;
  /// By array what this step has stored.
  std::map<const air::Array *, llvm::Value *> now;
  std::map<ElementKey, VectorBlock> blocks;
  std::map<ElementKey, llvm::Value *> standing;
  /// By array, for the stores at the end.
  llvm::MapVector<const air::Array *,
                  std::pair<const air::ElementExpr *, VectorBlock>>
      results;
  llvm::DenseMap<const air::Expr *, llvm::Value *> known; ///< in an operation
};

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_WAVES_LANEROWS_H
