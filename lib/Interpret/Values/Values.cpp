//===- Values.cpp - Values and their memory -------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Variables and the elements of arrays are bytes, laid out as a compiled
// program lays them out: a record as C's struct, so that unions overlay their
// fields and binary files have the right bytes without a word about either.
//
//     shortint -2     ff fe -> fe ff          integer = -2
//     ubyte 200       c8                      integer = 200
//     complex 1 + 2i  two floats, 8 bytes     re = 1, im = 2
//     string "ab"     address of the text     text -> "ab"
//
// While expressions are evaluated, a value is a Value. Every floating number is
// held in a long double, which has room for the others; it is rounded to its
// type after each operation.
//
//===----------------------------------------------------------------------===//

#include "Values/Values.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include <cstring>

namespace zpl::interpreter {

Value integerValue(int64_t integer) {
  Value value;
  value.integer = integer;
  return value;
}

Value floatingValue(long double number) {
  Value value;
  value.re = number;
  return value;
}

int64_t scalarSize(Type type) {
  assert(!type.isAggregate() && "an aggregate has no size of its own");
  return sema::scalarBytes(type);
}

bool isUnsigned(Type type) {
  return llvm::is_contained({Type::Boolean, Type::Char, Type::Ubyte,
                             Type::Ushortint, Type::Uinteger, Type::Ulongint},
                            type.kind());
}

Type componentOf(Type complex) {
  return Type::Kind(complex.kind() - Type::Complex + Type::Float);
}

int64_t wrapTo(Type type, uint64_t integer) {
  int unused = 64 - scalarBits(type);
  integer <<= unused;
  return isUnsigned(type) ? int64_t(integer >> unused)
                          : int64_t(integer) >> unused;
}

long double roundTo(Type type, long double number) {
  if (type == Type::Float || type == Type::Complex)
    return float(number);
  if (type == Type::Double || type == Type::Dcomplex)
    return double(number);
  return number;
}

// Pointers are loaded and stored like other values: their own size is meant.
// NOLINTBEGIN(bugprone-sizeof-expression)
template <typename T> static T load(const char *address) {
  T value;
  std::memcpy(&value, address, sizeof(T));
  return value;
}

template <typename T> static void store(char *address, T value) {
  std::memcpy(address, &value, sizeof(T));
}
// NOLINTEND(bugprone-sizeof-expression)

/// A floating number of the type, at \p address.
static long double loadFloating(Type type, const char *address) {
  if (type == Type::Float)
    return load<float>(address);
  return type == Type::Double ? (long double)load<double>(address)
                              : load<long double>(address);
}

static void storeFloating(Type type, char *address, long double number) {
  if (type == Type::Float)
    return store<float>(address, float(number));
  if (type == Type::Double)
    return store<double>(address, double(number));
  std::memset(address, 0, sizeof(long double)); // of 16 bytes 10 count
  std::memcpy(address, &number, 10);
}

Value loadScalar(Type type, const char *address) {
  Value value;
  int64_t size = scalarSize(type);
  if (type.isFloating()) {
    value.re = loadFloating(type, address);
  } else if (type.isComplex()) {
    value.re = loadFloating(componentOf(type), address);
    value.im = loadFloating(componentOf(type), address + size / 2);
  } else if (type == Type::String) {
    value.text = load<const std::string *>(address);
  } else if (type == Type::Timer || type == Type::Opaque) {
    value.bytes.assign(address, address + size);
  } else {
    uint64_t bits = 0;
    std::memcpy(&bits, address, size);
    value.integer = type == Type::Boolean ? bits != 0 : wrapTo(type, bits);
  }
  return value;
}

void storeScalar(Type type, char *address, const Value &value) {
  int64_t size = scalarSize(type);
  if (type.isFloating()) {
    storeFloating(type, address, value.re);
  } else if (type.isComplex()) {
    storeFloating(componentOf(type), address, value.re);
    storeFloating(componentOf(type), address + size / 2, value.im);
  } else if (type == Type::String) {
    store(address, value.text);
  } else if (type == Type::Timer || type == Type::Opaque) {
    std::memcpy(address, value.bytes.data(), size);
  } else {
    std::memcpy(address, &value.integer, size); // the low bytes come first
  }
}

} // namespace zpl::interpreter
