//===- Sharing.cpp - Two names for one memory -----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     swap(x[:, 0:3], x[:, 3:6])     no element in common, though addresses mix
//     swap(x[0:3], x[1:4])           two rows in common
//
// ZPL takes arrays with different names for different memory. Views have bytes
// in common if there are places k and j with
//
//     | (b - a) + sum j[d] b.stride[d] - sum k[d] a.stride[d] | < size
//
// That is searched term by term, the longest stride first: what the terms left
// can still reach leaves a few values for each, one or two where dimensions are
// nested, as those of slices are. The search gives up after some steps.
//
// Cost: two sums for views that lie apart; some hundred steps else.
//
//===----------------------------------------------------------------------===//

#include "Entry/Library/Sharing.h"

#include <algorithm>
#include <cstdlib>

using namespace zrt;

namespace {

/// `count` values 0, step, 2 * step ...
struct Term {
  int64_t step, count;
  int64_t reach() const { return std::abs(step) * (count - 1); }
};

struct Search {
  Term terms[2 * ZPL_MAX_RANK];
  int count = 0;
  int64_t sizes[2]; ///< of elements, of a and of b
  int steps = 0;

  void add(const zpl_view &view, int64_t sign) {
    for (int d = 0; d < view.rank; ++d)
      if (view.extent[d] > 1 && view.stride[d] != 0)
        terms[count++] = {sign * view.stride[d], view.extent[d]};
  }
};

constexpr int MostSteps = 2000;

int64_t floorQuotient(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a % b < 0) != (b < 0));
}

} // namespace

/// Whether \p distance, from a's element to b's, plus one value of each term
/// from \p next on can be one at which the elements meet.
static bool canMeet(Search &search, int next, int64_t distance) {
  if (++search.steps > MostSteps)
    return true;
  int64_t below = -search.sizes[1], above = search.sizes[0];
  if (next == search.count)
    return below < distance && distance < above;
  // What the terms behind this one add at least and at most.
  int64_t least = 0, most = 0;
  for (int k = next + 1; k < search.count; ++k)
    (search.terms[k].step < 0 ? least : most) +=
        search.terms[k].step * (search.terms[k].count - 1);
  // below < distance + value + (least .. most) < above
  const Term &term = search.terms[next];
  int64_t lo = below - distance - most + 1, hi = above - distance - least - 1;
  if (term.step < 0)
    std::swap(lo, hi);
  int64_t step = term.step;
  int64_t first = std::max<int64_t>(0, -floorQuotient(-lo, step));
  int64_t last = std::min(term.count - 1, floorQuotient(hi, step));
  for (int64_t k = first; k <= last; ++k)
    if (canMeet(search, next + 1, distance + k * step))
      return true;
  return false;
}

bool zrt::shareMemory(const zpl_view &a, const zpl_view &b) {
  for (const zpl_view *view : {&a, &b})
    for (int d = 0; d < view->rank; ++d)
      if (view->extent[d] == 0)
        return false;
  if (!a.data || !b.data)
    return false;
  Search search;
  search.sizes[0] = a.size;
  search.sizes[1] = b.size;
  search.add(a, -1);
  search.add(b, 1);
  std::sort(search.terms, search.terms + search.count,
            [](const Term &x, const Term &y) {
              return std::abs(x.step) > std::abs(y.step);
            });
  return canMeet(search, 0,
                 static_cast<const char *>(b.data) -
                     static_cast<const char *>(a.data));
}
