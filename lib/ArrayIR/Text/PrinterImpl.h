//===- PrinterImpl.h - The printer's one class ------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What Printer.h declares is made of this. Everything is printed, also what
/// the verifier refuses: `<null>` stands for what is missing. The text of valid
/// IR can be parsed again (Parser.h).
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYIR_TEXT_PRINTERIMPL_H
#define ZPL_LIB_ARRAYIR_TEXT_PRINTERIMPL_H

#include "zpl/ArrayIR/ArrayIR.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

namespace zpl::air {

/// Writes nodes to a stream. Printer.cpp and PrintCommunication.cpp have
/// statements, PrintExpressions.cpp and PrintDeclarations.cpp the rest.
class Printer {
public:
  /// Writes to \p os, which must outlive it.
  explicit Printer(llvm::raw_ostream &os) : os(os) {}

  /// The whole module: `module @m`, its declarations and procedures.
  void module(const Module &module);

  /// A procedure with its body. \p module: where it stands, for names with
  /// points (field()); null if that is not known.
  void procedure(const Procedure &procedure, const Module *module = nullptr);
  void stmt(const Stmt &stmt); ///< with its indent and line end

  /// An operand or `<null>`; without blanks around it.
  void expr(const Expr *expr);

  /// \p name after its sigil, `%x`, in quotes where it is not plain: `@"a b"`.
  void name(char sigil, llvm::StringRef name);

  /// A variable, region or array, with the sigil of its storage; `<null>` for
  /// null.
  template <typename T> void name(const T *named) {
    if (!named)
      os << "<null>";
    else
      name(named->storage == Storage::Global ? '@' : '%', named->name);
  }

  /// `%t`, or `<null>`.
  void name(const Transfer *transfer);

  /// `@f`, or `<null>`.
  void name(const Procedure *procedure);

  /// `(0,-1)`
  void offset(const Offset &offset);

  /// A set of dimensions after \p word, if there are any.
  void dimensions(llvm::StringRef word, uint32_t set);

private:
  // Declarations.

  /// `var %x : f64 heap`, with \p keyword in front: var, ref or config.
  void variable(const Variable &variable, llvm::StringRef keyword);

  /// `region %R : <.., *> "R"`
  void region(const Region &region);

  /// `array %A : f64 <.., ..> over %R fluff (0,1)..(0,1) "A"`
  void array(const Array &array);

  /// How its elements lie in memory, and what it is for: ` lines (2, _)`,
  /// ` rows of %A`, ` carries sum (0)` ...
  void storedAs(const Array &array);

  /// ` fluff (0,1)..(0,1)`, or nothing if it has none.
  void fluff(const Fluff &fluff);

  /// `type @t = record { x: f64 }`
  void type(const TypeInfo &type);

  /// `transfer %t = {@A: (0,1)} over @R`
  void transfer(const Transfer &transfer);

  /// `proc @f(var %x : f64) -> f64 block scalar`
  void signature(const Procedure &procedure);

  /// `<.., *>`
  void shape(const Shape &shape);

  /// ` "text"`, if there is any.
  void optionalText(llvm::StringRef text);

  /// What is declared of grids, distributions and domains, a line each.
  void distributions(const Module &module);

  /// ` in @Big`, or nothing for the default domain.
  void in(const Domain *domain);

  // Statements.
  struct Line;                 ///< what line() prints of each kind
  void line(const Stmt &stmt); ///< without indent and line end

  /// The statements of \p list, a level deeper.
  void list(const StmtList &list);
  void block(const StmtList &list); ///< `{ ... }`

  /// `region %R = ... level %l`
  void setRegion(const SetRegionStmt &stmt);

  /// `grid @G = (i32 4, i32 0)`, `grid @G = @H keeping`
  void setGrid(const SetGridStmt &stmt);

  /// `distribution @D = (block, cyclic)`, `distribution @V = @D keeping`
  void setDistribution(const SetDistributionStmt &stmt);

  /// `block(i32 1, @n)`, `cyclic` ...: one dimension's.
  void rule(const DistributionRule &rule);

  /// `move %T = %A over %R`
  void move(const MoveStmt &stmt);

  // Statements about sparse regions and arrays (Sparse.cpp).
  void pattern(const PatternStmt &stmt);
  void askPattern(const AskPatternStmt &stmt);
  void addIndex(const AddIndexStmt &stmt);
  void irv(const IrvStmt &stmt);
  void moved(const Array *array, llvm::ArrayRef<const Expr *> direction,
             bool wraps);
  void fetch(const FetchStmt &stmt);
  void store(const StoreStmt &stmt);

  /// `combine sum %x over %R`; also `combine-begin` and `combine-end`.
  void combine(const CombineStmt &stmt);

  /// `%x = call @f(...)`, or without the result.
  void call(const CallStmt &stmt);

  /// `write %f ("x", %x format str "%g", array %A over %R)`; `bwrite` if
  /// binary.
  void write(const WriteStmt &stmt);

  /// `read %f (%x, array %A over %R)`; `bread` if binary.
  void read(const ReadStmt &stmt);

  /// `builtin %x = open(...)`
  void builtin(const BuiltinStmt &stmt);

  /// `bind write %A @f`, `unbind read %A`
  void bindIo(const BindIoStmt &stmt);
  void sort(const SortStmt &stmt);

  /// `dr %t`, and so for SR, DN, SV.
  void point(const TransferPointStmt &stmt);

  /// `check-shape "A" %m, "B" %n dim 0`
  void checkShape(const CheckShapeStmt &stmt);

  /// `check-that %ok, "{} is below {}" (%a, %b)`
  void resize(const ResizeStmt &stmt);
  void checkThat(const CheckThatStmt &stmt);

  /// `timer start %t`, `timer read %t to %x`
  void timer(const TimerStmt &stmt);

  /// `if %c { ... } else { ... }`
  void conditional(const IfStmt &stmt);

  /// `while { ... } test %c do { ... }`; the prelude only if there is one.
  void loopWhile(const WhileStmt &stmt);

  /// `repeat { ... } until { ... } test %c`; the prelude only if there is one.
  void loopUntil(const RepeatStmt &stmt);

  /// `for %k = %a to %b by %s { ... }`
  void loopFor(const ForStmt &stmt);

  /// `[%R where g] `
  void scope(const Region *region, const Expr *guard);

  /// `mloop %R levels(0 up, 1 up) walkers(%A[0,1]) { ...
  /// }`, its parts with delays as `after 2 { ... }`.
  void mloop(const MLoopStmt &stmt);

  /// ` steps %k of %n lag 1 clock %t by 1 swaps(%A for %B)`
  void timeSteps(const TimeSteps &time);

  /// `0 up likely 1 .. 8 unroll 4 tile 64`
  void level(const LoopLevel &level);

  /// `%A[0,_]`
  void walker(const Walker &walker);

  /// The lines of operations with one delay; `after 2 { ... }` if they have one.
  void part(llvm::ArrayRef<ElementOp> part);

  /// A line of an M-loop: `store %A = e where g`, `accumulate sum %x, e`,
  /// `let %p = e was %q`, `call @f(...)`.
  void elementOp(const ElementOp &op);
  // Statements of Communication.h, and the checks of them.

  /// `shift {%V by (%d)} = %A over %R`
  void shift(const ShiftStmt &stmt);

  /// `flood %F = %A from %R`
  void flood(const FloodStmt &stmt);

  /// `put %V by (%d) = %A over %R where %M`
  void put(const PutStmt &stmt);

  /// `fold %F = sum %A over %R`
  void fold(const FoldStmt &stmt);

  /// The operator, of the array IR or of the program.
  void reduction(Reduction op, const Procedure *with);

  /// `combine-array sum %A dims (0)`
  void combineArray(const CombineArrayStmt &stmt);

  /// `scan %B = sum %A over %R dims (0, 1)`
  void scan(const ScanStmt &stmt);

  /// `wave %R tile %T order (...) primed {...} { ... }`
  void wave(const WaveStmt &stmt);

  /// `interleave joined (0 1) { ... }`, the joins only if there are any.
  void interleave(const InterleaveStmt &stmt);
  void strips(const StripsStmt &stmt);

  /// `{@A: (0,1) (0,-1), @B: (1,0)}`.
  void items(llvm::ArrayRef<std::pair<Array *, Offset>> items);

  /// `gather %B = %A at (%I, index(1)) over %R`
  void gather(const GatherStmt &stmt);

  /// `scatter %B at (%I, index(1)) = %A over %R with @f`
  void scatter(const ScatterStmt &stmt);
  void window(const WindowStmt &stmt);
  /// `boxes %B of %R with %W = %A at (...) "A#[...]" { ... }`
  void boxes(const BoxesStmt &stmt);

  /// `wrap %A by (%d) of %R`, `reflect ...`
  void boundary(const BoundaryStmt &stmt);

  /// `check read %A ...`: the word of its kind and its operands.
  void check(const CheckStmt &stmt);
  void mask(const Mask &mask); ///< ` where not %M`

  /// ` at (%I, %k, index(1))`
  void maps(llvm::ArrayRef<Map> maps);

  /// ` over %R`
  void over(const Region *region);

  /// Indents a line to the depth at hand.
  llvm::raw_ostream &startLine() { return os.indent(2 * depth); }

  // Expressions.
  struct Texts; ///< what expr() prints of each kind

  /// `f64 0.5`, `bool true`, `str "..."`; a number comes back exactly.
  void constant(const ConstExpr &expr);

  /// `%A#0@(0,1)`: the walker and the offset only if there is one.
  void element(const ElementExpr &expr);
  void remap(const RemapExpr &expr);

  /// `call @f(%x, ref %y)`
  void call(const CallExpr &expr);

  /// Names may contain points: where `%t.x` is one, the field x of %t is
  /// `%t .x`.
  void field(const FieldExpr &expr);

  /// `%a[%i : "a.b" checked]`: the text only where it is not the array's name.
  void subscript(const SubscriptExpr &expr);

  /// `ref %x`, `array %A`, `region %R` or an expression.
  void argument(const Argument &argument);

  /// `[%lo .. %hi] from %S`, `(%d) of %S`, `%S by (%d)` ...
  void regionExpr(const RegionExpr &value);

  /// `%lo .. %hi`, `%k`, `*`, `::`, `_` or `seq(...)`
  void dim(const DimExpr &dim);
  void operands(llvm::ArrayRef<const Expr *> operands); ///< `(a, b)`

  /// Items with ", " between them.
  template <typename Range, typename Fn> void commas(Range &&range, Fn fn) {
    bool first = true;
    for (auto &&item : range) {
      if (!std::exchange(first, false))
        os << ", ";
      fn(item);
    }
  }

  /// `word(a, b)`, or nothing if there are no items.
  template <typename Range, typename Fn>
  void listed(llvm::StringRef word, Range &&range, Fn fn) {
    if (range.empty())
      return;
    os << word << '(';
    commas(range, fn);
    os << ')';
  }

  llvm::raw_ostream &os;
  llvm::StringSet<> pointedNames; ///< of this module and procedure: "a.lo"
  unsigned depth = 0;
};

/// The name of a variable or of an element's array, without sigil, else "":
/// what SubscriptExpr::text is where the text form gives none.
llvm::StringRef plainName(const Expr *expr);

} // namespace zpl::air

#endif // ZPL_LIB_ARRAYIR_TEXT_PRINTERIMPL_H
