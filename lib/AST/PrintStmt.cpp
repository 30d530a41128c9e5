//===- PrintStmt.cpp - Statements as text ---------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Statements print like expressions; lists of which a statement has several are
// under a heading. For `if a then exit; else continue; end;`:
//
//     If <3:3-37>
//       Arm
//         NameRef a <3:6-7>
//         Exit <3:13-17>
//       Else
//         Continue <3:24-32>
//
//===----------------------------------------------------------------------===//

#include "TreePrinter.h"

using namespace llvm;

namespace zpl::ast {

static StringRef kindName(StmtKind kind) {
  static constexpr StringRef Names[] = {
#define AST_STMT(Kind, name) name,
#include "zpl/AST/Kinds.def"
  };
  return Names[size_t(kind)];
}

static StringRef formText(AssignStmt::Form form) {
  switch (form) {
  case AssignStmt::Plain:
    return ":=";
  case AssignStmt::Keep:
    return "<=#";
  case AssignStmt::Discard:
    return "<==";
  }
  llvm_unreachable("all forms have a text");
}

void TreePrinter::print(const Stmt *stmt) {
  begin(kindName(stmt->kind));
  printLabel(stmt);
  end(stmt->range);
  Nested nested(depth);
  printChildren(stmt);
}

void TreePrinter::printLabel(const Stmt *stmt) {
  if (const auto *assign = dyn_cast<AssignStmt>(stmt)) {
    if (assign->op)
      os << ' ' << text(*assign->op) << '=';
    else
      os << ' ' << formText(assign->form);
  } else if (const auto *loop = dyn_cast<ForStmt>(stmt)) {
    os << (loop->down ? " downto" : " to");
  } else if (const auto *io = dyn_cast<IoStmt>(stmt)) {
    os << ' ' << text(io->io);
  } else if (const auto *wrap = dyn_cast<WrapStmt>(stmt)) {
    os << (wrap->reflects ? " reflect" : " wrap");
  }
}

void TreePrinter::printChildren(const Stmt *stmt) {
  if (const auto *block = dyn_cast<BlockStmt>(stmt)) {
    print(block->body);
  } else if (const auto *block = dyn_cast<InterleaveStmt>(stmt)) {
    print(block->body);
  } else if (const auto *block = dyn_cast<ScanBlockStmt>(stmt)) {
    print(block->body);
  } else if (const auto *branch = dyn_cast<IfStmt>(stmt)) {
    printIf(*branch);
  } else if (const auto *result = dyn_cast<ReturnStmt>(stmt)) {
    if (result->value)
      print(result->value);
  } else if (const auto *halt = dyn_cast<HaltStmt>(stmt)) {
    if (halt->status)
      print(halt->status);
    print(halt->items);
  } else if (const auto *assertion = dyn_cast<AssertStmt>(stmt)) {
    print(assertion->condition);
    print(assertion->items);
  } else if (const auto *io = dyn_cast<IoStmt>(stmt)) {
    print(io->items);
  } else if (const auto *call = dyn_cast<CallStmt>(stmt)) {
    print(call->call);
  } else if (const auto *assign = dyn_cast<AssignStmt>(stmt)) {
    print(assign->target);
    print(assign->value);
  } else if (const auto *scope = dyn_cast<ScopeStmt>(stmt)) {
    print(scope->region);
    print(scope->body);
  } else if (const auto *wrap = dyn_cast<WrapStmt>(stmt)) {
    print(wrap->arrays);
  } else if (const auto *modify = dyn_cast<ModifyStmt>(stmt)) {
    print(modify->region);
    print(modify->body);
  } else if (const auto *add = dyn_cast<AddStmt>(stmt)) {
    print(add->indices);
  } else {
    printLoop(stmt);
  }
}

void TreePrinter::printLoop(const Stmt *stmt) {
  if (const auto *loop = dyn_cast<WhileStmt>(stmt)) {
    print(loop->condition);
    print(loop->body);
  } else if (const auto *loop = dyn_cast<RepeatStmt>(stmt)) {
    print(loop->body);
    print(loop->condition);
  } else if (const auto *loop = dyn_cast<ForStmt>(stmt)) {
    print(loop->variable);
    print(loop->from);
    print(loop->bound);
    if (loop->step)
      print(loop->step);
    printPart("Body", loop->body);
  }
}

void TreePrinter::printIf(const IfStmt &stmt) {
  for (const IfStmt::Arm &arm : stmt.arms) {
    begin("Arm") << '\n';
    Nested nested(depth);
    print(arm.condition);
    print(arm.body);
  }
  if (!stmt.elseBody.empty())
    printPart("Else", stmt.elseBody);
}

void TreePrinter::print(StmtList stmts) {
  for (const Stmt *stmt : stmts)
    print(stmt);
}

void TreePrinter::printPart(StringRef label, StmtList stmts) {
  begin(label) << '\n';
  Nested nested(depth);
  print(stmts);
}

void TreePrinter::print(ArrayRef<Item> items) {
  for (const Item &item : items) {
    line(item.format ? "Item format" : "Item", item.range);
    Nested nested(depth);
    if (item.format)
      print(item.format);
    print(item.value);
  }
}

} // namespace zpl::ast
