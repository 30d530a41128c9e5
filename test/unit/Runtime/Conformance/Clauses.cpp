//===- Clauses.cpp - What the clauses have in common ----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A barrier of messages, patterns of bytes, and the list of all clauses.
///
//===----------------------------------------------------------------------===//

#include "Clauses.h"

#include <ctime>

using namespace zrt;
using namespace zrt::test;

void Context::barrier() {
  // Right even where a send blocks until it is received.
  char token = 0;
  if (rank() != 0) {
    transport.send(0, &token, 1);
    transport.receive(0, &token, 1);
    return;
  }
  for (int from = 1; from < size(); ++from)
    transport.receive(from, &token, 1);
  for (int to = 1; to < size(); ++to)
    transport.send(to, &token, 1);
}

void Context::linger() {
  if (setting.linger) {
    setting.linger(transport);
    return;
  }
  timespec time = {0, 1000000};
  nanosleep(&time, nullptr);
}

void zrt::test::fillPattern(char *data, size_t bytes, int from, int number) {
  for (size_t i = 0; i < bytes; ++i)
    data[i] = patternByte(from, number, i);
}

bool zrt::test::holdsPattern(const char *data, size_t bytes, int from,
                             int number) {
  bool same = true;
  for (size_t i = 0; i < bytes; ++i)
    same &= data[i] == patternByte(from, number, i);
  return same;
}

std::vector<Clause> zrt::test::allClauses() {
  std::vector<Clause> clauses;
  for (auto *part :
       {&memoryClauses(), &messageClauses(), &togetherClauses(),
        &shapeClauses(), &layoutClauses(), &orderClauses(), &scheduleClauses()})
    clauses.insert(clauses.end(), part->begin(), part->end());
  return clauses;
}
