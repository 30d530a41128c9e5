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
#include "Function/LeaveOut.h"
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
  BasicBlock *after = branchAround(fn, *stmt);
  Value *file = lower(fn, stmt->file);
  for (const air::WriteItem &item : stmt->items) {
    setPlace(fn, item.range.isValid() ? item.range : stmt->range);
    lowerWriteItem(fn, stmt, item, file);
  }
  fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_written), {file});
  if (after)
    startBlock(fn, after);
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

/// The function of the runtime that a builtin is.
static FunctionCallee calleeOf(RuntimeCalls &calls, air::Builtin fn) {
  switch (fn) {
#define RUNTIME_FUNCTION(Id, function)                                         \
  case air::Builtin::Id:                                                       \
    return ZRT_CALLEE(calls, function)
    RUNTIME_FUNCTION(Open, zrtA_open);
    RUNTIME_FUNCTION(Close, zrtA_close);
    RUNTIME_FUNCTION(Eof, zrtA_eof);
    RUNTIME_FUNCTION(Date, zrtA_date);
    RUNTIME_FUNCTION(Environment, zrtA_environment);
    RUNTIME_FUNCTION(Arguments, zrtA_arguments);
    RUNTIME_FUNCTION(Argument, zrtA_argument);
    RUNTIME_FUNCTION(Random, zrtA_random);
    RUNTIME_FUNCTION(OpenPicture, zrtA_open_picture);
    RUNTIME_FUNCTION(FileRank, zrtA_file_rank);
    RUNTIME_FUNCTION(FileShape, zrtA_file_shape);
    RUNTIME_FUNCTION(FileElement, zrtA_file_element);
    RUNTIME_FUNCTION(GridExtent, zrtA_grid_extent);
    RUNTIME_FUNCTION(GridPlace, zrtA_grid_place);
    RUNTIME_FUNCTION(OpenCheckpoint, zrtA_open_checkpoint);
    RUNTIME_FUNCTION(OpenRestart, zrtA_open_restart);
    RUNTIME_FUNCTION(Restarted, zrtA_restarted);
    RUNTIME_FUNCTION(CheckpointItem, zrtA_checkpoint_item);
    RUNTIME_FUNCTION(Split, zrtA_split);
#undef RUNTIME_FUNCTION
  }
  llvm_unreachable("a function outside its enumeration");
}

/// Whether it may end the run with a message, and so takes its place.
static bool takesLocation(air::Builtin fn) {
  return !is_contained({air::Builtin::Random, air::Builtin::GridExtent,
                        air::Builtin::GridPlace, air::Builtin::Restarted},
                       fn);
}

void lowerBuiltin(FunctionState &fn, const air::BuiltinStmt *stmt) {
  SmallVector<Value *, 5> args;
  for (const air::Expr *arg : stmt->args)
    args.push_back(lower(fn, arg));
  Constant *loc = fn.module.location(stmt->range);
  if (stmt->fn == air::Builtin::Split) {
    args.push_back(addressOf(fn, stmt->place));
    args.push_back(typeTable(fn, stmt->place->type));
  }
  if (takesLocation(stmt->fn))
    args.push_back(loc);
  Value *result = fn.builder.CreateCall(calleeOf(fn.calls, stmt->fn), args);
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
