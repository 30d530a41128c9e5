//===- Simulated.h - Runs on a simulated machine ----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_SIMULATED_H
#define ZRT_ENTRY_SIMULATED_H

#include "Entry/Config/CommandLine.h"
#include "Transport/Transport.h"
#include "zrt/Abi.h"

#include <functional>
#include <memory>
#include <string>

namespace zrt {

/// Whether the command line, or the environment, asks for the transport `sim`.
bool wantsSimulation(const CommandLine &options);

/// What one processor does: where it is among how many, and its transport.
using SimulatedProcessor =
    std::function<void(int place, int places, std::unique_ptr<Transport>)>;

/// Runs \p body on the processors that \p options ask for, all in this process.
/// Gives the status of the process; mistakes in the options are reported.
int32_t runSimulated(const zrt_program &program, const std::string &name,
                     const CommandLine &options,
                     const SimulatedProcessor &body);

} // namespace zrt

#endif // ZRT_ENTRY_SIMULATED_H
