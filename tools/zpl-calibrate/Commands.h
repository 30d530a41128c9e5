//===- Commands.h - What zpl-calibrate does beside measuring ----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_CALIBRATE_COMMANDS_H
#define ZPL_CALIBRATE_COMMANDS_H

#include "Session.h"

namespace calibrate {

/// Prints the figures and models of session.machine, with ratios between them
/// that tell something.
void report(const Session &session);

/// Prints which alternative of each choice is predicted to be the cheapest, by
/// the values of its inputs. False if there is no such choice.
bool printMaps(const Session &session);

/// Measures all alternatives of the choices at points of which most are near
/// predicted crossovers, and prints how good the predicted choice is. False if
/// there is no such choice.
bool audit(Session &session);

} // namespace calibrate

#endif // ZPL_CALIBRATE_COMMANDS_H
