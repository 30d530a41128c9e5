//===- Segment.h - The memory that processors share -------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSPORT_SHM_SEGMENT_H
#define ZRT_TRANSPORT_SHM_SEGMENT_H

#include "Transport/Transport.h"
#include "Transport/shm/Flag.h"

#include <memory>

namespace zrt::shm {

inline constexpr size_t PageSize = 4 << 10;
inline constexpr size_t HugePage = 2 << 20;
inline constexpr int MaxProcessors = 4096;

/// What one processor sends to one partner in one exchange. Lies in the
/// sender's slice; the receiver reads the blocks and raises `done` to the
/// number of times it has copied them.
struct alignas(CacheLine) SendRecord {
  Flag done;
  alignas(CacheLine) int64_t count;
  MemoryBlock blocks[]; // `count` of them.
};

/// "The source is ready": one entry of the ring of a channel. Flag and content
/// share a cache line, so that both arrive together.
struct alignas(CacheLine) ReadySlot {
  Flag posted;        ///< number of the entry in the slot, from 1
  SendRecord *record; ///< where the data is described
  uint64_t exchange;  ///< which exchange of this channel, from 0
};

/// All that goes from one processor to one other besides array elements: two
/// rings, each with one writer and one reader.
struct alignas(PageSize) Channel {
  static constexpr uint64_t Slots = 32;
  static constexpr uint64_t RingBytes = 64 << 10;

  ReadySlot ready[Slots];
  alignas(CacheLine) std::atomic<uint64_t> taken; ///< entries taken from ready
  alignas(CacheLine) Flag written;                ///< bytes put into the ring
  alignas(CacheLine) Flag read;                   ///< bytes taken from it
  alignas(CacheLine) char ring[RingBytes];
};

/// What everybody knows of one processor.
struct alignas(CacheLine) ProcessorState {
  std::atomic<uint32_t> finished; ///< 1 after the regular end
};

/// The state of the run.
struct Control {
  /// Who reports the error that ends the run: rank + 1, Supervisor, or 0.
  alignas(CacheLine) std::atomic<uint32_t> reporter;
  /// AbortFlag | exit status, once a processor has ended the run.
  alignas(CacheLine) std::atomic<uint32_t> abortStatus;
  /// Bytes that all processors hold for arrays.
  alignas(CacheLine) std::atomic<uint64_t> allocated;

  static constexpr uint32_t Supervisor = UINT32_MAX;
  static constexpr uint32_t AbortFlag = 0x100;
};

/// One mapping, at the same address in all processors: control, channels, and
/// one slice of memory per processor. Without a name; untouched pages cost
/// nothing.
class Segment {
public:
  /// Reserves address space for \p processors with slices of \p sliceBytes, or
  /// less if there is not so much. Null, with errno set, if there is no room
  /// at all.
  static std::shared_ptr<Segment> create(int processors, size_t sliceBytes);
  ~Segment();
  Segment(const Segment &) = delete;
  Segment &operator=(const Segment &) = delete;

  int processors() const { return count; }
  Control &control() const { return *reinterpret_cast<Control *>(base); }
  ProcessorState &processor(int rank) const;
  Channel &channel(int from, int to) const;

  char *slice(int rank) const { return slices + rank * perSlice; }
  size_t sliceBytes() const { return perSlice; }

private:
  Segment() = default;

  int count = 0;
  char *base = nullptr;
  size_t bytes = 0;
  size_t channelOffset = 0;
  char *slices = nullptr;
  size_t perSlice = 0;
};

/// The slice size to ask for: each processor could hold all of the machine's
/// memory, with room for gaps.
size_t defaultSliceBytes();

} // namespace zrt::shm

#endif // ZRT_TRANSPORT_SHM_SEGMENT_H
