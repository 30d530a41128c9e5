//===- Programs.h - Figures that programs are the fastest with --*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_CALIBRATE_PROGRAMS_H
#define ZPL_CALIBRATE_PROGRAMS_H

#include "Session.h"

namespace calibrate {

/// For each figure of the table in Programs.cpp: compiles its program with each
/// of its values, times them, and sets the constant of its name to the best
/// one. What cannot be compiled or run becomes a note.
void measurePrograms(Session &session);

/// Prints for each figure how good the value of the machine file is at another
/// size of its program. False if zplc or the programs are not there.
bool auditPrograms(Session &session);

} // namespace calibrate

#endif // ZPL_CALIBRATE_PROGRAMS_H
