//===- LowerStrings.cpp - Strings that the program makes ------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   set %s = add(add(%a, str "/"), format(str "%d", %k))
//
//     %parts = [%a, "/", call @zrtA_format("%d", %k.value, @zpl.type.integer)]
//     %s = call @zrtA_concat(%parts, 3, loc)
//
// Strings are made by the runtime. What has no name yet is in a register or in
// the frame, where the runtime finds it when it looks for strings that are
// still reached; so nothing is to be said of the life of a string. For globals
// there is a table of those that hold strings, for variables on the heap a call
// where they are made.
//
// An M-loop makes strings on each processor alone. Those that it has stored
// into parallel arrays are shared after it:
//
//   mloop over %R { store @Names = text(index(0)) }
//     call @zrtA_strings_share(@Names, loc)
//
// unless what is stored are elements and constants, which are shared already.
// An element that the loop itself has stored before is not.
//
//===----------------------------------------------------------------------===//

#include "Function/LowerStrings.h"
#include "Function/FunctionLowering.h"
#include "Function/LowerAggregates.h"
#include "Function/LowerRegion.h"
#include "Function/LowerScalar.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/SetVector.h"

using namespace llvm;

namespace zpl::codegen {

bool holdsStrings(air::Type type) {
  if (type == air::Type::Array)
    return holdsStrings(type.info()->element);
  if (type != air::Type::Record && type != air::Type::Union)
    return type == air::Type::Str;
  return any_of(type.info()->fields, [](const air::Field &field) {
    return holdsStrings(field.type);
  });
}

bool isOfStrings(const air::MathExpr &math) {
  return math.type == air::Type::Str ||
         any_of(math.args, [](const air::Expr *arg) {
           return arg->type == air::Type::Str;
         });
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// The parts of a sum of sums, from left to right.
static void collectParts(const air::Expr *expr,
                         SmallVectorImpl<const air::Expr *> &parts) {
  auto *sum = dyn_cast<air::BinaryExpr>(expr);
  if (!sum || sum->op != air::BinaryOp::Add)
    return parts.push_back(expr);
  collectParts(sum->left, parts);
  collectParts(sum->right, parts);
}

Value *lowerConcat(FunctionState &fn, const air::BinaryExpr *sum) {
  SmallVector<const air::Expr *, 8> parts;
  collectParts(sum, parts);
  SmallVector<Value *, 8> values;
  for (const air::Expr *part : parts)
    values.push_back(lower(fn, part));
  auto *type = ArrayType::get(fn.types.ptr, values.size());
  AllocaInst *list = addAlloca(fn, type, "parts");
  for (auto [k, value] : enumerate(values))
    fn.builder.CreateStore(
        value, fn.builder.CreateConstInBoundsGEP2_64(type, list, 0, k));
  return fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_concat),
                               {list, fn.builder.getInt64(values.size()),
                                fn.module.location(sum->range)});
}

/// `zrtA_format(format, value, type, loc)`.
static Value *lowerFormat(FunctionState &fn, const air::MathExpr *math,
                          Value *format, const air::Expr *value) {
  Value *cell = inMemory(fn, value->type, lower(fn, value), "text");
  return fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_format),
                               {format, cell, typeTable(fn, value->type),
                                fn.module.location(math->range)});
}

/// The number of the result's type that \p text is.
static Value *lowerParse(FunctionState &fn, const air::MathExpr *math,
                         Value *text) {
  AllocaInst *cell = addAlloca(fn, fn.types.memory(math->type), "parsed");
  fn.builder.CreateCall(
      ZRT_CALLEE(fn.calls, zrtA_parse),
      {text, cell, typeTable(fn, math->type), fn.module.location(math->range)});
  return load(fn, math->type, cell, "parsed");
}

static Value *lowerParses(FunctionState &fn, Value *text, air::Type type) {
  return fn.builder.CreateIsNotNull(fn.builder.CreateCall(
      ZRT_CALLEE(fn.calls, zrtA_parses), {text, typeTable(fn, type)}));
}

Value *lowerStringFunction(FunctionState &fn, const air::MathExpr *math) {
  using air::MathFn;
  auto argument = [&](unsigned k) { return lower(fn, math->args[k]); };
  switch (math->fn) {
  case MathFn::Length:
    return fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_string_length),
                                 {argument(0)});
  case MathFn::Substring: {
    Value *text = argument(0), *first = argument(1);
    return fn.builder.CreateCall(
        ZRT_CALLEE(fn.calls, zrtA_substring),
        {text, first, argument(2), fn.module.location(math->range)});
  }
  case MathFn::Find: {
    Value *text = argument(0);
    return fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_find),
                                 {text, argument(1)});
  }
  case MathFn::Upper:
    return fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_upper),
                                 {argument(0)});
  case MathFn::Lower:
    return fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_lower),
                                 {argument(0)});
  case MathFn::Trim:
    return fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_trim),
                                 {argument(0)});
  case MathFn::Text:
    return lowerFormat(fn, math, ConstantPointerNull::get(fn.types.ptr),
                       math->args[0]);
  case MathFn::Format:
    return lowerFormat(fn, math, argument(0), math->args[1]);
  case MathFn::ParseInteger:
  case MathFn::ParseLong:
  case MathFn::ParseDouble:
    return lowerParse(fn, math, argument(0));
  case MathFn::IsInteger:
    return lowerParses(fn, argument(0), air::Type::I32);
  case MathFn::IsDouble:
    return lowerParses(fn, argument(0), air::Type::F64);
#define AIR_MATH(Id, text, arity) case MathFn::Id:
#define AIR_STRING_MATH(Id, text, arity)
#include "zpl/ArrayIR/Ops.def"
    break;
  }
  llvm_unreachable("not a function of strings");
}

//===----------------------------------------------------------------------===//
// Sharing
//===----------------------------------------------------------------------===//

using ArraySet = SmallSetVector<const air::Array *, 4>;

/// Whether all strings in the value are constants, or elements that the loop
/// does not put strings into which it has made.
static bool isSharedAlready(const air::Expr *value, const ArraySet &made) {
  const air::ElementExpr *element = air::rootElement(value);
  return isa<air::ConstExpr>(value) ||
         (element && !made.contains(element->array));
}

/// Arrays into which the loop puts strings that may have been made here; the
/// contracted ones, too, since elements of them may be put into others.
static void collectTargets(const air::MLoopStmt &loop, ArraySet &targets) {
  auto add = [&](const air::Expr *place) {
    const air::ElementExpr *element = air::rootElement(place);
    if (element && holdsStrings(place->type))
      targets.insert(element->array);
  };
  size_t before;
  do {
    before = targets.size();
    for (const air::ElementOp &op : loop.body) {
      if (op.target && !isSharedAlready(op.value, targets))
        add(op.target);
      air::forEachExpr(op, [&](const air::Expr &e) {
        if (auto *call = dyn_cast<air::CallExpr>(&e))
          for (const air::Argument &arg : call->args)
            if (arg.place)
              add(arg.place);
      });
    }
  } while (targets.size() != before);
}

/// A processor has its own number of tiles of a wave; Sema has seen to it that
/// no strings are made there.
static bool isInWave(const FunctionState &fn, const air::Stmt &loop) {
  bool isFound = false;
  air::forEachStmt(fn.procedure.body, [&](const air::Stmt &stmt) {
    auto *wave = dyn_cast<air::WaveStmt>(&stmt);
    isFound = isFound || (wave && &wave->loop() == &loop);
  });
  return isFound;
}

void shareStrings(FunctionState &fn, const air::Stmt &stmt) {
  ArraySet targets;
  if (auto *loop = dyn_cast<air::MLoopStmt>(&stmt))
    collectTargets(*loop, targets);
  air::forEachList(stmt, [&](const air::StmtList &list) {
    air::forEachStmt(list, [&](const air::Stmt &inner) {
      if (auto *loop = dyn_cast<air::MLoopStmt>(&inner))
        collectTargets(*loop, targets);
    });
  });
  targets.remove_if(
      [](const air::Array *array) { return array->isContracted(); });
  if (targets.empty() || isInWave(fn, stmt))
    return;
  for (const air::Array *array : targets)
    fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_strings_share),
                          {address(fn, array), fn.module.location(stmt.range)});
}

std::array<Constant *, 2> stringVariableFields(ModuleLowering &lowering) {
  const TypeLowering &types = lowering.types;
  SmallVector<Constant *, 16> rows;
  for (const air::Variable *variable : lowering.source.variables)
    if (!variable->onHeap && variable->thunk.empty() &&
        holdsStrings(variable->type))
      rows.push_back(ConstantStruct::get(
          types.stringVariable,
          {lowering.global(variable),
           ConstantInt::get(types.i64, types.size(variable->type))}));
  auto *type = ArrayType::get(types.stringVariable, rows.size());
  return {lowering.addGlobal("zpl.string.variables",
                             ConstantArray::get(type, rows),
                             /*isConstant=*/true),
          ConstantInt::get(types.i64, rows.size())};
}

} // namespace zpl::codegen
