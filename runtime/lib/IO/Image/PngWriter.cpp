//===- PngWriter.cpp - Pictures in files ----------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The border to libpng, which is loaded when the first picture is written:
// programs start without it, and are not linked with it. Its functions are
// found by name,
//
//     dlsym(library, "png_write_row")    as    decltype(&png_write_row)
//
// so that the compiler still checks their use against png.h. Bytes go through
// the file's own output, whose errors are those of every write; libpng's errors
// end the run, so they need not jump back.
//
//===----------------------------------------------------------------------===//

#include "IO/Image/PngWriter.h"

#include "Support/Error.h"

#include <dlfcn.h>
#include <png.h>

namespace zrt {

/// The functions of libpng that are used.
class PngLibrary {
public:
  explicit PngLibrary(const zrt_loc *loc)
      : loc(loc), handle(dlopen("libpng16.so.16", RTLD_NOW | RTLD_LOCAL)) {
    if (!handle)
      fatal(loc, ErrorScope::Replicated,
            "pictures need libpng, which cannot be loaded: %s", dlerror());
  }

private:
  template <typename Function> Function *find(const char *name) const {
    void *function = dlsym(handle, name);
    if (!function)
      fatal(loc, ErrorScope::Replicated, "libpng has no function %s", name);
    return reinterpret_cast<Function *>(function);
  }

  const zrt_loc *loc;
  void *handle; ///< stays loaded

public:
#define ZRT_PNG_FUNCTION(name)                                                 \
  decltype(::name) *const name = find<decltype(::name)>(#name)
  ZRT_PNG_FUNCTION(png_create_info_struct);
  ZRT_PNG_FUNCTION(png_create_write_struct);
  ZRT_PNG_FUNCTION(png_destroy_write_struct);
  ZRT_PNG_FUNCTION(png_get_io_ptr);
  ZRT_PNG_FUNCTION(png_set_IHDR);
  ZRT_PNG_FUNCTION(png_set_PLTE);
  ZRT_PNG_FUNCTION(png_set_user_limits);
  ZRT_PNG_FUNCTION(png_set_write_fn);
  ZRT_PNG_FUNCTION(png_write_end);
  ZRT_PNG_FUNCTION(png_write_info);
  ZRT_PNG_FUNCTION(png_write_row);
#undef ZRT_PNG_FUNCTION
};

namespace {

/// The library, loaded by the first call.
const PngLibrary &pngLibrary(const zrt_loc *loc) {
  static const PngLibrary Library(loc);
  return Library;
}

void writeBytes(png_structp png, png_bytep data, png_size_t bytes) {
  auto *file = static_cast<File *>(pngLibrary(nullptr).png_get_io_ptr(png));
  file->write({reinterpret_cast<const char *>(data), bytes});
}

void flushBytes(png_structp) {}

void ignoreWarning(png_structp, png_const_charp) {}

[[noreturn]] void fail(png_structp, png_const_charp message) {
  fatal(nullptr, ErrorScope::Replicated, "libpng: %s", message);
}

} // namespace

struct PngWriter::Picture {
  const PngLibrary &library;
  png_structp png;
  png_infop info;
};

PngWriter::PngWriter(File &file, int64_t width, int64_t height,
                     const std::vector<Colour> &colours) {
  const PngLibrary &library = pngLibrary(file.loc());
  png_structp png = library.png_create_write_struct(
      PNG_LIBPNG_VER_STRING, nullptr, fail, ignoreWarning);
  png_infop info = png ? library.png_create_info_struct(png) : nullptr;
  if (!info)
    fatal(file.loc(), ErrorScope::Replicated,
          "libpng is not of version %s, or memory is short",
          PNG_LIBPNG_VER_STRING);
  picture = std::make_unique<Picture>(Picture{library, png, info});
  library.png_set_write_fn(png, &file, writeBytes, flushBytes);
  library.png_set_user_limits(png, MostPixels, MostPixels);
  library.png_set_IHDR(png, info, static_cast<png_uint_32>(width),
                       static_cast<png_uint_32>(height), 8,
                       PNG_COLOR_TYPE_PALETTE, PNG_INTERLACE_NONE,
                       PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  std::vector<png_color> palette;
  for (Colour colour : colours)
    palette.push_back({colour.red, colour.green, colour.blue});
  library.png_set_PLTE(png, info, palette.data(),
                       static_cast<int>(palette.size()));
  library.png_write_info(png, info);
}

PngWriter::~PngWriter() {
  picture->library.png_destroy_write_struct(&picture->png, &picture->info);
}

void PngWriter::writeRow(const uint8_t *pixels) {
  picture->library.png_write_row(picture->png, pixels);
}

void PngWriter::finish() {
  picture->library.png_write_end(picture->png, nullptr);
}

} // namespace zrt
