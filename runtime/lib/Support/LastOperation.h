//===- LastOperation.h - What a processor did last, in words ----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_SUPPORT_LASTOPERATION_H
#define ZRT_SUPPORT_LASTOPERATION_H

#include "Support/Operation.h"

#include <string>
#include <vector>

namespace zrt {

/// "in transfer at jacobi.z:35:12", "after reduction at jacobi.z:40:9", or
/// "before its first operation". The state may be that of another processor
/// that has overwritten it with anything.
std::string lastOperation(const OperationState &state);

/// The report that no processor can advance, from what \p doing says of each.
/// Processors that do the same share a line:
///
///     no processor can advance
///       processors 0-2 and 5: waiting in transfer at a.z:3:4
///       processor 3: ended
std::string hangReport(const std::vector<std::string> &doing);

} // namespace zrt

#endif // ZRT_SUPPORT_LASTOPERATION_H
