//===- Identity.cpp - What reductions start from --------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     sum       0              max, min   the least, the greatest value of the
//     product   1                         type; of floating-point types the
//     and       1 (true)                  infinities
//                              of strings "" and one of bytes 255
//     or        0 (false)      band       all bits 1
//                              bor, bxor  0
//
// Unsigned types wrap: all bits 1 is their greatest value. A constant of u64 is
// kept as its bits.
//
//===----------------------------------------------------------------------===//

#include "Statements/Identity.h"
#include "llvm/Support/ErrorHandling.h"
#include <limits>

using namespace llvm;

namespace zpl::air {

/// What the runtime takes for the last string as well (ZRT_LAST_STRING).
static constexpr StringLiteral LastString("\377\377\377\377\377\377\377\377");

/// The width in bits of an integer type (Bool, Char and Enum among them).
static unsigned widthOf(Type type) {
  if (type == Type::Bool)
    return 1;
  if (type == Type::Char || type == Type::I8 || type == Type::U8)
    return 8;
  if (type == Type::I16 || type == Type::U16)
    return 16;
  bool isWide = type == Type::I64 || type == Type::U64;
  return isWide ? 64 : 32;
}

static int64_t greatest(Type type) {
  unsigned bits = widthOf(type) - (type.isSigned() ? 1 : 0);
  return bits == 64 ? -1 : int64_t((uint64_t(1) << bits) - 1);
}

static int64_t least(Type type) {
  return type.isSigned() ? -greatest(type) - 1 : 0;
}

static int64_t integerIdentity(Reduction op, Type type) {
  switch (op) {
  case Reduction::Sum:
  case Reduction::Or:
  case Reduction::BitOr:
  case Reduction::BitXor:
    return 0;
  case Reduction::Product:
  case Reduction::And:
    return 1;
  case Reduction::Max:
    return least(type);
  case Reduction::Min:
    return greatest(type);
  case Reduction::BitAnd:
    return type.isSigned() ? -1 : greatest(type);
  case Reduction::MaxNaN: // of floats
  case Reduction::MinNaN:
    break;
  }
  llvm_unreachable("a reduction outside its enumeration");
}

static double realIdentity(Reduction op) {
  double infinity = std::numeric_limits<double>::infinity();
  if (op == Reduction::Max || op == Reduction::MaxNaN)
    return -infinity;
  if (op == Reduction::Min || op == Reduction::MinNaN)
    return infinity;
  return op == Reduction::Product ? 1 : 0;
}

const Expr *identityOf(Reduction op, Type type, Module &module,
                       SourceRange range) {
  auto constant = [&](Type of, double number) {
    auto *result = module.make<ConstExpr>(of, range);
    result->number = number;
    return result;
  };
  if (type.isComplex())
    return module.make<ComplexExpr>(
        constant(type.component(), realIdentity(op)),
        constant(type.component(), 0), type, range);
  if (type.isFloat())
    return constant(type, realIdentity(op));
  auto *result = module.make<ConstExpr>(type, range);
  if (type == Type::Str) {
    result->text = op == Reduction::Min ? LastString : "";
    return result;
  }
  result->integer = integerIdentity(op, type);
  return result;
}

} // namespace zpl::air
