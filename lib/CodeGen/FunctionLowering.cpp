//===- FunctionLowering.cpp - One procedure to one LLVM function ----------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A procedure becomes an internal function. Its parameters are values (by-value
// scalars) or pointers (references, aggregates, arrays, covering regions); an
// aggregate result goes to the memory that a first, hidden parameter points to.
// Its frame is made of allocas in the entry block:
//
//   proc @relax(%A : array<f64, ..,..>, ref %n : i32)
//     define internal void @zpl.relax(ptr nonnull %A, ptr %n) {
//     entry:
//       %delta = alloca double          -- a local, zero at entry
//       %R = alloca %zrt_region         -- name, rank and shape copied once
//       %New = alloca %zrt_array        -- zeroed; zrtA_array_new fills it in
//       %t.shifts = alloca [4 x %zrt_shift]
//       ...
//
// LLVM's mem2reg turns the scalar ones into registers. What a function may do
// to memory is left to LLVM's inference over the call graph: it sees through
// the bodies of internal functions, also where a scalar procedure reads a
// global or halts, and every declaration of the runtime says its part.
//
// Statements after one that leaves (exit, return, halt) cannot be reached, as
// the array IR has no labels, and are not lowered.
//
//===----------------------------------------------------------------------===//

#include "FunctionLowering.h"
#include "MLoop/LowerMLoop.h"
#include "zpl/ArrayIR/Walk.h"

using namespace llvm;
using llvm::cast;

namespace zpl::codegen {

FunctionLowering::FunctionLowering(ModuleLowering &module,
                                   const air::Procedure &procedure,
                                   Function *function)
    : module(module), types(module.types), calls(module.calls),
      procedure(procedure), function(function),
      builder(BasicBlock::Create(function->getContext(), "entry", function)),
      ops(builder, types, calls, module.options.fusesMultiplyAdd) {}

void FunctionLowering::run() {
  // Without places, so that a breakpoint on the procedure is after them.
  bindParameters();
  makeLocals();
  prepareTransfers();
  findSharedStorage();
  setPlace(procedure.range);
  lower(procedure.body);
  endFunction();
}

//===----------------------------------------------------------------------===//
// The frame
//===----------------------------------------------------------------------===//

AllocaInst *FunctionLowering::addAlloca(llvm::Type *type, const Twine &name) {
  BasicBlock &entry = function->getEntryBlock();
  IRBuilder<> allocas(&entry, lastAlloca ? std::next(lastAlloca->getIterator())
                                         : entry.begin());
  return lastAlloca = allocas.CreateAlloca(type, nullptr, name);
}

Value *FunctionLowering::streamBuffer(unsigned number, int64_t bytes) {
  if (number == streamBuffers.size()) {
    AllocaInst *buffer =
        addAlloca(ArrayType::get(types.i8, bytes), "stream.buffer");
    buffer->setAlignment(Align(64));
    streamBuffers.push_back(buffer);
  }
  return streamBuffers[number];
}

Value *FunctionLowering::address(const void *thing) const {
  if (Value *local = addresses.lookup(thing))
    return local;
  Value *global = module.global(thing);
  assert(global && "a name that was never declared");
  return global;
}

void FunctionLowering::setPlace(SourceRange range) {
  if (module.debug)
    builder.SetCurrentDebugLocation(module.debug->location(function, range));
}

Value *FunctionLowering::address(const air::Array *array) {
  Value *descriptor = address(static_cast<const void *>(array));
  return array->family ? builder.CreateAlignedLoad(types.ptr, descriptor,
                                                   Align(8), array->name)
                       : descriptor;
}

BasicBlock *FunctionLowering::addBlock(const Twine &name) {
  return BasicBlock::Create(function->getContext(), name, function);
}

void FunctionLowering::startBlock(BasicBlock *block) {
  if (!isTerminated()) {
    BranchInst *go = builder.CreateBr(block);
    // Else it would begin the line of a loop that follows, so that the loop's
    // test is not where its line begins and debuggers step over it.
    if (go == &go->getParent()->front())
      go->setDebugLoc(DebugLoc());
  }
  // In the order of the source, also when made earlier.
  if (block != &function->back())
    block->moveAfter(&function->back());
  builder.SetInsertPoint(block);
}

void FunctionLowering::bindParameters() {
  BasicBlock *entry = builder.GetInsertBlock();
  bool hasMemoryResult = procedure.result.isAggregate();
  if (hasMemoryResult) {
    resultAddress = function->getArg(0);
    resultAddress->setName("result");
  }
  for (unsigned i = 0; i < procedure.params.size(); ++i) {
    const air::Parameter &param = procedure.params[i];
    Argument *arg = function->getArg(i + hasMemoryResult);
    if (const air::Variable *variable = param.variable) {
      arg->setName(variable->name);
      Value *cell = arg;
      if (!variable->byReference && !variable->type.isAggregate()) {
        cell = addAlloca(types.memory(variable->type), variable->name);
        store(variable->type, arg, cell);
      }
      addresses[variable] = cell;
      if (module.debug)
        module.debug->declareLocal(cell, *variable, i + 1, entry);
    } else if (param.array) {
      arg->setName(param.array->name);
      addresses[param.array] = arg;
      if (module.debug)
        module.debug->declareLocal(arg, *param.array, i + 1, entry);
    } else {
      arg->setName(param.region->name);
      addresses[param.region] = arg;
      if (module.debug)
        module.debug->declareLocal(arg, *param.region, i + 1, entry);
    }
  }
}

/// A local's cell and its zero; of one on the heap the pointer to it.
void FunctionLowering::makeVariable(const air::Variable *variable) {
  llvm::Type *type =
      variable->onHeap ? types.ptr : types.memory(variable->type);
  AllocaInst *cell = addAlloca(type, variable->name);
  addresses[variable] = cell;
  if (variable->type.isAggregate() && !variable->onHeap)
    builder.CreateMemSet(cell, builder.getInt8(0), types.size(variable->type),
                         cell->getAlign());
  else
    builder.CreateStore(Constant::getNullValue(type), cell);
  if (module.debug)
    module.debug->declareLocal(cell, *variable, 0, builder.GetInsertBlock());
}

void FunctionLowering::makeLocals() {
  BasicBlock *entry = builder.GetInsertBlock();
  for (const air::Variable *variable : procedure.variables)
    makeVariable(variable);
  for (const air::Region *region : procedure.regions) {
    Value *descriptor = addAlloca(types.region, region->name);
    addresses[region] = descriptor;
    builder.CreateMemCpy(
        descriptor, Align(8),
        module.table(module.regionHeader(*region), ".region"), Align(8),
        offsetof(zrt_region, dim) + region->rank() * sizeof(zrt_dim));
    if (module.debug)
      module.debug->declareLocal(descriptor, *region, 0, entry);
  }
  for (const air::Array *array : procedure.arrays) {
    if (array->isContracted())
      continue; // of its M-loop
    Type *type = array->family ? static_cast<Type *>(types.ptr) : types.array;
    AllocaInst *descriptor = addAlloca(type, array->name);
    addresses[array] = descriptor;
    if (array->family)
      continue;
    builder.CreateMemSet(descriptor, builder.getInt8(0), sizeof(zrt_array),
                         descriptor->getAlign());
    if (module.debug)
      module.debug->declareLocal(descriptor, *array, 0, entry);
  }
}

void FunctionLowering::prepareTransfers() {
  for (const air::Transfer *transfer : procedure.transfers)
    if (!transfer->byCallers && !transfer->items.empty())
      shiftTables[transfer] = shiftTable(transfer);
}

/// Shifted and flooded temporaries may lie in the storage of their source, and
/// two views of one family may be bound to one array.
void FunctionLowering::findSharedStorage() {
  DenseMap<const air::Variable *, const air::Array *> views;
  for (const air::Array *array : procedure.arrays)
    if (array->family)
      storages.unionSets(views.try_emplace(array->family, array).first->second,
                         array);
  air::forEachStmt(procedure.body, [&](const air::Stmt &stmt) {
    if (auto *shift = dyn_cast<air::ShiftStmt>(&stmt)) {
      for (const air::ShiftView &view : shift->views) {
        storages.unionSets(shift->source, view.target);
        auto [known, isNew] = shifts.try_emplace(view.target, shift);
        if (!isNew)
          known->second = nullptr; // made at two places
      }
    } else if (auto *flood = dyn_cast<air::FloodStmt>(&stmt)) {
      storages.unionSets(flood->source, flood->target);
    }
  });
}

/// Gives the last block an end, and those that nothing reaches.
void FunctionLowering::endFunction() {
  if (isTerminated())
    return;
  BasicBlock *last = builder.GetInsertBlock();
  if (last != &function->getEntryBlock() && last->hasNPredecessors(0))
    builder.CreateUnreachable();
  else if (procedure.result == air::Type::Void)
    builder.CreateRetVoid();
  else
    lowerMissingReturn(procedure.sourceName, procedure.range);
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

/// Whether a statement computes places that the next one may use again.
static bool changesNoVariable(const air::Stmt &stmt) {
  bool calls = false;
  air::forEachExpr(stmt,
                   [&](const air::Expr &e) { calls |= isa<air::CallExpr>(e); });
  return !calls && isa<air::CheckStmt, air::ShiftStmt, air::SetRegionStmt,
                       air::TransferPointStmt>(stmt);
}

void FunctionLowering::lower(const air::StmtList &statements) {
  for (const air::Stmt *stmt : statements) {
    if (isTerminated())
      break;
    setPlace(stmt->range);
    sharesPlaces = changesNoVariable(*stmt);
    if (!sharesPlaces)
      shared = SharedPlaces();
    lower(stmt);
  }
  shared = SharedPlaces();
  sharesPlaces = false;
}

void FunctionLowering::lower(const air::Stmt *stmt) {
  using air::StmtKind;
  switch (stmt->kind) {
  case StmtKind::Set: {
    auto *set = cast<air::SetStmt>(stmt);
    Value *value = lower(set->value);
    store(set->value->type, value, addressOf(set->target));
    return;
  }
  case StmtKind::SetRegion:
    return lowerSetRegion(cast<air::SetRegionStmt>(stmt));
  case StmtKind::Call: {
    auto *call = cast<air::CallStmt>(stmt);
    Value *result = lowerCall(call->call);
    if (call->result)
      writeVariable(call->result, result);
    return;
  }
  case StmtKind::If:
    return lowerIf(cast<air::IfStmt>(stmt));
  case StmtKind::While:
    return lowerWhile(cast<air::WhileStmt>(stmt));
  case StmtKind::Repeat:
    return lowerRepeat(cast<air::RepeatStmt>(stmt));
  case StmtKind::For:
    return lowerFor(cast<air::ForStmt>(stmt));
  case StmtKind::Exit:
    builder.CreateBr(loops.back().exit);
    return;
  case StmtKind::Continue:
    builder.CreateBr(loops.back().next);
    return;
  case StmtKind::Return:
    return lowerReturn(cast<air::ReturnStmt>(stmt));
  case StmtKind::MLoop:
    MLoopLowering(*this, *cast<air::MLoopStmt>(stmt)).run();
    return;
  case StmtKind::DeclareRegion:
    builder.CreateCall(ZRT_CALLEE(calls, zrtA_region_declare),
                       {address(cast<air::DeclareRegionStmt>(stmt)->region)});
    return;
  case StmtKind::BindArray:
    return lowerBindArray(cast<air::BindArrayStmt>(stmt));
  case StmtKind::AllocArray:
    return lowerAlloc(cast<air::AllocArrayStmt>(stmt));
  case StmtKind::Realloc:
    return lowerRealloc(cast<air::ReallocStmt>(stmt));
  case StmtKind::FreeArray:
    builder.CreateCall(ZRT_CALLEE(calls, zrtA_array_free),
                       {address(cast<air::FreeArrayStmt>(stmt)->array),
                        module.location(stmt->range)});
    return;
  case StmtKind::AllocVariable:
    return lowerAllocVariable(cast<air::AllocVariableStmt>(stmt));
  case StmtKind::FreeVariable:
    builder.CreateCall(
        ZRT_CALLEE(calls, zrtA_memory_free),
        {variableAddress(cast<air::FreeVariableStmt>(stmt)->variable),
         module.location(stmt->range)});
    return;
  case StmtKind::Shift:
    return lowerShift(cast<air::ShiftStmt>(stmt));
  case StmtKind::Flood:
    return lowerFlood(cast<air::FloodStmt>(stmt));
  case StmtKind::Put:
    return lowerPut(cast<air::PutStmt>(stmt));
  case StmtKind::Fold:
    return lowerFold(cast<air::FoldStmt>(stmt));
  case StmtKind::CombineArray:
    return lowerCombineArray(cast<air::CombineArrayStmt>(stmt));
  case StmtKind::Scan:
    return lowerScan(cast<air::ScanStmt>(stmt));
  case StmtKind::OperatorEnd:
    return lowerOperatorEnd(cast<air::OperatorEndStmt>(stmt));
  case StmtKind::Wave:
    return lowerWave(cast<air::WaveStmt>(stmt));
  case StmtKind::Interleave:
    return lowerInterleave(cast<air::InterleaveStmt>(stmt));
  case StmtKind::Gather:
    return lowerGather(cast<air::GatherStmt>(stmt));
  case StmtKind::Scatter:
    return lowerScatter(cast<air::ScatterStmt>(stmt));
  case StmtKind::Boundary:
    return lowerBoundary(cast<air::BoundaryStmt>(stmt));
  case StmtKind::Check:
    return lowerCheck(cast<air::CheckStmt>(stmt));
  case StmtKind::CheckShape:
    return lowerCheckShape(cast<air::CheckShapeStmt>(stmt));
  case StmtKind::CheckThat:
    return lowerCheckThat(cast<air::CheckThatStmt>(stmt));
  case StmtKind::Combine:
    return lowerCombine(cast<air::CombineStmt>(stmt));
  case StmtKind::Write:
    return lowerWrite(cast<air::WriteStmt>(stmt));
  case StmtKind::Read:
    return lowerRead(cast<air::ReadStmt>(stmt));
  case StmtKind::Builtin:
    return lowerBuiltin(cast<air::BuiltinStmt>(stmt));
  case StmtKind::BindIo:
    return lowerBindIo(cast<air::BindIoStmt>(stmt));
  case StmtKind::Config:
    return lowerConfig(cast<air::ConfigStmt>(stmt));
  case StmtKind::Halt:
    return lowerHalt(stmt->range);
  case StmtKind::MissingReturn:
    return lowerMissingReturn(cast<air::MissingReturnStmt>(stmt)->procedure,
                              stmt->range);
  case StmtKind::Timer:
    return lowerTimer(cast<air::TimerStmt>(stmt));
  case StmtKind::TransferPoint:
    return lowerTransferPoint(cast<air::TransferPointStmt>(stmt));
  case StmtKind::ArrayAssign:
  case StmtKind::Reduce:
  case StmtKind::ReduceArray:
  case StmtKind::ElementCall:
    break;
  }
  llvm_unreachable("a statement of the Block form");
}

} // namespace zpl::codegen
