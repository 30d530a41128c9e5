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
// A legal statement costs two comparisons per dimension; texts are only put
// together for an error.
//
//===----------------------------------------------------------------------===//

#include "Entry/Legality.h"

#include "Layout/Box.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace zrt {

bool isWithin(const zrt_region &declared, const zrt_region &region,
              const int64_t *direction) {
  bool within = true;
  for (int d = 0; d < region.rank; ++d) {
    int64_t distance = direction ? direction[d] : 0;
    within &= region.dim[d].lo + distance >= declared.dim[d].lo &&
              region.dim[d].hi + distance <= declared.dim[d].hi;
  }
  return within || isEmpty(boxOf(region));
}

static std::string bounds(const zrt_region &region) {
  return toString(boxOf(region), region.singletons);
}

/// "region R [1..8]", "region [1..n] = [1..8]", or "region [1..8]" where the
/// name says no more than that.
static std::string describe(const zrt_region &region) {
  std::string text = bounds(region);
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

std::string outsideMessage(const zrt_array &array, const zrt_region &region,
                           const int64_t *direction, const char *what,
                           const char *verb) {
  int d = 0; // the first dimension in which the region leaves
  for (; d < region.rank; ++d) {
    int64_t distance = direction ? direction[d] : 0;
    if (!contains(array.region.dim[d], shift(region.dim[d], distance)))
      break;
  }
  std::string moved = movement(region.rank, direction);
  std::string text = std::string(what) + " " + verb + " outside ";
  if (std::strcmp(what, array.name ? array.name : "") == 0)
    text += "its region: ";
  else
    text += std::string(array.name ? array.name : "its region") + ": ";
  text += describe(region);
  if (!moved.empty())
    text += " moved by " + moved;
  return text + " leaves " + bounds(array.region) + " in dimension " +
         std::to_string(d + 1);
}

std::string formalMessage(const zrt_array &array, const zrt_region &formal,
                          const char *what) {
  return std::string(what) + " is declared over " + bounds(array.region) +
         ", but is passed to a parameter over " + describe(formal);
}

std::string boundMessage(const zrt_region &region) {
  for (int d = 0; d < region.rank; ++d)
    for (int64_t bound : {region.dim[d].lo, region.dim[d].hi})
      if (bound < std::numeric_limits<int32_t>::min() ||
          bound > std::numeric_limits<int32_t>::max())
        return describe(region) + ": " + std::to_string(bound) +
               " in dimension " + std::to_string(d + 1) +
               " does not fit an integer";
  return "";
}

} // namespace zrt
