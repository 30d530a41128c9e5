//===- Messages.cpp - Diagnostics as the protocol has them ----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     plate.z:9:9: error: value of rank 1 assigned to 'A' of rank 2
//     plate.z:4:5: note: 'A' is declared here
//
// becomes one diagnostic with the message's name as its code and the note as
// related information. What an included file has wrong is shown at the line
// that brings it in, with its own place as related information.
//
// Cost: linear in the messages, of which there are at most a hundred errors.
//
//===----------------------------------------------------------------------===//

#include "zpl/Editor/Queries.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace zpl::editor {

std::string cleanText(StringRef text) {
  return json::isUTF8(text) ? text.str() : json::fixUTF8(text);
}

json::Value toJson(Position position) {
  return json::Object{{"line", position.line},
                      {"character", position.character}};
}

json::Value toJson(const Range &range) {
  return json::Object{{"start", toJson(range.start)},
                      {"end", toJson(range.end)}};
}

json::Value rangeJson(const Analysis &a, SourceRange range) {
  if (range.file == 0)
    return toJson(a.lines->range(range.begin, range.end));
  return toJson(
      LineTable(a.sources.text(range.file)).range(range.begin, range.end));
}

json::Value locationJson(const Document &d, SourceRange range) {
  const Analysis &a = *d.analysis;
  std::string uri =
      range.file == 0 ? d.uri : uriOfPath(a.sources.name(range.file));
  return json::Object{{"uri", uri}, {"range", rangeJson(a, range)}};
}

/// The protocol's number of a severity.
static int severityNumber(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return 1;
  case Severity::Warning:
    return 2;
  case Severity::Note:
    return 3;
  }
  return 1;
}

static json::Object related(const Document &d, SourceRange range,
                            StringRef text) {
  return json::Object{{"location", locationJson(d, range)},
                      {"message", cleanText(text)}};
}

static json::Object diagnosticJson(const Document &d,
                                   const DiagnosticMessage &message) {
  const Analysis &a = *d.analysis;
  SourceRange shown = shownAt(a, message.range);
  std::string text = message.text;
  json::Array information;
  bool isElsewhere = message.range.isValid() && message.range.file != 0;
  if (isElsewhere) {
    information.push_back(related(d, message.range, message.text));
    text = "in '" +
           sys::path::filename(a.sources.name(message.range.file)).str() +
           "': " + text;
  }
  for (const DiagnosticMessage &note : message.notes)
    if (note.range.isValid())
      information.push_back(related(d, note.range, note.text));
    else
      text += "\n" + note.text;
  json::Object result{{"range", rangeJson(a, shown)},
                      {"severity", severityNumber(message.severity)},
                      {"code", diagName(message.id)},
                      {"source", "zplc"},
                      {"message", cleanText(text)}};
  if (!information.empty())
    result["relatedInformation"] = std::move(information);
  if (diagGroup(message.id) == "unused")
    result["tags"] = json::Array{1};
  return result;
}

json::Array diagnosticsJson(const Document &d) {
  json::Array result;
  for (const auto &message : d.analysis->diags.messages())
    result.push_back(diagnosticJson(d, *message));
  return result;
}

static std::string fixTitle(const Analysis &a, const FixIt &fix) {
  std::string old = cleanText(a.sources.text(fix.range));
  if (old.empty())
    return "Insert '" + StringRef(cleanText(fix.text)).trim().str() + "'";
  if (fix.text.empty())
    return "Remove '" + old + "'";
  return "Replace '" + old + "' by '" + cleanText(fix.text) + "'";
}

json::Array codeActions(const Document &d, uint32_t begin, uint32_t end) {
  const Analysis &a = *d.analysis;
  json::Array result;
  for (const auto &message : a.diags.messages()) {
    SourceRange shown = message->range;
    bool isHere = shown.file == 0 && shown.begin <= end && begin <= shown.end;
    bool isOwn = all_of(message->fixIts,
                        [](const FixIt &fix) { return fix.range.file == 0; });
    if (!isHere || !isOwn || message->fixIts.empty())
      continue;
    json::Array edits;
    std::string title;
    for (const FixIt &fix : message->fixIts) {
      title += (title.empty() ? "" : ", ") + fixTitle(a, fix);
      edits.push_back(json::Object{{"range", rangeJson(a, fix.range)},
                                   {"newText", cleanText(fix.text)}});
    }
    result.push_back(json::Object{
        {"title", title},
        {"kind", "quickfix"},
        {"isPreferred", true},
        {"diagnostics", json::Array{diagnosticJson(d, *message)}},
        {"edit",
         json::Object{{"changes", json::Object{{d.uri, std::move(edits)}}}}}});
  }
  return result;
}

} // namespace zpl::editor
