//===- TypeLowering.cpp - LLVM types of values and of Abi.h ---------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A ZPL `boolean` is i1 while it is computed with and one byte in memory:
// arrays of bytes are what the runtime, C and vector loads understand. Other
// scalars look the same in both places. Records, unions and indexed arrays are
// memory only; their "value" is an address.
//
//   [1..n] boolean            ->  i8 elements; `load i8; icmp ne 0` ...
//   dcomplex                  ->  { double, double }
//   record x: double; k: integer; end   ->  %point = type { double, i32 }
//   array [1..3, 0..4] of integer       ->  [15 x i32]
//
// LLVM lays its structures out as C does, so records are C's. A union is its
// most aligned field and bytes up to its size. Types with bounds that are
// known at run time only have no LLVM type; LowerAggregates.cpp computes their
// offsets in bytes.
//
// The structures of zrt/Abi.h are built again here as LLVM types, so that
// fields can be named in getelementptr: AbiStructs.def lists them. Nothing ties
// the two texts together but checkLayouts, which compares each offset and size
// with what the C++ compiler made of the header: once per compilation, some
// forty structures.
//
//===----------------------------------------------------------------------===//

#include "TypeLowering.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/TargetParser/Triple.h"
#include <cstddef>

using namespace llvm;

namespace zpl::codegen {

/// `long double` of the target.
static llvm::Type *longDouble(const llvm::Module &module) {
  LLVMContext &context = module.getContext();
  return Triple(module.getTargetTriple()).isX86()
             ? llvm::Type::getX86_FP80Ty(context)
             : llvm::Type::getFP128Ty(context);
}

TypeLowering::TypeLowering(llvm::Module &module)
    : context(module.getContext()), layout(module.getDataLayout()) {
  ptr = PointerType::getUnqual(context);
  i1 = IntegerType::get(context, 1);
  i8 = IntegerType::get(context, 8);
  i16 = IntegerType::get(context, 16);
  i32 = IntegerType::get(context, 32);
  i64 = IntegerType::get(context, 64);
  f32 = llvm::Type::getFloatTy(context);
  f64 = llvm::Type::getDoubleTy(context);
  f80 = longDouble(module);
  sixI64 = ArrayType::get(i64, ZRT_MAX_RANK);

  auto make = [&](StringRef name, ArrayRef<llvm::Type *> fields) {
    return StructType::create(context, fields, name);
  };
#define ABI_FIELD(name, type) type
#define ABI_STRUCT(member, Abi, ...) member = make(#Abi, {__VA_ARGS__});
#include "AbiStructs.def"
}

llvm::Type *TypeLowering::value(air::Type type) const {
  using air::Type;
  switch (type) {
  case Type::Void:
    return llvm::Type::getVoidTy(context);
  case Type::Bool:
    return i1;
  case Type::Char:
  case Type::I8:
  case Type::U8:
    return i8;
  case Type::I16:
  case Type::U16:
    return llvm::Type::getInt16Ty(context);
  case Type::I32:
  case Type::U32:
  case Type::Enum:
    return i32;
  case Type::I64:
  case Type::U64:
  case Type::File:
    return i64;
  case Type::F32:
    return f32;
  case Type::F64:
    return f64;
  case Type::F80:
    return f80;
  case Type::C32:
  case Type::C64:
  case Type::C80: {
    llvm::Type *part = value(type.component());
    return StructType::get(context, {part, part});
  }
  case Type::Opaque:
    return IntegerType::get(context, 8 * type.info()->size);
  case Type::Str:
  case Type::Record:
  case Type::Union:
  case Type::Array:
  case Type::Handle:
    return ptr;
  case Type::Timer:
    break;
  }
  llvm_unreachable("timers are not values");
}

llvm::Type *TypeLowering::memory(air::Type type) const {
  if (type == air::Type::Bool)
    return i8;
  if (type == air::Type::Timer)
    return timer;
  if (type == air::Type::Opaque)
    return ArrayType::get(IntegerType::get(context, 8 * type.info()->alignment),
                          type.info()->size / type.info()->alignment);
  if (!type.isAggregate())
    return value(type);
  llvm::Type *&known = aggregates[type.info()];
  if (!known) {
    llvm::Type *made = aggregate(type); // may have moved `known`
    return aggregates[type.info()] = made;
  }
  return known;
}

llvm::Type *TypeLowering::aggregate(air::Type type) const {
  const air::TypeInfo &info = *type.info();
  if (type == air::Type::Handle)
    return array;
  if (type == air::Type::Array) {
    uint64_t count = 1;
    for (unsigned d = 0; d < info.lo.size(); ++d)
      count *= std::max<int64_t>(0, info.hi[d].value - info.lo[d].value + 1);
    return ArrayType::get(memory(info.element), count);
  }
  if (type == air::Type::Union)
    return unionMemory(info);
  SmallVector<llvm::Type *, 8> fields;
  for (const air::Field &part : info.fields)
    fields.push_back(memory(part.type));
  return StructType::create(context, fields, info.name);
}

llvm::Type *TypeLowering::unionMemory(const air::TypeInfo &info) const {
  uint64_t bytes = 0;
  llvm::Type *widest = i8;
  for (const air::Field &part : info.fields) {
    llvm::Type *field = memory(part.type);
    bytes = std::max<uint64_t>(bytes, layout.getTypeAllocSize(field));
    if (layout.getABITypeAlign(field) > layout.getABITypeAlign(widest))
      widest = field;
  }
  if (info.fields.empty())
    return StructType::create(context, {}, info.name);
  uint64_t rest = bytes - layout.getTypeAllocSize(widest);
  return StructType::create(context, {widest, ArrayType::get(i8, rest)},
                            info.name);
}

uint64_t TypeLowering::size(air::Type type) const {
  return layout.getTypeAllocSize(memory(type));
}

Align TypeLowering::align(air::Type type) const {
  if (!type.isAggregate() || !type.isRunTimeSized())
    return layout.getABITypeAlign(memory(type));
  if (type == air::Type::Array)
    return align(type.info()->element);
  Align most(1);
  for (const air::Field &part : type.info()->fields)
    most = std::max(most, align(part.type));
  return most;
}

int32_t TypeLowering::abiKind(air::Type type) {
  using air::Type;
  switch (type) {
#define AIR_SCALAR(Kind, text, name, Abi)                                      \
  case Type::Kind:                                                             \
    return ZRT_##Abi;
#define AIR_DECLARED(Kind, Abi)                                                \
  case Type::Kind:                                                             \
    return ZRT_##Abi;
#include "zpl/ArrayIR/Kinds.def"
  case Type::Void:
  case Type::Timer:
  case Type::Handle:
    break;
  }
  llvm_unreachable("a type that the runtime has no number for");
}

zrt_reduction TypeLowering::abiReduction(air::Reduction op) {
  switch (op) {
  case air::Reduction::Sum:
    return ZRT_SUM;
  case air::Reduction::Product:
    return ZRT_PRODUCT;
  case air::Reduction::Max:
    return ZRT_MAX;
  case air::Reduction::Min:
    return ZRT_MIN;
  case air::Reduction::And:
    return ZRT_AND;
  case air::Reduction::Or:
    return ZRT_OR;
  case air::Reduction::BitAnd:
    return ZRT_BAND;
  case air::Reduction::BitOr:
    return ZRT_BOR;
  case air::Reduction::BitXor:
    return ZRT_BXOR;
  case air::Reduction::MaxNaN:
    return ZRT_MAXNAN;
  case air::Reduction::MinNaN:
    return ZRT_MINNAN;
  }
  llvm_unreachable("unknown reduction");
}

/// Compares all of one structure: its size and the offset of every field.
static void checkLayout(const DataLayout &layout, StructType *type, size_t size,
                        ArrayRef<size_t> offsets) {
  const StructLayout *found = layout.getStructLayout(type);
  bool same = found->getSizeInBytes() == size &&
              type->getNumElements() == offsets.size();
  for (unsigned i = 0; same && i < offsets.size(); ++i)
    same = found->getElementOffset(i) == offsets[i];
  if (!same)
    report_fatal_error("CodeGen's layout of " + Twine(type->getName()) +
                       " is not that of zrt/Abi.h");
}

void TypeLowering::checkLayouts() const {
#define ABI_FIELD(name, type) offsetof(Struct, name)
#define ABI_STRUCT(member, Abi, ...)                                           \
  {                                                                            \
    using Struct = Abi;                                                        \
    checkLayout(layout, member, sizeof(Struct), {__VA_ARGS__});                \
  }
#include "AbiStructs.def"
}

} // namespace zpl::codegen
