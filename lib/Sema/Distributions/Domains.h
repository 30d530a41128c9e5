//===- Domains.h - Which domain everything belongs to -----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_DISTRIBUTIONS_DOMAINS_H
#define ZPL_LIB_SEMA_DISTRIBUTIONS_DOMAINS_H

#include "Program/Instances.h"
#include "zpl/Support/Diagnostic.h"

namespace zpl::sema {

/// Fills Instance::domains, and reports statements that mix domains.
void checkDomains(const Program &program, const Surveyor &surveyor,
                  InstanceInfos &infos, DiagnosticEngine &diags);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_DISTRIBUTIONS_DOMAINS_H
