//===- Region.h - Memory that all processors reach --------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_PLUGINS_PUT_REGION_H
#define ZRT_PLUGINS_PUT_REGION_H

#include "../mpi/MpiProcessors.h"

#include "Transport/shm/SliceHeap.h"

#include <memory>

namespace zrt::put {

/// One piece of memory per processor, in windows of MPI, with a heap in this
/// processor's. Others name a place in it by its offset.
class Region {
public:
  /// Collective. \p mpi outlives this. Ends the run if there is no room.
  explicit Region(mpi::MpiProcessors &mpi);
  Region(const Region &) = delete;
  Region &operator=(const Region &) = delete;

  /// Zeroed memory, aligned to 64 bytes, whose pages are there: null if the
  /// machine, or the file system that holds shared memory, has none left.
  void *allocate(size_t bytes);
  /// Does nothing after `close`.
  void release(void *memory, size_t bytes);

  /// True if \p memory lies in this processor's piece.
  bool holds(const void *memory) const {
    auto *at = static_cast<const char *>(memory);
    return at >= own && at < own + bytes;
  }
  uint64_t offset(const void *memory) const {
    return static_cast<const char *>(memory) - own;
  }

  /// Where this process sees the piece of processor \p rank; null if that is
  /// on another machine.
  char *neighbour(int rank) const { return pieces[rank]; }
  // --- Processors on other machines -----------------------------------------

  /// Orders the loads and stores of this processor to its piece with what comes
  /// from there and goes there.
  void sync();
  /// Starts to write to a place of processor \p rank. The data must stay until
  /// `flushLocal`.
  void put(int rank, uint64_t place, const void *data, size_t size);
  void get(int rank, uint64_t place, void *data, size_t size);
  /// Sets eight bytes at once, after all that was put to \p rank before.
  void signal(int rank, uint64_t place, uint64_t value);
  /// What others have set a flag of this processor to.
  uint64_t fetch(const uint64_t *flag);
  /// Returns when the sources of what was put to \p rank may be overwritten.
  void flushLocal(int rank);

  /// Collective: the end.
  void close();
  bool isClosed() const { return !heap; }

private:
  void makeNear(MPI_Comm machine, int processes);
  void makeAlone();
  void makeFar();
  bool commit(char *memory, size_t size);
  void flush(int rank);

  mpi::MpiProcessors &mpi;
  MPI_Win near = MPI_WIN_NULL; ///< of this machine, if it has several
  MPI_Win far = MPI_WIN_NULL;  ///< the same memory, of all processors
  char *own = nullptr;
  size_t bytes = 0;
  std::vector<char *> pieces;
  std::vector<int> started; ///< puts to each processor since a flush
  std::unique_ptr<shm::SliceHeap> heap;
};

} // namespace zrt::put

#endif // ZRT_PLUGINS_PUT_REGION_H
