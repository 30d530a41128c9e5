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
    return;
  }
  os << (stmt.phase == CombineStmt::Begin ? "combine-begin " : "combine ");
  reduction(stmt.op, stmt.with);
  os << ' ', name(stmt.variable);
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

void Printer::mloop(const MLoopStmt &stmt) {
  os << "mloop ";
  name(stmt.region);
  if (!stmt.awaits.empty()) {
    os << " awaits(";
    commas(stmt.awaits, [&](const Transfer *transfer) { name(transfer); });
    os << ')';
  }
  if (stmt.times)
    os << " times ", expr(stmt.times);
  if (const TimeSteps &time = stmt.time; time.most) {
    os << " steps ", name(time.taken);
    os << " of ", expr(time.most);
    os << " lag " << time.lag;
    if (time.clock) {
      os << " clock ", name(time.clock);
      os << " by " << time.by;
    }
    if (!time.swaps.empty()) {
      os << " swaps(";
      commas(time.swaps, [&](const auto &pair) {
        name(pair.first);
        os << " for ", name(pair.second);
      });
      os << ')';
    }
  }
  os << " levels(";
  commas(stmt.levels, [&](const LoopLevel &level) {
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
  });
  os << ')';
  if (stmt.rows != 1)
    os << " rows " << stmt.rows << " skew " << stmt.skew
       << (stmt.inLanes ? " lanes" : "");
  if (!stmt.ahead.empty())
    os << " ahead ", items(stmt.ahead);
  if (!stmt.ways.empty()) {
    os << " ways(";
    commas(stmt.ways, [&](LoopWay way) { os << nameOf(way); });
    os << ')';
  }
  if (!stmt.walkers.empty()) {
    os << " walkers(";
    commas(stmt.walkers, [&](const Walker &walker) {
      name(walker.array);
      os << '[';
      ListSeparator comma(",");
      for (int dim : walker.bumps)
        os << comma << (dim < 0 ? "_" : std::to_string(dim));
      os << ']';
    });
    os << ')';
  }
  os << " {\n";
  ++depth;
  for (ArrayRef<ElementOp> part : partsOf(stmt)) {
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
  --depth;
  startLine() << '}';
}

void Printer::line(const Stmt &stmt) {
  switch (stmt.kind) {
  case StmtKind::Set:
    os << "set ", expr(cast<SetStmt>(stmt).target), os << " = ";
    return expr(cast<SetStmt>(stmt).value);
  case StmtKind::SetRegion:
    return setRegion(cast<SetRegionStmt>(stmt));
  case StmtKind::DeclareRegion:
    os << "declare-region ";
    return name(cast<DeclareRegionStmt>(stmt).region);
  case StmtKind::SetGrid:
    return setGrid(cast<SetGridStmt>(stmt));
  case StmtKind::SetDistribution:
    return setDistribution(cast<SetDistributionStmt>(stmt));
  case StmtKind::Move:
    return move(cast<MoveStmt>(stmt));
  case StmtKind::Pattern:
    return pattern(cast<PatternStmt>(stmt));
  case StmtKind::KeepPattern:
    os << "keep-pattern ", expr(cast<KeepPatternStmt>(stmt).place);
    os << " = ";
    return name(cast<KeepPatternStmt>(stmt).region);
  case StmtKind::AskPattern:
    return askPattern(cast<AskPatternStmt>(stmt));
  case StmtKind::Modify:
    os << (cast<ModifyStmt>(stmt).begins ? "modify-begin " : "modify-end ");
    return name(cast<ModifyStmt>(stmt).region);
  case StmtKind::AddIndex:
    return addIndex(cast<AddIndexStmt>(stmt));
  case StmtKind::Irv:
    return irv(cast<IrvStmt>(stmt));
  case StmtKind::Fetch:
    return fetch(cast<FetchStmt>(stmt));
  case StmtKind::Store:
    return store(cast<StoreStmt>(stmt));
  case StmtKind::AllocArray:
    os << "alloc ", name(cast<AllocArrayStmt>(stmt).array);
    if (auto *like = cast<AllocArrayStmt>(stmt).like)
      os << " like ", name(like);
    if (auto *key = cast<AllocArrayStmt>(stmt).follows)
      os << " follows ", expr(key);
    return;
  case StmtKind::BindArray:
    os << "bind ", name(cast<BindArrayStmt>(stmt).array);
    os << " = ";
    return expr(cast<BindArrayStmt>(stmt).place);
  case StmtKind::Realloc:
    os << "realloc over ", expr(cast<ReallocStmt>(stmt).key);
    os << " = ", name(cast<ReallocStmt>(stmt).region);
    if (cast<ReallocStmt>(stmt).preserves)
      os << " preserving";
    return;
  case StmtKind::FreeArray:
    os << "free ";
    return name(cast<FreeArrayStmt>(stmt).array);
  case StmtKind::AllocVariable:
    os << "alloc ", name(cast<AllocVariableStmt>(stmt).variable);
    os << (cast<AllocVariableStmt>(stmt).isRaw ? " raw" : "");
    return;
  case StmtKind::FreeVariable:
    os << "free ";
    return name(cast<FreeVariableStmt>(stmt).variable);
  case StmtKind::Resize:
    return resize(cast<ResizeStmt>(stmt));
  case StmtKind::Shift:
    return shift(cast<ShiftStmt>(stmt));
  case StmtKind::Flood:
    return flood(cast<FloodStmt>(stmt));
  case StmtKind::Put:
    return put(cast<PutStmt>(stmt));
  case StmtKind::Fold:
    return fold(cast<FoldStmt>(stmt));
  case StmtKind::CombineArray:
    return combineArray(cast<CombineArrayStmt>(stmt));
  case StmtKind::Scan:
    return scan(cast<ScanStmt>(stmt));
  case StmtKind::OperatorEnd: {
    auto &end = cast<OperatorEndStmt>(stmt);
    os << (end.ofScan ? "scan-end " : "flood-end "), name(end.target);
    return;
  }
  case StmtKind::Gather:
    return gather(cast<GatherStmt>(stmt));
  case StmtKind::Scatter:
    return scatter(cast<ScatterStmt>(stmt));
  case StmtKind::Window:
    return window(cast<WindowStmt>(stmt));
  case StmtKind::Boundary:
    return boundary(cast<BoundaryStmt>(stmt));
  case StmtKind::Check:
    return check(cast<CheckStmt>(stmt));
  case StmtKind::CheckShape:
    return checkShape(cast<CheckShapeStmt>(stmt));
  case StmtKind::CheckThat:
    return checkThat(cast<CheckThatStmt>(stmt));
  case StmtKind::Call:
    return call(cast<CallStmt>(stmt));
  case StmtKind::Combine:
    return combine(cast<CombineStmt>(stmt));
  case StmtKind::Write:
    return write(cast<WriteStmt>(stmt));
  case StmtKind::Read:
    return read(cast<ReadStmt>(stmt));
  case StmtKind::Builtin:
    return builtin(cast<BuiltinStmt>(stmt));
  case StmtKind::BindIo:
    return bindIo(cast<BindIoStmt>(stmt));
  case StmtKind::Sort:
    return sort(cast<SortStmt>(stmt));
  case StmtKind::Config:
    os << "config ", name(cast<ConfigStmt>(stmt).variable), os << ' ';
    return block(cast<ConfigStmt>(stmt).defaults);
  case StmtKind::Halt:
    os << "halt";
    if (const Expr *status = cast<HaltStmt>(stmt).status)
      os << ' ', expr(status);
    return;
  case StmtKind::MissingReturn:
    os << "missing-return " << quote(cast<MissingReturnStmt>(stmt).procedure);
    return;
  case StmtKind::Timer:
    return timer(cast<TimerStmt>(stmt));
  case StmtKind::If:
    return conditional(cast<IfStmt>(stmt));
  case StmtKind::While:
    return loopWhile(cast<WhileStmt>(stmt));
  case StmtKind::Repeat:
    return loopUntil(cast<RepeatStmt>(stmt));
  case StmtKind::For:
    return loopFor(cast<ForStmt>(stmt));
  case StmtKind::Exit:
    os << "exit";
    return;
  case StmtKind::Continue:
    os << "continue";
    return;
  case StmtKind::Return:
    os << "return";
    if (auto *value = cast<ReturnStmt>(stmt).value)
      os << ' ', expr(value);
    return;
  case StmtKind::TransferPoint:
    return point(cast<TransferPointStmt>(stmt));
  case StmtKind::ArrayAssign: {
    const auto &assign = cast<ArrayAssignStmt>(stmt);
    scope(assign.region, assign.guard);
    expr(assign.target), os << " = ";
    return expr(assign.value);
  }
  case StmtKind::Reduce: {
    const auto &reduce = cast<ReduceStmt>(stmt);
    scope(reduce.region, reduce.guard);
    name(reduce.target), os << " = reduce " << text(reduce.op) << ' ';
    return expr(reduce.value);
  }
  case StmtKind::ReduceArray: {
    const auto &reduce = cast<ReduceArrayStmt>(stmt);
    scope(reduce.region, reduce.guard);
    name(reduce.target), os << " = reduce " << text(reduce.op) << ' ';
    return expr(reduce.value);
  }
  case StmtKind::ElementCall: {
    const auto &call = cast<ElementCallStmt>(stmt);
    scope(call.region, call.guard);
    os << (call.accumulates ? "accumulate " : "");
    return expr(call.call);
  }
  case StmtKind::MLoop:
    return mloop(cast<MLoopStmt>(stmt));
  case StmtKind::Wave:
    return wave(cast<WaveStmt>(stmt));
  case StmtKind::Boxes:
    return boxes(cast<BoxesStmt>(stmt));
  case StmtKind::Interleave:
    return interleave(cast<InterleaveStmt>(stmt));
  }
  llvm_unreachable("a statement outside its enumeration");
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
