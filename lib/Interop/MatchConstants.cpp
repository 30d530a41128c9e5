//===- MatchConstants.cpp - Which constants of C a ZPL type takes ---------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `extern const LIMIT: shortint;` against `#define LIMIT 100000` is
/// "100000 does not fit in 'shortint'". What counts is the value: which integer
/// type of C a macro happens to have does not matter. An integer may become a
/// floating-point number and a real one a complex number, not the reverse.
///
//===----------------------------------------------------------------------===//

#include "zpl/Interop/Types.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace zpl::interop {

namespace {

/// What the kind of a constant's type takes.
enum class ValueClass : uint8_t { Integer, Real, Complex, String, None };

struct Range {
  ValueClass valueClass;
  unsigned bits = 0; ///< Integer
  bool isSigned = true;
};

} // namespace

static Range rangeOf(ZplKind kind) {
  switch (kind) {
  case ZplKind::Boolean:
    return {ValueClass::Integer, 1, false};
  case ZplKind::Char:
  case ZplKind::UByte:
    return {ValueClass::Integer, 8, false};
  case ZplKind::SByte:
    return {ValueClass::Integer, 8};
  case ZplKind::ShortInt:
    return {ValueClass::Integer, 16};
  case ZplKind::UShortInt:
    return {ValueClass::Integer, 16, false};
  case ZplKind::Integer:
  case ZplKind::Enumeration:
    return {ValueClass::Integer, 32};
  case ZplKind::UInteger:
    return {ValueClass::Integer, 32, false};
  case ZplKind::LongInt:
    return {ValueClass::Integer, 64};
  case ZplKind::ULongInt:
    return {ValueClass::Integer, 64, false};
  case ZplKind::Float:
  case ZplKind::Double:
  case ZplKind::Quad:
    return {ValueClass::Real};
  case ZplKind::Complex:
  case ZplKind::DComplex:
  case ZplKind::QComplex:
    return {ValueClass::Complex};
  case ZplKind::String:
    return {ValueClass::String};
  case ZplKind::Void:
  case ZplKind::File:
  case ZplKind::Record:
  case ZplKind::Union:
  case ZplKind::Array:
  case ZplKind::Block:
  case ZplKind::Procedure:
  case ZplKind::Opaque:
  case ZplKind::Other:
    return {ValueClass::None};
  }
  llvm_unreachable("all kinds are listed");
}

static StringRef describe(const CValue &value) {
  static constexpr StringRef names[] = {"an integer", "a floating-point number",
                                        "a complex number", "a string"};
  return names[value.index()];
}

/// Is the integer one of the range's?
static bool holds(const Range &range, const APSInt &value) {
  if (!range.isSigned)
    return !value.isNegative() && value.getActiveBits() <= range.bits;
  return value.isUnsigned() ? value.getActiveBits() < range.bits
                            : value.getSignificantBits() <= range.bits;
}

std::optional<Mismatch> matchesConstant(const ZplType &zpl,
                                        const CValue &value) {
  Range range = rangeOf(zpl.kind);
  auto found = static_cast<ValueClass>(value.index());
  bool fits =
      range.valueClass == ValueClass::Complex ? found <= ValueClass::Complex
      : range.valueClass == ValueClass::Real  ? found <= ValueClass::Real
                                              : found == range.valueClass;
  if (!fits)
    return Mismatch{
        formatv("it is {0} in C, not '{1}'", describe(value), zpl.name), {}};
  const auto *integer = std::get_if<APSInt>(&value);
  if (!integer || range.valueClass != ValueClass::Integer ||
      holds(range, *integer))
    return std::nullopt;
  SmallString<24> digits;
  integer->toString(digits);
  return Mismatch{formatv("{0} does not fit in '{1}'", digits, zpl.name), {}};
}

} // namespace zpl::interop
