//===- TypeLowering.cpp - LLVM types of values and of Abi.h ---------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A ZPL `boolean` is i1 while it is computed with and one byte in memory:
// arrays of bytes are what the runtime, C and vector loads understand. All
// other scalars look the same in both places.
//
//   [1..n] boolean   ->  i8 elements; `load i8; icmp ne 0` ... `zext; store i8`
//
// The structures of zrt/Abi.h are built again here as LLVM types, so that
// fields can be named in getelementptr. Nothing ties the two texts together
// but checkLayouts, which compares each offset and size with what the C++
// compiler made of the header: once per compilation, some forty comparisons.
//
//===----------------------------------------------------------------------===//

#include "TypeLowering.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/ErrorHandling.h"
#include <cstddef>

using namespace llvm;

namespace zpl::codegen {

TypeLowering::TypeLowering(LLVMContext &context) {
  ptr = PointerType::getUnqual(context);
  i1 = IntegerType::get(context, 1);
  i8 = IntegerType::get(context, 8);
  i32 = IntegerType::get(context, 32);
  i64 = IntegerType::get(context, 64);
  f32 = llvm::Type::getFloatTy(context);
  f64 = llvm::Type::getDoubleTy(context);
  sixI64 = ArrayType::get(i64, ZRT_MAX_RANK);

  auto make = [&](StringRef name, ArrayRef<llvm::Type *> fields) {
    return StructType::create(context, fields, name);
  };
  loc = make("zrt_loc", {ptr, i32, i32});
  range = make("zrt_range", {i64, i64});
  llvm::Type *sixRanges = ArrayType::get(range, ZRT_MAX_RANK);
  region = make("zrt_region", {ptr, i32, i32, sixRanges});
  domain = make("zrt_domain", {sixRanges});
  array = make("zrt_array",
               {ptr, sixI64, sixRanges, region, ptr, i32, i32, i64, ptr, i64});
  fluff = make("zrt_fluff", {sixI64, sixI64});
  shift = make("zrt_shift", {ptr, sixI64});
  transfer = make("zrt_transfer", {ptr});
  config = make("zrt_config", {ptr, i32, i32, ptr, ptr, ptr, ptr});
  program = make("zrt_program", {ptr, ptr, ptr, ptr, i64, ptr, ptr});
  timer = make("zrt_timer", {f64, f64, i32, i32});
}

llvm::Type *TypeLowering::value(air::Type type) const {
  switch (type) {
  case air::Type::Void:
    return llvm::Type::getVoidTy(ptr->getContext());
  case air::Type::Bool:
    return i1;
  case air::Type::I32:
    return i32;
  case air::Type::I64:
    return i64;
  case air::Type::F32:
    return f32;
  case air::Type::F64:
    return f64;
  case air::Type::Str:
    return ptr;
  case air::Type::Timer:
    break;
  }
  llvm_unreachable("timers are not values");
}

llvm::Type *TypeLowering::memory(air::Type type) const {
  if (type == air::Type::Bool)
    return i8;
  if (type == air::Type::Timer)
    return timer;
  return value(type);
}

uint64_t TypeLowering::size(air::Type type) {
  switch (type) {
  case air::Type::Bool:
    return 1;
  case air::Type::I32:
  case air::Type::F32:
    return 4;
  case air::Type::I64:
  case air::Type::F64:
  case air::Type::Str:
    return 8;
  case air::Type::Timer:
    return sizeof(zrt_timer);
  case air::Type::Void:
    break;
  }
  llvm_unreachable("void has no size");
}

int32_t TypeLowering::abiType(air::Type type) {
  switch (type) {
  case air::Type::Bool:
    return ZRT_BOOL;
  case air::Type::I32:
    return ZRT_I32;
  case air::Type::I64:
    return ZRT_I64;
  case air::Type::F32:
    return ZRT_F32;
  case air::Type::F64:
    return ZRT_F64;
  case air::Type::Str:
    return ZRT_STR;
  case air::Type::Void:
  case air::Type::Timer:
    break;
  }
  llvm_unreachable("a type that the runtime has no number for");
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

void TypeLowering::checkLayouts(const DataLayout &layout) const {
#define AT(type, field) offsetof(type, field)
  checkLayout(layout, loc, sizeof(zrt_loc),
              {AT(zrt_loc, file), AT(zrt_loc, line), AT(zrt_loc, column)});
  checkLayout(layout, range, sizeof(zrt_range),
              {AT(zrt_range, lo), AT(zrt_range, hi)});
  checkLayout(layout, region, sizeof(zrt_region),
              {AT(zrt_region, name), AT(zrt_region, rank),
               AT(zrt_region, singletons), AT(zrt_region, dim)});
  checkLayout(layout, domain, sizeof(zrt_domain), {AT(zrt_domain, own)});
  checkLayout(layout, array, sizeof(zrt_array),
              {AT(zrt_array, origin), AT(zrt_array, pitch),
               AT(zrt_array, stored), AT(zrt_array, region),
               AT(zrt_array, name), AT(zrt_array, type),
               AT(zrt_array, borrowed), AT(zrt_array, id),
               AT(zrt_array, storage), AT(zrt_array, bytes)});
  checkLayout(layout, fluff, sizeof(zrt_fluff),
              {AT(zrt_fluff, below), AT(zrt_fluff, above)});
  checkLayout(layout, shift, sizeof(zrt_shift),
              {AT(zrt_shift, array), AT(zrt_shift, direction)});
  checkLayout(layout, transfer, sizeof(zrt_transfer), {AT(zrt_transfer, plan)});
  checkLayout(layout, config, sizeof(zrt_config),
              {AT(zrt_config, name), AT(zrt_config, type),
               AT(zrt_config, reserved), AT(zrt_config, address),
               AT(zrt_config, given), AT(zrt_config, default_text),
               AT(zrt_config, comment)});
  checkLayout(layout, program, sizeof(zrt_program),
              {AT(zrt_program, name), AT(zrt_program, plugin_dir),
               AT(zrt_program, cpu_features), AT(zrt_program, configs),
               AT(zrt_program, config_count), AT(zrt_program, initialize),
               AT(zrt_program, entry)});
  checkLayout(layout, timer, sizeof(zrt_timer),
              {AT(zrt_timer, accumulated), AT(zrt_timer, started),
               AT(zrt_timer, running), AT(zrt_timer, reserved)});
#undef AT
}

} // namespace zpl::codegen
