//===- OperatorFamilies.h - Where each family's tables are ------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each function gives the table for an enum zrt_kind and an enum zrt_reduction
/// of its family, and lies in a file of its own (OperatorFamily.h).
///
//===----------------------------------------------------------------------===//

#ifndef ZRT_COLLECTIVE_OPERATORS_OPERATORFAMILIES_H
#define ZRT_COLLECTIVE_OPERATORS_OPERATORFAMILIES_H

#include "Collective/Operators/OperatorTable.h"

namespace zrt {

/// `+` and `*`.
const OperatorTable &arithmeticTable(int32_t kind, int32_t reduction);
/// `max` and `min`, and those that keep a NaN.
const OperatorTable &extremeTable(int32_t kind, int32_t reduction);
/// `and` and `or`.
const OperatorTable &logicalTable(int32_t kind, int32_t reduction);
/// `band`, `bor` and `bxor`, of integers.
const OperatorTable &bitTable(int32_t kind, int32_t reduction);

} // namespace zrt

#endif // ZRT_COLLECTIVE_OPERATORS_OPERATORFAMILIES_H
