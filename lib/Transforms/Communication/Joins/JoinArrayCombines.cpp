//===- JoinArrayCombines.cpp - One message for partial reductions ---------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     mloop @R { accumulate sum @S, @A }
//     combine-array sum @S dims (0)         =>   (gone)
//     mloop @R { accumulate max @T, @B }
//     combine-array max @T dims (0)              combine-array sum @S, max @T ...
//
// The next combination of the list that is along the same dimensions of an
// array of the same shape takes an earlier one along, if what is between goes
// on behind itself, without input and output, and has nothing to do with the
// earlier one's array: under a name that may be the same array's, in a transfer,
// or in a procedure that is called and may know it.
//
// Whether the regions are equal and the parts small the run finds; if not it
// combines them in turn, which is what there was before.
//
// Cost: for each combination, the statements up to the one that it joins.
//
//===----------------------------------------------------------------------===//

#include "Communication/Joins/JoinArrayCombines.h"
#include "Communication/Joins/CombineTails.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>

using namespace llvm;

namespace zpl::air {
namespace {

class ArrayCombineJoiner {
public:
  ArrayCombineJoiner(const Module &module, const Procedure &procedure,
                     const Effects &effects, const GlobalUses &globals,
                     PassContext &context)
      : module(module), procedure(procedure), effects(effects),
        globals(globals), context(context) {}

  void list(StmtList &list) {
    for (size_t i = 0; i < list.size();) {
      auto *combine = dyn_cast<CombineArrayStmt>(list[i]);
      std::optional<Next> next;
      if (combine && !combine->carriesOver)
        next = nextOf(*combine, list, i);
      if (next && next->obstacle.empty()) {
        merge(*combine, cast<CombineArrayStmt>(*list[next->at]));
        list.erase(list.begin() + static_cast<ptrdiff_t>(i));
        continue;
      }
      if (next)
        context.missed(combine->range,
                       "not in one message with the partial reduction" +
                           afterIt(*list[next->at], context) + ": " +
                           next->obstacle);
      ++i;
    }
    for (Stmt *stmt : list)
      forEachList(*stmt, [&](StmtList &inner) { this->list(inner); });
  }

private:
  struct Next {
    size_t at;
    std::string obstacle; ///< empty: none
  };

  /// The next combination that \p combine may be one with, and what is against
  /// it.
  std::optional<Next> nextOf(const CombineArrayStmt &combine,
                             const StmtList &list, size_t i) {
    std::string obstacle = whyFixed(combine);
    for (size_t k = i + 1; k < list.size(); ++k) {
      if (obstacle.empty())
        obstacle = whyNotPassed(*list[k], combine);
      auto *other = dyn_cast<CombineArrayStmt>(list[k]);
      if (other && !other->carriesOver && other->dims == combine.dims &&
          other->array->shape == combine.array->shape)
        return Next{k, obstacle};
    }
    return std::nullopt;
  }

  std::string whyFixed(const CombineArrayStmt &combine) const {
    RunTimeChecks checks = possibleChecks(context);
    bool isOpen = any_of(combine.values(), [&](const auto &value) {
      return value.with && !globals.isClosed(*value.with, checks);
    });
    return isOpen ? OpenOperator.str() : "";
  }

  std::string whyNotPassed(const Stmt &stmt, const CombineArrayStmt &combine) {
    std::string where = context.atLine(stmt.range);
    if (any_of(combine.values(),
               [&](const auto &value) { return isUsedBy(stmt, *value.array); }))
      return "its elements are used in between" + where +
             "; compute both before the first use";
    if (leavesMemory(stmt))
      return (BesideMemory + where + "; move it before or behind both").str();
    return "";
  }

  bool isUsedBy(const Stmt &stmt, const Array &array) const {
    return mayName(stmt, array) ||
           effects.writes(procedure, stmt).arrays.contains(&array);
  }

  /// Whether a statement, or one nested in it, may name the array, or call what
  /// may.
  bool mayName(const Stmt &stmt, const Array &array) const {
    bool found = false;
    auto look = [&](const Array &other) {
      found |= mayBeSame(module, array, other, procedure.mayAlias);
    };
    auto lookAt = [&](const Transfer &transfer) {
      for (const auto &[other, offset] : transfer.items)
        look(*other);
    };
    forEachArray(stmt, look);
    if (auto *point = dyn_cast<TransferPointStmt>(&stmt))
      lookAt(*point->transfer);
    if (auto *loop = dyn_cast<MLoopStmt>(&stmt))
      for (const Transfer *awaited : loop->awaits)
        lookAt(*awaited);
    auto *call = dyn_cast<CallStmt>(&stmt);
    found |= call && !call->call->callee->isScalar &&
             (array.storage != Storage::Local || array.family);
    forEachList(stmt, [&](const StmtList &list) {
      found = found || any_of(list, [&](const Stmt *inner) {
                return mayName(*inner, array);
              });
    });
    return found;
  }

  void merge(CombineArrayStmt &first, CombineArrayStmt &last) {
    context.applied(first.range, "in one message with the partial reduction" +
                                     afterIt(last, context));
    context.count("partial combinations");
    auto values = first.values();
    auto behind = last.values();
    values.append(behind.begin(), behind.end());
    last.op = values[0].op;
    last.with = values[0].with;
    last.array = values[0].array;
    last.others.assign(values.begin() + 1, values.end());
  }

  const Module &module;
  const Procedure &procedure;
  const Effects &effects;
  const GlobalUses &globals;
  PassContext &context;
};

} // namespace

void joinArrayCombines(Module &module, const Effects &effects,
                       const GlobalUses &globals, PassContext &context) {
  for (Procedure *procedure : module.procedures)
    ArrayCombineJoiner(module, *procedure, effects, globals, context)
        .list(procedure->body);
}

} // namespace zpl::air
