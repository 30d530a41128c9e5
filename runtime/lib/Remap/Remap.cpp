//===- Remap.cpp - Gather and scatter -------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `B := A#[I]` and `A#[I] += B`, for any distribution of both sides.
//
// Gather:  1. Each processor finds for its indices who owns the element, and
//             where that one has it: a number.
//          2. The numbers go to the owners, the elements come back in the same
//             order. So many indices at a time that all this stays in caches.
//
// Scatter: 1. Each processor sends the owners of the targets records: the place
//             of the source in row-major order of the covering region, the
//             place of the target, the value.
//          2. The owners merge the records by the first and store or combine
//             them in that order, as one processor would; so the result does
//             not depend on the distribution.
//
// A grid dimension of A has one element per processor; the map names an index,
// and means the element of whoever owns that.
//
// All pairs of processors meet in P - 1 rounds. What a gather takes from its
// own processor is copied at once; what a scatter leaves at home goes the same
// way but for the message, and on one processor alone nothing is recorded at
// all.
//
// Cost: per index a look at each map, and at home a copy from a place that may
// be anywhere. Memory: a gather needs little, a scatter two numbers and an
// element per index.
//
//===----------------------------------------------------------------------===//

#include "Remap/Remap.h"

#include "Memory/Array.h"

#include <cstring>
#include <queue>

namespace zrt {

namespace {

using Bytes = std::vector<char>;

/// Sends message k to processor k and receives one from each. In round r the
/// processors p and r - p meet; the lower one sends first, so that sends which
/// wait for their receiver do not wait in a circle.
std::vector<Bytes> exchangeAll(Transport &transport,
                               std::vector<Bytes> messages) {
  int size = transport.size(), self = transport.rank();
  std::vector<Bytes> received(static_cast<size_t>(size));
  received[static_cast<size_t>(self)] =
      std::move(messages[static_cast<size_t>(self)]);
  auto send = [&](int partner) {
    Bytes &message = messages[static_cast<size_t>(partner)];
    int64_t bytes = static_cast<int64_t>(message.size());
    transport.send(partner, &bytes, sizeof bytes);
    if (bytes > 0)
      transport.send(partner, message.data(), message.size());
    Bytes().swap(message);
  };
  auto receive = [&](int partner) {
    Bytes &message = received[static_cast<size_t>(partner)];
    int64_t bytes;
    transport.receive(partner, &bytes, sizeof bytes);
    message.resize(static_cast<size_t>(bytes));
    if (bytes > 0)
      transport.receive(partner, message.data(), message.size());
  };
  for (int round = 0; round < size; ++round) {
    int partner = (round - self + size) % size;
    if (partner == self)
      continue;
    if (self < partner) {
      send(partner);
      receive(partner);
    } else {
      receive(partner);
      send(partner);
    }
  }
  return received;
}

/// The record of a value for a scatter.
void append(Bytes &bytes, int64_t source, int64_t place, const char *value,
            size_t size) {
  size_t end = bytes.size();
  bytes.resize(end + 2 * sizeof(int64_t) + size);
  std::memcpy(&bytes[end], &source, sizeof source);
  std::memcpy(&bytes[end + sizeof source], &place, sizeof place);
  std::memcpy(&bytes[end + 2 * sizeof source], value, size);
}

template <typename T> T read(const char *&from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  from += sizeof value;
  return value;
}

/// Copies an element; one of a usual size without a call.
void copyElement(char *to, const char *from, size_t size) {
  if (size == 8)
    std::memcpy(to, from, 8);
  else if (size == 4)
    std::memcpy(to, from, 4);
  else
    std::memcpy(to, from, size);
}

char *movedBy(void *address, uint64_t offset) {
  return reinterpret_cast<char *>(reinterpret_cast<uintptr_t>(address) +
                                  offset);
}

/// The remapped array: who owns its elements, and where they are there.
class RemoteArray {
public:
  RemoteArray(const Distribution &distribution, const RemapDomain &domain,
              const zrt_array &array)
      : distribution(distribution), array(array), rank(array.region.rank) {
    distribution.grid.coordinates(domain.parallel.transport.rank(), own);
    for (int d = 0; d < rank; ++d)
      isMapped[d] = !isFlooded(d) ||
                    ((array.region.grids >> d & 1) && !domain.isOwnPlace(d));
    Box declared = boxOf(array.region);
    for (int d = 0; d < rank; ++d)
      for (int64_t p = 0; p < distribution.grid.extent[d]; ++p)
        blocks[d].push_back(
            isFlooded(d)
                ? declared.dim[d]
                : intersect(declared.dim[d], distribution.cut[d].own(p)));
  }

  /// The owners of the elements that \p strip names and, in \p places, their
  /// numbers among those of their owner.
  void find(const Strip &strip, int *owners, int64_t *places) const {
    std::fill_n(places, strip.count, 0);
    int at[Strip::Most], coordinates[ZRT_MAX_RANK];
    std::copy(own, own + rank, coordinates);
    for (int d = 0; d < rank; ++d)
      if (isMapped[d])
        coordinates[d] = 0;
    std::fill_n(owners, strip.count, distribution.grid.processor(coordinates));
    for (int d = 0; d < rank; ++d) {
      findAlong(d, strip, at, places);
      if (!isMapped[d] || distribution.grid.extent[d] == 1)
        continue;
      int weight = weightOf(d);
      for (int64_t k = 0; k < strip.count; ++k)
        owners[k] += at[k] * weight;
    }
  }

  /// Where from the origin of its elements this processor has those that
  /// \p strip names; of others' there is some number.
  void findHere(const Strip &strip, uint64_t *offsets) const {
    std::fill_n(offsets, strip.count, 0);
    for (int d = 0; d < rank; ++d) {
      const zrt_dim &dim = array.region.dim[d];
      const int64_t *mapped = strip.mapped[d];
      auto pitch = static_cast<uint64_t>(array.pitch[d]);
      if (isFlooded(d))
        continue;
      if (dim.stride == 1)
        for (int64_t k = 0; k < strip.count; ++k)
          offsets[k] += static_cast<uint64_t>(mapped[k] - dim.align) * pitch;
      else
        for (int64_t k = 0; k < strip.count; ++k)
          offsets[k] += static_cast<uint64_t>(position(mapped[k], d)) * pitch;
    }
  }

  char *at(uint64_t offset) const { return movedBy(array.origin, offset); }

  /// The address of this processor's element with the number \p place.
  char *element(int64_t place) const {
    uint64_t offset = 0;
    for (int d = rank - 1; d >= 0; --d) {
      const Seq &block = blocks[d][static_cast<size_t>(own[d])];
      int64_t extent = size(block), step = place;
      if (d > 0) {
        step = place % extent;
        place /= extent;
      }
      if (!isFlooded(d))
        offset += static_cast<uint64_t>(
            position(block.lo + step * block.stride, d) * array.pitch[d]);
    }
    return at(offset);
  }

private:
  bool isFlooded(int d) const { return array.region.floods >> d & 1; }
  int64_t position(int64_t index, int d) const {
    return (index - array.region.dim[d].align) / array.region.dim[d].stride;
  }
  /// How much the number of a processor grows with its coordinate \p d.
  int weightOf(int d) const {
    int next[ZRT_MAX_RANK] = {};
    next[d] = 1;
    return distribution.grid.processor(next);
  }

  /// In \p at the owners' places along \p d; \p places goes on with it.
  void findAlong(int d, const Strip &strip, int *at, int64_t *places) const {
    bool isOne = !isMapped[d] || distribution.grid.extent[d] == 1;
    int owner = own[d];
    const Seq *block = &blocks[d][static_cast<size_t>(owner)];
    for (int64_t k = 0; k < strip.count; ++k) {
      int64_t index = strip.mapped[d][k];
      // Mostly the same as that of the index before.
      if (!isOne && (index < block->lo || index > block->hi)) {
        owner = static_cast<int>(distribution.cut[d].owner(index));
        block = &blocks[d][static_cast<size_t>(owner)];
      }
      int64_t step = isFlooded(d)         ? 0
                     : block->stride == 1 ? index - block->lo
                                          : (index - block->lo) / block->stride;
      at[k] = owner;
      places[k] = places[k] * size(*block) + step;
    }
  }

  const Distribution &distribution;
  const zrt_array &array;
  int rank;
  int own[ZRT_MAX_RANK];
  bool isMapped[ZRT_MAX_RANK];           ///< the map says whose element it is
  std::vector<Seq> blocks[ZRT_MAX_RANK]; ///< per place along the grid
};

/// A gather asks for the elements of so many indices at a time.
constexpr int64_t MostInRound = 1 << 14;

/// What one gather asks another processor for.
struct Request {
  std::vector<int64_t> places;
  std::vector<char *> targets;
};

/// The numbers of \p places as a message.
Bytes messageOf(const std::vector<int64_t> &places) {
  const char *first = reinterpret_cast<const char *>(places.data());
  return Bytes(first, first + places.size() * sizeof(int64_t));
}

/// The elements whose numbers are in \p list.
Bytes replyTo(const Bytes &list, const RemoteArray &elements, size_t size) {
  Bytes reply(list.size() / sizeof(int64_t) * size);
  char *to = reply.data();
  for (const char *at = list.data(); at != list.data() + list.size();
       to += size)
    copyElement(to, elements.element(read<int64_t>(at)), size);
  return reply;
}

/// Copies what is here, and leaves the \p requests for what is not.
void gatherStrip(const Strip &strip, const RemoteArray &elements,
                 const ElementView &to, int line, size_t size, int self,
                 std::vector<Request> &requests) {
  uint64_t offsets[Strip::Most];
  elements.findHere(strip, offsets);
  char *row = addressIn(to, strip.at);
  auto target = [&](int64_t k) { return row + strip.along[k] * to.step[line]; };
  if (requests.size() == 1) {
    for (int64_t k = 0; k < strip.count; ++k)
      copyElement(target(k), elements.at(offsets[k]), size);
    return;
  }
  int owners[Strip::Most];
  int64_t places[Strip::Most];
  elements.find(strip, owners, places);
  for (int64_t k = 0; k < strip.count; ++k) {
    if (owners[k] == self) {
      copyElement(target(k), elements.at(offsets[k]), size);
    } else {
      Request &request = requests[static_cast<size_t>(owners[k])];
      request.places.push_back(places[k]);
      request.targets.push_back(target(k));
    }
  }
}

/// Fetches what the \p requests ask for, and empties them.
void exchangeElements(Transport &transport, std::vector<Request> &requests,
                      const RemoteArray &elements, size_t size) {
  std::vector<Bytes> messages;
  for (Request &request : requests) {
    messages.push_back(messageOf(request.places));
    request.places.clear();
  }
  messages = exchangeAll(transport, std::move(messages));
  for (Bytes &message : messages)
    message = replyTo(message, elements, size);
  messages = exchangeAll(transport, std::move(messages));
  for (size_t p = 0; p < messages.size(); ++p) {
    const char *element = messages[p].data();
    for (char *target : requests[p].targets) {
      copyElement(target, element, size);
      element += size;
    }
    requests[p].targets.clear();
  }
}

} // namespace

void gatherArray(const RemapDomain &domain, const Distribution &remote,
                 zrt_array &result, const zrt_array &source) {
  Transport &transport = domain.parallel.transport;
  size_t size = static_cast<size_t>(result.type->size);
  RemoteArray elements(remote, domain, source);
  ElementView to = viewOf(result, domain.part);
  std::vector<Request> requests(static_cast<size_t>(transport.size()));
  Strips strips(domain);
  Strip strip;
  // All have as many rounds as the one with the largest part.
  for (int64_t end = domain.largestPart(); end > 0; end -= MostInRound) {
    int64_t limit = strips.passed + MostInRound;
    while (strips.passed < limit && strips.next(strip))
      gatherStrip(strip, elements, to, domain.line, size, transport.rank(),
                  requests);
    if (transport.size() > 1)
      exchangeElements(transport, requests, elements, size);
  }
}

namespace {

/// The records of one sender, in ascending order of the sources.
struct Stream {
  const char *at, *end;
  int64_t source; ///< of the next record
  bool operator>(const Stream &other) const { return source > other.source; }
};

/// Stores the records of all senders in the order of their sources.
template <typename F>
void mergeRecords(const std::vector<Bytes> &messages, size_t size, F &&store) {
  std::priority_queue<Stream, std::vector<Stream>, std::greater<>> streams;
  auto advance = [&](Stream stream) {
    if (stream.at == stream.end)
      return;
    stream.source = read<int64_t>(stream.at);
    streams.push(stream);
  };
  for (const Bytes &message : messages)
    advance({message.data(), message.data() + message.size(), 0});
  // Memory from the allocator is aligned for every type.
  Bytes copy(size);
  while (!streams.empty()) {
    Stream stream = streams.top();
    streams.pop();
    bool isNext = true;
    while (isNext) {
      int64_t place = read<int64_t>(stream.at);
      copyElement(copy.data(), stream.at, size); // records are not aligned
      stream.at += size;
      store(place, copy.data());
      isNext = stream.at != stream.end;
      if (isNext) {
        stream.source = read<int64_t>(stream.at);
        isNext = streams.empty() || streams.top() > stream;
        if (!isNext)
          streams.push(stream);
      }
    }
  }
}

} // namespace

void scatterArray(const RemapDomain &domain, const Distribution &remote,
                  zrt_array &target, const zrt_array &source,
                  zrt_combine combine) {
  Transport &transport = domain.parallel.transport;
  size_t size = static_cast<size_t>(source.type->size);
  RemoteArray elements(remote, domain, target);
  ElementView from = viewOf(source, domain.part);
  int64_t step = from.step[domain.line];
  auto store = [&](char *element, const char *value) {
    if (combine)
      combine(element, value);
    else
      copyElement(element, value, size);
  };
  Strips strips(domain);
  Strip strip;
  if (transport.size() == 1) {
    while (strips.next(strip)) {
      uint64_t offsets[Strip::Most];
      elements.findHere(strip, offsets);
      const char *row = addressIn(from, strip.at);
      for (int64_t k = 0; k < strip.count; ++k)
        store(elements.at(offsets[k]), row + strip.along[k] * step);
    }
    return;
  }
  std::vector<Bytes> records(static_cast<size_t>(transport.size()));
  int64_t placeStep = domain.placeStep();
  while (domain.isFirstCopy() && strips.next(strip)) {
    int owners[Strip::Most];
    int64_t places[Strip::Most], first = domain.placeOf(strip.at);
    elements.find(strip, owners, places);
    const char *row = addressIn(from, strip.at);
    for (int64_t k = 0; k < strip.count; ++k)
      append(records[static_cast<size_t>(owners[k])],
             first + strip.along[k] * placeStep, places[k],
             row + strip.along[k] * step, size);
  }
  mergeRecords(exchangeAll(transport, std::move(records)), size,
               [&](int64_t place, const char *value) {
                 store(elements.element(place), value);
               });
}

} // namespace zrt
