//===- Operations.cpp - What a run has counted, as a table ----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All operations of a run with their numbers, what took longest first: the
// table of --profile.
//
//===----------------------------------------------------------------------===//

#include "Report/Html.h"
#include "Report/View.h"

namespace zrt::report {

static std::string cells(const View &view, const Row &row) {
  std::optional<uint32_t> file = view.fileOf(row.file);
  std::string place = file ? linkTo(view, {*file, row.line})
                           : std::string(row.line ? "elsewhere" : "program");
  std::string html = "<tr><td>" + place + "</td><td><b class=\"dot " +
                     styleOf(row.activity) + "\"></b>" +
                     escaped(row.operation) + "</td>";
  for (const std::string &number :
       {countText(row.calls), countText(row.messages), bytesText(row.bytes),
        secondsText(row.computing), secondsText(row.waiting),
        percentText(row.computing + row.waiting, view.run->seconds)})
    html += "<td class=num>" + number + "</td>";
  return html + "</tr>\n";
}

std::string operationsPart(const View &view) {
  if (!view.run)
    return "";
  std::string html;
  for (const Row &row : view.run->rows)
    html += cells(view, row);
  return "<section id=operations><h2>Operations</h2><p class=lead>All that the "
         "run did outside of its loops. Messages and bytes are those of all "
         "processors, seconds their mean.</p><details><summary>" +
         counted(view.run->rows.size(), "operation") +
         "</summary><div class=scroll><table class=\"list numbers\">"
         "<tr><th>place<th>operation<th>calls<th>messages<th>bytes"
         "<th>computing before<th>in it<th>share</tr>" +
         html + "</table></div></details></section>";
}

} // namespace zrt::report
