//===- Stored.cpp - Arrays in files of several ----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As in compiled programs, the format's library says where the elements belong
// (runtime/lib/Formats/FileStore.h); here they are written and read at once.
//
//===----------------------------------------------------------------------===//

#include "Io/Stored.h"
#include "Errors.h"
#include "Io/ArrayFiles.h"
#include "Memory.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;
using zrt::Element;

namespace zpl::interpreter {

static void failIf(Run &run, const File &file, const std::string &reason) {
  if (!reason.empty())
    fail(run, file.where, file.name + " " + reason);
}

static zrt::StorePart partOf(Run &run, const File &file) {
  zrt::StorePart part;
  failIf(run, file, zrt::parseStorePart(file.fileName.part, part));
  return part;
}

bool isAttribute(Run &run, const File &file) {
  return file.fileName.ending != ".pvd" && partOf(run, file).hasAttribute;
}

void refuseAttribute(Run &run, const File &file, const Region *region) {
  if (region && isAttribute(run, file))
    fail(run, file.where, file.name + " is an attribute: it is a single value");
}

static std::unique_ptr<zrt::FileStore> openStoreOf(Run &run, const File &file) {
  struct stat status;
  if (fstat(file.descriptor, &status) != 0 || !S_ISREG(status.st_mode))
    fail(run, file.where,
         file.name + " is no regular file, which files that end with " +
             file.fileName.ending + " must be");
  std::string error;
  std::unique_ptr<zrt::FileStore> store =
      zrt::openStore({file.fileName, partOf(run, file), file.isNew},
                     run.options.pluginDir, error);
  if (!store)
    fail(run, file.where, file.name + ": " + error);
  return store;
}

std::unique_ptr<StoredFile> findStored(Run &run, File &file) {
  auto stored = std::make_unique<StoredFile>();
  stored->store = openStoreOf(run, file);
  failIf(run, file, stored->store->find(stored->found, stored->place));
  if (stored->place.offset >= 0)
    stored->store.reset();
  return stored;
}

static const std::string &pathOf(const File &file,
                                 const zrt::StoredPlace &place) {
  return place.path.empty() ? file.fileName.path : place.path;
}

/// Writes bytes in the middle of a file.
static void writeBytes(Run &run, const File &file,
                       const zrt::StoredPlace &place, StringRef bytes) {
  int descriptor = ::open(pathOf(file, place).c_str(), O_WRONLY | O_CLOEXEC);
  int64_t at = place.offset;
  while (descriptor >= 0 && !bytes.empty()) {
    ssize_t n = pwrite(descriptor, bytes.data(), bytes.size(), at);
    if (n < 0 && errno != EINTR)
      break;
    at += std::max<ssize_t>(n, 0);
    bytes = bytes.drop_front(std::max<ssize_t>(n, 0));
  }
  int error = errno;
  if (descriptor >= 0)
    ::close(descriptor);
  if (!bytes.empty())
    fail(run, file.where,
         "cannot write to " + file.name + ": " + std::strerror(error));
}

static Element elementToStore(Run &run, const File &file, Type type) {
  std::optional<Element> element = elementOf(type);
  if (!element)
    fail(run, file.where,
         "cannot write to " + file.name +
             ": its format has no elements of type " + sema::text(type));
  return *element;
}

void writeStored(Run &run, File &file, Type type, const Region *region,
                 const std::string &bytes) {
  Element element = elementToStore(run, file, type);
  refuseAttribute(run, file, region);
  std::unique_ptr<zrt::FileStore> store = openStoreOf(run, file);
  if (isAttribute(run, file)) {
    zrt::StoredAttribute attribute;
    attribute.element = element;
    attribute.bytes = bytes;
    return failIf(run, file, store->setAttribute(attribute));
  }
  zrt::NewArray array = {element, {}};
  if (region)
    for (const Dim &dim : region->dims)
      array.indices.push_back(
          {dim.first(), dim.stride, std::max<int64_t>(dim.count(), 0)});
  zrt::StoredPlace place;
  failIf(run, file, store->create(array, place));
  writeBytes(run, file, place, bytes);
  failIf(run, file, store->finish());
}

void writeStoredText(Run &run, File &file, const std::string &text) {
  if (!isAttribute(run, file))
    fail(run, file.where, file.name + " is an array, which holds no text");
  complete(run, file);
  zrt::StoredAttribute attribute;
  attribute.isText = true;
  attribute.text = text;
  failIf(run, file, openStoreOf(run, file)->setAttribute(attribute));
}

std::string readStoredText(Run &run, File &file) {
  if (!isAttribute(run, file))
    fail(run, file.where, file.name + " is an array, which holds no text");
  zrt::StoredAttribute attribute;
  failIf(run, file, openStoreOf(run, file)->getAttribute(attribute));
  if (!attribute.isText)
    fail(run, file.where, file.name + " is a number, and no text");
  return attribute.text.c_str();
}

void readStoredNumber(Run &run, File &file, Type type, char *address) {
  zrt::StoredAttribute attribute;
  failIf(run, file, openStoreOf(run, file)->getAttribute(attribute));
  std::optional<Element> to = elementOf(type);
  if (attribute.isText || !to || !zrt::converts(attribute.element, *to))
    fail(run, file.where,
         file.name + " is " +
             (attribute.isText
                  ? std::string("a text")
                  : std::string("of type ") + zrt::nameOf(attribute.element)) +
             ", which does not become " + sema::text(type));
  size_t each = zrt::sizeOf(attribute.element);
  size_t at = size_t(file.numbersRead) * each;
  if (at + each > attribute.bytes.size())
    fail(run, file.where,
         file.name + " has " + std::to_string(file.numbersRead) +
             " numbers, which were read before");
  if (!zrt::convert(attribute.element, attribute.bytes.data() + at, *to,
                    address))
    fail(run, file.where,
         file.name + " has a number that does not fit type " +
             sema::text(type));
  ++file.numbersRead;
}

/// Ends the run if the array is not what is wanted.
static void checkStored(Run &run, const File &file, const StoredFile &stored,
                        Type type, const Region *region) {
  const zrt::NumpyArray &found = stored.found;
  std::optional<Element> to = elementOf(type);
  if (!to || !found.element || !zrt::converts(*found.element, *to))
    fail(run, file.where,
         file.name + " has elements of type " +
             (found.element ? zrt::nameOf(*found.element) : found.descr) +
             ", which do not become " + sema::text(type));
  std::vector<int64_t> wanted;
  if (region)
    for (const Dim &dim : region->dims)
      wanted.push_back(std::max<int64_t>(dim.count(), 0));
  std::vector<int64_t> shape = wanted;
  while (stored.place.lacksOnes && shape.size() > found.shape.size() &&
         shape[0] == 1)
    shape.erase(shape.begin());
  if (found.shape != shape)
    fail(run, file.where,
         file.name + " has the shape " + zrt::numpyShape(found.shape) +
             ", but " +
             (region ? "the region is " + region->bounds() + ", of shape " +
                           zrt::numpyShape(wanted)
                     : std::string("a single value has the shape ()")));
}

/// All elements of the array as they are in the file, in our byte order.
static std::vector<char> takeElements(Run &run, File &file, StoredFile &stored,
                                      int64_t count) {
  size_t each = zrt::sizeOf(*stored.found.element);
  std::vector<char> bytes(count * each);
  if (stored.place.offset < 0) {
    std::vector<int64_t> first(stored.found.shape.size(), 0);
    failIf(run, file,
           stored.store->load(first.data(), stored.found.shape.data(),
                              bytes.data()));
    return bytes;
  }
  int descriptor =
      ::open(pathOf(file, stored.place).c_str(), O_RDONLY | O_CLOEXEC);
  size_t done = 0;
  while (descriptor >= 0 && done < bytes.size()) {
    ssize_t n = pread(descriptor, bytes.data() + done, bytes.size() - done,
                      stored.place.offset + int64_t(done));
    if (n == 0 || (n < 0 && errno != EINTR))
      break;
    done += std::max<ssize_t>(n, 0);
  }
  if (descriptor >= 0)
    ::close(descriptor);
  if (done < bytes.size())
    fail(run, file.where,
         file.name + " ends after " + std::to_string(done) + " of " +
             std::to_string(bytes.size()) + " bytes to be read");
  if (stored.found.isSwapped)
    zrt::swapBytes(*stored.found.element, bytes.data(), count);
  return bytes;
}

std::vector<char> readStored(Run &run, File &file, StoredFile &stored,
                             Type type, const Region *region) {
  checkStored(run, file, stored, type, region);
  int64_t count = 1;
  for (int64_t extent : stored.found.shape)
    count *= extent;
  std::vector<char> bytes = takeElements(run, file, stored, count);
  Element from = *stored.found.element, to = *elementOf(type);
  std::vector<char> result(count * zrt::sizeOf(to));
  for (int64_t k = 0; k != count; ++k) {
    const char *source = bytes.data() + k * int64_t(zrt::sizeOf(from));
    if (zrt::convert(from, source, to, &result[k * zrt::sizeOf(to)]))
      continue;
    char value[40];
    snprintf(value, sizeof value, "%.17g", zrt::realLoader(from)(source));
    fail(run, file.where,
         file.name + " holds " + value + " at " +
             elementIndex(stored.found.shape, k) +
             ", which does not fit type " + sema::text(type));
  }
  if (from != to)
    warn(run, file.where,
         file.name + " has elements of type " + zrt::nameOf(from) +
             ", which become " + sema::text(type));
  return result;
}

} // namespace zpl::interpreter
