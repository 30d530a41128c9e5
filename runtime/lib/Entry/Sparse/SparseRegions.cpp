//===- SparseRegions.cpp - Patterns of a run and who has them -------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The program has a pattern at a place of its own, say in the descriptor of a
// region, and the runtime knows it by the address of that place:
//
//     S |= M;       zrtA_pattern_set(&S.pattern, &S, ZRT_PATTERN_OR, ...)
//
//   1. the indices of M are selected and united with those of S: a new pattern
//   2. it goes to &S.pattern, and the table has it instead of the old one
//   3. each array that follows &S.pattern gets storage for it, and its elements
//      (SparseArray); one of another domain than S has the pattern there
//
// The old pattern ends with its last user: an array over a copy of the region
// still has it. Plans that were made with it go when the next one is made.
//
// Patterns of a domain that is distributed anew are sent to their owners like
// those that a modify adds, each once, and the arrays fetch their elements from
// what they were.
//
//===----------------------------------------------------------------------===//

#include "Entry/Sparse/SparseRegions.h"

#include "Entry/Legality.h"
#include "Entry/Process.h"
#include "Sparse/Facts.h"
#include "Sparse/MergedPatterns.h"
#include "Sparse/Selection.h"
#include "Sparse/SparseArray.h"
#include "Support/Error.h"

#include <algorithm>
#include <map>

namespace zrt {

std::string indexText(int rank, const int64_t *index) {
  std::string text = "(";
  for (int d = 0; d < rank; ++d)
    text += (d == 0 ? "" : ", ") + std::to_string(index[d]);
  return text + ")";
}

std::string nameOfRegion(const zrt_region &region) {
  return region.name && *region.name ? region.name : toString(region);
}

zrt_region usable(const zrt_region &region, const zrt_loc *loc) {
  zrt_region result = region;
  if (!region.is_sparse)
    result.pattern = nullptr;
  else if (!region.pattern)
    fatal(loc, ErrorScope::Replicated,
          "region %s has no pattern yet: it was declared with '?'",
          nameOfRegion(region).c_str());
  return result;
}

SparseRegions::Modify &modifyOf(const void *at) {
  SparseRegions &sparse = process().sparse;
  if (sparse.lastAt == at) [[likely]]
    return *sparse.last;
  auto found = sparse.modifies.find(at);
  ZRT_CHECK(found != sparse.modifies.end());
  sparse.lastAt = at;
  sparse.last = found->second.get();
  return *sparse.last;
}

void failMissing(const zrt_array &target, const int64_t *index,
                 const char *what, const zrt_loc *loc) {
  fatal(loc, ErrorScope::Replicated,
        "%s is written at index %s, which %s does not store: its region %s is "
        "sparse",
        what, indexText(target.region.rank, index).c_str(),
        target.name ? target.name : "it", nameOfRegion(target.region).c_str());
}

/// Who owns indices of \p region.
IndexOwners ownersOf(const zrt_region &region) {
  Process &p = process();
  return {p.placement(region), region.rank, p.transport->rank()};
}

PatternBuilder patternBuilder(const IndexOwners &owners,
                              const zrt_region &region, const zrt_loc *loc) {
  return {owners, ++process().sparse.lastId, region.name, loc};
}

/// Makes one array anew over \p region.
static void remake(Follower &follower, const zrt_region &region,
                   const zrt_loc *loc) {
  Process &p = process();
  zrt_array &array = *follower.array;
  follower.hasRegion = region.pattern != nullptr;
  if (array.region.pattern == region.pattern) {
    array.region = region;
    return;
  }
  zrt_array old = array;
  createSparse(*p.transport, array, region, *old.type, old.name,
               ++p.lastArrayId, loc);
  takeElements(array, old);
  p.hooks.move(old.id, array.id);
  p.dropPlansOf(old.id);
  destroyArray(*p.transport, old);
}

void setPattern(const zrt_pattern **at, const zrt_region &region,
                PatternPtr pattern, const zrt_loc *loc) {
  Process &p = process();
  zrt_region value = region;
  value.is_sparse = 1;
  value.pattern = pattern.get();
  PatternPtr old; // arrays look at it until they are made anew
  if (auto known = p.sparse.patterns.find(at); known != p.sparse.patterns.end())
    old = known->second.pattern;
  *at = value.pattern;
  if (pattern)
    p.sparse.patterns[at] = {std::move(pattern), region.domain};
  else
    p.sparse.patterns.erase(at);
  if (!p.followers.has(at))
    return;
  PatternPtr taken; // by the arrays of another domain
  for (Follower &follower : p.followers.of(at)) {
    zrt_region own = value;
    own.singletons = follower.array->region.singletons;
    own.domain = follower.array->region.domain;
    if (value.pattern && own.domain != value.domain) {
      taken = takenPattern(own, value, nullptr, loc);
      own.pattern = taken.get();
      value = own;
    }
    remake(follower, own, loc);
  }
}

/// Ends the run unless all of \p pattern lies within \p result.
static void checkWithin(const zrt_region &result, const zrt_region &value,
                        const Pattern &pattern, const IndexOwners &owners,
                        const zrt_loc *loc) {
  if (contains(boxOf(result), boxOf(value)))
    return;
  zrt_region made = value;
  made.is_sparse = 1;
  made.pattern = &pattern;
  int64_t index[ZRT_MAX_RANK];
  if (findOutside(*process().transport, OwnIndices(owners, made), nullptr,
                  {boxOf(result)}, 0, index))
    fatal(loc, ErrorScope::Replicated,
          "index %s is outside of the bounds of region %s: %s",
          indexText(result.rank, index).c_str(), nameOfRegion(result).c_str(),
          toString(result).c_str());
}

PatternPtr maskedPattern(const zrt_region &result, const zrt_region &value,
                         const zrt_mask &mask, const zrt_loc *loc) {
  if (value.is_sparse && !mask.array)
    return sharedPattern(value.pattern);
  IndexOwners owners = ownersOf(value);
  return selectedBy(owners, value, mask, patternBuilder(owners, result, loc));
}

PatternPtr keptPattern(const zrt_region &result, const zrt_region &value,
                       const zrt_mask &mask, const zrt_loc *loc) {
  IndexOwners owners = ownersOf(result);
  PatternPtr old = sharedPattern(result.pattern);
  if (!old)
    return patternBuilder(owners, result, loc).finish();
  Box box = boxOf(value);
  PatternPtr kept =
      contains(box, boxOf(result))
          ? old
          : movedHere(*old, nullptr, box, patternBuilder(owners, result, loc));
  if (!mask.array)
    return kept;
  zrt_region from = value;
  from.is_sparse = 1;
  from.pattern = kept.get();
  return selectedBy(owners, from, mask, patternBuilder(owners, result, loc));
}

PatternPtr combinedPattern(const zrt_region &result, int32_t operation,
                           const zrt_region &value, PatternPtr selected,
                           const zrt_loc *loc) {
  bool adds = operation == ZRT_PATTERN_SET || operation == ZRT_PATTERN_OR;
  if (adds)
    checkWithin(result, value, *selected, ownersOf(value), loc);
  IndexOwners owners = ownersOf(result);
  if (result.domain != value.domain && process().transport->size() > 1)
    selected =
        routedMoved(*process().transport, *selected, nullptr, boxOf(result),
                    owners, patternBuilder(owners, result, loc));
  const Pattern *old = patternOf(result.pattern);
  switch (static_cast<zrt_pattern_operator>(operation)) {
  case ZRT_PATTERN_SET:
    return selected;
  case ZRT_PATTERN_OR:
    return old ? united(old, selected.get(),
                        patternBuilder(owners, result, loc))
               : selected;
  case ZRT_PATTERN_AND:
    return common(old, selected.get(), patternBuilder(owners, result, loc));
  case ZRT_PATTERN_AND_NOT:
    return without(old, selected.get(), patternBuilder(owners, result, loc));
  }
  internalError(__FILE__, __LINE__, "an operator on patterns");
}

/// Whether \p direction may lead from one processor to another one.
static bool mayCross(const zrt_region &region, const int64_t *direction) {
  Process &p = process();
  if (p.transport->size() == 1 || !direction)
    return false;
  if (!p.domains.isScattered(region))
    return p.distribution(region).crosses(direction);
  return std::any_of(direction, direction + region.rank,
                     [](int64_t n) { return n != 0; });
}

PatternPtr takenPattern(const zrt_region &result, const zrt_region &source,
                        const int64_t *direction, const zrt_loc *loc) {
  Process &p = process();
  const Pattern &pattern = *patternOf(source.pattern);
  bool moves = direction && std::any_of(direction, direction + result.rank,
                                        [](int64_t n) { return n != 0; });
  bool isOneDomain = result.domain == source.domain;
  Box box = boxOf(result);
  if (!moves && isOneDomain && contains(box, boxOf(source)))
    return pattern.shared_from_this();
  IndexOwners owners = ownersOf(result);
  bool travels =
      mayCross(result, direction) || (!isOneDomain && p.transport->size() > 1);
  if (!travels)
    return movedHere(pattern, direction, box,
                     patternBuilder(owners, result, loc));
  return routedMoved(*p.transport, pattern, direction, box, owners,
                     patternBuilder(owners, result, loc));
}

void newSparse(zrt_array &array, const void *at, const zrt_region &region,
               const zrt_type &type, const char *name, const zrt_loc *loc) {
  Process &p = process();
  if (at)
    p.followers.add(array, at, {region, type, name}, region.pattern != nullptr);
  createSparse(*p.transport, array, region, type, name, ++p.lastArrayId, loc);
  p.noteStrings(array);
  if (region.domain > 0)
    p.domains.stateOf(region).arrays.push_back(&array);
}

PatternPlan &patternPlan(const zrt_region &from, const zrt_array &named,
                         const int64_t *direction, bool wraps) {
  Process &p = process();
  IndexMove move;
  if (direction)
    std::copy(direction, direction + from.rank, move.direction);
  move.wraps = wraps;
  move.bounds = boxOf(named.region);
  return p.sparse.plans.find(*p.transport, {p.placement(from), from},
                             {p.placement(named.region), named.region}, move);
}

zrt_region tightRegion(const zrt_region &region, const zrt_loc *loc) {
  zrt_region tight = usable(region, loc);
  const Box &hull = hullOf(*process().transport, *patternOf(region.pattern));
  for (int d = 0; d < region.rank; ++d) {
    tight.dim[d].lo = hull.dim[d].lo;
    tight.dim[d].hi = hull.dim[d].hi;
  }
  return tight;
}

void checkStored(const zrt_array &array, const zrt_region &region,
                 const int64_t *direction, const char *what, const char *verb,
                 const zrt_loc *loc) {
  Process &p = process();
  zrt_region tight = tightRegion(region, loc);
  if (isEmpty(boxOf(tight)) || isWithin(array, tight, direction))
    return;
  int64_t index[ZRT_MAX_RANK];
  IndexOwners owners = ownersOf(region);
  if (!findOutside(*p.transport, OwnIndices(owners, region), direction,
                   declaredBoxes(array), array.region.floods, index))
    return;
  std::string at = indexText(region.rank, index);
  if (direction)
    for (int d = 0; d < region.rank; ++d)
      index[d] += direction[d];
  fatal(loc, ErrorScope::Replicated,
        "%s %s outside %s: at %s, an index of region %s, it is %s, and %s is "
        "declared over %s",
        what, verb, array.name ? array.name : "its region", at.c_str(),
        nameOfRegion(region).c_str(), indexText(region.rank, index).c_str(),
        array.name ? array.name : "it", toString(array.region).c_str());
}

std::string patternMessage(const zrt_array &array, const zrt_region &formal,
                           const char *what) {
  const Pattern *given = patternOf(array.region.pattern);
  const Pattern *wanted = patternOf(formal.pattern);
  if (array.region.is_sparse == formal.is_sparse &&
      (given == wanted ||
       (given && wanted && areSame(*process().transport, *given, *wanted))))
    return "";
  auto kind = [](const zrt_region &region) {
    return region.is_sparse ? "sparse" : "dense";
  };
  if (array.region.is_sparse != formal.is_sparse)
    return std::string(what) + " is " + kind(array.region) +
           ", but is passed to a parameter over the " + kind(formal) +
           " region " + nameOfRegion(formal);
  return std::string(what) +
         " has another pattern than the region of the parameter, " +
         nameOfRegion(formal);
}

namespace {

/// Patterns of one domain, each distributed anew once.
class Redistributed {
public:
  Redistributed(const zrt_region &any, const zrt_loc *loc)
      : owners(ownersOf(any)), any(any), loc(loc) {
    everything.rank = any.rank;
    for (int d = 0; d < any.rank; ++d)
      everything.dim[d] = {INT32_MIN, INT32_MAX, 1};
  }

  PatternPtr of(const Pattern *old) {
    if (!old)
      return nullptr;
    auto [place, isNew] = made.try_emplace(old);
    if (!isNew)
      return place->second.second;
    PatternPtr result =
        routedMoved(*process().transport, *old, nullptr, everything, owners,
                    patternBuilder(owners, any, loc));
    place->second = {old->shared_from_this(), result};
    return result;
  }

private:
  IndexOwners owners;
  zrt_region any;
  const zrt_loc *loc;
  Box everything;
  /// The old ones live until all are made.
  std::map<const Pattern *, std::pair<PatternPtr, PatternPtr>> made;
};

/// The places of the program with patterns of domain \p number, in the order of
/// these, which is the same on all processors.
std::vector<const zrt_pattern **> placesOf(int32_t number) {
  auto &patterns = process().sparse.patterns;
  std::vector<const zrt_pattern **> places;
  for (auto &[at, placed] : patterns)
    if (placed.domain == number)
      places.push_back(at);
  std::sort(places.begin(), places.end(), [&](auto a, auto b) {
    return patterns[a].pattern->id < patterns[b].pattern->id;
  });
  return places;
}

void redistributeArray(zrt_array &array, Redistributed &patterns,
                       const Placement &old, bool keeps, const zrt_loc *loc) {
  Process &p = process();
  zrt_array before = array;
  zrt_region region = before.region;
  PatternPtr pattern = patterns.of(patternOf(region.pattern));
  region.pattern = pattern.get();
  createSparse(*p.transport, array, region, *before.type, before.name,
               ++p.lastArrayId, loc);
  std::memcpy(elsewhereOf(array), elsewhereOf(before),
              static_cast<size_t>(before.type->size));
  if (keeps && pattern) {
    IndexMove move;
    move.bounds = boxOf(region);
    PatternPlan(*p.transport, {p.placement(region), region},
                {old, before.region}, move)
        .fetch(*p.transport, array, before);
  } else {
    fillElsewhere(array);
  }
  p.hooks.move(before.id, array.id);
  destroyArray(*p.transport, before);
}

} // namespace

void redistributeSparse(const std::vector<int32_t> &numbers,
                        const std::vector<Placement> &old, bool keeps,
                        const zrt_loc *loc) {
  Process &p = process();
  p.sparse.plans.clear();
  p.sparse.wave.clear();
  p.sparse.borders.clear();
  if (!p.sparse.modifies.empty())
    fatal(loc, ErrorScope::Replicated,
          "indices cannot be distributed anew inside 'modify'");
  for (size_t k = 0; k < numbers.size(); ++k) {
    zrt_region any = p.domains.regionIn(numbers[k]);
    Redistributed patterns(any, loc);
    for (zrt_array *array : p.domain(any).arrays)
      if (array->region.is_sparse && !array->borrowed)
        redistributeArray(*array, patterns, old[k], keeps, loc);
    for (const zrt_pattern **at : placesOf(numbers[k])) {
      SparseRegions::Placed &placed = p.sparse.patterns[at];
      PatternPtr next = patterns.of(placed.pattern.get());
      // A place on the stack may have been left since.
      if (*at == placed.pattern.get())
        *at = next.get();
      placed.pattern = next;
    }
  }
}

} // namespace zrt
