//===- Numpy.cpp - Arrays in NumPy's files --------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `write(open("a.npy", file_write), A)` with A over [1..3, 0..4] makes a file
// that numpy.load reads as an array of shape (3, 5): six bytes "\x93NUMPY", the
// version 1.0, the length of the header in two bytes, and the header, a literal
// of Python,
//
//     {'descr': '<f8', 'fortran_order': False, 'shape': (3, 5), }
//
// filled with blanks and a newline so that the elements start at a multiple of
// 64 bytes. As NumPy does, it leaves room for the first extent to grow to 21
// digits. The elements follow as bwrite writes them.
//
// Reading takes versions 1 to 3, keys in any order, and compares: the type of
// the elements, their order, and the extents (indices have no place in the
// format) must be those of the array that is read.
//
//===----------------------------------------------------------------------===//

#include "IO/Binary/Numpy.h"

#include "Collective/Collective.h"
#include "IO/Binary/BinaryArray.h"
#include "Layout/Type.h"
#include "Support/Error.h"

#include <cstring>

namespace zrt {

static constexpr std::string_view Magic("\x93NUMPY", 6);
static constexpr size_t Alignment = 64, GrowthDigits = 21;
static constexpr size_t MostHeader = 64 * 1024;

/// NumPy's name of a type of elements; "" if it has none.
static const char *descriptorOf(const zrt_type &type) {
  switch (kindOf(type)) {
  case ZRT_BOOL:
    return "|b1";
  case ZRT_CHAR:
  case ZRT_U8:
    return "|u1";
  case ZRT_I8:
    return "|i1";
  case ZRT_I16:
    return "<i2";
  case ZRT_U16:
    return "<u2";
  case ZRT_I32:
  case ZRT_ENUM:
    return "<i4";
  case ZRT_U32:
    return "<u4";
  case ZRT_I64:
    return "<i8";
  case ZRT_U64:
    return "<u8";
  case ZRT_F32:
    return "<f4";
  case ZRT_F64:
    return "<f8";
  case ZRT_F80:
    return "<f16";
  case ZRT_C32:
    return "<c8";
  case ZRT_C64:
    return "<c16";
  case ZRT_C80:
    return "<c32";
  case ZRT_STR:
  case ZRT_FILE:
  case ZRT_RECORD:
  case ZRT_UNION:
  case ZRT_ARRAY:
  case ZRT_OPAQUE:
    return "";
  }
  internalError(__FILE__, __LINE__, "kind of an element");
}

/// `(3, 5)`, and `(3,)` for one dimension.
static std::string shapeText(const zrt_region &region) {
  Box box = boxOf(region);
  std::string text = "(";
  for (int d = 0; d < box.rank; ++d)
    text += (d > 0 ? ", " : "") + std::to_string(size(box.dim[d]));
  return text + (box.rank == 1 ? ",)" : ")");
}

bool numpyHeader(const zrt_type &type, const zrt_region &region,
                 std::string &header, std::string &error) {
  const char *descriptor = descriptorOf(type);
  if (!*descriptor) {
    error = "NumPy's format has no elements of type " + typeText(type);
    return false;
  }
  std::string text =
      std::string("{'descr': '") + descriptor +
      "', 'fortran_order': False, 'shape': " + shapeText(region) + ", }";
  text.append(GrowthDigits - std::to_string(size(boxOf(region).dim[0])).size(),
              ' ');
  size_t fixed = Magic.size() + 4;
  size_t end = fixed + text.size() + 1;
  text.append((Alignment - end % Alignment) % Alignment, ' ');
  text += '\n';
  header = Magic;
  header += {'\x01', '\0', static_cast<char>(text.size() & 0xff),
             static_cast<char>(text.size() >> 8)};
  header += text;
  return true;
}

namespace {

/// Reads the literal of Python in a header.
class Dictionary {
public:
  explicit Dictionary(std::string_view text) : rest(text) {}

  std::string descr; ///< as written, without quotes
  bool isFortran = false;
  std::vector<int64_t> shape;

  bool parse() {
    if (!take('{'))
      return false;
    while (!take('}')) {
      std::string key;
      if (!takeString(key) || !take(':') || !takeValue(key))
        return false;
      take(',');
    }
    return seen == 7; // each key once
  }

private:
  bool take(char wanted) {
    while (!rest.empty() && (rest[0] == ' ' || rest[0] == '\n'))
      rest.remove_prefix(1);
    if (rest.empty() || rest[0] != wanted)
      return false;
    rest.remove_prefix(1);
    return true;
  }

  bool takeString(std::string &value) {
    char quote = take('\'') ? '\'' : take('"') ? '"' : 0;
    size_t end = quote ? rest.find(quote) : rest.npos;
    if (end == rest.npos)
      return false;
    value = rest.substr(0, end);
    rest.remove_prefix(end + 1);
    return true;
  }

  bool takeWord(std::string_view word) {
    take(' ');
    if (rest.substr(0, word.size()) != word)
      return false;
    rest.remove_prefix(word.size());
    return true;
  }

  bool takeShape() {
    if (!take('('))
      return false;
    while (!take(')')) {
      int64_t extent = 0;
      bool digits = false;
      for (take(' '); !rest.empty() && '0' <= rest[0] && rest[0] <= '9';
           rest.remove_prefix(1), digits = true)
        if (__builtin_mul_overflow(extent, int64_t(10), &extent) ||
            __builtin_add_overflow(extent, int64_t(rest[0] - '0'), &extent))
          return false;
      if (!digits)
        return false;
      shape.push_back(extent);
      take(',');
    }
    return true;
  }

  bool takeValue(const std::string &key) {
    if (key == "shape") {
      seen |= 1;
      return takeShape();
    }
    if (key == "fortran_order") {
      seen |= 2;
      isFortran = takeWord("True");
      return isFortran || takeWord("False");
    }
    seen |= 4;
    if (key == "descr" && takeString(descr))
      return true;
    descr = "of several fields";
    return key == "descr" && skipList();
  }

  /// A list in brackets: the fields of a record.
  bool skipList() {
    if (!take('['))
      return false;
    int depth = 1;
    for (; depth > 0 && !rest.empty(); rest.remove_prefix(1))
      depth += rest[0] == '[' ? 1 : rest[0] == ']' ? -1 : 0;
    return depth == 0;
  }

  std::string_view rest;
  int seen = 0;
};

/// Whether the file's elements are those that are wanted: the byte order of
/// single bytes does not matter, '=' is this machine's, and bytes are bytes.
bool isSameElement(std::string_view found, std::string_view wanted) {
  if (found.size() < 2)
    return false;
  if (found == "|S1")
    return wanted == "|u1";
  bool order = found[0] == wanted[0] || found[0] == '=' || wanted[0] == '|' ||
               (found[0] == '<' && wanted[0] == '<');
  return order && found.substr(1) == wanted.substr(1);
}

} // namespace

bool matchesNumpy(std::string_view text, const zrt_type &type,
                  const zrt_region &region, std::string &error) {
  Dictionary found(text);
  if (!found.parse()) {
    error = "has a header that is not NumPy's";
    return false;
  }
  const char *wanted = descriptorOf(type);
  if (!isSameElement(found.descr, wanted)) {
    error = "has elements '" + found.descr + "', but those of type " +
            typeText(type) +
            (*wanted ? std::string(" are '") + wanted + "'"
                     : std::string(" have no place in NumPy's format"));
    return false;
  }
  std::string shape = "(";
  for (size_t d = 0; d < found.shape.size(); ++d)
    shape += (d > 0 ? ", " : "") + std::to_string(found.shape[d]);
  shape += found.shape.size() == 1 ? ",)" : ")";
  if (shape != shapeText(region)) {
    error = "has the shape " + shape + ", but the region is " +
            toString(region) + ", of shape " + shapeText(region);
    return false;
  }
  if (found.isFortran && region.rank > 1) {
    error = "is in Fortran's order, columns first; write it with NumPy's "
            "order='C'";
    return false;
  }
  return true;
}

void writeNumpy(ArrayIO &io, File &file) {
  std::string header, error;
  zrt_region region = fileRegion(io.covering, io.distribution);
  if (!numpyHeader(*io.array.type, region, header, error))
    fatal(file.loc(), ErrorScope::Replicated, "cannot write to %s: %s",
          file.name().c_str(), error.c_str());
  if (io.transport.rank() == 0)
    file.write(header);
  writeImages(io, file);
}

/// Takes the header's dictionary on processor 0; a reason if that fails.
static const char *takeHeader(InputBuffer &input, std::string &dictionary) {
  char start[8];
  if (input.take(start, sizeof start) < sizeof start ||
      std::string_view(start, Magic.size()) != Magic)
    return "is not in NumPy's format";
  if (start[6] < 1 || start[6] > 3)
    return "is of a version of NumPy's format that is not known";
  unsigned char length[4] = {};
  input.take(reinterpret_cast<char *>(length), start[6] == 1 ? 2 : 4);
  size_t bytes = length[0] | length[1] << 8 | length[2] << 16;
  if (length[3] != 0 || bytes > MostHeader)
    return "has a header that is too long";
  dictionary.resize(bytes);
  if (input.take(dictionary.data(), bytes) < bytes)
    return "ends within its header";
  return nullptr;
}

void readNumpy(ArrayIO &io, File &file) {
  std::string dictionary, error;
  if (io.transport.rank() == 0) {
    const char *reason = takeHeader(file.input, dictionary);
    if (reason)
      error = reason;
    zrt_region region = fileRegion(io.covering, io.distribution);
    if (reason || !matchesNumpy(dictionary, *io.array.type, region, error))
      fatal(file.loc(), ErrorScope::Replicated, "%s %s", file.name().c_str(),
            error.c_str());
  }
  readImages(io, file);
}

} // namespace zrt
