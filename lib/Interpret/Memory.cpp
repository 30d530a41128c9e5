//===- Memory.cpp - Values in memory --------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory of a value is laid out as C lays it out: fields in order, each at a
// multiple of its alignment; bounds of indexed arrays may be variables of the
// program, so sizes are asked of the run. Values of records and of indexed
// arrays are their bytes.
//
//     record r: ( n: integer; x: double );     n at 0, x at 8, size 16
//
// Cost: linear in the fields of the type.
//
//===----------------------------------------------------------------------===//

#include "Memory.h"
#include "Declarations.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemAlloc.h"
#include <cstring>

using namespace llvm;

namespace zpl::interpreter {

int64_t boundOf(Run &run, const sema::TypeBound &bound) {
  if (!bound.variable)
    return bound.value;
  return loadScalar(bound.variable->type, addressOf(run, bound.variable))
      .integer;
}

int64_t elementCount(Run &run, const sema::TypeInfo &array) {
  int64_t count = 1;
  for (auto [lo, hi] : zip(array.lo, array.hi))
    count *= std::max<int64_t>(boundOf(run, hi) - boundOf(run, lo) + 1, 0);
  return count;
}

static int64_t alignmentOf(Run &run, Type type) {
  type = storageOf(type);
  if (type == Type::Array)
    return alignmentOf(run, type.info()->element);
  if (type == Type::Opaque)
    return type.info()->alignment;
  if (type == Type::Timer)
    return alignof(double);
  if (!type.isAggregate())
    return scalarAlignment(type);
  int64_t most = 1;
  for (const sema::TypeField &field : type.info()->fields)
    most = std::max(most, alignmentOf(run, field.type));
  return most;
}

int64_t offsetOf(Run &run, const sema::TypeInfo &record, unsigned field) {
  int64_t offset = 0;
  if (record.kind == Type::Union)
    return offset;
  for (unsigned k = 0; k != field; ++k) {
    offset = alignTo(offset, alignmentOf(run, record.fields[k].type));
    offset += sizeOf(run, record.fields[k].type);
  }
  return alignTo(offset, alignmentOf(run, record.fields[field].type));
}

int64_t sizeOf(Run &run, Type type) {
  type = storageOf(type);
  if (!type.isAggregate())
    return scalarSize(type);
  const sema::TypeInfo &info = *type.info();
  if (type == Type::Array)
    return elementCount(run, info) * sizeOf(run, info.element);
  // In one pass: each field is asked once, so records of records take no longer
  // than they are large.
  int64_t size = 0;
  for (const sema::TypeField &field : info.fields) {
    bool isUnion = type == Type::Union;
    int64_t offset = isUnion ? 0 : alignTo(size, alignmentOf(run, field.type));
    size = std::max<int64_t>(size, offset + sizeOf(run, field.type));
  }
  return alignTo(size, alignmentOf(run, type));
}

Value load(Run &run, Type type, const char *address) {
  if (!type.isAggregate())
    return loadScalar(type, address);
  Value value;
  value.bytes.assign(address, address + sizeOf(run, type));
  return value;
}

void store(Type type, char *address, const Value &value) {
  if (!type.isAggregate())
    return storeScalar(type, address, value);
  std::memcpy(address, value.bytes.data(), value.bytes.size());
}

char *allocate(Frame &owner, int64_t size) {
  // Pages that nobody writes to are never there.
  owner.memory.emplace_back(static_cast<char *>(safe_calloc(1, size)));
  return owner.memory.back().get();
}

/// The one copy of a text.
const std::string *intern(Memory &memory, std::string text) {
  return &*memory.strings.insert(std::move(text)).first;
}

} // namespace zpl::interpreter
