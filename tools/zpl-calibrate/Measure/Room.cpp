//===- Room.cpp - Memory that kernels work on -----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Straight from the system, since the C library keeps memory whose pages have
// been touched before.
//
//===----------------------------------------------------------------------===//

#include "Measure/Room.h"

#include <sys/mman.h>

namespace calibrate {

static constexpr size_t HugePage = size_t(2) << 20, SmallPage = 4096;

Room::Room(size_t bytes, Pages pages, bool isTouched) {
  length = bytes + HugePage;
  mapping = mmap(nullptr, length, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED) {
    mapping = nullptr;
    return;
  }
  auto address = reinterpret_cast<uintptr_t>(mapping);
  uintptr_t aligned = (address + HugePage - 1) / HugePage * HugePage;
  start = reinterpret_cast<void *>(aligned);
  if (pages != Pages::Usual) // where the system has no choice it says no
    (void)madvise(start, bytes,
                  pages == Pages::Huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  if (isTouched)
    for (size_t at = 0; at < bytes; at += SmallPage)
      static_cast<volatile char *>(start)[at] = 0;
}

Room::~Room() {
  if (mapping)
    munmap(mapping, length);
}

} // namespace calibrate
