//===- JoinCombines.cpp - One message for several reductions --------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     mloop @R { accumulate sum %a, @A }       mloop @R { accumulate sum %a ... }
//     combine sum %a over @R                   mloop @S { accumulate max %b ... }
//     set @s = %a                         =>   combine sum %a, max %b over @S
//     mloop @S { accumulate max %b, @B }       set @s = %a
//     combine max %b over @S                   set @m = %b
//     set @m = %b
//
// A combination and its tail (CombineTails.h) are looked at together with the
// next combination of their list. They move behind what stands in between, and
// become one with it, if
//
//  1. that goes on behind itself and neither reads nor writes: an M-loop, an
//     array operator, an assignment, a call, an `if` or a loop of these;
//  2. nothing of it touches what the tail writes, or writes what it reads, also
//     in procedures that are called;
//  3. both have the same contributors: all processors, where no dimension of
//     their regions is flooded, else those of one region;
//  4. what moves cannot fail and has to do with its own operands only. So
//     errors come in the order in which they came, and an operator of the
//     program that may be anything is at most the last one of its message.
//
// The body of a `repeat` and what its condition needs are one list here, for
// one follows the other, unless a `continue` leaves statements out. The joint
// combination is looked at again, with the next one behind it.
//
// What each value becomes is what it would have become alone (Runtime.md, "one
// order"), so no byte of a result changes.
//
// Cost: for each combination, the statements up to the next one.
//
//===----------------------------------------------------------------------===//

#include "Communication/Joins/JoinCombines.h"
#include "Communication/Joins/CombineTails.h"
#include "Communication/Joins/GlobalUses.h"
#include "Communication/Joins/JoinArrayCombines.h"
#include "zpl/Analysis/Overlap.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <algorithm>
#include <optional>

using namespace llvm;

namespace zpl::air {
namespace {

bool contains(const StmtList &list, StmtKind kind) {
  bool found = false;
  forEachStmt(list, [&](const Stmt &stmt) { found |= stmt.kind == kind; });
  return found;
}

/// Whether in some dimension not all processors contribute: in a grid dimension
/// they do, with values of their own.
bool isFloodedSomewhere(const Region *region) {
  return region && is_contained(region->shape, DimKind::Flood);
}

class CombineJoiner {
public:
  CombineJoiner(const Procedure &procedure, const Effects &effects,
                const GlobalUses &globals, PassContext &context)
      : procedure(procedure), effects(effects), globals(globals),
        context(context) {}

  void list(StmtList &list) {
    join(list);
    nested(list);
  }

private:
  /// A combination that another one may join.
  struct Next {
    size_t at;
    std::string obstacle; ///< empty: none
  };

  void nested(StmtList &list) {
    for (Stmt *stmt : list) {
      auto *repeat = dyn_cast<RepeatStmt>(stmt);
      if (repeat && !contains(repeat->body, StmtKind::Continue))
        joinRepeat(*repeat);
      else
        forEachList(*stmt, [&](StmtList &inner) { this->list(inner); });
    }
  }

  void joinRepeat(RepeatStmt &repeat) {
    SmallPtrSet<const Stmt *, 8> ofPrelude(repeat.prelude.begin(),
                                           repeat.prelude.end());
    StmtList both = repeat.body;
    both.insert(both.end(), repeat.prelude.begin(), repeat.prelude.end());
    join(both);
    auto first = find_if(
        both, [&](const Stmt *stmt) { return ofPrelude.contains(stmt); });
    repeat.body.assign(both.begin(), first);
    repeat.prelude.assign(first, both.end());
    nested(repeat.body);
    nested(repeat.prelude);
  }

  void join(StmtList &list) {
    for (size_t i = 0; i < list.size();) {
      auto *combine = dyn_cast<CombineStmt>(list[i]);
      if (!combine || combine->phase != CombineStmt::Whole) {
        ++i;
        continue;
      }
      CombineTail tail(*combine, list, i, context);
      std::optional<Next> next = nextOf(*combine, tail, list);
      if (next && next->obstacle.empty()) {
        i = merge(list, i, tail.end, next->at);
        continue;
      }
      if (next)
        context.missed(combine->range, "not in one message with the reduction" +
                                           afterIt(*list[next->at], context) +
                                           ": " + next->obstacle);
      ++i;
    }
  }

  /// The next whole combination of the list, and what is against it.
  std::optional<Next> nextOf(const CombineStmt &combine,
                             const CombineTail &tail, const StmtList &list) {
    std::string obstacle = whyFixed(combine);
    for (size_t k = tail.end; k < list.size(); ++k) {
      auto *other = dyn_cast<CombineStmt>(list[k]);
      if (other && other->phase == CombineStmt::Whole) {
        if (obstacle.empty())
          obstacle = whyApart(combine, *other, tail);
        return Next{k, obstacle};
      }
      if (obstacle.empty())
        obstacle = whyNotPassed(*list[k], combine, tail);
    }
    return std::nullopt;
  }

  /// Why a combination must stay where it is.
  std::string whyFixed(const CombineStmt &combine) const {
    RunTimeChecks checks = possibleChecks(context);
    for (const CombineStmt::Value &value : combine.values()) {
      if (!isLocalValue(*value.variable))
        return "its result goes straight to a variable that others know";
      if (value.with && !globals.isClosed(*value.with, checks))
        return OpenOperator.str();
    }
    return "";
  }

  /// Why two combinations do not fit together.
  std::string whyApart(const CombineStmt &combine, const CombineStmt &other,
                       const CombineTail &tail) {
    if (combine.region != other.region && (isFloodedSomewhere(combine.region) ||
                                           isFloodedSomewhere(other.region)))
      return "other processors contribute to that one; reduce over regions "
             "without flooded dimensions, or over one region";
    if (tail.isTouchedBy(other))
      return "both are of one variable";
    return "";
  }

  std::string whyNotPassed(const Stmt &stmt, const CombineStmt &combine,
                           const CombineTail &tail) {
    std::string where = context.atLine(stmt.range);
    auto isUsed = [&](const Variable *v) { return mayUse(stmt, *v); };
    if (any_of(tail.written, isUsed))
      return "its result is used in between" + where +
             "; compute both before the first use";
    if (leavesMemory(stmt))
      return (BesideMemory + where).str() + "; move it before or behind both";
    WriteSet written = effects.writes(procedure, stmt);
    if (any_of(tail.read, [&](const Variable *v) {
          return written.variables.contains(v) && isUsed(v);
        }))
      return "what is computed from it depends on variables that change in "
             "between" +
             where;
    if (isFloodedSomewhere(combine.region) &&
        written.regions.contains(combine.region))
      return "its region changes in between" + where;
    return "";
  }

  /// Whether a statement, or a nested one, or what is called, may have to do
  /// with a variable. One by reference may be any to what is called.
  bool mayUse(const Stmt &stmt, const Variable &variable) const {
    bool found = mayTouch(stmt, variable) ||
                 (variable.byReference && callsProcedure(stmt)) ||
                 (variable.storage == Storage::Global &&
                  globals.mayUseInCalls(stmt, variable));
    forEachList(stmt, [&](const StmtList &list) {
      found = found || any_of(list, [&](const Stmt *inner) {
                return mayUse(*inner, variable);
              });
    });
    return found;
  }

  /// Makes the combination at \p i, whose tail ends before \p end, one with that
  /// at \p k; returns where it is then.
  size_t merge(StmtList &list, size_t i, size_t end, size_t k) {
    auto &first = cast<CombineStmt>(*list[i]);
    auto &last = cast<CombineStmt>(*list[k]);
    context.applied(first.range, "in one message with the reduction" +
                                     afterIt(last, context));
    context.count("combinations");
    auto values = first.values();
    values.append(last.values());
    last.op = values[0].op;
    last.with = values[0].with;
    last.variable = values[0].variable;
    last.others.assign(values.begin() + 1, values.end());
    if (!last.region)
      last.region = first.region;
    auto at = [&](size_t position) {
      return list.begin() + static_cast<ptrdiff_t>(position);
    };
    std::rotate(at(i + 1), at(end), at(k + 1)); // the tail comes behind both
    list.erase(at(i));
    return k - (end - i);
  }

  const Procedure &procedure;
  const Effects &effects;
  const GlobalUses &globals;
  PassContext &context;
};

} // namespace

void joinCombines(Module &module, PassContext &context) {
  Effects effects(module);
  GlobalUses globals(module);
  for (Procedure *procedure : module.procedures)
    CombineJoiner(*procedure, effects, globals, context).list(procedure->body);
  joinArrayCombines(module, effects, globals, context);
}

} // namespace zpl::air
