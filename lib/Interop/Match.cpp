//===- Match.cpp - Which type of C is which type of ZPL -------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The table of Types.h as code. `extern prototype f(n: integer; p: point)`
/// against `double f(long n, struct point p)` gives, for the first parameter,
/// "'long' is 'longint' in ZPL, not 'integer'"; for the second one field after
/// the other is compared.
///
/// A record of ZPL has the layout that C gives a plain struct. So no sizes of
/// ZPL's types are needed: fields match pairwise, and the struct must lie in
/// memory as a plain struct of its fields would, which packing, alignment
/// attributes and bit-fields prevent.
///
/// Types are trees on ZPL's side, so this ends, in time linear in their size.
///
//===----------------------------------------------------------------------===//

#include "zpl/Interop/Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace zpl::interop {

namespace {

/// An integer type: bytes and sign.
struct IntegerKind {
  unsigned size;
  bool isSigned;
};

/// Compares types; `types` is the same all the way down.
class Matcher {
public:
  explicit Matcher(const ExternTypes &types) : types(types) {}

  /// \p isPart: within a record or array, where nothing is converted.
  std::optional<Mismatch> match(const ZplType &zpl, const CType &c,
                                Passing passing, bool isPart);
  std::optional<Mismatch> matchParameter(const ZplType &zpl, ZplMode mode,
                                         const CType &c);

private:
  std::optional<Mismatch> matchInteger(const ZplType &zpl, const CType &c,
                                       IntegerKind wanted);
  std::optional<Mismatch> matchString(const ZplType &zpl, const CType &c,
                                      Passing passing, bool isPart);
  std::optional<Mismatch> matchEnumeration(const ZplType &zpl, const CType &c);
  std::optional<Mismatch> matchFields(const ZplType &zpl, const CType &c,
                                      Passing passing);
  std::optional<Mismatch> matchLayout(const CType &c);
  std::optional<Mismatch> matchArray(const ZplType &zpl, const CType &c,
                                     Passing passing);
  std::optional<Mismatch> matchOpaque(const ZplType &zpl, const CType &c,
                                      Passing passing);
  std::optional<Mismatch> matchReferent(const ZplType &zpl, ZplMode mode,
                                        const CType &pointee);
  std::optional<Mismatch> matchProcedure(const ZplType &zpl, const CType &c);

  const ExternTypes &types;
};

} // namespace

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

/// The type of ZPL that a scalar type of C is; "" if there is none.
static StringRef zplName(const CType &c) {
  bool isLong = c.size == 8;
  switch (c.kind) {
  case CKind::Bool:
    return "boolean";
  case CKind::Char:
    return "char";
  case CKind::SChar:
    return "sbyte";
  case CKind::UChar:
    return "ubyte";
  case CKind::Short:
    return "shortint";
  case CKind::UShort:
    return "ushortint";
  case CKind::Int:
  case CKind::Long:
  case CKind::LongLong:
    return isLong ? "longint" : "integer";
  case CKind::UInt:
  case CKind::ULong:
  case CKind::ULongLong:
    return isLong ? "ulongint" : "uinteger";
  case CKind::Float:
    return "float";
  case CKind::Double:
    return "double";
  case CKind::LongDouble:
    return "quad";
  case CKind::ComplexFloat:
    return "complex";
  case CKind::ComplexDouble:
    return "dcomplex";
  case CKind::ComplexLongDouble:
    return "qcomplex";
  case CKind::Pointer:
    return c.element->kind == CKind::Char && c.element->isConst ? "string" : "";
  case CKind::Void:
  case CKind::Struct:
  case CKind::Union:
  case CKind::Enum:
  case CKind::Array:
  case CKind::Function:
  case CKind::Unsupported:
    return "";
  }
  llvm_unreachable("all kinds are listed");
}

static Mismatch disagreement(const ZplType &zpl, const CType &c) {
  if (c.kind == CKind::Unsupported)
    return {formatv("'{0}' of C cannot cross: {1}", c.spelling, c.why),
            c.range};
  StringRef right = zplName(c);
  if (right.empty())
    return {formatv("'{0}' of C is not '{1}'", c.spelling, zpl.name), c.range};
  return {formatv("'{0}' of C is '{1}' in ZPL, not '{2}'", c.spelling, right,
                  zpl.name),
          c.range};
}

static std::optional<Mismatch> unless(bool fits, const ZplType &zpl,
                                      const CType &c) {
  if (fits)
    return std::nullopt;
  return disagreement(zpl, c);
}

static std::optional<IntegerKind> integerKind(const CType &c) {
  bool isSigned = is_contained(
      {CKind::SChar, CKind::Short, CKind::Int, CKind::Long, CKind::LongLong},
      c.kind);
  bool isUnsigned = is_contained({CKind::Char, CKind::UChar, CKind::UShort,
                                  CKind::UInt, CKind::ULong, CKind::ULongLong},
                                 c.kind);
  if (!isSigned && !isUnsigned)
    return std::nullopt;
  return IntegerKind{static_cast<unsigned>(c.size), isSigned};
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

std::optional<Mismatch>
Matcher::matchInteger(const ZplType &zpl, const CType &c, IntegerKind wanted) {
  if (c.kind == CKind::Enum)
    return unless(wanted.size == 4 && c.size == 4, zpl, c);
  std::optional<IntegerKind> found = integerKind(c);
  return unless(
      found && found->size == wanted.size &&
          (found->isSigned == wanted.isSigned || c.kind == CKind::Char),
      zpl, c);
}

/// A string's bytes never change, and the runtime must have made the pointer:
/// C may read one anywhere, give one as a result, but not leave one in memory.
std::optional<Mismatch> Matcher::matchString(const ZplType &zpl, const CType &c,
                                             Passing passing, bool isPart) {
  if (c.kind != CKind::Pointer || c.element->kind != CKind::Char)
    return disagreement(zpl, c);
  bool isResult = passing == Passing::Result && !isPart;
  if (passing == Passing::Reference || (passing == Passing::Result && isPart))
    return Mismatch{"C could store a pointer of its own in a 'string'",
                    c.range};
  if (!c.element->isConst && !isResult)
    return Mismatch{formatv("through '{0}' C could write into a 'string', "
                            "which never changes: it needs 'const char *'",
                            c.spelling),
                    c.range};
  return std::nullopt;
}

std::optional<Mismatch> Matcher::matchEnumeration(const ZplType &zpl,
                                                  const CType &c) {
  if (c.kind == CKind::Int || c.kind == CKind::UInt)
    return std::nullopt;
  if (c.kind != CKind::Enum || c.size != 4)
    return disagreement(zpl, c);
  for (const ZplEnumerator &ours : zpl.enumerators) {
    auto theirs = find_if(c.enumerators, [&](const CEnumerator &e) {
      return e.name == ours.name;
    });
    if (theirs == c.enumerators.end()) {
      if (!zpl.isExtern)
        continue;
      return Mismatch{formatv("'{0}' has no '{1}'", c.spelling, ours.name),
                      c.range};
    }
    if (theirs->value.getExtValue() != ours.value)
      return Mismatch{formatv("'{0}' is {1} in C and {2} in ZPL", ours.name,
                              theirs->value.getExtValue(), ours.value),
                      theirs->range};
  }
  return std::nullopt;
}

std::optional<Mismatch> Matcher::matchOpaque(const ZplType &zpl, const CType &c,
                                             Passing passing) {
  auto found = types.find(zpl.name);
  if (found == types.end())
    return std::nullopt; // Reported where the type is declared.
  const CType &known = *found->second;
  if (known.canonical == c.canonical)
    return std::nullopt;
  bool bothPointers = known.kind == CKind::Pointer && c.kind == CKind::Pointer;
  if (bothPointers && passing != Passing::Reference &&
      (c.element->kind == CKind::Void || known.element->kind == CKind::Void ||
       c.element->canonical == known.element->canonical))
    return std::nullopt;
  return Mismatch{formatv("'{0}' of C is not '{1}', which is '{2}'", c.spelling,
                          zpl.name, known.canonical),
                  c.range};
}

//===----------------------------------------------------------------------===//
// Records, unions, arrays
//===----------------------------------------------------------------------===//

/// Does the struct lie in memory as a plain one of its fields?
std::optional<Mismatch> Matcher::matchLayout(const CType &c) {
  uint64_t end = 0, align = 1;
  for (const CField &field : c.fields) {
    uint64_t begin =
        c.kind == CKind::Union ? 0 : alignTo(end, field.type->align);
    if (field.isBitField)
      return Mismatch{formatv("'{0}' is a bit-field", field.name), field.range};
    if (field.offset != begin * 8)
      return Mismatch{formatv("'{0}' is at byte {1} in C, not {2}: the layout "
                              "of '{3}' is not the natural one",
                              field.name, field.offset / 8, begin, c.spelling),
                      field.range};
    end = std::max(end, begin + field.type->size);
    align = std::max(align, field.type->align);
  }
  if (c.align > align)
    return Mismatch{formatv("'{0}' must stand at multiples of {1} bytes in C",
                            c.spelling, c.align),
                    c.range};
  if (c.size == alignTo(end, align))
    return std::nullopt;
  return Mismatch{formatv("'{0}' has {1} bytes in C, not {2}: its layout is "
                          "not the natural one",
                          c.spelling, c.size, alignTo(end, align)),
                  c.range};
}

std::optional<Mismatch> Matcher::matchFields(const ZplType &zpl, const CType &c,
                                             Passing passing) {
  CKind wanted = zpl.kind == ZplKind::Union ? CKind::Union : CKind::Struct;
  if (c.kind != wanted)
    return disagreement(zpl, c);
  if (!c.isComplete)
    return Mismatch{formatv("'{0}' has no fields in the header", c.spelling),
                    c.range};
  for (size_t i = 0; i < std::min(zpl.fields.size(), c.fields.size()); ++i) {
    const ZplField &ours = zpl.fields[i];
    const CField &theirs = c.fields[i];
    // A name that ZPL cannot have (`in`, `end`) may be another one in ZPL.
    bool elsewhere = any_of(
        c.fields, [&](const CField &field) { return field.name == ours.name; });
    if (theirs.name != ours.name && (elsewhere || theirs.name.empty()))
      return Mismatch{formatv("field {0} is '{1}' in C and '{2}' in ZPL", i + 1,
                              theirs.name, ours.name),
                      theirs.range};
    if (std::optional<Mismatch> wrong =
            match(*ours.type, *theirs.type, passing, /*isPart=*/true)) {
      wrong->reason = formatv("field '{0}': {1}", ours.name, wrong->reason);
      wrong->range = theirs.range;
      return wrong;
    }
  }
  if (zpl.fields.size() != c.fields.size())
    return Mismatch{formatv("'{0}' has {1} fields in C and {2} in ZPL",
                            c.spelling, c.fields.size(), zpl.fields.size()),
                    c.range};
  return matchLayout(c);
}

std::optional<Mismatch> Matcher::matchArray(const ZplType &zpl, const CType &c,
                                            Passing passing) {
  if (c.kind != CKind::Array)
    return disagreement(zpl, c);
  std::optional<uint64_t> count = 1;
  const CType *element = &c;
  for (; element->kind == CKind::Array; element = element->element)
    count = count && element->count ? std::optional(*count * *element->count)
                                    : std::nullopt;
  if (!count && passing != Passing::Reference)
    return Mismatch{formatv("'{0}' has no size", c.spelling), c.range};
  if (count && zpl.count && *count != *zpl.count)
    return Mismatch{formatv("'{0}' has {1} elements, not {2}", c.spelling,
                            *count, *zpl.count),
                    c.range};
  return match(*zpl.element, *element, passing, /*isPart=*/true);
}

//===----------------------------------------------------------------------===//
// All types
//===----------------------------------------------------------------------===//

std::optional<Mismatch> Matcher::match(const ZplType &zpl, const CType &c,
                                       Passing passing, bool isPart) {
  bool converts = !isPart && passing <= Passing::Result;
  auto integer = [&](unsigned size, bool isSigned) {
    return matchInteger(zpl, c, {size, isSigned});
  };
  auto exactly = [&](CKind kind) { return unless(c.kind == kind, zpl, c); };
  switch (zpl.kind) {
  case ZplKind::Void:
    return exactly(CKind::Void);
  case ZplKind::Boolean:
    return unless(c.kind == CKind::Bool ||
                      (converts && (integerKind(c) || c.kind == CKind::Enum)),
                  zpl, c);
  case ZplKind::Char:
  case ZplKind::UByte:
    return integer(1, false);
  case ZplKind::SByte:
    return integer(1, true);
  case ZplKind::ShortInt:
    return integer(2, true);
  case ZplKind::UShortInt:
    return integer(2, false);
  case ZplKind::Integer:
    return integer(4, true);
  case ZplKind::UInteger:
    return integer(4, false);
  case ZplKind::LongInt:
    return integer(8, true);
  case ZplKind::ULongInt:
    return integer(8, false);
  case ZplKind::Float:
    return exactly(CKind::Float);
  case ZplKind::Double:
    return exactly(CKind::Double);
  case ZplKind::Quad:
    return exactly(CKind::LongDouble);
  case ZplKind::Complex:
    return exactly(CKind::ComplexFloat);
  case ZplKind::DComplex:
    return exactly(CKind::ComplexDouble);
  case ZplKind::QComplex:
    return exactly(CKind::ComplexLongDouble);
  case ZplKind::String:
    return matchString(zpl, c, passing, isPart);
  case ZplKind::File:
    return Mismatch{"a file of ZPL is a number that all processors share, not "
                    "a 'FILE *'",
                    c.range};
  case ZplKind::Enumeration:
    return matchEnumeration(zpl, c);
  case ZplKind::Record:
  case ZplKind::Union:
    return matchFields(zpl, c, passing);
  case ZplKind::Array:
    return matchArray(zpl, c, passing);
  case ZplKind::Opaque:
    return matchOpaque(zpl, c, passing);
  case ZplKind::Procedure:
    return matchProcedure(zpl, c);
  case ZplKind::Block: // as a parameter alone
  case ZplKind::Other:
    return Mismatch{formatv("C has nothing like '{0}'", zpl.name), c.range};
  }
  llvm_unreachable("all kinds are listed");
}

/// May C call such a procedure through the pointer \p c? Its parameters and its
/// result are then exactly those of C.
std::optional<Mismatch> Matcher::matchProcedure(const ZplType &zpl,
                                                const CType &c) {
  const CType *function = c.kind == CKind::Pointer ? c.element : nullptr;
  if (!function || function->kind != CKind::Function)
    return Mismatch{
        formatv("C takes '{0}', which is no pointer to a function", c.spelling),
        c.range};
  if (!function->hasPrototype || function->isVariadic)
    return Mismatch{formatv("C does not say which arguments '{0}' is called "
                            "with",
                            c.spelling),
                    c.range};
  if (function->params.size() != zpl.params.size())
    return Mismatch{formatv("'{0}' is called with {1} arguments in C, the "
                            "procedure takes {2}",
                            c.spelling, function->params.size(),
                            zpl.params.size()),
                    c.range};
  for (auto [ours, theirs] : zip(zpl.params, function->params))
    if (auto wrong = match(*ours, *theirs, Passing::Reference, /*isPart=*/true))
      return wrong;
  return match(*zpl.element, *function->element, Passing::Reference,
               /*isPart=*/true);
}

/// May C get a `void *` to it? Strings and files may not be written.
static std::optional<Mismatch> matchBytes(const ZplType &zpl, const CType &c) {
  if (zpl.kind == ZplKind::Array)
    return matchBytes(*zpl.element, c);
  if (is_contained(
          {ZplKind::String, ZplKind::File, ZplKind::Procedure, ZplKind::Other},
          zpl.kind))
    return Mismatch{formatv("'{0}' cannot be passed as bytes", zpl.name),
                    c.range};
  return std::nullopt;
}

/// The descriptor of a parallel array (zrt/Block.h), which C writes through if
/// it is not const.
static std::optional<Mismatch> matchBlock(ZplMode mode, const CType &c) {
  if (c.kind != CKind::Struct || c.canonical != "struct zrt_array")
    return Mismatch{formatv("'{0}' of C is no 'zpl_array' of <zrt/Block.h>, "
                            "which a parallel array is",
                            c.spelling),
                    c.range};
  if (mode >= ZplMode::InOut || c.isConst)
    return std::nullopt;
  return Mismatch{"C could write into the array: it needs 'const zpl_array *', "
                  "or the parameter 'inout'",
                  SourceRange()};
}

/// What the pointer parameter of a reference points to.
std::optional<Mismatch> Matcher::matchReferent(const ZplType &zpl, ZplMode mode,
                                               const CType &pointee) {
  if (zpl.kind == ZplKind::Block)
    return matchBlock(mode, pointee);
  if (pointee.kind == CKind::Void)
    return matchBytes(zpl, pointee);
  bool isRead = mode < ZplMode::InOut;
  Passing passing = isRead ? Passing::Value : Passing::Reference;
  if (zpl.kind != ZplKind::Array)
    return match(zpl, pointee, passing, /*isPart=*/true);
  const CType *element = &pointee;
  while (element->kind == CKind::Array)
    element = element->element;
  return match(*zpl.element, *element, passing, /*isPart=*/true);
}

std::optional<Mismatch> Matcher::matchParameter(const ZplType &zpl,
                                                ZplMode mode, const CType &c) {
  if (isPassedByReference(zpl, mode)) {
    if (c.kind == CKind::Pointer)
      return matchReferent(zpl, mode, *c.element);
    return Mismatch{formatv("C takes '{0}' by value: '{1}' goes by reference",
                            c.spelling, zpl.name),
                    c.range};
  }
  std::optional<Mismatch> wrong =
      match(zpl, c, Passing::Value, /*isPart=*/false);
  if (wrong && c.kind == CKind::Pointer && zpl.kind != ZplKind::String &&
      zpl.kind != ZplKind::Opaque && zpl.kind != ZplKind::File &&
      zpl.kind != ZplKind::Procedure &&
      !match(zpl, *c.element, Passing::Reference, /*isPart=*/true))
    return Mismatch{formatv("C takes '{0}': a pointer is 'inout', 'out' or an "
                            "indexed array in ZPL",
                            c.spelling),
                    c.range};
  return wrong;
}

std::optional<Mismatch> matches(const ZplType &zpl, const CType &c,
                                Passing passing, const ExternTypes &types) {
  return Matcher(types).match(zpl, c, passing, /*isPart=*/false);
}

std::optional<Mismatch> matchesParameter(const ZplType &zpl, ZplMode mode,
                                         const CType &c,
                                         const ExternTypes &types) {
  return Matcher(types).matchParameter(zpl, mode, c);
}

} // namespace zpl::interop
