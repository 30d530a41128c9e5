//===- Directions.cpp - Which directions are applied to which arrays ------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     procedure relax(inout U: [ , ] double);
//     begin U := (U@east + U@west) / 2; end;
//     ...  relax(A);  B := A@[0, 5] + A@[0, n];
//
// U has the directions east and west, A also [0, 5]: an array stores a border
// as wide as its directions reach. [0, n] is not known now; such directions,
// and those of `@^`, are served at run time, by views of the array if they do
// not reach far. For those A says in which dimensions they lead elsewhere, so
// that there is room for one position beside its blocks, and beyond its region
// where they wrap. A constant direction that reaches far would cost more memory
// than it is worth. Directions of a parameter are those of every array that is
// passed for it, found by passing them on until nothing changes.
//
//===----------------------------------------------------------------------===//

#include "Arrays/Directions.h"

#include "Tree/Walk.h"
#include "zpl/Sema/ConstantElements.h"
#include "llvm/ADT/STLExtras.h"
#include <cstdlib>

namespace zpl::sema {

namespace {

using Offset = llvm::SmallVector<int64_t, 6>;

/// The constant offset by \p direction that the border can serve; what a wave
/// stores (\p isPrimed) is read where it is, however far.
std::optional<Offset> borderOffset(llvm::ArrayRef<const Expr *> direction,
                                   bool isPrimed) {
  Offset offset;
  for (const Expr *component : direction) {
    auto *literal = llvm::dyn_cast<LiteralExpr>(component);
    if (!literal || (!isPrimed && std::abs(literal->integer) > FarthestFluff))
      return std::nullopt;
    offset.push_back(literal->integer);
  }
  if (llvm::all_of(offset, [](int64_t c) { return c == 0; }))
    return std::nullopt;
  return offset;
}

/// Adds \p offset; returns whether it is new.
bool addDirection(Array &array, const Offset &offset) {
  auto place = llvm::lower_bound(array.directions, offset);
  if (place != array.directions.end() && *place == offset)
    return false;
  array.directions.insert(place, offset);
  return true;
}

/// Adds the dimensions of \p more; returns whether any is new.
bool addDims(uint32_t &dims, uint32_t more) {
  uint32_t old = dims;
  dims |= more;
  return dims != old;
}

/// The dimensions in which a direction leads elsewhere, or may.
uint32_t movedDims(const ArrayExpr &e) {
  uint32_t dims = 0;
  for (auto [d, component] : llvm::enumerate(e.direction)) {
    auto *literal = llvm::dyn_cast<LiteralExpr>(component);
    dims |= uint32_t(!literal || literal->integer != 0) << d;
  }
  return dims;
}

/// Whether all components are known.
bool isConstant(const ArrayExpr &e) {
  return llvm::all_of(e.direction, [](const Expr *component) {
    return llvm::isa<LiteralExpr>(component);
  });
}

class DirectionFinder : public Visitor {
public:
  std::vector<const CallExpr *> calls;

protected:
  void onCover(unsigned, SourceRange) override { reads.clear(); }

  void onRead(const ArrayExpr &e, unsigned) override {
    reads.push_back(&e);
    uint32_t dims = movedDims(e);
    if (e.wraps)
      addDims(e.array->wrapDims, dims);
    if (std::optional<Offset> offset = borderOffset(e.direction, e.isPrimed))
      addDirection(*e.array, *offset);
    else if (e.wraps || !isConstant(e))
      addDims(e.array->stepDims, dims);
    if (!e.wraps && !isConstant(e))
      addElements(e);
  }

  /// What is assigned to A@d is computed there, from elements moved back by d.
  void onWrite(const ArrayExpr &target, unsigned) override {
    if (target.direction.empty() || target.wraps)
      return;
    uint32_t dims = movedDims(target);
    std::optional<Offset> back =
        borderOffset(target.direction, target.isPrimed);
    for (const ArrayExpr *e : reads) {
      std::optional<Offset> offset = moved(*e, target, back);
      if (offset)
        addDirection(*e->array, *offset);
      else if (!isConstant(target))
        addDims(e->array->stepDims, dims);
    }
  }

  void onCall(const CallExpr &call, unsigned) override {
    calls.push_back(&call);
  }

private:
  /// `A@d[i]`, d a constant: all of its elements, for a loop over them may be
  /// unrolled.
  void addElements(const ArrayExpr &e) {
    const Expr *root = rootOf(e.direction.front());
    auto *table = llvm::dyn_cast<VariableExpr>(root);
    if (!table || !llvm::isa<SubscriptExpr>(e.direction.front()))
      return;
    elements.forEach(*table->variable, [&](const Expr &element) {
      auto *direction = llvm::dyn_cast<DirectionValueExpr>(&element);
      if (!direction || direction->components.size() != e.rank)
        return;
      if (auto offset = borderOffset(direction->components, false))
        addDirection(*e.array, *offset);
    });
  }

  ConstantElements elements;
  /// The offset of \p e from the elements that the statement writes.
  static std::optional<Offset> moved(const ArrayExpr &e,
                                     const ArrayExpr &target,
                                     const std::optional<Offset> &back) {
    if (&e == &target || !back || e.rank != target.rank || !isConstant(e))
      return std::nullopt;
    Offset offset(e.rank, 0);
    for (auto [d, component] : llvm::enumerate(e.direction))
      offset[d] = llvm::cast<LiteralExpr>(component)->integer;
    bool isServed = false;
    for (auto [component, distance] : llvm::zip(offset, *back)) {
      component -= distance;
      if (std::abs(component) > FarthestFluff)
        return std::nullopt;
      isServed |= component != 0;
    }
    return isServed ? std::optional(offset) : std::nullopt;
  }

  std::vector<const ArrayExpr *> reads; ///< of the current statement
};

} // namespace

void collectDirections(Program &program) {
  DirectionFinder finder;
  finder.visitInitializers(program);
  for (const Procedure *procedure : program.procedures)
    finder.visitProcedure(*procedure);
  for (bool changed = true; changed;) {
    changed = false;
    for (const CallExpr *call : finder.calls)
      for (unsigned i = 0; i != call->args.size(); ++i) {
        const ArrayExpr *whole = wholeArgument(*call, i);
        if (!whole)
          continue;
        Array &array = *whole->array;
        const Array &param = *arrayParam(*call->callee, i);
        auto passed = param.directions;
        for (const Offset &offset : passed)
          changed |= addDirection(array, offset);
        changed |= addDims(array.stepDims, param.stepDims);
        changed |= addDims(array.wrapDims, param.wrapDims);
      }
  }
}

} // namespace zpl::sema
