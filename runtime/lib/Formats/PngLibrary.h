//===- PngLibrary.h - The functions of libpng -------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_FORMATS_PNGLIBRARY_H
#define ZRT_FORMATS_PNGLIBRARY_H

#include <csetjmp>
#include <png.h>
#include <string>

namespace zrt {

/// The functions of libpng that are used (PngFunctions.def). They are found by
/// name, so that programs start without the library and are not linked with it,
/// and typed by png.h, so that the compiler checks their use.
class PngLibrary {
public:
  /// The library, loaded by the first call; null, with a sentence in \p error,
  /// if that fails.
  static const PngLibrary *load(std::string &error);

#define ZRT_PNG_FUNCTION(name) decltype(::name) *name = nullptr;
#include "Formats/PngFunctions.def"

private:
  std::string find(void *handle);
};

/// Where libpng's errors go: back to the call that was made.
struct PngErrors {
  const PngLibrary *library = nullptr;
  std::jmp_buf back;
  char message[200] = ""; ///< of the error; "" without one
};

/// The handlers for png_create_..._struct, whose error pointer is a PngErrors.
[[noreturn]] void pngFailed(png_structp png, png_const_charp message);
void pngWarned(png_structp png, png_const_charp message);

inline constexpr int64_t MostPngPixels = 0x7fffffff; ///< in a row or column

} // namespace zrt

#endif // ZRT_FORMATS_PNGLIBRARY_H
