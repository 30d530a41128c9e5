//===- LibraryFile.cpp - A shared library before it is loaded -------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The loader maps what the headers of a library say into memory. If the file
/// is shorter, because it was copied to a disk that was full, say, the first
/// use of a page beyond its end is a SIGBUS. And it runs constructors of a
/// library before anybody can ask it for its version. So the file is read
/// first:
///
///     ELF header         of this machine and word size, a shared object
///     program headers    each segment ends within the file
///     section headers    lie at the very end, so any file cut off shows here
///     notes              the plug-in's version (Plugin.h)
///
/// Cost: a few reads of some hundred bytes, once in a run.
///
//===----------------------------------------------------------------------===//

#include "Transport/LibraryFile.h"

#include "Transport/Plugin.h"

#include <cerrno>
#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

using namespace zrt;

// The linker defines it in every program.
extern "C" {
[[gnu::visibility("hidden")]] extern const ElfW(Ehdr) __ehdr_start;
}

namespace {

using Header = ElfW(Ehdr);
using ProgramHeader = ElfW(Phdr);
using SectionHeader = ElfW(Shdr);
using NoteHeader = ElfW(Nhdr);

/// An open file and its size.
class Bytes {
public:
  explicit Bytes(const std::string &file)
      : descriptor(open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    struct stat status;
    if (descriptor < 0 || fstat(descriptor, &status) != 0)
      fault = strerror(errno);
    else if (!S_ISREG(status.st_mode))
      fault = "it is not a regular file";
    else
      size = static_cast<uint64_t>(status.st_size);
  }
  ~Bytes() {
    if (descriptor >= 0)
      close(descriptor);
  }
  Bytes(const Bytes &) = delete;

  bool has(uint64_t offset, uint64_t bytes) const {
    return offset <= size && bytes <= size - offset;
  }
  bool read(uint64_t offset, void *to, size_t bytes) const {
    return has(offset, bytes) &&
           pread(descriptor, to, bytes, static_cast<off_t>(offset)) ==
               static_cast<ssize_t>(bytes);
  }

  std::string fault;
  uint64_t size = 0;

private:
  int descriptor;
};

constexpr const char *NoLibrary = "it is not a shared library";
constexpr const char *CutOff = "it is cut off";

/// The program's own header: what the loader has accepted on this machine.
const Header &ownHeader() { return __ehdr_start; }

const char *faultOf(const Header &header) {
  if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
    return NoLibrary;
  const Header &own = ownHeader();
  if (header.e_ident[EI_CLASS] != own.e_ident[EI_CLASS] ||
      header.e_ident[EI_DATA] != own.e_ident[EI_DATA] ||
      header.e_machine != own.e_machine)
    return "it is for another kind of machine";
  if (header.e_type != ET_DYN || header.e_phentsize != sizeof(ProgramHeader) ||
      (header.e_shnum != 0 && header.e_shentsize != sizeof(SectionHeader)))
    return NoLibrary;
  return nullptr;
}

uint64_t alignedToWord(uint64_t bytes) { return (bytes + 3) & ~uint64_t(3); }

/// The version in a segment of notes, if it is there.
std::optional<int32_t> versionIn(const Bytes &file,
                                 const ProgramHeader &notes) {
  uint64_t at = notes.p_offset, end = at + notes.p_filesz;
  NoteHeader note;
  while (end - at >= sizeof note && file.read(at, &note, sizeof note)) {
    uint64_t name = at + sizeof note;
    uint64_t value = name + alignedToWord(note.n_namesz);
    uint64_t next = value + alignedToWord(note.n_descsz);
    if (next > end)
      break;
    char owner[sizeof PluginNoteOwner];
    int32_t version;
    if (note.n_type == PluginNoteType && note.n_namesz == sizeof owner &&
        note.n_descsz == sizeof version &&
        file.read(name, owner, sizeof owner) &&
        memcmp(owner, PluginNoteOwner, sizeof owner) == 0 &&
        file.read(value, &version, sizeof version))
      return version;
    at = next;
  }
  return std::nullopt;
}

} // namespace

LibraryFile zrt::lookAtLibrary(const std::string &path) {
  Bytes file(path);
  if (!file.fault.empty())
    return {file.fault, {}};
  Header header;
  if (!file.read(0, &header, sizeof header))
    return {NoLibrary, {}};
  if (const char *fault = faultOf(header))
    return {fault, {}};
  std::vector<ProgramHeader> segments(header.e_phnum);
  if (!file.read(header.e_phoff, segments.data(),
                 segments.size() * sizeof(ProgramHeader)) ||
      !file.has(header.e_shoff, header.e_shnum * sizeof(SectionHeader)))
    return {CutOff, {}};
  LibraryFile result;
  for (const ProgramHeader &segment : segments) {
    if (!file.has(segment.p_offset, segment.p_filesz))
      return {CutOff, {}};
    if (segment.p_type == PT_NOTE && !result.version)
      result.version = versionIn(file, segment);
  }
  return result;
}
