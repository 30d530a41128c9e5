//===- Transports.cpp - Messages, boundaries and collectives --------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// zpl-probe measures, as it is launched by every transport that is there; here
// its requests are written, its answers read, and models fitted:
//
//     message.shm(bytes), column.shm(elements), row.shm(elements)
//     reduce.shm/ring(p, bytes), ...      the alternatives of Collectives.def
//
// The terms of a collective are those of its line there: messages that wait for
// each other, bytes through one member; with more processes than processors
// (`crowd`), the turns they take and the work of all. An algorithm that is
// added to the table is measured here without another line.
//
// The parameters of LogGP for predictions come from messages of one byte, from
// bursts of them, and from the slope of long ones.
//
//===----------------------------------------------------------------------===//

#include "Measure/Groups.h"
#include "Measure/Repeat.h"
#include "Measure/Ways.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace llvm;

namespace calibrate {

//===----------------------------------------------------------------------===//
// The probe
//===----------------------------------------------------------------------===//

static std::string libraryFolder(const Session &session) {
  SmallString<128> path(session.folder);
  sys::path::append(path, "..", "lib", "zpl");
  return path.str().str();
}

/// The answers of the probe for its requests, or fewer.
static std::vector<zpl::Measurement> readAnswers(StringRef file) {
  std::vector<zpl::Measurement> answers;
  auto buffer = MemoryBuffer::getFile(file);
  if (!buffer)
    return answers;
  SmallVector<StringRef, 0> lines;
  (*buffer)->getBuffer().split(lines, '\n');
  for (StringRef line : lines) {
    SmallVector<StringRef, 4> fields;
    line.split(fields, ' ');
    zpl::Measurement answer;
    answer.unit = "s";
    if (fields.size() == 4 && !fields[1].getAsDouble(answer.value) &&
        !fields[2].getAsDouble(answer.spread) &&
        !fields[3].getAsInteger(10, answer.repeats))
      answers.push_back(answer);
  }
  return answers;
}

/// Measures \p requests on so many processors; an answer for each, or none at
/// all: then there is a note.
static std::vector<zpl::Measurement> probe(Session &session,
                                           StringRef transport, int processors,
                                           ArrayRef<std::string> requests) {
  std::string folder = libraryFolder(session), program = folder + "/zpl-probe";
  SmallString<64> asked, answered;
  if (sys::fs::createTemporaryFile("zpl-requests", "txt", asked) ||
      sys::fs::createTemporaryFile("zpl-answers", "txt", answered)) {
    session.notes.push_back("no room for temporary files");
    return {};
  }
  std::error_code code;
  {
    raw_fd_ostream os(asked, code);
    for (const std::string &request : requests)
      os << request << '\n';
  }
  std::string count = std::to_string(processors), problem;
  bool isCrowd = processors > session.machine.fingerprint->processors;
  const char *seconds = session.options.isQuick ? "0.001"
                        : isCrowd               ? "0.05"
                                                : "0.08";
  StringRef arguments[] = {program, transport, count, asked, seconds};
  std::optional<StringRef> files[] = {StringRef(""), answered.str(),
                                      StringRef("")};
  int status = sys::ExecuteAndWait(program, arguments, std::nullopt, files,
                                   /*SecondsToWait=*/60, 0, &problem);
  auto answers = readAnswers(answered);
  sys::fs::remove(asked);
  sys::fs::remove(answered);
  if (status == 0 && answers.size() == requests.size())
    return answers;
  std::string note;
  raw_string_ostream(note) << "zpl-probe " << transport << " on " << processors
                           << " processors: ended with status " << status
                           << (problem.empty() ? "" : ", ") << problem;
  session.notes.push_back(note);
  return {};
}

/// The transports whose libraries are there.
static std::vector<std::string> availableTransports(const Session &session) {
  std::vector<std::string> names = {"shm"};
  bool hasMpi = bool(sys::findProgramByName("mpiexec.mpich")) ||
                bool(sys::findProgramByName("mpiexec"));
  for (const char *name : {"mpi", "put"})
    if (hasMpi && sys::fs::exists(libraryFolder(session) + "/plugins/libzrt_" +
                                  name + ".so"))
      names.push_back(name);
  return names;
}

//===----------------------------------------------------------------------===//
// Ways
//===----------------------------------------------------------------------===//

namespace {

/// A line of Collectives.def, as text.
struct CollectiveLine {
  StringRef operation, name, needs, rounds, copies, work;
};

} // namespace

static constexpr CollectiveLine Lines[] = {
#define ZRT_COLLECTIVE(operation, name, needs, rounds, copies, work, function) \
  {#operation, name, #needs, #rounds, #copies, #work},
#include "Collective/Collectives.def"
};

/// Numbers of processors that collectives are measured on.
static std::vector<double> processorCounts(const Session &session) {
  double cores = double(session.machine.fingerprint->processors);
  std::vector<double> counts;
  for (double p = 2; p <= std::min(cores, 16.0); p *= 2)
    counts.push_back(p);
  counts.push_back(2 * std::max(cores, 1.0));
  return counts;
}

/// Measures points whose first input is the number of processors, or which are
/// for two.
static std::vector<zpl::Measurement> measurePoints(Session &session,
                                                   const std::string &transport,
                                                   const std::string &request,
                                                   ArrayRef<Point> points,
                                                   bool hasCount) {
  std::map<int, std::vector<size_t>> byCount;
  for (auto [number, point] : enumerate(points))
    byCount[hasCount ? int(point[0]) : 2].push_back(number);
  std::vector<zpl::Measurement> all(points.size());
  for (const auto &[count, numbers] : byCount) {
    std::vector<std::string> requests;
    for (size_t number : numbers)
      requests.push_back(request + " " +
                         std::to_string(int64_t(points[number].back())));
    auto answers = probe(session, transport, count, requests);
    if (answers.empty())
      return {};
    for (auto [number, answer] : zip(numbers, answers))
      all[number] = answer;
  }
  return all;
}

/// Messages and boundaries between two processors.
static Way pairWay(const Session &session, const std::string &transport,
                   const std::string &kind) {
  Way way;
  way.group = "transports";
  bool isMessage = kind == "message";
  std::string input = isMessage ? "bytes" : "elements";
  double unit = isMessage ? 1 : 1.0 / 8;
  way.model = modelOf(kind + "." + transport, {input}, {"1", input});
  way.domains = {{{}, 1, session.quick(4096.0, double(1 << 20)) * unit}};
  way.points = 40;
  way.measure = [transport, kind](Session &session, ArrayRef<Point> points) {
    return measurePoints(session, transport, kind, points, false);
  };
  return way;
}

/// What keeps gathers from payloads that the transport does not take.
static std::string gatherCondition(Session &session,
                                   const std::string &transport,
                                   StringRef operation) {
  double limit = 1e18;
  for (double p : processorCounts(session)) {
    auto answers = probe(session, transport, int(p), {"limit"});
    limit = std::min(limit, answers.empty() ? 0 : answers[0].value);
  }
  std::string bytes = operation == "Allgather" ? "bytes / p" : "bytes";
  return bytes + " <= " + std::to_string(int64_t(limit));
}

static zpl::Model collectiveModel(const Session &session,
                                  const CollectiveLine &line,
                                  const std::string &transport) {
  std::string cores = std::to_string(session.machine.fingerprint->processors);
  std::string name =
      line.operation.lower() + "." + transport + "/" + line.name.str();
  std::vector<std::string> terms = {"1", "rounds", "crowd * rounds * p"};
  if (line.operation != "Barrier")
    for (const char *term : {"crowd", "copies * bytes", "crowd * work * bytes"})
      terms.push_back(term);
  return modelOf(name, {"p", "bytes"}, terms,
                 {{"up", "ceil(log2(p))"},
                  {"down", "floor(log2(p))"},
                  {"odd", "up > down"},
                  {"segments", "max(1, ceil(bytes / 65536))"},
                  {"rounds", line.rounds.str()},
                  {"copies", line.copies.str()},
                  {"work", line.work.str()},
                  {"crowd", "p > " + cores}});
}

static Way collectiveWay(const Session &session, const CollectiveLine &line,
                         const std::string &transport) {
  Way way;
  way.group = "transports";
  way.model = collectiveModel(session, line, transport);
  bool isBarrier = line.operation == "Barrier";
  double most = session.quick(4096.0, double(1 << 20));
  way.domains = {{processorCounts(session)},
                 isBarrier ? Domain{{0}} : Domain{{}, 64, most, 64}};
  way.points = session.quick(5U, isBarrier ? 6U : 16U);
  way.checks = isBarrier ? 2 : 8;
  way.breaks = {"1", "rounds", "copies", "crowd"};
  if (isBarrier)
    way.breaks.clear();
  way.isRepeated = isBarrier; // few points: the same ones several times
  std::string request = line.operation.lower() + " " + line.name.str();
  bool isGather = line.needs == "Gather";
  way.prepare = [=](Session &session, Way &way) {
    if (!isGather)
      return;
    std::string error;
    way.model.where = zpl::Expression::parse(
        gatherCondition(session, transport, line.operation), way.model.names(),
        error);
  };
  way.measure = [=](Session &session, ArrayRef<Point> points) {
    return measurePoints(session, transport, request, points, true);
  };
  return way;
}

std::vector<Way> transportWays(Session &session) {
  std::vector<Way> ways;
  for (const std::string &transport : availableTransports(session)) {
    for (const char *kind : {"message", "column", "row"})
      ways.push_back(pairWay(session, transport, kind));
    // Collectives of put are messages of mpi.
    if (transport != "put")
      for (const CollectiveLine &line : Lines)
        ways.push_back(collectiveWay(session, line, transport));
  }
  return ways;
}

//===----------------------------------------------------------------------===//
// LogGP
//===----------------------------------------------------------------------===//

static void measureLogGP(Session &session, const std::string &transport) {
  const std::vector<std::string> requests = {
      "message 1",     "send 1",         "receive 1",  "gap 1",
      "message 65536", "message 524288", "receive 64", "receive 2048"};
  auto answers = probe(session, transport, 2, requests);
  if (answers.empty())
    return;
  auto value = [&](size_t number) {
    return std::max(0.0, answers[number].value);
  };
  zpl::TransportCosts costs;
  costs.send = value(1);
  costs.receive = value(2);
  costs.latency = std::max(0.0, value(0) - costs.send - costs.receive);
  costs.gap = value(3);
  costs.byte = std::max(0.0, value(5) - value(4)) / (524288 - 65536);
  costs.receiveByte = std::max(0.0, value(7) - value(6)) / (2048 - 64);
  session.machine.transports[transport] = costs;
  for (auto [request, answer] : zip(requests, answers)) {
    std::string name = request;
    std::replace(name.begin(), name.end(), ' ', '.');
    if (answer.value >= 0)
      record(session, "transport." + transport + "." + name, answer);
  }
}

void measureTransports(Session &session) {
  for (const std::string &transport : availableTransports(session))
    measureLogGP(session, transport);
}

} // namespace calibrate
