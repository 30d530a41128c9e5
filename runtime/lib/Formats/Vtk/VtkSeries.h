//===- VtkSeries.h - Image data of VTK step by step -------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_FORMATS_VTK_VTKSERIES_H
#define ZRT_FORMATS_VTK_VTKSERIES_H

#include "Formats/FileStore.h"

namespace zrt {

/// The array at a time of a *.pvd file, which names a *.vti file for each.
std::unique_ptr<FileStore> openVtkSeries(const StoreName &name);

} // namespace zrt

#endif // ZRT_FORMATS_VTK_VTKSERIES_H
