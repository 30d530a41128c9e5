//===- JamLoops.cpp - Several iterations in one sweep ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     for %k = i32 1 to @n by 1 {        set %k.from = i32 1
//       region %S = [%k, _] from @R      set %k.bound = @n
//       flood %T = @B from %S            if ge(%k.bound, i32 -2147483645) {
//       mloop @R {                         for %k = %k.from
//         store @C = fma(%T, %x, @C)    =>     to sub(%k.bound, i32 3) by 4 {
//       }                                    ... %S.1, %T.1, then the same for
//       free %T                              k + 1, k + 2 and, as %S, %T, k + 3
//     }                                      mloop @R {
//                                              store @C = fma(%T.1, %x, @C)
//                                              ...
//                                              store @C = fma(%T, %x, @C)
//                                            }
//                                            free %T.1, %T.2, %T.3, %T
//                                          }
//                                          set %k.from = %k
//                                        }
//                                        for %k = %k.from to %k.bound by 1 {
//                                          ... as before
//                                        }
//
// Every element of C sees the same operations in the same order. A loop body is
// taken if it is
//
//  1. regions of its own, checks, and floods into temporaries of its own,
//  2. one M-loop without delays whose operations update arrays, over a region
//     that 1 does not set; the floods do not read what it stores, and it does
//     not read at another index what it stores, nor store several indices into
//     one element of a grid dimension,
//  3. frees of the temporaries.
//
// The loop variable has no other name under which the body reads it.
//
// If nothing but the single index of its floods changes from one iteration to
// the next, many more than four are jammed (JamFloods.cpp). Bodies that update
// arrays from members of families are another kind (JamMembers.cpp).
//
// The checks of four iterations come before the first one's stores; they end
// the run, and nobody sees the arrays then. SplitLoop.cpp says what the loops
// are made of.
//
// Cost: linear in the statements.
//
//===----------------------------------------------------------------------===//

#include "Loops/Jam/JamLoops.h"
#include "Loops/Jam/JamFloods.h"
#include "Loops/Jam/JamMembers.h"
#include "Loops/Jam/SplitLoop.h"
#include "zpl/ArrayIR/Clone.h"
#include "zpl/ArrayIR/Domains.h"
#include "zpl/ArrayIR/Names.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/DenseSet.h"

using namespace llvm;

namespace zpl::air {
namespace {

constexpr int64_t Iterations = 4;

bool isPrologue(const Stmt *stmt) {
  return isa<SetRegionStmt, CheckStmt, FloodStmt>(stmt);
}

class LoopJammer {
public:
  LoopJammer(Procedure &procedure, Module &module, PassContext &context)
      : procedure(procedure), module(module), context(context),
        names(procedure) {}

  void run() {
    if (procedure.mayAlias)
      return;
    rewriteStmts(procedure.body, [&](Stmt *stmt, StmtList &result) {
      auto *loop = dyn_cast<ForStmt>(stmt);
      if (!loop || made.contains(loop) || !stepsByOne(*loop) ||
          !replace(*loop, result))
        result.push_back(stmt);
    });
  }

private:
  /// Appends what takes the place of the loop; false: nothing does.
  bool replace(ForStmt &loop, StmtList &result) {
    FloodLoop body;
    if (!split(loop, body)) {
      auto iterations = jamMembers(loop, Iterations, procedure, module, names);
      if (iterations)
        jam(loop, std::move(*iterations), result);
      return iterations.has_value();
    }
    bool legal = isLegal(loop, body);
    if (legal && !jamMany(body, result))
      jam(loop, iterationsOf(loop, body), result);
    return legal;
  }

  static bool split(ForStmt &loop, FloodLoop &body) {
    ArrayRef<Stmt *> rest = loop.body;
    body.loop = &loop;
    body.prologue = rest.take_while(isPrologue);
    rest = rest.drop_front(body.prologue.size());
    if (rest.empty() || !isa<MLoopStmt>(rest.front()))
      return false;
    body.sweep = cast<MLoopStmt>(rest.front());
    body.frees = rest.drop_front();
    return any_of(body.prologue, [](Stmt *s) { return isa<FloodStmt>(s); }) &&
           all_of(body.frees, [](Stmt *s) { return isa<FreeArrayStmt>(s); });
  }

  bool isLegal(const ForStmt &loop, const FloodLoop &body) const {
    if (remaps(*body.sweep) || !body.sweep->walkers.empty() ||
        body.sweep->times)
      return false;
    DenseSet<const Array *> stored;
    for (const ElementOp &op : body.sweep->body) {
      if (op.kind != ElementOp::Store || op.delay != 0 || !isUpdate(op) ||
          isOneForMany(*rootElement(op.target)->array, *body.sweep->region))
        return false;
      stored.insert(rootElement(op.target)->array);
    }
    return readsVariableByName(loop, loop.body) &&
           readsAreLegal(body, stored) && temporariesAreLegal(body, stored);
  }

  /// Without a read of what is stored there is nothing to gain.
  static bool isUpdate(const ElementOp &op) {
    bool found = false;
    forEachExpr(*op.value, [&](const Expr &expr) {
      auto *element = dyn_cast<ElementExpr>(&expr);
      found |= element && element->array == rootElement(op.target)->array;
    });
    return found;
  }

  /// Whether what is stored may be \p array under another name.
  bool mayStore(const DenseSet<const Array *> &stored,
                const Array &array) const {
    return any_of(stored, [&](const Array *other) {
      return mayBeSame(module, *other, array, /*mayAlias=*/false);
    });
  }

  /// No element at another index of what is stored, no calls.
  bool readsAreLegal(const FloodLoop &body,
                     const DenseSet<const Array *> &stored) const {
    bool legal = true;
    forEachExpr(*body.sweep, [&](const Expr &expr) {
      if (isa<CallExpr>(expr))
        legal = false;
      if (auto *element = dyn_cast<ElementExpr>(&expr))
        legal &= !(element->isShifted() && mayStore(stored, *element->array)) &&
                 (stored.contains(element->array) ||
                  !mayStore(stored, *element->array));
    });
    for (const Stmt *stmt : body.prologue)
      forEachExpr(*stmt,
                  [&](const Expr &expr) { legal &= !isa<CallExpr>(expr); });
    return legal;
  }

  /// What the prologue makes is the procedure's own, made once and freed.
  bool temporariesAreLegal(const FloodLoop &body,
                           const DenseSet<const Array *> &stored) const {
    DenseSet<const Array *> arrays;
    DenseSet<const Region *> regions;
    for (const Stmt *stmt : body.prologue) {
      if (auto *set = dyn_cast<SetRegionStmt>(stmt)) {
        if (set->target->storage != Storage::Local ||
            set->target == body.sweep->region ||
            set->value.kind == RegionExpr::Declared ||
            !regions.insert(set->target).second)
          return false;
      } else if (auto *flood = dyn_cast<FloodStmt>(stmt)) {
        if (mayStore(stored, *flood->source) ||
            stored.contains(flood->target) ||
            !arrays.insert(flood->target).second)
          return false;
      } else if (cast<CheckStmt>(stmt)->check == CheckStmt::Maps) {
        return false;
      }
    }
    for (const Stmt *stmt : body.frees)
      if (!arrays.erase(cast<FreeArrayStmt>(stmt)->array))
        return false;
    return arrays.empty();
  }

  //===--------------------------------------------------------------------===//
  // One iteration more
  //===--------------------------------------------------------------------===//

  template <typename T>
  T *copyLocal(const T &original, std::vector<T *> &locals) {
    auto *copy = module.make<T>(original);
    copy->name = names.make(original.name);
    locals.push_back(copy);
    return copy;
  }

  const Expr *binary(BinaryOp op, const Expr *left, const Expr *right) {
    return module.make<BinaryExpr>(op, left, right, left->range);
  }

  /// Appends iteration k + \p number to the lists.
  void addIteration(const ForStmt &loop, const FloodLoop &body, int64_t number,
                    StmtList &prologue, MLoopStmt &sweep, StmtList &frees) {
    Renaming renaming;
    const Expr *k = loop.variable;
    if (number != 0)
      renaming.variables[cast<VarExpr>(k)->variable] =
          binary(BinaryOp::Add, k, loopConstant(loop, number, module));
    StmtCloner cloner(module, renaming);
    // The last one keeps the names: they may be read after the loop.
    bool isCopy = number != Iterations - 1;
    for (const Stmt *stmt : body.prologue) {
      Stmt *copy = cloner.clone(*stmt);
      prologue.push_back(copy);
      if (auto *set = dyn_cast<SetRegionStmt>(copy); set && isCopy)
        set->target = renaming.regions[set->target] =
            copyLocal(*set->target, procedure.regions);
      if (auto *flood = dyn_cast<FloodStmt>(copy); flood && isCopy)
        flood->target = renaming.arrays[flood->target] =
            copyLocal(*flood->target, procedure.arrays);
    }
    auto *copy = cast<MLoopStmt>(cloner.clone(*body.sweep));
    append_range(sweep.body, copy->body);
    for (const Stmt *stmt : body.frees)
      frees.push_back(cloner.clone(*stmt));
  }

  StmtList iterationsOf(const ForStmt &loop, const FloodLoop &body) {
    StmtList result, frees;
    auto *sweep = module.make<MLoopStmt>(*body.sweep);
    sweep->body.clear();
    for (int64_t number = 0; number < Iterations; ++number)
      addIteration(loop, body, number, result, *sweep, frees);
    result.push_back(sweep);
    append_range(result, frees);
    return result;
  }

  bool jamMany(const FloodLoop &body, StmtList &result) {
    if (!jamFloods(body, context.figures.jamFloods, procedure, module, names,
                   result)) {
      for (const Stmt *stmt : body.prologue)
        if (auto *flood = dyn_cast<FloodStmt>(stmt);
            flood && isScattered(*flood->from)) {
          context.missed(
              flood->range,
              "the floods of up to " + Twine(context.figures.jamFloods) +
                  " iterations are not sent in one message: domain " +
                  flood->from->domain->text + " is scattered");
          break;
        }
      return false;
    }
    context.count("loops");
    context.applied(body.loop->range,
                    "up to " + Twine(context.figures.jamFloods) +
                        " iterations run in one sweep over the arrays, their "
                        "floods in one message");
    return true;
  }

  /// Puts \p iterations, as many as are jammed, into a loop of their own.
  void jam(ForStmt &loop, StmtList iterations, StmtList &result) {
    SourceRange range = loop.range;
    made.insert(splitLoop(loop, Iterations, std::move(iterations),
                          /*condition=*/nullptr, procedure, module, names,
                          result));
    made.insert(&loop);
    context.count("loops");
    context.applied(range, Twine(Iterations) +
                               " iterations run in one sweep over the arrays");
  }

  Procedure &procedure;
  Module &module;
  PassContext &context;
  NameAllocator names;
  DenseSet<const Stmt *> made;
};

} // namespace

void jamLoops(Module &module, PassContext &context) {
  for (Procedure *procedure : module.procedures)
    LoopJammer(*procedure, module, context).run();
}

} // namespace zpl::air
