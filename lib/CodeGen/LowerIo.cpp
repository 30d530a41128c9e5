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

#include "FunctionLowering.h"

using namespace llvm;

namespace zpl::codegen {

void FunctionLowering::lowerWrite(const air::WriteStmt *stmt) {
  Value *file = lower(stmt->file);
  for (const air::WriteItem &item : stmt->items) {
    setPlace(item.range.isValid() ? item.range : stmt->range);
    lowerWriteItem(stmt, item, file);
  }
  builder.CreateCall(ZRT_CALLEE(calls, zrtA_written), {file});
}

void FunctionLowering::lowerWriteItem(const air::WriteStmt *stmt,
                                      const air::WriteItem &item, Value *file) {
  Constant *loc = module.location(item.range);
  if (!item.value && !item.array) {
    builder.CreateCall(ZRT_CALLEE(calls, zrtA_write_text),
                       {file, module.string(item.text),
                        builder.getInt64(item.text.size()), loc});
    return;
  }
  Value *format =
      item.format ? lower(item.format) : ConstantPointerNull::get(types.ptr);
  if (item.array && stmt->binary) {
    builder.CreateCall(ZRT_CALLEE(calls, zrtA_bwrite_array),
                       {file, address(item.array), address(item.region), loc});
  } else if (item.array) {
    builder.CreateCall(
        ZRT_CALLEE(calls, zrtA_write_array),
        {file, format, address(item.array), address(item.region), loc});
  } else {
    air::Type type = item.value->type;
    Value *written = lower(item.value);
    bool isNamed = type == air::Type::Enum && !stmt->binary && !item.format;
    if (module.options.checks.enumerations && isNamed)
      checkEnumerator(type, written, item.range);
    Value *value = inMemory(type, written, "written");
    Value *table = typeTable(type);
    if (stmt->binary)
      builder.CreateCall(ZRT_CALLEE(calls, zrtA_bwrite),
                         {file, value, table, loc});
    else
      builder.CreateCall(ZRT_CALLEE(calls, zrtA_write),
                         {file, format, value, table, loc});
  }
}

void FunctionLowering::lowerRead(const air::ReadStmt *stmt) {
  Value *file = lower(stmt->file);
  for (const air::ReadItem &item : stmt->items) {
    setPlace(item.range.isValid() ? item.range : stmt->range);
    lowerReadItem(stmt, item, file);
  }
}

void FunctionLowering::lowerReadItem(const air::ReadStmt *stmt,
                                     const air::ReadItem &item, Value *file) {
  Constant *loc = module.location(item.range);
  Value *format =
      item.format ? lower(item.format) : ConstantPointerNull::get(types.ptr);
  if (item.array && stmt->binary) {
    builder.CreateCall(ZRT_CALLEE(calls, zrtA_bread_array),
                       {file, address(item.array), address(item.region), loc});
  } else if (item.array) {
    builder.CreateCall(
        ZRT_CALLEE(calls, zrtA_read_array),
        {file, format, address(item.array), address(item.region), loc});
  } else {
    values.clear();
    Value *place = addressOf(item.place);
    Value *table = typeTable(item.place->type);
    if (stmt->binary)
      builder.CreateCall(ZRT_CALLEE(calls, zrtA_bread),
                         {file, place, table, loc});
    else
      builder.CreateCall(ZRT_CALLEE(calls, zrtA_read),
                         {file, format, place, table, loc});
  }
}

void FunctionLowering::lowerBuiltin(const air::BuiltinStmt *stmt) {
  SmallVector<Value *, 3> args;
  for (const air::Expr *arg : stmt->args)
    args.push_back(lower(arg));
  Constant *loc = module.location(stmt->range);
  Value *result = nullptr;
  switch (stmt->fn) {
  case air::Builtin::Open:
    result = builder.CreateCall(ZRT_CALLEE(calls, zrtA_open),
                                {args[0], args[1], loc});
    break;
  case air::Builtin::Close:
    builder.CreateCall(ZRT_CALLEE(calls, zrtA_close), {args[0], loc});
    break;
  case air::Builtin::Eof:
    result = builder.CreateCall(ZRT_CALLEE(calls, zrtA_eof), {args[0], loc});
    break;
  case air::Builtin::Random:
    result = builder.CreateCall(ZRT_CALLEE(calls, zrtA_random));
    break;
  }
  if (stmt->result)
    writeVariable(stmt->result, result);
}

void FunctionLowering::lowerBindIo(const air::BindIoStmt *stmt) {
  Constant *procedure =
      stmt->procedure
          ? static_cast<Constant *>(module.function(stmt->procedure))
          : ConstantPointerNull::get(types.ptr);
  builder.CreateCall(stmt->isRead ? ZRT_CALLEE(calls, zrtA_bind_read)
                                  : ZRT_CALLEE(calls, zrtA_bind_write),
                     {address(stmt->array), procedure});
}

void FunctionLowering::lowerConfig(const air::ConfigStmt *stmt) {
  const air::Variable *variable = stmt->variable;
  typeTable(variable->type); // completes the table that the runtime reads
  Value *memory = variableAddress(variable);
  Value *number = builder.getInt64(module.configNumber(variable));
  Value *isGiven = builder.CreateIsNotNull(builder.CreateCall(
      ZRT_CALLEE(calls, zrtA_config_given), {number, memory}));
  BasicBlock *defaults = addBlock("config.default");
  BasicBlock *end = addBlock("config.end");
  builder.CreateCondBr(isGiven, end, defaults);
  startBlock(defaults);
  lower(stmt->defaults);
  bool hasParts = variable->type.isAggregate() || variable->type.isComplex();
  if (!isTerminated() && hasParts)
    builder.CreateCall(ZRT_CALLEE(calls, zrtA_config_parts), {number, memory});
  startBlock(end);
}

} // namespace zpl::codegen
