//===- Diagnostics.cpp - What is wrong with the program -------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The compiler's messages in their order, notes below what they belong to, each
// with a link to its line and what stands there. A page of a program with
// errors has these and the source. Linear.
//
//===----------------------------------------------------------------------===//

#include "Report/Html.h"
#include "Report/View.h"

#include <algorithm>

namespace zrt::report {

bool hasErrors(const Facts &facts) {
  return std::any_of(
      facts.diagnostics.begin(), facts.diagnostics.end(),
      [](const Diagnostic &each) { return each.severity == "error"; });
}

static std::string diagnosticRow(const View &view, const Diagnostic &each) {
  bool isError = each.severity == "error";
  std::string where, line;
  if (each.place.line != 0) {
    where = linkTo(view, each.place);
    if (each.column != 0)
      where += ":" + std::to_string(each.column);
    line = "<br><code>" + escaped(view.lineText(each.place)) + "</code>";
  }
  return std::string("<tr class=") + (isError ? "miss" : "done") + "><td>" +
         where + "</td><td><b>" + escaped(each.severity) + "</b></td><td>" +
         escaped(each.text) + line + "</td></tr>\n";
}

std::string diagnosticsPart(const View &view) {
  std::string rows;
  for (const Diagnostic &each : view.facts.diagnostics)
    rows += diagnosticRow(view, each);
  if (rows.empty())
    return "";
  return "<section id=diagnostics><h2>Messages</h2><p class=lead>" +
         std::string(hasErrors(view.facts)
                         ? "The program has errors, so nothing was made of it."
                         : "What the compiler warns of.") +
         "</p><table class=list>" + rows + "</table></section>";
}

} // namespace zrt::report
