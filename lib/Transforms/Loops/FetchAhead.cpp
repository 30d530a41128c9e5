//===- FetchAhead.cpp - Memory before it is needed ------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     mloop @R levels(0 up, 1 up) {
//       store @B = add(add(@A@(-1,0), @A@(1,0)), mul(@C, @A))
//     }
// =>
//     mloop @R levels(0 up, 1 up) ahead {@A: (1,0), @C: (0,0)} {
//
// An element on its way from memory keeps a loop waiting the longer the more
// rows it reads at a time: processors see that loops go through memory in
// order, but for a few rows only, and anew for each. So the loop asks for what
// it is going to read. A row that it reads again in the next step of the loop
// outside the innermost one, at another offset, need not be asked for: that
// other element's row was. With a stencil of 27 points three of nine rows are
// left; where the step is known to the run only, one index or two, six.
//
// Shifted views count by what their directions look like (ReadPositions.h).
// Among elements in one row, the one is taken that loops load even if they
// carry others along.
//
// Cost: linear in the elements of a loop times the logarithm of its rows.
//
//===----------------------------------------------------------------------===//

#include "Loops/FetchAhead.h"
#include "zpl/Analysis/ReadPositions.h"
#include "zpl/ArrayIR/Lets.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace llvm;

namespace zpl::air {
namespace {

class RowChooser {
public:
  RowChooser(MLoopStmt &loop, const Views &views)
      : loop(loop), positions(loop, views) {
    for (const LoopLevel &level : loop.levels)
      if (!level.flat && &level != innermostLevel(loop))
        around = &level;
  }

  /// Puts them into the loop.
  void run() {
    loop.ahead.clear();
    for (bool mayBeCarried : {false, true})
      for (const ElementOp &op : loop.body)
        if (op.carries.empty() != mayBeCarried)
          for (const Expr *e : {op.value, op.guard})
            if (e)
              forEachExpr(*e, [&](const Expr &part) {
                if (auto *element = dyn_cast<ElementExpr>(&part))
                  add(*element);
              });
    for (const auto &[row, element] : rows)
      if (!isReadLater(row, *element->array))
        loop.ahead.push_back({element->array, rowOf(*element, loop)});
  }

private:
  using Key = DirectionGuesses::Key;
  struct Row {
    const Array *array;
    Key frame;
    Offset offset;
    bool operator<(const Row &other) const {
      return std::tie(array, frame, offset) <
             std::tie(other.array, other.frame, other.offset);
    }
  };

  void add(const ElementExpr &element) {
    const Array &array = *element.array;
    if (array.isContracted() || array.element.isAggregate() ||
        !goesAlongRows(loop, array))
      return;
    std::optional<ReadPosition> read = positions.of(element);
    Row row{&array, {}, rowOf(element, loop)};
    if (read) {
      read->offset[innermostLevel(loop)->dim] = 0;
      row = {read->array, read->frame, read->offset};
    }
    rows.insert({row, &element});
  }

  /// Whether another element is in this row one step later.
  bool isReadLater(Row row, const Array &array) const {
    if (!around || array.standsIn(around->dim))
      return false;
    bool isStrided = array.shape[around->dim] == DimKind::Strided ||
                     loop.region->shape[around->dim] == DimKind::Strided;
    int64_t step = isStrided ? 2 : 1;
    row.offset[around->dim] += around->down ? -step : step;
    return rows.contains(row);
  }

  MLoopStmt &loop;
  ReadPositions positions;
  const LoopLevel *around = nullptr; ///< the loop that is around the innermost
  MapVector<Row, const ElementExpr *, std::map<Row, unsigned>> rows;
};

/// Why the rows of a loop are not chosen, or "".
std::string obstacle(const MLoopStmt &loop) {
  if (loop.region->isSparse)
    return "the region is sparse";
  if (isInBlocks(loop))
    return "the loop runs in blocks";
  if (loop.rows > 1)
    return "the loop works on several rows at a time";
  return "";
}

} // namespace

void fetchAhead(Module &module, PassContext &context) {
  for (Procedure *procedure : module.procedures) {
    Views views = viewsOf(*procedure);
    forEachMLoop(procedure->body, [&](MLoopStmt &loop, bool inWave) {
      if (!loop.walkers.empty() || !innermostLevel(loop))
        return;
      std::string why =
          inWave ? "elements depend on each other" : obstacle(loop);
      if (why.empty()) {
        RowChooser(loop, views).run();
        if (loop.ahead.empty())
          why = "the loop reads no rows of arrays";
      }
      if (!why.empty())
        return context.missed(loop.range, "no memory asked for ahead: " + why);
      size_t rows = loop.ahead.size();
      context.count("rows", rows);
      context.applied(loop.range, std::to_string(rows) +
                                      (rows == 1 ? " row is" : " rows are") +
                                      " asked for ahead, where that pays");
    });
  }
}

} // namespace zpl::air
