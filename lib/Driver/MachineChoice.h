//===- MachineChoice.h - The figures that choices are made by ---*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_DRIVER_MACHINECHOICE_H
#define ZPL_LIB_DRIVER_MACHINECHOICE_H

#include "Link.h"
#include "Options.h"
#include "zpl/Cost/MachineFigures.h"

namespace zpl::driver {

/// The figures of a machine, and which one it is.
struct ChosenMachine {
  MachineFigures figures = usualFigures();
  std::string name = "usual figures"; ///< for people
  std::string file;                   ///< where they were read; may be empty
};

/// The machine that the program is for: that of -mmachine; else, for this
/// processor, what zpl-calibrate has measured here; else the file that comes
/// with zplc for the processor; else the usual figures. False, with
/// \p error, if -mmachine names none, or one that \p isHost forbids because it
/// was measured on another machine. What is wrong with a file that nobody named
/// becomes one of the \p warnings, and the next one is taken.
bool chooseMachine(const Options &options, const Installation &installation,
                   ChosenMachine &machine, std::vector<std::string> &warnings,
                   std::string &error);

/// -print-machine.
void printMachineChoice(const ChosenMachine &machine, llvm::raw_ostream &os);

} // namespace zpl::driver

#endif // ZPL_LIB_DRIVER_MACHINECHOICE_H
