//===- WaitingUpdates.cpp - The code of updates that wait -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// DelayUpdates.cpp shows the code as a whole. Rows and columns are treated alike,
// as lines: a line of dimension 0 is a row. For each dimension in which lines
// are touched there is a *side*:
//
//     %rows, %rows.count      the lines that were touched since the last sweep
//     %rows.done              how much of what waits each line has
//
// and regions: a line, the place of its number in `done`, all of those places.
// `done` floods the other dimension, so each processor has what it needs of it.
// Numbers in it have the size of an element, so that a mask made of them has as
// many lanes as what it masks.
//
// Of a line that was touched but lies outside of the updates' region nothing
// waits.
//
// Cost: linear in the statements of the loop, which are copied.
//
//===----------------------------------------------------------------------===//

#include "Loops/Delay/WaitingUpdates.h"
#include "zpl/ArrayIR/Clone.h"
#include "zpl/ArrayIR/Names.h"
#include "zpl/ArrayIR/Walk.h"

using namespace llvm;

namespace zpl::air {

Type counterOf(Type element) {
  switch (element.kind()) {
  case Type::Bool:
  case Type::Char:
  case Type::I8:
  case Type::U8:
    return Type::I8;
  case Type::I16:
  case Type::U16:
    return Type::I16;
  case Type::I32:
  case Type::U32:
  case Type::F32:
  case Type::C32:
  case Type::Enum:
    return Type::I32;
  default: // eight bytes and more
    return Type::I64;
  }
}

namespace {

/// What is kept of the lines of one dimension.
struct Side {
  size_t sites = 0; ///< in an iteration; 0: there is nothing to keep
  Variable *lines = nullptr, *count = nullptr;
  Region *line = nullptr, *mark = nullptr, *marks = nullptr;
  Array *done = nullptr;
  Array *copy = nullptr; ///< of a column
};

class DelayWriter {
public:
  DelayWriter(const DelayedLoop &delayed, int64_t mostWaiting,
              Procedure &procedure, Module &module)
      : delayed(delayed), mostWaiting(mostWaiting), loop(*delayed.loop),
        procedure(procedure), module(module), names(procedure),
        range(delayed.sweep->range) {
    for (const auto &[stmt, touches] : delayed.touches)
      for (const Touch &touch : touches)
        ++sides[touch.dim].sites;
    makeNames();
  }

  ForStmt *write(int64_t least, StmtList &result) {
    const Expr *from = local(".from", Type::I32),
               *bound = local(".bound", Type::I32);
    result.push_back(make<SetStmt>(from, loop.from, range));
    result.push_back(make<SetStmt>(bound, loop.bound, range));
    const Expr *trips = binary(BinaryOp::Sub, converted(Type::I64, bound),
                               converted(Type::I64, from));
    auto *choice = make<IfStmt>(
        compare(CompareOp::Ge, trips, constant(Type::I64, least - 1)), range);
    auto *made = make<ForStmt>(loop.variable, from, bound, loop.step,
                               /*down=*/false, loop.range);
    reset(choice->thenBody);
    for (const Stmt *stmt : loop.body)
      writeStmt(*stmt, bound, made->body);
    choice->thenBody.push_back(made);
    loop.from = from;
    loop.bound = bound;
    choice->elseBody.push_back(&loop);
    result.push_back(choice);
    return made;
  }

private:
  //===--------------------------------------------------------------------===//
  // Names and expressions
  //===--------------------------------------------------------------------===//

  template <typename T, typename... Args> T *make(Args &&...args) {
    return module.make<T>(std::forward<Args>(args)...);
  }

  Variable *variable(const std::string &name, Type type) {
    auto *made = make<Variable>();
    made->name = names.make(name);
    made->type = type;
    made->range = range;
    procedure.variables.push_back(made);
    return made;
  }

  const Expr *local(const std::string &suffix, Type type) {
    return value(variable(delayed.k->name + suffix, type));
  }

  Region *region(const std::string &name, DimKind rows, DimKind columns) {
    auto *made = make<Region>();
    made->name = names.make(name);
    made->shape = {rows, columns};
    made->domain = delayed.sweep->region->domain;
    made->isTemporary = true;
    made->range = range;
    procedure.regions.push_back(made);
    return made;
  }

  Array *array(const std::string &name, Type element, Region *over) {
    auto *made = make<Array>();
    made->name = names.make(name);
    made->element = element;
    made->shape = over->shape;
    made->declared = over;
    made->domain = over->domain;
    made->range = range;
    procedure.arrays.push_back(made);
    return made;
  }

  void makeNames() {
    waiting = local(".waiting", Type::I64);
    first = local(".first", Type::I32);
    line = local(".line", Type::I64);
    all = delayed.set ? region("all", DimKind::Range, DimKind::Range)
                      : delayed.sweep->region;
    for (unsigned dim = 0; dim != 2; ++dim)
      if (sides[dim].sites != 0)
        makeSide(dim);
    for (const FloodStmt *flood : delayed.floods) {
      auto *panel = make<Array>(*flood->target);
      panel->name = names.make(flood->target->name);
      panel->panel = flood->from->shape[0] == DimKind::Singleton ? 0 : 1;
      panel->hasSlots = true;
      procedure.arrays.push_back(panel);
      panels.arrays[flood->target] = panel;
    }
    panels.variables[delayed.k] = binary(BinaryOp::Add, first, repetition());
  }

  void makeSide(unsigned dim) {
    Side &side = sides[dim];
    std::string name = dim == 0 ? "rows" : "columns";
    int64_t most = int64_t(side.sites) * (mostWaiting + 1);
    Bound lo, hi;
    hi.value = most - 1;
    side.lines = variable(name, module.arrayType(lo, hi, Type::I64));
    side.count = variable(name + ".count", Type::I64);
    auto shaped = [&](const std::string &suffix, DimKind own, DimKind other) {
      return dim == 0 ? region(name + suffix, own, other)
                      : region(name + suffix, other, own);
    };
    side.line = shaped(".line", DimKind::Singleton, DimKind::Range);
    side.mark = shaped(".mark", DimKind::Singleton, DimKind::Flood);
    side.marks = shaped(".marks", DimKind::Range, DimKind::Flood);
    Type element = delayed.matrix->element;
    side.done = array(name + ".done", counterOf(element), side.marks);
    if (dim == 1)
      side.copy = array(name + ".copy", element, side.line);
  }

  const Expr *value(Variable *of) { return make<VarExpr>(of, range); }

  const Expr *constant(Type type, int64_t number) {
    auto *expr = make<ConstExpr>(type, range);
    expr->integer = number;
    return expr;
  }

  const Expr *binary(BinaryOp op, const Expr *left, const Expr *right) {
    return make<BinaryExpr>(op, left, right, range);
  }

  const Expr *compare(CompareOp op, const Expr *left, const Expr *right) {
    return make<CompareExpr>(op, left, right, range);
  }

  const Expr *converted(Type type, const Expr *expr) {
    return expr->type == type ? expr : make<CastExpr>(type, expr, range);
  }

  const Expr *boundOf(Region *of, unsigned dim, BoundExpr::Which which) {
    return make<BoundExpr>(of, dim, which, range);
  }

  const Expr *element(Array *of) {
    return make<ElementExpr>(of, Offset(2, 0), range);
  }

  /// Which of the updates that wait is done.
  const Expr *repetition() { return make<IndexExpr>(2, range); }

  /// Both, if there is a first one.
  const Expr *both(const Expr *a, const Expr *b) {
    return !a ? b : !b ? a : binary(BinaryOp::And, a, b);
  }

  Stmt *assign(const Expr *target, const Expr *to) {
    return make<SetStmt>(target, to, range);
  }

  const Expr *plusOne(const Expr *expr) {
    return binary(BinaryOp::Add, expr, constant(expr->type, 1));
  }

  //===--------------------------------------------------------------------===//
  // The body
  //===--------------------------------------------------------------------===//

  /// Nothing waits.
  void reset(StmtList &list) {
    list.push_back(assign(waiting, constant(Type::I64, 0)));
    for (const Side &side : sides)
      if (side.sites != 0)
        list.push_back(assign(value(side.count), constant(Type::I64, 0)));
  }

  void writeStmt(const Stmt &stmt, const Expr *bound, StmtList &list) {
    for (const Touch &touch : delayed.touches.lookup(&stmt))
      writeTouch(touch, list);
    if (&stmt == delayed.sweep)
      return writeUpdate(bound, list);
    auto *freed = dyn_cast<FreeArrayStmt>(&stmt);
    if (freed && delayed.isFlooded(freed->array))
      return;
    Renaming same;
    auto *flood = dyn_cast<FloodStmt>(&stmt);
    if (!flood || !delayed.isFlooded(flood->target))
      return list.push_back(StmtCloner(module, same).clone(stmt));
    auto *kept = make<FloodStmt>(*flood);
    kept->target = panels.arrays.lookup(flood->target);
    kept->slot = waiting;
    kept->times = constant(Type::I64, mostWaiting);
    list.push_back(kept);
  }

  void writeTouch(const Touch &touch, StmtList &list) {
    Side &side = sides[touch.dim];
    list.push_back(
        assign(line, boundOf(touch.region, touch.dim, BoundExpr::Lo)));
    list.push_back(assign(lineAt(side, value(side.count)), line));
    list.push_back(assign(value(side.count), plusOne(value(side.count))));
    auto *some = make<IfStmt>(
        compare(CompareOp::Ne, waiting, constant(Type::I64, 0)), range);
    settle(touch.dim, some->thenBody);
    list.push_back(some);
  }

  const Expr *lineAt(const Side &side, const Expr *place) {
    return make<SubscriptExpr>(value(side.lines), place, "", Type::I64, range);
  }

  /// The update is one that waits now; all are done if they are enough.
  void writeUpdate(const Expr *bound, StmtList &list) {
    auto *begins = make<IfStmt>(
        compare(CompareOp::Eq, waiting, constant(Type::I64, 0)), range);
    begin(begins->thenBody);
    list.push_back(begins);
    list.push_back(assign(waiting, plusOne(waiting)));
    const Expr *isFull =
        compare(CompareOp::Eq, waiting, constant(Type::I64, mostWaiting));
    const Expr *isLast = compare(CompareOp::Eq, loop.variable, bound);
    auto *ends = make<IfStmt>(binary(BinaryOp::Or, isFull, isLast), range);
    end(ends->thenBody);
    list.push_back(ends);
  }

  void begin(StmtList &list) {
    list.push_back(assign(first, loop.variable));
    if (delayed.set) {
      auto *set = make<SetRegionStmt>(*delayed.set);
      set->target = all;
      list.push_back(set);
    }
    for (unsigned dim = 0; dim != 2; ++dim) {
      Side &side = sides[dim];
      if (side.sites == 0)
        continue;
      list.push_back(lines(side.marks, dim, {}, DimExpr::Flood));
      list.push_back(make<AllocArrayStmt>(side.done, range));
    }
  }

  /// Does all updates that wait.
  void end(StmtList &list) {
    for (unsigned dim = 0; dim != 2; ++dim)
      if (sides[dim].sites != 0)
        settleAll(dim, list);
    const Expr *untouched = nullptr;
    for (Side &side : sides)
      if (side.sites != 0)
        untouched = both(untouched, compare(CompareOp::Eq, element(side.done),
                                            constant(side.done->element, 0)));
    MLoopStmt *rest = updates(delayed.sweep->region, delayed.matrix);
    rest->levels = {{0, false, false}, repetitions(), {1, false, false}};
    ElementOp &op = rest->body.front();
    op.guard = both(guardOfRest(op.guard, delayed.sweep->body.front().guard),
                    untouched);
    list.push_back(rest);
    for (const Side &side : sides)
      if (side.sites != 0)
        list.push_back(make<FreeArrayStmt>(side.done, range));
    for (const FloodStmt *flood : delayed.floods)
      list.push_back(
          make<FreeArrayStmt>(panels.arrays.lookup(flood->target), range));
    reset(list);
  }

  /// The guard of lines that were not touched: that an index is not k says
  /// nothing if line k is always touched. \p original: the guard in the loop.
  const Expr *guardOfRest(const Expr *guard, const Expr *original) const {
    auto *compared = dyn_cast_or_null<CompareExpr>(original);
    if (!compared || compared->op != CompareOp::Ne)
      return guard;
    auto *index = dyn_cast<IndexExpr>(compared->left);
    auto *read = dyn_cast<VarExpr>(compared->right);
    if (!index) {
      index = dyn_cast<IndexExpr>(compared->right);
      read = dyn_cast<VarExpr>(compared->left);
    }
    bool isSaid = index && read && read->variable == delayed.k &&
                  delayed.touchesK[index->dim];
    return isSaid ? nullptr : guard;
  }

  //===--------------------------------------------------------------------===//
  // Settling
  //===--------------------------------------------------------------------===//

  void settleAll(unsigned dim, StmtList &list) {
    Side &side = sides[dim];
    const Expr *place = local(".place", Type::I64);
    const Expr *last =
        binary(BinaryOp::Sub, value(side.count), constant(Type::I64, 1));
    auto *each = make<ForStmt>(place, constant(Type::I64, 0), last,
                               constant(Type::I64, 1), /*down=*/false, range);
    each->body.push_back(assign(line, lineAt(side, place)));
    settle(dim, each->body);
    list.push_back(each);
  }

  /// Brings line %line up to date.
  void settle(unsigned dim, StmtList &list) {
    Side &side = sides[dim];
    const Expr *isIn =
        both(compare(CompareOp::Le, boundOf(all, dim, BoundExpr::Lo), line),
             compare(CompareOp::Le, line, boundOf(all, dim, BoundExpr::Hi)));
    auto *inside = make<IfStmt>(isIn, range);
    StmtList &body = inside->thenBody;
    body.push_back(lines(side.line, dim, line, DimExpr::Inherit));
    Array *target = dim == 0 ? delayed.matrix : side.copy;
    MLoopStmt *updated = updates(side.line, target);
    if (dim == 0)
      updated->levels = {flat(0), repetitions(), {1, false, false}};
    else
      updated->levels = {repetitions(), {0, false, false}, flat(1)};
    ElementOp &op = updated->body.front();
    op.guard = both(op.guard, isMissing());
    if (dim == 1) {
      body.push_back(make<AllocArrayStmt>(side.copy, range));
      body.push_back(copy(side.line, side.copy, delayed.matrix));
    }
    body.push_back(updated);
    if (dim == 1) {
      body.push_back(copy(side.line, delayed.matrix, side.copy));
      body.push_back(make<FreeArrayStmt>(side.copy, range));
    }
    body.push_back(lines(side.mark, dim, line, DimExpr::Flood));
    MLoopStmt *mark =
        storing(side.mark, side.done, converted(side.done->element, waiting));
    mark->levels = {flat(0), flat(1)};
    body.push_back(mark);
    list.push_back(inside);
  }

  /// Whether an element has not had the update of the repetition, and is to.
  const Expr *isMissing() {
    const Expr *all = nullptr;
    for (const Side &side : sides)
      if (side.sites != 0)
        all = both(all, compare(CompareOp::Ge,
                                converted(side.done->element, repetition()),
                                element(side.done)));
    const Expr *k = panels.variables.lookup(delayed.k);
    for (unsigned dim = 0; dim != 2; ++dim)
      if (delayed.shrinks[dim])
        all = both(all,
                   compare(CompareOp::Ge, make<IndexExpr>(dim, range),
                           binary(BinaryOp::Add, k,
                                  constant(Type::I32, *delayed.shrinks[dim]))));
    return all;
  }

  /// `region %R = [%at, other]` of the lines of a dimension, or all of them.
  Stmt *lines(Region *target, unsigned dim, const Expr *at,
              DimExpr::Kind other) {
    RegionExpr value;
    value.kind = RegionExpr::Dims;
    value.base = all;
    value.dims.resize(2);
    value.dims[dim].kind = at ? DimExpr::Single : DimExpr::Inherit;
    value.dims[dim].lo = at;
    value.dims[1 - dim].kind = other;
    return make<SetRegionStmt>(target, value, range);
  }

  /// The updates that wait, of \p target.
  MLoopStmt *updates(Region *over, Array *target) {
    Renaming renaming = panels;
    if (target != delayed.matrix)
      renaming.arrays[delayed.matrix] = target;
    auto *loop =
        cast<MLoopStmt>(StmtCloner(module, renaming).clone(*delayed.sweep));
    loop->region = over;
    loop->times = waiting;
    return loop;
  }

  MLoopStmt *storing(Region *over, Array *target, const Expr *what) {
    auto *loop = make<MLoopStmt>(over, range);
    ElementOp op;
    op.target = element(target);
    op.value = what;
    op.range = range;
    loop->body.push_back(op);
    return loop;
  }

  MLoopStmt *copy(Region *over, Array *target, Array *source) {
    MLoopStmt *loop = storing(over, target, element(source));
    loop->levels = {{0, false, false}, flat(1)};
    return loop;
  }

  static LoopLevel flat(unsigned dim) { return {dim, true, false}; }

  static LoopLevel repetitions() {
    LoopLevel level = {2, false, false};
    level.isTimes = true;
    return level;
  }

  const DelayedLoop &delayed;
  const int64_t mostWaiting;
  ForStmt &loop;
  Procedure &procedure;
  Module &module;
  NameAllocator names;
  SourceRange range;
  Side sides[2];
  /// How many updates wait; k of the first one; the line at hand.
  const Expr *waiting = nullptr, *first = nullptr, *line = nullptr;
  Region *all = nullptr; ///< that of the first update that waits
  /// The panels for the floods, and the k of the repetition for that of the loop.
  Renaming panels;
};

} // namespace

ForStmt *delayIn(const DelayedLoop &delayed, int64_t least, int64_t most,
                 Procedure &procedure, Module &module, StmtList &result) {
  return DelayWriter(delayed, most, procedure, module).write(least, result);
}

} // namespace zpl::air
