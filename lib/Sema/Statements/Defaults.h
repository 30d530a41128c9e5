//===- Defaults.h - Defaults from the command line --------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Defaults of config variables from the command line, `-D n=100`.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_STATEMENTS_DEFAULTS_H
#define ZPL_LIB_SEMA_STATEMENTS_DEFAULTS_H

#include "Check/Checking.h"

namespace zpl::sema {

/// Gives the config variable \p variable, which has been set up, the default
/// from the options, if it is there; reports a text that is no literal of its
/// type.
void overrideDefault(Checking &c, Variable &variable);

/// Reports defaults in the options for which no config variable was declared.
/// After all declarations.
void checkDefaults(Checking &c);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_STATEMENTS_DEFAULTS_H
