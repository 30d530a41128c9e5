//===- Interop.cpp - The phase, seen from zplc ----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Loads libzplInterop.so, asks it, and makes its answer ours: the library
/// knows places as (file name, offset); here the files become texts of the
/// SourceManager, so that a note shows the header's line with a caret. Loading
/// Clang takes some 20 ms, once.
///
//===----------------------------------------------------------------------===//

#include "zpl/Interop/Interop.h"
#include "Check.h"
#include "ClangPhase.h"
#include "LibraryFile.h"
#include "llvm/Support/DynamicLibrary.h"

using namespace llvm;

namespace zpl::interop {

namespace {

/// Turns indices of a list of file names into the SourceManager's. A file is
/// opened when the first place in it is asked for; one that cannot be opened
/// any more has no places.
class FileMap {
public:
  FileMap(const std::vector<std::string> &names, SourceManager &sources)
      : names(names), sources(sources), opened(names.size()) {}

  void resolve(SourceRange &range) {
    if (!range.isValid())
      return;
    std::optional<uint32_t> &file = opened[range.file];
    if (!file)
      file = find(names[range.file]);
    range.file = *file;
    if (!range.isValid() || range.end > sources.text(*file).size())
      range = {};
  }

private:
  uint32_t find(StringRef name) {
    for (uint32_t file = 0; file < sources.size(); ++file)
      if (sources.name(file) == name)
        return file;
    ErrorOr<uint32_t> file = sources.open(name);
    return file ? *file : SourceRange::NoFile;
  }

  const std::vector<std::string> &names;
  SourceManager &sources;
  std::vector<std::optional<uint32_t>> opened;
};

} // namespace

static void resolveAll(Imports &imports, SourceManager &sources) {
  FileMap files(imports.files, sources);
  for (Import &import : imports.list)
    files.resolve(import.range);
  for (ClangMessage &message : imports.messages)
    files.resolve(message.range);
  for (CType &type : imports.types) {
    files.resolve(type.range);
    for (CField &field : type.fields)
      files.resolve(field.range);
    for (CEnumerator &enumerator : type.enumerators)
      files.resolve(enumerator.range);
    for (SourceRange &range : type.paramRanges)
      files.resolve(range);
  }
}

bool Interop::load(std::string &error) {
  if (phase)
    return true;
  if (std::string fault = libraryFault(library); !fault.empty()) {
    error = library + ": " + fault;
    return false;
  }
  auto opened =
      sys::DynamicLibrary::getPermanentLibrary(library.c_str(), &error);
  void *symbol =
      opened.isValid() ? opened.getAddressOfSymbol(ClangPhaseSymbol) : nullptr;
  if (symbol)
    phase = reinterpret_cast<ClangPhaseEntry *>(symbol)();
  else if (opened.isValid())
    error = library + ": it is not zplc's";
  return symbol;
}

bool Interop::load(const Externs &externs, DiagnosticEngine &diags) {
  std::string error;
  if (load(error))
    return true;
  diags.report(firstPlace(externs), Diag::ExternLibrary, error).done();
  return false;
}

std::optional<Imports> Interop::lookUp(const Externs &externs) {
  std::string error;
  if (!load(error))
    return std::nullopt;
  Imports imports = phase->import(externs, options);
  if (!imports.messages.empty())
    return std::nullopt;
  return imports;
}

std::optional<Imports> Interop::import(const Externs &externs,
                                       DiagnosticEngine &diags) {
  if (!load(externs, diags))
    return std::nullopt;
  Imports imports = phase->import(externs, options);
  resolveAll(imports, sources);
  report(imports.messages, externs, diags);
  if (imports.messages.empty())
    check(externs, imports, diags);
  return imports;
}

std::optional<std::string> Interop::thunks(const Externs &externs,
                                           const Imports &imports,
                                           DiagnosticEngine &diags) {
  if (!load(externs, diags))
    return std::nullopt;
  Thunks thunks = phase->thunks(externs, imports, options);
  FileMap files(thunks.files, sources);
  for (ClangMessage &message : thunks.messages)
    files.resolve(message.range);
  report(thunks.messages, externs, diags);
  if (!thunks.messages.empty())
    return std::nullopt;
  return std::move(thunks.bitcode);
}

} // namespace zpl::interop
