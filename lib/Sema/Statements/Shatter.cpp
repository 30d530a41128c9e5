//===- Shatter.cpp - Control flow that runs once per index ----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     [R] while A > eps & A < (max<< B) do
//           A := f(A, B@east, n);
//           if Index1 = k then exit; end;
//         end;
//
// in the procedure p becomes
//
//     procedure p.while(inout A: double; eps, value.1, B.2: double;
//                       n, Index1, k: integer);
//     begin
//       while A > eps & A < value.1 do
//         A := f(A, B.2, n);
//         if Index1 = k then exit; end;
//       end;
//     end;
//
//     [R] p.while(A, eps, max<< B, B@east, n, Index1, k);
//
// a scalar procedure that is promoted, so that nothing after this knows of
// shattered control flow. Arrays that the statement writes are passed by
// reference, everything else that belongs to an index or to the procedure p by
// value; globals that are not parallel arrays are read where they are. Hidden
// variables that the statement sets, loops of blank references say, become
// locals.
//
// What cannot be done once per index is refused here, the calls of parallel
// procedures in Parallel.cpp. The outermost condition and bounds are evaluated
// before anything is written; array operators and calls in them that are for
// all indices become arguments. In the condition of a loop they may be, if they
// read nothing that the loop writes.
//
// It happens when the body of a procedure is complete: of `repeat` the
// condition, which tells, comes last.
//
// Cost: linear in the code.
//
//===----------------------------------------------------------------------===//

#include "Statements/Shatter.h"
#include "Arrays/Scopes.h"

#include "Check/Checking.h"
#include "Tree/Walk.h"
#include "Types/Types.h"
#include "zpl/Sema/Visit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

namespace zpl::sema {

namespace {

/// What a statement writes.
class WriteFinder : public Visitor {
public:
  WriteFinder(llvm::DenseSet<const Array *> &arrays,
              llvm::DenseSet<const Variable *> &hidden)
      : arrays(arrays), hidden(hidden) {}
  unsigned rank = 0; ///< of the first array

  void find(Stmt &s) {
    Procedure code("", SourceRange());
    code.body = &s;
    visitProcedure(code);
  }

protected:
  void onWrite(const ArrayExpr &array, unsigned) override {
    arrays.insert(array.array);
    if (rank == 0)
      rank = array.rank;
  }
  void onScalarWrite(const Variable &variable, SourceRange) override {
    if (variable.isHidden && variable.storage == Storage::Local)
      hidden.insert(&variable);
  }

private:
  llvm::DenseSet<const Array *> &arrays;
  llvm::DenseSet<const Variable *> &hidden;
};

} // namespace

const Expr *headOf(const Stmt &s) {
  auto arrayOf = [](llvm::ArrayRef<const Expr *> parts) -> const Expr * {
    const Expr *any = nullptr;
    for (const Expr *part : parts) {
      if (!part->isArray())
        continue;
      if (part->rank != Expr::AnyRank)
        return part;
      any = any ? any : part;
    }
    return any;
  };
  if (auto *branch = llvm::dyn_cast<IfStmt>(&s))
    return arrayOf(branch->condition);
  if (auto *loop = llvm::dyn_cast<WhileStmt>(&s))
    return arrayOf(loop->condition);
  if (auto *loop = llvm::dyn_cast<RepeatStmt>(&s))
    return arrayOf(loop->condition);
  if (auto *loop = llvm::dyn_cast<ForStmt>(&s))
    return arrayOf({loop->variable, loop->from, loop->bound, loop->step});
  return nullptr;
}

namespace {

llvm::StringRef wordOf(const Stmt &s) {
  return s.kind == StmtKind::If       ? "if"
         : s.kind == StmtKind::While  ? "while"
         : s.kind == StmtKind::Repeat ? "repeat"
                                      : "for";
}

/// Names a statement that cannot run once per index.
llvm::StringRef deedOf(const Stmt &s) {
  switch (s.kind) {
  case StmtKind::Wave:
    return "a scan block";
  case StmtKind::Scatter:
    return "a remap";
  case StmtKind::Boundary:
    return llvm::cast<BoundaryStmt>(s).reflects ? "'reflect'" : "'wrap'";
  case StmtKind::Builtin:
  case StmtKind::BindIo:
    return "work on files";
  case StmtKind::Write:
    return "output";
  case StmtKind::Read:
    return "input";
  case StmtKind::Halt:
    return "'halt'";
  case StmtKind::Timer:
    return "a timer";
  case StmtKind::Return:
    return "'return'";
  case StmtKind::Scope:
    return "a region scope";
  case StmtKind::RegionAssign:
    return "an assignment of a region";
  case StmtKind::Sort:
    return "'sort'";
  case StmtKind::Redistribute:
    return "a redistribution";
  case StmtKind::Resize:
    return "'resize'";
  case StmtKind::PatternAssign:
    return "an assignment of a pattern";
  case StmtKind::Modify:
    return "'modify'";
  case StmtKind::Add:
    return "'add'";
  case StmtKind::Block:
  case StmtKind::Assign:
  case StmtKind::ArrayAssign:
  case StmtKind::Call:
  case StmtKind::CheckShape:
  case StmtKind::If:
  case StmtKind::While:
  case StmtKind::Repeat:
  case StmtKind::For:
  case StmtKind::Exit:
  case StmtKind::Continue:
    break;
  }
  llvm_unreachable("may run once per index");
}

} // namespace

//===----------------------------------------------------------------------===//
// The procedure
//===----------------------------------------------------------------------===//

unsigned Outliner::findRank(Stmt &s) {
  WriteFinder finder(written, own);
  finder.find(s);
  if (head.rank != Expr::AnyRank)
    return head.rank;
  return finder.rank != 0 ? finder.rank : Expr::AnyRank;
}

Stmt *Outliner::outline(Stmt &s, unsigned overRank) {
  rank = overRank;
  shard = program.make<Procedure>((from.name + "." + wordOf(s)).str(), s.range);
  shard->isShard = true;
  shard->bodyRange = s.range;
  theCall = program.make<CallExpr>(shard, s.range);
  shard->body = outermost(s);
  for (auto [bound, argument] : bounds) {
    shard->params.push_back(bound);
    theCall->args.push_back(argument);
  }
  for (Symbol *local : from.locals)
    if (auto *variable = llvm::dyn_cast<Variable>(local);
        variable && own.contains(variable))
      shard->locals.push_back(local);
  llvm::erase_if(from.locals, [&](const Symbol *local) {
    return llvm::is_contained(shard->locals, local);
  });
  program.procedures.push_back(shard);
  theCall->copies.assign(theCall->args.size(), false);
  theCall->rank = rank;
  for (const Expr *arg : theCall->args)
    Builder::settle(*arg, rank);
  return program.make<CallStmt>(theCall, s.range);
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

void Outliner::stmts(const StmtList &list, StmtList &to) {
  for (Stmt *s : list)
    to.push_back(stmt(*s));
}

Stmt *Outliner::outermost(Stmt &s) {
  if (auto *branch = llvm::dyn_cast<IfStmt>(&s))
    return this->branch(*branch, Hoist::Calls);
  if (auto *loop = llvm::dyn_cast<ForStmt>(&s))
    return this->loop(*loop, Hoist::Calls);
  return repeated(s, Hoist::Invariant);
}

Stmt *Outliner::branch(const IfStmt &s, Hoist condition) {
  auto *node =
      program.make<IfStmt>(headValue(*s.condition, condition), s.range);
  stmts(s.thenBody, node->thenBody);
  auto *next = s.elseBody.size() == 1
                   ? llvm::dyn_cast<IfStmt>(s.elseBody.front())
                   : nullptr;
  if (next && condition != Hoist::Nothing)
    node->elseBody.push_back(branch(*next, Hoist::Operators));
  else
    stmts(s.elseBody, node->elseBody);
  return node;
}

Stmt *Outliner::loop(const ForStmt &s, Hoist kind) {
  const Expr *variable = place(*s.variable);
  const Expr *first = headValue(*s.from, kind);
  const Expr *bound = headValue(*s.bound, kind);
  const Expr *step = headValue(*s.step, kind);
  auto *node =
      program.make<ForStmt>(variable, first, bound, step, s.down, s.range);
  ++loopDepth;
  stmts(s.body, node->body);
  --loopDepth;
  return node;
}

Stmt *Outliner::repeated(const Stmt &s, Hoist condition) {
  if (auto *loop = llvm::dyn_cast<WhileStmt>(&s)) {
    auto *node = program.make<WhileStmt>(headValue(*loop->condition, condition),
                                         s.range);
    ++loopDepth;
    stmts(loop->body, node->body);
    --loopDepth;
    return node;
  }
  auto &loop = llvm::cast<RepeatStmt>(s);
  StmtList body;
  ++loopDepth;
  stmts(loop.body, body);
  --loopDepth;
  auto *node =
      program.make<RepeatStmt>(headValue(*loop.condition, condition), s.range);
  node->body = std::move(body);
  return node;
}

Stmt *Outliner::leave(Stmt &s, llvm::StringRef word) {
  if (loopDepth == 0)
    diags.report(s.range, Diag::ShatteredExit, word)
        .note(head.range, Diag::ShatteredHere);
  return &s;
}

Stmt *Outliner::refused(const Stmt &s) {
  diags.report(s.range, Diag::ShatteredDeed, deedOf(s))
      .note(head.range, Diag::ShatteredHere);
  return program.make<BlockStmt>(s.range);
}

/// stmt() of each kind of statement.
struct Outliner::Copies {
  Outliner &o;

  Stmt *of(BlockStmt &s) {
    auto *node = o.program.make<BlockStmt>(s.range);
    o.stmts(s.body, node->body);
    return node;
  }
  Stmt *of(OneOf<AssignStmt, ArrayAssignStmt> auto &s) {
    const Expr *target = o.place(*s.target);
    return o.program.make<AssignStmt>(target, o.value(*s.value), s.range);
  }
  Stmt *of(CallStmt &s) {
    return o.program.make<CallStmt>(o.call(*s.call), s.range);
  }
  Stmt *of(CheckShapeStmt &s) {
    auto *node = o.program.make<CheckShapeStmt>(s);
    node->extentA = o.value(*node->extentA);
    node->extentB = o.value(*node->extentB);
    return node;
  }
  Stmt *of(IfStmt &s) { return o.branch(s, Hoist::Nothing); }
  Stmt *of(OneOf<WhileStmt, RepeatStmt> auto &s) {
    return o.repeated(s, Hoist::Nothing);
  }
  Stmt *of(ForStmt &s) { return o.loop(s, Hoist::Nothing); }
  Stmt *of(ExitStmt &s) { return o.leave(s, "exit"); }
  Stmt *of(ContinueStmt &s) { return o.leave(s, "continue"); }
  Stmt *of(OneOf<WaveStmt, ScatterStmt, BoundaryStmt, BuiltinStmt, WriteStmt,
                 ReadStmt, BindIoStmt, SortStmt, HaltStmt, TimerStmt,
                 ReturnStmt, ScopeStmt, RegionAssignStmt, RedistributeStmt,
                 ResizeStmt, PatternAssignStmt, ModifyStmt, AddStmt> auto &s) {
    return o.refused(s);
  }
};

Stmt *Outliner::stmt(Stmt &s) {
  return visitKind(s, [&](auto &known) { return Copies{*this}.of(known); });
}

//===----------------------------------------------------------------------===//
// The procedure that contains it
//===----------------------------------------------------------------------===//

static Stmt *shattered(Checking &c, Stmt *s, Procedure &procedure);

void shatter(Checking &c, Procedure &procedure) {
  c.scopeRanks.clear();
  procedure.body = shattered(c, procedure.body, procedure);
}

static void shatter(Checking &c, StmtList &list, Procedure &procedure) {
  for (Stmt *&s : list)
    s = shattered(c, s, procedure);
}

/// \p s, or the call that it becomes.
static Stmt *shattered(Checking &c, Stmt *s, Procedure &procedure) {
  if (const Expr *head = headOf(*s)) {
    Outliner outliner(c.program, c.types, c.diags, procedure, *head);
    unsigned rank = outliner.findRank(*s);
    if (rank == Expr::AnyRank)
      rank = visibleRank(c, head->minRank, head->range);
    return rank == 0 ? s : outliner.outline(*s, rank);
  }
  if (auto *block = llvm::dyn_cast<BlockStmt>(s)) {
    shatter(c, block->body, procedure);
  } else if (auto *branch = llvm::dyn_cast<IfStmt>(s)) {
    shatter(c, branch->thenBody, procedure);
    shatter(c, branch->elseBody, procedure);
  } else if (auto *loop = llvm::dyn_cast<WhileStmt>(s)) {
    shatter(c, loop->body, procedure);
  } else if (auto *loop = llvm::dyn_cast<RepeatStmt>(s)) {
    shatter(c, loop->body, procedure);
  } else if (auto *loop = llvm::dyn_cast<ForStmt>(s)) {
    shatter(c, loop->body, procedure);
  } else if (auto *modified = llvm::dyn_cast<ModifyStmt>(s)) {
    shatter(c, modified->body, procedure);
  } else if (auto *scope = llvm::dyn_cast<ScopeStmt>(s)) {
    c.scopeRanks.push_back(scope->region->rank);
    scope->body = shattered(c, scope->body, procedure);
    c.scopeRanks.pop_back();
  }
  return s;
}

} // namespace zpl::sema
