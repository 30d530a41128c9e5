//===- LibraryFile.cpp - Whether libzplInterop.so is ours -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// zplc and the library exchange C++ objects, so they must be made of the same
/// headers; and a library that is shorter than its header says, which is what
/// an interrupted copy leaves, ends whoever maps it by SIGBUS. Both is known
/// before it is loaded: all segments and the table of sections lie in the
/// file, and its ELF note (LibraryNote of ClangPhase.h) has zplc's own id.
///
//===----------------------------------------------------------------------===//

#include "LibraryFile.h"
#include "ClangPhase.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace zpl::interop {

/// zplc runs on 64-bit machines; the bytes are those of the host.
using Elf = object::ELFType<endianness::native, true>;

static bool isOurNote(const Elf::Note &note) {
  LibraryNote ours;
  return note.getName() == ours.name && note.getType() == ours.type &&
         note.getDescAsStringRef(4).starts_with(ours.id);
}

/// Whether the file has all of its segments and sections; whether one of its
/// notes is ours.
static Expected<bool> findNote(const object::ELFFile<Elf> &elf) {
  auto segments = elf.program_headers();
  if (!segments)
    return segments.takeError();
  if (auto sections = elf.sections(); !sections)
    return sections.takeError();
  bool found = false;
  for (const Elf::Phdr &segment : *segments) {
    if (segment.p_offset > elf.getBufSize() ||
        segment.p_filesz > elf.getBufSize() - segment.p_offset)
      return createStringError("a segment goes past the end of the file");
    Error error = Error::success();
    if (segment.p_type == ELF::PT_NOTE)
      for (const Elf::Note &note : elf.notes(segment, error))
        found |= isOurNote(note);
    if (error)
      return error;
  }
  return found;
}

std::string faultOfLibrary(StringRef file) {
  sys::fs::file_status status;
  if (std::error_code error = sys::fs::status(file, status))
    return error.message();
  if (status.type() != sys::fs::file_type::regular_file)
    return "it is not a regular file";
  auto buffer = MemoryBuffer::getFile(file, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (!buffer)
    return buffer.getError().message();
  StringRef bytes = (*buffer)->getBuffer();
  constexpr unsigned char kind = sys::IsLittleEndianHost ? 1 : 2;
  if (!bytes.starts_with(StringRef("\177ELF\2", 5)) || bytes.size() < 6 ||
      bytes[5] != kind)
    return "it is not a shared library for this machine";
  auto elf = object::ELFFile<Elf>::create(bytes);
  Expected<bool> found = elf ? findNote(*elf) : elf.takeError();
  if (!found)
    return "it is damaged or incomplete: " + toString(found.takeError());
  return *found ? "" : "it was not built with this zplc";
}

} // namespace zpl::interop
