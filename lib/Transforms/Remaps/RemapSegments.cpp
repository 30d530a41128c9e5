//===- RemapSegments.cpp - Remaps that may become loops -------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     check maps @U at (@K) over @L "U.x#[K]"
//     alloc %T
//     [@G] %T = @U.x                              -- a copy of parts
//     alloc %S
//     gather %S = %T at (@K) over @L
//     free %T
//     [@L] @V = mul(%S, f64 2.0)                  -- the user
//     free %S
//
// A gather, and if its result is a temporary that one array statement uses, over
// the same region and where the mask of the gather is true, that statement with
// all gathers that it uses so. If that computes the values of a scatter, and
// nothing else does, the scatter as well. From the check of the first to the last
// `free` of a result they are a *segment* of their list.
//
// The segment is copied into branches, where the user reads at its own place in
// the list. So nothing else in it is looked at but for what it writes: a source,
// a map or a region changes between the check and the statement that reads in its
// place in no segment.
//
// What the runtime gathers from, or scatters to, may be a copy of a part of the
// elements, `U.x#[K]`; it belongs to the segment if nothing else names it.
//
// Cost: linear in the statements, times the length of segments.
//
//===----------------------------------------------------------------------===//

#include "Remaps/RemapSegments.h"
#include "Remaps/MapForms.h"
#include "Statements/GuardedStatements.h"
#include "zpl/ArrayIR/Domains.h"
#include "zpl/ArrayIR/Printer.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace zpl::air {

constexpr char ScatteredReason[] =
    "in a scattered domain an index is not where its element is";

bool makes(const Stmt &stmt, const Array *array) {
  auto *alloc = dyn_cast<AllocArrayStmt>(&stmt);
  auto *free = dyn_cast<FreeArrayStmt>(&stmt);
  return (alloc && alloc->array == array) || (free && free->array == array);
}

RemapSegments::RemapSegments(Module &module, Procedure &procedure,
                             const Effects &effects, Combiners &combiners,
                             const InverseScatters &inverses,
                             PassContext &context)
    : module(module), procedure(procedure), effects(effects),
      combiners(combiners), inverses(inverses), context(context) {
  forEachStmt(procedure.body, [&](const Stmt &stmt) {
    forEachArray(stmt, [&](const Array &array) { ++uses[&array]; });
  });
}

std::optional<Segment> RemapSegments::find(const StmtList &list, size_t at,
                                           size_t free) {
  return isa<ScatterStmt>(list[at]) ? ofScatter(list, at, free)
                                    : ofGather(list, at);
}

/// Whether the segment may be copied into branches: control flow passes it.
static bool hasOnlySimple(const StmtList &list, const Segment &segment) {
  return all_of(
      ArrayRef(list).slice(segment.begin, segment.end - segment.begin),
      [](const Stmt *stmt) {
        return mayStandInSplit(*stmt) && !isa<TransferPointStmt>(stmt);
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
    isGood &= !call ||
              all_of(call->args, [](const Argument &arg) { return arg.value; });
  });
  return isGood;
}

/// Where an array is made, before \p at; the list's size: not in the list.
static size_t allocBefore(const StmtList &list, size_t at, const Array *array) {
  for (size_t i = at; i-- > 0;) {
    auto *alloc = dyn_cast<AllocArrayStmt>(list[i]);
    if (alloc && alloc->array == array)
      return i;
  }
  return list.size();
}

/// Behind the `free`, after \p user, of an array; 0: not in the list.
static size_t freeAfter(const StmtList &list, size_t user, const Array &array) {
  for (size_t i = user; i < list.size(); ++i)
    if (auto *free = dyn_cast<FreeArrayStmt>(list[i]);
        free && free->array == &array)
      return i + 1;
  return 0;
}

static std::string exprText(const Expr &expr) {
  std::string text;
  raw_string_ostream os(text);
  print(expr, os);
  return os.str();
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

constexpr StringRef SparseReason = "they are those of a sparse array";

static std::string whyNotGathered(const GatherStmt &gather, bool isUnchecked) {
  if (isUnchecked)
    return "its maps are checked elsewhere";
  if (is_contained(gather.source->shape, DimKind::Grid) ||
      is_contained(gather.region->shape, DimKind::Grid) ||
      is_contained(gather.target->shape, DimKind::Grid))
    return "a grid dimension has elements of its own on each processor";
  if (isScattered(*gather.source) || isScattered(*gather.region))
    return ScatteredReason;
  if (gather.source->isSparse)
    return SparseReason.str();
  return isOneForMany(*gather.target, *gather.region)
             ? "its result has one element for many indices"
             : "";
}

template <typename Remap>
static size_t findCheck(const StmtList &list, size_t at, const Remap &remap,
                        const Array *remapped) {
  auto areSame = [](const Map &a, const Map &b) {
    return mapText(a) == mapText(b);
  };
  for (size_t i = at; i-- > 0;) {
    auto *check = dyn_cast<CheckStmt>(list[i]);
    if (check && check->check == CheckStmt::Maps && check->array == remapped &&
        check->region == remap.region &&
        check->mask.array == remap.mask.array &&
        std::equal(check->maps.begin(), check->maps.end(), remap.maps.begin(),
                   remap.maps.end(), areSame))
      return i;
  }
  return list.size();
}

std::optional<Segment> RemapSegments::ofGather(const StmtList &list,
                                               size_t at) {
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
        segment.end, freeAfter(list, user, *segment.gathers[0].gather->target));
    for (size_t i = at + 1; i < user; ++i)
      if (isa<GatherStmt>(list[i]) && userOf(list, i) == user &&
          mayWait(list, i, user) && add(list, i, segment))
        segment.end =
            std::max(segment.end,
                     freeAfter(list, user, *cast<GatherStmt>(list[i])->target));
    extendToScatter(list, segment);
    if (hasOnlySimple(list, segment))
      return segment;
  }
  bool isGood =
      !isWritten(list, at, alone.gathers[0]) && hasOnlySimple(list, alone);
  return isGood ? std::optional(alone) : std::nullopt;
}

std::optional<Segment> RemapSegments::ofScatter(const StmtList &list, size_t at,
                                                size_t free) {
  Segment segment{at, at + 1, at, false, {}};
  auto *scatter = cast<ScatterStmt>(list[at]);
  std::string why = whyNotScattered(*scatter);
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

void RemapSegments::setScatter(const StmtList &list, size_t at, size_t check,
                               Segment &segment) const {
  auto *scatter = cast<ScatterStmt>(list[at]);
  LocalScatter &put = segment.scatter;
  put = {scatter, cast<CheckStmt>(list[check]), nullptr, copyOf(list, at)};
  segment.begin = std::min(segment.begin, check);
  if (!put.copy)
    return;
  put.back = list[at + 1];
  segment.begin =
      std::min(segment.begin, allocBefore(list, at, scatter->target));
  segment.end = std::max(segment.end, freeAfter(list, at, *scatter->target));
}

bool RemapSegments::inverts(const StmtList &list,
                            const Segment &segment) const {
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

void RemapSegments::extendToScatter(const StmtList &list, Segment &segment) {
  for (size_t i = segment.user + 1; i < list.size(); ++i) {
    auto *scatter = dyn_cast<ScatterStmt>(list[i]);
    if (!scatter)
      continue;
    size_t check = checkOf(list, i);
    Segment wider = segment;
    if (check == list.size() || !whyNotScattered(*scatter).empty())
      return;
    setScatter(list, i, check, wider);
    if (takesValue(list, segment.user, i, wider) && hasOnlySimple(list, wider))
      segment = wider;
    return;
  }
}

bool RemapSegments::takesValue(const StmtList &list, size_t user, size_t at,
                               Segment &segment) const {
  auto *assign = dyn_cast<ArrayAssignStmt>(list[user]);
  auto *target = assign ? dyn_cast<ElementExpr>(assign->target) : nullptr;
  const ScatterStmt &scatter = *segment.scatter.scatter;
  const Array *values = scatter.source;
  size_t end = freeAfter(list, at, *values);
  size_t alloc = allocBefore(list, user, values);
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

std::string RemapSegments::whyNotScattered(const ScatterStmt &scatter) const {
  if (is_contained(scatter.target->shape, DimKind::Grid) ||
      is_contained(scatter.region->shape, DimKind::Grid) ||
      is_contained(scatter.source->shape, DimKind::Grid))
    return "a grid dimension has elements of its own on each processor";
  if (isScattered(*scatter.target) || isScattered(*scatter.region))
    return ScatteredReason;
  if (scatter.target->isSparse)
    return SparseReason.str();
  if (scatter.region->isSparse)
    return "what comes from a sparse region is in its order";
  return combiners.of(scatter) || inverses.canInvert(scatter, nullptr)
             ? ""
             : "they are no numbers";
}

bool RemapSegments::add(const StmtList &list, size_t at, Segment &segment) {
  auto *gather = cast<GatherStmt>(list[at]);
  size_t check = checkOf(list, at);
  std::string why = whyNotGathered(*gather, check == list.size());
  if (!why.empty()) {
    if (told.insert(gather).second)
      context.missed(gather->range, "the elements of " +
                                        sourceName(*gather->source) +
                                        " are gathered in advance: " + why);
    return false;
  }
  segment.begin =
      std::min({segment.begin, check, allocBefore(list, at, gather->target)});
  segment.gathers.push_back(
      {gather, cast<CheckStmt>(list[check]), copyOf(list, at)});
  if (segment.gathers.back().copy) {
    segment.begin =
        std::min(segment.begin, allocBefore(list, at, gather->source));
    segment.end = std::max(segment.end, freeAfter(list, at, *gather->source));
  }
  return true;
}

const ArrayAssignStmt *RemapSegments::copyOf(const StmtList &list,
                                             size_t at) const {
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
      allocBefore(list, i - 1, source) == list.size() ||
      freeAfter(list, at, *source) == 0)
    return nullptr;
  bool isPart = true;
  forEachExpr(*copy->value, [&](const Expr &e) {
    auto *element = dyn_cast<ElementExpr>(&e);
    isPart &= isa<FieldExpr, SubscriptExpr, ConstExpr>(e) ||
              (element && !element->isShifted());
  });
  const ElementExpr *root = isPart ? rootElement(copy->value) : nullptr;
  bool isWhole =
      root && root->array->declared == source->declared &&
      (!scatter || (at + 1 < list.size() && storesBack(*list[at + 1], *copy) &&
                    isApart(*scatter, *root->array)));
  return isWhole ? copy : nullptr;
}

bool RemapSegments::isApart(const ScatterStmt &scatter,
                            const Array &array) const {
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

size_t RemapSegments::checkOf(const StmtList &list, size_t at) const {
  if (auto *gather = dyn_cast<GatherStmt>(list[at]))
    return findCheck(list, at, *gather,
                     LocalGather{gather, nullptr, copyOf(list, at)}.whole());
  auto *scatter = cast<ScatterStmt>(list[at]);
  return findCheck(
      list, at, *scatter,
      LocalScatter{scatter, nullptr, nullptr, copyOf(list, at)}.whole());
}

size_t RemapSegments::userOf(const StmtList &list, size_t at) const {
  auto *gather = cast<GatherStmt>(list[at]);
  const Array *result = gather->target;
  size_t none = list.size();
  bool isTemporary = result->storage == Storage::Local && !result->family &&
                     uses.lookup(result) == 4 &&
                     allocBefore(list, at, result) != none &&
                     freeAfter(list, at, *result) != 0;
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

bool RemapSegments::mayWait(const StmtList &list, size_t at,
                            size_t user) const {
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

bool RemapSegments::isWritten(const StmtList &list, size_t end,
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

} // namespace zpl::air
