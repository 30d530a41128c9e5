//===- JsonMessages.cpp - Messages as GCC's JSON --------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What -fdiagnostics-format=json writes: an array with an object for each
/// message, in GCC's form, which editors and build servers read:
///
///     [{"kind": "error", "message": "no declaration of 'b' ...",
///       "id": "undeclared", "column-origin": 1,
///       "locations": [{"caret": {"file": "p.z", "line": 3, "column": 8,
///                                "byte-column": 8}, "finish": {...}}],
///       "fixits": [{"start": {...}, "next": {...}, "string": "a"}],
///       "children": [{"kind": "note", ...}]}]
///
/// "finish" is the last character of the range, "next" the one behind it. The
/// first location is the message's, the others are underlined beside it. "id"
/// is ours; "option" is GCC's word for the option that rules a warning.
///
//===----------------------------------------------------------------------===//

#include "Messages.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace zpl::driver {

static json::Object pointJson(const SourceManager &sources, uint32_t file,
                              uint32_t offset) {
  LineColumn place = characterPlace(sources, file, offset);
  LineColumn bytes = sources.lineColumn({file, offset, offset});
  return json::Object{{"file", inUtf8(sources.name(file))},
                      {"line", place.line},
                      {"column", place.column},
                      {"byte-column", bytes.column}};
}

static json::Object rangeJson(const SourceManager &sources, SourceRange range) {
  json::Object result{{"caret", pointJson(sources, range.file, range.begin)}};
  if (range.end > range.begin + 1)
    result["finish"] = pointJson(sources, range.file, range.end - 1);
  return result;
}

static json::Object messageJson(const SourceManager &sources,
                                const DiagnosticMessage &message) {
  json::Array locations, fixIts, children;
  if (message.range.isValid())
    locations.push_back(rangeJson(sources, message.range));
  for (SourceRange range : message.highlights)
    locations.push_back(rangeJson(sources, range));
  for (const FixIt &fix : message.fixIts)
    fixIts.push_back(json::Object{
        {"start", pointJson(sources, fix.range.file, fix.range.begin)},
        {"next", pointJson(sources, fix.range.file, fix.range.end)},
        {"string", inUtf8(fix.text)}});
  for (const DiagnosticMessage &note : message.notes)
    children.push_back(messageJson(sources, note));
  json::Object result{{"kind", severityName(message.severity)},
                      {"message", inUtf8(message.text)},
                      {"id", diagName(message.id)},
                      {"column-origin", 1},
                      {"locations", std::move(locations)},
                      {"children", std::move(children)}};
  if (!fixIts.empty())
    result["fixits"] = std::move(fixIts);
  if (diagSeverity(message.id) == Severity::Warning)
    result["option"] = ("-W" + diagName(message.id)).str();
  return result;
}

void writeJson(const DiagnosticEngine &diags, raw_ostream &os) {
  json::Array messages;
  for (const auto &message : diags.messages())
    messages.push_back(messageJson(diags.sources(), *message));
  os << json::Value(std::move(messages)) << '\n';
}

} // namespace zpl::driver
