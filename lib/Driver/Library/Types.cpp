//===- Types.cpp - Records and enumerations of callers --------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Of `type colour = (red, green); spot = record x: double; c: colour; end;`,
/// where parameters of a library `kernel` have these types:
///
///     C        typedef enum kernel_colour { kernel_red = 0, ... } kernel_colour;
///              typedef struct kernel_spot { double x; kernel_colour c; } ...;
///     Fortran  integer(c_int), parameter, public :: kernel_red = 0
///              type, bind(c), public :: kernel_spot ...
///     Python   colour = IntEnum("colour", ...), class spot(_Record)
///
/// ZPL lays records out as C does, and enumerations are int.
///
//===----------------------------------------------------------------------===//

#include "Library/Exports.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace zpl::driver {

std::string cTypes(const Exports &exports) {
  std::string text;
  for (const auto &type : exports.types) {
    text += formatv("typedef {0} {1} {{\n", type->isEnum ? "enum" : "struct",
                    type->foreign.c);
    for (const auto &[name, value] : type->values)
      text += formatv("  {0}_{1} = {2},\n", exports.name, name, value);
    for (const auto &[name, field] : type->fields)
      text += formatv("  {0} {1};\n", field->c, name);
    text += formatv("} {0};\n", type->foreign.c);
  }
  return text;
}

std::string fortranTypes(const Exports &exports) {
  std::string text;
  for (const auto &type : exports.types) {
    for (const auto &[name, value] : type->values)
      text += formatv("  integer(c_int), parameter, public :: {0}_{1} = {2}\n",
                      exports.name, name, value);
    if (type->isEnum)
      continue;
    text += formatv("  type, bind(c), public :: {0}\n", type->foreign.c);
    for (const auto &[name, field] : type->fields)
      text += formatv("    {0} :: {1}\n", field->fortran, name);
    text += "  end type\n";
  }
  return text;
}

std::string pythonTypes(const Exports &exports) {
  std::string text;
  for (const auto &type : exports.types) {
    if (type->isEnum) {
      text += formatv("{0} = _enum.IntEnum(\"{0}\", {{", type->name);
      for (const auto &[name, value] : type->values)
        text += formatv("\"{0}\": {1}, ", name, value);
      text += "})\n";
      continue;
    }
    text += formatv("\n\nclass {0}(_Record):\n    _fields_ = [", type->name);
    for (const auto &[name, field] : type->fields)
      text += formatv("(\"{0}\", {1}), ", name, ctypesName(*field));
    text += "]\n\n\n";
  }
  return text;
}

std::string ctypesName(const ForeignType &type) {
  bool isOwn = type.named && !type.named->isEnum;
  return isOwn ? type.ctypes : "_c." + type.ctypes;
}

} // namespace zpl::driver
