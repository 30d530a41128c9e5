//===- Map.cpp - Which way is the best where ------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A letter for each point of a grid of the last input (across, at equal ratios)
// and the first one (down, if there are two; powers of two):
//
//     reduce.shm
//       a butterfly  b gather  c pairwise ...
//       p     2  bbbbbbbbbbbbbbbbbbccccccccccccc
//       p     4  bbbbbbbbbbbbaaaaaaacccccccccccc
//                64 ... 1048576 bytes
//
//===----------------------------------------------------------------------===//

#include "Choices.h"
#include "Commands.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace llvm;

namespace calibrate {

static constexpr unsigned Columns = 64;

/// The line of letters for a value of the first of two inputs.
static std::string lineOf(const zpl::Machine &machine,
                          ArrayRef<const zpl::Model *> ways,
                          std::optional<double> first) {
  unsigned last = unsigned(ways.front()->inputs.size()) - 1;
  zpl::InputRange range = commonRange(ways, last);
  double least = std::max(range.least, 1.0);
  std::string line;
  for (unsigned column = 0; column < Columns; ++column) {
    double share = double(column) / (Columns - 1);
    std::vector<double> point;
    if (first)
      point.push_back(*first);
    point.push_back(least * std::pow(range.most / least, share));
    line += char('a' + choiceAt(machine, ways, point).chosen);
    if (range.most <= range.least)
      break;
  }
  return line;
}

static void printMap(const zpl::Machine &machine, StringRef name,
                     ArrayRef<const zpl::Model *> ways) {
  outs() << name << '\n';
  for (size_t way = 0; way < ways.size(); ++way)
    outs() << "  " << char('a' + way) << ' '
           << StringRef(ways[way]->name).split('/').second;
  outs() << '\n';
  const auto &inputs = ways.front()->inputs;
  if (inputs.size() == 2) {
    zpl::InputRange range = commonRange(ways, 0);
    for (double first = range.least; first <= range.most; first *= 2)
      outs() << "  " << inputs[0] << format(" %6g  ", first)
             << lineOf(machine, ways, first) << '\n';
  } else {
    outs() << "           " << lineOf(machine, ways, std::nullopt) << '\n';
  }
  zpl::InputRange range = commonRange(ways, unsigned(inputs.size()) - 1);
  outs() << format("           %.0f ... %.0f ", range.least, range.most)
         << inputs.back() << "\n\n";
}

bool printMaps(const Session &session) {
  bool isFound = false;
  for (const auto &[name, ways] : choicesOf(session.machine))
    if (session.options.choice.empty() || session.options.choice == name) {
      isFound = true;
      if (ways.front()->inputs.size() <= 2 && ways.size() <= 26)
        printMap(session.machine, name, ways);
    }
  return isFound;
}

} // namespace calibrate
