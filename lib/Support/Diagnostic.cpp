//===- Diagnostic.cpp - Collecting diagnostics ----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The engine keeps messages in order of report and counts errors; a phase that
// has gone astray in a large file must not fill the memory, so errors above the
// limit are counted and their text is thrown away with the next one. How a
// message looks is the matter of DiagnosticPrinter.cpp.
//
//===----------------------------------------------------------------------===//

#include "zpl/Support/Diagnostic.h"

using namespace llvm;

namespace zpl {

namespace {
struct DiagInfo {
  Severity severity;
  const char *name;
  const char *text;
};
} // namespace

static constexpr DiagInfo infos[] = {
#define DIAG(Id, severity, name, text) {Severity::severity, name, text},
#include "zpl/Support/Diagnostics.def"
};

StringRef diagName(Diag id) { return infos[static_cast<size_t>(id)].name; }
Severity diagSeverity(Diag id) {
  return infos[static_cast<size_t>(id)].severity;
}
StringRef diagText(Diag id) { return infos[static_cast<size_t>(id)].text; }

static constexpr unsigned errorLimit = 100;

DiagnosticBuilder &DiagnosticBuilder::highlight(SourceRange range) {
  if (range.isValid())
    message->highlights.push_back(range);
  return *this;
}

DiagnosticBuilder &DiagnosticBuilder::fixIt(SourceRange range,
                                            StringRef replacement) {
  message->fixIts.push_back({range, replacement.str()});
  return *this;
}

DiagnosticBuilder &DiagnosticBuilder::addNote(SourceRange range, Diag id,
                                              std::string text) {
  message->notes.push_back(
      {id, Severity::Note, range, std::move(text), {}, {}, {}});
  return *this;
}

DiagnosticEngine::DiagnosticEngine(const SourceManager &sources)
    : sourceManager(sources) {}
DiagnosticEngine::~DiagnosticEngine() = default;

DiagnosticBuilder DiagnosticEngine::add(SourceRange range, Diag id,
                                        std::string text) {
  DiagnosticMessage message{
      id, diagSeverity(id), range, std::move(text), {}, {}, {}};
  if (message.severity == Severity::Error && ++errorCount > errorLimit) {
    overflow = std::move(message);
    return DiagnosticBuilder(&overflow);
  }
  all.push_back(std::make_unique<DiagnosticMessage>(std::move(message)));
  return DiagnosticBuilder(all.back().get());
}

} // namespace zpl
