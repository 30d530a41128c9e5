//===- TimeLoop.cpp - Loops of iterations around sweeps -------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     for %t = i32 1 to @n by i32 1 {    set %t.last = @n
//       region %s = ...                  for %t = i32 1 to %t.last by i32 1 {
//       mloop %s { ... }            =>     region %s = ...
//     }                                    mloop %s steps %t.steps
//                                            of <%t to %t.last> lag 2 { ... }
//                                          set %t = add(%t, i32(%t.steps - 1))
//                                        }
//
// The sweep has done so many iterations, so the variable goes on behind them.
// Everything else in the body is executed once for all of them: regions, checks
// and points of transfers, which read nothing that the body changes and stand
// before the sweep (points may stand behind).
//
// Cost: linear in the body, times its regions.
//
//===----------------------------------------------------------------------===//

#include "Loops/Time/TimeLoop.h"
#include "Loops/LoopNeighbours.h"
#include "zpl/ArrayIR/Operands.h"
#include "zpl/ArrayIR/TimeSteps.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace llvm;

namespace zpl::air {

/// As far as the loop's variable may move in one sweep: sums of it stay in
/// their types.
constexpr int64_t MostStep = 1 << 16;

//===----------------------------------------------------------------------===//
// Which loops
//===----------------------------------------------------------------------===//

static bool mayCount(Type type) {
  return type == Type::I8 || type == Type::I16 || type == Type::I32;
}

static bool reads(const Expr &expr, const Variable &variable) {
  bool found = false;
  forEachExpr(expr, [&](const Expr &e) {
    auto *read = dyn_cast<VarExpr>(&e);
    found |= read && read->variable == &variable;
  });
  return found;
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

/// Why a statement of the body does not do with being executed once; notes the
/// sweep.
static std::string obstacle(Stmt &stmt, TimeLoop &time,
                            const PassContext &context) {
  if (isa<MLoopStmt, StripsStmt>(stmt)) {
    if (time.sweep)
      return "it has more than one sweep" + context.atLine(stmt.range);
    time.sweep = &stmt;
    if (auto *strips = dyn_cast<StripsStmt>(&stmt))
      time.loops = strips->loops();
    else
      time.loops = {cast<MLoopStmt>(&stmt)};
    return "";
  }
  if (isa<TransferPointStmt>(stmt))
    return "";
  bool isSame = !time.sweep && mayBeRepeated(stmt, time);
  forEachExpr(stmt, [&](const Expr &e) {
    auto *read = dyn_cast<VarExpr>(&e);
    isSame &= !isa<CallExpr>(e) && !(read && (read->variable->byReference ||
                                              read->variable == time.variable));
  });
  return isSame ? ""
                : "a statement in it is to be executed each time" +
                      context.atLine(stmt.range);
}

/// Why what an M-loop of the sweep names does not do.
static std::string obstacleInside(const MLoopStmt &loop, const TimeLoop &time,
                                  const StorageAliases &aliases) {
  if (loop.time.most || !loop.walkers.empty())
    return "its sweep has its form";
  std::string why;
  forEachArray(loop, [&](const Array &array) {
    if (aliases.isBorrower(&array))
      why = "its sweep reads a shifted array, which may be another one's "
            "storage";
  });
  bool calls = false, isGlobal = time.variable->storage != Storage::Local;
  forEachExpr(loop, [&](const Expr &e) {
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

std::string whyNoTimeLoop(TimeLoop &time, const Procedure &procedure,
                          const StorageAliases &aliases,
                          const PassContext &context) {
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
      why = obstacle(*stmt, time, context);
  if (why.empty() && !time.sweep)
    why = "it computes nothing";
  for (const MLoopStmt *loop : time.loops)
    if (why.empty())
      why = obstacleInside(*loop, time, aliases);
  return why;
}

//===----------------------------------------------------------------------===//
// What becomes of them
//===----------------------------------------------------------------------===//

namespace {
/// Expressions and variables for one loop.
struct StepMaker {
  TimeLoop &time;
  Module &module;
  Procedure &procedure;
  NameAllocator &names;
  SourceRange range;

  Variable *local(StringRef suffix, Type type) {
    auto *variable = module.make<Variable>();
    variable->name = names.make((time.variable->name + suffix).str());
    variable->type = type;
    variable->range = range;
    procedure.variables.push_back(variable);
    return variable;
  }

  const Expr *constant(Type type, int64_t value) {
    auto *expr = module.make<ConstExpr>(type, range);
    expr->integer = value;
    return expr;
  }

  const Expr *binary(BinaryOp op, const Expr *left, const Expr *right) {
    return module.make<BinaryExpr>(op, left, right, left->range);
  }

  /// How many iterations are left, from the one at hand on.
  const Expr *iterationsLeft(const Expr *last) {
    auto wide = [&](const Expr *e) {
      return module.make<CastExpr>(Type::I64, e, range);
    };
    const Expr *now = wide(time.loop.variable), *end = wide(last);
    if (time.loop.down)
      std::swap(now, end);
    const Expr *distance = binary(BinaryOp::Sub, end, now);
    if (time.step != 1)
      distance =
          binary(BinaryOp::Div, distance, constant(Type::I64, time.step));
    return binary(BinaryOp::Add, distance, constant(Type::I64, 1));
  }

  /// The variable's value behind the iterations that the sweep has executed but
  /// one.
  const Expr *next(Variable *taken) {
    const Expr *more = binary(BinaryOp::Sub, module.make<VarExpr>(taken, range),
                              constant(Type::I64, 1));
    if (time.step != 1)
      more = binary(BinaryOp::Mul, more, constant(Type::I64, time.step));
    return binary(time.loop.down ? BinaryOp::Sub : BinaryOp::Add,
                  time.loop.variable,
                  module.make<CastExpr>(time.loop.variable->type, more, range));
  }
};
} // namespace

void countSteps(TimeLoop &time, TimeSteps &steps, unsigned lag, Module &module,
                Procedure &procedure, NameAllocator &names, StmtList &result) {
  ForStmt &loop = time.loop;
  SourceRange range = loop.range;
  StepMaker make{time, module, procedure, names, range};
  const Expr *last = module.make<VarExpr>(
      make.local(".last", loop.variable->type), loop.bound->range);
  result.push_back(module.make<SetStmt>(last, loop.bound, range));
  loop.bound = last;
  bool isRead = any_of(time.loops, [&](const MLoopStmt *sweep) {
    bool found = false;
    forEachExpr(*sweep, [&](const Expr &e) {
      auto *read = dyn_cast<VarExpr>(&e);
      found |= read && read->variable == time.variable;
    });
    return found;
  });
  steps.most = make.iterationsLeft(last);
  steps.taken = make.local(".steps", Type::I64);
  steps.lag = lag;
  if (isRead) {
    steps.clock = time.variable;
    steps.by = loop.down ? -time.step : time.step;
  }
  loop.body.push_back(
      module.make<SetStmt>(loop.variable, make.next(steps.taken), range));
}

bool mayMove(ArrayRef<MLoopStmt *> loops, const Transfer &transfer,
             const StorageAliases &aliases) {
  return any_of(loops, [&](const MLoopStmt *loop) {
    LoopAccesses accesses(*loop);
    return any_of(transfer.items, [&](const auto &item) {
      return aliases.mayHold(accesses.touched, item.first);
    });
  });
}

void waitBeforeSteps(StmtList &list, const StorageAliases &aliases) {
  for (size_t i = 0; i < list.size(); ++i) {
    forEachList(*list[i],
                [&](StmtList &inner) { waitBeforeSteps(inner, aliases); });
    SmallVector<MLoopStmt *, 4> timed;
    StmtList here{list[i]};
    forEachStmt(here, [&](Stmt &stmt) {
      auto *strips = dyn_cast<StripsStmt>(&stmt);
      if (strips && strips->time.most)
        append_range(timed, strips->loops());
      if (auto *loop = dyn_cast<MLoopStmt>(&stmt); loop && maySeekRoom(*loop))
        timed.push_back(loop);
    });
    if (timed.empty())
      continue;
    SmallPtrSet<const Transfer *, 8> begun;
    for (size_t j = 0; j < i; ++j)
      if (auto *point = dyn_cast<TransferPointStmt>(list[j]))
        begun.insert(point->transfer);
    for (size_t j = i + 1; j < list.size(); ++j) {
      auto *point = dyn_cast<TransferPointStmt>(list[j]);
      if (point && point->point == TransferPointStmt::SV &&
          begun.contains(point->transfer) &&
          mayMove(timed, *point->transfer, aliases)) {
        auto at = list.begin();
        std::rotate(at + i, at + j, at + j + 1);
        ++i;
      }
    }
  }
}

} // namespace zpl::air
