//===- Matrices.h - Files of Matrix Market ----------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_INTERPRET_IO_MATRICES_H
#define ZPL_LIB_INTERPRET_IO_MATRICES_H

#include "Formats/MatrixMarket.h"
#include "Regions/Regions.h"
#include "Run.h"

namespace zpl::interpreter {

/// What the first lines of the file say. The run ends if they are none.
zrt::MatrixKind matrixKind(Run &run, File &file);

/// The images of the elements of \p region, dense or sparse, in row-major order,
/// zero where the file lists none.
std::vector<char> readMatrix(Run &run, File &file, Type type,
                             const Region &region);

/// The indices within the bounds of \p region that the file lists.
std::shared_ptr<Pattern> readPattern(Run &run, File &file,
                                     const Region &region);

/// Writes the elements of \p region, of an array that has all of them.
void writeMatrix(Run &run, File &file, Type type, ArrayStorage &values,
                 const Region &region);

} // namespace zpl::interpreter

#endif // ZPL_LIB_INTERPRET_IO_MATRICES_H
