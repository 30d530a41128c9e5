//===- Lets.cpp - Values that M-loops carry along -------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     let %p = add(%A@(-1,1), %A@(1,1))
//     let %q = add(%A@(-1,0), %A@(1,0)) was %p
//
// is right because the trees differ in their elements alone, and those of %q
// are at the next index where those of %p are at this one. In dimensions whose
// steps are known this is checked here; for views and strided dimensions the
// compiled program looks.
//
//     let %own = @A
//     let %before = @A@(0,-1) was %own where red
//     store @A = add(%before, @A@(0,1)) where red
//
// is right though A is stored: where the guard is true, and %before is read,
// the element is none of those.
//
// Cost: linear in the trees.
//
//===----------------------------------------------------------------------===//

#include "zpl/ArrayIR/Lets.h"
#include "Text/ParseExpressions.h"
#include "Text/ParseForms.h"
#include "Text/Parser.h"
#include "Text/Parsing.h"
#include "Verify/Declarations.h"
#include "Verify/LoopForms.h"
#include "Verify/Verifying.h"
#include "zpl/ArrayIR/GuardClasses.h"
#include "zpl/ArrayIR/Printer.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace zpl::air {

static bool areAlike(ArrayRef<const Expr *> a, ArrayRef<const Expr *> b,
                     ElementPairVisitor visit) {
  return a.size() == b.size() && all_of(zip(a, b), [&](const auto &pair) {
           return areAlike(*std::get<0>(pair), *std::get<1>(pair), visit);
         });
}

namespace {

/// Whether two expressions of one kind and type are alike.
struct Alike {
  ElementPairVisitor visit;

  bool all(ArrayRef<const Expr *> a, ArrayRef<const Expr *> b) {
    return areAlike(a, b, visit);
  }
  bool of(const ConstExpr &x, const ConstExpr &y) {
    return x.integer == y.integer && x.text == y.text &&
           bit_cast<uint64_t>(x.number) == bit_cast<uint64_t>(y.number);
  }
  bool of(const VarExpr &x, const VarExpr &y) {
    return x.variable == y.variable;
  }
  bool of(const ElementExpr &x, const ElementExpr &y) { return visit(x, y); }
  bool of(const UnaryExpr &x, const UnaryExpr &y) {
    return x.op == y.op && all(x.operand, y.operand);
  }
  bool of(const BinaryExpr &x, const BinaryExpr &y) {
    return x.op == y.op && all({x.left, x.right}, {y.left, y.right});
  }
  bool of(const FmaExpr &x, const FmaExpr &y) {
    return all({x.a, x.b, x.c}, {y.a, y.b, y.c});
  }
  bool of(const CastExpr &x, const CastExpr &y) {
    return all(x.operand, y.operand);
  }
  bool of(const MathExpr &x, const MathExpr &y) {
    return x.fn == y.fn && all(x.args, y.args);
  }
  bool of(const FieldExpr &x, const FieldExpr &y) {
    return x.field == y.field && all(x.base, y.base);
  }
  bool of(const SubscriptExpr &x, const SubscriptExpr &y) {
    return all(x.base, y.base) && all(x.subscripts, y.subscripts);
  }
  template <
      OneOf<RemapExpr, IndexExpr, BoundExpr, CompareExpr, CallExpr, ComplexExpr>
          T>
  bool of(const T &, const T &) {
    return false;
  }
};

} // namespace

bool areAlike(const Expr &a, const Expr &b, ElementPairVisitor visit) {
  if (a.kind != b.kind || a.type != b.type)
    return false;
  return visitKind(a, [&]<typename Kind>(const Kind &known) {
    return Alike{visit}.of(known, cast<Kind>(b));
  });
}

const LoopLevel *innermostLevel(const MLoopStmt &loop) {
  const LoopLevel *inner = nullptr;
  for (const LoopLevel &level : loop.levels)
    if (!level.flat)
      inner = &level;
  return inner;
}

Offset rowOf(const ElementExpr &element, const MLoopStmt &loop) {
  Offset row = element.offset;
  const LoopLevel *inner = innermostLevel(loop);
  if (inner && inner->dim < row.size())
    row[inner->dim] = 0;
  return row;
}

bool hasKnownSteps(const ElementExpr &a, const ElementExpr &b,
                   const MLoopStmt &loop) {
  unsigned dim = innermostLevel(loop)->dim;
  return a.array == b.array && a.array->shape[dim] != DimKind::Strided &&
         loop.region->shape[dim] != DimKind::Strided;
}

bool isCarried(const ElementExpr &element, const ElementExpr &source,
               int64_t back, const MLoopStmt &loop) {
  const LoopLevel &inner = *innermostLevel(loop);
  Offset offset = element.offset;
  if (!isPerProcessor(element.array->shape[inner.dim]))
    offset[inner.dim] += inner.down ? -back : back;
  return offset == source.offset;
}

bool parseLet(Parsing &p, ElementOp &op) {
  if (!(op.variable = parseVariable(p)) || !expect(p, "=") ||
      !(op.value = parseExpr(p)))
    return false;
  if (!accept(p, "was"))
    return true;
  do {
    Carry &carry = op.carries.emplace_back();
    if (!(carry.source = parseVariable(p)) ||
        (accept(p, "back") && !parseUnsigned(p, carry.back, 64)) ||
        (accept(p, "stride") && !parseUnsigned(p, carry.stride, 64)))
      return false;
  } while (accept(p, ","));
  return true;
}

/// Verifies a carry of \p op from \p source, null if no let before makes that.
static bool verifyCarry(Verifying &state, const ElementOp &op,
                        const Carry &carry, const MLoopStmt &s,
                        const ElementOp *source) {
  SourceRange range = op.range.isValid() ? op.range : s.range;
  std::string name = printedName(*op.variable);
  if (!source)
    return fail(state, range,
                name + " was something that no let before it makes");
  if (carry.back == 0 || carry.stride == 0)
    return fail(state, range, name + " was something no steps ago");
  bool isKnown = true, isStored = false;
  auto isApart = [&](const ElementExpr &element, const Expr *guard) {
    return all_of(s.body, [&](const ElementOp &other) {
      return !other.target ||
             rootElement(other.target)->array != element.array ||
             guardsKeepApart(guard, other.guard, *element.array,
                             element.offset);
    });
  };
  bool good = areAlike(*op.value, *source->value,
                       [&](const ElementExpr &a, const ElementExpr &b) {
                         isStored |=
                             !isApart(a, op.guard) ||
                             (a.array != b.array && !isApart(b, nullptr));
                         if (!hasKnownSteps(a, b, s)) {
                           isKnown = false;
                           return a.array->rank() == b.array->rank();
                         }
                         return isCarried(a, b, carry.back, s);
                       });
  if (!good)
    return fail(state, range,
                name + " was not " + printedName(*source->variable));
  if (isStored)
    return fail(state, range,
                name + " was something of an array that is stored");
  return !isKnown || carry.stride == 1 ||
         fail(state, range, name + " was something at a stride that is known");
}

static std::string textOf(const Expr *guard) {
  std::string text;
  raw_string_ostream os(text);
  if (guard)
    print(*guard, os);
  return text;
}

/// The variables that lets of a loop make, and the lets; null until the let has
/// been passed.
using MadeByLets = DenseMap<const Variable *, const ElementOp *>;

/// Every variable that an operation reads must have been made by a let with the
/// same delay, if a let makes it at all.
static bool verifyReadsOfLets(Verifying &state, const ElementOp &op,
                              const MadeByLets &made) {
  bool good = true;
  forEachExpr(op, [&](const Expr &e) {
    auto *read = dyn_cast<VarExpr>(&e);
    auto it = read ? made.find(read->variable) : made.end();
    if (it != made.end() && (!it->second || it->second->delay != op.delay))
      good = fail(state, e.range,
                  printedName(*read->variable) +
                      " is read where no let has made it");
  });
  return good;
}

/// Whether all lets with guards that \p root reads have this one.
static bool readsLetsUnder(const Expr *guard, const Expr &root,
                           const MadeByLets &made) {
  bool same = true;
  forEachExpr(root, [&](const Expr &e) {
    auto *read = dyn_cast<VarExpr>(&e);
    const ElementOp *let = read ? made.lookup(read->variable) : nullptr;
    same &= !let || !let->guard || textOf(let->guard) == textOf(guard);
  });
  return same;
}

/// A let makes a local number, and carries from lets of its delay.
static bool verifyLet(Verifying &state, const ElementOp &op, const MLoopStmt &s,
                      const MadeByLets &made) {
  Type type = op.variable->type;
  if (op.variable->storage != Storage::Local ||
      !(type.isFloat() || (type.isInteger() && type != Type::Bool)))
    return fail(state, op.range.isValid() ? op.range : s.range,
                printedName(*op.variable) + " is no local number");
  for (const Carry &from : op.carries) {
    const ElementOp *source = made.lookup(from.source);
    bool isThere = source && source->delay == op.delay;
    if (!verifyCarry(state, op, from, s, isThere ? source : nullptr))
      return false;
  }
  return true;
}

bool verifyLets(Verifying &state, const MLoopStmt &s) {
  MadeByLets made;
  auto rangeOf = [&](const ElementOp &op) {
    return op.range.isValid() ? op.range : s.range;
  };
  for (const ElementOp &op : s.body)
    if (op.kind == ElementOp::Let && !made.try_emplace(op.variable).second)
      return fail(state, rangeOf(op),
                  printedName(*op.variable) + " is made twice");
  if (made.empty())
    return true;
  if (!innermostLevel(s))
    return fail(state, s.range, "a let stands in a loop without steps");
  for (const ElementOp &op : s.body) {
    if (!verifyReadsOfLets(state, op, made))
      return false;
    if (!readsLetsUnder(op.guard, *op.value, made) ||
        (op.guard && !readsLetsUnder(nullptr, *op.guard, made)))
      return fail(state, rangeOf(op),
                  "a let is read under another guard than its own");
    if (op.kind != ElementOp::Let)
      continue;
    if (!verifyLet(state, op, s, made))
      return false;
    made[op.variable] = &op;
  }
  return true;
}

} // namespace zpl::air
