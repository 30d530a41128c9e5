//===- StencilShapes.cpp - Trees that recur at other indices --------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     mul(@w, add(@A@(0,1), @A@(0,-1)))    mul(@w, add(@A@(0,2), @A@(0,0)))
//
// have one shape, and the positions 1 and 2: the position of a tree is that of
// the first element in it, the others' are beside it in the shape's key. The
// key of a node has the numbers of its operands' shapes, so that trees are
// compared node by node.
//
// Cost: linear in the nodes of a loop, times the logarithm of the shapes.
//
//===----------------------------------------------------------------------===//

#include "zpl/Analysis/StencilShapes.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace zpl::air {

Shapes::Shapes(const MLoopStmt &loop, const Views &views,
               function_ref<bool(const Array *)> isStored)
    : loop(loop), inner(*innermostLevel(loop)), views(views),
      positions(loop, views) {
  forEachExpr(loop, [&](const Expr &e) {
    auto *element = dyn_cast<ElementExpr>(&e);
    if (element && isStored(element->array))
      stored.insert(element->array);
  });
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

Tree Shapes::makeElement(const ElementExpr &element) {
  if (stored.contains(element.array))
    return {};
  std::optional<ReadPosition> read = positions.of(element);
  if (!read)
    return {};
  Offset &offset = read->offset;
  Key key = {int64_t(ExprKind::Element),
             positions.guesses.identity(read->array)};
  Tree tree;
  if (!isPerProcessor(element.array->shape[inner.dim])) {
    tree.position = inner.down ? -offset[inner.dim] : offset[inner.dim];
    offset[inner.dim] = 0;
  }
  append_range(key, offset);
  append_range(key, read->frame);
  tree.shape = number(std::move(key));
  tree.worth = 1;
  return tree;
}

/// The tree of a node that is told by \p own and its operands.
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
          number({int64_t(e->kind),
                  positions.guesses.identity(cast<VarExpr>(e)->variable)});
    return tree;
  }
  case ExprKind::Subscript:
  case ExprKind::Field: {
    // A part of a variable, with constant subscripts, is a weight.
    Tree tree;
    Key key;
    if (rootVariable(e) && !e->type.isAggregate() &&
        positions.guesses.addBase(e, key))
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
  case ExprKind::Remap:
  case ExprKind::Call:
  case ExprKind::Complex:
    return {};
  }
  llvm_unreachable("an expression outside its enumeration");
}

} // namespace zpl::air
