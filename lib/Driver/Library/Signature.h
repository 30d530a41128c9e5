//===- Signature.h - The C function of a procedure --------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What header and glue have in common.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_DRIVER_LIBRARY_SIGNATURE_H
#define ZPL_LIB_DRIVER_LIBRARY_SIGNATURE_H

#include "Library/Exports.h"

namespace zpl::driver {

/// `double kernel_step(const zpl_view *X, int k)`
std::string signature(const Exports &exports,
                      const ExportedProcedure &procedure);

} // namespace zpl::driver

#endif // ZPL_LIB_DRIVER_LIBRARY_SIGNATURE_H
