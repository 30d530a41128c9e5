//===- VtkHeader.h - What VTK's image files begin with ----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_FORMATS_VTK_VTKHEADER_H
#define ZRT_FORMATS_VTK_VTKHEADER_H

#include "Formats/FileStore.h"

namespace zrt {

/// An array in a file of image data.
struct VtkArray {
  std::string name;
  std::string type; ///< VTK's: "Float64"
  std::string format = "appended";
  int64_t components = 1;
  int64_t offset = 0; ///< of its block in the appended data
  bool isOfCells = false;
  size_t begin = 0, end = 0; ///< of what stands in the text, if not appended
};

/// What is written before the elements.
struct VtkHeader {
  int64_t extent[6] = {}; ///< first and last index of x, y and z
  double origin[3] = {0, 0, 0}, spacing[3] = {1, 1, 1};
  bool isBigEndian = false;
  bool isBase64 = false;     ///< the appended data
  bool isCompressed = false; ///< all data
  int lengthBytes = 4;       ///< of the length before each block
  int64_t dataStart = -1;    ///< where the appended data begin; -1: none
  std::vector<VtkArray> arrays;
};

/// VTK's name of a type; null if there is none.
const char *vtkTypeOf(Element element);
/// The element of that name, if any.
std::optional<Element> vtkElement(std::string_view type);

/// A tag of XML with what stands in it.
struct XmlTag {
  std::string name; ///< "/Piece" at the end of a Piece
  std::vector<std::pair<std::string, std::string>> values;
  size_t end = 0; ///< of the tag, in the text

  /// Empty if there is none.
  std::string value(std::string_view name) const;
};

/// The first tag from \p at on; false if there is none that ends.
bool nextXmlTag(std::string_view text, size_t at, XmlTag &tag);
/// With & and others as they must be written.
std::string xmlText(std::string_view text);

/// Reads the header of a file that begins with \p text, up to the underscore
/// before appended data. What is wrong, the rest of a sentence, or "".
std::string parseVtkHeader(std::string_view text, VtkHeader &header);

/// The text for arrays that are appended, raw, the first block at
/// header.dataStart; filled with blanks up to there. Empty: it does not fit.
std::string vtkHeaderText(const VtkHeader &header);

/// What stands behind the last block.
inline constexpr std::string_view VtkEnd = "\n  </AppendedData>\n</VTKFile>\n";

} // namespace zrt

#endif // ZRT_FORMATS_VTK_VTKHEADER_H
