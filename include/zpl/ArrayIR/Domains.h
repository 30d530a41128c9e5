//===- Domains.h - Questions about domains ----------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_ARRAYIR_DOMAINS_H
#define ZPL_ARRAYIR_DOMAINS_H

#include "zpl/ArrayIR/ArrayIR.h"

namespace zpl::air {

/// Whether a processor's part of it is at places, and M-loops go over these.
inline bool isScattered(const Region &region) {
  return region.domain && region.domain->isScattered;
}
inline bool isScattered(const Array &array) {
  return array.domain && array.domain->isScattered;
}

} // namespace zpl::air

#endif // ZPL_ARRAYIR_DOMAINS_H
