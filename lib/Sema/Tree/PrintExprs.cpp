//===- PrintExprs.cpp - Prints checked expressions and regions ------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     add(mul(@n, 2), 1)   @A@(0, 1)   @t[1].pos.x   reduce.max.2(abs(@A))
//     flood<[1, ]>(@A)     reduce.sum.2<@R with @M>(@A)      @A@^(0, 1)
//     scan.sum<2, -1 inclusive segment @M>(@A)   @A#[@I, , 3]   lo(@R, 0)
//
// Operators and functions have their names in the array IR, conversions that of
// the type. Globals carry an `@`; dimensions of bounds count from 0, those of
// scans from 1 as in the source.
//
//===----------------------------------------------------------------------===//

#include "Tree/Printer.h"

#include "Types/Types.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"

namespace zpl::sema {

namespace {

llvm::StringRef text(UnaryOp op) {
  constexpr llvm::StringLiteral names[] = {
#define AIR_UNARY(Id, text) text,
#include "zpl/ArrayIR/Ops.def"
  };
  return names[static_cast<unsigned>(op)];
}

llvm::StringRef text(BinaryOp op) {
  constexpr llvm::StringLiteral names[] = {
#define AIR_BINARY(Id, text) text,
#include "zpl/ArrayIR/Ops.def"
  };
  return names[static_cast<unsigned>(op)];
}

llvm::StringRef text(CompareOp op) {
  constexpr llvm::StringLiteral names[] = {
#define AIR_COMPARE(Id, text) text,
#include "zpl/ArrayIR/Ops.def"
  };
  return names[static_cast<unsigned>(op)];
}

llvm::StringRef text(MathFn fn) {
  constexpr llvm::StringLiteral names[] = {
#define AIR_MATH(Id, text, arity) text,
#include "zpl/ArrayIR/Ops.def"
  };
  return names[static_cast<unsigned>(fn)];
}

llvm::StringRef text(Builtin fn) {
  constexpr llvm::StringLiteral names[] = {
#define AIR_BUILTIN(Id, text, arity) text,
#include "zpl/ArrayIR/Ops.def"
  };
  return names[static_cast<unsigned>(fn)];
}

llvm::StringRef text(Reduction op) {
  constexpr llvm::StringLiteral names[] = {
#define AIR_REDUCTION(Id, text) text,
#include "zpl/ArrayIR/Ops.def"
  };
  return names[static_cast<unsigned>(op)];
}

} // namespace

void Printer::literal(const LiteralExpr &e) {
  if (e.type == Type::String) {
    quoted(e.text);
  } else if (e.type.isFloating()) {
    llvm::SmallString<32> digits;
    llvm::APFloat(e.number).toString(digits);
    os << digits;
  } else if (e.type == Type::Boolean) {
    os << (e.integer ? "true" : "false");
  } else if (e.type == Type::Enum) {
    enumerator(e);
  } else if (e.type == Type::Char) {
    os << "char " << e.integer;
  } else if (e.type == Type::File) {
    constexpr llvm::StringLiteral names[] = {"znull", "zin", "zout", "zerr"};
    os << names[e.integer];
  } else if (e.type == Type::Ulongint) {
    os << static_cast<uint64_t>(e.integer);
  } else {
    os << e.integer;
  }
}

void Printer::enumerator(const LiteralExpr &e) {
  for (const TypeEnumerator &known : e.type.info()->enumerators)
    if (known.value == e.integer) {
      os << known.name;
      return;
    }
  os << sema::text(e.type) << ' ' << e.integer;
}

void Printer::quoted(llvm::StringRef text) {
  os << '"';
  os.write_escaped(text) << '"';
}

void Printer::commaList(llvm::ArrayRef<const Expr *> exprs) {
  llvm::ListSeparator comma;
  for (const Expr *e : exprs) {
    os << comma;
    expr(*e);
  }
}

void Printer::list(llvm::ArrayRef<const Expr *> exprs) {
  os << '(';
  commaList(exprs);
  os << ')';
}

void Printer::array(const ArrayExpr &e) {
  name(*e.array);
  if (!e.subscripts.empty()) {
    os << '[';
    commaList(e.subscripts);
    os << ']';
  }
  if (e.direction.empty())
    return;
  os << (e.wraps ? "@^" : e.isPrimed ? "'@" : "@");
  list(e.direction);
}

void Printer::mask(const Mask &mask) {
  if (!mask.mask)
    return;
  os << (mask.isWith ? " with " : " without ");
  expr(*mask.mask);
}

void Printer::reduce(const ReduceExpr &e) {
  os << "reduce." << (e.user ? llvm::StringRef(e.user->name) : text(e.op))
     << '.' << e.operandRank;
  if (e.source) {
    os << '<';
    region(*e.source);
    mask(e.mask);
    os << '>';
  }
  list(e.operand);
}

void Printer::flood(const FloodExpr &e) {
  os << "flood<";
  region(*e.source);
  os << '>';
  list(e.operand);
}

void Printer::scan(const ScanExpr &e) {
  os << "scan." << (e.user ? llvm::StringRef(e.user->name) : text(e.op)) << '<';
  llvm::ListSeparator comma;
  for (int dim : e.dims)
    os << comma << dim;
  os << (e.inclusive ? " inclusive" : "");
  if (e.segment) {
    os << " segment ";
    expr(*e.segment);
  }
  os << '>';
  list(e.operand);
}

void Printer::remap(const Expr &array, llvm::ArrayRef<Map> maps) {
  expr(array);
  os << "#[";
  llvm::ListSeparator comma;
  for (Map map : maps) {
    os << comma;
    if (map)
      expr(*map);
  }
  os << ']';
}

void Printer::regionBound(const RegionBoundExpr &e) {
  constexpr llvm::StringLiteral names[] = {
      "lo", "hi", "stride", "align", "own-lo", "own-hi", "level", "size"};
  os << names[e.which] << '(';
  region(*e.region);
  if (e.which < RegionBoundExpr::Level)
    os << ", " << e.dim;
  os << ')';
}

void Printer::timer(const TimerExpr &e) {
  os << (e.timer ? "ReadTimer(" : "CheckTimer(");
  if (e.timer)
    name(*e.timer);
  os << ')';
}

void Printer::field(const FieldExpr &e) {
  expr(*e.base);
  Type type = e.base->type;
  if (type.isComplex())
    os << (e.field == 0 ? ".re" : ".im");
  else
    os << '.' << type.info()->fields[e.field].name;
}

void Printer::call(const CallExpr &e) {
  os << e.callee->name << '(';
  llvm::ListSeparator comma;
  for (unsigned i = 0; i != e.args.size(); ++i) {
    os << comma << (e.copies[i] ? "copy " : "");
    expr(*e.args[i]);
  }
  os << ')';
  if (e.isArray() && e.callee->resultRank == 0)
    os << " promoted";
}

void Printer::expr(const Expr &e) {
  switch (e.kind) {
  case ExprKind::Literal:
    return literal(llvm::cast<LiteralExpr>(e));
  case ExprKind::Variable:
    return name(*llvm::cast<VariableExpr>(e).variable);
  case ExprKind::Component: {
    auto &component = llvm::cast<ComponentExpr>(e);
    name(*component.direction);
    os << '.' << component.component;
    return;
  }
  case ExprKind::Array:
    return array(llvm::cast<ArrayExpr>(e));
  case ExprKind::Index:
    os << "Index" << llvm::cast<IndexExpr>(e).dim + 1;
    return;
  case ExprKind::Unary: {
    auto &unary = llvm::cast<UnaryExpr>(e);
    os << text(unary.op);
    return list(unary.operand);
  }
  case ExprKind::Binary: {
    auto &binary = llvm::cast<BinaryExpr>(e);
    os << text(binary.op);
    return list({binary.left, binary.right});
  }
  case ExprKind::Compare: {
    auto &compare = llvm::cast<CompareExpr>(e);
    os << text(compare.op);
    return list({compare.left, compare.right});
  }
  case ExprKind::Fma: {
    auto &fma = llvm::cast<FmaExpr>(e);
    os << "fma";
    return list({fma.a, fma.b, fma.c});
  }
  case ExprKind::Cast:
    os << text(e.type);
    return list(llvm::cast<CastExpr>(e).operand);
  case ExprKind::Math:
    os << text(llvm::cast<MathExpr>(e).fn);
    return list(llvm::cast<MathExpr>(e).args);
  case ExprKind::Call:
    return call(llvm::cast<CallExpr>(e));
  case ExprKind::Reduce:
    return reduce(llvm::cast<ReduceExpr>(e));
  case ExprKind::Flood:
    return flood(llvm::cast<FloodExpr>(e));
  case ExprKind::Scan:
    return scan(llvm::cast<ScanExpr>(e));
  case ExprKind::Gather:
    return remap(*llvm::cast<GatherExpr>(e).source,
                 llvm::cast<GatherExpr>(e).maps);
  case ExprKind::EnclosingMask:
    os << "quote";
    return;
  case ExprKind::RegionBound:
    return regionBound(llvm::cast<RegionBoundExpr>(e));
  case ExprKind::Timer:
    return timer(llvm::cast<TimerExpr>(e));
  case ExprKind::GridPlace: {
    auto &place = llvm::cast<GridPlaceExpr>(e);
    os << (place.isOwn ? "GRIDPROC(" : "GRIDPROCS(");
    name(*place.grid);
    os << ", " << place.dim << ')';
    return;
  }
  case ExprKind::Processors:
    os << "PROCESSORS";
    return;
  case ExprKind::Field:
    return field(llvm::cast<FieldExpr>(e));
  case ExprKind::Subscript: {
    auto &element = llvm::cast<SubscriptExpr>(e);
    expr(*element.base);
    os << '[';
    commaList(element.subscripts);
    os << ']';
    return;
  }
  case ExprKind::Complex:
    os << "complex";
    return list({llvm::cast<ComplexExpr>(e).re, llvm::cast<ComplexExpr>(e).im});
  case ExprKind::Builtin:
    os << text(llvm::cast<BuiltinExpr>(e).fn);
    list(llvm::cast<BuiltinExpr>(e).args);
    if (const Expr *place = llvm::cast<BuiltinExpr>(e).place) {
      os << " to ";
      expr(*place);
    }
    return;
  case ExprKind::RegionValue:
    os << "region<";
    region(*llvm::cast<RegionValueExpr>(e).region);
    os << '>';
    return;
  case ExprKind::DirectionValue:
    os << "direction";
    return list(llvm::cast<DirectionValueExpr>(e).components);
  case ExprKind::Irv:
    expr(*llvm::cast<IrvExpr>(e).array);
    os << ".irv";
    return;
  case ExprKind::Pattern:
    os << "pattern<";
    region(*llvm::cast<PatternExpr>(e).region);
    os << '>';
    return;
  case ExprKind::Inside:
    list(llvm::cast<InsideExpr>(e).indices);
    os << " inside ";
    return region(*llvm::cast<InsideExpr>(e).region);
  }
  llvm_unreachable("expression");
}

void Printer::dims(const RegionExpr &region) {
  if (region.place) // the dimensions are parts of it
    return expr(*region.place);
  if (region.takesBounds)
    os << "bounds ";
  llvm::ListSeparator comma;
  os << '[';
  for (const RegionDim &dim : region.dims) {
    os << comma
       << (dim.kind == RegionDim::Flood  ? "*"
           : dim.kind == RegionDim::Grid ? "::"
                                         : "");
    if (dim.lo)
      expr(*dim.lo);
    if (dim.hi) {
      os << "..";
      expr(*dim.hi);
    }
  }
  os << ']';
}

void Printer::region(const RegionExpr &region) {
  unleveled(region);
  if (!region.level || region.place)
    return;
  os << " level ";
  expr(*region.level);
}

void Printer::unleveled(const RegionExpr &region) {
  switch (region.kind) {
  case RegionExpr::Ref:
    return name(*region.region);
  case RegionExpr::Dims:
    return dims(region);
  case RegionExpr::Quote:
    os << (region.takesBounds ? "bounds quote" : "quote");
    return;
  case RegionExpr::Where:
    this->region(*region.base);
    os << " where ";
    if (!region.pattern) {
      os << '?';
      return;
    }
    return expr(*region.pattern);
  case RegionExpr::Bounds:
    os << "bounds ";
    return this->region(*region.base);
  case RegionExpr::Of:
  case RegionExpr::In:
    list(region.direction);
    os << (region.kind == RegionExpr::Of ? " of " : " in ");
    return this->region(*region.base);
  case RegionExpr::At:
  case RegionExpr::By:
    this->region(*region.base);
    os << (region.kind == RegionExpr::At ? " at " : " by ");
    return list(region.direction);
  case RegionExpr::User:
    this->region(*region.base);
    os << ' ' << region.call->callee->name << ' ';
    return list(region.direction);
  case RegionExpr::Declared:
    os << "region(";
    name(*region.array);
    os << ')';
    return;
  }
  llvm_unreachable("region");
}

} // namespace zpl::sema
