//===- Verifier.h - The rules of the array IR -------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_ARRAYIR_VERIFIER_H
#define ZPL_ARRAYIR_VERIFIER_H

#include "zpl/ArrayIR/ArrayIR.h"

namespace zpl::air {

/// Holds \p module to the rules of docs/ArrayIR.md, "What the verifier
/// checks": names, types, ranks and shapes, agreement of calls with their
/// procedures, what may stand in element code, what each form allows, control
/// flow, walkers, the four points of transfers. Whether shifted elements have
/// been transferred is a question of data flow: verifyTransfers
/// (zpl/Transforms/VerifyTransfers.h).
///
/// False at the first broken rule, with \p error (may be null) saying which,
/// in lower case without a full stop, and \p where (may be null) its place.
/// Null operands, names of another procedure and the like are found, not
/// stumbled over; null entries in the module's own lists are not.
bool verify(const Module &module, std::string *error = nullptr,
            SourceRange *where = nullptr);

/// Whether a condition behind `where each` may read the element: one at its own
/// index, of a dense array of bools or numbers that are not complex, which is
/// neither strided nor scattered and has no element per processor.
bool isReadBesideIndices(const ElementExpr &element);

} // namespace zpl::air

#endif // ZPL_ARRAYIR_VERIFIER_H
