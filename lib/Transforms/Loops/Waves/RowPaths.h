//===- RowPaths.h - What elements of a recurrence wait for ------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_LOOPS_ROWPATHS_H
#define ZPL_LIB_TRANSFORMS_LOOPS_ROWPATHS_H

#include "zpl/ArrayIR/SkewedRows.h"
#include "zpl/ArrayIR/Walk.h"
#include "zpl/Support/Figures.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <map>

namespace zpl::air {

/// In cycles.
struct Cost {
  double latency, work;
};
/// The cost of the operation itself; that of a call is found elsewhere.
Cost costOf(const Expr &e, const Figures &figures);

/// Finds what the elements of an M-loop with two loops wait for.
class PathFinder {
public:
  PathFinder(const Module &module, const MLoopStmt &loop, bool mayAlias,
             const Figures &figures)
      : module(module), loop(loop), mayAlias(mayAlias), figures(figures),
        columns(rowLoops(loop).columns->dim) {
    for (const ElementOp &op : loop.body) {
      constexpr double Select = 1;
      Latencies latencies;
      add(latencies, pathsTo(*op.value), op.guard ? Select : 0);
      if (op.guard)
        add(latencies, pathsTo(*op.guard), Select);
      forEachExpr(op, [&](const Expr &e) { work += workOf(e); });
      bool keepsOld =
          op.target && op.guard && rootElement(op.target)->array->isCarries();
      if (keepsOld)
        add(latencies, pathsTo(*op.target), 1);
      if (op.target) {
        constexpr double Store = 1;
        const Array *array = rootElement(op.target)->array;
        if (!array->isCarries() && !array->isPerIndex())
          work += Store;
        add(stores[array], latencies, 0);
      }
      add(paths, latencies, 0);
    }
  }

  /// The cycles that a step of rows with this skew takes at least; of one row
  /// alone. Negative: no element waits for others.
  double chain(unsigned skew) const {
    constexpr double Same = 0.25; // through the rows of a step
    return longest([&](const RowDistance &at) {
      int64_t age = -(at.columns + int64_t(skew) * at.rows);
      return age == 0 ? Same : double(age);
    });
  }
  double chainOfRow() const {
    return longest([](const RowDistance &at) {
      return at.rows == 0 ? double(-at.columns) : 0;
    });
  }

  /// The same of rows that are lanes, where it takes \p shift cycles to get
  /// what another row has stored.
  double chainOfLanes(unsigned skew, double shift) const {
    double most = -1;
    for (auto [at, latency] : paths) {
      int64_t age = -(at.columns + int64_t(skew) * at.rows);
      double moved = latency + (at.rows < 0 ? shift : 0);
      if (age > 0)
        most = std::max(most, moved / double(age));
    }
    return most;
  }

  double work = 0; ///< cycles to issue an element

private:
  struct Earlier {
    bool operator()(const RowDistance &a, const RowDistance &b) const {
      return std::tie(a.rows, a.columns) < std::tie(b.rows, b.columns);
    }
  };
  /// By the distance of the element that a path begins with.
  using Latencies = std::map<RowDistance, double, Earlier>;

  static void add(Latencies &to, const Latencies &from, double latency) {
    for (auto [at, sum] : from) {
      double &longest = to[at];
      longest = std::max(longest, sum + latency);
    }
  }

  double longest(llvm::function_ref<double(const RowDistance &)> age) const {
    double most = -1;
    for (auto [at, latency] : paths)
      if (double steps = age(at); steps > 0)
        most = std::max(most, latency / steps);
    return most;
  }

  Latencies pathsTo(const Expr &e) {
    if (auto *element = llvm::dyn_cast<ElementExpr>(&e))
      return pathsFrom(*element);
    Latencies result;
    double latency =
        llvm::isa<CallExpr>(e) ? workOf(e) : costOf(e, figures).latency;
    forEachOperand(e, [&](const Expr &operand) {
      add(result, pathsTo(operand), latency);
    });
    return result;
  }

  Latencies pathsFrom(const ElementExpr &element) {
    if (!element.isShifted()) {
      bool isCarried = element.array->isCarries() &&
                       isPerProcessor(element.array->shape[columns]) &&
                       !stores.contains(element.array);
      return isCarried ? Latencies{{RowDistance{0, -1}, 0}}
                       : stores[element.array];
    }
    std::optional<RowDistance> at = rowDistance(loop, element);
    bool isBefore = at &&
                    (at->rows < 0 || (at->rows == 0 && at->columns < 0)) &&
                    mayBeStored(module, loop, *element.array, mayAlias);
    return isBefore ? Latencies{{*at, 0}} : Latencies();
  }

  /// The work of a scalar procedure's code: small ones are inlined and cost
  /// their operations, each executed once.
  double weightOf(const Procedure &procedure) {
    constexpr double Call = 10; // also while a recursive one is looked at
    auto [known, isNew] = weights.try_emplace(&procedure, Call);
    if (!isNew || !procedure.thunk.empty())
      return known->second;
    double sum = 0;
    forEachStmt(procedure.body, [&](const Stmt &stmt) {
      sum += 0.5;
      forEachExpr(stmt, [&](const Expr &e) { sum += workOf(e); });
    });
    return weights[&procedure] = sum;
  }

  double workOf(const Expr &e) {
    constexpr double Load = 0.5; // others are in registers
    if (auto *element = llvm::dyn_cast<ElementExpr>(&e))
      return mayBeStored(module, loop, *element->array, mayAlias) ? 0 : Load;
    if (auto *call = llvm::dyn_cast<CallExpr>(&e))
      return weightOf(*call->callee);
    return costOf(e, figures).work;
  }

  const Module &module;
  const MLoopStmt &loop;
  const bool mayAlias;
  const Figures &figures;
  const unsigned columns; ///< the dimension of the innermost loop
  /// The paths to arrays that operations before have stored, at the index at
  /// hand.
  llvm::DenseMap<const Array *, Latencies> stores;
  Latencies paths;
  llvm::DenseMap<const Procedure *, double> weights;
};

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_LOOPS_ROWPATHS_H
