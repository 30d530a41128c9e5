//===- SourceView.cpp - The source, with what its lines cost --------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     15 |####====  1.2 s| New := (A@north + ...;   2 messages of n/p2*8 B
//        > a click shows the operators, what is left after the passes, remarks,
//          and what the run has counted
//
// A line of which something is known is a <details>, so it opens without a
// script. The bar of a line is as long as its share of the longest line's time.
// Each line of the page costs some 100 bytes.
//
//===----------------------------------------------------------------------===//

#include "Report/Html.h"
#include "Report/View.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

namespace zrt::report {

/// More operations of one line are counted only.
static constexpr size_t MostRemaining = 6;

static std::string item(const char *style, const std::string &html) {
  return std::string("<li class=") + style + ">" + html + "</li>";
}

static std::string measuredItems(const View &view, const LineFacts &line) {
  std::string html;
  for (const Row *row : line.rows) {
    std::string text =
        "<b>" + escaped(row->operation) + "</b> " +
        counted(row->calls, "call") + ", " + counted(row->messages, "message") +
        ", " + bytesText(row->bytes) + "; " + secondsText(row->waiting) +
        " in it, " + secondsText(row->computing) + " computing before it";
    if (line.firstLine < row->line)
      text += " (lines " + std::to_string(line.firstLine) + " to " +
              std::to_string(row->line) + ")";
    if (view.run->processors > 1 && row->computing > 0) {
      char ratio[32];
      std::snprintf(ratio, sizeof ratio, "%.2f", row->most / row->computing);
      text +=
          std::string(", the slowest processor ") + ratio + " times the mean";
    }
    html += item(styleOf(row->activity), text);
  }
  return html;
}

static std::string remainingItems(const LineFacts &line) {
  std::string html;
  std::set<std::string> told;
  for (const Remaining *each : line.remaining) {
    std::string text =
        "<b>" + escaped(each->kind) + "</b> " + sentence(each->text);
    if (told.insert(text).second && told.size() <= MostRemaining)
      html += item("left", text);
  }
  if (told.size() > MostRemaining)
    html += item("left", std::to_string(told.size() - MostRemaining) + " more");
  return html;
}

static std::string decisionItems(const LineFacts &line) {
  std::string html;
  for (bool isMissed : {true, false})
    for (const Decision *each : line.decisions)
      if (each->isMissed == isMissed)
        html +=
            item(isMissed ? "miss" : "done",
                 escaped(each->text) + " <s>" + escaped(each->pass) + "</s>");
  return html;
}

static std::string details(const View &view, const LineFacts &line) {
  std::string html;
  auto group = [&](const char *title, const std::string &items) {
    if (!items.empty())
      html += std::string("<h4>") + title + "</h4><ul>" + items + "</ul>";
  };
  std::string operators;
  for (const Communication *each : line.communications)
    operators += item(styleOf(each->partners), sentence(each->text));
  if (view.run)
    group("Measured, all processors", measuredItems(view, line));
  group("Communicates, by the source", operators);
  group("Left after the passes", remainingItems(line));
  group("Decisions", decisionItems(line));
  return html;
}

/// The messages of an operator, shortly: "7 messages" for many sizes.
static std::string shortMessages(const std::string &messages) {
  constexpr size_t Longest = 40;
  if (messages.size() <= Longest || messages.find(", ") == messages.npos)
    return escaped(messages);
  uint64_t count = 0;
  for (size_t at = 0; at < messages.size();) {
    count += std::strtoull(messages.c_str() + at, nullptr, 10);
    size_t end = messages.find(", ", at);
    at = end == messages.npos ? end : end + 2;
  }
  return counted(count, "message");
}

/// What the line says of itself at its end.
static std::string chips(const LineFacts &line) {
  std::string html;
  if (line.messages != 0)
    html += "<b class=\"chip rest\">" + counted(line.messages, "message") +
            " &middot; " + bytesText(line.bytes) + "</b>";
  std::vector<std::pair<std::string, unsigned>> marks; // equal ones once
  for (const Communication *each : line.communications) {
    std::string mark = std::string("<b class=\"chip ") +
                       styleOf(each->partners) + "\">" + escaped(each->mark) +
                       " " + shortMessages(each->messages);
    auto same = std::find_if(marks.begin(), marks.end(),
                             [&](auto &m) { return m.first == mark; });
    if (same == marks.end())
      marks.push_back({mark, 1});
    else
      ++same->second;
  }
  for (const auto &[mark, times] : marks)
    html +=
        mark + (times == 1 ? "" : " &times;" + std::to_string(times)) + "</b>";
  unsigned missed = line.missed();
  auto done = line.decisions.size() - missed;
  if (missed != 0)
    html += "<b class=\"chip miss\">" + std::to_string(missed) + " missed</b>";
  if (done != 0)
    html += "<b class=\"chip done\">" + std::to_string(done) + " done</b>";
  return html;
}

static std::string bar(const View &view, const LineFacts &line) {
  double all = view.run->seconds;
  auto part = [&](const char *style, double seconds) {
    return std::string("<i class=") + style + " style=\"width:" +
           coordinate(view.mostSeconds > 0 ? 100 * seconds / view.mostSeconds
                                           : 0) +
           "%\"></i>";
  };
  std::string style =
      line.rows.empty() ? "rest" : styleOf(line.rows.front()->activity);
  return "<span class=bar>" + part("comp", line.computing) +
         part(style.c_str(), line.waiting) + "</span><em>" +
         percentText(line.seconds(), all) + "</em>";
}

namespace {
/// State of the lines of one file.
struct Rows {
  const View &view;
  uint32_t file;
  std::map<uint32_t, uint32_t> segments; ///< first lines, by last
  bool isComment = false;
  std::string html;
};
} // namespace

/// Whether the time of \p line is told by a line below it, or by itself.
static bool isInSegment(const Rows &rows, uint32_t line) {
  auto at = rows.segments.lower_bound(line);
  return at != rows.segments.end() && at->second <= line;
}

static void addLine(Rows &rows, uint32_t number, std::string_view text) {
  Place place{rows.file, number};
  const LineFacts *line = rows.view.at(rows.file, number);
  std::string code;
  highlight(text, rows.isComment, code);
  std::string anchor = anchorOf(place);
  rows.html += "<tr id=" + anchor + "><td class=n><a href=\"#" + anchor +
               "\">" + std::to_string(number) + "</a></td>";
  if (rows.view.run) {
    bool ends = rows.segments.count(number) != 0;
    rows.html += ends                        ? "<td class=\"t seg end\">"
                 : isInSegment(rows, number) ? "<td class=\"t seg\">"
                                             : "<td class=t>";
    if (line && !line->rows.empty())
      rows.html += bar(rows.view, *line);
    rows.html += "</td>";
  }
  std::string content = line ? details(rows.view, *line) : "";
  if (content.empty())
    rows.html += "<td class=c><code>" + code + "</code></td></tr>\n";
  else
    rows.html += "<td class=c><details><summary><code>" + code + "</code>" +
                 chips(*line) + "</summary><div class=facts>" + content +
                 "</div></details></td></tr>\n";
}

static std::string fileTable(const View &view, uint32_t file) {
  Rows rows{view, file, {}, false, ""};
  for (const auto &[place, line] : view.lines)
    if (place.first == file && !line.rows.empty() && line.computing > 0)
      rows.segments[place.second] = line.firstLine;
  std::string_view text = view.facts.sources[file].text;
  for (uint32_t number = 1; !text.empty(); ++number) {
    size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r'))
      line.remove_suffix(1);
    addLine(rows, number, line);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  return "<table class=src>" + rows.html + "</table>";
}

/// The first file as it is, others behind their names.
static std::string fileView(const View &view, uint32_t file) {
  const Source &source = view.facts.sources[file];
  std::string name = escaped(source.name);
  if (source.text.empty())
    return "<h3>" + name + "</h3><p class=note>" + escaped(source.note) +
           "</p>";
  if (view.facts.sources.size() == 1)
    return fileTable(view, file);
  if (file == 0)
    return "<h3>" + name + "</h3>" + fileTable(view, file);
  return "<details class=more><summary>" + name + "</summary>" +
         fileTable(view, file) + "</details>";
}

std::string sourcePart(const View &view) {
  std::string html;
  for (uint32_t file = 0; file < view.facts.sources.size(); ++file)
    html += fileView(view, file);
  if (html.empty())
    return "";
  return "<section id=source><h2>Source</h2>"
         "<p class=lead>Lines that something is known of open on a click.</p>" +
         html + "</section>";
}

} // namespace zrt::report
