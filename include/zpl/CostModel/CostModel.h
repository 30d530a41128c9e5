//===- CostModel.h - What a program costs, as formulas ----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The factored model of a program, for zpl-predict: what each line sends and
/// computes, as formulas of config variables, the number of processors, and
/// what only a run knows. docs/Models.md has the format.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_COSTMODEL_COSTMODEL_H
#define ZPL_COSTMODEL_COSTMODEL_H

#include "zpl/ArrayIR/ArrayIR.h"

namespace llvm {
class raw_ostream;
}

namespace zpl {

class SourceManager;

/// Prints the model of \p module, in Loop form with walkers, as JSON.
void printCostModel(const air::Module &module, const SourceManager &sources,
                    llvm::raw_ostream &os);

} // namespace zpl

#endif // ZPL_COSTMODEL_COSTMODEL_H
