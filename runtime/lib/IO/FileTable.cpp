//===- FileTable.cpp - The program's files --------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// File variables are numbers, counted up alike on all processors:
//
//     f := open("a.txt", file_read);      4, the first after the standard files
//     g := open("none", file_read);      -1: compares equal to znull
//     read(g, x);                        error: cannot open 'none': No such
//                                        file or directory
//
// Processor 0 opens and tells the others whether that succeeded. Numbers are
// not used again, so that a closed file stays closed for whoever still has it.
//
// What a statement writes is handed to the system when it ends, by one call
// for small output: nothing that happens to the run afterwards can lose it, and
// a question is seen before its answer is read.
//
//===----------------------------------------------------------------------===//

#include "IO/FileTable.h"

#include "Collective/Collective.h"
#include "Support/Error.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace zrt {

static constexpr int FileMode = 0666; // the user's mask takes away

FileTable::FileTable() {
  auto add = [this](const char *name, File::Access access, int descriptor) {
    files.push_back(std::make_unique<File>(name, FileName(), access, descriptor,
                                           [this] { flush(); }));
  };
  files.push_back(nullptr); // ZRT_ZNULL
  add("standard input", File::Access::Read, STDIN_FILENO);
  add("standard output", File::Access::Write, STDOUT_FILENO);
  add("standard error", File::Access::Write, STDERR_FILENO);
  closedNames.resize(files.size());
}

/// Opens \p path on this processor, for reading as well if \p isReadToo; the
/// descriptor or -errno.
static int openHere(const char *path, int32_t mode, bool isReadToo) {
  int flags = O_CLOEXEC;
  switch (static_cast<zrt_open_mode>(mode)) {
  case ZRT_FILE_READ:
    flags |= O_RDONLY;
    break;
  case ZRT_FILE_WRITE:
    flags |= (isReadToo ? O_RDWR : O_WRONLY) | O_CREAT | O_TRUNC;
    break;
  case ZRT_FILE_APPEND:
    // Not O_APPEND, under which the system ignores offsets.
    flags |= (isReadToo ? O_RDWR : O_WRONLY) | O_CREAT;
    break;
  }
  int descriptor;
  do
    descriptor = ::open(path, flags, FileMode);
  while (descriptor < 0 && errno == EINTR);
  if (descriptor < 0)
    return -errno;
  struct stat status;
  if (fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) {
    ::close(descriptor);
    return -EISDIR;
  }
  if (mode == ZRT_FILE_APPEND)
    lseek(descriptor, 0, SEEK_END); // fails on a pipe, which has no end
  return descriptor;
}

zrt_file FileTable::open(Transport &transport, const char *path, int32_t mode,
                         const char *shown) {
  FileName parts = parseFileName(path);
  if (shown) // the name says nothing
    parts = {path, "", "", FileKind::Plain};
  int descriptor = transport.rank() == 0 ? openHere(parts.path.c_str(), mode,
                                                    parts.ending == ".apng")
                                         : 0;
  int32_t error = std::min(descriptor, 0);
  broadcast(transport, &error, sizeof error);
  std::string name = "'" + std::string(shown ? shown : path) + "'";
  if (error < 0) {
    std::string reason = "cannot open " + name + ": " + std::strerror(-error);
    size_t known = static_cast<size_t>(
        std::find(failures.begin(), failures.end(), reason) - failures.begin());
    if (known == failures.size())
      failures.push_back(std::move(reason));
    return -1 - static_cast<zrt_file>(known);
  }
  files.push_back(std::make_unique<File>(
      std::move(name), std::move(parts),
      mode == ZRT_FILE_READ ? File::Access::Read : File::Access::Write,
      transport.rank() == 0 ? descriptor : -1, [this] { flush(); }));
  files.back()->isNew = mode == ZRT_FILE_WRITE;
  files.back()->plugins = plugins;
  closedNames.emplace_back();
  return static_cast<zrt_file>(files.size()) - 1;
}

void FileTable::close(Transport &transport, zrt_file number,
                      const zrt_loc *loc) {
  File &file = find(number, loc);
  bool isFirst = transport.rank() == 0;
  if (isFirst && file.access() == File::Access::Write)
    file.flush();
  if (number <= ZRT_ZERR)
    return;
  int error = file.close();
  if (isFirst && error && file.access() == File::Access::Write)
    file.failWrite(error);
  closedNames[static_cast<size_t>(number)] = file.name();
  files[static_cast<size_t>(number)].reset();
}

File &FileTable::find(zrt_file number, const zrt_loc *loc) {
  if (number == ZRT_ZNULL)
    fatal(loc, ErrorScope::Replicated, "the file is znull: it was not opened");
  if (number < 0) {
    size_t failure = static_cast<size_t>(-1 - number);
    ZRT_CHECK(failure < failures.size());
    fatal(loc, ErrorScope::Replicated, "%s", failures[failure].c_str());
  }
  size_t place = static_cast<size_t>(number);
  ZRT_CHECK(place < files.size());
  if (!files[place])
    fatal(loc, ErrorScope::Replicated, "%s was closed",
          closedNames[place].c_str());
  files[place]->setLocation(loc);
  return *files[place];
}

File &FileTable::reading(zrt_file number, const zrt_loc *loc) {
  File &file = find(number, loc);
  if (file.access() != File::Access::Read)
    fatal(loc, ErrorScope::Replicated,
          "cannot read from %s: it is open for writing", file.name().c_str());
  return file;
}

File &FileTable::writing(zrt_file number, const zrt_loc *loc) {
  File &file = find(number, loc);
  if (file.access() != File::Access::Write)
    fatal(loc, ErrorScope::Replicated,
          "cannot write to %s: it is open for reading", file.name().c_str());
  return file;
}

void FileTable::write(zrt_file file, std::string_view text) {
  if (file == ZRT_ZERR)
    files[ZRT_ZOUT]->flush();
  files[static_cast<size_t>(file)]->write(text);
  if (file == ZRT_ZERR)
    files[ZRT_ZERR]->flush();
}

void FileTable::handOver(zrt_file file) {
  deferHandOver(file);
  std::vector<zrt_file> all;
  all.swap(deferred);
  for (zrt_file number : all)
    if (File *open = files[static_cast<size_t>(number)].get())
      open->flush();
  all.clear();
  deferred.swap(all); // keeps the memory
}

void FileTable::deferHandOver(zrt_file file) {
  if (std::find(deferred.begin(), deferred.end(), file) == deferred.end())
    deferred.push_back(file);
}

void FileTable::flush() {
  for (const std::unique_ptr<File> &file : files)
    if (file && file->access() == File::Access::Write)
      file->flush();
}

} // namespace zrt
