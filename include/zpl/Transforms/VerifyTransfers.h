//===- VerifyTransfers.h - Are shifted elements transferred? ----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_TRANSFORMS_VERIFYTRANSFERS_H
#define ZPL_TRANSFORMS_VERIFYTRANSFERS_H

#include "zpl/ArrayIR/ArrayIR.h"

namespace zpl::air {

/// Checks a verified module, in either form, after insert-transfers: on every
/// path each shifted element is preceded by the DN of a transfer that covers
/// it, with no write of the array in between; no array of a transfer is
/// written between its SR and SV, and its region is not set between DR and DN.
/// Sound, not complete: what only a better analysis could prove is rejected,
/// so passes must not do it.
///
/// False with \p error and \p where (may be null) set at the first violation.
bool verifyTransfers(const Module &module, std::string *error = nullptr,
                     SourceRange *where = nullptr);

/// True if any procedure declares a transfer: insert-transfers has run and had
/// something to do.
bool hasTransfers(const Module &module);

} // namespace zpl::air

#endif // ZPL_TRANSFORMS_VERIFYTRANSFERS_H
