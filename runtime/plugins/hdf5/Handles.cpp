//===- Handles.cpp - Objects of HDF5 that are closed when they go ---------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A type in a file is compared with those that are written, in both byte orders.
// If it is one of them, and the elements lie together, they are read without the
// library. Complex numbers are what h5py makes of them, two members r and i;
// booleans an enumeration FALSE, TRUE of one byte.
//
//===----------------------------------------------------------------------===//

#include "hdf5/Handles.h"

#include <bit>

namespace zrt {

std::string hdf5Error() {
  std::string text = "HDF5 gives no reason";
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_UPWARD,
      [](unsigned number, const H5E_error2_t *error, void *to) -> herr_t {
        if (number == 0)
          *static_cast<std::string *>(to) = error->desc ? error->desc : "";
        return 0;
      },
      &text);
  return text;
}

static hid_t basicType(Element element) {
  switch (element) {
  case Element::Bool:
  case Element::I8:
    return H5T_NATIVE_INT8;
  case Element::U8:
    return H5T_NATIVE_UINT8;
  case Element::I16:
    return H5T_NATIVE_INT16;
  case Element::U16:
    return H5T_NATIVE_UINT16;
  case Element::I32:
    return H5T_NATIVE_INT32;
  case Element::U32:
    return H5T_NATIVE_UINT32;
  case Element::I64:
    return H5T_NATIVE_INT64;
  case Element::U64:
    return H5T_NATIVE_UINT64;
  case Element::F32:
  case Element::C32:
    return H5T_NATIVE_FLOAT;
  case Element::F64:
  case Element::C64:
    return H5T_NATIVE_DOUBLE;
  case Element::F80:
  case Element::C80:
    return H5T_NATIVE_LDOUBLE;
  }
  __builtin_unreachable();
}

/// With the parts in this byte order.
static Handle typeInOrder(Element element, H5T_order_t order) {
  Handle part(H5Tcopy(basicType(element)), H5Tclose);
  H5Tset_order(part, order);
  if (element == Element::Bool) {
    Handle type(H5Tenum_create(part), H5Tclose);
    int8_t value = 0;
    H5Tenum_insert(type, "FALSE", &value);
    value = 1;
    H5Tenum_insert(type, "TRUE", &value);
    return type;
  }
  if (!isComplex(element))
    return part;
  size_t each = H5Tget_size(part);
  Handle type(H5Tcreate(H5T_COMPOUND, 2 * each), H5Tclose);
  H5Tinsert(type, "r", 0, part);
  H5Tinsert(type, "i", each, part);
  return type;
}

static constexpr H5T_order_t OwnOrder =
    std::endian::native == std::endian::little ? H5T_ORDER_LE : H5T_ORDER_BE;
static constexpr H5T_order_t OtherOrder =
    OwnOrder == H5T_ORDER_LE ? H5T_ORDER_BE : H5T_ORDER_LE;

Handle hdf5Type(Element element) { return typeInOrder(element, OwnOrder); }

/// What the library can make of a type that is none of ours.
static std::optional<Element> widerElement(hid_t type) {
  size_t size = H5Tget_size(type);
  if (H5Tget_class(type) == H5T_FLOAT)
    return size <= 4 ? Element::F32 : size <= 8 ? Element::F64 : Element::F80;
  if (H5Tget_class(type) != H5T_INTEGER || size > 8)
    return std::nullopt;
  bool isSigned = H5Tget_sign(type) != H5T_SGN_NONE;
  if (size == 1)
    return isSigned ? Element::I8 : Element::U8;
  if (size == 2)
    return isSigned ? Element::I16 : Element::U16;
  if (size <= 4)
    return isSigned ? Element::I32 : Element::U32;
  return isSigned ? Element::I64 : Element::U64;
}

std::optional<Element> hdf5Element(hid_t type, bool &isExact, bool &isSwapped) {
  isExact = true;
  for (int k = 0; k <= static_cast<int>(Element::C80); ++k) {
    auto element = static_cast<Element>(k);
    isSwapped = false;
    if (H5Tequal(type, typeInOrder(element, OwnOrder)) > 0)
      return element;
    isSwapped = true;
    if (H5Tequal(type, typeInOrder(element, OtherOrder)) > 0)
      return element;
  }
  isSwapped = false;
  if (H5Tget_class(type) == H5T_ENUM) {
    Handle numbers(H5Tget_super(type), H5Tclose);
    return hdf5Element(numbers, isExact, isSwapped);
  }
  isExact = false;
  return widerElement(type);
}

std::vector<hsize_t> hdf5Extents(hid_t space) {
  int rank = H5Sget_simple_extent_ndims(space);
  std::vector<hsize_t> extents(static_cast<size_t>(std::max(rank, 0)));
  if (rank > 0)
    H5Sget_simple_extent_dims(space, extents.data(), nullptr);
  return extents;
}

/// Of a record in a chunk that holds whole records.
static int64_t recordOffset(hid_t dataset, hid_t plist, hsize_t record) {
  Handle space(H5Dget_space(dataset), H5Sclose);
  Handle type(H5Dget_type(dataset), H5Tclose);
  std::vector<hsize_t> extents = hdf5Extents(space), chunk(extents.size());
  if (H5Pget_nfilters(plist) != 0 ||
      H5Pget_chunk(plist, static_cast<int>(chunk.size()), chunk.data()) < 0)
    return -1;
  hsize_t bytes = H5Tget_size(type);
  for (size_t d = 1; d < chunk.size(); ++d) {
    if (chunk[d] != extents[d])
      return -1;
    bytes *= extents[d];
  }
  std::vector<hsize_t> at(extents.size(), 0);
  at[0] = record / chunk[0] * chunk[0];
  unsigned mask = 0;
  haddr_t address = HADDR_UNDEF;
  hsize_t size = 0;
  if (H5Dget_chunk_info_by_coord(dataset, at.data(), &mask, &address, &size) <
          0 ||
      address == HADDR_UNDEF)
    return -1;
  return static_cast<int64_t>(address + (record - at[0]) * bytes);
}

int64_t hdf5Offset(hid_t file, hid_t dataset, std::optional<hsize_t> record) {
  Handle plist(H5Dget_create_plist(dataset), H5Pclose);
  Handle ofFile(H5Fget_create_plist(file), H5Pclose);
  hsize_t userBlock = 0;
  H5Pget_userblock(ofFile, &userBlock);
  H5D_layout_t layout = H5Pget_layout(plist);
  if (layout == H5D_CHUNKED && record && userBlock == 0)
    return recordOffset(dataset, plist, *record);
  if (layout != H5D_CONTIGUOUS || H5Pget_external_count(plist) != 0)
    return -1;
  haddr_t address = H5Dget_offset(dataset);
  if (address == HADDR_UNDEF)
    return -1;
  hsize_t before = 0;
  if (record) {
    Handle space(H5Dget_space(dataset), H5Sclose);
    Handle type(H5Dget_type(dataset), H5Tclose);
    before = *record * H5Tget_size(type);
    std::vector<hsize_t> extents = hdf5Extents(space);
    for (size_t d = 1; d < extents.size(); ++d)
      before *= extents[d];
  }
  return static_cast<int64_t>(address + before);
}

} // namespace zrt
