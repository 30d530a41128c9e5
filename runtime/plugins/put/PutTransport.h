//===- PutTransport.h - Processors that write to each other -----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_PLUGINS_PUT_PUTTRANSPORT_H
#define ZRT_PLUGINS_PUT_PUTTRANSPORT_H

#include "../onesided/PutExchange.h"
#include "Region.h"

namespace zrt::put {

class PutTransport;

/// MPI's windows as a library of puts.
class Windows final : public onesided::OneSided {
public:
  Windows(PutTransport &transport, Region &region)
      : transport(transport), region(region) {}

  void *allocate(size_t bytes) override { return region.allocate(bytes); }
  void release(void *memory, size_t bytes) override {
    region.release(memory, bytes);
  }
  uint64_t place(const void *own) const override { return region.offset(own); }
  bool isReachable(const void *own) const override { return region.holds(own); }
  char *mapped(int partner, uint64_t place) const override {
    char *piece = region.neighbour(partner);
    return piece ? piece + place : nullptr;
  }
  void put(int partner, uint64_t place, const void *from,
           size_t bytes) override;
  void get(int partner, uint64_t place, void *to, size_t bytes) override;
  void signal(int partner, uint64_t place, uint64_t value) override;
  void await(int partner, uint64_t *flag, uint64_t value) override;
  void awaitSources(int partner) override;
  bool isOver() const override { return region.isClosed(); }
  const PluginServices &services() const override;

private:
  PutTransport &transport;
  Region &region;
};

/// The transport `put`: transfers by stores and puts, messages by MPI.
class PutTransport final : public mpi::MpiProcessors {
public:
  explicit PutTransport(const PluginServices *services);

  const char *name() const override { return "put"; }

  void *allocate(size_t bytes) override { return region.allocate(bytes); }
  void release(void *memory, size_t bytes) override {
    region.release(memory, bytes);
  }
  std::unique_ptr<Exchange> makeExchange(std::vector<Pair> pairs) override;
  void progress() override;

  /// What a wait does after \p looks in vain.
  void rest(int looks);

protected:
  void attend() override { session->progress(); }
  void close() override { region.close(); }

private:
  Region region;
  Windows windows;
  std::unique_ptr<onesided::PutSession> session;
};

} // namespace zrt::put

#endif // ZRT_PLUGINS_PUT_PUTTRANSPORT_H
