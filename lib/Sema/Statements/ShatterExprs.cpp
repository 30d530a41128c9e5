//===- ShatterExprs.cpp - Expressions that are evaluated per index --------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In a procedure made of shattered control flow,
//
//     A        is a parameter, by reference if the statement writes A
//     A@east   another one, by value; A is not written then
//     Index2   one of type integer
//     k        a local of the procedure around: one by value; a global: itself
//     +<< A    one by value, if it stands in a condition where that is allowed
//
// and all operations on them are copied without their rank. An indexed array
// whose bounds belong to the procedure around brings these along.
//
// Cost: linear in the expressions.
//
//===----------------------------------------------------------------------===//

#include "Statements/Shatter.h"

#include "Program/Parallel.h"
#include "Tree/Builder.h"
#include "Tree/Walk.h"
#include "zpl/Sema/Visit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FormatVariadic.h"

namespace zpl::sema {

namespace {

bool isOperator(const Expr &e) {
  return llvm::isa<ReduceExpr, FloodExpr, ScanExpr, GatherExpr>(e);
}

} // namespace

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

Variable *Outliner::param(llvm::StringRef name, Type type, Mode mode,
                          const Expr *arg) {
  auto *variable = program.make<Variable>(name, arg->range);
  variable->type = ownType(type, arg->range);
  variable->storage = Storage::Param;
  variable->mode = mode;
  variable->isFree = arg->isFree;
  shard->params.push_back(variable);
  theCall->args.push_back(arg);
  return variable;
}

Type Outliner::ownType(Type type, SourceRange range) {
  if (!hasVaryingBounds(type))
    return type;
  const TypeInfo &info = *type.info();
  llvm::SmallVector<DimType, 2> dims;
  for (size_t d = 0; d != info.lo.size(); ++d)
    dims.push_back({ownBound(info.lo[d], range), ownBound(info.hi[d], range),
                    info.index[d]});
  return types.array(ownType(info.element, range), dims, info.boundsText);
}

TypeBound Outliner::ownBound(TypeBound bound, SourceRange range) {
  if (!bound.variable || bound.variable->storage == Storage::Global)
    return bound;
  Variable *&made = params[bound.variable];
  if (!made) {
    made = program.make<Variable>(bound.variable->name, range);
    made->type = bound.variable->type;
    made->storage = Storage::Param;
    made->isHidden = true;
    bounds.push_back({made, program.make<VariableExpr>(bound.variable, range)});
  }
  bound.variable = made;
  return bound;
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

const Expr *Outliner::refuse(const Expr &e, llvm::StringRef what) {
  diags.report(e.range, Diag::ShatteredDeed, what)
      .note(head.range, Diag::ShatteredHere);
  return &e;
}

template <typename T> T *Outliner::copyOf(const T &e) {
  T *copy = program.make<T>(e);
  copy->rank = copy->minRank = 0;
  return copy;
}

const Expr *Outliner::headValue(const Expr &e, Hoist kind) {
  hoist = kind;
  const Expr *made = value(e);
  hoist = Hoist::Nothing;
  return made;
}

bool Outliner::hoists(const Expr &e) {
  auto *call = llvm::dyn_cast<CallExpr>(&e);
  bool isWhole = call && (call->rank == 0 || call->callee->resultRank != 0);
  switch (hoist) {
  case Hoist::Nothing:
    return false;
  case Hoist::Calls:
    return isWhole || isOperator(e);
  case Hoist::Operators:
    return isOperator(e);
  case Hoist::Invariant:
    break;
  }
  if (!isOperator(e))
    return false;
  bool readsWritten = false;
  forEachExpr(e, [&](const Expr &part) {
    auto *array = llvm::dyn_cast<ArrayExpr>(&part);
    readsWritten |= array && written.contains(array->array);
  });
  return !readsWritten;
}

const Expr *Outliner::passed(const Expr &e, llvm::StringRef name) {
  std::string unique = llvm::formatv("{0}.{1}", name, ++hidden).str();
  return program.make<VariableExpr>(param(unique, e.type, Mode::Const, &e),
                                    e.range);
}

/// References with the same key mean the same element; to those of one member
/// of a family with different keys two parameters stand for it.
static std::string keyOf(const ArrayExpr &e) {
  std::string key = e.text;
  for (const Expr *subscript : e.subscripts) {
    if (auto *literal = llvm::dyn_cast<LiteralExpr>(subscript))
      key += llvm::formatv(" {0}", literal->integer);
    else if (auto *variable = llvm::dyn_cast<VariableExpr>(subscript))
      key += llvm::formatv(" {0}", variable->variable);
    else
      key += llvm::formatv(" {0}", subscript);
  }
  return key;
}

bool Outliner::choosesMember(const ArrayExpr &e) const {
  bool chooses = false;
  for (const Expr *subscript : e.subscripts)
    forEachExpr(*subscript, [&](const Expr &part) {
      auto *variable = llvm::dyn_cast<VariableExpr>(&part);
      chooses |= variable && own.contains(variable->variable);
    });
  return chooses;
}

const Expr *Outliner::array(const ArrayExpr &e) {
  if (choosesMember(e))
    return refuse(e, "a blank reference to the members of a family");
  if (e.rank != rank) {
    diags.report(e.range, Diag::ShatteredRank, e.rank, rank)
        .note(e.array->range, Diag::DeclaredHere, e.array->name)
        .note(head.range, Diag::ShatteredHere);
    return &e;
  }
  bool isWritten = written.contains(e.array);
  if (!e.direction.empty() && isWritten) {
    diags.report(e.range, Diag::ShatteredRead, e.text, e.array->name)
        .note(head.range, Diag::ShatteredHere);
    return &e;
  }
  bool isShifted = !e.direction.empty();
  bool isMember = !e.subscripts.empty();
  Variable *&made =
      isShifted || isMember ? references[keyOf(e)] : params[e.array];
  if (!made) {
    std::string name = e.array->name;
    if (isShifted)
      name += llvm::formatv(".{0}", ++hidden).str();
    Mode mode = isWritten ? Mode::InOut : Mode::Const;
    made = param(name, e.type, mode, &e);
  }
  return program.make<VariableExpr>(made, e.range);
}

const Expr *Outliner::variable(const VariableExpr &e) {
  Variable *used = e.variable;
  if (used->storage == Storage::Global || own.contains(used))
    return &e;
  Variable *made = params.lookup(used);
  if (!made) {
    made = param(used->name, e.type, Mode::Const, &e); // may add bounds
    params[used] = made;
  }
  return program.make<VariableExpr>(made, e.range);
}

const Expr *Outliner::index(const IndexExpr &e) {
  if (e.dim >= rank) {
    diags.report(e.range, Diag::IndexRank, e.dim + 1, rank).done();
    return &e;
  }
  Variable *&made = indices[e.dim];
  if (!made)
    made = param(llvm::formatv("Index{0}", e.dim + 1).str(), e.type,
                 Mode::Const, &e);
  return program.make<VariableExpr>(made, e.range);
}

const Expr *Outliner::subscript(const SubscriptExpr &e) {
  auto *copy = copyOf(e);
  copy->base = value(*e.base);
  for (const Expr *&part : copy->subscripts)
    part = value(*part);
  if (copy->base->type == Type::Array) // perhaps with bounds of its own
    copy->type = copy->base->type.info()->element;
  return copy;
}

const Expr *Outliner::place(const Expr &e) {
  const Expr *root = rootOf(&e);
  if (auto *array = llvm::dyn_cast<ArrayExpr>(root);
      array && !array->direction.empty())
    return refuse(e, "an assignment at other indices");
  if (llvm::isa<IrvExpr>(root))
    return refuse(e, "an assignment to an implicitly replicated value");
  if (auto *variable = llvm::dyn_cast<VariableExpr>(root);
      variable && !own.contains(variable->variable))
    return refuse(e, llvm::formatv("an assignment to '{0}', a scalar,",
                                   variable->variable->name)
                         .str());
  return value(e);
}

const CallExpr *Outliner::call(const CallExpr &e) {
  bool isWhole = e.callee->resultRank != 0 ||
                 llvm::any_of(e.callee->params, llvm::IsaPred<Array>);
  if (isWhole) {
    refuse(e, llvm::formatv("a call of '{0}', which works on whole arrays,",
                            e.callee->name)
                  .str());
    return &e;
  }
  auto *copy = copyOf(e);
  for (unsigned i = 0; i != e.args.size(); ++i) {
    Mode mode = llvm::cast<Variable>(e.callee->params[i])->mode;
    copy->args[i] = isByReference(mode) ? place(*e.args[i]) : value(*e.args[i]);
  }
  return copy;
}

/// value() of each kind of expression that is not hoisted: it is passed to the
/// procedure, rebuilt over the values of its operands, or refused.
struct Outliner::Values {
  Outliner &o;

  const Expr *of(const OneOf<LiteralExpr, ProcessorsExpr> auto &e) {
    return &e;
  }
  const Expr *of(const GridPlaceExpr &e) { return o.passed(e, "place"); }
  const Expr *of(const VariableExpr &e) { return o.variable(e); }
  const Expr *of(const ComponentExpr &e) { return o.passed(e, "component"); }
  const Expr *of(const RegionBoundExpr &e) { return o.passed(e, "bound"); }
  const Expr *of(const IrvExpr &e) { return o.passed(e, "irv"); }
  const Expr *of(const PatternExpr &e) { return o.passed(e, "pattern"); }
  const Expr *of(const InsideExpr &e) {
    return o.refuse(e, "'inside' of a sparse region");
  }
  const Expr *of(const ArrayExpr &e) { return o.array(e); }
  const Expr *of(const IndexExpr &e) { return o.index(e); }
  const Expr *of(const CallExpr &e) { return o.call(e); }
  const Expr *of(const SubscriptExpr &e) { return o.subscript(e); }
  const Expr *of(const RegionValueExpr &e) { return o.refuse(e, "a region"); }
  const Expr *of(const DirectionValueExpr &e) {
    return o.refuse(e, "a direction");
  }
  const Expr *of(const ReduceExpr &e) { return o.refuse(e, "a reduction"); }
  const Expr *of(const FloodExpr &e) { return o.refuse(e, "a flood"); }
  const Expr *of(const ScanExpr &e) { return o.refuse(e, "a scan"); }
  const Expr *of(const GatherExpr &e) { return o.refuse(e, "a remap"); }
  const Expr *of(const TimerExpr &e) { return o.refuse(e, "a timer"); }
  const Expr *of(const BuiltinExpr &e) {
    return o.refuse(e, deedOf(e.fn).thing);
  }
  const Expr *
  of(const OneOf<UnaryExpr, BinaryExpr, CompareExpr, FmaExpr, CastExpr,
                 MathExpr, FieldExpr, ComplexExpr> auto &e) {
    return o.rebuilt(e);
  }
  const Expr *of(const EnclosingMaskExpr &) {
    llvm_unreachable("only in masks");
  }
};

const Expr *Outliner::value(const Expr &e) {
  if (hoists(e))
    return passed(e, "value");
  return visitKind(e,
                   [&](const auto &known) { return Values{*this}.of(known); });
}

const Expr *Outliner::rebuilt(const Expr &e) {
  if (auto *unary = llvm::dyn_cast<UnaryExpr>(&e)) {
    auto *copy = copyOf(*unary);
    copy->operand = value(*copy->operand);
    return copy;
  }
  if (auto *cast = llvm::dyn_cast<CastExpr>(&e)) {
    auto *copy = copyOf(*cast);
    copy->operand = value(*copy->operand);
    return copy;
  }
  if (auto *binary = llvm::dyn_cast<BinaryExpr>(&e)) {
    auto *copy = copyOf(*binary);
    copy->left = value(*copy->left);
    copy->right = value(*copy->right);
    return copy;
  }
  if (auto *compare = llvm::dyn_cast<CompareExpr>(&e)) {
    auto *copy = copyOf(*compare);
    copy->left = value(*copy->left);
    copy->right = value(*copy->right);
    return copy;
  }
  if (auto *fma = llvm::dyn_cast<FmaExpr>(&e)) {
    auto *copy = copyOf(*fma);
    for (const Expr **part : {&copy->a, &copy->b, &copy->c})
      *part = value(**part);
    return copy;
  }
  if (auto *math = llvm::dyn_cast<MathExpr>(&e)) {
    auto *copy = copyOf(*math);
    for (const Expr *&arg : copy->args)
      arg = value(*arg);
    return copy;
  }
  if (auto *field = llvm::dyn_cast<FieldExpr>(&e)) {
    auto *copy = copyOf(*field);
    copy->base = value(*copy->base);
    return copy;
  }
  auto *copy = copyOf(llvm::cast<ComplexExpr>(e));
  copy->re = value(*copy->re);
  copy->im = value(*copy->im);
  return copy;
}

} // namespace zpl::sema
