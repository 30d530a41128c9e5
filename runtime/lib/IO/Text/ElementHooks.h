//===- ElementHooks.h - Arrays written by procedures ------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_IO_TEXT_ELEMENTHOOKS_H
#define ZRT_IO_TEXT_ELEMENTHOOKS_H

#include "IO/File.h"
#include "IO/Slabs.h"

#include <unordered_map>

namespace zrt {

/// The procedures that the program has bound to arrays (language section 14).
class ElementHooks {
public:
  /// Null removes.
  void setWriter(const zrt_array &array, zrt_element_io procedure);
  void setReader(const zrt_array &array, zrt_element_io procedure);
  /// Null if there is none.
  zrt_element_io writer(const zrt_array &array) const;
  zrt_element_io reader(const zrt_array &array) const;

  /// The array \p from has become \p to.
  void move(uint64_t from, uint64_t to);

  /// Forgets an array that is freed.
  void drop(uint64_t array);

private:
  std::unordered_map<uint64_t, zrt_element_io> writers, readers; ///< by id
};

/// Calls \p procedure on all processors for the elements of \p io, in row-major
/// order, which all hold for that; lines of \p file end as those of any array.
/// Collective; uses bounded memory.
void writeElements(ArrayIO &io, File &file, zrt_file number,
                   zrt_element_io procedure);
/// Stores what the procedure leaves in them, after \p settle has seen each on
/// all processors.
void readElements(ArrayIO &io, zrt_file number, zrt_element_io procedure,
                  void (*settle)(const zrt_type &type, void *element));

} // namespace zrt

#endif // ZRT_IO_TEXT_ELEMENTHOOKS_H
