//===- StringHeap.h - Memory of strings -------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_MEMORY_STRINGHEAP_H
#define ZRT_MEMORY_STRINGHEAP_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace zrt {

/// Strings in a part of the address space that is reserved for them. They are
/// made one behind the other and given back by a collection: mark all that are
/// still reached, then sweep. A heap that makes strings of the same lengths and
/// gets the same marks gives the same addresses.
class StringHeap {
public:
  /// Reserves addresses from \p start on, which costs no memory; at most
  /// \p most bytes. A failure is reported by the first string, since most
  /// programs never make one. \p isThere: another heap of this process has
  /// reserved the same, and is not the last one; what both are told alike they
  /// put at the same places. Unless \p isLast the addresses stay reserved until
  /// the process ends: others may come or be there still.
  StringHeap(size_t start, size_t most, bool isThere = false,
             bool isLast = true);
  ~StringHeap();
  StringHeap(const StringHeap &) = delete;
  StringHeap &operator=(const StringHeap &) = delete;

  /// Room for a string of \p bytes bytes, its final 0 included. Ends the run if
  /// there is none left.
  char *make(size_t bytes) {
    if (bytes > static_cast<size_t>(end - next)) [[unlikely]]
      return makeSlowly(bytes);
    char *made = next;
    next += bytes;
    return made;
  }
  /// Whether the next string of \p bytes bytes had better wait for a
  /// collection. False as long as there is room where the last one lies.
  bool isDue(size_t bytes) const {
    return bytes > static_cast<size_t>(end - next) && sinceSweep >= patience;
  }

  /// Whether \p address is in memory of this heap.
  bool owns(uintptr_t address) const { return address - start < committed; }

  /// A collection, in this order: what `startMarks` to the last `mark` name is
  /// kept, with all that one pointer reaches up to its 0; `sweep` takes the
  /// rest. Addresses that this heap does not own are passed over.
  void startMarks();
  void mark(uintptr_t address) {
    if (owns(address))
      markString(address - start);
  }
  /// The marks, one bit for each line of memory, to be combined with those of
  /// other processors.
  std::vector<uint64_t> &marks() { return marked; }
  /// Takes what is not marked. The next collection is due once so many bytes
  /// have been used as are kept, or as \p looked, what looking for pointers
  /// went through.
  void sweep(size_t looked);
  /// After a sweep: whether the string at \p address, which this heap owns, was
  /// kept.
  bool isKept(uintptr_t address) const {
    size_t line = (address - start) / LineBytes;
    return live[line / 64] >> line % 64 & 1;
  }

  /// Memory is kept or taken in pieces of this size.
  static constexpr size_t LineBytes = 128;

private:
  char *makeSlowly(size_t bytes);
  char *makeLarge(size_t lines);
  bool findRun(size_t from, size_t wanted, size_t &first, size_t &last) const;
  void guard();
  size_t commit(size_t lines);
  void markString(size_t offset);

  const size_t start;
  const bool isOwner;   ///< of the reservation
  size_t reserved = 0;  ///< bytes of address space
  size_t committed = 0; ///< of these, bytes with memory behind them
  int reason = 0;       ///< errno of a failed reservation

  char *next = nullptr, *end = nullptr; ///< free lines that are being filled
  size_t nextLine = 0;  ///< lines before it have been filled since the sweep
  size_t largeLine = 0; ///< the same for strings of many lines
  std::vector<uint64_t> live;   ///< by line: kept by the last sweep, or large
  std::vector<uint64_t> marked; ///< by line, during a collection
  std::vector<size_t> recent;   ///< offsets marked lately, by their low bits

  size_t sinceSweep = 0; ///< bytes that were given out
  size_t patience;       ///< bytes from one collection to the next
};

} // namespace zrt

#endif // ZRT_MEMORY_STRINGHEAP_H
