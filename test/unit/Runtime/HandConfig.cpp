//===- HandConfig.cpp - Config variables of all kinds ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program over zrt/Abi.h that declares these and prints them:
//
//     type class = (S, W, A);  point = record x, y: double; tag: char; end;
//     config var n: integer = 3;
//                half: integer = n / 2;           -- sees the n that was given
//                kind: class = W;
//                origin: point = {1, 2, 't'};
//                size: array [S..A] of integer = {8, 16, 32};
//                table: array [1..n, 0..1] of ubyte;
//                z: dcomplex;  q: quad;  title: string = "none";
//
//===----------------------------------------------------------------------===//

#include "HandProgram.h"

#include <cstddef>
#include <cstdio>
#include <string>

namespace {

const zrt_loc here = {"config.z", 1, 1};

struct Point {
  double x, y;
  char tag;
};

constexpr zrt_enumerator Classes[] = {{"S", 0}, {"W", 1}, {"A", 2}};
constexpr zrt_type Class = hand::enumeration("class", Classes);
constexpr zrt_field Fields[] = {{"x", offsetof(Point, x), &hand::Double},
                                {"y", offsetof(Point, y), &hand::Double},
                                {"tag", offsetof(Point, tag), &hand::Char}};
constexpr zrt_type PointType = hand::record("point", sizeof(Point), Fields);
constexpr zrt_range SizeBounds[] = {{0, 2}};
constexpr const zrt_type *ByClass[] = {&Class};
constexpr zrt_type Sizes = hand::array(hand::Integer, 12, SizeBounds, ByClass);
zrt_range tableBounds[] = {{0, 0}, {0, 0}};
zrt_type tableType = hand::array(hand::UByte, 0, tableBounds);

int32_t n, half, kind, size[3];
Point origin;
uint8_t *table;
double z[2];
long double q;
const char *title;

void initialize() {
  if (!zrtA_config_given(0, &n))
    n = 3;
  if (!zrtA_config_given(1, &half))
    half = n / 2;
  if (!zrtA_config_given(2, &kind))
    kind = 1;
  if (!zrtA_config_given(3, &origin)) {
    origin = {1, 2, 't'};
    zrtA_config_parts(3, &origin);
  }
  if (!zrtA_config_given(4, size)) {
    size[0] = 8, size[1] = 16, size[2] = 32;
    zrtA_config_parts(4, size);
  }
  tableBounds[0] = {1, n};
  tableBounds[1] = {0, 1};
  tableType.size = 2 * n;
  table = static_cast<uint8_t *>(zrtA_memory_new(2 * n, "table", &here));
  zrtA_config_parts(5, table);
  if (!zrtA_config_given(6, z))
    zrtA_config_parts(6, z);
  zrtA_config_given(7, &q);
  if (!zrtA_config_given(8, &title))
    title = "none";
}

void entry() {
  char line[500];
  int length = std::snprintf(
      line, sizeof line,
      "n=%d half=%d kind=%d origin=%g,%g,%c size=%d,%d,%d z=%g%+gi q=%Lg "
      "title='%s' table=",
      n, half, kind, origin.x, origin.y, origin.tag, size[0], size[1], size[2],
      z[0], z[1], q, title);
  std::string text(line, static_cast<size_t>(length));
  for (int k = 0; k < 2 * n; ++k)
    text += std::to_string(table[k]) + (k + 1 < 2 * n ? "," : "\n");
  zrtA_memory_free(table, &here);
  zrtA_write_text(ZRT_ZOUT, text.data(), static_cast<int64_t>(text.size()),
                  &here);
}

} // namespace

int main(int argc, char **argv) {
  const zrt_config configs[] = {{"n", &hand::Integer, "3", "how many"},
                                {"half", &hand::Integer, "n / 2", ""},
                                {"kind", &Class, "W", ""},
                                {"origin", &PointType, "{1, 2, 't'}", ""},
                                {"size", &Sizes, "{8, 16, 32}", "per class"},
                                {"table", &tableType, "0", ""},
                                {"z", &hand::DComplex, "0", ""},
                                {"q", &hand::Quad, "0", ""},
                                {"title", &hand::String, "\"none\"", ""}};
  return hand::runProgram(argc, argv, "config", configs, initialize, entry);
}
