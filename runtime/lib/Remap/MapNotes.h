//===- MapNotes.h - Values of maps that loops found wrong -------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_REMAP_MAPNOTES_H
#define ZRT_REMAP_MAPNOTES_H

#include "Transport/Transport.h"
#include "zrt/AbiTypes.h"

#include <optional>
#include <string>

namespace zrt {

/// What zrtA_note_map of Abi.h keeps until zrtA_window_confirm.
class MapNotes {
public:
  /// The first one counts. Arguments as those of zrtA_note_map.
  void note(const zrt_array &array, const zrt_region &region, const int64_t *at,
            int map, int64_t value, const char *what, const zrt_loc *loc);
  /// Ends the run if there is a note on any processor; \p loc is in the file of
  /// what was noted. Collective.
  void confirm(Transport &transport, const zrt_loc *loc);

private:
  struct Note {
    int64_t place; ///< of the index, in row-major order
    std::string message;
    const zrt_loc *loc;
  };
  std::optional<Note> first;
};

} // namespace zrt

#endif // ZRT_REMAP_MAPNOTES_H
