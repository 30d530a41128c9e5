//===- HybridTransport.cpp - Shared memory inside nodes -------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Two transports behind one interface:
///
///     mpiexec -n 6 ./prog --transport=hybrid     on two machines of three
///     cores
///
///     0 ~ 1 ~ 2  |  3 ~ 4 ~ 5       ~  shm, in a segment of the node
///                                   all other pairs: mpi
///
/// Start: each processor tells processor 0 what its node is called (host name,
/// boot, name space of process ids; two that agree in these can open each
/// other's files), and hears the numbers of all nodes. The first processor of a
/// node makes a segment and tells the others where its file is,
/// /proc/PID/fd/N. It closes the file when all have opened it, so nothing ever
/// has a name.
///
/// Each point of an exchange is that of its two halves, one after the other.
/// While a wait in one transport goes on, the other one must not stand still: a
/// long message of MPI moves only if both sides call MPI, and the sender may be
/// waiting for shared memory by then. So each is called in the waits of the
/// other (Transport::setIdle, progress). The watch over runs that cannot go on
/// is that of MPI, and hears of the waits inside nodes
/// (Transport::waitElsewhere).
///
/// Cost: that of the transport which the data take; a point of an exchange that
/// has both kinds of partners is two calls.
///
//===----------------------------------------------------------------------===//

#include "Transport/hybrid/HybridTransport.h"

#include "Support/Env.h"
#include "Support/Error.h"
#include "Transport/shm/ShmTransport.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <string>
#include <unistd.h>

using namespace zrt;

namespace {

// --- Nodes ------------------------------------------------------------------

/// What processors of one node, and no others, have in common.
std::string nodeName(int rank) {
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  std::string boot;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), boot);
  char space[64] = {};
  if (readlink("/proc/self/ns/pid", space, sizeof space - 1) < 0)
    space[0] = 0;
  std::string name = std::string(host) + " " + boot + " " + space;
  if (std::optional<long> size = envNumber(EnvVariable::NodeSize))
    name += " " + std::to_string(rank / *size);
  return name;
}

/// The number of each processor's node.
std::vector<int> agreeOnNodes(Transport &between) {
  constexpr size_t NameBytes = 512;
  int size = between.size();
  std::vector<int> nodes(size);
  std::string own = nodeName(between.rank());
  own.resize(NameBytes);
  if (between.rank() != 0) {
    between.send(0, own.data(), NameBytes);
    between.receive(0, nodes.data(), nodes.size() * sizeof(int));
    return nodes;
  }
  std::vector<std::string> names = {own};
  for (int from = 1; from < size; ++from) {
    std::string name(NameBytes, 0);
    between.receive(from, name.data(), NameBytes);
    auto known = std::find(names.begin(), names.end(), name);
    nodes[from] = static_cast<int>(known - names.begin());
    if (known == names.end())
      names.push_back(name);
  }
  for (int to = 1; to < size; ++to)
    between.send(to, nodes.data(), nodes.size() * sizeof(int));
  return nodes;
}

/// Where the segment of a node is.
struct SegmentPlace {
  pid_t process;
  int file;
};

std::shared_ptr<shm::Segment> createFor(Transport &between,
                                        const std::vector<int> &members) {
  SegmentPlace place = {getpid(), -1};
  std::shared_ptr<shm::Segment> segment = shm::Segment::create(
      static_cast<int>(members.size()), shm::defaultSliceBytes(), &place.file);
  if (!segment)
    fatal(nullptr, ErrorScope::Local,
          "cannot reserve shared memory for the %d processors of a node: %s",
          static_cast<int>(members.size()), strerror(errno));
  for (size_t i = 1; i < members.size(); ++i)
    between.send(members[i], &place, sizeof place);
  for (size_t i = 1; i < members.size(); ++i) {
    char opened = 0;
    between.receive(members[i], &opened, 1);
  }
  close(place.file);
  return segment;
}

std::shared_ptr<shm::Segment> openOf(Transport &between, int first) {
  SegmentPlace place;
  between.receive(first, &place, sizeof place);
  std::string path = "/proc/" + std::to_string(place.process) + "/fd/" +
                     std::to_string(place.file);
  int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
  std::shared_ptr<shm::Segment> segment =
      file < 0 ? nullptr : shm::Segment::open(file);
  if (!segment)
    fatal(nullptr, ErrorScope::Local,
          "cannot open the memory of processor %d, %s: %s", first, path.c_str(),
          strerror(errno));
  close(file);
  char opened = 1;
  between.send(first, &opened, 1);
  return segment;
}

// --- The transport ----------------------------------------------------------

class HybridTransport final : public Transport {
public:
  explicit HybridTransport(std::unique_ptr<Transport> mpi);

  const char *name() const override { return "hybrid"; }
  int rank() const override { return between->rank(); }
  int size() const override { return between->size(); }

  void *allocate(size_t bytes) override { return inside->allocate(bytes); }
  void release(void *memory, size_t bytes) override {
    inside->release(memory, bytes);
  }
  std::unique_ptr<Exchange> makeExchange(std::vector<Pair> pairs) override;
  void send(int to, const void *data, size_t bytes) override;
  void receive(int from, void *data, size_t bytes) override;
  void exchange(int partner, const void *out, void *in, size_t bytes) override;
  void progress() override;
  bool travels(int partner) const override { return places[partner] < 0; }
  bool findsHangs() const override { return between->findsHangs(); }
  bool claimReport(bool replicated) override {
    return between->claimReport(replicated);
  }
  [[noreturn]] void abort(int status) override {
    between->abort(status);
    __builtin_unreachable(); // GCC forgets that a virtual call does not return.
  }
  void finish() override;

  void countPartners(uint64_t *partners) override {
    between->countPartners(partners);
    inside->countPartners(partners);
    inside->traffic.numbers = members.data();
  }

  /// Brings `traffic` up to date.
  void countTraffic();

private:
  /// Calls \p action with the transport that reaches \p partner, and with the
  /// partner's number there.
  template <typename F> void with(int partner, F action) {
    int place = places[partner];
    Transport &used = place < 0 ? *between : *inside;
    action(used, place < 0 ? partner : place);
    countTraffic();
  }

  static void moveInside(void *transport);
  static void moveBetween(void *transport);

  std::unique_ptr<Transport> between;
  std::unique_ptr<shm::ShmTransport> inside;
  std::vector<int> members; ///< processors inside, by their numbers there
  std::vector<int> places;  ///< number of each processor inside; -1: elsewhere
};

// --- Exchanges --------------------------------------------------------------

/// Both halves; either may be empty on this processor.
class HybridExchange final : public Exchange {
public:
  HybridExchange(HybridTransport &transport, std::unique_ptr<Exchange> between,
                 std::unique_ptr<Exchange> inside)
      : transport(transport), between(std::move(between)),
        inside(std::move(inside)) {}

  void destinationReady() override {
    between->destinationReady();
    inside->destinationReady();
  }
  void sourceReady() override {
    between->sourceReady();
    inside->sourceReady();
    transport.countTraffic();
  }
  void destinationNeeded() override {
    inside->destinationNeeded();
    between->destinationNeeded();
    transport.countTraffic();
  }
  void sourceVolatile() override {
    inside->sourceVolatile();
    between->sourceVolatile();
  }

private:
  HybridTransport &transport;
  std::unique_ptr<Exchange> between, inside;
};

} // namespace

HybridTransport::HybridTransport(std::unique_ptr<Transport> mpi)
    : between(std::move(mpi)), places(between->size(), -1) {
  std::vector<int> nodes = agreeOnNodes(*between);
  for (int rank = 0; rank < size(); ++rank)
    if (nodes[rank] == nodes[between->rank()]) {
      places[rank] = static_cast<int>(members.size());
      members.push_back(rank);
    }
  std::shared_ptr<shm::Segment> segment = members[0] == rank()
                                              ? createFor(*between, members)
                                              : openOf(*between, members[0]);
  inside = std::make_unique<shm::ShmTransport>(std::move(segment),
                                               places[between->rank()]);
  // Where all are in one node there is nothing between nodes to move, but the
  // waits are to be heard of.
  constexpr long Often = 50000, Seldom = 10000000; // nanoseconds
  bool isAlone = members.size() == static_cast<size_t>(size());
  between->setIdle(moveInside, this);
  inside->setIdle(moveBetween, this, isAlone ? Seldom : Often);
}

void HybridTransport::moveInside(void *transport) {
  static_cast<HybridTransport *>(transport)->inside->progress();
}

void HybridTransport::moveBetween(void *transport) {
  auto *self = static_cast<HybridTransport *>(transport);
  self->between->progress();
  self->between->waitElsewhere(self->inside->busyWaits());
}

void HybridTransport::countTraffic() {
  const Traffic &far = between->traffic, &near = inside->traffic;
  traffic.messages = far.messages + near.messages;
  traffic.bytes = far.bytes + near.bytes;
  traffic.calls = far.calls + near.calls;
}

std::unique_ptr<Exchange>
HybridTransport::makeExchange(std::vector<Pair> pairs) {
  std::vector<Pair> far, near;
  for (Pair &pair : pairs) {
    int place = places[pair.partner];
    if (place >= 0)
      pair.partner = place;
    (place < 0 ? far : near).push_back(std::move(pair));
  }
  std::unique_ptr<Exchange> farHalf = between->makeExchange(std::move(far));
  return std::make_unique<HybridExchange>(
      *this, std::move(farHalf), inside->makeExchange(std::move(near)));
}

void HybridTransport::send(int to, const void *data, size_t bytes) {
  with(to,
       [&](Transport &used, int number) { used.send(number, data, bytes); });
}

void HybridTransport::receive(int from, void *data, size_t bytes) {
  with(from,
       [&](Transport &used, int number) { used.receive(number, data, bytes); });
}

void HybridTransport::exchange(int partner, const void *out, void *in,
                               size_t bytes) {
  with(partner, [&](Transport &used, int number) {
    used.exchange(number, out, in, bytes);
  });
}

void HybridTransport::progress() {
  between->progress();
  inside->progress();
}

void HybridTransport::finish() {
  between->setIdle(nullptr, nullptr);
  inside->finish();
  between->finish();
}

std::unique_ptr<Transport>
zrt::makeHybridTransport(std::unique_ptr<Transport> between) {
  return std::make_unique<HybridTransport>(std::move(between));
}
