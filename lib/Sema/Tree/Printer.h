//===- Printer.h - Prints a checked program ---------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The printer behind --dump-program: Print.cpp has declarations and instances,
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

  void type(const TypeInfo &info);

  void symbol(const Symbol &symbol);
  void procedure(const Procedure &procedure);
  void instance(const Instance &instance);

private:
  void name(const Symbol &symbol) {
    os << (globals.contains(&symbol) ? "@" : "") << symbol.name;
  }
  void expr(const Expr &e);
  void literal(const LiteralExpr &e);
  void list(llvm::ArrayRef<const Expr *> exprs);
  void commaList(llvm::ArrayRef<const Expr *> exprs);
  void enumerator(const LiteralExpr &e);
  void field(const FieldExpr &e);
  void call(const CallExpr &e);
  void array(const ArrayExpr &e);
  void mask(const Mask &mask);
  void reduce(const ReduceExpr &e);
  void flood(const FloodExpr &e);
  void scan(const ScanExpr &e);
  void remap(const Expr &array, llvm::ArrayRef<Map> maps);
  void regionBound(const RegionBoundExpr &e);
  void unleveled(const RegionExpr &region);
  void timer(const TimerExpr &e);
  void region(const RegionExpr &region);
  void dims(const RegionExpr &region);
  void arrayType(const Array &array);
  void stmt(const Stmt &s);
  void stmts(const StmtList &list);
  void items(const std::vector<WriteItem> &items);
  void read(const ReadStmt &read);
  void write(const WriteStmt &write);
  void timer(const TimerStmt &timer);
  void branch(const IfStmt &branch);
  void loop(const ForStmt &loop);
  void checkShape(const CheckShapeStmt &check);
  void scatter(const ScatterStmt &scatter);
  void wave(const WaveStmt &wave);
  void boundary(const BoundaryStmt &boundary);
  void quoted(llvm::StringRef text);
  void format(const std::optional<std::string> &format, const Expr *computed);
  void assignment(const Expr &target, const Expr &value);
  void variable(const Variable &variable);
  void array(const Array &array);
  void direction(const Direction &direction);
  void init(const Expr *init);
  llvm::raw_ostream &line() { return os.indent(2 * depth); }

  llvm::raw_ostream &os;
  llvm::DenseSet<const Symbol *> globals;
  unsigned depth = 0;
};

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_TREE_PRINTER_H
