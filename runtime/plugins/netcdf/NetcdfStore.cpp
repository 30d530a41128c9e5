//===- NetcdfStore.cpp - Arrays in files of NetCDF ------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     heat.nc:T                   the variable T, with dimensions y and x and their
//                                 indices as coordinates
//     heat.nc:T(lat, lon)         with these dimensions
//     heat.nc:lat(lat)            the coordinates of one
//     heat.nc:T[*](time, lat, lon)  one more record along time, which grows
//     heat.nc:T@units             an attribute; without a variable the file's
//
// NetCDF's library makes the variable, with one element, so that there is room for
// all; HDF5, in whose format the file is, then says where. Its own conventions are
// those of CF: a variable with the name of its dimension has the coordinates.
//
//===----------------------------------------------------------------------===//

#include "hdf5/Handles.h"

#include "Formats/Element.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <netcdf.h>
#include <sys/stat.h>

namespace zrt {

static constexpr size_t RecordBytes = 64 * 1024;
static constexpr size_t MostRecordBytes = 0xffffffff;

namespace {

struct NetcdfType {
  Element element;
  nc_type type;
};

constexpr NetcdfType NetcdfTypes[] = {
    {Element::I8, NC_BYTE},   {Element::U8, NC_UBYTE},
    {Element::I16, NC_SHORT}, {Element::U16, NC_USHORT},
    {Element::I32, NC_INT},   {Element::U32, NC_UINT},
    {Element::I64, NC_INT64}, {Element::U64, NC_UINT64},
    {Element::F32, NC_FLOAT}, {Element::F64, NC_DOUBLE},
    {Element::Bool, NC_BYTE}};

/// Names of dimensions where the program gives none, the last one first.
constexpr const char *UsualNames[] = {"x", "y", "z", "w", "v", "u"};

class NetcdfStore : public FileStore {
public:
  explicit NetcdfStore(const StoreName &name)
      : name(name), variable(name.part.name.empty() ? "data" : name.part.name) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~NetcdfStore() override {
    if (file >= 0)
      nc_close(file);
  }
  std::string create(const NewArray &array, StoredPlace &place) override;
  std::string finish() override { return ""; }
  std::string find(NumpyArray &found, StoredPlace &place) override;
  std::string load(const int64_t *first, const int64_t *count,
                   char *to) override;
  std::string setAttribute(const StoredAttribute &value) override;
  std::string getAttribute(StoredAttribute &value) override;

private:
  /// Notes the first failure of a call; false after one.
  bool good(int status) {
    if (status != NC_NOERR && reason.empty()) {
      reason = std::string("cannot be used by NetCDF: ") + nc_strerror(status);
      if (errno == ENOSPC || errno == EFBIG || errno == EDQUOT) // it keeps it
        reason += std::string(": ") + std::strerror(errno);
    }
    return reason.empty();
  }
  bool isAppended() const { return name.part.record == StorePart::Next; }
  void openToWrite();
  void openToRead();
  void closeFile();
  std::vector<std::string> usualNames(const NewArray &array);
  void findDimensions(const NewArray &array);
  int dimension(const std::string &own, size_t extent, bool grows);
  void writeIndices(const StoredIndices &indices, int which);
  void defineVariable(const NewArray &array);
  void checkVariable(const NewArray &array);
  void touchElement(const NewArray &array);
  int64_t placeInFile();
  int attributeOwner();
  bool takeRecord(std::vector<int64_t> &shape);
  bool isInOnePlace() const;
  bool isTruth() const;

  StoreName name;
  std::string variable, reason;
  int file = -1, id = -1;
  std::vector<int> dimensions;
  std::optional<size_t> record;
  size_t rank = 0; ///< of the variable
};

const NetcdfType *typeOf(Element element) {
  for (const NetcdfType &type : NetcdfTypes)
    if (type.element == element)
      return &type;
  return nullptr;
}

std::optional<Element> elementOf(nc_type found) {
  for (const NetcdfType &type : NetcdfTypes)
    if (type.type == found)
      return type.element;
  return found == NC_CHAR ? std::optional(Element::U8) : std::nullopt;
}

} // namespace

void NetcdfStore::openToWrite() {
  struct stat status;
  const char *path = name.file.path.c_str();
  bool isEmpty = stat(path, &status) != 0 || status.st_size == 0;
  if (name.isNew || isEmpty) {
    constexpr const char *Conventions = "CF-1.8";
    good(nc_create(path, NC_NETCDF4 | NC_CLOBBER, &file)) &&
        good(nc_put_att_text(file, NC_GLOBAL, "Conventions",
                             std::strlen(Conventions), Conventions));
    return;
  }
  int format = 0;
  if (good(nc_open(path, NC_WRITE, &file)) &&
      good(nc_inq_format(file, &format)) && format != NC_FORMAT_NETCDF4)
    reason = "is in one of NetCDF's older formats, to which nothing is added";
}

void NetcdfStore::openToRead() {
  good(nc_open(name.file.path.c_str(), NC_NOWRITE, &file));
}

void NetcdfStore::closeFile() {
  if (file >= 0)
    good(nc_close(file));
  file = -1;
}

/// The dimension of that name, which is made if there is none; -1.
int NetcdfStore::dimension(const std::string &own, size_t extent, bool grows) {
  int found = -1;
  if (nc_inq_dimid(file, own.c_str(), &found) != NC_NOERR) {
    good(nc_def_dim(file, own.c_str(), grows ? NC_UNLIMITED : extent, &found));
    return found;
  }
  size_t has = 0;
  good(nc_inq_dimlen(file, found, &has));
  if (grows || has == extent)
    return found;
  reason = "has a dimension '" + own + "' of " + std::to_string(has) +
           ", not of " + std::to_string(extent);
  return -1;
}

/// The coordinates of a dimension that has no others: its indices.
void NetcdfStore::writeIndices(const StoredIndices &indices, int which) {
  char own[NC_MAX_NAME + 1];
  int coordinate = -1;
  if (!good(nc_inq_dimname(file, which, own)) ||
      nc_inq_varid(file, own, &coordinate) == NC_NOERR)
    return;
  std::vector<long long> values;
  for (int64_t k = 0; k < indices.count; ++k)
    values.push_back(indices.lo + k * indices.stride);
  std::string axis(1, static_cast<char>(std::toupper(own[0])));
  constexpr const char *LongName = "index";
  good(nc_def_var(file, own, NC_INT64, 1, &which, &coordinate)) &&
      good(nc_put_att_text(file, coordinate, "long_name", std::strlen(LongName),
                           LongName)) &&
      (axis > "Z" || axis < "X" ||
       good(nc_put_att_text(file, coordinate, "axis", 1, axis.c_str()))) &&
      (values.empty() ||
       good(nc_put_var_longlong(file, coordinate, values.data())));
}

/// `time`, `y`, `x`; or `x7`, where another array has an x of other extent.
std::vector<std::string> NetcdfStore::usualNames(const NewArray &array) {
  std::vector<std::string> names;
  if (isAppended())
    names.push_back("time");
  size_t rank = array.indices.size();
  for (size_t d = 0; d < rank; ++d) {
    std::string own = UsualNames[std::min<size_t>(rank - 1 - d, 5)];
    auto extent = static_cast<size_t>(array.indices[d].count), has = extent;
    int found = -1;
    if (nc_inq_dimid(file, own.c_str(), &found) == NC_NOERR)
      good(nc_inq_dimlen(file, found, &has));
    names.push_back(has == extent ? own : own + std::to_string(extent));
  }
  return names;
}

/// The dimensions that are named, or else the usual ones with their indices as
/// coordinates.
void NetcdfStore::findDimensions(const NewArray &array) {
  std::vector<std::string> names = name.part.dimensions;
  size_t own = array.indices.size(), all = own + isAppended();
  if (!names.empty() && names.size() != all) {
    reason = "has " + std::to_string(names.size()) +
             " dimensions in its name, but the array has " +
             std::to_string(all);
    return;
  }
  bool areUsual = names.empty();
  if (areUsual)
    names = usualNames(array);
  for (size_t d = 0; d < all && reason.empty(); ++d) {
    bool grows = isAppended() && d == 0;
    size_t k = d - isAppended();
    size_t extent = grows ? 0 : static_cast<size_t>(array.indices[k].count);
    dimensions.push_back(dimension(names[d], extent, grows));
    if (areUsual && !grows && reason.empty())
      writeIndices(array.indices[k], dimensions.back());
  }
}

/// A variable whose elements, or whose records, lie together.
void NetcdfStore::defineVariable(const NewArray &array) {
  findDimensions(array);
  if (!reason.empty() ||
      !good(nc_def_var(file, variable.c_str(), typeOf(array.element)->type,
                       static_cast<int>(dimensions.size()), dimensions.data(),
                       &id)))
    return;
  if (array.element == Element::Bool)
    good(nc_put_att_text(file, id, "dtype", 4, "bool"));
  good(nc_def_var_fill(file, id, NC_NOFILL, nullptr));
  if (dimensions.empty())
    return;
  std::vector<size_t> chunk(1, 1);
  for (const StoredIndices &indices : array.indices)
    chunk.push_back(static_cast<size_t>(indices.count));
  if (!isAppended()) {
    good(nc_def_var_chunking(file, id, NC_CONTIGUOUS, nullptr));
    return;
  }
  chunk[0] =
      std::max<size_t>(RecordBytes / static_cast<size_t>(array.bytes()), 1);
  good(nc_def_var_chunking(file, id, NC_CHUNKED, chunk.data()));
}

/// Whether the variable that is there can hold the array.
void NetcdfStore::checkVariable(const NewArray &array) {
  nc_type type = 0;
  int count = 0;
  if (!good(nc_inq_var(file, id, nullptr, &type, &count, nullptr, nullptr)))
    return;
  dimensions.resize(static_cast<size_t>(count));
  good(nc_inq_vardimid(file, id, dimensions.data()));
  std::vector<int64_t> shape;
  for (int each : dimensions) {
    size_t extent = 0;
    good(nc_inq_dimlen(file, each, &extent));
    shape.push_back(static_cast<int64_t>(extent));
  }
  if (isAppended() && !shape.empty())
    shape.erase(shape.begin());
  if (type != typeOf(array.element)->type || shape != array.shape() ||
      dimensions.size() != array.indices.size() + isAppended())
    reason = "has a variable '" + variable +
             "' of another type or shape, which cannot be replaced";
}

/// Writes one element, so that there is a place for all of them.
void NetcdfStore::touchElement(const NewArray &array) {
  if (array.bytes() == 0)
    return;
  std::vector<size_t> at(dimensions.size(), 0), count(dimensions.size(), 1);
  if (isAppended())
    at[0] = *record;
  // The chunk is not kept, which would be written as a whole.
  if (!dimensions.empty() && isAppended())
    good(nc_set_var_chunk_cache(file, id, 0, 0, 0));
  char zero[16] = {};
  good(nc_put_vara(file, id, at.data(), count.data(), zero));
}

/// How many records the variable has had.
static size_t recordsOf(const std::string &path, const std::string &variable) {
  Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  Handle dataset(H5Dopen2(file, ("/" + variable).c_str(), H5P_DEFAULT),
                 H5Dclose);
  Handle space(H5Dget_space(dataset), H5Sclose);
  std::vector<hsize_t> extents = hdf5Extents(space);
  return extents.empty() ? 0 : static_cast<size_t>(extents[0]);
}

std::string NetcdfStore::create(const NewArray &array, StoredPlace &place) {
  if (!typeOf(array.element))
    return std::string("cannot hold elements of type ") +
           nameOf(array.element) + ": NetCDF has none";
  if (name.part.record > 0)
    return "is written by [*], which adds a record, not at one of them";
  if (isAppended() && (array.bytes() == 0 ||
                       static_cast<size_t>(array.bytes()) >= MostRecordBytes))
    return "cannot hold records of " + std::to_string(array.bytes()) +
           " bytes, but of 1 to 4294967294";
  if (isAppended())
    record = name.isNew ? 0 : recordsOf(name.file.path, variable);
  openToWrite();
  if (!reason.empty())
    return reason;
  if (nc_inq_varid(file, variable.c_str(), &id) == NC_NOERR)
    checkVariable(array);
  else
    defineVariable(array);
  if (reason.empty())
    touchElement(array);
  closeFile();
  if (!reason.empty())
    return reason;
  place.offset = placeInFile();
  if (place.offset < 0 && array.bytes() > 0)
    return "holds '" + variable +
           "' in pieces or compressed, and it cannot "
           "be written";
  place.offset = std::max<int64_t>(place.offset, 0);
  return "";
}

/// Asks HDF5, in whose format the file is; -1.
int64_t NetcdfStore::placeInFile() {
  if (H5Fis_hdf5(name.file.path.c_str()) <= 0)
    return -1;
  Handle own(H5Fopen(name.file.path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT),
             H5Fclose);
  if (!own.isOpen())
    return -1;
  // Of a dimension's name, but not its coordinates.
  std::string path = "/_nc4_non_coord_" + variable;
  if (H5Lexists(own, path.c_str(), H5P_DEFAULT) <= 0)
    path = "/" + variable;
  Handle dataset(H5Dopen2(own, path.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset.isOpen())
    return -1;
  bool isExact = false, isSwapped = false;
  Handle type(H5Dget_type(dataset), H5Tclose);
  if (!hdf5Element(type, isExact, isSwapped) || !isExact || isSwapped)
    return -1;
  return hdf5Offset(own, dataset,
                    record ? std::optional<hsize_t>(*record) : std::nullopt);
}

/// Whether it holds truth values, as others mark them.
bool NetcdfStore::isTruth() const {
  char text[5] = {};
  size_t length = 0;
  return nc_inq_attlen(file, id, "dtype", &length) == NC_NOERR && length == 4 &&
         nc_get_att_text(file, id, "dtype", text) == NC_NOERR &&
         std::string(text) == "bool";
}

/// Takes the first dimension off, of which one index is meant; false if there
/// is none.
bool NetcdfStore::takeRecord(std::vector<int64_t> &shape) {
  int64_t all = shape.empty() ? 0 : shape[0];
  int64_t wanted = isAppended() ? all : name.part.record;
  if (wanted < 1 || wanted > all) {
    reason = "has " + std::to_string(all) + " records, not [" +
             std::to_string(name.part.record) + "]";
    return false;
  }
  record = static_cast<size_t>(wanted - 1);
  shape.erase(shape.begin());
  return true;
}

/// Whether what is to be read may lie together. A variable may have fewer
/// records than its dimension: the library knows.
bool NetcdfStore::isInOnePlace() const {
  int unlimited = -1;
  nc_inq_unlimdim(file, &unlimited);
  return record || unlimited < 0 ||
         std::find(dimensions.begin(), dimensions.end(), unlimited) ==
             dimensions.end();
}

std::string NetcdfStore::find(NumpyArray &found, StoredPlace &place) {
  openToRead();
  if (!reason.empty())
    return reason;
  if (nc_inq_varid(file, variable.c_str(), &id) != NC_NOERR)
    return "has no variable '" + variable + "'";
  nc_type type = 0;
  int count = 0;
  good(nc_inq_var(file, id, nullptr, &type, &count, nullptr, nullptr));
  rank = static_cast<size_t>(count);
  dimensions.resize(rank);
  good(nc_inq_vardimid(file, id, dimensions.data()));
  for (int each : dimensions) {
    size_t extent = 0;
    good(nc_inq_dimlen(file, each, &extent));
    found.shape.push_back(static_cast<int64_t>(extent));
  }
  if (name.part.record != StorePart::All && !takeRecord(found.shape))
    return reason;
  found.element = elementOf(type);
  found.descr = type == NC_STRING ? "string"
                                  : "of NetCDF that the language "
                                    "does not have";
  if (found.element == Element::I8 && isTruth())
    found.element = Element::Bool;
  if (reason.empty() && isInOnePlace() && found.element)
    place.offset = placeInFile();
  return reason;
}

std::string NetcdfStore::load(const int64_t *first, const int64_t *count,
                              char *to) {
  std::vector<size_t> start, counts;
  if (record) {
    start.push_back(*record);
    counts.push_back(1);
  }
  for (size_t d = 0; start.size() < rank; ++d) {
    start.push_back(static_cast<size_t>(first[d]));
    counts.push_back(static_cast<size_t>(count[d]));
  }
  good(nc_get_vara(file, id, start.data(), counts.data(), to));
  return reason;
}

/// The variable of an attribute, or the file.
int NetcdfStore::attributeOwner() {
  int owner = NC_GLOBAL;
  if (!name.part.name.empty() &&
      nc_inq_varid(file, name.part.name.c_str(), &owner) != NC_NOERR)
    reason = "has no variable '" + name.part.name +
             "', which an attribute belongs to";
  return owner;
}

std::string NetcdfStore::setAttribute(const StoredAttribute &value) {
  const NetcdfType *type = typeOf(value.element);
  if (!value.isText && !type)
    return std::string("cannot hold an attribute of type ") +
           nameOf(value.element) + ": NetCDF has none";
  openToWrite();
  if (!reason.empty())
    return reason;
  int owner = attributeOwner();
  const char *own = name.part.attribute.c_str();
  if (reason.empty() && value.isText)
    good(nc_put_att_text(file, owner, own, value.text.size(),
                         value.text.c_str()));
  else if (reason.empty())
    good(nc_put_att(file, owner, own, type->type, 1, value.bytes.data()));
  closeFile();
  return reason;
}

std::string NetcdfStore::getAttribute(StoredAttribute &value) {
  openToRead();
  if (!reason.empty())
    return reason;
  int owner = attributeOwner();
  const char *own = name.part.attribute.c_str();
  nc_type type = 0;
  size_t length = 0;
  if (!reason.empty() ||
      nc_inq_att(file, owner, own, &type, &length) != NC_NOERR)
    return reason.empty() ? "has no such attribute" : reason;
  if (type == NC_CHAR) {
    value.isText = true;
    value.text.resize(length);
    good(nc_get_att_text(file, owner, own, value.text.data()));
    return reason;
  }
  if (type == NC_STRING && length == 1) {
    char *text = nullptr;
    value.isText = true;
    if (good(nc_get_att_string(file, owner, own, &text)))
      value.text = text ? text : "";
    nc_free_string(1, &text);
    return reason;
  }
  std::optional<Element> element = elementOf(type);
  if (!element)
    return "has an attribute of a type that the language does not have";
  value.element = *element;
  value.bytes.resize(length * sizeOf(*element));
  good(nc_get_att(file, owner, own, value.bytes.data()));
  return reason;
}

} // namespace zrt

extern "C" {

__attribute__((visibility("default"))) extern const int32_t zrt_store_version =
    zrt::StoreVersion;

__attribute__((visibility("default"))) zrt::FileStore *
zrt_store_open(const zrt::StoreName &name) {
  return new zrt::NetcdfStore(name);
}

} // extern "C"
