//===- DelayedLoop.cpp - Loops whose updates may be delayed ---------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// DelayUpdates.cpp says what is done with such a loop. It is read in four steps:
//
//  1. The sweep: the only M-loop of the body that stores into a matrix over
//     ranges in both dimensions, one operation, at its own index, of elements
//     at that index. What it reads are the matrix, floods of single rows and
//     columns that the body makes for it alone, and what the loop does not
//     change.
//  2. Its region: it stays, or begins at k or k + 1. What it loses in an
//     iteration is then row or column k, which (3) must touch: it is brought
//     up to date by itself.
//  3. Touches: all other statements that name the matrix are M-loops and floods
//     over a region with a single index. Of these indices each is settled
//     once while nothing is added to what waits:
//
//         region %S = [%i, _] from @R     i is k here: a copy
//         flood %T = @A from %S           touches row k
//         region %V = [%k, %k]
//         mloop %V { ... @A ... }         row k is up to date already
//
//     Regions are known by the variables that their single index is; both are
//     forgotten when the variable is written.
//  4. Anything else that may see the matrix, or leave the loop, is an obstacle.
//
// Cost: linear in the statements, times those that touch.
//
//===----------------------------------------------------------------------===//

#include "Loops/Delay/DelayedLoop.h"
#include "Communication/TransferEdits.h"
#include "Loops/Jam/SplitLoop.h"
#include "zpl/Analysis/Speculation.h"
#include "zpl/ArrayIR/Domains.h"
#include "zpl/ArrayIR/Operands.h"
#include "zpl/ArrayIR/Walk.h"

using namespace llvm;

namespace zpl::air {

bool DelayedLoop::isFlooded(const Array *array) const {
  return any_of(floods,
                [&](const FloodStmt *flood) { return flood->target == array; });
}

namespace {

bool namesArray(const Stmt &stmt, const Array &array) {
  bool found = false;
  forEachArray(stmt, [&](const Array &other) { found |= &other == &array; });
  if (auto *point = dyn_cast<TransferPointStmt>(&stmt))
    found |= any_of(point->transfer->items,
                    [&](const auto &item) { return item.first == &array; });
  return found;
}

bool namesArrayInside(Stmt &stmt, const Array &array) {
  bool found = namesArray(stmt, array);
  forEachList(stmt, [&](StmtList &list) {
    forEachStmt(list, [&](Stmt &inner) { found |= namesArray(inner, array); });
  });
  return found;
}

/// The only dimension in which the region has a single index, or -1.
int singleDim(const Region &region) {
  bool first = region.shape[0] == DimKind::Singleton,
       second = region.shape[1] == DimKind::Singleton;
  return first == second ? -1 : second;
}

bool isOfRanges(const Shape &shape) {
  return shape.size() == 2 &&
         all_of(shape, [](DimKind kind) { return kind == DimKind::Range; });
}

bool mentionsAny(const Expr &expr, const DenseSet<const Variable *> &variables,
                 const Variable *except = nullptr) {
  bool found = false;
  forEachExpr(expr, [&](const Expr &part) {
    auto *read = dyn_cast<VarExpr>(&part);
    found |=
        read && read->variable != except && variables.contains(read->variable);
  });
  return found;
}

class LoopReader {
public:
  LoopReader(ForStmt &loop, const Procedure &procedure, const Module &module,
             const Effects &effects)
      : procedure(procedure), module(module), effects(effects) {
    found.loop = &loop;
    found.k = cast<VarExpr>(loop.variable)->variable;
  }

  /// Step 1. False: the loop is nothing for this pass.
  bool findSweep() {
    for (Stmt *stmt : found.loop->body) {
      auto *sweep = dyn_cast<MLoopStmt>(stmt);
      if (!sweep || !isSweep(*sweep))
        continue;
      if (found.sweep)
        return false;
      found.sweep = sweep;
    }
    if (!found.sweep)
      return false;
    found.matrix = rootElement(found.sweep->body.front().target)->array;
    findFloods();
    return !found.floods.empty() && touchesMatrix();
  }

  /// Steps 1 to 4: what is in the way; empty: nothing.
  Obstacle obstacle() {
    written = effects.writes(procedure, found.loop->body);
    if (!readsVariableByName(*found.loop, found.loop->body) ||
        !written.variables.insert(found.k).second)
      return {"the loop's variable has another name, or changes; use a local "
              "variable",
              found.loop->range};
    std::string why = obstacleInSweep();
    if (why.empty())
      why = obstacleInRegion();
    if (why.empty() && !floodsAreOfRegion())
      why = "a row or column that it reads is of another region";
    if (!why.empty())
      return {why, found.sweep->range};
    for (Stmt *stmt : found.loop->body)
      if (why = read(*stmt); !why.empty())
        return {why, stmt->range};
    for (unsigned dim = 0; dim != 2; ++dim)
      if (found.shrinks[dim] && !found.touchesK[dim])
        return {"its region begins at the loop's variable, but that row or "
                "column is not read",
                found.sweep->range};
    return {};
  }

  DelayedLoop found;

private:
  //===--------------------------------------------------------------------===//
  // The sweep and its floods
  //===--------------------------------------------------------------------===//

  static bool isSweep(const MLoopStmt &loop) {
    if (!isOfRanges(loop.region->shape) || loop.body.size() != 1)
      return false;
    const ElementOp &op = loop.body.front();
    auto *target = dyn_cast_or_null<ElementExpr>(op.target);
    bool isPlain = op.kind == ElementOp::Store && target &&
                   isOfRanges(target->array->shape) && op.delay == 0 &&
                   op.carries.empty() && !op.streams;
    if (!isPlain || loop.times || loop.rows != 1 || loop.inLanes ||
        loop.time.most || !loop.awaits.empty())
      return false;
    bool isUpdate = false;
    forEachExpr(*op.value, [&](const Expr &expr) {
      auto *element = dyn_cast<ElementExpr>(&expr);
      isUpdate |= element && element->array == target->array;
    });
    return isUpdate;
  }

  void findFloods() {
    for (Stmt *stmt : found.loop->body) {
      auto *flood = dyn_cast<FloodStmt>(stmt);
      if (!flood || flood->times || flood->begins || flood->from->rank() != 2 ||
          singleDim(*flood->from) < 0 || flood->from->isSparse)
        continue;
      int dim = singleDim(*flood->from);
      const Shape &shape = flood->source->shape;
      if (flood->from->shape[1 - dim] == DimKind::Range &&
          shape[1 - dim] == DimKind::Range && !isPerProcessor(shape[dim]) &&
          namesArray(*found.sweep, *flood->target))
        found.floods.push_back(flood);
    }
  }

  /// Whether anything but the sweep reads the matrix: else jam-loops does more.
  bool touchesMatrix() const {
    return any_of(found.loop->body, [&](Stmt *stmt) {
      return stmt != found.sweep && !isa<CheckStmt>(stmt) &&
             namesArrayInside(*stmt, *found.matrix);
    });
  }

  std::string obstacleInSweep() const {
    const Array &matrix = *found.matrix;
    if (matrix.isSparse || isScattered(matrix) || matrix.isContracted() ||
        found.sweep->region->isSparse)
      return "the matrix is sparse or of a scattered domain";
    if (matrix.element.isAggregate() || matrix.element == Type::Str)
      return "its elements are records, strings or arrays";
    if (!maySpeculate(found.sweep->body.front(), RunTimeChecks()))
      return "the update costs much, or may end the run";
    bool calls = false, shifts = false, changes = false;
    forEachExpr(*found.sweep, [&](const Expr &expr) {
      calls |= isa<CallExpr, RemapExpr>(expr);
      if (auto *element = dyn_cast<ElementExpr>(&expr)) {
        shifts |= element->isShifted();
        changes |= element->array != &matrix &&
                   !found.isFlooded(element->array) &&
                   (written.arrays.contains(element->array) ||
                    mayBeSame(module, *element->array, matrix, false));
      }
      if (auto *bound = dyn_cast<BoundExpr>(&expr))
        changes |= written.regions.contains(bound->region);
      if (auto *read = dyn_cast<VarExpr>(&expr))
        changes |= read->variable != found.k &&
                   written.variables.contains(read->variable);
    });
    if (calls)
      return "the update calls a procedure, or reads elements by maps";
    if (shifts)
      return "the update reads elements at other indices";
    return changes ? "the update reads what the loop changes, beside rows and "
                     "columns"
                   : "";
  }

  //===--------------------------------------------------------------------===//
  // Its region
  //===--------------------------------------------------------------------===//

  std::string obstacleInRegion() {
    const Region *region = found.sweep->region;
    for (Stmt *stmt : found.loop->body) {
      auto *set = dyn_cast<SetRegionStmt>(stmt);
      if (!set || set->target != region)
        continue;
      if (found.set)
        return "its region is set more than once";
      found.set = set;
    }
    if (!found.set)
      return written.regions.contains(region) ? "its region changes" : "";
    if (find(found.loop->body, found.set) > find(found.loop->body, found.sweep))
      return "its region is set after it, for the next iteration";
    const RegionExpr &value = found.set->value;
    if (value.kind != RegionExpr::Dims || value.level || value.pattern ||
        (value.base && written.regions.contains(value.base)))
      return "its region is not written by its bounds";
    for (unsigned dim = 0; dim != 2; ++dim)
      if (!readBounds(value.dims[dim], dim))
        return "the bounds of its region change otherwise than from the "
               "loop's variable, or that plus 1, to a fixed end";
    return "";
  }

  /// Whether all rows and columns are as long as the region that they are taken
  /// from, which is that of the sweep or does not change: those of later
  /// updates are parts of the first one's.
  bool floodsAreOfRegion() const {
    return all_of(found.floods, [&](const FloodStmt *flood) {
      const SetRegionStmt *set = nullptr;
      for (Stmt *stmt : found.loop->body) {
        auto *other = dyn_cast<SetRegionStmt>(stmt);
        if (other && other->target == flood->from)
          set = other;
      }
      if (!set)
        return !written.regions.contains(flood->from);
      const RegionExpr &value = set->value;
      int range = 1 - singleDim(*flood->from);
      return value.kind == RegionExpr::Dims && value.base &&
             value.dims[range].kind == DimExpr::Inherit &&
             (value.base == found.sweep->region ||
              !written.regions.contains(value.base));
    });
  }

  bool readBounds(const DimExpr &dim, unsigned number) {
    if (dim.kind == DimExpr::Inherit)
      return true;
    if (dim.kind != DimExpr::Range || mentionsAny(*dim.hi, written.variables))
      return false;
    if (!mentionsAny(*dim.lo, written.variables))
      return true;
    auto *sum = dyn_cast<BinaryExpr>(dim.lo);
    auto *more = sum ? dyn_cast<ConstExpr>(sum->right) : nullptr;
    if (isK(dim.lo))
      found.shrinks[number] = 0;
    else if (sum && sum->op == BinaryOp::Add && isK(sum->left) && more &&
             more->integer == 1)
      found.shrinks[number] = 1;
    return found.shrinks[number].has_value();
  }

  bool isK(const Expr *expr) const {
    auto *read = dyn_cast_or_null<VarExpr>(expr);
    return read && read->variable == found.k;
  }

  //===--------------------------------------------------------------------===//
  // Touches
  //===--------------------------------------------------------------------===//

  /// Takes notice of a statement of the body; what is wrong with it, if so.
  std::string read(Stmt &stmt) {
    std::string why;
    if (&stmt == found.sweep)
      settled.clear();
    else if (namesArrayInside(stmt, *found.matrix))
      why = readTouch(stmt);
    else
      why = obstacleInOther(stmt);
    WriteSet here = effects.writes(procedure, stmt);
    for (const Region *region : here.regions)
      keys.erase(region);
    if (auto *set = dyn_cast<SetRegionStmt>(&stmt))
      noteRegion(*set);
    for (const Variable *variable : here.variables)
      forget(variable);
    if (auto *set = dyn_cast<SetStmt>(&stmt))
      noteCopy(*set);
    return why;
  }

  std::string readTouch(Stmt &stmt) {
    Region *region = nullptr;
    if (auto *check = dyn_cast<CheckStmt>(&stmt))
      return check->check == CheckStmt::Mask || check->check == CheckStmt::Maps
                 ? "it is a mask"
                 : "";
    if (auto *loop = dyn_cast<MLoopStmt>(&stmt))
      region = touchedBy(*loop) ? loop->region : nullptr;
    else if (auto *flood = dyn_cast<FloodStmt>(&stmt))
      region = flood->source == found.matrix && !flood->begins ? flood->from
                                                               : nullptr;
    if (!region || region->rank() != 2 ||
        none_of(region->shape,
                [](DimKind kind) { return kind == DimKind::Singleton; }))
      return "more of it than rows or columns is read or written";
    addTouch(stmt, *region);
    return "";
  }

  bool touchedBy(const MLoopStmt &loop) const {
    bool isPlain = loop.awaits.empty() && !loop.times && !loop.time.most &&
                   !remaps(loop, found.matrix);
    forEachExpr(loop, [&](const Expr &expr) {
      auto *element = dyn_cast<ElementExpr>(&expr);
      isPlain &=
          !(element && element->array == found.matrix && element->isShifted());
    });
    return isPlain;
  }

  void addTouch(const Stmt &stmt, Region &region) {
    SmallVector<unsigned, 2> dims;
    for (unsigned dim = 0; dim != 2; ++dim)
      if (region.shape[dim] == DimKind::Singleton)
        dims.push_back(dim);
    for (unsigned dim : dims)
      if (isSettled(dim, keyOf(region, dim)))
        return;
    const Expr *key = keyOf(region, dims.front());
    settled.push_back({dims.front(), key});
    found.touches[&stmt].push_back({dims.front(), &region});
    found.touchesK[dims.front()] |= isK(key);
  }

  const Expr *keyOf(const Region &region, unsigned dim) const {
    auto known = keys.find(&region);
    return known == keys.end() ? nullptr : known->second[dim];
  }

  bool isSettled(unsigned dim, const Expr *key) const {
    return key && any_of(settled, [&](const auto &one) {
             return one.first == dim && one.second &&
                    haveSameValue(one.second, key);
           });
  }

  void noteRegion(const SetRegionStmt &set) {
    auto &known = keys[set.target];
    known = {nullptr, nullptr};
    if (set.value.kind != RegionExpr::Dims || set.target->rank() != 2)
      return;
    for (unsigned dim = 0; dim != 2; ++dim)
      if (set.value.dims[dim].kind == DimExpr::Single)
        known[dim] = origin(set.value.dims[dim].lo);
  }

  /// What an expression is a copy of, or itself.
  const Expr *origin(const Expr *expr) const {
    auto *read = dyn_cast<VarExpr>(expr);
    const Expr *copied = read ? copies.lookup(read->variable) : nullptr;
    return copied ? copied : expr;
  }

  void noteCopy(const SetStmt &set) {
    auto *target = dyn_cast<VarExpr>(set.target);
    if (target && isa<VarExpr>(set.value) &&
        target->variable->storage == Storage::Local)
      copies[target->variable] = origin(set.value);
  }

  void forget(const Variable *variable) {
    DenseSet<const Variable *> one = {variable};
    auto isStale = [&](const Expr *expr) {
      return expr && mentionsAny(*expr, one);
    };
    for (auto &[copy, value] : copies)
      if (copy == variable || isStale(value))
        value = nullptr;
    for (auto &[region, known] : keys)
      for (const Expr *&key : known)
        if (isStale(key))
          key = nullptr;
    erase_if(settled, [&](const auto &one) { return isStale(one.second); });
  }

  //===--------------------------------------------------------------------===//
  // What does not name the matrix
  //===--------------------------------------------------------------------===//

  std::string obstacleInOther(Stmt &stmt) const {
    bool leaves = false, calls = false;
    auto look = [&](const Stmt &inner) {
      leaves |= isa<ExitStmt, ContinueStmt, ReturnStmt>(inner);
      calls |= isa<CallStmt>(inner);
      forEachExpr(inner, [&](const Expr &expr) {
        auto *call = dyn_cast<CallExpr>(&expr);
        calls |= call && !call->callee->isScalar;
      });
    };
    look(stmt);
    forEachList(stmt, [&](StmtList &list) { forEachStmt(list, look); });
    if (leaves)
      return "the loop may be left here";
    bool isHidden =
        found.matrix->storage == Storage::Local && !found.matrix->family;
    if (calls && !isHidden)
      return "a procedure is called, which may read it";
    bool flooded = false;
    forEachArray(
        stmt, [&](const Array &array) { flooded |= found.isFlooded(&array); });
    auto *flood = dyn_cast<FloodStmt>(&stmt);
    bool isOwn = isa<FreeArrayStmt>(stmt) || (flood && !namesAsSource(*flood));
    return flooded && !isOwn ? "a row or column of the update is used otherwise"
                             : "";
  }

  bool namesAsSource(const FloodStmt &flood) const {
    return found.isFlooded(flood.source);
  }

  const Procedure &procedure;
  const Module &module;
  const Effects &effects;
  WriteSet written; ///< by an iteration
  /// Rows and columns that are up to date; of unknown index: null.
  SmallVector<std::pair<unsigned, const Expr *>, 8> settled;
  /// By region, what its single indices are.
  DenseMap<const Region *, std::array<const Expr *, 2>> keys;
  DenseMap<const Variable *, const Expr *> copies;
};

} // namespace

std::optional<DelayedLoop>
readDelayedLoop(ForStmt &loop, const Procedure &procedure, const Module &module,
                const Effects &effects, Obstacle &obstacle) {
  obstacle = {};
  if (procedure.mayAlias || !stepsByOne(loop) ||
      loop.variable->type != Type::I32)
    return std::nullopt;
  LoopReader reader(loop, procedure, module, effects);
  if (!reader.findSweep())
    return std::nullopt;
  obstacle = reader.obstacle();
  return obstacle.why.empty() ? std::optional(reader.found) : std::nullopt;
}

} // namespace zpl::air
