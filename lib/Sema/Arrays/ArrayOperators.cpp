//===- ArrayOperators.cpp - At, floods, reductions, scans -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     A@east   A@^[0, 1]       the array with a direction, rank 2
//     +<< M                    the number of trues, an integer scalar
//     max<<[1..n, ] A          evaluated over the source, an array of its rank
//     >>[k, ] (A + 1)          the same
//     +||[2] A                 along dimension 2
//
// The operand of a flood or partial reduction has a covering region of its own,
// the source, so what is in it, full reductions too, sees that as the innermost
// visible scope. A scalar under them conforms to the source: `+<<[R] 1` is the
// number of R's indices, as an array of R's rank. Under a full reduction it is
// the element at every index of the innermost visible scope, `[R with M] k :=
// +<< 1`, and under a scan at every index of the statement's region.
//
// An operand made of Index1 ... and scalars alone has no rank until it meets
// something that has. The dimensions that a scan goes over by default, and the
// region that the maps of a remap run over, depend on that rank; `settle` gives
// it to them as soon as it is known: when the expression is assigned, passed,
// written, reduced.
//
// Cost: linear in the expression, a second time in settle.
//
//===----------------------------------------------------------------------===//

#include "Arrays/ArrayOperators.h"
#include "Arithmetic/Locations.h"
#include "Arithmetic/Stencils.h"
#include "Arrays/Multi.h"
#include "Arrays/Regions.h"
#include "Arrays/Scopes.h"
#include "Arrays/UserFolds.h"
#include "Check/Checking.h"
#include "Check/Designators.h"
#include "Check/Expressions.h"
#include "Check/Operators.h"
#include "Names/Predeclared.h"
#include "Program/Free.h"
#include "Sparse/SparseRegions.h"
#include "Statements/Waves.h"
#include "Tree/Walk.h"
#include "Types/Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/SaveAndRestore.h"

namespace zpl::sema {

/// What a reduction or scan combines.
struct FoldOperand {
  Reduction op = Reduction::Sum;
  const UserFold *user = nullptr;
  /// One that is made of reductions: `mean`; `op` says of which types it is.
  std::optional<Function> made;
  const Expr *value = nullptr;
  Type type; ///< of the result
};

namespace {

/// None of a user's procedure.
std::optional<Reduction> reductionOf(ast::ReduceOp op) {
  switch (op) {
  case ast::ReduceOp::Sum:
    return Reduction::Sum;
  case ast::ReduceOp::Product:
    return Reduction::Product;
  case ast::ReduceOp::Max:
    return Reduction::Max;
  case ast::ReduceOp::Min:
    return Reduction::Min;
  case ast::ReduceOp::And:
    return Reduction::And;
  case ast::ReduceOp::Or:
    return Reduction::Or;
  case ast::ReduceOp::BitAnd:
    return Reduction::BitAnd;
  case ast::ReduceOp::BitOr:
    return Reduction::BitOr;
  case ast::ReduceOp::BitXor:
    return Reduction::BitXor;
  case ast::ReduceOp::User:
    return std::nullopt;
  }
  llvm_unreachable("reduction");
}

/// The predeclared name that \p op is, and no procedure of the program; or
/// null.
const Predeclared *predeclaredOperator(const Checking &c,
                                       const ast::FoldOperator &op) {
  if (op.op != ast::ReduceOp::User || !c.names.overloads(op.name.text).empty())
    return nullptr;
  return findPredeclared(op.name.text);
}

/// The reduction `maxnan<<` or `minnan<<`. Integers are never NaN; what is no
/// number is refused as floating values would be.
std::optional<Reduction> keepingNaN(const Predeclared &entry, Type type) {
  if (entry.kind != Predeclared::Function)
    return std::nullopt;
  if (entry.function == Function::MaxNaN)
    return type.isInteger() ? Reduction::Max : Reduction::MaxNaN;
  if (entry.function == Function::MinNaN)
    return type.isInteger() ? Reduction::Min : Reduction::MinNaN;
  return std::nullopt;
}

/// The type that \p op makes of elements of type \p type, if it takes them.
/// Only the logical operators and those that select keep short types.
std::optional<Type> foldedType(Reduction op, Type type) {
  switch (op) {
  case Reduction::Sum:
  case Reduction::Product:
    if (type.isNumeric())
      return promoted(type);
    return std::nullopt;
  case Reduction::Max:
  case Reduction::Min:
    if (type == Type::String || (type.isNumeric() && !type.isComplex()))
      return type;
    return std::nullopt;
  case Reduction::MaxNaN:
  case Reduction::MinNaN:
    if (type.isFloating())
      return type;
    return std::nullopt;
  case Reduction::And:
  case Reduction::Or:
    if (isIntegral(type))
      return type;
    return std::nullopt;
  case Reduction::BitAnd:
  case Reduction::BitOr:
  case Reduction::BitXor:
    if (isIntegral(type))
      return promoted(type);
    return std::nullopt;
  }
  llvm_unreachable("reduction");
}

/// `["]`
bool isQuoteAlone(const ast::Expr &e) {
  auto *literal = llvm::dyn_cast<ast::RegionLit>(&e);
  if (literal && literal->dims.size() == 1 &&
      literal->dims[0].kind == ast::Dim::Single)
    return isQuoteAlone(*literal->dims[0].lo);
  return llvm::isa<ast::Quote>(e);
}

} // namespace

static const Expr *checkPartialReduce(Checking &c, const ast::Reduce &e);
static const Expr *scanSegment(Checking &c, const ast::Expr &e);
static bool scanDims(Checking &c, const ast::Scan &e, ScanExpr &node);

/// \p operand as the operator combines it; of type Error after a report.
static const Expr *folded(Checking &c, const ast::FoldOperator &op,
                          Reduction reduction, llvm::StringRef suffix,
                          const Expr *operand) {
  if (isError(operand))
    return operand;
  std::optional<Type> type = foldedType(reduction, operand->type);
  if (type)
    return c.build.cast(operand, *type);
  c.diags
      .report(op.name.range, Diag::OperandType, (op.name.text + suffix).str(),
              text(operand->type))
      .highlight(operand->range);
  return c.build.error(operand->range);
}

/// What the operator combines, of type Error after a report; `type` is the
/// result's.
static FoldOperand foldOperand(Checking &c, const ast::FoldOperator &op,
                               llvm::StringRef suffix, ast::ExprList operands) {
  llvm::SmallVector<const Expr *, 4> values;
  bool isWrong = false;
  for (const ast::Expr *operand : operands) {
    values.push_back(checkExpr(c, *operand));
    isWrong |= isError(values.back());
  }
  FoldOperand result;
  result.value = c.build.error(op.name.range);
  if (isWrong)
    return result;
  std::optional<Reduction> builtin = reductionOf(op.op);
  if (const Predeclared *entry = predeclaredOperator(c, op)) {
    builtin = keepingNaN(*entry, values.front()->type);
    if (entry->kind == Predeclared::Reduction) {
      result.made = entry->function;
      builtin =
          entry->function == Function::Mean ? Reduction::Sum : Reduction::Min;
    }
  }
  if (builtin) {
    if (values.size() != 1) {
      c.diags
          .report(values[1]->range, Diag::FoldOperands,
                  (op.name.text + suffix).str())
          .highlight(op.name.range);
      return result;
    }
    result.op = *builtin;
    result.value = folded(c, op, *builtin, suffix, values.front());
    if (result.made == Function::Mean && isIntegral(result.value->type))
      result.value = c.build.cast(result.value, Type::Double);
    result.type = result.value->type;
    return result;
  }
  result.user = userFold(c, op, values);
  if (!result.user)
    return result;
  result.value = result.user->accumulate;
  result.type = result.user->state->type;
  return result;
}

static void reportWhole(Checking &c, const ast::FoldOperator &op,
                        llvm::StringRef suffix, llvm::StringRef what) {
  c.diags
      .report(op.name.range, Diag::WholeReduction,
              (op.name.text + suffix).str(), what)
      .done();
}

const Expr *checkReduce(Checking &c, const ast::Reduce &e) {
  if (e.source)
    return checkPartialReduce(c, e);
  llvm::SaveAndRestore<unsigned> own(c.statementRank, 0);
  FoldOperand operand = foldOperand(c, e.op, "<<", e.operands);
  const Expr *value = operand.value;
  if (isError(value))
    return c.build.error(e.range);
  bool isOverProcessors = !value->isArray() && value->isFree;
  unsigned rank = value->rank;
  if (rank == Expr::AnyRank || (rank == 0 && !isOverProcessors)) {
    rank = visibleRank(c, value->minRank, value->range);
    if (rank == 0)
      return c.build.error(e.range);
  }
  if (!operand.user)
    value = arrangeSums(c.program, value, c.options.strictFp);
  Builder::settle(*value, rank);
  auto make = [&](Reduction op, const Expr *of) -> const Expr * {
    auto *node = c.program.make<ReduceExpr>(
        op, of, rank, operand.user ? operand.type : of->type, e.range);
    node->user = operand.user;
    node->text = c.diags.sources().text(e.range).str();
    return node;
  };
  return operand.made
             ? madeReduction(c, *operand.made, value, rank, make, e.range)
             : make(operand.op, value);
}

const Expr *reduction(Checking &c, Reduction op, const Expr *value,
                      unsigned rank, SourceRange range) {
  auto *node = c.program.make<ReduceExpr>(op, value, rank, value->type, range);
  node->text = c.diags.sources().text(range).str();
  return node;
}

/// The operand of a flood or partial reduction over \p source, whose region
/// becomes \p region; of type Error after a report. \p operand makes it, where
/// that is visible. \p mask: null of a flood.
static const Expr *overSource(Checking &c, const ast::Expr &source,
                              llvm::function_ref<const Expr *()> operand,
                              const RegionExpr *&region, Mask *mask) {
  const Expr *value = nullptr;
  unsigned quoteRank = 0;
  if (isQuoteAlone(source)) { // the statement's
    value = operand();
    quoteRank = value->rank;
    if (quoteRank == 0 || quoteRank == Expr::AnyRank)
      quoteRank = visibleRank(c, value->minRank, source.range);
  }
  region = mask ? scopeRegion(c, source, quoteRank, /*isSource=*/true, *mask)
                : checkRegion(c, source, quoteRank);
  // A flood goes by the bounds.
  if (region && !mask && mayBeSparse(c, *region))
    region = boundsOf(c, region);
  if (!value) {
    if (region)
      c.scopeRanks.push_back(region->rank);
    llvm::SaveAndRestore<unsigned> rank(c.statementRank, 0);
    llvm::SaveAndRestore<const RegionExpr *> covers(
        c.multi.covering, region ? region : c.multi.covering);
    value = operand();
    if (region)
      c.scopeRanks.pop_back();
  }
  if (!region || isError(value) || reportFree(c, value))
    return c.build.error(value->range);
  if (value->isArray() && value->rank != Expr::AnyRank &&
      value->rank != region->rank) {
    auto report = c.diags.report(value->range, Diag::SourceRank, value->rank,
                                 region->rank);
    report.highlight(source.range);
    if (const ArrayExpr *array = firstArray(*value))
      report.note(array->array->range, Diag::DeclaredHere, array->array->name);
    return c.build.error(value->range);
  }
  if (!fitsRank(c, value, region->rank))
    return c.build.error(value->range);
  Builder::settle(*value, region->rank);
  return value;
}

static const Expr *checkPartialReduce(Checking &c, const ast::Reduce &e) {
  const RegionExpr *source = nullptr;
  Mask mask;
  FoldOperand operand;
  const Expr *value = overSource(
      c, *e.source,
      [&] {
        operand = foldOperand(c, e.op, "<<", e.operands);
        return operand.value;
      },
      source, &mask);
  if (isError(value))
    return c.build.error(e.range);
  if (!operand.user)
    value = arrangeSums(c.program, value, c.options.strictFp);
  if (operand.made && *operand.made != Function::Mean) {
    reportWhole(c, e.op, "<<", "no partial reduction");
    return c.build.error(e.range);
  }
  auto make = [&](Reduction op, const Expr *of) -> const Expr * {
    auto *node = c.program.make<ReduceExpr>(
        op, of, source->rank, operand.user ? operand.type : of->type, e.range);
    node->rank = source->rank;
    node->source = source;
    node->user = operand.user;
    node->mask = mask;
    node->text = c.diags.sources().text(e.range).str();
    return node;
  };
  return operand.made ? madeReduction(c, *operand.made, value, source->rank,
                                      make, e.range)
                      : make(operand.op, value);
}

const Expr *checkFlood(Checking &c, const ast::Flood &e) {
  const RegionExpr *source = nullptr;
  const Expr *operand = overSource(
      c, *e.source, [&] { return checkExpr(c, *e.operand); }, source, nullptr);
  if (isError(operand))
    return c.build.error(e.range);
  auto *node = c.program.make<FloodExpr>(source, operand, e.range);
  node->rank = source->rank;
  node->text = c.diags.sources().text(e.range).str();
  return node;
}

const Expr *checkScan(Checking &c, const ast::Scan &e) {
  FoldOperand operand = foldOperand(c, e.op, "||", e.operands);
  if (operand.made) {
    reportWhole(c, e.op, "||", "no scan");
    return c.build.error(e.range);
  }
  const Expr *value = operand.value;
  const Expr *segment = e.segment ? scanSegment(c, *e.segment) : nullptr;
  if (isError(value) || reportFree(c, value) || (segment && isError(segment)))
    return c.build.error(e.range);
  if (segment && !haveConformingRanks(c, value, segment, e.op.name.range))
    return c.build.error(e.range);
  auto *node =
      c.program.make<ScanExpr>(operand.op, value, operand.type, e.range);
  node->user = operand.user;
  node->inclusive = e.inclusive;
  node->segment = segment;
  node->rank = 0;
  Builder::inherit(*node, value);
  if (segment)
    Builder::inherit(*node, segment);
  if (node->rank == 0) // a scalar at every index of what is assigned
    node->rank = Expr::AnyRank;
  return scanDims(c, e, *node) ? node : c.build.error(e.range);
}

/// Where the scan starts anew.
static const Expr *scanSegment(Checking &c, const ast::Expr &e) {
  const Expr *value = checkExpr(c, e);
  if (isError(value) || reportFree(c, value))
    return c.build.error(e.range);
  if (!value->isArray()) {
    c.diags.report(e.range, Diag::SegmentScalar).done();
    return c.build.error(e.range);
  }
  const Expr *mask = maskValue(c, value);
  return mask ? mask : c.build.error(e.range);
}

/// Sets the dimensions of \p node; reports what is wrong with those written.
static bool scanDims(Checking &c, const ast::Scan &e, ScanExpr &node) {
  for (const ast::ScanDim &dim : e.dims) {
    bool isInRange = 1 <= dim.dim && dim.dim <= std::min(node.rank, MaxRank);
    if (!isInRange) {
      c.diags
          .report(dim.range, Diag::ScanDimension, dim.dim,
                  node.rank == Expr::AnyRank
                      ? "at most 6"
                      : llvm::formatv("{0}", node.rank).str())
          .highlight(node.operand->range);
      return false;
    }
    int number = static_cast<int>(dim.dim);
    for (int earlier : node.dims)
      if (std::abs(earlier) == number) {
        c.diags.report(dim.range, Diag::ScanTwice, number).done();
        return false;
      }
    node.dims.push_back(dim.down ? -number : number);
    node.minRank = std::max<unsigned>(node.minRank, number);
  }
  if (node.dims.empty() && node.rank != Expr::AnyRank)
    for (unsigned dim = node.rank; dim != 0; --dim)
      node.dims.push_back(static_cast<int>(dim));
  return true;
}

void Builder::settle(const Expr &e, unsigned rank) {
  if (!e.isArray() || llvm::isa<FloodExpr, ReduceExpr>(e))
    return; // what is below was settled when the node was made
  if (auto *scan = llvm::dyn_cast<ScanExpr>(&e); scan && scan->dims.empty())
    for (unsigned dim = rank; dim != 0; --dim)
      unfinished(*scan).dims.push_back(static_cast<int>(dim));
  if (e.rank == Expr::AnyRank && llvm::isa<ScanExpr, GatherExpr>(e))
    unfinished(e).rank = rank;
  forEachOperand(e, [&](const Expr &operand) { settle(operand, rank); });
}

const Expr *checkAt(Checking &c, const ast::At &e) {
  const Expr *shifted = checkPlace(c, *e.designator);
  auto *array = llvm::dyn_cast<ArrayExpr>(rootOf(shifted));
  std::optional<DirectionExprs> components =
      directionFor(c, *e.direction, nullptr, array);
  if (isError(shifted))
    return c.build.error(e.range);
  if (!array) {
    c.diags.report(e.designator->range, Diag::AtOfScalar)
        .highlight(e.direction->range);
    return c.build.error(e.range);
  }
  if (!components)
    return c.build.error(e.range);
  const Array &declared = *array->array;
  if (components->size() != declared.rank) {
    c.diags
        .report(e.direction->range, Diag::DirectionRank, components->size(),
                llvm::formatv("array '{0}'", declared.name).str(),
                declared.rank)
        .highlight(e.designator->range)
        .note(declared.range, Diag::DeclaredHere, declared.name);
    return c.build.error(e.range);
  }
  ArrayExpr &root = Builder::unfinished(*array);
  root.direction = std::move(*components);
  root.wraps = e.flavor == ast::At::Wrap;
  root.text = c.diags.sources().text(e.range).str();
  Builder::unfinished(*shifted).range = e.range;
  if (e.flavor == ast::At::Prime && !prime(c, root, e.direction->range))
    return c.build.error(e.range);
  return shifted;
}

} // namespace zpl::sema
