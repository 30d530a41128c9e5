//===- Statements.cpp - Statements ----------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Executes a statement and says how it ended: with the next one, or by leaving
// a loop, going on with it, or leaving the procedure.
//
//     [R] A := e      1. what happens once: directions, scalars, whole arrays
//                     2. the addresses of the elements of A
//                     3. the values of e, all of them
//                     4. stores each value at its address
//
// The order of 2 and 3 is that of assignments to scalars as well: first where,
// then what.
//
//===----------------------------------------------------------------------===//

#include "Statements.h"
#include "Arrays/ArrayExpressions.h"
#include "Arrays/Families.h"
#include "Arrays/Operators.h"
#include "Arrays/Sorts.h"
#include "Arrays/Waves.h"
#include "Calls.h"
#include "Declarations.h"
#include "Distributions.h"
#include "Errors.h"
#include "Expressions.h"
#include "Io/Input.h"
#include "Io/Output.h"
#include "Memory.h"
#include "Regions/Patterns.h"
#include "Regions/RegionExpressions.h"
#include "Regions/RegionValues.h"
#include "Run.h"
#include "zpl/Sema/Visit.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace zpl::interpreter {

static void assign(Run &run, const sema::AssignStmt *stmt);
static void assign(Run &run, const sema::ArrayAssignStmt *stmt);
static bool isOneForMany(Run &run, const sema::Expr *target,
                         const Region &over);
static void assignInTurn(Run &run, const sema::Expr *target,
                         const sema::Expr *value, const Cover &over);
static void assignOver(Run &run, const sema::Expr *target,
                       const sema::Expr *value, const Cover &over);
static void callStatement(Run &run, const sema::CallStmt *stmt);
static void checkShape(Run &run, const sema::CheckShapeStmt *stmt);
[[noreturn]] static void halt(Run &run, const sema::HaltStmt *stmt);
static Flow forLoop(Run &run, const sema::ForStmt *stmt);
static Flow returnFrom(Run &run, const sema::ReturnStmt *stmt);
static Flow scope(Run &run, const sema::ScopeStmt *stmt);

Flow execute(Run &run, const sema::StmtList &list) {
  for (const sema::Stmt *stmt : list)
    if (Flow flow = execute(run, stmt); flow != Flow::Next)
      return flow;
  return Flow::Next;
}

static void bindIo(Run &run, const sema::BindIoStmt &stmt) {
  ArrayStorage &array = find(run, stmt.array);
  (stmt.isRead ? array.reader : array.writer) = stmt.procedure;
}

static Flow whileLoop(Run &run, const sema::WhileStmt &loop) {
  while (eval(run, loop.condition).integer != 0) {
    Flow flow = execute(run, loop.body);
    if (flow == Flow::Exit)
      break;
    if (flow == Flow::Return)
      return flow;
  }
  return Flow::Next;
}

static Flow repeatLoop(Run &run, const sema::RepeatStmt &loop) {
  do {
    Flow flow = execute(run, loop.body);
    if (flow == Flow::Exit)
      break;
    if (flow == Flow::Return)
      return flow;
  } while (eval(run, loop.condition).integer == 0);
  return Flow::Next;
}

namespace {

/// Executes each kind of statement. Those that always go on with the next one
/// return nothing.
struct Execution {
  Run &run;

  Flow of(const sema::BlockStmt &s) { return execute(run, s.body); }
  void of(const sema::AssignStmt &s) { assign(run, &s); }
  void of(const sema::ArrayAssignStmt &s) { assign(run, &s); }
  void of(const sema::ScatterStmt &s) { scatter(run, &s); }
  void of(const sema::WaveStmt &s) { wave(run, &s); }
  void of(const sema::BoundaryStmt &s) { fillBoundary(run, &s); }
  void of(const sema::CallStmt &s) { callStatement(run, &s); }
  void of(const sema::BuiltinStmt &s) { eval(run, s.call); }
  void of(const sema::WriteStmt &s) { write(run, &s); }
  void of(const sema::ReadStmt &s) { read(run, &s); }
  void of(const sema::BindIoStmt &s) { bindIo(run, s); }
  void of(const sema::SortStmt &s) { sort(run, &s); }
  void of(const sema::CheckShapeStmt &s) { checkShape(run, &s); }
  void of(const sema::ResizeStmt &s) { resize(run, &s); }
  void of(const sema::HaltStmt &s) { halt(run, &s); }
  void of(const sema::TimerStmt &) {} // time stands still
  Flow of(const sema::IfStmt &s) {
    bool isTrue = eval(run, s.condition).integer != 0;
    return execute(run, isTrue ? s.thenBody : s.elseBody);
  }
  Flow of(const sema::WhileStmt &s) { return whileLoop(run, s); }
  Flow of(const sema::RepeatStmt &s) { return repeatLoop(run, s); }
  Flow of(const sema::ForStmt &s) { return forLoop(run, &s); }
  Flow of(const sema::ExitStmt &) { return Flow::Exit; }
  Flow of(const sema::ContinueStmt &) { return Flow::Continue; }
  Flow of(const sema::ReturnStmt &s) { return returnFrom(run, &s); }
  Flow of(const sema::ScopeStmt &s) { return scope(run, &s); }
  void of(const sema::RedistributeStmt &s) { redistribute(run, &s); }
  void of(const sema::PatternAssignStmt &s) { assign(run, &s); }
  void of(const sema::ModifyStmt &s) { modify(run, &s); }
  void of(const sema::AddStmt &s) { add(run, &s); }
  void of(const sema::RegionAssignStmt &s) { assign(run, &s); }
};

} // namespace

Flow execute(Run &run, const sema::Stmt *stmt) {
  return sema::visitKind(*stmt, [&](const auto &known) {
    Execution execution{run};
    if constexpr (std::is_void_v<decltype(execution.of(known))>) {
      execution.of(known);
      return Flow::Next;
    } else {
      return execution.of(known);
    }
  });
}

//===----------------------------------------------------------------------===//
// Assignments and calls
//===----------------------------------------------------------------------===//

static void assign(Run &run, const sema::AssignStmt *stmt) {
  Place target = place(run, stmt->target);
  Value value = eval(run, stmt->value);
  store(stmt->target->type, target.address, value);
  resizeParts(run, stmt->target->type, target.address, /*preserves=*/true,
              stmt->range);
}

static void assign(Run &run, const sema::ArrayAssignStmt *stmt) {
  Cover over = cover(run, stmt->target->rank, stmt->range);
  if (isOneForMany(run, stmt->target, *over.region))
    assignInTurn(run, stmt->target, stmt->value, over);
  else
    assignOver(run, stmt->target, stmt->value, over);
}

/// Whether several indices of the region share an element of the target.
static bool isOneForMany(Run &run, const sema::Expr *target,
                         const Region &over) {
  auto *array = cast<sema::ArrayExpr>(sema::rootOf(target));
  return any_of(
      zip_equal(find(run, array).declared.dims, over.dims), [](auto dims) {
        return std::get<0>(dims).isFlood() && !std::get<1>(dims).isFlood();
      });
}

/// A grid dimension takes the values of its indices one after the other.
static void assignInTurn(Run &run, const sema::Expr *target,
                         const sema::Expr *value, const Cover &over) {
  Prepared prepared;
  prepared.over = over;
  prepareReferences(run, *target, prepared);
  prepareReferences(run, *value, prepared);
  prepareTarget(run, target, prepared);
  prepare(run, value, prepared);
  checkTargets(run, prepared);
  forEachAdmitted(prepared, [&](const At &at) {
    Value made = eval(run, value, &at);
    store(target->type, place(run, target, &at).address, made);
  });
}

static void assignOver(Run &run, const sema::Expr *target,
                       const sema::Expr *value, const Cover &over) {
  Prepared prepared;
  prepared.over = over;
  prepareReferences(run, *target, prepared);
  prepareReferences(run, *value, prepared);
  prepareTarget(run, target, prepared);
  auto *whole = cast<sema::ArrayExpr>(sema::rootOf(target));
  // The array may get other memory with the value.
  ArrayStorage &array = *prepared.members.lookup(whole);
  struct Target {
    Index index;
    int64_t offset; ///< within the element
  };
  std::vector<Target> elements;
  forEachAdmitted(prepared, [&](const At &at) {
    Index index = shifted(whole, array, at);
    elements.push_back(
        {index, place(run, target, &at).address - array.at(index)});
  });
  prepare(run, value, prepared);
  std::unique_ptr<ArrayStorage> values = materialize(run, value, prepared);
  checkTargets(run, prepared);
  auto next = elements.begin();
  forEachAdmitted(prepared, [&](const At &at) {
    const Target &to = *next++;
    store(target->type, array.at(to.index) + to.offset,
          load(run, target->type, values->at(at.index)));
  });
}

static void callStatement(Run &run, const sema::CallStmt *stmt) {
  const sema::CallExpr *callee = stmt->call;
  if (callee->callee->resultRank) {
    callForArray(run, callee);
  } else if (!callee->isArray()) {
    call(run, callee);
  } else {
    Prepared prepared;
    prepared.over = cover(run, callee->rank, stmt->range);
    prepare(run, callee, prepared);
    if (!prepared.arrays.count(callee)) // nothing was called yet
      forEachAdmitted(prepared, [&](const At &at) { eval(run, callee, &at); });
  }
}

/// Blank references of one statement have equal extents.
static void checkShape(Run &run, const sema::CheckShapeStmt *stmt) {
  int64_t a = eval(run, stmt->extentA).integer,
          b = eval(run, stmt->extentB).integer;
  if (a != b)
    fail(run, stmt->range,
         stmt->textA + " and " + stmt->textB +
             " have different extents in dimension " +
             std::to_string(stmt->dim + 1) + ": " + std::to_string(a) +
             " and " + std::to_string(b));
}

[[noreturn]] static void halt(Run &run, const sema::HaltStmt *stmt) {
  constexpr int64_t StandardError = 3;
  int64_t status = stmt->status ? eval(run, stmt->status).integer : 1;
  for (const sema::WriteItem &item : stmt->items)
    writeItem(run, item, StandardError, /*binary=*/false);
  flush(run);
  if (status < 1 || status > 255)
    fail(run, stmt->range,
         "the status of 'halt' is " + std::to_string(status) +
             ", and must be 1 to 255");
  throw EndOfRun{int(status)};
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// Fails if the step leads nowhere.
static void checkStep(Run &run, const sema::ForStmt &loop, const Value &step) {
  SourceRange range = loop.step->range;
  if (loop.step->type.isFloating()) {
    if (!(step.re > 0))
      fail(run, range, "the step of the loop must be positive");
  } else if (isUnsigned(loop.step->type) ? step.integer == 0
                                         : step.integer <= 0) {
    fail(run, range,
         "step " + std::to_string(step.integer) +
             " of the loop; it must be positive");
  }
}

/// The loop's variable is read again before each step: the body may have set
/// it. The last step may leave the type's range, and then wraps.
static Flow forLoop(Run &run, const sema::ForStmt *stmt) {
  Type type = stmt->variable->type;
  Place variable = place(run, stmt->variable);
  Value from = eval(run, stmt->from), bound = eval(run, stmt->bound);
  Value step = eval(run, stmt->step);
  checkStep(run, *stmt, step);
  auto wide = [&](const Value &value) -> __int128 {
    return isUnsigned(type) ? __int128(uint64_t(value.integer))
                            : __int128(value.integer);
  };
  auto isWithin = [&](const Value &value) {
    if (type.isFloating())
      return stmt->down ? value.re >= bound.re : value.re <= bound.re;
    return stmt->down ? wide(value) >= wide(bound) : wide(value) <= wide(bound);
  };
  auto stepped = [&](const Value &value) {
    return run.arithmetic.binary(stmt->down ? sema::BinaryOp::Sub
                                            : sema::BinaryOp::Add,
                                 type, value, step);
  };
  // Whether one step further is still within, in exact arithmetic.
  auto goesOn = [&](const Value &value) {
    if (type.isFloating())
      return isWithin(stepped(value));
    __int128 next =
        stmt->down ? wide(value) - wide(step) : wide(value) + wide(step);
    return stmt->down ? next >= wide(bound) : next <= wide(bound);
  };
  store(type, variable.address, from);
  for (bool more = isWithin(from); more;) {
    Flow flow = execute(run, stmt->body);
    if (flow == Flow::Exit)
      break;
    if (flow == Flow::Return)
      return flow;
    Value value = load(run, type, variable.address);
    more = goesOn(value);
    store(type, variable.address, stepped(value));
  }
  return Flow::Next;
}

static Flow returnFrom(Run &run, const sema::ReturnStmt *stmt) {
  if (!run.memory.frame->resultArray) {
    if (stmt->value)
      run.memory.frame->result = eval(run, stmt->value);
    return Flow::Return;
  }
  Prepared prepared;
  prepared.over = cover(run, stmt->rank, stmt->range);
  prepare(run, stmt->value, prepared);
  std::unique_ptr<ArrayStorage> values =
      materialize(run, stmt->value, prepared);
  ArrayStorage &result = *run.memory.frame->resultArray;
  forEachAdmitted(prepared, [&](const At &at) {
    if (!result.stores(at.index))
      fail(run, stmt->range,
           "the result lies outside the region of the call: " +
               prepared.over.region->describe() + " leaves " +
               result.declared.bounds());
    store(result.element, result.at(at.index),
          load(run, result.element, values->at(at.index)));
  });
  return Flow::Return;
}

static Flow scope(Run &run, const sema::ScopeStmt *stmt) {
  Cover inner = masked(run, share(run, *stmt->region), stmt->mask);
  return under(run, inner, [&] { return execute(run, stmt->body); });
}

} // namespace zpl::interpreter
