//===- FilesTransport.cpp - An example of a transport ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Processes that write into each other's files, which lie in memory only:
///
///     ZRT_PLUGIN_DIR=build/ironman ./jacobi -p4 --transport=files
///
/// Each processor has one file. All that goes to it is appended as a frame: who
/// sent it, a tag, a length, the bytes. Messages have the tag -1, the data of
/// an exchange its number. SR packs and appends, which never waits; DN reads up
/// to the frame of its tag and keeps those that it meets on the way. Each byte
/// is copied four times: docs/Porting.md says what a fast transport does.
///
//===----------------------------------------------------------------------===//

#include "Transport/Plugin.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstring>
#include <ctime>
#include <deque>
#include <fcntl.h>
#include <map>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace zrt;

namespace {

using Bytes = std::vector<char>;
constexpr int64_t MessageTag = -1;

/// What all processes see, the starting one too.
struct Shared {
  std::atomic<int> reporter; ///< rank + 1 of who reports an error
  std::atomic<int> status;   ///< Ended | exit status, after abort
  std::atomic<int> finished; ///< how many have come to the regular end
  static constexpr int Ended = 0x100;
};

struct Header {
  int64_t from, tag, bytes;
};

class FilesTransport final : public Transport {
public:
  explicit FilesTransport(const PluginServices *services);

  const char *name() const override { return "files"; }
  int rank() const override { return self; }
  int size() const override { return static_cast<int>(files.size()); }
  void *allocate(size_t bytes) override {
    return services->allocate(services->heap, bytes);
  }
  void release(void *memory, size_t bytes) override {
    services->release(services->heap, memory, bytes);
  }
  std::unique_ptr<Exchange> makeExchange(std::vector<Pair> pairs) override;
  void send(int to, const void *data, size_t bytes) override {
    post(to, MessageTag, data, bytes);
  }
  void receive(int from, void *data, size_t bytes) override {
    memcpy(data, take(from, MessageTag).data(), bytes);
  }
  bool claimReport(bool replicated) override;
  [[noreturn]] void abort(int status) override;
  void finish() override { ++shared->finished; }

  void post(int to, int64_t tag, const void *data, size_t bytes);
  Bytes take(int from, int64_t tag);

  const PluginServices *services;

private:
  [[noreturn]] void supervise(const std::vector<pid_t> &children);
  void read(void *data, size_t bytes);

  int self = 0;
  Shared *shared = nullptr;
  std::vector<int> files; ///< of each processor
  off_t position = 0;     ///< what is before it in our file has been read
  std::map<std::pair<int64_t, int64_t>, std::deque<Bytes>> arrived;
  int64_t exchanges = 0;
};

class FilesExchange final : public Exchange {
public:
  FilesExchange(FilesTransport &transport, std::vector<Pair> pairs, int64_t tag)
      : transport(transport), pairs(std::move(pairs)), tag(tag) {}

  void destinationReady() override {} // Nothing is written before DN.
  void sourceReady() override;
  void destinationNeeded() override;
  void sourceVolatile() override {} // SR has copied all.

private:
  FilesTransport &transport;
  std::vector<Pair> pairs;
  int64_t tag;
};

// --- Start and end ----------------------------------------------------------

/// Returns in each of the processors that it starts.
FilesTransport::FilesTransport(const PluginServices *services)
    : services(services), files(std::max(services->processors, 1)) {
  void *page = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  for (int &file : files)
    if (page == MAP_FAILED || (file = memfd_create("zrt", MFD_CLOEXEC)) < 0 ||
        fcntl(file, F_SETFL, O_APPEND) != 0)
      services->fatal("no more files in memory for the transport 'files'");
  shared = static_cast<Shared *>(page);
  pid_t parent = getpid();
  std::vector<pid_t> children;
  for (self = 0; self < size(); ++self) {
    children.push_back(fork());
    if (children.back() == 0)
      break;
  }
  if (self == size())
    supervise(children);
  prctl(PR_SET_PDEATHSIG, SIGKILL); // The starting process takes us along.
  if (getppid() != parent)
    _exit(1);
}

/// The starting process waits for the others and exits as the run does.
void FilesTransport::supervise(const std::vector<pid_t> &children) {
  std::string report;
  int status = 0, ended = 0;
  for (pid_t child; report.empty() && (child = wait(&status)) > 0;) {
    bool isRegular = WIFEXITED(status) && shared->finished > ended++;
    auto found = std::find(children.begin(), children.end(), child);
    if (!isRegular && found != children.end())
      report = "processor " + std::to_string(found - children.begin()) +
               " of " + std::to_string(children.size()) +
               (WIFSIGNALED(status) ? " was killed" : " ended") +
               " before the others";
  }
  if (report.empty())
    _exit(WEXITSTATUS(status));
  for (pid_t child : children)
    kill(child, SIGKILL);
  while (wait(nullptr) > 0)
    ;
  if (shared->status == 0)
    services->fatal(report.c_str());
  _exit(shared->status & 0xff);
}

bool FilesTransport::claimReport(bool replicated) {
  constexpr timespec Moment = {0, 10000000};
  int nobody = 0; // Processor 0 has a second for an error that all see.
  for (int i = 0; replicated && self && shared->reporter == 0 && i < 100; ++i)
    nanosleep(&Moment, nullptr);
  return shared->reporter.compare_exchange_strong(nobody, self + 1);
}

void FilesTransport::abort(int status) {
  int reporter = shared->reporter, running = 0;
  bool isMine = reporter == 0 || reporter == self + 1;
  if (isMine &&
      shared->status.compare_exchange_strong(running, Shared::Ended | status))
    _exit(status);
  while (true)
    pause(); // The starting process ends this one.
}

// --- Frames -----------------------------------------------------------------

/// One writev appends all of a frame: those of others stay before or behind.
void FilesTransport::post(int to, int64_t tag, const void *data, size_t bytes) {
  Header header = {self, tag, static_cast<int64_t>(bytes)};
  iovec parts[] = {{&header, sizeof header}, {const_cast<void *>(data), bytes}};
  if (writev(files[to], parts, 2) != ssize_t(sizeof header + bytes))
    services->fatal("no memory left for the transport 'files'");
  ++traffic.calls;
  traffic.sent(to, bytes);
}

Bytes FilesTransport::take(int from, int64_t tag) {
  std::deque<Bytes> &list = arrived[{from, tag}];
  while (list.empty()) {
    Header header;
    read(&header, sizeof header);
    Bytes data(header.bytes);
    read(data.data(), data.size());
    arrived[{header.from, header.tag}].push_back(std::move(data));
    fallocate(files[self], FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0,
              position); // Gives back what has been read.
  }
  Bytes data = std::move(list.front());
  list.pop_front();
  return data;
}

void FilesTransport::read(void *data, size_t bytes) {
  char *at = static_cast<char *>(data), *end = at + bytes;
  while (at != end) {
    ssize_t count = pread(files[self], at, end - at, position);
    ++traffic.calls;
    if (count > 0) {
      at += count;
      position += count;
    } else { // It has not come yet.
      callIdle();
      sched_yield();
    }
  }
}

// --- Exchanges --------------------------------------------------------------

std::unique_ptr<Exchange>
FilesTransport::makeExchange(std::vector<Pair> pairs) {
  return std::make_unique<FilesExchange>(*this, std::move(pairs), exchanges++);
}

void FilesExchange::sourceReady() {
  for (const Pair &pair : pairs) {
    Bytes data;
    for (const MemoryBlock &block : pair.sends) {
      data.resize(data.size() + block.bytes());
      transport.services->pack(block,
                               data.data() + data.size() - block.bytes());
    }
    if (!data.empty())
      transport.post(pair.partner, tag, data.data(), data.size());
  }
}

void FilesExchange::destinationNeeded() {
  for (const Pair &pair : pairs) {
    Bytes data;
    size_t used = 0;
    for (const MemoryBlock &block : pair.receives) {
      if (data.empty() && block.bytes() != 0)
        data = transport.take(pair.partner, tag);
      transport.services->unpack(data.data() + used, block);
      used += block.bytes();
    }
  }
}

} // namespace

ZRT_TRANSPORT_PLUGIN(FilesTransport)
