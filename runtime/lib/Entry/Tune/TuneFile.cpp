//===- TuneFile.cpp - What was measured of a program's loops --------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
///     zpl-tune 1
///     program jacobi 3f9a0c21
///     machine AuthenticAMD 25.1, 2 processors
///     loop 0 jacobi.z:41 processors 1 size 20 ns models 0.53 ahead 0.41
///
/// Two lines of a loop at one place are two sizes: `size 20` is from 2^20
/// indices of a processor on. Numbers are nanoseconds for an index. The loop's
/// number counts, its place is for people, and is compared all the same.
///
/// Cost: linear in the text.
///
//===----------------------------------------------------------------------===//

#include "Entry/Tune/TuneFile.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>
#include <sstream>

using namespace zrt;

static const char *const FirstLine = "zpl-tune 1";
static constexpr double Infinite = std::numeric_limits<double>::infinity();

std::string zrt::wayName(const zrt_ways &ways, int way) {
  if (way == 0)
    return "models";
  std::istringstream names(ways.names);
  std::string name;
  for (; way > 0; --way)
    names >> name;
  return name;
}

static std::string placeOf(const zrt_ways &ways) {
  std::string file = ways.loc->file;
  return file.substr(file.rfind('/') + 1) + ":" +
         std::to_string(ways.loc->line);
}

static std::string programLine(const zrt_program &program) {
  return std::string("program ") + program.name + " " + program.identity;
}

std::string zrt::tuneText(const MeasuredWays &measured,
                          const zrt_program &program,
                          const std::string &machine) {
  std::string text = std::string(FirstLine) + "\n" + programLine(program) +
                     "\nmachine " + machine + "\n";
  for (const auto &[at, seconds] : measured) {
    const zrt_ways &ways = *program.ways[at.loop];
    text += "loop " + std::to_string(at.loop) + " " + placeOf(ways) +
            " processors " + std::to_string(at.processors) + " size " +
            std::to_string(at.size) + " ns";
    for (size_t way = 0; way < seconds.size(); ++way) {
      if (!std::isfinite(seconds[way]))
        continue;
      char number[32];
      std::snprintf(number, sizeof number, "%.6g", seconds[way] * 1e9);
      text += " " + wayName(ways, static_cast<int>(way)) + " " + number;
    }
    text += "\n";
  }
  return text;
}

namespace {

/// The words of a line that says what a loop took.
class LoopLine {
public:
  LoopLine(const std::string &line, const zrt_program &program,
           std::string &error)
      : words(line), program(program), error(error) {}

  bool read(MeasuredWays &measured) {
    MeasuredAt at;
    std::string place;
    if (!expect("loop") || !number(at.loop, program.way_count) ||
        !(words >> place))
      return fail("a loop's number and place are missing");
    const zrt_ways &ways = *program.ways[at.loop];
    if (place != placeOf(ways))
      return fail("loop " + std::to_string(at.loop) + " is at " +
                  placeOf(ways) + ", not " + place);
    int64_t processors = 0, size = 0;
    if (!expect("processors") || !number(processors, 1 << 20) ||
        !expect("size") || !number(size, ZRT_SIZE_CLASSES) || !expect("ns"))
      return fail("expected 'processors P size S ns' and times");
    at.processors = static_cast<int>(processors);
    at.size = static_cast<int>(size);
    std::vector<double> seconds(static_cast<size_t>(ways.count), Infinite);
    if (!times(ways, seconds))
      return false;
    measured[at] = seconds;
    return true;
  }

private:
  bool fail(const std::string &message) {
    if (error.empty())
      error = message;
    return false;
  }
  bool expect(const char *wanted) {
    std::string word;
    return words >> word && word == wanted;
  }
  bool number(int64_t &value, int64_t count) {
    std::string word;
    words >> word;
    auto [stop, status] =
        std::from_chars(word.data(), word.data() + word.size(), value);
    return !word.empty() && status == std::errc() &&
           stop == word.data() + word.size() && value >= 0 && value < count;
  }
  bool times(const zrt_ways &ways, std::vector<double> &seconds) {
    for (std::string name, word; words >> name;) {
      size_t way = 0;
      while (way < seconds.size() &&
             wayName(ways, static_cast<int>(way)) != name)
        ++way;
      if (way == seconds.size())
        return fail("there is no way '" + name + "'");
      double value = 0;
      if (words >> word)
        std::from_chars(word.data(), word.data() + word.size(), value);
      if (!(value > 0 && value < 1e18))
        return fail("the way '" + name + "' has no time");
      seconds[way] = value * 1e-9;
    }
    return std::isfinite(seconds[0]) || fail("the way 'models' has no time");
  }

  std::istringstream words;
  const zrt_program &program;
  std::string &error;
};

} // namespace

bool zrt::readTuneText(std::string_view text, const zrt_program &program,
                       const std::string &machine, MeasuredWays &measured,
                       std::string &error) {
  std::istringstream lines{std::string(text)};
  std::string line;
  auto next = [&] { return static_cast<bool>(std::getline(lines, line)); };
  error.clear();
  if (!next() || line != FirstLine)
    error = std::string("it does not begin with '") + FirstLine + "'";
  else if (!next() || line != programLine(program))
    error = "it is of another program";
  else if (!next() || line != "machine " + machine)
    error = "it is of another machine; this one is " + machine;
  MeasuredWays found;
  for (int number = 4; error.empty() && next(); ++number)
    if (!line.empty() && !LoopLine(line, program, error).read(found))
      error = "line " + std::to_string(number) + ": " + error;
  if (!error.empty())
    return false;
  for (auto &[at, seconds] : found)
    measured[at] = seconds;
  return true;
}

void zrt::mergeMeasured(MeasuredWays &into, const MeasuredWays &other) {
  for (const auto &[at, seconds] : other) {
    auto [place, isNew] = into.try_emplace(at, seconds);
    if (isNew)
      continue;
    for (size_t way = 0; way < seconds.size(); ++way) {
      double &own = place->second[way];
      own = std::isfinite(own) && std::isfinite(seconds[way])
                ? std::max(own, seconds[way])
                : std::min(own, seconds[way]);
    }
  }
}
