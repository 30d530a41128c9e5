//===- PlacesAgreement.cpp - Do all deal out indices alike? ---------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     extern prototype rank(): integer;       -- of C, and not `free`
//     procedure owner(i, lo, hi, p: integer): integer;
//     begin return (i + rank()) % p; end;
//     distribution D = [owner], E = [cut(points)];   -- points: from C as well
//
// Where an index lives each processor finds out for itself. What procedures and
// cut points say of it comes from scalars, which are the same on all processors
// unless C breaks that; then messages would go to processors that await none.
// So before the first array of a domain gets its memory, and after each
// redistribution, the processors compare a number made of all that was said. If
// it differs, the first answer that does is looked for by bisection.
//
// Cost: a reduction of two numbers for each such dimension, when a domain is
// distributed; nothing on one processor.
//
//===----------------------------------------------------------------------===//

#include "Entry/Domains/PlacesAgreement.h"

#include "Entry/Process.h"
#include "Support/Error.h"

#include <algorithm>
#include <cinttypes>

namespace zrt {

/// Whether \p number is the same on all processors.
static bool isShared(Transport &transport, int64_t number) {
  int64_t most = number, least = number;
  reduce(transport, &most, ZRT_I64, ZRT_MAX);
  reduce(transport, &least, ZRT_I64, ZRT_MIN);
  return most == least;
}

/// A number made of the first \p count of \p said.
static int64_t digestOfFirst(const std::vector<int64_t> &said, size_t count) {
  uint64_t digest = count;
  for (size_t k = 0; k < count; ++k) {
    digest = (digest ^ static_cast<uint64_t>(said[k])) * 0x9E3779B97F4A7C15;
    digest ^= digest >> 32;
  }
  return static_cast<int64_t>(digest);
}

/// The first number of \p said in which processors differ, one of the first \p
/// count.
static size_t firstDifference(Transport &transport,
                              const std::vector<int64_t> &said, size_t count) {
  size_t same = 0, different = count;
  while (different - same > 1) {
    size_t middle = same + (different - same) / 2;
    if (isShared(transport, digestOfFirst(said, middle)))
      same = middle;
    else
      different = middle;
  }
  return same;
}

[[noreturn]] static void failPlaces(int32_t number, int d,
                                    const Domains::Said &said, size_t k) {
  Process &p = process();
  std::vector<int64_t> all =
      allNumbers(*p.transport, everybody(*p.transport), said.numbers[k]);
  auto other = std::find_if(all.begin(), all.end(),
                            [&](int64_t n) { return n != all[0]; });
  const char *name = p.domains.nameOfDistribution(number);
  size_t processor = static_cast<size_t>(other - all.begin());
  if (said.isByOwner)
    fatal(p.domains.locOfDistribution(number), ErrorScope::Replicated,
          "the procedure of distribution %s gives processor %" PRId64
          " for index %" PRId64 " of dimension %d on processor 0, and %" PRId64
          " on processor %zu: it is no function of its arguments",
          name, all[0], said.first + static_cast<int64_t>(k), d + 1, *other,
          processor);
  fatal(p.domains.locOfDistribution(number), ErrorScope::Replicated,
        "cut point %zu of dimension %d of distribution %s is %" PRId64
        " on processor 0, and %" PRId64 " on processor %zu",
        k, d + 1, name, all[0], *other, processor);
}

/// Ends the run if a procedure answered wrongly somewhere; the first processor
/// that knows tells, for all if they all do.
static void checkAnswers(int32_t number) {
  Process &p = process();
  const std::string &fault =
      p.domains.stateOf(p.domains.regionIn(number)).fault;
  std::vector<int64_t> all = allNumbers(*p.transport, everybody(*p.transport),
                                        static_cast<int64_t>(!fault.empty()));
  auto first = std::find(all.begin(), all.end(), 1);
  if (first == all.end())
    return;
  bool isEverywhere = std::find(all.begin(), all.end(), 0) == all.end();
  const zrt_loc *loc = p.domains.locOfDistribution(number);
  if (isEverywhere)
    fatal(loc, ErrorScope::Replicated, "%s", fault.c_str());
  if (first - all.begin() == p.transport->rank())
    fatal(loc, ErrorScope::Local, "%s", fault.c_str());
  allNumbers(*p.transport, everybody(*p.transport), 0); // until the run ends
}

void checkPlacesAgree(int32_t number) {
  Process &p = process();
  if (!p.domains.isSaid(number))
    return;
  checkAnswers(number);
  if (p.transport->size() == 1)
    return;
  for (int d = 0; d < p.domains.regionIn(number).rank; ++d) {
    Domains::Said said = p.domains.saidOf(number, d);
    if (said.numbers.empty())
      continue;
    size_t count = said.numbers.size();
    if (!isShared(*p.transport, digestOfFirst(said.numbers, count)))
      failPlaces(number, d, said,
                 firstDifference(*p.transport, said.numbers, count));
  }
}

} // namespace zrt
