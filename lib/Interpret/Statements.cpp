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

#include "Interpreter.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace zpl::interpreter {

Flow Interpreter::execute(const sema::StmtList &list) {
  for (const sema::Stmt *stmt : list)
    if (Flow flow = execute(stmt); flow != Flow::Next)
      return flow;
  return Flow::Next;
}

Flow Interpreter::execute(const sema::Stmt *stmt) {
  switch (stmt->kind) {
  case sema::StmtKind::Block:
    return execute(cast<sema::BlockStmt>(stmt)->body);
  case sema::StmtKind::Assign:
    assign(cast<sema::AssignStmt>(stmt));
    return Flow::Next;
  case sema::StmtKind::ArrayAssign:
    assign(cast<sema::ArrayAssignStmt>(stmt));
    return Flow::Next;
  case sema::StmtKind::Scatter:
    scatter(cast<sema::ScatterStmt>(stmt));
    return Flow::Next;
  case sema::StmtKind::Wave:
    wave(cast<sema::WaveStmt>(stmt));
    return Flow::Next;
  case sema::StmtKind::Boundary:
    fillBoundary(cast<sema::BoundaryStmt>(stmt));
    return Flow::Next;
  case sema::StmtKind::Call:
    callStatement(cast<sema::CallStmt>(stmt));
    return Flow::Next;
  case sema::StmtKind::Builtin:
    eval(cast<sema::BuiltinStmt>(stmt)->call);
    return Flow::Next;
  case sema::StmtKind::Write:
    write(cast<sema::WriteStmt>(stmt));
    return Flow::Next;
  case sema::StmtKind::Read:
    read(cast<sema::ReadStmt>(stmt));
    return Flow::Next;
  case sema::StmtKind::BindIo: {
    auto *bind = cast<sema::BindIoStmt>(stmt);
    ArrayStorage &array = find(bind->array);
    (bind->isRead ? array.reader : array.writer) = bind->procedure;
    return Flow::Next;
  }
  case sema::StmtKind::CheckShape:
    checkShape(cast<sema::CheckShapeStmt>(stmt));
    return Flow::Next;
  case sema::StmtKind::Halt:
    halt(cast<sema::HaltStmt>(stmt));
  case sema::StmtKind::Timer: // time stands still
    return Flow::Next;
  case sema::StmtKind::If: {
    auto *branch = cast<sema::IfStmt>(stmt);
    bool isTrue = eval(branch->condition).integer != 0;
    return execute(isTrue ? branch->thenBody : branch->elseBody);
  }
  case sema::StmtKind::While: {
    auto *loop = cast<sema::WhileStmt>(stmt);
    while (eval(loop->condition).integer != 0) {
      Flow flow = execute(loop->body);
      if (flow == Flow::Exit)
        break;
      if (flow == Flow::Return)
        return flow;
    }
    return Flow::Next;
  }
  case sema::StmtKind::Repeat: {
    auto *loop = cast<sema::RepeatStmt>(stmt);
    do {
      Flow flow = execute(loop->body);
      if (flow == Flow::Exit)
        break;
      if (flow == Flow::Return)
        return flow;
    } while (eval(loop->condition).integer == 0);
    return Flow::Next;
  }
  case sema::StmtKind::For:
    return forLoop(cast<sema::ForStmt>(stmt));
  case sema::StmtKind::Exit:
    return Flow::Exit;
  case sema::StmtKind::Continue:
    return Flow::Continue;
  case sema::StmtKind::Return:
    return returnFrom(cast<sema::ReturnStmt>(stmt));
  case sema::StmtKind::Scope:
    return scope(cast<sema::ScopeStmt>(stmt));
  case sema::StmtKind::RegionAssign:
    assign(cast<sema::RegionAssignStmt>(stmt));
    return Flow::Next;
  }
  llvm_unreachable("a statement outside its enumeration");
}

//===----------------------------------------------------------------------===//
// Assignments and calls
//===----------------------------------------------------------------------===//

void Interpreter::assign(const sema::AssignStmt *stmt) {
  Place target = place(stmt->target);
  Value value = eval(stmt->value);
  store(stmt->target->type, target.address, value);
  resizeParts(stmt->target->type, target.address, /*preserves=*/true,
              stmt->range);
}

void Interpreter::assign(const sema::ArrayAssignStmt *stmt) {
  Cover over = cover(stmt->target->rank, stmt->range);
  if (isOneForMany(stmt->target, *over.region))
    assignInTurn(stmt->target, stmt->value, over);
  else
    assignOver(stmt->target, stmt->value, over);
}

/// Whether several indices of the region share an element of the target.
bool Interpreter::isOneForMany(const sema::Expr *target, const Region &over) {
  auto *array = cast<sema::ArrayExpr>(sema::rootOf(target));
  return any_of(zip_equal(find(array).declared.dims, over.dims), [](auto dims) {
    return std::get<0>(dims).isFlood() && !std::get<1>(dims).isFlood();
  });
}

/// A grid dimension takes the values of its indices one after the other.
void Interpreter::assignInTurn(const sema::Expr *target,
                               const sema::Expr *value, const Cover &over) {
  Prepared prepared;
  prepared.over = over;
  prepareReferences(*target, prepared);
  prepareReferences(*value, prepared);
  prepareTarget(target, prepared);
  prepare(value, prepared);
  checkTargets(prepared);
  forEachAdmitted(prepared, [&](const At &at) {
    Value made = eval(value, &at);
    store(target->type, place(target, &at).address, made);
  });
}

void Interpreter::assignOver(const sema::Expr *target, const sema::Expr *value,
                             const Cover &over) {
  Prepared prepared;
  prepared.over = over;
  prepareReferences(*target, prepared);
  prepareReferences(*value, prepared);
  prepareTarget(target, prepared);
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
    elements.push_back({index, place(target, &at).address - array.at(index)});
  });
  prepare(value, prepared);
  std::unique_ptr<ArrayStorage> values = materialize(value, prepared);
  checkTargets(prepared);
  auto next = elements.begin();
  forEachAdmitted(prepared, [&](const At &at) {
    const Target &to = *next++;
    store(target->type, array.at(to.index) + to.offset,
          load(target->type, values->at(at.index)));
  });
}

void Interpreter::callStatement(const sema::CallStmt *stmt) {
  const sema::CallExpr *callee = stmt->call;
  if (callee->callee->resultRank) {
    callForArray(callee);
  } else if (!callee->isArray()) {
    call(callee);
  } else {
    Prepared prepared;
    prepared.over = cover(callee->rank, stmt->range);
    prepare(callee, prepared);
    if (!prepared.arrays.count(callee)) // nothing was called yet
      forEachAdmitted(prepared, [&](const At &at) { eval(callee, &at); });
  }
}

/// Blank references of one statement have equal extents.
void Interpreter::checkShape(const sema::CheckShapeStmt *stmt) {
  int64_t a = eval(stmt->extentA).integer, b = eval(stmt->extentB).integer;
  if (a != b)
    fail(stmt->range, stmt->textA + " and " + stmt->textB +
                          " have different extents in dimension " +
                          std::to_string(stmt->dim + 1) + ": " +
                          std::to_string(a) + " and " + std::to_string(b));
}

void Interpreter::halt(const sema::HaltStmt *stmt) {
  constexpr int64_t StandardError = 3;
  for (const sema::WriteItem &item : stmt->items)
    writeItem(item, StandardError, /*binary=*/false);
  flush();
  throw EndOfRun{1};
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// The loop's variable is read again before each step: the body may have set
/// it. The last step may leave the type's range, and then wraps.
Flow Interpreter::forLoop(const sema::ForStmt *stmt) {
  Type type = stmt->variable->type;
  Place variable = place(stmt->variable);
  Value from = eval(stmt->from), bound = eval(stmt->bound);
  Value step = eval(stmt->step);
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
    return arithmetic.binary(stmt->down ? sema::BinaryOp::Sub
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
    Flow flow = execute(stmt->body);
    if (flow == Flow::Exit)
      break;
    if (flow == Flow::Return)
      return flow;
    Value value = load(type, variable.address);
    more = goesOn(value);
    store(type, variable.address, stepped(value));
  }
  return Flow::Next;
}

Flow Interpreter::returnFrom(const sema::ReturnStmt *stmt) {
  if (!frame->resultArray) {
    if (stmt->value)
      frame->result = eval(stmt->value);
    return Flow::Return;
  }
  Prepared prepared;
  prepared.over = cover(stmt->rank, stmt->range);
  prepare(stmt->value, prepared);
  std::unique_ptr<ArrayStorage> values = materialize(stmt->value, prepared);
  ArrayStorage &result = *frame->resultArray;
  forEachAdmitted(prepared, [&](const At &at) {
    if (!result.stores(at.index))
      fail(stmt->range, "the result lies outside the region of the call: " +
                            prepared.over.region->describe() + " leaves " +
                            result.declared.bounds());
    store(result.element, result.at(at.index),
          load(result.element, values->at(at.index)));
  });
  return Flow::Return;
}

Flow Interpreter::scope(const sema::ScopeStmt *stmt) {
  Cover inner = masked(share(*stmt->region), stmt->mask);
  return under(inner, [&] { return execute(stmt->body); });
}

} // namespace zpl::interpreter
