//===- DomainCopyTest.cpp - Copies between arrays of any domains ----------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever the distributions and grids of both sides are, blocks or places, a
// copy gives each element of the target the source's element at the mapped
// index: moves, shifts, wraps, mirrors, strides and floods.
//
//===----------------------------------------------------------------------===//

#include "Transfer/DomainCopy.h"
#include "ThreadTransport.h"

#include <gtest/gtest.h>

using namespace zrt;

namespace {

const zrt_type Long = {ZRT_I64, 0,       8,       "longint", nullptr,
                       nullptr, nullptr, nullptr, nullptr};
const zrt_loc Here = {"test", 1, 1};
constexpr Range Rows = {0, 8}, Columns = {1, 9};

zrt_region region(zrt_dim rows, zrt_dim columns, int floods = 0) {
  zrt_region made = {};
  made.rank = 2;
  made.floods = floods;
  made.dim[0] = rows;
  made.dim[1] = columns;
  return made;
}

const zrt_region All = region({0, 8, 1, 0}, {1, 9, 1, 0});

Places placesOf(int rule, Range box, int64_t parts) {
  switch (rule) {
  case 0:
    return Places(BlockCut{box, parts});
  case 1:
    return Places::cyclic(box.lo, parts);
  case 2:
    return Places::blockCyclic(box, 2, parts);
  default:
    return Places::byOwner(box, parts,
                           [&](int64_t i) { return (i * i + 3) % 7 % parts; });
  }
}

/// Over rows x columns processors; in blocks that are not scattered if the
/// rules are -1.
Placement placement(int rows, int columns, int ruleA, int ruleB) {
  Placement made;
  made.grid.rank = 2;
  made.grid.extent[0] = rows;
  made.grid.extent[1] = columns;
  made.isScattered = ruleA >= 0;
  made.dims[0] = placesOf(std::max(ruleA, 0), Rows, rows);
  made.dims[1] = placesOf(made.isScattered ? ruleB : 0, Columns, columns);
  return made;
}

/// One processor's array of a domain, with the index of each of its elements.
class Part {
public:
  Part(Transport &transport, const Placement &placement,
       const zrt_region &region)
      : transport(transport) {
    static uint64_t id = 0;
    int at[ZRT_MAX_RANK];
    placement.grid.coordinates(transport.rank(), at);
    Box own = boxOf(region), places = own;
    for (int d = 0; d < 2; ++d) {
      bool isFlooded = region.floods >> d & 1;
      const zrt_dim &dim = region.dim[d];
      places.dim[d] =
          isFlooded
              ? Seq{0, 0, 1}
              : seqOf(placement.dims[d].placesOf(at[d], {dim.lo, dim.hi}));
      own.dim[d] = isFlooded ? Seq{-IndexLimit, IndexLimit, 1} : EmptySeq;
      for (const Segment &segment : placement.dims[d].of(at[d])) {
        Seq part = intersect(seqOf(dim), segment.indices);
        if (!isFlooded && !placement.isScattered)
          own.dim[d] = segment.indices;
        for (int64_t i = part.lo; i <= part.hi && !isFlooded; i += part.stride)
          indices[d].push_back(
              {i, placement.isScattered
                      ? segment.place +
                            (i - segment.indices.lo) / segment.indices.stride
                      : (i - dim.align) / dim.stride});
      }
      if (isFlooded)
        indices[d].push_back({0, 0});
    }
    if (placement.isScattered)
      createPlaced(transport, array, {region, Long, "A"},
                   isEmpty(places) ? emptyBox(2) : places, ++id, &Here);
    else
      createArray(transport, array, {region, Long, "A"},
                  isEmpty(own) ? emptyBox(2) : own, ++id, &Here);
  }
  ~Part() { destroyArray(transport, array); }

  /// Calls \p f with the index and the element of each that is here.
  template <typename F> void forEach(F &&f) {
    for (auto [i, atI] : indices[0])
      for (auto [j, atJ] : indices[1])
        f(i, j,
          *reinterpret_cast<int64_t *>(array.origin + atI * array.pitch[0] +
                                       atJ * array.pitch[1]));
  }

  zrt_array array;

private:
  Transport &transport;
  std::vector<std::pair<int64_t, int64_t>> indices[2]; ///< with positions
};

/// What is copied: for the target over \p to from the source over \p from.
struct Case {
  zrt_region to, from;
  std::vector<CopyPiece> pieces;
  /// The index of the source for one of the target; false: none.
  std::function<bool(int64_t &, int64_t &)> map;
};

void run(const Case &what, const Placement &to, const Placement &from,
         int processors) {
  ThreadRun shared;
  shared.processors = processors;
  std::vector<std::thread> threads;
  std::mutex lock;
  int wrong = 0;
  for (int p = 0; p < processors; ++p)
    threads.emplace_back([&, p] {
      ThreadTransport transport(shared, p);
      std::unique_ptr<Part> target, source;
      {
        std::lock_guard held(lock);
        target = std::make_unique<Part>(transport, to, what.to);
        source = std::make_unique<Part>(transport, from, what.from);
      }
      source->forEach([](int64_t i, int64_t j, int64_t &element) {
        element = 1000 + 100 * i + j;
      });
      copyOf(transport, {to, target->array}, {from, source->array}, what.pieces)
          .run();
      std::lock_guard held(lock);
      target->forEach([&](int64_t i, int64_t j, int64_t &element) {
        int64_t expected = what.map(i, j) ? 1000 + 100 * i + j : 0;
        wrong += element != expected;
      });
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
}

void runEverywhere(const Case &what) {
  struct Grid {
    int rows, columns;
  };
  for (auto [a, b] : {std::pair(Grid{1, 1}, Grid{1, 1}),
                      {{2, 2}, {2, 2}},
                      {{2, 2}, {4, 1}},
                      {{1, 3}, {3, 1}},
                      {{2, 3}, {2, 3}}})
    for (int ruleA : {-1, 0, 1, 2, 3})
      for (int ruleB : {-1, 1, 3}) {
        SCOPED_TRACE(testing::Message() << a.rows << "x" << a.columns << " "
                                        << ruleA << ", " << ruleB);
        run(what, placement(a.rows, a.columns, ruleA, (ruleA + 1) % 4),
            placement(b.rows, b.columns, ruleB, (ruleB + 2) % 4),
            a.rows * a.columns);
      }
}

TEST(DomainCopy, ElementsMove) {
  runEverywhere(
      {All, All, {{boxOf(All), {}}}, [](auto &, auto &) { return true; }});
}

TEST(DomainCopy, ElementsShift) {
  int64_t direction[] = {2, -3};
  zrt_region part = region({0, 6, 1, 0}, {4, 9, 1, 0});
  runEverywhere({All,
                 All,
                 {shiftPiece(boxOf(part), direction)},
                 [](int64_t &i, int64_t &j) {
                   bool isIn = i <= 6 && j >= 4;
                   i += 2;
                   j -= 3;
                   return isIn;
                 }});
}

TEST(DomainCopy, ElementsWrap) {
  int64_t direction[] = {-4, 11};
  runEverywhere({All, All, wrapPieces(boxOf(All), All, direction),
                 [](int64_t &i, int64_t &j) {
                   i = (i + 5) % 9;
                   j = (j - 1 + 11) % 9 + 1;
                   return true;
                 }});
}

TEST(DomainCopy, ElementsAreMirrored) {
  CopyPiece piece{boxOf(All), {}};
  piece.source.sign[0] = -1;
  piece.source.offset[0] = 8;
  runEverywhere({All, All, {piece}, [](int64_t &i, int64_t &) {
                   i = 8 - i;
                   return true;
                 }});
}

TEST(DomainCopy, StridesMeet) {
  zrt_region odd = region({1, 7, 2, 1}, {3, 9, 3, 0});
  runEverywhere(
      {odd, All, {{boxOf(odd), {}}}, [](auto &, auto &) { return true; }});
  zrt_region even = region({0, 8, 2, 0}, {1, 9, 1, 0});
  runEverywhere({All, even, {{boxOf(even), {}}}, [](int64_t &i, int64_t &) {
                   return i % 2 == 0;
                 }});
}

TEST(DomainCopy, FloodedElementsAreEverywhere) {
  zrt_region row = region({0, 0, 1, 0}, {1, 9, 1, 0}, 1);
  runEverywhere(
      {row, row, {{boxOf(row), {}}}, [](auto &, auto &) { return true; }});
  runEverywhere({All, row, {{boxOf(All), {}}}, [](int64_t &i, int64_t &) {
                   i = 0;
                   return true;
                 }});
}

} // namespace
