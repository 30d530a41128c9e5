//===- Legality.h - What each statement may access --------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Language appendix B, per instance.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_PROGRAM_LEGALITY_H
#define ZPL_LIB_SEMA_PROGRAM_LEGALITY_H

#include "Arrays/Borders.h"
#include "Program/Instances.h"
#include "zpl/Support/Diagnostic.h"

namespace zpl::sema {

/// Reports what is certainly illegal, and fills Instance::checked,
/// checkedSources and checkedArguments with what only the run can tell.
void checkLegality(const Program &program, const Surveyor &surveyor,
                   const BorderedParams &bordered, InstanceInfos &infos,
                   DiagnosticEngine &diags);

/// Reports regions that are stored in variables whose types exclude what the
/// covering region gives them (RegionKinds.cpp).
void checkStoredRegions(const Program &program, const Surveyor &surveyor,
                        InstanceInfos &infos, DiagnosticEngine &diags);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_PROGRAM_LEGALITY_H
