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
// fields can be named in getelementptr. Nothing ties the two texts together
// but checkLayouts, which compares each offset and size with what the C++
// compiler made of the header: once per compilation, some forty comparisons.
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
  loc = make("zrt_loc", {ptr, i32, i32});
  range = make("zrt_range", {i64, i64});
  llvm::Type *sixRanges = ArrayType::get(range, ZRT_MAX_RANK);
  dim = make("zrt_dim", {i64, i64, i64, i64});
  llvm::Type *sixPtr = ArrayType::get(ptr, ZRT_MAX_RANK);
  region = make("zrt_region", {ptr, i16, i16, i32, i32, i32, i64, i64, ptr,
                               ArrayType::get(dim, ZRT_MAX_RANK)});
  pattern =
      make("zrt_pattern", {i64, i64, ptr, sixPtr, ptr, sixPtr, ptr, i64, ptr});
  piece = make("zrt_piece", {i64, i64});
  windows = make("zrt_windows", {i64, i64, i64, i64, i64});
  box = make("zrt_box",
             {sixI64, sixI64, i64, ArrayType::get(piece, ZRT_BOX_PIECES), i64,
              i64, sixPtr, ptr, ptr, ptr, i64, i64});
  domain = make("zrt_domain", {sixRanges});
  array = make("zrt_array", {ptr, sixI64, sixRanges, region, ptr, i64, ptr, ptr,
                             i32, i32, i64, ptr, i64, ptr});
  fluff = make("zrt_fluff", {sixI64, sixI64, i32, i32});
  view = make("zrt_view", {ptr, ptr, i64});
  shift = make("zrt_shift", {ptr, sixI64});
  transfer = make("zrt_transfer", {ptr});
  split = make("zrt_split", {ptr});
  mask = make("zrt_mask", {ptr, i32});
  scan =
      make("zrt_scan", {i32, i32, ArrayType::get(i32, ZRT_MAX_RANK), i32, i32});
  wave = make("zrt_wave",
              {ArrayType::get(i32, ZRT_MAX_RANK), i32, i32, i32, i32, i32});
  map = make("zrt_map", {i32, i32, i64, ptr, i64, i64, i64});
  reference = make("zrt_reference", {ptr, ptr, ptr, i64, ptr, ptr});
  config = make("zrt_config", {ptr, ptr, ptr, ptr});
  replicated = make("zrt_replicated", {ptr, ptr, ptr});
  stringVariable = make("zrt_string_variable", {ptr, i64});
  program = make("zrt_program", {i64,
                                 ptr,
                                 ptr,
                                 ptr,
                                 ptr,
                                 ptr,
                                 i64,
                                 ptr,
                                 ptr,
                                 ptr,
                                 i64,
                                 ptr,
                                 ArrayType::get(i32, ZRT_MAX_RANK),
                                 ptr,
                                 i64,
                                 ptr,
                                 ptr,
                                 ptr,
                                 i32,
                                 i32,
                                 i32,
                                 i32,
                                 ptr,
                                 i64,
                                 ptr,
                                 i32,
                                 i32});
  ways =
      make("zrt_ways", {ptr, ptr, i64, ArrayType::get(i8, ZRT_SIZE_CLASSES)});
  rule = make("zrt_rule", {i64, i64, i64, ptr, ptr, ptr});
  gridInfo = make("zrt_grid_info", {ptr, i32, i32});
  distributionInfo = make("zrt_distribution_info", {ptr, i32, i32});
  domainInfo = make("zrt_domain_info", {ptr, i32, i32});
  timer = make("zrt_timer", {f64, f64, i32, i32});
  type = make("zrt_type", {i32, i32, i64, ptr, ptr, ptr, ptr, ptr, ptr});
  field = make("zrt_field", {ptr, i64, ptr});
  enumerator = make("zrt_enumerator", {ptr, i64});
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
  case Type::Bool:
    return ZRT_BOOL;
  case Type::Char:
    return ZRT_CHAR;
  case Type::I8:
    return ZRT_I8;
  case Type::U8:
    return ZRT_U8;
  case Type::I16:
    return ZRT_I16;
  case Type::U16:
    return ZRT_U16;
  case Type::I32:
    return ZRT_I32;
  case Type::U32:
    return ZRT_U32;
  case Type::I64:
    return ZRT_I64;
  case Type::U64:
    return ZRT_U64;
  case Type::F32:
    return ZRT_F32;
  case Type::F64:
    return ZRT_F64;
  case Type::F80:
    return ZRT_F80;
  case Type::C32:
    return ZRT_C32;
  case Type::C64:
    return ZRT_C64;
  case Type::C80:
    return ZRT_C80;
  case Type::Str:
    return ZRT_STR;
  case Type::File:
    return ZRT_FILE;
  case Type::Enum:
    return ZRT_ENUM;
  case Type::Record:
    return ZRT_RECORD;
  case Type::Union:
    return ZRT_UNION;
  case Type::Array:
    return ZRT_ARRAY;
  case Type::Opaque:
    return ZRT_OPAQUE;
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
#define AT(type, field) offsetof(type, field)
  checkLayout(layout, loc, sizeof(zrt_loc),
              {AT(zrt_loc, file), AT(zrt_loc, line), AT(zrt_loc, column)});
  checkLayout(layout, range, sizeof(zrt_range),
              {AT(zrt_range, lo), AT(zrt_range, hi)});
  checkLayout(layout, dim, sizeof(zrt_dim),
              {AT(zrt_dim, lo), AT(zrt_dim, hi), AT(zrt_dim, stride),
               AT(zrt_dim, align)});
  checkLayout(layout, region, sizeof(zrt_region),
              {AT(zrt_region, name), AT(zrt_region, rank),
               AT(zrt_region, domain), AT(zrt_region, singletons),
               AT(zrt_region, floods), AT(zrt_region, grids),
               AT(zrt_region, level), AT(zrt_region, is_sparse),
               AT(zrt_region, pattern), AT(zrt_region, dim)});
  checkLayout(layout, pattern, sizeof(zrt_pattern),
              {AT(zrt_pattern, count), AT(zrt_pattern, rows),
               AT(zrt_pattern, starts), AT(zrt_pattern, row),
               AT(zrt_pattern, column), AT(zrt_pattern, row_place),
               AT(zrt_pattern, column_place), AT(zrt_pattern, bands),
               AT(zrt_pattern, band)});
  checkLayout(layout, piece, sizeof(zrt_piece),
              {AT(zrt_piece, from), AT(zrt_piece, to)});
  checkLayout(layout, windows, sizeof(zrt_windows),
              {AT(zrt_windows, from), AT(zrt_windows, to),
               AT(zrt_windows, base), AT(zrt_windows, period),
               AT(zrt_windows, width)});
  checkLayout(layout, box, sizeof(zrt_box),
              {AT(zrt_box, lo), AT(zrt_box, hi), AT(zrt_box, pieces),
               AT(zrt_box, piece), AT(zrt_box, solves), AT(zrt_box, count),
               AT(zrt_box, index), AT(zrt_box, flags), AT(zrt_box, row_piece),
               AT(zrt_box, row_windows), AT(zrt_box, windows),
               AT(zrt_box, exact)});
  checkLayout(layout, domain, sizeof(zrt_domain), {AT(zrt_domain, own)});
  checkLayout(
      layout, array, sizeof(zrt_array),
      {AT(zrt_array, origin), AT(zrt_array, pitch), AT(zrt_array, stored),
       AT(zrt_array, region), AT(zrt_array, borders),
       AT(zrt_array, border_count), AT(zrt_array, name), AT(zrt_array, type),
       AT(zrt_array, borrowed), AT(zrt_array, planned), AT(zrt_array, id),
       AT(zrt_array, storage), AT(zrt_array, bytes), AT(zrt_array, keeper)});
  checkLayout(layout, fluff, sizeof(zrt_fluff),
              {AT(zrt_fluff, below), AT(zrt_fluff, above), AT(zrt_fluff, steps),
               AT(zrt_fluff, wraps)});
  checkLayout(
      layout, view, sizeof(zrt_view),
      {AT(zrt_view, result), AT(zrt_view, direction), AT(zrt_view, wraps)});
  checkLayout(layout, shift, sizeof(zrt_shift),
              {AT(zrt_shift, array), AT(zrt_shift, direction)});
  checkLayout(layout, transfer, sizeof(zrt_transfer), {AT(zrt_transfer, plan)});
  checkLayout(layout, split, sizeof(zrt_split), {AT(zrt_split, state)});
  checkLayout(layout, mask, sizeof(zrt_mask),
              {AT(zrt_mask, array), AT(zrt_mask, value)});
  checkLayout(layout, scan, sizeof(zrt_scan),
              {AT(zrt_scan, reduction), AT(zrt_scan, count), AT(zrt_scan, dims),
               AT(zrt_scan, inclusive), AT(zrt_scan, reproducible)});
  checkLayout(layout, wave, sizeof(zrt_wave),
              {AT(zrt_wave, order), AT(zrt_wave, steps), AT(zrt_wave, cost),
               AT(zrt_wave, chain), AT(zrt_wave, rows), AT(zrt_wave, group)});
  checkLayout(layout, map, sizeof(zrt_map),
              {AT(zrt_map, form), AT(zrt_map, dim), AT(zrt_map, value),
               AT(zrt_map, array), AT(zrt_map, scale), AT(zrt_map, modulus),
               AT(zrt_map, shift)});
  checkLayout(layout, reference, sizeof(zrt_reference),
              {AT(zrt_reference, positions), AT(zrt_reference, maps),
               AT(zrt_reference, mask), AT(zrt_reference, sets),
               AT(zrt_reference, what), AT(zrt_reference, loc)});
  checkLayout(layout, config, sizeof(zrt_config),
              {AT(zrt_config, name), AT(zrt_config, type),
               AT(zrt_config, default_text), AT(zrt_config, comment)});
  checkLayout(layout, program, sizeof(zrt_program),
              {AT(zrt_program, revision),
               AT(zrt_program, name),
               AT(zrt_program, plugin_dir),
               AT(zrt_program, cpu_features),
               AT(zrt_program, figures),
               AT(zrt_program, configs),
               AT(zrt_program, config_count),
               AT(zrt_program, initialize),
               AT(zrt_program, entry),
               AT(zrt_program, replicated),
               AT(zrt_program, replicated_count),
               AT(zrt_program, replicated_value),
               AT(zrt_program, wave_dims),
               AT(zrt_program, string_variables),
               AT(zrt_program, string_variable_count),
               AT(zrt_program, grids),
               AT(zrt_program, distributions),
               AT(zrt_program, domains),
               AT(zrt_program, grid_count),
               AT(zrt_program, distribution_count),
               AT(zrt_program, domain_count),
               AT(zrt_program, tuning),
               AT(zrt_program, ways),
               AT(zrt_program, way_count),
               AT(zrt_program, identity),
               AT(zrt_program, can_restart),
               AT(zrt_program, reserved)});
  checkLayout(layout, ways, sizeof(zrt_ways),
              {AT(zrt_ways, loc), AT(zrt_ways, names), AT(zrt_ways, count),
               AT(zrt_ways, settled)});
  checkLayout(layout, rule, sizeof(zrt_rule),
              {AT(zrt_rule, kind), AT(zrt_rule, lo), AT(zrt_rule, hi),
               AT(zrt_rule, points), AT(zrt_rule, type), AT(zrt_rule, owner)});
  checkLayout(layout, gridInfo, sizeof(zrt_grid_info),
              {AT(zrt_grid_info, name), AT(zrt_grid_info, rank),
               AT(zrt_grid_info, is_variable)});
  checkLayout(layout, distributionInfo, sizeof(zrt_distribution_info),
              {AT(zrt_distribution_info, name), AT(zrt_distribution_info, rank),
               AT(zrt_distribution_info, grid)});
  checkLayout(layout, domainInfo, sizeof(zrt_domain_info),
              {AT(zrt_domain_info, name), AT(zrt_domain_info, distribution),
               AT(zrt_domain_info, is_scattered)});
  checkLayout(
      layout, stringVariable, sizeof(zrt_string_variable),
      {AT(zrt_string_variable, address), AT(zrt_string_variable, bytes)});
  checkLayout(layout, replicated, sizeof(zrt_replicated),
              {AT(zrt_replicated, name), AT(zrt_replicated, type),
               AT(zrt_replicated, loc)});
  checkLayout(layout, timer, sizeof(zrt_timer),
              {AT(zrt_timer, accumulated), AT(zrt_timer, started),
               AT(zrt_timer, running), AT(zrt_timer, reserved)});
  checkLayout(layout, type, sizeof(zrt_type),
              {AT(zrt_type, kind), AT(zrt_type, count), AT(zrt_type, size),
               AT(zrt_type, name), AT(zrt_type, fields),
               AT(zrt_type, enumerators), AT(zrt_type, element),
               AT(zrt_type, bounds), AT(zrt_type, index)});
  checkLayout(
      layout, field, sizeof(zrt_field),
      {AT(zrt_field, name), AT(zrt_field, offset), AT(zrt_field, type)});
  checkLayout(layout, enumerator, sizeof(zrt_enumerator),
              {AT(zrt_enumerator, name), AT(zrt_enumerator, value)});
#undef AT
}

} // namespace zpl::codegen
