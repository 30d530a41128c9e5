//===- TransportConformance.cpp - Holds transports to their contract ------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each transport passes the same clauses.
///
///     zrt-conformance --transport=self|shm|mpi [-pN] [--threads]
///
/// The driver, without a transport of its own, starts this program again as a
/// run: once for all clauses about data, and once per clause about the end of
/// a run. Runs of mpi go through mpiexec. `--threads` runs the clauses about
/// data on shm with one thread per processor, in this process, for
/// ThreadSanitizer.
///
/// Prints a line per clause and `N passed, N failed`.
///
//===----------------------------------------------------------------------===//

#include "TransportEnds.h"

#include "Support/Clock.h"
#include "Support/Error.h"
#include "Transport/Launch.h"
#include "Transport/shm/ShmTransport.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace zrt;
using namespace zrt::test;

namespace {

/// Seconds after which a run counts as hanging: in all, and for those that
/// only have to notice their end.
constexpr double TimeLimit = 300;
constexpr double EndLimit = 15;

struct Options {
  std::string transport = "self";
  int processors = 1;
  bool threads = false;
  std::string worker; ///< "data" or a scenario: this is a run
};

std::vector<Clause> dataClauses(bool threads) {
  std::vector<Clause> clauses;
  for (auto *part : {&memoryClauses(), &messageClauses(), &exchangeClauses(),
                     &orderClauses()})
    clauses.insert(clauses.end(), part->begin(), part->end());
  if (!threads)
    clauses.insert(clauses.end(), processClauses().begin(),
                   processClauses().end());
  return clauses;
}

// --- One processor of a run -------------------------------------------------

/// Runs the clauses; processor 0 prints the results. Returns how many failed.
int runClauses(Transport &transport, const std::vector<Clause> &clauses) {
  int failed = 0;
  for (const Clause &clause : clauses) {
    Context context(transport);
    clause.run(context);
    std::string text = context.failure;
    text.resize(200);
    if (transport.rank() != 0) {
      transport.send(0, text.data(), text.size());
      continue;
    }
    std::string failure = context.failure;
    for (int from = 1; from < transport.size(); ++from) {
      transport.receive(from, text.data(), text.size());
      if (failure.empty() && text[0])
        failure = std::string(text.c_str()) + " (processor " +
                  std::to_string(from) + ")";
    }
    printf("%s: %s%s%s\n", failure.empty() ? "PASS" : "FAIL", clause.claim,
           failure.empty() ? "" : ": ", failure.c_str());
    fflush(stdout);
    failed += !failure.empty();
  }
  return failed;
}

int runWorker(const Options &options) {
  LaunchOptions launching;
  launching.processors = options.processors;
  launching.transport = options.transport;
  launching.pluginDir = ZRT_TEST_PLUGIN_DIR;
  std::unique_ptr<Transport> transport = launch(launching);
  if (options.worker == "data") {
    runClauses(*transport, dataClauses(false));
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
  std::vector<Clause> clauses = dataClauses(true);
  int failed = 0;
  std::vector<std::thread> threads;
  for (auto &transport : transports)
    threads.emplace_back([&failed, &transport, &clauses] {
      int count = runClauses(*transport, clauses);
      if (transport->rank() == 0)
        failed = count;
      transport->finish();
    });
  for (std::thread &thread : threads)
    thread.join();
  int passed = static_cast<int>(clauses.size()) - failed;
  printf("%d passed, %d failed\n", passed, failed);
  return failed ? 1 : 0;
}

// --- The driver -------------------------------------------------------------

/// A run that this process has started.
class Run {
public:
  Run(const Options &options, const std::string &worker);
  /// Waits for the end; sends \p signal when the run says that it is ready.
  Outcome wait(int signal, double limit);

private:
  void exec(const Options &options, const std::string &worker);
  /// Reads what is there; false at the end of both streams.
  bool read(double seconds);
  int countLeft();

  pid_t process = 0;
  int outPipe[2], errPipe[2], inPipe[2];
  bool outOpen = true, errOpen = true;
  Outcome outcome;
};

Run::Run(const Options &options, const std::string &worker) {
  fflush(stdout);
  if (pipe(outPipe) || pipe(errPipe) || pipe(inPipe)) {
    perror("pipe");
    exit(1);
  }
  process = fork();
  if (process == 0)
    exec(options, worker);
  close(outPipe[1]);
  close(errPipe[1]);
  close(inPipe[0]);
  if (write(inPipe[1], "input\n", 6) != 6 && errno != EPIPE)
    perror("write"); // A run that has ended already reads nothing.
  close(inPipe[1]);
}

void Run::exec(const Options &options, const std::string &worker) {
  signal(SIGPIPE, SIG_DFL);
  dup2(inPipe[0], STDIN_FILENO);
  dup2(outPipe[1], STDOUT_FILENO);
  dup2(errPipe[1], STDERR_FILENO);
  for (int file :
       {outPipe[0], outPipe[1], errPipe[0], errPipe[1], inPipe[0], inPipe[1]})
    close(file);
  std::string count = std::to_string(options.processors);
  std::vector<std::string> words;
  if (options.transport == "mpi")
    words = {ZRT_TEST_MPIEXEC, "-n", count};
  char self[4096] = "";
  if (readlink("/proc/self/exe", self, sizeof self - 1) < 0)
    _exit(4);
  words.insert(words.end(), {self, "--transport=" + options.transport,
                             "-p" + count, "--worker=" + worker});
  std::vector<char *> arguments;
  for (std::string &word : words)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  perror(arguments[0]);
  _exit(4);
}

bool Run::read(double seconds) {
  pollfd files[2] = {{outOpen ? outPipe[0] : -1, POLLIN, 0},
                     {errOpen ? errPipe[0] : -1, POLLIN, 0}};
  if (poll(files, 2, static_cast<int>(seconds * 1000)) <= 0)
    return outOpen || errOpen;
  char buffer[4096];
  auto take = [&](const pollfd &file, bool &open, std::string &text) {
    if (!file.revents)
      return;
    ssize_t length = ::read(file.fd, buffer, sizeof buffer);
    if (length > 0)
      text.append(buffer, length);
    else
      open = false;
  };
  take(files[0], outOpen, outcome.out);
  take(files[1], errOpen, outcome.err);
  return outOpen || errOpen;
}

/// Processes of the run that have outlived it. They have become our children;
/// those that are about to die get a second for it.
int Run::countLeft() {
  for (int i = 0; i < 100; ++i) {
    while (waitpid(-1, nullptr, WNOHANG) > 0)
      ;
    if (waitpid(-1, nullptr, WNOHANG) < 0 && errno == ECHILD)
      return 0;
    usleep(10000);
  }
  return 1;
}

Outcome Run::wait(int signal, double limit) {
  double start = monotonicSeconds();
  bool sent = false;
  while (read(0.2)) {
    outcome.seconds = monotonicSeconds() - start;
    if (signal && !sent && outcome.out.find("ready") != std::string::npos) {
      kill(process, signal);
      sent = true;
    }
    if (outcome.seconds > limit) {
      kill(process, SIGTERM);
      usleep(100000);
      kill(process, SIGKILL);
      break;
    }
  }
  int status = 0;
  waitpid(process, &status, 0);
  outcome.seconds = monotonicSeconds() - start;
  outcome.status =
      WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  outcome.left = countLeft();
  close(outPipe[0]);
  close(errPipe[0]);
  return outcome;
}

struct Tally {
  int passed = 0, failed = 0;

  void add(const std::string &claim, const std::string &failure,
           const Outcome &outcome) {
    (failure.empty() ? passed : failed)++;
    printf("%s: %s%s%s\n", failure.empty() ? "PASS" : "FAIL", claim.c_str(),
           failure.empty() ? "" : ": ", failure.c_str());
    if (!failure.empty())
      printf("  status %d after %.1f s\n  output: %s\n  errors: %s\n",
             outcome.status, outcome.seconds, outcome.out.c_str(),
             outcome.err.c_str());
  }
};

void driveData(const Options &options, Tally &tally) {
  Outcome outcome = Run(options, "data").wait(0, TimeLimit);
  size_t start = 0;
  for (size_t end; (end = outcome.out.find('\n', start)) != std::string::npos;
       start = end + 1) {
    std::string line = outcome.out.substr(start, end - start);
    tally.passed += line.rfind("PASS", 0) == 0;
    tally.failed += line.rfind("FAIL", 0) == 0;
    puts(line.c_str());
  }
  std::string failure;
  if (outcome.status != 0 || !outcome.err.empty())
    failure = "it does not";
  else if (outcome.left)
    failure = "processes are left over";
  tally.add("the run ends with status 0 and silently", failure, outcome);
}

int drive(const Options &options) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  signal(SIGPIPE, SIG_IGN);
  Tally tally;
  driveData(options, tally);
  for (const Scenario &scenario : endScenarios()) {
    Outcome outcome =
        Run(options, scenario.name).wait(scenario.signal, EndLimit);
    std::string failure =
        scenario.judge(outcome, options.transport, options.processors);
    if (outcome.seconds > EndLimit)
      failure = "the run hangs";
    if (failure.empty() && outcome.left)
      failure = "processes are left over";
    tally.add(scenario.claim, failure, outcome);
  }
  printf("%d passed, %d failed\n", tally.passed, tally.failed);
  return tally.failed ? 1 : 0;
}

bool parse(int argc, char **argv, Options &options) {
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    if (word.rfind("--transport=", 0) == 0)
      options.transport = word.substr(12);
    else if (word.rfind("--worker=", 0) == 0)
      options.worker = word.substr(9);
    else if (word == "--threads")
      options.threads = true;
    else if (word.rfind("-p", 0) == 0)
      options.processors = atoi(word.c_str() + 2);
    else
      return false;
  }
  return options.processors > 0;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  if (!parse(argc, argv, options)) {
    fprintf(stderr, "usage: zrt-conformance --transport=self|shm|mpi [-pN] "
                    "[--threads]\n");
    return 2;
  }
  ErrorContext context;
  context.programName = "conformance";
  setErrorContext(context);
  if (!options.worker.empty())
    return runWorker(options);
  return options.threads ? runThreads(options) : drive(options);
}
