//===- ShmTransport.cpp - Processors that share memory --------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Memory, waiting, "ready" entries and the end of the run. Transfers are in
/// ShmExchange.cpp, messages in ShmMessages.cpp, gathers in ShmGather.cpp.
///
/// Memory: each processor has its own slice of the segment; all see all slices
/// at the same addresses. Where the system makes no huge pages of shared memory
/// large arrays lie in private memory that has them: with small ones, half of a
/// sweep over 16 MiB goes into address translation. So do very large ones,
/// since huge pages of slices are there from the start (SliceHeap.cpp). What
/// partners need of them goes through a copy in the slice (ShmExchange.cpp).
/// The sum of what is held for arrays is kept, because the
/// system would hand out more than it has and kill a processor later.
///
/// Ready entries: a ring of cache lines per ordered pair, for the first meeting
/// of two processors in an exchange. Entry n goes to slot n modulo the size;
/// raising the slot's flag to n+1 publishes it, and nothing is ever reset. The
/// receiver takes entries in order and puts aside those of other exchanges than
/// the one it looks for. A full ring must not block (the receiver may have to
/// get something else from us before it takes an entry), so such entries are
/// kept here and posted during the next wait.
///
/// Waiting: `await` is the one place. It enters the wait in the processor's
/// state in the segment before it yields or sleeps, so that the supervisor can
/// tell a run in which nobody will go on; not while entries are pending, since
/// then it looks at these every 50 us, or `setIdle` has given other work.
///
/// Cost: an entry between two running processors takes one or two cache line
/// transfers, some 100 to 200 ns.
///
//===----------------------------------------------------------------------===//

#include "Transport/shm/ShmTransport.h"

#include "Machine/MachineMemory.h"
#include "Support/CatchUp.h"
#include "Support/Clock.h"
#include "Support/Error.h"
#include "Transport/shm/ShmExchange.h"

#include <algorithm>
#include <cstring>
#include <ctime>
#include <unistd.h>

using namespace zrt;
using namespace zrt::shm;

namespace {

/// Seconds that the others leave to processor 0 to report an error.
constexpr double ReportPatience = 2.0;

/// Nanoseconds of sleep between looks, where nobody wakes a waiting processor
/// or it has entries to post.
constexpr long Nap = 50000;

/// Arrays up to so many bytes may have all their pages from the start on. The
/// program perhaps uses a part only of larger ones.
constexpr size_t MostFromStart = 1 << 30;

void sleepSeconds(double seconds) {
  timespec time = {0, static_cast<long>(seconds * 1e9)};
  nanosleep(&time, nullptr);
}

} // namespace

ShmTransport::ShmTransport(std::shared_ptr<Segment> memory, int rank)
    : segment(std::move(memory)), self(rank),
      policy(choosePolicy(segment->isCrowded())),
      slice(segment->slice(rank), segment->sliceBytes()),
      partners(segment->processors()) {}

// --- Memory -----------------------------------------------------------------

bool ShmTransport::goesToSlice(size_t bytes) {
  if (bytes < SliceHeap::HugeFrom)
    return true;
  if (bytes > MostFromStart)
    return false;
  if (!sliceHasHugePages)
    sliceHasHugePages = slice.makeHugePages();
  return *sliceHasHugePages;
}

void *ShmTransport::allocate(size_t bytes) {
  std::atomic<uint64_t> &held = segment->control().allocated;
  size_t taken = SliceHeap::footprint(bytes);
  if (!takeMemory(held, taken))
    return nullptr;
  void *memory =
      goesToSlice(bytes) ? slice.allocate(bytes) : privateHeap.allocate(bytes);
  if (!memory)
    held.fetch_sub(taken, std::memory_order_relaxed);
  return memory;
}

void ShmTransport::release(void *memory, size_t bytes) {
  if (goesToSlice(bytes))
    slice.release(memory, bytes);
  else
    privateHeap.release(memory, bytes);
  segment->control().allocated.fetch_sub(SliceHeap::footprint(bytes),
                                         std::memory_order_relaxed);
}

bool ShmTransport::isShared(const char *memory) const {
  const char *start = segment->slice(self);
  return memory >= start && memory < start + segment->sliceBytes();
}

std::unique_ptr<Exchange> ShmTransport::makeExchange(std::vector<Pair> pairs) {
  return std::make_unique<ShmExchange>(*this, pairs);
}

// --- Waiting ----------------------------------------------------------------

long ShmTransport::napBetweenWork() const {
  return pending.empty() ? pauseOfIdle() : Nap;
}

void ShmTransport::awaitQuiet(int partner, Flag &flag, uint64_t target) {
  if (flag.spin(target, policy.spins))
    return;
  ++waits;
  while (!pending.empty() || hasIdle()) {
    postPending();
    callIdle();
    if (flag.load() >= target)
      return;
    flag.doze(target, Nap);
    ++traffic.calls;
  }
  WaitState &state = segment->processor(self).wait;
  state.enter(partner, flag, target);
  for (; flag.load() < target; ++traffic.calls)
    flag.doze(target, Nap);
  state.leave();
}

void ShmTransport::awaitSlowly(int partner, Flag &flag, uint64_t target) {
  constexpr int Looks = 100;
  ++waits;
  // While there is other work, look at it now and then, also when asleep.
  for (int turn = 0; !pending.empty() || hasIdle(); ++turn) {
    postPending();
    callIdle();
    if (flag.spin(target, std::min(policy.spins, Looks)))
      return;
    if (turn * Looks >= policy.spins) {
      flag.doze(target, napBetweenWork());
      ++traffic.calls;
    }
  }
  if (flag.spin(target, policy.spins))
    return;
  WaitState &state = segment->processor(self).wait;
  state.enter(partner, flag, target);
  traffic.calls += flag.await(target, {0, policy.yields});
  state.leave();
}

// --- Ready entries ----------------------------------------------------------

bool ShmTransport::tryPost(const Ready &ready) {
  Partner &partner = partners[ready.partner];
  Channel &channel = segment->channel(self, ready.partner);
  if (partner.posted - partner.takenByIt == Channel::Slots) {
    partner.takenByIt = channel.taken.load(std::memory_order_acquire);
    if (partner.posted - partner.takenByIt == Channel::Slots)
      return false;
  }
  ReadySlot &slot = channel.ready[partner.posted % Channel::Slots];
  slot.record = ready.record;
  slot.exchange = ready.exchange;
  raise(slot.posted, ++partner.posted);
  return true;
}

void ShmTransport::postPending() {
  // In any order: entries are found by their exchange, and one partner's full
  // ring must not hold up another partner.
  std::erase_if(pending, [&](const Ready &ready) { return tryPost(ready); });
}

void ShmTransport::postReady(int partner, uint64_t exchange,
                             SendRecord *record) {
  Ready ready = {partner, exchange, record};
  if (!tryPost(ready))
    pending.push_back(ready);
}

SendRecord *ShmTransport::takeReady(int from, uint64_t exchange) {
  Partner &partner = partners[from];
  for (auto entry = partner.early.begin(); entry != partner.early.end();
       ++entry)
    if (entry->exchange == exchange) {
      SendRecord *record = entry->record;
      partner.early.erase(entry);
      return record;
    }
  Channel &channel = segment->channel(from, self);
  while (true) {
    ReadySlot &slot = channel.ready[partner.taken % Channel::Slots];
    await(from, slot.posted, partner.taken + 1);
    Ready ready = {from, slot.exchange, slot.record};
    channel.taken.store(++partner.taken, std::memory_order_release);
    if (ready.exchange == exchange)
      return ready.record;
    partner.early.push_back(ready);
  }
}

// --- The end of the run -----------------------------------------------------

bool ShmTransport::claimReport(bool replicated) {
  std::atomic<uint32_t> &reporter = segment->control().reporter;
  if (self != 0) // What comes before the error is written first.
    catchUp(segment->processor(0).operation,
            segment->processor(self).operation);
  double patience = replicated && self != 0 ? ReportPatience : 0;
  double start = machineSeconds();
  while (reporter.load(std::memory_order_acquire) == 0 &&
         machineSeconds() - start < patience)
    sleepSeconds(2e-3);
  uint32_t nobody = 0;
  return reporter.compare_exchange_strong(nobody, self + 1,
                                          std::memory_order_acq_rel);
}

void ShmTransport::abort(int status) {
  Control &control = segment->control();
  uint32_t reporter = control.reporter.load(std::memory_order_acquire);
  uint32_t running = 0;
  if ((reporter == 0 || reporter == static_cast<uint32_t>(self) + 1) &&
      control.abortStatus.compare_exchange_strong(
          running, Control::AbortFlag | (status & 0xff),
          std::memory_order_acq_rel))
    _exit(status);
  while (true)
    pause(); // The supervisor ends this process.
}

void ShmTransport::finish() {
  // A partner may still look for what SV has not waited for.
  for (postPending(); !pending.empty(); postPending())
    sleepSeconds(Nap * 1e-9);
  segment->processor(self).finished.store(1, std::memory_order_release);
}

std::vector<std::unique_ptr<Transport>>
zrt::shm::makeThreadTransports(int processors) {
  std::vector<std::unique_ptr<Transport>> transports;
  std::shared_ptr<Segment> segment =
      Segment::create(processors, size_t(256) << 20);
  for (int rank = 0; segment && rank < processors; ++rank)
    transports.push_back(std::make_unique<ShmTransport>(segment, rank));
  return transports;
}
