//===- Hdf5Store.cpp - Arrays in files of HDF5 ----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     out.h5:/run/T        the data set T of the group /run; groups are made
//     out.h5:/run/T@unit   an attribute of it
//     out.h5:/run/T[*]     one more record of T, which grows
//     out.h5:/run/T[4]     the fourth one, to be read
//
// A data set that is written is contiguous, allocated at once and never filled,
// so that its place in the file is known and the library has nothing more to do
// with its elements. Records are chunks, of which the same is true. Everything is
// closed before the elements are written. What others wrote compressed, in chunks
// or in types that the language does not have, is read by the library; chunks are
// kept that belong to the same row of them.
//
//===----------------------------------------------------------------------===//

#include "hdf5/Handles.h"

#include "Formats/Element.h"

#include <cstring>
#include <sys/stat.h>

namespace zrt {

static constexpr hsize_t PageBytes = 4096, AlignedFrom = 64 * 1024;
static constexpr hsize_t RecordChunkBytes = 64 * 1024;
static constexpr hsize_t MostChunkBytes = 0xffffffff;
static constexpr hsize_t MostCacheBytes = 512 << 20;

namespace {

class Hdf5Store : public FileStore {
public:
  explicit Hdf5Store(const StoreName &name) : name(name) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    path = name.part.name;
    if (path.empty() && !name.part.hasAttribute)
      path = "data";
    if (!path.starts_with("/"))
      path = "/" + path;
  }
  std::string create(const NewArray &array, StoredPlace &place) override;
  std::string finish() override { return ""; }
  std::string find(NumpyArray &found, StoredPlace &place) override;
  std::string load(const int64_t *first, const int64_t *count,
                   char *to) override;
  std::string setAttribute(const StoredAttribute &value) override;
  std::string getAttribute(StoredAttribute &value) override;

private:
  std::string openToWrite();
  std::string openToRead();
  std::string closeWritten();
  bool exists(const std::string &what) const;
  std::string createWhole(const NewArray &array);
  std::string createRecord(const NewArray &array);
  std::string addRecord(const NewArray &array);
  std::string newDataset(hid_t type, hid_t space, hid_t plist);
  std::string takeRecord(std::vector<hsize_t> &extents);
  void findOnly();
  void cacheRow();

  StoreName name;
  std::string path; ///< of the object, from the root
  Handle file, dataset, memoryType;
  std::optional<hsize_t> record;
  size_t rank = 0; ///< of the data set
};

std::string failed(const char *what) {
  return std::string(what) + ": " + hdf5Error();
}

} // namespace

std::string Hdf5Store::openToWrite() {
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_alignment(access, AlignedFrom, PageBytes);
  H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
  struct stat status;
  const char *system = name.file.path.c_str();
  bool isEmpty = stat(system, &status) != 0 || status.st_size == 0;
  if (name.isNew || isEmpty)
    file =
        Handle(H5Fcreate(system, H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose);
  else if (H5Fis_hdf5(system) <= 0)
    return "is no file of HDF5";
  else
    file = Handle(H5Fopen(system, H5F_ACC_RDWR, access), H5Fclose);
  return file.isOpen() ? "" : failed("cannot be opened by HDF5");
}

std::string Hdf5Store::openToRead() {
  const char *system = name.file.path.c_str();
  if (H5Fis_hdf5(system) <= 0)
    return "is no file of HDF5";
  file = Handle(H5Fopen(system, H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  return file.isOpen() ? "" : failed("cannot be opened by HDF5");
}

std::string Hdf5Store::closeWritten() {
  dataset.reset();
  return file.reset() ? "" : failed("cannot be written by HDF5");
}

/// Whether there is an object at \p what, with all groups before it.
bool Hdf5Store::exists(const std::string &what) const {
  if (what == "/")
    return true;
  for (size_t slash = what.find('/', 1);; slash = what.find('/', slash + 1)) {
    if (H5Lexists(file, what.substr(0, slash).c_str(), H5P_DEFAULT) <= 0)
      return false;
    if (slash == what.npos)
      return H5Oexists_by_name(file, what.c_str(), H5P_DEFAULT) > 0;
  }
}

std::string Hdf5Store::newDataset(hid_t type, hid_t space, hid_t plist) {
  H5Pset_alloc_time(plist, H5D_ALLOC_TIME_EARLY);
  H5Pset_fill_time(plist, H5D_FILL_TIME_NEVER);
  H5Pset_obj_track_times(plist, false); // the same bytes tomorrow
  Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(links, 1);
  dataset = Handle(
      H5Dcreate2(file, path.c_str(), type, space, links, plist, H5P_DEFAULT),
      H5Dclose);
  return dataset.isOpen()
             ? ""
             : failed(("cannot hold a data set '" + path + "'").c_str());
}

static std::vector<hsize_t> extentsOf(const NewArray &array) {
  std::vector<hsize_t> extents;
  for (int64_t extent : array.shape())
    extents.push_back(static_cast<hsize_t>(extent));
  return extents;
}

static Handle newSpace(const std::vector<hsize_t> &extents,
                       const hsize_t *most) {
  return Handle(extents.empty()
                    ? H5Screate(H5S_SCALAR)
                    : H5Screate_simple(static_cast<int>(extents.size()),
                                       extents.data(), most),
                H5Sclose);
}

/// A data set whose elements lie together; takes the place of another one.
std::string Hdf5Store::createWhole(const NewArray &array) {
  Handle type = hdf5Type(array.element);
  std::vector<hsize_t> extents = extentsOf(array);
  if (exists(path)) {
    dataset = Handle(H5Dopen2(file, path.c_str(), H5P_DEFAULT), H5Dclose);
    if (!dataset.isOpen())
      return "has a group '" + path + "' of that name";
    Handle had(H5Dget_type(dataset), H5Tclose);
    Handle space(H5Dget_space(dataset), H5Sclose);
    if (H5Tequal(had, type) > 0 && hdf5Extents(space) == extents &&
        hdf5Offset(file, dataset, std::nullopt) >= 0)
      return ""; // the same again
    dataset.reset();
    if (H5Ldelete(file, path.c_str(), H5P_DEFAULT) < 0)
      return failed("cannot be written by HDF5");
  }
  Handle space = newSpace(extents, nullptr);
  Handle plist(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  return newDataset(type, space, plist);
}

/// The first record of a data set that grows.
std::string Hdf5Store::createRecord(const NewArray &array) {
  hsize_t bytes = static_cast<hsize_t>(array.bytes());
  if (bytes == 0 || bytes >= MostChunkBytes)
    return "cannot hold records of " + std::to_string(bytes) +
           " bytes, but of 1 to 4294967294";
  Handle type = hdf5Type(array.element);
  std::vector<hsize_t> extents = extentsOf(array);
  extents.insert(extents.begin(), 1);
  std::vector<hsize_t> most = extents, chunk = extents;
  most[0] = H5S_UNLIMITED;
  chunk[0] = std::max<hsize_t>(RecordChunkBytes / bytes, 1);
  Handle space = newSpace(extents, most.data());
  Handle plist(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_chunk(plist, static_cast<int>(chunk.size()), chunk.data());
  record = 0;
  return newDataset(type, space, plist);
}

/// One more record.
std::string Hdf5Store::addRecord(const NewArray &array) {
  dataset = Handle(H5Dopen2(file, path.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset.isOpen())
    return failed("has something else of that name");
  Handle type(H5Dget_type(dataset), H5Tclose);
  Handle space(H5Dget_space(dataset), H5Sclose);
  std::vector<hsize_t> had = hdf5Extents(space), wanted = extentsOf(array);
  if (H5Tequal(type, hdf5Type(array.element)) <= 0)
    return "holds records of another type of elements";
  if (had.empty() ||
      !std::equal(had.begin() + 1, had.end(), wanted.begin(), wanted.end()))
    return "holds records of another shape than " + numpyShape(array.shape());
  record = had[0]++;
  if (H5Dset_extent(dataset, had.data()) < 0)
    return failed("cannot hold another record");
  return "";
}

std::string Hdf5Store::create(const NewArray &array, StoredPlace &place) {
  if (!name.part.dimensions.empty())
    return "has a name with dimensions: those are for files of NetCDF";
  if (name.part.record > 0)
    return "is written by [*], which adds a record, not at one of them";
  std::string reason = openToWrite();
  if (!reason.empty())
    return reason;
  bool isRecord = name.part.record == StorePart::Next;
  reason = !isRecord      ? createWhole(array)
           : exists(path) ? addRecord(array)
                          : createRecord(array);
  if (!reason.empty())
    return reason;
  place.offset = hdf5Offset(file, dataset, record);
  if (place.offset < 0 && array.bytes() > 0)
    return "holds '" + path +
           "' in pieces or compressed, and it cannot be "
           "written";
  place.offset = std::max<int64_t>(place.offset, 0);
  return closeWritten();
}

/// A name was not given: the only data set of the root, if there is one.
void Hdf5Store::findOnly() {
  if (!name.part.name.empty() || exists(path))
    return;
  std::vector<std::string> names;
  H5Literate(
      file, H5_INDEX_NAME, H5_ITER_INC, nullptr,
      [](hid_t group, const char *each, const H5L_info_t *,
         void *to) -> herr_t {
        H5O_info_t info;
        if (H5Oget_info_by_name(group, each, &info, H5P_DEFAULT) >= 0 &&
            info.type == H5O_TYPE_DATASET)
          static_cast<std::vector<std::string> *>(to)->push_back(each);
        return 0;
      },
      &names);
  if (names.size() == 1)
    path = "/" + names[0];
}

/// Slabs go through the chunks of a row several times: keeps them all.
void Hdf5Store::cacheRow() {
  Handle plist(H5Dget_create_plist(dataset), H5Pclose);
  Handle space(H5Dget_space(dataset), H5Sclose);
  Handle type(H5Dget_type(dataset), H5Tclose);
  std::vector<hsize_t> extents = hdf5Extents(space), chunk(extents.size());
  if (H5Pget_layout(plist) != H5D_CHUNKED ||
      H5Pget_chunk(plist, static_cast<int>(chunk.size()), chunk.data()) < 0)
    return;
  double bytes = static_cast<double>(H5Tget_size(type) * chunk[0]);
  for (size_t d = 1; d < chunk.size(); ++d)
    bytes *=
        static_cast<double>((extents[d] + chunk[d] - 1) / chunk[d] * chunk[d]);
  if (bytes > static_cast<double>(MostCacheBytes))
    return;
  Handle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
  H5Pset_chunk_cache(access, 12421, static_cast<size_t>(bytes) + 1024, 1);
  dataset.reset();
  dataset = Handle(H5Dopen2(file, path.c_str(), access), H5Dclose);
}

static const char *className(hid_t type) {
  switch (H5Tget_class(type)) {
  case H5T_STRING:
    return "string";
  case H5T_COMPOUND:
    return "compound";
  case H5T_ARRAY:
    return "array";
  case H5T_VLEN:
    return "list";
  case H5T_REFERENCE:
    return "reference";
  default: // times, bits and what later versions have
    return "of HDF5 that the language does not have";
  }
}

/// Takes the first dimension off, of which one index is meant.
std::string Hdf5Store::takeRecord(std::vector<hsize_t> &extents) {
  if (rank == 0)
    return "has no dimensions, and no records";
  hsize_t wanted = name.part.record == StorePart::Next
                       ? extents[0]
                       : static_cast<hsize_t>(name.part.record);
  if (wanted == 0 || wanted > extents[0])
    return "has " + std::to_string(extents[0]) + " records, not [" +
           std::to_string(name.part.record) + "]";
  record = wanted - 1;
  extents.erase(extents.begin());
  return "";
}

std::string Hdf5Store::find(NumpyArray &found, StoredPlace &place) {
  std::string reason = openToRead();
  if (!reason.empty())
    return reason;
  findOnly();
  if (!exists(path))
    return "has no data set '" + path + "'";
  dataset = Handle(H5Dopen2(file, path.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset.isOpen())
    return failed(("has no data set '" + path + "' to read").c_str());
  Handle type(H5Dget_type(dataset), H5Tclose);
  Handle space(H5Dget_space(dataset), H5Sclose);
  std::vector<hsize_t> extents = hdf5Extents(space);
  rank = extents.size();
  if (H5Sget_simple_extent_type(space) == H5S_NULL)
    return "holds nothing in '" + path + "'";
  if (name.part.record != StorePart::All)
    if (reason = takeRecord(extents); !reason.empty())
      return reason;
  found.shape.assign(extents.begin(), extents.end());
  bool isExact = false;
  found.element = hdf5Element(type, isExact, found.isSwapped);
  found.descr = className(type);
  if (!found.element)
    return "";
  place.offset = isExact ? hdf5Offset(file, dataset, record) : -1;
  if (place.offset >= 0)
    return "";
  found.isSwapped = false; // the library turns them around
  memoryType = H5Tget_class(type) == H5T_ENUM
                   ? Handle(H5Tget_native_type(type, H5T_DIR_DEFAULT), H5Tclose)
                   : hdf5Type(*found.element);
  cacheRow();
  return "";
}

std::string Hdf5Store::load(const int64_t *first, const int64_t *count,
                            char *to) {
  std::vector<hsize_t> start, counts;
  if (record) {
    start.push_back(*record);
    counts.push_back(1);
  }
  for (size_t d = 0; start.size() < rank; ++d) {
    start.push_back(static_cast<hsize_t>(first[d]));
    counts.push_back(static_cast<hsize_t>(count[d]));
  }
  Handle space(H5Dget_space(dataset), H5Sclose);
  Handle memory = newSpace(counts, nullptr);
  if (rank > 0)
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr,
                        counts.data(), nullptr);
  if (H5Dread(dataset, memoryType, memory, space, H5P_DEFAULT, to) < 0)
    return failed("cannot be read by HDF5");
  return "";
}

static Handle textType() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

std::string Hdf5Store::setAttribute(const StoredAttribute &value) {
  std::string reason = openToWrite();
  if (!reason.empty())
    return reason;
  if (!exists(path))
    return "has no object '" + path + "', which an attribute belongs to";
  const char *own = name.part.attribute.c_str();
  if (H5Aexists_by_name(file, path.c_str(), own, H5P_DEFAULT) > 0)
    H5Adelete_by_name(file, path.c_str(), own, H5P_DEFAULT);
  Handle type = value.isText ? textType() : hdf5Type(value.element);
  Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  Handle attribute(H5Acreate_by_name(file, path.c_str(), own, type, space,
                                     H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                   H5Aclose);
  const char *text = value.text.c_str();
  const void *bytes =
      value.isText ? static_cast<const void *>(&text) : value.bytes.data();
  if (!attribute.isOpen() || H5Awrite(attribute, type, bytes) < 0)
    return failed("cannot hold the attribute");
  attribute.reset();
  return closeWritten();
}

/// A text of either kind.
static std::string readText(hid_t attribute, hid_t type,
                            StoredAttribute &value) {
  Handle space(H5Aget_space(attribute), H5Sclose);
  if (H5Sget_simple_extent_npoints(space) != 1)
    return "has an attribute of several texts";
  value.isText = true;
  if (H5Tis_variable_str(type) > 0) {
    char *text = nullptr;
    Handle memory(H5Tcopy(type), H5Tclose);
    if (H5Aread(attribute, memory, static_cast<void *>(&text)) < 0)
      return failed("cannot be read by HDF5");
    value.text = text ? text : "";
    H5free_memory(text);
    return "";
  }
  value.text.resize(H5Tget_size(type));
  if (H5Aread(attribute, type, value.text.data()) < 0)
    return failed("cannot be read by HDF5");
  value.text.resize(strnlen(value.text.data(), value.text.size()));
  return "";
}

std::string Hdf5Store::getAttribute(StoredAttribute &value) {
  std::string reason = openToRead();
  if (!reason.empty())
    return reason;
  const char *own = name.part.attribute.c_str();
  if (!exists(path) ||
      H5Aexists_by_name(file, path.c_str(), own, H5P_DEFAULT) <= 0)
    return "has no such attribute";
  Handle attribute(
      H5Aopen_by_name(file, path.c_str(), own, H5P_DEFAULT, H5P_DEFAULT),
      H5Aclose);
  Handle type(H5Aget_type(attribute), H5Tclose);
  if (H5Tget_class(type) == H5T_STRING)
    return readText(attribute, type, value);
  bool isExact = false, isSwapped = false;
  std::optional<Element> element = hdf5Element(type, isExact, isSwapped);
  if (!element)
    return std::string("has an attribute of type ") + className(type);
  Handle space(H5Aget_space(attribute), H5Sclose);
  hssize_t count = std::max<hssize_t>(H5Sget_simple_extent_npoints(space), 0);
  value.element = *element;
  value.bytes.resize(static_cast<size_t>(count) * sizeOf(*element));
  Handle memory =
      H5Tget_class(type) == H5T_ENUM
          ? Handle(H5Tget_native_type(type, H5T_DIR_DEFAULT), H5Tclose)
          : hdf5Type(*element);
  if (count > 0 && H5Aread(attribute, memory, value.bytes.data()) < 0)
    return failed("cannot be read by HDF5");
  return "";
}

} // namespace zrt

extern "C" {

__attribute__((visibility("default"))) extern const int32_t zrt_store_version =
    zrt::StoreVersion;

__attribute__((visibility("default"))) zrt::FileStore *
zrt_store_open(const zrt::StoreName &name) {
  return new zrt::Hdf5Store(name);
}

} // extern "C"
