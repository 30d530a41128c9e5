//===- IndexSets.cpp - Compares regions as they are known -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bounds are linear forms; two compare if their difference is a number. Bounds
// of strided dimensions are first moved to indices where that is possible:
// [1..10] by [3] is 1, 4, 7, 10, so it ends at 10; moved by [1] at 11.
//
// An array declared over 1..n, 1..n with the border [-1, 0] is stored at
//
//          0, 1..n
//       1..n, 1..n
//
// To find whether 0..n-1, 1..n lies within, it is cut where the declared region
// begins and ends in each dimension: 0, 1..n lies within the border, the rest
// 1..n-1, 1..n within the declared region. Each part lies on one side of the
// declared region (below, inside or above in each dimension) and must lie
// within a border on that side.
//
// Cost: at most three parts per dimension with a border; one without.
//
//===----------------------------------------------------------------------===//

#include "Arrays/IndexSets.h"

#include "llvm/ADT/STLExtras.h"

namespace zpl::sema {

namespace {

/// Flooded or a grid dimension, to which every index conforms.
bool takesAll(const Place &place, unsigned d) {
  return isPerProcessor(place.shape[d]);
}

/// How many indices lie between the bounds, less one; if it is known.
std::optional<int64_t> extent(const DimBounds &dim) {
  std::optional<LinearForm> first = dim.first(), last = dim.last();
  return (last ? *last : dim.hi).minus(first ? *first : dim.lo);
}

/// The bounds as indices where that is known, and whether it is.
struct Tight {
  LinearForm lo, hi;
  bool isLoKnown, isHiKnown;

  explicit Tight(const DimBounds &dim) {
    std::optional<LinearForm> first = dim.first(), last = dim.last();
    isLoKnown = first.has_value();
    isHiKnown = last.has_value();
    lo = first ? *first : dim.lo;
    hi = last ? *last : dim.hi;
  }
};

Verdict worse(Verdict a, Verdict b) { return std::max(a, b); }

/// Whether lo..hi of \p needed lies within that of \p stored.
Verdict compareBounds(const DimBounds &needed, const DimBounds &stored) {
  Tight tight(needed);
  auto side = [](std::optional<int64_t> room, bool isIndex) {
    if (!room || (*room < 0 && !isIndex))
      return Verdict::Unknown;
    return *room < 0 ? Verdict::Wrong : Verdict::Proven;
  };
  return worse(side(tight.lo.minus(stored.lo), tight.isLoKnown),
               side(stored.hi.minus(tight.hi), tight.isHiKnown));
}

/// A part of a region, on one side of another in each dimension.
struct IndexPart {
  Place place;
  llvm::SmallVector<int, 6> side; ///< -1: below, 1: above
};

/// Cuts \p part at the bounds of \p declared in dimension \p d; false if the
/// side of its bounds is not known.
bool cut(const IndexPart &part, const Place &declared, unsigned d,
         std::vector<IndexPart> &to) {
  Tight tight(part.place.dims[d]);
  const DimBounds &inner = declared.dims[d];
  auto add = [&](int side, const LinearForm &lo, const LinearForm &hi) {
    to.push_back(part);
    to.back().side[d] = side;
    to.back().place.dims[d].lo = lo;
    to.back().place.dims[d].hi = hi;
    return true;
  };
  auto exceeds = [](const LinearForm &a, const LinearForm &b) {
    return a.minus(b).value_or(0) > 0;
  };
  if (exceeds(inner.lo, tight.hi))
    return add(-1, tight.lo, tight.hi);
  if (exceeds(tight.lo, inner.hi))
    return add(1, tight.lo, tight.hi);
  std::optional<int64_t> below = inner.lo.minus(tight.lo),
                         above = tight.hi.minus(inner.hi);
  if (!below || !above)
    return false;
  auto next = [](const LinearForm &bound, int64_t by) {
    return LinearForm::sum(bound, LinearForm(by), 1).value_or(bound);
  };
  if (*below > 0)
    add(-1, tight.lo, next(inner.lo, -1));
  if (*above > 0)
    add(1, next(inner.hi, 1), tight.hi);
  return add(0, *below > 0 ? inner.lo : tight.lo,
             *above > 0 ? inner.hi : tight.hi);
}

/// On which side of dimension \p inner the border \p outer lies; none: it is
/// not known.
std::optional<int> sideOf(const DimBounds &outer, const DimBounds &inner) {
  if (outer.lo == inner.lo && outer.hi == inner.hi)
    return 0;
  if (inner.lo.minus(outer.hi) == 1)
    return -1;
  if (outer.lo.minus(inner.hi) == 1)
    return 1;
  return std::nullopt;
}

/// Whether \p border lies on the side of \p part; Unknown: perhaps.
Verdict compareSide(const IndexPart &part, const Place &border,
                    const Place &declared) {
  Verdict result = Verdict::Proven;
  for (unsigned d = 0; d != border.rank(); ++d) {
    if (takesAll(declared, d))
      continue;
    std::optional<int> side = sideOf(border.dims[d], declared.dims[d]);
    if (!side)
      result = Verdict::Unknown;
    else if (*side != part.side[d])
      return Verdict::Wrong;
  }
  return result;
}

/// In which dimension \p part lies on a side without any border, if so; else
/// one in which it lies beside the declared region.
unsigned dimBeside(const IndexPart &part, llvm::ArrayRef<Place> stored) {
  unsigned beside = 0;
  for (unsigned d = 0; d != part.side.size(); ++d) {
    if (part.side[d] == 0)
      continue;
    beside = d;
    if (llvm::none_of(stored.drop_front(), [&](const Place &border) {
          return sideOf(border.dims[d], stored.front().dims[d]) == part.side[d];
        }))
      break;
  }
  return beside;
}

/// Where \p part, which lies beside the declared region stored[0], is stored.
Comparison compareBeside(const IndexPart &part, llvm::ArrayRef<Place> stored) {
  Comparison result{Verdict::Wrong, dimBeside(part, stored)};
  for (const Place &border : stored.drop_front()) {
    Verdict verdict = compareSide(part, border, stored.front());
    for (unsigned d = 0; d != border.rank() && verdict == Verdict::Proven; ++d)
      if (!takesAll(border, d))
        verdict = compareBounds(part.place.dims[d], border.dims[d]);
    if (verdict == Verdict::Proven)
      return {Verdict::Proven};
    if (verdict == Verdict::Unknown)
      result.verdict = Verdict::Unknown;
  }
  // Two borders of one side may hold the part together.
  if (stored.size() > 2 && result.verdict == Verdict::Wrong &&
      llvm::count_if(stored.drop_front(), [&](const Place &border) {
        return compareSide(part, border, stored.front()) == Verdict::Proven;
      }) > 1)
    result.verdict = Verdict::Unknown;
  return result;
}

} // namespace

bool isEmpty(const Place &place) {
  return llvm::any_of(place.dims, [](const DimBounds &dim) {
    std::optional<int64_t> size = extent(dim);
    return size && *size < 0;
  });
}

bool isNotEmpty(const Place &place) {
  return llvm::all_of(place.dims, [](const DimBounds &dim) {
    std::optional<int64_t> size = extent(dim);
    std::optional<int64_t> stride = dim.stride.number();
    bool hasIndex = dim.first() || dim.last();
    return size && (hasIndex ? *size >= 0 : stride && *size >= *stride - 1);
  });
}

Verdict compareAlignment(const DimBounds &needed, const DimBounds &declared) {
  std::optional<int64_t> stride = declared.stride.number();
  std::optional<int64_t> apart = needed.align.minus(declared.align);
  if (stride == 1)
    return Verdict::Proven;
  if (needed.isStrided() && needed.stride == declared.stride) {
    if (apart == 0)
      return Verdict::Proven;
    if (!stride || !apart)
      return Verdict::Unknown;
    return *apart % *stride == 0 ? Verdict::Proven : Verdict::Wrong;
  }
  // The first index and the step to the next one must fit.
  std::optional<LinearForm> first = needed.first();
  std::optional<int64_t> offset =
      first ? first->minus(declared.align) : std::nullopt;
  if (!stride || !offset)
    return offset == 0 && extent(needed) == 0 ? Verdict::Proven
                                              : Verdict::Unknown;
  if (*offset % *stride != 0)
    return Verdict::Wrong;
  std::optional<int64_t> size = extent(needed), step = needed.stride.number();
  if (size == 0 || (step && *step % *stride == 0))
    return Verdict::Proven;
  return size && step && *size >= *step ? Verdict::Wrong : Verdict::Unknown;
}

Comparison compareWithin(const Place &needed, llvm::ArrayRef<Place> stored) {
  const Place &declared = stored.front();
  Comparison result{Verdict::Proven};
  auto consider = [&](Verdict verdict, unsigned d) {
    if (verdict > result.verdict)
      result = {verdict, d};
  };
  std::vector<IndexPart> parts = {{needed, {}}};
  parts.front().side.assign(needed.rank(), 0);
  for (unsigned d = 0; d != needed.rank(); ++d) {
    if (takesAll(needed, d) || takesAll(declared, d))
      continue;
    consider(compareAlignment(needed.dims[d], declared.dims[d]), d);
    Verdict inside = compareBounds(needed.dims[d], declared.dims[d]);
    if (inside == Verdict::Proven)
      continue;
    if (inside == Verdict::Unknown || stored.size() == 1) {
      consider(inside, d);
      continue;
    }
    std::vector<IndexPart> pieces;
    for (const IndexPart &part : parts)
      if (!cut(part, declared, d, pieces)) {
        consider(Verdict::Unknown, d);
        pieces.push_back(part);
      }
    parts = std::move(pieces);
  }
  for (const IndexPart &part : parts)
    if (llvm::any_of(part.side, [](int side) { return side != 0; })) {
      Comparison beside = compareBeside(part, stored);
      consider(beside.verdict, beside.dim);
    }
  if (result.verdict == Verdict::Wrong && !isNotEmpty(needed))
    result.verdict = Verdict::WrongUnlessEmpty;
  return result;
}

Verdict compareDim(const DimBounds &a, const DimBounds &b) {
  Tight mine(a), theirs(b);
  std::optional<int64_t> lo = mine.lo.minus(theirs.lo),
                         hi = mine.hi.minus(theirs.hi);
  bool areSameSteps = compareAlignment(a, b) == Verdict::Proven &&
                      compareAlignment(b, a) == Verdict::Proven;
  if (lo == 0 && hi == 0 && areSameSteps)
    return Verdict::Proven;
  bool isWrong = (lo && *lo != 0 && mine.isLoKnown && theirs.isLoKnown) ||
                 (hi && *hi != 0 && mine.isHiKnown && theirs.isHiKnown);
  return isWrong ? Verdict::Wrong : Verdict::Unknown;
}

Comparison compareSame(const Place &a, const Place &b) {
  Comparison result{Verdict::Proven};
  for (unsigned d = 0; d != a.rank(); ++d) {
    bool areNormal = !takesAll(a, d) && !takesAll(b, d);
    Verdict verdict = areNormal ? compareDim(a.dims[d], b.dims[d])
                      : a.shape[d] == b.shape[d] ? Verdict::Proven
                                                 : Verdict::Wrong;
    if (verdict > result.verdict)
      result = {verdict, d};
  }
  return result;
}

std::string text(const DimBounds &dim) {
  Tight tight(dim);
  std::string lo = tight.lo.text(), hi = tight.hi.text();
  if (lo.empty() || hi.empty())
    return "";
  if (lo == hi)
    return lo;
  std::string result = lo + ".." + hi;
  if (!dim.isStrided())
    return result;
  std::string stride = dim.stride.text();
  return stride.empty() ? "" : result + " by " + stride;
}

} // namespace zpl::sema
