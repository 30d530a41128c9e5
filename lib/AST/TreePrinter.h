//===- TreePrinter.h - The state of a dump ----------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_AST_TREEPRINTER_H
#define ZPL_LIB_AST_TREEPRINTER_H

#include "zpl/AST/AST.h"
#include "llvm/Support/raw_ostream.h"

namespace zpl::ast {

/// Prints a node and its children, one per line.
class TreePrinter {
public:
  TreePrinter(const SourceManager &sources, llvm::raw_ostream &os,
              uint32_t file)
      : sources(sources), os(os), file(file) {}

  void print(const Module &module);

private:
  /// Indents what is printed while it lives.
  struct Nested {
    explicit Nested(unsigned &depth) : depth(depth) { ++depth; }
    ~Nested() { --depth; }
    unsigned &depth;
  };

  // Printer.cpp
  llvm::raw_ostream &begin(llvm::StringRef kind);
  void end(SourceRange range);
  void line(llvm::StringRef kind, SourceRange range);
  void quoted(llvm::StringRef text);

  // PrintExpr.cpp
  void print(const Expr *expr);
  void printLabel(const Expr *expr);
  void printDesignatorLabel(const Expr *expr);
  void printChildren(const Expr *expr);
  void printArrayOperator(const Expr *expr);
  void printRegion(const Expr *expr);
  void print(ExprList list);
  void printFold(const FoldOperator &op);
  void printScan(const Scan &scan);
  void print(const Dim &dim);

  // PrintStmt.cpp
  void print(const Stmt *stmt);
  void printLabel(const Stmt *stmt);
  void printChildren(const Stmt *stmt);
  void printLoop(const Stmt *stmt);
  void printIf(const IfStmt &stmt);
  void print(StmtList stmts);
  void printPart(llvm::StringRef label, StmtList stmts);
  void print(llvm::ArrayRef<Item> items);

  // PrintDecl.cpp
  void print(const TypeExpr *type);
  void printComponents(llvm::StringRef kind,
                       llvm::ArrayRef<RegionComponent> components);
  void printComponents(const DirectionType &type);
  void printTypeChildren(const TypeExpr *type);
  void print(const Decl *decl);
  void printVariable(const VariableDecl &decl);
  void printProcedure(const ProcedureDecl &decl);
  void printType(const TypeDecl &decl);
  void printRegion(const RegionDecl &decl);
  void printDistribution(const DistributionDecl &decl);
  void print(const DefinedName &name);

  const SourceManager &sources;
  llvm::raw_ostream &os;
  uint32_t file;
  unsigned depth = 0;
};

} // namespace zpl::ast

#endif // ZPL_LIB_AST_TREEPRINTER_H
