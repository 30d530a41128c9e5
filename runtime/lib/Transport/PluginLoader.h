//===- PluginLoader.h - Finding transport plug-ins --------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSPORT_PLUGINLOADER_H
#define ZRT_TRANSPORT_PLUGINLOADER_H

#include "Transport/Launch.h"

#include <string>

namespace zrt {

/// The folder with plug-ins: ZRT_PLUGIN_DIR or else \p compiledDir, which may
/// be null.
std::string pluginFolder(const char *compiledDir);

/// Where the plug-in of the transport \p name should be: in ZRT_PLUGIN_DIR or
/// else in \p compiledDir, which may be null.
std::string pluginFile(const std::string &name, const char *compiledDir);

/// Ends the run with a message and status 2 unless that file exists.
void checkPlugin(const std::string &name, const char *compiledDir);

/// Loads the plug-in of the transport \p name and starts it, with what
/// \p options say about processors and --watchdog. A plug-in that is broken or
/// of another version ends the run with a message and status 2, before it has
/// been started.
std::unique_ptr<Transport> startPlugin(const std::string &name,
                                       const LaunchOptions &options);

} // namespace zrt

#endif // ZRT_TRANSPORT_PLUGINLOADER_H
