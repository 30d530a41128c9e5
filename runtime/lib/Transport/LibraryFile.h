//===- LibraryFile.h - A shared library before it is loaded -----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSPORT_LIBRARYFILE_H
#define ZRT_TRANSPORT_LIBRARYFILE_H

#include <cstdint>
#include <optional>
#include <string>

namespace zrt {

struct LibraryFile {
  /// Why the file cannot be loaded, as "it is cut off"; empty if it can.
  std::string fault;
  /// What its note of type PluginNoteType by PluginNoteOwner says, if any.
  std::optional<int32_t> version;
};

/// Looks at \p file, without loading it or running anything of it: is it a
/// shared library for this machine, with all its parts within the file?
LibraryFile lookAtLibrary(const std::string &file);

} // namespace zrt

#endif // ZRT_TRANSPORT_LIBRARYFILE_H
