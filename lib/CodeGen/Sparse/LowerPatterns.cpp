//===- LowerPatterns.cpp - Sparse regions and arrays ----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   region @S = @R where %M       bounds inline, as of any region; then
//                                 zrtA_pattern_set(&S.pattern, S, SET, R, M)
//   region @T = @S at (0, 1)      zrtA_pattern_take(&T.pattern, T, S, (0, 1))
//   region @S = @R where undefined zrtA_pattern_drop(&S.pattern)
//   region @S = @R where each e   zrtA_select_begin ... (LowerSelection.cpp)
//   pattern @S and= %R where %M   zrtA_pattern_set(&S.pattern, S, AND, R, M)
//   pattern @S = %R from %f       zrtA_pattern_read(&S.pattern, S, f)
//   keep-pattern %v = @S          zrtA_pattern_take(&v, S, S)
//   modify-begin @S; add @S (i, j)   zrtA_modify_begin, zrtA_modify_add
//   get-irv %x = %A               what is in front of the first element of A
//   fetch %T = %A by (0, 1)       zrtA_fetch(T, A, R, (0, 1))
//
// Regions that are set of themselves, `region @S = @S at (0, 1)`, are read from
// a copy. Local regions lose their patterns where control leaves the procedure,
// so that none is known at an address of the stack that is something else then.
//
//===----------------------------------------------------------------------===//

#include "Sparse/LowerPatterns.h"
#include "Function/FunctionLowering.h"
#include "Function/LowerAggregates.h"
#include "Function/LowerCommunication.h"
#include "Function/LowerRegion.h"
#include "Function/LowerRuntime.h"
#include "Function/LowerScalar.h"
#include "Function/LowerStrings.h"
#include "Sparse/LowerSelection.h"
#include "zpl/ArrayIR/Domains.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace zpl::codegen {

/// The field of a zrt_region that has the pattern.
static Value *patternPlace(FunctionState &fn, Value *region) {
  return fn.builder.CreateStructGEP(fn.types.region, region,
                                    static_cast<unsigned>(RegionField::Pattern),
                                    "pattern");
}

static Value *none(FunctionState &fn) {
  return ConstantPointerNull::get(fn.types.ptr);
}

static Value *copyRegion(FunctionState &fn, Value *region, const Twine &name) {
  AllocaInst *copy = addAlloca(fn, fn.types.region, name);
  fn.builder.CreateMemCpy(copy, Align(8), region, Align(8), sizeof(zrt_region));
  return copy;
}

/// Only where the array is true; null: everywhere.
static Value *maskOf(FunctionState &fn, air::Array *array) {
  return maskTable(fn, {array, /*value=*/true});
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

/// A pattern without indices.
static Constant *emptyPattern(FunctionState &fn) {
  Module &module = *fn.function->getParent();
  GlobalVariable *empty =
      module.getGlobalVariable("zpl.no.pattern", /*AllowInternal=*/true);
  if (!empty) {
    empty = new GlobalVariable(module, fn.types.pattern, /*isConstant=*/true,
                               GlobalValue::PrivateLinkage,
                               Constant::getNullValue(fn.types.pattern),
                               "zpl.no.pattern");
    empty->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  }
  return empty;
}

static Value *readPattern(FunctionState &fn, const air::Region *region) {
  return fn.builder.CreateAlignedLoad(fn.types.ptr,
                                      patternPlace(fn, address(fn, region)),
                                      Align(8), region->name + ".pattern");
}

static Value *orEmpty(FunctionState &fn, Value *pattern) {
  return fn.builder.CreateSelect(fn.builder.CreateIsNull(pattern),
                                 emptyPattern(fn), pattern);
}

Value *patternOf(FunctionState &fn, const air::Region *region) {
  return orEmpty(fn, readPattern(fn, region));
}

Value *patternOf(FunctionState &fn, const air::Array *array) {
  Value *region = fn.builder.CreateStructGEP(
      fn.types.array, address(fn, array),
      static_cast<unsigned>(ArrayField::Region), array->name + ".region");
  return orEmpty(
      fn, fn.builder.CreateAlignedLoad(fn.types.ptr, patternPlace(fn, region),
                                       Align(8), array->name + ".pattern"));
}

Value *readCount(FunctionState &fn, Value *pattern, PatternField field,
                 const Twine &name) {
  return fn.builder.CreateAlignedLoad(
      fn.types.i64,
      fn.builder.CreateStructGEP(fn.types.pattern, pattern,
                                 static_cast<unsigned>(field)),
      Align(8), name);
}

Value *hasPattern(FunctionState &fn, const air::Region *region) {
  return fn.builder.CreateIsNotNull(readPattern(fn, region));
}

Value *isComplete(FunctionState &fn, const air::Region *region) {
  if (air::isScattered(*region) ||
      is_contained(ArrayRef(region->shape).drop_back(), air::DimKind::Strided))
    return fn.builder.getFalse();
  Value *own = ownBlock(fn, region), *zero = fn.builder.getInt64(0);
  Value *wanted = fn.builder.getInt64(1);
  for (unsigned d = 0; d + 1 < region->rank(); ++d) {
    auto bound = [&](bool isHigh) {
      return fn.builder.CreateBinaryIntrinsic(
          isHigh ? Intrinsic::smin : Intrinsic::smax,
          readBound(fn, region, d,
                    isHigh ? air::BoundExpr::Hi : air::BoundExpr::Lo),
          ownBound(fn, own, d, isHigh, ownBlockChanges(region)));
    };
    Value *extent = fn.builder.CreateAdd(
        fn.builder.CreateSub(bound(/*isHigh=*/true), bound(/*isHigh=*/false)),
        fn.builder.getInt64(1));
    extent = fn.builder.CreateBinaryIntrinsic(Intrinsic::smax, extent, zero);
    wanted = fn.builder.CreateMul(wanted, extent);
  }
  Value *rows =
      readCount(fn, patternOf(fn, region), PatternField::Rows, "rows");
  return fn.builder.CreateICmpEQ(rows, wanted, "complete");
}

PatternSource patternSource(FunctionState &fn, const air::SetRegionStmt *stmt) {
  const air::RegionExpr &value = stmt->value;
  PatternSource source;
  bool isUndefined = value.kind == air::RegionExpr::Where && !value.array &&
                     !value.condition && !value.isWhole;
  if (value.kind == air::RegionExpr::Declared)
    source.region = declaredRegion(fn, value.array);
  else if (value.pattern)
    source.kept = fn.builder.CreateAlignedLoad(
        fn.types.ptr, addressOf(fn, value.pattern), Align(8), "kept");
  else if (!isUndefined)
    source.region = address(fn, value.base);
  if (source.region && value.base == stmt->target)
    source.region = copyRegion(fn, source.region, value.base->name + ".old");
  if (value.kind == air::RegionExpr::At)
    source.direction = direction(fn, value.direction);
  return source;
}

void setPattern(FunctionState &fn, const air::SetRegionStmt *stmt,
                const PatternSource &source) {
  Value *target = address(fn, stmt->target);
  Value *place = patternPlace(fn, target);
  Constant *loc = fn.module.location(stmt->range);
  if (source.kept)
    fn.builder.CreateAlignedStore(source.kept, place, Align(8));
  else if (!source.region)
    fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_pattern_drop), {place});
  else if (stmt->value.condition)
    lowerSelection(fn,
                   {place, target, ZRT_PATTERN_SET, source.region,
                    stmt->target->rank(), stmt->value.condition, stmt->range});
  else if (stmt->value.kind == air::RegionExpr::Where)
    fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_pattern_set),
                          {place, target, fn.builder.getInt32(ZRT_PATTERN_SET),
                           source.region, maskOf(fn, stmt->value.array), loc});
  else
    fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_pattern_take),
                          {place, target, source.region,
                           source.direction ? source.direction : none(fn),
                           loc});
}

static zrt_pattern_operator operatorOf(air::PatternStmt::Op op) {
  switch (op) {
  case air::PatternStmt::Assign:
    return ZRT_PATTERN_SET;
  case air::PatternStmt::Or:
    return ZRT_PATTERN_OR;
  case air::PatternStmt::And:
    return ZRT_PATTERN_AND;
  case air::PatternStmt::AndNot:
    return ZRT_PATTERN_AND_NOT;
  }
  llvm_unreachable("unknown operation on a pattern");
}

void lowerPattern(FunctionState &fn, const air::PatternStmt *stmt) {
  Value *target = address(fn, stmt->region);
  if (stmt->file) {
    fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_pattern_read),
                          {patternPlace(fn, target), target,
                           lower(fn, stmt->file),
                           fn.module.location(stmt->range)});
    return;
  }
  if (stmt->condition)
    return lowerSelection(fn,
                          {patternPlace(fn, target), target,
                           operatorOf(stmt->op), address(fn, stmt->value),
                           stmt->region->rank(), stmt->condition, stmt->range});
  fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_pattern_set),
                        {patternPlace(fn, target), target,
                         fn.builder.getInt32(operatorOf(stmt->op)),
                         address(fn, stmt->value), maskOf(fn, stmt->array),
                         fn.module.location(stmt->range)});
}

void lowerKeepPattern(FunctionState &fn, const air::KeepPatternStmt *stmt) {
  Value *region = address(fn, stmt->region);
  fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_pattern_take),
                        {addressOf(fn, stmt->place), region, region, none(fn),
                         fn.module.location(stmt->range)});
}

void lowerAskPattern(FunctionState &fn, const air::AskPatternStmt *stmt) {
  Value *region = address(fn, stmt->region);
  Constant *loc = fn.module.location(stmt->range);
  Value *answer =
      stmt->index.empty()
          ? fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_pattern_size),
                                  {region, loc}, "size")
          : fn.builder.CreateIsNotNull(
                fn.builder.CreateCall(
                    ZRT_CALLEE(fn.calls, zrtA_pattern_inside),
                    {region, direction(fn, stmt->index), loc}),
                "inside");
  writeVariable(fn, stmt->result, answer);
}

void lowerModify(FunctionState &fn, const air::ModifyStmt *stmt) {
  Value *region = address(fn, stmt->region);
  Value *place = patternPlace(fn, region);
  Constant *loc = fn.module.location(stmt->range);
  if (stmt->begins)
    fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_modify_begin),
                          {place, region, loc});
  else
    fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_modify_end), {place, loc});
}

void lowerAddIndex(FunctionState &fn, const air::AddIndexStmt *stmt) {
  if (stmt->over) {
    fn.builder.CreateCall(
        ZRT_CALLEE(fn.calls, zrtA_modify_add_maps),
        {patternPlace(fn, address(fn, stmt->region)), address(fn, stmt->over),
         mapTable(fn, stmt->maps, *stmt->over), maskTable(fn, stmt->mask),
         fn.module.location(stmt->range)});
    return;
  }
  fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_modify_add),
                        {patternPlace(fn, address(fn, stmt->region)),
                         direction(fn, stmt->index),
                         fn.builder.getInt32(stmt->isReplicated),
                         fn.module.location(stmt->range)});
}

void dropPatterns(FunctionState &fn) {
  for (const air::Region *region : fn.procedure.regions)
    if (region->isSparse)
      fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_pattern_drop),
                            {patternPlace(fn, address(fn, region))});
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

void allocSparse(FunctionState &fn, const air::AllocArrayStmt *stmt) {
  const air::Array *array = stmt->array;
  Value *region = address(fn, array->declared);
  // What is over a region that is made for this alone keeps its pattern.
  bool isFixed = array->declared->isTemporary &&
                 array->declared->storage == air::Storage::Local;
  Value *at = stmt->follows ? addressOf(fn, stmt->follows)
              : isFixed     ? none(fn)
                            : patternPlace(fn, region);
  fn.builder.CreateCall(
      ZRT_CALLEE(fn.calls, zrtA_sparse_new),
      {address(fn, array), at, region, typeTable(fn, array->element),
       fn.module.string(nameOf(*array)), fn.module.location(stmt->range)});
}

void lowerIrv(FunctionState &fn, const air::IrvStmt *stmt) {
  air::Type type = stmt->array->element;
  Value *pitch = fn.builder.CreateInBoundsGEP(
      fn.types.array, address(fn, stmt->array),
      {fn.builder.getInt32(0),
       fn.builder.getInt32(static_cast<unsigned>(ArrayField::Pitch)),
       fn.builder.getInt32(stmt->array->rank() - 1)});
  Value *size = fn.builder.CreateAlignedLoad(fn.types.i64, pitch, Align(8),
                                             stmt->array->name + ".pitch");
  Value *irv = fn.builder.CreateGEP(fn.types.i8, origin(fn, stmt->array),
                                    fn.builder.CreateNeg(size),
                                    stmt->array->name + ".irv");
  Value *variable = variableAddress(fn, stmt->variable);
  if (stmt->sets && holdsStrings(type))
    fn.builder.CreateCall(
        ZRT_CALLEE(fn.calls, zrtA_value_share),
        {variable, typeTable(fn, type), fn.module.location(stmt->range)});
  Value *from = stmt->sets ? variable : irv, *to = stmt->sets ? irv : variable;
  store(fn, type, type.isAggregate() ? from : load(fn, type, from, "irv"), to);
}

/// The address of the components, or null.
static Value *distance(FunctionState &fn,
                       ArrayRef<const air::Expr *> components) {
  return components.empty() ? none(fn) : direction(fn, components);
}

void lowerFetch(FunctionState &fn, const air::FetchStmt *stmt) {
  fn.builder.CreateCall(
      ZRT_CALLEE(fn.calls, zrtA_fetch),
      {address(fn, stmt->target), address(fn, stmt->source),
       address(fn, stmt->region), distance(fn, stmt->direction),
       fn.builder.getInt32(stmt->wraps), fn.module.location(stmt->range)});
}

void lowerStore(FunctionState &fn, const air::StoreStmt *stmt) {
  fn.builder.CreateCall(
      ZRT_CALLEE(fn.calls, zrtA_store),
      {address(fn, stmt->target), distance(fn, stmt->direction),
       fn.builder.getInt32(stmt->wraps), address(fn, stmt->source),
       address(fn, stmt->region), maskTable(fn, stmt->mask),
       fn.module.string(stmt->text), fn.module.location(stmt->range)});
}

} // namespace zpl::codegen
