//===- HandChecks.cpp - Errors of one processor, strings, randomness ------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program over zrt/Abi.h. With --fail=WHAT processor --who alone runs into
// that error while the others wait for it in a reduction. Without, it makes
// strings, takes random numbers and prints what must be the same on all
// processors, and that it was.
//
//===----------------------------------------------------------------------===//

#include "HandProgram.h"

#include <cstdio>
#include <cstring>
#include <string>

namespace {

const zrt_loc here = {"checks.z", 7, 3};
constexpr zrt_enumerator Failures[] = {
    {"nothing", 0},    {"subscript", 1}, {"division", 2},
    {"conversion", 3}, {"shape", 4},     {"memory", 5},
    {"subscript0", 6}, {"everybody", 7}, {"overflow", 8}};
constexpr zrt_type Failure = hand::enumeration("failure", Failures);
int32_t fail, who;

void initialize() {
  zrtA_config_given(0, &fail);
  zrtA_config_given(1, &who);
}

void failAlone() {
  if (fail != 7 && zrtA_locale() != who)
    return;
  switch (fail) {
  case 1:
    return zrtA_fail_subscript("table", 0, 12, 1, 10, &here);
  case 2:
  case 7:
    return zrtA_fail_division(&here);
  case 3:
    return zrtA_fail_conversion(1e30, "integer", &here);
  case 4:
    return zrtA_fail_shape("a[]", 3, "b[]", 4, 1, &here);
  case 5:
    zrtA_memory_new(int64_t(1) << 60, "table", &here);
    return;
  case 6:
    return zrtA_fail_subscript("table", 1, 1, 1, 0, &here);
  case 8:
    return zrtA_fail_overflow(2000000, "*", -2000, "integer", &here);
  }
}

/// Whether \p value is the same on all processors.
bool agreed(int64_t value) {
  int64_t least = value, most = value;
  zrtA_reduce(&least, ZRT_I64, ZRT_MIN, nullptr, &here);
  zrtA_reduce(&most, ZRT_I64, ZRT_MAX, nullptr, &here);
  return least == most;
}

/// Strings made in a loop, more on some processors than on others: they are
/// kept while something points to them, and those that are shared have the same
/// addresses on all processors, each text once.
bool checkStrings() {
  bool good = true;
  const char *first = zrtA_string("word 0");
  const char *shared = first;
  zrtA_value_share(&shared, &hand::String, &here);
  for (int k = 0; k < 5000; ++k) {
    const char *word = zrtA_string(("word " + std::to_string(k % 50)).c_str());
    for (int32_t more = zrtA_locale(); more > 0; --more)
      zrtA_string("of this processor alone");
    if (k % 500 != 0)
      continue;
    zrtA_value_share(&word, &hand::String, &here);
    good &= agreed(reinterpret_cast<intptr_t>(word)) && word == shared;
  }
  return good && *zrtA_string(nullptr) == 0 &&
         zrtA_compare_strings(first, "word 0") == 0;
}

bool checkRandom() {
  bool good = true;
  double sum = 0, fixed = 0;
  for (int k = 0; k < 10000; ++k) {
    double value = zrtA_random(), numbered = zrtA_ran(k);
    good &= 0 <= value && value < 1 && 0 <= numbered && numbered < 1;
    sum += value;
    fixed += numbered;
  }
  int64_t bits;
  std::memcpy(&bits, &sum, sizeof bits);
  return good && agreed(bits) && 4900 < sum && sum < 5100 && 4900 < fixed &&
         fixed < 5100 && zrtA_ran(3) == zrtA_ran(3);
}

bool checkMemory() {
  bool good = true;
  for (int64_t bytes : {-1, 0, 1, 1000, 3 << 20}) {
    char *memory = static_cast<char *>(zrtA_memory_new(bytes, "table", &here));
    good &= reinterpret_cast<uintptr_t>(memory) % 64 == 0;
    for (int64_t k = 0; k < bytes; ++k)
      good &= memory[k] == 0;
    if (bytes > 0)
      std::memset(memory, 1, static_cast<size_t>(bytes));
    zrtA_memory_free(memory, &here);
  }
  zrtA_memory_free(nullptr, &here);
  return good;
}

void entry() {
  failAlone();
  uint8_t good[3] = {checkStrings(), checkRandom(), checkMemory()};
  for (uint8_t &one : good)
    zrtA_reduce(&one, ZRT_BOOL, ZRT_AND, nullptr, &here);
  char text[100];
  int length =
      std::snprintf(text, sizeof text, "strings %d random %d memory %d %.3f\n",
                    good[0], good[1], good[2], zrtA_random());
  zrtA_write_text(ZRT_ZOUT, text, length, &here);
}

} // namespace

int main(int argc, char **argv) {
  const zrt_config configs[] = {{"fail", &Failure, "nothing", ""},
                                {"who", &hand::Integer, "0", ""}};
  return hand::runProgram(argc, argv, "checks", configs, initialize, entry);
}
