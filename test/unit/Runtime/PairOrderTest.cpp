//===- PairOrderTest.cpp - Whom an exchange goes to first -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transport/PairOrder.h"
#include "Machine/RunFigures.h"
#include "TestTransport.h"
#include "gtest/gtest.h"

using namespace zrt;

namespace {

/// Processor `self` of `count`.
class OneOf final : public TestTransport {
public:
  OneOf(int self, int count) : self(self), count(count) {}
  int rank() const override { return self; }
  int size() const override { return count; }

private:
  int self, count;
};

/// The partners of a processor that exchanges with all others, in their order.
std::vector<int> partnersOf(int self, int count) {
  std::vector<Pair> pairs;
  for (int partner = 0; partner < count; ++partner)
    if (partner != self)
      pairs.push_back({partner, {}, {}});
  orderPairs(OneOf(self, count), pairs);
  std::vector<int> partners;
  for (const Pair &pair : pairs)
    partners.push_back(pair.partner);
  return partners;
}

TEST(PairOrder, ProcessorsMeetInRounds) {
  for (int count : {6, 7, 16})
    for (int self = 0; self < count; ++self) {
      std::vector<int> partners = partnersOf(self, count);
      ASSERT_EQ(partners.size(), size_t(count) - 1);
      int before = -1;
      for (int partner : partners) {
        int round = (self + partner) % count; // the same for both
        EXPECT_GT(round, before);
        before = round;
      }
    }
}

TEST(PairOrder, FewPartnersGoByTheirNumbers) {
  EXPECT_EQ(partnersOf(2, 4), (std::vector<int>{0, 1, 3}));
  std::string error;
  ASSERT_TRUE(setRunFigures("exchange.rounds-from=100", error));
  EXPECT_EQ(partnersOf(2, 6), (std::vector<int>{0, 1, 3, 4, 5}));
  ASSERT_TRUE(setRunFigures("exchange.rounds-from=3", error));
  EXPECT_EQ(partnersOf(2, 4), (std::vector<int>{3, 0, 1}));
  ASSERT_TRUE(setRunFigures("", error));
}

} // namespace
