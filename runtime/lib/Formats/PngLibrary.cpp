//===- PngLibrary.cpp - The functions of libpng ---------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     dlsym(library, "png_write_row")    as    decltype(&png_write_row)
//
// libpng reports an error by a call that must not return. It jumps back to the
// setjmp before the call of libpng; in between there are frames of libpng only,
// and of functions here without anything to destroy.
//
//===----------------------------------------------------------------------===//

#include "Formats/PngLibrary.h"

#include <cstring>
#include <dlfcn.h>

namespace zrt {

std::string PngLibrary::find(void *handle) {
  std::string missing;
#define ZRT_PNG_FUNCTION(name)                                                 \
  name = reinterpret_cast<decltype(::name) *>(dlsym(handle, #name));           \
  if (!name)                                                                   \
  missing = #name
  ZRT_PNG_FUNCTION(png_create_info_struct);
  ZRT_PNG_FUNCTION(png_create_read_struct);
  ZRT_PNG_FUNCTION(png_create_write_struct);
  ZRT_PNG_FUNCTION(png_destroy_read_struct);
  ZRT_PNG_FUNCTION(png_destroy_write_struct);
  ZRT_PNG_FUNCTION(png_error);
  ZRT_PNG_FUNCTION(png_get_error_ptr);
  ZRT_PNG_FUNCTION(png_get_io_ptr);
  ZRT_PNG_FUNCTION(png_get_rowbytes);
  ZRT_PNG_FUNCTION(png_read_end);
  ZRT_PNG_FUNCTION(png_read_info);
  ZRT_PNG_FUNCTION(png_read_row);
  ZRT_PNG_FUNCTION(png_read_update_info);
  ZRT_PNG_FUNCTION(png_set_IHDR);
  ZRT_PNG_FUNCTION(png_set_PLTE);
  ZRT_PNG_FUNCTION(png_set_expand_gray_1_2_4_to_8);
  ZRT_PNG_FUNCTION(png_set_interlace_handling);
  ZRT_PNG_FUNCTION(png_set_palette_to_rgb);
  ZRT_PNG_FUNCTION(png_set_read_fn);
  ZRT_PNG_FUNCTION(png_set_strip_alpha);
  ZRT_PNG_FUNCTION(png_set_user_limits);
  ZRT_PNG_FUNCTION(png_set_write_fn);
  ZRT_PNG_FUNCTION(png_write_end);
  ZRT_PNG_FUNCTION(png_write_info);
  ZRT_PNG_FUNCTION(png_write_row);
#undef ZRT_PNG_FUNCTION
  return missing;
}

const PngLibrary *PngLibrary::load(std::string &error) {
  static std::string Reason;
  static const PngLibrary *const Library = []() -> const PngLibrary * {
    void *handle = dlopen("libpng16.so.16", RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
      Reason = std::string("pictures need libpng, which cannot be loaded: ") +
               dlerror();
      return nullptr;
    }
    static PngLibrary Loaded; // stays so
    std::string missing = Loaded.find(handle);
    if (missing.empty())
      return &Loaded;
    Reason = "libpng has no function " + missing;
    return nullptr;
  }();
  error = Reason;
  return Library;
}

void pngFailed(png_structp png, png_const_charp message) {
  std::string ignored;
  const PngLibrary *library = PngLibrary::load(ignored);
  auto *errors = static_cast<PngErrors *>(library->png_get_error_ptr(png));
  std::strncpy(errors->message, message, sizeof errors->message - 1);
  std::longjmp(errors->back, 1);
}

void pngWarned(png_structp, png_const_charp) {}

} // namespace zrt
