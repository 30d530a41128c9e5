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

#include "Function/LowerCommunication.h"
#include "Function/FunctionLowering.h"
#include "Function/LowerAggregates.h"
#include "Function/LowerRuntime.h"
#include "Function/LowerScalar.h"
#include "zpl/Analysis/Combining.h"
#include "zpl/Analysis/LinearMaps.h"

using namespace llvm;
using llvm::cast;

namespace zpl::codegen {

Value *maskTable(FunctionState &fn, const air::Mask &mask) {
  if (!mask.array)
    return ConstantPointerNull::get(fn.types.ptr);
  return table(fn, fn.types.mask,
               {{address(fn, mask.array), fn.builder.getInt32(mask.value)}},
               "mask");
}

namespace {

/// scale * index + offset, of i32.
struct LinearValue {
  Value *scale, *offset;
};

LinearValue lowerLinear(FunctionState &fn, const air::Expr *expr) {
  IRBuilder<> &b = fn.builder;
  if (isa<air::IndexExpr>(expr))
    return {b.getInt32(1), b.getInt32(0)};
  if (auto *unary = dyn_cast<air::UnaryExpr>(expr)) {
    LinearValue value = lowerLinear(fn, unary->operand);
    return {b.CreateNeg(value.scale), b.CreateNeg(value.offset)};
  }
  auto *binary = dyn_cast<air::BinaryExpr>(expr);
  if (!binary)
    return {b.getInt32(0), lower(fn, expr)};
  LinearValue x = lowerLinear(fn, binary->left);
  LinearValue y = lowerLinear(fn, binary->right);
  if (binary->op == air::BinaryOp::Add)
    return {b.CreateAdd(x.scale, y.scale), b.CreateAdd(x.offset, y.offset)};
  if (binary->op == air::BinaryOp::Sub)
    return {b.CreateSub(x.scale, y.scale), b.CreateSub(x.offset, y.offset)};
  // One of the two has no index.
  return {b.CreateAdd(b.CreateMul(x.scale, y.offset),
                      b.CreateMul(y.scale, x.offset)),
          b.CreateMul(x.offset, y.offset)};
}

/// The fields of a zrt_map for \p map.
SmallVector<Value *, 5> linearRow(FunctionState &fn,
                                  const air::LinearMap &map) {
  IRBuilder<> &b = fn.builder;
  auto wide = [&](Value *value) { return b.CreateSExt(value, fn.types.i64); };
  LinearValue linear = lowerLinear(fn, map.linear);
  zrt_map_form form = !map.dim      ? ZRT_MAP_SCALAR
                      : map.modulus ? ZRT_MAP_MODULAR
                                    : ZRT_MAP_LINEAR;
  Value *zero = b.getInt64(0);
  Value *shift = map.shift ? lower(fn, map.shift) : b.getInt32(0);
  if (map.isSubtracted)
    shift = b.CreateNeg(shift);
  return {
      b.getInt32(form),    b.getInt32(map.dim.value_or(0)),
      wide(linear.offset), ConstantPointerNull::get(fn.types.ptr),
      wide(linear.scale),  map.modulus ? wide(lower(fn, map.modulus)) : zero,
      wide(shift)};
}

} // namespace

Value *mapTable(FunctionState &fn, ArrayRef<air::Map> maps,
                const air::Region &region) {
  SmallVector<SmallVector<Value *, 5>, 6> rows;
  Constant *zero = fn.builder.getInt64(0);
  auto addRow = [&](zrt_map_form form, unsigned dim, Value *value,
                    Value *array) {
    rows.push_back({fn.builder.getInt32(form), fn.builder.getInt32(dim), value,
                    array, zero, zero, zero});
  };
  Constant *none = ConstantPointerNull::get(fn.types.ptr);
  for (const air::Map &map : maps) {
    if (map.value)
      rows.push_back(linearRow(fn, *air::linearMap(*map.value, region)));
    else if (map.array)
      addRow(ZRT_MAP_ARRAY, 0, zero, address(fn, map.array));
    else if (map.scalar)
      addRow(ZRT_MAP_SCALAR, 0, lowerIndex(fn, map.scalar), none);
    else
      addRow(ZRT_MAP_INDEX, map.dim, zero, none);
  }
  return table(fn, fn.types.map, rows, "maps");
}

void lowerShift(FunctionState &fn, const air::ShiftStmt *stmt) {
  // Filled field by field: a row as a whole would be copied once more.
  auto *type = ArrayType::get(fn.types.view, stmt->views.size());
  AllocaInst *views = addAlloca(fn, type, "views");
  for (auto [row, view] : enumerate(stmt->views)) {
    auto set = [&](unsigned field, Value *value) {
      Value *path[] = {fn.builder.getInt32(0), fn.builder.getInt32(row),
                       fn.builder.getInt32(field)};
      fn.builder.CreateAlignedStore(
          value, fn.builder.CreateInBoundsGEP(type, views, path), Align(8));
    };
    set(0, address(fn, view.target));
    set(1, direction(fn, view.direction));
    set(2, fn.builder.getInt64(view.wraps));
  }
  SmallVector<Value *, 6> arguments = {
      address(fn, stmt->source), address(fn, stmt->region), views,
      fn.builder.getInt64(stmt->views.size()), fn.module.location(stmt->range)};
  if (stmt->sends)
    arguments.insert(arguments.begin(), fn.module.global(stmt->sends));
  fn.builder.CreateCall(stmt->sends
                            ? ZRT_CALLEE(fn.calls, zrtA_array_shift_begin)
                            : ZRT_CALLEE(fn.calls, zrtA_array_shift),
                        arguments);
}

void lowerFlood(FunctionState &fn, const air::FloodStmt *stmt) {
  if (stmt->slot) {
    fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_array_flood_slot),
                          {address(fn, stmt->target), address(fn, stmt->source),
                           address(fn, stmt->from),
                           fn.builder.getInt32(stmt->target->panel),
                           lower(fn, stmt->slot), lower(fn, stmt->times),
                           fn.module.location(stmt->range)});
    return;
  }
  if (stmt->times) {
    fn.builder.CreateCall(
        ZRT_CALLEE(fn.calls, zrtA_array_flood_panel),
        {address(fn, stmt->target), address(fn, stmt->source),
         address(fn, stmt->from), fn.builder.getInt32(stmt->target->panel),
         lower(fn, stmt->times), fn.module.location(stmt->range)});
    return;
  }
  SmallVector<Value *, 5> arguments = {
      address(fn, stmt->target), address(fn, stmt->source),
      address(fn, stmt->from), fn.module.location(stmt->range)};
  if (stmt->begins)
    arguments.insert(arguments.begin(),
                     newSplit(fn, stmt->target, stmt->target->name));
  fn.builder.CreateCall(stmt->begins
                            ? ZRT_CALLEE(fn.calls, zrtA_array_flood_begin)
                            : ZRT_CALLEE(fn.calls, zrtA_array_flood),
                        arguments);
}

void lowerOperatorEnd(FunctionState &fn, const air::OperatorEndStmt *stmt) {
  fn.builder.CreateCall(stmt->ofScan
                            ? ZRT_CALLEE(fn.calls, zrtA_array_scan_end)
                            : ZRT_CALLEE(fn.calls, zrtA_array_flood_end),
                        {splitOf(fn, stmt->target, stmt->target->name),
                         fn.module.location(stmt->range)});
}

void lowerPut(FunctionState &fn, const air::PutStmt *stmt) {
  fn.builder.CreateCall(
      ZRT_CALLEE(fn.calls, zrtA_array_put),
      {address(fn, stmt->target), address(fn, stmt->source),
       address(fn, stmt->region), direction(fn, stmt->direction),
       fn.builder.getInt32(stmt->wraps), maskTable(fn, stmt->mask),
       fn.module.location(stmt->range)});
}

void lowerFold(FunctionState &fn, const air::FoldStmt *stmt) {
  Value *reduction = fn.builder.getInt32(TypeLowering::abiReduction(stmt->op));
  Value *source = address(fn, stmt->source),
        *region = address(fn, stmt->region);
  Value *mask = maskTable(fn, stmt->mask);
  Constant *loc = fn.module.location(stmt->range);
  if (stmt->target) {
    fn.builder.CreateCall(
        ZRT_CALLEE(fn.calls, zrtA_array_fold),
        {address(fn, stmt->target), source, region, reduction, mask, loc});
    return;
  }
  const air::Variable *variable = stmt->variable;
  AllocaInst *cell = addAlloca(fn, fn.types.memory(variable->type),
                               Twine(variable->name) + ".folded");
  fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_fold),
                        {cell, source, region, reduction, mask, loc});
  writeVariable(fn, variable, load(fn, variable->type, cell, variable->name));
}

/// A table of the arrays, and one call.
static void lowerCombineArrays(FunctionState &fn,
                               const air::CombineArrayStmt *stmt,
                               uint32_t dims) {
  IRBuilder<> &b = fn.builder;
  SmallVector<SmallVector<Value *, 5>, 4> rows;
  for (const auto &[op, with, array] : stmt->values()) {
    Value *combine = ConstantPointerNull::get(fn.types.ptr);
    if (with)
      combine = fn.module.function(with);
    rows.push_back(
        {address(fn, array), combine, sizeOf(fn, array->element),
         b.getInt32(with ? 0 : TypeLowering::abiKind(array->element)),
         b.getInt32(with ? 0 : TypeLowering::abiReduction(op))});
  }
  b.CreateCall(ZRT_CALLEE(fn.calls, zrtA_array_combine_several),
               {table(fn, fn.types.combined, rows, "combined"),
                b.getInt64(rows.size()), b.getInt32(dims),
                fn.module.location(stmt->range)});
}

void lowerCombineArray(FunctionState &fn, const air::CombineArrayStmt *stmt) {
  if (stmt->carriesOver)
    return lowerCarry(fn, stmt);
  uint32_t dims = 0;
  for (unsigned d : stmt->dims)
    dims |= 1u << d;
  if (!stmt->others.empty())
    return lowerCombineArrays(fn, stmt, dims);
  if (stmt->with) {
    fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_array_combine_states),
                          {address(fn, stmt->array), fn.builder.getInt32(dims),
                           fn.module.function(stmt->with),
                           fn.module.location(stmt->range)});
    return;
  }
  fn.builder.CreateCall(
      ZRT_CALLEE(fn.calls, zrtA_array_combine),
      {address(fn, stmt->array), fn.builder.getInt32(dims),
       fn.builder.getInt32(TypeLowering::abiReduction(stmt->op)),
       fn.module.location(stmt->range)});
}

void lowerSort(FunctionState &fn, const air::SortStmt *stmt) {
  auto *type = ArrayType::get(fn.types.ptr, stmt->arrays.size());
  AllocaInst *arrays = addAlloca(fn, type, "sorted");
  for (auto [k, array] : enumerate(stmt->arrays)) {
    Value *path[] = {fn.builder.getInt32(0), fn.builder.getInt32(k)};
    fn.builder.CreateAlignedStore(
        address(fn, array), fn.builder.CreateInBoundsGEP(type, arrays, path),
        Align(8));
  }
  Constant *before =
      stmt->with ? static_cast<Constant *>(fn.module.function(stmt->with))
                 : ConstantPointerNull::get(fn.types.ptr);
  fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_array_sort),
                        {arrays, fn.builder.getInt64(stmt->arrays.size()),
                         address(fn, stmt->region),
                         fn.builder.getInt32(stmt->isDescending), before,
                         fn.module.location(stmt->range)});
}

/// A zrt_scan.
static Value *scanTable(FunctionState &fn, air::Reduction op,
                        ArrayRef<int> dims, bool isInclusive,
                        bool isReproducible) {
  SmallVector<uint32_t, ZRT_MAX_RANK> all(dims.begin(), dims.end());
  all.resize(ZRT_MAX_RANK, 0);
  return table(
      fn, fn.types.scan,
      {{fn.builder.getInt32(TypeLowering::abiReduction(op)),
        fn.builder.getInt32(dims.size()),
        ConstantDataArray::get(fn.builder.getContext(), all),
        fn.builder.getInt32(isInclusive), fn.builder.getInt32(isReproducible)}},
      "scan");
}

void lowerCarry(FunctionState &fn, const air::CombineArrayStmt *stmt) {
  const air::Array &array = *stmt->array;
  fn.builder.CreateCall(
      ZRT_CALLEE(fn.calls, zrtA_array_carries),
      {address(fn, stmt->array),
       stmt->restarts ? address(fn, stmt->restarts)
                      : ConstantPointerNull::get(fn.types.ptr),
       address(fn, stmt->carriesOver),
       scanTable(fn, array.carryOp, array.carryDims, false, false),
       fn.module.location(stmt->range)});
}

void lowerScan(FunctionState &fn, const air::ScanStmt *stmt) {
  Value *scan =
      scanTable(fn, stmt->op, stmt->dims, stmt->inclusive, stmt->reproducible);
  Value *segment = stmt->segment ? address(fn, stmt->segment)
                                 : ConstantPointerNull::get(fn.types.ptr);
  if (stmt->with) {
    fn.builder.CreateCall(
        ZRT_CALLEE(fn.calls, zrtA_array_scan_states),
        {address(fn, stmt->target), address(fn, stmt->source),
         address(fn, stmt->region), scan, fn.module.function(stmt->with),
         fn.module.function(stmt->identity), segment, maskTable(fn, stmt->mask),
         fn.module.location(stmt->range)});
    return;
  }
  SmallVector<Value *, 8> arguments = {address(fn, stmt->target),
                                       address(fn, stmt->source),
                                       address(fn, stmt->region),
                                       scan,
                                       segment,
                                       maskTable(fn, stmt->mask),
                                       fn.module.location(stmt->range)};
  if (stmt->begins)
    arguments.insert(arguments.begin(),
                     newSplit(fn, stmt->target, stmt->target->name));
  fn.builder.CreateCall(stmt->begins
                            ? ZRT_CALLEE(fn.calls, zrtA_array_scan_begin)
                            : ZRT_CALLEE(fn.calls, zrtA_array_scan),
                        arguments);
}

void lowerGather(FunctionState &fn, const air::GatherStmt *stmt) {
  fn.builder.CreateCall(
      ZRT_CALLEE(fn.calls, zrtA_array_gather),
      {address(fn, stmt->target), address(fn, stmt->source),
       address(fn, stmt->region), mapTable(fn, stmt->maps, *stmt->region),
       maskTable(fn, stmt->mask), fn.module.location(stmt->range)});
}

/// Which enum zrt_reduction the binary operator is to elements of \p type, or
/// -1. Logical ones of integers are none: to combine 5 with nothing gives 1.
static int32_t reductionOf(air::BinaryOp op, air::Type type) {
  bool isBool = type == air::Type::Bool;
  if (!type.isInteger() && !type.isFloat())
    return -1;
  switch (op) {
  case air::BinaryOp::Add:
    return ZRT_SUM;
  case air::BinaryOp::Mul:
    return ZRT_PRODUCT;
  case air::BinaryOp::Min:
    return ZRT_MIN;
  case air::BinaryOp::Max:
    return ZRT_MAX;
  case air::BinaryOp::And:
    return isBool ? ZRT_AND : -1;
  case air::BinaryOp::Or:
    return isBool ? ZRT_OR : -1;
  case air::BinaryOp::BitAnd:
    return ZRT_BAND;
  case air::BinaryOp::BitOr:
    return ZRT_BOR;
  case air::BinaryOp::BitXor:
    return ZRT_BXOR;
  case air::BinaryOp::Sub:
  case air::BinaryOp::Div:
  case air::BinaryOp::Rem:
  case air::BinaryOp::Pow:
  case air::BinaryOp::MinNaN:
  case air::BinaryOp::MaxNaN:
  case air::BinaryOp::ShiftL:
  case air::BinaryOp::ShiftR:
    return -1;
  }
  llvm_unreachable("unknown operator");
}

/// What \p combine computes if it is one operator of one boolean, integer or
/// real type; -1 if it is anything else.
static int32_t reductionOf(const air::Procedure *combine) {
  std::optional<air::BinaryOp> op =
      combine ? air::combiningOp(*combine) : std::nullopt;
  return op ? reductionOf(*op, combine->params[0].variable->type) : -1;
}

void lowerScatter(FunctionState &fn, const air::ScatterStmt *stmt) {
  Constant *combine =
      stmt->combine ? static_cast<Constant *>(fn.module.function(stmt->combine))
                    : ConstantPointerNull::get(fn.types.ptr);
  fn.builder.CreateCall(
      ZRT_CALLEE(fn.calls, zrtA_array_scatter),
      {address(fn, stmt->target), address(fn, stmt->source),
       address(fn, stmt->region), mapTable(fn, stmt->maps, *stmt->region),
       combine, fn.builder.getInt32(reductionOf(stmt->combine)),
       maskTable(fn, stmt->mask), fn.module.string(nameOf(*stmt->target)),
       fn.module.location(stmt->range)});
}

static Value *referenceTable(FunctionState &fn, const air::WindowStmt &stmt) {
  SmallVector<SmallVector<Value *, 5>, 4> rows;
  for (const air::WindowReference &reference : stmt.references)
    rows.push_back({address(fn, reference.positions),
                    mapTable(fn, reference.maps, *stmt.region),
                    maskTable(fn, reference.mask),
                    fn.builder.getInt64(fn.module.mapArrays.setsOf(
                        reference.maps, reference.mask)),
                    fn.module.string(reference.text),
                    fn.module.location(reference.range)});
  return table(fn, fn.types.reference, rows, "references");
}

/// A window with references.
static void lowerFetch(FunctionState &fn, const air::WindowStmt &stmt) {
  SmallVector<Value *, 7> arguments = {
      address(fn, stmt.window), address(fn, stmt.array),
      address(fn, stmt.region), referenceTable(fn, stmt),
      fn.builder.getInt64(stmt.references.size())};
  bool isImage = stmt.form == air::WindowStmt::Image;
  if (isImage)
    arguments.push_back(fn.builder.getInt32(reductionOf(stmt.combine)));
  arguments.push_back(fn.builder.getInt32(stmt.withNext));
  arguments.push_back(fn.module.location(stmt.range));
  fn.builder.CreateCall(isImage ? ZRT_CALLEE(fn.calls, zrtA_window_collect)
                                : ZRT_CALLEE(fn.calls, zrtA_window_fetch),
                        arguments);
}

void lowerWindow(FunctionState &fn, const air::WindowStmt *stmt) {
  Constant *loc = fn.module.location(stmt->range);
  Value *reduction = fn.builder.getInt32(reductionOf(stmt->combine));
  switch (stmt->form) {
  case air::WindowStmt::Fetch:
    lowerFetch(fn, *stmt);
    return;
  case air::WindowStmt::Copy:
    fn.builder.CreateCall(
        ZRT_CALLEE(fn.calls, zrtA_window_copy),
        {address(fn, stmt->window), address(fn, stmt->array), loc});
    return;
  case air::WindowStmt::Image:
    if (stmt->lends())
      return lowerFetch(fn, *stmt);
    fn.builder.CreateCall(
        ZRT_CALLEE(fn.calls, zrtA_window_image),
        {address(fn, stmt->window), address(fn, stmt->array), reduction, loc});
    return;
  case air::WindowStmt::Merge:
    fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_window_merge),
                          {address(fn, stmt->array), address(fn, stmt->window),
                           reduction, fn.builder.getInt32(stmt->withNext),
                           loc});
    return;
  case air::WindowStmt::Confirm:
    fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_window_confirm), {loc});
    return;
  }
  llvm_unreachable("unknown form of a window");
}

void lowerBoxes(FunctionState &fn, const air::BoxesStmt *stmt) {
  fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_boxes_begin),
                        {address(fn, stmt->array), address(fn, stmt->region),
                         mapTable(fn, stmt->maps, *stmt->region),
                         fn.module.string(stmt->text),
                         fn.module.location(stmt->range)});
  BasicBlock *next = addBlock(fn, "boxes.next");
  BasicBlock *inside = addBlock(fn, "boxes.box");
  BasicBlock *end = addBlock(fn, "boxes.end");
  startBlock(fn, next);
  setPlace(fn, stmt->range);
  Value *more = fn.builder.CreateCall(
      ZRT_CALLEE(fn.calls, zrtA_boxes_next),
      {address(fn, stmt->box), address(fn, stmt->window)}, "more");
  fn.builder.CreateCondBr(fn.builder.CreateICmpNE(more, fn.builder.getInt32(0)),
                          inside, end);
  startBlock(fn, inside);
  lower(fn, stmt->body);
  fn.builder.CreateBr(next);
  startBlock(fn, end);
}

void lowerBoundary(FunctionState &fn, const air::BoundaryStmt *stmt) {
  fn.builder.CreateCall(stmt->reflects ? ZRT_CALLEE(fn.calls, zrtA_reflect)
                                       : ZRT_CALLEE(fn.calls, zrtA_wrap),
                        {address(fn, stmt->array), address(fn, stmt->base),
                         direction(fn, stmt->direction),
                         fn.module.location(stmt->range)});
}

} // namespace zpl::codegen
