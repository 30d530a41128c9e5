//===- Printer.cpp - Statements to text -----------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints
//
//     module @sweep
//     entry @sweep
//     config @n : i32 = "100" "the problem size"
//     region @R : <.., ..> "R"
//     array @A : f64 <.., ..> over @R fluff (1,0)..(0,0) "A"
//
//     proc @sweep() block {
//       transfer %t = {@A: (-1,0)} over @R
//
//       dr %t
//       ...
//       [@R] @A = mul(@A@(-1,0), f64 0.5)
//       sv %t
//     }
//
// one statement a line, nested lists indented by two. A procedure's
// declarations come before an empty line and its statements. The parser
// (Parser.cpp) is this file read backwards: change both together.
//
//===----------------------------------------------------------------------===//

#include "zpl/ArrayIR/Printer.h"
#include "Text/Lexer.h"
#include "Text/PrinterImpl.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace zpl::air {

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

void Printer::stmt(const Stmt &stmt) {
  startLine();
  line(stmt);
  os << '\n';
}

void Printer::list(const StmtList &list) {
  ++depth;
  for (const Stmt *s : list)
    stmt(*s);
  --depth;
}

void Printer::block(const StmtList &body) {
  os << "{\n";
  list(body);
  startLine() << '}';
}

void Printer::setRegion(const SetRegionStmt &stmt) {
  os << "region ";
  name(stmt.target);
  os << " = ";
  regionExpr(stmt.value);
  if (stmt.value.level)
    os << " level ", expr(stmt.value.level);
}

void Printer::regionExpr(const RegionExpr &value) {
  switch (value.kind) {
  case RegionExpr::Dims:
    os << '[';
    commas(value.dims, [&](const DimExpr &d) { dim(d); });
    os << ']';
    if (value.base)
      os << " from ", name(value.base);
    if (value.pattern)
      os << " pattern ", expr(value.pattern);
    return;
  case RegionExpr::Of:
  case RegionExpr::In:
    operands(value.direction);
    os << (value.kind == RegionExpr::Of ? " of " : " in ");
    return name(value.base);
  case RegionExpr::At:
  case RegionExpr::By:
    name(value.base);
    os << (value.kind == RegionExpr::At ? " at " : " by ");
    return operands(value.direction);
  case RegionExpr::Same:
    return name(value.base);
  case RegionExpr::Declared:
    os << "declared ";
    return name(value.array);
  case RegionExpr::Where:
    name(value.base), os << " where ";
    if (value.array)
      return name(value.array);
    if (value.condition)
      return os << "each ", expr(value.condition);
    os << (value.isWhole ? "all" : "undefined");
    return;
  }
}

void Printer::checkShape(const CheckShapeStmt &stmt) {
  os << "check-shape " << quote(stmt.textA) << ' ';
  expr(stmt.extentA);
  os << ", " << quote(stmt.textB) << ' ';
  expr(stmt.extentB);
  os << " dim " << stmt.dim;
}

void Printer::resize(const ResizeStmt &stmt) {
  os << "resize ", name(stmt.variable), os << " (";
  for (auto [i, bound] : enumerate(stmt.bounds)) {
    os << (i ? ", " : ""), name(bound), os << " = ";
    expr(stmt.lengths[i]);
  }
  os << ')';
}

void Printer::checkThat(const CheckThatStmt &stmt) {
  os << "check-that ";
  expr(stmt.condition);
  os << ", " << quote(stmt.text);
  if (stmt.values.empty())
    return;
  os << ' ';
  operands(stmt.values);
}

void Printer::call(const CallStmt &stmt) {
  if (stmt.result)
    name(stmt.result), os << " = ";
  expr(stmt.call);
}

void Printer::combine(const CombineStmt &stmt) {
  if (stmt.phase == CombineStmt::End) {
    os << "combine-end ", name(stmt.variable);
    for (const CombineStmt::Value &other : stmt.others)
      os << ", ", name(other.variable);
    return;
  }
  os << (stmt.phase == CombineStmt::Begin ? "combine-begin " : "combine ");
  for (auto [k, value] : enumerate(stmt.values())) {
    os << (k ? ", " : "");
    reduction(value.op, value.with);
    os << ' ', name(value.variable);
  }
  if (stmt.region)
    over(stmt.region);
}

void Printer::builtin(const BuiltinStmt &stmt) {
  os << "builtin ";
  if (stmt.result)
    name(stmt.result), os << " = ";
  os << text(stmt.fn);
  operands(stmt.args);
  if (stmt.place)
    os << " to ", expr(stmt.place);
}

void Printer::bindIo(const BindIoStmt &stmt) {
  os << (stmt.procedure || stmt.like ? "bind " : "unbind ")
     << (stmt.isRead ? "read " : "write ");
  name(stmt.array);
  if (stmt.procedure)
    os << ' ', name(stmt.procedure);
  if (stmt.like)
    os << " like ", name(stmt.like);
}

void Printer::sort(const SortStmt &stmt) {
  os << "sort ";
  commas(stmt.arrays, [&](const Array *array) { name(array); });
  os << " over ", name(stmt.region);
  if (stmt.isDescending)
    os << " descending";
  if (stmt.with)
    os << " with ", name(stmt.with);
}

void Printer::point(const TransferPointStmt &stmt) {
  static constexpr const char *Points[] = {"dr ", "sr ", "dn ", "sv "};
  os << Points[stmt.point];
  name(stmt.transfer);
}

void Printer::read(const ReadStmt &stmt) {
  os << (stmt.binary ? "bread " : "read ");
  expr(stmt.file);
  os << " (";
  commas(stmt.items, [&](const ReadItem &item) {
    if (item.array) {
      os << "array ", name(item.array);
      os << " over ", name(item.region);
    } else {
      expr(item.place);
    }
    if (item.format)
      os << " format ", expr(item.format);
  });
  os << ')';
}

void Printer::write(const WriteStmt &stmt) {
  os << (stmt.binary ? "bwrite " : "write ");
  expr(stmt.file);
  os << " (";
  commas(stmt.items, [&](const WriteItem &item) {
    if (item.array) {
      os << "array ";
      name(item.array);
      os << " over ";
      name(item.region);
    } else if (item.value) {
      expr(item.value);
    } else {
      os << quote(item.text);
    }
    if (item.format)
      os << " format ", expr(item.format);
  });
  os << ')';
}

void Printer::timer(const TimerStmt &stmt) {
  static constexpr const char *Ops[] = {"reset", "check", "clear",
                                        "start", "stop",  "read"};
  os << "timer " << Ops[stmt.op];
  if (stmt.timer)
    os << ' ', name(stmt.timer);
  if (stmt.sync)
    os << " sync ", expr(stmt.sync);
  if (stmt.result)
    os << " to ", name(stmt.result);
}

void Printer::conditional(const IfStmt &stmt) {
  os << "if ";
  expr(stmt.condition);
  os << ' ';
  block(stmt.thenBody);
  if (!stmt.elseBody.empty())
    os << " else ", block(stmt.elseBody);
}

void Printer::loopWhile(const WhileStmt &stmt) {
  os << "while ";
  if (!stmt.prelude.empty())
    block(stmt.prelude), os << " test ";
  expr(stmt.condition);
  os << " do ";
  block(stmt.body);
}

void Printer::loopUntil(const RepeatStmt &stmt) {
  os << "repeat ";
  block(stmt.body);
  os << " until ";
  if (!stmt.prelude.empty())
    block(stmt.prelude), os << " test ";
  expr(stmt.condition);
}

void Printer::loopFor(const ForStmt &stmt) {
  os << "for ";
  expr(stmt.variable);
  os << " = ";
  expr(stmt.from);
  os << (stmt.down ? " downto " : " to ");
  expr(stmt.bound);
  os << " by ";
  expr(stmt.step);
  os << ' ';
  block(stmt.body);
}

void Printer::elementOp(const ElementOp &op) {
  startLine();
  switch (op.kind) {
  case ElementOp::Store:
    os << (op.streams ? "stream " : "store ");
    expr(op.target);
    os << " = ";
    break;
  case ElementOp::Accumulate:
    os << "accumulate " << (op.anew ? "anew " : "") << text(op.op) << ' ';
    if (op.accumulator)
      name(op.accumulator);
    else
      expr(op.target);
    os << ", ";
    break;
  case ElementOp::Call:
    os << (op.accumulates ? "accumulate " : "");
    break;
  case ElementOp::Let:
    os << "let ", name(op.variable);
    os << " = ";
    break;
  }
  expr(op.value);
  if (!op.carries.empty())
    os << " was ";
  commas(op.carries, [&](const Carry &carry) {
    name(carry.source);
    if (carry.back != 1)
      os << " back " << carry.back;
    if (carry.stride != 1)
      os << " stride " << carry.stride;
  });
  if (op.guard)
    os << " where ", expr(op.guard);
  os << '\n';
}

void Printer::scope(const Region *region, const Expr *guard) {
  os << '[', name(region);
  if (guard)
    os << " where ", expr(guard);
  os << "] ";
}

void Printer::timeSteps(const TimeSteps &time) {
  os << " steps ", name(time.taken);
  os << " of ", expr(time.most);
  os << " lag " << time.lag;
  if (time.clock) {
    os << " clock ", name(time.clock);
    os << " by " << time.by;
  }
  listed(" swaps", time.swaps, [&](const auto &pair) {
    name(pair.first);
    os << " for ", name(pair.second);
  });
  listed(" brings", time.brings,
         [&](const Transfer *transfer) { name(transfer); });
  dimensions(" wraps (", time.wraps);
}

void Printer::level(const LoopLevel &level) {
  if (level.isTimes)
    os << "times";
  else
    os << level.dim << (level.flat ? " flat" : level.down ? " down" : " up");
  StringRef before = " likely ";
  for (const LikelyBounds &bounds : level.likely) {
    os << before << bounds.lo << " .. " << bounds.hi;
    before = " or ";
  }
  if (level.unroll != 1)
    os << " unroll " << level.unroll;
  if (level.tile != 0)
    os << " tile " << level.tile;
}

void Printer::walker(const Walker &walker) {
  name(walker.array);
  os << '[';
  ListSeparator comma(",");
  for (int dim : walker.bumps)
    os << comma << (dim < 0 ? "_" : std::to_string(dim));
  os << ']';
}

void Printer::part(ArrayRef<ElementOp> part) {
  unsigned delay = part.front().delay;
  if (delay != 0) {
    startLine() << "after " << delay << " {\n";
    ++depth;
  }
  for (const ElementOp &op : part)
    elementOp(op);
  if (delay != 0) {
    --depth;
    startLine() << "}\n";
  }
}

void Printer::mloop(const MLoopStmt &stmt) {
  os << "mloop ";
  name(stmt.region);
  listed(" awaits", stmt.awaits,
         [&](const Transfer *transfer) { name(transfer); });
  if (stmt.times)
    os << " times ", expr(stmt.times);
  if (stmt.time.most)
    timeSteps(stmt.time);
  os << " levels(";
  commas(stmt.levels, [&](const LoopLevel &level) { this->level(level); });
  os << ')';
  if (stmt.rows != 1)
    os << " rows " << stmt.rows << " skew " << stmt.skew
       << (stmt.inLanes ? " lanes" : "");
  if (!stmt.ahead.empty())
    os << " ahead ", items(stmt.ahead);
  listed(" ways", stmt.ways, [&](LoopWay way) { os << nameOf(way); });
  listed(" walkers", stmt.walkers,
         [&](const Walker &walker) { this->walker(walker); });
  os << " {\n";
  ++depth;
  for (ArrayRef<ElementOp> part : partsOf(stmt))
    this->part(part);
  --depth;
  startLine() << '}';
}

/// Those kinds of statements that have no function of their own are printed
/// here.
struct Printer::Line {
  Printer &p;
  raw_ostream &os = p.os;

  /// `free %x`, and so for other words.
  void named(StringRef word, const auto *named) {
    os << word << ' ';
    p.name(named);
  }
  void of(const SetStmt &s) {
    os << "set ", p.expr(s.target);
    os << " = ", p.expr(s.value);
  }
  void of(const SetRegionStmt &s) { p.setRegion(s); }
  void of(const DeclareRegionStmt &s) { named("declare-region", s.region); }
  void of(const SetGridStmt &s) { p.setGrid(s); }
  void of(const SetDistributionStmt &s) { p.setDistribution(s); }
  void of(const MoveStmt &s) { p.move(s); }
  void of(const PatternStmt &s) { p.pattern(s); }
  void of(const KeepPatternStmt &s) {
    os << "keep-pattern ", p.expr(s.place);
    os << " = ", p.name(s.region);
  }
  void of(const AskPatternStmt &s) { p.askPattern(s); }
  void of(const ModifyStmt &s) {
    named(s.begins ? "modify-begin" : "modify-end", s.region);
  }
  void of(const AddIndexStmt &s) { p.addIndex(s); }
  void of(const IrvStmt &s) { p.irv(s); }
  void of(const FetchStmt &s) { p.fetch(s); }
  void of(const StoreStmt &s) { p.store(s); }
  void of(const AllocArrayStmt &s) {
    named("alloc", s.array);
    if (s.like)
      os << " like ", p.name(s.like);
    if (s.follows)
      os << " follows ", p.expr(s.follows);
  }
  void of(const BindArrayStmt &s) {
    named("bind", s.array);
    os << " = ", p.expr(s.place);
  }
  void of(const ReallocStmt &s) {
    os << "realloc over ", p.expr(s.key);
    os << " = ", p.name(s.region);
    os << (s.preserves ? " preserving" : "");
  }
  void of(const FreeArrayStmt &s) { named("free", s.array); }
  void of(const AllocVariableStmt &s) {
    named("alloc", s.variable);
    os << (s.isRaw ? " raw" : "");
  }
  void of(const FreeVariableStmt &s) { named("free", s.variable); }
  void of(const ResizeStmt &s) { p.resize(s); }
  void of(const ShiftStmt &s) { p.shift(s); }
  void of(const FloodStmt &s) { p.flood(s); }
  void of(const PutStmt &s) { p.put(s); }
  void of(const FoldStmt &s) { p.fold(s); }
  void of(const CombineArrayStmt &s) { p.combineArray(s); }
  void of(const ScanStmt &s) { p.scan(s); }
  void of(const OperatorEndStmt &s) {
    named(s.ofScan ? "scan-end" : "flood-end", s.target);
  }
  void of(const GatherStmt &s) { p.gather(s); }
  void of(const ScatterStmt &s) { p.scatter(s); }
  void of(const WindowStmt &s) { p.window(s); }
  void of(const BoundaryStmt &s) { p.boundary(s); }
  void of(const CheckStmt &s) { p.check(s); }
  void of(const CheckShapeStmt &s) { p.checkShape(s); }
  void of(const CheckThatStmt &s) { p.checkThat(s); }
  void of(const CallStmt &s) { p.call(s); }
  void of(const CombineStmt &s) { p.combine(s); }
  void of(const WriteStmt &s) { p.write(s); }
  void of(const ReadStmt &s) { p.read(s); }
  void of(const BuiltinStmt &s) { p.builtin(s); }
  void of(const BindIoStmt &s) { p.bindIo(s); }
  void of(const SortStmt &s) { p.sort(s); }
  void of(const ConfigStmt &s) {
    named("config", s.variable);
    os << ' ', p.block(s.defaults);
  }
  void of(const HaltStmt &s) {
    os << "halt";
    if (s.status)
      os << ' ', p.expr(s.status);
  }
  void of(const MissingReturnStmt &s) {
    os << "missing-return " << quote(s.procedure);
  }
  void of(const TimerStmt &s) { p.timer(s); }
  void of(const IfStmt &s) { p.conditional(s); }
  void of(const WhileStmt &s) { p.loopWhile(s); }
  void of(const RepeatStmt &s) { p.loopUntil(s); }
  void of(const ForStmt &s) { p.loopFor(s); }
  void of(const ExitStmt &) { os << "exit"; }
  void of(const ContinueStmt &) { os << "continue"; }
  void of(const ReturnStmt &s) {
    os << "return";
    if (s.value)
      os << ' ', p.expr(s.value);
  }
  void of(const TransferPointStmt &s) { p.point(s); }
  void of(const ArrayAssignStmt &s) {
    p.scope(s.region, s.guard);
    p.expr(s.target);
    os << " = ", p.expr(s.value);
  }
  void of(const OneOf<ReduceStmt, ReduceArrayStmt> auto &s) {
    p.scope(s.region, s.guard);
    p.name(s.target);
    os << " = reduce " << text(s.op) << ' ';
    p.expr(s.value);
  }
  void of(const ElementCallStmt &s) {
    p.scope(s.region, s.guard);
    os << (s.accumulates ? "accumulate " : "");
    p.expr(s.call);
  }
  void of(const MLoopStmt &s) { p.mloop(s); }
  void of(const WaveStmt &s) { p.wave(s); }
  void of(const BoxesStmt &s) { p.boxes(s); }
  void of(const InterleaveStmt &s) { p.interleave(s); }
  void of(const StripsStmt &s) { p.strips(s); }
};

void Printer::line(const Stmt &stmt) {
  visitKind(stmt, [&](const auto &known) { Line{*this}.of(known); });
}

//===----------------------------------------------------------------------===//
// Interface
//===----------------------------------------------------------------------===//

void print(const Module &module, raw_ostream &os) {
  Printer(os).module(module);
}

void print(const Procedure &procedure, raw_ostream &os) {
  Printer(os).procedure(procedure);
}

void print(const Stmt &stmt, raw_ostream &os) { Printer(os).stmt(stmt); }

void print(const Expr &expr, raw_ostream &os) { Printer(os).expr(&expr); }

template <typename T> static std::string nameOf(const T &named) {
  std::string result;
  raw_string_ostream os(result);
  Printer(os).name(&named);
  return result;
}

std::string printedName(const Variable &variable) { return nameOf(variable); }
std::string printedName(const Region &region) { return nameOf(region); }
std::string printedName(const Array &array) { return nameOf(array); }
std::string printedName(const Transfer &transfer) { return nameOf(transfer); }
std::string printedName(const Procedure &procedure) {
  return nameOf(procedure);
}

std::string printed(const Offset &offset) {
  std::string result;
  raw_string_ostream os(result);
  Printer(os).offset(offset);
  return result;
}

} // namespace zpl::air
