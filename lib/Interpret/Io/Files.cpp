//===- Files.cpp - The program's files ------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// File variables are numbers. 1, 2 and 3 are the standard files; an open gives
// the next number, a failed one a negative number that stands for the reason:
//
//     f := open("a.txt", file_read);     4
//     g := open("none", file_read);      -1, compares equal to znull
//
// Output is handed to the system at the end of the statement that writes it,
// as by compiled programs (runtime/lib/IO/File.cpp). So a write that the system
// refuses is an error of that statement.
//
//===----------------------------------------------------------------------===//

#include "Io/Files.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

using llvm::StringRef;

namespace zpl::interpreter {

//===----------------------------------------------------------------------===//
// One file
//===----------------------------------------------------------------------===//

File::File(std::string name, zrt::FileName path, int descriptor, bool isInput,
           std::function<void()> beforeWait,
           std::function<void(const File &, int)> failWrite)
    : name(std::move(name)), fileName(std::move(path)), descriptor(descriptor),
      isInput(isInput), kind(fileName.kind), beforeWait(std::move(beforeWait)),
      failWrite(std::move(failWrite)),
      isTerminal(!isInput && isatty(descriptor)) {}

File::~File() {
  if (descriptor > STDERR_FILENO)
    ::close(descriptor);
}

void File::write(StringRef text) {
  constexpr size_t Most = 1 << 16;
  pending += text;
  if (pending.size() >= Most || (isTerminal && text.contains('\n')))
    flush();
}

/// Does what the system may do in pieces; its error, or 0.
static int writeAll(int descriptor, StringRef text) {
  while (!text.empty()) {
    ssize_t n = ::write(descriptor, text.data(), text.size());
    if (n < 0 && errno == EAGAIN) {
      pollfd ready = {descriptor, POLLOUT, 0};
      poll(&ready, 1, -1);
    } else if (n < 0 && errno != EINTR) {
      return errno;
    }
    text = text.drop_front(std::max<ssize_t>(n, 0));
  }
  return 0;
}

void File::flush() {
  if (isInput)
    return;
  std::string taken; // an error asks for a flush again
  taken.swap(pending);
  int error = writeAll(descriptor, taken);
  if (error != 0 && checkpoint)
    unlink(fileName.path.c_str()); // it will never be whole
  if (error != 0)
    failWrite(*this, error);
}

int File::peek(size_t ahead) {
  constexpr size_t Chunk = 1 << 16;
  while (next + ahead >= pending.size() && !hasEnded) {
    beforeWait();
    pending.erase(0, next);
    next = 0;
    size_t known = pending.size();
    pending.resize(known + Chunk);
    ssize_t n = ::read(descriptor, pending.data() + known, Chunk);
    hasEnded = n == 0 || (n < 0 && errno != EINTR);
    pending.resize(known + std::max<ssize_t>(n, 0));
  }
  return next + ahead < pending.size() ? uint8_t(pending[next + ahead]) : End;
}

void File::skip() {
  bool endsLine = pending[next++] == '\n';
  line += endsLine;
  column = endsLine ? 1 : column + 1;
}

size_t File::take(char *to, size_t count) {
  size_t done = 0;
  for (; done != count && peek() != End; ++done) {
    to[done] = char(peek());
    skip();
  }
  return done;
}

bool File::isAtEnd() {
  size_t ahead = 0;
  while (isBlank(peek(ahead)))
    ++ahead;
  return peek(ahead) == End;
}

std::string File::place() const {
  return name + ", line " + std::to_string(line) + ", column " +
         std::to_string(column);
}

//===----------------------------------------------------------------------===//
// All files
//===----------------------------------------------------------------------===//

Files::Files(std::function<void(const File &, int)> failWrite)
    : failWrite(std::move(failWrite)) {
  files.push_back(nullptr); // znull
  names.push_back("znull");
  add("standard input", {}, STDIN_FILENO, true);
  add("standard output", {}, STDOUT_FILENO, false);
  add("standard error", {}, STDERR_FILENO, false);
}

int64_t Files::add(std::string name, zrt::FileName path, int descriptor,
                   bool isInput) {
  names.push_back(name);
  files.push_back(std::make_unique<File>(
      std::move(name), std::move(path), descriptor, isInput,
      [this] { flush(); }, failWrite));
  return int64_t(files.size()) - 1;
}

int64_t Files::open(const std::string &path, int mode,
                    const std::string *shown) {
  static constexpr int Modes[] = {O_RDONLY, O_WRONLY | O_CREAT | O_TRUNC,
                                  O_WRONLY | O_CREAT | O_APPEND};
  flush(); // to read what was written
  zrt::FileName parts = zrt::parseFileName(path);
  if (shown)
    parts = {path, "", "", FileKind::Plain};
  std::string name = "'" + (shown ? *shown : path) + "'";
  int flags = Modes[mode];
  if (mode != 0 && parts.ending == ".apng") // read to be continued
    flags = (flags & ~(O_WRONLY | O_APPEND)) | O_RDWR;
  int descriptor = ::open(parts.path.c_str(), flags | O_CLOEXEC, 0666);
  struct stat status;
  if (descriptor >= 0 && fstat(descriptor, &status) == 0 &&
      S_ISDIR(status.st_mode)) {
    ::close(descriptor);
    descriptor = -1;
    errno = EISDIR;
  }
  if (descriptor >= 0) {
    int64_t number = add(name, std::move(parts), descriptor, mode == 0);
    files[number]->isNew = mode == 1;
    return number;
  }
  failures.push_back("cannot open " + name + ": " + std::strerror(errno));
  return -int64_t(failures.size());
}

std::string Files::close(int64_t number, SourceRange where) {
  std::string error;
  File *file = find(number, error);
  if (!file)
    return error;
  file->where = where;
  file->flush();
  if (file->descriptor > STDERR_FILENO)
    files[number].reset();
  return "";
}

File *Files::find(int64_t number, std::string &error) {
  if (number > 0 && files[number])
    return files[number].get();
  error = number > 0    ? names[number] + " was closed"
          : number == 0 ? "the file is znull: it was not opened"
                        : failures[-1 - number];
  return nullptr;
}

void Files::flush() {
  for (const std::unique_ptr<File> &file : files)
    if (file)
      file->flush();
}

} // namespace zpl::interpreter
