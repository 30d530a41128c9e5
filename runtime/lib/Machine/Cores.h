//===- Cores.h - The cores of this machine ----------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_MACHINE_CORES_H
#define ZRT_MACHINE_CORES_H

#include <string>
#include <vector>

namespace zrt {

/// The hardware threads of a core, by the system's numbers, ascending.
using Core = std::vector<int>;

/// The hardware threads that this process may use, ascending; empty if the
/// system does not say.
std::vector<int> usableThreads();

/// The cores that \p threads belong to, each with those of its threads that
/// are among them; socket by socket, and in each by their first thread.
/// \p folder is where the system describes its processors; where it does not,
/// each thread is a core.
std::vector<Core> coresOf(const std::vector<int> &threads,
                          const std::string &folder);

/// Which of \p cores cores the process at \p place of \p places gets: they are
/// as far from each other as they can be, and share cores as evenly if there
/// are fewer of these.
int coreOf(int place, int places, int cores);

/// Has this process, and the threads that it starts from now on, run on
/// \p core only. False, with errno, if the system refuses.
bool bindTo(const Core &core);

/// Numbers as the system lists them: 0-3,8.
std::string listText(const std::vector<int> &numbers);

} // namespace zrt

#endif // ZRT_MACHINE_CORES_H
