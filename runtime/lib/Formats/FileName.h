//===- FileName.h - What a file's name says ---------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_FORMATS_FILENAME_H
#define ZRT_FORMATS_FILENAME_H

#include <cstdint>
#include <string>
#include <string_view>

namespace zrt {

/// What a file's name says that arrays in it look like.
enum class FileKind : uint8_t {
  Plain,
  Numpy,     ///< *.npy
  Image,     ///< *.png, *.apng
  Matrix,    ///< *.mtx
  Table,     ///< *.csv
  Store,     ///< *.h5, *.hdf5, *.nc, *.vti, *.pvd: several arrays with names
  Checkpoint ///< what checkpoint() writes, whatever its name
};

struct FileName {
  std::string path;        ///< the system's
  std::string part;        ///< what comes after the colon: "/group/name"
  std::string ending = ""; ///< of the path, if it says something: ".h5"
  FileKind kind = FileKind::Plain;
};

/// Takes `out.h5:/group/name` apart. Names that end with nothing known are
/// plain, with their colons. Pure.
FileName parseFileName(std::string_view name);

} // namespace zrt

#endif // ZRT_FORMATS_FILENAME_H
