//===- LoopNeighbours.h - M-loops that move up to others --------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What fuse-loops and interleave-loops ask in common. Reasons come back as
/// texts for remarks, empty where there is no obstacle.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_LOOPS_LOOPNEIGHBOURS_H
#define ZPL_LIB_TRANSFORMS_LOOPS_LOOPNEIGHBOURS_H

#include "zpl/Analysis/StorageAliases.h"
#include "zpl/ArrayIR/ArrayIR.h"
#include "zpl/ArrayIR/KnownStrides.h"
#include "llvm/ADT/DenseSet.h"
#include <string>

namespace zpl::air {

/// Whether calls of a procedure do nothing but compute and change what they get
/// by reference, so that they may be exchanged with other elements' statements.
bool isTransparent(const Procedure &callee);

/// The arrays of which an operation changes an element.
llvm::SmallVector<const Array *, 2> storedBy(const ElementOp &op);

/// What M-loops read and write.
struct LoopAccesses {
  llvm::DenseSet<const Array *> touched, stored;
  llvm::DenseSet<const Array *> remapped; ///< read or set by maps
  /// Set by maps, in the order of the indices: two may have one element.
  llvm::DenseSet<const Array *> scattered;
  /// One element accumulates, or in a grid dimension takes, many indices.
  llvm::DenseSet<const Array *> partial;
  llvm::DenseSet<const Variable *> read, accumulated;
  llvm::DenseSet<const Region *> regions;
  llvm::SmallVector<const MLoopStmt *, 2> loops;
  bool readsReference = false;
  bool hasCalls = false;
  bool hasOpaqueCalls = false;   ///< that accumulate, or do more than compute
  bool callsForElements = false; ///< with elements by reference
  bool hasCarries = false;       ///< it goes in the order of a scan
  bool storesGrid = false;       ///< arrays with grid dimensions

  /// Those of one loop.
  explicit LoopAccesses(const MLoopStmt &loop) { add(loop); }

  /// Adds what \p loop reads and writes, so that this stands for several loops
  /// that are executed as one.
  void add(const MLoopStmt &loop);

  /// Is any array touched by both?
  bool sharesArray(const LoopAccesses &other) const;
};

/// Whether an M-loop may move up to one that stands before it, or to several
/// that are executed as one, and how what stands between makes way.
class LoopNeighbours {
public:
  /// \p delays: the later loop stays as many rows behind the earlier one as the
  /// views ask for that this one reads. \p besideViews: shifts may come in
  /// front of loops that read other views of their source.
  LoopNeighbours(const Module &module, const Procedure &procedure,
                 const KnownStrides &strides, bool delays, bool besideViews)
      : procedure(procedure), strides(strides), delays(delays),
        besideViews(besideViews), aliases(module, procedure) {}

  /// The position of the statement that stands after what the next M-loop may
  /// leave behind, or before, on its way to the statement at \p first, whose
  /// accesses are \p a: the list's size, or perhaps an M-loop.
  size_t findNext(const StmtList &list, size_t first,
                  const LoopAccesses &a) const;

  /// Why the loop at \p next, with the accesses \p b, must not come to \p
  /// first, whatever the delay; empty if it may.
  std::string obstacle(const StmtList &list, size_t first, size_t next,
                       const LoopAccesses &a, const LoopAccesses &b) const;

  /// Why two loops must stay apart whatever the delay and what stands between;
  /// empty if they need not.
  std::string obstacle(const LoopAccesses &a, const LoopAccesses &b) const;

  /// Removes the loop at \p next, and moves what comes first from between in
  /// front of the statement at \p first, which is followed by it.
  void closeUp(StmtList &list, size_t &first, size_t next,
               const LoopAccesses &b) const;

  /// Whether a loop with the accesses \p loop, which accumulates nothing, may
  /// be executed after \p stmt, no loop, instead of before it.
  bool mayComeAfter(const Stmt &stmt, const LoopAccesses &loop) const;

  /// Whether two loops may be exchanged: none stores or accumulates what the
  /// other one uses.
  bool mayChangePlaces(const LoopAccesses &a, const LoopAccesses &b) const;

  /// The storage aliases of the procedure, by which views lie in other arrays.
  const StorageAliases &lent() const { return aliases; }

private:
  struct Passed;

  /// Statements that another may move across, if obstacle() says so.
  static bool mayBePassed(const Stmt &stmt);

  /// Whether no expression of \p stmt reads what a loop accumulates or what
  /// is \p passed.
  static bool isIndependent(const Stmt &stmt, const LoopAccesses &loop,
                            const Passed &passed);

  /// Whether a transfer of \p array, or over \p region, will be under way in
  /// front of the loops: since \p before, or what is \p passed.
  bool isUnderWay(llvm::ArrayRef<Stmt *> before, const Passed &passed,
                  const Array *array, const Region *region) const;

  /// Whether what a transfer brings is nothing that a loop stores.
  bool isSentOfOthers(const Transfer &transfer, const LoopAccesses &loop) const;

  /// Whether the statement at \p at may be executed before the loop at
  /// \p first, and before the statements that are \p passed.
  bool mayComeFirst(const StmtList &list, size_t at, size_t first,
                    const LoopAccesses &loop, const Passed &passed) const;

  /// Whether temporaries of \p source may be made before a loop: that does not
  /// store it, nor read others of it, which a shift may leave without storage.
  bool mayLend(const Array *source, const LoopAccesses &loop,
               const Passed &passed, llvm::ArrayRef<Stmt *> before) const;

  /// Whether \p writer stores what temporaries of \p reader may lie in, unless
  /// it \p isLater and the delay takes care of it: of views of arrays without
  /// strides.
  bool writesLent(const LoopAccesses &writer, const LoopAccesses &reader,
                  bool isLater) const;

  /// Why a loop must not move up across \p stmt; empty if it may.
  static std::string obstacle(const Stmt &stmt, const LoopAccesses &loop);

  const Procedure &procedure;
  const KnownStrides &strides;
  bool delays, besideViews;
  StorageAliases aliases;
};

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_LOOPS_LOOPNEIGHBOURS_H
