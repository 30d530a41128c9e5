//===- MpiTransport.h - Transfers by messages of MPI ------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_PLUGINS_MPI_MPITRANSPORT_H
#define ZRT_PLUGINS_MPI_MPITRANSPORT_H

#include "MemoryAccount.h"
#include "MpiProcessors.h"

namespace zrt::mpi {

/// The transport `mpi`: two-sided transfers, private memory.
class MpiTransport final : public MpiProcessors {
public:
  explicit MpiTransport(const PluginServices *services);

  const char *name() const override { return "mpi"; }

  void *allocate(size_t bytes) override;
  void release(void *memory, size_t bytes) override;

  std::unique_ptr<Exchange> makeExchange(std::vector<Pair> pairs) override;

  MPI_Comm transfers; ///< one tag for each

private:
  void close() override;

  MemoryAccount account;
  int largestTag;
  int nextTag = 0;
};

} // namespace zrt::mpi

#endif // ZRT_PLUGINS_MPI_MPITRANSPORT_H
