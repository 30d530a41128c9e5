//===- PrintStmts.cpp - Prints checked statements -------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     for @i := 1 to @n by 1
//       @A.x := @B@(0, 1)
//     write "n = " "%d": @n "\n"
//
// One line per statement; what a statement holds is indented.
//
//===----------------------------------------------------------------------===//

#include "Tree/Printer.h"
#include "zpl/Sema/Visit.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"

namespace zpl::sema {

namespace {

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

} // namespace

void Printer::stmts(const StmtList &list) {
  ++depth;
  for (const Stmt *s : list)
    stmt(*s);
  --depth;
}

void Printer::format(const std::optional<std::string> &format,
                     const Expr *computed) {
  if (format) {
    quoted(*format);
    os << ": ";
  }
  if (computed) {
    expr(*computed);
    os << ": ";
  }
}

void Printer::items(const std::vector<WriteItem> &items) {
  for (const WriteItem &item : items) {
    os << ' ';
    if (!item.value) {
      quoted(item.text);
      continue;
    }
    format(item.format, item.formatExpr);
    expr(*item.value);
  }
  os << '\n';
}

void Printer::write(const WriteStmt &write) {
  line() << (write.binary ? "bwrite" : "write");
  auto *literal = llvm::dyn_cast<LiteralExpr>(write.file);
  if (!literal || literal->integer != 2) {
    os << " to ";
    expr(*write.file);
  }
  items(write.items);
}

void Printer::read(const ReadStmt &read) {
  line() << (read.binary ? "bread from " : "read from ");
  expr(*read.file);
  for (const ReadItem &item : read.items) {
    os << ' ';
    format(item.format, item.formatExpr);
    expr(*item.place);
  }
  os << '\n';
}

void Printer::assignment(const Expr &target, const Expr &value) {
  line();
  expr(target);
  os << " := ";
  expr(value);
  os << '\n';
}

void Printer::timer(const TimerStmt &timer) {
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
}

void Printer::branch(const IfStmt &branch) {
  line() << "if ";
  expr(*branch.condition);
  os << '\n';
  stmts(branch.thenBody);
  if (branch.elseBody.empty())
    return;
  line() << "else\n";
  stmts(branch.elseBody);
}

void Printer::loop(const ForStmt &loop) {
  line() << "for ";
  expr(*loop.variable);
  os << " := ";
  expr(*loop.from);
  os << (loop.down ? " downto " : " to ");
  expr(*loop.bound);
  os << " by ";
  expr(*loop.step);
  os << '\n';
  stmts(loop.body);
}

void Printer::checkShape(const CheckShapeStmt &check) {
  line() << "check-shape \"" << check.textA << "\" ";
  expr(*check.extentA);
  os << ", \"" << check.textB << "\" ";
  expr(*check.extentB);
  os << " dim " << check.dim << '\n';
}

void Printer::scatter(const ScatterStmt &scatter) {
  line();
  remap(*scatter.target, scatter.maps);
  os << " := ";
  expr(*scatter.value);
  if (scatter.combine) {
    os << " with " << scatter.oldValue->name << ", " << scatter.newValue->name
       << ": ";
    expr(*scatter.combine);
  }
  os << '\n';
}

void Printer::boundary(const BoundaryStmt &boundary) {
  line() << (boundary.reflects ? "reflect " : "wrap ");
  llvm::ListSeparator comma;
  for (const ArrayExpr *array : boundary.arrays) {
    os << comma;
    expr(*array);
  }
  os << " in ";
  list(boundary.direction);
  os << " of ";
  region(*boundary.base);
  os << '\n';
}

void Printer::wave(const WaveStmt &wave) {
  line() << "wave " << wave.rank << " loops";
  for (const WaveOrder::Loop &loop : wave.order.loops)
    os << (loop.down ? " -" : " ") << loop.dim + 1;
  if (wave.readsInPlace)
    os << " in place";
  os << '\n';
  stmts(wave.body);
}

struct Printer::Lines {
  Printer &p;
  llvm::raw_ostream &os = p.os;

  /// A line of \p word and \p e.
  void line(llvm::StringRef word, const Expr &e) {
    p.line() << word;
    p.expr(e);
    os << '\n';
  }
  void of(const WaveStmt &s) { p.wave(s); }
  void of(const BlockStmt &s) {
    for (const Stmt *inner : s.body)
      p.stmt(*inner);
  }
  void of(const AssignStmt &s) { p.assignment(*s.target, *s.value); }
  void of(const ArrayAssignStmt &s) { p.assignment(*s.target, *s.value); }
  void of(const ScatterStmt &s) { p.scatter(s); }
  void of(const BoundaryStmt &s) { p.boundary(s); }
  void of(const CallStmt &s) { line("", *s.call); }
  void of(const BuiltinStmt &s) { line("", *s.call); }
  void of(const WriteStmt &s) { p.write(s); }
  void of(const ReadStmt &s) { p.read(s); }
  void of(const BindIoStmt &s) {
    p.line() << (s.procedure ? "bind " : "unbind ")
             << (s.isRead ? "read " : "write ");
    p.expr(*s.array);
    if (s.procedure)
      os << ' ' << s.procedure->name;
    os << '\n';
  }
  void of(const SortStmt &s) {
    p.line() << "sort";
    for (const ArrayExpr *array : s.arrays) {
      os << ' ';
      p.expr(*array);
    }
    if (s.before)
      os << " by " << s.before->callee->name;
    os << (s.isDescending ? " descending\n" : "\n");
  }
  void of(const ResizeStmt &s) {
    p.line() << "resize " << s.target->variable->name << " to";
    for (const Expr *length : s.lengths) {
      os << ' ';
      p.expr(*length);
    }
    os << '\n';
  }
  void of(const CheckShapeStmt &s) { p.checkShape(s); }
  void of(const HaltStmt &s) {
    p.line() << "halt";
    if (s.status)
      os << ' ', p.expr(*s.status);
    p.items(s.items);
  }
  void of(const TimerStmt &s) { p.timer(s); }
  void of(const IfStmt &s) { p.branch(s); }
  void of(const WhileStmt &s) {
    line("while ", *s.condition);
    p.stmts(s.body);
  }
  void of(const RepeatStmt &s) {
    p.line() << "repeat\n";
    p.stmts(s.body);
    line("until ", *s.condition);
  }
  void of(const ForStmt &s) { p.loop(s); }
  void of(const ExitStmt &) { p.line() << "exit\n"; }
  void of(const ContinueStmt &) { p.line() << "continue\n"; }
  void of(const ReturnStmt &s) {
    if (s.value)
      line("return ", *s.value);
    else
      p.line() << "return\n";
  }
  void of(const RegionAssignStmt &s) {
    p.line();
    p.expr(*s.target);
    os << (s.preserves ? " <=# " : " <== ");
    p.region(*s.value);
    os << '\n';
  }
  void of(const PatternAssignStmt &s) {
    constexpr llvm::StringLiteral Ops[] = {" := ", " |= ", " &= "};
    p.line();
    p.region(*s.target);
    if (s.file) {
      os << " from ", p.expr(*s.file);
    } else {
      os << Ops[s.op];
      p.region(*s.value);
    }
    os << '\n';
  }
  void of(const ModifyStmt &s) {
    p.line() << "modify ";
    p.region(*s.target);
    os << '\n';
    p.stmts(s.body);
  }
  void of(const AddStmt &s) {
    p.line() << "add";
    p.list(s.indices);
    if (s.rank)
      os << ": " << s.rank;
    os << '\n';
  }
  void of(const RedistributeStmt &s) {
    p.line();
    p.name(*s.target);
    os << (s.preserves ? " <=# " : " <== ");
    if (s.weights)
      os << "balance ", p.expr(*s.weights);
    else
      p.name(*s.value);
    os << '\n';
  }
  void of(const ScopeStmt &s) {
    p.line() << "in ";
    p.region(*s.region);
    p.mask(s.mask);
    os << ": " << s.region->rank << '\n';
    ++p.depth;
    p.stmt(*s.body);
    --p.depth;
  }
};

void Printer::stmt(const Stmt &s) {
  visitKind(s, [&](const auto &known) { Lines{*this}.of(known); });
}

} // namespace zpl::sema
