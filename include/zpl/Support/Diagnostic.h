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
/// and goes on with a sane dummy (an Error type that silences followers). The
/// line declares what the diagnostic takes, and Diag::RankMismatch has it in
/// its type: other arguments do not compile, nor does a choice between two that
/// take different ones.
///
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
#include <concepts>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace zpl {

enum class Severity : uint8_t { Note, Warning, Error };

/// "note", "warning" or "error".
llvm::StringRef severityName(Severity severity);

/// The number of a diagnostic: its place in Diagnostics.def.
enum class DiagId : uint16_t {
#define DIAG(Id, severity, name, text, ...) Id,
#include "zpl/Support/Diagnostics.def"
};

/// An argument that is an integer; no character and no truth value.
class DiagNumber {
public:
  template <std::integral T>
    requires(!std::same_as<T, bool> && !std::same_as<T, char>)
  DiagNumber(T value) : digits(std::to_string(value)) {}
  /// The digits; live as long as this.
  explicit operator llvm::StringRef() const { return digits; }

private:
  std::string digits;
};

/// A diagnostic that takes arguments of these types, as a function does. A
/// function that is handed one on takes, for instance, a DiagWith<Diag::Text>.
template <typename... Args> struct DiagWith {
  static constexpr unsigned argumentCount = sizeof...(Args);
  DiagId id;
};

/// Every diagnostic: DIAG(Id, Severity, "kebab-id", "text {0} {1}", Text, Text)
/// is the constant Diag::Id.
struct Diag {
  using Number = DiagNumber;
  using Text = llvm::StringRef;
#define DIAG(Id, severity, name, text, ...)                                    \
  static constexpr DiagWith<__VA_ARGS__> Id{DiagId::Id};
#include "zpl/Support/Diagnostics.def"
};

/// "kebab-id" of a diagnostic.
llvm::StringRef diagName(DiagId id);
/// What a diagnostic is before options change it.
Severity diagSeverity(DiagId id);
/// "unused": the group of a warning; empty: none.
llvm::StringRef diagGroup(DiagId id);

struct FixIt {
  SourceRange range; ///< replaced; empty range: insertion
  std::string text;
};

/// One message as collected.
struct DiagnosticMessage {
  DiagId id;
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
  /// Underlines a range beside the caret.
  DiagnosticBuilder &highlight(SourceRange range);
  /// Arguments as of DiagnosticEngine::report().
  template <typename... Args>
  DiagnosticBuilder &note(SourceRange range, DiagWith<Args...> diag,
                          const std::type_identity_t<Args> &...args) {
    return addNote(range, diag.id, {llvm::StringRef(args)...});
  }
  /// Suggests \p replacement for the text of \p range, which may be empty.
  DiagnosticBuilder &fixIt(SourceRange range, llvm::StringRef replacement);
  /// Says that nothing is to be added (silences [[nodiscard]]).
  void done() {}

private:
  DiagnosticBuilder &addNote(SourceRange range, DiagId id,
                             std::initializer_list<llvm::StringRef> args);
  DiagnosticMessage *message;
};

/// Collects diagnostics; prints them in order of report when told to.
class DiagnosticEngine {
public:
  explicit DiagnosticEngine(const SourceManager &sources);
  ~DiagnosticEngine();

  /// Reports; arguments replace {0}, {1} ... of the text, and are those that
  /// the diagnostic takes. Errors beyond the limit are counted, not kept.
  template <typename... Args>
  DiagnosticBuilder report(SourceRange range, DiagWith<Args...> diag,
                           const std::type_identity_t<Args> &...args) {
    return add(range, diag.id, {llvm::StringRef(args)...});
  }

  /// Obeys one option `-W...`, given without the `-W`: "unused" (a group or the
  /// id of a warning), "no-unused", "all", "error", "error=unused",
  /// "no-error=unused"; later ones override. False: there is no such warning.
  /// For what is reported from now on.
  bool applyWarningOption(llvm::StringRef option);

  /// Keeps at most \p limit errors from now on; 0: all. It is 100 without this.
  void setErrorLimit(unsigned limit) { errorLimit = limit; }

  /// Were errors reported, and how many?
  bool hasErrors() const { return errorCount != 0; }
  unsigned errors() const { return errorCount; }
  /// All that was reported, in that order.
  const std::vector<std::unique_ptr<DiagnosticMessage>> &messages() const {
    return all;
  }
  /// Where the texts are.
  const SourceManager &sources() const { return sourceManager; }

  /// Prints all messages with source lines, carets and fix-its, in colours as
  /// \p colours says, without it if the stream shows them. Then "2 errors
  /// generated." as Clang does.
  void print(llvm::raw_ostream &os,
             std::optional<bool> colours = std::nullopt) const;

private:
  /// What becomes of a warning.
  struct WarningState {
    bool isOn, isError;
  };
  /// Appends a message, or none if its warning is off.
  DiagnosticBuilder add(SourceRange range, DiagId id,
                        std::initializer_list<llvm::StringRef> args);
  const SourceManager &sourceManager;
  std::vector<WarningState> warnings; ///< per DiagId
  std::vector<std::unique_ptr<DiagnosticMessage>> all;
  unsigned errorCount = 0;
  unsigned errorLimit = 100;
  DiagnosticMessage overflow; ///< what nobody sees
};

} // namespace zpl

#endif // ZPL_SUPPORT_DIAGNOSTIC_H
