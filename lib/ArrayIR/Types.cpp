//===- Types.cpp - Questions about types and places -----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a type is made of, and how it is written: scalars as a word, declared
// types by their name, array types in full,
//
//     array[1..5, @n.lo..@n.hi] of @point
//     array[@Class 0..2] of i32
//     array[0..3] of handle 2 of f64          -- four parallel arrays of rank 2
//
// And where a place such as `%t.pos[%i].x` starts: at the variable `%t`. Cost:
// the size of the type, the length of the place.
//
//===----------------------------------------------------------------------===//

#include "Text/Lexer.h"
#include "zpl/ArrayIR/ArrayIR.h"
#include "zpl/ArrayIR/Printer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace zpl::air {

Type::Type(const TypeInfo *info) : theKind(info->kind), theInfo(info) {}

bool Type::isSigned() const {
  return theKind == I8 || theKind == I16 || theKind == I32 || theKind == I64 ||
         theKind == Enum;
}

bool Type::isUnsigned() const {
  return theKind == Bool || theKind == Char || theKind == U8 ||
         theKind == U16 || theKind == U32 || theKind == U64;
}

Type Type::component() const {
  return isComplex() ? Type(Kind(theKind - C32 + F32)) : *this;
}

bool Type::isFamily() const {
  Type type = *this;
  while (type == Array)
    type = type.info()->element;
  return type == Handle;
}

bool Type::isRunTimeSized() const {
  if (!isAggregate() || theKind == Handle)
    return false;
  auto isVariable = [](const Bound &bound) { return bound.variable; };
  return any_of(theInfo->lo, isVariable) || any_of(theInfo->hi, isVariable) ||
         theInfo->element.isRunTimeSized() ||
         any_of(theInfo->fields,
                [](const Field &field) { return field.type.isRunTimeSized(); });
}

static bool contains(Type outer, Type inner) {
  if (outer == inner)
    return true;
  if (outer.isComplex())
    return outer.component() == inner;
  if (outer.kind() < Type::Record)
    return false;
  if (outer == Type::Array) {
    Type element = outer.info()->element;
    bool isSameSort = inner == Type::Array &&
                      inner.info()->lo.size() == outer.info()->lo.size();
    return contains(element, inner) ||
           (isSameSort && contains(element, inner.info()->element));
  }
  return any_of(outer.info()->fields, [&](const Field &field) {
    return contains(field.type, inner);
  });
}

bool mayOverlap(const Module &module, Type a, Type b) {
  bool hasUnions = any_of(module.types, [](const TypeInfo *type) {
    return type->kind == Type::Union;
  });
  return hasUnions || contains(a, b) || contains(b, a);
}

static std::string text(const Bound &bound) {
  return bound.variable ? printedName(*bound.variable)
                        : std::to_string(bound.value);
}

static std::string arrayText(const TypeInfo &info) {
  std::string result = "array[";
  ListSeparator comma;
  for (auto [d, lo, hi] : enumerate(info.lo, info.hi)) {
    result += StringRef(comma);
    if (!info.index.empty() && info.index[d] != Type::Void)
      result += text(info.index[d]) + " ";
    result += text(lo) + ".." + text(hi);
  }
  return result + "] of " + text(info.element);
}

std::string text(Type type) {
  switch (type) {
#define AIR_SCALAR(Kind, text, name, Abi)                                      \
  case Type::Kind:                                                             \
    return text;
#include "zpl/ArrayIR/Kinds.def"
  case Type::Void:
    return "void";
  case Type::Timer:
    return "timer";
  case Type::Enum:
  case Type::Opaque:
  case Type::Record:
  case Type::Union: {
    const std::string &name = type.info()->name;
    return "@" + (isPlainName(name) ? name : quote(name));
  }
  case Type::Array:
    return arrayText(*type.info());
  case Type::Handle:
    return "handle " + std::to_string(type.info()->rank) + " of " +
           text(type.info()->element);
  }
  llvm_unreachable("a type outside its enumeration");
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

const Expr *rootOf(const Expr *place) {
  while (true) {
    if (auto *field = dyn_cast<FieldExpr>(place))
      place = field->base;
    else if (auto *subscript = dyn_cast<SubscriptExpr>(place))
      place = subscript->base;
    else
      return place;
  }
}

Variable *rootVariable(const Expr *place) {
  auto *root = dyn_cast<VarExpr>(rootOf(place));
  return root ? root->variable : nullptr;
}

const ElementExpr *rootElement(const Expr *place) {
  return dyn_cast<ElementExpr>(rootOf(place));
}

bool haveSameValue(const Expr *a, const Expr *b) {
  if (a->kind != b->kind || a->type != b->type)
    return false;
  if (auto *constant = dyn_cast<ConstExpr>(a)) {
    auto *other = cast<ConstExpr>(b);
    return constant->integer == other->integer &&
           bit_cast<uint64_t>(constant->number) ==
               bit_cast<uint64_t>(other->number) &&
           constant->text == other->text;
  }
  if (auto *read = dyn_cast<VarExpr>(a))
    return read->variable == cast<VarExpr>(b)->variable &&
           read->variable->thunk.empty();
  if (auto *conversion = dyn_cast<CastExpr>(a))
    return haveSameValue(conversion->operand, cast<CastExpr>(b)->operand);
  if (auto *part = dyn_cast<SubscriptExpr>(a)) {
    auto *other = cast<SubscriptExpr>(b);
    return haveSameValue(part->base, other->base) &&
           equal(part->subscripts, other->subscripts, haveSameValue);
  }
  auto *sum = dyn_cast<BinaryExpr>(a);
  auto *other = dyn_cast<BinaryExpr>(b);
  return sum && sum->op == other->op && haveSameValue(sum->left, other->left) &&
         haveSameValue(sum->right, other->right);
}

} // namespace zpl::air
