//===- LowerMLoop.h - M-loops -----------------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_LOWERMLOOP_H
#define ZPL_LIB_CODEGEN_LOWERMLOOP_H

#include "AliasInfo.h"
#include "FunctionLowering.h"
#include "llvm/ADT/SmallSet.h"
#include <map>
#include <set>

namespace zpl::codegen {

/// Lowers one M-loop into the function that is being built. While the body is
/// lowered, the function asks here for elements, indices and hoisted values.
class MLoopLowering {
public:
  MLoopLowering(FunctionLowering &function, const air::MLoopStmt &loop);
  void run();

  /// The current index in dimension \p dim, as i32.
  llvm::Value *index(unsigned dim);
  llvm::Value *readElement(const air::ElementExpr *element);
  llvm::Value *elementAddress(const air::ElementExpr *element);
  /// What was read before the loops; null if it was not.
  llvm::Value *hoisted(const air::Variable *variable) const {
    return variables.lookup(variable);
  }
  llvm::Value *hoisted(const air::Region *region, unsigned dim,
                       bool isHigh) const;
  llvm::Value *hoistedMemory(const air::Variable *variable) const {
    return memories.lookup(variable);
  }
  llvm::Value *hoistedPlace(const air::Expr *place) const {
    return places.lookup(place);
  }
  /// Says of a load from a place what it cannot touch.
  void annotate(llvm::Instruction *access, const air::Expr *place) const;

private:
  /// Walker and offset; the displacement along a contiguous row left out.
  using RowKey = std::pair<int, air::Offset>;

  /// Operations of one delay: they have inner loops of their own.
  struct Part {
    llvm::ArrayRef<air::ElementOp> ops;
    unsigned delay = 0;
    std::string name;               ///< of its blocks: "mloop.L33.after1"
    llvm::SmallSet<int, 8> walkers; ///< that it uses
    std::set<RowKey> rows;          ///< that it touches
  };

  /// What changes from step to step of one loop.
  struct LevelPhis {
    llvm::PHINode *index;
    llvm::SmallVector<llvm::PHINode *, 8> walkers;      ///< null: not moved
    llvm::SmallVector<llvm::PHINode *, 4> accumulators; ///< the same
  };

  // LowerMLoop.cpp: the nest.
  llvm::Value *clipBounds();
  void hoistScalars();
  void hoistVariable(const air::Variable *variable);
  void hoistBounds(air::Type type);
  void startAccumulators();
  void emitNest();
  void emitFrom(unsigned depth);
  void emitLevel(unsigned depth);
  void emitParts();
  void emitPart(llvm::Value *step);
  llvm::Value *partHasRow();
  LevelPhis openLevel(unsigned depth, llvm::BasicBlock *head);
  void closeLevel(unsigned depth, llvm::BasicBlock *head,
                  const LevelPhis &phis);
  void emitBody();
  void emitOp(const air::ElementOp &op);
  void finishAccumulators(llvm::BasicBlock *guard, llvm::BasicBlock *end);
  bool isInnermost(unsigned depth) const { return depth + 1 == nest.size(); }
  /// True if the loop at \p depth is around several parts.
  bool isShared(unsigned depth) const { return depth == 0 && parts.size() > 1; }

  // LowerWalkers.cpp: addresses.
  void startWalkers();
  void startWalker(unsigned walker);
  void readBumps(unsigned walker);
  void makeOffset(const air::ElementExpr *element);
  void stepBack();
  void placeRows();
  llvm::Value *pitch(unsigned walker, unsigned dim);
  llvm::Value *move(llvm::Value *pointer, llvm::Value *bytes,
                    const llvm::Twine &name);
  /// The dimension in which the innermost loop moves a walker, or -1.
  int innerDim(unsigned walker) const;
  bool isUnitStride(unsigned walker) const;
  llvm::StringRef arrayName(unsigned walker) const {
    return loop.walkers[walker].array->name;
  }
  air::Offset rowOffset(const air::ElementExpr *element) const;

  FunctionLowering &fn;
  llvm::IRBuilder<> &builder;
  const air::MLoopStmt &loop;
  std::string name; ///< "mloop.L33"
  AliasInfo aliases;

  struct NestLevel {
    const air::LoopLevel *level;
    unsigned number; ///< in MLoopStmt::levels, of Walker::bumps
  };
  /// The levels that are loops, outermost first.
  llvm::SmallVector<NestLevel, 6> nest;

  llvm::SmallVector<Part, 2> parts; ///< by delay; at least one
  Part *part = nullptr;             ///< whose loops are being made
  llvm::Value *lastStep = nullptr;  ///< of the outermost loop

  // By dimension, i64. The bounds are those of this processor's part.
  llvm::SmallVector<llvm::Value *, 6> lo, hi, current;

  // By walker.
  struct WalkerState {
    llvm::Value *descriptor;
    llvm::Value *position; ///< at the current index of the loops entered
    llvm::SmallVector<llvm::Value *, 6> pitches; ///< by dimension, when read
    /// By depth, what a step of that loop adds; null for nothing.
    llvm::SmallVector<llvm::Value *, 6> bumps;
  };
  llvm::SmallVector<WalkerState, 8> walkers;

  std::map<RowKey, llvm::Value *> offsets; ///< in bytes
  std::map<RowKey, llvm::Value *> rows;    ///< pointers

  struct Accumulator {
    air::Reduction op;
    llvm::Value *value;
    unsigned delay; ///< of the part that accumulates
  };
  llvm::MapVector<const air::Variable *, Accumulator> accumulators;
  llvm::DenseMap<const air::Variable *, llvm::Value *> variables, memories;
  llvm::DenseMap<const air::Expr *, llvm::Value *> places;
  std::map<std::tuple<const air::Region *, unsigned, bool>, llvm::Value *>
      bounds;
};

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_LOWERMLOOP_H
