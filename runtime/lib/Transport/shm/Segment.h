//===- Segment.h - The memory that processors share -------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSPORT_SHM_SEGMENT_H
#define ZRT_TRANSPORT_SHM_SEGMENT_H

#include "Support/Operation.h"
#include "Support/Rounding.h"
#include "Transport/Transport.h"
#include "Transport/shm/WaitState.h"

#include <memory>

namespace zrt::shm {

inline constexpr int MaxProcessors = 4096;

struct SendRecord; // ShmRecord.h
struct Meeting;    // ShmGather.h

/// Where something lies that two processors use from now on: one entry of the
/// ring of a channel. Flag and content share a cache line, so that both arrive
/// together.
struct alignas(CacheLine) ReadySlot {
  Flag posted;        ///< number of the entry in the slot, from 1
  SendRecord *record; ///< what is sent, in the sender's slice
  uint64_t exchange;  ///< in which exchange of this channel, from 0
};

/// Where members of a slice meet to gather. The sender is the first of them.
struct alignas(CacheLine) Invitation {
  Flag sent; ///< number of the invitation, from 1
  Meeting *meeting;
};

/// All that goes from one processor to one other besides array elements: two
/// rings, each with one writer and one reader.
struct alignas(PageSize) Channel {
  static constexpr uint64_t Slots = 32;
  static constexpr uint64_t RingBytes = 64 << 10;

  ReadySlot ready[Slots];
  Invitation invitation;
  alignas(CacheLine) std::atomic<uint64_t> taken; ///< entries taken from ready
  alignas(CacheLine) Flag written;                ///< bytes put into the ring
  alignas(CacheLine) Flag read;                   ///< bytes taken from it
  alignas(CacheLine) char ring[RingBytes];
};

/// What everybody knows of one processor.
struct alignas(CacheLine) ProcessorState {
  std::atomic<uint32_t> finished; ///< Ended, Left, or 0
  OperationState operation;       ///< what it does; all bits zero at the start
  WaitState wait;

  static constexpr uint32_t Ended = 1; ///< after the regular end
  static constexpr uint32_t Left = 2;  ///< linked code has called exit(0)
};

/// What a process needs to know to map a segment that another one has made.
struct SegmentLayout {
  char *base;
  size_t bytes;
  size_t sliceBytes;
  int32_t processors;
  /// The creator may use fewer cores than there are processors. One answer for
  /// all, since it decides how they meet.
  bool isCrowded;
};

/// The state of the run.
struct Control {
  SegmentLayout layout;
  /// Who reports the error that ends the run: rank + 1, Supervisor, or 0.
  alignas(CacheLine) std::atomic<uint32_t> reporter;
  /// AbortFlag | exit status, once a processor has ended the run.
  alignas(CacheLine) std::atomic<uint32_t> abortStatus;
  /// The process that keeps the output of processor 0.
  std::atomic<pid_t> keeper;
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
  /// at all. Children of this process have the segment; for processes that
  /// are not, \p file receives a descriptor for `open`, which the caller
  /// closes, and the segment lies where all processes have room
  /// (CommonAddress).
  static std::shared_ptr<Segment> create(int processors, size_t sliceBytes,
                                         int *file = nullptr);
  /// Maps the segment behind \p file, at the address that it has for its
  /// creator. Null, with errno set, if it is none or if something else is
  /// there. The file remains the caller's.
  static std::shared_ptr<Segment> open(int file);
  ~Segment();
  Segment(const Segment &) = delete;
  Segment &operator=(const Segment &) = delete;

  int processors() const { return count; }
  bool isCrowded() const { return control().layout.isCrowded; }
  Control &control() const { return *reinterpret_cast<Control *>(base); }
  ProcessorState &processor(int rank) const;
  Channel &channel(int from, int to) const;

  char *slice(int rank) const { return slices + rank * perSlice; }
  size_t sliceBytes() const { return perSlice; }

  /// What \p rank waits for; nothing if it runs, or could. If two rounds over
  /// all processors that are not finished find the same waits, none of them
  /// will ever run again: when the first round ended all were waiting, and what
  /// they wait for comes from processors.
  std::optional<Wait> waitOf(int rank) const {
    return processor(rank).wait.look();
  }

private:
  Segment() = default;
  void layOut(const SegmentLayout &layout);

  int count = 0;
  char *base = nullptr;
  size_t bytes = 0;
  char *channels = nullptr;
  char *slices = nullptr;
  size_t perSlice = 0;
};

/// Segments to be opened by processes that the creator has not forked lie here:
/// above the shadows of sanitizers and the strings (Memory/StringArena), below
/// all that the system places by itself.
inline constexpr uintptr_t CommonAddress = 0x200000000000;

/// The slice size to ask for: each processor could hold all of the machine's
/// memory, with room for gaps.
size_t defaultSliceBytes();

} // namespace zrt::shm

#endif // ZRT_TRANSPORT_SHM_SEGMENT_H
