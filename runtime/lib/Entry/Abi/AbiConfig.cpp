//===- AbiConfig.cpp - Entries for config variables -----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where `config var n: integer = f(3);  p: point = {1, 2};` are declared, the
// program does
//
//     if (!zrtA_config_given(0, &n)) n = f(3);
//     if (!zrtA_config_given(1, &p)) { p = {1, 2}; zrtA_config_parts(1, &p); }
//
// Every processor has read the same command line, so all find the same; an
// index that only now turns out to be outside of its bounds ends the run with
// status 2 like the mistakes found at the start.
//
//===----------------------------------------------------------------------===//

#include "Entry/Config/Config.h"
#include "Entry/Process.h"
#include "Support/Error.h"

using namespace zrt;

static void storeGiven(int64_t number, void *address) {
  Process &p = process();
  std::string error;
  if (!storeConfig(p.program, p.options.assignments, number, address,
                   p.strings.shared, error))
    usageError("%s", error.c_str());
}

extern "C" {

int32_t zrtA_config_given(int64_t number, void *address) {
  bool isWhole = givesWhole(process().options.assignments, number);
  if (!isWhole && !restoreConfig(number, address))
    return 0;
  storeGiven(number, address);
  return 1;
}

void zrtA_config_parts(int64_t number, void *address) {
  storeGiven(number, address);
}

} // extern "C"
