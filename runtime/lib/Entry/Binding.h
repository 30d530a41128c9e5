//===- Binding.h - Processors on cores --------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_BINDING_H
#define ZRT_ENTRY_BINDING_H

#include "Transport/Transport.h"

#include <string>

namespace zrt {

/// Collective: binds each processor to a core of its machine. Ends the run if
/// a system refuses.
void bindToCores(Transport &transport);

/// Collective: a line for each processor that says on which machine it is and
/// which hardware threads it may use. \p program begins each. The same on all.
std::string bindingText(Transport &transport, const std::string &program);

} // namespace zrt

#endif // ZRT_ENTRY_BINDING_H
