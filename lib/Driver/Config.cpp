//===- Config.cpp - What --print-config says ------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What this zplc is made of and where its files are, a `name: value` a line,
/// for people who report a bug and for scripts, which ask for one value by
/// --print-config=NAME:
///
///     version: 0.1.0
///     runtime: /usr/lib/zpl/libzrt.a
///     transports: self shm sim mpi put
///
/// Values are computed when they are shown: what is missing shows as missing.
///
//===----------------------------------------------------------------------===//

#include "Config.h"
#include "zpl/Backend/Backend.h"
#include "zpl/CodeGen/CodeGen.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"
#include <vector>

using namespace llvm;
namespace path = llvm::sys::path;

namespace zpl::driver {

/// Names of files in a folder, sorted, without what stands around `*` in
/// \p pattern: "libzrt_*.so".
static std::string namesIn(StringRef folder, StringRef pattern) {
  auto [before, behind] = pattern.split('*');
  std::vector<std::string> names;
  std::error_code error;
  for (sys::fs::directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    StringRef name = path::filename(it->path());
    if (name.consume_front(before) && name.consume_back(behind))
      names.push_back(name.str());
  }
  llvm::sort(names);
  return join(names, " ");
}

static std::string orMissing(const std::string &file) {
  return sys::fs::exists(file) ? file : file + " (missing)";
}

/// Kinds of machines for which there is a runtime: this one's, and folders with
/// one.
static std::string targetsOf(const Installation &installation) {
  std::string result = sys::getDefaultTargetTriple();
  std::vector<std::string> others;
  std::error_code error;
  StringRef folder = path::parent_path(installation.runtime);
  for (sys::fs::directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error))
    if (sys::fs::exists(it->path() + "/libzrt.a"))
      others.push_back(path::filename(it->path()).str());
  llvm::sort(others);
  for (const std::string &other : others)
    result += " " + other;
  return result;
}

/// As a shell takes them.
static std::string linkFlags(const Installation &installation) {
  std::string result = "-no-pie";
  raw_string_ostream stream(result);
  for (const std::string &flag : runtimeFlags(installation, true)) {
    stream << ' ';
    sys::printArg(stream, flag, /*Quote=*/false);
  }
  return result;
}

/// Transports and formats of files that are plug-ins, each behind a blank.
static std::pair<std::string, std::string>
pluginNames(const Installation &installation) {
  std::pair<std::string, std::string> result;
  SmallVector<StringRef, 8> names;
  std::string all = namesIn(installation.pluginDir, "libzrt_*.so");
  StringRef(all).split(names, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef name : names) {
    bool isFormat = name.consume_front("file_");
    (isFormat ? result.second : result.first) += " " + name.str();
  }
  return result;
}

static std::string processor() {
  std::string error;
  std::unique_ptr<Backend> backend = Backend::create({}, error);
  return backend ? backend->facts().cpu : error;
}

bool printConfig(const Options &options, const Installation &installation,
                 raw_ostream &os) {
  std::string prefix =
      path::parent_path(path::parent_path(installation.executable)).str();
  auto [transports, formats] = pluginNames(installation);
  std::string linker = findLinker(installation);
  const std::pair<const char *, std::string> lines[] = {
      {"version", ZPLC_VERSION},
      {"abi-revision", std::to_string(abiRevision())},
      {"llvm-version", LLVM_VERSION_STRING},
      {"target", sys::getDefaultTargetTriple()},
      {"processor", processor()},
      {"targets", targetsOf(installation)},
      {"prefix", prefix},
      {"executable", installation.executable},
      {"runtime", orMissing(installation.runtime)},
      {"plugins", installation.pluginDir},
      {"transports", "self shm sim" + transports},
      {"formats", "npy csv vti pvd" + formats},
      {"include", installation.includeDir},
      {"library", installation.library},
      {"libraries", namesIn(installation.library, "*.z")},
      {"interop", orMissing(installation.interop)},
      {"c-compiler", findCCompiler()},
      {"linker", linker.empty() ? "(missing)" : linker},
      {"link-flags", linkFlags(installation)},
      {"vector-math", installation.hasSleef()
                          ? "SLEEF " + installation.sleefVersion
                          : "none"}};
  bool found = options.configName.empty();
  for (const auto &[name, value] : lines) {
    if (options.configName.empty())
      os << name << ": " << value << '\n';
    else if (options.configName == name)
      os << value << '\n';
    found |= options.configName == name;
  }
  if (!found)
    reportError("--print-config knows no '" + options.configName + "'");
  return found;
}

} // namespace zpl::driver
