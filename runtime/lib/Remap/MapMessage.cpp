//===- MapMessage.cpp - What is said of a wrong map -----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One text for both who find it: checkMaps, and loops that read by maps.
//
//     A#[P, ] reaches outside A: map 1 is 9 at (3, 4), but A is declared over
//     [1..8, 1..8]
//
//===----------------------------------------------------------------------===//

#include "Remap/MapMessage.h"
#include "Layout/Box.h"

namespace zrt {

std::string mapMessage(const zrt_array &array, const zrt_region &region,
                       const int64_t *at, int map, int64_t value,
                       const char *what) {
  std::string index;
  for (int d = 0; d < region.rank; ++d)
    index += (d == 0 ? "(" : ", ") + (region.grids >> d & 1 ? std::string("::")
                                      : region.floods >> d & 1
                                          ? std::string("*")
                                          : std::to_string(at[d]));
  std::string name = array.name ? array.name : "the array";
  return std::string(what) + " reaches outside " + name + ": map " +
         std::to_string(map + 1) + " is " + std::to_string(value) + " at " +
         index + "), but " + name + " is declared over " +
         toString(array.region);
}

std::string onProcessor(int processor, int processors) {
  return processors == 1
             ? ""
             : "\n  the index is on processor " + std::to_string(processor) +
                   " of " + std::to_string(processors);
}

} // namespace zrt
