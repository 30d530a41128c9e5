//===- AvailableData.h - What has been transferred --------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
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

  AvailableData(const Procedure &procedure, const Effects &effects,
                const KnownStrides &strides, Visitor visit)
      : procedure(procedure), effects(effects), strides(strides),
        visit(std::move(visit)) {}
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
  void list(const StmtList &list, AvailableState &state);
  void stmt(const Stmt &stmt, AvailableState &state);
  void branch(const Stmt &stmt, AvailableState &state);
  void leave(const Stmt &stmt, AvailableState &state);
  void simple(const Stmt &stmt, AvailableState &state);
  void conditional(const IfStmt &stmt, AvailableState &state);
  void loopWhile(const WhileStmt &stmt, AvailableState &state);
  void loopUntil(const RepeatStmt &stmt, AvailableState &state);
  void config(const ConfigStmt &stmt, AvailableState &state);
  void loopFor(const ForStmt &stmt, AvailableState &state);
  void wave(const WaveStmt &stmt, AvailableState &state);
  void enterLoop(const Stmt &loop, AvailableState &state);
  /// What the calls in the statement's own expressions change.
  void evaluate(const Stmt &stmt, AvailableState &state);
  void arrive(const Transfer &transfer, AvailableState &state);
  void lose(const WriteSet &written, llvm::StringRef how, SourceRange where,
            AvailableState &state, const Region *stored = nullptr);
  bool survivesStore(const Arrival &arrival,
                     const std::pair<const Array *, Offset> &item,
                     const Region *stored, const AvailableState &state);
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
