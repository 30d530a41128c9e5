//===- Main.cpp - A run from start to end ---------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// zrtA_main, the `main` of every ZPL program:
//
//   1. read the command line: values of config variables are checked before any
//      process exists, and stored where the variables are declared;
//   2. start the processors: from here on everything happens on each of them,
//      with a Process of its own, also where all are in one process (`sim`);
//   3. check the processor's features and the grids, bind to cores if asked;
//   4. run the global declarations and the entry procedure, observed if the
//      command line says so;
//   5. write out what is pending, and end together.
//
// Mistakes on the command line end with status 2 in step 1. A launcher has
// started all processes by then; only its rank 0 speaks.
//
//===----------------------------------------------------------------------===//

#include "Collective/Algorithms.h"
#include "Collective/Collective.h"
#include "Entry/Binding.h"
#include "Entry/Config/CommandLine.h"
#include "Entry/CpuFeatures.h"
#include "Entry/CrashReport.h"
#include "Entry/Library/Library.h"
#include "Entry/Process.h"
#include "Entry/RunEnd.h"
#include "Entry/Simulation/Simulated.h"
#include "Entry/Simulation/Skeleton.h"
#include "Entry/StackGuard.h"
#include "Machine/RunFigures.h"
#include "Support/Clock.h"
#include "Support/Env.h"
#include "Support/Error.h"
#include "Support/Operation.h"
#include "Transport/Guardian.h"
#include "Transport/Launch.h"
#include "Transport/Launcher.h"

#include <csignal>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <unistd.h>

using namespace zrt;

static std::string baseName(const char *path) {
  const char *slash = std::strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/// What the system may have left to the program's caller. Failed writes are
/// errors of statements, not signals. A standard file that the caller has
/// closed (`prog >&-`) stays one that cannot be used: else the first file that
/// the program opens would take its number, and its contents.
static void prepareStandardFiles() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  for (int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(number, F_GETFD) < 0)
      open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/// Reports a usage error from one of the processes that were started. The
/// others wait a moment, since a launcher may end all when the first has gone.
static int32_t refuse(const std::string &message) {
  if (isLibrary())
    refuseToCaller(message);
  if (launcherInfo().rank > 0) {
    timespec moment = {1, 0};
    nanosleep(&moment, nullptr);
  } else {
    printError("%s", message.c_str());
  }
  return UsageStatus;
}

/// Starts the processors; returns on each.
static void launchProcessors(Process &p, char *const *arguments) {
  LaunchOptions options;
  // Under a launcher its number counts, and -r -c -l -g are held against that.
  bool isLaunched =
      isLibrary() ? libraryCommunicator() != nullptr : launcherInfo().rank >= 0;
  options.processors = isLaunched ? p.options.grid.processors
                                  : requestedProcessors(p.options.grid);
  options.transport = p.options.transport;
  options.pluginDir = p.program.plugin_dir;
  options.arguments = arguments;
  options.watchdog = p.options.watchdog;
  options.isGuarded = true;
  options.communicator = libraryCommunicator();
  p.transport = isLibrary() ? launchLibrary(options) : launch(options);
  reportAsProcessors();
}

static void checkMachine(const Process &p) {
  std::string missing = missingCpuFeatures(p.program.cpu_features);
  if (!missing.empty())
    fatal(nullptr, ErrorScope::Local,
          "this processor lacks %s, which the program was compiled for; "
          "compile it with another -march",
          missing.c_str());
  std::string error;
  if (!checkGrids(p.options.grid, p.transport->size(), error))
    usageError("%s", error.c_str());
}

/// What -v says: the processors, the transport and the grid of each rank; with
/// --bind=core also the cores.
static void describeRun(Process &p) {
  int size = p.transport->size();
  std::string text = p.name + ": " + std::to_string(size) +
                     (size == 1 ? " processor" : " processors") +
                     ", transport " + p.transport->name() + ", grids";
  for (int rank = 1; rank <= ZRT_MAX_RANK; ++rank) {
    ProcessGrid grid;
    std::string error;
    makeGrid(p.options.grid, rank, size, grid, error);
    for (int d = 0; d < rank; ++d)
      text += (d == 0 ? " " : "x") + std::to_string(grid.extent[d]);
  }
  text += "\n";
  if (p.options.bindsCores)
    text += bindingText(*p.transport, p.name);
  if (p.options.isSkeleton)
    text += skeletonText(p.program, p.name);
  p.write(ZRT_ZERR, text);
}

/// A program that was to go on, and did not.
static void warnIfNotRestarted(const Process &p) {
  if (p.isFirst() && !p.options.restartFile.empty() && !p.restart.isDone)
    printWarning(nullptr,
                 "the program has not called restart(): '%s' was read "
                 "for the values of config variables only",
                 p.options.restartFile.c_str());
}

/// What follows the program's last statement.
static void endProgram(Process &p) {
  {
    OperationScope scope(OperationKind::End, nullptr);
    std::string ways = p.tuning.finish();
    if (p.options.verbose)
      p.write(ZRT_ZERR, ways);
    p.observation.noteWays(ways);
    p.files.flush();
    warnIfNotRestarted(p);
    p.dropPlans();
    if (p.observation.isTimed()) // how long this processor has to wait
      barrier(*p.transport);
  }
  p.observation.finish();
}

/// From the start of this processor's program to its end.
static void runProgram(Process &p) {
  if (!isLibrary())
    prepareCrashReport();
  checkMachine(p);
  if (p.options.bindsCores)
    bindToCores(*p.transport);
  if (p.options.verbose)
    describeRun(p);
  p.observation.start(*p.transport, p.program, p.options, p.name);
  p.tuning.start(*p.transport, p.program, p.options,
                 std::string_view(p.transport->name()) == "sim");
  p.timerStart = monotonicSeconds();
  p.strings.stackBase = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  p.program.initialize();
  p.program.entry();

  endProgram(p);
  dropCrashReport();
  p.transport->finish();
}

/// All processors are in this process, each with a Process of its own.
static int32_t simulateProgram(const zrt_program &program,
                               const std::string &name,
                               const CommandLine &options) {
  extendStack();
  noteSignals();
  return runSimulated(program, name, options,
                      [&](int place, int places, auto transport) {
                        Process p(program, name, options, place, places);
                        setProcess(&p);
                        p.transport = std::move(transport);
                        reportAsProcessors();
                        zrt_work_done.leaves_out = options.isSkeleton ? -1 : 0;
                        runProgram(p);
                      });
}

int32_t zrtA_main(int32_t argc, char **argv, const zrt_program *program) {
  if (!isLibrary())
    prepareStandardFiles();
  std::string name = argc > 0 && argv[0][0] ? baseName(argv[0]) : program->name;
  reportEarly(name.c_str());

  CommandLine options;
  std::string error = wrongEnvironment();
  if (program->revision != ZRT_ABI_REVISION)
    error = "this program was compiled by another version of zplc than the one "
            "that linked it; compile it again";
  if (!error.empty() || !setRunFigures(program->figures, error) ||
      !parseCommandLine(argc, argv, *program, options, error) ||
      !forceAlgorithms(envText(EnvVariable::Collective), error))
    return refuse(error);
  for (int rank = 1; rank <= ZRT_MAX_RANK; ++rank)
    options.grid.waves[rank] = program->wave_dims[rank - 1];
  int processors = requestedProcessors(options.grid);
  if (launcherInfo().rank < 0 && processors > 0 &&
      !checkGrids(options.grid, processors, error))
    return refuse(error);

  if (!options.help && wantsSimulation(options) && options.bindsCores)
    return refuse("option '--bind=core' is for processors that run; those of "
                  "the transport 'sim' are simulated");
  if (!options.help && options.isSkeleton && !wantsSimulation(options))
    return refuse("option '--sim=skeleton' is for the transport 'sim'; add "
                  "--transport=sim");
  if (!options.help && !isLibrary() && wantsSimulation(options))
    return simulateProgram(*program, name, options);

  Process p(*program, name, std::move(options));
  setProcess(&p);
  if (p.options.help) {
    if (launcherInfo().rank <= 0)
      p.files.write(ZRT_ZOUT, helpText(name, *program));
    p.files.flush();
    return 0;
  }

  // Beyond this point there is one process per processor.
  if (!isLibrary()) {
    extendStack();
    noteSignals();
  }
  launchProcessors(p, argv);
  runProgram(p);
  guardianEnd();
  reportEarly(name.c_str());
  return 0;
}
