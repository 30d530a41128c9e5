//===- Regions.h - Index sets and arrays over them --------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_INTERPRET_REGIONS_REGIONS_H
#define ZPL_LIB_INTERPRET_REGIONS_REGIONS_H

#include "Values/Values.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <array>
#include <memory>
#include <set>

namespace zpl::interpreter {

using sema::DimKind;

/// An index; components beyond the rank are 0.
using Index = std::array<int64_t, sema::MaxRank>;
using Components = llvm::SmallVector<int64_t, 6>;

/// One dimension of a region: the x of lo..hi with x = align (mod stride)
/// (language 5). A flooded one has the index 0 only.
struct Dim {
  int64_t lo = 0, hi = 0, stride = 1, align = 0;
  DimKind kind = DimKind::Flood;

  /// Or a grid dimension, which is the same on a single processor.
  bool isFlood() const { return sema::isPerProcessor(kind); }
  /// The least index; beyond hi if there is none.
  int64_t first() const;
  /// The greatest index; below lo if there is none.
  int64_t last() const;
  /// How many indices there are; a flooded dimension has one.
  int64_t count() const;
  /// Whether \p x is an index; a flooded dimension has every one.
  bool contains(int64_t x) const;
};

/// Whether the two hold the same indices.
bool haveSameIndices(const Dim &a, const Dim &b);

/// The indices of a sparse region, in row-major order.
using Pattern = std::set<Index>;

/// An index set: the product of its dimensions, or, if it is sparse, those of
/// its indices that are in the pattern.
struct Region {
  /// The level of a region that is none of a multi-region.
  static constexpr int64_t NoLevel = INT64_MIN;
  llvm::SmallVector<Dim, 6> dims;
  int64_t level = NoLevel; ///< which of a multi-region
  std::string text;        ///< as written, for messages; may be empty
  /// Within the dimensions; null: dense, or isUnset.
  std::shared_ptr<const Pattern> pattern;
  bool isUnset = false; ///< sparse, and no pattern was set

  /// Whether it has a pattern or is to get one.
  bool isSparse() const { return pattern || isUnset; }
  /// The same bounds without a pattern.
  Region withoutPattern() const;
  /// How many indices it has.
  int64_t size() const;
  /// Whether \p index lies within the bounds and has the strides.
  bool bound(const Index &index) const;
  /// How many dimensions it has.
  unsigned rank() const { return dims.size(); }
  /// Whether a dimension has no index.
  bool isEmpty() const;
  /// Floods hold every index; patterns only theirs.
  bool contains(const Index &index) const;
  /// "[1..8, 3, 1..9 by 2]".
  std::string bounds() const;
  /// "region R [1..8]".
  std::string describe() const;
};

/// Whether two regions of one rank hold the same indices.
bool haveSameIndices(const Region &a, const Region &b);

/// Whether every index of \p inner, moved by \p direction (empty: not at all),
/// is one within the bounds of \p outer.
bool isWithin(const Region &inner, const Region &outer,
              llvm::ArrayRef<int64_t> direction);

/// Calls \p visit with each index, in row-major order.
void forEachIndex(const Region &region,
                  llvm::function_ref<void(const Index &)> visit);

// The operators of language section 6, per dimension.

/// `d of base`: hi+1..hi+d, or lo+d..lo-1 if d < 0; base itself if d = 0.
Dim dimOf(int64_t component, const Dim &base);

/// `d in base`: hi-d+1..hi, or lo..lo-d-1 if d < 0; base itself if d = 0.
Dim dimIn(int64_t component, const Dim &base);

/// `base at d`: all indices moved by d.
Dim dimAt(const Dim &base, int64_t component);

/// `base by d`: every |d|-th index, from the first one, or from the last one if
/// d < 0; base if d = 0.
Dim dimBy(const Dim &base, int64_t component);

/// \p index moved by a direction.
Index moved(const Index &index, llvm::ArrayRef<int64_t> direction);

/// The elements of a parallel array, or of a temporary one, of all positions in
/// the box around its declared region and its borders; and, if the region is
/// sparse, the value at all other indices.
class ArrayStorage {
public:
  /// Makes an array of zeros.
  ArrayStorage(std::string name, Type element, int64_t elementSize,
               Region declared, std::vector<Region> borders = {});
  /// Makes an array of a part of each element of \p whole, which has the
  /// memory; that of the first one is at \p first.
  ArrayStorage(const ArrayStorage &whole, Type element, int64_t elementSize,
               char *first);
  ArrayStorage(const ArrayStorage &) = delete;
  ArrayStorage(ArrayStorage &&) noexcept = default;

  std::string name;
  const Type element;
  const int64_t elementSize;
  const Region declared;
  const std::vector<Region> borders;
  /// What bind_write_func and bind_read_func have set.
  const sema::Procedure *writer = nullptr, *reader = nullptr;

  /// Whether the index lies in the declared region or in a border.
  bool stores(const Index &index) const;
  /// Whether it lies within the bounds of these.
  bool bounds(const Index &index) const;
  /// Address of the element, or of the value of those that a sparse array does
  /// not store; null if the index is outside the box.
  char *at(const Index &index) { return address(index); }
  /// The same, to be read.
  const char *at(const Index &index) const { return address(index); }
  /// \p source has the same region and borders.
  void copyElements(const ArrayStorage &source);

private:
  /// As at().
  char *address(const Index &index) const;
  /// The position of an index in the dimension; indices that are none of the
  /// region's have that of the one before.
  int64_t position(int64_t index, unsigned d) const;

  Index least{}, extent{}; ///< positions of the box
  int64_t elements = 0;    ///< how many are in it
  int64_t pitch;           ///< bytes from one to the next
  std::vector<char> data;

public:
  char *first; ///< address of the first element
  char *irv;   ///< of what a sparse array has where it stores nothing
};

/// A covering region with its mask.
struct Cover {
  std::shared_ptr<const Region> region;     ///< null: there is none
  std::shared_ptr<const ArrayStorage> mask; ///< of booleans; null: none
  bool isWith = true;

  /// Whether the mask leaves the index, which is one of the region.
  bool admits(const Index &index) const {
    return !mask || (*mask->at(index) != 0) == isWith;
  }
};

} // namespace zpl::interpreter

#endif // ZPL_LIB_INTERPRET_REGIONS_REGIONS_H
