//===- zrt/Block.h - Parallel arrays as C sees them ---------------*- C -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For C functions that ZPL gives parallel arrays, and for programs that use a
// library of ZPL:
//
//     extern prototype fill(inout A: [ , ] double);
//
//     void fill(zpl_array *array) {
//       zpl_view view;
//       zpl_own(array, &view);
//       for (int64_t i = 0; i < view.extent[0]; ++i) ...
//
// A view names memory, it copies nothing. It is good until the array is given
// other storage: by an assignment to its region or distribution.
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_BLOCK_H
#define ZRT_BLOCK_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ZPL_MAX_RANK = 6 };

/// Types of elements; those of enum zrt_kind (zrt/AbiTypes.h).
enum zpl_type {
  ZPL_BOOLEAN = 0, ///< one byte, 0 or 1
  ZPL_CHAR = 1,
  ZPL_SBYTE = 2,
  ZPL_UBYTE = 3,
  ZPL_SHORTINT = 4,
  ZPL_USHORTINT = 5,
  ZPL_INTEGER = 6, ///< int32_t
  ZPL_UINTEGER = 7,
  ZPL_LONGINT = 8, ///< int64_t
  ZPL_ULONGINT = 9,
  ZPL_FLOAT = 10,
  ZPL_DOUBLE = 11,
  ZPL_QUAD = 12, ///< long double
  ZPL_COMPLEX = 13,
  ZPL_DCOMPLEX = 14,
  ZPL_QCOMPLEX = 15,
  ZPL_OTHER = 18 ///< and above: enumerations, records ...
};

/// A parallel array; what is in it is the runtime's business.
typedef struct zrt_array zpl_array;

/// Elements in memory: the one at place (p0, p1 ...), from 0, has the address
/// data + p0 * stride[0] + p1 * stride[1] ...
typedef struct zpl_view {
  void *data;                   ///< of the first element; null: there is none
  int32_t rank;                 ///<
  int32_t type;                 ///< enum zpl_type
  int64_t size;                 ///< of an element, in bytes
  int64_t extent[ZPL_MAX_RANK]; ///< how many places
  int64_t stride[ZPL_MAX_RANK]; ///< in bytes; 0 where the array is flooded
  int64_t first[ZPL_MAX_RANK];  ///< the index at place 0 ...
  int64_t step[ZPL_MAX_RANK];   ///< ... and from one place to the next
  int64_t offset[ZPL_MAX_RANK]; ///< place 0 among those of all processors
  int64_t whole[ZPL_MAX_RANK];  ///< how many places they have together
} zpl_view;

/// This processor's block of \p array. Local. Ends the run where that is none:
/// for sparse arrays, and in domains that are dealt out cyclically.
void zpl_own(const zpl_array *array, zpl_view *view);

/// This processor, from 0, and how many there are. Local.
int32_t zpl_processor(void);
int32_t zpl_processors(void);

/// Collective: \p bytes bytes of each processor from \p out to each other one,
/// in their order, which has them at \p in, in the order of who sent them. What
/// transposes need.
void zpl_all_to_all(const void *out, void *in, int64_t bytes);

#ifdef __cplusplus
}
#endif

#endif // ZRT_BLOCK_H
