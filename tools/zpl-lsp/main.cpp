//===- main.cpp - The language server for ZPL -----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "zpl/Editor/Server.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include <csignal>
#include <unistd.h>

using namespace llvm;

static cl::OptionCategory category("zpl-lsp");
static cl::list<std::string>
    includes("I", cl::Prefix, cl::value_desc("folder"), cl::cat(category),
             cl::desc("look for included files there"));
static cl::opt<bool>
    withoutCompiler("no-compile", cl::cat(category),
                    cl::desc("do not compile programs beside, for hover"));
static cl::opt<bool> overStdio("stdio", cl::cat(category),
                               cl::desc("use standard input and output, which "
                                        "it does anyway"));

int main(int argc, char **argv) {
  InitLLVM setUp(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(
      argc, argv, "The language server for ZPL: LSP 3.17 over stdio.\n");
  // A client that is gone is seen when nothing can be written.
  signal(SIGPIPE, SIG_IGN);
  std::string executable =
      sys::fs::getMainExecutable(argv[0], reinterpret_cast<void *>(&main));
  StringRef prefix = sys::path::parent_path(sys::path::parent_path(executable));
  zpl::editor::SearchPaths search{includes, prefix.str() + "/share/zpl/library",
                                  ""};
  if (!withoutCompiler)
    search.compiler = (sys::path::parent_path(executable) + "/zplc").str();
  int status = 1;
  zpl::editor::runOnLargeStack([&] {
    status = zpl::editor::serve(STDIN_FILENO, STDOUT_FILENO, search);
  });
  return status;
}
