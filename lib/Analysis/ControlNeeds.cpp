//===- ControlNeeds.cpp - What the way of control depends on --------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     for k := 1 to sweeps do            needs sweeps, which no loop computes
//       [R] New := (A@north + A@south) / 2.0;              is left out
//       [R] delta := max<< fabs(A - New);                  is left out
//       [R] A := New;                                      is left out
//     end;
//     writeln(delta);                    unknown: is left out
//
// With `repeat ... until delta < epsilon` all three loops are computed: the
// condition needs delta, the loop that accumulates it reads A and New, and so
// on.
//
// Things are variables, arrays, M-loops, and what procedures return. `x needs y`
// where the value of x is made of that of y:
//
//     set x = e, combine     x needs what e reads
//     M-loop L               what it writes needs L, L needs what it reads
//     flood, scan, gather... the target needs the sources
//     call                   a parameter needs its argument, and what is given by
//                            reference also the other way round
//
// The order of statements does not matter, names stand for all their values.
// Wanted are, from the start, conditions, bounds, regions, subscripts, divisors,
// masks and maps of what the runtime moves, what goes to C or into files, and
// all that a statement reads which is not in the list above. Whatever these
// need, directly or not, is computed. Then unknown is what an M-loop writes that
// is left out, and all that needs something unknown.
//
// Whole kinds are wanted because their values are no plain numbers or decide
// about storage: elements of other types, members of families, sparse arrays.
// Loops over sparse regions, loops that execute iterations of the `for` around
// them, and such as call procedures that do more than compute are computed.
//
// A procedure that only M-loops call is executed only where they are, so its own
// conditions want nothing: what it returns needs all that it reads.
//
// Cost: linear in the module.
//
//===----------------------------------------------------------------------===//

#include "zpl/Analysis/ControlNeeds.h"
#include "zpl/ArrayIR/Operands.h"
#include "zpl/ArrayIR/Walk.h"

using namespace llvm;

namespace zpl::air {

namespace {

using Thing = const void *;

/// What is known of a module while it is read.
struct NeedGraph {
  explicit NeedGraph(const Module &module) : module(module) {}
  const Module &module;
  DenseMap<Thing, SmallVector<Thing, 4>> sources; ///< what a thing needs
  SmallVector<std::pair<Thing, SourceRange>> wanted;
  /// Procedures that are called from elsewhere than M-loops, by their names.
  DenseSet<const Procedure *> outside;
  DenseMap<const Procedure *, bool> plain; ///< see isPlain

  void needs(Thing thing, Thing source) { sources[thing].push_back(source); }
  void same(Thing a, Thing b) {
    needs(a, b);
    needs(b, a);
  }
  void want(Thing thing, SourceRange by) { wanted.push_back({thing, by}); }
};

} // namespace

/// Visits what the value of an expression is made of.
static void forEachRead(const Expr &expr, function_ref<void(Thing)> visit) {
  forEachExpr(expr, [&](const Expr &e) {
    if (auto *var = dyn_cast<VarExpr>(&e))
      visit(var->variable);
    else if (auto *element = dyn_cast<ElementExpr>(&e))
      visit(element->array);
    else if (auto *remap = dyn_cast<RemapExpr>(&e))
      visit(remap->array);
    auto *call = dyn_cast<CallExpr>(&e);
    if (!call)
      return;
    visit(call->callee);
    for (const Argument &arg : call->args)
      if (arg.array)
        visit(arg.array);
  });
}

static void wantReads(NeedGraph &graph, const Expr *expr, SourceRange by) {
  if (expr)
    forEachRead(*expr, [&](Thing thing) { graph.want(thing, by); });
}

/// What a place is a part of: a variable or an array; else null.
static Thing rootThing(const Expr *place) {
  if (Variable *variable = rootVariable(place))
    return variable;
  if (const ElementExpr *element = rootElement(place))
    return element->array;
  auto *remap = dyn_cast<RemapExpr>(rootOf(place));
  return remap ? remap->array : nullptr;
}

/// Wants what must not be anything: subscripts, divisors of whole numbers.
static void wantAddresses(NeedGraph &graph, const Expr &expr, SourceRange by) {
  forEachExpr(expr, [&](const Expr &e) {
    if (auto *subscript = dyn_cast<SubscriptExpr>(&e))
      for (const Expr *index : subscript->subscripts)
        wantReads(graph, index, by);
    auto *binary = dyn_cast<BinaryExpr>(&e);
    if (binary && binary->type.isInteger())
      if (binary->op == BinaryOp::Div || binary->op == BinaryOp::Rem)
        wantReads(graph, binary->right, by);
  });
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Whether a procedure only computes, with variables of its own and what it is
/// given.
static bool isPlain(NeedGraph &graph, const Procedure &procedure) {
  auto [known, isNew] = graph.plain.try_emplace(&procedure, true);
  if (!isNew)
    return known->second;
  bool isPlainSoFar = procedure.thunk.empty() && procedure.isScalar;
  forEachStmt(procedure.body, [&](const Stmt &stmt) {
    isPlainSoFar &= isa<SetStmt, IfStmt, WhileStmt, RepeatStmt, ForStmt,
                        ExitStmt, ContinueStmt, ReturnStmt, CallStmt,
                        AllocVariableStmt, FreeVariableStmt>(stmt);
    forEachOperand(stmt, [&](const Operand &operand) {
      auto *place = operand.as<const Expr *>();
      Variable *root = place ? rootVariable(place) : nullptr;
      if (operand.use == Use::Write && root)
        isPlainSoFar &= root->storage != Storage::Global;
    });
    forEachExpr(stmt, [&](const Expr &e) {
      if (auto *call = dyn_cast<CallExpr>(&e))
        isPlainSoFar = isPlainSoFar && isPlain(graph, *call->callee);
    });
  });
  return graph.plain[&procedure] = isPlainSoFar;
}

/// Parameters and arguments.
static void addCallNeeds(NeedGraph &graph, const CallExpr &call) {
  bool isForeign = !call.callee->thunk.empty();
  for (auto [arg, param] : zip(call.args, call.callee->params)) {
    Thing formal = param.array ? static_cast<Thing>(param.array)
                               : static_cast<Thing>(param.variable);
    if (arg.value && formal)
      forEachRead(*arg.value, [&](Thing t) { graph.needs(formal, t); });
    Thing actual = arg.place ? rootThing(arg.place) : arg.array;
    if (actual && formal)
      graph.same(formal, actual);
    if (arg.place)
      wantAddresses(graph, *arg.place, call.range);
    if (!isForeign)
      continue;
    wantReads(graph, arg.value, call.range);
    if (actual)
      graph.want(actual, call.range);
  }
}

static void addCallsOf(NeedGraph &graph, const Stmt &stmt) {
  forEachExpr(stmt, [&](const Expr &e) {
    if (auto *call = dyn_cast<CallExpr>(&e))
      addCallNeeds(graph, *call);
  });
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

/// What the statement writes needs all that it reads. \p wantsRest: the reads
/// are wanted as well.
static void addWholeNeeds(NeedGraph &graph, const Stmt &stmt, Thing node) {
  forEachOperand(stmt, [&](const Operand &operand) {
    auto *array = operand.as<Array *>();
    auto *variable = operand.as<Variable *>();
    auto *expr = operand.as<const Expr *>();
    auto *call = operand.as<const CallExpr *>();
    if (operand.use == Use::Write) {
      Thing target = array ? array : static_cast<Thing>(variable);
      if (expr)
        target = rootThing(expr);
      if (target)
        graph.needs(target, node);
      return;
    }
    if (array)
      graph.needs(node, array);
    if (variable)
      graph.needs(node, variable);
    for (const Expr *read : {expr, static_cast<const Expr *>(call)})
      if (read)
        forEachRead(*read, [&](Thing t) { graph.needs(node, t); });
  });
}

static void addLoop(NeedGraph &graph, const MLoopStmt &loop) {
  addWholeNeeds(graph, loop, &loop);
  bool isWanted = loop.time.most || loop.region->isSparse;
  auto addOne = [&](const Expr &e) {
    auto *call = dyn_cast<CallExpr>(&e);
    if (!call)
      return;
    isWanted |= !isPlain(graph, *call->callee);
    for (const Argument &arg : call->args) {
      Thing root = arg.place ? rootThing(arg.place) : arg.array;
      if (root)
        graph.needs(root, &loop);
    }
  };
  for (const ElementOp &op : loop.body) {
    forEachExpr(op, addOne);
    if (op.accumulator)
      graph.needs(op.accumulator, &loop);
    if (op.variable)
      graph.needs(op.variable, &loop);
    if (op.target)
      forEachExpr(*op.target, [&](const Expr &e) {
        if (auto *subscript = dyn_cast<SubscriptExpr>(&e))
          for (const Expr *index : subscript->subscripts)
            forEachRead(*index, [&](Thing t) { graph.needs(&loop, t); });
      });
  }
  wantReads(graph, loop.times, loop.range); // It is in the counts.
  if (isWanted)
    graph.want(&loop, loop.range);
}

static void wantMask(NeedGraph &graph, const Mask &mask, SourceRange by) {
  if (mask.array)
    graph.want(mask.array, by);
}

static void wantMaps(NeedGraph &graph, ArrayRef<Map> maps, SourceRange by) {
  for (const Map &map : maps) {
    if (map.array)
      graph.want(map.array, by);
    wantReads(graph, map.scalar, by);
    wantReads(graph, map.value, by);
  }
}

static void wantDirection(NeedGraph &graph, ArrayRef<const Expr *> direction,
                          SourceRange by) {
  for (const Expr *component : direction)
    wantReads(graph, component, by);
}

/// Of what a procedure of the program combines, its conditions are.
static void wantIfCombined(NeedGraph &graph, const Procedure *with,
                           std::initializer_list<Thing> things,
                           SourceRange by) {
  for (Thing thing : things)
    if (with && thing)
      graph.want(thing, by);
}

/// Statements of the runtime that move elements. False: it is none of these.
static bool addMove(NeedGraph &graph, const Stmt &stmt) {
  SourceRange by = stmt.range;
  if (auto *s = dyn_cast<MoveStmt>(&stmt)) {
    graph.needs(s->target, s->source);
  } else if (auto *s = dyn_cast<FloodStmt>(&stmt)) {
    graph.needs(s->target, s->source);
    wantReads(graph, s->times, by);
    wantReads(graph, s->slot, by);
  } else if (auto *s = dyn_cast<ShiftStmt>(&stmt)) {
    for (const ShiftView &view : s->views) {
      graph.needs(view.target, s->source);
      wantDirection(graph, view.direction, by);
    }
  } else if (auto *s = dyn_cast<PutStmt>(&stmt)) {
    graph.needs(s->target, s->source);
    wantDirection(graph, s->direction, by);
    wantMask(graph, s->mask, by);
  } else if (auto *s = dyn_cast<GatherStmt>(&stmt)) {
    graph.needs(s->target, s->source);
    wantMaps(graph, s->maps, by);
    wantMask(graph, s->mask, by);
  } else if (auto *s = dyn_cast<ScatterStmt>(&stmt)) {
    graph.needs(s->target, s->source);
    wantMaps(graph, s->maps, by);
    wantMask(graph, s->mask, by);
    wantIfCombined(graph, s->combine, {s->target, s->source}, by);
  } else if (auto *s = dyn_cast<WindowStmt>(&stmt)) {
    if (s->window && s->array)
      graph.same(s->window, s->array);
    wantIfCombined(graph, s->combine, {s->window, s->array}, by);
    for (const WindowReference &reference : s->references) {
      wantMaps(graph, reference.maps, by);
      wantMask(graph, reference.mask, by);
    }
    // Loops that read positions find elements by them.
    for (const WindowReference &reference : s->references)
      graph.want(reference.positions, by);
  } else if (auto *s = dyn_cast<BoxesStmt>(&stmt)) {
    graph.needs(s->window, s->array);
    wantMaps(graph, s->maps, by);
  } else if (auto *s = dyn_cast<BoundaryStmt>(&stmt)) {
    wantDirection(graph, s->direction, by);
  } else {
    return false;
  }
  return true;
}

/// Those that combine them. False: it is none of these.
static bool addCombination(NeedGraph &graph, const Stmt &stmt) {
  SourceRange by = stmt.range;
  if (auto *s = dyn_cast<CombineStmt>(&stmt)) {
    for (const CombineStmt::Value &value : s->values())
      wantIfCombined(graph, value.with, {value.variable}, by);
  } else if (auto *s = dyn_cast<CombineArrayStmt>(&stmt)) {
    if (s->restarts)
      graph.needs(s->array, s->restarts);
    for (const CombineArrayStmt::Value &value : s->values())
      wantIfCombined(graph, value.with, {value.array}, by);
  } else if (auto *s = dyn_cast<FoldStmt>(&stmt)) {
    Thing target = s->target ? static_cast<Thing>(s->target) : s->variable;
    graph.needs(target, s->source);
    wantMask(graph, s->mask, by);
  } else if (auto *s = dyn_cast<ScanStmt>(&stmt)) {
    graph.needs(s->target, s->source);
    if (s->segment)
      graph.needs(s->target, s->segment);
    wantMask(graph, s->mask, by);
    wantIfCombined(graph, s->with, {s->target, s->source}, by);
  } else {
    return isa<OperatorEndStmt>(stmt);
  }
  return true;
}

/// Everything that a statement reads, and every array of it.
static void wantAll(NeedGraph &graph, const Stmt &stmt) {
  forEachOperand(stmt, [&](const Operand &operand) {
    if (auto *array = operand.as<Array *>())
      graph.want(array, stmt.range);
    if (auto *procedure = operand.as<Procedure *>())
      graph.want(procedure, stmt.range);
    auto *expr = operand.as<const Expr *>();
    if (expr)
      wantAddresses(graph, *expr, stmt.range);
    if (operand.use == Use::Write)
      return;
    wantReads(graph, expr, stmt.range);
    wantReads(graph, operand.as<const CallExpr *>(), stmt.range);
    if (auto *variable = operand.as<Variable *>())
      graph.want(variable, stmt.range);
  });
}

static bool isStandardOutput(const WriteStmt &stmt) {
  return isa<ConstExpr>(stmt.file);
}

/// Input and output, by the runtime. False: it is neither.
static bool addInputOutput(NeedGraph &graph, const Stmt &stmt) {
  if (auto *write = dyn_cast<WriteStmt>(&stmt)) {
    if (!isStandardOutput(*write))
      return false;
    for (const WriteItem &item : write->items) {
      wantReads(graph, item.format, stmt.range);
      if (item.array)
        graph.needs(write, item.array);
      if (item.value) {
        forEachRead(*item.value, [&](Thing t) { graph.needs(write, t); });
        wantAddresses(graph, *item.value, stmt.range);
      }
    }
    return true;
  }
  auto *read = dyn_cast<ReadStmt>(&stmt);
  if (!read)
    return false;
  wantReads(graph, read->file, stmt.range);
  for (const ReadItem &item : read->items) {
    wantReads(graph, item.format, stmt.range);
    if (item.place)
      wantAddresses(graph, *item.place, stmt.range);
  }
  return true;
}

/// Values that are not plain numbers say where other things are.
static bool holdsNumbers(const Array &array) {
  bool isNumber = array.element.isInteger() || array.element.isFloat() ||
                  array.element.isComplex();
  return isNumber && !array.family && !array.isSparse;
}

static void addAllocation(NeedGraph &graph, const AllocArrayStmt &stmt) {
  if (!holdsNumbers(*stmt.array) || stmt.follows)
    graph.want(stmt.array, stmt.range);
  if (stmt.like)
    graph.needs(stmt.array, stmt.like);
}

static void addStmt(NeedGraph &graph, const Procedure &procedure,
                    const Stmt &stmt) {
  addCallsOf(graph, stmt);
  if (auto *set = dyn_cast<SetStmt>(&stmt)) {
    if (Thing target = rootThing(set->target))
      forEachRead(*set->value, [&](Thing t) { graph.needs(target, t); });
    wantAddresses(graph, *set->target, stmt.range);
    return wantAddresses(graph, *set->value, stmt.range);
  }
  if (auto *loop = dyn_cast<MLoopStmt>(&stmt))
    return addLoop(graph, *loop);
  if (auto *call = dyn_cast<CallStmt>(&stmt)) {
    if (call->result)
      graph.needs(call->result, call->call->callee);
    return;
  }
  if (auto *result = dyn_cast<ReturnStmt>(&stmt)) {
    if (result->value) {
      forEachRead(*result->value, [&](Thing t) { graph.needs(&procedure, t); });
      wantAddresses(graph, *result->value, stmt.range);
    }
    return;
  }
  if (auto *alloc = dyn_cast<AllocArrayStmt>(&stmt))
    return addAllocation(graph, *alloc);
  if (isa<FreeArrayStmt, TransferPointStmt, WaveStmt, InterleaveStmt,
          StripsStmt>(stmt))
    return;
  if (auto *check = dyn_cast<CheckStmt>(&stmt)) {
    wantDirection(graph, check->direction, stmt.range);
    wantMask(graph, check->maps.empty() ? Mask() : check->mask, stmt.range);
    return wantMaps(graph, check->maps, stmt.range);
  }
  if (!addMove(graph, stmt) && !addCombination(graph, stmt) &&
      !addInputOutput(graph, stmt))
    wantAll(graph, stmt);
}

//===----------------------------------------------------------------------===//
// Procedures
//===----------------------------------------------------------------------===//

/// One that only M-loops call: what it returns or writes needs all it reads.
static void addElementProcedure(NeedGraph &graph, const Procedure &procedure) {
  forEachStmt(procedure.body, [&](const Stmt &stmt) {
    addCallsOf(graph, stmt);
    addWholeNeeds(graph, stmt, &procedure);
    // Parts of what is written, and what is read to find them.
    forEachRoot(stmt, [&](const Expr &root) {
      forEachRead(root, [&](Thing t) {
        if (t != &procedure)
          graph.needs(&procedure, t);
      });
    });
  });
}

/// Who is called from elsewhere than from M-loops.
static void findOutside(NeedGraph &graph) {
  SmallVector<const Procedure *> open;
  auto add = [&](const Procedure *procedure) {
    if (procedure && graph.outside.insert(procedure).second)
      open.push_back(procedure);
  };
  add(graph.module.initialize);
  add(graph.module.entry);
  for (const Procedure *procedure : graph.module.procedures)
    if (!procedure->isScalar)
      add(procedure);
  while (!open.empty()) {
    const Procedure *procedure = open.pop_back_val();
    for (const Callback &callback : procedure->callbacks) {
      add(callback.procedure);
      graph.want(callback.procedure, procedure->range);
    }
    forEachStmt(procedure->body, [&](const Stmt &stmt) {
      if (isa<MLoopStmt>(stmt))
        return;
      forEachOperand(stmt, [&](const Operand &o) { add(o.as<Procedure *>()); });
      forEachExpr(stmt, [&](const Expr &e) {
        if (auto *call = dyn_cast<CallExpr>(&e))
          add(call->callee);
      });
    });
  }
}

/// The bounds of indexed arrays that the run finds.
static void wantBounds(NeedGraph &graph, Type type, SourceRange by) {
  const TypeInfo *info = type.info();
  if (!info || !type.isRunTimeSized())
    return;
  for (const auto &bounds : {info->lo, info->hi})
    for (const Bound &bound : bounds)
      if (bound.variable)
        graph.want(bound.variable, by);
  wantBounds(graph, info->element, by);
  for (const Field &field : info->fields)
    wantBounds(graph, field.type, by);
}

/// The bounds of all variables, and whatever C might read.
static void wantVariables(NeedGraph &graph) {
  for (const Variable *variable : graph.module.variables) {
    wantBounds(graph, variable->type, variable->range);
    if (!variable->thunk.empty())
      graph.want(variable, variable->range);
  }
  for (const Procedure *procedure : graph.module.procedures) {
    for (const Variable *variable : procedure->variables)
      wantBounds(graph, variable->type, variable->range);
    for (const Parameter &param : procedure->params)
      if (param.variable)
        wantBounds(graph, param.variable->type, param.variable->range);
  }
}

ControlNeeds::ControlNeeds(const Module &module) {
  NeedGraph graph(module);
  findOutside(graph);
  wantVariables(graph);
  for (const Procedure *procedure : module.procedures) {
    if (!graph.outside.contains(procedure)) {
      addElementProcedure(graph, *procedure);
      continue;
    }
    forEachStmt(procedure->body,
                [&](const Stmt &stmt) { addStmt(graph, *procedure, stmt); });
  }
  SmallVector<std::pair<Thing, SourceRange>> open = graph.wanted;
  while (!open.empty()) {
    auto [thing, by] = open.pop_back_val();
    if (needs.try_emplace(thing, by).second)
      for (Thing source : graph.sources.lookup(thing))
        open.push_back({source, by});
  }
  // Backwards from the loops that are left out.
  DenseMap<Thing, SmallVector<Thing, 4>> users;
  for (auto &[thing, itsSources] : graph.sources)
    for (Thing source : itsSources)
      users[source].push_back(thing);
  SmallVector<Thing> found;
  for (const Procedure *procedure : module.procedures)
    forEachStmt(procedure->body, [&](const Stmt &stmt) {
      auto *loop = dyn_cast<MLoopStmt>(&stmt);
      if (loop && mayLeaveOut(*loop))
        found.push_back(loop);
    });
  while (!found.empty()) {
    Thing thing = found.pop_back_val();
    if (!needs.count(thing) && unknown.insert(thing).second)
      append_range(found, users.lookup(thing));
  }
}

} // namespace zpl::air
