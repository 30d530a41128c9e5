//===- MLoopState.h - An M-loop that is being built -------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_MLOOP_MLOOPSTATE_H
#define ZPL_LIB_CODEGEN_MLOOP_MLOOPSTATE_H

#include "Function/FunctionState.h"
#include "MLoop/LoopPlan.h"
#include "MLoop/SubscriptRanges.h"
#include "zpl/ArrayIR/TimeSteps.h"
#include "llvm/ADT/SmallSet.h"
#include <map>
#include <set>

namespace zpl::codegen {

class JoinedLoops;
class SkewedRows;

/// An innermost loop of the plan, and when it is taken.
struct Version : PlannedVersion {
  llvm::Value *when = nullptr; ///< null: always
};

/// A part of the plan, and the conditions made for it in front of the nest.
struct Part : PlannedPart {
  explicit Part(const PlannedPart &plan) : PlannedPart(plan) {}
  /// Whether its walkers move by elements; null if that is not the question.
  llvm::Value *isUnit = nullptr;
  /// As planned.
  llvm::SmallVector<Version, 3> versions{};
  /// When the last one has one for pairs before it; null: never.
  llvm::Value *pairs = nullptr;
};

/// A value that loops carry: a number, or the two of a complex one.
using Pieces = llvm::SmallVector<llvm::Value *, 2>;

/// The phis for one: a phi a piece.
using Phis = llvm::SmallVector<llvm::PHINode *, 2>;

/// A let that takes over what another one was.
struct Carried {
  const air::ElementOp *op;
  const air::Carry *carry;
  llvm::SmallVector<llvm::Value *, 2> start; ///< 1, 2 ... steps ago
  llvm::SmallVector<llvm::PHINode *, 2> phis;
};

/// The element before one that is stored, in Blend.
struct PreviousElement {
  const air::ElementExpr *own;  ///< what is stored
  llvm::Value *start;           ///< before the first index
  llvm::PHINode *phi = nullptr; ///< in the loop
  llvm::Value *next = nullptr;  ///< what it is for the next index
};

/// What changes from step to step of one loop.
struct LevelPhis {
  llvm::PHINode *index;
  llvm::PHINode *counter;                        ///< null: not counted
  llvm::SmallVector<llvm::PHINode *, 8> walkers; ///< null: not moved
  llvm::SmallVector<Phis, 4> accumulators;       ///< empty: not changed
  llvm::SmallVector<Carried, 4> carried;
};

/// A variable that is accumulated into, or an element that is kept in a
/// register during the innermost loop.
struct Accumulator {
  const air::ElementOp *op;
  Pieces value;
  llvm::Value *address = nullptr; ///< of the element
  /// Whether it is an element, not a variable.
  bool isElement() const { return !op->accumulator; }
  /// The type of what it takes in, and its own.
  air::Type type() const { return op->value->type; }
  /// The array's or variable's, for values' names.
  llvm::StringRef name() const;
};

/// The body at the indices of the loops and some more.
struct Copy {
  llvm::SmallVector<llvm::Value *, 8> bytes; ///< by walker; null: none
  llvm::SmallVector<unsigned, 6> steps;      ///< by dimension
};

/// By walker; null: not moved.
using WalkerPhis = llvm::SmallVector<llvm::PHINode *, 8>;

/// By what multiples of it are divided: shifted and multiplied, both i64.
struct Divisor {
  llvm::Value *bits = nullptr, *inverse = nullptr;
};

/// A sparse array through whose rows the loop walks beside its own
/// (Sparse/MergedRows.cpp).
struct MergedRows {
  unsigned walker;                          ///< of the contracted array
  const air::Array *array;                  ///< the sparse one
  llvm::Value *pattern, *rowCount, *starts; ///< its zrt_pattern, and tables
  llvm::SmallVector<llvm::Value *, 6> rows; ///< by dimension but the last
  llvm::Value *columns, *origin, *pitch;    ///< pitch: bytes
  llvm::AllocaInst *row, *position, *end;   ///< cells of i64: where it is
};

/// The pattern of a sparse region, and where in it the loops are.
struct PatternState {
  llvm::Value *descriptor = nullptr; ///< a zrt_pattern
  llvm::Value *starts = nullptr;     ///< null: there is no loop over rows
  /// By dimension, tables of what the loops look up; null: they do not.
  llvm::SmallVector<llvm::Value *, 6> indices, places;
  /// By dimension: the place at hand, i64, as `current` has the index.
  llvm::SmallVector<llvm::Value *, 6> place;
  /// The nest is made for patterns that are complete.
  bool isComplete = false;
  /// Then, where rows differ in one dimension, its first index; else null.
  llvm::Value *firstRow = nullptr;
  llvm::SmallVector<MergedRows, 2> merged;
  /// In a wave: the number of the visit at hand, i64.
  llvm::Value *visit = nullptr;
};

/// A walker in the function; all but the pointers are i64.
struct WalkerState {
  llvm::Value *descriptor;
  llvm::Value *origin;
  /// From the leader, in bytes; null: it is that itself, and has what
  /// follows.
  llvm::Value *distance = nullptr;
  llvm::Value *start = nullptr; ///< at the first index
  llvm::Value *position;        ///< at the current index of the loops entered
  llvm::SmallVector<llvm::Value *, 6> pitches; ///< by dimension, when read
  /// By depth, what a step of that loop adds; null for nothing.
  llvm::SmallVector<llvm::Value *, 6> bumps;
  /// By dimension and offset, that of the first index plus the offset.
  std::map<std::pair<unsigned, int64_t>, llvm::Value *> positions;
  /// By dimension, when read: strides and alignments.
  std::map<std::pair<unsigned, DimField>, llvm::Value *> dimFields;
  /// Over a sparse region, by dimension: the strides of a Strided one.
  llvm::SmallVector<Divisor, 6> divisors;
};

/// An array that is read by maps; all but the pointers are i64.
struct RemapSource {
  llvm::Value *descriptor;
  llvm::Value *origin;
  /// By dimension; null where it is flooded.
  llvm::SmallVector<llvm::Value *, 6> pitches;
  /// Of the declared region; extents are at least 0. Null where not needed:
  /// strides and alignments of dimensions that are not Strided.
  llvm::SmallVector<llvm::Value *, 6> lows, extents, strides, aligns;
};

/// The indices that the loops go through. By dimension, and of the repetitions,
/// i64.
struct LoopRange {
  /// The zrt_domain whose part of the region that is; null until it is needed.
  llvm::Value *own = nullptr;
  llvm::Value *owns = nullptr; ///< whether that has a part of it; null: it has
  /// The bounds of this processor's part, and indices of it from countSteps on.
  llvm::SmallVector<llvm::Value *, 6> lo, hi;
  llvm::SmallVector<llvm::Value *, 6> strides; ///< null: 1
  /// What a step adds to the index: the stride, negative if the loop goes down.
  llvm::SmallVector<llvm::Value *, 6> steps;
  /// In a scattered domain: by dimension the index at each place, where the
  /// body asks for it.
  llvm::SmallVector<llvm::Value *, 6> indices;
  /// The index that the loops begin with.
  llvm::SmallVector<llvm::Value *, 6> first;
  /// In tiles: the region's bounds, from the first index that it has, and how
  /// many steps from that the loops begin.
  llvm::SmallVector<llvm::Value *, 6> regionLow, regionHigh, stepsBefore;
};

/// The steps of an innermost loop that counts them, i64.
struct StepCount {
  llvm::Value *first = nullptr; ///< null: 0
  llvm::Value *last = nullptr;
  llvm::Value *now = nullptr; ///< so far, in the loop
};

/// What the innermost loop carries from step to step (LowerLets.cpp).
struct CarriedValues {
  /// What lies so many elements behind an element if carries hold; in LoadTwo,
  /// if halvesHold.
  llvm::DenseMap<const air::ElementExpr *,
                 std::pair<const air::ElementExpr *, int64_t>>
      neighbours;
  /// What startCarries has found, until the loop is opened.
  llvm::SmallVector<Carried, 4> starting;
  /// In the loop, what lets take over.
  llvm::DenseMap<const air::ElementOp *, llvm::Value *> values;
};

/// What is read in front of the loops (LowerBounds.cpp), and lets.
struct HoistedValues {
  /// Values of scalars, addresses of aggregates.
  llvm::DenseMap<const air::Variable *, llvm::Value *> variables, memories;
  /// Values of parts of variables.
  llvm::DenseMap<const air::Expr *, llvm::Value *> places;
  std::map<std::tuple<const air::Region *, unsigned, air::BoundExpr::Which>,
           llvm::Value *>
      bounds;
  SubscriptRanges subscripts; ///< tested for the whole loop
};

/// The indices of the iterations of an M-loop with time steps, which may lie
/// beside the own block. By dimension, i64.
struct StepRanges {
  air::StepReach reach;
  llvm::SmallVector<llvm::Value *, 6> low, high; ///< of all iterations
  /// Of the region and of the own block, where they may lie beside that.
  llvm::SmallVector<llvm::Value *, 6> regionLow, regionHigh, ownLow, ownHigh;
  /// The rows of the iteration at hand.
  llvm::Value *firstRow = nullptr, *lastRow = nullptr;
};

/// The rows of contracted arrays that M-loops in strips share.
struct StripLines {
  llvm::Value *rows = nullptr; ///< of each array, i64, a power of two
  llvm::DenseMap<const air::Array *, llvm::Value *> origins;
};

/// What is known while one M-loop is lowered into the function that is being
/// built. While the body is lowered, FunctionState::mloop points here, for
/// elements, indices and hoisted values.
struct MLoopState {
  /// \p isTiled: the loop is for tiles of this processor's block. Then
  /// `prepare` comes first, in front of all of them, and `clip` in each.
  /// \p aliases: of several loops that are made into one; null: of this one.
  MLoopState(FunctionState &function, const air::MLoopStmt &loop,
             bool isTiled = false, const AliasInfo *aliases = nullptr);

  FunctionState &fn;
  llvm::IRBuilder<> &builder;
  const air::MLoopStmt &loop;
  std::string name; ///< "mloop.L33"
  AliasInfo aliases;
  const LoopPlan plan;

  bool inStrips = false; ///< LowerStrips.cpp
  StripLines stripLines;
  llvm::SmallVector<Part, 2> parts; ///< by delay; at least one
  Part *part = nullptr;             ///< whose loops are being made
  llvm::Value *lastStep = nullptr;  ///< of the outermost loop
  /// Time steps, i64 (LowerTimeSteps.cpp): how many; null: the loop has none.
  llvm::Value *iterations = nullptr;
  StepRanges steps;
  /// Of the one at hand, i1: whether its number is odd; whether what is new must
  /// be copied to arrays with which rows take turns.
  llvm::Value *isOdd = nullptr, *copies = nullptr;
  llvm::Value *streams = nullptr; ///< whether results do; null: they do not
  /// Which way this execution takes, i32; null: there is one (LowerWays.cpp).
  llvm::Value *way = nullptr;
  llvm::Value *isMeasured = nullptr; ///< whether the run times it, i1
  llvm::Value *indices = nullptr;    ///< of this processor, i64
  llvm::Constant *ways = nullptr;    ///< the zrt_ways
  /// PlannedVersion::way of what is being made.
  std::optional<air::LoopWay> madeWay;

  LoopRange range;
  PatternState pattern; ///< over a sparse region
  /// By dimension, and of the repetitions: the index at hand, i64. Over a
  /// sparse region then also the number of the row and the position.
  llvm::SmallVector<llvm::Value *, 6> current;
  static constexpr unsigned TailVector = 8;
  bool isTail = false; ///< the innermost loop at hand: vectors of TailVector
  StepCount count;
  SkewedRows *skewed = nullptr; ///< while steps of several rows are made

  llvm::SmallVector<WalkerState, 8> walkers;
  llvm::DenseMap<const air::Array *, RemapSource> remapped;
  /// The nest is made in which each index of the innermost level has a copy of
  /// the body: these; null: another one is.
  const air::LikelyBounds *few = nullptr;
  InnerStrides inner =
      InnerStrides::Any;      ///< Version::inner of what is being made
  unsigned carriedStride = 0; ///< Version::stride of what is being made
  bool ofShortRows = false; ///< it is not the Version::ofLongRows that there is
  llvm::SmallVector<PreviousElement, 2>
      behind; ///< of the loop in Blend at hand
  CarriedValues carries;

  std::map<RowKey, llvm::Value *> offsets; ///< in bytes
  std::map<RowKey, llvm::Value *> rows;    ///< pointers

  /// By variable or, of elements, by operation.
  llvm::MapVector<const void *, Accumulator> accumulators;
  HoistedValues hoisted;
};

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_MLOOP_MLOOPSTATE_H
