//===- Numbering.cpp - Elements in the order of their places --------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A schedule counts elements in row-major order of a block, so that it does not
// depend on how an array lies in memory: with how much fluff, in whose storage.
// The block [1..2, 1..3] of an array with a column of fluff on each side has
// its rows 5 elements apart, and the numbers 0 1 2 3 4 5 become
// 0 1 2 5 6 7. Translations are kept, and made anew when another array comes.
//
// Elements whose distances are no multiples of their size, as parts of records
// have them, are copied.
//
//===----------------------------------------------------------------------===//

#include "Remap/Numbering.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace zrt {

Numbering::Numbering(const ElementView &view, size_t size)
    : view(view), size(size), way(Way::Dense) {
  int64_t dense = 1, farthest = 0;
  for (int d = view.rank - 1; d >= 0; --d) {
    if (view.count[d] <= 1)
      continue;
    if (view.step[d] % static_cast<int64_t>(size) != 0)
      way = Way::Copied;
    step[d] = view.step[d] / static_cast<int64_t>(size);
    if (step[d] != dense && way == Way::Dense)
      way = Way::Spaced;
    dense *= view.count[d];
    farthest += (view.count[d] - 1) * step[d];
  }
  if (farthest > std::numeric_limits<int32_t>::max())
    way = Way::Copied;
}

bool Numbering::agreesWith(const Numbering &other) const {
  bool same = way == other.way && view.rank == other.view.rank;
  for (int d = 0; same && d < view.rank; ++d)
    same = view.count[d] == other.view.count[d] && step[d] == other.step[d];
  return same;
}

int64_t Numbering::translated(int64_t number) const {
  int64_t result = 0;
  for (int d = view.rank - 1; d >= 0; --d) {
    if (view.count[d] <= 1)
      continue;
    result += number % view.count[d] * step[d];
    number /= view.count[d];
  }
  return result;
}

void Numbering::translate(std::vector<int32_t> &numbers) const {
  if (way == Way::Spaced)
    for (int32_t &number : numbers)
      if (number >= 0)
        number = static_cast<int32_t>(translated(number));
}

/// Calls \p f with each element and its copy.
template <typename F> void Numbering::forEachElement(F &&f) {
  char *copied = copy.data();
  int64_t last = view.rank - 1;
  forEachLine(view.rank, view.count, view.rank - 1, [&](const int64_t *at) {
    char *element = addressIn(view, at);
    for (int64_t k = 0; k < view.count[last]; ++k, copied += size)
      f(element + k * view.step[last], copied);
  });
}

char *Numbering::elements() {
  if (way != Way::Copied)
    return view.base;
  int64_t count = 1;
  for (int d = 0; d < view.rank; ++d)
    count *= view.count[d];
  copy.resize(static_cast<size_t>(count) * size);
  forEachElement([&](const char *element, char *copied) {
    std::memcpy(copied, element, size);
  });
  return copy.data();
}

void Numbering::finish() {
  if (way == Way::Copied)
    forEachElement([&](char *element, const char *copied) {
      std::memcpy(element, copied, size);
    });
}

const int32_t *Translation::of(const std::vector<int32_t> &numbers,
                               const Numbering &numbering) {
  if (numbering.isPlain())
    return numbers.data();
  if (!translatedFor || !translatedFor->agreesWith(numbering)) {
    translation = numbers;
    numbering.translate(translation);
    translatedFor = std::make_unique<Numbering>(numbering);
  }
  return translation.data();
}

} // namespace zrt
