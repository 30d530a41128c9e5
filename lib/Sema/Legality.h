//===- Legality.h - Accesses outside of declared regions --------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Dissertation appendix E.1 to E.3 for ranges and singletons, per instance.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_SEMA_LEGALITY_H
#define ZPL_SEMA_LEGALITY_H

#include "Instances.h"
#include "zpl/Support/Diagnostic.h"

namespace zpl::sema {

/// Reports what is certainly illegal, and fills Instance::checked and
/// Instance::checkedArguments with what only the run can tell.
void checkLegality(const Program &program, const Surveyor &surveyor,
                   InstanceInfos &infos, DiagnosticEngine &diags);

} // namespace zpl::sema

#endif // ZPL_SEMA_LEGALITY_H
