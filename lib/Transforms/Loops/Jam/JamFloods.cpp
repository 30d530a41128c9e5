//===- JamFloods.cpp - Many iterations whose floods differ by k -----------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     for %k = i32 1 to @n by 1 {         set %k.from = i32 1
//       region %S = [_, %k] from @R       set %k.bound = @n
//       check read @A over %S             for %k.first = %k.from to %k.bound
//       flood %T = @A from %S                 by 64 {
//       region %V = [%k, _] from @R         set %k.count = min(...)
//       flood %U = @B from %V               for %k = %k.first to ... by 1 {
//       mloop @R {                   =>       region %S = [_, %k] from @R
//         store @C = fma(%T, %U, @C)          check read @A over %S
//       }                                     region %V = ...
//       free %T                             }
//       free %U                             set %k = %k.first
//     }                                     region %S = [_, %k] from @R
//                                           flood %T.1 = @A from %S
//                                               times %k.count
//                                           ...
//                                           mloop @R times %k.count levels(
//                                               0 up, times, 1 up) {
//                                             store @C = fma(%T.1, %U.1, @C)
//                                           }
//                                           free %T.1 ...
//                                         }
//                                         if le(%k.from, %k.bound) {
//                                           set %k = %k.bound
//                                           region %S = ..., region %V = ...
//                                           set %k = add(%k, i32 1)
//                                         } else {
//                                           set %k = %k.from
//                                         }
//
// if nothing but single indices `%k + c` of what the floods take depends on k:
// then T.1, a *panel*, gets what up to 64 iterations would get one after the
// other, in one message, and the M-loop runs them for each index in their
// order. In the end k and the regions are what they would be.
//
// The checks of 64 iterations come before the first one's stores: they end the
// run.
//
// Cost: linear in the statements.
//
//===----------------------------------------------------------------------===//

#include "Loops/Jam/JamFloods.h"
#include "Loops/BlockLoops.h"
#include "zpl/ArrayIR/Clone.h"
#include "zpl/ArrayIR/Domains.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/DenseMap.h"

using namespace llvm;

namespace zpl::air {
namespace {

class FloodJammer {
public:
  FloodJammer(const FloodLoop &body, int64_t iterations, Procedure &procedure,
              Module &module, NameAllocator &names)
      : body(body), iterations(iterations), loop(*body.loop),
        procedure(procedure), module(module), names(names),
        variable(cast<VarExpr>(loop.variable)->variable), range(loop.range) {}

  bool isLegal() {
    return variable->type == Type::I32 &&
           obstacleToBlocks(*body.sweep, module).empty() &&
           all_of(body.prologue,
                  [&](const Stmt *stmt) {
                    if (auto *set = dyn_cast<SetRegionStmt>(stmt))
                      return noteRegion(*set);
                    auto *flood = dyn_cast<FloodStmt>(stmt);
                    return !flood || noteFlood(*flood);
                  }) &&
           !dependsOnVariable(*body.sweep);
  }

  void jam(StmtList &result) {
    const Expr *from = local(".from", Type::I32),
               *bound = local(".bound", Type::I32),
               *first = local(".first", Type::I32),
               *count = local(".count", Type::I64);
    result.push_back(make<SetStmt>(from, loop.from, range));
    result.push_back(make<SetStmt>(bound, loop.bound, range));
    auto *blocks =
        make<ForStmt>(first, from, bound, constant(Type::I32, iterations),
                      /*down=*/false, range);
    addBlock(first, bound, count, blocks->body);
    result.push_back(blocks);
    auto *end = make<IfStmt>(
        make<CompareExpr>(CompareOp::Le, from, bound, range), range);
    end->thenBody.push_back(make<SetStmt>(loop.variable, bound, range));
    addRegions(end->thenBody);
    end->thenBody.push_back(make<SetStmt>(
        loop.variable,
        binary(BinaryOp::Add, loop.variable, constant(Type::I32, 1)), range));
    end->elseBody.push_back(make<SetStmt>(loop.variable, from, range));
    result.push_back(end);
  }

private:
  template <typename T, typename... Args> T *make(Args &&...args) {
    return module.make<T>(std::forward<Args>(args)...);
  }

  const Expr *local(StringRef suffix, Type type) {
    auto *made = make<Variable>();
    made->name = names.make((variable->name + suffix.str()));
    made->type = type;
    made->range = range;
    procedure.variables.push_back(made);
    return make<VarExpr>(made, range);
  }

  const Expr *constant(Type type, int64_t value) {
    auto *expr = make<ConstExpr>(type, range);
    expr->integer = value;
    return expr;
  }

  const Expr *binary(BinaryOp op, const Expr *left, const Expr *right) {
    return make<BinaryExpr>(op, left, right, range);
  }

  const Expr *converted(Type type, const Expr *expr) {
    return make<CastExpr>(type, expr, range);
  }

  bool isVariable(const Expr &expr) const {
    auto *read = dyn_cast<VarExpr>(&expr);
    return read && read->variable == variable;
  }

  template <typename Node> bool mentionsVariable(const Node &node) const {
    bool found = false;
    forEachExpr(node, [&](const Expr &expr) { found |= isVariable(expr); });
    return found;
  }

  /// Whether the loop reads k or bounds of regions that are made of it.
  bool dependsOnVariable(const MLoopStmt &sweep) const {
    bool found = mentionsVariable(sweep);
    forEachExpr(sweep, [&](const Expr &expr) {
      auto *bound = dyn_cast<BoundExpr>(&expr);
      found |= bound && dims.contains(bound->region);
    });
    return found;
  }

  /// k + c.
  bool isShiftedVariable(const Expr &expr) const {
    auto *sum = dyn_cast<BinaryExpr>(&expr);
    return isVariable(expr) ||
           (sum && (sum->op == BinaryOp::Add || sum->op == BinaryOp::Sub) &&
            isVariable(*sum->left) && isa<ConstExpr>(sum->right));
  }

  /// Whether of a region single indices k + c alone depend on k; notes in which
  /// dimension, if there is one.
  bool noteRegion(const SetRegionStmt &set) {
    const RegionExpr &value = set.value;
    int found = -1;
    for (auto [d, dim] : enumerate(value.dims)) {
      if (dim.kind == DimExpr::Single && isShiftedVariable(*dim.lo)) {
        if (found >= 0)
          return false;
        found = int(d);
        continue;
      }
      for (const Expr *part : {dim.lo, dim.hi, dim.stride, dim.align})
        if (part && mentionsVariable(*part))
          return false;
    }
    for (const Expr *component : value.direction)
      if (mentionsVariable(*component))
        return false;
    if ((value.level && mentionsVariable(*value.level)) ||
        (value.base && dims.contains(value.base)))
      return false;
    dims[set.target] = found;
    return true;
  }

  bool noteFlood(const FloodStmt &flood) {
    auto region = dims.find(flood.from);
    bool isOfFlood = any_of(body.prologue, [&](const Stmt *stmt) {
      auto *other = dyn_cast<FloodStmt>(stmt);
      return other && other->target == flood.source;
    });
    return !isOfFlood && !isScattered(*flood.from) && region != dims.end() &&
           region->second >= 0 &&
           flood.source->shape[region->second] == DimKind::Range;
  }

  void addRegions(StmtList &list) {
    for (Stmt *stmt : body.prologue)
      if (auto *set = dyn_cast<SetRegionStmt>(stmt))
        list.push_back(make<SetRegionStmt>(*set));
  }

  void addBlock(const Expr *first, const Expr *bound, const Expr *count,
                StmtList &list) {
    Type wide = Type::I64;
    const Expr *left =
        binary(BinaryOp::Sub, converted(wide, bound), converted(wide, first));
    const Expr *last =
        binary(BinaryOp::Min, left, constant(wide, iterations - 1));
    list.push_back(make<SetStmt>(
        count, binary(BinaryOp::Add, last, constant(wide, 1)), range));
    if (any_of(body.prologue, [](Stmt *s) { return isa<CheckStmt>(s); }))
      list.push_back(checks(first, count));
    list.push_back(make<SetStmt>(loop.variable, first, range));
    addRegions(list);
    Renaming panels;
    for (Stmt *stmt : body.prologue)
      if (auto *flood = dyn_cast<FloodStmt>(stmt)) {
        Array *panel = make<Array>(*flood->target);
        panel->name = names.make(flood->target->name);
        panel->panel = dims.lookup(flood->from);
        procedure.arrays.push_back(panel);
        panels.arrays[flood->target] = panel;
        auto *all = make<FloodStmt>(panel, flood->source, flood->from, range);
        all->times = count;
        list.push_back(all);
      }
    StmtCloner cloner(module, panels);
    list.push_back(
        repeated(*cast<MLoopStmt>(cloner.clone(*body.sweep)), count));
    for (const Stmt *stmt : body.frees)
      list.push_back(cloner.clone(*stmt));
  }

  /// Each iteration's regions and checks.
  Stmt *checks(const Expr *first, const Expr *count) {
    const Expr *last =
        binary(BinaryOp::Add, first,
               converted(Type::I32,
                         binary(BinaryOp::Sub, count, constant(Type::I64, 1))));
    auto *each = make<ForStmt>(loop.variable, first, last,
                               constant(Type::I32, 1), /*down=*/false, range);
    for (Stmt *stmt : body.prologue)
      if (auto *set = dyn_cast<SetRegionStmt>(stmt))
        each->body.push_back(make<SetRegionStmt>(*set));
      else if (auto *check = dyn_cast<CheckStmt>(stmt))
        each->body.push_back(make<CheckStmt>(*check));
    return each;
  }

  /// The M-loop, with repetitions around the innermost loop.
  static Stmt *repeated(MLoopStmt &sweep, const Expr *count) {
    sweep.times = count;
    LoopLevel times = {sweep.region->rank(), false, false};
    times.isTimes = true;
    auto inner = find_if(reverse(sweep.levels),
                         [](const LoopLevel &level) { return !level.flat; });
    sweep.levels.insert(std::prev(inner.base()), times);
    return &sweep;
  }

  const FloodLoop &body;
  const int64_t iterations; ///< at a time, at most
  const ForStmt &loop;
  Procedure &procedure;
  Module &module;
  NameAllocator &names;
  const Variable *variable;
  SourceRange range;
  /// For each region of the prologue, the dimension that is k + c, or -1.
  DenseMap<const Region *, int> dims;
};

} // namespace

bool jamFloods(const FloodLoop &loop, int64_t iterations, Procedure &procedure,
               Module &module, NameAllocator &names, StmtList &result) {
  FloodJammer jammer(loop, iterations, procedure, module, names);
  if (!jammer.isLegal())
    return false;
  jammer.jam(result);
  return true;
}

} // namespace zpl::air
