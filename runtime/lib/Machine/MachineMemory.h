//===- MachineMemory.h - How much memory there is ---------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_LIB_MACHINE_MACHINEMEMORY_H
#define ZRT_LIB_MACHINE_MACHINEMEMORY_H

#include <atomic>
#include <cstdint>

namespace zrt {

/// False if all processes of this machine together cannot have \p bytes, of
/// memory and swap, or if the control group of this process may not
/// (containers, batch systems).
bool machineHas(uint64_t bytes);

/// Adds \p bytes to the sum \p held of what several hold, if the machine has so
/// much; else false, and the sum is never seen with them.
bool takeMemory(std::atomic<uint64_t> &held, uint64_t bytes);

} // namespace zrt

#endif // ZRT_LIB_MACHINE_MACHINEMEMORY_H
