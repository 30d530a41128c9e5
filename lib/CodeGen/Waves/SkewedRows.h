//===- SkewedRows.h - Several rows of an M-loop at a time -------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_WAVES_SKEWEDROWS_H
#define ZPL_LIB_CODEGEN_WAVES_SKEWEDROWS_H

#include "MLoop/MLoopState.h"

namespace zpl::codegen {

/// Makes the two innermost loops of an M-loop with skewed rows
/// (air::MLoopStmt::rows), and knows in the loop over the steps which elements
/// are in registers.
class SkewedRows {
public:
  /// What a row has stored in the steps before, the last one first.
  struct History {
    const air::ElementExpr *target; ///< any that names the array
    llvm::SmallVector<Pieces, 4> values;
    llvm::SmallVector<Phis, 4> phis;
  };
  /// \p depth: of the loop over rows.
  SkewedRows(MLoopState &nest, unsigned depth);
  /// The two loops, from the current block on; goes on in the block after.
  void emit();

  /// Number \p number of the indices of a dimension, from 0 in the order of the
  /// loop.
  llvm::Value *indexAt(unsigned dim, llvm::Value *number);

  /// Makes a row of the group current, at a column given by its index and, if
  /// steps are counted (else null), its number.
  void enterRow(unsigned row, llvm::Value *index, llvm::Value *count);

  // About the row whose body is being made.
  /// What an element holds, if that is in a register that is good in the
  /// current block; else null.
  llvm::Value *known(const air::ElementExpr *element) const;
  /// The element has been read from memory, in the current block.
  void isRead(const air::ElementExpr *element, llvm::Value *value);
  /// The element has been stored as a whole. \p value counts where carries.
  void isStored(const air::ElementExpr *element, llvm::Value *value);
  /// Whether what is stored into the array is kept in registers.
  bool carries(const air::Array *array) const {
    return carried.contains(array);
  }
  /// Whether rows carry an element of a scan along in a register each, which
  /// goes to memory behind the steps.
  bool carriesAlong(const air::Array *array) const {
    return lineCarries.contains(array);
  }

private:
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
  /// What a scan carries along in each row of the group.
  struct LineCarry {
    const air::ElementExpr *target = nullptr;
    llvm::SmallVector<Pieces, 8> values{}; ///< by row
    llvm::SmallVector<Phis, 8> phis{};
  };
  /// A value, good where \p block is; null: in the whole step.
  struct Loaded {
    llvm::Value *value;
    llvm::BasicBlock *block;
  };
  /// Where the walkers stand, by walker.
  using Positions = llvm::SmallVector<llvm::Value *, 8>;

  /// Sets `carried`: arrays of which every store is one of a whole scalar
  /// element, executed at every index, and which nothing else in the body may
  /// store.
  void findCarried();
  /// Sets `histories`: how many steps back each row's values are read.
  void findHistories();
  /// Whether the loop goes in the order of a scan.
  bool hasCarries() const;
  /// Sets `lineCarries`.
  void findLineCarries();
  /// Stores what rows have carried along to the end of the steps.
  void storeLineCarries();
  /// Where an element is, seen from the row at hand; none if no step comes
  /// there or it is not known when.
  std::optional<Place> placeOf(const air::ElementExpr *element) const;

  /// How many indices a dimension has.
  llvm::Value *countOf(unsigned dim);
  /// Bounds of the loops that are made next, in their order.
  void setRange(unsigned dim, llvm::Value *from, llvm::Value *to);
  /// The same of columns, by their numbers.
  void setColumns(llvm::Value *from, llvm::Value *to);
  /// Where they stand now.
  Positions positions() const;
  /// Puts the walkers so many rows after \p start.
  void standAt(const Positions &start, llvm::Value *rows);

  /// The loop over groups, of which there is one at least, to a jump to \p end.
  void emitGroups(llvm::Value *groups, llvm::BasicBlock *end);
  /// The group whose first row is current.
  void emitGroup();
  /// Rows one by one, from index \p from to \p to, of each the columns that \p
  /// chooseColumns sets when the row is current. The walkers stand at the first
  /// one.
  void emitRows(llvm::Value *from, llvm::Value *to,
                llvm::function_ref<void()> chooseColumns);
  /// The number of the current row, counted from \p firstRow on.
  llvm::Value *rowNumber(llvm::Value *firstRow);
  /// The steps in which all rows of the group are at work, which begins with
  /// the current row.
  void emitSteps();
  /// Finds the indices and row pointers of the group's rows.
  void placeRows();
  /// The steps from number \p from on, of which there is one at least.
  void emitStepsFrom(llvm::Value *from);
  /// Reads what the rows had stored before step \p from.
  void loadHistories(llvm::Value *from);
  /// Lets the histories be phis of the loop over steps, from \p before.
  void makePhis(llvm::BasicBlock *before);
  /// Gives them their next values: what was stored in this step comes first,
  /// what was first second.
  void closePhis(llvm::BasicBlock *latch);

public:
  // What is made, which lanes go by as well.
  MLoopState &nest;
  FunctionState &fn;
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

private:
  llvm::MapVector<const air::Array *, LineCarry> lineCarries;

  // About the current group and step.
  int64_t row = 0; ///< whose body is being made
  llvm::SmallVector<llvm::Value *, 8> rowIndices;
  llvm::SmallVector<std::map<RowKey, llvm::Value *>, 8> pointers;
  std::map<Place, Loaded> values;
};

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_WAVES_SKEWEDROWS_H
