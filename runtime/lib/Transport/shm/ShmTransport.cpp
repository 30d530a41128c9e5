//===- ShmTransport.cpp - Processors that share memory --------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Memory, messages, "ready" entries and the end of the run. The transfers that
/// build on them are in ShmExchange.cpp.
///
/// Memory: each processor has its own slice of the segment; all see all slices
/// at the same addresses. Shared memory has huge pages only where the
/// administrator allows it. Where not, large arrays lie in private memory, in
/// huge pages: with small ones, half of a sweep over 16 MiB goes into address
/// translation. What partners need of them goes through a copy in the slice
/// (ShmExchange.cpp). The sum of what is held for arrays is kept, because the
/// system would hand out more than it has and kill a processor later.
///
/// Messages: a byte ring per ordered pair, one writer, one reader. A message
/// is its size in 8 bytes and its data; long ones stream through in pieces of
/// half a ring.
///
/// Ready entries: a ring of cache lines per ordered pair. Entry n goes to slot
/// n modulo the size; raising the slot's flag to n+1 publishes it, and nothing
/// is ever reset. The receiver takes entries in order and puts aside those of
/// other exchanges than the one it looks for. A full ring must not block (SR
/// does not wait, or two processors could wait for each other), so such
/// entries are kept here and posted during the next wait.
///
/// Cost: a message or an entry between two running processors takes one or two
/// cache line transfers, some 100 to 200 ns.
///
//===----------------------------------------------------------------------===//

#include "Transport/shm/ShmTransport.h"

#include "Support/Clock.h"
#include "Support/Error.h"
#include "Transport/shm/ShmExchange.h"

#include <algorithm>
#include <cstring>
#include <ctime>
#include <fstream>
#include <string>
#include <sys/sysinfo.h>
#include <unistd.h>

using namespace zrt;
using namespace zrt::shm;

namespace {

/// Seconds that the others leave to processor 0 to report an error.
constexpr double ReportPatience = 2.0;

void sleepSeconds(double seconds) {
  timespec time = {0, static_cast<long>(seconds * 1e9)};
  nanosleep(&time, nullptr);
}

uint64_t machineMemory() {
  struct sysinfo machine;
  if (sysinfo(&machine) != 0)
    return UINT64_MAX;
  return (static_cast<uint64_t>(machine.totalram) + machine.totalswap) *
         machine.mem_unit;
}

/// Whether the system gives huge pages to shared memory that asks for them.
bool sharedMemoryHasHugePages() {
  std::ifstream setting("/sys/kernel/mm/transparent_hugepage/shmem_enabled");
  std::string text;
  std::getline(setting, text);
  return text.find('[') != std::string::npos &&
         text.find("[never]") == std::string::npos &&
         text.find("[deny]") == std::string::npos;
}

/// Both sides cut a message into the same pieces of at most half a ring, and
/// wait for whole pieces, so that each has something to do for a while. They
/// cannot wait for each other: if the writer is ahead, the piece the reader
/// wants is complete; if not, the ring is as good as empty.
constexpr uint64_t Portion = Channel::RingBytes / 2;

/// Copies between memory and the ring position \p at, which may wrap around.
void putIntoRing(Channel &channel, uint64_t at, const char *data,
                 size_t bytes) {
  size_t start = at % Channel::RingBytes;
  size_t first = std::min<size_t>(bytes, Channel::RingBytes - start);
  memcpy(channel.ring + start, data, first);
  memcpy(channel.ring, data + first, bytes - first);
}
void takeFromRing(const Channel &channel, uint64_t at, char *data,
                  size_t bytes) {
  size_t start = at % Channel::RingBytes;
  size_t first = std::min<size_t>(bytes, Channel::RingBytes - start);
  memcpy(data, channel.ring + start, first);
  memcpy(data + first, channel.ring, bytes - first);
}

} // namespace

ShmTransport::ShmTransport(std::shared_ptr<Segment> memory, int rank)
    : segment(std::move(memory)), self(rank),
      policy(choosePolicy(segment->processors())),
      slice(segment->slice(rank), segment->sliceBytes()),
      sliceHasHugePages(sharedMemoryHasHugePages()),
      partners(segment->processors()) {}

// --- Memory -----------------------------------------------------------------

bool ShmTransport::goesToSlice(size_t bytes) const {
  return bytes < PrivateHeap::HugeFrom || sliceHasHugePages;
}

void *ShmTransport::allocate(size_t bytes) {
  static const uint64_t available = machineMemory();
  std::atomic<uint64_t> &held = segment->control().allocated;
  size_t taken = SliceHeap::footprint(bytes);
  void *memory = nullptr;
  if (held.fetch_add(taken, std::memory_order_relaxed) + taken <= available)
    memory = goesToSlice(bytes) ? slice.allocate(bytes)
                                : privateHeap.allocate(bytes);
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
  return std::make_unique<ShmExchange>(*this, std::move(pairs));
}

// --- Waiting ----------------------------------------------------------------

void ShmTransport::await(Flag &flag, uint64_t target) {
  while (!pending.empty() && flag.load() < target) {
    postPending();
    sleepSeconds(20e-6);
  }
  flag.await(target, policy);
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
  slot.posted.raise(++partner.posted);
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
    await(slot.posted, partner.taken + 1);
    Ready ready = {from, slot.exchange, slot.record};
    channel.taken.store(++partner.taken, std::memory_order_release);
    if (ready.exchange == exchange)
      return ready.record;
    partner.early.push_back(ready);
  }
}

// --- Messages ---------------------------------------------------------------

/// Appends to the ring; a piece that is no full portion is not announced yet.
void ShmTransport::put(int to, const char *data, size_t bytes) {
  Channel &channel = segment->channel(self, to);
  uint64_t &at = partners[to].written;
  while (bytes > 0) {
    size_t piece = std::min<uint64_t>(bytes, Portion);
    uint64_t end = at + piece;
    if (end > channel.read.load() + Channel::RingBytes) {
      channel.written.raise(at);
      await(channel.read, end - Channel::RingBytes);
    }
    putIntoRing(channel, at, data, piece);
    at = end;
    data += piece;
    bytes -= piece;
    if (piece == Portion)
      channel.written.raise(at);
  }
}

void ShmTransport::get(int from, char *data, size_t bytes) {
  Channel &channel = segment->channel(from, self);
  uint64_t &at = partners[from].read;
  while (bytes > 0) {
    size_t piece = std::min<uint64_t>(bytes, Portion);
    await(channel.written, at + piece);
    takeFromRing(channel, at, data, piece);
    at += piece;
    data += piece;
    bytes -= piece;
    if (piece == Portion)
      channel.read.raise(at);
  }
}

void ShmTransport::send(int to, const void *data, size_t bytes) {
  ZRT_CHECK(to >= 0 && to < size() && to != self);
  uint64_t header = bytes;
  put(to, reinterpret_cast<const char *>(&header), sizeof header);
  put(to, static_cast<const char *>(data), bytes);
  segment->channel(self, to).written.raise(partners[to].written);
}

void ShmTransport::receive(int from, void *data, size_t bytes) {
  ZRT_CHECK(from >= 0 && from < size() && from != self);
  uint64_t header = 0;
  get(from, reinterpret_cast<char *>(&header), sizeof header);
  ZRT_CHECK(header == bytes);
  get(from, static_cast<char *>(data), bytes);
  segment->channel(from, self).read.raise(partners[from].read);
}

// --- The end of the run -----------------------------------------------------

bool ShmTransport::claimReport(bool replicated) {
  std::atomic<uint32_t> &reporter = segment->control().reporter;
  double patience = replicated && self != 0 ? ReportPatience : 0;
  double start = monotonicSeconds();
  while (reporter.load(std::memory_order_acquire) == 0 &&
         monotonicSeconds() - start < patience)
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
