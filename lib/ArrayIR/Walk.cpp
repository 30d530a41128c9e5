//===- Walk.cpp - Visiting expressions and statements ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "Which elements does `[%R] %B = add(%A@(0,1), %A)` read?" is
//
//     forEachExpr(stmt, [&](const Expr &e) {
//       if (auto *element = dyn_cast<ElementExpr>(&e)) ...
//     });
//
// The operands of expressions are known here, those of statements in
// Operands.cpp; each visit costs an indirect call or two.
//
//===----------------------------------------------------------------------===//

#include "zpl/ArrayIR/Walk.h"
#include "zpl/ArrayIR/Operands.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace zpl::air {

StringRef nameOf(LoopWay way) {
  switch (way) {
#define ZPL_LOOP_WAY(member, name, text)                                       \
  case LoopWay::member:                                                        \
    return name;
#include "zpl/ArrayIR/LoopWays.def"
  }
  llvm_unreachable("covered switch");
}

using ExprVisitor = function_ref<void(const Expr &)>;

static void visitIf(const Expr *expr, ExprVisitor visit) {
  if (expr)
    visit(*expr);
}

namespace {

/// The operands of each kind of expression that are there.
struct OperandsOf {
  ExprVisitor visit;

  void all(ArrayRef<const Expr *> operands) {
    for (const Expr *operand : operands)
      visitIf(operand, visit);
  }
  void of(const OneOf<ConstExpr, VarExpr, ElementExpr, IndexExpr,
                      BoundExpr> auto &) {}
  void of(const RemapExpr &e) { all(e.maps); }
  void of(const OneOf<UnaryExpr, CastExpr> auto &e) {
    visitIf(e.operand, visit);
  }
  void of(const OneOf<BinaryExpr, CompareExpr> auto &e) {
    all({e.left, e.right});
  }
  void of(const FmaExpr &e) { all({e.a, e.b, e.c}); }
  void of(const MathExpr &e) { all(e.args); }
  void of(const CallExpr &e) {
    for (const Argument &arg : e.args)
      all({arg.value, arg.place});
  }
  void of(const FieldExpr &e) { visitIf(e.base, visit); }
  void of(const SubscriptExpr &e) {
    visitIf(e.base, visit);
    all(e.subscripts);
  }
  void of(const ComplexExpr &e) { all({e.re, e.im}); }
};

} // namespace

void forEachOperand(const Expr &expr, ExprVisitor visit) {
  visitKind(expr, [&](const auto &known) { OperandsOf{visit}.of(known); });
}

void forEachExpr(const Expr &expr, ExprVisitor visit) {
  visit(expr);
  forEachOperand(expr,
                 [&](const Expr &operand) { forEachExpr(operand, visit); });
}

void forEachRoot(const Stmt &stmt, ExprVisitor visit) {
  forEachOperand(stmt, [&](const Operand &operand) {
    visitIf(operand.as<const Expr *>(), visit);
    visitIf(operand.as<const CallExpr *>(), visit);
  });
}

void forEachExpr(const Stmt &stmt, ExprVisitor visit) {
  forEachRoot(stmt, [&](const Expr &root) { forEachExpr(root, visit); });
}

using ArrayVisitor = function_ref<void(const Array &)>;

void forEachArray(const Stmt &stmt, ArrayVisitor visit) {
  forEachOperand(stmt, [&](const Operand &operand) {
    auto *array = operand.as<Array *>();
    if (array && operand.use != Use::Again)
      visit(*array);
  });
  forEachExpr(stmt, [&](const Expr &e) {
    if (auto *element = dyn_cast<ElementExpr>(&e))
      visit(*element->array);
    else if (auto *remap = dyn_cast<RemapExpr>(&e))
      visit(*remap->array);
    else if (auto *call = dyn_cast<CallExpr>(&e))
      for (const Argument &arg : call->args)
        if (arg.array)
          visit(*arg.array);
  });
}

void forEachExpr(const ElementOp &op, ExprVisitor visit) {
  for (const Expr *root : {op.target, op.value, op.guard})
    if (root)
      forEachExpr(*root, visit);
}

const Expr *accumulatedPlace(const ElementOp &op) {
  switch (op.kind) {
  case ElementOp::Store:
  case ElementOp::Let:
    return nullptr;
  case ElementOp::Accumulate:
    return op.target;
  case ElementOp::Call:
    return op.accumulates ? cast<CallExpr>(op.value)->args.back().place
                          : nullptr;
  }
  llvm_unreachable("an operation outside its enumeration");
}

SmallVector<ArrayRef<ElementOp>, 2> partsOf(const MLoopStmt &loop) {
  SmallVector<ArrayRef<ElementOp>, 2> parts;
  for (ArrayRef<ElementOp> rest = loop.body; !rest.empty();
       rest = rest.drop_front(parts.back().size()))
    parts.push_back(rest.take_while(
        [&](const ElementOp &op) { return op.delay == rest.front().delay; }));
  return parts;
}

void forEachList(Stmt &stmt, function_ref<void(StmtList &)> visit) {
  forEachOperand(stmt, [&](const Operand &operand) {
    if (auto *list = dyn_cast<StmtList *>(operand.slot))
      visit(*list);
  });
}

void forEachList(const Stmt &stmt, function_ref<void(const StmtList &)> visit) {
  // The visitor is given its lists as const.
  forEachList(const_cast<Stmt &>(stmt), [&](StmtList &list) { visit(list); });
}

void forEachStmt(StmtList &list, function_ref<void(Stmt &)> visit) {
  for (Stmt *stmt : list) {
    visit(*stmt);
    forEachList(*stmt, [&](StmtList &inner) { forEachStmt(inner, visit); });
  }
}

void forEachStmt(const StmtList &list, function_ref<void(const Stmt &)> visit) {
  for (const Stmt *stmt : list) {
    visit(*stmt);
    forEachList(*stmt,
                [&](const StmtList &inner) { forEachStmt(inner, visit); });
  }
}

void forEachMLoop(StmtList &list,
                  function_ref<void(MLoopStmt &, bool inWave)> visit) {
  const MLoopStmt *ofWave = nullptr;
  forEachStmt(list, [&](Stmt &stmt) {
    if (auto *wave = dyn_cast<WaveStmt>(&stmt))
      ofWave = &wave->loop();
    else if (auto *loop = dyn_cast<MLoopStmt>(&stmt))
      visit(*loop, loop == ofWave);
  });
}

void forEachListInside(const StmtList &list,
                       function_ref<void(const StmtList &)> visit) {
  visit(list);
  for (const Stmt *stmt : list)
    forEachList(
        *stmt, [&](const StmtList &inner) { forEachListInside(inner, visit); });
}

void rewriteStmts(StmtList &list,
                  function_ref<void(Stmt *, StmtList &)> rewrite) {
  StmtList result;
  for (Stmt *stmt : list) {
    rewrite(stmt, result);
    forEachList(*stmt, [&](StmtList &inner) { rewriteStmts(inner, rewrite); });
  }
  list = std::move(result);
}

StmtGroup groupOf(const Stmt &stmt) {
  static constexpr StmtGroup Groups[] = {
#define AIR_STMT(Kind, Group) StmtGroup::Group,
#include "zpl/ArrayIR/Kinds.def"
  };
  return Groups[size_t(stmt.kind)];
}

bool mayStandInSplit(const Stmt &stmt) {
  switch (groupOf(stmt)) {
  case StmtGroup::Scalar:
  case StmtGroup::Array:
  case StmtGroup::Elements:
  case StmtGroup::Sweep:
    return true;
  case StmtGroup::Sweeps:
    return isa<StripsStmt>(stmt);
  case StmtGroup::Memory:
  case StmtGroup::ElementCall:
  case StmtGroup::Wave:
  case StmtGroup::Boxes:
  case StmtGroup::Call:
  case StmtGroup::Runtime:
  case StmtGroup::Branch:
  case StmtGroup::Leave:
    return false;
  }
  llvm_unreachable("a group outside its enumeration");
}

bool mentions(const Stmt &stmt, const Variable *variable) {
  bool found = false;
  forEachOperand(stmt, [&](const Operand &operand) {
    found |= variable && operand.as<Variable *>() == variable;
  });
  forEachExpr(stmt, [&](const Expr &e) {
    auto *var = dyn_cast<VarExpr>(&e);
    found |= var && var->variable == variable;
  });
  return found;
}

static bool isRemap(const Expr &e, const Array *array) {
  auto *remap = dyn_cast<RemapExpr>(&e);
  return remap && (!array || remap->array == array);
}

bool remaps(const Expr &expr, const Array *array) {
  bool found = false;
  forEachExpr(expr, [&](const Expr &e) { found |= isRemap(e, array); });
  return found;
}

bool remaps(const Stmt &stmt, const Array *array) {
  bool found = false;
  forEachExpr(stmt, [&](const Expr &e) { found |= isRemap(e, array); });
  return found;
}

bool isOneForMany(const Array &array, const Region &region) {
  return any_of(zip(array.shape, region.shape), [](auto kinds) {
    auto [inArray, inRegion] = kinds;
    return isPerProcessor(inArray) && !isPerProcessor(inRegion);
  });
}

bool goesAlongRows(const MLoopStmt &loop, const Array &array) {
  auto inner = std::find_if(loop.levels.rbegin(), loop.levels.rend(),
                            [](const LoopLevel &level) { return !level.flat; });
  unsigned last = loop.region->rank() - 1;
  return inner != loop.levels.rend() && inner->dim == last && !inner->down &&
         !isOneForMany(array, *loop.region);
}

bool mayWalkRows(const MLoopStmt &loop, const Array &array) {
  unsigned last = loop.region->rank() - 1;
  return goesAlongRows(loop, array) &&
         (loop.region->shape[last] != DimKind::Strided ||
          array.shape[last] == DimKind::Strided);
}

bool isInBlocks(const MLoopStmt &loop) {
  return any_of(loop.levels, [](const LoopLevel &level) {
    return level.isTimes || level.unroll != 1 || level.tile != 0;
  });
}

int bumpOf(const Array &array, const LoopLevel &level) {
  if (level.isTimes)
    return array.panel;
  bool stands = level.flat || array.standsIn(level.dim);
  return stands ? -1 : int(level.dim);
}

bool mayBeSame(const Module &module, const Array &a, const Array &b,
               bool mayAlias) {
  if (&a == &b)
    return true;
  if (a.family && a.family == b.family)
    return !a.isOtherMemberThan(b);
  if (a.isAlone || b.isAlone)
    return false;
  auto storageOf = [](const Array &array) {
    return array.family ? array.family->storage : array.storage;
  };
  Storage ofA = storageOf(a), ofB = storageOf(b);
  // Locals are new at every entry; two globals are two things.
  return mayAlias && ofA != Storage::Local && ofB != Storage::Local &&
         (ofA == Storage::Param || ofB == Storage::Param) &&
         !(a.family && b.storage == Storage::Global) &&
         !(b.family && a.storage == Storage::Global) && a.rank() == b.rank() &&
         mayOverlap(module, a.element, b.element);
}

Region *elementRegion(const Stmt &stmt) {
  if (auto *assign = dyn_cast<ArrayAssignStmt>(&stmt))
    return assign->region;
  if (auto *reduce = dyn_cast<ReduceStmt>(&stmt))
    return reduce->region;
  if (auto *reduce = dyn_cast<ReduceArrayStmt>(&stmt))
    return reduce->region;
  if (auto *call = dyn_cast<ElementCallStmt>(&stmt))
    return call->region;
  if (auto *loop = dyn_cast<MLoopStmt>(&stmt))
    return loop->region;
  return nullptr;
}

} // namespace zpl::air
