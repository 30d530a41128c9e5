//===- OperatorTable.cpp - Operators behind pointers ----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A few small functions per type and operator (OperatorKernels.inc). A scan
// along a line is a chain of dependent operations; rows of scans side by side
// vectorize. The functions are compiled per family of operators; here an
// operator is led to its family.
//
//===----------------------------------------------------------------------===//

#include "Collective/Operators/OperatorTable.h"

#include "Collective/Operators/OperatorFamilies.h"
#include "Support/Error.h"

namespace zrt {

const OperatorTable &operatorTable(int32_t kind, int32_t reduction) {
  switch (static_cast<zrt_reduction>(reduction)) {
  case ZRT_SUM:
  case ZRT_PRODUCT:
    return arithmeticTable(kind, reduction);
  case ZRT_MAX:
  case ZRT_MIN:
  case ZRT_MAXNAN:
  case ZRT_MINNAN:
    return extremeTable(kind, reduction);
  case ZRT_AND:
  case ZRT_OR:
    return logicalTable(kind, reduction);
  case ZRT_BAND:
  case ZRT_BOR:
  case ZRT_BXOR:
    return bitTable(kind, reduction);
  }
  internalError(__FILE__, __LINE__, "operator of a reduction");
}

} // namespace zrt
