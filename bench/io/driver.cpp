//===- driver.cpp - File statements of the runtime, timed -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a compiled program calls for
//
//     f := open(path, file_write); write(f, A); close(f);
//
// and for bwrite and bread, with A over [1..n, 1..n] of doubles:
//
//     driver --task=text --n=3163 --path=FILE -p2
//     driver --task=binary --n=11585 --path=FILE
//
// prints the seconds as the peers text.c and binary.c do.
//
//===----------------------------------------------------------------------===//

#include "zrt/Abi.h"

#include <algorithm>
#include <cstring>

namespace {

const zrt_loc here = {"driver.z", 1, 1};
const zrt_type integerType = {ZRT_I32, 0,       4,       "integer", nullptr,
                              nullptr, nullptr, nullptr, nullptr};
const zrt_type doubleType = {ZRT_F64, 0,       8,       "double", nullptr,
                             nullptr, nullptr, nullptr, nullptr};
const zrt_type stringType = {ZRT_STR, 0,       8,       "string", nullptr,
                             nullptr, nullptr, nullptr, nullptr};

int32_t n = 1000;
const char *task = "text", *path = "driver.tmp";
zrt_region R;
zrt_array A;

void initialize() {
  zrtA_config_given(0, &n);
  zrtA_config_given(1, &task);
  zrtA_config_given(2, &path);
  R = {};
  R.rank = 2;
  R.dim[0] = R.dim[1] = {1, n};
  zrtA_region_declare(&R);
  zrtA_array_new(&A, &R, &doubleType, nullptr, "A", &here);
  const zrt_range *own = zrtA_domain(2)->own;
  for (int64_t i = std::max<int64_t>(1, own[0].lo);
       i <= std::min<int64_t>(n, own[0].hi); ++i)
    for (int64_t j = std::max<int64_t>(1, own[1].lo);
         j <= std::min<int64_t>(n, own[1].hi); ++j)
      *reinterpret_cast<double *>(A.origin + i * A.pitch[0] + j * A.pitch[1]) =
          double((i - 1) * 37 + (j - 1) * 101 -
                 ((i - 1) * 37 + (j - 1) * 101) / 10007 * 10007) *
              0.37 -
          1000;
}

/// Seconds of \p body on all processors, printed.
template <typename Body> void timed(const char *format, Body body) {
  zrt_timer timer = {};
  zrtA_timer_start(&timer, 1);
  body();
  int32_t all = 0;
  zrtA_reduce(&all, ZRT_I32, ZRT_SUM);
  zrtA_timer_stop(&timer);
  double seconds = zrtA_timer_read(&timer);
  zrtA_write(ZRT_ZOUT, format, &seconds, &doubleType, &here);
}

void entry() {
  bool text = std::strcmp(task, "text") == 0;
  timed(text ? "%.3f\n" : "%.3f ", [&] {
    zrt_file f = zrtA_open(path, ZRT_FILE_WRITE, &here);
    if (text)
      zrtA_write_array(f, nullptr, &A, &R, &here);
    else
      zrtA_bwrite_array(f, &A, &R, &here);
    zrtA_close(f, &here);
  });
  if (!text)
    timed("%.3f\n", [&] {
      zrt_file f = zrtA_open(path, ZRT_FILE_READ, &here);
      zrtA_bread_array(f, &A, &R, &here);
      zrtA_close(f, &here);
    });
  zrtA_array_free(&A);
}

} // namespace

int main(int argc, char **argv) {
  const zrt_config configs[] = {
      {"n", &integerType, "1000", "rows and columns"},
      {"task", &stringType, "text", "text or binary"},
      {"path", &stringType, "driver.tmp", "the file"}};
  const zrt_program program = {"driver", nullptr,    "",   configs,
                               3,        initialize, entry};
  return zrtA_main(argc, argv, &program);
}
