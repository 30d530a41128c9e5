//===- SplitCombines.cpp - Reductions in two phases -----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     mloop @R { accumulate sum %s.local, @A }
//     combine sum %s.local over @R               combine-begin sum %s.local ...
//     set %s = %s.local                     =>   mloop @R { store @B = ... }
//     mloop @R { store @B = mul(@A, f64 2.0) }   combine-end %s.local
//     builtin ...                                set %s = %s.local
//
// The *tail* of a combination is its end and the assignments to variables that
// follow it and use the result. For each `combine`, the statements after the
// tail are looked at in turn. The tail can move after one
//
//  1. after which the next one is executed (mayStandInSplit), that is no end of
//     another combination, so that ends keep their order, and calls no
//     procedure, which might know a variable of the tail;
//  2. that mentions neither the accumulator nor a variable that the tail sets,
//     and writes none that it reads, under any name: variables by reference
//     stand for all but local ones.
//
// It moves after the last one that takes time: an M-loop, an array operator,
// or a transfer's wait. Where there is none, splitting would only cost. Lists
// are gone through from their end, so that an earlier combination sees where
// the ends of later ones have come to.
//
// Cost: linear in the statements that are passed, times the variables of the
// tail.
//
//===----------------------------------------------------------------------===//

#include "Communication/SplitCombines.h"
#include "Communication/Joins/CombineTails.h"
#include "zpl/Analysis/Overlap.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace zpl::air {
namespace {

class CombineSplitter {
public:
  CombineSplitter(Module &module, PassContext &context)
      : module(module), context(context) {}

  void list(StmtList &list) {
    for (size_t i = list.size(); i-- > 0;) {
      auto *combine = dyn_cast<CombineStmt>(list[i]);
      if (combine && combine->phase == CombineStmt::Whole &&
          all_of(combine->values(), [](const CombineStmt::Value &value) {
            return !value.with && isLocalValue(*value.variable);
          }))
        split(*combine, list, i);
    }
    for (Stmt *stmt : list)
      forEachList(*stmt, [&](StmtList &inner) { this->list(inner); });
  }

private:
  /// Splits the combination at position \p i if that is of use.
  void split(CombineStmt &combine, StmtList &list, size_t i) {
    CombineTail tail(combine, list, i, context);
    size_t first = tail.end;
    size_t last = first; // after what is passed
    const Stmt *work = nullptr;
    for (size_t k = first; k < list.size() && mayBePassed(*list[k], tail); ++k)
      if (takesTime(*list[k])) {
        work = list[k];
        last = k + 1;
      }
    if (!work) {
      context.missed(combine.range, "not split: nothing is computed before the "
                                    "result is used; use it some statements "
                                    "later, or every few iterations");
      return;
    }
    context.applied(combine.range,
                    "the processors' values are combined after what follows" +
                        context.atLine(work->range));
    context.count("combinations");
    auto *end = module.make<CombineStmt>(combine.op, combine.variable,
                                         /*region=*/nullptr, combine.range);
    end->phase = CombineStmt::End;
    end->others = combine.others;
    combine.phase = CombineStmt::Begin;
    auto at = [&](size_t k) {
      return list.begin() + static_cast<ptrdiff_t>(k);
    };
    std::rotate(at(i + 1), at(first), at(last));
    list.insert(at(last - (first - i - 1)), end);
  }

  static bool mayBePassed(const Stmt &stmt, const CombineTail &tail) {
    auto *combine = dyn_cast<CombineStmt>(&stmt);
    if (!mayStandInSplit(stmt) || callsProcedure(stmt) ||
        (combine && combine->phase == CombineStmt::End))
      return false;
    return !tail.isTouchedBy(stmt) &&
           none_of(tail.read,
                   [&](const Variable *v) { return writes(stmt, *v); });
  }

  /// Whether a statement that may stand in a split writes the variable.
  static bool writes(const Stmt &stmt, const Variable &variable) {
    auto isIt = [&](const Variable *other) {
      return other && mayBeOne(*other, variable);
    };
    if (auto *set = dyn_cast<SetStmt>(&stmt))
      return isIt(rootVariable(set->target));
    if (auto *combine = dyn_cast<CombineStmt>(&stmt))
      return any_of(combine->values(), [&](const CombineStmt::Value &value) {
        return isIt(value.variable);
      });
    if (auto *fold = dyn_cast<FoldStmt>(&stmt))
      return isIt(fold->variable);
    if (auto *reduce = dyn_cast<ReduceStmt>(&stmt))
      return isIt(reduce->target);
    auto *loop = dyn_cast<MLoopStmt>(&stmt);
    return loop && any_of(loop->body, [&](const ElementOp &op) {
             return isIt(op.accumulator);
           });
  }

  Module &module;
  PassContext &context;
};

} // namespace

void splitCombines(Module &module, PassContext &context) {
  for (Procedure *procedure : module.procedures)
    CombineSplitter(module, context).list(procedure->body);
}

} // namespace zpl::air
