//===- View.cpp - The facts of a page by place ----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Time before an operation is spent in the lines above it, back to the
// operation before it or the procedure's start:
//
//     15   New := ...A@north...     transfer   ] its own line: waiting
//     16   -- a comment                        |
//     17   err := max<< ...         reduction  ] 16..17: computing before it
//
// In a loop the first operation's computing has the end of the loop in it, too.
//
//===----------------------------------------------------------------------===//

#include "Report/View.h"

#include "Report/Html.h"

#include <algorithm>
#include <set>

namespace zrt::report {

unsigned LineFacts::missed() const {
  return static_cast<unsigned>(
      std::count_if(decisions.begin(), decisions.end(),
                    [](const Decision *d) { return d->isMissed; }));
}

/// Sets `firstLine` of the lines that a run was seen in.
static void findSegments(View &view) {
  std::set<std::pair<uint32_t, uint32_t>> starts;
  for (const Procedure &procedure : view.facts.procedures)
    starts.insert({procedure.place.file, procedure.place.line});
  std::pair<uint32_t, uint32_t> last(0, 0);
  for (auto &[place, line] : view.lines) {
    if (line.rows.empty())
      continue;
    uint32_t first = last.first == place.first ? last.second + 1 : 1;
    auto start = starts.upper_bound(place);
    if (start != starts.begin() && (--start)->first == place.first)
      first = std::max(first, start->second);
    line.firstLine = std::min(first, place.second);
    last = place;
  }
}

View::View(const Facts &facts, const Run *run) : facts(facts), run(run) {
  auto line = [&](Place place) -> LineFacts & {
    return lines[{place.file, place.line}];
  };
  for (const Communication &each : facts.communications) {
    line(each.place).communications.push_back(&each);
    statements[{each.place.file, each.statement}].push_back(&each);
  }
  for (const Decision &each : facts.decisions)
    line(each.place).decisions.push_back(&each);
  for (const Remaining &each : facts.remaining)
    line(each.place).remaining.push_back(&each);
  if (!run)
    return;
  for (const Row &row : run->rows) {
    std::optional<uint32_t> file = fileOf(row.file);
    if (!file || row.line == 0)
      continue;
    LineFacts &at = line({*file, row.line});
    at.rows.push_back(&row);
    at.computing += row.computing;
    at.waiting += row.waiting;
    at.messages += row.messages;
    at.bytes += row.bytes;
    mostSeconds = std::max(mostSeconds, at.seconds());
  }
  findSegments(*this);
}

const LineFacts *View::at(uint32_t file, uint32_t line) const {
  auto found = lines.find({file, line});
  return found == lines.end() ? nullptr : &found->second;
}

double View::secondsAt(Place place) const {
  if (place.line == 0)
    return 0;
  for (auto next = lines.lower_bound({place.file, place.line});
       next != lines.end() && next->first.first == place.file; ++next) {
    const LineFacts &line = next->second;
    if (line.rows.empty())
      continue;
    bool isHere = next->first.second == place.line;
    return line.firstLine > place.line
               ? 0
               : line.computing + (isHere ? line.waiting : 0);
  }
  return 0;
}

std::optional<uint32_t> View::fileOf(const std::string &name) const {
  for (size_t k = 0; k < facts.sources.size(); ++k)
    if (facts.sources[k].name == name)
      return static_cast<uint32_t>(k);
  return std::nullopt;
}

std::string_view View::lineText(Place place) const {
  if (place.file >= facts.sources.size() || place.line == 0)
    return "";
  std::string_view text = facts.sources[place.file].text;
  for (uint32_t line = 1; line < place.line; ++line) {
    size_t end = text.find('\n');
    if (end == text.npos)
      return "";
    text.remove_prefix(end + 1);
  }
  text = text.substr(0, text.find('\n'));
  size_t first = text.find_first_not_of(" \t\r");
  size_t last = text.find_last_not_of(" \t\r");
  return first == text.npos ? "" : text.substr(first, last + 1 - first);
}

std::string anchorOf(Place place) {
  return "f" + std::to_string(place.file) + "-" + std::to_string(place.line);
}

std::string linkTo(const View &view, Place place) {
  const std::vector<Source> &sources = view.facts.sources;
  if (place.line == 0 || place.file >= sources.size())
    return "program";
  std::string_view name = sources[place.file].name;
  name = name.substr(name.rfind('/') + 1); // npos + 1 is 0
  std::string text = sources.size() == 1
                         ? "line " + std::to_string(place.line)
                         : escaped(name) + ":" + std::to_string(place.line);
  if (sources[place.file].text.empty())
    return text;
  return "<a href=\"#" + anchorOf(place) + "\">" + text + "</a>";
}

const char *styleOf(Partners partners) {
  switch (partners) {
  case Partners::Neighbours:
  case Partners::Wave:
  case Partners::Border:
    return "near";
  case Partners::Lines:
  case Partners::All:
    return "coll";
  case Partners::Pairs:
    return "move";
  }
  return "";
}

const char *styleOf(Activity activity) {
  static const char *const styles[Activities] = {"comp", "near", "coll",
                                                 "move", "file", "rest"};
  return styles[static_cast<int>(activity)];
}

const char *nameOf(Activity activity) {
  static const char *const names[Activities] = {"computing",   "neighbours",
                                                "collectives", "data movement",
                                                "files",       "other"};
  return names[static_cast<int>(activity)];
}

} // namespace zrt::report
