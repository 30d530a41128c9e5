//===- Memory.h - Values in memory ------------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How values lie in memory: as C lays them out. See Memory.cpp.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_INTERPRET_MEMORY_H
#define ZPL_LIB_INTERPRET_MEMORY_H

#include "Run.h"

namespace zpl::interpreter {

/// What the bound of an indexed array is now: a constant or a variable.
int64_t boundOf(Run &run, const sema::TypeBound &bound);

/// In bytes, what a value of \p type takes: at least 0, padding included.
int64_t sizeOf(Run &run, Type type);

/// In bytes, where field number \p field of \p record begins.
int64_t offsetOf(Run &run, const sema::TypeInfo &record, unsigned field);

/// How many elements an indexed array has, of all its dimensions; at least 0.
int64_t elementCount(Run &run, const sema::TypeInfo &array);

/// The value of \p type at \p address.
Value load(Run &run, Type type, const char *address);

/// Puts a value of \p type at \p address.
void store(Type type, char *address, const Value &value);

/// \p size zero bytes that live as long as \p owner.
char *allocate(Frame &owner, int64_t size);

/// The one copy of a text, which lives as long as the run.
const std::string *intern(Memory &memory, std::string text);

} // namespace zpl::interpreter

#endif // ZPL_LIB_INTERPRET_MEMORY_H
