//===- Diagnostic.h - Errors, warnings, notes -------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How a phase tells the user what is wrong. Every diagnostic is one line of
/// Diagnostics.def; a phase writes
///
///     diags.report(range, Diag::RankMismatch, 2, 3)
///         .highlight(leftRange)
///         .note(declRange, Diag::DeclaredHere, "A");
///
/// and goes on with a sane dummy (an Error type that silences followers).
/// Between phases the driver asks hasErrors(). Printed as
///
///     file.z:7:9: error: operands have rank 2 and 3 [rank-mismatch]
///        B := A + C;
///             ^ ~
///     file.z:3:5: note: 'A' is declared here
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_SUPPORT_DIAGNOSTIC_H
#define ZPL_SUPPORT_DIAGNOSTIC_H

#include "zpl/Support/SourceManager.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FormatVariadic.h"
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace zpl {

enum class Severity : uint8_t { Note, Warning, Error };

/// Every diagnostic: DIAG(Id, Severity, "kebab-id", "text with {0} {1}").
enum class Diag : uint16_t {
#define DIAG(Id, severity, name, text) Id,
#include "zpl/Support/Diagnostics.def"
};

/// "kebab-id" of a diagnostic.
llvm::StringRef diagName(Diag id);
Severity diagSeverity(Diag id);
llvm::StringRef diagText(Diag id);
/// "unused": the group of a warning; empty: none.
llvm::StringRef diagGroup(Diag id);

struct FixIt {
  SourceRange range; ///< replaced; empty range: insertion
  std::string text;
};

/// One message as collected.
struct DiagnosticMessage {
  Diag id;
  Severity severity;
  SourceRange range;
  std::string text;
  llvm::SmallVector<SourceRange, 2> highlights;
  std::vector<FixIt> fixIts;
  std::vector<DiagnosticMessage> notes;
};

/// Completes a reported message; valid until the next report.
class [[nodiscard]] DiagnosticBuilder {
public:
  explicit DiagnosticBuilder(DiagnosticMessage *message) : message(message) {}
  DiagnosticBuilder &highlight(SourceRange range);
  template <typename... Args>
  DiagnosticBuilder &note(SourceRange range, Diag id, Args &&...args) {
    return addNote(range, id,
                   llvm::formatv(diagText(id).data(), args...).str());
  }
  DiagnosticBuilder &fixIt(SourceRange range, llvm::StringRef replacement);
  /// Says that nothing is to be added (silences [[nodiscard]]).
  void done() {}

private:
  DiagnosticBuilder &addNote(SourceRange range, Diag id, std::string text);
  DiagnosticMessage *message;
};

/// Collects diagnostics; prints them in order of report when told to.
class DiagnosticEngine {
public:
  explicit DiagnosticEngine(const SourceManager &sources);
  ~DiagnosticEngine();

  /// Reports; arguments replace {0}, {1} ... of the text. After
  /// `errorLimit` errors (100) further ones are counted, not kept.
  template <typename... Args>
  DiagnosticBuilder report(SourceRange range, Diag id, Args &&...args) {
    return add(range, id, llvm::formatv(diagText(id).data(), args...).str());
  }

  /// Obeys one option `-W...`, given without the `-W`: "unused" (a group or the
  /// id of a warning), "no-unused", "all", "error", "error=unused",
  /// "no-error=unused"; later ones override. False: there is no such warning.
  /// For what is reported from now on.
  bool applyWarningOption(llvm::StringRef option);

  bool hasErrors() const { return errorCount != 0; }
  unsigned errors() const { return errorCount; }
  const std::vector<std::unique_ptr<DiagnosticMessage>> &messages() const {
    return all;
  }
  const SourceManager &sources() const { return sourceManager; }

  /// Prints all messages with source lines, carets and fix-its; colours if
  /// the stream shows them. Then "2 errors generated." as Clang does.
  void print(llvm::raw_ostream &os) const;

private:
  /// What becomes of a warning.
  struct WarningState {
    bool isOn, isError;
  };
  DiagnosticBuilder add(SourceRange range, Diag id, std::string text);
  const SourceManager &sourceManager;
  std::vector<WarningState> warnings; ///< per Diag
  std::vector<std::unique_ptr<DiagnosticMessage>> all;
  unsigned errorCount = 0;
  DiagnosticMessage overflow; ///< what nobody sees
};

} // namespace zpl

#endif // ZPL_SUPPORT_DIAGNOSTIC_H
