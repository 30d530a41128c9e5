//===- Plugin.h - The border between core and transport plug-in -*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSPORT_PLUGIN_H
#define ZRT_TRANSPORT_PLUGIN_H

#include "Transport.h"
#include "Transport/PluginId.h"

namespace zrt {

/// What the core gives a plug-in.
struct PluginServices {
  /// Reports an error (a sentence without newline) as the program's and ends
  /// this process with status 1. Does not return.
  void (*fatal)(const char *message);
  /// The same for a mistake in the way the program was started, which all
  /// processes find: one of them reports it, and the status is 2.
  void (*refuse)(const char *message);
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

  /// -p, for a plug-in that starts its processors by itself; 0: not given.
  int processors;
  /// --watchdog: for how many seconds a processor may keep others waiting
  /// without using processor time; 0: for ever.
  double watchdog;
  /// Writes what this processor does, or did last, as a phrase: "in transfer at
  /// jacobi.z:35:12".
  void (*lastOperation)(char *text, size_t bytes);
  /// As `fatal`, on processor 0, for a run in which nobody can advance: \p
  /// doing says of each of the \p processors what it does.
  void (*fatalHang)(const char *const *doing, int processors);
};

/// Counts up with every change of the layout or meaning of Transport, Exchange
/// and PluginServices.
inline constexpr int32_t PluginVersion = 6;

/// What a plug-in says of itself in its file, as an ELF note: the program reads
/// it before it loads anything. No version changes the layout of the note.
struct PluginNote {
  uint32_t nameBytes = sizeof(name);
  uint32_t valueBytes = sizeof(version) + sizeof(id);
  uint32_t type = 1;
  char name[4] = "zrt";
  int32_t version = PluginVersion;
  char id[20] = ZRT_PLUGIN_ID; ///< of the headers; 16 digits and zeros
};

/// A plug-in has the note, with version and id of the program, and exports one
/// C function. `zrt_transport_create` starts it; on failure it calls
/// services->fatal, so it never returns null. The services outlive the
/// transport.
using PluginCreate = Transport *(const PluginServices *services);

/// Defines both for a class that is made from the services.
#define ZRT_TRANSPORT_PLUGIN(Class)                                            \
  extern "C" __attribute__((                                                   \
      section(".note.zrt"), used, aligned(4),                                  \
      visibility("hidden"))) constexpr zrt::PluginNote zrt_transport_note{};   \
  extern "C" __attribute__((visibility("default"))) zrt::Transport *           \
  zrt_transport_create(const zrt::PluginServices *services) {                  \
    return new Class(services);                                                \
  }

} // namespace zrt

#endif // ZRT_TRANSPORT_PLUGIN_H
