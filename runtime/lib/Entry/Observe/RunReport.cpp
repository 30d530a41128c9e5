//===- RunReport.cpp - The page about a run -------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `./heat -p4 --report=run.html` watches the run as --profile does, and besides
// keeps a time line on each processor and the bytes that it sends to each other
// one. At the end all goes to processor 0, which has
//
//     the facts   of the compiler, in the section zpl_report of the program
//     the rows    of the profile
//     the tracks  of up to 64 processors, evenly chosen
//     the matrix  of bytes
//
// and writes the page (runtime/lib/Report). A program without the section says
// by the names of files in its rows where its source was.
//
//===----------------------------------------------------------------------===//

#include "Entry/Observe/RunReport.h"

#include "Entry/Observe/TextMessages.h"
#include "Report/Facts.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <sys/stat.h>

// The ends of the section, if there is one.
extern "C" {
[[gnu::weak, gnu::visibility("hidden")]] extern const char __start_zpl_report[];
[[gnu::weak, gnu::visibility("hidden")]] extern const char __stop_zpl_report[];
}

namespace zrt {

using report::Facts;
using report::Run;

RunReport::RunReport(Transport &transport, int64_t origin)
    : transport(transport), timeline(origin) {
  if (transport.size() > MostMatrix)
    return;
  sent.resize(static_cast<size_t>(transport.size()));
  transport.countPartners(sent.data());
}

void RunReport::stop() { transport.countPartners(nullptr); }

void RunReport::gather(Run &run) {
  gatherTracks(run);
  gatherBytes(run);
}

/// The processors that have lanes: all, or some at equal distances.
static std::vector<int> withLanes(int size) {
  std::vector<int> chosen;
  int count = std::min(size, RunReport::MostLanes);
  for (int k = 0; k < count; ++k)
    chosen.push_back(static_cast<int>(int64_t(k) * size / count));
  return chosen;
}

void RunReport::gatherTracks(Run &run) {
  int self = transport.rank();
  std::vector<int> chosen = withLanes(transport.size());
  if (self != 0) {
    if (std::binary_search(chosen.begin(), chosen.end(), self))
      sendText(transport, 0, packTrack(timeline.track(self)));
    return;
  }
  for (int processor : chosen)
    run.tracks.push_back(processor == 0
                             ? timeline.track(0)
                             : unpackTrack(receiveText(transport, processor)));
  for (size_t k = 0; k < chosen.size(); ++k)
    run.tracks[k].processor = chosen[k];
  constexpr size_t AllSteps = 3200, LeastSteps = 48, MostSteps = 400;
  alignTracks(run.tracks,
              std::clamp(AllSteps / chosen.size(), LeastSteps, MostSteps));
}

void RunReport::gatherBytes(Run &run) {
  if (sent.empty())
    return;
  size_t bytes = sent.size() * sizeof sent[0];
  if (transport.rank() != 0)
    return transport.send(0, sent.data(), bytes);
  run.sent = sent;
  run.sent.resize(sent.size() * sent.size());
  for (int other = 1; other < transport.size(); ++other)
    transport.receive(other, run.sent.data() + size_t(other) * sent.size(),
                      bytes);
}

/// The text of a file, if it is what the program was compiled from.
static report::Source sourceOf(const std::string &name) {
  report::Source source{name, "", ""};
  struct stat program, text;
  std::ifstream file(name, std::ios::binary);
  if (!file || stat(name.c_str(), &text) != 0 || !S_ISREG(text.st_mode))
    source.note = "The source is not where the program was compiled.";
  else if (stat("/proc/self/exe", &program) == 0 &&
           text.st_mtime > program.st_mtime)
    source.note = "The source has changed since the program was compiled.";
  else
    source.text.assign(std::istreambuf_iterator<char>(file), {});
  return source;
}

Facts factsOfProgram(const std::string &program, const Run &run) {
  Facts facts;
  if (__start_zpl_report) {
    std::string_view packed(
        __start_zpl_report,
        static_cast<size_t>(__stop_zpl_report - __start_zpl_report));
    if (report::unpackFacts(packed, facts))
      return facts;
    facts = Facts();
  }
  facts.program = program;
  facts.options = "compiled without -fembed-report: decisions and formulas are "
                  "not known";
  std::set<std::string> names;
  for (const report::Row &row : run.rows)
    if (row.line != 0 && names.insert(row.file).second)
      facts.sources.push_back(sourceOf(row.file));
  return facts;
}

std::string commandOfRun() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), {});
  while (text.ends_with('\0'))
    text.pop_back();
  std::replace(text.begin(), text.end(), '\0', ' ');
  return text.substr(text.substr(0, text.find(' ')).rfind('/') + 1);
}

} // namespace zrt
