//===- Printer.h - Prints a checked program ---------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The printer of --dump-program: Print.cpp has declarations and instances,
/// PrintExprs.cpp expressions and regions, PrintStmts.cpp statements.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_TREE_PRINTER_H
#define ZPL_LIB_SEMA_TREE_PRINTER_H

#include "zpl/Sema/Program.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/raw_ostream.h"

namespace zpl::sema {

/// Prints a checked program piece by piece.
class Printer {
public:
  Printer(const Program &program, llvm::raw_ostream &os)
      : os(os), globals(program.globals.begin(), program.globals.end()) {}

  /// The line of an enumeration, record, union or opaque type.
  void type(const TypeInfo &info);

  /// The line of a global or local, and the statements that set it up.
  void symbol(const Symbol &symbol);
  /// The heading, the locals and the body.
  void procedure(const Procedure &procedure);
  /// One line: covers, shapes, aliases, what is checked by the run, calls.
  void instance(const Instance &instance);

private:
  /// `@n` for a global, `n` for others.
  void name(const Symbol &symbol) {
    os << (globals.contains(&symbol) ? "@" : "") << symbol.name;
  }
  /// The text of each kind of expression.
  struct Texts;
  /// Any expression, in prefix form: `add(@a, 1)`.
  void expr(const Expr &e);
  /// A constant; strings in quotes.
  void literal(const LiteralExpr &e);
  /// `(a, b)`.
  void list(llvm::ArrayRef<const Expr *> exprs);
  /// `a, b`.
  void commaList(llvm::ArrayRef<const Expr *> exprs);
  /// The name of a constant of an enumeration; else type and number.
  void enumerator(const LiteralExpr &e);
  /// `p.x`, `z.re`.
  void field(const FieldExpr &e);
  /// `f(copy @a, 1) promoted`.
  void call(const CallExpr &e);
  /// `@A`, `@U[1]`, `@A@(0, 1)`, `@A@^(0, 1)`, `@A'@(0, -1)`.
  void array(const ArrayExpr &e);
  /// With a blank in front, `with m` or `without m`; nothing if there is none.
  void mask(const Mask &mask);
  /// `reduce.add.2<@R>(@A)`: the rank of the operand, the source if any.
  void reduce(const ReduceExpr &e);
  /// `flood<@R>(@A)`.
  void flood(const FloodExpr &e);
  /// `scan.add<2, 1 inclusive>(@A)`.
  void scan(const ScanExpr &e);
  /// `@A#[@I, ]`; a blank map is empty.
  void remap(const Expr &array, llvm::ArrayRef<Map> maps);
  /// `lo(@R, 0)`, `level(@R)`.
  void regionBound(const RegionBoundExpr &e);
  /// \p region without its index in a multi-region.
  void unleveled(const RegionExpr &region);
  /// `ReadTimer(@t)`, `CheckTimer()`.
  void timer(const TimerExpr &e);
  /// A region, and its index in a multi-region: `@R level 1`.
  void region(const RegionExpr &region);
  /// `[1..@n, *]`, or the place that it is read from.
  void dims(const RegionExpr &region);
  /// `array [0..k] of [@R] double`.
  void arrayType(const Array &array);
  /// The lines of each kind of statement.
  struct Lines;
  /// The lines of any statement.
  void stmt(const Stmt &s);
  /// Those of \p list, one step further in.
  void stmts(const StmtList &list);
  /// What is written: texts, formats, values.
  void items(const std::vector<WriteItem> &items);
  /// `read from zin "%d": @n`.
  void read(const ReadStmt &read);
  /// `write "n = " @n`; the console is not named.
  void write(const WriteStmt &write);
  /// `StartTimer @t`.
  void timer(const TimerStmt &timer);
  /// `if` and `else` with the statements in them.
  void branch(const IfStmt &branch);
  /// `for i := 1 to @n by 1` and the body.
  void loop(const ForStmt &loop);
  /// `check-shape "a[]" 3, "b[]" @n dim 0`.
  void checkShape(const CheckShapeStmt &check);
  /// `@A#[@I] := @B with old.1, new.2: add(old.1, new.2)`
  void scatter(const ScatterStmt &scatter);
  /// `wave 2 loops 1 -2` and the body; `in place` if no copy is made.
  void wave(const WaveStmt &wave);
  /// `wrap @A, @B in (1, 0) of @R`.
  void boundary(const BoundaryStmt &boundary);
  /// \p text in quotes, with escapes.
  void quoted(llvm::StringRef text);
  /// A format, constant or \p computed, in front of its value.
  void format(const std::optional<std::string> &format, const Expr *computed);
  /// `target := value`.
  void assignment(const Expr &target, const Expr &value);
  /// `config @n: integer = 3`, with its other attributes in front.
  void variable(const Variable &variable);
  /// `var @A: [@R] double`, its directions and borders.
  void array(const Array &array);
  /// `direction @east = (0, 1)`.
  void direction(const Direction &direction);
  /// `grid @G = [4, ]`.
  void grid(const Grid &grid);
  /// `distribution @D: @G = [block 1..@n, cyclic]`.
  void distribution(const Distribution &distribution);
  /// With a blank in front, `= init`; nothing if it is null.
  void init(const Expr *init);
  /// Begins a line, as far in as the statements at hand.
  llvm::raw_ostream &line() { return os.indent(2 * depth); }

  llvm::raw_ostream &os;
  llvm::DenseSet<const Symbol *> globals;
  unsigned depth = 0;
};

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_TREE_PRINTER_H
