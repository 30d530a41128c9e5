//===- LowerRuntime.cpp - What the runtime does ---------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Statements that are calls of zrt/Abi.h with a few arguments prepared:
//
//   alloc %A
//     call @zrtA_array_new(%A, @zpl.R, f64, @.fluff, null, 0, "A", loc)
//   combine max %x
//     call @zrtA_reduce(%x.combined, f64, max, null, loc)
//   combine max %x, sum %y
//     call @zrtA_reduce_several({{%x.combined, null, 8, f64, max}, ...}, 2, ...)
//   combine-begin max %x
//     call @zrtA_reduce_begin(%x.split, %x.combined, f64, max, null, loc)
//   dr %t
//     call @zrtA_at_dr(@t, @zpl.R, %t.shifts, 4, loc)
//
// What is passed in memory is made once, as a constant, if all of it is known,
// else in a cell of the frame that is filled before the call: tables of six
// numbers for directions, structures for masks, maps and the like (`table`).
// Cells stand in the entry block, so that a loop does not make the frame grow.
// The shift table of a transfer holds pointers to array descriptors, which do
// not move: for global arrays it is a constant, for others it is filled once at
// the procedure's entry.
//
// `combine` goes through a temporary, so that the address of the user's
// variable is not given away and it can live in a register.
//
//===----------------------------------------------------------------------===//

#include "Function/LowerRuntime.h"
#include "Function/FunctionLowering.h"
#include "Function/LeaveOut.h"
#include "Function/LowerAggregates.h"
#include "Function/LowerChecks.h"
#include "Function/LowerCommunication.h"
#include "Function/LowerScalar.h"
#include "Function/LowerStrings.h"
#include "Sparse/LowerPatterns.h"
#include "zpl/ArrayIR/Lets.h"

using namespace llvm;

namespace zpl::codegen {

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

static void lowerSplitCombine(FunctionState &fn, const air::CombineStmt *stmt);

Value *table(FunctionState &fn, StructType *type,
             ArrayRef<SmallVector<Value *, 5>> rows, const Twine &name) {
  auto *tableType = ArrayType::get(type, rows.size());
  SmallVector<Constant *, 6> constants;
  for (const SmallVector<Value *, 5> &row : rows) {
    if (!all_of(row, [](Value *field) { return isa<Constant>(field); }))
      break;
    SmallVector<Constant *, 5> fields;
    for (Value *field : row)
      fields.push_back(cast<Constant>(field));
    constants.push_back(ConstantStruct::get(type, fields));
  }
  if (constants.size() == rows.size())
    return fn.module.table(ConstantArray::get(tableType, constants),
                           "." + name);
  AllocaInst *cell = addAlloca(fn, tableType, name);
  for (unsigned r = 0; r < rows.size(); ++r)
    for (unsigned f = 0; f < rows[r].size(); ++f)
      fn.builder.CreateStore(
          rows[r][f], fn.builder.CreateInBoundsGEP(tableType, cell,
                                                   {fn.builder.getInt32(0),
                                                    fn.builder.getInt32(r),
                                                    fn.builder.getInt32(f)}));
  return cell;
}

/// The regions over which an array is stored beside its declared one, side by
/// side.
static Value *borderTable(FunctionState &fn, const air::Array *array) {
  if (array->borders.empty())
    return ConstantPointerNull::get(fn.types.ptr);
  auto *type = ArrayType::get(fn.types.region, array->borders.size());
  AllocaInst *copies = addAlloca(fn, type, array->name + ".borders");
  for (unsigned i = 0; i < array->borders.size(); ++i)
    fn.builder.CreateMemCpy(
        fn.builder.CreateConstInBoundsGEP2_32(type, copies, 0, i), Align(8),
        address(fn, array->borders[i]), Align(8), sizeof(zrt_region));
  return copies;
}

void lowerBindArray(FunctionState &fn, const air::BindArrayStmt *stmt) {
  fn.isBinding = true;
  Value *descriptor = addressOf(fn, stmt->place);
  fn.isBinding = false;
  fn.builder.CreateStore(descriptor,
                         address(fn, static_cast<const void *>(stmt->array)));
}

static void allocDense(FunctionState &fn, const air::AllocArrayStmt *stmt);

void lowerAlloc(FunctionState &fn, const air::AllocArrayStmt *stmt) {
  const air::Array *array = stmt->array;
  if (array->isSparse)
    return allocSparse(fn, stmt);
  beginAllocation(fn, *array);
  allocDense(fn, stmt);
  endAllocation(fn, *array);
}

static void allocDense(FunctionState &fn, const air::AllocArrayStmt *stmt) {
  const air::Array *array = stmt->array;
  if (stmt->like) {
    fn.builder.CreateCall(
        ZRT_CALLEE(fn.calls, zrtA_array_new_like),
        {address(fn, array), address(fn, array->declared),
         typeTable(fn, array->element), fn.module.fluffTable(array->fluff),
         address(fn, stmt->like), fn.module.string(nameOf(*array)),
         fn.module.location(stmt->range)});
    return;
  }
  SmallVector<Value *, 9> args = {address(fn, array),
                                  address(fn, array->declared),
                                  typeTable(fn, array->element),
                                  fn.module.fluffTable(array->fluff),
                                  borderTable(fn, array),
                                  fn.builder.getInt64(array->borders.size()),
                                  fn.module.string(nameOf(*array)),
                                  fn.module.location(stmt->range)};
  if (!stmt->follows) {
    fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_array_new), args);
    return;
  }
  args.insert(args.begin() + 1, addressOf(fn, stmt->follows));
  fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_array_follow), args);
}

void lowerRealloc(FunctionState &fn, const air::ReallocStmt *stmt) {
  fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_arrays_resize),
                        {addressOf(fn, stmt->key), address(fn, stmt->region),
                         fn.builder.getInt32(stmt->preserves),
                         fn.module.location(stmt->range)});
}

/// Checks bounds that are computed when the procedure is entered, also of
/// elements.
static void checkBounds(FunctionState &fn, const air::AllocVariableStmt *stmt,
                        air::Type type) {
  if (type != air::Type::Array)
    return;
  const air::TypeInfo &info = *type.info();
  auto isLocal = [](const air::Bound &bound) {
    return bound.variable && bound.variable->storage == air::Storage::Local;
  };
  for (unsigned d = 0; d < info.lo.size(); ++d) {
    if (!isLocal(info.lo[d]) && !isLocal(info.hi[d]))
      continue;
    Value *lo = bound(fn, info.lo[d]), *hi = bound(fn, info.hi[d]);
    Value *next = fn.builder.CreateAdd(hi, fn.builder.getInt64(1));
    Value *isFine = fn.builder.CreateOr(fn.builder.CreateICmpSGE(hi, lo),
                                        fn.builder.CreateICmpEQ(next, lo));
    failUnless(fn, isFine, [&] {
      fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_fail_bounds),
                            {fn.module.string(nameOf(*stmt->variable)),
                             fn.builder.getInt32(d), lo, hi,
                             fn.module.location(stmt->range)});
    });
  }
  checkBounds(fn, stmt, info.element);
}

void lowerAllocVariable(FunctionState &fn, const air::AllocVariableStmt *stmt) {
  const air::Variable *variable = stmt->variable;
  checkBounds(fn, stmt, variable->type);
  Value *bytes = memorySizeOf(fn, variable->type);
  Constant *name = fn.module.string(nameOf(*variable));
  Constant *loc = fn.module.location(stmt->range);
  bool isGlobal = variable->storage == air::Storage::Global;
  Value *memory =
      isGlobal ? fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_memory_new),
                                       {bytes, name, loc})
               : fn.builder.CreateCall(
                     ZRT_CALLEE(fn.calls, zrtA_work_new),
                     {bytes, fn.builder.getInt32(stmt->isRaw), name, loc});
  fn.builder.CreateStore(memory, address(fn, variable));
  if (holdsStrings(variable->type))
    fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_memory_strings), {memory});
  if (isGlobal && !variable->type.isFamily())
    typeTable(fn, variable->type); // the runtime may look at the variable
}

void lowerFreeVariable(FunctionState &fn, const air::FreeVariableStmt *stmt) {
  fn.builder.CreateCall(
      ZRT_CALLEE(fn.calls, zrtA_memory_free),
      {variableAddress(fn, stmt->variable), fn.module.location(stmt->range)});
  // Temporaries are freed where they may not have been made again.
  fn.builder.CreateStore(ConstantPointerNull::get(fn.types.ptr),
                         address(fn, stmt->variable));
}

void lowerResize(FunctionState &fn, const air::ResizeStmt *stmt) {
  const air::Variable *variable = stmt->variable;
  const air::TypeInfo &info = *variable->type.info();
  AllocaInst *from = addAlloca(fn, fn.types.sixI64, "from");
  AllocaInst *to = addAlloca(fn, fn.types.sixI64, "to");
  auto store = [&](AllocaInst *table, unsigned d, Value *value) {
    fn.builder.CreateAlignedStore(
        value,
        fn.builder.CreateConstInBoundsGEP2_32(fn.types.sixI64, table, 0, d),
        Align(8));
  };
  SmallVector<Value *, 2> lengths;
  for (unsigned d = 0; d < stmt->bounds.size(); ++d) {
    lengths.push_back(lowerIndex(fn, stmt->lengths[d]));
    store(from, d, readVariable(fn, stmt->bounds[d]));
    store(to, d, lengths.back());
  }
  Value *memory = fn.builder.CreateCall(
      ZRT_CALLEE(fn.calls, zrtA_memory_resize),
      {variableAddress(fn, variable), memorySizeOf(fn, info.element),
       fn.builder.getInt32(stmt->bounds.size()), from, to,
       fn.module.string(nameOf(*variable)), fn.module.location(stmt->range)});
  fn.builder.CreateStore(memory, address(fn, variable));
  if (holdsStrings(variable->type))
    fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_memory_strings), {memory});
  for (auto [bound, length] : zip(stmt->bounds, lengths))
    fn.builder.CreateAlignedStore(length, address(fn, bound), Align(8));
  if (variable->storage == air::Storage::Global)
    typeTable(fn, variable->type);
}

/// The variable's direction that these are the components of, in order; null
/// if they are not.
static const air::Expr *wholeOf(ArrayRef<const air::Expr *> components) {
  auto noElements = [](const air::ElementExpr &, const air::ElementExpr &) {
    return false;
  };
  const air::Expr *whole = nullptr;
  for (auto [d, component] : enumerate(components)) {
    auto *part = dyn_cast<air::SubscriptExpr>(component);
    if (!part || part->subscripts.size() != 1 ||
        !(part->type == air::Type(air::Type::I64)) ||
        (whole && !air::areAlike(*part->base, *whole, noElements)))
      return nullptr;
    auto *number = dyn_cast<air::ConstExpr>(part->subscripts.front());
    if (!number || number->integer != int64_t(d))
      return nullptr;
    whole = part->base;
  }
  const air::Expr *root = whole;
  while (auto *part = dyn_cast_or_null<air::SubscriptExpr>(root))
    root = part->base;
  return isa_and_nonnull<air::VarExpr>(root) ? whole : nullptr;
}

Value *direction(FunctionState &fn, ArrayRef<const air::Expr *> components) {
  if (const air::Expr *whole = wholeOf(components))
    return addressOf(fn, whole);
  SmallVector<Value *, ZRT_MAX_RANK> values;
  SmallVector<int64_t, ZRT_MAX_RANK> constants;
  for (const air::Expr *component : components) {
    values.push_back(lowerIndex(fn, component));
    if (auto *constant = dyn_cast<ConstantInt>(values.back()))
      constants.push_back(constant->getSExtValue());
  }
  if (constants.size() == values.size())
    return fn.module.directionTable(constants);
  AllocaInst *table = addAlloca(fn, fn.types.sixI64, "direction");
  for (unsigned d = 0; d < values.size(); ++d)
    fn.builder.CreateAlignedStore(
        values[d],
        fn.builder.CreateConstInBoundsGEP2_32(fn.types.sixI64, table, 0, d),
        Align(8));
  return table;
}

/// What a check of maps tells the runtime.
static void lowerCheckMaps(FunctionState &fn, const air::CheckStmt *stmt) {
  Value *region = address(fn, stmt->region);
  Constant *what = fn.module.string(stmt->text);
  Constant *loc = fn.module.location(stmt->range);
  fn.builder.CreateCall(
      ZRT_CALLEE(fn.calls, zrtA_check_maps),
      {address(fn, stmt->array), region,
       mapTable(fn, stmt->maps, *stmt->region), maskTable(fn, stmt->mask),
       fn.builder.getInt64(fn.module.mapArrays.setsOf(stmt->maps, stmt->mask)),
       what, loc});
}

void lowerCheck(FunctionState &fn, const air::CheckStmt *stmt) {
  if (stmt->check == air::CheckStmt::Maps)
    return lowerCheckMaps(fn, stmt);
  Value *region = address(fn, stmt->region);
  Constant *what = fn.module.string(stmt->text);
  Constant *loc = fn.module.location(stmt->range);
  auto array = [&] { return address(fn, stmt->array); };
  auto distance = [&]() -> Value * {
    return stmt->direction.empty() ? ConstantPointerNull::get(fn.types.ptr)
                                   : direction(fn, stmt->direction);
  };
  auto call = [&](FunctionCallee callee, ArrayRef<Value *> args) {
    fn.builder.CreateCall(callee, args);
  };
  switch (stmt->check) {
  case air::CheckStmt::Read:
    return call(ZRT_CALLEE(fn.calls, zrtA_check_read),
                {array(), region, distance(), what, loc});
  case air::CheckStmt::Write:
    return call(ZRT_CALLEE(fn.calls, zrtA_check_write),
                {array(), region, distance(), what, loc});
  case air::CheckStmt::Formal:
    return call(ZRT_CALLEE(fn.calls, zrtA_check_formal),
                {array(), region, what, loc});
  case air::CheckStmt::Bounds:
    return call(ZRT_CALLEE(fn.calls, zrtA_region_check), {region, loc});
  case air::CheckStmt::Wrap:
    return call(ZRT_CALLEE(fn.calls, zrtA_check_wrap),
                {array(), region, distance(), what, loc});
  case air::CheckStmt::Mask:
    return call(ZRT_CALLEE(fn.calls, zrtA_check_mask),
                {array(), region, what, loc});
  case air::CheckStmt::Conform:
    return call(ZRT_CALLEE(fn.calls, zrtA_check_conform),
                {region, address(fn, stmt->over), what, loc});
  case air::CheckStmt::WrapBorder:
  case air::CheckStmt::ReflectBorder:
    return call(
        ZRT_CALLEE(fn.calls, zrtA_check_border),
        {array(), region, distance(),
         fn.builder.getInt32(stmt->check == air::CheckStmt::ReflectBorder),
         loc});
  case air::CheckStmt::Maps:
    break;
  }
  llvm_unreachable("unknown check");
}

//===----------------------------------------------------------------------===//
// Transfers and collectives
//===----------------------------------------------------------------------===//

Value *shiftTable(FunctionState &fn, const air::Transfer *transfer) {
  auto *type = ArrayType::get(fn.types.shift, transfer->items.size());
  SmallVector<Constant *, 8> rows;
  bool isConstant = true;
  for (const auto &[array, offset] : transfer->items) {
    auto *descriptor =
        dyn_cast<Constant>(address(fn, static_cast<const void *>(array)));
    isConstant &= descriptor != nullptr;
    rows.push_back(ConstantStruct::get(
        fn.types.shift,
        {descriptor ? descriptor : ConstantPointerNull::get(fn.types.ptr),
         fn.module.sixNumbers(offset)}));
  }
  GlobalVariable *table = fn.module.addGlobal(
      "." + Twine(transfer->name) + ".shifts", ConstantArray::get(type, rows),
      /*isConstant=*/true);
  if (isConstant)
    return table;
  AllocaInst *copy = addAlloca(fn, type, Twine(transfer->name) + ".shifts");
  fn.builder.CreateMemCpy(copy, Align(8), table, Align(8),
                          rows.size() * sizeof(zrt_shift));
  for (unsigned i = 0; i < rows.size(); ++i)
    if (!transfer->items[i].first->family)
      fn.builder.CreateStore(
          address(fn, transfer->items[i].first),
          fn.builder.CreateConstInBoundsGEP2_32(type, copy, 0, i));
  return copy;
}

/// What its views are bound to now.
static void fillViews(FunctionState &fn, const air::Transfer *transfer) {
  Value *table = fn.shiftTables.lookup(transfer);
  auto *type = ArrayType::get(fn.types.shift, transfer->items.size());
  for (auto [i, item] : enumerate(transfer->items))
    if (item.first->family)
      fn.builder.CreateStore(
          address(fn, item.first),
          fn.builder.CreateConstInBoundsGEP2_32(type, table, 0, i));
}

void lowerTransferPoint(FunctionState &fn, const air::TransferPointStmt *stmt) {
  const air::Transfer *transfer = stmt->transfer;
  Value *plan = fn.module.global(transfer);
  switch (stmt->point) {
  case air::TransferPointStmt::DR:
    fillViews(fn, transfer);
    fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_at_dr),
                          {plan, address(fn, transfer->region),
                           fn.shiftTables.lookup(transfer),
                           fn.builder.getInt64(transfer->items.size()),
                           fn.module.location(transfer->range)});
    return;
  case air::TransferPointStmt::SR:
    fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_at_sr), {plan});
    return;
  case air::TransferPointStmt::DN:
    fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_at_dn), {plan});
    return;
  case air::TransferPointStmt::SV:
    fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_at_sv), {plan});
    return;
  }
  llvm_unreachable("unknown point of a transfer");
}

/// Where a value lies while it is combined: a variable on the heap in its own
/// place.
static Value *combinedCell(FunctionState &fn, const air::Variable &variable) {
  if (variable.onHeap)
    return variableAddress(fn, &variable);
  return addAlloca(fn, fn.types.memory(variable.type),
                   Twine(variable.name) + ".combined");
}

/// The zrt_combined of \p value, which is copied to \p cell unless the
/// combination ends here.
static SmallVector<Value *, 5> combinedRow(FunctionState &fn,
                                           const air::CombineStmt &stmt,
                                           const air::CombineStmt::Value &value,
                                           Value *cell) {
  auto [op, with, variable] = value;
  Value *combine = ConstantPointerNull::get(fn.types.ptr);
  int32_t kind = 0, reduction = 0;
  if (with) {
    combine = fn.module.function(with);
  } else if (stmt.phase != air::CombineStmt::End) {
    kind = TypeLowering::abiKind(variable->type);
    reduction = TypeLowering::abiReduction(op);
  }
  if (stmt.phase != air::CombineStmt::End && !variable->onHeap)
    store(fn, variable->type, readVariable(fn, variable), cell);
  if (with && holdsStrings(variable->type))
    fn.builder.CreateCall(
        ZRT_CALLEE(fn.calls, zrtA_value_share),
        {cell, typeTable(fn, variable->type), fn.module.location(stmt.range)});
  return {cell, combine, sizeOf(fn, variable->type), fn.builder.getInt32(kind),
          fn.builder.getInt32(reduction)};
}

/// The call for all of them, and its halves: with a table of the values.
static void lowerSeveral(FunctionState &fn, const air::CombineStmt *stmt) {
  IRBuilder<> &b = fn.builder;
  auto values = stmt->values();
  SmallVector<Value *, 4> cells;
  SmallVector<SmallVector<Value *, 5>, 4> rows;
  for (const air::CombineStmt::Value &value : values) {
    cells.push_back(combinedCell(fn, *value.variable));
    rows.push_back(combinedRow(fn, *stmt, value, cells.back()));
  }
  Value *all = table(fn, fn.types.combined, rows, "combined");
  Value *count = b.getInt64(rows.size());
  Value *over = stmt->region ? address(fn, stmt->region)
                             : ConstantPointerNull::get(fn.types.ptr);
  Constant *loc = fn.module.location(stmt->range);
  const air::Variable *first = stmt->variable;
  switch (stmt->phase) {
  case air::CombineStmt::Whole:
    b.CreateCall(ZRT_CALLEE(fn.calls, zrtA_reduce_several),
                 {all, count, over, loc});
    break;
  case air::CombineStmt::Begin:
    b.CreateCall(ZRT_CALLEE(fn.calls, zrtA_reduce_several_begin),
                 {newSplit(fn, first, first->name), all, count, over, loc});
    return;
  case air::CombineStmt::End:
    b.CreateCall(ZRT_CALLEE(fn.calls, zrtA_reduce_several_end),
                 {splitOf(fn, first, first->name), all, count, loc});
    break;
  }
  for (auto [value, cell] : zip(values, cells)) {
    const air::Variable *variable = value.variable;
    if (!variable->onHeap)
      writeVariable(fn, variable,
                    variable->type.isAggregate()
                        ? cell
                        : load(fn, variable->type, cell, variable->name));
  }
}

void lowerCombine(FunctionState &fn, const air::CombineStmt *stmt) {
  if (!stmt->others.empty())
    return lowerSeveral(fn, stmt);
  if (stmt->phase != air::CombineStmt::Whole)
    return lowerSplitCombine(fn, stmt);
  const air::Variable *variable = stmt->variable;
  Value *over = stmt->region ? address(fn, stmt->region)
                             : ConstantPointerNull::get(fn.types.ptr);
  Constant *loc = fn.module.location(stmt->range);
  auto combineStates = [&](Value *state) {
    if (holdsStrings(variable->type))
      fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_value_share),
                            {state, typeTable(fn, variable->type), loc});
    fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_reduce_states),
                          {state, sizeOf(fn, variable->type),
                           fn.module.function(stmt->with), over, loc});
  };
  if (stmt->with && variable->onHeap)
    return combineStates(variableAddress(fn, variable));
  AllocaInst *cell = addAlloca(fn, fn.types.memory(variable->type),
                               Twine(variable->name) + ".combined");
  store(fn, variable->type, readVariable(fn, variable), cell);
  if (stmt->with)
    combineStates(cell);
  else
    fn.builder.CreateCall(
        ZRT_CALLEE(fn.calls, zrtA_reduce),
        {cell, fn.builder.getInt32(TypeLowering::abiKind(variable->type)),
         fn.builder.getInt32(TypeLowering::abiReduction(stmt->op)), over, loc});
  Value *combined = variable->type.isAggregate()
                        ? cell
                        : load(fn, variable->type, cell, variable->name);
  writeVariable(fn, variable, combined);
}

AllocaInst *splitOf(FunctionState &fn, const void *key, StringRef name) {
  AllocaInst *&split = fn.splits[key];
  if (!split)
    split = addAlloca(fn, fn.types.split, name + ".split");
  return split;
}

AllocaInst *newSplit(FunctionState &fn, const void *key, StringRef name) {
  AllocaInst *split = splitOf(fn, key, name);
  fn.builder.CreateStore(Constant::getNullValue(fn.types.split), split);
  return split;
}

/// The value is the runtime's copy between both halves.
static void lowerSplitCombine(FunctionState &fn, const air::CombineStmt *stmt) {
  const air::Variable *variable = stmt->variable;
  Constant *loc = fn.module.location(stmt->range);
  AllocaInst *cell = addAlloca(fn, fn.types.memory(variable->type),
                               Twine(variable->name) + ".combined");
  if (stmt->phase == air::CombineStmt::Begin) {
    store(fn, variable->type, readVariable(fn, variable), cell);
    Value *over = stmt->region ? address(fn, stmt->region)
                               : ConstantPointerNull::get(fn.types.ptr);
    fn.builder.CreateCall(
        ZRT_CALLEE(fn.calls, zrtA_reduce_begin),
        {newSplit(fn, variable, variable->name), cell,
         fn.builder.getInt32(TypeLowering::abiKind(variable->type)),
         fn.builder.getInt32(TypeLowering::abiReduction(stmt->op)), over, loc});
    return;
  }
  fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_reduce_end),
                        {splitOf(fn, variable, variable->name), cell, loc});
  writeVariable(fn, variable,
                variable->type.isAggregate()
                    ? static_cast<Value *>(cell)
                    : load(fn, variable->type, cell, variable->name));
}

//===----------------------------------------------------------------------===//
// The end of the run
//===----------------------------------------------------------------------===//

void lowerHalt(FunctionState &fn, const air::HaltStmt *stmt) {
  Value *status =
      stmt->status ? lower(fn, stmt->status) : fn.builder.getInt32(1);
  fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_halt),
                        {status, fn.module.location(stmt->range)});
  fn.builder.CreateUnreachable();
}

void lowerMissingReturn(FunctionState &fn, StringRef procedureName,
                        SourceRange range) {
  fn.builder.CreateCall(
      ZRT_CALLEE(fn.calls, zrtA_missing_return),
      {fn.module.string(procedureName), fn.module.location(range)});
  fn.builder.CreateUnreachable();
}

//===----------------------------------------------------------------------===//
// Timers
//===----------------------------------------------------------------------===//

void lowerTimer(FunctionState &fn, const air::TimerStmt *stmt) {
  switch (stmt->op) {
  case air::TimerStmt::Reset:
    fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_reset_timer));
    return;
  case air::TimerStmt::Check:
    writeVariable(fn, stmt->result,
                  fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_check_timer),
                                        {fn.module.location(stmt->range)}));
    return;
  case air::TimerStmt::Clear:
    fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_timer_clear),
                          {variableAddress(fn, stmt->timer)});
    return;
  case air::TimerStmt::Start:
    fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_timer_start),
                          {variableAddress(fn, stmt->timer),
                           lower(fn, stmt->sync),
                           fn.module.location(stmt->range)});
    return;
  case air::TimerStmt::Stop:
    fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_timer_stop),
                          {variableAddress(fn, stmt->timer)});
    return;
  case air::TimerStmt::Read:
    writeVariable(fn, stmt->result,
                  fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_timer_read),
                                        {variableAddress(fn, stmt->timer)}));
    return;
  }
  llvm_unreachable("unknown operation on a timer");
}

} // namespace zpl::codegen
