//===- Expressions.cpp - Values at one index ------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates expressions: scalars, and array expressions at one index (`at`) of
// what was prepared (ArrayExpressions.cpp). At the index (2, 3)
//
//     A@east * k + >>[1, ] B
//
// is the element of A at (2, 4), times what k was when the statement was
// prepared, plus the element at (2, 3) of the array that the flood has made.
//
// A *place* is an address: that of a variable or an element, moved by fields
// and subscripts. What is no place, as in `f(x).re`, is put into memory first.
//
//===----------------------------------------------------------------------===//

#include "Expressions.h"
#include "Arrays/Families.h"
#include "Arrays/Folds.h"
#include "Calls.h"
#include "Declarations.h"
#include "Errors.h"
#include "Io/ArrayFiles.h"
#include "Io/Checkpoints.h"
#include "Io/Output.h"
#include "Memory.h"
#include "Regions/RegionExpressions.h"
#include "Regions/RegionValues.h"
#include "Run.h"
#include "Strings.h"
#include "zpl/Sema/Visit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include <cstdlib>
#include <ctime>

using namespace llvm;

namespace zpl::interpreter {

static Value literalValue(const sema::LiteralExpr *expr) {
  Value value = integerValue(expr->integer);
  value.re = roundTo(expr->type, expr->number);
  return value;
}

static void checkFits(Run &run, const sema::Expr *expr, sema::BinaryOp op,
                      int64_t left, int64_t right);
static Value evalBinary(Run &run, const sema::BinaryExpr *expr, const At *at);
static Value evalCompare(Run &run, const sema::CompareExpr *expr, const At *at);
static Value evalBound(Run &run, const sema::RegionBoundExpr *expr);
static Value evalBuiltin(Run &run, const sema::BuiltinExpr *expr, const At *at);
static Place subscripted(Run &run, const sema::SubscriptExpr *expr,
                         const At *at);
static Place element(Run &run, const sema::ArrayExpr *expr, const At &at);

namespace {

/// Evaluates each kind of expression; of an array expression, its element at
/// `at`.
struct Evaluation {
  Run &run;
  const At *at;

  /// What a place holds.
  template <OneOf<sema::VariableExpr, sema::ArrayExpr, sema::IrvExpr,
                  sema::FieldExpr, sema::SubscriptExpr>
                T>
  Value of(const T &e) {
    Place where = place(run, &e, at);
    return load(run, e.type, where.address);
  }
  Value of(const sema::ComponentExpr &e) {
    std::pair key{e.direction, e.component};
    auto local = run.memory.frame->components.find(key);
    return integerValue(local != run.memory.frame->components.end()
                            ? local->second
                            : run.memory.globals.components.lookup(key));
  }
  Value of(const sema::IndexExpr &e) { return integerValue(at->index[e.dim]); }
  Value of(const sema::UnaryExpr &e) {
    Value operand = eval(run, e.operand, at);
    if (run.options.checksOverflow && e.op == sema::UnaryOp::Neg)
      checkFits(run, &e, sema::BinaryOp::Sub, 0, operand.integer);
    return run.arithmetic.unary(e.op, e.type, operand);
  }
  Value of(const sema::BinaryExpr &e) { return evalBinary(run, &e, at); }
  Value of(const sema::CompareExpr &e) { return evalCompare(run, &e, at); }
  Value of(const sema::FmaExpr &e) {
    long double a = eval(run, e.a, at).re, b = eval(run, e.b, at).re;
    return floatingValue(
        run.arithmetic.fma(e.type, a, b, eval(run, e.c, at).re));
  }
  Value of(const sema::CastExpr &e) {
    return run.arithmetic.cast(e.operand->type, e.type,
                               eval(run, e.operand, at));
  }
  Value of(const sema::MathExpr &e) {
    SmallVector<Value, 2> args;
    for (const sema::Expr *arg : e.args)
      args.push_back(eval(run, arg, at));
    if (isOfStrings(e))
      return stringFunction(run, e, args);
    Type type = e.args.empty() ? e.type : e.args[0]->type;
    return run.arithmetic.math(e.fn, type, args);
  }
  Value of(const sema::CallExpr &e) { return call(run, &e, at); }
  Value of(const sema::ReduceExpr &e) { return reduce(run, &e); }
  Value of(const sema::EnclosingMaskExpr &e) {
    const Cover &outer = run.scopes.covers[e.rank];
    if (outer.mask && !outer.mask->at(at->index))
      fail(run, e.range, "the enclosing mask does not cover this region");
    return integerValue(!outer.mask || *outer.mask->at(at->index) != 0);
  }
  Value of(const sema::RegionBoundExpr &e) { return evalBound(run, &e); }
  Value of(const sema::TimerExpr &) { return Value(); } // time stands still
  Value of(const sema::ProcessorsExpr &) { return integerValue(1); }
  Value of(const sema::GridPlaceExpr &e) { // of a grid of one processor
    return integerValue(!e.isOwn);
  }
  Value of(const sema::ComplexExpr &e) {
    Value value = eval(run, e.re, at);
    value.im = eval(run, e.im, at).re;
    return value;
  }
  Value of(const sema::BuiltinExpr &e) { return evalBuiltin(run, &e, at); }
  Value of(const sema::RegionValueExpr &e) {
    return regionValue(run, *e.region);
  }
  Value of(const sema::DirectionValueExpr &e) {
    return directionValue(run, &e);
  }
  Value of(const sema::InsideExpr &e) {
    Index asked{};
    for (auto [d, index] : enumerate(e.indices))
      asked[d] = eval(run, index).integer;
    return integerValue(evaluate(run, *e.region).contains(asked));
  }
  template <OneOf<sema::FloodExpr, sema::ScanExpr, sema::GatherExpr,
                  sema::PatternExpr, sema::LiteralExpr>
                T>
  Value of(const T &) {
    llvm_unreachable("known before the elements are evaluated");
  }
};

} // namespace

/// The value of a constant.
static Value evalLiteral(Run &run, const sema::LiteralExpr *literal) {
  if (literal->type != Type::String)
    return literalValue(literal);
  Value value;
  value.text = intern(run.memory, literal->text);
  return value;
}

Value eval(Run &run, const sema::Expr *expr, const At *at) {
  if (auto *literal = dyn_cast<sema::LiteralExpr>(expr))
    return evalLiteral(run, literal);
  // A scalar within an array expression has been evaluated once.
  if (at && !expr->isArray()) {
    auto known = at->prepared.scalars.find(expr);
    return known != at->prepared.scalars.end() ? known->second
                                               : eval(run, expr);
  }
  if (at) {
    auto known = at->prepared.arrays.find(expr);
    if (known != at->prepared.arrays.end())
      return load(run, expr->type, known->second->at(at->index));
  }
  return sema::visitKind(
      *expr, [&](const auto &known) { return Evaluation{run, at}.of(known); });
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

/// The true value, cut off far beyond 64 bits; none if it is no sum, product,
/// quotient or power.
static std::optional<__int128> trueValue(sema::BinaryOp op, int64_t left,
                                         int64_t right) {
  __int128 a = left, b = right;
  if (op == sema::BinaryOp::Add)
    return a + b;
  if (op == sema::BinaryOp::Sub)
    return a - b;
  if (op == sema::BinaryOp::Mul)
    return a * b;
  if (op == sema::BinaryOp::Div)
    return a / b;
  if (op != sema::BinaryOp::Pow || b < 0 || (a >= -1 && a <= 1))
    return std::nullopt;
  __int128 power = 1;
  for (; b != 0 && power == int64_t(power); --b)
    power *= a;
  return power;
}

/// Ends the run if the signed integer that \p expr is to be wraps around.
static void checkFits(Run &run, const sema::Expr *expr, sema::BinaryOp op,
                      int64_t left, int64_t right) {
  bool isShort = expr->type == Type::Integer;
  if (!isShort && expr->type != Type::Longint)
    return;
  std::optional<__int128> value = trueValue(op, left, right);
  if (!value)
    return;
  if (*value == (isShort ? int32_t(*value) : int64_t(*value)))
    return;
  llvm::StringRef sign = op == sema::BinaryOp::Add   ? " + "
                         : op == sema::BinaryOp::Sub ? " - "
                         : op == sema::BinaryOp::Mul ? " * "
                         : op == sema::BinaryOp::Div ? " / "
                                                     : " ^ ";
  fail(run, expr->range,
       std::to_string(left) + sign.str() + std::to_string(right) +
           " does not fit " + text(expr->type));
}

static Value evalBinary(Run &run, const sema::BinaryExpr *expr, const At *at) {
  Value left = eval(run, expr->left, at);
  bool isAnd = expr->op == sema::BinaryOp::And;
  bool isLogical = isAnd || expr->op == sema::BinaryOp::Or;
  if (isLogical && !expr->isArray() &&
      run.arithmetic.isTrue(expr->left->type, left) != isAnd)
    return run.arithmetic.binary(expr->op, expr->type, left, left);
  Value right = eval(run, expr->right, at);
  if (expr->type == Type::String && expr->op == sema::BinaryOp::Add)
    return stringValue(run, textOf(left) + textOf(right));
  bool divides =
      expr->op == sema::BinaryOp::Div || expr->op == sema::BinaryOp::Rem;
  bool isInteger = !expr->type.isFloating() && !expr->type.isComplex();
  if (divides && isInteger && right.integer == 0)
    fail(run, expr->range, "integer division by zero");
  if (run.options.checksOverflow)
    checkFits(run, expr, expr->op, left.integer, right.integer);
  return run.arithmetic.binary(expr->op, expr->type, left, right);
}

static Value evalCompare(Run &run, const sema::CompareExpr *expr,
                         const At *at) {
  Value left = eval(run, expr->left, at);
  Value right = eval(run, expr->right, at);
  return integerValue(
      run.arithmetic.compare(expr->op, expr->left->type, left, right));
}

static Value evalBound(Run &run, const sema::RegionBoundExpr *expr) {
  bool isCount = expr->which == sema::RegionBoundExpr::Size;
  Region region = evaluate(run, *expr->region, /*mayBeUnset=*/!isCount);
  const Dim &dim = region.dims[expr->dim];
  switch (expr->which) {
  case sema::RegionBoundExpr::Lo:
  case sema::RegionBoundExpr::OwnLo:
    return integerValue(dim.lo);
  case sema::RegionBoundExpr::Hi:
  case sema::RegionBoundExpr::OwnHi:
    return integerValue(dim.hi);
  case sema::RegionBoundExpr::Stride:
    return integerValue(dim.stride);
  case sema::RegionBoundExpr::Align:
    return integerValue(dim.align);
  case sema::RegionBoundExpr::Level:
    if (region.level == Region::NoLevel)
      fail(run, expr->range,
           "this inherits the index of a region of a "
           "multi-region, but what it belongs to is no such "
           "region");
    return integerValue(region.level);
  case sema::RegionBoundExpr::Size:
    return integerValue(region.size());
  case sema::RegionBoundExpr::Patterned:
    return integerValue(!region.isUnset);
  }
  llvm_unreachable("unknown inquiry");
}

static std::string dateAndTime() {
  std::time_t now = std::time(nullptr);
  std::tm local = {};
  localtime_r(&now, &local);
  char text[32];
  size_t length = std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &local);
  return std::string(text, length);
}

/// From 1; 0 is the program's name.
static std::string ownArgument(Run &run, int64_t k) {
  ArrayRef<std::string> all = run.configuration.ownArguments();
  if (k == 0)
    return run.program.name;
  return k > 0 && uint64_t(k) <= all.size() ? all[k - 1] : "";
}

/// A checkpoint is complete once it is closed.
static void closeFile(Run &run, int64_t number, SourceRange range) {
  if (File *file = checkpointFile(run, number))
    finishCheckpoint(run, *file, range);
  std::string error = run.files.close(number, range);
  if (!error.empty())
    fail(run, range, error);
}

/// The value of a variable of the environment; "" if it has none.
static std::string environment(StringRef name) {
  const char *found = std::getenv(name.str().c_str());
  return found ? found : "";
}

static Value evalBuiltin(Run &run, const sema::BuiltinExpr *expr,
                         const At *at) {
  SmallVector<Value, 2> args;
  for (const sema::Expr *arg : expr->args)
    args.push_back(eval(run, arg, at));
  switch (expr->fn) {
  case sema::Builtin::Open:
    return integerValue(run.files.open(textOf(args[0]), int(args[1].integer)));
  case sema::Builtin::OpenCheckpoint:
    return integerValue(openCheckpoint(run, textOf(args[0]), expr->range));
  case sema::Builtin::OpenRestart:
    return integerValue(openRestart(run, expr->range));
  case sema::Builtin::Restarted:
    return integerValue(run.restart.isDone);
  case sema::Builtin::CheckpointItem:
    beginItem(run, args[0].integer, textOf(args[1]), args[2].integer,
              expr->range);
    return Value();
  case sema::Builtin::Close:
    closeFile(run, args[0].integer, expr->range);
    return Value();
  case sema::Builtin::Eof:
    return integerValue(
        openFile(run, args[0].integer, /*isRead=*/true, expr->range).isAtEnd());
  case sema::Builtin::GridExtent: // GridPlaceExprs
  case sema::Builtin::GridPlace:
    break;
  case sema::Builtin::Date:
    return stringValue(run, dateAndTime());
  case sema::Builtin::Environment:
    return stringValue(run, environment(textOf(args[0])));
  case sema::Builtin::Arguments:
    return integerValue(int64_t(run.configuration.ownArguments().size()));
  case sema::Builtin::Argument:
    return stringValue(run, ownArgument(run, args[0].integer));
  case sema::Builtin::Random:
    return floatingValue(steppedRandom(++run.randomNumbers));
  case sema::Builtin::OpenPicture:
    return integerValue(openPicture(run, args, expr->range));
  case sema::Builtin::FileRank:
    return integerValue(fileRank(run, args[0].integer, expr->range));
  case sema::Builtin::FileShape:
    return integerValue(
        fileShape(run, args[0].integer, args[1].integer, expr->range));
  case sema::Builtin::FileElement:
    return stringValue(run, fileElement(run, args[0].integer, expr->range));
  case sema::Builtin::Split:
    return splitString(run, *expr, args);
  }
  llvm_unreachable("unknown function");
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

Place place(Run &run, const sema::Expr *expr, const At *at) {
  if (auto *variable = dyn_cast<sema::VariableExpr>(expr))
    return {addressOf(run, variable->variable), nullptr};
  if (auto *irv = dyn_cast<sema::IrvExpr>(expr))
    return {find(run, irv->array).irv, nullptr};
  if (auto *array = dyn_cast<sema::ArrayExpr>(expr)) {
    if (!at) // that of the first element
      return {find(run, array).first, nullptr};
    return element(run, array, *at);
  }
  if (auto *subscript = dyn_cast<sema::SubscriptExpr>(expr))
    return subscripted(run, subscript, at);
  if (auto *field = dyn_cast<sema::FieldExpr>(expr)) {
    Type type = field->base->type;
    Place base = place(run, field->base, at);
    base.address += type.isComplex()
                        ? field->field * scalarSize(componentOf(type))
                        : offsetOf(run, *type.info(), field->field);
    return base;
  }
  Value value = eval(run, expr, at);
  Place made;
  made.owner = std::make_shared<std::vector<char>>(
      expr->type.isAggregate() ? value.bytes.size() : sizeOf(run, expr->type));
  made.address = made.owner->data();
  store(expr->type, made.address, value);
  return made;
}

static Place subscripted(Run &run, const sema::SubscriptExpr *expr,
                         const At *at) {
  Place base = place(run, expr->base, at);
  const sema::TypeInfo &info = *storageOf(expr->base->type).info();
  int64_t position = 0;
  for (auto [d, subscript] : enumerate(expr->subscripts)) {
    int64_t i = eval(run, subscript, at).integer;
    int64_t lo = boundOf(run, info.lo[d]), hi = boundOf(run, info.hi[d]);
    if (i < lo || i > hi)
      fail(run, expr->range,
           "subscript " + std::to_string(i) + " of " + expr->text +
               " is outside " + std::to_string(lo) + ".." + std::to_string(hi) +
               " in dimension " + std::to_string(d + 1));
    position = position * (hi - lo + 1) + i - lo;
  }
  base.address += position * sizeOf(run, info.element);
  return base;
}

Index shifted(const sema::ArrayExpr *expr, const ArrayStorage &array,
              const At &at) {
  if (expr->direction.empty())
    return at.index;
  const Components &direction = at.prepared.directions.find(expr)->second;
  Index index = moved(at.index, direction);
  if (!expr->wraps)
    return index;
  for (auto [d, dim] : enumerate(array.declared.dims)) {
    if (dim.isFlood())
      continue;
    int64_t count = dim.count();
    int64_t position = (index[d] - dim.first()) / dim.stride % count;
    index[d] = dim.first() + (position + count) % count * dim.stride;
  }
  return index;
}

/// An element, which was checked to be there.
static Place element(Run &run, const sema::ArrayExpr *expr, const At &at) {
  if (auto kept = at.prepared.arrays.find(expr);
      kept != at.prepared.arrays.end())
    return {kept->second->at(at.index), nullptr};
  ArrayStorage *member = at.prepared.members.lookup(expr);
  ArrayStorage &array = member ? *member : find(run, expr);
  return {array.at(shifted(expr, array, at)), nullptr};
}

} // namespace zpl::interpreter
