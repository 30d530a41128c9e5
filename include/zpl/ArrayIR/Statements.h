//===- Statements.h - The array IR: statements ------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The statements of both forms but M-loops (LoopStatements.h). Included
/// through ArrayIR.h, which says what they mean.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_ARRAYIR_STATEMENTS_H
#define ZPL_ARRAYIR_STATEMENTS_H

#include "zpl/ArrayIR/Communication.h"
#include <vector>

namespace zpl::air {

/// `set %x = e`, `set %t.f[%i] = e`. Aggregates are copied as a whole; the
/// value's memory may be that of the target.
struct SetStmt : Stmt {
  const Expr *target; ///< a place that starts from a variable
  const Expr *value;  ///< of the target's type
  SetStmt(const Expr *target, const Expr *value, SourceRange range)
      : Stmt(StmtKind::Set, range), target(target), value(value) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Set; }
};

/// `region %R = ...`.
struct SetRegionStmt : Stmt {
  Region *target;
  RegionExpr value;
  SetRegionStmt(Region *target, RegionExpr value, SourceRange range)
      : Stmt(StmtKind::SetRegion, range), target(target),
        value(std::move(value)) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::SetRegion; }
};

/// Tells the runtime of the region of a global declaration before its rank is
/// distributed.
struct DeclareRegionStmt : Stmt {
  Region *region;
  DeclareRegionStmt(Region *region, SourceRange range)
      : Stmt(StmtKind::DeclareRegion, range), region(region) {}
  static bool classof(const Stmt *s) {
    return s->kind == StmtKind::DeclareRegion;
  }
};

/// `grid @G = (i32 4, i32 0)`: its extents; 0: chosen at start. `grid @G = @H
/// [keeping]`: those of H. Arrays over G that are there are distributed anew,
/// with their elements if `keeps`.
struct SetGridStmt : Stmt {
  const Grid *target;
  const Grid *value = nullptr; ///< of equal rank; null: `extents`
  llvm::SmallVector<const Expr *, 6> extents; ///< one per dimension, I32 or I64
  bool keeps = false;
  SetGridStmt(const Grid *target, SourceRange range)
      : Stmt(StmtKind::SetGrid, range), target(target) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::SetGrid; }
};

/// How one dimension is distributed.
struct DistributionRule {
  enum Kind : uint8_t {
    Block,       ///< `block`: over the box of the regions
    Bounded,     ///< `block(lo, hi)`
    Cyclic,      ///< `cyclic`
    BlockCyclic, ///< `blockcyclic(lo)`
    Cut,         ///< `cut(points)`
    None,        ///< `none`: one processor has all
    Owner        ///< `owner @f`
  } kind = Block;
  const Expr *lo = nullptr, *hi = nullptr; ///< I32 or I64
  /// A place that starts from a variable: an indexed array of I32s.
  const Expr *points = nullptr;
  /// Scalar; takes an index, the bounds and the number of processors by value
  /// and gives a processor from 0: all I32.
  Procedure *owner = nullptr;
};

/// What a distribution is balanced by: F64s, at indices of a region of its rank.
struct Weights {
  Array *array = nullptr;
  Region *region = nullptr;
  Mask mask;
};

/// `distribution @D = (block, cut(@c))` and `distribution @D = @E [keeping]`:
/// as SetGridStmt. The value has a grid, too, which D then is over.
/// `distribution @D = balance %W over %R keeping`: cut where each part has about
/// the same of the elements of W.
struct SetDistributionStmt : Stmt {
  const Distribution *target;
  const Distribution *value = nullptr; ///< of equal rank; null: what follows
  Weights weights;                     ///< no array: `rules`
  llvm::SmallVector<DistributionRule, 6> rules; ///< one per dimension
  bool keeps = false;
  SetDistributionStmt(const Distribution *target, SourceRange range)
      : Stmt(StmtKind::SetDistribution, range), target(target) {}
  static bool classof(const Stmt *s) {
    return s->kind == StmtKind::SetDistribution;
  }
};

/// `move %T = %A over %R`: T[i] = A[i] for i in R. Of all statements only this,
/// and Gather and Scatter for what is not over R, have arrays of two domains;
/// that of R is T's.
struct MoveStmt : Stmt {
  Array *target;
  Array *source;
  Region *region;
  MoveStmt(Array *target, Array *source, Region *region, SourceRange range)
      : Stmt(StmtKind::Move, range), target(target), source(source),
        region(region) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Move; }
};

/// `bind %A = %U[%l]`: the view A names the array at the place from here on. A
/// subscript outside the bounds ends the run.
struct BindArrayStmt : Stmt {
  Array *array;      ///< with `family`
  const Expr *place; ///< of a Handle type; starts from array->family
  BindArrayStmt(Array *array, const Expr *place, SourceRange range)
      : Stmt(StmtKind::BindArray, range), array(array), place(place) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::BindArray; }
};

/// `realloc over %R.var = %R [preserving]`: the arrays that were allocated
/// `following %R.var` get the region R, their elements at indices of both
/// regions or zeros.
struct ReallocStmt : Stmt {
  const Expr *key; ///< a place
  Region *region;
  bool preserves;
  ReallocStmt(const Expr *key, Region *region, bool preserves,
              SourceRange range)
      : Stmt(StmtKind::Realloc, range), key(key), region(region),
        preserves(preserves) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Realloc; }
};

/// Makes the array, zeroed, over its declared region with its fluff.
struct AllocArrayStmt : Stmt {
  Array *array;
  /// `like %A`: with the implicit storage of A, whatever that is, and A's
  /// elements there. Null: with the borders of `array`.
  Array *like = nullptr;
  /// A place: the array follows the region that ReallocStmt gives it under this
  /// key. Null: none.
  const Expr *follows = nullptr;
  AllocArrayStmt(Array *array, SourceRange range)
      : Stmt(StmtKind::AllocArray, range), array(array) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::AllocArray; }
};

struct FreeArrayStmt : Stmt {
  Array *array;
  FreeArrayStmt(Array *array, SourceRange range)
      : Stmt(StmtKind::FreeArray, range), array(array) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::FreeArray; }
};

/// Makes the memory, zeroed, of a variable that is onHeap, and fills in the
/// run-time parts of its type's descriptor. Ends the run if an upper bound that
/// is a local or parameter is more than one below its lower bound.
struct AllocVariableStmt : Stmt {
  Variable *variable;
  /// `raw`: with any values, for what is written before it is read.
  bool isRaw = false;
  AllocVariableStmt(Variable *variable, SourceRange range)
      : Stmt(StmtKind::AllocVariable, range), variable(variable) {}
  static bool classof(const Stmt *s) {
    return s->kind == StmtKind::AllocVariable;
  }
};

struct FreeVariableStmt : Stmt {
  Variable *variable;
  FreeVariableStmt(Variable *variable, SourceRange range)
      : Stmt(StmtKind::FreeVariable, range), variable(variable) {}
  static bool classof(const Stmt *s) {
    return s->kind == StmtKind::FreeVariable;
  }
};

/// `resize %a (%n = 10, %m = add(%k, 1))`: sets the variables that are the upper
/// bounds of %a, an indexed array from 1 that is onHeap. Elements at indices of
/// the old and the new bounds keep their values, others are zero. Ends the run
/// if a length is negative.
struct ResizeStmt : Stmt {
  Variable *variable;
  llvm::SmallVector<Variable *, 2> bounds;    ///< one per dimension
  llvm::SmallVector<const Expr *, 2> lengths; ///< as many, of type I64
  ResizeStmt(Variable *variable, SourceRange range)
      : Stmt(StmtKind::Resize, range), variable(variable) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Resize; }
};

/// Ends the run if a rule of language appendix B is broken.
struct CheckStmt : Stmt {
  enum Kind : uint8_t {
    Read,    ///< region moved by direction lies within the array's region
    Write,   ///< the same, for a target
    Formal,  ///< the array is declared over the very indices of region
    Bounds,  ///< the bounds of region fit 32 bits (array is null)
    Wrap,    ///< what `@^` demands of the array, region and direction
    Mask,    ///< the array is a mask and covers region
    Conform, ///< region and `over` have equal ranges (array is null)
    Maps,    ///< `maps` are indices of the array, where the mask leaves region
    WrapBorder,   ///< what `wrap` demands of the array: region is the base
    ReflectBorder ///< the same, of `reflect`
  } check;
  Array *array;
  Region *region;
  llvm::SmallVector<const Expr *, 6> direction; ///< empty: zero
  std::string text;               ///< the designator as written: "A@east"
  Region *over = nullptr;         ///< Conform
  llvm::SmallVector<Map, 6> maps; ///< Maps
  air::Mask mask;                 ///< Maps
  CheckStmt(Kind check, Array *array, Region *region,
            llvm::ArrayRef<const Expr *> direction, std::string text,
            SourceRange range)
      : Stmt(StmtKind::Check, range), check(check), array(array),
        region(region), direction(direction.begin(), direction.end()),
        text(std::move(text)) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Check; }
};

/// `call @p(...)` or `%x = call @p(...)`.
struct CallStmt : Stmt {
  Variable *result; ///< null: none, or dropped
  const CallExpr *call;
  CallStmt(Variable *result, const CallExpr *call, SourceRange range)
      : Stmt(StmtKind::Call, range), result(result), call(call) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Call; }
};

/// `combine max %x [over %R]`: combines one value per processor, in place;
/// afterwards all hold the same bits. R is the region whose elements were
/// combined: in dimensions flooded there one processor contributes.
/// `combine with @f %x ...`: by `call @f(ref a, ref b)`, a scalar procedure
/// that makes b the combination of both, a's elements being before b's; what it
/// leaves in a does not matter.
/// `combine-begin max %x [over %R]` and `combine-end %x` are its halves. The
/// end stands after the begin in the same list, with the same variables;
/// between them these are neither read nor written, and mayStandInSplit
/// (Walk.h) says what else may be there.
/// `combine sum %x, max %y, with @f %z [over %R]`: several at once, which the
/// same processors contribute to, in one message. The operators are applied in
/// this order; the variables are different ones.
struct CombineStmt : Stmt {
  enum Phase : uint8_t { Whole, Begin, End };
  Phase phase = Whole;
  Reduction op;              ///< not of an end
  Procedure *with = nullptr; ///< instead of op; not of a begin or end
  Variable *variable;
  Region *region; ///< null: one value per processor; not of an end
  struct Value {
    Reduction op;
    Procedure *with;
    Variable *variable;
  };
  llvm::SmallVector<Value, 2> others; ///< beside the first
  CombineStmt(Reduction op, Variable *variable, Region *region,
              SourceRange range)
      : Stmt(StmtKind::Combine, range), op(op), variable(variable),
        region(region) {}
  /// The first one and the others.
  llvm::SmallVector<Value, 4> values() const {
    llvm::SmallVector<Value, 4> all = {{op, with, variable}};
    all.append(others);
    return all;
  }
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Combine; }
};

/// One item of output: exactly one of text (value and array null), value,
/// array over region. `format` is null for the default format; else a Str
/// expression, a C format with one conversion (two for complex types).
struct WriteItem {
  llvm::StringRef text; ///< in the arena
  const Expr *value = nullptr;
  Array *array = nullptr;
  Region *region = nullptr;
  const Expr *format = nullptr;
  SourceRange range;
};

/// `write %f (...)`, `bwrite %f (...)`.
struct WriteStmt : Stmt {
  const Expr *file; ///< of type File
  bool binary;
  std::vector<WriteItem> items;
  WriteStmt(const Expr *file, bool binary, std::vector<WriteItem> items,
            SourceRange range)
      : Stmt(StmtKind::Write, range), file(file), binary(binary),
        items(std::move(items)) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Write; }
};

/// One item of input: a place that starts from a variable, or an array over
/// region. `format` as in WriteItem.
struct ReadItem {
  const Expr *place = nullptr;
  Array *array = nullptr;
  Region *region = nullptr;
  const Expr *format = nullptr;
  SourceRange range;
};

/// `read %f (...)`, `bread %f (...)`.
struct ReadStmt : Stmt {
  const Expr *file; ///< of type File
  bool binary;
  std::vector<ReadItem> items;
  ReadStmt(const Expr *file, bool binary, std::vector<ReadItem> items,
           SourceRange range)
      : Stmt(StmtKind::Read, range), file(file), binary(binary),
        items(std::move(items)) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Read; }
};

/// `builtin %x = open(str "f", i32 0)`: a function of the runtime that has
/// effects or whose value is not a function of its arguments. The result is
/// the same on all processors. `split(%s, str ",") to %a` stores beside that.
struct BuiltinStmt : Stmt {
  Builtin fn;
  Variable *result; ///< null: none
  llvm::SmallVector<const Expr *, 2> args;
  const Expr *place = nullptr; ///< Split: starts from a variable; else null
  BuiltinStmt(Builtin fn, Variable *result, llvm::ArrayRef<const Expr *> args,
              SourceRange range, const Expr *place = nullptr)
      : Stmt(StmtKind::Builtin, range), fn(fn), result(result),
        args(args.begin(), args.end()), place(place) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Builtin; }
};

/// `bind write %A @f`, `unbind read %A`: the procedure that writes or reads the
/// elements of an array. `bind write %T like %A`: the one of A, if it has one.
struct BindIoStmt : Stmt {
  Array *array;
  bool isRead;
  Procedure *procedure;  ///< parameters: a File, an element, both by reference;
                         ///< null: none any more
  Array *like = nullptr; ///< not null: as this array
  BindIoStmt(Array *array, bool isRead, Procedure *procedure, SourceRange range)
      : Stmt(StmtKind::BindIo, range), array(array), isRead(isRead),
        procedure(procedure) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::BindIo; }
};

/// `sort %A, %B over %R [descending] [with @f]`: puts the elements of the first
/// array, at the indices of R, into order, and those of the others as they go.
/// Equal ones stay in their order. Their values say which comes first, or
/// `call @f(ref a, ref b, ref first)`, a scalar procedure that sets the Bool to
/// whether a goes before b.
struct SortStmt : Stmt {
  llvm::SmallVector<Array *, 2> arrays; ///< different ones, of rank 1
  Region *region;
  bool isDescending = false; ///< not with a procedure
  Procedure *with = nullptr;
  SortStmt(llvm::ArrayRef<Array *> arrays, Region *region, SourceRange range)
      : Stmt(StmtKind::Sort, range), arrays(arrays.begin(), arrays.end()),
        region(region) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Sort; }
};

/// `config @x { default }`: gives the config variable its value from the
/// command line; if that gives none or only parts of it, executes the default
/// first.
struct ConfigStmt : Stmt {
  Variable *variable;
  StmtList defaults;
  ConfigStmt(Variable *variable, SourceRange range)
      : Stmt(StmtKind::Config, range), variable(variable) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Config; }
};

/// `halt`, `halt %status`: ends the run with status 1, or with that, an i32 of
/// 1 to 255.
struct HaltStmt : Stmt {
  const Expr *status; ///< null: 1
  HaltStmt(const Expr *status, SourceRange range)
      : Stmt(StmtKind::Halt, range), status(status) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Halt; }
};

/// Control must not come here: a function ended without `return`.
struct MissingReturnStmt : Stmt {
  std::string procedure; ///< its source name
  MissingReturnStmt(std::string procedure, SourceRange range)
      : Stmt(StmtKind::MissingReturn, range), procedure(std::move(procedure)) {}
  static bool classof(const Stmt *s) {
    return s->kind == StmtKind::MissingReturn;
  }
};

struct TimerStmt : Stmt {
  enum Op : uint8_t {
    Reset, ///< the predeclared timer; timer and variable are null
    Check, ///< its seconds to `result` (F64), the same everywhere
    Clear,
    Start, ///< `sync` says whether all start together
    Stop,
    Read ///< this processor's seconds to `result` (F64)
  } op;
  Variable *timer;
  Variable *result;
  const Expr *sync; ///< Start: I32
  TimerStmt(Op op, Variable *timer, Variable *result, const Expr *sync,
            SourceRange range)
      : Stmt(StmtKind::Timer, range), op(op), timer(timer), result(result),
        sync(sync) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Timer; }
};

struct IfStmt : Stmt {
  const Expr *condition; ///< Bool
  StmtList thenBody, elseBody;
  IfStmt(const Expr *condition, SourceRange range)
      : Stmt(StmtKind::If, range), condition(condition) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::If; }
};

/// `while { prelude; condition } do { body }`; the prelude computes what the
/// condition needs and runs before each test, also after `continue`.
struct WhileStmt : Stmt {
  StmtList prelude;
  const Expr *condition = nullptr; ///< Bool
  StmtList body;
  explicit WhileStmt(SourceRange range) : Stmt(StmtKind::While, range) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::While; }
};

/// `repeat { body } until { prelude; condition }`; `continue` goes to the
/// prelude.
struct RepeatStmt : Stmt {
  StmtList body;
  StmtList prelude;
  const Expr *condition = nullptr; ///< Bool: leave when true
  explicit RepeatStmt(SourceRange range) : Stmt(StmtKind::Repeat, range) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Repeat; }
};

/// `check-shape "a" e, "b" e dim 0`: ends the run unless the two extents are
/// equal.
struct CheckShapeStmt : Stmt {
  const Expr *extentA, *extentB; ///< I64
  std::string textA, textB;
  unsigned dim;
  CheckShapeStmt(const Expr *extentA, std::string textA, const Expr *extentB,
                 std::string textB, unsigned dim, SourceRange range)
      : Stmt(StmtKind::CheckShape, range), extentA(extentA), extentB(extentB),
        textA(std::move(textA)), textB(std::move(textB)), dim(dim) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::CheckShape; }
};

/// `check-that e, "text" (a, b)`: ends the run with the text, in which the
/// first `{}` stands for a and the second for b, unless e is true.
struct CheckThatStmt : Stmt {
  const Expr *condition; ///< Bool
  std::string text;
  llvm::SmallVector<const Expr *, 2> values; ///< I64, at most two
  CheckThatStmt(const Expr *condition, std::string text,
                llvm::ArrayRef<const Expr *> values, SourceRange range)
      : Stmt(StmtKind::CheckThat, range), condition(condition),
        text(std::move(text)), values(values.begin(), values.end()) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::CheckThat; }
};

/// `for %i = from to|downto bound by step { body }`. from, bound and step are
/// evaluated once, in the type of the variable; step is positive. The variable
/// starts at `from` even if the body never runs and ends one step past the
/// last value; no overflow on the way.
struct ForStmt : Stmt {
  /// A place that starts from a variable, of any integer or float type, Char or
  /// Enum (then step is I32); evaluated once.
  const Expr *variable;
  const Expr *from, *bound, *step;
  bool down;
  StmtList body;
  ForStmt(const Expr *variable, const Expr *from, const Expr *bound,
          const Expr *step, bool down, SourceRange range)
      : Stmt(StmtKind::For, range), variable(variable), from(from),
        bound(bound), step(step), down(down) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::For; }
};

struct ExitStmt : Stmt {
  explicit ExitStmt(SourceRange range) : Stmt(StmtKind::Exit, range) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Exit; }
};

struct ContinueStmt : Stmt {
  explicit ContinueStmt(SourceRange range) : Stmt(StmtKind::Continue, range) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Continue; }
};

struct ReturnStmt : Stmt {
  const Expr *value; ///< null: none
  ReturnStmt(const Expr *value, SourceRange range)
      : Stmt(StmtKind::Return, range), value(value) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Return; }
};

/// `dr %t`, `sr %t`, `dn %t`, `sv %t` (Abi.h, zrtA_at_dr ff.).
struct TransferPointStmt : Stmt {
  enum Point : uint8_t { DR, SR, DN, SV } point;
  Transfer *transfer;
  TransferPointStmt(Point point, Transfer *transfer, SourceRange range)
      : Stmt(StmtKind::TransferPoint, range), point(point), transfer(transfer) {
  }
  static bool classof(const Stmt *s) {
    return s->kind == StmtKind::TransferPoint;
  }
};

/// `[%R] %A = e`, `[%R] %A.f[%i] = e`, element by element; `[%R where g] ...`:
/// at those indices only where g is true, and e is evaluated there only. Block
/// form.
struct ArrayAssignStmt : Stmt {
  Region *region;
  const Expr *target; ///< a place that starts from an unshifted element
  const Expr *value;  ///< of the target's type
  const Expr *guard = nullptr; ///< a Bool, element code; null: everywhere
  ArrayAssignStmt(Region *region, const Expr *target, const Expr *value,
                  SourceRange range)
      : Stmt(StmtKind::ArrayAssign, range), region(region), target(target),
        value(value) {}
  static bool classof(const Stmt *s) {
    return s->kind == StmtKind::ArrayAssign;
  }
};

/// `[%R] %x = reduce max e`: a full reduction, collective included. Block form.
struct ReduceStmt : Stmt {
  Region *region;
  Variable *target; ///< of the operand's type
  Reduction op;
  const Expr *value;
  const Expr *guard = nullptr; ///< as ArrayAssignStmt's
  ReduceStmt(Region *region, Variable *target, Reduction op, const Expr *value,
             SourceRange range)
      : Stmt(StmtKind::Reduce, range), region(region), target(target), op(op),
        value(value) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Reduce; }
};

/// `[%S] %T = reduce sum e`: a partial reduction, collective included, of the
/// elements e over S. T has S's rank and is allocated; in dimensions that T
/// floods and S does not, the elements are combined, the others are equal.
/// Block form.
struct ReduceArrayStmt : Stmt {
  Region *region; ///< S
  Array *target;  ///< declared; of the operand's type
  Reduction op;
  const Expr *value;
  const Expr *guard = nullptr; ///< as ArrayAssignStmt's
  ReduceArrayStmt(Region *region, Array *target, Reduction op,
                  const Expr *value, SourceRange range)
      : Stmt(StmtKind::ReduceArray, range), region(region), target(target),
        op(op), value(value) {}
  static bool classof(const Stmt *s) {
    return s->kind == StmtKind::ReduceArray;
  }
};

/// `[%R] call @f(ref %X, ...)`: a scalar procedure with reference arguments,
/// promoted over R. `[%R] accumulate call @f(..., ref %x)`: by its last
/// argument it takes each index into an accumulator: a variable, or an element
/// of an array that may be flooded where R is not. Afterwards that has this
/// processor's part. Block form.
struct ElementCallStmt : Stmt {
  Region *region;
  const CallExpr *call;
  bool accumulates = false;
  const Expr *guard = nullptr; ///< as ArrayAssignStmt's
  ElementCallStmt(Region *region, const CallExpr *call, SourceRange range)
      : Stmt(StmtKind::ElementCall, range), region(region), call(call) {}
  static bool classof(const Stmt *s) {
    return s->kind == StmtKind::ElementCall;
  }
};

} // namespace zpl::air

#endif // ZPL_ARRAYIR_STATEMENTS_H
