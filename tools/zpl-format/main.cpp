//===- main.cpp - Formats ZPL programs ------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "zpl/Format/Format.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

static cl::OptionCategory category("zpl-format");
static cl::list<std::string> files(cl::Positional, cl::value_desc("file"),
                                   cl::desc("[file ...]"), cl::cat(category));
static cl::opt<bool> inPlace("i", cl::cat(category),
                             cl::desc("change the files"));
static cl::opt<bool>
    check("check", cl::cat(category),
          cl::desc("change nothing; name the files that would change, and end "
                   "with status 1 if there are any"));

/// Writes a file as a whole or not at all.
static bool replaceFile(StringRef path, StringRef text) {
  Error error = writeToOutput(path, [&](raw_ostream &os) {
    os << text;
    return Error::success();
  });
  if (!error)
    return true;
  errs() << "zpl-format: " << path << ": " << toString(std::move(error))
         << '\n';
  return false;
}

/// Handles one file, `-` for standard input; false after an error, or with
/// --check if it would change.
static bool formatFile(StringRef path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer =
      MemoryBuffer::getFileOrSTDIN(path, /*IsText=*/true);
  if (!buffer) {
    errs() << "zpl-format: " << path << ": " << buffer.getError().message()
           << '\n';
    return false;
  }
  StringRef text = (*buffer)->getBuffer();
  Expected<std::string> formatted =
      zpl::format(path == "-" ? "<stdin>" : path, text);
  if (!formatted) {
    errs() << toString(formatted.takeError()) << '\n';
    return false;
  }
  if (check) {
    if (*formatted != text)
      outs() << path << '\n';
    return *formatted == text;
  }
  if (!inPlace || path == "-") {
    outs() << *formatted;
    return true;
  }
  return *formatted == text || replaceFile(path, *formatted);
}

int main(int argc, char **argv) {
  InitLLVM setUp(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(
      argc, argv,
      "Formats ZPL programs: standard input, or files, to standard output.\n");
  bool isFine = true;
  if (files.empty())
    return !formatFile("-");
  for (const std::string &path : files)
    isFine &= formatFile(path);
  return !isFine;
}
