//===- SarifMessages.cpp - Messages as SARIF 2.1.0 ------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What -fdiagnostics-format=sarif writes: a log in the Static Analysis Results
/// Interchange Format of OASIS, which code hosts and editors show beside the
/// source. One run of one tool,
///
///     {"version": "2.1.0", "runs": [{
///        "tool": {"driver": {"name": "zplc", "rules": [{"id": ...}]}},
///        "invocations": [{"executionSuccessful": false}],
///        "artifacts": [{"location": {"uri": "p.z"}}],
///        "results": [{"ruleId": "undeclared", "level": "error", ...}]}]}
///
/// Each kind of message is a rule, each file an artifact, each message a result.
/// Notes are related locations, underlined parts annotations, fix-its fixes.
/// Columns count characters; endColumn is the one behind the range. Relative
/// names are relative to the base PWD.
///
//===----------------------------------------------------------------------===//

#include "Messages.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace zpl::driver {

namespace {

/// What a run has mentioned so far.
struct SarifRun {
  const SourceManager &sources;
  json::Array rules, artifacts;
  StringMap<int64_t> ruleIndices, artifactIndices;
};

} // namespace

/// A path as the path of a URI: what may not stand there as %xx.
static std::string uriPath(StringRef path) {
  std::string result;
  for (char c : path)
    if (isAlnum(c) || StringRef("/-._~").contains(c))
      result += c;
    else
      result += "%" + toHex(StringRef(&c, 1));
  return result;
}

/// The `location` of an artifact.
static json::Object fileLocation(StringRef name) {
  if (name == "<stdin>")
    return json::Object{
        {"uri", "stdin"},
        {"description", json::Object{{"text", "standard input"}}}};
  if (sys::path::is_absolute(name))
    return json::Object{{"uri", "file://" + uriPath(name)}};
  // A colon in the first part would look like a scheme: %3A.
  return json::Object{{"uri", uriPath(name)}, {"uriBaseId", "PWD"}};
}

static json::Object artifactLocation(SarifRun &run, uint32_t file) {
  StringRef name = run.sources.name(file);
  auto [entry, isNew] = run.artifactIndices.try_emplace(
      name, static_cast<int64_t>(run.artifacts.size()));
  if (isNew)
    run.artifacts.push_back(
        json::Object{{"location", fileLocation(name)},
                     {"length", run.sources.text(file).size()},
                     {"sourceLanguage", name.ends_with(".h") ? "c" : "zpl"}});
  json::Object result = fileLocation(name);
  result.erase("description");
  result["index"] = entry->second;
  return result;
}

static json::Object region(const SarifRun &run, SourceRange range) {
  LineColumn begin = characterPlace(run.sources, range.file, range.begin);
  LineColumn end = characterPlace(run.sources, range.file, range.end);
  return json::Object{
      {"startLine", begin.line},   {"startColumn", begin.column},
      {"endLine", end.line},       {"endColumn", end.column},
      {"byteOffset", range.begin}, {"byteLength", range.end - range.begin}};
}

static json::Object location(SarifRun &run, SourceRange range) {
  return json::Object{
      {"physicalLocation",
       json::Object{{"artifactLocation", artifactLocation(run, range.file)},
                    {"region", region(run, range)}}}};
}

static int64_t ruleIndex(SarifRun &run, DiagId id) {
  auto [entry, isNew] = run.ruleIndices.try_emplace(
      diagName(id), static_cast<int64_t>(run.rules.size()));
  if (isNew)
    run.rules.push_back(json::Object{
        {"id", diagName(id)},
        {"defaultConfiguration",
         json::Object{{"level", severityName(diagSeverity(id))}}}});
  return entry->second;
}

/// One fix: all replacements, by file.
static json::Object fixOf(SarifRun &run, ArrayRef<FixIt> fixIts) {
  json::Array changes;
  std::vector<uint32_t> files;
  for (const FixIt &fix : fixIts)
    if (!is_contained(files, fix.range.file))
      files.push_back(fix.range.file);
  for (uint32_t file : files) {
    json::Array replacements;
    for (const FixIt &fix : fixIts)
      if (fix.range.file == file)
        replacements.push_back(json::Object{
            {"deletedRegion", region(run, fix.range)},
            {"insertedContent", json::Object{{"text", inUtf8(fix.text)}}}});
    changes.push_back(
        json::Object{{"artifactLocation", artifactLocation(run, file)},
                     {"replacements", std::move(replacements)}});
  }
  return json::Object{{"artifactChanges", std::move(changes)}};
}

static json::Array notesOf(SarifRun &run, const DiagnosticMessage &message) {
  json::Array related;
  for (const DiagnosticMessage &note : message.notes) {
    json::Object place =
        note.range.isValid() ? location(run, note.range) : json::Object();
    place["message"] = json::Object{{"text", inUtf8(note.text)}};
    related.push_back(std::move(place));
    for (json::Value &inner : notesOf(run, note))
      related.push_back(std::move(inner));
  }
  return related;
}

static json::Object resultOf(SarifRun &run, const DiagnosticMessage &message) {
  json::Object result{
      {"ruleId", diagName(message.id)},
      {"ruleIndex", ruleIndex(run, message.id)},
      {"level", severityName(message.severity)},
      {"message", json::Object{{"text", inUtf8(message.text)}}}};
  if (message.range.isValid()) {
    json::Object place = location(run, message.range);
    json::Array annotations;
    for (SourceRange range : message.highlights)
      if (range.file == message.range.file)
        annotations.push_back(region(run, range));
    if (!annotations.empty())
      place["annotations"] = std::move(annotations);
    result["locations"] = json::Array{std::move(place)};
  }
  if (json::Array notes = notesOf(run, message); !notes.empty())
    result["relatedLocations"] = std::move(notes);
  if (!message.fixIts.empty())
    result["fixes"] = json::Array{fixOf(run, message.fixIts)};
  return result;
}

/// How the run went: of errors beyond the limit only their number is known.
static json::Object invocationOf(const DiagnosticEngine &diags,
                                 const Options &options) {
  json::Array arguments;
  for (const std::string &word : options.commandLine)
    arguments.push_back(inUtf8(word));
  json::Object result{{"executionSuccessful", !diags.hasErrors()},
                      {"exitCode", diags.hasErrors() ? 1 : 0},
                      {"arguments", std::move(arguments)}};
  auto shown =
      static_cast<unsigned>(count_if(diags.messages(), [](const auto &message) {
        return message->severity == Severity::Error;
      }));
  if (unsigned hidden = diags.errors() - shown)
    result["toolExecutionNotifications"] = json::Array{json::Object{
        {"level", "note"},
        {"message", json::Object{{"text", std::to_string(hidden) +
                                              " further errors are not shown "
                                              "(-ferror-limit)"}}}}};
  return result;
}

void writeSarif(const DiagnosticEngine &diags, const Options &options,
                raw_ostream &os) {
  SarifRun run{diags.sources(), {}, {}, {}, {}};
  for (uint32_t file = 0; file < run.sources.size(); ++file)
    artifactLocation(run, file);
  json::Array results;
  for (const auto &message : diags.messages())
    results.push_back(resultOf(run, *message));
  json::Object driver{{"name", "zplc"},
                      {"version", ZPLC_VERSION},
                      {"semanticVersion", ZPLC_VERSION},
                      {"rules", std::move(run.rules)}};
  SmallString<128> folder;
  if (sys::fs::current_path(folder))
    folder.clear(); // it is gone
  json::Object base{{"uri", "file://" + uriPath(folder) + "/"}};
  json::Object log{
      {"$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/"
                  "schemas/sarif-schema-2.1.0.json"},
      {"version", "2.1.0"},
      {"runs",
       json::Array{json::Object{
           {"tool", json::Object{{"driver", std::move(driver)}}},
           {"invocations", json::Array{invocationOf(diags, options)}},
           {"originalUriBaseIds", json::Object{{"PWD", std::move(base)}}},
           {"columnKind", "unicodeCodePoints"},
           {"artifacts", std::move(run.artifacts)},
           {"results", std::move(results)}}}}};
  os << json::Value(std::move(log)) << '\n';
}

} // namespace zpl::driver
