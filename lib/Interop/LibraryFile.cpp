//===- LibraryFile.cpp - libzplInterop.so before it is loaded -------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The loader maps what a library's headers say, also beyond the end of a file
/// that was cut off, which is a SIGBUS later. And C++ data cross the line to
/// this library, so it must have been compiled from the same headers: their
/// hash, ZPL_INTEROP_ID (CMakeLists.txt), is compiled into zplc and into a
/// section of the library. Section headers are the last thing in the file, so
/// reading them finds every cut.
///
//===----------------------------------------------------------------------===//

#include "LibraryFile.h"
#include "ClangPhase.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace zpl::interop {

/// What the section with the identity holds; nothing if there is none or it
/// lies outside of the file.
static StringRef identityOf(const object::ObjectFile &library) {
  for (const object::SectionRef &section : library.sections()) {
    Expected<StringRef> name = section.getName();
    if (!name) {
      consumeError(name.takeError());
      continue;
    }
    if (*name != ClangPhaseSection)
      continue;
    Expected<StringRef> contents = section.getContents();
    if (contents)
      return contents->take_until([](char c) { return c == '\0'; });
    consumeError(contents.takeError());
  }
  return "";
}

std::string libraryFault(StringRef path) {
  sys::fs::file_status status;
  if (std::error_code error = sys::fs::status(path, status))
    return error.message();
  if (!sys::fs::is_regular_file(status))
    return "it is not a regular file";
  ErrorOr<std::unique_ptr<MemoryBuffer>> bytes = MemoryBuffer::getFile(
      path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!bytes)
    return bytes.getError().message();
  if (identify_magic((*bytes)->getBuffer()) != file_magic::elf_shared_object)
    return "it is not a shared library";
  Expected<std::unique_ptr<object::ObjectFile>> library =
      object::ObjectFile::createELFObjectFile((*bytes)->getMemBufferRef());
  if (!library) {
    consumeError(library.takeError());
    return "it is cut off";
  }
  if ((*library)->getArch() != Triple(sys::getProcessTriple()).getArch())
    return "it is for another kind of machine";
  if (identityOf(**library) != ZPL_INTEROP_ID)
    return "it belongs to another build of zplc";
  return "";
}

} // namespace zpl::interop
