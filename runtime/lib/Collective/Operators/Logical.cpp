//===- Logical.cpp - The functions of and and or --------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One of the families that OperatorFamily.h describes.
//
//===----------------------------------------------------------------------===//

#include "Collective/Operators/OperatorFamilies.h"

#include "Collective/Operators/OperatorFamily.h"

const zrt::OperatorTable &zrt::logicalTable(int32_t kind, int32_t reduction) {
  return familyTable<ZRT_AND, ZRT_OR>(kind, reduction);
}
