//===- ProfileTable.cpp - The costs of all processors in one table --------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     profile of jacobi: 2 processors, transport shm
//
//     place        operation  calls  messages  bytes  computing   waiting
//     imbalance jacobi.z:49  reduction    211       422   3376   0.412071
//     0.006902       1.01 jacobi.z:48  transfer     211       422  33760
//     0.000120  0.003511       1.20
//     ...
//
// Calls are those of one processor (which are the same on all, but for memory
// of elements), messages and bytes those of all together. Seconds are means
// over the processors, so that columns add up to the time of the run;
// the imbalance is that of the slowest processor's computing over the mean:
// the others wait for it in this row.
//
// An operation in a domain of the program, or on a distribution, names it:
// `shift in D`.
//
// A packed row is its numbers, the lengths of two names, and these: of its file
// and its domain.
//
//===----------------------------------------------------------------------===//

#include "Entry/Observe/ProfileTable.h"

#include "Entry/Observe/Timeline.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace zrt {

namespace {

struct PackedRow {
  OperationKind kind;
  int32_t line;
  uint64_t calls, messages, bytes;
  double computing;
  double inside[OperationParts];
  uint64_t nameLength, whereLength;
};

using TableLine = std::vector<std::string>;

std::string seconds(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6f", value);
  return text;
}

std::string ratio(double value, double mean) {
  if (!(mean > 0))
    return "-";
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", value / mean);
  return text;
}

/// The lines in columns; all but the first \p left of them are numbers.
std::string inColumns(const std::vector<TableLine> &lines, size_t left) {
  std::vector<size_t> width;
  for (const TableLine &line : lines)
    for (size_t k = 0; k < line.size(); ++k) {
      width.resize(std::max(width.size(), k + 1));
      width[k] = std::max(width[k], line[k].size());
    }
  std::string text;
  for (const TableLine &line : lines) {
    for (size_t k = 0; k < line.size(); ++k) {
      std::string blanks(width[k] - line[k].size(), ' ');
      text += k == 0 ? "" : "  ";
      text += k < left ? line[k] + blanks : blanks + line[k];
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

std::string placeOf(const std::string &file, int32_t line) {
  return line > 0 ? file + ":" + std::to_string(line) : "-";
}

} // namespace

std::string packProfile(const std::vector<ProfileRow> &rows) {
  std::string packed;
  for (const ProfileRow &row : rows) {
    std::string_view name = row.loc ? row.loc->file : "";
    PackedRow to = {};
    to.kind = row.kind;
    to.line = row.loc ? row.loc->line : 0;
    to.calls = row.calls;
    to.messages = row.messages;
    to.bytes = row.bytes;
    to.computing = row.computing;
    std::copy(std::begin(row.inside), std::end(row.inside), to.inside);
    std::string_view where = row.where ? row.where : "";
    to.nameLength = name.size();
    to.whereLength = where.size();
    packed.append(reinterpret_cast<const char *>(&to), sizeof to);
    packed += name;
    packed += where;
  }
  return packed;
}

double ProfileTable::Row::waiting() const {
  double sum = 0;
  for (double part : inside)
    sum += part;
  return sum;
}

void ProfileTable::add(std::string_view packed) {
  ++processors;
  double allComputing = 0;
  std::map<Key, std::pair<uint64_t, double>> own; // calls and computing
  while (!packed.empty()) {
    PackedRow from;
    std::memcpy(&from, packed.data(), sizeof from);
    std::string name(packed.substr(sizeof from, from.nameLength));
    packed.remove_prefix(sizeof from + from.nameLength);
    std::string where(packed.substr(0, from.whereLength));
    packed.remove_prefix(from.whereLength);
    Key key(name, from.line, from.kind, where);
    own[key].first += from.calls;
    own[key].second += from.computing;
    allComputing += from.computing;
    Row &row = rows[key];
    row.messages += from.messages;
    row.bytes += from.bytes;
    row.computing += from.computing;
    for (int k = 0; k < OperationParts; ++k)
      row.inside[k] += from.inside[k];
  }
  mostComputing = std::max(mostComputing, allComputing);
  for (const auto &[key, values] : own) {
    Row &row = rows[key];
    row.calls = std::max(row.calls, values.first);
    row.most = std::max(row.most, values.second);
  }
}

/// Those that took longest first.
std::vector<const ProfileTable::Entry *> ProfileTable::sorted() const {
  std::vector<const Entry *> entries;
  for (const Entry &entry : rows)
    entries.push_back(&entry);
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry *a, const Entry *b) {
                     return a->second.seconds() > b->second.seconds();
                   });
  return entries;
}

ProfileTable::Row ProfileTable::total() const {
  Row sum;
  for (const auto &[key, row] : rows) {
    sum.calls += row.calls;
    sum.messages += row.messages;
    sum.bytes += row.bytes;
    sum.computing += row.computing;
    for (int k = 0; k < OperationParts; ++k)
      sum.inside[k] += row.inside[k];
  }
  sum.most = mostComputing;
  return sum;
}

/// How much of the time is spent outside of the runtime, and how much in it.
std::string ProfileTable::shares() const {
  Row all = total();
  auto line = [&](const char *what, double sum) {
    char percent[32] = "-";
    if (all.seconds() > 0)
      std::snprintf(percent, sizeof percent, "%.1f %%",
                    100 * sum / all.seconds());
    return TableLine{what, seconds(sum / processors), percent};
  };
  return inColumns({line("in M-loops and scalar code", all.computing),
                    line("outside of them, in the runtime", all.waiting()),
                    line("together", all.seconds())},
                   1);
}

/// What the four points of transfers took; "" if there are none.
std::string ProfileTable::transferParts() const {
  std::vector<TableLine> lines = {{"transfers", "DR", "SR", "DN", "SV"}};
  for (const Entry *entry : sorted()) {
    const auto &[file, line, kind, where] = entry->first;
    if (kind != OperationKind::Transfer || processors == 1)
      continue;
    lines.push_back({placeOf(file, line)});
    for (double part : entry->second.inside)
      lines.back().push_back(seconds(part / processors));
  }
  return lines.size() == 1 ? "" : "\n" + inColumns(lines, 1);
}

/// "shift in D".
static std::string operationText(OperationKind kind, const std::string &where) {
  std::string what = zrt::text(kind);
  if (!where.empty())
    what += (kind == OperationKind::Redistribution ? " of " : " in ") + where;
  return what;
}

void ProfileTable::fill(report::Run &run) const {
  Row all = total();
  run.processors = processors;
  run.seconds = all.seconds() / processors;
  run.computing = all.computing / processors;
  run.mostComputing = all.most;
  run.messages = all.messages;
  run.bytes = all.bytes;
  for (const Entry *entry : sorted()) {
    const auto &[file, line, kind, where] = entry->first;
    const Row &from = entry->second;
    report::Row row;
    row.file = file;
    row.line = static_cast<uint32_t>(std::max(line, 0));
    row.operation = operationText(kind, where);
    row.activity = activityOf(kind);
    row.calls = from.calls;
    row.messages = from.messages;
    row.bytes = from.bytes;
    row.computing = from.computing / processors;
    row.waiting = from.waiting() / processors;
    row.most = from.most;
    run.rows.push_back(std::move(row));
  }
}

std::string ProfileTable::text(const std::string &title) const {
  std::vector<TableLine> lines = {{"place", "operation", "calls", "messages",
                                   "bytes", "computing", "waiting",
                                   "imbalance"}};
  auto add = [&](const std::string &place, const std::string &what,
                 const Row &row) {
    lines.push_back({place, what, std::to_string(row.calls),
                     std::to_string(row.messages), std::to_string(row.bytes),
                     seconds(row.computing / processors),
                     seconds(row.waiting() / processors),
                     ratio(row.most, row.computing / processors)});
  };
  for (const Entry *entry : sorted()) {
    const auto &[file, line, kind, where] = entry->first;
    add(placeOf(file, line), operationText(kind, where), entry->second);
  }
  add("total", "", total());
  return title + "\n\n" + inColumns(lines, 2) + "\n" + shares() +
         transferParts();
}

} // namespace zrt
