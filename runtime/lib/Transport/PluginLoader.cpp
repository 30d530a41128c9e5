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
///     no such folder, no such file, not a library, a part of one, no
///     transport, a transport of another version or of other headers, a
///     library that needs another one
///
/// All but the last the file itself tells (PluginFile.cpp), so nothing of a
/// plug-in that is not this program's is executed.
///
//===----------------------------------------------------------------------===//

#include "Transport/PluginLoader.h"

#include "Support/Env.h"
#include "Support/Error.h"
#include "Support/LastOperation.h"
#include "Transport/Blocks.h"
#include "Transport/Launcher.h"
#include "Transport/PluginFile.h"
#include "Transport/PrivateHeap.h"

#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace zrt;

namespace {

[[noreturn]] void pluginFatal(const char *message) {
  fatal(nullptr, ErrorScope::Local, "%s", message);
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
                                          .fatalHang = fatalHang};
  return services;
}

[[noreturn]] void refuseFile(const std::string &name, const std::string &file,
                             const std::string &reason) {
  refuseStart(UsageStatus, "cannot load the transport '%s' from %s: %s",
              name.c_str(), file.c_str(), reason.c_str());
}

/// Refuses what is not a plug-in for this program. Executes nothing of it.
void checkFile(const std::string &name, const std::string &file) {
  PluginFileLook look = lookAtPlugin(file);
  if (!look.fault.empty())
    refuseFile(name, file, look.fault);
  if (!look.note)
    refuseStart(UsageStatus,
                "%s is not a transport for this program: it does not have the "
                "note that ZRT_TRANSPORT_PLUGIN makes",
                file.c_str());
  std::string remedy = std::string("compile the program again, or say in ") +
                       envName(EnvVariable::PluginDir) +
                       " where transports of its own version are";
  const PluginNote ours;
  if (look.note->version != ours.version)
    refuseStart(UsageStatus,
                "the transport '%s' in %s has version %d, but this program "
                "needs version %d; %s",
                name.c_str(), file.c_str(), look.note->version, ours.version,
                remedy.c_str());
  if (memcmp(look.note->id, ours.id, sizeof(ours.id)) != 0)
    refuseStart(UsageStatus,
                "the transport '%s' in %s was compiled with headers %.16s, but "
                "this program needs %s; %s",
                name.c_str(), file.c_str(), look.note->id, ours.id,
                remedy.c_str());
}

void *openPlugin(const std::string &name, const std::string &file) {
  checkFile(name, file);
  void *library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    std::string reason = dlerror();
    if (reason.starts_with(file + ": "))
      reason.erase(0, file.size() + 2);
    refuseFile(name, file, reason);
  }
  return library;
}

} // namespace

std::string zrt::pluginFile(const std::string &name, const char *compiledDir) {
  std::string folder = envText(EnvVariable::PluginDir);
  if (folder.empty() && compiledDir)
    folder = compiledDir;
  return folder + "/libzrt_" + name + ".so";
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
  checkFile(name, file);
}

std::unique_ptr<Transport> zrt::startPlugin(const std::string &name,
                                            const LaunchOptions &options) {
  std::string file = pluginFile(name, options.pluginDir);
  void *library = openPlugin(name, file);
  auto create =
      reinterpret_cast<PluginCreate *>(dlsym(library, "zrt_transport_create"));
  if (!create)
    refuseStart(UsageStatus,
                "%s is not a transport for this program: it does not define "
                "zrt_transport_create",
                file.c_str());
  return std::unique_ptr<Transport>(create(&pluginServices(options)));
}
