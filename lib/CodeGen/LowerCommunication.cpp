//===- LowerCommunication.cpp - Array operators ---------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Statements that move elements between indices and processors: one call of
// zrt/Abi.h each, with descriptors and a few structures:
//
//   scan %T = sum %A over %R dims (2, 1) where %M
//     call @zrtA_array_scan(%T, %A, %R, @.scan, null, %mask, loc)
//
//   gather %T = %A at (%I, index(1)) over %R
//     %maps = { ARRAY, 0, 0, %I }, { INDEX, 1, 0, null }
//     call @zrtA_array_gather(%T, %A, %R, %maps, null, loc)
//
// A mask or maps that name local arrays or computed scalars are filled in
// before the call. The procedure with which a scatter combines takes two
// elements by reference, which is what the runtime calls, so that it is passed
// as it is.
//
//===----------------------------------------------------------------------===//

#include "FunctionLowering.h"

using namespace llvm;
using llvm::cast;

namespace zpl::codegen {

/// A zrt_mask, or a null pointer for none.
Value *FunctionLowering::maskTable(const air::Mask &mask) {
  if (!mask.array)
    return ConstantPointerNull::get(types.ptr);
  return table(types.mask,
               {{address(mask.array), builder.getInt32(mask.value)}}, "mask");
}

Value *FunctionLowering::mapTable(ArrayRef<air::Map> maps) {
  SmallVector<SmallVector<Value *, 5>, 6> rows;
  auto addRow = [&](zrt_map_form form, unsigned dim, Value *value,
                    Value *array) {
    rows.push_back(
        {builder.getInt32(form), builder.getInt32(dim), value, array});
  };
  Constant *none = ConstantPointerNull::get(types.ptr);
  for (const air::Map &map : maps) {
    if (map.array)
      addRow(ZRT_MAP_ARRAY, 0, builder.getInt64(0), address(map.array));
    else if (map.scalar)
      addRow(ZRT_MAP_SCALAR, 0, lowerIndex(map.scalar), none);
    else
      addRow(ZRT_MAP_INDEX, map.dim, builder.getInt64(0), none);
  }
  return table(types.map, rows, "maps");
}

void FunctionLowering::lowerShift(const air::ShiftStmt *stmt) {
  // Filled field by field: a row as a whole would be copied once more.
  auto *type = ArrayType::get(types.view, stmt->views.size());
  AllocaInst *views = addAlloca(type, "views");
  for (auto [row, view] : enumerate(stmt->views)) {
    auto set = [&](unsigned field, Value *value) {
      Value *path[] = {builder.getInt32(0), builder.getInt32(row),
                       builder.getInt32(field)};
      builder.CreateAlignedStore(
          value, builder.CreateInBoundsGEP(type, views, path), Align(8));
    };
    set(0, address(view.target));
    set(1, direction(view.direction));
    set(2, builder.getInt64(view.wraps));
  }
  SmallVector<Value *, 6> arguments = {
      address(stmt->source), address(stmt->region), views,
      builder.getInt64(stmt->views.size()), module.location(stmt->range)};
  if (stmt->sends)
    arguments.insert(arguments.begin(), module.global(stmt->sends));
  builder.CreateCall(stmt->sends ? ZRT_CALLEE(calls, zrtA_array_shift_begin)
                                 : ZRT_CALLEE(calls, zrtA_array_shift),
                     arguments);
}

void FunctionLowering::lowerFlood(const air::FloodStmt *stmt) {
  if (stmt->times) {
    builder.CreateCall(ZRT_CALLEE(calls, zrtA_array_flood_panel),
                       {address(stmt->target), address(stmt->source),
                        address(stmt->from),
                        builder.getInt32(stmt->target->panel),
                        lower(stmt->times), module.location(stmt->range)});
    return;
  }
  SmallVector<Value *, 5> arguments = {
      address(stmt->target), address(stmt->source), address(stmt->from),
      module.location(stmt->range)};
  if (stmt->begins)
    arguments.insert(arguments.begin(),
                     newSplit(stmt->target, stmt->target->name));
  builder.CreateCall(stmt->begins ? ZRT_CALLEE(calls, zrtA_array_flood_begin)
                                  : ZRT_CALLEE(calls, zrtA_array_flood),
                     arguments);
}

void FunctionLowering::lowerOperatorEnd(const air::OperatorEndStmt *stmt) {
  builder.CreateCall(stmt->ofScan ? ZRT_CALLEE(calls, zrtA_array_scan_end)
                                  : ZRT_CALLEE(calls, zrtA_array_flood_end),
                     {splitOf(stmt->target, stmt->target->name),
                      module.location(stmt->range)});
}

void FunctionLowering::lowerPut(const air::PutStmt *stmt) {
  builder.CreateCall(ZRT_CALLEE(calls, zrtA_array_put),
                     {address(stmt->target), address(stmt->source),
                      address(stmt->region), direction(stmt->direction),
                      builder.getInt32(stmt->wraps), maskTable(stmt->mask),
                      module.location(stmt->range)});
}

void FunctionLowering::lowerFold(const air::FoldStmt *stmt) {
  Value *reduction = builder.getInt32(TypeLowering::abiReduction(stmt->op));
  Value *source = address(stmt->source), *region = address(stmt->region);
  Value *mask = maskTable(stmt->mask);
  Constant *loc = module.location(stmt->range);
  if (stmt->target) {
    builder.CreateCall(
        ZRT_CALLEE(calls, zrtA_array_fold),
        {address(stmt->target), source, region, reduction, mask, loc});
    return;
  }
  const air::Variable *variable = stmt->variable;
  AllocaInst *cell = addAlloca(types.memory(variable->type),
                               Twine(variable->name) + ".folded");
  builder.CreateCall(ZRT_CALLEE(calls, zrtA_fold),
                     {cell, source, region, reduction, mask, loc});
  writeVariable(variable, load(variable->type, cell, variable->name));
}

void FunctionLowering::lowerCombineArray(const air::CombineArrayStmt *stmt) {
  uint32_t dims = 0;
  for (unsigned d : stmt->dims)
    dims |= 1u << d;
  if (stmt->with) {
    builder.CreateCall(ZRT_CALLEE(calls, zrtA_array_combine_states),
                       {address(stmt->array), builder.getInt32(dims),
                        module.function(stmt->with),
                        module.location(stmt->range)});
    return;
  }
  builder.CreateCall(ZRT_CALLEE(calls, zrtA_array_combine),
                     {address(stmt->array), builder.getInt32(dims),
                      builder.getInt32(TypeLowering::abiReduction(stmt->op)),
                      module.location(stmt->range)});
}

void FunctionLowering::lowerScan(const air::ScanStmt *stmt) {
  SmallVector<uint32_t, ZRT_MAX_RANK> dims(stmt->dims.begin(),
                                           stmt->dims.end());
  dims.resize(ZRT_MAX_RANK, 0);
  Value *scan = table(types.scan,
                      {{builder.getInt32(TypeLowering::abiReduction(stmt->op)),
                        builder.getInt32(stmt->dims.size()),
                        ConstantDataArray::get(builder.getContext(), dims),
                        builder.getInt32(stmt->inclusive),
                        builder.getInt32(stmt->reproducible)}},
                      "scan");
  Value *segment = stmt->segment ? address(stmt->segment)
                                 : ConstantPointerNull::get(types.ptr);
  if (stmt->with) {
    builder.CreateCall(
        ZRT_CALLEE(calls, zrtA_array_scan_states),
        {address(stmt->target), address(stmt->source), address(stmt->region),
         scan, module.function(stmt->with), module.function(stmt->identity),
         segment, maskTable(stmt->mask), module.location(stmt->range)});
    return;
  }
  SmallVector<Value *, 8> arguments = {address(stmt->target),
                                       address(stmt->source),
                                       address(stmt->region),
                                       scan,
                                       segment,
                                       maskTable(stmt->mask),
                                       module.location(stmt->range)};
  if (stmt->begins)
    arguments.insert(arguments.begin(),
                     newSplit(stmt->target, stmt->target->name));
  builder.CreateCall(stmt->begins ? ZRT_CALLEE(calls, zrtA_array_scan_begin)
                                  : ZRT_CALLEE(calls, zrtA_array_scan),
                     arguments);
}

void FunctionLowering::lowerGather(const air::GatherStmt *stmt) {
  builder.CreateCall(ZRT_CALLEE(calls, zrtA_array_gather),
                     {address(stmt->target), address(stmt->source),
                      address(stmt->region), mapTable(stmt->maps),
                      maskTable(stmt->mask), module.location(stmt->range)});
}

void FunctionLowering::lowerScatter(const air::ScatterStmt *stmt) {
  Constant *combine =
      stmt->combine ? static_cast<Constant *>(module.function(stmt->combine))
                    : ConstantPointerNull::get(types.ptr);
  builder.CreateCall(ZRT_CALLEE(calls, zrtA_array_scatter),
                     {address(stmt->target), address(stmt->source),
                      address(stmt->region), mapTable(stmt->maps), combine,
                      maskTable(stmt->mask), module.location(stmt->range)});
}

void FunctionLowering::lowerBoundary(const air::BoundaryStmt *stmt) {
  builder.CreateCall(stmt->reflects ? ZRT_CALLEE(calls, zrtA_reflect)
                                    : ZRT_CALLEE(calls, zrtA_wrap),
                     {address(stmt->array), address(stmt->base),
                      direction(stmt->direction),
                      module.location(stmt->range)});
}

} // namespace zpl::codegen
