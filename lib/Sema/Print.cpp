//===- Print.cpp - Prints a checked program -------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For people and tests (--dump-program), one line per declaration or statement:
//
//     var @A: [R] double directions (0,1)
//     procedure sweep(inout X: [ , ] double) parallel
//       [R]
//         X := fma(2, X@(0,1), @n as double)
//     instance sweep cover [.., ..] X [.., ..] checked X@east
//
// Globals carry an `@` before their names. Conversions are written `e as T`,
// operators as in the source where they have a sign there.
//
//===----------------------------------------------------------------------===//

#include "zpl/Sema/Sema.h"

#include "Types.h"
#include "Walk.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

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

llvm::StringRef text(Reduction op) {
  constexpr llvm::StringLiteral names[] = {
#define AIR_REDUCTION(Id, text) text,
#include "zpl/ArrayIR/Ops.def"
  };
  return names[static_cast<unsigned>(op)];
}

llvm::StringRef text(Mode mode) {
  switch (mode) {
  case Mode::Const:
    return "";
  case Mode::In:
    return "in ";
  case Mode::InOut:
    return "inout ";
  case Mode::Out:
    return "out ";
  }
  llvm_unreachable("mode");
}

llvm::StringRef text(TimerStmt::Op op) {
  switch (op) {
  case TimerStmt::Reset:
    return "ResetTimer";
  case TimerStmt::Clear:
    return "ClearTimer";
  case TimerStmt::Start:
    return "StartTimer";
  case TimerStmt::Stop:
    return "StopTimer";
  }
  llvm_unreachable("timer operation");
}

std::string text(const Shape &shape) {
  std::string result = "[";
  llvm::ListSeparator comma;
  for (DimKind kind : shape)
    result +=
        (llvm::StringRef(comma) + (kind == DimKind::Range ? ".." : ".")).str();
  return result + "]";
}

class Printer {
public:
  Printer(const Program &program, llvm::raw_ostream &os)
      : os(os), globals(program.globals.begin(), program.globals.end()) {}

  void symbol(const Symbol &symbol);
  void procedure(const Procedure &procedure);
  void instance(const Instance &instance);

private:
  void name(const Symbol &symbol) {
    os << (globals.contains(&symbol) ? "@" : "") << symbol.name;
  }
  void expr(const Expr &e);
  void literal(const LiteralExpr &e);
  void list(llvm::ArrayRef<const Expr *> exprs);
  void call(const CallExpr &e);
  void region(const RegionExpr &region);
  void dims(const RegionExpr &region);
  void arrayType(const Array &array);
  void stmt(const Stmt &s);
  void stmts(const StmtList &list);
  void items(const std::vector<WriteItem> &items);
  llvm::raw_ostream &line() { return os.indent(2 * depth); }

  llvm::raw_ostream &os;
  llvm::DenseSet<const Symbol *> globals;
  unsigned depth = 0;
};

void Printer::literal(const LiteralExpr &e) {
  if (e.type == ScalarType::String) {
    os << '"';
    os.write_escaped(e.text) << '"';
  } else if (isFloating(e.type)) {
    llvm::SmallString<32> digits;
    llvm::APFloat(e.number).toString(digits);
    os << digits;
  } else if (e.type == ScalarType::Boolean) {
    os << (e.integer ? "true" : "false");
  } else {
    os << e.integer;
  }
}

void Printer::list(llvm::ArrayRef<const Expr *> exprs) {
  llvm::ListSeparator comma;
  os << '(';
  for (const Expr *e : exprs) {
    os << comma;
    expr(*e);
  }
  os << ')';
}

void Printer::call(const CallExpr &e) {
  os << e.callee->name << '(';
  llvm::ListSeparator comma;
  for (unsigned i = 0; i != e.args.size(); ++i) {
    os << comma << (e.copies[i] ? "copy " : "");
    expr(*e.args[i]);
  }
  os << ')';
  if (e.isArray())
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
  case ExprKind::Array: {
    auto &array = llvm::cast<ArrayExpr>(e);
    name(*array.array);
    if (array.direction.empty())
      return;
    os << '@';
    return list(array.direction);
  }
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
  case ExprKind::Reduce: {
    auto &reduce = llvm::cast<ReduceExpr>(e);
    os << "reduce." << text(reduce.op) << '.' << reduce.operandRank;
    return list(reduce.operand);
  }
  case ExprKind::Timer: {
    auto &timer = llvm::cast<TimerExpr>(e);
    os << (timer.timer ? "ReadTimer(" : "CheckTimer(");
    if (timer.timer)
      name(*timer.timer);
    os << ')';
    return;
  }
  case ExprKind::Processors:
    os << "PROCESSORS";
    return;
  }
  llvm_unreachable("expression");
}

void Printer::dims(const RegionExpr &region) {
  llvm::ListSeparator comma;
  os << '[';
  for (const RegionDim &dim : region.dims) {
    os << comma;
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
  switch (region.kind) {
  case RegionExpr::Ref:
    return name(*region.region);
  case RegionExpr::Dims:
    return dims(region);
  case RegionExpr::Quote:
    os << "quote";
    return;
  case RegionExpr::Of:
  case RegionExpr::In:
    list(region.direction);
    os << (region.kind == RegionExpr::Of ? " of " : " in ");
    return this->region(*region.base);
  case RegionExpr::At:
    this->region(*region.base);
    os << " at ";
    return list(region.direction);
  }
  llvm_unreachable("region");
}

void Printer::arrayType(const Array &array) {
  os << '[';
  if (array.declared)
    region(*array.declared);
  else
    os << std::string(array.rank - 1, ',');
  os << "] " << sema::text(array.element);
}

void Printer::symbol(const Symbol &symbol) {
  line();
  switch (symbol.kind) {
  case SymbolKind::Variable: {
    auto &variable = llvm::cast<Variable>(symbol);
    os << (variable.storage == Storage::Static ? "static " : "")
       << (variable.isConfig  ? "config "
           : variable.isConst ? "const "
                              : "var ");
    name(symbol);
    os << ": " << sema::text(variable.type);
    if (variable.init) {
      os << " = ";
      expr(*variable.init);
    }
    break;
  }
  case SymbolKind::Array: {
    auto &array = llvm::cast<Array>(symbol);
    os << (array.storage == Storage::Static ? "static " : "")
       << (array.isConst ? "const " : "var ");
    name(symbol);
    os << ": ";
    arrayType(array);
    if (array.init) {
      os << " = ";
      expr(*array.init);
    }
    for (const auto &offset : array.directions)
      os << " ("
         << llvm::join(llvm::map_range(
                           offset, [](int64_t c) { return std::to_string(c); }),
                       ",")
         << ')';
    break;
  }
  case SymbolKind::Region: {
    auto &declared = llvm::cast<Region>(symbol);
    os << "region ";
    name(symbol);
    os << ": " << text(declared.shape) << " = ";
    region(*declared.init);
    break;
  }
  case SymbolKind::Direction:
    os << "direction ";
    name(symbol);
    os << " = (";
    for (const auto &component : llvm::cast<Direction>(symbol).components) {
      os << (&component == llvm::cast<Direction>(symbol).components.begin()
                 ? ""
                 : ", ");
      expr(*component.init);
    }
    os << ')';
    break;
  case SymbolKind::Procedure:
    llvm_unreachable("procedures are printed by themselves");
  }
  os << '\n';
}

void Printer::procedure(const Procedure &procedure) {
  os << "procedure " << procedure.name << '(';
  llvm::ListSeparator semicolon("; ");
  for (const Symbol *param : procedure.params) {
    os << semicolon;
    if (auto *array = llvm::dyn_cast<Array>(param)) {
      os << text(array->mode) << array->name << ": ";
      arrayType(*array);
      continue;
    }
    auto &variable = *llvm::cast<Variable>(param);
    os << text(variable.mode) << variable.name << ": "
       << sema::text(variable.type);
  }
  os << ')';
  if (procedure.result != ScalarType::Void)
    os << ": " << sema::text(procedure.result);
  os << (procedure.isParallel ? " parallel\n" : " scalar\n");
  ++depth;
  for (const Symbol *local : procedure.locals)
    symbol(*local);
  stmt(*procedure.body);
  --depth;
}

void Printer::stmts(const StmtList &list) {
  ++depth;
  for (const Stmt *s : list)
    stmt(*s);
  --depth;
}

void Printer::items(const std::vector<WriteItem> &items) {
  for (const WriteItem &item : items) {
    os << ' ';
    if (!item.value) {
      os << '"';
      os.write_escaped(item.text) << '"';
      continue;
    }
    if (item.format) {
      os << '"';
      os.write_escaped(*item.format) << "\": ";
    }
    if (item.formatExpr) {
      expr(*item.formatExpr);
      os << ": ";
    }
    expr(*item.value);
  }
  os << '\n';
}

void Printer::stmt(const Stmt &s) {
  switch (s.kind) {
  case StmtKind::Block:
    for (const Stmt *inner : llvm::cast<BlockStmt>(s).body)
      stmt(*inner);
    return;
  case StmtKind::Assign: {
    auto &assign = llvm::cast<AssignStmt>(s);
    line();
    name(*assign.target);
    os << " := ";
    expr(*assign.value);
    os << '\n';
    return;
  }
  case StmtKind::ArrayAssign: {
    auto &assign = llvm::cast<ArrayAssignStmt>(s);
    line();
    expr(*assign.target);
    os << " := ";
    expr(*assign.value);
    os << '\n';
    return;
  }
  case StmtKind::Call:
    line();
    call(*llvm::cast<CallStmt>(s).call);
    os << '\n';
    return;
  case StmtKind::Write:
    line() << "write";
    return items(llvm::cast<WriteStmt>(s).items);
  case StmtKind::Halt:
    line() << "halt";
    return items(llvm::cast<HaltStmt>(s).items);
  case StmtKind::Timer: {
    auto &timer = llvm::cast<TimerStmt>(s);
    line() << text(timer.op);
    if (timer.timer) {
      os << ' ';
      name(*timer.timer);
    }
    if (timer.sync) {
      os << ' ';
      expr(*timer.sync);
    }
    os << '\n';
    return;
  }
  case StmtKind::If: {
    auto &branch = llvm::cast<IfStmt>(s);
    line() << "if ";
    expr(*branch.condition);
    os << '\n';
    stmts(branch.thenBody);
    if (branch.elseBody.empty())
      return;
    line() << "else\n";
    return stmts(branch.elseBody);
  }
  case StmtKind::While:
    line() << "while ";
    expr(*llvm::cast<WhileStmt>(s).condition);
    os << '\n';
    return stmts(llvm::cast<WhileStmt>(s).body);
  case StmtKind::Repeat:
    line() << "repeat\n";
    stmts(llvm::cast<RepeatStmt>(s).body);
    line() << "until ";
    expr(*llvm::cast<RepeatStmt>(s).condition);
    os << '\n';
    return;
  case StmtKind::For: {
    auto &loop = llvm::cast<ForStmt>(s);
    line() << "for ";
    name(*loop.variable);
    os << " := ";
    expr(*loop.from);
    os << (loop.down ? " downto " : " to ");
    expr(*loop.bound);
    os << " by ";
    expr(*loop.step);
    os << '\n';
    return stmts(loop.body);
  }
  case StmtKind::Exit:
    line() << "exit\n";
    return;
  case StmtKind::Continue:
    line() << "continue\n";
    return;
  case StmtKind::Return:
    line() << "return";
    if (const Expr *value = llvm::cast<ReturnStmt>(s).value) {
      os << ' ';
      expr(*value);
    }
    os << '\n';
    return;
  case StmtKind::Scope: {
    auto &scope = llvm::cast<ScopeStmt>(s);
    line() << "in ";
    region(*scope.region);
    os << ": " << scope.region->rank << '\n';
    ++depth;
    stmt(*scope.body);
    --depth;
    return;
  }
  }
  llvm_unreachable("statement");
}

void Printer::instance(const Instance &instance) {
  os << "instance " << instance.name;
  for (unsigned rank = 1; rank <= MaxRank; ++rank)
    if (instance.covers[rank])
      os << " cover " << text(*instance.covers[rank]);
  for (unsigned i = 0; i != instance.paramShapes.size(); ++i)
    if (!instance.paramShapes[i].empty())
      os << ' ' << instance.procedure->params[i]->name << ' '
         << text(instance.paramShapes[i]);
  if (instance.mayAlias)
    os << " alias";
  std::vector<const ArrayExpr *> checked(instance.checked.begin(),
                                         instance.checked.end());
  llvm::sort(checked, [](const ArrayExpr *a, const ArrayExpr *b) {
    return std::tie(a->range.file, a->range.begin) <
           std::tie(b->range.file, b->range.begin);
  });
  for (const ArrayExpr *e : checked)
    os << " checked " << e->text;
  std::vector<const CallExpr *> calls;
  for (const auto &[call, callee] : instance.callees)
    calls.push_back(call);
  llvm::sort(calls, [](const CallExpr *a, const CallExpr *b) {
    return std::tie(a->range.file, a->range.begin) <
           std::tie(b->range.file, b->range.begin);
  });
  for (const CallExpr *call : calls)
    os << " calls " << instance.callees.lookup(call)->name;
  for (const CallExpr *call : calls)
    for (unsigned i = 0; i != call->args.size(); ++i)
      if (instance.checkedArguments.contains({call, i}))
        os << " checked-argument " << call->callee->params[i]->name;
  os << '\n';
}

} // namespace

void print(const Program &program, llvm::raw_ostream &os) {
  os << "program " << program.name << '\n';
  Printer printer(program, os);
  for (const Symbol *global : program.globals)
    printer.symbol(*global);
  for (const Procedure *procedure : program.procedures)
    printer.procedure(*procedure);
  printer.instance(program.initializer);
  for (const auto &instance : program.instances)
    printer.instance(*instance);
}

} // namespace zpl::sema
