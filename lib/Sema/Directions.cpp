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
// as wide as its directions reach. [0, n] is not known now, and a direction
// that reaches far would cost more memory than it is worth; such reads go
// through a shifted temporary. Directions of a parameter are those of every
// array that is passed for it, found by passing them on until nothing changes.
//
//===----------------------------------------------------------------------===//

#include "Directions.h"

#include "Walk.h"
#include "llvm/ADT/STLExtras.h"

namespace zpl::sema {

namespace {

/// How far a component may reach into the border.
constexpr int64_t Farthest = 16;

using Offset = llvm::SmallVector<int64_t, 6>;

/// The constant offset of a reference that the border can serve.
std::optional<Offset> borderOffset(const ArrayExpr &e) {
  Offset offset;
  for (const Expr *component : e.direction) {
    auto *literal = llvm::dyn_cast<LiteralExpr>(component);
    if (!literal || literal->integer > Farthest || literal->integer < -Farthest)
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

class Finder : public Visitor {
public:
  std::vector<const CallExpr *> calls;

protected:
  void onRead(const ArrayExpr &e, unsigned) override {
    // What goes round is copied elsewhere.
    std::optional<Offset> offset = e.wraps ? std::nullopt : borderOffset(e);
    if (offset)
      addDirection(*e.array, *offset);
  }
  void onCall(const CallExpr &call, unsigned) override {
    calls.push_back(&call);
  }
};

} // namespace

void collectDirections(Program &program) {
  Finder finder;
  finder.visitInitializers(program);
  for (const Procedure *procedure : program.procedures)
    finder.visitProcedure(*procedure);
  for (bool changed = true; changed;) {
    changed = false;
    for (const CallExpr *call : finder.calls)
      for (unsigned i = 0; i != call->args.size(); ++i) {
        if (passingOf(*call, i) != Passing::Whole)
          continue;
        Array &array = *llvm::cast<ArrayExpr>(call->args[i])->array;
        auto passed = arrayParam(*call->callee, i)->directions;
        for (const Offset &offset : passed)
          changed |= addDirection(array, offset);
      }
  }
}

} // namespace zpl::sema
