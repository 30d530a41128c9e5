//===- PluginFile.h - Whether a file can be loaded --------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSPORT_PLUGINFILE_H
#define ZRT_TRANSPORT_PLUGINFILE_H

#include "Transport/Plugin.h"

#include <optional>
#include <string>

namespace zrt {

/// What the file of a plug-in says before it is loaded.
struct PluginFileLook {
  std::string fault; ///< why it cannot be loaded, for after a colon; or ""
  std::optional<PluginNote> note; ///< of a file without fault
};

/// Reads \p file, of any kind and content. One without a fault is a whole
/// shared library for this machine: nothing that the loader maps lies outside
/// of the file.
PluginFileLook lookAtPlugin(const std::string &file);

} // namespace zrt

#endif // ZRT_TRANSPORT_PLUGINFILE_H
