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
/// writes them to a temporary file and links (Link.cpp). `-c` and its like
/// write the bytes to the output instead. An output appears only when it is
/// complete; nothing is written after an error.
///
//===----------------------------------------------------------------------===//

#include "zpl/Driver/Driver.h"
#include "Compile.h"
#include "Link.h"
#include "Options.h"
#include "zpl/Support/Timing.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"

using namespace llvm;

namespace zpl {

using namespace driver;

static void printVersion(raw_ostream &os, const Installation &installation) {
  os << "zplc " ZPLC_VERSION " (LLVM " LLVM_VERSION_STRING ")\n"
     << "target: " << sys::getDefaultTargetTriple() << '\n'
     << "runtime: " << installation.runtime << '\n';
}

/// The compilation alone, as a command: what -v and -### show.
static void printCompilation(const Options &options, StringRef zplc,
                             StringRef output) {
  std::vector<std::string> command = {zplc.str()};
  switch (options.kind) {
  case OutputKind::Object:
    command.push_back("-c");
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
  command.insert(command.end(),
                 {"-march=" + options.cpu, options.source, "-o", output.str()});
  printCommand(SmallVector<StringRef, 8>(command.begin(), command.end()));
}

static bool writeProduct(StringRef path, StringRef product) {
  Error error = writeToOutput(path, [&](raw_ostream &os) {
    os << product;
    return Error::success();
  });
  if (!error)
    return true;
  reportError("cannot write '" + path + "': " + toString(std::move(error)));
  return false;
}

/// Compiles the ZPL source to \p output.
static bool compileTo(StringRef output, const Options &options,
                      const Installation &installation, PhaseTimers &timers) {
  if (options.verbose || options.dryRun)
    printCompilation(options, installation.executable, output);
  if (options.dryRun)
    return true;
  SmallString<0> product;
  if (!compile(options, installation, timers, product))
    return false;
  return options.lastPhase != Phase::Backend || writeProduct(output, product);
}

static bool compileAndLink(const Options &options,
                           const Installation &installation,
                           PhaseTimers &timers) {
  TemporaryFiles temporaries;
  std::string object;
  if (!options.source.empty()) {
    StringRef stem =
        options.source == "-" ? "zpl" : sys::path::stem(options.source);
    object = temporaries.make(stem, "o", options.dryRun);
    if (object.empty() || !compileTo(object, options, installation, timers))
      return false;
  }
  PhaseTimers::Scope scope(timers, "link");
  return link(options, installation, object, temporaries);
}

int compilerMain(ArrayRef<const char *> args) {
  std::optional<Options> options = parseOptions(args.drop_front());
  if (!options)
    return 1;
  Installation installation = Installation::find(args.front());
  if (options->showHelp) {
    printHelp(outs());
    return 0;
  }
  if (options->showVersion) {
    printVersion(outs(), installation);
    return 0;
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
    status = !compileTo(options->output, *options, installation, timers);
  if (options->timePhases)
    timers.print(errs());
  return status;
}

} // namespace zpl
