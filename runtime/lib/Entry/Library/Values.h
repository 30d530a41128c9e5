//===- Values.h - Arguments and results of calls ----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_LIBRARY_VALUES_H
#define ZRT_ENTRY_LIBRARY_VALUES_H

#include "zrt/Library.h"

#include <string>

namespace zrt {

/// Brings the arguments of a procedure, which processor 0 or every process has
/// from its caller, to where the program finds them. Collective, as all here.
void takeArguments(const zrtL_procedure &procedure);
/// Brings back what it has made of arrays.
void giveResults(const zrtL_procedure &procedure);

/// Copies all elements of an array to \p memory on processor 0 (with callers
/// everywhere: on all), in row-major order; or from there.
void getWhole(const zrt_array &array, void *memory);
void setWhole(zrt_array &array, const void *memory);

/// Whether \p given, of the caller, may be the argument for \p array; else why
/// not. Called on the caller's side, changes nothing.
bool suits(const zrt_array &array, const zpl_view *given, std::string &why);

/// The bytes that all elements take without gaps.
int64_t wholeBytes(const zrt_array &array);

/// This processor's block. \p why: set if there is none.
zpl_view ownView(const zrt_array &array, const char *&why);

} // namespace zrt

#endif // ZRT_ENTRY_LIBRARY_VALUES_H
