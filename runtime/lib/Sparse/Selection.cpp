//===- Selection.cpp - Patterns of boolean arrays -------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     region Tri = [1..n, 1..n] where (abs(Index1 - Index2) < 2);
//     S := Tri where (A > 0);
//
// Indices of the region go by in row-major order; the flag of each says whether
// it is taken. Flags come from memory, row by row, or from a sparse array,
// through which a finder goes along. A sparse array of flags that is false
// elsewhere is gone through instead of the region, however large that is.
//
// Cost: of a dense region one look at each of its flags; else as many as there
// are indices.
//
//===----------------------------------------------------------------------===//

#include "Sparse/Selection.h"

#include "Sparse/Cursor.h"

namespace zrt {

namespace {

/// What a mask says, slot by slot, of a region that goes by in order.
class SelectionFlags {
public:
  SelectionFlags(const OwnIndices &indices, const zrt_mask &mask)
      : array(*mask.array), wanted(mask.value != 0) {
    if (!array.region.is_sparse)
      cursor.emplace(indices, array);
    else if (const Pattern *pattern = patternOf(array.region.pattern))
      finder.emplace(*pattern);
  }

  void startRow(const int32_t *at) { isInRow = finder && finder->toRow(at); }
  bool operator()(int64_t slot, int32_t column) {
    if (cursor)
      return isWanted(cursor->at(slot));
    int64_t k = isInRow ? finder->find(column) : -1;
    return isWanted(array.origin + k * step());
  }
  /// Whether it leaves indices that a sparse array does not have.
  bool takesElsewhere() const { return isWanted(array.origin - step()); }

private:
  int64_t step() const { return array.pitch[array.region.rank - 1]; }
  bool isWanted(const char *flag) const { return (*flag != 0) == wanted; }

  const zrt_array &array;
  bool wanted;
  std::optional<Cursor> cursor;
  std::optional<PatternFinder> finder;
  bool isInRow = false;
};

/// Calls \p row with each own row of a dense region that has columns, and the
/// slot of its first one.
template <typename F> void forEachRow(const OwnIndices &indices, F &&row) {
  int outer = indices.owners.rank - 1;
  int32_t at[ZRT_MAX_RANK] = {};
  auto extent = static_cast<int64_t>(indices.along[outer].size());
  size_t counts[ZRT_MAX_RANK] = {};
  if (indices.count() == 0)
    return;
  for (int64_t slot = 0; slot < indices.count(); slot += extent) {
    for (int d = 0; d < outer; ++d)
      at[d] = indices.along[d][counts[d]];
    row(at, slot);
    for (int d = outer - 1; d >= 0; --d) {
      if (++counts[d] < indices.along[d].size())
        break;
      counts[d] = 0;
    }
  }
}

/// All of \p pattern where \p flags say so.
void selectRows(const Pattern &pattern, SelectionFlags *flags,
                PatternBuilder &builder) {
  int32_t at[ZRT_MAX_RANK];
  for (int64_t r = 0; r < pattern.rows; ++r) {
    pattern.rowAt(r, at);
    builder.startRow(at);
    if (!flags) {
      builder.add(columnsOf(pattern, r));
      continue;
    }
    flags->startRow(at);
    for (int64_t k = pattern.starts[r]; k < pattern.starts[r + 1]; ++k)
      if ((*flags)(k, pattern.column[k]))
        builder.add(pattern.column[k]);
  }
}

void selectDense(const OwnIndices &indices, SelectionFlags *flags,
                 PatternBuilder &builder) {
  const std::vector<int32_t> &columns = indices.along[indices.owners.rank - 1];
  forEachRow(indices, [&](const int32_t *at, int64_t slot) {
    builder.startRow(at);
    if (!flags)
      return builder.add(columns);
    flags->startRow(at);
    for (int32_t column : columns)
      if ((*flags)(slot++, column))
        builder.add(column);
  });
}

/// The indices of a sparse array of flags that are true, as far as they are in
/// the dense \p region.
void selectFlagged(const zrt_array &flags, const zrt_region &region,
                   bool wanted, PatternBuilder &builder) {
  const Pattern *pattern = patternOf(flags.region.pattern);
  if (!pattern)
    return;
  Box box = boxOf(region);
  int last = box.rank - 1;
  int32_t at[ZRT_MAX_RANK];
  for (int64_t r = 0; r < pattern->rows; ++r) {
    pattern->rowAt(r, at);
    bool isIn = true;
    for (int d = 0; d < last && isIn; ++d)
      isIn = contains(box.dim[d], at[d]);
    if (!isIn)
      continue;
    builder.startRow(at);
    for (int64_t k = pattern->starts[r]; k < pattern->starts[r + 1]; ++k)
      if ((flags.origin[k * flags.pitch[last]] != 0) == wanted &&
          contains(box.dim[last], pattern->column[k]))
        builder.add(pattern->column[k]);
  }
}

} // namespace

PatternPtr selectedBy(const IndexOwners &owners, const zrt_region &value,
                      const zrt_mask &mask, PatternBuilder builder) {
  bool isSparse = value.is_sparse;
  if (mask.array && mask.array->region.is_sparse && !isSparse) {
    OwnIndices none(owners, mask.array->region);
    if (!SelectionFlags(none, mask).takesElsewhere()) {
      selectFlagged(*mask.array, value, mask.value != 0, builder);
      return builder.finish();
    }
  }
  OwnIndices indices(owners, value);
  std::optional<SelectionFlags> flags;
  if (mask.array)
    flags.emplace(indices, mask);
  if (isSparse)
    selectRows(*indices.pattern, flags ? &*flags : nullptr, builder);
  else
    selectDense(indices, flags ? &*flags : nullptr, builder);
  return builder.finish();
}

} // namespace zrt
