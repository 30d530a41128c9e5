//===- Scatter.cpp - Scatters in one shot ---------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// `A#[I] op= B` with maps that may never come again:
//
//   1. Each processor counts how many of its sources have targets where, and
//      tells their owners. So each owner knows whether others reach it at all:
//      where nobody does, and all own targets are here, the scatter is the loop
//      that one processor would run.
//   2. Values for others travel with the places of their targets.
//
// The elements are to meet values in row-major order of the sources, as on one
// processor. What that takes depends:
//
//   no order can be seen     own values meet their targets at once, what comes
//                            from others when it has come. Values for another
//                            processor are combined in an image of its whole
//                            part if that is less to send than they are.
//   parts of the processors  what came from lower processors, the own values,
//   follow each other        what came from higher ones: no need to know sources
//   anything else            places of the sources travel as well, and all
//                            values are merged by these
//
// Cost: two looks at each map, one where strips are all here; a value for
// somebody else costs 8 bytes beside it, or 16.
// Memory: that much for what travels; nothing for what does not.
//
//===----------------------------------------------------------------------===//

#include "Remap/Merge.h"
#include "Remap/Remap.h"

namespace zrt {

namespace {

/// Values on their way to their targets, in the order of their sources, as a
/// message: all values, all places of targets, and, if they are needed, all
/// places of sources.
class Records {
public:
  Records() = default;
  /// \p count to be added, of \p size bytes.
  Records(int64_t count, size_t size, bool hasSources)
      : message(static_cast<size_t>(count) *
                (size + sizeof(int64_t) * (hasSources ? 2 : 1))),
        value(message.data()), place(value + static_cast<size_t>(count) * size),
        source(place + static_cast<size_t>(count) * sizeof(int64_t)),
        size(size), hasSources(hasSources) {}

  void add(const char *from, int64_t target, int64_t origin) {
    if (size == 8)
      std::memcpy(value, from, 8);
    else
      std::memcpy(value, from, size);
    value += size;
    std::memcpy(place, &target, sizeof target);
    place += sizeof target;
    if (!hasSources)
      return;
    std::memcpy(source, &origin, sizeof origin);
    source += sizeof origin;
  }
  Bytes take() { return std::move(message); }

private:
  Bytes message;
  char *value = nullptr, *place = nullptr, *source = nullptr; ///< the next
  size_t size = 0;
  bool hasSources = false;
};

/// What has come of Records.
struct Arrived {
  Arrived(Bytes message, int64_t count, size_t size, bool hasSources)
      : values(std::move(message)), places(static_cast<size_t>(count)) {
    if (count == 0)
      return;
    const char *behind = &values[places.size() * size];
    size_t bytes = places.size() * sizeof(int64_t);
    std::memcpy(places.data(), behind, bytes);
    if (!hasSources)
      return;
    sources.resize(places.size());
    std::memcpy(sources.data(), behind + bytes, bytes);
  }
  Bytes values;
  std::vector<int64_t> places, sources;
};

class OneScatter {
public:
  OneScatter(const RemapDomain &domain, const RemappedArray &target,
             const zrt_array &source, const Store &store)
      : domain(domain), transport(domain.parallel.transport), target(target),
        from(viewOf(source, domain.part)), store(store) {}

  void runAlone();
  void run();

private:
  enum class Way { Free, Ascending, Merged };
  void count();
  bool isImage(int owner, int64_t values) const;
  bool mergesOwn() const { return way == Way::Merged && isReached; }
  void prepare();
  Bytes newImage(int owner) const;
  void meetAll(std::vector<Bytes> messages);
  void meetInOrder(const std::vector<Arrived> &arrived);
  void pass(bool takesOwn, bool takesOthers);
  void takeHere(const Strip &strip, const char *row);
  void takeStrip(const Strip &strip, bool takesOwn, bool takesOthers);
  std::vector<Bytes> exchange();
  void meet(const Arrived &list, size_t first, size_t last);
  void meetImage(const Bytes &image);

  const RemapDomain &domain;
  Transport &transport;
  const RemappedArray &target;
  ElementView from;
  const Store &store;
  Way way = Way::Free;
  /// Others have values for this processor; and lower ones have.
  bool isReached = false, isReachedFromBelow = false;
  std::vector<int64_t> counts, coming; ///< of values, per processor
  std::vector<Records> records;
  std::vector<Bytes> images; ///< empty: records
};

/// Where the values of \p strip are from its row.
void offsetsAlong(const Strip &strip, int64_t step, uint64_t *offsets) {
  for (int64_t k = 0; k < strip.count; ++k)
    offsets[k] = static_cast<uint64_t>(strip.along[k] * step);
}

void OneScatter::takeHere(const Strip &strip, const char *row) {
  uint64_t offsets[Strip::Most], values[Strip::Most];
  target.findHere(strip, offsets);
  offsetsAlong(strip, from.step[domain.line], values);
  store.between(target.array.origin, offsets, row, values, strip.count);
}

void OneScatter::runAlone() {
  Strips strips(domain);
  Strip strip;
  while (strips.next(strip))
    takeHere(strip, addressIn(from, strip.at));
}

/// How many values go to whom, and come from whom.
void OneScatter::count() {
  counts.assign(static_cast<size_t>(transport.size()), 0);
  auto self = static_cast<size_t>(transport.rank());
  Strips strips(domain);
  Strip strip;
  int owners[Strip::Most];
  int64_t places[Strip::Most];
  while (domain.isFirstCopy() && strips.next(strip)) {
    if (target.areAllHere(strip)) {
      counts[self] += strip.count;
      continue;
    }
    target.find(strip, owners, places);
    for (int64_t k = 0; k < strip.count; ++k)
      ++counts[static_cast<size_t>(owners[k])];
  }
  coming = exchangeCounts(transport, counts);
}

/// Whether \p values values for \p owner are combined before they go: a whole
/// part is less than they are. Both sides know.
bool OneScatter::isImage(int owner, int64_t values) const {
  auto size = static_cast<int64_t>(store.size);
  return way == Way::Free &&
         values * (size + static_cast<int64_t>(sizeof(int64_t))) >
             target.elementsOf(owner) * size;
}

void OneScatter::takeStrip(const Strip &strip, bool takesOwn,
                           bool takesOthers) {
  const char *row = addressIn(from, strip.at);
  int owners[Strip::Most];
  int64_t places[Strip::Most];
  uint64_t offsets[Strip::Most], values[Strip::Most];
  target.find(strip, owners, places);
  target.findHere(strip, offsets);
  offsetsAlong(strip, from.step[domain.line], values);
  int64_t first = domain.placeOf(strip.at), step = domain.placeStep();
  auto origin = reinterpret_cast<uintptr_t>(target.array.origin);
  int64_t here = 0; // elements and images: what can be met at once
  for (int64_t k = 0; k < strip.count; ++k) {
    auto owner = static_cast<size_t>(owners[k]);
    bool isOwn = owners[k] == transport.rank();
    if (isOwn ? !takesOwn : !takesOthers)
      continue;
    bool isHere = isOwn && !mergesOwn();
    if (isHere || !images[owner].empty()) {
      offsets[here] =
          isHere ? origin + offsets[k]
                 : reinterpret_cast<uintptr_t>(images[owner].data()) +
                       static_cast<uintptr_t>(places[k]) * store.elementSize;
      values[here++] = values[k];
    } else {
      records[owner].add(row + values[k], places[k],
                         domain.placeIn(strip, k, first, step));
    }
  }
  store.between(nullptr, offsets, row, values, here);
}

/// Goes through the sources.
void OneScatter::pass(bool takesOwn, bool takesOthers) {
  Strips strips(domain);
  Strip strip;
  while (domain.isFirstCopy() && strips.next(strip)) {
    if (mergesOwn() || !target.areAllHere(strip))
      takeStrip(strip, takesOwn, takesOthers);
    else if (takesOwn)
      takeHere(strip, addressIn(from, strip.at));
  }
}

/// Sends records and images, and returns those of the others.
std::vector<Bytes> OneScatter::exchange() {
  std::vector<Bytes> messages;
  std::vector<int64_t> bytes;
  auto size = static_cast<int64_t>(store.size);
  for (size_t p = 0; p < records.size(); ++p) {
    messages.push_back(images[p].empty() ? records[p].take()
                                         : std::move(images[p]));
    int numbers = way == Way::Merged ? 2 : 1;
    bytes.push_back(isImage(transport.rank(), coming[p])
                        ? target.elementsOf(transport.rank()) * size
                        : coming[p] * (size + 8 * numbers));
  }
  return exchangeSized(transport, std::move(messages), bytes, domain.isLarge());
}

/// The targets meet the values from \p first up to \p last.
void OneScatter::meet(const Arrived &list, size_t first, size_t last) {
  uint64_t offsets[Strip::Most], values[Strip::Most];
  for (; first < last; first += Strip::Most) {
    size_t count = std::min<size_t>(Strip::Most, last - first);
    for (size_t k = 0; k < count; ++k) {
      offsets[k] = target.offsetOf(list.places[first + k]);
      values[k] = (first + k) * store.size;
    }
    store.between(target.array.origin, offsets, list.values.data(), values,
                  static_cast<int64_t>(count));
  }
}

/// Every element meets that of the image.
void OneScatter::meetImage(const Bytes &image) {
  Numbering numbering(target.here(), store.elementSize);
  auto count = static_cast<int64_t>(image.size() / store.size);
  if (numbering.isPlain()) {
    store.byNumbers(numbering.elements(), nullptr, image.data(), nullptr,
                    count);
    numbering.finish();
    return;
  }
  uint64_t offsets[Strip::Most], values[Strip::Most];
  for (int64_t first = 0; first < count; first += Strip::Most) {
    int64_t some = std::min(Strip::Most, count - first);
    for (int64_t k = 0; k < some; ++k) {
      offsets[k] = target.offsetOf(first + k);
      values[k] = static_cast<uint64_t>(first + k) * store.size;
    }
    store.between(target.array.origin, offsets, image.data(), values, some);
  }
}

/// Chooses the way, and makes room for what goes to others.
void OneScatter::prepare() {
  count();
  auto self = static_cast<size_t>(transport.rank());
  for (size_t p = 0; p < coming.size(); ++p) {
    isReached |= p != self && coming[p] > 0;
    isReachedFromBelow |= p < self && coming[p] > 0;
  }
  way = store.isFree           ? Way::Free
        : domain.partsAscend() ? Way::Ascending
                               : Way::Merged;
  records.resize(counts.size());
  images.resize(counts.size());
  for (size_t p = 0; p < counts.size(); ++p)
    if (p == self ? mergesOwn() : !isImage(static_cast<int>(p), counts[p]))
      records[p] = Records(counts[p], store.size, way == Way::Merged);
    else if (p != self)
      images[p] = newImage(static_cast<int>(p));
}

/// Of the part of \p owner.
Bytes OneScatter::newImage(int owner) const {
  int64_t elements = target.elementsOf(owner);
  Bytes image(static_cast<size_t>(elements) * store.size);
  store.reset(image.data(), elements);
  return image;
}

void OneScatter::run() {
  prepare();
  bool ownLast = way == Way::Ascending && isReachedFromBelow;
  pass(/*takesOwn=*/!ownLast, /*takesOthers=*/true);
  meetAll(exchange());
}

void OneScatter::meetAll(std::vector<Bytes> messages) {
  auto self = static_cast<size_t>(transport.rank());
  std::vector<Arrived> arrived;
  for (size_t p = 0; p < messages.size(); ++p) {
    bool areImages = p != self && isImage(transport.rank(), coming[p]);
    if (areImages)
      meetImage(messages[p]);
    bool areRecords = p == self ? mergesOwn() : !areImages;
    arrived.emplace_back(std::move(messages[p]), areRecords ? coming[p] : 0,
                         store.size, way == Way::Merged);
  }
  if (way == Way::Merged)
    mergeStreams(
        arrived.size(), [&](size_t p) { return arrived[p].places.size(); },
        [&](size_t p, size_t k) { return arrived[p].sources[k]; },
        [&](size_t p, size_t first, size_t last) {
          meet(arrived[p], first, last);
        });
  else
    meetInOrder(arrived);
}

/// Of the processors.
void OneScatter::meetInOrder(const std::vector<Arrived> &arrived) {
  auto self = static_cast<size_t>(transport.rank());
  for (size_t p = 0; p < arrived.size(); ++p) {
    if (p == self && way == Way::Ascending && isReachedFromBelow)
      pass(/*takesOwn=*/true, /*takesOthers=*/false);
    meet(arrived[p], 0, arrived[p].places.size());
  }
}

} // namespace

void scatterOnce(const RemapDomain &domain, const RemappedArray &target,
                 const zrt_array &source, const Store &store) {
  OneScatter scatter(domain, target, source, store);
  if (domain.parallel.transport.size() == 1)
    scatter.runAlone();
  else
    scatter.run();
}

} // namespace zrt
