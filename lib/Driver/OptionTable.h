//===- OptionTable.h - The options of Options.td -------------- -*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What llvm-tblgen makes of Options.td, for the files that give the options
/// their meaning.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_DRIVER_OPTIONTABLE_H
#define ZPL_DRIVER_OPTIONTABLE_H

#include "Options.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"

namespace zpl::driver {

using llvm::opt::DefaultVis; // the generated table names it

/// OPT_o and so on: what an opt::Arg is.
enum OptionId {
  OPT_INVALID = 0,
#define OPTION(...) LLVM_MAKE_OPT_ID(__VA_ARGS__),
#include "Options.inc"
#undef OPTION
};

/// The table itself.
class OptionTable : public llvm::opt::GenericOptTable {
public:
  OptionTable();
};

/// Reads -fdiagnostics-format, -f[no-]color-diagnostics and -ferror-limit into
/// \p options. False after an error, which is reported.
bool readMessageOptions(const llvm::opt::InputArgList &args, Options &options);

/// Reads -M, -MM, -MD, -MMD, -MF, -MT, -MQ and -MP into options.dependencies;
/// options.output is chosen already. False after errors, which are reported.
bool readDependencyOptions(const llvm::opt::InputArgList &args,
                           Options &options);

} // namespace zpl::driver

#endif // ZPL_DRIVER_OPTIONTABLE_H
