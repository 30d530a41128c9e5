//===- Extremes.cpp - The functions of max and min ------------------------===//
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

const zrt::OperatorTable &zrt::extremeTable(int32_t kind, int32_t reduction) {
  return familyTable<ZRT_MAX, ZRT_MIN, ZRT_MAXNAN, ZRT_MINNAN>(kind, reduction);
}
