//===- Waves.cpp - Checks scan blocks -------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     [R] scan
//       A := (A'@north + A'@west + A@south) / 3;
//       B := B'@nw + A;
//     end;
//
// Language 8.6: the statements are executed together index by index, so
// assignments to parallel arrays of one rank and promoted calls are all that
// may stand here, and what they compute is element-wise.
//
//  1. Each statement is checked as it would be alone; while that is done
//     primes are legal. Scalars that an operator assignment keeps (`A[f(i)] +=
//     1`) are set in front of the block.
//  2. A prime on an array that the block does not write, by that name, says
//     nothing and is dropped.
//  3. The order follows from the primed offsets (WaveOrder.cpp). `A@south` is
//     what was there before the block. That is still there if the block comes
//     to i before it comes to i + south: if the opposite of south has a place
//     in the order. Where all plain directions of written arrays have one, and
//     the block does not lose its tiles by it, no copy is made.
//
// Cost: linear in the block, but for the order (at most 720 tries).
//
//===----------------------------------------------------------------------===//

#include "Statements/Waves.h"
#include "Arithmetic/WaveOrder.h"
#include "Check/Checking.h"
#include "Statements/Statements.h"
#include "Tree/Walk.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/SaveAndRestore.h"

namespace zpl::sema {

namespace {

/// Names a statement that no scan block has; empty: those that it may have.
llvm::StringRef deedOf(const ast::Stmt &s) {
  switch (s.kind) {
  case ast::StmtKind::Block:
  case ast::StmtKind::Empty:
  case ast::StmtKind::Call:
  case ast::StmtKind::Assign:
    return "";
  case ast::StmtKind::Interleave:
    return "'interleave'";
  case ast::StmtKind::ScanBlock:
    return "a scan block";
  case ast::StmtKind::Wrap:
    return llvm::cast<ast::WrapStmt>(s).reflects ? "'reflect'" : "'wrap'";
  case ast::StmtKind::Modify:
    return "'modify'";
  case ast::StmtKind::Add:
    return "'add'";
  case ast::StmtKind::If:
    return "'if'";
  case ast::StmtKind::While:
    return "'while'";
  case ast::StmtKind::Repeat:
    return "'repeat'";
  case ast::StmtKind::For:
    return "'for'";
  case ast::StmtKind::Exit:
    return "'exit'";
  case ast::StmtKind::Continue:
    return "'continue'";
  case ast::StmtKind::Return:
    return "'return'";
  case ast::StmtKind::Halt:
    return "'halt'";
  case ast::StmtKind::Assert:
    return "'assert'";
  case ast::StmtKind::Io:
    return "input or output";
  case ast::StmtKind::Scope:
    return "a region scope";
  }
  llvm_unreachable("statement");
}

/// Names an operator that is not element-wise; empty: another expression.
llvm::StringRef operatorOf(const Expr &e) {
  return e.kind == ExprKind::Reduce   ? "a reduction"
         : e.kind == ExprKind::Flood  ? "a flood"
         : e.kind == ExprKind::Scan   ? "a scan"
         : e.kind == ExprKind::Gather ? "a remap"
                                      : "";
}

/// Whether the program, not the checker, wrote the assignment.
bool isWritten(const AssignStmt &s) {
  auto *variable = llvm::dyn_cast<VariableExpr>(s.target);
  return !variable || !variable->variable->isHidden;
}

/// The components of a direction; none unless all are constants.
std::optional<WaveOffset> constantOffset(const ArrayExpr &e) {
  WaveOffset offset;
  for (const Expr *component : e.direction) {
    auto *literal = llvm::dyn_cast<LiteralExpr>(component);
    if (!literal)
      return std::nullopt;
    offset.push_back(literal->integer);
  }
  return offset;
}

/// Makes a wave of the statements of one scan block.
class WaveMaker {
public:
  WaveMaker(Program &program, DiagnosticEngine &diags, SourceRange range)
      : program(program), diags(diags),
        wave(program.make<WaveStmt>(/*rank=*/0, range)) {}

  void add(Stmt &s);
  /// The block; null after a report.
  Stmt *finish();

private:
  void addElementStmt(Stmt &s, unsigned rank);
  void refuse(SourceRange range, llvm::StringRef what);
  void addExprs(const Expr &e);
  void findWritten(const Stmt &s);
  bool findOrder();
  void reportConflict(llvm::ArrayRef<WaveOffset> offsets);

  Program &program;
  DiagnosticEngine &diags;
  WaveStmt *wave;
  StmtList before; ///< sets scalars
  bool isGood = true;
  std::vector<const ArrayExpr *> shifted;
  llvm::DenseSet<const Array *> written;
};

void WaveMaker::refuse(SourceRange range, llvm::StringRef what) {
  diags.report(range, Diag::WaveStatement, what).done();
  isGood = false;
}

/// What checking a statement has made.
void WaveMaker::add(Stmt &s) {
  if (auto *block = llvm::dyn_cast<BlockStmt>(&s)) {
    for (Stmt *inner : block->body)
      add(*inner);
  } else if (auto *assign = llvm::dyn_cast<ArrayAssignStmt>(&s)) {
    addElementStmt(s, assign->target->rank);
  } else if (auto *assign = llvm::dyn_cast<AssignStmt>(&s)) {
    if (isWritten(*assign))
      refuse(s.range, "an assignment to a scalar");
    else
      before.push_back(&s);
  } else if (auto *call = llvm::dyn_cast<CallStmt>(&s)) {
    if (call->call->rank == 0 || call->call->callee->resultRank != 0)
      refuse(s.range, "a call without a parallel array");
    else
      addElementStmt(s, call->call->rank);
  } else if (llvm::isa<ScatterStmt>(s)) {
    refuse(s.range, "a remap");
  } else if (llvm::isa<ForStmt, CheckShapeStmt>(s)) {
    refuse(s.range, "a blank reference");
  } else if (llvm::isa<RegionAssignStmt>(s)) {
    refuse(s.range, "an assignment of a region");
  } else if (llvm::isa<RedistributeStmt>(s)) {
    refuse(s.range, "a redistribution");
  } else {
    refuse(s.range, "a standard procedure");
  }
}

void WaveMaker::addElementStmt(Stmt &s, unsigned rank) {
  if (wave->rank == 0)
    wave->rank = rank;
  if (wave->rank != rank) {
    diags.report(s.range, Diag::WaveRank, rank, wave->rank)
        .note(wave->body.front()->range, Diag::WaveRankHere, wave->rank);
    isGood = false;
    return;
  }
  wave->body.push_back(&s);
  if (auto *assign = llvm::dyn_cast<ArrayAssignStmt>(&s)) {
    addExprs(*assign->target);
    addExprs(*assign->value);
    auto *root = llvm::cast<ArrayExpr>(rootOf(assign->target));
    if (!root->direction.empty()) {
      diags.report(assign->target->range, Diag::WaveTarget, root->text).done();
      isGood = false;
    }
  } else {
    addExprs(*llvm::cast<CallStmt>(s).call);
  }
  findWritten(s);
}

/// Looks for operators and shifted arrays.
void WaveMaker::addExprs(const Expr &e) {
  llvm::StringRef refused = operatorOf(e);
  auto *call = llvm::dyn_cast<CallExpr>(&e);
  if (call && call->callee->resultRank != 0)
    refused = "a call of a function that returns a parallel array";
  if (!refused.empty()) {
    diags.report(e.range, Diag::WaveOperator, refused).done();
    isGood = false;
    return;
  }
  if (auto *array = llvm::dyn_cast<ArrayExpr>(&e);
      array && !array->direction.empty())
    shifted.push_back(array);
  forEachOperand(e, [&](const Expr &operand) { addExprs(operand); });
}

void WaveMaker::findWritten(const Stmt &s) {
  auto addRoot = [&](const Expr &place) {
    if (auto *array = llvm::dyn_cast<ArrayExpr>(rootOf(&place)))
      written.insert(array->array);
  };
  auto addCalls = [&](const Expr &e) {
    auto *call = llvm::dyn_cast<CallExpr>(&e);
    for (unsigned i = 0; call && i != call->args.size(); ++i) {
      auto *formal = llvm::dyn_cast<Variable>(call->callee->params[i]);
      if (formal && isByReference(formal->mode))
        addRoot(*call->args[i]);
    }
  };
  if (auto *assign = llvm::dyn_cast<ArrayAssignStmt>(&s)) {
    addRoot(*assign->target);
    forEachExpr(*assign->target, addCalls);
    forEachExpr(*assign->value, addCalls);
  } else {
    forEachExpr(*llvm::cast<CallStmt>(s).call, addCalls);
  }
}

void WaveMaker::reportConflict(llvm::ArrayRef<WaveOffset> offsets) {
  auto conflict = findWaveConflict(offsets, wave->rank);
  std::vector<const ArrayExpr *> primed;
  for (const ArrayExpr *e : shifted)
    if (e->isPrimed)
      primed.push_back(e);
  const ArrayExpr &first = *primed[conflict[0]], &other = *primed[conflict[1]];
  auto report =
      diags.report(first.range, Diag::WaveConflict, first.text, other.text);
  for (unsigned number : llvm::drop_begin(conflict))
    report.note(primed[number]->range, Diag::WaveConflictWith,
                primed[number]->text);
}

/// Chooses the order; drops primes without effect.
bool WaveMaker::findOrder() {
  std::vector<WaveOffset> primed, all;
  for (const ArrayExpr *e : shifted) {
    if (!written.contains(e->array)) {
      Builder::unfinished(*e).isPrimed = false;
      continue;
    }
    std::optional<WaveOffset> offset = constantOffset(*e);
    if (!offset || e->wraps)
      continue; // a copy
    if (e->isPrimed)
      primed.push_back(*offset);
    else
      for (int64_t &component : *offset)
        component = -component;
    if (llvm::any_of(*offset, [](int64_t c) { return c != 0; }))
      all.push_back(*offset);
  }
  std::optional<WaveOrder> order = findWaveOrder(primed, wave->rank);
  if (!order) {
    reportConflict(primed);
    return false;
  }
  std::optional<WaveOrder> inPlace = findWaveOrder(all, wave->rank);
  wave->readsInPlace = inPlace && inPlace->steps <= order->steps;
  wave->order = wave->readsInPlace ? *inPlace : *order;
  return true;
}

Stmt *WaveMaker::finish() {
  if (!isGood || (!wave->body.empty() && !findOrder()))
    return nullptr;
  auto *block = program.make<BlockStmt>(wave->range);
  block->body = std::move(before);
  if (!wave->body.empty())
    block->body.push_back(wave);
  return block;
}

} // namespace

static void checkWaveStmts(Checking &c, const ast::StmtList &body,
                           StmtList &to) {
  for (const ast::Stmt *s : body) {
    llvm::StringRef deed = deedOf(*s);
    if (!deed.empty()) {
      c.diags.report(s->range, Diag::WaveStatement, deed).done();
      to.push_back(nullptr);
    } else if (auto *block = llvm::dyn_cast<ast::BlockStmt>(s)) {
      checkWaveStmts(c, block->body, to);
    } else {
      unsigned errors = c.diags.errors();
      Stmt *made = checkStmt(c, *s);
      to.push_back(c.diags.errors() == errors ? made : nullptr);
    }
  }
}

Stmt *checkScanBlock(Checking &c, const ast::ScanBlockStmt &s) {
  StmtList body;
  {
    llvm::SaveAndRestore<bool> inside(c.around.isScanBlock, true);
    checkWaveStmts(c, s.body, body);
  }
  WaveMaker maker(c.program, c.diags, s.range);
  for (Stmt *made : body)
    if (made)
      maker.add(*made);
  Stmt *wave = maker.finish();
  return wave ? wave : emptyStmt(c, s.range);
}

bool prime(Checking &c, ArrayExpr &e, SourceRange direction) {
  if (!c.around.isScanBlock) {
    c.diags.report(e.range, Diag::PrimeOutside, e.text).done();
    return false;
  }
  for (auto [dim, component] : llvm::enumerate(e.direction))
    if (!llvm::isa<LiteralExpr>(component)) {
      c.diags.report(direction, Diag::PrimeNotConstant, dim + 1, e.text).done();
      return false;
    }
  if (llvm::all_of(e.direction, [](const Expr *component) {
        return llvm::cast<LiteralExpr>(component)->integer == 0;
      })) {
    c.diags.report(direction, Diag::PrimeZero, e.text, e.array->name).done();
    return false;
  }
  e.isPrimed = true;
  return true;
}

} // namespace zpl::sema
