//===- StaticLink.h - Was this executable linked with -static?  -*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The C library's dlopen() in an executable without a dynamic loader needs the
/// very same C library where it runs, and what it loads may find functions of
/// another one: what would be loaded is refused instead.
///
//===----------------------------------------------------------------------===//

#ifndef ZRT_FORMATS_STATICLINK_H
#define ZRT_FORMATS_STATICLINK_H

#include <sys/auxv.h>

namespace zrt {

/// True if the kernel started this executable without a dynamic loader.
inline bool isLinkedStatically() { return getauxval(AT_BASE) == 0; }

} // namespace zrt

#endif // ZRT_FORMATS_STATICLINK_H
