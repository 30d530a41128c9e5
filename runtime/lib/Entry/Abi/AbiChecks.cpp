//===- AbiChecks.cpp - Entries for failed checks --------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Generated code tests inline and comes here only to fail:
//
//     if (i < 1 || i > n) zrtA_fail_subscript("table", 0, i, 1, n, &loc);
//
//     prog: f.z:7:3: error: index 12 in dimension 1 of table is outside 1..10
//
// Such code may run for the elements of one processor alone, so the errors are
// local: whoever comes first reports, and takes the others along. For what a
// `check-that` tests the code says whether all processors find it.
//
//===----------------------------------------------------------------------===//

#include "Support/Error.h"
#include "zrt/Abi.h"

#include <cinttypes>
#include <string>

using namespace zrt;

extern "C" {

void zrtA_fail_subscript(const char *what, int32_t dim, int64_t index,
                         int64_t lo, int64_t hi, const zrt_loc *loc) {
  if (lo > hi)
    fatal(loc, ErrorScope::Local,
          "index %" PRId64 " in dimension %" PRId32
          " of %s, which has no elements",
          index, dim + 1, what);
  fatal(loc, ErrorScope::Local,
        "index %" PRId64 " in dimension %" PRId32 " of %s is outside %" PRId64
        "..%" PRId64,
        index, dim + 1, what, lo, hi);
}

void zrtA_fail_bounds(const char *what, int32_t dim, int64_t lo, int64_t hi,
                      const zrt_loc *loc) {
  fatal(loc, ErrorScope::Local,
        "bounds %" PRId64 "..%" PRId64 " in dimension %" PRId32
        " of %s: an empty array ends one before it begins",
        lo, hi, dim + 1, what);
}

void zrtA_fail_division(const zrt_loc *loc) {
  fatal(loc, ErrorScope::Local, "integer division by zero");
}

void zrtA_fail_overflow(int64_t left, const char *op, int64_t right,
                        const char *type, const zrt_loc *loc) {
  fatal(loc, ErrorScope::Local, "%" PRId64 " %s %" PRId64 " does not fit %s",
        left, op, right, type);
}

void zrtA_fail_conversion(double value, const char *type, const zrt_loc *loc) {
  fatal(loc, ErrorScope::Local, "%.17g does not fit %s", value, type);
}

void zrtA_fail_that(const char *text, int64_t a, int64_t b, int32_t replicated,
                    const zrt_loc *loc) {
  std::string message = text;
  for (int64_t value : {a, b})
    if (size_t place = message.find("{}"); place != std::string::npos)
      message.replace(place, 2, std::to_string(value));
  fatal(loc, replicated ? ErrorScope::Replicated : ErrorScope::Local, "%s",
        message.c_str());
}

void zrtA_fail_shape(const char *a, int64_t extentA, const char *b,
                     int64_t extentB, int32_t dim, const zrt_loc *loc) {
  fatal(loc, ErrorScope::Local,
        "%s has extent %" PRId64 " in dimension %" PRId32
        ", but %s has extent %" PRId64,
        a, extentA, dim + 1, b, extentB);
}

} // extern "C"
