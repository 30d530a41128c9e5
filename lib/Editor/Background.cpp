//===- Background.cpp - The compiler beside the server --------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     zplc -x zpl - -O2 -c -o FOLDER/out.o --report=FOLDER/facts.json
//
// with the text of the document as its standard input, in the folder of the
// document. It is a process of its own: it may take seconds, is ended when the
// text changes, and takes nothing with it if it crashes. It runs when nothing
// else wants the processor (nice), for a minute of processor time at most, and
// ends with the server. The pipe whose other end it holds says when it is over.
//
//===----------------------------------------------------------------------===//

#include "Background.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;

namespace zpl::editor {

static bool writeFile(const std::string &path, StringRef text) {
  std::error_code error;
  raw_fd_ostream os(path, error);
  if (!error)
    os << text;
  os.close();
  bool isGood = !error && !os.has_error();
  os.clear_error();
  return isGood;
}

/// What the child is before it is the compiler. Calls nothing that takes locks.
[[noreturn]] static void becomeCompiler(char *const *arguments,
                                        const char *source, const char *folder,
                                        int ending) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  rlimit seconds{60, 60};
  setrlimit(RLIMIT_CPU, &seconds);
  setpriority(PRIO_PROCESS, 0, 10);
  int input = open(source, O_RDONLY);
  int nothing = open("/dev/null", O_WRONLY);
  if (input < 0 || nothing < 0 || (*folder && chdir(folder) != 0))
    _exit(127);
  dup2(input, STDIN_FILENO);
  dup2(nothing, STDOUT_FILENO);
  dup2(nothing, STDERR_FILENO);
  fcntl(ending, F_SETFD, 0);
  execv(arguments[0], arguments);
  _exit(127);
}

static std::vector<std::string> commandOf(const Background &background,
                                          const SearchPaths &search) {
  std::vector<std::string> command{
      background.compiler, "-x", "zpl", "-", "-O2", "-c"};
  for (const std::string &folder : search.includes)
    command.push_back("-I" + folder);
  command.insert(command.end(),
                 {"-o", background.folder + "/out.o",
                  "--report=" + background.folder + "/facts.json"});
  return command;
}

static void removeFolder(Background &background) {
  if (!background.folder.empty())
    (void)sys::fs::remove_directories(background.folder);
  background.folder.clear();
}

bool startCompiling(Background &background, StringRef uri, StringRef path,
                    StringRef text, const SearchPaths &search) {
  if (background.compiler.empty() ||
      access(background.compiler.c_str(), X_OK) != 0)
    return false;
  SmallString<64> folder;
  if (sys::fs::createUniqueDirectory("zpl-lsp", folder))
    return false;
  background.folder = folder.str().str();
  std::string source = background.folder + "/source";
  std::string at = sys::path::parent_path(path).str();
  if (!sys::fs::is_directory(at))
    at.clear();
  int ends[2];
  if (!writeFile(source, text) || pipe2(ends, O_CLOEXEC) != 0) {
    removeFolder(background);
    return false;
  }
  std::vector<std::string> command = commandOf(background, search);
  std::vector<char *> arguments;
  for (std::string &each : command)
    arguments.push_back(each.data());
  arguments.push_back(nullptr);
  pid_t child = fork();
  if (child == 0)
    becomeCompiler(arguments.data(), source.c_str(), at.c_str(), ends[1]);
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    removeFolder(background);
    return false;
  }
  background.child = child;
  background.ending = ends[0];
  background.uri = uri.str();
  return true;
}

/// Waits for the end; the status.
static int reap(Background &background) {
  int status = 0;
  while (waitpid(background.child, &status, 0) < 0 && errno == EINTR)
    ;
  close(background.ending);
  background.child = 0;
  background.ending = -1;
  return status;
}

std::optional<Compiled> finishCompiling(Background &background) {
  int status = reap(background);
  std::optional<Compiled> result;
  auto facts = MemoryBuffer::getFile(background.folder + "/facts.json");
  if (facts && WIFEXITED(status) && WEXITSTATUS(status) == 0)
    result = readCompiled((*facts)->getBuffer());
  removeFolder(background);
  return result;
}

void stopCompiling(Background &background) {
  if (background.child == 0)
    return;
  kill(background.child, SIGKILL);
  reap(background);
  removeFolder(background);
}

} // namespace zpl::editor
