//===- PrintExpressions.cpp - Names, constants, expressions ---------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expressions print in prefix form, `sub(%A@(-1,0), f64 0.5)`, so that the text
// shows the tree and needs no precedences. Only constants carry a type; every
// other type follows from names and operands.
//
// Floating-point constants print as the shortest decimal that reads back as the
// same value of their own type; NaNs other than the default one print as their
// bits.
//
//===----------------------------------------------------------------------===//

#include "Text/Lexer.h"
#include "Text/PrinterImpl.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

using namespace llvm;

namespace zpl::air {

void Printer::name(char sigil, StringRef name) {
  os << sigil << (isPlainName(name) ? name.str() : quote(name));
}

void Printer::name(const Transfer *transfer) {
  if (transfer)
    name('%', transfer->name);
  else
    os << "<null>";
}

void Printer::name(const Procedure *procedure) {
  if (procedure)
    name('@', procedure->name);
  else
    os << "<null>";
}

void Printer::offset(const Offset &offset) {
  os << '(';
  ListSeparator comma(",");
  for (int64_t component : offset)
    os << comma << component;
  os << ')';
}

static std::string printedFloat(double value, bool isSingle) {
  if (std::isnan(value)) {
    uint64_t bits = std::bit_cast<uint64_t>(value);
    if (bits ==
        std::bit_cast<uint64_t>(std::numeric_limits<double>::quiet_NaN()))
      return "nan";
    return "0x" + utohexstr(bits, /*LowerCase=*/false, /*Width=*/16);
  }
  if (std::isinf(value))
    return value < 0 ? "-inf" : "inf";
  char buffer[40];
  bool asSingle = isSingle && double(float(value)) == value;
  char *end = asSingle ? std::to_chars(buffer, buffer + 40, float(value)).ptr
                       : std::to_chars(buffer, buffer + 40, value).ptr;
  std::string result(buffer, end);
  if (result.find_first_of(".e") == std::string::npos)
    result += ".0";
  return result;
}

void Printer::constant(const ConstExpr &expr) {
  os << text(expr.type) << ' ';
  if (expr.type == Type::Bool)
    os << (expr.integer ? "true" : "false");
  else if (expr.type == Type::U64)
    os << uint64_t(expr.integer);
  else if (expr.type.isInteger() || expr.type == Type::File)
    os << expr.integer;
  else if (expr.type.isFloat())
    os << printedFloat(expr.number, expr.type == Type::F32);
  else if (expr.type == Type::Str)
    os << quote(expr.text);
  else
    os << "<no constant>";
}

void Printer::element(const ElementExpr &expr) {
  name(expr.array);
  if (expr.walker >= 0)
    os << '#' << expr.walker;
  if (!expr.isShifted())
    return;
  os << '@';
  offset(expr.offset);
}

void Printer::remap(const RemapExpr &expr) {
  name(expr.array);
  os << "#(";
  commas(expr.maps, [&](const Expr *map) { this->expr(map); });
  if (expr.checked) {
    SmallVector<unsigned, 6> dims;
    for (unsigned d = 0; d < expr.maps.size(); ++d)
      if (expr.checked >> d & 1)
        dims.push_back(d);
    os << (expr.checksLater ? " checked later (" : " checked (");
    commas(dims, [&](unsigned d) { os << d; });
    os << ") " << quote(expr.text);
  }
  os << ')';
}

void Printer::argument(const Argument &argument) {
  if (argument.place) {
    os << "ref ";
    expr(argument.place);
  } else if (argument.array) {
    os << "array ";
    name(argument.array);
  } else if (argument.region) {
    os << "region ";
    name(argument.region);
  } else {
    expr(argument.value);
  }
}

StringRef plainName(const Expr *expr) {
  if (auto *variable = dyn_cast_or_null<VarExpr>(expr))
    return variable->variable->name;
  if (auto *element = dyn_cast_or_null<ElementExpr>(expr))
    return element->array->name;
  return "";
}

static std::string fieldName(const FieldExpr &expr) {
  Type base = expr.base->type;
  if (base.isComplex())
    return expr.field ? "im" : "re";
  bool isField = (base == Type::Record || base == Type::Union) &&
                 expr.field < base.info()->fields.size();
  return isField ? base.info()->fields[expr.field].name : "<no field>";
}

void Printer::field(const FieldExpr &expr) {
  this->expr(expr.base);
  std::string path = fieldName(expr);
  const Expr *base = expr.base;
  while (auto *outer = dyn_cast_or_null<FieldExpr>(base)) {
    path = fieldName(*outer) + "." + path;
    base = outer->base;
  }
  path = plainName(base).str() + "." + path;
  os << (pointedNames.contains(path) ? " ." : ".") << fieldName(expr);
}

void Printer::subscript(const SubscriptExpr &expr) {
  this->expr(expr.base);
  os << '[';
  commas(expr.subscripts, [&](const Expr *e) { this->expr(e); });
  if (expr.text != plainName(expr.base))
    os << " : " << quote(expr.text);
  os << (expr.isChecked ? " checked]" : "]");
}

void Printer::call(const CallExpr &expr) {
  os << "call ";
  name(expr.callee);
  os << '(';
  commas(expr.args, [&](const Argument &arg) { argument(arg); });
  os << ')';
}

void Printer::dim(const DimExpr &dim) {
  switch (dim.kind) {
  case DimExpr::Range:
    expr(dim.lo);
    os << " .. ";
    expr(dim.hi);
    return;
  case DimExpr::Single:
    expr(dim.lo);
    return;
  case DimExpr::Flood:
    os << '*';
    return;
  case DimExpr::Grid:
    os << "::";
    return;
  case DimExpr::Inherit:
    os << '_';
    return;
  case DimExpr::Seq:
    os << "seq";
    return operands({dim.lo, dim.hi, dim.stride, dim.align});
  }
}

void Printer::operands(ArrayRef<const Expr *> operands) {
  os << '(';
  commas(operands, [&](const Expr *operand) { expr(operand); });
  os << ')';
}

struct Printer::Texts {
  Printer &p;
  raw_ostream &os = p.os;

  void of(const ConstExpr &e) { p.constant(e); }
  void of(const VarExpr &e) { p.name(e.variable); }
  void of(const ElementExpr &e) { p.element(e); }
  void of(const RemapExpr &e) { p.remap(e); }
  void of(const IndexExpr &e) { os << "index(" << e.dim << ')'; }
  void of(const BoundExpr &e) {
    os << text(e.which) << '(';
    p.name(e.region);
    if (BoundExpr::hasDim(e.which))
      os << ", " << e.dim;
    os << ')';
  }
  void of(const UnaryExpr &e) { os << text(e.op), p.operands(e.operand); }
  void of(const OneOf<BinaryExpr, CompareExpr> auto &e) {
    os << text(e.op), p.operands({e.left, e.right});
  }
  void of(const FmaExpr &e) { os << "fma", p.operands({e.a, e.b, e.c}); }
  void of(const CastExpr &e) { os << text(e.type), p.operands(e.operand); }
  void of(const MathExpr &e) { os << text(e.fn), p.operands(e.args); }
  void of(const CallExpr &e) { p.call(e); }
  void of(const FieldExpr &e) { p.field(e); }
  void of(const SubscriptExpr &e) { p.subscript(e); }
  void of(const ComplexExpr &e) { os << "complex", p.operands({e.re, e.im}); }
};

void Printer::expr(const Expr *expr) {
  if (!expr) {
    os << "<null>";
    return;
  }
  visitKind(*expr, [&](const auto &known) { Texts{*this}.of(known); });
}

} // namespace zpl::air
