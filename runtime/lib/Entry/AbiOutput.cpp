//===- AbiOutput.cpp - Entries for output and the end of a run ------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// write and writeln: `writeln("x = %d": x, A)` calls
//
//     zrtA_write_integer(ZRT_OUT, "x = %d", x, 32, &loc);
//     zrtA_write_array(ZRT_OUT, NULL, &A, &R, &loc);
//     zrtA_write_text(ZRT_OUT, "\n", 1);
//
// Scalars are replicated, so processor 0 alone formats and writes them; formats
// are checked on all processors, which thus agree on errors.
//
//===----------------------------------------------------------------------===//

#include "Collective/Collective.h"
#include "Entry/Legality.h"
#include "Entry/Process.h"
#include "IO/ArrayWriter.h"
#include "IO/Format.h"
#include "Support/Error.h"

using namespace zrt;

/// The format to use: \p text read into \p own, or the default.
static const Format &chooseFormat(const char *text, int32_t type, bool element,
                                  Format &own, const zrt_loc *loc) {
  if (!text)
    return defaultFormat(type, element);
  std::string error;
  if (!parseFormat(text, type, own, error))
    fatal(loc, ErrorScope::Replicated, "%s", error.c_str());
  return own;
}

/// Writes one scalar; \p append puts its text behind a string.
template <typename Append>
static void writeScalar(int32_t stream, const char *format, int32_t type,
                        const zrt_loc *loc, Append append) {
  Format own;
  const Format &chosen = chooseFormat(format, type, false, own, loc);
  if (!process().isFirst())
    return;
  std::string text;
  append(text, chosen);
  process().output.write(stream, text);
}

extern "C" {

void zrtA_write_text(int32_t stream, const char *text, int64_t length) {
  process().write(stream, {text, static_cast<size_t>(length)});
}

void zrtA_write_integer(int32_t stream, const char *format, int64_t value,
                        int32_t bits, const zrt_loc *loc) {
  writeScalar(stream, format, bits == 32 ? ZRT_I32 : ZRT_I64, loc,
              [=](std::string &text, const Format &chosen) {
                appendInteger(text, chosen, value, bits);
              });
}

void zrtA_write_float(int32_t stream, const char *format, double value,
                      const zrt_loc *loc) {
  writeScalar(stream, format, ZRT_F64, loc,
              [=](std::string &text, const Format &chosen) {
                appendFloat(text, chosen, value);
              });
}

void zrtA_write_boolean(int32_t stream, const char *format, int8_t value,
                        const zrt_loc *loc) {
  writeScalar(stream, format, ZRT_BOOL, loc,
              [=](std::string &text, const Format &chosen) {
                appendBoolean(text, chosen, value != 0);
              });
}

void zrtA_write_string(int32_t stream, const char *format, const char *value,
                       const zrt_loc *loc) {
  writeScalar(stream, format, ZRT_STR, loc,
              [=](std::string &text, const Format &chosen) {
                appendString(text, chosen, value);
              });
}

void zrtA_write_array(int32_t stream, const char *format,
                      const zrt_array *array, const zrt_region *region,
                      const zrt_loc *loc) {
  Process &p = process();
  Format own;
  const Format &chosen = chooseFormat(format, array->type, true, own, loc);
  zrtA_check_read(array, region, nullptr, array->name ? array->name : "array",
                  loc);
  writeArray(*p.transport, p.distribution(region->rank), p.output, stream,
             chosen, *array, boxOf(*region));
}

void zrtA_halt(void) {
  Process &p = process();
  if (p.isFirst())
    p.output.flush();
  barrier(*p.transport); // what was written is out
  p.transport->abort(1);
}

void zrtA_missing_return(const char *name, const zrt_loc *loc) {
  fatal(loc, ErrorScope::Replicated, "function %s ended without return", name);
}

} // extern "C"
