//===- Summary.cpp - What the reader wants first --------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of a run: how long, how much of it is communication, how much is sent, how
// even the work is; then the lines that took most, and what the compiler
// missed. Of a program that has not run: what communicates, what is left of it,
// what was vectorized and missed.
//
// Reasons that differ by a line number only are one, with how often they hold.
//
//===----------------------------------------------------------------------===//

#include "Report/Html.h"
#include "Report/View.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace zrt::report {

static constexpr size_t MostRows = 8;

static std::string tile(const std::string &title, const std::string &value,
                        const std::string &about) {
  return "<div class=tile><span>" + title + "</span><strong>" + value +
         "</strong><small>" + about + "</small></div>";
}

static double waitingIn(const Run &run, Activity activity) {
  double sum = 0;
  for (const Row &row : run.rows)
    if (row.activity == activity)
      sum += row.waiting;
  return sum;
}

static std::string runTiles(const Run &run) {
  double talking = waitingIn(run, Activity::Neighbours) +
                   waitingIn(run, Activity::Collectives) +
                   waitingIn(run, Activity::Motion);
  char imbalance[32] = "-";
  if (run.computing > 0)
    std::snprintf(imbalance, sizeof imbalance, "%.2f",
                  run.mostComputing / run.computing);
  return tile(run.isSimulated ? "Predicted time" : "Time",
              secondsText(run.seconds), escaped(run.title)) +
         tile("Communication", percentText(talking, run.seconds),
              secondsText(talking) + " sending and waiting") +
         tile("Messages", countText(run.messages),
              bytesText(run.bytes) + " in all") +
         tile("Imbalance", imbalance,
              "the slowest processor's computing over the mean");
}

static std::string sharesBar(const Run &run) {
  double parts[Activities];
  for (int k = 0; k < Activities; ++k)
    parts[k] = waitingIn(run, static_cast<Activity>(k));
  parts[0] = run.computing;
  std::string bar, legend;
  for (int k = 0; k < Activities; ++k) {
    if (!(parts[k] > 0))
      continue;
    auto activity = static_cast<Activity>(k);
    std::string share = percentText(parts[k], run.seconds);
    bar += std::string("<i class=") + styleOf(activity) +
           " style=\"width:" + coordinate(100 * parts[k] / run.seconds) +
           "%\" title=\"" + nameOf(activity) + ", " + share + "\"></i>";
    legend += std::string("<span><b class=\"dot ") + styleOf(activity) +
              "\"></b>" + nameOf(activity) + " <em>" + share + ", " +
              secondsText(parts[k]) + "</em></span>";
  }
  return "<div class=shares>" + bar + "</div><p class=legend>" + legend +
         "</p>";
}

static bool isExchange(const Remaining &each) {
  return each.kind == "transfer" || each.kind == "shift" || each.kind == "wave";
}

static std::string programTiles(const View &view) {
  const Facts &facts = view.facts;
  std::set<std::pair<uint32_t, uint32_t>> left;
  size_t operators = facts.communications.size(), shifts = 0;
  for (const Communication &each : facts.communications)
    shifts += each.partners == Partners::Neighbours;
  for (const Remaining &each : facts.remaining)
    if (isExchange(each))
      left.insert({each.place.file, each.place.line});
  unsigned vectorized[2] = {}, missed = 0, advised = 0;
  for (const Decision &each : facts.decisions) {
    if (each.pass == "vectorize")
      ++vectorized[each.isMissed];
    missed += each.isMissed;
    advised += each.isMissed && each.text.find("; ") != std::string::npos;
  }
  return tile("Statements that communicate", countText(view.statements.size()),
              counted(operators, "operator")) +
         tile("Lines with exchanges left", countText(left.size()),
              "of " + counted(shifts, "shift") + " in the source") +
         tile("Loops vectorized",
              countText(vectorized[0]) + " of " +
                  countText(vectorized[0] + vectorized[1]),
              vectorized[1] == 0 ? "all there are"
                                 : countText(vectorized[1]) + " run index by "
                                                              "index") +
         tile("Missed", countText(missed),
              countText(advised) + " say what to write instead");
}

static std::string listItem(const View &view, Place place,
                            const std::string &value, const std::string &text) {
  return "<li><span>" + linkTo(view, place) + "</span><em>" + value +
         "</em><code>" + text + "</code></li>";
}

/// What most of a line's time is.
static const char *mostOf(const LineFacts &line) {
  if (line.computing >= line.waiting)
    return styleOf(Activity::Computing);
  const Row *most = *std::max_element(
      line.rows.begin(), line.rows.end(),
      [](const Row *a, const Row *b) { return a->waiting < b->waiting; });
  return styleOf(most->activity);
}

/// The lines that took most.
static std::string topLines(const View &view) {
  constexpr double LeastShare = 0.001;
  std::vector<std::pair<double, Place>> top;
  for (const auto &[place, line] : view.lines)
    if (line.seconds() > LeastShare * view.run->seconds)
      top.push_back({line.seconds(), {place.first, place.second}});
  std::stable_sort(top.begin(), top.end(), [](const auto &a, const auto &b) {
    return a.first > b.first;
  });
  if (top.size() > MostRows)
    top.resize(MostRows);
  std::string html;
  for (const auto &[seconds, place] : top)
    html += listItem(view, place,
                     std::string("<b class=\"dot ") +
                         mostOf(*view.at(place.file, place.line)) + "\"></b>" +
                         percentText(seconds, view.run->seconds),
                     escaped(view.lineText(place)));
  return html.empty() ? ""
                      : "<div class=card><h3>Where the time goes</h3><ol "
                        "class=top>" +
                            html + "</ol></div>";
}

/// The statements that communicate in the deepest loops, and with most
/// partners.
static std::string communicatingLines(const View &view) {
  using Key = std::tuple<uint32_t, Partners, size_t>;
  std::vector<std::pair<Key, Place>> statements;
  for (const auto &[place, all] : view.statements) {
    Key key(0, Partners::Neighbours, all.size());
    for (const Communication *each : all)
      key = {std::max(std::get<0>(key), each->depth),
             std::max(std::get<1>(key), each->partners), all.size()};
    statements.push_back({key, {place.first, place.second}});
  }
  std::stable_sort(
      statements.begin(), statements.end(),
      [](const auto &a, const auto &b) { return a.first > b.first; });
  std::string html;
  for (size_t k = 0; k < std::min(statements.size(), MostRows); ++k) {
    const auto &[key, place] = statements[k];
    const auto &[depth, partners, count] = key;
    std::string loops = depth == 0 ? "once" : "in " + counted(depth, "loop");
    html += listItem(view, place,
                     std::string("<b class=\"dot ") + styleOf(partners) +
                         "\"></b>" + loops,
                     escaped(view.lineText(place)));
  }
  return html.empty() ? ""
                      : "<div class=card><h3>What communicates most</h3><ol "
                        "class=top>" +
                            html + "</ol></div>";
}

/// The reason of \p decision without " (line 12)".
static std::string reasonOf(const Decision &decision) {
  std::string text = decision.text;
  for (size_t at = text.find(" (line "); at != text.npos;
       at = text.find(" (line ", at)) {
    size_t end = text.find(')', at);
    text.erase(at, end == text.npos ? end : end + 1 - at);
  }
  return text;
}

namespace {
/// What was missed for one reason.
struct Reason {
  const Decision *first;
  std::set<uint32_t> lines;
  double seconds; ///< of the line with most of them; `first` is there

  bool isAdvice() const { return first->text.find("; ") != std::string::npos; }
};
} // namespace

/// Those of the lines that took most first, then those with an advice.
static std::vector<Reason> missedReasons(const View &view) {
  std::vector<Reason> reasons;
  for (const Decision &decision : view.facts.decisions) {
    if (!decision.isMissed)
      continue;
    auto same = std::find_if(reasons.begin(), reasons.end(), [&](auto &reason) {
      return reason.first->pass == decision.pass &&
             reasonOf(*reason.first) == reasonOf(decision);
    });
    double seconds = view.secondsAt(decision.place);
    if (same == reasons.end())
      same = reasons.insert(reasons.end(), {&decision, {}, seconds});
    same->lines.insert(decision.place.line);
    if (seconds > same->seconds) {
      same->first = &decision;
      same->seconds = seconds;
    }
  }
  std::stable_sort(reasons.begin(), reasons.end(),
                   [](const Reason &a, const Reason &b) {
                     return std::pair(a.seconds, a.isAdvice()) >
                            std::pair(b.seconds, b.isAdvice());
                   });
  return reasons;
}

static std::string missedList(const View &view) {
  std::vector<Reason> reasons = missedReasons(view);
  constexpr size_t MostReasons = 6;
  std::string html;
  for (size_t k = 0; k < std::min(reasons.size(), MostReasons); ++k) {
    const Reason &reason = reasons[k];
    std::string more;
    if (reason.lines.size() > 1)
      more +=
          " <em>and " + counted(reason.lines.size() - 1, "line") + " more</em>";
    if (view.run && reason.seconds > 0)
      more += " <em>" + percentText(reason.seconds, view.run->seconds) +
              " of the time</em>";
    html += "<li><span>" + linkTo(view, reason.first->place) + more +
            "</span><p>" + escaped(reasonOf(*reason.first)) + "</p></li>";
  }
  if (reasons.size() > MostReasons)
    html += "<li><a href=\"#decisions\">" +
            counted(reasons.size() - MostReasons, "reason") + " more</a></li>";
  return html.empty() ? ""
                      : "<div class=card><h3>What was missed</h3><ul "
                        "class=missed>" +
                            html + "</ul></div>";
}

std::string summaryPart(const View &view) {
  std::string html = "<section id=summary><div class=tiles>" +
                     (view.run ? runTiles(*view.run) : programTiles(view)) +
                     "</div>";
  if (view.run && view.run->seconds > 0)
    html += sharesBar(*view.run);
  if (view.run && !view.run->about.empty())
    html += "<p class=note>" + escaped(view.run->about) + "</p>";
  return html + "<div class=cards>" +
         (view.run ? topLines(view) : communicatingLines(view)) +
         missedList(view) + "</div></section>";
}

} // namespace zrt::report
