//===- StripLoops.cpp - Sweeps in strips of rows --------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     mloop %hx { store @Hx = sub(@Hx, sub(@Ez@(0,1), @Ez)) }
//     mloop %hy { store @Hy = add(@Hy, sub(@Ez@(1,0), @Ez)) }
//     dr %t  sr %t  dn %t  sv %t                          -- @Hx, @Hy
//     region %s = ...
//     mloop %ez { store @Ez = add(@Ez, ... @Hy@(-1,0) ... @Hx@(0,-1) ...) }
//
//  =>
//
//     region %s = ...
//     strips of dim 0 behind (0, 0, 0) {
//       the loops, and the points where they were
//     }
//
// Three sweeps take each array from memory two or three times a step. fuse-loops
// cannot make one of them: their regions differ, and the last one reads at other
// indices what the others store, which may be other processors'. Where one
// processor has everything, the points do nothing, and what a loop wants of the
// ones before it is there some rows later. Between processors, but for several
// iterations at once, and where the arrays fit in the caches, the run executes
// the loops one after the other, as they were (LowerStrips.cpp).
//
// A loop that has delayed parts goes apart into them: in strips each has its own
// delay, and other loops may come between.
//
// That is worth code of its own only in loops, or in procedures that are called
// in one, and for sweeps: what goes through a row or column, as statements over
// borders do, may stand between two, but begins and ends no group.
//
// A group grows from an M-loop as long as what comes next is a loop that shares
// an array with it, or makes way:
//
//  1. Points of transfers stay between the loops; all points of a transfer are
//     in the strips, or none.
//  2. Regions, checks, `bind` and `alloc` come first, if they depend on nothing
//     that the loops accumulate and set nothing that these use.
//  3. `free`, `set` and `combine` come after the loops, if no later loop uses
//     what they write.
//
// Strips that are all that a `for` does, borders included, may execute several
// of its iterations: each some rows behind the one before, so that a strip is
// brought to the cache once for all of them (Time/TimeLoop.cpp), and between
// processors they have one exchange. Arrays may get room for that, and other
// storage, when they begin: so transfers of them that began before have been
// waited for (SV), or there are no such strips.
//
// Which loops may be in one sweep at all LoopNeighbours.cpp says; how many rows
// apart, Strips.cpp.
//
// Cost: linear in the statements, times pairs of accesses of a group's loops.
//
//===----------------------------------------------------------------------===//

#include "Loops/Strips/StripLoops.h"
#include "Loops/LoopNeighbours.h"
#include "Loops/Time/TimeLoop.h"
#include "zpl/Analysis/LoopDepths.h"
#include "zpl/ArrayIR/LoopOrder.h"
#include "zpl/ArrayIR/TimeSteps.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;

namespace zpl::air {
namespace {

/// So many loops at most run in strips: what lies between the first one's row
/// and the last one's is to stay in the cache.
constexpr size_t MostLoops = 24;

/// Loops that are to run in strips, and what stands between them.
struct Group {
  size_t first, end; ///< positions in the list
  unsigned dim;
  SmallVector<MLoopStmt *, 4> loops;
  LoopAccesses accesses;
  SmallVector<Stmt *, 8> inside, before, after;
  DenseSet<const Variable *> written, read; ///< by what comes after
  DenseSet<const Array *> freed;

  Group(MLoopStmt &loop, size_t at, unsigned dim)
      : first(at), end(at + 1), dim(dim), loops{&loop}, accesses(loop),
        inside{&loop} {}
};

/// What of a group is decided when its last loop has joined it.
struct Accepted {
  size_t end, loops, inside, before, after;
};

class LoopStripper {
public:
  LoopStripper(Module &module, Procedure &procedure,
               const KnownStrides &strides, const LoopDepths *depths,
               PassContext &context)
      : module(module), procedure(procedure), strides(strides),
        context(context), depths(depths),
        neighbours(module, procedure, strides,
                   /*delays=*/false, /*besideViews=*/false),
        names(procedure) {}

  void list(StmtList &list) {
    for (size_t i = 0; i < list.size(); ++i)
      if (auto *loop = dyn_cast<MLoopStmt>(list[i]))
        i = gather(*loop, list, i);
    SaveAndRestore<SmallVector<const Transfer *, 4>> outer(travelling);
    for (size_t i = 0; i < list.size(); ++i) {
      Stmt *stmt = list[i];
      notePoints(*stmt);
      StmtList before;
      auto *loop = dyn_cast<ForStmt>(stmt);
      if (loop && stepThroughAll(*loop, before)) {
        list.insert(list.begin() + i, before.begin(), before.end());
        i += before.size();
      } else if (!isa<WaveStmt, InterleaveStmt, StripsStmt>(stmt)) {
        forEachList(*stmt, [&](StmtList &inner) { this->list(inner); });
      }
    }
  }

private:
  /// Makes strips of the loop at \p i and what follows it, if anything can be;
  /// returns the position of the last statement that need not be asked again.
  size_t gather(MLoopStmt &first, StmtList &list, size_t i) {
    const LoopLevel *row = rowLevel(first);
    if (!row || (depths && depths->of(first.range) == 0) ||
        !whyNotAtAll(first, row->dim).empty())
      return i;
    Group group(first, i, row->dim);
    SmallVector<Accepted, 4> accepted;
    for (size_t j = i + 1; j < list.size(); ++j) {
      auto *loop = dyn_cast<MLoopStmt>(list[j]);
      if (loop ? !joinOrSay(group, *loop) : !makeWay(group, *list[j]))
        break;
      if (loop && rowLevel(*loop))
        accepted.push_back({j + 1, group.loops.size(), group.inside.size(),
                            group.before.size(), group.after.size()});
    }
    // The most loops whose transfers can be in the strips, too.
    for (const Accepted &end : reverse(accepted)) {
      Group taken = group;
      taken.end = end.end;
      taken.loops.truncate(end.loops);
      taken.inside.truncate(end.inside);
      taken.before.truncate(end.before);
      taken.after.truncate(end.after);
      if (!takePoints(taken, list))
        continue;
      sayStrips(replace(taken, list));
      return taken.first + taken.before.size();
    }
    return i;
  }

  /// Why a loop cannot be in strips of rows of \p dim, whatever others do.
  std::string whyNotAtAll(const MLoopStmt &loop, unsigned dim) const {
    const LoopLevel *row = rowLevel(loop);
    if (!loop.walkers.empty())
      return "it has its form";
    if (row && (row->down || row->dim != dim))
      return "its rows are taken in another order";
    std::string why;
    for (const MLoopStmt &part : separated(&loop))
      if (why.empty())
        why = whyNotInStrips(part, dim, &strides);
    return why;
  }

  /// Adds a loop that shares an array with the group, if it may be in it.
  bool joinOrSay(Group &group, MLoopStmt &loop) {
    if (!group.accesses.sharesArray(LoopAccesses(loop)))
      return false;
    std::string why = join(group, loop);
    if (!why.empty())
      context.missed(loop.range,
                     "not taken in strips with the loop before" +
                         context.atLine(group.loops.front()->range) + ": " +
                         why);
    return why.empty();
  }

  /// Adds a loop to the group; else why it must not be in it.
  std::string join(Group &group, MLoopStmt &loop) {
    const MLoopStmt &first = *group.loops.front();
    if (group.loops.size() == MostLoops)
      return "there are many already";
    if (loop.region->rank() != first.region->rank() ||
        loop.region->domain != first.region->domain)
      return "it is over a region of another rank or domain";
    LoopAccesses accesses(loop);
    std::string why = whyNotAtAll(loop, group.dim);
    if (why.empty())
      why = neighbours.obstacle(group.accesses, accesses);
    if (why.empty() && usesPassed(group, accesses))
      why = "it uses what is computed, or freed, between them";
    SmallVector<MLoopStmt *, 4> loops = group.loops;
    loops.push_back(&loop);
    if (why.empty() && !leastDelays(separated(loops), group.dim))
      why = "it would have to stay too many rows behind";
    if (!why.empty())
      return why;
    group.loops = loops;
    group.accesses.add(loop);
    group.inside.push_back(&loop);
    return "";
  }

  static bool usesPassed(const Group &group, const LoopAccesses &loop) {
    return any_of(loop.read,
                  [&](const Variable *variable) {
                    return group.written.contains(variable);
                  }) ||
           any_of(loop.accumulated,
                  [&](const Variable *variable) {
                    return group.read.contains(variable) ||
                           group.written.contains(variable);
                  }) ||
           (loop.readsReference && !group.written.empty()) ||
           any_of(loop.touched, [&](const Array *array) {
             return group.freed.contains(array);
           });
  }

  /// Whether a statement that is no M-loop makes way for the next one; notes
  /// where it goes.
  bool makeWay(Group &group, Stmt &stmt) {
    if (isa<TransferPointStmt>(stmt)) {
      group.inside.push_back(&stmt);
      return true;
    }
    if (mayComeFirst(group, stmt)) {
      group.before.push_back(&stmt);
      return true;
    }
    if (auto *release = dyn_cast<FreeArrayStmt>(&stmt)) {
      group.freed.insert(release->array);
    } else if (auto *combine = dyn_cast<CombineStmt>(&stmt)) {
      for (const CombineStmt::Value &value : combine->values())
        group.written.insert(value.variable);
    } else if (auto *set = dyn_cast<SetStmt>(&stmt);
               set && callsNothing(stmt)) {
      group.written.insert(rootVariable(set->target));
    } else {
      return false;
    }
    group.after.push_back(&stmt);
    forEachExpr(stmt, [&](const Expr &e) {
      if (auto *read = dyn_cast<VarExpr>(&e))
        group.read.insert(read->variable);
    });
    auto hasOtherName = [](const Variable *v) { return v->byReference; };
    return none_of(group.written, hasOtherName) &&
           none_of(group.read, hasOtherName);
  }

  static bool callsNothing(const Stmt &stmt) {
    bool calls = false;
    forEachExpr(stmt, [&](const Expr &e) { calls |= isa<CallExpr>(e); });
    return !calls;
  }

  /// Whether a statement may be executed before all loops of the group, and
  /// before what comes after them.
  bool mayComeFirst(const Group &group, const Stmt &stmt) const {
    bool isFree = callsNothing(stmt);
    forEachExpr(stmt, [&](const Expr &e) {
      auto *read = dyn_cast<VarExpr>(&e);
      isFree &= !read || (!read->variable->byReference &&
                          !group.written.contains(read->variable) &&
                          !group.accesses.accumulated.contains(read->variable));
    });
    forEachArray(stmt, [&](const Array &array) {
      isFree &= !neighbours.lent().mayHold(group.freed, &array);
    });
    if (!isFree)
      return false;
    if (auto *set = dyn_cast<SetRegionStmt>(&stmt))
      return set->target->storage == Storage::Local && !set->value.condition &&
             !usesRegion(group, *set->target);
    if (auto *bind = dyn_cast<BindArrayStmt>(&stmt))
      return !group.accesses.touched.contains(bind->array);
    if (auto *check = dyn_cast<CheckStmt>(&stmt))
      return check->check != CheckStmt::Maps;
    auto *alloc = dyn_cast<AllocArrayStmt>(&stmt);
    return alloc && !alloc->like && !alloc->follows &&
           alloc->array->storage == Storage::Local && !alloc->array->family &&
           !group.accesses.touched.contains(alloc->array);
  }

  /// Whether anything in the group, or that comes after it, is over a region or
  /// reads its bounds.
  static bool usesRegion(const Group &group, const Region &region) {
    auto reads = [&](const Stmt &stmt) {
      bool found = false;
      forEachExpr(stmt, [&](const Expr &e) {
        auto *bound = dyn_cast<BoundExpr>(&e);
        found |= bound && bound->region == &region;
      });
      auto *point = dyn_cast<TransferPointStmt>(&stmt);
      auto *combine = dyn_cast<CombineStmt>(&stmt);
      return found || (point && point->transfer->region == &region) ||
             (combine && combine->region == &region);
    };
    auto isUser = [&](const Stmt *stmt) { return reads(*stmt); };
    return group.accesses.regions.contains(&region) ||
           any_of(group.inside, isUser) || any_of(group.after, isUser);
  }

  /// Keeps account of the transfers whose values are on their way.
  void notePoints(const Stmt &stmt) {
    auto *point = dyn_cast<TransferPointStmt>(&stmt);
    if (point && point->point == TransferPointStmt::DR)
      travelling.push_back(point->transfer);
    else if (point && point->point == TransferPointStmt::DN)
      erase(travelling, point->transfer);
    if (auto *loop = dyn_cast<MLoopStmt>(&stmt))
      for (const Transfer *transfer : loop->awaits)
        erase(travelling, transfer);
  }

  /// If strips can be all that a loop does, lets them execute several iterations
  /// of it; \p result gets what comes before the loop.
  bool stepThroughAll(ForStmt &loop, StmtList &result) {
    if (!context.takesTimeSteps)
      return false;
    StmtList body = loop.body;
    std::string why;
    StripsStmt *strips = stripAll(loop.body, why);
    TimeLoop time(loop);
    if (strips)
      why = whyNoTimeLoop(time, procedure, neighbours.lent(), context);
    unsigned lag = 0;
    if (strips && why.empty()) {
      if (std::optional<unsigned> least =
              leastLag(separated(time.loops), strips->delays, strips->dim))
        lag = *least;
      else
        why = "they reduce, or would have to stay too many rows behind";
    }
    if (strips && why.empty() && any_of(travelling, [&](const auto *transfer) {
          return mayMove(strips->loops(), *transfer, neighbours.lent());
        }))
      why = "values of their arrays are on their way meanwhile";
    if (!why.empty())
      context.missed(loop.range, "iterations do not share strips: " + why);
    if (!strips || !why.empty()) {
      loop.body = body;
      return false;
    }
    sayStrips(*strips);
    countSteps(time, strips->time, lag, module, procedure, names, result);
    context.applied(
        loop.range,
        "several iterations go through each strip, each " +
            std::to_string(lag) + (lag == 1 ? " row" : " rows") +
            " behind the one before; " +
            (stripReach(separated(time.loops)).isAlone
                 ? "one at a time between processors: what they compute "
                   "beside their blocks has no place there"
                 : "between processors they share an exchange"));
    return true;
  }

  /// Makes strips of all M-loops of a list, two at least; else null, and \p why
  /// says what two sweeps that share an array lack.
  StripsStmt *stripAll(StmtList &list, std::string &why) {
    auto first = find_if(list, [](const Stmt *s) { return isa<MLoopStmt>(s); });
    auto sweep = find_if(list, [](const Stmt *s) {
      auto *loop = dyn_cast<MLoopStmt>(s);
      return loop && rowLevel(*loop);
    });
    if (sweep == list.end())
      return nullptr;
    unsigned dim = rowLevel(*cast<MLoopStmt>(*sweep))->dim;
    why = whyNotAtAll(*cast<MLoopStmt>(*first), dim);
    Group group(*cast<MLoopStmt>(*first), first - list.begin(), dim);
    bool shares = false;
    for (size_t i = group.first + 1; i < list.size(); ++i) {
      auto *loop = dyn_cast<MLoopStmt>(list[i]);
      shares |= loop && group.accesses.sharesArray(LoopAccesses(*loop));
      if (!why.empty())
        continue;
      if (loop) {
        why = join(group, *loop);
        group.end = i + 1;
      } else if (!makeWay(group, *list[i]) || !group.after.empty()) {
        why = "a statement in it is to be executed each time" +
              context.atLine(list[i]->range);
      }
    }
    if (!shares)
      why.clear();
    // Points behind the last loop are taken by takePoints, if they are wanted.
    while (isa<TransferPointStmt>(group.inside.back()))
      group.inside.pop_back();
    return shares && why.empty() && takePoints(group, list)
               ? &replace(group, list)
               : nullptr;
  }

  //===--------------------------------------------------------------------===//
  // Points
  //===--------------------------------------------------------------------===//

  /// Takes in the points right before the group whose transfers have others in
  /// it, and the SVs behind it, which may come early; whether all of each
  /// transfer's are in it then.
  static bool takePoints(Group &group, StmtList &list) {
    size_t most = 0;
    while (most < group.first &&
           isa<TransferPointStmt>(list[group.first - most - 1]))
      ++most;
    for (size_t i = 0; i <= most; ++i) {
      std::optional<SmallVector<Stmt *, 4>> ends = missingEnds(group, list, i);
      if (!ends)
        continue;
      auto at = list.begin();
      group.inside.insert(group.inside.begin(), at + (group.first - i),
                          at + group.first);
      group.inside.append(ends->begin(), ends->end());
      group.first -= i;
      if (setsRegionOf(group.before, ArrayRef(group.inside).take_front(i)))
        return false;
      list.erase(
          std::remove_if(at + group.end, list.end(),
                         [&](Stmt *stmt) { return is_contained(*ends, stmt); }),
          list.end());
      return true;
    }
    return false;
  }

  /// Whether one of \p stmts sets the region of the transfer of one of
  /// \p points.
  static bool setsRegionOf(ArrayRef<Stmt *> stmts, ArrayRef<Stmt *> points) {
    return any_of(stmts, [&](const Stmt *stmt) {
      auto *set = dyn_cast<SetRegionStmt>(stmt);
      return set && any_of(points, [&](const Stmt *point) {
               return cast<TransferPointStmt>(point)->transfer->region ==
                      set->target;
             });
    });
  }

  /// The SVs behind the group with which each transfer has all of its points in
  /// it, with \p front points before it, or none; nothing if there are no such.
  static std::optional<SmallVector<Stmt *, 4>>
  missingEnds(const Group &group, const StmtList &list, size_t front) {
    SmallMapVector<const Transfer *, unsigned, 8> points;
    auto count = [&](const Stmt *stmt) {
      if (auto *point = dyn_cast<TransferPointStmt>(stmt))
        ++points[point->transfer];
      else if (auto *loop = dyn_cast<MLoopStmt>(stmt))
        for (const Transfer *transfer : loop->awaits)
          ++points[transfer];
    };
    for_each(group.inside, count);
    for (size_t i = 0; i < front; ++i)
      count(list[group.first - 1 - i]);
    SmallVector<Stmt *, 4> ends;
    constexpr unsigned All = 4; // DR, SR, DN or a loop that awaits it, SV
    for (const auto &[transfer, number] : points) {
      if (number % All == 0)
        continue;
      auto isEnd = [transfer = transfer](const Stmt *stmt) {
        auto *point = dyn_cast<TransferPointStmt>(stmt);
        return point && point->transfer == transfer;
      };
      auto next = std::find_if(list.begin() + group.end, list.end(), isEnd);
      if (number % All != All - 1 || next == list.end() ||
          cast<TransferPointStmt>(*next)->point != TransferPointStmt::SV)
        return std::nullopt;
      ends.push_back(*next);
    }
    return ends;
  }

  /// Puts the strips in the place of the group.
  StripsStmt &replace(Group &group, StmtList &list) {
    auto *strips = module.make<StripsStmt>(group.dim, group.loops[0]->range);
    strips->delays = *leastDelays(separated(group.loops), group.dim);
    strips->body.assign(group.inside.begin(), group.inside.end());
    StmtList all(group.before.begin(), group.before.end());
    all.push_back(strips);
    all.insert(all.end(), group.after.begin(), group.after.end());
    auto end = list.begin() + group.end;
    list.insert(list.erase(list.begin() + group.first, end), all.begin(),
                all.end());
    return *strips;
  }

  void sayStrips(const StripsStmt &strips) {
    SmallVector<MLoopStmt *, 4> loops = strips.loops();
    std::string place = context.atLine(loops.front()->range);
    size_t part = partsOf(*loops.front()).size();
    for (const MLoopStmt *loop : drop_begin(loops)) {
      unsigned delay = strips.delays[part];
      part += partsOf(*loop).size();
      context.applied(loop->range,
                      "taken in strips with the loop before" + place +
                          (delay == 0 ? std::string()
                                      : ", " + std::to_string(delay) +
                                            (delay == 1 ? " row" : " rows") +
                                            " behind") +
                          ", where one processor has arrays larger than its "
                          "caches");
    }
    context.count("strips");
  }

  Module &module;
  Procedure &procedure;
  const KnownStrides &strides;
  PassContext &context;
  const LoopDepths *depths; ///< null: nobody knows them
  LoopNeighbours neighbours;
  NameAllocator names;
  /// Those that have begun before the statement at hand, in its list or one
  /// around it, and have not arrived.
  SmallVector<const Transfer *, 4> travelling;
};

} // namespace

void stripLoops(Module &module, PassContext &context) {
  KnownStrides strides(module);
  std::optional<LoopDepths> depths;
  if (context.sources)
    depths.emplace(module, *context.sources);
  for (Procedure *procedure : module.procedures) {
    if (procedure->mayAlias)
      continue;
    LoopStripper stripper(module, *procedure, strides,
                          depths ? &*depths : nullptr, context);
    stripper.list(procedure->body);
    waitBeforeSteps(procedure->body, StorageAliases(module, *procedure));
  }
}

} // namespace zpl::air
