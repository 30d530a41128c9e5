//===- OneSided.h - Writing into partners' memory ---------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What PutExchange.h needs of a library for one-sided communication. Memory
/// of a partner is named by a *place*: a number that its owner finds with
/// `place`, and passes on.
///
//===----------------------------------------------------------------------===//

#ifndef ZRT_PLUGINS_ONESIDED_ONESIDED_H
#define ZRT_PLUGINS_ONESIDED_ONESIDED_H

#include "Transport/Plugin.h"

namespace zrt::onesided {

/// The binding of one processor. Every call but `await` returns without help
/// of the partner.
class OneSided {
public:
  virtual ~OneSided() = default;

  /// Zeroed memory that partners can write and read, aligned to 64 bytes.
  /// Null if there is none left. Local.
  virtual void *allocate(size_t bytes) = 0;
  virtual void release(void *memory, size_t bytes) = 0;

  /// How partners name \p own, which lies in such memory or in memory for
  /// arrays.
  virtual uint64_t place(const void *own) const = 0;

  /// True if \p own lies in memory that partners can write.
  virtual bool isReachable(const void *own) const = 0;
  /// Where this processor itself can store to a place of \p partner, as that
  /// can to places here; null if they share no memory. Such stores count as
  /// puts.
  virtual char *mapped(int partner, uint64_t place) const = 0;

  /// Copies to a place of \p partner. The source must stay as it is until
  /// `awaitSources`.
  virtual void put(int partner, uint64_t place, const void *from,
                   size_t bytes) = 0;
  /// Copies from a place of \p partner, and returns when the data are there.
  virtual void get(int partner, uint64_t place, void *to, size_t bytes) = 0;

  /// Sets a flag of \p partner, eight bytes at a place divisible by 8, after
  /// all that this processor has put to the partner until now: who sees the
  /// value sees that data, too.
  virtual void signal(int partner, uint64_t place, uint64_t value) = 0;
  /// Returns when the own \p flag, which \p partner signals, is at least
  /// \p value. Every wait of the transport calls `PutSession::progress` now
  /// and then.
  virtual void await(int partner, uint64_t *flag, uint64_t value) = 0;

  /// Returns when the sources of all puts to \p partner may be overwritten.
  virtual void awaitSources(int partner) = 0;

  /// True after the end of the run, when there are no partners any more.
  virtual bool isOver() const = 0;

  virtual const PluginServices &services() const = 0;
};

} // namespace zrt::onesided

#endif // ZRT_PLUGINS_ONESIDED_ONESIDED_H
