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
// A text names its arguments: "operand of rank {0} over {1}", and "{{" is a
// brace. That it names exactly those that its diagnostic takes is checked while
// this file is compiled.
//
//===----------------------------------------------------------------------===//

#include "zpl/Support/Diagnostic.h"
#include "llvm/ADT/STLExtras.h"
#include <string_view>

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

llvm::StringRef severityName(Severity severity) {
  switch (severity) {
  case Severity::Note:
    return "note";
  case Severity::Warning:
    return "warning";
  case Severity::Error:
    return "error";
  }
  llvm_unreachable("all severities are named");
}

static constexpr DiagInfo infos[] = {
#define DIAG(Id, severity, name, text, ...)                                    \
  {Severity::severity, true, "", name, text},
#define WARNING(Id, group, name, text, ...)                                    \
  {Severity::Warning, true, group, name, text},
#define WARNING_OFF(Id, group, name, text, ...)                                \
  {Severity::Warning, false, group, name, text},
#include "zpl/Support/Diagnostics.def"
};

/// Whether \p text names {0} ... {count - 1} and nothing else.
static consteval bool namesArguments(std::string_view text, unsigned count) {
  unsigned named = 0; // bit i: {i}
  for (size_t at = text.find('{'); at != text.npos;
       at = text.find('{', at + 2)) {
    std::string_view rest = text.substr(at + 1);
    if (rest.starts_with('{'))
      continue;
    if (rest.size() < 2 || rest[0] < '0' || rest[1] != '}')
      return false;
    unsigned number = static_cast<unsigned>(rest[0] - '0');
    if (number >= count)
      return false;
    named |= 1u << number;
  }
  return named == (1u << count) - 1;
}

#define DIAG(Id, severity, name, text, ...)                                    \
  static_assert(namesArguments(text, decltype(Diag::Id)::argumentCount),       \
                #Id ": the text names other arguments than are declared");
#include "zpl/Support/Diagnostics.def"

static const DiagInfo &infoOf(DiagId id) {
  return infos[static_cast<size_t>(id)];
}
StringRef diagName(DiagId id) { return infoOf(id).name; }
Severity diagSeverity(DiagId id) { return infoOf(id).severity; }
StringRef diagGroup(DiagId id) { return infoOf(id).group; }

/// The text of \p id with \p args in place of {0}, {1} ...
static std::string textOf(DiagId id, std::initializer_list<StringRef> args) {
  std::string text;
  for (StringRef rest = infoOf(id).text; !rest.empty();) {
    auto [plain, behind] = rest.split('{');
    text += plain;
    rest = behind;
    if (rest.consume_front("{"))
      text += '{';
    else if (!rest.empty()) {
      text += args.begin()[rest.front() - '0'];
      rest = rest.drop_front(2);
    }
  }
  return text;
}

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

DiagnosticBuilder &
DiagnosticBuilder::addNote(SourceRange range, DiagId id,
                           std::initializer_list<StringRef> args) {
  message->notes.push_back(
      {id, Severity::Note, range, textOf(id, args), {}, {}, {}});
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

/// Whether \p message has been reported: the text of a procedure is looked at
/// for each of its instances.
static bool
isKnown(const std::vector<std::unique_ptr<DiagnosticMessage>> &messages,
        const DiagnosticMessage &message) {
  return any_of(reverse(messages), [&](const auto &known) {
    return known->id == message.id && known->range.file == message.range.file &&
           known->range.begin == message.range.begin &&
           known->range.end == message.range.end && known->text == message.text;
  });
}

DiagnosticBuilder DiagnosticEngine::add(SourceRange range, DiagId id,
                                        std::initializer_list<StringRef> args) {
  DiagnosticMessage message{
      id, diagSeverity(id), range, textOf(id, args), {}, {}, {}};
  WarningState state = warnings[static_cast<size_t>(id)];
  if (message.severity == Severity::Warning && state.isError)
    message.severity = Severity::Error;
  bool isHidden = diagSeverity(id) == Severity::Warning &&
                  (!state.isOn || isKnown(all, message));
  bool isError = message.severity == Severity::Error && !isHidden;
  if (isHidden || (isError && ++errorCount > errorLimit && errorLimit != 0)) {
    overflow = std::move(message);
    return DiagnosticBuilder(&overflow);
  }
  all.push_back(std::make_unique<DiagnosticMessage>(std::move(message)));
  return DiagnosticBuilder(all.back().get());
}

} // namespace zpl
