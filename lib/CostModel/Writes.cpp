//===- Writes.cpp - What statements may write -----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A statement's own operands say what it writes, arguments by reference what
// a call may write: of those only what the procedure really writes, itself or
// by calls of its own. Summaries of procedures are made once. A procedure that
// calls itself has, while its summary is made, none.
//
//===----------------------------------------------------------------------===//

#include "State.h"
#include "zpl/ArrayIR/Operands.h"
#include "zpl/ArrayIR/Walk.h"

using namespace llvm;

namespace zpl::costmodel {

static const VariableSet &summaryOf(State &s, const air::Procedure &procedure) {
  auto known = s.written.try_emplace(&procedure);
  if (!known.second)
    return known.first->second;
  VariableSet written, outside;
  addWritten(s, procedure.body, written);
  if (!procedure.thunk.empty())
    for (const air::Parameter &parameter : procedure.params)
      if (parameter.variable && parameter.variable->byReference)
        written.insert(parameter.variable);
  for (const air::Variable *variable : written)
    if (variable->storage == air::Storage::Global || variable->byReference)
      outside.insert(variable);
  return s.written[&procedure] = std::move(outside);
}

static void addCall(State &s, const air::CallExpr &call, VariableSet &written) {
  VariableSet summary = summaryOf(s, *call.callee);
  for (auto [parameter, argument] : zip(call.callee->params, call.args))
    if (parameter.variable && summary.erase(parameter.variable))
      if (argument.place)
        if (const air::Variable *root = air::rootVariable(argument.place))
          written.insert(root);
  for (const air::Variable *variable : summary)
    if (variable->storage == air::Storage::Global)
      written.insert(variable);
}

/// What a statement itself may write.
static void addWritten(State &s, const air::Stmt &stmt, VariableSet &written) {
  air::forEachOperand(stmt, [&](const air::Operand &operand) {
    if (operand.use != air::Use::Write)
      return;
    if (const air::Expr *place = operand.as<const air::Expr *>())
      if (const air::Variable *root = air::rootVariable(place))
        written.insert(root);
    if (const air::Variable *variable = operand.as<air::Variable *>())
      written.insert(variable);
  });
  air::forEachExpr(stmt, [&](const air::Expr &e) {
    if (auto *call = dyn_cast<air::CallExpr>(&e))
      addCall(s, *call, written);
  });
  if (auto *call = dyn_cast<air::CallStmt>(&stmt))
    addCall(s, *call->call, written);
}

void addWritten(State &s, ArrayRef<const air::Stmt *> list,
                VariableSet &written) {
  for (const air::Stmt *stmt : list) {
    addWritten(s, *stmt, written);
    air::forEachList(*stmt, [&](const air::StmtList &inside) {
      addWritten(s, inside, written);
    });
  }
}

} // namespace zpl::costmodel
