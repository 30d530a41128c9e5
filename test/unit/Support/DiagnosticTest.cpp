//===- DiagnosticTest.cpp - How messages look and are verified ------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Messages show their source line, highlights, fix-its and notes; the number of
// errors is told, also of those that are not kept; --verify compares exactly;
// remarks and timings have the form that users read.
//
//===----------------------------------------------------------------------===//

#include "zpl/Support/Diagnostic.h"
#include "zpl/Support/Remark.h"
#include "zpl/Support/Timing.h"
#include "zpl/Support/Verify.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace zpl;

static std::string printed(const DiagnosticEngine &diags) {
  std::string text;
  llvm::raw_string_ostream os(text);
  diags.print(os);
  return text;
}

static bool verified(const DiagnosticEngine &diags) {
  std::string text;
  llvm::raw_string_ostream os(text);
  return verifyDiagnostics(diags, os);
}

TEST(Diagnostic, ShowsHighlightsFixItsAndNotes) {
  SourceManager sources;
  uint32_t file = sources.add("a.z", "var A;\nA = B + C;\n");
  DiagnosticEngine diags(sources);
  diags.report({file, 9, 10}, Diag::EqualAssigns, "=")
      .highlight({file, 7, 8})
      .highlight({file, 11, 16})
      .fixIt({file, 9, 10}, ":=")
      .fixIt({file, 16, 16}, ";")
      .note({file, 4, 5}, Diag::DeclaredHere, "A");
  EXPECT_EQ(printed(diags),
            "a.z:2:3: error: '=' compares; an assignment is written ':=' "
            "[equal-assigns]\n"
            "A = B + C;\n"
            "~ ^ ~~~~~\n"
            "  :=     ;\n"
            "a.z:1:5: note: 'A' is declared here\n"
            "var A;\n"
            "    ^\n"
            "1 error generated.\n");
}

TEST(Diagnostic, OptionsTurnWarningsOnAndOffAndIntoErrors) {
  SourceManager sources;
  auto severity = [&](const std::vector<llvm::StringRef> &options,
                      DiagWith<Diag::Text> id) {
    DiagnosticEngine diags(sources);
    for (llvm::StringRef option : options)
      EXPECT_TRUE(diags.applyWarningOption(option)) << option.str();
    diags.report(SourceRange(), id, "a").done();
    return diags.messages().empty() ? Severity::Note
                                    : diags.messages()[0]->severity;
  };
  constexpr Severity None = Severity::Note;
  EXPECT_EQ(severity({}, Diag::Uninitialized), Severity::Warning);
  EXPECT_EQ(severity({}, Diag::UnusedType), None);
  EXPECT_EQ(severity({"unused"}, Diag::UnusedType), Severity::Warning);
  EXPECT_EQ(severity({"unused-region"}, Diag::UnusedType), None);
  EXPECT_EQ(severity({"all", "no-unused"}, Diag::UnusedType), None);
  EXPECT_EQ(severity({"error"}, Diag::Uninitialized), Severity::Error);
  EXPECT_EQ(severity({"error"}, Diag::UnusedType), None);
  EXPECT_EQ(severity({"error=unused"}, Diag::UnusedType), Severity::Error);
  EXPECT_EQ(severity({"error", "no-error=uninitialized"}, Diag::Uninitialized),
            Severity::Warning);
  EXPECT_EQ(severity({"no-uninitialized"}, Diag::Uninitialized), None);
  DiagnosticEngine diags(sources);
  EXPECT_FALSE(diags.applyWarningOption("unusual"));
  EXPECT_FALSE(diags.applyWarningOption("error=unusual"));
}

TEST(Diagnostic, RangesOverLinesEndWithTheLine) {
  SourceManager sources;
  uint32_t file = sources.add("a.z", "x (\ny)\n");
  DiagnosticEngine diags(sources);
  diags.report({file, 2, 6}, Diag::ExpectedType, "'('")
      .highlight({file, 4, 5})
      .done();
  EXPECT_EQ(printed(diags),
            "a.z:1:3: error: expected a type, found '(' [expected-type]\n"
            "x (\n"
            "  ^\n"
            "1 error generated.\n");
}

TEST(Diagnostic, WithoutAPlaceThereIsNoSnippet) {
  SourceManager sources;
  DiagnosticEngine diags(sources);
  diags.report({}, Diag::ExpectedType, "nothing").done();
  EXPECT_EQ(printed(diags), "error: expected a type, found nothing "
                            "[expected-type]\n1 error generated.\n");
}

TEST(Diagnostic, BytesThatCannotBeShownAreSpelt) {
  SourceManager sources;
  uint32_t file = sources.add("a.z", "\x1b\xff\te");
  DiagnosticEngine diags(sources);
  diags.report({file, 3, 4}, Diag::ExpectedType, "'e'").done();
  EXPECT_EQ(printed(diags),
            "a.z:1:4: error: expected a type, found 'e' [expected-type]\n"
            "<1B><FF>        e\n"
            "                ^\n"
            "1 error generated.\n");
}

TEST(Diagnostic, OnlyTheFirstHundredErrorsAreKept) {
  SourceManager sources;
  uint32_t file = sources.add("a.z", "x\n");
  DiagnosticEngine diags(sources);
  for (int i = 0; i < 105; ++i)
    diags.report({file, 0, 1}, Diag::ExpectedType, "x").highlight({file, 0, 1});
  EXPECT_EQ(diags.errors(), 105u);
  EXPECT_EQ(diags.messages().size(), 100u);
  EXPECT_TRUE(llvm::StringRef(printed(diags))
                  .ends_with("105 errors generated, of which the first 100 "
                             "are shown.\n"));
}

TEST(Verify, MatchesTextAndIdOnTheLine) {
  SourceManager sources;
  uint32_t file =
      sources.add("a.z", "x -- expected-error {{found 'x' [expected-type]}}\n"
                         "-- expected-note@-1 {{'A' is declared here}}\n");
  DiagnosticEngine diags(sources);
  EXPECT_FALSE(verified(diags)) << "nothing was reported";
  diags.report({file, 0, 1}, Diag::ExpectedType, "'x'")
      .note({file, 0, 1}, Diag::DeclaredHere, "A");
  EXPECT_TRUE(verified(diags));
  diags.report({file, 0, 1}, Diag::ExpectedType, "'x'").done();
  EXPECT_FALSE(verified(diags)) << "an expectation counts once";
}

TEST(Verify, SimilarTextsFindTheirOwnMessage) {
  SourceManager sources;
  uint32_t file = sources.add("a.z", "x -- expected-error {{found}} "
                                     "expected-error {{found 'x'}}\n");
  DiagnosticEngine diags(sources);
  diags.report({file, 0, 1}, Diag::ExpectedType, "'x'").done();
  diags.report({file, 0, 1}, Diag::ExpectedType, "'y'").done();
  EXPECT_TRUE(verified(diags));
}

TEST(Remark, IsOneLine) {
  SourceManager sources;
  uint32_t file = sources.add("a.z", "x\n  y\n");
  std::string text;
  llvm::raw_string_ostream os(text);
  print({Remark::Applied, "fuse", {file, 4, 5}, "fused 2 statements"}, sources,
        os);
  print({Remark::Missed, "fuse", {}, "not fused"}, sources, os);
  EXPECT_EQ(os.str(), "a.z:2:3: remark: fused 2 statements [fuse]\n"
                      "remark: missed: not fused [fuse]\n");
}

TEST(Timing, PhasesAddUpInOrderOfFirstUse) {
  PhaseTimers timers;
  for (const char *phase : {"lex", "parse", "lex"})
    PhaseTimers::Scope scope(timers, phase);
  std::string text;
  llvm::raw_string_ostream os(text);
  timers.print(os);
  llvm::StringRef table(os.str());
  EXPECT_LT(table.find(" lex\n"), table.find(" parse\n"));
  EXPECT_EQ(table.count(" lex\n"), 1u);
  EXPECT_TRUE(table.contains(" total\n"));
}
