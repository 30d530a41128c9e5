//===- Printer.cpp - The syntax tree as text ------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For `[R] A := B@east;` the dump is
//
//     Scope <7:3-20>
//       RegionLit <7:3-6>
//         Single <7:4-5>
//           NameRef R <7:4-5>
//       Assign := <7:7-19>
//         NameRef A <7:7-8>
//         At <7:12-18>
//           NameRef B <7:12-13>
//           NameRef east <7:14-18>
//
// A recursive walk; the parser bounds the depth of a tree.
//
//===----------------------------------------------------------------------===//

#include "zpl/AST/Printer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace zpl::ast {

namespace {
class Printer {
public:
  Printer(const SourceManager &sources, raw_ostream &os, uint32_t file)
      : sources(sources), os(os), file(file) {}

  void print(const Module &module);

private:
  /// Indents what is printed while it lives.
  struct Nested {
    explicit Nested(unsigned &depth) : depth(depth) { ++depth; }
    ~Nested() { --depth; }
    unsigned &depth;
  };

  raw_ostream &begin(StringRef kind) {
    os.indent(2 * depth) << kind;
    return os;
  }
  void end(SourceRange range);
  void line(StringRef kind, SourceRange range) {
    begin(kind);
    end(range);
  }
  void quoted(StringRef text) {
    os << " \"";
    os.write_escaped(text) << '"';
  }

  void print(const Expr *expr);
  void printChildren(const Expr *expr);
  void print(const Dim &dim);
  void print(const TypeRef &type);
  void print(const Stmt *stmt);
  void printChildren(const Stmt *stmt);
  void printIf(const IfStmt &stmt);
  void print(const StmtList &stmts);
  void printPart(StringRef label, const StmtList &stmts);
  void print(const std::vector<Item> &items);
  void print(const Decl *decl);
  void printVariable(const VariableDecl &decl);
  void printProcedure(const ProcedureDecl &decl);

  const SourceManager &sources;
  raw_ostream &os;
  uint32_t file;
  unsigned depth = 0;
};
} // namespace

void Printer::end(SourceRange range) {
  if (!range.isValid()) {
    os << " <>\n";
    return;
  }
  LineColumn from = sources.lineColumn(range);
  LineColumn to = sources.lineColumn({range.file, range.end, range.end});
  os << " <";
  if (range.file != file)
    os << sources.name(range.file) << ':';
  os << from.line << ':' << from.column << '-';
  if (to.line != from.line)
    os << to.line << ':';
  os << to.column << ">\n";
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

static StringRef kindName(NodeKind kind) {
  switch (kind) {
  case NodeKind::IntLiteral:
    return "IntLiteral";
  case NodeKind::FloatLiteral:
    return "FloatLiteral";
  case NodeKind::StringLiteral:
    return "StringLiteral";
  case NodeKind::BoolLiteral:
    return "BoolLiteral";
  case NodeKind::NameRef:
    return "NameRef";
  case NodeKind::Call:
    return "Call";
  case NodeKind::Unary:
    return "Unary";
  case NodeKind::Binary:
    return "Binary";
  case NodeKind::Paren:
    return "Paren";
  case NodeKind::At:
    return "At";
  case NodeKind::Reduce:
    return "Reduce";
  case NodeKind::List:
    return "List";
  case NodeKind::RegionLit:
    return "RegionLit";
  case NodeKind::Quote:
    return "Quote";
  case NodeKind::Of:
    return "Of";
  case NodeKind::In:
    return "In";
  case NodeKind::RegionAt:
    return "RegionAt";
  }
  llvm_unreachable("all expressions have a name");
}

void Printer::print(const Expr *expr) {
  begin(kindName(expr->kind));
  if (const auto *literal = dyn_cast<IntLiteral>(expr))
    os << ' ' << literal->text;
  else if (const auto *literal = dyn_cast<FloatLiteral>(expr))
    os << ' ' << literal->text;
  else if (const auto *literal = dyn_cast<StringLiteral>(expr))
    quoted(literal->value);
  else if (const auto *literal = dyn_cast<BoolLiteral>(expr))
    os << (literal->value ? " true" : " false");
  else if (const auto *name = dyn_cast<NameRef>(expr))
    os << ' ' << name->name;
  else if (const auto *call = dyn_cast<Call>(expr))
    os << ' ' << call->callee.text;
  else if (const auto *unary = dyn_cast<Unary>(expr))
    os << ' ' << text(unary->op);
  else if (const auto *binary = dyn_cast<Binary>(expr))
    os << ' ' << text(binary->op);
  else if (const auto *reduce = dyn_cast<Reduce>(expr))
    os << ' ' << text(reduce->op);
  end(expr->range);
  Nested nested(depth);
  printChildren(expr);
}

void Printer::printChildren(const Expr *expr) {
  if (const auto *call = dyn_cast<Call>(expr)) {
    for (const Expr *arg : call->args)
      print(arg);
  } else if (const auto *unary = dyn_cast<Unary>(expr)) {
    print(unary->operand);
  } else if (const auto *binary = dyn_cast<Binary>(expr)) {
    print(binary->left);
    print(binary->right);
  } else if (const auto *paren = dyn_cast<Paren>(expr)) {
    print(paren->inner);
  } else if (const auto *at = dyn_cast<At>(expr)) {
    print(at->designator);
    print(at->direction);
  } else if (const auto *reduce = dyn_cast<Reduce>(expr)) {
    print(reduce->operand);
  } else if (const auto *list = dyn_cast<List>(expr)) {
    for (const Expr *item : list->items)
      print(item);
  } else if (const auto *region = dyn_cast<RegionLit>(expr)) {
    for (const Dim &dim : region->dims)
      print(dim);
  } else if (const auto *op = dyn_cast<RegionOp>(expr)) {
    print(op->direction);
    print(op->region);
  }
}

void Printer::print(const Dim &dim) {
  switch (dim.kind) {
  case Dim::Range:
    line("Range", dim.range);
    break;
  case Dim::Single:
    line("Single", dim.range);
    break;
  case Dim::Blank:
    line("Blank", dim.range);
    break;
  }
  Nested nested(depth);
  if (dim.lo)
    print(dim.lo);
  if (dim.hi)
    print(dim.hi);
}

void Printer::print(const TypeRef &type) {
  begin("TypeRef ") << type.element.text;
  end(type.range);
  Nested nested(depth);
  if (type.dims)
    print(type.dims);
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

static StringRef kindName(StmtKind kind) {
  switch (kind) {
  case StmtKind::Block:
    return "Block";
  case StmtKind::Empty:
    return "Empty";
  case StmtKind::If:
    return "If";
  case StmtKind::While:
    return "While";
  case StmtKind::Repeat:
    return "Repeat";
  case StmtKind::For:
    return "For";
  case StmtKind::Exit:
    return "Exit";
  case StmtKind::Continue:
    return "Continue";
  case StmtKind::Return:
    return "Return";
  case StmtKind::Halt:
    return "Halt";
  case StmtKind::Write:
    return "Write";
  case StmtKind::Call:
    return "CallStmt";
  case StmtKind::Assign:
    return "Assign";
  case StmtKind::Scope:
    return "Scope";
  }
  llvm_unreachable("all statements have a name");
}

void Printer::print(const Stmt *stmt) {
  begin(kindName(stmt->kind));
  if (const auto *assign = dyn_cast<AssignStmt>(stmt))
    os << ' ' << (assign->op ? text(*assign->op) : ":") << '=';
  else if (const auto *loop = dyn_cast<ForStmt>(stmt))
    os << (loop->down ? " downto" : " to");
  else if (const auto *write = dyn_cast<WriteStmt>(stmt))
    os << (write->newline ? " newline" : "");
  end(stmt->range);
  Nested nested(depth);
  printChildren(stmt);
}

void Printer::printChildren(const Stmt *stmt) {
  if (const auto *block = dyn_cast<BlockStmt>(stmt)) {
    print(block->body);
  } else if (const auto *branch = dyn_cast<IfStmt>(stmt)) {
    printIf(*branch);
  } else if (const auto *loop = dyn_cast<WhileStmt>(stmt)) {
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
  } else if (const auto *result = dyn_cast<ReturnStmt>(stmt)) {
    if (result->value)
      print(result->value);
  } else if (const auto *halt = dyn_cast<HaltStmt>(stmt)) {
    print(halt->items);
  } else if (const auto *write = dyn_cast<WriteStmt>(stmt)) {
    print(write->items);
  } else if (const auto *call = dyn_cast<CallStmt>(stmt)) {
    print(call->call);
  } else if (const auto *assign = dyn_cast<AssignStmt>(stmt)) {
    print(assign->target);
    print(assign->value);
  } else if (const auto *scope = dyn_cast<ScopeStmt>(stmt)) {
    print(scope->region);
    print(scope->body);
  }
}

void Printer::printIf(const IfStmt &stmt) {
  for (const IfStmt::Arm &arm : stmt.arms) {
    begin("Arm") << '\n';
    Nested nested(depth);
    print(arm.condition);
    print(arm.body);
  }
  if (!stmt.elseBody.empty())
    printPart("Else", stmt.elseBody);
}

void Printer::print(const StmtList &stmts) {
  for (const Stmt *stmt : stmts)
    print(stmt);
}

void Printer::printPart(StringRef label, const StmtList &stmts) {
  begin(label) << '\n';
  Nested nested(depth);
  print(stmts);
}

void Printer::print(const std::vector<Item> &items) {
  for (const Item &item : items) {
    line(item.format ? "Item format" : "Item", item.range);
    Nested nested(depth);
    if (item.format)
      print(item.format);
    print(item.value);
  }
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

void Printer::print(const Decl *decl) {
  if (const auto *variable = dyn_cast<VariableDecl>(decl))
    return printVariable(*variable);
  if (const auto *procedure = dyn_cast<ProcedureDecl>(decl))
    return printProcedure(*procedure);
  if (const auto *region = dyn_cast<RegionDecl>(decl)) {
    begin("Region ") << region->name.text;
    end(decl->range);
    Nested nested(depth);
    print(region->value);
  } else if (const auto *direction = dyn_cast<DirectionDecl>(decl)) {
    begin("Direction ") << direction->name.text;
    end(decl->range);
    Nested nested(depth);
    print(direction->value);
  }
}

static StringRef flavorName(VariableDecl::Flavor flavor) {
  switch (flavor) {
  case VariableDecl::Var:
    return "var";
  case VariableDecl::Const:
    return "const";
  case VariableDecl::Config:
    return "config";
  }
  llvm_unreachable("all flavors have a name");
}

void Printer::printVariable(const VariableDecl &decl) {
  begin("Variable ") << flavorName(decl.flavor);
  if (decl.isStatic)
    os << " static";
  for (const Name &name : decl.names)
    os << ' ' << name.text;
  if (!decl.comment.empty())
    quoted(decl.comment);
  end(decl.range);
  Nested nested(depth);
  print(decl.type);
  if (decl.init)
    print(decl.init);
}

static StringRef modeName(Formal::Mode mode) {
  switch (mode) {
  case Formal::Const:
    return "const";
  case Formal::In:
    return "in";
  case Formal::InOut:
    return "inout";
  case Formal::Var:
    return "var";
  case Formal::Out:
    return "out";
  }
  llvm_unreachable("all modes have a name");
}

void Printer::printProcedure(const ProcedureDecl &decl) {
  begin(decl.body ? "Procedure " : "Prototype ") << decl.name.text;
  end(decl.range);
  Nested nested(depth);
  for (const Formal &formal : decl.formals) {
    begin("Formal ") << modeName(formal.mode) << ' ' << formal.name.text;
    end(formal.name.range);
    Nested inner(depth);
    print(formal.type);
  }
  if (decl.result) {
    begin("Result") << '\n';
    Nested inner(depth);
    print(*decl.result);
  }
  for (const Decl *local : decl.locals)
    print(local);
  if (decl.body)
    print(decl.body);
}

void Printer::print(const Module &module) {
  begin("Program ") << module.name.text;
  end(module.name.range);
  Nested nested(depth);
  for (const Decl *decl : module.decls)
    print(decl);
}

void print(const Module &module, const SourceManager &sources,
           raw_ostream &os) {
  Printer(sources, os, module.name.range.file).print(module);
}

} // namespace zpl::ast
