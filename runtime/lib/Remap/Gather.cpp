//===- Gather.cpp - Gathers in one shot -----------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// `B := A#[I]` with maps that may never come again:
//
//   1. Each processor finds for its indices who owns the element, and which one
//      it is there: a number. What is its own is copied at once.
//   2. The numbers go to the owners, the elements come back in the same order.
//      So many indices at a time that this takes little memory.
//
// A strip of indices whose elements are all here, which two comparisons per
// index show, is one loop of copies.
//
// Cost: per index a look at each map, and at home a copy from a place that may
// be anywhere; per element from elsewhere 8 bytes there and back itself. Memory:
// for MostInRound indices.
//
//===----------------------------------------------------------------------===//

#include "Remap/Remap.h"

namespace zrt {

namespace {

/// A gather asks for the elements of so many indices at a time.
constexpr int64_t MostInRound = 1 << 19;

/// What one gather asks another processor for, and where it goes: offsets from
/// the first element of the result.
struct GatherRequest {
  std::vector<int64_t> places;
  std::vector<uint64_t> targets;
};

class OneGather {
public:
  OneGather(const RemapDomain &domain, const RemappedArray &source,
            zrt_array &result)
      : domain(domain), transport(domain.parallel.transport), source(source),
        to(viewOf(result, domain.part)),
        copy(Store::copies(static_cast<size_t>(result.type->size))),
        requests(static_cast<size_t>(transport.size())),
        isLarge(domain.isLarge()) {}

  void run();

private:
  void takeStrip(const Strip &strip);
  void copyHere(const Strip &strip);
  void exchange();
  std::vector<Bytes> fetch();
  Bytes replyTo(const std::vector<int64_t> &places) const;

  const RemapDomain &domain;
  Transport &transport;
  const RemappedArray &source;
  ElementView to;
  Store copy;
  std::vector<GatherRequest> requests;
  bool isLarge; ///< what travels may be
};

/// Elements of which all are here.
void OneGather::copyHere(const Strip &strip) {
  uint64_t offsets[Strip::Most], targets[Strip::Most];
  source.findHere(strip, offsets);
  // As loads from anywhere, stores in order.
  char *row = addressIn(to, strip.at);
  int64_t step = to.step[domain.line];
  for (int64_t k = 0; k < strip.count; ++k)
    targets[k] = static_cast<uint64_t>(strip.along[k] * step);
  copy.between(row, targets, source.array.origin, offsets, strip.count);
}

void OneGather::takeStrip(const Strip &strip) {
  if (transport.size() == 1 || source.areAllHere(strip)) {
    copyHere(strip);
    return;
  }
  int owners[Strip::Most];
  int64_t places[Strip::Most];
  uint64_t offsets[Strip::Most], from[Strip::Most], targets[Strip::Most];
  source.find(strip, owners, places);
  source.findHere(strip, offsets);
  char *row = addressIn(to, strip.at);
  auto first = static_cast<uint64_t>(reinterpret_cast<uintptr_t>(row) -
                                     reinterpret_cast<uintptr_t>(to.base));
  int64_t step = to.step[domain.line], here = 0;
  int self = transport.rank();
  for (int64_t k = 0; k < strip.count; ++k) {
    auto target = static_cast<uint64_t>(strip.along[k] * step);
    if (owners[k] == self) {
      from[here] = offsets[k];
      targets[here++] = target;
    } else {
      GatherRequest &request = requests[static_cast<size_t>(owners[k])];
      request.places.push_back(places[k]);
      request.targets.push_back(first + target);
    }
  }
  copy.between(row, targets, source.array.origin, from, here);
}

/// The elements at \p places.
Bytes OneGather::replyTo(const std::vector<int64_t> &places) const {
  Bytes reply(places.size() * copy.size);
  uint64_t targets[Strip::Most], offsets[Strip::Most];
  for (size_t first = 0; first < places.size(); first += Strip::Most) {
    size_t count = std::min<size_t>(Strip::Most, places.size() - first);
    for (size_t k = 0; k < count; ++k) {
      offsets[k] = source.offsetOf(places[first + k]);
      targets[k] = k * copy.size;
    }
    copy.between(&reply[first * copy.size], targets, source.array.origin,
                 offsets, static_cast<int64_t>(count));
  }
  return reply;
}

/// The elements that the requests ask for, in their order.
std::vector<Bytes> OneGather::fetch() {
  std::vector<Bytes> messages;
  std::vector<int64_t> asked, replies;
  for (GatherRequest &request : requests) {
    auto count = static_cast<int64_t>(request.places.size());
    asked.push_back(count * static_cast<int64_t>(sizeof(int64_t)));
    replies.push_back(count * static_cast<int64_t>(copy.size));
    messages.push_back(messageOf(request.places));
    request.places.clear();
  }
  asked = exchangeCounts(transport, asked);
  messages = exchangeSized(transport, std::move(messages), asked, isLarge);
  for (Bytes &message : messages)
    message = replyTo(numbersIn<int64_t>(message));
  return exchangeSized(transport, std::move(messages), replies, isLarge);
}

/// Fetches what the requests ask for, and empties them.
void OneGather::exchange() {
  std::vector<Bytes> messages = fetch();
  uint64_t offsets[Strip::Most];
  for (size_t p = 0; p < messages.size(); ++p) {
    std::vector<uint64_t> &targets = requests[p].targets;
    for (size_t first = 0; first < targets.size(); first += Strip::Most) {
      size_t count = std::min<size_t>(Strip::Most, targets.size() - first);
      for (size_t k = 0; k < count; ++k)
        offsets[k] = (first + k) * copy.size;
      copy.between(to.base, &targets[first], messages[p].data(), offsets,
                   static_cast<int64_t>(count));
    }
    targets.clear();
  }
}

void OneGather::run() {
  Strips strips(domain);
  Strip strip;
  // All have as many rounds as the one with the largest part.
  for (int64_t end = domain.largestPart(); end > 0; end -= MostInRound) {
    int64_t limit = strips.passed + MostInRound;
    while (strips.passed < limit && strips.next(strip))
      takeStrip(strip);
    if (transport.size() > 1)
      exchange();
  }
}

} // namespace

void gatherOnce(const RemapDomain &domain, const RemappedArray &source,
                zrt_array &result) {
  OneGather(domain, source, result).run();
}

} // namespace zrt
