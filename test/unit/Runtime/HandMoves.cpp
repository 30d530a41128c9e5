//===- HandMoves.cpp - @^, @ on the left side, wrap and reflect -----------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program over zrt/Abi.h as the compiler would write it: random regions,
// strides, floods, directions, masks and types. Beside the arrays it keeps a
// model, the number of every element of the whole array on every processor, in
// which it executes the formulas of the language index by index. At the end of
// each operation all elements that a processor owns are compared. It prints the
// number of mistakes, which has to be 0.
//
//===----------------------------------------------------------------------===//

#include "HandElements.h"
#include "HandProgram.h"
#include "Random.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <vector>

using hand::forAll;
using hand::forOwn;

namespace {

int32_t seed = 1, rounds = 120;
const zrt_loc here = {"moves.z", 1, 1};
Random random_(1);
int64_t mistakes = 0, compared = 0;

using Index = std::array<int64_t, ZRT_MAX_RANK>;

/// An array and what it should hold.
struct Model {
  zrt_array array;
  std::vector<zrt_region> parts; ///< the declared region, then borders
  std::map<Index, int64_t> numbers;

  Index key(const int64_t *index) const {
    Index result = {};
    for (int d = 0; d < array.region.rank; ++d)
      result[d] = array.region.floods >> d & 1 ? 0 : index[d];
    return result;
  }
};

/// Gives all elements those of array number \p name.
void fill(Model &model, int name) {
  for (const zrt_region &part : model.parts) {
    forAll(part, [&](const int64_t *i) {
      model.numbers[model.key(i)] = hand::numberAt(name, part, i);
    });
    forOwn(part, [&](const int64_t *i) {
      hand::store(model.array, i, model.numbers.at(model.key(i)));
    });
  }
}

void makeModel(Model &model, int name, const zrt_type *type,
               std::vector<zrt_region> parts) {
  model.parts = std::move(parts);
  zrtA_array_new(&model.array, model.parts.data(), type, nullptr,
                 model.parts.data() + 1,
                 static_cast<int64_t>(model.parts.size()) - 1, "A", &here);
  fill(model, name);
}

void compare(const Model &model) {
  for (const zrt_region &part : model.parts)
    forOwn(part, [&](const int64_t *i) {
      ++compared;
      mistakes +=
          !hand::isStored(model.array, i, model.numbers.at(model.key(i)));
    });
}

const zrt_type *randomType() {
  return hand::ElementTypes[random_(0, std::size(hand::ElementTypes) - 1)];
}

zrt_region randomRegion(int rank, bool isEmptyAllowed) {
  zrt_region region = {};
  region.name = "R";
  region.rank = rank;
  int64_t most = rank <= 2 ? 11 : rank == 3 ? 6 : 2;
  for (int d = 0; d < rank; ++d) {
    int64_t lo = random_(-2, 3), hi = lo + random_(0, most);
    if (isEmptyAllowed && random_(0, 20) == 0)
      hi = lo - 1;
    region.dim[d] = random_(0, 2) ? hand::range(lo, hi)
                                  : hand::strided(lo, hi, random_(2, 3), lo);
    if (random_(0, 5) == 0) {
      region.dim[d] = hand::range(0, 0);
      region.floods |= 1 << d;
    }
  }
  return region;
}

/// Other bounds within or beyond \p region, with a multiple of its strides.
zrt_region relatedRegion(const zrt_region &region, int64_t beyond) {
  zrt_region result = region;
  for (int d = 0; d < region.rank; ++d) {
    zrt_dim &dim = result.dim[d];
    if (region.floods >> d & 1)
      continue;
    int64_t first =
        dim.lo + random_(0, 1) * dim.stride - random_(0, beyond) * dim.stride;
    int64_t last = dim.hi - random_(0, 1) + random_(0, beyond) * dim.stride;
    while ((first - dim.align) % dim.stride != 0)
      ++first;
    dim = hand::strided(first, last, dim.stride * random_(1, 2), first);
  }
  return result;
}

void randomDirection(int64_t *direction, const zrt_region &region,
                     int64_t most) {
  for (int d = 0; d < region.rank; ++d)
    direction[d] = region.floods >> d & 1
                       ? 0
                       : random_(-most, most) * region.dim[d].stride;
}

/// The indices of one dimension, in order.
std::vector<int64_t> members(const zrt_dim &dim) {
  std::vector<int64_t> all;
  for (int64_t i = dim.lo; i <= dim.hi; ++i)
    if (hand::holds(dim, i))
      all.push_back(i);
  return all;
}

/// The index of \p region whose position is that of \p index modulo the extent.
Index wrapped(const zrt_region &region, const Index &index) {
  Index result = index;
  for (int d = 0; d < region.rank; ++d) {
    if (region.floods >> d & 1)
      continue;
    std::vector<int64_t> all = members(region.dim[d]);
    int64_t m = static_cast<int64_t>(all.size());
    int64_t position = (index[d] - all[0]) / region.dim[d].stride % m;
    result[d] = all[static_cast<size_t>((position + m) % m)];
  }
  return result;
}

Index moved(const zrt_region &region, const int64_t *index,
            const int64_t *direction) {
  Index result = {};
  for (int d = 0; d < region.rank; ++d)
    result[d] = index[d] + (region.floods >> d & 1 ? 0 : direction[d]);
  return result;
}

bool isEmpty(const zrt_region &region) {
  bool empty = true;
  forAll(region, [&](const int64_t *) { empty = false; });
  return empty;
}

/// What an array was allocated for: perhaps too little.
zrt_fluff randomFluff(int rank) {
  zrt_fluff fluff = {};
  for (int d = 0; d < rank; ++d) {
    fluff.below[d] = random_(0, 2);
    fluff.above[d] = random_(0, 2);
    fluff.steps |= static_cast<int32_t>(random_(0, 1)) << d;
    fluff.wraps |= static_cast<int32_t>(random_(0, 1)) << d;
  }
  return fluff;
}

/// Shifts of one array, made together.
struct Shifts {
  std::vector<zrt_array> results;
  std::vector<std::array<int64_t, ZRT_MAX_RANK>> directions;
  std::vector<zrt_view> views;

  Shifts(const Model &model, const zrt_region &region, int64_t count,
         int64_t most)
      : results(static_cast<size_t>(count)),
        directions(static_cast<size_t>(count)) {
    for (size_t k = 0; k < results.size(); ++k) {
      zrt_view view = {&results[k], directions[k].data(), 0};
      randomDirection(directions[k].data(), model.parts[0], most);
      // Without wrapping it must stay inside.
      forAll(region, [&](const int64_t *i) {
        Index source = moved(region, i, view.direction);
        view.wraps |= !model.numbers.count(model.key(source.data()));
      });
      if (model.parts.size() == 1 && random_(0, 1))
        view.wraps = 1;
      views.push_back(view);
    }
  }

  void make(Model &model, const zrt_region &region) {
    zrtA_array_shift(&model.array, &region, views.data(),
                     static_cast<int64_t>(views.size()), &here);
  }
  void compare(const Model &model, const zrt_region &region) const {
    for (const zrt_view &view : views) {
      mistakes += view.result->region.floods != model.parts[0].floods;
      forOwn(region, [&](const int64_t *i) {
        Index source = moved(region, i, view.direction);
        if (view.wraps)
          source = wrapped(model.parts[0], source);
        ++compared;
        mistakes += !hand::isStored(*view.result, i,
                                    model.numbers.at(model.key(source.data())));
      });
    }
  }
  void free() {
    for (zrt_array &result : results)
      zrtA_array_free(&result, &here);
  }
};

/// `A@direction` and `A@^direction`, several at a time; again after A has
/// changed, and while other views are alive.
void checkShifts(int rank) {
  Model model;
  zrt_fluff fluff = randomFluff(rank);
  zrt_region declared = randomRegion(rank, false);
  const zrt_type *type = randomType();
  model.parts = {declared};
  if (random_(0, 4) == 0) { // beside it: what wraps must not be stored there
    int64_t direction[ZRT_MAX_RANK];
    randomDirection(direction, declared, 1);
    zrt_region border = declared;
    for (int d = 0; d < rank; ++d) {
      zrt_dim &dim = border.dim[d];
      int64_t extent = static_cast<int64_t>(members(dim).size()) * dim.stride;
      int64_t sign = (direction[d] > 0) - (direction[d] < 0);
      dim.lo += sign * extent;
      dim.hi += sign * extent;
    }
    if (std::any_of(direction, direction + rank, [](int64_t c) { return c; }))
      model.parts.push_back(border);
  }
  zrtA_array_new(&model.array, model.parts.data(), type, &fluff,
                 model.parts.data() + 1,
                 static_cast<int64_t>(model.parts.size()) - 1, "A", &here);
  fill(model, 1);
  zrt_region region = relatedRegion(declared, random_(0, 3) ? 0 : 4);
  Shifts near(model, region, random_(1, 6), 2), far(model, region, 2, 6);
  near.make(model, region);
  near.compare(model, region);
  if (random_(0, 1)) {
    far.make(model, region);
    far.compare(model, region);
    near.compare(model, region);
    far.free();
  }
  near.free();
  fill(model, 2);
  far.make(model, region);
  far.compare(model, region);
  far.free();
  near.make(model, region);
  near.compare(model, region);
  near.free();
  compare(model);
  zrtA_array_free(&model.array, &here);
}

/// The mask of a put: a function of the index.
bool isTaken(const zrt_region &region, const int64_t *index) {
  return hand::numberAt(5, region, index) % 3 != 0;
}

/// `A@direction := T` or `A@^direction := T`, perhaps masked.
void checkPut(int rank, bool wraps) {
  Model target, source, flags;
  zrt_region region = randomRegion(rank, true);
  int64_t direction[ZRT_MAX_RANK];
  randomDirection(direction, region, 4);
  zrt_region declared = region;
  std::vector<zrt_region> parts(1, declared);
  if (wraps && isEmpty(declared))
    return;
  if (wraps) {
    region = relatedRegion(declared, random_(0, 2) ? 0 : 4);
  } else { // it writes into a border
    parts.push_back(region);
    for (int d = 0; d < rank; ++d) {
      zrt_dim &dim = parts[1].dim[d];
      dim = {dim.lo + direction[d], dim.hi + direction[d], dim.stride,
             dim.align};
    }
  }
  const zrt_type *type = randomType();
  makeModel(target, 1, type, parts);
  makeModel(source, 2, type, {region});
  makeModel(flags, 3, &hand::Boolean, {region});
  forOwn(region, [&](const int64_t *i) {
    hand::store(flags.array, i, isTaken(region, i));
  });
  bool isMasked = random_(0, 1);
  zrt_mask mask = {isMasked ? &flags.array : nullptr,
                   static_cast<int32_t>(random_(0, 1))};
  if (!wraps)
    zrtA_check_write(&target.array, &region, direction, "A@d", &here);
  zrtA_array_put(&target.array, &source.array, &region, direction, wraps,
                 random_(0, 1) || isMasked ? &mask : nullptr, &here);
  forAll(source.parts[0], [&](const int64_t *i) {
    if (isMasked && isTaken(source.parts[0], i) != (mask.value != 0))
      return;
    Index at = moved(region, i, direction);
    if (wraps)
      at = wrapped(declared, at);
    target.numbers[target.key(at.data())] = source.numbers.at(source.key(i));
  });
  compare(target);
  zrtA_array_free(&flags.array, &here);
  zrtA_array_free(&source.array, &here);
  zrtA_array_free(&target.array, &here);
}

/// How far from the low end of \p base \p index is filled from.
int64_t sourceOf(const zrt_dim &base, int64_t index, bool reflects) {
  std::vector<int64_t> all = members(base);
  int64_t m = static_cast<int64_t>(all.size());
  int64_t position = (index - all[0]) / base.stride;
  if (!reflects)
    position = (position % m + m) % m;
  else
    position = position < 0 ? -1 - position : 2 * m - 1 - position;
  return all[static_cast<size_t>(position)];
}

/// `wrap A` or `reflect A` in `direction of base`
void checkBorder(int rank, bool reflects) {
  zrt_region base = randomRegion(rank, true), border = base;
  if (isEmpty(base))
    return;
  int64_t direction[ZRT_MAX_RANK] = {};
  for (int d = 0; d < rank; ++d) {
    int64_t m = static_cast<int64_t>(members(base.dim[d]).size());
    int64_t most = reflects ? m : m + 3;
    if ((base.floods >> d & 1) || random_(0, 2) == 0)
      continue;
    zrt_dim &dim = border.dim[d];
    direction[d] = random_(-most, most) * dim.stride;
    // the border may begin between two indices
    if (direction[d] > 0)
      dim.lo = dim.hi + 1, dim.hi += direction[d];
    else if (direction[d] < 0)
      dim.hi = dim.lo - 1, dim.lo += direction[d];
  }
  Model model;
  makeModel(model, 1, randomType(), {base, border});
  // again with other elements, and after other statements: the plan is kept
  for (int turn = 0; turn < 3; ++turn) {
    fill(model, 1 + turn);
    if (reflects)
      zrtA_reflect(&model.array, &base, direction, &here);
    else
      zrtA_wrap(&model.array, &base, direction, &here);
    std::map<Index, int64_t> old = model.numbers;
    forAll(border, [&](const int64_t *i) {
      Index source = model.key(i);
      for (int d = 0; d < rank; ++d)
        if (direction[d] != 0)
          source[d] = sourceOf(base.dim[d], i[d], reflects);
      model.numbers[model.key(i)] = old.at(source);
    });
    compare(model);
    if (turn == 0 && reflects) // the other one, of the same border
      zrtA_wrap(&model.array, &base, direction, &here);
  }
  zrtA_array_free(&model.array, &here);
}

void initialize() {
  zrtA_config_given(0, &seed);
  zrtA_config_given(1, &rounds);
  hand::makeWords();
  random_ = Random(static_cast<unsigned>(seed));
  for (int rank = 1; rank <= ZRT_MAX_RANK; ++rank) {
    zrt_region region = randomRegion(rank, true);
    zrtA_region_declare(&region);
  }
}

void entry() {
  for (int32_t round = 0; round < rounds; ++round) {
    int rank = 1 + round % 4;
    checkShifts(rank);
    checkPut(rank, false);
    checkPut(rank, true);
    checkBorder(rank, false);
    checkBorder(rank, true);
  }
  hand::reportCompared(compared, here);
  hand::reportMistakes(mistakes, here);
}

} // namespace

int main(int argc, char **argv) {
  return hand::runRandomProgram(argc, argv, "moves", "120", initialize, entry);
}
