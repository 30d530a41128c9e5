//===- FormatTest.cpp - Blanks, indentation, comments ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lines stay, their indentation and blanks become those of the style; what is
// aligned stays so; comments and includes are kept; what the lexer refuses is
// not formatted.
//
//===----------------------------------------------------------------------===//

#include "zpl/Format/Format.h"
#include <gtest/gtest.h>

static std::string formatted(const char *text) {
  llvm::Expected<std::string> result = zpl::format("t.z", text);
  return result ? *result : "error: " + llvm::toString(result.takeError());
}

TEST(Format, Indents) {
  EXPECT_EQ(formatted("program p;\nprocedure p();\nbegin\nif a then\nx:=1;\n"
                      "else\n   repeat\nf();\nuntil b;\nend;\n\n\n\nend;"),
            "program p;\nprocedure p();\nbegin\n  if a then\n    x := 1;\n"
            "  else\n    repeat\n      f();\n    until b;\n  end;\n\nend;\n");
}

TEST(Format, DeclarationsAreBelowTheFirst) {
  EXPECT_EQ(formatted("config var n: integer=3;\n  m :double = -1;\nbegin\n"),
            "config var n: integer = 3;\n           m: double = -1;\nbegin\n");
}

TEST(Format, KeepsWhatIsAligned) {
  const char *text = "direction no = [-1,  0];\n"
                     "          se = [ 1,  1];\n"
                     "var A:   [R] double;   -- one\n"
                     "    New: [R] double;   -- two\n"
                     "                       -- more of it\n";
  EXPECT_EQ(formatted(text), text);
  EXPECT_EQ(formatted("x :=   1;\n"), "x := 1;\n");
}

TEST(Format, ContinuedLinesMoveWithTheFirst) {
  EXPECT_EQ(formatted("begin\n    f(a,\n      b);\nend;\n"),
            "begin\n  f(a,\n    b);\nend;\n");
}

TEST(Format, SignsAndOperators) {
  EXPECT_EQ(formatted("x := - a+b * -1 ;y:=a -b;\n"),
            "x := -a+b * -1; y := a - b;\n");
  EXPECT_EQ(formatted("best max= 3; [R]A := A @ north;\n"),
            "best max= 3; [R] A := A@north;\n");
}

TEST(Format, KeepsCommentsAndIncludes) {
  EXPECT_EQ(formatted("#include \"no.z\"   -- not there\n/* a\n   b */ x:=1;\n"
                      "begin\n-- of y\ny := 2; // z\n"),
            "error: t.z:6:9: error: a comment begins with '--', not with '//'");
  EXPECT_EQ(
      formatted("  #include \"no.z\"   -- not there\n/* a\n   b */ x:=1;\n"
                "begin\n-- of y\ny := 2;\nend;"),
      "#include \"no.z\"   -- not there\n/* a\n   b */ x := 1;\n"
      "begin\n  -- of y\n  y := 2;\nend;\n");
}

TEST(Format, RefusesWhatTheLexerRefuses) {
  EXPECT_EQ(formatted("x := \"a;\n").substr(0, 12), "error: t.z:1");
  EXPECT_EQ(formatted(""), "");
}
