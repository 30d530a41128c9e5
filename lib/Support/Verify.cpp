//===- Verify.cpp - Expected diagnostics in comments ----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A test of diagnostics says on the line itself what must be reported:
//
//     n := 3;   -- expected-error {{'n' is a config variable}}
//
// 1. The texts of all files are searched, line by line and after the first
//    `--`, for expectations; a malformed one is a failure.
// 2. Messages and notes are flattened to (file, line, severity, text).
// 3. Every message takes the first expectation, not yet taken, of its line and
//    severity whose text it contains. A text that is contained in another one
//    of the same line could take the wrong one, so longer texts go first.
//
// Everything is a linear scan over lists of a handful of entries.
//
//===----------------------------------------------------------------------===//

#include "zpl/Support/Verify.h"
#include "zpl/Support/Diagnostic.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace zpl {

namespace {
struct Found {
  std::string file;
  unsigned line;
  Severity severity;
  std::string text;
};

struct Expected {
  std::string file;
  unsigned line;
  Severity severity;
  StringRef text;
  unsigned writtenAt;
  bool met = false;
};

/// Collects the expectations of one file.
class ExpectationReader {
public:
  ExpectationReader(StringRef file, std::vector<Expected> &expectations,
                    raw_ostream &os)
      : file(file), expectations(expectations), os(os) {}

  /// Returns false if an expectation is malformed.
  bool read(StringRef text) {
    bool good = true;
    for (lineNumber = 1; !text.empty(); ++lineNumber) {
      auto [line, rest] = text.split('\n');
      StringRef comment = line.split("--").second;
      while (comment.contains("expected-") && good)
        good &= readOne(comment);
      text = rest;
    }
    return good;
  }

private:
  /// Reads the next expectation of a comment and drops it from there.
  bool readOne(StringRef &comment) {
    comment = comment.split("expected-").second;
    std::optional<Severity> severity = readSeverity(comment);
    if (!severity)
      return true;
    unsigned line = lineNumber;
    if (!readLine(comment, line))
      return fail("no line after '@'");
    comment = comment.ltrim();
    size_t close = comment.find("}}");
    if (!comment.starts_with("{{") || close == StringRef::npos)
      return fail("no text in {{...}}");
    expectations.push_back({file.str(), line, *severity,
                            comment.slice(2, close).trim(), lineNumber});
    comment = comment.drop_front(close + 2);
    return true;
  }

  static std::optional<Severity> readSeverity(StringRef &comment) {
    if (comment.consume_front("error"))
      return Severity::Error;
    if (comment.consume_front("warning"))
      return Severity::Warning;
    if (comment.consume_front("note"))
      return Severity::Note;
    return std::nullopt;
  }

  bool readLine(StringRef &comment, unsigned &line) {
    if (!comment.consume_front("@"))
      return true;
    bool up = comment.consume_front("-");
    bool down = !up && comment.consume_front("+");
    unsigned number = 0;
    if (comment.consumeInteger(10, number))
      return false;
    line = up ? lineNumber - number : down ? lineNumber + number : number;
    return true;
  }

  bool fail(StringRef why) {
    os << file << ':' << lineNumber << ": error: malformed expectation: " << why
       << '\n';
    return false;
  }

  StringRef file;
  std::vector<Expected> &expectations;
  raw_ostream &os;
  unsigned lineNumber = 0;
};
} // namespace

static void flatten(const DiagnosticMessage &message,
                    const SourceManager &sources, std::vector<Found> &all) {
  Found found{"", sources.lineColumn(message.range).line, message.severity,
              message.text};
  if (message.range.isValid())
    found.file = sources.name(message.range.file);
  if (message.severity != Severity::Note)
    found.text += (" [" + diagName(message.id) + "]").str();
  all.push_back(std::move(found));
  for (const DiagnosticMessage &note : message.notes)
    flatten(note, sources, all);
}

/// The files in order of their index; a file that was read twice counts once.
static bool readExpectations(const SourceManager &sources,
                             std::vector<Expected> &expectations,
                             raw_ostream &os) {
  std::vector<StringRef> seen;
  bool good = true;
  for (uint32_t file = 0; file < sources.size(); ++file) {
    StringRef name = sources.name(file);
    if (is_contained(seen, name))
      continue;
    seen.push_back(name);
    good &= ExpectationReader(name, expectations, os).read(sources.text(file));
  }
  llvm::stable_sort(expectations, [](const Expected &a, const Expected &b) {
    return a.text.size() > b.text.size();
  });
  return good;
}

static bool take(const Found &found, std::vector<Expected> &expectations) {
  for (Expected &expected : expectations) {
    if (expected.met || expected.severity != found.severity ||
        expected.line != found.line || expected.file != found.file ||
        !StringRef(found.text).contains(expected.text))
      continue;
    expected.met = true;
    return true;
  }
  return false;
}

bool verifyDiagnostics(const DiagnosticEngine &diags, raw_ostream &os) {
  const SourceManager &sources = diags.sources();
  std::vector<Expected> expectations;
  bool good = readExpectations(sources, expectations, os);

  std::vector<Found> all;
  for (const std::unique_ptr<DiagnosticMessage> &message : diags.messages())
    flatten(*message, sources, all);

  for (const Found &found : all) {
    if (take(found, expectations))
      continue;
    good = false;
    os << found.file << ':' << found.line << ": error: unexpected "
       << severityName(found.severity) << ": " << found.text << '\n';
  }
  for (const Expected &expected : expectations) {
    if (expected.met)
      continue;
    good = false;
    os << expected.file << ':' << expected.line << ": error: missing "
       << severityName(expected.severity) << " {{" << expected.text
       << "}}, expected on line " << expected.writtenAt << '\n';
  }
  return good;
}

} // namespace zpl
