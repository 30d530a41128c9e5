//===- ValueText.cpp - Values of all types as text ------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scalars have a format, the program's or the default one. What is made of
// scalars is walked through:
//
//     a[]                 the elements in row-major order, each as a scalar
//     a record            {x: 1.5, k: 3, v: 1 2 3}
//     a union             as a record, all its fields
//
// Within a record the default texts lose the blanks around them and, floating
// ones, the zeros at their end, since there is a name before and a comma after;
// elements of an array in it are separated by one blank.
//
//===----------------------------------------------------------------------===//

#include "IO/Text/ValueText.h"

#include "IO/Text/NumberText.h"
#include "Layout/Box.h"
#include "Layout/Type.h"
#include "Support/Error.h"

#include <complex>
#include <cstring>
#include <string_view>

namespace zrt {

int64_t elementCount(const zrt_type &array) {
  int64_t count = 1;
  for (int32_t d = 0; d < array.count; ++d)
    count *= size(array.bounds[d]);
  return count;
}

namespace {

template <typename T> T load(const void *address) {
  T value;
  std::memcpy(&value, address, sizeof(T));
  return value;
}

void appendEnumeration(std::string &out, const Conversion &conversion,
                       const zrt_type &type, const void *address) {
  int64_t value = load<int32_t>(address);
  const zrt_enumerator *named = findEnumerator(type, value);
  appendText(out, conversion,
             named ? std::string(named->name) : std::to_string(value));
}

template <typename T, typename Printed>
void appendComplex(std::string &out, const Format &format,
                   const void *address) {
  auto value = load<std::complex<T>>(address);
  appendFloating(out, format.first, static_cast<Printed>(value.real()));
  out += format.between;
  appendFloating(out, format.second, static_cast<Printed>(value.imag()));
}

/// The value between the literal texts.
void appendConverted(std::string &out, const zrt_type &type,
                     const void *address, const Format &format) {
  const Conversion &conversion = format.first;
  switch (static_cast<zrt_kind>(type.kind)) {
  case ZRT_BOOL:
    if (conversion.letter == 's')
      return appendText(out, conversion,
                        load<uint8_t>(address) ? "true" : "false");
    break;
  case ZRT_ENUM:
    if (conversion.letter == 's')
      return appendEnumeration(out, conversion, type, address);
    break;
  case ZRT_CHAR:
  case ZRT_I8:
  case ZRT_U8:
  case ZRT_I16:
  case ZRT_U16:
  case ZRT_I32:
  case ZRT_U32:
  case ZRT_I64:
  case ZRT_U64:
    break;
  case ZRT_F32:
    return appendFloating(out, conversion, double(load<float>(address)));
  case ZRT_F64:
    return appendFloating(out, conversion, load<double>(address));
  case ZRT_F80:
    return appendFloating(out, conversion, load<long double>(address));
  case ZRT_C32:
    return appendComplex<float, double>(out, format, address);
  case ZRT_C64:
    return appendComplex<double, double>(out, format, address);
  case ZRT_C80:
    return appendComplex<long double, long double>(out, format, address);
  case ZRT_STR: {
    auto *text = load<const char *>(address);
    return appendText(out, conversion, text ? text : "");
  }
  case ZRT_FILE:
  case ZRT_RECORD:
  case ZRT_UNION:
  case ZRT_ARRAY:
  case ZRT_OPAQUE:
    internalError(__FILE__, __LINE__, "kind of a written value");
  }
  appendInteger(out, conversion, loadInteger(type.kind, address));
}

/// A default text without the blanks around it and, after a point, the zeros
/// at its end.
std::string_view withoutBlanks(std::string_view text) {
  size_t end = text.find_last_not_of(' ') + 1;
  if (text.find('.') != text.npos) {
    end = text.find_last_not_of('0', end - 1) + 1;
    end -= text[end - 1] == '.';
  }
  size_t begin = text.find_first_not_of(' ');
  return text.substr(begin, end - begin);
}

void appendMember(std::string &out, const zrt_type &type, const void *address);

void appendRecord(std::string &out, const zrt_type &type, const void *address) {
  out += '{';
  for (int32_t k = 0; k < type.count; ++k) {
    const zrt_field &field = type.fields[k];
    if (k > 0)
      out += ", ";
    out += field.name;
    out += ": ";
    appendMember(out, *field.type,
                 static_cast<const char *>(address) + field.offset);
  }
  out += '}';
}

/// A value within a record.
void appendMember(std::string &out, const zrt_type &type, const void *address) {
  if (type.kind == ZRT_RECORD || type.kind == ZRT_UNION)
    return appendRecord(out, type, address);
  if (type.kind == ZRT_ARRAY) {
    int64_t count = elementCount(type);
    for (int64_t k = 0; k < count; ++k) {
      out += k > 0 ? " " : "";
      appendMember(out, *type.element,
                   static_cast<const char *>(address) + k * type.element->size);
    }
    return;
  }
  if (type.kind == ZRT_CHAR || type.kind == ZRT_STR) // their blanks are theirs
    return appendConverted(out, type, address, defaultFormat(type.kind, false));
  const Format &format = defaultFormat(type.kind, false);
  std::string text;
  appendConverted(text, type, address, format);
  if (!format.second.letter) {
    out += withoutBlanks(text);
    return;
  }
  std::string_view parts = text; // of a complex value
  size_t split = parts.find(format.between);
  out += withoutBlanks(parts.substr(0, split));
  out += format.between;
  out += withoutBlanks(parts.substr(split + format.between.size()));
  out += format.after;
}

} // namespace

void appendValue(std::string &out, const zrt_type &type, const void *address,
                 const Format *format, bool element) {
  if (type.kind == ZRT_RECORD || type.kind == ZRT_UNION) {
    appendRecord(out, type, address);
    out += element ? " " : "";
    return;
  }
  if (type.kind == ZRT_ARRAY) {
    const zrt_type &inner = *type.element;
    bool separate = inner.kind == ZRT_RECORD || inner.kind == ZRT_UNION;
    int64_t count = elementCount(type);
    for (int64_t k = 0; k < count; ++k)
      appendValue(out, inner,
                  static_cast<const char *>(address) + k * inner.size, format,
                  separate);
    return;
  }
  const Format &chosen = format ? *format : defaultFormat(type.kind, element);
  out += chosen.before;
  appendConverted(out, type, address, chosen);
  out += chosen.after;
}

int64_t estimateText(const zrt_type &type, const Format *format) {
  if (type.kind == ZRT_ARRAY)
    return elementCount(type) * estimateText(*type.element, format);
  if (type.kind == ZRT_RECORD || type.kind == ZRT_UNION) {
    int64_t bytes = 2;
    for (int32_t k = 0; k < type.count; ++k)
      bytes += 8 + estimateText(*type.fields[k].type, nullptr);
    return bytes;
  }
  constexpr int64_t Usual = 16;
  if (!format)
    return Usual;
  auto widest = [](const Conversion &conversion) {
    return std::max<int64_t>(conversion.width, conversion.precision);
  };
  return Usual + widest(format->first) + widest(format->second) +
         static_cast<int64_t>(format->before.size() + format->between.size() +
                              format->after.size());
}

} // namespace zrt
