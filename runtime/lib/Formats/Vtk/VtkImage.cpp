//===- VtkImage.cpp - Image data of VTK -----------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     write(open("heat.vti:T", file_write), T)       a file with one array
//     write(open("heat.vti:P", file_append), P)      another one behind it
//
// The description has room for more arrays (VtkHeader.cpp), and each block of
// elements comes where the end of the file was, in VTK's raw encoding. Files of
// other programs are read also where the elements are text, or bytes as text
// (VtkText.cpp); those are kept in memory.
//
//===----------------------------------------------------------------------===//

#include "Formats/Vtk/VtkImage.h"

#include "Formats/Vtk/VtkHeader.h"
#include "Formats/Vtk/VtkText.h"

#include <bit>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace zrt {

/// The elements of the first array begin at a page.
static constexpr int64_t LengthBytes = 8, FirstBlock = 8192 - LengthBytes;
static constexpr int64_t MostElements = int64_t(1) << 48;
static constexpr size_t MostHeaderBytes = 64 << 20;

namespace {

/// A descriptor that is closed when it goes.
struct OpenFile {
  int number;
  OpenFile(const std::string &path, int flags)
      : number(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {}
  OpenFile(const OpenFile &) = delete;
  ~OpenFile() {
    if (number >= 0)
      ::close(number);
  }
  int64_t size() const {
    struct stat status;
    return fstat(number, &status) == 0 ? status.st_size : 0;
  }
  bool write(std::string_view bytes, int64_t at) const {
    while (!bytes.empty()) {
      ssize_t n = pwrite(number, bytes.data(), bytes.size(), at);
      if (n < 0 && errno != EINTR)
        return false;
      n = std::max<ssize_t>(n, 0);
      bytes.remove_prefix(static_cast<size_t>(n));
      at += n;
    }
    return true;
  }
  /// Up to so many bytes, fewer at the end.
  std::string read(int64_t at, size_t most) const {
    std::string bytes(most, '\0');
    size_t done = 0;
    while (done < most) {
      ssize_t n = pread(number, bytes.data() + done, most - done,
                        at + static_cast<int64_t>(done));
      if (n == 0 || (n < 0 && errno != EINTR))
        break;
      done += static_cast<size_t>(std::max<ssize_t>(n, 0));
    }
    bytes.resize(done);
    return bytes;
  }
};

class VtkImageStore : public FileStore {
public:
  explicit VtkImageStore(const StoreName &name) : name(name) {}
  std::string create(const NewArray &array, StoredPlace &place) override;
  std::string finish() override;
  std::string find(NumpyArray &found, StoredPlace &place) override;
  std::string load(const int64_t *first, const int64_t *count,
                   char *to) override;
  std::string setAttribute(const StoredAttribute &) override {
    return "cannot hold attributes: VTK's image data have none";
  }
  std::string getAttribute(StoredAttribute &) override {
    return "has no attributes: VTK's image data have none";
  }

private:
  std::string readHeader(const OpenFile &file);
  std::string addArray(const OpenFile &file, const NewArray &array);
  const VtkArray *findArray() const;
  std::string decodeText(const VtkArray &array);

  StoreName name;
  VtkHeader header;
  std::string text;          ///< what comes before the appended data
  int64_t end = 0;           ///< of the last block
  NumpyArray known;          ///< the array that was found
  std::vector<char> decoded; ///< its elements, if they do not lie together
};

/// x, y and z of an array with up to three dimensions; x is the last one.
void setGrid(VtkHeader &header, const std::vector<StoredIndices> &indices) {
  size_t rank = indices.size();
  for (size_t k = 0; k < rank; ++k) {
    const StoredIndices &dimension = indices[rank - 1 - k];
    header.extent[2 * k] = 0;
    header.extent[2 * k + 1] = dimension.count - 1;
    header.origin[k] = static_cast<double>(dimension.lo);
    header.spacing[k] = static_cast<double>(dimension.stride);
  }
}

std::string cannotWrite(int error) {
  return std::string("cannot be written: ") + std::strerror(error);
}

/// The extents of the array, z first, without those at the front that are 1.
std::vector<int64_t> shapeIn(const VtkHeader &header, const VtkArray &array) {
  std::vector<int64_t> shape;
  for (int k = 2; k >= 0; --k) {
    int64_t points = header.extent[2 * k + 1] - header.extent[2 * k] + 1;
    int64_t count = array.isOfCells && points > 1 ? points - 1 : points;
    if (count != 1 || !shape.empty() || k == 0)
      shape.push_back(count);
  }
  if (array.components > 1)
    shape.push_back(array.components);
  return shape;
}

} // namespace

/// Takes the text up to the appended data, or all of it.
std::string VtkImageStore::readHeader(const OpenFile &file) {
  if (file.number < 0)
    return std::string("cannot be opened: ") + std::strerror(errno);
  constexpr size_t Chunk = 64 * 1024;
  size_t tag = text.npos;
  for (bool more = true; more;) {
    std::string bytes = file.read(static_cast<int64_t>(text.size()), Chunk);
    more = bytes.size() == Chunk && text.size() < MostHeaderBytes;
    text += bytes;
    tag = text.find("<AppendedData");
    if (tag != text.npos && text.find('_', tag) != text.npos)
      break;
  }
  return parseVtkHeader(text, header);
}

/// Adds an array to those that the file has.
std::string VtkImageStore::addArray(const OpenFile &file,
                                    const NewArray &array) {
  std::string reason = readHeader(file);
  if (!reason.empty())
    return reason;
  if (header.dataStart != FirstBlock || header.isBase64 ||
      header.lengthBytes != LengthBytes)
    return "was made by another program: it cannot get another array";
  VtkHeader wanted;
  setGrid(wanted, array.indices);
  if (std::memcmp(wanted.extent, header.extent, sizeof wanted.extent) != 0 ||
      std::memcmp(wanted.origin, header.origin, sizeof wanted.origin) != 0 ||
      std::memcmp(wanted.spacing, header.spacing, sizeof wanted.spacing) != 0)
    return "holds arrays over other indices";
  end = file.size() - static_cast<int64_t>(VtkEnd.size());
  if (end < FirstBlock || file.read(end, VtkEnd.size()) != std::string(VtkEnd))
    return "does not end as it should";
  return "";
}

std::string VtkImageStore::create(const NewArray &array, StoredPlace &place) {
  if (array.indices.empty() || array.indices.size() > 3)
    return "cannot hold the array: VTK's image data have 1 to 3 dimensions, "
           "not " +
           std::to_string(array.indices.size());
  const char *type = vtkTypeOf(array.element);
  if (!type)
    return std::string("cannot hold elements of type ") +
           nameOf(array.element) + ": VTK has none";
  OpenFile file(name.file.path, O_RDWR | O_CREAT);
  if (file.number < 0)
    return cannotWrite(errno);
  header.dataStart = end = FirstBlock;
  setGrid(header, array.indices);
  if (!name.isNew && file.size() > 0)
    if (std::string reason = addArray(file, array); !reason.empty())
      return reason;
  std::string own = name.part.name.empty() ? "data" : name.part.name;
  for (const VtkArray &other : header.arrays)
    if (other.name == own)
      return "has an array of the name '" + own + "'";
  VtkArray added;
  added.name = own;
  added.type = type;
  added.offset = end - FirstBlock;
  header.arrays.push_back(added);
  std::string start = vtkHeaderText(header);
  if (start.empty())
    return "has no room for the description of another array";
  uint64_t length = static_cast<uint64_t>(array.bytes());
  std::string before(reinterpret_cast<const char *>(&length), LengthBytes);
  if (!file.write(before, end) || !file.write(start, 0))
    return cannotWrite(errno);
  place.offset = end + LengthBytes;
  end = place.offset + array.bytes();
  return "";
}

std::string VtkImageStore::finish() {
  OpenFile file(name.file.path, O_WRONLY);
  return file.number >= 0 && file.write(VtkEnd, end) ? "" : cannotWrite(errno);
}

const VtkArray *VtkImageStore::findArray() const {
  for (const VtkArray &array : header.arrays)
    if (name.part.name.empty() || array.name == name.part.name)
      return &array;
  return nullptr;
}

std::string VtkImageStore::find(NumpyArray &found, StoredPlace &place) {
  OpenFile file(name.file.path, O_RDONLY);
  std::string reason = readHeader(file);
  if (!reason.empty())
    return reason;
  const VtkArray *array = findArray();
  if (!array)
    return name.part.name.empty() ? "holds no array"
                                  : "has no array '" + name.part.name + "'";
  if (header.isCompressed && array->format != "ascii")
    return "is compressed, and is not read";
  found.descr = array->type;
  found.element = vtkElement(array->type);
  found.shape = shapeIn(header, *array);
  found.isSwapped =
      header.isBigEndian != (std::endian::native == std::endian::big);
  place.lacksOnes = true;
  known = found;
  if (array->format != "appended" || header.isBase64)
    return found.element ? decodeText(*array) : "";
  if (header.dataStart < 0)
    return "has no appended data";
  if (array->offset < 0 || array->offset > MostElements)
    return "has its data at an impossible place";
  place.offset = header.dataStart + array->offset + header.lengthBytes;
  return "";
}

/// Keeps the elements of an array that stands in the text.
std::string VtkImageStore::decodeText(const VtkArray &array) {
  int64_t count = 1;
  for (int64_t extent : known.shape)
    if (__builtin_mul_overflow(count, extent, &count) || count > MostElements)
      return "has impossible extents";
  size_t bytes = static_cast<size_t>(count) * sizeOf(*known.element);
  std::string_view all = text;
  std::string appended;
  if (array.format == "ascii")
    return decodeNumbers(all.substr(array.begin, array.end - array.begin),
                         *known.element, count, decoded);
  std::string_view coded = all.substr(array.begin, array.end - array.begin);
  if (array.format == "appended") {
    if (!readWholeFile(name.file.path, appended))
      return std::string("cannot be read: ") + std::strerror(errno);
    coded = std::string_view(appended).substr(
        std::min(appended.size(), static_cast<size_t>(std::max<int64_t>(
                                      header.dataStart + array.offset, 0))));
  }
  std::string reason = decodeBase64(coded, header.lengthBytes, bytes, decoded);
  if (reason.empty() && known.isSwapped)
    swapBytes(*known.element, decoded.data(), static_cast<size_t>(count));
  return reason;
}

std::string VtkImageStore::load(const int64_t *first, const int64_t *count,
                                char *to) {
  copyStoredBox(decoded.data(), known.shape, sizeOf(*known.element), first,
                count, to);
  return "";
}

std::unique_ptr<FileStore> openVtkImage(const StoreName &name) {
  return std::make_unique<VtkImageStore>(name);
}

bool readWholeFile(const std::string &path, std::string &bytes) {
  OpenFile file(path, O_RDONLY);
  if (file.number < 0)
    return false;
  bytes = file.read(0, static_cast<size_t>(file.size()));
  return true;
}

bool writeWholeFile(const std::string &path, std::string_view bytes) {
  OpenFile file(path, O_WRONLY | O_CREAT | O_TRUNC);
  return file.number >= 0 && file.write(bytes, 0);
}

} // namespace zrt
