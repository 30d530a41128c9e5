//===- Values.cpp - What variables hold, as formulas ----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     for i := 0 to top do Level[i].hi := n / 2^i;  end;
//     [1..Level[k].hi] ...
//
// Each assignment is kept with its path, [i][1]. That of a loop holds for all
// i: when the loop ends its index stands for any number. Who asks for [k][1]
// looks from the last assignment back for one that is surely to this place, and
// gets its value with k for i. Where only the run knows whether it is, as for
// edge[Class] with assignments to edge[0], edge[1] ..., the answer is a sum over
// all that may be: 32*(Class == 0) + 128*(Class == 1) ...
//
// Cost: linear in the assignments to the variable; no more than MostDefinitions
// are kept of each.
//
//===----------------------------------------------------------------------===//

#include "Values.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace zpl::costmodel {

static constexpr size_t MostDefinitions = 512, MostSize = 200;

void Values::set(const Place &place, const Formula &value) {
  std::vector<Definition> &list = all[place.variable];
  if (place.path.empty())
    list.clear();
  if (list.size() >= MostDefinitions || value.size() > MostSize)
    return forget(place);
  erase_if(list, [&](const Definition &old) {
    return old.forAll.empty() && old.path == place.path;
  });
  list.push_back({place.path, value, false, {}});
}

void Values::forget(const Place &place) {
  std::vector<Definition> &list = all[place.variable];
  if (place.path.empty() || list.size() >= MostDefinitions)
    list.assign(1, {{}, 0, true, {}});
  else
    list.push_back({place.path, 0, true, {}});
}

namespace {
/// Whether an assignment is one to a place: when `condition` is 1.
struct Match {
  bool isPossible = true;
  Formula condition = 1;
  Formula value;
};
} // namespace

/// Compares as far as the assignment's path goes.
static Match match(const Definition &definition, const Path &path) {
  Match result{true, 1, definition.value};
  if (definition.path.size() > path.size())
    return {definition.isClobber, 1, 0};
  std::map<std::string, Formula> chosen;
  for (auto [mine, asked] : zip(definition.path, path)) {
    std::string name = mine.asName().str();
    if (definition.forAll.count(name) &&
        chosen.try_emplace(name, asked).second) {
      result.value = result.value.replace(name, asked);
      continue;
    }
    Formula same = Formula::apply("==", {mine, asked});
    if (mine == asked)
      continue;
    if (same.number())
      return {false, 0, 0};
    result.condition = result.condition * same;
  }
  return result;
}

std::optional<Formula> Values::find(const Place &place) const {
  auto known = all.find(place.variable);
  if (known == all.end())
    return std::nullopt;
  Formula sum = 0, rest = 1;
  for (const Definition &definition : reverse(known->second)) {
    Match found = match(definition, place.path);
    if (!found.isPossible)
      continue;
    bool isWhole = definition.path.size() == place.path.size();
    if (definition.isClobber || !isWhole || sum.size() > MostSize)
      return std::nullopt;
    sum = sum + rest * found.condition * found.value;
    if (found.condition.number())
      return sum;
    // Constants of one subscript exclude each other.
  }
  return sum;
}

/// Makes an assignment one to a part of \p path, with that path's subscripts in
/// the place of those that stand for any; false if it is to another part, none
/// if that is not known.
static std::optional<bool> leadThrough(Definition &next, const Path &path) {
  for (size_t k = 0; k < path.size(); ++k) {
    std::string name = next.path[k].asName().str();
    if (next.forAll.count(name)) {
      for (Formula &part : next.path)
        part = part.replace(name, path[k]);
      next.value = next.value.replace(name, path[k]);
    } else if (!(next.path[k] == path[k])) {
      bool isKnown =
          Formula::apply("==", {next.path[k], path[k]}).number().has_value();
      return isKnown ? std::optional(false) : std::nullopt;
    }
  }
  return true;
}

void Values::copy(const Place &to, const Place &from) {
  std::vector<Definition> moved;
  auto known = all.find(from.variable);
  if (known == all.end())
    return forget(to);
  for (const Definition &definition : known->second) {
    Match found = match(definition, from.path);
    if (definition.path.size() < from.path.size()) {
      if (found.isPossible)
        return forget(to);
      continue;
    }
    Definition next = definition;
    std::optional<bool> isBelow = leadThrough(next, from.path);
    if (!isBelow)
      return forget(to);
    if (!*isBelow)
      continue;
    next.path.erase(next.path.begin(),
                    next.path.begin() + ptrdiff_t(from.path.size()));
    next.path.insert(next.path.begin(), to.path.begin(), to.path.end());
    moved.push_back(std::move(next));
  }
  std::vector<Definition> &list = all[to.variable];
  if (to.path.empty())
    list.clear();
  if (list.size() + moved.size() > MostDefinitions)
    return forget(to);
  append_range(list, moved);
}

/// What a loop over \p name leaves of an assignment.
static void generalize(Definition &definition, StringRef name) {
  bool isSubscript = any_of(definition.path, [&](const Formula &part) {
    return part.asName() == name;
  });
  if (isSubscript) {
    definition.forAll.insert(name.str());
    return;
  }
  if (definition.value.mentions(name))
    definition = {definition.path, 0, true, definition.forAll};
  for (size_t k = 0; k < definition.path.size(); ++k)
    if (definition.path[k].mentions(name)) {
      definition.path.resize(k);
      definition.isClobber = true;
    }
}

void Values::endLoop(StringRef name) {
  for (auto &entry : all)
    for (Definition &definition : entry.second)
      if (!definition.forAll.count(name.str()))
        generalize(definition, name);
}

} // namespace zpl::costmodel
