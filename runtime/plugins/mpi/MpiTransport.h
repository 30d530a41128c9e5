//===- MpiTransport.h - Processors that talk through MPI --------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_PLUGINS_MPI_MPITRANSPORT_H
#define ZRT_PLUGINS_MPI_MPITRANSPORT_H

#include "Transport/Plugin.h"

#include <mpi.h>

namespace zrt::mpi {

/// What all parts of this transport share.
struct Session {
  const PluginServices *services;
  MPI_Comm exchanges = MPI_COMM_NULL; ///< transfers, one tag for each
  MPI_Comm messages = MPI_COMM_NULL;  ///< send and receive
  int rank = 0;
  int size = 1;
  int largestTag = 0;
  bool crowded = false; ///< more processes than cores on this machine

  /// Ends the run if \p result, of the call \p what, is an error.
  void check(int result, const char *what) const;

  /// Waits for all \p requests, which are inactive or null then.
  void waitAll(std::vector<MPI_Request> &requests) const;
};

class MpiTransport final : public Transport {
public:
  explicit MpiTransport(const PluginServices *services);

  const char *name() const override { return "mpi"; }
  int rank() const override { return session.rank; }
  int size() const override { return session.size; }

  void *allocate(size_t bytes) override {
    return session.services->allocate(session.services->heap, bytes);
  }
  void release(void *memory, size_t bytes) override {
    session.services->release(session.services->heap, memory, bytes);
  }

  std::unique_ptr<Exchange> makeExchange(std::vector<Pair> pairs) override;
  void send(int to, const void *data, size_t bytes) override;
  void receive(int from, void *data, size_t bytes) override;
  bool claimReport(bool replicated) override;
  [[noreturn]] void abort(int status) override;
  void finish() override;

private:
  Session session;
  int nextTag = 0;
};

} // namespace zrt::mpi

#endif // ZRT_PLUGINS_MPI_MPITRANSPORT_H
