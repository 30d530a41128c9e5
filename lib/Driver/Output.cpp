//===- Output.cpp - Files that appear only when they are whole ------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Objects, assembly, bitcode and executables are bytes in memory first; this
/// file alone brings them to where -o says:
///
///     -o p.o         p.o is a file, or nothing: .zplc-1a2b3c4d in the same
///                    folder, renamed to p.o when its last byte is written
///     -o link        a symbolic link to build/p.o: as -o build/p.o; the link
///                    stays, also if build/p.o is not there yet
///     -o /dev/null   a device, FIFO or socket: opened and written to
///     -o -           standard output
///
/// So a full disk, a limit or an interrupt leaves what was there before. The
/// temporary file has a short name of its own, so p.o may be as long as names
/// can be.
///
//===----------------------------------------------------------------------===//

#include "Output.h"
#include "Options.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Errc.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>
#include <climits>
#include <csignal>
#include <optional>
#include <sched.h>
#include <unistd.h>

using namespace llvm;
namespace path = llvm::sys::path;

namespace zpl::driver {

static bool cannotWrite(StringRef path, std::error_code error) {
  reportError("cannot write '" + path + "': " + error.message());
  return false;
}

/// Is there something that is written to rather than replaced?
static bool isStream(StringRef path) {
  sys::fs::file_status status;
  return !sys::fs::status(path, status) && !sys::fs::is_regular_file(status) &&
         !sys::fs::is_directory(status);
}

/// Where \p path leads through symbolic links: a file, or the place of one.
static std::error_code followLinks(StringRef path, SmallString<128> &result) {
  constexpr unsigned mostLinks = 40; // as Linux has it
  result = path;
  for (unsigned count = 0; count <= mostLinks; ++count) {
    char target[PATH_MAX];
    ssize_t length = readlink(result.c_str(), target, sizeof target);
    if (length < 0)
      return {}; // no link
    StringRef next(target, static_cast<size_t>(length));
    if (path::is_absolute(next))
      result = next;
    else {
      path::remove_filename(result);
      path::append(result, next);
    }
  }
  return std::make_error_code(std::errc::too_many_symbolic_link_levels);
}

static StringRef folderOf(StringRef path) {
  StringRef folder = path::parent_path(path);
  return folder.empty() ? "." : folder;
}

std::error_code checkOutputPlace(StringRef path) {
  if (isStream(path))
    return sys::fs::access(path, sys::fs::AccessMode::Write);
  SmallString<128> file;
  if (std::error_code error = followLinks(path, file))
    return error;
  if (sys::fs::is_directory(file))
    return make_error_code(errc::is_a_directory);
  if (sys::fs::exists(file))
    if (std::error_code error =
            sys::fs::access(file, sys::fs::AccessMode::Write))
      return error;
  return sys::fs::access(folderOf(file), sys::fs::AccessMode::Write);
}

// What a signal handler and the threads that it does not interrupt know of each
// other; there is no other way to tell it than a variable of the process.
static std::atomic<bool> isEnding = false;
static std::atomic<unsigned> filesInTheMaking = 0;

/// All signals of this thread are blocked.
[[noreturn]] static void waitForTheEnd() {
  while (true)
    pause();
}

/// Removes what is to be removed, then ends the process by the signal. All
/// others wait meanwhile, in this thread and in others: LLVM's own handler lets
/// a second signal end the process at once, before anything is removed, and
/// `timeout` sends two.
static void endBySignal(int signal) {
  if (isEnding.exchange(true))
    waitForTheEnd();
  while (filesInTheMaking != 0)
    sched_yield();
  sys::RunInterruptHandlers();
  std::signal(signal, SIG_DFL);
  raise(signal);
  sigset_t own;
  sigemptyset(&own);
  sigaddset(&own, signal);
  pthread_sigmask(SIG_UNBLOCK, &own, nullptr);
}

static void handleEnds() {
  struct sigaction action = {};
  action.sa_handler = endBySignal;
  sigfillset(&action.sa_mask);
  for (int signal : {SIGHUP, SIGINT, SIGTERM})
    sigaction(signal, &action, nullptr);
}

void makeRemovable(function_ref<void()> make) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  ++filesInTheMaking;
  if (isEnding) {
    --filesInTheMaking;
    waitForTheEnd();
  }
  make();
  // LLVM's handlers are there by now.
  std::signal(SIGXFSZ, SIG_IGN);
  handleEnds();
  --filesInTheMaking;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

/// Writes \p bytes to the open file; gives what went wrong.
static std::error_code writeTo(int descriptor, StringRef bytes, bool close) {
  raw_fd_ostream stream(descriptor, close, /*unbuffered=*/true);
  stream << bytes;
  if (close)
    stream.close();
  std::error_code error = stream.error();
  stream.clear_error();
  return error;
}

/// Writes into what is there already.
static std::error_code writeInPlace(StringRef path, StringRef bytes) {
  int descriptor = -1;
  if (std::error_code error =
          sys::fs::openFileForWrite(path, descriptor, sys::fs::CD_OpenExisting))
    return error;
  return writeTo(descriptor, bytes, /*close=*/true);
}

static std::error_code replaceFile(StringRef path, StringRef bytes,
                                   unsigned mode) {
  SmallString<128> model(folderOf(path));
  path::append(model, ".zplc-%%%%%%%%");
  std::optional<Expected<sys::fs::TempFile>> made;
  makeRemovable([&] { made.emplace(sys::fs::TempFile::create(model, mode)); });
  if (!*made)
    return errorToErrorCode(made->takeError());
  sys::fs::TempFile &file = **made;
  if (std::error_code error = writeTo(file.FD, bytes, /*close=*/false)) {
    consumeError(file.discard());
    return error;
  }
  return errorToErrorCode(file.keep(path));
}

static bool writeStandardOutput(StringRef bytes) {
  outs() << bytes;
  return finishStandardOutput();
}

bool writeOutput(StringRef path, StringRef bytes, unsigned mode) {
  if (path == "-")
    return writeStandardOutput(bytes);
  std::error_code error = checkOutputPlace(path);
  if (!error && isStream(path)) {
    error = writeInPlace(path, bytes);
  } else if (!error) {
    SmallString<128> file;
    error = followLinks(path, file);
    if (!error)
      error = replaceFile(file, bytes, mode);
  }
  return error ? cannotWrite(path, error) : true;
}

bool fillTemporary(StringRef path, StringRef bytes) {
  std::error_code error = writeInPlace(path, bytes);
  return error ? cannotWrite(path, error) : true;
}

bool finishStandardOutput() {
  outs().flush();
  std::error_code error = outs().error();
  if (!error)
    return true;
  outs().clear_error();
  return cannotWrite("<stdout>", error);
}

} // namespace zpl::driver
