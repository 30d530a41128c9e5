//===- Stored.h - Arrays in files of several --------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_INTERPRET_IO_STORED_H
#define ZPL_LIB_INTERPRET_IO_STORED_H

#include "Formats/FileStore.h"
#include "Regions/Regions.h"
#include "Run.h"

namespace zpl::interpreter {

/// An array that was looked for in a store (*.h5, *.nc, *.vti ...).
struct StoredFile {
  std::unique_ptr<zrt::FileStore> store;
  zrt::NumpyArray found;
  zrt::StoredPlace place;
};

/// Whether the name is that of an attribute.
bool isAttribute(Run &run, const File &file);
/// Ends the run if it is, and an array over \p region is meant, or not null.
void refuseAttribute(Run &run, const File &file, const Region *region);

/// Looks for the array that the file's name says.
std::unique_ptr<StoredFile> findStored(Run &run, File &file);

/// Writes elements in row-major order over \p region, or a single value: an
/// array of rank 0, or an attribute.
void writeStored(Run &run, File &file, Type type, const Region *region,
                 const std::string &bytes);
/// Reads them.
std::vector<char> readStored(Run &run, File &file, StoredFile &stored,
                             Type type, const Region *region);

/// Attributes: texts, and the next number of one.
void writeStoredText(Run &run, File &file, const std::string &text);
std::string readStoredText(Run &run, File &file);
void readStoredNumber(Run &run, File &file, Type type, char *address);

} // namespace zpl::interpreter

#endif // ZPL_LIB_INTERPRET_IO_STORED_H
