//===- Maps.cpp - The maps of a remap -------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// language 8.5. `A#[I, , 3]` over [1..4, 1..6] has three maps: an array, the
// index of dimension 2, and a scalar. At (2, 5) they give (I at (2, 5), 5, 3).
//
// A remap takes strips of up to 256 indices, so that the values of a map are
// read, and made into addresses, by short loops over arrays.
//
// Values are checked before anything is moved: each processor looks at its own
// indices, the least place in row-major order of all that are wrong wins, and
// its owner tells the others what is wrong there, so that all end with the same
// message. A map of indices or a scalar that can only be right is not looked
// at.
//
// Cost: one look at the values of arrays, a reduction of 8 bytes.
//
//===----------------------------------------------------------------------===//

#include "Remap/Maps.h"
#include "Remap/Boxes/ClosedMaps.h"
#include "Remap/MapMessage.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace zrt {

RemapDomain::RemapDomain(const Parallel &parallel, const zrt_region &region,
                         const zrt_map *maps, int mapCount,
                         const zrt_mask &mask)
    : parallel(parallel), region(region), maps(maps), mapCount(mapCount),
      mask(mask),
      part(ownPart(parallel.distribution, region, parallel.transport.rank())),
      whole(boxOf(region)) {
  parallel.distribution.grid.coordinates(parallel.transport.rank(), coordinate);
  for (int d = 0; d < part.rank; ++d)
    counts[d] = size(part.dim[d]);
  for (int d = 0; d < part.rank; ++d)
    if (counts[d] != 1 || d == 0)
      line = d;
  arrays.resize(static_cast<size_t>(mapCount));
  for (int k = 0; k < mapCount; ++k)
    if (maps[k].form == ZRT_MAP_ARRAY)
      arrays[static_cast<size_t>(k)] = viewOf(*maps[k].array, part);
  if (mask.array)
    flags = viewOf(*mask.array, part);
}

void RemapDomain::read(Strip &strip, int64_t from, int64_t to) const {
  int64_t count = to - from;
  if (!mask.array) {
    std::iota(strip.along, strip.along + count, from);
  } else {
    const char *flag = addressIn(flags, strip.at);
    count = 0;
    for (int64_t k = from; k < to; ++k)
      if ((flag[k * flags.step[line]] != 0) == (mask.value != 0))
        strip.along[count++] = k;
  }
  strip.count = count;
  if (strip.count > 0)
    for (int k = 0; k < mapCount; ++k)
      readMap(strip, k);
}

/// The numbers at \p along * \p step from \p base.
template <typename T>
static void load(int64_t *values, const Strip &strip, const char *base,
                 int64_t step) {
  const int64_t *along = strip.along;
  bool isDense = along[strip.count - 1] - along[0] == strip.count - 1;
  if (isDense && step == sizeof(T))
    std::copy_n(reinterpret_cast<const T *>(base) + along[0], strip.count,
                values);
  else
    for (int64_t k = 0; k < strip.count; ++k)
      values[k] = *reinterpret_cast<const T *>(base + along[k] * step);
}

/// The value of a LINEAR or MODULAR map at the index \p x.
static int64_t computed(const zrt_map &map, int64_t x) {
  auto wrapped = [](uint64_t sum) {
    return static_cast<int64_t>(static_cast<int32_t>(sum));
  };
  int64_t value =
      wrapped(static_cast<uint64_t>(map.scale) * static_cast<uint64_t>(x) +
              static_cast<uint64_t>(map.value));
  if (map.form == ZRT_MAP_LINEAR)
    return value;
  return wrapped(static_cast<uint64_t>(value % map.modulus) +
                 static_cast<uint64_t>(map.shift));
}

void RemapDomain::readMap(Strip &strip, int k) const {
  const zrt_map &map = maps[k];
  int64_t *values = strip.mapped[k];
  switch (static_cast<zrt_map_form>(map.form)) {
  case ZRT_MAP_SCALAR:
    std::fill_n(values, strip.count, map.value);
    break;
  case ZRT_MAP_INDEX: {
    int64_t first = indexOf(strip.at, map.dim);
    int64_t stride = map.dim == line ? part.dim[line].stride : 0;
    for (int64_t j = 0; j < strip.count; ++j)
      values[j] = first + strip.along[j] * stride;
    break;
  }
  case ZRT_MAP_LINEAR:
  case ZRT_MAP_MODULAR: {
    int64_t first = indexOf(strip.at, map.dim);
    int64_t stride = map.dim == line ? part.dim[line].stride : 0;
    for (int64_t j = 0; j < strip.count; ++j)
      values[j] = computed(map, first + strip.along[j] * stride);
    break;
  }
  case ZRT_MAP_ARRAY: {
    const ElementView &array = arrays[static_cast<size_t>(k)];
    auto *read =
        map.array->type->kind == ZRT_I64 ? load<int64_t> : load<int32_t>;
    read(values, strip, addressIn(array, strip.at), array.step[line]);
    break;
  }
  }
}

Strips::Strips(const RemapDomain &domain)
    : domain(domain),
      isOver(std::count(domain.counts, domain.counts + domain.part.rank, 0) >
             0) {}

bool Strips::next(Strip &strip) {
  strip.count = 0;
  while (!isOver && strip.count == 0) {
    std::copy(at, at + ZRT_MAX_RANK, strip.at);
    int64_t all = domain.counts[domain.line];
    int64_t to = std::min(all, from + Strip::Most);
    domain.read(strip, from, to);
    passed += to - from;
    from = to;
    if (from < all)
      continue;
    from = 0;
    int d = domain.line - 1; // behind it there is one index only
    while (d >= 0 && at[d] == domain.counts[d] - 1)
      at[d--] = 0;
    isOver = d < 0;
    if (!isOver)
      ++at[d];
  }
  return strip.count > 0;
}

void NumberedIndices::indexAt(int64_t k, int64_t *index) const {
  const zrt_pattern &pattern = *region.pattern;
  const int32_t *next =
      std::upper_bound(pattern.starts, pattern.starts + pattern.rows + 1,
                       static_cast<int32_t>(k));
  for (int d = 0; d + 1 < region.rank; ++d)
    index[d] = pattern.row[d][next - pattern.starts - 1];
  index[region.rank - 1] = pattern.column[k];
}

int64_t RemapDomain::placeOf(const int64_t *at) const {
  if (hasListedPlaces())
    return numbered->places[at[0]];
  int64_t place = 0;
  for (int d = 0; d < part.rank; ++d) {
    const Seq &all = whole.dim[d];
    if (region.grids >> d & 1)
      place = place * parallel.distribution.grid.extent[d] + coordinate[d];
    else
      place = place * size(all) + (indexOf(at, d) - all.lo) / all.stride;
  }
  return place;
}

int64_t RemapDomain::placeStep() const {
  if (hasListedPlaces())
    return 0;
  int64_t first[ZRT_MAX_RANK] = {}, second[ZRT_MAX_RANK] = {};
  second[line] = 1;
  return placeOf(second) - placeOf(first);
}

int64_t RemapDomain::numberOf(const int64_t *at) const {
  int64_t number = 0;
  for (int d = 0; d < part.rank; ++d)
    number = number * counts[d] + at[d];
  return number;
}

int64_t RemapDomain::wholeSize() const {
  int64_t count = 1;
  for (int d = 0; d < part.rank; ++d)
    count *= region.grids >> d & 1 ? parallel.distribution.grid.extent[d]
                                   : size(whole.dim[d]);
  return count;
}

int64_t RemapDomain::largestPart() const {
  int64_t most = 1;
  for (int d = 0; d < part.rank; ++d)
    most *= mostOwned(parallel.distribution, region, d);
  return most;
}

bool RemapDomain::partsAscend() const {
  if (numbered)
    return !hasListedPlaces();
  bool isCut = false, ascend = true;
  for (int d = part.rank - 1; d >= 0; --d) {
    bool isGrid = region.grids >> d & 1;
    if ((region.floods >> d & 1) && !isGrid)
      continue; // the first copies are at one place
    const int extent = parallel.distribution.grid.extent[d];
    bool isLong = isGrid ? extent > 1 : size(whole.dim[d]) > 1;
    // Behind a dimension of several indices nothing is cut.
    if (isLong && isCut)
      ascend = false;
    isCut |= isLong && extent > 1;
  }
  return ascend;
}

bool RemapDomain::isFirstCopy() const {
  int floods = region.floods & ~region.grids;
  for (int d = 0; d < part.rank; ++d)
    if ((floods >> d & 1) && coordinate[d] != 0)
      return false;
  return true;
}

namespace {

/// The first wrong value.
struct Offence {
  int64_t place = std::numeric_limits<int64_t>::max();
  int64_t index[ZRT_MAX_RANK] = {};
  int32_t map = 0;
  int64_t value = 0;
};

/// Whether map \p k can only have values in \p declared.
bool isSurelyIn(const RemapDomain &domain, int k, const Seq &declared) {
  const zrt_map &map = domain.maps[k];
  return map.form == ZRT_MAP_SCALAR ? contains(declared, map.value)
         : map.form == ZRT_MAP_INDEX
             ? contains(declared, domain.part.dim[map.dim])
             : false;
}

/// Whether map \p k is an array whose values, each looked at once where it is
/// flooded, are all in \p declared.
bool isSeenIn(const RemapDomain &domain, int k, const Seq &declared) {
  const zrt_map &map = domain.maps[k];
  if (map.form != ZRT_MAP_ARRAY || !map.array->region.floods ||
      isEmpty(domain.part))
    return false;
  const ElementView &view = domain.arrays[static_cast<size_t>(k)];
  int64_t counts[ZRT_MAX_RANK];
  int line = 0;
  for (int d = 0; d < view.rank; ++d) {
    counts[d] = map.array->region.floods >> d & 1 ? 1 : view.count[d];
    if (counts[d] > 1)
      line = d;
  }
  bool good = true;
  forEachLine(view.rank, counts, line, [&](const int64_t *at) {
    const char *place = addressIn(view, at);
    for (int64_t j = 0; j < counts[line]; ++j, place += view.step[line])
      good &=
          contains(declared, map.array->type->kind == ZRT_I64
                                 ? *reinterpret_cast<const int64_t *>(place)
                                 : *reinterpret_cast<const int32_t *>(place));
  });
  return good;
}

bool areAllIn(const Seq &declared, const int64_t *values, int64_t count) {
  bool good = true;
  if (declared.stride == 1)
    for (int64_t j = 0; j < count; ++j)
      good &= (declared.lo <= values[j]) & (values[j] <= declared.hi);
  else
    for (int64_t j = 0; j < count; ++j)
      good &= contains(declared, values[j]);
  return good;
}

/// The first wrong value of a strip that has one in one of the maps \p looked.
Offence offenceIn(const RemapDomain &domain, const Strip &strip,
                  const Seq *declared, const std::vector<int> &looked) {
  Offence offence;
  for (int64_t j = 0; j < strip.count; ++j)
    for (int k : looked) {
      int64_t value = strip.mapped[k][j];
      if (contains(declared[k], value))
        continue;
      int64_t at[ZRT_MAX_RANK];
      std::copy(strip.at, strip.at + ZRT_MAX_RANK, at);
      at[domain.line] = strip.along[j];
      offence.place = domain.placeOf(at);
      offence.map = k;
      offence.value = value;
      if (domain.numbered)
        domain.numbered->indexAt(at[0], offence.index);
      for (int d = 0; !domain.numbered && d < domain.part.rank; ++d)
        offence.index[d] = domain.indexOf(at, d);
      return offence;
    }
  return offence;
}

Offence findOffence(const RemapDomain &domain, const zrt_array &array) {
  Offence offence;
  Seq declared[ZRT_MAX_RANK];
  std::vector<int> looked;
  for (int k = 0; k < domain.mapCount; ++k) {
    declared[k] = seqOf(array.region.dim[k]);
    if (!(array.region.floods >> k & 1) &&
        !isSurelyIn(domain, k, declared[k]) &&
        !isSeenIn(domain, k, declared[k]))
      looked.push_back(k);
  }
  constexpr int64_t None = std::numeric_limits<int64_t>::max();
  Strip strip;
  Strips strips(domain);
  while (!looked.empty() && offence.place == None && strips.next(strip)) {
    bool good = std::all_of(looked.begin(), looked.end(), [&](int k) {
      return areAllIn(declared[k], strip.mapped[k], strip.count);
    });
    if (!good)
      offence = offenceIn(domain, strip, declared, looked);
  }
  return offence;
}

} // namespace

/// A remainder of zero would be taken of some index.
static bool dividesByZero(const RemapDomain &domain) {
  return domain.wholeSize() > 0 &&
         std::any_of(domain.maps, domain.maps + domain.mapCount,
                     [](const zrt_map &map) {
                       return map.form == ZRT_MAP_MODULAR && map.modulus == 0;
                     });
}

std::string checkMaps(const RemapDomain &domain, const zrt_array &array,
                      const char *what) {
  Transport &transport = domain.parallel.transport;
  if (dividesByZero(domain))
    return "integer division by zero";
  if (!domain.region.grids && !domain.numbered)
    if (std::optional<ClosedMaps> closed =
            closedMaps(domain.region, domain.maps, domain.mapCount);
        closed && closed->areAllIn(array.region))
      return "";
  Offence offence = findOffence(domain, array);
  int64_t first = offence.place;
  reduce(transport, &first, ZRT_I64, ZRT_MIN);
  if (first == std::numeric_limits<int64_t>::max())
    return "";
  int32_t owner = offence.place == first ? transport.rank() : transport.size();
  reduce(transport, &owner, ZRT_I32, ZRT_MIN);
  broadcast(transport, everybody(transport), owner, &offence, sizeof offence);
  const zrt_region &region =
      domain.numbered ? domain.numbered->region : domain.region;
  return mapMessage(array, region, offence.index, offence.map, offence.value,
                    what) +
         onProcessor(owner, transport.size());
}

} // namespace zrt
