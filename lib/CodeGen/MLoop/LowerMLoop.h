//===- LowerMLoop.h - M-loops -----------------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_MLOOP_LOWERMLOOP_H
#define ZPL_LIB_CODEGEN_MLOOP_LOWERMLOOP_H

#include "FunctionLowering.h"
#include "MLoop/AliasInfo.h"
#include "MLoop/SubscriptRanges.h"
#include "llvm/ADT/SmallSet.h"
#include <map>
#include <set>

namespace zpl::codegen {

class JoinedLoops;
class SkewedRows;

/// Lowers one M-loop into the function that is being built. While the body is
/// lowered, the function asks here for elements, indices and hoisted values.
class MLoopLowering {
public:
  /// \p isTiled: the loop is for tiles of this processor's block. Then
  /// `prepare` comes first, in front of all of them, and `clip` in each.
  /// \p aliases: of several loops that are made into one; null: of this one.
  MLoopLowering(FunctionLowering &function, const air::MLoopStmt &loop,
                bool isTiled = false, const AliasInfo *aliases = nullptr);
  void prepare();
  /// Pairs of elements are rare: JoinedLoops sees to them.
  void leavePairs() { parts.front().pairs = nullptr; }
  /// \p tile: the zrt_domain at hand.
  void clip(llvm::Value *tile);
  /// \p isDone: whether there is nothing left to do; null: there is.
  void run(llvm::Value *isDone = nullptr);

  /// The current index in dimension \p dim, as i32.
  llvm::Value *index(unsigned dim);
  llvm::Value *readElement(const air::ElementExpr *element);
  llvm::Value *elementAddress(const air::ElementExpr *element);
  /// What was read before the loops; null if it was not.
  llvm::Value *hoisted(const air::Variable *variable) const {
    return variables.lookup(variable);
  }
  llvm::Value *hoisted(const air::Region *region, unsigned dim,
                       air::BoundExpr::Which which) const;
  llvm::Value *hoistedMemory(const air::Variable *variable) const {
    return memories.lookup(variable);
  }
  /// The subscripts that were tested before the loops.
  const SubscriptRanges &ranges() const { return subscriptRanges; }
  llvm::Value *hoistedPlace(const air::Expr *place) const {
    return places.lookup(place);
  }
  /// Whether a procedure gets the element by reference in a cell of its own,
  /// from where it is stored back after the call: LLVM makes registers of it.
  bool passesCopy(const air::CallExpr &call, const air::Argument &arg) const;
  /// Says of a load from a place what it cannot touch.
  void annotate(llvm::Instruction *access, const air::Expr *place) const;

private:
  friend class JoinedLoops;
  friend class SkewedRows;

  /// Walker and offset; constant displacements along a row left out.
  using RowKey = std::pair<int, air::Offset>;

  /// By what the innermost loop moves walkers along rows where only the run
  /// knows it.
  enum class InnerStrides {
    Any,
    Unit,     ///< one element
    StoreTwo, ///< two for what is stored, which goes in pairs; one for the rest
    LoadTwo,  ///< two for what is read at several indices; one for the rest
    Blend     ///< two for all, but elements between are computed, too
  };

  /// An innermost loop for one case.
  struct Version {
    llvm::Value *when = nullptr; ///< null: always
    InnerStrides inner = InnerStrides::Any;
    unsigned stride = 0;    ///< of the carries that hold; 0: none does
    llvm::StringRef suffix; ///< of its block
  };

  /// Operations of one delay: they have inner loops of their own.
  struct Part {
    llvm::ArrayRef<air::ElementOp> ops;
    unsigned delay = 0;
    std::string name;               ///< of its blocks: "mloop.L33.after1"
    llvm::SmallSet<int, 8> walkers; ///< that it uses
    std::set<RowKey> rows;          ///< that it touches
    /// Whether its walkers move by elements; null if that is not the question.
    llvm::Value *isUnit = nullptr;
    /// The versions of its innermost loop, the last one for all other cases; at
    /// least one.
    llvm::SmallVector<Version, 3> versions{};
    /// When the last one has one for pairs before it; null: never.
    llvm::Value *pairs = nullptr;
  };

  /// A value that loops carry: a number, or the two of a complex one.
  using Pieces = llvm::SmallVector<llvm::Value *, 2>;
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
    bool isElement() const { return !op->accumulator; }
    air::Type type() const { return op->value->type; }
    llvm::StringRef name() const;
  };

  // LowerMLoop.cpp: the nest.
  void emitBoxes();
  void emitBox(llvm::Value *isDone = nullptr);
  void emitNest();
  void emitNestFor(llvm::ArrayRef<air::LikelyBounds> likely);
  void emitUnrolled(llvm::BasicBlock *exit);
  void emitFrom(unsigned depth);
  void emitLevel(unsigned depth);
  void emitInnermost(unsigned depth, llvm::BasicBlock *exit);
  void emitLoop(unsigned depth, llvm::BasicBlock *before,
                llvm::BasicBlock *head, llvm::BasicBlock *exit);
  void emitVersion(const Version &version, unsigned depth,
                   llvm::BasicBlock *before, llvm::BasicBlock *head,
                   llvm::BasicBlock *exit);
  void emitRow(const Version &version, unsigned depth, llvm::BasicBlock *before,
               llvm::BasicBlock *head, llvm::BasicBlock *exit);
  void emitVersions(unsigned depth, llvm::BasicBlock *exit);
  // LowerBlocks.cpp: nests that are unrolled and tiled.
  /// The body at the indices of the loops and some more.
  struct Copy {
    llvm::SmallVector<llvm::Value *, 8> bytes; ///< by walker; null: none
    llvm::SmallVector<unsigned, 6> steps;      ///< by dimension
  };
  using WalkerPhis = llvm::SmallVector<llvm::PHINode *, 8>;
  void emitBlocks();
  void emitTiles(llvm::ArrayRef<unsigned> tiled, const Copy &here);
  WalkerPhis openBlockLoop(unsigned depth, llvm::Value *begin,
                           llvm::BasicBlock *before);
  void closeBlockLoop(unsigned depth, llvm::Value *steps,
                      const WalkerPhis &phis, llvm::Value *isLast,
                      llvm::BasicBlock *head, llvm::BasicBlock *exit);
  void emitBlockLevel(unsigned depth, llvm::ArrayRef<Copy> copies);
  void emitBlockLoop(unsigned depth, llvm::Value *begin, llvm::Value *last,
                     unsigned step, llvm::ArrayRef<Copy> copies,
                     const std::string &suffix);
  llvm::SmallVector<Copy, 1> unrolled(unsigned depth,
                                      llvm::ArrayRef<Copy> copies);
  void emitBlockBody(llvm::ArrayRef<Copy> copies);
  // LowerRowCopies.cpp: an innermost loop that only copies.
  bool copiesRows() const;
  void copyRow(unsigned depth, llvm::BasicBlock *exit);
  // LowerStreams.cpp: results that go past the caches.
  void startStreams();
  void endStreams();
  bool partStreams(const Version &version) const;
  void streamTo(llvm::Value *to, llvm::Value *from, llvm::Value *bytes);
  llvm::Value *stripEnd(llvm::Value *from, llvm::Value *place, int64_t size,
                        llvm::Value *rowEnd);
  void emitStrips(const Version &version, unsigned depth,
                  llvm::BasicBlock *body, llvm::BasicBlock *exit);
  void emitParts();
  void emitPart(llvm::Value *step);
  llvm::Value *partHasRow();
  std::string exitName(unsigned depth) const;
  LevelPhis openLevel(unsigned depth, llvm::BasicBlock *before,
                      llvm::BasicBlock *head);
  void closeLevel(unsigned depth, llvm::BasicBlock *head,
                  llvm::BasicBlock *exit, const LevelPhis &phis);
  bool stepsAreIndependent(unsigned depth) const;
  /// True if the loop at \p depth is over rows that are worked on together.
  bool isSkewed(unsigned depth) const {
    return loop.rows > 1 && depth + 2 == nest.size();
  }
  bool isInnermost(unsigned depth) const { return depth + 1 == nest.size(); }
  /// True if the loop at \p depth is around several parts.
  bool isShared(unsigned depth) const { return depth == 0 && parts.size() > 1; }

  // LowerBounds.cpp: before the nest.
  llvm::Value *clipBounds();
  llvm::Value *clipDim(unsigned dim, llvm::Value *own);
  llvm::Value *clipToTile(unsigned dim);
  llvm::Value *alignUp(unsigned dim, llvm::Value *low, const llvm::Twine &name);
  void readRegion();
  void countSteps();
  bool isStrided(unsigned dim) const {
    return dim < loop.region->rank() &&
           loop.region->shape[dim] == air::DimKind::Strided;
  }
  void hoistScalars();
  void hoistVariable(const air::Variable *variable);
  void hoistBounds(air::Type type);

  // LowerElementOps.cpp: the body and what it accumulates.
  Pieces split(air::Type type, llvm::Value *value);
  llvm::Value *join(air::Type type, const Pieces &pieces);
  Phis makePhis(const Pieces &like, llvm::StringRef name);
  static void addIncoming(const Phis &phis, const Pieces &values,
                          llvm::BasicBlock *from);
  Pieces merge(const Pieces &a, llvm::BasicBlock *fromA, const Pieces &b,
               llvm::BasicBlock *fromB, llvm::StringRef name);
  void startAccumulators();
  bool staysInRegister(const air::ElementOp &op) const;
  bool isCarried(const Accumulator &accumulator, unsigned depth) const;
  void loadElements();
  void storeElements();
  void finishAccumulators(llvm::BasicBlock *guard, llvm::BasicBlock *end);
  void emitBody();
  void emitOp(const air::ElementOp &op);
  void emitWhere(const air::ElementOp &op, llvm::function_ref<void()> emit);
  void emitStore(const air::ElementOp &op);
  bool storesSelected(const air::ElementOp &op) const;
  bool maySpeculate(const air::ElementOp &op) const;
  bool storesEverywhere(const air::ElementOp &op, bool isVain = false) const;
  void storeSelected(const air::ElementOp &op, llvm::Value *value,
                     llvm::Value *condition);
  void keep(const air::ElementOp &op, llvm::Value *value);
  void emitAccumulate(const air::ElementOp &op);
  void accumulate(const air::ElementOp &op, llvm::Value *value);
  void updateElement(const air::ElementOp &op,
                     llvm::function_ref<llvm::Value *(llvm::Value *)> taken);
  const air::BinaryExpr *summedProduct(const air::ElementOp &op);
  llvm::Value *valueOrNeutral(const air::ElementOp &op);
  Accumulator *accumulatorOf(const air::ElementOp &op);

  // LowerLines.cpp: contracted arrays.
  void startLines();
  llvm::Value *measureLines(unsigned walker);
  llvm::Value *stepsTo(unsigned dim, llvm::Value *index);
  llvm::Value *placeLine(unsigned walker, const air::Offset &offset);
  void forgetElements();
  // LowerLets.cpp: values that the innermost loop carries along.
  void findVersions();
  llvm::Value *carriesHold(unsigned stride, bool &isKnown);
  llvm::Value *isCarried(const air::ElementExpr &element,
                         const air::ElementExpr &source, unsigned back,
                         bool isHalf = false);
  llvm::Value *halvesHold();
  void forEachCarried(
      unsigned stride,
      llvm::function_ref<void(const air::ElementExpr &,
                              const air::ElementExpr &, const air::Carry &)>
          visit);
  llvm::Value *distanceOf(const air::ElementExpr &element);
  const air::Carry *carryOf(const air::ElementOp &op) const;
  void startCarries(unsigned depth);
  llvm::Value *valueAtStep(const air::ElementOp &op, unsigned step,
                           unsigned depth);
  void openCarries(LevelPhis &phis, llvm::BasicBlock *before);
  void closeCarries(const LevelPhis &phis, llvm::BasicBlock *latch);
  void emitLet(const air::ElementOp &op);

  // LowerSteps.cpp: walkers that move by one element or two.
  bool isStored(unsigned walker) const;
  unsigned stepOf(unsigned walker, InnerStrides how) const;
  bool mayLoadTwo() const;
  bool isReadAround(unsigned walker) const;
  llvm::Value *walkersHave(InnerStrides how);
  bool mayStorePairs() const;
  void storeSibling(const air::ElementOp &op, llvm::Value *place);
  void emitPairs(const Version &others, unsigned depth, llvm::BasicBlock *start,
                 llvm::BasicBlock *body, llvm::BasicBlock *exit);

  bool isEvery(const air::ElementOp &op) const;
  bool mayStoreEvery() const;
  void emitEvery(const Version &version, unsigned depth,
                 llvm::BasicBlock *before, llvm::BasicBlock *head,
                 llvm::BasicBlock *exit);
  bool isBehind(const air::ElementExpr &element,
                const air::Array *stored) const;
  void startBehind();
  void openBehind(llvm::BasicBlock *before);
  void closeBehind(llvm::BasicBlock *latch);

  // LowerTails.cpp: what vectors of bytes leave over.
  bool hasTail() const;
  void emitWithTail(unsigned depth, llvm::BasicBlock *exit);

  // LowerWalkers.cpp: addresses.
  void findLeaders();
  void startWalkers();
  void startWalker(unsigned walker);
  void moveToTile();
  void readBumps(unsigned walker);
  void makeOffset(const air::ElementExpr *element);
  void stepBack();
  void placeRows();
  llvm::Value *loadElement(const air::ElementExpr *element);
  llvm::Value *pitch(unsigned walker, unsigned dim);
  llvm::Value *dimField(unsigned walker, unsigned dim, DimField field);
  llvm::Value *position(unsigned walker, unsigned dim, int64_t offset);
  llvm::Value *move(llvm::Value *pointer, llvm::Value *bytes,
                    const llvm::Twine &name);
  air::DimKind kind(unsigned walker, unsigned dim) const {
    return loop.walkers[walker].array->shape[dim];
  }
  /// The dimension in which the innermost loop moves a walker, or -1.
  int innerDim(unsigned walker) const;
  bool walksRows(unsigned walker) const;
  bool hasDisplacements(unsigned walker) const;
  bool isUnitStride(unsigned walker) const;
  bool mayBeUnitStride(unsigned walker) const;
  llvm::StringRef arrayName(unsigned walker) const {
    return loop.walkers[walker].array->name;
  }
  air::Offset rowOffset(const air::ElementExpr *element) const;

  FunctionLowering &fn;
  llvm::IRBuilder<> &builder;
  const air::MLoopStmt &loop;
  const bool isTiled; ///< the block is one of several tiles
  std::string name;   ///< "mloop.L33"
  AliasInfo aliases;

  struct NestLevel {
    const air::LoopLevel *level;
    unsigned number; ///< in MLoopStmt::levels, of Walker::bumps
  };
  /// The levels that are loops, outermost first.
  llvm::SmallVector<NestLevel, 6> nest;
  /// The innermost loop counts its steps, because Strided dimensions say by how
  /// much it moves.
  bool isCounted = false;

  llvm::SmallVector<Part, 2> parts; ///< by delay; at least one
  Part *part = nullptr;             ///< whose loops are being made
  llvm::Value *lastStep = nullptr;  ///< of the outermost loop
  llvm::Value *streams = nullptr;   ///< whether results do; null: they do not

  /// The zrt_domain whose part of the region the loop runs over; null until it
  /// is needed.
  llvm::Value *own = nullptr;
  llvm::Value *owns = nullptr; ///< whether that has a part of it; null: it has
  // By dimension, and of the repetitions, i64. The bounds are those of this
  // processor's part, and indices of it from countSteps on.
  llvm::SmallVector<llvm::Value *, 6> lo, hi, current;
  llvm::SmallVector<llvm::Value *, 6> strides; ///< null: 1
  /// What a step adds to the index: the stride, negative if the loop goes down.
  llvm::SmallVector<llvm::Value *, 6> steps;
  static constexpr unsigned TailVector = 8;
  bool isTail = false; ///< the innermost loop at hand: vectors of TailVector
  llvm::Value *firstCount = nullptr; ///< of the innermost loop; null: 0
  llvm::Value *lastCount = nullptr;
  llvm::Value *counter = nullptr; ///< its steps so far
  SkewedRows *skewed = nullptr;   ///< while steps of several rows are made

  // By walker.
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
  };
  llvm::SmallVector<WalkerState, 8> walkers;
  /// The first walker of those whose arrays have one layout.
  llvm::SmallVector<unsigned, 8> leaders;
  /// By dimension, the index that the loops begin with.
  llvm::SmallVector<llvm::Value *, 6> first;
  /// In tiles, by dimension: the region's bounds, from the first index that it
  /// has, and how many steps from that the loops begin.
  llvm::SmallVector<llvm::Value *, 6> regionLow, regionHigh, stepsBefore;
  /// The nest is made in which each index of the innermost level has a copy of
  /// the body: these; null: another one is.
  const air::LikelyBounds *few = nullptr;
  InnerStrides inner =
      InnerStrides::Any;      ///< Version::inner of what is being made
  unsigned carriedStride = 0; ///< Version::stride of what is being made
  /// What lies so many elements behind an element if carries hold; in LoadTwo,
  /// if halvesHold.
  llvm::DenseMap<const air::ElementExpr *,
                 std::pair<const air::ElementExpr *, int64_t>>
      neighbours;
  llvm::SmallVector<PreviousElement, 2>
      behind; ///< of the loop in Blend at hand
  /// What startCarries has found, until the loop is opened.
  llvm::SmallVector<Carried, 4> starting;
  /// In the loop, what lets take over.
  llvm::DenseMap<const air::ElementOp *, llvm::Value *> carriedValues;

  SubscriptRanges subscriptRanges;
  std::map<RowKey, llvm::Value *> offsets; ///< in bytes
  std::map<RowKey, llvm::Value *> rows;    ///< pointers

  /// By variable or, of elements, by operation.
  llvm::MapVector<const void *, Accumulator> accumulators;
  llvm::DenseMap<const air::Variable *, llvm::Value *> variables, memories;
  llvm::DenseMap<const air::Expr *, llvm::Value *> places;
  std::map<std::tuple<const air::Region *, unsigned, air::BoundExpr::Which>,
           llvm::Value *>
      bounds;
};

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_MLOOP_LOWERMLOOP_H
