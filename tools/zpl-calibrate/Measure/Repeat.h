//===- Repeat.h - One figure from many repeats ------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_CALIBRATE_REPEAT_H
#define ZPL_CALIBRATE_REPEAT_H

#include "Session.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace calibrate {

/// Seconds on a clock that only goes forward.
double now();

/// Repeats \p once, which gives the seconds of one unit of work, until the five
/// least of them agree within 1 %, or the time for one figure is over; the value
/// is the least of them, since others on the machine only ever add to it. The
/// spread is by how much the median exceeds it, as a share.
zpl::Measurement repeat(const Session &session, llvm::StringRef unit,
                        llvm::function_ref<double()> once);

/// The same for work that is too short to be timed alone: \p work is called
/// with how often it is to be done; the figure is for once.
zpl::Measurement repeatMany(const Session &session, llvm::StringRef unit,
                            llvm::function_ref<void(int64_t)> work);

/// Records a figure under a name.
void record(Session &session, llvm::StringRef name,
            const zpl::Measurement &measurement);

} // namespace calibrate

#endif // ZPL_CALIBRATE_REPEAT_H
