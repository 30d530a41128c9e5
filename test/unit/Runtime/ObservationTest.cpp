//===- ObservationTest.cpp - Profiles, traces, replicated values ----------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Entry/Observe/ClockOffset.h"
#include "Entry/Observe/ProfileTable.h"
#include "Entry/Observe/Trace.h"
#include "Entry/ReplicatedValues.h"
#include "Transport/self/SelfTransport.h"
#include "Transport/shm/ShmTransport.h"

#include <cstring>
#include <gtest/gtest.h>
#include <thread>

using namespace zrt;

namespace {

const zrt_loc three = {"a.z", 3, 1}, threeAgain = {"a.z", 3, 9},
              four = {"b\"\n.z", 4, 1};

std::string line(const std::string &text, const std::string &start) {
  size_t from = text.find("\n" + start);
  if (from == text.npos)
    return "";
  return text.substr(from + 1, text.find('\n', from + 1) - from - 1);
}

// Statements of one line with the same operator are one row; calls are those of
// the processor with the most, messages and bytes of all together; seconds are
// means, and the imbalance is the most over the mean.
TEST(ProfileTable, AddsUpProcessors) {
  std::vector<ProfileRow> first(2), second(1);
  first[0] = {OperationKind::Reduction, &three, 2, 3, 10, 0.5, {0.25}};
  first[1] = {OperationKind::Reduction, &threeAgain, 1, 1, 5, 0.5, {0.25}};
  second[0] = {OperationKind::Reduction, &three, 3, 4, 1, 3.0, {0, 0, 0.5}};
  ProfileTable table;
  table.add(packProfile(first));
  table.add(packProfile(second));
  std::string text = table.text("title");
  EXPECT_EQ(text.substr(0, 7), "title\n\n");
  EXPECT_EQ(line(text, "a.z:3"),
            "a.z:3  reduction      3         8     16   2.000000  0.500000  "
            "     1.50");
  EXPECT_EQ(line(text, "total"),
            "total                 3         8     16   2.000000  0.500000  "
            "     1.50");
  EXPECT_NE(text.find("80.0 %"), text.npos);
  EXPECT_NE(text.find("20.0 %"), text.npos);
}

// Parts of an operation are its time, not further calls; messages are those
// that the transport counted meanwhile.
TEST(Profile, CountsFirstParts) {
  std::unique_ptr<Transport> transport = makeSelfTransport();
  Profile profile(*transport);
  for (OperationPart part : {OperationPart::First, OperationPart::SourceReady,
                             OperationPart::Needed, OperationPart::Volatile}) {
    transport->traffic.messages += 100; // of nobody
    profile.begin({OperationKind::Transfer, part, &three});
    transport->traffic.messages += 1;
    transport->traffic.bytes += 8;
    profile.end({OperationKind::Transfer, part, &three});
  }
  ASSERT_EQ(profile.rows().size(), 1u);
  EXPECT_EQ(profile.rows()[0].calls, 1u);
  EXPECT_EQ(profile.rows()[0].messages, 4u);
  EXPECT_EQ(profile.rows()[0].bytes, 32u);
}

// Of more operations than a trace keeps, the first ones are kept and the others
// counted.
TEST(Trace, KeepsTheFirstOperations) {
  std::unique_ptr<Transport> transport = makeSelfTransport();
  Trace trace(*transport, 2);
  for (int k = 0; k < 5; ++k) {
    trace.begin({OperationKind::Scan, OperationPart::First, &four});
    trace.end({OperationKind::Scan, OperationPart::First, &four});
  }
  EXPECT_EQ(trace.size(), 2u);
  EXPECT_EQ(trace.leftOut(), 3u);
  std::string text = trace.text(7, 0, 2, 0);
  EXPECT_NE(text.find("\"name\":\"scan b\\\"\\u000a.z:4\""), text.npos);
  EXPECT_NE(text.find("\"tid\":7"), text.npos);
  EXPECT_NE(text.find("3 operations after this were left out"), text.npos);
  EXPECT_EQ(trace.text(7, 0, 1, 0).find("left out"), text.npos);
}

int64_t laterClock() { return traceClock() + 5'000'000'000; }

// On another machine a clock that is five seconds ahead is found to be so, but
// for the time of a message; on the same one no message can tell otherwise.
TEST(ClockOffset, IsMeasuredBetweenMachines) {
  auto transports = shm::makeThreadTransports(3);
  ASSERT_EQ(transports.size(), 3u);
  int64_t offset[3] = {};
  std::thread here([&] {
    offset[0] = measureClockOffset(*transports[0], "here", traceClock);
  });
  std::thread there([&] {
    offset[1] = measureClockOffset(*transports[1], "there", laterClock);
  });
  std::thread alsoHere([&] {
    offset[2] = measureClockOffset(*transports[2], "here", laterClock);
  });
  here.join();
  there.join();
  alsoHere.join();
  EXPECT_EQ(offset[0], 0);
  EXPECT_NEAR(double(offset[1]), 5e9, 0.5e9);
  EXPECT_EQ(offset[2], 0);
}

const zrt_type real = {ZRT_F64, 0, 8, "double", {}, {}, {}, {}, {}};
const zrt_type byte = {ZRT_I8, 0, 1, "sbyte", {}, {}, {}, {}, {}};
const zrt_type text = {ZRT_STR, 0, 8, "string", {}, {}, {}, {}, {}};
const zrt_type quad = {ZRT_F80, 0, 16, "quad", {}, {}, {}, {}, {}};
const zrt_range bounds[] = {{0, 1}, {5, 7}};
const zrt_type texts = {ZRT_ARRAY, 2, 48, "", {}, {}, &text, bounds, {}};
struct Sample {
  int8_t small;
  double number;
  const char *names[6];
  long double big;
};
const zrt_field fields[] = {{"small", offsetof(Sample, small), &byte},
                            {"number", offsetof(Sample, number), &real},
                            {"names", offsetof(Sample, names), &texts},
                            {"big", offsetof(Sample, big), &quad}};
const zrt_type sample = {
    ZRT_RECORD, 4, sizeof(Sample), "sample", fields, {}, {}, {}, {}};

/// The same value in memory that was \p fill before.
void make(Sample &to, int fill) {
  std::memset(static_cast<void *>(&to), fill, sizeof to);
  to.small = 3;
  to.number = 0.5;
  for (const char *&name : to.names)
    name = "a";
  long double big = 1.25L;
  std::memcpy(&to.big, &big, 10);
}

// Values are equal whatever lies between their parts and wherever strings are;
// each part counts.
TEST(ReplicatedValues, HashesWhatCounts) {
  Sample a, b;
  make(a, 0);
  make(b, 0xff);
  std::string elsewhere = "a";
  b.names[4] = elsewhere.c_str();
  uint64_t hash = hashValue(sample, &a);
  EXPECT_EQ(hash, hashValue(sample, &b));
  a.names[0] = nullptr;
  b.names[0] = "";
  EXPECT_EQ(hashValue(sample, &a), hashValue(sample, &b));
  b.names[0] = "b";
  EXPECT_NE(hashValue(sample, &a), hashValue(sample, &b));
  make(b, 0);
  b.small = 4;
  EXPECT_NE(hash, hashValue(sample, &b));
  make(b, 0);
  b.big += 1;
  EXPECT_NE(hash, hashValue(sample, &b));
}

// Leaves are counted and named from left to right.
TEST(ReplicatedValues, FindsLeaves) {
  Sample a, b;
  make(a, 0);
  make(b, 0);
  b.names[4] = "else";
  EXPECT_EQ(leafCount(sample), 9u);
  std::vector<uint64_t> hashes = hashLeaves(sample, &a);
  std::vector<uint64_t> others = hashLeaves(sample, &b);
  ASSERT_EQ(hashes.size(), 9u);
  for (size_t k = 0; k < 9; ++k)
    EXPECT_EQ(hashes[k] != others[k], k == 6) << k;
  Leaf leaf = findLeaf(sample, &b, 6);
  EXPECT_EQ(leaf.path, ".names[1, 6]");
  EXPECT_EQ(leaf.type, &text);
  EXPECT_EQ(leaf.address, reinterpret_cast<const char *>(&b.names[4]));
  EXPECT_EQ(findLeaf(sample, &b, 1).path, ".number");
}

} // namespace
