//===- Tuning.cpp - Ways that the run chooses among -----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
///     ./jacobi --tune=run --tune-file=jacobi.tune
///
/// Each M-loop with several ways has a table in the program: by the size of the
/// part the way that it takes, or that it asks here. Programs read the table
/// themselves, so what is settled costs nothing here.
///
///     off      way 0 everywhere
///     models   what the file says was the fastest; else way 0
///     run      the same; what the file does not say is asked, and tried
///     force:K  way K, for tests
///
/// Ways differ in how a processor goes through its own elements. None sends
/// anything, waits, or changes what the loop sends, so processors may take
/// different ways of one loop, and one that has no part of it takes none. What
/// they do together they do at two points that all of them reach: at the start,
/// when processor 0 has read the file, and at the end, when it gathers what was
/// measured. In the file the slowest processor's times count, since the others
/// wait for it; so from a file all processors take the same ways.
///
/// The file is written beside its name and renamed, so that one which is
/// interrupted leaves the old one.
///
//===----------------------------------------------------------------------===//

#include "Entry/Tune/Tuning.h"

#include "Collective/Collective.h"
#include "Entry/Observe/TextMessages.h"
#include "Entry/Tune/MachineName.h"
#include "Support/Error.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <unistd.h>

using namespace zrt;

/// Seconds of processor time: what others do on the processor in the middle of
/// an execution says nothing of its way.
static double processorSeconds() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

void Tuning::warn(const std::string &text) const {
  if (transport->rank() == 0)
    printWarning(nullptr, "%s", text.c_str());
}

void Tuning::start(Transport &all, const zrt_program &itsProgram,
                   const CommandLine &options, bool isSimulated) {
  transport = &all;
  program = &itsProgram;
  bool isAsked = options.tuning != ZRT_TUNING_NONE || !options.tuneFile.empty();
  if (program->way_count == 0) {
    if (isAsked)
      warn("no loop of this program has several ways; compile it with "
           "zplc --tune=run");
    transport = nullptr;
    return;
  }
  mode = options.tuning != ZRT_TUNING_NONE ? options.tuning : program->tuning;
  forced = options.forcedWay;
  file = options.tuneFile;
  machine = machineName();
  if (isSimulated && mode == ZRT_TUNING_RUN)
    mode = ZRT_TUNING_MODELS;
  std::vector<uint8_t> table = firstWays(mode != ZRT_TUNING_OFF);
  broadcast(*transport, table.data(), table.size());
  for (int64_t k = 0; k < program->way_count; ++k)
    std::copy_n(table.begin() + k * ZRT_SIZE_CLASSES, ZRT_SIZE_CLASSES,
                program->ways[k]->settled);
}

/// The tables of all loops, one after the other.
std::vector<uint8_t> Tuning::firstWays(bool mayRead) {
  std::vector<uint8_t> table;
  for (int64_t k = 0; k < program->way_count; ++k) {
    int64_t most = program->ways[k]->count - 1;
    uint8_t first = mode == ZRT_TUNING_RUN
                        ? uint8_t(ZRT_WAY_ASKED)
                        : static_cast<uint8_t>(std::min<int64_t>(forced, most));
    table.insert(table.end(), ZRT_SIZE_CLASSES, first);
  }
  savesFile = mode == ZRT_TUNING_RUN && !file.empty();
  if (!mayRead || file.empty() || transport->rank() != 0)
    return table;
  if (!readFile()) {
    savesFile = false;
    return table;
  }
  for (const auto &[at, seconds] : known)
    if (at.processors == transport->size())
      table[static_cast<size_t>(at.loop * ZRT_SIZE_CLASSES + at.size)] =
          static_cast<uint8_t>(bestWay(seconds));
  return table;
}

/// On processor 0. False, after a warning, if the file is there but is none of
/// this program, or cannot be read.
bool Tuning::readFile() {
  std::ifstream stream(file);
  if (!stream.is_open()) {
    if (errno == ENOENT && mode == ZRT_TUNING_RUN)
      return true;
    warn("cannot read '" + file + "': " + std::strerror(errno));
    return false;
  }
  std::string text((std::istreambuf_iterator<char>(stream)),
                   std::istreambuf_iterator<char>());
  std::string error;
  if (stream.bad())
    error = std::strerror(errno);
  else if (readTuneText(text, *program, machine, known, error))
    return true;
  warn("'" + file + "' is not used, and left as it is: " + error);
  return false;
}

int Tuning::way(zrt_ways &ways, int size) {
  if (!transport) { // before the program has begun
    running = nullptr;
    return 0;
  }
  runningLoop = {&ways, size};
  running = &trials.try_emplace(runningLoop, static_cast<int>(ways.count))
                 .first->second;
  began = processorSeconds();
  return running->way();
}

void Tuning::taken(zrt_ways &ways, int64_t indices) {
  if (!running)
    return;
  running->taken(processorSeconds() - began, static_cast<double>(indices));
  if (running->isSettled())
    ways.settled[runningLoop.size] = static_cast<uint8_t>(running->way());
  running = nullptr;
}

/// What is settled here, of ways that were measured.
MeasuredWays Tuning::ownResults() const {
  MeasuredWays results;
  for (const auto &[loop, trial] : trials) {
    if (!trial.isSettled() || !std::isfinite(trial.seconds()[0]))
      continue;
    int64_t number = 0;
    while (program->ways[number] != loop.ways)
      ++number;
    results[{number, transport->size(), loop.size}] = trial.seconds();
  }
  return results;
}

std::string Tuning::finish() {
  if (!transport)
    return "";
  if (mode != ZRT_TUNING_RUN)
    return mode == ZRT_TUNING_MODELS ? report() : "";
  MeasuredWays own = ownResults();
  if (transport->rank() != 0) {
    sendText(*transport, 0, tuneText(own, *program, machine));
    return "";
  }
  for (int other = 1; other < transport->size(); ++other) {
    MeasuredWays theirs;
    std::string error;
    // Another kind of machine is told there, and has no times here.
    if (readTuneText(receiveText(*transport, other), *program, machine, theirs,
                     error))
      mergeMeasured(own, theirs);
  }
  for (const auto &[at, seconds] : own)
    known[at] = seconds;
  if (savesFile)
    save();
  return report();
}

void Tuning::save() const {
  std::string beside = file + "." + std::to_string(getpid());
  std::string text = tuneText(known, *program, machine);
  std::FILE *stream = std::fopen(beside.c_str(), "w");
  bool good =
      stream && std::fwrite(text.data(), 1, text.size(), stream) == text.size();
  int failure = errno;
  if (stream && std::fclose(stream) != 0 && good) {
    good = false;
    failure = errno;
  }
  if (good && std::rename(beside.c_str(), file.c_str()) == 0)
    return;
  if (good)
    failure = errno;
  if (stream)
    unlink(beside.c_str());
  warn("cannot write '" + file + "': " + std::strerror(failure));
}

/// A line for each loop and size of this number of processors.
std::string Tuning::report() const {
  std::string text;
  for (const auto &[at, seconds] : known) {
    if (at.processors != transport->size())
      continue;
    const zrt_ways &ways = *program->ways[at.loop];
    text += std::string(ways.loc->file) + ":" + std::to_string(ways.loc->line) +
            ": from 2^" + std::to_string(at.size) +
            " indices: " + wayName(ways, bestWay(seconds)) + ", of";
    for (size_t way = 0; way < seconds.size(); ++way) {
      char number[48] = " (not measured)";
      if (std::isfinite(seconds[way]))
        std::snprintf(number, sizeof number, " %.3f ns", seconds[way] * 1e9);
      text += (way == 0 ? " " : ", ") + wayName(ways, static_cast<int>(way)) +
              number;
    }
    text += "\n";
  }
  return text;
}
