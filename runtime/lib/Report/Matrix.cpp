//===- Matrix.cpp - Bytes between processors ------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A table with a row for each sender and a column for each receiver. More than
// MostCells processors are taken together in groups of neighbouring numbers. On
// the diagonal is what a processor gave to several at once, as for reductions
// in shared memory, where nobody is the one receiver; between the processors of
// a group it is in its cell as well.
//
//===----------------------------------------------------------------------===//

#include "Report/Html.h"
#include "Report/View.h"

#include <algorithm>
#include <cmath>

namespace zrt::report {

static constexpr int MostCells = 32, MostNumbers = 12;

namespace {
struct Cells {
  int count, group; ///< cells in a row, processors in a cell
  std::vector<uint64_t> bytes;
  uint64_t most = 0;
};
} // namespace

static Cells cellsOf(const Run &run) {
  int group = (run.processors + MostCells - 1) / MostCells;
  int count = (run.processors + group - 1) / group;
  Cells cells{count, group, std::vector<uint64_t>(size_t(count) * count)};
  for (int from = 0; from < run.processors; ++from)
    for (int to = 0; to < run.processors; ++to)
      cells.bytes[size_t(from / group) * count + to / group] +=
          run.sent[size_t(from) * run.processors + to];
  for (uint64_t bytes : cells.bytes)
    cells.most = std::max(cells.most, bytes);
  return cells;
}

static std::string groupName(const Cells &cells, int k, int processors) {
  int first = k * cells.group;
  int last = std::min(first + cells.group, processors) - 1;
  return "P" + std::to_string(first) +
         (last > first ? "&ndash;" + std::to_string(last) : "");
}

static std::string cell(const Cells &cells, int from, int to, int processors) {
  uint64_t bytes = cells.bytes[size_t(from) * cells.count + to];
  if (bytes == 0)
    return "<td></td>";
  double share = std::sqrt(double(bytes) / double(cells.most));
  std::string names =
      groupName(cells, from, processors) + " to " +
      (from == to && cells.group == 1 ? "several at once"
                                      : groupName(cells, to, processors));
  return "<td style=\"--h:" + coordinate(5 + 80 * share) + "%\" title=\"" +
         names + ": " + bytesText(bytes) + "\">" +
         (cells.count <= MostNumbers ? bytesText(bytes) : "") + "</td>";
}

std::string matrixPart(const View &view) {
  if (!view.run || view.run->sent.empty() || view.run->processors == 1)
    return "";
  int processors = view.run->processors;
  Cells cells = cellsOf(*view.run);
  if (cells.most == 0)
    return "";
  bool hasNames = cells.count <= MostNumbers;
  std::string html = "<tr><th></th>";
  for (int to = 0; to < cells.count; ++to)
    html +=
        "<th>" + (hasNames ? groupName(cells, to, processors) : "") + "</th>";
  html += "</tr>";
  for (int from = 0; from < cells.count; ++from) {
    html += "<tr><th>" + groupName(cells, from, processors) + "</th>";
    for (int to = 0; to < cells.count; ++to)
      html += cell(cells, from, to, processors);
    html += "</tr>\n";
  }
  return "<section id=matrix><h2>Bytes between processors</h2><p class=lead>"
         "Rows send, columns receive. On the diagonal: what was given to "
         "several at once.</p><div class=scroll><table class=\"matrix" +
         std::string(hasNames ? "" : " small") + "\">" + html +
         "</table></div></section>";
}

} // namespace zrt::report
