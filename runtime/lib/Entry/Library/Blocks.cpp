//===- Blocks.cpp - Parallel arrays as C sees them ------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What zrt/Block.h has, for functions of C and for callers of libraries. A view
// is computed from the descriptor: the own part of the region, the address of
// its first element, and the pitches as strides.
//
//===----------------------------------------------------------------------===//

#include "Transport/Blocks.h"
#include "Entry/Library/Values.h"
#include "Entry/Process.h"
#include "Support/Error.h"

#include <cstring>

using namespace zrt;

/// Why an array has no block.
static const char *whyNoBlock(const zrt_array &array) {
  if (array.region.is_sparse)
    return "a sparse array is no block";
  if (process().domains.isScattered(array.region))
    return "an array that is dealt out cyclically is no block";
  return nullptr;
}

zpl_view zrt::ownView(const zrt_array &array, const char *&why) {
  zpl_view view = {};
  const zrt_region &region = array.region;
  view.rank = region.rank;
  view.type = array.type->kind;
  view.size = array.type->size;
  if ((why = whyNoBlock(array)))
    return view;
  Box whole = boxOf(region);
  Box own = intersect(whole, process().own(region));
  char *data = array.origin;
  for (int d = 0; d < region.rank; ++d) {
    const Seq &mine = own.dim[d], &all = whole.dim[d];
    view.extent[d] = size(mine);
    view.whole[d] = size(all);
    view.stride[d] = array.pitch[d];
    view.step[d] = all.stride;
    if (isEmpty(mine))
      continue;
    view.first[d] = mine.lo;
    view.offset[d] = (mine.lo - all.lo) / all.stride;
    data += positionsOf(mine, region.dim[d]).lo * array.pitch[d];
  }
  view.data = isEmpty(own) ? nullptr : data;
  return view;
}

extern "C" {

void zpl_own(const zpl_array *array, zpl_view *view) {
  const char *why = nullptr;
  *view = ownView(*array, why);
  if (why)
    fatal(nullptr, ErrorScope::Replicated, "'%s', which C is given: %s",
          array->name ? array->name : "an array", why);
}

int32_t zpl_processor(void) { return process().transport->rank(); }

int32_t zpl_processors(void) { return process().transport->size(); }

void zpl_all_to_all(const void *out, void *in, int64_t bytes) {
  Transport &transport = *process().transport;
  int self = transport.rank(), count = transport.size();
  auto length = static_cast<size_t>(bytes);
  auto from = [&](int k) { return static_cast<const char *>(out) + k * bytes; };
  auto to = [&](int k) { return static_cast<char *>(in) + k * bytes; };
  memcpy(to(self), from(self), length);
  // In round k the sum of two partners' numbers is k, modulo their count.
  for (int k = 0; k < count; ++k) {
    int partner = (k - self + count) % count;
    if (partner != self)
      transport.exchange(partner, from(partner), to(partner), length);
  }
}

} // extern "C"
