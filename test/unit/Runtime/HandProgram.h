//===- HandProgram.h - What hand-written programs share ---------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The end of a program over zrt/Abi.h as the compiler would write it: its
/// descriptor, and what it prints of the mistakes that its processors found.
///
//===----------------------------------------------------------------------===//

#ifndef ZRT_TEST_HANDPROGRAM_H
#define ZRT_TEST_HANDPROGRAM_H

#include "HandTypes.h"

namespace hand {

/// Runs the program of these procedures; what `main` returns.
template <int64_t Count>
int runProgram(int argc, char **argv, const char *name,
               const zrt_config (&configs)[Count], void (*initialize)(),
               void (*entry)()) {
  const zrt_program program = {ZRT_ABI_REVISION,
                               name,
                               ZRT_TEST_PLUGIN_DIR,
                               "",
                               "",
                               configs,
                               Count,
                               initialize,
                               entry,
                               nullptr,
                               0,
                               nullptr,
                               {},
                               nullptr,
                               0};
  return zrtA_main(argc, argv, &program);
}

/// Runs one with the config variables `seed` and, of this default, `rounds`.
inline int runRandomProgram(int argc, char **argv, const char *name,
                            const char *rounds, void (*initialize)(),
                            void (*entry)()) {
  const zrt_config configs[] = {
      {"seed", &Integer, "1", "of the random numbers"},
      {"rounds", &Integer, rounds, ""}};
  return runProgram(argc, argv, name, configs, initialize, entry);
}

/// The sum of what the processors have counted; called by all of them.
inline int64_t total(int64_t count, const zrt_loc &here) {
  zrtA_reduce(&count, ZRT_I64, ZRT_SUM, nullptr, &here);
  return count;
}

/// Prints how many mistakes there are on all processors.
inline void reportMistakes(int64_t mistakes, const zrt_loc &here) {
  int64_t all = total(mistakes, here);
  zrtA_write(ZRT_ZOUT, "%d mistakes\n", &all, &LongInt, &here);
}

/// And how many elements were compared, apart from the output: copies of
/// flooded ones count wherever they are.
inline void reportCompared(int64_t compared, const zrt_loc &here) {
  int64_t all = total(compared, here);
  zrtA_write(ZRT_ZERR, "%d compared\n", &all, &LongInt, &here);
}

} // namespace hand

#endif // ZRT_TEST_HANDPROGRAM_H
