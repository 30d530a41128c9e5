//===- Folds.cpp - Reductions and scans -----------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// language 8.2 and 8.4. A reduction starts with the operator's identity and
// takes one element after the other, in row-major order; a scan goes through
// its dimensions, the first in the list fastest, and leaves at each index what
// it has so far:
//
//     +|| A                exclusive       1 2 3 4   ->   0 1 3 6
//     +||<inclusive> A                               ->   1 3 6 10
//
// With -freproducible, floating sums and products are made by a tree instead
// (docs/Rounding.md). Over the positions 0..4 of a line:
//
//          ((0 1) (2 3)) 4          node (L, b) covers b*2^L .. (b+1)*2^L - 1
//
// of lines of lines: first along the last dimension, then of their values along
// the one before. A scan goes down the tree again, with what stands before.
//
// Elements are pairs (flag, value), so that a segment can restart: (f1, v1) op
// (f2, v2) = (f1 | f2, f2 ? v2 : v1 op v2). Masked-out elements have the
// operator's identity for a value.
//
//===----------------------------------------------------------------------===//

#include "Arrays/Folds.h"
#include "Arrays/ArrayExpressions.h"
#include "Arrays/UserFolds.h"
#include "Errors.h"
#include "Expressions.h"
#include "Memory.h"
#include "Regions/RegionExpressions.h"
#include "Run.h"
#include "llvm/ADT/STLExtras.h"
#include <cstdlib>

using namespace llvm;
using zpl::sema::Reduction;

namespace zpl::interpreter {

namespace {

/// An element of a fold or scan.
struct Leaf {
  bool flag = false;
  Value value;
};

/// The operator on leaves.
struct Operator {
  const Arithmetic &arithmetic;
  Reduction op;
  Type type;

  Leaf identity() const { return {false, arithmetic.identity(op, type)}; }
  Leaf operator()(const Leaf &a, const Leaf &b) const {
    if (b.flag)
      return {true, b.value};
    return {a.flag, arithmetic.step(op, type, a.value, b.value)};
  }
};

/// The tree over the leaves of one line.
class LineTree {
public:
  LineTree(const Operator &op, ArrayRef<Leaf> line)
      : op(op), line(line), height(0) {
    while ((size_t(1) << height) < line.size())
      ++height;
  }

  Leaf value() const { return line.empty() ? op.identity() : node(height, 0); }
  /// What stands before each leaf, \p carry being before the first.
  std::vector<Leaf> prefixes(const Leaf &carry) const {
    std::vector<Leaf> result(line.size());
    if (!line.empty())
      descend(height, 0, carry, result);
    return result;
  }

private:
  /// Whether the node covers a leaf.
  bool exists(unsigned level, size_t b) const {
    return (b << level) < line.size();
  }
  Leaf node(unsigned level, size_t b) const {
    if (level == 0)
      return line[b];
    Leaf left = node(level - 1, 2 * b);
    return exists(level - 1, 2 * b + 1) ? op(left, node(level - 1, 2 * b + 1))
                                        : left;
  }
  void descend(unsigned level, size_t b, const Leaf &carry,
               std::vector<Leaf> &result) const {
    if (level == 0) {
      result[b] = carry;
      return;
    }
    descend(level - 1, 2 * b, carry, result);
    if (exists(level - 1, 2 * b + 1))
      descend(level - 1, 2 * b + 1, op(carry, node(level - 1, 2 * b)), result);
  }

  const Operator &op;
  ArrayRef<Leaf> line;
  unsigned height;
};

/// Leaves at the positions of a region, 0..count-1 in each dimension.
struct Grid {
  SmallVector<int64_t, 6> counts;
  std::vector<Leaf> leaves;

  explicit Grid(ArrayRef<int64_t> counts)
      : counts(counts.begin(), counts.end()) {
    int64_t all = 1;
    for (int64_t count : counts)
      all *= count;
    leaves.resize(all);
  }

  Leaf &at(const Index &position) {
    int64_t place = 0;
    for (auto [d, count] : enumerate(counts))
      place = place * count + position[d];
    return leaves[place];
  }

  /// The grid with one position in dimension \p d.
  Grid flattened(unsigned d) const {
    SmallVector<int64_t, 6> flat = counts;
    flat[d] = 1;
    return Grid(flat);
  }

  /// Calls \p visit with the first position of each line along \p d.
  void forEachLine(unsigned d, function_ref<void(const Index &)> visit) const {
    Region starts;
    for (int64_t count : counts) {
      Dim dim;
      dim.kind = DimKind::Range;
      dim.hi = count - 1;
      starts.dims.push_back(dim);
    }
    starts.dims[d].hi = std::min<int64_t>(starts.dims[d].hi, 0);
    // An empty line has a value as well.
    bool isEmptyLine = counts[d] == 0;
    if (isEmptyLine)
      starts.dims[d].hi = 0;
    forEachIndex(starts, visit);
  }

  std::vector<Leaf> line(Index start, unsigned d, bool down) {
    std::vector<Leaf> result;
    for (int64_t k = 0; k != counts[d]; ++k) {
      start[d] = down ? counts[d] - 1 - k : k;
      result.push_back(at(start));
    }
    return result;
  }

  /// The values of the lines along \p d.
  Grid folded(const Operator &op, unsigned d, bool down) {
    Grid result = flattened(d);
    forEachLine(d, [&](const Index &start) {
      std::vector<Leaf> leaves = line(start, d, down);
      result.at(start) = LineTree(op, leaves).value();
    });
    return result;
  }
};

} // namespace

static SmallVector<int64_t, 6> countsOf(const Region &region) {
  SmallVector<int64_t, 6> counts;
  for (const Dim &dim : region.dims)
    counts.push_back(dim.count());
  return counts;
}

/// The position of an index in each dimension, from 0.
static Index positionOf(const Region &region, const Index &index) {
  Index position{};
  for (auto [d, dim] : enumerate(region.dims))
    position[d] = (index[d] - dim.first()) / dim.stride;
  return position;
}

/// Exact operators need no tree; results over grid dimensions depend on the
/// processors anyway.
static bool usesTree(const Run &run, Reduction op, Type type,
                     const Region &over) {
  if (any_of(over.dims,
             [](const Dim &dim) { return dim.kind == DimKind::Grid; }))
    return false;
  bool isRounded = type.isFloating() || type.isComplex();
  bool isSum = op == Reduction::Sum || op == Reduction::Product;
  return run.options.reproducible && isRounded && isSum;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

Value reduce(Run &run, const sema::ReduceExpr *expr) {
  if (expr->user)
    return fold(run, expr);
  Type type = expr->type;
  Value total = run.arithmetic.identity(expr->op, type);
  auto take = [&](const Value &value) {
    total = run.arithmetic.step(expr->op, type, total, value);
  };
  if (expr->operandRank == 0) { // one value per processor
    take(eval(run, expr->operand));
    return run.arithmetic.finish(expr->op, type, total);
  }
  Prepared prepared;
  prepared.over = cover(run, expr->operandRank, expr->range);
  prepare(run, expr->operand, prepared);
  if (!usesTree(run, expr->op, type, *prepared.over.region)) {
    forEachAdmitted(prepared,
                    [&](const At &at) { take(eval(run, expr->operand, &at)); });
    return run.arithmetic.finish(expr->op, type, total);
  }
  const Region &region = *prepared.over.region;
  Operator op{run.arithmetic, expr->op, type};
  Grid grid(countsOf(region));
  std::fill(grid.leaves.begin(), grid.leaves.end(), op.identity());
  forEachAdmitted(prepared, [&](const At &at) {
    grid.at(positionOf(region, at.index)).value = eval(run, expr->operand, &at);
  });
  for (unsigned d = region.rank(); d-- != 0;)
    grid = grid.folded(op, d, /*down=*/false);
  return grid.leaves.front().value;
}

/// The dimensions of a reduction's source that its result has, and singletons
/// for the others, which are given in \p reduced.
static Region keptDims(const Region &source, const Region &over,
                       SmallVectorImpl<unsigned> &reduced) {
  Region kept;
  for (auto [d, dim] : enumerate(source.dims)) {
    DimKind wanted = over.dims[d].kind;
    bool isKept = (sema::isRange(dim.kind) && sema::isRange(wanted)) ||
                  (dim.kind == DimKind::Grid && wanted == dim.kind);
    kept.dims.push_back(isKept ? dim : Dim());
    if (!isKept)
      reduced.push_back(d);
  }
  return kept;
}

std::unique_ptr<ArrayStorage>
reducePartially(Run &run, const sema::ReduceExpr *expr, const Cover &over) {
  Type type = expr->type;
  Cover source = masked(run, share(run, *expr->source), expr->mask);
  const Region &region = *source.region;
  checkConforms(run, region, *over.region, expr->text, expr->range);
  Prepared prepared;
  prepared.over = source;
  SmallVector<unsigned, 6> reduced;
  Region kept = keptDims(region, *over.region, reduced);
  if (expr->user)
    return foldPartially(run, expr, source, kept);
  Operator op{run.arithmetic, expr->op, type};
  std::unique_ptr<ArrayStorage> result =
      temporary(run, type, kept, expr->range);
  forEachIndex(kept, [&](const Index &index) {
    store(type, result->at(index), op.identity().value);
  });
  return under(run, source, [&] {
    prepare(run, expr->operand, prepared);
    Grid grid(usesTree(run, expr->op, type, region)
                  ? countsOf(region)
                  : SmallVector<int64_t, 6>());
    std::fill(grid.leaves.begin(), grid.leaves.end(), op.identity());
    forEachAdmitted(prepared, [&](const At &at) {
      Value value = eval(run, expr->operand, &at);
      if (usesTree(run, expr->op, type, region)) {
        grid.at(positionOf(region, at.index)).value = value;
        return;
      }
      char *total = result->at(at.index);
      store(type, total,
            run.arithmetic.step(expr->op, type, load(run, type, total), value));
    });
    if (usesTree(run, expr->op, type, region))
      for (unsigned d : reverse(reduced))
        grid = grid.folded(op, d, /*down=*/false);
    forEachIndex(kept, [&](const Index &index) {
      Value value = usesTree(run, expr->op, type, region)
                        ? grid.at(positionOf(kept, index)).value
                        : load(run, type, result->at(index));
      store(type, result->at(index),
            run.arithmetic.finish(expr->op, type, value));
    });
    return std::move(result);
  });
}

//===----------------------------------------------------------------------===//
// Scans
//===----------------------------------------------------------------------===//

/// Leaves what stands before each leaf in \p before. \p levels: dimensions from
/// the fastest, from 1, downward if negative.
static void scanSequentially(const Operator &op, ArrayRef<int> levels,
                             Grid &grid, Grid &before, Index &position,
                             Leaf &carry) {
  if (levels.empty()) {
    before.at(position) = carry;
    carry = op(carry, grid.at(position));
    return;
  }
  unsigned d = std::abs(levels.back()) - 1;
  for (int64_t k = 0; k != grid.counts[d]; ++k) {
    position[d] = levels.back() < 0 ? grid.counts[d] - 1 - k : k;
    scanSequentially(op, levels.drop_back(), grid, before, position, carry);
  }
}

/// Calls \p visit with the first position of each scan.
static void forEachScan(const Grid &grid, ArrayRef<int> levels,
                        function_ref<void(Index)> visit) {
  Grid starts = grid;
  for (int level : levels)
    starts = starts.flattened(std::abs(level) - 1);
  starts.forEachLine(std::abs(levels.front()) - 1, visit);
}

/// The same by the tree.
static void scanByTree(const Operator &op, ArrayRef<int> levels, Grid &grid,
                       Grid &before) {
  std::vector<Grid> values = {grid}; // of level k: what its lines consist of
  for (int level : levels)
    values.push_back(values.back().folded(op, std::abs(level) - 1, level < 0));
  Grid carry = values.back();
  std::fill(carry.leaves.begin(), carry.leaves.end(), op.identity());
  for (size_t k = levels.size(); k-- != 0;) {
    unsigned d = std::abs(levels[k]) - 1;
    Grid next = values[k];
    carry.forEachLine(d, [&](const Index &start) {
      std::vector<Leaf> line = values[k].line(start, d, levels[k] < 0);
      std::vector<Leaf> prefixes = LineTree(op, line).prefixes(carry.at(start));
      Index position = start;
      for (auto [p, prefix] : enumerate(prefixes)) {
        position[d] = levels[k] < 0 ? line.size() - 1 - p : p;
        next.at(position) = prefix;
      }
    });
    carry = std::move(next);
  }
  before = std::move(carry);
}

/// The elements of a scan's operand, and where its segments begin.
static Grid scanLeaves(Run &run, const sema::ScanExpr *expr,
                       const Prepared &prepared, const Operator &op) {
  const Region &region = *prepared.over.region;
  bool isSum = expr->op == Reduction::Sum || expr->op == Reduction::Product;
  Grid grid(countsOf(region));
  std::fill(grid.leaves.begin(), grid.leaves.end(), op.identity());
  forEachIndex(region, [&](const Index &index) {
    At at{index, prepared};
    Leaf leaf = op.identity();
    if (prepared.over.admits(index)) {
      Value value = eval(run, expr->operand, &at);
      // Logical operators make 0 and 1, max and min drop NaNs.
      leaf.value = isSum ? value : op(leaf, {false, value}).value;
    }
    leaf.flag = expr->segment && eval(run, expr->segment, &at).integer != 0;
    grid.at(positionOf(region, index)) = leaf;
  });
  return grid;
}

std::unique_ptr<ArrayStorage> scan(Run &run, const sema::ScanExpr *expr,
                                   Prepared &prepared) {
  if (expr->user)
    return foldScan(run, expr, prepared);
  prepare(run, expr->operand, prepared);
  if (expr->segment)
    prepare(run, expr->segment, prepared);
  const Region &region = *prepared.over.region;
  Type type = expr->type;
  Operator op{run.arithmetic, expr->op, type};
  Grid grid = scanLeaves(run, expr, prepared, op);
  Grid before = grid;
  if (usesTree(run, expr->op, type, region))
    scanByTree(op, expr->dims, grid, before);
  else
    forEachScan(grid, expr->dims, [&](Index start) {
      Leaf carry = op.identity();
      scanSequentially(op, expr->dims, grid, before, start, carry);
    });
  std::unique_ptr<ArrayStorage> result =
      temporary(run, type, region, expr->range);
  forEachAdmitted(prepared, [&](const At &at) {
    Index position = positionOf(region, at.index);
    const Leaf &leaf = grid.at(position);
    Leaf prefix = before.at(position);
    if (expr->inclusive)
      prefix = op(prefix, leaf);
    else if (leaf.flag)
      prefix = op.identity();
    store(type, result->at(at.index),
          run.arithmetic.finish(expr->op, type, prefix.value));
  });
  return result;
}

} // namespace zpl::interpreter
