//===- VtkText.h - Elements that are written as text ------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_FORMATS_VTK_VTKTEXT_H
#define ZRT_FORMATS_VTK_VTKTEXT_H

#include "Formats/Element.h"

#include <string>
#include <string_view>
#include <vector>

namespace zrt {

/// Decodes \p count numbers between blanks. What is wrong, the rest of a
/// sentence about the file, or "".
std::string decodeNumbers(std::string_view text, Element element, int64_t count,
                          std::vector<char> &decoded);

/// Decodes the base64 text of a block: its length, in \p lengthBytes bytes, and
/// \p bytes bytes of elements.
std::string decodeBase64(std::string_view text, int lengthBytes, size_t bytes,
                         std::vector<char> &decoded);

/// Copies a box out of elements in row-major order: \p count indices from \p
/// first on in each dimension of \p shape.
void copyStoredBox(const char *elements, const std::vector<int64_t> &shape,
                   size_t elementSize, const int64_t *first,
                   const int64_t *count, char *to);

} // namespace zrt

#endif // ZRT_FORMATS_VTK_VTKTEXT_H
