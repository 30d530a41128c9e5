//===- BinaryArray.cpp - Memory images of arrays --------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In a binary file every element has a known offset, so all processors work on
// a regular file at once. How depends on the pieces of the file that one
// processor owns, which are known to all:
//
//   - long pieces, of [1..n, 1..n] on two processors one half of the file each,
//     are written by their owner, a megabyte at a time, straight from the array
//     where it lies together in memory; nobody waits for anybody.
//   - short ones, half a row each on a 2 x 2 grid, would be a call of the
//   system
//     each. The file is cut into slabs of a megabyte in row-major order, which
//     are taken in rounds, one slab per owner: first each owner gathers one
//     slab, then all write theirs at the same time.
//
// Reading is the same backwards. Pipes go through processor 0, slab by slab.
//
// What is read may be no values of the type (ForeignValues).
//
// Memory: a slab and a message. Cost: that of the system, and for short pieces
// two copies more.
//
//===----------------------------------------------------------------------===//

#include "IO/Binary/BinaryArray.h"

#include "Collective/Collective.h"
#include "IO/Binary/ForeignValues.h"
#include "IO/Descriptor.h"
#include "IO/OrderedOutput.h"
#include "Layout/Type.h"
#include "Memory/Array.h"
#include "Support/Error.h"
#include "Transport/Blocks.h"

#include <cinttypes>
#include <cstring>
#include <sys/stat.h>

namespace zrt {

static constexpr int64_t BinarySlabBytes = 1024 * 1024;
static constexpr int64_t LongPiece = 32 * 1024;

bool hasImage(const zrt_type &type, std::string &error) {
  if (type.kind == ZRT_ARRAY)
    return hasImage(*type.element, error);
  if (type.kind == ZRT_RECORD || type.kind == ZRT_UNION) {
    for (int32_t k = 0; k < type.count; ++k)
      if (!hasImage(*type.fields[k].type, error))
        return false;
    return true;
  }
  if (type.kind != ZRT_STR && type.kind != ZRT_FILE && type.kind != ZRT_OPAQUE)
    return true;
  error = std::string("values of type ") + type.name +
          " cannot be stored in binary";
  return false;
}

namespace {

/// Consecutive slabs with the same owners, one for each of them at most.
struct Round {
  std::vector<int> owners;
  std::vector<Box> slabs;
  int64_t offset = 0; ///< of the first slab, from the start of the array
};

/// The rounds of an array, in order. Pure.
class RoundSequence {
public:
  explicit RoundSequence(const ArrayIO &io)
      : io(io),
        slabs(io.region,
              BinarySlabBytes / std::max<int64_t>(io.array.type->size, 1)) {
    advance();
  }

  bool next(Round &round) {
    round.slabs.clear();
    if (!more)
      return false;
    round.owners = owners;
    round.offset = offset;
    while (more && round.slabs.size() < round.owners.size() &&
           owners == round.owners) {
      round.slabs.push_back(slab);
      offset += size(slab) * io.array.type->size;
      advance();
    }
    return true;
  }

private:
  void advance() {
    more = slabs.next(slab);
    if (more)
      owners = io.writers(slab);
  }

  const ArrayIO &io;
  SlabSequence slabs;
  Box slab;
  std::vector<int> owners; ///< its writers
  bool more = false;
  int64_t offset = 0;
};

/// This processor's work in a round: the slab that it brings to the file.
struct Share {
  const Box *slab = nullptr;
  int64_t offset = 0; ///< from the start of the array
};

Share shareOf(const ArrayIO &io, const Round &round) {
  Share share;
  share.offset = round.offset;
  for (size_t k = 0; k < round.slabs.size(); ++k) {
    if (round.owners[k] == io.transport.rank()) {
      share.slab = &round.slabs[k];
      break;
    }
    share.offset += size(round.slabs[k]) * io.array.type->size;
  }
  return share;
}

/// The elements of \p box, held here, if they lie together in memory; else
/// null.
char *elementsTogether(const ArrayIO &io, const Box &box) {
  MemoryBlock block = blockOf(io.array, box, 0);
  bool together = block.rank == 1 && block.stride[0] == block.elementSize;
  return together ? block.base : nullptr;
}

int64_t bytesOf(const ArrayIO &io, const Box &box) {
  return size(box) * io.array.type->size;
}

/// Elements of \p part that follow each other in the file.
int64_t pieceLength(const ArrayIO &io, const Box &part) {
  int64_t length = 1;
  for (int d = part.rank - 1; d >= 0; --d) {
    length *= size(part.dim[d]);
    if (!(part.dim[d] == io.region.dim[d]))
      break;
  }
  return length;
}

/// Whether all processors own long pieces of the file. Pure.
bool hasLongPieces(const ArrayIO &io) {
  for (int owner : io.writers(io.region)) {
    Box part = io.held(io.region, owner);
    if (!(part == io.region) &&
        pieceLength(io, part) * io.array.type->size < LongPiece)
      return false;
  }
  return true;
}

/// Offset of the first element of \p box from the start of the array.
int64_t offsetOf(const ArrayIO &io, const Box &box) {
  int64_t index = 0;
  for (int d = 0; d < box.rank; ++d)
    index = index * size(io.region.dim[d]) +
            (box.dim[d].lo - io.region.dim[d].lo) / io.region.dim[d].stride;
  return index * io.array.type->size;
}

/// Calls \p body with boxes of \p part that are one piece of the file each.
template <typename Body>
void forPieces(const ArrayIO &io, const Box &part, Body body) {
  int64_t most = BinarySlabBytes / std::max<int64_t>(io.array.type->size, 1);
  SlabSequence pieces(part, std::min(most, pieceLength(io, part)));
  Box piece;
  while (pieces.next(piece))
    body(piece);
}

/// Where a parallel statement works, the same on all processors.
struct Place {
  int64_t position = 0;
  int64_t available = 0; ///< bytes from there to the end of the file
};

Place findPlace(Transport &transport, File &file) {
  Place place;
  if (transport.rank() == 0) {
    place.position = file.position();
    struct stat status;
    if (fstat(file.descriptor(), &status) == 0)
      place.available = status.st_size - place.position;
  }
  broadcast(transport, &place, sizeof place);
  return place;
}

/// Tells who sums the file's images of those at \p data, \p offset bytes from
/// the start of the array.
void addToSum(const File &file, const char *data, size_t bytes,
              int64_t offset) {
  if (file.itemSum)
    file.itemSum->sum.add(data, bytes, file.itemSum->at + offset);
}

void checkForeign(const File &file, const zrt_type &type,
                  const ForeignValue &found) {
  if (found.offset != ForeignValue::Nowhere)
    fatal(file.loc(), ErrorScope::Replicated,
          "%s holds %" PRId64 " at byte %" PRId64 " of what is read, which is "
          "no value of type %s",
          file.name().c_str(), found.value, found.offset,
          typeText(enumerationAt(type, found.offset)).c_str());
}

/// Checks what the processors have found, of which the first one counts.
void checkForeign(const ArrayIO &io, const File &file, ForeignValue found) {
  if (!hasForeignValues(*io.array.type))
    return;
  int64_t own = found.offset;
  reduce(io.transport, &found.offset, ZRT_I64, ZRT_MIN);
  if (found.offset != own || own == ForeignValue::Nowhere)
    found.value = INT64_MIN;
  reduce(io.transport, &found.value, ZRT_I64, ZRT_MAX);
  checkForeign(file, *io.array.type, found);
}

/// Images at \p bytes, which begin \p offset bytes after the start of the
/// array.
void adopt(const ArrayIO &io, char *bytes, size_t length, int64_t offset,
           ForeignValue &first) {
  const zrt_type &type = *io.array.type;
  if (hasForeignValues(type))
    adopt(type, bytes, static_cast<int64_t>(length) / type.size, offset, first);
}

/// Writes bytes of the array, \p offset bytes from its start, and sums them if
/// they are a checkpoint's, which will have to be on the disk; errno of a
/// failure.
int writePiece(File &file, const char *data, size_t bytes, int64_t position,
               int64_t offset) {
  addToSum(file, data, bytes, offset);
  int error = writeFullyAt(file.descriptor(), data, bytes, position + offset);
  if (file.itemSum)
    beginSync(file.descriptor(), position + offset, bytes);
  return error;
}

/// Writes this processor's pieces; errno of a failure.
int writeOwnPieces(ArrayIO &io, File &file, int64_t position) {
  int error = 0;
  std::vector<char> buffer;
  Box part = io.written(io.region, io.transport.rank());
  forPieces(io, part, [&](const Box &piece) {
    if (error != 0)
      return;
    size_t bytes = static_cast<size_t>(bytesOf(io, piece));
    const char *data = elementsTogether(io, piece);
    if (!data) {
      buffer.resize(bytes);
      packBlock(blockOf(io.array, piece), buffer.data());
      data = buffer.data();
    }
    error = writePiece(file, data, bytes, position, offsetOf(io, piece));
  });
  return error;
}

int writeRounds(ArrayIO &io, File &file, int64_t position) {
  RoundSequence rounds(io);
  std::vector<char> buffer;
  int error = 0;
  Round round;
  while (rounds.next(round)) {
    Share share = shareOf(io, round);
    if (share.slab)
      buffer.resize(static_cast<size_t>(bytesOf(io, *share.slab)));
    for (size_t k = 0; k < round.slabs.size(); ++k)
      gatherSlab(io, round.slabs[k], round.owners[k], buffer.data());
    if (share.slab && error == 0)
      error = writePiece(file, buffer.data(), buffer.size(), position,
                         share.offset);
  }
  return error;
}

/// Reads this processor's pieces. The errno of a failure, or -1.
int readOwnPieces(ArrayIO &io, File &file, int64_t position,
                  ForeignValue &foreign) {
  int error = 0;
  std::vector<char> buffer;
  Box part = io.held(io.region, io.transport.rank());
  // Of flooded elements one processor has the sum.
  bool sums = !isEmpty(io.written(io.region, io.transport.rank()));
  forPieces(io, part, [&](const Box &piece) {
    size_t bytes = static_cast<size_t>(bytesOf(io, piece));
    char *data = elementsTogether(io, piece);
    if (!data)
      buffer.resize(bytes);
    if (error == 0)
      error = readFullyAt(file.descriptor(), data ? data : buffer.data(), bytes,
                          position + offsetOf(io, piece));
    if (sums)
      addToSum(file, data ? data : buffer.data(), bytes, offsetOf(io, piece));
    adopt(io, data ? data : buffer.data(), bytes, offsetOf(io, piece), foreign);
    if (!data)
      unpackBlock(buffer.data(), blockOf(io.array, piece));
  });
  return error;
}

int readRounds(ArrayIO &io, File &file, int64_t position,
               ForeignValue &foreign) {
  RoundSequence rounds(io);
  std::vector<char> buffer;
  int error = 0;
  Round round;
  while (rounds.next(round)) {
    Share share = shareOf(io, round);
    if (share.slab) {
      buffer.resize(static_cast<size_t>(bytesOf(io, *share.slab)));
      int result = readFullyAt(file.descriptor(), buffer.data(), buffer.size(),
                               position + share.offset);
      error = error ? error : result;
      addToSum(file, buffer.data(), buffer.size(), share.offset);
      adopt(io, buffer.data(), buffer.size(), share.offset, foreign);
    }
    for (size_t k = 0; k < round.slabs.size(); ++k)
      scatterSlab(io, round.slabs[k], round.owners[k], buffer.data());
  }
  return error;
}

void writeAtOffsets(ArrayIO &io, File &file) {
  Place place = findPlace(io.transport, file);
  int error = hasLongPieces(io) ? writeOwnPieces(io, file, place.position)
                                : writeRounds(io, file, place.position);
  checkWritten(io.transport, file, error);
  if (file.itemSum)
    file.itemSum->at += bytesOf(io, io.region);
  if (io.transport.rank() == 0)
    file.setPosition(place.position + bytesOf(io, io.region));
}

void readAtOffsets(ArrayIO &io, File &file) {
  Place place = findPlace(io.transport, file);
  int64_t total = bytesOf(io, io.region);
  if (place.available < total)
    failShort(file, place.available, total);
  ForeignValue foreign;
  int32_t error = hasLongPieces(io)
                      ? readOwnPieces(io, file, place.position, foreign)
                      : readRounds(io, file, place.position, foreign);
  if (error < 0)
    error = EIO; // somebody has cut off the file meanwhile
  reduce(io.transport, &error, ZRT_I32, ZRT_MAX);
  if (error != 0)
    fatal(file.loc(), ErrorScope::Replicated, "cannot read from %s: %s",
          file.name().c_str(), std::strerror(error));
  checkForeign(io, file, foreign);
  if (file.itemSum)
    file.itemSum->at += total;
  if (io.transport.rank() == 0)
    file.setPosition(place.position + total);
}

/// Through processor 0; \p body works on a slab in its memory there.
template <typename Body> void forSlabs(ArrayIO &io, Body body) {
  int64_t bytes = std::max<int64_t>(io.array.type->size, 1);
  SlabSequence slabs(io.region, BinarySlabBytes / bytes);
  std::vector<char> buffer;
  Box slab;
  while (slabs.next(slab)) {
    if (io.transport.rank() == 0)
      buffer.resize(static_cast<size_t>(size(slab) * io.array.type->size));
    body(slab, buffer);
  }
}

} // namespace

void failShort(const File &file, int64_t found, int64_t wanted) {
  fatal(file.loc(), ErrorScope::Replicated,
        "%s ends after %" PRId64 " of %" PRId64 " bytes to be read",
        file.name().c_str(), std::max<int64_t>(found, 0), wanted);
}

void adoptImages(const File &file, const zrt_type &type, char *bytes,
                 int64_t count, int64_t offset) {
  if (!hasForeignValues(type))
    return;
  ForeignValue foreign;
  adopt(type, bytes, count, offset, foreign);
  checkForeign(file, type, foreign);
}

void writeImages(ArrayIO &io, File &file) {
  if (file.isShared(io.transport))
    return writeAtOffsets(io, file);
  forSlabs(io, [&](const Box &slab, std::vector<char> &buffer) {
    gatherSlab(io, slab, 0, buffer.data(), /*onRequest=*/true);
    if (io.transport.rank() == 0)
      file.write({buffer.data(), buffer.size()});
  });
}

void readImages(ArrayIO &io, File &file) {
  if (file.isShared(io.transport))
    return readAtOffsets(io, file);
  int64_t done = 0;
  forSlabs(io, [&](const Box &slab, std::vector<char> &buffer) {
    if (io.transport.rank() == 0) {
      size_t found = file.input.take(buffer.data(), buffer.size());
      done += static_cast<int64_t>(found);
      if (found < buffer.size())
        failShort(file, done, bytesOf(io, io.region));
      if (file.itemSum)
        file.itemSum->append(buffer.data(), found);
      ForeignValue foreign;
      adopt(io, buffer.data(), found, done - static_cast<int64_t>(found),
            foreign);
      checkForeign(file, *io.array.type, foreign);
    }
    scatterSlab(io, slab, 0, buffer.data());
  });
}

void writeImage(Transport &transport, File &file, const zrt_type &type,
                const void *address) {
  if (transport.rank() == 0)
    file.write(
        {static_cast<const char *>(address), static_cast<size_t>(type.size)});
}

void readImage(Transport &transport, File &file, const zrt_type &type,
               void *address) {
  size_t bytes = static_cast<size_t>(type.size);
  if (bytes == 0)
    return;
  if (transport.rank() == 0) {
    size_t found = file.input.take(static_cast<char *>(address), bytes);
    if (found < bytes)
      failShort(file, static_cast<int64_t>(found), type.size);
    if (file.itemSum)
      file.itemSum->append(static_cast<char *>(address), bytes);
    ForeignValue foreign;
    adopt(type, static_cast<char *>(address), 1, 0, foreign);
    checkForeign(file, type, foreign);
  }
  broadcast(transport, address, bytes);
}

} // namespace zrt
