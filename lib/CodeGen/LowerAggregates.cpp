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

#include "FunctionLowering.h"
#include "MLoop/LowerMLoop.h"
#include "zpl/ArrayIR/Printer.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using llvm::cast;

namespace zpl::codegen {

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

Value *FunctionLowering::variableAddress(const air::Variable *variable) {
  if (mloop)
    if (Value *known = mloop->hoistedMemory(variable))
      return known;
  if (!variable->thunk.empty())
    return builder.CreateCall(module.thunk(variable->thunk, types.ptr, 0));
  Value *cell = address(variable);
  if (!variable->onHeap)
    return cell;
  return builder.CreateAlignedLoad(types.ptr, cell, Align(8),
                                   variable->name + ".memory");
}

Value *FunctionLowering::addressOf(const air::Expr *place) {
  if (auto *variable = dyn_cast<air::VarExpr>(place))
    return variableAddress(variable->variable);
  if (auto *element = dyn_cast<air::ElementExpr>(place)) {
    return mloop ? mloop->elementAddress(element) : origin(element->array);
  }
  if (auto *field = dyn_cast<air::FieldExpr>(place))
    return addressOfField(field);
  if (auto *subscript = dyn_cast<air::SubscriptExpr>(place))
    return addressOfElement(subscript);
  assert(place->type.isAggregate() && "not a place");
  return lower(place);
}

Value *FunctionLowering::addressOfField(const air::FieldExpr *expr) {
  Value *base = addressOf(expr->base);
  air::Type type = expr->base->type;
  if (type == air::Type::Union)
    return base;
  if (type.isAggregate() && type.isRunTimeSized())
    return builder.CreateGEP(types.i8, base,
                             offsetOf(*type.info(), expr->field));
  std::string name = type.isComplex() ? expr->field ? "im" : "re"
                                      : type.info()->fields[expr->field].name;
  return builder.CreateStructGEP(types.memory(type), base, expr->field, name);
}

/// A stencil over directions of an indexed array reads three components of
/// each, to check it and to shift by it: one address, and as many checks as
/// there are different subscripts.
Value *FunctionLowering::addressOfElement(const air::SubscriptExpr *expr) {
  bool checks = expr->isChecked || isBinding || checksSubscripts();
  if (!sharesPlaces)
    return computeElement(expr, checks);
  bool ofRegions = false; // which the statements may set
  air::forEachExpr(
      *expr, [&](const air::Expr &e) { ofRegions |= isa<air::BoundExpr>(e); });
  if (ofRegions)
    return computeElement(expr, checks);
  std::string text;
  raw_string_ostream os(text);
  air::print(*expr, os);
  Value *&known = shared.elements[{os.str(), checks}];
  if (!known)
    known = computeElement(expr, checks);
  return known;
}

/// Row-major; the bounds are subtracted first, so that no product overflows
/// that stays within the array.
Value *FunctionLowering::computeElement(const air::SubscriptExpr *expr,
                                        bool checks) {
  const air::TypeInfo &info = *expr->base->type.info();
  Value *base = addressOf(expr->base);
  Value *position = nullptr;
  for (unsigned d = 0; d < expr->subscripts.size(); ++d) {
    Value *subscript = lowerIndex(expr->subscripts[d]);
    if (checks)
      checkSubscript(expr, d, subscript);
    Value *distance = builder.CreateSub(subscript, bound(info.lo[d]), "",
                                        /*HasNUW=*/false, /*HasNSW=*/true);
    if (position) {
      Value *rows = builder.CreateMul(position, extent(info, d), "", false,
                                      /*HasNSW=*/true);
      position = builder.CreateAdd(rows, distance, "", false, /*HasNSW=*/true);
    } else {
      position = distance;
    }
  }
  if (info.element.isAggregate() && info.element.isRunTimeSized())
    return builder.CreateGEP(types.i8, base,
                             builder.CreateMul(position, sizeOf(info.element)));
  return builder.CreateGEP(types.memory(info.element), base, position);
}

/// A part of a value that is no place of its own is taken out in registers.
Value *FunctionLowering::lowerField(const air::FieldExpr *expr) {
  if (expr->base->type.isComplex())
    return builder.CreateExtractValue(lower(expr->base), expr->field);
  return readPlace(expr);
}

Value *FunctionLowering::readPlace(const air::Expr *place) {
  if (mloop)
    if (Value *known = mloop->hoistedPlace(place))
      return known;
  Value *from = addressOf(place);
  if (place->type.isAggregate())
    return from;
  LoadInst *loaded = loadMemory(place->type, from, "");
  if (mloop)
    mloop->annotate(loaded, place);
  return fromMemory(place->type, loaded);
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

Value *FunctionLowering::bound(const air::Bound &bound) {
  if (!bound.variable)
    return builder.getInt64(bound.value);
  if (!sharesPlaces)
    return readVariable(bound.variable);
  Value *&known = shared.bounds[bound.variable];
  if (!known)
    known = readVariable(bound.variable);
  return known;
}

Value *FunctionLowering::extent(const air::TypeInfo &array, unsigned dim) {
  const air::Bound &low = array.lo[dim], &high = array.hi[dim];
  if (!low.variable && !high.variable)
    return builder.getInt64(std::max<int64_t>(0, high.value - low.value + 1));
  if (Value *known = shared.extents.lookup({&array, dim});
      known && sharesPlaces)
    return known;
  Value *lo = bound(low);
  Value *count = builder.CreateAdd(
      builder.CreateSub(bound(high), lo, "", false, /*HasNSW=*/true),
      builder.getInt64(1), "", false, /*HasNSW=*/true);
  Value *result = builder.CreateBinaryIntrinsic(Intrinsic::smax, count,
                                                builder.getInt64(0));
  if (sharesPlaces)
    shared.extents[{&array, dim}] = result;
  return result;
}

Value *FunctionLowering::sizeOf(air::Type type) {
  if (!type.isAggregate() || !type.isRunTimeSized())
    return builder.getInt64(types.size(type));
  const air::TypeInfo &info = *type.info();
  if (type == air::Type::Array) {
    Value *bytes = sizeOf(info.element);
    for (unsigned d = 0; d < info.lo.size(); ++d)
      bytes = builder.CreateMul(bytes, extent(info, d));
    return bytes;
  }
  if (type == air::Type::Record)
    return offsetOf(info, info.fields.size());
  Value *most = builder.getInt64(0);
  for (const air::Field &field : info.fields)
    most = builder.CreateBinaryIntrinsic(Intrinsic::umax, most,
                                         sizeOf(field.type));
  return most;
}

/// Where a field begins; of the number after the last one, where the record
/// ends.
Value *FunctionLowering::offsetOf(const air::TypeInfo &record, unsigned field) {
  Value *offset = builder.getInt64(0);
  auto align = [&](Align to) {
    offset = builder.CreateAnd(
        builder.CreateAdd(offset, builder.getInt64(to.value() - 1)),
        builder.getInt64(-int64_t(to.value())));
  };
  for (unsigned i = 0; i < field; ++i) {
    align(types.align(record.fields[i].type));
    offset = builder.CreateAdd(offset, sizeOf(record.fields[i].type));
  }
  align(types.align(field < record.fields.size() ? record.fields[field].type
                                                 : air::Type(&record)));
  return offset;
}

//===----------------------------------------------------------------------===//
// Descriptors of types
//===----------------------------------------------------------------------===//

/// The type's table, ready for use.
Value *FunctionLowering::typeTable(air::Type type) {
  GlobalVariable *table = module.typeTable(type);
  if (type.isAggregate() && type.isRunTimeSized())
    fillTypeTable(type);
  return table;
}

void FunctionLowering::fillTypeTable(air::Type type) {
  const air::TypeInfo &info = *type.info();
  auto storeAt = [&](Value *value, StructType *structure, Value *table,
                     unsigned row, unsigned field) {
    builder.CreateStore(value,
                        builder.CreateInBoundsGEP(
                            structure, table,
                            {builder.getInt64(row), builder.getInt32(field)}));
  };
  if (type == air::Type::Array) {
    typeTable(info.element);
    for (unsigned d = 0; d < info.lo.size(); ++d) {
      Value *rows = module.boundsTable(type);
      storeAt(bound(info.lo[d]), types.range, rows, d, 0);
      storeAt(bound(info.hi[d]), types.range, rows, d, 1);
    }
  } else {
    for (unsigned i = 0; i < info.fields.size(); ++i) {
      typeTable(info.fields[i].type);
      if (type == air::Type::Record)
        storeAt(offsetOf(info, i), types.field, module.fieldTable(type), i, 1);
    }
  }
  storeAt(sizeOf(type), types.type, module.typeTable(type), 0, 2);
}

} // namespace zpl::codegen
