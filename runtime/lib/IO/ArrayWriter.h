//===- ArrayWriter.h - Arrays as text ---------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_IO_ARRAYWRITER_H
#define ZRT_IO_ARRAYWRITER_H

#include "Grid/Distribution.h"
#include "IO/Format.h"
#include "IO/TextOutput.h"
#include "Transport/Transport.h"

#include <vector>

namespace zrt {

/// The pieces in which a region travels to processor 0: boxes that follow each
/// other in row-major order, of at most \p most elements each. Pure.
class SlabSequence {
public:
  SlabSequence(const Box &region, int64_t most);

  /// The next slab into \p slab; false at the end.
  bool next(Box &slab);

private:
  Box region;
  int cut = 0;           ///< slabs are whole in the dimensions after this one
  int64_t thickness = 1; ///< and this wide in it
  int64_t at[ZRT_MAX_RANK] = {};
  bool done;
};

/// Writes the elements of \p array at \p region, in row-major order with the
/// line ends of language section 15, to \p output on processor 0. Collective;
/// uses bounded memory on every processor.
void writeArray(Transport &transport, const Distribution &distribution,
                TextOutput &output, int32_t stream, const Format &format,
                const zrt_array &array, const Box &region);

} // namespace zrt

#endif // ZRT_IO_ARRAYWRITER_H
