//===- CpuFeatures.cpp - What the processor must be able to do ------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program compiled with -march=native on one machine may start on another.
// It then says
//
//     prog: error: this processor lacks avx512f, which the program was compiled
//     for (see -march)
//
// instead of dying of an illegal instruction. GCC's and Clang's builtin wants
// its name as a literal, hence the table; other architectures check nothing.
//
//===----------------------------------------------------------------------===//

#include "Entry/CpuFeatures.h"

#include <string_view>

namespace zrt {

#if defined(__x86_64__) || defined(__i386__)
/// False if the feature is known not to be there.
static bool mayHave(std::string_view name) {
#define ZRT_FEATURE(text)                                                      \
  if (name == text)                                                            \
    return __builtin_cpu_supports(text);
  ZRT_FEATURE("sse3")
  ZRT_FEATURE("ssse3")
  ZRT_FEATURE("sse4.1")
  ZRT_FEATURE("sse4.2")
  ZRT_FEATURE("popcnt")
  ZRT_FEATURE("avx")
  ZRT_FEATURE("avx2")
  ZRT_FEATURE("fma")
  ZRT_FEATURE("fma4")
  ZRT_FEATURE("xop")
  ZRT_FEATURE("bmi")
  ZRT_FEATURE("bmi2")
  ZRT_FEATURE("f16c")
  ZRT_FEATURE("lzcnt")
  ZRT_FEATURE("movbe")
  ZRT_FEATURE("adx")
  ZRT_FEATURE("avx512f")
  ZRT_FEATURE("avx512bw")
  ZRT_FEATURE("avx512cd")
  ZRT_FEATURE("avx512dq")
  ZRT_FEATURE("avx512vl")
  ZRT_FEATURE("avx512ifma")
  ZRT_FEATURE("avx512vbmi")
  ZRT_FEATURE("avx512vbmi2")
  ZRT_FEATURE("avx512vnni")
  ZRT_FEATURE("avx512bitalg")
  ZRT_FEATURE("avx512vpopcntdq")
  ZRT_FEATURE("avx512bf16")
#undef ZRT_FEATURE
  return true;
}
#else
static bool mayHave(std::string_view) { return true; }
#endif

std::string missingCpuFeatures(const char *needed) {
  std::string missing;
  std::string_view rest = needed;
  while (!rest.empty()) {
    std::string_view name = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(name.size() + 1, rest.size()));
    if (mayHave(name))
      continue;
    missing += missing.empty() ? "" : ", ";
    missing += name;
  }
  return missing;
}

} // namespace zrt
