//===- Work.cpp - What compiled loops have computed -----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With -fcount-work an M-loop over 100 x 50 own indices that adds four
// neighbours and divides adds before it runs
//
//     operations += 5000 * 8, bytes += 5000 * 48
//
// to these counters: some ten instructions per execution of the loop, none per
// element. Counts depend on the program and its data alone, so a time that is
// computed from them is the same in every run.
//
//===----------------------------------------------------------------------===//

#include "Support/Work.h"

zrt_work zrt_work_done = {0, 0, 0, 0};
