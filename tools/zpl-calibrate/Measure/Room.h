//===- Room.h - Memory that kernels work on ---------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_CALIBRATE_ROOM_H
#define ZPL_CALIBRATE_ROOM_H

#include <cstddef>
#include <cstdint>
#include <memory>

namespace calibrate {

/// Which pages memory has.
enum class Pages { Usual, Small, Huge };

/// Zeroed memory from the system, aligned to 2 MiB; each page is touched unless
/// \p isTouched is false. Throws nothing: if there is none, data() is null.
class Room {
public:
  explicit Room(size_t bytes, Pages pages = Pages::Usual,
                bool isTouched = true);
  ~Room();
  Room(const Room &) = delete;
  Room &operator=(const Room &) = delete;

  double *data() const { return static_cast<double *>(start); }

private:
  void *mapping = nullptr;
  size_t length = 0;
  void *start = nullptr;
};

} // namespace calibrate

#endif // ZPL_CALIBRATE_ROOM_H
