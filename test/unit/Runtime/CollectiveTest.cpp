//===- CollectiveTest.cpp - Every algorithm of every collective -----------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each line of Collectives.def does what its operation says, for any number of
// members, on transports with and without `gather` and with sends that block
// until they are received. Reductions give all members the same bits, and the
// same ones by every algorithm: those of a tree that is written down here once
// more.
//
//===----------------------------------------------------------------------===//

#include "Collective/Split.h"
#include "ThreadTransport.h"
#include "Transport/shm/ShmTransport.h"

#include <gtest/gtest.h>

#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <string>

using namespace zrt;

namespace {

enum class Kind { Shm, Eager, Blocking, Gathering };
constexpr Kind Kinds[] = {Kind::Shm, Kind::Eager, Kind::Blocking,
                          Kind::Gathering};

/// A run of processors as threads.
struct Processors {
  Processors(Kind kind, int processors) {
    shared.processors = processors;
    shared.sendsBlock = kind == Kind::Blocking;
    shared.gatherLimit = kind == Kind::Gathering ? 4096 : 0;
    if (kind == Kind::Shm)
      transports = shm::makeThreadTransports(processors);
    for (int p = 0; kind != Kind::Shm && p < processors; ++p)
      transports.push_back(std::make_unique<ThreadTransport>(shared, p));
  }
  ThreadRun shared;
  std::vector<std::unique_ptr<Transport>> transports;
};

/// Calls \p test(algorithm, run) for all algorithms of \p operation and kinds
/// of transports with \p processors.
template <typename F>
void eachAlgorithm(Collective operation, int processors, F &&test) {
  for (const Algorithm &algorithm : algorithmTable())
    for (Kind kind : Kinds) {
      if (algorithm.operation != operation)
        continue;
      SCOPED_TRACE(std::string(algorithm.name) + " on kind " +
                   std::to_string(static_cast<int>(kind)) + ", " +
                   std::to_string(processors) + " processors");
      Processors run(kind, processors);
      test(algorithm, run);
    }
}

bool canRun(const Algorithm &algorithm, const Job &job) {
  return std::isfinite(estimate(algorithm, job));
}

/// Bytes that tell processor and place.
char pattern(int processor, size_t at) {
  return static_cast<char>(processor * 31 + static_cast<int>(at % 127) + 1);
}

/// Sizes for \p processors; the largest is a megabyte.
std::vector<size_t> sizes(int processors) {
  std::vector<size_t> all = {1, 8, 100, 4096, 70001};
  if (processors == 3 || processors == 7)
    all.push_back(1 << 20);
  return all;
}

TEST(Collectives, EveryBroadcastGivesTheBytesOfItsRoot) {
  for (int processors = 2; processors <= 9; ++processors)
    eachAlgorithm(Collective::Broadcast, processors,
                  [&](const Algorithm &algorithm, Processors &run) {
                    std::atomic<int> wrong = 0;
                    onEach(run.transports, [&](Transport &transport) {
                      Slice slice = everybody(transport);
                      for (size_t bytes : sizes(processors))
                        for (int root = bytes < 10000 ? 0 : processors - 1;
                             root < processors; ++root) {
                          std::vector<char> data(bytes);
                          for (size_t k = 0; k < bytes; ++k)
                            data[k] = pattern(transport.rank(), k);
                          Job job = {transport, slice, data.data(), bytes};
                          job.root = root;
                          if (!canRun(algorithm, job))
                            continue;
                          algorithm.run(job);
                          for (size_t k = 0; k < bytes; ++k)
                            wrong += data[k] != pattern(root, k);
                        }
                    });
                    EXPECT_EQ(wrong, 0);
                  });
}

TEST(Collectives, EveryAllgatherBringsAllPartsOfAnyLengths) {
  for (int processors = 2; processors <= 9; ++processors)
    eachAlgorithm(
        Collective::Allgather, processors,
        [&](const Algorithm &algorithm, Processors &run) {
          std::atomic<int> wrong = 0;
          onEach(run.transports, [&](Transport &transport) {
            Slice slice = everybody(transport);
            for (bool isEven : {true, false})
              for (size_t part : {size_t(1), size_t(8), size_t(100000)}) {
                std::vector<size_t> offsets(1, 0);
                for (size_t m = 0; m < slice.members.size(); ++m)
                  offsets.push_back(offsets.back() +
                                    (isEven ? part : part * (m % 5)));
                std::vector<char> data(offsets.back());
                size_t self = static_cast<size_t>(slice.self);
                for (size_t k = offsets[self]; k < offsets[self + 1]; ++k)
                  data[k] = pattern(slice.self, k);
                Job job = {transport, slice, data.data(), data.size()};
                job.offsets = offsets.data();
                if (!canRun(algorithm, job))
                  continue;
                algorithm.run(job);
                for (size_t m = 0; m < slice.members.size(); ++m)
                  for (size_t k = offsets[m]; k < offsets[m + 1]; ++k)
                    wrong += data[k] != pattern(static_cast<int>(m), k);
              }
          });
          EXPECT_EQ(wrong, 0);
        });
}

TEST(Collectives, NoBarrierLetsAnyoneGoBeforeAllHaveCome) {
  for (int processors = 2; processors <= 9; ++processors)
    eachAlgorithm(Collective::Barrier, processors,
                  [&](const Algorithm &algorithm, Processors &run) {
                    std::atomic<int> arrived = 0, early = 0;
                    onEach(run.transports, [&](Transport &transport) {
                      Slice slice = everybody(transport);
                      Job job = {transport, slice};
                      if (!canRun(algorithm, job))
                        return;
                      for (int round = 1; round <= 20; ++round) {
                        ++arrived;
                        algorithm.run(job);
                        early += arrived < round * processors;
                      }
                    });
                    EXPECT_EQ(early, 0);
                  });
}

/// The tree of all reductions, level by level: neighbours first until a power
/// of two is left.
template <typename T, typename F> T treeOf(std::vector<T> values, F &&combine) {
  size_t extra = values.size() - std::bit_floor(values.size());
  std::vector<T> blocks;
  for (size_t k = 0; k < values.size(); ++k)
    if (k < 2 * extra) {
      blocks.push_back(combine(values[k], values[k + 1]));
      ++k;
    } else {
      blocks.push_back(values[k]);
    }
  for (; blocks.size() > 1; blocks.resize(blocks.size() / 2))
    for (size_t k = 0; k < blocks.size() / 2; ++k)
      blocks[k] = combine(blocks[2 * k], blocks[2 * k + 1]);
  return blocks[0];
}

double number(int processor, size_t at) {
  return std::sin(static_cast<double>(processor) * 1.7 +
                  static_cast<double>(at)) *
         std::pow(10.0, processor % 5);
}

/// Runs \p algorithm on \p counts values per member that `make` gives.
template <typename T>
void expectReduced(const Algorithm &algorithm, Processors &run, zrt_kind kind,
                   zrt_reduction reduction,
                   const std::function<T(int, size_t)> &make,
                   const std::function<T(const std::vector<T> &)> &expected,
                   const std::vector<size_t> &counts) {
  std::atomic<int> wrong = 0;
  onEach(run.transports, [&](Transport &transport) {
    Slice slice = everybody(transport);
    BuiltInReducer reducer(operatorTable(kind, reduction));
    for (size_t count : counts) {
      std::vector<T> values;
      for (size_t k = 0; k < count; ++k)
        values.push_back(make(transport.rank(), k));
      char *data = reinterpret_cast<char *>(values.data());
      Job job = {transport, slice, data, count * sizeof(T)};
      job.reducer = &reducer;
      if (!canRun(algorithm, job))
        continue;
      reducer.settle(data, job.bytes);
      algorithm.run(job);
      reducer.settle(data, job.bytes);
      for (size_t k = 0; k < count; k += count > 5000 ? 97 : 1) {
        std::vector<T> all;
        for (int p = 0; p < transport.size(); ++p)
          all.push_back(make(p, k));
        T right = expected(all);
        wrong += std::memcmp(&right, &values[k], sizeof(T)) != 0;
      }
    }
  });
  EXPECT_EQ(wrong, 0);
}

std::vector<size_t> counts(int processors) {
  std::vector<size_t> all = {1, 2, 13, 1000};
  if (processors == 2 || processors == 7)
    all.push_back((1 << 20) / sizeof(double));
  return all;
}

TEST(Collectives, EveryReductionAddsUpInTheOrderOfTheTree) {
  for (int processors : {2, 3, 4, 5, 6, 7, 8, 9, 12})
    eachAlgorithm(Collective::Reduce, processors,
                  [&](const Algorithm &algorithm, Processors &run) {
                    expectReduced<double>(
                        algorithm, run, ZRT_F64, ZRT_SUM, number,
                        [](const std::vector<double> &all) {
                          return treeOf(
                              all, [](double a, double b) { return a + b; });
                        },
                        counts(processors));
                  });
}

TEST(Collectives, EveryReductionFindsTheMaximum) {
  for (int processors = 2; processors <= 9; ++processors)
    eachAlgorithm(Collective::Reduce, processors,
                  [&](const Algorithm &algorithm, Processors &run) {
                    expectReduced<int64_t>(
                        algorithm, run, ZRT_I64, ZRT_MAX,
                        [](int p, size_t k) {
                          return static_cast<int64_t>(
                              (k * 7919 + size_t(p) * 104729) % 1009);
                        },
                        [](std::vector<int64_t> all) {
                          return *std::max_element(all.begin(), all.end());
                        },
                        counts(processors));
                  });
}

/// NaNs of all signs and payloads, and sums that make new ones.
double strange(int processor, size_t at) {
  uint64_t bits = uint64_t(0x7ff8) << 48 |
                  static_cast<uint64_t>(processor * 1000 + int(at)) |
                  static_cast<uint64_t>(processor % 2) << 63;
  double infinity = std::numeric_limits<double>::infinity();
  switch ((static_cast<size_t>(processor) + at) % 4) {
  case 0:
    return std::bit_cast<double>(bits);
  case 1:
    return processor % 2 ? infinity : -infinity;
  case 2:
    return -0.0;
  }
  return static_cast<double>(processor);
}

TEST(Collectives, SumsOfNaNsAreOneNaNForAllMembersAndAlgorithms) {
  for (int processors : {2, 3, 5, 6, 7, 12})
    eachAlgorithm(
        Collective::Reduce, processors,
        [&](const Algorithm &algorithm, Processors &run) {
          expectReduced<double>(
              algorithm, run, ZRT_F64, ZRT_SUM, strange,
              [](const std::vector<double> &all) {
                double sum =
                    treeOf(all, [](double a, double b) { return a + b; });
                return std::isnan(sum)
                           ? std::numeric_limits<double>::quiet_NaN()
                           : sum;
              },
              {1, 37});
          expectReduced<double>(algorithm, run, ZRT_F64, ZRT_MIN, strange,
                                [](const std::vector<double> &all) {
                                  double least =
                                      std::numeric_limits<double>::infinity();
                                  for (double value : all)
                                    if (value < least)
                                      least = value;
                                  return least == 0 ? 0.0 : least;
                                },
                                {1, 37});
        });
}

/// The bytes behind the ten of a long double are nobody's.
TEST(Collectives, LongDoublesAreEqualAsMemory) {
  for (int processors : {2, 3, 5, 6})
    eachAlgorithm(Collective::Reduce, processors,
                  [&](const Algorithm &algorithm, Processors &run) {
                    auto clean = [](long double value) {
                      long double result;
                      std::memset(&result, 0, sizeof result);
                      std::memcpy(&result, &value, 10);
                      return result;
                    };
                    std::atomic<int> wrong = 0;
                    onEach(run.transports, [&](Transport &transport) {
                      Slice slice = everybody(transport);
                      BuiltInReducer reducer(operatorTable(ZRT_F80, ZRT_SUM));
                      alignas(16) unsigned char value[16];
                      std::memset(value, transport.rank() + 1, sizeof value);
                      long double own = 1 / (transport.rank() + 3.0L);
                      std::memcpy(value, &own, 10);
                      char *data = reinterpret_cast<char *>(value);
                      Job job = {transport, slice, data, sizeof value};
                      job.reducer = &reducer;
                      if (!canRun(algorithm, job))
                        return;
                      reducer.settle(data, job.bytes);
                      algorithm.run(job);
                      reducer.settle(data, job.bytes);
                      std::vector<long double> all;
                      for (int p = 0; p < transport.size(); ++p)
                        all.push_back(1 / (p + 3.0L));
                      long double right =
                          clean(treeOf(all, [](long double a, long double b) {
                            return a + b;
                          }));
                      wrong += std::memcmp(&right, value, sizeof value) != 0;
                    });
                    EXPECT_EQ(wrong, 0);
                  });
}

/// A text of at most 15 letters: the order of combining shows. What is left in
/// `before` must not matter.
struct Letters {
  char text[16];
};

void append(void *before, void *state) {
  auto *a = static_cast<Letters *>(before);
  auto *b = static_cast<Letters *>(state);
  std::string both = std::string(a->text) + b->text;
  std::memcpy(b->text, both.c_str(), both.size() + 1);
  std::memcpy(a->text, "destroyed", 10);
}

TEST(Collectives, EveryReductionOfStatesKeepsTheMembersOrder) {
  for (int processors : {2, 3, 4, 5, 6, 7, 8, 9, 12})
    eachAlgorithm(Collective::Reduce, processors,
                  [&](const Algorithm &algorithm, Processors &run) {
                    std::atomic<int> wrong = 0;
                    std::string expected =
                        std::string("abcdefghijkl").substr(0, processors);
                    onEach(run.transports, [&](Transport &transport) {
                      Slice slice = everybody(transport);
                      StateReducer reducer(sizeof(Letters), append);
                      for (size_t count : {1, 5, 40}) {
                        std::vector<Letters> states(count, Letters{});
                        for (Letters &letters : states)
                          letters.text[0] =
                              static_cast<char>('a' + transport.rank());
                        Job job = {transport, slice, states.data()->text,
                                   count * sizeof(Letters)};
                        job.reducer = &reducer;
                        if (!canRun(algorithm, job))
                          continue;
                        algorithm.run(job);
                        for (const Letters &letters : states)
                          wrong += letters.text != expected;
                      }
                    });
                    EXPECT_EQ(wrong, 0);
                  });
}

//===----------------------------------------------------------------------===//
// Slices, selection
//===----------------------------------------------------------------------===//

/// Names of the algorithms of \p operation.
std::vector<std::string> algorithmsOf(Collective operation) {
  std::vector<std::string> names;
  for (const Algorithm &algorithm : algorithmTable())
    if (algorithm.operation == operation)
      names.push_back(algorithm.name);
  return names;
}

/// Reduces and broadcasts in all slices of \p grid at once.
void expectSlices(const ProcessGrid &grid, Kind kind, size_t count) {
  Processors run(kind, grid.size());
  std::atomic<int> wrong = 0;
  onEach(run.transports, [&](Transport &transport) {
    SliceCache slices;
    for (int dims = 0; dims < 1 << grid.rank; ++dims) {
      const Slice &slice = slices.along(transport, grid, dims);
      wrong += &slice != &slices.along(transport, grid, dims);
      std::vector<int64_t> values(count, transport.rank() + 1);
      reduce(transport, slice, values.data(), static_cast<int64_t>(count),
             ZRT_I64, ZRT_SUM);
      int64_t sum = 0;
      for (int member : slice.members)
        sum += member + 1;
      int last = slice.size() - 1;
      std::vector<int64_t> spread(count, transport.rank());
      broadcast(transport, slice, last, spread.data(), count * sizeof(int64_t));
      std::vector<int64_t> all = allNumbers(transport, slice, transport.rank());
      for (size_t k = 0; k < count; ++k)
        wrong += values[k] != sum || spread[k] != slice.members.back();
      for (int m = 0; m <= last; ++m)
        wrong += all[m] != slice.members[m];
    }
  });
  EXPECT_EQ(wrong, 0);
}

TEST(Collectives, SlicesOfGridsWorkIndependentlyByEveryAlgorithm) {
  ProcessGrid flat, deep;
  flat.rank = 2;
  flat.extent[0] = 2;
  flat.extent[1] = 3;
  deep.rank = 3;
  deep.extent[0] = 2;
  deep.extent[1] = 2;
  deep.extent[2] = 3;
  std::string error;
  for (Collective operation :
       {Collective::Reduce, Collective::Broadcast, Collective::Allgather})
    for (const std::string &name : algorithmsOf(operation)) {
      std::string choice = std::string(text(operation)) + ":" + name;
      SCOPED_TRACE(choice);
      ASSERT_TRUE(forceAlgorithms(choice, error)) << error;
      for (Kind kind : Kinds)
        for (size_t count : {0, 1, 300}) {
          expectSlices(flat, kind, count);
          expectSlices(deep, kind, count);
        }
    }
  ASSERT_TRUE(forceAlgorithms("", error));
}

TEST(Collectives, TheSelectorDependsOnSizeOperatorAndTransport) {
  Processors without(Kind::Eager, 6), with(Kind::Gathering, 6);
  auto chosen = [&](Processors &run, size_t bytes, zrt_reduction reduction) {
    Slice slice = everybody(*run.transports[0]);
    BuiltInReducer reducer(operatorTable(ZRT_F64, reduction));
    Job job = {*run.transports[0], slice, nullptr, bytes};
    job.reducer = &reducer;
    const Algorithm &first = selectAlgorithm(Collective::Reduce, job);
    EXPECT_EQ(&selectAlgorithm(Collective::Reduce, job), &first) << "again";
    return std::string(first.name);
  };
  EXPECT_EQ(chosen(with, 8, ZRT_SUM), "gather");
  EXPECT_EQ(chosen(without, 8, ZRT_SUM), "butterfly");
  EXPECT_EQ(chosen(with, 1 << 22, ZRT_SUM), "pairwise") << "beyond the limit";
  EXPECT_EQ(chosen(without, 1 << 22, ZRT_MAX), "ring");
  EXPECT_NE(chosen(without, 1 << 22, ZRT_SUM), "ring") << "it would show";
}

TEST(Collectives, ForcedAlgorithmsAreTakenWhereTheyCanDoTheJob) {
  Processors run(Kind::Eager, 3);
  Slice slice = everybody(*run.transports[0]);
  BuiltInReducer sum(operatorTable(ZRT_F64, ZRT_SUM));
  BuiltInReducer most(operatorTable(ZRT_F64, ZRT_MAX));
  std::string error;
  auto chosen = [&](const Reducer &reducer) {
    Job job = {*run.transports[0], slice, nullptr, 8};
    job.reducer = &reducer;
    return std::string(selectAlgorithm(Collective::Reduce, job).name);
  };
  ASSERT_TRUE(forceAlgorithms("barrier:binomial,reduce:ring", error));
  EXPECT_EQ(chosen(most), "ring");
  EXPECT_EQ(chosen(sum), "butterfly") << "a ring adds up in another order";
  EXPECT_FALSE(forceAlgorithms("reduce:rng", error));
  EXPECT_EQ(error, "ZRT_COLLECTIVE: 'reduce' has no algorithm 'rng'; there "
                   "are: gather, butterfly, binomial, ring, pairwise");
  EXPECT_FALSE(forceAlgorithms("ring", error));
  EXPECT_EQ(error, "ZRT_COLLECTIVE: there is no operation 'ring'; write "
                   "OPERATION:ALGORITHM, separated by commas, with one of: "
                   "broadcast, reduce, allgather, barrier");
  EXPECT_FALSE(forceAlgorithms("barrier", error));
  EXPECT_EQ(error, "ZRT_COLLECTIVE: 'barrier' has no algorithm ''; there are: "
                   "gather, dissemination, binomial");
  ASSERT_TRUE(forceAlgorithms("", error));
}

//===----------------------------------------------------------------------===//
// Two phases
//===----------------------------------------------------------------------===//

TEST(Split, ReductionsMayEndInAnyOrderWithOthersInBetween) {
  for (Kind kind : Kinds)
    for (int processors : {1, 2, 3, 5, 7, 17}) {
      Processors run(kind, processors);
      std::atomic<int> wrong = 0;
      onEach(run.transports, [&](Transport &transport) {
        SliceCache slices;
        const Slice &slice = slices.all(transport);
        const OperatorTable &sum = operatorTable(ZRT_F64, ZRT_SUM);
        SplitReductions reductions;
        for (int round = 0; round < 10; ++round) {
          double whole[3], result[3];
          SplitReduction *begun[3];
          for (size_t k = 0; k < 3; ++k) {
            whole[k] = number(transport.rank(), k + size_t(round));
            begun[k] = &reductions.next(transport, slice, sizeof(double));
            begun[k]->begin(&whole[k], sum);
            reduce(transport, slice, &whole[k], 1, ZRT_F64, ZRT_SUM);
          }
          for (int k : {1, 2, 0})
            begun[k]->end(&result[k]);
          wrong += std::memcmp(whole, result, sizeof whole) != 0;
        }
        barrier(transport); // before memory that partners read is freed
      });
      EXPECT_EQ(wrong, 0) << processors;
    }
}

TEST(Split, ExchangesAreKeptAndTakeTurns) {
  for (Kind kind : Kinds)
    for (int processors : {2, 3, 5}) {
      Processors run(kind, processors);
      std::atomic<int> wrong = 0;
      onEach(run.transports, [&](Transport &transport) {
        SliceCache slices;
        const Slice &slice = slices.all(transport);
        PartExchanges exchanges;
        PartExchange *first = &exchanges.take(transport, slice, 8);
        PartExchange *second = &exchanges.take(transport, slice, 8);
        wrong += first == second;
        exchanges.give(*first);
        exchanges.give(*second);
        wrong += &exchanges.take(transport, slice, 7) != first;
        wrong += &exchanges.take(transport, slice, 7) != second;
        exchanges.give(*first);
        exchanges.give(*second);
        // More sorts than are kept, of all members and of each one.
        for (int round = 0; round < 3; ++round)
          for (int size = 1; size < 40; ++size) {
            size_t bytes = static_cast<size_t>(size) * 100;
            int root = (size + round) % (processors + 1) - 1;
            PartExchange &exchange =
                exchanges.take(transport, slice, bytes, root);
            char mine = static_cast<char>(size + transport.rank());
            if (root < 0 || root == slice.self)
              std::memset(exchange.mine(), mine, bytes);
            exchange.publish();
            const char *parts = exchange.collect();
            for (int m = 0; m < (root < 0 ? processors : 1); ++m) {
              const char *part =
                  parts + static_cast<size_t>(m) * exchange.partBytes();
              char theirs = static_cast<char>(size + (root < 0 ? m : root));
              wrong += part[0] != theirs || part[bytes - 1] != theirs;
            }
            exchanges.give(exchange);
          }
        exchanges.clear();
        barrier(transport); // before memory that partners read is freed
      });
      EXPECT_EQ(wrong, 0) << processors;
    }
}

} // namespace
