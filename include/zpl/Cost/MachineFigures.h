//===- MachineFigures.h - What a machine file says of choices ---*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_COST_MACHINEFIGURES_H
#define ZPL_COST_MACHINEFIGURES_H

#include "zpl/Cost/Machine.h"
#include "zpl/Support/Figures.h"
#include <vector>

namespace zpl {

/// A line of Support/Figures.def or zrt/RunFigures.def.
struct FigureInfo {
  llvm::StringRef name;
  double usual, least, most;
  bool isWhole; ///< it has no fraction
  bool isOfRun; ///< the runtime uses it, not the compiler
  llvm::StringRef unit, what;
};

/// All figures, the compiler's first.
llvm::ArrayRef<FigureInfo> allFigures();
/// Null if there is none of that name.
const FigureInfo *findFigure(llvm::StringRef name);

/// A figure with its value, and where that comes from.
struct FigureValue {
  const FigureInfo *figure;
  double value;
  std::string source; ///< "constants", "measured: ..."; empty: it is usual
  bool isUsual() const { return source.empty(); }
};

/// What a machine says of all figures.
struct MachineFigures {
  Figures figures;                 ///< the compiler's
  std::vector<FigureValue> values; ///< all, in the order of allFigures()
  /// What zpl-calibrate measured of values of figures, by their names:
  /// "512: 0.0608 s, 1024: 0.0822 s".
  std::map<std::string, std::string> measured;
  /// What a program brings to the runtime: zrt_program::figures.
  std::string ofRun() const;
};

/// The figures of \p machine: what its constants say; else what follows from its
/// measurements (MachineFigures.cpp says how); else the usual values. Nothing if
/// a constant is none that a figure may have: then \p error says which one. Adds
/// a sentence to \p warnings for each constant that has no figure's name.
std::optional<MachineFigures> figuresOf(const Machine &machine,
                                        std::vector<std::string> &warnings,
                                        std::string &error);

/// Usual values for all.
MachineFigures usualFigures();

/// A table of the figures for people: names, values, units, sources.
void printFigures(const MachineFigures &figures, llvm::raw_ostream &os);

} // namespace zpl

#endif // ZPL_COST_MACHINEFIGURES_H
