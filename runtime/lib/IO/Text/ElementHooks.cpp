//===- ElementHooks.cpp - Arrays written by procedures --------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// After `bind_write_func(A, show)`, `write(f, A)` calls show(f, e) for each
// element e, on all processors, since show is a procedure of the language: its
// scalars are replicated, and it may write to f. So every processor gets every
// element, a slab at a time:
//
//     gather 16 KiB to processor 0, broadcast, call for each element
//
// For reading the elements' old values come first (the parameter is inout), and
// what the procedure leaves goes to the owners. The cost is that of the calls.
//
//===----------------------------------------------------------------------===//

#include "IO/Text/ElementHooks.h"

#include "Collective/Collective.h"
#include "IO/Text/ArrayWriter.h"

namespace zrt {

static constexpr int64_t HookSlabBytes = 16 * 1024;

static void set(std::unordered_map<uint64_t, zrt_element_io> &hooks,
                uint64_t array, zrt_element_io procedure) {
  if (procedure)
    hooks[array] = procedure;
  else
    hooks.erase(array);
}

static zrt_element_io
find(const std::unordered_map<uint64_t, zrt_element_io> &hooks,
     uint64_t array) {
  auto found = hooks.find(array);
  return found == hooks.end() ? nullptr : found->second;
}

void ElementHooks::setWriter(const zrt_array &array, zrt_element_io procedure) {
  set(writers, array.id, procedure);
}

void ElementHooks::setReader(const zrt_array &array, zrt_element_io procedure) {
  set(readers, array.id, procedure);
}

zrt_element_io ElementHooks::writer(const zrt_array &array) const {
  return find(writers, array.id);
}

zrt_element_io ElementHooks::reader(const zrt_array &array) const {
  return find(readers, array.id);
}

void ElementHooks::move(uint64_t from, uint64_t to) {
  for (auto *hooks : {&writers, &readers})
    if (zrt_element_io procedure = find(*hooks, from))
      hooks->emplace(to, procedure);
  drop(from);
}

void ElementHooks::drop(uint64_t array) {
  writers.erase(array);
  readers.erase(array);
}

/// Calls \p body with each slab, whose elements are in the buffer everywhere.
template <typename Body>
static void forReplicatedSlabs(ArrayIO &io, Body body) {
  int64_t bytes = std::max<int64_t>(io.array.type->size, 1);
  SlabSequence slabs(io.region, HookSlabBytes / bytes);
  std::vector<char> elements;
  Box slab;
  while (slabs.next(slab)) {
    elements.resize(static_cast<size_t>(size(slab) * bytes));
    gatherSlab(io, slab, 0, elements.data());
    broadcast(io.transport, elements.data(), elements.size());
    body(slab, elements);
  }
}

void writeElements(ArrayIO &io, File &file, zrt_file number,
                   zrt_element_io procedure) {
  int64_t line = lineLength(io.region), inLine = 0;
  forReplicatedSlabs(io, [&](const Box &slab, std::vector<char> &elements) {
    for (int64_t k = 0; k < size(slab); ++k) {
      zrt_file own = number;
      procedure(&own, elements.data() + k * io.array.type->size);
      inLine = (inLine + 1) % line;
      if (inLine == 0 && io.transport.rank() == 0)
        file.write("\n");
    }
  });
}

void readElements(ArrayIO &io, zrt_file number, zrt_element_io procedure,
                  void (*settle)(const zrt_type &type, void *element)) {
  forReplicatedSlabs(io, [&](const Box &slab, std::vector<char> &elements) {
    for (int64_t k = 0; k < size(slab); ++k) {
      zrt_file own = number;
      procedure(&own, elements.data() + k * io.array.type->size);
      settle(*io.array.type, elements.data() + k * io.array.type->size);
    }
    scatterSlab(io, slab, 0, elements.data());
  });
}

} // namespace zrt
