//===- ReportFile.cpp - A file that a run writes about itself -------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `./jacobi --trace=none/t.json` ends before it has computed anything:
//
//     jacobi: error: cannot write 'none/t.json': No such file or directory
//
// A pipe that nobody reads would hold up the open; without waiting it is an
// error as well. `open` empties nothing: a run that is refused for another
// reason leaves files as they were, and `discard` takes away what was made.
//
//===----------------------------------------------------------------------===//

#include "Entry/Observe/ReportFile.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace zrt {

ReportFile::~ReportFile() {
  if (file >= 0)
    ::close(file);
}

bool ReportFile::open(const std::string &name, std::string &error) {
  path = name;
  constexpr int Flags = O_WRONLY | O_CLOEXEC | O_NONBLOCK;
  file = ::open(path.c_str(), Flags | O_CREAT | O_EXCL, 0666);
  isNew = file >= 0;
  if (!isNew)
    file = ::open(path.c_str(), Flags | O_CREAT, 0666);
  if (file < 0) {
    error = "cannot write '" + path + "': " + std::strerror(errno);
    return false;
  }
  fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK);
  return true;
}

bool ReportFile::isSame(const ReportFile &other) const {
  struct stat own, its;
  return isOpen() && other.isOpen() && fstat(file, &own) == 0 &&
         fstat(other.file, &its) == 0 && S_ISREG(own.st_mode) &&
         own.st_dev == its.st_dev && own.st_ino == its.st_ino;
}

void ReportFile::write(std::string_view text) {
  if (!isWritten) {
    // Pipes and devices have no length; all else that goes wrong shows below.
    (void)!ftruncate(file, 0);
    isWritten = true;
  }
  while (failure == 0 && !text.empty()) {
    ssize_t n = ::write(file, text.data(), text.size());
    if (n > 0)
      text.remove_prefix(static_cast<size_t>(n));
    else if (errno != EINTR)
      failure = errno;
  }
}

bool ReportFile::close(std::string &error) {
  if (::close(file) != 0 && failure == 0)
    failure = errno;
  file = -1;
  if (failure != 0)
    error = "cannot write '" + path + "': " + std::strerror(failure);
  return failure == 0;
}

void ReportFile::discard() {
  if (file < 0)
    return;
  ::close(file);
  file = -1;
  if (isNew)
    unlink(path.c_str());
}

} // namespace zrt
