//===- SparseArray.h - Values at the indices of a pattern -------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_SPARSE_SPARSEARRAY_H
#define ZRT_SPARSE_SPARSEARRAY_H

#include "Memory/Array.h"
#include "Sparse/Pattern.h"

#include <cstring>

namespace zrt {

/// Fills \p array: zeros over the sparse \p region, which it holds on to; none
/// but the implicitly replicated value if that was never set. Memory comes from
/// \p transport. Ends the run if there is none left. destroyArray frees it.
void createSparse(Transport &transport, zrt_array &array,
                  const zrt_region &region, const zrt_type &type,
                  const char *name, uint64_t id, const zrt_loc *loc);

/// Bytes from one position of a sparse array to the next.
inline int64_t stepOf(const zrt_array &array) {
  return array.pitch[array.region.rank - 1];
}
/// The implicitly replicated value.
inline char *elsewhereOf(const zrt_array &array) {
  return array.origin - stepOf(array);
}

/// Gives all elements of the sparse \p array its implicitly replicated value.
void fillElsewhere(zrt_array &array);

/// Gives \p target the implicitly replicated value of \p source, of the same
/// type, at all its indices but those that \p source has here: there it gets
/// the elements. Local.
void takeElements(zrt_array &target, const zrt_array &source);

/// As zrtA_fetch_row.
void fetchRow(const zrt_array &array, const int64_t *index, Range columns,
              char *row);

/// Copies one element after the other. Made for the element's size.
class ElementCopier {
public:
  explicit ElementCopier(int64_t size) : size(static_cast<size_t>(size)) {}
  void operator()(void *to, const void *from) const {
    // Sizes that are known make one instruction.
    if (size == 8)
      std::memcpy(to, from, 8);
    else if (size == 4)
      std::memcpy(to, from, 4);
    else
      std::memcpy(to, from, size);
  }

private:
  size_t size;
};

} // namespace zrt

#endif // ZRT_SPARSE_SPARSEARRAY_H
