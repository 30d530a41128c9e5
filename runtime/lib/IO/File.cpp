//===- File.cpp - An open file --------------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Output has a buffer of 64 KiB in front of write(2), for the items of one
// statement; its end empties the buffer. Not C's stdio: the buffer
// must not be inherited filled by forked processes nor written twice, an error
// must be seen when it happens, and nothing may be written after it.
// `prog | head -1` ends with
//
//     prog: prog.z:9:3: error: cannot write to standard output: Broken pipe
//
// and status 1 (the signal SIGPIPE is ignored by Entry).
//
// The position is the system's, of processor 0's descriptor, so that it is
// right whoever else writes there (`prog >log 2>&1`). Parallel statements read
// it, work at offsets, and move it at the end.
//
// Whether all processors can reach a file is found out when the first array
// comes: processor 0 tells device and inode of a regular file, the others open
// the same path and compare. Where that fails (other machines without a common
// file system, a file that was renamed) everything goes through processor 0.
//
//===----------------------------------------------------------------------===//

#include "IO/File.h"

#include "Collective/Collective.h"
#include "IO/ArrayFile.h"
#include "IO/Descriptor.h"
#include "Support/Error.h"

#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace zrt {

static constexpr size_t WriteBufferBytes = 64 * 1024;

File::File(std::string name, FileName path, Access access, int descriptor,
           std::function<void()> beforeWait)
    : input(descriptor, name, std::move(beforeWait)),
      shownName(std::move(name)), ownName(std::move(path)), mode(access),
      number(descriptor) {
  struct stat status;
  if (descriptor >= 0 && fstat(descriptor, &status) == 0)
    regular = S_ISREG(status.st_mode);
  lineBuffered = !regular && descriptor >= 0 && isatty(descriptor) == 1;
}

File::~File() { close(); }

ArrayFile &File::arrayFile() {
  if (!ownArray)
    ownArray = std::make_unique<ArrayFile>();
  return *ownArray;
}

void File::failWrite(int error) const {
  if (isUnfinished)
    unlink(path().c_str());
  fatal(location, ErrorScope::Replicated, "cannot write to %s: %s",
        shownName.c_str(), std::strerror(error));
}

void File::write(std::string_view text) {
  if (itemSum)
    itemSum->append(text.data(), text.size());
  bool large = pending.size() + text.size() >= WriteBufferBytes;
  if (large && text.size() >= WriteBufferBytes / 2) {
    flush();
    if (int error = writeFully(number, text.data(), text.size()))
      failWrite(error);
    return;
  }
  pending += text;
  if (large || (lineBuffered && text.find('\n') != text.npos))
    flush();
}

void File::flush() {
  // Taken first: an error below asks for a flush again.
  std::string taken;
  taken.swap(pending);
  if (int error = writeFully(number, taken.data(), taken.size()))
    failWrite(error);
  taken.clear();
  pending.swap(taken); // keeps the memory
}

int File::close() {
  int error = 0;
  if (number >= 0 && !path().empty() && ::close(number) != 0)
    error = errno;
  number = -1;
  return error;
}

int64_t File::position() {
  if (mode == Access::Write)
    flush();
  int64_t at = lseek(number, 0, SEEK_CUR);
  return mode == Access::Read ? at - input.unread() : at;
}

void File::setPosition(int64_t position) {
  int64_t before = mode == Access::Read ? this->position() : position;
  lseek(number, position, SEEK_SET);
  if (mode == Access::Read)
    input.restart(position - before);
}

int File::moveTo(const std::string &path, bool isFirst) {
  close();
  ownName.path = path;
  shared = Shared::Unknown;
  if (!isFirst)
    return 0;
  if (!openAlso())
    return errno;
  input.moveTo(number);
  return 0;
}

/// On processors other than 0: opens the file of processor 0.
bool File::openAlso() {
  if (path().empty())
    return number >= 0;
  number = ::open(path().c_str(),
                  (mode == Access::Read ? O_RDONLY : O_WRONLY) | O_CLOEXEC);
  return number >= 0;
}

bool File::findShared(Transport &transport) {
  struct Identity {
    bool usable = false;
    dev_t device = 0;
    ino_t inode = 0;
  } mine;
  struct stat status;
  bool isFirst = transport.rank() == 0;
  auto identify = [&] {
    mine.usable = fstat(number, &status) == 0 && S_ISREG(status.st_mode) &&
                  !(fcntl(number, F_GETFL) & O_APPEND) &&
                  (mode == Access::Write || status.st_size > 0);
    mine.device = status.st_dev;
    mine.inode = status.st_ino;
  };
  if (isFirst)
    identify();
  Identity wanted = mine;
  broadcast(transport, &wanted, sizeof wanted);
  if (!wanted.usable)
    return false;
  if (!isFirst && openAlso())
    identify();
  uint8_t same =
      mine.usable && mine.device == wanted.device && mine.inode == wanted.inode;
  reduce(transport, &same, ZRT_BOOL, ZRT_AND);
  return same != 0;
}

bool File::isShared(Transport &transport) {
  if (shared == Shared::Unknown)
    shared = findShared(transport) ? Shared::Yes : Shared::No;
  return shared == Shared::Yes;
}

} // namespace zrt
