//===- Mistakes.cpp - Each clause bites -----------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Runs the whole suite on a transport with one mistake, for each of
/// Mistakes.def, and compares the clauses that fail with those that the
/// mistake names. A suite that finds too little is as wrong as one that points
/// to the wrong promise. At last each clause must have been named by some
/// mistake.
///
///     PASS: MessageLost: what finds the queue full is lost: message-order
///
//===----------------------------------------------------------------------===//

#include "Suite.h"

#include <cstdio>
#include <set>
#include <sstream>

using namespace zrt;
using namespace zrt::test;

namespace {

struct Description {
  Mistake mistake;
  const char *name, *what, *clauses;
};
constexpr Description Descriptions[] = {
#define ZRT_MISTAKE(identifier, what, clauses)                                 \
  {Mistake::identifier, #identifier, what, clauses},
#include "Mistakes.def"
};

using Names = std::set<std::string>;

Names split(const char *text) {
  std::istringstream words(text);
  Names names;
  for (std::string word; words >> word;)
    names.insert(word);
  return names;
}

std::string joined(const Names &names) {
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "" : " ") + name;
  return text;
}

Names failing(const std::vector<Clause> &clauses, Mistake mistake,
              const Setting &setting) {
  Names names;
  for (const Clause &clause : clauses)
    if (!simulate(clause, 4, mistake, setting, false).failure.empty())
      names.insert(clause.name);
  return names;
}

} // namespace

MistakeCount zrt::test::tryMistakes(const std::vector<Clause> &clauses,
                                    const Setting &setting) {
  MistakeCount count;
  Names met;
  for (const Description &description : Descriptions) {
    Names wanted = split(description.clauses);
    Names found = failing(clauses, description.mistake, setting);
    met.insert(wanted.begin(), wanted.end());
    bool right = wanted == found;
    (right ? count.passed : count.failed)++;
    printf("%s: %s: %s: %s\n", right ? "PASS" : "FAIL", description.name,
           description.what, joined(found).c_str());
    if (!right)
      printf("  expected: %s\n", joined(wanted).c_str());
    fflush(stdout);
  }
  for (const Clause &clause : clauses)
    if (!met.count(clause.name)) {
      printf("FAIL: no mistake is for the clause %s\n", clause.name);
      ++count.failed;
    }
  return count;
}
