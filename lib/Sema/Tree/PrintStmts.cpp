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

void Printer::stmt(const Stmt &s) {
  switch (s.kind) {
  case StmtKind::Wave:
    return wave(llvm::cast<WaveStmt>(s));
  case StmtKind::Block:
    for (const Stmt *inner : llvm::cast<BlockStmt>(s).body)
      stmt(*inner);
    return;
  case StmtKind::Assign:
    return assignment(*llvm::cast<AssignStmt>(s).target,
                      *llvm::cast<AssignStmt>(s).value);
  case StmtKind::ArrayAssign:
    return assignment(*llvm::cast<ArrayAssignStmt>(s).target,
                      *llvm::cast<ArrayAssignStmt>(s).value);
  case StmtKind::Scatter:
    return scatter(llvm::cast<ScatterStmt>(s));
  case StmtKind::Boundary:
    return boundary(llvm::cast<BoundaryStmt>(s));
  case StmtKind::Call:
    line();
    call(*llvm::cast<CallStmt>(s).call);
    os << '\n';
    return;
  case StmtKind::Builtin:
    line();
    expr(*llvm::cast<BuiltinStmt>(s).call);
    os << '\n';
    return;
  case StmtKind::Write:
    return write(llvm::cast<WriteStmt>(s));
  case StmtKind::Read:
    return read(llvm::cast<ReadStmt>(s));
  case StmtKind::BindIo: {
    auto &bind = llvm::cast<BindIoStmt>(s);
    line() << (bind.procedure ? "bind " : "unbind ")
           << (bind.isRead ? "read " : "write ");
    expr(*bind.array);
    if (bind.procedure)
      os << ' ' << bind.procedure->name;
    os << '\n';
    return;
  }
  case StmtKind::Sort: {
    auto &sort = llvm::cast<SortStmt>(s);
    line() << "sort";
    for (const ArrayExpr *array : sort.arrays) {
      os << ' ';
      expr(*array);
    }
    if (sort.before)
      os << " by " << sort.before->callee->name;
    os << (sort.isDescending ? " descending\n" : "\n");
    return;
  }
  case StmtKind::Resize: {
    auto &resize = llvm::cast<ResizeStmt>(s);
    line() << "resize " << resize.target->variable->name << " to";
    for (const Expr *length : resize.lengths) {
      os << ' ';
      expr(*length);
    }
    os << '\n';
    return;
  }
  case StmtKind::CheckShape:
    return checkShape(llvm::cast<CheckShapeStmt>(s));
  case StmtKind::Halt:
    line() << "halt";
    if (const Expr *status = llvm::cast<HaltStmt>(s).status)
      os << ' ', expr(*status);
    return items(llvm::cast<HaltStmt>(s).items);
  case StmtKind::Timer:
    return timer(llvm::cast<TimerStmt>(s));
  case StmtKind::If:
    return branch(llvm::cast<IfStmt>(s));
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
  case StmtKind::For:
    return loop(llvm::cast<ForStmt>(s));
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
  case StmtKind::RegionAssign: {
    auto &assign = llvm::cast<RegionAssignStmt>(s);
    line();
    expr(*assign.target);
    os << (assign.preserves ? " <=# " : " <== ");
    region(*assign.value);
    os << '\n';
    return;
  }
  case StmtKind::PatternAssign: {
    auto &assign = llvm::cast<PatternAssignStmt>(s);
    line();
    region(*assign.target);
    if (assign.file) {
      os << " from ", expr(*assign.file);
      os << '\n';
      return;
    }
    os << (assign.op == PatternAssignStmt::Or    ? " |= "
           : assign.op == PatternAssignStmt::And ? " &= "
                                                 : " := ");
    region(*assign.value);
    os << '\n';
    return;
  }
  case StmtKind::Modify:
    line() << "modify ";
    region(*llvm::cast<ModifyStmt>(s).target);
    os << '\n';
    return stmts(llvm::cast<ModifyStmt>(s).body);
  case StmtKind::Add:
    line() << "add";
    list(llvm::cast<AddStmt>(s).indices);
    if (unsigned rank = llvm::cast<AddStmt>(s).rank)
      os << ": " << rank;
    os << '\n';
    return;
  case StmtKind::Redistribute: {
    auto &assign = llvm::cast<RedistributeStmt>(s);
    line();
    name(*assign.target);
    os << (assign.preserves ? " <=# " : " <== ");
    if (assign.weights) {
      os << "balance ";
      expr(*assign.weights);
    } else {
      name(*assign.value);
    }
    os << '\n';
    return;
  }
  case StmtKind::Scope: {
    auto &scope = llvm::cast<ScopeStmt>(s);
    line() << "in ";
    region(*scope.region);
    mask(scope.mask);
    os << ": " << scope.region->rank << '\n';
    ++depth;
    stmt(*scope.body);
    --depth;
    return;
  }
  }
  llvm_unreachable("statement");
}

} // namespace zpl::sema
