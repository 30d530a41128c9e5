//===- SkewTimeSteps.cpp - Several time steps in one sweep ----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     for %t = i32 1 to @n by i32 1 {   set %t.last = @n
//       dr %u ... sv %u                 for %t = i32 1 to %t.last by i32 1 {
//       mloop @R levels(...) {            mloop @R steps %t.steps
//         store %B = ...                    of <%t to %t.last> lag 2
//         after 1 {                =>       brings(%u) levels(...) {
//           store @A = %B                   ... as before
//         }                               }
//       }                                 set %t = add(%t, i32(%t.steps - 1))
//     }                                 }
//
// The M-loop does the work of so many iterations, and the loop goes on behind
// them. Where it executes one, it does so in a nest of its own.
//
// What else the body does is done once for all of them: regions, checks and
// points of transfers. It is the same in each iteration, for it reads nothing
// that the body changes. It stands before the M-loop (points may stand behind).
//
// Between processors the M-loop begins with an exchange of what all of its
// iterations need of other blocks. That has what a transfer in front of it
// would bring, of elements that the M-loop reads over the same region. So such
// a transfer becomes part of the M-loop (`brings`), which does without it unless
// it executes one iteration.
//
// Where the delayed part only copies B to A, the two take turns: of two
// iterations the first one reads A and stores B, the second one the other way
// round, without copies (`swaps(@A for %B)`).
//
// How far iterations must stay behind each other is a matter of the M-loop
// alone: see TimeSteps.cpp. How many rows fit the caches only the run knows
// (zrtA_time_steps).
//
// Cost: linear in the statements, times pairs of accesses in such M-loops.
//
//===----------------------------------------------------------------------===//

#include "Loops/Time/SkewTimeSteps.h"
#include "Loops/LoopNeighbours.h"
#include "Loops/Time/EarlyValues.h"
#include "zpl/Analysis/StorageAliases.h"
#include "zpl/ArrayIR/Names.h"
#include "zpl/ArrayIR/Operands.h"
#include "zpl/ArrayIR/TimeSteps.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace llvm;

namespace zpl::air {
namespace {

/// As far as the loop's variable may move in one sweep: sums of it stay in
/// their types.
constexpr int64_t MostStep = 1 << 16;

/// A loop of iterations around one M-loop.
struct TimeLoop {
  ForStmt &loop;
  Variable *variable;
  int64_t step;
  MLoopStmt *sweep = nullptr;
};

class TimeSkewer {
public:
  TimeSkewer(Procedure &procedure, Module &module, PassContext &context)
      : procedure(procedure), module(module), context(context),
        names(procedure), aliases(module, procedure) {}

  void run() {
    rewriteStmts(procedure.body, [&](Stmt *stmt, StmtList &result) {
      if (auto *loop = dyn_cast<ForStmt>(stmt))
        visit(*loop, result);
      result.push_back(stmt);
    });
  }

private:
  void visit(ForStmt &loop, StmtList &result) {
    TimeLoop time{loop, nullptr, 0};
    std::string why = obstacle(time);
    unsigned lag = 0;
    if (why.empty()) {
      if (findSwaps(*time.sweep).empty())
        computeEarly(*time.sweep, procedure, module, names);
      time.sweep->time.swaps = findSwaps(*time.sweep);
      std::optional<unsigned> least =
          leastLag(module, *time.sweep, procedure.mayAlias, why);
      lag = least.value_or(0);
    }
    if (why.empty())
      return skew(time, lag, result);
    if (time.sweep && !time.sweep->time.most)
      time.sweep->time.swaps.clear();
    if (isStencil(loop))
      context.missed(loop.range,
                     "iterations are not run several in one sweep: " + why);
  }

  /// Whether it is worth a word: the body has M-loops of which one reads at
  /// another index what one of them stores.
  static bool isStencil(const ForStmt &loop) {
    SmallPtrSet<const Array *, 8> stored;
    bool found = false;
    for (const Stmt *stmt : loop.body)
      if (auto *sweep = dyn_cast<MLoopStmt>(stmt))
        for (const ElementOp &op : sweep->body)
          for (const Array *array : storedBy(op))
            stored.insert(array);
    for (const Stmt *stmt : loop.body)
      if (isa<MLoopStmt>(stmt))
        forEachExpr(*stmt, [&](const Expr &e) {
          auto *element = dyn_cast<ElementExpr>(&e);
          found |= element && element->isShifted() &&
                   stored.contains(element->array);
        });
    return found;
  }

  //===--------------------------------------------------------------------===//
  // Which loops
  //===--------------------------------------------------------------------===//

  /// Why the loop is none of iterations around one M-loop; else empty, and
  /// \p time is filled in.
  std::string obstacle(TimeLoop &time) const {
    if (procedure.mayAlias)
      return "arrays of '" + procedure.sourceName + "' may be the same";
    auto *variable = dyn_cast<VarExpr>(time.loop.variable);
    auto *step = dyn_cast<ConstExpr>(time.loop.step);
    if (!variable || variable->variable->storage == Storage::Param ||
        !mayCount(variable->type))
      return "its variable is no integer of 32 bits of its own";
    if (!step || step->integer < 1 || step->integer > MostStep)
      return "its step is not a small constant";
    time.variable = variable->variable;
    time.step = step->integer;
    std::string why;
    for (Stmt *stmt : time.loop.body)
      if (why.empty())
        why = obstacle(*stmt, time);
    if (why.empty() && !time.sweep)
      why = "it computes nothing";
    return why.empty() ? obstacleInside(time) : why;
  }

  static bool mayCount(Type type) {
    return type == Type::I8 || type == Type::I16 || type == Type::I32;
  }

  /// Why a statement of the body does not do with being executed once; notes
  /// the M-loop.
  std::string obstacle(Stmt &stmt, TimeLoop &time) const {
    if (auto *sweep = dyn_cast<MLoopStmt>(&stmt)) {
      if (time.sweep)
        return "it has more than one sweep" + context.atLine(stmt.range);
      time.sweep = sweep;
      return "";
    }
    if (isa<TransferPointStmt>(stmt))
      return "";
    bool isSame = !time.sweep && mayBeRepeated(stmt, time);
    forEachExpr(stmt, [&](const Expr &e) {
      auto *read = dyn_cast<VarExpr>(&e);
      isSame &=
          !isa<CallExpr>(e) && !(read && (read->variable->byReference ||
                                          read->variable == time.variable));
    });
    return isSame ? ""
                  : "a statement in it is to be executed each time" +
                        context.atLine(stmt.range);
  }

  /// Whether it does the same each time if the variables that it reads are the
  /// same.
  static bool mayBeRepeated(const Stmt &stmt, const TimeLoop &time) {
    auto *set = dyn_cast<SetRegionStmt>(&stmt);
    auto *check = dyn_cast<CheckStmt>(&stmt);
    bool isGood = set ? set->target->storage == Storage::Local &&
                            set->value.kind != RegionExpr::Declared &&
                            set->value.kind != RegionExpr::Where
                      : check && check->check != CheckStmt::Maps;
    // A region that is set behind is another one the next time.
    forEachOperand(stmt, [&](const Operand &operand) {
      Region *region = operand.as<Region *>();
      isGood &= operand.use != Use::Read || !isSetFrom(stmt, region, time);
    });
    forEachExpr(stmt, [&](const Expr &e) {
      auto *bound = dyn_cast<BoundExpr>(&e);
      isGood &= !bound || !isSetFrom(stmt, bound->region, time);
    });
    return isGood;
  }

  /// Whether \p stmt or what follows it in the body sets \p region, which
  /// nothing before it does.
  static bool isSetFrom(const Stmt &stmt, const Region *region,
                        const TimeLoop &time) {
    bool isHere = false;
    for (const Stmt *other : time.loop.body) {
      isHere |= other == &stmt;
      auto *set = dyn_cast<SetRegionStmt>(other);
      if (set && set->target == region)
        return isHere;
    }
    return false;
  }

  /// Why what the M-loop names does not do.
  std::string obstacleInside(const TimeLoop &time) const {
    if (time.sweep->time.most || !time.sweep->walkers.empty())
      return "its sweep has its form";
    std::string why;
    forEachArray(*time.sweep, [&](const Array &array) {
      if (aliases.isBorrower(&array))
        why = "its sweep reads a shifted array, which may be another one's "
              "storage";
    });
    bool calls = false, isGlobal = time.variable->storage != Storage::Local;
    forEachExpr(*time.sweep, [&](const Expr &e) {
      if (auto *call = dyn_cast<CallExpr>(&e)) {
        calls = true;
        if (!isTransparent(*call->callee))
          why = "a procedure is called for each element";
      }
      auto *read = dyn_cast<VarExpr>(&e);
      if (isGlobal && read && read->variable->byReference)
        why = "its variable may have another name in its sweep";
      if (auto *subscript = dyn_cast<SubscriptExpr>(&e))
        for (const Expr *index : subscript->subscripts)
          if (reads(*index, *time.variable))
            why = "its variable is a subscript in its sweep";
    });
    if (isGlobal && calls)
      why = "a procedure that is called for each element may read its variable";
    return why;
  }

  static bool reads(const Expr &expr, const Variable &variable) {
    bool found = false;
    forEachExpr(expr, [&](const Expr &e) {
      auto *read = dyn_cast<VarExpr>(&e);
      found |= read && read->variable == &variable;
    });
    return found;
  }

  //===--------------------------------------------------------------------===//
  // What becomes of them
  //===--------------------------------------------------------------------===//

  Variable *local(const TimeLoop &time, StringRef suffix, Type type) {
    auto *variable = module.make<Variable>();
    variable->name = names.make((time.variable->name + suffix).str());
    variable->type = type;
    variable->range = time.loop.range;
    procedure.variables.push_back(variable);
    return variable;
  }

  const Expr *constant(Type type, int64_t value, SourceRange range) {
    auto *expr = module.make<ConstExpr>(type, range);
    expr->integer = value;
    return expr;
  }

  const Expr *binary(BinaryOp op, const Expr *left, const Expr *right) {
    return module.make<BinaryExpr>(op, left, right, left->range);
  }

  /// How many iterations are left, from the one at hand on.
  const Expr *iterationsLeft(const TimeLoop &time, const Expr *last) {
    SourceRange range = time.loop.range;
    auto wide = [&](const Expr *e) {
      return module.make<CastExpr>(Type::I64, e, range);
    };
    const Expr *now = wide(time.loop.variable), *end = wide(last);
    if (time.loop.down)
      std::swap(now, end);
    const Expr *distance = binary(BinaryOp::Sub, end, now);
    if (time.step != 1)
      distance = binary(BinaryOp::Div, distance,
                        constant(Type::I64, time.step, range));
    return binary(BinaryOp::Add, distance, constant(Type::I64, 1, range));
  }

  void skew(TimeLoop &time, unsigned lag, StmtList &result) {
    ForStmt &loop = time.loop;
    SourceRange range = loop.range;
    const Expr *last = module.make<VarExpr>(
        local(time, ".last", loop.variable->type), loop.bound->range);
    result.push_back(module.make<SetStmt>(last, loop.bound, range));
    loop.bound = last;

    TimeSteps &steps = time.sweep->time;
    steps.most = iterationsLeft(time, last);
    steps.taken = local(time, ".steps", Type::I64);
    steps.lag = lag;
    bool isRead = false;
    for (const ElementOp &op : time.sweep->body)
      forEachExpr(op, [&](const Expr &e) {
        auto *read = dyn_cast<VarExpr>(&e);
        isRead |= read && read->variable == time.variable;
      });
    if (isRead) {
      steps.clock = time.variable;
      steps.by = loop.down ? -time.step : time.step;
    }
    const Expr *more =
        binary(BinaryOp::Sub, module.make<VarExpr>(steps.taken, range),
               constant(Type::I64, 1, range));
    if (time.step != 1)
      more = binary(BinaryOp::Mul, more, constant(Type::I64, time.step, range));
    const Expr *next =
        binary(loop.down ? BinaryOp::Sub : BinaryOp::Add, loop.variable,
               module.make<CastExpr>(loop.variable->type, more, range));
    loop.body.push_back(module.make<SetStmt>(loop.variable, next, range));
    bool isAlone = stepReach(*time.sweep).isAlone;
    bool isServed = !isAlone && takeTransfers(time);
    context.count("loops");
    context.applied(
        range,
        "several iterations run in one sweep where one processor has "
        "arrays larger than its caches" +
            (lag == 0 ? std::string()
                      : ", each " + std::to_string(lag) +
                            (lag == 1 ? " row" : " rows") +
                            " behind the one before") +
            (isAlone ? "; one at a time between processors: what they compute "
                       "beside their blocks has no place there"
             : isServed ? "; between processors they share an exchange"
                        : ""));
  }

  /// Makes the M-loop all points of the transfers before it that bring nothing
  /// else than what it reads: an exchange of what several iterations need
  /// brings that, too. True if there are some, and no others.
  bool takeTransfers(TimeLoop &time) {
    auto &brings = time.sweep->time.brings;
    SmallPtrSet<const Region *, 4> set;
    SmallPtrSet<const Transfer *, 4> behind;
    bool isBefore = false;
    for (const Stmt *stmt : reverse(time.loop.body)) {
      isBefore |= stmt == time.sweep;
      if (auto *sets = dyn_cast<SetRegionStmt>(stmt))
        set.insert(sets->target);
      auto *point = dyn_cast<TransferPointStmt>(stmt);
      if (!point)
        continue;
      Transfer *transfer = point->transfer;
      if (!isBefore)
        behind.insert(transfer);
      else if (point->point == TransferPointStmt::DR &&
               !behind.contains(transfer) && !set.contains(transfer->region) &&
               mayBring(*time.sweep, *transfer))
        brings.insert(brings.begin(), transfer);
    }
    erase_if(time.loop.body, [&](const Stmt *stmt) {
      auto *point = dyn_cast<TransferPointStmt>(stmt);
      return point && is_contained(brings, point->transfer);
    });
    return !brings.empty() && none_of(time.loop.body, [](const Stmt *stmt) {
      return isa<TransferPointStmt>(stmt);
    });
  }

  Procedure &procedure;
  Module &module;
  PassContext &context;
  NameAllocator names;
  const StorageAliases aliases;
};

} // namespace

void skewTimeSteps(Module &module, PassContext &context) {
  for (Procedure *procedure : module.procedures)
    TimeSkewer(*procedure, module, context).run();
}

} // namespace zpl::air
