//===- Link.cpp - From objects to an executable ---------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The last phase is another program's: a C compiler driver, which knows where
/// the system keeps its start-up files and libraries.
///
///     zplc jacobi.z helper.c -lfoo -o jacobi
///
/// runs, after jacobi.z has become an object,
///
///     clang -c -O2 -march=native helper.c -o /tmp/helper-1.o
///     cc -fuse-ld=gold -no-pie -o /tmp/jacobi-1.out /tmp/jacobi-1.o
///        /tmp/helper-1.o -lfoo -Wl,--as-needed libsleef.so.3
///        -Wl,--no-as-needed lib/zpl/libzrt.a -lstdc++ -lm -ldl -lpthread
///
/// and then copies the executable to its place (Output.cpp), which takes a
/// millisecond: linkers differ in what they do to devices and on full disks.
///
/// C is compiled by the Clang that belongs to zplc's LLVM, as the ZPL program
/// is. For the link the first of cc, gcc, clang-19, clang on the PATH is taken.
/// It gets -fuse-ld=gold where that linker is, as beside GNU's in Debian 12:
/// examples/nas/mg.z takes it 50 ms, and GNU's 160 ms. No transport is linked;
/// the program loads the plug-in that it needs.
///
//===----------------------------------------------------------------------===//

#include "Link.h"
#include "Output.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
namespace path = llvm::sys::path;

namespace zpl::driver {

Installation Installation::find(const char *argv0) {
  Installation result;
  // Any address in the executable will do.
  result.executable = sys::fs::getMainExecutable(
      argv0, reinterpret_cast<void *>(&Installation::find));
  std::string prefix =
      path::parent_path(path::parent_path(result.executable)).str();
  result.runtime = prefix + "/lib/zpl/libzrt.a";
  result.pluginDir = prefix + "/lib/zpl/plugins";
  result.includeDir = prefix + "/include";
  result.interop = prefix + "/lib/zpl/libzplInterop.so";
  result.gdbScript = prefix + "/share/zpl/gdb/zpl.py";
  result.library = prefix + "/share/zpl/library";
  result.machines = prefix + "/share/zpl/machines";
  if (sys::fs::exists(ZPL_SLEEF)) {
    result.sleef = ZPL_SLEEF;
    result.sleefVersion = ZPL_SLEEF_VERSION;
  }
  return result;
}

/// Do executables for \p a run where those for \p b do?
static bool areAlike(const Triple &a, const Triple &b) {
  return a.getArch() == b.getArch() && a.getOS() == b.getOS() &&
         a.getEnvironment() == b.getEnvironment();
}

void Installation::retarget(StringRef target) {
  if (target.empty() || areAlike(Triple(Triple::normalize(target)),
                                 Triple(sys::getProcessTriple())))
    return;
  foreignTarget = target.str();
  std::string folder = (path::parent_path(runtime) + "/" + target).str();
  runtime = folder + "/libzrt.a";
  pluginDir = folder + "/plugins";
  sleef.clear();
}

TemporaryFiles::~TemporaryFiles() {
  for (const std::string &path : paths) {
    std::error_code error = sys::fs::remove(path);
    (void)error; // What cannot be removed stays.
    sys::DontRemoveFileOnSignal(path);
  }
}

std::string TemporaryFiles::make(StringRef stem, StringRef suffix,
                                 bool nameOnly) {
  constexpr size_t longest = 200; // leaves room in a name of 255 bytes
  stem = stem.take_front(longest);
  SmallString<128> result;
  std::error_code error;
  if (nameOnly) {
    error = sys::fs::getPotentiallyUniqueTempFileName(stem, suffix, result);
  } else {
    makeRemovable([&] {
      error = sys::fs::createTemporaryFile(stem, suffix, result);
      if (!error)
        sys::RemoveFileOnSignal(result);
    });
  }
  if (error) {
    reportError("cannot make a temporary file: " + error.message());
    return "";
  }
  if (!nameOnly)
    paths.push_back(result.str().str());
  return result.str().str();
}

void printCommand(ArrayRef<StringRef> command) {
  for (StringRef word : command) {
    errs() << ' ';
    sys::printArg(errs(), word, /*Quote=*/true);
  }
  errs() << '\n';
}

namespace {

/// The C compiler driver and how it is called.
class Linker {
public:
  Linker(const Options &options, const Installation &installation,
         TemporaryFiles &temporaries, Dependencies &dependencies)
      : options(options), installation(installation), temporaries(temporaries),
        dependencies(dependencies) {}

  bool findDriver();
  bool findClang();
  /// Gives the object's path, empty after an error. \p isRead: what it is made
  /// of belongs in the rule for make.
  std::string compileC(StringRef source, bool isRead);
  bool linkAll(ArrayRef<std::string> objects);

private:
  bool run(ArrayRef<std::string> command, StringRef what);
  bool readRule(StringRef rule);
  bool deliver(StringRef executable);

  const Options &options;
  const Installation &installation;
  TemporaryFiles &temporaries;
  Dependencies &dependencies;
  std::string driver;
  std::string clang; ///< empty until it is needed
};

} // namespace

/// The first of \p names that is on the PATH; empty: none is.
static std::string firstProgram(ArrayRef<std::string> names) {
  for (const std::string &name : names)
    if (ErrorOr<std::string> found = sys::findProgramByName(name))
      return *found;
  return "";
}

std::string findLinker(const Installation &installation) {
  const std::string &target = installation.foreignTarget;
  if (target.empty())
    return firstProgram({"cc", "gcc", "clang-19", "clang"});
  return firstProgram({target + "-gcc", "clang-19", "clang"});
}

std::string findCCompiler() {
  return sys::fs::can_execute(ZPL_CLANG) ? ZPL_CLANG
                                         : firstProgram({"clang-19"});
}

bool Linker::findDriver() {
  driver = findLinker(installation);
  if (driver.empty() && installation.foreignTarget.empty())
    reportError("no linker: none of cc, gcc, clang-19, clang is on the PATH");
  else if (driver.empty())
    reportError("no linker: none of " + installation.foreignTarget +
                "-gcc, clang-19, clang is on the PATH");
  return !driver.empty();
}

bool Linker::findClang() {
  if (clang.empty())
    clang = findCCompiler();
  if (clang.empty())
    reportError("no C compiler: clang-19 is not on the PATH");
  return !clang.empty();
}

bool Linker::run(ArrayRef<std::string> command, StringRef what) {
  SmallVector<StringRef, 16> words(command.begin(), command.end());
  if (options.verbose || options.dryRun)
    printCommand(words);
  if (options.dryRun)
    return true;
  std::string message;
  int status = sys::ExecuteAndWait(words.front(), words, std::nullopt, {}, 0, 0,
                                   &message);
  if (status == 0)
    return true;
  if (status < 0)
    reportError(what + " failed: " + message);
  else
    reportError(what + " failed with status " + Twine(status) +
                " (-v shows the command)");
  return false;
}

std::string Linker::compileC(StringRef source, bool isRead) {
  if (!findClang())
    return "";
  std::string object =
      temporaries.make(path::stem(source), "o", options.dryRun);
  if (object.empty())
    return "";
  std::vector<std::string> command = {clang, "-c",
                                      "-O" + std::to_string(options.level)};
  if (options.isLibrary)
    command.insert(command.end(), {"-fPIC", "-fvisibility=hidden"});
  bool isForeign = !installation.foreignTarget.empty();
  if (isForeign)
    command.push_back("--target=" + installation.foreignTarget);
  Triple triple(isForeign ? Triple::normalize(installation.foreignTarget)
                          : sys::getProcessTriple());
  if (!isForeign || options.cpu != "native")
    command.push_back((triple.isX86() ? "-march=" : "-mcpu=") + options.cpu);
  // Of Intel's processors with AVX10, clang 19 warns of what it has found itself.
  if (options.cpu == "native")
    command.push_back("-Wno-invalid-feature-combination");
  if (options.debugInfo)
    command.push_back("-g");
  for (const std::string &dir : options.includeDirs)
    command.push_back("-I" + dir);
  command.push_back("-I" + installation.includeDir);
  std::string rule;
  if (options.dependencies.isWanted && isRead) {
    rule = temporaries.make(path::stem(source), "d", options.dryRun);
    if (rule.empty())
      return "";
    command.insert(command.end(),
                   {options.dependencies.hasSystem ? "-MD" : "-MMD", "-MT",
                    "zplc", "-MF", rule});
  }
  command.insert(command.end(), {"-x", "c", source.str(), "-o", object});
  return run(command, "C compiler") && readRule(rule) ? object : "";
}

/// Takes over what Clang has read.
bool Linker::readRule(StringRef rule) {
  if (rule.empty() || options.dryRun)
    return true;
  ErrorOr<std::unique_ptr<MemoryBuffer>> text = MemoryBuffer::getFile(rule);
  if (text)
    dependencies.addRule((*text)->getBuffer());
  else
    reportError("cannot read '" + rule + "': " + text.getError().message());
  return bool(text);
}

std::vector<std::string> runtimeFlags(const Installation &installation,
                                      bool vectorMath) {
  std::vector<std::string> flags;
  // Only programs that call functions of it need it to run.
  if (vectorMath && installation.hasSleef())
    flags = {"-Wl,--as-needed", installation.sleef, "-Wl,--no-as-needed"};
  flags.insert(flags.end(),
               {installation.runtime, "-lstdc++", "-lm", "-ldl", "-lpthread"});
  return flags;
}

bool Linker::linkAll(ArrayRef<std::string> objects) {
  std::string executable =
      temporaries.make(path::stem(options.output), "out", options.dryRun);
  if (executable.empty())
    return false;
  // At a fixed address: strings are at equal addresses on all processors.
  std::vector<std::string> command = {driver};
  if (!installation.foreignTarget.empty()) {
    if (!path::filename(driver).ends_with("-gcc"))
      command.push_back("--target=" + installation.foreignTarget);
  } else if (sys::findProgramByName("ld.gold")) {
    command.push_back("-fuse-ld=gold");
  }
  if (options.isStatic)
    command.push_back("-static");
  if (options.isLibrary) // Of the runtime, nothing is for others.
    command.insert(command.end(), {"-shared", "-Wl,--exclude-libs,ALL",
                                   "-Wl,-Bsymbolic", "-o", executable});
  else
    command.insert(command.end(), {"-no-pie", "-o", executable});
  for (const LinkItem &item : options.linkItems)
    switch (item.kind) {
    case LinkItem::Program:
      append_range(command, objects);
      break;
    case LinkItem::CSource:
    case LinkItem::Glue: {
      std::string compiled =
          compileC(item.text, item.kind == LinkItem::CSource);
      if (compiled.empty())
        return false;
      command.push_back(std::move(compiled));
      break;
    }
    case LinkItem::File:
    case LinkItem::Flag:
      command.push_back(item.text);
      break;
    }
  append_range(command, runtimeFlags(installation, options.vectorMath));
  return run(command, "linker") && (options.dryRun || deliver(executable));
}

/// Brings what the linker made to options.output.
bool Linker::deliver(StringRef executable) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> bytes = MemoryBuffer::getFile(
      executable, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (bytes)
    return writeOutput(options.output, (*bytes)->getBuffer(), 0777);
  reportError("cannot read '" + executable +
              "': " + bytes.getError().message());
  return false;
}

bool checkRuntime(const Installation &installation) {
  if (sys::fs::exists(installation.runtime))
    return true;
  if (installation.foreignTarget.empty())
    reportError("the runtime library '" + installation.runtime +
                "' is missing");
  else
    reportError("there is no runtime for target '" +
                installation.foreignTarget + "': '" + installation.runtime +
                "' is missing; without one, -c, -S and -emit-llvm work");
  return false;
}

bool link(const Options &options, const Installation &installation,
          ArrayRef<std::string> objects, TemporaryFiles &temporaries,
          Dependencies &dependencies) {
  if (!checkRuntime(installation))
    return false;
  Linker linker(options, installation, temporaries, dependencies);
  return linker.findDriver() && linker.linkAll(objects);
}

} // namespace zpl::driver
