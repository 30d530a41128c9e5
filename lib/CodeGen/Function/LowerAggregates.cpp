//===- LowerAggregates.cpp - Places, and types sized at run time ----------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A place is an address and a walk of fields and subscripts from it:
//
//   t.pos[i].x     ->   getelementptr %t, 16          (pos)
//                       + (i - 1) * 24                (element of 24 bytes)
//                       + 0                           (x)
//
// Fields of records with a known layout are named by getelementptr; everything
// else is counted in bytes, which also serves arrays whose bounds are
// variables: sizes and offsets are then computed where they are needed, from
// variables that never change, so that LLVM moves them out of loops. (M-loops
// read the bounds before their nest, as they do with all scalars.)
//
// The runtime is told of such a type through a zrt_type whose bounds, offsets
// and size are stored again each time before it is used. For a formal with
// blank bounds they differ from call to call.
//
//===----------------------------------------------------------------------===//

#include "Function/LowerAggregates.h"
#include "Function/FunctionLowering.h"
#include "Function/LowerChecks.h"
#include "Function/LowerRegion.h"
#include "Function/LowerScalar.h"
#include "MLoop/LowerMLoop.h"
#include "MLoop/LowerRemaps.h"
#include "MLoop/LowerWalkers.h"
#include "zpl/ArrayIR/Printer.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using llvm::cast;

namespace zpl::codegen {

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

static llvm::Value *addressOfField(FunctionState &fn,
                                   const air::FieldExpr *expr);
static llvm::Value *addressOfElement(FunctionState &fn,
                                     const air::SubscriptExpr *expr);
static llvm::Value *computeElement(FunctionState &fn,
                                   const air::SubscriptExpr *expr, bool checks);
/// The extent of dimension \p dim, at least 0, as i64.
static llvm::Value *extent(FunctionState &fn, const air::TypeInfo &array,
                           unsigned dim);
static llvm::Value *offsetOf(FunctionState &fn, const air::TypeInfo &record,
                             unsigned field);
static void fillTypeTable(FunctionState &fn, air::Type type);

Value *variableAddress(FunctionState &fn, const air::Variable *variable) {
  if (fn.mloop)
    if (Value *known = hoistedMemory(*fn.mloop, variable))
      return known;
  if (!variable->thunk.empty())
    return fn.builder.CreateCall(
        fn.module.thunk(variable->thunk, fn.types.ptr, 0));
  Value *cell = address(fn, variable);
  if (!variable->onHeap)
    return cell;
  return fn.builder.CreateAlignedLoad(fn.types.ptr, cell, Align(8),
                                      variable->name + ".memory");
}

Value *addressOf(FunctionState &fn, const air::Expr *place) {
  if (auto *variable = dyn_cast<air::VarExpr>(place))
    return variableAddress(fn, variable->variable);
  if (auto *element = dyn_cast<air::ElementExpr>(place)) {
    return fn.mloop ? elementAddress(*fn.mloop, element)
                    : origin(fn, element->array);
  }
  if (auto *remap = dyn_cast<air::RemapExpr>(place))
    return remapAddress(*fn.mloop, remap);
  if (auto *field = dyn_cast<air::FieldExpr>(place))
    return addressOfField(fn, field);
  if (auto *subscript = dyn_cast<air::SubscriptExpr>(place))
    return addressOfElement(fn, subscript);
  assert(place->type.isAggregate() && "not a place");
  return lower(fn, place);
}

static Value *addressOfField(FunctionState &fn, const air::FieldExpr *expr) {
  Value *base = addressOf(fn, expr->base);
  air::Type type = expr->base->type;
  if (type == air::Type::Union)
    return base;
  if (type.isAggregate() && type.isRunTimeSized())
    return fn.builder.CreateGEP(fn.types.i8, base,
                                offsetOf(fn, *type.info(), expr->field));
  std::string name = type.isComplex() ? expr->field ? "im" : "re"
                                      : type.info()->fields[expr->field].name;
  return fn.builder.CreateStructGEP(fn.types.memory(type), base, expr->field,
                                    name);
}

/// A stencil over directions of an indexed array reads three components of
/// each, to check it and to shift by it: one address, and as many checks as
/// there are different subscripts.
static Value *addressOfElement(FunctionState &fn,
                               const air::SubscriptExpr *expr) {
  bool checks = expr->isChecked || fn.isBinding || checksSubscripts(fn);
  if (!fn.sharesPlaces)
    return computeElement(fn, expr, checks);
  bool ofRegions = false; // which the statements may set
  air::forEachExpr(
      *expr, [&](const air::Expr &e) { ofRegions |= isa<air::BoundExpr>(e); });
  if (ofRegions)
    return computeElement(fn, expr, checks);
  std::string text;
  raw_string_ostream os(text);
  air::print(*expr, os);
  Value *&known = fn.shared.elements[{os.str(), checks}];
  if (!known)
    known = computeElement(fn, expr, checks);
  return known;
}

/// Row-major; the bounds are subtracted first, so that no product overflows
/// that stays within the array.
static Value *computeElement(FunctionState &fn, const air::SubscriptExpr *expr,
                             bool checks) {
  const air::TypeInfo &info = *expr->base->type.info();
  Value *base = addressOf(fn, expr->base);
  Value *position = nullptr;
  for (unsigned d = 0; d < expr->subscripts.size(); ++d) {
    Value *subscript = lowerIndex(fn, expr->subscripts[d]);
    if (checks)
      checkSubscript(fn, expr, d, subscript);
    Value *distance = fn.builder.CreateSub(subscript, bound(fn, info.lo[d]), "",
                                           /*HasNUW=*/false, /*HasNSW=*/true);
    if (position) {
      Value *rows =
          fn.builder.CreateMul(position, extent(fn, info, d), "", false,
                               /*HasNSW=*/true);
      position =
          fn.builder.CreateAdd(rows, distance, "", false, /*HasNSW=*/true);
    } else {
      position = distance;
    }
  }
  if (info.element.isAggregate() && info.element.isRunTimeSized())
    return fn.builder.CreateGEP(
        fn.types.i8, base,
        fn.builder.CreateMul(position, sizeOf(fn, info.element)));
  return fn.builder.CreateGEP(fn.types.memory(info.element), base, position);
}

Value *lowerField(FunctionState &fn, const air::FieldExpr *expr) {
  if (expr->base->type.isComplex())
    return fn.builder.CreateExtractValue(lower(fn, expr->base), expr->field);
  return readPlace(fn, expr);
}

Value *readPlace(FunctionState &fn, const air::Expr *place) {
  if (fn.mloop)
    if (Value *known = hoistedPlace(*fn.mloop, place))
      return known;
  Value *from = addressOf(fn, place);
  if (place->type.isAggregate())
    return from;
  LoadInst *loaded = loadMemory(fn, place->type, from, "");
  if (fn.mloop)
    annotate(*fn.mloop, loaded, place);
  return fromMemory(fn, place->type, loaded);
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

Value *bound(FunctionState &fn, const air::Bound &bound) {
  if (!bound.variable)
    return fn.builder.getInt64(bound.value);
  if (!fn.sharesPlaces)
    return readVariable(fn, bound.variable);
  Value *&known = fn.shared.bounds[bound.variable];
  if (!known)
    known = readVariable(fn, bound.variable);
  return known;
}

static Value *extent(FunctionState &fn, const air::TypeInfo &array,
                     unsigned dim) {
  const air::Bound &low = array.lo[dim], &high = array.hi[dim];
  if (!low.variable && !high.variable)
    return fn.builder.getInt64(
        std::max<int64_t>(0, high.value - low.value + 1));
  if (Value *known = fn.shared.extents.lookup({&array, dim});
      known && fn.sharesPlaces)
    return known;
  Value *lo = bound(fn, low);
  Value *count = fn.builder.CreateAdd(
      fn.builder.CreateSub(bound(fn, high), lo, "", false, /*HasNSW=*/true),
      fn.builder.getInt64(1), "", false, /*HasNSW=*/true);
  Value *result = fn.builder.CreateBinaryIntrinsic(Intrinsic::smax, count,
                                                   fn.builder.getInt64(0));
  if (fn.sharesPlaces)
    fn.shared.extents[{&array, dim}] = result;
  return result;
}

Value *sizeOf(FunctionState &fn, air::Type type) {
  if (!type.isAggregate() || !type.isRunTimeSized())
    return fn.builder.getInt64(fn.types.size(type));
  const air::TypeInfo &info = *type.info();
  if (type == air::Type::Array) {
    Value *bytes = sizeOf(fn, info.element);
    for (unsigned d = 0; d < info.lo.size(); ++d)
      bytes = fn.builder.CreateMul(bytes, extent(fn, info, d));
    return bytes;
  }
  if (type == air::Type::Record)
    return offsetOf(fn, info, info.fields.size());
  Value *most = fn.builder.getInt64(0);
  for (const air::Field &field : info.fields)
    most = fn.builder.CreateBinaryIntrinsic(Intrinsic::umax, most,
                                            sizeOf(fn, field.type));
  return most;
}

Value *memorySizeOf(FunctionState &fn, air::Type type) {
  if (type != air::Type::Array || !type.isRunTimeSized())
    return sizeOf(fn, type);
  IRBuilder<> &b = fn.builder;
  const air::TypeInfo &info = *type.info();
  Value *bytes = memorySizeOf(fn, info.element);
  Value *isTooMuch = b.CreateICmpSLT(bytes, b.getInt64(0));
  for (unsigned d = 0; d < info.lo.size(); ++d) {
    Value *lo = bound(fn, info.lo[d]), *hi = bound(fn, info.hi[d]);
    // From lo to hi it may be more than i64 has; as unsigned it is right.
    Value *count =
        b.CreateSelect(b.CreateICmpSLT(hi, lo), b.getInt64(0),
                       b.CreateAdd(b.CreateSub(hi, lo), b.getInt64(1)));
    Value *product =
        b.CreateBinaryIntrinsic(Intrinsic::umul_with_overflow, bytes, count);
    bytes = b.CreateExtractValue(product, 0);
    isTooMuch = b.CreateOr(isTooMuch, b.CreateExtractValue(product, 1));
  }
  isTooMuch = b.CreateOr(isTooMuch, b.CreateICmpSLT(bytes, b.getInt64(0)));
  return b.CreateSelect(isTooMuch, b.getInt64(INT64_MAX), bytes);
}

/// Where a field begins; of the number after the last one, where the record
/// ends.
static Value *offsetOf(FunctionState &fn, const air::TypeInfo &record,
                       unsigned field) {
  Value *offset = fn.builder.getInt64(0);
  auto align = [&](Align to) {
    offset = fn.builder.CreateAnd(
        fn.builder.CreateAdd(offset, fn.builder.getInt64(to.value() - 1)),
        fn.builder.getInt64(-int64_t(to.value())));
  };
  for (unsigned i = 0; i < field; ++i) {
    align(fn.types.align(record.fields[i].type));
    offset = fn.builder.CreateAdd(offset, sizeOf(fn, record.fields[i].type));
  }
  align(fn.types.align(field < record.fields.size() ? record.fields[field].type
                                                    : air::Type(&record)));
  return offset;
}

//===----------------------------------------------------------------------===//
// Descriptors of types
//===----------------------------------------------------------------------===//

Value *typeTable(FunctionState &fn, air::Type type) {
  GlobalVariable *table = fn.module.typeTable(type);
  if (type.isAggregate() && type.isRunTimeSized())
    fillTypeTable(fn, type);
  return table;
}

static void fillTypeTable(FunctionState &fn, air::Type type) {
  const air::TypeInfo &info = *type.info();
  auto storeAt = [&](Value *value, StructType *structure, Value *table,
                     unsigned row, unsigned field) {
    fn.builder.CreateStore(
        value, fn.builder.CreateInBoundsGEP(
                   structure, table,
                   {fn.builder.getInt64(row), fn.builder.getInt32(field)}));
  };
  if (type == air::Type::Array) {
    typeTable(fn, info.element);
    for (unsigned d = 0; d < info.lo.size(); ++d) {
      Value *rows = fn.module.boundsTable(type);
      storeAt(bound(fn, info.lo[d]), fn.types.range, rows, d, 0);
      storeAt(bound(fn, info.hi[d]), fn.types.range, rows, d, 1);
    }
  } else {
    for (unsigned i = 0; i < info.fields.size(); ++i) {
      typeTable(fn, info.fields[i].type);
      if (type == air::Type::Record)
        storeAt(offsetOf(fn, info, i), fn.types.field,
                fn.module.fieldTable(type), i, 1);
    }
  }
  storeAt(sizeOf(fn, type), fn.types.type, fn.module.typeTable(type), 0, 2);
}

} // namespace zpl::codegen
