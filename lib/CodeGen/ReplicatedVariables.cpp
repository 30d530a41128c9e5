//===- ReplicatedVariables.cpp - What all processors should hold ----------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For --check-replication the program describes its global variables but those
// that are `free`, C's, or made by the compiler:
//
//     @zpl.replicated = constant [2 x %zrt_replicated]
//                         [{ "x", @zpl.type.double, loc }, { "table", ... }]
//
//     define internal ptr @zpl.replicated.value(i64 %number, ptr %copy) {
//       switch i64 %number, label %none [i64 0, label %x  i64 1, label %table]
//     x:
//       %0 = load double, ptr @zpl.x
//       store double %0, ptr %copy
//       ret ptr %copy
//     table:                                     on the heap: its own memory
//       %1 = load ptr, ptr @zpl.table
//       ret ptr %1
//     }
//
// A table of addresses would be shorter, but LLVM would have to think that
// whatever is stored through a pointer may be one of these variables. Timers,
// which differ, and families, which are not values, are left out.
//
// Where there are many, every 64 have a function of this form of their own, and
// the one that the runtime calls chooses among those: passes over branches take
// time that is quadratic in the cases of a switch whose blocks are alike.
//
// Cost: linear in the number of variables.
//
//===----------------------------------------------------------------------===//

#include "ReplicatedVariables.h"
#include "ModuleLowering.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace zpl::codegen {

static bool isReplicated(const air::Variable &variable) {
  return !variable.isFree && variable.thunk.empty() && !variable.text.empty() &&
         variable.type != air::Type::Timer && !variable.type.isFamily();
}

/// The address of the variable's value, for the runtime: its memory on the heap,
/// or \p copy, which it is copied to.
static Value *replicatedValue(ModuleLowering &lowering,
                              const air::Variable *variable, Value *copy,
                              IRBuilderBase &builder) {
  const TypeLowering &types = lowering.types;
  GlobalVariable *memory = lowering.global(variable);
  if (variable->onHeap)
    return builder.CreateLoad(types.ptr, memory);
  if (variable->type.isAggregate()) {
    Align align = types.align(variable->type);
    builder.CreateMemCpy(copy, Align(1), memory, align,
                         types.size(variable->type));
    return copy;
  }
  llvm::Type *type = types.memory(variable->type);
  builder.CreateAlignedStore(builder.CreateLoad(type, memory), copy, Align(1));
  return copy;
}

constexpr size_t PerFunction = 64;

/// `ptr @NAME(i64 number, ptr copy)`, which is one of \p count cases of
/// \p perCase numbers each, or null; \p emit fills the block of a case.
static Function *
choosingFunction(ModuleLowering &lowering, StringRef name, size_t count,
                 size_t perCase,
                 function_ref<void(size_t, Function *, IRBuilderBase &)> emit) {
  const TypeLowering &types = lowering.types;
  LLVMContext &context = lowering.module->getContext();
  auto *type = FunctionType::get(types.ptr, {types.i64, types.ptr}, false);
  auto *function =
      Function::Create(type, Function::InternalLinkage, name, *lowering.module);
  function->setDoesNotThrow();
  auto *none = BasicBlock::Create(context, "none", function);
  IRBuilder<> builder(BasicBlock::Create(context, "entry", function, none));
  Value *number = function->getArg(0);
  if (perCase > 1)
    number = builder.CreateUDiv(number, builder.getInt64(perCase));
  SwitchInst *choice = builder.CreateSwitch(number, none, count);
  for (size_t at : seq(count)) {
    auto *block = BasicBlock::Create(context, "value", function, none);
    choice->addCase(builder.getInt64(at), block);
    builder.SetInsertPoint(block);
    emit(at, function, builder);
  }
  builder.SetInsertPoint(none);
  builder.CreateRet(ConstantPointerNull::get(types.ptr));
  return function;
}

/// The function of at most PerFunction variables.
static Function *valuesFunction(ModuleLowering &lowering, StringRef name,
                                ArrayRef<const air::Variable *> variables) {
  return choosingFunction(
      lowering, name, variables.size(), 1,
      [&](size_t number, Function *function, IRBuilderBase &builder) {
        builder.GetInsertBlock()->setName(variables[number]->name);
        builder.CreateRet(replicatedValue(lowering, variables[number],
                                          function->getArg(1), builder));
      });
}

/// `ptr @zpl.replicated.value(i64 number, ptr copy)`.
static Function *replicatedFunction(ModuleLowering &lowering,
                                    ArrayRef<const air::Variable *> variables) {
  StringRef name = "zpl.replicated.value";
  if (variables.size() <= PerFunction)
    return valuesFunction(lowering, name, variables);
  SmallVector<Function *, 16> parts;
  for (size_t at = 0; at < variables.size(); at += PerFunction) {
    parts.push_back(
        valuesFunction(lowering, (name + "s").str(),
                       variables.slice(at).take_front(PerFunction)));
    parts.back()->addFnAttr(Attribute::NoInline);
  }
  Function *result = choosingFunction(
      lowering, name, parts.size(), PerFunction,
      [&](size_t number, Function *function, IRBuilderBase &builder) {
        Value *within = builder.CreateURem(function->getArg(0),
                                           builder.getInt64(PerFunction));
        builder.CreateRet(
            builder.CreateCall(parts[number], {within, function->getArg(1)}));
      });
  return result;
}

SmallVector<Constant *, 3> replicatedFields(ModuleLowering &lowering) {
  const TypeLowering &types = lowering.types;
  SmallVector<const air::Variable *, 16> variables;
  SmallVector<Constant *, 16> rows;
  for (const air::Variable *variable : lowering.source.variables) {
    if (!isReplicated(*variable))
      continue;
    variables.push_back(variable);
    rows.push_back(ConstantStruct::get(types.replicated,
                                       {lowering.string(variable->text),
                                        lowering.typeTable(variable->type),
                                        lowering.location(variable->range)}));
  }
  auto *type = ArrayType::get(types.replicated, rows.size());
  return {lowering.addGlobal("zpl.replicated", ConstantArray::get(type, rows),
                             /*isConstant=*/true),
          ConstantInt::get(types.i64, rows.size()),
          replicatedFunction(lowering, variables)};
}

} // namespace zpl::codegen
