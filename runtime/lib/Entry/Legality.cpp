//===- Legality.cpp - Run-time checks in the user's terms -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks that the compiler could not make, since the bounds were not constant.
// They are replicated: every processor compares the same declared bounds, so
// all of them find the same error. `[R] B := A@east` over R = [1..8, 1..8] with
// A declared over R as well:
//
//     A@east reads outside A: region R [1..8, 1..8] moved by (0, 1) leaves
//     [1..8, 1..8] in dimension 2
//
// A legal statement over arrays without strides costs two comparisons per
// dimension. What lies partly in a border (language 8.7), or where the array
// has a stride, is compared as an index set, in a microsecond or two. Texts
// are only put together for an error.
//
//===----------------------------------------------------------------------===//

#include "Entry/Legality.h"

#include "Layout/RegionOps.h"
#include "Memory/Array.h"
#include "Support/Error.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace zrt {

/// Whether all bounds lie within those of an array without strides.
static bool hasBoundsWithin(const zrt_region &declared,
                            const zrt_region &region,
                            const int64_t *direction) {
  bool within = true;
  for (int d = 0; d < region.rank; ++d) {
    int64_t distance = direction ? direction[d] : 0;
    bool fits = declared.dim[d].stride == 1 &&
                region.dim[d].lo + distance >= declared.dim[d].lo &&
                region.dim[d].hi + distance <= declared.dim[d].hi;
    within &= fits || (declared.floods >> d & 1);
  }
  return within;
}

/// The indices at which \p array is used; 0 in flooded dimensions.
static Box usedBox(const zrt_array &array, const zrt_region &region,
                   const int64_t *direction) {
  Box box = boxOf(region);
  if (isEmpty(box))
    return emptyBox(region.rank);
  if (direction)
    box = shift(box, direction);
  return flooded(box, array.region.floods);
}

/// Whether \p array is stored at all of \p box.
static bool isStored(const zrt_array &array, const Box &box) {
  return isCovered(box, array.region, array.borders, array.border_count);
}

/// The first grid dimension of \p array in which it is shifted; its rank if
/// there is none.
static int shiftedGridDim(const zrt_array &array, const int64_t *direction) {
  int d = 0;
  while (d < array.region.rank &&
         !(direction && direction[d] != 0 && array.region.grids >> d & 1))
    ++d;
  return d;
}

/// Empty, or that \p array is shifted where it has a grid dimension.
static std::string gridMessage(const zrt_array &array, const int64_t *direction,
                               const char *what) {
  int d = shiftedGridDim(array, direction);
  if (d == array.region.rank)
    return "";
  return std::string(what) + " is shifted by " + std::to_string(direction[d]) +
         " in dimension " + std::to_string(d + 1) +
         ", which is a grid dimension of " + toString(array.region);
}

bool isWithin(const zrt_array &array, const zrt_region &region,
              const int64_t *direction) {
  ZRT_CHECK((region.floods & ~array.region.floods) == 0);
  if (array.region.grids != 0 &&
      shiftedGridDim(array, direction) != array.region.rank)
    return false;
  return hasBoundsWithin(array.region, region, direction) ||
         isStored(array, usedBox(array, region, direction));
}

/// "region R [1..8]", "region [1..n] = [1..8]", or "region [1..8]" where the
/// name says no more than that.
static std::string describe(const zrt_region &region) {
  std::string text = toString(region);
  if (!region.name || !*region.name || text == region.name)
    return "region " + text;
  return std::string("region ") + region.name +
         (region.name[0] == '[' ? " = " : " ") + text;
}

/// "(0, 1)", or empty for no movement.
static std::string movement(int rank, const int64_t *direction) {
  if (!direction ||
      std::all_of(direction, direction + rank, [](auto n) { return n == 0; }))
    return "";
  std::string text = "(";
  for (int d = 0; d < rank; ++d)
    text += (d == 0 ? "" : ", ") + std::to_string(direction[d]);
  return text + ")";
}

/// "region R [1..8] moved by (1)".
static std::string describeMoved(const zrt_region &region,
                                 const int64_t *direction) {
  std::string moved = movement(region.rank, direction);
  return describe(region) + (moved.empty() ? "" : " moved by " + moved);
}

/// "[1..8] and its borders [0..0] and [9..9]", in which borders that hold no
/// index are left out.
static std::string storedText(const zrt_array &array) {
  std::vector<std::string> borders;
  for (int64_t k = 0; k < array.border_count; ++k)
    if (!isEmpty(boxOf(array.borders[k])))
      borders.push_back(toString(array.borders[k]));
  std::string text = toString(array.region);
  if (borders.empty())
    return text;
  text += borders.size() == 1 ? " and its border " : " and its borders ";
  for (size_t k = 0; k < borders.size(); ++k) {
    if (k > 0)
      text += k + 1 == borders.size() ? " and " : ", ";
    text += borders[k];
  }
  return text;
}

/// "leaves [1..8, 1..8] in dimension 2": what is wrong with the indices \p used
/// of \p array. In which dimension is not said of a corner between borders.
static std::string leavingText(const zrt_array &array, const Box &used) {
  std::string stored = storedText(array);
  for (int d = 0; d < used.rank; ++d) {
    Seq all;
    for (const Box &box : declaredBoxes(array))
      all = hull(all, box.dim[d]);
    if (contains(all, used.dim[d]))
      continue;
    bool isBetween = contains(rangeOf(all), rangeOf(used.dim[d]));
    return (isBetween ? " has other indices than " : " leaves ") + stored +
           " in dimension " + std::to_string(d + 1);
  }
  return " leaves " + stored;
}

std::string outsideMessage(const zrt_array &array, const zrt_region &region,
                           const int64_t *direction, const char *what,
                           const char *verb) {
  if (std::string text = gridMessage(array, direction, what); !text.empty())
    return text;
  std::string text = std::string(what) + " " + verb + " outside ";
  if (std::strcmp(what, array.name ? array.name : "") == 0)
    text += "its region: ";
  else
    text += std::string(array.name ? array.name : "its region") + ": ";
  return text + describeMoved(region, direction) +
         leavingText(array, usedBox(array, region, direction));
}

std::string nothingMessage(const zrt_array &array, const char *what,
                           const char *verb) {
  const char *name = array.region.name;
  return std::string(what) + " " + verb + " an array over region " +
         (name && *name ? name : "") + ", which has no value yet";
}

std::string maskMessage(const zrt_array &mask, const zrt_region &region,
                        const char *what) {
  return std::string("mask ") + what + " does not cover " + describe(region) +
         ": it is declared over " + storedText(mask);
}

/// The first dimension in which \p used are no indices that the array would
/// have if it went on for ever; the rank if there is none.
static int misalignedDim(const zrt_array &array, const Box &used) {
  int d = 0;
  for (; d < used.rank; ++d) {
    const zrt_dim &dim = array.region.dim[d];
    Seq aligned = seqOf(rangeOf(used.dim[d]), dim.stride, dim.align);
    if (!contains(aligned, used.dim[d]))
      break;
  }
  return d;
}

/// True only if wrapMessage has nothing to say; a stencil asks for each of its
/// directions.
static bool wrapsPlainly(const zrt_array &array, const zrt_region &region,
                         const int64_t *direction) {
  if (array.region.grids)
    return false;
  for (int d = 0; d < region.rank; ++d) {
    const zrt_dim &declared = array.region.dim[d], &dim = region.dim[d];
    if (array.region.floods >> d & 1)
      continue;
    if (declared.hi - declared.lo < declared.stride - 1 ||
        dim.stride % declared.stride != 0 ||
        (dim.align + direction[d] - declared.align) % declared.stride != 0)
      return false;
  }
  return true;
}

std::string wrapMessage(const zrt_array &array, const zrt_region &region,
                        const int64_t *direction, const char *what) {
  if (wrapsPlainly(array, region, direction)) [[likely]]
    return "";
  if (std::string text = gridMessage(array, direction, what); !text.empty())
    return text;
  Box used = usedBox(array, region, direction);
  if (isEmpty(used))
    return "";
  std::string declared = toString(array.region);
  if (isEmpty(boxOf(array.region)))
    return std::string(what) +
           " has no index to wrap to: " + (array.name ? array.name : "it") +
           " is declared over " + declared;
  int d = misalignedDim(array, used);
  if (d == used.rank)
    return "";
  return std::string(what) + " wraps to indices between those of " +
         (array.name ? array.name : "its region") + ": " +
         describeMoved(region, direction) + " does not have the stride of " +
         declared + " in dimension " + std::to_string(d + 1);
}

std::string conformMessage(const zrt_region &from, const zrt_region &over,
                           const char *what) {
  int others = from.singletons | from.floods | over.singletons | over.floods;
  if (isEmpty(boxOf(over)))
    return "";
  for (int d = 0; d < from.rank; ++d)
    if (!(others >> d & 1) && !(seqOf(from.dim[d]) == seqOf(over.dim[d])))
      return std::string(what) + ": its " + describe(from) +
             " and the covering " + describe(over) +
             " have different indices in dimension " + std::to_string(d + 1);
  return "";
}

std::string formalMessage(const zrt_array &array, const zrt_region &formal,
                          const char *what) {
  if (array.region.rank == formal.rank &&
      array.region.floods == formal.floods &&
      array.region.grids == formal.grids &&
      boxOf(array.region) == boxOf(formal)) [[likely]]
    return "";
  return std::string(what) + " is declared over " + toString(array.region) +
         ", but is passed to a parameter over " + describe(formal);
}

std::string boundMessage(const zrt_region &region) {
  auto misfit = [&](int64_t number, const char *word, int d) {
    if (std::numeric_limits<int32_t>::min() <= number &&
        number <= std::numeric_limits<int32_t>::max())
      return std::string();
    return describe(region) + ": " + word + std::to_string(number) +
           " in dimension " + std::to_string(d + 1) +
           " does not fit an integer";
  };
  for (int d = 0; d < region.rank; ++d) {
    const zrt_dim &dim = region.dim[d];
    for (int64_t bound : {dim.lo, dim.hi})
      if (std::string text = misfit(bound, "", d); !text.empty())
        return text;
    if (std::string text = misfit(dim.stride, "the stride ", d); !text.empty())
      return text;
  }
  return "";
}

std::string borderMessage(const zrt_array &array, const zrt_region &base,
                          const int64_t *direction,
                          const std::vector<Box> &sources, const char *what) {
  std::string name = array.name ? array.name : "the array";
  zrt_region border = regionOf(direction, base);
  border.name = nullptr;
  Box target = boxOf(border);
  if (!isStored(array, target))
    return std::string(what) + " of " + name + ": the border " +
           toString(border) + " of " + describe(base) +
           leavingText(array, target);
  for (const Box &source : sources)
    if (!isStored(array, source))
      return std::string(what) + " of " + name + ": what the border " +
             toString(border) + " of " + describe(base) + " is filled from, " +
             toString(source, 0, base.floods, base.grids) + "," +
             leavingText(array, source);
  return "";
}

} // namespace zrt
