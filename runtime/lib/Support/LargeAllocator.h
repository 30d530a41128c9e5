//===- LargeAllocator.h - Memory for lists that may be large ----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_SUPPORT_LARGEALLOCATOR_H
#define ZRT_SUPPORT_LARGEALLOCATOR_H

#include <cstddef>
#include <new>
#include <sys/mman.h>

namespace zrt {

/// For standard containers. What is large is mapped by itself: once it is freed
/// the system has it, and room that is not used has no memory. malloc keeps
/// blocks of some MB after the first of its size, and small ones that come later
/// hold on to their pages.
template <typename T> struct LargeAllocator {
  using value_type = T;

  LargeAllocator() = default;
  template <typename U> LargeAllocator(const LargeAllocator<U> &) {}

  T *allocate(size_t count) {
    size_t bytes = count * sizeof(T);
    if (bytes < Large)
      return static_cast<T *>(::operator new(bytes));
    void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
      throw std::bad_alloc();
    return static_cast<T *>(memory);
  }
  void deallocate(T *memory, size_t count) {
    size_t bytes = count * sizeof(T);
    if (bytes < Large)
      ::operator delete(memory);
    else
      munmap(memory, bytes);
  }
  friend bool operator==(const LargeAllocator &, const LargeAllocator &) {
    return true;
  }

  static constexpr size_t Large = size_t(1) << 18;
};

} // namespace zrt

#endif // ZRT_SUPPORT_LARGEALLOCATOR_H
