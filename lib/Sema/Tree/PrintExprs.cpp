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
#include "zpl/Sema/Visit.h"
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
  constexpr llvm::StringLiteral names[] = {"lo",    "hi",     "stride",
                                           "align", "own-lo", "own-hi",
                                           "level", "size",   "patterned"};
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

struct Printer::Texts {
  Printer &p;
  llvm::raw_ostream &os = p.os;

  /// `word<@R>`.
  void regionOf(llvm::StringRef word, const RegionExpr &region) {
    os << word << '<';
    p.region(region);
    os << '>';
  }
  void of(const LiteralExpr &e) { p.literal(e); }
  void of(const VariableExpr &e) { p.name(*e.variable); }
  void of(const ComponentExpr &e) {
    p.name(*e.direction);
    os << '.' << e.component;
  }
  void of(const ArrayExpr &e) { p.array(e); }
  void of(const IndexExpr &e) { os << "Index" << e.dim + 1; }
  void of(const UnaryExpr &e) { os << text(e.op), p.list(e.operand); }
  void of(const BinaryExpr &e) { os << text(e.op), p.list({e.left, e.right}); }
  void of(const CompareExpr &e) { os << text(e.op), p.list({e.left, e.right}); }
  void of(const FmaExpr &e) { os << "fma", p.list({e.a, e.b, e.c}); }
  void of(const CastExpr &e) { os << text(e.type), p.list(e.operand); }
  void of(const MathExpr &e) { os << text(e.fn), p.list(e.args); }
  void of(const CallExpr &e) { p.call(e); }
  void of(const ReduceExpr &e) { p.reduce(e); }
  void of(const FloodExpr &e) { p.flood(e); }
  void of(const ScanExpr &e) { p.scan(e); }
  void of(const GatherExpr &e) { p.remap(*e.source, e.maps); }
  void of(const EnclosingMaskExpr &) { os << "quote"; }
  void of(const RegionBoundExpr &e) { p.regionBound(e); }
  void of(const TimerExpr &e) { p.timer(e); }
  void of(const GridPlaceExpr &e) {
    os << (e.isOwn ? "GRIDPROC(" : "GRIDPROCS(");
    p.name(*e.grid);
    os << ", " << e.dim << ')';
  }
  void of(const ProcessorsExpr &) { os << "PROCESSORS"; }
  void of(const FieldExpr &e) { p.field(e); }
  void of(const SubscriptExpr &e) {
    p.expr(*e.base);
    os << '[';
    p.commaList(e.subscripts);
    os << ']';
  }
  void of(const ComplexExpr &e) { os << "complex", p.list({e.re, e.im}); }
  void of(const BuiltinExpr &e) {
    os << text(e.fn), p.list(e.args);
    if (e.place)
      os << " to ", p.expr(*e.place);
  }
  void of(const RegionValueExpr &e) { regionOf("region", *e.region); }
  void of(const DirectionValueExpr &e) {
    os << "direction", p.list(e.components);
  }
  void of(const IrvExpr &e) { p.expr(*e.array), os << ".irv"; }
  void of(const PatternExpr &e) { regionOf("pattern", *e.region); }
  void of(const InsideExpr &e) {
    p.list(e.indices);
    os << " inside ";
    p.region(*e.region);
  }
};

void Printer::expr(const Expr &e) {
  visitKind(e, [&](const auto &known) { Texts{*this}.of(known); });
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
