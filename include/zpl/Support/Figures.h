//===- Figures.h - What choices of the compiler depend on -------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
///
/// \file
/// The figures of a machine by which passes choose among ways that all give the
/// same results: sizes of tiles, rows that are worked on together, latencies.
/// Figures.def says what each one is; Cost/MachineFigures.h takes them from a
/// machine file.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_SUPPORT_FIGURES_H
#define ZPL_SUPPORT_FIGURES_H

#include <cstdint>

namespace zpl {

/// One member for each line of Figures.def, with its usual value.
struct Figures {
#define ZPL_FIGURE(type, member, name, usual, least, most, unit, what)         \
  type member = usual; ///< what
#include "zpl/Support/Figures.def"
};

} // namespace zpl

#endif // ZPL_SUPPORT_FIGURES_H
