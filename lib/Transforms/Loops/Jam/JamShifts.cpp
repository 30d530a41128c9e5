//===- JamShifts.cpp - Arrays that go round in a loop ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cannon's algorithm (the dissertation's listing 2.19) multiplies what lies at
// the same index, and moves both matrices on:
//
//     for %k = i32 1 to @n by 1 {
//       [@RC] @C = fma(@A, @B, @C)
//       shift {%T by (i64 0, i64 1) wrap} = @A over @RA
//       alloc %U
//       [@RA] %U = %T
//       free %T
//       [@RA] @A = %U
//       free %U
//       ... the same of B, by (1, 0)
//     }
//
// For three operations on an element that is six passes over arrays. Sixteen
// iterations at a time read A where its elements are:
//
//     for %k = %k.from to sub(%k.bound, i32 15) by i32 16 {
//       shift {%T.1 by (i64 0, i64 1) wrap, ... %T.16 by (i64 0, i64 16) wrap}
//           = @A over @RA
//       shift {%V.1 by (i64 1, i64 0) wrap, ...} = @B over @RB
//       [@RC] @C = fma(@A, @B, @C)
//       [@RC] @C = fma(%T.1, %V.1, @C)
//       ...
//       alloc %U
//       [@RA] %U = %T.16
//       free %T.1 ... free %T.16
//       [@RA] @A = %U
//       free %U
//       ... the same of B
//     }
//
// Between processors that is one message for sixteen. What is left over follows
// in the loop as it was (SplitLoop.cpp).
//
// A body is taken if it is
//
//  1. *turns*, as the six statements of A, of all that A is declared over
//     (KnownBounds). A may turn more than once: offsets round a region add up;
//  2. checks in which nothing but arrays, regions and constants occurs, once
//     for all sixteen: of what none of them changes;
//  3. assignments of other arrays over regions that do not change either, which
//     read what turns, and all else, at their own index, without calls or maps.
//
// A view of A that reaches beyond the room A has, or a processor's part of it,
// is a copy. So the directions are short, and the region is long in their
// dimensions, as the program asks before the loop.
//
// Cost: linear in the statements, of which bodies are copied.
//
//===----------------------------------------------------------------------===//

#include "Loops/Jam/JamShifts.h"
#include "Communication/TransferEdits.h"
#include "Loops/Jam/SplitLoop.h"
#include "Statements/ArrayReads.h"
#include "zpl/Analysis/KnownBounds.h"
#include "zpl/ArrayIR/Clone.h"
#include "zpl/ArrayIR/Domains.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include <map>
#include <optional>

using namespace llvm;

namespace zpl::air {
namespace {

constexpr int64_t Turns = 16;    ///< iterations at a time
constexpr int64_t Farthest = 64; ///< positions that they move an array by
constexpr int64_t LeastRoom = 8; ///< times as long is the region, at least

/// The statements that move an array round, in their order.
struct Turn {
  ShiftStmt *shift;
  AllocArrayStmt *alloc;
  ArrayAssignStmt *copy, *assign;
  FreeArrayStmt *freed; ///< of the copy
  Offset by;            ///< constant
};

/// A statement of the body, or a turn.
struct Step {
  Stmt *stmt;
  std::optional<Turn> turn;
};

class ShiftJammer {
public:
  ShiftJammer(Module &module, Procedure &procedure, const KnownBounds &known,
              PassContext &context)
      : module(module), procedure(procedure), known(known), context(context),
        names(procedure) {
    forEachStmt(procedure.body, [&](const Stmt &stmt) {
      forEachArray(stmt, [&](const Array &array) { ++mentions[&array]; });
    });
  }

  void run() {
    if (procedure.mayAlias)
      return;
    rewriteStmts(procedure.body, [&](Stmt *stmt, StmtList &result) {
      auto *loop = dyn_cast<ForStmt>(stmt);
      if (!loop || made.contains(loop) || !stepsByOne(*loop) || !read(*loop)) {
        result.push_back(stmt);
        return;
      }
      std::string why = obstacle(*loop);
      if (why.empty())
        return jam(*loop, result);
      context.missed(turns.front().second->shift->range,
                     sourceName(*turns.front().first) +
                         " moves in each iteration: " + why);
      result.push_back(stmt);
    });
  }

private:
  //===--------------------------------------------------------------------===//
  // The body
  //===--------------------------------------------------------------------===//

  /// Cuts the body into steps; false: nothing turns in it.
  bool read(const ForStmt &loop) {
    steps.clear();
    turns.clear();
    ArrayRef<Stmt *> rest = loop.body;
    while (!rest.empty()) {
      std::optional<Turn> turn = turnAt(rest);
      steps.push_back({rest.front(), turn});
      rest = rest.drop_front(turn ? 6 : 1);
    }
    for (Step &step : steps)
      if (step.turn)
        turns[step.turn->shift->source] = &*step.turn;
    return !turns.empty();
  }

  std::optional<Turn> turnAt(ArrayRef<Stmt *> list) const {
    if (list.size() < 6)
      return std::nullopt;
    Turn turn = {
        dyn_cast<ShiftStmt>(list[0]),       dyn_cast<AllocArrayStmt>(list[1]),
        dyn_cast<ArrayAssignStmt>(list[2]), dyn_cast<ArrayAssignStmt>(list[4]),
        dyn_cast<FreeArrayStmt>(list[5]),   {}};
    auto *freed = dyn_cast<FreeArrayStmt>(list[3]);
    if (!turn.shift || !turn.alloc || !turn.copy || !freed || !turn.assign ||
        !turn.freed || turn.shift->views.size() != 1)
      return std::nullopt;
    const ShiftView &view = turn.shift->views.front();
    const Array *kept = turn.alloc->array;
    bool isTurn =
        freed->array == view.target && turn.freed->array == kept &&
        copies(*turn.copy, *kept, *view.target, turn.shift->region) &&
        copies(*turn.assign, *turn.shift->source, *kept, turn.shift->region) &&
        mentions.lookup(view.target) == 3 && mentions.lookup(kept) == 4 &&
        isWhole(*turn.shift);
    return isTurn && addDirection(view, turn.by) ? std::optional(turn)
                                                 : std::nullopt;
  }

  /// Whether that is all that the statement does.
  static bool copies(const ArrayAssignStmt &stmt, const Array &target,
                     const Array &source, const Region *region) {
    const ElementExpr *to = plainElement(stmt.target);
    const ElementExpr *from = plainElement(stmt.value);
    return to && from && !stmt.guard && stmt.region == region &&
           to->array == &target && from->array == &source;
  }

  bool isWhole(const ShiftStmt &shift) const {
    const Array &array = *shift.source;
    return array.declared && !array.isSparse && !array.family &&
           array.borders.empty() && array.storage != Storage::Param &&
           !shift.region->isSparse && !isScattered(array) && !shift.sends &&
           none_of(array.shape,
                   [](DimKind kind) { return kind == DimKind::Strided; }) &&
           (array.declared == shift.region ||
            known.areEqual(*array.declared, *shift.region));
  }

  /// Sets \p by; whether it is constant and short, and the elements wrap.
  static bool addDirection(const ShiftView &view, Offset &by) {
    if (!view.wraps)
      return false;
    for (const Expr *component : view.direction) {
      auto *constant = dyn_cast<ConstExpr>(component);
      if (!constant || std::abs(constant->integer) > Farthest / Turns)
        return false;
      by.push_back(constant->integer);
    }
    return true;
  }

  //===--------------------------------------------------------------------===//
  // Is it legal?
  //===--------------------------------------------------------------------===//

  std::string obstacle(const ForStmt &loop) const {
    if (!readsVariableByName(loop, loop.body))
      return "the loop's variable has another name; use a local variable";
    bool isRead = false;
    for (const Step &step : steps) {
      if (step.turn)
        continue;
      auto *assign = dyn_cast<ArrayAssignStmt>(step.stmt);
      std::string why = assign ? obstacleIn(*assign) : "";
      if (!assign && !isFixedCheck(*step.stmt))
        why = "the body is more than assignments of arrays";
      if (!why.empty())
        return withPlace(why, context.atLine(step.stmt->range));
      isRead |= assign && any_of(turns, [&](const auto &turn) {
                  return air::names(*assign, *turn.first);
                });
    }
    return isRead ? "" : "no statement of the loop reads it";
  }

  std::string obstacleIn(const ArrayAssignStmt &assign) const {
    bool calls = false, shifts = false;
    forEachExpr(assign, [&](const Expr &expr) {
      auto *element = dyn_cast<ElementExpr>(&expr);
      calls |= isa<CallExpr, RemapExpr>(expr);
      shifts |= element && element->isShifted();
    });
    const Array &target = *rootElement(assign.target)->array;
    if (calls)
      return "a statement calls a procedure, or reads elements by maps";
    if (shifts)
      return "a statement reads elements at other indices";
    if (target.isSparse || assign.region->isSparse)
      return "a statement is over a sparse region";
    if (isOneForMany(target, *assign.region))
      return "a statement stores many indices in one element";
    for (const auto &[array, turn] : turns)
      if (mayBeSame(module, *array, target, /*mayAlias=*/false))
        return "it is written otherwise, too";
    return "";
  }

  /// Whether a check is the same in all iterations.
  static bool isFixedCheck(const Stmt &stmt) {
    auto *check = dyn_cast<CheckStmt>(&stmt);
    if (!check || check->check == CheckStmt::Maps ||
        check->check == CheckStmt::Mask)
      return false;
    return all_of(check->direction,
                  [](const Expr *expr) { return isa<ConstExpr>(expr); });
  }

  //===--------------------------------------------------------------------===//
  // Sixteen iterations
  //===--------------------------------------------------------------------===//

  using Places = std::map<Array *, Offset>;

  void jam(ForStmt &loop, StmtList &result) {
    SourceRange range = turns.front().second->shift->range;
    made.insert(splitLoop(loop, Turns, iterationsOf(loop), isLong(), procedure,
                          module, names, result));
    made.insert(&loop);
    context.count("loops");
    context.applied(range, "what moves in each iteration moves once in " +
                               Twine(Turns) +
                               ", where its region is long enough");
  }

  StmtList iterationsOf(const ForStmt &loop) {
    views.clear();
    Places places;
    for (const auto &[array, turn] : turns)
      places[array] = Offset(array->rank(), 0);
    StmtList checks, updates;
    for (int64_t number = 0; number < Turns; ++number)
      for (const Step &step : steps)
        if (step.turn)
          move(places[step.turn->shift->source], step.turn->by);
        else if (isa<ArrayAssignStmt>(step.stmt))
          updates.push_back(clone(loop, *step.stmt, number, places));
        else if (number == 0)
          checks.push_back(clone(loop, *step.stmt, number, {}));
    StmtList moves;
    for (const auto &[array, turn] : turns)
      addMove(*turn, places[array], moves);
    StmtList body = std::move(checks);
    for (const auto &[array, turn] : turns)
      addShift(*turn, body);
    append_range(body, updates);
    append_range(body, moves);
    return body;
  }

  static void move(Offset &place, const Offset &by) {
    for (auto [sum, component] : zip_equal(place, by))
      sum += component;
  }

  static bool isHere(const Offset &place) {
    return all_of(place, [](int64_t component) { return component == 0; });
  }

  /// The array that has, at an index, the element of the turn's array at that
  /// place.
  Array *at(const Turn &turn, const Offset &place) {
    if (isHere(place))
      return turn.shift->source;
    Array *&view = views[turn.shift->source][place];
    if (!view) {
      const Array *original = turn.shift->views.front().target;
      view = module.make<Array>(*original);
      view->name = names.make(original->name);
      procedure.arrays.push_back(view);
    }
    return view;
  }

  Stmt *clone(const ForStmt &loop, const Stmt &stmt, int64_t number,
              const Places &places) {
    Renaming renaming;
    if (number != 0)
      renaming.variables[cast<VarExpr>(loop.variable)->variable] =
          module.make<BinaryExpr>(BinaryOp::Add, loop.variable,
                                  loopConstant(loop, number, module),
                                  loop.range);
    for (const auto &[array, place] : places)
      if (air::names(stmt, *array))
        renaming.arrays[array] = at(*turns.lookup(array), place);
    return StmtCloner(module, renaming).clone(stmt);
  }

  /// All views of what turns. The last one must have been asked for.
  void addShift(const Turn &turn, StmtList &list) {
    SmallVector<ShiftView, 16> all;
    for (const auto &[place, view] : views[turn.shift->source]) {
      ShiftView made = turn.shift->views.front();
      made.target = view;
      made.direction.clear();
      for (int64_t component : place)
        made.direction.push_back(constant(component));
      all.push_back(made);
    }
    if (!all.empty())
      list.push_back(module.make<ShiftStmt>(
          turn.shift->source, turn.shift->region, all, turn.shift->range));
  }

  /// Lets the array have the elements of its last place, and frees its views.
  void addMove(const Turn &turn, const Offset &place, StmtList &list) {
    if (!isHere(place)) {
      Array *last = at(turn, place);
      auto *read = module.make<ElementExpr>(last, Offset(place.size(), 0),
                                            turn.copy->range);
      list.push_back(module.make<AllocArrayStmt>(*turn.alloc));
      auto *copy = module.make<ArrayAssignStmt>(*turn.copy);
      copy->value = read;
      list.push_back(copy);
    }
    for (const auto &[offset, view] : views[turn.shift->source])
      list.push_back(module.make<FreeArrayStmt>(view, turn.shift->range));
    if (!isHere(place)) {
      list.push_back(module.make<ArrayAssignStmt>(*turn.assign));
      list.push_back(module.make<FreeArrayStmt>(*turn.freed));
    }
  }

  const Expr *constant(int64_t value) {
    auto *expr = module.make<ConstExpr>(Type::I64, SourceRange());
    expr->integer = value;
    return expr;
  }

  /// Whether all regions are long in the dimensions in which something moves.
  const Expr *isLong() {
    const Expr *all = nullptr;
    for (const auto &[array, turn] : turns)
      for (unsigned dim = 0; dim != array->rank(); ++dim) {
        int64_t way = 0;
        for (const Step &step : steps)
          if (step.turn && step.turn->shift->source == array)
            way += std::abs(step.turn->by[dim]);
        if (way == 0)
          continue;
        const Expr *one =
            isLong(*turn->shift->region, dim, way * Turns * LeastRoom);
        all = all ? module.make<BinaryExpr>(BinaryOp::And, all, one, one->range)
                  : one;
      }
    return all;
  }

  const Expr *isLong(Region &region, unsigned dim, int64_t least) {
    auto bound = [&](BoundExpr::Which which) {
      return module.make<BoundExpr>(&region, dim, which, region.range);
    };
    auto *length = module.make<BinaryExpr>(BinaryOp::Sub, bound(BoundExpr::Hi),
                                           bound(BoundExpr::Lo), region.range);
    return module.make<CompareExpr>(CompareOp::Ge, length, constant(least),
                                    region.range);
  }

  Module &module;
  Procedure &procedure;
  const KnownBounds &known;
  PassContext &context;
  NameAllocator names;
  DenseMap<const Array *, unsigned> mentions; ///< statements that name it
  DenseSet<const Stmt *> made;
  SmallVector<Step, 8> steps;             ///< of the loop at hand
  MapVector<Array *, const Turn *> turns; ///< the last one of each array
  /// By array and place.
  std::map<const Array *, std::map<Offset, Array *>> views;
};

} // namespace

void jamShifts(Module &module, PassContext &context) {
  KnownBounds known(module);
  for (Procedure *procedure : module.procedures)
    ShiftJammer(module, *procedure, known, context).run();
}

} // namespace zpl::air
