//===- LargeList.h - Lists of numbers that may be large ---------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_SUPPORT_LARGELIST_H
#define ZRT_SUPPORT_LARGELIST_H

#include "Support/LargeMemory.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

namespace zrt {

/// A list like std::vector, of things that are copied byte by byte, in memory
/// of LargeMemory. What resize adds has any value.
template <typename T> class LargeList {
  static_assert(std::is_trivially_copyable_v<T>);

public:
  LargeList() = default;
  explicit LargeList(size_t count) { resize(count); }
  LargeList(const LargeList &other) { append({other.first, other.used}); }
  LargeList(LargeList &&other) noexcept { swap(other); }
  LargeList &operator=(LargeList other) noexcept {
    swap(other);
    return *this;
  }
  ~LargeList() { resizeLarge(first, bytes, 0); }

  void swap(LargeList &other) noexcept {
    std::swap(first, other.first);
    std::swap(used, other.used);
    std::swap(room, other.room);
    std::swap(bytes, other.bytes);
  }

  T *data() { return first; }
  const T *data() const { return first; }
  T *begin() { return first; }
  const T *begin() const { return first; }
  T *end() { return first + used; }
  const T *end() const { return first + used; }
  T &operator[](size_t k) { return first[k]; }
  const T &operator[](size_t k) const { return first[k]; }
  T &back() { return first[used - 1]; }
  size_t size() const { return used; }
  bool empty() const { return used == 0; }

  /// Room for \p count things in all; never less than before.
  void reserve(size_t count) {
    if (count > room)
      setRoom(count);
  }
  void resize(size_t count) {
    reserve(count);
    used = count;
  }
  // Named as a vector's. NOLINTNEXTLINE(readability-identifier-naming)
  void push_back(T value) {
    if (used == room) [[unlikely]]
      grow(used + 1);
    first[used++] = value;
  }
  /// \p values are not of this list.
  void append(std::span<const T> values) {
    std::copy(values.begin(), values.end(), extend(values.size()));
    used += values.size();
  }
  /// Room for \p count things more behind the end, where a caller writes some
  /// and calls resize then.
  T *extend(size_t count) {
    if (room - used < count)
      grow(used + count);
    return first + used;
  }
  /// Gives room back that is not used, unless it is little: that may cost a
  /// copy.
  void fit() {
    if (room - used > used / 16)
      setRoom(used);
  }

private:
  void grow(size_t least) { setRoom(std::max({least, 2 * room, size_t(16)})); }
  void setRoom(size_t count) {
    size_t next = roundLarge(count * sizeof(T));
    first = static_cast<T *>(resizeLarge(first, bytes, next));
    bytes = next;
    room = next / sizeof(T);
  }

  T *first = nullptr;
  size_t used = 0, room = 0;
  size_t bytes = 0; ///< of the piece at `first`
};

} // namespace zrt

#endif // ZRT_SUPPORT_LARGELIST_H
