//===- TreePrinter.h - The state of a dump ----------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The tree of --dump-ast as text: a line per node, `Kind label <from-to>`, its
/// children two blanks deeper. A node's own part is its label; what it holds
/// are its children.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_AST_TREEPRINTER_H
#define ZPL_LIB_AST_TREEPRINTER_H

#include "zpl/AST/AST.h"
#include "llvm/Support/raw_ostream.h"

namespace zpl::ast {

/// Prints a node and its children, one per line.
class TreePrinter {
public:
  /// Writes to \p os places as lines and columns by \p sources; those of other
  /// files than \p file with their name. All must outlive it.
  TreePrinter(const SourceManager &sources, llvm::raw_ostream &os,
              uint32_t file)
      : sources(sources), os(os), file(file) {}

  /// `Program name <...>` and its declarations.
  void print(const Module &module);

private:
  /// Indents what is printed while it lives.
  struct Nested {
    explicit Nested(unsigned &depth) : depth(depth) { ++depth; }
    ~Nested() { --depth; }
    unsigned &depth;
  };

  // Printer.cpp

  /// Starts a line at the depth at hand with \p kind; end() or a line feed
  /// finishes it.
  llvm::raw_ostream &begin(llvm::StringRef kind);

  /// Finishes a line with the place, ` <from-to>`, or ` <>` if there is none.
  void end(SourceRange range);

  /// A whole line without a label.
  void line(llvm::StringRef kind, SourceRange range);

  /// ` "text"`, with escapes.
  void quoted(llvm::StringRef text);

  // PrintExpr.cpp

  /// An expression and its children; must not be null.
  void print(const Expr *expr);

  /// What the line of \p expr itself says: a literal's text, an operator, a
  /// name ...
  void printLabel(const Expr *expr);

  /// The part of the label that names something: a variable, a field, a callee,
  /// a `regionop`.
  void printDesignatorLabel(const Expr *expr);

  /// The operands of \p expr. Those of array operators and regions are printed
  /// by the two next ones.
  void printChildren(const Expr *expr);

  /// The children of `A@d`, `A#[I]`, folds, scans and floods.
  void printArrayOperator(const Expr *expr);

  /// The children of a region or a direction.
  void printRegion(const Expr *expr);

  /// Each expression of a list.
  void print(ExprList list);

  /// The operator of a fold, in the label: ` max`, ` user f`.
  void printFold(const FoldOperator &op);

  /// The label of a scan: operator, options, dimensions.
  void printScan(const Scan &scan);

  /// A dimension in brackets with its bounds.
  void print(const Dim &dim);

  // PrintStmt.cpp

  /// A statement and its children; must not be null.
  void print(const Stmt *stmt);

  /// What the line of \p stmt itself says: the operator of an assignment, the
  /// direction of a loop ...
  void printLabel(const Stmt *stmt);

  /// The expressions and statements in \p stmt.
  void printChildren(const Stmt *stmt);

  /// The children of `while`, `repeat` and `for`.
  void printLoop(const Stmt *stmt);

  /// A part `Arm` per condition, and `Else`.
  void printIf(const IfStmt &stmt);

  /// Each statement of a list.
  void print(StmtList stmts);

  /// The statements of a list under a line \p label of their own.
  void printPart(llvm::StringRef label, StmtList stmts);

  /// The items of `read` and `write`, with their formats.
  void print(llvm::ArrayRef<Item> items);

  // PrintDecl.cpp

  /// A type and its children; must not be null.
  void print(const TypeExpr *type);

  /// Starts the line of a region's or grid's type: `RegionType <..,*>`.
  void printComponents(llvm::StringRef kind,
                       llvm::ArrayRef<RegionComponent> components);

  /// Starts the line `DirectionType <+,-,2>`.
  void printComponents(const DirectionType &type);

  /// The fields, bounds and element types in \p type.
  void printTypeChildren(const TypeExpr *type);

  /// A declaration and its children, by its sort.
  void print(const Decl *decl);

  /// `Variable flavor names "comment"`, its type and its first value.
  void printVariable(const VariableDecl &decl);

  /// The lines of \p formals, and of \p result, which may be null.
  void printHeading(llvm::ArrayRef<Formal> formals, const TypeExpr *result);

  /// `Procedure name`, `Prototype` or `RegionOp`, with formals, result, locals
  /// and body.
  void printProcedure(const ProcedureDecl &decl);

  /// `TypeDecl name` and the type, if it is not extern without one.
  void printType(const TypeDecl &decl);

  /// `Region name: distribution` and its value.
  void printRegion(const RegionDecl &decl);

  /// `Distribution name: grid` and how each dimension is distributed.
  void printDistribution(const DistributionDecl &decl);

  /// The bounds of an indexed name, as of the family `R{0..n}`, below its line.
  void print(const DefinedName &name);

  const SourceManager &sources;
  llvm::raw_ostream &os;
  uint32_t file;
  unsigned depth = 0;
};

} // namespace zpl::ast

#endif // ZPL_LIB_AST_TREEPRINTER_H
