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
#include "Formats/StaticLink.h"

#include <cstring>
#include <dlfcn.h>

namespace zrt {

std::string PngLibrary::find(void *handle) {
  std::string missing;
#define ZRT_PNG_FUNCTION(name)                                                 \
  name = reinterpret_cast<decltype(::name) *>(dlsym(handle, #name));           \
  if (!name)                                                                   \
    missing = #name;
#include "Formats/PngFunctions.def"
  return missing;
}

const PngLibrary *PngLibrary::load(std::string &error) {
  static std::string Reason;
  static const PngLibrary *const Library = []() -> const PngLibrary * {
    if (isLinkedStatically()) {
      Reason = "pictures need libpng, which an executable that is linked with "
               "-static cannot load";
      return nullptr;
    }
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
