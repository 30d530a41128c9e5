//===- Agreement.cpp - Do all processors change a pattern alike? ----------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     extern prototype rank(): integer;    -- of C, and not `free`
//     S := [1..n - rank(), 1..n];          -- other bounds on each processor
//     modify S begin add [1, rank()]; end; -- only the owner keeps an index
//
// Scalars are the same on all processors, and what is added with them is kept
// by the owner alone. C can break that, and then indices would be missing
// without a word. So before a pattern becomes that of a region, the processors
// compare a number that is made of the place in the program, the bounds, the
// pattern that is taken, and all that was added with replicated values. Only if
// two of the numbers differ they tell each other in words what they do.
//
// Neighbours compare first, by messages, and then all learn the result. So a
// processor that is elsewhere in the program leaves its neighbours waiting, and
// its own reduction does not meet this one: the run ends since no processor can
// advance, and prints no sum of things that have nothing to do with each other.
//
// Cost: two messages of 8 bytes and a reduction of one number per processor for
// each pattern that is made; nothing on one processor.
//
//===----------------------------------------------------------------------===//

#include "Entry/Sparse/Agreement.h"

#include "Entry/Process.h"
#include "Entry/Sparse/SparseRegions.h"
#include "Support/Error.h"

#include <algorithm>

namespace zrt {

namespace {

/// What a processor tells of itself.
struct Told {
  int32_t line, column;
  char text[160]; ///< ends with 0
};

class Digest {
public:
  void take(int64_t number) {
    value = (value ^ static_cast<uint64_t>(number)) * 0x9E3779B97F4A7C15;
    value ^= value >> 32;
  }
  void take(const zrt_region &region) {
    for (int d = 0; d < region.rank; ++d) {
      take(region.dim[d].lo);
      take(region.dim[d].hi);
      take(region.dim[d].stride);
      take(region.dim[d].align);
    }
    take(region.domain);
    if (const Pattern *pattern = patternOf(region.pattern))
      take(static_cast<int64_t>(pattern->id));
  }
  int64_t number() const { return static_cast<int64_t>(value); }

private:
  uint64_t value = 1;
};

int64_t digestOf(const PatternChange &change) {
  Digest digest;
  if (change.loc) {
    digest.take(change.loc->line);
    digest.take(change.loc->column);
  }
  digest.take(change.operation);
  digest.take(change.result);
  if (change.value)
    digest.take(*change.value);
  digest.take(change.added.count);
  digest.take(static_cast<int64_t>(change.added.digest));
  return digest.number();
}

std::string described(const PatternChange &change) {
  std::string text;
  if (change.value) {
    text = "takes indices of " + toString(*change.value);
  } else if (change.added.count != 0) {
    text = "adds " + std::to_string(change.added.count) +
           (change.added.count == 1 ? " index" : " indices");
  } else {
    text = "changes " + toString(change.result);
  }
  return text;
}

/// Whether the processors before and after this one have the same number.
bool isLikeNeighbours(Transport &transport, int64_t digest) {
  bool isLike = true;
  int rank = transport.rank();
  for (int phase : {0, 1}) {
    int partner = (rank + phase) % 2 == 0 ? rank + 1 : rank - 1;
    if (partner < 0 || partner >= transport.size())
      continue;
    int64_t other;
    transport.exchange(partner, &digest, &other, sizeof other);
    isLike &= other == digest;
  }
  return isLike;
}

/// What every processor tells.
std::vector<Told> tellAll(Transport &transport, const PatternChange &change) {
  std::vector<Told> all(static_cast<size_t>(transport.size()));
  std::vector<size_t> offsets;
  for (size_t k = 0; k <= all.size(); ++k)
    offsets.push_back(k * sizeof(Told));
  Told &own = all[static_cast<size_t>(transport.rank())];
  own.line = change.loc ? change.loc->line : 0;
  own.column = change.loc ? change.loc->column : 0;
  described(change).copy(own.text, sizeof own.text - 1);
  allgather(transport, everybody(transport), all.data(), offsets);
  return all;
}

[[noreturn]] void failAgreement(const PatternChange &change, int64_t digest) {
  Transport &transport = *process().transport;
  std::vector<int64_t> digests =
      allNumbers(transport, everybody(transport), digest);
  auto isOther = [&](int64_t d) { return d != digests[0]; };
  auto k = std::find_if(digests.begin(), digests.end(), isOther);
  std::vector<Told> all = tellAll(transport, change);
  const Told &first = all[0];
  auto number = static_cast<size_t>(k - digests.begin());
  const Told &other = all[number];
  std::string where;
  if (first.line != other.line || first.column != other.column)
    where = " at " + std::to_string(other.line) + ":" +
            std::to_string(other.column);
  else if (std::string_view(first.text) == other.text)
    where = ", but others";
  zrt_loc loc = {change.loc ? change.loc->file : "", first.line, first.column};
  fatal(change.loc ? &loc : nullptr, ErrorScope::Replicated,
        "the pattern of region %s differs between processors: processor 0 %s, "
        "and processor %zu %s%s",
        nameOfRegion(change.result).c_str(), first.text, number, other.text,
        where.c_str());
}

} // namespace

void checkAgreement(const PatternChange &change) {
  Transport &transport = *process().transport;
  if (transport.size() == 1)
    return;
  int64_t digest = digestOf(change);
  int32_t differs = !isLikeNeighbours(transport, digest);
  reduce(transport, &differs, ZRT_I32, ZRT_MAX);
  if (differs)
    failAgreement(change, digest);
}

} // namespace zrt
