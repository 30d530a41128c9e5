//===- Program.h - A checked program ----------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What Sema makes of a module: resolved names, a type and a rank for every
/// expression, explicit conversions, the fixed arithmetic of each statement,
/// and the instances of every parallel procedure that the program uses. A
/// Program is legal; later phases do not diagnose.
///
/// Bodies are shared by all instances of a procedure. What depends on the
/// caller (which dimensions of the covering region are singletons, which
/// accesses need a run-time check) is kept in the Instance.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_SEMA_PROGRAM_H
#define ZPL_SEMA_PROGRAM_H

#include "zpl/Sema/ArrayOperators.h"
#include "zpl/Sema/RegionTree.h"
#include "zpl/Sema/Tree.h"
#include "zpl/Support/Remark.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <memory>

namespace zpl::sema {

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

enum class StmtKind : uint8_t {
#define ZPL_STMT(Kind) Kind,
#include "zpl/Sema/Kinds.def"
};

struct Stmt {
  StmtKind kind;
  SourceRange range;

protected:
  Stmt(StmtKind kind, SourceRange range) : kind(kind), range(range) {}
};

struct BlockStmt : Stmt {
  StmtList body;
  explicit BlockStmt(SourceRange range) : Stmt(StmtKind::Block, range) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Block; }
};

/// An assignment to a variable or a part of one; also of whole records and
/// indexed arrays.
struct AssignStmt : Stmt {
  const Expr *target; ///< a place that starts from a variable or an `A.irv`
  const Expr *value;  ///< of the target's type; rank 0
  AssignStmt(const Expr *target, const Expr *value, SourceRange range)
      : Stmt(StmtKind::Assign, range), target(target), value(value) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Assign; }
};

/// An array assignment over the covering region of the target's rank, under its
/// mask.
struct ArrayAssignStmt : Stmt {
  /// A place that starts from an array, perhaps with a direction (`A@d := e`,
  /// `A@^d := e`: the element at the shifted index is written).
  const Expr *target;
  const Expr *value; ///< of the target's type; a scalar or that rank
  ArrayAssignStmt(const Expr *target, const Expr *value, SourceRange range)
      : Stmt(StmtKind::ArrayAssign, range), target(target), value(value) {}
  static bool classof(const Stmt *s) {
    return s->kind == StmtKind::ArrayAssign;
  }
};

/// `A#[I, J] := e`, `A#[I] += e`, over the covering region of the maps and its
/// mask, in row-major order. `combine`, if not null, is the new value of the
/// element, made of its old one and the source's element: it reads the hidden
/// variables `oldValue` and `newValue` and nothing else.
struct ScatterStmt : Stmt {
  const Expr *target; ///< as GatherExpr::source
  llvm::SmallVector<Map, 6> maps;
  unsigned rank; ///< of the covering region
  /// A scalar or of that rank; of the target's type, with `combine` of
  /// newValue's.
  const Expr *value;
  Variable *oldValue = nullptr, *newValue = nullptr;
  const Expr *combine = nullptr; ///< of the target's type
  std::string text;              ///< the target as written, for messages
  ScatterStmt(const Expr *target, llvm::ArrayRef<Map> maps, unsigned rank,
              const Expr *value, SourceRange range)
      : Stmt(StmtKind::Scatter, range), target(target),
        maps(maps.begin(), maps.end()), rank(rank), value(value) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Scatter; }
};

/// `wrap A, B` or `reflect A, B` in the scope `direction of base`, which is
/// resolved; `base` is evaluated here.
struct BoundaryStmt : Stmt {
  bool reflects;
  std::vector<const ArrayExpr *> arrays; ///< whole arrays of one rank
  const RegionExpr *base = nullptr;
  llvm::SmallVector<const Expr *, 6> direction; ///< as RegionExpr's
  BoundaryStmt(bool reflects, SourceRange range)
      : Stmt(StmtKind::Boundary, range), reflects(reflects) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Boundary; }
};

/// A call whose result, if any, is dropped. A promoted one runs over the
/// covering region of rank call->rank.
struct CallStmt : Stmt {
  const CallExpr *call;
  CallStmt(const CallExpr *call, SourceRange range)
      : Stmt(StmtKind::Call, range), call(call) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Call; }
};

/// A Builtin whose result, if any, is dropped: `close(f)`.
struct BuiltinStmt : Stmt {
  const BuiltinExpr *call;
  BuiltinStmt(const BuiltinExpr *call, SourceRange range)
      : Stmt(StmtKind::Builtin, range), call(call) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Builtin; }
};

/// One piece of output: text alone, or a value with the conversion that prints
/// it. Formats with several conversions have been split.
struct WriteItem {
  std::string text;            ///< value is null
  const Expr *value = nullptr; ///< a scalar or an array expression
  /// A C format with one conversion (two for complex types); absent: the
  /// default format.
  std::optional<std::string> format;
  const Expr *formatExpr = nullptr; ///< a format known at run time only
  SourceRange range;
};

struct WriteStmt : Stmt {
  const Expr *file;             ///< of type File
  bool binary = false;          ///< bwrite
  std::vector<WriteItem> items; ///< with writeln's newline as a text item
  WriteStmt(const Expr *file, SourceRange range)
      : Stmt(StmtKind::Write, range), file(file) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Write; }
};

/// One item of input.
struct ReadItem {
  const Expr *place = nullptr;
  std::optional<std::string> format; ///< as WriteItem's
  const Expr *formatExpr = nullptr;
  SourceRange range;
};

struct ReadStmt : Stmt {
  const Expr *file;    ///< of type File
  bool binary = false; ///< bread
  std::vector<ReadItem> items;
  ReadStmt(const Expr *file, SourceRange range)
      : Stmt(StmtKind::Read, range), file(file) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Read; }
};

/// `bind_write_func(A, f)` ...; procedure null: unbind.
struct BindIoStmt : Stmt {
  const ArrayExpr *array; ///< a whole array
  bool isRead;
  Procedure *procedure;
  BindIoStmt(const ArrayExpr *array, bool isRead, Procedure *procedure,
             SourceRange range)
      : Stmt(StmtKind::BindIo, range), array(array), isRead(isRead),
        procedure(procedure) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::BindIo; }
};

/// `sort(A, B, before)`: puts the elements of the first array, at the indices of
/// the covering region, masked or not, into order, and those of the others as
/// they go. What is equal stays in its order.
struct SortStmt : Stmt {
  std::vector<const ArrayExpr *> arrays; ///< whole ones, of rank 1
  bool isDescending = false;
  /// A call (inout a, b: T; inout first: boolean): whether a goes before b.
  /// Null: their values say it. Its arguments are hidden variables; whoever
  /// sorts says where these lie.
  const CallExpr *before = nullptr;
  explicit SortStmt(SourceRange range) : Stmt(StmtKind::Sort, range) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Sort; }
};

/// Ends the run unless the two extents, of blank references of one statement in
/// dimension `dim`, are equal. Made where bounds are not constants.
struct CheckShapeStmt : Stmt {
  const Expr *extentA, *extentB; ///< Longint
  std::string textA, textB;
  unsigned dim;
  CheckShapeStmt(const Expr *extentA, std::string textA, const Expr *extentB,
                 std::string textB, unsigned dim, SourceRange range)
      : Stmt(StmtKind::CheckShape, range), extentA(extentA), extentB(extentB),
        textA(std::move(textA)), textB(std::move(textB)), dim(dim) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::CheckShape; }
};

/// Writes the items to standard error and ends the run with a status.
struct HaltStmt : Stmt {
  const Expr *status = nullptr; ///< of type integer; null: 1
  std::vector<WriteItem> items; ///< with the newline, if there are any
  explicit HaltStmt(SourceRange range) : Stmt(StmtKind::Halt, range) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Halt; }
};

struct TimerStmt : Stmt {
  enum Op : uint8_t { Reset, Clear, Start, Stop } op;
  Variable *timer;  ///< null: Reset
  const Expr *sync; ///< Start; an integer; null: 0
  TimerStmt(Op op, Variable *timer, const Expr *sync, SourceRange range)
      : Stmt(StmtKind::Timer, range), op(op), timer(timer), sync(sync) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Timer; }
};

struct IfStmt : Stmt {
  const Expr *condition; ///< a Boolean scalar
  StmtList thenBody, elseBody;
  IfStmt(const Expr *condition, SourceRange range)
      : Stmt(StmtKind::If, range), condition(condition) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::If; }
};

struct WhileStmt : Stmt {
  const Expr *condition;
  StmtList body;
  WhileStmt(const Expr *condition, SourceRange range)
      : Stmt(StmtKind::While, range), condition(condition) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::While; }
};

struct RepeatStmt : Stmt {
  StmtList body;
  const Expr *condition;
  RepeatStmt(const Expr *condition, SourceRange range)
      : Stmt(StmtKind::Repeat, range), condition(condition) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Repeat; }
};

/// from, bound and step have the variable's type; for a variable of an
/// enumeration step is Integer.
struct ForStmt : Stmt {
  const Expr *variable; ///< a place that starts from a variable
  const Expr *from, *bound;
  const Expr *step; ///< never null
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
  const Expr *value; ///< of the result type; null: none
  unsigned rank;     ///< of the parallel array that is returned, or 0
  ReturnStmt(const Expr *value, unsigned rank, SourceRange range)
      : Stmt(StmtKind::Return, range), value(value), rank(rank) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Return; }
};

struct ScopeStmt : Stmt {
  const RegionExpr *region;
  /// Evaluated when the scope is opened, over its region, where there is no
  /// mask of this rank then.
  Mask mask;
  Stmt *body;
  ScopeStmt(const RegionExpr *region, Stmt *body, SourceRange range)
      : Stmt(StmtKind::Scope, range), region(region), body(body) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Scope; }
};

/// `R := e`, `R <=# e` (preserves), `R <== e`: gives a variable of type region
/// a value, and the arrays that are declared over it their new size.
struct RegionAssignStmt : Stmt {
  const Expr *target; ///< a place of type region
  const RegionExpr *value;
  bool preserves; ///< the elements at indices of both regions
  RegionAssignStmt(const Expr *target, const RegionExpr *value, bool preserves,
                   SourceRange range)
      : Stmt(StmtKind::RegionAssign, range), target(target), value(value),
        preserves(preserves) {}
  static bool classof(const Stmt *s) {
    return s->kind == StmtKind::RegionAssign;
  }
};

/// `D := Cyc`, `D <=# Cyc` (preserves), `G <== Wide`: gives a variable of type
/// distribution or grid a value, and the arrays of its domains their new places.
/// `balance(D, W)`: the value cuts where each part has about the same of W.
struct RedistributeStmt : Stmt {
  const Symbol *target; ///< a Distribution or Grid that is a variable
  const Symbol *value;  ///< one of the same kind and rank; null: `weights`
  bool preserves;       ///< the elements
  const Expr *weights = nullptr; ///< Doubles over the covering region
  unsigned rank = 0;             ///< of the weights
  RedistributeStmt(const Symbol *target, const Symbol *value, bool preserves,
                   SourceRange range)
      : Stmt(StmtKind::Redistribute, range), target(target), value(value),
        preserves(preserves) {}
  static bool classof(const Stmt *s) {
    return s->kind == StmtKind::Redistribute;
  }
};

/// `resize(a, n, m)`: gives a growable variable the bounds 1..n, 1..m; elements
/// at indices that were there before keep their values, others are zero.
struct ResizeStmt : Stmt {
  const VariableExpr *target;                 ///< whose type isGrowable
  llvm::SmallVector<const Expr *, 2> lengths; ///< Longint, one per dimension
  ResizeStmt(const VariableExpr *target, SourceRange range)
      : Stmt(StmtKind::Resize, range), target(target) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Resize; }
};

/// `S := e`, `S |= e`, `S &= e`: gives a sparse region the indices of `value`,
/// or those of either or both; its bounds stay as they are, and are those of
/// `value`, which the run checks unless it is a Where over the Bounds of the
/// target. The old pattern is read before it is replaced; one never set has no
/// index then. Arrays over the region follow: elements at indices of both keep
/// their values, others start from the array's IRV.
///
/// `read(f, S)` is a Set from a file: of the indices that it lists.
struct PatternAssignStmt : Stmt {
  enum Op : uint8_t { Set, Or, And } op;
  const RegionExpr *target; ///< a Ref, or the value of a place
  const RegionExpr *value;  ///< evaluated here
  /// Not null: the indices are read from it; `value` is the target's Bounds.
  const Expr *file = nullptr;
  PatternAssignStmt(Op op, const RegionExpr *target, const RegionExpr *value,
                    SourceRange range)
      : Stmt(StmtKind::PatternAssign, range), op(op), target(target),
        value(value) {}
  static bool classof(const Stmt *s) {
    return s->kind == StmtKind::PatternAssign;
  }
};

/// `modify S begin ... end`: at its end S has the indices that the AddStmts in
/// it added as well, on whichever processors. No other ModifyStmt is executed
/// in it, and it is left at its end only.
struct ModifyStmt : Stmt {
  const RegionExpr *target; ///< as PatternAssignStmt's
  StmtList body;
  ModifyStmt(const RegionExpr *target, SourceRange range)
      : Stmt(StmtKind::Modify, range), target(target) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Modify; }
};

/// `add [i, j]` to the region of the ModifyStmt around it. The run ends if the
/// index is not within the bounds.
struct AddStmt : Stmt {
  const RegionExpr *target;
  /// Longints, scalars that may be free; or of `rank`, then each index of the
  /// covering region adds one, under its mask.
  llvm::SmallVector<const Expr *, 6> indices;
  unsigned rank = 0; ///< of the covering region; 0: all are scalars
  AddStmt(const RegionExpr *target, SourceRange range)
      : Stmt(StmtKind::Add, range), target(target) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Add; }
};

/// An order of the indices of a scan block (lib/Sema/Arithmetic/WaveOrder.cpp).
struct WaveOrder {
  struct Loop {
    unsigned dim;
    bool down;
  };
  llvm::SmallVector<Loop, 6> loops; ///< outermost first
  /// Their dimensions, from 1, in the directions in which tiles and processors
  /// come, downward if negative; the first `steps` are taken index by index. As
  /// air::WaveStmt.
  llvm::SmallVector<int, 6> dims;
  unsigned steps = 0;
};

/// A scan block, over the covering region of `rank` and its mask: ArrayAssigns
/// to arrays without direction and promoted Calls, executed together index by
/// index (language 8.6). Primed references read what the block has stored; of
/// arrays that are written, references with a direction but no prime read what
/// was there before.
struct WaveStmt : Stmt {
  unsigned rank;
  StmtList body; ///< not empty
  WaveOrder order;
  /// `order` comes to an index before it comes to that index moved by one of
  /// the constant directions without prime that written arrays have.
  bool readsInPlace = false;
  WaveStmt(unsigned rank, SourceRange range)
      : Stmt(StmtKind::Wave, range), rank(rank) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Wave; }
};

//===----------------------------------------------------------------------===//
// Instances and the program
//===----------------------------------------------------------------------===//

/// A procedure for one combination of shape classes and masks
/// (docs/ArrayIR.md, section 5). A scalar procedure has one.
struct Instance {
  const Procedure *procedure = nullptr;
  std::string name; ///< unique: "init", then "init.1" ...
  /// Shapes of the covering regions that the call provides and that this
  /// instance, or what it calls, uses. They are its hidden parameters, in rank
  /// order; each is followed by its mask if there is one.
  Covers covers;
  /// Their masks. A scope that says `with "` where there is no mask has none
  /// either; `without "` there leaves no index.
  CoverMasks masks{};
  std::vector<Shape> paramShapes; ///< per parameter; empty for scalars
  SparseCovers coverSparse;       ///< those of them that are sparse
  std::vector<bool> paramSparse;  ///< per parameter: a sparse array
  /// The parameters and locals, arrays and regions, that are sparse; of
  /// `initializer` those that are global or static.
  llvm::DenseSet<const Symbol *> sparse;
  /// The domains of those covering regions, by rank (null: of none, a literal),
  /// and of the parameters that are arrays (null: the default one).
  std::array<const Domain *, MaxRank + 1> coverDomains{};
  std::vector<const Domain *> paramDomains;
  /// The domains of parameters and locals, of regions as well; what is not here
  /// belongs to the default one of its rank.
  llvm::DenseMap<const Symbol *, const Domain *> domains;
  /// Two arrays it works on may be the same storage under two names.
  bool mayAlias = false;
  /// mayAlias: per parameter, whether it is an array that is none of them.
  std::vector<bool> alone;
  /// Per parameter the first one that is the same array in all calls, and
  /// whose name it is another one of; itself if there is none. Empty: none.
  std::vector<unsigned> sameAs;
  /// Which instance each call in the body means.
  llvm::DenseMap<const CallExpr *, const Instance *> callees;
  /// Array references (reads, and targets of assignments) that could not be
  /// proven to lie inside the declared region: they get a run-time check.
  llvm::DenseSet<const ArrayExpr *> checked;
  /// Floods and partial reductions whose ranges could not be proven equal to
  /// those of the covering region; EnclosingMaskExprs that could not be proven
  /// to cover the region that they mask.
  llvm::DenseSet<const Expr *> checkedSources;
  /// Calls in which argument i (an array) must be checked to be declared over
  /// exactly the region of its formal `[R] T`.
  llvm::DenseSet<std::pair<const CallExpr *, unsigned>> checkedArguments;
};

/// A checked program. Owns all nodes.
class Program {
public:
  Program();
  ~Program();
  Program(Program &&) noexcept;
  Program &operator=(Program &&) noexcept;

  std::string name;
  /// Enumerations, records, unions and opaque types, before their users.
  std::vector<const TypeInfo *> types;
  std::vector<Symbol *> globals; ///< variables, arrays, regions, directions, in
                                 ///< order of declaration
  std::vector<Procedure *> procedures;
  std::vector<std::unique_ptr<Instance>> instances; ///< callees before callers
                                                    ///< where not recursive
  const Instance *entry = nullptr;
  /// Pseudo-instance of the global initializers: their `callees` and `checked`,
  /// and the `domains` of what is global or static.
  Instance initializer;
  /// Calls whose instance was widened, of pass "instances".
  std::vector<Remark> remarks;

  /// By rank; without a distribution.
  std::array<const Domain *, MaxRank + 1> defaultDomains{};
  /// False if the text has no `where`: then nothing is sparse.
  bool hasSparse = false;

  template <typename T, typename... Args> T *make(Args &&...args) {
    auto node = std::make_shared<T>(std::forward<Args>(args)...);
    T *raw = node.get();
    nodes.push_back(std::move(node));
    return raw;
  }

private:
  std::vector<std::shared_ptr<void>> nodes;
};

} // namespace zpl::sema

#endif // ZPL_SEMA_PROGRAM_H
