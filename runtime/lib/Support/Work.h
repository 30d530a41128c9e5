//===- Work.h - What compiled loops have computed ---------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_SUPPORT_WORK_H
#define ZRT_SUPPORT_WORK_H

#include "zrt/Abi.h"

namespace zrt {

/// What M-loops of this processor have computed so far. Stays 0 unless the
/// program was compiled with -fcount-work.
inline const zrt_work &workDone() { return zrt_work_done; }

} // namespace zrt

#endif // ZRT_SUPPORT_WORK_H
