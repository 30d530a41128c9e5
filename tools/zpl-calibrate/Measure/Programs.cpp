//===- Programs.cpp - Figures that programs are the fastest with ----------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What matters of a figure such as `block.columns` is the time of loops that use
// it. So a small program for each (share/calibration) is compiled with one
// machine file for each value of a list, and all of them run in turns:
//
//     product.z   block.columns   128  256  512  1024     seconds, least of five
//
// The value with the least time becomes the constant, unless the least time of the
// usual one is at most 3 % above the second least one of the best: such
// differences are of the day.
// Some run at several sizes, in the caches and beyond, and the geometric mean of
// the times counts. Figures are measured one after the other in the order of the
// table, each with the values that were found for those before it.
//
// Times are programs' own, of what follows their set-up; runs of all values
// alternate, in an order by chance, so that what others do meanwhile meets all,
// five times, and up to fifteen until the two least of each agree within 2 %.
//
// Cost: of each value a compilation, 0.2 to 0.5 s, and five to fifteen runs of
// 0.1 to 0.3 s.
//
//===----------------------------------------------------------------------===//

#include "Measure/Programs.h"
#include "Measure/Groups.h"
#include "Measure/Repeat.h"
#include "zpl/Cost/MachineFigures.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace calibrate {

namespace {

/// A figure with the values that are tried, and the program that tells.
struct FigureChoice {
  const char *figure;
  const char *program; ///< in share/calibration
  std::vector<double> values;
  const char *size;  ///< arguments of runs, whose geometric mean counts
  const char *other; ///< those of an audit
  const char *option = nullptr; ///< for zplc
};

/// Values that were compiled, and their times.
struct Candidate {
  double value;
  std::string program;
  double seconds = INFINITY; ///< the least of its runs,
  double second = INFINITY;  ///< and the next one
  int runs = 0;

  void add(double time) {
    ++runs;
    second = std::min(second, std::max(seconds, time));
    seconds = std::min(seconds, time);
  }
};

} // namespace

/// No results are as large.
static constexpr double Never = double(1LL << 60);

static const FigureChoice FigureChoices[] = {
    {"vector.bits", "stencil", {0, 256, 512}, "-sn=600", "-sn=900"},
    {"fetch.ahead",
     "stencil",
     {0, 1024, 2048, 3072, 4096},
     "-sn=2500 -sn=900",
     "-sn=1800 -sn=1200"},
    {"stream.from",
     "stencil",
     {0, 4 << 20, 16 << 20, Never},
     "-sn=2500",
     "-sn=3300"},
    {"block.terms", "product", {32, 64, 128}, "-sn=800", "-sn=1100"},
    {"block.columns", "product", {128, 256, 512, 1024}, "-sn=800", "-sn=1100"},
    {"block.scalars", "product", {8, 16, 32}, "-sn=800", "-sn=1100"},
    {"delay.updates",
     "updates",
     {16, 32, 64},
     "-sn=1000",
     "-sn=1400",
     "-fdelay-updates=100"},
    {"lanes.bytes", "alignment", {16, 32, 64}, "-sn=1500", "-sn=1000"},
    {"wave.rows", "sweep", {4, 8, 12}, "-sn=1000", "-sn=1500"},
    {"remap.along", "transpose", {32, 64, 128, 256}, "-sn=2000", "-sn=1400"},
    {"remap.across", "transpose", {64, 128, 256, 512}, "-sn=2000", "-sn=1400"},
    {"scan.block", "scans", {4096, 16384, 65536}, "-sn=1000", "-sn=700"},
    {"steps.most", "steps", {4, 8, 16}, "-sn=2500", "-sn=3300"},
    {"steps.own-share", "steps", {0.5, 1, 2, 4}, "-sn=2500", "-sn=3300"},
};

namespace {

/// Compiles and times the programs of one session.
class ProgramTimer {
public:
  explicit ProgramTimer(Session &session) : session(session) {
    SmallString<128> compiler(session.folder), sources(session.folder);
    sys::path::append(compiler, "zplc");
    sys::path::append(sources, "..", "share", "zpl", "calibration");
    zplc = compiler.str().str();
    library = sources.str().str();
    if (std::error_code code =
            sys::fs::createUniqueDirectory("zpl-calibrate", folder))
      session.notes.push_back("no room for programs: " + code.message());
  }
  ProgramTimer(const ProgramTimer &) = delete;
  ProgramTimer &operator=(const ProgramTimer &) = delete;
  ~ProgramTimer() {
    if (!folder.empty())
      sys::fs::remove_directories(folder);
  }

  bool isPossible() const {
    return !folder.empty() && sys::fs::can_execute(zplc) &&
           sys::fs::is_directory(library);
  }

  /// Programs of all values but those that are the same as another one's, timed.
  std::vector<Candidate> timesOf(const FigureChoice &choice,
                                 StringRef arguments) {
    std::vector<Candidate> candidates;
    for (double value : valuesOf(choice)) {
      Candidate made{value, compile(choice, value, candidates.size())};
      if (!made.program.empty())
        candidates.push_back(std::move(made));
    }
    std::vector<size_t> order(candidates.size());
    for (size_t k = 0; k < order.size(); ++k)
      order[k] = k;
    // Until the two least times agree, which others on the machine may delay.
    constexpr double Agrees = 1.02;
    constexpr int Least = 5, Most = 15;
    auto isKnown = [&](const Candidate &each) {
      return each.second <= Agrees * each.seconds;
    };
    for (int round = 0; round < session.quick(1, Most); ++round) {
      if (round >= Least && all_of(candidates, isKnown))
        break;
      std::shuffle(order.begin(), order.end(), session.random);
      for (size_t k : order)
        candidates[k].add(meanOf(candidates[k].program, arguments));
    }
    return candidates;
  }

private:
  /// Those that are tried: of --quick two, one of them the usual one if it is
  /// among them.
  std::vector<double> valuesOf(const FigureChoice &choice) const {
    if (!session.options.isQuick)
      return choice.values;
    double usual = zpl::findFigure(choice.figure)->usual,
           first = choice.values.front(), last = choice.values.back();
    bool isListed = usual != last && is_contained(choice.values, usual);
    return {isListed ? usual : first, last};
  }

  /// The machine of the session with one figure more, as a file.
  bool writeFigure(StringRef figure, double value, StringRef file) {
    zpl::Machine machine;
    machine.name = "zpl-calibrate";
    machine.source = "a value that is tried";
    machine.constants = session.machine.constants;
    machine.constants[figure.str()] = value;
    std::string error;
    if (zpl::writeMachine(machine, file, error))
      return true;
    session.notes.push_back(error);
    return false;
  }

  /// The program's file; empty, with a note, if there is none.
  std::string compile(const FigureChoice &choice, double value, size_t number) {
    std::string machine = (folder + "/machine.json").str(),
                program =
                    (folder + "/" + choice.program + std::to_string(number))
                        .str(),
                source = library + "/" + choice.program + ".z";
    if (!writeFigure(choice.figure, value, machine))
      return "";
    std::string option = "-mmachine=" + machine;
    std::vector<StringRef> arguments = {zplc,   "-O3", option,
                                        source, "-o",  program};
    if (choice.option)
      arguments.push_back(choice.option);
    std::string error;
    if (sys::ExecuteAndWait(zplc, arguments, std::nullopt, quiet(), 60, 0,
                            &error) == 0)
      return program;
    session.notes.push_back(std::string(choice.figure) + ": zplc could not " +
                            "compile " + source + " " + error);
    return "";
  }

  /// The geometric mean of runs with each of these arguments.
  double meanOf(const std::string &program, StringRef arguments) {
    SmallVector<StringRef, 4> sizes;
    StringRef small = "-sn=300";
    session.quick(small, arguments).split(sizes, ' ');
    double product = 1;
    for (StringRef size : sizes)
      product *= secondsOf(program, size);
    return std::pow(product, 1.0 / double(sizes.size()));
  }

  /// The first number that a run prints; infinite if it fails.
  double secondsOf(const std::string &program, StringRef arguments) {
    std::string output = (folder + "/output").str();
    std::optional<StringRef> redirects[] = {StringRef(""), StringRef(output),
                                            StringRef("")};
    if (sys::ExecuteAndWait(program, {program, "-p1", arguments}, std::nullopt,
                            redirects, 60) != 0)
      return INFINITY;
    auto text = MemoryBuffer::getFile(output);
    double seconds;
    if (!text ||
        StringRef((*text)->getBuffer()).split(' ').first.getAsDouble(seconds))
      return INFINITY;
    return seconds > 0 ? seconds : INFINITY;
  }

  ArrayRef<std::optional<StringRef>> quiet() const {
    static const std::optional<StringRef> nowhere[] = {
        StringRef(""), StringRef(""), StringRef("")};
    return nowhere;
  }

  Session &session;
  std::string zplc, library;
  SmallString<128> folder; ///< of what is made here; goes with this
};

} // namespace

static const Candidate *best(ArrayRef<Candidate> candidates) {
  const Candidate *least = nullptr;
  for (const Candidate &each : candidates)
    if (std::isfinite(each.seconds) &&
        (!least || each.seconds < least->seconds))
      least = &each;
  return least;
}

static const Candidate *ofValue(ArrayRef<Candidate> candidates, double value) {
  for (const Candidate &each : candidates)
    if (each.value == value && std::isfinite(each.seconds))
      return &each;
  return nullptr;
}

/// "choice.block.columns.512"
static std::string measurementName(const FigureChoice &choice, double value) {
  std::string name;
  raw_string_ostream(name) << "choice." << choice.figure << '.'
                           << format("%.10g", value);
  return name;
}

static void chooseFigure(Session &session, const FigureChoice &choice,
                         ArrayRef<Candidate> candidates) {
  constexpr double AsGood = 1.03;
  double usual = zpl::findFigure(choice.figure)->usual;
  for (const Candidate &each : candidates)
    if (std::isfinite(each.seconds))
      session.machine.measurements[measurementName(choice, each.value)] = {
          each.seconds,
          std::isfinite(each.second) ? each.second / each.seconds - 1 : 0, "s",
          each.runs};
  const Candidate *least = best(candidates),
                  *known = ofValue(candidates, usual);
  if (!least)
    return;
  // The second one tells what the best value takes again.
  double again = std::isfinite(least->second) ? least->second : least->seconds;
  bool stays = known && known->seconds <= AsGood * again;
  session.machine.constants[choice.figure] = stays ? usual : least->value;
  session.machine.constantSources[choice.figure] =
      std::string("the least time of ") + choice.program + ".z";
}

void measurePrograms(Session &session) {
  ProgramTimer timer(session);
  if (!timer.isPossible()) {
    session.notes.push_back(
        "zplc and share/zpl/calibration are not beside this "
        "program: no choices are measured");
    return;
  }
  for (const FigureChoice &choice : FigureChoices)
    session.machine.constants.erase(choice.figure);
  size_t done = 0;
  for (const FigureChoice &choice : FigureChoices) {
    chooseFigure(session, choice, timer.timesOf(choice, choice.size));
    session.progress.show(double(++done) / std::size(FigureChoices));
  }
}

bool auditPrograms(Session &session) {
  ProgramTimer timer(session);
  if (!timer.isPossible())
    return false;
  outs() << "figure                     chosen       best   penalty\n";
  unsigned right = 0, points = 0;
  for (const FigureChoice &choice : FigureChoices) {
    std::vector<Candidate> candidates = timer.timesOf(choice, choice.other);
    auto constant = session.machine.constants.find(choice.figure);
    double value = constant == session.machine.constants.end()
                       ? zpl::findFigure(choice.figure)->usual
                       : constant->second;
    const Candidate *least = best(candidates),
                    *chosen = ofValue(candidates, value);
    if (!least || !chosen)
      continue;
    double penalty = chosen->seconds / least->seconds - 1;
    ++points;
    right += penalty <= 0.02;
    outs() << format("%-20s %12.6g %10.6g %8.1f%%\n", choice.figure, value,
                     least->value, 100 * penalty);
  }
  if (points > 0)
    outs() << format("%u of %u within 2 %% of the best\n", right, points);
  return points > 0;
}

} // namespace calibrate
