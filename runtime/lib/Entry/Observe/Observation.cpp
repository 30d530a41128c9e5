//===- Observation.cpp - What a run tells of itself -----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `./jacobi -p2 --profile --trace=t.json` goes so:
//
//   start    processor 0 opens t.json and tells the others whether it could;
//            clocks of other machines are measured; observers are added
//   ...      every operation is counted and timed
//   finish   processor 0 gets the rows of the others and prints the table; then
//            it gets their tracks as text, in pieces of some 4096 operations,
//            and writes them one behind the other
//
// A run that ends by halt goes through finish as well. After an error the
// processors are wherever they are: the one that has reported it writes its own
// table and track, which say whose they are.
//
//===----------------------------------------------------------------------===//

#include "Entry/Observe/Observation.h"

#include "Collective/Collective.h"
#include "Entry/Observe/ClockOffset.h"
#include "Entry/Observe/ProfileTable.h"
#include "Entry/Observe/TextMessages.h"
#include "Report/Page.h"
#include "Support/Error.h"
#include "Transport/sim/SimTransport.h"

#include <unistd.h>

namespace zrt {

/// So many operations of a track are one message.
static constexpr size_t EventsPerMessage = 4096;

/// On processor 0; returns what is wrong, or "". A page that is not there yet
/// is made at the end: a run that an error ends shall not leave an empty one.
std::string Observation::openFiles(const CommandLine &options) {
  struct Wanted {
    ReportFile &file;
    const char *option;
    const std::string &path;
  };
  const Wanted all[] = {{profileFile, "--profile", options.profileFile},
                        {traceFile, "--trace", options.traceFile},
                        {reportFile, "--report", options.reportFile}};
  std::string error;
  for (const Wanted &each : all) {
    if (each.path.empty() || !error.empty() ||
        !each.file.open(each.path, error))
      continue;
    for (const Wanted *other = all; &other->file != &each.file; ++other)
      if (other->file.isSame(each.file))
        error = std::string(other->option) + " and " + each.option +
                " name the same file, '" + each.path + "'";
  }
  if (!error.empty())
    for (const Wanted &each : all)
      each.file.discard();
  else if (reportFile.isMade())
    reportFile.discard();
  return error;
}

void Observation::start(Transport &running, const zrt_program &program,
                        const CommandLine &options, const std::string &title) {
  if (options.checkReplication && running.size() > 1)
    addOperationObserver(&check.emplace(running, program));
  bool wantsReport = !options.reportFile.empty();
  if (!options.profile && options.traceFile.empty() && !wantsReport)
    return;
  transport = &running;
  name = title;
  programName = program.name;
  tracePath = options.traceFile;
  reportPath = options.reportFile;
  printsProfile = options.profile;
  std::string error = running.rank() == 0 ? openFiles(options) : "";
  char failed = !error.empty();
  broadcast(running, &failed, sizeof failed);
  if (failed) // only processor 0 speaks, which knows why
    usageError("%s", error.c_str());
  if (!options.traceFile.empty() || wantsReport) {
    int64_t ahead = measureClockOffset(running, machineIdentity(), traceClock);
    int64_t now = traceClock();
    broadcast(running, &now, sizeof now);
    origin = now + ahead;
  }
  if (options.profile || wantsReport)
    addOperationObserver(&profile.emplace(running));
  if (!options.traceFile.empty())
    addOperationObserver(&trace.emplace(running));
  if (wantsReport)
    addOperationObserver(&report.emplace(running, origin).observer());
}

/// "2 processors, transport shm".
std::string Observation::size() const {
  int count = transport->size();
  return std::to_string(count) + (count == 1 ? " processor" : " processors") +
         ", transport " + transport->name();
}

std::string Observation::title() const {
  return "profile of " + name + ": " + size();
}

/// To the file, or to standard error. What cannot be written there is lost: the
/// run itself is good.
void Observation::writeProfile(std::string_view text) {
  if (profileFile.isOpen())
    return profileFile.write(text);
  while (!text.empty()) {
    ssize_t n = write(STDERR_FILENO, text.data(), text.size());
    if (n <= 0)
      return;
    text.remove_prefix(static_cast<size_t>(n));
  }
}

void Observation::gatherProfile(ProfileTable &table) {
  std::string packed = packProfile(profile->rows());
  if (transport->rank() != 0)
    return sendText(*transport, 0, packed);
  table.add(packed);
  for (int other = 1; other < transport->size(); ++other)
    table.add(receiveText(*transport, other));
  if (printsProfile)
    writeProfile(table.text(title()) +
                 (ways.empty() ? "" : "\nways of loops\n" + ways) +
                 sim::simulationSummary());
}

void Observation::gatherReport(const ProfileTable &table) {
  report::Run run;
  report->gather(run);
  if (transport->rank() != 0)
    return;
  run.title = size();
  run.command = commandOfRun();
  run.about = sim::simulationSummary();
  run.isSimulated = !run.about.empty();
  table.fill(run);
  std::string error;
  if (!reportFile.isOpen() && !reportFile.open(reportPath, error))
    fatal(nullptr, ErrorScope::Local, "%s", error.c_str());
  reportFile.write(report::page(factsOfProgram(programName, run), &run));
}

void Observation::sendTrack() {
  int self = transport->rank();
  for (size_t k = 0; k < trace->size(); k += EventsPerMessage)
    sendText(*transport, 0,
             trace->text(self, k, std::min(k + EventsPerMessage, trace->size()),
                         origin));
  sendText(*transport, 0, "");
}

void Observation::receiveTrack(int from) {
  traceFile.write(Trace::header(from));
  while (true) {
    std::string text = receiveText(*transport, from);
    if (text.empty())
      return;
    traceFile.write(text);
  }
}

/// Writes this processor's own track.
void Observation::writeTrack() {
  int self = transport->rank();
  traceFile.write(Trace::header(self));
  for (size_t k = 0; k < trace->size(); k += EventsPerMessage)
    traceFile.write(trace->text(
        self, k, std::min(k + EventsPerMessage, trace->size()), origin));
}

void Observation::gatherTrace() {
  if (transport->rank() != 0)
    return sendTrack();
  traceFile.write(traceStart());
  writeTrack();
  for (int other = 1; other < transport->size(); ++other)
    receiveTrack(other);
  traceFile.write(traceEnd(name));
}

void Observation::closeFiles() {
  std::string error;
  for (ReportFile *file : {&profileFile, &traceFile, &reportFile})
    if (file->isOpen() && !file->close(error))
      fatal(nullptr, ErrorScope::Local, "%s", error.c_str());
}

void Observation::finish() {
  dropOperationObservers();
  if (!transport)
    return;
  sim::noteSimulatedEnd();
  if (report)
    report->stop();
  ProfileTable table;
  if (profile)
    gatherProfile(table);
  if (trace)
    gatherTrace();
  if (report)
    gatherReport(table);
  Transport &running = *transport;
  transport = nullptr; // an error from here on finds all written
  closeFiles();
  barrier(running); // nobody ends the run before it is written
}

void Observation::finishAlone() {
  dropOperationObservers();
  if (!transport)
    return;
  int self = transport->rank();
  if (printsProfile) {
    ProfileTable table;
    table.add(packProfile(profile->rows()));
    writeProfile(table.text(title() + ", processor " + std::to_string(self) +
                            " alone up to the error"));
  }
  std::string error;
  if (trace && (self == 0 || traceFile.open(tracePath, error))) {
    traceFile.write(traceStart());
    writeTrack();
    traceFile.write(traceEnd(name));
  }
  transport = nullptr;
}

} // namespace zrt
