//===- Page.cpp - A report as a page --------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parts in the order in which a reader wants them: messages, what it amounts to, when
// it happened, the source, who talks to whom, what the compiler decided. All
// text is there without scripts; details open as the browser opens them. The
// script filters the decisions, and opens the details of a line that is linked
// to.
//
// Cost: linear in what is shown.
//
//===----------------------------------------------------------------------===//

#include "Report/Page.h"

#include "Report/Html.h"
#include "Report/View.h"

namespace zrt::report {

static std::string header(const View &view) {
  const Facts &facts = view.facts;
  std::string about;
  std::string run = view.run ? "run: " + view.run->command : "";
  for (const std::string &text :
       {run, facts.compiler, facts.options, facts.machine})
    if (!text.empty())
      about += "<span>" + escaped(text) + "</span>";
  return "<header><p class=kicker>" +
         std::string(view.run           ? "Report of a run"
                     : hasErrors(facts) ? "Report of a compilation with errors"
                                        : "Report of a compilation") +
         "</p><h1>" + escaped(facts.program) + "</h1><p class=about>" + about +
         "</p></header>";
}

static std::string navigation(const std::string &parts) {
  static constexpr std::pair<const char *, const char *> names[] = {
      {"diagnostics", "Messages"},  {"summary", "Summary"},
      {"timeline", "Time line"},    {"source", "Source"},
      {"graph", "Partners"},        {"matrix", "Bytes"},
      {"operations", "Operations"}, {"decisions", "Decisions"},
      {"reading", "How to read"}};
  std::string html;
  for (const auto &[id, name] : names)
    if (parts.find(std::string("<section id=") + id + ">") != parts.npos)
      html += std::string("<a href=\"#") + id + "\">" + name + "</a>";
  return "<nav>" + html + "</nav>";
}

std::string page(const Facts &facts, const Run *run) {
  View view(facts, run);
  std::string parts = diagnosticsPart(view) +
                      (hasErrors(facts) ? "" : summaryPart(view)) +
                      timelinePart(view) + sourcePart(view) + graphPart(view) +
                      matrixPart(view) + operationsPart(view) +
                      decisionsPart(view) + readingPart(view);
  return "<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8>"
         "<meta name=viewport content=\"width=device-width,initial-scale=1\">"
         "<meta name=color-scheme content=\"light dark\"><title>" +
         escaped(facts.program) + (run ? ", a run" : ", compiled") +
         "</title><style>" + styleSheet + "</style></head><body>" +
         header(view) + navigation(parts) + "<main>" + parts +
         "</main><script>" + script + "</script></body></html>\n";
}

} // namespace zrt::report
