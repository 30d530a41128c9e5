//===- Types.h - Types of ZPL and of C, side by side ------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Two small models without anything of Sema or Clang in them: what a ZPL
/// program says of an extern, and what a C header says. Which type of one side
/// may stand for which of the other is written down once, in matches().
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_INTEROP_TYPES_H
#define ZPL_INTEROP_TYPES_H

#include "zpl/Support/SourceManager.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/StringMap.h"
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace zpl::interop {

//===----------------------------------------------------------------------===//
// ZPL's side: language 3
//===----------------------------------------------------------------------===//

enum class ZplKind : uint8_t {
  Void, ///< of a procedure without a result
  Boolean,
  Char,
  SByte,
  UByte,
  ShortInt,
  UShortInt,
  Integer,
  UInteger,
  LongInt,
  ULongInt,
  Float,
  Double,
  Quad,
  Complex,
  DComplex,
  QComplex,
  String,
  File,
  Enumeration,
  Record,
  Union,
  Array,     ///< indexed
  Block,     ///< a parallel array, as a parameter of a procedure
  Procedure, ///< of which C calls one, as a parameter of a procedure
  Opaque,
  Other ///< regions, directions, timers: not for C
};

struct ZplType;

struct ZplField {
  std::string name;
  const ZplType *type;
  SourceRange range;
};

struct ZplEnumerator {
  std::string name;
  int64_t value;
  SourceRange range;
};

/// A type of the program. Owned by whoever made it (Externs has room).
struct ZplType {
  ZplKind kind = ZplKind::Other;
  std::string name; ///< as messages print it: "integer", "point"
  /// Declared by `extern type NAME ...`: the C type of that name is meant.
  /// Always so for Opaque.
  bool isExtern = false;
  std::vector<ZplField> fields;           ///< Record, Union
  std::vector<ZplEnumerator> enumerators; ///< Enumeration
  /// Array: what it holds, never itself an Array. Procedure: the result.
  const ZplType *element = nullptr;
  std::vector<const ZplType *> params; ///< Procedure; all by value
  /// Array: number of elements in all dimensions; absent if it is not known at
  /// compile time.
  std::optional<uint64_t> count;
};

//===----------------------------------------------------------------------===//
// C's side
//===----------------------------------------------------------------------===//

enum class CKind : uint8_t {
  Void,
  Bool,
  Char,
  SChar,
  UChar,
  Short,
  UShort,
  Int,
  UInt,
  Long,
  ULong,
  LongLong,
  ULongLong,
  Float,
  Double,
  LongDouble,
  ComplexFloat,
  ComplexDouble,
  ComplexLongDouble,
  Pointer,
  Struct,
  Union,
  Enum,
  Array,
  Function,
  Unsupported ///< `why` says which: a vector, a block, __int128 ...
};

struct CType;

struct CField {
  std::string name; ///< empty: an unnamed member
  const CType *type;
  uint64_t offset; ///< in bits
  bool isBitField;
  SourceRange range;
};

struct CEnumerator {
  std::string name;
  llvm::APSInt value;
  SourceRange range;
};

/// A type of the header, as Clang lays it out for the target. Types may be
/// recursive through pointers; they are owned by the Imports.
struct CType {
  CKind kind = CKind::Unsupported;
  std::string spelling;  ///< as written: "point_t", "const char *"
  std::string canonical; ///< equal for equal types, without qualifiers
  SourceRange range;     ///< of the declaration, where there is one
  uint64_t size = 0;     ///< bytes; 0 if incomplete
  uint64_t align = 1;    ///< bytes
  bool isConst = false;
  bool isComplete = true;
  std::string why; ///< Unsupported

  /// Pointer: what it points to. Array: the element. Enum: the integer type
  /// that holds it. Function: the result.
  const CType *element = nullptr;
  std::vector<CField> fields;           ///< Struct, Union
  std::vector<CEnumerator> enumerators; ///< Enum
  std::optional<uint64_t> count;        ///< Array; absent: `T x[]`
  std::vector<const CType *> params;    ///< Function; arrays are pointers
  std::vector<SourceRange> paramRanges; ///< Function; one for each of `params`
  bool isVariadic = false;              ///< Function
  bool hasPrototype = true;             ///< Function: not `int f();`
};

/// The value of a constant expression of C.
struct CComplex {
  llvm::APFloat real, imag;
};
using CValue = std::variant<llvm::APSInt, llvm::APFloat, CComplex, std::string>;

//===----------------------------------------------------------------------===//
// The correspondence
//===----------------------------------------------------------------------===//

/// How a value crosses.
enum class Passing : uint8_t {
  Value,      ///< C reads it; at the top C may convert integers and boolean
  Result,     ///< of a function; likewise
  Reference,  ///< both read and write the bytes: `inout`, `out`, variables
  Declaration ///< `extern type point = record ...`: whether they look alike
};

/// Why two types do not fit.
struct Mismatch {
  std::string reason; ///< "'long' is 'longint' in ZPL, not 'integer'"
  SourceRange range;  ///< in the header: the type or field; may be invalid
};

/// What `extern type` names mean in C.
using ExternTypes = llvm::StringMap<const CType *>;

/// May a value of \p zpl be passed as one of \p c? Nothing if so. For Reference
/// \p c is the type of the object itself, not of the pointer to it.
///
/// | ZPL                   | C                                                |
/// |-----------------------|--------------------------------------------------|
/// | boolean               | _Bool; by value and as a result any integer      |
/// | char                  | char, unsigned char                              |
/// | sbyte, ubyte          | signed or unsigned char, char                    |
/// | shortint, integer,    | the integer type of that width and sign; an enum |
/// |  longint, u...        |  for integer and uinteger                        |
/// | float, double, quad   | float, double, long double                       |
/// | complex, dcomplex, .. | float _Complex, double _Complex, ...             |
/// | string                | const char *, in what C only reads; char * too   |
/// |                       |  as a result                                     |
/// | enumeration           | enum with the same values, int, unsigned         |
/// | record, union         | struct, union: same fields in order, natural     |
/// |                       |  layout, no bit-fields                           |
/// | array in a record     | array of as many elements                        |
/// | opaque                | the extern type of that name; where it is a      |
/// |                       |  pointer also void *                             |
/// | parallel array        | as a parameter a pointer to zpl_array            |
/// | file, other           | nothing                                          |
std::optional<Mismatch> matches(const ZplType &zpl, const CType &c,
                                Passing passing, const ExternTypes &types);

/// The same for a whole parameter. What is passed by reference (below) is a
/// pointer in C, perhaps void *; an array is the pointer to its first element,
/// the elements following in row-major order.
enum class ZplMode : uint8_t { Const, In, InOut, Out };
/// None if they fit; else what is different.
std::optional<Mismatch> matchesParameter(const ZplType &zpl, ZplMode mode,
                                         const CType &c,
                                         const ExternTypes &types);
/// Does C get the address of the argument, not a copy of its value?
inline bool isPassedByReference(const ZplType &zpl, ZplMode mode) {
  return mode >= ZplMode::InOut || zpl.kind == ZplKind::Array ||
         zpl.kind == ZplKind::Block;
}

/// Can \p value be a constant of type \p zpl? Integers must be within its
/// range; floating values are rounded.
std::optional<Mismatch> matchesConstant(const ZplType &zpl,
                                        const CValue &value);

} // namespace zpl::interop

#endif // ZPL_INTEROP_TYPES_H
