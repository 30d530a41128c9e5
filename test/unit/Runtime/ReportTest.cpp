//===- ReportTest.cpp - Pages of reports ----------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What goes into pages: any bytes become text of HTML, facts come back from the
// bytes that programs carry, and broken ones are refused.
//
//===----------------------------------------------------------------------===//

#include "Entry/Observe/Timeline.h"
#include "Entry/Observe/Trace.h"
#include "Report/Facts.h"
#include "Report/Html.h"
#include "Report/Page.h"
#include "Support/Clock.h"

#include "gtest/gtest.h"

using namespace zrt::report;

TEST(Html, MarkupIsEscaped) {
  EXPECT_EQ(escaped("<script> & \"x\""), "&lt;script&gt; &amp; &quot;x&quot;");
  EXPECT_EQ(sentence("`A<B`: <i>"), "<code>A&lt;B</code>: &lt;i&gt;");
  EXPECT_EQ(sentence("an `open one"), "an `open one");
}

TEST(Html, WhatIsNoUtf8BecomesOneReplacementCharacterAByte) {
  const std::string bad = "\xEF\xBF\xBD";
  EXPECT_EQ(escaped("gr\xC3\xBC\xC3\x9F"), "gr\xC3\xBC\xC3\x9F");
  EXPECT_EQ(escaped("gr\xFC"), "gr" + bad);
  EXPECT_EQ(escaped("\xC0\xAF"), bad + bad);                     // overlong
  EXPECT_EQ(escaped("\xED\xA0\x80"), bad + bad + bad);           // half a pair
  EXPECT_EQ(escaped("\xF4\x90\x80\x80"), bad + bad + bad + bad); // too large
  EXPECT_EQ(escaped("\xE2\x82"), bad + bad);                     // cut off
  EXPECT_EQ(escaped(std::string_view("a\0\x1B\tb", 5)),
            "a" + bad + bad + "\tb");
}

TEST(Html, NumbersHaveThreeDigitsAndUnits) {
  EXPECT_EQ(secondsText(0), "0 s");
  EXPECT_EQ(secondsText(1.239), "1.24 s");
  EXPECT_EQ(secondsText(0.0123), "12.3 ms");
  EXPECT_EQ(secondsText(4.5e-6), "4.50 \xC2\xB5s");
  EXPECT_EQ(bytesText(999), "999 B");
  EXPECT_EQ(bytesText(33760), "33.8 kB");
  EXPECT_EQ(bytesText(UINT64_MAX), "18447 PB");
  EXPECT_EQ(countText(1234567), "1,234,567");
  EXPECT_EQ(countText(100), "100");
  EXPECT_EQ(percentText(1, 0), "0 %");
  EXPECT_EQ(percentText(1, 3), "33 %");
  EXPECT_EQ(percentText(1, 9999), "&lt;0.1 %");
  EXPECT_EQ(counted(1, "call"), "1 call");
}

static Facts someFacts() {
  Facts facts;
  facts.program = "p";
  facts.compiler = "zplc";
  facts.sources = {{"p.z", "program p;\n12 34\n", ""}, {"q.z", "", "gone"}};
  facts.procedures = {{{0, 1}, "p"}};
  facts.communications = {
      {{0, 2}, "@", "1 message", "a `text`", Partners::Wave, "-0+", 2, 3}};
  facts.decisions = {{{0, 1}, 7, true, "fuse-loops", "why", 2}};
  facts.remaining = {{{0, 2}, "transfer", "`n` messages"}};
  facts.passes = {{"fuse-loops", "fuses"}};
  return facts;
}

TEST(Facts, ComeBackAsTheyWere) {
  Facts back;
  std::string packed = packFacts(someFacts());
  ASSERT_TRUE(unpackFacts(packed, back));
  EXPECT_EQ(packFacts(back), packed);
  EXPECT_EQ(back.sources[0].text, "program p;\n12 34\n");
  EXPECT_EQ(back.communications[0].partners, Partners::Wave);
  EXPECT_EQ(back.communications[0].depth, 3u);
  EXPECT_TRUE(back.decisions[0].isMissed);
  EXPECT_EQ(back.passes[0].summary, "fuses");
}

TEST(Facts, CutOffOrChangedOnesAreRefused) {
  std::string packed = packFacts(someFacts());
  for (size_t size = 0; size < packed.size(); ++size) {
    Facts back;
    EXPECT_FALSE(unpackFacts(packed.substr(0, size), back)) << size;
  }
  Facts back;
  EXPECT_FALSE(unpackFacts("zpl-report 2\n" + packed, back));
  EXPECT_FALSE(unpackFacts("zpl-report 2\n99999999999999999999 p", back));
  EXPECT_FALSE(unpackFacts("zpl-report 2\n-1 p", back));
}

TEST(Page, HasNoPlaceForMarkupOfPrograms) {
  Facts facts = someFacts();
  const std::string evil = "</script><img src=x onerror=alert(1)>\"'";
  facts.program = facts.options = facts.machine = evil;
  facts.sources[0] = {evil, evil + "\n" + evil + "\n", ""};
  facts.sources[1].note = evil;
  facts.communications[0].mark = facts.communications[0].messages =
      facts.communications[0].text = evil;
  facts.decisions[0].text = facts.decisions[0].pass = evil;
  facts.passes = {{evil, evil}};
  facts.remaining[0].kind = facts.remaining[0].text = evil;
  zrt::report::Run run;
  run.title = run.about = evil;
  Row row;
  row.file = row.operation = evil;
  row.line = 1;
  row.waiting = run.seconds = 1;
  run.rows = {row};
  EXPECT_EQ(page(facts, &run).find("<img"), std::string::npos);
  EXPECT_EQ(page(facts, nullptr).find("<img"), std::string::npos);
  EXPECT_NE(page(facts, &run).find("&lt;img"), std::string::npos);
}

/// The sum of all steps of an activity.
static double sumOf(const Track &track, Activity activity) {
  double sum = 0;
  for (const auto &step : track.steps)
    sum += step[static_cast<int>(activity)];
  return sum;
}

TEST(Timeline, KeepsAllTimeInAFewSteps) {
  zrt::Timeline line(zrt::traceClock());
  constexpr double Long = 1000;
  double time = 0;
  for (double piece = 1e-7; time < Long; piece *= 1.01) {
    line.add(Activity::Computing, time, time + piece);
    line.add(Activity::Files, time + piece, time + 2 * piece);
    time += 2 * piece;
  }
  Track track = line.track(3);
  EXPECT_EQ(track.processor, 3);
  EXPECT_LE(track.steps.size(), zrt::Timeline::MostSteps);
  EXPECT_GE(track.steps.size(), zrt::Timeline::MostSteps / 2);
  EXPECT_GE(track.step * double(track.steps.size()), time);
  EXPECT_NEAR(sumOf(track, Activity::Computing), time / 2, time * 1e-5);
  EXPECT_NEAR(sumOf(track, Activity::Files), time / 2, time * 1e-5);
  for (const auto &step : track.steps)
    EXPECT_LE(step[0] + step[4], track.step * 1.0001);
}

TEST(Timeline, TracksComeTogetherAtOneStep) {
  Track first = {0, 0.5, {{1, 2}, {3, 4}, {5, 6}}, {}};
  Track second = {1, 2, {{7, 8}}, {}};
  second.spans = {{1, 2, Activity::Files, "file"},
                  {3, 4, Activity::Motion, ""}};
  std::vector<Track> tracks = {zrt::unpackTrack(zrt::packTrack(first)),
                               zrt::unpackTrack(zrt::packTrack(second))};
  zrt::alignTracks(tracks, 100);
  EXPECT_EQ(tracks[0].step, 2);
  EXPECT_EQ(tracks[1].step, 2);
  ASSERT_EQ(tracks[0].steps.size(), 1u);
  EXPECT_EQ(tracks[0].steps[0][0], 9);
  EXPECT_EQ(tracks[0].steps[0][1], 12);
  EXPECT_EQ(tracks[1].steps[0][0], 7);
  ASSERT_EQ(tracks[1].spans.size(), 2u);
  EXPECT_EQ(tracks[1].spans[0].name, "file");
  EXPECT_EQ(tracks[1].spans[0].activity, Activity::Files);
  EXPECT_EQ(tracks[1].spans[1].from, 3);
  tracks[0] = {0, 2, std::vector<std::array<float, Activities>>(64), {}};
  zrt::alignTracks(tracks, 16);
  EXPECT_EQ(tracks[0].steps.size(), 16u);
  EXPECT_EQ(tracks[1].step, tracks[0].step);
}

TEST(Timeline, KeepsTheOperationsOfAShortRunWhateverTheLastOneTakes) {
  zrt::Timeline line(zrt::traceClock());
  zrt::Operation operation{zrt::OperationKind::Transfer};
  size_t counted = 0;
  for (int k = 0; k < 50; ++k) {
    double before = zrt::machineSeconds();
    line.begin(operation);
    while (zrt::machineSeconds() - before < 1e-5)
      ++counted;
    line.end(operation);
  }
  operation.kind = zrt::OperationKind::End;
  line.begin(operation);
  double before = zrt::machineSeconds();
  while (zrt::machineSeconds() - before < 0.02)
    ++counted;
  line.end(operation);
  Track track = line.track(0);
  EXPECT_GT(counted, 0u);
  ASSERT_EQ(track.spans.size(), 51u);
  EXPECT_EQ(track.spans[0].name, "transfer");
  EXPECT_EQ(track.spans[50].name, "end");
  EXPECT_GE(track.spans[50].to - track.spans[50].from, 0.019);
}
