//===- FileStatement.h - What file entries have in common -------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_FILESTATEMENT_H
#define ZRT_ENTRY_FILESTATEMENT_H

#include "Entry/Domains/InBlocks.h"
#include "Entry/Process.h"
#include "IO/Slabs.h"
#include "IO/Text/Format.h"

namespace zrt {

/// The format to use: \p text read into \p own, or null for the default. Ends
/// the run if values of \p type have no text, or not in that format.
const Format *chooseFormat(const char *text, const zrt_type &type, Format &own,
                           const zrt_loc *loc);

/// Ends the run unless values of \p type may be stored as memory images.
void checkImage(const zrt_type &type, const zrt_loc *loc);

/// Ends the run if \p file has a format of its own, in which only arrays are.
void checkPlain(const File &file, const zrt_loc *loc);

/// Ends the run unless the sparse \p region has been set and \p file may hold
/// some of a region's elements. \p array has the pattern of the region.
void checkSparseItem(const zrt_array &array, const zrt_region &region,
                     const File &file, const zrt_loc *loc);

/// What a file statement works on: the array, or a copy in blocks of its
/// elements at \p region, after the check that all of it is in the array.
BlockCopy readable(const zrt_array &array, const zrt_region &region,
                   const zrt_loc *loc);
BlockCopy writable(const zrt_array &array, const zrt_region &region,
                   const zrt_loc *loc);

/// The surroundings of an array statement, after the check that all of \p
/// region is in the array.
ArrayIO readsArray(const zrt_array &array, const zrt_region &region,
                   const zrt_loc *loc);
ArrayIO writesArray(const zrt_array &array, const zrt_region &region,
                    const zrt_loc *loc);

} // namespace zrt

#endif // ZRT_ENTRY_FILESTATEMENT_H
