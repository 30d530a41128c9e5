//===- InlineProcedures.cpp - Small procedures where they are called ------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     proc @relax(region %R2, array %A, array %B) {
//       [%R2] %B = div(add(%A@(0,1), %A@(0,-1)), f64 2.0)
//     }
//     for %i = ... {                             for %i = ... {
//       call @relax(region @R, array @A,           [@R] @B = div(add(@A@(0,1),
//                   array @B)              =>                    @A@(0,-1)),
//                   ...)
//       [@R] @A = @B                               [@R] @A = @B
//     }                                          }
//
// Now both statements fuse, and what A's neighbours have is known to be sent
// once for each. Every later pass works within one procedure, so a call is a
// wall to fusion and contraction, and hides which transfers repeat.
//
// 1. Procedures come in the order of the call graph, callees first, so that
//    what a caller gets has been through this itself. InlinedBody.h makes the
//    statements for each call.
// 2. The size of a procedure is the number of its statements and expressions.
//    One that is called at one place only moves there, up to a size that keeps
//    LLVM, which takes more than linear time for a function, from becoming
//    slow. Others are copied if they are small: a stencil or a handful of
//    simple statements. Callers grow up to a limit. What reads or writes
//    arrays is copied to a few calls only: files and text take longer than
//    fusion could save.
// 3. Scalar procedures are LLVM's business, and so are parallel ones without
//    array statements: nothing in them could be fused.
// 4. What is no longer called goes.
//
// Cost: linear in the program and in what is copied, but for the search for
// recursion, which looks at the call graph once per procedure.
//
//===----------------------------------------------------------------------===//

#include "Inlining/InlineProcedures.h"
#include "Inlining/InlinedBody.h"
#include "Inlining/UniteMembers.h"
#include "zpl/ArrayIR/Operands.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace llvm;

namespace zpl::air {
namespace {

/// In statements and expressions, as sizeOf counts them.
constexpr unsigned SmallSize = 200;   ///< of what is copied
constexpr unsigned MovedSize = 1000;  ///< of what has one call
constexpr unsigned CallerSize = 4000; ///< of what grows
/// Calls of what reads or writes arrays that are replaced.
constexpr int InputOutputCalls = 3;

unsigned sizeOf(const StmtList &body) {
  unsigned size = 0;
  forEachStmt(body, [&](const Stmt &stmt) {
    ++size;
    forEachExpr(stmt, [&](const Expr &) { ++size; });
  });
  return size;
}

/// Calls \p visit for each procedure that a statement itself calls or hands to
/// the runtime.
void forEachCallee(const Stmt &stmt, function_ref<void(Procedure *)> visit) {
  forEachExpr(stmt, [&](const Expr &e) {
    if (auto *call = dyn_cast<CallExpr>(&e))
      visit(call->callee);
  });
  forEachOperand(stmt, [&](const Operand &operand) {
    if (auto *procedure = operand.as<Procedure *>())
      visit(procedure);
  });
}

/// Whether the size of a value is in variables of a procedure.
bool dependsOnFrame(Type type) {
  if (type != Type::Array)
    return false;
  const TypeInfo &info = *type.info();
  auto isLocal = [](const Bound &bound) {
    return bound.variable && bound.variable->storage != Storage::Global;
  };
  return any_of(info.lo, isLocal) || any_of(info.hi, isLocal) ||
         dependsOnFrame(info.element);
}

class Inliner {
public:
  Inliner(Module &module, PassContext &context)
      : module(module), context(context), effects(module) {
    for (const Procedure *procedure : module.procedures)
      countCalls(procedure->body, 1);
  }

  void run() {
    std::vector<Procedure *> all = module.procedures;
    for (Procedure *procedure : all)
      visit(*procedure);
    removeUnused();
  }

private:
  void countCalls(const StmtList &list, int by) {
    forEachStmt(list, [&](const Stmt &stmt) {
      forEachCallee(stmt, [&](Procedure *callee) { calls[callee] += by; });
    });
  }

  void visit(Procedure &procedure) {
    if (!visited.insert(&procedure).second)
      return;
    forEachStmt(procedure.body, [&](Stmt &stmt) {
      forEachCallee(stmt, [&](Procedure *callee) { visit(*callee); });
    });
    // What is declared is done once.
    if (procedure.isScalar || &procedure == module.initialize)
      return;
    NameAllocator names(procedure);
    Caller caller{procedure, names, sizeOf(procedure.body)};
    list(procedure.body, caller, /*isRepeated=*/false);
    uniteMembers(module, procedure);
  }

  struct Caller {
    Procedure &procedure;
    NameAllocator &names;
    unsigned size;
  };

  void list(StmtList &list, Caller &caller, bool isRepeated) {
    StmtList result;
    for (Stmt *stmt : list) {
      auto *call = dyn_cast<CallStmt>(stmt);
      if (call && expand(*call, caller, isRepeated, result))
        continue;
      bool repeats = isa<WhileStmt, RepeatStmt, ForStmt>(stmt);
      forEachList(*stmt, [&](StmtList &inner) {
        this->list(inner, caller, isRepeated || repeats);
      });
      result.push_back(stmt);
    }
    list = std::move(result);
  }

  /// False if the call stays.
  bool expand(const CallStmt &call, Caller &caller, bool isRepeated,
              StmtList &result) {
    Procedure &callee = *call.call->callee;
    if (callee.isScalar || !callee.thunk.empty())
      return false;
    std::string why = whyNot(callee, caller);
    if (why.empty())
      why = replace(call, caller, isRepeated, result);
    if (!why.empty()) {
      context.missed(call.range, callee.sourceName + " is not inlined: " + why);
      return false;
    }
    caller.size += sizeOf(callee.body);
    countCalls(callee.body, 1);
    --calls[&callee];
    inlined.insert(&callee);
    context.applied(call.range, callee.sourceName + " is inlined");
    return true;
  }

  /// Why it cannot be done; else empty, and it is.
  std::string replace(const CallStmt &call, Caller &caller, bool isRepeated,
                      StmtList &result) {
    InlinedBody body(module, effects, caller.names, caller.procedure, call,
                     isRepeated);
    std::string why = body.make();
    if (why.empty())
      body.commit(result);
    return why;
  }

  /// What is against it, whatever the arguments are.
  std::string whyNot(const Procedure &callee, const Caller &caller) {
    unsigned size = sizeOf(callee.body);
    if (isRecursive(callee))
      return "it calls itself";
    if (!hasArrayStatements(callee))
      return "it has no array statements";
    if (!callee.transfers.empty())
      return "it has transfers already";
    if (!returnsAtEndOnly(callee.body))
      return "it returns before its end; let it have one return, as its last "
             "statement";
    for (const Variable *variable : callee.variables)
      if (variable->type.isFamily() || variable->type == Type::Timer ||
          dependsOnFrame(variable->type))
        return "its variable " + variable->text +
               " is set up at entry; declare it outside";
    for (const Parameter &param : callee.params)
      if (param.variable && dependsOnFrame(param.variable->type))
        return "the size of " + param.variable->text +
               " is passed to it; give the parameter its bounds";
    // Without aliases, accesses of M-loops are told to be apart.
    if (caller.procedure.mayAlias && !callee.mayAlias)
      return "arrays of the caller may be one; pass separate arrays";
    bool isOnly = calls[&callee] == 1 && &callee != module.entry;
    unsigned limit = isOnly ? MovedSize : SmallSize;
    if (size > limit)
      return "its size is " + std::to_string(size) + ", more than " +
             std::to_string(limit);
    if (caller.size + size > CallerSize)
      return "the caller would be too large";
    if (calls[&callee] > InputOutputCalls && movesArraysOfFiles(callee.body))
      return "it reads or writes arrays, and more than " +
             std::to_string(InputOutputCalls) + " statements call it";
    return "";
  }

  static bool movesArraysOfFiles(const StmtList &body) {
    bool found = false;
    auto isArray = [](const auto &item) { return item.array != nullptr; };
    forEachStmt(body, [&](const Stmt &stmt) {
      if (auto *write = dyn_cast<WriteStmt>(&stmt))
        found |= any_of(write->items, isArray);
      if (auto *read = dyn_cast<ReadStmt>(&stmt))
        found |= any_of(read->items, isArray);
    });
    return found;
  }

  static bool hasArrayStatements(const Procedure &procedure) {
    bool found = false;
    forEachStmt(procedure.body, [&](const Stmt &stmt) {
      found |= elementRegion(stmt) || isa<WaveStmt>(stmt);
    });
    return found;
  }

  static bool isRecursive(const Procedure &procedure) {
    SmallSetVector<const Procedure *, 8> reached;
    auto reach = [&](const Procedure &from) {
      forEachStmt(from.body, [&](const Stmt &stmt) {
        forEachCallee(stmt, [&](Procedure *callee) { reached.insert(callee); });
      });
    };
    reach(procedure);
    for (unsigned i = 0; i != reached.size(); ++i)
      reach(*reached[i]);
    return reached.contains(&procedure);
  }

  void removeUnused() {
    auto isUnused = [&](Procedure *procedure) {
      return inlined.contains(procedure) && !calls[procedure] &&
             procedure != module.entry;
    };
    // A procedure that goes takes its calls with it.
    for (bool found = true; found;) {
      found = false;
      for (Procedure *procedure : module.procedures) {
        if (!isUnused(procedure) || !gone.insert(procedure).second)
          continue;
        found = true;
        countCalls(procedure->body, -1);
        context.applied(procedure->range,
                        "all calls of " + procedure->sourceName +
                            " are inlined: it is no procedure any more");
      }
    }
    erase_if(module.procedures,
             [&](Procedure *procedure) { return gone.contains(procedure); });
  }

  Module &module;
  PassContext &context;
  Effects effects;
  DenseMap<const Procedure *, int> calls; ///< and other uses, by statements
  SmallPtrSet<const Procedure *, 16> visited, inlined, gone;
};

} // namespace

void inlineProcedures(Module &module, PassContext &context) {
  Inliner(module, context).run();
}

} // namespace zpl::air
