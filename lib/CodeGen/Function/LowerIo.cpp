//===- LowerIo.cpp - Files, input, output, config variables ---------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every item is one call with a value's address and its zrt_type; the runtime
// does the rest, so that a new type needs nothing here:
//
//   write file 2 ("x = ", %x)
//     call @zrtA_write_text(2, "x = ", 4, loc)
//     call @zrtA_write(2, null, %x.value, @zpl.type.double, loc)
//     call @zrtA_written(2)
//
// Values are copied to a cell of the frame first, so that the user's variable
// can live in a register. What is read goes there directly: it is a place.
//
// A config variable's default is evaluated only if the command line does not
// give the variable as a whole; single fields and elements are stored on top.
//
//===----------------------------------------------------------------------===//

#include "Function/LowerIo.h"
#include "Function/FunctionLowering.h"
#include "Function/LowerAggregates.h"
#include "Function/LowerChecks.h"
#include "Function/LowerScalar.h"

using namespace llvm;

namespace zpl::codegen {

static void lowerWriteItem(FunctionState &fn, const air::WriteStmt *stmt,
                           const air::WriteItem &item, llvm::Value *file);
static void lowerReadItem(FunctionState &fn, const air::ReadStmt *stmt,
                          const air::ReadItem &item, llvm::Value *file);

void lowerWrite(FunctionState &fn, const air::WriteStmt *stmt) {
  Value *file = lower(fn, stmt->file);
  for (const air::WriteItem &item : stmt->items) {
    setPlace(fn, item.range.isValid() ? item.range : stmt->range);
    lowerWriteItem(fn, stmt, item, file);
  }
  fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_written), {file});
}

static void lowerWriteItem(FunctionState &fn, const air::WriteStmt *stmt,
                           const air::WriteItem &item, Value *file) {
  Constant *loc = fn.module.location(item.range);
  if (!item.value && !item.array) {
    fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_write_text),
                          {file, fn.module.string(item.text),
                           fn.builder.getInt64(item.text.size()), loc});
    return;
  }
  Value *format = item.format ? lower(fn, item.format)
                              : ConstantPointerNull::get(fn.types.ptr);
  if (item.array && stmt->binary) {
    fn.builder.CreateCall(
        ZRT_CALLEE(fn.calls, zrtA_bwrite_array),
        {file, address(fn, item.array), address(fn, item.region), loc});
  } else if (item.array) {
    fn.builder.CreateCall(
        ZRT_CALLEE(fn.calls, zrtA_write_array),
        {file, format, address(fn, item.array), address(fn, item.region), loc});
  } else {
    air::Type type = item.value->type;
    Value *written = lower(fn, item.value);
    bool isNamed = type == air::Type::Enum && !stmt->binary && !item.format;
    if (fn.module.options.checks.enumerations && isNamed)
      checkEnumerator(fn, type, written, item.range);
    Value *value = inMemory(fn, type, written, "written");
    Value *table = typeTable(fn, type);
    if (stmt->binary)
      fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_bwrite),
                            {file, value, table, loc});
    else
      fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_write),
                            {file, format, value, table, loc});
  }
}

void lowerRead(FunctionState &fn, const air::ReadStmt *stmt) {
  Value *file = lower(fn, stmt->file);
  for (const air::ReadItem &item : stmt->items) {
    setPlace(fn, item.range.isValid() ? item.range : stmt->range);
    lowerReadItem(fn, stmt, item, file);
  }
}

static void lowerReadItem(FunctionState &fn, const air::ReadStmt *stmt,
                          const air::ReadItem &item, Value *file) {
  Constant *loc = fn.module.location(item.range);
  Value *format = item.format ? lower(fn, item.format)
                              : ConstantPointerNull::get(fn.types.ptr);
  if (item.array && stmt->binary) {
    fn.builder.CreateCall(
        ZRT_CALLEE(fn.calls, zrtA_bread_array),
        {file, address(fn, item.array), address(fn, item.region), loc});
  } else if (item.array) {
    fn.builder.CreateCall(
        ZRT_CALLEE(fn.calls, zrtA_read_array),
        {file, format, address(fn, item.array), address(fn, item.region), loc});
  } else {
    fn.values.clear();
    Value *place = addressOf(fn, item.place);
    Value *table = typeTable(fn, item.place->type);
    if (stmt->binary)
      fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_bread),
                            {file, place, table, loc});
    else
      fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_read),
                            {file, format, place, table, loc});
  }
}

void lowerBuiltin(FunctionState &fn, const air::BuiltinStmt *stmt) {
  SmallVector<Value *, 3> args;
  for (const air::Expr *arg : stmt->args)
    args.push_back(lower(fn, arg));
  Constant *loc = fn.module.location(stmt->range);
  Value *result = nullptr;
  switch (stmt->fn) {
  case air::Builtin::Open:
    result = fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_open),
                                   {args[0], args[1], loc});
    break;
  case air::Builtin::Close:
    fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_close), {args[0], loc});
    break;
  case air::Builtin::Eof:
    result =
        fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_eof), {args[0], loc});
    break;
  case air::Builtin::Date:
    result = fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_date), {loc});
    break;
  case air::Builtin::Environment:
    result = fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_environment),
                                   {args[0], loc});
    break;
  case air::Builtin::Arguments:
    result = fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_arguments), {loc});
    break;
  case air::Builtin::Argument:
    result = fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_argument),
                                   {args[0], loc});
    break;
  case air::Builtin::Random:
    result = fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_random));
    break;
  case air::Builtin::OpenPicture:
    args.push_back(loc);
    result =
        fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_open_picture), args);
    break;
  case air::Builtin::FileRank:
    result = fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_file_rank),
                                   {args[0], loc});
    break;
  case air::Builtin::FileShape:
    result = fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_file_shape),
                                   {args[0], args[1], loc});
    break;
  case air::Builtin::FileElement:
    result = fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_file_element),
                                   {args[0], loc});
    break;
  case air::Builtin::GridExtent:
    result = fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_grid_extent),
                                   {args[0], args[1]});
    break;
  case air::Builtin::GridPlace:
    result = fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_grid_place),
                                   {args[0], args[1]});
    break;
  case air::Builtin::OpenCheckpoint:
    result = fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_open_checkpoint),
                                   {args[0], loc});
    break;
  case air::Builtin::OpenRestart:
    result =
        fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_open_restart), {loc});
    break;
  case air::Builtin::Restarted:
    result = fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_restarted));
    break;
  case air::Builtin::CheckpointItem:
    fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_checkpoint_item),
                          {args[0], args[1], args[2], loc});
    break;
  case air::Builtin::Split:
    result =
        fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_split),
                              {args[0], args[1], addressOf(fn, stmt->place),
                               typeTable(fn, stmt->place->type), loc});
    break;
  }
  if (stmt->result)
    writeVariable(fn, stmt->result, result);
}

void lowerBindIo(FunctionState &fn, const air::BindIoStmt *stmt) {
  if (stmt->like) {
    fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_bind_like),
                          {address(fn, stmt->array), address(fn, stmt->like)});
    return;
  }
  Constant *procedure =
      stmt->procedure
          ? static_cast<Constant *>(fn.module.function(stmt->procedure))
          : ConstantPointerNull::get(fn.types.ptr);
  fn.builder.CreateCall(stmt->isRead ? ZRT_CALLEE(fn.calls, zrtA_bind_read)
                                     : ZRT_CALLEE(fn.calls, zrtA_bind_write),
                        {address(fn, stmt->array), procedure});
}

void lowerConfig(FunctionState &fn, const air::ConfigStmt *stmt) {
  const air::Variable *variable = stmt->variable;
  typeTable(fn, variable->type); // completes the table that the runtime reads
  Value *memory = variableAddress(fn, variable);
  Value *number = fn.builder.getInt64(fn.module.configNumber(variable));
  Value *isGiven = fn.builder.CreateIsNotNull(fn.builder.CreateCall(
      ZRT_CALLEE(fn.calls, zrtA_config_given), {number, memory}));
  BasicBlock *defaults = addBlock(fn, "config.default");
  BasicBlock *end = addBlock(fn, "config.end");
  fn.builder.CreateCondBr(isGiven, end, defaults);
  startBlock(fn, defaults);
  lower(fn, stmt->defaults);
  bool hasParts = variable->type.isAggregate() || variable->type.isComplex();
  if (!isTerminated(fn) && hasParts)
    fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_config_parts),
                          {number, memory});
  startBlock(fn, end);
}

} // namespace zpl::codegen
