//===- Split.cpp - Collectives in two phases ------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     delta := max<< abs(A - B);        begin: the own maximum leaves
//     A := B;                           computing; maxima arrive
//     if delta < epsilon ...            end: combine what is there
//
// Between begin and end nobody works for the reduction: there is no thread. So
// what must happen before the end is started at the begin, as far as it needs
// nobody else: the own part goes to each other member at once, by an Exchange
// of the transport (DR and SR at the begin, DN at the end). That is what every
// transport has, it never waits before DN, it may be under way with others in
// any order, and it goes on by itself where the machine can do that: puts into
// the partners' memory, MPI's eager messages, flags in shared memory. A tree
// would have to do its inner nodes at the end.
//
// SV, which waits until the partners have the part, is left to the next begin
// over the same exchange; there are two by then, taken in turns, so that it has
// long been taken.
//
// The end combines the parts in the order of all reductions (combineAll), so
// the result has the bits of the unsplit one. What does not suit this, large
// payloads and many members, is combined at the end as if it began there.
//
// Cost: p - 1 messages per member; for the limits below 15 messages of 256
// bytes. The second of two that are under way makes an exchange of its own,
// once.
//
//===----------------------------------------------------------------------===//

#include "Collective/Split.h"

#include "Collective/AlgorithmTools.h"
#include "Machine/RunFigures.h"
#include "Support/Error.h"

#include <bit>
#include <cstring>

namespace zrt {

/// Each member sends to each other one: with more of them than the figures say a
/// tree's few steps at the end are cheaper.
bool PartExchange::suits(const Slice &slice, size_t bytes, size_t most) {
  return slice.size() > 1 && slice.size() <= runFigures().splitMembers &&
         bytes > 0 && bytes <= most;
}

PartExchange::PartExchange(Transport &transport, const Slice &slice,
                           size_t bytes, int root)
    : transport(transport), bytes(bytes),
      allBytes(root == Everyone ? bytes * static_cast<size_t>(slice.size())
                                : bytes) {
  void *memory = transport.allocate(std::max<size_t>(allBytes, 1));
  if (!memory)
    fatal(nullptr, ErrorScope::Local, "no memory for a collective");
  parts = static_cast<char *>(memory);
  auto partOf = [&](int member) {
    return root == Everyone ? parts + static_cast<size_t>(member) * bytes
           : root == member ? parts
                            : nullptr;
  };
  auto block = [&](int member) -> std::vector<MemoryBlock> {
    if (!partOf(member))
      return {};
    MemoryBlock one;
    one.base = partOf(member);
    one.elementSize = 1;
    one.rank = 1;
    one.count[0] = static_cast<int64_t>(bytes);
    one.stride[0] = 1;
    return {one};
  };
  own = partOf(slice.self);
  std::vector<Pair> pairs;
  for (int m = 0; m < slice.size(); ++m)
    if (m != slice.self && (own || partOf(m)))
      pairs.push_back(
          {slice.members[static_cast<size_t>(m)], block(slice.self), block(m)});
  exchange = transport.makeExchange(std::move(pairs));
}

PartExchange::~PartExchange() {
  if (isOut)
    exchange->sourceVolatile();
  exchange.reset();
  transport.release(parts, std::max<size_t>(allBytes, 1));
}

char *PartExchange::mine() {
  if (isOut)
    exchange->sourceVolatile();
  isOut = false;
  return own;
}

void PartExchange::publish() {
  mine();
  isOut = true;
  exchange->destinationReady();
  exchange->sourceReady();
}

const char *PartExchange::collect() {
  exchange->destinationNeeded();
  return parts;
}

/// Sizes that differ by less than an eighth share an exchange.
static size_t roundedUp(size_t bytes) {
  size_t step = std::max<size_t>(64, std::bit_floor(bytes) / 8);
  return (bytes + step - 1) / step * step;
}

PartExchange &PartExchanges::take(Transport &transport, const Slice &slice,
                                  size_t bytes, int root) {
  constexpr int Fewest = 2; // of each sort, to take turns
  constexpr size_t Most = 32;
  bytes = roundedUp(bytes);
  int known = 0;
  auto found = all.end(), oldest = all.end();
  for (auto place = all.begin(); place != all.end(); ++place) {
    bool isSuch =
        place->slice == &slice && place->bytes == bytes && place->root == root;
    known += isSuch;
    if (!place->isTaken && isSuch && found == all.end())
      found = place;
    if (!place->isTaken && oldest == all.end())
      oldest = place;
  }
  if (found == all.end() || known < Fewest) {
    if (all.size() >= Most && oldest != all.end())
      all.erase(oldest);
    all.push_back(
        {&slice, bytes, root, true,
         std::make_unique<PartExchange>(transport, slice, bytes, root)});
  } else {
    found->isTaken = true;
    std::rotate(found, found + 1, all.end());
  }
  return *all.back().exchange;
}

void PartExchanges::give(const PartExchange &exchange) {
  for (Entry &entry : all)
    if (entry.exchange.get() == &exchange)
      entry.isTaken = false;
}

void SplitReduction::begin(const void *mine, const OperatorTable &table) {
  std::memcpy(value.data(), mine, value.size());
  builtIn.emplace(table);
  settle();
  publish();
}

void SplitReduction::begin(const void *mine, zrt_state_combine combine) {
  std::memcpy(value.data(), mine, value.size());
  states.emplace(value.size(), combine);
  publish();
}

void SplitReduction::begin(const char *mine, RecordReducer reducer) {
  std::memcpy(value.data(), mine, value.size());
  records = std::move(reducer);
  isRecord = true;
  records.settle(value.data());
  publish();
}

const Reducer &SplitReduction::reducer() const {
  if (isRecord)
    return records;
  return builtIn ? static_cast<const Reducer &>(*builtIn) : *states;
}

void SplitReduction::settle() {
  if (isRecord)
    records.settle(value.data());
  else if (builtIn)
    builtIn->settle(value.data(), value.size());
}

void SplitReduction::publish() {
  if (!PartExchange::suits(slice, value.size(),
                           size_t(runFigures().splitBytes)))
    return;
  if (!exchange)
    exchange = std::make_unique<PartExchange>(transport, slice, value.size());
  std::memcpy(exchange->mine(), value.data(), value.size());
  exchange->publish();
}

void SplitReduction::end(void *result) {
  ZRT_CHECK(isUnderWay());
  if (exchange) {
    size_t bytes = value.size() * static_cast<size_t>(slice.size());
    Scratch all(bytes);
    std::memcpy(all.data(), exchange->collect(), bytes);
    combineAll(reducer(), all.data(), slice.size(), value.size());
    std::memcpy(value.data(), all.data(), value.size());
  } else {
    reduceBy(reducer(), transport, slice, value.data(), value.size());
  }
  settle();
  builtIn.reset();
  states.reset();
  isRecord = false;
  std::memcpy(result, value.data(), value.size());
}

SplitReduction &SplitReductions::next(Transport &transport, const Slice &slice,
                                      size_t bytes) {
  constexpr int Fewest = 2; // exchanges to take turns
  int known = 0;
  auto found = all.end();
  for (auto place = all.begin(); place != all.end(); ++place) {
    if (!(*place)->isFor(slice, bytes))
      continue;
    ++known;
    if (found == all.end() && !(*place)->isUnderWay())
      found = place;
  }
  if (found == all.end() || known < Fewest) {
    all.push_back(std::make_unique<SplitReduction>(transport, slice, bytes));
    return *all.back();
  }
  std::rotate(found, found + 1, all.end());
  return *all.back();
}

} // namespace zrt
