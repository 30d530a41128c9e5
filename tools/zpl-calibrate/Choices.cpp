//===- Choices.cpp - Alternatives among models ----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Choices.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace calibrate {

std::map<std::string, std::vector<const zpl::Model *>>
choicesOf(const zpl::Machine &machine) {
  std::map<std::string, std::vector<const zpl::Model *>> choices;
  for (StringRef name : machine.models.names()) {
    auto [choice, way] = name.split('/');
    if (!way.empty())
      choices[choice.str()].push_back(machine.models.find(name));
  }
  std::erase_if(choices, [](const auto &entry) {
    const auto &ways = entry.second;
    return ways.size() < 2 ||
           any_of(
               ways,
               [&](const zpl::Model *way) {
                 return way->inputs != ways.front()->inputs ||
                        way->ranges.size() != way->inputs.size();
               });
  });
  return choices;
}

zpl::Choice choiceAt(const zpl::Machine &machine,
                     ArrayRef<const zpl::Model *> ways,
                     const std::vector<double> &point) {
  std::vector<zpl::Alternative> alternatives;
  for (const zpl::Model *way : ways)
    alternatives.push_back({way->name, way->name, point});
  return zpl::select(machine.models, alternatives);
}

zpl::InputRange commonRange(ArrayRef<const zpl::Model *> ways, unsigned input) {
  zpl::InputRange range = ways.front()->ranges[input];
  for (const zpl::Model *way : ways) {
    range.least = std::min(range.least, way->ranges[input].least);
    range.most = std::max(range.most, way->ranges[input].most);
  }
  return range;
}

} // namespace calibrate
