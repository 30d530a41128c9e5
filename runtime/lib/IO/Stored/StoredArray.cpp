//===- StoredArray.cpp - Arrays in files of several -----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     write(open("out.h5:/T", file_write), T)
//
// The first processor makes the array with the format's library (Formats/FileStore.h)
// and learns where its elements belong, which then is a binary file's work
// (BinaryArray.cpp): all write their parts in place, at the speed of a file
// without any format. The same backwards, if the elements lie together in the
// file and are of the type of the array. Others are converted, or come from the
// library, slab by slab, through processor 0 (ConvertedArray.cpp).
//
// Attributes are single values, which processor 0 writes and reads.
//
//===----------------------------------------------------------------------===//

#include "IO/Stored/StoredArray.h"

#include "Collective/Collective.h"
#include "IO/Binary/BinaryArray.h"
#include "IO/Binary/ConvertedArray.h"
#include "IO/Binary/Numpy.h"
#include "Layout/Type.h"
#include "Support/Error.h"
#include "Transport/LibraryFile.h"

#include <cstring>
#include <unistd.h>

namespace zrt {

[[noreturn]] static void failStore(const File &file, const std::string &text) {
  fatal(file.loc(), ErrorScope::Replicated, "%s", text.c_str());
}

/// With a sentence that begins with the file's name.
static void failStoreIf(const File &file, const std::string &reason) {
  if (!reason.empty())
    failStore(file, file.name() + " " + reason);
}

static StorePart partOf(const File &file) {
  StorePart part;
  failStoreIf(file, parseStorePart(file.fileName().part, part));
  return part;
}

bool isAttribute(const File &file) {
  return file.kind() == File::Kind::Store && file.fileName().ending != ".pvd" &&
         partOf(file).hasAttribute;
}

/// Opens the store, on processor 0. A plug-in that is broken or missing ends
/// the run.
static std::unique_ptr<FileStore> openStoreOf(const File &file) {
  if (!file.isRegular())
    failStore(file, file.name() +
                        " is no regular file, which files that end "
                        "with " +
                        file.fileName().ending + " must be");
  std::string plugin = storePlugin(file.fileName().ending, file.plugins);
  if (!plugin.empty() && access(plugin.c_str(), F_OK) == 0)
    if (std::string fault = lookAtLibrary(plugin).fault; !fault.empty())
      failStore(file, file.name() + " needs the plug-in " + plugin +
                          ", which cannot be loaded: " + fault);
  std::string error;
  std::unique_ptr<FileStore> store = openStore(
      {file.fileName(), partOf(file), file.isNew}, file.plugins, error);
  if (!store)
    failStore(file, file.name() + ": " + error);
  return store;
}

std::string findStored(File &file, ArrayFile &known) {
  known.store = openStoreOf(file);
  std::string reason = known.store->find(known.array, known.stored);
  if (known.stored.offset >= 0 || !reason.empty())
    known.store.reset();
  return reason;
}

static Element storedElement(const File &file, const zrt_type &type) {
  std::optional<Element> element = elementOf(type);
  if (!element)
    failStore(file, "cannot write to " + file.name() +
                        ": its format has no elements of type " +
                        typeText(type));
  return *element;
}

/// Goes on in the file where the elements are. Collective.
static void goToElements(Transport &transport, File &file,
                         const StoredPlace &place) {
  bool isFirst = transport.rank() == 0;
  if (!place.path.empty()) {
    int error = file.moveTo(place.path, isFirst);
    if (error != 0)
      failStore(file, "cannot open '" + place.path + "', a part of " +
                          file.name() + ": " + std::strerror(error));
  }
  if (isFirst)
    file.setPosition(place.offset);
}

/// Makes room for the array; the others learn where. Collective.
static void createStored(Transport &transport, File &file,
                         const NewArray &array) {
  ArrayFile &known = file.arrayFile();
  if (transport.rank() == 0) {
    known.store = openStoreOf(file);
    failStoreIf(file, known.store->create(array, known.stored));
  }
  std::vector<std::string> paths = {known.stored.path};
  broadcastStrings(transport, paths);
  known.stored.path = paths[0];
  goToElements(transport, file, known.stored);
}

/// After the elements.
static void finishStored(Transport &transport, File &file) {
  if (transport.rank() != 0)
    return;
  file.flush();
  std::unique_ptr<FileStore> store = std::move(file.arrayFile().store);
  failStoreIf(file, store->finish());
}

static void refuseAttribute(const File &file) {
  if (isAttribute(file))
    failStore(file, file.name() + " is an attribute: it is a single value");
}

void writeStored(ArrayIO &io, File &file) {
  refuseAttribute(file);
  NewArray array = {storedElement(file, *io.array.type), {}};
  for (int d = 0; d < io.region.rank; ++d)
    array.indices.push_back(
        {io.region.dim[d].lo, io.region.dim[d].stride, size(io.region.dim[d])});
  createStored(io.transport, file, array);
  writeImages(io, file);
  finishStored(io.transport, file);
}

void writeStoredValue(Transport &transport, File &file, const zrt_type &type,
                      const void *value) {
  Element element = storedElement(file, type);
  if (!isAttribute(file)) {
    createStored(transport, file, {element, {}});
    writeImage(transport, file, type, value);
    return finishStored(transport, file);
  }
  if (transport.rank() != 0)
    return;
  StoredAttribute attribute;
  attribute.element = element;
  attribute.bytes.assign(static_cast<const char *>(value), sizeOf(element));
  failStoreIf(file, openStoreOf(file)->setAttribute(attribute));
}

void writeStoredText(Transport &transport, File &file, std::string_view text) {
  if (!isAttribute(file))
    failStore(file, file.name() + " is an array, which holds no text");
  if (transport.rank() != 0)
    return;
  StoredAttribute attribute;
  attribute.isText = true;
  attribute.text = text;
  failStoreIf(file, openStoreOf(file)->setAttribute(attribute));
}

/// Ends the run unless the array converts to \p type, over \p region (null:
/// one value).
static void checkStored(const File &file, const ArrayFile &known,
                        const zrt_type &type, const zrt_region *region) {
  const NumpyArray &found = known.array;
  std::optional<Element> to = elementOf(type);
  if (!to || !found.element || !converts(*found.element, *to))
    failStore(file, file.name() + " has elements of type " +
                        (found.element ? nameOf(*found.element) : found.descr) +
                        ", which do not become " + typeText(type));
  std::vector<int64_t> wanted, shape;
  if (region)
    wanted = shape = shapeOf(*region);
  while (known.stored.lacksOnes && shape.size() > found.shape.size() &&
         shape[0] == 1)
    shape.erase(shape.begin());
  if (found.shape != shape)
    failStore(file, file.name() + " has the shape " + numpyShape(found.shape) +
                        ", but " +
                        (region ? "the region is " + toString(*region) +
                                      ", of shape " + numpyShape(wanted)
                                : "a single value has the shape ()"));
}

static std::string warningOfStored(const NumpyArray &found,
                                   const zrt_type &type) {
  if (found.element == elementOf(type))
    return "";
  return "has elements of type " + std::string(nameOf(*found.element)) +
         ", which become " + typeText(type);
}

std::string readStored(ArrayIO &io, File &file) {
  refuseAttribute(file);
  ArrayFile &known = describe(io.transport, file);
  const zrt_type &type = *io.array.type;
  zrt_region region = fileRegion(io.covering, io.distribution);
  checkStored(file, known, type, &region);
  if (known.stored.offset >= 0)
    goToElements(io.transport, file, known.stored);
  bool isSame = known.array.element == elementOf(type);
  if (known.stored.offset >= 0 && isSame && !known.array.isSwapped)
    readImages(io, file);
  else
    readConverted(io, file, known.array);
  known.store.reset();
  return warningOfStored(known.array, type);
}

/// The next number of an attribute, on processor 0.
static void takeNumber(File &file, const zrt_type &type, void *value) {
  ArrayFile &known = file.arrayFile();
  StoredAttribute &attribute = known.attribute;
  if (known.numbersRead == 0)
    failStoreIf(file, openStoreOf(file)->getAttribute(attribute));
  size_t each = sizeOf(attribute.element);
  size_t at = static_cast<size_t>(known.numbersRead) * each;
  std::optional<Element> to = elementOf(type);
  if (attribute.isText || !to || !converts(attribute.element, *to))
    failStore(file, file.name() + " is " +
                        (attribute.isText ? std::string("a text")
                                          : std::string("of type ") +
                                                nameOf(attribute.element)) +
                        ", which does not become " + typeText(type));
  if (at + each > attribute.bytes.size())
    failStore(file, file.name() + " has " + std::to_string(known.numbersRead) +
                        " numbers, which were read before");
  if (!convert(attribute.element, attribute.bytes.data() + at, *to,
               static_cast<char *>(value)))
    failStore(file, file.name() + " has a number that does not fit type " +
                        typeText(type));
  adoptImages(file, type, static_cast<char *>(value), 1, 0);
  ++known.numbersRead;
}

std::string readStoredValue(Transport &transport, File &file,
                            const zrt_type &type, void *value) {
  auto bytes = static_cast<size_t>(type.size);
  if (isAttribute(file)) {
    if (transport.rank() == 0)
      takeNumber(file, type, value);
    broadcast(transport, value, bytes);
    return "";
  }
  ArrayFile &known = describe(transport, file);
  checkStored(file, known, type, nullptr);
  if (known.stored.offset >= 0)
    goToElements(transport, file, known.stored);
  if (transport.rank() == 0)
    takeConverted(file, type, known.array, value);
  known.store.reset();
  broadcast(transport, value, bytes);
  return warningOfStored(known.array, type);
}

std::string readStoredText(Transport &transport, File &file) {
  if (!isAttribute(file))
    failStore(file, file.name() + " is an array, which holds no text");
  std::vector<std::string> text(1);
  if (transport.rank() == 0) {
    StoredAttribute attribute;
    failStoreIf(file, openStoreOf(file)->getAttribute(attribute));
    if (!attribute.isText)
      failStore(file, file.name() + " is a number, and no text");
    text[0] = attribute.text.c_str();
  }
  broadcastStrings(transport, text);
  return text[0];
}

} // namespace zrt
