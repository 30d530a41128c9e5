//===- RunFigures.h - What choices of the runtime depend on -----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_LIB_MACHINE_RUNFIGURES_H
#define ZRT_LIB_MACHINE_RUNFIGURES_H

#include <string>

namespace zrt {

/// The figures of a machine by which the runtime chooses among ways that all
/// give the same results; a member for each line of zrt/RunFigures.def.
struct RunFigures {
#define ZRT_FIGURE(member, name, usual, least, most, unit, what)               \
  double member = usual; ///< what
#include "zrt/RunFigures.def"
};

/// Those of this process. They are set once, before anything asks for them, and
/// are the same on all processors, which must choose alike.
const RunFigures &runFigures();

/// Sets the figures from "name=value name=value ..."; what is not named has its
/// usual value. False, with a sentence in \p error, if there is no figure of a
/// name or its value is none that it may have; then nothing changes.
bool setRunFigures(const std::string &text, std::string &error);

} // namespace zrt

#endif // ZRT_LIB_MACHINE_RUNFIGURES_H
