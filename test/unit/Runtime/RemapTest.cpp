//===- RemapTest.cpp - Parts of remaps, and when schedules are kept -------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// HandRemaps and HandScatters compare whole remaps with a naive model, on all
// transports.
// Here are the pieces that have rules of their own: lists without repetitions,
// merged streams, numberings of elements that do not lie side by side, loops by
// operator, and the memory of maps.
//
//===----------------------------------------------------------------------===//

#include "Remap/Remap.h"
#include "HandTypes.h"
#include "Memory/Array.h"
#include "Remap/Merge.h"
#include "ThreadTransport.h"
#include "Transport/shm/ShmTransport.h"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>

using namespace zrt;

namespace {

TEST(Remaps, NumberedDropsRepetitionsInAnyRange) {
  // By a table, then by a search.
  for (int64_t factor : {1, 1000000}) {
    std::vector<int64_t> values = {7 * factor, 3 * factor, 7 * factor,
                                   9 * factor, 3 * factor};
    std::vector<int32_t> places = {-1};
    std::vector<int64_t> unique = numbered(values, 10, places);
    EXPECT_EQ(unique,
              (std::vector<int64_t>{3 * factor, 7 * factor, 9 * factor}));
    EXPECT_EQ(places, (std::vector<int32_t>{-1, 11, 10, 11, 12, 10}));
  }
  std::vector<int32_t> none;
  EXPECT_TRUE(numbered({}, 5, none).empty());
  EXPECT_TRUE(none.empty());
}

TEST(Remaps, StreamsAreMergedInRuns) {
  std::vector<std::vector<int64_t>> streams = {
      {0, 1, 2, 9}, {}, {3, 4, 20}, {5, 6, 7, 8, 10}};
  std::vector<int64_t> merged;
  int runs = 0;
  mergeStreams(
      streams.size(), [&](size_t p) { return streams[p].size(); },
      [&](size_t p, size_t k) { return streams[p][k]; },
      [&](size_t p, size_t from, size_t to) {
        ++runs;
        merged.insert(merged.end(), &streams[p][from],
                      &streams[p][from] + (to - from));
      });
  EXPECT_TRUE(std::is_sorted(merged.begin(), merged.end()));
  EXPECT_EQ(merged.size(), 12u);
  EXPECT_EQ(runs, 6);
}

/// A view of \p rows rows of \p columns elements of 4 bytes.
ElementView viewAt(std::vector<int32_t> &memory, int64_t rows, int64_t columns,
                   int64_t rowBytes, int64_t columnBytes) {
  ElementView view;
  view.rank = 2;
  view.count[0] = rows;
  view.count[1] = columns;
  view.step[0] = rowBytes;
  view.step[1] = columnBytes;
  view.base = reinterpret_cast<char *>(memory.data());
  return view;
}

TEST(Remaps, NumbersAreTranslatedOnlyWhereElementsAreSpaced) {
  std::vector<int32_t> memory(100);
  std::iota(memory.begin(), memory.end(), 0);
  NumberList list;
  for (int64_t k = 0; k < 6; ++k)
    list.push(k);
  Numbering dense(viewAt(memory, 2, 3, 12, 4), 4);
  Numbering spaced(viewAt(memory, 2, 3, 20, 4), 4);
  Numbering columns(viewAt(memory, 2, 3, 4, 40), 4);
  auto in = [&](const Numbering &numbering) {
    const int32_t *first = list.in(numbering);
    return std::vector<int32_t>(first, first + list.size());
  };
  EXPECT_EQ(in(dense), (std::vector<int32_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(in(spaced), (std::vector<int32_t>{0, 1, 2, 5, 6, 7}));
  EXPECT_EQ(in(columns), (std::vector<int32_t>{0, 10, 20, 1, 11, 21}));
  EXPECT_EQ(in(spaced), (std::vector<int32_t>{0, 1, 2, 5, 6, 7}));
  EXPECT_EQ(in(dense), (std::vector<int32_t>{0, 1, 2, 3, 4, 5}));
}

TEST(Remaps, ElementsAtOddDistancesAreCopiedThereAndBack) {
  std::vector<int32_t> memory(100);
  std::iota(memory.begin(), memory.end(), 0);
  // Of 8 bytes, 12 bytes apart.
  Numbering odd(viewAt(memory, 1, 3, 0, 12), 8);
  EXPECT_TRUE(odd.isPlain());
  char *elements = odd.elements();
  int32_t copied[6];
  std::memcpy(copied, elements, sizeof copied);
  EXPECT_EQ((std::vector<int32_t>(copied, copied + 6)),
            (std::vector<int32_t>{0, 1, 3, 4, 6, 7}));
  int32_t other = -1;
  std::memcpy(elements + 8, &other, sizeof other);
  odd.finish();
  EXPECT_EQ(memory[3], -1);
  EXPECT_EQ(memory[4], 4);
}

TEST(Remaps, MessagesOfKnownSizesArriveBothWays) {
  for (bool isLarge : {false, true}) {
    auto transports = shm::makeThreadTransports(3);
    std::atomic<int> wrong = 0;
    onEach(transports, [&](Transport &transport) {
      // From p to q: 1000 * p + q bytes of the value 3 * p + q; none to 0.
      int self = transport.rank();
      std::vector<Bytes> messages;
      std::vector<int64_t> coming;
      for (int p = 0; p < 3; ++p) {
        messages.emplace_back(p == 0 ? 0 : 1000 * self + p, 3 * self + p);
        coming.push_back(self == 0 ? 0 : 1000 * p + self);
      }
      std::vector<Bytes> received =
          exchangeSized(transport, std::move(messages), coming, isLarge);
      for (int p = 0; p < 3; ++p)
        wrong += received[static_cast<size_t>(p)] !=
                 Bytes(self == 0 ? 0 : 1000 * p + self, 3 * p + self);
    });
    EXPECT_EQ(wrong, 0) << isLarge;
  }
}

void unused(void *, const void *) { ADD_FAILURE() << "called"; }

TEST(Remaps, IntegersAreCombinedByLoopsInAnyOrder) {
  const int32_t before[3] = {5, -3, 7}, values[4] = {10, 20, -9, 4};
  const int32_t to[4] = {0, 2, 0, 1};
  struct {
    int32_t reduction, expected[3];
  } cases[] = {{ZRT_SUM, {6, 1, 27}},   {ZRT_PRODUCT, {-450, -12, 140}},
               {ZRT_MAX, {10, 4, 20}},  {ZRT_MIN, {-9, -3, 7}},
               {ZRT_BAND, {0, 4, 4}},   {ZRT_BOR, {-1, -3, 23}},
               {ZRT_BXOR, {-8, -7, 19}}};
  for (const auto &one : cases) {
    Store store = Store::of(hand::Integer, 4, unused, one.reduction);
    EXPECT_TRUE(store.isFree);
    int32_t elements[3];
    std::copy(before, before + 3, elements);
    store.byNumbers(reinterpret_cast<char *>(elements), to,
                    reinterpret_cast<const char *>(values), nullptr, 4);
    EXPECT_EQ(std::vector<int32_t>(elements, elements + 3),
              std::vector<int32_t>(one.expected, one.expected + 3))
        << one.reduction;
    // Combined with what combining starts from, they stay.
    int32_t start[3];
    store.reset(reinterpret_cast<char *>(start), 3);
    store.byNumbers(reinterpret_cast<char *>(elements), nullptr,
                    reinterpret_cast<const char *>(start), nullptr, 3);
    EXPECT_EQ(std::vector<int32_t>(elements, elements + 3),
              std::vector<int32_t>(one.expected, one.expected + 3))
        << one.reduction;
  }
}

TEST(Remaps, TheOrderOfRealNumbersIsKept) {
  EXPECT_FALSE(Store::of(hand::Double, 8, unused, ZRT_SUM).isFree);
  EXPECT_EQ(Store::of(hand::Double, 8, unused, ZRT_SUM).combine, nullptr);
  EXPECT_EQ(Store::of(hand::Double, 8, unused, ZRT_MAX).combine, unused);
  EXPECT_EQ(Store::of(hand::Integer, 4, unused, -1).combine, unused);
  EXPECT_TRUE(Store::of(hand::Integer, 4, nullptr, -1).isCopy);
}

//===----------------------------------------------------------------------===//
// The memory of maps
//===----------------------------------------------------------------------===//

/// One of two processors with A and a map P over [0..9].
class Gathering {
public:
  explicit Gathering(Transport &transport) : transport(transport) {
    region.name = "R";
    region.rank = 1;
    region.dim[0] = {0, 9, 1, 0};
    ProcessGrid grid;
    grid.extent[0] = transport.size();
    distribution = Distribution(grid, boxOf(region));
    for (zrt_array *array : {&P, &Q})
      create(*array, hand::Integer);
    create(A, hand::Double);
    create(B, hand::Double);
    Range own = distribution.cut[0].block(transport.rank());
    for (int64_t i = own.lo; i <= own.hi; ++i)
      at<double>(A, i) = static_cast<double>(i);
    set(P, 3);
    set(Q, 3);
  }
  ~Gathering() {
    memory.clear();
    for (zrt_array *array : {&P, &Q, &A, &B})
      destroyArray(transport, *array);
  }

  /// Makes \p map i -> i * factor mod 10.
  void set(zrt_array &map, int32_t factor) {
    Range own = distribution.cut[0].block(transport.rank());
    for (int64_t i = own.lo; i <= own.hi; ++i)
      at<int32_t>(map, i) = static_cast<int32_t>(i) * factor % 10;
  }

  /// B := A#[map] at \p place; how it was done.
  enum Way { OneShot, Inspector, Executor };
  Way gather(zrt_array &map, const zrt_loc &place, int64_t sets = 0) {
    zrt_map maps[] = {{ZRT_MAP_ARRAY, 0, 0, &map, 0, 0, 0}};
    Parallel parallel = {transport, distribution, slices, exchanges};
    RemapDomain domain(parallel, region, maps, 1, zrt_mask());
    EXPECT_EQ(
        checkRemap(memory, domain, distribution, A, "A#[P]", sets, &place), "");
    const MapPattern *pattern = memory.upcoming();
    Way way = !pattern ? OneShot : pattern->gather ? Executor : Inspector;
    gatherArray(memory, domain, distribution, B, A, &place);
    Range own = distribution.cut[0].block(transport.rank());
    for (int64_t i = own.lo; i <= own.hi; ++i)
      EXPECT_EQ(at<double>(B, i), at<int32_t>(map, i));
    return way;
  }

  /// The pattern of a map at \p place if it is known; null if it is not.
  const MapPattern *known(zrt_array &map, const zrt_loc &place, int64_t sets) {
    zrt_map maps[] = {{ZRT_MAP_ARRAY, 0, 0, &map, 0, 0, 0}};
    Parallel parallel = {transport, distribution, slices, exchanges};
    RemapDomain domain(parallel, region, maps, 1, zrt_mask());
    return memory.recognize(domain, RemapShape(domain, distribution, A), sets,
                            &place);
  }

  zrt_array P = {}, Q = {}, A = {}, B = {};
  MapMemory memory;

private:
  void create(zrt_array &array, const zrt_type &type) {
    createArray(transport, array, {region, type, "A"},
                distribution.own(transport.rank()), ++ids, nullptr);
  }
  template <typename T> T &at(zrt_array &array, int64_t i) {
    return *reinterpret_cast<T *>(reinterpret_cast<uintptr_t>(array.origin) +
                                  static_cast<uintptr_t>(i) * sizeof(T));
  }

  Transport &transport;
  zrt_region region = {};
  Distribution distribution;
  SliceCache slices;
  PartExchanges exchanges;
  uint64_t ids = 0;
};

const zrt_loc here = {"a.z", 1, 1}, there = {"a.z", 2, 1};

template <typename F> void onTwo(F &&test) {
  auto transports = shm::makeThreadTransports(2);
  onEach(transports, [&](Transport &transport) {
    Gathering run(transport);
    test(run);
  });
}

TEST(MapMemory, SchedulesAreMadeTheSecondTimeAndUsedFromThen) {
  onTwo([](Gathering &run) {
    EXPECT_EQ(run.gather(run.P, here), Gathering::OneShot);
    EXPECT_EQ(run.gather(run.P, here), Gathering::Inspector);
    EXPECT_EQ(run.gather(run.P, here), Gathering::Executor);
    // The same arrays elsewhere, and the same values here.
    EXPECT_EQ(run.gather(run.P, there), Gathering::Executor);
    EXPECT_EQ(run.gather(run.Q, here), Gathering::Executor);
  });
}

TEST(MapMemory, OtherValuesOnOneProcessorAreOtherValues) {
  onTwo([](Gathering &run) {
    for (int k = 0; k < 3; ++k)
      run.gather(run.P, here);
    run.set(run.P, 7);
    EXPECT_EQ(run.gather(run.P, here), Gathering::OneShot);
    EXPECT_EQ(run.gather(run.P, here), Gathering::Inspector);
    run.set(run.P, 3);
    // These were in the same array before: they were forgotten.
    EXPECT_EQ(run.gather(run.P, here), Gathering::OneShot);
  });
}

TEST(MapMemory, MapsInTurnsHaveASchedulesEach) {
  onTwo([](Gathering &run) {
    run.set(run.Q, 9);
    for (int k = 0; k < 5; ++k)
      for (zrt_array *map : {&run.P, &run.Q})
        EXPECT_EQ(run.gather(*map, here), k == 0   ? Gathering::OneShot
                                          : k == 1 ? Gathering::Inspector
                                                   : Gathering::Executor);
  });
}

TEST(MapMemory, MapsOfSetsThatNobodyHasWrittenAreNotCompared) {
  onTwo([](Gathering &run) {
    run.gather(run.P, here, 4);
    const MapPattern *pattern = run.known(run.P, here, 4);
    EXPECT_NE(pattern, nullptr);
    // Behind its back; other sets say nothing.
    run.set(run.P, 7);
    run.memory.noteWrites(3);
    EXPECT_EQ(run.known(run.P, here, 4), pattern);
    // Without sets, or for other arrays, values count.
    EXPECT_EQ(run.known(run.P, here, 0), nullptr);
    EXPECT_EQ(run.known(run.Q, here, 4), pattern);
    run.memory.noteWrites(6);
    EXPECT_EQ(run.known(run.P, here, 4), nullptr);
    run.set(run.P, 3);
    EXPECT_EQ(run.known(run.P, here, 4), pattern);
  });
}

TEST(MapMemory, MapsThatAlwaysChangeAreSeldomLookedAtButFoundAgain) {
  onTwo([](Gathering &run) {
    for (int32_t k = 0; k < 40; ++k) {
      run.set(run.P, k + 1 + 10 * k);
      EXPECT_EQ(run.gather(run.P, here), Gathering::OneShot);
    }
    // From now on they stay: a schedule comes within one period.
    int oneShots = 0;
    while (run.gather(run.P, here) == Gathering::OneShot && oneShots < 100)
      ++oneShots;
    EXPECT_LE(oneShots, 18);
    EXPECT_EQ(run.gather(run.P, here), Gathering::Executor);
  });
}

} // namespace
