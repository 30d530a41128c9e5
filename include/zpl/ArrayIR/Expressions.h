//===- Expressions.h - The array IR: names and expressions ------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The named things of a module, expressions and region expressions.
/// Included through ArrayIR.h, which says what they mean.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_ARRAYIR_EXPRESSIONS_H
#define ZPL_ARRAYIR_EXPRESSIONS_H

#include "zpl/ArrayIR/Types.h"
#include "zpl/Support/SourceManager.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Casting.h"
#include <cstdint>
#include <string>
#include <utility>

namespace zpl::air {

/// What is statically known of a dimension.
enum class DimKind : uint8_t {
  Range,     ///< `..`: every index from lo to hi
  Singleton, ///< `.`: exactly one index; M-loops have no loop for it
  Flood,     ///< `*`: one set of values for all indices; M-loops have no loop
  Grid,      ///< `::`: one set of values per processor of that grid dimension
  Strided    ///< `by`: a stride that is known at run time only, perhaps 1
};
/// One index on every processor, which conforms to all indices.
inline bool isPerProcessor(DimKind kind) {
  return kind == DimKind::Flood || kind == DimKind::Grid;
}
using Shape = llvm::SmallVector<DimKind, 6>;

/// A constant direction or offset, one component per dimension.
using Offset = llvm::SmallVector<int64_t, 6>;

/// How much is read beyond a block, per dimension, never negative.
struct Fluff {
  Offset below, above; ///< empty: none
  /// By dimension: at least one position both ways; beyond the declared region
  /// as well, for wrapped elements.
  uint32_t steps = 0, wraps = 0;
  /// No room at all.
  bool isNone() const {
    return below.empty() && above.empty() && !steps && !wraps;
  }
};

/// Where a named thing lives.
enum class Storage : uint8_t { Global, Local, Param };

//===----------------------------------------------------------------------===//
// Named things. Printed as @name when global, %name otherwise.
//===----------------------------------------------------------------------===//

/// A variable; memory, replicated on all processors.
struct Variable {
  std::string name;
  std::string text; ///< for messages and debuggers: the source name, or empty
  Type type = Type::Void;
  Storage storage = Storage::Local;
  /// A Param that names its caller's variable. An aggregate by value may share
  /// its caller's memory as well: it is not written, and the caller has made a
  /// copy if it could change meanwhile.
  bool byReference = false;
  /// A global or local whose memory AllocVariableStmt makes: its size is large
  /// or known at run time only.
  bool onHeap = false;
  /// A global whose values on the processors may differ.
  bool isFree = false;
  /// A global of C: symbol of the thunk that gives its address (Interop.h).
  /// Empty: the program's own.
  std::string thunk;
  bool isConfig = false;     ///< a global that the command line may set
  std::string configDefault; ///< isConfig: source text of the default
  std::string configComment; ///< isConfig: comment that follows it
  SourceRange range;
};

/// A processor grid of the program, `grid G = [4, ];`. Printed `grid @G rank 2`.
struct Grid {
  std::string name;
  std::string text; ///< for messages and the command line: the source name
  unsigned rank = 1;
  /// SetGridStmt makes another one of it while arrays live in it.
  bool isVariable = false;
  SourceRange range;
};

/// A distribution of the program. Printed `distribution @D rank 2 over @G`.
struct Distribution {
  std::string name;
  std::string text; ///< for messages: the source name
  unsigned rank = 1;
  const Grid *grid = nullptr; ///< null: the default grid of the rank
  bool isVariable = false;    ///< as a Grid's
  SourceRange range;
};

/// Regions and arrays that share a distribution, beyond the default domain of
/// their rank, which all are in that have none. Printed `domain @Big of @D`.
struct Domain {
  std::string name;
  std::string text; ///< for messages: the source name
  const Distribution *distribution = nullptr;
  /// What a processor owns of a dimension may be more than one range of
  /// indices. Arrays are read at no offset then; see docs/ArrayIR.md.
  bool isScattered = false;
  SourceRange range;
  unsigned rank() const { return distribution->rank; }
};

/// A region value. Globals and locals are set by SetRegionStmt; parameters
/// are the covering regions of the call.
struct Region {
  std::string name;
  std::string text; ///< for messages: the source name, or empty
  Shape shape;
  Storage storage = Storage::Local;
  /// Who owns its indices; that of all arrays that meet over it. Setting the
  /// region leaves it. Null: the default domain of the rank.
  const Domain *domain = nullptr;
  /// A part of what its bounds and strides say: a pattern, which SetRegionStmt,
  /// PatternStmt and ModifyStmt give it. Printed `sparse`.
  bool isSparse = false;
  /// Made for a scope or an array, so debuggers do not show it; not in the text
  /// form.
  bool isTemporary = false;
  SourceRange range;
  unsigned rank() const { return shape.size(); }
};

enum class Reduction : uint8_t {
#define AIR_REDUCTION(Id, text) Id,
#include "zpl/ArrayIR/Ops.def"
};

/// In Array::lines.
constexpr unsigned AllLines = 0;

/// A parallel array.
struct Array {
  std::string name;
  std::string text; ///< for messages: the source name
  Type element = Type::F64;
  Shape shape; ///< of its declared region
  Storage storage = Storage::Local;
  /// The declared region; null for parameters and for arrays that statements
  /// make of others (shift, flood).
  Region *declared = nullptr;
  /// A sparse parameter: a region, global or a parameter as well, that has the
  /// pattern of the declared region in every call. Null: none is known.
  Region *pattern = nullptr;
  /// It has elements at the indices of a sparse region only, and one value for
  /// all others; as that of `declared`.
  bool isSparse = false;
  /// As a Region's; that of `declared`.
  const Domain *domain = nullptr;
  Fluff fluff; ///< what AllocArrayStmt asks for
  /// Implicit storage (language 8.7): regions `d of declared`, set before the
  /// array is allocated, over which it is stored as well.
  llvm::SmallVector<Region *, 2> borders;
  /// A view, a local without memory of its own: names the parallel array that
  /// BindArrayStmt says, a member of the family in this variable.
  Variable *family = nullptr;
  /// Of a view that is one member throughout: its subscripts, of all levels.
  /// Empty: whichever it was bound to last.
  llvm::SmallVector<int64_t, 2> member;
  /// A parameter that is no other array of its procedure, though that may have
  /// aliases (Procedure::mayAlias).
  bool isAlone = false;
  /// A panel: made by `flood ... times`, has so many elements for each index,
  /// one behind the other in this dimension, which it floods. -1: none.
  int panel = -1;
  /// A panel whose elements are flooded by themselves (FloodStmt::slot); those
  /// of one slot lie side by side in memory.
  bool hasSlots = false;
  /// A contracted array, a local that lives in one M-loop: by dimension how
  /// many positions it has, index modulo this; AllLines for all that the M-loop
  /// goes over and reads beside it. Empty: not contracted.
  llvm::SmallVector<unsigned, 6> lines;
  /// A contracted array that its M-loop only reads. Of one row: whenever the
  /// loop, over a dense region, comes to a row, it gets that of this sparse
  /// array. Of one element: the loop, over a sparse region, walks through the
  /// rows of this array beside its own. Null: it is stored by the loop.
  const Array *fetched = nullptr;
  /// Carries, a local: what an M-loop over ranges carries along in a scan by
  /// `carryOp`, one element for all indices of the dimensions that it floods.
  /// The scan's dimensions, counted from 1, from the fastest; negative:
  /// downward. Empty: it has none.
  llvm::SmallVector<int, 6> carryDims;
  Reduction carryOp = Reduction::Sum;
  SourceRange range;
  unsigned rank() const { return shape.size(); }
  /// Are both views of one family that never are one array?
  bool isOtherMemberThan(const Array &other) const {
    return family && family == other.family && !member.empty() &&
           !other.member.empty() && member != other.member;
  }
  bool isCarries() const { return !carryDims.empty(); }
  /// Does it keep rows or single elements instead of all?
  bool isContracted() const { return !lines.empty(); }
  /// Contracted to one element.
  bool isPerIndex() const {
    return isContracted() &&
           llvm::all_of(lines, [](unsigned n) { return n == 1; });
  }
  /// All indices of a dimension have the same element.
  bool standsIn(unsigned dim) const {
    return isPerProcessor(shape[dim]) || (isContracted() && lines[dim] == 1);
  }
};

/// A transfer: what one communication brings. Declared once per procedure,
/// used by its four points. One `by callers` has none: it is over before each
/// call of the procedure, of whose callers it is a demand. One without items,
/// `transfer %t = views over %R`, brings what the shift needs that sends it.
struct Transfer {
  std::string name;
  Region *region = nullptr;
  llvm::SmallVector<std::pair<Array *, Offset>, 4> items;
  SourceRange range;
  bool byCallers = false;
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
enum class Builtin : uint8_t {
#define AIR_BUILTIN(Id, text, arity) Id,
#include "zpl/ArrayIR/Ops.def"
};
enum class ExprKind : uint8_t {
#define AIR_EXPR(Kind) Kind,
#include "zpl/ArrayIR/Kinds.def"
};

struct Expr {
  ExprKind kind;
  Type type;
  SourceRange range;

protected:
  Expr(ExprKind kind, Type type, SourceRange range)
      : kind(kind), type(type), range(range) {}
};

/// A literal. `text` is used for Str, `number` for F32 F64 F80, `integer` for
/// all others that have literals: integers, Bool, Char, Enum (the number) and
/// File (a standard file or znull, as in Abi.h).
struct ConstExpr : Expr {
  int64_t integer = 0;
  double number = 0;
  llvm::StringRef text; ///< in the arena
  ConstExpr(Type type, SourceRange range)
      : Expr(ExprKind::Const, type, range) {}
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
  Offset offset;   ///< as many components as the rank; 0 where the array has
                   ///< one index per processor, the same element for all
  int walker = -1; ///< index into MLoopStmt::walkers once materialized
  ElementExpr(Array *array, Offset theOffset, SourceRange range)
      : Expr(ExprKind::Element, array->element, range), array(array),
        offset(std::move(theOffset)) {
    for (auto [component, kind] : llvm::zip(offset, array->shape))
      if (isPerProcessor(kind))
        component = 0;
  }
  /// Is it another element than the one at the current index?
  bool isShifted() const {
    return llvm::any_of(offset, [](int64_t c) { return c != 0; });
  }
  static bool classof(const Expr *e) { return e->kind == ExprKind::Element; }
};

/// `%A#(e, e)`: the element of A at the index that these say, one I32 or I64
/// per dimension, element code. Only inside array statements and M-loops, on
/// processors that have all of A, and not where A is written meanwhile. In
/// dimensions that A floods any index will do. With `checked (0, 1) "A#[P]"`,
/// these maps and how it is written, a value that is no index of A's declared
/// region ends the run; other maps have none. `checked later (0, 1) ...`: it is
/// noted, any element is taken in its place, and a `window confirm` or `window
/// merge` behind the loop ends the run.
struct RemapExpr : Expr {
  Array *array;
  llvm::SmallVector<const Expr *, 4> maps;
  llvm::StringRef text;     ///< in the arena
  uint32_t checked = 0;     ///< by dimension of A
  bool checksLater = false; ///< not set where nothing is checked
  RemapExpr(Array *array, llvm::ArrayRef<const Expr *> maps, SourceRange range)
      : Expr(ExprKind::Remap, array->element, range), array(array),
        maps(maps.begin(), maps.end()) {}
  static bool classof(const Expr *e) { return e->kind == ExprKind::Remap; }
};

/// The current index in dimension `dim` (from 0), of type I32.
/// `index(d)` with the rank for d, in an M-loop with `times`: the repetition.
struct IndexExpr : Expr {
  unsigned dim;
  IndexExpr(unsigned dim, SourceRange range)
      : Expr(ExprKind::Index, Type::I32, range), dim(dim) {}
  static bool classof(const Expr *e) { return e->kind == ExprKind::Index; }
};

/// `lo(%R, d)`, `hi(%R, d)`, `stride(%R, d)`, `align(%R, d)`, of type I64: the
/// members of zrt_dim. `own-lo(%R, d)`, `own-hi(%R, d)`: this processor's own
/// bounds, which differ between processors. Flooded dimensions give 0, 0, 1, 0.
/// `parts(%R, d)`: between how many processors the indices are divided; flooded
/// and grid dimensions give 1.
/// `level(%R)`, with dim 0: which region of a multi-region it is, INT64_MIN if
/// of none. `patterned(%R)`, with dim 0: 1 if the sparse region has a pattern, 0
/// if it is undefined. `complete(%R)`, with dim 0: 1 if this processor has an
/// index of the sparse region in each row that its bounds give it, which
/// differs between processors; 0 if not, or it is not known.
struct BoundExpr : Expr {
  enum Which : uint8_t {
    Lo,
    Hi,
    Stride,
    Align,
    OwnLo,
    OwnHi,
    Level,
    Parts,
    Patterned,
    Complete
  };
  /// Whether they are asked of a dimension.
  static bool hasDim(Which which) {
    return which != Level && which != Patterned && which != Complete;
  }
  Region *region;
  unsigned dim;
  Which which;
  BoundExpr(Region *region, unsigned dim, Which which, SourceRange range)
      : Expr(ExprKind::Bound, Type::I64, range), region(region), dim(dim),
        which(which) {}
  static bool classof(const Expr *e) { return e->kind == ExprKind::Bound; }
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

/// a * b + c on F32, F64 or F80, rounded once where the target has such an
/// instruction, else twice; the same at every optimization level.
struct FmaExpr : Expr {
  const Expr *a, *b, *c;
  FmaExpr(const Expr *a, const Expr *b, const Expr *c, SourceRange range)
      : Expr(ExprKind::Fma, a->type, range), a(a), b(b), c(c) {}
  static bool classof(const Expr *e) { return e->kind == ExprKind::Fma; }
};

/// Conversion by the rules of assignment: floats to integers truncate and
/// saturate (NaN: 0), integers wrap, to Bool is `!= 0`; to complex from real.
struct CastExpr : Expr {
  const Expr *operand;
  CastExpr(Type to, const Expr *operand, SourceRange range)
      : Expr(ExprKind::Cast, to, range), operand(operand) {}
  static bool classof(const Expr *e) { return e->kind == ExprKind::Cast; }
};

/// A function without side effects; Ops.def says of which types.
struct MathExpr : Expr {
  MathFn fn;
  llvm::SmallVector<const Expr *, 2> args;
  MathExpr(MathFn fn, llvm::ArrayRef<const Expr *> args, Type type,
           SourceRange range)
      : Expr(ExprKind::Math, type, range), fn(fn),
        args(args.begin(), args.end()) {}
  static bool classof(const Expr *e) { return e->kind == ExprKind::Math; }
};

struct Procedure;

/// An argument. Exactly one member is set.
struct Argument {
  const Expr *value = nullptr; ///< by value
  const Expr *place =
      nullptr;              ///< by reference: `ref %x`, `ref %A.f[i32 1]`. For
                            ///< an array parameter: that part of all elements
  Array *array = nullptr;   ///< a whole array
  Region *region = nullptr; ///< a covering region
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

// Places. A place is a variable or an element of a parallel array, followed by
// any number of fields and subscripts: `%x`, `%t.pos[%i].x`, `%A@(0,1).id`. It
// can be read, assigned (unless shifted) and passed by reference. Fields and
// subscripts may also be applied to calls, to be read.

/// `base.name`: a field of a Record or Union; of complex types `re` (0) and
/// `im` (1).
struct FieldExpr : Expr {
  const Expr *base;
  unsigned field;
  FieldExpr(const Expr *base, unsigned field, Type type, SourceRange range)
      : Expr(ExprKind::Field, type, range), base(base), field(field) {}
  static bool classof(const Expr *e) { return e->kind == ExprKind::Field; }
};

/// `base[i, j]`: an element of an Array; one subscript per dimension, of type
/// I32, I64 or Enum. Under -fcheck a subscript outside the bounds ends the run;
/// else it is undefined.
struct SubscriptExpr : Expr {
  const Expr *base;
  llvm::SmallVector<const Expr *, 2> subscripts;
  llvm::StringRef text;   ///< the array as written, for messages; in the arena
  bool isChecked = false; ///< against the bounds, not only under -fcheck
  SubscriptExpr(const Expr *base, llvm::ArrayRef<const Expr *> subscripts,
                llvm::StringRef text, Type type, SourceRange range)
      : Expr(ExprKind::Subscript, type, range), base(base),
        subscripts(subscripts.begin(), subscripts.end()), text(text) {}
  static bool classof(const Expr *e) { return e->kind == ExprKind::Subscript; }
};

/// `complex(re, im)`.
struct ComplexExpr : Expr {
  const Expr *re, *im; ///< of the type's component type
  ComplexExpr(const Expr *re, const Expr *im, Type type, SourceRange range)
      : Expr(ExprKind::Complex, type, range), re(re), im(im) {}
  static bool classof(const Expr *e) { return e->kind == ExprKind::Complex; }
};

/// What a place, or a field or subscript of something, starts from: a VarExpr,
/// an ElementExpr, a CallExpr; anything else is its own root.
const Expr *rootOf(const Expr *place);
/// The variable that a place starts from, or null.
Variable *rootVariable(const Expr *place);
/// The element that a place starts from, or null.
const ElementExpr *rootElement(const Expr *place);

/// Whether both have the same value if no variable changes: constants,
/// variables, and what is computed of them; false of anything else.
bool haveSameValue(const Expr *a, const Expr *b);

//===----------------------------------------------------------------------===//
// Region expressions
//===----------------------------------------------------------------------===//

/// One dimension of a region literal. Inherit takes the base's dimension with
/// its stride and kind; Seq is the sequence (lo, hi, stride, align).
struct DimExpr {
  enum Kind : uint8_t {
    Range,
    Single,
    Flood,
    Inherit,
    Seq,
    Grid
  } kind = Inherit;
  const Expr *lo = nullptr; ///< Range, Single, Seq; I32 or I64
  const Expr *hi = nullptr; ///< Range, Seq
  const Expr *stride = nullptr, *align = nullptr; ///< Seq; I64
};

/// What SetRegionStmt evaluates. A sparse region gets the pattern of a sparse
/// base or array as well, where that is within the bounds, moved by At; a dense
/// one the bounds only.
struct RegionExpr {
  enum Kind : uint8_t {
    Dims,     ///< a literal; `base` supplies Inherit dimensions (else null)
    Of,       ///< the indices adjacent to base on the side of the direction
    In,       ///< the indices just inside base on that side
    At,       ///< base moved by the direction
    By,       ///< base strided by the direction (language 6)
    Same,     ///< base
    Declared, ///< the declared region of `array`: `declared %A`
    Where     ///< base where `array`, of Bools, or `condition` is true: a
              ///< sparse region; both null: nowhere, and undefined until it is
              ///< modified
  } kind = Same;
  llvm::SmallVector<DimExpr, 6> dims;
  Region *base = nullptr;
  Array *array = nullptr; ///< Declared, Where
  bool isWhole = false;   ///< Where, without both: all of base
  /// Where: a Bool, element code over a dense base that names no array. It is
  /// evaluated at indices for which it is not known otherwise what it is.
  const Expr *condition = nullptr;
  /// Dims of a sparse region: a place that KeepPatternStmt has set, which says
  /// the pattern within these bounds.
  const Expr *pattern = nullptr;
  llvm::SmallVector<const Expr *, 6> direction; ///< I32 or I64; Of ... By
  /// Which region of a multi-region it becomes, an I64. Null: that of the base
  /// or array, if there is one.
  const Expr *level = nullptr;
};

} // namespace zpl::air

#endif // ZPL_ARRAYIR_EXPRESSIONS_H
