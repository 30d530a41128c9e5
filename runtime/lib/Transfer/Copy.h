//===- Copy.h - Executing copies by a map of indices ------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSFER_COPY_H
#define ZRT_TRANSFER_COPY_H

#include "Transfer/CopyPlan.h"
#include "Transport/Transport.h"

namespace zrt {

/// A copy of all pieces between two arrays, or within one, but no element is
/// both read and written: planned once, executed as often as wanted. Valid as
/// long as the storage of the arrays.
class Copy {
public:
  struct Local {
    MemoryBlock from, to;
  };

  /// Does nothing.
  Copy() = default;
  /// An exchange (null: none) and what is copied here.
  Copy(std::unique_ptr<Exchange> exchange, std::vector<Local> here)
      : exchange(std::move(exchange)), here(std::move(here)) {}
  /// Collective.
  Copy(Transport &transport, const Distribution &distribution,
       const zrt_array &target, const zrt_array &source,
       const std::vector<CopyPiece> &pieces);
  /// Collective. As begin, await and finish in turn.
  void run();

  /// Sends, and copies what is here. Collective.
  void begin();
  /// Until what others send is here.
  void await();
  /// Until others have what they were sent.
  void finish();

private:
  std::unique_ptr<Exchange> exchange; ///< null: nothing to do
  std::vector<Local> here;
};

/// Copies the parts of \p pieces of which both ends are owned here, where \p
/// mask at the source leaves it; maps have no mirrored dimensions. Local.
void copyOwnWhere(const Distribution &distribution, int self, zrt_array &target,
                  const zrt_array &source, const std::vector<CopyPiece> &pieces,
                  const zrt_mask &mask);

} // namespace zrt

#endif // ZRT_TRANSFER_COPY_H
