//===- StencilCse.cpp - Partial sums are computed once --------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of a stencil of 27 points the nine at one position of the innermost
// dimension, i, make two sums:
//
//     faces(i) = A@(-1,0,i) + A@(0,-1,i) + A@(0,1,i) + A@(1,0,i)
//     edges(i) = A@(-1,-1,i) + A@(-1,1,i) + A@(1,-1,i) + A@(1,1,i)
//
//     a1 * (faces(0) + ...) + a2 * (edges(0) + (faces(-1) + faces(1)))
//                           + a3 * (edges(-1) + edges(1))
//
// Sema has made such trees of the statement (lib/Sema/Stencils.cpp). What a
// step of the innermost loop computes at position 1 is at the next step what
// stands at position 0, and then at -1. So 8 loads and 6 additions are left of
// 24 and 18.
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
// much as its carry. So single elements never are: an unaligned load costs no
// more than a shuffle (5-point and other stars stay as they are).
//
// Reuse along outer dimensions would keep rows of partial sums in memory: a
// store and a load for one addition and its loads, which are in the first-level
// cache by then. It is not done.
//
// Cost: linear in the nodes of a loop, times the number of different sizes of
// trees.
//
//===----------------------------------------------------------------------===//

#include "zpl/Transforms/StencilCse.h"
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
/// How much more than a carry a tree must be worth.
constexpr int64_t WorthPerStep = 2;
/// Positions per step that are thought of where they are not known.
constexpr unsigned MostStride = 2;

/// The view of a shift that makes an array.
using Views = DenseMap<const Array *, std::pair<const ShiftStmt *, unsigned>>;

/// What is known of a tree.
struct Tree {
  int shape = -1;                  ///< -1: it is not to be moved
  std::optional<int64_t> position; ///< none: the same at every index
  unsigned worth = 0;              ///< operations and loads
  bool hasOperations = false;
};

//===----------------------------------------------------------------------===//
// Shapes and positions
//===----------------------------------------------------------------------===//

class Shapes {
public:
  Shapes(const MLoopStmt &loop, const Views &views,
         function_ref<bool(const Array *)> isStored);

  const Tree &of(const Expr *e);
  /// Whether the offsets say where an element is at the next step.
  bool hasKnownSteps(const ElementExpr &element) const {
    return !views.contains(element.array) &&
           air::hasKnownSteps(element, element, loop);
  }

private:
  /// What makes a shape: numbers of the node and its operands.
  using Key = SmallVector<int64_t, 8>;

  Tree make(const Expr *e);
  Tree makeElement(const ElementExpr &element);
  Tree makeNode(const Expr *e, ArrayRef<int64_t> own,
                ArrayRef<const Expr *> operands);
  int number(Key key);
  int64_t identity(const void *pointer);
  bool shiftOf(const ShiftView &view, unsigned rank, Offset &offset, Key &base);
  bool addBase(const Expr *e, Key &base);

  const MLoopStmt &loop;
  const LoopLevel &inner;
  const Views &views;
  DenseSet<const Array *> stored;
  /// Source arrays that the loop also reads through views: their frame.
  DenseMap<const Array *, Key> frames;
  std::map<Key, int> numbers;
  DenseMap<const void *, int64_t> identities;
  DenseMap<const Expr *, Tree> known;
};

Shapes::Shapes(const MLoopStmt &loop, const Views &views,
               function_ref<bool(const Array *)> isStored)
    : loop(loop), inner(*innermostLevel(loop)), views(views) {
  forEachExpr(loop, [&](const Expr &e) {
    auto *element = dyn_cast<ElementExpr>(&e);
    if (!element)
      return;
    if (isStored(element->array))
      stored.insert(element->array);
    auto it = views.find(element->array);
    if (it == views.end())
      return;
    const ShiftStmt *shift = it->second.first;
    Offset offset;
    Key base;
    if (shiftOf(shift->views[it->second.second], element->array->rank(), offset,
                base))
      frames.try_emplace(shift->source, base);
  });
}

int64_t Shapes::identity(const void *pointer) {
  return identities.try_emplace(pointer, identities.size()).first->second;
}

int Shapes::number(Key key) {
  return numbers.try_emplace(std::move(key), numbers.size()).first->second;
}

const Tree &Shapes::of(const Expr *e) {
  auto it = known.find(e);
  if (it == known.end())
    it = known.try_emplace(e, make(e)).first;
  return it->second;
}

static const Expr *withoutCasts(const Expr *e) {
  while (auto *conversion = dyn_cast<CastExpr>(e))
    e = conversion->operand;
  return e;
}

static const ConstExpr *asConstant(const Expr *e) {
  return dyn_cast<ConstExpr>(withoutCasts(e));
}

/// Adds what says which variable's part \p e is, or which product of them.
bool Shapes::addBase(const Expr *e, Key &base) {
  e = withoutCasts(e);
  base.push_back(int64_t(e->kind));
  if (auto *constant = dyn_cast<ConstExpr>(e))
    return base.push_back(constant->integer), true;
  if (auto *variable = dyn_cast<VarExpr>(e))
    return base.push_back(identity(variable->variable)), true;
  if (auto *binary = dyn_cast<BinaryExpr>(e)) {
    base.push_back(int64_t(binary->op));
    return addBase(binary->left, base) && addBase(binary->right, base);
  }
  if (auto *part = dyn_cast<FieldExpr>(e)) {
    base.push_back(part->field);
    return addBase(part->base, base);
  }
  auto *part = dyn_cast<SubscriptExpr>(e);
  return part && addBase(part->base, base) &&
         all_of(part->subscripts,
                [&](const Expr *s) { return addBase(s, base); });
}

/// The offset for which a view's direction is taken, and from what.
bool Shapes::shiftOf(const ShiftView &view, unsigned rank, Offset &offset,
                     Key &base) {
  base = {view.wraps};
  for (const Expr *component : view.direction)
    if (const ConstExpr *constant = asConstant(component))
      offset.push_back(constant->integer);
  if (offset.size() == rank)
    return true;
  offset.clear();
  // An element of an indexed array of directions.
  auto *part = dyn_cast<SubscriptExpr>(withoutCasts(view.direction.front()));
  auto *element = part ? dyn_cast<SubscriptExpr>(part->base) : nullptr;
  if (element && element->subscripts.size() >= rank) {
    ArrayRef<const Expr *> subscripts = element->subscripts;
    for (const Expr *subscript : subscripts.take_back(rank))
      if (const ConstExpr *constant = asConstant(subscript))
        offset.push_back(constant->integer);
    return offset.size() == rank && addBase(element->base, base) &&
           all_of(subscripts.drop_back(rank),
                  [&](const Expr *s) { return addBase(s, base); });
  }
  // A multiple.
  for (const Expr *component : view.direction) {
    auto *product = dyn_cast<BinaryExpr>(withoutCasts(component));
    if (!product || product->op != BinaryOp::Mul)
      return false;
    const ConstExpr *left = asConstant(product->left);
    const ConstExpr *constant = left ? left : asConstant(product->right);
    Key factor = {view.wraps};
    if (!constant || !addBase(left ? product->right : product->left, factor) ||
        (base.size() > 1 && factor != base))
      return false;
    base = factor;
    offset.push_back(constant->integer);
  }
  return true;
}

Tree Shapes::makeElement(const ElementExpr &element) {
  if (stored.contains(element.array))
    return {};
  const Array *array = element.array;
  Offset offset = element.offset;
  Key frame;
  auto it = views.find(array);
  if (it != views.end()) {
    auto [shift, number] = it->second;
    Offset from;
    if (element.isShifted() ||
        !shiftOf(shift->views[number], array->rank(), from, frame))
      return {};
    array = shift->source;
    offset = from;
  } else if (!element.isShifted()) {
    frame = frames.lookup(array);
  }
  Key key = {int64_t(ExprKind::Element), identity(array)};
  Tree tree;
  if (!isPerProcessor(element.array->shape[inner.dim])) {
    tree.position = inner.down ? -offset[inner.dim] : offset[inner.dim];
    offset[inner.dim] = 0;
  }
  key.append(offset.begin(), offset.end());
  key.append(frame.begin(), frame.end());
  tree.shape = number(std::move(key));
  tree.worth = 1;
  return tree;
}

/// Of a node that is told by \p own and its operands.
Tree Shapes::makeNode(const Expr *e, ArrayRef<int64_t> own,
                      ArrayRef<const Expr *> operands) {
  Key key = {int64_t(e->kind), int64_t(e->type.kind())};
  key.append(own.begin(), own.end());
  Tree tree;
  tree.worth = 1;
  tree.hasOperations = true;
  bool mayMove = true;
  for (const Expr *operand : operands) {
    const Tree part = of(operand);
    mayMove &= part.shape >= 0;
    if (!tree.position)
      tree.position = part.position;
    tree.worth += part.worth;
    key.push_back(part.shape);
    key.push_back(part.position ? *part.position - *tree.position
                                : std::numeric_limits<int64_t>::min());
  }
  if (mayMove)
    tree.shape = number(std::move(key));
  return tree;
}

static bool divides(const BinaryExpr &e) {
  return e.op == BinaryOp::Div || e.op == BinaryOp::Rem ||
         e.op == BinaryOp::Pow;
}

Tree Shapes::make(const Expr *e) {
  switch (e->kind) {
  case ExprKind::Const: {
    auto *constant = cast<ConstExpr>(e);
    Tree tree;
    tree.shape =
        number({int64_t(e->kind), int64_t(e->type.kind()), constant->integer,
                bit_cast<int64_t>(constant->number)});
    return constant->text.empty() ? tree : Tree();
  }
  case ExprKind::Var: {
    Tree tree;
    if (!e->type.isAggregate())
      tree.shape =
          number({int64_t(e->kind), identity(cast<VarExpr>(e)->variable)});
    return tree;
  }
  case ExprKind::Subscript:
  case ExprKind::Field: {
    // Of a variable, with constant subscripts: a weight.
    Tree tree;
    Key key;
    if (rootVariable(e) && !e->type.isAggregate() && addBase(e, key))
      tree.shape = number(std::move(key));
    return tree;
  }
  case ExprKind::Element:
    return makeElement(*cast<ElementExpr>(e));
  case ExprKind::Unary:
    return makeNode(e, int64_t(cast<UnaryExpr>(e)->op),
                    cast<UnaryExpr>(e)->operand);
  case ExprKind::Binary: {
    auto *binary = cast<BinaryExpr>(e);
    Tree tree = makeNode(e, int64_t(binary->op), {binary->left, binary->right});
    if (divides(*binary) && !e->type.isFloat())
      tree.shape = -1; // may end the run
    return tree;
  }
  case ExprKind::Fma: {
    auto *fma = cast<FmaExpr>(e);
    return makeNode(e, {}, {fma->a, fma->b, fma->c});
  }
  case ExprKind::Cast:
    return makeNode(e, {}, cast<CastExpr>(e)->operand);
  case ExprKind::Math:
    return makeNode(e, int64_t(cast<MathExpr>(e)->fn), cast<MathExpr>(e)->args);
  case ExprKind::Index:
  case ExprKind::Bound:
  case ExprKind::Compare:
  case ExprKind::Call:
  case ExprKind::Complex:
    return {};
  }
  llvm_unreachable("an expression outside its enumeration");
}

//===----------------------------------------------------------------------===//
// One loop
//===----------------------------------------------------------------------===//

/// Makes lets of the trees of one part that recur.
class PartReuser {
public:
  PartReuser(Procedure &procedure, Module &module, NameAllocator &names,
             Shapes &shapes)
      : procedure(procedure), module(module), names(names), shapes(shapes) {}

  /// Appends the part with lets; false if there are none.
  bool run(ArrayRef<ElementOp> part, std::vector<ElementOp> &result);

  unsigned carried = 0; ///< how many lets take over a value
  unsigned worth = 0;   ///< operations and loads that these save
  bool isCheap = false; ///< something that recurs is worth too little

private:
  /// Of one shape, by position, descending: a tree of each.
  using Chain = std::map<int64_t, const Expr *, std::greater<>>;

  void forEachRoot(ArrayRef<ElementOp> part,
                   function_ref<void(const Expr *)> visit);
  void reach(const Expr *e);
  void findChains(ArrayRef<ElementOp> part);
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
  MapVector<int, Chain> chains; ///< in the order of the text
  DenseSet<int> refused;
  std::map<std::pair<int, int64_t>, Variable *> lets;
};

/// Calls \p visit with what is evaluated at each index.
void PartReuser::forEachRoot(ArrayRef<ElementOp> part,
                             function_ref<void(const Expr *)> visit) {
  for (const ElementOp &op : part) {
    if (op.guard)
      visit(op.guard);
    else if (op.kind != ElementOp::Call)
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
      cost += WorthPerStep * (*above - position);
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

void PartReuser::makeLets(const Chain &chain, unsigned delay,
                          std::vector<ElementOp> &result) {
  SmallVector<std::pair<int64_t, Variable *>, 4> above;
  for (const auto &[position, e] : chain) {
    auto *variable = module.make<Variable>();
    variable->name = names.make("sum");
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
    if (!let.carries.empty()) {
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
  bool isKnown = true;
  forEachExpr(*let.value, [&](const Expr &e) {
    if (auto *element = dyn_cast<ElementExpr>(&e))
      isKnown &= shapes.hasKnownSteps(*element);
  });
  if (isKnown && stride != 1)
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
  for (const auto &[shape, chain] : chains)
    makeLets(chain, part.front().delay, result);
  ExprRewriter rewriter(module, [](const Expr *leaf) { return leaf; });
  forEachRoot(part, [&](const Expr *root) { replace(root, rewriter); });
  for (ElementOp op : part) {
    if (op.guard)
      op.guard = rewriter.rewrite(op.guard);
    else if (op.kind != ElementOp::Call)
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
        names(procedure) {}

  void run() {
    forEachStmt(procedure.body, [&](Stmt &stmt) {
      if (auto *shift = dyn_cast<ShiftStmt>(&stmt))
        for (auto [i, view] : enumerate(shift->views))
          views[view.target] = {shift, i};
    });
    forEachStmt(procedure.body, [&](Stmt &stmt) {
      auto *loop = dyn_cast<MLoopStmt>(&stmt);
      auto isLet = [](const ElementOp &op) {
        return op.kind == ElementOp::Let;
      };
      if (loop && loop->walkers.empty() && loop->rows == 1 &&
          innermostLevel(*loop) && none_of(loop->body, isLet))
        reuse(*loop);
    });
  }

private:
  void reuse(MLoopStmt &loop);
  bool isStored(const MLoopStmt &loop, const Array *array) const;

  Procedure &procedure;
  Module &module;
  PassContext &context;
  NameAllocator names;
  Views views;
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

void StencilReuser::reuse(MLoopStmt &loop) {
  Shapes shapes(loop, views,
                [&](const Array *array) { return isStored(loop, array); });
  std::vector<ElementOp> body;
  unsigned carried = 0, worth = 0;
  bool isAny = false, isCheap = false;
  for (ArrayRef<ElementOp> part : partsOf(loop)) {
    PartReuser reuser(procedure, module, names, shapes);
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
