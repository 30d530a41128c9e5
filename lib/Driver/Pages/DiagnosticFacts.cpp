//===- DiagnosticFacts.cpp - Messages as facts of a report ----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each message with its notes behind it. Linear.
//
//===----------------------------------------------------------------------===//

#include "Pages/ReportFacts.h"
#include "zpl/Support/Diagnostic.h"

using namespace llvm;

namespace zpl::driver {

static void addMessage(Facts &facts, const SourceManager &sources,
                       const DiagnosticMessage &message) {
  zrt::report::Diagnostic fact;
  if (message.range.isValid()) {
    LineColumn place = sources.lineColumn(message.range);
    fact.place = {message.range.file, place.line};
    fact.column = place.column;
  }
  fact.severity = severityName(message.severity).str();
  fact.text = message.text;
  facts.diagnostics.push_back(std::move(fact));
  for (const DiagnosticMessage &note : message.notes)
    addMessage(facts, sources, note);
}

void addDiagnostics(Facts &facts, const DiagnosticEngine &diags) {
  for (const auto &message : diags.messages())
    addMessage(facts, diags.sources(), *message);
}

} // namespace zpl::driver
