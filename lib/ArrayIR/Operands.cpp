//===- Operands.cpp - What statements name --------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     scan %T = sum %A over %R dims (1) where %M
//
// writes %T, and reads %A, %M and %R. That is said of each statement by one
// member function below; all else that wants to know it is derived.
//
// Cost: one indirect call per operand.
//
//===----------------------------------------------------------------------===//

#include "zpl/ArrayIR/Operands.h"

using namespace llvm;

namespace zpl::air {
namespace {

class OperandVisitor {
public:
  explicit OperandVisitor(function_ref<void(const Operand &)> visit)
      : visit(visit) {}

  void of(SetStmt &s) {
    write(s.target);
    read(s.value);
  }
  void of(SetRegionStmt &s) {
    write(s.target);
    for (DimExpr &dim : s.value.dims)
      read(dim.lo, dim.hi, dim.stride, dim.align);
    readAll(s.value.direction);
    read(s.value.level, s.value.pattern, s.value.base, s.value.array,
         s.value.condition);
  }
  void of(DeclareRegionStmt &s) { read(s.region); }
  void of(BindArrayStmt &s) {
    visit({&s.array, Use::Bind});
    read(s.place);
  }
  void of(AllocArrayStmt &s) {
    write(s.array);
    read(s.like, s.follows);
  }
  /// What it changes is known to the run: the arrays that follow.
  void of(ReallocStmt &s) { read(s.key, s.region); }
  void of(FreeArrayStmt &s) { write(s.array); }
  void of(AllocVariableStmt &s) { write(s.variable); }
  void of(FreeVariableStmt &s) { write(s.variable); }
  void of(ResizeStmt &s) {
    write(s.variable);
    for (Variable *&bound : s.bounds)
      write(bound);
    readAll(s.lengths);
  }

  void of(SetGridStmt &s) { readAll(s.extents); }
  void of(SetDistributionStmt &s) {
    for (DistributionRule &rule : s.rules) {
      read(rule.lo, rule.hi, rule.points);
      visit({&rule.owner, Use::Bind});
    }
    read(s.weights.array, s.weights.region, s.weights.mask.array);
  }
  void of(MoveStmt &s) {
    write(s.target);
    read(s.source, s.region);
  }
  /// What it changes beside the region is known to the run: arrays over it.
  void of(PatternStmt &s) {
    write(s.region);
    read(s.value, s.array, s.condition, s.file);
  }
  void of(KeepPatternStmt &s) {
    write(s.place);
    read(s.region);
  }
  void of(AskPatternStmt &s) {
    write(s.result);
    read(s.region);
    readAll(s.index);
  }
  void of(ModifyStmt &s) { write(s.region); }
  void of(AddIndexStmt &s) {
    read(s.region, s.over, s.mask.array);
    readAll(s.index);
    readMaps(s.maps);
  }
  void of(IrvStmt &s) {
    visit({&s.array, s.sets ? Use::Write : Use::Read});
    visit({&s.variable, s.sets ? Use::Read : Use::Write});
  }
  void of(FetchStmt &s) {
    write(s.target);
    read(s.source, s.region);
    readAll(s.direction);
  }
  void of(StoreStmt &s) {
    write(s.target);
    read(s.source, s.region, s.mask.array);
    readAll(s.direction);
  }
  void of(ShiftStmt &s) {
    for (ShiftView &view : s.views) {
      write(view.target);
      readAll(view.direction);
    }
    read(s.source, s.region);
  }
  void of(FloodStmt &s) {
    write(s.target);
    read(s.source, s.from, s.slot, s.times);
  }
  void of(PutStmt &s) {
    write(s.target);
    read(s.source, s.region, s.mask.array);
    readAll(s.direction);
  }
  void of(FoldStmt &s) {
    write(s.target);
    write(s.variable);
    read(s.source, s.region, s.mask.array);
  }
  void of(CombineArrayStmt &s) {
    write(s.array);
    read(s.carriesOver, s.restarts);
    read(s.with);
    for (CombineArrayStmt::Value &other : s.others) {
      write(other.array);
      read(other.with);
    }
  }
  void of(ScanStmt &s) {
    write(s.target);
    read(s.source, s.region, s.segment, s.mask.array, s.identity, s.with);
  }
  void of(OperatorEndStmt &s) { write(s.target); }
  void of(GatherStmt &s) {
    write(s.target);
    read(s.source, s.region, s.mask.array);
    readMaps(s.maps);
  }
  void of(ScatterStmt &s) {
    write(s.target);
    read(s.source, s.region, s.mask.array, s.combine);
    readMaps(s.maps);
  }
  void of(WindowStmt &s) {
    bool isMerge = s.form == WindowStmt::Merge;
    if (isMerge) {
      read(s.window);
      write(s.array);
    } else {
      write(s.window);
      read(s.array);
    }
    for (Array *&other : s.others)
      write(other);
    read(s.region, s.combine);
    for (WindowReference &reference : s.references) {
      write(reference.positions);
      readMaps(reference.maps);
      read(reference.mask.array);
    }
  }
  void of(BoxesStmt &s) {
    write(s.box);
    read(s.region);
    write(s.window);
    read(s.array);
    readMaps(s.maps);
    read(s.body);
  }
  void of(BoundaryStmt &s) {
    write(s.array);
    read(s.base);
    readAll(s.direction);
  }

  void of(CheckStmt &s) {
    read(s.array, s.region, s.over, s.mask.array);
    readMaps(s.maps);
    readAll(s.direction);
  }
  void of(CheckShapeStmt &s) { read(s.extentA, s.extentB); }
  void of(CheckThatStmt &s) {
    read(s.condition);
    readAll(s.values);
  }

  void of(CallStmt &s) {
    write(s.result);
    read(s.call);
  }
  void of(CombineStmt &s) {
    write(s.variable);
    read(s.region, s.with);
    for (CombineStmt::Value &other : s.others) {
      write(other.variable);
      read(other.with);
    }
  }
  void of(WriteStmt &s) {
    read(s.file);
    for (WriteItem &item : s.items)
      read(item.value, item.array, item.region, item.format);
  }
  void of(ReadStmt &s) {
    read(s.file);
    for (ReadItem &item : s.items) {
      write(item.place);
      write(item.array);
      read(item.region, item.format);
    }
  }
  void of(BuiltinStmt &s) {
    write(s.result);
    write(s.place);
    readAll(s.args);
  }
  void of(BindIoStmt &s) {
    read(s.array, s.like);
    visit({&s.procedure, Use::Bind});
  }
  void of(SortStmt &s) {
    for (Array *&array : s.arrays)
      write(array);
    read(s.region, s.with);
  }
  void of(ConfigStmt &s) {
    write(s.variable);
    read(s.defaults);
  }
  /// The timer's value is the runtime's.
  void of(TimerStmt &s) {
    read(s.timer, s.sync);
    write(s.result);
  }

  void of(HaltStmt &s) { read(s.status); }
  void of(MissingReturnStmt &) {}
  void of(ExitStmt &) {}
  void of(ContinueStmt &) {}
  void of(TransferPointStmt &) {}
  void of(ReturnStmt &s) { read(s.value); }
  void of(IfStmt &s) { read(s.condition, s.thenBody, s.elseBody); }
  void of(WhileStmt &s) { read(s.prelude, s.condition, s.body); }
  void of(RepeatStmt &s) { read(s.body, s.prelude, s.condition); }
  void of(ForStmt &s) {
    write(s.variable);
    read(s.from, s.bound, s.step, s.body);
  }

  void of(ArrayAssignStmt &s) {
    read(s.region, s.guard);
    write(s.target);
    read(s.value);
  }
  void of(ReduceStmt &s) {
    write(s.target);
    read(s.region, s.guard, s.value);
  }
  void of(ReduceArrayStmt &s) {
    write(s.target);
    read(s.region, s.guard, s.value);
  }
  void of(ElementCallStmt &s) { read(s.region, s.guard, s.call); }
  void of(MLoopStmt &s) {
    read(s.region, s.times, s.time.most);
    write(s.time.taken);
    again(s.time.clock);
    for (auto &[array, rows] : s.time.swaps) {
      again(array);
      again(rows);
    }
    for (Walker &walker : s.walkers)
      again(walker.array);
    for (auto &[array, offset] : s.ahead)
      again(array);
    for (ElementOp &op : s.body) {
      write(op.target);
      write(op.accumulator);
      write(op.variable);
      for (Carry &carry : op.carries)
        again(carry.source);
      read(op.value, op.guard);
    }
  }
  /// Its M-loop stores into the primed arrays.
  void of(WaveStmt &s) {
    if (s.tile == s.region)
      again(s.tile);
    else
      write(s.tile);
    read(s.region);
    for (auto &[array, offset] : s.primed)
      read(array);
    read(s.body);
  }
  void of(InterleaveStmt &s) { read(s.body); }
  void of(StripsStmt &s) {
    read(s.time.most);
    write(s.time.taken);
    again(s.time.clock);
    read(s.body);
  }

private:
  template <typename... Slots> void read(Slots &...slots) {
    (visit({&slots, Use::Read}), ...);
  }
  template <typename Slot> void write(Slot &slot) {
    visit({&slot, Use::Write});
  }
  template <typename Slot> void again(Slot &slot) {
    visit({&slot, Use::Again});
  }
  void readAll(MutableArrayRef<const Expr *> exprs) {
    for (const Expr *&expr : exprs)
      read(expr);
  }
  void readMaps(MutableArrayRef<Map> maps) {
    for (Map &map : maps)
      read(map.array, map.scalar, map.value);
  }

  function_ref<void(const Operand &)> visit;
};

} // namespace

void forEachOperand(Stmt &stmt, function_ref<void(const Operand &)> visit) {
  OperandVisitor visitor(visit);
  visitKind(stmt, [&](auto &s) { visitor.of(s); });
}

void forEachOperand(const Stmt &stmt,
                    function_ref<void(const Operand &)> visit) {
  // The slots are of a statement that may be changed; who asks here does not.
  forEachOperand(const_cast<Stmt &>(stmt), visit);
}

} // namespace zpl::air
