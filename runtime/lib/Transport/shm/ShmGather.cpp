//===- ShmGather.cpp - Small data of all to all ---------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The members of a set of processors, a *circle*, publish a payload each and
/// read those of all. A circle has a *meeting* in shared memory: per member a
/// cache line with a flag and, if it fits, the payload.
///
/// Example: processors 0 to 3 in a 2 x 2 grid, processor 2 in a reduction of
/// its row {2, 3}, then of its column {0, 2}:
///
///     meeting {2, 3}: | 2: round 7, 1.5 | 3: round 7, 0.5 |
///     meeting {0, 2}: | 0: round 4, 8.0 | 2: round 3, ... |   2 writes next
///
/// Each circle has its own meeting, so those of several circles overlap in any
/// way: while 2 waits for 0 in the column, 3 may still read what 2 has
/// published in the row. A single line per processor would not do: 2 would
/// come to its next row while 3, held up elsewhere, has not read the last one.
///
/// Rounds alternate between two lines per member. Whoever writes its line for
/// round n has finished round n-1, so it has seen that all have come to n-1,
/// hence all have finished n-2 and nobody reads the line of n-2 any more.
/// No barrier, and nothing is ever reset.
///
/// Meeting for the first time: the first member lays out the meeting in its
/// slice and tells the others, each by an invitation in its channel. They know
/// that it will: a circle is new to all of its members at the same gather. One
/// invitation per pair is enough, since the first member leaves its
/// first round only when all have come to it, with the invitation in hand.
///
/// How members wait for each other depends on whether each has a core:
///  - if so, each looks at every other member's line until it has the round:
///    one cache line transfer from the writer to the reader, nothing else;
///  - if not, members count those who have come, and the last one raises one
///    flag for all. Each sleeps at most once per round and is woken by one
///    system call of the last one for all. Waiting for each member's line
///    would wake a sleeper for each of them.
///
/// Deadlock: a member publishes before it waits, and waits for members to come
/// to the same gather only.
///
/// Cost: one line written and count-1 lines read; measured for 8 bytes between
/// two cores about twice the time that a cache line takes from one to the
/// other.
///
//===----------------------------------------------------------------------===//

#include "Support/Error.h"
#include "Transport/shm/ShmTransport.h"

#include <algorithm>
#include <cstring>

using namespace zrt;
using namespace zrt::shm;

namespace zrt::shm {

/// The payload of one member in one round, if it is short.
struct alignas(CacheLine) GatherLine {
  static constexpr size_t Room = CacheLine - sizeof(Flag);
  Flag round;
  char data[Room];
};

} // namespace zrt::shm

namespace {

/// What all members may publish together in one round, if it does not fit in
/// their lines.
constexpr size_t RoundBytes = 64 << 10;
/// Reading the lines of more members costs more than a tree of messages.
constexpr int MostMembers = 1024;

size_t limitFor(int count) {
  if (count > MostMembers)
    return 0;
  size_t each = RoundBytes / count / CacheLine * CacheLine;
  return std::max(each, GatherLine::Room);
}

} // namespace

namespace zrt::shm {

/// Lies in the slice of the first member, as long as the segment.
struct Meeting {
  int64_t count; ///< of members
  size_t limit;  ///< bytes of the longest payload
  alignas(CacheLine) std::atomic<uint64_t> arrived; ///< members, in all rounds
  alignas(CacheLine) Flag complete;      ///< the round to which all have come
  alignas(CacheLine) GatherLine lines[]; ///< two per member; then long payloads

  static size_t bytes(int count) {
    return sizeof(Meeting) + 2 * count * (sizeof(GatherLine) + limitFor(count));
  }
  GatherLine &line(uint64_t round, int place) {
    return lines[round % 2 * count + place];
  }
  char *payload(uint64_t round, int place, size_t bytes) {
    if (bytes <= GatherLine::Room)
      return line(round, place).data;
    char *behind = reinterpret_cast<char *>(lines + 2 * count);
    return behind + (round % 2 * count + place) * limit;
  }
};

} // namespace zrt::shm

size_t ShmTransport::gatherLimit(int members) const {
  return limitFor(members);
}

void ShmTransport::gather(const int *members, int count, int place,
                          const void *mine, size_t bytes, void *all) {
  ZRT_CHECK(members[place] == self && bytes <= limitFor(count));
  char *target = static_cast<char *>(all);
  if (count == 1) {
    memcpy(target, mine, bytes);
    return;
  }
  Circle &circle = circleOf(members, count, place);
  Meeting &meeting = *circle.meeting;
  uint64_t round = ++circle.times;
  memcpy(meeting.payload(round, place, bytes), mine, bytes);
  traffic.sent(self, bytes);
  if (segment->isCrowded()) {
    if (meeting.arrived.fetch_add(1, std::memory_order_acq_rel) + 1 ==
        round * count)
      raise(meeting.complete, round);
    else
      await(members[place ? 0 : 1], meeting.complete, round);
  } else {
    raise(meeting.line(round, place).round, round);
  }
  for (int from = 0; from < count; ++from, target += bytes) {
    if (!segment->isCrowded())
      await(members[from], meeting.line(round, from).round, round);
    memcpy(target, meeting.payload(round, from, bytes), bytes);
  }
}

ShmTransport::Circle &ShmTransport::circleOf(const int *members, int count,
                                             int place) {
  auto isIt = [&](const Circle &circle) {
    return static_cast<int>(circle.members.size()) == count &&
           std::equal(members, members + count, circle.members.begin());
  };
  auto found = std::find_if(circles.begin(), circles.end(), isIt);
  if (found != circles.end())
    return *found;
  Meeting *meeting = nullptr;
  if (place == 0) {
    meeting = openMeeting(members, count);
  } else {
    int first = members[0];
    Invitation &invitation = segment->channel(first, self).invitation;
    await(first, invitation.sent, ++partners[first].invitations);
    meeting = invitation.meeting;
    ZRT_CHECK(meeting->count == count);
  }
  circles.push_back({{members, members + count}, meeting});
  return circles.back();
}

Meeting *ShmTransport::openMeeting(const int *members, int count) {
  auto *meeting = static_cast<Meeting *>(slice.allocate(Meeting::bytes(count)));
  if (!meeting)
    fatal(nullptr, ErrorScope::Local, "out of memory for a collective");
  meeting->count = count;
  meeting->limit = limitFor(count);
  for (int place = 1; place < count; ++place) {
    Invitation &invitation = segment->channel(self, members[place]).invitation;
    invitation.meeting = meeting;
    raise(invitation.sent, ++partners[members[place]].invited);
  }
  return meeting;
}
