//===- Expressions.cpp - The rules of the array IR: expressions -----------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Types are what the nodes say; the rules are which types an operator takes
// and that operands agree. There are no implicit conversions: `add(%i, f64
// 1.0)` with an integer %i is a mistake of whoever made it.
//
// Elements and indices have a value only per index: `covering` is the region
// of the statement whose element code is being read, or null.
//
//===----------------------------------------------------------------------===//

#include "Verify/Expressions.h"
#include "Verify/Declarations.h"
#include "Verify/LoopForms.h"
#include "Verify/Verifying.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace zpl::air {

namespace {

/// What is done with a place, and so with the element that it starts from.
enum class PlaceUse : uint8_t {
  Read,
  Written, ///< whether it may be is writable()'s question
  Part     ///< of all elements of an array, outside element code
};

} // namespace

static bool verifyPlace(Verifying &state, const Expr *e, SourceRange range,
                        PlaceUse use);

bool sameRank(Verifying &state, unsigned rank, unsigned wanted, StringRef what,
              SourceRange range) {
  return rank == wanted ||
         fail(state, range,
              what + " has rank " + Twine(rank) + ", not " + Twine(wanted));
}

bool fits(const Shape &actual, const Shape &formal) {
  auto generality = [](DimKind kind) {
    switch (kind) {
    case DimKind::Singleton:
      return 0;
    case DimKind::Range:
      return 1;
    case DimKind::Strided:
      return 2;
    case DimKind::Flood:
    case DimKind::Grid:
      break;
    }
    return -1;
  };
  if (actual.size() != formal.size())
    return false;
  for (auto [a, f] : zip(actual, formal))
    if ((a != f && (isPerProcessor(a) || isPerProcessor(f))) ||
        generality(a) > generality(f))
      return false;
  return true;
}

bool readable(Verifying &state, const Array *a, const Region *r,
              SourceRange range) {
  if (!visible(state, a, range) || !visible(state, r, range) ||
      !sameRank(state, a->rank(), r->rank(), printedName(*a), range) ||
      !sameDomain(state, a, r, range))
    return false;
  for (auto [inArray, inRegion] : zip(a->shape, r->shape))
    if (inRegion == DimKind::Flood && inArray != DimKind::Flood)
      return fail(state, range,
                  printedName(*a) + " is not flooded where " + printedName(*r) +
                      " is");
    else if (inRegion == DimKind::Grid && !isPerProcessor(inArray))
      return fail(state, range,
                  printedName(*a) + " has many elements where " +
                      printedName(*r) + " has one per processor");
  return true;
}

bool writable(Verifying &state, const Array *a, const Region *r,
              SourceRange range) {
  if (!visible(state, a, range) || !visible(state, r, range) ||
      !sameRank(state, a->rank(), r->rank(), printedName(*a), range) ||
      !sameDomain(state, a, r, range))
    return false;
  bool isCarried = a->isCarries() && state.inMLoop;
  for (auto [inArray, inRegion] : zip(a->shape, r->shape))
    if (inArray == DimKind::Flood && inRegion != DimKind::Flood && !isCarried)
      return fail(state, range,
                  printedName(*a) + " is written and flooded where " +
                      printedName(*r) + " is not");
    else if (isPerProcessor(inRegion) && !isPerProcessor(inArray))
      return fail(state, range,
                  printedName(*a) + " is written by all processors where " +
                      printedName(*r) + " has one index on each");
  return true;
}

bool typed(Verifying &state, const Expr *e, Type type, SourceRange range) {
  if (!verifyExpr(state, e, range))
    return false;
  return e->type == type || fail(state, e->range.isValid() ? e->range : range,
                                 "an expression has type " + text(e->type) +
                                     ", not " + text(type));
}

bool verifyInteger(Verifying &state, const Expr *e, SourceRange range) {
  return verifyExpr(state, e, range) &&
         (e->type == Type::I32 || e->type == Type::I64 ||
          fail(state, range,
               "an expression has type " + text(e->type) + ", not i32 or i64"));
}

bool verifyDirection(Verifying &state, ArrayRef<const Expr *> direction,
                     unsigned rank, SourceRange range) {
  return sameRank(state, direction.size(), rank, "the direction", range) &&
         all_of(direction,
                [&](const Expr *e) { return verifyInteger(state, e, range); });
}

bool inElements(Verifying &state, const Region *r, const Expr *e,
                SourceRange range) {
  state.covering = r;
  bool good = verifyExpr(state, e, range);
  state.covering = nullptr;
  return good;
}

/// The least and greatest constant of an integer type; U64 as its bits.
static std::pair<int64_t, int64_t> limits(Type type) {
  switch (type) {
  case Type::Bool:
    return {0, 1};
  case Type::Char:
  case Type::U8:
    return {0, UINT8_MAX};
  case Type::I8:
    return {INT8_MIN, INT8_MAX};
  case Type::I16:
    return {INT16_MIN, INT16_MAX};
  case Type::U16:
    return {0, UINT16_MAX};
  case Type::I32:
  case Type::Enum:
    return {INT32_MIN, INT32_MAX};
  case Type::U32:
    return {0, UINT32_MAX};
  case Type::File:
    return {0, 3};
  case Type::I64:
  case Type::U64:
  case Type::Void:
  case Type::F32:
  case Type::F64:
  case Type::F80:
  case Type::C32:
  case Type::C64:
  case Type::C80:
  case Type::Str:
  case Type::Timer:
  case Type::Opaque:
  case Type::Record:
  case Type::Union:
  case Type::Array:
  case Type::Handle:
    break;
  }
  return {INT64_MIN, INT64_MAX};
}

static bool verifyConstant(Verifying &state, const ConstExpr &e) {
  if (e.type == Type::F32)
    return e.number != e.number || double(float(e.number)) == e.number ||
           fail(state, e.range, "an f32 constant is not of single precision");
  if (e.type.isFloat() || e.type == Type::Str)
    return true;
  if (!e.type.isInteger() && e.type != Type::File)
    return fail(state, e.range, "a constant has type " + text(e.type));
  auto [least, greatest] = limits(e.type);
  return (least <= e.integer && e.integer <= greatest &&
          knownType(state, e.type, e.range)) ||
         fail(state, e.range, "a constant is not of type " + text(e.type));
}

static bool verifyElement(Verifying &state, const ElementExpr &e,
                          PlaceUse use) {
  if (use == PlaceUse::Part)
    return visible(state, e.array, e.range) &&
           sameRank(state, e.offset.size(), e.array->rank(), "the offset",
                    e.range) &&
           (e.type == e.array->element ||
            fail(state, e.range, "an element has not its array's type"));
  if (!state.covering)
    return fail(state, e.range, "an element stands outside element code");
  if (use == PlaceUse::Read &&
      !readable(state, e.array, state.covering, e.range))
    return false;
  if (e.array->domain && e.array->domain->isScattered && e.isShifted() &&
      !e.array->isSparse) // those are fetched, from anywhere
    return fail(state, e.range,
                printedName(*e.array) + " is in a scattered domain and read at "
                                        "another index");
  if (!visible(state, e.array, e.range) ||
      !sameRank(state, e.offset.size(), e.array->rank(), "the offset", e.range))
    return false;
  if (e.type != e.array->element)
    return fail(state, e.range, "an element has not its array's type");
  if (!verifyConforms(state, *e.array, *state.covering, e.isShifted(), e.range))
    return false;
  if (!state.inMLoop || state.inMLoop->walkers.empty())
    return e.walker < 0 || fail(state, e.range,
                                "an element has a walker where "
                                "walkers are not materialized");
  if (e.walker < 0)
    return fail(state, e.range, "an element has no walker");
  if (size_t(e.walker) >= state.inMLoop->walkers.size())
    return fail(state, e.range, "there is no walker " + Twine(e.walker));
  return state.inMLoop->walkers[e.walker].array == e.array ||
         fail(state, e.range,
              "walker " + Twine(e.walker) + " walks through another array");
}

static bool verifyRemap(Verifying &state, const RemapExpr &e) {
  if (!state.covering)
    return fail(state, e.range, "a remap stands outside element code");
  if (!visible(state, e.array, e.range))
    return false;
  if (e.maps.size() != e.array->rank())
    return fail(state, e.range,
                printedName(*e.array) + " has rank " + Twine(e.array->rank()) +
                    " and " + Twine(e.maps.size()) + " maps");
  if (!all_of(e.maps, [&](const Expr *map) {
        return verifyInteger(state, map, e.range);
      }))
    return false;
  if (e.type != e.array->element)
    return fail(state, e.range, "an element has not its array's type");
  if (e.checked >> e.maps.size())
    return fail(state, e.range, "there is no such dimension");
  if (e.checksLater && !e.checked)
    return fail(state, e.range, "nothing is checked later");
  if (is_contained(e.array->shape, DimKind::Grid))
    return fail(state, e.range,
                printedName(*e.array) + " has one element per processor");
  return !e.array->isContracted() ||
         fail(state, e.range, printedName(*e.array) + " is contracted");
}

static bool verifyUnary(Verifying &state, const UnaryExpr &e) {
  if (!verifyExpr(state, e.operand, e.range))
    return false;
  Type type = e.operand->type;
  bool good = false;
  switch (e.op) {
  case UnaryOp::Neg:
    good = isNumber(type) || type.isComplex();
    break;
  case UnaryOp::Abs:
    good = isNumber(type);
    break;
  case UnaryOp::Not:
    good = type.isInteger();
    break;
  case UnaryOp::BitNot:
    good = isInteger(type);
    break;
  }
  return good || fail(state, e.range, text(e.op) + " is not for " + text(type));
}

/// Whether a binary operator is for operands of a type.
static bool isBinaryOn(BinaryOp op, Type type) {
  switch (op) {
  case BinaryOp::Add:
    return isNumber(type) || type.isComplex() || type == Type::Str;
  case BinaryOp::Sub:
  case BinaryOp::Mul:
  case BinaryOp::Div:
  case BinaryOp::Pow:
    return isNumber(type) || type.isComplex();
  case BinaryOp::Rem:
    return isNumber(type);
  case BinaryOp::Min:
  case BinaryOp::Max:
    return isOrdered(type) || type == Type::Str;
  case BinaryOp::MinNaN:
  case BinaryOp::MaxNaN:
    return type.isFloat();
  case BinaryOp::And:
  case BinaryOp::Or:
    return type.isInteger();
  case BinaryOp::BitAnd:
  case BinaryOp::BitOr:
  case BinaryOp::BitXor:
  case BinaryOp::ShiftL:
  case BinaryOp::ShiftR:
    return isInteger(type);
  }
  llvm_unreachable("an operator outside its enumeration");
}

static bool verifyBinary(Verifying &state, const BinaryExpr &e) {
  if (!verifyExpr(state, e.left, e.range) ||
      !verifyExpr(state, e.right, e.range))
    return false;
  Type type = e.left->type;
  if (type != e.right->type)
    return fail(state, e.range,
                "operands of " + text(e.op) + " have types " + text(type) +
                    " and " + text(e.right->type));
  return isBinaryOn(e.op, type) ||
         fail(state, e.range, text(e.op) + " is not for " + text(type));
}

static bool areTyped(ArrayRef<const Expr *> args,
                     std::initializer_list<Type> types) {
  return equal(args, types,
               [](const Expr *arg, Type type) { return arg->type == type; });
}

/// Whether text and format take values of the type.
static bool hasScalarText(Type type) {
  return type.isInteger() || type.isFloat() || type.isComplex() ||
         type == Type::Str;
}

namespace {
/// What a function takes and gives that is for one list of types.
struct MathSignature {
  MathFn fn;
  std::initializer_list<Type> args;
  Type result;
};
} // namespace

/// The signature of such a function, else null.
static const MathSignature *mathSignature(MathFn fn) {
  static const MathSignature Signatures[] = {
      {MathFn::Ran, {Type::I64}, Type::F64},
      {MathFn::Locale, {}, Type::I32},
      {MathFn::SameFile, {Type::File, Type::File}, Type::Bool},
      {MathFn::Length, {Type::Str}, Type::I32},
      {MathFn::Substring, {Type::Str, Type::I64, Type::I64}, Type::Str},
      {MathFn::Find, {Type::Str, Type::Str}, Type::I32},
      {MathFn::Upper, {Type::Str}, Type::Str},
      {MathFn::Lower, {Type::Str}, Type::Str},
      {MathFn::Trim, {Type::Str}, Type::Str},
      {MathFn::ParseInteger, {Type::Str}, Type::I32},
      {MathFn::ParseLong, {Type::Str}, Type::I64},
      {MathFn::ParseDouble, {Type::Str}, Type::F64},
      {MathFn::IsInteger, {Type::Str}, Type::Bool},
      {MathFn::IsDouble, {Type::Str}, Type::Bool},
  };
  auto *found = find_if(Signatures, [&](const auto &s) { return s.fn == fn; });
  return found == std::end(Signatures) ? nullptr : found;
}

/// Types of the arguments and of the result.
static bool isMathOn(MathFn fn, ArrayRef<const Expr *> args, Type result) {
  if (const MathSignature *known = mathSignature(fn))
    return areTyped(args, known->args) && result == known->result;
  if (fn == MathFn::Text)
    return hasScalarText(args[0]->type) && result == Type::Str;
  if (fn == MathFn::Format)
    return args[0]->type == Type::Str && hasScalarText(args[1]->type) &&
           result == Type::Str;
  if (fn == MathFn::Log2Floor || fn == MathFn::PopCount)
    return isInteger(result) && args[0]->type == result;
  if (fn == MathFn::Uniform || fn == MathFn::Uniform2)
    return result == Type::F64 && args[0]->type == Type::I64 &&
           all_of(args.drop_front(),
                  [](const Expr *arg) { return arg->type == Type::U32; });
  if (fn == MathFn::Ldexp)
    return result.isFloat() && areTyped(args, {result, Type::I32});
  // The others are those of the C library (Ops.def).
  bool isForComplex = is_contained(
      {MathFn::Sqrt, MathFn::Exp, MathFn::Log, MathFn::Sin, MathFn::Cos}, fn);
  return (result.isFloat() || (isForComplex && result.isComplex())) &&
         all_of(args, [&](const Expr *arg) { return arg->type == result; });
}

static bool verifyMath(Verifying &state, const MathExpr &e) {
  if (e.args.size() != arity(e.fn))
    return fail(state, e.range,
                text(e.fn) + " has " + Twine(arity(e.fn)) + " arguments");
  if (!all_of(e.args,
              [&](const Expr *arg) { return verifyExpr(state, arg, e.range); }))
    return false;
  std::string types;
  for (const Expr *arg : e.args)
    types += (types.empty() ? "" : ", ") + text(arg->type);
  return isMathOn(e.fn, e.args, e.type) ||
         fail(state, e.range,
              text(e.fn) + " is not for " +
                  (types.empty() ? text(e.type) : types));
}

static bool verifyField(Verifying &state, const FieldExpr &e, PlaceUse use) {
  if (!verifyPlace(state, e.base, e.range, use))
    return false;
  Type base = e.base->type;
  if (base.isComplex())
    return (e.field <= 1 && e.type == base.component()) ||
           fail(state, e.range, "a part of a complex value is of another type");
  if (base != Type::Record && base != Type::Union)
    return fail(state, e.range, text(base) + " has no fields");
  return (e.field < base.info()->fields.size() &&
          base.info()->fields[e.field].type == e.type) ||
         fail(state, e.range,
              "a field of " + text(base) + " is of another type");
}

static bool verifySubscript(Verifying &state, const SubscriptExpr &e,
                            PlaceUse use) {
  if (!verifyPlace(state, e.base, e.range, use))
    return false;
  if (e.base->type != Type::Array)
    return fail(state, e.range, text(e.base->type) + " has no subscripts");
  const TypeInfo &array = *e.base->type.info();
  if (e.subscripts.size() != array.lo.size())
    return fail(state, e.range,
                "there are not as many subscripts as dimensions");
  for (const Expr *subscript : e.subscripts)
    if (!verifyExpr(state, subscript, e.range) ||
        !(subscript->type == Type::I32 || subscript->type == Type::I64 ||
          subscript->type == Type::Enum ||
          fail(state, e.range,
               "a subscript has type " + text(subscript->type))))
      return false;
  return e.type == array.element ||
         fail(state, e.range, "an element has not its array's type");
}

static bool verifyComplex(Verifying &state, const ComplexExpr &e) {
  if (!e.type.isComplex())
    return fail(state, e.range,
                "complex makes a value of type " + text(e.type));
  return typed(state, e.re, e.type.component(), e.range) &&
         typed(state, e.im, e.type.component(), e.range);
}

static bool verifyCast(Verifying &state, const CastExpr &e) {
  if (!verifyExpr(state, e.operand, e.range) ||
      !knownType(state, e.type, e.range))
    return false;
  Type from = e.operand->type;
  bool isPart = from.isInteger() || from.isFloat();
  return (isPart && (e.type.isInteger() || e.type.isFloat())) ||
         ((isPart || from.isComplex()) && e.type.isComplex()) ||
         fail(state, e.range,
              "there is no conversion from " + text(from) + " to " +
                  text(e.type));
}

bool writable(Verifying &state, const Expr *place, SourceRange range,
              const Expr *accumulator) {
  if (!place)
    return fail(state, range, "an operand is missing");
  const Expr *root = rootOf(place);
  if (auto *variable = dyn_cast<VarExpr>(place)) {
    // Timers are no values, but are passed by reference.
    if (!visible(state, variable->variable, range))
      return false;
    if (place->type != variable->variable->type)
      return fail(state, range, "a variable is read as another type");
  } else if (!verifyPlace(state, place, range, PlaceUse::Written)) {
    return false;
  }
  if (auto *element = dyn_cast<ElementExpr>(root))
    return element->isShifted() && !isOverPattern(state.inWave)
               ? fail(state, range, "an element that is written is shifted")
           : place == accumulator
               ? readable(state, element->array, state.covering, range)
               : writable(state, element->array, state.covering, range);
  if (isa<RemapExpr>(root))
    return place != accumulator ||
           fail(state, range, "a remap is accumulated into");
  auto *start = dyn_cast<VarExpr>(root);
  if (!start)
    return fail(state, range, "a value is written that is no place");
  const Variable *v = start->variable;
  if (state.covering && place != accumulator)
    return fail(state, range, "element code changes a variable");
  if (state.proc->isScalar && v->storage == Storage::Global)
    return fail(state, range, "a scalar procedure changes " + printedName(*v));
  return v->storage != Storage::Param || v->byReference ||
         !v->type.isAggregate() ||
         fail(state, range,
              "the parameter " + printedName(*v) +
                  ", which is by value, is changed");
}

/// Bounds of formals that are variables take whatever comes.
static bool fitsParameter(Type actual, Type formal) {
  if (actual == formal)
    return true;
  if (actual == Type::Handle && formal == Type::Handle)
    return actual.info()->rank == formal.info()->rank &&
           fitsParameter(actual.info()->element, formal.info()->element);
  if (actual != Type::Array || formal != Type::Array)
    return false;
  const TypeInfo &a = *actual.info(), &f = *formal.info();
  return a.lo.size() == f.lo.size() && fitsParameter(a.element, f.element);
}

/// `ref %P.x` for an array parameter: the part of each element of P.
static bool verifyPart(Verifying &state, const Expr *place, const Array &param,
                       SourceRange range) {
  const ElementExpr *root = rootElement(place);
  if (!root || root == place || root->isShifted())
    return fail(state, range, "an argument is no part of an array's elements");
  if (!verifyPlace(state, place, range, PlaceUse::Part))
    return false;
  Shape shape = root->array->shape;
  if (!isPerProcessor(shape.back()))
    shape.back() = DimKind::Strided; // the parts lie apart
  return (fitsParameter(place->type, param.element) &&
          root->array->isSparse == param.isSparse &&
          fits(shape, param.shape)) ||
         fail(state, range,
              "parts of elements do not fit " + printedName(param));
}

static bool verifyArgument(Verifying &state, const Argument &arg,
                           const Parameter &param, SourceRange range,
                           const Expr *accumulator) {
  int members = (arg.value != nullptr) + (arg.place != nullptr) +
                (arg.array != nullptr) + (arg.region != nullptr);
  if (members != 1)
    return fail(state, range, "an argument is not exactly one thing");
  if (param.region)
    return arg.region ? visible(state, arg.region, range) &&
                            ((fits(arg.region->shape, param.region->shape) &&
                              arg.region->isSparse == param.region->isSparse) ||
                             fail(state, range,
                                  "a region does not fit " +
                                      printedName(*param.region)))
                      : fail(state, range, "an argument is not a region");
  if (param.array) {
    if (arg.place)
      return verifyPart(state, arg.place, *param.array, range);
    if (!arg.array)
      return fail(state, range, "an argument is not an array");
    return visible(state, arg.array, range) &&
           ((arg.array->element == param.array->element &&
             arg.array->isSparse == param.array->isSparse &&
             fits(arg.array->shape, param.array->shape)) ||
            fail(state, range,
                 "an array does not fit " + printedName(*param.array)));
  }
  const Expr *given = param.variable->byReference ? arg.place : arg.value;
  if (!given)
    return fail(state, range,
                param.variable->byReference ? "an argument is not by reference"
                                            : "an argument is not a value");
  if (param.variable->byReference ? !writable(state, given, range, accumulator)
                                  : !verifyExpr(state, given, range))
    return false;
  return fitsParameter(given->type, param.variable->type) ||
         fail(state, range,
              "an argument of type " + text(given->type) + " does not fit " +
                  printedName(*param.variable));
}

bool verifyCall(Verifying &state, const CallExpr &e, const Expr *accumulator) {
  if (!e.callee || !state.procedures.contains(e.callee))
    return fail(state, e.range, "the called procedure is not in the module");
  if (e.type != e.callee->result)
    return fail(state, e.range, "a call has not the type of its procedure");
  if (state.proc->isScalar && !e.callee->isScalar)
    return fail(state, e.range, "a scalar procedure calls a parallel one");
  if (state.covering && !e.callee->isScalar)
    return fail(state, e.range, "element code calls a parallel procedure");
  if (e.args.size() != e.callee->params.size())
    return fail(state, e.range,
                printedName(*e.callee) + " has " +
                    Twine(e.callee->params.size()) + " parameters, not " +
                    Twine(e.args.size()));
  for (auto [arg, param] : zip(e.args, e.callee->params))
    if (!verifyArgument(state, arg, param, e.range, accumulator))
      return false;
  return verifyPatterns(state, e);
}

bool verifyExpr(Verifying &state, const Expr *e, SourceRange range) {
  return verifyPlace(state, e, range, PlaceUse::Read);
}

static bool verifyVar(Verifying &state, const VarExpr &e) {
  return visible(state, e.variable, e.range) &&
         ((e.type == e.variable->type && e.type != Type::Timer) ||
          fail(state, e.range, "a variable is read as another type"));
}

static bool verifyIndex(Verifying &state, const IndexExpr &e) {
  if (!state.covering)
    return fail(state, e.range, "an index stands outside element code");
  if (e.dim == state.covering->rank() && state.inMLoop && state.inMLoop->times)
    return true;
  if (e.dim >= state.covering->rank())
    return fail(state, e.range, "there is no such dimension");
  return !isPerProcessor(state.covering->shape[e.dim]) ||
         fail(state, e.range, "a flooded or grid dimension has no index");
}

static bool verifyBound(Verifying &state, const BoundExpr &e) {
  bool asksPattern =
      e.which == BoundExpr::Patterned || e.which == BoundExpr::Complete;
  return visible(state, e.region, e.range) &&
         (!asksPattern || e.region->isSparse ||
          fail(state, e.range, "a dense region has no pattern")) &&
         (e.dim < e.region->rank() ||
          fail(state, e.range, "there is no such dimension"));
}

static bool verifyCompare(Verifying &state, const CompareExpr &e) {
  if (!verifyExpr(state, e.left, e.range) ||
      !verifyExpr(state, e.right, e.range))
    return false;
  return (e.left->type == e.right->type && isValue(e.left->type)) ||
         fail(state, e.range,
              "operands of " + text(e.op) + " have types " +
                  text(e.left->type) + " and " + text(e.right->type));
}

static bool verifyFma(Verifying &state, const FmaExpr &e) {
  return typed(state, e.a, e.type, e.range) &&
         typed(state, e.b, e.type, e.range) &&
         typed(state, e.c, e.type, e.range) &&
         (e.type.isFloat() ||
          fail(state, e.range, "fma is not for " + text(e.type)));
}

/// A call as a value.
static bool verifyCallValue(Verifying &state, const CallExpr &e) {
  if (!verifyCall(state, e))
    return false;
  if (!e.callee->isScalar)
    return fail(state, e.range, "an expression calls a parallel procedure");
  return e.type != Type::Void ||
         fail(state, e.range, "a call without result is used as a value");
}

namespace {

/// The rules of each kind of expression; `use` matters for places.
struct ExpressionRules {
  Verifying &state;
  PlaceUse use;

  bool of(const ConstExpr &e) { return verifyConstant(state, e); }
  bool of(const VarExpr &e) { return verifyVar(state, e); }
  bool of(const ElementExpr &e) { return verifyElement(state, e, use); }
  bool of(const RemapExpr &e) { return verifyRemap(state, e); }
  bool of(const IndexExpr &e) { return verifyIndex(state, e); }
  bool of(const BoundExpr &e) { return verifyBound(state, e); }
  bool of(const UnaryExpr &e) { return verifyUnary(state, e); }
  bool of(const BinaryExpr &e) { return verifyBinary(state, e); }
  bool of(const CompareExpr &e) { return verifyCompare(state, e); }
  bool of(const FmaExpr &e) { return verifyFma(state, e); }
  bool of(const CastExpr &e) { return verifyCast(state, e); }
  bool of(const MathExpr &e) { return verifyMath(state, e); }
  bool of(const CallExpr &e) { return verifyCallValue(state, e); }
  bool of(const FieldExpr &e) { return verifyField(state, e, use); }
  bool of(const SubscriptExpr &e) { return verifySubscript(state, e, use); }
  bool of(const ComplexExpr &e) { return verifyComplex(state, e); }
};

} // namespace

/// Any expression; \p use matters for places.
static bool verifyPlace(Verifying &state, const Expr *e, SourceRange range,
                        PlaceUse use) {
  if (!e)
    return fail(state, range, "an operand is missing");
  return visitKind(*e, [&](const auto &known) {
    return ExpressionRules{state, use}.of(known);
  });
}

} // namespace zpl::air
