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

#include "FunctionLowering.h"
#include "zpl/ArrayIR/Lets.h"

using namespace llvm;

namespace zpl::codegen {

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

Value *FunctionLowering::table(StructType *type,
                               ArrayRef<SmallVector<Value *, 5>> rows,
                               const Twine &name) {
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
    return module.table(ConstantArray::get(tableType, constants), "." + name);
  AllocaInst *cell = addAlloca(tableType, name);
  for (unsigned r = 0; r < rows.size(); ++r)
    for (unsigned f = 0; f < rows[r].size(); ++f)
      builder.CreateStore(
          rows[r][f],
          builder.CreateInBoundsGEP(
              tableType, cell,
              {builder.getInt32(0), builder.getInt32(r), builder.getInt32(f)}));
  return cell;
}

/// The regions over which an array is stored beside its declared one, side by
/// side.
Value *FunctionLowering::borderTable(const air::Array *array) {
  if (array->borders.empty())
    return ConstantPointerNull::get(types.ptr);
  auto *type = ArrayType::get(types.region, array->borders.size());
  AllocaInst *copies = addAlloca(type, array->name + ".borders");
  for (unsigned i = 0; i < array->borders.size(); ++i)
    builder.CreateMemCpy(builder.CreateConstInBoundsGEP2_32(type, copies, 0, i),
                         Align(8), address(array->borders[i]), Align(8),
                         sizeof(zrt_region));
  return copies;
}

void FunctionLowering::lowerBindArray(const air::BindArrayStmt *stmt) {
  isBinding = true;
  Value *descriptor = addressOf(stmt->place);
  isBinding = false;
  builder.CreateStore(descriptor,
                      address(static_cast<const void *>(stmt->array)));
}

void FunctionLowering::lowerAlloc(const air::AllocArrayStmt *stmt) {
  const air::Array *array = stmt->array;
  if (stmt->like) {
    builder.CreateCall(
        ZRT_CALLEE(calls, zrtA_array_new_like),
        {address(array), address(array->declared), typeTable(array->element),
         module.fluffTable(array->fluff), address(stmt->like),
         module.string(nameOf(*array)), module.location(stmt->range)});
    return;
  }
  SmallVector<Value *, 9> args = {address(array),
                                  address(array->declared),
                                  typeTable(array->element),
                                  module.fluffTable(array->fluff),
                                  borderTable(array),
                                  builder.getInt64(array->borders.size()),
                                  module.string(nameOf(*array)),
                                  module.location(stmt->range)};
  if (!stmt->follows) {
    builder.CreateCall(ZRT_CALLEE(calls, zrtA_array_new), args);
    return;
  }
  args.insert(args.begin() + 1, addressOf(stmt->follows));
  builder.CreateCall(ZRT_CALLEE(calls, zrtA_array_follow), args);
}

void FunctionLowering::lowerRealloc(const air::ReallocStmt *stmt) {
  builder.CreateCall(ZRT_CALLEE(calls, zrtA_arrays_resize),
                     {addressOf(stmt->key), address(stmt->region),
                      builder.getInt32(stmt->preserves),
                      module.location(stmt->range)});
}

void FunctionLowering::lowerAllocVariable(const air::AllocVariableStmt *stmt) {
  const air::Variable *variable = stmt->variable;
  Value *memory = builder.CreateCall(ZRT_CALLEE(calls, zrtA_memory_new),
                                     {sizeOf(variable->type),
                                      module.string(nameOf(*variable)),
                                      module.location(stmt->range)});
  builder.CreateStore(memory, address(variable));
  if (variable->storage == air::Storage::Global && !variable->type.isFamily())
    typeTable(variable->type); // the runtime may look at the variable
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

Value *FunctionLowering::direction(ArrayRef<const air::Expr *> components) {
  if (const air::Expr *whole = wholeOf(components))
    return addressOf(whole);
  SmallVector<Value *, ZRT_MAX_RANK> values;
  SmallVector<int64_t, ZRT_MAX_RANK> constants;
  for (const air::Expr *component : components) {
    values.push_back(lowerIndex(component));
    if (auto *constant = dyn_cast<ConstantInt>(values.back()))
      constants.push_back(constant->getSExtValue());
  }
  if (constants.size() == values.size())
    return module.directionTable(constants);
  AllocaInst *table = addAlloca(types.sixI64, "direction");
  for (unsigned d = 0; d < values.size(); ++d)
    builder.CreateAlignedStore(
        values[d],
        builder.CreateConstInBoundsGEP2_32(types.sixI64, table, 0, d),
        Align(8));
  return table;
}

void FunctionLowering::lowerCheck(const air::CheckStmt *stmt) {
  Value *region = address(stmt->region);
  Constant *what = module.string(stmt->text);
  Constant *loc = module.location(stmt->range);
  auto distance = [&]() -> Value * {
    return stmt->direction.empty() ? ConstantPointerNull::get(types.ptr)
                                   : direction(stmt->direction);
  };
  switch (stmt->check) {
  case air::CheckStmt::Read:
    builder.CreateCall(ZRT_CALLEE(calls, zrtA_check_read),
                       {address(stmt->array), region, distance(), what, loc});
    return;
  case air::CheckStmt::Write:
    builder.CreateCall(ZRT_CALLEE(calls, zrtA_check_write),
                       {address(stmt->array), region, distance(), what, loc});
    return;
  case air::CheckStmt::Formal:
    builder.CreateCall(ZRT_CALLEE(calls, zrtA_check_formal),
                       {address(stmt->array), region, what, loc});
    return;
  case air::CheckStmt::Bounds:
    builder.CreateCall(ZRT_CALLEE(calls, zrtA_region_check), {region, loc});
    return;
  case air::CheckStmt::Wrap:
    builder.CreateCall(
        ZRT_CALLEE(calls, zrtA_check_wrap),
        {address(stmt->array), region, direction(stmt->direction), what, loc});
    return;
  case air::CheckStmt::Mask:
    builder.CreateCall(ZRT_CALLEE(calls, zrtA_check_mask),
                       {address(stmt->array), region, what, loc});
    return;
  case air::CheckStmt::Conform:
    builder.CreateCall(ZRT_CALLEE(calls, zrtA_check_conform),
                       {region, address(stmt->over), what, loc});
    return;
  case air::CheckStmt::Maps:
    builder.CreateCall(ZRT_CALLEE(calls, zrtA_check_maps),
                       {address(stmt->array), region, mapTable(stmt->maps),
                        maskTable(stmt->mask), what, loc});
    return;
  case air::CheckStmt::WrapBorder:
  case air::CheckStmt::ReflectBorder:
    builder.CreateCall(
        ZRT_CALLEE(calls, zrtA_check_border),
        {address(stmt->array), region, direction(stmt->direction),
         builder.getInt32(stmt->check == air::CheckStmt::ReflectBorder), loc});
    return;
  }
  llvm_unreachable("unknown check");
}

//===----------------------------------------------------------------------===//
// Transfers and collectives
//===----------------------------------------------------------------------===//

/// The zrt_shift table of a transfer, made at the procedure's entry.
Value *FunctionLowering::shiftTable(const air::Transfer *transfer) {
  auto *type = ArrayType::get(types.shift, transfer->items.size());
  SmallVector<Constant *, 8> rows;
  bool isConstant = true;
  for (const auto &[array, offset] : transfer->items) {
    auto *descriptor =
        dyn_cast<Constant>(address(static_cast<const void *>(array)));
    isConstant &= descriptor != nullptr;
    rows.push_back(ConstantStruct::get(
        types.shift,
        {descriptor ? descriptor : ConstantPointerNull::get(types.ptr),
         module.sixNumbers(offset)}));
  }
  GlobalVariable *table = module.addGlobal(
      "." + Twine(transfer->name) + ".shifts", ConstantArray::get(type, rows),
      /*isConstant=*/true);
  if (isConstant)
    return table;
  AllocaInst *copy = addAlloca(type, Twine(transfer->name) + ".shifts");
  builder.CreateMemCpy(copy, Align(8), table, Align(8),
                       rows.size() * sizeof(zrt_shift));
  for (unsigned i = 0; i < rows.size(); ++i)
    if (!transfer->items[i].first->family)
      builder.CreateStore(address(transfer->items[i].first),
                          builder.CreateConstInBoundsGEP2_32(type, copy, 0, i));
  return copy;
}

/// What its views are bound to now.
void FunctionLowering::fillViews(const air::Transfer *transfer) {
  Value *table = shiftTables.lookup(transfer);
  auto *type = ArrayType::get(types.shift, transfer->items.size());
  for (auto [i, item] : enumerate(transfer->items))
    if (item.first->family)
      builder.CreateStore(
          address(item.first),
          builder.CreateConstInBoundsGEP2_32(type, table, 0, i));
}

void FunctionLowering::lowerTransferPoint(const air::TransferPointStmt *stmt) {
  const air::Transfer *transfer = stmt->transfer;
  Value *plan = module.global(transfer);
  switch (stmt->point) {
  case air::TransferPointStmt::DR:
    fillViews(transfer);
    builder.CreateCall(ZRT_CALLEE(calls, zrtA_at_dr),
                       {plan, address(transfer->region),
                        shiftTables.lookup(transfer),
                        builder.getInt64(transfer->items.size()),
                        module.location(transfer->range)});
    return;
  case air::TransferPointStmt::SR:
    builder.CreateCall(ZRT_CALLEE(calls, zrtA_at_sr), {plan});
    return;
  case air::TransferPointStmt::DN:
    builder.CreateCall(ZRT_CALLEE(calls, zrtA_at_dn), {plan});
    return;
  case air::TransferPointStmt::SV:
    builder.CreateCall(ZRT_CALLEE(calls, zrtA_at_sv), {plan});
    return;
  }
  llvm_unreachable("unknown point of a transfer");
}

/// The runtime gets the address of a copy, so that the variable itself may stay
/// in registers.
void FunctionLowering::lowerCombine(const air::CombineStmt *stmt) {
  if (stmt->phase != air::CombineStmt::Whole)
    return lowerSplitCombine(stmt);
  const air::Variable *variable = stmt->variable;
  Value *over = stmt->region ? address(stmt->region)
                             : ConstantPointerNull::get(types.ptr);
  Constant *loc = module.location(stmt->range);
  auto combineStates = [&](Value *state) {
    builder.CreateCall(ZRT_CALLEE(calls, zrtA_reduce_states),
                       {state, sizeOf(variable->type),
                        module.function(stmt->with), over, loc});
  };
  if (stmt->with && variable->onHeap)
    return combineStates(variableAddress(variable));
  AllocaInst *cell = addAlloca(types.memory(variable->type),
                               Twine(variable->name) + ".combined");
  store(variable->type, readVariable(variable), cell);
  if (stmt->with)
    combineStates(cell);
  else
    builder.CreateCall(
        ZRT_CALLEE(calls, zrtA_reduce),
        {cell, builder.getInt32(TypeLowering::abiKind(variable->type)),
         builder.getInt32(TypeLowering::abiReduction(stmt->op)), over, loc});
  Value *combined = variable->type.isAggregate()
                        ? cell
                        : load(variable->type, cell, variable->name);
  writeVariable(variable, combined);
}

/// The cell with what the runtime knows a split operator by, between its
/// halves; of a combined variable or the array that is made.
AllocaInst *FunctionLowering::splitOf(const void *key, StringRef name) {
  AllocaInst *&split = splits[key];
  if (!split)
    split = addAlloca(types.split, name + ".split");
  return split;
}

AllocaInst *FunctionLowering::newSplit(const void *key, StringRef name) {
  AllocaInst *split = splitOf(key, name);
  builder.CreateStore(Constant::getNullValue(types.split), split);
  return split;
}

/// The value is the runtime's copy between both halves.
void FunctionLowering::lowerSplitCombine(const air::CombineStmt *stmt) {
  const air::Variable *variable = stmt->variable;
  Constant *loc = module.location(stmt->range);
  AllocaInst *cell = addAlloca(types.memory(variable->type),
                               Twine(variable->name) + ".combined");
  if (stmt->phase == air::CombineStmt::Begin) {
    store(variable->type, readVariable(variable), cell);
    Value *over = stmt->region ? address(stmt->region)
                               : ConstantPointerNull::get(types.ptr);
    builder.CreateCall(ZRT_CALLEE(calls, zrtA_reduce_begin),
                       {newSplit(variable, variable->name), cell,
                        builder.getInt32(TypeLowering::abiKind(variable->type)),
                        builder.getInt32(TypeLowering::abiReduction(stmt->op)),
                        over, loc});
    return;
  }
  builder.CreateCall(ZRT_CALLEE(calls, zrtA_reduce_end),
                     {splitOf(variable, variable->name), cell, loc});
  writeVariable(variable, variable->type.isAggregate()
                              ? static_cast<Value *>(cell)
                              : load(variable->type, cell, variable->name));
}

//===----------------------------------------------------------------------===//
// The end of the run
//===----------------------------------------------------------------------===//

void FunctionLowering::lowerHalt(SourceRange range) {
  builder.CreateCall(ZRT_CALLEE(calls, zrtA_halt), {module.location(range)});
  builder.CreateUnreachable();
}

void FunctionLowering::lowerMissingReturn(StringRef procedureName,
                                          SourceRange range) {
  builder.CreateCall(ZRT_CALLEE(calls, zrtA_missing_return),
                     {module.string(procedureName), module.location(range)});
  builder.CreateUnreachable();
}

//===----------------------------------------------------------------------===//
// Timers
//===----------------------------------------------------------------------===//

void FunctionLowering::lowerTimer(const air::TimerStmt *stmt) {
  switch (stmt->op) {
  case air::TimerStmt::Reset:
    builder.CreateCall(ZRT_CALLEE(calls, zrtA_reset_timer));
    return;
  case air::TimerStmt::Check:
    writeVariable(stmt->result,
                  builder.CreateCall(ZRT_CALLEE(calls, zrtA_check_timer),
                                     {module.location(stmt->range)}));
    return;
  case air::TimerStmt::Clear:
    builder.CreateCall(ZRT_CALLEE(calls, zrtA_timer_clear),
                       {variableAddress(stmt->timer)});
    return;
  case air::TimerStmt::Start:
    builder.CreateCall(ZRT_CALLEE(calls, zrtA_timer_start),
                       {variableAddress(stmt->timer), lower(stmt->sync),
                        module.location(stmt->range)});
    return;
  case air::TimerStmt::Stop:
    builder.CreateCall(ZRT_CALLEE(calls, zrtA_timer_stop),
                       {variableAddress(stmt->timer)});
    return;
  case air::TimerStmt::Read:
    writeVariable(stmt->result,
                  builder.CreateCall(ZRT_CALLEE(calls, zrtA_timer_read),
                                     {variableAddress(stmt->timer)}));
    return;
  }
  llvm_unreachable("unknown operation on a timer");
}

} // namespace zpl::codegen
