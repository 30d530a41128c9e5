//===- SocketsTransport.cpp - An example of a transport -------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Processes on UNIX socket pairs, one pair for each two of them, as a plug-in:
///
///     ZRT_PLUGIN_DIR=build/ironman ./jacobi -p4 --transport=sockets
///
/// All that goes from one processor to another is a frame: a tag, a length, the
/// bytes. Messages have the tag -1, the data of an exchange its number. SR
/// packs and posts; DN waits for the frame of its tag. Whoever waits sends and
/// receives for all partners, so no two can block each other, and frames that
/// come before they are wanted are kept. Each byte is copied four times:
/// docs/Porting.md says what a fast transport does instead.
///
//===----------------------------------------------------------------------===//

#include "Transport/Plugin.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstring>
#include <ctime>
#include <deque>
#include <map>
#include <poll.h>
#include <string>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

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
  int64_t tag, bytes;
};

/// This processor's side of the socket to one other.
struct Peer {
  int socket = -1;
  std::deque<Bytes> out; ///< frames to send
  size_t sent = 0;       ///< bytes of the first of them
  Bytes in;              ///< what has come of the next frame
  std::map<int64_t, std::deque<Bytes>> arrived; ///< by tag
};

class SocketsTransport final : public Transport {
public:
  explicit SocketsTransport(const PluginServices *services);

  const char *name() const override { return "sockets"; }
  int rank() const override { return self; }
  int size() const override { return static_cast<int>(peers.size()); }
  void *allocate(size_t bytes) override {
    return services->allocate(services->heap, bytes);
  }
  void release(void *memory, size_t bytes) override {
    services->release(services->heap, memory, bytes);
  }
  std::unique_ptr<Exchange> makeExchange(std::vector<Pair> pairs) override;
  void send(int to, const void *data, size_t bytes) override {
    const char *first = static_cast<const char *>(data);
    post(to, MessageTag, Bytes(first, first + bytes));
  }
  void receive(int from, void *data, size_t bytes) override {
    Bytes message = take(from, MessageTag);
    memcpy(data, message.data(), bytes);
  }
  void progress() override { pump(0); }
  bool claimReport(bool replicated) override;
  [[noreturn]] void abort(int status) override;
  void finish() override;

  void post(int to, int64_t tag, const Bytes &data);
  Bytes take(int from, int64_t tag);

  const PluginServices *services;

private:
  [[noreturn]] void supervise(const std::vector<pid_t> &children);
  void pump(int milliseconds);
  void flush(Peer &peer);
  void drain(Peer &peer);

  int self = 0;
  Shared *shared = nullptr;
  std::vector<Peer> peers;
  int64_t exchanges = 0;
};

class SocketsExchange final : public Exchange {
public:
  SocketsExchange(SocketsTransport &transport, std::vector<Pair> pairs,
                  int64_t tag)
      : transport(transport), pairs(std::move(pairs)), tag(tag) {}

  void destinationReady() override {} // Nothing is written before DN.
  void sourceReady() override;
  void destinationNeeded() override;
  void sourceVolatile() override {} // SR has copied all.

private:
  SocketsTransport &transport;
  std::vector<Pair> pairs;
  int64_t tag;
};

size_t bytesOf(const std::vector<MemoryBlock> &blocks) {
  size_t bytes = 0;
  for (const MemoryBlock &block : blocks)
    bytes += block.bytes();
  return bytes;
}

// --- Start and end ----------------------------------------------------------

/// Returns in each of the processors that it starts.
SocketsTransport::SocketsTransport(const PluginServices *services)
    : services(services), peers(std::max(services->processors, 1)) {
  void *page = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED)
    services->fatal("no shared memory for the transport 'sockets'");
  shared = static_cast<Shared *>(page);
  std::vector<std::vector<int>> sockets(size(), std::vector<int>(size(), -1));
  for (int a = 0; a < size(); ++a)
    for (int b = a + 1; b < size(); ++b) {
      int both[2];
      if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, both) != 0)
        services->fatal("no more sockets for the transport 'sockets'");
      sockets[a][b] = both[0];
      sockets[b][a] = both[1];
    }
  pid_t parent = getpid();
  std::vector<pid_t> children;
  for (self = 0; self < size(); ++self) {
    children.push_back(fork());
    if (children.back() == 0)
      break;
  }
  for (int a = 0; a < size(); ++a)
    for (int b = 0; b < size(); ++b)
      if (a == self)
        peers[b].socket = sockets[a][b];
      else if (a != b)
        close(sockets[a][b]);
  if (self == size())
    supervise(children);
  prctl(PR_SET_PDEATHSIG, SIGKILL); // The starting process takes us along.
  if (getppid() != parent)
    _exit(1);
}

/// The starting process waits for the others and exits as the run does.
void SocketsTransport::supervise(const std::vector<pid_t> &children) {
  std::string report;
  int status = 0, ended = 0;
  for (pid_t child; report.empty() && (child = wait(&status)) > 0;) {
    bool isRegular = WIFEXITED(status) && shared->finished > ended++;
    for (size_t i = 0; i < children.size() && !isRegular; ++i)
      if (children[i] == child)
        report = "processor " + std::to_string(i) + " of " +
                 std::to_string(children.size()) +
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

bool SocketsTransport::claimReport(bool replicated) {
  constexpr timespec Moment = {0, 10000000};
  int nobody = 0; // Processor 0 has a second for an error that all see.
  for (int i = 0; replicated && self && shared->reporter == 0 && i < 100; ++i)
    nanosleep(&Moment, nullptr);
  return shared->reporter.compare_exchange_strong(nobody, self + 1);
}

void SocketsTransport::abort(int status) {
  int reporter = shared->reporter, running = 0;
  bool isMine = reporter == 0 || reporter == self + 1;
  if (isMine &&
      shared->status.compare_exchange_strong(running, Shared::Ended | status))
    _exit(status);
  while (true)
    pause(); // The starting process ends this one.
}

void SocketsTransport::finish() {
  for (Peer &peer : peers)
    while (!peer.out.empty())
      pump(-1);
  ++shared->finished;
}

// --- Frames -----------------------------------------------------------------

void SocketsTransport::post(int to, int64_t tag, const Bytes &data) {
  Header header = {tag, static_cast<int64_t>(data.size())};
  const char *head = reinterpret_cast<const char *>(&header);
  Bytes frame(head, head + sizeof header);
  frame.insert(frame.end(), data.begin(), data.end());
  peers[to].out.push_back(std::move(frame));
  ++traffic.messages;
  traffic.bytes += data.size();
  pump(0);
}

Bytes SocketsTransport::take(int from, int64_t tag) {
  std::deque<Bytes> &list = peers[from].arrived[tag];
  while (list.empty()) {
    pump(hasIdle() ? 0 : -1);
    callIdle();
  }
  Bytes data = std::move(list.front());
  list.pop_front();
  return data;
}

/// Sends and receives what can be, and waits for that if it may.
void SocketsTransport::pump(int milliseconds) {
  std::vector<pollfd> files;
  for (const Peer &peer : peers) {
    int events = POLLIN | (peer.out.empty() ? 0 : POLLOUT);
    files.push_back({peer.socket, static_cast<short>(events), 0});
  }
  ++traffic.calls;
  poll(files.data(), files.size(), milliseconds);
  for (int i = 0; i < size(); ++i) {
    if (files[i].revents & POLLOUT)
      flush(peers[i]);
    if (files[i].revents & (POLLIN | POLLHUP | POLLERR))
      drain(peers[i]);
  }
}

void SocketsTransport::flush(Peer &peer) {
  const Bytes &frame = peer.out.front();
  ++traffic.calls;
  ssize_t count = ::send(peer.socket, frame.data() + peer.sent,
                         frame.size() - peer.sent, MSG_DONTWAIT | MSG_NOSIGNAL);
  if (count > 0 && (peer.sent += count) == frame.size()) {
    peer.out.pop_front();
    peer.sent = 0;
  }
}

void SocketsTransport::drain(Peer &peer) {
  // No further than the end of the frame that comes.
  Header header = {};
  size_t have = peer.in.size(), want = sizeof header;
  if (have >= want) {
    memcpy(&header, peer.in.data(), sizeof header);
    want += header.bytes;
  }
  peer.in.resize(want);
  ++traffic.calls;
  ssize_t count =
      recv(peer.socket, peer.in.data() + have, want - have, MSG_DONTWAIT);
  peer.in.resize(have + std::max<ssize_t>(count, 0));
  if (count == 0) { // It has finished, or else we are killed soon.
    close(peer.socket);
    peer.socket = -1;
  }
  if (peer.in.size() < sizeof header)
    return;
  memcpy(&header, peer.in.data(), sizeof header);
  if (peer.in.size() < sizeof header + header.bytes)
    return;
  peer.in.erase(peer.in.begin(), peer.in.begin() + sizeof header);
  peer.arrived[header.tag].push_back(std::exchange(peer.in, {}));
}

// --- Exchanges --------------------------------------------------------------

std::unique_ptr<Exchange>
SocketsTransport::makeExchange(std::vector<Pair> pairs) {
  return std::make_unique<SocketsExchange>(*this, std::move(pairs),
                                           exchanges++);
}

void SocketsExchange::sourceReady() {
  for (const Pair &pair : pairs) {
    Bytes data(bytesOf(pair.sends));
    char *at = data.data();
    for (const MemoryBlock &block : pair.sends) {
      transport.services->pack(block, at);
      at += block.bytes();
    }
    if (!data.empty())
      transport.post(pair.partner, tag, data);
  }
}

void SocketsExchange::destinationNeeded() {
  for (const Pair &pair : pairs) {
    if (bytesOf(pair.receives) == 0)
      continue;
    Bytes data = transport.take(pair.partner, tag);
    const char *at = data.data();
    for (const MemoryBlock &block : pair.receives) {
      transport.services->unpack(at, block);
      at += block.bytes();
    }
  }
}

} // namespace

ZRT_TRANSPORT_PLUGIN(SocketsTransport)
