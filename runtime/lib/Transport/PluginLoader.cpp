//===- PluginLoader.cpp - Finding transport plug-ins ----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A transport that needs a library of its own (MPI, SHMEM) is a plug-in, so
/// that other programs need no such library: `libzrt_NAME.so` in the folder
/// that ZRT_PLUGIN_DIR names, or else where it was when the program was
/// compiled. A program lives longer than the plug-ins beside it, so all that
/// can be wrong with them is told apart:
///
///     no such folder, no such file, not a library, one that is cut off or for
///     another machine, no transport, a transport of another version, a
///     library that needs another one
///
/// All but the last is seen in the file (LibraryFile.cpp), before anything of
/// the plug-in runs.
///
//===----------------------------------------------------------------------===//

#include "Transport/PluginLoader.h"

#include "Formats/StaticLink.h"
#include "Support/Env.h"
#include "Support/Error.h"
#include "Support/LastOperation.h"
#include "Transport/Blocks.h"
#include "Transport/Launcher.h"
#include "Transport/LibraryFile.h"
#include "Transport/Plugin.h"
#include "Transport/PrivateHeap.h"

#include <cstdio>
#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace zrt;

namespace {

/// With the place in the program if that is inside an operation.
[[noreturn]] void pluginFatal(const char *message) {
  const OperationState &state = operationState();
  fatal(state.inside ? state.loc.load() : nullptr, ErrorScope::Local, "%s",
        message);
}

[[noreturn]] void pluginRefuse(const char *message) {
  refuseStart(UsageStatus, "%s", message);
}

void *heapAllocate(void *heap, size_t bytes) {
  return static_cast<PrivateHeap *>(heap)->allocate(bytes);
}
void heapRelease(void *heap, void *memory, size_t bytes) {
  static_cast<PrivateHeap *>(heap)->release(memory, bytes);
}

void describeLastOperation(char *text, size_t bytes) {
  snprintf(text, bytes, "%s", lastOperation(operationState()).c_str());
}

[[noreturn]] void fatalHang(const char *const *doing, int processors) {
  fatal(nullptr, ErrorScope::Replicated, "%s",
        hangReport({doing, doing + processors}).c_str());
}

/// The services outlive every transport, so they live as long as the process.
const PluginServices &pluginServices(const LaunchOptions &options) {
  static PrivateHeap heap;
  static const PluginServices services = {.fatal = pluginFatal,
                                          .refuse = pluginRefuse,
                                          .pack = packBlock,
                                          .unpack = unpackBlock,
                                          .copy = copyBlock,
                                          .allocate = heapAllocate,
                                          .release = heapRelease,
                                          .heap = &heap,
                                          .processors = options.processors,
                                          .watchdog = options.watchdog,
                                          .lastOperation =
                                              describeLastOperation,
                                          .fatalHang = fatalHang,
                                          .communicator = options.communicator};
  return services;
}

[[noreturn]] void refusePlugin(const std::string &name, const std::string &file,
                               const std::string &reason) {
  refuseStart(UsageStatus, "cannot load the transport '%s' from %s: %s",
              name.c_str(), file.c_str(), reason.c_str());
}

/// Is the file whole, and of this version?
void checkFile(const std::string &name, const std::string &file) {
  LibraryFile found = lookAtLibrary(file);
  if (!found.fault.empty())
    refusePlugin(name, file, found.fault);
  if (!found.version)
    refuseStart(UsageStatus,
                "%s is not a transport for this program: it does not tell the "
                "version of one",
                file.c_str());
  if (*found.version != PluginVersion)
    refuseStart(UsageStatus,
                "the transport '%s' in %s has version %d, but this program "
                "needs version %d; compile the program again, or say in %s "
                "where transports of its own version are",
                name.c_str(), file.c_str(), *found.version, PluginVersion,
                envName(EnvVariable::PluginDir));
}

void *openPlugin(const std::string &name, const std::string &file) {
  if (isLinkedStatically())
    refusePlugin(name, file,
                 "the executable is linked with -static, and has no other "
                 "transports than self, shm and sim");
  void *library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    std::string reason = dlerror();
    if (reason.starts_with(file + ": "))
      reason.erase(0, file.size() + 2);
    refusePlugin(name, file, reason);
  }
  return library;
}

} // namespace

std::string zrt::pluginFolder(const char *compiledDir) {
  std::string folder = envText(EnvVariable::PluginDir);
  return folder.empty() && compiledDir ? compiledDir : folder;
}

std::string zrt::pluginFile(const std::string &name, const char *compiledDir) {
  return pluginFolder(compiledDir) + "/libzrt_" + name + ".so";
}

void zrt::checkPlugin(const std::string &name, const char *compiledDir) {
  // A folder that does not exist is a mistake in the variable, not in the
  // installation.
  std::string folder = envText(EnvVariable::PluginDir);
  struct stat status;
  if (!folder.empty() &&
      (stat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)))
    refuseStart(UsageStatus, "%s is '%s', which is not a folder",
                envName(EnvVariable::PluginDir), folder.c_str());
  std::string file = pluginFile(name, compiledDir);
  if (access(file.c_str(), F_OK) != 0)
    refuseStart(UsageStatus,
                "the transport '%s' is not installed: there is no %s",
                name.c_str(), file.c_str());
}

std::unique_ptr<Transport> zrt::startPlugin(const std::string &name,
                                            const LaunchOptions &options) {
  std::string file = pluginFile(name, options.pluginDir);
  checkFile(name, file);
  void *library = openPlugin(name, file);
  auto create =
      reinterpret_cast<PluginCreate *>(dlsym(library, "zrt_transport_create"));
  if (!create)
    refuseStart(UsageStatus,
                "%s is not a transport for this program: it does "
                "not define zrt_transport_create",
                file.c_str());
  return std::unique_ptr<Transport>(create(&pluginServices(options)));
}
