//===- Numpy.cpp - Arrays in NumPy's files --------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `write(open("a.npy", file_write), A)` with A over [1..3, 0..4] makes a file
// that numpy.load reads as an array of shape (3, 5); a scalar has the shape ().
// The elements follow the header (NumpyHeader) as bwrite writes them.
//
// What is read must have the extents of the region (indices have no place in
// the format). Elements as they are in memory come in parallel, as bread reads
// them; others are converted (ConvertedArray), with a warning if their type
// changes.
//
//===----------------------------------------------------------------------===//

#include "IO/Binary/Numpy.h"

#include "Collective/Collective.h"
#include "IO/Binary/BinaryArray.h"
#include "IO/Binary/ConvertedArray.h"
#include "Layout/Box.h"
#include "Layout/Type.h"
#include "Support/Error.h"

namespace zrt {

bool matchesNumpy(const NumpyArray &found, const zrt_type &type,
                  const zrt_region *region, std::string &error) {
  std::optional<Element> to = elementOf(type);
  if (!to || !found.element || !converts(*found.element, *to)) {
    error = "has elements '" + found.descr + "', but those of type " +
            typeText(type) +
            (to ? std::string(" are '") + descriptorOf(*to) + "'"
                : std::string(" have no place in NumPy's format"));
    return false;
  }
  std::vector<int64_t> wanted;
  if (region)
    wanted = shapeOf(*region);
  if (found.shape == wanted)
    return true;
  error = "has the shape " + numpyShape(found.shape) + ", but " +
          (region ? "the region is " + toString(*region) + ", of shape " +
                        numpyShape(wanted)
                  : "a single value has the shape ()");
  return false;
}

/// The element of \p type; ends the run if files cannot hold it.
static Element writtenElement(const File &file, const zrt_type &type) {
  std::optional<Element> element = elementOf(type);
  if (!element)
    fatal(file.loc(), ErrorScope::Replicated,
          "cannot write to %s: NumPy's format has no elements of type %s",
          file.name().c_str(), typeText(type).c_str());
  return *element;
}

void writeNumpy(ArrayIO &io, File &file) {
  Element element = writtenElement(file, *io.array.type);
  bool isFortran = false;
  std::string reason = numpyOrder(file.fileName().part, isFortran);
  if (!reason.empty())
    fatal(file.loc(), ErrorScope::Replicated, "%s %s", file.name().c_str(),
          reason.c_str());
  if (io.transport.rank() == 0)
    file.write(numpyHeader(
        element, shapeOf(fileRegion(io.covering, io.distribution)), isFortran));
  if (isFortran)
    writeTurned(io, file);
  else
    writeImages(io, file);
}

void writeNumpyValue(Transport &transport, File &file, const zrt_type &type,
                     const void *value) {
  Element element = writtenElement(file, type);
  if (transport.rank() == 0)
    file.write(numpyHeader(element, {}));
  writeImage(transport, file, type, value);
}

/// The file's array, which fits, or the run ends.
static const NumpyArray &foundArray(Transport &transport, File &file,
                                    const zrt_type &type,
                                    const zrt_region *region) {
  const NumpyArray &found = describe(transport, file).array;
  std::string error;
  if (!matchesNumpy(found, type, region, error))
    fatal(file.loc(), ErrorScope::Replicated, "%s %s", file.name().c_str(),
          error.c_str());
  return found;
}

static std::string warningOf(const NumpyArray &found, const zrt_type &type) {
  if (found.element == elementOf(type))
    return "";
  return "has elements of type " + std::string(nameOf(*found.element)) +
         ", which become " + typeText(type);
}

std::string readNumpy(ArrayIO &io, File &file) {
  const zrt_type &type = *io.array.type;
  zrt_region region = fileRegion(io.covering, io.distribution);
  const NumpyArray &found = foundArray(io.transport, file, type, &region);
  bool isTurned = found.isFortran && region.rank > 1;
  if (found.element == elementOf(type) && !found.isSwapped && !isTurned)
    readImages(io, file);
  else
    readConverted(io, file, found);
  return warningOf(found, type);
}

std::string readNumpyValue(Transport &transport, File &file,
                           const zrt_type &type, void *value) {
  const NumpyArray &found = foundArray(transport, file, type, nullptr);
  if (transport.rank() == 0)
    takeConverted(file, type, found, value);
  broadcast(transport, value, static_cast<size_t>(type.size));
  return warningOf(found, type);
}

} // namespace zrt
