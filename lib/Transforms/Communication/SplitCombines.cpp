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
#include "zpl/Analysis/Overlap.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace zpl::air {
namespace {

bool isLocalValue(const Variable &variable) {
  return variable.storage == Storage::Local && !variable.byReference;
}

/// Whether both may be one variable.
bool mayBeOne(const Variable &a, const Variable &b) {
  return &a == &b || (a.byReference && !isLocalValue(b)) ||
         (b.byReference && !isLocalValue(a));
}

class CombineSplitter {
public:
  CombineSplitter(Module &module, PassContext &context)
      : module(module), context(context) {}

  void list(StmtList &list) {
    for (size_t i = list.size(); i-- > 0;) {
      auto *combine = dyn_cast<CombineStmt>(list[i]);
      if (combine && combine->phase == CombineStmt::Whole && !combine->with &&
          isLocalValue(*combine->variable))
        split(*combine, list, i);
    }
    for (Stmt *stmt : list)
      forEachList(*stmt, [&](StmtList &inner) { this->list(inner); });
  }

private:
  /// What moves after other statements, the combination's end included.
  struct Tail {
    SmallVector<const Variable *, 2> written;
    SmallVector<const Variable *, 4> read;
  };

  /// Splits the combination at position \p i if that is of use.
  void split(CombineStmt &combine, StmtList &list, size_t i) {
    Tail tail;
    tail.written.push_back(combine.variable);
    size_t first = i + 1;
    while (first < list.size() && extend(tail, *list[first]))
      ++first;
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
    combine.phase = CombineStmt::Begin;
    auto at = [&](size_t k) {
      return list.begin() + static_cast<ptrdiff_t>(k);
    };
    std::rotate(at(i + 1), at(first), at(last));
    list.insert(at(last - (first - i - 1)), end);
  }

  /// Adds an assignment to a variable that uses what the tail writes.
  static bool extend(Tail &tail, const Stmt &stmt) {
    auto *set = dyn_cast<SetStmt>(&stmt);
    auto *target = set ? dyn_cast<VarExpr>(set->target) : nullptr;
    if (!target || callsProcedure(stmt))
      return false;
    SmallVector<const Variable *, 4> read;
    forEachExpr(*set->value, [&](const Expr &e) {
      if (auto *variable = dyn_cast<VarExpr>(&e))
        read.push_back(variable->variable);
    });
    if (none_of(read, [&](const Variable *variable) {
          return is_contained(tail.written, variable);
        }))
      return false;
    tail.written.push_back(target->variable);
    tail.read.append(read);
    return true;
  }

  static bool mayBePassed(const Stmt &stmt, const Tail &tail) {
    auto *combine = dyn_cast<CombineStmt>(&stmt);
    if (!mayStandInSplit(stmt) || callsProcedure(stmt) ||
        (combine && combine->phase == CombineStmt::End))
      return false;
    return none_of(tail.written,
                   [&](const Variable *v) { return touches(stmt, *v); }) &&
           none_of(tail.read,
                   [&](const Variable *v) { return writes(stmt, *v); });
  }

  static bool touches(const Stmt &stmt, const Variable &variable) {
    bool found = mentions(stmt, &variable);
    forEachExpr(stmt, [&](const Expr &e) {
      auto *other = dyn_cast<VarExpr>(&e);
      found |= other && mayBeOne(*other->variable, variable);
    });
    return found;
  }

  /// Whether a statement that may stand in a split writes the variable.
  static bool writes(const Stmt &stmt, const Variable &variable) {
    auto isIt = [&](const Variable *other) {
      return other && mayBeOne(*other, variable);
    };
    if (auto *set = dyn_cast<SetStmt>(&stmt))
      return isIt(rootVariable(set->target));
    if (auto *combine = dyn_cast<CombineStmt>(&stmt))
      return isIt(combine->variable);
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
