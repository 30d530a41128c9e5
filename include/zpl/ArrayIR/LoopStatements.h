//===- LoopStatements.h - The array IR: M-loops -----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// M-loops, and the statements around them. Included through ArrayIR.h, which
/// says what they mean.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_ARRAYIR_LOOPSTATEMENTS_H
#define ZPL_ARRAYIR_LOOPSTATEMENTS_H

#include "zpl/ArrayIR/Communication.h"
#include <vector>

namespace zpl::air {

/// Where else the value of a Let comes from: it is what `source`, a Let before
/// it in the part, was some steps of the innermost loop ago.
struct Carry {
  Variable *source;
  unsigned back = 1; ///< steps, at least 1
  /// Where the distance of a step is known to the run only: this holds if it is
  /// so many positions, as far as can be told (docs/ArrayIR.md). At least 1.
  unsigned stride = 1;
};

/// One step of an M-loop's body.
struct ElementOp {
  enum Kind : uint8_t {
    Store,      ///< target element = value
    Accumulate, ///< accumulator = op(accumulator, value), or the target element
                ///< = op(target element, value) where accumulator is null
    Call,       ///< a scalar procedure; value is a CallExpr
    Let         ///< `variable` is value, for the later operations of the part
  } kind = Store;
  /// Store, Accumulate: a place that starts from an unshifted element, but for
  /// what a wave over a sparse region pushes (WaveStmt). An
  /// Accumulate's array may be flooded where the region is not: a partial
  /// reduction's.
  const Expr *target = nullptr;
  Variable *accumulator = nullptr;
  Variable *variable = nullptr;        ///< Let
  llvm::SmallVector<Carry, 1> carries; ///< Let; each of another stride
  Reduction op = Reduction::Sum;
  const Expr *value = nullptr;
  bool accumulates = false; ///< Call: as ElementCallStmt's
  /// Accumulate, over a sparse region: each row of it has an element of its own,
  /// which starts as the identity of the operator if `complete` is 1 of the
  /// region, whatever it was. Printed `accumulate anew`.
  bool anew = false;
  /// Store: where the part is large, the elements go to memory past the caches.
  /// Printed `stream` instead of `store`.
  bool streams = false;
  /// A Bool: the operation is executed, and its value evaluated, only where it
  /// is true. Null: everywhere.
  const Expr *guard = nullptr;
  SourceRange range;
  unsigned delay = 0; ///< in steps of the outermost loop; never decreases
};

/// Bounds that a processor's part of a dimension probably has.
struct LikelyBounds {
  int64_t lo, hi; ///< lo <= hi
};

/// One loop level of an M-loop, outermost first.
struct LoopLevel {
  unsigned dim;
  bool flat; ///< a singleton or flooded dimension: one index, no loop
  bool down; ///< from the high end
  /// For each of these CodeGen makes code for each index, and a loop for when
  /// the bounds are others.
  llvm::SmallVector<LikelyBounds, 1> likely{};
  /// The repetitions, not a dimension; `dim` is the rank then.
  bool isTimes = false;
  /// So many indices at a time are taken to the innermost loop, in their order.
  unsigned unroll = 1;
  /// So many of its indices are taken through the loops before the next ones:
  /// there is a loop over such tiles around the nest, in the order of the
  /// levels. 0: all.
  unsigned tile = 0;
  static constexpr unsigned MaxUnroll = 16, MaxTile = 65536;
};

/// A pointer that walks through one array: it stands at the current index and
/// its bumper for a loop level adds the array's pitch in that level's
/// dimension. Elements at an offset are read relative to it.
struct Walker {
  Array *array;
  /// Per loop level the dimension whose pitch the bumper adds, -1 for none (a
  /// flat level, or a dimension that the array floods).
  llvm::SmallVector<int, 6> bumps;
};

/// Iterations of the `for` around an M-loop that it executes itself, each some
/// rows behind the one before (TimeSteps.h).
struct TimeSteps {
  /// How many the loop may execute, at least 1; an I64. Null: it has none.
  const Expr *most = nullptr;
  /// Becomes how many it has executed, from 1 to `most`: an I64 of the
  /// procedure.
  Variable *taken = nullptr;
  /// Steps of the outermost loop between two iterations.
  unsigned lag = 0;
  /// The variable of the `for`, of an integer type, whose value in each
  /// iteration is `by` more than in the one before; null: the body reads none.
  Variable *clock = nullptr;
  int64_t by = 0;
  /// An array, and one contracted to rows that takes turns with it: what the
  /// delayed operation `store first, second` would copy stays there, to be read
  /// in the first one's stead by the next iteration, which stores where that
  /// would have read.
  llvm::SmallVector<std::pair<Array *, Array *>, 2> swaps;
  /// The loop is all points of these transfers, over its region and of elements
  /// that it reads. Before several iterations the run brings at once what they
  /// need; one is preceded by the points.
  llvm::SmallVector<Transfer *, 1> brings;
  /// Bit d: beyond the region's ends in dimension d its other ends come. The loop
  /// executes several iterations, or none where that does not pay or the arrays
  /// have no room for it: then `taken` is 0.
  uint32_t wraps = 0;
  static constexpr unsigned MaxLag = 32;
};

/// How an M-loop may be executed otherwise than it is by the models' choice,
/// with the same bytes as the result.
enum class LoopWay : uint8_t {
#define ZPL_LOOP_WAY(member, name, text) member, ///< text
#include "zpl/ArrayIR/LoopWays.def"
};

/// Its name in the text of the array IR and at run time: "ahead".
llvm::StringRef nameOf(LoopWay way);

/// A loop nest over the indices of `region` that this processor owns. Loop
/// form. Accumulators start at their identity before the loop and are local to
/// this processor after it (a CombineStmt follows). Operations of one delay
/// form a part; docs/ArrayIR.md, "The two forms", says in which order all runs.
struct MLoopStmt : Stmt {
  Region *region;
  /// `awaits(%t)`: the loop is the DN of these transfers, and executes first
  /// those indices, in boxes, that need none of what they bring. Their regions
  /// have the shape of `region`; then the order of indices in different boxes
  /// is any.
  llvm::SmallVector<Transfer *, 1> awaits;
  llvm::SmallVector<LoopLevel, 6> levels;
  std::vector<Walker> walkers; ///< empty before materialize-walkers
  std::vector<ElementOp> body;
  /// The two innermost loops work on so many rows at a time, each `skew` steps
  /// after the one before it (SkewedRows.h).
  unsigned rows = 1, skew = 0;
  /// These rows are the lanes of vectors (LaneRows.h).
  bool inLanes = false;
  static constexpr unsigned MaxRows = 16, MaxSkew = 16;
  /// How often the body is executed for each index, at least once; an I64 that
  /// does not change in the loop. One of the levels is that of the repetitions
  /// then; the elements of panels are those of the repetition. Null: once.
  const Expr *times = nullptr;
  TimeSteps time;
  /// `ahead {@A: (1,0)}`: rows of arrays that the body reads, whose memory is
  /// worth being asked for before the loop comes there. 0 in the dimension of
  /// the innermost level.
  llvm::SmallVector<std::pair<Array *, Offset>, 4> ahead;
  /// `ways(ahead, afresh)`: the code has these ways as well, and the run may
  /// take one of them.
  llvm::SmallVector<LoopWay, 3> ways;
  static constexpr unsigned MaxWays = 3;
  MLoopStmt(Region *region, SourceRange range)
      : Stmt(StmtKind::MLoop, range), region(region) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::MLoop; }
};

/// A wavefront (language 8.6; Lewis and Snyder, "Pipelining wavefront
/// computations"): executes `body`, one M-loop over `tile`, for tiles that make
/// up this processor's part of `region`, one after the other. What the M-loop
/// stores into the arrays of `primed` is there for its reads at these offsets,
/// whichever processor stores it. In both forms.
///
/// `order` says in which order tiles and processors come: all dimensions,
/// counted from 1, the first of them varying slowest; downward if negative. The
/// first `steps` of them are taken index by index. In an offset of `primed`, or
/// the opposite of one at which what was there before is read, the first
/// component in this order that is not 0 points against the traversal; and if
/// that is none of the steps, no component of the others points along it.
///
/// Over a sparse region `tile` is the region itself from the pass `sparse` on.
/// Then the M-loop, upward in its text, takes the stored indices in the order of
/// the wave; it reads elements at the index itself, and what it stores at an
/// offset is stored where the region has that index, whoever owns it.
struct WaveStmt : Stmt {
  Region *region;
  /// Of the same shape, a local; set by this statement. Or the region.
  Region *tile;
  llvm::SmallVector<int, 6> order;
  unsigned steps = 0;
  llvm::SmallVector<std::pair<Array *, Offset>, 4> primed; ///< by array
  StmtList body;
  WaveStmt(Region *region, Region *tile, SourceRange range)
      : Stmt(StmtKind::Wave, range), region(region), tile(tile) {}
  /// The M-loop.
  MLoopStmt &loop() const { return *llvm::cast<MLoopStmt>(body.front()); }
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Wave; }
};

/// M-loops, `body`, that are executed one after the other, or box by box in
/// turn: for one box of indices each of them, then for the next box. What they
/// compute is the same, for each may run in boxes (mayRunInBoxes), and what one
/// of them stores the others touch at the same index only, or strides keep it
/// apart from what they touch. Loop form only.
struct InterleaveStmt : Stmt {
  /// Two loops that are likely to store elements side by side: each but stores
  /// into one and the same array.
  struct Join {
    unsigned before = 0, after = 0; ///< in `body`, by where they store
  };
  StmtList body;
  std::vector<Join> joins; ///< a loop is in one at most
  InterleaveStmt(SourceRange range) : Stmt(StmtKind::Interleave, range) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Interleave; }
};

/// M-loops, and points of transfers between them, that are executed one after
/// the other. Where one processor has all indices and the arrays are larger than
/// its caches, the run may take them in strips instead: from the low end of
/// dimension `dim` some rows at a time, of which each M-loop executes its part
/// before the next strip comes, so many rows behind as `delays` says, so that
/// rows are in the cache when the next loop wants them. The points do nothing
/// there. The result is the same (LoopOrder.h, leastDelays). Loop form only.
///
/// With time steps it may execute several iterations of the `for` around it,
/// each so many rows behind the one before it: all loops of one, then all of the
/// next, in each strip; between processors, too, after an exchange of what they
/// need (TimeSteps.h, stripReach). `swaps` and `brings` are empty.
struct StripsStmt : Stmt {
  unsigned dim;
  /// Of each part of each M-loop (LoopOrder.h, separated), in their order; never
  /// decrease. What the M-loops themselves say of delays holds where they run
  /// one after the other.
  llvm::SmallVector<unsigned, 4> delays;
  TimeSteps time;
  StmtList body;
  static constexpr unsigned MaxDelay = 64;
  StripsStmt(unsigned dim, SourceRange range)
      : Stmt(StmtKind::Strips, range), dim(dim) {}
  /// The M-loops of the body, in their order.
  llvm::SmallVector<MLoopStmt *, 4> loops() const {
    llvm::SmallVector<MLoopStmt *, 4> result;
    for (Stmt *stmt : body)
      if (auto *loop = llvm::dyn_cast<MLoopStmt>(stmt))
        result.push_back(loop);
    return result;
  }
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Strips; }
};

} // namespace zpl::air

#endif // ZPL_ARRAYIR_LOOPSTATEMENTS_H
