//===- Conformance.cpp - Holds transports to their contract ---------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each transport passes the same clauses.
///
///     zrt-conformance --transport=NAME [-pN] [--threads] [--faults=SEED]
///
/// The driver, without a transport of its own, starts this program again as a
/// run: once for all clauses about data, and once per clause about the end of
/// a run. `--threads` runs the clauses about data on shm with one thread per
/// processor, in this process, for ThreadSanitizer. `simulated` is a transport
/// that does all as late as it may (Simulation.h). `--faults` wraps any of
/// them (Faults.cpp). `--mistakes` proves that each clause bites
/// (Mistakes.cpp).
///
/// Prints a line per clause and `N passed, N failed`.
///
//===----------------------------------------------------------------------===//

#include "Faults.h"
#include "Run.h"
#include "Suite.h"

#include "Support/Error.h"
#include "Transport/Launch.h"
#include "Transport/shm/ShmTransport.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <sys/prctl.h>
#include <unistd.h>

using namespace zrt;
using namespace zrt::test;

namespace {

/// Seconds in which a run must notice its end.
constexpr double EndLimit = 15;
constexpr const char *RegularEnd = "end-regular";

Setting settingOf(const Options &options) {
  Setting setting;
  setting.seed = options.seed;
  setting.isShort = options.isShort;
  return setting;
}

/// Whether --clause asks for \p name: by itself, or by what stands before its
/// hyphen.
bool isChosen(const Options &options, const std::string &name) {
  return options.clause.empty() || options.clause == name ||
         name.starts_with(options.clause + "-");
}

std::vector<Clause> chosenClauses(const Options &options, bool inProcesses) {
  std::vector<Clause> clauses = allClauses();
  std::erase_if(clauses, [&](const Clause &clause) {
    return !isChosen(options, clause.name) ||
           (clause.needsProcess && !inProcesses);
  });
  return clauses;
}

int report(size_t passed, size_t failed) {
  printf("%zu passed, %zu failed\n", passed, failed);
  return failed ? 1 : 0;
}

// --- Processors -------------------------------------------------------------

int runWorker(const Options &options, char **arguments) {
  LaunchOptions launching;
  launching.processors = options.processors;
  launching.transport = options.transport;
  launching.pluginDir = ZRT_TEST_PLUGIN_DIR;
  launching.arguments = arguments;
  std::unique_ptr<Transport> transport = launch(launching);
  if (options.faults)
    transport = makeFaulty(std::move(transport), options.faults);
  transport = makeEndMistake(std::move(transport), options.endMistake);
  if (options.worker == "data") {
    runInProcesses(*transport, chosenClauses(options, true),
                   settingOf(options));
    transport->finish();
    return 0;
  }
  for (const Scenario &scenario : endScenarios())
    if (options.worker == scenario.name)
      scenario.run(*transport);
  return 4; // No scenario returns.
}

int runThreads(const Options &options) {
  auto transports = shm::makeThreadTransports(options.processors);
  if (transports.empty()) {
    fprintf(stderr, "no shared memory\n");
    return 1;
  }
  for (auto &transport : transports)
    if (options.faults)
      transport = makeFaulty(std::move(transport), options.faults);
  std::vector<Clause> clauses = chosenClauses(options, false);
  int failed = runInThreads(transports, clauses, settingOf(options));
  return report(clauses.size() - failed, failed);
}

int runSimulated(const Options &options) {
  std::vector<Clause> clauses = chosenClauses(options, false);
  int failed = 0;
  for (const Clause &clause : clauses)
    failed +=
        printVerdict(clause, simulate(clause, options.processors, Mistake::None,
                                      settingOf(options), options.seed > 0));
  return report(clauses.size() - failed, failed);
}

// --- The driver -------------------------------------------------------------

struct Tally {
  size_t passed = 0, failed = 0;

  void add(const char *name, const char *claim, const std::string &failure,
           const Outcome &outcome) {
    (failure.empty() ? passed : failed)++;
    printf("%s: %s: %s%s%s\n", failure.empty() ? "PASS" : "FAIL", name, claim,
           failure.empty() ? "" : ": ", failure.c_str());
    if (!failure.empty())
      printf("  status %d after %.1f s\n  output: %s\n  errors: %s\n",
             outcome.status, outcome.seconds, outcome.out.c_str(),
             outcome.err.c_str());
    fflush(stdout);
  }
};

std::string judgeRegular(const Outcome &outcome) {
  if (outcome.status != 0 || !outcome.err.empty())
    return "it does not";
  return outcome.left ? "processes are left over" : "";
}

/// All clauses about data in one run. The one behind the last that is reported
/// is at fault if the run does not come to its end.
void driveData(const Options &options, Tally &tally) {
  Outcome outcome = Run(options, "data").wait(0, options.limit);
  std::vector<Clause> clauses = chosenClauses(options, true);
  size_t start = 0, reported = 0;
  for (size_t end; (end = outcome.out.find('\n', start)) != std::string::npos;
       start = end + 1) {
    std::string line = outcome.out.substr(start, end - start);
    bool passes = line.rfind("PASS", 0) == 0 || line.rfind("SKIP", 0) == 0;
    bool fails = line.rfind("FAIL", 0) == 0;
    tally.passed += passes;
    tally.failed += fails;
    reported += passes || fails;
    puts(line.c_str());
  }
  if (reported < clauses.size())
    tally.add(clauses[reported].name, clauses[reported].claim,
              outcome.seconds > options.limit ? "the run hangs"
                                              : "the run ends here",
              outcome);
  tally.add(RegularEnd, "the run ends with status 0 and silently",
            judgeRegular(outcome), outcome);
}

/// Runs \p scenario; returns what is wrong with \p outcome.
std::string tryEnd(const Options &options, const Scenario &scenario,
                   Outcome &outcome) {
  double limit = std::min(EndLimit, options.limit);
  outcome = Run(options, scenario.name).wait(scenario.signal, limit);
  std::string failure =
      scenario.judge(outcome, options.transport, options.processors);
  if (outcome.seconds > limit)
    return "the run hangs";
  return failure.empty() && outcome.left ? "processes are left over" : failure;
}

int drive(const Options &options) {
  Tally tally;
  if (isChosen(options, RegularEnd) || !chosenClauses(options, true).empty())
    driveData(options, tally);
  Outcome outcome;
  for (const Scenario &scenario : endScenarios())
    if (isChosen(options, scenario.name)) {
      std::string failure = tryEnd(options, scenario, outcome);
      tally.add(scenario.name, scenario.claim, failure, outcome);
    }
  return report(tally.passed, tally.failed);
}

// --- Mistakes ---------------------------------------------------------------

/// The clauses about the end that fail on shm with \p mistake.
std::string failingEnds(const char *mistake) {
  Options options;
  options.transport = "shm";
  options.processors = 3;
  options.limit = 5;
  options.words = {"--transport=shm", "-p3", "--clause=end",
                   std::string("--end-mistake=") + mistake};
  options.clause = "end";
  std::set<std::string> names;
  Outcome outcome = Run(options, "data").wait(0, options.limit);
  if (!judgeRegular(outcome).empty())
    names.insert(RegularEnd);
  for (const Scenario &scenario : endScenarios())
    if (!tryEnd(options, scenario, outcome).empty())
      names.insert(scenario.name);
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "" : " ") + name;
  return text;
}

int runMistakes(const Options &options) {
  Setting setting = settingOf(options);
  setting.isShort = true;
  MistakeCount count = tryMistakes(chosenClauses(options, false), setting);
  for (const EndMistakeKind &mistake : endMistakes()) {
    if (options.isShort && mistake.takesLong)
      continue;
    std::string found = failingEnds(mistake.name);
    bool right = found == mistake.clauses;
    (right ? count.passed : count.failed)++;
    printf("%s: %s: %s: %s\n", right ? "PASS" : "FAIL", mistake.name,
           mistake.what, found.c_str());
    if (!right)
      printf("  expected: %s\n", mistake.clauses);
    fflush(stdout);
  }
  return report(count.passed, count.failed);
}

// --- The command line -------------------------------------------------------

/// The value of \p word if it is \p option=value.
const char *valueOf(const std::string &word, const char *option) {
  size_t length = strlen(option);
  bool matches = word.rfind(option, 0) == 0;
  return matches ? word.c_str() + length : nullptr;
}

bool parseWord(const std::string &word, Options &options) {
  struct Switch {
    const char *name;
    bool &value;
  };
  for (const Switch &entry :
       {Switch{"--threads", options.threads},
        Switch{"--mistakes", options.mistakes}, Switch{"--list", options.list},
        Switch{"--short", options.isShort}})
    if (word == entry.name)
      return entry.value = true;
  struct Text {
    const char *name;
    std::string &value;
  };
  for (const Text &entry : {Text{"--transport=", options.transport},
                            Text{"--clause=", options.clause},
                            Text{"--end-mistake=", options.endMistake},
                            Text{"--worker=", options.worker}})
    if (const char *value = valueOf(word, entry.name)) {
      entry.value = value;
      return true;
    }
  if (const char *value = valueOf(word, "--limit="))
    options.limit = atof(value);
  else if (const char *value = valueOf(word, "--seed="))
    options.seed = atoi(value);
  else if (const char *value = valueOf(word, "--faults="))
    options.faults = atoi(value);
  else if (const char *value = valueOf(word, "-p"))
    options.processors = atoi(value);
  else
    return false;
  return true;
}

bool parse(int argc, char **argv, Options &options) {
  for (int i = 1; i < argc; ++i) {
    if (!parseWord(argv[i], options))
      return false;
    if (strncmp(argv[i], "--worker=", 9) != 0)
      options.words.push_back(argv[i]);
  }
  return options.processors > 0 && options.limit > 0;
}

int listClauses() {
  for (const Clause &clause : allClauses())
    printf("%-18s %s\n", clause.name, clause.claim);
  for (const Scenario &scenario : endScenarios())
    printf("%-18s %s\n", scenario.name, scenario.claim);
  return 0;
}

bool isKnown(const Options &options) {
  bool known = isChosen(options, RegularEnd);
  for (const Clause &clause : allClauses())
    known |= isChosen(options, clause.name);
  for (const Scenario &scenario : endScenarios())
    known |= isChosen(options, scenario.name);
  return known;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  if (!parse(argc, argv, options)) {
    fprintf(stderr,
            "usage: zrt-conformance --transport=NAME|simulated [-pN]\n"
            "         [--threads] [--faults=SEED] [--seed=N] [--short]\n"
            "         [--clause=NAME] [--limit=SECONDS]\n"
            "         [--end-mistake=NAME]\n"
            "       zrt-conformance --list | --mistakes [--short]\n");
    return 2;
  }
  ErrorContext context;
  context.programName = "conformance";
  setErrorContext(context);
  if (!isKnown(options)) {
    printError("there is no clause '%s'; --list names all",
               options.clause.c_str());
    return 2;
  }
  if (options.list)
    return listClauses();
  if (!options.worker.empty())
    return runWorker(options, argv);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  signal(SIGPIPE, SIG_IGN);
  if (options.mistakes)
    return runMistakes(options);
  if (options.transport == "simulated")
    return runSimulated(options);
  return options.threads ? runThreads(options) : drive(options);
}
