//===- DomainCopy.h - Copies between arrays of any domains ------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSFER_DOMAINCOPY_H
#define ZRT_TRANSFER_DOMAINCOPY_H

#include "Grid/Places.h"
#include "Transfer/Copy.h"

namespace zrt {

/// Who has which indices of a domain, dimension by dimension.
struct Placement {
  ProcessGrid grid;
  Places dims[ZRT_MAX_RANK];
  /// The positions of arrays are places; else those of their strides.
  bool isScattered = false;
};

/// One end of a copy.
struct CopyEnd {
  const Placement &placement;
  const zrt_array &array;
};

/// The copy of \p pieces from one array to another, of any two domains of one
/// rank, or within one array if no element is both read and written. Where the
/// target is flooded so is the source, and every processor that has the target
/// gets it. Of a flooded source a processor takes the elements at its own place
/// of the grid if both have one grid, else those at the first place.
/// Collective.
Copy copyOf(Transport &transport, const CopyEnd &target, const CopyEnd &source,
            const std::vector<CopyPiece> &pieces);

} // namespace zrt

#endif // ZRT_TRANSFER_DOMAINCOPY_H
