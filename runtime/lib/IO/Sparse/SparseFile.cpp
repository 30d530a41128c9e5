//===- SparseFile.cpp - Files of sparse arrays ----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     [Tri] writeln("%d ": A);       11 12
//                                    21 22 23
//                                    32 33
//
// Processor 0 has the elements in the order of the file (MergedElements) and
// writes them. What it reads goes to all, with the owners, slab by slab: an
// owner's elements come in the order in which it has them, so each takes those
// that are its own one after the other. Procedures that write or read elements
// are called on all processors, for the same reason.
//
//===----------------------------------------------------------------------===//

#include "IO/Sparse/SparseFile.h"

#include "Collective/Collective.h"
#include "IO/Binary/BinaryArray.h"
#include "IO/Checkpoint/Texts.h"
#include "IO/Sparse/MergedElements.h"
#include "IO/Text/ArrayReader.h"
#include "IO/Text/ValueReader.h"
#include "IO/Text/ValueText.h"
#include "Sparse/SparseArray.h"

#include <algorithm>

namespace zrt {

/// Elements of a slab of about 64 KiB.
static int64_t slabCount(const zrt_type &type) {
  return std::clamp<int64_t>((64 << 10) / std::max<int64_t>(type.size, 1), 16,
                             8192);
}

static char *elementOf(MergedSlab &slab, const zrt_type &type, int64_t k) {
  return slab.values.data() + k * type.size;
}

void writeSparse(Transport &transport, const zrt_array &array, File &file,
                 const Format *format) {
  MergedElements elements(transport, array, true);
  MergedSlab slab;
  std::string text;
  while (elements.next(slabCount(*array.type), slab)) {
    if (transport.rank() != 0)
      continue;
    text.clear();
    for (int64_t k = 0; k < slab.count; ++k) {
      appendValue(text, *array.type, elementOf(slab, *array.type, k), format,
                  true);
      if (slab.lineEnds[static_cast<size_t>(k)])
        text += '\n';
    }
    file.write(text);
  }
}

void writeSparseImages(Transport &transport, const zrt_array &array,
                       File &file) {
  MergedElements elements(transport, array, true);
  MergedSlab slab;
  while (elements.next(slabCount(*array.type), slab))
    if (transport.rank() == 0)
      file.write({slab.values.data(), slab.values.size()});
}

namespace {

/// Gives elements that all processors get to their owners.
class Dealer {
public:
  Dealer(Transport &transport, const zrt_array &array)
      : transport(transport), array(array) {}

  /// Makes what processor 0 knows of \p slab known to all.
  void tell(MergedSlab &slab) {
    auto count = static_cast<size_t>(slab.count);
    slab.owners.resize(count);
    slab.lineEnds.resize(count);
    slab.values.resize(count * static_cast<size_t>(array.type->size));
    broadcast(transport, slab.owners.data(), count * sizeof(int32_t));
    broadcast(transport, slab.lineEnds.data(), count);
    if (!slab.values.empty())
      broadcast(transport, slab.values.data(), slab.values.size());
  }
  /// Takes what is this processor's.
  void take(MergedSlab &slab) {
    ElementCopier copy(array.type->size);
    for (int64_t k = 0; k < slab.count; ++k)
      if (slab.owners[static_cast<size_t>(k)] == transport.rank() &&
          array.type->size > 0)
        copy(array.origin + taken++ * stepOf(array),
             elementOf(slab, *array.type, k));
  }

private:
  Transport &transport;
  const zrt_array &array;
  int64_t taken = 0;
};

} // namespace

void readSparse(Transport &transport, const zrt_array &array,
                StringArena &arena, File &file, const Format *format) {
  const zrt_type &type = *array.type;
  MergedElements elements(transport, array, false);
  Dealer dealer(transport, array);
  ValueReader reader(file.input, file.name());
  MergedSlab slab;
  while (elements.next(slabCount(type), slab)) {
    if (transport.rank() == 0) {
      slab.values.assign(static_cast<size_t>(slab.count * type.size), 0);
      for (int64_t k = 0; k < slab.count; ++k)
        reader.read(type, elementOf(slab, type, k), format);
    }
    if (hasStrings(type))
      makeStrings(transport, arena, reader.strings);
    dealer.tell(slab);
    dealer.take(slab);
  }
}

void readSparseImages(Transport &transport, const zrt_array &array,
                      File &file) {
  const zrt_type &type = *array.type;
  MergedElements elements(transport, array, false);
  Dealer dealer(transport, array);
  MergedSlab slab;
  int64_t before = 0;
  while (elements.next(slabCount(type), slab)) {
    if (transport.rank() == 0) {
      slab.values.resize(static_cast<size_t>(slab.count * type.size));
      size_t found = file.input.take(slab.values.data(), slab.values.size());
      if (found < slab.values.size())
        failShort(file, before + static_cast<int64_t>(found),
                  elements.total() * type.size);
      if (file.itemSum)
        file.itemSum->append(slab.values.data(), slab.values.size());
      adoptImages(file, type, slab.values.data(), slab.count, before);
    }
    before += slab.count * type.size;
    dealer.tell(slab);
    dealer.take(slab);
  }
}

void writeSparseTexts(Transport &transport, const zrt_array &array,
                      File &file) {
  MergedElements elements(transport, array, true);
  MergedSlab slab;
  while (elements.next(slabCount(*array.type), slab))
    if (transport.rank() == 0)
      file.write(imagesWithTexts(*array.type, slab.values.data(), slab.count));
}

void readSparseTexts(Transport &transport, const zrt_array &array,
                     StringArena &arena, File &file) {
  const zrt_type &type = *array.type;
  MergedElements elements(transport, array, false);
  Dealer dealer(transport, array);
  MergedSlab slab;
  while (elements.next(slabCount(type), slab)) {
    if (transport.rank() == 0)
      slab.values.resize(static_cast<size_t>(slab.count * type.size));
    readImagesWithTexts(transport, arena, file, type, slab.values.data(),
                        slab.count);
    dealer.tell(slab);
    dealer.take(slab);
  }
}

void writeSparseElements(Transport &transport, const zrt_array &array,
                         File &file, zrt_file number,
                         zrt_element_io procedure) {
  MergedElements elements(transport, array, true);
  Dealer dealer(transport, array);
  MergedSlab slab;
  while (elements.next(slabCount(*array.type), slab)) {
    dealer.tell(slab);
    for (int64_t k = 0; k < slab.count; ++k) {
      zrt_file own = number;
      procedure(&own, elementOf(slab, *array.type, k));
      if (slab.lineEnds[static_cast<size_t>(k)] && transport.rank() == 0)
        file.write("\n");
    }
  }
}

void readSparseElements(Transport &transport, const zrt_array &array,
                        zrt_file number, zrt_element_io procedure,
                        void (*settle)(const zrt_type &type, void *element)) {
  MergedElements elements(transport, array, true);
  Dealer dealer(transport, array);
  MergedSlab slab;
  while (elements.next(slabCount(*array.type), slab)) {
    dealer.tell(slab);
    for (int64_t k = 0; k < slab.count; ++k) {
      zrt_file own = number;
      procedure(&own, elementOf(slab, *array.type, k));
      settle(*array.type, elementOf(slab, *array.type, k));
    }
    dealer.take(slab);
  }
}

} // namespace zrt
