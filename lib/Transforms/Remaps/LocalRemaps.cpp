//===- LocalRemaps.cpp - Gathers in loops ---------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A gather reads any elements of its source, so in general the runtime has to
// bring them. But if the source is not divided between processors, each of its
// elements is a load at an address, and the gather is element code.
//
// 1. What is replaced. A gather, and if its result is a temporary that one array
//    statement uses, over the same region and where the mask of the gather is
//    true, that statement with all gathers that it uses so. From the check of
//    the first to the last `free` of a result they are a *segment* of their
//    list. It is copied into both branches of an `if`, in one of them with the
//    gathers as elements by maps, `A#(...)`. So nothing else in the segment is
//    looked at but for what it writes: a source, a map or a region changes
//    between the check and the statement that reads in its place in no segment.
//
//    What the runtime gathers from may be a copy of a part of the elements,
//    `P.x#[I]`; the loop reads the part itself.
//
// 2. When the loop is right. The condition is that no dimension of the source or
//    of the region is divided, and of maps in closed form (MapForms.h) that the
//    least and the greatest value are indices of the source. Then such a map
//    needs no check, and nothing wraps around. If one is out of range, or a
//    mask excludes what would be, the other branch finds out.
//
// 3. Other maps are checked where they are used. An error ends the run, so it
//    does not matter that some elements have been stored before; loops go
//    upward (FuseLoops.cpp), so the first wrong index is reported.
//
// 4. A scatter whose maps can be inverted reads what it puts into an element by
//    the inverse maps (InverseScatters.h). Others call a procedure for each
//    index.
//
// 5. Neighbouring branches, and assignments beside them, become one branch
//    (JoinRemaps.h), so that their loops may be fused.
//
// 6. Otherwise, maps that are data lead to other processors. If the arrays have
//    far fewer elements than there are indices, the same loop runs with all
//    elements on each processor, and a scatter's sums are made there first.
//    Else the statement reads what gathers would store through windows
//    (RemapWindows.h), and so does a scatter that combines; others stay. Where
//    neither is possible, or closed maps say where elements are, the statements
//    stay as they are, and so do gathers of parts of elements, whose copies are
//    freed before the results are used.
//
// Cost: linear in the statements, times the length of segments.
//
//===----------------------------------------------------------------------===//

#include "Remaps/LocalRemaps.h"
#include "Communication/TransferEdits.h"
#include "Remaps/Combiners.h"
#include "Remaps/InverseScatters.h"
#include "Remaps/JoinRemaps.h"
#include "Remaps/MapForms.h"
#include "Remaps/RemapElements.h"
#include "Remaps/RemapWindows.h"
#include "Statements/GuardedStatements.h"
#include "zpl/Analysis/Effects.h"
#include "zpl/ArrayIR/Clone.h"
#include "zpl/ArrayIR/Domains.h"
#include "zpl/ArrayIR/Printer.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace zpl::air {
namespace {

constexpr char ScatteredReason[] =
    "in a scattered domain an index is not where its element is";

/// A gather that becomes element code.
struct LocalGather {
  const GatherStmt *gather;
  const CheckStmt *check;
  /// Makes its source, a temporary, of parts of another array's elements, which
  /// are read themselves then; null: nothing does.
  const ArrayAssignStmt *copy = nullptr;
  const RemapExpr *remap = nullptr;
  const Expr *element = nullptr; ///< the part of it

  /// The array that is read.
  Array *whole() const {
    return copy ? rootElement(copy->value)->array : gather->source;
  }
};

/// A scatter that becomes an assignment, or a call for each index.
struct LocalScatter {
  const ScatterStmt *scatter = nullptr; ///< null: there is none
  const CheckStmt *check = nullptr;
  /// What computes its values, which are not stored then; null: another does.
  const ArrayAssignStmt *value = nullptr;
  /// Makes its target, a temporary, of parts of another array's elements, which
  /// are set themselves then; and stores them back. Null: nothing does.
  const ArrayAssignStmt *copy = nullptr;
  const Stmt *back = nullptr;
  const RemapExpr *element = nullptr;
  Stmt *inverted = nullptr; ///< the assignment; null: it is a call

  /// The array that is set.
  Array *whole() const {
    return copy ? rootElement(copy->value)->array : scatter->target;
  }
};

/// Statements of a list that are replaced, by where they stand.
struct Segment {
  size_t begin, end;
  size_t user;  ///< of the results; the gather if there is none
  bool hasUser; ///< then the results are not stored
  SmallVector<LocalGather, 2> gathers;
  LocalScatter scatter{};
};

class RemapLocalizer {
public:
  RemapLocalizer(Module &module, Procedure &procedure, const Effects &effects,
                 Combiners &combiners, PassContext &context)
      : module(module), procedure(procedure), effects(effects),
        combiners(combiners), context(context), elements(module, procedure),
        inverses(module, elements), windows(module, procedure) {
    forEachStmt(procedure.body, [&](const Stmt &stmt) {
      forEachArray(stmt, [&](const Array &array) { ++uses[&array]; });
    });
  }

  void list(StmtList &list) {
    for (Stmt *stmt : list)
      forEachList(*stmt, [&](StmtList &inner) { this->list(inner); });
    StmtList result;
    size_t free = 0; // where the last segment ends
    for (size_t i = 0; i < list.size();) {
      auto segment = isa<ScatterStmt>(list[i]) ? scatterAt(list, i, free)
                                               : segmentAt(list, i);
      if (!segment || segment->begin < free) {
        result.push_back(list[i++]);
        continue;
      }
      result.resize(result.size() - (i - segment->begin));
      replace(list, *segment, result);
      i = free = segment->end;
    }
    list = std::move(result);
    joinRemaps(list, made, module, procedure, effects);
  }

private:
  //===--------------------------------------------------------------------===//
  // Segments
  //===--------------------------------------------------------------------===//

  /// The segment of the gather that stands at \p at, if there is one.
  std::optional<Segment> segmentAt(const StmtList &list, size_t at) {
    if (!isa<GatherStmt>(list[at]))
      return std::nullopt;
    Segment segment{at, at + 1, at, false, {}};
    if (!add(list, at, segment))
      return std::nullopt;
    Segment alone = segment;
    size_t user = userOf(list, at);
    if (user != list.size() && mayWait(list, at, user)) {
      segment.hasUser = true;
      segment.user = user;
      segment.end = std::max(
          segment.end, endOf(list, user, *segment.gathers[0].gather->target));
      for (size_t i = at + 1; i < user; ++i)
        if (isa<GatherStmt>(list[i]) && userOf(list, i) == user &&
            mayWait(list, i, user) && add(list, i, segment))
          segment.end =
              std::max(segment.end,
                       endOf(list, user, *cast<GatherStmt>(list[i])->target));
      extendToScatter(list, segment);
      if (hasOnlySimple(list, segment))
        return segment;
    }
    bool isGood =
        !isWritten(list, at, alone.gathers[0]) && hasOnlySimple(list, alone);
    return isGood ? std::optional(alone) : std::nullopt;
  }

  /// The segment of the scatter at \p at, of statements from \p free on.
  std::optional<Segment> scatterAt(const StmtList &list, size_t at,
                                   size_t free) {
    Segment segment{at, at + 1, at, false, {}};
    auto *scatter = cast<ScatterStmt>(list[at]);
    std::string why = obstacle(*scatter);
    size_t check = checkOf(list, at);
    if (why.empty() && (check == list.size() || check < free))
      why = "its maps are checked elsewhere";
    if (!why.empty()) {
      context.missed(scatter->range, "the elements of " +
                                         sourceName(*scatter->target) +
                                         " are set by the runtime: " + why);
      return std::nullopt;
    }
    setScatter(list, at, check, segment);
    for (size_t i = at; i-- > free;) {
      Segment wider = segment;
      auto *assign = dyn_cast<ArrayAssignStmt>(list[i]);
      if (assign && takesValue(list, i, at, wider) && wider.begin >= free &&
          hasOnlySimple(list, wider))
        return wider;
    }
    bool isGood = hasOnlySimple(list, segment) &&
                  (combiners.of(*scatter) || inverts(list, segment));
    return isGood ? std::optional(segment) : std::nullopt;
  }

  /// Makes the scatter at \p at, with the check at \p check, part of the segment.
  void setScatter(const StmtList &list, size_t at, size_t check,
                  Segment &segment) const {
    auto *scatter = cast<ScatterStmt>(list[at]);
    LocalScatter &put = segment.scatter;
    put = {scatter, cast<CheckStmt>(list[check]), nullptr, copyOf(list, at)};
    segment.begin = std::min(segment.begin, check);
    if (!put.copy)
      return;
    put.back = list[at + 1];
    segment.begin = std::min(segment.begin, allocOf(list, at, scatter->target));
    segment.end = std::max(segment.end, endOf(list, at, *scatter->target));
  }

  /// Whether the scatter becomes an assignment. The arrays that it reads are
  /// there before the segment begins then.
  bool inverts(const StmtList &list, const Segment &segment) const {
    const LocalScatter &put = segment.scatter;
    const Expr *value = put.value ? put.value->value : nullptr;
    if (!segment.gathers.empty() || !inverses.canInvert(*put.scatter, value))
      return false;
    Reads reads;
    if (value)
      reads = Reads(*value);
    else
      reads.arrays.insert(put.scatter->source);
    auto statements =
        ArrayRef(list).slice(segment.begin, segment.end - segment.begin);
    return none_of(statements, [&](const Stmt *stmt) {
      auto *alloc = dyn_cast<AllocArrayStmt>(stmt);
      return alloc && reads.arrays.contains(alloc->array);
    });
  }

  /// If the user of the gathers computes the values of a scatter, and nothing
  /// else does, adds that.
  void extendToScatter(const StmtList &list, Segment &segment) {
    for (size_t i = segment.user + 1; i < list.size(); ++i) {
      auto *scatter = dyn_cast<ScatterStmt>(list[i]);
      if (!scatter)
        continue;
      size_t check = checkOf(list, i);
      Segment wider = segment;
      if (check == list.size() || !obstacle(*scatter).empty())
        return;
      setScatter(list, i, check, wider);
      if (takesValue(list, segment.user, i, wider) &&
          hasOnlySimple(list, wider))
        segment = wider;
      return;
    }
  }

  /// Whether the scatter of \p segment, at \p at, may compute its values, which
  /// the assignment at \p user stores for it alone; extends the segment then.
  bool takesValue(const StmtList &list, size_t user, size_t at,
                  Segment &segment) const {
    auto *assign = dyn_cast<ArrayAssignStmt>(list[user]);
    auto *target = assign ? dyn_cast<ElementExpr>(assign->target) : nullptr;
    const ScatterStmt &scatter = *segment.scatter.scatter;
    const Array *values = scatter.source;
    size_t end = endOf(list, at, *values);
    size_t alloc = allocOf(list, user, values);
    if (!target || target->array != values || uses.lookup(values) != 4 ||
        values->storage != Storage::Local || end == 0 || alloc == list.size() ||
        assign->region != scatter.region ||
        bool(assign->guard) != bool(scatter.mask.array) ||
        (assign->guard && !holds(*assign->guard, scatter.mask)))
      return false;
    Reads reads(*assign->value);
    reads.regions.insert(scatter.region);
    if (scatter.mask.array)
      reads.arrays.insert(scatter.mask.array);
    for (const LocalGather &local : segment.gathers)
      addReads(local, reads);
    bool isChanged = any_of(reads.arrays, [&](const Array *array) {
      return mayBeSame(module, *array, *segment.scatter.whole(),
                       procedure.mayAlias);
    });
    // Results of the gathers are not there any more; other temporaries are.
    auto isOfResult = [&](const Stmt &stmt) {
      return any_of(segment.gathers, [&](const LocalGather &local) {
        return makes(stmt, local.gather->target);
      });
    };
    for (size_t i = user + 1; i < at; ++i)
      isChanged |= reads.isChangedBy(effects.writes(procedure, *list[i])) &&
                   !isOfResult(*list[i]);
    if (isChanged || reads.calls)
      return false;
    segment.scatter.value = assign;
    segment.begin = std::min({segment.begin, alloc, user});
    segment.end = std::max({segment.end, end, at + 1});
    return inverses.canInvert(scatter, nullptr)
               ? inverts(list, segment)
               : combiners.of(scatter) != nullptr;
  }

  std::string obstacle(const ScatterStmt &scatter) const {
    if (is_contained(scatter.target->shape, DimKind::Grid) ||
        is_contained(scatter.region->shape, DimKind::Grid) ||
        is_contained(scatter.source->shape, DimKind::Grid))
      return "a grid dimension has elements of its own on each processor";
    if (isScattered(*scatter.target) || isScattered(*scatter.region))
      return ScatteredReason;
    if (scatter.region->isSparse)
      return "what comes from a sparse region is in its order";
    return combiners.of(scatter) || inverses.canInvert(scatter, nullptr)
               ? ""
               : "they are no numbers";
  }

  /// Adds the gather at \p at; false if it stays with the runtime.
  bool add(const StmtList &list, size_t at, Segment &segment) {
    auto *gather = cast<GatherStmt>(list[at]);
    size_t check = checkOf(list, at);
    std::string why = obstacle(*gather, check == list.size());
    if (!why.empty()) {
      if (told.insert(gather).second)
        context.missed(gather->range, "the elements of " +
                                          sourceName(*gather->source) +
                                          " are gathered in advance: " + why);
      return false;
    }
    segment.begin =
        std::min({segment.begin, check, allocOf(list, at, gather->target)});
    segment.gathers.push_back(
        {gather, cast<CheckStmt>(list[check]), copyOf(list, at)});
    if (segment.gathers.back().copy) {
      segment.begin =
          std::min(segment.begin, allocOf(list, at, gather->source));
      segment.end = std::max(segment.end, endOf(list, at, *gather->source));
    }
    return true;
  }

  /// What makes the source of the gather at \p at, or the target of the scatter,
  /// if that is a temporary of parts of elements, `[%R] %T = @P.x`, which nothing
  /// else reads; a scatter's are stored back.
  const ArrayAssignStmt *copyOf(const StmtList &list, size_t at) const {
    auto *gather = dyn_cast<GatherStmt>(list[at]);
    auto *scatter = dyn_cast<ScatterStmt>(list[at]);
    const Array *source = gather ? gather->source : scatter->target;
    if (source->storage != Storage::Local || source->family ||
        uses.lookup(source) != (gather ? 4 : 5))
      return nullptr;
    size_t i = at;
    while (i > 0 && isa<AllocArrayStmt>(list[i - 1]))
      --i;
    auto *copy = i > 0 ? dyn_cast<ArrayAssignStmt>(list[i - 1]) : nullptr;
    auto *target = copy ? dyn_cast<ElementExpr>(copy->target) : nullptr;
    if (!target || target->array != source || copy->guard ||
        copy->region != source->declared ||
        allocOf(list, i - 1, source) == list.size() ||
        endOf(list, at, *source) == 0)
      return nullptr;
    bool isPart = true;
    forEachExpr(*copy->value, [&](const Expr &e) {
      auto *element = dyn_cast<ElementExpr>(&e);
      isPart &= isa<FieldExpr, SubscriptExpr, ConstExpr>(e) ||
                (element && !element->isShifted());
    });
    const ElementExpr *root = isPart ? rootElement(copy->value) : nullptr;
    bool isWhole = root && root->array->declared == source->declared &&
                   (!scatter ||
                    (at + 1 < list.size() && storesBack(*list[at + 1], *copy) &&
                     isApart(*scatter, *root->array)));
    return isWhole ? copy : nullptr;
  }

  /// Whether a statement assigns a copy to what it is one of.
  static bool storesBack(const Stmt &stmt, const ArrayAssignStmt &copy) {
    auto *back = dyn_cast<ArrayAssignStmt>(&stmt);
    auto *value = back ? dyn_cast<ElementExpr>(back->value) : nullptr;
    return value && !back->guard && back->region == copy.region &&
           value->array == cast<ElementExpr>(copy.target)->array &&
           !value->isShifted() &&
           exprText(*back->target) == exprText(*copy.value);
  }

  static std::string exprText(const Expr &expr) {
    std::string text;
    raw_string_ostream os(text);
    print(expr, os);
    return os.str();
  }

  /// Whether a scatter reads nothing of an array.
  bool isApart(const ScatterStmt &scatter, const Array &array) const {
    Reads reads;
    reads.arrays.insert(scatter.source);
    if (scatter.mask.array)
      reads.arrays.insert(scatter.mask.array);
    for (const Map &map : scatter.maps) {
      if (map.array)
        reads.arrays.insert(map.array);
      for (const Expr *expr : {map.scalar, map.value})
        if (expr)
          forEachExpr(*expr, [&](const Expr &e) { reads.add(e); });
    }
    return none_of(reads.arrays, [&](const Array *read) {
      return mayBeSame(module, *read, array, procedure.mayAlias);
    });
  }

  static std::string obstacle(const GatherStmt &gather, bool isUnchecked) {
    if (isUnchecked)
      return "its maps are checked elsewhere";
    if (is_contained(gather.source->shape, DimKind::Grid) ||
        is_contained(gather.region->shape, DimKind::Grid) ||
        is_contained(gather.target->shape, DimKind::Grid))
      return "a grid dimension has elements of its own on each processor";
    if (isScattered(*gather.source) || isScattered(*gather.region))
      return ScatteredReason;
    return isOneForMany(*gather.target, *gather.region)
               ? "its result has one element for many indices"
               : "";
  }

  /// The check of the maps of the gather or scatter at \p at; the list's size:
  /// none.
  size_t checkOf(const StmtList &list, size_t at) const {
    if (auto *gather = dyn_cast<GatherStmt>(list[at]))
      return checkOf(list, at, *gather,
                     LocalGather{gather, nullptr, copyOf(list, at)}.whole());
    auto *scatter = cast<ScatterStmt>(list[at]);
    return checkOf(
        list, at, *scatter,
        LocalScatter{scatter, nullptr, nullptr, copyOf(list, at)}.whole());
  }

  template <typename Remap>
  static size_t checkOf(const StmtList &list, size_t at, const Remap &remap,
                        const Array *remapped) {
    auto areSame = [](const Map &a, const Map &b) {
      return mapText(a) == mapText(b);
    };
    for (size_t i = at; i-- > 0;) {
      auto *check = dyn_cast<CheckStmt>(list[i]);
      if (check && check->check == CheckStmt::Maps &&
          check->array == remapped && check->region == remap.region &&
          check->mask.array == remap.mask.array &&
          std::equal(check->maps.begin(), check->maps.end(), remap.maps.begin(),
                     remap.maps.end(), areSame))
        return i;
    }
    return list.size();
  }

  /// Where an array is made, before \p at; the list's size: not in the list.
  static size_t allocOf(const StmtList &list, size_t at, const Array *array) {
    for (size_t i = at; i-- > 0;) {
      auto *alloc = dyn_cast<AllocArrayStmt>(list[i]);
      if (alloc && alloc->array == array)
        return i;
    }
    return list.size();
  }

  /// Behind the `free`, after \p user, of an array; 0: not in the list.
  static size_t endOf(const StmtList &list, size_t user, const Array &array) {
    for (size_t i = user; i < list.size(); ++i)
      if (auto *free = dyn_cast<FreeArrayStmt>(list[i]);
          free && free->array == &array)
        return i + 1;
    return 0;
  }

  /// The only statement of the list that uses the result of the gather at
  /// \p at, element by element; the list's size if there is none.
  size_t userOf(const StmtList &list, size_t at) const {
    auto *gather = cast<GatherStmt>(list[at]);
    const Array *result = gather->target;
    size_t none = list.size();
    bool isTemporary = result->storage == Storage::Local && !result->family &&
                       uses.lookup(result) == 4 &&
                       allocOf(list, at, result) != none &&
                       endOf(list, at, *result) != 0;
    if (!isTemporary)
      return none;
    for (size_t i = at + 1; i < list.size(); ++i) {
      bool isNamed = false;
      forEachArray(*list[i],
                   [&](const Array &array) { isNamed |= &array == result; });
      if (isNamed)
        return takesElements(*list[i], *gather) ? i : none;
    }
    return none;
  }

  /// Whether a statement reads the result at its own indices only, where it
  /// has been gathered.
  static bool takesElements(Stmt &stmt, const GatherStmt &gather) {
    auto guarded = guardedStatement(stmt);
    if (!guarded || !isa<ArrayAssignStmt, ReduceStmt, ReduceArrayStmt>(stmt) ||
        elementRegion(stmt) != gather.region)
      return false;
    if (gather.mask.array &&
        !(guarded->guard && holds(*guarded->guard, gather.mask)))
      return false;
    bool isGood = true;
    forEachExpr(stmt, [&](const Expr &e) {
      auto *element = dyn_cast<ElementExpr>(&e);
      isGood &=
          !(element && element->array == gather.target && element->isShifted());
      auto *call = dyn_cast<CallExpr>(&e);
      isGood &= !call || all_of(call->args,
                                [](const Argument &arg) { return arg.value; });
    });
    return isGood;
  }

  /// Whether a guard that is true says that the mask is.
  static bool holds(const Expr &guard, const Mask &mask) {
    auto *both = dyn_cast<BinaryExpr>(&guard);
    if (both && both->op == BinaryOp::And)
      return holds(*both->left, mask) || holds(*both->right, mask);
    auto *negation = dyn_cast<UnaryExpr>(&guard);
    bool isNot = negation && negation->op == UnaryOp::Not;
    auto *element = dyn_cast<ElementExpr>(isNot ? negation->operand : &guard);
    return element && element->array == mask.array && !element->isShifted() &&
           isNot == !mask.value;
  }

  /// Whether the gather at \p at may be executed with the statement at
  /// \p user: nothing that it reads changes before that stores.
  bool mayWait(const StmtList &list, size_t at, size_t user) const {
    auto *gather = cast<GatherStmt>(list[at]);
    size_t check = checkOf(list, at);
    if (check == list.size())
      return false;
    LocalGather local{gather, cast<CheckStmt>(list[check]), copyOf(list, at)};
    if (isWritten(list, user, local))
      return false;
    WriteSet written = effects.writes(procedure, *list[user]);
    return none_of(written.arrays, [&](const Array *array) {
      return mayBeSame(module, *array, *local.whole(), procedure.mayAlias);
    });
  }

  static void addReads(const LocalGather &local, Reads &reads) {
    reads.arrays.insert(local.whole());
    reads.regions.insert(local.gather->region);
    if (local.gather->mask.array)
      reads.arrays.insert(local.gather->mask.array);
    for (const Map &map : local.gather->maps) {
      if (map.array)
        reads.arrays.insert(map.array);
      for (const Expr *expr : {map.scalar, map.value})
        if (expr)
          forEachExpr(*expr, [&](const Expr &e) { reads.add(e); });
    }
  }

  /// Whether a statement from the check on, before \p end, changes what a
  /// gather reads.
  bool isWritten(const StmtList &list, size_t end,
                 const LocalGather &local) const {
    Reads reads;
    addReads(local, reads);
    bool isAfter = false;
    for (size_t i = 0; i < end; ++i) {
      isAfter |= list[i] == local.check;
      if (isAfter && list[i] != local.gather &&
          reads.isChangedBy(effects.writes(procedure, *list[i])))
        return true;
    }
    return false;
  }

  /// Whether the segment may be copied into branches: control flow passes it.
  static bool hasOnlySimple(const StmtList &list, const Segment &segment) {
    return all_of(
        ArrayRef(list).slice(segment.begin, segment.end - segment.begin),
        [](const Stmt *stmt) {
          return mayStandInSplit(*stmt) && !isa<TransferPointStmt>(stmt);
        });
  }

  //===--------------------------------------------------------------------===//
  // Replacing
  //===--------------------------------------------------------------------===//

  void replace(const StmtList &list, Segment &segment, StmtList &result) {
    elements.condition = elements.few = nullptr;
    elements.before.clear();
    for (LocalGather &local : segment.gathers) {
      const GatherStmt &gather = *local.gather;
      local.remap = elements.of(remapped(gather, local.whole(), *local.check));
      local.element = partOf(local.copy, local.remap);
      tell(gather, local.whole(), local.remap, "read");
    }
    if (segment.scatter.scatter)
      localize(list, segment);
    append_range(result, elements.before);
    made.definitions.insert(elements.before.begin(), elements.before.end());
    const ScatterStmt *scatter = segment.scatter.scatter;
    auto *branch = module.make<IfStmt>(
        elements.condition,
        scatter ? scatter->range : segment.gathers.front().gather->range);
    windows.start();
    branch->thenBody = localized(list, segment);
    branch->elseBody = distributed(list, segment);
    result.push_back(branch);
    made.branches.insert(branch);
  }

  /// Makes what takes the place of the segment's scatter.
  void localize(const StmtList &list, Segment &segment) {
    LocalScatter &put = segment.scatter;
    const ScatterStmt &scatter = *put.scatter;
    const Expr *value = put.value ? put.value->value : nullptr;
    bool isInverted = inverts(list, segment);
    Remapped remap = remapped(scatter, put.whole(), *put.check);
    if (isInverted)
      remap.mask = Mask();
    put.element = elements.of(remap);
    if (isInverted)
      put.inverted =
          inverses.invert(scatter, value, put.copy ? put.copy->value : nullptr);
    tell(scatter, put.whole(), put.element, "set",
         isInverted ? ", by inverse maps" : "");
  }

  /// The statements of the segment with the loop that takes their place, in
  /// windows if there are some.
  StmtList localized(const StmtList &list, const Segment &segment) {
    StmtList result;
    Renaming none;
    StmtCloner cloner(module, none);
    for (size_t i = segment.begin; i < segment.end; ++i) {
      Stmt *made = localized(*list[i], segment, i == segment.user, cloner);
      bool isLoop = segment.scatter.scatter ? list[i] == segment.scatter.scatter
                                            : i == segment.user;
      if (isLoop)
        append_range(result, windows.before);
      if (made)
        result.push_back(made);
      if (isLoop)
        append_range(result, windows.after);
    }
    return result;
  }

  /// The statements of the segment where one processor has not all elements.
  StmtList distributed(const StmtList &list, const Segment &segment) {
    const Expr *few = elements.few;
    StmtList result = fetching(list, segment);
    std::optional<Segment> copied = withCopies(segment);
    if (!copied)
      return result;
    auto *branch = module.make<IfStmt>(few, few->range);
    branch->thenBody = localized(list, *copied);
    branch->elseBody = std::move(result);
    return {branch};
  }

  /// The segment with a scatter that calls a procedure for each index, of the
  /// copies of parts that the program makes.
  static Segment withCalls(Segment segment) {
    LocalScatter &put = segment.scatter;
    put.copy = nullptr;
    put.back = put.inverted = nullptr;
    return segment;
  }

  /// Those with windows for what gathers read, and for the target of a scatter
  /// that combines; without, as they are.
  StmtList fetching(const StmtList &list, const Segment &segment) {
    windows.start();
    Segment fetched = withCalls(segment);
    erase_if(fetched.gathers, [&](const LocalGather &local) {
      return !local.remap->checked || local.copy || !mayFetch(*local.gather);
    });
    // Other gathers' results may be freed before the scatter.
    const LocalScatter &put = segment.scatter;
    bool collects = put.scatter && put.element->checked &&
                    mayImage(*put.scatter) &&
                    fetched.gathers.size() == segment.gathers.size();
    if (!collects)
      fetched.scatter = {};
    if (fetched.gathers.empty() && !collects)
      return StmtList(list.begin() + segment.begin, list.begin() + segment.end);
    for (LocalGather &local : fetched.gathers)
      local.element = windows.fetched(*local.gather, local.check->text);
    if (collects)
      fetched.scatter.element =
          windows.collected(*put.scatter, put.check->text);
    return localized(list, fetched);
  }

  /// The segment with elements of copies and of an image, if maps are data.
  std::optional<Segment> withCopies(const Segment &segment) {
    const LocalScatter &put = segment.scatter;
    bool isData = put.scatter && put.element->checked;
    for (const LocalGather &local : segment.gathers) {
      isData |= local.remap->checked != 0;
      if (local.copy || !mayCopyWhole(*local.gather))
        return std::nullopt;
    }
    if (!isData || (put.scatter && !mayImage(*put.scatter)))
      return std::nullopt;
    windows.start();
    Segment copied = withCalls(segment);
    for (LocalGather &local : copied.gathers) {
      const GatherStmt &gather = *local.gather;
      local.element =
          elements.later(remapped(gather, gather.source, *local.check),
                         windows.copied(gather.source, gather.range));
    }
    if (put.scatter)
      copied.scatter.element = elements.later(
          remapped(*put.scatter, put.scatter->target, *put.check),
          windows.imaged(*put.scatter));
    else
      windows.confirm(segment.gathers.front().gather->range);
    return copied;
  }

  template <typename Remap>
  static Remapped remapped(const Remap &remap, Array *array,
                           const CheckStmt &check) {
    return {array,      remap.maps, remap.region,
            remap.mask, check.text, remap.range};
  }

  /// What takes the place of a statement of the segment; null: nothing does.
  Stmt *localized(const Stmt &stmt, const Segment &segment, bool isUser,
                  StmtCloner &cloner) {
    for (const LocalGather &local : segment.gathers) {
      const Array *result = local.gather->target;
      auto *alloc = dyn_cast<AllocArrayStmt>(&stmt);
      auto *free = dyn_cast<FreeArrayStmt>(&stmt);
      bool isMade =
          (alloc && alloc->array == result) || (free && free->array == result);
      bool isCopied = local.copy && (&stmt == local.copy ||
                                     makes(stmt, local.gather->source));
      if (&stmt == local.check || isCopied || (isMade && segment.hasUser))
        return nullptr;
      if (&stmt == local.gather)
        return segment.hasUser ? nullptr : assignment(local);
    }
    const LocalScatter &put = segment.scatter;
    if (&stmt == put.check || (put.value && &stmt == put.value))
      return nullptr;
    if (put.copy && (&stmt == put.copy || &stmt == put.back ||
                     makes(stmt, put.scatter->target)))
      return nullptr;
    if (put.value && makes(stmt, put.scatter->source))
      return nullptr;
    if (put.scatter && &stmt == put.scatter)
      return put.inverted ? put.inverted : call(segment);
    Stmt *made = cloner.clone(stmt);
    if (isUser)
      readElements(*made, segment);
    return made;
  }

  /// Whether a statement allocates or frees the array.
  static bool makes(const Stmt &stmt, const Array *array) {
    auto *alloc = dyn_cast<AllocArrayStmt>(&stmt);
    auto *free = dyn_cast<FreeArrayStmt>(&stmt);
    return (alloc && alloc->array == array) || (free && free->array == array);
  }

  const Expr *at(Array *array, SourceRange range) {
    return module.make<ElementExpr>(array, Offset(array->rank(), 0), range);
  }

  const Expr *guardOf(const Mask &mask, SourceRange range) {
    const Expr *guard = mask.array ? at(mask.array, range) : nullptr;
    return !guard || mask.value
               ? guard
               : module.make<UnaryExpr>(UnaryOp::Not, guard, range);
  }

  /// `[R] call @put(ref %A#(...), value)`.
  Stmt *call(const Segment &segment) {
    const LocalScatter &put = segment.scatter;
    const ScatterStmt &scatter = *put.scatter;
    SmallVector<Argument, 2> args(2);
    args[0].place = partOf(put.copy, put.element);
    args[1].value = put.value ? withElements(put.value->value, segment)
                              : at(scatter.source, scatter.range);
    auto *call = module.make<CallExpr>(combiners.of(scatter), Type::Void, args,
                                       scatter.range);
    auto *made =
        module.make<ElementCallStmt>(scatter.region, call, scatter.range);
    made->guard = guardOf(scatter.mask, scatter.range);
    return made;
  }

  /// `[R] %T = %A#(...)`.
  Stmt *assignment(const LocalGather &local) {
    const GatherStmt &gather = *local.gather;
    auto *made = module.make<ArrayAssignStmt>(gather.region,
                                              at(gather.target, gather.range),
                                              local.element, gather.range);
    made->guard = guardOf(gather.mask, gather.range);
    return made;
  }

  /// The part that \p copy takes, of this element; all of it without one.
  const Expr *partOf(const ArrayAssignStmt *copy, const RemapExpr *element) {
    auto read = [&](const Expr *e) -> const Expr * {
      return isa<ElementExpr>(e) ? element : e;
    };
    return copy ? ExprRewriter(module, read).rewrite(copy->value) : element;
  }

  const Expr *withElements(const Expr *expr, const Segment &segment) {
    return ExprRewriter(module,
                        [&](const Expr *e) -> const Expr * {
                          auto *element = dyn_cast<ElementExpr>(e);
                          for (const LocalGather &local : segment.gathers)
                            if (segment.hasUser && element &&
                                element->array == local.gather->target)
                              return local.element;
                          return e;
                        })
        .rewrite(expr);
  }

  void readElements(Stmt &stmt, const Segment &segment) {
    forEachOperand(stmt, [&](const Operand &operand) {
      if (auto *expr = dyn_cast<const Expr **>(operand.slot); expr && *expr)
        *expr = withElements(*expr, segment);
    });
  }

  template <typename Remap>
  void tell(const Remap &remap, const Array *array, const RemapExpr *element,
            StringRef what, StringRef how = "") {
    context.count("loops");
    context.applied(
        remap.range,
        element->text + ", " + remapForm(remap.maps, *remap.region, module) +
            ", is " + what + " in the loop where one processor has all of " +
            sourceName(*array) + how.str() +
            (element->checked ? ", with a test of each index" : ""));
  }

  Module &module;
  Procedure &procedure;
  const Effects &effects;
  Combiners &combiners;
  PassContext &context;
  RemapElements elements;
  InverseScatters inverses;
  RemapBranches made;
  RemapWindows windows;
  DenseMap<const Array *, unsigned> uses; ///< statements that name it
  DenseSet<const GatherStmt *> told;      ///< missed
};

} // namespace

void localRemaps(Module &module, PassContext &context) {
  Combiners combiners(module);
  std::vector<Procedure *> procedures = module.procedures;
  for (Procedure *procedure : procedures)
    forEachStmt(procedure->body, [&](const Stmt &stmt) {
      if (auto *scatter = dyn_cast<ScatterStmt>(&stmt))
        combiners.of(*scatter);
    });
  Effects effects(module);
  for (Procedure *procedure : procedures)
    RemapLocalizer(module, *procedure, effects, combiners, context)
        .list(procedure->body);
}

} // namespace zpl::air
