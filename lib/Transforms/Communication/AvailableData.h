//===- AvailableData.h - What has been transferred --------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the passes over transfers and views, and verifyTransfers, ask: which
/// shifted elements have arrived at each statement. AvailableData.cpp says how
/// paths and loops are dealt with.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_COMMUNICATION_AVAILABLEDATA_H
#define ZPL_LIB_TRANSFORMS_COMMUNICATION_AVAILABLEDATA_H

#include "zpl/Analysis/Effects.h"
#include "zpl/Analysis/RegionValues.h"
#include "zpl/ArrayIR/KnownStrides.h"
#include <functional>
#include <map>

namespace zpl::air {

/// A transfer of (array, offset) whose data have arrived.
struct Arrival {
  ValueNumber region;
  const Transfer *transfer;
};

/// What is known of one (array, offset).
struct ItemFacts {
  llvm::SmallVector<Arrival, 2> arrivals; ///< still good
  std::string lost;   ///< why an earlier arrival is no longer good; or empty
  SourceRange lostAt; ///< what made it so
};

/// What is known at one point of a procedure.
struct AvailableState {
  bool isReachable = true;
  RegionState values;
  std::map<std::pair<const Array *, Offset>, ItemFacts> items;
};

/// Walks through one procedure in the order of execution and knows at each
/// statement which shifted elements are present.
class AvailableData {
public:
  /// Called before each reachable statement, outer ones first.
  using Visitor = std::function<void(const Stmt &, const AvailableState &)>;

  /// Does nothing before run(). What is passed by reference must outlive it.
  AvailableData(const Procedure &procedure, const Effects &effects,
                const KnownStrides &strides, Visitor visit)
      : procedure(procedure), effects(effects), strides(strides),
        visit(std::move(visit)) {}

  /// Walks through the procedure once and calls the visitor. What callers send
  /// is present at the beginning.
  void run();

  /// The answer of find: `transfer` if present, else `why` not (empty: there
  /// never was a transfer of it) and `where` it was lost.
  struct Answer {
    const Transfer *transfer = nullptr;
    std::string why;
    SourceRange where;
  };

  /// Is %array@(offset) present at all indices of \p region?
  Answer find(const Array *array, const Offset &offset, const Region *region,
              const AvailableState &state);

  /// The number of a region's value, comparable within the procedure.
  ValueNumber number(const Region *region, const AvailableState &state) {
    return values.number(region, state.values);
  }

private:
  /// The statements of a list, up to one after which the next is not reached.
  void list(const StmtList &list, AvailableState &state);

  /// One statement: the transfers that it awaits arrive, the visitor sees it,
  /// then \p state becomes what is known after it.
  void stmt(const Stmt &stmt, AvailableState &state);

  /// An `if`, `while`, `repeat` or `for`, by its sort.
  void branch(const Stmt &stmt, AvailableState &state);

  /// `exit` and `continue` carry their state to where they go, `return` and
  /// `halt` to nowhere; what comes next is not reached.
  void leave(const Stmt &stmt, AvailableState &state);

  /// A statement after which the next one is executed: a transfer's DN brings
  /// its items, `region %R = ...` gives a region a value, all else loses what
  /// it may write.
  void simple(const Stmt &stmt, AvailableState &state);

  /// What is present after both branches.
  void conditional(const IfStmt &stmt, AvailableState &state);

  /// Loses at the head what the loop may write; after it is present what is at
  /// the test and at every `exit`.
  void loopWhile(const WhileStmt &stmt, AvailableState &state);

  /// The same with the test at the end, to which `continue` goes.
  void loopUntil(const RepeatStmt &stmt, AvailableState &state);

  /// The default may be executed or not; the variable is written.
  void config(const ConfigStmt &stmt, AvailableState &state);

  /// Like `while`, with no statements in front of the test.
  void loopFor(const ForStmt &stmt, AvailableState &state);

  /// What arrived for the region is there for each tile. What the wave stores
  /// itself and reads is its own business; after it that is lost.
  void wave(const WaveStmt &stmt, AvailableState &state);
  void boxes(const BoxesStmt &stmt, AvailableState &state);

  /// At a loop's head: loses what \p loop may write, and opens an entry of
  /// `loops`, which the caller closes.
  void enterLoop(const Stmt &loop, AvailableState &state);

  /// What the calls in the statement's own expressions change.
  void evaluate(const Stmt &stmt, AvailableState &state);

  /// The items of \p transfer are present over its region from now on.
  void arrive(const Transfer &transfer, AvailableState &state);

  /// Loses the items of all arrays that \p written has, with the reason
  /// `A \p how` and \p where for remarks. \p stored: only elements of this
  /// region are stored; null: any may be.
  void lose(const WriteSet &written, llvm::StringRef how, SourceRange where,
            AvailableState &state, const Region *stored = nullptr);

  /// Do the data of \p arrival stay good when an array statement stores
  /// elements at indices of \p stored, of the array that is \p item's under any
  /// name? By the independence test; false if it cannot tell.
  bool survivesStore(const Arrival &arrival,
                     const std::pair<const Array *, Offset> &item,
                     const Region *stored, const AvailableState &state);

  /// Two paths meet: \p into keeps what is present on both. A path that is not
  /// reached says nothing.
  void meet(AvailableState &into, const AvailableState &other);

  struct Loop {
    std::vector<AvailableState> exits, continues;
  };

  const Procedure &procedure;
  const Effects &effects;
  const KnownStrides &strides;
  Visitor visit;
  RegionValues values;
  std::vector<Loop> loops;
};

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_COMMUNICATION_AVAILABLEDATA_H
