//===- PlacesAgreement.h - Do all deal out indices alike? -------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_DOMAINS_PLACESAGREEMENT_H
#define ZRT_ENTRY_DOMAINS_PLACESAGREEMENT_H

#include "zrt/Abi.h"

namespace zrt {

/// Ends the run, naming two processors and what they say, unless all of them
/// have been told the same by the procedures and cut points of domain \p
/// number, which is fixed. Collective, once for each time that it is fixed.
void checkPlacesAgree(int32_t number);

} // namespace zrt

#endif // ZRT_ENTRY_DOMAINS_PLACESAGREEMENT_H
