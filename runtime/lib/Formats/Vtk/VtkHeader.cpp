//===- VtkHeader.cpp - What VTK's image files begin with ------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     <VTKFile type="ImageData" byte_order="LittleEndian" header_type="UInt64">
//       <ImageData WholeExtent="0 4 0 2 0 0" Origin="1 1 0" Spacing="1 1 1">
//         <Piece Extent="0 4 0 2 0 0">
//           <PointData Scalars="T">
//             <DataArray type="Float64" Name="T" format="appended" offset="0"/>
//           </PointData>
//         </Piece>
//       </ImageData>
//       <AppendedData encoding="raw">
//                     _ eight bytes with the length, the elements, the next block
//       </AppendedData>
//     </VTKFile>
//
// is the array T over [1..3, 1..5]: x is the last dimension, and the points are
// where the indices say. There is room between the description and the data, so
// that arrays can be added without moving those that are there.
//
// Read are the parts of XML that VTK writes: tags and comments.
//
//===----------------------------------------------------------------------===//

#include "Formats/Vtk/VtkHeader.h"

#include <bit>
#include <cstdio>
#include <cstdlib>

namespace zrt {

namespace {

struct NamedElement {
  Element element;
  const char *name;
};

constexpr NamedElement VtkTypes[] = {
    {Element::I8, "Int8"},     {Element::U8, "UInt8"},
    {Element::I16, "Int16"},   {Element::U16, "UInt16"},
    {Element::I32, "Int32"},   {Element::U32, "UInt32"},
    {Element::I64, "Int64"},   {Element::U64, "UInt64"},
    {Element::F32, "Float32"}, {Element::F64, "Float64"},
    {Element::Bool, "UInt8"}};

constexpr std::pair<char, const char *> XmlNames[] = {{'&', "&amp;"},
                                                      {'<', "&lt;"},
                                                      {'>', "&gt;"},
                                                      {'"', "&quot;"},
                                                      {'\'', "&apos;"}};

} // namespace

const char *vtkTypeOf(Element element) {
  for (const NamedElement &type : VtkTypes)
    if (type.element == element)
      return type.name;
  return nullptr;
}

std::optional<Element> vtkElement(std::string_view name) {
  for (const NamedElement &type : VtkTypes)
    if (name == type.name)
      return type.element;
  return std::nullopt;
}

std::string xmlText(std::string_view text) {
  std::string result;
  for (char c : text) {
    const char *name = nullptr;
    for (auto [special, written] : XmlNames)
      if (c == special)
        name = written;
    result += name ? std::string(name) : std::string(1, c);
  }
  return result;
}

static std::string plainText(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    char c = text[0];
    size_t length = 1;
    for (auto [special, written] : XmlNames)
      if (text.starts_with(written)) {
        c = special;
        length = std::string_view(written).size();
      }
    result += c;
    text.remove_prefix(length);
  }
  return result;
}

std::string XmlTag::value(std::string_view wanted) const {
  for (const auto &[key, text] : values)
    if (key == wanted)
      return text;
  return "";
}

static bool isXmlBlank(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/// Reads `key="value" ...` up to the end of the tag.
static bool parseXmlValues(std::string_view text, size_t at, XmlTag &tag) {
  while (true) {
    while (at < text.size() &&
           (isXmlBlank(text[at]) || text[at] == '/' || text[at] == '?'))
      ++at;
    if (at >= text.size())
      return false;
    if (text[at] == '>') {
      tag.end = at + 1;
      return true;
    }
    size_t equal = text.find('=', at);
    if (equal == text.npos || equal + 1 >= text.size())
      return false;
    std::string_view key = text.substr(at, equal - at);
    while (!key.empty() && isXmlBlank(key.back()))
      key.remove_suffix(1);
    size_t open = text.find_first_of("\"'", equal);
    size_t close = open == text.npos ? open : text.find(text[open], open + 1);
    if (close == text.npos)
      return false;
    tag.values.emplace_back(key,
                            plainText(text.substr(open + 1, close - open - 1)));
    at = close + 1;
  }
}

bool nextXmlTag(std::string_view text, size_t at, XmlTag &tag) {
  size_t begin = text.find('<', at);
  while (begin != text.npos && text.substr(begin).starts_with("<!--")) {
    size_t end = text.find("-->", begin);
    begin = end == text.npos ? end : text.find('<', end);
  }
  if (begin == text.npos)
    return false;
  size_t end = text.find_first_of(" \n\t\r>", begin);
  if (end == text.npos)
    return false;
  std::string_view name = text.substr(begin + 1, end - begin - 1);
  if (name.size() > 1 && name.back() == '/')
    name.remove_suffix(1);
  tag = XmlTag();
  tag.name = name;
  return parseXmlValues(text, end, tag);
}

/// Numbers between blanks; false unless there are so many.
template <typename Number>
static bool parseNumbers(const std::string &text, Number *to, int count) {
  const char *at = text.c_str();
  for (int k = 0; k < count; ++k) {
    char *end;
    to[k] = static_cast<Number>(std::strtod(at, &end));
    if (end == at)
      return false;
    at = end;
  }
  return true;
}

namespace {

/// What is known while the tags come one after the other.
struct HeaderParser {
  VtkHeader &header;
  std::string_view text;
  bool isOfCells = false, isInside = false, hasFile = false;
  int pieces = 0;

  /// What is wrong, or "".
  std::string take(const XmlTag &tag) {
    if (tag.name == "VTKFile")
      return takeFile(tag);
    if (tag.name == "ImageData")
      return takeImage(tag);
    if (tag.name == "Piece" && ++pieces > 1)
      return "has several pieces, of which VTK's other tools make one";
    if (tag.name == "PointData" || tag.name == "CellData") {
      isOfCells = tag.name == "CellData";
      isInside = true;
    }
    if (tag.name == "/PointData" || tag.name == "/CellData")
      isInside = false;
    if (tag.name == "DataArray" && isInside)
      takeArray(tag);
    if (tag.name == "AppendedData")
      takeAppended(tag);
    return "";
  }

private:
  std::string takeFile(const XmlTag &tag) {
    hasFile = true;
    if (tag.value("type") != "ImageData")
      return "holds '" + tag.value("type") + "', not VTK's image data";
    header.isBigEndian = tag.value("byte_order") == "BigEndian";
    header.lengthBytes = tag.value("header_type") == "UInt64" ? 8 : 4;
    header.isCompressed = !tag.value("compressor").empty();
    return "";
  }

  std::string takeImage(const XmlTag &tag) {
    if (!parseNumbers(tag.value("WholeExtent"), header.extent, 6))
      return "has image data without an extent";
    for (int d = 0; d < 3; ++d)
      if (header.extent[2 * d + 1] - header.extent[2 * d] < -1 ||
          header.extent[2 * d + 1] - header.extent[2 * d] > INT32_MAX)
        return "has image data with an impossible extent";
    parseNumbers(tag.value("Origin"), header.origin, 3);
    parseNumbers(tag.value("Spacing"), header.spacing, 3);
    return "";
  }

  void takeArray(const XmlTag &tag) {
    VtkArray array;
    array.name = tag.value("Name");
    array.type = tag.value("type");
    array.format = tag.value("format");
    array.isOfCells = isOfCells;
    std::string components = tag.value("NumberOfComponents");
    if (!components.empty())
      array.components = std::max(1L, std::atol(components.c_str()));
    array.offset = std::atoll(tag.value("offset").c_str());
    array.begin = tag.end;
    array.end = std::min(text.find('<', tag.end), text.size());
    header.arrays.push_back(array);
  }

  void takeAppended(const XmlTag &tag) {
    header.isBase64 = tag.value("encoding") == "base64";
    size_t start = text.find('_', tag.end);
    if (start != text.npos)
      header.dataStart = static_cast<int64_t>(start) + 1;
  }
};

} // namespace

std::string parseVtkHeader(std::string_view text, VtkHeader &header) {
  HeaderParser parser{header, text};
  XmlTag tag;
  for (size_t at = 0; nextXmlTag(text, at, tag); at = tag.end) {
    std::string reason = parser.take(tag);
    if (!reason.empty())
      return reason;
    if (tag.name == "AppendedData" || tag.name == "/VTKFile")
      return parser.hasFile ? "" : "is no file of VTK";
  }
  return parser.hasFile ? "ends within the description of its arrays"
                        : "is no file of VTK";
}

static std::string threeNumbers(const double *numbers) {
  char text[100];
  std::snprintf(text, sizeof text, "%.17g %.17g %.17g", numbers[0], numbers[1],
                numbers[2]);
  return text;
}

std::string vtkHeaderText(const VtkHeader &header) {
  std::string extent;
  for (int k = 0; k < 6; ++k)
    extent += (k > 0 ? " " : "") + std::to_string(header.extent[k]);
  std::string text = "<?xml version=\"1.0\"?>\n<VTKFile type=\"ImageData\" "
                     "version=\"1.0\" byte_order=\"";
  text +=
      std::endian::native == std::endian::big ? "BigEndian" : "LittleEndian";
  text += "\" header_type=\"UInt64\">\n  <ImageData WholeExtent=\"" + extent +
          "\" Origin=\"" + threeNumbers(header.origin) + "\" Spacing=\"" +
          threeNumbers(header.spacing) + "\">\n    <Piece Extent=\"" + extent +
          "\">\n      <PointData Scalars=\"" + xmlText(header.arrays[0].name) +
          "\">\n";
  for (const VtkArray &array : header.arrays)
    text += "        <DataArray type=\"" + array.type + "\" Name=\"" +
            xmlText(array.name) + "\" format=\"appended\" offset=\"" +
            std::to_string(array.offset) + "\"/>\n";
  text += "      </PointData>\n    </Piece>\n  </ImageData>\n"
          "  <AppendedData encoding=\"raw\">\n";
  size_t wanted = static_cast<size_t>(header.dataStart) - 1;
  if (text.size() > wanted)
    return "";
  text.resize(wanted, ' ');
  return text + "_";
}

} // namespace zrt
