//===- Values.cpp - Arguments and results of calls ------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scalars lie in variables of C that the program reads and writes; workers get
// copies of them. Strings travel as texts.
//
// *Arrays.* The program has a global array for each parameter that is one. On
// one processor it borrows the caller's memory for the call, without a copy,
//
//     origin   the address that index 0 has, seen from the caller's first element
//     pitch    the caller's strides
//
// and keeps it until a call brings other memory: then its plans, which know
// addresses, are dropped. That can be if rows are dense and no element beside
// the region is stored (borders, what @^ reads). Else, and on several
// processors, elements are copied in and out: from the caller's whole array, or
// over a communicator from its own block.
//
// Cost: what is lent 20 ns, if it is the same memory as before; copies once
// through memory, or a message per slab and processor.
//
//===----------------------------------------------------------------------===//

#include "Entry/Library/Values.h"

#include "Collective/Collective.h"
#include "Entry/Library/Calls.h"
#include "Entry/Process.h"
#include "IO/Slabs.h"
#include "Transport/Blocks.h"

#include <cstdlib>
#include <cstring>

using namespace zrt;

namespace {

/// Elements in one message.
constexpr int64_t SlabElements = int64_t(1) << 17;

bool isAlone() { return process().transport->size() == 1; }

/// Whether this process has memory of a caller.
bool hasCaller() { return hasCallers() || process().isFirst(); }

MemoryBlock memoryOf(const zpl_view &view) {
  MemoryBlock block;
  block.base = static_cast<char *>(view.data);
  block.elementSize = view.size;
  block.rank = view.rank;
  for (int d = 0; d < view.rank; ++d) {
    block.count[d] = view.extent[d];
    block.stride[d] = view.stride[d];
  }
  return block;
}

/// All elements in row-major order without gaps.
zpl_view packedView(const zrt_array &array, void *memory) {
  zpl_view view = {};
  view.data = memory;
  view.rank = array.region.rank;
  view.size = array.type->size;
  Box whole = boxOf(array.region);
  int64_t stride = view.size;
  for (int d = view.rank - 1; d >= 0; --d) {
    view.extent[d] = size(whole.dim[d]);
    view.stride[d] = stride;
    stride *= view.extent[d];
  }
  return view;
}

/// The part of a view of the whole array that \p box is.
MemoryBlock partOf(const zpl_view &view, const zrt_array &array,
                   const Box &box) {
  MemoryBlock block = memoryOf(view);
  Box whole = boxOf(array.region);
  for (int d = 0; d < view.rank; ++d) {
    int64_t place = (box.dim[d].lo - whole.dim[d].lo) / whole.dim[d].stride;
    block.base += place * block.stride[d];
    block.count[d] = size(box.dim[d]);
  }
  return block;
}

} // namespace

int64_t zrt::wholeBytes(const zrt_array &array) {
  return size(boxOf(array.region)) * array.type->size;
}

// --- Whole arrays -----------------------------------------------------------

/// From or to the \p view of the whole, which is on processor 0.
static void moveWhole(zrt_array &array, const zpl_view &view, bool isIn) {
  Process &p = process();
  const zrt_region &region = array.region;
  ArrayIO io = {*p.transport, p.distribution(region), array, region};
  SlabSequence slabs(io.region, SlabElements);
  std::vector<char> buffer;
  Box slab;
  while (slabs.next(slab)) {
    auto bytes = static_cast<size_t>(size(slab) * array.type->size);
    buffer.resize(p.isFirst() ? bytes : 0);
    if (isIn) {
      if (p.isFirst())
        packBlock(partOf(view, array, slab), buffer.data());
      scatterSlab(io, slab, 0, buffer.data());
    } else {
      gatherSlab(io, slab, 0, buffer.data());
      if (p.isFirst())
        unpackBlock(buffer.data(), partOf(view, array, slab));
    }
  }
}

void zrt::getWhole(const zrt_array &array, void *memory) {
  moveWhole(const_cast<zrt_array &>(array), packedView(array, memory), false);
  if (hasCallers() && !isAlone())
    broadcast(*process().transport, memory,
              static_cast<size_t>(wholeBytes(array)));
}

void zrt::setWhole(zrt_array &array, const void *memory) {
  moveWhole(array, packedView(array, const_cast<void *>(memory)), true);
}

// --- Arrays as arguments ----------------------------------------------------

/// What a caller's view must have: the whole array, or its own block.
static zpl_view wanted(const zrt_array &array) {
  const char *why = nullptr;
  zpl_view view = ownView(array, why);
  if (!hasCallers())
    for (int d = 0; d < view.rank; ++d)
      view.extent[d] = view.whole[d];
  return view;
}

static std::string shapeText(const zpl_view &view) {
  std::string text = "(";
  for (int d = 0; d < view.rank; ++d)
    text += (d ? ", " : "") + std::to_string(view.extent[d]);
  return text + ")";
}

static bool isEmptyView(const zpl_view &view) {
  for (int d = 0; d < view.rank; ++d)
    if (view.extent[d] == 0)
      return true;
  return false;
}

bool zrt::suits(const zrt_array &array, const zpl_view *given,
                std::string &why) {
  const char *noBlock = nullptr;
  ownView(array, noBlock);
  zpl_view need = wanted(array);
  if (noBlock)
    why = noBlock;
  else if (!given)
    why = "there is no view";
  else if (given->rank != need.rank || given->rank > ZPL_MAX_RANK)
    why = "it has " + std::to_string(given->rank) + " dimensions, not " +
          std::to_string(need.rank);
  else if (given->type != need.type || given->size != need.size)
    why = "its elements are not of type " + std::string(array.type->name);
  else if (memcmp(given->extent, need.extent,
                  static_cast<size_t>(need.rank) * sizeof(int64_t)) != 0)
    why = "its shape is " + shapeText(*given) + ", not " + shapeText(need);
  else if (!given->data && !isEmptyView(need))
    why = "there is no memory";
  return why.empty();
}

/// Whether the array may have the memory of \p view.
static bool mayLend(const zrt_array &array, const zpl_view &view) {
  if (!isAlone() || isEmptyView(view) || array.region.floods != 0)
    return false;
  Box whole = boxOf(array.region);
  for (int d = 0; d < view.rank; ++d) {
    Seq positions = positionsOf(whole.dim[d], array.region.dim[d]);
    bool isLast = d == view.rank - 1;
    if (array.stored[d].lo < positions.lo ||
        array.stored[d].hi > positions.hi || view.stride[d] % view.size != 0 ||
        view.stride[d] < view.size || (isLast && view.stride[d] != view.size))
      return false;
  }
  return true;
}

/// Addresses have changed: what knows the old ones goes.
static void renew(zrt_array &array) {
  Process &p = process();
  p.dropPlansOf(array.id);
  array.id = ++p.lastArrayId;
}

static void lend(zrt_array &array, const zpl_view &view, Lent &lent) {
  bool isSame = lent.data == view.data;
  for (int d = 0; d < view.rank; ++d)
    isSame &= array.pitch[d] == view.stride[d];
  if (isSame)
    return;
  if (!lent.data) {
    lent.origin = array.origin;
    memcpy(lent.pitch, array.pitch, sizeof lent.pitch);
  }
  lent.data = view.data;
  array.origin = static_cast<char *>(view.data);
  for (int d = 0; d < view.rank; ++d) {
    array.pitch[d] = view.stride[d];
    array.origin -=
        positionsOf(boxOf(array.region).dim[d], array.region.dim[d]).lo *
        view.stride[d];
  }
  renew(array);
}

/// The array gets its own memory again.
static void reclaim(zrt_array &array, Lent &lent) {
  if (!lent.data)
    return;
  array.origin = lent.origin;
  memcpy(array.pitch, lent.pitch, sizeof lent.pitch);
  lent = Lent();
  renew(array);
}

/// Copies between the caller's memory and the array.
static void copyArray(zrt_array &array, const zpl_view *view, bool isIn) {
  if (!hasCallers() && !isAlone())
    return moveWhole(array, view ? *view : zpl_view(), isIn);
  const char *why = nullptr;
  zpl_view own = ownView(array, why);
  if (!own.data)
    return;
  if (isIn)
    copyBlock(memoryOf(*view), memoryOf(own));
  else
    copyBlock(memoryOf(own), memoryOf(*view));
}

static void takeArray(const zrtL_parameter &param) {
  LibraryState &l = library();
  zrt_array &array = *l.exports->arrays[param.array];
  Lent &lent = l.lent[static_cast<size_t>(param.array)];
  const zpl_view *view =
      hasCaller() ? *static_cast<zpl_view **>(param.place) : nullptr;
  if (view && mayLend(array, *view))
    return lend(array, *view, lent);
  reclaim(array, lent);
  if (param.mode & ZRTL_IN)
    copyArray(array, view, /*isIn=*/true);
}

// --- Arguments --------------------------------------------------------------

/// Workers have a text of their own in place of the caller's.
static void takeString(const zrtL_parameter &param) {
  Process &p = process();
  auto &place = *static_cast<const char **>(param.place);
  uint64_t length = hasCaller() ? strlen(place) + 1 : 0;
  broadcast(*p.transport, &length, sizeof length);
  if (!p.isFirst())
    place =
        static_cast<const char *>(realloc(const_cast<char *>(place), length));
  broadcast(*p.transport, const_cast<char *>(place), length);
}

void zrt::takeArguments(const zrtL_procedure &procedure) {
  bool hasWorkers = !hasCallers() && !isAlone();
  for (int64_t k = 0; k < procedure.count; ++k) {
    const zrtL_parameter &param = procedure.params[k];
    if (param.kind == ZRTL_ARRAY)
      takeArray(param);
    else if (!hasWorkers || !(param.mode & ZRTL_IN))
      continue;
    else if (param.kind == ZRTL_STRING)
      takeString(param);
    else
      broadcast(*process().transport, param.place,
                static_cast<size_t>(param.bytes));
  }
}

void zrt::giveResults(const zrtL_procedure &procedure) {
  LibraryState &l = library();
  for (int64_t k = 0; k < procedure.count; ++k) {
    const zrtL_parameter &param = procedure.params[k];
    if (param.kind != ZRTL_ARRAY || !(param.mode & ZRTL_OUT) ||
        l.lent[static_cast<size_t>(param.array)].data)
      continue;
    zrt_array &array = *l.exports->arrays[param.array];
    const zpl_view *view =
        hasCaller() ? *static_cast<zpl_view **>(param.place) : nullptr;
    copyArray(array, view, /*isIn=*/false);
  }
}
