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
//             order.
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
// All pairs of processors meet in P - 1 rounds. Elements that stay at home go
// the same way but for the message; on one processor alone nothing is recorded
// at all. Memory: a number and an element per index of the own parts.
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

template <typename T> void append(Bytes &bytes, const T &value) {
  const char *first = reinterpret_cast<const char *>(&value);
  bytes.insert(bytes.end(), first, first + sizeof value);
}

template <typename T> T read(const char *&from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  from += sizeof value;
  return value;
}

/// The remapped array: who owns its elements, and where they are there.
class RemoteArray {
public:
  RemoteArray(const Distribution &distribution, const RemapDomain &domain,
              const zrt_array &array)
      : distribution(distribution), array(array),
        declared(boxOf(array.region)) {
    distribution.grid.coordinates(domain.parallel.transport.rank(), own);
    for (int d = 0; d < declared.rank; ++d)
      isMapped[d] = !isFlooded(d) ||
                    ((array.region.grids >> d & 1) && !domain.isOwnPlace(d));
    for (int d = 0; d < declared.rank; ++d)
      for (int64_t p = 0; p < distribution.grid.extent[d]; ++p)
        blocks[d].push_back(
            isFlooded(d)
                ? declared.dim[d]
                : intersect(declared.dim[d], distribution.cut[d].own(p)));
  }

  /// The owner of the element at \p index and, in \p place, its number among
  /// that one's elements.
  int find(const int64_t *index, int64_t &place) const {
    int at[ZRT_MAX_RANK];
    place = 0;
    for (int d = 0; d < declared.rank; ++d) {
      at[d] = isMapped[d]
                  ? static_cast<int>(distribution.cut[d].owner(index[d]))
                  : own[d];
      const Seq &block = blocks[d][static_cast<size_t>(at[d])];
      int64_t step = isFlooded(d) ? 0 : (index[d] - block.lo) / block.stride;
      place = place * size(block) + step;
    }
    return distribution.grid.processor(at);
  }

  /// The address of this processor's element with the number \p place.
  char *element(int64_t place) const {
    uint64_t offset = 0;
    for (int d = declared.rank - 1; d >= 0; --d) {
      const Seq &block = blocks[d][static_cast<size_t>(own[d])];
      int64_t extent = size(block), step = place % extent;
      place /= extent;
      if (!isFlooded(d))
        offset += static_cast<uint64_t>(
            position(block.lo + step * block.stride, d) * array.pitch[d]);
    }
    return reinterpret_cast<char *>(reinterpret_cast<uintptr_t>(array.origin) +
                                    offset);
  }

  /// The address of the element at \p index, which is this processor's.
  char *elementAt(const int64_t *index) const {
    uint64_t offset = 0;
    for (int d = 0; d < declared.rank; ++d)
      if (!isFlooded(d))
        offset += static_cast<uint64_t>(position(index[d], d) * array.pitch[d]);
    return reinterpret_cast<char *>(reinterpret_cast<uintptr_t>(array.origin) +
                                    offset);
  }

private:
  bool isFlooded(int d) const { return array.region.floods >> d & 1; }
  int64_t position(int64_t index, int d) const {
    return (index - array.region.dim[d].align) / array.region.dim[d].stride;
  }

  const Distribution &distribution;
  const zrt_array &array;
  Box declared;
  int own[ZRT_MAX_RANK];
  bool isMapped[ZRT_MAX_RANK];           ///< the map says whose element it is
  std::vector<Seq> blocks[ZRT_MAX_RANK]; ///< per place along the grid
};

} // namespace

void gatherArray(const RemapDomain &domain, const Distribution &remote,
                 zrt_array &result, const zrt_array &source) {
  Transport &transport = domain.parallel.transport;
  size_t size = static_cast<size_t>(result.type->size);
  RemoteArray elements(remote, domain, source);
  ElementView to = viewOf(result, domain.part);
  if (transport.size() == 1)
    return domain.forEach([&](const RemapDomain::Cursor &cursor) {
      std::memcpy(addressIn(to, cursor.at), elements.elementAt(cursor.mapped),
                  size);
    });
  std::vector<Bytes> requests(static_cast<size_t>(transport.size()));
  std::vector<int> owners;
  domain.forEach([&](const RemapDomain::Cursor &cursor) {
    int64_t place;
    owners.push_back(elements.find(cursor.mapped, place));
    append(requests[static_cast<size_t>(owners.back())], place);
  });
  std::vector<Bytes> asked = exchangeAll(transport, std::move(requests));
  for (Bytes &list : asked) {
    Bytes reply;
    reply.reserve(list.size() / sizeof(int64_t) * size);
    for (const char *at = list.data(); at != list.data() + list.size();) {
      const char *element = elements.element(read<int64_t>(at));
      reply.insert(reply.end(), element, element + size);
    }
    list = std::move(reply);
  }
  std::vector<Bytes> replies = exchangeAll(transport, std::move(asked));
  std::vector<const char *> next;
  for (const Bytes &reply : replies)
    next.push_back(reply.data());
  auto owner = owners.begin();
  domain.forEach([&](const RemapDomain::Cursor &cursor) {
    const char *&element = next[static_cast<size_t>(*owner++)];
    std::memcpy(addressIn(to, cursor.at), element, size);
    element += size;
  });
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
    int64_t place = read<int64_t>(stream.at);
    std::memcpy(copy.data(), stream.at, size); // records are not aligned
    stream.at += size;
    store(place, copy.data());
    advance(stream);
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
  auto store = [&](char *element, const char *value) {
    if (combine)
      combine(element, value);
    else
      std::memcpy(element, value, size);
  };
  if (transport.size() == 1)
    return domain.forEach([&](const RemapDomain::Cursor &cursor) {
      store(elements.elementAt(cursor.mapped), addressIn(from, cursor.at));
    });
  std::vector<Bytes> records(static_cast<size_t>(transport.size()));
  if (domain.isFirstCopy())
    domain.forEach([&](const RemapDomain::Cursor &cursor) {
      int64_t place;
      int owner = elements.find(cursor.mapped, place);
      Bytes &message = records[static_cast<size_t>(owner)];
      append(message, domain.placeOf(cursor));
      append(message, place);
      const char *value = addressIn(from, cursor.at);
      message.insert(message.end(), value, value + size);
    });
  mergeRecords(exchangeAll(transport, std::move(records)), size,
               [&](int64_t place, const char *value) {
                 store(elements.element(place), value);
               });
}

} // namespace zrt
