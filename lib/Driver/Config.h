//===- Config.h - What --print-config says -------------------- -*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_DRIVER_CONFIG_H
#define ZPL_DRIVER_CONFIG_H

#include "Link.h"
#include "Options.h"

namespace zpl::driver {

/// Writes what this zplc is made of to \p os: all lines `name: value`, or the
/// value of options.configName alone. False if there is no such name, which is
/// reported.
bool printConfig(const Options &options, const Installation &installation,
                 llvm::raw_ostream &os);

} // namespace zpl::driver

#endif // ZPL_DRIVER_CONFIG_H
