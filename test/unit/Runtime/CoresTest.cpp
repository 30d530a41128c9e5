//===- CoresTest.cpp - The cores of machines ------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A machine of two sockets is described in files as Linux does it, and its
// threads become cores, whose order and choice are those of the contract.
//
//===----------------------------------------------------------------------===//

#include "Machine/Cores.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace zrt;

namespace {

/// Eight threads: core k has k and k + 4; odd cores are on socket 1.
class Machine {
public:
  Machine() {
    for (int thread = 0; thread < 8; ++thread) {
      std::string place = folder + "/cpu" + std::to_string(thread);
      std::filesystem::create_directories(place + "/topology");
      std::ofstream(place + "/topology/physical_package_id") << thread % 2;
      std::ofstream(place + "/topology/thread_siblings_list")
          << thread % 4 << "," << thread % 4 + 4 << "\n";
    }
  }
  ~Machine() { std::filesystem::remove_all(folder); }

  std::string folder = testing::TempDir() + "cores" + std::to_string(getpid());
};

TEST(CoresTest, ThreadsOfACoreAreTogetherAndSocketsOneByOne) {
  Machine machine;
  EXPECT_EQ(coresOf({0, 1, 2, 3, 4, 5, 6, 7}, machine.folder),
            (std::vector<Core>{{0, 4}, {2, 6}, {1, 5}, {3, 7}}));
}

TEST(CoresTest, OnlyUsableThreadsCount) {
  Machine machine;
  EXPECT_EQ(coresOf({1, 4, 6}, machine.folder),
            (std::vector<Core>{{4}, {6}, {1}}));
  EXPECT_EQ(coresOf({}, machine.folder), std::vector<Core>());
}

TEST(CoresTest, WithoutADescriptionEachThreadIsACore) {
  EXPECT_EQ(coresOf({3, 5}, "/nowhere"), (std::vector<Core>{{3}, {5}}));
}

TEST(CoresTest, ProcessesAreSpreadOrShareEvenly) {
  EXPECT_EQ(coreOf(0, 2, 4), 0);
  EXPECT_EQ(coreOf(1, 2, 4), 2);
  for (int places : {1, 3, 4, 5, 64, 1000})
    for (int cores : {1, 2, 4, 6, 128}) {
      std::vector<int> sharing(cores);
      for (int place = 0; place < places; ++place)
        ++sharing.at(coreOf(place, places, cores));
      for (int count : sharing) {
        EXPECT_GE(count, places / cores);
        EXPECT_LE(count, (places + cores - 1) / cores);
      }
    }
}

TEST(CoresTest, ABoundProcessMayUseThatCoreOnly) {
  std::vector<int> threads = usableThreads();
  ASSERT_FALSE(threads.empty());
  ASSERT_TRUE(bindTo({threads.back()}));
  EXPECT_EQ(usableThreads(), std::vector<int>{threads.back()});
  ASSERT_TRUE(bindTo(threads));
  EXPECT_EQ(usableThreads(), threads);
}

TEST(CoresTest, ListsAreWrittenAsTheSystemDoes) {
  EXPECT_EQ(listText({}), "");
  EXPECT_EQ(listText({3}), "3");
  EXPECT_EQ(listText({0, 1, 2, 3, 8, 10, 11}), "0-3,8,10-11");
}

} // namespace
