//===- CpuFeatures.cpp - Features that a program checks at start ----------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program built with -march=native carries the list of what its processor
// must have ("avx,avx2,fma,..."); the runtime compares it before anything else
// runs and names what is missing. Only x86-64 has such a check. The names below
// are at once LLVM's and those of GCC's and Clang's __builtin_cpu_supports;
// features that change no generated code of ours (cryptography, cache control)
// are left out.
//
//===----------------------------------------------------------------------===//

#include "CpuFeatures.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace zpl {

static const char *const checkedOnX86[] = {
    "sse3",       "ssse3",        "sse4.1",
    "sse4.2",     "popcnt",       "avx",
    "avx2",       "fma",          "fma4",
    "xop",        "bmi",          "bmi2",
    "f16c",       "lzcnt",        "movbe",
    "adx",        "avx512f",      "avx512bw",
    "avx512cd",   "avx512dq",     "avx512vl",
    "avx512ifma", "avx512vbmi",   "avx512vbmi2",
    "avx512vnni", "avx512bitalg", "avx512vpopcntdq",
    "avx512bf16"};

std::vector<std::string> featuresToCheck(const Triple &triple,
                                         const MCSubtargetInfo &processor) {
  std::vector<std::string> needed;
  if (triple.getArch() != Triple::x86_64)
    return needed;
  for (const char *name : checkedOnX86)
    if (processor.checkFeatures("+" + std::string(name)))
      needed.push_back(name);
  return needed;
}

} // namespace zpl
