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
// Two bits are kept for every warning: whether it is on, and whether it counts
// as an error. Options set them for one warning, a group or all.
//
//===----------------------------------------------------------------------===//

#include "zpl/Support/Diagnostic.h"

using namespace llvm;

namespace zpl {

namespace {
struct DiagInfo {
  Severity severity;
  bool isOn;
  const char *group;
  const char *name;
  const char *text;
};
} // namespace

static constexpr DiagInfo infos[] = {
#define DIAG(Id, severity, name, text)                                         \
  {Severity::severity, true, "", name, text},
#define WARNING(Id, group, name, text)                                         \
  {Severity::Warning, true, group, name, text},
#define WARNING_OFF(Id, group, name, text)                                     \
  {Severity::Warning, false, group, name, text},
#include "zpl/Support/Diagnostics.def"
};

StringRef diagName(Diag id) { return infos[static_cast<size_t>(id)].name; }
Severity diagSeverity(Diag id) {
  return infos[static_cast<size_t>(id)].severity;
}
StringRef diagText(Diag id) { return infos[static_cast<size_t>(id)].text; }
StringRef diagGroup(Diag id) { return infos[static_cast<size_t>(id)].group; }

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
    : sourceManager(sources) {
  for (const DiagInfo &info : infos)
    warnings.push_back({info.isOn, false});
}
DiagnosticEngine::~DiagnosticEngine() = default;

bool DiagnosticEngine::applyWarningOption(StringRef option) {
  bool on = !option.consume_front("no-");
  bool isAboutErrors = option == "error";
  if (isAboutErrors)
    option = "all";
  else
    isAboutErrors = option.consume_front("error=");
  bool isKnown = false;
  for (size_t i = 0; i != std::size(infos); ++i) {
    const DiagInfo &info = infos[i];
    bool isMeant =
        info.severity == Severity::Warning &&
        (option == "all" || option == info.name || option == info.group);
    if (!isMeant)
      continue;
    isKnown = true;
    (isAboutErrors ? warnings[i].isError : warnings[i].isOn) = on;
    if (isAboutErrors && on && option != "all")
      warnings[i].isOn = true;
  }
  return isKnown;
}

DiagnosticBuilder DiagnosticEngine::add(SourceRange range, Diag id,
                                        std::string text) {
  DiagnosticMessage message{
      id, diagSeverity(id), range, std::move(text), {}, {}, {}};
  WarningState state = warnings[static_cast<size_t>(id)];
  if (message.severity == Severity::Warning && state.isError)
    message.severity = Severity::Error;
  bool isHidden = diagSeverity(id) == Severity::Warning && !state.isOn;
  if (isHidden ||
      (message.severity == Severity::Error && ++errorCount > errorLimit)) {
    overflow = std::move(message);
    return DiagnosticBuilder(&overflow);
  }
  all.push_back(std::make_unique<DiagnosticMessage>(std::move(message)));
  return DiagnosticBuilder(all.back().get());
}

} // namespace zpl
