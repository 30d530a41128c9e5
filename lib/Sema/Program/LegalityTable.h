//===- LegalityTable.h - What is legal by kind of dimension -----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The rows of Legality.def, and the words for what stands in them.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_PROGRAM_LEGALITYTABLE_H
#define ZPL_LIB_SEMA_PROGRAM_LEGALITYTABLE_H

#include "zpl/Sema/Program.h"

namespace zpl::sema {

enum class Operation : uint8_t {
  Write,
  Read,
  WriteAt,
  ReadAt,
  Flood,
  Reduce,
  Remap
};
/// "writes", "floods" ...
llvm::StringRef verb(Operation operation);

/// What the table says of one dimension.
enum class Rule : uint8_t {
  Never,
  Always,
  Inside,        ///< the region's indices are the array's
  InsideShifted, ///< so they are when shifted
  Unshifted,     ///< the direction's component is 0
  Equal,         ///< the source's indices are the region's
  MapsInside     ///< the maps' values are the array's indices
};

struct Cell {
  Operation operation;
  DimKind first, second; ///< Range for Strided as well
  Rule rule;
  llvm::StringLiteral text;
};

/// The row for two kinds of dimensions.
const Cell &lookUp(Operation operation, DimKind first, DimKind second);

/// "a range", "flooded" ...
llvm::StringRef text(DimKind kind);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_PROGRAM_LEGALITYTABLE_H
