//===- ArrayIR.h - The array IR: data ---------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The nodes of the array IR. docs/ArrayIR.md opens with its semantics; the
/// short of it:
///
///  - Integers wrap. Floating-point expressions are evaluated as the tree says,
///    never regrouped; only the accumulation of a Sum or Product reduction may
///    be.
///  - An array statement evaluates its expression at every index of its region
///    before it stores any element. Statements whose target is read at another
///    index have been split by ArrayGen through a temporary, so running it
///    element by element in any order means the same.
///  - Reading `%A@(d)` with d nonzero needs a transfer of (A, d) that covers the
///    region between the last write of A and the read.
///  - All processors execute all statements; element work is for the indices
///    they own.
///
/// Everything is allocated in the Module's arena and referred to by pointer;
/// expressions are immutable and may be shared, statement lists are mutable.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_ARRAYIR_ARRAYIR_H
#define ZPL_ARRAYIR_ARRAYIR_H

#include "zpl/Support/SourceManager.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Casting.h"
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace zpl::air {

enum class Type : uint8_t {
  Void,
  Bool,
  I32,
  I64,
  F32,
  F64,
  Str,
  Timer ///< variables only, used by TimerStmt
};

/// What is statically known of a dimension.
enum class DimKind : uint8_t {
  Range,    ///< `..`
  Singleton ///< `.`: exactly one index; M-loops have no loop for it
};
using Shape = llvm::SmallVector<DimKind, 6>;

/// A constant direction or offset, one component per dimension.
using Offset = llvm::SmallVector<int64_t, 6>;

/// How much is read beyond a block, per dimension, never negative.
struct Fluff {
  Offset below, above; ///< empty: none
};

/// Where a named thing lives.
enum class Storage : uint8_t { Global, Local, Param };

//===----------------------------------------------------------------------===//
// Named things. Printed as @name when global, %name otherwise.
//===----------------------------------------------------------------------===//

/// A scalar variable; a memory cell, replicated on all processors.
struct Variable {
  std::string name;
  Type type = Type::Void;
  Storage storage = Storage::Local;
  bool byReference = false; ///< a Param that names its caller's variable
  bool isConfig = false;    ///< a global that the command line may set
  std::string configDefault; ///< isConfig: source text of the default
  std::string configComment; ///< isConfig: comment that follows it
  SourceRange range;
};

/// A region value. Globals and locals are set by SetRegionStmt; parameters
/// are the covering regions of the call.
struct Region {
  std::string name;
  std::string text; ///< for messages: the source name, or empty
  Shape shape;
  Storage storage = Storage::Local;
  SourceRange range;
  unsigned rank() const { return shape.size(); }
};

/// A parallel array.
struct Array {
  std::string name;
  std::string text; ///< for messages: the source name
  Type element = Type::F64;
  Shape shape; ///< of its declared region
  Storage storage = Storage::Local;
  /// The declared region; null for parameters and for results of ShiftStmt.
  Region *declared = nullptr;
  Fluff fluff; ///< what AllocArrayStmt asks for
  SourceRange range;
  unsigned rank() const { return shape.size(); }
};

/// A transfer: what one communication brings. Declared once per procedure,
/// used by its four points.
struct Transfer {
  std::string name;
  Region *region = nullptr;
  llvm::SmallVector<std::pair<Array *, Offset>, 4> items;
  SourceRange range;
};

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

enum class UnaryOp : uint8_t {
#define AIR_UNARY(Id, text) Id,
#include "zpl/ArrayIR/Ops.def"
};
enum class BinaryOp : uint8_t {
#define AIR_BINARY(Id, text) Id,
#include "zpl/ArrayIR/Ops.def"
};
enum class CompareOp : uint8_t {
#define AIR_COMPARE(Id, text) Id,
#include "zpl/ArrayIR/Ops.def"
};
enum class MathFn : uint8_t {
#define AIR_MATH(Id, text, arity) Id,
#include "zpl/ArrayIR/Ops.def"
};
enum class Reduction : uint8_t {
#define AIR_REDUCTION(Id, text) Id,
#include "zpl/ArrayIR/Ops.def"
};

enum class ExprKind : uint8_t {
  Const,
  Var,
  Element,
  Index,
  Bound,
  Given,
  Unary,
  Binary,
  Compare,
  Fma,
  Cast,
  Math,
  Call
};

struct Expr {
  ExprKind kind;
  Type type;
  SourceRange range;

protected:
  Expr(ExprKind kind, Type type, SourceRange range)
      : kind(kind), type(type), range(range) {}
};

/// A literal. `text` is used for Str, `integer` for Bool I32 I64, `number` for
/// F32 F64.
struct ConstExpr : Expr {
  int64_t integer = 0;
  double number = 0;
  llvm::StringRef text; ///< in the arena
  ConstExpr(Type type, SourceRange range) : Expr(ExprKind::Const, type, range) {}
  static bool classof(const Expr *e) { return e->kind == ExprKind::Const; }
};

struct VarExpr : Expr {
  Variable *variable;
  VarExpr(Variable *variable, SourceRange range)
      : Expr(ExprKind::Var, variable->type, range), variable(variable) {}
  static bool classof(const Expr *e) { return e->kind == ExprKind::Var; }
};

/// `%A@(offset)`: the element at the current index plus offset. Only inside
/// array statements and M-loops.
struct ElementExpr : Expr {
  Array *array;
  Offset offset; ///< as many components as the rank
  int walker = -1; ///< index into MLoopStmt::walkers once materialized
  ElementExpr(Array *array, Offset offset, SourceRange range)
      : Expr(ExprKind::Element, array->element, range), array(array),
        offset(std::move(offset)) {}
  bool isShifted() const {
    return llvm::any_of(offset, [](int64_t c) { return c != 0; });
  }
  static bool classof(const Expr *e) { return e->kind == ExprKind::Element; }
};

/// The current index in dimension `dim` (from 0), of type I32.
struct IndexExpr : Expr {
  unsigned dim;
  IndexExpr(unsigned dim, SourceRange range)
      : Expr(ExprKind::Index, Type::I32, range), dim(dim) {}
  static bool classof(const Expr *e) { return e->kind == ExprKind::Index; }
};

/// `lo(%R, d)` or `hi(%R, d)`, of type I64.
struct BoundExpr : Expr {
  Region *region;
  unsigned dim;
  bool isHigh;
  BoundExpr(Region *region, unsigned dim, bool isHigh, SourceRange range)
      : Expr(ExprKind::Bound, Type::I64, range), region(region), dim(dim),
        isHigh(isHigh) {}
  static bool classof(const Expr *e) { return e->kind == ExprKind::Bound; }
};

/// True if the command line gave the config variable a value.
struct GivenExpr : Expr {
  Variable *variable;
  GivenExpr(Variable *variable, SourceRange range)
      : Expr(ExprKind::Given, Type::Bool, range), variable(variable) {}
  static bool classof(const Expr *e) { return e->kind == ExprKind::Given; }
};

struct UnaryExpr : Expr {
  UnaryOp op;
  const Expr *operand;
  UnaryExpr(UnaryOp op, const Expr *operand, SourceRange range)
      : Expr(ExprKind::Unary, operand->type, range), op(op), operand(operand) {}
  static bool classof(const Expr *e) { return e->kind == ExprKind::Unary; }
};

struct BinaryExpr : Expr {
  BinaryOp op;
  const Expr *left, *right;
  BinaryExpr(BinaryOp op, const Expr *left, const Expr *right,
             SourceRange range)
      : Expr(ExprKind::Binary, left->type, range), op(op), left(left),
        right(right) {}
  static bool classof(const Expr *e) { return e->kind == ExprKind::Binary; }
};

struct CompareExpr : Expr {
  CompareOp op;
  const Expr *left, *right; ///< any type but Void and Timer
  CompareExpr(CompareOp op, const Expr *left, const Expr *right,
              SourceRange range)
      : Expr(ExprKind::Compare, Type::Bool, range), op(op), left(left),
        right(right) {}
  static bool classof(const Expr *e) { return e->kind == ExprKind::Compare; }
};

/// a * b + c on F32 or F64, rounded once where the target has such an
/// instruction, else twice; the same at every optimization level.
struct FmaExpr : Expr {
  const Expr *a, *b, *c;
  FmaExpr(const Expr *a, const Expr *b, const Expr *c, SourceRange range)
      : Expr(ExprKind::Fma, a->type, range), a(a), b(b), c(c) {}
  static bool classof(const Expr *e) { return e->kind == ExprKind::Fma; }
};

/// Conversion by the rules of assignment: floats to integers truncate and
/// saturate (NaN: 0), integers wrap, to Bool is `!= 0`.
struct CastExpr : Expr {
  const Expr *operand;
  CastExpr(Type to, const Expr *operand, SourceRange range)
      : Expr(ExprKind::Cast, to, range), operand(operand) {}
  static bool classof(const Expr *e) { return e->kind == ExprKind::Cast; }
};

struct MathExpr : Expr {
  MathFn fn;
  llvm::SmallVector<const Expr *, 2> args; ///< all of the expression's type
  MathExpr(MathFn fn, llvm::ArrayRef<const Expr *> args, SourceRange range)
      : Expr(ExprKind::Math, args[0]->type, range), fn(fn),
        args(args.begin(), args.end()) {}
  static bool classof(const Expr *e) { return e->kind == ExprKind::Math; }
};

struct Procedure;

/// An argument. Exactly one member is set.
struct Argument {
  const Expr *value = nullptr;          ///< by value
  Variable *variable = nullptr;         ///< by reference: `ref %x`
  const ElementExpr *element = nullptr; ///< by reference, per index: `ref %A@(..)`
  Array *array = nullptr;               ///< a whole array
  Region *region = nullptr;             ///< a covering region
};

/// A call. Inside expressions only of scalar procedures; of parallel ones as a
/// CallStmt. Arguments correspond to the procedure's parameters.
struct CallExpr : Expr {
  Procedure *callee;
  llvm::SmallVector<Argument, 4> args;
  CallExpr(Procedure *callee, Type type, llvm::ArrayRef<Argument> args,
           SourceRange range)
      : Expr(ExprKind::Call, type, range), callee(callee),
        args(args.begin(), args.end()) {}
  static bool classof(const Expr *e) { return e->kind == ExprKind::Call; }
};

//===----------------------------------------------------------------------===//
// Region expressions
//===----------------------------------------------------------------------===//

/// One dimension of a region literal.
struct DimExpr {
  enum Kind : uint8_t { Range, Single, Inherit } kind = Inherit;
  const Expr *lo = nullptr; ///< Range, Single; I32 or I64
  const Expr *hi = nullptr; ///< Range
};

/// What SetRegionStmt evaluates.
struct RegionExpr {
  enum Kind : uint8_t {
    Dims, ///< a literal; `base` supplies Inherit dimensions (else null)
    Of,   ///< the indices adjacent to base on the side of the direction
    In,   ///< the indices just inside base on that side
    At,   ///< base moved by the direction
    Same, ///< base
    Declared ///< the declared region of `array`: `declared %A`
  } kind = Same;
  llvm::SmallVector<DimExpr, 6> dims;
  Region *base = nullptr;
  Array *array = nullptr; ///< Declared
  llvm::SmallVector<const Expr *, 6> direction; ///< I32 or I64; Of, In, At
};

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

enum class StmtKind : uint8_t {
  // Both forms.
  Set,
  SetRegion,
  DeclareRegion,
  AllocArray,
  FreeArray,
  Shift,
  Check,
  Call,
  Combine,
  Write,
  Halt,
  MissingReturn,
  Timer,
  If,
  While,
  Repeat,
  For,
  Exit,
  Continue,
  Return,
  TransferPoint,
  // Block form only.
  ArrayAssign,
  Reduce,
  ElementCall,
  // Loop form only.
  MLoop
};

struct Stmt {
  StmtKind kind;
  SourceRange range;

protected:
  Stmt(StmtKind kind, SourceRange range) : kind(kind), range(range) {}
};
using StmtList = std::vector<Stmt *>;

/// `set %x = e`.
struct SetStmt : Stmt {
  Variable *target;
  const Expr *value; ///< of the target's type
  SetStmt(Variable *target, const Expr *value, SourceRange range)
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

/// Tells the runtime of a global region before its rank is distributed.
struct DeclareRegionStmt : Stmt {
  Region *region;
  DeclareRegionStmt(Region *region, SourceRange range)
      : Stmt(StmtKind::DeclareRegion, range), region(region) {}
  static bool classof(const Stmt *s) {
    return s->kind == StmtKind::DeclareRegion;
  }
};

/// Makes the array, zeroed, over its declared region with its fluff.
struct AllocArrayStmt : Stmt {
  Array *array;
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

/// `shift %T = %A by (e...) over %R`: makes T an array over R with
/// T[i] = A[i + e]; for directions that fluff does not cover. T may share the
/// storage of A: neither is written before T is freed.
struct ShiftStmt : Stmt {
  Array *target;
  Array *source;
  Region *region;
  llvm::SmallVector<const Expr *, 6> direction; ///< I32 or I64
  ShiftStmt(Array *target, Array *source, Region *region,
            llvm::ArrayRef<const Expr *> direction, SourceRange range)
      : Stmt(StmtKind::Shift, range), target(target), source(source),
        region(region), direction(direction.begin(), direction.end()) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Shift; }
};

/// Ends the run if a rule of language appendix B is broken.
struct CheckStmt : Stmt {
  enum Kind : uint8_t {
    Read,   ///< region moved by direction lies within the array's region
    Write,  ///< the same, for a target
    Formal, ///< the array is declared over the very indices of region
    Bounds  ///< the bounds of region fit 32 bits (array is null)
  } check;
  Array *array;
  Region *region;
  llvm::SmallVector<const Expr *, 6> direction; ///< empty: zero
  std::string text; ///< the designator as written: "A@east"
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

/// `combine max %x`: combines one value per processor, in place; afterwards
/// all hold the same bits.
struct CombineStmt : Stmt {
  Reduction op;
  Variable *variable;
  CombineStmt(Reduction op, Variable *variable, SourceRange range)
      : Stmt(StmtKind::Combine, range), op(op), variable(variable) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Combine; }
};

/// One item of output: exactly one of text (value and array null), value,
/// array over region. `format` is null for the default format; else a Str
/// expression, a C format with one conversion.
struct WriteItem {
  llvm::StringRef text; ///< in the arena
  const Expr *value = nullptr;
  Array *array = nullptr;
  Region *region = nullptr;
  const Expr *format = nullptr;
  SourceRange range;
};

struct WriteStmt : Stmt {
  bool toError; ///< standard error instead of output
  std::vector<WriteItem> items;
  WriteStmt(bool toError, std::vector<WriteItem> items, SourceRange range)
      : Stmt(StmtKind::Write, range), toError(toError),
        items(std::move(items)) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Write; }
};

struct HaltStmt : Stmt {
  explicit HaltStmt(SourceRange range) : Stmt(StmtKind::Halt, range) {}
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

/// `for %i = from to|downto bound by step { body }`. from, bound and step are
/// evaluated once, in the type of the variable; step is positive. The variable
/// starts at `from` even if the body never runs and ends one step past the
/// last value; no overflow on the way.
struct ForStmt : Stmt {
  Variable *variable; ///< I32, I64, F32 or F64
  const Expr *from, *bound, *step;
  bool down;
  StmtList body;
  ForStmt(Variable *variable, const Expr *from, const Expr *bound,
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

/// `[%R] %A = e`, element by element. Block form.
struct ArrayAssignStmt : Stmt {
  Region *region;
  Array *target;
  const Expr *value; ///< of the element type
  ArrayAssignStmt(Region *region, Array *target, const Expr *value,
                  SourceRange range)
      : Stmt(StmtKind::ArrayAssign, range), region(region), target(target),
        value(value) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::ArrayAssign; }
};

/// `[%R] %x = reduce max e`: a full reduction, collective included. Block form.
struct ReduceStmt : Stmt {
  Region *region;
  Variable *target; ///< of the operand's type
  Reduction op;
  const Expr *value;
  ReduceStmt(Region *region, Variable *target, Reduction op, const Expr *value,
             SourceRange range)
      : Stmt(StmtKind::Reduce, range), region(region), target(target), op(op),
        value(value) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Reduce; }
};

/// `[%R] call @f(ref %X, ...)`: a scalar procedure with reference arguments,
/// promoted over R. Block form.
struct ElementCallStmt : Stmt {
  Region *region;
  const CallExpr *call;
  ElementCallStmt(Region *region, const CallExpr *call, SourceRange range)
      : Stmt(StmtKind::ElementCall, range), region(region), call(call) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::ElementCall; }
};

/// One step of an M-loop's body.
struct ElementOp {
  enum Kind : uint8_t {
    Store,      ///< target element = value
    Accumulate, ///< accumulator = op(accumulator, value)
    Call        ///< a scalar procedure; value is a CallExpr
  } kind = Store;
  const ElementExpr *target = nullptr;
  Variable *accumulator = nullptr;
  Reduction op = Reduction::Sum;
  const Expr *value = nullptr;
  SourceRange range;
};

/// One loop level of an M-loop, outermost first.
struct LoopLevel {
  unsigned dim;
  bool flat; ///< a singleton dimension: one index, no loop
  bool down; ///< from the high end
};

/// A pointer that walks through one array: it stands at the current index and
/// its bumper for a loop level adds the array's pitch in that level's
/// dimension. Elements at an offset are read relative to it.
struct Walker {
  Array *array;
  /// Per loop level the dimension whose pitch the bumper adds, -1 for none.
  llvm::SmallVector<int, 6> bumps;
};

/// A loop nest over the indices of `region` that this processor owns. Loop
/// form. Accumulators start at their identity before the loop and are local to
/// this processor after it (a CombineStmt follows).
struct MLoopStmt : Stmt {
  Region *region;
  llvm::SmallVector<LoopLevel, 6> levels;
  std::vector<Walker> walkers; ///< empty before materialize-walkers
  std::vector<ElementOp> body;
  MLoopStmt(Region *region, SourceRange range)
      : Stmt(StmtKind::MLoop, range), region(region) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::MLoop; }
};

//===----------------------------------------------------------------------===//
// Procedures and the module
//===----------------------------------------------------------------------===//

enum class Form : uint8_t { Block, Loop };

/// A parameter: exactly one member is set.
struct Parameter {
  Variable *variable = nullptr; ///< by value or (byReference) by reference
  Array *array = nullptr;
  Region *region = nullptr; ///< a covering region of the call
};

/// An instance of a ZPL procedure.
struct Procedure {
  std::string name;       ///< unique: "init", "init.1" for a second instance
  std::string sourceName; ///< "init"
  Form form = Form::Block;
  bool isScalar = false; ///< may be called from element expressions
  /// Arrays of this instance may share storage with each other.
  bool mayAlias = false;
  Type result = Type::Void;
  std::vector<Parameter> params;
  std::vector<Variable *> variables; ///< locals, zero at entry
  std::vector<Region *> regions;     ///< locals
  std::vector<Array *> arrays;       ///< locals
  std::vector<Transfer *> transfers;
  StmtList body;
  SourceRange range;
};

/// A whole program.
class Module {
public:
  Module();
  ~Module();
  Module(Module &&) noexcept;
  Module &operator=(Module &&) noexcept;

  std::string name; ///< of the program
  std::vector<Variable *> variables;
  std::vector<Region *> regions;
  std::vector<Array *> arrays;
  std::vector<Procedure *> procedures;
  Procedure *initialize = nullptr; ///< global declarations; null: none
  Procedure *entry = nullptr;

  /// A node that lives as long as the module.
  template <typename T, typename... Args> T *make(Args &&...args) {
    auto node = std::make_shared<T>(std::forward<Args>(args)...);
    T *raw = node.get();
    keep(std::move(node));
    return raw;
  }
  /// A copy of the text that lives as long as the module.
  llvm::StringRef copy(llvm::StringRef text);

private:
  void keep(std::shared_ptr<void> node);
  struct Impl;
  std::unique_ptr<Impl> impl;
};

// Texts of the enumerations, as printed ("i32", "add", "max" ...).
llvm::StringRef text(Type type);
llvm::StringRef text(UnaryOp op);
llvm::StringRef text(BinaryOp op);
llvm::StringRef text(CompareOp op);
llvm::StringRef text(MathFn fn);
llvm::StringRef text(Reduction op);
unsigned arity(MathFn fn);

} // namespace zpl::air

#endif // ZPL_ARRAYIR_ARRAYIR_H
