//===- NumpyHeader.h - What NumPy's files begin with ------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_FORMATS_NUMPYHEADER_H
#define ZRT_FORMATS_NUMPYHEADER_H

#include "Formats/Element.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace zrt {

/// The array in a file, as its header describes it.
struct NumpyArray {
  std::string descr;              ///< the elements, as written: "<f8"
  std::optional<Element> element; ///< none: the language has no such type
  bool isSwapped = false;     ///< the bytes are in the order that is not ours
  bool isFortran = false;     ///< the first dimension is the fastest
  std::vector<int64_t> shape; ///< empty: a scalar
};

/// NumPy's name of a type, "<f8".
const char *descriptorOf(Element element);

/// `(3, 5)`; `(3,)` for one dimension.
std::string numpyShape(const std::vector<int64_t> &shape);

/// The header, version 1.0, of a file with such an array.
std::string numpyHeader(Element element, const std::vector<int64_t> &shape,
                        bool isFortran = false);

/// Whether the part of a name, `a.npy:fortran`, asks for Fortran's order. What
/// is wrong, as the rest of a sentence that begins with the file's name, or "".
std::string numpyOrder(std::string_view part, bool &isFortran);

/// Reads the dictionary of a header; false if it is none.
bool parseNumpy(std::string_view dictionary, NumpyArray &found);

/// Takes as many bytes as are wanted, or there are; says how many.
using ByteSource = std::function<size_t(char *, size_t)>;

/// Takes the header that \p source begins with, version 1 to 3. What is wrong,
/// as the rest of a sentence that begins with the file's name; null: nothing.
const char *takeNumpyHeader(const ByteSource &source, NumpyArray &found);

} // namespace zrt

#endif // ZRT_FORMATS_NUMPYHEADER_H
