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

  /// For a plug-in over MPI: the processes of this communicator, a Fortran
  /// handle, are the processors, and whoever has made it ends MPI. Null: all
  /// processes are, and the plug-in begins and ends MPI.
  const int *communicator;
};

/// Counts up with every change of the layout or meaning of Transport, Exchange
/// and PluginServices.
inline constexpr int32_t PluginVersion = 7;

/// A plug-in exports one C function, `zrt_transport_create`, which starts it;
/// on failure it calls services->fatal, so it never returns null. The services
/// outlive the transport.
using PluginCreate = Transport *(const PluginServices *services);

/// The version that it was compiled with stands in the file as an ELF note by
/// this owner and of this type. With another one than the core's, or none, the
/// file is not loaded.
inline constexpr char PluginNoteOwner[4] = {'Z', 'R', 'T', 0};
inline constexpr uint32_t PluginNoteType = 1;

struct PluginNote {
  uint32_t ownerSize, versionSize, type;
  char owner[4];
  int32_t version;
};

/// Defines the function, for a class that is made from the services, and the
/// note.
#define ZRT_TRANSPORT_PLUGIN(Class)                                            \
  __attribute__((section(".note.zrt"), used,                                   \
                 aligned(4))) static const zrt::PluginNote zrtPluginNote = {   \
      4, 4, zrt::PluginNoteType, {'Z', 'R', 'T', 0}, zrt::PluginVersion};      \
  extern "C" __attribute__((visibility("default"))) zrt::Transport *           \
  zrt_transport_create(const zrt::PluginServices *services) {                  \
    return new Class(services);                                                \
  }

} // namespace zrt

#endif // ZRT_TRANSPORT_PLUGIN_H
