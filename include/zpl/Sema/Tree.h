//===- Tree.h - Symbols and expressions, checked ----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The checked counterparts of the syntax tree's declarations and expressions;
/// RegionTree.h has the regions. Included through Program.h.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_SEMA_TREE_H
#define ZPL_SEMA_TREE_H

#include "zpl/Sema/Types.h"
#include "zpl/Support/SourceManager.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Casting.h"
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace zpl::sema {

/// What is statically known of a dimension of a region or array.
enum class DimKind : uint8_t {
  Range,     ///< `lo..hi`, every index of it
  Singleton, ///< `e`
  Flood,     ///< `*`
  Grid,      ///< `::`, one index per processor of that grid dimension
  Strided    ///< made by `by`: with a stride that is not in the shape
};
/// Normal in the terms of language appendix B.
inline bool isRange(DimKind kind) {
  return kind == DimKind::Range || kind == DimKind::Strided;
}
/// One index on every processor, which conforms to all indices: `*` and `::`.
inline bool isPerProcessor(DimKind kind) {
  return kind == DimKind::Flood || kind == DimKind::Grid;
}
using Shape = llvm::SmallVector<DimKind, 6>;

constexpr unsigned MaxRank = 6;

struct Expr;
struct CallExpr;
struct RegionExpr;
struct Stmt;
struct Domain;
struct Procedure;
using StmtList = std::vector<Stmt *>;

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

enum class SymbolKind : uint8_t {
  Variable,
  Array,
  Region,
  Direction,
  Grid,
  Distribution,
  Domain,
  Procedure,
  Type ///< a named type; only in scopes while Sema works
};

/// Where a symbol's value lives.
enum class Storage : uint8_t {
  Global,
  Local,
  Static, ///< local name, global life
  Param
};

/// How a parameter is passed.
enum class Mode : uint8_t {
  Const, ///< by value, read-only
  In,    ///< by value, may be assigned
  InOut, ///< by reference
  Out    ///< by reference, zero at entry
};
/// Does the callee see the caller's variable itself?
inline bool isByReference(Mode mode) { return mode >= Mode::InOut; }

struct Symbol {
  SymbolKind kind;
  std::string name;
  SourceRange range; ///< of the name in its declaration

protected:
  Symbol(SymbolKind kind, llvm::StringRef name, SourceRange range)
      : kind(kind), name(name), range(range) {}
};

/// A variable, constant or config variable that is not a parallel array.
struct Variable : Symbol {
  Type type = Type::Error;
  Storage storage = Storage::Global;
  Mode mode = Mode::Const; ///< Param only
  bool isConst = false;    ///< also for config variables
  bool isConfig = false;
  bool isFree = false;   ///< may differ between processors
  bool isExtern = false; ///< of C, by its name
  std::string thunk; ///< isExtern: symbol of the thunk that gives its address
  bool isHidden = false; ///< made by Sema: loop variables, bounds of types
  /// The initial value, of the variable's type; null: see `setup`. For a hidden
  /// parameter, its argument in every call; null: a bound of an argument.
  const Expr *init = nullptr;
  /// Executed where the variable is declared, after it was zeroed: what lists
  /// `{...}` and initializers promoted by `index1` have become. Empty: none.
  StmtList setup;
  const Domain *domain = nullptr; ///< of a region's values; null: as Region's
  std::string configDefault;      ///< isConfig: source text of the initializer
  std::string configComment;      ///< isConfig
  Variable(llvm::StringRef name, SourceRange range)
      : Symbol(SymbolKind::Variable, name, range) {}
  static bool classof(const Symbol *s) {
    return s->kind == SymbolKind::Variable;
  }
};

/// Constant directions are served by fluff if no component is larger.
inline constexpr int64_t FarthestFluff = 16;

/// A parallel array.
struct Array : Symbol {
  Type element = Type::Error;
  unsigned rank = 0;
  Storage storage = Storage::Global;
  Mode mode = Mode::Const; ///< Param only
  bool isConst = false;
  /// For an indexed array of parallel arrays, the type of that indexed array,
  /// perhaps of indexed arrays again, whose last elements stand for the
  /// parallel arrays. Error: this is one parallel array.
  Type family;
  /// One hidden Longint variable per subscript of the family: `declared`,
  /// `borders`, `init` and `setup` are those of the member that these select.
  std::vector<Variable *> member;
  /// The declared region. An array over a named sparse region, a Ref, follows
  /// its pattern. Null for a formal whose dimensions are all blank. A
  /// local's blank dimensions come from the covering region of the call.
  const RegionExpr *declared = nullptr;
  /// The place of type region that `declared` is the value of, if that may be
  /// assigned again: the array then follows it. Null: a fixed region.
  const Expr *over = nullptr;
  /// Implicit storage (language 8.7): the regions `d of declared` in which the
  /// program writes, wraps or reflects this array. They can be evaluated where
  /// the array is declared.
  std::vector<const RegionExpr *> borders;
  const Expr *init = nullptr; ///< element-wise over `declared`; null: see setup
  StmtList setup;             ///< as Variable's, in the scope of `declared`
  /// Constant directions (compile-time components) that are applied to this
  /// array itself or through parameters: what its fluff must hold.
  std::vector<llvm::SmallVector<int64_t, 6>> directions;
  /// The dimensions (bit d: dimension d) in which other directions may lead
  /// elsewhere; and those in which any direction of `@^` may.
  uint32_t stepDims = 0, wrapDims = 0;
  Array(llvm::StringRef name, SourceRange range)
      : Symbol(SymbolKind::Array, name, range) {}
  static bool classof(const Symbol *s) { return s->kind == SymbolKind::Array; }
};

/// A named region; evaluated where it is declared.
struct Region : Symbol {
  const RegionExpr *init = nullptr;
  /// What its declaration or a domain's binds it to. Null: it belongs to the
  /// domain of the region it is made of, else to the default one of its rank.
  const Domain *domain = nullptr;
  /// What the run says if it was declared `where ?` and has no pattern yet.
  std::string unset;
  /// The kinds of its dimensions. What a local region inherits is Strided here;
  /// in an instance its shape is that of `init` under Instance::covers.
  Shape shape;
  Region(llvm::StringRef name, SourceRange range)
      : Symbol(SymbolKind::Region, name, range) {}
  unsigned rank() const { return shape.size(); }
  static bool classof(const Symbol *s) { return s->kind == SymbolKind::Region; }
};

/// A named direction. A component is a compile-time constant or is evaluated
/// where the direction is declared.
struct Direction : Symbol {
  struct Component {
    const Expr *init = nullptr; ///< of type integer or longint
    std::optional<int64_t> constant;
  };
  llvm::SmallVector<Component, 6> components;
  /// What its declaration says of the components, a Direction: the run ends
  /// where one that is not a constant is something else. Error: nothing.
  Type type;
  Direction(llvm::StringRef name, SourceRange range)
      : Symbol(SymbolKind::Direction, name, range) {}
  unsigned rank() const { return components.size(); }
  static bool classof(const Symbol *s) {
    return s->kind == SymbolKind::Direction;
  }
};

/// A grid of processors, or a variable that is one.
struct Grid : Symbol {
  unsigned rank = 0;
  /// Of each dimension, an Integer; null: chosen when the program starts. Empty
  /// for variables.
  llvm::SmallVector<const Expr *, 6> extents;
  const Grid *init = nullptr; ///< of a variable, its first value; else null
  Grid(llvm::StringRef name, SourceRange range)
      : Symbol(SymbolKind::Grid, name, range) {}
  static bool classof(const Symbol *s) { return s->kind == SymbolKind::Grid; }
};

/// How indices are dealt out to the processors of a grid, or a variable that
/// says so.
struct Distribution : Symbol {
  struct Dim {
    enum Kind : uint8_t {
      Block,
      Cyclic,
      BlockCyclic,
      Cut,     ///< at the points of an indexed array
      Nondist, ///< all indices on one processor
      Function ///< by a scalar procedure
    } kind = Block;
    const Expr *lo = nullptr; ///< Block, Longint; null: those of the regions
    const Expr *hi = nullptr; ///< null when lo is
    const Expr *length = nullptr; ///< BlockCyclic: of each block, Longint
    /// Cut: an indexed array of one dimension of Integers, read where the
    /// distribution is declared.
    const Expr *points = nullptr;
    /// Function: (i, lo, hi, p) of hidden Integer variables that whoever
    /// executes it sets: the processor, 0..p-1, of index i of lo..hi.
    const CallExpr *owner = nullptr;
    SourceRange range;
  };
  unsigned rank = 0;
  const Grid *grid = nullptr;     ///< null: the default grid of its rank
  llvm::SmallVector<Dim, 6> dims; ///< empty for variables
  /// Of a variable all that it is assigned, its first value first; else empty.
  std::vector<const Distribution *> values;
  /// The domain of what is bound to it by its own name; null: nothing is.
  const Domain *domain = nullptr;
  Distribution(llvm::StringRef name, SourceRange range)
      : Symbol(SymbolKind::Distribution, name, range) {}
  static bool classof(const Symbol *s) {
    return s->kind == SymbolKind::Distribution;
  }
};

/// Regions that interact, and the arrays over them.
struct Domain : Symbol {
  unsigned rank = 0;
  const Distribution *distribution = nullptr; ///< null: the default one
  std::vector<const Region *> regions;        ///< named by its declaration
  Domain(llvm::StringRef name, SourceRange range)
      : Symbol(SymbolKind::Domain, name, range) {}
  static bool classof(const Symbol *s) { return s->kind == SymbolKind::Domain; }
};

/// Whether a processor may own indices with others between them, for some value
/// that \p distribution (null: the default) can take.
bool mayBeScattered(const Distribution *distribution);

/// A procedure. Locals (variables, arrays, regions, directions) are set up in
/// the order of `locals` before the body.
struct Procedure : Symbol {
  /// Variable or Array, as written; then one Variable (hidden, longint) per
  /// blank bound of a formal: its arguments are made by Sema as well.
  std::vector<Symbol *> params;
  Type result = Type::Void; ///< a parallel array's: of its elements
  /// For functions whose result is a parallel array: its rank, else 0. `return`
  /// then has an element-wise value over the covering region of that rank.
  unsigned resultRank = 0;
  bool isExtern = false; ///< of C, without body
  std::string thunk;     ///< isExtern: symbol of its thunk (Interop.h)
  /// isExtern: the symbols under which C finds the procedures that it is given.
  /// `body` then has one call for each, in this order: what C calls in turn.
  std::vector<std::string> callbacks;
  std::vector<Symbol *> locals;
  Stmt *body = nullptr;
  /// Uses regions, arrays, array operators or I/O, writes globals, or calls a
  /// parallel procedure (language 4); else it is scalar and may be promoted.
  bool isParallel = false;
  /// Each processor runs it by itself, on free and read-only data; its
  /// parameters, locals and result are free (language 4).
  bool isFree = false;
  bool isRegionOp = false; ///< declared by `regionop`
  bool isShard = false;    ///< made by Sema of shattered control flow
  /// Made by Sema: a step of a reduction or scan by this procedure, or of a sort
  /// (isOrder). Null: none.
  const Procedure *stepOf = nullptr;
  bool isOrder = false;
  SourceRange bodyRange; ///< its last token is where falling off the end is
  Procedure(llvm::StringRef name, SourceRange range)
      : Symbol(SymbolKind::Procedure, name, range) {}
  static bool classof(const Symbol *s) {
    return s->kind == SymbolKind::Procedure;
  }
};

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

// The operators are those of the array IR, by name.
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
enum class Builtin : uint8_t {
#define AIR_BUILTIN(Id, text, arity) Id,
#include "zpl/ArrayIR/Ops.def"
};
enum class Reduction : uint8_t {
#define AIR_REDUCTION(Id, text) Id,
#include "zpl/ArrayIR/Ops.def"
};

enum class ExprKind : uint8_t {
#define ZPL_EXPR(Kind) Kind,
#include "zpl/Sema/Kinds.def"
};

/// Operand types agree: conversions are explicit CastExprs.
struct Expr {
  ExprKind kind;
  Type type;
  /// 0: a scalar. Else the rank of the array expression. An expression made of
  /// `Indexi` and scalars alone has AnyRank and fits every rank >= minRank.
  unsigned rank = 0;
  unsigned minRank = 0;
  /// Differs between processors: made of free variables, calls of free
  /// procedures, `localeID()`, `ReadTimer(t)`, this processor's bounds.
  bool isFree = false;
  SourceRange range;

  static constexpr unsigned AnyRank = 7;
  /// Is it a parallel array, or a part of one?
  bool isArray() const { return rank != 0; }

protected:
  Expr(ExprKind kind, Type type, SourceRange range)
      : kind(kind), type(type), range(range) {}
};

/// A constant: a literal or what folding made of constants.
struct LiteralExpr : Expr {
  int64_t integer = 0; ///< Boolean, Char, integers (Ulongint: its bits), Enum;
                       ///< File: a standard file or znull, as in Abi.h
  double number = 0;   ///< Float, Double, Quad
  std::string text;    ///< String
  LiteralExpr(Type type, SourceRange range)
      : Expr(ExprKind::Literal, type, range) {}
  static bool classof(const Expr *e) { return e->kind == ExprKind::Literal; }
};

struct VariableExpr : Expr {
  Variable *variable;
  VariableExpr(Variable *variable, SourceRange range)
      : Expr(ExprKind::Variable, variable->type, range), variable(variable) {
    isFree = variable->isFree;
  }
  static bool classof(const Expr *e) { return e->kind == ExprKind::Variable; }
};

/// The value of a named direction's component that is not a constant.
struct ComponentExpr : Expr {
  Direction *direction;
  unsigned component;
  ComponentExpr(Direction *direction, unsigned component, SourceRange range)
      : Expr(ExprKind::Component, Type::Longint, range), direction(direction),
        component(component) {}
  static bool classof(const Expr *e) { return e->kind == ExprKind::Component; }
};

/// `A`, `A@direction` or `A@^direction`.
struct ArrayExpr : Expr {
  Array *array;
  /// Empty: no `@`. Else one integer expression per dimension; Literals where
  /// the component is a compile-time constant.
  llvm::SmallVector<const Expr *, 6> direction;
  bool wraps = false; ///< `@^`
  /// `'@`, of an array that the scan block around it writes: the direction
  /// consists of Literals, not all of them 0.
  bool isPrimed = false;
  /// Which member of a family, one Integer, Longint or enumeration value per
  /// subscript of all levels. Empty: the array is no family, or all of it is
  /// meant (an argument).
  llvm::SmallVector<const Expr *, 2> subscripts;
  std::string text; ///< as written, for messages: "A@east"
  ArrayExpr(Array *array, SourceRange range)
      : Expr(ExprKind::Array, array->element, range), array(array) {
    rank = array->rank;
  }
  static bool classof(const Expr *e) { return e->kind == ExprKind::Array; }
};

/// `Index1` ...: dim counts from 0.
struct IndexExpr : Expr {
  unsigned dim;
  IndexExpr(unsigned dim, SourceRange range)
      : Expr(ExprKind::Index, Type::Integer, range), dim(dim) {
    rank = AnyRank;
    minRank = dim + 1;
  }
  static bool classof(const Expr *e) { return e->kind == ExprKind::Index; }
};

struct UnaryExpr : Expr {
  UnaryOp op;
  const Expr *operand;
  UnaryExpr(UnaryOp op, const Expr *operand, Type type, SourceRange range)
      : Expr(ExprKind::Unary, type, range), op(op), operand(operand) {}
  static bool classof(const Expr *e) { return e->kind == ExprKind::Unary; }
};

/// Scalar And and Or evaluate the right operand only if needed.
struct BinaryExpr : Expr {
  BinaryOp op;
  const Expr *left, *right;
  BinaryExpr(BinaryOp op, const Expr *left, const Expr *right, Type type,
             SourceRange range)
      : Expr(ExprKind::Binary, type, range), op(op), left(left), right(right) {}
  static bool classof(const Expr *e) { return e->kind == ExprKind::Binary; }
};

struct CompareExpr : Expr {
  CompareOp op;
  const Expr *left, *right;
  CompareExpr(CompareOp op, const Expr *left, const Expr *right,
              SourceRange range)
      : Expr(ExprKind::Compare, Type::Boolean, range), op(op), left(left),
        right(right) {}
  static bool classof(const Expr *e) { return e->kind == ExprKind::Compare; }
};

/// a * b + c, by the rounding contract (docs/Rounding.md): a
/// product that is a direct operand of + or -, the left one of two.
struct FmaExpr : Expr {
  const Expr *a, *b, *c;
  FmaExpr(const Expr *a, const Expr *b, const Expr *c, Type type,
          SourceRange range)
      : Expr(ExprKind::Fma, type, range), a(a), b(b), c(c) {}
  static bool classof(const Expr *e) { return e->kind == ExprKind::Fma; }
};

struct CastExpr : Expr {
  const Expr *operand;
  CastExpr(Type to, const Expr *operand, SourceRange range)
      : Expr(ExprKind::Cast, to, range), operand(operand) {}
  static bool classof(const Expr *e) { return e->kind == ExprKind::Cast; }
};

struct MathExpr : Expr {
  MathFn fn;
  llvm::SmallVector<const Expr *, 2> args;
  MathExpr(MathFn fn, llvm::ArrayRef<const Expr *> args, Type type,
           SourceRange range)
      : Expr(ExprKind::Math, type, range), fn(fn),
        args(args.begin(), args.end()) {}
  static bool classof(const Expr *e) { return e->kind == ExprKind::Math; }
};

/// A call. A scalar procedure with array arguments is promoted, element by
/// element (rank != 0). Arguments correspond to the formals; by reference they
/// are places, of whole arrays ArrayExprs without direction; by value
/// converted. If the function's result is a parallel array, rank is its
/// resultRank; it is called once, over the covering region of that rank.
struct CallExpr : Expr {
  Procedure *callee;
  llvm::SmallVector<const Expr *, 4> args;
  /// Per argument: an array or aggregate by value that the callee could change
  /// or see changed, so it gets a copy.
  llvm::SmallVector<bool, 4> copies;
  CallExpr(Procedure *callee, SourceRange range)
      : Expr(ExprKind::Call, callee->result, range), callee(callee) {}
  static bool classof(const Expr *e) { return e->kind == ExprKind::Call; }
};

/// `CheckTimer()` (timer null) or `ReadTimer(t)` (free).
struct TimerExpr : Expr {
  Variable *timer;
  TimerExpr(Variable *timer, SourceRange range)
      : Expr(ExprKind::Timer, Type::Double, range), timer(timer) {
    isFree = timer != nullptr;
  }
  static bool classof(const Expr *e) { return e->kind == ExprKind::Timer; }
};

/// `PROCESSORS`.
struct ProcessorsExpr : Expr {
  explicit ProcessorsExpr(SourceRange range)
      : Expr(ExprKind::Processors, Type::Integer, range) {}
  static bool classof(const Expr *e) { return e->kind == ExprKind::Processors; }
};

/// `GRIDPROCS(G, d)`: the extent of a grid in dimension dim, from 0; or
/// `GRIDPROC(G, d)`: where this processor is there, from 0 (free).
struct GridPlaceExpr : Expr {
  const Grid *grid;
  unsigned dim;
  bool isOwn;
  GridPlaceExpr(const Grid *grid, unsigned dim, bool isOwn, SourceRange range)
      : Expr(ExprKind::GridPlace, Type::Integer, range), grid(grid), dim(dim),
        isOwn(isOwn) {
    isFree = isOwn;
  }
  static bool classof(const Expr *e) { return e->kind == ExprKind::GridPlace; }
};

// Places: a VariableExpr, ArrayExpr or IrvExpr followed by any number of FieldExprs and
// SubscriptExprs. Blank references (`a[]`) do not occur: a statement with some
// has become a loop nest with hidden variables as subscripts, row-major.

/// `base.name`; of complex values `re` (0) and `im` (1).
struct FieldExpr : Expr {
  const Expr *base;
  unsigned field;
  FieldExpr(const Expr *base, unsigned field, Type type, SourceRange range)
      : Expr(ExprKind::Field, type, range), base(base), field(field) {
    rank = base->rank;
    isFree = base->isFree;
  }
  static bool classof(const Expr *e) { return e->kind == ExprKind::Field; }
};

/// `base[i, j]`: an element of an indexed array. Subscripts are Integer,
/// Longint or of the dimension's enumeration; array-valued ones select element
/// by element.
struct SubscriptExpr : Expr {
  const Expr *base;
  llvm::SmallVector<const Expr *, 2> subscripts;
  std::string text; ///< the base as written, for messages
  SubscriptExpr(const Expr *base, llvm::ArrayRef<const Expr *> subscripts,
                Type type, SourceRange range)
      : Expr(ExprKind::Subscript, type, range), base(base),
        subscripts(subscripts.begin(), subscripts.end()) {}
  static bool classof(const Expr *e) { return e->kind == ExprKind::Subscript; }
};

/// A complex value made of its parts.
struct ComplexExpr : Expr {
  const Expr *re, *im;
  ComplexExpr(const Expr *re, const Expr *im, Type type, SourceRange range)
      : Expr(ExprKind::Complex, type, range), re(re), im(im) {}
  static bool classof(const Expr *e) { return e->kind == ExprKind::Complex; }
};

/// `open(...)`, `random()` ...: has effects or is not a function of its
/// arguments; a scalar.
struct BuiltinExpr : Expr {
  Builtin fn;
  llvm::SmallVector<const Expr *, 2> args;
  const Expr *place = nullptr; ///< Split: the indexed array for the pieces
  BuiltinExpr(Builtin fn, llvm::ArrayRef<const Expr *> args, Type type,
              SourceRange range)
      : Expr(ExprKind::Builtin, type, range), fn(fn),
        args(args.begin(), args.end()) {}
  static bool classof(const Expr *e) { return e->kind == ExprKind::Builtin; }
};

/// A region as a value of type Region: what is stored, passed or returned. Its
/// type is that of the place that takes it; a flooded dimension where that has
/// none has been refused, but for those that the caller's region gives it
/// (Legality.cpp).
struct RegionValueExpr : Expr {
  const RegionExpr *region;
  RegionValueExpr(const RegionExpr *region, Type type, SourceRange range)
      : Expr(ExprKind::RegionValue, type, range), region(region) {}
  static bool classof(const Expr *e) {
    return e->kind == ExprKind::RegionValue;
  }
};

/// A direction as a value of type Direction. The run ends if a component is not
/// what the type says (its sign or value); constant ones have been checked.
struct DirectionValueExpr : Expr {
  llvm::SmallVector<const Expr *, 6> components; ///< Integer or Longint
  DirectionValueExpr(llvm::ArrayRef<const Expr *> components, Type type,
                     SourceRange range)
      : Expr(ExprKind::DirectionValue, type, range),
        components(components.begin(), components.end()) {}
  static bool classof(const Expr *e) {
    return e->kind == ExprKind::DirectionValue;
  }
};

/// `A.irv`: what a sparse array has at all indices that it does not store, a
/// place of its own: replicated, of the element type, a scalar.
struct IrvExpr : Expr {
  const ArrayExpr *array; ///< without direction
  IrvExpr(const ArrayExpr *array, SourceRange range)
      : Expr(ExprKind::Irv, array->type, range), array(array) {}
  static bool classof(const Expr *e) { return e->kind == ExprKind::Irv; }
};

/// A region as a Boolean array over its bounds: true where it has an index.
struct PatternExpr : Expr {
  const RegionExpr *region; ///< a Ref, or the value of a place
  std::string text;         ///< as written, for messages
  PatternExpr(const RegionExpr *region, unsigned rank, SourceRange range)
      : Expr(ExprKind::Pattern, Type::Boolean, range), region(region) {
    this->rank = rank;
  }
  static bool classof(const Expr *e) { return e->kind == ExprKind::Pattern; }
};

/// `[i, j] inside S` of a region that may be sparse (of others Sema makes
/// comparisons): whether the region has that index, a Boolean. Indices are
/// Longints, scalars or arrays.
struct InsideExpr : Expr {
  const RegionExpr *region;
  llvm::SmallVector<const Expr *, 6> indices;
  InsideExpr(const RegionExpr *region, llvm::ArrayRef<const Expr *> indices,
             SourceRange range)
      : Expr(ExprKind::Inside, Type::Boolean, range), region(region),
        indices(indices.begin(), indices.end()) {}
  static bool classof(const Expr *e) { return e->kind == ExprKind::Inside; }
};

/// What a place starts from (a VariableExpr, ArrayExpr or IrvExpr); anything else but
/// fields and subscripts is its own root.
const Expr *rootOf(const Expr *place);

/// Whether two expressions without calls are the same, directions of array
/// references apart.
bool isSame(const Expr *a, const Expr *b);

/// Whether the expressions are so pair by pair, and as many.
bool areSame(llvm::ArrayRef<const Expr *> a, llvm::ArrayRef<const Expr *> b);

/// The array that is passed as it is, or by reference a part of whose elements
/// is; null: the argument is passed in another way.
const ArrayExpr *wholeArgument(const CallExpr &call, unsigned argument);

} // namespace zpl::sema

#endif // ZPL_SEMA_TREE_H
