//===- Simulated.cpp - Runs on a simulated machine ------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     ./jacobi -p1024 --transport=sim --sim-machine=cm5 --profile
//
// is read here: which machine, by a file or by the name of one that is installed
// with zplc (share/zpl/machines, found from where plug-ins are), and how
// computing is charged. The model needs counts, which programs have that were
// compiled with -fcount-work; of others the profile says that nothing was
// charged.
//
//===----------------------------------------------------------------------===//

#include "Entry/Simulation/Simulated.h"

#include "Entry/Process.h"
#include "Entry/Simulation/Skeleton.h"
#include "Support/Clock.h"
#include "Support/Error.h"
#include "Transport/Launch.h"
#include "Transport/Launcher.h"
#include "Transport/PluginLoader.h"
#include "Transport/sim/SimTransport.h"

#include <charconv>
#include <sys/auxv.h>

namespace zrt {

static constexpr const char *DefaultMachine = "infiniband";

bool wantsSimulation(const CommandLine &options) {
  LaunchOptions launch;
  launch.transport = options.transport;
  return wishedTransport(launch) == "sim";
}

/// Beside the plug-ins: lib/zpl/plugins and share/zpl/machines.
static std::string machineFolder(const zrt_program &program) {
  std::string folder = pluginFile("sim", program.plugin_dir);
  for (int k = 0; k < 4; ++k) { // the file, plugins, zpl, lib
    size_t slash = folder.rfind('/');
    folder.erase(slash == folder.npos ? 0 : slash);
  }
  return folder + "/share/zpl/machines";
}

/// Reads --sim-compute.
static bool takeCompute(const std::string &text, sim::Setup &setup,
                        std::string &error) {
  std::string word = text.substr(0, text.find(':'));
  setup.compute = word == "none"       ? sim::ComputeCost::None
                  : word == "measured" ? sim::ComputeCost::Measured
                                       : sim::ComputeCost::Model;
  bool isKnown =
      word.empty() || word == "model" || word == "none" || word == "measured";
  bool isGood = isKnown && word.size() == text.size();
  if (word == "measured" && !isGood) {
    const char *first = text.data() + word.size() + 1;
    const char *end = text.data() + text.size();
    auto [stop, status] = std::from_chars(first, end, setup.scale);
    isGood = status == std::errc() && stop == end && setup.scale > 0 &&
             setup.scale <= 1e6;
  }
  if (!isGood)
    error = "option '--sim-compute' is model, measured, measured:FACTOR or "
            "none, not '" +
            text + "'";
  return isGood;
}

static bool prepare(const zrt_program &program, const CommandLine &options,
                    sim::Setup &setup, std::string &error) {
  if (launcherInfo().size > 1) {
    error = "the transport 'sim' does not work with the " +
            std::to_string(launcherInfo().size) +
            " processes of a launcher; start the program without it";
    return false;
  }
  if (getauxval(AT_BASE) == 0) {
    error = "the transport 'sim' needs a program that is linked with shared "
            "libraries";
    return false;
  }
  int asked = requestedProcessors(options.grid);
  setup.processors = asked > 0 ? asked : 1;
  std::string machine =
      options.simMachine.empty() ? DefaultMachine : options.simMachine;
  if (!takeCompute(options.simCompute, setup, error) ||
      !sim::findMachine(machine, machineFolder(program), options.simTransport,
                        setup.machine, error))
    return false;
  if (options.isSkeleton && setup.compute == sim::ComputeCost::Measured) {
    error = "with --sim=skeleton there is nothing to measure; use "
            "--sim-compute=model or none";
    return false;
  }
  if (setup.compute != sim::ComputeCost::Model || setup.machine.hasProcessor)
    return true;
  error = "the machine '" + machine +
          "' says nothing about its \"processor\"; use --sim-compute=measured "
          "or none";
  return false;
}

int32_t runSimulated(const zrt_program &program, const std::string &name,
                     const CommandLine &options,
                     const SimulatedProcessor &body) {
  sim::Setup setup;
  std::string error;
  if (!prepare(program, options, setup, error)) {
    if (launcherInfo().rank <= 0)
      printError("%s", error.c_str());
    return UsageStatus;
  }
  if (options.verbose)
    setup.progress = name;
  if (options.isSkeleton)
    setup.note = skeletonSummary(program);
  int places = setup.processors;
  auto one = [&](std::unique_ptr<Transport> transport) {
    int place = transport->rank();
    body(place, places, std::move(transport));
  };
  uint64_t events = 0;
  double start = machineSeconds();
  if (!sim::simulate(setup, one, error, events)) {
    printError("%s", error.c_str());
    return UsageStatus;
  }
  double seconds = machineSeconds() - start;
  if (options.verbose) {
    char text[160];
    snprintf(text, sizeof text,
             "%s: simulated %llu events in %.3f s, %.3g a second\n",
             name.c_str(), static_cast<unsigned long long>(events), seconds,
             static_cast<double>(events) / seconds);
    writeError(text);
  }
  return 0;
}

} // namespace zrt
