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

#include "Function/FunctionLowering.h"
#include "DebugInfo.h"
#include "Function/LowerAggregates.h"
#include "Function/LowerChecks.h"
#include "Function/LowerCommunication.h"
#include "Function/LowerControl.h"
#include "Function/LowerDistributions.h"
#include "Function/LowerIo.h"
#include "Function/LowerRegion.h"
#include "Function/LowerRuntime.h"
#include "Function/LowerScalar.h"
#include "Function/LowerStrings.h"
#include "MLoop/LowerMLoop.h"
#include "Sparse/LowerPatterns.h"
#include "Waves/LowerInterleave.h"
#include "Waves/LowerStrips.h"
#include "Waves/LowerWave.h"
#include "zpl/ArrayIR/Walk.h"

using namespace llvm;
using llvm::cast;

namespace zpl::codegen {

FunctionState::FunctionState(ModuleLowering &module,
                             const air::Procedure &procedure,
                             Function *function)
    : module(module), types(module.types), calls(module.calls),
      procedure(procedure), function(function),
      builder(BasicBlock::Create(function->getContext(), "entry", function)),
      ops(builder, types, calls, module.options.fusesMultiplyAdd) {}

static void bindParameters(FunctionState &fn);
static void makeLocals(FunctionState &fn);
static void prepareTransfers(FunctionState &fn);
static void findSharedStorage(FunctionState &fn);
static void endFunction(FunctionState &fn);
static void lower(FunctionState &fn, const air::Stmt *stmt);

void lowerBody(FunctionState &&fn) {
  // Without places, so that a breakpoint on the procedure is after them.
  bindParameters(fn);
  makeLocals(fn);
  prepareTransfers(fn);
  findSharedStorage(fn);
  setPlace(fn, fn.procedure.range);
  lower(fn, fn.procedure.body);
  endFunction(fn);
}

//===----------------------------------------------------------------------===//
// The frame
//===----------------------------------------------------------------------===//

AllocaInst *addAlloca(FunctionState &fn, llvm::Type *type, const Twine &name) {
  BasicBlock &entry = fn.function->getEntryBlock();
  IRBuilder<> allocas(&entry, fn.lastAlloca
                                  ? std::next(fn.lastAlloca->getIterator())
                                  : entry.begin());
  return fn.lastAlloca = allocas.CreateAlloca(type, nullptr, name);
}

Value *streamBuffer(FunctionState &fn, unsigned number, int64_t bytes) {
  if (number == fn.streamBuffers.size()) {
    AllocaInst *buffer =
        addAlloca(fn, ArrayType::get(fn.types.i8, bytes), "stream.buffer");
    buffer->setAlignment(Align(64));
    fn.streamBuffers.push_back(buffer);
  }
  return fn.streamBuffers[number];
}

Value *address(const FunctionState &fn, const void *thing) {
  if (Value *local = fn.addresses.lookup(thing))
    return local;
  Value *global = fn.module.global(thing);
  assert(global && "a name that was never declared");
  return global;
}

void setPlace(FunctionState &fn, SourceRange range) {
  if (fn.module.debug)
    fn.builder.SetCurrentDebugLocation(
        fn.module.debug->location(fn.function, range));
}

Value *address(FunctionState &fn, const air::Array *array) {
  Value *descriptor = address(fn, static_cast<const void *>(array));
  return array->family ? fn.builder.CreateAlignedLoad(fn.types.ptr, descriptor,
                                                      Align(8), array->name)
                       : descriptor;
}

BasicBlock *addBlock(FunctionState &fn, const Twine &name) {
  return BasicBlock::Create(fn.function->getContext(), name, fn.function);
}

void startBlock(FunctionState &fn, BasicBlock *block) {
  if (!isTerminated(fn)) {
    BranchInst *go = fn.builder.CreateBr(block);
    // Else it would begin the line of a loop that follows, so that the loop's
    // test is not where its line begins and debuggers step over it.
    if (go == &go->getParent()->front())
      go->setDebugLoc(DebugLoc());
  }
  // In the order of the source, also when made earlier.
  if (block != &fn.function->back())
    block->moveAfter(&fn.function->back());
  fn.builder.SetInsertPoint(block);
}

static void bindParameters(FunctionState &fn) {
  BasicBlock *entry = fn.builder.GetInsertBlock();
  bool hasMemoryResult = fn.procedure.result.isAggregate();
  if (hasMemoryResult) {
    fn.resultAddress = fn.function->getArg(0);
    fn.resultAddress->setName("result");
  }
  for (unsigned i = 0; i < fn.procedure.params.size(); ++i) {
    const air::Parameter &param = fn.procedure.params[i];
    Argument *arg = fn.function->getArg(i + hasMemoryResult);
    if (const air::Variable *variable = param.variable) {
      arg->setName(variable->name);
      Value *cell = arg;
      if (!variable->byReference && !variable->type.isAggregate()) {
        cell = addAlloca(fn, fn.types.memory(variable->type), variable->name);
        store(fn, variable->type, arg, cell);
      }
      fn.addresses[variable] = cell;
      if (fn.module.debug)
        fn.module.debug->declareLocal(cell, *variable, i + 1, entry);
    } else if (param.array) {
      arg->setName(param.array->name);
      fn.addresses[param.array] = arg;
      if (fn.module.debug)
        fn.module.debug->declareLocal(arg, *param.array, i + 1, entry);
    } else {
      arg->setName(param.region->name);
      fn.addresses[param.region] = arg;
      if (fn.module.debug)
        fn.module.debug->declareLocal(arg, *param.region, i + 1, entry);
    }
  }
}

/// A local's cell and its zero; of one on the heap the pointer to it.
static void makeVariable(FunctionState &fn, const air::Variable *variable) {
  llvm::Type *type =
      variable->onHeap ? fn.types.ptr : fn.types.memory(variable->type);
  AllocaInst *cell = addAlloca(fn, type, variable->name);
  fn.addresses[variable] = cell;
  if (variable->type.isAggregate() && !variable->onHeap)
    fn.builder.CreateMemSet(cell, fn.builder.getInt8(0),
                            fn.types.size(variable->type), cell->getAlign());
  else
    fn.builder.CreateStore(Constant::getNullValue(type), cell);
  if (fn.module.debug)
    fn.module.debug->declareLocal(cell, *variable, 0,
                                  fn.builder.GetInsertBlock());
}

static void makeLocals(FunctionState &fn) {
  BasicBlock *entry = fn.builder.GetInsertBlock();
  for (const air::Variable *variable : fn.procedure.variables)
    makeVariable(fn, variable);
  for (const air::Region *region : fn.procedure.regions) {
    Value *descriptor = addAlloca(fn, fn.types.region, region->name);
    fn.addresses[region] = descriptor;
    fn.builder.CreateMemCpy(
        descriptor, Align(8),
        fn.module.table(fn.module.regionHeader(*region), ".region"), Align(8),
        offsetof(zrt_region, dim) + region->rank() * sizeof(zrt_dim));
    if (fn.module.debug)
      fn.module.debug->declareLocal(descriptor, *region, 0, entry);
  }
  for (const air::Array *array : fn.procedure.arrays) {
    if (array->isContracted())
      continue; // of its M-loop
    Type *type =
        array->family ? static_cast<Type *>(fn.types.ptr) : fn.types.array;
    AllocaInst *descriptor = addAlloca(fn, type, array->name);
    fn.addresses[array] = descriptor;
    if (array->family)
      continue;
    fn.builder.CreateMemSet(descriptor, fn.builder.getInt8(0),
                            sizeof(zrt_array), descriptor->getAlign());
    if (fn.module.debug)
      fn.module.debug->declareLocal(descriptor, *array, 0, entry);
  }
}

static void prepareTransfers(FunctionState &fn) {
  for (const air::Transfer *transfer : fn.procedure.transfers)
    if (!transfer->byCallers && !transfer->items.empty())
      fn.shiftTables[transfer] = shiftTable(fn, transfer);
}

/// Shifted and flooded temporaries may lie in the storage of their source, and
/// two views of one family may be bound to one array.
static void findSharedStorage(FunctionState &fn) {
  DenseMap<const air::Variable *, const air::Array *> views;
  for (const air::Array *array : fn.procedure.arrays)
    if (array->family)
      fn.storages.unionSets(
          views.try_emplace(array->family, array).first->second, array);
  air::forEachStmt(fn.procedure.body, [&](const air::Stmt &stmt) {
    if (auto *shift = dyn_cast<air::ShiftStmt>(&stmt)) {
      for (const air::ShiftView &view : shift->views) {
        fn.storages.unionSets(shift->source, view.target);
        auto [known, isNew] = fn.shifts.try_emplace(view.target, shift);
        if (!isNew)
          known->second = nullptr; // made at two places
      }
    } else if (auto *flood = dyn_cast<air::FloodStmt>(&stmt)) {
      fn.storages.unionSets(flood->source, flood->target);
    } else if (auto *window = dyn_cast<air::WindowStmt>(&stmt);
               window && window->lends()) {
      fn.storages.unionSets(window->array, window->window);
    }
  });
}

/// Gives the last block an end, and those that nothing reaches.
static void endFunction(FunctionState &fn) {
  if (isTerminated(fn))
    return;
  BasicBlock *last = fn.builder.GetInsertBlock();
  if (last != &fn.function->getEntryBlock() && last->hasNPredecessors(0))
    fn.builder.CreateUnreachable();
  else if (fn.procedure.result == air::Type::Void)
    returnFrom(fn);
  else
    lowerMissingReturn(fn, fn.procedure.sourceName, fn.procedure.range);
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

/// Lets the runtime know if a statement may have written a map of a remap.
static void tellOfMaps(FunctionState &fn, const air::Stmt &stmt) {
  if (isTerminated(fn))
    return;
  if (uint64_t sets = fn.module.mapArrays.writtenBy(fn.procedure, stmt))
    fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_maps_written),
                          {fn.builder.getInt64(sets)});
}

void lower(FunctionState &fn, const air::StmtList &statements) {
  for (const air::Stmt *stmt : statements) {
    if (isTerminated(fn))
      break;
    setPlace(fn, stmt->range);
    fn.sharesPlaces = changesNoVariable(*stmt);
    if (!fn.sharesPlaces)
      fn.shared = SharedPlaces();
    lower(fn, stmt);
    tellOfMaps(fn, *stmt);
  }
  fn.shared = SharedPlaces();
  fn.sharesPlaces = false;
}

namespace {

/// Lowers each kind of statement.
struct StatementLowering {
  FunctionState &fn;

  void of(const air::SetStmt &s) {
    Value *value = lower(fn, s.value);
    store(fn, s.value->type, value, addressOf(fn, s.target));
  }
  void of(const air::SetRegionStmt &s) { lowerSetRegion(fn, &s); }
  void of(const air::CallStmt &s) {
    Value *result = lowerCall(fn, s.call);
    if (s.result)
      writeVariable(fn, s.result, result);
  }
  void of(const air::IfStmt &s) { lowerIf(fn, &s); }
  void of(const air::WhileStmt &s) { lowerWhile(fn, &s); }
  void of(const air::RepeatStmt &s) { lowerRepeat(fn, &s); }
  void of(const air::ForStmt &s) { lowerFor(fn, &s); }
  void of(const air::ExitStmt &) { fn.builder.CreateBr(fn.loops.back().exit); }
  void of(const air::ContinueStmt &) {
    fn.builder.CreateBr(fn.loops.back().next);
  }
  void of(const air::ReturnStmt &s) { lowerReturn(fn, &s); }
  void of(const air::MLoopStmt &s) {
    MLoopState m(fn, s);
    lowerMLoop(m);
    shareStrings(fn, s);
  }
  void of(const air::DeclareRegionStmt &s) {
    fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_region_declare),
                          {address(fn, s.region)});
  }
  void of(const air::SetGridStmt &s) { lowerSetGrid(fn, &s); }
  void of(const air::SetDistributionStmt &s) { lowerSetDistribution(fn, &s); }
  void of(const air::MoveStmt &s) { lowerMove(fn, &s); }
  void of(const air::PatternStmt &s) { lowerPattern(fn, &s); }
  void of(const air::KeepPatternStmt &s) { lowerKeepPattern(fn, &s); }
  void of(const air::AskPatternStmt &s) { lowerAskPattern(fn, &s); }
  void of(const air::ModifyStmt &s) { lowerModify(fn, &s); }
  void of(const air::AddIndexStmt &s) { lowerAddIndex(fn, &s); }
  void of(const air::IrvStmt &s) { lowerIrv(fn, &s); }
  void of(const air::FetchStmt &s) { lowerFetch(fn, &s); }
  void of(const air::StoreStmt &s) { lowerStore(fn, &s); }
  void of(const air::BindArrayStmt &s) { lowerBindArray(fn, &s); }
  void of(const air::AllocArrayStmt &s) { lowerAlloc(fn, &s); }
  void of(const air::ReallocStmt &s) { lowerRealloc(fn, &s); }
  void of(const air::FreeArrayStmt &s) {
    fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_array_free),
                          {address(fn, s.array), fn.module.location(s.range)});
  }
  void of(const air::AllocVariableStmt &s) { lowerAllocVariable(fn, &s); }
  void of(const air::FreeVariableStmt &s) { lowerFreeVariable(fn, &s); }
  void of(const air::ResizeStmt &s) { lowerResize(fn, &s); }
  void of(const air::ShiftStmt &s) { lowerShift(fn, &s); }
  void of(const air::FloodStmt &s) { lowerFlood(fn, &s); }
  void of(const air::PutStmt &s) { lowerPut(fn, &s); }
  void of(const air::FoldStmt &s) { lowerFold(fn, &s); }
  void of(const air::CombineArrayStmt &s) { lowerCombineArray(fn, &s); }
  void of(const air::ScanStmt &s) { lowerScan(fn, &s); }
  void of(const air::OperatorEndStmt &s) { lowerOperatorEnd(fn, &s); }
  void of(const air::WaveStmt &s) { lowerWave(fn, &s); }
  void of(const air::BoxesStmt &s) { lowerBoxes(fn, &s); }
  void of(const air::InterleaveStmt &s) {
    lowerInterleave(fn, &s);
    shareStrings(fn, s);
  }
  void of(const air::StripsStmt &s) {
    lowerStrips(fn, &s);
    shareStrings(fn, s);
  }
  void of(const air::GatherStmt &s) { lowerGather(fn, &s); }
  void of(const air::ScatterStmt &s) { lowerScatter(fn, &s); }
  void of(const air::WindowStmt &s) { lowerWindow(fn, &s); }
  void of(const air::BoundaryStmt &s) { lowerBoundary(fn, &s); }
  void of(const air::CheckStmt &s) { lowerCheck(fn, &s); }
  void of(const air::CheckShapeStmt &s) { lowerCheckShape(fn, &s); }
  void of(const air::CheckThatStmt &s) { lowerCheckThat(fn, &s); }
  void of(const air::CombineStmt &s) { lowerCombine(fn, &s); }
  void of(const air::WriteStmt &s) { lowerWrite(fn, &s); }
  void of(const air::ReadStmt &s) { lowerRead(fn, &s); }
  void of(const air::BuiltinStmt &s) { lowerBuiltin(fn, &s); }
  void of(const air::BindIoStmt &s) { lowerBindIo(fn, &s); }
  void of(const air::SortStmt &s) { lowerSort(fn, &s); }
  void of(const air::ConfigStmt &s) { lowerConfig(fn, &s); }
  void of(const air::HaltStmt &s) { lowerHalt(fn, &s); }
  void of(const air::MissingReturnStmt &s) {
    lowerMissingReturn(fn, s.procedure, s.range);
  }
  void of(const air::TimerStmt &s) { lowerTimer(fn, &s); }
  void of(const air::TransferPointStmt &s) { lowerTransferPoint(fn, &s); }
  void of(const OneOf<air::ArrayAssignStmt, air::ReduceStmt,
                      air::ReduceArrayStmt, air::ElementCallStmt> auto &) {
    llvm_unreachable("a statement of the Block form");
  }
};

} // namespace

static void lower(FunctionState &fn, const air::Stmt *stmt) {
  air::visitKind(*stmt,
                 [&](const auto &known) { StatementLowering{fn}.of(known); });
}

} // namespace zpl::codegen
