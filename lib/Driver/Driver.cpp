//===- Driver.cpp - The compiler as a command -----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What happens around the phases: `zplc jacobi.z -O3 -o jacobi` reads the
/// options (Options.cpp), compiles to object bytes in memory (Compile.cpp),
/// writes them to temporary files and links (Link.cpp). `-c` and its like
/// write the bytes to the output instead (Output.cpp). An output appears only
/// when it is complete; nothing is written after an error.
///
//===----------------------------------------------------------------------===//

#include "zpl/Driver/Driver.h"
#include "Compile.h"
#include "Config.h"
#include "Link.h"
#include "MachineChoice.h"
#include "Options.h"
#include "Output.h"
#include "zpl/Support/Timing.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/thread.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include <fcntl.h>
#include <unistd.h>

using namespace llvm;

namespace zpl {

using namespace driver;

static void printVersion(raw_ostream &os, const Installation &installation) {
  os << "zplc " ZPLC_VERSION " (LLVM " LLVM_VERSION_STRING ")\n"
     << "target: " << sys::getDefaultTargetTriple() << '\n'
     << "runtime: " << installation.runtime << '\n'
     << "functions on vectors: "
     << (installation.hasSleef()
             ? "SLEEF " + installation.sleefVersion
             : "none, there is no SLEEF; libm has all functions")
     << '\n';
}

/// The compilation alone, as a command, if -v or -### asks for it.
static void showCompilation(const Options &options,
                            const Installation &installation,
                            StringRef output) {
  if (!options.verbose && !options.dryRun)
    return;
  std::vector<std::string> command = {installation.executable};
  switch (options.kind) {
  case OutputKind::Object:
    command.push_back(options.costModel ? "-emit-cost-model" : "-c");
    break;
  case OutputKind::Assembly:
    command.push_back("-S");
    break;
  case OutputKind::Bitcode:
    command.push_back("-emit-llvm");
    break;
  case OutputKind::LLVMText:
    command.insert(command.end(), {"-S", "-emit-llvm"});
    break;
  }
  command.push_back("-O" + std::to_string(options.level));
  if (options.debugInfo)
    command.push_back("-g");
  if (!options.target.empty())
    command.push_back("--target=" + options.target);
  command.insert(command.end(),
                 {"-march=" + options.cpu, options.source, "-o", output.str()});
  printCommand(SmallVector<StringRef, 8>(command.begin(), command.end()));
}

/// Writes the page of --report, if there is one: of a program with errors, too.
static bool writeReport(const Options &options, StringRef page) {
  return page.empty() || options.dryRun || writeOutput(options.report, page);
}

/// Compiles the ZPL source to options.output.
static bool compileOnly(const Options &options,
                        const Installation &installation, PhaseTimers &timers) {
  showCompilation(options, installation, options.output);
  if (options.dryRun)
    return true;
  Products products;
  ByProducts more;
  if (!compile(options, installation, timers, products, more)) {
    writeReport(options, more.page);
    return false;
  }
  if (options.lastPhase == Phase::Backend &&
      !writeOutput(options.output, products.front()))
    return false;
  return writeReport(options, more.page) &&
         writeDependencies(options, more.dependencies);
}

/// Compiles the ZPL source, if there is one, to files that are added to
/// \p objects.
static bool compileToObjects(const Options &options,
                             const Installation &installation,
                             PhaseTimers &timers, TemporaryFiles &temporaries,
                             std::vector<std::string> &objects,
                             ByProducts &more) {
  if (options.source.empty())
    return true;
  StringRef stem =
      options.source == "-" ? "zpl" : sys::path::stem(options.source);
  auto newObject = [&] {
    objects.push_back(temporaries.make(stem, "o", options.dryRun));
    return !objects.back().empty();
  };
  if (!newObject())
    return false;
  showCompilation(options, installation, objects.back());
  if (options.dryRun)
    return true;
  Products products;
  if (!compile(options, installation, timers, products, more)) {
    writeReport(options, more.page);
    return false;
  }
  if (!fillTemporary(objects.back(), products.front()))
    return false;
  return all_of(drop_begin(products), [&](StringRef product) {
    return newObject() && fillTemporary(objects.back(), product);
  });
}

/// Has the C code of a library compiled and linked.
static bool addGlue(const LibraryTexts &library, TemporaryFiles &temporaries,
                    Options &options) {
  std::string path = temporaries.make("library", "c", options.dryRun);
  options.linkItems.push_back({LinkItem::Glue, path});
  return !path.empty() && (options.dryRun || fillTemporary(path, library.glue));
}

static bool compileAndLink(const Options &options,
                           const Installation &installation,
                           PhaseTimers &timers) {
  // A kind of machine that LLVM does not know is the compilation's to report.
  if (Triple(options.target).getArch() != Triple::UnknownArch &&
      !checkRuntime(installation))
    return false;
  TemporaryFiles temporaries;
  std::vector<std::string> objects;
  ByProducts more;
  if (!compileToObjects(options, installation, timers, temporaries, objects,
                        more))
    return false;
  PhaseTimers::Scope scope(timers, "link");
  Options linked = options;
  if (options.isLibrary && !addGlue(more.library, temporaries, linked))
    return false;
  return link(linked, installation, objects, temporaries, more.dependencies) &&
         (!options.isLibrary || options.dryRun ||
          writeLibraryTexts(more.library, options.output)) &&
         writeReport(options, more.page) &&
         writeDependencies(options, more.dependencies);
}

/// Runs \p work on a stack for the recursion of the phases over the highest
/// tree that the parser makes. Memory is taken as far as it is used.
static int onLargeStack(function_ref<int()> work) {
  constexpr unsigned stackBytes = 1u << 30;
  int result = 1;
  thread worker(std::optional<unsigned>(stackBytes), [&] { result = work(); });
  worker.join();
  return result;
}

/// A standard file that the caller has closed (`zplc --interpret p.z >&-`)
/// stays one that cannot be used: else the next file that is opened would take
/// its number.
static void keepClosedFilesClosed() {
  for (int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(number, F_GETFD) < 0)
      open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/// -print-machine; the exit status.
static int showMachine(const Options &options,
                       const Installation &installation) {
  ChosenMachine machine;
  std::vector<std::string> warnings;
  std::string error;
  bool isKnown = chooseMachine(options, installation, machine, warnings, error);
  for (const std::string &warning : warnings)
    reportWarning(warning);
  if (!isKnown) {
    reportError(error);
    return 1;
  }
  printMachineChoice(machine, outs());
  return !finishStandardOutput();
}

static int runCompiler(ArrayRef<const char *> args) {
  std::optional<Options> options = parseOptions(args.drop_front());
  if (!options)
    return 1;
  Installation installation = Installation::find(args.front());
  installation.retarget(options->target);
  if (options->isStatic) // There is no static one of it.
    installation.sleef.clear();
  if (options->showHelp) {
    printHelp(outs());
    return !finishStandardOutput();
  }
  if (options->showVersion) {
    printVersion(outs(), installation);
    return !finishStandardOutput();
  }
  if (options->showMachine)
    return showMachine(*options, installation);
  if (options->showConfig) {
    bool isKnown = printConfig(*options, installation, outs());
    return !(finishStandardOutput() && isKnown);
  }
  if (options->verbose)
    printVersion(errs(), installation);

  PhaseTimers timers;
  bool links = options->link && options->lastPhase == Phase::Backend;
  int status;
  if (options->interpret)
    status = interpretProgram(*options, installation, timers);
  else if (links)
    status = !compileAndLink(*options, installation, timers);
  else
    status = !compileOnly(*options, installation, timers);
  if (!finishStandardOutput() && status == 0)
    status = 1;
  if (options->timePhases)
    timers.print(errs());
  return status;
}

int compilerMain(ArrayRef<const char *> args) {
  keepClosedFilesClosed();
  return onLargeStack([&] { return runCompiler(args); });
}

} // namespace zpl
