//===- PluginFile.cpp - Whether a file can be loaded ----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The loader maps the segments of a library as its header says. Where the
/// file is shorter than that, by a copy that was interrupted or a full disk,
/// the first access to the missing pages is a SIGBUS, long after dlopen
/// began. So the file is looked at first:
///
///     a regular file       a FIFO would block, a folder is no library
///     the ELF header       a shared library for the machine that this
///                          program itself is for
///     size                 all segments and the table of sections, which
///                          linkers write last, end inside of the file
///     the note             PluginNote, among the notes of PT_NOTE segments
///
/// A handful of pread calls; sums of numbers from the file never overflow.
///
//===----------------------------------------------------------------------===//

#include "Transport/PluginFile.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace zrt;

/// This program's own header, which the linker places.
extern "C" const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));

namespace {

/// An open file of known size.
struct OpenFile {
  int descriptor = -1;
  uint64_t size = 0;

  ~OpenFile() {
    if (descriptor >= 0)
      close(descriptor);
  }

  bool holds(uint64_t offset, uint64_t bytes) const {
    return offset <= size && bytes <= size - offset;
  }

  /// Whether all \p bytes at \p offset are there, and now in \p to.
  bool read(uint64_t offset, void *to, size_t bytes) const {
    return holds(offset, bytes) &&
           pread(descriptor, to, bytes, offset) == static_cast<ssize_t>(bytes);
  }
};

/// Opens \p name without waiting for anybody. Gives what is wrong, or "".
std::string openRegular(const std::string &name, OpenFile &file) {
  file.descriptor = open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat status;
  if (file.descriptor < 0 || fstat(file.descriptor, &status) != 0)
    return strerror(errno);
  if (!S_ISREG(status.st_mode))
    return "it is not a regular file";
  file.size = status.st_size;
  return "";
}

std::string incomplete(const OpenFile &file) {
  return "the file is incomplete, it ends after " + std::to_string(file.size) +
         " bytes";
}

/// Reads the header of a library that this machine can execute.
std::string readHeader(const OpenFile &file, ElfW(Ehdr) & header) {
  unsigned char magic[SELFMAG];
  if (!file.read(0, magic, SELFMAG) || memcmp(magic, ELFMAG, SELFMAG) != 0)
    return "it is not a shared library";
  if (!file.read(0, &header, sizeof(header)))
    return incomplete(file);
  const ElfW(Ehdr) &own = __ehdr_start;
  if (header.e_ident[EI_CLASS] != own.e_ident[EI_CLASS] ||
      header.e_ident[EI_DATA] != own.e_ident[EI_DATA] ||
      header.e_machine != own.e_machine)
    return "it is for another kind of processor";
  if (header.e_type != ET_DYN || header.e_phentsize != sizeof(ElfW(Phdr)))
    return "it is not a shared library";
  return "";
}

/// Looks for PluginNote between \p offset and \p end, a part of the file. The
/// notes there have names and values of any length, in words of 4 bytes.
void findNote(const OpenFile &file, uint64_t offset, uint64_t end,
              std::optional<PluginNote> &result) {
  const PluginNote ours;
  ElfW(Nhdr) header;
  while (end - offset >= sizeof(header) &&
         file.read(offset, &header, sizeof(header))) {
    uint64_t bytes = sizeof(header) + (uint64_t(header.n_namesz) + 3) / 4 * 4 +
                     (uint64_t(header.n_descsz) + 3) / 4 * 4;
    if (bytes > end - offset)
      return;
    PluginNote note;
    if (bytes == sizeof(note) && file.read(offset, &note, sizeof(note)) &&
        memcmp(&note, &ours, offsetof(PluginNote, version)) == 0)
      result = note;
    offset += bytes;
  }
}

/// Holds each segment to the size of the file.
std::string readSegments(const OpenFile &file, const ElfW(Ehdr) & header,
                         std::optional<PluginNote> &note) {
  for (unsigned k = 0; k < header.e_phnum; ++k) {
    ElfW(Phdr) segment;
    uint64_t place = uint64_t(k) * sizeof(segment);
    if (!file.holds(header.e_phoff, place) ||
        !file.read(header.e_phoff + place, &segment, sizeof(segment)) ||
        !file.holds(segment.p_offset, segment.p_filesz))
      return incomplete(file);
    if (segment.p_type == PT_NOTE)
      findNote(file, segment.p_offset, segment.p_offset + segment.p_filesz,
               note);
  }
  uint64_t sections = uint64_t(header.e_shnum) * header.e_shentsize;
  return file.holds(header.e_shoff, sections) ? "" : incomplete(file);
}

} // namespace

PluginFileLook zrt::lookAtPlugin(const std::string &name) {
  OpenFile file;
  ElfW(Ehdr) header;
  PluginFileLook look;
  look.fault = openRegular(name, file);
  if (look.fault.empty())
    look.fault = readHeader(file, header);
  if (look.fault.empty())
    look.fault = readSegments(file, header, look.note);
  if (!look.fault.empty())
    look.note.reset();
  return look;
}
