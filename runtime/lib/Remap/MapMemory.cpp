//===- MapMemory.cpp - Maps that stay as they are -------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// When may a schedule be used again? While maps and mask have the same values,
// regions and distributions are the same, and so is the declared region of the
// remapped array. The program tells which sets of arrays it may have written,
// under whatever names (lib/Analysis/MapArrays.cpp): the same arrays, of sets
// that nobody has written since, have the same values. Of all others the values
// are compared with those that the schedule was made for, which is one look at
// memory in order, the same look that finds values out of range, and makes it
// needless where they are equal. So a map that is computed anew each time to
// the same values, as `A#[I + 1]` does, is recognized as well.
//
//     1st execution   checked, moved in one shot; the values are kept
//     2nd, equal      the inspector makes a schedule, the executor uses it
//     later, equal    compared, executor
//     other values    as the first
//
// A place of the program may have several patterns: that of `old#[Adj[j]]` in a
// loop over j has one for each j. A pattern of another place is a candidate if
// its maps are the same arrays.
//
// A place that has seen MostMisses other values in a row is no longer looked
// at, but for two times after each other in RetryPeriod: its remaps are one-shot
// ones without a copy of the maps. One hit makes it as good as new.
//
// All processors must decide alike. What is compared with what depends on
// replicated data only: shapes, places, ids of arrays, and earlier decisions;
// the comparisons give a bit per candidate, and one reduction finds the
// candidates that are equal everywhere. Maps of scalars and indices alone need
// none of that.
//
// Cost: nothing but a look at the candidates if no set was written. Else the
// maps are read beside their copy; a reduction of 8 bytes.
// Memory: up to MostKept per processor, by an estimate that counts the largest
// part; what was used longest ago goes first.
//
//===----------------------------------------------------------------------===//

#include "Remap/MapMemory.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

namespace zrt {

/// Values in a row at one place that were different ones.
constexpr int64_t MostMisses = 16;
/// How often one looks again after that.
constexpr int64_t RetryPeriod = 16;
constexpr size_t MostCandidates = 32;
constexpr size_t MostPatterns = 256;
constexpr size_t MostSites = 256;
constexpr int64_t MostKept = int64_t(1) << 30;

RemapShape::RemapShape(const RemapDomain &domain, const Remote &remote,
                       const zrt_array &array)
    : region(domain.region), declared(array.region),
      distribution(domain.parallel.distribution), remote(remote.distribution),
      maps(domain.maps, domain.maps + domain.mapCount),
      mask(domain.mask.array ? domain.mask.value != 0 : -1),
      ordering(domain.numbered ? domain.numbered->ordering : 0),
      stored(remote.search ? remote.search->pattern : 0) {
  for (zrt_map &map : maps)
    if (map.form == ZRT_MAP_ARRAY)
      map = {ZRT_MAP_ARRAY, 0, map.array->type->kind, nullptr, 0, 0, 0};
    else if (map.form == ZRT_MAP_SCALAR)
      map = {ZRT_MAP_SCALAR, 0, map.value, nullptr, 0, 0, 0};
    else if (map.form == ZRT_MAP_INDEX)
      map = {ZRT_MAP_INDEX, map.dim, 0, nullptr, 0, 0, 0};
}

/// The same indices in the same dimensions, whatever the names.
static bool haveSameIndices(const zrt_region &a, const zrt_region &b) {
  bool same = a.rank == b.rank && a.floods == b.floods && a.grids == b.grids;
  for (int d = 0; same && d < a.rank; ++d)
    same = seqOf(a.dim[d]) == seqOf(b.dim[d]);
  return same;
}

bool RemapShape::operator==(const RemapShape &other) const {
  auto isEqual = [](const zrt_map &a, const zrt_map &b) {
    return a.form == b.form && a.dim == b.dim && a.value == b.value &&
           a.scale == b.scale && a.modulus == b.modulus && a.shift == b.shift;
  };
  return mask == other.mask && ordering == other.ordering &&
         stored == other.stored && maps.size() == other.maps.size() &&
         std::equal(maps.begin(), maps.end(), other.maps.begin(), isEqual) &&
         haveSameIndices(region, other.region) &&
         haveSameIndices(declared, other.declared) &&
         ownersAgree(distribution, other.distribution) &&
         ownersAgree(remote, other.remote);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// The arrays that decide: the maps, then the mask.
static std::vector<const zrt_array *> arraysOf(const RemapDomain &domain) {
  std::vector<const zrt_array *> arrays;
  for (int k = 0; k < domain.mapCount; ++k)
    if (domain.isArray(k))
      arrays.push_back(domain.maps[k].array);
  if (domain.mask.array)
    arrays.push_back(domain.mask.array);
  return arrays;
}

static std::vector<uint64_t> idsOf(const RemapDomain &domain) {
  std::vector<uint64_t> ids;
  for (const zrt_array *array : arraysOf(domain))
    ids.push_back(array->id);
  return ids;
}

/// Calls \p f with each run of elements of \p array over \p part that lie side
/// by side, its first element, and the bytes, until it says false.
template <typename F>
static bool forEachRun(const zrt_array &array, const Box &part, F &&f) {
  ElementView view = viewOf(array, part);
  int64_t last = view.rank - 1, size = array.type->size;
  int64_t count = view.count[last], step = view.step[last];
  bool goesOn = true;
  forEachLine(view.rank, view.count, view.rank - 1, [&](const int64_t *at) {
    const char *row = addressIn(view, at);
    if (count == 0 || !goesOn)
      return;
    if (step == size || count == 1)
      goesOn = f(row, count * size);
    else
      for (int64_t k = 0; k < count && goesOn; ++k)
        goesOn = f(row + k * step, size);
  });
  return goesOn;
}

static Bytes valuesOf(const RemapDomain &domain) {
  Bytes values;
  for (const zrt_array *array : arraysOf(domain)) {
    values.reserve(values.size() +
                   static_cast<size_t>(domain.partSize() * array->type->size));
    forEachRun(*array, domain.part, [&](const char *run, int64_t bytes) {
      values.insert(values.end(), run, run + bytes);
      return true;
    });
  }
  return values;
}

static bool haveValues(const RemapDomain &domain, const Bytes &values) {
  const char *at = values.data();
  for (const zrt_array *array : arraysOf(domain)) {
    auto isEqual = [&](const char *run, int64_t bytes) {
      const char *kept = at;
      at += bytes;
      return std::memcmp(run, kept, static_cast<size_t>(bytes)) == 0;
    };
    if (!forEachRun(*array, domain.part, isEqual))
      return false;
  }
  return true;
}

/// What a pattern may hold on the processor that has most: the values, two
/// numbers per index, and as much for what travels.
static int64_t costOf(const RemapDomain &domain) {
  int64_t bytes = 4 * static_cast<int64_t>(sizeof(int64_t));
  for (const zrt_array *array : arraysOf(domain))
    bytes += array->type->size;
  return domain.largestPart() * bytes;
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

MapMemory::Site &MapMemory::site(const zrt_loc *loc) {
  for (Site &known : sites)
    if (known.loc == loc)
      return known;
  if (sites.size() == MostSites)
    sites.erase(std::min_element(
        sites.begin(), sites.end(),
        [](const Site &a, const Site &b) { return a.lastUse < b.lastUse; }));
  return sites.emplace_back(Site{loc});
}

/// In the order of their last use.
std::vector<MapPattern *> MapMemory::candidates(const RemapDomain &domain,
                                                const RemapShape &shape,
                                                const zrt_loc *loc) {
  std::vector<MapPattern *> result;
  std::vector<uint64_t> ids = idsOf(domain);
  for (const std::unique_ptr<MapPattern> &pattern : patterns)
    if ((pattern->loc == loc || pattern->ids == ids) && pattern->shape == shape)
      result.push_back(pattern.get());
  std::sort(result.begin(), result.end(),
            [](const MapPattern *a, const MapPattern *b) {
              return a->lastUse > b->lastUse;
            });
  if (result.size() > MostCandidates)
    result.resize(MostCandidates);
  return result;
}

void MapMemory::noteWrites(int64_t sets) {
  for (auto left = static_cast<uint64_t>(sets); left != 0; left &= left - 1)
    ++writes[std::countr_zero(left)];
}

bool MapMemory::knows(uint64_t number) const {
  return std::any_of(
      patterns.begin(), patterns.end(),
      [&](const auto &pattern) { return pattern->number == number; });
}

/// Grows with each write of one of them.
uint64_t MapMemory::writesOf(int64_t sets) const {
  uint64_t all = 0;
  for (auto left = static_cast<uint64_t>(sets); left != 0; left &= left - 1)
    all += writes[std::countr_zero(left)];
  return all;
}

/// That of \p tried whose arrays are these, and have not been written. The
/// processors agree: they execute the same statements.
MapPattern *MapMemory::unwritten(const std::vector<MapPattern *> &tried,
                                 const RemapDomain &domain,
                                 int64_t sets) const {
  if (sets == 0)
    return nullptr;
  std::vector<uint64_t> ids = idsOf(domain);
  uint64_t now = writesOf(sets);
  for (MapPattern *pattern : tried)
    if (pattern->sets == sets && pattern->writes == now && pattern->ids == ids)
      return pattern;
  return nullptr;
}

MapPattern *MapMemory::recognize(const RemapDomain &domain,
                                 const RemapShape &shape, int64_t sets,
                                 const zrt_loc *loc) {
  Site &here = site(loc);
  here.lastUse = ++clock;
  if (here.misses >= MostMisses && here.misses % RetryPeriod != 1)
    return nullptr;
  std::vector<MapPattern *> tried = candidates(domain, shape, loc);
  if (tried.empty())
    return nullptr;
  if (MapPattern *same = unwritten(tried, domain, sets)) {
    same->lastUse = clock;
    ++same->uses;
    here.misses = 0;
    return same;
  }
  int64_t equal = 0;
  for (size_t k = 0; k < tried.size(); ++k)
    if (haveValues(domain, tried[k]->values))
      equal |= int64_t(1) << k;
  const Parallel &parallel = domain.parallel;
  if (!arraysOf(domain).empty())
    reduce(parallel.transport, parallel.slices.all(parallel.transport), &equal,
           1, ZRT_I64, ZRT_BAND);
  if (equal == 0)
    return nullptr;
  MapPattern *found = tried[static_cast<size_t>(
      std::countr_zero(static_cast<uint64_t>(equal)))];
  found->lastUse = clock;
  found->ids = idsOf(domain);
  found->sets = sets;
  found->writes = writesOf(sets);
  ++found->uses;
  here.misses = 0;
  return found;
}

MapPattern *MapMemory::remember(const RemapDomain &domain,
                                const RemapShape &shape, int64_t sets,
                                const zrt_loc *loc) {
  Site &here = site(loc);
  int64_t misses = here.misses++;
  if (misses >= MostMisses && misses % RetryPeriod != 0)
    return nullptr;
  // Numbers in schedules have 32 bits.
  int64_t cost = costOf(domain);
  if (cost > MostKept ||
      domain.wholeSize() > std::numeric_limits<int32_t>::max())
    return nullptr;
  // What the same arrays held before, or, of a place without luck, anything:
  // it will not come back.
  std::vector<uint64_t> ids = idsOf(domain);
  for (MapPattern *known : candidates(domain, shape, loc))
    if (known->ids == ids || (misses >= MostMisses && known->loc == loc))
      forget(known);
  makeRoom(cost);
  auto &made = patterns.emplace_back(std::make_unique<MapPattern>(shape));
  made->ids = std::move(ids);
  made->loc = loc;
  made->number = ++lastNumber;
  made->sets = sets;
  made->writes = writesOf(sets);
  made->values = valuesOf(domain);
  made->cost = cost;
  made->lastUse = clock;
  held += cost;
  return made.get();
}

void MapMemory::forget(const MapPattern *pattern) {
  held -= pattern->cost;
  std::erase_if(patterns, [&](const std::unique_ptr<MapPattern> &other) {
    return other.get() == pattern;
  });
}

void MapMemory::makeRoom(int64_t cost) {
  while (!patterns.empty() &&
         (held + cost > MostKept || patterns.size() >= MostPatterns))
    forget(std::min_element(patterns.begin(), patterns.end(),
                            [](const auto &a, const auto &b) {
                              return a->lastUse < b->lastUse;
                            })
               ->get());
}

void MapMemory::expect(const RemapDomain &domain, const RemapShape &shape,
                       MapPattern *pattern) {
  next.emplace(Expected{shape, idsOf(domain), pattern});
}

std::optional<MapPattern *> MapMemory::expected(const RemapDomain &domain,
                                                const RemapShape &shape) {
  std::optional<MapPattern *> result;
  if (next && next->ids == idsOf(domain) && next->shape == shape)
    result = next->pattern;
  next.reset();
  return result;
}

void MapMemory::clear() {
  next.reset();
  sites.clear();
  patterns.clear();
}

} // namespace zrt
