//===- FactsJson.cpp - A report for programs ------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     zplc --report=p.json p.z
//
// writes what the page shows as data:
//
//     {"program": "p", "sources": ["p.z", ...],
//      "decisions": [{"file": 0, "line": 12, "column": 3, "pass": "fuse-loops",
//                     "missed": false, "text": "fused with the loop ..."}, ...],
//      "communications": [...], "remaining": [...], "diagnostics": [...]}
//
// Linear.
//
//===----------------------------------------------------------------------===//

#include "Messages.h"
#include "Pages/ReportFacts.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace zpl::driver {

namespace report = zrt::report;

static json::Object placeJson(report::Place place) {
  return json::Object{{"file", place.file}, {"line", place.line}};
}

static json::Object factJson(const report::Decision &each) {
  json::Object object = placeJson(each.place);
  object["column"] = each.column;
  object["pass"] = inUtf8(each.pass);
  object["missed"] = each.isMissed;
  object["text"] = inUtf8(each.text);
  object["depth"] = each.depth;
  return object;
}

static json::Object factJson(const report::Communication &each) {
  json::Object object = placeJson(each.place);
  object["mark"] = inUtf8(each.mark);
  object["messages"] = inUtf8(each.messages);
  object["text"] = inUtf8(each.text);
  object["sides"] = inUtf8(each.sides);
  object["statement"] = each.statement;
  object["depth"] = each.depth;
  return object;
}

static json::Object factJson(const report::Remaining &each) {
  json::Object object = placeJson(each.place);
  object["kind"] = inUtf8(each.kind);
  object["text"] = inUtf8(each.text);
  return object;
}

static json::Object factJson(const report::Diagnostic &each) {
  json::Object object = placeJson(each.place);
  object["column"] = each.column;
  object["severity"] = inUtf8(each.severity);
  object["text"] = inUtf8(each.text);
  return object;
}

template <typename T> static json::Array factsJson(const std::vector<T> &list) {
  json::Array array;
  for (const T &each : list)
    array.push_back(factJson(each));
  return array;
}

std::string factsAsJson(const Facts &facts) {
  json::Array names;
  for (const report::Source &source : facts.sources)
    names.push_back(inUtf8(source.name));
  json::Object root{{"program", inUtf8(facts.program)},
                    {"compiler", inUtf8(facts.compiler)},
                    {"options", inUtf8(facts.options)},
                    {"machine", inUtf8(facts.machine)},
                    {"sources", std::move(names)},
                    {"diagnostics", factsJson(facts.diagnostics)},
                    {"communications", factsJson(facts.communications)},
                    {"remaining", factsJson(facts.remaining)},
                    {"decisions", factsJson(facts.decisions)}};
  return formatv("{0:2}\n", json::Value(std::move(root))).str();
}

} // namespace zpl::driver
