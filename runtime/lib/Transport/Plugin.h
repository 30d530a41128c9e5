//===- Plugin.h - The border between core and transport plug-in -*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSPORT_PLUGIN_H
#define ZRT_TRANSPORT_PLUGIN_H

#include "Transport.h"

namespace zrt {

/// What the core gives a plug-in.
struct PluginServices {
  int32_t version; ///< PluginVersion of the core
  /// Reports an error (a sentence without newline) as the program's and ends
  /// this process with status 1. Does not return.
  void (*fatal)(const char *message);
  /// Copies blocks to and from contiguous memory.
  void (*pack)(const MemoryBlock &from, char *to);
  void (*unpack)(const char *from, const MemoryBlock &to);
  /// Copies a block onto one of equal counts.
  void (*copy)(const MemoryBlock &from, const MemoryBlock &to);
  /// Private memory with the properties of Transport::allocate, from \p heap,
  /// which is the member below.
  void *(*allocate)(void *heap, size_t bytes);
  void (*release)(void *heap, void *memory, size_t bytes);
  void *heap;
};

inline constexpr int32_t PluginVersion = 1;

/// The one symbol of a plug-in, `zrt_transport_create`. \p processors is what
/// -p asked for, 0 if nothing. Never null: on failure it calls
/// services->fatal. The services outlive the transport.
using PluginCreate = Transport *(const PluginServices *services,
                                 int processors);

} // namespace zrt

#endif // ZRT_TRANSPORT_PLUGIN_H
