//===- AbiRun.cpp - Entries that ask how the program is run ---------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     name = zrtA_environment("HOME", &loc);
//     word = zrtA_argument(1, &loc);
//
// Processors may be processes of several machines, with another environment,
// clock and command line each. What processor 0 has is what all of them get, and
// each keeps its copy where strings are.
//
//===----------------------------------------------------------------------===//

#include "Collective/Collective.h"
#include "Entry/Process.h"
#include "Support/Operation.h"

#include <cstdlib>
#include <ctime>
#include <string>

using namespace zrt;

/// Processor 0's text on all of them.
static const char *textOfFirst(std::string text) {
  Process &p = process();
  uint64_t length = text.size();
  broadcast(*p.transport, &length, sizeof length);
  text.resize(length);
  if (length != 0)
    broadcast(*p.transport, text.data(), length);
  return newString(text);
}

extern "C" {

const char *zrtA_date(const zrt_loc *loc) {
  OperationScope scope(OperationKind::Timer, loc);
  std::time_t now = std::time(nullptr);
  std::tm local = {};
  localtime_r(&now, &local);
  char text[32];
  size_t length = std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &local);
  return textOfFirst(std::string(text, length));
}

const char *zrtA_environment(const char *name, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Input, loc);
  const char *found = std::getenv(name);
  return textOfFirst(found ? found : "");
}

int32_t zrtA_arguments(const zrt_loc *loc) {
  OperationScope scope(OperationKind::Input, loc);
  Process &p = process();
  auto count = static_cast<int32_t>(p.options.arguments.size());
  broadcast(*p.transport, &count, sizeof count);
  return count;
}

const char *zrtA_argument(int32_t k, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Input, loc);
  Process &p = process();
  if (k == 0)
    return textOfFirst(p.name);
  const std::vector<std::string> &all = p.options.arguments;
  bool isThere = k > 0 && static_cast<size_t>(k) <= all.size();
  return textOfFirst(isThere ? all[static_cast<size_t>(k) - 1] : "");
}

} // extern "C"
