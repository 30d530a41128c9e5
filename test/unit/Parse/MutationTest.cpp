//===- MutationTest.cpp - Programs with one wrong token -------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whole programs parse without a message; with one token deleted, doubled or
// exchanged with the next one they never crash the parser, and what is said is
// little: one mistake is one mistake. What is accepted has a tree that prints.
//
// The programs are the examples, the parser's own tests and the conformance
// programs. All of their tokens in turn would take minutes; every so many are
// taken, so that the number of mutations stays the same as programs are added.
//
//===----------------------------------------------------------------------===//

#include "zpl/AST/Printer.h"
#include "zpl/Lex/Lex.h"
#include "zpl/Parse/Parse.h"
#include "zpl/Support/Diagnostic.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace zpl;

namespace {
struct Program {
  std::string name;
  std::string text;
};
enum class Mutation { Delete, Double, Exchange };
} // namespace

static void addPrograms(llvm::StringRef folder,
                        std::vector<Program> &programs) {
  std::error_code error;
  std::vector<std::string> paths;
  for (llvm::sys::fs::directory_iterator at(folder, error), end;
       at != end && !error; at.increment(error))
    if (llvm::sys::path::extension(at->path()) == ".z")
      paths.push_back(at->path());
  llvm::sort(paths);
  for (const std::string &path : paths)
    if (auto buffer = llvm::MemoryBuffer::getFile(path))
      programs.push_back({path, (*buffer)->getBuffer().str()});
}

/// Programs that are right. Those of `test/Parse` whose point is that they are
/// not say so by --verify.
static std::vector<Program> rightPrograms() {
  const std::string root = ZPL_SOURCE_ROOT;
  std::vector<Program> programs;
  for (const char *folder :
       {"/examples", "/test/Parse", "/../shared/conformance/programs",
        "/../shared/conformance/runtime-errors"})
    addPrograms(root + folder, programs);
  llvm::erase_if(programs, [](const Program &program) {
    llvm::StringRef text = program.text;
    return text.contains("--verify") || text.contains("RUN: not");
  });
  return programs;
}

/// Parses a text; prints the tree if it is a right one. Returns the number of
/// errors.
static unsigned errorsOf(llvm::StringRef text) {
  SourceManager sources;
  DiagnosticEngine diags(sources);
  ast::Context context;
  TokenBuffer tokens = lex(sources.add("m.z", text), sources, diags);
  ast::Module module = parse(tokens, context, diags);
  if (!diags.hasErrors())
    ast::print(module, sources, llvm::nulls());
  return diags.errors();
}

static std::vector<SourceRange> tokenRanges(llvm::StringRef text) {
  SourceManager sources;
  DiagnosticEngine diags(sources);
  uint32_t file = sources.add("m.z", text);
  std::vector<SourceRange> ranges;
  for (const Token &token : lex(file, sources, diags).tokens)
    if (token.range.file == file)
      ranges.push_back(token.range);
  return ranges;
}

static std::string mutated(llvm::StringRef text, SourceRange first,
                           SourceRange second, Mutation mutation) {
  llvm::StringRef before = text.take_front(first.begin);
  llvm::StringRef one = text.slice(first.begin, first.end);
  llvm::StringRef between = text.slice(first.end, second.begin);
  llvm::StringRef two = text.slice(second.begin, second.end);
  llvm::StringRef after = text.drop_front(second.end);
  switch (mutation) {
  case Mutation::Delete:
    return llvm::join_items("", before, between, two, after);
  case Mutation::Double:
    return llvm::join_items("", before, one, " ", one, between, two, after);
  case Mutation::Exchange:
    return llvm::join_items("", before, two, " ", between, one, " ", after);
  }
  llvm_unreachable("all mutations change a text");
}

TEST(Mutation, RightProgramsParse) {
  std::vector<Program> programs = rightPrograms();
  EXPECT_GT(programs.size(), 10u);
  for (const Program &program : programs)
    EXPECT_EQ(errorsOf(program.text), 0u) << program.name;
}

TEST(Mutation, OneWrongTokenIsSurvived) {
  constexpr size_t mutations = 20'000;
  constexpr unsigned mostErrors = 12;
  std::vector<Program> programs = rightPrograms();
  size_t total = 0;
  for (const Program &program : programs)
    total += 3 * tokenRanges(program.text).size();
  // Odd, so that all three kinds of mutation have their turn at each place.
  size_t stride = std::max<size_t>(1, total / mutations) | 1;
  stride += stride % 3 == 0 ? 2 : 0;

  size_t count = 0, errors = 0;
  for (const Program &program : programs) {
    std::vector<SourceRange> ranges = tokenRanges(program.text);
    size_t last = 3 * (ranges.size() - 1);
    for (size_t which = count % stride; which < last; which += stride) {
      auto mutation = static_cast<Mutation>(which % 3);
      SourceRange first = ranges[which / 3], second = ranges[which / 3 + 1];
      if (first.end > second.begin)
        continue; // around an included file
      std::string text = mutated(program.text, first, second, mutation);
      unsigned found = errorsOf(text);
      EXPECT_LE(found, mostErrors) << program.name << ": byte " << first.begin
                                   << ", mutation " << which % 3;
      errors += found;
      ++count;
    }
  }
  RecordProperty("mutations", static_cast<int>(count));
  EXPECT_LT(errors, 2 * count) << "more than two messages for a mistake";
}
