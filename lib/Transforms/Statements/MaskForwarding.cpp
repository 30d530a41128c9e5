//===- MaskForwarding.cpp - Masks that need not be stored -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     alloc %T
//     [@R] %T = gt(@A, f64 0.0)       =>   [@R where gt(@A, f64 0.0)] @B = @C
//     [@R where %T] @B = @C
//     free %T
//
// A mask is an array of booleans that one kind of statement reads: guards over
// the region for which it was computed. For each statement that computes one,
// those after it are looked at up to the next, or to the end of the list:
//
//  1. A guard can get the expression if nothing has written what that reads
//     since; shifted elements, then, are still there, too. A statement that
//     writes the mask's operand itself reads it first, index by index.
//  2. If all that reads the mask got it, the mask goes, with the statements
//     that compute, make and free it. A mask of the program's own goes if no
//     other procedure names it.
//  3. Otherwise the mask stays, and guards get of the expression what it says
//     of indices, beside the mask: that limits the region.
//
// An expression is computed again for each guard. That must cost no more than
// to load the mask: it is short and reads no arrays but those that the
// statement reads in any case, or there is one such guard.
//
// Cost: linear in the statements, times masks that a list computes.
//
//===----------------------------------------------------------------------===//

#include "Communication/TransferEdits.h"
#include "Statements/GuardedStatements.h"
#include "zpl/ArrayIR/RegionDefinitions.h"
#include "zpl/ArrayIR/Rewrite.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/MapVector.h"

using namespace llvm;

namespace zpl::air {
namespace {

/// Operators that are computed again rather than loaded.
constexpr unsigned maxOperators = 12;

/// The mask that a statement computes everywhere; else null.
Array *computedMask(const Stmt &stmt) {
  auto *assign = dyn_cast<ArrayAssignStmt>(&stmt);
  auto *target = assign ? dyn_cast<ElementExpr>(assign->target) : nullptr;
  if (!target || assign->guard || target->isShifted() ||
      target->type != Type::Bool ||
      !target->array->declared) // a parameter, a view, a temporary
    return nullptr;
  return target->array;
}

/// Where a mask is named.
struct Uses {
  const Procedure *procedure = nullptr; ///< that reads or computes it
  unsigned inGuards = 0;                ///< elements
  unsigned others = 0; ///< other than to make, free and compute it
};

class MaskForwarder {
public:
  MaskForwarder(Procedure &procedure, Module &module, const Effects &effects,
                PassContext &context)
      : procedure(procedure), module(module), effects(effects),
        context(context) {}

  void run() {
    forEachStmt(procedure.body, [&](const Stmt &stmt) {
      if (Array *mask = computedMask(stmt))
        uses.try_emplace(mask);
    });
    if (uses.empty())
      return;
    for (const Procedure *each : module.procedures) {
      forEachStmt(each->body,
                  [&](const Stmt &stmt) { countUses(*each, stmt); });
      for (const Transfer *transfer : each->transfers)
        for (const auto &item : transfer->items)
          addOther(item.first);
    }
    list(procedure.body);
    for (const auto &[mask, plan] : plans)
      apply(*mask, plan);
    drop();
  }

private:
  /// A guard that may get what its mask consists of.
  struct Replacement {
    Stmt *stmt;
    const Expr *value;
  };
  struct Plan {
    std::vector<Replacement> replacements;
    unsigned elements = 0; ///< in the guards
    bool isCheap = true;
    SourceRange range;
  };

  void addOther(const Array *array) {
    auto found = uses.find(array);
    if (found != uses.end())
      ++found->second.others;
  }

  void countUses(const Procedure &in, const Stmt &stmt) {
    auto *alloc = dyn_cast<AllocArrayStmt>(&stmt);
    bool isPlain = (alloc && !alloc->follows && !alloc->like &&
                    alloc->array->borders.empty()) ||
                   isa<FreeArrayStmt>(stmt);
    if (isPlain)
      return;
    forEachArray(stmt, [&](const Array &array) {
      auto found = uses.find(&array);
      if (found == uses.end())
        return;
      Uses &of = found->second;
      of.others += 1 + (of.procedure && of.procedure != &in);
      of.procedure = &in;
    });
    if (auto found = uses.find(computedMask(stmt)); found != uses.end())
      --found->second.others;
    if (const Expr *guard = guardOf(stmt))
      forEachExpr(*guard, [&](const Expr &e) {
        auto *element = dyn_cast<ElementExpr>(&e);
        auto found = element ? uses.find(element->array) : uses.end();
        if (found == uses.end() || element->isShifted())
          return;
        ++found->second.inGuards;
        --found->second.others;
      });
  }

  void list(StmtList &list) {
    for (size_t i = 0; i < list.size(); ++i) {
      forEachList(*list[i], [&](StmtList &inner) { this->list(inner); });
      if (Array *mask = computedMask(*list[i]))
        follow(*mask, cast<ArrayAssignStmt>(*list[i]), list, i + 1);
    }
  }

  static bool reads(const Expr &expr, const Array *mask) {
    bool found = false;
    forEachExpr(expr, [&](const Expr &e) {
      auto *element = dyn_cast<ElementExpr>(&e);
      found |= element && element->array == mask;
    });
    return found;
  }

  /// Looks for guards after \p definition that may get its value.
  void follow(Array &mask, const ArrayAssignStmt &definition, StmtList &list,
              size_t from) {
    Plan &plan = plans[&mask];
    plan.range = definition.range;
    const Expr *value = definition.value;
    Reads reads(*value);
    reads.regions.insert(definition.region);
    if (reads.calls || reads.arrays.contains(&mask) || remaps(*value))
      return;
    for (size_t j = from; j < list.size(); ++j) {
      Stmt &stmt = *list[j];
      WriteSet written = effects.writes(procedure, stmt);
      if (written.arrays.contains(&mask))
        return;
      bool changes = reads.isChangedBy(written);
      if (guardedStatement(stmt)) {
        if (!changes || readsInPlace(*value, written))
          replace(mask, definition, stmt, plan);
      } else if (!changes) {
        forEachList(stmt, [&](StmtList &inner) {
          forEachStmt(inner, [&](Stmt &nested) {
            replace(mask, definition, nested, plan);
          });
        });
      }
      if (changes)
        return;
    }
  }

  /// Whether all that \p value reads of what is written is at the index at
  /// hand.
  static bool readsInPlace(const Expr &value, const WriteSet &written) {
    bool good = true;
    forEachExpr(value, [&](const Expr &e) {
      auto *element = dyn_cast<ElementExpr>(&e);
      if (element && written.arrays.contains(element->array))
        good &= !element->isShifted();
      auto *variable = dyn_cast<VarExpr>(&e);
      good &= !(variable && written.variables.contains(variable->variable));
    });
    return good;
  }

  void replace(Array &mask, const ArrayAssignStmt &definition, Stmt &stmt,
               Plan &plan) {
    auto guarded = guardedStatement(stmt);
    if (!guarded || !guarded->guard || guarded->region != definition.region ||
        !reads(*guarded->guard, &mask))
      return;
    forEachExpr(*guarded->guard, [&](const Expr &e) {
      auto *element = dyn_cast<ElementExpr>(&e);
      plan.elements += element && element->array == &mask;
    });
    plan.isCheap &= isCheapIn(*definition.value, stmt);
    plan.replacements.push_back({&stmt, definition.value});
  }

  /// Whether an operation takes longer than some loads.
  static bool isSlow(const Expr &e) {
    auto *binary = dyn_cast<BinaryExpr>(&e);
    if (!binary)
      return isa<MathExpr>(e);
    if (binary->op == BinaryOp::Pow)
      return true;
    if (binary->op != BinaryOp::Div && binary->op != BinaryOp::Rem)
      return false;
    auto divisor = constantInteger(binary->right);
    return !divisor || *divisor <= 0 || !isPowerOf2_64(*divisor);
  }

  /// Whether the value costs little where \p stmt computes it again.
  static bool isCheapIn(const Expr &value, const Stmt &stmt) {
    unsigned operators = 0;
    bool good = true;
    DenseSet<const Array *> there;
    forEachExpr(stmt, [&](const Expr &e) {
      if (auto *element = dyn_cast<ElementExpr>(&e))
        there.insert(element->array);
    });
    forEachExpr(value, [&](const Expr &e) {
      if (auto *element = dyn_cast<ElementExpr>(&e))
        good &= there.contains(element->array);
      good &= !isSlow(e);
      operators += !isa<ElementExpr, ConstExpr, VarExpr, IndexExpr>(e);
    });
    return good && operators <= maxOperators;
  }

  /// The part of a conjunction that reads indices and no arrays, and is not
  /// slow; or null.
  const Expr *ofIndices(const Expr *e) {
    auto *binary = dyn_cast<BinaryExpr>(e);
    if (binary && binary->op == BinaryOp::And && e->type == Type::Bool) {
      const Expr *left = ofIndices(binary->left);
      const Expr *right = ofIndices(binary->right);
      if (!left || !right)
        return left ? left : right;
      return module.make<BinaryExpr>(BinaryOp::And, left, right, e->range);
    }
    bool hasIndex = false, isBad = false;
    forEachExpr(*e, [&](const Expr &part) {
      hasIndex |= isa<IndexExpr>(part);
      isBad |= isa<ElementExpr>(part) || isSlow(part);
    });
    return hasIndex && !isBad ? e : nullptr;
  }

  void apply(const Array &mask, const Plan &plan) {
    const Uses &of = uses[&mask];
    bool isAll = plan.elements == of.inGuards && of.others == 0;
    bool isForwarded = isAll && plan.elements > 0 &&
                       (plan.isCheap || plan.replacements.size() == 1);
    if (isForwarded) {
      dead.insert(&mask);
      context.applied(plan.range, "the mask is not stored");
    } else if (plan.elements > 0) {
      context.missed(plan.range,
                     std::string("the mask is stored: ") +
                         (isAll ? "to compute it again costs more"
                                : "it is used for more than guards, or after "
                                  "what it reads has changed; change that "
                                  "after the statements under the mask"));
    }
    for (const Replacement &each : plan.replacements) {
      const Expr *value = isForwarded ? each.value : ofIndices(each.value);
      if (!value)
        continue;
      ExprRewriter rewriter(module, [&](const Expr *e) -> const Expr * {
        auto *element = dyn_cast<ElementExpr>(e);
        if (!element || element->array != &mask)
          return e;
        return isForwarded
                   ? value
                   : module.make<BinaryExpr>(BinaryOp::And, value, e, e->range);
      });
      auto guarded = guardedStatement(*each.stmt);
      guarded->guard = rewriter.rewrite(guarded->guard);
    }
  }

  /// The statements that make, compute and free masks that nothing reads.
  void drop() {
    if (dead.empty())
      return;
    auto isOfDead = [&](const Stmt *stmt) {
      if (auto *alloc = dyn_cast<AllocArrayStmt>(stmt))
        return dead.contains(alloc->array);
      if (auto *free = dyn_cast<FreeArrayStmt>(stmt))
        return dead.contains(free->array);
      const Array *mask = computedMask(*stmt);
      return mask && dead.contains(mask);
    };
    for (Procedure *each : module.procedures)
      rewriteStmts(each->body, [&](Stmt *stmt, StmtList &result) {
        if (!isOfDead(stmt))
          result.push_back(stmt);
      });
    erase_if(procedure.arrays,
             [&](const Array *array) { return dead.contains(array); });
  }

  Procedure &procedure;
  Module &module;
  const Effects &effects;
  PassContext &context;
  DenseMap<const Array *, Uses> uses;
  MapVector<const Array *, Plan> plans;
  DenseSet<const Array *> dead;
};

} // namespace

void forwardMasks(Procedure &procedure, Module &module, const Effects &effects,
                  PassContext &context) {
  MaskForwarder(procedure, module, effects, context).run();
}

} // namespace zpl::air
