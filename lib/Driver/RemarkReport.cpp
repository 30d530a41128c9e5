//===- RemarkReport.cpp - Remarks in the order of their weight ------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a remark is about weighs, in this order:
//
//  1. the seconds of its line, if a run has told them (--remarks-profile);
//  2. how deep in loops it stands, and what is at stake: messages, passes over
//     memory, operations. An exchange in one loop comes before a loop that was
//     not vectorized in two, for a message takes as long as thousands of
//     operations (docs/Performance.md, "What the compiler decides by");
//  3. whether it was missed, with something to write instead, or done;
//  4. the order of the passes.
//
// In the summary, remarks of one pass with one reason are one line, at the
// place that weighs most:
//
//     mg.z:88:30: remark: missed: not combined with the shift before (line 87):
//     that one is over another region; ... (and 5 more like it) [share-views]
//
// Cost: a sort.
//
//===----------------------------------------------------------------------===//

#include "RemarkReport.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <set>
#include <tuple>

using namespace llvm;

namespace zpl::driver {

struct RemarkReport::Ranked {
  const Remark *remark;
  double seconds;
  unsigned weight;
  unsigned worth; ///< 2: it says what to write instead; 1: missed; 0: done

  std::tuple<double, unsigned, unsigned> key() const {
    return {seconds, weight, worth};
  }
};

namespace {

enum Stake : unsigned { Operations = 1, Memory = 2, Messages = 3 };

Stake stakeOf(StringRef pass) {
  return StringSwitch<Stake>(pass)
      .Cases("insert-transfers", "lift-transfers", "remove-redundant-transfers",
             "hoist-transfers", "combine-transfers", Messages)
      .Cases("share-views", "hide-latency", "split-boundary", "split-combines",
             "split-operators", "join-combines", Messages)
      .Cases("start-carries", "stencil-cse", "carry-neighbours",
             "likely-bounds", "skew-rows", "fetch-rows", "fetch-ahead",
             "vectorize", Operations)
      .Cases("merge-patterns", "inline-scalars", "lane-rows", Operations)
      .Default(Memory);
}

/// Whether the pass says something of each loop, of which start-carries may have
/// made several of one statement.
bool isAboutLoops(StringRef pass) {
  return StringSwitch<bool>(pass)
      .Cases("inline-scalars", "skew-rows", "lane-rows", "stencil-cse",
             "carry-neighbours", "block-loops", "split-boundary",
             "likely-bounds", "strip-loops", "stream-stores", true)
      .Cases("fetch-ahead", "keep-ways", "vectorize", true)
      .Default(false);
}

StringRef passOf(const Remark &remark) {
  return StringRef(remark.pass).split(':').first;
}

unsigned worthOf(const Remark &remark) {
  if (remark.kind == Remark::Applied)
    return 0;
  return StringRef(remark.text).contains("; ") ? 2 : 1;
}

/// What remarks that stand for each other have in common: of a missed one the
/// reason.
std::string groupOf(const Remark &remark) {
  StringRef text = remark.text;
  if (remark.kind == Remark::Missed && text.contains(": "))
    text = text.rsplit(": ").second;
  std::string words;
  while (!text.empty()) { // " (line 12)" tells them apart only
    auto [before, rest] = text.split(" (line ");
    words += before;
    text = rest.split(')').second;
  }
  return (passOf(remark) + (remark.kind == Remark::Missed ? "-" : "+") + words)
      .str();
}

} // namespace

std::vector<RemarkReport::Ranked>
RemarkReport::rank(ArrayRef<Remark> remarks) const {
  std::vector<Ranked> result;
  // A statement may have become several loops, of which the same is said.
  std::set<std::tuple<unsigned, unsigned, std::string, std::string>> told;
  for (const Remark &remark : remarks) {
    if (remark.range.isValid() && isAboutLoops(passOf(remark)) &&
        !told.insert({remark.range.file, remark.range.begin, remark.pass,
                      remark.text})
             .second)
      continue;
    unsigned depth = depths ? depths->of(remark.range) : 0;
    double seconds = 0;
    if (profile && remark.range.isValid())
      seconds = profile->secondsAt(sources.name(remark.range.file),
                                   sources.lineColumn(remark.range).line);
    unsigned weight =
        2 * depth + (depth ? unsigned(stakeOf(passOf(remark))) : 0);
    result.push_back({&remark, seconds, weight, worthOf(remark)});
  }
  stable_sort(result, [](const Ranked &a, const Ranked &b) {
    return a.key() > b.key();
  });
  return result;
}

std::vector<const Remark *>
RemarkReport::ordered(ArrayRef<Remark> remarks) const {
  std::vector<const Remark *> result;
  for (const Ranked &ranked : rank(remarks))
    result.push_back(ranked.remark);
  return result;
}

void RemarkReport::print(ArrayRef<Remark> remarks, raw_ostream &os) const {
  for (const Remark *remark : ordered(remarks))
    zpl::print(*remark, sources, os);
}

void RemarkReport::printSummary(ArrayRef<Remark> remarks,
                                raw_ostream &os) const {
  std::vector<Ranked> ranked = rank(remarks);
  stable_sort(ranked, [](const Ranked &a, const Ranked &b) {
    return (a.worth > 0) > (b.worth > 0);
  });
  std::map<std::string, unsigned> counts;
  std::vector<const Ranked *> heads;
  for (const Ranked &each : ranked)
    if (counts[groupOf(*each.remark)]++ == 0)
      heads.push_back(&each);
  unsigned told = 0, lines = MostLines - (heads.size() > MostLines);
  for (const Ranked *head : ArrayRef(heads).take_front(lines)) {
    Remark line = *head->remark;
    unsigned count = counts[groupOf(line)];
    told += count;
    if (count > 1)
      line.text += formatv(" (and {0} more like it)", count - 1);
    if (head->seconds > 0)
      line.text += formatv(" ({0:f3} s)", head->seconds);
    zpl::print(line, sources, os);
  }
  if (told < ranked.size())
    os << "remark: " << ranked.size() - told
       << " more; --remarks shows all of them\n";
}

} // namespace zpl::driver
