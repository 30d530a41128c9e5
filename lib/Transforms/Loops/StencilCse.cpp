//===- StencilCse.cpp - Partial sums are computed once --------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In a stencil of 27 points the nine at one position of the innermost
// dimension, i, make two sums:
//
//     faces(i) = A@(-1,0,i) + A@(0,-1,i) + A@(0,1,i) + A@(1,0,i)
//     edges(i) = A@(-1,-1,i) + A@(-1,1,i) + A@(1,-1,i) + A@(1,1,i)
//
//     a1 * (faces(0) + ...) + a2 * (edges(0) + (faces(-1) + faces(1)))
//                           + a3 * (edges(-1) + edges(1))
//
// Sema has made such trees of the statement (lib/Sema/Arithmetic/Stencils.cpp).
// What a step of the innermost loop computes at position 1 is at the next step
// what stands at position 0, and then at -1. So 8 loads and 6 additions are
// left of 24 and 18.
//
//  1. Every tree gets the number of its *shape* and a position: two trees have
//     one shape if they are equal but for their position, the offset along the
//     innermost dimension that all their elements have in common.
//  2. From the roots down, the greatest trees whose shape stands at several
//     positions, not more than MostBack apart, become lets.
//  3. A let carries what the let at the next higher position was, so only the
//     one at the highest position is computed in the loop.
//
// Positions of shifted views (`A@^dir[0,1]`) are not known to the compiler. The
// subscripts, or the constant factors, of their directions are taken for them;
// the program compares addresses before it believes that. Nor is it known, in a
// strided dimension, how many positions a step is. A let then says whose value
// it was if it is one, and if it is two, as on the way to a coarser grid.
//
// The model: a carry is a shuffle of two vectors per step back; a tree is worth
// its operations and loads. A tree is carried if it is worth at least twice as
// much as its carry. So single elements are not: an unaligned load costs no
// more than a shuffle (5-point and other stars stay as they are).
//
// They are where a step may be two positions and sums are carried over it. Two
// of the elements -1, 0 and 1 make whole vectors together, but for the third
// LLVM reads twice what it needs, and past the row's end, unless the last steps
// are left to single elements. So the one at -1 is what that at 1 was. For code
// generation, lets of single elements also say which one is next to which.
//
// Reuse along outer dimensions would keep rows of partial sums in memory: a
// store and a load for one addition and its loads, which are in the first-level
// cache by then. It is not done. Nor are two rows computed at a time, which
// share sums: in C, by gcc and clang, 27 points so took 0.80 to 0.96 of the
// time on 32^3 and 64^3, but 1.10 to 1.51 on 128^3 and 256^3, where six rows
// more are in flight (EPYC, Zen 4).
//
// Values under a mask count if vectors may compute them everywhere
// (Speculation.cpp): then that is what they do.
//
// Cost: linear in the nodes of a loop, times the number of different sizes of
// trees.
//
//===----------------------------------------------------------------------===//

#include "Loops/StencilCse.h"
#include "zpl/Analysis/Speculation.h"
#include "zpl/Analysis/StencilShapes.h"
#include "zpl/ArrayIR/Lets.h"
#include "zpl/ArrayIR/Names.h"
#include "zpl/ArrayIR/Rewrite.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

using namespace llvm;

namespace zpl::air {
namespace {

/// Steps that a value is carried over.
constexpr int64_t MostBack = 4;
/// Positions per step that are thought of where they are not known.
constexpr unsigned MostStride = 2;

//===----------------------------------------------------------------------===//
// One loop
//===----------------------------------------------------------------------===//

/// Makes lets of the trees of one part that recur.
class PartReuser {
public:
  PartReuser(Procedure &procedure, Module &module, NameAllocator &names,
             Shapes &shapes, int64_t stepCost)
      : procedure(procedure), module(module), names(names), shapes(shapes),
        stepCost(stepCost) {}

  /// Appends the part with lets; false if there are none.
  bool run(ArrayRef<ElementOp> part, std::vector<ElementOp> &result);

  unsigned carried = 0; ///< how many lets take over a value
  unsigned worth = 0;   ///< operations and loads that these save
  bool isCheap = false; ///< something that recurs is worth too little

private:
  /// Trees of one shape, one for each position, descending.
  using Chain = std::map<int64_t, const Expr *, std::greater<>>;

  void forEachRoot(ArrayRef<ElementOp> part,
                   function_ref<void(const Expr *)> visit);
  void reach(const Expr *e);
  void findChains(ArrayRef<ElementOp> part);
  void reachElement(const Expr *e, MapVector<int, Chain> &elements);
  void findElements(ArrayRef<ElementOp> part);
  bool hasKnownSteps(const Expr *e);
  bool mayHalve(const Chain &chain);
  bool isWorth(const Tree &tree, const Chain &chain);
  void makeLets(const Chain &chain, unsigned delay,
                std::vector<ElementOp> &result);
  void addCarry(ElementOp &let, int64_t position, unsigned stride,
                ArrayRef<std::pair<int64_t, Variable *>> above);
  void replace(const Expr *e, ExprRewriter &rewriter);

  Procedure &procedure;
  Module &module;
  NameAllocator &names;
  Shapes &shapes;
  const int64_t stepCost;       ///< of carrying a value, in operations
  MapVector<int, Chain> chains; ///< in the order of the text
  DenseSet<int> refused;
  std::map<std::pair<int, int64_t>, Variable *> lets;
};

/// Whether the value is, or may be, evaluated at each index.
static bool isEverywhere(const ElementOp &op) {
  return op.kind != ElementOp::Call &&
         (!op.guard || maySpeculate(op, RunTimeChecks::all()));
}

/// Calls \p visit with what is evaluated at each index, or may be.
void PartReuser::forEachRoot(ArrayRef<ElementOp> part,
                             function_ref<void(const Expr *)> visit) {
  for (const ElementOp &op : part) {
    if (op.guard)
      visit(op.guard);
    if (isEverywhere(op))
      visit(op.value);
  }
}

static void forEachPart(const Expr *e, function_ref<void(const Expr *)> visit) {
  if (!isa<CallExpr, SubscriptExpr, FieldExpr>(e))
    forEachOperand(*e, [&](const Expr &operand) { visit(&operand); });
}

/// The neighbours in a chain that are near enough to take over from each other.
static bool isNear(int64_t position, int64_t above) {
  return above - position <= MostBack;
}

/// Whether it pays to carry the trees of a chain.
bool PartReuser::isWorth(const Tree &tree, const Chain &chain) {
  int64_t saved = 0, cost = 0;
  const int64_t *above = nullptr;
  for (const auto &[position, e] : chain) {
    if (above && isNear(position, *above)) {
      saved += tree.worth;
      cost += stepCost * (*above - position);
    }
    above = &position;
  }
  isCheap = saved != 0 && saved <= cost;
  return saved > cost;
}

/// Adds the trees that are lets if \p e is evaluated.
void PartReuser::reach(const Expr *e) {
  const Tree &tree = shapes.of(e);
  if (tree.shape >= 0 && tree.position && tree.hasOperations &&
      (e->type.isFloat() || (e->type.isInteger() && e->type != Type::Bool)) &&
      !refused.contains(tree.shape)) {
    chains[tree.shape].try_emplace(*tree.position, e);
    return;
  }
  forEachPart(e, [&](const Expr *part) { reach(part); });
}

/// Takes the greatest trees first, then, until nothing changes, what is in
/// those that did not pay. These are refused in the order of their worth: to a
/// lesser one's chain may belong what is in a greater one.
void PartReuser::findChains(ArrayRef<ElementOp> part) {
  while (true) {
    chains.clear();
    forEachRoot(part, [&](const Expr *root) { reach(root); });
    std::map<unsigned, SmallVector<int, 8>> failing;
    for (const auto &[shape, chain] : chains) {
      const Tree &tree = shapes.of(chain.begin()->second);
      if (!isWorth(tree, chain))
        failing[tree.worth].push_back(shape);
    }
    if (failing.empty())
      return;
    const auto &greatest = failing.rbegin()->second;
    refused.insert(greatest.begin(), greatest.end());
  }
}

/// Whether it is known how many positions a step moves all of a tree.
bool PartReuser::hasKnownSteps(const Expr *e) {
  bool isKnown = true;
  forEachExpr(*e, [&](const Expr &part) {
    if (auto *element = dyn_cast<ElementExpr>(&part))
      isKnown &= shapes.hasKnownSteps(*element);
  });
  return isKnown;
}

/// Whether a tree takes over from another one if a step is MostStride
/// positions.
bool PartReuser::mayHalve(const Chain &chain) {
  return any_of(chain, [&](const auto &entry) {
    bool isAbove = false;
    for (int64_t more = MostStride; more <= MostBack; more += MostStride)
      isAbove |= chain.count(entry.first + more) != 0;
    return isAbove && !hasKnownSteps(entry.second);
  });
}

/// Adds the elements outside of lets that are evaluated with \p e.
void PartReuser::reachElement(const Expr *e, MapVector<int, Chain> &elements) {
  const Tree &tree = shapes.of(e);
  bool isMovable = tree.shape >= 0 && tree.position;
  if (isMovable && chains.contains(tree.shape))
    return;
  if (isMovable && isa<ElementExpr>(e))
    elements[tree.shape].try_emplace(*tree.position, e);
  forEachPart(e, [&](const Expr *part) { reachElement(part, elements); });
}

/// Makes chains of single elements, too, if a step may be two positions.
void PartReuser::findElements(ArrayRef<ElementOp> part) {
  if (none_of(chains,
              [&](const auto &entry) { return mayHalve(entry.second); }))
    return;
  MapVector<int, Chain> elements;
  forEachRoot(part, [&](const Expr *root) { reachElement(root, elements); });
  for (auto &[shape, chain] : elements)
    if (mayHalve(chain))
      chains[shape] = std::move(chain);
}

void PartReuser::makeLets(const Chain &chain, unsigned delay,
                          std::vector<ElementOp> &result) {
  SmallVector<std::pair<int64_t, Variable *>, 4> above;
  for (const auto &[position, e] : chain) {
    auto *variable = module.make<Variable>();
    variable->name = names.make(isa<ElementExpr>(e) ? "value" : "sum");
    variable->type = e->type;
    variable->range = e->range;
    procedure.variables.push_back(variable);
    const Tree &tree = shapes.of(e);
    ElementOp &let = result.emplace_back();
    let.kind = ElementOp::Let;
    let.variable = variable;
    let.value = e;
    let.range = e->range;
    let.delay = delay;
    for (unsigned stride = 1; stride <= MostStride; ++stride)
      addCarry(let, position, stride, above);
    if (!let.carries.empty() && tree.hasOperations) {
      ++carried;
      worth += tree.worth;
    }
    above.push_back({position, variable});
    lets[{tree.shape, position}] = variable;
  }
}

/// The let that this one was, if a step is \p stride positions: the nearest one
/// above it.
void PartReuser::addCarry(ElementOp &let, int64_t position, unsigned stride,
                          ArrayRef<std::pair<int64_t, Variable *>> above) {
  if (stride != 1 && hasKnownSteps(let.value))
    return;
  for (auto [other, source] : reverse(above)) {
    int64_t distance = other - position;
    if (!isNear(position, other))
      return;
    if (distance % stride == 0) {
      let.carries.push_back({source, unsigned(distance / stride), stride});
      return;
    }
  }
}

/// Puts lets for the trees of \p e.
void PartReuser::replace(const Expr *e, ExprRewriter &rewriter) {
  const Tree &tree = shapes.of(e);
  auto it = tree.shape < 0 || !tree.position
                ? lets.end()
                : lets.find({tree.shape, *tree.position});
  if (it != lets.end())
    rewriter.set(e, module.make<VarExpr>(it->second, e->range));
  else
    forEachPart(e, [&](const Expr *part) { replace(part, rewriter); });
}

bool PartReuser::run(ArrayRef<ElementOp> part, std::vector<ElementOp> &result) {
  findChains(part);
  findElements(part);
  for (const auto &[shape, chain] : chains)
    makeLets(chain, part.front().delay, result);
  ExprRewriter rewriter(module, [](const Expr *leaf) { return leaf; });
  forEachRoot(part, [&](const Expr *root) { replace(root, rewriter); });
  for (ElementOp op : part) {
    bool isValue = isEverywhere(op);
    if (op.guard)
      op.guard = rewriter.rewrite(op.guard);
    if (isValue)
      op.value = rewriter.rewrite(op.value);
    result.push_back(std::move(op));
  }
  return !chains.empty();
}

//===----------------------------------------------------------------------===//
// All loops
//===----------------------------------------------------------------------===//

class StencilReuser {
public:
  StencilReuser(Procedure &procedure, Module &module, PassContext &context)
      : procedure(procedure), module(module), context(context),
        names(procedure), views(viewsOf(procedure)) {}

  void run() {
    forEachStmt(procedure.body, [&](Stmt &stmt) {
      auto *loop = dyn_cast<MLoopStmt>(&stmt);
      auto isLet = [](const ElementOp &op) {
        return op.kind == ElementOp::Let;
      };
      if (loop && loop->walkers.empty() && loop->rows == 1 &&
          innermostLevel(*loop) && none_of(loop->body, isLet))
        loop->region->isSparse ? refuse(*loop) : reuse(*loop);
    });
  }

private:
  void refuse(const MLoopStmt &loop);
  void reuse(MLoopStmt &loop);
  bool isStored(const MLoopStmt &loop, const Array *array) const;

  Procedure &procedure;
  Module &module;
  PassContext &context;
  NameAllocator names;
  const Views views;
};

/// Whether the loop may store elements of \p array, or of what it is a view of.
bool StencilReuser::isStored(const MLoopStmt &loop, const Array *array) const {
  auto it = views.find(array);
  const Array *storage = it == views.end() ? array : it->second.first->source;
  auto isIt = [&](const Expr *place) {
    const ElementExpr *element = place ? rootElement(place) : nullptr;
    return element &&
           (element->array == array ||
            mayBeSame(module, *element->array, *storage, procedure.mayAlias));
  };
  return any_of(loop.body, [&](const ElementOp &op) {
    auto *call =
        op.kind == ElementOp::Call ? cast<CallExpr>(op.value) : nullptr;
    return isIt(op.target) || (call && any_of(call->args, [&](const auto &arg) {
                                 return isIt(arg.place);
                               }));
  });
}

/// Steps of a sparse loop go to any index of the row.
void StencilReuser::refuse(const MLoopStmt &loop) {
  bool readsAround = false;
  forEachExpr(loop, [&](const Expr &e) {
    auto *element = dyn_cast<ElementExpr>(&e);
    readsAround |= element && element->isShifted();
  });
  if (readsAround)
    context.missed(loop.range, "nothing is carried along the innermost loop: "
                               "the region is sparse");
}

void StencilReuser::reuse(MLoopStmt &loop) {
  Shapes shapes(loop, views,
                [&](const Array *array) { return isStored(loop, array); });
  std::vector<ElementOp> body;
  unsigned carried = 0, worth = 0;
  bool isAny = false, isCheap = false;
  for (ArrayRef<ElementOp> part : partsOf(loop)) {
    PartReuser reuser(procedure, module, names, shapes,
                      context.figures.stencilStep);
    isAny |= reuser.run(part, body);
    carried += reuser.carried;
    worth += reuser.worth;
    isCheap |= reuser.isCheap;
  }
  if (!isAny) {
    if (isCheap)
      context.missed(loop.range, "what recurs at the next indices costs less "
                                 "than to carry it along");
    return;
  }
  loop.body = std::move(body);
  context.applied(loop.range, Twine(carried) +
                                  (carried == 1 ? " value is" : " values are") +
                                  " carried along the innermost loop, for " +
                                  Twine(worth) + " operations and loads");
  context.count("carried", carried);
}

} // namespace

void stencilCse(Module &module, PassContext &context) {
  for (Procedure *procedure : module.procedures)
    StencilReuser(*procedure, module, context).run();
}

} // namespace zpl::air
