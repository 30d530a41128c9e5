//===- Link.h - From objects to an executable -------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The last step of the driver: compilers for the C inputs, the linker, and the
/// files that they need. Errors go to the standard error output.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_DRIVER_LINK_H
#define ZPL_DRIVER_LINK_H

#include "Dependencies.h"
#include "Options.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace zpl::driver {

/// Where zplc's own files are: the same places relative to the executable in
/// the build tree and in an installation. Absolute paths.
struct Installation {
  std::string executable; ///< zplc itself
  std::string runtime;    ///< lib/zpl/libzrt.a
  std::string pluginDir;  ///< lib/zpl/plugins
  std::string includeDir; ///< include, with zrt/Abi.h
  std::string interop;    ///< lib/zpl/libzplInterop.so
  std::string gdbScript;  ///< share/zpl/gdb/zpl.py
  std::string library;    ///< share/zpl/library, with sort.z
  std::string machines;   ///< share/zpl/machines, with default.json
  /// The shared library SLEEF, where the system keeps it, and its version; empty
  /// if zplc was built without it, or it has gone since.
  std::string sleef, sleefVersion;
  /// The kind of machine that the runtime is for, if it is not this one: as
  /// --target= names it.
  std::string foreignTarget;

  bool hasSleef() const { return !sleef.empty(); }

  /// The places beside the running executable, for which \p argv0 helps where
  /// the system does not tell. Does not look whether files are there.
  static Installation find(const char *argv0);

  /// Takes the runtime for another kind of machine, lib/zpl/TARGET/libzrt.a and
  /// plugins beside it, if \p target is one; SLEEF is then not there.
  void retarget(llvm::StringRef target);
};

/// Files that go when this object goes, or when a signal ends zplc.
class TemporaryFiles {
public:
  TemporaryFiles() = default;
  TemporaryFiles(const TemporaryFiles &) = delete;

  /// Removes the files; what cannot be removed stays.
  ~TemporaryFiles();

  /// The path of a new file `stem-XXXXXX.suffix` in the system's temporary
  /// folder. With \p nameOnly nothing is made. Empty after an error, which is
  /// reported.
  std::string make(llvm::StringRef stem, llvm::StringRef suffix, bool nameOnly);

private:
  std::vector<std::string> paths;
};

/// Prints a command as one line that a shell would take.
void printCommand(llvm::ArrayRef<llvm::StringRef> command);

/// The C compiler driver that links for \p installation: the first on the PATH
/// of cc, gcc, clang-19, clang; for another kind of machine TARGET-gcc or Clang.
/// Empty if there is none.
std::string findLinker(const Installation &installation);

/// The Clang that compiles C inputs; empty if there is none.
std::string findCCompiler();

/// What stands behind the objects on the linker's command line: SLEEF, if
/// \p vectorMath allows it, the runtime and the libraries that it needs.
std::vector<std::string> runtimeFlags(const Installation &installation,
                                      bool vectorMath);

/// Is there a runtime to link with? If not, that is reported.
bool checkRuntime(const Installation &installation);

/// Compiles the C inputs and links everything to options.output; \p objects
/// take the place of the ZPL source. What was read for C inputs is added to
/// \p dependencies if the options ask for them. Errors are reported, also those
/// of the tools; then false.
bool link(const Options &options, const Installation &installation,
          llvm::ArrayRef<std::string> objects, TemporaryFiles &temporaries,
          Dependencies &dependencies);

} // namespace zpl::driver

#endif // ZPL_DRIVER_LINK_H
