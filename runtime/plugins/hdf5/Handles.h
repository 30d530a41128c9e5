//===- Handles.h - Objects of HDF5 that are closed when they go -*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_PLUGINS_HDF5_HANDLES_H
#define ZRT_PLUGINS_HDF5_HANDLES_H

#include "Formats/FileStore.h"

#include <hdf5.h>

namespace zrt {

/// An object of HDF5; negative if there is none.
class Handle {
public:
  using Close = herr_t (*)(hid_t);

  Handle() = default;
  Handle(hid_t id, Close close) : id(id), close(close) {}
  Handle(const Handle &) = delete;
  Handle(Handle &&other) noexcept : id(other.id), close(other.close) {
    other.id = -1;
  }
  Handle &operator=(Handle &&other) noexcept {
    std::swap(id, other.id);
    std::swap(close, other.close);
    return *this;
  }
  ~Handle() { reset(); }

  operator hid_t() const { return id; }
  bool isOpen() const { return id >= 0; }
  /// False if closing failed, as when what was kept cannot be written.
  bool reset() {
    bool isGood = id < 0 || close(id) >= 0;
    id = -1;
    return isGood;
  }

private:
  hid_t id = -1;
  Close close = nullptr;
};

/// What HDF5 said of its last error.
std::string hdf5Error();

/// The type of an element in memory and in the files that are written.
Handle hdf5Type(Element element);

/// The element of a type in a file. \p isExact: its bytes are those of the
/// element, maybe turned around.
std::optional<Element> hdf5Element(hid_t type, bool &isExact, bool &isSwapped);

/// Extents of a data set or an attribute's space.
std::vector<hsize_t> hdf5Extents(hid_t space);

/// Where the elements of a data set lie together in its file: all, or those of
/// an index of the first dimension, from 0. -1: they do not.
int64_t hdf5Offset(hid_t file, hid_t dataset, std::optional<hsize_t> record);

} // namespace zrt

#endif // ZRT_PLUGINS_HDF5_HANDLES_H
