//===- Parts.h - A program compiled in parts at the same time ---*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_BACKEND_PARTS_H
#define ZPL_BACKEND_PARTS_H

#include "zpl/Backend/Backend.h"
#include "llvm/ADT/SmallString.h"
#include <vector>

namespace zpl {

/// How many parts code of this size is worth: 1 to 4, the same on every
/// machine.
unsigned numberOfParts(const llvm::Module &module);

/// A module in parts that become objects of their own, as many at a time as
/// the machine has cores. The linker makes one program of them.
class Parts {
public:
  /// Splits \p module, which is not to be used any more, into \p count parts
  /// for \p backend's target.
  Parts(llvm::Module &module, const Backend &backend, unsigned count);
  ~Parts();
  Parts(const Parts &) = delete;

  /// Backend::optimize on each.
  void optimize();

  /// One object for each part. False if the target cannot write objects
  /// (\p error says why).
  bool emit(std::vector<llvm::SmallString<0>> &objects, std::string &error);

private:
  struct Part;
  std::vector<Part> parts;
};

} // namespace zpl

#endif // ZPL_BACKEND_PARTS_H
