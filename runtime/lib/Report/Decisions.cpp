//===- Decisions.cpp - What the compiler did and refused ------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One table for each pass, in the order of the passes: what it missed before
// what it did, what weighs most first.
//
//===----------------------------------------------------------------------===//

#include "Report/Html.h"
#include "Report/View.h"

namespace zrt::report {

static std::string row(const View &view, const Decision &decision) {
  return std::string("<tr class=") + (decision.isMissed ? "miss" : "done") +
         "><td>" + linkTo(view, decision.place) + "</td><td><b>" +
         (decision.isMissed ? "missed" : "done") + "</b></td><td>" +
         escaped(decision.text) + "</td></tr>\n";
}

static std::string passTable(const View &view, const Pass &pass) {
  std::string rows;
  unsigned counts[2] = {};
  for (bool isMissed : {true, false})
    for (const Decision &decision : view.facts.decisions) {
      if (decision.pass != pass.name || decision.isMissed != isMissed)
        continue;
      rows += row(view, decision);
      ++counts[isMissed];
    }
  if (rows.empty())
    return "";
  std::string tally;
  for (bool isMissed : {true, false})
    if (counts[isMissed] != 0)
      tally += std::string("<b class=\"chip ") + (isMissed ? "miss" : "done") +
               "\">" + std::to_string(counts[isMissed]) +
               (isMissed ? " missed" : " done") + "</b>";
  return "<details class=pass><summary><b>" + escaped(pass.name) +
         "</b> <span>" + escaped(pass.summary) + "</span>" + tally +
         "</summary><table class=list>" + rows + "</table></details>";
}

std::string decisionsPart(const View &view) {
  std::string html;
  for (const Pass &pass : view.facts.passes)
    html += passTable(view, pass);
  if (html.empty())
    return "";
  return "<section id=decisions><h2>Decisions of the compiler</h2>"
         "<p class=lead>What each pass did and refused, and why.</p>"
         "<p class=\"filter hidden\"><input id=filter type=search "
         "placeholder=\"filter by words or line\" aria-label=\"Filter\"></p>" +
         html + "</section>";
}

} // namespace zrt::report
