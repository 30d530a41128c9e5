//===- SymbolsTest.cpp - What is declared, and where it is used -----------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names mean what the innermost scope declares, fields what their records have,
// names of arguments the parameters of what is called; also in programs with
// errors. Ranks follow regions to where they are declared.
//
//===----------------------------------------------------------------------===//

#include "zpl/Editor/Analysis.h"
#include <gtest/gtest.h>

using namespace zpl;
using namespace zpl::editor;

namespace {
struct Program {
  explicit Program(const char *text)
      : text(text), analysis(analyze("test.z", text, {})) {}

  /// The line of the declaration that the \p count-th \p word in the text means,
  /// from 1; 0: of none.
  unsigned lineOf(llvm::StringRef word, unsigned count = 1) const {
    size_t at = 0;
    for (; count > 1; --count)
      at = text.find(word, at) + word.size();
    const Use *use =
        analysis->symbols.useAt(0, static_cast<uint32_t>(text.find(word, at)));
    if (!use || use->declared.empty())
      return 0;
    return analysis->sources
        .lineColumn(analysis->symbols.all[use->declared[0]].nameRange)
        .line;
  }

  unsigned rank(llvm::StringRef name) const {
    const SymbolIndex &symbols = analysis->symbols;
    return rankOf(symbols, symbols.all[symbols.find(name, nullptr)[0]]);
  }

  llvm::StringRef text;
  std::unique_ptr<Analysis> analysis;
};
} // namespace

TEST(Symbols, LocalsHideGlobals) {
  Program p("program p;\n"
            "var x: integer;\n"
            "procedure f(x: double);\n"
            "begin writeln(x); end;\n"
            "procedure p();\n"
            "begin writeln(x); f(x := 1.0); end;\n");
  EXPECT_FALSE(p.analysis->diags.hasErrors());
  EXPECT_EQ(p.lineOf("x", 3), 3u);
  EXPECT_EQ(p.lineOf("x", 4), 2u);
  // The name of an argument.
  EXPECT_EQ(p.lineOf("x", 5), 3u);
}

TEST(Symbols, FieldsAreThoseOfTheRecord) {
  Program p("program p;\n"
            "type a = record v: double; end;\n"
            "     b = record\n"
            "       v: array [1..3] of a;\n"
            "     end;\n"
            "region R = [1..2];\n"
            "var B: [R] b;\n"
            "procedure p();\n"
            "begin [R] B.v[2].v := 1.0; end;\n");
  EXPECT_EQ(p.lineOf("v[2]"), 4u);
  EXPECT_EQ(p.lineOf("v :="), 2u);
}

TEST(Symbols, FoldOperatorsAndTypesAreUses) {
  Program p("program p;\n"
            "type t = double;\n"
            "procedure f(out acc: t);\nbegin acc := 0; end;\n"
            "procedure p();\n"
            "begin f<< 1; end;\n");
  EXPECT_EQ(p.lineOf("f<<"), 3u);
  EXPECT_EQ(p.lineOf("t);"), 2u);
}

TEST(Symbols, WorkInProgramsWithErrors) {
  Program p("program p;\n"
            "var first: integer;\n"
            "procedure p();\n"
            "var second: integer;\n"
            "begin\n"
            "  first := ;\n"
            "  second := first +\n"
            "end;\n");
  EXPECT_TRUE(p.analysis->hasSyntaxErrors);
  EXPECT_EQ(p.lineOf("second", 2), 4u);
  EXPECT_EQ(p.lineOf("first", 3), 2u);
}

TEST(Symbols, RanksFollowRegions) {
  Program p("program p;\n"
            "config var n: integer = 3;\n"
            "region R = [1..n, 1..n]; Row = [1, 1..n]; Top = north of R;\n"
            "direction north = [-1, 0];\n"
            "type line = [Row] double;\n"
            "var A: [R] double; L: line; F: array [1..2] of [R] integer;\n"
            "procedure p(); begin end;\n");
  EXPECT_EQ(p.rank("R"), 2u);
  EXPECT_EQ(p.rank("Top"), 2u);
  EXPECT_EQ(p.rank("north"), 2u);
  EXPECT_EQ(p.rank("A"), 2u);
  EXPECT_EQ(p.rank("L"), 2u);
  EXPECT_EQ(p.rank("F"), 2u);
  EXPECT_EQ(p.rank("n"), 0u);
}

TEST(Symbols, CirclesEnd) {
  Program p("program p;\n"
            "type a = b;\n     b = a;\n"
            "region R = S;\n       S = R;\n"
            "var x: a;\n"
            "procedure p(); begin x.y := 1; end;\n");
  EXPECT_EQ(p.rank("R"), 0u);
  EXPECT_EQ(p.lineOf("y"), 0u);
}
