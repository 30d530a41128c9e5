//===- Run.cpp - Runs of this program -------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Starts this program as a run of a transport and collects what it prints, how
/// it ends, and what it leaves behind. Runs of mpi go through mpiexec, those of
/// shmem through oshrun; all others start their processors by themselves.
///
//===----------------------------------------------------------------------===//

#include "Run.h"

#include "Support/Clock.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace zrt;
using namespace zrt::test;

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
  for (int number : {SIGPIPE, SIGINT}) // Whoever started us may ignore them.
    signal(number, SIG_DFL);
  dup2(inPipe[0], STDIN_FILENO);
  dup2(outPipe[1], STDOUT_FILENO);
  dup2(errPipe[1], STDERR_FILENO);
  for (int file :
       {outPipe[0], outPipe[1], errPipe[0], errPipe[1], inPipe[0], inPipe[1]})
    close(file);
  std::vector<std::string> words;
  std::string count = std::to_string(options.processors);
  if (options.transport == "mpi")
    words = {ZRT_TEST_MPIEXEC, "-n", count};
  if (options.transport == "shmem") {
    // Open MPI refuses root, and more processes than cores, unless told not to.
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    words = {ZRT_TEST_OSHRUN, "--oversubscribe", "-n", count};
  }
  char self[4096] = "";
  if (readlink("/proc/self/exe", self, sizeof self - 1) < 0)
    _exit(4);
  words.push_back(self);
  words.insert(words.end(), options.words.begin(), options.words.end());
  words.push_back("--worker=" + worker);
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
