//===- MpiProcessors.h - Processors that talk through MPI -------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_PLUGINS_MPI_MPIPROCESSORS_H
#define ZRT_PLUGINS_MPI_MPIPROCESSORS_H

#include "MpiCouncil.h"

namespace zrt::mpi {

/// What all transports over MPI have in common: the start, messages, waiting,
/// and the end of a run. Memory and transfers are left to them.
class MpiProcessors : public Transport {
public:
  /// Starts MPI, unless somebody has. \p services outlives this.
  explicit MpiProcessors(const PluginServices *services);

  int rank() const override { return ownRank; }
  int size() const override { return processors; }

  void send(int to, const void *data, size_t bytes) override;
  void receive(int from, void *data, size_t bytes) override;
  void exchange(int partner, const void *out, void *in, size_t bytes) override;
  size_t gatherLimit(int members) const override;
  void gather(const int *members, int count, int place, const void *mine,
              size_t bytes, void *all) override;
  void progress() override;
  /// Over a network. On one machine a message is there as soon as its sender
  /// has come to SR.
  bool travels(int partner) const override { return !isNear[partner]; }
  bool findsHangs() const override { return true; }
  void waitElsewhere(uint64_t wait) override { foreignWait.look(watch, wait); }
  bool claimReport(bool replicated) override;
  [[noreturn]] void abort(int status) override;
  /// Exchanges may still be destroyed afterwards.
  void finish() override;

  // --- For exchanges --------------------------------------------------------

  /// Notes a call into MPI and ends the run if its \p result is an error;
  /// \p what is the function's name.
  void check(int result, const char *what) {
    ++traffic.calls;
    if (result != MPI_SUCCESS)
      fail(result, what);
  }

  /// Waits for \p count requests of \p bytes in all, which are inactive or
  /// null then. Counts as one call, however often it looks.
  void waitAll(MPI_Request *requests, int count, uint64_t bytes);

  /// A communicator of all processors, in the order of their ranks, and for
  /// its owner only. Collective.
  MPI_Comm newCommunicator();
  /// That of this machine's processors.
  MPI_Comm machineCommunicator() const { return machine; }
  /// Waits for a \p request at the start or end, where there is no watch.
  void awaitAlone(MPI_Request &request);

  const PluginServices *const services;

  /// Whoever waits in a loop of his own makes a `Waiting` of it.
  watch::RunWatch watch;

protected:
  /// Does what a wait for messages must not hold up. Called now and then.
  virtual void attend() {}
  /// Collective, when all have come to the end: gives up what a transport has
  /// of MPI.
  virtual void close() {}
  /// Lets others work after \p looks of a wait without success: the idle
  /// function, and other processes if there are not enough cores.
  void pauseInWait(int looks);

private:
  [[noreturn]] void fail(int result, const char *what);
  void findNear();
  void isend(int to, const void *data, size_t bytes, MPI_Request &request);
  void ireceive(int from, void *data, size_t bytes, MPI_Request &request);

  MpiCouncil council;
  watch::ForeignWait foreignWait;
  MPI_Comm world = MPI_COMM_NULL;    ///< of all processors
  MPI_Comm messages = MPI_COMM_NULL; ///< send, receive, exchange, gather
  MPI_Comm machine = MPI_COMM_NULL;
  int ownRank = 0;
  int processors = 1;
  std::vector<bool> isNear;   ///< by rank: on this machine
  bool crowded = false;       ///< more processes than cores on this machine
  std::vector<char> gathered; ///< payloads, our own first
};

} // namespace zrt::mpi

#endif // ZRT_PLUGINS_MPI_MPIPROCESSORS_H
